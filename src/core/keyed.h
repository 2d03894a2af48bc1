/* keyed.h: a secret permutation of 0 .. n - 1 that everybody who has the key can compute, entry by entry, without a
 * table of n entries: for processes that share a network and must give the same vertex the same new id.
 *
 * A Feistel network of ten rounds (as in NIST SP 800-38G) on the bits of a number, whose round functions are SHA-256 of
 * the key, the round and the half that goes in; what falls beyond n - 1 goes through it again until it does not
 * (cycle walking, fewer than two turns on average). The round functions are kept as tables: some 10 sqrt(n) entries,
 * at most 1.3 MB. */
#ifndef KSDA_I_KEYED_H
#define KSDA_I_KEYED_H

#include "core/ctx.h"

enum {
    KSDA_I_KEY_BYTES = 32,
    KSDA_I_KEYED_ROUNDS = 10
};

typedef struct ksda_i_keyed {
    uint32_t n;
    unsigned right;                        /* bits of the right half; the left one has as many or one fewer */
    uint16_t *change[KSDA_I_KEYED_ROUNDS]; /* of one half, by the value of the other: of the left in even rounds */
} ksda_i_keyed;

/* A key from the operating system. KSDA_IO where it gives none. */
ksda_status ksda_i_key_draw(ksda_ctx *ctx, uint8_t key[KSDA_I_KEY_BYTES]);
ksda_status ksda_i_keyed_open(ksda_ctx *ctx, const uint8_t key[KSDA_I_KEY_BYTES], uint32_t n, ksda_i_keyed *out);
void ksda_i_keyed_close(ksda_ctx *ctx, ksda_i_keyed *keyed); /* wipes the tables; all zero is fine */

static inline uint32_t ksda_i_keyed_turn(const ksda_i_keyed *k, uint32_t x) {
    uint32_t left = (uint32_t)((uint64_t)x >> k->right), right = x & ((UINT32_C(1) << k->right) - 1);
    for (int round = 0; round < KSDA_I_KEYED_ROUNDS; round += 2) {
        left ^= k->change[round][right];
        right ^= k->change[round + 1][left];
    }
    return left << k->right | right;
}

/* Where x goes; x < n. */
static inline uint32_t ksda_i_keyed_at(const ksda_i_keyed *k, uint32_t x) {
    do x = ksda_i_keyed_turn(k, x);
    while (x >= k->n);
    return x;
}

#endif
