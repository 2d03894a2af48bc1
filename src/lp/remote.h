/* remote.h: linear programs in a child process. */
#ifndef KSDA_I_REMOTE_H
#define KSDA_I_REMOTE_H

#include "lp/solver.h"

/* An engine whose work another one, `way`, does in a child process. A solver that fails there costs what it would have
 * proved: run() then says KSDA_I_LP_TROUBLE, for good, and the context counts it (ksda_ctx_solver_failures()). */
extern const ksda_i_lp_engine ksda_i_lp_remote; /* all but open, which is: */
ksda_status ksda_i_lp_remote_open(const ksda_i_lp_engine *way, const ksda_i_model *m, void **engine);

/* Milliseconds without a word after which a child is lost: many times the longest slice of pivots. Tests shorten it. */
extern unsigned ksda_i_lp_silence;

#endif
