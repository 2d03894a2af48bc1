/* The paper's integer programs, by every solver, against trying everything; models, LP files, limits. */
#include "context.h"
#include "exact/formulation.h"
#include "exact_reference.h"
#include "random_graph.h"
#include "solvers.h"

#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void adding_edges_matches(ksda_ctx *ctx, const char *solver, uint64_t seeds) {
    uint32_t solved = 0, impossible = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        uint32_t communities = 2 + (uint32_t)(seed % 2), n = 3 + (uint32_t)(seed % 5);
        random_network(ctx, seed, n, 0.2 + 0.1 * (double)(seed % 6), communities, &net);
        ksda_optimal_options_init(&o);
        o.solver = solver, o.k = 2 + (uint32_t)(seed % 7 == 0 && communities > 2);
        int expected = reference_add(net.graph, net.communities, o.k);
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
        if (expected < 0) {
            assert_int_equal(r.status, KSDA_MODEL_INFEASIBLE);
            assert_null(edits);
            impossible++;
        } else {
            assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
            assert_int_equal((int)r.objective, expected);
            assert_true(r.bound == r.objective);
            solved++;
        }
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    assert_true(solved > seeds / 5 && impossible > seeds / 5); /* both answers were really tried */
}
static void adding_edges_matches_trying_everything(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++)
        adding_edges_matches(*state, built_solver(i)->info.name, times_as_many(i ? 500 : 1000));
}

/* Splitting as well: both ways against trying everything, for dear and for cheap splits. */
static void splitting_matches(void **state, const char *solver, uint64_t seeds) {
    static const double omega[] = {0, 1, 2.5, 0.5};
    ksda_ctx *ctx = *state;
    uint32_t split = 0, compared = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        uint32_t n = seed % 20 == 0 ? 5 : 3 + (uint32_t)(seed % 2), most = n == 5 ? 1 : 2;
        random_network(ctx, seed + 40000, n, 0.3 + 0.1 * (double)(seed % 5), 2, &net);
        ksda_optimal_options_init(&o);
        o.k = 2, o.solver = solver, o.split = 1, o.split_weight = omega[seed % 4];
        double weight = o.split_weight > 0 ? o.split_weight : (double)n * n;
        double expected =
            ksda_graph_edges(net.graph) <= 5 ? reference_split(net.graph, net.communities, 2, weight, most) : INFINITY;
        if (expected <= weight * (most + 1)) { /* so more splits cannot be cheaper */
            ksda_status status = ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r);
            if (status != KSDA_OK || r.status != KSDA_MODEL_OPTIMAL || fabs(r.objective - expected) > 1e-6)
                fprintf(stderr, "seed %llu: %s %g (%g) instead of %g; %s\n", (unsigned long long)seed,
                        ksda_model_status_name(r.status), r.objective, r.bound, expected, ksda_ctx_error(ctx)->message);
            assert_int_equal(status, KSDA_OK);
            assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
            assert_true(fabs(r.objective - expected) < 1e-6);
            compared++, split += r.added_vertices > 0;
            ksda_edits_free(ctx, edits);
        }
        ksda_network_clear(ctx, &net);
    }
    assert_true(compared > seeds / 4 && split > seeds / 20);
}
/* Six and seven vertices with few edges: one split, by both ways. */
static void splitting_matches_on_larger_networks(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t compared = 0, split = 0;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(120); seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        uint32_t n = seed % 10 == 0 ? 7 : 6;
        random_network(ctx, seed + 60000, n, 0.25, 2, &net);
        ksda_optimal_options_init(&o);
        o.k = 2, o.solver = seed % 2 ? some_solver(seed / 2)->info.name : some_solver(seed / 2)->fast.name, o.split = 1,
        o.split_weight = 3;
        double expected = ksda_graph_edges(net.graph) <= (n == 7 ? 4u : 5u)
                              ? reference_split(net.graph, net.communities, 2, 3, 1)
                              : INFINITY;
        if (expected <= 6) {
            assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
            if (fabs(r.objective - expected) > 1e-6)
                fprintf(stderr, "seed %llu: %g instead of %g\n", (unsigned long long)seed, r.objective, expected);
            assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
            assert_true(fabs(r.objective - expected) < 1e-6);
            compared++, split += r.added_vertices > 0;
            ksda_edits_free(ctx, edits);
        }
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(compared, 20) && enough(split, 3));
}
static void formulation_2_matches_trying_everything(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++)
        splitting_matches(state, built_solver(i)->info.name, times_as_many(i ? 100 : 200));
}
static void fast_splitting_matches_trying_everything(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++)
        splitting_matches(state, built_solver(i)->fast.name, times_as_many(i ? 100 : 200));
}

/* The optimum of the integer program in the LP file by GLPK, an independent reader and solver; NaN when it finds none.
 */
static double glpk_optimum(const char *path) {
    static const char output[] = "test_exact_ip.out";
    char command[256], line[256];
    double value = NAN;
    bool optimal = false;
    snprintf(command, sizeof command, "glpsol --lp %s -o %s >/dev/null", path, output);
    assert_int_equal(system(command), 0);
    FILE *f = fopen(output, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (strstr(line, "INTEGER OPTIMAL")) optimal = true;
        if (sscanf(line, "Objective: cost = %lf", &value) == 1) break;
    }
    fclose(f);
    unlink(output);
    return optimal ? value : NAN;
}

