/* Clustering: how often two neighbours of a vertex are adjacent.
 *
 * Local: triangles at v / (d (d - 1) / 2), for d >= 2; CC is its mean over those vertices. Global: 3 * triangles /
 * paths of length two. NaN where there is nothing to divide by.
 *
 * Every edge points to the end with the larger degree (ties: larger number), which leaves each vertex at most sqrt(2m)
 * out-edges; a triangle is then found once, at its smallest corner, by marking that corner's out-neighbours. Vertices
 * are renamed by that order, so marks of high-degree vertices, which are looked at most, share cache lines. Counts are
 * whole numbers, so threads add theirs in any order. Time O(sum over edges of the smaller degree) = O(m^1.5), memory 4m
 * + 8n bytes + 5n a thread. (Schank & Wagner 2005, doi:10.1007/11427186_54, "forward".) */
#include "core/parallel.h"
#include "measure/measure.h"

typedef struct oriented {
    uint32_t n;
    uint32_t *rank; /* [n] */
    uint64_t *off;  /* [n + 1] by rank */
    uint32_t *out;  /* [m] ranks of out-neighbours */
} oriented;

/* Threads mark and count in arrays of their own. */
typedef struct counting {
    const oriented *o;
    unsigned char **mark; /* [threads][n] */
    uint64_t **triangles; /* [threads][n] by rank */
    ksda_ctx *ctx;
} counting;

static void oriented_clear(ksda_ctx *ctx, oriented *o) {
    ksda_i_free(ctx, o->rank);
    ksda_i_free(ctx, o->off);
    ksda_i_free(ctx, o->out);
}

/* Counting sort by degree, stable. */
static ksda_status rank_by_degree(ksda_ctx *ctx, const ksda_graph *g, uint32_t *rank) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > most) most = ksda_i_degree(g, v);
    uint32_t *start = ksda_i_calloc(ctx, (uint64_t)most + 2, sizeof *start);
    if (!start) return KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++) start[ksda_i_degree(g, v) + 1]++;
    for (uint32_t d = 0; d <= most; d++) start[d + 1] += start[d];
    for (uint32_t v = 0; v < g->n; v++) rank[v] = start[ksda_i_degree(g, v)]++;
    ksda_i_free(ctx, start);
    return KSDA_OK;
}

static ksda_status orient(ksda_ctx *ctx, const ksda_graph *g, oriented *o) {
    o->n = g->n;
    o->rank = ksda_i_malloc(ctx, g->n, sizeof *o->rank);
    o->off = ksda_i_calloc(ctx, (uint64_t)g->n + 1, sizeof *o->off);
    o->out = ksda_i_malloc(ctx, g->m, sizeof *o->out);
    if (!o->rank || !o->off || !o->out) return KSDA_NOMEM;
    ksda_status status = rank_by_degree(ctx, g, o->rank);
    if (status < 0) return status;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) o->off[o->rank[v] + 1] += o->rank[v] < o->rank[g->adj[e]];
    for (uint32_t r = 0; r < g->n; r++) o->off[r + 1] += o->off[r];
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t at = o->off[o->rank[v]];
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
            if (o->rank[v] < o->rank[g->adj[e]]) o->out[at++] = o->rank[g->adj[e]];
    }
    return KSDA_OK;
}

static void count_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const counting *c = data;
    const oriented *o = c->o;
    unsigned char *mark = c->mark[thread];
    uint64_t *triangles = c->triangles[thread];
    if (ksda_i_cancelled(c->ctx)) return;
    if (thread == 0) ksda_i_progress(c->ctx, "clustering", begin, o->n);
    for (uint64_t v = begin; v < end; v++) {
        uint64_t from = o->off[v], to = o->off[v + 1], here = 0;
        if (to - from < 2) continue;
        for (uint64_t e = from; e < to; e++) mark[o->out[e]] = 1;
        for (uint64_t e = from; e < to; e++) {
            uint32_t u = o->out[e];
            uint64_t there = 0;
            for (uint64_t f = o->off[u]; f < o->off[u + 1]; f++) {
                uint64_t closed = mark[o->out[f]];
                triangles[o->out[f]] += closed;
                there += closed;
            }
            triangles[u] += there;
            here += there;
        }
        triangles[v] += here;
        for (uint64_t e = from; e < to; e++) mark[o->out[e]] = 0;
    }
}

static void counting_clear(ksda_ctx *ctx, counting *c) {
    for (unsigned t = 0; t < ksda_ctx_threads(ctx); t++) {
        if (c->mark) ksda_i_free(ctx, c->mark[t]);
        if (c->triangles) ksda_i_free(ctx, c->triangles[t]);
    }
    ksda_i_free(ctx, c->mark);
    ksda_i_free(ctx, c->triangles);
}

static ksda_status counting_new(ksda_ctx *ctx, const oriented *o, counting *c) {
    unsigned threads = ksda_ctx_threads(ctx);
    *c = (counting){.o = o, .ctx = ctx};
    c->mark = ksda_i_calloc(ctx, threads, sizeof *c->mark);
    c->triangles = ksda_i_calloc(ctx, threads, sizeof *c->triangles);
    if (!c->mark || !c->triangles) return KSDA_NOMEM;
    for (unsigned t = 0; t < threads; t++) {
        c->mark[t] = ksda_i_calloc(ctx, o->n, 1);
        c->triangles[t] = ksda_i_calloc(ctx, o->n, sizeof **c->triangles);
        if (!c->mark[t] || !c->triangles[t]) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

ksda_status ksda_i_triangles(ksda_ctx *ctx, const ksda_graph *g, uint64_t *triangles) {
    ksda_status status = KSDA_OK;
    oriented o = {.n = 0};
    counting c = {.o = NULL};
    KSDA_I_TRY(orient(ctx, g, &o));
    KSDA_I_TRY(counting_new(ctx, &o, &c));
    ksda_i_parallel(ctx, g->n, 1024, count_range, &c);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    for (uint32_t v = 0; v < g->n; v++) {
        triangles[v] = 0;
        for (unsigned t = 0; t < ksda_ctx_threads(ctx); t++) triangles[v] += c.triangles[t][o.rank[v]];
    }
done:
    counting_clear(ctx, &c);
    oriented_clear(ctx, &o);
    return status;
}

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
