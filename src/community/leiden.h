/* leiden.h: one iteration of the Leiden algorithm. */
#ifndef KSDA_I_LEIDEN_H
#define KSDA_I_LEIDEN_H

#include "core/random.h"

#include <ksda/detect.h>

/* What one community adds to modularity: ends of edges inside it, sum of its degrees, all ends. */
static inline double ksda_i_modularity_share(uint64_t inside, uint64_t degrees, double ends) {
    return (double)inside / ends - (double)degrees / ends * ((double)degrees / ends);
}

/* Modularity, and how many ends of edges are inside communities, also of a graph whose rows are with other processes.
 */
ksda_status ksda_i_modularity(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              uint64_t *inside, double *modularity);

/* The buffers of all iterations on one graph that has an edge. */
typedef struct ksda_i_leiden ksda_i_leiden;

ksda_status ksda_i_leiden_new(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_leiden **out);
void ksda_i_leiden_free(ksda_i_leiden *work); /* NULL is fine */

/* Improve the communities of[] (labels below n), all levels once. KSDA_OK, KSDA_NOMEM, KSDA_INTERRUPTED. */
ksda_status ksda_i_leiden_iterate(ksda_i_leiden *work, ksda_i_rng *rng, uint32_t *of);

#endif
