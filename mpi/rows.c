/* From the edges, or rows of other ranges, that the processes have to rows, each process those of a range of vertices.
 *
 * The ends at every vertex are counted by all; ranges are cut so that each has about the same number of ends and
 * vertices. Every end of an edge is then sent to the process that has its row, in rounds, and put at its place at once:
 * nothing but the edges and the rows is ever there in full, and the edges go as the rows come. Loops are dropped
 * before; repetitions fall out when a row is sorted, whoever has had them. Where halves do, only the smaller end is
 * sent and kept. Sent: for every end as many bytes as its two numbers need together, 5 or 6 as a rule, less what stays;
 * of rows that were made 4 for every end and 8 for a row. Memory: 8 bytes an edge of the share for the rows (halves:
 * 4), and for the counts 8 a vertex while it runs. */
#include "world.h"

#include "core/pages.h"
#include "core/parallel.h"
#include "core/sort.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ROW_GRAIN 1024
#define AHEAD 16                  /* ends that are looked up before their turn */
#define ROUNDS 64                 /* in which edges are sent, */
#define LEAST ((uint64_t)1 << 14) /* but not fewer of a process in one than this, */
#define MOST ((uint64_t)1 << 19)  /* and not more than this */
#define BLOCKS 65536              /* at most so many pieces are what ranges are cut from */

/* Where somebody is who goes through the edges, or through the rows that were made. */
typedef struct place {
    uint64_t slice, pair;
    uint64_t row;
    const uint32_t *end; /* of that row, the first one */
    uint64_t done;       /* of its ends */
} place;

typedef struct job job;
struct job {
    ksda_ctx *ctx;
    const ksda_i_slice *slice; /* [slices] edges; or */
    uint64_t slices;
    mpi_made *made;
    ksda_i_consumed_fn consumed;
    void *data;
    ksda_status (*open)(job *j); /* what sending takes, and sending */
    ksda_status (*send)(job *j);
    place at;
    mpi_share *share;
    uint64_t *ends;   /* [n] here, before cleaning */
    uint64_t *cursor; /* [last - first] where the next end goes */
    uint32_t *kept;   /* [last - first] length of each row */
    uint32_t **scratch;
    uint64_t mine, edges, loops;
    uint64_t raw, all; /* ends before cleaning: of the share, and of all */
    uint64_t batch;    /* edges that one process sends at a time; or bytes */
    mpi_mail mail;
    mpi_parcels parcels;
};

/* --- ranges ---------------------------------------------------------------------------------------------------------
 */

/* Of halves the smaller ones, which in a file that is sorted come in order. */
static void count_smaller_ends(job *j, const ksda_i_slice *s) {
    const uint32_t *pair = s->pair;
    for (uint64_t i = 0; i < s->count; i++, pair += 2) {
        bool loop = pair[0] == pair[1];
        j->loops += loop;
        j->ends[pair[0] < pair[1] ? pair[0] : pair[1]] += !loop;
    }
}

static void count_both_ends(job *j, const ksda_i_slice *s) {
    const uint32_t *pair = s->pair;
    for (uint64_t i = 0; i < s->count; i++, pair += 2) {
        uint64_t next = 2 * (i + AHEAD < s->count ? AHEAD : 0);
        __builtin_prefetch(&j->ends[pair[next]], 1);
        __builtin_prefetch(&j->ends[pair[next + 1]], 1);
        bool loop = pair[0] == pair[1];
        j->loops += loop;
        j->ends[pair[0]] += !loop;
        j->ends[pair[1]] += !loop;
    }
}

static void count_ends_of_made(job *j) {
    const mpi_made *made = j->made;
    for (uint32_t i = 0; i < made->rows; i++) {
        j->ends[made->name[i]] += made->length[i];
        j->mine += made->length[i];
    }
    for (uint64_t i = 0; i < made->looses; i++) j->ends[made->loose[i].u]++;
    j->mine += made->looses + made->loops;
    j->loops = made->loops;
}

