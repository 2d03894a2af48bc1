/* Comparing a network with its release: against slow readings of the definitions, on random networks with random edits.
 */
#include "measure/assignment.h"
#include "random_graph.h"

#include <ksda/edits.h>
#include <ksda/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct scene {
    ksda_ctx *ctx;
    ksda_network net;
    ksda_edits *edits;
    ksda_release release;
} scene;

/* A network of up to 24 vertices, with some vertices split and some edges added inside communities. */
static void scene_new(scene *s, uint64_t seed) {
    ksda_i_rng r = ksda_i_rng_stream(seed, 0x7363656e, 0);
    uint32_t n = 2 + (uint32_t)ksda_i_rng_below(&r, 23), piece;
    *s = (scene){.release = KSDA_INIT(ksda_release)};
    assert_int_equal(ksda_ctx_new(NULL, &s->ctx), KSDA_OK);
    random_network(s->ctx, seed, n, 0.03 + 0.3 * ksda_i_rng_unit(&r), 1 + (uint32_t)(seed % 3), &s->net);
    const ksda_graph *g = s->net.graph;
    assert_int_equal(ksda_edits_new(s->ctx, g, &s->edits), KSDA_OK);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t d = ksda_graph_degree(g, v);
        if (d < 2 || ksda_i_rng_below(&r, 3)) continue;
        for (uint32_t i = 1; i < d && i < 4; i++) {
            assert_int_equal(ksda_edits_split(s->ctx, s->edits, v, &piece), KSDA_OK);
            assert_int_equal(ksda_edits_carry(s->ctx, s->edits, v, i, piece), KSDA_OK);
            if (ksda_i_rng_below(&r, 3) == 0) assert_int_equal(ksda_edits_link(s->ctx, s->edits, v, piece), KSDA_OK);
        }
    }
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++)
            if (!ksda_graph_adjacent(g, u, v) && ksda_i_rng_below(&r, 12) == 0 &&
                ksda_communities_of(s->net.communities, u) == ksda_communities_of(s->net.communities, v))
                assert_int_equal(ksda_edits_add_edge(s->ctx, s->edits, u, v), KSDA_OK);
    assert_int_equal(ksda_release_make(s->ctx, s->edits, s->net.communities, 1, &s->release), KSDA_OK);
}

static void scene_clear(scene *s) {
    ksda_release_clear(s->ctx, &s->release);
    ksda_edits_free(s->ctx, s->edits);
    ksda_network_clear(s->ctx, &s->net);
    ksda_ctx_free(s->ctx);
}

static void compare(scene *s, uint32_t k, ksda_comparison *out) {
    assert_int_equal(
        ksda_compare(s->ctx, s->net.graph, s->net.communities, s->release.graph, s->release.owner, k, NULL, out),
        KSDA_OK);
}

static void near(double a, double b) {
    if (isnan(a) && isnan(b)) return;
    assert_true(fabs(a - b) <= 1e-12 * fmax(1, fabs(b)));
}

/* reach[u * n + v], by repeated relaxation. */
static unsigned char *reachability(const ksda_graph *g) {
    uint32_t n = g->n;
    unsigned char *reach = calloc((size_t)n * n + 1, 1);
    for (uint32_t u = 0; u < n; u++) {
        reach[u * n + u] = 1;
        for (uint64_t e = g->off[u]; e < g->off[u + 1]; e++) reach[u * n + g->adj[e]] = 1;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = 0; v < n && reach[u * n + k]; v++) reach[u * n + v] |= reach[k * n + v];
    return reach;
}

static double lost_pairs(const scene *s) {
    const ksda_graph *g = s->net.graph, *h = s->release.graph;
    unsigned char *before = reachability(g), *after = reachability(h);
    double pairs = 0, lost = 0;
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t v = u + 1; v < g->n; v++) {
            if (!before[u * g->n + v]) continue;
            bool still = false;
            for (uint32_t p = 0; p < h->n; p++)
                for (uint32_t q = 0; q < h->n; q++)
                    still |= s->release.owner[p] == u && s->release.owner[q] == v && after[p * h->n + q];
            pairs++;
            lost += !still;
        }
    free(before);
    free(after);
    return pairs > 0 ? lost / pairs : 0;
}

static void connected_query(void **state) {
    (void)state;
    uint32_t some = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        scene s;
        ksda_comparison c = KSDA_INIT(ksda_comparison);
        scene_new(&s, seed);
        compare(&s, 0, &c);
        double expected = lost_pairs(&s);
        near(c.difference[KSDA_DIFFERENCE_DISCONNECTED_PAIRS].value, expected);
        some += expected > 0;
        ksda_comparison_clear(s.ctx, &c);
        scene_clear(&s);
    }
    assert_true(some > 100); /* else the test looks at nothing */
}

