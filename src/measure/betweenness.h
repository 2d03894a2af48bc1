/* betweenness.h: betweenness from inside. */
#ifndef KSDA_I_BETWEENNESS_H
#define KSDA_I_BETWEENNESS_H

#include "core/ctx.h"

#include <ksda/graph.h>

/* Betweenness of every vertex over unordered pairs. samples 0: exact; else that many sources (rounded up to a multiple
 * of 32) in every block too large for little work, and spread [n] gets the standard error of each (may be NULL).
 * *sampled tells how many sources there were, 0 when everything was exact after all. */
ksda_status ksda_i_betweenness(ksda_ctx *ctx, const ksda_graph *graph, uint32_t samples, double *out, double *spread,
                               uint32_t *sampled);

#endif
