/* A release, made where the rows are: every process renames its own rows, and mpi_rows_of_made() shares out the result.
 *
 * The first process tells the others the key that the secret ids of all pieces come from (core/keyed.h), or with
 * --insecure-ids the ids, and which edges of split vertices further pieces carry; it alone puts in the added edges and
 * the links. An edge stands in two rows, and is kept in the one that has the smaller new id, 4 bytes for each until it
 * is sent. With a key there is no table of all pieces but at the first process. Where so much is split that telling it
 * would be telling most of the graph, the first process does it by itself. */
#include "world.h"

#include "core/keyed.h"
#include "core/pages.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "graph/edits.h"

#include <stdlib.h>

#define MOST_CARRIED 8     /* carried ends that are told: at most one for so many edges, */
#define FEW_CARRIED 65536u /* or this many */
#define AHEAD 32           /* ends whose new number is looked up before their turn */

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
    uint64_t *split;  /* a bit for everybody who is; NULL where nobody is */
} making;

static bool is_split(const making *m, uint32_t v) {
    return m->split && (m->split[v >> 6] >> (v & 63) & 1);
}

static void mark_split(making *m) {
    for (uint64_t i = 0; i < m->count; i++)
        m->split[m->carried[i].end >> 38] |= UINT64_C(1) << (m->carried[i].end >> 32 & 63);
}

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
    ksda_i_sort_by(out, count, sizeof *out, by_end);
}

static uint32_t piece_of(const making *m, uint32_t v, uint32_t w) {
    if (!is_split(m, v)) return v;
    const carried wanted = {(uint64_t)v << 32 | w, 0};
    const carried *found = bsearch(&wanted, m->carried, m->count, sizeof wanted, by_end);
    return found ? (uint32_t)found->piece : v;
}

static uint32_t name_of(const making *m, uint32_t p) {
    return m->to ? m->to[p] : ksda_i_keyed_at(&m->keyed, p);
}

/* --- renaming --------------------------------------------------------------------------------------------------------
 */

typedef struct renaming {
    ksda_ctx *ctx;
    const making *m;
    const mpi_share *s;
    mpi_made made;
    uint32_t **scratch; /* [threads] what a block has before anything is dropped */
    atomic_bool failed;
} renaming;

/* Where nobody is split and names stand in a table: the usual case, and nothing but waiting for memory. */
static uint32_t rename_plain_row(const mpi_share *s, const uint32_t *to, uint64_t begin, uint64_t stop, uint32_t name,
                                 uint32_t *restrict out) {
    const uint32_t *adj = s->adj;
    uint64_t last = s->off[s->last - s->first] - 1;
    uint32_t kept = 0;
    for (uint64_t i = begin; i < stop; i++) {
        uint32_t called = to[adj[i]];
        __builtin_prefetch(&to[adj[i + AHEAD < last ? i + AHEAD : last]]);
        out[kept] = called;
        kept += called > name;
    }
    return kept;
}

/* Those neighbours of v, who is not split, whose names are larger than its own. Returns how many. */
static uint32_t rename_row(const renaming *x, uint32_t v, uint32_t name, uint32_t *out) {
    const mpi_share *s = x->s;
    const making *m = x->m;
    uint64_t begin = s->off[v - s->first], stop = s->off[v - s->first + 1];
    uint32_t kept = 0;
    if (m->to && !m->split) return rename_plain_row(s, m->to, begin, stop, name, out);
    for (uint64_t i = begin; i < stop; i++) {
        uint32_t w = s->adj[i], called = name_of(m, m->split ? piece_of(m, w, v) : w);
        out[kept] = called;
        kept += called > name;
    }
    return kept;
}

static void rename_block(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    renaming *x = data;
    mpi_made *made = &x->made;
    uint64_t used = 0;
    if (ksda_i_cancelled(x->ctx) || atomic_load(&x->failed)) return;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t v = x->s->first + (uint32_t)i;
        made->name[i] = name_of(x->m, v);
        made->length[i] = is_split(x->m, v) ? 0 : rename_row(x, v, made->name[i], x->scratch[thread] + used);
        used += made->length[i];
    }
    uint32_t *block = ksda_i_malloc(x->ctx, used, sizeof *block);
    made->block[begin / MPI_MADE_ROWS] = block;
    if (block)
        memcpy(block, x->scratch[thread], used * sizeof *block);
    else
        atomic_store(&x->failed, true);
    if (thread == 0) ksda_i_progress(x->ctx, "making the release", begin, made->rows);
}

/* The most ends that the rows of a block have. */
static uint64_t most_in_block(const mpi_share *s) {
    uint64_t rows = s->last - s->first, most = 0;
    for (uint64_t i = 0; i < rows; i += MPI_MADE_ROWS) {
        uint64_t ends = s->off[i + MPI_MADE_ROWS < rows ? i + MPI_MADE_ROWS : rows] - s->off[i];
        if (ends > most) most = ends;
    }
    return most;
}

