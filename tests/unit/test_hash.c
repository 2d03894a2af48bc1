/* Ids chosen by somebody who knows the code must not make its hash tables slow. The attacks here are on the functions
 * without a key that stood in the tables' place: splitmix64's finalizer, which can be inverted, and FNV-1a. */
#include "core/random.h"
#include "graph/ids.h"
#include "graph/numbering.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#define IDS 60000
#define NAMES 2000

static uint64_t unshift(uint64_t x, unsigned by) { /* inverse of x ^ x >> by */
    uint64_t y = x;
    for (unsigned i = by; i < 64; i += by) y = x ^ (y >> by);
    return y;
}

static uint64_t inverse(uint64_t odd) { /* modulo 2^64, by Newton */
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static uint64_t unmix(uint64_t x) {
    x = unshift(x, 31) * inverse(UINT64_C(0x94d049bb133111eb));
    x = unshift(x, 27) * inverse(UINT64_C(0xbf58476d1ce4e5b9));
    return unshift(x, 30) - UINT64_C(0x9e3779b97f4a7c15);
}

/* CPU seconds of numbering these ids on one thread. */
static double numbering_time(ksda_ctx *ctx, const uint64_t *id) {
    uint64_t *copy = malloc(IDS * sizeof *copy);
    ksda_i_stretch stretch = {copy, IDS, true, true};
    ksda_i_ids ids;
    memcpy(copy, id, IDS * sizeof *copy);
    clock_t start = clock();
    assert_int_equal(ksda_i_number_ids(ctx, &stretch, 1, &ids), KSDA_OK);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(ids.kind, KSDA_I_IDS_NUMBERS);
    for (uint32_t i = 0; i < IDS; i++) assert_int_equal(ids.number[((uint32_t *)copy)[i]], id[i]);
    ksda_i_ids_clear(ctx, &ids);
    free(copy);
    return seconds;
}

static void chosen_numbers_are_no_slower_than_random_ones(void **state) {
    ksda_ctx *ctx;
    ksda_i_rng r = ksda_i_rng_stream(1, 2, 3);
    uint64_t *chosen = malloc(IDS * sizeof *chosen), *any = malloc(IDS * sizeof *any);
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t i = 0; i < IDS; i++) {
        chosen[i] = unmix((i + 1) << 24); /* the same slot in every table up to 2^24 */
        any[i] = ksda_i_rng_next(&r);
        assert_int_equal(ksda_i_mix(chosen[i]), (i + 1) << 24);
    }
    double random = numbering_time(ctx, any), attack = numbering_time(ctx, chosen);
    if (attack > 20 * random + 0.25) fail_msg("%g s of CPU time, %g s for random ids", attack, random);
    free(chosen);
    free(any);
    ksda_ctx_free(ctx);
}

static uint64_t fnv(const char *name, size_t length) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return h ^ (h >> 29);
}

/* The longest stretch of slots without an empty one: what a look-up may have to walk. */
static uint64_t longest_run(const ksda_i_ids *ids) {
    uint64_t longest = 0, run = 0;
    for (uint64_t i = 0; i < 2 * ids->slots; i++) {
        run = ids->slot[i & (ids->slots - 1)] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void chosen_names_do_not_pile_up(void **state) {
    ksda_ctx *ctx;
    ksda_i_ids ids;
    char name[24];
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_i_ids_names(&ids);
    for (uint64_t i = 0; ids.count < NAMES; i++) {
        uint32_t item;
        size_t length = (size_t)snprintf(name, sizeof name, "v%llu", (unsigned long long)i);
        if ((fnv(name, length) & 4095) == 7) {
            assert_int_equal(ksda_i_ids_intern(ctx, &ids, name, length, &item), KSDA_OK);
            assert_int_equal(item, ids.count - 1);
        }
    }
    if (longest_run(&ids) > NAMES / 4) fail_msg("%llu slots in a row", (unsigned long long)longest_run(&ids));
    ksda_i_ids_clear(ctx, &ids);
    ksda_ctx_free(ctx);
}

static void every_context_has_a_key_of_its_own(void **state) {
    ksda_ctx *a, *b;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &a), KSDA_OK);
    assert_int_equal(ksda_ctx_new(NULL, &b), KSDA_OK);
    assert_memory_not_equal(&a->hash_key, &b->hash_key, sizeof a->hash_key);
    assert_true(ksda_i_hash_number(&a->hash_key, 1) != ksda_i_hash_number(&b->hash_key, 1));
    assert_true(ksda_i_hash_bytes(&a->hash_key, "a", 1) != ksda_i_hash_bytes(&b->hash_key, "a", 1));
    assert_true(ksda_i_hash_bytes(&a->hash_key, "a", 1) != ksda_i_hash_bytes(&a->hash_key, "a\0", 2));
    ksda_ctx_free(a);
    ksda_ctx_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_numbers_are_no_slower_than_random_ones),
        cmocka_unit_test(chosen_names_do_not_pile_up),
        cmocka_unit_test(every_context_has_a_key_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
