/* ksda/attack.h: what attackers learn from a network who know more of a person than a degree.
 *
 *     ksda_attack_result r = KSDA_INIT(ksda_attack_result);
 *     ksda_attack(ctx, graph, communities, NULL, &r);
 *     for (uint32_t i = 0; i < r.attackers; i++)
 *         printf("%s %u\n", ksda_attacker_info((ksda_attacker_id)i)->label, r.release[i].alone);
 *     ksda_attack_result_clear(ctx, &r);
 *
 * Every attacker is a row of one table (ksda_attacker_info): what he knows of a person leaves him with candidates, the
 * vertices of the network of which the same holds, and he guesses the community that most of them are in. There are
 * three readings of that. *original*: he knows the original and searches the original, as if it were published as it
 * is. *release*: he knows a vertex of the release and searches the release; with the next one it tells what a release
 * of this shape gives away. *matched*: he knows a person of the original and searches the release, which is what
 * happens. docs/attacks.md defines everything. All numbers are the same for any number of threads. */
#ifndef KSDA_ATTACK_H
#define KSDA_ATTACK_H

#include <ksda/communities.h>
#include <ksda/measure.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an attacker knows of a person. */
typedef enum ksda_attacker_id {
    KSDA_ATTACKER_DEGREE = 0,      /**< the degree */
    KSDA_ATTACKER_DEGREE_ABOUT,    /**< the degree, give or take ksda_attack_options.tolerance */
    KSDA_ATTACKER_FRIENDSHIP,      /**< the degree and that of one neighbour: the worst of them */
    KSDA_ATTACKER_FRIENDS_DEGREES, /**< the degrees of all neighbours */
    KSDA_ATTACKER_REFINEMENT_1,    /**< one round of colour refinement, beginning with degrees: the same classes */
    KSDA_ATTACKER_REFINEMENT_2,    /**< two rounds */
    KSDA_ATTACKER_REFINEMENT_3,    /**< three rounds */
    KSDA_ATTACKER_TRIANGLES,       /**< the degree and the number of triangles */
    KSDA_ATTACKER_HUBS,            /**< the distances, 0 to 3 or more, from the largest hubs */
    KSDA_ATTACKER_TRAIL,           /**< the degrees in this and in earlier releases */
    KSDA_ATTACKER_COUNT            /**< of this header; a library has ksda_attack_result.attackers of them */
} ksda_attacker_id;

/** How a row is called and read. Borrowed, static. */
typedef struct ksda_attacker_row {
    const char *name;  /**< as in JSON: "friends_degrees" */
    const char *label; /**< as in a table: "Friends' degrees" */
    const char *knows; /**< one line */
} ksda_attacker_row;
/** The row of an attacker; NULL when out of range. Borrowed, static; any thread, O(1). */
KSDA_API const ksda_attacker_row *ksda_attacker_info(ksda_attacker_id id);
/** The row's name, as in JSON ("friends_degrees"); NULL when out of range. */
KSDA_API const char *ksda_attacker_id_name(ksda_attacker_id id);
/** The row with that name. @param out set where there is one @return 1, or 0 where there is none. O(rows). */
KSDA_API int ksda_attacker_id_from_name(const char *name, ksda_attacker_id *out);

/** What tells a true edge from a false one, for attackers who look at the release as a whole. */
typedef enum ksda_likeness_id {
    KSDA_LIKENESS_COMMON = 0,  /**< common neighbours */
    KSDA_LIKENESS_JACCARD,     /**< the same as a share of all neighbours of the two, but for themselves */
    KSDA_LIKENESS_ADAMIC_ADAR, /**< common neighbours, each divided by the logarithm of its degree */
    KSDA_LIKENESS_SHARE,       /**< common neighbours as a share of the neighbours of the end that has fewer */
    KSDA_LIKENESS_DEGREE,      /**< the degree of the other end; of a pair, both degrees together */
    KSDA_LIKENESS_COUNT        /**< of this header; a library has ksda_attack_result.scores of them */
} ksda_likeness_id;
/** The score's name, as in JSON ("adamic_adar"); NULL when out of range. */
KSDA_API const char *ksda_likeness_id_name(ksda_likeness_id id);
/** The score with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_likeness_id_from_name(const char *name, ksda_likeness_id *out);

/** What an attacker who was trained sees of an edge, beside others of the same vertex inside its community: the five
 *  scores; the rank of each among these edges, from 0 to 1; and what the habits of a method give away. */
