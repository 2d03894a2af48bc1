/* Plain, compressed, piped and damaged input. */
#include "core/random.h"
#include "io/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#define SIZE 3000000
#define SMALL 256

static ksda_ctx *ctx;
static char *text; /* SIZE bytes in lines */
static char folder[] = "/tmp/ksda-source-XXXXXX";
static char path[128];

static const char *file(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void save(const char *name, const void *data, size_t size, const char *mode) {
    FILE *f = fopen(file(name), mode);
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static size_t gzipped(const char *data, size_t size, unsigned char *out, size_t room) {
    z_stream z = {
        .next_in = (unsigned char *)data, .avail_in = (unsigned)size, .next_out = out, .avail_out = (unsigned)room};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static int set_up(void **state) {
    ksda_i_rng r = ksda_i_rng_stream(1, 2, 3);
    unsigned char *packed = malloc(2 * SIZE);
    (void)state;
    text = malloc(SIZE + 1);
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < SIZE; i++)
        text[i] = ksda_i_rng_below(&r, 9) == 0 ? '\n' : (char)('0' + ksda_i_rng_below(&r, 10));
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    save("plain", text, SIZE, "wb");
    size_t half = SIZE / 2, size = gzipped(text, half, packed, 2 * SIZE); /* two members, two frames */
    save("text.gz", packed, size, "wb");
    size = gzipped(text + half, SIZE - half, packed, 2 * SIZE);
    save("text.gz", packed, size, "ab");
    size = ZSTD_compress(packed, 2 * SIZE, text, half, 3);
    save("text.zst", packed, size, "wb");
    size = ZSTD_compress(packed, 2 * SIZE, text + half, SIZE - half, 3);
    save("text.zst", packed, size, "ab");
    free(packed);
    return 0;
}

static int tear_down(void **state) {
    char command[160];
    (void)state;
    ksda_ctx_free(ctx);
    free(text);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0;
}

typedef enum way {
    BY_READ,
    BY_WHOLE,
    BY_BLOCK
} way;

static ksda_status next(ksda_i_source *s, way how, char *buffer, const char **data, size_t *size) {
    *data = buffer;
    if (how == BY_READ) return ksda_i_source_read(s, buffer, 777, size);
    return how == BY_WHOLE ? ksda_i_source_whole(s, data, size) : ksda_i_source_block(s, data, size);
}

static void assert_is_text(ksda_i_source *s, way how, bool peek) {
    static char buffer[777];
    const char *data;
    size_t size, at = 0;
    if (peek) {
        assert_int_equal(ksda_i_source_peek(s, &data, &size), KSDA_OK);
        assert_int_equal(size, 65536);
        assert_memory_equal(data, text, size);
    }
    do {
        assert_int_equal(next(s, how, buffer, &data, &size), KSDA_OK);
        assert_true(at + size <= SIZE);
        assert_memory_equal(data, text + at, size);
        at += size;
        if (how == BY_BLOCK && at < SIZE) assert_int_equal(text[at - 1], '\n');
    } while (size > 0 && how != BY_WHOLE);
    assert_int_equal(at, SIZE);
    ksda_i_source_close(ctx, s);
}

static void all_faces_show_the_same_bytes(void **state) {
    static const char *const names[] = {"plain", "text.gz", "text.zst"};
    (void)state;
    for (int i = 0; i < 3; i++)
        for (way how = BY_READ; how <= BY_BLOCK; how++)
            for (int peek = 0; peek < 2; peek++) {
                ksda_i_source *s;
                assert_int_equal(ksda_i_source_open(ctx, file(names[i]), &s), KSDA_OK);
                assert_is_text(s, how, peek);
            }
}

static void standard_input_is_no_different(void **state) {
    static const char *const names[] = {"plain", "text.gz", "text.zst"};
    int keep = dup(STDIN_FILENO);
    (void)state;
    for (int i = 0; i < 3; i++)
        for (way how = BY_READ; how <= BY_BLOCK; how++)
            for (int piped = 0; piped < 2; piped++) {
                ksda_i_source *s;
                char command[160];
                snprintf(command, sizeof command, "cat %s", file(names[i]));
                FILE *in = piped ? popen(command, "r") : fopen(file(names[i]), "r");
                assert_non_null(in);
                dup2(fileno(in), STDIN_FILENO);
                assert_int_equal(ksda_i_source_open(ctx, "-", &s), KSDA_OK);
                assert_string_equal(ksda_i_source_name(s), "<stdin>");
                assert_is_text(s, how, how != BY_BLOCK);
                if (piped)
                    pclose(in);
                else
                    fclose(in);
            }
    dup2(keep, STDIN_FILENO);
    close(keep);
}

static void read_to_failure(const char *name, ksda_status wanted, const char *message) {
    ksda_i_source *s;
    const char *data;
    size_t size = 1;
    ksda_status status = ksda_i_source_open(ctx, file(name), &s);
    while (status >= 0 && size > 0) status = ksda_i_source_block(s, &data, &size);
    assert_int_equal(status, wanted);
    assert_string_equal(ksda_ctx_error(ctx)->source, file(name));
    if (!strstr(ksda_ctx_error(ctx)->message, message)) fail_msg("%s: %s", name, ksda_ctx_error(ctx)->message);
    ksda_i_source_close(ctx, s);
}

static void damage_is_told(void **state) {
    static const char *const names[] = {"text.gz", "text.zst"};
    char *packed = malloc(SIZE);
    (void)state;
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(file(names[i]), "rb");
        size_t size = fread(packed, 1, SIZE, f);
        fclose(f);
        for (size_t cut = 3; cut < size;
             cut = cut * 3 / 2) { /* a cut between the two members would be fine: not hit here */
            save("cut", packed, cut + (i == 1), "wb");
            read_to_failure("cut", KSDA_PARSE, "truncated");
        }
        save("cut", packed, size - 1, "wb");
        read_to_failure("cut", KSDA_PARSE, "truncated");
        save("more", packed, size, "wb");
        save("more", "garbage", 7, "ab");
        read_to_failure("more", KSDA_PARSE, "trailing garbage");
        memset(packed + size / 4, 0x55, 1000);
        save("bad", packed, size, "wb");
        read_to_failure("bad", KSDA_PARSE, "damaged");
    }
    free(packed);
}

static void what_cannot_be_opened(void **state) {
    (void)state;
    read_to_failure("absent", KSDA_IO, "No such file");
    read_to_failure(".", KSDA_IO, "Is a directory");
    if (geteuid() != 0) {
        save("secret", "1 2\n", 4, "wb");
        chmod(file("secret"), 0);
        read_to_failure("secret", KSDA_IO, "Permission denied");
    }
}

static void marks_and_empty_files(void **state) {
    ksda_i_source *s;
    const char *data;
    size_t size;
    (void)state;
    save("mark",
         "\xef\xbb\xbf"
         "1 2\n",
         7, "wb");
    assert_int_equal(ksda_i_source_open(ctx, file("mark"), &s), KSDA_OK);
    assert_int_equal(ksda_i_source_whole(s, &data, &size), KSDA_OK);
    assert_int_equal(size, 4);
    assert_memory_equal(data, "1 2\n", 4);
    ksda_i_source_close(ctx, s);
    save("empty", "", 0, "wb");
    assert_int_equal(ksda_i_source_open(ctx, file("empty"), &s), KSDA_OK);
    assert_int_equal(ksda_i_source_peek(s, &data, &size), KSDA_OK);
    assert_int_equal(size, 0);
    assert_int_equal(ksda_i_source_block(s, &data, &size), KSDA_OK);
    assert_int_equal(size, 0);
    ksda_i_source_close(ctx, s);
}

/* What reading in steps of that size comes to: a status, and the bytes where it is KSDA_OK. packet > 0: the raw bytes
 * come in that many at a time. */
static ksda_status outcome_of(const unsigned char *data, size_t size, size_t step, size_t packet, char *got,
                              size_t *length) {
    static char room[1 << 16];
    ksda_i_source *s;
    ksda_status status;
    size_t part = 1;
    *length = 0;
    if (packet == 0) {
        status = ksda_i_source_memory(ctx, "memory", data, size, &s);
    } else {
        int ends[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
        for (size_t at = 0; at < size; at += packet) {
            size_t now = size - at < packet ? size - at : packet;
            assert_int_equal(write(ends[1], data + at, now), now);
        }
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        status = ksda_i_source_open(ctx, "-", &s);
    }
    while (status >= 0 && part > 0) {
        status = ksda_i_source_read(s, room, step, &part);
        if (status >= 0 && *length + part <= SMALL) memcpy(got + *length, room, part);
        if (status >= 0) *length += part;
    }
    ksda_i_source_close(ctx, s);
    return status;
}

static void assert_step_does_not_matter(const unsigned char *data, size_t size, bool packets) {
    static const size_t steps[] = {1, 7, 64, 1000, 1 << 16};
    static char one[SMALL], other[SMALL];
    size_t length, same;
    ksda_status status = outcome_of(data, size, 1 << 16, 0, one, &length);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t packet = 0; packet < (packets ? 4 : 1); packet++) {
            ksda_status again = outcome_of(data, size, steps[i], packet, other, &same);
            if (again != status) fail_msg("%d in large steps, %d in steps of %zu", status, again, steps[i]);
            if (status < 0) continue;
            assert_int_equal(same, length);
            assert_memory_equal(one, other, length < SMALL ? length : SMALL);
        }
}

/* Two members or frames, and between them what the format allows there. */
static size_t small_archive(int kind, unsigned char *out, size_t room) {
    static const unsigned char skippable[] = {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
    size_t size;
    if (kind == 0) {
        size = gzipped(text, 90, out, room);
        return size + gzipped(text + 90, 30, out + size, room - size);
    }
    ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, kind == 1);
    ZSTD_CCtx_setParameter(z, ZSTD_c_contentSizeFlag, kind != 3);
    size = ZSTD_compress2(z, out, room, text, 90);
    memcpy(out + size, skippable, sizeof skippable);
    size += sizeof skippable;
    size += ZSTD_compress2(z, out + size, room - size, text + 90, 30);
    ZSTD_freeCCtx(z);
    return size;
}

static void damage_does_not_depend_on_the_step(void **state) {
    static const unsigned char shorter_than_told[] = {0x28, 0xb5, 0x2f, 0xfd, 0x70, 0xff, 0xff, 0x01, 0x00, 0x00};
    static const unsigned char disguised[] = {0x28, 0xb5, 0x2f, 0xfd, 0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0, 1, 0, 0};
    unsigned char archive[1024], changed[1024];
    char got[SMALL];
    size_t length;
    int keep = dup(STDIN_FILENO);
    (void)state;
    for (size_t step = 1; step <= 1 << 16; step *= 2)
        assert_int_equal(outcome_of(shorter_than_told, sizeof shorter_than_told, step, 0, got, &length), KSDA_PARSE);
    assert_step_does_not_matter(disguised, sizeof disguised, true);
    for (int kind = 0; kind < 4; kind++) {
        size_t size = small_archive(kind, archive, sizeof archive), whole = 0;
        assert_int_equal(outcome_of(archive, size, 7, 1, got, &length), KSDA_OK);
        assert_int_equal(length, 120);
        for (size_t cut = 4; cut <= size; cut++) {
            assert_step_does_not_matter(archive, cut, cut % 16 == 0);
            whole += outcome_of(archive, cut, 64, 0, got, &length) == KSDA_OK;
        }
        assert_int_equal(whole, kind == 0 ? 2 : 3); /* cuts between members or frames */
        for (size_t bit = 0; bit < 8 * size; bit++) {
            memcpy(changed, archive, size);
            changed[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_step_does_not_matter(changed, size, bit % 64 == 0);
        }
    }
    dup2(keep, STDIN_FILENO);
    close(keep);
}

static void sixteen_bit_text_is_refused(void **state) {
    (void)state;
    save("little", "\xff\xfe\x31\0\x20\0\x32\0\n\0", 10, "wb");
    read_to_failure("little", KSDA_PARSE, "UTF-16");
    save("big", "\xfe\xff\0\x31\0\x20\0\x32\0\n", 10, "wb");
    read_to_failure("big", KSDA_PARSE, "UTF-16");
    save("bare", "\x31\0\x20\0\x32\0\n\0", 8, "wb");
    read_to_failure("bare", KSDA_PARSE, "UTF-16");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_faces_show_the_same_bytes),
        cmocka_unit_test(standard_input_is_no_different),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(damage_does_not_depend_on_the_step),
        cmocka_unit_test(sixteen_bit_text_is_refused),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(marks_and_empty_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
