/* A parallel loop over plain threads. Threads are started for each loop: some 20 microseconds, small against the loops
 * here, and nothing lives between calls, so there is no pool to own, to fork with or to shut down. */
#include "core/parallel.h"

#define MAX_THREADS 1024

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
