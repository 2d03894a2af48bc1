/* Bytes from anywhere. A plain file is mapped, so that several threads can parse it where it lies; gzip and zstd are
 * told by their first bytes and unpacked as they are read, so that a huge archive never stands in memory as text.
 *
 * Two layers: raw bytes (a map, or read() into a buffer) and, over them, the decoder; where the text is not UTF-8, what
 * the decoder gives is recoded. Readers see one of three faces:
 * a stream (read), one block (whole), or blocks that end at line ends (block), which is what the line formats use.
 * A file that shrinks while it is mapped kills the process, as with every program that maps files. */
#include "io/source.h"

#include "io/encoding.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define RAW_SIZE ((size_t)1 << 18)   /* of one read() */
#define CODED_SIZE ((size_t)1 << 16) /* bytes that are recoded at a time */
#define PEEK_SIZE ((size_t)1 << 16)
#define STREAM_BLOCK ((size_t)1 << 23) /* text of a stream that is parsed at a time */
#define MAPPED_BLOCK ((size_t)1 << 26)
#define FRAME_HEADER 18 /* bytes of a zstd frame's header, at most */

typedef enum coding {
    CODING_PLAIN,
    CODING_GZIP,
    CODING_ZSTD
} coding;

struct ksda_i_source {
    ksda_ctx *ctx;
    char *name;
    int fd; /* -1: none */
    bool close_fd;
    bool bytes;            /* no text: nothing is told by the first ones */
    const char *map;       /* all raw bytes, or NULL */
    size_t map_size, stop; /* stop: readers of a plain map see no more; map_size but for a share */
    void *mapping;         /* to unmap */
    size_t given;          /* raw bytes of the map handed to the decoder, or taken by readers of a plain map */
    uint64_t raw_done, raw_total;
    char *raw; /* [RAW_SIZE] when there is no map */
    coding coding;
    const char *next; /* raw bytes the decoder has not seen yet */
    size_t left;
    z_stream gzip;
    ZSTD_DStream *zstd;
    unsigned char head[FRAME_HEADER]; /* the first bytes of the frame, head_size of them */
    size_t head_size;
    uint64_t frame_size; /* bytes that the frame has given */
    bool between;        /* the decoder stands between two members or frames */
    bool ended;
    ksda_i_recoder recoder;
    char *coded;   /* [CODED_SIZE] as they were decoded, where the text is not UTF-8 */
    char *recoded; /* [KSDA_I_RECODED * (CODED_SIZE + 4)] recoded and not read yet: from recoded_at to recoded_size */
    size_t recoded_at, recoded_size;
    char *peek; /* [PEEK_SIZE] decoded and not read yet: peek[peek_at .. peek_size - 1] */
    size_t peek_at, peek_size;
    char *block; /* what whole() and block() hand out */
    size_t block_capacity, block_used, block_given;
};

static ksda_status damaged(ksda_i_source *s, const char *what) {
    return ksda_i_error_at(s->ctx, KSDA_PARSE, s->name, 0, 0, "%s", what);
}

static ksda_status system_error(ksda_i_source *s, const char *doing) {
    return ksda_i_error_at(s->ctx, KSDA_IO, s->name, 0, 0, "cannot %s: %s", doing, strerror(errno));
}

/* --- raw bytes --------------------------------------------------------------------------------------------------- */

/* Wait for something to read, a tenth of a second at a time while there is a deadline; false when it is over. */
static bool await_input(ksda_i_source *s) {
    struct pollfd what = {.fd = s->fd, .events = POLLIN};
    while (s->ctx->end > 0 && poll(&what, 1, 100) == 0)
        if (ksda_i_cancelled(s->ctx)) return false;
    return true;
}

/* Let next and left show more raw bytes; left stays 0 at the end. */
static ksda_status refill(ksda_i_source *s) {
    if (s->map) {
        s->next = s->map + s->given;
        s->left = s->map_size - s->given < RAW_SIZE ? s->map_size - s->given : RAW_SIZE;
        s->given += s->left;
    } else if (s->fd >= 0) {
        ssize_t got;
        do {
            got = await_input(s) ? read(s->fd, s->raw, RAW_SIZE) : -1;
        } while (got < 0 && errno == EINTR && !ksda_i_cancelled(s->ctx));
        if (got < 0) return ksda_i_cancelled(s->ctx) ? ksda_i_interrupted(s->ctx) : system_error(s, "be read");
        s->next = s->raw;
        s->left = (size_t)got;
    }
    s->raw_done += s->left;
    return KSDA_OK;
}

