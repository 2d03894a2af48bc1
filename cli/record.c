/* The record of a release, for reports: when, by what, from which files to which files, and the guarantee as recounted
 * from what was written. */
#include "record.h"

#include "commit.h" /* made when building: KSDA_COMMIT, a string or NULL */
#include "io/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void cli_record_begin(const cli_run *cli, uint32_t k, ksda_share max_share, const ksda_graph *original,
                      ksda_i_record *r) {
    time_t now = time(NULL);
    struct tm utc;
    *r = (ksda_i_record){.commit = KSDA_COMMIT,
                         .argc = cli->argc,
                         .argv = cli->argv,
                         .k = k,
                         .max_share = max_share,
                         .original = original,
                         .reading = cli->reading,
                         .unassigned = cli->unassigned,
                         .recount = KSDA_INIT(ksda_verification)};
    if (gmtime_r(&now, &utc)) strftime(r->when, sizeof r->when, "%Y-%m-%d %H:%M:%S UTC", &utc);
}

/* --- hashes ------------------------------------------------------------------------------------------------------- */

static ksda_status hash_open(cli_run *cli, int fd, ksda_i_sha256 *hash) {
    char buffer[1 << 16];
    for (;;) {
        ssize_t size = read(fd, buffer, sizeof buffer);
        ksda_status status = ksda_i_interrupted(cli->ctx);
        if (status < 0) return status;
        if (size < 0 && errno != EINTR) return KSDA_IO;
        if (size == 0) return KSDA_OK;
        if (size > 0) ksda_i_sha256_add(hash, buffer, (size_t)size);
    }
}

/* What stands in the file now. What is no file that stays (a pipe, a device, a network built in) has no hash. name:
 * what the user calls it. */
static ksda_status hash_file(cli_run *cli, const char *path, const char *name, char text[KSDA_I_SHA256_TEXT]) {
    ksda_i_sha256 hash;
    struct stat st;
    ksda_status status;
    if (strcmp(path, "-") == 0 || strncmp(path, "builtin:", 8) == 0) return KSDA_OK;
    bool there = stat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode)) return KSDA_OK;
    int fd = there ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ksda_i_sha256_begin(&hash);
    status = fd < 0 ? KSDA_IO : hash_open(cli, fd, &hash);
    if (status == KSDA_IO)
        status = ksda_i_error_at(cli->ctx, KSDA_IO, name, 0, 0, "cannot be read for its hash: %s", strerror(errno));
    if (fd >= 0) close(fd);
    if (status >= 0) ksda_i_sha256_text(&hash, text);
    return status;
}

static ksda_i_output *output_called(const cli_outputs *set, const char *path) {
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(ksda_i_output_path(set->out[i]), path) == 0) return set->out[i];
    return NULL;
}

static ksda_status add_file(cli_run *cli, const cli_file *named, const cli_outputs *set, const char *published,
                            ksda_i_record *r) {
    ksda_i_record_file *f = &r->file[r->files++];
    ksda_i_output *out = named->output ? output_called(set, named->path) : NULL;
    const char *path = named->path;
    ksda_status status = out ? ksda_i_output_settle(out, &path) : KSDA_OK;
    snprintf(f->role, sizeof f->role, "%s", named->role);
    f->path = named->path;
    f->written = named->output;
    f->published = out ? !ksda_i_output_is_private(out) : named->path == published;
    return status < 0 || !path ? status : hash_file(cli, path, named->path, f->sha256);
}

ksda_status cli_record_files(cli_run *cli, const cli_outputs *set, const char *published, ksda_i_record *r) {
    cli_file file[CLI_MOST_FILES + 1];
    size_t count = cli_files_named(cli->command, cli->values, file);
    ksda_status status = KSDA_OK;
    for (size_t i = 0; i < count && r->files < KSDA_I_RECORD_FILES && status >= 0; i++)
        if (strcmp(file[i].role, "--report") != 0) status = add_file(cli, &file[i], set, published, r);
    return status;
}

/* --- reading back ------------------------------------------------------------------------------------------------- */

/* The map as it would be where nobody wants one. */
static ksda_status open_map(cli_run *cli, const ksda_graph *original, const ksda_release *written, char **memory,
                            ksda_i_source **source) {
    ksda_i_output *out;
    size_t size;
    ksda_status status;
    if ((status = ksda_i_output_memory(cli->ctx, &out)) < 0) return status;
    status = ksda_i_write_map(cli->ctx, original, written, out);
    if (status < 0) {
        ksda_i_output_abandon(out);
        return status;
    }
    status = ksda_i_output_take(out, memory, &size);
    return status < 0 ? status : ksda_i_source_memory(cli->ctx, "the map", *memory ? *memory : "", size, source);
}

/* Who is whose, as it was written. */
static ksda_status read_map(cli_run *cli, const cli_written *w, ksda_graph **published, uint32_t **owner) {
    ksda_i_source *source = NULL;
    char *memory = NULL;
    const char *path = NULL;
    ksda_status status = w->map ? ksda_i_output_settle(w->map, &path) : KSDA_OK;
    if (status < 0) return status;
    if (path) return ksda_load_map(cli->ctx, w->original->graph, published, path, owner);
    status = open_map(cli, w->original->graph, w->release, &memory, &source);
    if (status >= 0) status = ksda_i_read_map(cli->ctx, w->original->graph, published, source, owner);
    ksda_i_source_close(cli->ctx, source);
    ksda_free(cli->ctx, memory);
    return status;
}

/* Of vertices that are called 0, 1, ..., as those of a release are, how many; else 0. */
static uint32_t count_range(const ksda_graph *graph) {
    return graph->ids.kind == KSDA_I_IDS_RANGE && graph->ids.first == 0 ? graph->n : 0;
}

ksda_status cli_record_recount(cli_run *cli, const cli_written *w, ksda_i_record *r) {
    ksda_network back = KSDA_INIT(ksda_network);
    ksda_load_options how;
    uint32_t *owner = NULL;
    const char *path;
    ksda_status status = ksda_i_output_settle(w->graph, &path);
    if (status < 0 || !path || ksda_graph_edges(w->release->graph) == 0) return status; /* a list of no edges is none */
    ksda_load_options_init(&how);
    how.format = w->format;
    cli->ctx->halves = true, cli->ctx->expected = count_range(w->release->graph);
    status = ksda_load(cli->ctx, path, &how, &back);
    cli->ctx->halves = false, cli->ctx->expected = 0;
    if (status < 0) goto done;
    KSDA_I_TRY(read_map(cli, w, &back.graph, &owner));
    KSDA_I_TRY(ksda_verify_share(cli->ctx, w->original->graph, w->original->communities, back.graph, owner, r->k,
                                 &r->max_share, &r->recount));
    r->read_back = true;
done:
    ksda_free(cli->ctx, owner);
    ksda_network_clear(cli->ctx, &back);
    return status;
}
