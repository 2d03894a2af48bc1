/* Edits applied and released, against an edge set kept by hand. */
#include "random_edits.h"
#include "random_graph.h"

#include "graph/communities.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void apply_adds_splits_and_links(void **state) {
    ksda_ctx *ctx;
    ksda_network net;
    ksda_edits *edits;
    ksda_graph *h;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    static const uint32_t star[] = {0, 1, 0, 2, 0, 3, 0, 4};
    assert_int_equal(ksda_graph_from_edges(ctx, 5, 4, star, &net.graph), KSDA_OK);
    assert_int_equal(ksda_edits_new(ctx, net.graph, &edits), KSDA_OK);
    uint32_t piece;
    assert_int_equal(ksda_edits_split(ctx, edits, 0, &piece), KSDA_OK);
    assert_int_equal(piece, 5);
    assert_int_equal(ksda_edits_carry(ctx, edits, 0, 2, piece), KSDA_OK); /* the edge to 3 */
    assert_int_equal(ksda_edits_link(ctx, edits, 0, piece), KSDA_OK);
    assert_int_equal(ksda_edits_add_edge(ctx, edits, 1, 2), KSDA_OK);
    assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(h), 6);
    assert_int_equal(ksda_graph_edges(h), 6);
    assert_true(ksda_graph_adjacent(h, 5, 3) && ksda_graph_adjacent(h, 0, 5) && ksda_graph_adjacent(h, 1, 2));
    assert_false(ksda_graph_adjacent(h, 0, 3));
    assert_int_equal(ksda_graph_degree(h, 0), 4);
    ksda_graph_free(ctx, h);
    assert_int_equal(ksda_edits_add_edge(ctx, edits, 2, 1), KSDA_OK); /* twice */
    assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_INVALID);
    assert_null(h);
    ksda_edits_free(ctx, edits);
    ksda_graph_free(ctx, net.graph);
    ksda_ctx_free(ctx);
}

static void release_is_the_same_graph_renamed(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 500; seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_release release = KSDA_INIT(ksda_release);
        random_network(ctx, seed, (uint32_t)(1 + seed % 20), 0.3, 1 + (uint32_t)(seed % 3), &net);
        assert_int_equal(ksda_edits_new(ctx, net.graph, &edits), KSDA_OK);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, (int)(seed & 1), &release), KSDA_OK);
        uint32_t n = ksda_graph_vertices(net.graph);
        assert_int_equal(ksda_graph_vertices(release.graph), n);
        for (uint32_t p = 0; p < n; p++) {
            assert_int_equal(ksda_communities_of(release.communities, p),
                             ksda_communities_of(net.communities, release.owner[p]));
            for (uint32_t q = 0; q < n; q++)
                assert_int_equal(ksda_graph_adjacent(release.graph, p, q),
                                 ksda_graph_adjacent(net.graph, release.owner[p], release.owner[q]));
        }
        ksda_release_clear(ctx, &release);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

/* Labels that were made follow the order of the vertices; in a release each is as likely anywhere. The partition and
 * the labels that were given stay. */
static void release_mixes_the_labels_that_were_made(void **state) {
    enum {
        COUNT = 5,
        RUNS = 2000
    };
    const uint32_t of[] = {0, 1, 2, 3, 4, 4, 2, 0};
    ksda_ctx *ctx;
    ksda_graph *g;
    ksda_communities *c;
    ksda_edits *edits;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 8, 0, NULL, &g), KSDA_OK);
    assert_int_equal(ksda_communities_from_labels(ctx, 8, of, &c), KSDA_OK);
    assert_int_equal(ksda_edits_new(ctx, g, &edits), KSDA_OK);
    for (uint32_t given = 0; given <= COUNT; given++) {
        uint32_t times[COUNT][COUNT] = {{0}}, made = COUNT - given;
        c->given = given;
        for (int run = 0; run < RUNS; run++) {
            uint32_t label[COUNT] = {0};
            ksda_release release = KSDA_INIT(ksda_release);
            assert_int_equal(ksda_release_make(ctx, edits, c, 0, &release), KSDA_OK);
            for (uint32_t p = 0; p < 8; p++) label[of[release.owner[p]]] = release.communities->of[p];
            for (uint32_t p = 0; p < 8; p++) assert_int_equal(release.communities->of[p], label[of[release.owner[p]]]);
            assert_int_equal(release.communities->count, COUNT);
            assert_int_equal(release.communities->given, COUNT);
            for (uint32_t i = 0; i < COUNT; i++) times[i][label[i]]++;
            ksda_release_clear(ctx, &release);
        }
        for (uint32_t i = 0; i < COUNT; i++)
            for (uint32_t j = 0; j < COUNT; j++) {
                double expected = i < given || j < given ? (i == j ? RUNS : 0) : (double)RUNS / made;
                double slack = i < given || j < given ? 0 : 6 * sqrt(expected);
                if (fabs(times[i][j] - expected) > slack)
                    fail_msg("%u given: label %u became %u in %u of %d releases", given, i, j, times[i][j], RUNS);
            }
    }
    ksda_edits_free(ctx, edits);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

/* --- against a matrix -------------------------------------------------------------------------------------------- */

#define MOST 120
typedef bool matrix[MOST][MOST];

