/* Our sorts against qsort(), for every length around the limits and for numbers with many and few bytes in common. */
#include "core/random.h"
#include "core/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 5000

static int by_value32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
static int by_value64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void as_qsort(void **state) {
    static uint32_t a[MOST], b[MOST], c[MOST];
    static uint64_t x[MOST], y[MOST], z[MOST];
    (void)state;
    for (uint64_t item = 0; item < 3000; item++) {
        ksda_i_rng r = ksda_i_rng_stream(1, 2, item);
        uint64_t count = item < 1500 ? item : ksda_i_rng_below(&r, MOST);
        uint64_t mask = item % 3 ? UINT64_MAX >> ksda_i_rng_below(&r, 60) : UINT64_C(0xff00ff0000ff00ff);
        for (uint64_t i = 0; i < count; i++) {
            x[i] = y[i] = item % 5 == 0 && i % 3 == 0 ? UINT64_MAX : ksda_i_rng_next(&r) & mask;
            a[i] = b[i] = (uint32_t)x[i];
        }
        ksda_i_sort_u32(a, count, c);
        ksda_i_sort_u64(x, count, z);
        qsort(b, count, sizeof *b, by_value32);
        qsort(y, count, sizeof *y, by_value64);
        assert_memory_equal(a, b, count * sizeof *a);
        assert_memory_equal(x, y, count * sizeof *x);
    }
}

/* Labels at random, a permutation, and one in which two have the same. */
static void groups_are_complete_and_in_order(void **state) {
    static uint32_t label[MOST], start[MOST + 1], order[MOST];
    (void)state;
    for (uint64_t item = 0; item < 300; item++) {
        ksda_i_rng r = ksda_i_rng_stream(1, 3, item);
        uint32_t count = (uint32_t)ksda_i_rng_below(&r, 400), labels = item % 3 ? count : 1 + (uint32_t)item;
        for (uint32_t i = 0; i < count; i++) {
            label[i] = item % 3 ? i : (uint32_t)ksda_i_rng_below(&r, labels);
            uint32_t j = (uint32_t)ksda_i_rng_below(&r, i + 1), moved = label[j];
            label[j] = label[i], label[i] = moved;
        }
        if (item % 3 == 2 && count > 0) label[count - 1] = label[0];
        ksda_i_group(count, label, labels, start, order);
        assert_int_equal(start[0], 0);
        assert_int_equal(start[labels], count);
        for (uint32_t l = 0; l < labels; l++)
            for (uint32_t i = start[l]; i < start[l + 1]; i++)
                assert_true(order[i] < count && label[order[i]] == l && (i == start[l] || order[i - 1] < order[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_qsort), cmocka_unit_test(groups_are_complete_and_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
