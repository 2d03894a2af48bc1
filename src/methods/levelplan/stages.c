/* The shorter stages of level-plan: when each applies, what it may cost and what it does. */
#include "methods/levelplan/stages.h"

#include "bound/lagrangian.h"
#include "methods/levelplan/abreast.h"
#include "methods/levelplan/anneal.h"
#include "methods/levelplan/capped.h"
#include "methods/levelplan/draft.h"
#include "methods/levelplan/lifts.h"
#include "methods/levelplan/plausible.h"
#include "methods/levelplan/rewire.h"
#include "methods/levelplan/rivals.h"

#include <math.h>

/* --- rounds of planning, and the fallback ------------------------------------------------------------------------- */

uint64_t ksda_i_stage_rounds_budget(const ksda_i_plan_run *r) {
    return ksda_i_plan_work(r, KSDA_I_ROUNDS_WORK);
}

/* Of the work a third, or all that there is, is for the first weight, and the others share the rest. */
static uint64_t share_of_weight(const ksda_i_plan_run *r, uint64_t all, uint32_t weight) {
    uint64_t first = r->plans > 1 ? all / 3 : all;
    return weight == 0 ? first : (all - first) / (r->plans - 1);
}

/* The rounds of one weight, beside those of the others. */
typedef struct weight_rounds {
    double weight;
    ksda_i_rounds *begun; /* to go on with, or NULL */
} weight_rounds;

static ksda_status search_rounds(ksda_i_abreast_search *s) {
    const weight_rounds *task = s->task;
    ksda_anonymize_options options = *s->run->options;
    ksda_i_rounds own, *rounds = task->begun ? task->begun : &own;
    ksda_status status = KSDA_OK, offered;
    options.split_weight = task->weight;
    if (!task->begun) status = ksda_i_rounds_fork(s->ctx, &s->run->rounds, &options, &own);
    rounds->ctx = s->ctx, rounds->options = &options, rounds->pass = ksda_i_abreast_offer, rounds->payload = s;
    if (status >= 0) status = ksda_i_rounds_search(rounds, UINT32_MAX);
    offered = ksda_i_rounds_offer(rounds);
    if (rounds->limited) s->limited = true;
    if (!task->begun) ksda_i_rounds_close(&own);
    return status < 0 ? status : offered;
}

/* Searches of which the first goes on with the run's own rounds. */
static ksda_status run_beside_rounds(ksda_i_plan_run *r, ksda_i_abreast_search *search, uint32_t count,
                                     ksda_status (*work)(ksda_i_abreast_search *s)) {
    ksda_i_rounds *rounds = &r->rounds, before = *rounds;
    ksda_status status = ksda_i_abreast_run(r, search, count, work);
    rounds->ctx = before.ctx, rounds->options = before.options;
    rounds->pass = before.pass, rounds->payload = before.payload;
    return status;
}

/* What is left of the work for the first weight. */
static uint64_t left_for_rounds(const ksda_i_plan_run *r) {
    uint64_t share = share_of_weight(r, ksda_i_stage_rounds_budget(r), 0);
    return share > r->rounds_work ? share - r->rounds_work : 0;
}

/* The weights after the first, those first with which plans do best: where splits are dear sets of levels find more. */
static void order_weights(const ksda_i_plan_run *r, double *weight) {
    for (uint32_t i = 1; i < r->plans; i++) {
        uint32_t at = i;
        double far = fabs(log(r->weight[i] / KSDA_I_ROUNDS_WEIGHT));
        for (; at > 1 && fabs(log(weight[at - 1] / KSDA_I_ROUNDS_WEIGHT)) > far; at--) weight[at] = weight[at - 1];
        weight[at] = r->weight[i];
    }
}

/* All weights, each with its share of the work, the second with two. As every search finishes a round, there are only
 * so many as can; where the first weight has come to no complete plan by now, only the second is tried. */
