/* statistics.h: quantiles, and samples without replacement. */
#ifndef KSDA_I_STATISTICS_H
#define KSDA_I_STATISTICS_H

#include "core/random.h"

double ksda_i_normal_quantile(double p);            /* 0 < p < 1; absolute error below 1e-8 */
double ksda_i_t_quantile(double p, double freedom); /* Student's; freedom >= 3 */
/* count of the numbers 0 .. n-1, ascending, all sets equally likely. */
void ksda_i_sample(ksda_i_rng *r, uint32_t n, uint32_t count, uint32_t *out);

#endif
