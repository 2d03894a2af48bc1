/* realize.h: finding the edges of a plan, from inside. realize_edges.c keeps the edges that were added,
 * realize_absorb.c lets others take a need, realize_places.c lets two change places for one, realize.c does the rest
 * and tells what it is all about. */
#ifndef KSDA_I_REALIZE_H
#define KSDA_I_REALIZE_H

#include "methods/levelplan/level_plan.h"
#include "privacy/census.h"

#define KSDA_I_REALIZE_EXCHANGES 4000000u /* pairs looked at per community before exchanging stops */

typedef struct ksda_i_need {
    uint32_t piece, rest;
} ksda_i_need;

/* What came of one community. */
typedef struct ksda_i_new_edges {
    ksda_pair *pair;
    uint64_t count, capacity;
    uint32_t community;
    ksda_status status;
    uint64_t unmet;
} ksda_i_new_edges;

/* What all communities share. */
typedef struct ksda_i_realizing {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_i_plan *plan;
    ksda_i_pieces *pieces;
    uint32_t *up; /* [top + 1] the next open level above an open one, or 0 */
    uint32_t top;
    ksda_i_new_edges *result; /* [communities] */
    uint32_t *short_of;
    ksda_i_census_model model;
    ksda_favour favour;
    ksda_i_census census; /* of all communities at their levels; all zero while they run in parallel */
} ksda_i_realizing;

/* A piece at distance two. */
typedef struct ksda_i_friend {
    uint32_t vertex;
    uint64_t rank; /* smaller is better */
} ksda_i_friend;

/* One thread at work on one community. */
typedef struct ksda_i_realizer {
    ksda_i_realizing *all;
    ksda_i_new_edges *out;
    uint32_t *mark; /* [n] by owner: stamp */
    uint32_t stamp;
    uint32_t *count; /* [top + 1] members of the community at each level */
    ksda_i_need *needy;
    uint64_t needy_capacity;
    uint32_t needies;
    ksda_i_need *lowered; /* [needies] while they are paired */
    uint64_t lowered_capacity;
    uint32_t community;
    uint32_t *tally; /* [n] common friends; all zero between uses, NULL when nobody asks */
    ksda_i_friend *friends;
    uint64_t friends_capacity;
    /* added edges as lists: for each end, the next of the same piece */
    uint32_t *first; /* [pieces] edge index * 2 + end + 1, or 0 */
    uint32_t *chain; /* [2 * edges] */
    uint64_t chain_capacity;
} ksda_i_realizer;

/* Mark everybody piece u may not be connected to: itself, what its vertex is adjacent to, what it was connected to. */
void ksda_i_realize_mark(ksda_i_realizer *d, uint32_t u);
static inline bool ksda_i_realize_marked(const ksda_i_realizer *d, uint32_t w) {
    return d->mark[d->all->pieces->owner[w]] == d->stamp;
}
/* The same as being marked, when the surroundings of another piece than u are: its neighbours are asked one by one. */
bool ksda_i_realize_adjacent(const ksda_i_realizer *d, uint32_t u, uint32_t w);
ksda_status ksda_i_realize_connect(ksda_i_realizer *d, uint32_t u, uint32_t w);
/* Edge e becomes u-x, where x was one of its ends. */
void ksda_i_realize_rehang(ksda_i_realizer *d, uint32_t e, uint32_t x, uint32_t u);

/* Needs that found no partner go to vertices that move up to the next level for it. */
ksda_status ksda_i_realize_absorb(ksda_i_realizer *d);
/* And to vertices that a piece with an added edge can be connected to, whose edge is then free. */
ksda_status ksda_i_realize_take_over(ksda_i_realizer *d);
/* And where nobody may move up, by somebody coming up in place of another one. */
ksda_status ksda_i_realize_change_places(ksda_i_realizer *d);

#endif
