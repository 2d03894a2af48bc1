/* The table of solvers. A new one is one file solver_NAME.c with one row in solver.h, which says what it brings, and in
 * CMakeLists.txt an option KSDA_WITH_NAME that defines KSDA_HAVE_NAME and links it; the row is there in every build, so
 * that `ksda optimal --solver NAME` can say what is missing. Command line, `ksda version`, `ksda methods --json` and
 * the tests go through the table. */
#include "lp/solver.h"

#define ADDRESS(name) &ksda_i_solver_##name,
static const ksda_i_solver *const solvers[] = {KSDA_I_SOLVERS(ADDRESS)};

const ksda_i_solver *ksda_i_solver_at(size_t i) {
    return i < sizeof solvers / sizeof *solvers ? solvers[i] : NULL;
}

const ksda_i_solver *ksda_i_solver_default(void) {
    for (size_t i = 0; ksda_i_solver_at(i); i++)
        if (solvers[i]->info.available && solvers[i]->lp) return solvers[i];
    return NULL;
}

ksda_status ksda_i_solver_need(ksda_ctx *ctx, const ksda_i_solver *solver) {
    if (!solver)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "this build has no solver: %s, or write the integer program with --write-lp and solve it "
                            "elsewhere",
                            solvers[0]->needs);
    if (!solver->info.available)
        return ksda_i_error(ctx, KSDA_UNSUPPORTED,
                            "this build has no %s: %s, or write the integer program with --write-lp and solve it "
                            "elsewhere",
                            solver->title, solver->needs);
    return KSDA_OK;
}
