/* The Lagrangian bound on networks that sorted plans are too cheap for, and when its search ends. */
#include "bound/lagrangian.h"
#include "bounds.h"
#include "bound/volume.h"
#include "context.h"
#include "exact_reference.h"
#include "random_graph.h"

#include <ksda/detect.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Three communities, in turn, whose members mostly know each other. */
static const uint32_t dense[] = {0,  2, 0,  3, 0,  4, 0,  5,  0,  10, 0,  11, 1,  2, 1,  3, 1,  5, 1,  6,  1,  7,  1,
                                 9,  1, 12, 1, 14, 2, 3,  2,  4,  2,  5,  2,  6,  2, 9,  2, 10, 2, 11, 3,  5,  3,  6,
                                 3,  7, 3,  8, 3,  9, 3,  10, 3,  14, 4,  5,  4,  7, 4,  8, 4,  9, 4,  12, 4,  13, 4,
                                 14, 5, 10, 5, 11, 5, 14, 6,  11, 6,  12, 7,  10, 8, 11, 8, 13, 9, 12, 10, 13, 11, 14};

/* Three edges are the fewest. Where hubs that cannot rise pass for rising in the place of others, and every level is a
 * little open, one is proved; two where not. */
static void hubs_rise_themselves(void **state) {
    uint32_t of[15];
    ksda_network net;
    (void)state;
    for (uint32_t v = 0; v < 15; v++) of[v] = v % 3;
    assert_int_equal(listed_network(check_ctx, 15, sizeof dense / sizeof *dense / 2, dense, of, &net), KSDA_OK);
    assert_int_equal(reference_add(net.graph, net.communities, 2), 3);
    assert_true(lagrangian_bound(&net, 2, 1000, 12, 10000000) == 2);
    ksda_network_clear(check_ctx, &net);
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* Three stars of degree 12 in one community, pairs in the other: somebody of it must come to 12, which takes 11 edges,
 * or all three be split. A piece of one of the pairs would have 12 neighbours for nothing if nobody asked where they
 * come from, and one of the pairs would rise from 11 if all that lies below the levels passed for being just below. */
static void pieces_need_edges_of_their_own(void **state) {
    uint32_t pairs[2 * 46], of[59], m = 0;
    ksda_network net = {.graph = NULL};
    (void)state;
    for (uint32_t v = 0; v < 59; v++) of[v] = v >= 39;
    for (uint32_t v = 3; v < 39; v++) pairs[2 * m] = v % 3, pairs[2 * m++ + 1] = v;
    for (uint32_t v = 39; v < 59; v += 2) pairs[2 * m] = v, pairs[2 * m++ + 1] = v + 1;
    assert_int_equal(listed_network(check_ctx, 59, m, pairs, of, &net), KSDA_OK);
    assert_true(lagrangian_bound(&net, 2, 5, 14, 100000) >= 11);
    ksda_network_clear(check_ctx, &net);
}

/* A star of degree 18 in one community; in another two who know everybody there, of degree 15 and 12; and four pairs.
 * Nobody comes to 18, so the star is split, and somebody of its community stands at 15 and at 12, or 13. Its two pieces
 * would have 27 edges for nothing if nobody asked how many it has, which is 18, and a link. */
static void pieces_share_the_edges_of_a_vertex(void **state) {
    uint32_t pairs[2 * 48], of[40], m = 0;
    ksda_network net = {.graph = NULL};
    (void)state;
    for (uint32_t v = 0; v < 40; v++) of[v] = (v >= 19) + (v >= 32);
    for (uint32_t v = 1; v < 19; v++) pairs[2 * m] = 0, pairs[2 * m++ + 1] = v;
    for (uint32_t v = 20; v < 32; v++) pairs[2 * m] = 19, pairs[2 * m++ + 1] = v;
    for (uint32_t v = 21; v < 32; v++) pairs[2 * m] = 20, pairs[2 * m++ + 1] = v;
    for (uint32_t v = 32; v < 40; v += 2) pairs[2 * m] = v, pairs[2 * m++ + 1] = v + 1;
    for (uint32_t v = 1; v < 4; v++) pairs[2 * m] = v, pairs[2 * m++ + 1] = 19;
    assert_int_equal(listed_network(check_ctx, 40, m, pairs, of, &net), KSDA_OK);
    double bound = lagrangian_bound(&net, 2, 20, 39, 1000000);
    print_message("at least %g\n", bound);
    assert_true(bound >= 23);
    ksda_network_clear(check_ctx, &net);
}

/* With one split at most, which is as many as the known cost allows. */
static void never_above_the_optimum_with_one_split(void **state) {
    static const double omegas[] = {2, 3, 5, 8};
    uint32_t compared = 0, split = 0;
    double sum = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        ksda_network net;
        double omega = omegas[seed % 4];
        random_network(check_ctx, 70000 + seed, 5 + (uint32_t)(seed % 2), seed % 3 ? 0.5 : 0.65,
                       2 + (uint32_t)(seed / 8 % 2), &net);
        double best =
            ksda_graph_edges(net.graph) <= 7 ? reference_split(net.graph, net.communities, 2, omega, 1) : INFINITY;
        if (best > 0 && best < 2 * omega) {
            double bound = lagrangian_bound(&net, 2, omega, 2 * omega - 0.1, 100000);
            assert_true(bound <= best + 1e-9);
            compared++, split += best >= omega, sum += bound / best;
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u compared, %u of them cost a split or more, mean %.3f\n", compared, split, sum / compared);
    assert_true(compared > 300 && split > 30);
}

/* --- when the search ends ----------------------------------------------------------------------------------------- */

#define SIDES 16u

/* A hill, steep from one side and flat from another, with its top at (1, 1, ...). */
typedef struct hill {
    double top;
    uint32_t asked;
} hill;

static double height(void *data, const double *x, double *gradient) {
    hill *h = data;
    double sum = h->top, steep = 0.001;
    h->asked++;
    ksda_i_work(check_ctx, 1000);
    for (uint32_t i = 0; i < SIDES; i++, steep *= 1.5)
        sum -= steep * (x[i] - 1) * (x[i] - 1), gradient[i] = 2 * steep * (1 - x[i]);
    return sum;
}

static uint32_t steps_to_the_top(double top, bool whole, double *best) {
    double x[SIDES];
    hill h = {top, 0};
    for (uint32_t i = 0; i < SIDES; i++) x[i] = 0.5;
    const ksda_i_volume problem = {.size = SIDES,
                                   .value = height,
                                   .data = &h,
                                   .ceiling = 9,
                                   .enough = 9,
                                   .steps = 300,
                                   .whole = whole,
                                   .stage = ""};
    assert_int_equal(ksda_i_volume_raise(check_ctx, &problem, x, best), KSDA_OK);
    return h.asked;
}

/* At a top of 2.3 every step counts where parts of whole numbers do; where not, 3 is out of reach. */
static void whole_numbers_out_of_reach_end_the_search(void **state) {
    double parts, whole;
    (void)state;
    uint32_t all = steps_to_the_top(2.3, false, &parts), fewer = steps_to_the_top(2.3, true, &whole);
    print_message("%u and %u steps, %.3f and %.3f\n", all, fewer, parts, whole);
    assert_true(ceil(parts) == 3 && ceil(whole) == 3 && fewer < all);
    steps_to_the_top(3.1, true, &whole);
    assert_true(whole > 3);
}

/* Many communities, hubs in one of them: a release of 374 edges is known. All steps succeed, and if they do not become
 * longer the work ends at 322. */
static void steps_that_succeed_become_longer(void **state) {
    ksda_rmat_options options;
    ksda_network net = {.graph = NULL};
    (void)state;
    ksda_rmat_options_init(&options);
    options.scale = 13, options.edges = 131072, options.block_bits = 6;
    ksda_ctx_set_seed(check_ctx, 3);
    assert_int_equal(ksda_generate_rmat(check_ctx, &options, &net.graph, &net.communities), KSDA_OK);
    double bound = lagrangian_bound(&net, 3, 1e9, 374, 3000000);
    print_message("at least %.0f of 374\n", bound);
    assert_true(bound >= 345 && bound <= 374);
    ksda_network_clear(check_ctx, &net);
}

/* The bound is 29 with 120,000,000 units of work, which taking cases apart would use up. */
static void cases_that_gain_nothing_end_the_search(void **state) {
    ksda_network net;
    (void)state;
    random_network(check_ctx, 1, 120, 0.08, 5, &net);
    uint64_t begun = ksda_i_work_done(check_ctx);
    assert_true(lagrangian_bound(&net, 5, 1e9, 60, 60000000) == 29);
    assert_true(ksda_i_work_done(check_ctx) - begun < 80000000);
    ksda_network_clear(check_ctx, &net);
}

/* A quarter of the work may not be enough for the largest degrees alone; what the rest has proved counts. */
static void what_most_of_the_work_proves_counts(void **state) {
    ksda_network net;
    ksda_i_ranks ranks;
    uint32_t proved = 0;
    (void)state;
    random_network(check_ctx, 3, 200, 0.06, 5, &net);
    assert_int_equal(ksda_i_ranks_make(check_ctx, net.graph, net.communities, &ranks), KSDA_OK);
    for (uint64_t work = 10000; work < 60000; work += work / 4) {
        double most, all;
        ksda_i_bound_prices prices;
        assert_int_equal(
            ksda_i_lagrangian_bound(check_ctx, net.graph, &ranks, 4, 5, 0, 60, work / 4 * 3, &prices, &most), KSDA_OK);
        assert_int_equal(ksda_i_lagrangian_bound(check_ctx, net.graph, &ranks, 4, 5, 0, 60, work, NULL, &all), KSDA_OK);
        assert_true(all >= most);
        proved += most > 0;
        ksda_i_bound_prices_clear(check_ctx, &prices);
    }
    assert_true(proved > 0);
    ksda_i_ranks_clear(check_ctx, &ranks);
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hubs_rise_themselves),
                                       cmocka_unit_test(what_most_of_the_work_proves_counts),
                                       cmocka_unit_test(pieces_need_edges_of_their_own),
                                       cmocka_unit_test(pieces_share_the_edges_of_a_vertex),
                                       cmocka_unit_test(never_above_the_optimum_with_one_split),
                                       cmocka_unit_test(whole_numbers_out_of_reach_end_the_search),
                                       cmocka_unit_test(steps_that_succeed_become_longer),
                                       cmocka_unit_test(cases_that_gain_nothing_end_the_search)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
