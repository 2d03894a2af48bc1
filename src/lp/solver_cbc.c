/* The row of CBC: integer programs by CBC through its C interface, linear ones by Clp, the simplex code under it. */
#include "lp/solver.h"

#ifdef KSDA_HAVE_CBC

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double clip_infinity(double bound) { /* infinity is any number beyond 1e30 */
    return isinf(bound) ? (bound < 0 ? -1e50 : 1e50) : bound;
}

/* --- integer programs, in the child ------------------------------------------------------------------------------- */

/* Column-wise copies of the rows, as CBC wants them; plain malloc, since the child exits anyway. */
static Cbc_Model *copy_by_columns(const ksda_i_model *m) {
    int *start = calloc((size_t)m->columns + 2, sizeof *start);
    int *index = malloc((m->terms + 1) * sizeof *index);
    double *value = malloc((m->terms + 1) * sizeof *value);
    double *lower = malloc((m->columns + 1) * sizeof *lower), *upper = malloc((m->columns + 1) * sizeof *upper);
    double *low = malloc((m->rows + 1) * sizeof *low), *high = malloc((m->rows + 1) * sizeof *high);
    if (!start || !index || !value || !lower || !upper || !low || !high) _exit(3);
    for (uint64_t p = 0; p < m->terms; p++) start[m->term_column[p] + 2]++;
    for (uint32_t j = 1; j <= m->columns; j++) start[j + 1] += start[j];
    for (uint32_t i = 0; i < m->rows; i++) {
        for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++) {
            int at = start[m->term_column[p] + 1]++;
            index[at] = (int)i, value[at] = m->term_value[p];
        }
        low[i] = clip_infinity(m->row_lower[i]), high[i] = clip_infinity(m->row_upper[i]);
    }
    for (uint32_t j = 0; j < m->columns; j++)
        lower[j] = clip_infinity(m->lower[j]), upper[j] = clip_infinity(m->upper[j]);
    Cbc_Model *model = Cbc_newModel();
    Cbc_loadProblem(model, (int)m->columns, (int)m->rows, start, index, value, lower, upper, m->cost, low, high);
    for (uint32_t j = 0; j < m->columns; j++)
        if (m->integer[j]) Cbc_setInteger(model, (int)j);
    return model;
}

static void *load_integer(const ksda_i_model *m, const ksda_i_solve_options *options) {
    Cbc_Model *model = copy_by_columns(m);
    Cbc_setParameter(model, "timeMode", "elapsed");
    if (!isinf(options->cutoff)) {
        char text[40];
        snprintf(text, sizeof text, "%.17g", options->cutoff - m->offset + 1e-3);
        Cbc_setParameter(model, "cutoff", text);
    }
    Cbc_setAllowableGap(model, 0);
    Cbc_setAllowableFractionGap(model, 0);
    Cbc_setLogLevel(model, 1);
    return model;
}

static ksda_i_claim search(void *model, double seconds) {
    if (!isinf(seconds)) Cbc_setMaximumSeconds(model, seconds);
    Cbc_solve(model);
    bool complete = Cbc_status(model) == 0;
    return (ksda_i_claim){.has_solution = Cbc_bestSolution(model) != NULL,
                          .infeasible = complete && Cbc_isProvenInfeasible(model),
                          .optimal = complete && Cbc_isProvenOptimal(model),
                          .bound = Cbc_getBestPossibleObjValue(model)};
}

static const double *solution(void *model) {
    return Cbc_bestSolution(model);
}

static void read_line(const char *line, double *cost, double *bound) {
    double value;
    const char *p = strstr(line, "best solution, best possible ");
    if (p && sscanf(p, "best solution, best possible %lf", &value) == 1) {
        *bound = value;
        p = strstr(line, "on tree, ");
        if (p && sscanf(p, "on tree, %lf", &value) == 1) *cost = value;
    } else if (sscanf(line, "Continuous objective value is %lf", &value) == 1) {
        *bound = value;
    }
}

static const ksda_i_mip_engine integer = {load_integer, search, solution, read_line};

/* --- linear programs ---------------------------------------------------------------------------------------------- */