/* Owners at random, not from edits: people spread over many components, sets of places that overlap in every way. */
static void connected_query_in_pieces(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 0x70696563, 0);
        scene s = {.ctx = NULL};
        ksda_network after;
        ksda_comparison c = KSDA_INIT(ksda_comparison);
        uint32_t n = 1 + (uint32_t)(seed % 9), pieces = n + (uint32_t)ksda_i_rng_below(&r, 16);
        assert_int_equal(ksda_ctx_new(NULL, &s.ctx), KSDA_OK);
        random_network(s.ctx, seed, n, 0.2 + 0.5 * ksda_i_rng_unit(&r), 1, &s.net);
        random_network(s.ctx, seed + 1, pieces, 0.02 + 0.1 * ksda_i_rng_unit(&r), 1, &after);
        s.release.graph = after.graph;
        s.release.owner = malloc(pieces * sizeof(uint32_t));
        for (uint32_t p = 0; p < pieces; p++) s.release.owner[p] = p < n ? p : (uint32_t)ksda_i_rng_below(&r, n);
        compare(&s, 0, &c);
        near(c.difference[KSDA_DIFFERENCE_DISCONNECTED_PAIRS].value, lost_pairs(&s));
        ksda_comparison_clear(s.ctx, &c);
        free(s.release.owner);
        ksda_network_clear(s.ctx, &after);
        ksda_network_clear(s.ctx, &s.net);
        ksda_ctx_free(s.ctx);
    }
}

static void change_counts(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        scene s;
        ksda_comparison c = KSDA_INIT(ksda_comparison);
        scene_new(&s, seed);
        compare(&s, 1, &c);
        const ksda_value *d = c.difference;
        double n = ksda_graph_vertices(s.net.graph), m = (double)ksda_graph_edges(s.net.graph);
        double added = (double)ksda_edits_added(s.edits, NULL), more = ksda_edits_pieces(s.edits) - n;
        double split = ksda_edits_split_vertices(s.edits);
        near(d[KSDA_DIFFERENCE_ADDED_EDGES].value, added);
        near(d[KSDA_DIFFERENCE_ADDED_EDGES_SHARE].value, m > 0 ? added / m : NAN);
        near(d[KSDA_DIFFERENCE_REMOVED_EDGES].value, 0);
        near(d[KSDA_DIFFERENCE_ADDED_VERTICES].value, more);
        near(d[KSDA_DIFFERENCE_SPLIT_VERTICES_SHARE].value, split / n);
        near(d[KSDA_DIFFERENCE_SUBSTITUTES].value, split > 0 ? (more + split) / split : NAN);
        near(d[KSDA_DIFFERENCE_COST].value, added + n * n * more);
        near(c.original->value[KSDA_MEASURE_VIOLATIONS].value, 0);
        ksda_comparison_clear(s.ctx, &c);
        scene_clear(&s);
    }
}

/* --- distributions ------------------------------------------------------------------------------------------------ */

static double share_up_to(const ksda_graph *g, uint32_t degree) {
    double count = 0;
    for (uint32_t v = 0; v < g->n; v++) count += ksda_graph_degree(g, v) <= degree;
    return count / g->n;
}

static double share_of_edges(const ksda_graph *g, uint32_t i, uint32_t j) {
    double count = 0;
    for (uint32_t u = 0; u < g->n; u++)
        for (uint64_t e = g->off[u]; e < g->off[u + 1]; e++)
            count += ksda_graph_degree(g, u) == i && ksda_graph_degree(g, g->adj[e]) == j;
    return count / (double)(i == j ? 2 * g->m : g->m); /* an edge between equal degrees is met from both ends */
}

static void distributions(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        scene s;
        ksda_comparison c = KSDA_INIT(ksda_comparison);
        scene_new(&s, seed);
        compare(&s, 0, &c);
        double ks = 0, emd = 0, joint = 0;
        for (uint32_t d = 0; d < 30; d++) {
            double gap = fabs(share_up_to(s.net.graph, d) - share_up_to(s.release.graph, d));
            ks = fmax(ks, gap), emd += gap;
            for (uint32_t j = d; j < 30; j++)
                joint += fabs(share_of_edges(s.net.graph, d, j) - share_of_edges(s.release.graph, d, j)) / 2;
        }
        near(c.difference[KSDA_DIFFERENCE_DEGREE_KS].value, ks);
        near(c.difference[KSDA_DIFFERENCE_DEGREE_EMD].value, emd);
        if (s.net.graph->m) near(c.difference[KSDA_DIFFERENCE_JOINT_DEGREE].value, joint);
        ksda_comparison_clear(s.ctx, &c);
        scene_clear(&s);
    }
}

