/* Coreness: the largest k such that v lies in a subgraph where every degree is at least k. The k-core profile is how
 * many vertices have each coreness; degeneracy is the largest. Peeling in order of degree with a bucket queue: time O(n
 * + m), memory 16 bytes a vertex. (Batagelj & Zaversnik 2003, arXiv:cs/0310049.) */
#include "measure/measure.h"

typedef struct peeling {
    uint32_t *start; /* [largest degree + 2] where each degree begins in order */
    uint32_t *order; /* [n] by current degree */
    uint32_t *place; /* [n] */
} peeling;

static ksda_status peeling_new(ksda_ctx *ctx, const ksda_graph *g, const uint32_t *degree, peeling *p) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < g->n; v++) most = degree[v] > most ? degree[v] : most;
    p->start = ksda_i_calloc(ctx, (uint64_t)most + 2, sizeof *p->start);
    p->order = ksda_i_malloc(ctx, g->n, sizeof *p->order);
    p->place = ksda_i_malloc(ctx, g->n, sizeof *p->place);
    if (!p->start || !p->order || !p->place) return KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++) p->start[degree[v] + 1]++;
    for (uint32_t d = 0; d <= most; d++) p->start[d + 1] += p->start[d];
    for (uint32_t v = 0; v < g->n; v++) {
        p->place[v] = p->start[degree[v]]++;
        p->order[p->place[v]] = v;
    }
    for (uint32_t d = most + 1; d > 0; d--) p->start[d] = p->start[d - 1];
    p->start[0] = 0;
    return KSDA_OK;
}

/* Move u one bucket down: swap it with the first of its bucket, then shift the border. */
static void lower_degree(peeling *p, uint32_t *degree, uint32_t u) {
    uint32_t first = p->start[degree[u]], w = p->order[first];
    p->order[p->place[u]] = w;
    p->place[w] = p->place[u];
    p->order[first] = u;
    p->place[u] = first;
    p->start[degree[u]]++;
    degree[u]--;
}

ksda_status ksda_coreness(ksda_ctx *ctx, const ksda_graph *graph, uint32_t *out) {
    const ksda_graph *g = graph;
    peeling p = {NULL, NULL, NULL};
    for (uint32_t v = 0; v < g->n; v++) out[v] = ksda_i_degree(g, v);
    ksda_status status = peeling_new(ctx, g, out, &p);
    for (uint32_t i = 0; i < g->n && status >= 0; i++) {
        uint32_t v = p.order[i];
        if ((status = ksda_i_look(ctx, i)) < 0) break;
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
            if (out[g->adj[e]] > out[v]) lower_degree(&p, out, g->adj[e]);
    }
    ksda_i_free(ctx, p.start);
    ksda_i_free(ctx, p.order);
    ksda_i_free(ctx, p.place);
    return status;
}

ksda_status ksda_i_pass_cores(ksda_i_measuring *m) {
    ksda_status status = KSDA_OK;
    uint32_t n = m->g->n, most = 0;
    double sum = 0;
    uint32_t *core = ksda_i_malloc(m->ctx, n, sizeof *core);
    if (!core) return KSDA_NOMEM;
    KSDA_I_TRY(ksda_coreness(m->ctx, m->g, core));
    for (uint32_t v = 0; v < n; v++) {
        most = core[v] > most ? core[v] : most;
        sum += core[v];
    }
    KSDA_I_TRY(ksda_i_histogram_new(m->ctx, &m->out->cores, n ? (uint64_t)most + 1 : 0));
    for (uint32_t v = 0; v < n; v++) m->out->cores.count[core[v]] += 1;
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_DEGENERACY], n ? most : NAN);
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_MEAN_CORENESS], n ? sum / n : NAN);
done:
    ksda_i_free(m->ctx, core);
    return status;
}
