/* share_ladder.h: people in pieces at the degrees of a ladder. share_ladder.c: how one person can stand at one of them;
 * share_place.c: who stands at which by a linear program; share_even.c: releases of it. */
#ifndef KSDA_I_SHARE_LADDER_H
#define KSDA_I_SHARE_LADDER_H

#include "methods/levelplan/stages.h"

#define KSDA_I_LADDER_LEVELS 24u

/* Edges that the pieces of a split person may get beside links. */
typedef enum ksda_i_ladder_edges {
    KSDA_I_LADDER_ANY,
    KSDA_I_LADDER_NONE,
    KSDA_I_LADDER_FEW, /* only where links cannot raise them so far: none for parity alone */
    KSDA_I_LADDER_KINDS
} ksda_i_ladder_edges;

typedef struct ksda_i_ladder {
    ksda_i_plan_run *r;
    uint32_t levels, level[KSDA_I_LADDER_LEVELS]; /* the ladder, descending; the last one is 1 */
    ksda_i_ladder_edges edges;
    uint32_t *slack;        /* [n] by vertex */
    uint32_t *at;           /* [n] which level its pieces are at */
    uint32_t *parts, *ones; /* [n] pieces there, and at degree 1 beside; none: it has no edge and gets none */
    uint32_t *place;        /* [n] where a linear program has them stand, or levels: at degree 0 */
    bool placed;            /* it has said so */
    uint64_t *low, *high;   /* [communities] pieces that a level needs and can have */
    uint64_t *wanted;       /* [communities] and is to have */
    uint64_t *others;       /* [communities] ends of edges, and pieces at other levels */
    uint8_t *parity;        /* [communities] of the number wanted, or 2 for any */
} ksda_i_ladder;

/* Can so many edges in so many pieces of v be brought to the degree, by links among them and edges added to each? */
bool ksda_i_ladder_stands(const ksda_i_ladder *s, uint32_t v, uint32_t level, uint32_t edges, uint32_t parts);
/* The fewest and the most pieces, up to so many, in which they can; 0 for none. */
uint32_t ksda_i_ladder_fewest(const ksda_i_ladder *s, uint32_t v, uint32_t level, uint32_t edges);
uint32_t ksda_i_ladder_most(const ksda_i_ladder *s, uint32_t v, uint32_t level, uint32_t edges, uint32_t at_most);
/* Edges that v can leave in pieces of one and still stand at the degree as a whole. */
uint32_t ksda_i_ladder_spare(const ksda_i_ladder *s, uint32_t v, uint32_t level);
/* Say in place who stands where so that the share holds with the fewest splits, but for rounding; placed: false where
 * there is no solver, or no solution, or the program is too large. */
ksda_status ksda_i_ladder_place(ksda_i_ladder *s);

#endif
