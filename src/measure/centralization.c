/* Freeman's betweenness centralization, and the mean of betweenness.
 *
 * BC = sum over v of (b_max - b(v)) / ((n - 1)^2 (n - 2) / 2): 1 for a star; NaN below three vertices. (Freeman 1978,
 * doi:10.1016/0378-8733(78)90021-7.)
 *
 * A path of length d has d - 1 inner vertices, so the sum of all betweenness is the sum of (distance - 1) over
 * connected pairs: the mean needs no betweenness at all, and where that is sampled it comes from the distances, which
 * are cheaper to have exactly. Only b_max is then uncertain. Its interval reaches from the lower end of the vertex that
 * looks largest to the highest upper end of any vertex; as the largest of many estimates is larger than the estimate of
 * the largest, the lower end is taken at the level shared by all vertices that could be the largest (Bonferroni). */
#include "measure/betweenness.h"
#include "measure/measure.h"
#include "measure/statistics.h"

enum {
    STANDARD_SAMPLES = 1024,
    GROUPS = 32
};

ksda_status ksda_betweenness(ksda_ctx *ctx, const ksda_graph *graph, double *out) {
    return ksda_i_betweenness(ctx, graph, 0, out, NULL, NULL);
}

static uint32_t choose_samples(const ksda_i_measuring *m) {
    const ksda_measure_options *o = m->options;
    double traversals = 2.0 * (double)m->g->n * (double)m->g->m;
    uint32_t wanted = o->betweenness_samples ? o->betweenness_samples : o->samples;
    if (o->exact || (!wanted && traversals <= (double)o->budget)) return 0;
    return wanted ? wanted : STANDARD_SAMPLES;
}

static void largest(const double *b, const double *spread, uint32_t n, ksda_value *out) {
    uint32_t best = 0, rivals = 0;
    double t = ksda_i_t_quantile(0.975, GROUPS - 1), high = 0;
    for (uint32_t v = 0; v < n; v++) {
        if (b[v] > b[best]) best = v;
        high = fmax(high, b[v] + t * spread[v]);
    }
    for (uint32_t v = 0; v < n; v++) rivals += b[v] + t * spread[v] >= b[best] - t * spread[best];
    double low = b[best] - ksda_i_t_quantile(1 - 0.025 / (rivals ? rivals : 1), GROUPS - 1) * spread[best];
    ksda_i_set_sampled(out, b[best], fmax(0, low), high);
}

/* The mean, with its interval, from that of the distance. */
static void mean_from_distance(const ksda_i_measuring *m, ksda_value *mean) {
    ksda_value aspl = m->out->value[KSDA_MEASURE_ASPL];
    double pairs = 0, n = m->g->n;
    for (uint32_t c = 0; c < m->components; c++) pairs += m->component_size[c] * (m->component_size[c] - 1.0) / 2;
    *mean = aspl;
    mean->value = pairs > 0 ? pairs * (aspl.value - 1) / n : 0;
    mean->low = pairs > 0 ? pairs * (aspl.low - 1) / n : 0;
    mean->high = pairs > 0 ? pairs * (aspl.high - 1) / n : 0;
}

static ksda_status set_sampled(ksda_i_measuring *m, const double *b, const double *spread) {
    double n = m->g->n, scale = (n - 1) * (n - 1) * (n - 2) / 2;
    ksda_value most, mean;
    ksda_status status = m->out->value[KSDA_MEASURE_ASPL].measured ? KSDA_OK : ksda_i_pass_distances(m);
    if (status >= 0) status = ksda_i_measuring_components(m);
    if (status < 0) return status;
    largest(b, spread, m->g->n, &most);
    mean_from_distance(m, &mean);
    m->out->value[KSDA_MEASURE_BETWEENNESS_MEAN] = mean;
    ksda_i_set_sampled(&m->out->value[KSDA_MEASURE_BETWEENNESS_CENTRALIZATION], n * (most.value - mean.value) / scale,
                       fmax(0, n * (most.low - mean.high) / scale), n * (most.high - mean.low) / scale);
    return KSDA_OK;
}

static void set_exact(ksda_i_measuring *m, const double *b) {
    double n = m->g->n, sum = 0, most = 0;
    for (uint32_t v = 0; v < m->g->n; v++) {
        sum += b[v];
        most = b[v] > most ? b[v] : most;
    }
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_BETWEENNESS_CENTRALIZATION],
                     n > 2 ? (n * most - sum) / ((n - 1) * (n - 1) * (n - 2) / 2) : NAN);
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_BETWEENNESS_MEAN], n > 0 ? sum / n : NAN);
}

ksda_status ksda_i_pass_betweenness(ksda_i_measuring *m) {
    uint32_t n = m->g->n, samples = choose_samples(m);
    ksda_status status = KSDA_OK;
    double *b = ksda_i_malloc(m->ctx, n, sizeof *b), *spread = ksda_i_malloc(m->ctx, n, sizeof *spread);
    if (!b || !spread) KSDA_I_TRY(KSDA_NOMEM);
    KSDA_I_TRY(ksda_i_betweenness(m->ctx, m->g, samples, b, spread, &m->out->betweenness_samples));
    if (m->out->betweenness_samples)
        status = set_sampled(m, b, spread);
    else
        set_exact(m, b);
done:
    ksda_i_free(m->ctx, b);
    ksda_i_free(m->ctx, spread);
    return status;
}
