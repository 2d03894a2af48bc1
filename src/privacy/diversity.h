/* diversity.h: degrees against communities, for check and verify. */
#ifndef KSDA_I_DIVERSITY_H
#define KSDA_I_DIVERSITY_H

#include "core/ctx.h"

#include <ksda/privacy.h>

/* Vertices in ascending order of community: what both callers have, and all that counting needs. */
typedef struct ksda_i_by_community {
    uint32_t communities;
    uint32_t counted;       /* those from this number on do not count */
    const uint32_t *vertex; /* [n] */
    const uint32_t *of;     /* [n] community by vertex, below `communities` */
} ksda_i_by_community;

/* Fill *out, whose k is given; k is between 1 and the number of communities. KSDA_OK or KSDA_NOMEM. */
ksda_status ksda_i_diversity_count(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_by_community *order, uint32_t k,
                                   ksda_diversity *out);

/* KSDA_INVALID with a message unless 1 <= k <= most, the number of `what`. There is no default: 0 is "not set". */
ksda_status ksda_i_check_k(ksda_ctx *ctx, uint32_t k, uint32_t most, const char *what);

/* KSDA_INVALID where some communities do not count: for what counts all alike. */
ksda_status ksda_i_check_all_count(ksda_ctx *ctx, const ksda_communities *communities);

#endif
