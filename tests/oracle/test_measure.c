/* Every measure that igraph has, against igraph: on thousands of random networks of 0 to 60 vertices, disconnected,
 * with isolated vertices, empty ones and single vertices included, and on the data networks up to 25,000 vertices. */
#include "in_igraph.h"
#include "realistic.h"

#include <ksda/measure.h>

#include <igraph.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static ksda_ctx *new_ctx(unsigned threads) {
    ksda_ctx *ctx;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_set_threads(ctx, threads);
    return ctx;
}

/* Equal up to rounding; both may be NaN. */
static void near(const char *what, double ours, double theirs, double tolerance) {
    if (isnan(ours) && isnan(theirs)) return;
    if (fabs(ours - theirs) <= tolerance * fmax(1, fabs(theirs))) return;
    fail_msg("%s: %.17g, igraph %.17g", what, ours, theirs);
}

static void near_all(const char *what, const double *ours, const igraph_vector_t *theirs, double tolerance) {
    for (igraph_integer_t i = 0; i < igraph_vector_size(theirs); i++)
        near(what, ours[i], VECTOR(*theirs)[i], tolerance);
}

static void check_vertices(ksda_ctx *ctx, const ksda_graph *g, const igraph_t *h) {
    igraph_vector_t theirs;
    double *ours = malloc(sizeof *ours * (g->n + 1));
    igraph_vector_init(&theirs, 0);
    assert_int_equal(ksda_local_clustering(ctx, g, ours), KSDA_OK);
    igraph_transitivity_local_undirected(h, &theirs, igraph_vss_all(), IGRAPH_TRANSITIVITY_NAN);
    near_all("local clustering", ours, &theirs, 1e-12);
    assert_int_equal(ksda_betweenness(ctx, g, ours), KSDA_OK);
    igraph_betweenness(h, &theirs, igraph_vss_all(), IGRAPH_UNDIRECTED, NULL);
    near_all("betweenness", ours, &theirs, 1e-9);
    assert_int_equal(ksda_closeness(ctx, g, ours), KSDA_OK);
    igraph_closeness(h, &theirs, NULL, NULL, igraph_vss_all(), IGRAPH_ALL, NULL, true);
    near_all("closeness", ours, &theirs, 1e-12);
    igraph_vector_destroy(&theirs);
    free(ours);
}

static void check_cores(ksda_ctx *ctx, const ksda_graph *g, const igraph_t *h) {
    igraph_vector_int_t cores, membership;
    igraph_integer_t count;
    uint32_t *ours = malloc(sizeof *ours * (g->n + 1)), components;
    igraph_vector_int_init(&cores, 0);
    igraph_vector_int_init(&membership, 0);
    assert_int_equal(ksda_coreness(ctx, g, ours), KSDA_OK);
    igraph_coreness(h, &cores, IGRAPH_ALL);
    for (uint32_t v = 0; v < g->n; v++) assert_int_equal(ours[v], VECTOR(cores)[v]);
    assert_int_equal(ksda_components(ctx, g, ours, &components), KSDA_OK);
    igraph_connected_components(h, &membership, NULL, &count, IGRAPH_WEAK);
    assert_int_equal(components, count);
    for (uint32_t v = 0; v < g->n; v++) assert_int_equal(ours[v], VECTOR(membership)[v]);
    igraph_vector_int_destroy(&cores);
    igraph_vector_int_destroy(&membership);
    free(ours);
}

/* Where the largest eigenvalue is not single, the vector is not determined: then only its residual is checked. */
static void check_eigenvector(ksda_ctx *ctx, const ksda_graph *g, const igraph_t *h) {
    if (g->m == 0) return;
    igraph_vector_t theirs;
    igraph_real_t value;
    igraph_arpack_options_t arpack;
    double radius, *ours = malloc(sizeof *ours * g->n), worst = 0, apart = 0;
    igraph_arpack_options_init(&arpack);
    igraph_vector_init(&theirs, 0);
    assert_int_equal(ksda_eigenvector_centrality(ctx, g, ours, &radius), KSDA_OK);
    igraph_set_warning_handler(igraph_warning_handler_ignore);
    igraph_eigenvector_centrality(h, &theirs, &value, IGRAPH_UNDIRECTED, true, NULL, &arpack);
    near("spectral radius", radius, value, 1e-9);
    for (uint32_t v = 0; v < g->n; v++) {
        double sum = -radius * ours[v];
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) sum += ours[g->adj[e]];
        worst = fmax(worst, fabs(sum));
        apart = fmax(apart, fabs(ours[v] - VECTOR(theirs)[v]));
    }
    assert_true(worst < 1e-9 * radius);
    uint32_t *component = malloc(sizeof *component * g->n), components;
    assert_int_equal(ksda_components(ctx, g, component, &components), KSDA_OK);
    if (components == 1) assert_true(apart < 1e-7); /* ARPACK's own error is of that order where the gap is small */
    free(component);
    igraph_vector_destroy(&theirs);
    free(ours);
}

