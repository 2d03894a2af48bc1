/* The options that every method gets: complete, in range, and not known to be impossible. */
#include "core/sized.h"
#include "methods/methods.h"
#include "privacy/census.h"
#include "privacy/diversity.h"

#include <math.h>
#include <string.h>

#define MOST_PLAUSIBLE_COST 1000.0 /* per cent: more is an error of typing */

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_anonymize_options, bound_seconds);

void ksda_anonymize_options_init_sized(ksda_anonymize_options *options, size_t size) {
    ksda_i_options_init(&options_kind, options, size, &(ksda_anonymize_options){.plausible_cost = 25});
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

static ksda_status too_large(ksda_ctx *ctx, const ksda_communities *c, uint32_t community, uint64_t members,
                             uint64_t others, ksda_share most) {
    char name[128];
    ksda_communities_set_name(c, community, name, sizeof name);
    return ksda_i_error(ctx, KSDA_INFEASIBLE,
                        "impossible: community %s has %llu members, and all others can be split into %llu published "
                        "vertices at most, so it has more than %u/%u of all, and of some degree",
                        name, (unsigned long long)members, (unsigned long long)others, most.numerator,
                        most.denominator);
}

static ksda_status too_uneven(ksda_ctx *ctx, const ksda_communities *c, uint32_t community, uint64_t members,
                              uint64_t all, ksda_share most) {
    char name[128];
    ksda_communities_set_name(c, community, name, sizeof name);
    return ksda_i_error(ctx, KSDA_INFEASIBLE,
                        "impossible: community %s has %llu members, and all communities can be split into %llu "
                        "published vertices at most if none is to have more, so the largest one has more than %u/%u of "
                        "all, and of some degree",
                        name, (unsigned long long)members, (unsigned long long)all, most.numerator, most.denominator);
}

/* Nobody has more published vertices than edges, one without any: by community how many members, and how many vertices
 * at most. Returns the sum of the latter over everybody. */
static uint64_t count_members_and_edges(const ksda_graph *g, const ksda_communities *c, uint64_t *size,
                                        uint64_t *edges) {
    uint64_t all = 0;
    for (uint32_t i = 0, sets; i < c->start[c->counted]; i++) {
        uint32_t v = c->member[i], degree = ksda_i_degree(g, v) ? ksda_i_degree(g, v) : 1;
        const uint32_t *set = ksda_communities_set(c, v, &sets);
        all += degree;
        for (uint32_t j = 0; j < sets; j++) size[set[j]]++, edges[set[j]] += degree;
    }
    return all;
}

/* Where everybody has one community: let the largest one have x published vertices, at least as many as the largest has
 * members. All together then have at most the sum of what each can have up to x; divided by x that does not grow with
 * x, so that it is enough to look at the least x. */
static ksda_status check_share_even(ksda_ctx *ctx, const ksda_communities *c, uint32_t communities, ksda_share most,
                                    const uint64_t *size, const uint64_t *edges) {
    uint32_t largest = 0;
    uint64_t sum = 0;
    for (uint32_t i = 1; i < communities; i++)
        if (size[i] > size[largest]) largest = i;
    for (uint32_t i = 0; i < communities; i++) sum += edges[i] < size[largest] ? edges[i] : size[largest];
    if (size[largest] * most.denominator <= sum * most.numerator) return KSDA_OK;
    return too_uneven(ctx, c, largest, size[largest], sum, most);
}

/* Proofs that a share bound cannot hold: a degree has fewer communities than it takes; or the published vertices of one
 * community, which are no fewer than its members, are too many against those of all others, of which nobody can have
 * more than edges. */
ksda_status ksda_i_check_share_possible(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c,
                                        ksda_share most) {
    uint32_t communities = ksda_i_most_k(c);
    if (!most.denominator) return KSDA_OK;
    if (ksda_i_share_communities(most) > communities)
        return ksda_i_error(ctx, KSDA_INFEASIBLE,
                            "impossible: where no community has more than %u/%u of a degree, at least %u communities "
                            "have it, and there are only %u",
                            most.numerator, most.denominator, ksda_i_share_communities(most), communities);
    uint64_t *size = ksda_i_calloc(ctx, communities, 2 * sizeof *size);
    if (!size) return KSDA_NOMEM;
    uint64_t *edges = size + communities, all = count_members_and_edges(g, c, size, edges);
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < communities && status >= 0; i++)
        if (size[i] * most.denominator > (size[i] + all - edges[i]) * most.numerator)
            status = too_large(ctx, c, i, size[i], all - edges[i], most);
    if (status >= 0 && !c->sets) status = check_share_even(ctx, c, communities, most, size, edges);
    ksda_i_free(ctx, size);
    return status;
}

/* A share bound is for methods that know it. */
static ksda_status check_share(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_method *method, const ksda_share *share) {
    ksda_share valid;
    ksda_status status = ksda_i_check_share(ctx, share, &valid);
    if (status < 0 || !valid.denominator) return status;
    if (method && !(method->flags & KSDA_METHOD_SHARES))
        return ksda_i_error(ctx, KSDA_INVALID,
                            "%s counts communities and does not know a largest share; level-plan does, and `ksda check "
                            "--max-share` tells what a release of %s reaches",
                            method->name, method->name);
    if (!communities->sets) status = ksda_i_check_together(ctx, communities);
    return status < 0 ? status : ksda_i_check_share_possible(ctx, graph, communities, valid);
}

static ksda_status check_plausible(ksda_ctx *ctx, const ksda_method *method, const ksda_anonymize_options *o) {
    if (!(o->plausible_cost >= 0) || o->plausible_cost > MOST_PLAUSIBLE_COST)
        return ksda_i_error(ctx, KSDA_INVALID, "plausible cost %g: must be a percentage from 0 to %g",
                            o->plausible_cost, MOST_PLAUSIBLE_COST);
    if (o->favour != KSDA_FAVOUR_PLAUSIBLE) return KSDA_OK;
    if (method && strcmp(method->name, "level-plan") != 0)
        return ksda_i_error(ctx, KSDA_INVALID, "%s does not look for plausible edges; level-plan does", method->name);
    return KSDA_OK;
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
    status = check_plausible(ctx, method, full);
    if (status >= 0) status = check_share(ctx, graph, communities, method, &full->max_share);
    if (baseline || communities->sets || status < 0) return status;
    return ksda_i_check_isolated(ctx, graph, communities, full->k);
}
