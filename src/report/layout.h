/* layout.h: where the vertices of a drawing stand. */
#ifndef KSDA_I_LAYOUT_H
#define KSDA_I_LAYOUT_H

#include "graph/graph.h"

#define KSDA_I_PI 3.14159265358979323846

enum {
    KSDA_I_LAYOUT_WIDTH = 900,
    KSDA_I_LAYOUT_HEIGHT = 654
};

typedef struct ksda_i_place {
    double x, y;
} ksda_i_place;

/* Place every vertex in a frame of that size; those of one group (of[v] below count) stay together. Or KSDA_NOMEM,
 * KSDA_INTERRUPTED, KSDA_TIMEOUT. O((n log n + m)) a round, of which there are at most 250. */
ksda_status ksda_i_layout(ksda_ctx *ctx, const ksda_graph *graph, const uint32_t *of, uint32_t count,
                          ksda_i_place *place);

#endif
