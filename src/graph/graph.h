/* graph.h: the graph from inside. */
#ifndef KSDA_I_GRAPH_H
#define KSDA_I_GRAPH_H

#include "graph/ids.h"

#include <ksda/graph.h>

struct ksda_graph {
    uint32_t n;
    uint64_t m;
    uint64_t *off; /* [n + 1] */
    uint32_t *adj; /* [2m], each row ascending */
    ksda_i_ids ids;
    ksda_cleaning cleaning;
    bool lent_off, lent_adj;        /* the arrays are the caller's: never freed or changed here */
    void (*dispose)(void *payload); /* NULL, or told that they are not needed any more */
    void *dispose_payload;
    const struct ksda_i_far *far; /* NULL, or most rows are with other processes: see peers.h */
    void *far_data;
};

static inline uint32_t ksda_i_degree(const ksda_graph *g, uint32_t v) {
    return (uint32_t)(g->off[v + 1] - g->off[v]);
}

/* How a row is wanted that is made when it is asked for. */
typedef enum ksda_i_row_order {
    KSDA_I_ROW_ANY,    /* in any order */
    KSDA_I_ROW_SORTED, /* ascending */
    KSDA_I_ROW_ABOVE   /* ascending, neighbours below the vertex itself as 0: for who writes each edge once */
} ksda_i_row_order;

/* Before v's row is looked at: have it here. Nothing to do but where rows are with other processes. */
void ksda_i_graph_bring(const ksda_graph *g, uint64_t begin, uint64_t end);
void ksda_i_graph_pass(const ksda_graph *g, uint32_t v);
static inline void ksda_i_graph_need(const ksda_graph *g, uint32_t v) {
    if (g->far) ksda_i_graph_bring(g, g->off[v], g->off[v + 1]);
}
/* The same for who goes through all rows in order, and looks once at the neighbours above v of each; those below may
 * be 0. */
static inline void ksda_i_graph_walk(const ksda_graph *g, uint32_t v) {
    if (g->far) ksda_i_graph_pass(g, v);
}
/* The same for all rows: for what goes through the whole graph, and takes the memory of one process. */
static inline void ksda_i_graph_need_all(const ksda_graph *g) {
    if (g->far) ksda_i_graph_bring(g, 0, g->off[g->n]);
}

/* v's row; one that is not there is made in row, in that order. row, scratch: [longest row]. From any
 * thread. */
const uint32_t *ksda_i_graph_row(const ksda_graph *g, uint32_t v, ksda_i_row_order order, uint32_t *row,
                                 uint32_t *scratch);
/* Whether rows are made when they are asked for. */
bool ksda_i_graph_makes_rows(const ksda_graph *g);
uint64_t ksda_i_graph_longest_row(const ksda_graph *g);

/* Where u stands in v's row (an index into adj), or UINT64_MAX. */
uint64_t ksda_i_graph_position(const ksda_graph *g, uint32_t v, uint32_t u);

/* Take CSR arrays whose rows are already sorted and simple. Frees them on failure. */
ksda_status ksda_i_graph_take(ksda_ctx *ctx, uint32_t n, uint64_t *off, uint32_t *adj, ksda_graph **out);
/* Turn unsorted rows with loops and repetitions into a graph, in place. Takes off and adj, also on failure. */
ksda_status ksda_i_graph_take_raw(ksda_ctx *ctx, uint32_t n, uint64_t *off, uint32_t *adj, ksda_graph **out);
/* The same graph with vertex v called to[v]; names are not carried over. */
ksda_status ksda_i_graph_relabel(ksda_ctx *ctx, const ksda_graph *g, const uint32_t *to, ksda_graph **out);
/* Give a graph that nobody else has seen yet extra vertices of degree 0; their ids were appended before. */
ksda_status ksda_i_graph_extend(ksda_ctx *ctx, ksda_graph *g, uint32_t extra);

#endif
