/* items.h: the formats that write every vertex, and then every edge, as an item of its own. */
#ifndef KSDA_I_ITEMS_H
#define KSDA_I_ITEMS_H

#include "graph/communities.h"
#include "graph/graph.h"
#include "io/output.h"

typedef struct ksda_i_items {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities; /* to stand with the vertices, NULL for none */
    ksda_i_output *out;
    void *payload; /* the format's own */
} ksda_i_items;

typedef ksda_status (*ksda_i_vertex_item)(const ksda_i_items *items, uint32_t v);
/* number: of the edge, from 0; u < v. */
typedef ksda_status (*ksda_i_edge_item)(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v);

/* All vertices in order. What fn returns below 0 ends it. KSDA_INTERRUPTED, KSDA_TIMEOUT. */
ksda_status ksda_i_write_vertices(const ksda_i_items *items, ksda_i_vertex_item fn);
/* All edges, each once, by smaller and then by larger end; of a graph whose rows are made when they are asked for, some
 * at a time. KSDA_NOMEM as well. */
ksda_status ksda_i_write_edges(const ksda_i_items *items, ksda_i_edge_item fn);

#endif
