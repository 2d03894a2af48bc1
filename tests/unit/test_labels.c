/* Narrow labels against those that they were made of. */
#include "graph/labels.h"

#include "context.h"
#include "core/random.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    VERTICES = 3000,
    ROW = 100
};

/* With the largest labels that one, two and four bytes hold, and the smallest that they do not. */
static void rows_are_counted_as_before(void **state) {
    static const uint32_t largest[] = {0, 3, 255, 256, 65535, 65536, UINT32_MAX};
    static const uint32_t bytes[] = {1, 1, 1, 2, 2, 4, 4};
    uint32_t of[VERTICES], row[ROW];
    ksda_i_rng rng = ksda_i_rng_stream(1, 2, 3);
    ksda_i_labels labels;
    (void)state;
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
        for (uint32_t v = 0; v < VERTICES; v++)
            of[v] = v % 2 && largest[i] >= 3 ? largest[i] - v % 3 : v % 5 & largest[i];
        of[7] = largest[i];
        assert_int_equal(ksda_i_labels_new(check_ctx, VERTICES, of, &labels), KSDA_OK);
        assert_int_equal(labels.bytes, bytes[i]);
        for (uint32_t v = 0; v < VERTICES; v++) {
            uint32_t inside = 0;
            for (uint32_t j = 0; j < ROW; j++) {
                row[j] = (uint32_t)ksda_i_rng_below(&rng, VERTICES);
                inside += of[row[j]] == of[v];
            }
            assert_int_equal(ksda_i_labels_get(&labels, v), of[v]);
            assert_int_equal(ksda_i_labels_inside(&labels, row, ROW, of[v]), inside);
        }
        ksda_i_labels_clear(check_ctx, &labels);
    }
}

static ksda_status label_some(ksda_ctx *ctx) {
    static const uint32_t of[] = {3, 900, 0, 3};
    ksda_i_labels labels;
    ksda_status status = ksda_i_labels_new(ctx, 4, of, &labels);
    ksda_i_labels_clear(ctx, &labels);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    assert_survives_failing_memory(label_some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_counted_as_before),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
