/* anneal.h: a complete release with fewer added edges, by small changes. */
#ifndef KSDA_I_ANNEAL_H
#define KSDA_I_ANNEAL_H

#include "methods/methods.h"

/* Look for a release that splits as `edits` does, which must be diverse and within the share, and adds fewer edges;
 * stop when there are only `enough` or at the time limit. *out is NULL when none was found, or where there are more
 * than KSDA_I_DRAFT_PIECES pieces; owned by the caller otherwise. */
ksda_status ksda_i_anneal(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                          ksda_share share, const ksda_edits *edits, uint64_t enough, ksda_edits **out);

#endif
