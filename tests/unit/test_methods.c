/* The six heuristics against a slow reading of them, step by step, and every release through verify. */
#include "reference_methods.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <ksda/privacy.h>

static const char *const heuristic[] = {"edge-connect",   "inverse-edge-connect", "create-by-split",
                                        "merge-by-split", "flex-split",           "splitting-only"};
enum { HEURISTICS = sizeof heuristic / sizeof *heuristic };

static reference *slow;
static reference_trace *trace;

/* How often each kind of step came up: a test that never redirects or restarts would prove little. */
static const char *const action[] = {"merge", "create", "split", "redirect", "restart"};
enum { ACTIONS = sizeof action / sizeof *action };
static uint32_t seen[ACTIONS];

static void count_actions(void) {
    for (uint32_t i = 0; i < trace->steps; i++)
        for (int a = 0; a < ACTIONS; a++) seen[a] += strcmp(trace->step[i].action, action[a]) == 0;
}

static int make(void **state) {
    ksda_ctx *ctx;
    slow = malloc(sizeof *slow);
    trace = malloc(sizeof *trace);
    if (!slow || !trace || ksda_ctx_new(NULL, &ctx) < 0) return -1;
    *state = ctx;
    return 0;
}

static int drop(void **state) {
    ksda_ctx_free(*state);
    free(slow);
    free(trace);
    return 0;
}

/* The release is valid and diverse, and what the method says it cost is what verify counts. */
static void check_release(ksda_ctx *ctx, const ksda_network *net, uint32_t k, const ksda_edits *edits,
                          const ksda_anonymize_result *result) {
    ksda_release release;
    ksda_verification v;
    assert_int_equal(ksda_release_make(ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(ctx, net->graph, net->communities, release.graph, release.owner, k, &v), KSDA_OK);
    if (!v.valid || !v.satisfied) fail_msg("verify: %s", v.error);
    assert_int_equal(v.added_edges, result->added_edges);
    assert_int_equal(v.added_vertices, result->added_vertices);
    assert_int_equal(v.split_vertices, result->split_vertices);
    ksda_release_clear(ctx, &release);
}

static void check_matrix(ksda_ctx *ctx, const ksda_edits *edits) {
    ksda_graph *h;
    assert_int_equal(ksda_edits_apply(ctx, edits, &h), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(h), slow->pieces);
    for (uint32_t p = 0; p < slow->pieces; p++) {
        assert_int_equal(ksda_edits_owner(edits, p), slow->owner[p]);
        for (uint32_t q = 0; q < slow->pieces; q++)
            assert_int_equal(ksda_graph_adjacent(h, p, q), slow->edge[p][q] != NO_EDGE);
    }
    ksda_graph_free(ctx, h);
}

static bool has_isolated(const ksda_graph *g) {
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_graph_degree(g, v) == 0) return true;
    return false;
}

/* One method on one network: returns its status. */
static ksda_status check_one(ksda_ctx *ctx, const ksda_network *net, const char *name, uint32_t k) {
    const ksda_method *method = ksda_method_find(name);
    ksda_anonymize_options options;
    ksda_anonymize_result result;
    ksda_edits *edits;
    assert_non_null(method);
    ksda_anonymize_options_init(&options);
    options.k = k;
    options.step = reference_record;
    options.step_payload = trace;
    trace->steps = trace->tolds = 0;
    ksda_status status = ksda_anonymize(ctx, net->graph, net->communities, method, &options, &edits, &result);
    if (status == KSDA_INFEASIBLE) {
        assert_true(has_isolated(net->graph));
        return status;
    }
    count_actions();
    bool found = reference_run(slow, net, name, k, ksda_ctx_seed(ctx));
    uint32_t where = reference_difference(trace, &slow->trace);
    if (where != UINT32_MAX) fail_msg("%s, k = %u: step %u differs from the reference", name, k, where);
    assert_int_equal(status, found ? KSDA_OK : KSDA_NOT_FOUND);
    if (status == KSDA_NOT_FOUND) {
        assert_null(edits);
        assert_non_null(strstr(ksda_ctx_error(ctx)->message, "cannot be placed"));
        assert_true(!(method->flags & KSDA_METHOD_ALWAYS) || has_isolated(net->graph));
        return status;
    }
    check_matrix(ctx, edits);
    check_release(ctx, net, k, edits, &result);
    if (!(method->flags & KSDA_METHOD_SPLITS)) assert_int_equal(result.added_vertices, 0);
    if (!(method->flags & KSDA_METHOD_ADDS)) assert_int_equal(result.added_edges, 0);
    ksda_edits_free(ctx, edits);
    return status;
}

