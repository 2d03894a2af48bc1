/* rounds.h: plan and realization in turn, from which the cheapest release is kept. */
#ifndef KSDA_I_ROUNDS_H
#define KSDA_I_ROUNDS_H

#include "methods/levelplan/level_plan.h"

typedef struct ksda_i_rounds {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_anonymize_options *options;
    ksda_i_ranks lists;
    bool borrowed;     /* the lists are another one's */
    uint32_t *slack;   /* [n] as lists.slack, but tightened where a realization failed */
    bool *strict;      /* [communities] where edges could not be added to pieces */
    double *price;     /* [communities] */
    uint32_t round;    /* the next one */
    uint32_t complete; /* rounds that led to a release */
    bool found;        /* is there a release? */
    double cost;       /* of the cheapest one, which is */
    ksda_i_pieces pieces;
    ksda_i_realization made;
    bool limited; /* the time limit cut something short */
    /* Takes complete releases that are not the cheapest, and owns them then. NULL: they are freed. */
    ksda_status (*pass)(void *payload, ksda_edits *edits);
    void *payload;
} ksda_i_rounds;

/* ksda_i_rounds_close() clears it, also after a failure. */
ksda_status ksda_i_rounds_open(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_anonymize_options *options, ksda_i_rounds *out);
/* The same for another search on that network, with nothing found and learnt, which borrows the lists of the first;
 * from any thread. */
ksda_status ksda_i_rounds_fork(ksda_ctx *ctx, const ksda_i_rounds *of, const ksda_anonymize_options *options,
                               ksda_i_rounds *out);
/* Forget what was found and learnt; options say what is asked from here on. */
void ksda_i_rounds_again(ksda_i_rounds *r, const ksda_anonymize_options *options);
void ksda_i_rounds_close(ksda_i_rounds *r);
/* Plan and realize, in as many rounds as the size asks for, at most `most`, until the work or the time is over. The
 * first round is always finished. Called again it goes on. */
ksda_status ksda_i_rounds_search(ksda_i_rounds *r, uint32_t most);
/* The same until a round is complete. */
ksda_status ksda_i_rounds_begin(ksda_i_rounds *r);
/* Pass the cheapest release on, if there is one. */
ksda_status ksda_i_rounds_offer(ksda_i_rounds *r);
/* Cut, realize and judge a plan; split weights other than the true one cut otherwise. */
ksda_status ksda_i_rounds_attempt(ksda_i_rounds *r, const ksda_i_plan *plan, double cut_weight, bool *complete);

#endif
