/* longer.h: the exact method goes on where level-plan's own proof ends. */
#ifndef KSDA_I_LONGER_H
#define KSDA_I_LONGER_H

#include "methods/levelplan/level_plan.h"

/* For options->bound_seconds: releases that split nobody by the whole exact method, which may find a better one, and
 * those with splits with more cases. A hook of level-plan. */
ksda_status ksda_i_prove_longer(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_anonymize_options *options,
                                const ksda_edits *start, double cost, ksda_i_proof *proof, ksda_edits **out);

#endif
