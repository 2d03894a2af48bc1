/* Scaling by powers of two, which is exact.
 *
 * Simplex codes look for small numbers, and take entries of very different sizes badly. Each row, then each column, is
 * divided by the geometric mean of its smallest and its largest entry, a few times over, and at last every column by
 * its largest. Rows and columns that come later are scaled by what they meet. The solvers' own scaling is off: Clp's
 * can end the process, and it would have to be undone where prices are read. */
#include "lp/scale.h"

#include <limits.h>
#include <math.h>

#define PASSES 4u
#define MOST 20 /* of the exponents of a scale */

/* Exponents of the smallest and the largest entry. */
typedef struct span {
    int least, most;
} span;

static const span nothing = {INT_MAX, INT_MIN};

static void widen_span(span *s, double value, int by) {
    int exponent;
    if (value == 0) return;
    frexp(value, &exponent);
    exponent += by;
    if (exponent < s->least) s->least = exponent;
    if (exponent > s->most) s->most = exponent;
}

/* What brings the middle to one half or one. */
static int middle(span s) {
    if (s.most < s.least) return 0;
    int sum = s.least + s.most, scale = -(sum >= 0 ? sum / 2 : -((1 - sum) / 2));
    return scale > MOST ? MOST : scale < -MOST ? -MOST : scale;
}

/* One pass over the rows and one over the columns. */
static void scale_once(const ksda_i_model *m, int *row, int *column, span *of_column) {
    for (uint32_t j = 0; j < m->columns; j++) of_column[j] = nothing;
    for (uint32_t i = 0; i < m->rows; i++) {
        span s = nothing;
        for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++)
            widen_span(&s, m->term_value[p], column[m->term_column[p]]);
        row[i] = middle(s);
        for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++)
            widen_span(of_column + m->term_column[p], m->term_value[p], row[i]);
    }
    for (uint32_t j = 0; j < m->columns; j++) column[j] = middle(of_column[j]);
}

static double power_of_two(int exponent) {
    return ldexp(1, exponent);
}

/* The columns' scales, from the rows there are; those of the rows follow when they are handed over. */
static ksda_status choose(const ksda_i_model *m, int *row, int *column, double *out) {
    span *of_column = ksda_i_malloc(m->ctx, (uint64_t)m->columns + 1, sizeof *of_column);
    if (!of_column) return KSDA_NOMEM;
    for (uint32_t i = 0; i < PASSES; i++) scale_once(m, row, column, of_column);
    for (uint32_t j = 0; j < m->columns; j++) out[j] = power_of_two(column[j]);
    ksda_i_free(m->ctx, of_column);
    return KSDA_OK;
}

static ksda_status add_column(ksda_i_scaled *s, const ksda_i_model *m, uint32_t j) {
    double by = s->column[j];
    ksda_i_model_column(&s->model, m->lower[j] / by, m->upper[j] / by, m->cost[j] * by, false, "%s", "");
    return s->model.status;
}

ksda_status ksda_i_scaled_make(const ksda_i_model *m, ksda_i_scaled *out) {
    int *row = ksda_i_calloc(m->ctx, (uint64_t)m->rows + 1, sizeof *row);
    int *column = ksda_i_calloc(m->ctx, (uint64_t)m->columns + 1, sizeof *column);
    *out = (ksda_i_scaled){.row = NULL};
    ksda_i_model_init(&out->model, m->ctx);
    ksda_status status = row && column ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0)
        status = ksda_i_reserve(m->ctx, &out->column, &out->column_room, (uint64_t)m->columns + 1, sizeof *out->column);
    if (status >= 0) status = choose(m, row, column, out->column);
    for (uint32_t j = 0; j < m->columns && status >= 0; j++) status = add_column(out, m, j);
    ksda_i_free(m->ctx, row), ksda_i_free(m->ctx, column);
    if (status < 0) ksda_i_scaled_clear(out);
    return status;
}

void ksda_i_scaled_clear(ksda_i_scaled *s) {
    ksda_ctx *ctx = s->model.ctx;
    if (!ctx) return;
    ksda_i_free(ctx, s->column), ksda_i_free(ctx, s->row);
    ksda_i_model_clear(&s->model);
    *s = (ksda_i_scaled){.row = NULL};
}

static ksda_status add_row(ksda_i_scaled *s, const ksda_i_model *m, uint32_t i) {
    span of_row = nothing;
    for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++)
        widen_span(&of_row, m->term_value[p] * s->column[m->term_column[p]], 0);
    double by = s->row[i] = power_of_two(middle(of_row));
    for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++)
        ksda_i_model_term(&s->model, m->term_column[p], m->term_value[p] * by * s->column[m->term_column[p]]);
    ksda_i_model_row(&s->model, m->row_lower[i] * by, m->row_upper[i] * by, "%s", "");
    return s->model.status;
}

ksda_status ksda_i_scaled_rows(ksda_i_scaled *s, const ksda_i_model *m) {
    ksda_status status = ksda_i_reserve(m->ctx, &s->row, &s->row_room, (uint64_t)m->rows + 1, sizeof *s->row);
    for (uint32_t i = s->model.rows; i < m->rows && status >= 0; i++) status = add_row(s, m, i);
    return status;
}

ksda_status ksda_i_scaled_column(ksda_i_scaled *s, const ksda_i_model *m, uint32_t terms, const int *row,
                                 const double *value, double **scaled) {
    uint32_t j = m->columns - 1;
    span of_column = nothing;
    ksda_status status =
        ksda_i_reserve(m->ctx, &s->column, &s->column_room, (uint64_t)m->columns + 1, sizeof *s->column);
    *scaled = status < 0 ? NULL : ksda_i_malloc(m->ctx, (uint64_t)terms + 1, sizeof **scaled);
    if (!*scaled) return KSDA_NOMEM;
    for (uint32_t t = 0; t < terms; t++) widen_span(&of_column, value[t] * s->row[row[t]], 0);
    s->column[j] = power_of_two(middle(of_column));
    for (uint32_t t = 0; t < terms; t++) (*scaled)[t] = value[t] * s->row[row[t]] * s->column[j];
    return add_column(s, m, j);
}
