/* The frontier: every point verified, none beaten by another, what is shown can be had again, bounds below brute force.
 */
#include "context.h"
#include "exact_reference.h"
#include "failing_memory.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static ksda_status search(const ksda_network *net, uint32_t k, double weight, uint32_t runs, ksda_frontier *out) {
    ksda_anonymize_options options;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = weight;
    return ksda_frontier_search(check_ctx, net->graph, net->communities, &options, runs, out);
}

static ksda_anonymize_result plain(const ksda_network *net, uint32_t k, double weight) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = weight;
    assert_int_equal(ksda_anonymize(check_ctx, net->graph, net->communities, NULL, &options, &edits, &result), KSDA_OK);
    ksda_edits_free(check_ctx, edits);
    return result;
}

/* Is that just the release that a run with its weight gives? */
static void assert_repeated(const ksda_network *net, uint32_t k, const ksda_frontier_point *p) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    const ksda_pair *x, *y;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = p->split_weight;
    assert_int_equal(ksda_anonymize(check_ctx, net->graph, net->communities, NULL, &options, &edits, &result), KSDA_OK);
    assert_true(result.added_vertices == p->added_vertices && result.split_vertices == p->split_vertices &&
                result.cost <= p->cost);
    assert_int_equal(ksda_edits_added(edits, &x), ksda_edits_added(p->edits, &y));
    assert_memory_equal(x, y, p->added_edges * sizeof *x);
    assert_int_equal(ksda_edits_links(edits, &x), ksda_edits_links(p->edits, &y));
    ksda_edits_free(check_ctx, edits);
}

static void verify_point(const ksda_network *net, uint32_t k, const ksda_frontier_point *p) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_release_make(check_ctx, p->edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, k, &v),
                     KSDA_OK);
    if (!v.valid || !v.satisfied) print_error("%s\n", v.error);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(v.added_edges, p->added_edges);
    assert_int_equal(v.added_vertices, p->added_vertices);
    assert_int_equal(v.split_vertices, p->split_vertices);
    ksda_release_clear(check_ctx, &release);
}

static double cost(const ksda_frontier_point *p, double weight) {
    return (double)p->added_edges + weight * (double)p->added_vertices;
}

/* Fewer vertices mean more edges; the intervals cover all weights, and inside each its point is the cheapest. */
static void check_shape(const ksda_frontier *f) {
    double reached = INFINITY;
    for (uint32_t i = 0; i < f->count; i++) {
        const ksda_frontier_point *p = &f->point[i];
        if (i > 0) assert_true(p[-1].added_vertices < p->added_vertices && p[-1].added_edges > p->added_edges);
        if (isnan(p->low)) {
            assert_true(isnan(p->high) && isnan(p->split_weight) && isnan(p->cost) && !p->repeatable);
            continue;
        }
        assert_true(p->high == reached && p->low < p->high);
        reached = p->low;
        assert_true(p->split_weight >= p->low && p->split_weight <= p->high);
        assert_true(p->cost == cost(p, p->split_weight) && p->lower_bound <= p->cost);
        for (uint32_t j = 0; j < f->count; j++)
            assert_true(cost(&f->point[j], p->split_weight) >= p->cost * (1 - 1e-12));
    }
    assert_true(reached == 0);
    for (uint32_t i = 1; i < f->bounds; i++) assert_true(f->bound[i - 1].split_weight < f->bound[i].split_weight);
}

