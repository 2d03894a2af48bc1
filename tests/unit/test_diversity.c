/* check against counting by hand: matrices n(d, c) on small random networks, known answers, and the two implications
 * that the definition promises. */
#include "context.h"
#include "random_graph.h"

#include <ksda/privacy.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 40 /* vertices */

typedef uint32_t matrix[MOST][MOST]; /* n(d, c) */

static void count(const ksda_network *net, matrix table) {
    memset(table, 0, sizeof(matrix));
    for (uint32_t v = 0; v < ksda_graph_vertices(net->graph); v++)
        table[ksda_graph_degree(net->graph, v)][ksda_communities_of(net->communities, v)]++;
}

static double information(uint32_t part, uint32_t whole) {
    return part ? -(double)part / whole * log2((double)part / whole) : 0;
}

static void assert_near(double a, double b) {
    if (!(fabs(a - b) < 1e-12)) fail_msg("%.17g is not %.17g", a, b);
}

static void compare_group(const matrix table, const ksda_degree_group *g) {
    uint32_t size = 0, most = 0, kinds = 0, likeliest = 0;
    double entropy = 0;
    for (uint32_t c = 0; c < MOST; c++) size += table[g->degree][c];
    for (uint32_t c = 0; c < MOST; c++) {
        uint32_t here = table[g->degree][c];
        kinds += here > 0;
        entropy += information(here, size);
        if (here > most) most = here, likeliest = c;
    }
    assert_int_equal(g->vertices, size);
    assert_int_equal(g->communities, kinds);
    assert_int_equal(g->likeliest, likeliest);
    assert_int_equal(g->likeliest_vertices, most);
    assert_near(g->entropy, entropy);
}

static void compare(const ksda_network *net, uint32_t k, const ksda_diversity *d) {
    matrix table;
    uint32_t n = ksda_graph_vertices(net->graph), violating = 0, degrees = 0, least = UINT32_MAX, hits = 0, largest = 0;
    double posterior = 0, entropy = 0, baseline = 0;
    count(net, table);
    for (uint32_t v = 0; v < n; v++) { /* by the definition: look at every vertex */
        uint32_t kinds = 0;
        for (uint32_t c = 0; c < MOST; c++) kinds += table[ksda_graph_degree(net->graph, v)][c] > 0;
        violating += kinds < k;
        if (kinds < least) least = kinds;
    }
    for (uint32_t degree = 0; degree < MOST; degree++) {
        uint32_t size = 0, most = 0;
        double inside = 0;
        for (uint32_t c = 0; c < MOST; c++)
            size += table[degree][c], most = most < table[degree][c] ? table[degree][c] : most;
        if (size == 0) continue;
        for (uint32_t c = 0; c < MOST; c++) inside += information(table[degree][c], size);
        degrees++, hits += most, entropy += inside * size / n;
        if ((double)most / size > posterior) posterior = (double)most / size;
    }
    for (uint32_t c = 0; c < ksda_communities_count(net->communities); c++) {
        uint32_t size;
        ksda_communities_members(net->communities, c, &size);
        baseline += information(size, n);
        if (size > largest) largest = size;
    }
    assert_int_equal(d->k, k);
    assert_int_equal(d->vertices, n);
    assert_int_equal(d->communities, ksda_communities_count(net->communities));
    assert_int_equal(d->satisfied, violating == 0);
    assert_int_equal(d->violating_vertices, violating);
    assert_int_equal(d->largest_k, least);
    assert_int_equal(d->groups, degrees);
    assert_near(d->expected_success, (double)hits / n);
    assert_near(d->largest_posterior, posterior);
    assert_near(d->entropy, entropy);
    assert_near(d->baseline_success, (double)largest / n);
    assert_near(d->baseline_entropy, baseline);
    for (uint32_t i = 0; i < d->groups; i++) {
        if (i) assert_true(d->group[i].degree < d->group[i - 1].degree);
        compare_group((const uint32_t(*)[MOST])table, &d->group[i]);
    }
}

static void random_networks_as_counted(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        ksda_network net;
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        uint32_t n = 1 + (uint32_t)(seed % (MOST - 1)), communities = 1 + (uint32_t)(seed / 7 % 6);
        if (communities > n) communities = n;
        random_network(ctx, seed, n, 0.02 * (double)(seed % 50), communities, &net);
        for (uint32_t k = 1; k <= communities; k++) {
            assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, k, &d), KSDA_OK);
            compare(&net, k, &d);
            ksda_diversity_clear(ctx, &d);
        }
        ksda_network_clear(ctx, &net);
    }
}

