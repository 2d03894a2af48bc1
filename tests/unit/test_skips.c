/* A skipped test is not a passed one: the exit code tells ctest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void is_skipped(void **state) {
    (void)state;
    skip();
}

static void passes(void **state) {
    (void)state;
}

static void fails(void **state) {
    (void)state;
    fail();
}

static int expect(int code, int expected, const char *what) {
    if (code == expected) return 0;
    fprintf(stderr, "%s: exit code %d instead of %d\n", what, code, expected);
    return 1;
}

int main(void) {
    const struct CMUnitTest all[] = {cmocka_unit_test(is_skipped), cmocka_unit_test(is_skipped)};
    const struct CMUnitTest some[] = {cmocka_unit_test(is_skipped), cmocka_unit_test(passes)};
    const struct CMUnitTest none[] = {cmocka_unit_test(passes)};
    const struct CMUnitTest broken[] = {cmocka_unit_test(is_skipped), cmocka_unit_test(fails)};
    cmocka_set_message_output(CM_OUTPUT_TAP); /* no FAILED in the log of a test that passes */
    int wrong = expect(cmocka_run_group_tests(all, NULL, NULL), 77, "all are skipped");
    wrong += expect(cmocka_run_group_tests(some, NULL, NULL), 0, "some are skipped");
    wrong += expect(cmocka_run_group_tests(none, NULL, NULL), 0, "none is skipped");
    wrong += expect(cmocka_run_group_tests(broken, NULL, NULL), 1, "one fails");
    return wrong;
}
