/* A solver that is stopped has proved nothing: the exact methods under a time limit that strikes at every place in
 * turn, under limits of the wall clock, and with a solver that is killed or has no time. Judged by trying everything.
 */
#include "context.h"
#include "exact/exact.h"
#include "exact/formulation.h"
#include "exact_reference.h"
#include "random_graph.h"
#include "solvers.h"

#include <ksda/anonymize.h>
#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A network, a question about it, and the true answer: INFINITY when there is none. */
typedef struct question {
    ksda_network net;
    ksda_optimal_options o;
    double weight, optimum;
    uint64_t seed;
} question;

/* The fast method twice as often as the paper's program, each with every solver. */
static const char *pick(uint64_t seed) {
    const ksda_i_solver *solver = some_solver(seed / 3);
    return !solver ? NULL : seed % 3 ? solver->fast.name : solver->info.name;
}

/* With splitting 3 to 5 vertices; false where more splits than were tried may be cheaper. */
static bool make_split_question(ksda_ctx *ctx, uint64_t seed, question *q) {
    static const double omega[] = {0, 2.5, 1.1, 17.3, 0.7};
    uint32_t n = seed % 4 == 0 ? 5 : 4, most = n == 5 ? 1 : 2;
    *q = (question){.seed = seed};
    random_network(ctx, seed + 41000, n, 0.4 + 0.1 * (double)(seed % 3), 2, &q->net);
    ksda_optimal_options_init(&q->o);
    q->o.k = 2, q->o.split = 1, q->o.split_weight = omega[seed % 5], q->o.solver = pick(seed);
    q->weight = q->o.split_weight > 0 ? q->o.split_weight : (double)n * n;
    q->optimum = ksda_graph_edges(q->net.graph) <= 5
                     ? reference_split(q->net.graph, q->net.communities, 2, q->weight, most)
                     : INFINITY;
    return q->optimum > 0 && q->optimum <= q->weight * (most + 1);
}

static bool make_add_question(ksda_ctx *ctx, uint64_t seed, question *q) {
    *q = (question){.seed = seed};
    random_network(ctx, seed + 42000, 7, 0.25 + 0.1 * (double)(seed % 3), 2, &q->net);
    ksda_optimal_options_init(&q->o);
    q->o.k = 2, q->o.solver = pick(seed);
    q->weight = (double)q->net.graph->n * q->net.graph->n;
    int fewest = reference_add(q->net.graph, q->net.communities, 2);
    q->optimum = fewest < 0 ? INFINITY : fewest;
    return q->optimum > 0;
}

static bool make_question(ksda_ctx *ctx, uint64_t seed, question *q) {
    return seed % 2 ? make_split_question(ctx, seed / 2, q) : make_add_question(ctx, seed / 2, q);
}

#define EXPECT(q, what, condition)                                                                                     \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("seed %llu, %s: %s is wrong, the optimum is %g", (unsigned long long)(q)->seed, what, #condition, \
                     (q)->optimum);                                                                                    \
    } while (0)

/* Is everything true that the answer says? */
static void judge(const question *q, const char *what, const ksda_edits *edits, const ksda_optimal_result *r) {
    double slack = 1e-9 * (1 + q->optimum);
    EXPECT(q, what, r->bound <= q->optimum + slack || isinf(q->optimum));
    EXPECT(q, what, r->status != KSDA_MODEL_INFEASIBLE || isinf(q->optimum));
    EXPECT(q, what, r->status != KSDA_MODEL_OPTIMAL || fabs(r->objective - q->optimum) <= slack);
    EXPECT(q, what, (edits != NULL) == (r->status == KSDA_MODEL_OPTIMAL || r->status == KSDA_MODEL_FEASIBLE));
    EXPECT(q, what, !edits || r->objective >= q->optimum - slack);
}

/* --- a limit that strikes at the N-th look at the clock ----------------------------------------------------------- */

static ksda_status ask(ksda_ctx *ctx, const question *q, const char *what) {
    ksda_edits *edits;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    ksda_status status = ksda_optimal(ctx, q->net.graph, q->net.communities, &q->o, &edits, &r);
    EXPECT(q, what, status == KSDA_OK);
    judge(q, what, edits, &r);
    ksda_edits_free(ctx, edits);
    return r.status == KSDA_MODEL_OPTIMAL || r.status == KSDA_MODEL_INFEASIBLE ? KSDA_OK : KSDA_LIMIT;
}