static void count_ends(job *j) {
    for (uint64_t i = 0; i < j->slices; i++) {
        if (j->share->halves)
            count_smaller_ends(j, &j->slice[i]);
        else
            count_both_ends(j, &j->slice[i]);
        j->mine += j->slice[i].count;
    }
    if (j->made) count_ends_of_made(j);
    j->edges = j->mine;
    mpi_reduce_all(KSDA_I_REDUCE_SUM, &j->edges, 1);
    mpi_reduce_all(KSDA_I_REDUCE_SUM, &j->loops, 1);
}

/* Everybody knows how many ends there are in each of some blocks of vertices, and cuts between these. */
static ksda_status cut_ranges(job *j) {
    mpi_share *s = j->share;
    uint32_t size = (uint32_t)world.size, r = 1, width = s->n / BLOCKS + 1;
    uint64_t blocks = s->n / width + 1, seen = 0;
    uint64_t *sum = ksda_i_calloc(j->ctx, blocks, sizeof *sum);
    ksda_status status = mpi_agree_on_status(j->ctx, sum ? KSDA_OK : KSDA_NOMEM, 0);
    if (status >= 0) {
        for (uint32_t v = 0; v < s->n; v++) sum[v / width] += j->ends[v];
        mpi_reduce_all(KSDA_I_REDUCE_SUM, sum, blocks);
        for (uint64_t b = 0; b < blocks; b++) j->all += sum[b];
        for (uint64_t b = 0; b < blocks; b++) {
            while (r < size && seen >= (j->all + s->n) / size * r) s->range[r++] = (uint32_t)(b * width);
            seen += sum[b] + width;
        }
        while (r <= size) s->range[r++] = s->n;
        for (r = 1; r <= size; r++) s->range[r] = s->range[r] < s->n ? s->range[r] : s->n;
        s->first = s->range[world.rank], s->last = s->range[world.rank + 1];
    }
    ksda_i_free(j->ctx, sum);
    return status;
}

