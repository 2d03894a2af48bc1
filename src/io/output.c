/* Output that appears whole or not at all.
 *
 * A file is written under a name of its own beside the target, flushed to the disk, and only then renamed over the
 * target: a reader sees the old content or the new, never a part, also after a crash, a full disk or Ctrl-C.
 * Several outputs are renamed together (replace.c). What cannot be renamed over (a device, a pipe, standard output) is
 * written directly. Writes go through one buffer and, for .gz and .zst, a compressor; the first error is kept and told
 * at the end, so that writers are plain loops.
 *
 * The only state outside an output is the table of temporary names: an interrupt handler has no other way to find them.
 */
#include "io/output.h"

#include "io/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define BUFFER_SIZE ((size_t)1 << 18)
#define GZIP_LEVEL 6
#define ZSTD_LEVEL 3

typedef enum packing {
    PLAIN,
    GZIP,
    ZSTD
} packing;

struct ksda_i_output {
    ksda_ctx *ctx;
    int fd;
    char *path;               /* as the user gave it: for messages */
    char target[PATH_MAX];    /* what the rename replaces */
    char temporary[PATH_MAX]; /* "" when written directly */
    bool private_file, folder;
    bool stretch;            /* of a file that somebody else renames */
    ksda_i_replacement fate; /* what became of target */
    int slot;                /* in the table of temporary names, or -1 */
    int error;               /* errno of the first failure */
    bool broken;             /* the compressor failed */
    size_t used;
    char *buffer; /* [BUFFER_SIZE] */
    packing packing;
    char *packed; /* [BUFFER_SIZE] */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_CCtx *zstd;
    bool in_memory;
    char *text; /* what was written, when it goes to memory */
    uint64_t size, capacity;
};

/* --- temporary names, for the interrupt handler ------------------------------------------------------------------- */

enum {
    SLOTS = 16
};
enum {
    FREE,
    FILLING,
    LIVE
};
static struct {
    atomic_int state;
    char path[PATH_MAX];
} pending[SLOTS]; /* an output beyond the sixteenth at one time works, but is not removed by abandon_all */

static int remember(const char *path) {
    for (int i = 0; i < SLOTS; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&pending[i].state, &expected, FILLING)) continue;
        snprintf(pending[i].path, sizeof pending[i].path, "%s", path);
        atomic_store(&pending[i].state, LIVE);
        return i;
    }
    return -1;
}

static void forget(int slot) {
    if (slot >= 0) atomic_store(&pending[slot].state, FREE);
}

void ksda_i_output_abandon_all(void) {
    int saved = errno;
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&pending[i].state) == LIVE) unlink(pending[i].path);
    errno = saved;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static ksda_status io_error(ksda_ctx *ctx, const char *path, const char *what, int error) {
    char text[256];
    return ksda_i_error_at(ctx, KSDA_IO, path, 0, 0, "%s: %s", what, strerror_r(error, text, sizeof text));
}

/* The length of the folder part of a path, its last slash included. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Put what path finally points to into target, whether it exists or not. Returns 0 or an errno. */
static int follow_links(const char *path, char target[PATH_MAX]) {
    if (path[0] == '\0') return ENOENT;
    if (strlen(path) >= PATH_MAX) return ENAMETOOLONG;
    strcpy(target, path);
    for (int step = 0; step < 40; step++) {
        char link[PATH_MAX];
        ssize_t length = readlink(target, link, sizeof link);
        if (length < 0) return 0; /* not a link, or nothing there: opening will say what is wrong */
        size_t folder = length > 0 && link[0] == '/' ? 0 : folder_length(target);
        if (folder + (size_t)length >= PATH_MAX) return ENAMETOOLONG;
        memcpy(target + folder, link, (size_t)length);
        target[folder + (size_t)length] = '\0';
    }
    return ELOOP;
}

