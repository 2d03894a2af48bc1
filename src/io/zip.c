/* Zip archives. The directory at the end counts, and the local headers only for where the data begins. What a member
 * says of its size is held against its bytes before memory is taken for it (deflate makes at most 1032 of one). */
#include "io/zip.h"

#include <inttypes.h>
#include <zlib.h>

#define END 22       /* bytes of the record at the end, without a comment */
#define LOCATOR 20   /* of what stands before it in zip64 */
#define END64 56     /* of the record that this points to */
#define DIRECTORY 46 /* of an entry of the directory, without names */
#define LOCAL 30
#define MOST_DEFLATED 1032

typedef struct entry {
    uint64_t method, flags, crc, packed, unpacked, offset;
} entry;

ksda_status ksda_i_zip_error(const ksda_i_zip *zip, const char *place, const char *what) {
    return ksda_i_error_at(zip->ctx, KSDA_PARSE, zip->name, 0, 0, "at offset %" PRIu64 ": %s",
                           (uint64_t)(place - zip->data), what);
}

static bool begins(const char *at, const char *mark) {
    return memcmp(at, mark, 4) == 0;
}

/* The record that the end of a zip64 archive points to, or NULL. */
static const char *find_end64(const ksda_i_zip *zip, const char *end) {
    if (end - zip->data < LOCATOR || !begins(end - LOCATOR, "PK\x06\x07")) return NULL;
    uint64_t offset = ksda_i_zip_number(end - LOCATOR + 8, 8);
    if (zip->size < END64 || offset > zip->size - END64 || !begins(zip->data + offset, "PK\x06\x06")) return NULL;
    return zip->data + offset;
}

ksda_status ksda_i_zip_open(ksda_ctx *ctx, ksda_i_source *source, ksda_i_zip *zip) {
    *zip = (ksda_i_zip){.ctx = ctx, .name = ksda_i_source_name(source)};
    ksda_status status = ksda_i_source_whole(source, &zip->data, &zip->size);
    if (status < 0) return status;
    const char *end = zip->data + zip->size - END, *last = end - UINT16_MAX;
    if (zip->size < END) return ksda_i_zip_error(zip, zip->data, "a zip archive expected, but this is too short");
    if (zip->size < END + UINT16_MAX) last = zip->data;
    while (end > last && !begins(end, "PK\x05\x06")) end--;
    if (!begins(end, "PK\x05\x06"))
        return ksda_i_zip_error(zip, zip->data + zip->size,
                                "expected the directory of a zip archive before: it is cut off, or none");
    const char *end64 = find_end64(zip, end);
    uint64_t size = end64 ? ksda_i_zip_number(end64 + 40, 8) : ksda_i_zip_number(end + 12, 4);
    uint64_t offset = end64 ? ksda_i_zip_number(end64 + 48, 8) : ksda_i_zip_number(end + 16, 4);
    if (offset > zip->size || size > zip->size - offset)
        return ksda_i_zip_error(zip, end, "the directory of the archive lies outside of the file");
    zip->directory = zip->data + offset;
    zip->directory_end = zip->directory + size;
    return KSDA_OK;
}

/* Sizes that did not fit, in the order in which they are missing. */
static void read_extra(const char *at, const char *end, entry *e) {
    while (end - at >= 4) {
        uint64_t id = ksda_i_zip_number(at, 2), size = ksda_i_zip_number(at + 2, 2);
        uint64_t *wanted[3] = {&e->unpacked, &e->packed, &e->offset};
        at += 4;
        if (size > (uint64_t)(end - at)) return;
        for (int i = 0; i < 3 && id == 1; i++) {
            if (*wanted[i] != UINT32_MAX || size < 8) continue;
            *wanted[i] = ksda_i_zip_number(at, 8);
            at += 8, size -= 8;
        }
        at += size;
    }
}

static ksda_status find_entry(const ksda_i_zip *zip, const char *name, entry *e, bool *found) {
    const char *at = zip->directory;
    *found = false;
    while (!*found && zip->directory_end - at >= DIRECTORY) {
        if (!begins(at, "PK\x01\x02")) return ksda_i_zip_error(zip, at, "expected an entry of the archive's directory");
        uint64_t length = ksda_i_zip_number(at + 28, 2), extra = ksda_i_zip_number(at + 30, 2);
        uint64_t whole = DIRECTORY + length + extra + ksda_i_zip_number(at + 32, 2);
        if (whole > (uint64_t)(zip->directory_end - at))
            return ksda_i_zip_error(zip, at, "an entry of the archive's directory is cut off");
        *found = length == strlen(name) && memcmp(at + DIRECTORY, name, length) == 0;
        *e = (entry){.flags = ksda_i_zip_number(at + 8, 2),
                     .method = ksda_i_zip_number(at + 10, 2),
                     .crc = ksda_i_zip_number(at + 16, 4),
                     .packed = ksda_i_zip_number(at + 20, 4),
                     .unpacked = ksda_i_zip_number(at + 24, 4),
                     .offset = ksda_i_zip_number(at + 42, 4)};
        if (*found) read_extra(at + DIRECTORY + length, at + DIRECTORY + length + extra, e);
        at += whole;
    }
    return KSDA_OK;
}