int mpi_owner_of_many(const uint32_t *range, uint32_t v) {
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

static inline void put_end(job *j, uint32_t row, uint32_t neighbour) {
    mpi_mail_put(&j->mail, j->share->range, row, neighbour);
}

static void place_ends(job *j, uint64_t got) {
    uint32_t *adj = j->share->adj, row, neighbour;
    for (uint64_t i = 0; i < got; i++) {
        if (i + 2 * AHEAD < got) {
            mpi_mail_get(&j->mail, i + 2 * AHEAD, &row, &neighbour);
            __builtin_prefetch(&j->cursor[row], 1);
            mpi_mail_get(&j->mail, i + AHEAD, &row, &neighbour);
            __builtin_prefetch(&adj[j->cursor[row]], 1);
        }
        mpi_mail_get(&j->mail, i, &row, &neighbour);
        adj[j->cursor[row]++] = neighbour;
    }
}

/* Put as many edges as a round takes; false when there are no more. */
static bool put_edges(job *j) {
    uint64_t left = j->batch;
    while (j->at.slice < j->slices) {
        const ksda_i_slice *s = &j->slice[j->at.slice];
        const uint32_t *pair = s->pair + 2 * j->at.pair;
        uint64_t part = s->count - j->at.pair < left ? s->count - j->at.pair : left;
        for (uint64_t i = 0; i < part; i++, pair += 2) {
            uint32_t u = pair[0], v = pair[1];
            if (u != v) put_end(j, u < v ? u : v, u < v ? v : u);
            if (u != v && !j->share->halves) put_end(j, u < v ? v : u, u < v ? u : v);
        }
        left -= part;
        j->at.pair += part;
        if (j->at.pair < s->count) return true;
        if (j->consumed) j->consumed(j->data, s->owner);
        j->at.slice++, j->at.pair = 0;
    }
    return false;
}

static ksda_status send_all_ends(job *j) {
    ksda_status status;
    uint64_t sent = 0, came = 0;
    for (bool more = true; more;) {
        more = put_edges(j);
        sent += j->batch;
        status = ksda_i_progress(j->ctx, "sharing out", sent < j->mine ? sent : j->mine, j->mine);
        KSDA_I_TRY(mpi_mail_send(&j->mail, status, &more, &came));
        place_ends(j, came);
    }
done:
    return status;
}

/* --- sending rows ----------------------------------------------------------------------------------------------------
 */

enum {
    HEAD = 2 /* numbers before the ends of a row: where it stands in its range, how many ends */
};

static void place_row(job *j, uint32_t row, const uint32_t *end, uint64_t count) {
    memcpy(j->share->adj + j->cursor[row], end, count * sizeof *end);
    j->cursor[row] += count;
}

static void place_rows(job *j, uint64_t bytes) {
    const uint32_t *at = (const uint32_t *)(const void *)j->parcels.in, *stop = at + bytes / sizeof *at;
    for (; at < stop; at += HEAD + at[1]) place_row(j, at[0], at + HEAD, at[1]);
}

static void pack_row(job *j, int to, uint32_t row, const uint32_t *end, uint64_t count) {
    mpi_parcels *p = &j->parcels;
    uint32_t head[HEAD] = {row, (uint32_t)count};
    memcpy(p->out + p->start[to] + p->count[to], head, sizeof head);
    memcpy(p->out + p->start[to] + p->count[to] + sizeof head, end, count * sizeof *end);
}

/* The row that is next, loose ends behind the others; false where there are no more. */
static bool row_at(const mpi_made *made, const place *at, uint32_t *name, const uint32_t **end, uint64_t *length) {
    bool loose = at->row >= made->rows;
    if (at->row >= made->rows + made->looses) return false;
    const ksda_pair *pair = loose ? &made->loose[at->row - made->rows] : NULL;
    *name = loose ? pair->u : made->name[at->row];
    *length = loose ? 1 : made->length[at->row];
    *end = loose ? &pair->v : at->row % MPI_MADE_ROWS ? at->end : made->block[at->row / MPI_MADE_ROWS];
    return true;
}

/* Go through as many rows as a round takes; false when there are no more. With `pack` the own ones are placed and the
 * others packed, without they are counted only. */
static bool walk_made(job *j, place *at, bool pack) {
    const uint32_t *range = j->share->range, *end;
    uint64_t left = j->batch / sizeof *end, length;
    uint32_t name;
    memset(j->parcels.count, 0, (size_t)world.size * sizeof *j->parcels.count);
    for (; row_at(j->made, at, &name, &end, &length); at->row++, at->end = end + length, at->done = 0) {
        int to = mpi_owner_of(range, name);
        if (to == world.rank) {
            if (pack) place_row(j, name - range[to], end, length);
            continue;
        }
        while (at->done < length) {
            if (left <= HEAD) {
                at->end = end;
                return true;
            }
            uint64_t part = length - at->done < left - HEAD ? length - at->done : left - HEAD;
            if (pack) pack_row(j, to, name - range[to], end + at->done, part);
            j->parcels.count[to] += (int)((HEAD + part) * sizeof *end);
            at->done += part;
            left -= HEAD + part;
        }
    }
    return false;
}

/* Blocks before that of row `to` have been sent. */
static void free_blocks(job *j, uint64_t from, uint64_t to) {
    for (uint64_t b = from / MPI_MADE_ROWS; b < to / MPI_MADE_ROWS && b * MPI_MADE_ROWS < j->made->rows; b++) {
        ksda_i_free(j->ctx, j->made->block[b]);
        j->made->block[b] = NULL;
    }
}

static ksda_status send_all_rows(job *j) {
    mpi_parcels *p = &j->parcels;
    ksda_status status;
    uint64_t came = 0;
    for (bool more = true; more;) {
        place counted = j->at;
        uint64_t before = j->at.row;
        walk_made(j, &counted, false);
        for (int r = 0, next = 0; r < world.size; next += p->count[r++]) p->start[r] = next;
        more = walk_made(j, &j->at, true);
        free_blocks(j, before, j->at.row);
        KSDA_I_TRY(mpi_parcels_send(p, ksda_i_progress(j->ctx, "sharing out", j->at.row, j->made->rows), &more, &came));
        place_rows(j, came);
    }
done:
    return status;
}

/* --- cleaning -------------------------------------------------------------------------------------------------------
 */

/* Rows of a file that is sorted are. */
static bool is_ascending(const uint32_t *row, uint64_t length) {
    for (uint64_t i = 1; i < length; i++)
        if (row[i] < row[i - 1]) return false;
    return true;
}

static void clean_rows(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    job *j = data;
    mpi_share *s = j->share;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t *row = s->adj + s->off[v], kept = 0;
        uint64_t length = s->off[v + 1] - s->off[v];
        if (!is_ascending(row, length)) ksda_i_sort_u32(row, length, j->scratch[thread]);
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
static void *map_pages(uint64_t entries, uint64_t *bytes) {
    *bytes = (entries / world.page + 1) * world.page * sizeof(uint32_t);
    void *map = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* Where rows begin, from the number of their ends. */
static ksda_status open_rows(job *j) {
    mpi_share *s = j->share;
    uint32_t own = s->last - s->first;
    uint64_t longest = 0;
    s->off[0] = 0;
    for (uint32_t v = 0; v < own; v++) {
        uint64_t ends = j->cursor[v];
        j->cursor[v] = s->off[v];
        s->off[v + 1] = s->off[v] + ends;
        if (ends > longest) longest = ends;
    }
    j->raw = s->off[own];
    for (unsigned t = 0; t < ksda_ctx_threads(j->ctx); t++)
        if (!(j->scratch[t] = ksda_i_malloc(j->ctx, longest, sizeof **j->scratch))) return KSDA_NOMEM;
    s->adj = map_pages(world.rank || s->halves ? j->raw : j->all, &s->bytes);
    if (s->adj) ksda_i_pages_huge(s->adj, j->raw * sizeof *s->adj); /* ends come in no order */
    if (world.rank == 0 && !s->halves) s->view = s->adj, s->view_bytes = s->bytes;
    return s->adj ? KSDA_OK : ksda_i_error(j->ctx, KSDA_NOMEM, "no memory for the rows");
}

/* As many edges a round as ROUNDS of them take. */
static uint64_t edges_of_round(const job *j) {
    uint64_t batch = j->edges / (uint64_t)world.size / ROUNDS;
    return batch < LEAST ? LEAST : batch < MOST ? batch : MOST;
}

static ksda_status open_mail(job *j) {
    uint64_t ends = j->share->halves ? 1 : 2;
    ksda_status status = mpi_mail_open(j->ctx, &j->mail, ends * edges_of_round(j), j->share->range, j->share->n);
    j->batch = j->mail.most / ends;
    return status;
}

static ksda_status open_parcels(job *j) {
    uint64_t most = mpi_parcels_most() / sizeof(uint32_t) * sizeof(uint32_t), wanted = edges_of_round(j) * 4;
    j->batch = wanted < most ? wanted : most;
    return mpi_parcels_open(j->ctx, &j->parcels, j->batch);
}

/* The counts of all are needed no longer than until everybody has those of its own rows. */
static ksda_status open_share(job *j) {
    mpi_share *s = j->share;
    ksda_ctx *ctx = j->ctx;
    uint32_t own = s->last - s->first;
    ksda_status status;
    s->off = ksda_i_malloc(ctx, (uint64_t)own + 1, sizeof *s->off);
    j->cursor = ksda_i_malloc(ctx, own, sizeof *j->cursor);
    j->scratch = ksda_i_calloc(ctx, ksda_ctx_threads(ctx), sizeof *j->scratch);
    KSDA_I_TRY(mpi_agree_on_status(ctx, s->off && j->cursor && j->scratch ? KSDA_OK : KSDA_NOMEM, 0));
    mpi_sum_ranges(j->ends, s->range, j->cursor);
    ksda_i_free(ctx, j->ends);
    j->ends = NULL;
    status = open_rows(j);
    if (status >= 0) status = j->open(j);
    KSDA_I_TRY(mpi_agree_on_status(ctx, status, 0));
done:
    return status;
}

static void close_job(job *j) {
    for (unsigned t = 0; j->scratch && t < ksda_ctx_threads(j->ctx); t++) ksda_i_free(j->ctx, j->scratch[t]);
    void *block[] = {j->ends, j->cursor, j->kept, j->scratch};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(j->ctx, block[i]);
    mpi_mail_close(&j->mail);
    mpi_parcels_close(&j->parcels);
}

static void unmap_rows(mpi_share *s) {
    if (s->adj) munmap(s->adj, s->bytes);
    s->adj = NULL;
}

static void share_clear(ksda_ctx *ctx, mpi_share *s) {
    if (s->view && s->view != s->adj) munmap(s->view, s->view_bytes);
    unmap_rows(s);
    ksda_i_free(ctx, s->off);
    ksda_i_free(ctx, s->ends);
    ksda_i_free(ctx, s->range);
    ksda_i_free(ctx, s->here);
    ksda_i_free(ctx, s);
}

void mpi_share_let_go(unsigned handle) {
    mpi_share *s = world.share[handle];
    if (s->view) mpi_guard_pages(s, 0, s->view_bytes / sizeof *s->view / world.page); /* the graph still points there */
    if (s->view != s->adj) unmap_rows(s);
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
    if (s->halves) {
        if (!(s->view = map_pages(total, &s->view_bytes))) return KSDA_NOMEM;
        mpi_guard_pages(s, 0, s->view_bytes / sizeof *s->view / world.page);
        return KSDA_OK;
    }
    s->here = ksda_i_calloc(ctx, pages, sizeof *s->here);
    if (!s->here) return KSDA_NOMEM;
    for (uint64_t p = 0; p < own; p++) atomic_init(&s->here[p], 1);
    mpi_guard_pages(s, own, s->view_bytes / sizeof *s->view / world.page);
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

/* The degrees of everybody, at the first process. degree: [n], zero; NULL where it is not needed. */
static void tell_degrees(const job *j, uint32_t *degree) {
    const mpi_share *s = j->share;
    if (!s->halves) {
        mpi_gather_u32(j->kept, s->last - s->first, degree);
        return;
    }
    for (uint32_t v = 0; v < s->last - s->first; v++) degree[s->first + v] += j->kept[v];
    for (uint64_t i = 0, ends = s->off[s->last - s->first]; i < ends; i++) {
        __builtin_prefetch(&degree[s->adj[i + AHEAD < ends ? i + AHEAD : i]], 1);
        degree[s->adj[i]]++;
    }
    mpi_sum_u32(degree, s->n);
}

/* The graph of the first process has the degrees of everybody, that of others is an empty shell. */
static ksda_status make_graph(job *j, ksda_graph **out) {
    mpi_share *s = j->share;
    ksda_ctx *ctx = j->ctx;
    bool first = world.rank == 0;
    uint64_t total = s->off[s->last - s->first], mine = total;
    uint32_t *degree = first || s->halves ? ksda_i_calloc(ctx, s->n, sizeof *degree) : NULL;
    uint64_t *off = ksda_i_malloc(ctx, first ? (uint64_t)s->n + 1 : 1, sizeof *off);
    ksda_graph *g = ksda_i_calloc(ctx, 1, sizeof *g);
    s->ends = ksda_i_malloc(ctx, (uint64_t)world.size, sizeof *s->ends);
    ksda_status status = off && g && s->ends && (degree || !(first || s->halves)) ? KSDA_OK : KSDA_NOMEM;
    if (degree) ksda_i_pages_huge(degree, (uint64_t)s->n * sizeof *degree);
    MPI_Exscan(&mine, &s->begin, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (first) s->begin = 0;
    s->end = s->begin + mine;
    mpi_reduce_all(KSDA_I_REDUCE_SUM, &total, 1);
    if (s->halves) total *= 2;
    if (status >= 0 && first) status = open_far(ctx, s, total);
    KSDA_I_TRY(mpi_agree_on_status(ctx, status, 0));
    MPI_Gather(&s->end, 1, MPI_UINT64_T, s->ends, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (!s->halves) fill_page(s);
    tell_degrees(j, degree);
    off[0] = 0;
    for (uint32_t v = 0; first && v < s->n; v++) off[v + 1] = off[v] + degree[v];
    *g = (ksda_graph){.n = first ? s->n : 0, .m = total / 2, .off = off, .adj = s->view, .lent_adj = true};
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
static void keep_share(mpi_share *s) {
    mpi_share **more = realloc(world.share, (world.handles + 1) * sizeof *more);
    if (!more) MPI_Abort(MPI_COMM_WORLD, 1);
    world.share = more;
    s->handle = world.handles;
    world.share[world.handles++] = s;
}

static ksda_status make_rows(job *j, uint32_t n, bool halves, ksda_graph **out) {
    ksda_status status;
    ksda_ctx *ctx = j->ctx;
    mpi_share *s = j->share = ksda_i_calloc(ctx, 1, sizeof *s);
    *out = NULL;
    if (s) s->range = ksda_i_calloc(ctx, (uint64_t)world.size + 1, sizeof *s->range);
    j->ends = ksda_i_calloc(ctx, n, sizeof *j->ends);
    KSDA_I_TRY(mpi_agree_on_status(ctx, s && s->range && j->ends ? KSDA_OK : KSDA_NOMEM, 0));
    ksda_i_pages_huge(j->ends, (uint64_t)n * sizeof *j->ends);
    pthread_mutex_init(&s->lock, NULL);
    s->n = n, s->halves = halves;
    count_ends(j);
    KSDA_I_TRY(cut_ranges(j));
    KSDA_I_TRY(open_share(j));
    KSDA_I_TRY(j->send(j));
    mpi_mail_close(&j->mail);
    mpi_parcels_close(&j->parcels);
    j->kept = ksda_i_malloc(ctx, s->last - s->first, sizeof *j->kept);
    KSDA_I_TRY(mpi_agree_on_status(ctx, j->kept ? KSDA_OK : KSDA_NOMEM, 0));
    ksda_i_parallel(ctx, s->last - s->first, ROW_GRAIN, clean_rows, j);
    close_gaps(j);
    KSDA_I_TRY(make_graph(j, out));
    keep_share(s);
    s = NULL;
done:
    if (s) share_clear(ctx, s);
    close_job(j);
    mpi_work_alone(ctx);
    return status;
}

ksda_status mpi_rows_of_slices(ksda_ctx *ctx, uint32_t n, const ksda_i_slice *slices, uint64_t count,
                               ksda_i_consumed_fn consumed, void *data, bool halves, ksda_graph **out) {
    job j = {.ctx = ctx, .slice = slices, .slices = count, .consumed = consumed, .data = data};
    j.open = open_mail, j.send = send_all_ends;
    return make_rows(&j, n, halves, out);
}

ksda_status mpi_rows_of_made(ksda_ctx *ctx, uint32_t n, mpi_made *made, ksda_graph **out) {
    job j = {.ctx = ctx, .made = made, .open = open_parcels, .send = send_all_rows};
    return make_rows(&j, n, true, out);
}
