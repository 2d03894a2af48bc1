/* adopt.h: vertices that only another file than the graph's knows. */
#ifndef KSDA_I_ADOPT_H
#define KSDA_I_ADOPT_H

#include "graph/graph.h"

/* Give a graph that nobody has seen yet the extra vertices, as vertices of degree 0 behind its own: ascending where all
 * ids are numbers, else in their order. place: [extra->count] receives their vertex numbers. */
ksda_status ksda_i_adopt_vertices(ksda_ctx *ctx, ksda_graph *graph, const ksda_i_ids *extra, uint32_t *place);

#endif
