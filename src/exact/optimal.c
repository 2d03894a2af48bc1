/* ksda_optimal(): checks the question, lets one of the ways answer it, and believes no answer before it is verified. */
#include "core/sized.h"
#include "exact/exact.h"
#include "exact/formulation.h"
#include "exact/solver.h"
#include "privacy/diversity.h"

#include <ksda/privacy.h>
#include <math.h>
#include <stdio.h>

#define SLACK 1e-4 /* what a solver's tolerances may add to a bound ... */
#define SHARE 1e-7 /* ... and as a share of it */
#define MANY 1e6   /* splits that are not looked at one by one */

const char *ksda_model_status_name(ksda_model_status status) {
    switch (status) {
    case KSDA_MODEL_OPTIMAL: return "optimal";
    case KSDA_MODEL_FEASIBLE: return "feasible";
    case KSDA_MODEL_INFEASIBLE: return "infeasible";
    case KSDA_MODEL_LIMIT: return "limit";
    }
    return "unknown";
}

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_optimal_options, start);
static const ksda_i_sized result_kind = KSDA_I_RESULT(ksda_optimal_result, reason);

void ksda_optimal_options_init_sized(ksda_optimal_options *options, size_t size) {
    ksda_i_options_init(&options_kind, options, size, &(ksda_optimal_options){.k = 0});
}

const ksda_solver_info *ksda_solver(size_t i) {
    static const ksda_solver_info fast = {"fast", "levels planned and needs matched, the default", 1};
    size_t count;
    const ksda_i_solver *solver = ksda_i_solvers(&count);
    return i == 0 ? &fast : i <= count ? &solver[i - 1].info : NULL;
}

/* --- the paper's integer programs --------------------------------------------------------------------------------- */

double ksda_i_cost_from(double bound, double omega) {
    double value = bound - SLACK - SHARE * fabs(bound), least = INFINITY;
    if (isinf(bound)) return fmax(bound, 0);
    if (!(value > 0)) return 0;
    if (value > MANY * omega) return value;
    for (double s = 0; omega * s < least; s++) least = fmin(least, fmax(0, ceil(value - omega * s)) + omega * s);
    return least;
}

/* What a solver's answer is worth, where costs are n_a + omega n_s. */
static void take_solution(const ksda_i_solution *s, double omega, ksda_optimal_result *result) {
    result->bound = ksda_i_cost_from(s->bound, omega);
    switch (s->verdict) {
    case KSDA_I_STOPPED: result->status = KSDA_MODEL_LIMIT; break;
    case KSDA_I_FOUND: result->status = KSDA_MODEL_FEASIBLE; break;
    case KSDA_I_CHEAPEST:
        result->status = ksda_i_bound_meets(result->bound, s->objective) ? KSDA_MODEL_OPTIMAL : KSDA_MODEL_FEASIBLE;
        break;
    case KSDA_I_NONE: result->status = KSDA_MODEL_INFEASIBLE; break;
    }
    snprintf(result->reason, sizeof result->reason, "%s",
             s->verdict == KSDA_I_NONE ? "the integer program has no solution" : s->trouble);
}

ksda_status ksda_i_exact_add_ip(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                ksda_optimal_result *result) {
    ksda_i_add_edge_ip ip;
    ksda_i_solution s = {.x = NULL};
    ksda_i_solve_options o = {.stage = "integer program", .cutoff = INFINITY, .known_bound = 0};
    const ksda_i_solver *solver = ksda_i_solver_find(problem->options->solver);
    ksda_status status;
    KSDA_I_TRY(ksda_i_add_edge_ip_build(ctx, problem->graph, problem->communities, problem->options->k, &ip));
    KSDA_I_TRY(solver->solve(&ip.model, &o, &s));
    take_solution(&s, 1, result);
    if (s.x) KSDA_I_TRY(ksda_i_add_edge_ip_edits(&ip, problem->graph, s.x, out));
done:
    ksda_i_free(ctx, s.x);
    ksda_i_add_edge_ip_clear(&ip);
    return status;
}

/* Formulation 2 with at most options->pieces pieces a vertex. */
static ksda_status build_split(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c,
                               const ksda_optimal_options *o, double omega, ksda_i_split_ip *ip) {
    uint32_t *pieces = NULL;
    if (o->pieces) {
        pieces = ksda_i_malloc(ctx, g->n, sizeof *pieces);
        if (!pieces) return KSDA_NOMEM;
        for (uint32_t v = 0; v < g->n; v++) pieces[v] = o->pieces;
    }
    ksda_status status = ksda_i_split_ip_build(ctx, g, c, o->k, omega, pieces, ip);
    ksda_i_free(ctx, pieces);
    return status;
}

