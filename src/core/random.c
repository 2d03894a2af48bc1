/* Permutations, secret and repeatable. */
#include "core/random.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>

enum {
    STAGE_PERMUTATION = 0x7065726d
};

/* A reservoir of bytes from the operating system. */
typedef struct entropy {
    uint64_t word[512];
    unsigned left;
    bool failed;
} entropy;

static uint64_t entropy_next(entropy *e) {
    if (e->left == 0) {
        size_t have = 0;
        while (have < sizeof e->word) {
            ssize_t got = getrandom((char *)e->word + have, sizeof e->word - have, 0);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) {
                e->failed = true;
                return 0;
            }
            have += (size_t)got;
        }
        e->left = 512;
    }
    return e->word[--e->left];
}

/* Uniform in 0 .. bound-1 for bound <= 2^32, by rejection. */
static uint32_t entropy_below(entropy *e, uint64_t bound) {
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound, x;
    do x = entropy_next(e);
    while (x >= limit && !e->failed);
    return (uint32_t)(x % bound);
}

static void swap_into(uint32_t *out, uint32_t i, uint32_t j) {
    out[i] = out[j];
    out[j] = i;
}

ksda_status ksda_i_permutation_secure(ksda_ctx *ctx, uint32_t n, uint32_t *out) {
    entropy e = {.left = 0};
    for (uint32_t i = 0; i < n && !e.failed; i++) swap_into(out, i, entropy_below(&e, (uint64_t)i + 1));
    bool failed = e.failed;
    explicit_bzero(&e, sizeof e);
    if (failed) return ksda_i_error(ctx, KSDA_IO, "the operating system gives no random numbers");
    return KSDA_OK;
}

void ksda_i_permutation_seeded(ksda_ctx *ctx, uint32_t n, uint32_t *out) {
    ksda_i_rng r = ksda_i_rng_stream(ctx->seed, STAGE_PERMUTATION, 0);
    for (uint32_t i = 0; i < n; i++) swap_into(out, i, (uint32_t)ksda_i_rng_below(&r, (uint64_t)i + 1));
}
