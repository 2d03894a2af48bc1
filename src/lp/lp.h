/* lp.h: linear relaxations of a model, solved again and again as rows are added and bounds change. */
#ifndef KSDA_I_LP_H
#define KSDA_I_LP_H

#include "lp/solver.h"

typedef struct ksda_i_lp ksda_i_lp;

/* By this solver, or KSDA_UNSUPPORTED where it is NULL or not built in. Borrows the model, which may grow rows
 * afterwards, and columns with ksda_i_lp_column(). KSDA_LIMIT, and no relaxation, where the model is not whole for want
 * of time. */
ksda_status ksda_i_lp_new(const ksda_i_solver *solver, const ksda_i_model *m, ksda_i_lp **out);
void ksda_i_lp_free(ksda_ctx *ctx, ksda_i_lp *lp);
/* The bounds of a column in the relaxation only; the model keeps its own. */
void ksda_i_lp_bounds(ksda_i_lp *lp, uint32_t column, double lower, double upper);

/* The cost of a column, which the caller has changed in the model. */
void ksda_i_lp_cost(ksda_i_lp *lp, uint32_t column);

/* Take over the model's newest column, with these terms in the rows there are. The model does not know of them, so
 * bounds of later answers do not hold, nor that there is no solution; rows added later may have the column as one of
 * their terms. */
ksda_status ksda_i_lp_column(ksda_i_lp *lp, uint32_t terms, const int *row, const double *value);

/* From here on it stops when the work of the context is over, too. */
void ksda_i_lp_within_work(ksda_i_lp *lp);

/* Of the verdicts KSDA_I_CHEAPEST says that the linear program is solved, KSDA_I_NONE that a combination of its rows
 * shows it to have no solution, and KSDA_I_STOPPED anything else: the time limit, the work, a bound that is enough,
 * numerical trouble. */
typedef struct ksda_i_lp_answer {
    ksda_i_verdict verdict;
    double bound;          /* holds whatever the rounding inside the solver: recomputed from the dual prices */
    const double *x;       /* [columns] borrowed until the next call; NULL unless solved */
    const double *reduced; /* [columns] reduced costs that go with the bound, likewise */
    const double *dual;    /* [rows] prices of the rows, likewise */
} ksda_i_lp_answer;
/* Take over new rows, then solve from where the last call ended. Stops early, with a valid bound, once the bound
 * exceeds `enough`. KSDA_LIMIT at the time limit, then only bound is set. */
ksda_status ksda_i_lp_solve(ksda_i_lp *lp, double enough, ksda_i_lp_answer *out);

#endif
