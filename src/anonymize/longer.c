/* The exact method goes on where level-plan's own proof ends (--bound): it stands above both, so neither needs the
 * other. */
#include "anonymize/longer.h"

#include "methods/methods.h"

#include <ksda/exact.h>
#include <math.h>

/* Releases that split nobody: the exact method, which may find one that is better than the known release. */
static ksda_status prove_whole(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                               const ksda_edits *start, double *bound, ksda_edits **out) {
    ksda_optimal_options options;
    ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
    ksda_optimal_options_init(&options);
    options.k = k;
    if (ksda_edits_pieces(start) == graph->n) options.start = start;
    ksda_status status = ksda_optimal(ctx, graph, communities, &options, out, &result);
    if (status < 0) return status == KSDA_UNSUPPORTED ? KSDA_OK : status;
    *bound = fmax(*bound, result.bound);
    return KSDA_OK;
}

/* Half of the time for the first of the two where both have something to gain, and what is left for the other. */
ksda_status ksda_i_prove_longer(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                const ksda_anonymize_options *options, const ksda_edits *start, double cost,
                                ksda_i_proof *proof, ksda_edits **out) {
    double before = ksda_i_limit_part(ctx, options->bound_seconds), end = ctx->deadline;
    ksda_status status = KSDA_OK;
    *out = NULL;
    if (proof->unsplit < cost) {
        if (proof->split < cost) ksda_i_limit_part(ctx, ksda_i_time_left(ctx) / 2);
        status = prove_whole(ctx, graph, communities, options->k, start, &proof->unsplit, out);
        ctx->deadline = end;
    }
    if (status >= 0)
        status = ksda_i_proof_splits(ctx, graph, communities, options->k, options->split_weight, cost,
                                     ksda_edits_pieces(start) - graph->n, proof);
    ctx->deadline = before;
    return status < 0 ? status : KSDA_OK;
}

KSDA_I_METHOD(level_plan_and_longer) {
    const ksda_i_plan_hooks hooks = {.longer = ksda_i_prove_longer};
    return ksda_i_level_plan_with(ctx, graph, communities, options, &hooks, out, result);
}