static ksda_status search_rounds_of_all(ksda_i_plan_run *r) {
    ksda_i_abreast_search search[KSDA_I_WEIGHTS] = {{0}};
    weight_rounds task[KSDA_I_WEIGHTS];
    double weight[KSDA_I_WEIGHTS] = {r->weight[0]};
    uint64_t all = ksda_i_stage_rounds_budget(r), each = r->rounds_work / r->rounds.round,
             rest = all - share_of_weight(r, all, 0);
    uint32_t most = r->placed || r->plans < 2 ? r->plans : 2, count = 0;
    order_weights(r, weight);
    for (uint32_t i = 0; i < most && (i == 0 || (i + 1) * each <= all); i++, count++) {
        task[i] = (weight_rounds){weight[i], i == 0 ? &r->rounds : NULL};
        search[i].task = &task[i];
        search[i].work = i > 0 ? (i == 1 ? 2 : 1) * (rest / r->plans) : left_for_rounds(r);
    }
    return run_beside_rounds(r, search, count, search_rounds);
}

/* Where one release is kept, the rounds after the first go on beside the heuristics. */
static bool goes_on_beside_others(const ksda_i_plan_run *r) {
    return ksda_i_plan_keeps_one(r) && r->placed && !r->options->max_share.denominator;
}

ksda_status ksda_i_stage_rounds(ksda_i_plan_run *r) {
    uint64_t begun = ksda_i_work_done(r->ctx),
             around = ksda_i_work_begin(r->ctx, share_of_weight(r, ksda_i_stage_rounds_budget(r), 0));
    ksda_i_rounds_again(&r->rounds, ksda_i_plan_with(r, r->weight[0]));
    ksda_status status = ksda_i_rounds_begin(&r->rounds);
    ksda_i_work_finish(r->ctx, around);
    ksda_status offered = ksda_i_plan_offer_rounds(r);
    r->rounds_work = ksda_i_work_done(r->ctx) - begun;
    r->placed = r->best != NULL;
    if (status >= 0) status = offered;
    if (status >= 0 && (r->placed ? !goes_on_beside_others(r) : r->plans > 1 && !r->limited))
        status = search_rounds_of_all(r);
    r->placed = r->best != NULL;
    return status;
}

/* --- members raised out of turn ----------------------------------------------------------------------------------- */

bool ksda_i_stage_lifts_are_cheap(const ksda_i_plan_run *r) {
    return r->best && !ksda_i_plan_is_large(r);
}

/* With one weight. */
static uint64_t lifts_work(const ksda_i_plan_run *r) {
    uint64_t work = KSDA_I_LIFTS_UNITS * (r->graph->n + r->graph->m);
    return work < KSDA_I_LIFTS_WORK ? work : KSDA_I_LIFTS_WORK;
}

uint64_t ksda_i_stage_lifts_budget(const ksda_i_plan_run *r) {
    return r->plans * lifts_work(r);
}

static ksda_status search_lifts(ksda_i_abreast_search *s) {
    const double *weight = s->task;
    ksda_anonymize_options options = *s->run->options;
    ksda_i_rounds rounds;
    options.split_weight = *weight;
    ksda_status status = ksda_i_rounds_fork(s->ctx, &s->run->rounds, &options, &rounds), offered;
    rounds.pass = ksda_i_abreast_offer, rounds.payload = s;
    if (status >= 0) status = ksda_i_lifts_search(&rounds, (uint64_t)(weight - s->run->weight));
    offered = ksda_i_rounds_offer(&rounds);
    if (rounds.limited) s->limited = true;
    ksda_i_rounds_close(&rounds);
    return status < 0 ? status : offered;
}

/* With the weights under which next to nobody is split: where splits are cheap, so is what this would save. */
ksda_status ksda_i_stage_lifts(ksda_i_plan_run *r) {
    ksda_i_abreast_search search[KSDA_I_WEIGHTS] = {{0}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->plans; i++)
        if (i == 0 || r->weight[i] >= KSDA_I_LIFTS_WEIGHT)
            search[count++] = (ksda_i_abreast_search){.task = &r->weight[i], .work = lifts_work(r)};
    return ksda_i_abreast_run(r, search, count, search_lifts);
}

bool ksda_i_stage_nothing_found(const ksda_i_plan_run *r) {
    return !r->best;
}

/* --- the paper's heuristics --------------------------------------------------------------------------------------- */

typedef struct asking {
    uint32_t number;
    const ksda_anonymize_options *options;
    double below;
} asking;

static ksda_status ask_heuristic(ksda_i_abreast_search *s) {
    const asking *a = s->task;
    ksda_edits *edits;
    ksda_status status =
        ksda_i_rival(s->ctx, s->run->graph, s->run->communities, a->options, a->number, a->below, &edits);
    return status >= 0 && edits ? ksda_i_abreast_offer(s, edits) : status;
}