static double effective_diameter(const igraph_vector_t *pairs) {
    double all = igraph_vector_sum(pairs), below = 0;
    for (igraph_integer_t d = 0; d < igraph_vector_size(pairs); d++) {
        if (below + VECTOR(*pairs)[d] >= 0.9 * all) return (double)d + (0.9 * all - below) / VECTOR(*pairs)[d];
        below += VECTOR(*pairs)[d];
    }
    return NAN;
}

static void check_values(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, const igraph_t *h) {
    ksda_measures m = KSDA_INIT(ksda_measures);
    igraph_real_t theirs;
    igraph_vector_t pairs, all;
    igraph_vector_init(&pairs, 0);
    igraph_vector_init(&all, 0);
    assert_int_equal(ksda_measure(ctx, g, c, NULL, &m), KSDA_OK);
    assert_true(m.exact);
    igraph_transitivity_avglocal_undirected(h, &theirs, IGRAPH_TRANSITIVITY_NAN);
    near("clustering", m.value[KSDA_MEASURE_CLUSTERING].value, theirs, 1e-12);
    igraph_transitivity_undirected(h, &theirs, IGRAPH_TRANSITIVITY_NAN);
    near("global clustering", m.value[KSDA_MEASURE_GLOBAL_CLUSTERING].value, theirs, 1e-12);
    igraph_average_path_length(h, &theirs, NULL, IGRAPH_UNDIRECTED, true);
    near("aspl", m.value[KSDA_MEASURE_ASPL].value, theirs, 1e-12);
    igraph_path_length_hist(h, &pairs, &theirs, IGRAPH_UNDIRECTED);
    for (igraph_integer_t d = 0; d < igraph_vector_size(&pairs); d++)
        assert_true(m.distances.count[d + 1] == VECTOR(pairs)[d]);
    near("effective diameter", m.value[KSDA_MEASURE_EFFECTIVE_DIAMETER].value, effective_diameter(&pairs), 1e-12);
    near("diameter", m.value[KSDA_MEASURE_DIAMETER].value,
         igraph_vector_size(&pairs) ? (double)igraph_vector_size(&pairs) : NAN, 0);
    igraph_closeness(h, &all, NULL, NULL, igraph_vss_all(), IGRAPH_ALL, NULL, true);
    double sum = 0, count = 0;
    for (igraph_integer_t i = 0; i < igraph_vector_size(&all); i++)
        if (!isnan(VECTOR(all)[i])) sum += VECTOR(all)[i], count++;
    near("mean closeness", m.value[KSDA_MEASURE_CLOSENESS].value, count > 0 ? sum / count : NAN, 1e-12);
    if (g->n > 2) {
        igraph_real_t most;
        igraph_centralization_degree(h, NULL, IGRAPH_ALL, IGRAPH_NO_LOOPS, &theirs, &most, true);
        near("degree centralization", m.value[KSDA_MEASURE_DEGREE_CENTRALIZATION].value, theirs, 1e-12);
        igraph_centralization_betweenness(h, &all, IGRAPH_UNDIRECTED, &theirs, &most, true);
        near("betweenness centralization", m.value[KSDA_MEASURE_BETWEENNESS_CENTRALIZATION].value, theirs, 1e-9);
        near("betweenness mean", m.value[KSDA_MEASURE_BETWEENNESS_MEAN].value, igraph_vector_sum(&all) / g->n, 1e-9);
    }
    igraph_assortativity_degree(h, &theirs, false);
    if (!isnan(m.value[KSDA_MEASURE_ASSORTATIVITY].value))
        near("assortativity", m.value[KSDA_MEASURE_ASSORTATIVITY].value, theirs, 1e-9);
    else
        assert_true(g->m == 0 || isnan(theirs) || isinf(theirs) || fabs(theirs) <= 1 + 1e-9);
    if (c && g->m > 0) {
        igraph_vector_int_t membership;
        igraph_vector_int_init(&membership, g->n);
        for (uint32_t v = 0; v < g->n; v++) VECTOR(membership)[v] = ksda_communities_of(c, v);
        igraph_modularity(h, &membership, NULL, 1, IGRAPH_UNDIRECTED, &theirs);
        near("modularity", m.value[KSDA_MEASURE_MODULARITY].value, theirs, 1e-12);
        igraph_vector_int_destroy(&membership);
    }
    ksda_measures_clear(ctx, &m);
    igraph_vector_destroy(&pairs);
    igraph_vector_destroy(&all);
}

