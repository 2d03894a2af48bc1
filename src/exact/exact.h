/* exact.h: the ways to the optimum, seen from inside. */
#ifndef KSDA_I_EXACT_H
#define KSDA_I_EXACT_H

#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/exact.h>

/* What a way is asked: options are complete and valid. */
typedef struct ksda_i_exact_problem {
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_optimal_options *options;
} ksda_i_exact_problem;

/* Each sets status, bound, reason, and *out when it has a solution; the caller counts, verifies and sets the rest. */
typedef ksda_status ksda_i_exact_way(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                     ksda_optimal_result *result);
ksda_i_exact_way ksda_i_exact_add_ip, ksda_i_exact_add_fast, ksda_i_exact_split_ip, ksda_i_exact_split_fast;

/* Raise *bound, a lower bound on the edges that any solution without splits adds, `cost` being what a known one does; stops at `enough`. A matter of
 * seconds; nothing happens where the network is too large for it, or in a build without linear programming. */
ksda_status ksda_i_exact_certify(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k, double cost,
                                 double enough, double *bound);

#endif
