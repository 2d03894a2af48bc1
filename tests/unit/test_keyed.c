/* Keyed permutations: against the same network computed without tables, for every size a permutation, another one for
 * every key, and no place preferred. */
#include "context.h"

#include "core/keyed.h"
#include "core/random.h"
#include "core/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Keys that are always the same, one for every number. */
static void make_key(uint64_t number, uint8_t key[KSDA_I_KEY_BYTES]) {
    ksda_i_rng r = ksda_i_rng_stream(7, 1, number);
    for (int i = 0; i < KSDA_I_KEY_BYTES; i++) key[i] = (uint8_t)ksda_i_rng_next(&r);
}

/* What a round makes of a half: two bytes of a hash, from its digits. */
static uint32_t slow_change(const uint8_t *key, uint8_t round, uint32_t half, unsigned bits) {
    const uint8_t block[] = {(uint8_t)(half / 16), (uint8_t)(half / 16 >> 8), 0};
    char text[KSDA_I_SHA256_TEXT], two[5] = "";
    ksda_i_sha256 hash;
    ksda_i_sha256_begin(&hash);
    ksda_i_sha256_add(&hash, key, KSDA_I_KEY_BYTES);
    ksda_i_sha256_add(&hash, &round, 1);
    ksda_i_sha256_add(&hash, block, sizeof block);
    ksda_i_sha256_text(&hash, text);
    memcpy(two, text + 4 * (half % 16) + 2, 2); /* the low byte comes first */
    memcpy(two + 2, text + 4 * (half % 16), 2);
    return (uint32_t)strtoul(two, NULL, 16) & ((1u << bits) - 1);
}

static uint32_t slow_at(const uint8_t *key, uint32_t n, uint32_t x) {
    unsigned bits = 2;
    while (bits < 32 && n > UINT64_C(1) << bits) bits++;
    unsigned low = bits - bits / 2, high = bits / 2;
    uint64_t y = x;
    do {
        uint32_t left = (uint32_t)(y >> low), right = (uint32_t)(y % (UINT64_C(1) << low));
        for (uint8_t round = 0; round < 10; round++)
            if (round % 2 == 0)
                left ^= slow_change(key, round, right, high);
            else
                right ^= slow_change(key, round, left, low);
        y = (uint64_t)left << low | right;
    } while (y >= n);
    return (uint32_t)y;
}

static void it_is_the_network_without_tables(void **state) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 17, 1000, 65537, 1 << 20, 3000000001u, UINT32_MAX};
    ksda_ctx *ctx = *state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t key[KSDA_I_KEY_BYTES];
        ksda_i_rng r = ksda_i_rng_stream(1, 2, i);
        ksda_i_keyed k;
        make_key(i, key);
        assert_int_equal(ksda_i_keyed_open(ctx, key, sizes[i], &k), KSDA_OK);
        for (int j = 0; j < 40; j++) {
            uint32_t x = (uint32_t)ksda_i_rng_below(&r, sizes[i]);
            assert_int_equal(ksda_i_keyed_at(&k, x), slow_at(key, sizes[i], x));
        }
        ksda_i_keyed_close(ctx, &k);
    }
}

static void must_be_a_permutation(ksda_ctx *ctx, uint32_t n, uint64_t number) {
    uint8_t key[KSDA_I_KEY_BYTES];
    char *seen = calloc(n, 1);
    ksda_i_keyed k;
    make_key(number, key);
    assert_non_null(seen);
    assert_int_equal(ksda_i_keyed_open(ctx, key, n, &k), KSDA_OK);
    for (uint32_t x = 0; x < n; x++) {
        uint32_t y = ksda_i_keyed_at(&k, x);
        assert_true(y < n && !seen[y]);
        seen[y] = 1;
    }
    ksda_i_keyed_close(ctx, &k);
    free(seen);
}

static void every_size_has_permutations(void **state) {
    ksda_i_rng r = ksda_i_rng_stream(3, 4, 5);
    for (uint32_t n = 1; n <= 70; n++) must_be_a_permutation(*state, n, n);
    for (uint64_t i = 0; i < 100; i++) must_be_a_permutation(*state, 1 + (uint32_t)ksda_i_rng_below(&r, 10000), i);
    must_be_a_permutation(*state, (1 << 20) + 1, 1);
}

/* Of the largest sizes only some entries: all different. */
static int ascending(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void no_two_go_to_one_place(void **state) {
    enum {
        MANY = 100000
    };
    static const uint32_t sizes[] = {(1u << 24) - 1, (1u << 31) + 1, UINT32_MAX};
    static uint32_t to[MANY];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t key[KSDA_I_KEY_BYTES];
        ksda_i_keyed k;
        make_key(i, key);
        assert_int_equal(ksda_i_keyed_open(*state, key, sizes[i], &k), KSDA_OK);
        for (uint32_t x = 0; x < MANY; x++) to[x] = ksda_i_keyed_at(&k, sizes[i] - 1 - x);
        qsort(to, MANY, sizeof *to, ascending);
        for (uint32_t x = 1; x < MANY; x++) assert_true(to[x - 1] < to[x] && to[x] < sizes[i]);
        ksda_i_keyed_close(*state, &k);
    }
}

/* Over many keys each of some entries goes everywhere equally often, and so does each pair of neighbours. */
static void no_place_is_preferred(void **state) {
    enum {
        N = 11,
        KEYS = 11000
    };
    unsigned at[N][N] = {{0}}, gap[N] = {0};
    for (uint64_t number = 0; number < KEYS; number++) {
        uint8_t key[KSDA_I_KEY_BYTES];
        ksda_i_keyed k;
        make_key(number, key);
        assert_int_equal(ksda_i_keyed_open(*state, key, N, &k), KSDA_OK);
        for (uint32_t x = 0; x < N; x++) at[x][ksda_i_keyed_at(&k, x)]++;
        gap[(ksda_i_keyed_at(&k, 4) + N - ksda_i_keyed_at(&k, 3)) % N]++;
        ksda_i_keyed_close(*state, &k);
    }
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++) assert_in_range(at[x][y], KEYS / N - 160, KEYS / N + 160); /* 5 deviations */
    for (int d = 1; d < N; d++) assert_in_range(gap[d], KEYS / (N - 1) - 160, KEYS / (N - 1) + 160);
}

static void keys_are_drawn_anew(void **state) {
    uint8_t one[KSDA_I_KEY_BYTES], two[KSDA_I_KEY_BYTES];
    assert_int_equal(ksda_i_key_draw(*state, one), KSDA_OK);
    assert_int_equal(ksda_i_key_draw(*state, two), KSDA_OK);
    assert_memory_not_equal(one, two, sizeof one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_the_network_without_tables),
                                       cmocka_unit_test(every_size_has_permutations),
                                       cmocka_unit_test(no_two_go_to_one_place),
                                       cmocka_unit_test(no_place_is_preferred), cmocka_unit_test(keys_are_drawn_anew)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
