/* The releases that a search has found: whatever weight a split turns out to have, the cheapest of them is here. */
#include "methods/levelplan/pool.h"

double ksda_i_pool_cost(const ksda_i_pool_release *x, double weight) {
    return (double)x->added + weight * x->splits;
}

ksda_i_pool_release ksda_i_pool_describe(uint32_t n, ksda_edits *edits) {
    return (ksda_i_pool_release){ksda_edits_added(edits, NULL), ksda_edits_pieces(edits) - n, edits};
}

ksda_status ksda_i_pool_insert(ksda_ctx *ctx, ksda_i_pool *pool, ksda_i_pool_release x) {
    ksda_i_pool_release *all;
    uint64_t at = 0, end;
    ksda_status status = ksda_i_reserve(ctx, &pool->release, &pool->capacity, pool->count + 1, sizeof *pool->release);
    all = pool->release;
    while (at < pool->count && all[at].splits < x.splits) at++;
    if (status < 0 || (at > 0 && all[at - 1].added <= x.added) ||
        (at < pool->count && all[at].splits == x.splits && all[at].added <= x.added)) {
        ksda_edits_free(ctx, x.edits);
        return status;
    }
    for (end = at; end < pool->count && all[end].added >= x.added; end++) ksda_edits_free(ctx, all[end].edits);
    memmove(all + at + 1, all + end, (pool->count - end) * sizeof *all);
    all[at] = x;
    pool->count = pool->count - (end - at) + 1;
    return KSDA_OK;
}

ksda_status ksda_i_pool_add(ksda_ctx *ctx, ksda_i_pool *pool, uint32_t n, ksda_edits *edits) {
    return ksda_i_pool_insert(ctx, pool, ksda_i_pool_describe(n, edits));
}

const ksda_i_pool_release *ksda_i_pool_cheapest(const ksda_i_pool *pool, double weight) {
    const ksda_i_pool_release *best = NULL;
    for (const ksda_i_pool_release *x = pool->release; x && x < pool->release + pool->count; x++)
        if (!best || ksda_i_pool_cost(x, weight) < ksda_i_pool_cost(best, weight)) best = x;
    return best;
}

ksda_edits *ksda_i_pool_take(ksda_i_pool *pool, const ksda_i_pool_release *x) {
    ksda_edits *edits = x->edits;
    uint64_t at = (uint64_t)(x - pool->release);
    memmove(pool->release + at, pool->release + at + 1, (--pool->count - at) * sizeof *x);
    return edits;
}

void ksda_i_pool_clear(ksda_ctx *ctx, ksda_i_pool *pool) {
    for (uint64_t i = 0; i < pool->count; i++) ksda_edits_free(ctx, pool->release[i].edits);
    ksda_i_free(ctx, pool->release);
    *pool = (ksda_i_pool){0};
}
