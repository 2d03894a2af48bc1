/* Measures of one network: sampled intervals hold at their rate, threads change nothing, failures leave nothing behind.
 * What igraph knows is checked in tests/oracle. */
#include "failing_memory.h"
#include "measure/measure.h"
#include "measure/order.h"
#include "measure/statistics.h"
#include "random_graph.h"

#include <ksda/detect.h>
#include <ksda/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static ksda_ctx *new_ctx(const ksda_allocator *allocator) {
    ksda_ctx *ctx;
    assert_int_equal(ksda_ctx_new(allocator, &ctx), KSDA_OK);
    return ctx;
}

/* A network whose largest block is too large to be one thread's work. */
static ksda_graph *large_graph(ksda_ctx *ctx, uint32_t vertices, uint64_t edges) {
    ksda_rmat_options options;
    ksda_graph *g;
    ksda_rmat_options_init(&options);
    options.vertices = vertices;
    options.scale = 13;
    options.edges = edges;
    assert_int_equal(ksda_generate_rmat(ctx, &options, &g, NULL), KSDA_OK);
    return g;
}

static const ksda_measure_id sampled_rows[] = {KSDA_MEASURE_ASPL, KSDA_MEASURE_EFFECTIVE_DIAMETER,
                                               KSDA_MEASURE_CLOSENESS, KSDA_MEASURE_BETWEENNESS_CENTRALIZATION,
                                               KSDA_MEASURE_BETWEENNESS_MEAN};
#define ROWS (sizeof sampled_rows / sizeof *sampled_rows)

/* 200 seeds: at 95 % the hits are 190 give or take 3; 180 is more than three standard deviations away. */
static void intervals_hold_at_their_rate(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(NULL);
    ksda_graph *g = large_graph(ctx, 4000, 12000);
    ksda_measure_options options;
    ksda_measures truth = KSDA_INIT(ksda_measures), m = KSDA_INIT(ksda_measures);
    uint32_t hits[ROWS] = {0};
    ksda_measure_options_init(&options);
    options.measures = 0;
    for (size_t i = 0; i < ROWS; i++) options.measures |= KSDA_MEASURE_BIT(sampled_rows[i]);
    options.measures |= KSDA_MEASURE_BIT(KSDA_MEASURE_DIAMETER);
    assert_int_equal(ksda_measure(ctx, g, NULL, &options, &truth), KSDA_OK);
    assert_true(truth.exact);
    options.samples = 200;
    for (uint64_t seed = 0; seed < 200; seed++) {
        ksda_ctx_set_seed(ctx, seed);
        assert_int_equal(ksda_measure(ctx, g, NULL, &options, &m), KSDA_OK);
        assert_false(m.exact);
        assert_int_equal(m.samples, 200);
        for (size_t i = 0; i < ROWS; i++) {
            const ksda_value *v = &m.value[sampled_rows[i]];
            assert_false(v->exact);
            assert_true(v->low <= v->value && v->value <= v->high && v->low < v->high);
            hits[i] += v->low <= truth.value[sampled_rows[i]].value && truth.value[sampled_rows[i]].value <= v->high;
        }
        assert_true(m.value[KSDA_MEASURE_DIAMETER].value <= truth.value[KSDA_MEASURE_DIAMETER].value);
        ksda_measures_clear(ctx, &m);
    }
    for (size_t i = 0; i < ROWS; i++) {
        print_message("%-28s inside its interval %u times of 200\n", ksda_measure_info(sampled_rows[i])->name, hits[i]);
        assert_true(hits[i] >= 180);
    }
    ksda_measures_clear(ctx, &truth);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

static void assert_same(const ksda_measures *a, const ksda_measures *b) {
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++) {
        assert_memory_equal(&a->value[i].value, &b->value[i].value, sizeof(double));
        assert_memory_equal(&a->value[i].low, &b->value[i].low, sizeof(double));
        assert_memory_equal(&a->value[i].high, &b->value[i].high, sizeof(double));
    }
    assert_int_equal(a->distances.size, b->distances.size);
    assert_memory_equal(a->distances.count, b->distances.count, a->distances.size * sizeof(double));
}

