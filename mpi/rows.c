/* From the edges that the processes have read to rows, each process the rows of a range of vertices.
 *
 * The ends at every vertex are counted by all; ranges are cut so that each has about the same number of ends and
 * vertices. Every end of an edge is then sent to the process that has its row, in rounds, and put at its place at once:
 * nothing but the edges read and the rows is ever there in full, and the edges go as the rows come. Loops are dropped
 * before; repetitions fall out when a row is sorted, whoever has read them. Sent: 16 bytes an edge, less what stays.
 * Memory: 16 bytes an edge of the share, and for the counts 8 a vertex while it runs. */
#include "world.h"

#include "core/parallel.h"
#include "core/sort.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ROW_GRAIN 1024
#define MOST_ENDS ((uint64_t)1 << 18) /* sent by one process in a round */
#define MOST_COMING ((uint64_t)1 << 27)

typedef struct job {
    ksda_ctx *ctx;
    const ksda_i_slice *slice;
    uint64_t slices;
    mpi_share *share;
    uint32_t *range;  /* [size + 1] first vertex of each process */
    uint64_t *ends;   /* [n] of everybody, before cleaning */
    uint64_t *cursor; /* [last - first] where the next end goes */
    uint32_t *kept;   /* [last - first] length of each row */
    uint32_t **scratch;
    uint64_t loops, edges;
    uint64_t raw, all;          /* ends before cleaning: of the share, and of all */
    uint64_t slice_at, pair_at; /* what is sent next */
    uint64_t *out, *in, most, coming;
    int *count, *fill;
} job;

/* --- ranges ---------------------------------------------------------------------------------------------------------
 */

static void count_ends(job *j) {
    for (uint64_t s = 0; s < j->slices; s++) {
        const uint32_t *pair = j->slice[s].pair;
        for (uint64_t i = 0; i < j->slice[s].count; i++, pair += 2) {
            if (pair[0] == pair[1]) {
                j->loops++;
                continue;
            }
            j->ends[pair[0]]++, j->ends[pair[1]]++;
        }
        j->edges += j->slice[s].count;
    }
    mpi_reduce(KSDA_I_REDUCE_SUM, j->ends, j->share->n);
    mpi_reduce(KSDA_I_REDUCE_SUM, &j->edges, 1);
    mpi_reduce(KSDA_I_REDUCE_SUM, &j->loops, 1);
}

static void cut_ranges(job *j) {
    uint64_t total = j->share->n, seen = 0;
    uint32_t size = (uint32_t)world.size, r = 1;
    for (uint32_t v = 0; v < j->share->n; v++) j->all += j->ends[v];
    total += j->all;
    for (uint32_t v = 0; v < j->share->n; v++) {
        while (r < size && seen >= total / size * r) j->range[r++] = v;
        seen += j->ends[v] + 1;
    }
    while (r <= size) j->range[r++] = j->share->n;
    j->share->first = j->range[world.rank], j->share->last = j->range[world.rank + 1];
}

