/* walk.h: all rows of a graph in order, each once, as those want them who write each edge from its smaller end. */
#ifndef KSDA_I_WALK_H
#define KSDA_I_WALK_H

#include "graph/graph.h"

typedef struct ksda_i_walk {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    uint32_t first, last; /* rows that are made: first .. last - 1, one behind the other */
    uint32_t *row;        /* NULL where rows are at their places */
    uint64_t room, longest;
    uint32_t *scratch; /* [threads * longest] */
} ksda_i_walk;

/* KSDA_NOMEM. To be ended in either case. */
ksda_status ksda_i_walk_begin(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_walk *out);
void ksda_i_walk_end(ksda_i_walk *w);
/* v's row: neighbours above v ascending, those below may be 0. v is not below the one before. Borrowed until the next
 * call. KSDA_INTERRUPTED, KSDA_TIMEOUT. */
ksda_status ksda_i_walk_to(ksda_i_walk *w, uint32_t v, const uint32_t **row);

#endif
