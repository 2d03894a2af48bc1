/* Linear relaxations and integer programs by every solver: against trying everything, against each other, and against
 * what proves itself. A bound that meets a solution's cost needs no reference. */
#include "context.h"
#include "core/random.h"
#include "lp/lp.h"
#include "lp/remote.h"
#include "lp/scale.h"
#include "random_graph.h"
#include "solvers.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COLUMNS 6u
#define ROWS 5u
#define HIGHEST 2u /* columns go from 0 to this */

static int roll(ksda_i_rng *rng, int low, int high) {
    return low + (int)ksda_i_rng_below(rng, (uint32_t)(high - low + 1));
}

/* Columns 0 .. HIGHEST, small whole coefficients, rows of every kind. Some are impossible. */
static void random_program(ksda_ctx *ctx, uint64_t seed, ksda_i_model *m) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 5, 0);
    ksda_i_model_init(m, ctx);
    m->offset = roll(&rng, -3, 3);
    for (uint32_t j = 0; j < COLUMNS; j++)
        ksda_i_model_column(m, 0, HIGHEST, roll(&rng, -4, 9), roll(&rng, 0, 3) > 0, "x%u", j);
    for (uint32_t i = 0; i < ROWS; i++) {
        int low = roll(&rng, -3, 7), width = roll(&rng, 0, 4);
        for (uint32_t j = 0; j < COLUMNS; j++) {
            int value = roll(&rng, -3, 4);
            if (value && roll(&rng, 0, 2)) ksda_i_model_term(m, j, value);
        }
        ksda_i_model_row(m, roll(&rng, 0, 3) ? low : -INFINITY, roll(&rng, 0, 1) ? low + width : INFINITY, "r%u", i);
    }
    assert_int_equal(m->status, KSDA_OK);
}

/* The cheapest solution in whole numbers; INFINITY when there is none. */
static double cheapest_whole(const ksda_i_model *m) {
    double best = INFINITY, x[COLUMNS] = {0};
    char reason[128];
    for (uint32_t j = 0; j < COLUMNS;) {
        if (ksda_i_model_check(m, x, 1e-9, reason, sizeof reason)) best = fmin(best, ksda_i_model_objective(m, x));
        for (j = 0; j < COLUMNS && x[j] == HIGHEST; j++) x[j] = 0;
        if (j < COLUMNS) x[j]++;
    }
    return best;
}

/* The same columns, none of which must be whole. */
static ksda_status solve_fresh(const ksda_i_solver *solver, const ksda_i_model *m, ksda_i_lp_answer *a, double *x) {
    ksda_i_lp *lp;
    static unsigned turn;
    ksda_ctx_allow_processes(m->ctx, ++turn % 8 == 0); /* seldom: a process takes longer than such a program */
    ksda_status status = ksda_i_lp_new(solver, m, &lp);
    ksda_ctx_allow_processes(m->ctx, 1);
    if (status == KSDA_OK) status = ksda_i_lp_solve(lp, INFINITY, a);
    if (status == KSDA_OK && a->x) memcpy(x, a->x, m->columns * sizeof *x);
    ksda_i_lp_free(m->ctx, lp);
    return status;
}

/* Rows and bounds hold, whole or not. */
static bool keeps(const ksda_i_model *m, const double *x) {
    for (uint32_t j = 0; j < m->columns; j++)
        if (x[j] < m->lower[j] - 1e-6 || x[j] > m->upper[j] + 1e-6) return false;
    for (uint32_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (uint64_t t = m->row_start[i]; t < m->row_start[i + 1]; t++) sum += m->term_value[t] * x[m->term_column[t]];
        if (sum < m->row_lower[i] - 1e-6 || sum > m->row_upper[i] + 1e-6) return false;
    }
    return true;
}

/* Its optimum, proved by itself; INFINITY when there is none, proved or not: a solver that only says so is not
 * believed, and that is seldom. */
