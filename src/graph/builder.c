/* From numeric edges to a graph: number the ids in ascending order, then build rows. */
#include "graph/builder.h"

#include <stdlib.h>

typedef struct lane {
    uint64_t *id; /* edges as pairs */
    uint64_t count, capacity;
    uint64_t *single; /* vertices that exist without an edge being needed */
    uint64_t singles, single_capacity;
} lane;

struct ksda_i_builder {
    ksda_ctx *ctx;
    lane *lane;
    unsigned lanes;
    bool declared;
    uint64_t first;
    uint32_t count;
};

ksda_status ksda_i_builder_new(ksda_ctx *ctx, unsigned lanes, ksda_i_builder **out) {
    ksda_i_builder *b = ksda_i_calloc(ctx, 1, sizeof *b);
    *out = NULL;
    if (!b) return KSDA_NOMEM;
    b->ctx = ctx;
    b->lanes = lanes;
    b->lane = ksda_i_calloc(ctx, lanes, sizeof *b->lane);
    if (!b->lane) {
        ksda_i_free(ctx, b);
        return KSDA_NOMEM;
    }
    *out = b;
    return KSDA_OK;
}

void ksda_i_builder_free(ksda_ctx *ctx, ksda_i_builder *b) {
    if (!b) return;
    for (unsigned i = 0; i < b->lanes; i++) {
        ksda_i_free(ctx, b->lane[i].id);
        ksda_i_free(ctx, b->lane[i].single);
    }
    ksda_i_free(ctx, b->lane);
    ksda_i_free(ctx, b);
}

ksda_status ksda_i_builder_edge(ksda_i_builder *b, unsigned lane_number, uint64_t u, uint64_t v) {
    lane *l = &b->lane[lane_number];
    ksda_status status = ksda_i_reserve(b->ctx, &l->id, &l->capacity, l->count + 2, sizeof *l->id);
    if (status < 0) return status;
    l->id[l->count++] = u;
    l->id[l->count++] = v;
    return KSDA_OK;
}

ksda_status ksda_i_builder_vertex(ksda_i_builder *b, unsigned lane_number, uint64_t id) {
    lane *l = &b->lane[lane_number];
    ksda_status status = ksda_i_reserve(b->ctx, &l->single, &l->single_capacity, l->singles + 1, sizeof *l->single);
    if (status < 0) return status;
    l->single[l->singles++] = id;
    return KSDA_OK;
}

void ksda_i_builder_declare(ksda_i_builder *b, uint64_t first, uint32_t count) {
    b->declared = true;
    b->first = first;
    b->count = count;
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The distinct ids, ascending. */
static ksda_status collect_ids(ksda_i_builder *b, ksda_i_ids *ids) {
    uint64_t total = 0, kept = 0;
    for (unsigned i = 0; i < b->lanes; i++) total += b->lane[i].count + b->lane[i].singles;
    uint64_t *all = ksda_i_malloc(b->ctx, total, sizeof *all);
    if (!all) return KSDA_NOMEM;
    total = 0;
    for (unsigned i = 0; i < b->lanes; i++) {
        lane *l = &b->lane[i];
        if (l->count) memcpy(all + total, l->id, l->count * sizeof *all);
        total += l->count;
        if (l->singles) memcpy(all + total, l->single, l->singles * sizeof *all);
        total += l->singles;
    }
    qsort(all, total, sizeof *all, ascending);
    for (uint64_t i = 0; i < total; i++)
        if (kept == 0 || all[kept - 1] != all[i]) all[kept++] = all[i];
    if (kept > KSDA_MAX_VERTICES) {
        ksda_i_free(b->ctx, all);
        return ksda_i_error(b->ctx, KSDA_INVALID, "%llu vertices; at most %u are possible", (unsigned long long)kept,
                            KSDA_MAX_VERTICES);
    }
    ksda_i_ids_numbers_take(ids, (uint32_t)kept, all);
    return KSDA_OK;
}

ksda_status ksda_i_builder_finish(ksda_i_builder *b, ksda_i_ids *names, ksda_graph **out) {
    ksda_ctx *ctx = b->ctx;
    ksda_status status = KSDA_OK;
    ksda_i_ids ids;
    uint32_t *pairs = NULL;
    uint64_t ends = 0;
    *out = NULL;
    ksda_i_ids_range(&ids, b->count, b->first);
    if (!b->declared) KSDA_I_TRY(collect_ids(b, &ids));
    for (unsigned i = 0; i < b->lanes; i++) ends += b->lane[i].count;
    pairs = ksda_i_malloc(ctx, ends, sizeof *pairs);
    if (!pairs) {
        status = KSDA_NOMEM;
        goto done;
    }
    ends = 0;
    for (unsigned i = 0; i < b->lanes; i++)
        for (uint64_t j = 0; j < b->lane[i].count; j++)
            pairs[ends++] = ksda_i_ids_find_number(&ids, b->lane[i].id[j]);
    KSDA_I_TRY(ksda_graph_from_edges(ctx, ids.count, ends / 2, pairs, out));
    (*out)->ids = ids;
    ksda_i_ids_range(&ids, 0, 0);
    if (names) {
        ksda_i_ids_clear(ctx, &(*out)->ids);
        (*out)->ids = *names;
        ksda_i_ids_range(names, 0, 0);
    }
done:
    ksda_i_free(ctx, pairs);
    ksda_i_ids_clear(ctx, &ids);
    ksda_i_builder_free(ctx, b);
    return status;
}
