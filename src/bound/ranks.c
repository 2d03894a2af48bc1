/* Every community's members by descending degree, and who is not adjacent to whom among the largest.
 *
 * This is all a plan looks at. One pass over the edges counts, for every vertex, the members of its community that it
 * is not adjacent to; counting sorts do the rest. Time O(n + m + largest degree), memory 20 bytes a vertex. */
#include "bound/ranks.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "graph/labels.h"
#include "graph/peers.h"

#include <stdlib.h>

#define EVERY_DEGREE 4096u /* up to here all degrees below the largest are listed, not only those that occur */

typedef struct list_job {
    const ksda_graph *graph;
    const ksda_communities *communities;
    ksda_i_ranks *lists;
    const ksda_ctx *ctx;
} list_job;

void ksda_i_ranks_clear(ksda_ctx *ctx, ksda_i_ranks *l) {
    ksda_i_free(ctx, l->vertex);
    ksda_i_free(ctx, l->degree);
    ksda_i_free(ctx, l->slack);
    ksda_i_free(ctx, l->place);
    ksda_i_free(ctx, l->level);
    ksda_i_free(ctx, l->group);
    ksda_i_free(ctx, l->run);
    ksda_i_free(ctx, l->near);
    ksda_i_free(ctx, l->adjacent);
    *l = (ksda_i_ranks){0};
}

typedef struct slack_job {
    const ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    ksda_i_labels labels;
    uint32_t *slack; /* [n] by vertex */
} slack_job;

static void count_slack(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const slack_job *job = data;
    const ksda_graph *g = job->graph;
    (void)thread;
    for (uint64_t v = begin; v < end && !ksda_i_cancelled(job->ctx); v++) {
        uint32_t c = job->communities->of[v];
        uint32_t inside = ksda_i_labels_inside(&job->labels, g->adj + g->off[v], g->off[v + 1] - g->off[v], c);
        job->slack[v] = ksda_i_community_size(job->communities, c) - 1 - inside;
    }
}

ksda_status ksda_i_community_slack(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   uint32_t *slack) {
    slack_job job = {ctx, graph, communities, {0}, slack};
    if (graph->far) {
        ksda_status status = graph->far->inside(ctx, graph, communities->of, slack);
        for (uint32_t v = 0; v < graph->n && status >= 0; v++)
            slack[v] = ksda_i_community_size(communities, communities->of[v]) - 1 - slack[v];
        return status;
    }
    ksda_status status = ksda_i_labels_new(ctx, graph->n, communities->of, &job.labels);
    if (status < 0) return status;
    ksda_i_parallel(ctx, graph->n, 4096, count_slack, &job);
    ksda_i_labels_clear(ctx, &job.labels);
    return ksda_i_interrupted(ctx);
}

/* Vertices by descending degree; of equal ones, those with more slack first: they can be pulled up further. */
static int by_degree(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] > y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static unsigned bits_of(uint32_t x) {
    return x ? 32 - (unsigned)__builtin_clz(x) : 0;
}

/* The same for the members of a community, who stand by ascending number, as one number each: what is missing to
 * degree and slack that nobody is above, and the place among the members. False: that does not go into 64 bits. */
static bool sort_as_numbers(const list_job *job, const uint32_t *member, uint32_t size, uint64_t *key) {
    const uint32_t *slack = job->lists->slack;
    uint32_t degrees = 0, slacks = 0;
    for (uint32_t i = 0; i < size; i++) {
        degrees |= ksda_i_degree(job->graph, member[i]);
        slacks |= slack[member[i]];
    }
    unsigned place = bits_of(size), rest = place + bits_of(slacks);
    uint64_t most = (UINT64_C(1) << bits_of(degrees)) - 1, most_slack = (UINT64_C(1) << bits_of(slacks)) - 1;
    if (rest + bits_of(degrees) > 63) return false;
    for (uint32_t i = 0; i < size; i++)
        key[i] = (most - ksda_i_degree(job->graph, member[i])) << rest | (most_slack - slack[member[i]]) << place | i;
    ksda_i_sort_u64(key, size, key + size);
    for (uint32_t i = 0; i < size; i++) key[i] = member[key[i] & ((UINT64_C(1) << place) - 1)];
    return true;
}

static void sort_in_pairs(const list_job *job, const uint32_t *member, uint32_t size, uint64_t *key) {
    for (uint32_t i = 0; i < size; i++) {
        key[2 * i] = (uint64_t)ksda_i_degree(job->graph, member[i]) << 32 | job->lists->slack[member[i]];
        key[2 * i + 1] = member[i];
    }
    ksda_i_sort_by(key, size, 2 * sizeof *key, by_degree);
    for (uint32_t i = 0; i < size; i++) key[i] = key[2 * i + 1];
}

