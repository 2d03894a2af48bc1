/* Degrees: frequencies, mean, largest, and Freeman's degree centralization.
 *
 * DC = sum over v of (d_max - d(v)) / ((n - 1)(n - 2)): 1 for a star, 0 where all degrees are equal; NaN below three
 * vertices. (Freeman, "Centrality in social networks", 1978, doi:10.1016/0378-8733(78)90021-7.) Time O(n). */
#include "measure/measure.h"

static uint32_t largest_degree(const ksda_graph *g) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > most) most = ksda_i_degree(g, v);
    return most;
}

ksda_status ksda_i_pass_degrees(ksda_i_measuring *m) {
    const ksda_graph *g = m->g;
    ksda_value *value = m->out->value;
    uint32_t most = largest_degree(g);
    double n = g->n, ends = 2 * (double)g->m;
    ksda_status status = ksda_i_histogram_new(m->ctx, &m->out->degrees, g->n ? (uint64_t)most + 1 : 0);
    if (status < 0) return status;
    for (uint32_t v = 0; v < g->n; v++) m->out->degrees.count[ksda_i_degree(g, v)] += 1;
    ksda_i_set_exact(&value[KSDA_MEASURE_DEGREE_CENTRALIZATION], n > 2 ? (n * most - ends) / ((n - 1) * (n - 2)) : NAN);
    ksda_i_set_exact(&value[KSDA_MEASURE_MEAN_DEGREE], n > 0 ? ends / n : NAN);
    ksda_i_set_exact(&value[KSDA_MEASURE_MAX_DEGREE], n > 0 ? most : NAN);
    return KSDA_OK;
}
