/* Chains of buckets, filled all at once, against a plain sort. */
#include "methods/paper/lists.h"

#include "context.h"
#include "core/random.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct listed {
    uint32_t chain, degree, item;
} listed;

static int in_order(const void *a, const void *b) {
    const listed *x = a, *y = b;
    if (x->chain != y->chain) return x->chain < y->chain ? -1 : 1;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* Some of the degrees are far above the others, as hubs are. */
static void draw_items(uint64_t seed, uint32_t items, uint32_t chains, uint32_t *degree, uint32_t *chain,
                       listed *wanted) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 1, 2);
    for (uint32_t i = 0; i < items; i++) {
        degree[i] = (uint32_t)ksda_i_rng_below(&rng, ksda_i_rng_below(&rng, 4) ? 9 : 5000);
        chain[i] = (uint32_t)ksda_i_rng_below(&rng, chains);
        wanted[i] = (listed){chain[i], degree[i], i};
    }
    qsort(wanted, items, sizeof *wanted, in_order);
}

/* Both ways through all chains, and the degree of each bucket. */
static void assert_lists_are(const ksda_i_lists *l, const listed *wanted) {
    uint32_t at = 0;
    for (uint32_t c = 0; c < l->chains; c++) {
        uint32_t begin = at;
        for (uint32_t i = ksda_i_lists_begin(l, c, KSDA_I_ASCENDING); i != KSDA_I_NONE;
             i = ksda_i_lists_after(l, i, KSDA_I_ASCENDING), at++) {
            assert_true(at < l->items && wanted[at].chain == c && wanted[at].item == i);
            assert_int_equal(ksda_i_lists_degree(l, i), wanted[at].degree);
        }
        uint32_t last = UINT32_MAX, seen = 0;
        for (uint32_t i = ksda_i_lists_begin(l, c, KSDA_I_DESCENDING); i != KSDA_I_NONE;
             i = ksda_i_lists_after(l, i, KSDA_I_DESCENDING), seen++) {
            assert_true(ksda_i_lists_degree(l, i) <= last);
            last = ksda_i_lists_degree(l, i);
        }
        assert_int_equal(seen, at - begin);
    }
    assert_int_equal(at, l->items);
}

static void all_items_come_in_order(void **state) {
    enum {
        MOST = 2000
    };
    uint32_t degree[MOST], chain[MOST];
    listed wanted[MOST];
    ksda_i_lists lists;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint32_t items = (uint32_t)(seed * seed * 37 % MOST), chains = (uint32_t)(1 + seed % 7 * seed);
        draw_items(seed, items, chains, degree, chain, wanted);
        assert_int_equal(ksda_i_lists_init(check_ctx, &lists, items, chains), KSDA_OK);
        assert_int_equal(ksda_i_lists_insert_sorted(check_ctx, &lists, degree, chain), KSDA_OK);
        assert_lists_are(&lists, wanted);
        /* everybody moves next door, as who gets an edge does */
        for (uint32_t i = 0; i < items; i++) ksda_i_lists_move(&lists, i, degree[i] + 1), wanted[i].degree++;
        assert_lists_are(&lists, wanted);
        ksda_i_lists_clear(check_ctx, &lists);
    }
}

static ksda_status fill_some(ksda_ctx *ctx) {
    static const uint32_t degree[] = {3, 900, 0, 3}, chain[] = {1, 0, 1, 1};
    ksda_i_lists lists;
    ksda_status status = ksda_i_lists_init(ctx, &lists, 4, 2);
    if (status >= 0) status = ksda_i_lists_insert_sorted(ctx, &lists, degree, chain);
    ksda_i_lists_clear(ctx, &lists);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    assert_survives_failing_memory(fill_some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_items_come_in_order),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
