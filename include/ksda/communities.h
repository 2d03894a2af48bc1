/* ksda/communities.h: who belongs where.
 *
 * Communities come from a file or a vertex attribute (ksda_load() in io.h), from a detector (detect.h), or from the
 * caller's arrays: a label for every vertex, labels of which one says "none", or lists of members.
 *
 *     ksda_communities *communities;
 *     const uint32_t label[] = {7, 7, 3, UINT32_MAX};
 *     ksda_communities_from_partial_labels(ctx, 4, label, UINT32_MAX, KSDA_UNASSIGNED_TOGETHER, &communities);
 *     // three communities: 3 and 7 by number, and 8 for the last vertex, which does not count towards k
 *     ksda_communities_free(ctx, communities);
 *
 * A degree is safe when it occurs in k communities that count; ksda_communities_counted() says which do.
 *
 * People may be in several communities at once (ksda_communities_from_sets(), or ksda_load_options.overlap): then a
 * degree is safe when k of those who have it are in pairwise disjoint sets, and an edge may be added between two whose
 * sets meet. Who knows nothing of sets sees *kinds* instead of communities: people with the same set are of one.
 *
 * What makes communities runs in the caller's thread with a context of its own for each thread, copies its arguments
 * and leaves them untouched; on failure nothing is made and ksda_ctx_error() says why. What looks at them needs no
 * context, runs in any thread and copies nothing unless it says so: pointers that are returned are borrowed, and valid
 * until ksda_communities_free(). */
#ifndef KSDA_COMMUNITIES_H
#define KSDA_COMMUNITIES_H

#include <ksda/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One community for every vertex of a graph. Communities are 0 .. count-1 and none is empty. Immutable, so any number
 *  of threads may read it. Memory: 8 bytes a vertex, 4 a community, and the names. It does not hold on to the graph. */
typedef struct ksda_communities ksda_communities;

/** What to do with a vertex that has no community. The further communities are numbered behind the others and called by
 *  the next numbers, or "unassigned-N" where communities have names. A release deals these names out anew. */
typedef enum ksda_unassigned {
    KSDA_UNASSIGNED_REFUSE = 0,  /**< fail and name the first ones */
    KSDA_UNASSIGNED_OWN,         /**< each becomes a community of its own, which does not count towards k */
    KSDA_UNASSIGNED_TOGETHER,    /**< all of them form one further community, which does not count towards k */
    KSDA_UNASSIGNED_OWN_COUNTED, /**< the same as the two above, but their communities count like known ones */
    KSDA_UNASSIGNED_TOGETHER_COUNTED
} ksda_unassigned;
/** "refuse", "own", "together", "own-counted" or "together-counted", as on the command line; NULL for what is no value.
 *  Borrowed, static; any thread, O(1). */
KSDA_API const char *ksda_unassigned_name(ksda_unassigned value);
/** The value with that name, as the command line has it. @param name NULL is none @param out set where there is one
 *  @return 1, or 0 where there is none: *out is then what it was. Any thread, O(1). */
KSDA_API int ksda_unassigned_from_name(const char *name, ksda_unassigned *out);

/** What to do with a vertex that has several communities. The default refuses: taking one of them in silence would
 *  change what is guaranteed. */
typedef enum ksda_overlap {
    KSDA_OVERLAP_REFUSE = 0, /**< fail and name the first ones */
    KSDA_OVERLAP_DISJOINT /**< keep the set: a degree is safe when k people who have it are in pairwise disjoint sets */
} ksda_overlap;
/** "refuse" or "disjoint", as on the command line; NULL for what is no value. Borrowed, static; any thread, O(1). */
KSDA_API const char *ksda_overlap_name(ksda_overlap value);
/** The value with that name, as the command line has it. @param name NULL is none @param out set where there is one
 *  @return 1, or 0 where there is none: *out is then what it was. Any thread, O(1). */
KSDA_API int ksda_overlap_from_name(const char *name, ksda_overlap *out);

/* --- making them -------------------------------------------------------------------------------------------------- */

/** From one label for every vertex. Labels are renumbered 0 .. count-1 in ascending order, and communities named by
 * them.
 *  @param of [n] any numbers; copied @param out owned by the caller; NULL on failure
 *  @return KSDA_OK; KSDA_NOMEM. Time O(n), or O(n log n) where labels are above 4 n; 20 bytes a vertex while it runs.
 *  The caller's thread only. */
KSDA_API ksda_status ksda_communities_from_labels(ksda_ctx *ctx, uint32_t n, const uint32_t *of,
                                                  ksda_communities **out);

/** The same where not every vertex has a community.
 *  @param of [n] copied @param none the label of vertices without a community; UINT32_MAX, say
 *  @param unassigned what becomes of these @param out owned by the caller; NULL on failure
 *  @return as above; KSDA_INVALID for KSDA_UNASSIGNED_REFUSE where there is such a vertex. */
KSDA_API ksda_status ksda_communities_from_partial_labels(ksda_ctx *ctx, uint32_t n, const uint32_t *of, uint32_t none,
                                                          ksda_unassigned unassigned, ksda_communities **out);

