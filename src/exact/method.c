/* The exact optimum as a row of the table of methods. Where a split costs more than all edges, the cheapest release
 * splits nobody if that is possible at all, which the faster method for adding edges finds out. */
#include "methods/methods.h"
#include "exact/exact.h"

KSDA_I_METHOD(optimal) {
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    ksda_status status;
    ksda_optimal_options_init(&o);
    o.k = options->k, o.split_weight = options->split_weight, o.max_share = options->max_share;
    o.split = options->split_weight < (double)graph->n * graph->n;
    KSDA_I_TRY(ksda_optimal(ctx, graph, communities, &o, out, &r));
    if (!o.split && r.status == KSDA_MODEL_INFEASIBLE) {
        o.split = 1;
        KSDA_I_TRY(ksda_optimal(ctx, graph, communities, &o, out, &r));
    }
    result->lower_bound = r.bound;
    if (r.status == KSDA_MODEL_INFEASIBLE) return ksda_i_error(ctx, KSDA_INFEASIBLE, "proved impossible: %s", r.reason);
    if (r.status == KSDA_MODEL_LIMIT)
        return ksda_i_error(ctx, KSDA_NOT_FOUND, "no solution was found in the time given");
    return r.status == KSDA_MODEL_OPTIMAL ? KSDA_OK : KSDA_LIMIT;
done:
    return status;
}
