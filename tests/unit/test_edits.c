/* Edits applied and released, against an edge set kept by hand. */
#include "random_graph.h"

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
        ksda_release release;
        random_network(ctx, seed, (uint32_t)(1 + seed % 20), 0.3, 1 + (uint32_t)(seed % 3), &net);
        assert_int_equal(ksda_edits_new(ctx, net.graph, &edits), KSDA_OK);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, (int)(seed & 1), &release), KSDA_OK);
        uint32_t n = ksda_graph_vertices(net.graph);
        assert_int_equal(ksda_graph_vertices(release.graph), n);
        for (uint32_t p = 0; p < n; p++) {
            assert_int_equal(ksda_communities_of(release.communities, p), ksda_communities_of(net.communities, release.owner[p]));
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(apply_adds_splits_and_links),
                                       cmocka_unit_test(release_is_the_same_graph_renamed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
