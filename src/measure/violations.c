/* Violations: vertices whose degree occurs in fewer than k communities, and the largest k that holds; where people are
 * in several, whose degree has no k vertices in pairwise disjoint sets. The counting is that of ksda_diversity_check();
 * k = 0 asks only for the latter. Time O(n). */
#include "measure/measure.h"

#include <ksda/privacy.h>

ksda_status ksda_i_pass_violations(ksda_i_measuring *m) {
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    uint32_t k = m->options->k;
    if (!m->communities || m->communities->count == 0) return KSDA_OK;
    ksda_status status = ksda_diversity_check(m->ctx, m->g, m->communities, k ? k : 1, &d);
    if (status < 0) return status;
    if (k) ksda_i_set_exact(&m->out->value[KSDA_MEASURE_VIOLATIONS], d.violating_vertices);
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_LARGEST_K], d.largest_k);
    ksda_diversity_clear(m->ctx, &d);
    return KSDA_OK;
}