static void check_all(ksda_ctx *ctx, const ksda_network *net, uint32_t k) {
    ksda_status plain = KSDA_OK;
    for (int i = 0; i < HEURISTICS; i++) {
        ksda_status status = check_one(ctx, net, heuristic[i], k);
        if (i == 0) plain = status;
        if (i == 2 && plain == KSDA_OK) assert_int_equal(status, KSDA_OK); /* CreateBySplit does what EdgeConnect does */
    }
}

static void random_networks(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        ksda_network net;
        ksda_i_rng r = ksda_i_rng_stream(seed, 1, 2);
        uint32_t n = 2 + (uint32_t)ksda_i_rng_below(&r, 22), parts = 1 + (uint32_t)ksda_i_rng_below(&r, n < 6 ? n : 6);
        double p = 0.05 + 0.9 * ksda_i_rng_unit(&r) * ksda_i_rng_unit(&r);
        random_network(ctx, seed, n, p, parts, &net);
        ksda_ctx_set_seed(ctx, seed);
        check_all(ctx, &net, 1 + (uint32_t)ksda_i_rng_below(&r, net.communities->count));
        ksda_network_clear(ctx, &net);
    }
}

/* Few communities and many edges between hubs and leaves: here redirecting, links and restarts happen most. */
static void hubs_and_leaves(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        ksda_network net = {.graph = NULL};
        ksda_i_rng r = ksda_i_rng_stream(seed, 3, 4);
        uint32_t n = 8 + (uint32_t)ksda_i_rng_below(&r, 26), parts = 2 + (uint32_t)ksda_i_rng_below(&r, 4), of[40], pairs[400];
        uint32_t hubs = 1 + (uint32_t)ksda_i_rng_below(&r, 4), m = 0;
        for (uint32_t v = 0; v < n; v++) {
            of[v] = v < parts ? v : (uint32_t)ksda_i_rng_below(&r, parts);
            for (uint32_t h = 0; h < hubs && h < v; h++)
                if (ksda_i_rng_below(&r, 2 + h)) pairs[2 * m] = h, pairs[2 * m++ + 1] = v;
            if (v > 0) pairs[2 * m] = v, pairs[2 * m++ + 1] = (uint32_t)ksda_i_rng_below(&r, v);
        }
        assert_int_equal(ksda_graph_from_edges(ctx, n, m, pairs, &net.graph), KSDA_OK);
        assert_int_equal(ksda_communities_from_labels(ctx, n, of, &net.communities), KSDA_OK);
        ksda_ctx_set_seed(ctx, seed);
        check_all(ctx, &net, 2 + (uint32_t)ksda_i_rng_below(&r, parts - 1));
        ksda_network_clear(ctx, &net);
    }
}

static void everything_came_up(void **state) {
    (void)state;
    for (int a = 0; a < ACTIONS; a++) {
        print_message("%s: %u\n", action[a], seen[a]);
        assert_true(seen[a] >= 500);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks), cmocka_unit_test(hubs_and_leaves),
                                       cmocka_unit_test(everything_came_up)};
    return cmocka_run_group_tests_name("methods", tests, make, drop);
}
