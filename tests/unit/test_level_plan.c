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
    for (uint64_t seed = 0; seed < 1000; seed++) {
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

/* --- against brute force -------------------------------------------------------------------------------------------- */

#define MOST_PAIRS 14

/* The fewest edges whose addition makes the network diverse, by trying all sets; UINT32_MAX when none does. */
static uint32_t fewest_edges(const ksda_network *net, uint32_t k) {
    const ksda_graph *g = net->graph;
    const uint32_t *of = net->communities->of;
    uint32_t pairs[MOST_PAIRS][2], count = 0, best = UINT32_MAX;
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t v = u + 1; v < g->n; v++)
            if (of[u] == of[v] && !ksda_graph_adjacent(g, u, v)) {
                assert_true(count < MOST_PAIRS);
                pairs[count][0] = u, pairs[count++][1] = v;
            }
    for (uint32_t set = 0; set < UINT32_C(1) << count; set++) {
        uint32_t degree[32], edges = (uint32_t)__builtin_popcount(set), at[64] = {0};
        bool diverse = true;
        if (edges >= best) continue;
        for (uint32_t v = 0; v < g->n; v++) degree[v] = ksda_i_degree(g, v);
        for (uint32_t i = 0; i < count; i++)
            if (set >> i & 1) degree[pairs[i][0]]++, degree[pairs[i][1]]++;
        for (uint32_t v = 0; v < g->n; v++) at[degree[v]] |= UINT32_C(1) << of[v];
        for (uint32_t d = 0; d < 64; d++)
            if (at[d] && (uint32_t)__builtin_popcount(at[d]) < k) diverse = false;
        if (diverse) best = edges;
    }
    return best;
}

static uint32_t free_pairs(const ksda_network *net) {
    uint32_t count = 0;
    for (uint32_t u = 0; u < net->graph->n; u++)
        for (uint32_t v = u + 1; v < net->graph->n; v++)
            count += net->communities->of[u] == net->communities->of[v] && !ksda_graph_adjacent(net->graph, u, v);
    return count;
}

/* Where adding edges can do it, the bound is never above the optimum and the cost at most twice it, without a split. */
static void bound_and_cost_against_brute_force(void **state) {
    uint32_t compared = 0, optimal = 0, splits = 0, split_where_adding_does = 0;
    double worst = 1, sum = 0, gap = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        ksda_network net;
        ksda_anonymize_result result;
        random_network(ctx, seed, 5 + (uint32_t)(seed % 6), seed % 2 ? 0.5 : 0.35, 2 + (uint32_t)(seed / 2 % 2), &net);
        uint32_t k = 2 + (uint32_t)(seed / 5 % (net.communities->count - 1));
        if (free_pairs(&net) <= MOST_PAIRS && net.communities->count >= k && run(&net, k, 0, &result) == KSDA_OK) {
            uint32_t best = fewest_edges(&net, k);
            if (best == UINT32_MAX) {
                splits++;
                assert_true(result.added_vertices > 0);
            } else {
                assert_true(result.lower_bound <= best);
                if (result.added_vertices) split_where_adding_does++;
                else if (best) {
                    double ratio = (double)result.added_edges / best;
                    compared++, optimal += result.added_edges == best, sum += ratio, gap += result.lower_bound / best;
                    if (ratio > worst) worst = ratio;
                } else {
                    assert_true(result.cost == 0);
                }
            }
        }
        ksda_network_clear(ctx, &net);
    }
    print_message("%u compared: %u optimal, mean %.4f, worst %.3f, mean bound / optimum %.3f; %u need splitting; %u split in vain\n",
                  compared, optimal, sum / compared, worst, gap / compared, splits, split_where_adding_does);
    assert_true(compared > 500);
    assert_true(worst <= 2);
    assert_int_equal(split_where_adding_does, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_networks_always_succeed),
                                       cmocka_unit_test(bound_and_cost_against_brute_force)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