static uint32_t unsure;
static double optimum(const ksda_i_solver *solver, const ksda_i_model *m, uint64_t seed) {
    ksda_i_lp_answer a;
    double x[2 * COLUMNS];
    assert_int_equal(solve_fresh(solver, m, &a, x), KSDA_OK);
    assert_true((a.verdict == KSDA_I_NONE) == (a.bound == INFINITY));
    unsure += a.verdict == KSDA_I_STOPPED;
    if (a.verdict != KSDA_I_CHEAPEST) return INFINITY;
    double cost = ksda_i_model_objective(m, x);
    assert_true(keeps(m, x));
    if (fabs(a.bound - cost) > 1e-6)
        fail_msg("seed %llu, %s: %g proved, %g found", (unsigned long long)seed, solver->title, a.bound, cost);
    return cost;
}

static void relaxations_prove_their_optima_and_that_there_is_none(void **state) {
    uint32_t solved = 0, none = 0;
    need_solver();
    unsure = 0;
    for (uint64_t seed = 0; seed < times_as_many(1000); seed++) {
        ksda_i_model m;
        random_program(*state, seed, &m);
        double whole = cheapest_whole(&m), first = optimum(built_solver(0), &m, seed);
        assert_true(first <= whole + 1e-6);
        for (size_t i = 1; built_solver(i); i++) {
            double other = optimum(built_solver(i), &m, seed);
            if (isinf(first) != isinf(other) || (!isinf(first) && fabs(first - other) > 1e-6))
                fail_msg("seed %llu: %g, but %g by %s", (unsigned long long)seed, first, other, built_solver(i)->title);
        }
        solved += !isinf(first), none += isinf(first);
        ksda_i_model_clear(&m);
    }
    assert_true(enough(solved, 200) && enough(none, 100) && unsure < none / 20);
}

/* The same answer as from scratch after other bounds, other costs, a new row and a new column, one after the other. */
static void changed_one(ksda_ctx *ctx, const ksda_i_solver *solver, uint64_t seed, uint32_t *solved) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 6, 0);
    ksda_i_model m, full; /* the second one also has the new column's terms */
    ksda_i_lp *lp;
    ksda_i_lp_answer a;
    random_program(ctx, seed, &m), random_program(ctx, seed, &full);
    assert_int_equal(ksda_i_lp_new(solver, &m, &lp), KSDA_OK);
    for (uint32_t step = 0; step < 6; step++) {
        uint32_t j = (uint32_t)roll(&rng, 0, COLUMNS - 1);
        double high = roll(&rng, 0, HIGHEST);
        if (step == 1 || step == 2) full.upper[j] = high, ksda_i_lp_bounds(lp, j, 0, high);
        if (step == 3) full.cost[j] = m.cost[j] = roll(&rng, -4, 9), ksda_i_lp_cost(lp, j);
        for (int side = 0; side < 2 && step == 4; side++) {
            ksda_i_model_term(side ? &m : &full, j, 1), ksda_i_model_term(side ? &m : &full, (j + 1) % COLUMNS, 2);
            ksda_i_model_row(side ? &m : &full, -INFINITY, high, "more");
        }
        if (step == 5) break;
        double expected = optimum(solver, &full, seed);
        assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), KSDA_OK);
        assert_true((a.verdict == KSDA_I_CHEAPEST) == !isinf(expected));
        if (isinf(expected)) continue;
        assert_true(fabs(ksda_i_model_objective(&full, a.x) - expected) < 1e-6 && keeps(&full, a.x));
        assert_true(fabs(a.bound - expected) < 1e-6);
        ++*solved;
    }
    ksda_i_lp_free(ctx, lp);
    ksda_i_model_clear(&m), ksda_i_model_clear(&full);
}

static void changes_lead_to_the_same_answer_as_from_scratch(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++) {
        uint32_t solved = 0;
        for (uint64_t seed = 0; seed < times_as_many(400); seed++) changed_one(*state, built_solver(i), seed, &solved);
        assert_true(enough(solved, 200));
    }
}

