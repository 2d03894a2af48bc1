/* peers.h: several processes that hold one network together, as the library sees them. mpi/ has the only ones; the
 * library works through these tables and knows no more.
 *
 * Each process reads its share of the input and keeps the rows of a range of vertices. The first one alone goes on from
 * there: it has the degrees of everybody (off is complete) and the rows of its own range; others are brought when they
 * are asked for, see ksda_i_graph_need(). What looks at all rows has a function here, so that they stay where they are.
 *
 * Calls of agree, reduce, join and rows are made by all processes, in the same order: whoever fails before one of them
 * hands its failure to agree instead of leaving. */
#ifndef KSDA_I_PEERS_H
#define KSDA_I_PEERS_H

#include "graph/rows.h"

#include <ksda/detect.h>
#include <ksda/edits.h>
#include <ksda/io.h>

typedef enum ksda_i_reduction {
    KSDA_I_REDUCE_SUM,
    KSDA_I_REDUCE_MIN,
    KSDA_I_REDUCE_MAX,
    KSDA_I_REDUCE_OR
} ksda_i_reduction;

typedef struct ksda_i_peers {
    uint32_t rank, count;
    uint64_t whole; /* rows of a graph of at most so many vertices and edges all go to the first one at once */
    /* The first one only: have the others read this graph, too. */
    void (*read)(ksda_ctx *ctx, const char *path, const ksda_load_options *options);
    /* The first one only: have the others draw this graph, too (community/rmat.c). */
    void (*generate)(ksda_ctx *ctx, const ksda_rmat_options *options);
    /* The status of all: that of the first one that has failed, with its error. lines: that this one has read before
     * its error, which is moved on by those of the ones before it. */
    ksda_status (*agree)(ksda_ctx *ctx, ksda_status status, uint64_t lines);
    /* Combine the values of all, in place. */
    void (*reduce)(ksda_i_reduction how, uint64_t *value, uint64_t count);
    /* Ascending lists become one, everywhere: ascending, each number once. Fails everywhere or nowhere, as does rows.
     */
    ksda_status (*join)(ksda_ctx *ctx, uint64_t **list, uint64_t *count);
    /* As ksda_i_rows_build() of the edges of all: each gets the rows of its range. halves: every edge is kept at its
     * smaller end only, which takes half the memory and half the messages, and does for who writes or recounts it;
     * whole rows are made when they are asked for, at the first one. */
    ksda_status (*rows)(ksda_ctx *ctx, uint32_t n, const ksda_i_slice *slices, uint64_t count,
                        ksda_i_consumed_fn consumed, void *data, bool halves, ksda_graph **out);
} ksda_i_peers;

/* What the edges of a release are, see verify.c. */
typedef struct ksda_i_inspected {
    uint64_t added, links, further;
    uint32_t wrong; /* the lowest original vertex with something wrong, or KSDA_NO_VERTEX */
} ksda_i_inspected;

/* Work on a graph whose rows are with others. apply, inspect, write, write_file and halve are NULL where there are no
 * others. */
typedef struct ksda_i_far {
    /* Bring adj[begin] .. adj[end - 1]; from any thread. */
    void (*fetch)(const ksda_graph *graph, uint64_t begin, uint64_t end);
    /* How many neighbours each vertex has in its own community. inside: [n] */
    ksda_status (*inside)(ksda_ctx *ctx, const ksda_graph *graph, const uint32_t *of, uint32_t *inside);
    /* Make the release where the rows are: piece p is called to[p], which is the permutation of the key (core/keyed.h)
     * where there is one. *out is NULL where that cannot be done so. */
    ksda_status (*apply)(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, const uint8_t *key,
                         ksda_graph **out);
    /* Conditions 2 to 4 of verify.c; owner: [n of published], each below the n of original. */
    ksda_status (*inspect)(ksda_ctx *ctx, const ksda_graph *original, const ksda_graph *published,
                           const uint32_t *owner, const uint32_t *of, ksda_i_inspected *out);
    /* The row of v, for who goes through all of them in order and needs each once: those before it are let go. Its
     * neighbours above v are there; those below may be 0. */
    void (*walk)(const ksda_graph *graph, uint32_t v);
    /* Write the rows to files part-00000, ... of that folder, each process its own; edges or raw pairs. */
    ksda_status (*write)(ksda_ctx *ctx, const ksda_graph *graph, const char *folder, ksda_format format);
    /* The same to one file, the settled temporary one of the output `path`, each process its stretch; where they may:
     * else the first one writes it by itself. */
    bool (*may_write_file)(const ksda_graph *graph);
    ksda_status (*write_file)(ksda_ctx *ctx, const ksda_graph *graph, const char *path, const char *temporary,
                              ksda_format format);
    /* No row will be looked at any more, only degrees. */
    void (*let_go)(const ksda_graph *graph);
    /* Edges will be recounted, if anything: keep halves, see rows above. */
    void (*halve)(const ksda_graph *graph);
    /* NULL, or make v's row here, from any thread. row, scratch: as long as the longest
     * row. See overlay.c, which has no processes at all. */
    void (*row)(const ksda_graph *graph, uint32_t v, ksda_i_row_order order, uint32_t *row, uint32_t *scratch);
} ksda_i_far;

/* With several processes: the status of all of them. */
static inline ksda_status ksda_i_agree(ksda_ctx *ctx, ksda_status status) {
    return ctx->peers ? ctx->peers->agree(ctx, status, 0) : status;
}

#endif
