/* Eigenvector centrality correlation: Pearson, over people, of centrality in the original and in the release, where the
 * centralities of a person's substitutes are summed. NaN where one of the two does not vary. Time: two eigenvectors. */
#include "measure/measure.h"

static double pearson(const double *x, const double *y, uint32_t n) {
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, scale_x = 0, scale_y = 0;
    for (uint32_t v = 0; v < n; v++) {
        mean_x += x[v] / n, mean_y += y[v] / n;
        scale_x = fmax(scale_x, fabs(x[v])), scale_y = fmax(scale_y, fabs(y[v]));
    }
    for (uint32_t v = 0; v < n; v++) {
        double dx = x[v] - mean_x, dy = y[v] - mean_y;
        xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
    /* what an iteration to 1e-10 leaves of a constant does not vary */
    if (xx <= 1e-18 * n * scale_x * scale_x || yy <= 1e-18 * n * scale_y * scale_y) return NAN;
    return xy / sqrt(xx) / sqrt(yy);
}

ksda_status ksda_i_pass_correlation(ksda_i_comparing *c) {
    ksda_status status = KSDA_OK;
    double *people = NULL;
    if (!c->before.eigen) KSDA_I_TRY(ksda_i_pass_eigenvector(&c->before));
    if (!c->after.eigen) KSDA_I_TRY(ksda_i_pass_eigenvector(&c->after));
    people = ksda_i_calloc(c->ctx, c->original->n, sizeof *people);
    if (!people) KSDA_I_TRY(KSDA_NOMEM);
    for (uint32_t p = 0; p < c->published->n; p++) people[c->owner[p]] += c->after.eigen[p];
    ksda_value *value = &c->out->difference[KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION];
    ksda_i_set_exact(value, pearson(c->before.eigen, people, c->original->n));
    value->exact = c->out->original->value[KSDA_MEASURE_SPECTRAL_RADIUS].exact &&
                   c->out->published->value[KSDA_MEASURE_SPECTRAL_RADIUS].exact;
done:
    ksda_i_free(c->ctx, people);
    return status;
}
