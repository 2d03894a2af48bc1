/* The context: one object carries what every call needs, so that the library has no global state
 * but a lock: see ksda_i_fork(). */
#include "core/ctx.h"

#include "core/random.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define REPORT_INTERVAL 0.1 /* seconds between two calls of the progress callback */

static void *default_malloc(void *payload, size_t size) {
    (void)payload;
    return malloc(size);
}
static void *default_realloc(void *payload, void *block, size_t size) {
    (void)payload;
    return realloc(block, size);
}
static void default_free(void *payload, void *block) {
    (void)payload;
    free(block);
}

double ksda_i_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *ksda_version(void) {
    return KSDA_VERSION_STRING;
}

ksda_status ksda_ctx_new(const ksda_allocator *allocator, ksda_ctx **out) {
    static const ksda_allocator standard = {default_malloc, default_realloc, default_free, NULL};
    if (!allocator) allocator = &standard;
    *out = NULL;
    ksda_i_allocator_enter();
    ksda_ctx *ctx = allocator->malloc_fn(allocator->payload, sizeof *ctx);
    ksda_i_allocator_leave();
    if (!ctx) return KSDA_NOMEM;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = *allocator;
    ctx->threads = 1;
    ctx->seed = 1;
    ksda_i_hash_key_draw(&ctx->hash_key);
    ctx->error.message = ctx->message;
    atomic_init(&ctx->cancelled, 0);
    atomic_init(&ctx->finishing, 0);
    atomic_init(&ctx->work, 0);
    atomic_init(&ctx->solver_failures, 0);
    ctx->work_end = UINT64_MAX;
    pthread_mutex_init(&ctx->error_lock, NULL);
    *out = ctx;
    return KSDA_OK;
}

ksda_status ksda_i_ctx_child(ksda_ctx *parent, ksda_ctx **out) {
    ksda_status status = ksda_ctx_new(&parent->allocator, out);
    if (status < 0) return status;
    (*out)->seed = parent->seed;
    (*out)->deadline = parent->deadline;
    (*out)->clock = parent->clock;
    (*out)->processes = parent->processes;
    (*out)->end = parent->end;
    (*out)->parent = parent;
    return KSDA_OK;
}

void ksda_ctx_free(ksda_ctx *ctx) {
    if (!ctx) return;
    pthread_mutex_destroy(&ctx->error_lock);
    ksda_i_free(ctx, ctx);
}

void ksda_ctx_set_threads(ksda_ctx *ctx, unsigned threads) {
    if (threads == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores > 0 ? (unsigned)cores : 1;
    }
    ctx->threads = threads > 1024 ? 1024 : threads;
}

unsigned ksda_ctx_threads(const ksda_ctx *ctx) {
    return ctx->threads;
}

void ksda_ctx_set_seed(ksda_ctx *ctx, uint64_t seed) {
    ctx->seed = seed;
}

uint64_t ksda_ctx_seed(const ksda_ctx *ctx) {
    return ctx->seed;
}

void ksda_ctx_allow_processes(ksda_ctx *ctx, int allowed) {
    ctx->processes = allowed != 0;
}

void ksda_i_solver_failed(ksda_ctx *ctx) {
    for (; ctx; ctx = ctx->parent) atomic_fetch_add(&ctx->solver_failures, 1);
}

unsigned ksda_ctx_solver_failures(const ksda_ctx *ctx) {
    return atomic_load(&ctx->solver_failures);
}

static double limit_clock(const ksda_ctx *ctx) {
    return ksda_i_now() + (ctx->clock ? atomic_load(&ctx->clock->ahead) : 0);
}

void ksda_ctx_set_time_limit(ksda_ctx *ctx, double seconds) {
    ctx->deadline = seconds > 0 ? limit_clock(ctx) + seconds : 0;
}

void ksda_ctx_set_deadline(ksda_ctx *ctx, double seconds) {
    ctx->end = seconds > 0 ? ksda_i_now() + seconds : 0;
}

double ksda_i_time_left(const ksda_ctx *ctx) {
    if (!(ctx->deadline > 0)) return INFINITY;
    double left = ctx->deadline - limit_clock(ctx);
    if (!ctx->clock || atomic_fetch_add(&ctx->clock->looks, 1) + 1 != ctx->clock->strike) return left;
    atomic_store(&ctx->clock->ahead, atomic_load(&ctx->clock->ahead) + left + 1000);
    return -1000;
}

