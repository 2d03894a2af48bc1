/* world.h: ksda on many machines.
 *
 * The first process runs the command as `ksda` does. The others serve it: they wait for orders (serve.c), read their
 * share of a file when all read together (read.c), keep the rows of their range of vertices (rows.c) and hand them out
 * (far.c). The library sees the two tables of graph/peers.h. Orders are the first process's alone, so all processes
 * come to every collective call in the same order. An MPI call that fails ends all of them.
 *
 * Debian's MPIs count in int: everything that can be long goes in rounds (comm.c). */
#ifndef KSDA_MPI_WORLD_H
#define KSDA_MPI_WORLD_H

#include "graph/peers.h"

#include <endian.h>
#include <mpi.h>
#include <sched.h>
#include <time.h>

/* --- comm.c: collective calls of any length ------------------------------------------------------------------------
 */

typedef struct mpi_world {
    int rank, size;
    int neighbours;           /* processes on this machine, this one included */
    uint32_t page;            /* neighbours that are fetched at a time: a page of memory */
    bool forgetful;           /* for tests: rows are not fetched */
    unsigned alone, together; /* threads of the first process, while others wait for its orders and while all work */
    cpu_set_t own, shared;    /* processors that this process was given, and that all on this machine were */
    uint64_t sent;            /* bytes that this process has handed to others */
    uint64_t calls;           /* collective calls and orders so far */
    unsigned handles;         /* graphs read so far: the next one's number */
    struct mpi_share **share; /* [handles] those that are still there */
    ksda_ctx *ctx;
} mpi_world;
extern mpi_world world;

/* All are going to work, or the first one goes on alone: how many threads it has, and which processors. */
void mpi_work_together(ksda_ctx *ctx);
void mpi_work_alone(ksda_ctx *ctx);

/* One more call; the one that KSDA_MPI_RAISE="PROCESS CALL SIGNAL" names is where that signal comes: for tests. */
void mpi_count_call(void);
void mpi_broadcast(void *data, uint64_t bytes, int from);
void mpi_reduce_all(ksda_i_reduction how, uint64_t *value, uint64_t count);
/* What each process has, one after the other, at the first one. mine [count], all [total] or NULL elsewhere. */
void mpi_gather_u32(const uint32_t *mine, uint64_t count, uint32_t *all);
/* Sums of everybody's numbers: at the first process; or of those of each range at its process. all: [range's end] */
void mpi_sum_u32(uint32_t *value, uint64_t count);
void mpi_sum_ranges(const uint64_t *all, const uint32_t *range, uint64_t *mine);
/* From one process to another. */
void mpi_send_u32(const uint32_t *value, uint64_t count, int to);
void mpi_receive_u32(uint32_t *value, uint64_t count, int from);
ksda_status mpi_agree_on_status(ksda_ctx *ctx, ksda_status status, uint64_t lines);
ksda_status mpi_join_lists(ksda_ctx *ctx, uint64_t **list, uint64_t *count);

/* Who has the rows of v. range: [size + 1] the first vertex of each process. A few processes are counted, since nobody
 * can foresee which of them it is. */
enum {
    MPI_FEW = 8
};
int mpi_owner_of_many(const uint32_t *range, uint32_t v);
static inline int mpi_owner_of(const uint32_t *range, uint32_t v) {
    int owner = 0;
    if (world.size > MPI_FEW) return mpi_owner_of_many(range, v);
    for (int r = 1; r < world.size; r++) owner += range[r] <= v;
    return owner;
}

/* Bytes for each process, sent in rounds. */
typedef struct mpi_parcels {
    ksda_ctx *ctx;
    unsigned char *out, *in;
    int *count, *start; /* [size] bytes of `out` for each process, and where they begin */
    int *work;          /* what else is as long as there are processes, see comm.c */
} mpi_parcels;
/* most: bytes that a process sends in a round, to all others together. */
ksda_status mpi_parcels_open(ksda_ctx *ctx, mpi_parcels *parcels, uint64_t most);
void mpi_parcels_close(mpi_parcels *parcels);
/* All of them together. *more: whether this one has more to send; becomes whether anybody has. *came: how many bytes
 * came. status: how this one fares; returns how all do, as mpi_agree_on_status(). */
ksda_status mpi_parcels_send(mpi_parcels *parcels, ksda_status status, bool *more, uint64_t *came);
/* How many bytes a process may send in a round, so that no more come than there is room for. */
uint64_t mpi_parcels_most(void);

