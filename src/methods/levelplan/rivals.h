/* rivals.h: the six heuristics of the paper, to hold level-plan's release against theirs. */
#ifndef KSDA_I_RIVALS_H
#define KSDA_I_RIVALS_H

#include "methods/methods.h"

#define KSDA_I_RIVALS 6u

/* What heuristic `number` finds, owned by the caller; *out is NULL where it finds nothing, or could find nothing that
 * costs less than `below`. */
ksda_status ksda_i_rival(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_anonymize_options *options, uint32_t number, double below, ksda_edits **out);

#endif
