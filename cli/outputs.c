/* Several outputs that appear together or not at all. */
#include "publish.h"

#include "graph/peers.h"
#include "io/formats.h"
#include "io/parts.h"

#include <string.h>

const ksda_i_format *cli_output_format(const char *path, const char *format) {
    ksda_format number = cli_format(format);
    return number == KSDA_FORMAT_AUTO ? ksda_i_format_to_write(path) : ksda_i_format_row(number);
}

bool cli_in_parts(const cli_run *cli, const char *path) {
    size_t length = strlen(path);
    return cli->ctx->company && length > 1 && path[length - 1] == '/';
}

int cli_check_parts(cli_run *cli, const char *path, const char *format) {
    const ksda_i_format *row = cli_in_parts(cli, path) ? cli_output_format(path, format) : NULL;
    if (!row || row == &ksda_i_format_edges || ksda_i_format_is_raw(row)) return 0;
    return cli_usage(cli->command, "%s: parts are written as edges, raw32 or raw64, not as %s", path, row->name);
}

ksda_status cli_outputs_open(cli_run *cli, cli_outputs *set, const char *path, bool private_file, ksda_i_output **out) {
    ksda_status status;
    *out = NULL;
    if (set->count == KSDA_I_MOST_OUTPUTS) return KSDA_INTERNAL;
    status = (cli_in_parts(cli, path) ? ksda_i_output_folder : ksda_i_output_open)(cli->ctx, path, private_file, out);
    if (status >= 0) set->out[set->count++] = *out;
    return status;
}

ksda_status cli_outputs_text(cli_run *cli, cli_outputs *set, const char *path, bool private_file, const char *text) {
    ksda_i_output *out;
    ksda_status status = cli_outputs_open(cli, set, path, private_file, &out);
    if (status >= 0) ksda_i_output_text(out, text);
    return status;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

/* The number-th file of a folder that was opened. */
static ksda_status open_part(cli_run *cli, ksda_i_output *folder, uint32_t number, ksda_i_output **out) {
    char path[PATH_MAX];
    const char *temporary;
    ksda_status status = ksda_i_output_settle(folder, &temporary);
    if (status >= 0 && !ksda_i_part_name(temporary, number, path))
        return ksda_i_error(cli->ctx, KSDA_IO, "%s: a name that is too long", ksda_i_output_path(folder));
    return status < 0 ? status : ksda_i_output_open(cli->ctx, path, ksda_i_output_is_private(folder), out);
}

static ksda_status close_part(ksda_i_output *part, ksda_status status) {
    if (status >= 0) return ksda_i_output_commit(part);
    ksda_i_output_abandon(part);
    return status;
}

/* Every process writes its rows; of a network that is at the first one there is one part. */
static ksda_status write_parts(cli_run *cli, ksda_i_output *folder, const ksda_i_format *row, const ksda_graph *graph) {
    ksda_i_output *part;
    const char *temporary;
    ksda_status status = ksda_i_output_settle(folder, &temporary);
    if (status >= 0 && graph->far && graph->far->write)
        return graph->far->write(cli->ctx, graph, temporary, ksda_i_format_number(row));
    if (status >= 0) status = open_part(cli, folder, 0, &part);
    return status < 0 ? status : close_part(part, row->write(cli->ctx, graph, NULL, part));
}

/* Does every process write its stretch of the file? Of what a reader sees as a range of numbers only, on the disk. */
static bool write_together(cli_run *cli, ksda_i_output *out, const char *path, const ksda_i_format *row,
                           const ksda_graph *graph, ksda_status *status) {
    const char *temporary;
    const ksda_i_ids *ids = &graph->ids;
    if (!graph->far || !graph->far->write_file || !row || !row->bytes || ksda_i_output_is_packed(out)) return false;
    if (ids->kind != KSDA_I_IDS_RANGE || ids->first != 0 || !graph->far->may_write_file(graph)) return false;
    *status = ksda_i_output_settle(out, &temporary);
    if (*status < 0) return true;
    if (!temporary) return false;
    *status = graph->far->write_file(cli->ctx, graph, path, temporary, ksda_i_format_number(row));
    return true;
}

ksda_status cli_outputs_graph(cli_run *cli, cli_outputs *set, const char *path, const char *format,
                              const ksda_graph *graph, const ksda_communities *communities, ksda_i_output **out) {
    ksda_status status = cli_outputs_open(cli, set, path, false, out);
    if (status < 0) return status;
    if (!cli_in_parts(cli, path)) {
        if (write_together(cli, *out, path, cli_output_format(path, format), graph, &status)) return status;
        return ksda_i_write_graph(cli->ctx, graph, communities, path, cli_format(format), *out);
    }
    return write_parts(cli, *out, cli_output_format(path, format), graph);
}

ksda_status cli_outputs_map(cli_run *cli, cli_outputs *set, const char *path, const ksda_graph *original,
                            const ksda_release *release, ksda_i_output **out) {
    ksda_status status = cli_outputs_open(cli, set, path, true, out);
    if (status < 0 || !cli_in_parts(cli, path))
        return status < 0 ? status : ksda_i_write_map(cli->ctx, original, release, *out);
    uint64_t n = ksda_graph_vertices(release->graph), count = cli->ctx->company->count;
    for (uint64_t i = 0; i < count && status >= 0; i++) {
        ksda_i_output *part;
        status = open_part(cli, *out, (uint32_t)i, &part);
        if (status >= 0)
            status = close_part(part, ksda_i_write_map_part(cli->ctx, original, release, (uint32_t)(n * i / count),
                                                            (uint32_t)(n * (i + 1) / count), part));
    }
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Something failed, and putting everything back failed too: of each file, which one is it? */
static void tell_fates(cli_run *cli, const cli_outputs *set) {
    char text[3 * PATH_MAX];
    bool told = false;
    for (size_t i = 0; i < set->count; i++) told = ksda_i_output_fate(set->out[i], text, sizeof text) || told;
    if (!told) return;
    cli_bar_clear(cli->bar);
    fputs("ksda: writing failed, and not everything could be put back; this is what is there now:\n", stderr);
    for (size_t i = 0; i < set->count; i++) {
        ksda_i_output_fate(set->out[i], text, sizeof text);
        fprintf(stderr, "  %s\n", text);
    }
}

ksda_status cli_outputs_commit(cli_run *cli, cli_outputs *set) {
    ksda_status status = ksda_i_interrupted(cli->ctx);
    if (status >= 0) status = ksda_i_outputs_commit(set->out, set->count);
    if (status < 0) tell_fates(cli, set);
    cli_outputs_abandon(set);
    return status;
}

void cli_outputs_abandon(cli_outputs *set) {
    for (size_t i = 0; i < set->count; i++) ksda_i_output_abandon(set->out[i]);
    set->count = 0;
}
