/* exact_reference.h: the optimum by trying everything, for networks of a handful of vertices. */
#ifndef EXACT_REFERENCE_H
#define EXACT_REFERENCE_H

#include "graph/communities.h"
#include "graph/graph.h"

/* The fewest edges added inside communities that make g k-structurally diverse, by trying every set of them; -1 when
 * none does. At most 16 vertices of degree below 16 and 24 candidate pairs. */
int reference_add(const ksda_graph *g, const ksda_communities *c, uint32_t k);

#endif
