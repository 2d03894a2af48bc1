/* Quantiles for confidence intervals, and sampling without replacement. */
#include "measure/statistics.h"

#include <math.h>

/* Newton's method on the distribution function, which the C library has as erfc(); the start is good to some 0.3. */
double ksda_i_normal_quantile(double p) {
    double tail = p < 0.5 ? p : 1 - p, x = -sqrt(-2 * log(2 * tail) + 1e-300) * 0.9;
    for (int i = 0; i < 60; i++) {
        double error = 0.5 * erfc(-x * M_SQRT1_2) - tail, density = exp(-0.5 * x * x) * 0.3989422804014327;
        double step = error / density;
        if (step > 1) step = 1;
        if (step < -1) step = -1;
        x -= step;
        if (fabs(step) < 1e-12) break;
    }
    return p < 0.5 ? x : -x;
}

/* Cornish-Fisher expansion around the normal quantile (Abramowitz & Stegun 26.7.5). */
double ksda_i_t_quantile(double p, double freedom) {
    double x = ksda_i_normal_quantile(p), y = x * x, f = freedom;
    return x + x * (y + 1) / (4 * f) + x * ((5 * y + 16) * y + 3) / (96 * f * f) +
           x * (((3 * y + 19) * y + 17) * y - 15) / (384 * f * f * f);
}

/* Selection sampling: number i is taken with probability (still wanted) / (still to come). */
void ksda_i_sample(ksda_i_rng *r, uint32_t n, uint32_t count, uint32_t *out) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < n && taken < count; i++)
        if (ksda_i_rng_below(r, n - i) < count - taken) out[taken++] = i;
}