/* --- decoders ---------------------------------------------------------------------------------------------------- */

static void *zlib_alloc(void *ctx, unsigned count, unsigned size) {
    return ksda_i_malloc(ctx, count, size);
}
static void zlib_free(void *ctx, void *block) {
    ksda_i_free(ctx, block);
}

static ksda_status decoder_open(ksda_i_source *s) {
    if (s->coding == CODING_GZIP) {
        s->gzip = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = s->ctx};
        int code = inflateInit2(&s->gzip, 15 + 16);
        if (code == Z_OK) return KSDA_OK;
        s->coding = CODING_PLAIN; /* nothing to end */
        return ksda_i_error(s->ctx, code == Z_MEM_ERROR ? KSDA_NOMEM : KSDA_INTERNAL, "zlib cannot be started");
    }
    if (s->coding == CODING_ZSTD) {
        s->zstd = ZSTD_createDStream();
        if (!s->zstd) return ksda_i_error(s->ctx, KSDA_NOMEM, "out of memory for zstd");
        ZSTD_initDStream(s->zstd);
    }
    return KSDA_OK;
}

static ksda_status gunzip(ksda_i_source *s, char *buffer, size_t capacity, size_t *size) {
    z_stream *z = &s->gzip;
    z->next_in = (unsigned char *)s->next;
    z->avail_in = (unsigned)s->left;
    z->next_out = (unsigned char *)buffer;
    z->avail_out = capacity > UINT32_MAX ? UINT32_MAX : (unsigned)capacity;
    unsigned room = z->avail_out;
    if (s->between) { /* another member may follow */
        if (s->left > 0 && (unsigned char)*s->next != 0x1f) return damaged(s, "trailing garbage after the gzip data");
        inflateReset(z);
        s->between = false;
    }
    int code = inflate(z, Z_NO_FLUSH);
    s->next = (const char *)z->next_in;
    s->left = z->avail_in;
    *size = room - z->avail_out;
    if (code == Z_STREAM_END) s->between = true;
    if (code == Z_MEM_ERROR) return ksda_i_error(s->ctx, KSDA_NOMEM, "out of memory for zlib");
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return KSDA_OK;
    return damaged(s, "damaged gzip data");
}

/* A frame has ended: did it hold as many bytes as its header says? zstd does not ask when the last block is empty. */
static ksda_status check_frame(ksda_i_source *s) {
    unsigned long long told = ZSTD_getFrameContentSize(s->head, s->head_size);
    if (told == ZSTD_CONTENTSIZE_UNKNOWN || told == s->frame_size) return KSDA_OK;
    return damaged(s, "damaged zstd data: a frame is not as long as its header says");
}

/* The first bytes of a frame go to zstd one by one. It decodes a frame that lies before it as a whole, with room for
 * all of it, by other code, which accepts and refuses other frames: what a file holds must not depend on how it is
 * read. */
static ksda_status unzstd(ksda_i_source *s, char *buffer, size_t capacity, size_t *size) {
    static const unsigned char magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    if (s->between && s->left > 0) s->head_size = s->frame_size = 0;
    bool beginning = s->left > 0 && s->head_size < FRAME_HEADER;
    ZSTD_inBuffer in = {s->next, beginning ? 1 : s->left, 0};
    ZSTD_outBuffer out = {buffer, capacity, 0};
    bool skippable = s->left > 0 && ((unsigned char)*s->next & 0xf0) == 0x50;
    if (s->between && s->left > 0 && (unsigned char)*s->next != magic[0] && !skippable)
        return damaged(s, "trailing garbage after the zstd data");
    size_t code = ZSTD_decompressStream(s->zstd, &out, &in);
    if (beginning && in.pos) s->head[s->head_size++] = (unsigned char)*s->next;
    s->next += in.pos;
    s->left -= in.pos;
    s->frame_size += out.pos;
    *size = out.pos;
    s->between = code == 0;
    if (ZSTD_isError(code))
        return ksda_i_error_at(s->ctx, KSDA_PARSE, s->name, 0, 0, "damaged zstd data: %s", ZSTD_getErrorName(code));
    return s->between ? check_frame(s) : KSDA_OK;
}