typedef enum ksda_trait_id {
    KSDA_TRAIT_COMMON = 0,       /**< the scores, as ksda_likeness_id */
    KSDA_TRAIT_JACCARD,          /**< ... */
    KSDA_TRAIT_ADAMIC_ADAR,      /**< ... */
    KSDA_TRAIT_SHARE,            /**< ... */
    KSDA_TRAIT_DEGREE,           /**< ... */
    KSDA_TRAIT_COMMON_RANK,      /**< the rank of each */
    KSDA_TRAIT_JACCARD_RANK,     /**< ... */
    KSDA_TRAIT_ADAMIC_ADAR_RANK, /**< ... */
    KSDA_TRAIT_SHARE_RANK,       /**< ... */
    KSDA_TRAIT_DEGREE_RANK,      /**< ... */
    KSDA_TRAIT_DEGREE_LOG,       /**< logarithm of the degree of the other end */
    KSDA_TRAIT_LEVEL_LOG,        /**< logarithm of how many vertices have that degree */
    KSDA_TRAIT_LARGER,           /**< 1 where the other end is the larger one, else 0 */
    KSDA_TRAIT_COUNT             /**< how many weights a training has */
} ksda_trait_id;
/** The trait's name, as in JSON ("jaccard_rank"); NULL when out of range. */
KSDA_API const char *ksda_trait_id_name(ksda_trait_id id);
/** The trait with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_trait_id_from_name(const char *name, ksda_trait_id *out);

/** The releases that an attacker was trained on who comes with the library: by one method, of generated networks.
 *  docs/attacks.md tells which, and `scripts/trained-attacker.py --table` trains them again. Borrowed, static. */
typedef struct ksda_trained_row {
    const char *name;     /**< as in JSON: "level_plan" */
    const char *label;    /**< as in a table: "level-plan" */
    const double *weight; /**< [KSDA_TRAIT_COUNT] by ksda_trait_id */
} ksda_trained_row;
/** The row of a training; NULL when out of range. Any thread, O(1). */
KSDA_API const ksda_trained_row *ksda_trained_info(uint32_t training);

/** A release of which the original is known, to train an attacker on. Everything is borrowed for the call. */
typedef struct ksda_training_release {
    const ksda_graph *original;
    const ksda_communities *communities; /**< of the original */
    const ksda_graph *published;
    const uint32_t *owner; /**< [vertices of published] the original vertex behind each published one */
} ksda_training_release;

/** A release that was published earlier, with the same ids. */
typedef struct ksda_earlier {
    const ksda_graph *graph; /**< borrowed for the call */
    const uint32_t *vertex;  /**< [vertices of the release] each vertex there, or KSDA_NO_VERTEX: borrowed likewise */
} ksda_earlier;

/** Who attacks, and what is counted. */
typedef struct ksda_attack_options {
    size_t size;                 /**< set by ksda_attack_options_init() */
    uint64_t attackers;          /**< the rows wanted, KSDA_ATTACKER_BIT(id) or-ed; default all */
    uint32_t k;                  /**< people whose candidates lie in fewer communities are exposed; default 2 */
    uint32_t tolerance;          /**< of KSDA_ATTACKER_DEGREE_ABOUT; default 1 */
    uint32_t hubs;               /**< of KSDA_ATTACKER_HUBS, 1 to 64; default 5 */
    int who;                     /**< nonzero: also tell who they are, in alone_to and exposed_to */
    uint32_t earlier_releases;   /**< number of entries of earlier; without any, KSDA_ATTACKER_TRAIL is not measured */
    const ksda_earlier *earlier; /**< [earlier_releases] borrowed for the call */
    int vertices_only;           /**< nonzero: leave out who looks at the release as a whole */
    uint64_t budget;  /**< comparisons of neighbours up to which those are exact; beyond, they sample; default 2e9 */
    uint32_t samples; /**< how many edges, groups or pairs are sampled then; default 20000 */
    uint32_t training_releases;            /**< number of entries of training */
    const ksda_training_release *training; /**< [training_releases] one more attacker of added edges is trained on these
                                                together, best on releases of other networks by the same method */
} ksda_attack_options;
/** The bit of a row in ksda_attack_options.attackers and in ksda_attack_result.alone_to and .exposed_to. */
#define KSDA_ATTACKER_BIT(id) (UINT64_C(1) << (id))
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_attack_options_init(options) ksda_attack_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_attack_options_init_sized(ksda_attack_options *options, size_t size);

/** What one attacker learns in one reading. */
typedef struct ksda_finding {
    int measured;            /**< 0: not asked for, or without what it needs; everything else is then 0 */
    uint32_t people;         /**< whom he asks for: vertices of the release, or people of the original */
    uint32_t alone;          /**< of whom there is one candidate only, which is them: they are found */
    uint32_t exposed;        /**< whose candidates lie in fewer than k communities, theirs among them; overlap: below */
    uint32_t absent;         /**< matched: of whom there is no candidate */
    uint32_t misled;         /**< matched: of whom there are candidates, but none in their community */
    uint32_t classes;        /**< how many kinds of vertices he tells apart where he searches; 0 where kinds overlap */
    double expected_success; /**< of guessing the likeliest community of the candidates of a random person */
    double surest;           /**< the largest share of candidates in one community */
    double entropy;          /**< of the community given the candidates, expected, in bits */
    double seconds;          /**< of this attacker, all readings together */
} ksda_finding;