/* People in several communities: every release has its witnesses and can be had again by its weight. */
static void people_in_several_communities(void **state) {
    uint32_t networks = 0, points = 0, corners = 0, repeatable = 0;
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(24); seed++) {
        ksda_network net;
        ksda_frontier f = KSDA_INIT(ksda_frontier);
        random_network(check_ctx, seed, 12 + (uint32_t)(seed % 40), seed % 3 ? 0.3 : 0.15, 4 + (uint32_t)(seed % 4),
                       &net);
        random_sets(check_ctx, seed, seed % 4 == 3, &net);
        uint32_t k = 2 + (uint32_t)(seed % 2);
        ksda_status status = search(&net, k, 0, 12, &f);
        assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE);
        if (status == KSDA_OK) {
            check_shape(&f);
            networks++, points += f.count;
            for (uint32_t i = 0; i < f.count; i++) {
                const ksda_frontier_point *p = &f.point[i];
                verify_point(&net, k, p);
                corners += !isnan(p->low), repeatable += p->repeatable != 0;
                if (p->repeatable) assert_repeated(&net, k, p);
            }
        }
        ksda_frontier_clear(check_ctx, &f);
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u networks, %u points, %u cheapest for some weight, %u of them repeatable\n", networks, points,
                  corners, repeatable);
    assert_true(enough(networks, 15) && enough(points, 2 * (uint64_t)networks) && repeatable == corners);
}

static void small_networks(void **state) {
    uint32_t points = 0, corners = 0, repeatable = 0, complete = 0, networks = 0, unknown = 0;
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(24); seed++) {
        ksda_network net;
        ksda_frontier f = KSDA_INIT(ksda_frontier);
        random_network(check_ctx, seed, 8 + (uint32_t)(seed % 24), seed % 3 ? 0.3 : 0.15, 2 + (uint32_t)(seed % 4),
                       &net);
        if (seed % 4 == 3 && net.communities->count > 2) net.communities->counted--, unknown++;
        uint32_t k = ksda_communities_counted(net.communities) < net.communities->count ? 2
                     : net.communities->count > 2 ? 2 + (uint32_t)(seed % (net.communities->count - 1))
                                                  : net.communities->count;
        ksda_status status = search(&net, k, 0, 16, &f);
        assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE);
        if (status == KSDA_OK) {
            networks++, complete += f.complete != 0;
            assert_true(f.count > 0 && f.runs <= 16);
            check_shape(&f);
            for (uint32_t i = 0; i < f.count; i++) {
                const ksda_frontier_point *p = &f.point[i];
                points++, corners += !isnan(p->low), repeatable += p->repeatable != 0;
                verify_point(&net, k, p);
                if (p->repeatable && i % 3 == seed % 3) assert_repeated(&net, k, p);
            }
            ksda_frontier_clear(check_ctx, &f);
        } else {
            assert_int_equal(f.count, 0);
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u networks, %u complete; %u points, %u cheapest for some weight, %u of them repeatable\n", networks,
                  complete, points, corners, repeatable);
    assert_true(enough(networks, 18) && enough(unknown, 3) && corners > networks && repeatable >= corners * 9 / 10);
}

/* The weight that was asked for is looked at, so its release is as good as a plain run's. */
static void the_weight_asked_for(void **state) {
    (void)state;
    for (uint64_t seed = 100; seed < 104; seed++) {
        static const double weights[] = {0.7, 2, 3.25, 17};
        ksda_network net;
        ksda_frontier f = KSDA_INIT(ksda_frontier);
        double weight = weights[seed % 4];
        random_network(check_ctx, seed, 30, 0.2, 4, &net);
        if (search(&net, 3, weight, 5, &f) == KSDA_OK) {
            uint32_t i = ksda_frontier_cheapest(&f, weight);
            assert_true(cost(&f.point[i], weight) <= plain(&net, 3, weight).cost);
            assert_true(f.runs <= 6);
            ksda_frontier_clear(check_ctx, &f);
        }
        ksda_network_clear(check_ctx, &net);
    }
}

