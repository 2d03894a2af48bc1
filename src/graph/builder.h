/* builder.h: from an edge stream with arbitrary numeric ids to a graph. All readers end here. */
#ifndef KSDA_I_BUILDER_H
#define KSDA_I_BUILDER_H

#include "graph/graph.h"

typedef struct ksda_i_builder ksda_i_builder;

/* lanes: how many threads may append at the same time, each to its own lane. Edges keep no order. */
ksda_status ksda_i_builder_new(ksda_ctx *ctx, unsigned lanes, ksda_i_builder **out);
void ksda_i_builder_free(ksda_ctx *ctx, ksda_i_builder *b);

/* Append an edge between two numeric ids. KSDA_OK or KSDA_NOMEM. Different lanes may be used from different threads. */
ksda_status ksda_i_builder_edge(ksda_i_builder *b, unsigned lane, uint64_t u, uint64_t v);
/* This vertex exists, with or without edges. */
ksda_status ksda_i_builder_vertex(ksda_i_builder *b, unsigned lane, uint64_t id);
/* The vertices are exactly first .. first + count - 1 (METIS, Matrix Market, names): an edge to another id is then a
 * bug of the caller. */
void ksda_i_builder_declare(ksda_i_builder *b, uint64_t first, uint32_t count);

/* Room for that many edges, for readers that write pairs of ids themselves: uint64_t pairs if wide, else uint32_t.
 * Commit tells how many were written. They stay where they are until the builder is finished or freed. NULL:
 * KSDA_NOMEM. */
void *ksda_i_builder_room(ksda_i_builder *b, unsigned lane, uint64_t edges, bool wide);
void ksda_i_builder_commit(ksda_i_builder *b, unsigned lane, uint64_t edges);

/* Make the graph: ids ascending, loops and repetitions removed and counted. Frees the builder, whatever happens.
 * KSDA_INVALID: more than KSDA_MAX_VERTICES vertices. names: NULL, or the names of the declared vertices, taken on
 * success. */
ksda_status ksda_i_builder_finish(ksda_i_builder *b, ksda_i_ids *names, ksda_graph **out);

#endif
