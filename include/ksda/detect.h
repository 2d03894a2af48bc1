/* ksda/detect.h: finding communities, and making networks that have them. */
#ifndef KSDA_DETECT_H
#define KSDA_DETECT_H

#include <ksda/communities.h>

#ifdef __cplusplus
extern "C" {
#endif

/** METIS k-way partition into `parts` parts. Parts that METIS leaves empty are dropped; their number goes to *empty
 *  (may be NULL). @return KSDA_OK; KSDA_INVALID (parts is 0 or above n); KSDA_UNSUPPORTED (built without METIS). */
KSDA_API ksda_status ksda_detect_metis(ksda_ctx *ctx, const ksda_graph *graph, uint32_t parts, uint32_t *empty,
                                       ksda_communities **out);

/** Leiden, maximizing modularity. Deterministic for a seed whatever the number of threads. */
KSDA_API ksda_status ksda_detect_leiden(ksda_ctx *ctx, const ksda_graph *graph, ksda_communities **out);

/** Newman's modularity of a partition, 0 for a graph without edges. O(n + m). */
KSDA_API double ksda_modularity(const ksda_graph *graph, const ksda_communities *communities);

typedef struct ksda_rmat_options {
    size_t size;
    uint32_t scale;      /**< 2^scale vertices */
    uint64_t edges;      /**< distinct simple edges, exactly */
    double a, b, c, d;   /**< quadrant probabilities; sum 1. Defaults 0.45 0.15 0.15 0.25 */
    uint32_t block_bits; /**< communities are the leading bits of the vertex number; 0 for none */
    uint32_t vertices;   /**< 0, or fewer than 2^scale: pairs that fall outside are drawn again */
} ksda_rmat_options;
KSDA_API void ksda_rmat_options_init(ksda_rmat_options *options);

/** An R-MAT graph. Every one of its vertices exists, also those without an edge.
 *  @param communities NULL, or receives the blocks when block_bits > 0 (else NULL) */
KSDA_API ksda_status ksda_generate_rmat(ksda_ctx *ctx, const ksda_rmat_options *options, ksda_graph **out,
                                        ksda_communities **communities);

#ifdef __cplusplus
}
#endif
#endif
