/* A published graph that shares its rows with the original: a row is the original one with its edits, renamed, and is
 * made whenever somebody goes through it. Verifying and writing a release both do so once, in order, so there is never
 * a second graph in full beside the original. Who needs all rows at once gets them, in 8 bytes an edge.
 *
 * Memory: 8 bytes a published vertex for the offsets, 8 for the numbers and their inverse, 1 an original vertex, 4 an
 * edge of those that were split, 16 an added edge. Time: a row costs its length and two reads of a far value for each
 * entry, and the sorting where order is wanted; that is the price, once more for each time the rows are gone through.
 */
#include "graph/overlay.h"

#include "core/parallel.h"
#include "graph/apply.h"
#include "graph/peers.h"

#include <sys/mman.h>

#define ROW_GRAIN 1024

typedef struct overlay {
    ksda_ctx *ctx; /* its own: whoever frees the graph may have another one, and no request stops a row half-way */
    ksda_i_applying rows;
    uint32_t *to, *from; /* [pieces] the number of a piece, the piece of a number */
    uint32_t *adj;       /* room for all rows in the address space; no access before they are all there */
    size_t bytes;
    uint32_t *scratch; /* [threads * longest] */
    pthread_mutex_t lock;
    atomic_bool whole; /* they are */
} overlay;

/* --- rows -------------------------------------------------------------------------------------------------------- */

static void make_row(const ksda_graph *graph, uint32_t v, ksda_i_row_order order, uint32_t *row, uint32_t *scratch) {
    const overlay *o = graph->far_data;
    ksda_i_applying_row(&o->rows, o->from[v], order, row, scratch);
}

static void make_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_graph *graph = data;
    const overlay *o = graph->far_data;
    uint32_t *scratch = o->scratch + (uint64_t)thread * o->rows.longest;
    for (uint64_t v = begin; v < end; v++)
        make_row(graph, (uint32_t)v, KSDA_I_ROW_SORTED, o->adj + graph->off[v], scratch);
}

/* Whoever asks for any row at its place gets all of them. */
static void fetch_all_rows(const ksda_graph *graph, uint64_t begin, uint64_t end) {
    overlay *o = graph->far_data;
    (void)begin, (void)end;
    if (atomic_load_explicit(&o->whole, memory_order_acquire)) return;
    pthread_mutex_lock(&o->lock);
    if (!atomic_load(&o->whole) && mprotect(o->adj, o->bytes, PROT_READ | PROT_WRITE) == 0) {
        ksda_i_parallel(o->ctx, graph->n, ROW_GRAIN, make_rows, (void *)graph);
        atomic_store_explicit(&o->whole, true, memory_order_release);
    }
    pthread_mutex_unlock(&o->lock);
}

static void fetch_for_walk(const ksda_graph *graph, uint32_t v) {
    fetch_all_rows(graph, graph->off[v], graph->off[v + 1]);
}

static void let_rows_go(const ksda_graph *graph) {
    overlay *o = graph->far_data;
    pthread_mutex_lock(&o->lock);
    atomic_store(&o->whole, false);
    madvise(o->adj, o->bytes, MADV_DONTNEED);
    mprotect(o->adj, o->bytes, PROT_NONE);
    pthread_mutex_unlock(&o->lock);
}

/* How many neighbours each has in its own community. */
static ksda_status count_inside(ksda_ctx *ctx, const ksda_graph *graph, const uint32_t *of, uint32_t *out) {
    (void)ctx;
    ksda_i_graph_need_all(graph);
    for (uint32_t v = 0; v < graph->n; v++) {
        out[v] = 0;
        for (uint64_t i = graph->off[v]; i < graph->off[v + 1]; i++) out[v] += of[graph->adj[i]] == of[v];
    }
    return KSDA_OK;
}

/* --- life -------------------------------------------------------------------------------------------------------- */

static const ksda_i_far overlay_far = {
    .fetch = fetch_all_rows, .inside = count_inside, .walk = fetch_for_walk, .let_go = let_rows_go, .row = make_row};

