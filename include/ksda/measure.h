/* ksda/measure.h: what a network looks like, and what a release costs those who use it.
 *
 *     ksda_measures m = KSDA_INIT(ksda_measures);
 *     ksda_measure(ctx, graph, communities, NULL, &m);
 *     for (uint32_t i = 0; i < m.values; i++)
 *         printf("%s %g\n", ksda_measure_info((ksda_measure_id)i)->label, m.value[i].value);
 *     ksda_measures_clear(ctx, &m);
 *
 * Every measure is a row of one table (ksda_measure_info), and so is every quantity that only two networks have
 * (ksda_difference_info); text, JSON and HTML list from these. A value says whether it is exact; where it is not, low
 * .. high is its 95 % confidence interval. Definitions and costs stand in docs/measures.md. All numbers are the same
 * for any number of threads. */
#ifndef KSDA_MEASURE_H
#define KSDA_MEASURE_H

#include <ksda/communities.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A measured number. Exact: low == value == high. Undefined (ASPL of a graph without edges): value is NaN. */
typedef struct ksda_value {
    double value;     /**< the number itself, or its estimate */
    double low, high; /**< the 95 % confidence interval of a sampled value; high may be infinite */
    int exact;        /**< 0: sampled, or an iteration that stopped early */
    int measured;     /**< 0: not asked for, or it lacks what it needs (communities, k); value is NaN */
    double seconds;   /**< of the pass that computed it; measures from one pass all carry the whole pass */
    uint32_t runs;    /**< of an algorithm that depends on its seed, of which value is the mean; 0 elsewhere */
    double spread;    /**< largest less smallest value of these runs */
} ksda_value;

/** The measures of one network. */
typedef enum ksda_measure_id {
    KSDA_MEASURE_CLUSTERING = 0,             /**< CC: mean local clustering over vertices of degree >= 2 */
    KSDA_MEASURE_GLOBAL_CLUSTERING,          /**< closed triples / triples */
    KSDA_MEASURE_ASPL,                       /**< mean distance over connected pairs */
    KSDA_MEASURE_EFFECTIVE_DIAMETER,         /**< distance within which 90 % of the connected pairs lie, interpolated */
    KSDA_MEASURE_DIAMETER,                   /**< largest distance */
    KSDA_MEASURE_CLOSENESS,                  /**< mean over vertices of 1 / mean distance to those they reach */
    KSDA_MEASURE_DEGREE_CENTRALIZATION,      /**< DC, after Freeman */
    KSDA_MEASURE_BETWEENNESS_CENTRALIZATION, /**< BC, after Freeman */
    KSDA_MEASURE_BETWEENNESS_MEAN,           /**< mean over vertices, unordered pairs */
    KSDA_MEASURE_SPECTRAL_RADIUS,            /**< largest eigenvalue of the adjacency matrix */
    KSDA_MEASURE_ASSORTATIVITY,              /**< correlation of the degrees at the two ends of an edge */
    KSDA_MEASURE_DEGENERACY,                 /**< largest k with a non-empty k-core */
    KSDA_MEASURE_MEAN_CORENESS,              /**< mean over vertices of the largest k whose k-core holds them */
    KSDA_MEASURE_MEAN_DEGREE,
    KSDA_MEASURE_MAX_DEGREE,
    KSDA_MEASURE_COMPONENTS,        /**< number of connected components */
    KSDA_MEASURE_LARGEST_COMPONENT, /**< vertices of the largest one */
    KSDA_MEASURE_MODULARITY,        /**< of the given communities */
    KSDA_MEASURE_VIOLATIONS,        /**< vertices that are not k-structurally diverse */
    KSDA_MEASURE_LARGEST_K,         /**< the largest k for which the network is k-structurally diverse */
    KSDA_MEASURE_COUNT              /**< of this header; a library has ksda_measures.values of them */
} ksda_measure_id;

