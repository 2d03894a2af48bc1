/* rivals.h: the six heuristics of the paper, to hold level-plan's release against theirs. */
#ifndef KSDA_I_RIVALS_H
#define KSDA_I_RIVALS_H

#include "methods/methods.h"

#define KSDA_I_RIVALS 6u

/* Could heuristic `number` find something that costs less? */
bool ksda_i_rival_may_win(uint32_t number, double split_weight, double below);
/* What it finds, owned by the caller; *out is NULL where it finds nothing or may not win. Releases that cost `below` or
 * more are not wanted, but may be found; INFINITY: all are. */
ksda_status ksda_i_rival(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_anonymize_options *options, uint32_t number, double below, ksda_edits **out);

#endif