/* The offsets are the graph's. */
static void dispose_overlay(void *data) {
    overlay *o = data;
    ksda_ctx *ctx = o->ctx;
    if (o->adj) munmap(o->adj, o->bytes);
    o->rows.off = NULL;
    ksda_i_applying_clear(&o->rows);
    ksda_i_free(ctx, o->to);
    ksda_i_free(ctx, o->from);
    ksda_i_free(ctx, o->scratch);
    pthread_mutex_destroy(&o->lock);
    ksda_i_free(ctx, o);
    ksda_ctx_free(ctx);
}

/* Only rows that an edit has touched can have a neighbour twice. */
static ksda_status check_touched(ksda_ctx *ctx, const overlay *o) {
    const ksda_i_applying *rows = &o->rows;
    uint32_t n = rows->edits->graph->n, *row = ksda_i_malloc(ctx, rows->longest, sizeof *row);
    ksda_status status = row ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t p = 0; p < rows->pieces && status >= 0; p++) {
        if (p < n && !rows->touched[p] && !ksda_i_split_of(rows->edits, p)) continue;
        if (!ksda_i_applying_row(rows, p, KSDA_I_ROW_SORTED, row, o->scratch))
            status = ksda_i_applying_complain(rows, p, row);
        if (status >= 0) status = ksda_i_look(ctx, p);
    }
    ksda_i_free(ctx, row);
    return status;
}

/* Writable first and then closed: where the system counts what is promised, it says no here and not later. */
static ksda_status reserve_rows(ksda_ctx *ctx, overlay *o, uint64_t ends) {
    o->bytes = (ends + 1) * sizeof *o->adj;
    void *map = mmap(NULL, o->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return ksda_i_error(ctx, KSDA_NOMEM, "no address space for the release");
    o->adj = map;
    mprotect(map, o->bytes, PROT_NONE);
    return KSDA_OK;
}

static ksda_status prepare_rows(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, overlay *o) {
    ksda_status status;
    KSDA_I_TRY(ksda_i_applying_begin(ctx, edits, to, false, &o->rows));
    o->from = ksda_i_malloc(ctx, o->rows.pieces, sizeof *o->from);
    o->scratch = ksda_i_malloc(ctx, (uint64_t)ctx->threads * o->rows.longest, sizeof *o->scratch);
    if (!o->from || !o->scratch) KSDA_I_TRY(KSDA_NOMEM);
    for (uint32_t p = 0; p < o->rows.pieces; p++) o->from[to[p]] = p;
    KSDA_I_TRY(check_touched(ctx, o));
    KSDA_I_TRY(reserve_rows(ctx, o, o->rows.off[o->rows.pieces]));
done:
    o->rows.ctx = o->ctx;
    return status;
}

static overlay *overlay_new(const ksda_ctx *around) {
    ksda_ctx *ctx;
    if (ksda_ctx_new(&around->allocator, &ctx) < 0) return NULL;
    overlay *o = ksda_i_calloc(ctx, 1, sizeof *o);
    if (!o) {
        ksda_ctx_free(ctx);
        return NULL;
    }
    ksda_ctx_set_threads(ctx, around->threads);
    o->ctx = o->rows.ctx = ctx;
    atomic_init(&o->whole, false);
    pthread_mutex_init(&o->lock, NULL);
    return o;
}

ksda_status ksda_i_overlay_new(ksda_ctx *ctx, const ksda_edits *edits, uint32_t *to, ksda_graph **out) {
    overlay *o = overlay_new(ctx);
    *out = NULL;
    if (!o) return ksda_i_error(ctx, KSDA_NOMEM, "out of memory");
    ksda_status status = prepare_rows(ctx, edits, to, o);
    if (status < 0)
        ksda_i_free(ctx, o->rows.off);
    else
        status = ksda_i_graph_take(ctx, o->rows.pieces, o->rows.off, NULL, out);
    if (status < 0) {
        dispose_overlay(o);
        return status;
    }
    o->to = to;
    (*out)->adj = o->adj, (*out)->lent_adj = true;
    (*out)->far = &overlay_far, (*out)->far_data = o;
    (*out)->dispose = dispose_overlay, (*out)->dispose_payload = o;
    return KSDA_OK;
}