static void check_all(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c) {
    igraph_t h;
    to_igraph(g, &h);
    check_vertices(ctx, g, &h);
    check_cores(ctx, g, &h);
    check_eigenvector(ctx, g, &h);
    check_values(ctx, g, c, &h);
    igraph_destroy(&h);
}

/* Cliques joined by a few edges have many cut vertices and twins, which G(n, p) hardly has. */
static ksda_graph *clique_graph(ksda_ctx *ctx, uint64_t seed, uint32_t n) {
    ksda_i_rng r = ksda_i_rng_stream(seed, 0x636c6971, n);
    uint32_t *pairs = malloc(sizeof *pairs * 60 * 60 * 4);
    uint64_t m = 0;
    ksda_graph *g;
    for (uint32_t made = 0; made < n / 3 + 1; made++) {
        uint32_t size = 2 + (uint32_t)ksda_i_rng_below(&r, 4), member[6];
        for (uint32_t i = 0; i < size; i++) member[i] = (uint32_t)ksda_i_rng_below(&r, n);
        bool star = ksda_i_rng_below(&r, 4) == 0;
        for (uint32_t i = 0; i < size; i++)
            for (uint32_t j = i + 1; j < size; j++)
                if (!star || i == 0) pairs[2 * m] = member[i], pairs[2 * m++ + 1] = member[j];
    }
    assert_int_equal(ksda_graph_from_edges(ctx, n, m, pairs, &g), KSDA_OK);
    free(pairs);
    return g;
}

static void random_networks(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(2);
    static const double density[] = {0, 0.02, 0.05, 0.1, 0.3, 0.7, 1};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ksda_network net;
        uint32_t n = (uint32_t)(seed % 61);
        random_network(ctx, seed, n, density[seed % 7], 1 + (uint32_t)(seed % 4), &net);
        check_all(ctx, net.graph, n >= 4 ? net.communities : NULL);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

static void networks_of_cliques(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(1);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ksda_graph *g = clique_graph(ctx, seed, (uint32_t)(1 + seed % 60));
        check_all(ctx, g, NULL);
        ksda_graph_free(ctx, g);
    }
    ksda_ctx_free(ctx);
}

/* Blocks above 2,048 vertices are cut into chunks: cliques and random edges, enough for one such block and many hanging
 * on it. */
static void large_block(void **state) {
    (void)state;
    enum {
        N = 4500
    };
    ksda_ctx *ctx = new_ctx(2);
    ksda_i_rng r = ksda_i_rng_stream(1, 0x6c617267, 0);
    uint32_t *pairs = malloc(sizeof *pairs * 40 * N);
    uint64_t m = 0;
    for (uint32_t made = 0; made < 1300; made++) {
        uint32_t size = 2 + (uint32_t)ksda_i_rng_below(&r, 5), member[8];
        for (uint32_t i = 0; i < size; i++) member[i] = (uint32_t)ksda_i_rng_below(&r, N);
        for (uint32_t i = 0; i < size; i++)
            for (uint32_t j = i + 1; j < size; j++) pairs[2 * m] = member[i], pairs[2 * m++ + 1] = member[j];
    }
    for (uint32_t i = 0; i < 3000; i++, m++) {
        pairs[2 * m] = (uint32_t)ksda_i_rng_below(&r, 3000);
        pairs[2 * m + 1] = (uint32_t)ksda_i_rng_below(&r, 3000);
    }
    ksda_graph *g;
    igraph_t h;
    igraph_vector_t theirs;
    double *ours = malloc(sizeof *ours * N);
    assert_int_equal(ksda_graph_from_edges(ctx, N, m, pairs, &g), KSDA_OK);
    to_igraph(g, &h);
    igraph_vector_init(&theirs, 0);
    assert_int_equal(ksda_betweenness(ctx, g, ours), KSDA_OK);
    igraph_betweenness(&h, &theirs, igraph_vss_all(), IGRAPH_UNDIRECTED, NULL);
    near_all("betweenness", ours, &theirs, 1e-9);
    igraph_vector_destroy(&theirs);
    igraph_destroy(&h);
    ksda_graph_free(ctx, g);
    free(ours);
    free(pairs);
    ksda_ctx_free(ctx);
}

