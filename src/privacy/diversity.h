/* diversity.h: what k and communities must be, before anything is counted. */
#ifndef KSDA_I_DIVERSITY_H
#define KSDA_I_DIVERSITY_H

#include "core/ctx.h"
#include "graph/communities.h"

#include <ksda/edits.h>
#include <ksda/privacy.h>

/* KSDA_INVALID with a message unless 1 <= k <= most, the number of `what`. There is no default: 0 is "not set". */
ksda_status ksda_i_check_k(ksda_ctx *ctx, uint32_t k, uint32_t most, const char *what);

/* The communities that count: no degree can have more, nor more disjoint sets of them. */
static inline uint32_t ksda_i_most_k(const ksda_communities *c) {
    return c->sets ? c->sets->counted : c->counted;
}

/* KSDA_INVALID with a message unless it is none or lies in (0, 1]; NULL is none. */
ksda_status ksda_i_check_share(ksda_ctx *ctx, const ksda_share *given, ksda_share *out);

/* KSDA_INVALID where more than one community does not count towards k: no edge can be added inside these. */
ksda_status ksda_i_check_together(ksda_ctx *ctx, const ksda_communities *communities);
/* Is what these edits publish diverse where only communities count that do? Recounted also when the time is up. */
ksda_status ksda_i_holds(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *c, const ksda_edits *edits,
                         uint32_t k, bool *yes);

#endif
