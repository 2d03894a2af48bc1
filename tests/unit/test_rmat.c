/* R-MAT: exact counts, simple graphs, the same for any number of threads, the distribution of the plain procedure
 * (throw until enough different edges have come), refusals. */
#include "context.h"
#include "core/random.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/detect.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static ksda_rmat_options options(uint32_t scale, uint64_t edges, uint32_t vertices) {
    ksda_rmat_options o;
    ksda_rmat_options_init(&o);
    o.scale = scale, o.edges = edges, o.vertices = vertices;
    return o;
}

static void assert_simple(const ksda_graph *g) {
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            assert_true(g->adj[i] < g->n && g->adj[i] != v);
            assert_true(i == g->off[v] || g->adj[i - 1] < g->adj[i]);
            assert_true(ksda_i_graph_position(g, g->adj[i], v) != UINT64_MAX);
        }
}

static void exact_counts_for_any_threads(void **state) {
    static const struct {
        uint32_t scale, vertices;
        uint64_t edges;
    } cases[] = {
        {0, 0, 0},           {1, 0, 1},      {2, 3, 3},     {3, 0, 28},      {3, 0, 27},           {5, 17, 136},
        {5, 17, 100},        {8, 200, 5000}, {10, 0, 4000}, {10, 0, 400000}, {10, 0, 523776},      {10, 1000, 499499},
        {14, 10000, 200000}, {20, 5, 7},     {16, 0, 0},    {16, 0, 300000}, {32, 100000, 300000}, {30, 40000, 90000}};
    ksda_ctx *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_rmat_options o = options(cases[i].scale, cases[i].edges, cases[i].vertices);
        ksda_graph *first = NULL;
        for (unsigned threads = 1; threads <= 8; threads *= 2) {
            ksda_graph *g;
            ksda_ctx_set_threads(ctx, threads);
            assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_OK);
            assert_int_equal(g->m, o.edges);
            assert_int_equal(g->n, o.vertices ? o.vertices : 1U << o.scale);
            if (first) {
                assert_memory_equal(g->off, first->off, (g->n + 1) * sizeof *g->off);
                if (g->m) assert_memory_equal(g->adj, first->adj, 2 * g->m * sizeof *g->adj);
                ksda_graph_free(ctx, g);
            } else {
                assert_simple(first = g);
            }
        }
        ksda_graph_free(ctx, first);
    }
    ksda_ctx_set_threads(ctx, 1);
}

static bool same(const ksda_graph *a, const ksda_graph *b) {
    return a->n == b->n && a->m == b->m && memcmp(a->adj, b->adj, 2 * a->m * sizeof *a->adj) == 0;
}

static void seeds_differ(void **state) {
    ksda_ctx *ctx = *state;
    ksda_rmat_options o = options(8, 500, 0);
    ksda_graph *a, *b, *c;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &a, NULL), KSDA_OK);
    assert_int_equal(ksda_generate_rmat(ctx, &o, &b, NULL), KSDA_OK);
    ksda_ctx_set_seed(ctx, 2);
    assert_int_equal(ksda_generate_rmat(ctx, &o, &c, NULL), KSDA_OK);
    ksda_ctx_set_seed(ctx, 1);
    assert_true(same(a, b));
    assert_false(same(a, c));
    ksda_graph_free(ctx, a);
    ksda_graph_free(ctx, b);
    ksda_graph_free(ctx, c);
}

/* --- the distribution -------------------------------------------------------------------------------------------- */

#define SIDE 16
typedef double frequency[SIDE][SIDE];

/* The plain procedure. */
static void throw_until(const ksda_rmat_options *o, ksda_i_rng *r, frequency seen) {
    bool edge[SIDE][SIDE] = {{false}};
    uint32_t n = o->vertices ? o->vertices : 1U << o->scale;
    for (uint64_t found = 0; found < o->edges;) {
        uint32_t u = 0, v = 0;
        for (uint32_t level = 0; level < o->scale; level++) {
            double x = ksda_i_rng_unit(r);
            u = u << 1 | (x >= o->a + o->b);
            v = v << 1 | ((x >= o->a && x < o->a + o->b) || x >= o->a + o->b + o->c);
        }
        if (u >= n || v >= n || u == v) continue;
        uint32_t low = u < v ? u : v, high = u < v ? v : u;
        if (edge[low][high]) continue;
        edge[low][high] = true;
        seen[low][high]++;
        found++;
    }
}

