/* The edges that were added in one community: as a list, and for each piece as a chain of its ends. */
#include "methods/levelplan/realize.h"

#define MOST_EDGES 0x7ffffffeu /* added in one community: their ends are numbered from 1 in 32 bits */

void ksda_i_realize_mark(ksda_i_realizer *d, uint32_t u) {
    const ksda_graph *g = d->all->graph;
    const uint32_t *owner = d->all->pieces->owner;
    uint32_t v = owner[u];
    if (++d->stamp == 0) { /* once around: no old mark may look like a new one */
        memset(d->mark, 0, g->n * sizeof *d->mark);
        d->stamp = 1;
    }
    ksda_i_graph_need(g, v);
    d->mark[v] = d->stamp;
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) d->mark[g->adj[i]] = d->stamp;
    for (uint32_t e = d->first[u]; e; e = d->chain[e - 1]) {
        const ksda_pair *pair = &d->out->pair[(e - 1) / 2];
        d->mark[owner[(e - 1) % 2 ? pair->u : pair->v]] = d->stamp;
    }
}

ksda_status ksda_i_realize_connect(ksda_i_realizer *d, uint32_t u, uint32_t w) {
    ksda_i_new_edges *out = d->out;
    ksda_ctx *ctx = d->all->ctx;
    if (out->count >= MOST_EDGES)
        return ksda_i_error(ctx, KSDA_NOMEM, "a community would get more than %u new edges: there is no room for them",
                            MOST_EDGES);
    if (ksda_i_reserve(ctx, &out->pair, &out->capacity, out->count + 1, sizeof *out->pair) < 0 ||
        ksda_i_reserve(ctx, &d->chain, &d->chain_capacity, 2 * (out->count + 1), sizeof *d->chain) < 0)
        return KSDA_NOMEM;
    uint32_t e = (uint32_t)(2 * out->count);
    out->pair[out->count++] = (ksda_pair){u, w};
    d->chain[e] = d->first[u], d->first[u] = e + 1;
    d->chain[e + 1] = d->first[w], d->first[w] = e + 2;
    return KSDA_OK;
}

/* Take edge end e (index * 2 + end) out of its piece's list. */
static void unhook(ksda_i_realizer *d, uint32_t piece, uint32_t e) {
    uint32_t *at = &d->first[piece];
    while (*at != e + 1) at = &d->chain[*at - 1];
    *at = d->chain[e];
}

void ksda_i_realize_rehang(ksda_i_realizer *d, uint32_t e, uint32_t x, uint32_t u) {
    ksda_pair *pair = &d->out->pair[e];
    uint32_t end = pair->u == x ? 1 : 0; /* the end that changes */
    uint32_t old = end ? pair->v : pair->u;
    unhook(d, old, 2 * e + end);
    if (end)
        pair->v = u;
    else
        pair->u = u;
    d->chain[2 * e + end] = d->first[u], d->first[u] = 2 * e + end + 1;
}

bool ksda_i_realize_adjacent(const ksda_i_realizer *d, uint32_t u, uint32_t w) {
    const uint32_t *owner = d->all->pieces->owner;
    if (owner[u] == owner[w] || ksda_graph_adjacent(d->all->graph, owner[u], owner[w])) return true;
    for (uint32_t e = d->first[u]; e; e = d->chain[e - 1]) {
        const ksda_pair *pair = &d->out->pair[(e - 1) / 2];
        if (owner[(e - 1) % 2 ? pair->u : pair->v] == owner[w]) return true;
    }
    return false;
}
