/* alike.h: which of many things are equal, by 128-bit hashes of them. */
#ifndef KSDA_I_ALIKE_H
#define KSDA_I_ALIKE_H

#include "core/ctx.h"

typedef struct ksda_i_hash128 {
    uint64_t word[2];
} ksda_i_hash128;

/* Keys for the two words. */
typedef struct ksda_i_hash128_key {
    ksda_i_hash_key lane[2];
} ksda_i_hash128_key;

static inline ksda_i_hash128_key ksda_i_hash128_key_of(const ksda_ctx *ctx) {
    ksda_i_hash128_key key;
    for (uint64_t i = 0; i < 4; i++) key.lane[i / 2].word[i % 2] = ksda_i_hash_number(&ctx->hash_key, i);
    return key;
}

/* The hash of a list of numbers, one after the other: begin with zeros. */
static inline void ksda_i_hash128_next(const ksda_i_hash128_key *key, ksda_i_hash128 *hash, uint64_t number) {
    for (int i = 0; i < 2; i++)
        hash->word[i] = ksda_i_hash_number(&key->lane[i], ksda_i_hash_number(&key->lane[i], hash->word[i]) ^ number);
}
/* The hash of numbers in any order: begin with zeros, and end with ksda_i_hash128_next(), which spreads the sum. */
static inline void ksda_i_hash128_add(const ksda_i_hash128_key *key, ksda_i_hash128 *sum, uint64_t number) {
    uint64_t x = ksda_i_hash_number(&key->lane[0], number), y = (x ^ key->lane[1].word[0]) * (key->lane[1].word[1] | 1);
    sum->word[0] += x;
    sum->word[1] += y ^ y >> 32;
}

/* Number equal hashes alike: of [count], by first appearance; *kinds of them. KSDA_OK; KSDA_NOMEM; KSDA_INTERRUPTED;
 * KSDA_TIMEOUT. Time O(count), at most 16 bytes each. That two different things have the same hash is taken for
 * impossible: with n of them the chance is n^2 / 2^129, and the keys are secret. */
ksda_status ksda_i_alike(ksda_ctx *ctx, uint32_t count, const ksda_i_hash128 *hash, uint32_t *of, uint32_t *kinds);

#endif
