/* The row of GLPK, a second opinion. GLPK is under the GPL: it is off unless -DKSDA_WITH_GLPK=ON asks for it, for tests
 * and benchmarks, and never part of what is installed or shipped. GLPK ends the process when memory runs out: the
 * child's, where the caller allows processes. */
#include "lp/solver.h"

#ifdef KSDA_HAVE_GLPK

#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How GLPK calls bounds that are there or not. */
static int bound_kind(double lower, double upper) {
    if (isinf(lower)) return isinf(upper) ? GLP_FR : GLP_UP;
    return isinf(upper) ? GLP_LO : lower == upper ? GLP_FX : GLP_DB;
}

static void add_columns(glp_prob *p, const ksda_i_model *m, uint32_t begin) {
    if (begin == m->columns) return;
    glp_add_cols(p, (int)(m->columns - begin));
    for (uint32_t j = begin; j < m->columns; j++) {
        glp_set_col_bnds(p, (int)j + 1, bound_kind(m->lower[j], m->upper[j]), m->lower[j], m->upper[j]);
        glp_set_obj_coef(p, (int)j + 1, m->cost[j]);
    }
}

/* The model's rows from `begin` on; index and value have room for the longest one and one more. */
static void copy_rows(glp_prob *p, const ksda_i_model *m, uint32_t begin, int *index, double *value) {
    if (begin == m->rows) return;
    glp_add_rows(p, (int)(m->rows - begin));
    for (uint32_t i = begin; i < m->rows; i++) {
        int length = 0;
        for (uint64_t t = m->row_start[i]; t < m->row_start[i + 1]; t++)
            index[++length] = (int)m->term_column[t] + 1, value[length] = m->term_value[t];
        glp_set_row_bnds(p, (int)i + 1, bound_kind(m->row_lower[i], m->row_upper[i]), m->row_lower[i], m->row_upper[i]);
        glp_set_mat_row(p, (int)i + 1, length, index, value);
    }
}

/* --- integer programs, in the child ------------------------------------------------------------------------------- */

typedef struct integer_program {
    glp_prob *p;
    uint32_t columns;
    double bound; /* of what is left, when last looked */
    double *x;
} integer_program;

/* What is wanted costs at most the cutoff: one more row. */
static void add_cutoff(glp_prob *p, const ksda_i_model *m, double cutoff, int *index, double *value) {
    int row = glp_add_rows(p, 1), length = 0;
    for (uint32_t j = 0; j < m->columns; j++)
        if (m->cost[j] != 0) index[++length] = (int)j + 1, value[length] = m->cost[j];
    glp_set_row_bnds(p, row, GLP_UP, 0, cutoff - m->offset + 1e-3);
    glp_set_mat_row(p, row, length, index, value);
}

static void *load_integer(const ksda_i_model *m, const ksda_i_solve_options *options) {
    integer_program *q = calloc(1, sizeof *q);
    int *index = malloc(((size_t)m->columns + 1) * sizeof *index);
    double *value = malloc(((size_t)m->columns + 1) * sizeof *value);
    if (!q || !index || !value) _exit(3);
    glp_term_out(GLP_OFF);
    *q = (integer_program){.p = glp_create_prob(), .columns = m->columns, .bound = -INFINITY, .x = value};
    add_columns(q->p, m, 0);
    for (uint32_t j = 0; j < m->columns; j++)
        if (m->integer[j]) glp_set_col_kind(q->p, (int)j + 1, GLP_IV);
    copy_rows(q->p, m, 0, index, value);
    if (!isinf(options->cutoff)) add_cutoff(q->p, m, options->cutoff, index, value);
    free(index);
    return q;
}

/* Called all the time: note the bound and print both for the parent. */
static void report_bounds(glp_tree *tree, void *data) {
    integer_program *q = data;
    int best = glp_ios_best_node(tree);
    double bound = best ? glp_ios_node_bound(tree, best) : -INFINITY;
    if (!(bound > q->bound) || fabs(bound) > 1e40) return;
    q->bound = bound;
    double cost = glp_mip_status(glp_ios_get_prob(tree)) == GLP_FEAS ? glp_mip_obj_val(glp_ios_get_prob(tree)) : NAN;
    printf("bound %.17g cost %.17g\n", bound, cost);
}