/* The same through the default method, which is given a second for its proof. */
static ksda_status ask_anonymize(ksda_ctx *ctx, const question *q, const char *what) {
    ksda_anonymize_options o;
    ksda_anonymize_result r = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    double slack = 1e-9 * (1 + q->optimum);
    ksda_anonymize_options_init(&o);
    o.k = 2, o.split_weight = q->o.split_weight, o.bound_seconds = 500;
    ksda_status status =
        ksda_anonymize(ctx, q->net.graph, q->net.communities, ksda_method_find("level-plan"), &o, &edits, &r);
    bool splits = q->o.split != 0; /* else the optimum is that of adding alone, and a split may be cheaper */
    if (status >= 0) {
        double cost =
            (double)ksda_edits_added(edits, NULL) + q->weight * (double)(ksda_edits_pieces(edits) - q->net.graph->n);
        EXPECT(q, what, r.lower_bound <= cost + slack);
        EXPECT(q, what, !splits || (r.lower_bound <= q->optimum + slack && cost >= q->optimum - slack));
        EXPECT(q, what, splits || isinf(q->optimum) || r.lower_bound <= q->optimum + slack);
    } else {
        EXPECT(q, what, status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE);
        EXPECT(q, what, status != KSDA_INFEASIBLE || isinf(q->optimum));
    }
    ksda_edits_free(ctx, edits);
    return status;
}

/* Strike at every look, as many as there are when it does not strike; beyond the first hundred at some only. */
static uint64_t strike_everywhere(ksda_ctx *ctx, const question *q,
                                  ksda_status (*how)(ksda_ctx *, const question *, const char *)) {
    uint64_t strikes = 0;
    for (unsigned long long at = 1;; at += 1 + at / 16) {
        ksda_i_test_clock clock = {.strike = at};
        char what[64];
        snprintf(what, sizeof what, "struck at look %llu", at);
        ctx->clock = &clock;
        ksda_ctx_set_time_limit(ctx, 1000);
        how(ctx, q, what);
        ctx->clock = NULL;
        ksda_ctx_set_time_limit(ctx, 0);
        if (atomic_load(&clock.looks) < at) return strikes;
        strikes++;
    }
}

static void wherever_the_limit_strikes(void **state, uint64_t first, uint64_t seeds,
                                       ksda_status (*how)(ksda_ctx *, const question *, const char *)) {
    uint64_t strikes = 0, networks = 0;
    need_solver();
    for (uint64_t seed = first; seed < first + times_as_many(seeds); seed++) {
        question q;
        if (make_question(*state, seed, &q)) strikes += strike_everywhere(*state, &q, how), networks++;
        ksda_network_clear(*state, &q.net);
    }
    assert_true(networks > times_as_many(seeds) / 5 && strikes > 8 * networks);
}
static void optimal_is_true_wherever_the_limit_strikes(void **state) {
    wherever_the_limit_strikes(state, 0, 40, ask);
}
static void anonymize_is_true_wherever_the_limit_strikes(void **state) {
    wherever_the_limit_strikes(state, 1000, 30, ask_anonymize);
}

/* --- limits of the wall clock ------------------------------------------------------------------------------------- */

/* Twenty vertices: large enough for CBC to be stopped while it preprocesses, where it has called programs infeasible
 * that were not. No bound may lie above the best release that any of
 * the limits has left time for. */
static void limits_of_the_wall_clock_leave_only_true_answers(void **state) {
    static const double omega[] = {17.3, 0, 3.5};
    ksda_ctx *ctx = *state;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(3); seed++) {
        question q = {.seed = seed, .optimum = INFINITY};
        double highest = 0, bound = 0.0005;
        random_network(ctx, seed + 71349, 20, 0.15, 4, &q.net);
        ksda_optimal_options_init(&q.o);
        q.o.k = 4, q.o.split = 1, q.o.split_weight = omega[seed % 3], q.o.solver = some_solver(seed)->fast.name;
        for (; bound < 0.4; bound *= 1.25) {
            ksda_edits *edits;
            ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
            ksda_ctx_set_time_limit(ctx, bound);
            assert_int_equal(ksda_optimal(ctx, q.net.graph, q.net.communities, &q.o, &edits, &r), KSDA_OK);
            EXPECT(&q, "wall clock", r.status != KSDA_MODEL_INFEASIBLE || !edits);
            if (edits) q.optimum = fmin(q.optimum, r.objective);
            highest = fmax(highest, r.bound);
            ksda_edits_free(ctx, edits);
        }
        ksda_ctx_set_time_limit(ctx, 0);
        EXPECT(&q, "wall clock", highest <= q.optimum + 1e-9 * (1 + q.optimum));
        ksda_network_clear(ctx, &q.net);
    }
}