/* Those of begin .. end-1 that could do better, at once. Any of them beats the fallback, however late it is. */
static ksda_status ask_some(ksda_i_plan_run *r, double weight, uint32_t begin, uint32_t end) {
    ksda_i_abreast_search search[KSDA_I_RIVALS] = {{0}};
    asking task[KSDA_I_RIVALS];
    const ksda_anonymize_options options = *ksda_i_plan_with(r, weight);
    double known = ksda_i_plan_cost_at(r, weight);
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (!ksda_i_rival_may_win(i, weight, known)) continue;
        task[count] = (asking){i, &options, ksda_i_plan_keeps_one(r) ? r->cost : INFINITY};
        search[count].task = &task[count], search[count].work = UINT64_MAX / KSDA_I_RIVALS,
        search[count].late = r->fallback;
        count++;
    }
    return count ? ksda_i_abreast_run(r, search, count, ask_heuristic) : KSDA_OK;
}

/* They may by chance do better, at the smallest weight at least. Each of the two that split is asked only where those
 * before it have left something to win. Where rows are with other processes one comes after the other. */
static ksda_status ask_heuristics(ksda_i_plan_run *r, uint64_t with) {
    static const uint32_t together[KSDA_I_RIVALS] = {2, 2, 3, 5, 5, 6}; /* up to the one before this */
    double least = r->weight[0];
    ksda_status status = KSDA_OK;
    uint64_t seed = r->ctx->seed;
    r->ctx->seed = with;
    for (uint32_t i = 1; i < r->plans; i++) least = fmin(least, r->weight[i]);
    for (uint32_t i = 0, end; i < KSDA_I_RIVALS && status >= 0; i = end) {
        end = r->graph->far ? i + 1 : together[i];
        if (r->best && !r->fallback && ksda_i_plan_late_now(r)) break;
        status = ask_some(r, least, i, end);
    }
    r->ctx->seed = seed;
    return status;
}

/* What a heuristic is asked beside the rounds; without one, the rounds themselves. */
typedef struct beside {
    const weight_rounds *rounds;
    const asking *asking;
} beside;

static ksda_status search_or_ask(ksda_i_abreast_search *s) {
    const beside *b = s->task;
    s->task = b->rounds ? (const void *)b->rounds : b->asking;
    if (b->rounds) return search_rounds(s);
    s->ctx->seed = s->run->seed;
    return ask_heuristic(s);
}

/* The rounds after the first, and beside them the heuristics, which have to beat that one. */
static ksda_status go_on_beside_heuristics(ksda_i_plan_run *r) {
    ksda_i_abreast_search search[1 + KSDA_I_RIVALS] = {{0}};
    const ksda_anonymize_options options = *ksda_i_plan_with(r, r->weight[0]);
    const weight_rounds rounds = {r->weight[0], &r->rounds};
    asking task[KSDA_I_RIVALS];
    beside what[1 + KSDA_I_RIVALS] = {{.rounds = &rounds}};
    uint32_t count = 1;
    search[0].task = &what[0], search[0].work = left_for_rounds(r);
    for (uint32_t i = 0; i < KSDA_I_RIVALS; i++) {
        if (!ksda_i_rival_may_win(i, r->weight[0], r->cost)) continue;
        task[i] = (asking){i, &options, r->cost};
        what[count].asking = &task[i];
        search[count].task = &what[count], search[count].work = UINT64_MAX / (2 * KSDA_I_RIVALS);
        count++;
    }
    return run_beside_rounds(r, search, count, search_or_ask);
}

/* Sets of levels begin where these end: what they draw must not steer the search. */
ksda_status ksda_i_stage_heuristics(ksda_i_plan_run *r) {
    if (goes_on_beside_others(r)) return go_on_beside_heuristics(r);
    return ask_heuristics(r, r->graph->n > KSDA_I_LEVELSET_VERTICES ? r->seed : r->ctx->seed);
}

bool ksda_i_stage_heuristics_would_differ(const ksda_i_plan_run *r) {
    return r->graph->n <= KSDA_I_LEVELSET_VERTICES && r->seed != r->ctx->seed;
}

/* Now they do as they would if they were asked for. */
ksda_status ksda_i_stage_heuristics_as_asked(ksda_i_plan_run *r) {
    return ask_heuristics(r, r->seed);
}

