#include "context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

ksda_ctx *check_ctx;

ksda_ctx *new_ctx(void) {
    ksda_ctx *ctx;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_allow_processes(ctx, 1);
    return ctx;
}

int make_ctx(void **state) {
    if (ksda_ctx_new(NULL, &check_ctx) != KSDA_OK) return -1;
    ksda_ctx_allow_processes(check_ctx, 1);
    *state = check_ctx;
    return 0;
}

int free_ctx(void **state) {
    ksda_ctx_free(*state);
    check_ctx = NULL;
    return 0;
}