/* With fewer pieces than a vertex has edges, the program proves less: no vertex of more than `pieces` pieces is looked
 * at. Then n_s at least `pieces` is the other case, and the bound is the smaller of the two. */
static double bound_of_pieces(const ksda_i_exact_problem *p, double bound) {
    uint32_t pieces = p->options->pieces, most = 0;
    for (uint32_t v = 0; v < p->graph->n; v++)
        if (ksda_i_degree(p->graph, v) > most) most = ksda_i_degree(p->graph, v);
    return pieces && pieces < most ? fmin(bound, p->options->split_weight * pieces) : bound;
}

ksda_status ksda_i_exact_split_ip(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                  ksda_optimal_result *result) {
    const ksda_optimal_options *options = problem->options;
    ksda_i_split_ip ip = {.base = NULL};
    ksda_i_solution s = {.x = NULL};
    ksda_i_solve_options o = {.stage = "integer program", .cutoff = INFINITY, .known_bound = 0};
    const ksda_i_solver *solver = ksda_i_solver_find(strcmp(options->solver, "fast") == 0 ? "cbc" : options->solver);
    ksda_status status;
    KSDA_I_TRY(build_split(ctx, problem->graph, problem->communities, options, options->split_weight, &ip));
    KSDA_I_TRY(solver->solve(&ip.model, &o, &s));
    take_solution(&s, options->split_weight, result);
    if (s.x) KSDA_I_TRY(ksda_i_split_ip_edits(&ip, problem->graph, s.x, out));
    double bound = bound_of_pieces(problem, result->bound);
    if (bound < result->bound) {
        result->bound = bound;
        if (result->status == KSDA_MODEL_INFEASIBLE) result->status = KSDA_MODEL_LIMIT, result->reason[0] = 0;
        if (result->status == KSDA_MODEL_OPTIMAL && !ksda_i_bound_meets(bound, s.objective))
            result->status = KSDA_MODEL_FEASIBLE;
    }
done:
    ksda_i_free(ctx, s.x);
    ksda_i_split_ip_clear(&ip);
    return status;
}

static ksda_status write_split_lp(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_optimal_options *o, const char *path) {
    ksda_i_split_ip ip = {.base = NULL};
    char title[160];
    double omega = o->split_weight > 0 ? o->split_weight : (double)graph->n * graph->n;
    ksda_status status;
    snprintf(title, sizeof title, "k-structural diversity by Adding Edge and Splitting Vertex, k = %u, omega = %g",
             o->k, omega);
    KSDA_I_TRY(build_split(ctx, graph, communities, o, omega, &ip));
    status = ksda_i_model_write_lp(&ip.model, title, path);
done:
    ksda_i_split_ip_clear(&ip);
    return status;
}

ksda_status ksda_optimal_write_lp(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_optimal_options *options, const char *path) {
    ksda_i_add_edge_ip ip;
    ksda_optimal_options o;
    char title[128];
    ksda_optimal_options_init(&o);
    ksda_status status = ksda_i_options_take(ctx, &options_kind, options, &o);
    if (status >= 0) status = ksda_i_check_all_count(ctx, communities);
    if (status >= 0) status = ksda_i_check_k(ctx, o.k, communities->count, "communities");
    if (status < 0) return status;
    if (o.split) return write_split_lp(ctx, graph, communities, &o, path);
    snprintf(title, sizeof title, "k-structural diversity by Adding Edge, k = %u", o.k);
    KSDA_I_TRY(ksda_i_add_edge_ip_build(ctx, graph, communities, o.k, &ip));
    status = ksda_i_model_write_lp(&ip.model, title, path);
done:
    ksda_i_add_edge_ip_clear(&ip);
    return status;
}

/* --- the entry ---------------------------------------------------------------------------------------------------- */