/* Pairs of numbers for who has the row of the first one, collected and sent in rounds, each as a few bytes: where the
 * row stands in its range, then the other number. Those for the process itself stay where they are. What came is read
 * by mpi_mail_get(), before anything else is put. */
typedef struct mpi_mail {
    uint64_t *key; /* [most] those for others from the front, the own ones from the end */
    int *to;
    mpi_parcels parcels;
    uint64_t used, own, most;
    uint64_t stayed;      /* of what came, those that were the own ones */
    unsigned bits, width; /* of the other number; bytes of a pair */
} mpi_mail;
/* At most so many pairs a round; rows and other numbers are below n. */
ksda_status mpi_mail_open(ksda_ctx *ctx, mpi_mail *mail, uint64_t most, const uint32_t *range, uint64_t n);
void mpi_mail_close(mpi_mail *mail);
static inline void mpi_mail_put(mpi_mail *mail, const uint32_t *range, uint32_t row, uint32_t other) {
    int to = mpi_owner_of(range, row);
    bool stays = to == world.rank; /* nobody can foresee it: no branch */
    mail->to[mail->used] = to;
    mail->key[stays ? mail->most - 1 - mail->own : mail->used] = (uint64_t)(row - range[to]) << mail->bits | other;
    mail->own += stays, mail->used += !stays;
}
static inline bool mpi_mail_has_room(const mpi_mail *mail, uint64_t pairs) {
    return mail->used + mail->own + pairs <= mail->most;
}
/* As mpi_parcels_send(); *came: how many pairs. */
ksda_status mpi_mail_send(mpi_mail *mail, ksda_status status, bool *more, uint64_t *came);
/* row: counted from the first one of this process. */
static inline void mpi_mail_get(const mpi_mail *mail, uint64_t i, uint32_t *row, uint32_t *other) {
    uint64_t key;
    if (i < mail->stayed) {
        key = mail->key[mail->most - 1 - i];
    } else {
        memcpy(&key, mail->parcels.in + (i - mail->stayed) * mail->width, sizeof key);
        key = le64toh(key);
        if (mail->width < sizeof key) key &= (UINT64_C(1) << 8 * mail->width) - 1;
    }
    *row = (uint32_t)(key >> mail->bits);
    *other = (uint32_t)(key & ((UINT64_C(1) << mail->bits) - 1));
}

/* --- rows.c: who has which rows ------------------------------------------------------------------------------------
 */

/* The part of a graph that a process keeps: vertices first .. last - 1. */
typedef struct mpi_share {
    uint32_t n, first, last;
    bool halves;         /* every edge stands in one row only, that of its smaller end (see graph/peers.h), */
    bool turns;          /* or that of the end whose turn it is */
    uint32_t *range;     /* [size + 1] the first vertex of each process */
    uint64_t *off;       /* [last - first + 1] from 0 */
    uint32_t *adj;       /* its rows */
    uint64_t bytes;      /* of the mapping that adj is */
    uint64_t begin, end; /* where its rows stand among all */
    unsigned handle;
    /* at the first process: */
    uint32_t *view; /* room for all rows, those of others where they were fetched; adj unless halves */
    uint64_t view_bytes;
    uint64_t *ends;                   /* [size] the ends of everybody's rows */
    atomic_uchar *here;               /* pages that are here; NULL for halves */
    uint32_t shown_first, shown_last; /* halves: the rows that the view has */
    bool complete;                    /* halves: it has all of them, whole */
    pthread_mutex_t lock;
} mpi_share;

/* Rows that a process has made, of any vertices: of each edge the larger number, in the row of the smaller one. */
typedef struct mpi_made {
    uint32_t rows;
    uint32_t *name, *length; /* [rows] */
    uint32_t **block;        /* what is in them, one row after the other, MPI_MADE_ROWS of them in each block */
    ksda_pair *loose;        /* [looses] further ends, each with the row that it is in first */
    uint64_t looses, loops;
} mpi_made;
enum {
    MPI_MADE_ROWS = 4096
};

ksda_status mpi_rows_of_slices(ksda_ctx *ctx, uint32_t n, const ksda_i_slice *slices, uint64_t count,
                               ksda_i_consumed_fn consumed, void *data, bool halves, ksda_graph **out);
/* The rows that all have made, as halves; blocks are freed as they are sent. */
ksda_status mpi_rows_of_made(ksda_ctx *ctx, uint32_t n, mpi_made *made, ksda_graph **out);
void mpi_share_free(unsigned handle);
void mpi_share_let_go(unsigned handle); /* the rows only */

