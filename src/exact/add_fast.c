/* The fast exact method for Adding Edge.
 *
 * A relaxation (level_model.c) plans the levels above a floor exactly and leaves the crowded low degrees free; its
 * linear programming bound is sharpened by cuts, what cannot be in a better solution is fixed, and branch and cut
 * solves the rest. Its optimum is a lower bound. If it can be realized at its own cost, that is the optimum; if not,
 * the floor is lowered and more vertices are held one by one, until bound and solution meet: at the latest when the
 * relaxation is the whole problem. A heuristic solution gives the cutoff at the start, and most of the model falls to
 * it. On larger networks plans of all communities together (colgen.c) come first, and mostly settle it. */
#include "methods/methods.h"
#include "exact/exact.h"
#include "bound/colgen.h"
#include "exact/level_model.h"
#include "lp/solver.h"

#include <ksda/anonymize.h>
#include <math.h>
#include <stdio.h>

#define HELD_BELOW 12   /* individuals per community below the floor, to begin with ... */
#define HELD_IN_ALL 200 /* ... and about so many together, where there are many communities */
#define DIVE_SECONDS 12.0
#define SMALL 64u /* up to so many vertices the integer program is the shortest way */
#define CASES 100000u
#define PLAN_BELOW 2u    /* members of a list below the floor, where plans of all communities are made ... */
#define PLAN_PAIRS 8000u /* ... between so many pairs at most ... */
#define PLAN_ROUNDS 400u /* ... and their prices improved so often */
#define SLACK 1e-4       /* what a bound may lose to rounding before it is rounded up */

typedef struct search {
    ksda_ctx *ctx;
    const ksda_i_exact_problem *p;
    ksda_i_levels levels;
    ksda_edits *best;
    double cost, bound; /* of best, INFINITY without; proved */
    int64_t floor;
    int64_t *share;   /* [count] */
    uint32_t below;   /* individuals per community below the floor */
    bool closed;      /* nothing is left to do */
    double most;      /* edges that can be added at all: a bound beyond proves that there is no solution */
    char trouble[96]; /* why the solver had no answer; mostly empty */
} search;

/* Not cut off at the cost of the best solution: a bound above it is an error, and the caller finds it. */
static void raise_bound(search *s, double bound) {
    if (bound > s->bound) s->bound = bound;
    if (s->bound >= s->cost || s->bound > s->most) s->closed = true;
}

/* Keep the edits if they are cheaper; takes them. */
static void offer_release(search *s, ksda_edits *edits) {
    double cost = edits ? (double)ksda_edits_added(edits, NULL) : INFINITY;
    if (cost < s->cost) {
        ksda_edits_free(s->ctx, s->best);
        s->best = edits, s->cost = cost;
        raise_bound(s, s->bound);
    } else {
        ksda_edits_free(s->ctx, edits);
    }
}

/* --- a first solution ------------------------------------------------------------------------------------------- */

static ksda_status copy_start(search *s, const ksda_edits *from) {
    const ksda_pair *pair;
    uint64_t count = ksda_edits_added(from, &pair);
    ksda_edits *edits = NULL;
    ksda_status status;
    if (ksda_edits_pieces(from) != s->p->graph->n) return KSDA_OK; /* it splits: of no use here */
    KSDA_I_TRY(ksda_edits_new(s->ctx, s->p->graph, &edits));
    for (uint64_t e = 0; e < count; e++) KSDA_I_TRY(ksda_edits_add_edge(s->ctx, edits, pair[e].u, pair[e].v));
    offer_release(s, edits);
    return KSDA_OK;
done:
    ksda_edits_free(s->ctx, edits);
    return status;
}

