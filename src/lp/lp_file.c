/* Writing a mixed integer program in CPLEX LP format: the one text format that CPLEX, Gurobi, HiGHS, SCIP, GLPK and CBC
 * all read. Ranged rows are written as two rows, since not every reader knows ranges; lines stay below 255 characters,
 * which is CPLEX's classic limit and GLPK's. */
#include "lp/model.h"
#include "io/output.h"

#include <math.h>
#include <stdio.h>

#define LINE 200 /* start a new line beyond this many characters */

typedef struct writer {
    const ksda_i_model *m;
    ksda_i_output *out;
    size_t line; /* characters on the current line */
} writer;

static void write_term(writer *w, double value, uint32_t column, bool first) {
    char text[192];
    const char *sign = value < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    double size = fabs(value);
    int n = size == 1 ? snprintf(text, sizeof text, "%s%s", sign, ksda_i_model_column_name(w->m, column))
                      : snprintf(text, sizeof text, "%s%.15g %s", sign, size, ksda_i_model_column_name(w->m, column));
    if (w->line + (size_t)n > LINE) {
        ksda_i_output_text(w->out, "\n ");
        w->line = 1;
    }
    ksda_i_output_text(w->out, text);
    w->line += (size_t)n;
}

static void objective(writer *w) {
    const ksda_i_model *m = w->m;
    bool first = true;
    ksda_i_output_text(w->out, "Minimize\n cost: ");
    w->line = 7;
    for (uint32_t j = 0; j < m->columns; j++) {
        if (m->cost[j] == 0) continue;
        write_term(w, m->cost[j], j, first);
        first = false;
    }
    if (m->columns > 0 && first) ksda_i_output_format(w->out, "0 %s", ksda_i_model_column_name(m, 0));
    if (m->offset != 0)
        ksda_i_output_format(w->out, "%s%.15g the_constant", m->offset < 0 ? " - " : " + ", fabs(m->offset));
    ksda_i_output_text(w->out, "\n");
}

static void write_row(writer *w, uint32_t i, const char *suffix, const char *relation, double right) {
    const ksda_i_model *m = w->m;
    ksda_i_output_format(w->out, " %s%s: ", ksda_i_model_row_name(m, i), suffix);
    w->line = strlen(ksda_i_model_row_name(m, i)) + strlen(suffix) + 3;
    for (uint64_t p = m->row_start[i]; p < m->row_start[i + 1]; p++)
        write_term(w, m->term_value[p], m->term_column[p], p == m->row_start[i]);
    if (m->row_start[i] == m->row_start[i + 1]) ksda_i_output_format(w->out, "0 %s", ksda_i_model_column_name(m, 0));
    ksda_i_output_format(w->out, " %s %.15g\n", relation, right);
}

static void write_rows(writer *w) {
    const ksda_i_model *m = w->m;
    ksda_i_output_text(w->out, "Subject To\n");
    for (uint32_t i = 0; i < m->rows; i++) {
        double low = m->row_lower[i], high = m->row_upper[i];
        if (low == high) {
            write_row(w, i, "", "=", low);
        } else {
            if (!isinf(low)) write_row(w, i, isinf(high) ? "" : "_l", ">=", low);
            if (!isinf(high)) write_row(w, i, isinf(low) ? "" : "_u", "<=", high);
        }
    }
}

static void bounds(writer *w) {
    const ksda_i_model *m = w->m;
    ksda_i_output_text(w->out, "Bounds\n");
    if (m->offset != 0) ksda_i_output_text(w->out, " the_constant = 1\n");
    for (uint32_t j = 0; j < m->columns; j++) {
        const char *name = ksda_i_model_column_name(m, j);
        double low = m->lower[j], high = m->upper[j];
        if (low == high)
            ksda_i_output_format(w->out, " %s = %.15g\n", name, low);
        else if (isinf(low) && isinf(high))
            ksda_i_output_format(w->out, " %s free\n", name);
        else if (isinf(high)) {
            if (low != 0) ksda_i_output_format(w->out, " %s >= %.15g\n", name, low);
        } else if (isinf(low))
            ksda_i_output_format(w->out, " -inf <= %s <= %.15g\n", name, high);
        else
            ksda_i_output_format(w->out, " %.15g <= %s <= %.15g\n", low, name, high);
    }
}

static void integers(writer *w) {
    const ksda_i_model *m = w->m;
    ksda_i_output_text(w->out, "Generals\n");
    w->line = 0;
    for (uint32_t j = 0; j < m->columns; j++) {
        if (!m->integer[j]) continue;
        const char *name = ksda_i_model_column_name(m, j);
        if (w->line + strlen(name) > LINE) {
            ksda_i_output_text(w->out, "\n");
            w->line = 0;
        }
        ksda_i_output_format(w->out, " %s", name);
        w->line += strlen(name) + 1;
    }
    ksda_i_output_text(w->out, "\nEnd\n");
}

ksda_status ksda_i_model_write_lp(const ksda_i_model *m, const char *title, const char *path) {
    writer w = {m, NULL, 0};
    ksda_status status = m->status;
    if (status == KSDA_LIMIT)
        return ksda_i_error(m->ctx, KSDA_NOT_FOUND,
                            "the time limit came before the integer program was whole; nothing was written");
    if (status < 0) return status;
    KSDA_I_TRY(ksda_i_output_open(m->ctx, path, true, &w.out));
    ksda_i_output_format(w.out, "\\ %s\n\\ %u columns, %u rows\n", title, m->columns, m->rows);
    objective(&w);
    write_rows(&w);
    bounds(&w);
    integers(&w);
    status = ksda_i_output_commit(w.out);
done:
    return status;
}
