/* The paper's integer programs, given to a solver as they are. */
#include "exact/exact.h"
#include "exact/formulation.h"
#include "lp/solver.h"

#include <math.h>
#include <stdio.h>

#define SLACK 1e-4 /* what a solver's tolerances may add to a bound ... */
#define SHARE 1e-7 /* ... and as a share of it */
#define MANY 1e6   /* splits that are not looked at one by one */

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
    ksda_status status;
    KSDA_I_TRY(ksda_i_add_edge_ip_build(ctx, problem->graph, problem->communities, problem->options->k,
                                        problem->options->max_share, &ip));
    KSDA_I_TRY(ksda_i_mip_solve(problem->solver, &ip.model, &o, &s));
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
    ksda_status status = ksda_i_split_ip_build(ctx, g, c, o->k, o->max_share, omega, pieces, ip);
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
    ksda_status status;
    KSDA_I_TRY(build_split(ctx, problem->graph, problem->communities, options, options->split_weight, &ip));
    KSDA_I_TRY(ksda_i_mip_solve(problem->solver, &ip.model, &o, &s));
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

ksda_status ksda_i_write_split_lp(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
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