static void compare_distribution(ksda_ctx *ctx, const ksda_rmat_options *o) {
    enum {
        RUNS = 4000
    };
    frequency plain = {{0}}, ours = {{0}};
    ksda_i_rng r = ksda_i_rng_stream(99, 1, o->edges);
    for (uint64_t run = 0; run < RUNS; run++) {
        ksda_graph *g;
        throw_until(o, &r, plain);
        ksda_ctx_set_seed(ctx, 1000 + run);
        assert_int_equal(ksda_generate_rmat(ctx, o, &g, NULL), KSDA_OK);
        assert_int_equal(g->m, o->edges);
        for (uint32_t v = 0; v < g->n; v++)
            for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++)
                if (v < g->adj[i]) ours[v][g->adj[i]]++;
        ksda_graph_free(ctx, g);
    }
    ksda_ctx_set_seed(ctx, 1);
    for (uint32_t u = 0; u < SIDE; u++)
        for (uint32_t v = 0; v < SIDE; v++) {
            double p = (plain[u][v] + ours[u][v]) / (2 * RUNS), sigma = sqrt(2 * p * (1 - p) / RUNS);
            double difference = fabs(plain[u][v] - ours[u][v]) / RUNS;
            if (difference > 4.5 * sigma + 0.004)
                fail_msg("%u edges: %u-%u comes with %g, should with %g", (unsigned)o->edges, u, v, ours[u][v] / RUNS,
                         plain[u][v] / RUNS);
        }
}

static void distribution_of_the_plain_procedure(void **state) {
    ksda_ctx *ctx = *state;
    ksda_rmat_options o = options(3, 5, 0);
    compare_distribution(ctx, &o); /* sparse */
    o.edges = 20;
    compare_distribution(ctx, &o); /* dense: most pairs are saturated */
    o.edges = 27;
    compare_distribution(ctx, &o); /* all but one */
    o = options(4, 40, 11);
    compare_distribution(ctx, &o); /* not a power of two */
    o.a = 0.3, o.b = 0.4, o.c = 0.1, o.d = 0.2;
    compare_distribution(ctx, &o); /* not symmetric */
    o.a = 0.5, o.b = 0.5, o.c = 0, o.d = 0, o.edges = 6;
    compare_distribution(ctx, &o); /* a star: u is always 0 */
}

/* --- the rest ---------------------------------------------------------------------------------------------------- */

static void blocks_are_leading_bits(void **state) {
    ksda_ctx *ctx = *state;
    ksda_rmat_options o = options(10, 3000, 1000);
    ksda_graph *g;
    ksda_communities *c;
    uint64_t inside = 0;
    o.block_bits = 3;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, &c), KSDA_OK);
    assert_int_equal(ksda_communities_count(c), 8);
    assert_int_equal(ksda_communities_vertices(c), 1000);
    for (uint32_t v = 0; v < 1000; v++) {
        assert_int_equal(ksda_communities_of(c, v), v >> 7);
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) inside += c->of[v] == c->of[g->adj[i]];
    }
    assert_in_range(inside, 2 * 3000 / 5, 2 * 3000 / 2); /* (a + d)^3 is 0.34 of the throws */
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
    o.block_bits = 0;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, &c), KSDA_OK);
    assert_null(c);
    ksda_graph_free(ctx, g);
}

static void impossible_wishes_are_refused(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_rmat_options o = options(3, 29, 0); /* 28 pairs */
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "only 28 different"));
    o = options(4, 11, 11), o.a = 0.5, o.b = 0.5, o.c = o.d = 0; /* a star with 10 edges */
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "only 10 different"));
    o = options(4, 1, 0), o.a = 1, o.b = o.c = o.d = 0; /* loops only */
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    o = options(4, 3, 17); /* more than 2^4 */
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    o = options(32, 3, 0);
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    o = options(4, 3, 0), o.a = 0.9;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    o = options(4, 3, 0), o.a = NAN;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    o = options(4, 3, 0), o.block_bits = 5;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INVALID);
    assert_null(g);
}

static int stop_at_once(const ksda_progress *progress, void *payload) {
    (void)progress, (void)payload;
    return 1;
}

static void interruption(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_rmat_options o = options(14, 100000, 0);
    ksda_ctx_set_progress(ctx, stop_at_once, NULL);
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_INTERRUPTED);
    assert_null(g);
    ksda_ctx_set_progress(ctx, NULL, NULL);
    ksda_ctx_reset_cancel(ctx);
}

/* Strong skew: 0.9^20 of all throws hit one pair; the plain procedure would need many millions. */
static void strong_skew(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_rmat_options o = options(20, 200000, 0);
    o.a = 0.9, o.b = o.c = 0.04, o.d = 0.02;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_OK);
    assert_int_equal(g->m, 200000);
    assert_simple(g);
    ksda_graph_free(ctx, g);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_counts_for_any_threads),
                                       cmocka_unit_test(seeds_differ),
                                       cmocka_unit_test(distribution_of_the_plain_procedure),
                                       cmocka_unit_test(blocks_are_leading_bits),
                                       cmocka_unit_test(impossible_wishes_are_refused),
                                       cmocka_unit_test(interruption),
                                       cmocka_unit_test(strong_skew)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
