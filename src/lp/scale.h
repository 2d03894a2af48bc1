/* scale.h: a model with rows and columns multiplied by powers of two, so that its entries are of similar size. */
#ifndef KSDA_I_SCALE_H
#define KSDA_I_SCALE_H

#include "lp/model.h"

/* x = column x', and prices y = row y': entries, bounds and costs are exact, and so is the way back. */
typedef struct ksda_i_scaled {
    ksda_i_model model;   /* what a solver sees: all columns, and the rows handed over so far; nothing is integer */
    double *column, *row; /* [columns], [rows] powers of two */
    uint64_t column_room, row_room;
} ksda_i_scaled;

/* The columns of m, by scales that suit the rows it has by now. */
ksda_status ksda_i_scaled_make(const ksda_i_model *m, ksda_i_scaled *out);
void ksda_i_scaled_clear(ksda_i_scaled *s);
/* The rows of m that are not there yet. */
ksda_status ksda_i_scaled_rows(ksda_i_scaled *s, const ksda_i_model *m);
/* The newest column of m, whose terms in the rows there are go to *scaled, [terms], freed with ksda_i_free(). */
ksda_status ksda_i_scaled_column(ksda_i_scaled *s, const ksda_i_model *m, uint32_t terms, const int *row,
                                 const double *value, double **scaled);

#endif