/* A release that the heuristics found: level-plan's, and where that splits, Edge-Connect's. */
static ksda_status ask_heuristics(search *s) {
    static ksda_i_method *const heuristics[] = {ksda_i_level_plan, ksda_i_edge_connect};
    const double n = s->p->graph->n;
    ksda_anonymize_options o;
    ksda_status status = KSDA_OK;
    ksda_anonymize_options_init(&o);
    o.k = s->p->options->k, o.split_weight = n * n;
    for (size_t i = 0; i < sizeof heuristics / sizeof *heuristics && !s->best && status >= 0; i++) {
        ksda_anonymize_result r = {.lower_bound = NAN};
        ksda_edits *edits = NULL;
        status = heuristics[i](s->ctx, s->p->graph, s->p->communities, &o, &edits, &r);
        if (status >= 0 && r.lower_bound > s->bound)
            s->bound = ceil(r.lower_bound - SLACK); /* also holds without splits */
        if (status >= 0 && ksda_edits_pieces(edits) == s->p->graph->n)
            offer_release(s, edits), edits = NULL;
        else if (status >= 0 || ksda_i_found_none(status))
            status = KSDA_OK; /* no matter */
        ksda_edits_free(s->ctx, edits);
    }
    return status < 0 ? status : KSDA_OK;
}

/* The release that was handed in serves, and what is known with it; without, the heuristics are asked. */
static ksda_status first_solution(search *s) {
    ksda_status status = s->p->options->start ? copy_start(s, s->p->options->start) : KSDA_OK;
    s->bound = ceil(s->p->known.bound - SLACK);
    return status < 0 || s->best || s->p->known.searched ? status : ask_heuristics(s);
}

/* --- one relaxation --------------------------------------------------------------------------------------------- */

static ksda_status solve_root(search *s, ksda_i_level_model *m, ksda_i_lp *lp, bool order, ksda_i_lp_answer *a) {
    double bound = s->bound, known = isinf(s->cost) ? NAN : s->cost;
    ksda_status status =
        ksda_i_level_root(m, lp, order, known, KSDA_I_LEVEL_ROUNDS, fmin(s->cost, s->most + 1), &bound, a);
    if (status >= 0) raise_bound(s, bound);
    return status;
}

/* In the linear program only: must i end above the floor? */
static void set_above_floor(const ksda_i_level_model *m, ksda_i_lp *lp, uint32_t i, bool must) {
    uint32_t column = m->stays[i];
    if (column != KSDA_I_NO_COLUMN)
        ksda_i_lp_bounds(lp, column, m->model.lower[column], must ? 0 : m->model.upper[column]);
}

/* Is it proved that fewer than `least` of c's pool end above the floor in a better solution? If one does, then by
 * dominance everybody who dominates the whole pool does as well. */
static ksda_status fewer_raised(search *s, ksda_i_level_model *m, ksda_i_lp *lp, uint32_t c, double least,
                                bool *proved) {
    const ksda_i_levels *l = &s->levels;
    uint32_t raised = m->pool_raised[c], first = l->start[c] + m->held[c];
    ksda_i_lp_answer a;
    *proved = m->model.upper[raised] < least;
    if (*proved) return KSDA_OK;
    ksda_i_lp_bounds(lp, raised, least, m->model.upper[raised]);
    for (uint32_t i = l->start[c]; i < first; i++)
        if (l->outside[i] >= l->degree[first]) set_above_floor(m, lp, i, true);
    ksda_status status = ksda_i_lp_solve(lp, m->cutoff + SLACK, &a);
    for (uint32_t i = l->start[c]; i < first; i++) set_above_floor(m, lp, i, false);
    *proved = status == KSDA_OK && a.bound > m->cutoff + SLACK; /* infinite where there is no solution */
    if (*proved) m->model.upper[raised] = least - 1;
    ksda_i_lp_bounds(lp, raised, 0, m->model.upper[raised]);
    return status;
}

/* Rule the pools out, as far as that can be proved. The fewer can be raised, the fewer edges there are among the
 * raised, and the dearer raising any becomes: so larger numbers are ruled out first. */
