/* ksda detect: find communities and write them. */
#include "publish.h"

#include "io/formats.h"

#include <string.h>

typedef struct detect_options {
    const char *how;
    const char *output;
    cli_network_options network; /* columns of the graph only */
} detect_options;

static const detect_options defaults = {.how = "leiden", .output = "-"};

static ksda_status save_communities(cli_run *cli, const char *path, const cli_network *n) {
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status;
    KSDA_I_TRY(cli_outputs_open(cli, &set, path, false, &out));
    KSDA_I_TRY(ksda_i_write_communities(cli->ctx, n->net.graph, n->net.communities, out));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    return status;
}

/* Of the library's report on the network only what is about communities. */
static int tell_json(cli_run *cli, const detect_options *o, const cli_network *n) {
    static const char *const fields[] = {"community_size", "edges_inside", "modularity"};
    json_t *object = cli_json();
    char *report;
    int code = cli_fail(cli, ksda_report_network(cli->ctx, &n->net, NULL, &report));
    json_t *all = code ? NULL : cli_json_read(report);
    ksda_free(cli->ctx, report);
    cli_json_string(object, "method", o->how);
    cli_json_count(object, "seed", ksda_ctx_seed(cli->ctx));
    cli_json_count(object, "communities", ksda_communities_count(n->net.communities));
    cli_json_count(object, "empty_parts", n->empty_parts);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        json_object_set(object, fields[i], json_object_get(all, fields[i]));
    cli_json_real(object, "seconds", n->communities_seconds);
    json_decref(all);
    if (code == 0) return cli_json_print(cli, object);
    json_decref(object);
    return code;
}

static int tell_communities(cli_run *cli, const detect_options *o, const cli_network *n) {
    FILE *out = strcmp(o->output, "-") == 0 ? stderr : stdout;
    const ksda_communities *c = n->net.communities;
    uint32_t count = ksda_communities_count(c), smallest = count ? UINT32_MAX : 0, largest = 0;
    if (cli->shared.json) return tell_json(cli, o, n);
    for (uint32_t i = 0, size; i < count; i++) {
        ksda_communities_members(c, i, &size);
        smallest = size < smallest ? size : smallest;
        largest = size > largest ? size : largest;
    }
    cli_bar_clear(cli->bar);
    if (!cli->shared.quiet)
        fprintf(out, "%u communities of %u to %u vertices by %s, modularity %.4f (%.2f s)\n", count, smallest, largest,
                o->how, ksda_modularity(n->net.graph, c), n->communities_seconds);
    return 0;
}

static int run_detect(cli_run *cli, const void *values) {
    const detect_options *o = values;
    cli_network_options options = o->network;
    options.detect = o->how;
    cli_network network;
    int code = cli_network_load(cli, cli->argument[0], &options, CLI_COMMUNITIES_REQUIRED, &network);
    if (code == 0) code = cli_fail(cli, save_communities(cli, o->output, &network));
    if (code == 0) code = tell_communities(cli, o, &network);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    {.letter = 'm',
     .name = "method",
     .value = "HOW",
     .type = CLI_TEXT,
     .at = offsetof(detect_options, how),
     .help = "`leiden`, or `metis:N` for N parts",
     .more = "Leiden maximizes modularity and finds the number of communities itself. METIS makes N parts of about "
             "equal size with "
             "few edges between them."},
    {.letter = 'o',
     .name = "output",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(detect_options, output),
     .help = "where the communities go: `vertex community` a line; `-` is standard output"},
    CLI_COLUMN_ROWS(detect_options, network),
    {0}};
static const cli_argument arguments[] = {{"GRAPH", CLI_INPUT, true, NULL, "the network"}, {0}};

const cli_command cmd_detect = {
    .name = "detect",
    .group = "Prepare",
    .summary = "find the communities of a network",
    .description = "Write a communities file for a network whose communities are not known. The other commands take "
                   "the same detectors "
                   "directly with **--detect**.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(detect_options),
    .defaults = &defaults,
    .json = "method: as given\n"
            "seed: of the detector\n"
            "communities: how many\n"
            "empty_parts: parts that METIS left empty; they are not counted\n"
            "community_size: min, median, max\n"
            "edges_inside: share of the edges that join vertices of one community\n"
            "modularity: Newman's\n"
            "seconds: time taken by the detector",
    .example = "$ ksda detect builtin:lesmis -m leiden -o lesmis.communities",
    .see_also = "**ksda-stats**(1), **ksda-formats**(5)",
    .run = run_detect,
};
