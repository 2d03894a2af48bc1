/* model.h: a mixed integer program as data, independent of who solves it. */
#ifndef KSDA_I_MODEL_H
#define KSDA_I_MODEL_H

#include "core/ctx.h"

#define KSDA_I_NO_COLUMN UINT32_MAX

/* What a search has come to. Only the last two are proofs, and an answer that was never filled in is none: who is
 * stopped by the clock, by a signal or for want of memory has proved nothing, whatever it says of itself. */
typedef enum ksda_i_verdict {
    KSDA_I_STOPPED = 0, /* neither a solution nor a proof */
    KSDA_I_FOUND,       /* a solution, which need not be the cheapest */
    KSDA_I_CHEAPEST,    /* a solution, proved to be the cheapest */
    KSDA_I_NONE         /* proved: there is no solution, or none within the cutoff that was asked for */
} ksda_i_verdict;

/* Minimize cost·x subject to row_lower <= Ax <= row_upper, lower <= x <= upper, some x integer. Infinite bounds are
 * INFINITY. Building never needs a check per call: the first failure stays in `status` and later calls do nothing. A
 * model that is `timed` stops growing when it is cancelled or at the time limit (KSDA_LIMIT) as well, and then nobody
 * solves or writes it. */
typedef struct ksda_i_model {
    ksda_ctx *ctx;
    ksda_status status;
    bool timed;
    uint64_t looked; /* at the clock, when it had so many columns, rows and terms */
    uint32_t columns, rows;
    double *lower, *upper, *cost; /* [columns] */
    unsigned char *integer;       /* [columns] */
    double offset;                /* added to the objective */
    uint64_t *row_start;          /* [rows + 1] into term_column and term_value */
    uint32_t *term_column;
    double *term_value;
    double *row_lower, *row_upper; /* [rows] */
    char *text;                    /* names, each terminated; columns and rows in order of creation */
    uint64_t *column_name, *row_name;
    uint64_t terms, text_size;
    uint64_t column_room[4], column_name_room, row_room[4], term_room[2], text_room;
} ksda_i_model;

void ksda_i_model_init(ksda_i_model *m, ksda_ctx *ctx);
void ksda_i_model_clear(ksda_i_model *m);

/* A new column, named by the format; KSDA_I_NO_COLUMN after a failure. */
uint32_t ksda_i_model_column(ksda_i_model *m, double lower, double upper, double cost, bool integer, const char *format,
                             ...) __attribute__((format(printf, 6, 7)));
/* Append value·column to the row under construction; KSDA_I_NO_COLUMN is skipped. Each column at most once per row. */
void ksda_i_model_term(ksda_i_model *m, uint32_t column, double value);
/* Close the row under construction. Rows may be added after a solve as well: that is how cuts get in. */
void ksda_i_model_row(ksda_i_model *m, double lower, double upper, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline const char *ksda_i_model_column_name(const ksda_i_model *m, uint32_t j) {
    return m->text + m->column_name[j];
}
static inline const char *ksda_i_model_row_name(const ksda_i_model *m, uint32_t i) {
    return m->text + m->row_name[i];
}

/* The objective of x, offset included. */
double ksda_i_model_objective(const ksda_i_model *m, const double *x);
/* The first row, bound or integrality that x violates by more than tolerance, as "row NAME: ..."; true when there is
 * none. */
bool ksda_i_model_check(const ksda_i_model *m, const double *x, double tolerance, char *reason, size_t capacity);

/* Write in CPLEX LP format, which CPLEX, Gurobi, HiGHS, SCIP, GLPK and CBC read. "-" is standard output. */
ksda_status ksda_i_model_write_lp(const ksda_i_model *m, const char *title, const char *path);

/* A column and its value in a solution; for ksda_i_sort_by(), the largest value first. */
typedef struct ksda_i_column_value {
    double value;
    uint32_t column;
} ksda_i_column_value;
int ksda_i_column_values_descending(const void *a, const void *b);

#endif
