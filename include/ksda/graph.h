/* ksda/graph.h: the immutable graph and the names of its vertices.
 *
 * A graph comes from a file (ksda_load() in io.h), from edges (ksda_graph_from_edges(), ksda_graph_from_named_edges())
 * or from rows that the caller has already (ksda_graph_from_csr(), with or without a copy). Everything that has n or m
 * entries comes out as an array as well: offsets, neighbours, and all names in one buffer. */
#ifndef KSDA_GRAPH_H
#define KSDA_GRAPH_H

#include <ksda/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An undirected simple graph in compressed sparse rows: vertices are 0 .. n-1, the neighbours of each stand in
 *  ascending order, every edge appears at both its ends. It never changes after it was made, so any number of
 *  threads may read it, each with a context of its own where a call takes one; only the last user frees it.
 *  Memory: 8 bytes a vertex and 8 an edge, and the names: nothing where they are 0 .. n-1, 8 bytes each where they are
 *  other numbers, else their text and about 14 bytes. */
typedef struct ksda_graph ksda_graph;

/** What was dropped to make the input simple. All 0 but input_edges for a graph from rows. */
typedef struct ksda_cleaning {
    uint64_t input_edges;     /**< edge records in the input */
    uint64_t self_loops;      /**< removed */
    uint64_t duplicate_edges; /**< removed, whether repeated in the same direction or reversed */
} ksda_cleaning;

/* --- making one --------------------------------------------------------------------------------------------------- */

/** Build a graph from m pairs of vertex numbers below n. Loops and repetitions are removed and counted.
 *  The vertices are called by their numbers.
 *  @param pairs [2*m] copied; may be NULL where m is 0 @param out owned by the caller; NULL on failure
 *  @return KSDA_OK; KSDA_INVALID (a number >= n; the message names the edge); KSDA_NOMEM; KSDA_INTERRUPTED.
 *  Time O(n + m) plus sorting each row, on the context's threads; 16 bytes an edge and 8 a vertex while it runs. */
KSDA_API ksda_status ksda_graph_from_edges(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *pairs,
                                           ksda_graph **out);

/** The same with names: vertex v is called by the bytes names[name_offsets[v]] .. names[name_offsets[v + 1] - 1].
 *  @param names copied; any bytes, no terminators needed; NULL: the vertices are called by their numbers
 *  @param name_offsets [n+1] in bytes, ascending; not looked at where names is NULL
 *  @param out owned by the caller; NULL on failure
 *  @return as ksda_graph_from_edges(); KSDA_INVALID also where two vertices have the same name or the offsets descend.
 *  Which names a format can hold is told when it is written. Time as above, and O(bytes) for the names. */
KSDA_API ksda_status ksda_graph_from_named_edges(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *pairs,
                                                 const char *names, const uint64_t *name_offsets, ksda_graph **out);

/** Rows as the caller has them, for ksda_graph_from_csr(). Fields that are not set are 0:
 *
 *     ksda_csr csr = KSDA_INIT(ksda_csr);
 *     csr.vertices = n, csr.offsets = offsets, csr.targets = targets, csr.borrow = 1; */
typedef struct ksda_csr {
    size_t size;                  /**< set by KSDA_INIT(ksda_csr) */
    uint32_t vertices;            /**< n */
    const uint64_t *offsets;      /**< [n+1] row v is targets[offsets[v]] .. targets[offsets[v + 1] - 1] */
    const uint32_t *targets;      /**< [offsets[n]] both directions of every edge, each row strictly ascending */
    const char *names;            /**< as for ksda_graph_from_named_edges(); always copied; NULL for numbers */
    const uint64_t *name_offsets; /**< [n+1], where there are names */
    int borrow;                   /**< 0: offsets and targets are copied. 1: the graph uses the caller's arrays, which
                                       must neither change nor go away before the graph is freed */
    void (*dispose)(
        void *payload); /**< NULL, or called once when offsets and targets are not needed any more: by
                             ksda_graph_free() in the thread that calls it, or, where they are copied, before
                             ksda_graph_from_csr() returns. Never after a failure. It may not use the graph */
    void *dispose_payload;
} ksda_csr;

/** A graph from compressed sparse rows. They are checked, not mended: every row strictly ascending, no loops, and every
 *  edge at both its ends.
 *  @param csr made ready with KSDA_INIT; the struct itself is not needed after the call
 *  @param out owned by the caller; NULL on failure, and then the arrays are the caller's as before
 *  @return KSDA_OK; KSDA_INVALID (the message names row and neighbour); KSDA_NOMEM; KSDA_INTERRUPTED; KSDA_TIMEOUT.
 *  Time O(n + m) in the caller's thread; 4 bytes a vertex while it runs, and afterwards nothing but the names where the
 *  rows are borrowed. */
KSDA_API ksda_status ksda_graph_from_csr(ksda_ctx *ctx, const ksda_csr *csr, ksda_graph **out);

/** Free a graph. @param graph NULL is fine. What borrows it (edits) must be freed before. O(1) but for the system. */
KSDA_API void ksda_graph_free(ksda_ctx *ctx, ksda_graph *graph);

/* --- looking at it: any thread, no context needed ----------------------------------------------------------------- */

/** The number of vertices, n. O(1). */
KSDA_API uint32_t ksda_graph_vertices(const ksda_graph *graph);
/** The number of edges, m, each counted once. O(1). */
KSDA_API uint64_t ksda_graph_edges(const ksda_graph *graph);
/** The number of neighbours of v. @param v below n: not checked. O(1). */
KSDA_API uint32_t ksda_graph_degree(const ksda_graph *graph, uint32_t v);
/** Where the rows begin: [n+1], the last one 2m. Borrowed: valid until the graph is freed. O(1), no copy. */
KSDA_API const uint64_t *ksda_graph_offsets(const ksda_graph *graph);
/** The neighbours of all vertices, row after row, each row ascending: [2m]. Borrowed likewise. O(1), no copy. */
KSDA_API const uint32_t *ksda_graph_neighbours(const ksda_graph *graph);
/** Whether u and v, both below n, are adjacent: 1 or 0. O(log of the smaller degree). */
KSDA_API int ksda_graph_adjacent(const ksda_graph *graph, uint32_t u, uint32_t v);
/** What was dropped when the graph was made. Borrowed: valid until the graph is freed. O(1). */
KSDA_API const ksda_cleaning *ksda_graph_cleaning(const ksda_graph *graph);

/** Write v's name as the input gave it into buffer (always terminated, cut if it does not fit; a name may hold any
 *  bytes). @param buffer NULL is fine where capacity is 0
 *  @return the length of the whole name in bytes, without the terminator. O(length). */
KSDA_API size_t ksda_graph_name(const ksda_graph *graph, uint32_t v, char *buffer, size_t capacity);

/** All names in one buffer: that of v is (*text)[(*offsets)[v]] .. (*text)[(*offsets)[v + 1] - 1].
 *  @param text,offsets [bytes] with a terminator behind the last, and [n+1]; both are the caller's, freed with
 *  ksda_free(); NULL on failure @return KSDA_OK; KSDA_NOMEM. O(bytes). */
KSDA_API ksda_status ksda_graph_names(ksda_ctx *ctx, const ksda_graph *graph, char **text, uint64_t **offsets);

/** The vertex with that name, or KSDA_NO_VERTEX. Names made of digits are found by value in graphs with numeric ids.
 *  @param length of the name in bytes. O(length), or O(log n) for numbers. */
KSDA_API uint32_t ksda_graph_find(const ksda_graph *graph, const char *name, size_t length);

#ifdef __cplusplus
}
#endif
#endif
