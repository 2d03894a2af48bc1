/* Methods for people in several communities, on thousands of small random networks: what they publish was verified, and
 * they find something wherever there is no reason why not. */
#include "context.h"
#include "core/random.h"
#include "exact_reference.h"
#include "graph/communities.h"
#include "random_graph.h"
#include "solvers.h"

#include <ksda/ksda.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST 14 /* vertices */

typedef struct network {
    uint32_t n, communities, m;
    uint32_t edge[2 * MOST * MOST];
    uint32_t bits[MOST];
    ksda_graph *graph;
    ksda_communities *sets;
} network;

/* isolated: vertices without an edge may be there. */
static void make_network(ksda_ctx *ctx, ksda_i_rng *random, bool isolated, network *net) {
    uint64_t offsets[MOST + 1] = {0};
    uint32_t list[MOST * 32], degree[MOST] = {0}, dense = 2 + (uint32_t)ksda_i_rng_below(random, 6);
    *net = (network){.n = 4 + (uint32_t)ksda_i_rng_below(random, MOST - 3),
                     .communities = 2 + (uint32_t)ksda_i_rng_below(random, 5)};
    if (net->n < net->communities) net->communities = net->n;
    for (uint32_t v = 0; v < net->n; v++) {
        uint32_t size = 1 + (uint32_t)ksda_i_rng_below(random, 2);
        if (v < net->communities) net->bits[v] = 1u << v;
        while (size-- > 0) net->bits[v] |= 1u << ksda_i_rng_below(random, net->communities);
        offsets[v + 1] = offsets[v];
        for (uint32_t c = 0; c < net->communities; c++)
            if (net->bits[v] >> c & 1) list[offsets[v + 1]++] = c;
    }
    for (uint32_t v = 1; v < net->n; v++)
        for (uint32_t u = 0; u < v; u++) {
            if (ksda_i_rng_below(random, dense) && (isolated || u + 1 < v || degree[v])) continue;
            net->edge[2 * net->m] = u, net->edge[2 * net->m++ + 1] = v;
            degree[u]++, degree[v]++;
        }
    assert_int_equal(ksda_graph_from_edges(ctx, net->n, net->m, net->edge, &net->graph), KSDA_OK);
    assert_int_equal(ksda_communities_from_sets(ctx, net->n, net->communities, offsets, list, NULL, NULL,
                                                KSDA_UNASSIGNED_REFUSE, &net->sets),
                     KSDA_OK);
}

static void free_network(ksda_ctx *ctx, network *net) {
    ksda_graph_free(ctx, net->graph);
    ksda_communities_free(ctx, net->sets);
}

/* How many vertices can be in disjoint sets, by trying all. */
static uint32_t most_disjoint(const network *net, uint32_t from, uint32_t used) {
    uint32_t best = 0;
    for (uint32_t v = from; v < net->n; v++) {
        if (used & net->bits[v]) continue;
        uint32_t here = 1 + most_disjoint(net, v + 1, used | net->bits[v]);
        if (here > best) best = here;
    }
    return best;
}

static ksda_status publish(ksda_ctx *ctx, const network *net, const char *method, uint32_t k, double *cost) {
    ksda_anonymize_options options;
    ksda_publication *p;
    ksda_anonymize_options_init(&options), options.k = k;
    ksda_status status = ksda_publish(ctx, net->graph, net->sets, ksda_method_find(method), &options, NULL, &p);
    if (status < 0) return status;
    *cost = ksda_publication_result(p)->cost;
    ksda_publication_free(ctx, p);
    return KSDA_OK;
}

static void level_plan_finds_what_there_is(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng random = ksda_i_rng_stream(7, 0, 0);
    uint32_t found = 0, none = 0;
    for (int i = 0; i < 3000; i++) {
        network net;
        bool isolated = i % 3 == 0;
        make_network(ctx, &random, isolated, &net);
        uint32_t k = 1 + (uint32_t)ksda_i_rng_below(&random, 3), most = most_disjoint(&net, 0, 0);
        double cost;
        if (k <= net.communities && ksda_communities_overlap(net.sets)) {
            ksda_status status = publish(ctx, &net, "level-plan", k, &cost);
            if (most < k)
                assert_int_equal(status, KSDA_INFEASIBLE);
            else if (!isolated)
                assert_int_equal(status, KSDA_OK);
            else
                assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND);
            found += status == KSDA_OK, none += status != KSDA_OK;
        }
        free_network(ctx, &net);
    }
    assert_true(found > 1000 && none > 20);
}

