/* ksda/graph.h: the immutable graph and the names of its vertices. */
#ifndef KSDA_GRAPH_H
#define KSDA_GRAPH_H

#include <ksda/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An undirected simple graph in compressed sparse rows: vertices are 0 .. n-1, the neighbours of each stand in
 *  ascending order, every edge appears at both its ends. It never changes after it was made, so any number of
 *  threads may read it. */
typedef struct ksda_graph ksda_graph;

/** What was dropped to make the input simple. */
typedef struct ksda_cleaning {
    uint64_t input_edges;     /**< edge records in the input */
    uint64_t self_loops;      /**< removed */
    uint64_t duplicate_edges; /**< removed, whether repeated in the same direction or reversed */
} ksda_cleaning;

/** Build a graph from m pairs of vertex numbers below n. Loops and repetitions are removed and counted.
 *  The vertices are called by their numbers. @param pairs [2*m] @param out owned by the caller.
 *  @return KSDA_OK, KSDA_INVALID (a number >= n), KSDA_NOMEM. Time O(n + m) plus sorting each row, in parallel. */
KSDA_API ksda_status ksda_graph_from_edges(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *pairs,
                                           ksda_graph **out);
KSDA_API void ksda_graph_free(ksda_ctx *ctx, ksda_graph *graph); /**< NULL is fine */

KSDA_API uint32_t ksda_graph_vertices(const ksda_graph *graph);
KSDA_API uint64_t ksda_graph_edges(const ksda_graph *graph);
KSDA_API uint32_t ksda_graph_degree(const ksda_graph *graph, uint32_t v);
KSDA_API const uint64_t *ksda_graph_offsets(const ksda_graph *graph);              /**< [n+1], borrowed */
KSDA_API const uint32_t *ksda_graph_neighbours(const ksda_graph *graph);           /**< [2m], borrowed */
KSDA_API int ksda_graph_adjacent(const ksda_graph *graph, uint32_t u, uint32_t v); /**< O(log degree) */
KSDA_API const ksda_cleaning *ksda_graph_cleaning(const ksda_graph *graph);

/** Write v's name as the input gave it into buffer (always terminated, cut if it does not fit).
 *  @return the length of the whole name in bytes. */
KSDA_API size_t ksda_graph_name(const ksda_graph *graph, uint32_t v, char *buffer, size_t capacity);

/** The vertex with that name, or KSDA_NO_VERTEX. Names made of digits are found by value in graphs with numeric ids. */
KSDA_API uint32_t ksda_graph_find(const ksda_graph *graph, const char *name, size_t length);

#ifdef __cplusplus
}
#endif
#endif