/* A column that is priced in: with its terms in the rows there are, and as a term of rows that come later. */
static void columns_are_taken_in(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t used = 0;
    need_solver();
    for (size_t i = 0; built_solver(i); i++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            ksda_i_model m, full;
            ksda_i_lp *lp;
            ksda_i_lp_answer a;
            int row[ROWS];
            double value[ROWS], x[2 * COLUMNS];
            ksda_i_rng rng = ksda_i_rng_stream(seed, 7, 0);
            ksda_i_model_init(&full, ctx);
            random_program(ctx, seed, &m);
            for (uint32_t j = 0; j <= COLUMNS; j++)
                ksda_i_model_column(&full, 0, HIGHEST, j < COLUMNS ? m.cost[j] : -2, false, "x%u", j);
            for (uint32_t r = 0; r < ROWS; r++) {
                row[r] = (int)r, value[r] = roll(&rng, 1, 3);
                for (uint64_t t = m.row_start[r]; t < m.row_start[r + 1]; t++)
                    ksda_i_model_term(&full, m.term_column[t], m.term_value[t]);
                ksda_i_model_term(&full, COLUMNS, value[r]);
                ksda_i_model_row(&full, m.row_lower[r], m.row_upper[r], "r%u", r);
            }
            assert_int_equal(ksda_i_lp_new(built_solver(i), &m, &lp), KSDA_OK);
            assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), KSDA_OK);
            ksda_i_model_column(&m, 0, HIGHEST, -2, false, "new");
            assert_int_equal(ksda_i_lp_column(lp, ROWS, row, value), KSDA_OK);
            for (int side = 0; side < 2; side++) {
                ksda_i_model_term(side ? &m : &full, COLUMNS, 2), ksda_i_model_term(side ? &m : &full, 0, 1);
                ksda_i_model_row(side ? &m : &full, -INFINITY, 3, "more");
            }
            double expected = optimum(built_solver(i), &full, seed) - full.offset;
            assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), KSDA_OK);
            assert_true((a.x != NULL) == !isinf(expected));
            if (a.x) {
                memcpy(x, a.x, m.columns * sizeof *x);
                assert_true(fabs(ksda_i_model_objective(&m, x) - m.offset - expected) < 1e-6 && keeps(&full, x));
                used += x[COLUMNS] > 0.5;
            }
            ksda_i_lp_free(ctx, lp);
            ksda_i_model_clear(&m), ksda_i_model_clear(&full);
        }
    assert_true(used > 20);
}

/* --- scaling ------------------------------------------------------------------------------------------------------ */

/* A program and the same one in other units: rows and columns multiplied by anything from 1e-5 to 1e5. */
typedef struct stretched {
    ksda_i_model plain, bad;
    double row[ROWS + 1], column[COLUMNS + 1];
} stretched;

static void term_of_both(stretched *s, uint32_t i, uint32_t j, double value) {
    ksda_i_model_term(&s->plain, j, value), ksda_i_model_term(&s->bad, j, value * s->row[i] * s->column[j]);
}

static void row_of_both(stretched *s, uint32_t i, double lower, double upper) {
    ksda_i_model_row(&s->plain, lower, upper, "r%u", i);
    ksda_i_model_row(&s->bad, lower * s->row[i], upper * s->row[i], "r%u", i);
}

static void column_of_both(stretched *s, uint32_t j, double cost) {
    ksda_i_model_column(&s->plain, 0, HIGHEST, cost, false, "x%u", j);
    ksda_i_model_column(&s->bad, 0, HIGHEST / s->column[j], cost * s->column[j], false, "x%u", j);
}

