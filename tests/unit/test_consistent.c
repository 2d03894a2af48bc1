/* level-plan does not return what it beats itself when it is asked with another split weight, another seed or for a
 * larger k. */
#include "methods/levelplan/stages.h"
#include "context.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/detect.h>
#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define WEIGHTS 4u

typedef struct outcome {
    double weight;
    uint64_t added, splits;
} outcome;

static double cost(const outcome *x, double weight) {
    return (double)x->added + weight * (double)x->splits;
}

/* The release, recounted from scratch. */
static outcome ask(const ksda_network *net, uint32_t k, double weight, uint64_t seed) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = weight, options.no_proof = 1;
    ksda_ctx_set_seed(check_ctx, seed);
    assert_true(ksda_anonymize(check_ctx, net->graph, net->communities, ksda_method_find("level-plan"), &options,
                               &edits, &result) >= 0);
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, k, &v),
                     KSDA_OK);
    assert_true(v.valid && v.satisfied);
    ksda_release_clear(check_ctx, &release);
    ksda_edits_free(check_ctx, edits);
    return (outcome){weight, v.added_edges, v.added_vertices};
}

/* Asked with several weights and another seed, none beats another at the other's weight. */
static void none_is_beaten(const char *name, const ksda_network *net, uint32_t k) {
    double n = ksda_graph_vertices(net->graph);
    outcome of[WEIGHTS + 1];
    double weight[WEIGHTS] = {5, 20, 100, n * n};
    for (uint32_t i = 0; i < WEIGHTS; i++) of[i] = ask(net, k, weight[i], 1);
    of[WEIGHTS] = ask(net, k, 20, 7);
    for (uint32_t i = 0; i <= WEIGHTS; i++)
        for (uint32_t j = 0; j <= WEIGHTS; j++) {
            bool good = cost(&of[i], of[i].weight) <= cost(&of[j], of[i].weight);
            if (!good)
                print_error("%s, k = %u: %g finds %llu/%llu, but %g finds %llu/%llu\n", name, k, of[i].weight,
                            (unsigned long long)of[i].added, (unsigned long long)of[i].splits, of[j].weight,
                            (unsigned long long)of[j].added, (unsigned long long)of[j].splits);
            assert_true(good);
        }
}

static void generated_networks(void **state) {
    (void)state;
    for (uint32_t i = 0; i < times_as_many(2); i++) {
        ksda_planted_options o;
        ksda_network net = {.graph = NULL};
        ksda_planted_options_init(&o);
        o.vertices = 60 + 20 * i, o.edges = o.vertices * (UINT64_C(3) + i), o.communities = 4 + i;
        o.size_exponent = 1.4 + 0.2 * i, o.not_stated = 0.1 * (i % 3);
        ksda_ctx_set_seed(check_ctx, 100 + i);
        assert_int_equal(ksda_generate_planted(check_ctx, &o, &net.graph, &net.communities), KSDA_OK);
        none_is_beaten("generated", &net, i % 2 ? o.communities / 2 : o.communities);
        ksda_network_clear(check_ctx, &net);
    }
}

static void data_networks(void **state) {
    static const struct {
        const char *name, *part;
        uint32_t k;
    } asked[] = {{"lesmis", "metis4", 4}, {"football", "", 12}, {"reed98-dorm", "", 14}, {"reed98-dorm", "", 5}};
    size_t count = getenv("KSDA_TEST_TIMES") ? sizeof asked / sizeof *asked : 2; /* the others take a minute */
    (void)state;
    for (size_t i = 0; i < count; i++) {
        ksda_network net;
        if (data_network(check_ctx, asked[i].name, asked[i].part, &net)) {
            none_is_beaten(asked[i].name, &net, asked[i].k);
            ksda_network_clear(check_ctx, &net);
        } else {
            print_message("%s is not there: skipped\n", asked[i].name);
        }
    }
}

/* A release for k + 1 is one for k. Before sets of levels were searched for k + 1 as well, reed98-dorm took 16 splits
 * for k = 16 and 15 for 17, and reed98-major 34 for 20 and 30 for 21. */
static void a_larger_k_is_not_cheaper(void **state) {
    static const struct {
        const char *name, *part;
        uint32_t k;
    } asked[] = {{"lesmis", "metis4", 3}, {"football", "", 11}, {"reed98-dorm", "", 16}, {"reed98-major", "", 20}};
    size_t count = getenv("KSDA_TEST_TIMES") ? sizeof asked / sizeof *asked : 2;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        ksda_network net;
        if (!data_network(check_ctx, asked[i].name, asked[i].part, &net)) {
            print_message("%s is not there: skipped\n", asked[i].name);
            continue;
        }
        double weight[] = {20, (double)ksda_graph_vertices(net.graph) * ksda_graph_vertices(net.graph)};
        for (uint32_t j = 0; j < 2; j++) {
            outcome of = ask(&net, asked[i].k, weight[j], 1), more = ask(&net, asked[i].k + 1, weight[j], 1);
            print_message("%s, %g: %llu/%llu, %llu/%llu\n", asked[i].name, weight[j], (unsigned long long)of.added,
                          (unsigned long long)of.splits, (unsigned long long)more.added,
                          (unsigned long long)more.splits);
            assert_true(cost(&of, weight[j]) <= cost(&more, weight[j]));
        }
        ksda_network_clear(check_ctx, &net);
    }
}

