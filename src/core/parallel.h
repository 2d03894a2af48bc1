/* parallel.h: the one way to use several threads. */
#ifndef KSDA_I_PARALLEL_H
#define KSDA_I_PARALLEL_H

#include "core/ctx.h"

/* Work on the items begin .. end-1. thread is below ksda_ctx_threads(): index per-thread buffers with it, never
 * results, or they would depend on the number of threads. */
typedef void (*ksda_i_range_fn)(void *data, uint64_t begin, uint64_t end, unsigned thread);

/* Call fn on consecutive ranges of `grain` items (the last may be shorter) that cover 0 .. count-1, in any order, on
 * all threads of the context; returns when all are done. The ranges are the same whatever the number of threads, so
 * begin / grain may index partial sums that are then added in order. The caller works as thread 0. Never fails: where
 * the system gives no thread, fewer do the work. Do not nest. */
void ksda_i_parallel(ksda_ctx *ctx, uint64_t count, uint64_t grain, ksda_i_range_fn fn, void *data);

/* One task beside what the caller does meanwhile. */
typedef struct ksda_i_beside {
    void (*run)(void *data); /* NULL: there is none */
    void *data;
    bool begun; /* in a thread of its own */
    pthread_t handle;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done, may_end;
} ksda_i_beside;

/* Begin it where the context has more than one thread; else it waits for ksda_i_beside_finish(). It works with a
 * context of its own (ksda_i_ctx_child()). */
void ksda_i_beside_begin(ksda_ctx *ctx, void (*run)(void *data), void *data, ksda_i_beside *out);
/* Wait until it is done, with progress meanwhile; where it has not begun, do it now, unless it is not wanted. */
void ksda_i_beside_finish(ksda_ctx *ctx, ksda_i_beside *b, bool wanted);

#endif
