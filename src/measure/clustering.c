/* Clustering: how often two neighbours of a vertex are adjacent.
 *
 * Local: triangles at v / (d (d - 1) / 2), for d >= 2; CC is its mean over those vertices. Global: 3 * triangles /
 * paths of length two. NaN where there is nothing to divide by. Time and memory are those of triangles.c. */
#include "measure/measure.h"

static double pairs_of(uint32_t d) {
    return (double)d * (d - 1.0) / 2;
}

ksda_status ksda_local_clustering(ksda_ctx *ctx, const ksda_graph *graph, double *out) {
    uint64_t *triangles = ksda_i_malloc(ctx, graph->n, sizeof *triangles);
    if (!triangles) return KSDA_NOMEM;
    ksda_status status = ksda_i_triangles(ctx, graph, triangles);
    for (uint32_t v = 0; v < graph->n && status >= 0; v++) {
        uint32_t d = ksda_i_degree(graph, v);
        out[v] = d >= 2 ? (double)triangles[v] / pairs_of(d) : NAN;
    }
    ksda_i_free(ctx, triangles);
    return status;
}

ksda_status ksda_i_pass_clustering(ksda_i_measuring *m) {
    const ksda_graph *g = m->g;
    double local = 0, triples = 0, closed = 0;
    uint64_t vertices = 0, *triangles = ksda_i_malloc(m->ctx, g->n, sizeof *triangles);
    if (!triangles) return KSDA_NOMEM;
    ksda_status status = ksda_i_triangles(m->ctx, g, triangles);
    for (uint32_t v = 0; v < g->n && status >= 0; v++) {
        uint32_t d = ksda_i_degree(g, v);
        if (d < 2) continue;
        vertices++;
        local += (double)triangles[v] / pairs_of(d);
        triples += pairs_of(d);
        closed += (double)triangles[v];
    }
    ksda_i_free(m->ctx, triangles);
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_CLUSTERING], vertices ? local / (double)vertices : NAN);
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_GLOBAL_CLUSTERING], vertices ? closed / triples : NAN);
    return status;
}
