/* The k-degree baseline: its degrees are shared by k vertices, cost what the best cut costs, and are what was built. */
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <ksda/anonymize.h>

static int descending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* The least sum of raises that lets every degree from `at` on be shared by k: every way to cut off the next run is
 * tried. */
static uint64_t cheapest(const uint32_t *degree, uint32_t n, uint32_t at, uint32_t k) {
    uint64_t best = UINT64_MAX, raise = 0;
    if (at == n) return 0;
    for (uint32_t end = at + 1; end <= n; end++) {
        raise += degree[at] - degree[end - 1];
        if (end - at < k) continue;
        uint64_t rest = cheapest(degree, n, end, k);
        if (rest != UINT64_MAX && raise + rest < best) best = raise + rest;
    }
    return best;
}

static void check_shared(const uint32_t *degree, uint32_t n, uint32_t k) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < n; j++) same += degree[j] == degree[i];
        assert_true(same >= k);
    }
}

/* Degrees of both graphs, descending; the published one never has fewer than the original at the same rank. */
static void check_one(ksda_ctx *ctx, const ksda_network *net, uint32_t k, uint32_t *realized) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_graph *h;
    uint32_t n = net->graph->n, before[64], after[64];
    ksda_anonymize_options_init(&options);
    options.k = k;
    assert_int_equal(
        ksda_anonymize(ctx, net->graph, net->communities, ksda_method_find("k-degree"), &options, &edits, &result),
        KSDA_OK);
    assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(h), n);
    uint64_t raised = 0;
    for (uint32_t v = 0; v < n; v++) {
        before[v] = ksda_graph_degree(net->graph, v);
        after[v] = ksda_graph_degree(h, v);
        assert_true(after[v] >= before[v]);
        raised += after[v] - before[v];
    }
    check_shared(after, n, k);
    qsort(before, n, sizeof *before, descending);
    uint64_t least = cheapest(before, n, 0, k);
    assert_true(raised >= least);
    *realized += raised == least;
    assert_int_equal(ksda_graph_edges(h),
                     net->graph->m + ksda_edits_added(edits, NULL) - ksda_edits_removed(edits, NULL));
    ksda_graph_free(ctx, h);
    ksda_edits_free(ctx, edits);
}

static void random_networks(void **state) {
    ksda_ctx *ctx;
    uint32_t realized = 0;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        ksda_network net;
        ksda_i_rng r = ksda_i_rng_stream(seed, 5, 6);
        uint32_t n = 1 + (uint32_t)ksda_i_rng_below(&r, 16);
        random_network(ctx, seed, n, ksda_i_rng_unit(&r), 1, &net);
        check_one(ctx, &net, 1 + (uint32_t)ksda_i_rng_below(&r, n),
                  &realized); /* k may exceed the number of communities */
        ksda_network_clear(ctx, &net);
    }
    assert_true(realized > 1000); /* most need no probe */
    ksda_ctx_free(ctx);
}

static void a_star_needs_probing(void **state) {
    ksda_ctx *ctx;
    ksda_network net;
    uint32_t pairs[2 * 15], of[16] = {0}, realized = 0;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint32_t i = 0; i < 15; i++) pairs[2 * i] = 0, pairs[2 * i + 1] = i + 1;
    net = (ksda_network){.graph = NULL};
    assert_int_equal(listed_network(ctx, 16, 15, pairs, of, &net), KSDA_OK);
    for (uint32_t k = 1; k <= 16; k++) check_one(ctx, &net, k, &realized);
    ksda_anonymize_options options;
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = 17;
    assert_int_equal(
        ksda_anonymize(ctx, net.graph, net.communities, ksda_method_find("k-degree"), &options, &edits, NULL),
        KSDA_INVALID);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks), cmocka_unit_test(a_star_needs_probing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
