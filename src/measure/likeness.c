/* How much two vertices have in common, by the scores of link prediction (Liben-Nowell and Kleinberg 2007,
 * doi:10.1002/asi.20591; Adamic and Adar 2003, doi:10.1016/S0378-8733(03)00009-1). Rows are sorted: they are merged,
 * or, where one is much longer, the entries of the shorter one are looked up in it. */
#include "measure/likeness.h"

#include <math.h>

#define ONE 0x1p40
#define STEP 0x1p20 /* of the result: 2 / log 4 and 1 / log 2 are the same */

enum {
    MUCH = 16,   /* times as long: from then on looking up is quicker */
    SMALL = 1024 /* degrees whose weight is computed once by every thread */
};

typedef struct shared {
    uint64_t count;
    uint64_t weight; /* sum of 1 / log degree, in units of 1 / ONE: the same in whatever order they come */
} shared;

uint64_t ksda_i_likeness_weight(uint32_t degree) {
    return (uint64_t)(ONE / log(degree));
}

static uint64_t weight_of(uint32_t degree) {
    static _Thread_local uint64_t known[SMALL]; /* 0: not yet */
    if (degree >= SMALL) return ksda_i_likeness_weight(degree);
    if (!known[degree]) known[degree] = ksda_i_likeness_weight(degree);
    return known[degree];
}

static void meet_neighbour(const ksda_graph *g, uint32_t v, shared *s) {
    s->count++;
    s->weight += weight_of(ksda_i_degree(g, v)); /* it has two neighbours at least */
}

static shared merge_neighbours(const ksda_graph *g, uint32_t p, uint32_t q) {
    shared s = {0, 0};
    const uint32_t *a = g->adj + g->off[p], *a_end = g->adj + g->off[p + 1];
    const uint32_t *b = g->adj + g->off[q], *b_end = g->adj + g->off[q + 1];
    while (a < a_end && b < b_end) {
        uint32_t x = *a, y = *b;
        if (x == y) meet_neighbour(g, x, &s);
        a += x <= y;
        b += y <= x;
    }
    return s;
}

static shared look_up(const ksda_graph *g, uint32_t few, uint32_t many) {
    shared s = {0, 0};
    for (uint64_t e = g->off[few]; e < g->off[few + 1]; e++)
        if (ksda_i_graph_position(g, many, g->adj[e]) != UINT64_MAX) meet_neighbour(g, g->adj[e], &s);
    return s;
}

static double share_of(double part, double whole) {
    return part / (whole > 1 ? whole : 1);
}

void ksda_i_likeness_scores(uint64_t shared_by, uint64_t weight, double a, double b, bool adjacent,
                            double score[KSDA_I_LIKENESSES]) {
    double common = (double)shared_by, less = a < b ? a : b;
    score[KSDA_I_LIKE_COMMON] = common;
    score[KSDA_I_LIKE_JACCARD] = share_of(common, a + b - common - (adjacent ? 2 : 0));
    score[KSDA_I_LIKE_ADAMIC_ADAR] = round((double)weight / ONE * STEP) / STEP;
    score[KSDA_I_LIKE_SHARE] = share_of(common, less - (adjacent ? 1 : 0));
    score[KSDA_I_LIKE_DEGREE] = b;
}

void ksda_i_likeness(const ksda_graph *g, uint32_t p, uint32_t q, bool adjacent, double score[KSDA_I_LIKENESSES]) {
    double a = ksda_i_degree(g, p), b = ksda_i_degree(g, q);
    shared s = a > MUCH * b ? look_up(g, q, p) : b > MUCH * a ? look_up(g, p, q) : merge_neighbours(g, p, q);
    ksda_i_likeness_scores(s.count, s.weight, a, b, adjacent, score);
}