int mpi_owner(const uint32_t *range, uint32_t v) {
    int low = 0, high = world.size;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (range[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- sending --------------------------------------------------------------------------------------------------------
 */

/* Call for the next ends, at most `most` of them: counted, or put where they are sent from. */
static void walk(job *j, bool put, uint64_t *slice_at, uint64_t *pair_at) {
    for (uint64_t ends = 0; *slice_at < j->slices && ends + 2 <= j->most;) {
        const ksda_i_slice *s = &j->slice[*slice_at];
        if (*pair_at == s->count) {
            ++*slice_at, *pair_at = 0;
            continue;
        }
        const uint32_t *pair = s->pair + 2 * (*pair_at)++;
        if (pair[0] == pair[1]) continue;
        for (int e = 0; e < 2; e++) {
            int to = mpi_owner(j->range, pair[e]);
            if (put)
                j->out[j->fill[to]++] = (uint64_t)pair[e] << 32 | pair[!e];
            else
                j->count[to]++;
        }
        ends += 2;
    }
}

/* Slices that are sent are not needed any more. */
static void forget(job *j, uint64_t from, ksda_i_consumed_fn consumed, void *data) {
    for (; consumed && from < j->slice_at; from++) consumed(data, j->slice[from].owner);
}

static void place(job *j, uint64_t got) {
    mpi_share *s = j->share;
    for (uint64_t i = 0; i < got; i++) s->adj[j->cursor[(uint32_t)(j->in[i] >> 32) - s->first]++] = (uint32_t)j->in[i];
}

static ksda_status send_all(job *j, ksda_i_consumed_fn consumed, void *data) {
    ksda_status status = KSDA_OK;
    for (uint64_t left = 1; left;) {
        uint64_t slice_at = j->slice_at, pair_at = j->pair_at, before = j->slice_at;
        memset(j->count, 0, (size_t)world.size * sizeof *j->count);
        walk(j, false, &slice_at, &pair_at);
        for (int r = 0, at = 0; r < world.size; r++) j->fill[r] = at, at += j->count[r];
        walk(j, true, &j->slice_at, &j->pair_at);
        forget(j, before, consumed, data);
        place(j, mpi_exchange(j->out, j->count, j->in, j->coming));
        left = j->slice_at < j->slices;
        mpi_reduce(KSDA_I_REDUCE_MAX, &left, 1);
        KSDA_I_TRY(mpi_agree(j->ctx, ksda_i_progress(j->ctx, "sharing out", j->slice_at, j->slices), 0));
    }
done:
    return status;
}

/* --- cleaning -------------------------------------------------------------------------------------------------------
 */

static void clean_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    job *j = data;
    mpi_share *s = j->share;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t *row = s->adj + s->off[v], kept = 0;
        uint64_t length = s->off[v + 1] - s->off[v];
        ksda_i_sort_u32(row, length, j->scratch[thread]);
        for (uint64_t i = 0; i < length; i++)
            if (kept == 0 || row[kept - 1] != row[i]) row[kept++] = row[i];
        j->kept[v] = kept;
    }
}

static void close_gaps(job *j) {
    mpi_share *s = j->share;
    uint64_t at = 0;
    for (uint32_t v = 0; v < s->last - s->first; v++) {
        uint64_t from = s->off[v];
        s->off[v] = at;
        if (from != at) memmove(s->adj + at, s->adj + from, j->kept[v] * sizeof *s->adj);
        at += j->kept[v];
    }
    s->off[s->last - s->first] = at;
}

/* --- memory ---------------------------------------------------------------------------------------------------------
 */

/* The first process has room for everybody's rows in its address space; pages that nobody touches take no memory. */
static void *map_pages(uint64_t bytes) {
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

static ksda_status open_share(job *j) {
    mpi_share *s = j->share;
    ksda_ctx *ctx = j->ctx;
    uint32_t own = s->last - s->first;
    uint64_t longest = 0;
    unsigned threads = ksda_ctx_threads(ctx);
    s->off = ksda_i_malloc(ctx, (uint64_t)own + 1, sizeof *s->off);
    j->cursor = ksda_i_malloc(ctx, own, sizeof *j->cursor);
    j->kept = ksda_i_malloc(ctx, own, sizeof *j->kept);
    j->scratch = ksda_i_calloc(ctx, threads, sizeof *j->scratch);
    if (!s->off || !j->cursor || !j->kept || !j->scratch) return KSDA_NOMEM;
    s->off[0] = 0;
    for (uint32_t v = 0; v < own; v++) {
        uint64_t ends = j->ends[s->first + v];
        j->cursor[v] = s->off[v];
        s->off[v + 1] = s->off[v] + ends;
        if (ends > longest) longest = ends;
    }
    j->raw = s->off[own];
    for (unsigned t = 0; t < threads; t++)
        if (!(j->scratch[t] = ksda_i_malloc(ctx, longest, sizeof **j->scratch))) return KSDA_NOMEM;
    s->bytes = ((world.rank ? j->raw : j->all) / world.page + 1) * world.page * sizeof *s->adj;
    s->adj = map_pages(s->bytes);
    j->out = ksda_i_malloc(ctx, j->most, sizeof *j->out);
    j->in = ksda_i_malloc(ctx, j->coming, sizeof *j->in);
    j->count = ksda_i_malloc(ctx, 2 * (uint64_t)world.size, sizeof *j->count);
    j->fill = j->count ? j->count + world.size : NULL;
    return s->adj && j->out && j->in && j->count ? KSDA_OK : ksda_i_error(ctx, KSDA_NOMEM, "no memory for the rows");
}

static void close_job(job *j) {
    for (unsigned t = 0; j->scratch && t < ksda_ctx_threads(j->ctx); t++) ksda_i_free(j->ctx, j->scratch[t]);
    void *block[] = {j->range, j->ends, j->cursor, j->kept, j->scratch, j->out, j->in, j->count};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(j->ctx, block[i]);
}

static void share_clear(ksda_ctx *ctx, mpi_share *s) {
    if (s->adj) munmap(s->adj, s->bytes);
    ksda_i_free(ctx, s->off);
    ksda_i_free(ctx, s->ends);
    ksda_i_free(ctx, s->range);
    ksda_i_free(ctx, s->here);
    ksda_i_free(ctx, s);
}

void mpi_share_let_go(unsigned handle) {
    mpi_share *s = world.share[handle];
    if (world.rank == 0) { /* whose graph still points there */
        mpi_guard(s, 0, s->bytes / sizeof *s->adj / world.page);
        return;
    }
    if (s->adj) munmap(s->adj, s->bytes);
    s->adj = NULL;
}

void mpi_share_free(unsigned handle) {
    if (world.share[handle]) share_clear(world.ctx, world.share[handle]);
    world.share[handle] = NULL;
}

/* --- the graph ------------------------------------------------------------------------------------------------------
 */

/* Which pages of everybody's rows are at the first process: its own, the last of which others fill, see fill_page(). */
static ksda_status open_far(ksda_ctx *ctx, mpi_share *s, uint64_t total) {
    uint64_t pages = total / world.page + 1, own = s->end / world.page + 1;
    s->here = ksda_i_calloc(ctx, pages, sizeof *s->here);
    if (!s->here) return KSDA_NOMEM;
    for (uint64_t p = 0; p < own; p++) atomic_init(&s->here[p], 1);
    mpi_guard(s, own, s->bytes / sizeof *s->adj / world.page);
    return KSDA_OK;
}

/* The page in which the first process's rows end has neighbours of others, too: a page is here as a whole or not. */
static void fill_page(mpi_share *s) {
    uint64_t end = s->end;
    MPI_Bcast(&end, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    uint64_t stop = (end / world.page + 1) * world.page;
    if (world.rank > 0 && s->begin < stop && s->begin < s->end)
        MPI_Send(s->adj, (int)((s->end < stop ? s->end : stop) - s->begin), MPI_UINT32_T, 0, MPI_TAG_ROWS,
                 MPI_COMM_WORLD);
    for (int r = 1; world.rank == 0 && r < world.size && end < stop; r++) {
        uint64_t theirs = (s->ends[r] < stop ? s->ends[r] : stop) - end;
        if (theirs == 0) continue;
        MPI_Recv(s->adj + end, (int)theirs, MPI_UINT32_T, r, MPI_TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        end += theirs;
    }
}

/* The degrees of everybody; the graph of the first process has them, that of others is an empty shell. */
static ksda_status make_graph(job *j, ksda_graph **out) {
    mpi_share *s = j->share;
    ksda_ctx *ctx = j->ctx;
    bool first = world.rank == 0;
    uint64_t total = s->off[s->last - s->first], mine = total;
    uint32_t *degree = first ? ksda_i_malloc(ctx, s->n, sizeof *degree) : NULL;
    uint64_t *off = ksda_i_malloc(ctx, first ? (uint64_t)s->n + 1 : 1, sizeof *off);
    ksda_graph *g = ksda_i_calloc(ctx, 1, sizeof *g);
    s->ends = ksda_i_malloc(ctx, (uint64_t)world.size, sizeof *s->ends);
    ksda_status status = off && g && s->ends && (degree || !first) ? KSDA_OK : KSDA_NOMEM;
    MPI_Exscan(&mine, &s->begin, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (first) s->begin = 0;
    s->end = s->begin + mine;
    mpi_reduce(KSDA_I_REDUCE_SUM, &total, 1);
    if (status >= 0 && first) status = open_far(ctx, s, total);
    KSDA_I_TRY(mpi_agree(ctx, status, 0));
    MPI_Gather(&s->end, 1, MPI_UINT64_T, s->ends, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    fill_page(s);
    mpi_gather_u32(j->kept, s->last - s->first, degree);
    off[0] = 0;
    for (uint32_t v = 0; first && v < s->n; v++) off[v + 1] = off[v] + degree[v];
    *g =
        (ksda_graph){.n = first ? s->n : 0, .m = total / 2, .off = off, .adj = first ? s->adj : NULL, .lent_adj = true};
    g->cleaning = (ksda_cleaning){j->edges, j->loops, j->edges - j->loops - total / 2};
    if (first) g->far = &mpi_far, g->far_data = s, g->dispose = mpi_far_dispose, g->dispose_payload = s;
    *out = g;
    g = NULL, off = NULL;
done:
    ksda_i_free(ctx, degree);
    ksda_i_free(ctx, off);
    ksda_i_free(ctx, g);
    return status;
}

/* A number for the share, the same everywhere. */
static void keep(mpi_share *s) {
    mpi_share **more = realloc(world.share, (world.handles + 1) * sizeof *more);
    if (!more) MPI_Abort(MPI_COMM_WORLD, 1);
    world.share = more;
    s->handle = world.handles;
    world.share[world.handles++] = s;
}

ksda_status mpi_rows(ksda_ctx *ctx, uint32_t n, const ksda_i_slice *slices, uint64_t count, ksda_i_consumed_fn consumed,
                     void *data, ksda_graph **out) {
    ksda_status status;
    uint64_t all = MOST_COMING / (uint64_t)world.size;
    job j = {.ctx = ctx, .slice = slices, .slices = count, .most = all < MOST_ENDS ? all : MOST_ENDS};
    mpi_share *s = j.share = ksda_i_calloc(ctx, 1, sizeof *s);
    *out = NULL;
    j.coming = j.most * (uint64_t)world.size;
    j.range = ksda_i_calloc(ctx, (uint64_t)world.size + 1, sizeof *j.range);
    j.ends = ksda_i_calloc(ctx, n, sizeof *j.ends);
    KSDA_I_TRY(mpi_agree(ctx, s && j.range && j.ends ? KSDA_OK : KSDA_NOMEM, 0));
    pthread_mutex_init(&s->lock, NULL);
    s->n = n;
    count_ends(&j);
    cut_ranges(&j);
    KSDA_I_TRY(mpi_agree(ctx, open_share(&j), 0));
    KSDA_I_TRY(send_all(&j, consumed, data));
    ksda_i_parallel(ctx, s->last - s->first, ROW_GRAIN, clean_rows, &j);
    close_gaps(&j);
    KSDA_I_TRY(make_graph(&j, out));
    s->range = j.range, j.range = NULL;
    keep(s);
    s = NULL;
done:
    if (s) share_clear(ctx, s);
    close_job(&j);
    return status;
}
