/* One iteration of Leiden: move, refine, aggregate, down to the coarsest level. See leiden.c.
 *
 * The arrays are those of the finest level and serve all levels: a coarser one has fewer vertices. Weights towards
 * neighbouring communities are summed in one array indexed by community, cleared by walking the neighbours again. */
#include "community/leiden.h"
#include "core/sort.h"
#include "graph/graph.h"

#include <math.h>

#define LOOK_OFTEN 4096  /* vertices between two looks at the clock */
#define AHEAD 16         /* entries between asking for a label and using it */
#define TEMPERATURE 0.01 /* in edges: refinement takes a part at random among those this close to the best */

/* A graph with weights. Loops are dropped; they only count in strength. */
typedef struct level {
    uint32_t n;
    const uint64_t *off;
    const uint32_t *adj;
    const double *weight; /* NULL: all 1 */
    double *strength;     /* [n] sum of weights, loops included twice */
    uint64_t *own_off;    /* what of the above is ours to free */
    uint32_t *own_adj;
    double *own_weight;
} level;

struct ksda_i_leiden {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    double ends;       /* 2m */
    double *strength;  /* [n] of the finest level */
    uint32_t *node;    /* [n] vertex of the graph -> vertex of the level */
    uint32_t *of;      /* [n] community of a level's vertex */
    uint32_t *part;    /* [n] refined part */
    uint32_t *size;    /* [n] of a community or part */
    double *total;     /* [n] strength of a community or part */
    double *cut;       /* [n] of a part: weight to the rest of its community */
    double *toward;    /* [n] weight to a community; all 0 between uses */
    uint32_t *touched; /* [n + 1] which entries of it are not */
    uint32_t *queue;   /* [n] a ring; later an order of vertices */
    uint32_t *spare;   /* [n] empty communities, a stack; later a numbering */
    uint32_t *start;   /* [n + 1] where the vertices of a community, or part, begin in queue */
    bool *waiting;     /* [n] in the queue */
};

/* From time to time, in a loop over vertices: report, and find out whether to stop. */
static inline ksda_status look_at_times(ksda_i_leiden *w, uint64_t i) {
    return i % LOOK_OFTEN ? KSDA_OK : ksda_i_progress(w->ctx, "detecting communities", 0, 0);
}

static void shuffle(ksda_i_rng *rng, uint32_t *list, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)ksda_i_rng_below(rng, i), x = list[i - 1];
        list[i - 1] = list[j];
        list[j] = x;
    }
}

/* Add v's weights to the sums by label of the neighbour; new labels go to touched, of which there are count. No branch
 * depends on the data: here all the time is spent, and a wrong guess would cost more than the sum. */
static inline uint32_t gather(ksda_i_leiden *w, const level *l, uint32_t v, const uint32_t *label, uint32_t count) {
    const uint32_t *adj = l->adj;
    const double *weight = l->weight;
    double *toward = w->toward;
    uint32_t *touched = w->touched;
    for (uint64_t i = l->off[v], end = l->off[v + 1]; i < end; i++) {
        if (i + AHEAD < end) __builtin_prefetch(&label[adj[i + AHEAD]]);
        uint32_t c = label[adj[i]];
        double sum = toward[c];
        touched[count] = c;
        count += sum == 0;
        toward[c] = sum + (weight ? weight[i] : 1);
    }
    return count;
}

/* The weight of v's edges to vertices of its own label. */
static double weight_inside(const level *l, uint32_t v, const uint32_t *label) {
    const uint32_t *adj = l->adj, own = label[v];
    const double *weight = l->weight;
    double sum = 0;
    for (uint64_t i = l->off[v], end = l->off[v + 1]; i < end; i++)
        sum += label[adj[i]] == own ? (weight ? weight[i] : 1) : 0;
    return sum;
}

static void forget(ksda_i_leiden *w, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) w->toward[w->touched[i]] = 0;
}

/* --- moving ------------------------------------------------------------------------------------------------------ */

/* Sizes and totals of the communities; returns how many are empty, in spare. */
static uint32_t sum_communities(ksda_i_leiden *w, const level *l) {
    uint32_t spares = 0;
    memset(w->size, 0, l->n * sizeof *w->size);
    memset(w->total, 0, l->n * sizeof *w->total);
    for (uint32_t v = 0; v < l->n; v++) {
        w->size[w->of[v]]++;
        w->total[w->of[v]] += l->strength[v];
    }
    for (uint32_t c = l->n; c-- > 0;)
        if (w->size[c] == 0) w->spare[spares++] = c;
    return spares;
}

