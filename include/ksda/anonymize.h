/* ksda/anonymize.h: the methods.
 *
 *     ksda_anonymize_options options;
 *     ksda_anonymize_options_init(&options), options.k = 3;
 *     ksda_anonymize(ctx, graph, communities, ksda_method_find("merge-by-split"), &options, &edits, NULL);
 *
 * A method looks at a network and returns edits; it changes nothing. ksda_publish() in publish.h goes on to a verified
 * release. Methods obey the context: its time limit, its seed, its threads, and whoever asks them to stop. */
#ifndef KSDA_ANONYMIZE_H
#define KSDA_ANONYMIZE_H

#include <ksda/edits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One step of a method, for whoever follows it. Strings and arrays are borrowed for the call. */
typedef struct ksda_step {
    const char *action;     /**< "merge", "create", "split", "redirect", "restart" */
    uint32_t vertex;        /**< the original vertex treated */
    uint32_t piece;         /**< its piece */
    uint32_t degree;        /**< before the step */
    uint32_t target;        /**< the group's degree */
    uint64_t cost;          /**< of this step, as the method counts */
    const ksda_pair *edges; /**< added, or after a redirection, by this step, between pieces */
    uint32_t edge_count;    /**< number of entries of edges */
} ksda_step;
/** Told each step of a method that has KSDA_METHOD_STEPS, in order, in the caller's thread, inside the call; what it
 * may do stands at the top of base.h. */
typedef void (*ksda_step_fn)(const ksda_step *step, void *payload);

/** What to keep when several releases cost the same. */
typedef enum ksda_favour {
    KSDA_FAVOUR_BALANCED = 0,   /**< distances, betweenness, eigenvector centralities and clustering */
    KSDA_FAVOUR_CLUSTERING = 1, /**< clustering above all */
    KSDA_FAVOUR_PATHS = 2,      /**< distances above all: no shortcuts between far ends */
    KSDA_FAVOUR_PLAUSIBLE = 3   /**< that added edges look like those that were there, for plausible_cost more edges */
} ksda_favour;
/** "balanced", "clustering", "paths" or "plausible", as on the command line; NULL for what is no value. Static, any
 * thread. */
KSDA_API const char *ksda_favour_name(ksda_favour value);
/** The value with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_favour_from_name(const char *name, ksda_favour *out);

/** What is asked for. */
typedef struct ksda_anonymize_options {
    size_t size;           /**< set by ksda_anonymize_options_init() */
    uint32_t k;            /**< has no default: 0 is refused */
    double split_weight;   /**< omega; 0 means |V|^2 */
    ksda_step_fn step;     /**< NULL, or called for every step */
    void *step_payload;    /**< handed to step; not looked at */
    ksda_favour favour;    /**< level-plan: whom to connect where there is a choice */
    double bound_seconds;  /**< level-plan: so long may the exact method work on the lower bound, and where nobody is
                              split on the release (with max_share an integer program, on the bound alone); 0 for
                              not at all */
    int no_proof;          /**< level-plan: prove nothing; lower_bound is then NaN. The release is the same */
    ksda_share max_share;  /**< level-plan: no community has more than this share of the vertices of any degree, beside
                              the k communities; 0 of 0 for any. Other methods refuse it (KSDA_INVALID) */
    double plausible_cost; /**< level-plan, with KSDA_FAVOUR_PLAUSIBLE: so many per cent more edges than found may be
                              added, rounded down; 25 by default */
} ksda_anonymize_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_anonymize_options_init(options) ksda_anonymize_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_anonymize_options_init_sized(ksda_anonymize_options *options, size_t size);

/** What a method has to say besides its edits. */
typedef struct ksda_anonymize_result {
    size_t size;                   /**< set by KSDA_INIT(ksda_anonymize_result) */
    double split_weight;           /**< the omega used */
    uint64_t added_edges;          /**< n_a */
    uint64_t added_vertices;       /**< n_s */
    uint32_t split_vertices;       /**< vertices with more than one piece */
    double cost;                   /**< n_a + omega * n_s */
    double lower_bound;            /**< proved: no release costs less. NaN when nothing was proved */
    uint64_t least_added_vertices; /**< proved: no release has fewer; 0 when nothing was proved */
    uint64_t least_added_edges;    /**< proved: no release that has at most added_vertices has fewer; 0 likewise */
    double search_seconds;         /**< until the release was found; NaN where the method does not tell them apart */
    double proof_seconds;          /**< for the proofs; the release does not depend on them */
} ksda_anonymize_result;

/** What a method is like: bits of ksda_method.flags. */
typedef enum ksda_method_flag {
    KSDA_METHOD_ADDS = 1,     /**< may add edges */
    KSDA_METHOD_SPLITS = 2,   /**< may split vertices */
    KSDA_METHOD_ALWAYS = 4,   /**< succeeds on every graph without isolated vertices, for every k <= |C| */
    KSDA_METHOD_BASELINE = 8, /**< not a k-SDA: ignores communities and may remove edges */
    KSDA_METHOD_EXACT = 16,   /**< proves its answer, however long it takes: give it a time limit */
    KSDA_METHOD_STEPS = 32,   /**< goes step by step, and tells each to ksda_anonymize_options.step; others tell none */
    KSDA_METHOD_OVERLAP = 64, /**< knows people in several communities; the others refuse them */
    KSDA_METHOD_SHARES = 128  /**< knows ksda_anonymize_options.max_share */
} ksda_method_flag;
/** "adds", "splits", "always", "baseline", "exact", "steps", "overlap" or "shares": one bit; NULL for what is no value.
 * Static, any thread.
 */
