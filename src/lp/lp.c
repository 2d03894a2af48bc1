/* Linear relaxations by Clp, the simplex code under CBC. The dual simplex restarts from the last basis, so a round of
 * cuts or a changed bound costs a few pivots. Clp works in slices of some thousand pivots so that cancelling is prompt.
 *
 * Bounds must be proofs, and Clp rounds. Every bound reported is therefore recomputed from the dual prices y, whatever
 * they are: with reduced costs r = c - yA, sum_i min(y_i b_i over the row's bounds) + sum_j min(r_j x_j over the
 * column's bounds) is below every solution (Neumaier and Shcherbina, doi:10.1007/s10107-003-0433-3). What our own sums
 * can lose to rounding is counted and taken off. That there is no solution is believed if the same sum, with the ray
 * that Clp has found for y and no cost at all, is positive. */
#include "lp/lp.h"

#ifdef KSDA_HAVE_CBC

#include <coin/Clp_C_Interface.h>
#include <float.h>
#include <math.h>

#define ITERATION_UNITS 50u /* of work, for every row and column */
#define SLICE 2000          /* pivots between two looks at the clock, */
#define LEAST_SLICE 20      /* fewer of large programs, */
#define SLICE_SIZE 20000u   /* which have more rows and columns than this */

struct ksda_i_lp {
    const ksda_i_model *m;
    Clp_Simplex *clp;
    uint32_t rows; /* of the model that Clp has */
    bool repriced; /* costs have changed: the last basis is a start for the primal simplex, not for the dual one */
    double *work;  /* [2 * columns] reduced costs; sizes of what was added up for them */
};

bool ksda_i_lp_available(void) {
    return true;
}

static double clip(double bound) {
    return isinf(bound) ? (bound < 0 ? -1e60 : 1e60) : bound;
}

static ksda_status add_rows(ksda_i_lp *lp) {
    const ksda_i_model *m = lp->m;
    uint32_t count = m->rows - lp->rows;
    if (count == 0) return KSDA_OK;
    uint64_t first = m->row_start[lp->rows], terms = m->row_start[m->rows] - first;
    double *low = ksda_i_malloc(m->ctx, 2 * (uint64_t)count, sizeof *low);
    int *start = ksda_i_malloc(m->ctx, (uint64_t)count + 1 + terms, sizeof *start), *column = start + count + 1;
    if (low && start) {
        for (uint32_t i = 0; i < count; i++) {
            low[i] = clip(m->row_lower[lp->rows + i]), low[count + i] = clip(m->row_upper[lp->rows + i]);
            start[i] = (int)(m->row_start[lp->rows + i] - first);
        }
        start[count] = (int)terms;
        for (uint64_t p = 0; p < terms; p++) column[p] = (int)m->term_column[first + p];
        Clp_addRows(lp->clp, (int)count, low, low + count, start, column, m->term_value + first);
        lp->rows = m->rows;
    }
    ksda_status status = low && start ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(m->ctx, low), ksda_i_free(m->ctx, start);
    return status;
}

ksda_status ksda_i_lp_new(const ksda_i_model *m, ksda_i_lp **out) {
    *out = NULL;
    if (m->status != KSDA_OK) return m->status;
    if (m->terms > INT32_MAX) return ksda_i_error(m->ctx, KSDA_UNSUPPORTED, "the linear program is too large for Clp");
    ksda_i_lp *lp = ksda_i_calloc(m->ctx, 1, sizeof *lp);
    if (!lp) return KSDA_NOMEM;
    lp->m = m;
    lp->work = ksda_i_malloc(m->ctx, 2 * (uint64_t)m->columns + 1, sizeof *lp->work);
    int *start = ksda_i_calloc(m->ctx, (uint64_t)m->columns + 1, sizeof *start);
    if (!lp->work || !start) {
        ksda_i_free(m->ctx, start);
        ksda_i_lp_free(m->ctx, lp);
        return KSDA_NOMEM;
    }
    lp->clp = Clp_newModel();
    Clp_setLogLevel(lp->clp, 0);
    Clp_loadProblem(lp->clp, (int)m->columns, 0, start, NULL, NULL, m->lower, m->upper, m->cost, NULL, NULL);
    ksda_i_free(m->ctx, start);
    *out = lp;
    return KSDA_OK;
}

void ksda_i_lp_free(ksda_ctx *ctx, ksda_i_lp *lp) {
    if (!lp) return;
    if (lp->clp) Clp_deleteModel(lp->clp);
    ksda_i_free(ctx, lp->work);
    ksda_i_free(ctx, lp);
}

void ksda_i_lp_bounds(ksda_i_lp *lp, uint32_t column, double lower, double upper) {
    Clp_columnLower(lp->clp)[column] = lower;
    Clp_columnUpper(lp->clp)[column] = upper;
}