/* The best community for v, which has been taken out of its own; KSDA_NO_VERTEX for an empty one. */
static uint32_t best_community(ksda_i_leiden *w, const level *l, uint32_t v, uint32_t touched) {
    double share = l->strength[v] / w->ends, tolerance = 1e-10 * (1 + l->strength[v]);
    uint32_t best = w->of[v];
    double best_gain = w->toward[best] - share * w->total[best];
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t c = w->touched[i];
        double gain = w->toward[c] - share * w->total[c];
        if (gain > best_gain + tolerance) best = c, best_gain = gain;
    }
    return best_gain < -tolerance ? KSDA_NO_VERTEX : best;
}

/* Move vertices until none gains by it. A vertex whose neighbour leaves is looked at again. */
static ksda_status move_vertices(ksda_i_leiden *w, const level *l, ksda_i_rng *rng) {
    uint32_t spares = sum_communities(w, l), head = 0, waiting = l->n;
    uint64_t looked = 0;
    for (uint32_t v = 0; v < l->n; v++) w->queue[v] = v, w->waiting[v] = true;
    shuffle(rng, w->queue, l->n);
    while (waiting) {
        uint32_t v = w->queue[head], old = w->of[v], touched = gather(w, l, v, w->of, 0);
        if (++head == l->n) head = 0;
        waiting--;
        w->waiting[v] = false;
        w->total[old] -= l->strength[v];
        if (--w->size[old] == 0) w->total[old] = 0; /* no rounding left behind */
        uint32_t best = best_community(w, l, v, touched);
        if (best == KSDA_NO_VERTEX) best = w->size[old] ? w->spare[--spares] : old;
        forget(w, touched);
        w->of[v] = best;
        w->size[best]++;
        w->total[best] += l->strength[v];
        if (best != old) {
            if (w->size[old] == 0) w->spare[spares++] = old;
            for (uint64_t i = l->off[v]; i < l->off[v + 1]; i++) {
                uint32_t u = l->adj[i];
                if (w->waiting[u] || w->of[u] == best) continue;
                w->waiting[u] = true;
                w->queue[(uint32_t)(((uint64_t)head + waiting) % l->n)] = u;
                waiting++;
            }
        }
        if (look_at_times(w, ++looked) < 0) return ksda_i_interrupted(w->ctx);
    }
    return KSDA_OK;
}

/* --- refining ---------------------------------------------------------------------------------------------------- */

/* At least as much weight to the rest of the community as chance would give. */
static bool well_connected(const ksda_i_leiden *w, double cut, double strength, double community) {
    return cut >= strength * (community - strength) / w->ends;
}

/* As gather(), by part, over the neighbours in v's community alone. */
static uint32_t gather_inside(ksda_i_leiden *w, const level *l, uint32_t v) {
    uint32_t count = 0, own = w->of[v];
    for (uint64_t i = l->off[v], end = l->off[v + 1]; i < end; i++) {
        uint32_t u = l->adj[i], p;
        if (w->of[u] != own) continue;
        p = w->part[u];
        if (w->toward[p] == 0) w->touched[count++] = p;
        w->toward[p] += l->weight ? l->weight[i] : 1;
    }
    return count;
}

/* The part of its community to merge a vertex with, at random among the nearly best; its own when none gains. */
static uint32_t pick_part(ksda_i_leiden *w, double strength, double community, uint32_t own, uint32_t touched,
                          ksda_i_rng *rng) {
    double share = strength / w->ends, best = 0, sum = 0;
    uint32_t picked = own;
    for (int pass = 0; pass < 2; pass++) { /* first the best gain, then the draw */
        for (uint32_t i = 0; i < touched; i++) {
            uint32_t p = w->touched[i];
            double gain = w->toward[p] - share * w->total[p];
            if (p == own || gain <= 0 || !well_connected(w, w->cut[p], w->total[p], community)) continue;
            if (pass == 0) {
                if (gain > best) best = gain;
            } else if (gain > best - 20 * TEMPERATURE) {
                double odds = exp((gain - best) / TEMPERATURE);
                sum += odds;
                if (odds >= sum || ksda_i_rng_unit(rng) * sum < odds) picked = p;
            }
        }
    }
    return picked;
}

