/* abreast.h: several searches at once, each of which begins with what is known when all of them begin; or searches in a
 * row, two at a time. */
#ifndef KSDA_I_ABREAST_H
#define KSDA_I_ABREAST_H

#include "methods/levelplan/stages.h"

/* One of them. The stage sets task, work and late. */
typedef struct ksda_i_abreast_search {
    const void *task;     /* what it is to do: the stage's own */
    uint64_t work;        /* that it may do */
    bool late;            /* it begins even when the time is over */
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

/* Searches in a row. */
typedef struct ksda_i_abreast_row {
    /* Sets task and work of the next search by what the run knows, which it may read now and not later; s->ctx is there
     * to work with. *any is false when there is no further search. */
    ksda_status (*next)(void *payload, ksda_i_abreast_search *s, bool *any);
    ksda_status (*work)(ksda_i_abreast_search *s);
    void (*taken)(void *payload, ksda_i_abreast_search *s); /* what a search has found was offered; its task may go */
    void *payload;
} ksda_i_abreast_row;
/* Run them on two threads of the run's context. Each begins with what all have found but the one just before it,
 * whichever have ended by then: so nobody waits but for one that takes longer than the two after it, and the run is the
 * same for every number of threads. */
ksda_status ksda_i_abreast_run_row(ksda_i_plan_run *r, const ksda_i_abreast_row *row);

/* A complete release, owned by the search from here on; `search` is a ksda_i_abreast_search. */
ksda_status ksda_i_abreast_offer(void *search, ksda_edits *edits);

#endif
