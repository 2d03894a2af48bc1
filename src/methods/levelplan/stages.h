/* stages.h: a run of level-plan as its stages see it. level_plan.c has the tables of stages and drives them: a new
 * stage is one function, in a file of its own where it is long, and one row there.
 *
 * A stage looks at the incumbent and offers releases (ksda_i_plan_offer()); the cheapest becomes the incumbent, the
 * others are passed over. The driver decides whether a stage runs, sets its budget of work, and sees to it that what a
 * stopped stage was about counts for nothing where there is a release to hand over. */
#ifndef KSDA_I_STAGES_H
#define KSDA_I_STAGES_H

#include "core/parallel.h"
#include "methods/levelplan/level_plan.h"
#include "methods/levelplan/limits.h"
#include "methods/levelplan/pool.h"
#include "methods/levelplan/rounds.h"

/* A linear program that may be under way beside the stage that runs: stage_program.c. */
typedef struct ksda_i_level_program {
    const struct ksda_i_plan_run *run; /* NULL: it has not begun */
    ksda_ctx *ctx;                     /* its own */
    double cost, enough;               /* of the incumbent; what need not be exceeded */
    double bound;                      /* on releases without splits */
    ksda_status status;
    ksda_i_beside beside;
} ksda_i_level_program;

typedef struct ksda_i_plan_run {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_anonymize_options *options;
    const ksda_i_plan_hooks *hooks;
    double weight[KSDA_I_WEIGHTS]; /* [weights] the split weights that are searched with, whichever was asked for */
    uint32_t weights;
    uint32_t plans;   /* of them, those that plans are made with; the others are for sets of levels only */
    ksda_i_pool pool; /* what was found */
    ksda_edits *best; /* the incumbent, the cheapest of the pool; NULL before there is one */
    double cost;      /* of the incumbent; INFINITY without */
    ksda_anonymize_options planned; /* the options, with the weight that is being searched with */
    ksda_i_rounds rounds;           /* plans, and the cheapest release that came of one with that weight */
    ksda_i_proof proof;
    ksda_i_level_program program;
    uint64_t rounds_work; /* what the first rounds took */
    uint64_t proof_work;  /* what the proof may take in all */
    uint64_t seed;        /* the caller's; the search has its own */
    uint64_t work_begun;  /* on the context's count of work */
    bool limited;         /* the time limit cut something short */
    bool plausible;       /* added edges are to look like own ones */
    bool placed;          /* a plan or a set of levels led to a release */
    bool fallback;        /* the split fallback was needed: what it finds only has to exist */
} ksda_i_plan_run;

/* When a stage runs although the time is over and there is a release to hand over. */
typedef enum ksda_i_plan_late {
    KSDA_I_LATE_SKIP,     /* it does not */
    KSDA_I_LATE_FALLBACK, /* when that release is the fallback's, because it is quick and anything beats that */
    KSDA_I_LATE_RUN       /* always: it sees for itself what can still be done */
} ksda_i_plan_late;

typedef struct ksda_i_plan_stage {
    const char *name;                             /* progress is reported under it, by the driver */
    bool (*applies)(const ksda_i_plan_run *r);    /* NULL: always */
    uint64_t (*budget)(const ksda_i_plan_run *r); /* of work; NULL: as the stage around it */
    ksda_status (*run)(ksda_i_plan_run *r);
    ksda_i_plan_late late;
} ksda_i_plan_stage;

/* --- for the driver ----------------------------------------------------------------------------------------------- */

void ksda_i_plan_choose_weights(ksda_i_plan_run *r);
/* The incumbent, for the caller; the other releases go to the one who asked for them. */
ksda_edits *ksda_i_plan_hand_over(ksda_i_plan_run *r);

/* --- for stages --------------------------------------------------------------------------------------------------- */

/* Is the time over? Asked only where something is left to do, and remembered. */
bool ksda_i_plan_late_now(ksda_i_plan_run *r);
/* What a release costs; the proof must not contradict it. */
double ksda_i_plan_see(ksda_i_plan_run *r, const ksda_edits *edits);
/* A complete release, owned by the run from here on. */
ksda_status ksda_i_plan_offer(ksda_i_plan_run *r, ksda_edits *edits);
/* The options, with that weight, for what is searched next. */
const ksda_anonymize_options *ksda_i_plan_with(ksda_i_plan_run *r, double weight);
/* Is the network so large that only few sets of levels can be searched? */
bool ksda_i_plan_is_large(const ksda_i_plan_run *r);
/* Are vertices split at that weight, or would a split pay? Then few levels, and neighbours in several pieces, may be
 * far cheaper. */
