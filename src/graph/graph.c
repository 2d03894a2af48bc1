/* The immutable graph: taking rows over, looking things up, renaming. */
#include "graph/graph.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "graph/peers.h"

#define ROW_GRAIN 4096 /* rows a thread takes at a time */

void ksda_graph_free(ksda_ctx *ctx, ksda_graph *graph) {
    if (!graph) return;
    if (!graph->lent_off) ksda_i_free(ctx, graph->off);
    if (!graph->lent_adj) ksda_i_free(ctx, graph->adj);
    if (graph->dispose) graph->dispose(graph->dispose_payload);
    ksda_i_ids_clear(ctx, &graph->ids);
    ksda_i_free(ctx, graph);
}

uint32_t ksda_graph_vertices(const ksda_graph *graph) {
    return graph->n;
}
uint64_t ksda_graph_edges(const ksda_graph *graph) {
    return graph->m;
}
uint32_t ksda_graph_degree(const ksda_graph *graph, uint32_t v) {
    return ksda_i_degree(graph, v);
}
const uint64_t *ksda_graph_offsets(const ksda_graph *graph) {
    return graph->off;
}
const uint32_t *ksda_graph_neighbours(const ksda_graph *graph) {
    ksda_i_graph_need_all(graph);
    return graph->adj;
}
const ksda_cleaning *ksda_graph_cleaning(const ksda_graph *graph) {
    return &graph->cleaning;
}
ksda_status ksda_graph_names(ksda_ctx *ctx, const ksda_graph *graph, char **text, uint64_t **offsets) {
    return ksda_i_ids_to_buffer(ctx, &graph->ids, text, offsets);
}
size_t ksda_graph_name(const ksda_graph *graph, uint32_t v, char *buffer, size_t capacity) {
    return ksda_i_ids_name(&graph->ids, v, buffer, capacity);
}
uint32_t ksda_graph_find(const ksda_graph *graph, const char *name, size_t length) {
    return ksda_i_ids_find(&graph->ids, name, length);
}

void ksda_i_graph_bring(const ksda_graph *g, uint64_t begin, uint64_t end) {
    if (begin < end) g->far->fetch(g, begin, end);
}

void ksda_i_graph_pass(const ksda_graph *g, uint32_t v) {
    if (ksda_i_degree(g, v) > 0) g->far->walk(g, v);
}

bool ksda_i_graph_makes_rows(const ksda_graph *g) {
    return g->far && g->far->row;
}

const uint32_t *ksda_i_graph_row(const ksda_graph *g, uint32_t v, ksda_i_row_order order, uint32_t *row,
                                 uint32_t *scratch) {
    if (ksda_i_graph_makes_rows(g)) {
        g->far->row(g, v, order, row, scratch);
        return row;
    }
    ksda_i_graph_need(g, v);
    return g->adj + g->off[v];
}

uint64_t ksda_i_graph_position(const ksda_graph *g, uint32_t v, uint32_t u) {
    ksda_i_graph_need(g, v);
    uint64_t begin = g->off[v], end = g->off[v + 1], stop = end;
    while (begin < end) {
        uint64_t middle = begin + (end - begin) / 2;
        if (g->adj[middle] < u)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < stop && g->adj[begin] == u ? begin : UINT64_MAX;
}

int ksda_graph_adjacent(const ksda_graph *graph, uint32_t u, uint32_t v) {
    if (ksda_i_degree(graph, u) > ksda_i_degree(graph, v)) {
        uint32_t swap = u;
        u = v, v = swap;
    }
    return ksda_i_graph_position(graph, u, v) != UINT64_MAX;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static uint64_t longest_row(uint32_t n, const uint64_t *off) {
    uint64_t longest = 0;
    for (uint32_t v = 0; v < n; v++) longest = off[v + 1] - off[v] > longest ? off[v + 1] - off[v] : longest;
    return longest;
}

uint64_t ksda_i_graph_longest_row(const ksda_graph *g) {
    return longest_row(g->n, g->off);
}

typedef struct row_job {
    uint64_t *off;
    uint32_t *adj;
    uint32_t *kept;    /* [n] length of each row after cleaning */
    uint64_t *loops;   /* [ranges] */
    uint32_t *scratch; /* [threads * longest] for sorting */
    uint64_t longest;
} row_job;

/* Sort each row and drop loops and repetitions, at its place. */
static void clean_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    row_job *job = data;
    uint32_t *scratch = job->scratch + thread * job->longest;
    uint64_t loops = 0;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t *row = job->adj + job->off[v], length = (uint32_t)(job->off[v + 1] - job->off[v]), kept = 0;
        bool sorted = true;
        for (uint32_t i = 1; i < length && sorted; i++) sorted = row[i - 1] <= row[i];
        if (!sorted) ksda_i_sort_u32(row, length, scratch);
        for (uint32_t i = 0; i < length; i++) {
            if (row[i] == v)
                loops++;
            else if (kept == 0 || row[kept - 1] != row[i])
                row[kept++] = row[i];
        }
        job->kept[v] = kept;
    }
    job->loops[begin / ROW_GRAIN] = loops;
}