static ksda_status close_pools(search *s, ksda_i_level_model *m, ksda_i_lp *lp, bool *left) {
    static const uint32_t numbers[] = {5, 3, 2, 1};
    const ksda_i_levels *l = &s->levels;
    ksda_i_model *p = &m->model;
    *left = false;
    for (uint32_t c = 0; c < l->count; c++) {
        bool proved = true;
        if (m->pool_raised[c] == KSDA_I_NO_COLUMN) continue;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            ksda_status status = fewer_raised(s, m, lp, c, numbers[i], &proved);
            if (status != KSDA_OK) return status;
            if (!proved) break;
            ksda_i_model_term(p, m->pool_inner[c], 2);
            ksda_i_model_term(p, m->pool_raised[c], -fmax(0, (double)numbers[i] - 2));
            ksda_i_model_row(p, -INFINITY, 0, "inner_%u_%u", c, numbers[i]);
        }
        if (!proved) *left = true;
    }
    return p->status;
}

/* What costs more than the cutoff by its reduced cost alone stays where it is. */
static void fix_by_cost(ksda_i_level_model *m, ksda_i_lp *lp, const ksda_i_lp_answer *a) {
    ksda_i_model *p = &m->model;
    for (uint32_t j = 0; j < p->columns; j++) {
        if (!p->integer[j] || p->lower[j] == p->upper[j]) continue;
        if (a->x[j] < p->lower[j] + 1e-7 && a->bound + a->reduced[j] > m->cutoff + SLACK)
            p->upper[j] = p->lower[j];
        else if (a->x[j] > p->upper[j] - 1e-7 && a->bound - a->reduced[j] > m->cutoff + SLACK)
            p->lower[j] = p->upper[j];
        else
            continue;
        ksda_i_lp_bounds(lp, j, p->lower[j], p->upper[j]);
    }
}

/* Solve the model as it stands; a solution is realized and offered. *unrealized: there was one, in vain. */
static ksda_status branch(search *s, ksda_i_level_model *m, double seconds, bool proof, bool *unrealized) {
    ksda_i_solution found = {.x = NULL};
    ksda_i_solve_options o = {.stage = "planning levels",
                              .cutoff = m->cutoff,
                              .seconds = seconds,
                              .known_cost = isinf(s->cost) ? NAN : s->cost,
                              .known_bound = s->bound};
    ksda_edits *edits = NULL;
    ksda_status status;
    *unrealized = false;
    KSDA_I_TRY(ksda_i_mip_solve(s->p->solver, &m->model, &o, &found));
    if (proof)
        raise_bound(s,
                    fmin(ksda_i_level_round_up(found.bound), m->cutoff + 1)); /* infinite when there is no solution */
    if (found.trouble[0]) memcpy(s->trouble, found.trouble, sizeof s->trouble);
    if (found.x) {
        KSDA_I_TRY(ksda_i_level_realize(m, found.x, &edits));
        *unrealized = edits == NULL;
        offer_release(s, edits);
    }
done:
    ksda_i_free(s->ctx, found.x);
    return status;
}

/* Look for a good solution among those that use only what the linear program finds cheap, and no raised pool. */
static ksda_status dive_for_release(search *s, ksda_i_level_model *m, const ksda_i_lp_answer *a) {
    ksda_i_model *p = &m->model;
    bool unrealized;
    double width = fmax(2, 0.03 * a->bound), *upper = ksda_i_malloc(s->ctx, p->columns, sizeof *upper);
    if (!upper) return KSDA_NOMEM;
    memcpy(upper, p->upper, p->columns * sizeof *upper);
    for (uint32_t j = 0; j < p->columns; j++)
        if (p->integer[j] && a->x[j] < p->lower[j] + 1e-7 && a->reduced[j] > width) p->upper[j] = p->lower[j];
    for (uint32_t c = 0; c < s->levels.count; c++)
        if (m->pool_raised[c] != KSDA_I_NO_COLUMN) p->upper[m->pool_raised[c]] = 0;
    ksda_status status = branch(s, m, DIVE_SECONDS, false, &unrealized);
    memcpy(p->upper, upper, p->columns * sizeof *upper);
    ksda_i_free(s->ctx, upper);
    return status;
}

static void lower_cutoff(search *s, ksda_i_level_model *m) {
    if (s->cost - 1 < m->cutoff) m->cutoff = s->cost - 1;
}