/* Decoded bytes; *size is 0 only at the end. */
static ksda_status decode_bytes(ksda_i_source *s, char *buffer, size_t capacity, size_t *size) {
    ksda_status status = KSDA_OK;
    *size = 0;
    while (*size == 0 && !s->ended && status >= 0) {
        if (s->left == 0 && (status = refill(s)) < 0) break;
        if (s->coding == CODING_PLAIN) {
            *size = s->left < capacity ? s->left : capacity;
            if (*size) memcpy(buffer, s->next, *size);
            s->next += *size;
            s->left -= *size;
            s->ended = *size == 0;
        } else if (s->left == 0 && s->between) {
            s->ended = true;
        } else {
            bool dry = s->left == 0; /* the decoder may still hold bytes; if it gives none, the file is too short */
            status = s->coding == CODING_GZIP ? gunzip(s, buffer, capacity, size) : unzstd(s, buffer, capacity, size);
            if (status >= 0 && dry && *size == 0 && !s->between)
                status = damaged(s, s->coding == CODING_GZIP ? "truncated gzip data" : "truncated zstd data");
        }
    }
    return status;
}

/* Recode some more; nothing is left only at the end. */
static ksda_status recode(ksda_i_source *s) {
    size_t size;
    ksda_status status = KSDA_OK;
    do {
        s->recoded_at = s->recoded_size = 0;
        KSDA_I_TRY(decode_bytes(s, s->coded, CODED_SIZE, &size));
        KSDA_I_TRY(ksda_i_recode(s->ctx, &s->recoder, s->name, s->coded, size, s->recoded, &s->recoded_size));
    } while (s->recoded_size == 0 && size > 0);
done:
    return status;
}

/* Decoded bytes, as UTF-8; *size is 0 only at the end. */
static ksda_status decode(ksda_i_source *s, char *buffer, size_t capacity, size_t *size) {
    ksda_status status = KSDA_OK;
    if (s->recoder.encoding == KSDA_I_UTF_8) return decode_bytes(s, buffer, capacity, size);
    *size = 0;
    if (s->recoded_at == s->recoded_size) status = recode(s);
    if (status < 0) return status;
    *size = s->recoded_size - s->recoded_at < capacity ? s->recoded_size - s->recoded_at : capacity;
    memcpy(buffer, s->recoded + s->recoded_at, *size);
    s->recoded_at += *size;
    return KSDA_OK;
}

/* --- opening ----------------------------------------------------------------------------------------------------- */

void ksda_i_source_close(ksda_ctx *ctx, ksda_i_source *source) {
    if (!source) return;
    if (source->coding == CODING_GZIP) inflateEnd(&source->gzip);
    ZSTD_freeDStream(source->zstd);
    if (source->mapping) munmap(source->mapping, source->map_size);
    if (source->close_fd) close(source->fd);
    ksda_i_free(ctx, source->name);
    ksda_i_free(ctx, source->raw);
    ksda_i_free(ctx, source->coded);
    ksda_i_free(ctx, source->recoded);
    ksda_i_free(ctx, source->peek);
    ksda_i_free(ctx, source->block);
    ksda_i_free(ctx, source);
}

static ksda_status source_new(ksda_ctx *ctx, const char *name, ksda_i_source **out) {
    ksda_i_source *s = ksda_i_calloc(ctx, 1, sizeof *s);
    *out = s;
    if (!s) return KSDA_NOMEM;
    s->ctx = ctx;
    s->fd = -1;
    s->name = ksda_i_malloc(ctx, strlen(name) + 1, 1);
    if (!s->name) return KSDA_NOMEM;
    memcpy(s->name, name, strlen(name) + 1);
    return KSDA_OK;
}

/* The text will be recoded. */
static ksda_status recoder_open(ksda_i_source *s) {
    if (s->recoder.encoding == KSDA_I_UTF_8) return KSDA_OK;
    s->coded = ksda_i_malloc(s->ctx, CODED_SIZE, 1);
    s->recoded = ksda_i_malloc(s->ctx, KSDA_I_RECODED * (CODED_SIZE + 4), 1);
    return s->coded && s->recoded ? KSDA_OK : KSDA_NOMEM;
}

static bool is_called_compressed(const char *name) {
    size_t length = strlen(name);
    return (length > 3 && strcasecmp(name + length - 3, ".gz") == 0) ||
           (length > 4 && strcasecmp(name + length - 4, ".zst") == 0);
}

