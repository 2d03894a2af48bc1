/* The shorter stages of level-plan: when each applies, what it may cost and what it does. */
#include "methods/levelplan/stages.h"

#include "methods/levelplan/anneal.h"
#include "methods/levelplan/capped.h"
#include "methods/levelplan/draft.h"
#include "methods/levelplan/levelset.h"
#include "methods/levelplan/rewire.h"
#include "methods/levelplan/rivals.h"

#include <math.h>

/* --- rounds of planning, and the fallback ------------------------------------------------------------------------- */

uint64_t ksda_i_stage_rounds_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_ROUNDS_WORK);
}

ksda_status ksda_i_stage_rounds(ksda_i_plan_run *r) {
    ksda_status status = ksda_i_rounds_search(&r->rounds, UINT32_MAX), offered = ksda_i_plan_offer_rounds(r);
    return status < 0 ? status : offered;
}

bool ksda_i_stage_nothing_found(const ksda_i_plan_run *r) {
    return !r->best;
}

/* --- the paper's heuristics --------------------------------------------------------------------------------------- */

/* They may by chance do better. */
ksda_status ksda_i_stage_heuristics(ksda_i_plan_run *r) {
    for (uint32_t i = 0; i < KSDA_I_RIVALS; i++) {
        ksda_edits *edits;
        if (r->best && !r->fallback && ksda_i_plan_late_now(r)) break; /* any of them beats the fallback */
        ksda_status status = ksda_i_rival(r->ctx, r->graph, r->communities, r->options, i, r->cost, &edits);
        if (status < 0) return status;
        if (edits) ksda_i_plan_offer(r, edits);
    }
    return KSDA_OK;
}

/* --- hubs first, and level sets ------------------------------------------------------------------------------------
 */

/* Few levels, and neighbours in several pieces, may be far cheaper where vertices are split or a split would pay. */
bool ksda_i_stage_split_may_pay(const ksda_i_plan_run *r) {
    return !r->best || ksda_i_plan_splits(r) > 0 || r->options->split_weight < r->cost;
}

uint64_t ksda_i_stage_capped_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_CAPPED_WORK);
}

/* Hubs cut beforehand, where the plan could not carry them all. */
ksda_status ksda_i_stage_capped(ksda_i_plan_run *r) {
    ksda_edits *edits = NULL;
    ksda_status status = ksda_i_capped(r->ctx, r->graph, r->communities, r->options, r->cost, &edits);
    if (status >= 0 && edits) ksda_i_plan_offer(r, edits);
    return status;
}

uint64_t ksda_i_stage_levelset_budget(const ksda_i_plan_run *r) {
    uint32_t splits = r->best ? ksda_i_plan_splits(r) : KSDA_I_LEVELSET_SPLITS;
    uint64_t more = KSDA_I_LEVELSET_SPLIT_WORK * (splits < KSDA_I_LEVELSET_SPLITS ? splits : KSDA_I_LEVELSET_SPLITS);
    return KSDA_I_LEVELSET_WORK + more;
}

ksda_status ksda_i_stage_level_sets(ksda_i_plan_run *r) {
    ksda_edits *edits = NULL;
    double cost;
    ksda_status status =
        ksda_i_levelset_levels(r->ctx, r->graph, r->communities, r->options->k, r->options->split_weight, r->cost,
                               r->rounds.pieces.target, r->rounds.pieces.count, &edits, &cost);
    if (status < 0 || !edits) return status;
    ksda_i_plan_offer(r, edits);
    ksda_i_plan_late_now(r);
    return KSDA_OK;
}

/* --- all sets of edges -------------------------------------------------------------------------------------------- */

bool ksda_i_stage_small_enough_for_all(const ksda_i_plan_run *r) {
    return r->graph->n <= KSDA_I_EXHAUSTIVE_VERTICES;
}

/* On very small networks all sets of edges can be tried, up to the size where splitting or the edges found are cheaper.
 */
ksda_status ksda_i_stage_all_sets_of_edges(ksda_i_plan_run *r) {
    ksda_status status;
    ksda_pair *edge = NULL;
    ksda_edits *edits = NULL;
    uint32_t found, least;
    KSDA_I_TRY(ksda_i_exhaustive_search(r->ctx, r->graph, r->communities, r->options->k, r->options->max_share,
                                        KSDA_I_EXHAUSTIVE_STEPS, r->cost < 65536 ? (uint32_t)ceil(r->cost) : 65536,
                                        &edge, &found, &least));
    if (found != UINT32_MAX && found < r->cost) {
        KSDA_I_TRY(ksda_edits_new(r->ctx, r->graph, &edits));
        for (uint32_t i = 0; i < found; i++) KSDA_I_TRY(ksda_edits_add_edge(r->ctx, edits, edge[i].u, edge[i].v));
        ksda_i_plan_offer(r, edits);
        edits = NULL;
    }
    if (least > r->proof.unsplit) r->proof.unsplit = least == UINT32_MAX ? INFINITY : least;
done:
    ksda_edits_free(r->ctx, edits);
    ksda_i_free(r->ctx, edge);
    return status;
}

