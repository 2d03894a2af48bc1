/* The wrapped calls: each counts itself, and fails as that call fails in life when its turn has come. */
#include "faults.h"

#include <errno.h>
#include <execinfo.h>
#include <expat.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static fault_plan *plan;

enum {
    DEPTH = 8 /* return addresses, the wrapper's and the allocator's among them, that make a place */
};

void faults_begin(fault_plan *p) {
    void *address[1];
    backtrace(address, 1); /* the first time it allocates */
    plan = p;
}

/* Remember where the call comes from. */
static void note_site(long call) {
    void *address[DEPTH + 1];
    int depth = backtrace(address, DEPTH + 1);
    uint64_t place = 0x9e3779b97f4a7c15;
    for (int i = 1; i < depth; i++) place = (place ^ (uintptr_t)address[i]) * 0xff51afd7ed558ccd, place ^= place >> 29;
    while (atomic_flag_test_and_set(&plan->busy)) continue;
    uint64_t at = place % FAULT_SITES;
    for (int i = 0; i < FAULT_SITES && plan->site[at].place && plan->site[at].place != place; i++)
        at = (at + 1) % FAULT_SITES;
    if (!plan->site[at].place) plan->site[at] = (fault_site){place, call};
    atomic_flag_clear(&plan->busy);
}

static bool fails(fault_kind kind, const char *function, int error) {
    if (!plan || plan->kind != kind) return false;
    long call = atomic_fetch_add(&plan->calls, 1) + 1;
    if (plan->watch) note_site(call);
    if (plan->at == 0 || call < plan->at) return false;
    if (call == plan->at) {
        snprintf(plan->function, sizeof plan->function, "%s", function);
        plan->callers = backtrace(plan->caller, 12);
        if (plan->mode == FAULT_KILL) raise(SIGKILL);
    } else if (plan->mode == FAULT_ONCE || plan->mode == FAULT_KILL ||
               (plan->mode == FAULT_FOR_GOOD && strcmp(plan->function, function) != 0)) {
        return false;
    }
    errno = error;
    return true;
}

/* WRAP(kind, errno, what is returned, type, function, parameters, arguments) */
#define WRAP(kind, error, failed, type, function, parameters, arguments)                                               \
    type __real_##function parameters;                                                                                 \
    type __wrap_##function parameters;                                                                                 \
    type __wrap_##function parameters {                                                                                \
        return fails(kind, #function, error) ? (failed) : __real_##function arguments;                                 \
    }

WRAP(FAULT_MEMORY, ENOMEM, NULL, void *, malloc, (size_t size), (size))
WRAP(FAULT_MEMORY, ENOMEM, NULL, void *, calloc, (size_t count, size_t size), (count, size))
WRAP(FAULT_MEMORY, ENOMEM, NULL, void *, realloc, (void *block, size_t size), (block, size))
WRAP(FAULT_MEMORY, ENOMEM, NULL, XML_Parser, XML_ParserCreateNS, (const char *encoding, char separator),
     (encoding, separator))
WRAP(FAULT_MEMORY, ENOMEM, NULL, ZSTD_CCtx *, ZSTD_createCCtx, (void), ())
WRAP(FAULT_MEMORY, ENOMEM, NULL, ZSTD_DStream *, ZSTD_createDStream, (void), ())
WRAP(FAULT_MEMORY, ENOMEM, Z_MEM_ERROR, int, inflateInit2_, (z_stream * s, int bits, const char *version, int size),
     (s, bits, version, size))
WRAP(FAULT_MEMORY, ENOMEM, EAGAIN, int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data),
     (thread, attributes, run, data))

WRAP(FAULT_FILES, EIO, -1, ssize_t, read, (int fd, void *data, size_t size), (fd, data, size))
WRAP(FAULT_FILES, ENOSPC, -1, ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
WRAP(FAULT_FILES, EIO, -1, int, fsync, (int fd), (fd))
WRAP(FAULT_FILES, EIO, -1, int, fdatasync, (int fd), (fd))
WRAP(FAULT_FILES, EIO, -1, int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(FAULT_FILES, EIO, -1, off_t, lseek, (int fd, off_t to, int from), (fd, to, from))
WRAP(FAULT_FILES, ENOSPC, -1, int, rename, (const char *from, const char *to), (from, to))
WRAP(FAULT_FILES, EIO, -1, int, unlink, (const char *path), (path))
WRAP(FAULT_FILES, EACCES, -1, int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(FAULT_FILES, EIO, -1, int, fstat, (int fd, struct stat *st), (fd, st))
WRAP(FAULT_FILES, EIO, -1, int, stat, (const char *path, struct stat *st), (path, st))
WRAP(FAULT_FILES, EIO, -1, int, lstat, (const char *path, struct stat *st), (path, st))
WRAP(FAULT_FILES, EMFILE, -1, int, dup, (int fd), (fd))
WRAP(FAULT_FILES, EIO, -1, ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *file),
     (line, room, end, file))
WRAP(FAULT_FILES, ENOMEM, NULL, FILE *, fdopen, (int fd, const char *mode), (fd, mode))
WRAP(FAULT_FILES, ENOSYS, -1, ssize_t, getrandom, (void *data, size_t size, unsigned flags), (data, size, flags))
WRAP(FAULT_FILES, ENOMEM, MAP_FAILED, void *, mmap,
     (void *where, size_t size, int protection, int flags, int fd, off_t from),
     (where, size, protection, flags, fd, from))

/* The descriptor is gone all the same. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) {
    bool failed = fails(FAULT_FILES, "close", EIO);
    int answer = __real_close(fd);
    if (failed) errno = EIO;
    return failed ? -1 : answer;
}

/* Every other time the file system has no links at all. */
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to) {
    bool odd = plan && plan->at % 2;
    return fails(FAULT_FILES, "link", odd ? EPERM : ENOSPC) ? -1 : __real_link(from, to);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = va_arg(arguments, int); /* not used when it was not given */
    va_end(arguments);
    return fails(FAULT_FILES, "open", EMFILE) ? -1 : __real_open(path, flags, mode);
}