/* Look at the first bytes: set the decoder up, and pass over a byte order mark. */
static ksda_status start_decoder(ksda_i_source *s) {
    static const unsigned char gzip[2] = {0x1f, 0x8b}, zstd[4] = {0x28, 0xb5, 0x2f, 0xfd}, mark[3] = {0xef, 0xbb, 0xbf};
    ksda_status status = KSDA_OK;
    const char *first = s->map;
    size_t size = s->map_size;
    if (!s->map) { /* a pipe may give fewer bytes than a magic number has: collect four */
        char *raw = s->raw;
        size = 0;
        while (size < 4) {
            s->raw = raw + size;
            status = refill(s);
            s->raw = raw;
            if (status < 0) return status;
            if (s->left == 0) break;
            size += s->left;
        }
        s->next = first = raw;
        s->left = size;
    }
    if (s->bytes && !is_called_compressed(s->name)) return KSDA_OK;
    if (size >= 2 && memcmp(first, gzip, 2) == 0)
        s->coding = CODING_GZIP;
    else if (size >= 4 && memcmp(first, zstd, 4) == 0)
        s->coding = CODING_ZSTD;
    else if (s->bytes)
        return KSDA_OK;
    else if (size >= 3 && memcmp(first, mark, 3) == 0) {
        s->recoder.encoding = KSDA_I_UTF_8; /* whatever was said: this is sure */
        if (s->map)
            s->given = 3;
        else
            s->next += 3, s->left -= 3;
    } else if (s->recoder.encoding == KSDA_I_UTF_8 && ksda_i_is_utf16((const unsigned char *)first, size))
        return ksda_i_error_at(s->ctx, KSDA_PARSE, s->name, 1, 1,
                               "this is UTF-16 or UTF-32, but text must be UTF-8: read it with --encoding utf-16, save "
                               "it as \"CSV UTF-8\", or convert it: iconv -f UTF-16 -t UTF-8 OLD > NEW");
    status = decoder_open(s);
    return status < 0 ? status : recoder_open(s);
}

static ksda_status open_fd(ksda_i_source *s, const char *path) {
    struct stat about;
    bool standard = strcmp(path, "-") == 0;
    s->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0) return system_error(s, "be opened");
    s->close_fd = !standard;
    if (fstat(s->fd, &about) != 0) return system_error(s, "be opened");
    if (S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return system_error(s, "be read");
    }
    bool at_start = !standard || lseek(s->fd, 0, SEEK_CUR) == 0;
    if (S_ISREG(about.st_mode) && about.st_size > 0 && at_start && (uint64_t)about.st_size <= PTRDIFF_MAX) {
        s->raw_total = (uint64_t)about.st_size;
        void *map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, s->fd, 0);
        if (map != MAP_FAILED) {
            s->map = s->mapping = map;
            s->map_size = s->stop = (size_t)about.st_size;
            madvise(map, s->map_size, MADV_SEQUENTIAL);
            return KSDA_OK;
        }
    }
    s->raw = ksda_i_malloc(s->ctx, RAW_SIZE + 4, 1);
    return s->raw ? KSDA_OK : KSDA_NOMEM;
}

/* bytes: no text. */
static ksda_status source_open(ksda_ctx *ctx, const char *path, bool bytes, const char *encoding, ksda_i_source **out) {
    ksda_i_encoding found;
    *out = NULL;
    ksda_status status = ksda_i_encoding_find(ctx, encoding, &found);
    if (status < 0) return status;
    status = source_new(ctx, strcmp(path, "-") == 0 ? "<stdin>" : path, out);
    if (status >= 0) {
        (*out)->bytes = bytes;
        (*out)->recoder.encoding = found;
        status = open_fd(*out, path);
    }
    if (status >= 0) status = start_decoder(*out);
    if (status < 0) {
        ksda_i_source_close(ctx, *out);
        *out = NULL;
    }
    return status;
}

ksda_status ksda_i_source_open(ksda_ctx *ctx, const char *path, ksda_i_source **out) {
    return source_open(ctx, path, false, NULL, out);
}
ksda_status ksda_i_source_open_text(ksda_ctx *ctx, const char *path, const char *encoding, ksda_i_source **out) {
    return source_open(ctx, path, false, encoding, out);
}
ksda_status ksda_i_source_open_bytes(ksda_ctx *ctx, const char *path, ksda_i_source **out) {
    return source_open(ctx, path, true, NULL, out);
}

static ksda_status source_memory(ksda_ctx *ctx, const char *name, const void *data, size_t size, bool bytes,
                                 ksda_i_source **out) {
    ksda_status status = source_new(ctx, name, out);
    if (status >= 0) {
        (*out)->bytes = bytes;
        (*out)->map = size ? data : "";
        (*out)->map_size = (*out)->stop = size;
        (*out)->raw_total = size;
        status = start_decoder(*out);
    }
    if (status < 0) {
        ksda_i_source_close(ctx, *out);
        *out = NULL;
    }
    return status;
}