/* The others, on the same networks: no more is promised of edge-connect than that what it finds is right. */
static void the_paper_s_methods_publish_what_holds(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng random = ksda_i_rng_stream(8, 0, 0);
    uint32_t found[2] = {0, 0};
    for (int i = 0; i < 2000; i++) {
        network net;
        make_network(ctx, &random, i % 3 == 0, &net);
        uint32_t k = 2 + (uint32_t)ksda_i_rng_below(&random, 2), most = most_disjoint(&net, 0, 0);
        double cost;
        for (int m = 0; m < 2 && k <= net.communities && ksda_communities_overlap(net.sets); m++) {
            ksda_status status = publish(ctx, &net, m ? "flex-split" : "edge-connect", k, &cost);
            assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND);
            if (m && i % 3 && most >= k) assert_int_equal(status, KSDA_OK);
            assert_true(status != KSDA_OK || most >= k);
            found[m] += status == KSDA_OK;
        }
        free_network(ctx, &net);
    }
    assert_true(found[0] > 50 && found[1] > 500);
}

/* The integer programs with witnesses against trying everything; and what level-plan finds is not cheaper. */
static void the_optimum_is_that_of_trying_everything(void **state) {
    need_solver();
    ksda_ctx *ctx = *state;
    ksda_i_rng random = ksda_i_rng_stream(9, 0, 0);
    uint32_t solved = 0, impossible = 0, proved = 0;
    for (uint64_t i = 0; i < times_as_many(400); i++) {
        network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        double cost;
        make_network(ctx, &random, i % 2, &net);
        ksda_optimal_options_init(&o), o.k = 2;
        if (net.n <= 8 && ksda_communities_overlap(net.sets) && reference_pairs(net.graph, net.sets) <= 14) {
            int expected = reference_add(net.graph, net.sets, o.k);
            assert_int_equal(ksda_optimal(ctx, net.graph, net.sets, &o, &edits, &r), KSDA_OK);
            assert_int_equal(r.status, expected < 0 ? KSDA_MODEL_INFEASIBLE : KSDA_MODEL_OPTIMAL);
            if (expected >= 0) assert_int_equal((int)r.objective, expected);
            solved += expected >= 0, impossible += expected < 0;
            ksda_edits_free(ctx, edits);
            if (publish(ctx, &net, "level-plan", o.k, &cost) == KSDA_OK && expected >= 0) {
                assert_true(cost >= expected);
                proved += cost == expected;
            }
        }
        free_network(ctx, &net);
    }
    assert_true(enough(solved, 10) && enough(impossible, 5) && 2 * proved > solved);
}

static void the_optimum_with_splits_is_that_of_trying_everything(void **state) {
    need_solver();
    ksda_ctx *ctx = *state;
    ksda_i_rng random = ksda_i_rng_stream(10, 0, 0);
    uint32_t compared = 0;
    for (uint64_t i = 0; i < times_as_many(200); i++) {
        network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        make_network(ctx, &random, false, &net);
        ksda_optimal_options_init(&o), o.k = 2, o.split = 1, o.split_weight = 1.5;
        double expected = net.n <= 4 && net.m <= 4 && ksda_communities_overlap(net.sets)
                              ? reference_split(net.graph, net.sets, 2, 1.5, 2)
                              : INFINITY;
        if (expected <= 1.5 * 3) {
            assert_int_equal(ksda_optimal(ctx, net.graph, net.sets, &o, &edits, &r), KSDA_OK);
            assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
            assert_true(fabs(r.objective - expected) < 1e-6);
            ksda_edits_free(ctx, edits);
            compared++;
        }
        free_network(ctx, &net);
    }
    assert_true(enough(compared, 2));
}

