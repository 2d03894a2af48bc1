/* The context, the parallel loop and the random streams. */
#include "core/parallel.h"
#include "core/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct cover {
    atomic_uint *seen;
    uint64_t grain, count;
    atomic_uint wrong;
    unsigned threads;
} cover;

static void visit(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    cover *c = data;
    bool right = begin % c->grain == 0 && end > begin && end <= c->count && thread < c->threads &&
                 (end - begin == c->grain || end == c->count);
    if (!right) atomic_fetch_add(&c->wrong, 1);
    for (uint64_t i = begin; i < end; i++) atomic_fetch_add(&c->seen[i], 1);
}

static void parallel_visits_every_item_once(void **state) {
    static const uint64_t counts[] = {0, 1, 2, 7, 64, 1000};
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (unsigned threads = 1; threads <= 9; threads += 4)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (uint64_t grain = 1; grain <= 129; grain *= 2) {
                cover c = {
                    .seen = calloc(1001, sizeof(atomic_uint)), .grain = grain, .count = counts[i], .threads = threads};
                ksda_ctx_set_threads(ctx, threads);
                ksda_i_parallel(ctx, c.count, grain, visit, &c);
                assert_int_equal(atomic_load(&c.wrong), 0);
                for (uint64_t j = 0; j <= 1000; j++) assert_int_equal(atomic_load(&c.seen[j]), j < c.count);
                free(c.seen);
            }
    ksda_ctx_set_threads(ctx, 0);
    assert_true(ksda_ctx_threads(ctx) >= 1);
    ksda_ctx_free(ctx);
}

typedef struct aside {
    ksda_ctx *ctx;
    bool until_asked; /* it goes on until somebody asks it to stop */
    unsigned calls;
} aside;

static void work_aside(void *data) {
    aside *a = data;
    while (a->until_asked && !ksda_i_cancelled(a->ctx)) continue;
    a->calls++;
}

static int stop_at_third_report(const ksda_progress *news, void *payload) {
    unsigned *reports = payload;
    (void)news;
    return ++*reports >= 3;
}

/* A task beside the caller's is done exactly once, in whichever thread; one that is not wanted is done once or not at
 * all, and sees that it is not wanted; and who waits for one can be stopped by the progress that is told meanwhile. */
static void one_task_beside_another(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        unsigned reports = 0;
        ksda_ctx *ctx;
        aside a = {.calls = 0};
        ksda_i_beside b;
        assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
        assert_int_equal(ksda_i_ctx_child(ctx, &a.ctx), KSDA_OK);
        ksda_ctx_set_threads(ctx, threads);
        ksda_i_beside_begin(ctx, work_aside, &a, &b);
        assert_int_equal(b.begun, threads > 1);
        ksda_i_beside_finish(ctx, &b, true);
        assert_int_equal(a.calls, 1);
        ksda_i_beside_finish(ctx, &b, true); /* there is none any more */
        assert_int_equal(a.calls, 1);
        a = (aside){a.ctx, threads > 1, 0};
        ksda_i_beside_begin(ctx, work_aside, &a, &b);
        ksda_ctx_cancel(a.ctx);
        ksda_i_beside_finish(ctx, &b, false);
        assert_int_equal(a.calls, threads > 1);
        ksda_ctx_free(a.ctx);
        assert_int_equal(ksda_i_ctx_child(ctx, &a.ctx), KSDA_OK);
        ksda_ctx_set_progress(ctx, stop_at_third_report, &reports);
        ksda_i_beside_begin(ctx, work_aside, &a, &b);
        ksda_i_beside_finish(ctx, &b, true);
        assert_int_equal(reports, threads > 1 ? 3 : 0);
        ksda_ctx_free(a.ctx), ksda_ctx_free(ctx);
    }
}

static void memory_requests_that_overflow_fail(void **state) {
    ksda_ctx *ctx;
    uint64_t capacity = 0, *block = NULL;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_null(ksda_i_malloc(ctx, UINT64_MAX / 2, 16));
    assert_int_equal(ksda_ctx_error(ctx)->status, KSDA_NOMEM);
    assert_null(ksda_i_calloc(ctx, UINT64_MAX / 8 + 2, 8));
    assert_null(ksda_i_realloc(ctx, NULL, UINT64_MAX, 1));
    void *empty = ksda_i_malloc(ctx, 0, 8);
    assert_non_null(empty);
    ksda_i_free(ctx, empty);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(ksda_i_reserve(ctx, &block, &capacity, i + 1, sizeof *block), KSDA_OK);
        block[i] = i;
    }
    for (uint64_t i = 0; i < 1000; i++) assert_int_equal(block[i], i);
    ksda_i_free(ctx, block);
    ksda_ctx_free(ctx);
}

