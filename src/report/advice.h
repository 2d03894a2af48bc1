/* advice.h: which k, or which share bound? What each costs, what it buys, and where the price begins to rise. */
#ifndef KSDA_I_ADVICE_H
#define KSDA_I_ADVICE_H

#include "report/sweep.h"

enum {
    KSDA_I_ADVICE_WHY = 400,
    KSDA_I_ADVICE_POINTS = 64 /* that are looked at, at most */
};

typedef struct ksda_i_advice {
    const ksda_i_sweep *sweep;    /* one method; k ascending, or one k and share bounds descending */
    const ksda_diversity *before; /* what the degree attack does to the original */
    uint32_t knee;                /* the point that is recommended; sweep->count: there is no release to recommend */
    char why[KSDA_I_ADVICE_WHY];  /* in a sentence */
} ksda_i_advice;

/* The share of the network that a release adds: edges added of all edges, and vertices added of all vertices. NaN where
 * there is no release. */
double ksda_i_advice_price(const ksda_i_sweep *sweep, const ksda_i_point *point);
/* A release that keeps more keeps less as well: a point takes the release of a later one where that is cheaper, or
 * where it has none itself, so that no row is dearer than one that asks for more. What is proved of a point stays its
 * own. */
void ksda_i_advice_take(ksda_i_sweep *sweep);
/* Find the knee: the k, or share bound, whose price lies farthest below the straight line from the first to the last.
 */
void ksda_i_advice_make(const ksda_i_sweep *sweep, const ksda_diversity *before, ksda_i_advice *out);

/* A row of the table: what a point of the sweep costs and buys. */
void ksda_i_advice_point_json(const ksda_i_sweep *sweep, const ksda_i_point *point, json_t *object);
void ksda_i_advice_json(const ksda_i_advice *advice, json_t *object);
void ksda_i_advice_text(const ksda_i_advice *advice, FILE *out);
ksda_status ksda_i_advice_html(ksda_ctx *ctx, const ksda_i_advice *advice, const char *network, ksda_i_output *out);

#endif
