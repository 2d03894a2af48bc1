/* The shorter stages of level-plan: when each applies, what it may cost and what it does. */
#include "methods/levelplan/stages.h"

#include "bound/lagrangian.h"
#include "methods/levelplan/anneal.h"
#include "methods/levelplan/capped.h"
#include "methods/levelplan/draft.h"
#include "methods/levelplan/levelset.h"
#include "methods/levelplan/plausible.h"
#include "methods/levelplan/rewire.h"
#include "methods/levelplan/rivals.h"

#include <math.h>

/* --- rounds of planning, and the fallback ------------------------------------------------------------------------- */

uint64_t ksda_i_stage_rounds_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_ROUNDS_WORK);
}

/* Of the work a third, or all that there is, is for the first weight, and the others share the rest. */
static uint64_t begin_share(const ksda_i_plan_run *r, uint64_t all, uint32_t weight) {
    uint64_t first = r->plans > 1 ? all / 3 : all;
    return ksda_i_work_begin(r->ctx, weight == 0 ? first : (all - first) / (r->plans - 1));
}

static ksda_status rounds_with(ksda_i_plan_run *r, uint32_t weight) {
    ksda_i_rounds_again(&r->rounds, ksda_i_plan_with(r, r->weight[weight]));
    uint64_t around = begin_share(r, ksda_i_stage_rounds_budget(r), weight);
    ksda_status status = ksda_i_rounds_search(&r->rounds, UINT32_MAX);
    ksda_i_work_finish(r->ctx, around);
    ksda_status offered = ksda_i_plan_offer_rounds(r);
    return status < 0 ? status : offered;
}

/* Where no plan is complete with the first weight, none is with the others. */
ksda_status ksda_i_stage_rounds(ksda_i_plan_run *r) {
    ksda_status status = rounds_with(r, 0);
    r->placed = r->best != NULL;
    for (uint32_t i = 1; i < r->plans && status >= 0 && r->best; i++)
        if (!ksda_i_work_over(r->ctx) && !ksda_i_plan_late_now(r)) status = rounds_with(r, i);
    return status;
}

bool ksda_i_stage_nothing_found(const ksda_i_plan_run *r) {
    return !r->best;
}

/* --- the paper's heuristics --------------------------------------------------------------------------------------- */

/* They may by chance do better, at the smallest weight at least. */
static ksda_status ask_heuristics(ksda_i_plan_run *r, uint64_t with) {
    double least = r->weight[0];
    ksda_status status = KSDA_OK;
    uint64_t seed = r->ctx->seed;
    r->ctx->seed = with;
    for (uint32_t i = 1; i < r->plans; i++) least = fmin(least, r->weight[i]);
    for (uint32_t i = 0; i < KSDA_I_RIVALS && status >= 0; i++) {
        ksda_edits *edits;
        if (r->best && !r->fallback && ksda_i_plan_late_now(r)) break; /* any of them beats the fallback */
        status = ksda_i_rival(r->ctx, r->graph, r->communities, ksda_i_plan_with(r, least), i,
                              ksda_i_plan_cost_at(r, least), &edits);
        if (status >= 0 && edits) status = ksda_i_plan_offer(r, edits);
    }
    r->ctx->seed = seed;
    return status;
}

/* Sets of levels begin where these end: what they draw must not steer the search. */
ksda_status ksda_i_stage_heuristics(ksda_i_plan_run *r) {
    return ask_heuristics(r, r->graph->n > KSDA_I_LEVELSET_VERTICES ? r->seed : r->ctx->seed);
}

bool ksda_i_stage_heuristics_would_differ(const ksda_i_plan_run *r) {
    return r->graph->n <= KSDA_I_LEVELSET_VERTICES && r->seed != r->ctx->seed;
}

/* Now they do as they would if they were asked for. */
ksda_status ksda_i_stage_heuristics_as_asked(ksda_i_plan_run *r) {
    return ask_heuristics(r, r->seed);
}

/* --- hubs first, and level sets ------------------------------------------------------------------------------------
 */

