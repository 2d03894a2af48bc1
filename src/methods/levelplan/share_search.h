/* share_search.h: the search for releases within a share bound, from inside. share_cut.c cuts people into pieces,
 * share_attempt.c makes plans of one way of splitting and realizes them, share_search.c goes through the ways. */
#ifndef KSDA_I_SHARE_SEARCH_H
#define KSDA_I_SHARE_SEARCH_H

#include "methods/levelplan/share_plan.h"
#include "methods/levelplan/stages.h"

#define KSDA_I_SHARE_TRIES 6u /* plans of one way of splitting; more of a small network, one of a large one */
#define KSDA_I_SHARE_FAR 24u  /* needs that are not met: too many for further plans of the same way, with a release */
#define KSDA_I_SHARE_FEW 8u   /* needs that are not met: such a plan comes again unless its price rises fast */

/* What is remembered of a way. */
typedef struct ksda_i_share_way {
    uint64_t key;
    bool hopeless;     /* the linear program has no solution */
    uint32_t plans[2]; /* that were made of it: quick ones, and others */
} ksda_i_share_way;

/* One way of splitting, and what is known of it. */
typedef struct ksda_i_share_search {
    ksda_i_plan_run *r;
    uint32_t cap;          /* larger degrees are cut; UINT32_MAX: none */
    uint64_t extra;        /* pieces beside what pigeonhole asks for */
    uint32_t *spawn;       /* [n] further pieces of degree 2 that each vertex leaves */
    uint32_t *slack;       /* [n] by vertex: edges that it could gain, as far as was found */
    double *scarce;        /* [communities] what it costs that a need does not meet another one, in edges */
    double *free;          /* [communities] what part of the pairs of its largest members is not adjacent */
    double *meet;          /* [communities] likewise, as plans that could not be realized have taught */
    double *rise;          /* of the linear program, or NULL */
    double *lately;        /* who rose in the last plan that could not be realized, or NULL */
    bool wary;             /* pairs that did not meet are thought to be fewer: in every other plan */
    bool mending;          /* the next plan begins with that one */
    uint64_t mended;       /* work for such plans before there was a release of full plans */
    bool hopeless;         /* it has no solution */
    bool asked;            /* it was solved for this cap and these pieces */
    uint32_t beams;        /* plans that may still come of a beam search */
    bool beamed;           /* the last one has */
    bool long_beam;        /* one took more work than it may */
    bool held;             /* some plan lacked nothing */
    uint64_t unmet;        /* needs that the most complete one of its plans left, or UINT64_MAX */
    uint64_t last_unmet;   /* likewise, the last one */
    bool split;            /* somebody is */
    bool quick;            /* a first release is looked for */
    bool only_ask;         /* what the linear program says is enough */
    bool long_program;     /* a linear program with splits took too long: no other is asked */
    bool probing;          /* caps are halved between what does and what does not */
    uint32_t cap_found;    /* the highest cap that has led to a release; 0 before there is one */
    uint32_t best_cap;     /* cap and further pieces of the cheapest release; 0: it came of no such way */
    uint64_t best_extra;   /* likewise */
    uint64_t best_key;     /* likewise */
    uint64_t key;          /* of who is cut into how many pieces: caps may come to the same */
    ksda_i_share_way *way; /* [ways] those that were looked at */
    uint64_t ways, way_capacity;
    uint64_t begun; /* on the context's count of work */
} ksda_i_share_search;

/* Into how many pieces a vertex of this degree is cut. */
uint32_t ksda_i_share_parts(uint32_t degree, uint32_t cap);
/* Choose who leaves further pieces: as many as pigeonhole asks for, and extra. */
ksda_status ksda_i_share_spawn(ksda_i_share_search *search, bool *possible);
/* A number that is the same for ways that cut everybody alike. */
uint64_t ksda_i_share_key(const ksda_i_share_search *search);
/* Everybody in pieces, each at the degree that it has. */
ksda_status ksda_i_share_cut(const ksda_i_share_search *search, ksda_i_pieces *pieces, bool *found);
/* One plan of the way, and its release where it can be realized. */
ksda_status ksda_i_share_attempt(ksda_i_share_search *search, uint32_t number, bool *complete);

#endif