static void threads_change_no_bit(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(NULL);
    ksda_graph *g = large_graph(ctx, 5000, 15000);
    ksda_measure_options options;
    ksda_measures m[3] = {KSDA_INIT(ksda_measures), KSDA_INIT(ksda_measures), KSDA_INIT(ksda_measures)};
    static const unsigned threads[] = {1, 2, 8};
    double *b[3];
    for (uint32_t samples = 0; samples <= 300; samples += 300) {
        ksda_measure_options_init(&options);
        options.samples = samples;
        for (int t = 0; t < 3; t++) {
            ksda_ctx_set_threads(ctx, threads[t]);
            assert_int_equal(ksda_measure(ctx, g, NULL, &options, &m[t]), KSDA_OK);
        }
        assert_same(&m[0], &m[1]);
        assert_same(&m[0], &m[2]);
        for (int t = 0; t < 3; t++) ksda_measures_clear(ctx, &m[t]);
    }
    for (int t = 0; t < 3; t++) {
        ksda_ctx_set_threads(ctx, threads[t]);
        b[t] = malloc(sizeof **b * ksda_graph_vertices(g));
        assert_int_equal(ksda_betweenness(ctx, g, b[t]), KSDA_OK);
        assert_memory_equal(b[0], b[t], sizeof **b * ksda_graph_vertices(g));
    }
    for (int t = 0; t < 3; t++) free(b[t]);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

static void sampling_everybody_is_exact(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(NULL);
    ksda_graph *g = large_graph(ctx, 4000, 12000);
    ksda_measure_options options;
    ksda_measures exact = KSDA_INIT(ksda_measures), m = KSDA_INIT(ksda_measures);
    ksda_measure_options_init(&options);
    assert_int_equal(ksda_measure(ctx, g, NULL, &options, &exact), KSDA_OK);
    options.samples = 4000;
    assert_int_equal(ksda_measure(ctx, g, NULL, &options, &m), KSDA_OK);
    assert_true(m.exact);
    assert_same(&exact, &m);
    ksda_measures_clear(ctx, &m);
    options.samples = 0;
    options.budget = 1000; /* too dear: samples, and says so */
    assert_int_equal(ksda_measure(ctx, g, NULL, &options, &m), KSDA_OK);
    assert_false(m.exact);
    ksda_measures_clear(ctx, &m);
    options.exact = 1; /* whatever it takes */
    assert_int_equal(ksda_measure(ctx, g, NULL, &options, &m), KSDA_OK);
    assert_true(m.exact);
    ksda_measures_clear(ctx, &m);
    ksda_measures_clear(ctx, &exact);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

/* A path of 3,000 vertices has that many levels: all is known in closed form. */
static void long_path(void **state) {
    (void)state;
    enum {
        N = 3000
    };
    ksda_ctx *ctx = new_ctx(NULL);
    uint32_t *pairs = malloc(2 * N * sizeof *pairs);
    ksda_graph *g;
    ksda_measures m = KSDA_INIT(ksda_measures);
    double *b = malloc(N * sizeof *b);
    for (uint32_t i = 0; i + 1 < N; i++) pairs[2 * i] = i, pairs[2 * i + 1] = i + 1;
    assert_int_equal(ksda_graph_from_edges(ctx, N, N - 1, pairs, &g), KSDA_OK);
    assert_int_equal(ksda_measure(ctx, g, NULL, NULL, &m), KSDA_OK);
    assert_true(fabs(m.value[KSDA_MEASURE_ASPL].value - (N + 1) / 3.0) < 1e-9);
    assert_true(m.value[KSDA_MEASURE_DIAMETER].value == N - 1);
    assert_int_equal(ksda_betweenness(ctx, g, b), KSDA_OK);
    for (uint32_t i = 0; i < N; i++) assert_true(b[i] == (double)i * (N - 1 - i));
    ksda_measures_clear(ctx, &m);
    ksda_graph_free(ctx, g);
    free(pairs);
    free(b);
    ksda_ctx_free(ctx);
}

/* A ring is one block without twins, large enough for chunks, and as deep as it can be. */
static void long_ring(void **state) {
    (void)state;
    enum {
        N = 3001
    };
    ksda_ctx *ctx = new_ctx(NULL);
    uint32_t *pairs = malloc(2 * N * sizeof *pairs);
    ksda_graph *g;
    double *b = malloc(N * sizeof *b), each = (N - 1) / 2 * ((N - 1) / 2 - 1.0) / 2;
    for (uint32_t i = 0; i < N; i++) pairs[2 * i] = i, pairs[2 * i + 1] = (i + 1) % N;
    assert_int_equal(ksda_graph_from_edges(ctx, N, N, pairs, &g), KSDA_OK);
    assert_int_equal(ksda_betweenness(ctx, g, b), KSDA_OK);
    for (uint32_t i = 0; i < N; i++) assert_true(fabs(b[i] - each) < 1e-6 * each);
    ksda_graph_free(ctx, g);
    free(pairs);
    free(b);
    ksda_ctx_free(ctx);
}

static void empty_and_single(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx(NULL);
    for (uint32_t n = 0; n <= 2; n++) {
        ksda_graph *g;
        ksda_measures m = KSDA_INIT(ksda_measures);
        assert_int_equal(ksda_graph_from_edges(ctx, n, 0, NULL, &g), KSDA_OK);
        assert_int_equal(ksda_measure(ctx, g, NULL, NULL, &m), KSDA_OK);
        assert_true(isnan(m.value[KSDA_MEASURE_ASPL].value) && isnan(m.value[KSDA_MEASURE_CLUSTERING].value));
        assert_true(isnan(m.value[KSDA_MEASURE_DEGREE_CENTRALIZATION].value));
        assert_true(m.value[KSDA_MEASURE_COMPONENTS].value == n && m.exact);
        ksda_measures_clear(ctx, &m);
        ksda_graph_free(ctx, g);
    }
    ksda_ctx_free(ctx);
}

static int stop_at_stage(const ksda_progress *progress, void *payload) {
    return strcmp(progress->stage, payload) == 0;
}

static void interruption_leaves_nothing(void **state) {
    (void)state;
    static const char *const stage[] = {"clustering", "distances", "betweenness", "eigenvector centrality"};
    for (size_t i = 0; i < sizeof stage / sizeof *stage; i++) {
        ksda_ctx *ctx = new_ctx(NULL);
        ksda_graph *g = large_graph(ctx, 5000, 15000);
        ksda_measures m = KSDA_INIT(ksda_measures);
        ksda_ctx_set_progress(ctx, stop_at_stage, (void *)(uintptr_t)stage[i]);
        assert_int_equal(ksda_measure(ctx, g, NULL, NULL, &m), KSDA_INTERRUPTED);
        assert_null(m.degrees.count);
        ksda_graph_free(ctx, g);
        ksda_ctx_free(ctx);
    }
}

/* Every allocation fails in turn: KSDA_NOMEM, and all memory is given back. */
static void fail_each(ksda_ctx *ctx, failing_memory *f, const ksda_graph *g, const ksda_communities *c,
                      const ksda_measure_options *options) {
    ksda_status status = KSDA_NOMEM;
    ksda_measures m = KSDA_INIT(ksda_measures);
    long blocks = f->blocks;
    for (long at = 1; status == KSDA_NOMEM; at++) {
        f->calls = 0;
        f->fail_at = at;
        status = ksda_measure(ctx, g, c, options, &m);
        f->fail_at = 0;
        if (status == KSDA_NOMEM) assert_true(f->blocks == blocks);
    }
    assert_int_equal(status, KSDA_OK);
    ksda_measures_clear(ctx, &m);
    assert_true(f->blocks == blocks);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    failing_memory f = {.once = true};
    ksda_allocator allocator = failing_allocator(&f);
    ksda_ctx *ctx = new_ctx(&allocator);
    ksda_network net;
    ksda_measure_options options;
    ksda_measure_options_init(&options);
    random_network(ctx, 7, 40, 0.08, 3, &net);
    options.k = 2;
    fail_each(ctx, &f, net.graph, net.communities, &options);
    ksda_network_clear(ctx, &net);
    ksda_graph *large = large_graph(ctx, 4000, 9000); /* has a block and a component that are sampled */
    options.samples = 32;
    options.k = 0;
    options.measures = KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL) | KSDA_MEASURE_BIT(KSDA_MEASURE_BETWEENNESS_MEAN);
    fail_each(ctx, &f, large, NULL, &options);
    ksda_graph_free(ctx, large);
    ksda_ctx_free(ctx);
}

static void quantiles(void **state) {
    (void)state;
    assert_true(fabs(ksda_i_normal_quantile(0.975) - 1.959963984540054) < 1e-9);
    assert_true(fabs(ksda_i_normal_quantile(0.5)) < 1e-9);
    assert_true(fabs(ksda_i_normal_quantile(0.001) + 3.090232306167813) < 1e-9);
    assert_true(fabs(ksda_i_t_quantile(0.975, 31) - 2.0395134) < 1e-4);
    assert_true(fabs(ksda_i_t_quantile(0.975, 10) - 2.228139) < 1e-3);
}

/* The number of a row is its place in rows.def: nothing may slip in between. */
static void constants_name_their_rows(void **state) {
    (void)state;
    static const char *const measure[KSDA_MEASURE_COUNT] = {
        [KSDA_MEASURE_CLUSTERING] = "clustering",
        [KSDA_MEASURE_GLOBAL_CLUSTERING] = "global_clustering",
        [KSDA_MEASURE_ASPL] = "aspl",
        [KSDA_MEASURE_EFFECTIVE_DIAMETER] = "effective_diameter",
        [KSDA_MEASURE_DIAMETER] = "diameter",
        [KSDA_MEASURE_CLOSENESS] = "closeness",
        [KSDA_MEASURE_DEGREE_CENTRALIZATION] = "degree_centralization",
        [KSDA_MEASURE_BETWEENNESS_CENTRALIZATION] = "betweenness_centralization",
        [KSDA_MEASURE_BETWEENNESS_MEAN] = "betweenness_mean",
        [KSDA_MEASURE_SPECTRAL_RADIUS] = "spectral_radius",
        [KSDA_MEASURE_ASSORTATIVITY] = "assortativity",
        [KSDA_MEASURE_DEGENERACY] = "degeneracy",
        [KSDA_MEASURE_MEAN_CORENESS] = "mean_coreness",
        [KSDA_MEASURE_MEAN_DEGREE] = "mean_degree",
        [KSDA_MEASURE_MAX_DEGREE] = "max_degree",
        [KSDA_MEASURE_COMPONENTS] = "components",
        [KSDA_MEASURE_LARGEST_COMPONENT] = "largest_component",
        [KSDA_MEASURE_MODULARITY] = "modularity",
        [KSDA_MEASURE_VIOLATIONS] = "violating_vertices",
        [KSDA_MEASURE_LARGEST_K] = "largest_k",
    };
    static const char *const difference[KSDA_DIFFERENCE_COUNT] = {
        [KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION] = "eigenvector_correlation",
        [KSDA_DIFFERENCE_DEGREE_KS] = "degree_ks",
        [KSDA_DIFFERENCE_DEGREE_EMD] = "degree_emd",
        [KSDA_DIFFERENCE_JOINT_DEGREE] = "joint_degree_distance",
        [KSDA_DIFFERENCE_CORE_KS] = "core_ks",
        [KSDA_DIFFERENCE_DETECTION_ACCURACY] = "detection_accuracy",
        [KSDA_DIFFERENCE_DETECTION_NMI] = "detection_nmi",
        [KSDA_DIFFERENCE_DETECTION_ARI] = "detection_ari",
        [KSDA_DIFFERENCE_GIVEN_ACCURACY] = "given_accuracy",
        [KSDA_DIFFERENCE_GIVEN_NMI] = "given_nmi",
        [KSDA_DIFFERENCE_GIVEN_ARI] = "given_ari",
        [KSDA_DIFFERENCE_DISCONNECTED_PAIRS] = "disconnected_pairs",
        [KSDA_DIFFERENCE_ADDED_EDGES] = "added_edges",
        [KSDA_DIFFERENCE_ADDED_EDGES_SHARE] = "added_edges_share",
        [KSDA_DIFFERENCE_REMOVED_EDGES] = "removed_edges",
        [KSDA_DIFFERENCE_ADDED_VERTICES] = "added_vertices",
        [KSDA_DIFFERENCE_SPLIT_VERTICES_SHARE] = "split_vertices_share",
        [KSDA_DIFFERENCE_SUBSTITUTES] = "substitutes",
        [KSDA_DIFFERENCE_COST] = "cost",
    };
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++)
        assert_string_equal(ksda_measure_info((ksda_measure_id)i)->name, measure[i]);
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++)
        assert_string_equal(ksda_difference_info((ksda_difference_id)i)->name, difference[i]);
    assert_null(ksda_measure_info((ksda_measure_id)ksda_i_measure_count));
    assert_null(ksda_difference_info((ksda_difference_id)ksda_i_difference_count));
}