/** What only two networks have: original and published. */
typedef enum ksda_difference_id {
    KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION = 0, /**< Pearson, over people; centralities of substitutes are summed */
    KSDA_DIFFERENCE_DEGREE_KS,                   /**< Kolmogorov-Smirnov distance of the degree distributions */
    KSDA_DIFFERENCE_DEGREE_EMD,                  /**< earth mover's distance of the degree distributions */
    KSDA_DIFFERENCE_JOINT_DEGREE,                /**< total variation distance of the joint degree distributions */
    KSDA_DIFFERENCE_CORE_KS,                     /**< Kolmogorov-Smirnov distance of the coreness distributions */
    KSDA_DIFFERENCE_DETECTION_ACCURACY,          /**< people detected in the matching community again */
    KSDA_DIFFERENCE_DETECTION_NMI,
    KSDA_DIFFERENCE_DETECTION_ARI,
    KSDA_DIFFERENCE_GIVEN_ACCURACY, /**< as detection accuracy, against the given communities */
    KSDA_DIFFERENCE_GIVEN_NMI,
    KSDA_DIFFERENCE_GIVEN_ARI,
    KSDA_DIFFERENCE_DISCONNECTED_PAIRS,   /**< share of originally connected pairs of people no longer connected */
    KSDA_DIFFERENCE_ADDED_EDGES,          /**< n_a */
    KSDA_DIFFERENCE_ADDED_EDGES_SHARE,    /**< n_a / |E| */
    KSDA_DIFFERENCE_REMOVED_EDGES,        /**< 0 for every k-structural diversity method */
    KSDA_DIFFERENCE_ADDED_VERTICES,       /**< n_s */
    KSDA_DIFFERENCE_SPLIT_VERTICES_SHARE, /**< split vertices / |V| */
    KSDA_DIFFERENCE_SUBSTITUTES,          /**< mean substitutes of a split vertex */
    KSDA_DIFFERENCE_COST,                 /**< n_a + omega * n_s */
    KSDA_DIFFERENCE_COUNT                 /**< of this header; a library has ksda_comparison.differences of them */
} ksda_difference_id;

/** How a row is called and read. Borrowed, static. */
typedef struct ksda_measure_row {
    const char *name;       /**< as in JSON: "clustering" */
    const char *label;      /**< as in a table: "Clustering coefficient (CC)" */
    const char *unit;       /**< "" for a pure number; "hops", "vertices", "edges", ... */
    const char *definition; /**< one line */
} ksda_measure_row;
/** The row of a measure; NULL when out of range. Borrowed, static; any thread, O(1). */
KSDA_API const ksda_measure_row *ksda_measure_info(ksda_measure_id id);
/** The same for what only two networks have. */
KSDA_API const ksda_measure_row *ksda_difference_info(ksda_difference_id id);
/** The row's name, as in JSON ("clustering"); NULL when out of range. */
KSDA_API const char *ksda_measure_id_name(ksda_measure_id id);
/** The same for what only two networks have. */
KSDA_API const char *ksda_difference_id_name(ksda_difference_id id);
/** The row with that name. @param out set where there is one @return 1, or 0 where there is none. O(rows). */
KSDA_API int ksda_measure_id_from_name(const char *name, ksda_measure_id *out);
/** The same for what only two networks have. */
KSDA_API int ksda_difference_id_from_name(const char *name, ksda_difference_id *out);

/** Which tool finds the communities that are compared. */
typedef enum ksda_detector {
    KSDA_DETECTOR_METIS = 0, /**< as many parts as are asked for */
    KSDA_DETECTOR_LEIDEN,    /**< as many communities as it finds */
    KSDA_DETECTOR_NONE       /**< none: these differences are not measured */
} ksda_detector;
/** "metis", "leiden" or "none", as on the command line; NULL for what is no value. Static, any thread. */
KSDA_API const char *ksda_detector_name(ksda_detector value);
/** The value with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_detector_from_name(const char *name, ksda_detector *out);

/** The bit of a row in ksda_measure_options.measures and .differences. */
#define KSDA_MEASURE_BIT(id) (UINT64_C(1) << (id))