KSDA_API const char *ksda_method_flag_name(ksda_method_flag value);
/** The value with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_method_flag_from_name(const char *name, ksda_method_flag *out);

/** A row of the table of methods. */
typedef struct ksda_method {
    const char *name;    /**< as on the command line: "edge-connect" */
    const char *title;   /**< as in a legend: "EdgeConnect" */
    const char *summary; /**< one line */
    unsigned flags;      /**< KSDA_METHOD_... */
    ksda_status (*run)(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                       const ksda_anonymize_options *options, ksda_edits **out, ksda_anonymize_result *result);
} ksda_method;

/** All methods, the default first. @param count receives their number @return borrowed, static. Any thread, O(1). */
KSDA_API const ksda_method *ksda_methods(size_t *count);
/** The method with that name, as on the command line; NULL when there is none. Borrowed, static. Any thread. */
KSDA_API const ksda_method *ksda_method_find(const char *name);

/** Run a method. @param method NULL for the default @param options say at least k @param out owned by the caller; NULL
 *  on failure @param result NULL, or made ready with KSDA_INIT
 *  @return KSDA_OK; KSDA_LIMIT (valid, maybe not the cheapest); KSDA_INVALID (k is 0 or above |C|, or a size is wrong);
 *  KSDA_UNSUPPORTED (the method does not know people in several communities); KSDA_NOT_FOUND (the message names the
 *  vertex and the reason); KSDA_INFEASIBLE (a proof); KSDA_NOMEM; KSDA_INTERRUPTED; KSDA_TIMEOUT (the deadline came
 * before there was a release). Time and memory are the method's own: level-plan, the default, searches until its
 * budgets of steps are spent, exact methods take as long as they are given, all others end by themselves.
 * docs/results.md has figures. Uses the context's threads and seed; the result depends on the seed only. */
KSDA_API ksda_status ksda_anonymize(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                    const ksda_method *method, const ksda_anonymize_options *options, ksda_edits **out,
                                    ksda_anonymize_result *result);

/** One release of a frontier: no other one found has both fewer added edges and fewer added vertices. */
typedef struct ksda_frontier_point {
    uint64_t added_edges;    /**< n_a */
    uint64_t added_vertices; /**< n_s */
    uint32_t split_vertices; /**< vertices with more than one piece */
    double low, high; /**< the cheapest of those found for split weights from low to high, which may be infinite; both
                         NaN: for none */
    double split_weight; /**< one of them; NaN where there is none, as for cost and lower_bound */
    int repeatable;      /**< ksda_anonymize() with split_weight gives just this release */
    double cost;         /**< n_a + split_weight * n_s */
    double lower_bound;  /**< no release costs less with split_weight: proved */
    ksda_edits *edits;   /**< owned by the frontier */
} ksda_frontier_point;

/** Proved: every release has n_a + split_weight * n_s >= lower_bound. */
typedef struct ksda_frontier_bound {
    double split_weight, lower_bound; /**< a line that no release lies below */
} ksda_frontier_bound;

/** The trade-off between added edges and added vertices, as far as it was found. */
typedef struct ksda_frontier {
    size_t size;                /**< set by KSDA_INIT(ksda_frontier) */
    uint32_t count;             /**< number of entries of point */
    ksda_frontier_point *point; /**< [count] by ascending added_vertices, so by descending added_edges */
    uint32_t bounds;            /**< number of entries of bound */
    ksda_frontier_bound *bound; /**< [bounds] by ascending split weight, one for each run */
    uint32_t runs;              /**< of level-plan */
    int complete;         /**< 0: runs or time were over before every gap between neighbours had been looked into */
    uint32_t k;           /**< what was asked for */
    int limited;          /**< the search ended early, at the time limit or at somebody's request (KSDA_LIMIT) */
    double seconds;       /**< that it took */
    ksda_share max_share; /**< the share bound that all releases keep; 0 of 0: none */
} ksda_frontier;

/** The trade-off between added edges and added vertices: every release that level-plan finds for split weights from
 * almost 0 to |V|^2 and that no other one beats in both. The weights are chosen where two neighbouring releases cost
 * the same: a run there finds what lies between them, or that level-plan finds nothing there.
 *  @param options as for ksda_anonymize(); a split_weight other than 0 gets a run besides; steps are not told
 *  @param most_runs of level-plan; 0 for 32 @param out made ready with KSDA_INIT, cleared with ksda_frontier_clear()
 *  @return KSDA_OK; KSDA_LIMIT (the time limit; what was found until then); as ksda_anonymize() where no run finds a
 * release. Runs go side by side on the context's threads; the outcome does not depend on their number. */
KSDA_API ksda_status ksda_frontier_search(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                          const ksda_anonymize_options *options, uint32_t most_runs,
                                          ksda_frontier *out);
/** Free what it holds; it may be used again. One that was never filled is fine. */
KSDA_API void ksda_frontier_clear(ksda_ctx *ctx, ksda_frontier *frontier);
/** The cheapest point for a split weight: its index; UINT32_MAX when the frontier is empty. Any thread, O(count). */
KSDA_API uint32_t ksda_frontier_cheapest(const ksda_frontier *frontier, double split_weight);
/** What the runs prove about n_a + split_weight * n_s, for any split weight above 0. The least cost is a concave
 * function of the weight, so it lies above every line between two proved bounds. */
KSDA_API double ksda_frontier_lower_bound(const ksda_frontier *frontier, double split_weight);

/** What the runs prove about edges: the fewest that any release with at most so many added vertices adds. */
KSDA_API uint64_t ksda_frontier_least_edges(const ksda_frontier *frontier, uint64_t added_vertices);

#ifdef __cplusplus
}
#endif
#endif