/* Sets of one community each: the same releases, by every method that knows sets, edge by edge. */
static void one_community_each_changes_nothing(void **state) {
    ksda_ctx *ctx = *state;
    const char *const methods[] = {"level-plan", "edge-connect", "flex-split"};
    ksda_publish_options repeatable;
    ksda_publish_options_init(&repeatable), repeatable.insecure_ids = 1;
    for (uint64_t seed = 0; seed < times_as_many(60); seed++) {
        ksda_network net;
        ksda_communities *sets;
        ksda_anonymize_options options;
        ksda_publication *p[2] = {NULL, NULL};
        uint64_t offsets[31];
        random_network(ctx, seed, 30, 0.15, 4, &net);
        for (uint64_t v = 0; v <= 30; v++) offsets[v] = v;
        assert_int_equal(ksda_communities_from_sets(ctx, 30, ksda_communities_count(net.communities), offsets,
                                                    ksda_communities_labels(net.communities), NULL, NULL,
                                                    KSDA_UNASSIGNED_REFUSE, &sets),
                         KSDA_OK);
        ksda_anonymize_options_init(&options), options.k = 2;
        const ksda_method *method = ksda_method_find(methods[seed % 3]);
        ksda_status one = ksda_publish(ctx, net.graph, net.communities, method, &options, &repeatable, &p[0]);
        assert_int_equal(ksda_publish(ctx, net.graph, sets, method, &options, &repeatable, &p[1]), one);
        if (one >= 0) {
            const ksda_graph *a = ksda_publication_release(p[0])->graph, *b = ksda_publication_release(p[1])->graph;
            assert_int_equal(ksda_graph_edges(a), ksda_graph_edges(b));
            assert_memory_equal(ksda_graph_neighbours(a), ksda_graph_neighbours(b),
                                2 * ksda_graph_edges(a) * sizeof(uint32_t));
        }
        for (int i = 0; i < 2; i++) ksda_publication_free(ctx, p[i]);
        ksda_communities_free(ctx, sets);
        ksda_network_clear(ctx, &net);
    }
}

/* A real one, with 13,477 communities: everything is decided, and the release is verified by its witnesses. */
static void com_dblp_is_published(void **state) {
    const char *graph = KSDA_DATA_DIR "/com-dblp.edges.gz";
    ksda_ctx *ctx = *state;
    ksda_load_options o;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    ksda_anonymize_options options;
    ksda_publication *p;
    uint64_t witnesses;
    if (access(graph, R_OK) != 0) {
        fprintf(stderr, "SKIPPED: no %s\n", graph);
        skip();
    }
    ksda_load_options_init(&o);
    o.communities = KSDA_DATA_DIR "/com-dblp.overlap.communities.gz";
    o.unassigned = KSDA_UNASSIGNED_TOGETHER, o.overlap = KSDA_OVERLAP_DISJOINT;
    assert_int_equal(ksda_load(ctx, graph, &o, &net), KSDA_OK);
    assert_int_equal(ksda_communities_set_count(net.communities), 13478);
    assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, 5, &d), KSDA_OK);
    assert_int_equal(d.violating_vertices, 540);
    assert_int_equal(d.undecided_vertices, 0);
    ksda_anonymize_options_init(&options), options.k = 5;
    assert_int_equal(ksda_publish(ctx, net.graph, net.communities, NULL, &options, NULL, &p), KSDA_OK);
    assert_non_null(ksda_publication_witnesses(p, &witnesses));
    assert_true(witnesses > 100 * 5 && witnesses % 5 == 0);
    assert_true(ksda_publication_result(p)->added_vertices == 0 && ksda_publication_result(p)->added_edges < 1700);
    ksda_publication_free(ctx, p);
    ksda_diversity_clear(ctx, &d);
    ksda_network_clear(ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_plan_finds_what_there_is),
        cmocka_unit_test(one_community_each_changes_nothing),
        cmocka_unit_test(com_dblp_is_published),
        cmocka_unit_test(the_paper_s_methods_publish_what_holds),
        cmocka_unit_test(the_optimum_is_that_of_trying_everything),
        cmocka_unit_test(the_optimum_with_splits_is_that_of_trying_everything),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
