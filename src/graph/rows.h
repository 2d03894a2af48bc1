/* rows.h: from pairs of vertex numbers to sorted, simple rows. The one place that builds a graph from edges. */
#ifndef KSDA_I_ROWS_H
#define KSDA_I_ROWS_H

#include "graph/graph.h"

/* A stretch of pairs, all numbers below n. */
typedef struct ksda_i_slice {
    const uint32_t *pair; /* [2 * count] */
    uint32_t count;
    uint32_t owner; /* for the consumed callback */
} ksda_i_slice;

#define KSDA_I_SLICE_EDGES 65536 /* a good size: work enough for a thread to take at a time */

/* Called from any thread once for each slice that is not needed any more. */
typedef void (*ksda_i_consumed_fn)(void *data, uint32_t owner);

/* Build the graph; loops and repetitions are removed and counted. consumed may be NULL. KSDA_NOMEM or KSDA_INTERRUPTED.
 */
ksda_status ksda_i_rows_build(ksda_ctx *ctx, uint32_t n, const ksda_i_slice *slices, uint64_t count,
                              ksda_i_consumed_fn consumed, void *data, ksda_graph **out);

#endif
