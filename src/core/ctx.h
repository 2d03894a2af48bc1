/* ctx.h: the context from inside: allocation, errors, progress, cancellation. */
#ifndef KSDA_I_CTX_H
#define KSDA_I_CTX_H

#include "core/hash.h"

#include <ksda/base.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

/* For tests: the time limit passes at the N-th look at it, so that every place where it can strike is tried in turn. */
typedef struct ksda_i_test_clock {
    atomic_ullong looks;
    unsigned long long strike;
    _Atomic double ahead; /* of ksda_i_now(), in seconds */
} ksda_i_test_clock;

struct ksda_ctx {
    ksda_allocator allocator;
    unsigned threads;
    uint64_t seed;
    ksda_i_hash_key hash_key; /* of this context: secret and random, and no result depends on it */
    double deadline;          /* on the clock of ksda_i_now(), 0 for none: from then on nothing is improved */
    double end;               /* on the same clock, 0 for none: from then on nothing is done */
    ksda_i_test_clock *clock; /* NULL outside tests */
    ksda_progress_fn progress;
    void *progress_payload;
    const char *driver_stage; /* what a driver of stages has under way, NULL for none; see ksda_i_stage_begin() */
    const char *stage;        /* of the last report */
    double stage_start;
    double last_report;
    atomic_int cancelled;
    atomic_int finishing;        /* asked to hand over what there is */
    _Atomic uint64_t work;       /* see ksda_i_work() */
    uint64_t work_end;           /* see ksda_i_work_begin() */
    int processes;               /* whether solvers may have a process of their own */
    atomic_uint solver_failures; /* linear programs whose solver ended without an answer */
    int lean;                    /* above 0: releases never in full, below: always; see ksda_i_release_is_lean() */
    struct ksda_ctx *parent;     /* whose cancellation holds here as well; NULL for none */
    const struct ksda_i_peers *company; /* the processes that networks are shared with; NULL for none: graph/peers.h */
    const struct ksda_i_peers *peers;   /* the same while all of them read together, else NULL */
    struct ksda_i_gathering *gathering; /* NULL, or files are read as one network: io/parts.h */
    uint32_t expected;                  /* not 0: vertices 0, 1, ... are so many, whether they all occur or not */
    bool halves;                        /* of networks that they read, each edge at one end: see rows in peers.h */
    bool recounts;                      /* see ksda_i_publication_recounted() */
    pthread_mutex_t error_lock;         /* errors may come from any thread of a parallel loop */
    ksda_error error;
    char message[1024];
    char source[1024];
};

/* Seconds on a monotonic clock. */
double ksda_i_now(void);

/* Memory for count objects of size bytes each; sets KSDA_NOMEM and returns NULL when there is none or the product
 * overflows. A count of 0 gives a block that can be freed. Safe from any thread. */
void *ksda_i_malloc(ksda_ctx *ctx, uint64_t count, size_t size);
void *ksda_i_calloc(ksda_ctx *ctx, uint64_t count, size_t size);
void *ksda_i_realloc(ksda_ctx *ctx, void *block, uint64_t count, size_t size);
void ksda_i_free(ksda_ctx *ctx, void *block);
/* Around memory that is had in another way: see ksda_i_fork(). Not one inside the other. */
void ksda_i_allocator_enter(void);
void ksda_i_allocator_leave(void);
/* fork() while no thread is in an allocator, so that the child can have memory. */
pid_t ksda_i_fork(void);
/* Make room for at least `need` elements in *block, which has room for *capacity; grows by half. */
ksda_status ksda_i_reserve(ksda_ctx *ctx, void *block_pointer, uint64_t *capacity, uint64_t need, size_t size);

