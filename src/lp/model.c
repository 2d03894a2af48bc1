/* A mixed integer program as growing arrays: columns with bounds, cost, integrality and a name, rows as sparse lists of
 * terms. The two integer programs of the paper and the level model of the fast method are built with it, and whatever
 * solves or writes one sees only this. Memory is linear in the number of terms. */
#include "lp/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ksda_i_model_init(ksda_i_model *m, ksda_ctx *ctx) {
    memset(m, 0, sizeof *m);
    m->ctx = ctx;
}

void ksda_i_model_clear(ksda_i_model *m) {
    ksda_ctx *ctx = m->ctx;
    if (!ctx) return;
    ksda_i_free(ctx, m->lower), ksda_i_free(ctx, m->upper), ksda_i_free(ctx, m->cost), ksda_i_free(ctx, m->integer);
    ksda_i_free(ctx, m->row_start), ksda_i_free(ctx, m->term_column), ksda_i_free(ctx, m->term_value);
    ksda_i_free(ctx, m->row_lower), ksda_i_free(ctx, m->row_upper);
    ksda_i_free(ctx, m->text), ksda_i_free(ctx, m->column_name), ksda_i_free(ctx, m->row_name);
    ksda_i_model_init(m, ctx);
}

static bool has_room(ksda_i_model *m, void *block, uint64_t *capacity, uint64_t need, size_t size) {
    if (m->status == KSDA_OK) m->status = ksda_i_reserve(m->ctx, block, capacity, need, size);
    return m->status == KSDA_OK;
}

#define MOST_COLUMNS 50000000u /* no solver gets anywhere with so many, and memory would run out */
#define STRIDE 256u            /* columns, rows and terms between two looks at the clock */

static void look_at_clock(ksda_i_model *m) {
    uint64_t size = m->columns + m->terms + m->rows;
    if (!m->timed || m->status != KSDA_OK || size < m->looked + STRIDE) return;
    m->looked = size;
    m->status = ksda_i_interrupted(m->ctx);
    if (m->status == KSDA_OK && ksda_i_time_left(m->ctx) <= 0) m->status = KSDA_LIMIT;
}

/* Store a formatted name; its place goes to *at. */
static bool store_name(ksda_i_model *m, const char *format, va_list arguments, uint64_t *at) {
    char name[128];
    int length = vsnprintf(name, sizeof name, format, arguments);
    size_t bytes = length < 0 ? 1 : (size_t)length < sizeof name ? (size_t)length + 1 : sizeof name;
    if (!has_room(m, &m->text, &m->text_room, m->text_size + bytes, 1)) return false;
    if (length < 0) name[0] = 0;
    memcpy(m->text + m->text_size, name, bytes);
    *at = m->text_size;
    m->text_size += bytes;
    return true;
}

uint32_t ksda_i_model_column(ksda_i_model *m, double lower, double upper, double cost, bool integer, const char *format,
                             ...) {
    va_list arguments;
    uint64_t at, need = (uint64_t)m->columns + 1;
    look_at_clock(m);
    if (m->status == KSDA_OK && m->columns >= MOST_COLUMNS)
        m->status = ksda_i_error(m->ctx, KSDA_UNSUPPORTED, "the integer program has more than %u columns", m->columns);
    va_start(arguments, format);
    bool ok = has_room(m, &m->lower, &m->column_room[0], need, sizeof *m->lower) &&
              has_room(m, &m->upper, &m->column_room[1], need, sizeof *m->upper) &&
              has_room(m, &m->cost, &m->column_room[2], need, sizeof *m->cost) &&
              has_room(m, &m->integer, &m->column_room[3], need, 1) &&
              has_room(m, &m->column_name, &m->column_name_room, need, sizeof *m->column_name) &&
              store_name(m, format, arguments, &at);
    va_end(arguments);
    if (!ok) return KSDA_I_NO_COLUMN;
    m->lower[m->columns] = lower, m->upper[m->columns] = upper, m->cost[m->columns] = cost;
    m->integer[m->columns] = integer, m->column_name[m->columns] = at;
    return m->columns++;
}

void ksda_i_model_term(ksda_i_model *m, uint32_t column, double value) {
    if (column == KSDA_I_NO_COLUMN) return;
    if (!has_room(m, &m->term_column, &m->term_room[0], m->terms + 1, sizeof *m->term_column)) return;
    if (!has_room(m, &m->term_value, &m->term_room[1], m->terms + 1, sizeof *m->term_value)) return;
    m->term_column[m->terms] = column, m->term_value[m->terms] = value;
    m->terms++;
}

void ksda_i_model_row(ksda_i_model *m, double lower, double upper, const char *format, ...) {
    va_list arguments;
    uint64_t at, need = (uint64_t)m->rows + 2;
    look_at_clock(m);
    va_start(arguments, format);
    bool ok = has_room(m, &m->row_start, &m->row_room[0], need, sizeof *m->row_start) &&
              has_room(m, &m->row_lower, &m->row_room[1], need, sizeof *m->row_lower) &&
              has_room(m, &m->row_upper, &m->row_room[2], need, sizeof *m->row_upper) &&
              has_room(m, &m->row_name, &m->row_room[3], need, sizeof *m->row_name) &&
              store_name(m, format, arguments, &at);
    va_end(arguments);
    if (!ok) return;
    m->row_start[0] = 0;
    m->row_lower[m->rows] = lower, m->row_upper[m->rows] = upper, m->row_name[m->rows] = at;
    m->row_start[++m->rows] = m->terms;
}

double ksda_i_model_objective(const ksda_i_model *m, const double *x) {
    double sum = m->offset;
    for (uint32_t j = 0; j < m->columns; j++) sum += m->cost[j] * x[j];
    return sum;
}

static bool check_columns(const ksda_i_model *m, const double *x, double tolerance, char *reason, size_t capacity) {
    for (uint32_t j = 0; j < m->columns; j++) {
        if (x[j] >= m->lower[j] - tolerance && x[j] <= m->upper[j] + tolerance &&
            !(m->integer[j] && fabs(x[j] - nearbyint(x[j])) > tolerance))
            continue;
        snprintf(reason, capacity, "column %s is %g, not %s%g .. %g", ksda_i_model_column_name(m, j), x[j],
                 m->integer[j] ? "an integer in " : "in ", m->lower[j], m->upper[j]);
        return false;
    }
    return true;
}

bool ksda_i_model_check(const ksda_i_model *m, const double *x, double tolerance, char *reason, size_t capacity) {
    if (!check_columns(m, x, tolerance, reason, capacity)) return false;
    for (uint32_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++) sum += m->term_value[p] * x[m->term_column[p]];
        if (sum >= m->row_lower[i] - tolerance && sum <= m->row_upper[i] + tolerance) continue;
        snprintf(reason, capacity, "row %s is %g, not in %g .. %g", ksda_i_model_row_name(m, i), sum, m->row_lower[i],
                 m->row_upper[i]);
        return false;
    }
    return true;
}

int ksda_i_column_values_descending(const void *a, const void *b) {
    const ksda_i_column_value *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}
