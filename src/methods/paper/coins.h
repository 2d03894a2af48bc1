/* coins.h: the fewest group degrees that add up to a degree (the paper's Formula (8)). */
#ifndef KSDA_I_COINS_H
#define KSDA_I_COINS_H

#include "methods/paper/state.h"

typedef struct ksda_i_coins {
    uint32_t *fewest; /* [known + 1] fewest[d] group degrees add up to d, KSDA_I_NONE if none do; for the coins below */
    uint64_t capacity;
    uint32_t known;
    uint32_t *coin; /* the group degrees counted so far, in no order */
    uint64_t coins, coin_capacity;
    ksda_i_groups seen; /* the same as a set */
} ksda_i_coins;

void ksda_i_coins_clear(ksda_ctx *ctx, ksda_i_coins *coins);
/* The fewest of the present groups' degrees that add up to d >= 1; KSDA_I_NONE: no sum of them does. */
ksda_status ksda_i_coins_fewest(ksda_i_state *s, ksda_i_coins *coins, uint32_t d, uint32_t *count);
/* The largest group degree, at most `atmost`, that begins a shortest sum for d, for which there is one. */
uint32_t ksda_i_coins_largest(const ksda_i_state *s, const ksda_i_coins *coins, uint32_t d, uint32_t atmost);

#endif