static ksda_status graph_new(ksda_ctx *ctx, uint32_t n, uint64_t *off, uint32_t *adj, ksda_graph **out) {
    ksda_graph *g = ksda_i_calloc(ctx, 1, sizeof *g);
    if (!g) return KSDA_NOMEM;
    g->n = n;
    g->m = off[n] / 2;
    g->off = off;
    g->adj = adj;
    ksda_i_ids_range(&g->ids, n, 0);
    g->cleaning.input_edges = g->m;
    *out = g;
    return KSDA_OK;
}

ksda_status ksda_i_graph_take(ksda_ctx *ctx, uint32_t n, uint64_t *off, uint32_t *adj, ksda_graph **out) {
    *out = NULL;
    ksda_status status = graph_new(ctx, n, off, adj, out);
    if (status < 0) {
        ksda_i_free(ctx, off);
        ksda_i_free(ctx, adj);
    }
    return status;
}

ksda_status ksda_i_graph_take_raw(ksda_ctx *ctx, uint32_t n, uint64_t *off, uint32_t *adj, ksda_graph **out) {
    ksda_status status = KSDA_NOMEM;
    uint64_t ranges = n / ROW_GRAIN + 1, ends = off[n], loops = 0, at = 0, longest = longest_row(n, off);
    uint32_t *kept = ksda_i_malloc(ctx, n, sizeof *kept);
    uint64_t *loop_count = ksda_i_calloc(ctx, ranges, sizeof *loop_count);
    uint32_t *scratch = ksda_i_malloc(ctx, ctx->threads * longest, sizeof *scratch);
    *out = NULL;
    if (!kept || !loop_count || !scratch) goto done;
    row_job job = {off, adj, kept, loop_count, scratch, longest};
    ksda_i_parallel(ctx, n, ROW_GRAIN, clean_rows, &job);
    for (uint64_t i = 0; i < ranges; i++) loops += loop_count[i];
    for (uint32_t v = 0; v < n; v++) {
        uint64_t from = off[v];
        off[v] = at;
        if (from != at) memmove(adj + at, adj + from, kept[v] * sizeof *adj);
        at += kept[v];
    }
    off[n] = at;
    if (at < ends) {
        uint32_t *smaller = ksda_i_realloc(ctx, adj, at, sizeof *adj);
        if (!smaller) goto done;
        adj = smaller;
    }
    KSDA_I_TRY(graph_new(ctx, n, off, adj, out));
    (*out)->cleaning = (ksda_cleaning){ends / 2, loops / 2, (ends - loops - at) / 2};
done:
    ksda_i_free(ctx, kept);
    ksda_i_free(ctx, loop_count);
    ksda_i_free(ctx, scratch);
    if (status < 0) {
        ksda_i_free(ctx, off);
        ksda_i_free(ctx, adj);
    }
    return status;
}

typedef struct relabel_job {
    const ksda_graph *g;
    const uint32_t *to;
    const uint64_t *off;
    uint32_t *adj;
    uint32_t *scratch; /* [threads * longest] for sorting */
    uint64_t longest;
} relabel_job;

static void relabel_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    relabel_job *job = data;
    uint32_t *scratch = job->scratch + thread * job->longest;
    for (uint64_t v = begin; v < end; v++) {
        const uint32_t *row = job->g->adj + job->g->off[v];
        uint32_t degree = ksda_i_degree(job->g, (uint32_t)v);
        uint32_t *into = job->adj + job->off[job->to[v]];
        for (uint32_t i = 0; i < degree; i++) into[i] = job->to[row[i]];
        ksda_i_sort_u32(into, degree, scratch);
    }
}

ksda_status ksda_i_graph_relabel(ksda_ctx *ctx, const ksda_graph *g, const uint32_t *to, ksda_graph **out) {
    *out = NULL;
    uint64_t *off = ksda_i_calloc(ctx, (uint64_t)g->n + 1, sizeof *off);
    uint32_t *adj = ksda_i_malloc(ctx, 2 * g->m, sizeof *adj);
    uint64_t longest = longest_row(g->n, g->off);
    uint32_t *scratch = ksda_i_malloc(ctx, ctx->threads * longest, sizeof *scratch);
    if (!off || !adj || !scratch) {
        ksda_i_free(ctx, off);
        ksda_i_free(ctx, adj);
        ksda_i_free(ctx, scratch);
        return KSDA_NOMEM;
    }
    for (uint32_t v = 0; v < g->n; v++) off[to[v] + 1] = ksda_i_degree(g, v);
    for (uint32_t v = 0; v < g->n; v++) off[v + 1] += off[v];
    relabel_job job = {g, to, off, adj, scratch, longest};
    ksda_i_parallel(ctx, g->n, ROW_GRAIN, relabel_rows, &job);
    ksda_i_free(ctx, scratch);
    return ksda_i_graph_take(ctx, g->n, off, adj, out);
}

ksda_status ksda_i_graph_extend(ksda_ctx *ctx, ksda_graph *g, uint32_t extra) {
    uint64_t *off = ksda_i_realloc(ctx, g->lent_off ? NULL : g->off, (uint64_t)g->n + extra + 1, sizeof *off);
    if (!off) return KSDA_NOMEM;
    if (g->lent_off) memcpy(off, g->off, ((uint64_t)g->n + 1) * sizeof *off);
    g->lent_off = false;
    for (uint32_t i = 0; i < extra; i++) off[g->n + 1 + i] = off[g->n];
    g->off = off;
    g->n += extra;
    return KSDA_OK;
}
