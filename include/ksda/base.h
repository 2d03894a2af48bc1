/* ksda/base.h: status codes, the context, progress and cancellation. */
#ifndef KSDA_BASE_H
#define KSDA_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KSDA_API __attribute__((visibility("default")))
#else
#define KSDA_API
#endif

/** The largest number of vertices a graph may have (2^32 - 2); UINT32_MAX means "no vertex". */
#define KSDA_MAX_VERTICES UINT32_C(4294967294)
#define KSDA_NO_VERTEX UINT32_C(4294967295)

/** Zero is success, negative is failure, positive is "done, with something to tell".
 *  Values are pinned; the gaps leave room for finer codes later. */
typedef enum ksda_status {
    KSDA_OK = 0,
    KSDA_LIMIT = 10,        /**< stopped at a limit; the result is valid but maybe not the best */
    KSDA_NOMEM = -10,       /**< an allocation failed */
    KSDA_INVALID = -20,     /**< an argument is out of range or arguments contradict each other */
    KSDA_IO = -30,          /**< the operating system refused to open, read or write */
    KSDA_PARSE = -40,       /**< the input is not what it claims to be; see the error's line and column */
    KSDA_UNSUPPORTED = -50, /**< this build or this format cannot do it */
    KSDA_NOT_FOUND = -60,   /**< the method found no solution; another one may */
    KSDA_INFEASIBLE = -70,  /**< proved: no solution exists */
    KSDA_VIOLATED = -80,    /**< a checked property does not hold */
    KSDA_INTERRUPTED = -90, /**< the progress callback or ksda_ctx_cancel() asked to stop */
    KSDA_TIMEOUT = -95,     /**< the deadline passed before there was a result */
    KSDA_INTERNAL = -100    /**< a bug in this library */
} ksda_status;

/** Makes a result struct ready for the call that fills it:
 *
 *     ksda_verification v = KSDA_INIT(ksda_verification);
 *
 *  Every options and result struct begins with `size`, what the program's header says it is, and every call checks it:
 * a size of 0, below the first published one, or above the library's with anything but zeros behind what it knows is
 *  KSDA_INVALID. Options have an _init function each, which sets the defaults as well. A result may be used again. */
#if defined(__cplusplus) && __cplusplus < 202002L
#define KSDA_INIT(type)                                                                                                \
    { sizeof(type) }
#else
#define KSDA_INIT(type)                                                                                                \
    { .size = sizeof(type) }
#endif

/** A short English name of a status ("out of memory"), never NULL. Static, any thread, O(1). */
KSDA_API const char *ksda_status_name(ksda_status status);
/** The value with that name. Every enumeration of these headers has two functions like these; the names of the others
 * are the words of the command line. @param out set where there is one @return 1, or 0 where there is none. Any thread.
 */
KSDA_API int ksda_status_from_name(const char *name, ksda_status *out);

/** The library's version, "major.minor.patch". */
KSDA_API const char *ksda_version(void);

/** Settings, error detail and cancellation for a sequence of calls.
 *  One context serves one thread of use; only ksda_ctx_cancel() and ksda_ctx_finish() may be
 *  called from elsewhere. */
typedef struct ksda_ctx ksda_ctx;

/** Memory functions. All three must be safe to call from several threads at once. */
typedef struct ksda_allocator {
    void *(*malloc_fn)(void *payload, size_t size);
    void *(*realloc_fn)(void *payload, void *block, size_t size);
    void (*free_fn)(void *payload, void *block);
    void *payload;
} ksda_allocator;

/** What went wrong last. Strings are owned by the context and live until its next error. */
typedef struct ksda_error {
    ksda_status status;  /**< KSDA_OK when nothing has failed yet */
    const char *message; /**< one line without a full stop; never NULL */
    const char *source;  /**< the file it happened in, or NULL */
    uint64_t line;       /**< 1-based; 0 when there is none */
    uint64_t column;     /**< 1-based, in bytes; 0 when there is none */
} ksda_error;

