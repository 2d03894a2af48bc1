/* priority.h: a graph with given degrees that keeps as many edges of another as it can. */
#ifndef KSDA_I_PRIORITY_H
#define KSDA_I_PRIORITY_H

#include "core/random.h"
#include "graph/graph.h"

#include <ksda/edits.h>

/* Build a simple graph where v has degree target[v], edges of `graph` first. target: [n], even sum, each below n.
 * @return KSDA_OK with *built true and the edits that lead there, or with *built false when the construction got stuck.
 */
ksda_status ksda_i_priority(ksda_ctx *ctx, const ksda_graph *graph, const uint32_t *target, bool *built,
                            ksda_edits **out);

#endif
