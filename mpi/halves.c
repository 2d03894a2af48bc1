/* Rows of halves (see rows in graph/peers.h): whole ones become such, in turns, for who recounts edges; and at the
 * first process some of them at a time for who walks them, or all, made whole, for who asks for any other. Those who
 * keep them send how long each is, then what is in them. */
#include "world.h"

#include "core/sort.h"

#include <stdlib.h>
#include <sys/mman.h>

#define MOST_SHOWN ((uint64_t)1 << 20) /* ends of the rows that are shown at a time */

/* Some rows of one process: first .. last - 1. */
typedef struct batch {
    uint32_t first, last;
    uint32_t *length, *neighbour;
} batch;

static void end_all_processes(void) {
    MPI_Abort(MPI_COMM_WORLD, 1); /* no memory, where nobody can be told */
}

/* --- from whole rows ------------------------------------------------------------------------------------------------
 */

/* Keep an edge where it is its turn. Returns how much. */
static uint64_t drop_other_ends(mpi_share *s) {
    uint64_t at = 0, begin = 0;
    for (uint32_t v = s->first; v < s->last; v++) {
        uint64_t *off = s->off + (v - s->first), end = off[1];
        *off = at;
        for (; begin < end; begin++) { /* nobody can foresee it: no branch */
            s->adj[at] = s->adj[begin];
            at += mpi_is_turn_of(v, s->adj[begin]);
        }
    }
    s->off[s->last - s->first] = at;
    return at;
}

/* The first process's rows move out of the view, which is closed until somebody asks for whole rows. */
static void leave_view(mpi_share *s, uint64_t bytes) {
    uint32_t *rows = mpi_take_pages(s, bytes);
    if (!rows) end_all_processes();
    mpi_guard_pages(s, 0, s->view_bytes / sizeof *s->view / world.page);
    s->adj = rows;
    s->bytes = bytes;
}

void mpi_halves_make(unsigned handle) {
    mpi_share *s = world.share[handle];
    uint64_t kept = drop_other_ends(s), bytes = (kept / world.page + 1) * world.page * sizeof *s->adj;
    s->halves = s->turns = true;
    if (s->view)
        leave_view(s, bytes);
    else if (bytes < s->bytes && munmap((char *)s->adj + bytes, s->bytes - bytes) == 0)
        s->bytes = bytes;
}

/* --- at the first process -------------------------------------------------------------------------------------------
 */

static batch open_batch(const ksda_graph *g, uint32_t v) {
    const mpi_share *s = g->far_data;
    uint32_t stop = s->range[mpi_owner_of(s->range, v) + 1];
    batch b = {.first = v, .last = v + 1};
    while (b.last < stop && g->off[b.last + 1] - g->off[v] <= MOST_SHOWN) b.last++;
    b.length = malloc((b.last - b.first) * sizeof *b.length);
    b.neighbour = malloc((g->off[b.last] - g->off[v] + 1) * sizeof *b.neighbour);
    if (!b.length || !b.neighbour) end_all_processes();
    return b;
}

static void close_batch(batch *b) {
    free(b->length);
    free(b->neighbour);
}

/* The rows of a share, as they are sent. Returns how many neighbours. */
static uint64_t list_lengths(const mpi_share *s, uint32_t first, uint32_t last, uint32_t *length) {
    const uint64_t *off = s->off + (first - s->first);
    for (uint32_t i = 0; i < last - first; i++) length[i] = (uint32_t)(off[i + 1] - off[i]);
    return off[last - first] - off[0];
}

static void receive_batch(const mpi_share *s, batch *b) {
    int owner = mpi_owner_of(s->range, b->first);
    uint64_t total = 0, rows = b->last - b->first;
    if (owner == 0) {
        total = list_lengths(s, b->first, b->last, b->length);
        memcpy(b->neighbour, s->adj + s->off[b->first], total * sizeof *b->neighbour);
        return;
    }
    mpi_send_order(owner, MPI_ORDER_HALVES, s->handle, b->first, b->last);
    mpi_receive_u32(b->length, rows, owner);
    for (uint64_t i = 0; i < rows; i++) total += b->length[i];
    mpi_receive_u32(b->neighbour, total, owner);
}

