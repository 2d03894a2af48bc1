/* level-plan: plan target degrees from the degrees of each community alone, then find the edges inside each community.
 *
 * Guarantee: every release it returns is k-structurally diverse, and it always finds one on a graph without isolated
 * vertices, for every k up to the number of communities. With every run comes a proved lower bound on the cost.
 *
 * The plan (beam.c) estimates what the edges will cost; the realization (realize.c) says what they do cost.
 * Rounds alternate between the two with prices shaken a little: members that could not be raised as far as planned are
 * given less room, and the cheapest release of all rounds, or of the paper's heuristics (rivals.c), is kept. Small
 * networks get more: few levels (levelset.c), all sets of edges (exhaustive.c), and where the bound leaves room, small
 * changes (anneal.c). The number of rounds follows from the size of the network and not from the clock, so a run can be
 * repeated, unless a time limit stops it: the first round is always finished, and what is best when the time is over is
 * handed over. docs/level-plan.md has the rest. */
#include "methods/levelplan/draft.h"
#include "methods/levelplan/levelset.h"
#include "methods/levelplan/level_plan.h"
#include "methods/levelplan/rewire.h"
#include "methods/levelplan/rivals.h"
#include "methods/levelplan/rounds.h"
#include "methods/levelplan/anneal.h"

#include <math.h>

/* Budgets, in units of work (ksda_i_work()), so about nanoseconds. A network of up to SMALL_SIZE vertices and edges has
 * its release within a second or two; larger ones get more in proportion. */
#define ROUNDS_WORK UINT64_C(700000000)
#define FEW_WORK UINT64_C(700000000)
#define SPLIT_WORK UINT64_C(50000000) /* more for every split of the known release, */
#define MANY_SPLITS 50u               /* up to so many: there is more to gain */
#define NEARER_WORK UINT64_C(500000000)
#define POLISH_WORK UINT64_C(500000000)
#define SMALL_SIZE 40000u
#define SKETCH_WORK UINT64_C(100000000) /* for a first bound, which tells when polishing may end */
#define LEAST_PROOF UINT64_C(500000000) /* however quick the search was */
#define MOST_PROOF UINT64_C(10000000000)

/* The cheapest release so far. */
typedef struct incumbent {
    double cost;
    bool found;
} incumbent;

typedef struct run {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_anonymize_options *options;
    ksda_i_rounds rounds;
    incumbent best;
    ksda_i_plan_hooks hooks;
    ksda_i_proof proof;
    bool limited;        /* the time limit cut something short */
    bool shattered;      /* the best so far is the fallback, which only has to exist */
    uint64_t work_begun; /* on the context's count of work */
} run;

/* Is the time over? Asked only where something is left to do. */
static bool late(run *r) {
    if (ksda_i_time_left(r->ctx) <= 0) r->limited = true;
    return r->limited;
}

/* A stage that was stopped counts for nothing where there is a release to hand over. */
static ksda_status after_stop(run *r, ksda_status status) {
    if (!r->best.found || !ksda_i_cut_short(r->ctx, status)) return status;
    r->limited = true;
    return KSDA_OK;
}

static uint64_t search_budget(const run *r, uint64_t small) {
    uint64_t size = r->graph->n + r->graph->m;
    return size > SMALL_SIZE ? small / SMALL_SIZE * size : small;
}

static uint64_t proof_budget(uint64_t searched) {
    return searched < LEAST_PROOF ? LEAST_PROOF : searched < MOST_PROOF ? searched : MOST_PROOF;
}

/* What every release costs at least, as far as is proved. */
static double proved(const run *r) {
    return ksda_i_proof_least(&r->proof, r->best.cost);
}

/* --- releases that are not the best ------------------------------------------------------------------------------- */

static double see(run *r, const ksda_edits *edits) {
    uint32_t splits = ksda_edits_pieces(edits) - r->graph->n;
    double cost = (double)ksda_edits_added(edits, NULL) + r->options->split_weight * splits;
    ksda_i_proof_see(&r->proof, cost, splits > 0);
    return cost;
}

