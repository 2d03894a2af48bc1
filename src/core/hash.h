/* hash.h: hashing what comes from an input. Every function is keyed with bytes from the operating system, new for each
 * context: nobody can prepare a file whose ids all fall into the same slots. No result depends on the key, only where
 * things stand in a table meanwhile. */
#ifndef KSDA_I_HASH_H
#define KSDA_I_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ksda_i_hash_key {
    uint64_t word[2];
} ksda_i_hash_key;

/* A key for hash tables from the operating system; where it has none, from clock and address. */
void ksda_i_hash_key_draw(ksda_i_hash_key *key);

static inline uint64_t ksda_i_hash_rotate(uint64_t x, unsigned by) {
    return x << by | x >> (64 - by);
}

static inline void ksda_i_hash_round(uint64_t v[4]) {
    v[0] += v[1], v[2] += v[3];
    v[1] = ksda_i_hash_rotate(v[1], 13) ^ v[0], v[3] = ksda_i_hash_rotate(v[3], 16) ^ v[2];
    v[0] = ksda_i_hash_rotate(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = ksda_i_hash_rotate(v[1], 17) ^ v[2], v[3] = ksda_i_hash_rotate(v[3], 21) ^ v[0];
    v[2] = ksda_i_hash_rotate(v[2], 32);
}

static inline void ksda_i_hash_word(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    ksda_i_hash_round(v);
    v[0] ^= word;
}

/* SipHash-1-3 of Aumasson and Bernstein, doi:10.1007/978-3-642-34931-7_28. (On a big-endian machine the words are
 * others, which nobody sees.) */
static inline uint64_t ksda_i_hash_bytes(const ksda_i_hash_key *key, const char *data, size_t size) {
    uint64_t v[4] = {key->word[0] ^ UINT64_C(0x736f6d6570736575), key->word[1] ^ UINT64_C(0x646f72616e646f6d),
                     key->word[0] ^ UINT64_C(0x6c7967656e657261), key->word[1] ^ UINT64_C(0x7465646279746573)};
    uint64_t word, last = (uint64_t)size << 56;
    for (; size >= sizeof word; data += sizeof word, size -= sizeof word) {
        memcpy(&word, data, sizeof word);
        ksda_i_hash_word(v, word);
    }
    for (size_t i = 0; i < size; i++) last |= (uint64_t)(unsigned char)data[i] << 8 * i;
    ksda_i_hash_word(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++) ksda_i_hash_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* A number: splitmix64's finalizer behind a secret shift and a secret odd factor, so that neither chosen numbers nor
 * chosen differences of numbers lead anywhere known. */
static inline uint64_t ksda_i_hash_number(const ksda_i_hash_key *key, uint64_t x) {
    x = (x + key->word[0]) * (key->word[1] | 1);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
