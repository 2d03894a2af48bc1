#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct meter {
    atomic_long left, blocks; /* allocations that may still succeed; blocks in use */
} meter;

static void *metered_realloc(void *payload, void *block, size_t size) {
    meter *m = payload;
    if (atomic_fetch_sub(&m->left, 1) <= 0) return NULL;
    void *bigger = realloc(block, size);
    if (!block && bigger) atomic_fetch_add(&m->blocks, 1);
    return bigger;
}
static void *metered_malloc(void *payload, size_t size) {
    return metered_realloc(payload, NULL, size);
}
static void metered_free(void *payload, void *block) {
    meter *m = payload;
    atomic_fetch_sub(&m->blocks, 1);
    free(block);
}

void assert_survives_failing_memory(ksda_status (*work)(ksda_ctx *ctx)) {
    ksda_status status = KSDA_NOMEM;
    for (long allowed = 0; status == KSDA_NOMEM; allowed++) {
        meter m;
        ksda_ctx *ctx;
        ksda_allocator allocator = {metered_malloc, metered_realloc, metered_free, &m};
        atomic_init(&m.left, 1);
        atomic_init(&m.blocks, 0);
        assert_int_equal(ksda_ctx_new(&allocator, &ctx), KSDA_OK);
        atomic_store(&m.left, allowed);
        status = work(ctx);
        if (status < 0 && (status != KSDA_NOMEM || ksda_ctx_error(ctx)->status != KSDA_NOMEM))
            fail_msg("after %ld allocations: %s, %s", allowed, ksda_status_name(status), ksda_ctx_error(ctx)->message);
        ksda_ctx_free(ctx);
        if (atomic_load(&m.blocks) != 0)
            fail_msg("after %ld allocations: %ld blocks left behind", allowed, atomic_load(&m.blocks));
    }
}
