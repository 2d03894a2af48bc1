/* ksda/publish.h: from a network to a release that may be published, in one call.
 *
 *     ksda_publication *p;
 *     ksda_anonymize_options options;
 *     ksda_anonymize_options_init(&options), options.k = 3;
 *     ksda_publish(ctx, graph, communities, NULL, &options, NULL, &p);
 *     ksda_write_graph(ctx, ksda_publication_release(p)->graph, NULL, "published.edges", KSDA_FORMAT_AUTO);
 *     ksda_publication_free(ctx, p);
 *
 * A method is run, its edits are applied under fresh ids, and the result is recounted by ksda_verify(): a publication
 * that this hands over has passed. The steps by themselves are ksda_anonymize(), ksda_release_make() and ksda_verify();
 * report.h tells what was done as text, JSON or a page. */
#ifndef KSDA_PUBLISH_H
#define KSDA_PUBLISH_H

#include <ksda/anonymize.h>
#include <ksda/measure.h>
#include <ksda/privacy.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A release that was verified, with the edits behind it, what they cost and what is proved about that. It never
 *  changes, so several threads may read it. It borrows the original graph and its communities, which must outlive it.
 */
typedef struct ksda_publication ksda_publication;

/** How to publish. The fields from `method` on are for ksda_publish_edits() only: they say what is known of edits that
 *  were found elsewhere, and ksda_publish() takes no notice of them. */
typedef struct ksda_publish_options {
    size_t size;      /**< set by ksda_publish_options_init() */
    int insecure_ids; /**< nonzero: draw the published ids from the context's seed, so that they can be repeated: for
                           tests only. Otherwise they come from the operating system */
    int baseline; /**< nonzero: a baseline (KSDA_METHOD_BASELINE) is wanted, which is no k-SDA: what verify says of it
                       is kept, but not asked for. 0: baselines are refused */
    const char *method;                  /**< who found the edits, for messages and reports; NULL: "edits"; copied */
    const ksda_anonymize_result *result; /**< what they cost and what is proved; NULL: counted, nothing is proved */
    int limited;                         /**< the search ended early (it returned KSDA_LIMIT) */
    int no_proof;                        /**< no proof was asked for */
    double seconds;                      /**< that the search took */
    ksda_share max_share;                /**< the share bound that is to hold beside k; 0 of 0: none */
} ksda_publish_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_publish_options_init(options) ksda_publish_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_publish_options_init_sized(ksda_publish_options *options, size_t size);

/** Anonymize, apply and verify.
 *  @param method NULL for the default @param options as for ksda_anonymize(): say at least k
 *  @param publish NULL for defaults @param out owned by the caller, freed with ksda_publication_free(); NULL on failure
 *  @return KSDA_OK; KSDA_LIMIT (the method was stopped: valid and verified, maybe not the cheapest); what
 *  ksda_anonymize() returns where there is no release; KSDA_INVALID also for a baseline that was not asked for;
 *  KSDA_INTERNAL (the method's release did not pass: a bug, and nothing is handed over).
 *
 *  Once the method has a release, neither the time limit nor the deadline nor ksda_ctx_finish() keeps it back: it is
 *  applied and verified whatever the time is. ksda_ctx_cancel() stops that as well.
 *  Time and memory: the method's, then O(n + m) on the context's threads with 8 bytes an edge and 29 a vertex. Where
 *  original and release would take more than half of the machine's memory, 16 bytes an edge, the rows of the release
 *  are made when they are asked for: 34 bytes a vertex, and none an edge until ksda_graph_neighbours() of the release.
 *  Callbacks (progress, steps) run in the caller's thread; see base.h. */
KSDA_API ksda_status ksda_publish(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_method *method, const ksda_anonymize_options *options,
                                  const ksda_publish_options *publish, ksda_publication **out);

/** The same for edits that are there already: of an optimum, of a point of a frontier, or one's own.
 *  @param k that is to hold @param edits of this graph; borrowed: they must outlive the publication
 *  @param publish NULL for defaults @param out as above
 *  @return KSDA_OK, or KSDA_LIMIT where publish->limited says so; KSDA_VIOLATED (the release did not pass; the message
 *  says what is wrong first); KSDA_INVALID (edits that cannot be applied, k, a size); KSDA_NOMEM; KSDA_INTERRUPTED;
 *  KSDA_TIMEOUT: here the deadline holds. */
KSDA_API ksda_status ksda_publish_edits(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                        uint32_t k, const ksda_edits *edits, const ksda_publish_options *publish,
                                        ksda_publication **out);

/** Free it, with its release; what it borrows is not touched.
 *  @param ctx the one that it was made with, or one with the same allocator
 *  @param publication NULL is fine. O(1) but for the system. */
KSDA_API void ksda_publication_free(ksda_ctx *ctx, ksda_publication *publication);

/* --- looking at it: any thread, O(1); what is returned is borrowed and valid until it is freed -------------------- */

/** The published graph with its communities, and, privately, the owners of its vertices. */
KSDA_API const ksda_release *ksda_publication_release(const ksda_publication *publication);
/** The edits behind it: private, since they tell what was changed. */
KSDA_API const ksda_edits *ksda_publication_edits(const ksda_publication *publication);
/** What it costs, and what is proved about that (lower_bound is NaN where nothing is). */
KSDA_API const ksda_anonymize_result *ksda_publication_result(const ksda_publication *publication);
/** What verify counted. valid and satisfied are 1 but for a baseline. */
KSDA_API const ksda_verification *ksda_publication_verification(const ksda_publication *publication);
/** Where people have several communities: published vertices, k of each degree, in pairwise disjoint sets, by ascending
 *  degree; their number goes to *count. NULL where everybody has one. Private: they tell nothing about who was changed,
 *  but that a person is a witness may. */
KSDA_API const uint32_t *ksda_publication_witnesses(const ksda_publication *publication, uint64_t *count);
/** How well added edges can be told from the own edges of their ends, by the worst of the scores of ksda_likeness_id:
 *  added_worst of ksda_attack_release(), where 0.5 is chance. Exact while that is quick; else sampled, with its 95 %
 *  interval. Not measured where no edge was added, there was no time, or the rows of the release are made when they are
 *  asked for. */
KSDA_API const ksda_value *ksda_publication_added_auc(const ksda_publication *publication);
/** The method's name, as on the command line. */
KSDA_API const char *ksda_publication_method(const ksda_publication *publication);
/** The k that was asked for, and that the release was verified for. At most the number of communities that
 *  count. */
KSDA_API uint32_t ksda_publication_k(const ksda_publication *publication);

#ifdef __cplusplus
}
#endif
#endif