/* All ways to split and add, for a handful of vertices: what is proved holds, and what is found is near the best. */
static void compare_with_brute_force(bool unknown, bool sets, uint64_t seeds, uint32_t least) {
    static const double weights[] = {0.3, 1, 2.5, 7};
    uint32_t compared = 0, optimal = 0;
    double sum = 0;
    for (uint64_t seed = 0; seed < times_as_many(seeds); seed++) {
        ksda_network net;
        ksda_frontier f = KSDA_INIT(ksda_frontier);
        random_network(check_ctx, seed, 4 + (uint32_t)(seed % 2), 0.6, unknown || sets ? 3 : 2, &net);
        if (sets) random_sets(check_ctx, seed, seed % 4 == 3, &net);
        if (unknown) net.communities->counted = net.communities->count - 1;
        if ((sets ? ksda_communities_overlap(net.communities) : ksda_communities_counted(net.communities) == 2) &&
            net.graph->m <= 6 && search(&net, 2, 0, 16, &f) == KSDA_OK) {
            for (int w = 0; w < 4; w++) {
                double best = reference_split(net.graph, net.communities, 2, weights[w], 2);
                double found = cost(&f.point[ksda_frontier_cheapest(&f, weights[w])], weights[w]);
                if (!(best <= weights[w] * 3)) continue; /* three more vertices might do better */
                assert_true(ksda_frontier_lower_bound(&f, weights[w]) <= best + 1e-9);
                assert_true(found >= best - 1e-9);
                if (unknown || sets) verify_point(&net, 2, &f.point[ksda_frontier_cheapest(&f, weights[w])]);
                compared++, optimal += found <= best + 1e-9, sum += best > 0 ? found / best : 1;
            }
            ksda_frontier_clear(check_ctx, &f);
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u compared with all releases there are: %u optimal, the mean %.3f times the optimum\n", compared,
                  optimal, sum / compared);
    assert_true(enough(compared, least) &&
                (sets ? enough(optimal, 4 * (uint64_t)compared / 10) : optimal > compared * (unknown ? 5u : 9u) / 10));
}

static void against_brute_force(void **state) {
    (void)state;
    compare_with_brute_force(false, false, 90, 100);
}

static void against_brute_force_where_some_do_not_count(void **state) {
    (void)state;
    compare_with_brute_force(true, false, 40, 20);
}

static void against_brute_force_where_people_are_in_several(void **state) {
    (void)state;
    compare_with_brute_force(false, true, 60, 20);
}

static void threads_change_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        ksda_network net;
        ksda_frontier one = KSDA_INIT(ksda_frontier), many = KSDA_INIT(ksda_frontier);
        random_network(check_ctx, seed, 60, 0.08, 5, &net);
        if (seed == 1) random_sets(check_ctx, seed, false, &net);
        ksda_status status = search(&net, 3 - (uint32_t)seed, 0, 6, &one);
        for (unsigned threads = 3; threads <= 3; threads++) {
            ksda_ctx_set_threads(check_ctx, threads);
            assert_int_equal(search(&net, 3 - (uint32_t)seed, 0, 6, &many), status);
            ksda_ctx_set_threads(check_ctx, 1);
            assert_true(one.count == many.count && one.runs == many.runs && one.bounds == many.bounds &&
                        one.complete == many.complete);
            for (uint32_t i = 0; i < one.count; i++) {
                const ksda_frontier_point *a = &one.point[i], *b = &many.point[i];
                const ksda_pair *x, *y;
                assert_true(a->added_edges == b->added_edges && a->added_vertices == b->added_vertices);
                assert_true(isnan(a->low) ? isnan(b->low)
                                          : a->split_weight == b->split_weight && a->lower_bound == b->lower_bound);
                uint64_t edges = ksda_edits_added(a->edits, &x);
                ksda_edits_added(b->edits, &y);
                for (uint64_t e = 0; e < edges; e++) assert_true(x[e].u == y[e].u && x[e].v == y[e].v);
            }
            ksda_frontier_clear(check_ctx, &many);
        }
        ksda_frontier_clear(check_ctx, &one);
        ksda_network_clear(check_ctx, &net);
    }
}

static void no_time_gives_a_point_all_the_same(void **state) {
    ksda_network net;
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    (void)state;
    random_network(check_ctx, 3, 100, 0.1, 4, &net);
    ksda_ctx_set_time_limit(check_ctx, 1e-9);
    assert_int_equal(search(&net, 3, 0, 0, &f), KSDA_LIMIT);
    ksda_ctx_set_time_limit(check_ctx, 0);
    assert_true(f.count > 0 && !f.complete);
    for (uint32_t i = 0; i < f.count; i++) verify_point(&net, 3, &f.point[i]);
    check_shape(&f);
    ksda_frontier_clear(check_ctx, &f);
    ksda_network_clear(check_ctx, &net);
}

