/* Finding communities: connected, repeatable, and on tiny graphs as good as trying every partition; METIS at its
 * limits. */
#include "context.h"
#include "random_graph.h"

#include <ksda/detect.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static bool same(const ksda_communities *a, const ksda_communities *b) {
    return a->n == b->n && a->count == b->count && memcmp(a->of, b->of, a->n * sizeof *a->of) == 0;
}

/* Every community can be walked from its first member. */
static void assert_connected(const ksda_graph *g, const ksda_communities *c) {
    bool *seen = calloc(g->n + 1, sizeof *seen);
    uint32_t *stack = malloc((g->n + 1) * sizeof *stack);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t size, top = 0, reached = 0;
        const uint32_t *member = ksda_communities_members(c, i, &size);
        assert_true(size > 0);
        seen[member[0]] = true;
        stack[top++] = member[0];
        while (top) {
            uint32_t v = stack[--top];
            reached++;
            for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
                if (c->of[g->adj[e]] == i && !seen[g->adj[e]]) seen[g->adj[e]] = true, stack[top++] = g->adj[e];
        }
        assert_int_equal(reached, size);
    }
    free(seen);
    free(stack);
}

/* --- modularity and the best partition --------------------------------------------------------------------------- */

/* By the textbook: (1 / 2m) sum over ordered pairs in one community of A_uv - d_u d_v / 2m. */
static double textbook(const ksda_graph *g, const uint32_t *of) {
    double sum = 0, ends = 2 * (double)g->m;
    for (uint32_t u = 0; u < g->n && g->m; u++)
        for (uint32_t v = 0; v < g->n; v++)
            if (of[u] == of[v])
                sum +=
                    (u != v && ksda_graph_adjacent(g, u, v)) - (double)ksda_i_degree(g, u) * ksda_i_degree(g, v) / ends;
    return g->m ? sum / ends : 0;
}

/* The best over all partitions that give the first v vertices these labels, below used. */
static double best_partition(const ksda_graph *g, uint32_t *of, uint32_t v, uint32_t used) {
    double best = -1;
    if (v == g->n) return textbook(g, of);
    for (of[v] = 0; of[v] <= used; of[v]++) {
        double q = best_partition(g, of, v + 1, of[v] == used ? used + 1 : used);
        if (q > best) best = q;
    }
    return best;
}

static void tiny_graphs_as_well_as_can_be(void **state) {
    ksda_ctx *ctx = *state;
    unsigned optimal = 0, graphs = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_network net;
        ksda_communities *c;
        uint32_t of[8];
        random_network(ctx, seed, 2 + (uint32_t)(seed % 6), 0.15 + 0.1 * (double)(seed % 7), 2, &net);
        assert_int_equal(ksda_detect_leiden(ctx, net.graph, &c), KSDA_OK);
        double best = best_partition(net.graph, of, 0, 0), q = ksda_modularity(net.graph, c);
        assert_true(fabs(q - textbook(net.graph, c->of)) < 1e-12);
        assert_true(q <= best + 1e-12);
        graphs++, optimal += q > best - 1e-12;
        assert_connected(net.graph, c);
        ksda_communities_free(ctx, c);
        ksda_network_clear(ctx, &net);
    }
    if (optimal * 100 < graphs * 98) fail_msg("the best partition was found %u times in %u", optimal, graphs);
}

/* Cliques in a ring, one edge between neighbours: the communities are the cliques. */
static void ring_of_cliques(void **state) {
    enum {
        CLIQUES = 30,
        SIZE = 6
    };
    ksda_ctx *ctx = *state;
    uint32_t pairs[2 * CLIQUES * (SIZE * SIZE + 1)];
    uint64_t m = 0;
    ksda_graph *g;
    ksda_communities *c;
    for (uint32_t q = 0; q < CLIQUES; q++) {
        for (uint32_t i = 0; i < SIZE; i++)
            for (uint32_t j = 0; j < i; j++) pairs[2 * m] = q * SIZE + i, pairs[2 * m++ + 1] = q * SIZE + j;
        pairs[2 * m] = q * SIZE, pairs[2 * m++ + 1] = (q + 1) % CLIQUES * SIZE + 1;
    }
    assert_int_equal(ksda_graph_from_edges(ctx, CLIQUES * SIZE, m, pairs, &g), KSDA_OK);
    assert_int_equal(ksda_detect_leiden(ctx, g, &c), KSDA_OK);
    assert_connected(g, c);
    for (uint32_t v = 0; v < CLIQUES * SIZE; v++) assert_int_equal(c->of[v], c->of[v / SIZE * SIZE]);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
}

static void leiden_is_connected_and_repeatable(void **state) {
    ksda_ctx *ctx = *state;
    for (uint32_t scale = 1; scale <= 13; scale += 3) {
        ksda_rmat_options o;
        ksda_graph *g;
        ksda_communities *first, *again;
        ksda_rmat_options_init(&o);
        o.scale = scale, o.edges = scale < 3 ? 1 : UINT64_C(3) << (scale - 1);
        assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_OK);
        assert_int_equal(ksda_detect_leiden(ctx, g, &first), KSDA_OK);
        assert_connected(g, first);
        ksda_ctx_set_threads(ctx, 4);
        assert_int_equal(ksda_detect_leiden(ctx, g, &again), KSDA_OK);
        ksda_ctx_set_threads(ctx, 1);
        assert_true(same(first, again));
        ksda_communities_free(ctx, first);
        ksda_communities_free(ctx, again);
        ksda_graph_free(ctx, g);
    }
}

