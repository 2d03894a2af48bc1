/* traits.h: what a trained attacker sees of an edge, and how he learns to weigh it. */
#ifndef KSDA_I_TRAITS_H
#define KSDA_I_TRAITS_H

#include "core/ctx.h"
#include "core/random.h"
#include "measure/likeness.h"

#include <ksda/attack.h>

enum {
    /* Of an edge: its scores, their ranks among the edges of its end, the other degree and how many have it, both by
     * their logarithms, and whether it is the larger one. */
    KSDA_I_TRAITS = 2 * KSDA_I_LIKENESSES + 3,
    KSDA_I_TRAIT_RANKS = KSDA_I_LIKENESSES, /* the first of the ranks */
    KSDA_I_TRAIT_HABITS = 2 * KSDA_I_LIKENESSES
};

/* The traits of an edge with these scores and ranks, at an end of that degree. level: the logarithm of how many
 * vertices have the degree of the other end. */
void ksda_i_traits_fill(const double score[KSDA_I_LIKENESSES], const double *rank, double level, uint32_t degree,
                        double out[KSDA_I_TRAITS]);
/* Their weighed sum. */
double ksda_i_traits_weigh(const double *weight, const double *traits);

/* Differences of the traits of an added edge and of own edges of the same end, to learn from. */
typedef struct ksda_i_contrasts {
    double *row; /* [rows * KSDA_I_TRAITS] */
    uint64_t rows, capacity;
} ksda_i_contrasts;
enum {
    KSDA_I_CONTRASTS = 4 /* own edges that an added one is compared with */
};
/* Note down an edge's traits beside those of some of `count` own ones [count * KSDA_I_TRAITS]. */
ksda_status ksda_i_contrasts_note(ksda_ctx *ctx, ksda_i_contrasts *c, const double *traits, const double *own,
                                  uint64_t count, ksda_i_rng *rng);
/* Weights under which added edges come before own ones, by logistic regression; all 0 where there is nothing to learn
 * from. The rows are scaled, so it is done once. */
ksda_status ksda_i_contrasts_fit(ksda_ctx *ctx, ksda_i_contrasts *c, double weight[KSDA_I_TRAITS]);

#endif
