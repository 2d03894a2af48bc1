/* ksda generate rmat: networks of any size with an honest block structure. */
#include "publish.h"

#include "io/formats.h"

#include <math.h>
#include <string.h>

typedef struct generate_options {
    uint64_t scale, vertices, edges, blocks;
    double a, b, c, d;
    const char *probabilities;
    const char *output, *output_format, *communities;
} generate_options;

static const generate_options defaults = {.a = 0.45, .b = 0.15, .c = 0.15, .d = 0.25, .output = "-"};

CLI_CHOICES(models, "rmat")

static int parse_probabilities(cli_run *cli, const char *text, ksda_rmat_options *r) {
    double *const to[] = {&r->a, &r->b, &r->c, &r->d};
    char copy[256], *rest = copy;
    if (strlen(text) >= sizeof copy) return cli_usage(cli->command, "--probabilities: too long");
    strcpy(copy, text);
    for (int i = 0; i < 4; i++) {
        char *one = strsep(&rest, ",");
        if (!one || !cli_parse_real(one, to[i]))
            return cli_usage(cli->command, "--probabilities: '%s' is not four numbers like 0.45,0.15,0.15,0.25", text);
    }
    if (rest) return cli_usage(cli->command, "--probabilities: '%s' has more than four numbers", text);
    return 0;
}

static int check_probabilities(cli_run *cli, const ksda_rmat_options *r) {
    const double p[] = {r->a, r->b, r->c, r->d};
    for (int i = 0; i < 4; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return cli_usage(cli->command, "the probability %c = %g is not between 0 and 1", 'a' + i, p[i]);
    if (fabs(r->a + r->b + r->c + r->d - 1) > 1e-9)
        return cli_usage(cli->command, "the probabilities a, b, c, d sum to %g, not 1", r->a + r->b + r->c + r->d);
    return 0;
}

static uint32_t bits_for(uint64_t count) {
    uint32_t bits = 0;
    while ((UINT64_C(1) << bits) < count) bits++;
    return bits;
}

static int translate(cli_run *cli, const generate_options *o, ksda_rmat_options *r) {
    int code;
    ksda_rmat_options_init(r);
    if ((o->scale != 0) == (o->vertices != 0))
        return cli_usage(cli->command, "how many vertices? Give either --scale S (2^S) or --vertices N");
    r->scale = o->scale ? (uint32_t)o->scale : bits_for(o->vertices);
    r->vertices = (uint32_t)o->vertices;
    r->edges = o->edges;
    r->a = o->a, r->b = o->b, r->c = o->c, r->d = o->d;
    if (o->probabilities && (code = parse_probabilities(cli, o->probabilities, r))) return code;
    if ((code = check_probabilities(cli, r))) return code;
    if (o->blocks & (o->blocks - 1))
        return cli_usage(cli->command, "--blocks: %llu is not a power of two", (unsigned long long)o->blocks);
    r->block_bits = o->blocks ? bits_for(o->blocks) : 0;
    if (r->block_bits > r->scale)
        return cli_usage(cli->command, "--blocks: %llu is more than the vertices", (unsigned long long)o->blocks);
    if (o->communities && o->blocks < 2) return cli_usage(cli->command, "--communities needs --blocks N, N at least 2");
    if (!o->communities && o->blocks)
        return cli_usage(cli->command, "--blocks needs --communities FILE to write them to");
    return 0;
}

static ksda_status save(cli_run *cli, const generate_options *o, const ksda_graph *graph,
                        const ksda_communities *blocks) {
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status;
    if (o->communities) {
        KSDA_I_TRY(cli_outputs_open(cli, &set, o->communities, false, &out));
        KSDA_I_TRY(ksda_i_write_communities(cli->ctx, graph, blocks, out));
    }
    KSDA_I_TRY(cli_outputs_open(cli, &set, o->output, false, &out));
    KSDA_I_TRY(ksda_i_write_graph(cli->ctx, graph, NULL, o->output, cli_format(o->output_format), out));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    return status;
}

static int run(cli_run *cli, const void *values) {
    const generate_options *o = values;
    ksda_rmat_options options;
    ksda_graph *graph = NULL;
    ksda_communities *blocks = NULL;
    int code = translate(cli, o, &options);
    if (code == 0) code = cli_fail(cli, ksda_generate_rmat(cli->ctx, &options, &graph, &blocks));
    if (code == 0) code = cli_fail(cli, save(cli, o, graph, blocks));
    ksda_communities_free(cli->ctx, blocks);
    ksda_graph_free(cli->ctx, graph);
    return code;
}

#define PROBABILITY(l, x, text)                                                                                        \
    { .letter = l, .value = "P", .type = CLI_REAL, .at = offsetof(generate_options, x), .max = 1, .help = text }
static const cli_option rows[] = {
    {.name = "scale",
     .value = "S",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, scale),
     .min = 1,
     .max = 31,
     .shown = "",
     .help = "2^S vertices"},
    {.name = "vertices",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, vertices),
     .min = 2,
     .max = 2147483648.0,
     .shown = "",
     .help = "N vertices, where it is not a power of two"},
    {.name = "edges",
     .value = "M",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, edges),
     .min = 0,
     .required = true,
     .help = "distinct simple edges, exactly"},
    PROBABILITY('a', a, "probability of the upper left quarter"),
    PROBABILITY('b', b, "of the upper right"),
    PROBABILITY('c', c, "of the lower left"),
    PROBABILITY('d', d, "of the lower right"),
    {.name = "probabilities",
     .value = "A,B,C,D",
     .type = CLI_TEXT,
     .at = offsetof(generate_options, probabilities),
     .help = "all four at once"},
    {.name = "blocks",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, blocks),
     .min = 1,
     .max = 2147483648.0,
     .shown = "",
     .help = "communities: N blocks, a power of two",
     .more = "The block of a vertex is the leading bits of its number: the structure that the recursion itself makes."},
    {.name = "communities",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(generate_options, communities),
     .help = "where the blocks go: `vertex community` a line"},
    {.letter = 'o',
     .name = "output",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(generate_options, output),
     .help = "where the graph goes; `-` is standard output"},
    {.name = "output-format",
     .value = "NAME",
     .type = CLI_CHOICE,
     .at = offsetof(generate_options, output_format),
     .choices = cli_output_format_choices,
     .shown = "by the name, else edges",
     .help = "format of the output"},
    {0}};
static const cli_argument arguments[] = {{"MODEL", CLI_CHOICE, true, models, "`rmat`"}, {0}};

const cli_command cmd_generate = {
    .name = "generate",
    .group = "Prepare",
    .summary = "make a random network (R-MAT)",
    .description =
        "R-MAT drops each edge into a quarter of the adjacency matrix with the probabilities a, b, c, d, and again "
        "within that "
        "quarter, until one place is left. Repeated edges and self-loops are drawn again, so the number of edges is "
        "exact. "
        "The result depends on the seed, never on the number of threads.\n\n"
        "Edge lists do not show vertices without edges; write METIS or GraphML, or the blocks, to keep them.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS,
    .size = sizeof(generate_options),
    .defaults = &defaults,
    .example = "$ ksda generate rmat --scale 10 --edges 8000 --blocks 16 --communities r.communities -o r.edges\n"
               "$ ksda stats r.edges -c r.communities",
    .see_also = "**ksda-formats**(5)",
    .run = run,
};
