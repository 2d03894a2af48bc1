/* An order of the vertices for searches that start from many sources at once.
 *
 * The nearer the sources of a batch are to each other, the more their searches look alike: the same vertices are then
 * at the front at the same time, and one look at a neighbour serves all sources. Breadth-first from a vertex of the
 * largest degree puts the neighbours of one vertex beside each other; clusters grown from many vertices were tried and
 * left no better batches. Time O(n + m). */
#include "measure/order.h"

#include "core/sort.h"

#include <stdlib.h>

typedef struct root {
    uint32_t vertex, size;
} root;

void ksda_i_ordered_clear(ksda_ctx *ctx, ksda_i_ordered *o) {
    ksda_i_free(ctx, o->off);
    ksda_i_free(ctx, o->adj);
    ksda_i_free(ctx, o->vertex);
    ksda_i_free(ctx, o->start);
    ksda_i_free(ctx, o->of);
    memset(o, 0, sizeof *o);
}

/* Breadth-first from start over vertices that are not yet placed, into order; *size is their number, too small where
 * the work must stop. */
static ksda_status grow_order(ksda_ctx *ctx, const ksda_graph *g, uint32_t start, unsigned char *placed,
                              uint32_t *order, uint32_t *size) {
    ksda_status status = KSDA_OK;
    uint32_t head = 0, tail = 0;
    placed[start] = 1;
    order[tail++] = start;
    while (head < tail && (status = ksda_i_look(ctx, start + head)) >= 0) {
        uint32_t v = order[head++];
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
            if (placed[g->adj[e]]) continue;
            placed[g->adj[e]] = 1;
            order[tail++] = g->adj[e];
        }
    }
    *size = tail;
    return status;
}

static int by_size(const void *a, const void *b) {
    const root *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return x->vertex < y->vertex ? -1 : 1;
}

/* The vertex of largest degree of every component, components by size. order and placed are scratch. */
static ksda_status find_roots(ksda_ctx *ctx, const ksda_graph *g, uint32_t *order, unsigned char *placed, root **out,
                              uint64_t *count) {
    root *roots = NULL;
    uint64_t capacity = 0;
    ksda_status status = KSDA_OK;
    *count = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        if (placed[v]) continue;
        if ((status = ksda_i_look(ctx, *count)) < 0) break;
        uint32_t size, best = v;
        if ((status = grow_order(ctx, g, v, placed, order, &size)) < 0) break;
        for (uint32_t i = 0; i < size; i++)
            if (ksda_i_degree(g, order[i]) > ksda_i_degree(g, best)) best = order[i];
        if ((status = ksda_i_reserve(ctx, &roots, &capacity, *count + 1, sizeof *roots)) < 0) break;
        roots[(*count)++] = (root){best, size};
    }
    memset(placed, 0, g->n);
    if (*count) ksda_i_sort_by(roots, *count, sizeof *roots, by_size);
    *out = roots;
    return status;
}

static ksda_status place_vertices(ksda_ctx *ctx, const ksda_graph *g, ksda_i_ordered *o) {
    root *roots = NULL;
    uint64_t count = 0;
    uint32_t at = 0;
    unsigned char *placed = ksda_i_calloc(ctx, g->n, 1);
    ksda_status status = placed ? find_roots(ctx, g, o->vertex, placed, &roots, &count) : KSDA_NOMEM;
    o->start = status >= 0 ? ksda_i_malloc(ctx, count + 1, sizeof *o->start) : NULL;
    if (!o->start && status >= 0) status = KSDA_NOMEM;
    for (uint64_t c = 0; c < count && status >= 0; c++) {
        uint32_t size;
        o->start[c] = at;
        status = grow_order(ctx, g, roots[c].vertex, placed, o->vertex + at, &size);
        for (uint32_t i = 0; i < size; i++) o->of[at++] = (uint32_t)c;
    }
    if (status >= 0) {
        o->components = (uint32_t)count;
        o->start[count] = at;
    }
    ksda_i_free(ctx, placed);
    ksda_i_free(ctx, roots);
    return status;
}

static ksda_status rename_rows(ksda_ctx *ctx, const ksda_graph *g, ksda_i_ordered *o) {
    uint64_t at = 0;
    uint32_t *name = ksda_i_malloc(ctx, g->n, sizeof *name);
    ksda_status status = KSDA_OK;
    if (!name) return KSDA_NOMEM;
    for (uint32_t i = 0; i < g->n; i++) name[o->vertex[i]] = i;
    for (uint32_t i = 0; i < g->n && (status = ksda_i_look(ctx, i)) >= 0; i++) {
        uint32_t v = o->vertex[i];
        o->off[i] = at;
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) o->adj[at++] = name[g->adj[e]];
    }
    o->off[g->n] = at;
    ksda_i_free(ctx, name);
    return status;
}

ksda_status ksda_i_ordered_new(ksda_ctx *ctx, const ksda_graph *g, ksda_i_ordered *out) {
    *out = (ksda_i_ordered){.n = g->n};
    out->off = ksda_i_malloc(ctx, (uint64_t)g->n + 1, sizeof *out->off);
    out->adj = ksda_i_malloc(ctx, 2 * g->m, sizeof *out->adj);
    out->vertex = ksda_i_malloc(ctx, g->n, sizeof *out->vertex);
    out->of = ksda_i_malloc(ctx, g->n, sizeof *out->of);
    ksda_status status = out->off && out->adj && out->vertex && out->of ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) status = place_vertices(ctx, g, out);
    if (status >= 0) status = rename_rows(ctx, g, out);
    if (status < 0) ksda_i_ordered_clear(ctx, out);
    return status;
}
