/* share_plan.h: who rises to which level so that no community is above its share at any. */
#ifndef KSDA_I_SHARE_PLAN_H
#define KSDA_I_SHARE_PLAN_H

#include "bound/share_bound.h"
#include "core/random.h"
#include "methods/levelplan/level_plan.h"

#define KSDA_I_SHARE_CHAIN 4u /* moves that can be made together */

/* A plan while it is made: how many of each community rise from each level to the next, and who is where then. */
typedef struct ksda_i_share_plan {
    ksda_ctx *ctx;
    const ksda_i_share_levels *levels; /* who is there at first */
    ksda_share share;
    uint32_t k;
    uint32_t *here;    /* [levels * communities] pieces */
    uint32_t *rise;    /* [levels * communities] how many go on from the level to the next */
    uint32_t *best;    /* [levels * communities] pieces, of a plan that it may go back to */
    uint32_t *people;  /* [levels] pieces of all communities */
    uint32_t *largest; /* [levels] the most of one community that is known */
    uint32_t *lack;    /* [levels] how many of others the level lacks */
    uint32_t *bad;     /* [bads] levels that lack some */
    uint32_t *bad_at;  /* [levels] where in bad, or UINT32_MAX */
    uint32_t bads;
    uint64_t lacking;     /* in all */
    uint64_t *need;       /* [communities] sum of what its pieces rise by */
    double *free;         /* [communities] what part of its largest pairs is not adjacent yet */
    const double *scarce; /* NULL, or [communities] what an edge costs more that ends at somebody who did not have to
                             rise: borrowed, set by whoever knows that few can */
    double *price;        /* [communities] edges that this takes, about */
    uint32_t *needs;      /* [largest rise + 1] scratch, all 0 between uses */
    uint64_t looks;       /* at levels, since work was counted last */
    uint32_t chain;       /* moves that are made together, at most */
    ksda_i_rng rng;
} ksda_i_share_plan;

/* How many of others a level lacks where so many are known, so many of the largest community, and of so many. */
static inline uint32_t ksda_i_share_lack(const ksda_i_share_plan *p, uint32_t known, uint32_t largest,
                                         uint32_t communities) {
    uint64_t wanted = ((uint64_t)largest * p->share.denominator + p->share.numerator - 1) / p->share.numerator;
    uint32_t few = communities < p->k ? p->k - communities : 0;
    return wanted > known + (uint64_t)few ? (uint32_t)(wanted - known) : few;
}

/* Nobody rises. free [communities] is copied. Close it also after a failure. */
ksda_status ksda_i_share_plan_open(ksda_ctx *ctx, const ksda_i_share_levels *levels, ksda_share share, uint32_t k,
                                   const double *free, ksda_i_share_plan *out);
void ksda_i_share_plan_close(ksda_i_share_plan *plan);
/* Begin from the solution of a linear program, rounded. */
void ksda_i_share_plan_round(ksda_i_share_plan *plan, const double *rise);
/* Take what stands in here, of everybody, as the plan. */
void ksda_i_share_plan_read(ksda_i_share_plan *plan);
/* The plan that a beam search finds; found: there is one. */
ksda_status ksda_i_share_beam(ksda_i_share_plan *plan, bool *found);
/* Mend what lacks others from the top down, then look for a cheaper plan with so many steps. Plans differ with the
 * attempt; warm: more is kept of what it begins with. lacking is 0 for a plan that holds. */
ksda_status ksda_i_share_plan_search(ksda_i_share_plan *plan, uint32_t attempt, bool warm, uint64_t steps);
/* Edges that it takes, about. */
double ksda_i_share_plan_cost(const ksda_i_share_plan *plan);
/* Give everybody of a community where some rise a target. slack: [n] by vertex, edges that it could gain. */
ksda_status ksda_i_share_targets(const ksda_i_share_plan *plan, const uint32_t *slack, ksda_i_pieces *pieces);

#endif