/** What a long computation is at. */
typedef struct ksda_progress {
    const char *stage; /**< "reading", "detecting communities", ... */
    uint64_t done;
    uint64_t total;   /**< 0 when unknown */
    double seconds;   /**< since the stage began */
    double incumbent; /**< solvers: best cost so far; NaN elsewhere */
    double bound;     /**< solvers: proved lower bound; NaN elsewhere */
} ksda_progress;

/** Called from the caller's thread, at most about ten times a second. Nonzero stops the computation. */
typedef int (*ksda_progress_fn)(const ksda_progress *progress, void *payload);

/** Make a context. @param allocator NULL for malloc and free; copied otherwise.
 *  @param out the context, freed with ksda_ctx_free(). @return KSDA_OK or KSDA_NOMEM. */
KSDA_API ksda_status ksda_ctx_new(const ksda_allocator *allocator, ksda_ctx **out);
KSDA_API void ksda_ctx_free(ksda_ctx *ctx); /**< NULL is fine */

/** Number of threads; 0 means all cores. Default 1. Results never depend on it. */
KSDA_API void ksda_ctx_set_threads(ksda_ctx *ctx, unsigned threads);
KSDA_API unsigned ksda_ctx_threads(const ksda_ctx *ctx); /**< the resolved number, at least 1 */

/** The seed of everything random that need not be secret. Default 1. */
KSDA_API void ksda_ctx_set_seed(ksda_ctx *ctx, uint64_t seed);
KSDA_API uint64_t ksda_ctx_seed(const ksda_ctx *ctx);

/** Seconds from now on after which methods stop improving and hand over the best they have (KSDA_LIMIT); 0 for none.
 *  Default none. What is needed for a first result is still done: see ksda_ctx_set_deadline(). */
KSDA_API void ksda_ctx_set_time_limit(ksda_ctx *ctx, double seconds);

/** Seconds from now on after which every call on this context stops; 0 for none. Default none. Whoever has a valid
 *  result by then still hands it over (KSDA_LIMIT); everything else ends with KSDA_TIMEOUT within a fraction of a
 *  second. Since 0.1. */
KSDA_API void ksda_ctx_set_deadline(ksda_ctx *ctx, double seconds);

/** Whether the library may start processes. Default 0: it never does. The integer programs of CBC are solved in a child
 *  process (fork(), without exec), since CBC prints, installs signal handlers and cannot be stopped otherwise; the
 * child dies with its parent and is always waited for. Without permission the solver "cbc" is KSDA_UNSUPPORTED, and the
 * exact methods leave open what only CBC would have proved: results are valid, bounds may be lower. A program with
 * threads of its own that hold locks in malloc() or stdio may fork safely with the GNU C library. */
KSDA_API void ksda_ctx_allow_processes(ksda_ctx *ctx, int allowed);

KSDA_API void ksda_ctx_set_progress(ksda_ctx *ctx, ksda_progress_fn fn, void *payload);

/** Ask the running call to stop with KSDA_INTERRUPTED. Safe from another thread and from a signal handler.
 *  The request stays until ksda_ctx_reset_cancel(). */
KSDA_API void ksda_ctx_cancel(ksda_ctx *ctx);
/** Ask the running call to hand over the best valid result that it has (KSDA_LIMIT); where it has none it stops with
 *  KSDA_INTERRUPTED. As safe and as lasting as ksda_ctx_cancel(). Since 0.1. */
KSDA_API void ksda_ctx_finish(ksda_ctx *ctx);
/** Take back both requests. */
KSDA_API void ksda_ctx_reset_cancel(ksda_ctx *ctx);

/** Details of the last failure on this context. Borrowed; never NULL. */
KSDA_API const ksda_error *ksda_ctx_error(const ksda_ctx *ctx);

/** Free memory that this library handed out and that has no free function of its own. */
KSDA_API void ksda_free(ksda_ctx *ctx, void *block);

#ifdef __cplusplus
}
#endif
#endif