static void without_edges_or_vertices(void **state) {
    ksda_ctx *ctx = *state;
    for (uint32_t n = 0; n < 3; n++) {
        ksda_graph *g;
        ksda_communities *c;
        assert_int_equal(ksda_graph_from_edges(ctx, n, 0, NULL, &g), KSDA_OK);
        assert_int_equal(ksda_detect_leiden(ctx, g, &c), KSDA_OK);
        assert_int_equal(ksda_communities_count(c), n);
        assert_true(ksda_modularity(g, c) == 0);
        ksda_communities_free(ctx, c);
        ksda_graph_free(ctx, g);
    }
}

/* --- METIS ------------------------------------------------------------------------------------------------------- */

static bool have_metis(ksda_ctx *ctx) {
    ksda_network net;
    ksda_communities *c;
    random_network(ctx, 1, 10, 0.5, 2, &net);
    ksda_status status = ksda_detect_metis(ctx, net.graph, 2, NULL, &c);
    ksda_communities_free(ctx, c);
    ksda_network_clear(ctx, &net);
    return status != KSDA_UNSUPPORTED;
}

static void metis_parts(void **state) {
    ksda_ctx *ctx = *state;
    if (!have_metis(ctx)) skip();
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_network net;
        ksda_communities *c, *again;
        uint32_t n = 1 + (uint32_t)(seed % 30), parts = 1 + (uint32_t)(seed / 3 % n), empty = 99;
        random_network(ctx, seed, n, seed % 5 ? 0.2 : 0, 1, &net); /* also graphs without an edge */
        assert_int_equal(ksda_detect_metis(ctx, net.graph, parts, &empty, &c), KSDA_OK);
        assert_int_equal(ksda_communities_count(c) + empty, parts);
        assert_int_equal(ksda_communities_vertices(c), n);
        assert_int_equal(ksda_detect_metis(ctx, net.graph, parts, NULL, &again), KSDA_OK);
        assert_true(same(c, again));
        if (parts == 1) assert_int_equal(ksda_communities_count(c), 1);
        if (parts == n) assert_int_equal(ksda_communities_count(c), n);
        ksda_communities_free(ctx, c);
        ksda_communities_free(ctx, again);
        assert_int_equal(ksda_detect_metis(ctx, net.graph, 0, &empty, &c), KSDA_INVALID);
        assert_int_equal(ksda_detect_metis(ctx, net.graph, n + 1, &empty, &c), KSDA_INVALID);
        assert_null(c);
        ksda_network_clear(ctx, &net);
    }
}

static void metis_finds_blocks(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_communities *c;
    ksda_rmat_options o;
    if (!have_metis(ctx)) skip();
    ksda_rmat_options_init(&o);
    o.scale = 12, o.edges = 40000;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_OK);
    assert_int_equal(ksda_detect_metis(ctx, g, 8, NULL, &c), KSDA_OK);
    assert_int_equal(ksda_communities_count(c), 8);
    for (uint32_t i = 0; i < 8; i++) assert_in_range(ksda_i_community_size(c, i), 4096 / 8 / 2, 4096 / 8 * 11 / 10);
    assert_true(ksda_modularity(g, c) > 0.1);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
}

static int stop_at_once(const ksda_progress *progress, void *payload) {
    (void)progress, (void)payload;
    return 1;
}

static void interruptions(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_communities *c;
    ksda_rmat_options o;
    ksda_rmat_options_init(&o);
    o.scale = 14, o.edges = 100000;
    assert_int_equal(ksda_generate_rmat(ctx, &o, &g, NULL), KSDA_OK);
    ksda_ctx_set_progress(ctx, stop_at_once, NULL);
    assert_int_equal(ksda_detect_leiden(ctx, g, &c), KSDA_INTERRUPTED);
    assert_null(c);
    ksda_ctx_reset_cancel(ctx);
    ksda_status status = ksda_detect_metis(ctx, g, 50, NULL, &c);
    assert_true(status == KSDA_INTERRUPTED || status == KSDA_UNSUPPORTED);
    assert_null(c);
    ksda_ctx_set_progress(ctx, NULL, NULL);
    ksda_ctx_reset_cancel(ctx);
    ksda_graph_free(ctx, g);
}

/* --- labels ------------------------------------------------------------------------------------------------------ */

static void labels_are_numbered_in_order(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 1, 2);
        uint32_t n = (uint32_t)ksda_i_rng_below(&r, 30), of[30];
        uint64_t bound = seed % 3 ? 1 + ksda_i_rng_below(&r, 40) : UINT64_C(1) << 32;
        ksda_communities *c;
        for (uint32_t v = 0; v < n; v++) of[v] = (uint32_t)ksda_i_rng_below(&r, bound);
        assert_int_equal(ksda_communities_from_labels(ctx, n, of, &c), KSDA_OK);
        for (uint32_t v = 0; v < n; v++) {
            char name[32];
            ksda_communities_name(c, c->of[v], name, sizeof name);
            assert_int_equal(strtoul(name, NULL, 10), of[v]);
            for (uint32_t u = 0; u < n; u++) assert_int_equal(c->of[u] < c->of[v], of[u] < of[v]);
        }
        ksda_communities_free(ctx, c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiny_graphs_as_well_as_can_be),
                                       cmocka_unit_test(ring_of_cliques),
                                       cmocka_unit_test(leiden_is_connected_and_repeatable),
                                       cmocka_unit_test(without_edges_or_vertices),
                                       cmocka_unit_test(metis_parts),
                                       cmocka_unit_test(metis_finds_blocks),
                                       cmocka_unit_test(interruptions),
                                       cmocka_unit_test(labels_are_numbered_in_order)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