/* Create the temporary file and enter it in the table, with signals held back so that no handler runs in between. */
static int create_temporary(ksda_i_output *o, mode_t mode) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const char *ending = o->packing == GZIP ? ".gz" : o->packing == ZSTD ? ".zst" : ""; /* for who reads it back */
    size_t folder = folder_length(o->target);
    struct timespec now;
    sigset_t all, before;
    int error = 0;
    if (folder + sizeof ".ksda-xxxxxx.zst" > sizeof o->temporary) return ENAMETOOLONG;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t salt = (uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 32) ^ (uint64_t)(uintptr_t)o;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (int attempt = 0; attempt < 100; attempt++) {
        char name[] = ".ksda-xxxxxx";
        salt = salt * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t digits = salt >> 20;
        for (size_t i = 6; i < sizeof name - 1; i++, digits /= 36) name[i] = letters[digits % 36];
        memcpy(o->temporary, o->target, folder);
        memcpy(o->temporary + folder, name, sizeof name);
        strcpy(o->temporary + folder + sizeof name - 1, ending);
        if (!o->folder) o->fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        error = (o->folder ? mkdir(o->temporary, mode) : o->fd) < 0 ? errno : 0;
        if (error != EEXIST) break;
    }
    if (error == 0)
        o->slot = remember(o->temporary);
    else
        o->temporary[0] = '\0'; /* it is not ours to remove */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static ksda_status open_beside(ksda_i_output *o, const struct stat *old, bool private_file) {
    char kept[PATH_MAX];
    int error = follow_links(o->path, o->target);
    if (error) return io_error(o->ctx, o->path, "cannot be written", error);
    if (ksda_i_output_left_over(o->path, kept))
        return ksda_i_error_at(o->ctx, KSDA_IO, o->path, 0, 0, KSDA_I_LEFT_OVER, kept);
    /* A rename would replace a file we may not write; that right was taken away for a reason. */
    if (old && faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS) != 0)
        return io_error(o->ctx, o->path, "cannot be written", errno);
    error = create_temporary(o, private_file ? 0600 : 0666);
    if (error) return io_error(o->ctx, o->path, "no file can be made in its folder", error);
    mode_t mode = private_file ? 0600 : old ? old->st_mode & 0777 : 0;
    if ((private_file || old) && fchmod(o->fd, mode) != 0)
        return io_error(o->ctx, o->path, "its mode cannot be set", errno);
    return KSDA_OK;
}

bool ksda_i_output_left_over(const char *path, char old[PATH_MAX]) {
    char target[PATH_MAX];
    struct stat st;
    return follow_links(path, target) == 0 && ksda_i_old_name(target, old) && lstat(old, &st) == 0;
}

static ksda_status open_file(ksda_i_output *o, bool private_file) {
    struct stat st;
    if (strcmp(o->path, "-") == 0) {
        o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3); /* closing a copy tells errors and leaves the original open */
        return o->fd < 0 ? io_error(o->ctx, "<stdout>", "cannot be written", errno) : KSDA_OK;
    }
    if (stat(o->path, &st) != 0) {
        if (errno != ENOENT) return io_error(o->ctx, o->path, "cannot be written", errno);
        return open_beside(o, NULL, private_file);
    }
    if (S_ISDIR(st.st_mode)) return io_error(o->ctx, o->path, "cannot be written", EISDIR);
    if (S_ISREG(st.st_mode)) return open_beside(o, &st, private_file);
    o->fd = open(o->path, O_WRONLY | O_CLOEXEC);
    return o->fd < 0 ? io_error(o->ctx, o->path, "cannot be written", errno) : KSDA_OK;
}

/* --- compressing -------------------------------------------------------------------------------------------------- */

static void *gzip_alloc(void *ctx, unsigned count, unsigned size) {
    return ksda_i_malloc(ctx, count, size);
}

static void gzip_free(void *ctx, void *block) {
    ksda_i_free(ctx, block);
}

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* zlib writes no file name and no time into the header unless told to: a release must not carry them. */
static ksda_status open_packing(ksda_i_output *o) {
    o->packing = ends_in(o->path, ".gz") ? GZIP : ends_in(o->path, ".zst") ? ZSTD : PLAIN;
    if (o->packing == PLAIN) return KSDA_OK;
    if (!(o->packed = ksda_i_malloc(o->ctx, BUFFER_SIZE, 1))) return KSDA_NOMEM;
    if (o->packing == GZIP) {
        o->gzip = (z_stream){.zalloc = gzip_alloc, .zfree = gzip_free, .opaque = o->ctx};
        o->gzip_ready = deflateInit2(&o->gzip, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    } else if ((o->zstd = ZSTD_createCCtx()) != NULL) {
        ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
        ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_checksumFlag, 1);
    }
    return o->gzip_ready || o->zstd ? KSDA_OK : ksda_i_error(o->ctx, KSDA_NOMEM, "out of memory for compressing");
}

