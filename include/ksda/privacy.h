/* ksda/privacy.h: is a network k-structurally diverse, what would the degree attack learn, and is a release what it
 * claims. */
#ifndef KSDA_PRIVACY_H
#define KSDA_PRIVACY_H

#include <ksda/communities.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Everything about one degree that occurs. */
typedef struct ksda_degree_group {
    uint32_t degree;             /**< the degree */
    uint32_t vertices;           /**< how many vertices have it */
    uint32_t communities;        /**< in how many communities */
    uint32_t likeliest;          /**< the community with most of them (lowest number on a tie) */
    uint32_t likeliest_vertices; /**< how many of them are there */
    double entropy;              /**< of the community given the degree, in bits */
} ksda_degree_group;

/** A notion of privacy for tables: the degree is what an attacker knows, the community what he wants to know. A table
 *  in docs/privacy.md says where each comes from. */
typedef struct ksda_term {
    const char *name;       /**< as in JSON: "t_closeness" */
    const char *label;      /**< for people: "t-closeness, t" */
    const char *definition; /**< one line */
} ksda_term;
/** The notion with that number: 0 .. ksda_diversity.terms - 1, by the order of ksda_diversity.term. New ones come last.
 *  @return borrowed, static; NULL where there is none. Any thread, O(1). */
KSDA_API const ksda_term *ksda_term_info(uint32_t number);

#define KSDA_NO_DEGREE UINT32_C(4294967295) /**< no vertex can have it */

/** What holds in terms of one notion. */
typedef struct ksda_term_value {
    double value;    /**< infinite: no bound holds; NaN: nothing to be told of, as nobody's community is known */
    uint32_t degree; /**< the largest degree that decides it; KSDA_NO_DEGREE: none does alone */
} ksda_term_value;

/** What the degrees of a network give away. */
typedef struct ksda_diversity {
    size_t size;                    /**< set by KSDA_INIT(ksda_diversity) */
    uint32_t k;                     /**< what was asked for */
    uint32_t vertices, communities; /**< how many there are */
    int satisfied;                  /**< every degree that occurs, occurs in at least k communities that count */
    uint32_t violating_vertices;    /**< vertices whose degree does not */
    uint32_t largest_k;             /**< the largest k that holds; 0 for a graph without vertices */
    uint32_t groups;                /**< number of entries of group */
    ksda_degree_group *group;       /**< by descending degree */
    double expected_success;        /**< of guessing the likeliest community of a random victim's degree */
    double largest_posterior;       /**< over all degrees */
    double baseline_success;        /**< of guessing the largest community without knowing any degree */
    double entropy;                 /**< expected, in bits */
    double baseline_entropy;        /**< of the community of a random vertex */
    ksda_share max_share;           /**< the share bound that was asked for; 0 of 0: none */
    int share_satisfied;            /**< at no degree does one community have a larger share; 1 where none was asked */
    uint32_t above_vertices;        /**< vertices of the degrees where one does; violating_vertices are about k alone */
    uint32_t above_degrees;         /**< how many degrees these are */
    ksda_share least_share;         /**< the least bound that holds: so many of so many vertices of the worst degree */
    uint32_t worst_degree;          /**< the largest degree where a community has this share */
    uint32_t worst_community;       /**< which one it is (lowest number on a tie) */
    ksda_share *group_share;        /**< [groups] the largest share of one community at each degree. In all shares
                                       people whose community is not known stand neither above nor below the line */
    int overlap;                    /**< people have several communities: `communities` of a group are its witnesses,
                                       people in pairwise disjoint sets; a share is that of the sets that contain it */
    uint32_t *group_most;           /**< [groups] no degree has more witnesses, proved. More than were found: the search
                                       was cut short, and what lies between is not decided. NULL without overlap */
    uint32_t undecided_vertices;    /**< of violating_vertices: whether their degree has k witnesses is not decided */
    uint32_t recursive_l;           /**< the l of "recursive_c" in term: k, and at least 2 */
    uint32_t terms;                 /**< number of entries of term */
    ksda_term_value *term;          /**< [terms] in the words of those who publish tables: see ksda_term_info(). Without
                                       people whose community is not known; a set of several communities is a value */
} ksda_diversity;

