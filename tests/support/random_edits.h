/* random_edits.h: random edit lists that keep every rule, for tests of what is done with edits. */
#ifndef RANDOM_EDITS_H
#define RANDOM_EDITS_H

#include "core/random.h"

#include <ksda/edits.h>

/* What the list holds, counted while it was made. */
typedef struct edit_counts {
    uint64_t added, links, pieces; /* pieces: n_s */
    uint32_t split;
} edit_counts;

/* Split about `splits` vertices (each piece keeps an original edge), link some of their pieces, then try `adds` times
 * to add an edge inside a community, or between pieces of adjacent vertices: a further representative. */
ksda_edits *random_edits(ksda_ctx *ctx, ksda_i_rng *r, const ksda_graph *g, const ksda_communities *c, unsigned splits,
                         unsigned adds, edit_counts *counts);

/* So many edges inside communities and nothing else, one end of each among the first `ends` vertices. There must be as
 * many that can be added. */
ksda_edits *random_additions(ksda_ctx *ctx, uint64_t seed, const ksda_graph *g, const ksda_communities *c,
                             uint32_t ends, uint64_t count);

#endif