/** What to measure, and how closely. */
typedef struct ksda_measure_options {
    size_t size; /**< set by ksda_measure_options_init() */
    int exact;   /**< nonzero: never sample, whatever it takes */
    uint32_t
        samples; /**< sources to sample; 0: exact where affordable, else 4096 for distances and 1024 for betweenness */
    uint64_t budget;   /**< edge traversals, vertices * 2 * edges, up to which betweenness is exact [2e10]; distances,
                          which walk 512 sources at a time, are exact up to ten times as many */
    uint64_t measures; /**< the rows wanted, KSDA_MEASURE_BIT(id) or-ed; default all */
    uint64_t differences;         /**< the same for ksda_compare() */
    uint32_t k;                   /**< for the violations of ksda_measure(); 0 for none */
    double split_weight;          /**< omega of the cost; 0 means |V|^2 */
    ksda_detector detector;       /**< default METIS */
    uint32_t parts;               /**< for METIS; 0 means as many as there are given communities */
    uint32_t betweenness_samples; /**< sources to sample for betweenness alone; 0: as samples says */
} ksda_measure_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_measure_options_init(options) ksda_measure_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_measure_options_init_sized(ksda_measure_options *options, size_t size);

/** How often each number 0 .. size-1 occurs. */
typedef struct ksda_histogram {
    uint32_t size; /**< number of entries of count */
    double *count; /**< whole numbers where exact; estimates where sampled */
} ksda_histogram;

/** The measures of one network, and the distributions behind them. */
typedef struct ksda_measures {
    size_t size;                  /**< set by KSDA_INIT(ksda_measures) */
    uint32_t vertices;            /**< n */
    uint64_t edges;               /**< m */
    uint32_t communities;         /**< 0 when none were given */
    int exact;                    /**< every measured value is exact */
    double seconds;               /**< for everything */
    uint32_t samples;             /**< sources behind sampled distances; 0 when exact */
    uint32_t betweenness_samples; /**< the same for betweenness */
    uint32_t values;              /**< number of entries of value: the measures that the library has */
    ksda_value *value;            /**< [values] by ksda_measure_id */
    ksda_histogram degrees;       /**< vertices of each degree */
    ksda_histogram cores;         /**< vertices of each coreness: the k-core profile */
    ksda_histogram distances;     /**< unordered pairs at each distance; entry 0 is 0 */
    int overlap; /**< people are in several communities: KSDA_MEASURE_VIOLATIONS and KSDA_MEASURE_LARGEST_K count
                    vertices in pairwise disjoint sets; KSDA_MEASURE_MODULARITY and the agreement with given communities
                    are not defined, so not measured */
} ksda_measures;

/** Measure a network. @param communities NULL when there are none: what needs them is then not measured
 *  @param options NULL for defaults @param out made ready with KSDA_INIT, cleared with ksda_measures_clear()
 *  @return KSDA_OK; KSDA_INVALID (communities of another graph, k above their number); KSDA_NOMEM; KSDA_INTERRUPTED.
 *  Time dominated by exact betweenness, O(n m); see docs/measures.md. Uses the context's threads and seed. */
KSDA_API ksda_status ksda_measure(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_measure_options *options, ksda_measures *out);
/** Free what it holds; it may be used again. One that was never filled is fine. */
KSDA_API void ksda_measures_clear(ksda_ctx *ctx, ksda_measures *measures);

/** A network and its release, measure by measure. */
typedef struct ksda_comparison {
    size_t size;                         /**< set by KSDA_INIT(ksda_comparison) */
    ksda_measures *original, *published; /**< owned by the comparison */
    uint32_t differences;                /**< number of entries of difference */
    ksda_value *difference;              /**< [differences] by ksda_difference_id */
    const char *detector;                /**< "metis", "leiden" or "none" */
    uint32_t parts;                      /**< that METIS was asked for; 0 otherwise */
    int exact;                           /**< every measured value is exact */
    double seconds;                      /**< for everything */
    uint32_t detections;                 /**< how often communities were detected in each network, with a seed each */
} ksda_comparison;

