/* The table of solvers: a new one is one file and one row. */
#include "lp/solver.h"

#ifdef KSDA_HAVE_CBC
enum {
    CBC = 1
};
#else
enum {
    CBC = 0
};
#endif

static const ksda_i_solver solvers[] = {
    {{"cbc", "COIN-OR branch and cut, in a process of its own", CBC}, ksda_i_cbc_solve, true},
};

const ksda_i_solver *ksda_i_solvers(size_t *count) {
    *count = sizeof solvers / sizeof *solvers;
    return solvers;
}

const ksda_i_solver *ksda_i_solver_find(const char *name) {
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        if (strcmp(solvers[i].info.name, name) == 0) return &solvers[i];
    return NULL;
}
