/* ksda/exact.h: the cheapest k-structurally diverse release, proved; or the best one found with a proved bound.
 *
 *     ksda_optimal_options options;
 *     ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
 *     ksda_optimal_options_init(&options), options.k = 2;
 *     ksda_ctx_set_time_limit(ctx, 60);
 *     ksda_optimal(ctx, graph, communities, &options, &edits, &result);
 *
 * Proofs can take from seconds to longer than anybody waits: give the context a time limit. docs/exact.md tells how
 * they are found. */
#ifndef KSDA_EXACT_H
#define KSDA_EXACT_H

#include <ksda/edits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is known about the optimum. Whether the call itself worked is the ksda_status. */
typedef enum ksda_model_status {
    KSDA_MODEL_OPTIMAL = 0,    /**< the solution is proved to be the cheapest */
    KSDA_MODEL_FEASIBLE = 1,   /**< a solution was found; objective - bound is how far from the optimum it can be */
    KSDA_MODEL_INFEASIBLE = 2, /**< proved: no solution exists */
    KSDA_MODEL_LIMIT = 3       /**< stopped at the time limit without a solution */
} ksda_model_status;
/** "optimal", "feasible", "infeasible" or "limit", as in `ksda optimal --json`; "unknown" for what is no value.
 * Borrowed, static; any thread, O(1). */
KSDA_API const char *ksda_model_status_name(ksda_model_status status);
/** The value with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_model_status_from_name(const char *name, ksda_model_status *out);

/** What is asked for. */
typedef struct ksda_optimal_options {
    size_t size;         /**< set by ksda_optimal_options_init() */
    uint32_t k;          /**< has no default: 0 is refused */
    int split;           /**< 0: Adding Edge only; 1: Splitting Vertex as well */
    double split_weight; /**< omega; 0 means |V|^2 */
    const char *solver;  /**< NULL or "fast": the method of this library, with the first solver built in; "fast:cbc",
                            "fast:glpk": with this one; "cbc", "glpk": the paper's integer program by it */
    uint32_t pieces;     /**< with split: pieces a vertex may have at most in the integer program; 0 chooses */
    const ksda_edits *start; /**< NULL, or a known solution of the same network, to begin with instead of what
                                heuristics find; borrowed */
    ksda_share max_share;    /**< no community has more than this share of a degree, beside k; 0 of 0 for any. Solved by
                                the paper's program with a row for each community and degree, also for "fast" */
} ksda_optimal_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_optimal_options_init(options) ksda_optimal_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_optimal_options_init_sized(ksda_optimal_options *options, size_t size);

/** What is known when the call returns. */
typedef struct ksda_optimal_result {
    size_t size;              /**< set by KSDA_INIT(ksda_optimal_result) */
    ksda_model_status status; /**< optimal, feasible, infeasible or limit */
    double objective;         /**< n_a + omega n_s of the solution; NaN without one */
    double bound;             /**< proved: no solution is cheaper; infinity when infeasible */
    double split_weight;      /**< the omega used */
    uint64_t added_edges;     /**< n_a */
    uint64_t added_vertices;  /**< n_s */
    double seconds;           /**< that the call took */
    char reason[512];         /**< why it is infeasible, or what was left open; may be empty */
} ksda_optimal_result;

/** Find the cheapest release. Every solution that comes back was verified, and its cost is the objective.
 *  The context's time limit applies; with it the answer may be KSDA_MODEL_FEASIBLE or KSDA_MODEL_LIMIT. At
 *  ksda_ctx_finish() or the deadline the best solution so far is handed over, if there is one, with what is proved.
 *  @param options say at least k @param out owned by the caller; NULL when there is no solution
 *  @param result NULL, or made ready with KSDA_INIT
 *  @return KSDA_OK whatever result->status says; KSDA_INVALID (k, split weight, unknown solver, a size);
 * KSDA_UNSUPPORTED (built without the solver; the message says what is missing); KSDA_NOMEM; KSDA_INTERRUPTED;
 *  KSDA_TIMEOUT. Integer programs are solved in a child process, so that it can be stopped at once and cannot print or
 *  change signal handlers: without ksda_ctx_allow_processes() "cbc" is KSDA_UNSUPPORTED, and "fast" does without.
 *  Time exponential at worst; memory grows with vertices and levels, not with the time. On the context's threads. */
KSDA_API ksda_status ksda_optimal(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_optimal_options *options, ksda_edits **out, ksda_optimal_result *result);

/** Write the paper's integer program (with split: the one with Splitting Vertex) as a CPLEX LP file, which CPLEX,
 * Gurobi, HiGHS, SCIP and GLPK read. It describes the original network: keep it private.
 *  @param options as above; start is not looked at @param path "-" is standard output; else a file of mode 0600 that
 *  appears whole or not at all @return KSDA_OK; KSDA_INVALID; KSDA_UNSUPPORTED (too many columns); KSDA_IO; KSDA_NOMEM;
 *  KSDA_INTERRUPTED. Time and size O(pairs of vertices in one community). */
KSDA_API ksda_status ksda_optimal_write_lp(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                           const ksda_optimal_options *options, const char *path);

/** A row of the table of solvers. */
typedef struct ksda_solver_info {
    const char *name;    /**< as in ksda_optimal_options.solver */
    const char *summary; /**< one line */
    int available;       /**< whether this build has it */
    const char *version; /**< of the library behind it; NULL where there is none or this build does not have it */
} ksda_solver_info;
/** The i-th solver, built in or not, the default first; NULL when there is none. Borrowed, static; any thread, O(1). */
KSDA_API const ksda_solver_info *ksda_solver(size_t i);

#ifdef __cplusplus
}
#endif
#endif