/* Set the context's error and return its status, so that `return ksda_i_error(...)` works. */
ksda_status ksda_i_error(ksda_ctx *ctx, ksda_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a place in a file. line and column are 1-based, 0 for none. */
ksda_status ksda_i_error_at(ksda_ctx *ctx, ksda_status status, const char *source, uint64_t line, uint64_t column,
                            const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Tell the caller where we are; from the caller's thread only (thread 0 of a parallel loop). Cheap enough for an inner
 * loop of some microseconds: it looks at the clock and reports ten times a second. KSDA_INTERRUPTED and KSDA_TIMEOUT
 * mean stop; the error is set. */
ksda_status ksda_i_progress(ksda_ctx *ctx, const char *stage, uint64_t done, uint64_t total);
/* The same inside a stage that a driver runs: reported under the name the driver has for it. */
ksda_status ksda_i_progress_stage(ksda_ctx *ctx, uint64_t done, uint64_t total);
/* A driver begins a stage: until ksda_i_stage_finish(), which takes what this returns, all progress is reported under
 * that name, whatever the parts of the stage call themselves. */
static inline const char *ksda_i_stage_begin(ksda_ctx *ctx, const char *name) {
    const char *around = ctx->driver_stage;
    ctx->driver_stage = name;
    return around;
}
static inline void ksda_i_stage_finish(ksda_ctx *ctx, const char *around) {
    ctx->driver_stage = around;
}
/* The same for a solver, with what it has found and proved so far. */
ksda_status ksda_i_progress_solver(ksda_ctx *ctx, const char *stage, double incumbent, double bound);
/* True when work must stop, because somebody asked or the time is up: for loops in any thread. Every loop whose length
 * depends on the input asks it, at least every few milliseconds: it costs two loads, and a look at a coarse clock where
 * a deadline is set. Then call ksda_i_interrupted() from the caller's thread. */
bool ksda_i_over(const ksda_ctx *ctx);
static inline bool ksda_i_asked(const ksda_ctx *ctx) {
    return atomic_load_explicit(&ctx->cancelled, memory_order_relaxed) != 0 ||
           atomic_load_explicit(&ctx->finishing, memory_order_relaxed) != 0 ||
           (ctx->parent && ksda_i_asked(ctx->parent));
}
static inline bool ksda_i_cancelled(const ksda_ctx *ctx) {
    return ksda_i_asked(ctx) || (ctx->end > 0 && ksda_i_over(ctx));
}
/* A context for one thread of a parallel loop: same memory, seed and time limit, one thread, no progress, its own
 * errors; stops when its parent is asked to. Freed with ksda_ctx_free(). */
ksda_status ksda_i_ctx_child(ksda_ctx *parent, ksda_ctx **out);
/* From here on the child works in its parent's thread: its progress is told as the parent's. */
void ksda_i_ctx_speak_for_parent(ksda_ctx *child);
/* KSDA_OK, or sets and returns KSDA_INTERRUPTED (somebody asked) or KSDA_TIMEOUT (the time is up). */
ksda_status ksda_i_interrupted(ksda_ctx *ctx);
/* The same for a loop of quick steps, which hands in the number of its step: it looks at every 2^14-th. */
static inline ksda_status ksda_i_look(ksda_ctx *ctx, uint64_t step) {
    return step % 16384 == 0 && ksda_i_cancelled(ctx) ? ksda_i_interrupted(ctx) : KSDA_OK;
}
/* Did the work stop before its end, at somebody's request or for want of time? Whoever has a valid result by then hands
 * it over, unless the request was to stop at once. */
bool ksda_i_cut_short(const ksda_ctx *ctx, ksda_status status);
/* Work that searches and proofs have done with this context, in units of about a nanosecond. They count steps, not the
 * clock, so that budgets in these units end at the same place on every machine and for every number of threads. Add
 * from any thread; compare only where no parallel loop is under way. */
static inline void ksda_i_work(ksda_ctx *ctx, uint64_t units) {
    atomic_fetch_add_explicit(&ctx->work, units, memory_order_relaxed);
}
static inline uint64_t ksda_i_work_done(const ksda_ctx *ctx) {
    return atomic_load_explicit(&ctx->work, memory_order_relaxed);
}
/* A stage may do so much work from here on, and no more than the stage around it; hand what it returns to
 * ksda_i_work_finish(). Loops that can end early ask ksda_i_work_over(). */
static inline uint64_t ksda_i_work_begin(ksda_ctx *ctx, uint64_t units) {
    uint64_t before = ctx->work_end, done = ksda_i_work_done(ctx);
    if (before > done && before - done > units) ctx->work_end = done + units;
    return before;
}
static inline void ksda_i_work_finish(ksda_ctx *ctx, uint64_t before) {
    ctx->work_end = before;
}
static inline double ksda_i_work_left(const ksda_ctx *ctx) {
    uint64_t done = ksda_i_work_done(ctx);
    return done < ctx->work_end ? (double)(ctx->work_end - done) : 0;
}
static inline bool ksda_i_work_over(const ksda_ctx *ctx) {
    return ksda_i_work_done(ctx) >= ctx->work_end;
}
/* A solver has ended without an answer, in a process of its own: see ksda_ctx_solver_failures(). From any thread. */
void ksda_i_solver_failed(ksda_ctx *ctx);
/* Seconds left until the time limit; infinity when there is none. */
double ksda_i_time_left(const ksda_ctx *ctx);
/* Set a nearer time limit, so many seconds from now, for a part of the work: never later than the one there is, and
 * passed at once where nothing is left. Returns the deadline to put back afterwards. */
double ksda_i_limit_part(ksda_ctx *ctx, double seconds);

#define KSDA_I_TRY(call)                                                                                               \
    do {                                                                                                               \
        if ((status = (call)) < 0) goto done;                                                                          \
    } while (0)

#endif
