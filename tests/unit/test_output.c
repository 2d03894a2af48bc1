/* Outputs appear whole or not at all: on every way an output can end, what stands in the folder is what stood there
 * before, or all of the new content, and never a temporary file. */
#include "context.h"
#include "core/random.h"
#include "failing_memory.h"
#include "io/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static char folder[512];

static int enter(void **state) {
    const char *base = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/ksda-output-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) && chmod(folder, 0755) == 0 && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state) {
    char command[600];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static int files(const char *where) {
    DIR *d = opendir(where);
    int count = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

static void spit(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static char *slurp(const char *path, size_t *size) {
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 23);
    assert_non_null(f);
    *size = fread(text, 1, (1 << 23) - 1, f);
    fclose(f);
    return text;
}

static void assert_content(const char *path, const char *expected) {
    size_t size;
    char *text = slurp(path, &size);
    assert_string_equal(text, expected);
    free(text);
}

static mode_t mode_of(const char *path) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static ksda_i_output *opened(ksda_ctx *ctx, const char *path, bool private_file) {
    ksda_i_output *out;
    assert_int_equal(ksda_i_output_open(ctx, path, private_file, &out), KSDA_OK);
    return out;
}

static void a_new_file_appears_at_commit(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    ksda_i_output *out = opened(ctx, "new", false);
    ksda_i_output_text(out, "one ");
    ksda_i_output_number(out, 18446744073709551615u);
    ksda_i_output_format(out, " %d\n", -7);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(ksda_i_output_commit(out), KSDA_OK);
    assert_content("new", "one 18446744073709551615 -7\n");
    assert_int_equal(files("."), 1);
    unlink("new");
    ksda_ctx_free(ctx);
}

static void an_abandoned_output_leaves_the_old_file(void **state) {
    ksda_ctx *ctx = new_ctx();
    char *big = calloc(1, 3000000);
    (void)state;
    spit("old", "kept");
    ksda_i_output *out = opened(ctx, "old", false);
    ksda_i_output_write(out, big, 3000000); /* more than the buffer: some of it is on the disk by now */
    assert_int_equal(files("."), 2);
    ksda_i_output_abandon(out);
    ksda_i_output_abandon(NULL);
    assert_content("old", "kept");
    assert_int_equal(files("."), 1);
    unlink("old");
    free(big);
    ksda_ctx_free(ctx);
}

/* Outputs of one command: all get their names, or all files are what they were. */
static void outputs_appear_together(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    spit("first", "old");
    spit("third", "old");
    for (int fault = 0; fault < 3; fault++) {
        ksda_i_output *out[] = {opened(ctx, "first", false), opened(ctx, "second.gz", true),
                                opened(ctx, "third", false)};
        for (int i = 0; i < 3; i++) ksda_i_output_text(out[i], "new");
        if (fault == 1) assert_int_equal(mkdir("second.gz", 0700), 0);
        if (fault == 2) assert_int_equal(unlink("third") + mkdir("third", 0700), 0);
        assert_int_equal(ksda_i_outputs_commit(out, 3), fault ? KSDA_IO : KSDA_OK);
        for (int i = 0; i < 3; i++) {
            char text[64];
            assert_int_equal(ksda_i_output_fate(out[i], text, sizeof text), fault == 0);
            ksda_i_output_abandon(out[i]);
        }
        assert_content("first", fault ? "old" : "new");
        assert_int_equal(files("."), fault == 2 ? 2 : 3);
        if (fault == 0) assert_int_equal(unlink("second.gz"), 0);
        if (fault == 1) assert_int_equal(rmdir("second.gz"), 0);
        spit("first", "old");
    }
    rmdir("third");
    unlink("first");
    ksda_ctx_free(ctx);
}

/* What a killed run left is not lost by the next one. */
static void old_files_left_by_a_killed_run_are_kept(void **state) {
    ksda_ctx *ctx = new_ctx();
    ksda_i_output *out;
    (void)state;
    spit("map", "new");
    spit("map.ksda-old", "old");
    assert_int_equal(ksda_i_output_open(ctx, "map", true, &out), KSDA_IO);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "map.ksda-old"));
    assert_content("map.ksda-old", "old");
    assert_content("map", "new");
    unlink("map"), unlink("map.ksda-old");
    ksda_ctx_free(ctx);
}

