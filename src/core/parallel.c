/* A parallel loop over plain threads. Threads are started for each loop: some 20 microseconds, small against the loops
 * here, and nothing lives between calls, so there is no pool to own, to fork with or to shut down.
 *
 * A thread that begins or ends has memory of its own, so no other thread may fork meanwhile: see ksda_i_fork(). */
#include "core/parallel.h"

#include <semaphore.h>
#include <time.h>

#define MAX_THREADS 1024
#define LOOK 100 /* milliseconds between two looks while a task is waited for */

/* Do threads enter the allocator before their first line and behind their last one? The C library's has handlers for
 * fork(); a sanitizer's would be copied with its locks held. */
#if defined(__SANITIZE_ADDRESS__)
#define THREADS_ALLOCATE true
#elif defined(__has_feature)
#define THREADS_ALLOCATE __has_feature(address_sanitizer)
#else
#define THREADS_ALLOCATE false
#endif

typedef struct loop {
    uint64_t count, grain;
    ksda_i_range_fn fn;
    void *data;
    atomic_uint_fast64_t next; /* first item nobody has taken */
    pthread_mutex_t lock;
    pthread_cond_t turn;
    unsigned finished; /* threads besides the caller's that have done all, */
    bool may_end;      /* and whether they may end */
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

typedef struct beginning {
    void *(*run)(void *argument);
    void *argument;
    sem_t at_first_line;
} beginning;

static void *first_line(void *data) {
    beginning *b = data;
    void *(*run)(void *argument) = b->run, *argument = b->argument;
    sem_post(&b->at_first_line); /* *b is gone from here on */
    return run(argument);
}

/* pthread_create(), and until the thread is at its first line where it allocates before. */
static bool begin_thread(pthread_t *handle, void *(*run)(void *argument), void *argument) {
    beginning b = {.run = run, .argument = argument};
    if (THREADS_ALLOCATE) sem_init(&b.at_first_line, 0, 0);
    ksda_i_allocator_enter();
    bool begun =
        pthread_create(handle, NULL, THREADS_ALLOCATE ? first_line : run, THREADS_ALLOCATE ? &b : argument) == 0;
    while (THREADS_ALLOCATE && begun && sem_wait(&b.at_first_line) != 0) continue; /* a signal came */
    ksda_i_allocator_leave();
    if (THREADS_ALLOCATE) sem_destroy(&b.at_first_line);
    return begun;
}

static void wait_to_end(loop *l) {
    pthread_mutex_lock(&l->lock);
    l->finished++;
    pthread_cond_broadcast(&l->turn);
    while (!l->may_end) pthread_cond_wait(&l->turn, &l->lock);
    pthread_mutex_unlock(&l->lock);
}

static void *run_worker(void *argument) {
    worker *w = argument;
    work_off(w->shared, w->thread);
    if (THREADS_ALLOCATE) wait_to_end(w->shared);
    return NULL;
}

/* Those that still work may fork, and would wait for those that end, and these for their turn to be joined: so all end
 * together. */
static void let_them_end(loop *l, unsigned started) {
    pthread_mutex_lock(&l->lock);
    while (l->finished < started) pthread_cond_wait(&l->turn, &l->lock);
    ksda_i_allocator_enter();
    l->may_end = true;
    pthread_cond_broadcast(&l->turn);
    pthread_mutex_unlock(&l->lock);
}

void ksda_i_parallel(ksda_ctx *ctx, uint64_t count, uint64_t grain, ksda_i_range_fn fn, void *data) {
    if (grain == 0) grain = 1;
    uint64_t ranges = count / grain + (count % grain != 0);
    unsigned threads = ctx->threads < ranges ? ctx->threads : (unsigned)ranges;
    loop shared = {.count = count,
                   .grain = grain,
                   .fn = fn,
                   .data = data,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .turn = PTHREAD_COND_INITIALIZER};
    atomic_init(&shared.next, 0);
    worker workers[MAX_THREADS];
    unsigned started = 0;
    for (unsigned t = 1; t < threads; t++) {
        workers[started] = (worker){.shared = &shared, .thread = t};
        if (!begin_thread(&workers[started].handle, run_worker, &workers[started])) break;
        started++;
    }
    work_off(&shared, 0);
    if (THREADS_ALLOCATE) let_them_end(&shared, started);
    for (unsigned t = 0; t < started; t++) pthread_join(workers[t].handle, NULL);
    if (THREADS_ALLOCATE) ksda_i_allocator_leave();
}

/* --- one task beside the caller's --------------------------------------------------------------------------------- */

static void *run_beside(void *argument) {
    ksda_i_beside *b = argument;
    b->run(b->data);
    pthread_mutex_lock(&b->lock);
    b->done = true;
    pthread_cond_broadcast(&b->ended);
    while (!b->may_end) pthread_cond_wait(&b->ended, &b->lock);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

void ksda_i_beside_begin(ksda_ctx *ctx, void (*run)(void *data), void *data, ksda_i_beside *out) {
    *out = (ksda_i_beside){.run = run, .data = data};
    if (ctx->threads == 1) return;
    pthread_mutex_init(&out->lock, NULL), pthread_cond_init(&out->ended, NULL);
    out->begun = begin_thread(&out->handle, run_beside, out);
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
    while (!b->done) pthread_cond_wait(&b->ended, &b->lock);
    ksda_i_allocator_enter();
    b->may_end = true;
    pthread_cond_broadcast(&b->ended);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->handle, NULL);
    ksda_i_allocator_leave();
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
