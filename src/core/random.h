/* random.h: random streams as values. A stream is derived from (seed, stage, item), never from the thread. */
#ifndef KSDA_I_RANDOM_H
#define KSDA_I_RANDOM_H

#include "core/ctx.h"

typedef struct ksda_i_rng {
    uint64_t s[4]; /* xoshiro256** of Blackman and Vigna, doi:10.1145/3460772 */
} ksda_i_rng;

static inline uint64_t ksda_i_mix(uint64_t x) { /* splitmix64's finalizer: a good 64-bit hash */
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline ksda_i_rng ksda_i_rng_stream(uint64_t seed, uint64_t stage, uint64_t item) {
    uint64_t x = ksda_i_mix(ksda_i_mix(ksda_i_mix(seed) ^ stage) ^ item);
    ksda_i_rng r;
    for (int i = 0; i < 4; i++) r.s[i] = x = ksda_i_mix(x + (uint64_t)i);
    return r;
}

static inline uint64_t ksda_i_rng_next(ksda_i_rng *r) {
    uint64_t *s = r->s, x = s[1] * 5, t = s[1] << 17;
    x = ((x << 7) | (x >> 57)) * 9;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return x;
}

/* Uniform in 0 .. bound-1, without bias (Lemire). bound > 0. */
static inline uint64_t ksda_i_rng_below(ksda_i_rng *r, uint64_t bound) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)ksda_i_rng_next(r) * bound;
    if ((uint64_t)product < bound) {
        uint64_t least = (0 - bound) % bound;
        while ((uint64_t)product < least) product = (wide)ksda_i_rng_next(r) * bound;
    }
    return (uint64_t)(product >> 64);
}

static inline double ksda_i_rng_unit(ksda_i_rng *r) { /* in [0, 1) */
    return (double)(ksda_i_rng_next(r) >> 11) * 0x1.0p-53;
}

/* A random permutation of 0 .. n-1, from the operating system's generator: for ids that must not be guessed. */
ksda_status ksda_i_permutation_secure(ksda_ctx *ctx, uint32_t n, uint32_t *out);
/* The same from the context's seed: repeatable, so not secret. */
void ksda_i_permutation_seeded(ksda_ctx *ctx, uint32_t n, uint32_t *out);

#endif
