/* level-plan is never above any of the paper's six heuristics, on networks of every size: planted communities of very
 * different sizes, some of them dense, and many people who state none. */
#include "context.h"
#include "core/random.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/detect.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static double cost(const ksda_graph *g, const ksda_communities *c, const char *method, uint32_t k, double omega) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega, options.no_proof = 1;
    ksda_status status = ksda_anonymize(check_ctx, g, c, ksda_method_find(method), &options, &edits, &result);
    ksda_edits_free(check_ctx, edits);
    return status < 0 ? -1 : result.cost;
}

static double never_above_the_six(const ksda_planted_options *o, uint32_t k, double omega) {
    static const char *const six[] = {"edge-connect",   "inverse-edge-connect", "create-by-split",
                                      "merge-by-split", "flex-split",           "splitting-only"};
    ksda_graph *g;
    ksda_communities *c;
    assert_int_equal(ksda_generate_planted(check_ctx, o, &g, &c), KSDA_OK);
    double ours = cost(g, c, "level-plan", k, omega);
    for (size_t i = 0; i < sizeof six / sizeof *six; i++) {
        double theirs = cost(g, c, six[i], k, omega);
        if (theirs >= 0 && ours > theirs) print_error("%s: %g, level-plan: %g\n", six[i], theirs, ours);
        assert_true(theirs < 0 || (ours >= 0 && ours <= theirs));
    }
    ksda_communities_free(check_ctx, c);
    ksda_graph_free(check_ctx, g);
    return ours;
}

static void small_networks(void **state) {
    static const double omegas[] = {0.3, 2, 20, 0};
    (void)state;
    for (uint32_t i = 0; i < times_as_many(4); i++) {
        ksda_planted_options o;
        ksda_planted_options_init(&o);
        o.vertices = 60 + 10 * (i % 8), o.edges = o.vertices * (UINT64_C(2) + i % 7), o.communities = 4 + i % 9;
        o.size_exponent = 1.4 + 0.1 * (i % 8), o.not_stated = 0.1 * (i % 4);
        ksda_ctx_set_seed(check_ctx, i);
        never_above_the_six(&o, 2 + i % (o.communities - 1), omegas[i % 4]);
    }
}

/* So dense that no plan is found from the top; where there is time, above what was once too large to compare. Sets of
 * levels find 897 splits and 8,514 edges on the smaller one; compared with the weight asked for alone they came to
 * twice as many splits, and so they did where other weights took a share of the work. */
static void large_network(void **state) {
    ksda_planted_options o;
    uint32_t times = times_as_many(1) > 1 ? 3 : 1;
    (void)state;
    ksda_planted_options_init(&o);
    o.vertices = 1000 * times, o.edges = UINT64_C(67000) * times, o.communities = 40, o.size_exponent = 1.8,
    o.not_stated = 0.2;
    ksda_ctx_set_seed(check_ctx, 1);
    double ours = never_above_the_six(&o, 20, 0), splits = ours / ((double)o.vertices * o.vertices);
    if (times == 1) assert_true(splits < 1000);
}

/* One community of people with few friends: every level must be one that it reaches, so hubs fall into many pieces.
 * They are cut into as few as the highest level allows, a small part of what the heuristics make. */
static void hubs_are_cut_into_few_pieces(void **state) {
    enum {
        TINY = 12,
        BIG = 100,
        BIGS = 8
    };
    uint32_t of[TINY + BIG * BIGS], edge[2 * (TINY + BIG * BIGS * 12)], ends = 0;
    ksda_i_rng rng = ksda_i_rng_stream(1, 2, 3);
    ksda_graph *g;
    ksda_communities *c;
    (void)state;
    for (uint32_t v = 0; v < TINY + BIG * BIGS; v++) {
        of[v] = v < TINY ? BIGS : (v - TINY) / BIG;
        uint32_t first = v < TINY ? TINY : TINY + of[v] * BIG, degree = v < TINY ? 1 : v % 30 == 0 ? 40 : 2 + v % 9;
        for (uint32_t i = 0; i < degree; i++)
            edge[ends++] = v, edge[ends++] = first + (uint32_t)ksda_i_rng_below(&rng, BIG);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ends; i += 2)
        if (edge[i] != edge[i + 1]) edge[kept++] = edge[i], edge[kept++] = edge[i + 1];
    assert_true(ksda_graph_from_edges(check_ctx, TINY + BIG * BIGS, kept / 2, edge, &g) >= 0);
    assert_int_equal(ksda_communities_from_labels(check_ctx, TINY + BIG * BIGS, of, &c), KSDA_OK);
    double ours = cost(g, c, "level-plan", 9, 1000), theirs = cost(g, c, "flex-split", 9, 1000);
    assert_true(ours >= 0 && 12 * ours < theirs);
    ksda_communities_free(check_ctx, c);
    ksda_graph_free(check_ctx, g);
}

/* k is the number of communities, and one of them is a single vertex with one edge: there is one level, and it is no
 * higher than its neighbour, which must fall into as many pieces, has edges. 70 edges a vertex at level 6 are more than
 * 4,096 pieces, but far fewer than pieces of degree 1. */
static void one_vertex_decides_the_level(void **state) {
    enum {
        OTHERS = 400,
        EDGES = 14000,
        LEVEL = 6
    };
    uint32_t of[OTHERS + 1], degree[OTHERS + 1] = {0}, edges = 0, *edge = calloc(2 * EDGES, sizeof *edge);
    ksda_i_rng rng = ksda_i_rng_stream(1, 2, 4);
    ksda_graph *g;
    ksda_communities *c;
    char *taken = calloc((size_t)OTHERS * OTHERS, 1);
    double least = 0;
    (void)state;
    for (uint32_t v = 0; v <= OTHERS; v++) of[v] = v < OTHERS ? v % 3 : 3;
    edge[0] = OTHERS, edge[1] = 0, edges = 1; /* vertex 0 has LEVEL edges */
    while (edges < EDGES) {
        uint32_t u = (uint32_t)ksda_i_rng_below(&rng, OTHERS), v = (uint32_t)ksda_i_rng_below(&rng, OTHERS);
        if (edges < LEVEL) u = 0;
        if (u == v || taken[u * OTHERS + v] || (edges >= LEVEL && (!u || !v))) continue;
        taken[u * OTHERS + v] = taken[v * OTHERS + u] = 1;
        edge[2 * edges] = u, edge[2 * edges + 1] = v, edges++;
    }
    for (uint32_t i = 0; i < 2 * EDGES; i++) degree[edge[i]]++;
    for (uint32_t v = 0; v <= OTHERS; v++) least += (degree[v] - 1) / LEVEL;
    assert_true(ksda_graph_from_edges(check_ctx, OTHERS + 1, EDGES, edge, &g) >= 0);
    assert_int_equal(ksda_communities_from_labels(check_ctx, OTHERS + 1, of, &c), KSDA_OK);
    assert_true(cost(g, c, "level-plan", 4, 1e6) < 1.02e6 * (least + LEVEL));
    ksda_communities_free(check_ctx, c);
    ksda_graph_free(check_ctx, g);
    free(edge);
    free(taken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_networks, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(hubs_are_cut_into_few_pieces, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(one_vertex_decides_the_level, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(large_network, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
