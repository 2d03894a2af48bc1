/* Rows that ask for less take what is cheaper from rows that ask for more, and nothing else of them. */
#include "context.h"

#include "report/advice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    MOST = 6
};

static void make(ksda_i_point *p, uint32_t k, ksda_status status, double cost) {
    ksda_i_point_init(p, ksda_methods(&(size_t){0}), k);
    p->done = 1;
    p->status = status;
    p->seconds = k;
    p->result.cost = status < 0 ? 0 : cost;
    p->result.added_edges = (uint64_t)p->result.cost;
    p->result.lower_bound = k;
}

/* The slow way: the cheapest of the row itself and all behind it, the first of equals. */
static const ksda_i_point *cheapest(const ksda_i_point *point, uint32_t i, uint32_t count) {
    const ksda_i_point *best = point[i].status >= 0 ? &point[i] : NULL;
    for (uint32_t j = i + 1; j < count; j++)
        if (point[j].status >= 0 && point[j].done && (!best || point[j].result.cost < best->result.cost))
            best = &point[j];
    return best;
}

static void no_row_is_dearer_than_one_that_asks_for_more(void **state) {
    (void)state;
    static const ksda_status outcomes[] = {KSDA_OK, KSDA_LIMIT, KSDA_NOT_FOUND, KSDA_INFEASIBLE};
    srand(7);
    for (int round = 0; round < 3000; round++) {
        ksda_i_point before[MOST], after[MOST];
        uint32_t count = 1 + (uint32_t)(rand() % MOST);
        for (uint32_t i = 0; i < count; i++) {
            make(&before[i], 2 + i, outcomes[rand() % 6 < 4 ? 0 : rand() % 4], 1 + rand() % 5);
            before[i].done = rand() % 8 > 0;
            after[i] = before[i];
        }
        ksda_i_advice_take(&(ksda_i_sweep){.point = after, .count = count});
        for (uint32_t i = 0; i < count; i++) {
            const ksda_i_point *best = cheapest(before, i, count);
            if (!before[i].done || before[i].status == KSDA_INFEASIBLE || !best || best == &before[i]) {
                assert_null(after[i].taken_from);
                assert_int_equal(after[i].status, before[i].status);
                continue;
            }
            assert_ptr_equal(after[i].taken_from, &after[best - before]);
            assert_true(after[i].result.cost == best->result.cost && after[i].status == best->status);
            assert_int_equal(after[i].k, before[i].k);
            assert_true(after[i].seconds == before[i].seconds);
            assert_true(before[i].status < 0 ? isnan(after[i].result.lower_bound)
                                             : after[i].result.lower_bound == before[i].result.lower_bound);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_row_is_dearer_than_one_that_asks_for_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