double ksda_i_limit_part(ksda_ctx *ctx, double seconds) {
    double before = ctx->deadline, at = limit_clock(ctx) + seconds;
    if (seconds < INFINITY && !(before > 0 && before < at)) ctx->deadline = at;
    return before;
}

/* The coarse clock is that of ksda_i_now(), a few milliseconds late and several times cheaper. */
bool ksda_i_over(const ksda_ctx *ctx) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec >= ctx->end;
}

void ksda_ctx_set_progress(ksda_ctx *ctx, ksda_progress_fn fn, void *payload) {
    ctx->progress = fn;
    ctx->progress_payload = payload;
}

void ksda_ctx_cancel(ksda_ctx *ctx) {
    atomic_store_explicit(&ctx->cancelled, 1, memory_order_relaxed);
}

void ksda_ctx_finish(ksda_ctx *ctx) {
    atomic_store_explicit(&ctx->finishing, 1, memory_order_relaxed);
}

void ksda_ctx_reset_cancel(ksda_ctx *ctx) {
    atomic_store_explicit(&ctx->cancelled, 0, memory_order_relaxed);
    atomic_store_explicit(&ctx->finishing, 0, memory_order_relaxed);
}

const ksda_error *ksda_ctx_error(const ksda_ctx *ctx) {
    return &ctx->error;
}

