#include "exact/exact.h"
ksda_status ksda_i_exact_add_fast(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                  ksda_optimal_result *result) {
    ksda_optimal_options o = *problem->options;
    ksda_i_exact_problem p = *problem;
    o.solver = "cbc", p.options = &o;
    return ksda_i_exact_add_ip(ctx, &p, out, result);
}
