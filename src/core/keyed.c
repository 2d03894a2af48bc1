/* The key and the tables of a keyed permutation. */
#include "core/keyed.h"

#include "core/sha256.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

ksda_status ksda_i_key_draw(ksda_ctx *ctx, uint8_t key[KSDA_I_KEY_BYTES]) {
    size_t have = 0;
    while (have < KSDA_I_KEY_BYTES) {
        ssize_t got = getrandom(key + have, KSDA_I_KEY_BYTES - have, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return ksda_i_error(ctx, KSDA_IO, "the operating system gives no random numbers");
        have += (size_t)got;
    }
    return KSDA_OK;
}

/* The values of one round, `count` of them, each of that many bits. */
static void fill_round(const uint8_t *key, uint8_t round, unsigned bits, uint32_t count, uint16_t *change) {
    uint8_t digest[KSDA_I_SHA256_BYTES];
    ksda_i_sha256 keyed, hash;
    ksda_i_sha256_begin(&keyed);
    ksda_i_sha256_add(&keyed, key, KSDA_I_KEY_BYTES);
    ksda_i_sha256_add(&keyed, &round, sizeof round);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i % (sizeof digest / 2), block = i / (sizeof digest / 2);
        const uint8_t number[] = {(uint8_t)block, (uint8_t)(block >> 8), (uint8_t)(block >> 16)};
        if (at == 0) {
            hash = keyed;
            ksda_i_sha256_add(&hash, number, sizeof number);
            ksda_i_sha256_bytes(&hash, digest);
        }
        change[i] = (uint16_t)((digest[2 * at] | digest[2 * at + 1] << 8) & ((1 << bits) - 1));
    }
    explicit_bzero(digest, sizeof digest);
    explicit_bzero(&keyed, sizeof keyed);
    explicit_bzero(&hash, sizeof hash);
}

static uint64_t entries(const ksda_i_keyed *k, unsigned left) {
    return (uint64_t)KSDA_I_KEYED_ROUNDS / 2 * ((UINT64_C(1) << left) + (UINT64_C(1) << k->right));
}

static unsigned left_bits(uint32_t n) {
    unsigned bits = 2;
    while (bits < 32 && n > UINT32_C(1) << bits) bits++;
    return bits / 2;
}

ksda_status ksda_i_keyed_open(ksda_ctx *ctx, const uint8_t key[KSDA_I_KEY_BYTES], uint32_t n, ksda_i_keyed *out) {
    unsigned left = left_bits(n);
    *out = (ksda_i_keyed){.n = n, .right = left + (left < 16 && n > UINT32_C(1) << 2 * left)};
    uint16_t *at = ksda_i_malloc(ctx, entries(out, left), sizeof *at);
    if (!at) return KSDA_NOMEM;
    for (uint8_t round = 0; round < KSDA_I_KEYED_ROUNDS; round++) {
        uint32_t count = UINT32_C(1) << (round % 2 ? left : out->right);
        fill_round(key, round, round % 2 ? out->right : left, count, at);
        out->change[round] = at;
        at += count;
    }
    return KSDA_OK;
}

void ksda_i_keyed_close(ksda_ctx *ctx, ksda_i_keyed *keyed) {
    if (!keyed->change[0]) return;
    explicit_bzero(keyed->change[0], entries(keyed, left_bits(keyed->n)) * sizeof *keyed->change[0]);
    ksda_i_free(ctx, keyed->change[0]);
    *keyed = (ksda_i_keyed){.n = 0};
}