static void sort_members(const list_job *job, uint32_t c, uint64_t *key) {
    const ksda_communities *communities = job->communities;
    uint32_t size = ksda_i_community_size(communities, c), begin = communities->start[c];
    if (!sort_as_numbers(job, communities->member + begin, size, key))
        sort_in_pairs(job, communities->member + begin, size, key);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t v = (uint32_t)key[i];
        job->lists->vertex[begin + i] = v;
        job->lists->place[v] = begin + i;
        job->lists->degree[begin + i] = ksda_i_degree(job->graph, v);
    }
}

typedef struct sort_job {
    list_job base;
    uint64_t **key; /* [threads] of twice the largest community */
} sort_job;

static void sort_communities(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const sort_job *job = data;
    for (uint64_t c = begin; c < end; c++) sort_members(&job->base, (uint32_t)c, job->key[thread]);
}

static ksda_status sort_lists(ksda_ctx *ctx, const list_job *base) {
    ksda_status status = KSDA_OK;
    unsigned threads = ksda_ctx_threads(ctx);
    uint32_t largest = 0;
    uint64_t **key = ksda_i_calloc(ctx, threads, sizeof *key);
    if (!key) return KSDA_NOMEM;
    for (uint32_t c = 0; c < base->communities->count; c++) {
        uint32_t size = ksda_i_community_size(base->communities, c);
        if (size > largest) largest = size;
    }
    for (unsigned t = 0; t < threads && status >= 0; t++) {
        key[t] = ksda_i_malloc(ctx, 2 * (uint64_t)largest, sizeof **key);
        if (!key[t]) status = KSDA_NOMEM;
    }
    sort_job job = {*base, key};
    if (status >= 0) ksda_i_parallel(ctx, base->communities->count, 1, sort_communities, &job);
    for (unsigned t = 0; t < threads; t++) ksda_i_free(ctx, key[t]);
    ksda_i_free(ctx, key);
    return status;
}

/* Slack was counted by vertex; put it in the order of the lists. */
static ksda_status order_slack(ksda_ctx *ctx, ksda_i_ranks *l) {
    uint32_t *ordered = ksda_i_malloc(ctx, l->n, sizeof *ordered);
    if (!ordered) return KSDA_NOMEM;
    for (uint32_t i = 0; i < l->n; i++) ordered[i] = l->slack[l->vertex[i]];
    ksda_i_free(ctx, l->slack);
    l->slack = ordered;
    return KSDA_OK;
}

/* --- runs by degree ----------------------------------------------------------------------------------------------- */

/* Call for every maximal run of equal degrees; counts[degree]++ when runs is NULL, else places it. */
static void each_run(const ksda_i_ranks *l, uint64_t *next, ksda_i_rank_run *runs) {
    for (uint32_t c = 0; c < l->communities; c++) {
        const uint32_t *degree = l->degree + l->start[c];
        uint32_t size = l->start[c + 1] - l->start[c];
        for (uint32_t i = 0, j; i < size; i = j) {
            for (j = i + 1; j < size && degree[j] == degree[i];) j++;
            if (runs)
                runs[next[degree[i]]++] = (ksda_i_rank_run){c, i, j};
            else
                next[degree[i]]++;
        }
    }
}

static ksda_status group_runs(ksda_ctx *ctx, ksda_i_ranks *l) {
    ksda_status status = KSDA_NOMEM;
    uint32_t top = 0;
    for (uint32_t c = 0; c < l->communities; c++)
        if (l->degree[l->start[c]] > top) top = l->degree[l->start[c]];
    uint64_t *next = ksda_i_calloc(ctx, (uint64_t)top + 1, sizeof *next), total = 0;
    if (!next) goto done;
    each_run(l, next, NULL);
    bool all = top <= EVERY_DEGREE; /* pieces may stand at degrees that nobody has */
    for (uint32_t d = 0; d <= top; d++) l->levels += next[d] > 0 || (all && d > 0);
    l->level = ksda_i_malloc(ctx, l->levels, sizeof *l->level);
    l->group = ksda_i_malloc(ctx, (uint64_t)l->levels + 1, sizeof *l->group);
    if (!l->level || !l->group) goto done;
    for (uint32_t d = top + 1, i = 0; d-- > 0;) {
        if (!next[d] && !(all && d > 0)) continue;
        uint64_t count = next[d];
        l->level[i] = d;
        l->group[i++] = next[d] = total;
        total += count;
    }
    l->group[l->levels] = total;
    l->run = ksda_i_malloc(ctx, total, sizeof *l->run);
    if (!l->run) goto done;
    each_run(l, next, l->run);
    status = KSDA_OK;
done:
    ksda_i_free(ctx, next);
    return status;
}

/* --- adjacency among the largest ---------------------------------------------------------------------------------- */

static void mark_adjacent(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const list_job *job = data;
    const ksda_graph *g = job->graph;
    ksda_i_ranks *l = job->lists;
    (void)thread;
    for (uint64_t c = begin; c < end; c++) {
        uint32_t near = (uint32_t)(l->near[c + 1] - l->near[c]);
        for (uint32_t q = 0; q < near && !ksda_i_cancelled(job->ctx); q++) {
            uint32_t v = l->vertex[l->start[c] + q];
            uint64_t bits = UINT64_C(1) << q;
            ksda_i_graph_need(g, v);
            for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
                uint32_t at = l->place[g->adj[i]] - l->start[c]; /* wraps around for those before: large */
                if (at < near) bits |= UINT64_C(1) << at;
            }
            l->adjacent[l->near[c] + q] = bits;
        }
    }
}