/* --- an order that is not finished --- */

static ksda_ctx *to_cancel; /* when a block grows; NULL: nothing */

static void *plain_malloc(void *payload, size_t size) {
    (void)payload;
    return malloc(size);
}
static void *cancelling_realloc(void *payload, void *block, size_t size) {
    (void)payload;
    if (to_cancel && block) ksda_ctx_cancel(to_cancel);
    return realloc(block, size);
}
static void plain_free(void *payload, void *block) {
    (void)payload;
    free(block);
}

/* The list of components grows, and with it comes the request to stop, which is seen when the last component, a wheel,
 * is entered: it must not be entered again from another vertex, which would make more places than vertices. */
static void an_order_is_stopped_once(void **state) {
    enum {
        FIRST = 16384,
        RIM = 33,
        VERTICES = FIRST + 1 + RIM,
        EDGES = FIRST / 2 + 1 + 2 * RIM
    };
    const ksda_allocator allocator = {plain_malloc, cancelling_realloc, plain_free, NULL};
    ksda_ctx *ctx = new_ctx(&allocator);
    ksda_network net;
    ksda_i_ordered order;
    uint32_t *edge = malloc(2 * EDGES * sizeof *edge), *at = edge, *of = calloc(VERTICES, sizeof *of);
    (void)state;
    assert_non_null(edge);
    assert_non_null(of);
    for (uint32_t v = 0; v < FIRST; v++) *at++ = v;
    *at++ = 1, *at++ = 2; /* so that the search does not begin with vertex 0, where it would look once more */
    for (uint32_t i = 0; i < RIM; i++) {
        *at++ = FIRST, *at++ = FIRST + 1 + i;
        *at++ = FIRST + 1 + i, *at++ = FIRST + 1 + (i + 1) % RIM;
    }
    assert_int_equal(listed_network(ctx, VERTICES, EDGES, edge, of, &net), KSDA_OK);
    to_cancel = ctx;
    assert_int_equal(ksda_i_ordered_new(ctx, net.graph, &order), KSDA_INTERRUPTED);
    to_cancel = NULL;
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
    free(edge);
    free(of);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_hold_at_their_rate),
                                       cmocka_unit_test(threads_change_no_bit),
                                       cmocka_unit_test(sampling_everybody_is_exact),
                                       cmocka_unit_test(long_path),
                                       cmocka_unit_test(long_ring),
                                       cmocka_unit_test(empty_and_single),
                                       cmocka_unit_test(interruption_leaves_nothing),
                                       cmocka_unit_test(an_order_is_stopped_once),
                                       cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(quantiles),
                                       cmocka_unit_test(constants_name_their_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