/** Count everything above. @param out made ready with KSDA_INIT, cleared with ksda_diversity_clear() @return KSDA_OK
 * whether satisfied or not; KSDA_INVALID (k is 0 or above the number of communities); KSDA_NOMEM. Time O(n) with
 * counting sorts, and O(n log n) for the terms. */
KSDA_API ksda_status ksda_diversity_check(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                          uint32_t k, ksda_diversity *out);
/** The same with a share bound: of the vertices of each degree no community has more than this share, beside the k
 * communities. satisfied tells of both. @param max_share 0 of 0 for none; NULL likewise @return as above; KSDA_INVALID
 * also for a share outside (0, 1]. */
KSDA_API ksda_status ksda_diversity_check_share(ksda_ctx *ctx, const ksda_graph *graph,
                                                const ksda_communities *communities, uint32_t k,
                                                const ksda_share *max_share, ksda_diversity *out);
/** Free what it holds; it may be used again. One that was never filled is fine. */
KSDA_API void ksda_diversity_clear(ksda_ctx *ctx, ksda_diversity *diversity);

/** The verdict on a release, and what was counted on the way. */
typedef struct ksda_verification {
    size_t size;             /**< set by KSDA_INIT(ksda_verification) */
    int valid;               /**< edges were added inside communities only and vertices split as docs/privacy.md says */
    int satisfied;           /**< the published graph is k-structurally diverse */
    uint64_t added_edges;    /**< n_a, further representatives of original edges included */
    uint64_t added_vertices; /**< n_s */
    uint32_t split_vertices; /**< vertices with more than one piece */
    uint64_t links;          /**< between pieces of one vertex; free */
    char error[512];         /**< the first thing that is wrong, with the vertices' names; empty when there is none */
    ksda_share max_share;    /**< the share bound that was asked for; satisfied tells of it as well. 0 of 0: none */
} ksda_verification;

/** Recount every condition from the original, the published graph and the map; trusts nothing else.
 *  @param owner [vertices of published] the original vertex of each published one
 *  @param out made ready with KSDA_INIT
 *  @return KSDA_OK with the verdict in *out, also when it is "no"; KSDA_INVALID (k is 0 or above the number of
 * communities, or the communities are of another graph); KSDA_NOMEM; KSDA_INTERRUPTED. The counts are complete only for
 * a valid release. Time O(n + m) on all threads of the context; 16 bytes a published vertex. docs/privacy.md says what
 * is counted. */
KSDA_API ksda_status ksda_verify(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                                 const ksda_graph *published, const uint32_t *owner, uint32_t k,
                                 ksda_verification *out);
/** The same with a share bound. @param max_share as for ksda_diversity_check_share() @return likewise. */
KSDA_API ksda_status ksda_verify_share(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                                       const ksda_graph *published, const uint32_t *owner, uint32_t k,
                                       const ksda_share *max_share, ksda_verification *out);
/** The same where people have several communities, and witnesses were listed: published vertices, k of each degree at
 * least, in pairwise disjoint sets. They are checked in linear time instead of looking for others.
 *  @param witness [witnesses] numbers of published vertices in any order; NULL: a packing looks for them, and where it
 * is cut short, "not decided" is a no, and the message says so. Not looked at where everybody has one community */
KSDA_API ksda_status ksda_verify_witnesses(ksda_ctx *ctx, const ksda_graph *original,
                                           const ksda_communities *communities, const ksda_graph *published,
                                           const uint32_t *owner, uint32_t k, const ksda_share *max_share,
                                           uint64_t witnesses, const uint32_t *witness, ksda_verification *out);

/** The witnesses of every degree: k vertices in pairwise disjoint sets of communities (or of k communities, where
 *  everybody has one). @param out [*count] by ascending degree, the caller's, freed with ksda_free(); NULL on failure
 *  @return KSDA_OK; KSDA_VIOLATED (a degree does not have them, or it is not decided; the message says which);
 *  KSDA_INVALID (k, or other communities); KSDA_NOMEM; KSDA_INTERRUPTED. Time linear in the sets, and the search. */
KSDA_API ksda_status ksda_witnesses(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                    uint32_t k, uint32_t **out, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
