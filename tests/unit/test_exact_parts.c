/* The relaxation taken apart by prices: never above the optimum by trying everything, whatever the floor and whoever is
 * held. */
#include "exact/parts.h"
#include "exact_reference.h"
#include "random_graph.h"

#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void need_cbc(void) {
    if (ksda_i_lp_available()) return;
    fprintf(stderr, "SKIPPED: built without CBC\n");
    skip();
}

static void never_above_the_optimum(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t tried = 0, met = 0, raised = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < 400; seed++) {
        ksda_network net;
        ksda_i_levels l;
        uint32_t communities = 2 + (uint32_t)(seed % 3 == 0), n = 6 + (uint32_t)(seed % 3),
                 k = 2 + (uint32_t)(seed % 9 == 0);
        random_network(ctx, seed + 40000, n, 0.25 + 0.1 * (double)(seed % 5), communities, &net);
        int expected = reference_add(net.graph, net.communities, k);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, k, &l), KSDA_OK);
        for (int64_t floor = -1; expected > 0 && floor < 4; floor++) {
            double bound = 0, without = 0; /* branching, and without */
            uint32_t below = (uint32_t)(seed + (uint64_t)(floor + 1)) % 4;
            assert_int_equal(ksda_i_parts_bound(&l, floor, expected, below, 0, INFINITY, 0, &without), KSDA_OK);
            assert_int_equal(ksda_i_parts_bound(&l, floor, expected, below, 0, INFINITY, 20, &bound), KSDA_OK);
            assert_true(bound >= without);
            if (bound > expected)
                fprintf(stderr, "seed %llu floor %d below %u: %g above %d\n", (unsigned long long)seed, (int)floor,
                        below, bound, expected);
            assert_true(bound <= expected);
            tried++, met += bound == expected, raised += bound > without;
        }
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
    assert_true(tried > 500 && met > 50 && raised > 2); /* without progress no bound is raised */
}

/* Twenty and more vertices with hubs, against the paper's integer program. */
static void never_above_formulation_1(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t solved = 0, close = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < 40; seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r;
        ksda_i_levels l;
        random_network(ctx, seed + 500, 14 + (uint32_t)(seed % 12), 0.3, 2 + (uint32_t)(seed % 3), &net);
        ksda_optimal_options_init(&o);
        o.solver = "cbc";
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
        ksda_edits_free(ctx, edits);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, o.k, &l), KSDA_OK);
        for (int64_t floor = -1; r.status == KSDA_MODEL_OPTIMAL && floor < 8; floor += 3) {
            double bound = 0;
            assert_int_equal(ksda_i_parts_bound(&l, floor, r.objective, 4, 0, INFINITY, 10, &bound), KSDA_OK);
            if (bound > r.objective)
                fprintf(stderr, "seed %llu floor %d: %g above %g\n", (unsigned long long)seed, (int)floor, bound,
                        r.objective);
            assert_true(bound <= r.objective);
            solved++, close += bound >= 0.75 * r.objective;
        }
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
    assert_true(solved > 40 && close > solved / 4);
}

/* On a real network: the optimum 84 is known, and nothing above it may be proved when it is within the cutoff. */
static void airports_in_eight_parts(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_i_levels l;
    double bound = 0;
    need_cbc();
    if (!data_network(ctx, "usairport500", "metis8", &net)) skip();
    assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 2, &l), KSDA_OK);
    assert_int_equal(ksda_i_parts_bound(&l, 19, 84, 8, 30, 0, 0, &bound), KSDA_OK);
    assert_true(bound >= 80 && bound <= 84);
    ksda_i_levels_clear(&l);
    ksda_network_clear(ctx, &net);
}

static int make_ctx(void **state) {
    ksda_ctx *ctx;
    if (ksda_ctx_new(NULL, &ctx) != KSDA_OK) return -1;
    *state = ctx;
    return 0;
}
static int free_ctx(void **state) {
    ksda_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(never_above_the_optimum, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(never_above_formulation_1, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(airports_in_eight_parts, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