static ksda_status open_linear(const ksda_i_model *m, void **out) {
    int *start = ksda_i_calloc(m->ctx, (uint64_t)m->columns + 1, sizeof *start);
    if (!start) return KSDA_NOMEM;
    Clp_Simplex *clp = Clp_newModel();
    Clp_setLogLevel(clp, 0);
    /* The program is scaled (scale.c); with each kind of its own scaling Clp 1.17 can fail an assertion on ordinary
     * programs, which ends the process. */
    Clp_scaling(clp, 0);
    Clp_loadProblem(clp, (int)m->columns, 0, start, NULL, NULL, m->lower, m->upper, m->cost, NULL, NULL);
    ksda_i_free(m->ctx, start);
    *out = clp;
    return KSDA_OK;
}

static void close_linear(void *clp) {
    Clp_deleteModel(clp);
}

static ksda_status add_rows(void *clp, const ksda_i_model *m, uint32_t begin) {
    uint32_t count = m->rows - begin;
    uint64_t first = m->row_start[begin], terms = m->row_start[m->rows] - first;
    double *low = ksda_i_malloc(m->ctx, 2 * (uint64_t)count, sizeof *low);
    int *start = ksda_i_malloc(m->ctx, (uint64_t)count + 1 + terms, sizeof *start), *column = start + count + 1;
    if (low && start) {
        for (uint32_t i = 0; i < count; i++) {
            low[i] = clip_infinity(m->row_lower[begin + i]), low[count + i] = clip_infinity(m->row_upper[begin + i]);
            start[i] = (int)(m->row_start[begin + i] - first);
        }
        start[count] = (int)terms;
        for (uint64_t p = 0; p < terms; p++) column[p] = (int)m->term_column[first + p];
        Clp_addRows(clp, (int)count, low, low + count, start, column, m->term_value + first);
    }
    ksda_status status = low && start ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(m->ctx, low), ksda_i_free(m->ctx, start);
    return status;
}

static ksda_status add_column(void *clp, const ksda_i_model *m, uint32_t terms, const int *row, const double *value) {
    uint32_t j = m->columns - 1;
    double low = clip_infinity(m->lower[j]), high = clip_infinity(m->upper[j]);
    int start[2] = {0, (int)terms};
    Clp_addColumns(clp, 1, &low, &high, m->cost + j, start, row, value);
    return KSDA_OK;
}

static void set_bounds(void *clp, uint32_t column, double lower, double upper) {
    Clp_columnLower(clp)[column] = lower;
    Clp_columnUpper(clp)[column] = upper;
}

static void set_cost(void *clp, uint32_t column, double cost) {
    Clp_objective(clp)[column] = cost;
}

static ksda_i_lp_state run_simplex(void *clp, bool repriced, int pivots, uint64_t *done) {
    Clp_setNumberIterations(clp, 0);
    Clp_setMaximumIterations(clp, pivots);
    if (repriced)
        Clp_primal(clp, 0);
    else
        Clp_dual(clp, 0);
    *done = (uint64_t)Clp_numberIterations(clp);
    switch (Clp_status(clp)) {
    case 0: return KSDA_I_LP_SOLVED;
    case 1: return KSDA_I_LP_INFEASIBLE;
    case 3: return KSDA_I_LP_GOES_ON;
    default: return KSDA_I_LP_TROUBLE;
    }
}

static const double *primal(void *clp) {
    return Clp_primalColumnSolution(clp);
}

static const double *dual_values(void *clp) {
    return Clp_dualRowSolution(clp);
}

static bool dual_ray(void *clp, double *out) {
    double *found = Clp_infeasibilityRay(clp);
    bool any = found != NULL;
    if (any) memcpy(out, found, (size_t)Clp_numberRows(clp) * sizeof *out);
    Clp_freeRay(clp, found);
    return any;
}

static const ksda_i_lp_engine linear = {open_linear, close_linear, add_rows, add_column,  set_bounds,
                                        set_cost,    run_simplex,  primal,   dual_values, dual_ray};

#define ENGINES .mip = &integer, .lp = &linear
#else
#define KSDA_CBC_VERSION NULL
#define ENGINES .mip = NULL, .lp = NULL
#endif

const ksda_i_solver ksda_i_solver_cbc = {
    KSDA_I_SOLVER_INFOS("cbc", "CBC and Clp of COIN-OR", KSDA_CBC_VERSION),
    .title = "CBC",
    .needs = "install coinor-libcbc-dev and build again",
    ENGINES,
};