/* Solve one relaxation. *pools: some pool could not be ruled out, and a solution that raises it was not realized. */
static ksda_status solve_relaxation(search *s, bool *pools) {
    ksda_i_level_model m;
    ksda_i_lp *lp = NULL;
    ksda_i_lp_answer a;
    bool unrealized = false;
    double cutoff = fmin(s->cost - 1, s->most);
    *pools = false;
    ksda_status status = ksda_i_level_model_make(&s->levels, s->floor, s->share, cutoff, NULL, &m);
    if (status == KSDA_LIMIT && ksda_i_time_left(s->ctx) > 0)
        snprintf(s->trouble, sizeof s->trouble, "the program to be solved would be too large");
    if (status != KSDA_OK) return status;
    if (m.impossible) {
        raise_bound(s, m.cutoff + 1);
        goto done;
    }
    KSDA_I_TRY(ksda_i_lp_new(s->p->solver, &m.model, &lp));
    if (!lp) goto done;
    KSDA_I_TRY(solve_root(s, &m, lp, false, &a));
    if (s->closed || a.verdict != KSDA_I_CHEAPEST) goto done;
    if (s->floor >= 0) KSDA_I_TRY(dive_for_release(s, &m, &a));
    if (s->closed) goto done;
    lower_cutoff(s, &m);
    fix_by_cost(&m, lp, &a);
    KSDA_I_TRY(solve_root(s, &m, lp, true, &a));
    if (s->closed || a.verdict != KSDA_I_CHEAPEST) goto done;
    fix_by_cost(&m, lp, &a);
    KSDA_I_TRY(close_pools(s, &m, lp, pools));
    if (status == KSDA_LIMIT) goto done;
    ksda_i_lp_free(s->ctx, lp);
    lp = NULL;
    status = branch(s, &m, INFINITY, true, &unrealized);
    if (!unrealized) *pools = false;
done:
    ksda_i_lp_free(s->ctx, lp);
    ksda_i_level_model_clear(&m);
    return status;
}

/* --- plans of all communities together ---------------------------------------------------------------------------- */

/* A plan that may be better than the best solution is realized. */
static ksda_status try_plan(void *payload, uint32_t levels, const uint32_t *level, const uint8_t *uses,
                            double *cutoff) {
    search *s = payload;
    ksda_edits *edits = NULL;
    ksda_status status =
        ksda_i_plan_realize_exactly(s->p->solver, &s->levels, s->floor, levels, level, uses, s->cost - 1, &edits);
    offer_release(s, edits);
    *cutoff = s->cost - 1;
    return status;
}

/* Bound by plans of all communities together (colgen.c), with a larger table where a smaller one does not settle it; at
 * last case by case. */
static ksda_status by_plans(search *s) {
    static const uint64_t cells[] = {UINT64_C(1) << 20, UINT64_C(1) << 22, UINT64_C(1) << 26};
    ksda_i_colgen_options o = {.solver = s->p->solver,
                               .floor = s->floor,
                               .pairs = PLAN_PAIRS,
                               .below = PLAN_BELOW,
                               .rounds = PLAN_ROUNDS,
                               .enough = INFINITY,
                               .on_candidate = try_plan,
                               .payload = s};
    bool fits, complete = false;
    for (size_t i = 0; i < sizeof cells / sizeof *cells && !complete && !s->closed && !isinf(s->cost); i++) {
        double cutoff = s->cost - 1, bound = s->bound;
        o.cells = cells[i];
        o.cases = i + 1 == sizeof cells / sizeof *cells ? CASES : 0;
        ksda_status status = ksda_i_colgen_bound(&s->levels, &o, &cutoff, &bound, &fits, &complete);
        if (status >= 0) raise_bound(s, bound);
        if (status != KSDA_OK) return status;
        if (complete && o.cases == 0)
            i = sizeof cells / sizeof *cells - 2, complete = false; /* the same once more, with cases */
    }
    return KSDA_OK;
}