static ksda_status open_renaming(renaming *x) {
    mpi_made *made = &x->made;
    unsigned threads = ksda_ctx_threads(x->ctx);
    uint64_t most = most_in_block(x->s);
    made->rows = x->s->last - x->s->first;
    made->name = ksda_i_malloc(x->ctx, made->rows, sizeof *made->name);
    made->length = ksda_i_malloc(x->ctx, made->rows, sizeof *made->length);
    made->block = ksda_i_calloc(x->ctx, made->rows / MPI_MADE_ROWS + 1, sizeof *made->block);
    x->scratch = ksda_i_calloc(x->ctx, threads, sizeof *x->scratch);
    if (!made->name || !made->length || !made->block || !x->scratch) return KSDA_NOMEM;
    for (unsigned t = 0; t < threads; t++) {
        x->scratch[t] = ksda_i_malloc(x->ctx, most + 1, sizeof **x->scratch); /* the last one may be dropped, too */
        if (!x->scratch[t]) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

static void close_scratch(renaming *x) {
    for (unsigned t = 0; x->scratch && t < ksda_ctx_threads(x->ctx); t++) ksda_i_free(x->ctx, x->scratch[t]);
    ksda_i_free(x->ctx, x->scratch);
    x->scratch = NULL;
}

static void close_renaming(renaming *x) {
    close_scratch(x);
    for (uint64_t b = 0; x->made.block && b <= x->made.rows / MPI_MADE_ROWS; b++) ksda_i_free(x->ctx, x->made.block[b]);
    void *block[] = {x->made.name, x->made.length, x->made.block, x->made.loose};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(x->ctx, block[i]);
}

/* --- loose ends: of people who are split, of edges that were added, and of links
 * ---------------------------------------
 */

static void add_loose(renaming *x, uint32_t p, uint32_t q) {
    uint32_t u = name_of(x->m, p), v = name_of(x->m, q);
    x->made.loops += u == v;
    if (u != v) x->made.loose[x->made.looses++] = (ksda_pair){u < v ? u : v, u < v ? v : u};
}

/* Of an edge at v, who is split: is it from here that it is put in? The row of its other end does not have it where v's
 * piece has the smaller name, nor does any row where both are split. */
static bool is_loose_at(const making *m, uint32_t v, uint32_t w) {
    uint32_t p = piece_of(m, v, w), q = piece_of(m, w, v);
    return name_of(m, p) < name_of(m, q);
}

/* edits at the first process, else NULL. */
static ksda_status list_loose(renaming *x, const ksda_edits *edits) {
    const mpi_share *s = x->s;
    uint64_t most = edits ? edits->added.count + edits->links.count : 0;
    for (uint32_t v = s->first; x->m->split && v < s->last; v++)
        if (is_split(x->m, v)) most += s->off[v - s->first + 1] - s->off[v - s->first];
    if (!(x->made.loose = ksda_i_malloc(x->ctx, most, sizeof *x->made.loose))) return KSDA_NOMEM;
    for (uint32_t v = s->first; x->m->split && v < s->last; v++)
        for (uint64_t i = s->off[v - s->first]; is_split(x->m, v) && i < s->off[v - s->first + 1]; i++)
            if (is_loose_at(x->m, v, s->adj[i]))
                add_loose(x, piece_of(x->m, v, s->adj[i]), piece_of(x->m, s->adj[i], v));
    for (uint64_t i = 0; edits && i < edits->added.count; i++)
        add_loose(x, edits->added.pair[i].u, edits->added.pair[i].v);
    for (uint64_t i = 0; edits && i < edits->links.count; i++)
        add_loose(x, edits->links.pair[i].u, edits->links.pair[i].v);
    return KSDA_OK;
}

/* --- together --------------------------------------------------------------------------------------------------------
 */

static ksda_status rename_rows(renaming *x, const ksda_edits *edits) {
    ksda_status status = open_renaming(x);
    if (status < 0) return status;
    ksda_i_parallel(x->ctx, x->made.rows, MPI_MADE_ROWS, rename_block, x);
    status = atomic_load(&x->failed) ? KSDA_NOMEM : ksda_i_interrupted(x->ctx);
    close_scratch(x);
    return status < 0 ? status : list_loose(x, edits);
}

/* What the first process has told. */
static ksda_status open_making(ksda_ctx *ctx, making *m, uint32_t n) {
    ksda_status status = m->secret ? ksda_i_keyed_open(ctx, m->key, (uint32_t)m->pieces, &m->keyed) : KSDA_OK;
    if (status < 0 || m->count == 0) return status;
    m->split = ksda_i_calloc(ctx, n / 64 + 1, sizeof *m->split);
    return m->split ? KSDA_OK : KSDA_NOMEM;
}

/* All of them; edits at the first process. */
static ksda_status make_together(ksda_ctx *ctx, making *m, const mpi_share *s, const ksda_edits *edits,
                                 ksda_graph **out) {
    renaming x = {.ctx = ctx, .m = m, .s = s};
    ksda_status status;
    if (m->secret) mpi_broadcast(m->key, sizeof m->key, 0);
    KSDA_I_TRY(mpi_agree_on_status(ctx, open_making(ctx, m, s->n), 0));
    if (!m->secret) mpi_broadcast(m->to, m->pieces * sizeof *m->to, 0);
    mpi_broadcast(m->carried, m->count * sizeof *m->carried, 0);
    mark_split(m);
    KSDA_I_TRY(mpi_agree_on_status(ctx, rename_rows(&x, edits), 0));
    KSDA_I_TRY(mpi_rows_of_made(ctx, (uint32_t)m->pieces, &x.made, out));
done:
    close_renaming(&x);
    ksda_i_keyed_close(ctx, &m->keyed);
    ksda_i_free(ctx, m->split);
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
    if (s->halves || (m.count > FEW_CARRIED && m.count > edits->graph->m / MOST_CARRIED)) return KSDA_OK;
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
