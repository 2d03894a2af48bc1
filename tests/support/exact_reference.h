/* exact_reference.h: the optimum by trying everything, for networks of a handful of vertices. */
#ifndef EXACT_REFERENCE_H
#define EXACT_REFERENCE_H

#include "graph/communities.h"
#include "graph/graph.h"

/* How many edges could be added inside communities. */
uint32_t reference_pairs(const ksda_graph *g, const ksda_communities *c);

/* The fewest edges added inside communities that make g k-structurally diverse, by trying every set of them; -1 when
 * none does. At most 16 vertices of degree below 16 and 24 candidate pairs. */
int reference_add(const ksda_graph *g, const ksda_communities *c, uint32_t k);

/* The least n_a + omega n_s with at most `most` added vertices, by trying every way to split, to deal out and double
 * the original edges, to link and to add edges; infinity when there is none. No other solution can be cheaper when it
 * is at most omega (most + 1). For up to 6 vertices. */
double reference_split(const ksda_graph *g, const ksda_communities *c, uint32_t k, double omega, uint32_t most);
/* The same with exactly so many added vertices. */
double reference_split_exactly(const ksda_graph *g, const ksda_communities *c, uint32_t k, double omega,
                               uint32_t extra);

/* The fewest edges, each one of these pairs, with which the network holds, at most `most`; UINT32_MAX where there are
 * none. degree: of its vertices, which is changed on the way and put back. */
uint32_t reference_fewest(uint32_t *degree, const uint32_t (*pair)[2], uint32_t pairs, uint32_t most,
                          bool (*holds)(const void *network), const void *network);

#endif