static ksda_status search_exact(search *s) {
    ksda_status status = KSDA_OK;
    bool first = s->levels.n > SMALL && !s->closed;
    s->below = HELD_IN_ALL / s->levels.count < HELD_BELOW ? HELD_IN_ALL / s->levels.count + 1 : HELD_BELOW;
    if (first) KSDA_I_TRY(by_plans(s));
    while (!s->closed && status == KSDA_OK) {
        bool pools, complete = s->floor < 0;
        ksda_i_level_shares(&s->levels, s->floor, s->below, s->share);
        KSDA_I_TRY(solve_relaxation(s, &pools));
        if (status != KSDA_OK || s->closed) break;
        if (ksda_i_time_left(s->ctx) <= 0) return KSDA_LIMIT;
        if (complete) return KSDA_LIMIT; /* nothing was left out, and yet it is not settled */
        if (!pools) s->floor = s->floor >= 2 ? s->floor / 2 : -1;
        s->below *= 2;
    }
done:
    return status;
}

/* --- the entry -------------------------------------------------------------------------------------------------- */

static void name_stuck(search *s, uint32_t i, ksda_optimal_result *result) {
    char name[128];
    ksda_graph_name(s->p->graph, s->levels.vertex[i], name, sizeof name);
    snprintf(result->reason, sizeof result->reason,
             "vertex %s has degree %u and can reach at most %u by new edges inside its community, but no degree from "
             "%u to %u "
             "can be had in %u communities",
             name, s->levels.degree[i], s->levels.max_degree[i], s->levels.degree[i], s->levels.max_degree[i],
             s->levels.k);
}

/* What is known in the end. That there is no solution is known only by a bound that none can have. */
static void conclude(search *s, ksda_optimal_result *result) {
    result->bound = s->bound;
    if (s->bound > s->most) {
        result->status = KSDA_MODEL_INFEASIBLE, result->bound = INFINITY;
        snprintf(result->reason, sizeof result->reason, "no choice of degrees and edges inside communities is diverse");
        return;
    }
    result->status = isinf(s->cost) ? KSDA_MODEL_LIMIT : s->bound >= s->cost ? KSDA_MODEL_OPTIMAL : KSDA_MODEL_FEASIBLE;
    if (!s->trouble[0] && ksda_ctx_solver_failures(s->ctx) > 0)
        snprintf(s->trouble, sizeof s->trouble, "the solver failed; what it would have proved is not claimed");
    if (result->status != KSDA_MODEL_OPTIMAL) snprintf(result->reason, sizeof result->reason, "%s", s->trouble);
}

ksda_status ksda_i_exact_add_fast(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                  ksda_optimal_result *result) {
    search s = {.ctx = ctx, .p = problem, .cost = INFINITY};
    ksda_status status;
    KSDA_I_TRY(ksda_i_levels_make(ctx, problem->graph, problem->communities, problem->options->k, &s.levels));
    uint32_t stuck = ksda_i_levels_stuck(&s.levels);
    if (stuck != KSDA_NO_VERTEX) {
        result->status = KSDA_MODEL_INFEASIBLE, result->bound = INFINITY;
        name_stuck(&s, stuck, result);
        goto done;
    }
    for (uint32_t i = 0; i < s.levels.n; i++) s.most += s.levels.max_degree[i] - s.levels.degree[i];
    s.most = floor(s.most / 2);
    s.share = ksda_i_malloc(ctx, s.levels.count, sizeof *s.share);
    if (!s.share) {
        status = KSDA_NOMEM;
        goto done;
    }
    KSDA_I_TRY(ksda_i_levels_floor(&s.levels, &s.floor));
    status = first_solution(&s);
    raise_bound(&s, 0);
    if (status >= 0) status = search_exact(&s);
    if (status < 0 && !(s.best && ksda_i_cut_short(ctx, status))) goto done;
    status = KSDA_OK;
    *out = s.best, s.best = NULL;
    conclude(&s, result);
done:
    ksda_edits_free(ctx, s.best);
    ksda_i_free(ctx, s.share);
    ksda_i_levels_clear(&s.levels);
    return status;
}
