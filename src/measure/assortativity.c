/* Degree assortativity: the Pearson correlation of the degrees at the two ends of an edge, every edge taken in both
 * directions. NaN where there is no edge or all ends have one degree. (Newman 2002, doi:10.1103/PhysRevLett.89.208701.)
 *
 * Sums run over vertices, not edges: a vertex of degree d is the end of d directed edges. Deviations from the mean are
 * summed, so nothing cancels. Time O(n + m). */
#include "measure/measure.h"

ksda_status ksda_i_pass_assortativity(ksda_i_measuring *m) {
    const ksda_graph *g = m->g;
    double ends = 2 * (double)g->m, mean = 0, variance = 0, covariance = 0;
    for (uint32_t v = 0; v < g->n; v++) mean += (double)ksda_i_degree(g, v) * ksda_i_degree(g, v);
    mean /= ends;
    for (uint32_t v = 0; v < g->n; v++) {
        double d = ksda_i_degree(g, v), across = 0;
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) across += ksda_i_degree(g, g->adj[e]) - mean;
        covariance += (d - mean) * across;
        variance += d * (d - mean) * (d - mean);
    }
    /* All ends of one degree: what rounding left of the variance is no variance. */
    bool constant = g->m == 0 || variance <= 1e-12 * ends * mean * mean;
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_ASSORTATIVITY], constant ? NAN : covariance / variance);
    return KSDA_OK;
}
