/* The coin problem behind Splitting Vertex: the fewest degrees of existing groups that add up to a degree.
 *
 * A table of the answers for all degrees up to the largest asked for. A new group is one pass over the table, a larger
 * degree one look at every group; as vertices come with growing degrees both happen once a group and once a degree, so
 * everything together is O(groups x largest degree split). The sum itself is read off the table largest summand first:
 * the summands of the sum found so never grow, so that takes O(groups + summands). */
#include "methods/paper/coins.h"

void ksda_i_coins_clear(ksda_ctx *ctx, ksda_i_coins *coins) {
    ksda_i_free(ctx, coins->fewest);
    ksda_i_free(ctx, coins->coin);
    ksda_i_free(ctx, coins->seen.word);
    *coins = (ksda_i_coins){.known = 0};
}

static inline void relax_sum(ksda_i_coins *k, uint32_t d, uint32_t coin) {
    uint32_t rest = k->fewest[d - coin];
    if (rest != KSDA_I_NONE && rest + 1 < k->fewest[d]) k->fewest[d] = rest + 1;
}

/* Answers up to d for the coins known. */
static ksda_status extend(ksda_ctx *ctx, ksda_i_coins *k, uint32_t d) {
    ksda_status status = ksda_i_reserve(ctx, &k->fewest, &k->capacity, (uint64_t)d + 1, sizeof *k->fewest);
    if (status < 0) return status;
    k->fewest[0] = 0;
    for (; k->known < d; k->known++) {
        k->fewest[k->known + 1] = KSDA_I_NONE;
        for (uint64_t i = 0; i < k->coins; i++)
            if (k->coin[i] <= k->known + 1) relax_sum(k, k->known + 1, k->coin[i]);
    }
    return KSDA_OK;
}

/* Take in the groups made since the last time. */
static ksda_status catch_up(ksda_i_state *s, ksda_i_coins *k) {
    ksda_status status;
    uint64_t had = k->seen.words;
    if ((status = ksda_i_reserve(s->ctx, &k->seen.word, &k->seen.words, s->groups.words, sizeof *k->seen.word)) < 0)
        return status;
    if (k->seen.words > had) memset(k->seen.word + had, 0, (k->seen.words - had) * sizeof *k->seen.word);
    for (uint64_t i = 0; i < s->groups.words; i++) {
        for (uint64_t fresh = s->groups.word[i] & ~k->seen.word[i]; fresh; fresh &= fresh - 1) {
            uint32_t coin = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(fresh);
            if (coin == 0) continue; /* a piece has an edge */
            if ((status = ksda_i_reserve(s->ctx, &k->coin, &k->coin_capacity, k->coins + 1, sizeof *k->coin)) < 0)
                return status;
            k->coin[k->coins++] = coin;
            for (uint32_t d = coin; d <= k->known; d++) relax_sum(k, d, coin);
        }
        k->seen.word[i] = s->groups.word[i];
    }
    return KSDA_OK;
}

ksda_status ksda_i_coins_fewest(ksda_i_state *s, ksda_i_coins *coins, uint32_t d, uint32_t *count) {
    ksda_status status = catch_up(s, coins);
    if (status >= 0 && (coins->known < d || !coins->fewest)) status = extend(s->ctx, coins, d);
    if (status >= 0) *count = coins->fewest[d];
    return status;
}

uint32_t ksda_i_coins_largest(const ksda_i_state *s, const ksda_i_coins *coins, uint32_t d, uint32_t atmost) {
    uint32_t coin = ksda_i_groups_down(&s->groups, atmost < d ? atmost : d);
    while (coins->fewest[d - coin] != coins->fewest[d] - 1) coin = ksda_i_groups_down(&s->groups, coin - 1);
    return coin;
}
