/* solver.h: who can solve a program; one row per solver, the table stands in solvers.c. A row has two parts: integer
 * programs are solved once, in a child process that can be stopped (process.c); their linear relaxations again and
 * again, scaled (scale.c), in a child process where the caller allows it (remote.c), and every bound is recomputed here
 * (lp.c). What a solver says of itself is no proof in either.
 */
#ifndef KSDA_I_SOLVER_H
#define KSDA_I_SOLVER_H

#include "lp/model.h"

#include <ksda/exact.h>

typedef struct ksda_i_solve_options {
    const char *stage;  /* for progress reports; NULL: there are none */
    double cutoff;      /* only solutions of at most this cost are wanted; INFINITY for all */
    double seconds;     /* stop after so many; the context's time limit applies as well; 0 or INFINITY for no other */
    double known_cost;  /* of a solution known elsewhere, for progress; 0 or NaN for none */
    double known_bound; /* a lower bound proved elsewhere, likewise; -INFINITY when there is none */
} ksda_i_solve_options;

typedef struct ksda_i_solution {
    ksda_i_verdict verdict;
    double objective; /* NaN without a solution */
    double bound;     /* up to the solver's tolerance every solution costs at least this or more than the cutoff;
                         -INFINITY without, INFINITY with KSDA_I_NONE */
    double *x;        /* [columns] or NULL; freed with ksda_i_free() */
    char trouble[96]; /* what became of a solver that ended without an answer; else empty */
} ksda_i_solution;

/* --- what a solver's file brings ---------------------------------------------------------------------------------- */

/* What a solver claims at the end, before anybody has looked at it. Costs are without the model's offset. */
typedef struct ksda_i_claim {
    bool in_time; /* set by process.c: a solver whose time was over may claim anything */
    bool has_solution, infeasible, optimal;
    double bound; /* what is left costs at least this; beyond 1e40 in size: it does not say */
} ksda_i_claim;

/* An integer program in a child process. It may print, leak, catch signals and crash; only its claim counts. */
typedef struct ksda_i_mip_engine {
    /* The model ready to be solved, with cutoff and without printing anything but progress. Ends the process when
     * memory runs out. */
    void *(*load)(const ksda_i_model *m, const ksda_i_solve_options *options);
    ksda_i_claim (*search)(void *engine, double seconds); /* INFINITY: no limit */
    const double *(*solution)(void *engine);              /* [columns] of a claim that has one */
    /* A line that the child has printed: set what it says of the best solution's cost and of the bound. */
    void (*read_line)(const char *line, double *cost, double *bound);
} ksda_i_mip_engine;

typedef enum ksda_i_lp_state {
    KSDA_I_LP_TROUBLE = 0, /* numerical, or unbounded: nothing is known */
    KSDA_I_LP_GOES_ON,     /* the pivots are used up */
    KSDA_I_LP_SOLVED,
    KSDA_I_LP_INFEASIBLE /* it says */
} ksda_i_lp_state;

/* A linear program: never prints. Infinite bounds are INFINITY. */
typedef struct ksda_i_lp_engine {
    ksda_status (*open)(const ksda_i_model *m, void **engine); /* the model's columns, no rows yet */
    void (*close)(void *engine);
    ksda_status (*add_rows)(void *engine, const ksda_i_model *m, uint32_t first); /* the model's from `first` on */
    /* The model's newest column, with terms in the rows there are. */
    ksda_status (*add_column)(void *engine, const ksda_i_model *m, uint32_t terms, const int *row, const double *value);
    void (*set_bounds)(void *engine, uint32_t column, double lower, double upper);
    void (*set_cost)(void *engine, uint32_t column, double cost);
    /* At most so many pivots from where the last call ended, counted in *done. repriced: costs have changed, so the
     * last basis is a start for the primal simplex, not for the dual one. */
    ksda_i_lp_state (*run)(void *engine, bool repriced, int pivots, uint64_t *done);
    const double *(*x)(void *engine);    /* [columns] borrowed until the next call */
    const double *(*dual)(void *engine); /* [rows] likewise, also when it goes on */
    /* After KSDA_I_LP_INFEASIBLE: a combination of the rows, of either sign, that may show it; false when there is
     * none. */
    bool (*ray)(void *engine, double *out);
} ksda_i_lp_engine;

typedef struct ksda_i_solver {
    ksda_solver_info info;        /* the paper's integer programs by this solver */
    ksda_solver_info fast;        /* the fast exact methods on top of it */
    const char *title;            /* its name in messages */
    const char *needs;            /* what to do where a build does not have it */
    const ksda_i_mip_engine *mip; /* both NULL in such a build */
    const ksda_i_lp_engine *lp; /* NULL as well for a solver of integer programs only, which fast methods cannot use */
} ksda_i_solver;

/* The infos of a row: NAME and SUMMARY are literals; VERSION is NULL in a build without it. */
#define KSDA_I_SOLVER_INFOS(NAME, SUMMARY, VERSION)                                                                    \
    .info = {NAME, "the paper's integer program by " SUMMARY, (VERSION) != NULL, VERSION},                             \
    .fast = {"fast:" NAME, "the fast method with " SUMMARY, (VERSION) != NULL, VERSION}

/* Every solver one row; the first that is built in and has linear programs serves the bounds and the fast methods. */
#define KSDA_I_SOLVERS(ROW)                                                                                            \
    ROW(cbc)                                                                                                           \
    ROW(glpk)

#define KSDA_I_SOLVER_DECLARE(name) extern const ksda_i_solver ksda_i_solver_##name;
KSDA_I_SOLVERS(KSDA_I_SOLVER_DECLARE)

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* The i-th row, built in or not; NULL when there is none. */
const ksda_i_solver *ksda_i_solver_at(size_t i);
/* The one that serves bounds and the fast methods; NULL in a build without any. */
const ksda_i_solver *ksda_i_solver_default(void);
/* KSDA_UNSUPPORTED, with what to do, where there is no solver (NULL) or this build does not have it. */
ksda_status ksda_i_solver_need(ksda_ctx *ctx, const ksda_i_solver *solver);

/* Solve until proved, the context's time limit or cancellation; never prints. A returned x satisfies the model to
 * within the solver's tolerance. KSDA_OK whatever the verdict; KSDA_INTERRUPTED; KSDA_NOMEM; KSDA_UNSUPPORTED. */
ksda_status ksda_i_mip_solve(const ksda_i_solver *solver, const ksda_i_model *m, const ksda_i_solve_options *options,
                             ksda_i_solution *out);

#endif