/* Merge single vertices inside one community, whose strength is given; only neighbours in the community count. */
static void refine_community(ksda_i_leiden *w, const level *l, uint32_t c, double community, ksda_i_rng *rng) {
    uint32_t *member = w->queue + w->start[c], count = w->start[c + 1] - w->start[c];
    shuffle(rng, member, count);
    for (uint32_t i = 0; i < count && look_at_times(w, i + 1) >= 0; i++) {
        uint32_t v = member[i];
        double strength = l->strength[v], inside = w->cut[v];
        if (w->size[v] != 1 || w->part[v] != v || !well_connected(w, inside, strength, community)) continue;
        uint32_t touched = gather_inside(w, l, v), p = pick_part(w, strength, community, v, touched, rng);
        if (p != v) {
            w->part[v] = p;
            w->size[v] = 0;
            w->size[p]++;
            w->total[p] += strength;
            w->cut[p] += inside - 2 * w->toward[p];
        }
        forget(w, touched);
    }
}

/* Parts of all communities. A part is numbered as one of its vertices. */
static ksda_status refine(ksda_i_leiden *w, const level *l, ksda_i_rng *rng) {
    ksda_i_group(l->n, w->of, l->n, w->start, w->queue);
    for (uint32_t v = 0; v < l->n; v++) {
        w->part[v] = v;
        w->size[v] = 1;
        w->total[v] = l->strength[v];
        w->cut[v] = weight_inside(l, v, w->of);
        if (look_at_times(w, v) < 0) return ksda_i_interrupted(w->ctx);
    }
    for (uint32_t c = 0; c < l->n; c++) {
        double community = 0;
        for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++) community += l->strength[w->queue[i]];
        if (w->start[c + 1] - w->start[c] > 1) refine_community(w, l, c, community, rng);
        if (look_at_times(w, c) < 0) return ksda_i_interrupted(w->ctx);
    }
    return ksda_i_interrupted(w->ctx);
}

/* --- aggregating ------------------------------------------------------------------------------------------------- */

/* Renumber labels below n to 0 .. count-1; spare holds the numbers. */
static uint32_t renumber(ksda_i_leiden *w, uint32_t n, uint32_t *label) {
    uint32_t count = 0;
    memset(w->spare, 0xff, n * sizeof *w->spare);
    for (uint32_t v = 0; v < n; v++) {
        if (w->spare[label[v]] == KSDA_NO_VERTEX) w->spare[label[v]] = count++;
        label[v] = w->spare[label[v]];
    }
    return count;
}

static void level_free(ksda_ctx *ctx, level *l, const double *keep) {
    ksda_i_free(ctx, l->own_off);
    ksda_i_free(ctx, l->own_adj);
    ksda_i_free(ctx, l->own_weight);
    if (l->strength != keep) ksda_i_free(ctx, l->strength);
    *l = (level){.n = 0};
}

/* Room for the aggregate: its ends are counted first. */
static ksda_status level_new(ksda_i_leiden *w, const level *l, uint32_t count, level *out) {
    uint64_t ends = 0;
    *out = (level){.n = count};
    for (uint32_t v = 0; v < l->n; v++) {
        for (uint64_t i = l->off[v]; i < l->off[v + 1]; i++) ends += w->part[l->adj[i]] != w->part[v];
        if (look_at_times(w, v) < 0) return ksda_i_interrupted(w->ctx);
    }
    out->off = out->own_off = ksda_i_malloc(w->ctx, (uint64_t)count + 1, sizeof *out->own_off);
    out->adj = out->own_adj = ksda_i_malloc(w->ctx, ends, sizeof *out->own_adj);
    out->weight = out->own_weight = ksda_i_malloc(w->ctx, ends, sizeof *out->own_weight);
    out->strength = ksda_i_calloc(w->ctx, count, sizeof *out->strength);
    return out->off && out->adj && out->weight && out->strength ? KSDA_OK : KSDA_NOMEM;
}

