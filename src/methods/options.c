/* The options that every method gets: complete, in range, and not known to be impossible. */
#include "core/sized.h"
#include "methods/methods.h"
#include "privacy/census.h"
#include "privacy/diversity.h"

#include <math.h>

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_anonymize_options, bound_seconds);

void ksda_anonymize_options_init_sized(ksda_anonymize_options *options, size_t size) {
    ksda_i_options_init(&options_kind, options, size, &(ksda_anonymize_options){.k = 0});
}

ksda_status ksda_i_check_isolated(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k) {
    const ksda_i_census_model model = ksda_i_census_model_of(c, k);
    ksda_i_tally zero = {0, 0};
    uint32_t alone = KSDA_NO_VERTEX;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t j = c->start[i];
        while (j < c->start[i + 1] && ksda_i_degree(g, c->member[j]) > 0) j++;
        if (j == c->start[i + 1]) continue;
        zero.communities += ksda_i_model_counts(&model, i);
        if (ksda_i_community_size(c, i) == 1) alone = c->member[j];
    }
    if (alone == KSDA_NO_VERTEX || ksda_i_model_enough(&model, &zero)) return KSDA_OK;
    char name[128], community[128];
    ksda_graph_name(g, alone, name, sizeof name);
    ksda_communities_name(c, c->of[alone], community, sizeof community);
    return ksda_i_error(
        ctx, KSDA_INFEASIBLE,
        "impossible for k = %u: vertex %s has no edge and is alone in community %s, so its degree stays 0, and "
        "only %u of the communities have a vertex of degree 0",
        k, name, community, zero.communities);
}

/* What the caller left out is filled in; what is out of range or impossible is refused. */
ksda_status ksda_i_anonymize_options(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     const ksda_method *method, const ksda_anonymize_options *options,
                                     ksda_anonymize_options *full) {
    bool baseline = method && method->flags & KSDA_METHOD_BASELINE;
    uint32_t most = baseline ? graph->n : ksda_i_most_k(communities);
    ksda_anonymize_options_init(full);
    ksda_status status = ksda_i_options_take(ctx, &options_kind, options, full);
    if (status >= 0) status = ksda_i_communities_fit(ctx, communities, graph);
    if (status >= 0) status = ksda_i_check_k(ctx, full->k, most, baseline ? "vertices" : "communities");
    if (status < 0) return status;
    if (communities->sets && method && !(method->flags & KSDA_METHOD_OVERLAP))
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "%s does not know people in several communities; level-plan, edge-connect, flex-split and "
                            "`ksda optimal` do",
                            method->name);
    if (full->split_weight == 0) full->split_weight = (double)graph->n * graph->n;
    if (!(full->split_weight > 0) || isinf(full->split_weight))
        return ksda_i_error(ctx, KSDA_INVALID, "split weight %g: must be a positive number", full->split_weight);
    return baseline || communities->sets ? KSDA_OK : ksda_i_check_isolated(ctx, graph, communities, full->k);
}
