/* ksda/communities.h: who belongs where. */
#ifndef KSDA_COMMUNITIES_H
#define KSDA_COMMUNITIES_H

#include <ksda/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One community for every vertex of a graph. Communities are 0 .. count-1 and none is empty. Immutable. */
typedef struct ksda_communities ksda_communities;

/** @param of [n] any labels; they are renumbered 0 .. count-1 in ascending order of label, and named by it. */
KSDA_API ksda_status ksda_communities_from_labels(ksda_ctx *ctx, uint32_t n, const uint32_t *of,
                                                  ksda_communities **out);
KSDA_API void ksda_communities_free(ksda_ctx *ctx, ksda_communities *communities); /**< NULL is fine */

KSDA_API uint32_t ksda_communities_count(const ksda_communities *communities);
KSDA_API uint32_t ksda_communities_vertices(const ksda_communities *communities);
KSDA_API uint32_t ksda_communities_of(const ksda_communities *communities, uint32_t v);
KSDA_API const uint32_t *ksda_communities_labels(const ksda_communities *communities); /**< [n], borrowed */
/** The members of community c in ascending order, borrowed; their number goes to *size. */
KSDA_API const uint32_t *ksda_communities_members(const ksda_communities *communities, uint32_t c, uint32_t *size);
/** As ksda_graph_name(), for a community. */
KSDA_API size_t ksda_communities_name(const ksda_communities *communities, uint32_t c, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
