/* ksda/edits.h: what a method wants done to a graph, and the one place that does it. */
#ifndef KSDA_EDITS_H
#define KSDA_EDITS_H

#include <ksda/communities.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of changes to one graph with n vertices.
 *
 *  Splitting v leaves a first piece with the number v; every further piece gets the next free number n, n+1, ...
 *  An unsplit vertex is its own only piece. Each end of each original edge is *carried* by one piece of that end's
 *  vertex, at first by the first piece: so no edit list can lose or double an original edge. Edges are added
 *  between pieces of one community, links between pieces of one vertex. An added edge between pieces of two
 *  vertices that are adjacent in the original is a further representative of that edge, in whatever communities. */
typedef struct ksda_edits ksda_edits;

typedef struct ksda_pair {
    uint32_t u, v;
} ksda_pair;

KSDA_API ksda_status ksda_edits_new(ksda_ctx *ctx, const ksda_graph *graph, ksda_edits **out); /**< borrows graph */
KSDA_API void ksda_edits_free(ksda_ctx *ctx, ksda_edits *edits);

KSDA_API ksda_status ksda_edits_add_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q);
KSDA_API ksda_status ksda_edits_link(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q);
/** Only the k-degree baseline removes edges; verify refuses such a release as a k-SDA. */
KSDA_API ksda_status ksda_edits_remove_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t u, uint32_t v);
/** Give original vertex v one more piece, numbered *piece. May be repeated. */
KSDA_API ksda_status ksda_edits_split(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t *piece);
/** Let piece p of v carry v's end of the edge to its i-th neighbour (0-based, in the original's row). v was split
 * before. */
KSDA_API ksda_status ksda_edits_carry(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t i, uint32_t piece);

KSDA_API uint64_t ksda_edits_added(const ksda_edits *edits, const ksda_pair **pairs); /**< n_a; borrowed */
KSDA_API uint64_t ksda_edits_links(const ksda_edits *edits, const ksda_pair **pairs);
KSDA_API uint64_t ksda_edits_removed(const ksda_edits *edits, const ksda_pair **pairs);
KSDA_API uint32_t ksda_edits_pieces(const ksda_edits *edits);         /**< n + n_s */
KSDA_API uint32_t ksda_edits_split_vertices(const ksda_edits *edits); /**< how many vertices have more than one piece */
KSDA_API uint32_t ksda_edits_owner(const ksda_edits *edits, uint32_t piece);
KSDA_API uint32_t ksda_edits_carrier(const ksda_edits *edits, uint32_t v, uint32_t i);
/** The owners of all pieces at once. @param out [ksda_edits_pieces()] filled in. O(pieces). */
KSDA_API void ksda_edits_owners(const ksda_edits *edits, uint32_t *out);
/** The carriers of all ends at once, in the order of the original's ksda_graph_neighbours().
 *  @param out [2m] filled in. O(n + m). */
KSDA_API void ksda_edits_carriers(const ksda_edits *edits, uint32_t *out);

/** Apply the edits: a new graph whose vertices are the pieces. Its vertices are called by their numbers.
 *  @param out owned by the caller
 *  @return KSDA_OK; KSDA_INVALID (an edge twice, a loop, a number out of range; the error says which); KSDA_NOMEM;
 *  KSDA_INTERRUPTED. Time O(n + m + edits) on all threads, sorting only what changed; 8 bytes an edge and 13 a vertex.
 */
KSDA_API ksda_status ksda_edits_apply(ksda_ctx *ctx, const ksda_edits *edits, ksda_graph **out);

/** A release: the published graph and, privately, whose pieces its vertices are. */
typedef struct ksda_release {
    size_t size;                   /**< set by KSDA_INIT(ksda_release) */
    ksda_graph *graph;             /**< published ids are 0 .. n'-1 */
    uint32_t *owner;               /**< [n'] the original vertex behind each published one: private */
    ksda_communities *communities; /**< of the published vertices; see ksda_release_make() */
} ksda_release;

/** Apply the edits and give the result new ids by a random permutation drawn from the operating system, in one pass: no
 *  second graph is made. The rows of the result are sorted, so nothing in its order tells the original from the added.
 *  Communities that were given keep their numbers and names. Those that ksda made (by ksda_detect_...(), or by
 *  ksda_load() for vertices without one) are numbered in the order of the original's vertices: the release has the same
 *  names, dealt out anew at random.
 *  @param insecure_ids nonzero: draw the permutations from the context's seed, for tests and repeatable experiments
 *  @param out made ready with KSDA_INIT, cleared with ksda_release_clear() */
KSDA_API ksda_status ksda_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                       int insecure_ids, ksda_release *out);
KSDA_API void ksda_release_clear(ksda_ctx *ctx, ksda_release *release);

#ifdef __cplusplus
}
#endif
#endif