static void lp_files_read_back_with_the_same_optimum(void **state) {
    ksda_ctx *ctx = *state;
    static const char path[] = "test_exact_ip.lp";
    uint32_t split = 0;
    need_solver();
    if (system("command -v glpsol >/dev/null 2>&1") != 0) {
        fprintf(stderr, "SKIPPED: no glpsol (glpk-utils) to read the LP file back\n");
        skip();
    }
    for (uint64_t seed = 0; seed < 48; seed++) { /* formulation 1 on seven vertices, formulation 2 on four */
        bool unknown = seed >= 24;               /* the last community does not count */
        ksda_network net;
        ksda_optimal_options o;
        ksda_optimal_options_init(&o);
        o.k = 2, o.split = seed % 2, o.split_weight = 2.5;
        random_network(ctx, seed / 2, o.split ? 4 : 7, 0.4, unknown ? 3 : 2, &net);
        if (unknown) net.communities->counted--, o.k = net.communities->counted < 2 || seed % 4 == 0 ? 1 : 2;
        double expected = o.split ? reference_split(net.graph, net.communities, o.k, 2.5, 2)
                                  : reference_add(net.graph, net.communities, o.k);
        assert_int_equal(ksda_optimal_write_lp(ctx, net.graph, net.communities, &o, path), KSDA_OK);
        double value = glpk_optimum(path);
        bool known = !o.split || expected <= 3 * 2.5; /* otherwise more splits than were tried may be cheaper */
        if (known && (expected < 0 ? !isnan(value) : !(fabs(value - expected) < 1e-6)))
            fail_msg("seed %llu: GLPK finds %g instead of %g", (unsigned long long)seed, value, expected);
        split += o.split && expected >= 2.5 && expected <= 3 * 2.5;
        ksda_network_clear(ctx, &net);
    }
    assert_true(split > 0);
    unlink(path);
}

static int stop_at_once(const ksda_progress *progress, void *payload) {
    (void)payload;
    return strcmp(progress->stage, "integer program") == 0;
}

static void stops_when_asked_and_at_the_limit(ksda_ctx *ctx, const char *solver) {
    ksda_network net;
    ksda_edits *edits;
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    random_network(ctx, 1, 90, 0.1, 3, &net); /* hours for formulation 1 */
    ksda_optimal_options_init(&o);
    o.solver = solver, o.k = 3;
    ksda_ctx_set_progress(ctx, stop_at_once, NULL);
    double begin = ksda_i_now();
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_INTERRUPTED);
    assert_true(ksda_i_now() - begin < 5);
    assert_null(edits);
    ksda_ctx_reset_cancel(ctx);
    ksda_ctx_set_progress(ctx, NULL, NULL);
    ksda_ctx_set_time_limit(ctx, 1);
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
    assert_true(r.status == KSDA_MODEL_FEASIBLE || r.status == KSDA_MODEL_LIMIT);
    assert_true(edits == NULL || r.objective >= r.bound);
    ksda_ctx_set_time_limit(ctx, 0);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
}
static void solvers_stop_when_asked_and_at_the_limit(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++) stops_when_asked_and_at_the_limit(*state, built_solver(i)->info.name);
}

static void wrong_questions_are_refused(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_edits *edits;
    ksda_optimal_options o;
    random_network(ctx, 1, 6, 0.4, 2, &net);
    ksda_optimal_options_init(&o);
    o.k = 3;
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, NULL), KSDA_INVALID);
    o.k = 2, o.solver = "abacus";
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, NULL), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "fast, cbc, fast:cbc, glpk, fast:glpk"));
    o.solver = NULL, o.split_weight = -1;
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, NULL), KSDA_INVALID);
    ksda_network_clear(ctx, &net);
}

/* All rows are there in every build; those that are not built in say what to do, whichever way they are asked for. */
static void solvers_that_are_not_built_in_say_so(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_edits *edits;
    ksda_optimal_options o;
    uint32_t rows = 0;
    random_network(ctx, 1, 6, 0.4, 2, &net);
    ksda_optimal_options_init(&o);
    o.k = 2;
    assert_string_equal(ksda_solver(0)->name, "fast");
    for (size_t i = 1; ksda_solver(i); i++, rows++) {
        const ksda_solver_info *info = ksda_solver(i);
        assert_int_equal(info->available, info->version != NULL);
        o.solver = info->name;
        ksda_status status = ksda_optimal(ctx, net.graph, net.communities, &o, &edits, NULL);
        assert_int_equal(status, info->available ? KSDA_OK : KSDA_UNSUPPORTED);
        if (status < 0) assert_non_null(strstr(ksda_ctx_error(ctx)->message, "--write-lp"));
        ksda_edits_free(ctx, edits);
    }
    assert_int_equal(rows, 4);
    ksda_network_clear(ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(adding_edges_matches_trying_everything, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(formulation_2_matches_trying_everything, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(fast_splitting_matches_trying_everything, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(splitting_matches_on_larger_networks, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(lp_files_read_back_with_the_same_optimum, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(solvers_stop_when_asked_and_at_the_limit, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(wrong_questions_are_refused, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(solvers_that_are_not_built_in_say_so, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
