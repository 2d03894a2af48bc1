/* Planted communities: exact counts, simple graphs, an exact share of edges between communities, sizes and degrees that
 * follow their power laws, the same for any number of threads, refusals. */
#include "context.h"
#include "failing_memory.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/detect.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static ksda_planted_options options(uint32_t vertices, uint64_t edges, uint32_t communities, double mixing) {
    ksda_planted_options o;
    ksda_planted_options_init(&o);
    o.vertices = vertices, o.edges = edges, o.communities = communities, o.mixing = mixing;
    return o;
}

static void assert_simple(const ksda_graph *g) {
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            assert_true(g->adj[i] < g->n && g->adj[i] != v);
            assert_true(i == g->off[v] || g->adj[i - 1] < g->adj[i]);
        }
}

static uint64_t edges_between(const ksda_graph *g, const ksda_communities *c) {
    uint64_t ends = 0;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) ends += c->of[v] != c->of[g->adj[i]];
    return ends / 2;
}

static void same_for_any_threads(ksda_ctx *ctx, const ksda_planted_options *o) {
    ksda_graph *first = NULL;
    ksda_communities *of = NULL;
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        ksda_graph *g;
        ksda_communities *c;
        ksda_ctx_set_threads(ctx, threads);
        assert_int_equal(ksda_generate_planted(ctx, o, &g, &c), KSDA_OK);
        if (!first) {
            first = g, of = c;
            continue;
        }
        assert_memory_equal(g->off, first->off, (g->n + 1) * sizeof *g->off);
        if (g->m) assert_memory_equal(g->adj, first->adj, 2 * g->m * sizeof *g->adj);
        assert_memory_equal(c->of, of->of, g->n * sizeof *of->of);
        ksda_graph_free(ctx, g);
        ksda_communities_free(ctx, c);
    }
    ksda_ctx_set_threads(ctx, 1);
    assert_simple(first);
    assert_int_equal(first->n, o->vertices);
    assert_int_equal(first->m, o->edges);
    assert_int_equal(of->count, o->communities);
    assert_int_equal(edges_between(first, of), llround(o->mixing * (double)o->edges));
    ksda_graph_free(ctx, first);
    ksda_communities_free(ctx, of);
}

/* From empty to full, inside communities and between them. */
static void exact_counts_for_any_threads(void **state) {
    static const struct {
        uint32_t vertices, communities;
        uint64_t edges;
        double mixing, size_exponent, degree_exponent;
    } cases[] = {{1, 1, 0, 0, 2.5, 2.5},
                 {2, 2, 1, 1, 0, 0},
                 {2, 1, 1, 0, 0, 2.1},
                 {6, 2, 15, 0.6, 0, 2.5},
                 {6, 2, 14, 0.6, 0, 2.5},
                 {30, 30, 435, 1, 2, 1.01},
                 {40, 1, 780, 0, 2, 1.5},
                 {40, 1, 779, 0, 2, 1.5},
                 {1000, 20, 5000, 0.2, 2.5, 2.5},
                 {1000, 900, 5000, 1, 1.5, 2.2},
                 {1000, 3, 0, 0.3, 2.5, 2.5},
                 {5000, 40, 100000, 0.13, 1.2, 3},
                 {20000, 500, 80000, 0.5, 0, 0},
                 {3000, 2, 50000, 0.97, 2, 2.01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_planted_options o = options(cases[i].vertices, cases[i].edges, cases[i].communities, cases[i].mixing);
        o.size_exponent = cases[i].size_exponent, o.degree_exponent = cases[i].degree_exponent;
        same_for_any_threads(*state, &o);
    }
}

/* Near the last pair: every number of edges that fits is reached. */
static void every_number_that_fits(void **state) {
    for (uint64_t inside = 0; inside <= 12; inside++)
        for (uint64_t between = 0; between <= 16; between++) { /* 4 + 4 vertices */
            uint64_t edges = inside + between;
            ksda_planted_options o = options(8, edges, 2, edges ? (double)between / (double)edges : 0);
            o.size_exponent = 0;
            same_for_any_threads(*state, &o);
        }
}

static void seeds_differ(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *a, *b;
    assert_int_equal(ksda_generate_planted(ctx, NULL, &a, NULL), KSDA_OK);
    ksda_ctx_set_seed(ctx, 2);
    assert_int_equal(ksda_generate_planted(ctx, NULL, &b, NULL), KSDA_OK);
    ksda_ctx_set_seed(ctx, 1);
    assert_int_equal(a->m, b->m);
    assert_memory_not_equal(a->adj, b->adj, 2 * a->m * sizeof *a->adj);
    ksda_graph_free(ctx, a);
    ksda_graph_free(ctx, b);
}

/* Sizes by rank: the i-th largest goes with i to the power of -1 / (exponent - 1). */
static void sizes_follow_their_power_law(void **state) {
    ksda_ctx *ctx = *state;
    ksda_planted_options o = options(100000, 1000, 50, 0.5);
    ksda_graph *g;
    ksda_communities *c;
    o.size_exponent = 3;
    assert_int_equal(ksda_generate_planted(ctx, &o, &g, &c), KSDA_OK);
    for (uint32_t i = 1; i < c->count; i++) {
        double ratio = (double)ksda_i_community_size(c, i) / ksda_i_community_size(c, 0);
        assert_true(fabs(ratio * sqrt(i + 1.0) - 1) < 0.01);
    }
    ksda_graph_free(ctx, g);
    ksda_communities_free(ctx, c);
}

/* The share of vertices with at least twice the degree is 2 to the power of -(exponent - 1), well inside the tail. */
static void degrees_follow_their_power_law(void **state) {
    ksda_ctx *ctx = *state;
    ksda_planted_options o = options(50000, 1000000, 20, 0.3);
    ksda_graph *g;
    uint32_t tail[2] = {0, 0}, most = 0;
    assert_int_equal(ksda_generate_planted(ctx, &o, &g, NULL), KSDA_OK);
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t d = ksda_i_degree(g, v);
        tail[0] += d >= 80, tail[1] += d >= 320;
        if (d > most) most = d;
    }
    double exponent = 1 + log((double)tail[0] / tail[1]) / log(4);
    if (fabs(exponent - 2.5) > 0.15) fail_msg("exponent %g", exponent);
    assert_in_range(most, 700, 1700); /* sqrt(2 m) is 1414 */
    ksda_graph_free(ctx, g);
}

