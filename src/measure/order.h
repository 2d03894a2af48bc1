/* order.h: a graph with its vertices renamed so that neighbours stand near each other. */
#ifndef KSDA_I_ORDER_H
#define KSDA_I_ORDER_H

#include "graph/graph.h"

typedef struct ksda_i_ordered {
    uint32_t n;
    uint64_t *off;    /* [n + 1] */
    uint32_t *adj;    /* [2m] */
    uint32_t *vertex; /* [n] the original's number of each */
    uint32_t components;
    uint32_t *start; /* [components + 1] components stand one after the other */
    uint32_t *of;    /* [n] component */
} ksda_i_ordered;

/* Components one after the other, larger first; inside, breadth-first from a vertex of the largest degree. */
ksda_status ksda_i_ordered_new(ksda_ctx *ctx, const ksda_graph *g, ksda_i_ordered *out);
void ksda_i_ordered_clear(ksda_ctx *ctx, ksda_i_ordered *o);

#endif
