/* assignment.h: the best one-to-one matching of two sets, where only some pairs have a profit. */
#ifndef KSDA_I_ASSIGNMENT_H
#define KSDA_I_ASSIGNMENT_H

#include "core/ctx.h"

/* Rows 0 .. rows-1, each with columns column[start[r]] .. column[start[r + 1] - 1] and their profit > 0. Any row or
 * column may stay alone. *best is the largest total profit of a matching. */
ksda_status ksda_i_assignment(ksda_ctx *ctx, uint32_t rows, uint32_t columns, const uint64_t *start,
                              const uint32_t *column, const double *profit, double *best);

#endif