static ksda_i_claim search(void *engine, double seconds) {
    integer_program *q = engine;
    glp_iocp how;
    glp_init_iocp(&how);
    how.msg_lev = GLP_MSG_OFF, how.presolve = GLP_ON, how.cb_func = report_bounds, how.cb_info = q;
    how.mir_cuts = GLP_ON; /* GLPK 5.0: an assertion fails in cover cuts, clique cuts free memory twice */
    if (seconds < INT_MAX / 1000) how.tm_lim = (int)(seconds * 1000);
    int end = glp_intopt(q->p, &how), state = glp_mip_status(q->p);
    bool complete = end == 0;
    return (ksda_i_claim){.has_solution = state == GLP_OPT || state == GLP_FEAS,
                          .infeasible = (complete && state == GLP_NOFEAS) || end == GLP_ENOPFS,
                          .optimal = complete && state == GLP_OPT,
                          .bound = q->bound};
}

static const double *solution(void *engine) {
    integer_program *q = engine;
    for (uint32_t j = 0; j < q->columns; j++) q->x[j] = glp_mip_col_val(q->p, (int)j + 1);
    return q->x;
}

static void read_line(const char *line, double *cost, double *bound) {
    sscanf(line, "bound %lf cost %lf", bound, cost);
}

static const ksda_i_mip_engine integer = {load_integer, search, solution, read_line};

/* --- linear programs ---------------------------------------------------------------------------------------------- */

typedef struct linear_program {
    ksda_ctx *ctx;
    glp_prob *p;
    double *x, *y; /* [columns], [rows] of the last call */
    uint64_t x_room, y_room;
} linear_program;

static void close_linear(void *engine) {
    linear_program *q = engine;
    glp_delete_prob(q->p);
    ksda_i_free(q->ctx, q->x), ksda_i_free(q->ctx, q->y);
    ksda_i_free(q->ctx, q);
}

static ksda_status open_linear(const ksda_i_model *m, void **out) {
    linear_program *q = ksda_i_calloc(m->ctx, 1, sizeof *q);
    if (!q) return KSDA_NOMEM;
    glp_term_out(GLP_OFF);
    q->ctx = m->ctx, q->p = glp_create_prob();
    ksda_status status = ksda_i_reserve(m->ctx, &q->x, &q->x_room, (uint64_t)m->columns + 1, sizeof *q->x);
    if (status >= 0) status = ksda_i_reserve(m->ctx, &q->y, &q->y_room, 1, sizeof *q->y);
    if (status >= 0)
        add_columns(q->p, m, 0), *out = q;
    else
        close_linear(q);
    return status;
}

static ksda_status add_rows(void *engine, const ksda_i_model *m, uint32_t begin) {
    linear_program *q = engine;
    int *index = ksda_i_malloc(m->ctx, (uint64_t)m->columns + 1, sizeof *index);
    double *value = ksda_i_malloc(m->ctx, (uint64_t)m->columns + 1, sizeof *value);
    ksda_status status = index && value ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) status = ksda_i_reserve(m->ctx, &q->y, &q->y_room, (uint64_t)m->rows + 1, sizeof *q->y);
    if (status >= 0) copy_rows(q->p, m, begin, index, value);
    ksda_i_free(m->ctx, index), ksda_i_free(m->ctx, value);
    return status;
}

static ksda_status add_column(void *engine, const ksda_i_model *m, uint32_t terms, const int *row,
                              const double *value) {
    linear_program *q = engine;
    int *index = ksda_i_malloc(m->ctx, (uint64_t)terms + 1, sizeof *index);
    ksda_status status = index ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) status = ksda_i_reserve(m->ctx, &q->x, &q->x_room, (uint64_t)m->columns + 1, sizeof *q->x);
    if (status >= 0) {
        for (uint32_t t = 0; t < terms; t++) index[t + 1] = row[t] + 1;
        add_columns(q->p, m, m->columns - 1);
        glp_set_mat_col(q->p, (int)m->columns, (int)terms, index, value - 1);
    }
    ksda_i_free(m->ctx, index);
    return status;
}

