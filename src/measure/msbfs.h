/* msbfs.h: breadth-first search from up to 512 sources at once. */
#ifndef KSDA_I_MSBFS_H
#define KSDA_I_MSBFS_H

#include "measure/order.h"

#define KSDA_I_LANES 512 /* sources of one search: bits of one word */

/* What one thread needs for searches in one graph, and what the last search found. */
typedef struct ksda_i_msbfs ksda_i_msbfs;
ksda_status ksda_i_msbfs_new(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_msbfs **out);
void ksda_i_msbfs_free(ksda_ctx *ctx, ksda_i_msbfs *s);

/* Search from count <= 512 ascending sources (numbers of the ordered graph). Afterwards *pairs [*levels] is the number
 * of (source, vertex) pairs at each distance, borrowed until the next search. farness: NULL, or [n]: each vertex's
 * distances from the sources are added to it. by_source: NULL, or receives a borrowed array: by_source[d * 512 + i]
 * vertices lie at distance d from source i. KSDA_OK; KSDA_NOMEM; KSDA_INTERRUPTED without a message (any thread may
 * call this). */
ksda_status ksda_i_msbfs_run(ksda_i_msbfs *s, const uint32_t *source, uint32_t count, uint64_t *farness,
                             uint32_t *levels, const uint64_t **pairs, const uint32_t **by_source);

#endif