/* Few levels, and neighbours in several pieces, may be far cheaper where vertices are split or a split would pay. */
static bool split_may_pay_at(const ksda_i_plan_run *r, double weight) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&r->pool, weight);
    return !best || best->splits > 0 || weight < ksda_i_pool_cost(best, weight);
}

bool ksda_i_stage_split_may_pay(const ksda_i_plan_run *r) {
    for (uint32_t i = 0; i < r->plans; i++)
        if (split_may_pay_at(r, r->weight[i])) return true;
    return false;
}

/* On large networks few sets of levels can be searched, */
static bool is_large(const ksda_i_plan_run *r) {
    return r->graph->n + r->graph->m > KSDA_I_HUBS_SIZE;
}

/* and they begin with what is found here. */
bool ksda_i_stage_hubs_come_first(const ksda_i_plan_run *r) {
    return is_large(r) && ksda_i_stage_split_may_pay(r);
}

/* On others: where the plan could not carry them all, and nobody has searched sets of levels, or found any that holds.
 */
bool ksda_i_stage_hubs_are_left(const ksda_i_plan_run *r) {
    return ksda_i_stage_split_may_pay(r) && !ksda_i_stage_hubs_come_first(r) &&
           (!r->placed || r->graph->n > KSDA_I_LEVELSET_VERTICES);
}

uint64_t ksda_i_stage_capped_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_CAPPED_WORK);
}

/* Hubs cut beforehand. */
static ksda_status capped_with(ksda_i_plan_run *r, uint32_t number) {
    ksda_edits *edits = NULL;
    double weight = r->weight[number], below = ksda_i_plan_cost_at(r, weight);
    uint64_t around = begin_share(r, ksda_i_stage_capped_budget(r), number);
    ksda_status status = ksda_i_capped(r->ctx, r->graph, r->communities, ksda_i_plan_with(r, weight), below, &edits);
    ksda_i_work_finish(r->ctx, around);
    return status >= 0 && edits ? ksda_i_plan_offer(r, edits) : status;
}

ksda_status ksda_i_stage_capped(ksda_i_plan_run *r) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < r->plans && status >= 0; i++)
        if (split_may_pay_at(r, r->weight[i]) && !ksda_i_work_over(r->ctx)) status = capped_with(r, i);
    return status;
}

/* More where more vertices must be split, as far as is known. */
uint64_t ksda_i_stage_levelset_budget(const ksda_i_plan_run *r) {
    uint32_t splits = r->pool.count ? r->pool.release[0].splits : KSDA_I_LEVELSET_SPLITS;
    uint64_t more = KSDA_I_LEVELSET_SPLIT_WORK * (splits < KSDA_I_LEVELSET_SPLITS ? splits : KSDA_I_LEVELSET_SPLITS);
    return is_large(r) ? (KSDA_I_LEVELSET_WORK + more) * KSDA_I_LEVELSET_LARGE : KSDA_I_LEVELSET_WORK + more;
}

static ksda_status offer_placed(void *payload, ksda_edits *edits) {
    ksda_i_plan_run *r = payload;
    r->placed = true;
    return ksda_i_plan_offer(r, edits);
}

/* A search for sets of levels, one of many. */
typedef struct level_search {
    double weight;
    uint32_t more; /* than k communities have every degree: what holds for a larger k holds for k */
    uint32_t pass, number;
    uint64_t work;
} level_search;

