/* Runs, bit-packed numbers and deltas. */
#include "io/parquet_code.h"

#include <endian.h>
#include <string.h>

static bool varint(const char **at, const char *end, uint64_t *number) {
    *number = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        unsigned char byte = (unsigned char)*(*at)++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static uint64_t zigzag(uint64_t number) {
    return (number >> 1) ^ -(number & 1);
}

/* Eight bytes from at, or as many as there are. */
static inline uint64_t load_word(const char *at, const char *end) {
    uint64_t word = 0;
    if (end - at >= 8)
        memcpy(&word, at, 8);
    else if (end > at)
        memcpy(&word, at, (size_t)(end - at));
    return le64toh(word);
}

/* The i-th number of `width` bits, 64 at most. */
static inline uint64_t unpack(const char *at, const char *end, unsigned width, uint64_t i) {
    uint64_t bit = i * width, mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    const char *from = at + bit / 8;
    unsigned shift = bit % 8;
    uint64_t word = load_word(from, end) >> shift;
    if (shift + width > 64) word |= load_word(from + 8, end) << (64 - shift);
    return word & mask;
}

static const char *decode_run(const char *at, const char *end, unsigned width, uint64_t count, uint32_t *out) {
    unsigned bytes = (width + 7) / 8;
    if ((size_t)(end - at) < bytes) return NULL;
    uint32_t value = (uint32_t)load_word(at, at + bytes);
    if (width < 32 && value >> width) return NULL;
    for (uint64_t i = 0; i < count; i++) out[i] = value;
    return at + bytes;
}

const char *ksda_i_parquet_hybrid(const char *at, const char *end, unsigned width, uint64_t count, uint32_t *out) {
    uint64_t header;
    if (width > 32) return NULL;
    while (count > 0) {
        if (!varint(&at, end, &header) || header >> 1 == 0) return NULL;
        uint64_t some = header >> 1;
        if (header & 1) { /* groups of eight, of which the last may hold more than there are */
            if (width && some > (uint64_t)(end - at) / width) return NULL;
            uint64_t wanted = some > count / 8 ? count : 8 * some;
            for (uint64_t i = 0; i < wanted; i++) out[i] = (uint32_t)unpack(at, end, width, i);
            at += some * width * (width > 0);
            out += wanted, count -= wanted;
        } else {
            if (some > count) return NULL;
            if (!(at = decode_run(at, end, width, some, out))) return NULL;
            out += some, count -= some;
        }
    }
    return at;
}

/* One block: the least delta, a width for each miniblock, the miniblocks as far as numbers are left. */
static const char *delta_block(const char *at, const char *end, uint64_t minis, uint64_t each, uint64_t *left,
                               uint64_t *last, uint64_t **out) {
    uint64_t least;
    if (!varint(&at, end, &least) || (uint64_t)(end - at) < minis) return NULL;
    const unsigned char *width = (const unsigned char *)at;
    least = zigzag(least);
    at += minis;
    for (uint64_t k = 0; k<minis && * left> 0; k++) {
        uint64_t some = each < *left ? each : *left;
        if (width[k] > 64 || each / 8 * width[k] > (uint64_t)(end - at)) return NULL;
        for (uint64_t i = 0; i < some; i++) *(*out)++ = *last += least + unpack(at, end, width[k], i);
        at += each / 8 * width[k];
        *left -= some;
    }
    return at;
}

const char *ksda_i_parquet_delta(const char *at, const char *end, uint64_t count, uint64_t *out) {
    uint64_t block, minis, total, last;
    if (!varint(&at, end, &block) || !varint(&at, end, &minis) || !varint(&at, end, &total) || !varint(&at, end, &last))
        return NULL;
    if (total != count || minis == 0 || block > UINT32_MAX || block % minis || block / minis % 8 || block == 0)
        return NULL;
    last = zigzag(last);
    if (count == 0) return at;
    *out++ = last;
    for (uint64_t left = count - 1; left > 0;)
        if (!(at = delta_block(at, end, minis, block / minis, &left, &last, &out))) return NULL;
    return at;
}