static void modes(void **state) {
    ksda_ctx *ctx = new_ctx();
    mode_t before = umask(027);
    (void)state;
    assert_int_equal(ksda_i_output_commit(opened(ctx, "public", false)), KSDA_OK);
    assert_int_equal(mode_of("public"), 0640);
    assert_int_equal(ksda_i_output_commit(opened(ctx, "private", true)), KSDA_OK);
    assert_int_equal(mode_of("private"), 0600);
    chmod("public", 0664); /* an existing file keeps its mode ... */
    assert_int_equal(ksda_i_output_commit(opened(ctx, "public", false)), KSDA_OK);
    assert_int_equal(mode_of("public"), 0664);
    assert_int_equal(ksda_i_output_commit(opened(ctx, "public", true)),
                     KSDA_OK); /* ... but not when it must be private */
    assert_int_equal(mode_of("public"), 0600);
    umask(before);
    unlink("public");
    unlink("private");
    ksda_ctx_free(ctx);
}

static void a_private_file_is_private_from_the_start(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    ksda_i_output *out = opened(ctx, "secret", true);
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));)
        if (strncmp(e->d_name, ".ksda-", 6) == 0) assert_int_equal(mode_of(e->d_name), 0600);
    closedir(d);
    ksda_i_output_abandon(out);
    ksda_ctx_free(ctx);
}

static void links_are_written_through(void **state) {
    ksda_ctx *ctx = new_ctx();
    struct stat st;
    (void)state;
    mkdir("deep", 0777);
    spit("deep/target", "old");
    assert_int_equal(symlink("deep/target", "link"), 0);
    assert_int_equal(symlink("link", "link-to-link"), 0);
    assert_int_equal(symlink("fresh", "deep/dangling"), 0);
    ksda_i_output *out = opened(ctx, "link-to-link", false);
    ksda_i_output_text(out, "new");
    assert_int_equal(files("deep"), 3); /* the temporary file is beside what will be replaced, on its file system */
    assert_int_equal(ksda_i_output_commit(out), KSDA_OK);
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_content("deep/target", "new");
    out = opened(ctx, "deep/dangling", false);
    ksda_i_output_text(out, "fresh");
    assert_int_equal(ksda_i_output_commit(out), KSDA_OK);
    assert_content("deep/fresh", "fresh");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(ksda_i_output_open(ctx, "loop", false, &out), KSDA_IO);
    assert_null(out);
    assert_int_equal(system("rm -rf deep link link-to-link loop"), 0);
    ksda_ctx_free(ctx);
}

static void assert_refused(ksda_ctx *ctx, const char *path, const char *reason) {
    ksda_i_output *out;
    assert_int_equal(ksda_i_output_open(ctx, path, false, &out), KSDA_IO);
    assert_null(out);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, reason));
    assert_string_equal(ksda_ctx_error(ctx)->source, path);
}

static void refusals_name_path_and_reason(void **state) {
    ksda_ctx *ctx = new_ctx();
    char *long_name = malloc(6000);
    (void)state;
    memset(long_name, 'x', 5999);
    long_name[5999] = '\0';
    mkdir("folder", 0777);
    spit("file", "");
    assert_refused(ctx, "folder", "Is a directory");
    assert_refused(ctx, "absent/out", "No such file or directory");
    assert_refused(ctx, "absent/", "No such file or directory");
    assert_refused(ctx, "file/out", "Not a directory");
    assert_refused(ctx, "", "No such file or directory");
    ksda_i_output *out;
    assert_int_equal(ksda_i_output_open(ctx, long_name, false, &out), KSDA_IO);
    assert_int_equal(files("."), 2);
    assert_int_equal(files("folder"), 0);
    rmdir("folder");
    unlink("file");
    free(long_name);
    ksda_ctx_free(ctx);
}

