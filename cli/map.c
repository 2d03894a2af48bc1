/* The private map, read for the commands that look at a release and its original together. */
#include "cli.h"

#include <string.h>

int cli_map_load(cli_run *cli, const char *path, const cli_network_options *options, const cli_network *original,
                 cli_network *published, uint32_t **owner) {
    ksda_status status = ksda_load_map(cli->ctx, original->net.graph, &published->net.graph, path, owner);
    int code = cli_fail_input(cli, status);
    if (status == KSDA_PARSE && !options->communities && strncmp(original->path, "builtin:", 8) != 0)
        cli_error("people without an edge are known from the communities file only: if the release was made "
                  "with -c FILE, give it here too");
    return code;
}

bool cli_map_fits(const ksda_graph *original, const ksda_graph *published, const uint32_t *owner, uint64_t *carried) {
    const uint64_t *row = ksda_graph_offsets(published);
    const uint32_t *neighbour = ksda_graph_neighbours(published);
    *carried = 0;
    for (uint32_t p = 0; p < ksda_graph_vertices(published); p++)
        for (uint64_t i = row[p]; i < row[p + 1]; i++)
            *carried += neighbour[i] > p && ksda_graph_adjacent(original, owner[p], owner[neighbour[i]]);
    return 2 * *carried >= ksda_graph_edges(original);
}
