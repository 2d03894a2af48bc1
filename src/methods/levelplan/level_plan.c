/* level-plan: plan target degrees from the degrees of each community alone, then find the edges inside each community.
 *
 * Guarantee: every release it returns is k-structurally diverse, and it always finds one on a graph without isolated
 * vertices, for every k up to the number of communities. With every run comes a proved lower bound on the cost.
 *
 * This file drives the stages, which stand in two tables: those that look for releases, and those that prove what every
 * release costs. limits.h says up to which size each runs and how much work it may do. The work follows from the size
 * of the network and not from the clock, so a run can be repeated, unless a time limit stops it: a first release is
 * always waited for, and the best when the time is over is handed over. docs/level-plan.md has the rest. */
#include "methods/levelplan/disjoint.h"
#include "methods/levelplan/stages.h"
#include "graph/edits.h"
#include "privacy/census.h"

#include <math.h>

#define SEARCH_SEED 1u

/* --- the driver --------------------------------------------------------------------------------------------------- */

static const ksda_i_plan_stage search_stages[] = {
    {"rounds", NULL, ksda_i_stage_rounds_budget, ksda_i_stage_rounds, KSDA_I_LATE_RUN},
    {"members out of turn", ksda_i_stage_lifts_are_cheap, ksda_i_stage_lifts_budget, ksda_i_stage_lifts,
     KSDA_I_LATE_SKIP},
    {"split fallback", ksda_i_stage_nothing_found, NULL, ksda_i_stage_fallback, KSDA_I_LATE_RUN},
    {"the paper's heuristics", NULL, NULL, ksda_i_stage_heuristics, KSDA_I_LATE_FALLBACK},
    {"hubs first", ksda_i_stage_hubs_come_first, ksda_i_stage_capped_budget, ksda_i_stage_capped, KSDA_I_LATE_SKIP},
    {"level sets", ksda_i_stage_split_may_pay, ksda_i_stage_levelset_budget, ksda_i_stage_level_sets, KSDA_I_LATE_SKIP},
    {"hubs first", ksda_i_stage_hubs_are_left, ksda_i_stage_capped_budget, ksda_i_stage_capped, KSDA_I_LATE_SKIP},
    {"all sets of edges", ksda_i_stage_small_enough_for_all, NULL, ksda_i_stage_all_sets_of_edges, KSDA_I_LATE_SKIP},
    {"first bound", ksda_i_stage_small_enough_for_drafts, NULL, ksda_i_stage_sketch_bound, KSDA_I_LATE_SKIP},
    {"annealing", ksda_i_stage_edges_may_be_spared, ksda_i_stage_anneal_budget, ksda_i_stage_anneal, KSDA_I_LATE_SKIP},
    {"the paper's heuristics", ksda_i_stage_heuristics_would_differ, NULL, ksda_i_stage_heuristics_as_asked,
     KSDA_I_LATE_FALLBACK},
};

/* Where the release is known: what this stage proves is wanted again. */
static const ksda_i_plan_stage known_stages[] = {
    {"all sets of edges", ksda_i_stage_small_enough_for_all, NULL, ksda_i_stage_all_sets_of_edges, KSDA_I_LATE_SKIP},
};

static const ksda_i_plan_stage last_stages[] = {
    {"rewiring", ksda_i_stage_something_found, NULL, ksda_i_stage_rewire, KSDA_I_LATE_RUN},
};

static const ksda_i_plan_stage splits_stages[] = {
    {"splits needed", ksda_i_stage_splits_are_unproved, ksda_i_stage_splits_budget, ksda_i_stage_splits_program,
     KSDA_I_LATE_SKIP},
};

static const ksda_i_plan_stage proof_stages[] = {
    {"Lagrangian bound", ksda_i_stage_bound_is_low, NULL, ksda_i_stage_lagrangian_bound, KSDA_I_LATE_RUN},
};

/* Has work of its own. */
static const ksda_i_plan_stage level_stages[] = {
    {"level program with splits", ksda_i_stage_splits_are_next, ksda_i_stage_level_splits_budget,
     ksda_i_stage_level_splits, KSDA_I_LATE_SKIP},
};

static const ksda_i_plan_stage together_stages[] = {
    {"column generation", NULL, NULL, ksda_i_stage_column_generation, KSDA_I_LATE_RUN},
};

/* With a share bound. What plans, splits or searches by communities alone has no place here; what asks the census
 * has, and so have bounds on releases that are diverse, as these are. */
static const ksda_i_plan_stage share_stages[] = {
    {"share plan", NULL, ksda_i_stage_share_budget, ksda_i_stage_share, KSDA_I_LATE_RUN},
    {"all sets of edges", ksda_i_stage_small_enough_for_all, NULL, ksda_i_stage_all_sets_of_edges, KSDA_I_LATE_SKIP},
    {"annealing", ksda_i_stage_edges_may_be_spared, ksda_i_stage_anneal_budget, ksda_i_stage_anneal, KSDA_I_LATE_SKIP},
};

