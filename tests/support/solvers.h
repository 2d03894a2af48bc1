/* solvers.h: tests over every solver that is built in. */
#ifndef SOLVERS_H
#define SOLVERS_H

#include "lp/solver.h"

/* The i-th one that is built in, the default first; NULL when there is none. */
const ksda_i_solver *built_solver(size_t i);
/* One of them, by turns. */
const ksda_i_solver *some_solver(uint64_t turn);
/* Skips the test, loudly, in a build without any. */
void need_solver(void);

#endif