/** From lists of members: community c has members[offsets[c]] .. members[offsets[c + 1] - 1], in any order.
 *  @param offsets [count+1] @param members [offsets[count]] vertices below n; both copied
 *  @param names,name_offsets one buffer with [count+1] offsets, as for ksda_graph_from_named_edges(), copied; names
 * NULL: they are called 0 .. count-1 @param unassigned what becomes of vertices in no list
 *  @param out owned by the caller; NULL on failure
 *  @return KSDA_OK; KSDA_INVALID (an empty community, a vertex in two or twice in one, a number out of range, a name
 *  twice, or a vertex in none where that is refused; the message says which); KSDA_NOMEM. Time O(n), 4 bytes a vertex
 *  besides the result; the caller's thread only. */
KSDA_API ksda_status ksda_communities_from_members(ksda_ctx *ctx, uint32_t n, uint32_t count, const uint32_t *offsets,
                                                   const uint32_t *members, const char *names,
                                                   const uint64_t *name_offsets, ksda_unassigned unassigned,
                                                   ksda_communities **out);

/** From a set of communities for every vertex: v is in communities[offsets[v]] .. communities[offsets[v + 1] - 1], in
 *  any order; one that is there twice counts once. Where nobody is in two the result is that of the function above.
 *  Otherwise people with the same set are of one *kind*, and what the functions below call a community is a kind, but
 *  for those with `set` in their name.
 *  @param count of the communities; each is used @param offsets [n+1] @param communities [offsets[n]]; both copied
 *  @param names,name_offsets,unassigned as above; an empty set is no community @param out owned by the caller
 *  @return as above. Time O(memberships) and sorting; 20 bytes a membership while it runs. */
KSDA_API ksda_status ksda_communities_from_sets(ksda_ctx *ctx, uint32_t n, uint32_t count, const uint64_t *offsets,
                                                const uint32_t *communities, const char *names,
                                                const uint64_t *name_offsets, ksda_unassigned unassigned,
                                                ksda_communities **out);

/** Free them. Only the last user does; what borrows them (publications, frontiers) is freed before.
 *  @param ctx the one that they were made with, or one with the same allocator
 *  @param communities NULL is fine. O(1) but for the system. */
KSDA_API void ksda_communities_free(ksda_ctx *ctx, ksda_communities *communities);

/* --- looking at them: any thread, no context needed, O(1) where nothing is said ----------------------------------- */

/** How many communities there are, those that do not count towards k among them. At least 1, unless there are no
 *  vertices. */
KSDA_API uint32_t ksda_communities_count(const ksda_communities *communities);
/** How many of them count towards k: 0 .. counted-1. The rest holds vertices whose community is not known. */
KSDA_API uint32_t ksda_communities_counted(const ksda_communities *communities);
/** How many vertices they were made for: n. Calls that take a graph as well refuse one with another number of vertices
 *  (KSDA_INVALID). */
KSDA_API uint32_t ksda_communities_vertices(const ksda_communities *communities);
/** The community of v, below ksda_communities_count().
 *  @param v below n: not checked. For many vertices ksda_communities_labels() is quicker. */
KSDA_API uint32_t ksda_communities_of(const ksda_communities *communities, uint32_t v);
/** The community of every vertex: [n], each below ksda_communities_count(), as ksda_communities_of() gives them one by
 *  one. Borrowed: valid until they are freed. No copy. */
KSDA_API const uint32_t *ksda_communities_labels(const ksda_communities *communities);
/** Where the members of each community begin in ksda_communities_member_array(): [count+1]. Borrowed likewise. */
KSDA_API const uint32_t *ksda_communities_offsets(const ksda_communities *communities);
/** The members of all communities, one after the other, ascending within each: [n]. Every vertex stands there once.
 *  Borrowed likewise. */
KSDA_API const uint32_t *ksda_communities_member_array(const ksda_communities *communities);
/** The members of community c in ascending order, borrowed likewise.
 *  @param c below count: not checked @param size receives their number, at least 1 */
KSDA_API const uint32_t *ksda_communities_members(const ksda_communities *communities, uint32_t c, uint32_t *size);
/** As ksda_graph_name(), for a community: the label that the input had, or the number.
 *  @param c below count: not checked @param buffer NULL is fine where capacity is 0
 *  @return the length of the whole name in bytes, without the terminator. O(length). */
KSDA_API size_t ksda_communities_name(const ksda_communities *communities, uint32_t c, char *buffer, size_t capacity);
/** As ksda_graph_names(), for all communities: both blocks are the caller's, freed with ksda_free(). O(bytes). */
KSDA_API ksda_status ksda_communities_names(ksda_ctx *ctx, const ksda_communities *communities, char **text,
                                            uint64_t **offsets);

/** Whether people may have several communities.
 *  @return 1: some have, and the functions above are about kinds; 0: they are about communities. */
KSDA_API int ksda_communities_overlap(const ksda_communities *communities);
/** How many communities there are, whether people have several or not: without overlap the same as
 *  ksda_communities_count(). */
KSDA_API uint32_t ksda_communities_set_count(const ksda_communities *communities);
/** The communities of v, ascending, borrowed likewise.
 *  @param v below n: not checked @param size receives their number, at least 1 */
KSDA_API const uint32_t *ksda_communities_set(const ksda_communities *communities, uint32_t v, uint32_t *size);
/** As ksda_communities_name(), for the i-th of ksda_communities_set_count(): the name of a community, not of a kind.
 *  @param i below the set count: not checked @return the length of the whole name. O(length). */
KSDA_API size_t ksda_communities_set_name(const ksda_communities *communities, uint32_t i, char *buffer,
                                          size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