/* The same network under other names: nothing has changed. */
static void renamed_network(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        ksda_ctx *ctx;
        ksda_network net;
        ksda_edits *edits;
        ksda_release release = KSDA_INIT(ksda_release);
        ksda_comparison c = KSDA_INIT(ksda_comparison);
        assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
        random_network(ctx, seed, 3 + (uint32_t)(seed % 30), 0.25, 1, &net);
        assert_int_equal(ksda_edits_new(ctx, net.graph, &edits), KSDA_OK);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, 1, &release), KSDA_OK);
        assert_int_equal(ksda_compare(ctx, net.graph, net.communities, release.graph, release.owner, 1, NULL, &c),
                         KSDA_OK);
        for (int i = 0; i < KSDA_MEASURE_COUNT; i++) {
            double a = c.original->value[i].value, b = c.published->value[i].value;
            assert_true((isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fabs(a)));
        }
        static const ksda_difference_id zero[] = {KSDA_DIFFERENCE_DEGREE_KS,   KSDA_DIFFERENCE_DEGREE_EMD,
                                                  KSDA_DIFFERENCE_CORE_KS,     KSDA_DIFFERENCE_DISCONNECTED_PAIRS,
                                                  KSDA_DIFFERENCE_ADDED_EDGES, KSDA_DIFFERENCE_REMOVED_EDGES,
                                                  KSDA_DIFFERENCE_COST};
        for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) near(c.difference[zero[i]].value, 0);
        uint32_t components;
        uint32_t *of = malloc(sizeof *of * ksda_graph_vertices(net.graph));
        assert_int_equal(ksda_components(ctx, net.graph, of, &components), KSDA_OK);
        double r = c.difference[KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION].value;
        if (components == 1) assert_true(isnan(r) || r > 1 - 1e-9);
        free(of);
        ksda_comparison_clear(ctx, &c);
        ksda_release_clear(ctx, &release);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
        ksda_ctx_free(ctx);
    }
}

/* Detection depends on seeds and orders: the mean of several runs, which does not depend on the published ids. */
static void published_ids_change_no_detection(void **state) {
    (void)state;
    uint32_t spread = 0, measured = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        scene s;
        ksda_comparison first = KSDA_INIT(ksda_comparison), c = KSDA_INIT(ksda_comparison);
        scene_new(&s, seed);
        compare(&s, 1, &first);
        for (int again = 0; again < 3; again++) {
            ksda_release_clear(s.ctx, &s.release);
            assert_int_equal(ksda_release_make(s.ctx, s.edits, s.net.communities, 0, &s.release), KSDA_OK);
            compare(&s, 1, &c);
            for (int i = KSDA_DIFFERENCE_DETECTION_ACCURACY; i <= KSDA_DIFFERENCE_GIVEN_ARI; i++) {
                const ksda_value *a = &first.difference[i], *b = &c.difference[i];
                if (!a->measured) continue;
                assert_int_equal(a->runs, first.detections);
                assert_true(a->value == b->value && a->spread == b->spread && a->spread >= 0);
                measured++, spread += a->spread > 0;
            }
            ksda_comparison_clear(s.ctx, &c);
        }
        ksda_comparison_clear(s.ctx, &first);
        scene_clear(&s);
    }
    assert_true(measured == 0 || spread > measured / 8); /* none without METIS */
}

/* A star whose hub is split: the hub's centralities are summed. */
static void substitutes_are_summed(void **state) {
    (void)state;
    ksda_ctx *ctx;
    ksda_graph *g, *h;
    ksda_comparison c = KSDA_INIT(ksda_comparison);
    const uint32_t star[] = {0, 1, 0, 2, 0, 3, 0, 4}, pieces[] = {0, 1, 0, 2, 5, 3, 5, 4, 0, 5};
    const uint32_t owner[] = {0, 1, 2, 3, 4, 0};
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 5, 4, star, &g), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 6, 5, pieces, &h), KSDA_OK);
    assert_int_equal(ksda_compare(ctx, g, NULL, h, owner, 0, NULL, &c), KSDA_OK);
    near(c.difference[KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION].value, 1); /* hub against four equal leaves */
    near(c.difference[KSDA_DIFFERENCE_ADDED_EDGES].value, 0);
    near(c.difference[KSDA_DIFFERENCE_ADDED_VERTICES].value, 1);
    assert_false(c.difference[KSDA_DIFFERENCE_GIVEN_NMI].measured);
    ksda_comparison_clear(ctx, &c);
    const uint32_t wrong[] = {0, 1, 2, 3, 4, 5};
    assert_int_equal(ksda_compare(ctx, g, NULL, h, wrong, 0, NULL, &c), KSDA_INVALID);
    ksda_graph_free(ctx, g);
    ksda_graph_free(ctx, h);
    ksda_ctx_free(ctx);
}

