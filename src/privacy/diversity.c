/* Is a network k-structurally diverse, and what would the degree attack learn?
 *
 * The attacker knows one degree d and guesses the community in which most vertices of degree d are. All answers follow
 * from the counts n(d, c) of vertices with degree d in community c. The vertices come in order of community, so one
 * counting sort by degree leaves, for every degree, the communities of its vertices in runs: each run is one n(d, c).
 * Time O(n + largest degree), memory 4 bytes a vertex and 8 a degree. */
#include "privacy/diversity.h"

#include "core/sized.h"
#include "graph/graph.h"
#include "privacy/census.h"
#include "privacy/disjoint.h"
#include "privacy/vocabulary.h"

#include <math.h>

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_diversity, baseline_entropy);

ksda_status ksda_i_check_k(ksda_ctx *ctx, uint32_t k, uint32_t most, const char *what) {
    if (k >= 1 && k <= most) return KSDA_OK;
    if (k == 0)
        return ksda_i_error(ctx, KSDA_INVALID, "k is not set: it must be between 1 and the number of %s, %u", what,
                            most);
    return ksda_i_error(ctx, KSDA_INVALID, "k is %u, but must be between 1 and the number of %s, %u", k, what, most);
}

ksda_status ksda_i_check_share(ksda_ctx *ctx, const ksda_share *given, ksda_share *out) {
    *out = given ? *given : (ksda_share){0, 0};
    if (out->numerator <= out->denominator && (out->numerator > 0) == (out->denominator > 0)) return KSDA_OK;
    return ksda_i_error(ctx, KSDA_INVALID, "the largest share of a community is %u/%u, but must lie in (0, 1]",
                        out->numerator, out->denominator);
}

ksda_status ksda_i_check_together(ksda_ctx *ctx, const ksda_communities *communities) {
    if (communities->count - communities->counted <= 1) return KSDA_OK;
    return ksda_i_error(ctx, KSDA_INVALID,
                        "%u vertices without a community stand apart and do not count towards k: no edge can be "
                        "added to them; take them together, or count them (own-counted)",
                        communities->count - communities->counted);
}

void ksda_diversity_clear(ksda_ctx *ctx, ksda_diversity *diversity) {
    if (!ksda_i_result_holds(&kind, diversity)) return;
    ksda_i_free(ctx, diversity->group);
    ksda_i_result_empty(&kind, diversity);
}

static uint32_t largest_degree(const ksda_graph *g) {
    uint32_t largest = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > largest) largest = ksda_i_degree(g, v);
    return largest;
}

/* The communities of the vertices, grouped by degree and ascending within: end[d] is where degree d ends. */
static void sort_by_degree(const ksda_graph *g, const ksda_communities *c, uint32_t degrees, uint64_t *end,
                           uint32_t *community) {
    for (uint32_t v = 0; v < g->n; v++) end[ksda_i_degree(g, v) + 1]++;
    for (uint32_t d = 0; d < degrees; d++) end[d + 1] += end[d];
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = c->member[i];
        community[end[ksda_i_degree(g, v)]++] = c->of[v];
    }
}

/* *share: the largest of a community that counts, *whose. */
static ksda_degree_group count_group(uint32_t degree, const uint32_t *community, uint32_t size,
                                     const ksda_i_census_model *model, ksda_share *share, uint32_t *whose) {
    ksda_degree_group group = {.degree = degree, .vertices = size};
    *share = (ksda_share){0, 0};
    double weighted = 0; /* sum of n(d, c) log n(d, c) */
    for (uint32_t i = 0, run; i < size; i += run) {
        for (run = 1; i + run < size && community[i + run] == community[i];) run++;
        group.communities += ksda_i_model_counts(model, community[i]);
        weighted += run * log2(run);
        if (run > group.likeliest_vertices) group.likeliest_vertices = run, group.likeliest = community[i];
        if (!ksda_i_model_counts(model, community[i])) continue;
        share->denominator += run;
        if (run > share->numerator) share->numerator = run, *whose = community[i];
    }
    group.entropy = group.likeliest_vertices < size ? log2(size) - weighted / size : 0;
    return group;
}

/* A group's largest share, which is that of the community. */
static void count_share(const ksda_degree_group *group, ksda_share share, uint32_t whose, ksda_diversity *out) {
    if (!ksda_i_share_holds(out->max_share, share.numerator, share.denominator))
        out->above_degrees++, out->above_vertices += group->vertices;
    if (!ksda_i_share_above(share, out->least_share)) return;
    out->least_share = share;
    out->worst_degree = group->degree;
    out->worst_community = whose;
}

/* Everything that sums over the groups. */
static void add_up(const ksda_i_census_model *model, ksda_diversity *out) {
    uint64_t hits = 0;
    double entropy = 0;
    out->largest_k = out->groups ? out->communities : 0;
    for (uint32_t i = 0; i < out->groups; i++) {
        const ksda_degree_group *group = &out->group[i];
        double posterior = (double)group->likeliest_vertices / group->vertices;
        hits += group->likeliest_vertices;
        entropy += group->vertices * group->entropy;
        ksda_i_tally tally = {.communities = group->communities};
        if (!ksda_i_model_enough(model, &tally)) {
            out->violating_vertices += group->vertices;
            if (out->overlap && out->group_most[i] >= model->k) out->undecided_vertices += group->vertices;
        }
        if (group->communities < out->largest_k) out->largest_k = group->communities;
        if (posterior > out->largest_posterior) out->largest_posterior = posterior;
    }
    out->share_satisfied = out->above_degrees == 0;
    out->satisfied = out->violating_vertices == 0 && out->share_satisfied;
    if (out->vertices) out->expected_success = (double)hits / out->vertices, out->entropy = entropy / out->vertices;
}