/* The graph of the parts, which are 0 .. count-1. */
static ksda_status aggregate(ksda_i_leiden *w, const level *l, uint32_t count, level *out) {
    ksda_status status = level_new(w, l, count, out);
    uint64_t end = 0;
    if (status < 0) return status;
    ksda_i_group(l->n, w->part, count, w->start, w->queue);
    for (uint32_t p = 0; p < count; p++) {
        uint32_t touched = 0;
        out->own_off[p] = end;
        for (uint32_t i = w->start[p]; i < w->start[p + 1]; i++) {
            uint32_t v = w->queue[i];
            out->strength[p] += l->strength[v];
            touched = gather(w, l, v, w->part, touched);
        }
        for (uint32_t i = 0; i < touched; i++) {
            if (w->touched[i] == p) continue;
            out->own_adj[end] = w->touched[i];
            out->own_weight[end++] = w->toward[w->touched[i]];
        }
        forget(w, touched);
        if (look_at_times(w, p) < 0) return ksda_i_interrupted(w->ctx);
    }
    out->own_off[count] = end;
    return KSDA_OK;
}

/* One level down. Keeps of[] in step; *last when every community is one vertex. */
static ksda_status coarsen(ksda_i_leiden *w, level *l, ksda_i_rng *rng, bool *last) {
    level next;
    ksda_status status;
    *last = renumber(w, l->n, w->of) == l->n;
    if (*last) return KSDA_OK;
    if ((status = refine(w, l, rng)) < 0) return status;
    uint32_t count = renumber(w, l->n, w->part);
    if (count == l->n) { /* nothing to merge inside the communities: then they are the parts */
        memcpy(w->part, w->of, l->n * sizeof *w->part);
        count = renumber(w, l->n, w->part);
    }
    status = aggregate(w, l, count, &next);
    if (status < 0) {
        level_free(w->ctx, &next, w->strength);
        return status;
    }
    for (uint32_t v = 0; v < w->graph->n; v++) w->node[v] = w->part[w->node[v]];
    for (uint32_t v = 0; v < l->n; v++) w->spare[w->part[v]] = w->of[v];
    memcpy(w->of, w->spare, count * sizeof *w->of);
    renumber(w, count, w->of);
    level_free(w->ctx, l, w->strength);
    *l = next;
    return KSDA_OK;
}

ksda_status ksda_i_leiden_iterate(ksda_i_leiden *w, ksda_i_rng *rng, uint32_t *of) {
    const ksda_graph *g = w->graph;
    level l = {.n = g->n, .off = g->off, .adj = g->adj, .strength = w->strength};
    ksda_status status = KSDA_OK;
    bool last = false;
    for (uint32_t v = 0; v < g->n; v++) w->node[v] = v, w->of[v] = of[v];
    while (!last) {
        KSDA_I_TRY(move_vertices(w, &l, rng));
        KSDA_I_TRY(coarsen(w, &l, rng, &last));
    }
    for (uint32_t v = 0; v < g->n; v++) of[v] = w->of[w->node[v]];
done:
    level_free(w->ctx, &l, w->strength);
    return status;
}

/* --- buffers ----------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_leiden_new(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_leiden **out) {
    uint64_t n = graph->n;
    ksda_i_leiden *w = *out = ksda_i_calloc(ctx, 1, sizeof *w);
    if (!w) return KSDA_NOMEM;
    w->ctx = ctx;
    w->graph = graph;
    w->ends = 2 * (double)graph->m;
    uint32_t **lists[] = {&w->node, &w->of, &w->part, &w->size, &w->touched, &w->queue, &w->spare, &w->start};
    double **sums[] = {&w->strength, &w->total, &w->cut, &w->toward};
    bool all = (w->waiting = ksda_i_malloc(ctx, n, sizeof *w->waiting)) != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        all = (*lists[i] = ksda_i_malloc(ctx, n + 1, sizeof **lists[i])) && all;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        all = (*sums[i] = ksda_i_calloc(ctx, n, sizeof **sums[i])) && all;
    if (!all) {
        ksda_i_leiden_free(w);
        *out = NULL;
        return KSDA_NOMEM;
    }
    for (uint32_t v = 0; v < n; v++) w->strength[v] = ksda_i_degree(graph, v);
    return KSDA_OK;
}

void ksda_i_leiden_free(ksda_i_leiden *w) {
    if (!w) return;
    void *blocks[] = {w->node,  w->of,       w->part,  w->size, w->touched, w->queue,  w->spare,
                      w->start, w->strength, w->total, w->cut,  w->toward,  w->waiting};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(w->ctx, blocks[i]);
    ksda_i_free(w->ctx, w);
}
