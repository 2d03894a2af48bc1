/* The Lagrangian bound on networks that sorted plans are too cheap for. */
#include "bound/lagrangian.h"
#include "context.h"
#include "exact_reference.h"
#include "random_graph.h"

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
    ksda_i_ranks ranks;
    double bound;
    (void)state;
    for (uint32_t v = 0; v < 15; v++) of[v] = v % 3;
    assert_int_equal(listed_network(check_ctx, 15, sizeof dense / sizeof *dense / 2, dense, of, &net), KSDA_OK);
    assert_int_equal(reference_add(net.graph, net.communities, 2), 3);
    assert_int_equal(ksda_i_ranks_make(check_ctx, net.graph, net.communities, &ranks), KSDA_OK);
    assert_int_equal(ksda_i_lagrangian_bound(check_ctx, net.graph, &ranks, 2, 1000, 0, 12, 10000000, NULL, &bound),
                     KSDA_OK);
    assert_true(bound == 2);
    ksda_i_ranks_clear(check_ctx, &ranks);
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hubs_rise_themselves)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
