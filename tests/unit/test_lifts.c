/* Members raised out of turn: lists with lifts are lists, whatever is found is valid, and now and then it is cheaper
 * than what a plan in turn leads to. */
#include "methods/levelplan/lifts.h"
#include "context.h"
#include "failing_memory.h"
#include "random_graph.h"

#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define WORK UINT64_C(2000000)

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void check_lists(const ksda_i_ranks *of, const uint32_t *degree, const uint32_t *moved, const ksda_i_ranks *l) {
    uint64_t runs = 0;
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) {
            uint32_t was = moved[i];
            assert_in_range(was, l->start[c], l->start[c + 1] - 1);
            assert_int_equal(l->vertex[i], of->vertex[was]);
            assert_int_equal(l->place[l->vertex[i]], i);
            assert_int_equal(l->degree[i], degree[was]);
            assert_int_equal(l->slack[i] + degree[was] - of->degree[was], of->slack[was]);
            if (i > l->start[c]) assert_true(l->degree[i - 1] >= l->degree[i]);
            for (uint32_t q = l->start[c]; q < l->start[c + 1]; q++) {
                bool adjacent = q == i || ksda_graph_adjacent(l->graph, l->vertex[i], l->vertex[q]);
                assert_int_equal(l->adjacent[l->near[c] + i - l->start[c]] >> (q - l->start[c]) & 1, adjacent);
            }
        }
    for (uint32_t t = 0; t < l->levels; t++)
        for (uint64_t r = l->group[t]; r < l->group[t + 1]; r++, runs++)
            assert_int_equal(l->degree[l->start[l->run[r].community] + l->run[r].begin], l->level[t]);
    assert_int_equal(runs, l->group[l->levels]);
}

/* Also where somebody is lifted above all others. */
static void lifted_lists(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        ksda_network net;
        ksda_i_ranks of, l;
        uint32_t degree[60], moved[60], n = 4 + (uint32_t)seed % 50;
        random_network(check_ctx, seed, n, 0.3, 2 + (uint32_t)seed % 3, &net);
        assert_int_equal(ksda_i_ranks_make(check_ctx, net.graph, net.communities, &of), KSDA_OK);
        for (uint32_t i = 0; i < n; i++) degree[i] = of.degree[i] + ((seed + i) % 3 ? 0 : of.slack[i]);
        assert_int_equal(ksda_i_ranks_lift(check_ctx, &of, degree, moved, &l), KSDA_OK);
        check_lists(&of, degree, moved, &l);
        ksda_i_ranks_clear(check_ctx, &l);
        ksda_i_ranks_clear(check_ctx, &of);
        ksda_network_clear(check_ctx, &net);
    }
}

/* --- releases ----------------------------------------------------------------------------------------------------- */

typedef struct judge {
    const ksda_network *net;
    uint32_t k;
    double weight, best;
} judge;

/* Every release is recounted from scratch. */
static ksda_status recount(void *payload, ksda_edits *edits) {
    judge *j = payload;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_release_make(check_ctx, edits, j->net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, j->net->graph, j->net->communities, release.graph, release.owner, j->k, &v),
                     KSDA_OK);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(ksda_edits_added(edits, NULL), v.added_edges);
    j->best = fmin(j->best, (double)v.added_edges + j->weight * (double)v.added_vertices);
    ksda_release_clear(check_ctx, &release);
    ksda_edits_free(check_ctx, edits);
    return KSDA_OK;
}

typedef enum how {
    IN_TURN,
    OUT_OF_TURN
} how;

/* The cheapest release; INFINITY: none was found. */
static double cheapest(const ksda_network *net, uint32_t k, double weight, how way) {
    judge j = {net, k, weight, INFINITY};
    ksda_anonymize_options options;
    ksda_i_rounds rounds;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = weight;
    assert_int_equal(ksda_i_rounds_open(check_ctx, net->graph, net->communities, &options, &rounds), KSDA_OK);
    rounds.pass = recount, rounds.payload = &j;
    uint64_t around = ksda_i_work_begin(check_ctx, way == IN_TURN ? UINT64_MAX / 2 : WORK);
    assert_int_equal(way == IN_TURN ? ksda_i_rounds_search(&rounds, 24) : ksda_i_lifts_search(&rounds, 1), KSDA_OK);
    ksda_i_work_finish(check_ctx, around);
    assert_int_equal(ksda_i_rounds_offer(&rounds), KSDA_OK);
    ksda_i_rounds_close(&rounds);
    return j.best;
}

static void random_networks(void **state) {
    const uint64_t networks = times_as_many(120);
    uint64_t cheaper = 0, dearer = 0;
    (void)state;
    for (uint64_t seed = 0; seed < networks; seed++) {
        ksda_network net;
        random_network(check_ctx, seed, 30 + (uint32_t)seed % 40, 0.15, 5, &net);
        double n = net.graph->n, weight = seed % 3 ? n * n : 10;
        uint32_t k = 3 + (uint32_t)seed % 2;
        double in_turn = cheapest(&net, k, weight, IN_TURN), out_of_turn = cheapest(&net, k, weight, OUT_OF_TURN);
        cheaper += out_of_turn<in_turn, dearer += out_of_turn> in_turn;
        ksda_network_clear(check_ctx, &net);
    }
    print_message("cheaper than rounds of plans in turn on %llu, dearer on %llu of %llu networks\n",
                  (unsigned long long)cheaper, (unsigned long long)dearer, (unsigned long long)networks);
    assert_true(enough(cheaper, networks / 20));
}

static ksda_status drop(void *payload, ksda_edits *edits) {
    ksda_edits_free(payload, edits);
    return KSDA_OK;
}

static ksda_status search_in(ksda_ctx *poor) {
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 0, 4, 1, 2, 5, 6, 5, 7, 8, 9, 3, 4},
                          of[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    ksda_anonymize_options options;
    ksda_network net;
    ksda_i_rounds rounds = {.ctx = poor};
    ksda_anonymize_options_init(&options);
    options.k = 2, options.split_weight = 100;
    ksda_status status = listed_network(poor, 10, 9, edges, of, &net);
    if (status >= 0) status = ksda_i_rounds_open(poor, net.graph, net.communities, &options, &rounds);
    rounds.pass = drop, rounds.payload = poor;
    uint64_t around = ksda_i_work_begin(poor, 30000);
    if (status >= 0) status = ksda_i_lifts_search(&rounds, 0);
    ksda_i_work_finish(poor, around);
    ksda_i_rounds_close(&rounds);
    ksda_network_clear(poor, &net);
    return status;
}

static void memory_runs_out(void **state) {
    (void)state;
    assert_survives_failing_memory(search_in);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lifted_lists), cmocka_unit_test(random_networks),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
