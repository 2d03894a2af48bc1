/* realistic.h: networks like real ones that need no data folder: those built in, and some made by a seed. */
#ifndef REALISTIC_H
#define REALISTIC_H

#include "random_graph.h"

/* The i-th: its name, and the network in *out, to be cleared; NULL after the last. Those built in come first. Planted
 * communities of power-law sizes and degrees, a dense core, attributes that many do not state, labels that follow the
 * degree, and hubs. The seed of the context is used for those that are made, so seed 1 always gives the same. */
const char *realistic_network(ksda_ctx *ctx, size_t i, ksda_network *out);
/* The one with that name, which there must be. */
void named_network(ksda_ctx *ctx, const char *name, ksda_network *out);

#endif
