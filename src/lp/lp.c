/* Linear relaxations by whichever solver. The dual simplex restarts from the last basis, so a round of cuts or a
 * changed bound costs a few pivots. The solver works in slices of some thousand pivots so that cancelling is prompt.
 *
 * Bounds must be proofs, and solvers round. Every bound reported is therefore recomputed from the dual prices y,
 * whatever they are: with reduced costs r = c - yA, sum_i min(y_i b_i over the row's bounds) + sum_j min(r_j x_j over
 * the column's bounds) is below every solution (Neumaier and Shcherbina, doi:10.1007/s10107-003-0433-3). What our own
 * sums can lose to rounding is counted and taken off. That there is no solution is believed if the same sum, with the
 * ray that the solver has found for y and no cost at all, is positive. */
#include "lp/lp.h"

#include "lp/remote.h"
#include "lp/scale.h"

#include <float.h>
#include <math.h>

#define ITERATION_UNITS 50u /* of work, for every row and column */
#define SLICE 2000          /* pivots between two looks at the clock, */
#define LEAST_SLICE 20      /* fewer of large programs, */
#define SLICE_SIZE 20000u   /* which have more rows and columns than this */

struct ksda_i_lp {
    const ksda_i_model *m;
    const ksda_i_lp_engine *way;
    void *engine;
    ksda_i_scaled scaled;  /* what the engine has of the model */
    bool repriced;         /* costs have changed since it was last solved */
    bool within_work;      /* see ksda_i_lp_within_work() */
    double *lower, *upper; /* [columns] in the relaxation */
    double *x;             /* [columns] of the last answer */
    double *work;          /* [2 * columns] reduced costs; sizes of what was added up for them */
    double *dual;          /* [rows] the engine's prices, of the model as it is */
    uint64_t dual_room;
};

static ksda_status add_rows(ksda_i_lp *lp) {
    const ksda_i_model *m = lp->m;
    uint32_t first = lp->scaled.model.rows;
    if (m->rows == first) return KSDA_OK;
    ksda_status status = ksda_i_reserve(m->ctx, &lp->dual, &lp->dual_room, (uint64_t)m->rows + 1, sizeof *lp->dual);
    if (status >= 0) status = ksda_i_scaled_rows(&lp->scaled, m);
    if (status >= 0) status = lp->way->add_rows(lp->engine, &lp->scaled.model, first);
    return status;
}

/* Room for the model's columns, with their bounds from `first` on. */
static ksda_status follow_columns(ksda_i_lp *lp, uint32_t first) {
    const ksda_i_model *m = lp->m;
    double **array[] = {&lp->lower, &lp->upper, &lp->x, &lp->work};
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t length = (i < 3 ? 1 : 2) * (uint64_t)m->columns + 1;
        double *grown = ksda_i_realloc(m->ctx, *array[i], length, sizeof *grown);
        if (!grown) return KSDA_NOMEM;
        *array[i] = grown;
    }
    memcpy(lp->lower + first, m->lower + first, (m->columns - first) * sizeof *lp->lower);
    memcpy(lp->upper + first, m->upper + first, (m->columns - first) * sizeof *lp->upper);
    return KSDA_OK;
}

ksda_status ksda_i_lp_new(const ksda_i_solver *solver, const ksda_i_model *m, ksda_i_lp **out) {
    *out = NULL;
    ksda_status status = ksda_i_solver_need(m->ctx, solver);
    if (status >= 0) status = m->status;
    if (status != KSDA_OK) return status;
    if (m->terms > INT32_MAX)
        return ksda_i_error(m->ctx, KSDA_UNSUPPORTED, "the linear program is too large for %s", solver->title);
    ksda_i_lp *lp = ksda_i_calloc(m->ctx, 1, sizeof *lp);
    if (!lp) return KSDA_NOMEM;
    lp->m = m, lp->way = m->ctx->processes ? &ksda_i_lp_remote : solver->lp;
    status = follow_columns(lp, 0);
    if (status >= 0) status = ksda_i_scaled_make(m, &lp->scaled);
    if (status >= 0)
        status = m->ctx->processes ? ksda_i_lp_remote_open(solver->lp, &lp->scaled.model, &lp->engine)
                                   : solver->lp->open(&lp->scaled.model, &lp->engine);
    if (status < 0)
        ksda_i_lp_free(m->ctx, lp);
    else
        *out = lp;
    return status;
}