/* How alike two partitions are, as igraph has it. */
static void partitions(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(1);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 0x70617274, 0);
        uint32_t n = 2 + (uint32_t)ksda_i_rng_below(&r, 60), a[64], b[64];
        uint64_t labels_a = 1 + ksda_i_rng_below(&r, n < 12 ? n : 12),
                 labels_b = 1 + ksda_i_rng_below(&r, n < 12 ? n : 12);
        igraph_vector_int_t x, y;
        igraph_real_t nmi, ari;
        ksda_agreement ours = KSDA_INIT(ksda_agreement);
        igraph_vector_int_init(&x, n);
        igraph_vector_int_init(&y, n);
        for (uint32_t i = 0; i < n; i++) {
            a[i] = (uint32_t)ksda_i_rng_below(&r, labels_a);
            b[i] = ksda_i_rng_below(&r, 3) ? a[i] : (uint32_t)ksda_i_rng_below(&r, labels_b);
            VECTOR(x)[i] = a[i], VECTOR(y)[i] = b[i];
        }
        assert_int_equal(ksda_partition_agreement(ctx, n, a, b, &ours), KSDA_OK);
        igraph_compare_communities(&x, &y, &nmi, IGRAPH_COMMCMP_NMI);
        igraph_compare_communities(&x, &y, &ari, IGRAPH_COMMCMP_ADJUSTED_RAND);
        near("nmi", ours.nmi, nmi, 1e-9);
        if (!isnan(ari)) near("ari", ours.ari, ari, 1e-9);
        igraph_vector_int_destroy(&x);
        igraph_vector_int_destroy(&y);
    }
    ksda_ctx_free(ctx);
}

static void data_networks(void **state) {
    (void)state;
    static const char *const name[] = {"karate",       "lesmis",        "football", "polbooks",
                                       "usairport500", "email-Eu-core", "polblogs"};
    ksda_ctx *ctx = new_ctx(2);
    uint32_t seen = 0;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        ksda_network net;
        if (!data_network(ctx, name[i], i == 4 ? "metis5" : "", &net)) continue;
        check_all(ctx, net.graph, net.communities);
        ksda_network_clear(ctx, &net);
        seen++;
    }
    ksda_ctx_free(ctx);
    if (!seen) skip();
}

/* The same where there is no data folder. */
static void realistic_networks(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(2);
    ksda_network net;
    for (size_t i = 0; realistic_network(ctx, i, &net); i++) {
        check_all(ctx, net.graph, net.communities);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

/* ca-CondMat: igraph needs minutes for all paths, so its betweenness is compared for the centralization, whose value is
 * known, and everything that igraph does fast is compared in full. */
static void condmat(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(2);
    ksda_network net;
    if (!data_network(ctx, "ca-CondMat", NULL, &net)) {
        ksda_ctx_free(ctx);
        skip();
    }
    ksda_measures m = KSDA_INIT(ksda_measures);
    igraph_t h;
    igraph_vector_t theirs;
    double *ours = malloc(sizeof *ours * net.graph->n);
    assert_int_equal(ksda_measure(ctx, net.graph, NULL, NULL, &m), KSDA_OK);
    assert_true(m.exact);
    near("clustering", m.value[KSDA_MEASURE_CLUSTERING].value, 0.705816, 5e-7);
    near("aspl", m.value[KSDA_MEASURE_ASPL].value, 5.352102, 5e-7);
    near("degree centralization", m.value[KSDA_MEASURE_DEGREE_CENTRALIZATION].value, 0.011712995, 5e-10);
    near("betweenness centralization", m.value[KSDA_MEASURE_BETWEENNESS_CENTRALIZATION].value, 0.0756486, 5e-8);
    to_igraph(net.graph, &h);
    igraph_vector_init(&theirs, 0);
    assert_int_equal(ksda_local_clustering(ctx, net.graph, ours), KSDA_OK);
    igraph_transitivity_local_undirected(&h, &theirs, igraph_vss_all(), IGRAPH_TRANSITIVITY_NAN);
    near_all("local clustering", ours, &theirs, 1e-12);
    check_cores(ctx, net.graph, &h);
    check_eigenvector(ctx, net.graph, &h);
    /* closeness from some vertices, with everybody as the other end */
    igraph_vs_t some;
    igraph_vs_range(&some, 0, 200);
    assert_int_equal(ksda_closeness(ctx, net.graph, ours), KSDA_OK);
    igraph_closeness(&h, &theirs, NULL, NULL, some, IGRAPH_ALL, NULL, true);
    near_all("closeness", ours, &theirs, 1e-12);
    igraph_vector_destroy(&theirs);
    igraph_destroy(&h);
    free(ours);
    ksda_measures_clear(ctx, &m);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks), cmocka_unit_test(networks_of_cliques),
                                       cmocka_unit_test(large_block),     cmocka_unit_test(partitions),
                                       cmocka_unit_test(data_networks),   cmocka_unit_test(realistic_networks),
                                       cmocka_unit_test(condmat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