/* Some do not say; nothing else changes. */
static void not_stated(void **state) {
    ksda_ctx *ctx = *state;
    ksda_planted_options o = options(20000, 60000, 10, 0.2);
    ksda_graph *g, *h;
    ksda_communities *c, *d;
    assert_int_equal(ksda_generate_planted(ctx, &o, &g, &c), KSDA_OK);
    o.not_stated = 0.4;
    assert_int_equal(ksda_generate_planted(ctx, &o, &h, &d), KSDA_OK);
    assert_memory_equal(g->adj, h->adj, 2 * g->m * sizeof *g->adj);
    assert_int_equal(d->count, 11);
    assert_in_range(ksda_i_community_size(d, 10), 7600, 8400);
    for (uint32_t v = 0; v < g->n; v++) assert_true(d->of[v] == 10 || d->of[v] == c->of[v]);
    ksda_graph_free(ctx, g);
    ksda_graph_free(ctx, h);
    ksda_communities_free(ctx, c);
    ksda_communities_free(ctx, d);
}

static void refuse(ksda_ctx *ctx, const ksda_planted_options *o, const char *words) {
    ksda_graph *g;
    ksda_communities *c;
    assert_int_equal(ksda_generate_planted(ctx, o, &g, &c), KSDA_INVALID);
    assert_null(g);
    assert_null(c);
    if (!strstr(ksda_ctx_error(ctx)->message, words)) fail_msg("%s", ksda_ctx_error(ctx)->message);
}

static void impossible_wishes_are_refused(void **state) {
    ksda_planted_options o = options(10, 46, 1, 0);
    refuse(*state, &o, "only 45 pairs");
    o = options(10, 40, 2, 0); /* 5 + 5, or fewer pairs */
    refuse(*state, &o, "inside communities");
    o = options(4000000000, UINT64_MAX, 2, 0.2); /* before any memory is asked for */
    refuse(*state, &o, "have only 7999999998000000000 pairs");
    o = options(10, 5, 1, 0.2);
    refuse(*state, &o, "only 0 pairs");
    o = options(10, 5, 11, 0.2);
    refuse(*state, &o, "11 communities");
    o = options(10, 5, 0, 0.2);
    refuse(*state, &o, "0 communities");
    o = options(0, 0, 1, 0.2);
    refuse(*state, &o, "0 vertices");
    o = options(10, 5, 2, NAN);
    refuse(*state, &o, "between communities");
    o = options(10, 5, 2, 0.2), o.not_stated = 1.5;
    refuse(*state, &o, "not stated");
    o = options(10, 5, 2, 0.2), o.size_exponent = 1;
    refuse(*state, &o, "exponent of sizes");
    o = options(10, 5, 2, 0.2), o.degree_exponent = INFINITY;
    refuse(*state, &o, "exponent of degrees");
}

static ksda_status generate_and_free(ksda_ctx *ctx) {
    ksda_planted_options o = options(60, 600, 4, 0.4);
    ksda_graph *g;
    ksda_communities *c;
    ksda_status status = ksda_generate_planted(ctx, &o, &g, &c);
    ksda_graph_free(ctx, g);
    ksda_communities_free(ctx, c);
    return status;
}

static void no_memory(void **state) {
    (void)state;
    assert_survives_failing_memory(generate_and_free);
}

static void interruption(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_planted_options o = options(10000, 100000, 10, 0.2);
    ksda_ctx_cancel(ctx);
    assert_int_equal(ksda_generate_planted(ctx, &o, &g, NULL), KSDA_INTERRUPTED);
    assert_null(g);
    ksda_ctx_reset_cancel(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_counts_for_any_threads),
                                       cmocka_unit_test(every_number_that_fits),
                                       cmocka_unit_test(seeds_differ),
                                       cmocka_unit_test(sizes_follow_their_power_law),
                                       cmocka_unit_test(degrees_follow_their_power_law),
                                       cmocka_unit_test(not_stated),
                                       cmocka_unit_test(impossible_wishes_are_refused),
                                       cmocka_unit_test(no_memory),
                                       cmocka_unit_test(interruption)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
