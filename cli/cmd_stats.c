/* ksda stats: what a network looks like, and what loading it dropped. */
#include "cli.h"

static int run_stats(cli_run *cli, const void *values) {
    cli_network network;
    int code = cli_network_load(cli, cli->argument[0], values, CLI_COMMUNITIES_OPTIONAL, &network);
    if (code == 0) {
        ksda_report_options how = cli_report(cli);
        char *report;
        ksda_status status = ksda_report_network(cli->ctx, &network.net, &how, &report);
        code = cli_report_print(cli, status, report);
    }
    cli_network_clear(cli, &network);
    return code;
}

typedef struct stats_options {
    cli_network_options network;
} stats_options;
static const cli_option rows[] = {
    CLI_NETWORK_ROWS(stats_options, network), CLI_OVERLAP_ROW(stats_options, network), {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_stats = {
    .name = "stats",
    .group = "Look",
    .summary = "vertices, edges, degrees, communities, and what loading dropped",
    .description = "Self-loops and edges that are repeated, also the other way round, are removed when a network is "
                   "loaded; the report "
                   "counts them. A vertex that stands only in the communities file is a vertex without edges.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(stats_options),
    .json = "format: what the graph was read as\n"
            "vertices: how many\n"
            "edges: how many, after cleaning\n"
            "isolated_vertices: vertices without an edge\n"
            "degree: min, median, mean, max\n"
            "cleaning: what was dropped\n"
            "cleaning.input_edges: edges in the input\n"
            "cleaning.self_loops: removed\n"
            "cleaning.duplicate_edges: removed, repeated or reversed\n"
            "communities: how many; null when there are none, and then the fields below are missing\n"
            "community_size: min, median, max\n"
            "overlap: disjoint where vertices are in several communities, else null\n"
            "memberships: of vertices in communities\n"
            "edges_inside: share of the edges that join vertices of one community, or whose sets meet\n"
            "modularity: Newman's; null where vertices are in several communities: it is not defined for them\n"
            "only_in_communities: vertices that stood only in the communities file\n"
            "unassigned: vertices that had no community",
    .example = "$ ksda stats builtin:lesmis",
    .see_also = "**ksda-check**(1), **ksda-formats**(5)",
    .run = run_stats,
};