/* --- assignment --------------------------------------------------------------------------------------------------- */

static double best_from(uint32_t row, uint32_t rows, uint32_t columns, const double *profit, unsigned used) {
    if (row == rows) return 0;
    double best = best_from(row + 1, rows, columns, profit, used);
    for (uint32_t c = 0; c < columns; c++)
        if (profit[row * columns + c] > 0 && !(used & 1u << c))
            best = fmax(best, profit[row * columns + c] + best_from(row + 1, rows, columns, profit, used | 1u << c));
    return best;
}

static void assignment(void **state) {
    (void)state;
    ksda_ctx *ctx;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 0x61737369, 0);
        uint32_t rows = (uint32_t)ksda_i_rng_below(&r, 7), columns = (uint32_t)ksda_i_rng_below(&r, 7), column[49];
        double full[49] = {0}, profit[49], best;
        uint64_t start[8] = {0}, at = 0, most = 1 + ksda_i_rng_below(&r, 9), sparse = 1 + ksda_i_rng_below(&r, 4);
        for (uint32_t i = 0; i < rows; i++) {
            for (uint32_t c = 0; c < columns; c++) {
                if (ksda_i_rng_below(&r, sparse)) continue;
                column[at] = c;
                full[i * columns + c] = profit[at++] = (double)(1 + ksda_i_rng_below(&r, most));
            }
            start[i + 1] = at;
        }
        assert_int_equal(ksda_i_assignment(ctx, rows, columns, start, column, profit, &best), KSDA_OK);
        near(best, best_from(0, rows, columns, full, 0));
    }
    ksda_ctx_free(ctx);
}

static void agreement(void **state) {
    (void)state;
    ksda_ctx *ctx;
    ksda_agreement x = KSDA_INIT(ksda_agreement), y = KSDA_INIT(ksda_agreement);
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    const uint32_t a[] = {0, 0, 0, 1, 1, 1}, b[] = {5, 5, 5, 2, 2, 2}, c[] = {0, 0, 1, 1, 2, 2},
                   one[] = {3, 3, 3, 3, 3, 3};
    assert_int_equal(ksda_partition_agreement(ctx, 6, a, b, &x), KSDA_OK);
    near(x.accuracy, 1), near(x.nmi, 1), near(x.ari, 1);
    assert_int_equal(ksda_partition_agreement(ctx, 6, a, c, &x), KSDA_OK);
    assert_int_equal(ksda_partition_agreement(ctx, 6, c, a, &y), KSDA_OK);
    near(x.accuracy, 4.0 / 6), near(x.accuracy, y.accuracy), near(x.nmi, y.nmi), near(x.ari, y.ari);
    near(x.ari, (2 - 6 * 3 / 15.0) / (4.5 - 6 * 3 / 15.0));
    assert_int_equal(ksda_partition_agreement(ctx, 6, one, one, &x), KSDA_OK);
    near(x.accuracy, 1), near(x.nmi, 1), near(x.ari, 1);
    assert_int_equal(ksda_partition_agreement(ctx, 6, one, a, &x), KSDA_OK);
    near(x.accuracy, 0.5), near(x.nmi, 0), near(x.ari, 0);
    assert_int_equal(ksda_partition_agreement(ctx, 0, NULL, NULL, &x), KSDA_OK);
    assert_true(isnan(x.accuracy));
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(connected_query),
                                       cmocka_unit_test(connected_query_in_pieces),
                                       cmocka_unit_test(change_counts),
                                       cmocka_unit_test(distributions),
                                       cmocka_unit_test(renamed_network),
                                       cmocka_unit_test(published_ids_change_no_detection),
                                       cmocka_unit_test(substitutes_are_summed),
                                       cmocka_unit_test(assignment),
                                       cmocka_unit_test(agreement)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