static const ksda_i_plan_stage share_proof_stages[] = {
    {"column generation", NULL, NULL, ksda_i_stage_column_generation, KSDA_I_LATE_RUN},
    {"share bound", NULL, NULL, ksda_i_stage_share_bound, KSDA_I_LATE_RUN},
};

static const ksda_i_plan_stage edge_stages[] = {
    {"level program", ksda_i_stage_edges_are_unproved, NULL, ksda_i_stage_level_program, KSDA_I_LATE_SKIP},
};

static const ksda_i_plan_stage longer_stages[] = {
    {"exact method", ksda_i_stage_longer_was_asked_for, NULL, ksda_i_stage_exact_method, KSDA_I_LATE_SKIP},
};

/* When all else is done: it spends edges that the search has saved. */
static const ksda_i_plan_stage costly_stages[] = {
    {"plausible edges", ksda_i_stage_plausible_was_asked_for, ksda_i_stage_plausible_budget, ksda_i_stage_plausible,
     KSDA_I_LATE_SKIP},
};

static bool too_late(ksda_i_plan_run *r, const ksda_i_plan_stage *stage) {
    if (stage->late == KSDA_I_LATE_RUN || !r->best || !ksda_i_plan_late_now(r)) return false;
    return stage->late == KSDA_I_LATE_SKIP || !r->fallback;
}

/* A stage that was stopped counts for nothing where there is a release to hand over. */
static ksda_status run_stage(ksda_i_plan_run *r, const ksda_i_plan_stage *stage) {
    if ((stage->applies && !stage->applies(r)) || too_late(r, stage)) return KSDA_OK;
    uint64_t work_around = ksda_i_work_begin(r->ctx, stage->budget ? stage->budget(r) : UINT64_MAX);
    const char *stage_around = ksda_i_stage_begin(r->ctx, stage->name);
    ksda_status status = stage->run(r);
    ksda_i_stage_finish(r->ctx, stage_around);
    ksda_i_work_finish(r->ctx, work_around);
    if (!r->best || !ksda_i_cut_short(r->ctx, status)) return status;
    r->limited = true;
    return KSDA_OK;
}

#define RUN_STAGES(run, stages) run_stages(run, stages, sizeof(stages) / sizeof *(stages))
static ksda_status run_stages(ksda_i_plan_run *r, const ksda_i_plan_stage *stage, size_t count) {
    ksda_status status = KSDA_OK;
    for (size_t i = 0; i < count && status >= 0; i++) status = run_stage(r, &stage[i]);
    return status;
}

/* The splits of every release, by degrees out of reach and by what all of them cost. */
static uint64_t least_splits(const ksda_i_plan_run *r) {
    uint32_t paid = ksda_i_splits_by_cost(&r->rounds.lists, r->options->split_weight, ksda_i_plan_proved(r));
    return paid > r->proof.needed ? paid : r->proof.needed;
}

/* What is known of every release, once the release to hand over is found, in at most as much time as finding it took.
 */
static ksda_status prove_bound(ksda_i_plan_run *r, ksda_anonymize_result *result) {
    uint64_t searched = (ksda_i_work_done(r->ctx) - r->work_begun) / 10 * KSDA_I_PROOF_TENTHS;
    r->proof_work = searched < KSDA_I_PROOF_LEAST  ? KSDA_I_PROOF_LEAST
                    : searched < KSDA_I_PROOF_MOST ? searched
                                                   : KSDA_I_PROOF_MOST;
    bool share = r->options->max_share.denominator > 0;
    ksda_status status = share ? KSDA_OK : RUN_STAGES(r, splits_stages);
    if (status < 0) return status;
    uint64_t around = ksda_i_work_begin(r->ctx, r->proof_work);
    status = RUN_STAGES(r, proof_stages);
    uint64_t left = (uint64_t)ksda_i_work_left(r->ctx);
    ksda_i_work_finish(r->ctx, around);
    if (status >= 0 && !share) status = RUN_STAGES(r, level_stages);
    around = ksda_i_work_begin(r->ctx, left);
    if (status >= 0) status = share ? RUN_STAGES(r, share_proof_stages) : RUN_STAGES(r, together_stages);
    ksda_i_work_finish(r->ctx, around);
    if (status >= 0 && !share) status = RUN_STAGES(r, edge_stages);
    ksda_i_level_program_drop(r);
    if (status >= 0 && !share) status = RUN_STAGES(r, longer_stages);
    if (status < 0) return status;
    ksda_i_plan_see(r, r->best);
    status = ksda_i_proof_check(r->ctx, &r->proof);
    if (status < 0) return status;
    result->lower_bound = ksda_i_plan_proved(r);
    result->least_added_vertices = least_splits(r);
    status = ksda_i_bound_check(r->ctx, (double)result->least_added_vertices, r->pool.release[0].splits);
    if (status < 0) return status;
    if (ksda_i_plan_splits(r) == 0 && r->proof.unsplit < 0x1p53)
        result->least_added_edges = (uint64_t)ceil(r->proof.unsplit);
    return KSDA_OK;
}