void ksda_i_lp_free(ksda_ctx *ctx, ksda_i_lp *lp) {
    if (!lp) return;
    if (lp->engine) lp->way->close(lp->engine);
    ksda_i_scaled_clear(&lp->scaled);
    ksda_i_free(ctx, lp->lower), ksda_i_free(ctx, lp->upper), ksda_i_free(ctx, lp->work);
    ksda_i_free(ctx, lp->x), ksda_i_free(ctx, lp->dual);
    ksda_i_free(ctx, lp);
}

void ksda_i_lp_within_work(ksda_i_lp *lp) {
    lp->within_work = true;
}

void ksda_i_lp_bounds(ksda_i_lp *lp, uint32_t column, double lower, double upper) {
    lp->lower[column] = lower, lp->upper[column] = upper;
    double by = lp->scaled.column[column];
    lp->way->set_bounds(lp->engine, column, lower / by, upper / by);
}

void ksda_i_lp_cost(ksda_i_lp *lp, uint32_t column) {
    lp->way->set_cost(lp->engine, column, lp->m->cost[column] * lp->scaled.column[column]);
    lp->repriced = true;
}

ksda_status ksda_i_lp_column(ksda_i_lp *lp, uint32_t terms, const int *row, const double *value) {
    const ksda_i_model *m = lp->m;
    ksda_status status = m->status;
    if (status >= 0) status = add_rows(lp);
    if (status >= 0) status = follow_columns(lp, m->columns - 1);
    double *scaled = NULL;
    if (status >= 0) status = ksda_i_scaled_column(&lp->scaled, m, terms, row, value, &scaled);
    if (status >= 0) status = lp->way->add_column(lp->engine, &lp->scaled.model, terms, row, scaled);
    ksda_i_free(m->ctx, scaled);
    lp->repriced = true;
    return status;
}

/* At most this is min r x over low <= x <= high, where r may be off by `off`. */
static double least_product(double r, double off, double low, double high) {
    double below = r - off, above = r + off;
    if (below > 0 && low >= 0) return below * low;
    if (above < 0 && high >= 0) return below * high;
    if (low == 0 && high == 0) return 0;
    return fmin(fmin(below * low, above * low), fmin(below * high, above * high));
}

/* Every solution costs at least this, whatever the prices y of the rows are; `costs` false: were everything free. Sums
 * of n terms in floating point are off by less than n units in the last place of the sum of their sizes. */
static double proved(ksda_i_lp *lp, const double *y, bool costs) {
    const ksda_i_model *m = lp->m;
    double *reduced = lp->work, *size = lp->work + m->columns, unit = DBL_EPSILON * ((double)m->rows + 2);
    double sum = costs ? m->offset : 0, total = fabs(sum);
    for (uint32_t j = 0; j < m->columns; j++) reduced[j] = costs ? m->cost[j] : 0, size[j] = fabs(reduced[j]);
    for (uint32_t i = 0; i < m->rows; i++) {
        double side = y[i] > 0 ? m->row_lower[i] : m->row_upper[i];
        if (y[i] == 0 || isinf(side)) continue; /* a price of the wrong sign counts as 0 */
        sum += y[i] * side, total += fabs(y[i] * side);
        for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++) {
            double term = y[i] * m->term_value[p];
            reduced[m->term_column[p]] -= term, size[m->term_column[p]] += fabs(term);
        }
    }
    for (uint32_t j = 0; j < m->columns; j++) {
        double least = least_product(reduced[j], unit * size[j], lp->lower[j], lp->upper[j]);
        sum += least, total += fabs(least);
    }
    sum -= DBL_EPSILON * ((double)m->rows + (double)m->columns + 2) * total;
    return isnan(sum) ? -INFINITY : sum;
}

