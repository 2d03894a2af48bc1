/* Rows for the first process, page by page from those who have them, and what is counted where the rows are. */
#include "world.h"

#include "core/parallel.h"
#include "graph/labels.h"

#define MOST_FETCHED (1u << 22) /* neighbours that one answer brings: 16 MiB */
#define ROW_GRAIN 1024
#define LONGEST_PAUSE 20000l /* nanoseconds, between two looks for rows that were asked for */

/* --- rows -----------------------------------------------------------------------------------------------------------
 */

static bool is_here(mpi_share *s, uint64_t page) {
    return atomic_load_explicit(&s->here[page], memory_order_acquire) != 0;
}

/* Who sends them may need the processor that this thread waits on. */
static void await_rows(MPI_Request *rows) {
    mpi_patience patience = {.pause = 1000, .longest = LONGEST_PAUSE};
    for (int come = 0;; mpi_pause(&patience)) {
        MPI_Test(rows, &come, MPI_STATUS_IGNORE);
        if (come) return;
    }
}

/* Neighbours begin .. end - 1 of others, straight to their places. */
static void receive_rows(mpi_share *s, uint64_t begin, uint64_t end) {
    MPI_Request rows;
    for (int r = 1; r < world.size && begin < end; r++) {
        uint64_t stop = end < s->ends[r] ? end : s->ends[r];
        if (begin >= stop) continue;
        mpi_send_order(r, MPI_ORDER_FETCH, s->handle, begin, stop);
        MPI_Irecv(s->adj + begin, (int)(stop - begin), MPI_UINT32_T, r, MPI_TAG_ROWS, MPI_COMM_WORLD, &rows);
        await_rows(&rows);
        begin = stop;
    }
}

static void fetch_rows(const ksda_graph *graph, uint64_t begin, uint64_t end) {
    mpi_share *s = graph->far_data;
    if (s->halves) {
        mpi_halves_complete(graph);
        return;
    }
    uint64_t page = begin / world.page, last = (end - 1) / world.page, total = s->ends[world.size - 1];
    while (page <= last && is_here(s, page)) page++;
    if (page > last || world.forgetful) return;
    pthread_mutex_lock(&s->lock);
    while (page <= last) {
        uint64_t stop = page;
        while (stop <= last && stop < page + MOST_FETCHED / world.page && !is_here(s, stop)) stop++;
        mpi_unguard_pages(s, page, stop);
        receive_rows(s, page * world.page, stop * world.page < total ? stop * world.page : total);
        for (; page < stop; page++) atomic_store_explicit(&s->here[page], 1, memory_order_release);
        while (page <= last && is_here(s, page)) page++;
    }
    pthread_mutex_unlock(&s->lock);
}

/* Let go what stands before a page and is not the first process's own. */
static void forget_pages_before(mpi_share *s, uint64_t page) {
    uint64_t own = s->end / world.page + 1;
    if (page <= own) return;
    for (uint64_t p = own; p < page; p++) atomic_store_explicit(&s->here[p], 0, memory_order_relaxed);
    mpi_guard_pages(s, own, page);
}

static void walk_rows(const ksda_graph *graph, uint32_t v) {
    mpi_share *s = graph->far_data;
    if (s->halves) {
        mpi_halves_walk(graph, v);
        return;
    }
    uint64_t begin = graph->off[v], end = graph->off[v + 1], total = s->ends[world.size - 1];
    uint64_t ahead = begin + MOST_FETCHED;
    if (is_here(s, begin / world.page) && is_here(s, (end - 1) / world.page)) return;
    forget_pages_before(s, begin / world.page);
    if (ahead < end) ahead = end;
    fetch_rows(graph, begin, ahead < total ? ahead : total);
}

void mpi_far_serve_fetch(unsigned handle, uint64_t begin, uint64_t end) {
    const mpi_share *s = world.share[handle];
    MPI_Send(s->adj + (begin - s->begin), (int)(end - begin), MPI_UINT32_T, 0, MPI_TAG_ROWS, MPI_COMM_WORLD);
    world.sent += (end - begin) * sizeof *s->adj;
}

static void let_rows_go(const ksda_graph *graph) {
    unsigned handle = ((mpi_share *)graph->far_data)->handle;
    mpi_send_order_to_all(MPI_ORDER_LET_GO, handle, 0, 0);
    mpi_share_let_go(handle);
}

