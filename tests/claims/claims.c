/* The command again, with one of its provers a liar: the one that $KSDA_CLAIM names claims a little more than is true
 * of a release that it has seen. The linker sends the calls of these functions through here (--wrap). The file
 * `claimed` appears when the lie is told, so that a test knows that it was. tests/cli/claims.sh runs it. */
#include "bound/colgen.h"
#include "bound/lagrangian.h"
#include "exact/exact.h"
#include "lp/solver.h"
#include "methods/levelplan/level_plan.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static bool lies(const char *prover) {
    const char *liar = getenv("KSDA_CLAIM");
    if (!liar || strcmp(liar, prover) != 0) return false;
    int file = open("claimed", O_WRONLY | O_CREAT, 0600);
    if (file < 0 || close(file) != 0) abort();
    return true;
}

/* REAL(function, parameters): the declarations that --wrap wants. */
#define REAL(function, ...)                                                                                            \
    ksda_status __real_##function(__VA_ARGS__);                                                                        \
    ksda_status __wrap_##function(__VA_ARGS__);                                                                        \
    ksda_status __wrap_##function(__VA_ARGS__)

REAL(ksda_i_lagrangian_bound, ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k,
     double split_weight, uint32_t splits, double cost, uint64_t work, ksda_i_bound_prices *prices, double *out) {
    ksda_status status =
        __real_ksda_i_lagrangian_bound(ctx, graph, lists, k, split_weight, splits, cost, work, prices, out);
    if (status >= 0 && lies("lagrangian")) *out = cost + 1;
    return status;
}

REAL(ksda_i_colgen_bound, const ksda_i_levels *l, const ksda_i_colgen_options *options, double *cutoff, double *bound,
     bool *fits, bool *whole) {
    ksda_status status = __real_ksda_i_colgen_bound(l, options, cutoff, bound, fits, whole);
    if (status >= 0 && *fits && lies("column generation")) *bound = *cutoff + 2;
    return status;
}

REAL(ksda_i_colgen_certify, ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, const ksda_i_colgen_splits *splits,
     double cost, double enough, bool longer, double *bound, double *mean) {
    ksda_status status = __real_ksda_i_colgen_certify(ctx, lists, k, splits, cost, enough, longer, bound, mean);
    if (status >= 0 && lies("certificate")) *bound = cost + 1;
    return status;
}

REAL(ksda_i_level_splits_bounds, ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double weight, double cost,
     double enough, ksda_i_proof_case *cases, uint32_t count) {
    ksda_status status = __real_ksda_i_level_splits_bounds(ctx, lists, k, weight, cost, enough, cases, count);
    if (status >= 0 && lies("level program with splits"))
        for (uint32_t i = 0; i < count; i++) cases[i].bound = cost + 1;
    return status;
}

REAL(ksda_i_splits_needed, ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, uint32_t *out) {
    ksda_status status = __real_ksda_i_splits_needed(ctx, lists, k, out);
    if (status >= 0 && lies("splits needed")) *out = 1000;
    return status;
}

REAL(ksda_i_exhaustive_search, ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
     ksda_share share, uint64_t work, uint32_t below, ksda_pair **out, uint32_t *found, uint32_t *proved) {
    ksda_status status =
        __real_ksda_i_exhaustive_search(ctx, graph, communities, k, share, work, below, out, found, proved);
    if (status >= 0 && lies("exhaustive")) *proved = UINT32_MAX;
    return status;
}

/* "splits": how many there are at least, "program": the paper's program as it is. */
REAL(ksda_i_mip_solve, const ksda_i_solver *solver, const ksda_i_model *m, const ksda_i_solve_options *options,
     ksda_i_solution *out) {
    ksda_status status = __real_ksda_i_mip_solve(solver, m, options, out);
    if (status >= 0 && strcmp(options->stage, "counting splits") == 0 && lies("splits counted")) out->bound += 1;
    if (status >= 0 && strcmp(options->stage, "integer program") == 0 && lies("program")) out->bound += 1;
    return status;
}

/* A solver of linear programs that ends its process instead, as an assertion of it would. */
static ksda_i_lp_state end_process(void *engine, bool repriced, int pivots, uint64_t *done) {
    (void)engine, (void)repriced, (void)pivots, (void)done;
    abort();
}

const ksda_i_solver *__real_ksda_i_solver_default(void);
const ksda_i_solver *__wrap_ksda_i_solver_default(void);
const ksda_i_solver *__wrap_ksda_i_solver_default(void) {
    static ksda_i_lp_engine failing;
    static ksda_i_solver row;
    const ksda_i_solver *real = __real_ksda_i_solver_default();
    if (!real || !lies("the solver's process ends")) return real;
    row = *real, failing = *real->lp;
    failing.run = end_process, row.lp = &failing;
    return &row;
}

/* What one run of the frontier proves. */
REAL(ksda_i_level_plan_with, ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
     const ksda_anonymize_options *options, const ksda_i_plan_hooks *hooks, ksda_edits **out,
     ksda_anonymize_result *result) {
    ksda_status status = __real_ksda_i_level_plan_with(ctx, graph, communities, options, hooks, out, result);
    if (status >= 0 && lies("level-plan"))
        result->lower_bound =
            (double)ksda_edits_added(*out, NULL) + options->split_weight * (ksda_edits_pieces(*out) - graph->n) + 1;
    return status;
}

/* The same seen by the exact methods, which begin with it, and by the table of methods. */
REAL(ksda_i_level_plan, ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
     const ksda_anonymize_options *options, ksda_edits **out, ksda_anonymize_result *result) {
    ksda_status status = __real_ksda_i_level_plan(ctx, graph, communities, options, out, result);
    if (status >= 0 && lies("first solution"))
        result->lower_bound =
            (double)ksda_edits_added(*out, NULL) + options->split_weight * (ksda_edits_pieces(*out) - graph->n) + 1;
    return status;
}
