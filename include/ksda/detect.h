/* ksda/detect.h: finding communities, and making networks that have them.
 *
 * A network without communities gets them by METIS (as many as asked for, of about equal size) or by Leiden (as many as
 * it has). What they find is an assumption about the people, and the guarantee of a release is about these communities:
 * where people have groups of their own (classes, firms), load those instead.
 *
 * All of these run in the caller's thread, and where it is said on the context's threads; with a context for each
 * thread several may run at once. Progress is reported, and ksda_ctx_cancel() stops them within a fraction of a
 * second. Made-up networks are for tests and benchmarks: nothing in them is secret, and a seed repeats them. */
#ifndef KSDA_DETECT_H
#define KSDA_DETECT_H

#include <ksda/communities.h>

#ifdef __cplusplus
extern "C" {
#endif

/** METIS k-way partition into `parts` parts of about equal size, from the context's seed. Parts that METIS leaves empty
 * are dropped; their number goes to *empty (may be NULL).
 *  @param out owned by the caller; NULL on failure; communities are named by the number of the part
 *  @return KSDA_OK; KSDA_INVALID (parts is 0 or above n); KSDA_UNSUPPORTED (built without METIS, or more edges than its
 *  integers can count: 2^30 with 32 bits); KSDA_NOMEM; KSDA_INTERRUPTED; KSDA_TIMEOUT; KSDA_INTERNAL (METIS failed).
 *  METIS works in a child process where ksda_ctx_allow_processes() allows it, and is ended with the call. Else it works
 *  in a thread, which goes on in the background after an interruption; it then handles SIGTERM itself meanwhile (which
 *  ends the process), and may print to standard output when asked for more parts than the network falls into. */
KSDA_API ksda_status ksda_detect_metis(ksda_ctx *ctx, const ksda_graph *graph, uint32_t parts, uint32_t *empty,
                                       ksda_communities **out);

/** Leiden, maximizing modularity. Every community is connected; an isolated vertex is a community of its own.
 * Deterministic for a seed whatever the number of threads (it uses one). Communities are numbered by their first
 * vertex.
 *  @param out owned by the caller; NULL on failure
 *  @return KSDA_OK; KSDA_NOMEM; KSDA_INTERRUPTED. Near-linear time, about 90 bytes a vertex and 24 an edge. */
KSDA_API ksda_status ksda_detect_leiden(ksda_ctx *ctx, const ksda_graph *graph, ksda_communities **out);

/** Newman's modularity of a partition, 0 for a graph without edges. O(n + m), any thread. */
KSDA_API double ksda_modularity(const ksda_graph *graph, const ksda_communities *communities);

typedef struct ksda_rmat_options {
    size_t size;         /**< set by ksda_rmat_options_init() */
    uint32_t scale;      /**< 2^scale vertices */
    uint64_t edges;      /**< distinct simple edges, exactly */
    double a, b, c, d;   /**< quadrant probabilities; sum 1. Defaults 0.45 0.15 0.15 0.25 */
    uint32_t block_bits; /**< communities are the leading bits of the vertex number; 0 for none */
    uint32_t vertices;   /**< 0, or fewer than 2^scale: pairs that fall outside are drawn again */
} ksda_rmat_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_rmat_options_init(options) ksda_rmat_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_rmat_options_init_sized(ksda_rmat_options *options, size_t size);

/** An R-MAT graph, distributed as if pairs had been thrown until that many different edges had come. Every one of its
 *  vertices exists, also those without an edge; they are called 0 .. n-1, and are not shuffled: the leading bits are
 * the block structure. The same graph for a seed, whatever the number of threads.
 *  @param options NULL for the defaults: scale 16, 2^20 edges
 *  @param communities NULL, or receives the blocks when block_bits > 0 (else NULL)
 *  @return KSDA_OK; KSDA_INVALID (probabilities do not sum to 1, too many vertices, or more edges than there are pairs
 * that can come); KSDA_NOMEM; KSDA_INTERRUPTED. Near-linear time, also for dense graphs; 16 bytes an edge and 8 a
 * vertex. */
KSDA_API ksda_status ksda_generate_rmat(ksda_ctx *ctx, const ksda_rmat_options *options, ksda_graph **out,
                                        ksda_communities **communities);

typedef struct ksda_planted_options {
    size_t size; /**< set by ksda_planted_options_init() */
    uint32_t vertices;
    uint64_t edges;         /**< distinct simple edges, exactly */
    uint32_t communities;   /**< at most as many as vertices; each has one at least */
    double size_exponent;   /**< of the power law that community sizes follow, above 1; 0: all are as large */
    double degree_exponent; /**< of the power law that expected degrees follow, above 1; 0: all are the same */
    double mixing;          /**< share of the edges that join two communities, exactly */
    double not_stated;      /**< share of the vertices that are put into one further community, numbered `communities`,
                               wherever their neighbours are */
} ksda_planted_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_planted_options_init(options) ksda_planted_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_planted_options_init_sized(ksda_planted_options *options, size_t size);

/** A network like those that people publish: communities of power-law sizes planted in power-law degrees (the
 * degree-corrected block model, with fixed numbers of edges), and a share of the people who do not state their
 * community. Expected degrees end at sqrt(2 edges). Vertices are called 0 .. n-1 and are shuffled. The same network for
 * a seed, whatever the number of threads.
 *  @param options NULL for the defaults: 1000 vertices, 5000 edges, 20 communities, exponents 2.5, mixing 0.2
 *  @param communities NULL, or receives the communities, named by their numbers, the largest first
 *  @return KSDA_OK; KSDA_INVALID (a number out of range, or more edges than pairs, inside communities or between
 * them); KSDA_NOMEM; KSDA_INTERRUPTED. Expected time O(n + m), 24 bytes an edge and 20 a vertex. */
KSDA_API ksda_status ksda_generate_planted(ksda_ctx *ctx, const ksda_planted_options *options, ksda_graph **out,
                                           ksda_communities **communities);

#ifdef __cplusplus
}
#endif
#endif
