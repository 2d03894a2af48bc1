/* Matrix Market coordinate files. */
#include "format_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define ROW (&ksda_i_format_mtx)
#define PATTERN "%%MatrixMarket matrix coordinate pattern symmetric\n"

static void round_trips(void **state) {
    (void)state;
    assert_round_trips(ROW, 1000, true);
}

static void all_kinds_are_one_graph(void **state) {
    static const char *const same[] = {
        PATTERN "4 4 3\n2 1\n3 1\n4 3\n",
        "%%matrixmarket MATRIX Coordinate Real General\n% c\n\n4 4 3\n1 2 0.5\n%c\n1 3 -1e-3\n\n3 4 2\n\n",
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n4 4 3\n2 1 -5\n3 1 +7\n4 3 0\n",
        "%%MatrixMarket matrix coordinate complex hermitian\r\n4 4 3\r\n2 1 1 2\r\n3 1 1 -2.5\r\n4 3 .5 1.\r\n",
        "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n2\t1\n 3 1 \n4 3",
    };
    (void)state;
    ksda_i_read first, r;
    assert_int_equal(read_text(check_ctx, ROW, same[0], strlen(same[0]), NULL, &first), KSDA_OK);
    assert_true(first.closed);
    assert_int_equal(ksda_graph_vertices(first.graph), 4);
    assert_int_equal(ksda_graph_find(first.graph, "4", 1), 3);
    assert_true(ksda_graph_adjacent(first.graph, 2, 3));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (read_text(check_ctx, ROW, same[i], strlen(same[i]), NULL, &r) < 0)
            fail_msg("%s", ksda_ctx_error(check_ctx)->message);
        assert_true(same_graph(first.graph, r.graph, false));
        ksda_i_read_clear(check_ctx, &r);
    }
    ksda_i_read_clear(check_ctx, &first);
}

static void repetitions_and_the_diagonal_are_counted(void **state) {
    static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n5 5 5\n1 2\n2 1\n1 2\n3 3\n4 5\n";
    ksda_i_read r;
    (void)state;
    assert_int_equal(read_text(check_ctx, ROW, text, sizeof text - 1, NULL, &r), KSDA_OK);
    assert_int_equal(ksda_graph_edges(r.graph), 2);
    assert_int_equal(ksda_graph_vertices(r.graph), 5);
    assert_int_equal(ksda_graph_cleaning(r.graph)->input_edges, 5);
    assert_int_equal(ksda_graph_cleaning(r.graph)->self_loops, 1);
    assert_int_equal(ksda_graph_cleaning(r.graph)->duplicate_edges, 2);
    ksda_i_read_clear(check_ctx, &r);
}

static void lies_are_told_with_their_place(void **state) {
    static const bad_text bad[] = {
        {"", 1, 1, "must begin with %%MatrixMarket, not the end of the file"},
        {"1 2\n", 1, 1, "not '1'"},
        {"%%MatrixMarket vector coordinate real general\n", 1, 16, "expected 'matrix', not 'vector'"},
        {"%%MatrixMarket matrix array real general\n2 2\n", 1, 23, "a dense matrix (array)"},
        {"%%MatrixMarket matrix list real general\n", 1, 23, "expected 'coordinate', not 'list'"},
        {"%%MatrixMarket matrix coordinate quaternion general\n", 1, 34, "not 'quaternion'"},
        {"%%MatrixMarket matrix coordinate real\n", 1, 38, "not the end of the line"},
        {"%%MatrixMarket matrix coordinate real odd\n", 1, 39, "not 'odd'"},
        {PATTERN, 2, 1, "expected the number of rows, not the end of the file"},
        {PATTERN "3 x 1\n", 2, 3, "expected the number of columns, not 'x'"},
        {PATTERN "3 3\n", 2, 4, "expected the number of entries, not the end of the line"},
        {PATTERN "3 4 1\n1 2\n", 2, 3, "3 rows but 4 columns"},
        {PATTERN "3 3 1 1\n1 2\n", 2, 7, "expected the end of the line, not '1'"},
        {PATTERN "4294967295 4294967295 1\n1 2\n", 2, 1, "announces 4294967295 vertices; at most 4294967294"},
        {PATTERN "4294967294 4294967294 1\n1 2\n", 2, 1, "4294967294 vertices but only 1 entries"},
        {PATTERN "3 3 2\n2 1\n", 4, 1, "announces 2 entries, but there are only 1"},
        {PATTERN "3 3 9999999999999\n2 1\n", 4, 1, "but there are only 1"},
        {PATTERN "3 3 1\n2 1\n3 1\n", 4, 1, "announces 1 entries, but more follow"},
        {PATTERN "3 3 1\n4 1\n", 3, 1, "a row number from 1 to 3, not '4'"},
        {PATTERN "3 3 1\n1 0\n", 3, 3, "a column number from 1 to 3, not '0'"},
        {PATTERN "3 3 1\n1\n", 3, 2, "a column number from 1 to 3, not the end of the line"},
        {PATTERN "3 3 1\n1 2 1.0\n", 3, 5, "expected the end of the line, not '1.0'"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n", 3, 4, "expected the entry's value"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x\n", 3, 5, "expected the entry's value, not 'x'"},
        {"%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 1\n", 3, 6, "expected the entry's value"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_refused(ROW, NULL, KSDA_PARSE, &bad[i]);
    assert_refused(ROW, "x", KSDA_UNSUPPORTED, &(bad_text){PATTERN "1 1 0\n", 0, 0, "no vertex attributes"});
}

static void it_tells_itself_by_its_banner(void **state) {
    (void)state;
    assert_true(ROW->sniff(PATTERN, sizeof PATTERN - 1));
    assert_false(ROW->sniff("% MatrixMarket", 14));
    assert_false(ROW->sniff("", 0));
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_survives_failing_allocations(ROW, PATTERN "4 4 4\n2 1\n3 1\n4 3\n1 4\n", NULL);
}

static void it_can_be_interrupted(void **state) {
    (void)state;
    assert_interruptible(ROW, PATTERN "2 2 1\n2 1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(all_kinds_are_one_graph),
        cmocka_unit_test(repetitions_and_the_diagonal_are_counted),
        cmocka_unit_test(lies_are_told_with_their_place),
        cmocka_unit_test(it_tells_itself_by_its_banner),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