static ksda_status output_new(ksda_ctx *ctx, const char *path, ksda_i_output **out) {
    ksda_i_output *o = ksda_i_calloc(ctx, 1, sizeof *o);
    *out = o;
    if (!o) return KSDA_NOMEM;
    o->ctx = ctx;
    o->fd = o->slot = -1;
    o->path = ksda_i_malloc(ctx, strlen(path) + 1, 1);
    o->buffer = ksda_i_malloc(ctx, BUFFER_SIZE, 1);
    if (!o->path || !o->buffer) return KSDA_NOMEM;
    strcpy(o->path, path);
    return KSDA_OK;
}

ksda_status ksda_i_output_open(ksda_ctx *ctx, const char *path, bool private_file, ksda_i_output **out) {
    ksda_status status;
    ksda_i_output *o;
    *out = NULL;
    KSDA_I_TRY(output_new(ctx, path, &o));
    o->private_file = private_file;
    KSDA_I_TRY(open_packing(o));
    KSDA_I_TRY(open_file(o, private_file));
    *out = o;
    o = NULL;
done:
    ksda_i_output_abandon(o);
    return status;
}

ksda_status ksda_i_output_stretch(ksda_ctx *ctx, const char *path, const char *temporary, uint64_t at,
                                  ksda_i_output **out) {
    ksda_status status;
    ksda_i_output *o;
    *out = NULL;
    KSDA_I_TRY(output_new(ctx, path, &o));
    o->stretch = true;
    o->fd = open(temporary, O_WRONLY | O_CLOEXEC);
    if (o->fd < 0 || lseek(o->fd, (off_t)at, SEEK_SET) < 0) KSDA_I_TRY(io_error(ctx, path, "cannot be written", errno));
    *out = o;
    o = NULL;
done:
    ksda_i_output_abandon(o);
    return status;
}

static ksda_status open_folder(ksda_i_output *o, bool private_file) {
    struct stat st;
    size_t length = strlen(o->path);
    while (length > 1 && o->path[length - 1] == '/') o->path[--length] = '\0';
    int error = follow_links(o->path, o->target);
    if (error == 0 && lstat(o->target, &st) == 0) error = EEXIST;
    if (error) return io_error(o->ctx, o->path, "cannot be made as a new folder", error);
    o->folder = true;
    error = create_temporary(o, private_file ? 0700 : 0777);
    return error ? io_error(o->ctx, o->path, "no folder can be made beside it", error) : KSDA_OK;
}

ksda_status ksda_i_output_folder(ksda_ctx *ctx, const char *path, bool private_file, ksda_i_output **out) {
    ksda_status status;
    ksda_i_output *o;
    *out = NULL;
    KSDA_I_TRY(output_new(ctx, path, &o));
    o->private_file = private_file;
    KSDA_I_TRY(open_folder(o, private_file));
    *out = o;
    o = NULL;
done:
    ksda_i_output_abandon(o);
    return status;
}

ksda_status ksda_i_output_memory(ksda_ctx *ctx, ksda_i_output **out) {
    ksda_status status = output_new(ctx, "<memory>", out);
    if (status >= 0) {
        (*out)->in_memory = true;
    } else {
        ksda_i_output_abandon(*out);
        *out = NULL;
    }
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_bytes(ksda_i_output *o, const char *data, size_t size) {
    if (o->in_memory) {
        if (ksda_i_reserve(o->ctx, &o->text, &o->capacity, o->size + size, 1) < 0) {
            o->error = ENOMEM;
        } else if (size > 0) {
            memcpy(o->text + o->size, data, size);
            o->size += size;
        }
        return;
    }
    while (size > 0 && o->error == 0) {
        ssize_t written = write(o->fd, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            o->error = errno;
        } else {
            data += written;
            size -= (size_t)written;
        }
    }
}

static void put_gzip(ksda_i_output *o, const char *data, size_t size, bool last) {
    int result;
    o->gzip.next_in = (Bytef *)(uintptr_t)data; /* zlib's interface is older than const */
    o->gzip.avail_in = (uInt)size;
    do {
        o->gzip.next_out = (Bytef *)o->packed;
        o->gzip.avail_out = (uInt)BUFFER_SIZE;
        result = deflate(&o->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        put_bytes(o, o->packed, BUFFER_SIZE - o->gzip.avail_out);
    } while (result == Z_OK && (o->gzip.avail_out == 0 || last));
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) o->broken = true;
}

static void put_zstd(ksda_i_output *o, const char *data, size_t size, bool last) {
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer packed = {o->packed, BUFFER_SIZE, 0};
        left = ZSTD_compressStream2(o->zstd, &packed, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            o->broken = true;
            return;
        }
        put_bytes(o, o->packed, packed.pos);
    } while (in.pos < in.size || (last && left > 0));
}

