/* No process is started unless the caller allows it: neither by the default method nor by the exact ones. */
#include "context.h"
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>
#include <ksda/ksda.h>

/* Children that were waited for leave their page faults behind. */
static long children(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_minflt;
}

static void run_everything(ksda_ctx *ctx, const ksda_network *net, int split) {
    ksda_anonymize_options options;
    ksda_optimal_options exact;
    ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options), options.k = 2, options.bound_seconds = 0.2;
    ksda_optimal_options_init(&exact), exact.k = 2, exact.split = split;
    ksda_ctx_set_time_limit(ctx, 2);
    assert_true(ksda_anonymize(ctx, net->graph, net->communities, NULL, &options, &edits, NULL) >= 0);
    ksda_edits_free(ctx, edits);
    assert_int_equal(ksda_optimal(ctx, net->graph, net->communities, &exact, &edits, &result), KSDA_OK);
    if (edits) assert_true(result.bound <= result.objective + 1e-6);
    ksda_edits_free(ctx, edits);
    ksda_ctx_set_time_limit(ctx, 0);
}

static void no_process_behind_the_callers_back(void **state) {
    (void)state;
    ksda_ctx *ctx;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        random_network(ctx, seed, 24, 0.25, 2 + (uint32_t)(seed % 3), &net);
        run_everything(ctx, &net, (int)(seed & 1));
        ksda_network_clear(ctx, &net);
    }
    assert_int_equal(children(), 0);
    ksda_ctx_free(ctx);
}

static void cbc_must_be_allowed(void **state) {
    (void)state;
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_optimal_options exact;
    ksda_edits *edits;
    const ksda_solver_info *cbc = ksda_solver(1);
    if (!cbc || !cbc->available) skip();
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    random_network(ctx, 1, 8, 0.4, 2, &net);
    ksda_optimal_options_init(&exact), exact.k = 2, exact.solver = "cbc";
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &exact, &edits, NULL), KSDA_UNSUPPORTED);
    assert_null(edits);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "ksda_ctx_allow_processes"));
    assert_int_equal(children(), 0);
    ksda_ctx_allow_processes(ctx, 1);
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &exact, &edits, NULL), KSDA_OK);
    assert_true(children() > 0);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_process_behind_the_callers_back),
        cmocka_unit_test(cbc_must_be_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
