/* The encodings of Parquet files, written the slow way by random choices and read again; and cut off at every byte. */
#include "io/parquet_code.h"
#include "io/snappy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TIMES 2000
#define MOST 700

static uint64_t state = 88172645463325252;
static uint64_t any(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
static uint64_t below(uint64_t bound) {
    return any() % bound;
}

static char bytes[1 << 16];
static size_t used;

static void put(unsigned byte) {
    bytes[used++] = (char)byte;
}
static void put_varint(uint64_t number) {
    for (; number >= 128; number >>= 7) put((unsigned)(number & 127) | 128);
    put((unsigned)number);
}
static void put_zigzag(uint64_t number) {
    put_varint((number << 1) ^ -(number >> 63));
}
/* Bit by bit. */
static void put_bits(const uint64_t *value, uint64_t count, unsigned width) {
    size_t size = (count * width + 7) / 8;
    memset(bytes + used, 0, size);
    for (uint64_t bit = 0; bit < count * width; bit++)
        bytes[used + bit / 8] |= (char)((value[bit / width] >> bit % width & 1) << bit % 8);
    used += size;
}

/* Fewer bytes are never enough, and never read beyond. Each cut stands at the end of a block of its own. */
static const char *at_the_end(size_t size, char **block) {
    *block = malloc(size ? size : 1);
    memcpy(*block, bytes, size);
    return *block;
}

static void runs_and_groups(void **unused) {
    static uint64_t wanted[MOST + 8];
    static uint32_t found[MOST];
    (void)unused;
    for (int t = 0; t < TIMES; t++) {
        unsigned width = (unsigned)below(33);
        uint64_t count = below(MOST), done = 0, mask = (UINT64_C(1) << width) - 1;
        char *block;
        used = 0;
        while (done < count) {
            uint64_t left = count - done, groups = 1 + below((left + 7) / 8), run = 1 + below(left);
            if (below(2)) {
                put_varint(groups << 1 | 1);
                for (uint64_t i = 0; i < 8 * groups; i++) wanted[done + i] = any() & mask;
                put_bits(wanted + done, 8 * groups, width);
                done += 8 * groups < left ? 8 * groups : left;
            } else {
                uint64_t value = any() & mask;
                put_varint(run << 1);
                for (unsigned i = 0; i < (width + 7) / 8; i++) put((unsigned)(value >> 8 * i & 255));
                for (uint64_t i = 0; i < run; i++) wanted[done++] = value;
            }
        }
        const char *data = at_the_end(used, &block),
                   *end = ksda_i_parquet_hybrid(data, data + used, width, count, found);
        assert_ptr_equal(end, data + used);
        for (uint64_t i = 0; i < count; i++) assert_int_equal(found[i], wanted[i]);
        free(block);
        size_t cut = used ? below(used) : 0;
        data = at_the_end(cut, &block);
        if (count > 0) assert_null(ksda_i_parquet_hybrid(data, data + cut, width, count, found));
        free(block);
    }
}

static unsigned bits_of(uint64_t number) {
    unsigned bits = 0;
    for (; number; number >>= 1) bits++;
    return bits;
}

static void put_deltas(const uint64_t *value, uint64_t count) {
    uint64_t each = 32 * (1 + below(2)), minis = 1 + below(4), delta[64];
    put_varint(each * minis), put_varint(minis), put_varint(count), put_zigzag(count ? value[0] : 0);
    for (uint64_t at = 1; at < count;) {
        uint64_t least = value[at] - value[at - 1];
        for (uint64_t i = at; i < count && i < at + each * minis; i++)
            if ((int64_t)(value[i] - value[i - 1]) < (int64_t)least) least = value[i] - value[i - 1];
        put_zigzag(least);
        size_t widths = used;
        for (uint64_t k = 0; k < minis; k++) put(0);
        for (uint64_t k = 0; k < minis && at < count; k++) {
            uint64_t all = 0;
            memset(delta, 0, sizeof delta);
            for (uint64_t i = 0; i < each && at < count; i++, at++) all |= delta[i] = value[at] - value[at - 1] - least;
            bytes[widths + k] = (char)bits_of(all);
            put_bits(delta, each, bits_of(all));
        }
    }
}

static void deltas(void **unused) {
    static uint64_t wanted[MOST], found[MOST];
    (void)unused;
    for (int t = 0; t < TIMES; t++) {
        uint64_t count = below(MOST), large = below(3) ? UINT64_C(1) << below(63) : 0;
        char *block;
        used = 0;
        for (uint64_t i = 0; i < count; i++) wanted[i] = large ? (i ? wanted[i - 1] : 0) + below(large) : any();
        put_deltas(wanted, count);
        const char *data = at_the_end(used, &block);
        assert_ptr_equal(ksda_i_parquet_delta(data, data + used, count, found), data + used);
        assert_memory_equal(found, wanted, count * sizeof *found);
        assert_null(ksda_i_parquet_delta(data, data + used, count + 1, found));
        free(block);
        size_t cut = below(used);
        data = at_the_end(cut, &block);
        assert_null(ksda_i_parquet_delta(data, data + cut, count, found));
        free(block);
    }
}

static void put_literal(char *text, size_t *size, size_t length) {
    if (length <= 60)
        put((unsigned)(length - 1) << 2);
    else
        put(61 << 2), put((unsigned)(length - 1) & 255), put((unsigned)(length - 1) >> 8);
    for (size_t i = 0; i < length; i++) put((unsigned)(unsigned char)(text[*size + i] = (char)any()));
    *size += length;
}

static void put_copy(char *text, size_t *size) {
    size_t offset = 1 + below(*size), length = 1 + below(64), bytes_of_offset = below(2) ? 2 : 4;
    if (offset < 2048 && length >= 4 && length < 12) {
        put((unsigned)(1 | (length - 4) << 2 | offset >> 8 << 5)), put((unsigned)offset & 255);
    } else {
        put((unsigned)((bytes_of_offset == 2 ? 2 : 3) | (length - 1) << 2));
        for (size_t i = 0; i < bytes_of_offset; i++) put((unsigned)(offset >> 8 * i & 255));
    }
    for (size_t i = 0; i < length; i++) text[*size + i] = text[*size + i - offset];
    *size += length;
}

static void snappy(void **unused) {
    static char wanted[1 << 15], found[1 << 15], elements[1 << 16];
    (void)unused;
    for (int t = 0; t < TIMES; t++) {
        size_t size = 0, made;
        char *block;
        used = 0;
        for (uint64_t left = below(30); left > 0; left--) {
            if (size == 0 || below(2))
                put_literal(wanted, &size, 1 + below(300));
            else
                put_copy(wanted, &size);
        }
        made = used;
        memcpy(elements, bytes, made);
        used = 0;
        put_varint(size);
        memcpy(bytes + used, elements, made);
        used += made;
        const char *data = at_the_end(used, &block);
        assert_true(ksda_i_unsnappy(data, used, found, size));
        assert_memory_equal(found, wanted, size);
        assert_false(ksda_i_unsnappy(data, used, found, size + 1));
        free(block);
        size_t cut = below(used);
        data = at_the_end(cut, &block);
        assert_false(ksda_i_unsnappy(data, cut, found, size));
        free(block);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_groups),
        cmocka_unit_test(deltas),
        cmocka_unit_test(snappy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