static ksda_status inflate_member(const ksda_i_zip *zip, const char *packed, const entry *e, char *out) {
    z_stream z = {.next_in = NULL};
    uint64_t in = 0, done = 0;
    int code = inflateInit2(&z, -15);
    if (code != Z_OK) return ksda_i_error(zip->ctx, KSDA_NOMEM, "out of memory for zlib");
    ksda_status status = KSDA_OK;
    while (code == Z_OK && status >= 0) {
        uint64_t give = e->packed - in < (1 << 20) ? e->packed - in : 1 << 20;
        uint64_t room = e->unpacked - done < (1 << 24) ? e->unpacked - done : 1 << 24;
        z.next_in = (unsigned char *)packed + in, z.avail_in = (unsigned)give;
        z.next_out = (unsigned char *)out + done, z.avail_out = (unsigned)room;
        code = inflate(&z, Z_NO_FLUSH);
        in += give - z.avail_in, done += room - z.avail_out;
        if (code == Z_OK && give == z.avail_in && room == z.avail_out) code = Z_BUF_ERROR;
        status = ksda_i_interrupted(zip->ctx);
    }
    inflateEnd(&z);
    if (status < 0) return status;
    if (code == Z_MEM_ERROR) return ksda_i_error(zip->ctx, KSDA_NOMEM, "out of memory for zlib");
    return code == Z_STREAM_END && done == e->unpacked ? KSDA_OK
                                                       : ksda_i_zip_error(zip, packed, "the deflated data is damaged");
}

static ksda_status check_sum(const ksda_i_zip *zip, const char *place, const entry *e, const char *data) {
    uLong crc = crc32(0, NULL, 0);
    for (uint64_t done = 0; done < e->unpacked;) {
        uint64_t some = e->unpacked - done < (1 << 24) ? e->unpacked - done : 1 << 24;
        crc = crc32(crc, (const unsigned char *)data + done, (unsigned)some);
        done += some;
    }
    return crc == e->crc ? KSDA_OK
                         : ksda_i_zip_error(zip, place, "the checksum of this member is wrong: it is damaged");
}

static ksda_status unpack(const ksda_i_zip *zip, const char *packed, const entry *e, ksda_i_zip_member *m) {
    ksda_status status = KSDA_OK;
    m->size = e->unpacked;
    if (e->method == 0) {
        if (e->packed != e->unpacked) return ksda_i_zip_error(zip, packed, "a stored member has two sizes");
        m->data = packed;
        return check_sum(zip, packed, e, m->data);
    }
    if (e->unpacked / MOST_DEFLATED > e->packed)
        return ksda_i_zip_error(zip, packed, "this member announces far more than it can hold");
    m->owned = ksda_i_malloc(zip->ctx, e->unpacked + 1, 1);
    if (!m->owned) return KSDA_NOMEM;
    KSDA_I_TRY(inflate_member(zip, packed, e, m->owned));
    KSDA_I_TRY(check_sum(zip, packed, e, m->owned));
    m->data = m->owned;
done:
    if (status < 0) ksda_i_free(zip->ctx, m->owned), *m = (ksda_i_zip_member){.data = NULL};
    return status;
}

ksda_status ksda_i_zip_read(const ksda_i_zip *zip, const char *name, ksda_i_zip_member *member) {
    entry e;
    bool found;
    *member = (ksda_i_zip_member){.data = NULL};
    ksda_status status = find_entry(zip, name, &e, &found);
    if (status < 0 || !found) return status;
    if (e.flags & 1 || (e.method != 0 && e.method != 8))
        return ksda_i_error_at(zip->ctx, KSDA_UNSUPPORTED, zip->name, 0, 0,
                               "%s in the archive is %s, which is not read: write it stored or deflated", name,
                               e.flags & 1 ? "encrypted" : "packed in another way");
    if (zip->size < LOCAL || e.offset > zip->size - LOCAL || !begins(zip->data + e.offset, "PK\x03\x04"))
        return ksda_i_zip_error(zip, zip->directory,
                                "the directory of the archive tells of a member that is not there");
    const char *local = zip->data + e.offset;
    uint64_t head = LOCAL + ksda_i_zip_number(local + 26, 2) + ksda_i_zip_number(local + 28, 2);
    if (head > zip->size - e.offset || e.packed > zip->size - e.offset - head)
        return ksda_i_zip_error(zip, local, "this member ends behind the file");
    return unpack(zip, local + head, &e, member);
}
