/* A parallel loop over plain threads. Threads are started for each loop: some 20 microseconds, small against the loops
 * here, and nothing lives between calls, so there is no pool to own, to fork with or to shut down. */
#include "core/parallel.h"

#include <time.h>

#define MAX_THREADS 1024
#define LOOK 100 /* milliseconds between two looks while a task is waited for */

typedef struct loop {
    uint64_t count, grain;
    ksda_i_range_fn fn;
    void *data;
    atomic_uint_fast64_t next; /* first item nobody has taken */
} loop;

typedef struct worker {
    loop *shared;
    unsigned thread;
    pthread_t handle;
} worker;

static void work_off(loop *l, unsigned thread) {
    for (;;) {
        uint64_t begin = atomic_fetch_add_explicit(&l->next, l->grain, memory_order_relaxed);
        if (begin >= l->count) return;
        uint64_t end = l->count - begin < l->grain ? l->count : begin + l->grain;
        l->fn(l->data, begin, end, thread);
    }
}

static void *run_worker(void *argument) {
    worker *w = argument;
    work_off(w->shared, w->thread);
    return NULL;
}

void ksda_i_parallel(ksda_ctx *ctx, uint64_t count, uint64_t grain, ksda_i_range_fn fn, void *data) {
    if (grain == 0) grain = 1;
    uint64_t ranges = count / grain + (count % grain != 0);
    unsigned threads = ctx->threads < ranges ? ctx->threads : (unsigned)ranges;
    loop shared = {.count = count, .grain = grain, .fn = fn, .data = data};
    atomic_init(&shared.next, 0);
    worker workers[MAX_THREADS];
    unsigned started = 0;
    for (unsigned t = 1; t < threads; t++) {
        workers[started] = (worker){.shared = &shared, .thread = t};
        if (pthread_create(&workers[started].handle, NULL, run_worker, &workers[started]) != 0) break;
        started++;
    }
    work_off(&shared, 0);
    for (unsigned t = 0; t < started; t++) pthread_join(workers[t].handle, NULL);
}

/* --- one task beside the caller's --------------------------------------------------------------------------------- */

static void *run_beside(void *argument) {
    ksda_i_beside *b = argument;
    b->run(b->data);
    pthread_mutex_lock(&b->lock);
    b->done = true;
    pthread_cond_signal(&b->ended);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

void ksda_i_beside_begin(ksda_ctx *ctx, void (*run)(void *data), void *data, ksda_i_beside *out) {
    *out = (ksda_i_beside){.run = run, .data = data};
    if (ctx->threads == 1) return;
    pthread_mutex_init(&out->lock, NULL), pthread_cond_init(&out->ended, NULL);
    out->begun = pthread_create(&out->handle, NULL, run_beside, out) == 0;
    if (!out->begun) pthread_mutex_destroy(&out->lock), pthread_cond_destroy(&out->ended);
}

/* The caller may be asked to stop meanwhile; the task's context sees that as well, and it ends. */
static void wait_with_progress(ksda_ctx *ctx, ksda_i_beside *b) {
    pthread_mutex_lock(&b->lock);
    while (!b->done && ksda_i_progress_stage(ctx, 0, 0) >= 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK * 1000 * 1000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&b->ended, &b->lock, &until);
    }
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->handle, NULL);
}

void ksda_i_beside_finish(ksda_ctx *ctx, ksda_i_beside *b, bool wanted) {
    if (b->begun) {
        wait_with_progress(ctx, b);
        pthread_mutex_destroy(&b->lock), pthread_cond_destroy(&b->ended);
    } else if (b->run && wanted) {
        b->run(b->data);
    }
    *b = (ksda_i_beside){.run = NULL};
}
