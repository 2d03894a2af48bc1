#include "failing_memory.h"
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static bool refuses(failing_memory *m) {
    long call = atomic_fetch_add(&m->calls, 1) + 1, at = atomic_load(&m->fail_at);
    return at > 0 && (m->once ? call == at : call >= at);
}

static void *failing_realloc(void *payload, void *block, size_t size) {
    failing_memory *m = payload;
    if (refuses(m)) return NULL;
    void *bigger = realloc(block, size);
    if (!block && bigger) atomic_fetch_add(&m->blocks, 1);
    return bigger;
}
static void *failing_malloc(void *payload, size_t size) {
    return failing_realloc(payload, NULL, size);
}
static void failing_free(void *payload, void *block) {
    failing_memory *m = payload;
    if (block) atomic_fetch_sub(&m->blocks, 1);
    free(block);
}

ksda_allocator failing_allocator(failing_memory *m) {
    return (ksda_allocator){failing_malloc, failing_realloc, failing_free, m};
}

void assert_survives_failing_memory_with(ksda_status (*work)(ksda_ctx *ctx, const void *payload), const void *payload) {
    ksda_status status = KSDA_NOMEM;
    bool all = times_as_many(1) > 1;
    for (long at = 1; status == KSDA_NOMEM; at += all ? 1 : 1 + at / 500) {
        failing_memory m = {0};
        ksda_allocator allocator = failing_allocator(&m);
        ksda_ctx *ctx;
        assert_int_equal(ksda_ctx_new(&allocator, &ctx), KSDA_OK);
        ksda_ctx_allow_processes(ctx, 1);
        atomic_store(&m.calls, 0);
        atomic_store(&m.fail_at, at);
        status = work(ctx, payload);
        if (status < 0 && (status != KSDA_NOMEM || ksda_ctx_error(ctx)->status != KSDA_NOMEM))
            fail_msg("allocation %ld refused: %s, %s", at, ksda_status_name(status), ksda_ctx_error(ctx)->message);
        ksda_ctx_free(ctx);
        if (atomic_load(&m.blocks) != 0)
            fail_msg("allocation %ld refused: %ld blocks left behind", at, atomic_load(&m.blocks));
    }
}

typedef struct plain_work {
    ksda_status (*work)(ksda_ctx *ctx);
} plain_work;

static ksda_status run_plain(ksda_ctx *ctx, const void *payload) {
    return ((const plain_work *)payload)->work(ctx);
}

void assert_survives_failing_memory(ksda_status (*work)(ksda_ctx *ctx)) {
    const plain_work plain = {work};
    assert_survives_failing_memory_with(run_plain, &plain);
}