/* Of an edge that may be taken from either end: is it from u? The smaller and the larger one take turns, so that nobody
 * has most of them because its vertices have the small numbers. */
static inline bool mpi_is_turn_of(uint32_t u, uint32_t v) {
    return (u < v) != ((u ^ v) & 1);
}

/* --- far.c: rows for the first process ------------------------------------------------------------------------------
 */

extern const ksda_i_far mpi_far;
void mpi_far_dispose(void *share);
void mpi_far_serve_fetch(unsigned handle, uint64_t begin, uint64_t end);
void mpi_far_serve_inside(unsigned handle);

/* --- halves.c -------------------------------------------------------------------------------------------------------
 */

void mpi_halves_make(unsigned handle); /* of whole rows */
void mpi_halves_walk(const ksda_graph *graph, uint32_t v);
void mpi_halves_complete(const ksda_graph *graph);
void mpi_halves_serve(unsigned handle, uint32_t first, uint32_t last);

/* --- guard.c: rows that are not here ---------------------------------------------------------------------------------
 */

/* Pages from .. to - 1 of the rows: empty, and whoever reads them ends all processes; or open again. */
void mpi_guard_pages(const mpi_share *s, uint64_t from, uint64_t to);
void mpi_unguard_pages(const mpi_share *s, uint64_t from, uint64_t to);
/* The first pages of the view at another place, where they are for the caller to unmap; empty ones are left. NULL: no
 * memory. */
void *mpi_take_pages(const mpi_share *s, uint64_t bytes);
void mpi_guard_watch(void); /* at the first process, once */

/* --- release.c, inspect.c: a release, made and recounted where the rows are ------------------------------------------
 */

ksda_status mpi_make_release(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, const uint8_t *key,
                             ksda_graph **out);
void mpi_make_release_serve(unsigned handle);
ksda_status mpi_inspect_release(ksda_ctx *ctx, const ksda_graph *original, const ksda_graph *published,
                                const uint32_t *owner, const uint32_t *of, ksda_i_inspected *out);
void mpi_inspect_release_serve(unsigned original, unsigned published);

/* --- serve.c: orders ------------------------------------------------------------------------------------------------
 */

typedef enum mpi_order {
    MPI_ORDER_END,
    MPI_ORDER_READ,
    MPI_ORDER_GENERATE,
    MPI_ORDER_FETCH,
    MPI_ORDER_HALVES,
    MPI_ORDER_WRITE,
    MPI_ORDER_WRITE_FILE,
    MPI_ORDER_INSIDE,
    MPI_ORDER_APPLY,
    MPI_ORDER_INSPECT,
    MPI_ORDER_LET_GO,
    MPI_ORDER_HALVE,
    MPI_ORDER_FREE
} mpi_order;

enum {
    MPI_TAG_ORDER = 1,
    MPI_TAG_ROWS
};

void mpi_send_order(int rank, mpi_order order, uint64_t handle, uint64_t a, uint64_t b);
void mpi_send_order_to_all(mpi_order order, uint64_t handle, uint64_t a, uint64_t b);
int mpi_serve(void); /* the other processes; returns the exit code */

/* Who waits for another process: looks for a while, then sleeps between looks, so that the other one can run. */
typedef struct mpi_patience {
    uint64_t looks;      /* so far */
    long pause, longest; /* nanoseconds: the next sleep, which grows, and the longest */
} mpi_patience;
void mpi_pause(mpi_patience *patience); /* after a look in vain */

/* --- read.c ---------------------------------------------------------------------------------------------------------
 */

void mpi_read(ksda_ctx *ctx, const char *path, const ksda_load_options *options);
void mpi_read_serve(void);

/* --- write.c --------------------------------------------------------------------------------------------------------
 */

ksda_status mpi_write(ksda_ctx *ctx, const ksda_graph *graph, const char *folder, ksda_format format);
void mpi_write_serve(unsigned handle, ksda_format format, uint64_t length);
bool mpi_may_write_file(const ksda_graph *graph);
ksda_status mpi_write_file(ksda_ctx *ctx, const ksda_graph *graph, const char *path, const char *temporary,
                           ksda_format format);
void mpi_write_file_serve(unsigned handle, ksda_format format, uint64_t length);

/* --- generate.c -----------------------------------------------------------------------------------------------------
 */

void mpi_generate(ksda_ctx *ctx, const ksda_rmat_options *options);
void mpi_generate_serve(void);

#endif