ksda_status ksda_i_source_memory(ksda_ctx *ctx, const char *name, const void *data, size_t size, ksda_i_source **out) {
    return source_memory(ctx, name, data, size, false, out);
}
ksda_status ksda_i_source_memory_bytes(ksda_ctx *ctx, const char *name, const void *data, size_t size,
                                       ksda_i_source **out) {
    return source_memory(ctx, name, data, size, true, out);
}

const char *ksda_i_source_name(const ksda_i_source *source) {
    return source->name;
}

void ksda_i_source_position(const ksda_i_source *source, uint64_t *done, uint64_t *total) {
    *done = source->coding == CODING_PLAIN && source->map ? source->given : source->raw_done - source->left;
    *total = source->raw_total;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* A plain map of which nothing went through the decoder: readers may take pieces of it. */
static bool direct(const ksda_i_source *s) {
    return s->map && s->coding == CODING_PLAIN && s->recoder.encoding == KSDA_I_UTF_8 && s->left == 0 &&
           s->peek_size == 0;
}

ksda_status ksda_i_source_peek(ksda_i_source *source, const char **data, size_t *size) {
    ksda_i_source *s = source;
    ksda_status status = KSDA_OK;
    if (direct(s)) {
        *data = s->map + s->given;
        *size = s->stop - s->given < PEEK_SIZE ? s->stop - s->given : PEEK_SIZE;
        return KSDA_OK;
    }
    if (!s->peek && !(s->peek = ksda_i_malloc(s->ctx, PEEK_SIZE, 1))) return KSDA_NOMEM;
    if (s->peek_at > 0) {
        memmove(s->peek, s->peek + s->peek_at, s->peek_size - s->peek_at);
        s->peek_size -= s->peek_at;
        s->peek_at = 0;
    }
    while (status >= 0 && s->peek_size < PEEK_SIZE) {
        size_t got;
        status = decode(s, s->peek + s->peek_size, PEEK_SIZE - s->peek_size, &got);
        if (got == 0) break;
        s->peek_size += got;
    }
    *data = s->peek;
    *size = s->peek_size;
    return status;
}

ksda_status ksda_i_source_read(ksda_i_source *source, char *buffer, size_t capacity, size_t *size) {
    ksda_i_source *s = source;
    if (s->peek_at < s->peek_size) {
        *size = s->peek_size - s->peek_at < capacity ? s->peek_size - s->peek_at : capacity;
        memcpy(buffer, s->peek + s->peek_at, *size);
        s->peek_at += *size;
        return KSDA_OK;
    }
    return decode(s, buffer, capacity, size);
}

const char *ksda_i_source_mapped(ksda_i_source *source, size_t *size) {
    if (!direct(source)) return NULL;
    *size = source->stop - source->given;
    return source->map + source->given;
}

/* Fill block up to its capacity; *end tells that nothing follows. */
static ksda_status fill_block(ksda_i_source *s, bool *end) {
    *end = false;
    while (s->block_used < s->block_capacity && !*end) {
        size_t got;
        ksda_status status = ksda_i_source_read(s, s->block + s->block_used, s->block_capacity - s->block_used, &got);
        if (status >= 0) status = ksda_i_interrupted(s->ctx);
        if (status < 0) return status;
        s->block_used += got;
        *end = got == 0;
    }
    return KSDA_OK;
}

ksda_status ksda_i_source_whole(ksda_i_source *source, const char **data, size_t *size) {
    ksda_i_source *s = source;
    bool end = false;
    *size = 0;
    if ((*data = ksda_i_source_mapped(s, size)) != NULL) {
        s->given = s->stop;
        return KSDA_OK;
    }
    while (!end) {
        if (s->block_used == s->block_capacity) {
            size_t wanted = s->block_capacity ? 2 * s->block_capacity : PEEK_SIZE;
            char *bigger = ksda_i_realloc(s->ctx, s->block, wanted, 1);
            if (!bigger) return KSDA_NOMEM;
            s->block = bigger;
            s->block_capacity = wanted;
        }
        ksda_status status = fill_block(s, &end);
        if (status < 0) return status;
    }
    *data = s->block;
    *size = s->block_used;
    return KSDA_OK;
}

ksda_status ksda_i_source_text(ksda_i_source *source, ksda_i_text *t) {
    size_t size;
    ksda_status status = ksda_i_source_whole(source, &t->begin, &size);
    if (status < 0) return status;
    t->at = t->begin, t->end = t->begin + size;
    return status;
}

/* The length of data up to and with its last line end, or all of it when there is none. */
static size_t to_line_end(const char *data, size_t size) {
    const char *last = size ? memrchr(data, '\n', size) : NULL;
    return last ? (size_t)(last - data) + 1 : size;
}

static void map_block(ksda_i_source *s, const char **data, size_t *size) {
    size_t left = s->stop - s->given;
    *data = s->map + s->given;
    *size = left <= MAPPED_BLOCK ? left : to_line_end(*data, MAPPED_BLOCK);
    s->given += *size;
}

ksda_status ksda_i_source_block(ksda_i_source *source, const char **data, size_t *size) {
    ksda_i_source *s = source;
    bool end;
    *data = "", *size = 0;
    if (direct(s)) {
        map_block(s, data, size);
        return KSDA_OK;
    }
    if (!s->block) {
        s->block = ksda_i_malloc(s->ctx, STREAM_BLOCK, 1);
        if (!s->block) return KSDA_NOMEM;
        s->block_capacity = STREAM_BLOCK;
    }
    s->block_used -= s->block_given; /* the last piece of a line, left over from the block before */
    memmove(s->block, s->block + s->block_given, s->block_used);
    s->block_given = 0;
    ksda_status status = fill_block(s, &end);
    if (status < 0) return status;
    *data = s->block;
    *size = s->block_given = end ? s->block_used : to_line_end(s->block, s->block_used);
    return KSDA_OK;
}

/* --- shares --------------------------------------------------------------------------------------------------------
 */

static ksda_status must_be_plain(ksda_i_source *s) {
    const char *first;
    size_t size;
    if (direct(s)) return KSDA_OK;
    ksda_status status = ksda_i_source_peek(s, &first, &size);
    if (status < 0 || size == 0) return status; /* nothing to share */
    return ksda_i_error_at(s->ctx, KSDA_UNSUPPORTED, s->name, 0, 0,
                           "only a plain file in UTF-8 can be read by several processes, each its share: unpack or "
                           "convert it; `ksda` reads it as it is, on one machine");
}

/* Where the rank-th of count shares of the bytes from begin on begins. */
static size_t share_at(const ksda_i_source *s, size_t begin, size_t unit, uint32_t rank, uint32_t count) {
    size_t units = (s->map_size - begin) / unit;
    return rank == count ? s->map_size : begin + (units / count * rank + units % count * rank / count) * unit;
}

/* The first line that begins at this place or behind it. */
static size_t next_line(const ksda_i_source *s, size_t begin, size_t at) {
    if (at <= begin) return begin;
    const char *end = memchr(s->map + at - 1, '\n', s->map_size - at + 1);
    return end ? (size_t)(end - s->map) + 1 : s->map_size;
}

ksda_status ksda_i_source_share(ksda_i_source *source, uint64_t lines, uint32_t rank, uint32_t count) {
    ksda_i_source *s = source;
    ksda_status status = must_be_plain(s);
    if (status < 0) return status;
    for (; lines > 0 && s->given < s->map_size; lines--) s->given = next_line(s, s->given, s->given + 1);
    size_t begin = s->given;
    s->given = next_line(s, begin, share_at(s, begin, 1, rank, count));
    s->stop = next_line(s, begin, share_at(s, begin, 1, rank + 1, count));
    return KSDA_OK;
}

ksda_status ksda_i_source_share_records(ksda_i_source *source, size_t record, uint32_t rank, uint32_t count) {
    ksda_i_source *s = source;
    ksda_status status = must_be_plain(s);
    if (status < 0) return status;
    size_t begin = s->given;
    s->given = share_at(s, begin, record, rank, count);
    s->stop = share_at(s, begin, record, rank + 1, count);
    return KSDA_OK;
}

void ksda_i_source_forget(ksda_i_source *source, const char *data, size_t size) {
    if (!source->mapping || data < source->map || data + size > source->map + source->map_size) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), begin = (size_t)(data - source->map) / page * page;
    size_t end = (size_t)(data - source->map) + size;
    if (end < source->map_size) end = end / page * page; /* the next piece begins on the last page */
    if (end > begin) madvise((char *)source->mapping + begin, end - begin, MADV_DONTNEED);
}
