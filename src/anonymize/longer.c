/* The exact method goes on where level-plan's own proof ends (--bound): it stands above both, so neither needs the
 * other. */
#include "anonymize/longer.h"

#include "exact/exact.h"
#include "methods/methods.h"

#include <math.h>

/* Releases that split nobody: the exact method, which may find one that is better than the known release. It begins
 * with what level-plan has found and proved, unless level-plan was asked about splits that cost less than edges may. */
static ksda_status prove_unsplit(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_anonymize_options *o,
                                 const ksda_edits *start, double *bound, ksda_edits **out) {
    const double n = lists->n;
    bool whole = ksda_edits_pieces(start) == lists->n;
    const ksda_i_exact_known known = {.bound = *bound, .searched = whole || o->split_weight >= n * n};
    ksda_optimal_options options;
    ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
    ksda_optimal_options_init(&options);
    options.k = o->k;
    if (whole) options.start = start;
    ksda_status status = ksda_i_optimal_from(ctx, lists->graph, lists->partition, &options, &known, out, &result);
    if (status < 0) return status == KSDA_UNSUPPORTED ? KSDA_OK : status;
    *bound = fmax(*bound, result.bound);
    return KSDA_OK;
}

/* Half of the time for the first of the two where both have something to gain, and what is left for the other. */
ksda_status ksda_i_prove_longer(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_anonymize_options *options,
                                const ksda_edits *start, double cost, ksda_i_proof *proof, ksda_edits **out) {
    double before = ksda_i_limit_part(ctx, options->bound_seconds), end = ctx->deadline;
    ksda_status status = KSDA_OK;
    *out = NULL;
    if (proof->unsplit < cost) {
        if (proof->split < cost) ksda_i_limit_part(ctx, ksda_i_time_left(ctx) / 2);
        status = prove_unsplit(ctx, lists, options, start, &proof->unsplit, out);
        ctx->deadline = end;
    }
    if (status >= 0)
        status = ksda_i_proof_splits(ctx, lists, options->k, options->split_weight, cost,
                                     ksda_edits_pieces(start) - lists->n, proof);
    ctx->deadline = before;
    return status < 0 ? status : KSDA_OK;
}

KSDA_I_METHOD(level_plan_and_longer) {
    const ksda_i_plan_hooks hooks = {
        .longer = ksda_i_prove_longer, .edges = ksda_i_level_bound, .splits = ksda_i_level_splits_bounds};
    return ksda_i_level_plan_with(ctx, graph, communities, options, &hooks, out, result);
}
