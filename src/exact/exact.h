/* exact.h: the ways to the optimum, seen from inside. */
#ifndef KSDA_I_EXACT_H
#define KSDA_I_EXACT_H

#include "bound/certificate.h"
#include "bound/colgen.h"
#include "bound/ranks.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include "lp/solver.h"

#include <ksda/exact.h>

/* What is known of releases without splits before the search begins. */
typedef struct ksda_i_exact_known {
    double bound;  /* they all cost at least so much */
    bool searched; /* heuristics were asked already: options->start, if anything, is what they found */
} ksda_i_exact_known;

/* What a way is asked: options are complete and valid. */
typedef struct ksda_i_exact_problem {
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_optimal_options *options;
    const ksda_i_solver *solver; /* serves the way; NULL in a build without any */
    ksda_i_exact_known known;
} ksda_i_exact_problem;

/* Each sets status, bound, reason, and *out when it has a solution; the caller counts, verifies and sets the rest. */
typedef ksda_status ksda_i_exact_way(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                     ksda_optimal_result *result);
ksda_i_exact_way ksda_i_exact_add_ip, ksda_i_exact_add_fast, ksda_i_exact_split_ip, ksda_i_exact_split_fast;

/* ksda_optimal(), for releases without splits, with what is known already. */
ksda_status ksda_i_optimal_from(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                const ksda_optimal_options *options, const ksda_i_exact_known *known, ksda_edits **out,
                                ksda_optimal_result *result);

/* Raise *bound, that of releases without splits, by linear programs, up to `enough` and within the work of the context;
 * a known release costs so much. KSDA_LIMIT at the time limit; what is in *bound holds. */
ksda_status ksda_i_level_bound(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double cost, double enough,
                               double *bound);

/* The same of releases with so many splits, at least one, where a known release costs so much; the splits count. terms:
 * of the program, at most; apart: then cases of it. *took: the terms that it had, 0 where none was small enough. */
ksda_status ksda_i_level_splits_bound(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k,
                                      const ksda_i_colgen_splits *splits, double cost, double enough, uint64_t terms,
                                      bool apart, double *bound, uint64_t *took);
/* The same of several numbers of splits, the weakest bound first. */
ksda_status ksda_i_level_splits_bounds(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double weight, double cost,
                                       double enough, ksda_i_proof_case *cases, uint32_t count);

/* Formulation 2 as an LP file. */
ksda_status ksda_i_write_split_lp(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_optimal_options *o, const char *path);

/* The least cost n_a + omega n_s that is not below a solver's bound. A bound counts only less what the solver's
 * tolerances may have added to it; costs that lie closer together than that are not told apart, and no cost is taken
 * for impossible because omega is a whole number where it is not. */
double ksda_i_cost_from(double bound, double omega);
/* Is it the cost itself? Both are sums of the same few numbers, so only the last digits can differ. */
static inline bool ksda_i_bound_meets(double bound, double cost) {
    return bound >= cost - 1e-12 * (1 + cost);
}

#endif
