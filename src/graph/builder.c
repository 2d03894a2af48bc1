/* From numeric edges to a graph. Edges are kept as pairs of 32-bit ids (8 bytes an edge) as long as the ids allow, in
 * chunks that never move, so nothing is copied while a file of unknown length is read and several threads can write at
 * once. At the end the ids are numbered in ascending order and the rows built; chunks are released while that happens,
 * so that the pairs and the rows are never both there in full. */
#include "graph/builder.h"

#include "core/pages.h"
#include "graph/numbering.h"
#include "graph/peers.h"
#include "graph/rows.h"

#define FIRST_CHUNK ((uint64_t)1 << 16) /* bytes; chunks double up to the last size */
#define LAST_CHUNK ((uint64_t)1 << 24)

typedef struct chunk {
    struct chunk *next;
    void *id;                 /* pairs, uint64_t if wide, else uint32_t */
    uint64_t count, capacity; /* edges */
    bool wide;
    atomic_uint slices_left; /* not consumed yet */
} chunk;

typedef struct lane {
    chunk *newest;
    uint64_t bytes;   /* of the newest chunk */
    uint64_t *single; /* vertices that exist, with or without edges */
    uint64_t singles, single_capacity;
} lane;

struct ksda_i_builder {
    ksda_ctx *ctx;
    lane *lane;
    unsigned lanes;
    bool declared;
    uint64_t first;
    uint32_t count;
    chunk **chunk; /* at the end: all of them */
    uint32_t chunks;
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

static void free_ids(ksda_ctx *ctx, chunk *c) {
    if (c->id) ksda_i_pages_drop(c->id, c->capacity * (c->wide ? 16 : 8));
    ksda_i_free(ctx, c->id);
    c->id = NULL;
}

void ksda_i_builder_free(ksda_ctx *ctx, ksda_i_builder *b) {
    if (!b) return;
    for (unsigned i = 0; i < b->lanes; i++) {
        for (chunk *c = b->lane[i].newest, *next; c; c = next) {
            next = c->next;
            free_ids(ctx, c);
            ksda_i_free(ctx, c);
        }
        ksda_i_free(ctx, b->lane[i].single);
    }
    ksda_i_free(ctx, b->chunk);
    ksda_i_free(ctx, b->lane);
    ksda_i_free(ctx, b);
}

/* --- collecting -------------------------------------------------------------------------------------------------- */

static ksda_status new_chunk(ksda_i_builder *b, lane *l, uint64_t edges, bool wide) {
    uint64_t size = wide ? 16 : 8;
    chunk *c = ksda_i_calloc(b->ctx, 1, sizeof *c);
    if (!c) return KSDA_NOMEM;
    l->bytes = l->bytes == 0 ? FIRST_CHUNK : l->bytes < LAST_CHUNK ? 2 * l->bytes : LAST_CHUNK;
    c->capacity = l->bytes / size < edges ? edges : l->bytes / size;
    c->wide = wide;
    c->id = ksda_i_malloc(b->ctx, c->capacity, size);
    if (!c->id) {
        ksda_i_free(b->ctx, c);
        return KSDA_NOMEM;
    }
    ksda_i_pages_huge(c->id, c->capacity * size);
    c->next = l->newest;
    l->newest = c;
    return KSDA_OK;
}

void *ksda_i_builder_room(ksda_i_builder *b, unsigned lane_number, uint64_t edges, bool wide) {
    lane *l = &b->lane[lane_number];
    chunk *c = l->newest;
    if (!c || c->wide != wide || c->capacity - c->count < edges) {
        if (new_chunk(b, l, edges, wide) < 0) return NULL;
        c = l->newest;
    }
    return (char *)c->id + c->count * (wide ? 16 : 8);
}

void ksda_i_builder_commit(ksda_i_builder *b, unsigned lane_number, uint64_t edges) {
    if (edges) b->lane[lane_number].newest->count += edges;
}

ksda_status ksda_i_builder_edge(ksda_i_builder *b, unsigned lane_number, uint64_t u, uint64_t v) {
    chunk *c = b->lane[lane_number].newest;
    bool wide = (u | v) > UINT32_MAX || (c && c->wide && c->count < c->capacity);
    void *room = ksda_i_builder_room(b, lane_number, 1, wide);
    if (!room) return KSDA_NOMEM;
    if (wide)
        ((uint64_t *)room)[0] = u, ((uint64_t *)room)[1] = v;
    else
        ((uint32_t *)room)[0] = (uint32_t)u, ((uint32_t *)room)[1] = (uint32_t)v;
    ksda_i_builder_commit(b, lane_number, 1);
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

/* --- finishing --------------------------------------------------------------------------------------------------- */

static uint64_t slices_of(const chunk *c) {
    return (c->count + KSDA_I_SLICE_EDGES - 1) / KSDA_I_SLICE_EDGES;
}

/* A chunk whose slices have all been scattered is not needed any more. */
static void slice_consumed(void *data, uint32_t owner) {
    ksda_i_builder *b = data;
    if (atomic_fetch_sub_explicit(&b->chunk[owner]->slices_left, 1, memory_order_acq_rel) == 1)
        free_ids(b->ctx, b->chunk[owner]);
}

static ksda_status list_chunks(ksda_i_builder *b, uint64_t *slices, unsigned *singles) {
    uint64_t count = 0;
    *slices = 0, *singles = 0;
    for (unsigned i = 0; i < b->lanes; i++) {
        for (chunk *c = b->lane[i].newest; c; c = c->next) count++;
        *singles += b->lane[i].singles > 0;
    }
    b->chunk = ksda_i_malloc(b->ctx, count, sizeof(chunk *));
    if (!b->chunk) return KSDA_NOMEM;
    for (unsigned i = 0; i < b->lanes; i++)
        for (chunk *c = b->lane[i].newest; c; c = c->next) {
            atomic_init(&c->slices_left, (unsigned)slices_of(c));
            *slices += slices_of(c);
            b->chunk[b->chunks++] = c;
        }
    return KSDA_OK;
}

/* Cut the chunks into slices, seen as ids to number and, in the same order, as pairs to build rows from. */
static void cut_chunks(ksda_i_builder *b, ksda_i_stretch *stretch, ksda_i_slice *slice) {
    for (uint32_t k = 0; k < b->chunks; k++) {
        const chunk *c = b->chunk[k];
        for (uint64_t at = 0; at < c->count; at += KSDA_I_SLICE_EDGES) {
            uint64_t count = c->count - at < KSDA_I_SLICE_EDGES ? c->count - at : KSDA_I_SLICE_EDGES;
            void *id = (char *)c->id + at * (c->wide ? 16 : 8);
            *stretch++ = (ksda_i_stretch){id, 2 * count, c->wide, true};
            *slice++ = (ksda_i_slice){id, (uint32_t)count, k};
        }
    }
    for (unsigned i = 0; i < b->lanes; i++)
        if (b->lane[i].singles) *stretch++ = (ksda_i_stretch){b->lane[i].single, b->lane[i].singles, true, false};
}

ksda_status ksda_i_builder_finish(ksda_i_builder *b, ksda_i_ids *names, ksda_graph **out) {
    ksda_ctx *ctx = b->ctx;
    ksda_status status = KSDA_OK;
    ksda_i_ids ids;
    ksda_i_stretch *stretch = NULL;
    ksda_i_slice *slice = NULL;
    uint64_t slices;
    unsigned singles;
    *out = NULL;
    ksda_i_ids_range(&ids, b->count, b->first);
    status = list_chunks(b, &slices, &singles);
    if (status >= 0) {
        stretch = ksda_i_malloc(ctx, slices + singles, sizeof *stretch);
        slice = ksda_i_malloc(ctx, slices, sizeof *slice);
        if (!stretch || !slice) status = KSDA_NOMEM;
    }
    KSDA_I_TRY(ksda_i_agree(ctx, status));
    cut_chunks(b, stretch, slice);
    if (b->declared)
        ksda_i_shift_ids(ctx, stretch, slices, b->first);
    else
        KSDA_I_TRY(ksda_i_number_ids(ctx, stretch, slices + singles, &ids));
    KSDA_I_TRY(ctx->peers ? ctx->peers->rows(ctx, ids.count, slice, slices, slice_consumed, b, ctx->halves, out)
                          : ksda_i_rows_build(ctx, ids.count, slice, slices, slice_consumed, b, out));
    (*out)->ids = names ? *names : ids;
    if (names) ksda_i_ids_range(names, 0, 0);
    if (!names) ksda_i_ids_range(&ids, 0, 0);
done:
    ksda_i_free(ctx, stretch);
    ksda_i_free(ctx, slice);
    ksda_i_ids_clear(ctx, &ids);
    ksda_i_builder_free(ctx, b);
    return status;
}