/* size is at most BUFFER_SIZE. */
static void pack_bytes(ksda_i_output *o, const char *data, size_t size, bool last) {
    if (o->error || o->broken) return;
    if (o->packing == GZIP)
        put_gzip(o, data, size, last);
    else if (o->packing == ZSTD)
        put_zstd(o, data, size, last);
    else
        put_bytes(o, data, size);
}

static void flush_block(ksda_i_output *o, bool last) {
    pack_bytes(o, o->buffer, o->used, last);
    o->used = 0;
}

void ksda_i_output_write(ksda_i_output *o, const void *data, size_t size) {
    const char *from = data;
    while (size > BUFFER_SIZE - o->used) {
        size_t part = BUFFER_SIZE - o->used;
        memcpy(o->buffer + o->used, from, part);
        o->used = BUFFER_SIZE;
        flush_block(o, false);
        from += part;
        size -= part;
    }
    if (size == 0) return;
    memcpy(o->buffer + o->used, from, size);
    o->used += size;
}

void ksda_i_output_text(ksda_i_output *o, const char *text) {
    ksda_i_output_write(o, text, strlen(text));
}

/* Two digits at a time from the right: writing is mostly writing numbers, and printf is several times slower. */
void ksda_i_output_number(ksda_i_output *o, uint64_t number) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
        "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
        "9899";
    char digits[20], *at = digits + sizeof digits;
    for (; number >= 100; number /= 100) {
        at -= 2;
        memcpy(at, pairs + 2 * (number % 100), 2);
    }
    if (number >= 10) {
        at -= 2;
        memcpy(at, pairs + 2 * number, 2);
    } else {
        *--at = (char)('0' + number);
    }
    ksda_i_output_write(o, at, (size_t)(digits + sizeof digits - at));
}

void ksda_i_output_id(ksda_i_output *o, const ksda_i_ids *ids, uint32_t item) {
    if (ids->kind == KSDA_I_IDS_NAMES)
        ksda_i_output_write(o, ids->text + ids->start[item], ids->start[item + 1] - ids->start[item]);
    else
        ksda_i_output_number(o, ids->kind == KSDA_I_IDS_RANGE ? ids->first + item : ids->number[item]);
}

const char *ksda_i_output_path(const ksda_i_output *out) {
    return out->path ? out->path : "";
}

void ksda_i_output_fail(ksda_i_output *o, int error) {
    if (o->error == 0) o->error = error;
}

