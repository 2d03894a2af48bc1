/* SHA-256 as FIPS 180-4 writes it down, a block of 64 bytes at a time. */
#include "core/sha256.h"

#include <string.h>

static const uint32_t constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, unsigned by) {
    return x >> by | x << (32 - by);
}

static void schedule(const uint8_t *block, uint32_t *w) {
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
}

/* One round. The eight words do not move: the next round takes each for the one after it. */
static inline void mix(uint32_t *s, int a, int b, int c, int d, int e, int f, int g, int h, uint32_t word) {
    uint32_t choice = (s[e] & s[f]) ^ (~s[e] & s[g]), most = (s[a] & s[b]) ^ (s[a] & s[c]) ^ (s[b] & s[c]);
    uint32_t one = s[h] + (rotate_right(s[e], 6) ^ rotate_right(s[e], 11) ^ rotate_right(s[e], 25)) + choice + word;
    s[d] += one;
    s[h] = one + (rotate_right(s[a], 2) ^ rotate_right(s[a], 13) ^ rotate_right(s[a], 22)) + most;
}

static void compress(uint32_t *state, const uint8_t *block) {
    uint32_t w[64], s[8];
    schedule(block, w);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i += 8) {
        mix(s, 0, 1, 2, 3, 4, 5, 6, 7, constant[i] + w[i]);
        mix(s, 7, 0, 1, 2, 3, 4, 5, 6, constant[i + 1] + w[i + 1]);
        mix(s, 6, 7, 0, 1, 2, 3, 4, 5, constant[i + 2] + w[i + 2]);
        mix(s, 5, 6, 7, 0, 1, 2, 3, 4, constant[i + 3] + w[i + 3]);
        mix(s, 4, 5, 6, 7, 0, 1, 2, 3, constant[i + 4] + w[i + 4]);
        mix(s, 3, 4, 5, 6, 7, 0, 1, 2, constant[i + 5] + w[i + 5]);
        mix(s, 2, 3, 4, 5, 6, 7, 0, 1, constant[i + 6] + w[i + 6]);
        mix(s, 1, 2, 3, 4, 5, 6, 7, 0, constant[i + 7] + w[i + 7]);
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

void ksda_i_sha256_begin(ksda_i_sha256 *hash) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->bytes = 0;
}

void ksda_i_sha256_add(ksda_i_sha256 *hash, const void *data, size_t size) {
    const uint8_t *from = data;
    while (size > 0) {
        size_t used = hash->bytes % 64, part = size < 64 - used ? size : 64 - used;
        if (part == 64) {
            compress(hash->state, from);
        } else {
            memcpy(hash->block + used, from, part);
            if (used + part == 64) compress(hash->state, hash->block);
        }
        hash->bytes += part;
        from += part;
        size -= part;
    }
}

void ksda_i_sha256_bytes(const ksda_i_sha256 *hash, uint8_t bytes[KSDA_I_SHA256_BYTES]) {
    static const uint8_t padding[64] = {0x80};
    ksda_i_sha256 last = *hash;
    uint8_t length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(hash->bytes * 8 >> (56 - 8 * i));
    ksda_i_sha256_add(&last, padding, 1 + (119 - hash->bytes % 64) % 64);
    ksda_i_sha256_add(&last, length, sizeof length);
    for (int i = 0; i < KSDA_I_SHA256_BYTES; i++) bytes[i] = (uint8_t)(last.state[i / 4] >> (24 - 8 * (i % 4)));
}

void ksda_i_sha256_text(const ksda_i_sha256 *hash, char text[KSDA_I_SHA256_TEXT]) {
    uint8_t bytes[KSDA_I_SHA256_BYTES];
    ksda_i_sha256_bytes(hash, bytes);
    for (int i = 0; i < 64; i++) text[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[64] = '\0';
}
