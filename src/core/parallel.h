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

#endif