static void pass_over(run *r, ksda_edits *edits) {
    if (edits) see(r, edits);
    if (edits && r->hooks.take)
        r->hooks.take(r->hooks.payload, edits);
    else
        ksda_edits_free(r->ctx, edits);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Have every community present at every level: where nobody stands there whole, its largest member leaves a piece. */
static void stand_everywhere(const run *r, ksda_i_plan *plan) {
    for (uint32_t c = 0; c < r->communities->count; c++) {
        uint32_t largest = r->rounds.lists.vertex[r->rounds.lists.start[c]];
        if (plan->target[largest] != KSDA_I_SPLIT) continue;
        for (uint32_t i = 0; i < plan->levels; i++) {
            bool there = false;
            for (uint32_t at = r->rounds.lists.start[c]; at < r->rounds.lists.start[c + 1] && !there; at++)
                there = plan->target[r->rounds.lists.vertex[at]] == plan->level[i];
            if (!there) plan->piece[plan->pieces++] = (ksda_i_placing){largest, plan->level[i]};
        }
    }
}

/* Everybody at the levels low .. high: larger ones in pieces, smaller ones raised. With low = high = 1 this is possible
 * on every network without isolated vertices. */
static ksda_status shatter(run *r, uint32_t low, uint32_t high) {
    ksda_i_plan plan = {.levels = high - low + 1};
    ksda_status status = KSDA_NOMEM;
    bool complete;
    plan.target = ksda_i_malloc(r->ctx, r->graph->n, sizeof *plan.target);
    plan.level = ksda_i_malloc(r->ctx, plan.levels, sizeof *plan.level);
    plan.piece = ksda_i_malloc(r->ctx, (uint64_t)plan.levels * r->communities->count, sizeof *plan.piece);
    if (plan.target && plan.level && plan.piece) {
        for (uint32_t i = 0; i < plan.levels; i++) plan.level[i] = high - i;
        for (uint32_t v = 0; v < r->graph->n; v++) {
            uint32_t d = ksda_i_degree(r->graph, v);
            plan.target[v] = d > high ? KSDA_I_SPLIT : d < low ? low : d;
        }
        stand_everywhere(r, &plan);
        status = ksda_i_rounds_attempt(&r->rounds, &plan, r->options->split_weight, &complete);
        if (status >= 0 && !complete)
            status = ksda_i_rounds_attempt(&r->rounds, &plan, 0x1p-20, &complete); /* pieces without needs */
    }
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}

/* Splits that the levels up to `high` take at least. */
static double splits_below(const run *r, uint32_t high) {
    double splits = 0;
    for (uint32_t v = 0, d; v < r->graph->n; v++) splits += (d = ksda_i_degree(r->graph, v)) ? (d - 1) / high : 0;
    return splits;
}

/* Where the search finds nothing, few and low levels always do. */
static ksda_status shatter_all(run *r) {
    ksda_status status = KSDA_OK;
    uint32_t most = r->graph->m < 1000000 ? 6 : 1;
    for (uint32_t low = 1; low <= most; low++)
        for (uint32_t high = low; high <= most; high++) {
            if (r->rounds.found && late(r)) goto done;
            if (r->rounds.found && r->options->split_weight * splits_below(r, high) >= r->rounds.cost) continue;
            KSDA_I_TRY(ksda_i_progress(r->ctx, "planning", low, most));
            KSDA_I_TRY(shatter(r, low, high));
        }
done:
    return status;
}

/* What the rounds have found is the cheapest so far. */
static ksda_status after_rounds(run *r, ksda_status status) {
    r->best = (incumbent){r->rounds.cost, r->rounds.found};
    r->limited |= r->rounds.limited;
    return after_stop(r, status);
}

static ksda_status search_rounds(run *r) {
    uint64_t around = ksda_i_work_begin(r->ctx, search_budget(r, ROUNDS_WORK));
    ksda_status status = ksda_i_rounds_search(&r->rounds, UINT32_MAX);
    ksda_i_work_finish(r->ctx, around);
    return after_rounds(r, status);
}

/* Among the releases of this cost, one whose measures are nearer to the original's. */
static ksda_status bring_nearer(run *r, ksda_edits *edits) {
    uint64_t around = ksda_i_work_begin(r->ctx, search_budget(r, NEARER_WORK));
    ksda_status status = ksda_i_rewire(r->ctx, r->graph, r->communities, r->options->favour, edits);
    ksda_i_work_finish(r->ctx, around);
    return status;
}

static ksda_status begin_proof(run *r, uint64_t work) {
    return ksda_i_proof_begin(r->ctx, r->graph, &r->rounds.lists, r->options->k, r->options->split_weight, r->best.cost,
                              work, &r->proof);
}

/* Let the exact method go on from here for as long as was allowed: it raises the bound, and may find fewer edges. */
static ksda_status prove_longer(run *r, ksda_edits **out) {
    ksda_edits *better = NULL;
    if (!r->hooks.longer || r->options->bound_seconds <= 0 || proved(r) >= r->best.cost || late(r)) return KSDA_OK;
    ksda_status status =
        r->hooks.longer(r->ctx, r->graph, r->communities, r->options, *out, r->best.cost, &r->proof, &better);
    if (better && see(r, better) < r->best.cost) {
        pass_over(r, *out);
        r->best.cost = (double)ksda_edits_added(better, NULL);
        *out = better, better = NULL;
        status = bring_nearer(r, *out);
    }
    ksda_edits_free(r->ctx, better);
    return status;
}

/* The heuristics of the paper may by chance do better. */
static ksda_status compare(run *r, ksda_edits **out) {
    for (uint32_t i = 0; i < KSDA_I_RIVALS; i++) {
        if (r->best.found && late(r) && !r->shattered) break; /* any of them beats the fallback */
        ksda_edits *edits;
        ksda_status status = ksda_i_rival(r->ctx, r->graph, r->communities, r->options, i,
                                          r->best.found ? r->best.cost : INFINITY, &edits);
        if (status < 0) return status;
        if (!edits) continue;
        double cost = see(r, edits);
        if (!r->best.found || cost < r->best.cost) {
            pass_over(r, *out);
            *out = edits, r->best.cost = cost, r->best.found = true;
        } else {
            pass_over(r, edits);
        }
    }
    return KSDA_OK;
}

/* Work for few levels besides FEW_WORK. */
static uint64_t few_extra(const run *r, const ksda_edits *known) {
    uint32_t splits = r->best.found ? ksda_edits_pieces(known) - r->graph->n : MANY_SPLITS;
    return SPLIT_WORK * (splits < MANY_SPLITS ? splits : MANY_SPLITS);
}

/* Few levels, and neighbours in several pieces, may be far cheaper where vertices are split or a split would pay. */
static ksda_status try_few(run *r, ksda_edits **out) {
    ksda_edits *edits = NULL;
    double cost;
    if (r->best.found && ksda_edits_pieces(*out) == r->graph->n && r->options->split_weight >= r->best.cost)
        return KSDA_OK;
    if (r->best.found && late(r)) return KSDA_OK;
    uint64_t around = ksda_i_work_begin(r->ctx, search_budget(r, FEW_WORK + few_extra(r, *out)));
    ksda_status status = ksda_i_levelset_levels(r->ctx, r->graph, r->communities, r->options->k,
                                                r->options->split_weight, r->best.found ? r->best.cost : INFINITY,
                                                r->rounds.pieces.target, r->rounds.pieces.count, &edits, &cost);
    ksda_i_work_finish(r->ctx, around);
    if (status < 0 || !edits) return status;
    pass_over(r, *out);
    *out = edits, r->best.cost = cost, r->best.found = true;
    late(r);
    return KSDA_OK;
}

/* On very small networks all sets of edges can be tried, up to the size where splitting or the edges found are cheaper.
 */
static ksda_status try_everything(run *r, ksda_edits **out) {
    ksda_status status;
    ksda_pair *edge = NULL;
    ksda_edits *edits = NULL;
    uint32_t found, least;
    double below = r->best.found ? r->best.cost : INFINITY;
    if (r->graph->n > 256 || (r->best.found && late(r))) return KSDA_OK;
    KSDA_I_TRY(ksda_i_exhaustive_search(r->ctx, r->graph, r->communities, r->options->k, 300000,
                                        below < 65536 ? (uint32_t)ceil(below) : 65536, &edge, &found, &least));
    if (found != UINT32_MAX && found < below) {
        KSDA_I_TRY(ksda_edits_new(r->ctx, r->graph, &edits));
        for (uint32_t i = 0; i < found; i++) KSDA_I_TRY(ksda_edits_add_edge(r->ctx, edits, edge[i].u, edge[i].v));
        pass_over(r, *out);
        *out = edits, edits = NULL;
        r->best.cost = found, r->best.found = true;
    }
    if (least > r->proof.whole) r->proof.whole = least == UINT32_MAX ? INFINITY : least;
done:
    ksda_edits_free(r->ctx, edits);
    ksda_i_free(r->ctx, edge);
    return status;
}

/* Fewer edges by small changes, as far as a first bound leaves room for that. */
static ksda_status polish(run *r, ksda_edits **out) {
    ksda_edits *edits = NULL;
    uint32_t splits = ksda_edits_pieces(*out) - r->graph->n;
    if (ksda_edits_pieces(*out) > KSDA_I_DRAFT_PIECES || late(r)) return KSDA_OK;
    ksda_status status = begin_proof(r, SKETCH_WORK);
    if (status < 0 || r->best.cost <= proved(r) || late(r)) return status;
    uint64_t enough = ksda_i_least_edges(proved(r), r->options->split_weight, splits);
    uint64_t around = ksda_i_work_begin(r->ctx, POLISH_WORK);
    status = ksda_i_anneal(r->ctx, r->graph, r->communities, r->options->k, *out, enough, &edits);
    ksda_i_work_finish(r->ctx, around);
    if (status < 0 || !edits) return status;
    pass_over(r, *out);
    *out = edits, r->best.cost = r->options->split_weight * splits + (double)ksda_edits_added(edits, NULL);
    return KSDA_OK;
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

/* What is known of every release, once the release to hand over is found: at most as much work as finding it took. */
static ksda_status prove(run *r, ksda_edits **out, ksda_anonymize_result *result) {
    ksda_status status;
    uint32_t splits = ksda_edits_pieces(*out) - r->graph->n;
    bool one_of_many = r->hooks.take && r->options->bound_seconds <= 0;
    uint64_t budget = proof_budget(ksda_i_work_done(r->ctx) - r->work_begun);
    uint64_t around = ksda_i_work_begin(r->ctx, budget);
    if (proved(r) < ksda_i_proof_enough(&r->proof, r->options->split_weight, r->best.cost))
        KSDA_I_TRY(after_stop(r, begin_proof(r, budget / 2)));
    status = ksda_i_proof_together(r->ctx, r->graph, r->communities, r->options->k, r->options->split_weight,
                                   r->best.cost, splits, one_of_many, &r->proof);
    KSDA_I_TRY(after_stop(r, status));
    if (proved(r) < r->best.cost) late(r); /* more time would prove more */
    ksda_i_work_finish(r->ctx, around);
    KSDA_I_TRY(after_stop(r, prove_longer(r, out)));
    see(r, *out);
    KSDA_I_TRY(ksda_i_proof_check(r->ctx, &r->proof));
    result->lower_bound = proved(r);
    result->least_added_vertices = r->proof.needed;
    if (ksda_edits_pieces(*out) == r->graph->n && r->proof.whole < 0x1p53)
        result->least_added_edges = (uint64_t)ceil(r->proof.whole);
done:
    ksda_i_work_finish(r->ctx, around);
    return status;
}

static void pass_on(void *payload, ksda_edits *edits) {
    pass_over(payload, edits);
}

static ksda_status run_open(run *r) {
    ksda_status status = ksda_i_rounds_open(r->ctx, r->graph, r->communities, r->options, &r->rounds);
    r->rounds.proof = &r->proof;
    if (r->hooks.take) r->rounds.pass = pass_on, r->rounds.payload = r;
    return status;
}

/* Releases from every search that applies; the cheapest is kept. */
static ksda_status search(run *r, ksda_edits **out) {
    ksda_status status;
    KSDA_I_TRY(search_rounds(r));
    r->shattered = !r->best.found;
    if (!r->best.found) KSDA_I_TRY(after_rounds(r, shatter_all(r)));
    if (r->best.found) KSDA_I_TRY(ksda_i_plan_join(r->ctx, &r->rounds.pieces, &r->rounds.made, out));
    KSDA_I_TRY(after_stop(r, compare(r, out)));
    KSDA_I_TRY(after_stop(r, try_few(r, out)));
    KSDA_I_TRY(after_stop(r, try_everything(r, out)));
done:
    return status;
}

/* Only vertices without edges can be to blame. One that is alone in its community stays at degree 0: then k communities
 * must have such vertices for ever, and if they cannot, that is a proof. */
static ksda_status give_up(run *r) {
    const ksda_i_ranks *l = &r->rounds.lists;
    uint32_t with = 0, stuck = KSDA_NO_VERTEX, any = 0;
    char name[64];
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

ksda_status ksda_i_level_plan_with(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const ksda_anonymize_options *options, const ksda_i_plan_hooks *hooks,
                                   ksda_edits **out, ksda_anonymize_result *result) {
    ksda_status status;
    double begun = ksda_i_now();
    run r = {.ctx = ctx,
             .graph = graph,
             .communities = communities,
             .options = options,
             .hooks = *hooks,
             .work_begun = ksda_i_work_done(ctx)};
    *out = NULL;
    KSDA_I_TRY(run_open(&r));
    KSDA_I_TRY(search(&r, out));
    if (!r.best.found) {
        status = give_up(&r);
        goto done;
    }
    KSDA_I_TRY(after_stop(&r, polish(&r, out)));
    KSDA_I_TRY(after_stop(&r, bring_nearer(&r, *out)));
    result->search_seconds = ksda_i_now() - begun;
    if (!options->no_proof) KSDA_I_TRY(prove(&r, out, result));
    result->proof_seconds = ksda_i_now() - begun - result->search_seconds;
done:
    ksda_i_rounds_close(&r.rounds);
    if (status < 0) {
        ksda_edits_free(ctx, *out);
        *out = NULL;
        return status;
    }
    return r.limited ? KSDA_LIMIT : KSDA_OK;
}

KSDA_I_METHOD(level_plan) {
    const ksda_i_plan_hooks none = {NULL, NULL, NULL};
    return ksda_i_level_plan_with(ctx, graph, communities, options, &none, out, result);
}
