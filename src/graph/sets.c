/* Sets of communities: looking at them, comparing, copying. */
#include "graph/communities.h"

int ksda_communities_overlap(const ksda_communities *communities) {
    return communities->sets != NULL;
}
uint32_t ksda_communities_set_count(const ksda_communities *communities) {
    return communities->sets ? communities->sets->count : communities->count;
}
const uint32_t *ksda_communities_set(const ksda_communities *communities, uint32_t v, uint32_t *size) {
    return ksda_i_set(communities, &communities->of[v], size);
}
size_t ksda_communities_set_name(const ksda_communities *communities, uint32_t i, char *buffer, size_t capacity) {
    return ksda_i_ids_name(communities->sets ? &communities->sets->names : &communities->names, i, buffer, capacity);
}

/* The first number that two ascending lists have in common; UINT32_MAX where there is none. */
static uint32_t first_common(const uint32_t *a, uint32_t a_size, const uint32_t *b, uint32_t b_size) {
    for (uint32_t i = 0, j = 0; i < a_size && j < b_size;) {
        if (a[i] == b[j]) return a[i];
        if (a[i] < b[j])
            i++;
        else
            j++;
    }
    return UINT32_MAX;
}

bool ksda_i_lists_meet(const uint32_t *a, uint32_t a_size, const uint32_t *b, uint32_t b_size) {
    return first_common(a, a_size, b, b_size) != UINT32_MAX;
}

uint32_t ksda_i_kinds_common(const ksda_communities *c, uint32_t a, uint32_t b) {
    uint32_t a_size, b_size;
    const uint32_t *one = ksda_i_set(c, &a, &a_size), *two = ksda_i_set(c, &b, &b_size);
    return first_common(one, a_size, two, b_size);
}

bool ksda_i_kinds_meet(const ksda_communities *c, uint32_t a, uint32_t b) {
    return ksda_i_kinds_common(c, a, b) != UINT32_MAX;
}

ksda_status ksda_i_rolls_new(ksda_ctx *ctx, const ksda_communities *c, ksda_i_rolls *out) {
    uint64_t count = ksda_communities_set_count(c), all = 0;
    uint32_t size;
    *out = (ksda_i_rolls){.start = ksda_i_calloc(ctx, count + 2, sizeof *out->start)};
    if (!out->start) return KSDA_NOMEM;
    for (uint32_t v = 0; v < c->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        for (uint32_t i = 0; i < size; i++) out->start[set[i] + 2]++;
        all += size;
    }
    out->member = ksda_i_malloc(ctx, all, sizeof *out->member);
    if (!out->member) return KSDA_NOMEM;
    for (uint64_t i = 0; i < count; i++) out->start[i + 2] += out->start[i + 1];
    for (uint32_t v = 0; v < c->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        for (uint32_t i = 0; i < size; i++) out->member[out->start[set[i] + 1]++] = v;
    }
    return KSDA_OK;
}

void ksda_i_rolls_clear(ksda_ctx *ctx, ksda_i_rolls *rolls) {
    ksda_i_free(ctx, rolls->start);
    ksda_i_free(ctx, rolls->member);
    *rolls = (ksda_i_rolls){NULL, NULL};
}

void ksda_i_sets_free(ksda_ctx *ctx, ksda_i_sets *sets) {
    if (!sets) return;
    ksda_i_free(ctx, sets->start);
    ksda_i_free(ctx, sets->member);
    ksda_i_ids_clear(ctx, &sets->names);
    ksda_i_free(ctx, sets);
}

ksda_i_sets *ksda_i_sets_new(ksda_ctx *ctx, uint32_t kinds, uint64_t members) {
    ksda_i_sets *sets = ksda_i_calloc(ctx, 1, sizeof *sets);
    if (!sets) return NULL;
    ksda_i_ids_range(&sets->names, 0, 0);
    sets->start = ksda_i_calloc(ctx, (uint64_t)kinds + 1, sizeof *sets->start);
    sets->member = ksda_i_malloc(ctx, members, sizeof *sets->member);
    if (sets->start && sets->member) return sets;
    ksda_i_sets_free(ctx, sets);
    return NULL;
}

ksda_status ksda_i_sets_copy(ksda_ctx *ctx, const ksda_i_sets *from, uint32_t kinds, ksda_i_sets **out) {
    ksda_i_sets *sets = *out = ksda_i_sets_new(ctx, kinds, from->start[kinds]);
    if (!sets) return KSDA_NOMEM;
    sets->count = from->count;
    sets->counted = from->counted;
    memcpy(sets->start, from->start, ((uint64_t)kinds + 1) * sizeof *sets->start);
    memcpy(sets->member, from->member, from->start[kinds] * sizeof *sets->member);
    ksda_status status = ksda_i_ids_copy(ctx, &from->names, &sets->names);
    if (status >= 0) return KSDA_OK;
    ksda_i_sets_free(ctx, sets);
    *out = NULL;
    return status;
}