void ksda_i_lp_cost(ksda_i_lp *lp, uint32_t column) {
    Clp_objective(lp->clp)[column] = lp->m->cost[column];
    lp->repriced = true;
}

ksda_status ksda_i_lp_column(ksda_i_lp *lp, uint32_t terms, const int *row, const double *value) {
    const ksda_i_model *m = lp->m;
    if (m->status < 0) return m->status;
    ksda_status status = add_rows(lp);
    if (status < 0) return status;
    double *work = ksda_i_realloc(m->ctx, lp->work, 2 * (uint64_t)m->columns + 1, sizeof *work);
    if (!work) return KSDA_NOMEM;
    uint32_t j = m->columns - 1;
    double low = clip(m->lower[j]), high = clip(m->upper[j]);
    int start[2] = {0, (int)terms};
    lp->work = work, lp->repriced = true;
    Clp_addColumns(lp->clp, 1, &low, &high, m->cost + j, start, row, value);
    return KSDA_OK;
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
    const double *low = Clp_columnLower(lp->clp), *high = Clp_columnUpper(lp->clp);
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
        double least = least_product(reduced[j], unit * size[j], low[j], high[j]);
        sum += least, total += fabs(least);
    }
    sum -= DBL_EPSILON * ((double)m->rows + (double)m->columns + 2) * total;
    return isnan(sum) ? -INFINITY : sum;
}

/* Do the rows in the proportions of Clp's ray, of either sign, leave nothing for the columns? */
static bool surely_infeasible(ksda_i_lp *lp) {
    double *ray = Clp_infeasibilityRay(lp->clp);
    bool sure = false;
    for (int sign = 0; ray && sign < 2 && !sure; sign++) {
        for (uint32_t i = 0; sign && i < lp->m->rows; i++) ray[i] = -ray[i];
        sure = proved(lp, ray, false) > 0;
    }
    Clp_freeRay(lp->clp, ray);
    return sure;
}

/* Clp has stopped for good: what is it worth? */
static void conclude(ksda_i_lp *lp, ksda_i_lp_answer *out) {
    int state = Clp_status(lp->clp);
    lp->repriced = false;
    if (state == 1 && surely_infeasible(lp)) out->verdict = KSDA_I_NONE, out->bound = INFINITY;
    if (state != 0) return;
    out->verdict = KSDA_I_CHEAPEST;
    out->x = Clp_primalColumnSolution(lp->clp);
    out->dual = Clp_dualRowSolution(lp->clp);
    out->bound = proved(lp, out->dual, true);
    out->reduced = lp->work;
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
        Clp_setNumberIterations(lp->clp, 0);
        Clp_setMaximumIterations(lp->clp, slice_of(lp->m));
        if (lp->repriced)
            Clp_primal(lp->clp, 0);
        else
            Clp_dual(lp->clp, 0);
        ksda_i_work(ctx, ITERATION_UNITS * (uint64_t)Clp_numberIterations(lp->clp) * (lp->m->rows + lp->m->columns));
        if (Clp_status(lp->clp) != 3) break;
        status = ksda_i_interrupted(ctx);
        if (status < 0) return status;
        out->bound = proved(lp, Clp_dualRowSolution(lp->clp), true);
        if (out->bound > enough) return KSDA_OK;
        if (ksda_i_time_left(ctx) <= 0) return KSDA_LIMIT;
    }
    conclude(lp, out);
    return KSDA_OK;
}

#else

bool ksda_i_lp_available(void) {
    return false;
}
ksda_status ksda_i_lp_new(const ksda_i_model *m, ksda_i_lp **out) {
    *out = NULL;
    return ksda_i_error(m->ctx, KSDA_UNSUPPORTED,
                        "this build has no linear programming: install coinor-libcbc-dev and build again");
}
void ksda_i_lp_free(ksda_ctx *ctx, ksda_i_lp *lp) {
    (void)ctx, (void)lp;
}
void ksda_i_lp_bounds(ksda_i_lp *lp, uint32_t column, double lower, double upper) {
    (void)lp, (void)column, (void)lower, (void)upper;
}
void ksda_i_lp_cost(ksda_i_lp *lp, uint32_t column) {
    (void)lp, (void)column;
}
ksda_status ksda_i_lp_column(ksda_i_lp *lp, uint32_t terms, const int *row, const double *value) {
    (void)lp, (void)terms, (void)row, (void)value;
    return KSDA_UNSUPPORTED;
}
ksda_status ksda_i_lp_solve(ksda_i_lp *lp, double enough, ksda_i_lp_answer *out) {
    (void)lp, (void)enough, (void)out;
    return KSDA_UNSUPPORTED;
}

#endif