/* --- small changes ------------------------------------------------------------------------------------------------ */

static ksda_status raise_bound(ksda_i_plan_run *r, uint64_t work) {
    return ksda_i_proof_begin(r->ctx, r->graph, &r->rounds.lists, r->options->k, r->options->split_weight, r->cost,
                              work, &r->proof);
}

bool ksda_i_stage_small_enough_for_drafts(const ksda_i_plan_run *r) {
    return r->best && ksda_edits_pieces(r->best) <= KSDA_I_DRAFT_PIECES;
}

/* A first bound, which says where annealing can end. */
ksda_status ksda_i_stage_sketch_bound(ksda_i_plan_run *r) {
    return raise_bound(r, KSDA_I_SKETCH_WORK);
}

bool ksda_i_stage_edges_may_be_spared(const ksda_i_plan_run *r) {
    return ksda_i_stage_small_enough_for_drafts(r) && r->cost > ksda_i_plan_proved(r);
}

uint64_t ksda_i_stage_anneal_budget(const ksda_i_plan_run *r) {
    (void)r;
    return KSDA_I_ANNEAL_WORK;
}

ksda_status ksda_i_stage_anneal(ksda_i_plan_run *r) {
    ksda_edits *edits = NULL;
    uint64_t enough = ksda_i_least_edges(ksda_i_plan_proved(r), r->options->split_weight, ksda_i_plan_splits(r));
    ksda_status status =
        ksda_i_anneal(r->ctx, r->graph, r->communities, r->options->k, r->options->max_share, r->best, enough, &edits);
    if (status >= 0 && edits) ksda_i_plan_offer(r, edits);
    return status;
}

bool ksda_i_stage_something_found(const ksda_i_plan_run *r) {
    return r->best != NULL;
}

uint64_t ksda_i_stage_rewire_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_REWIRE_WORK);
}

/* Among the releases of this cost, one whose measures are nearer to the original's: the incumbent itself is changed. */
ksda_status ksda_i_stage_rewire(ksda_i_plan_run *r) {
    return ksda_i_rewire(r->ctx, r->graph, r->communities, r->options->favour, r->best);
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

bool ksda_i_stage_bound_is_low(const ksda_i_plan_run *r) {
    return ksda_i_plan_proved(r) < ksda_i_proof_enough(&r->proof, r->options->split_weight, r->cost);
}

ksda_status ksda_i_stage_lagrangian_bound(ksda_i_plan_run *r) {
    return raise_bound(r, r->proof_work / 2);
}

ksda_status ksda_i_stage_column_generation(ksda_i_plan_run *r) {
    bool one_of_many = r->hooks->runner_up && r->options->bound_seconds <= 0;
    ksda_status status = ksda_i_proof_together(r->ctx, &r->rounds.lists, r->options->k, r->options->split_weight,
                                               r->cost, ksda_i_plan_splits(r), one_of_many, &r->proof);
    if (status >= 0 && ksda_i_plan_proved(r) < r->cost) ksda_i_plan_late_now(r); /* more time would prove more */
    return status;
}

bool ksda_i_stage_longer_was_asked_for(const ksda_i_plan_run *r) {
    return r->hooks->longer && r->options->bound_seconds > 0 && ksda_i_plan_proved(r) < r->cost;
}

/* Let the exact method go on from here for as long as was allowed: it raises the bound, and may find fewer edges. */
ksda_status ksda_i_stage_exact_method(ksda_i_plan_run *r) {
    ksda_edits *better = NULL;
    ksda_status status = r->hooks->longer(r->ctx, &r->rounds.lists, r->options, r->best, r->cost, &r->proof, &better);
    if (better && ksda_i_plan_see(r, better) < r->cost) {
        ksda_i_plan_offer(r, better);
        uint64_t around = ksda_i_work_begin(r->ctx, ksda_i_stage_rewire_budget(r));
        status = ksda_i_stage_rewire(r);
        ksda_i_work_finish(r->ctx, around);
    } else {
        ksda_edits_free(r->ctx, better);
    }
    return status;
}
