/* Biconnected components by depth-first search with low points (Hopcroft & Tarjan 1973, doi:10.1145/362248.362272),
 * without recursion. A block is complete when the search leaves the child c of v with low(c) >= entered(v): it is v and
 * what was stacked since c. Blocks are completed from the leaves up, so the vertices below each are counted by then.
 * Time O(n + m), memory 36 bytes a vertex. */
#include "measure/blocks.h"

#include "core/sort.h"

#include <stdlib.h>

typedef struct search {
    const ksda_i_ordered *g;
    uint32_t *entered, *low; /* [n] entered from 1 on; 0: not yet */
    uint64_t *edge;          /* [n] the next edge to look at */
    uint32_t *path, *stack;  /* [n] vertices being searched; vertices not yet in a block */
    uint32_t *below;         /* [n] vertices in completed blocks under this one */
    uint32_t clock, path_size, stack_size;
    uint64_t size, capacity, hanging_capacity, start_capacity;
    ksda_i_blocks *out;
} search;

void ksda_i_blocks_clear(ksda_ctx *ctx, ksda_i_blocks *b) {
    ksda_i_free(ctx, b->start);
    ksda_i_free(ctx, b->vertex);
    ksda_i_free(ctx, b->hanging);
    memset(b, 0, sizeof *b);
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The block of v and everything stacked from c on. component: number of vertices of the component. */
static ksda_status complete(ksda_ctx *ctx, search *s, uint32_t v, uint32_t c, uint32_t component) {
    ksda_i_blocks *b = s->out;
    uint32_t from = s->stack_size, total = 0;
    while (s->stack[from - 1] != c) from--;
    uint64_t members = s->stack_size - (from - 1) + 1u;
    ksda_status status = ksda_i_reserve(ctx, &b->vertex, &s->capacity, s->size + members, sizeof *b->vertex);
    if (status >= 0)
        status = ksda_i_reserve(ctx, &b->hanging, &s->hanging_capacity, s->size + members, sizeof *b->hanging);
    if (status >= 0)
        status = ksda_i_reserve(ctx, &b->start, &s->start_capacity, b->count + UINT64_C(2), sizeof *b->start);
    if (status < 0) return status;
    uint32_t *vertex = b->vertex + s->size;
    memcpy(vertex, s->stack + from - 1, (members - 1) * sizeof *vertex);
    s->stack_size = from - 1;
    for (uint64_t i = 0; i + 1 < members; i++) total += 1 + s->below[vertex[i]];
    vertex[members - 1] = v;
    ksda_i_sort_by(vertex, members, sizeof *vertex, ascending);
    for (uint64_t i = 0; i < members; i++)
        b->hanging[s->size + i] = vertex[i] == v ? (double)(component - total) : 1.0 + s->below[vertex[i]];
    s->below[v] += total;
    b->start[b->count++] = s->size;
    s->size += members;
    b->start[b->count] = s->size;
    return KSDA_OK;
}

static void enter_vertex(search *s, uint32_t v) {
    s->entered[v] = s->low[v] = ++s->clock;
    s->edge[v] = s->g->off[v];
    s->path[s->path_size++] = v;
    s->stack[s->stack_size++] = v;
}

static ksda_status search_from(ksda_ctx *ctx, search *s, uint32_t root, uint32_t component) {
    const ksda_i_ordered *g = s->g;
    ksda_status status = ksda_i_look(ctx, s->clock);
    uint64_t steps = 0;
    enter_vertex(s, root);
    while (s->path_size > 0 && status >= 0) {
        uint32_t v = s->path[s->path_size - 1];
        if ((status = ksda_i_look(ctx, ++steps)) < 0) break;
        if (s->edge[v] < g->off[v + 1]) {
            uint32_t u = g->adj[s->edge[v]++];
            if (s->entered[u] == 0)
                enter_vertex(s, u);
            else if (s->entered[u] < s->low[v])
                s->low[v] = s->entered[u];
            continue;
        }
        s->path_size--;
        if (s->path_size == 0) break;
        uint32_t parent = s->path[s->path_size - 1];
        if (s->low[v] < s->low[parent]) s->low[parent] = s->low[v];
        if (s->low[v] >= s->entered[parent]) status = complete(ctx, s, parent, v, component);
    }
    s->stack_size = 0;
    return status;
}

ksda_status ksda_i_blocks_find(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_blocks *out) {
    ksda_status status = KSDA_OK;
    search s = {.g = g, .out = out};
    memset(out, 0, sizeof *out);
    s.entered = ksda_i_calloc(ctx, g->n, sizeof *s.entered);
    s.low = ksda_i_malloc(ctx, g->n, sizeof *s.low);
    s.edge = ksda_i_malloc(ctx, g->n, sizeof *s.edge);
    s.path = ksda_i_malloc(ctx, g->n, sizeof *s.path);
    s.stack = ksda_i_malloc(ctx, g->n, sizeof *s.stack);
    s.below = ksda_i_calloc(ctx, g->n, sizeof *s.below);
    if (!s.entered || !s.low || !s.edge || !s.path || !s.stack || !s.below) status = KSDA_NOMEM;
    if (status >= 0) status = ksda_i_reserve(ctx, &out->start, &s.start_capacity, 1, sizeof *out->start);
    if (status >= 0) out->start[0] = 0;
    for (uint32_t c = 0; c < g->components && status >= 0; c++)
        status = search_from(ctx, &s, g->start[c], g->start[c + 1] - g->start[c]);
    ksda_i_free(ctx, s.entered);
    ksda_i_free(ctx, s.low);
    ksda_i_free(ctx, s.edge);
    ksda_i_free(ctx, s.path);
    ksda_i_free(ctx, s.stack);
    ksda_i_free(ctx, s.below);
    if (status < 0) ksda_i_blocks_clear(ctx, out);
    return status;
}
