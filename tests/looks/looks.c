/* The command again, watched while it looks whether it must stop. With a time limit set, each look reads the coarse
 * clock (ksda_i_over()), and the linker sends that through here (--wrap). Told by the environment:
 *
 *   KSDA_LOOKS=FILE     at the end the file says how many looks there were, and the most processor time, in
 *                       milliseconds, that a thread spent before one of them (what is written once there is a release
 *                       has no limit any more, and looks only whether it was interrupted)
 *   KSDA_STRIKE=N       at the N-th look the time is over, long ago
 *   KSDA_SIGNAL=N       at the N-th look comes SIGTERM
 *   KSDA_TRACE=MS       who has spent more than that shows where it stands, on standard error
 *
 * tests/cli/looks.sh runs it. */
#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_long looks;
static atomic_long longest; /* microseconds */
static atomic_int over;
static _Thread_local double last;

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* The time since this thread's last look, or since it began. */
static void mark(void) {
    struct timespec t;
    __real_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec, gap = now - last;
    long before = atomic_load(&longest), this = (long)(1e6 * gap);
    while (this > before && !atomic_compare_exchange_weak(&longest, &before, this)) continue;
    if (number("KSDA_TRACE") && 1e3 * gap > (double)number("KSDA_TRACE")) {
        void *frame[12];
        fprintf(stderr, "--- %.0f ms\n", 1e3 * gap);
        backtrace_symbols_fd(frame, backtrace(frame, 12), STDERR_FILENO);
        __real_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    last = now;
}

static void tell(void) {
    FILE *file = fopen(getenv("KSDA_LOOKS"), "w");
    if (!file || fprintf(file, "%ld %.1f\n", atomic_load(&looks), 1e-3 * (double)atomic_load(&longest)) < 0 ||
        fclose(file) != 0)
        abort();
}

__attribute__((constructor)) static void begin(void) {
    if (getenv("KSDA_LOOKS")) atexit(tell);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t) {
    int answer = __real_clock_gettime(clock, t);
    if (clock == CLOCK_MONOTONIC_COARSE) {
        long look = atomic_fetch_add(&looks, 1) + 1;
        mark();
        if (look == number("KSDA_STRIKE")) atomic_store(&over, 1);
        if (look == number("KSDA_SIGNAL")) raise(SIGTERM);
    }
    if (clock != CLOCK_THREAD_CPUTIME_ID && atomic_load(&over)) t->tv_sec += 1000000;
    return answer;
}