static void halve_rows(const ksda_graph *graph) {
    const mpi_share *s = graph->far_data;
    if (s->halves) return;
    mpi_send_order_to_all(MPI_ORDER_HALVE, s->handle, 0, 0);
    mpi_halves_make(s->handle);
}

void mpi_far_dispose(void *share) {
    unsigned handle = ((mpi_share *)share)->handle;
    mpi_send_order_to_all(MPI_ORDER_FREE, handle, 0, 0);
    mpi_share_free(handle);
}

/* --- neighbours in the own community --------------------------------------------------------------------------------
 */

/* Of whole rows, all of them at the first process. */
static void count_inside_here(const ksda_graph *g, const uint32_t *of, uint32_t *inside) {
    ksda_i_graph_need_all(g);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) inside[v] += of[g->adj[i]] == of[v];
}

typedef struct counting {
    const mpi_share *s;
    ksda_i_labels labels;
    uint32_t *inside; /* [last - first] */
} counting;

static void count_inside_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const counting *x = data;
    const uint64_t *off = x->s->off;
    (void)thread;
    for (uint64_t v = begin; v < end; v++)
        x->inside[v] = ksda_i_labels_inside(&x->labels, x->s->adj + off[v], off[v + 1] - off[v],
                                            ksda_i_labels_get(&x->labels, x->s->first + v));
}

/* The first process tells the labels. of: [n] there. */
static ksda_status share_labels(ksda_ctx *ctx, uint32_t n, const uint32_t *of, ksda_i_labels *out) {
    ksda_status status = world.rank == 0 ? ksda_i_labels_new(ctx, n, of, out) : KSDA_OK;
    KSDA_I_TRY(mpi_agree_on_status(ctx, status, 0));
    mpi_broadcast(&out->bytes, sizeof out->bytes, 0);
    if (world.rank) status = ksda_i_labels_open(ctx, n, out->bytes, out);
    KSDA_I_TRY(mpi_agree_on_status(ctx, status, 0));
    mpi_broadcast(out->of, (uint64_t)n * out->bytes, 0);
done:
    return status;
}

/* All of them. of: [n] at the first process, which gets the counts. */
static ksda_status count_inside_together(ksda_ctx *ctx, const mpi_share *s, const uint32_t *of, uint32_t *all) {
    counting x = {s, {0}, ksda_i_malloc(ctx, s->last - s->first, sizeof *x.inside)};
    ksda_status status = mpi_agree_on_status(ctx, x.inside ? KSDA_OK : KSDA_NOMEM, 0);
    if (status >= 0) status = share_labels(ctx, s->n, of, &x.labels);
    if (status >= 0) {
        ksda_i_parallel(ctx, s->last - s->first, ROW_GRAIN, count_inside_range, &x);
        mpi_gather_u32(x.inside, s->last - s->first, all);
    }
    ksda_i_labels_clear(ctx, &x.labels);
    ksda_i_free(ctx, x.inside);
    return status;
}

/* Vertices that only the communities file has are behind those that were read. */
static ksda_status count_inside_everywhere(ksda_ctx *ctx, const ksda_graph *graph, const uint32_t *of, uint32_t *out) {
    const mpi_share *s = graph->far_data;
    memset(out, 0, (uint64_t)graph->n * sizeof *out);
    if (s->halves) {
        count_inside_here(graph, of, out);
        return KSDA_OK;
    }
    mpi_work_together(ctx);
    mpi_send_order_to_all(MPI_ORDER_INSIDE, s->handle, 0, 0);
    ksda_status status = count_inside_together(ctx, s, of, out);
    mpi_work_alone(ctx);
    return status;
}

void mpi_far_serve_inside(unsigned handle) {
    count_inside_together(world.ctx, world.share[handle], NULL, NULL);
}

const ksda_i_far mpi_far = {.fetch = fetch_rows,
                            .inside = count_inside_everywhere,
                            .apply = mpi_make_release,
                            .inspect = mpi_inspect_release,
                            .walk = walk_rows,
                            .write = mpi_write,
                            .may_write_file = mpi_may_write_file,
                            .write_file = mpi_write_file,
                            .let_go = let_rows_go,
                            .halve = halve_rows};