/* Diverse for k: diverse for every smaller k, and no degree belongs to fewer than k vertices. */
static void implications(void **state) {
    ksda_ctx *ctx = *state;
    unsigned diverse = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        ksda_network net;
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        random_network(ctx, seed, 8 + (uint32_t)(seed % 25), seed % 3 ? 0.1 : 0.9, 3, &net);
        for (uint32_t k = 1, held = 1; k <= 3; k++) {
            assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, k, &d), KSDA_OK);
            assert_true(held || !d.satisfied);
            assert_int_equal(d.satisfied, k <= d.largest_k);
            for (uint32_t i = 0; d.satisfied && i < d.groups; i++) assert_true(d.group[i].vertices >= k);
            assert_true(d.expected_success >= d.baseline_success - 1e-12 && d.entropy <= d.baseline_entropy + 1e-12);
            held = (uint32_t)d.satisfied;
            diverse += d.satisfied && k > 1;
            ksda_diversity_clear(ctx, &d);
        }
        ksda_network_clear(ctx, &net);
    }
    assert_true(diverse > 20); /* or the implications were never put to the test */
}

/* 99 of one community and one of another: 2-diverse, and guessed right 99 times in 100. */
static void diverse_is_not_balanced(void **state) {
    ksda_ctx *ctx = *state;
    ksda_graph *g;
    ksda_communities *c;
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    uint32_t of[100] = {0};
    of[41] = 7;
    assert_int_equal(ksda_graph_from_edges(ctx, 100, 0, NULL, &g), KSDA_OK);
    assert_int_equal(ksda_communities_from_labels(ctx, 100, of, &c), KSDA_OK);
    assert_int_equal(ksda_diversity_check(ctx, g, c, 2, &d), KSDA_OK);
    assert_true(d.satisfied);
    assert_near(d.expected_success, 0.99);
    assert_near(d.largest_posterior, 0.99);
    assert_near(d.entropy, -0.99 * log2(0.99) - 0.01 * log2(0.01));
    ksda_diversity_clear(ctx, &d);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
}

/* The example of docs/privacy.md. */
static void worked_example(void **state) {
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 3, 4, 4, 5, 4, 6, 5, 6}, of[] = {0, 0, 0, 0, 1, 1, 1};
    ksda_ctx *ctx = *state;
    for (uint64_t m = 7; m <= 8; m++) { /* without and with f-g */
        ksda_graph *g;
        ksda_communities *c;
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        assert_int_equal(ksda_graph_from_edges(ctx, 7, m, edges, &g), KSDA_OK);
        assert_int_equal(ksda_communities_from_labels(ctx, 7, of, &c), KSDA_OK);
        assert_int_equal(ksda_diversity_check(ctx, g, c, 2, &d), KSDA_OK);
        assert_int_equal(d.violating_vertices, m == 7 ? 5 : 0);
        assert_int_equal(d.largest_k, m == 7 ? 1 : 2);
        assert_near(d.expected_success, m == 7 ? 6.0 / 7 : 4.0 / 7);
        assert_near(d.baseline_success, 4.0 / 7);
        assert_near(d.largest_posterior, m == 7 ? 1 : 0.6);
        assert_true(fabs(d.entropy - (m == 7 ? 0.29 : 0.98)) < 0.005);
        assert_true(fabs(d.baseline_entropy - 0.99) < 0.005);
        ksda_diversity_clear(ctx, &d);
        ksda_communities_free(ctx, c);
        ksda_graph_free(ctx, g);
    }
}

static void bad_arguments(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net, other;
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    random_network(ctx, 1, 10, 0.3, 3, &net);
    random_network(ctx, 1, 11, 0.3, 3, &other);
    assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, 0, &d), KSDA_INVALID);
    assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, 4, &d), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "between 1 and the number of communities, 3"));
    assert_int_equal(ksda_diversity_check(ctx, net.graph, other.communities, 2, &d), KSDA_INVALID);
    ksda_diversity_clear(ctx, &d);
    ksda_network_clear(ctx, &net);
    ksda_network_clear(ctx, &other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks_as_counted), cmocka_unit_test(implications),
                                       cmocka_unit_test(diverse_is_not_balanced), cmocka_unit_test(worked_example),
                                       cmocka_unit_test(bad_arguments)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
