/* in_igraph.h: a network as igraph has it, for the tests and benchmarks in which igraph is the peer. */
#ifndef IN_IGRAPH_H
#define IN_IGRAPH_H

#include "graph/graph.h"

#include <igraph.h>
#include <stdlib.h>

/* The same vertices and edges; igraph_destroy() it. */
static inline void to_igraph(const ksda_graph *g, igraph_t *out) {
    igraph_vector_int_t ends;
    igraph_integer_t at = 0;
    if (igraph_vector_int_init(&ends, (igraph_integer_t)(2 * g->m)) != IGRAPH_SUCCESS) abort();
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++)
            if (v < g->adj[i]) VECTOR(ends)[at++] = v, VECTOR(ends)[at++] = g->adj[i];
    if (igraph_create(out, &ends, g->n, IGRAPH_UNDIRECTED) != IGRAPH_SUCCESS) abort();
    igraph_vector_int_destroy(&ends);
}

#endif
