/* A release, made where the rows are: every process renames its own edges, and mpi_rows() shares out the result.
 *
 * The first process tells the others what the pieces are called and which edges of split vertices further pieces carry;
 * it alone puts in the added edges and the links. 4 bytes a piece everywhere, and 8 an edge of the share while it runs.
 * Where so much is split that telling it would be telling most of the graph, the first process does it by itself. */
#include "world.h"

#include "graph/edits.h"

#include <stdlib.h>

#define MOST_CARRIED 8     /* carried ends that are told: at most one for so many edges, */
#define FEW_CARRIED 65536u /* or this many */

/* The piece of `end >> 32` that carries its edge to `(uint32_t)end`; others are carried by the vertex itself. */
typedef struct carried {
    uint64_t end, piece;
} carried;

typedef struct making {
    uint64_t pieces, count;
    uint32_t *to;
    carried *carried; /* [count] ascending */
} making;

static int by_end(const void *a, const void *b) {
    const carried *x = a, *y = b;
    return (x->end > y->end) - (x->end < y->end);
}

static uint64_t count_carried(const ksda_edits *e) {
    uint64_t count = 0;
    for (uint64_t s = 0; s < e->splits; s++) count += ksda_i_degree(e->graph, e->split[s].vertex);
    return count;
}

static void list_carried(const ksda_edits *e, carried *out) {
    uint64_t count = 0;
    for (uint64_t s = 0; s < e->splits; s++) {
        uint32_t v = e->split[s].vertex;
        ksda_i_graph_need(e->graph, v);
        for (uint64_t i = e->graph->off[v]; i < e->graph->off[v + 1]; i++)
            out[count++] = (carried){(uint64_t)v << 32 | e->graph->adj[i], e->split[s].carrier[i - e->graph->off[v]]};
    }
    qsort(out, count, sizeof *out, by_end);
}

static uint32_t piece_of(const making *m, uint32_t v, uint32_t w) {
    const carried wanted = {(uint64_t)v << 32 | w, 0};
    const carried *found = m->count ? bsearch(&wanted, m->carried, m->count, sizeof wanted, by_end) : NULL;
    return found ? (uint32_t)found->piece : v;
}

/* --- renaming --------------------------------------------------------------------------------------------------------
 */

typedef struct pairs {
    uint32_t *pair;
    ksda_i_slice *slice;
    uint64_t edges, slices;
} pairs;

static void put(const making *m, pairs *x, uint32_t p, uint32_t q) {
    x->pair[2 * x->edges] = m->to[p], x->pair[2 * x->edges + 1] = m->to[q];
    x->edges++;
}

static void rename_edges(const making *m, const mpi_share *s, const ksda_edits *edits, pairs *x) {
    for (uint32_t v = s->first; v < s->last; v++)
        for (uint64_t i = s->off[v - s->first]; i < s->off[v - s->first + 1]; i++)
            if (s->adj[i] > v) put(m, x, piece_of(m, v, s->adj[i]), piece_of(m, s->adj[i], v));
    for (uint64_t i = 0; edits && i < edits->added.count; i++)
        put(m, x, edits->added.pair[i].u, edits->added.pair[i].v);
    for (uint64_t i = 0; edits && i < edits->links.count; i++)
        put(m, x, edits->links.pair[i].u, edits->links.pair[i].v);
    for (uint64_t at = 0; at < x->edges; at += KSDA_I_SLICE_EDGES) {
        uint64_t count = x->edges - at < KSDA_I_SLICE_EDGES ? x->edges - at : KSDA_I_SLICE_EDGES;
        x->slice[x->slices++] = (ksda_i_slice){x->pair + 2 * at, (uint32_t)count, 0};
    }
}

/* All of them; edits at the first process. */
static ksda_status make_together(ksda_ctx *ctx, const making *m, const mpi_share *s, const ksda_edits *edits,
                                 ksda_graph **out) {
    ksda_status status;
    uint64_t most = edits ? edits->added.count + edits->links.count : 0;
    pairs x = {.edges = 0};
    for (uint32_t v = s->first; v < s->last; v++)
        for (uint64_t i = s->off[v - s->first]; i < s->off[v - s->first + 1]; i++) most += s->adj[i] > v;
    x.pair = ksda_i_malloc(ctx, 2 * most, sizeof *x.pair);
    x.slice = ksda_i_malloc(ctx, most / KSDA_I_SLICE_EDGES + 1, sizeof *x.slice);
    KSDA_I_TRY(mpi_agree(ctx, x.pair && x.slice ? KSDA_OK : KSDA_NOMEM, 0));
    rename_edges(m, s, edits, &x);
    KSDA_I_TRY(mpi_rows(ctx, (uint32_t)m->pieces, x.slice, x.slices, NULL, NULL, out));
done:
    ksda_i_free(ctx, x.pair);
    ksda_i_free(ctx, x.slice);
    return status;
}

/* --- entries ---------------------------------------------------------------------------------------------------------
 */

ksda_status mpi_apply(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, ksda_graph **out) {
    const mpi_share *s = edits->graph->far_data;
    making m = {.pieces = ksda_edits_pieces(edits), .count = count_carried(edits), .to = (uint32_t *)to};
    ksda_status status = KSDA_OK;
    *out = NULL;
    if (m.count > FEW_CARRIED && m.count > edits->graph->m / MOST_CARRIED) return KSDA_OK;
    m.carried = ksda_i_malloc(ctx, m.count, sizeof *m.carried);
    if (!m.carried) return KSDA_NOMEM;
    list_carried(edits, m.carried);
    mpi_tell_all(MPI_ORDER_APPLY, s->handle, 0, 0);
    mpi_broadcast(&m.pieces, sizeof m.pieces, 0);
    mpi_broadcast(&m.count, sizeof m.count, 0);
    KSDA_I_TRY(mpi_agree(ctx, KSDA_OK, 0));
    mpi_broadcast(m.to, m.pieces * sizeof *m.to, 0);
    mpi_broadcast(m.carried, m.count * sizeof *m.carried, 0);
    KSDA_I_TRY(make_together(ctx, &m, s, edits, out));
    ksda_i_ids_range(&(*out)->ids, (uint32_t)m.pieces, 0);
    if ((*out)->cleaning.self_loops + (*out)->cleaning.duplicate_edges > 0) { /* no release: let it be said which */
        ksda_graph_free(ctx, *out);
        *out = NULL;
    }
done:
    ksda_i_free(ctx, m.carried);
    return status;
}

void mpi_apply_serve(unsigned handle) {
    ksda_ctx *ctx = world.ctx;
    ksda_graph *shell = NULL;
    ksda_status status;
    making m;
    mpi_broadcast(&m.pieces, sizeof m.pieces, 0);
    mpi_broadcast(&m.count, sizeof m.count, 0);
    m.to = ksda_i_malloc(ctx, m.pieces, sizeof *m.to);
    m.carried = ksda_i_malloc(ctx, m.count, sizeof *m.carried);
    KSDA_I_TRY(mpi_agree(ctx, m.to && m.carried ? KSDA_OK : KSDA_NOMEM, 0));
    mpi_broadcast(m.to, m.pieces * sizeof *m.to, 0);
    mpi_broadcast(m.carried, m.count * sizeof *m.carried, 0);
    KSDA_I_TRY(make_together(ctx, &m, world.share[handle], NULL, &shell));
done:
    ksda_graph_free(ctx, shell);
    ksda_i_free(ctx, m.to);
    ksda_i_free(ctx, m.carried);
}
