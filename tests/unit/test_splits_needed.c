/* How many vertices must be split at least, against trying everything. */
#include "bound/lagrangian.h"
#include "context.h"
#include "exact_reference.h"
#include "random_graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t needed_of(const ksda_network *net, uint32_t k, double omega, double bound, uint32_t *by_cost,
                          uint32_t *by_program) {
    ksda_i_ranks ranks;
    uint32_t needed;
    assert_int_equal(ksda_i_ranks_make(check_ctx, net->graph, net->communities, &ranks), KSDA_OK);
    assert_int_equal(ksda_i_splits_needed(check_ctx, &ranks, k, &needed), KSDA_OK);
    *by_cost = ksda_i_splits_by_cost(&ranks, omega, bound);
    *by_program = needed;
    assert_int_equal(ksda_i_splits_program(check_ctx, &ranks, k, 8, by_program), KSDA_OK);
    assert_true(*by_program >= needed);
    ksda_i_ranks_clear(check_ctx, &ranks);
    return needed;
}

/* With fewer vertices added than are said to be needed there is no release, however it is split, dealt out, doubled,
 * linked and joined. */
static void fewer_splits_are_never_enough(void **state) {
    uint32_t some = 0, tight = 0, paid = 0, programs = 0, more = 0;
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(300); seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 6, 0);
        uint32_t n = 4 + (uint32_t)ksda_i_rng_below(&r, 2), of[8], pairs[40], by_cost, by_program, least = 0, k;
        uint64_t m = 0;
        ksda_network net = {.graph = NULL};
        for (uint32_t v = 0; v < n; v++) of[v] = (uint32_t)ksda_i_rng_below(&r, 2 + seed % 2);
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = u + 1; v < n; v++)
                if (ksda_i_rng_unit(&r) < (u == 0 ? 0.9 : 0.35)) pairs[2 * m] = u, pairs[2 * m++ + 1] = v;
        assert_int_equal(listed_network(check_ctx, n, m, pairs, of, &net), KSDA_OK);
        k = net.communities->count;
        double omega = 1.5 * n * n, cost = reference_split(net.graph, net.communities, k, omega, 2);
        if (k >= 2 && m > 0 && cost <= 3 * omega) {
            uint32_t needed = needed_of(&net, k, omega, cost, &by_cost, &by_program);
            while (isinf(reference_split_exactly(net.graph, net.communities, k, omega, least))) least++;
            assert_true(needed <= least && by_cost <= least && by_program <= least);
            programs += by_program > 0 && by_program == least, more += by_program > needed;
            some += needed > 0, tight += needed > 0 && needed == least, paid += by_cost > 0 && by_cost == least;
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message(
        "%u networks in which somebody must be split; %u and %u times all splits are proved, %u times by programs, "
        "%u times more than without\n",
        some, tight, paid, programs, more);
    assert_true(some > 20 && tight > 20 && paid > 20 && programs > tight && more > 0);
}

/* A star beside two who know each other only: every degree is 1, so the hub becomes nine. Counting who is out of reach
 * said one. */
static void hubs_need_as_many_pieces_as_their_degree_asks_for(void **state) {
    uint32_t pairs[20], of[12], by_cost, by_program;
    ksda_network net = {.graph = NULL};
    (void)state;
    for (uint32_t i = 0; i < 9; i++) pairs[2 * i] = 0, pairs[2 * i + 1] = i + 1;
    for (uint32_t v = 0; v < 12; v++) of[v] = v > 9;
    pairs[18] = 10, pairs[19] = 11;
    assert_int_equal(listed_network(check_ctx, 12, 10, pairs, of, &net), KSDA_OK);
    assert_int_equal(needed_of(&net, 2, 144, 8 * 144, &by_cost, &by_program), 8);
    assert_int_equal(by_cost, 8); /* 8 splits cost as much; 7 and all edges that could be added do not */
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fewer_splits_are_never_enough),
                                       cmocka_unit_test(hubs_need_as_many_pieces_as_their_degree_asks_for)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