/* From the levels of the cheapest release at that weight. */
static ksda_status search_levels(ksda_i_plan_run *r, const level_search *x) {
    ksda_status status = KSDA_OK;
    const ksda_i_pool_release *known = ksda_i_pool_cheapest(&r->pool, x->weight);
    uint32_t count = known ? ksda_edits_pieces(known->edits) : 0;
    ksda_graph *release = NULL;
    uint32_t *degree = ksda_i_malloc(r->ctx, count + 1, sizeof *degree);
    uint64_t around = ksda_i_work_begin(r->ctx, x->work);
    if (!degree) return KSDA_NOMEM;
    if (known) KSDA_I_TRY(ksda_edits_apply(r->ctx, known->edits, &release));
    for (uint32_t i = 0; i < count; i++) degree[i] = ksda_i_degree(release, i);
    const ksda_i_levelset_task task = {.k = r->options->k + x->more,
                                       .split_weight = x->weight,
                                       .below = known ? ksda_i_pool_cost(known, x->weight) : INFINITY,
                                       .known = degree,
                                       .count = count,
                                       .pass = x->pass,
                                       .number = x->number,
                                       .offer = offer_placed,
                                       .payload = r};
    KSDA_I_TRY(ksda_i_levelset_search(r->ctx, r->graph, r->communities, &task));
done:
    ksda_i_work_finish(r->ctx, around);
    ksda_graph_free(r->ctx, release);
    ksda_i_free(r->ctx, degree);
    return status;
}

/* It sinks when something cheaper is found at any weight. */
static double sum_of_costs(const ksda_i_plan_run *r) {
    double sum = 0;
    for (uint32_t i = 0; i < r->weights; i++) sum += ksda_i_plan_cost_at(r, r->weight[i]);
    return sum;
}

/* With every weight, in turn. A huge one hides what edges cost from those who change sets. */
static ksda_status search_levels_with_all(ksda_i_plan_run *r, uint32_t pass, uint32_t more, uint64_t part) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < r->weights; i++) {
        double dearest = pass > 0 ? KSDA_I_LEVELSET_DEAREST : INFINITY;
        const level_search x = {.weight = fmin(r->weight[i], dearest),
                                .more = more,
                                .pass = pass,
                                .number = pass * KSDA_I_WEIGHTS + i,
                                .work = pass == 0 && i == 0 && !more ? 2 * part : part};
        if (!split_may_pay_at(r, r->weight[i]) || ksda_i_work_over(r->ctx)) continue;
        if (r->best && ksda_i_plan_late_now(r)) break;
        KSDA_I_TRY(search_levels(r, &x));
    }
done:
    return status;
}

/* Sets of levels from scratch, for a part of the work, most of it for the first weight. Then again and again changes of
 * what is the cheapest at each weight, whichever weight has led to it, until two rounds over all weights have led to
 * nothing; every fourth round and a further start look for a release for k + 1, so that this one is not beaten by it.
 */
