/* cmocka.h, with skipped tests that say so: a program that skipped some of its tests names them, one that skipped all
 * of them ends with 77, which ctest reports as skipped instead of passed. */
#ifndef KSDA_TEST_CMOCKA_H
#define KSDA_TEST_CMOCKA_H

#pragma GCC system_header /* for include_next */
#include_next <cmocka.h>

/* Remember that a test was skipped; `where` is the function that said so. */
void test_skipped(const char *where);
/* The exit code of a program whose group of `count` tests had so many failures. */
int test_exit_code(int failed, unsigned long count);

#undef skip
#define skip() (test_skipped(__func__), _skip(__FILE__, __LINE__))

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    test_exit_code(_cmocka_run_group_tests(#tests, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown),          \
                   sizeof(tests) / sizeof(tests)[0])

#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                                      \
    test_exit_code(_cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown),            \
                   sizeof(tests) / sizeof(tests)[0])

#endif
