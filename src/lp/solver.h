/* solver.h: who can solve a mixed integer program; one row per solver, the table stands in solvers.c. */
#ifndef KSDA_I_SOLVER_H
#define KSDA_I_SOLVER_H

#include "lp/model.h"

#include <ksda/exact.h>

typedef struct ksda_i_solve_options {
    const char *stage;   /* for progress reports; NULL: there are none */
    const double *start; /* [columns] a solution to begin with, or NULL */
    double cutoff;       /* only solutions of at most this cost are wanted; INFINITY for all */
    double seconds;      /* stop after so many; the context's time limit applies as well; 0 or INFINITY for no other */
    double known_cost;   /* of a solution known elsewhere, for progress; 0 or NaN for none */
    double known_bound;  /* a lower bound proved elsewhere, likewise; -INFINITY when there is none */
} ksda_i_solve_options;

typedef struct ksda_i_solution {
    ksda_i_verdict verdict;
    double objective; /* NaN without a solution */
    double bound;     /* up to the solver's tolerance every solution costs at least this or more than the cutoff;
                         -INFINITY without, INFINITY with KSDA_I_NONE */
    double *x;        /* [columns] or NULL; freed with ksda_i_free() */
    char trouble[96]; /* what became of a solver that ended without an answer; else empty */
} ksda_i_solution;

typedef struct ksda_i_solver {
    ksda_solver_info info;
    /* Solve until proved, the context's time limit or cancellation; never prints. A returned x satisfies the model to
     * within the solver's tolerance. KSDA_OK whatever the verdict; KSDA_INTERRUPTED; KSDA_NOMEM; KSDA_UNSUPPORTED. */
    ksda_status (*solve)(const ksda_i_model *m, const ksda_i_solve_options *options, ksda_i_solution *out);
    bool process; /* works in a process of its own: without ksda_ctx_allow_processes() it has no answer */
} ksda_i_solver;

const ksda_i_solver *ksda_i_solvers(size_t *count);
const ksda_i_solver *ksda_i_solver_find(const char *name);

bool ksda_i_cbc_available(void);
ksda_status ksda_i_cbc_solve(const ksda_i_model *m, const ksda_i_solve_options *options, ksda_i_solution *out);

#endif
