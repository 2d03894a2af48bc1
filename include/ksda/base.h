/* ksda/base.h: status codes, the context, progress and cancellation.
 *
 * What holds for every call, unless its comment says otherwise:
 *
 *   - A context serves one call at a time. Two threads need two contexts; graphs, communities and results never change
 *     once they are made, so any number of threads may read them. Whatever one context made, another one with the same
 *     allocator may free.
 *   - A call works in the caller's thread and, where the context says so (ksda_ctx_set_threads()), in threads that have
 *     ended when it returns. The one exception is METIS, which cannot be stopped: a call that has to stop while it runs
 *     leaves its thread behind, which ends by itself and touches nothing of the caller's.
 *   - Callbacks run in the caller's thread, inside the call. They may read results and graphs, work with other
 *     contexts, and ask their own one to stop (ksda_ctx_cancel(), ksda_ctx_finish()); they may not make another call
 *     with it. Only the functions of a ksda_allocator run in any thread of the library.
 *   - What comes back through a pointer-to-pointer is the caller's, with a free function named there; what is returned
 *     is borrowed. On failure such a pointer is NULL, and arguments are what they were before.
 *   - The library never prints, exits, or changes signal handlers or the locale. Outside contexts it keeps nothing but
 *     a list of the temporary files that are being written. It starts no process unless ksda_ctx_allow_processes()
 *     says so. */
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

/** The largest number of vertices a graph may have (2^32 - 2). */
#define KSDA_MAX_VERTICES UINT32_C(4294967294)
/** What stands for "no vertex" and "no community": one more than the largest number, so that it is never a valid
 *  one. */
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

/** A share of people as an exact fraction: 1 of 3. 0 of 0 is none; where it is a bound it lies in (0, 1]. */
typedef struct ksda_share {
    uint32_t numerator, denominator; /**< the part and the whole */
} ksda_share;
/** "1/3", "0.25" or "1" as a fraction in lowest terms. @param out set where the text is one in (0, 1] of at most 9
 * decimal places, or of two numbers below 2^32 @return 1, or 0. Any thread. */
KSDA_API int ksda_share_from_text(const char *text, ksda_share *out);

/** The library's version, "major.minor.patch": that of the shared library which is running, not of the headers.
 *  Borrowed, static; any thread, O(1). */
KSDA_API const char *ksda_version(void);

/** Settings, error detail and cancellation for a sequence of calls: a few KB.
 *  One context serves one thread of use; only ksda_ctx_cancel() and ksda_ctx_finish() may be called from elsewhere
 * while a call runs. */
typedef struct ksda_ctx ksda_ctx;

/** Memory functions, with the meaning of the C library's. All three must be safe to call from several threads at once,
 *  may not call the library, and return NULL where there is no memory: the call then ends with KSDA_NOMEM. Graphs,
 *  results and everything that is handed out come from here; what METIS, CBC, expat, zlib, zstd and jansson need for
 *  themselves does not. */
typedef struct ksda_allocator {
    void *(*malloc_fn)(void *payload, size_t size);               /**< size is above 0 */
    void *(*realloc_fn)(void *payload, void *block, size_t size); /**< block may be NULL */
    void (*free_fn)(void *payload, void *block);                  /**< block is never NULL */
    void *payload;                                                /**< handed to each; not looked at */
} ksda_allocator;

/** What went wrong last. Strings are owned by the context and live until its next error. */
typedef struct ksda_error {
    ksda_status status;  /**< KSDA_OK when nothing has failed yet */
    const char *message; /**< one line without a full stop; never NULL */
    const char *source;  /**< the file it happened in, or NULL */
    uint64_t line;       /**< 1-based; 0 when there is none */
    uint64_t column;     /**< 1-based, in bytes; 0 when there is none */
} ksda_error;

/** What a long computation is at. Strings are borrowed for the call. */
typedef struct ksda_progress {
    const char *stage; /**< "reading", "detecting communities", ... */
    uint64_t done;     /**< of total */
    uint64_t total;    /**< 0 when unknown */
    double seconds;    /**< since the stage began */
    double incumbent;  /**< solvers: best cost so far; NaN elsewhere */
    double bound;      /**< solvers: proved lower bound; NaN elsewhere */
} ksda_progress;

/** Told how far a call has come: in the caller's thread, about ten times a second and whenever a stage begins or ends.
 *  What it may do stands at the top. @return 0 to go on; anything else is as good as ksda_ctx_cancel() */
typedef int (*ksda_progress_fn)(const ksda_progress *progress, void *payload);

/** Make a context. @param allocator NULL for malloc and free; copied otherwise, its payload is not
 *  @param out the context, freed with ksda_ctx_free(); NULL on failure @return KSDA_OK or KSDA_NOMEM. Any thread, O(1).
 */
