/* A release, made where the rows are: every process renames its own edges, and mpi_rows_of_slices() shares out the
 * result.
 *
 * The first process tells the others the key that the secret ids of all pieces come from (core/keyed.h), or with
 * --insecure-ids the ids, and which edges of split vertices further pieces carry; it alone puts in the added edges and
 * the links. Edges are renamed when they are counted and again when they are sent, so that there is never a second copy
 * of them, and kept at their smaller end. With a key there is no table of all pieces but at the first process.
 * Where so much is split that telling it would be telling most of the graph, the first process does it by itself. */
#include "world.h"

#include "core/keyed.h"
#include "core/pages.h"
#include "graph/edits.h"

#include <stdlib.h>

#define MOST_CARRIED 8     /* carried ends that are told: at most one for so many edges, */
#define FEW_CARRIED 65536u /* or this many */
#define AHEAD 16           /* ends whose new number is looked up before their turn */

/* The piece of `end >> 32` that carries its edge to `(uint32_t)end`; others are carried by the vertex itself. */
typedef struct carried {
    uint64_t end, piece;
} carried;

typedef struct making {
    uint64_t pieces, count, secret; /* secret: there is a key */
    uint8_t key[KSDA_I_KEY_BYTES];
    ksda_i_keyed keyed;
    uint32_t *to;     /* [pieces], or NULL where there is a key */
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

typedef struct renaming {
    const making *m;
    const mpi_share *s;
    const ksda_edits *edits; /* at the first process */
    uint32_t v, name;        /* the row that is next, and what it is called; from neighbour i on */
    uint64_t i, extra;
} renaming;

static uint32_t name_of(const making *m, uint32_t p) {
    return m->to ? m->to[p] : ksda_i_keyed_at(&m->keyed, p);
}

static void begin_row(renaming *x, uint32_t v) {
    x->v = v, x->i = 0;
    if (v < x->s->last) x->name = name_of(x->m, v);
}

/* Edges that were added, and links: i counts through both. */
static bool extra_pair(const renaming *x, uint64_t i, ksda_pair *out) {
    const ksda_edits *e = x->edits;
    uint64_t added = e ? e->added.count : 0;
    if (!e || i >= added + e->links.count) return false;
    *out = i < added ? e->added.pair[i] : e->links.pair[i - added];
    return true;
}

static uint64_t next_renamed(void *data, uint32_t *pair, uint64_t most, bool last_time) {
    renaming *x = data;
    const mpi_share *s = x->s;
    uint64_t got = 0, end = s->off[s->last - s->first];
    ksda_pair extra;
    (void)last_time;
    for (; x->v < s->last; begin_row(x, x->v + 1)) {
        uint64_t begin = s->off[x->v - s->first], length = s->off[x->v - s->first + 1] - begin;
        for (; x->i < length; x->i++) {
            uint32_t w = s->adj[begin + x->i];
            if (x->m->to && begin + x->i + AHEAD < end) __builtin_prefetch(&x->m->to[s->adj[begin + x->i + AHEAD]]);
            if (!s->halves && !mpi_is_turn_of(x->v, w)) continue;
            if (got == most) return got;
            uint32_t p = piece_of(x->m, x->v, w), q = piece_of(x->m, w, x->v);
            pair[2 * got] = p == x->v ? x->name : name_of(x->m, p);
            pair[2 * got++ + 1] = name_of(x->m, q);
        }
    }
    for (; extra_pair(x, x->extra, &extra); x->extra++) {
        if (got == most) return got;
        pair[2 * got] = name_of(x->m, extra.u), pair[2 * got++ + 1] = name_of(x->m, extra.v);
    }
    if (got == 0) begin_row(x, s->first), x->extra = 0;
    return got;
}

/* All of them; edits at the first process. */
static ksda_status make_together(ksda_ctx *ctx, making *m, const mpi_share *s, const ksda_edits *edits,
                                 ksda_graph **out) {
    renaming x = {.m = m, .s = s, .edits = edits};
    const mpi_feed feed = {next_renamed, &x};
    ksda_status status;
    if (m->secret) mpi_broadcast(m->key, sizeof m->key, 0);
    KSDA_I_TRY(mpi_agree_on_status(
        ctx, m->secret ? ksda_i_keyed_open(ctx, m->key, (uint32_t)m->pieces, &m->keyed) : KSDA_OK, 0));
    if (!m->secret) mpi_broadcast(m->to, m->pieces * sizeof *m->to, 0);
    mpi_broadcast(m->carried, m->count * sizeof *m->carried, 0);
    begin_row(&x, s->first);
    KSDA_I_TRY(mpi_rows_of_feed(ctx, (uint32_t)m->pieces, &feed, true, out));
done:
    ksda_i_keyed_close(ctx, &m->keyed);
    explicit_bzero(m->key, sizeof m->key);
    return status;
}

/* --- entries ---------------------------------------------------------------------------------------------------------
 */

ksda_status mpi_make_release(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, const uint8_t *key,
                             ksda_graph **out) {
    const mpi_share *s = edits->graph->far_data;
    making m = {.pieces = ksda_edits_pieces(edits), .count = count_carried(edits), .to = (uint32_t *)to};
    ksda_status status = KSDA_OK;
    *out = NULL;
    if (m.count > FEW_CARRIED && m.count > edits->graph->m / MOST_CARRIED) return KSDA_OK;
    m.carried = ksda_i_malloc(ctx, m.count, sizeof *m.carried);
    if (!m.carried) return KSDA_NOMEM;
    list_carried(edits, m.carried);
    if (key) m.secret = 1, memcpy(m.key, key, sizeof m.key);
    uint64_t told[] = {m.pieces, m.count, m.secret};
    mpi_send_order_to_all(MPI_ORDER_APPLY, s->handle, 0, 0);
    mpi_broadcast(told, sizeof told, 0);
    KSDA_I_TRY(mpi_agree_on_status(ctx, KSDA_OK, 0));
    mpi_work_together(ctx);
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

void mpi_make_release_serve(unsigned handle) {
    ksda_ctx *ctx = world.ctx;
    ksda_graph *shell = NULL;
    ksda_status status;
    uint64_t told[3];
    mpi_broadcast(told, sizeof told, 0);
    making m = {.pieces = told[0], .count = told[1], .secret = told[2]};
    m.to = m.secret ? NULL : ksda_i_malloc(ctx, m.pieces, sizeof *m.to);
    if (m.to) ksda_i_pages_huge(m.to, m.pieces * sizeof *m.to); /* read in no order */
    m.carried = ksda_i_malloc(ctx, m.count, sizeof *m.carried);
    KSDA_I_TRY(mpi_agree_on_status(ctx, (m.to || m.secret) && m.carried ? KSDA_OK : KSDA_NOMEM, 0));
    KSDA_I_TRY(make_together(ctx, &m, world.share[handle], NULL, &shell));
done:
    ksda_graph_free(ctx, shell);
    ksda_i_free(ctx, m.to);
    ksda_i_free(ctx, m.carried);
}
