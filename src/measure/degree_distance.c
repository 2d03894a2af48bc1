/* How far two distributions over 0, 1, 2, ... are apart: degrees of original and published vertices, and coreness.
 *
 * KS is the largest gap between the two cumulated frequencies; the earth mover's distance is the area between them,
 * that is the mean number of units a vertex must be moved. Time O(largest value). */
#include "measure/measure.h"

static double histogram_total(const ksda_histogram *h) {
    double sum = 0;
    for (uint32_t i = 0; i < h->size; i++) sum += h->count[i];
    return sum;
}

void ksda_i_histogram_distance(const ksda_histogram *a, const ksda_histogram *b, double *ks, double *emd) {
    double all_a = histogram_total(a), all_b = histogram_total(b), below_a = 0, below_b = 0;
    uint32_t size = a->size > b->size ? a->size : b->size;
    *ks = *emd = all_a > 0 && all_b > 0 ? 0 : NAN;
    for (uint32_t i = 0; i < size && *ks == *ks; i++) {
        if (i < a->size) below_a += a->count[i];
        if (i < b->size) below_b += b->count[i];
        double gap = fabs(below_a / all_a - below_b / all_b);
        if (gap > *ks) *ks = gap;
        *emd += gap;
    }
}

ksda_status ksda_i_pass_degree_distance(ksda_i_comparing *c) {
    double ks, emd;
    ksda_status status = KSDA_OK;
    if (!c->out->original->degrees.count) KSDA_I_TRY(ksda_i_pass_degrees(&c->before));
    if (!c->out->published->degrees.count) KSDA_I_TRY(ksda_i_pass_degrees(&c->after));
    ksda_i_histogram_distance(&c->out->original->degrees, &c->out->published->degrees, &ks, &emd);
    ksda_i_set_exact(&c->out->difference[KSDA_DIFFERENCE_DEGREE_KS], ks);
    ksda_i_set_exact(&c->out->difference[KSDA_DIFFERENCE_DEGREE_EMD], emd);
done:
    return status;
}

ksda_status ksda_i_pass_core_distance(ksda_i_comparing *c) {
    double ks, emd;
    ksda_status status = KSDA_OK;
    if (!c->out->original->cores.count) KSDA_I_TRY(ksda_i_pass_cores(&c->before));
    if (!c->out->published->cores.count) KSDA_I_TRY(ksda_i_pass_cores(&c->after));
    ksda_i_histogram_distance(&c->out->original->cores, &c->out->published->cores, &ks, &emd);
    ksda_i_set_exact(&c->out->difference[KSDA_DIFFERENCE_CORE_KS], ks);
done:
    return status;
}
