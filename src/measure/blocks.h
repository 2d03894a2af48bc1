/* blocks.h: biconnected components, and how many vertices hang on each of their vertices. */
#ifndef KSDA_I_BLOCKS_H
#define KSDA_I_BLOCKS_H

#include "measure/order.h"

/* A block is a largest set of vertices that no single vertex separates, or a bridge. Two blocks share at most one
 * vertex, which then separates them. Isolated vertices are in no block. */
typedef struct ksda_i_blocks {
    uint32_t count;
    uint64_t *start;  /* [count + 1] */
    uint32_t *vertex; /* the vertices of each block, ascending */
    double *hanging;  /* beside vertex: vertices that reach the block through it, itself included */
} ksda_i_blocks;

ksda_status ksda_i_blocks_find(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_blocks *out);
void ksda_i_blocks_clear(ksda_ctx *ctx, ksda_i_blocks *b);

#endif