ksda_status ksda_i_stage_level_sets(ksda_i_plan_run *r) {
    uint64_t all = ksda_i_stage_levelset_budget(r), scratch = is_large(r) ? 100 : KSDA_I_LEVELSET_SCRATCH,
             part = all * scratch / 100 / (r->weights + 1);
    bool larger = r->options->k < r->communities->count;
    ksda_status status = search_levels_with_all(r, 0, 0, part);
    if (status >= 0 && larger) status = search_levels_with_all(r, 0, 1, part / 4);
    for (uint32_t pass = 1, idle = 0; pass < KSDA_I_LEVELSET_PASSES && status >= 0; pass++) {
        double before = sum_of_costs(r);
        if (idle == KSDA_I_LEVELSET_IDLE || ksda_i_work_over(r->ctx)) break;
        status = search_levels_with_all(r, pass, larger && pass % 4 == 0, all / (8 * r->weights));
        idle = sum_of_costs(r) < before ? 0 : idle + 1;
    }
    return status;
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
    double below = r->pool.count && !r->pool.release[0].splits ? (double)r->pool.release[0].added : INFINITY;
    KSDA_I_TRY(ksda_i_exhaustive_search(r->ctx, r->graph, r->communities, r->options->k, r->options->max_share,
                                        KSDA_I_EXHAUSTIVE_STEPS, below < 65536 ? (uint32_t)ceil(below) : 65536, &edge,
                                        &found, &least));
    if (found != UINT32_MAX) {
        KSDA_I_TRY(ksda_edits_new(r->ctx, r->graph, &edits));
        for (uint32_t i = 0; i < found; i++) KSDA_I_TRY(ksda_edits_add_edge(r->ctx, edits, edge[i].u, edge[i].v));
        status = ksda_i_plan_offer(r, edits);
        edits = NULL;
        if (status < 0) goto done;
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

static ksda_status anneal_at(ksda_i_plan_run *r, double weight, uint64_t work) {
    const ksda_i_pool_release *x = ksda_i_pool_cheapest(&r->pool, weight);
    ksda_edits *edits = NULL;
    uint64_t enough = ksda_i_least_edges(ksda_i_plan_proved(r), r->options->split_weight, x->splits);
    uint64_t around = ksda_i_work_begin(r->ctx, work);
    ksda_status status =
        ksda_i_anneal(r->ctx, r->graph, r->communities, r->options->k, r->options->max_share, x->edits, enough, &edits);
    ksda_i_work_finish(r->ctx, around);
    return status >= 0 && edits ? ksda_i_plan_offer(r, edits) : status;
}

/* The releases that are the cheapest at one of the weights, each once. */
ksda_status ksda_i_stage_anneal(ksda_i_plan_run *r) {
    double weight[KSDA_I_WEIGHTS];
    uint32_t count = 0;
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < r->plans; i++) {
        const ksda_i_pool_release *x = ksda_i_pool_cheapest(&r->pool, r->weight[i]);
        bool again = false;
        for (uint32_t j = 0; j < count; j++) again |= ksda_i_pool_cheapest(&r->pool, weight[j]) == x;
        if (!again) weight[count++] = r->weight[i];
    }
    for (uint32_t i = 0; i < count && status >= 0 && !ksda_i_plan_late_now(r); i++)
        status = anneal_at(r, weight[i], KSDA_I_ANNEAL_WORK / count);
    return status;
}

bool ksda_i_stage_something_found(const ksda_i_plan_run *r) {
    return r->best != NULL;
}

/* Among the releases of this cost, one whose measures are nearer to the original's, and, unless single measures are
 * favoured, whose added edges are less conspicuous: the incumbent itself is changed. */
ksda_status ksda_i_stage_rewire(ksda_i_plan_run *r) {
    bool plausible = r->options->favour == KSDA_FAVOUR_BALANCED;
    const ksda_i_disguising disguising = {.rewire_work = ksda_i_plan_work(r, KSDA_I_REWIRE_WORK),
                                          .work = plausible ? ksda_i_plan_work(r, KSDA_I_DISGUISE_WORK) : 0,
                                          .k = r->options->k,
                                          .share = r->options->max_share};
    return ksda_i_rewire(r->ctx, r->graph, r->communities, r->options->favour, &disguising, r->best);
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

bool ksda_i_stage_bound_is_low(const ksda_i_plan_run *r) {
    return ksda_i_plan_proved(r) < ksda_i_proof_enough(&r->proof, r->options->split_weight, r->cost);
}

ksda_status ksda_i_stage_lagrangian_bound(ksda_i_plan_run *r) {
    return raise_bound(r, ksda_i_proof_begin_work(&r->rounds.lists, r->proof_work));
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
    if (status >= 0 && better && ksda_i_plan_see(r, better) < r->cost) {
        status = ksda_i_plan_offer(r, better);
        if (status < 0) return status;
        status = ksda_i_stage_rewire(r);
    } else {
        ksda_edits_free(r->ctx, better);
    }
    return status;
}

/* --- plausible edges ---------------------------------------------------------------------------------------------- */

bool ksda_i_stage_plausible_was_asked_for(const ksda_i_plan_run *r) {
    return r->best && r->plausible;
}

uint64_t ksda_i_stage_plausible_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_PLAUSIBLE_WORK);
}

/* The incumbent itself is changed; what it may cost more is not searched for by anybody, so nothing comes after it. */
ksda_status ksda_i_stage_plausible(ksda_i_plan_run *r) {
    uint64_t found = ksda_edits_added(r->best, NULL);
    uint64_t extra = (uint64_t)floor((double)found * r->options->plausible_cost / 100);
    double nearer;
    ksda_status status = ksda_i_plausible(r->ctx, r->graph, r->communities, r->options->k, r->options->max_share, extra,
                                          r->best, &nearer);
    r->cost = ksda_i_plan_see(r, r->best);
    return status;
}