/* Root may write everywhere, so a child that is nobody tries. */
static void no_permission(void **state) {
    (void)state;
    if (geteuid() != 0) {
        fprintf(stderr, "SKIPPED: no_permission needs root to become nobody\n");
        skip();
    }
    mkdir("locked", 0755);
    spit("locked/theirs", "kept");
    mkdir("open", 0777);
    chmod("open", 0777);
    spit("open/read-only", "kept");
    chmod("open/read-only", 0444);
    pid_t child = fork();
    if (child == 0) {
        ksda_ctx *ctx;
        ksda_i_output *out;
        if (setuid(65534) != 0 || ksda_ctx_new(NULL, &ctx) < 0) _exit(10);
        if (access("open", W_OK) != 0) _exit(77); /* the temporary folder itself is closed to nobody */
        if (ksda_i_output_open(ctx, "locked/out", false, &out) != KSDA_IO) _exit(1);
        if (!strstr(ksda_ctx_error(ctx)->message, "Permission denied")) _exit(2);
        if (ksda_i_output_open(ctx, "open/read-only", false, &out) != KSDA_IO) _exit(3);
        if (!strstr(ksda_ctx_error(ctx)->message, "Permission denied")) _exit(4);
        ksda_ctx_free(ctx);
        _exit(0);
    }
    int result;
    waitpid(child, &result, 0);
    assert_true(WIFEXITED(result));
    if (WEXITSTATUS(result) == 77)
        fprintf(stderr, "SKIPPED: nobody cannot reach the temporary folder\n");
    else
        assert_int_equal(WEXITSTATUS(result), 0);
    assert_content("open/read-only", "kept");
    assert_int_equal(files("locked"), 1);
    assert_int_equal(system("rm -rf locked open"), 0);
}

static void a_full_disk_is_told(void **state) {
    static const char *const device = "/dev/full";
    ksda_ctx *ctx = new_ctx();
    (void)state;
    ksda_i_output *out = opened(ctx, device, false);
    for (int i = 0; i < 200000; i++) ksda_i_output_number(out, (uint64_t)i);
    assert_int_equal(ksda_i_output_commit(out), KSDA_IO);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "No space left on device"));
    assert_string_equal(ksda_ctx_error(ctx)->source, device);
    out = opened(ctx, device, true); /* so little that only the last flush fails */
    ksda_i_output_text(out, "x");
    assert_int_equal(ksda_i_output_commit(out), KSDA_IO);
    ksda_ctx_free(ctx);
}

/* The disk fills up in the middle of a regular file: /dev/full takes the place of the temporary file. */
static void a_failed_write_keeps_the_old_file(void **state) {
    (void)state;
    spit("old", "kept");
    pid_t child = fork();
    if (child == 0) {
        ksda_ctx *ctx;
        ksda_i_output *out;
        char zeros[4096] = {0};
        if (ksda_ctx_new(NULL, &ctx) < 0) _exit(10);
        if (ksda_i_output_open(ctx, "old", false, &out) < 0) _exit(1);
        for (int i = 0; i < 100; i++) ksda_i_output_write(out, zeros, sizeof zeros);
        int full = open("/dev/full", O_WRONLY);
        for (int fd = 3; fd < full; fd++)
            if (fcntl(fd, F_GETFL) >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) dup2(full, fd);
        for (int i = 0; i < 100; i++) ksda_i_output_write(out, zeros, sizeof zeros);
        if (ksda_i_output_commit(out) != KSDA_IO) _exit(2);
        ksda_ctx_free(ctx);
        _exit(0);
    }
    int result;
    waitpid(child, &result, 0);
    assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    assert_content("old", "kept");
    assert_int_equal(files("."), 1);
    unlink("old");
}

