/* ksda convert: read one format, write another. */
#include "publish.h"

#include "io/formats.h"

typedef struct convert_options {
    cli_network_options network;
    const char *output, *output_format, *communities;
} convert_options;

static const convert_options defaults = {.output = "-"};

static ksda_status save_network(cli_run *cli, const convert_options *o, const ksda_network *net) {
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status;
    if (o->communities) {
        ksda_graph named = ksda_i_graph_as_written(net->graph, o->output, cli_format(o->output_format));
        KSDA_I_TRY(cli_outputs_open(cli, &set, o->communities, false, &out));
        KSDA_I_TRY(ksda_i_write_communities(cli->ctx, &named, net->communities, out));
    }
    KSDA_I_TRY(cli_outputs_open(cli, &set, o->output, false, &out));
    KSDA_I_TRY(
        ksda_i_write_graph(cli->ctx, net->graph, net->communities, o->output, cli_format(o->output_format), out));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    return status;
}

static int run_convert(cli_run *cli, const void *values) {
    const convert_options *o = values;
    cli_network network;
    int need = o->communities ? CLI_COMMUNITIES_REQUIRED : CLI_COMMUNITIES_OPTIONAL;
    int code = cli_network_load(cli, cli->argument[0], &o->network, need, &network);
    if (code == 0) code = cli_fail(cli, save_network(cli, o, &network.net));
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {{.letter = 'o',
                                   .name = "output",
                                   .value = "FILE",
                                   .type = CLI_OUTPUT,
                                   .at = offsetof(convert_options, output),
                                   .help = "where the graph goes; `-` is standard output"},
                                  {.name = "output-format",
                                   .value = "NAME",
                                   .type = CLI_CHOICE,
                                   .at = offsetof(convert_options, output_format),
                                   .choices = cli_output_format_choices,
                                   .shown = "by the name, else edges",
                                   .help = "format of the output"},
                                  {.name = "write-communities",
                                   .value = "FILE",
                                   .type = CLI_OUTPUT,
                                   .at = offsetof(convert_options, communities),
                                   .help = "write the communities too, `vertex community` a line"},
                                  CLI_NETWORK_ROWS(convert_options, network),
                                  CLI_OVERLAP_ROW(convert_options, network),
                                  {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_convert = {
    .name = "convert",
    .group = "Prepare",
    .summary = "read a network in one format and write it in another",
    .description =
        "The names of the vertices are kept. GraphML, GEXF, GML and JSON carry the communities as the vertex attribute "
        "`community`; for the "
        "other formats write them to a file of their own. METIS and Matrix Market files number the vertices "
        "from 1 and have no place for names: the communities file beside them uses the numbers. Self-loops "
        "and repeated edges are removed.\n\n"
        "This is not a release: ids and order are the input's. Use `ksda anonymize` to publish.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_TIME_LIMIT,
    .size = sizeof(convert_options),
    .defaults = &defaults,
    .example = "$ ksda convert builtin:lesmis -o lesmis.graphml\n"
               "$ ksda convert lesmis.graphml --community-attribute community -o lesmis.edges.gz --write-communities "
               "who.txt",
    .see_also = "**ksda-formats**(5)",
    .run = run_convert,
};