static void count_baseline(const ksda_communities *communities, ksda_i_disjoint *sets, ksda_diversity *out) {
    uint32_t largest = out->overlap ? ksda_i_disjoint_largest(sets) : 0;
    double weighted = 0;
    for (uint32_t c = 0; c < communities->count; c++) {
        uint32_t run = ksda_i_community_size(communities, c);
        weighted += run * log2(run);
        if (run > largest && !out->overlap) largest = run;
    }
    if (out->vertices == 0) return;
    out->baseline_success = (double)largest / out->vertices;
    out->baseline_entropy = out->communities > 1 ? log2(out->vertices) - weighted / out->vertices : 0;
}

/* The arrays are one block, which `group` holds. */
static ksda_status make_room(ksda_ctx *ctx, uint32_t groups, ksda_diversity *out) {
    uint64_t a_group = sizeof *out->group + sizeof *out->group_share + sizeof *out->group_most;
    out->group = ksda_i_malloc(ctx, groups * a_group + ksda_i_term_count * sizeof *out->term, 1);
    if (!out->group) return KSDA_NOMEM;
    out->term = (ksda_term_value *)(out->group + groups);
    out->terms = ksda_i_term_count;
    out->group_share = (ksda_share *)(out->term + out->terms);
    out->group_most = out->overlap ? (uint32_t *)(out->group_share + groups) : NULL;
    ksda_i_vocabulary_begin(out->term);
    return KSDA_OK;
}

static ksda_status count_groups(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                                ksda_share max_share, ksda_diversity *out) {
    ksda_status status = KSDA_NOMEM;
    const ksda_i_census_model model = ksda_i_census_model_of(communities, k);
    uint32_t degrees = largest_degree(graph) + 1, groups = 0;
    uint64_t *end = ksda_i_calloc(ctx, (uint64_t)degrees + 1, sizeof *end);
    uint32_t *community = ksda_i_malloc(ctx, graph->n, sizeof *community);
    ksda_i_disjoint sets = {.packer = {.ctx = NULL}};
    ksda_i_vocabulary words;
    ksda_status ready = ksda_i_vocabulary_open(ctx, communities, k, &words);
    *out = (ksda_diversity){.size = sizeof *out,
                            .k = k,
                            .vertices = graph->n,
                            .communities = ksda_communities_set_count(communities),
                            .max_share = max_share,
                            .overlap = communities->sets != NULL,
                            .recursive_l = words.l};
    if (!end || !community || ready < 0) goto done;
    if (out->overlap && ksda_i_disjoint_open(ctx, communities, graph->n, &sets) < 0) goto done;
    sort_by_degree(graph, communities, degrees, end, community);
    for (uint32_t d = 0; d < degrees; d++) groups += end[d] > (d ? end[d - 1] : 0);
    if (make_room(ctx, groups, out) < 0) goto done;
    for (uint32_t d = degrees; d-- > 0;) {
        uint64_t begin = d ? end[d - 1] : 0;
        uint32_t i = out->groups, whose = 0;
        if (end[d] == begin) continue;
        if (out->overlap) {
            out->group[i] = (ksda_degree_group){.degree = d};
            KSDA_I_TRY(ksda_i_disjoint_group(&sets, community + begin, (uint32_t)(end[d] - begin), &out->group[i],
                                             &out->group_most[i], &out->group_share[i], &whose));
        } else {
            out->group[i] =
                count_group(d, community + begin, (uint32_t)(end[d] - begin), &model, &out->group_share[i], &whose);
        }
        count_share(&out->group[i], out->group_share[i], whose, out);
        ksda_i_vocabulary_degree(&words, d, community + begin, out->group[i].vertices, out->term);
        out->groups++;
    }
    count_baseline(communities, &sets, out);
    add_up(&model, out);
    status = KSDA_OK;
done:
    ksda_i_disjoint_close(ctx, &sets);
    ksda_i_vocabulary_close(ctx, &words);
    ksda_i_free(ctx, end);
    ksda_i_free(ctx, community);
    return status;
}

ksda_status ksda_diversity_check_share(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                       uint32_t k, const ksda_share *max_share, ksda_diversity *out) {
    ksda_diversity told = KSDA_INIT(ksda_diversity);
    ksda_share share;
    ksda_status status = ksda_i_result_check(ctx, &kind, out);
    if (status < 0) return status;
    status = ksda_i_communities_fit(ctx, communities, graph);
    if (status >= 0) status = ksda_i_check_k(ctx, k, ksda_i_most_k(communities), "communities");
    if (status >= 0) status = ksda_i_check_share(ctx, max_share, &share);
    if (status < 0) return status;
    status = count_groups(ctx, graph, communities, k, share, &told);
    ksda_i_result_give(&kind, out, &told);
    return status;
}

ksda_status ksda_diversity_check(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 uint32_t k, ksda_diversity *out) {
    return ksda_diversity_check_share(ctx, graph, communities, k, NULL, out);
}