/* Only vertices without edges can be to blame. One that is alone in its community stays at degree 0: then k communities
 * must have such vertices for ever, and if they cannot, that is a proof. */
static ksda_status give_up(ksda_i_plan_run *r) {
    const ksda_i_ranks *l = &r->rounds.lists;
    uint32_t with = 0, stuck = KSDA_NO_VERTEX, any = 0;
    char name[64];
    if (r->options->max_share.denominator) return ksda_i_share_give_up(r);
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t last = l->start[c + 1] - 1;
        if (l->degree[last] > 0) continue;
        with++, any = l->vertex[last];
        if (l->start[c + 1] - l->start[c] == 1) stuck = l->vertex[last];
    }
    ksda_graph_name(r->graph, stuck != KSDA_NO_VERTEX ? stuck : any, name, sizeof name);
    if (stuck != KSDA_NO_VERTEX && with < r->options->k)
        return ksda_i_error(
            r->ctx, KSDA_INFEASIBLE,
            "vertex %s has no edge and is alone in its community, so it keeps degree 0; only %u communities have "
            "vertices without edges, and k is %u",
            name, with, r->options->k);
    return ksda_i_error(r->ctx, KSDA_NOT_FOUND, "level-plan found no place for vertex %s, which has no edge", name);
}

static ksda_status offer_to_run(void *payload, ksda_edits *edits) {
    return ksda_i_plan_offer(payload, edits);
}

/* A release that is known, or one that is searched for; the seed does not steer the search, so that no other seed finds
 * something cheaper. */
static ksda_status search(ksda_i_plan_run *r) {
    bool share = r->options->max_share.denominator > 0;
    ksda_edits *found = NULL;
    ksda_status status = ksda_i_rounds_open(r->ctx, r->graph, r->communities, r->options, &r->rounds);
    if (status < 0) return status;
    r->rounds.pass = offer_to_run, r->rounds.payload = r;
    ksda_i_plan_choose_weights(r);
    if (r->hooks->found) {
        status = ksda_i_edits_copy(r->ctx, r->hooks->found, &found);
        if (status >= 0) status = ksda_i_plan_offer(r, found);
        if (status >= 0) status = RUN_STAGES(r, known_stages);
    } else {
        r->ctx->seed = SEARCH_SEED;
        status = share ? RUN_STAGES(r, share_stages) : RUN_STAGES(r, search_stages);
        r->ctx->seed = r->seed;
    }
    if (status >= 0 && !r->hooks->search_only) status = RUN_STAGES(r, last_stages);
    return status >= 0 && !r->best ? give_up(r) : status;
}

ksda_status ksda_i_level_plan_with(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const ksda_anonymize_options *options, const ksda_i_plan_hooks *hooks,
                                   ksda_edits **out, ksda_anonymize_result *result) {
    if (communities->sets) return ksda_i_level_plan_disjoint(ctx, graph, communities, options, hooks, out, result);
    double begun = ksda_i_now();
    ksda_anonymize_options full = *options;
    uint32_t implied = ksda_i_share_communities(options->max_share);
    bool plausible = full.favour == KSDA_FAVOUR_PLAUSIBLE;
    if (full.k < implied) full.k = implied;
    if (plausible) full.favour = KSDA_FAVOUR_BALANCED; /* until the last stage the release is the default's */
    ksda_i_plan_run r = {.ctx = ctx,
                         .graph = graph,
                         .communities = communities,
                         .options = &full,
                         .hooks = hooks,
                         .cost = INFINITY,
                         .seed = ctx->seed,
                         .plausible = plausible,
                         .work_begun = ksda_i_work_done(ctx)};
    ksda_status status = search(&r);
    result->search_seconds = ksda_i_now() - begun;
    if (status >= 0 && !options->no_proof && !hooks->search_only) status = prove_bound(&r, result);
    result->proof_seconds = ksda_i_now() - begun - result->search_seconds;
    if (status >= 0 && !hooks->search_only) status = RUN_STAGES(&r, costly_stages);
    result->search_seconds = ksda_i_now() - begun - result->proof_seconds;
    ksda_i_rounds_close(&r.rounds);
    *out = status < 0 ? NULL : ksda_i_plan_hand_over(&r);
    ksda_i_pool_clear(ctx, &r.pool);
    return status < 0 ? status : r.limited ? KSDA_LIMIT : KSDA_OK;
}

KSDA_I_METHOD(level_plan) {
    const ksda_i_plan_hooks none = {0};
    return ksda_i_level_plan_with(ctx, graph, communities, options, &none, out, result);
}
