/* likeness.h: how much two vertices have in common: what tells a friendship from a coincidence. */
#ifndef KSDA_I_LIKENESS_H
#define KSDA_I_LIKENESS_H

#include "graph/graph.h"

/* The scores of two vertices p and q, each of which would rank the pairs of p. */
enum {
    KSDA_I_LIKE_COMMON,      /* common neighbours */
    KSDA_I_LIKE_JACCARD,     /* the same as a share of all neighbours of the two, but for themselves */
    KSDA_I_LIKE_ADAMIC_ADAR, /* common neighbours, each divided by the logarithm of its degree */
    KSDA_I_LIKE_SHARE,       /* common neighbours as a share of the neighbours of the end that has fewer */
    KSDA_I_LIKE_DEGREE,      /* the degree of q */
    KSDA_I_LIKENESSES
};

/* All of them. adjacent: whether p and q are. Any thread; time O(smaller degree), with a logarithm where the degrees
 * differ much. */
void ksda_i_likeness(const ksda_graph *g, uint32_t p, uint32_t q, bool adjacent, double score[KSDA_I_LIKENESSES]);

/* The same for a caller that counts the common neighbours itself: their number, the sum of their weights, and the
 * degrees of the two. A common neighbour has a degree of 2 at least. */
uint64_t ksda_i_likeness_weight(uint32_t degree);
void ksda_i_likeness_scores(uint64_t shared_by, uint64_t weight, double a, double b, bool adjacent,
                            double score[KSDA_I_LIKENESSES]);

#endif