void ksda_free(ksda_ctx *ctx, void *block) {
    ksda_i_free(ctx, block);
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

/* Read by threads that allocate, written by one that forks: the child has the allocator as it was in that moment. The
 * C library's recovers from a thread that was inside it; a caller's own, and those of sanitizers, wait for ever. */
static pthread_rwlock_t allocator_at_rest = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void ksda_i_allocator_enter(void) {
    pthread_rwlock_rdlock(&allocator_at_rest);
}
void ksda_i_allocator_leave(void) {
    pthread_rwlock_unlock(&allocator_at_rest);
}

pid_t ksda_i_fork(void) {
    static const pthread_rwlock_t fresh = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    pthread_rwlock_wrlock(&allocator_at_rest);
    pid_t pid = fork();
    if (pid == 0)
        allocator_at_rest = fresh; /* other threads may have waited for it, and are not here */
    else
        ksda_i_allocator_leave();
    return pid;
}

static bool product(uint64_t count, size_t size, size_t *bytes) {
    return !__builtin_mul_overflow(count, size, bytes) && *bytes <= PTRDIFF_MAX;
}

static void out_of_memory(ksda_ctx *ctx, uint64_t count, size_t size) {
    ksda_i_error(ctx, KSDA_NOMEM, "out of memory: %llu objects of %zu bytes could not be had",
                 (unsigned long long)count, size);
}

void *ksda_i_malloc(ksda_ctx *ctx, uint64_t count, size_t size) {
    size_t bytes;
    void *block = NULL;
    ksda_i_allocator_enter();
    if (product(count, size, &bytes)) block = ctx->allocator.malloc_fn(ctx->allocator.payload, bytes ? bytes : 1);
    ksda_i_allocator_leave();
    if (!block) out_of_memory(ctx, count, size);
    return block;
}

void *ksda_i_calloc(ksda_ctx *ctx, uint64_t count, size_t size) {
    void *block;
    size_t bytes;
    if (ctx->allocator.malloc_fn == default_malloc && product(count, size, &bytes)) {
        ksda_i_allocator_enter();
        block = calloc(bytes ? bytes : 1, 1); /* fresh pages need no clearing */
        ksda_i_allocator_leave();
        if (!block) out_of_memory(ctx, count, size);
        return block;
    }
    block = ksda_i_malloc(ctx, count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

void *ksda_i_realloc(ksda_ctx *ctx, void *block, uint64_t count, size_t size) {
    size_t bytes;
    void *bigger = NULL;
    ksda_i_allocator_enter();
    if (product(count, size, &bytes))
        bigger = ctx->allocator.realloc_fn(ctx->allocator.payload, block, bytes ? bytes : 1);
    ksda_i_allocator_leave();
    if (!bigger) out_of_memory(ctx, count, size);
    return bigger;
}

void ksda_i_free(ksda_ctx *ctx, void *block) {
    if (!block) return;
    ksda_allocator allocator = ctx->allocator; /* the block may be the context */
    ksda_i_allocator_enter();
    allocator.free_fn(allocator.payload, block);
    ksda_i_allocator_leave();
}

ksda_status ksda_i_reserve(ksda_ctx *ctx, void *block_pointer, uint64_t *capacity, uint64_t need, size_t size) {
    if (need <= *capacity) return KSDA_OK;
    uint64_t wanted = *capacity + *capacity / 2 + 16;
    if (wanted < need) wanted = need;
    void *block;
    memcpy(&block, block_pointer, sizeof block); /* a T** seen as void**, without breaking aliasing rules */
    block = ksda_i_realloc(ctx, block, wanted, size);
    if (!block) return KSDA_NOMEM;
    memcpy(block_pointer, &block, sizeof block);
    *capacity = wanted;
    return KSDA_OK;
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

static ksda_status set_error(ksda_ctx *ctx, ksda_status status, const char *source, uint64_t line, uint64_t column,
                             const char *format, va_list arguments) {
    pthread_mutex_lock(&ctx->error_lock);
    ctx->error.status = status;
    vsnprintf(ctx->message, sizeof ctx->message, format, arguments);
    ctx->error.source = NULL;
    if (source) {
        snprintf(ctx->source, sizeof ctx->source, "%s", source);
        ctx->error.source = ctx->source;
    }
    ctx->error.line = line;
    ctx->error.column = column;
    pthread_mutex_unlock(&ctx->error_lock);
    return status;
}

ksda_status ksda_i_error(ksda_ctx *ctx, ksda_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(ctx, status, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

ksda_status ksda_i_error_at(ksda_ctx *ctx, ksda_status status, const char *source, uint64_t line, uint64_t column,
                            const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(ctx, status, source, line, column, format, arguments);
    va_end(arguments);
    return status;
}

/* --- progress ---------------------------------------------------------------------------------------------------- */

static ksda_status report(ksda_ctx *ctx, const ksda_progress *news) {
    if (ctx->progress) {
        double now = ksda_i_now();
        bool new_stage = ctx->stage == NULL || strcmp(ctx->stage, news->stage) != 0;
        if (new_stage) {
            ctx->stage = news->stage;
            ctx->stage_start = now;
        }
        if (new_stage || now - ctx->last_report >= REPORT_INTERVAL || (news->total && news->done == news->total)) {
            ksda_progress full = *news;
            full.seconds = now - ctx->stage_start;
            ctx->last_report = now;
            if (ctx->progress(&full, ctx->progress_payload) != 0) ksda_ctx_cancel(ctx);
        }
    }
    return ksda_i_interrupted(ctx);
}

/* Who asks the child to stop asks its parent. */
static int tell_parent(const ksda_progress *news, void *parent) {
    return report(parent, news) < 0;
}

void ksda_i_ctx_speak_for_parent(ksda_ctx *child) {
    child->progress = tell_parent, child->progress_payload = child->parent;
    child->driver_stage = child->parent->driver_stage;
}

static const char *stage_name(const ksda_ctx *ctx, const char *stage) {
    return ctx->driver_stage ? ctx->driver_stage : stage;
}

ksda_status ksda_i_progress(ksda_ctx *ctx, const char *stage, uint64_t done, uint64_t total) {
    ksda_progress news = {stage_name(ctx, stage), done, total, 0, NAN, NAN};
    return report(ctx, &news);
}

ksda_status ksda_i_progress_stage(ksda_ctx *ctx, uint64_t done, uint64_t total) {
    return ksda_i_progress(ctx, "planning", done, total);
}

ksda_status ksda_i_progress_solver(ksda_ctx *ctx, const char *stage, double incumbent, double bound) {
    ksda_progress news = {stage_name(ctx, stage), 0, 0, 0, incumbent, bound};
    return report(ctx, &news);
}

ksda_status ksda_i_interrupted(ksda_ctx *ctx) {
    if (ksda_i_asked(ctx)) return ksda_i_error(ctx, KSDA_INTERRUPTED, "interrupted");
    if (ctx->end > 0 && ksda_i_over(ctx)) return ksda_i_error(ctx, KSDA_TIMEOUT, "the time limit is over");
    return KSDA_OK;
}

static bool cancelled_at_once(const ksda_ctx *ctx) {
    return atomic_load_explicit(&ctx->cancelled, memory_order_relaxed) != 0 ||
           (ctx->parent && cancelled_at_once(ctx->parent));
}

bool ksda_i_cut_short(const ksda_ctx *ctx, ksda_status status) {
    return status == KSDA_TIMEOUT || (status == KSDA_INTERRUPTED && !cancelled_at_once(ctx));
}
