/* Rows in order. Where they are made when they are asked for (overlay.c) all threads make as many at a time as fill
 * some MiB; where other processes have them, they bring as many. */
#include "graph/walk.h"

#include "core/parallel.h"
#include "graph/peers.h"

#define WINDOW ((uint64_t)1 << 22) /* entries: 16 MiB */
#define ROW_GRAIN 256

ksda_status ksda_i_walk_begin(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_walk *out) {
    *out = (ksda_i_walk){.ctx = ctx, .graph = graph};
    if (!ksda_i_graph_makes_rows(graph)) return KSDA_OK;
    uint64_t ends = graph->off[graph->n];
    out->longest = ksda_i_graph_longest_row(graph);
    out->room = ends < WINDOW ? ends : out->longest > WINDOW ? out->longest : WINDOW;
    out->row = ksda_i_malloc(ctx, out->room, sizeof *out->row);
    out->scratch = ksda_i_malloc(ctx, ctx->threads * out->longest, sizeof *out->scratch);
    return out->row && out->scratch ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_walk_end(ksda_i_walk *w) {
    ksda_i_free(w->ctx, w->row);
    ksda_i_free(w->ctx, w->scratch);
}

static void make_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_i_walk *w = data;
    const ksda_graph *g = w->graph;
    if (ksda_i_cancelled(w->ctx)) return;
    for (uint64_t i = begin; i < end; i++)
        g->far->row(g, (uint32_t)(w->first + i), KSDA_I_ROW_ABOVE, w->row + (g->off[w->first + i] - g->off[w->first]),
                    w->scratch + thread * w->longest);
}

ksda_status ksda_i_walk_to(ksda_i_walk *w, uint32_t v, const uint32_t **row) {
    const ksda_graph *g = w->graph;
    ksda_status status = KSDA_OK;
    if (!w->row) {
        ksda_i_graph_walk(g, v);
        *row = g->adj + g->off[v];
        return KSDA_OK;
    }
    if (v >= w->last) {
        w->first = w->last = v;
        while (w->last < g->n && g->off[w->last + 1] - g->off[v] <= w->room) w->last++;
        ksda_i_parallel(w->ctx, w->last - w->first, ROW_GRAIN, make_rows, w);
        status = ksda_i_interrupted(w->ctx);
    }
    *row = w->row + (g->off[v] - g->off[w->first]);
    return status;
}