static ksda_status open_adjacent(ksda_ctx *ctx, ksda_i_ranks *l) {
    l->near = ksda_i_malloc(ctx, (uint64_t)l->communities + 1, sizeof *l->near);
    if (!l->near) return KSDA_NOMEM;
    l->near[0] = 0;
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t size = l->start[c + 1] - l->start[c];
        l->near[c + 1] = l->near[c] + (size < KSDA_I_NEAR ? size : KSDA_I_NEAR);
    }
    l->adjacent = ksda_i_calloc(ctx, l->near[l->communities], sizeof *l->adjacent);
    return l->adjacent ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_ranks_make(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              ksda_i_ranks *out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = graph->n;
    ksda_i_ranks l = {.graph = graph,
                      .partition = communities,
                      .n = n,
                      .communities = communities->count,
                      .start = communities->start};
    list_job job = {graph, communities, &l, ctx};
    *out = (ksda_i_ranks){0};
    l.vertex = ksda_i_malloc(ctx, n, sizeof *l.vertex);
    l.degree = ksda_i_malloc(ctx, n, sizeof *l.degree);
    l.slack = ksda_i_malloc(ctx, n, sizeof *l.slack);
    l.place = ksda_i_malloc(ctx, n, sizeof *l.place);
    if (!l.vertex || !l.degree || !l.slack || !l.place || open_adjacent(ctx, &l) < 0) goto done;
    KSDA_I_TRY(ksda_i_community_slack(ctx, graph, communities, l.slack));
    KSDA_I_TRY(sort_lists(ctx, &job));
    KSDA_I_TRY(order_slack(ctx, &l));
    KSDA_I_TRY(group_runs(ctx, &l));
    ksda_i_parallel(ctx, communities->count, 1, mark_adjacent, &job);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    *out = l;
    return KSDA_OK;
done:
    ksda_i_ranks_clear(ctx, &l);
    return status;
}

/* --- lists of vertices that are to be raised ---------------------------------------------------------------------- */

/* Members of c in their new order: they are nearly sorted, and those who were before others of their degree stay so. */
static void order_lifted(const ksda_i_ranks *of, const uint32_t *degree, uint32_t c, uint32_t *order) {
    for (uint32_t i = of->start[c]; i < of->start[c + 1]; i++) {
        uint32_t at = i;
        for (; at > of->start[c] && degree[order[at - 1]] < degree[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

ksda_status ksda_i_ranks_lift(ksda_ctx *ctx, const ksda_i_ranks *of, const uint32_t *degree, uint32_t *moved,
                              ksda_i_ranks *out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = of->n;
    ksda_i_ranks l = {
        .graph = of->graph, .partition = of->partition, .n = n, .communities = of->communities, .start = of->start};
    list_job job = {of->graph, of->partition, &l, ctx};
    *out = (ksda_i_ranks){0};
    l.vertex = ksda_i_malloc(ctx, n, sizeof *l.vertex);
    l.degree = ksda_i_malloc(ctx, n, sizeof *l.degree);
    l.slack = ksda_i_malloc(ctx, n, sizeof *l.slack);
    l.place = ksda_i_malloc(ctx, n, sizeof *l.place);
    if (!l.vertex || !l.degree || !l.slack || !l.place || open_adjacent(ctx, &l) < 0) goto done;
    for (uint32_t c = 0; c < of->communities; c++) order_lifted(of, degree, c, moved);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t was = moved[i], v = of->vertex[was], more = degree[was] - of->degree[was];
        l.vertex[i] = v, l.place[v] = i, l.degree[i] = degree[was];
        l.slack[i] = of->slack[was] > more ? of->slack[was] - more : 0;
    }
    KSDA_I_TRY(group_runs(ctx, &l));
    for (uint32_t c = 0; c < of->communities; c++) {
        bool same = true;
        for (uint32_t i = of->start[c]; i < of->start[c + 1] && same; i++) same = moved[i] == i;
        if (same)
            memcpy(l.adjacent + l.near[c], of->adjacent + of->near[c],
                   (l.near[c + 1] - l.near[c]) * sizeof *l.adjacent);
        else
            mark_adjacent(&job, c, c + 1, 0);
    }
    *out = l;
    return KSDA_OK;
done:
    ksda_i_ranks_clear(ctx, &l);
    return status;
}

uint32_t ksda_i_ranks_floor(const ksda_i_ranks *l, uint32_t k) {
    uint32_t floor = 0;
    for (uint32_t i = l->levels; i-- > 0;) {
        uint64_t here = l->group[i + 1] - l->group[i];
        if (here > 0 && here < k) break;
        floor = l->level[i];
    }
    return floor;
}