static void errors_carry_their_place(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_ctx_error(ctx)->status, KSDA_OK);
    assert_int_equal(ksda_i_error_at(ctx, KSDA_PARSE, "a.txt", 3, 4, "value %d", 5), KSDA_PARSE);
    const ksda_error *error = ksda_ctx_error(ctx);
    assert_string_equal(error->message, "value 5");
    assert_string_equal(error->source, "a.txt");
    assert_int_equal(error->line, 3);
    assert_int_equal(error->column, 4);
    ksda_i_error(ctx, KSDA_INVALID, "plain");
    assert_null(error->source);
    assert_int_equal(error->line, 0);
    ksda_ctx_free(ctx);
}

static int stop_at_three(const ksda_progress *progress, void *payload) {
    unsigned *calls = payload;
    ++*calls;
    return progress->done >= 3;
}

static void progress_can_stop_the_work(void **state) {
    ksda_ctx *ctx;
    unsigned calls = 0;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_set_progress(ctx, stop_at_three, &calls);
    assert_int_equal(ksda_i_progress(ctx, "one", 1, 9), KSDA_OK);
    assert_int_equal(ksda_i_progress(ctx, "one", 2, 9), KSDA_OK); /* too soon to be told */
    assert_int_equal(calls, 1);
    assert_int_equal(ksda_i_progress(ctx, "two", 3, 9), KSDA_INTERRUPTED); /* a new stage is told at once */
    assert_int_equal(ksda_i_progress(ctx, "two", 4, 9), KSDA_INTERRUPTED); /* and the request stays */
    ksda_ctx_reset_cancel(ctx);
    assert_false(ksda_i_cancelled(ctx));
    ksda_ctx_cancel(ctx);
    assert_int_equal(ksda_i_interrupted(ctx), KSDA_INTERRUPTED);
    ksda_ctx_free(ctx);
}

static void streams_are_repeatable_and_different(void **state) {
    ksda_i_rng a = ksda_i_rng_stream(1, 2, 3), b = ksda_i_rng_stream(1, 2, 3), c = ksda_i_rng_stream(1, 3, 2);
    unsigned same = 0, bucket[10] = {0};
    (void)state;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = ksda_i_rng_next(&a);
        assert_true(x == ksda_i_rng_next(&b));
        same += x == ksda_i_rng_next(&c);
    }
    assert_int_equal(same, 0);
    for (int i = 0; i < 100000; i++) bucket[ksda_i_rng_below(&a, 10)]++;
    double chi2 = 0;
    for (int i = 0; i < 10; i++) chi2 += (bucket[i] - 1e4) * (bucket[i] - 1e4) / 1e4;
    assert_true(chi2 < 33.7); /* nine degrees of freedom: exceeded once in ten thousand seeds, and this seed is fixed */
    for (int i = 0; i < 1000; i++) {
        double u = ksda_i_rng_unit(&a);
        assert_true(u >= 0 && u < 1);
    }
}

static void check_permutation(const uint32_t *p, uint32_t n) {
    unsigned char *seen = calloc(n + 1, 1);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(p[i] < n && !seen[p[i]]);
        seen[p[i]] = 1;
    }
    free(seen);
}

static void permutations_are_permutations(void **state) {
    ksda_ctx *ctx;
    uint32_t p[2000], q[2000];
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint32_t n = 0; n < 2000; n = n * 2 + 1) {
        assert_int_equal(ksda_i_permutation_secure(ctx, n, p), KSDA_OK);
        check_permutation(p, n);
        ksda_i_permutation_seeded(ctx, n, q);
        check_permutation(q, n);
    }
    ksda_i_permutation_seeded(ctx, 2000, p);
    ksda_i_permutation_seeded(ctx, 2000, q);
    assert_memory_equal(p, q, sizeof p);
    ksda_ctx_set_seed(ctx, 2);
    ksda_i_permutation_seeded(ctx, 2000, q);
    assert_memory_not_equal(p, q, sizeof p);
    ksda_ctx_free(ctx);
}

/* All 24 orders of 4 items come equally often. */
static void secure_permutations_are_uniform(void **state) {
    ksda_ctx *ctx;
    unsigned count[256] = {0};
    double chi2 = 0;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (int i = 0; i < 24000; i++) {
        uint32_t p[4];
        assert_int_equal(ksda_i_permutation_secure(ctx, 4, p), KSDA_OK);
        count[p[0] | p[1] << 2 | p[2] << 4 | p[3] << 6]++;
    }
    for (int i = 0; i < 256; i++)
        if (count[i]) chi2 += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000.0;
    assert_true(chi2 < 75); /* 23 degrees of freedom: about one run in four million */
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_visits_every_item_once),    cmocka_unit_test(one_task_beside_another),
        cmocka_unit_test(memory_requests_that_overflow_fail), cmocka_unit_test(errors_carry_their_place),
        cmocka_unit_test(progress_can_stop_the_work),         cmocka_unit_test(streams_are_repeatable_and_different),
        cmocka_unit_test(permutations_are_permutations),      cmocka_unit_test(secure_permutations_are_uniform)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