/* A program with a known solution, and hardly any time: a solver may come back with anything but a false proof. */
static void without_time_it_proves_nothing_false(ksda_ctx *ctx, const ksda_i_solver *solver) {
    uint32_t stopped = 0, settled = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        ksda_network net;
        ksda_i_add_edge_ip ip;
        ksda_i_solution full, s;
        ksda_i_solve_options o = {.cutoff = INFINITY, .known_bound = -INFINITY};
        random_network(ctx, seed, 16, 0.2, 2, &net);
        assert_int_equal(ksda_i_add_edge_ip_build(ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, &ip),
                         KSDA_OK);
        assert_int_equal(ksda_i_mip_solve(solver, &ip.model, &o, &full), KSDA_OK);
        for (o.seconds = 0.0002; o.seconds < 1; o.seconds *= 1.3) {
            assert_int_equal(ksda_i_mip_solve(solver, &ip.model, &o, &s), KSDA_OK);
            assert_true(s.verdict != KSDA_I_NONE || full.verdict == KSDA_I_NONE);
            assert_true(s.verdict != KSDA_I_CHEAPEST || fabs(s.objective - full.objective) < 1e-6);
            assert_true(full.verdict == KSDA_I_NONE || s.bound <= full.objective + 1e-6);
            stopped += s.verdict == KSDA_I_STOPPED, settled += s.verdict == full.verdict;
            ksda_i_free(ctx, s.x);
        }
        ksda_i_free(ctx, full.x);
        ksda_i_add_edge_ip_clear(&ip);
        ksda_network_clear(ctx, &net);
    }
    assert_true(stopped > 0 && settled > 0);
}
static void solvers_without_time_prove_nothing_false(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++) without_time_it_proves_nothing_false(*state, built_solver(i));
}

/* --- a solver that dies ------------------------------------------------------------------------------------------- */

/* Kill every child of this process that is running: the one that solves. */
static int kill_children(const ksda_progress *progress, void *payload) {
    char path[64], line[64];
    (void)progress;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%63s", line) == 1)
        if (kill((pid_t)atoi(line), SIGKILL) == 0) ++*(uint32_t *)payload;
    if (f) fclose(f);
    return 0;
}

static void when_killed_it_proves_nothing(ksda_ctx *ctx, const char *solver) {
    ksda_network net;
    ksda_edits *edits;
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    uint32_t killed = 0;
    random_network(ctx, 1, 90, 0.1, 3, &net); /* hours for formulation 1 */
    ksda_optimal_options_init(&o);
    o.solver = solver, o.k = 3;
    ksda_ctx_set_progress(ctx, kill_children, &killed);
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
    ksda_ctx_set_progress(ctx, NULL, NULL);
    if (!killed) skip(); /* a kernel that does not tell */
    assert_int_equal(r.status, KSDA_MODEL_LIMIT);
    assert_null(edits);
    assert_true(isfinite(r.bound));
    assert_non_null(strstr(r.reason, "signal 9"));
    ksda_network_clear(ctx, &net);
}
static void a_killed_solver_proves_nothing(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++) when_killed_it_proves_nothing(*state, built_solver(i)->info.name);
}

/* --- rounding ----------------------------------------------------------------------------------------------------- */

/* The least n_a + omega n_s from a bound on, against trying all of them. */
static void bounds_are_rounded_up_to_the_next_cost_and_no_further(void **state) {
    static const double omega[] = {1, 17.3, 400.5, 0.7, 3.000001, 16};
    (void)state;
    for (size_t w = 0; w < sizeof omega / sizeof *omega; w++)
        for (double a = 0; a < 60; a++)
            for (double s = 0; s < 8; s++)
                for (double off = -0.3; off < 0.4; off += 0.15) {
                    double bound = a + omega[w] * s + off, up = ksda_i_cost_from(bound, omega[w]), least = INFINITY;
                    for (double n = 0; omega[w] * n < bound + 1; n++)
                        for (double e = fmax(0, floor(bound - omega[w] * n) - 1); e < bound + 2; e++)
                            if (e + omega[w] * n >= bound - 2e-4) least = fmin(least, e + omega[w] * n);
                    assert_true(up <= fmax(least, 0) && up >= fmin(bound - 2e-3, least));
                }
    assert_true(isinf(ksda_i_cost_from(INFINITY, 3)) && ksda_i_cost_from(-INFINITY, 3) == 0);
    assert_true(ksda_i_cost_from(3.000001, 3.000001) ==
                3); /* three edges cost less than a split, by too little to say */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(optimal_is_true_wherever_the_limit_strikes, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(anonymize_is_true_wherever_the_limit_strikes, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(limits_of_the_wall_clock_leave_only_true_answers, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(solvers_without_time_prove_nothing_false, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(a_killed_solver_proves_nothing, make_ctx, free_ctx),
        cmocka_unit_test(bounds_are_rounded_up_to_the_next_cost_and_no_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