static void stretch(ksda_ctx *ctx, uint64_t seed, stretched *s) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 8, 0);
    ksda_i_model m;
    random_program(ctx, seed, &m);
    ksda_i_model_init(&s->plain, ctx), ksda_i_model_init(&s->bad, ctx);
    for (uint32_t i = 0; i <= ROWS; i++) s->row[i] = pow(10, roll(&rng, -500, 500) / 100.0);
    for (uint32_t j = 0; j <= COLUMNS; j++) s->column[j] = pow(10, roll(&rng, -500, 500) / 100.0);
    for (uint32_t j = 0; j < COLUMNS; j++) column_of_both(s, j, m.cost[j]);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint64_t t = m.row_start[i]; t < m.row_start[i + 1]; t++)
            term_of_both(s, i, m.term_column[t], m.term_value[t]);
        row_of_both(s, i, m.row_lower[i], m.row_upper[i]);
    }
    ksda_i_model_clear(&m);
}

static bool same_answer(ksda_i_lp *plain, ksda_i_lp *bad, bool bounds, const stretched *s) {
    ksda_i_lp_answer a, b;
    assert_int_equal(ksda_i_lp_solve(plain, INFINITY, &a), KSDA_OK);
    assert_int_equal(ksda_i_lp_solve(bad, INFINITY, &b), KSDA_OK);
    if (!a.x || !b.x) return !a.x == !b.x;
    double cost = ksda_i_model_objective(&s->bad, b.x);
    return fabs(ksda_i_model_objective(&s->plain, a.x) - cost) < 1e-5 && (!bounds || fabs(a.bound - b.bound) < 1e-5);
}

/* Also of rows and columns that come later. Left alone with such units Clp does not end. */
static void units_do_not_matter(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t right = 0, all = 0;
    need_solver();
    for (size_t i = 0; built_solver(i); i++)
        for (uint64_t seed = 0; seed < times_as_many(300); seed++) {
            stretched s;
            ksda_i_lp *plain, *bad;
            int row[ROWS];
            double value[2][ROWS];
            stretch(ctx, seed, &s);
            ksda_ctx_allow_processes(ctx, seed % 8 == 0);
            assert_int_equal(ksda_i_lp_new(built_solver(i), &s.plain, &plain), KSDA_OK);
            assert_int_equal(ksda_i_lp_new(built_solver(i), &s.bad, &bad), KSDA_OK);
            right += same_answer(plain, bad, true, &s), all++;
            ksda_i_lp_bounds(plain, 0, 0, 1), ksda_i_lp_bounds(bad, 0, 0, 1 / s.column[0]);
            term_of_both(&s, ROWS, 0, 1), term_of_both(&s, ROWS, 1, -2);
            row_of_both(&s, ROWS, -INFINITY, 1);
            right += same_answer(plain, bad, true, &s), all++;
            for (uint32_t r = 0; r < ROWS; r++)
                row[r] = (int)r, value[0][r] = 1, value[1][r] = s.row[r] * s.column[COLUMNS];
            column_of_both(&s, COLUMNS, -2);
            assert_int_equal(ksda_i_lp_column(plain, ROWS, row, value[0]), KSDA_OK);
            assert_int_equal(ksda_i_lp_column(bad, ROWS, row, value[1]), KSDA_OK);
            right += same_answer(plain, bad, false, &s), all++;
            ksda_i_lp_free(ctx, plain), ksda_i_lp_free(ctx, bad);
            ksda_i_model_clear(&s.plain), ksda_i_model_clear(&s.bad);
        }
    assert_true(right == all);
}