/* The prices of the model's rows, from those of the engine's. */
static const double *prices(ksda_i_lp *lp) {
    const double *dual = lp->way->dual(lp->engine);
    for (uint32_t i = 0; i < lp->m->rows; i++) lp->dual[i] = dual[i] * lp->scaled.row[i];
    return lp->dual;
}

/* Do the rows in the proportions of the solver's ray, of either sign, leave nothing for the columns? */
static ksda_status surely_infeasible(ksda_i_lp *lp, bool *sure) {
    uint32_t rows = lp->m->rows;
    double *ray = ksda_i_malloc(lp->m->ctx, (uint64_t)rows + 1, sizeof *ray);
    *sure = false;
    if (!ray) return KSDA_NOMEM;
    bool any = lp->way->ray(lp->engine, ray);
    for (uint32_t i = 0; any && i < rows; i++) ray[i] *= lp->scaled.row[i];
    for (int sign = 0; any && sign < 2 && !*sure; sign++) {
        for (uint32_t i = 0; sign && i < rows; i++) ray[i] = -ray[i];
        *sure = proved(lp, ray, false) > 0;
    }
    ksda_i_free(lp->m->ctx, ray);
    return KSDA_OK;
}

/* The solver has stopped for good: what is it worth? */
static ksda_status conclude(ksda_i_lp *lp, ksda_i_lp_state state, ksda_i_lp_answer *out) {
    lp->repriced = false;
    if (state == KSDA_I_LP_INFEASIBLE) {
        bool sure;
        ksda_status status = surely_infeasible(lp, &sure);
        if (sure) out->verdict = KSDA_I_NONE, out->bound = INFINITY;
        return status;
    }
    if (state != KSDA_I_LP_SOLVED) return KSDA_OK;
    out->verdict = KSDA_I_CHEAPEST;
    const double *x = lp->way->x(lp->engine);
    for (uint32_t j = 0; j < lp->m->columns; j++) lp->x[j] = x[j] * lp->scaled.column[j];
    out->x = lp->x;
    out->dual = prices(lp);
    out->bound = proved(lp, out->dual, true);
    out->reduced = lp->work;
    return KSDA_OK;
}

/* A pivot takes longer the larger the program. */
static int slice_of(const ksda_i_model *m) {
    uint64_t size = (uint64_t)m->rows + m->columns,
             slice = size > SLICE_SIZE ? SLICE * (uint64_t)SLICE_SIZE / size : SLICE;
    return slice > LEAST_SLICE ? (int)slice : LEAST_SLICE;
}

ksda_status ksda_i_lp_solve(ksda_i_lp *lp, double enough, ksda_i_lp_answer *out) {
    ksda_ctx *ctx = lp->m->ctx;
    ksda_status status = lp->m->status;
    *out = (ksda_i_lp_answer){.verdict = KSDA_I_STOPPED, .bound = -INFINITY};
    if (status != KSDA_OK) return status;
    status = add_rows(lp);
    if (status < 0) return status;
    for (;;) {
        uint64_t pivots;
        ksda_i_lp_state state = lp->way->run(lp->engine, lp->repriced, slice_of(lp->m), &pivots);
        ksda_i_work(ctx, ITERATION_UNITS * pivots * (lp->m->rows + lp->m->columns));
        if (state == KSDA_I_LP_GOES_ON || state == KSDA_I_LP_TROUBLE) status = ksda_i_interrupted(ctx);
        if (status < 0) return status;
        if (state != KSDA_I_LP_GOES_ON) return conclude(lp, state, out);
        out->bound = proved(lp, prices(lp), true);
        if (out->bound > enough || (lp->within_work && ksda_i_work_over(ctx))) return KSDA_OK;
        if (ksda_i_time_left(ctx) <= 0) return KSDA_LIMIT;
    }
}