/* --- hubs first --------------------------------------------------------------------------------------------------- */

bool ksda_i_plan_split_may_pay(const ksda_i_plan_run *r, double weight) {
    const ksda_i_pool_release *best = ksda_i_pool_cheapest(&r->pool, weight);
    return !best || best->splits > 0 || weight < ksda_i_pool_cost(best, weight);
}

bool ksda_i_stage_split_may_pay(const ksda_i_plan_run *r) {
    for (uint32_t i = 0; i < r->plans; i++)
        if (ksda_i_plan_split_may_pay(r, r->weight[i])) return true;
    return false;
}

/* Sets of levels begin with what is found here. */
bool ksda_i_stage_hubs_come_first(const ksda_i_plan_run *r) {
    return ksda_i_plan_is_large(r) && ksda_i_stage_split_may_pay(r);
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

/* Hubs cut beforehand, with the weight that the task is. */
static ksda_status search_capped(ksda_i_abreast_search *s) {
    const double *weight = s->task;
    ksda_anonymize_options options = *s->run->options;
    ksda_edits *edits = NULL;
    options.split_weight = *weight;
    ksda_status status = ksda_i_capped(s->ctx, s->run->graph, s->run->communities, &options,
                                       ksda_i_plan_cost_at(s->run, *weight), &edits);
    return status >= 0 && edits ? ksda_i_abreast_offer(s, edits) : status;
}

ksda_status ksda_i_stage_capped(ksda_i_plan_run *r) {
    ksda_i_abreast_search search[KSDA_I_WEIGHTS] = {{0}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->plans; i++) {
        if (!ksda_i_plan_split_may_pay(r, r->weight[i])) continue;
        search[count].work = share_of_weight(r, ksda_i_stage_capped_budget(r), i);
        search[count++].task = &r->weight[i];
    }
    return ksda_i_abreast_run(r, search, count, search_capped);
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

static ksda_status anneal_release(ksda_i_abreast_search *s) {
    const ksda_i_pool_release *x = s->task;
    const ksda_i_plan_run *r = s->run;
    ksda_edits *edits = NULL;
    uint64_t enough = ksda_i_least_edges(ksda_i_plan_proved(r), r->options->split_weight, x->splits);
    ksda_status status =
        ksda_i_anneal(s->ctx, r->graph, r->communities, r->options->k, r->options->max_share, x->edits, enough, &edits);
    return status >= 0 && edits ? ksda_i_abreast_offer(s, edits) : status;
}

/* The releases that are the cheapest at one of the weights, each once. */
ksda_status ksda_i_stage_anneal(ksda_i_plan_run *r) {
    ksda_i_abreast_search search[KSDA_I_WEIGHTS] = {{0}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->plans; i++) {
        const ksda_i_pool_release *x = ksda_i_pool_cheapest(&r->pool, r->weight[i]);
        bool again = false;
        for (uint32_t j = 0; j < count; j++) again |= search[j].task == x;
        if (!again) search[count++].task = x;
    }
    for (uint32_t i = 0; i < count; i++) search[i].work = KSDA_I_ANNEAL_WORK / count;
    return ksda_i_abreast_run(r, search, count, anneal_release);
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

/* Half of the work is left for what comes after it, where that will do anything. The level program begins here: it has
 * a thread, and the others are for this, whose threads wait for each other at every step. */
ksda_status ksda_i_stage_lagrangian_bound(ksda_i_plan_run *r) {
    uint64_t work = ksda_i_proof_begin_work(&r->rounds.lists, r->proof_work);
    unsigned threads = r->ctx->threads;
    if (ksda_i_stage_edges_are_unproved(r)) ksda_i_level_program_begin(r), work = r->proof_work / 2;
    if (ksda_i_stage_splits_are_next(r)) work = r->proof_work / KSDA_I_LEVEL_SPLITS_REST;
    if (r->program.beside.begun) r->ctx->threads--;
    ksda_status status = raise_bound(r, work);
    r->ctx->threads = threads;
    return status;
}

ksda_status ksda_i_stage_column_generation(ksda_i_plan_run *r) {
    bool one_of_many = (r->hooks->runner_up || ksda_i_stage_has_level_splits(r)) && r->options->bound_seconds <= 0;
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