/** What all attackers learn. */
typedef struct ksda_attack_result {
    size_t size;              /**< set by KSDA_INIT(ksda_attack_result) */
    uint32_t k;               /**< what was counted for */
    uint32_t tolerance, hubs; /**< what the attackers were told */
    uint32_t vertices;        /**< of the network that is searched */
    uint32_t communities;     /**< how many there are */
    uint32_t attackers;       /**< number of entries of the next three: the rows that the library has */
    ksda_finding *original;   /**< [attackers] by ksda_attacker_id; NULL without an original, and so is matched */
    ksda_finding *release;    /**< [attackers] the network that is searched, by itself */
    ksda_finding *matched;    /**< [attackers] people of the original, searched in the release */
    double baseline_success;  /**< of guessing the largest community of the network that is searched */
    double baseline_entropy;  /**< of the community of a random vertex of it, in bits */
    uint32_t people;          /**< number of entries of the next two; 0 where nobody asked who they are */
    uint64_t *alone_to;       /**< [people] attackers, as bits, who find each person; vertices of the release, or, with
                                   an original, people of it */
    uint64_t *exposed_to;     /**< [people] the same for those whose candidates are in fewer than k communities */
    double seconds;           /**< for everything */
    uint32_t scores;          /**< number of entries of added_auc, linked_auc and apart_auc; 0: nobody looked at the
                                   release as a whole, for which the original must be known */
    uint64_t added_ends;      /**< ends of added edges, of vertices that also have original edges in their community */
    ksda_value *added_auc;    /**< [scores] by ksda_likeness_id: how often an added edge of a vertex scores higher than
                                   one of its own edges in the community, ties half; mean over these ends */
    ksda_value added_worst;   /**< the larger of that and its complement, for the score where it is largest */
    uint32_t groups;          /**< degrees of the release with at least as many raised members as untouched ones */
    ksda_value unmasked;      /**< groups whose least suspicious member is untouched, as a share */
    ksda_value chance;        /**< the same by picking any member */
    uint64_t linked_pairs;    /**< pairs of pieces of one person that are adjacent */
    ksda_value *linked_auc;   /**< [scores] how often such a pair scores higher than an edge inside a community */
    ksda_value linked_worst;  /**< as added_worst */
    uint64_t apart_pairs;     /**< pairs of pieces of one person that are not adjacent */
    ksda_value *apart_auc;    /**< [scores] how often such a pair scores higher than others of one community */
    ksda_value apart_worst;   /**< as added_worst */
    int overlap; /**< people are in several communities at once. A guess is one community, and right where the person's
                      set has it; exposed are those whose candidates have no k in pairwise disjoint sets; entropy is
                      that of the set; an edge is inside where two sets meet */
    uint32_t trainings;      /**< number of entries of trained_auc: the rows of ksda_trained_info(), and one more where
                                  there was something to train on; 0 where scores is */
    ksda_value *trained_auc; /**< [trainings] as added_auc, for edges in the order that a trained attacker gives them;
                                  he believes the last ones to be added, so a value below 0.5 means that he is misled */
    ksda_value trained_best; /**< the largest of them */
    const double *trained_weight; /**< [KSDA_TRAIT_COUNT] what was learned from ksda_attack_options.training; NULL where
                                       there was none */
} ksda_attack_result;

/** Attack a network as it is. @param options NULL for defaults @param out made ready with KSDA_INIT, cleared with
 *  ksda_attack_result_clear()
 *  @return KSDA_OK; KSDA_INVALID (communities of another graph, k above their number, hubs out of range);
 *  KSDA_NOMEM; KSDA_INTERRUPTED; KSDA_TIMEOUT. Time O(n + m) for every attacker, that of ksda_local_clustering() for
 *  triangles, and where people are in several communities that of finding disjoint sets among candidates;
 *  about 50 bytes a vertex while it runs, and 4/3 an edge for triangles. Uses the context's threads. */
KSDA_API ksda_status ksda_attack(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 const ksda_attack_options *options, ksda_attack_result *out);
/** Attack a release of which the original is known: in all three readings.
 *  @param communities of the original; those of the published graph follow from owner
 *  @param owner [vertices of published] the original vertex behind each published one
 *  @return as ksda_attack(); KSDA_INVALID also for an owner out of range, or more vertices together than a graph may
 *  have. Time and memory as for one network with the vertices and edges of both. */
KSDA_API ksda_status ksda_attack_release(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                                         const ksda_graph *published, const uint32_t *owner,
                                         const ksda_attack_options *options, ksda_attack_result *out);
/** Free what it holds; it may be used again. One that was never filled is fine. */
KSDA_API void ksda_attack_result_clear(ksda_ctx *ctx, ksda_attack_result *result);

#ifdef __cplusplus
}
#endif
#endif