static void set_bounds(void *engine, uint32_t column, double lower, double upper) {
    glp_set_col_bnds(((linear_program *)engine)->p, (int)column + 1, bound_kind(lower, upper), lower, upper);
}

static void set_cost(void *engine, uint32_t column, double cost) {
    glp_set_obj_coef(((linear_program *)engine)->p, (int)column + 1, cost);
}

static ksda_i_lp_state run_simplex(void *engine, bool repriced, int pivots, uint64_t *done) {
    glp_prob *p = ((linear_program *)engine)->p;
    glp_smcp how;
    int before = glp_get_it_cnt(p);
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF, how.meth = repriced ? GLP_PRIMAL : GLP_DUALP, how.it_lim = pivots;
    int end = glp_simplex(p, &how);
    if (end == 0 && glp_get_status(p) == GLP_NOFEAS && glp_get_unbnd_ray(p) == 0) /* only the dual simplex has a ray */
        how.meth = GLP_DUAL, end = glp_simplex(p, &how);
    *done = (uint64_t)(glp_get_it_cnt(p) - before);
    if (end == GLP_EITLIM) return KSDA_I_LP_GOES_ON;
    if (end != 0) return KSDA_I_LP_TROUBLE;
    switch (glp_get_status(p)) {
    case GLP_OPT: return KSDA_I_LP_SOLVED;
    case GLP_NOFEAS: return KSDA_I_LP_INFEASIBLE;
    default: return KSDA_I_LP_TROUBLE;
    }
}

static const double *primal(void *engine) {
    linear_program *q = engine;
    for (int j = 1; j <= glp_get_num_cols(q->p); j++) q->x[j - 1] = glp_get_col_prim(q->p, j);
    return q->x;
}

static const double *dual_values(void *engine) {
    linear_program *q = engine;
    for (int i = 1; i <= glp_get_num_rows(q->p); i++) q->y[i - 1] = glp_get_row_dual(q->p, i);
    return q->y;
}

/* The row of the simplex table in which the dual simplex got stuck, as a combination of the rows: a basic variable
 * beyond its bounds, and nobody who could bring it back. */
static bool dual_ray(void *engine, double *out) {
    linear_program *q = engine;
    int rows = glp_get_num_rows(q->p), stuck = glp_get_unbnd_ray(q->p);
    if (stuck == 0 || (!glp_bf_exists(q->p) && glp_factorize(q->p) != 0)) return false;
    int place = stuck <= rows ? glp_get_row_bind(q->p, stuck) : glp_get_col_bind(q->p, stuck - rows);
    if (place == 0) return false; /* it is no basic variable: the primal simplex has found another kind of ray */
    for (int i = 0; i < rows; i++) out[i] = i + 1 == place;
    glp_btran(q->p, out - 1);
    return true;
}

static const ksda_i_lp_engine linear = {open_linear, close_linear, add_rows, add_column,  set_bounds,
                                        set_cost,    run_simplex,  primal,   dual_values, dual_ray};

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define VERSION TEXT(GLP_MAJOR_VERSION) "." TEXT(GLP_MINOR_VERSION)
#define ENGINES .mip = &integer, .lp = &linear
#else
#define VERSION NULL
#define ENGINES .mip = NULL, .lp = NULL
#endif

const ksda_i_solver ksda_i_solver_glpk = {
    KSDA_I_SOLVER_INFOS("glpk", "GLPK", VERSION),
    .title = "GLPK",
    .needs =
        "install libglpk-dev and build again with -DKSDA_WITH_GLPK=ON (not to be passed on: GLPK is under the GPL)",
    ENGINES,
};