KSDA_API ksda_status ksda_ctx_new(const ksda_allocator *allocator, ksda_ctx **out);
/** Free a context. What was made with it lives on, and is freed with another one that has the same allocator.
 *  No call may be running on it. @param ctx NULL is fine. Any thread, O(1). */
KSDA_API void ksda_ctx_free(ksda_ctx *ctx);

/* --- settings: between calls, never while one runs; O(1) ---------------------------------------------------------- */

/** Number of threads that a call may use, the caller's among them; 0 means all cores. Default 1. Results never depend
 * on it. They are started by the call and have ended when it returns. */
KSDA_API void ksda_ctx_set_threads(ksda_ctx *ctx, unsigned threads);
/** The resolved number, at least 1 and at most 1024. */
KSDA_API unsigned ksda_ctx_threads(const ksda_ctx *ctx);

/** The seed of everything random that need not be secret. Default 1. The same seed, input and version give the same
 *  result. Published ids do not come from it. */
KSDA_API void ksda_ctx_set_seed(ksda_ctx *ctx, uint64_t seed);
/** The seed that was set, or 1. */
KSDA_API uint64_t ksda_ctx_seed(const ksda_ctx *ctx);

/** Seconds from now on after which methods stop improving and hand over the best they have (KSDA_LIMIT); 0 for none.
 *  Default none. What is needed for a first result is still done: see ksda_ctx_set_deadline(). */
KSDA_API void ksda_ctx_set_time_limit(ksda_ctx *ctx, double seconds);

/** Seconds from now on after which every call on this context stops; 0 for none. Default none. Whoever has a valid
 *  result by then still hands it over (KSDA_LIMIT); everything else ends with KSDA_TIMEOUT within a fraction of a
 *  second. Since 0.1. */
KSDA_API void ksda_ctx_set_deadline(ksda_ctx *ctx, double seconds);

/** Whether the library may start processes. Default 0: it never does. Solvers and METIS then have a child process
 *  (fork() without exec), since they print, install signal handlers, cannot be stopped otherwise, and an assertion of
 *  theirs that fails ends the process; the child dies with its parent and has been waited for when the call returns. As
 *  after any fork(), only the calling thread is there in the child; no thread is in the allocator of a context in that
 *  moment, but one of the caller's own may be in malloc(), which must bear it, as the C library's does. Without
 *  permission linear programs are solved in the caller's process and integer ones not at all: the solver "cbc" is
 *  KSDA_UNSUPPORTED, and the exact methods leave open what only an integer program would have proved: results are
 *  valid, bounds may be lower. */
KSDA_API void ksda_ctx_allow_processes(ksda_ctx *ctx, int allowed);
/** How many linear programs of proofs were given up because their solver ended without an answer in a process of its
 *  own. What it would have proved is not claimed; releases and all that is claimed do not depend on it. Since 0.1. */
KSDA_API unsigned ksda_ctx_solver_failures(const ksda_ctx *ctx);

/** Who is told how far a call has come. @param fn NULL for nobody @param payload handed to it; not looked at */
KSDA_API void ksda_ctx_set_progress(ksda_ctx *ctx, ksda_progress_fn fn, void *payload);

/* --- stopping, errors, memory ------------------------------------------------------------------------------------- */

/** Ask the running call to stop with KSDA_INTERRUPTED, within a fraction of a second. Safe from another thread and from
 * a signal handler. The request stays until ksda_ctx_reset_cancel(). */
KSDA_API void ksda_ctx_cancel(ksda_ctx *ctx);
/** Ask the running call to hand over the best valid result that it has (KSDA_LIMIT); where it has none it stops with
 *  KSDA_INTERRUPTED. As safe and as lasting as ksda_ctx_cancel(). Since 0.1. */
KSDA_API void ksda_ctx_finish(ksda_ctx *ctx);
/** Take back both requests. Safe from another thread; a call that has seen one of them still ends with it. */
KSDA_API void ksda_ctx_reset_cancel(ksda_ctx *ctx);

/** Details of the last failure on this context. A call that succeeds leaves them as they were.
 *  @return borrowed, never NULL, valid as long as the context; its strings until the next failure. */
KSDA_API const ksda_error *ksda_ctx_error(const ksda_ctx *ctx);

/** Free memory that this library handed out and that has no free function of its own: strings of reports, names, owners
 *  of a map. @param ctx the one that it was made with, or one with the same allocator @param block NULL is fine */
KSDA_API void ksda_free(ksda_ctx *ctx, void *block);

#ifdef __cplusplus
}
#endif
#endif