/* Networks above the size up to which all weights are searched with: with fewer of them it is no dearer than with the
 * weight asked for alone. 578 splits were found with one, 897 when four shared
 * the work. */
static void dense_networks_need_few_splits_with_several_weights(void **state) {
    ksda_planted_options o;
    ksda_network net = {.graph = NULL};
    (void)state;
    if (!getenv("KSDA_TEST_TIMES")) skip();
    ksda_planted_options_init(&o);
    o.vertices = 1000, o.edges = 67000, o.communities = 40, o.size_exponent = 1.8, o.not_stated = 0.2;
    ksda_ctx_set_seed(check_ctx, 1);
    assert_int_equal(ksda_generate_planted(check_ctx, &o, &net.graph, &net.communities), KSDA_OK);
    outcome found = ask(&net, 20, 1e6, 1);
    ksda_network_clear(check_ctx, &net);
    print_message("dense, k = 20: %llu/%llu\n", (unsigned long long)found.added, (unsigned long long)found.splits);
    assert_true(found.splits <= 600);
}

/* Five communities can be brought to the largest degree by edges alone, though not their largest members. */
static void nobody_is_split_without_need(void **state) {
    ksda_network net;
    (void)state;
    if (!data_network(check_ctx, "reed98-dorm", "", &net)) skip();
    double n = ksda_graph_vertices(net.graph);
    outcome found = ask(&net, 5, n * n, 1);
    ksda_network_clear(check_ctx, &net);
    print_message("reed98-dorm, k = 5: %llu edges\n", (unsigned long long)found.added);
    assert_int_equal(found.splits, 0);
}

/* Where a split costs less than an edge. With no weight below 1 among those that are searched with, 13 splits and no
 * edge were found, and 1/5 was what a run with 0.3 returned. */
static void splits_that_cost_less_than_an_edge(void **state) {
    ksda_network net;
    (void)state;
    if (!data_network(check_ctx, "lesmis", "metis4", &net)) skip();
    outcome found = ask(&net, 3, 0.3, 1), cheaper = ask(&net, 3, 0.1, 1);
    ksda_network_clear(check_ctx, &net);
    print_message("lesmis, k = 3: %llu/%llu\n", (unsigned long long)found.added, (unsigned long long)found.splits);
    assert_true(cost(&found, 0.3) < 2.45);
    assert_true(cost(&cheaper, 0.1) < 0.95);
}

/* A planted network, of which only the size matters. */
static ksda_network planted(uint32_t vertices, uint64_t edges, uint32_t communities) {
    ksda_planted_options o;
    ksda_network net = {.graph = NULL};
    ksda_planted_options_init(&o);
    o.vertices = vertices, o.edges = edges, o.communities = communities, o.size_exponent = 1.8, o.not_stated = 0.2;
    ksda_ctx_set_seed(check_ctx, 3);
    assert_int_equal(ksda_generate_planted(check_ctx, &o, &net.graph, &net.communities), KSDA_OK);
    return net;
}

static ksda_i_plan_run weights_for(const ksda_network *net, ksda_anonymize_options *options, double asked) {
    options->split_weight = asked;
    ksda_i_plan_run r = {
        .ctx = check_ctx, .graph = net->graph, .communities = net->communities, .options = options, .weights = 0};
    ksda_i_plan_choose_weights(&r);
    return r;
}

/* Up to 102,000 vertices and edges the search does not depend on the weight asked for, but for small ones, which are
 * among those that are searched with. When that ended at 40,000, five of 32 rows of two generated networks of 50,437
 * and 64,748 edges were beaten by the same run with another weight. */
static void the_weight_asked_for_does_not_steer_the_search(void **state) {
    const double asked[] = {3, 5, 20, 50, 100, 1e6, 1e12};
    ksda_anonymize_options options;
    ksda_network net = planted(2000, 60000, 20);
    (void)state;
    ksda_anonymize_options_init(&options);
    ksda_i_plan_run first = weights_for(&net, &options, 20), small;
    assert_int_equal(first.weights, 3);
    assert_int_equal(first.plans, 3);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        ksda_i_plan_run other = weights_for(&net, &options, asked[i]);
        assert_int_equal(other.weights, first.weights);
        assert_memory_equal(other.weight, first.weight, first.weights * sizeof *first.weight);
    }
    small = weights_for(&net, &options, 0.5);
    assert_int_equal(small.weights, 4);
    assert_true(small.weight[3] == 0.5);
    ksda_network_clear(check_ctx, &net);
    if (!getenv("KSDA_TEST_TIMES")) return;
    net = planted(1000, 42000, 12);
    none_is_beaten("dense", &net, 5);
    none_is_beaten("dense", &net, 12);
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(generated_networks),
                                       cmocka_unit_test(data_networks),
                                       cmocka_unit_test(a_larger_k_is_not_cheaper),
                                       cmocka_unit_test(the_weight_asked_for_does_not_steer_the_search),
                                       cmocka_unit_test(dense_networks_need_few_splits_with_several_weights),
                                       cmocka_unit_test(splits_that_cost_less_than_an_edge),
                                       cmocka_unit_test(nobody_is_split_without_need)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