static void what_is_wrong_is_refused(void **state) {
    static const uint32_t edges[] = {0, 1, 1, 2}, of[] = {0, 0, 1, 2};
    ksda_network net = {.graph = NULL};
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    (void)state;
    assert_int_equal(listed_network(check_ctx, 4, 2, edges, of, &net), KSDA_OK); /* vertex 3: no edge, alone */
    assert_int_equal(search(&net, 4, 0, 0, &f), KSDA_INVALID);
    assert_int_equal(search(&net, 0, 0, 0, &f), KSDA_INVALID);
    assert_int_equal(search(&net, 1, -1, 0, &f), KSDA_INVALID);
    assert_int_equal(search(&net, 2, 0, 0, &f), KSDA_INFEASIBLE);
    assert_int_equal(f.count, 0);
    assert_int_equal(search(&net, 1, 0, 0, &f), KSDA_OK); /* nothing to do */
    assert_true(f.count == 1 && f.point[0].added_edges == 0 && f.point[0].added_vertices == 0 && f.complete);
    ksda_frontier_clear(check_ctx, &f);
    ksda_ctx_cancel(check_ctx);
    assert_int_equal(search(&net, 1, 0, 0, &f), KSDA_INTERRUPTED);
    ksda_ctx_reset_cancel(check_ctx);
    ksda_network_clear(check_ctx, &net);
}

static ksda_status with_failing_memory(ksda_ctx *failing) {
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 4, 5, 5, 6, 3, 4}, of[] = {0, 0, 0, 0, 1, 1, 1};
    ksda_network net;
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    ksda_anonymize_options options;
    ksda_anonymize_options_init(&options);
    options.k = 2;
    ksda_status status = listed_network(failing, 7, 7, edges, of, &net);
    if (status >= 0) status = ksda_frontier_search(failing, net.graph, net.communities, &options, 4, &f);
    ksda_frontier_clear(failing, &f);
    ksda_network_clear(failing, &net);
    return status;
}

static ksda_status with_failing_memory_and_sets(ksda_ctx *failing) {
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 4, 5, 5, 6, 3, 4}, list[] = {0, 0, 0, 2, 0, 1, 1, 1, 2};
    static const uint64_t offsets[] = {0, 1, 2, 4, 5, 6, 7, 9};
    ksda_graph *graph = NULL;
    ksda_communities *sets = NULL;
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    ksda_anonymize_options options;
    ksda_anonymize_options_init(&options);
    options.k = 2;
    ksda_status status = ksda_graph_from_edges(failing, 7, 7, edges, &graph);
    if (status >= 0)
        status = ksda_communities_from_sets(failing, 7, 3, offsets, list, NULL, NULL, KSDA_UNASSIGNED_REFUSE, &sets);
    if (status >= 0) status = ksda_frontier_search(failing, graph, sets, &options, 4, &f);
    ksda_frontier_clear(failing, &f);
    ksda_communities_free(failing, sets);
    ksda_graph_free(failing, graph);
    return status;
}

static void memory_runs_out(void **state) {
    (void)state;
    assert_survives_failing_memory(with_failing_memory);
    assert_survives_failing_memory(with_failing_memory_and_sets);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_networks),
                                       cmocka_unit_test(the_weight_asked_for),
                                       cmocka_unit_test(against_brute_force),
                                       cmocka_unit_test(against_brute_force_where_some_do_not_count),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(no_time_gives_a_point_all_the_same),
                                       cmocka_unit_test(people_in_several_communities),
                                       cmocka_unit_test(against_brute_force_where_people_are_in_several),
                                       cmocka_unit_test(what_is_wrong_is_refused),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
