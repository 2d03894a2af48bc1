/* ksda/report.h: results for people and for programs, as strings: JSON, text, or one self-contained HTML page.
 *
 *     char *json;
 *     ksda_report_publication(ctx, publication, NULL, &json);
 *     puts(json);
 *     ksda_free(ctx, json);
 *
 * The strings are what the command prints: JSON is that of --json and --summary (docs/schema describes each), text what
 * stands on the terminal, HTML what --report writes. Nothing is computed here that is not in the results, but for what
 * a page counts itself where it is not given. JSON has "schema": 1 and only ever gets further fields; the words of
 * texts and pages may change.
 *
 * All of these run in the caller's thread, with a context of its own for each thread; the results are only read. A
 * string is ended by a zero byte, belongs to the caller and is freed with ksda_free(); on failure it is NULL. Each
 * takes time and memory in proportion to the string's length, pages O(n + m) besides. Everything but a public page
 * tells about the original network: keep it private. */
#ifndef KSDA_REPORT_H
#define KSDA_REPORT_H

#include <ksda/attack.h>
#include <ksda/io.h>
#include <ksda/measure.h>
#include <ksda/publish.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a report looks like. JSON is for programs and stable; text and pages are for people, and their words may change
 *  between versions. */
typedef enum ksda_rendering {
    KSDA_RENDERING_JSON = 0, /**< one object, indented by two spaces, numbers with 12 digits */
    KSDA_RENDERING_TEXT = 1, /**< lines of at most about 120 columns */
    KSDA_RENDERING_HTML = 2  /**< one page without scripts and without anything to be fetched */
} ksda_rendering;
/** "json", "text" or "html", as on the command line; NULL for what is no value. Borrowed, static; any thread, O(1). */
KSDA_API const char *ksda_rendering_name(ksda_rendering value);
/** The value with that name. @param name NULL is none @param out set where there is one
 *  @return 1, or 0 where there is none: *out is then what it was. Any thread, O(1). */
KSDA_API int ksda_rendering_from_name(const char *name, ksda_rendering *out);

/** The trade-off of a ksda_frontier with what each of its releases does to the network. Immutable; borrows the
 * frontier, the graph and the communities, which must outlive it. */
typedef struct ksda_frontier_study ksda_frontier_study;

/** How to report. Every call looks only at the fields that are of use to it; the comment of a field says which these
 *  are. Pointers are borrowed for the call, and what they point to is only read. */
typedef struct ksda_report_options {
    size_t size;              /**< set by ksda_report_options_init() */
    ksda_rendering rendering; /**< default JSON */
    int utf8;                 /**< text: bars of block characters; 0: of # */
    int no_verdict;           /**< diversity: nobody asked for a k, so only what the attack learns is told */
    uint64_t top;             /**< diversity: at most so many degrees are listed; default 10 */
    int distributions;        /**< measures: also the frequencies of degrees, coreness and distances */
    const char *network;      /**< page: what the network is called; NULL: "the network" */
    const char *detected;     /**< how the communities were found ("metis:4"); NULL: they were given */
    double load_seconds, communities_seconds; /**< publication: what reading and detecting took, as the caller knows */
    double write_seconds;                     /**< publication: what writing took */
    const ksda_diversity *before, *after; /**< publication: of the original and of the release. Text: NULL leaves the
                                             attack out. Page: NULL, they are counted */
    const ksda_comparison *comparison;    /**< publication: text and page tell its measures; NULL: there are none */
    const ksda_frontier_study *frontier;  /**< publication: JSON and page tell the trade-off as well; NULL: not */
    int public_page;        /**< page: leave out whatever would help to undo the release, so that it may be published */
    int public_communities; /**< public page: the communities are published too, so it may show who is where */
    const ksda_attack_result *attack; /**< publication, diversity and comparison: what attackers learn is told as well;
                                         NULL: not. A public page leaves it out */
    int vocabulary; /**< diversity, text and page: also what holds in the words of those who publish tables, which JSON
                       always tells */
    double report_seconds; /**< publication, text: what measuring, attacking and writing a page took, as the caller
                              knows; default 0: there is none */
} ksda_report_options;
/** Sets every default, and size: JSON, ten degrees, nothing that was not computed is computed. The second one does so
 * for a struct of `size` bytes, as other versions may have: it is what other languages call. Any thread, O(1), never
 * fails. */
#define ksda_report_options_init(options) ksda_report_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_report_options_init_sized(ksda_report_options *options, size_t size);

/** What was published, at what cost and what is proved about it: `ksda anonymize --json`, its text, its page.
 *  @param options NULL for defaults, here and below @param out the string, here and below
 *  @return KSDA_OK; KSDA_INVALID (options); KSDA_NOMEM; KSDA_INTERRUPTED (pages only). */
KSDA_API ksda_status ksda_report_publication(ksda_ctx *ctx, const ksda_publication *publication,
                                             const ksda_report_options *options, char **out);

/** Who is exposed, and how well the degree attack would do: `ksda check`, with all three renderings.
 *  @param diversity what ksda_diversity_check() told of this graph and these communities
 *  @return as above. */
KSDA_API ksda_status ksda_report_diversity(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                           const ksda_diversity *diversity, const ksda_report_options *options,
                                           char **out);