static void standard_output(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    fflush(stdout);
    int saved = dup(1), file = open("captured", O_WRONLY | O_CREAT, 0666);
    dup2(file, 1);
    ksda_i_output *out = opened(ctx, "-", false);
    ksda_i_output_text(out, "data");
    ksda_status good = ksda_i_output_commit(out);
    int full = open("/dev/full", O_WRONLY);
    dup2(full, 1);
    out = opened(ctx, "-", false);
    ksda_i_output_text(out, "data");
    ksda_status bad = ksda_i_output_commit(out);
    dup2(saved, 1);
    close(saved), close(file), close(full);
    assert_int_equal(good, KSDA_OK);
    assert_int_equal(bad, KSDA_IO);
    assert_string_equal(ksda_ctx_error(ctx)->source, "<stdout>");
    assert_content("captured", "data");
    unlink("captured");
    ksda_ctx_free(ctx);
}

static void a_pipe_is_written_directly(void **state) {
    ksda_ctx *ctx = new_ctx();
    char got[16] = "";
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    ksda_i_output *out = opened(ctx, "pipe", false);
    assert_int_equal(files("."), 1);
    ksda_i_output_text(out, "through");
    assert_int_equal(ksda_i_output_commit(out), KSDA_OK);
    assert_int_equal(read(reader, got, sizeof got), 7);
    assert_string_equal(got, "through");
    close(reader);
    unlink("pipe");
    ksda_ctx_free(ctx);
}

/* What the numbers 0 .. count-1 and some large ones look like, one a line, by the slow way. */
static char *number_lines(ksda_i_output *out, int count) {
    char *expected = malloc((size_t)count * 2 * 22 + 1), *at = expected;
    ksda_i_rng r = ksda_i_rng_stream(5, 6, 7);
    for (int i = 0; i < count; i++) {
        uint64_t wide = ksda_i_rng_next(&r) >> ksda_i_rng_below(&r, 64);
        ksda_i_output_number(out, (uint64_t)i);
        ksda_i_output_text(out, "\n");
        ksda_i_output_number(out, wide);
        ksda_i_output_text(out, "\n");
        at += sprintf(at, "%d\n%" PRIu64 "\n", i, wide);
    }
    return expected;
}

static void numbers_and_compression(void **state) {
    ksda_ctx *ctx = new_ctx();
    size_t size;
    (void)state;
    static const char *const paths[] = {"n.txt", "n.txt.gz", "n.txt.zst"};
    for (int i = 0; i < 3; i++) {
        ksda_i_output *out = opened(ctx, paths[i], false);
        char *expected = number_lines(out, 100000), *unpacked = calloc(1, 1 << 23);
        size_t length = strlen(expected);
        assert_int_equal(ksda_i_output_commit(out), KSDA_OK);
        char *text = slurp(paths[i], &size);
        if (i == 0) {
            memcpy(unpacked, text, size);
        } else if (i == 1) {
            assert_memory_equal(text, "\x1f\x8b\x08\0\0\0\0\0", 8); /* no name, no time */
            gzFile f = gzopen(paths[i], "rb");
            assert_int_equal(gzread(f, unpacked, (1 << 23) - 1), length);
            assert_int_equal(gzclose(f), Z_OK);
        } else {
            ZSTD_DCtx *z = ZSTD_createDCtx(); /* a stream: the frame does not tell its size */
            ZSTD_outBuffer to = {unpacked, (1 << 23) - 1, 0};
            ZSTD_inBuffer from = {text, size, 0};
            assert_int_equal(ZSTD_decompressStream(z, &to, &from), 0);
            ZSTD_freeDCtx(z);
        }
        assert_string_equal(unpacked, expected);
        free(expected), free(unpacked), free(text);
        unlink(paths[i]);
    }
    ksda_ctx_free(ctx);
}

