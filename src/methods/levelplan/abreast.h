/* abreast.h: several searches at once, each of which begins with what is known when all of them begin. */
#ifndef KSDA_I_ABREAST_H
#define KSDA_I_ABREAST_H

#include "methods/levelplan/stages.h"

/* One of them. The stage sets task and work. */
typedef struct ksda_i_abreast_search {
    const void *task;     /* what it is to do: the stage's own */
    uint64_t work;        /* that it may do */
    ksda_i_plan_run *run; /* not to be changed while searches are under way */
    ksda_ctx *ctx;        /* its own, with one thread; the run's where there is one search only */
    ksda_i_pool found;
    ksda_i_proof seen; /* what all the releases cost that it has found */
    ksda_status status;
    bool limited; /* the time limit cut something short */
    bool placed;  /* sets of levels led to a release */
} ksda_i_abreast_search;

/* Run them on the threads of the run's context, and offer what they have found in the order of their numbers: the run
 * is the same for every number of threads. Together they do not do more work than is left. What they found counts also
 * where one fails or is stopped. */
ksda_status ksda_i_abreast_run(ksda_i_plan_run *r, ksda_i_abreast_search *search, uint32_t count,
                               ksda_status (*run)(ksda_i_abreast_search *s));
/* A complete release, owned by the search from here on; `search` is a ksda_i_abreast_search. */
ksda_status ksda_i_abreast_offer(void *search, ksda_edits *edits);

#endif