static ksda_status complete(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_optimal_options *o) {
    ksda_status status = ksda_i_check_all_count(ctx, c);
    if (status >= 0) status = ksda_i_check_k(ctx, o->k, c->count, "communities");
    if (status < 0) return status;
    if (o->split_weight == 0) o->split_weight = (double)g->n * g->n;
    if (!(o->split_weight > 0) || isinf(o->split_weight))
        return ksda_i_error(ctx, KSDA_INVALID, "split weight %g: must be a positive number", o->split_weight);
    if (!o->solver || strcmp(o->solver, "fast") == 0) {
        o->solver = "fast";
        return KSDA_OK;
    }
    const ksda_i_solver *solver = ksda_i_solver_find(o->solver);
    if (!solver) return ksda_i_error(ctx, KSDA_INVALID, "solver '%s' is unknown: expected fast or cbc", o->solver);
    if (!solver->info.available)
        return solver->solve(&(ksda_i_model){.ctx = ctx}, NULL, NULL); /* says what is missing */
    return KSDA_OK;
}

/* Recount everything from the edits; a solution that does not hold or costs something else is a bug, not an answer. */
static ksda_status recount(ksda_ctx *ctx, const ksda_i_exact_problem *p, const ksda_edits *edits,
                           ksda_optimal_result *result) {
    ksda_graph *published = NULL;
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_status status;
    uint32_t pieces = ksda_edits_pieces(edits), *owner = ksda_i_malloc(ctx, pieces, sizeof *owner);
    if (!owner) return KSDA_NOMEM;
    for (uint32_t i = 0; i < pieces; i++) owner[i] = ksda_edits_owner(edits, i);
    KSDA_I_TRY(ksda_edits_apply(ctx, edits, &published));
    KSDA_I_TRY(ksda_verify(ctx, p->graph, p->communities, published, owner, p->options->k, &v));
    result->added_edges = ksda_edits_added(edits, NULL);
    result->added_vertices = pieces - p->graph->n;
    result->objective = (double)result->added_edges + result->split_weight * (double)result->added_vertices;
    if (!v.valid || !v.satisfied || v.added_edges != result->added_edges || v.added_vertices != result->added_vertices)
        status = ksda_i_error(ctx, KSDA_INTERNAL, "the solution found does not pass verification: %s",
                              v.error[0] ? v.error : "it is not diverse or costs something else");
    else if (result->bound > result->objective + 1e-6 * (1 + fabs(result->objective)))
        status = ksda_i_error(ctx, KSDA_INTERNAL, "the bound %g lies above the solution's cost %g", result->bound,
                              result->objective);
done:
    ksda_graph_free(ctx, published);
    ksda_i_free(ctx, owner);
    return status;
}

/* What is handed over because the time is up must be recounted all the same: that is linear, and not stopped by it. */
static ksda_status verify(ksda_ctx *ctx, const ksda_i_exact_problem *p, const ksda_edits *edits,
                          ksda_optimal_result *result) {
    int finishing = atomic_exchange(&ctx->finishing, 0);
    double end = ctx->end;
    ctx->end = 0;
    ksda_status status = recount(ctx, p, edits, result);
    ctx->end = end;
    if (finishing) ksda_ctx_finish(ctx);
    return status;
}

ksda_status ksda_optimal(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_optimal_options *options, ksda_edits **out, ksda_optimal_result *result) {
    ksda_optimal_options full;
    ksda_optimal_result told = {.status = KSDA_MODEL_LIMIT, .objective = NAN, .bound = 0};
    ksda_i_exact_problem problem = {graph, communities, &full};
    double begin = ksda_i_now();
    ksda_status status;
    *out = NULL;
    ksda_optimal_options_init(&full);
    if (result) KSDA_I_TRY(ksda_i_result_check(ctx, &result_kind, result));
    KSDA_I_TRY(ksda_i_options_take(ctx, &options_kind, options, &full));
    KSDA_I_TRY(complete(ctx, graph, communities, &full));
    told.split_weight = full.split_weight;
    bool fast = strcmp(full.solver, "fast") == 0;
    ksda_i_exact_way *way = full.split ? (fast ? ksda_i_exact_split_fast : ksda_i_exact_split_ip)
                                       : (fast ? ksda_i_exact_add_fast : ksda_i_exact_add_ip);
    KSDA_I_TRY(way(ctx, &problem, out, &told));
    if (*out) KSDA_I_TRY(verify(ctx, &problem, *out, &told));
    told.seconds = ksda_i_now() - begin;
    if (result) ksda_i_result_give(&result_kind, result, &told);
    return KSDA_OK;
done:
    ksda_edits_free(ctx, *out);
    *out = NULL;
    return status;
}
