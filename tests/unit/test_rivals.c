/* level-plan is never above any of the paper's six heuristics, on networks of every size: planted communities of very
 * different sizes, some of them dense, and many people who state none. */
#include "context.h"

#include <ksda/anonymize.h>
#include <ksda/detect.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double cost(const ksda_graph *g, const ksda_communities *c, const char *method, uint32_t k, double omega) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega, options.no_proof = 1;
    ksda_status status = ksda_anonymize(check_ctx, g, c, ksda_method_find(method), &options, &edits, &result);
    ksda_edits_free(check_ctx, edits);
    return status < 0 ? -1 : result.cost;
}

static void never_above_the_six(const ksda_planted_options *o, uint32_t k, double omega) {
    static const char *const six[] = {"edge-connect",   "inverse-edge-connect", "create-by-split",
                                      "merge-by-split", "flex-split",           "splitting-only"};
    ksda_graph *g;
    ksda_communities *c;
    assert_int_equal(ksda_generate_planted(check_ctx, o, &g, &c), KSDA_OK);
    double ours = cost(g, c, "level-plan", k, omega);
    for (size_t i = 0; i < sizeof six / sizeof *six; i++) {
        double theirs = cost(g, c, six[i], k, omega);
        if (theirs >= 0 && ours > theirs) print_error("%s: %g, level-plan: %g\n", six[i], theirs, ours);
        assert_true(theirs < 0 || (ours >= 0 && ours <= theirs));
    }
    ksda_communities_free(check_ctx, c);
    ksda_graph_free(check_ctx, g);
}

static void small_networks(void **state) {
    static const double omegas[] = {0.3, 2, 20, 0};
    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        ksda_planted_options o;
        ksda_planted_options_init(&o);
        o.vertices = 100 + 25 * i, o.edges = o.vertices * (UINT64_C(2) + i % 7), o.communities = 4 + i % 9;
        o.size_exponent = 1.4 + 0.1 * (i % 8), o.not_stated = 0.1 * (i % 4);
        ksda_ctx_set_seed(check_ctx, i);
        never_above_the_six(&o, 2 + i % (o.communities - 1), omegas[i % 4]);
    }
}

/* So dense that no plan is found from the top, and above what was once too large to compare. */
static void large_network(void **state) {
    ksda_planted_options o;
    (void)state;
    ksda_planted_options_init(&o);
    o.vertices = 3000, o.edges = 201000, o.communities = 40, o.size_exponent = 1.8, o.not_stated = 0.2;
    ksda_ctx_set_seed(check_ctx, 1);
    never_above_the_six(&o, 20, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_networks, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(large_network, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