static bool is_power_of_two(double x) {
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

/* Nothing is rounded, neither on the way to the solver nor back, and the largest entries are near 1. */
static void scaling_is_exact(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < times_as_many(300); seed++) {
        stretched s;
        ksda_i_scaled scaled;
        stretch(ctx, seed, &s);
        const ksda_i_model *m = &s.bad, *to = &scaled.model;
        assert_int_equal(ksda_i_scaled_make(m, &scaled), KSDA_OK);
        assert_int_equal(ksda_i_scaled_rows(&scaled, m), KSDA_OK);
        assert_true(to->rows == m->rows && to->columns == m->columns && to->terms == m->terms);
        for (uint32_t j = 0; j < m->columns; j++) {
            assert_true(is_power_of_two(scaled.column[j]) && to->lower[j] * scaled.column[j] == m->lower[j]);
            assert_true(to->upper[j] * scaled.column[j] == m->upper[j]);
            assert_true(to->cost[j] / scaled.column[j] == m->cost[j]);
        }
        for (uint32_t i = 0; i < m->rows; i++) {
            assert_true(is_power_of_two(scaled.row[i]) && to->row_lower[i] / scaled.row[i] == m->row_lower[i]);
            assert_true(to->row_upper[i] / scaled.row[i] == m->row_upper[i]);
            for (uint64_t t = m->row_start[i]; t < m->row_start[i + 1]; t++) {
                double by = scaled.row[i] * scaled.column[m->term_column[t]];
                assert_true(to->term_value[t] / by == m->term_value[t]);
                assert_true(fabs(to->term_value[t]) < 32 && fabs(to->term_value[t]) > 0x1p-5);
            }
        }
        ksda_i_scaled_clear(&scaled);
        ksda_i_model_clear(&s.plain), ksda_i_model_clear(&s.bad);
    }
}

/* --- solvers that fail -------------------------------------------------------------------------------------------- */

static const ksda_i_lp_engine *real;
static enum {
    ABORTS,
    FAULTS,
    LEAVES,
    FALLS_SILENT,
    HANGS,
    WAYS
} way_to_fail;
static int runs_before;

static ksda_i_lp_state fail_at_last(void *engine, bool repriced, int pivots, uint64_t *done) {
    if (runs_before-- > 0) return real->run(engine, repriced, pivots, done);
    if (way_to_fail == ABORTS) abort();
    if (way_to_fail == FAULTS) raise(SIGSEGV);
    if (way_to_fail == LEAVES) exit(0);
    for (;;) pause();
}

/* An assertion of a solver, or worse, costs what it would have proved and nothing else, before and after it has solved
 * something; so does one that is never heard of again; and a pivot without end is stopped. */
static void failing_solvers_end_no_run(void **state) {
    ksda_ctx *ctx = *state;
    need_solver();
    real = built_solver(0)->lp;
    ksda_i_lp_engine failing = *real;
    ksda_i_solver row = *built_solver(0);
    failing.run = fail_at_last, row.lp = &failing;
    unsigned silence = ksda_i_lp_silence;
    for (int way = 0; way < WAYS; way++)
        for (int before = 0; before < 2; before++) {
            ksda_i_model m;
            ksda_i_lp *lp;
            ksda_i_lp_answer a;
            unsigned failures = ksda_ctx_solver_failures(ctx);
            bool hangs = way == HANGS;
            way_to_fail = (unsigned)way, runs_before = before;
            random_program(ctx, 3, &m);
            assert_int_equal(ksda_i_lp_new(&row, &m, &lp), KSDA_OK);
            if (before) assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), KSDA_OK);
            if (hangs) ksda_ctx_set_deadline(ctx, 0.05);
            if (way == FALLS_SILENT) ksda_i_lp_silence = 100;
            for (int again = 0; again < 2; again++) {
                assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), hangs ? KSDA_TIMEOUT : KSDA_OK);
                assert_true(a.verdict == KSDA_I_STOPPED && a.bound == -INFINITY && !a.x && !a.dual);
                ksda_i_lp_bounds(lp, 0, 0, again);
            }
            ksda_ctx_set_deadline(ctx, 0);
            ksda_i_lp_silence = silence;
            assert_int_equal(ksda_ctx_solver_failures(ctx), failures + !hangs);
            ksda_i_lp_free(ctx, lp);
            ksda_i_model_clear(&m);
        }
    assert_true(waitpid(-1, NULL, WNOHANG) == -1); /* nobody is left */
}

static ksda_status never_open(const ksda_i_model *m, void **engine) {
    while (m) pause();
    *engine = NULL;
    return KSDA_OK;
}

