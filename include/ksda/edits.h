/* ksda/edits.h: what a method wants done to a graph, and the one place that does it.
 *
 * Methods return edits (ksda_anonymize()); a program may also make its own. ksda_edits_apply() shows what comes of
 * them, ksda_release_make() makes what may be published. Nothing here verifies: ksda_publish_edits() does both. */
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
 *  vertices that are adjacent in the original is a further representative of that edge, in whatever communities.
 *
 *  Recording is for one thread at a time; a list that nobody changes may be read by several. Memory: 8 bytes a pair, 4
 * a piece, and for every split vertex 4 bytes an edge. */
typedef struct ksda_edits ksda_edits;

/** Two pieces, or two vertices. */
typedef struct ksda_pair {
    uint32_t u, v; /**< in any order */
} ksda_pair;

/** An empty list. @param graph borrowed: it must outlive the edits @param out owned by the caller; NULL on failure
 *  @return KSDA_OK; KSDA_NOMEM. O(1). */
KSDA_API ksda_status ksda_edits_new(ksda_ctx *ctx, const ksda_graph *graph, ksda_edits **out);
/** Free it. A release that was made of it lives on; a publication that borrows it must be freed before.
 *  @param ctx the one that it was made with, or one with the same allocator @param edits NULL is fine. O(splits). */
KSDA_API void ksda_edits_free(ksda_ctx *ctx, ksda_edits *edits);

/* --- recording: amortized O(1) each; KSDA_OK or KSDA_NOMEM unless more is said ------------------------------------ */

/** Add an edge between two pieces: it costs 1. Whether there is such a piece, and whether the edge may be, is looked at
 *  when the edits are applied and verified. */
KSDA_API ksda_status ksda_edits_add_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q);
/** Link two pieces of one vertex: an edge that costs nothing, since it joins what was one before. Looked at
 *  likewise. */
KSDA_API ksda_status ksda_edits_link(ksda_ctx *ctx, ksda_edits *edits, uint32_t p, uint32_t q);
/** Remove an original edge. Only the k-degree baseline does; verify refuses such a release as a k-SDA. */
KSDA_API ksda_status ksda_edits_remove_edge(ksda_ctx *ctx, ksda_edits *edits, uint32_t u, uint32_t v);
/** Give original vertex v one more piece, numbered *piece. May be repeated. The first time takes O(degree of v).
 *  @return also KSDA_INVALID: there is no such vertex, or there would be too many. */
KSDA_API ksda_status ksda_edits_split(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t *piece);
/** Let a piece of v carry v's end of the edge to its i-th neighbour (0-based, in the original's row). v was split
 * before.
 *  @return KSDA_OK; KSDA_INVALID (no piece of v, or v has no such neighbour). */
KSDA_API ksda_status ksda_edits_carry(ksda_ctx *ctx, ksda_edits *edits, uint32_t v, uint32_t i, uint32_t piece);

/* --- reading: O(1) where nothing is said; numbers out of range are not checked ------------------------------------ */

/** The edges added: their number, n_a. @param pairs NULL, or receives them: borrowed, until the next one is recorded */
KSDA_API uint64_t ksda_edits_added(const ksda_edits *edits, const ksda_pair **pairs);
/** The links between pieces of one vertex: their number. They are not among the edges added.
 *  @param pairs NULL, or receives them, borrowed likewise */
KSDA_API uint64_t ksda_edits_links(const ksda_edits *edits, const ksda_pair **pairs);
/** The edges removed, likewise, the smaller end first. */
KSDA_API uint64_t ksda_edits_removed(const ksda_edits *edits, const ksda_pair **pairs);
/** How many pieces there are: n + n_s, and so many vertices the published graph has. */
KSDA_API uint32_t ksda_edits_pieces(const ksda_edits *edits);
/** How many vertices have more than one piece. Each counts once, in however many pieces it is: at most
 *  ksda_edits_pieces() - n. */
KSDA_API uint32_t ksda_edits_split_vertices(const ksda_edits *edits);
/** The original vertex of a piece: itself below n. For all of them ksda_edits_owners() is quicker.
 *  @param piece below ksda_edits_pieces() */
KSDA_API uint32_t ksda_edits_owner(const ksda_edits *edits, uint32_t piece);
/** The piece that carries v's end of the edge to its i-th neighbour: v itself where it is not split. For all of them
 *  ksda_edits_carriers() is quicker. */
KSDA_API uint32_t ksda_edits_carrier(const ksda_edits *edits, uint32_t v, uint32_t i);
/** The owners of all pieces at once. @param out [ksda_edits_pieces()] filled in. O(pieces). */
KSDA_API void ksda_edits_owners(const ksda_edits *edits, uint32_t *out);
/** The carriers of all ends at once, in the order of the original's ksda_graph_neighbours().
 *  @param out [2m] filled in. O(n + m). */
KSDA_API void ksda_edits_carriers(const ksda_edits *edits, uint32_t *out);

/* --- applying ----------------------------------------------------------------------------------------------------- */

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
 *  @param out made ready with KSDA_INIT, cleared with ksda_release_clear()
 *  @return as ksda_edits_apply(); KSDA_IO (the operating system has no random numbers). Time and memory likewise, and
 * 12 bytes a vertex. Nothing is verified: ksda_publish_edits() in publish.h does that as well. */
KSDA_API ksda_status ksda_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                       int insecure_ids, ksda_release *out);
/** Free what it holds, graph, owners and communities; it may be used again. One that was never filled is fine.
 *  @param ctx the one that it was made with, or one with the same allocator. O(1) but for the system. */
KSDA_API void ksda_release_clear(ksda_ctx *ctx, ksda_release *release);

#ifdef __cplusplus
}
#endif
#endif
