/* Snappy's block format: the unpacked size as a varint, then elements, each a tag: literal bytes, or a copy of bytes
 * that were unpacked before, which may overlap what it makes. */
#include "io/snappy.h"

#include <stdint.h>
#include <string.h>

static uint32_t little(const unsigned char *at, unsigned bytes) {
    uint32_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= (uint32_t)at[i] << (8 * i);
    return number;
}

static bool read_size(const unsigned char **at, const unsigned char *end, size_t *size) {
    *size = 0;
    for (unsigned shift = 0; shift < 35 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;
        *size |= (size_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static void copy_back(char *to, size_t offset, size_t length) {
    const char *from = to - offset;
    if (offset >= length)
        memcpy(to, from, length);
    else
        for (size_t i = 0; i < length; i++) to[i] = from[i];
}

/* Literal bytes: a length up to 60 stands in the tag, a longer one in 1 to 4 bytes behind it. */
static bool literal(const unsigned char **at, const unsigned char *end, char *to, size_t left, size_t *length) {
    unsigned tag = *(*at)++ >> 2, extra = tag >= 60 ? tag - 59 : 0;
    if ((size_t)(end - *at) < extra) return false;
    *length = (size_t)(extra ? little(*at, extra) : tag) + 1;
    *at += extra;
    if (*length > left || *length > (size_t)(end - *at)) return false;
    memcpy(to, *at, *length);
    *at += *length;
    return true;
}

static bool copy_element(const unsigned char **at, const unsigned char *end, char *to, size_t done, size_t left,
                         size_t *length) {
    unsigned tag = *(*at)++, kind = tag & 3, bytes = kind == 3 ? 4 : kind;
    if ((size_t)(end - *at) < bytes) return false;
    size_t offset = little(*at, bytes);
    *length = kind == 1 ? 4 + (tag >> 2 & 7) : 1 + (size_t)(tag >> 2);
    if (kind == 1) offset |= (size_t)(tag >> 5) << 8;
    *at += bytes;
    if (offset == 0 || offset > done || *length > left) return false;
    copy_back(to, offset, *length);
    return true;
}

bool ksda_i_unsnappy(const char *packed, size_t size, char *out, size_t room) {
    const unsigned char *at = (const unsigned char *)packed, *end = at + size;
    size_t told, done = 0;
    if (!read_size(&at, end, &told) || told != room) return false;
    while (at < end) {
        size_t length;
        bool fine = (*at & 3) == 0 ? literal(&at, end, out + done, room - done, &length)
                                   : copy_element(&at, end, out + done, done, room - done, &length);
        if (!fine) return false;
        done += length;
    }
    return done == room;
}
