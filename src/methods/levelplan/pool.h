/* pool.h: releases of one network of which none has both fewer added edges and fewer splits than another. */
#ifndef KSDA_I_POOL_H
#define KSDA_I_POOL_H

#include "methods/methods.h"

typedef struct ksda_i_pool_release {
    uint64_t added;
    uint32_t splits;
    ksda_edits *edits; /* NULL where another one keeps them */
} ksda_i_pool_release;

/* By ascending splits, added edges falling. */
typedef struct ksda_i_pool {
    ksda_i_pool_release *release;
    uint64_t count, capacity;
} ksda_i_pool;

/* Its edges and splits counted, where n vertices are there before splitting. */
ksda_i_pool_release ksda_i_pool_describe(uint32_t n, ksda_edits *edits);
double ksda_i_pool_cost(const ksda_i_pool_release *x, double weight);
/* Take a release in, unless one is there that is as good in both, and drop those that it beats. The pool owns its edits
 * from here on, also after a failure. */
ksda_status ksda_i_pool_insert(ksda_ctx *ctx, ksda_i_pool *pool, ksda_i_pool_release x);
ksda_status ksda_i_pool_add(ksda_ctx *ctx, ksda_i_pool *pool, uint32_t n, ksda_edits *edits);
/* The cheapest one at that weight, with the fewest splits where several are; NULL in an empty pool. */
const ksda_i_pool_release *ksda_i_pool_cheapest(const ksda_i_pool *pool, double weight);
/* Take it out; the caller owns its edits. */
ksda_edits *ksda_i_pool_take(ksda_i_pool *pool, const ksda_i_pool_release *x);
void ksda_i_pool_clear(ksda_ctx *ctx, ksda_i_pool *pool);

#endif