/** Measure a network and its release side by side, and what only the two together have. Individuals are people: the
 *  substitutes of one person are taken together.
 *  @param communities NULL, or of the original; those of the published graph follow from owner
 *  @param owner [vertices of published] the original vertex behind each published one
 *  @param k for the violations; 0 for none @param options NULL for defaults @param out made ready with KSDA_INIT,
 *  cleared with ksda_comparison_clear()
 *  @return as ksda_measure(); KSDA_INVALID also for an owner out of range. */
KSDA_API ksda_status ksda_compare(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                                  const ksda_graph *published, const uint32_t *owner, uint32_t k,
                                  const ksda_measure_options *options, ksda_comparison *out);
/** Free what it holds; it may be used again. One that was never filled is fine. */
KSDA_API void ksda_comparison_clear(ksda_ctx *ctx, ksda_comparison *comparison);

/* --- one number for every vertex ----------------------------------------------------------------------------------
 * Each fills the caller's array, on the context's threads, with the same digits for any number of them, and returns
 * KSDA_OK, KSDA_NOMEM, KSDA_INTERRUPTED or KSDA_TIMEOUT; after a failure the array holds anything. */

/** Local clustering coefficient of every vertex; NaN below degree 2. @param out [n]
 *  Time O(sum over edges of the smaller degree), memory 4/3 bytes an edge, 16 a vertex and n/8 a thread. */
KSDA_API ksda_status ksda_local_clustering(ksda_ctx *ctx, const ksda_graph *graph, double *out);
/** Exact betweenness of every vertex over unordered pairs. @param out [n] Time O(n m) after reductions. */
KSDA_API ksda_status ksda_betweenness(ksda_ctx *ctx, const ksda_graph *graph, double *out);
/** 1 / mean distance to the vertices reached; NaN where none is. @param out [n] Time O(n m / 512) words. */
KSDA_API ksda_status ksda_closeness(ksda_ctx *ctx, const ksda_graph *graph, double *out);
/** Eigenvector centrality, largest entry 1, to a relative residual of 1e-10. Without edges all are 1. Where several
 * components share the largest eigenvalue it is the projection of the degrees on its eigenspace. @param out [n]
 *  @param radius NULL, or receives the eigenvalue. @return also KSDA_LIMIT: the residual is larger than that. */
KSDA_API ksda_status ksda_eigenvector_centrality(ksda_ctx *ctx, const ksda_graph *graph, double *out, double *radius);
/** Largest k whose k-core holds the vertex. @param out [n] Time O(n + m). */
KSDA_API ksda_status ksda_coreness(ksda_ctx *ctx, const ksda_graph *graph, uint32_t *out);
/** Component of every vertex, numbered by first vertex. @param out [n] @param count may be NULL. Time O(n + m). */
KSDA_API ksda_status ksda_components(ksda_ctx *ctx, const ksda_graph *graph, uint32_t *out, uint32_t *count);

/** How alike two partitions of the same n people are. */
typedef struct ksda_agreement {
    size_t size;     /**< set by KSDA_INIT(ksda_agreement) */
    double accuracy; /**< largest share of people in matching communities, over all one-to-one matchings */
    double nmi;      /**< mutual information / mean of the entropies; 1 when both are trivial */
    double ari;      /**< adjusted Rand index; 1 when both are trivial */
} ksda_agreement;
/** Compare two partitions. @param a,b [n] labels; memory goes with the largest @param out made ready with KSDA_INIT.
 * Time O(n) and an assignment on the communities that meet.
 *  @return KSDA_OK; KSDA_INVALID (a label is KSDA_NO_VERTEX); KSDA_NOMEM; KSDA_INTERRUPTED. */
KSDA_API ksda_status ksda_partition_agreement(ksda_ctx *ctx, uint32_t n, const uint32_t *a, const uint32_t *b,
                                              ksda_agreement *out);

#ifdef __cplusplus
}
#endif
#endif