void mpi_halves_serve(unsigned handle, uint32_t first, uint32_t last) {
    const mpi_share *s = world.share[handle];
    uint32_t *length = malloc((last - first) * sizeof *length);
    if (!length) end_all_processes();
    uint64_t total = list_lengths(s, first, last, length);
    mpi_send_u32(length, last - first, 0);
    mpi_send_u32(s->adj + s->off[first - s->first], total, 0);
    free(length);
}

/* The larger neighbours stand at the end of a row; what is before them stays 0. */
static void place_batch(const ksda_graph *g, const batch *b) {
    const uint32_t *from = b->neighbour;
    uint32_t *view = ((mpi_share *)g->far_data)->view;
    for (uint32_t v = b->first; v < b->last; v++) {
        uint32_t length = b->length[v - b->first];
        memcpy(view + g->off[v + 1] - length, from, length * sizeof *view);
        from += length;
    }
}

static uint64_t page_of(const ksda_graph *g, uint32_t v) {
    return g->off[v] / world.page;
}

void mpi_halves_walk(const ksda_graph *g, uint32_t v) {
    mpi_share *s = g->far_data;
    if (s->turns) mpi_halves_complete(g);
    if (s->complete || world.forgetful || (v >= s->shown_first && v < s->shown_last)) return;
    uint64_t from = page_of(g, s->shown_first), to = s->shown_last ? (g->off[s->shown_last] - 1) / world.page + 1 : 0;
    if (v >= s->shown_last && page_of(g, v) < to) to = page_of(g, v);
    mpi_guard_pages(s, from, to);
    batch b = open_batch(g, v);
    receive_batch(s, &b);
    mpi_unguard_pages(s, page_of(g, v), (g->off[b.last] - 1) / world.page + 1);
    place_batch(g, &b);
    s->shown_first = b.first, s->shown_last = b.last;
    close_batch(&b);
}

/* Every edge at its larger end, too: they come in the order of the smaller one. */
static void mirror_batch(const ksda_graph *g, const batch *b, uint32_t *filled) {
    const uint32_t *from = b->neighbour;
    uint32_t *view = ((mpi_share *)g->far_data)->view;
    for (uint32_t v = b->first; v < b->last; v++)
        for (uint32_t i = 0; i < b->length[v - b->first]; i++, from++) view[g->off[*from] + filled[*from]++] = v;
}

/* Every edge at both ends, in any order. */
static void spread_batch(const ksda_graph *g, const batch *b, uint32_t *filled) {
    const uint32_t *from = b->neighbour;
    uint32_t *view = ((mpi_share *)g->far_data)->view;
    for (uint32_t v = b->first; v < b->last; v++)
        for (uint32_t i = 0; i < b->length[v - b->first]; i++, from++) {
            view[g->off[v] + filled[v]++] = *from;
            view[g->off[*from] + filled[*from]++] = v;
        }
}

static void sort_view(const ksda_graph *g) {
    uint32_t *view = ((mpi_share *)g->far_data)->view, *scratch = malloc(ksda_i_graph_longest_row(g) * sizeof *scratch);
    if (!scratch) end_all_processes();
    for (uint32_t v = 0; v < g->n; v++) ksda_i_sort_u32(view + g->off[v], ksda_i_degree(g, v), scratch);
    free(scratch);
}

void mpi_halves_complete(const ksda_graph *g) {
    mpi_share *s = g->far_data;
    if (world.forgetful) return;
    pthread_mutex_lock(&s->lock);
    if (!s->complete) {
        uint32_t *filled = calloc((uint64_t)s->n + 1, sizeof *filled);
        if (!filled) end_all_processes();
        mpi_unguard_pages(s, 0, s->view_bytes / sizeof *s->view / world.page);
        for (uint32_t v = 0; v < s->n;) {
            batch b = open_batch(g, v);
            receive_batch(s, &b);
            if (!s->turns) place_batch(g, &b), mirror_batch(g, &b, filled);
            if (s->turns) spread_batch(g, &b, filled);
            v = b.last;
            close_batch(&b);
        }
        if (s->turns) sort_view(g);
        free(filled);
        s->complete = true;
    }
    pthread_mutex_unlock(&s->lock);
}
