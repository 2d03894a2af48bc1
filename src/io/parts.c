/* The files of a folder. */
#include "io/parts.h"

#include "core/sort.h"
#include "graph/builder.h"
#include "io/extras.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool ksda_i_is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool ksda_i_part_name(const char *folder, uint32_t number, char path[PATH_MAX]) {
    return snprintf(path, PATH_MAX, "%s/part-%05u", folder, number) < PATH_MAX;
}

void ksda_i_parts_note(const ksda_i_parts *parts, const char *together, char *note, size_t size) {
    if (parts->count == 0) return;
    ksda_i_note(note, size, "a folder: %" PRIu64 " file%s read as one %s", parts->count,
                parts->count == 1 ? " is" : "s are", together);
}

void ksda_i_parts_clear(ksda_ctx *ctx, ksda_i_parts *parts) {
    for (uint64_t i = 0; i < parts->count; i++) ksda_i_free(ctx, parts->path[i]);
    ksda_i_free(ctx, parts->path);
    *parts = (ksda_i_parts){.count = 0};
}

static ksda_status no_folder(ksda_ctx *ctx, const char *path, int error) {
    char text[256];
    return ksda_i_error_at(ctx, KSDA_IO, path, 0, 0, "cannot be read: %s", strerror_r(error, text, sizeof text));
}

static ksda_status add_part(ksda_ctx *ctx, const char *folder, const char *name, ksda_i_parts *out) {
    char path[PATH_MAX];
    struct stat st;
    ksda_status status;
    if (name[0] == '.' || name[0] == '_') return KSDA_OK;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX) return no_folder(ctx, folder, ENAMETOOLONG);
    if (stat(path, &st) != 0) return no_folder(ctx, path, errno);
    if (S_ISDIR(st.st_mode))
        return ksda_i_error_at(ctx, KSDA_PARSE, path, 0, 0, "a folder among the files that are read as one network");
    status = ksda_i_reserve(ctx, &out->path, &out->capacity, out->count + 1, sizeof *out->path);
    if (status < 0) return status;
    char *copy = ksda_i_malloc(ctx, strlen(path) + 1, 1);
    if (!copy) return KSDA_NOMEM;
    out->path[out->count++] = strcpy(copy, path);
    return KSDA_OK;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The number of a file that is called as we, Hadoop and Spark call parts (part-00012, part-00012.gz); -1: another
 * name. */
static long part_number(const char *path) {
    unsigned number;
    int length = 0;
    const char *name = strrchr(path, '/') + 1;
    if (sscanf(name, "part-%5u%n", &number, &length) != 1 || length != 10) return -1;
    return name[length] == '\0' || name[length] == '.' ? (long)number : -1;
}

/* Files that were lost on the way, or lie there twice, would give another network, and nobody would notice. */
static ksda_status check_numbers(ksda_ctx *ctx, const char *folder, const ksda_i_parts *parts) {
    long before = -1;
    for (uint64_t i = 0; i < parts->count; i++) {
        long number = part_number(parts->path[i]);
        if (number < 0) continue;
        if (number > before + 1)
            return ksda_i_error_at(ctx, KSDA_PARSE, folder, 0, 0,
                                   "part-%05ld is missing: the next one is there; bring it, or rename the files if "
                                   "they are all",
                                   before + 1);
        if (number == before)
            return ksda_i_error_at(ctx, KSDA_PARSE, parts->path[i], 0, 0,
                                   "part-%05ld is there twice: remove one of the two", number);
        before = number;
    }
    return KSDA_OK;
}

static void drop_empty(ksda_ctx *ctx, ksda_i_parts *parts) {
    uint64_t kept = 0;
    struct stat st;
    for (uint64_t i = 0; i < parts->count; i++)
        if (stat(parts->path[i], &st) == 0 && st.st_size == 0)
            ksda_i_free(ctx, parts->path[i]);
        else
            parts->path[kept++] = parts->path[i];
    parts->count = kept;
}

ksda_status ksda_i_parts_list(ksda_ctx *ctx, const char *folder, ksda_i_parts *out) {
    DIR *open = opendir(folder);
    ksda_status status = KSDA_OK;
    *out = (ksda_i_parts){.count = 0};
    if (!open) return no_folder(ctx, folder, errno);
    for (struct dirent *entry; status >= 0 && (entry = readdir(open)) != NULL;)
        status = add_part(ctx, folder, entry->d_name, out);
    closedir(open);
    if (out->count > 0) ksda_i_sort_by(out->path, out->count, sizeof *out->path, by_name);
    if (status >= 0) status = check_numbers(ctx, folder, out);
    drop_empty(ctx, out);
    if (status >= 0 && out->count == 0)
        status = ksda_i_error_at(ctx, KSDA_IO, folder, 0, 0, "a directory in which no file holds anything");
    if (status < 0) ksda_i_parts_clear(ctx, out);
    return status;
}

ksda_status ksda_i_gathering_builder(ksda_ctx *ctx, ksda_i_builder **out) {
    ksda_i_gathering *g = ctx->gathering;
    if (!g || !g->builder) return ksda_i_builder_new(ctx, ctx->threads, out);
    *out = g->builder;
    g->builder = NULL;
    return KSDA_OK;
}