void ksda_i_output_format(ksda_i_output *o, const char *format, ...) {
    char small[1024], *text = small;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length >= (int)sizeof small && (text = ksda_i_malloc(o->ctx, (uint64_t)length + 1, 1)) != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    if (length < 0)
        ksda_i_output_fail(o, EINVAL);
    else if (!text)
        ksda_i_output_fail(o, ENOMEM);
    else
        ksda_i_output_write(o, text, (size_t)length);
    if (text != small) ksda_i_free(o->ctx, text);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void remove_folder(const char *path) {
    DIR *open = opendir(path);
    for (struct dirent *entry; open && (entry = readdir(open)) != NULL;) unlinkat(dirfd(open), entry->d_name, 0);
    if (open) closedir(open);
    rmdir(path);
}

/* Close and free; removes the temporary file if it is still there. */
static void dispose(ksda_i_output *o) {
    if (o->fd >= 0) close(o->fd);
    if (o->temporary[0] && o->folder) remove_folder(o->temporary);
    if (o->temporary[0] && !o->folder) unlink(o->temporary);
    forget(o->slot);
    if (o->gzip_ready) deflateEnd(&o->gzip);
    ZSTD_freeCCtx(o->zstd);
    ksda_i_free(o->ctx, o->text);
    ksda_i_free(o->ctx, o->packed);
    ksda_i_free(o->ctx, o->buffer);
    ksda_i_free(o->ctx, o->path);
    ksda_i_free(o->ctx, o);
}

static ksda_status finish(ksda_i_output *o) {
    const char *name = strcmp(o->path, "-") == 0 ? "<stdout>" : o->path;
    if (o->in_memory) flush_block(o, false);
    if (o->fd >= 0) {
        flush_block(o, true);
        if (o->error == 0 && (o->temporary[0] || o->stretch) && fsync(o->fd) != 0) o->error = errno;
        if (close(o->fd) != 0 && o->error == 0) o->error = errno;
        o->fd = -1;
    }
    if (o->error == ENOMEM && o->in_memory) return KSDA_NOMEM; /* the allocation has set the error */
    if (o->error) return io_error(o->ctx, name, "writing failed", o->error);
    return o->broken ? ksda_i_error_at(o->ctx, KSDA_INTERNAL, name, 0, 0, "compressing failed") : KSDA_OK;
}

ksda_status ksda_i_output_settle(ksda_i_output *o, const char **temporary) {
    *temporary = o->temporary[0] ? o->temporary : NULL;
    return *temporary ? finish(o) : KSDA_OK;
}

bool ksda_i_output_is_private(const ksda_i_output *o) {
    return o->private_file;
}

bool ksda_i_output_is_packed(const ksda_i_output *o) {
    return o->packing != PLAIN;
}

/* The outputs that are renamed, private ones first: nothing public is ever there without the map that belongs to it. */
static size_t renamed_ones(ksda_i_output **out, size_t count, ksda_i_output **renamed) {
    size_t found = 0;
    for (int private_file = 1; private_file >= 0; private_file--)
        for (size_t i = 0; i < count; i++)
            if (out[i]->temporary[0] && out[i]->private_file == private_file) renamed[found++] = out[i];
    return found;
}

/* Files before what is written directly: a full disk is told before the last of it is on standard output. */
static ksda_status finish_all(ksda_i_output **out, size_t count) {
    ksda_status status = KSDA_OK;
    for (int direct = 0; direct < 2; direct++)
        for (size_t i = 0; i < count && status >= 0; i++)
            if ((out[i]->temporary[0] == '\0') == direct) status = finish(out[i]);
    return status;
}

ksda_status ksda_i_outputs_commit(ksda_i_output **out, size_t count) {
    ksda_i_output *renamed[KSDA_I_MOST_OUTPUTS];
    ksda_i_replacement file[KSDA_I_MOST_OUTPUTS];
    size_t files, at;
    ksda_status status = count <= KSDA_I_MOST_OUTPUTS ? finish_all(out, count) : KSDA_INTERNAL;
    if (status < 0) return status;
    files = renamed_ones(out, count, renamed);
    for (size_t i = 0; i < files; i++)
        file[i] = (ksda_i_replacement){.temporary = renamed[i]->temporary, .target = renamed[i]->target};
    int error = ksda_i_replace(file, files, &at);
    for (size_t i = 0; i < files; i++) {
        renamed[i]->fate = file[i];
        if (file[i].placed) renamed[i]->temporary[0] = '\0'; /* it is the target now */
    }
    return error ? io_error(renamed[at]->ctx, renamed[at]->path, "writing failed", error) : KSDA_OK;
}

bool ksda_i_output_fate(const ksda_i_output *o, char *text, size_t size) {
    const ksda_i_replacement *f = &o->fate;
    const char *state = f->placed ? "new" : f->aside ? "missing" : "as before";
    if (!o->target[0]) state = "not a file; what was written there is of this run";
    if (f->old[0])
        snprintf(text, size, "%s: %s; the old file is %s", o->path, state, f->old);
    else
        snprintf(text, size, "%s: %s", o->path, state);
    return f->placed || f->old[0];
}

ksda_status ksda_i_output_commit(ksda_i_output *o) {
    ksda_status status = ksda_i_outputs_commit(&o, 1);
    dispose(o);
    return status;
}

ksda_status ksda_i_output_take(ksda_i_output *o, char **data, size_t *size) {
    ksda_status status = finish(o);
    *data = NULL;
    *size = 0;
    if (status >= 0) {
        *data = o->text;
        *size = o->size;
        o->text = NULL;
    }
    dispose(o);
    return status;
}

void ksda_i_output_abandon(ksda_i_output *o) {
    if (o) dispose(o);
}