/* A solver that does not even take what it is told, more than a socket holds: the time limit is seen, and silence. */
static void deaf_solvers_end_no_run(void **state) {
    enum {
        MANY = 20000
    };
    ksda_ctx *ctx = *state;
    need_solver();
    ksda_i_lp_engine deaf = *built_solver(0)->lp;
    ksda_i_solver row = *built_solver(0);
    unsigned silence = ksda_i_lp_silence;
    deaf.open = never_open, row.lp = &deaf;
    for (int silent = 0; silent < 2; silent++) {
        ksda_i_model m;
        ksda_i_lp *lp;
        ksda_i_lp_answer a;
        unsigned failures = ksda_ctx_solver_failures(ctx);
        random_program(ctx, 3, &m);
        for (uint32_t i = 0; i < MANY; i++) {
            for (uint32_t j = 0; j < COLUMNS; j++) ksda_i_model_term(&m, j, 1);
            ksda_i_model_row(&m, 0, INFINITY, "%s", "");
        }
        if (silent)
            ksda_i_lp_silence = 100;
        else
            ksda_ctx_set_deadline(ctx, 0.05);
        assert_int_equal(ksda_i_lp_new(&row, &m, &lp), KSDA_OK);
        assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), silent ? KSDA_OK : KSDA_TIMEOUT);
        assert_true(a.verdict == KSDA_I_STOPPED && a.bound == -INFINITY);
        ksda_ctx_set_deadline(ctx, 0);
        ksda_i_lp_silence = silence;
        assert_int_equal(ksda_ctx_solver_failures(ctx), failures + (unsigned)silent);
        ksda_i_lp_free(ctx, lp);
        ksda_i_model_clear(&m);
    }
    assert_true(waitpid(-1, NULL, WNOHANG) == -1); /* nobody is left */
}

/* Integer programs, with and without a cutoff, against trying everything. */
static void integer_programs_match_trying_everything(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t found = 0, none = 0, cut = 0;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(150); seed++) {
        ksda_i_model m;
        random_program(ctx, seed, &m);
        memset(m.integer, 1, m.columns);
        double expected = cheapest_whole(&m);
        for (size_t i = 0; built_solver(i); i++)
            for (int below = 0; below < 2; below++) {
                ksda_i_solve_options o = {.cutoff = below ? expected - 1 : INFINITY, .known_bound = -INFINITY};
                ksda_i_solution s;
                if (below && isinf(expected)) continue;
                assert_int_equal(ksda_i_mip_solve(built_solver(i), &m, &o, &s), KSDA_OK);
                bool any = !below && !isinf(expected);
                if (s.verdict != (any ? KSDA_I_CHEAPEST : KSDA_I_NONE) || (any && fabs(s.objective - expected) > 1e-6))
                    fail_msg("seed %llu, %s: verdict %d, %g instead of %g; %s", (unsigned long long)seed,
                             built_solver(i)->title, (int)s.verdict, s.objective, expected, s.trouble);
                found += any, none += !any && !below, cut += below;
                ksda_i_free(ctx, s.x);
            }
        ksda_i_model_clear(&m);
    }
    assert_true(enough(found, 30) && enough(none, 15) && enough(cut, 30));
}

/* Nobody is asked: the message says what to do. */
static void no_solver_says_so(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_model m;
    ksda_i_lp *lp;
    ksda_i_solution s;
    ksda_i_solve_options o = {.cutoff = INFINITY};
    random_program(ctx, 1, &m);
    assert_int_equal(ksda_i_lp_new(NULL, &m, &lp), KSDA_UNSUPPORTED);
    assert_null(lp);
    assert_int_equal(ksda_i_mip_solve(NULL, &m, &o, &s), KSDA_UNSUPPORTED);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "--write-lp"));
    ksda_i_model_clear(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(relaxations_prove_their_optima_and_that_there_is_none, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(changes_lead_to_the_same_answer_as_from_scratch, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(columns_are_taken_in, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(units_do_not_matter, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(scaling_is_exact, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(failing_solvers_end_no_run, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(deaf_solvers_end_no_run, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(integer_programs_match_trying_everything, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(no_solver_says_so, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