/** Everybody, the most exposed first, as CSV with a header: `ksda check --list`. A line has the person, the community
 *  (empty where it is not known), the degree, how many have it, in how many communities, whether these are fewer than
 *  diversity->k, the likeliest community, how often guessing it is right, and the share of the person's own community.
 *  Keep it private. @return KSDA_OK; KSDA_UNSUPPORTED (a name that cannot stand in a line); KSDA_NOMEM;
 *  KSDA_INTERRUPTED. Time O(n + largest degree), 12 bytes a vertex besides the string. */
KSDA_API ksda_status ksda_report_people(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                        const ksda_diversity *diversity, char **out);

/** Whether a release is what it claims to be: `ksda verify`. @param verification as ksda_verify() filled it; only read
 *  @param k that was verified
 *  @return as above; KSDA_UNSUPPORTED: there is no such page, here and in what follows but for frontiers. */
KSDA_API ksda_status ksda_report_verification(ksda_ctx *ctx, const ksda_verification *verification, uint32_t k,
                                              const ksda_report_options *options, char **out);

/** The measures of one network: `ksda measure`. Values that were not asked for are left out, those that were sampled
 *  say so. @param measures as ksda_measure() filled them; only read
 *  @return as above. Time and memory O(values), and O(largest degree) with options->distributions. */
KSDA_API ksda_status ksda_report_measures(ksda_ctx *ctx, const ksda_measures *measures,
                                          const ksda_report_options *options, char **out);

/** The measures of a network and its release side by side, with what became of each: `ksda compare`.
 *  @param comparison as ksda_compare() filled it; only read
 *  @return as above. Time and memory O(values). */
KSDA_API ksda_status ksda_report_comparison(ksda_ctx *ctx, const ksda_comparison *comparison,
                                            const ksda_report_options *options, char **out);

/** What attackers learn who know more than a degree: `ksda attack`, with all three renderings.
 *  @param result as ksda_attack() or ksda_attack_release() filled it; only read
 *  @return as ksda_report_publication(). Time and memory O(attackers). */
KSDA_API ksda_status ksda_report_attack(ksda_ctx *ctx, const ksda_attack_result *result,
                                        const ksda_report_options *options, char **out);

/** Who is found or exposed by whom: `ksda attack --list`, a line for each with name, attacker and word, between tabs.
 *  @param people the original, or the network itself where there is none @param result of a call with
 *  ksda_attack_options.who @return KSDA_OK; KSDA_INVALID (who was not asked for, or other people); KSDA_UNSUPPORTED (a
 *  name cannot stand in such a line); KSDA_NOMEM. */
KSDA_API ksda_status ksda_report_attacked(ksda_ctx *ctx, const ksda_graph *people, const ksda_attack_result *result,
                                          char **out);

/** What a network looks like, and what loading it dropped: `ksda stats`. @param network as ksda_load() made it, or a
 *  struct made ready with KSDA_INIT of which graph and, maybe, communities are set @return as above. O(n + m). */
KSDA_API ksda_status ksda_report_network(ksda_ctx *ctx, const ksda_network *network, const ksda_report_options *options,
                                         char **out);

/** Recount every release of a frontier, and measure those that are the cheapest for some split weight.
 *  @param found what ksda_frontier_search() told of this graph and these communities; borrowed
 *  @param measured 0: recount only @param out owned by the caller, freed with ksda_frontier_study_free(); NULL on
 * failure
 *  @return KSDA_OK; KSDA_INTERNAL (a release is not what it claims to be: a bug); KSDA_NOMEM; KSDA_INTERRUPTED;
 *  KSDA_TIMEOUT. Time that of ksda_verify() for each release, and together that of one ksda_compare(), sampled where
 *  exact measures would take longer; on the context's threads. */
KSDA_API ksda_status ksda_frontier_examine(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                           const ksda_frontier *found, int measured, ksda_frontier_study **out);
/** Free it. What it borrows is not touched. @param ctx the one that it was made with, or one with the same allocator
 *  @param study NULL is fine. O(points). */
KSDA_API void ksda_frontier_study_free(ksda_ctx *ctx, ksda_frontier_study *study);
/** The trade-off: `ksda anonymize --frontier`, with all three renderings. @param study only read
 *  @return as ksda_report_publication(). Time and memory O(points). */
KSDA_API ksda_status ksda_report_frontier(ksda_ctx *ctx, const ksda_frontier_study *study,
                                          const ksda_report_options *options, char **out);

/** What became of the vertices without a community, as the end of a sentence about them: "each is a community of its
 *  own", say. Borrowed, static; any thread, O(1). */
KSDA_API const char *ksda_unassigned_text(const ksda_communities *communities);
/** 1234567 as "1,234,567", as all texts of this library write counts, whatever the locale.
 *  @param buffer of at least 32 bytes; returned. Any thread, O(1). */
KSDA_API const char *ksda_grouped(uint64_t value, char *buffer);
/** What is to be said wherever k is 1: reports, messages and bindings use the same words, so that no one takes such a
 *  release for a protected one. */
#define KSDA_TRIVIAL_K "k = 1 guarantees nothing: every network satisfies it"

#ifdef __cplusplus
}
#endif
#endif