static void long_formats_and_writes(void **state) {
    ksda_ctx *ctx = new_ctx();
    char *text = malloc(700001);
    (void)state;
    memset(text, 'y', 700000);
    text[700000] = '\0';
    ksda_i_output *out = opened(ctx, "long", false);
    ksda_i_output_format(out, "%s", text);
    ksda_i_output_write(out, "", 0);
    ksda_i_output_write(out, text, 700000);
    assert_int_equal(ksda_i_output_commit(out), KSDA_OK);
    struct stat st;
    assert_int_equal(stat("long", &st), 0);
    assert_int_equal(st.st_size, 1400000);
    unlink("long");
    free(text);
    ksda_ctx_free(ctx);
}

static void an_interrupt_leaves_nothing(void **state) {
    ksda_ctx *ctx = new_ctx();
    ksda_i_output *out[20];
    char name[16];
    (void)state;
    spit("old", "kept");
    for (int i = 0; i < 16; i++) {
        snprintf(name, sizeof name, i ? "f%d" : "old", i);
        out[i] = opened(ctx, name, i & 1);
    }
    assert_int_equal(files("."), 17);
    ksda_i_output_abandon_all();
    assert_int_equal(files("."), 1);
    for (int i = 0; i < 16; i++) ksda_i_output_abandon(out[i]);
    for (int i = 0; i < 20; i++) { /* the places are free again, and more outputs than places still work */
        snprintf(name, sizeof name, "g%d", i);
        out[i] = opened(ctx, name, false);
    }
    for (int i = 0; i < 20; i++) assert_int_equal(ksda_i_output_commit(out[i]), KSDA_OK);
    ksda_i_output_abandon_all();
    assert_int_equal(files("."), 21);
    assert_content("old", "kept");
    assert_int_equal(system("rm -f g* old"), 0);
    ksda_ctx_free(ctx);
}

static const char *failing_path;

static ksda_status write_something(ksda_ctx *ctx) {
    ksda_i_output *out;
    ksda_status status = ksda_i_output_open(ctx, failing_path, false, &out);
    if (status >= 0) {
        ksda_i_output_text(out, "something");
        status = ksda_i_output_commit(out);
    }
    assert_int_equal(files("."), status < 0 ? 0 : 1);
    return status;
}

static ksda_status write_to_memory(ksda_ctx *ctx) {
    ksda_i_output *out;
    char *text;
    size_t size;
    ksda_status status = ksda_i_output_memory(ctx, &out);
    if (status < 0) return status;
    for (uint64_t i = 0; i < 100000; i++) ksda_i_output_number(out, i);
    status = ksda_i_output_take(out, &text, &size);
    if (status >= 0) assert_int_equal(size, 488890);
    ksda_i_free(ctx, text);
    return status;
}

static void every_allocation_may_fail(void **state) {
    static const char *const paths[] = {"a", "a.gz", "a.zst"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        failing_path = paths[i];
        assert_survives_failing_memory(write_something);
        unlink(paths[i]);
    }
    assert_survives_failing_memory(write_to_memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_appears_at_commit),
        cmocka_unit_test(an_abandoned_output_leaves_the_old_file),
        cmocka_unit_test(outputs_appear_together),
        cmocka_unit_test(old_files_left_by_a_killed_run_are_kept),
        cmocka_unit_test(modes),
        cmocka_unit_test(a_private_file_is_private_from_the_start),
        cmocka_unit_test(links_are_written_through),
        cmocka_unit_test(refusals_name_path_and_reason),
        cmocka_unit_test(no_permission),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_failed_write_keeps_the_old_file),
        cmocka_unit_test(standard_output),
        cmocka_unit_test(a_pipe_is_written_directly),
        cmocka_unit_test(numbers_and_compression),
        cmocka_unit_test(long_formats_and_writes),
        cmocka_unit_test(an_interrupt_leaves_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