bool ksda_i_plan_split_may_pay(const ksda_i_plan_run *r, double weight);
/* Is only the cheapest release kept, at the one weight that was asked for? */
bool ksda_i_plan_keeps_one(const ksda_i_plan_run *r);
/* What the cheapest release so far costs at that weight; INFINITY before there is one. */
double ksda_i_plan_cost_at(const ksda_i_plan_run *r, double weight);
/* Offer the cheapest release of the rounds, if there is any; its targets stay there. */
ksda_status ksda_i_plan_offer_rounds(ksda_i_plan_run *r);
/* The splits of the incumbent, which there must be. */
uint32_t ksda_i_plan_splits(const ksda_i_plan_run *r);
/* What every release costs at least, as far as is proved. */
double ksda_i_plan_proved(const ksda_i_plan_run *r);
/* Work for this network, where a small one gets so much. */
uint64_t ksda_i_plan_work(const ksda_i_plan_run *r, uint64_t small);

/* --- the stages --------------------------------------------------------------------------------------------------- */

/* Long ones, in fallback.c and share_search.c. */
ksda_status ksda_i_stage_fallback(ksda_i_plan_run *r);
uint64_t ksda_i_stage_share_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_share(ksda_i_plan_run *r);
ksda_status ksda_i_stage_share_bound(ksda_i_plan_run *r);
/* What is known where no release within the share was found: always KSDA_NOT_FOUND. */
ksda_status ksda_i_share_give_up(const ksda_i_plan_run *r);
/* Is the network so large that a linear program would take longer than the plan? */
bool ksda_i_share_is_large(const ksda_i_plan_run *r);
/* Of a community: members, published vertices at most, and whether oddly many of them have an odd degree. */
typedef struct ksda_i_parity_range {
    uint64_t members, most;
    unsigned odd; /* 1 or 0 */
} ksda_i_parity_range;
/* Are there numbers of vertices of odd and of even degree for each community with which none has more than the share of
 * either? True as well where there are too many to look at. Time O(communities * most^2). */
bool ksda_i_share_parity_allows(ksda_share share, uint32_t communities, const ksda_i_parity_range *x);
/* Does parity forbid a release in which every edge between communities is there once? */
bool ksda_i_share_parity_forbids(const ksda_i_plan_run *r);

/* Offer releases within the share that have nearly everybody at one degree, those with the fewest splits. slack: [n] by
 * vertex, edges that it could gain. */
ksda_status ksda_i_share_even(ksda_i_plan_run *r, const uint32_t *slack);
/* The level program, in stage_program.c: it may begin before its stage, and is dropped where nobody asks for it. */
bool ksda_i_stage_edges_are_unproved(const ksda_i_plan_run *r);
bool ksda_i_stage_has_level_splits(const ksda_i_plan_run *r);
bool ksda_i_stage_splits_are_next(const ksda_i_plan_run *r);
uint64_t ksda_i_stage_level_splits_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_level_splits(ksda_i_plan_run *r);
bool ksda_i_stage_splits_are_unproved(const ksda_i_plan_run *r);
uint64_t ksda_i_stage_splits_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_splits_program(ksda_i_plan_run *r);
void ksda_i_level_program_begin(ksda_i_plan_run *r);
ksda_status ksda_i_stage_level_program(ksda_i_plan_run *r);
void ksda_i_level_program_drop(ksda_i_plan_run *r);

/* Short ones, in stages.c: when they apply, their budgets, what they do. */
ksda_status ksda_i_stage_rounds(ksda_i_plan_run *r);
uint64_t ksda_i_stage_rounds_budget(const ksda_i_plan_run *r);
bool ksda_i_stage_lifts_are_cheap(const ksda_i_plan_run *r);
uint64_t ksda_i_stage_lifts_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_lifts(ksda_i_plan_run *r);
bool ksda_i_stage_nothing_found(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_heuristics(ksda_i_plan_run *r);
bool ksda_i_stage_heuristics_would_differ(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_heuristics_as_asked(ksda_i_plan_run *r);
bool ksda_i_stage_split_may_pay(const ksda_i_plan_run *r);
bool ksda_i_stage_hubs_come_first(const ksda_i_plan_run *r);
bool ksda_i_stage_hubs_are_left(const ksda_i_plan_run *r);
uint64_t ksda_i_stage_capped_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_capped(ksda_i_plan_run *r);
uint64_t ksda_i_stage_levelset_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_level_sets(ksda_i_plan_run *r);
bool ksda_i_stage_small_enough_for_all(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_all_sets_of_edges(ksda_i_plan_run *r);
bool ksda_i_stage_small_enough_for_drafts(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_sketch_bound(ksda_i_plan_run *r);
bool ksda_i_stage_edges_may_be_spared(const ksda_i_plan_run *r);
uint64_t ksda_i_stage_anneal_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_anneal(ksda_i_plan_run *r);
bool ksda_i_stage_something_found(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_rewire(ksda_i_plan_run *r);
bool ksda_i_stage_plausible_was_asked_for(const ksda_i_plan_run *r);
uint64_t ksda_i_stage_plausible_budget(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_plausible(ksda_i_plan_run *r);
bool ksda_i_stage_bound_is_low(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_lagrangian_bound(ksda_i_plan_run *r);
ksda_status ksda_i_stage_column_generation(ksda_i_plan_run *r);
bool ksda_i_stage_longer_was_asked_for(const ksda_i_plan_run *r);
ksda_status ksda_i_stage_exact_method(ksda_i_plan_run *r);

#endif