/* The edges between pieces, edit by edit. */
static void expected_edges(const ksda_edits *edits, const ksda_graph *g, matrix edge) {
    const ksda_pair *pair;
    memset(edge, 0, sizeof(matrix));
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t i = 0; i < ksda_i_degree(g, u); i++) {
            uint32_t v = g->adj[g->off[u] + i], back = (uint32_t)(ksda_i_graph_position(g, v, u) - g->off[v]);
            bool gone = false;
            for (uint64_t r = ksda_edits_removed(edits, &pair); r-- > 0;)
                gone |= (pair[r].u == u && pair[r].v == v) || (pair[r].u == v && pair[r].v == u);
            if (!gone) edge[ksda_edits_carrier(edits, u, i)][ksda_edits_carrier(edits, v, back)] = true;
        }
    for (uint64_t i = ksda_edits_added(edits, &pair); i-- > 0;)
        edge[pair[i].u][pair[i].v] = edge[pair[i].v][pair[i].u] = true;
    for (uint64_t i = ksda_edits_links(edits, &pair); i-- > 0;)
        edge[pair[i].u][pair[i].v] = edge[pair[i].v][pair[i].u] = true;
}

/* from: the piece behind each vertex of h; NULL when they are called by their numbers. */
static void compare(const ksda_graph *h, const matrix edge, const uint32_t *from) {
    for (uint32_t a = 0; a < h->n; a++) {
        for (uint64_t i = h->off[a] + 1; i < h->off[a + 1]; i++) assert_true(h->adj[i - 1] < h->adj[i]);
        for (uint32_t b = 0; b < h->n; b++)
            assert_int_equal(a != b && ksda_graph_adjacent(h, a, b), edge[from ? from[a] : a][from ? from[b] : b]);
    }
}

static void random_edits_as_by_hand(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        static matrix edge;
        ksda_network net;
        ksda_graph *h;
        ksda_release release = KSDA_INIT(ksda_release);
        edit_counts counts;
        ksda_i_rng r = ksda_i_rng_stream(seed, 0x65646974, 0);
        uint32_t to[MOST], from[MOST];
        random_network(ctx, seed, 1 + (uint32_t)(seed % 25), 0.02 * (double)(seed % 30), 1, &net);
        ksda_edits *edits =
            random_edits(ctx, &r, net.graph, net.communities, (unsigned)(seed % 8), (unsigned)(seed % 11), &counts);
        for (uint32_t u = 0; seed % 4 == 0 && u < net.graph->n; u++)
            for (uint64_t i = net.graph->off[u]; i < net.graph->off[u + 1]; i++)
                if (u < net.graph->adj[i] && ksda_i_rng_below(&r, 5) == 0)
                    assert_int_equal(ksda_edits_remove_edge(ctx, edits, net.graph->adj[i], u), KSDA_OK);
        expected_edges(edits, net.graph, edge);
        ksda_ctx_set_threads(ctx, 1 + (unsigned)(seed % 3));
        assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_OK);
        assert_int_equal(h->n, net.graph->n + counts.pieces);
        compare(h, (const bool(*)[MOST])edge, NULL);
        ksda_ctx_set_seed(ctx, seed);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, 1, &release), KSDA_OK);
        ksda_i_permutation_seeded(ctx, h->n, to);
        for (uint32_t p = 0; p < h->n; p++) {
            from[to[p]] = p;
            assert_int_equal(release.owner[to[p]], ksda_edits_owner(edits, p));
        }
        compare(release.graph, (const bool(*)[MOST])edge, from);
        ksda_release_clear(ctx, &release);
        ksda_graph_free(ctx, h);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

/* Impossible edits are refused, by name, and leave nothing. */
static void refusals(void **state) {
    static const uint32_t path[] = {0, 1, 1, 2, 2, 3};
    static const struct {
        uint32_t u, v;
        bool removed;
        const char *word;
    } cases[] = {{1, 0, false, "is there already"},
                 {2, 2, false, "different numbers"},
                 {0, 4, false, "different numbers"},
                 {0, 2, true, "is not in the graph"},
                 {9, 1, true, "is not in the graph"}};
    ksda_ctx *ctx;
    ksda_graph *g, *h;
    ksda_edits *edits;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 4, 3, path, &g), KSDA_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ksda_edits_new(ctx, g, &edits), KSDA_OK);
        assert_int_equal(
            (cases[i].removed ? ksda_edits_remove_edge : ksda_edits_add_edge)(ctx, edits, cases[i].u, cases[i].v),
            KSDA_OK);
        assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_INVALID);
        assert_null(h);
        assert_non_null(strstr(ksda_ctx_error(ctx)->message, cases[i].word));
        ksda_edits_free(ctx, edits);
    }
    assert_int_equal(ksda_edits_new(ctx, g, &edits), KSDA_OK);
    for (int i = 0; i < 2; i++) assert_int_equal(ksda_edits_remove_edge(ctx, edits, 1, 2), KSDA_OK);
    assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "1-2 is removed twice"));
    ksda_edits_free(ctx, edits);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(apply_adds_splits_and_links),
                                       cmocka_unit_test(release_is_the_same_graph_renamed),
                                       cmocka_unit_test(release_mixes_the_labels_that_were_made),
                                       cmocka_unit_test(random_edits_as_by_hand), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
