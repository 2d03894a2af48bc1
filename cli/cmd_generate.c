/* ksda generate: random networks of any size with communities in them. Every model is a row of a table. */
#include "publish.h"

#include "io/formats.h"

#include <math.h>
#include <string.h>

typedef struct generate_options {
    uint64_t scale, vertices, edges, blocks;
    double a, b, c, d;
    const char *probabilities;
    double size_exponent, degree_exponent, mixing, not_stated;
    const char *output, *output_format, *communities;
} generate_options;

#define UNSET -1 /* of a number that is never below 0 */
static const generate_options defaults = {.a = UNSET,
                                          .b = UNSET,
                                          .c = UNSET,
                                          .d = UNSET,
                                          .size_exponent = UNSET,
                                          .degree_exponent = UNSET,
                                          .mixing = UNSET,
                                          .not_stated = UNSET,
                                          .output = "-"};

static void set_real(double *to, double given) {
    if (given != UNSET) *to = given;
}

/* --- R-MAT ------------------------------------------------------------------------------------------------------- */

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

static int translate_rmat(cli_run *cli, const generate_options *o, ksda_rmat_options *r) {
    int code;
    ksda_rmat_options_init(r);
    if ((o->scale != 0) == (o->vertices != 0))
        return cli_usage(cli->command, "how many vertices? Give either --scale S (2^S) or --vertices N");
    r->scale = o->scale ? (uint32_t)o->scale : bits_for(o->vertices);
    r->vertices = (uint32_t)o->vertices;
    r->edges = o->edges;
    set_real(&r->a, o->a), set_real(&r->b, o->b), set_real(&r->c, o->c), set_real(&r->d, o->d);
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

static int make_rmat(cli_run *cli, const generate_options *o, ksda_graph **graph, ksda_communities **communities) {
    ksda_rmat_options options;
    int code = translate_rmat(cli, o, &options);
    return code ? code : cli_fail(cli, ksda_generate_rmat(cli->ctx, &options, graph, communities));
}

/* --- planted communities ----------------------------------------------------------------------------------------- */

static int make_planted(cli_run *cli, const generate_options *o, ksda_graph **graph, ksda_communities **communities) {
    ksda_planted_options p;
    ksda_planted_options_init(&p);
    if (o->vertices == 0) return cli_usage(cli->command, "how many vertices? Give --vertices N");
    if (o->blocks == 0) return cli_usage(cli->command, "how many communities? Give --blocks N");
    p.vertices = (uint32_t)o->vertices;
    p.edges = o->edges;
    p.communities = (uint32_t)o->blocks;
    set_real(&p.size_exponent, o->size_exponent), set_real(&p.degree_exponent, o->degree_exponent);
    set_real(&p.mixing, o->mixing), set_real(&p.not_stated, o->not_stated);
    return cli_fail(cli, ksda_generate_planted(cli->ctx, &p, graph, o->communities ? communities : NULL));
}

/* --- all of them ------------------------------------------------------------------------------------------------- */

static const struct model {
    const char *name, *foreign; /* the options of other models that may not be given */
    int (*make)(cli_run *cli, const generate_options *o, ksda_graph **graph, ksda_communities **communities);
} models[] = {{"rmat", "--size-exponent, --degree-exponent, --mixing and --not-stated", make_rmat},
              {"planted", "--scale, --probabilities, -a, -b, -c and -d", make_planted}};

static const char *model_names(size_t i) {
    return i < sizeof models / sizeof *models ? models[i].name : NULL;
}

static bool foreign_options(const struct model *model, const generate_options *o) {
    if (model->make == make_planted)
        return o->scale || o->probabilities || o->a != UNSET || o->b != UNSET || o->c != UNSET || o->d != UNSET;
    return o->size_exponent != UNSET || o->degree_exponent != UNSET || o->mixing != UNSET || o->not_stated != UNSET;
}

static ksda_status save_generated(cli_run *cli, const generate_options *o, const ksda_graph *graph,
                                  const ksda_communities *blocks) {
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status;
    if (o->communities) {
        ksda_graph named = ksda_i_graph_as_written(graph, o->output, cli_format(o->output_format));
        KSDA_I_TRY(cli_outputs_open(cli, &set, o->communities, false, &out));
        KSDA_I_TRY(ksda_i_write_communities(cli->ctx, &named, blocks, out));
    }
    KSDA_I_TRY(cli_outputs_graph(cli, &set, o->output, o->output_format, graph, NULL, &out));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    return status;
}

static int run_generate(cli_run *cli, const void *values) {
    const generate_options *o = values;
    const struct model *model = models;
    ksda_graph *graph = NULL;
    ksda_communities *communities = NULL;
    while (strcmp(model->name, cli->argument[0]) != 0) model++;
    if (foreign_options(model, o))
        return cli_usage(cli->command, "%s are not for the model %s", model->foreign, model->name);
    int code = cli_check_parts(cli, o->output, o->output_format);
    if (code == 0) code = model->make(cli, o, &graph, &communities);
    if (code == 0) code = cli_fail(cli, save_generated(cli, o, graph, communities));
    ksda_communities_free(cli->ctx, communities);
    ksda_graph_free(cli->ctx, graph);
    return code;
}

#define REAL(l, n, v, x, low, high, usual, text)                                                                       \
    {                                                                                                                  \
        .letter = l, .name = n, .value = v, .type = CLI_REAL, .at = offsetof(generate_options, x), .min = low,         \
        .max = high, .shown = usual, .help = text                                                                      \
    }
static const cli_option rows[] = {
    {.name = "scale",
     .value = "S",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, scale),
     .min = 1,
     .max = 31,
     .shown = "",
     .help = "rmat: 2^S vertices"},
    {.name = "vertices",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, vertices),
     .min = 2,
     .max = 2147483648.0,
     .shown = "",
     .help = "N vertices; for rmat where it is not a power of two"},
    {.name = "edges",
     .value = "M",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, edges),
     .min = 0,
     .required = true,
     .help = "distinct simple edges, exactly"},
    REAL('a', NULL, "P", a, 0, 1, "0.45", "rmat: probability of the upper left quarter"),
    REAL('b', NULL, "P", b, 0, 1, "0.15", "rmat: of the upper right"),
    REAL('c', NULL, "P", c, 0, 1, "0.15", "rmat: of the lower left"),
    REAL('d', NULL, "P", d, 0, 1, "0.25", "rmat: of the lower right"),
    {.name = "probabilities",
     .value = "A,B,C,D",
     .type = CLI_TEXT,
     .at = offsetof(generate_options, probabilities),
     .help = "rmat: all four at once"},
    REAL(0, "size-exponent", "X", size_exponent, 0, 100, "2.5",
         "planted: of the power law of community sizes, above 1; 0: all alike"),
    REAL(0, "degree-exponent", "X", degree_exponent, 0, 100, "2.5",
         "planted: of the power law of degrees, above 1; 0: all alike"),
    REAL(0, "mixing", "P", mixing, 0, 1, "0.2", "planted: share of the edges that join two communities, exactly"),
    REAL(0, "not-stated", "P", not_stated, 0, 1, "0",
         "planted: share of the vertices in one further community, the last, wherever they belong"),
    {.name = "blocks",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(generate_options, blocks),
     .min = 1,
     .max = 2147483648.0,
     .shown = "",
     .help = "communities: N blocks; for rmat a power of two",
     .more = "The block of a vertex of rmat is the leading bits of its number: the structure that the recursion itself "
             "makes."},
    {.name = "communities",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(generate_options, communities),
     .help = "where the communities go: `vertex community` a line"},
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
static const cli_argument arguments[] = {{"MODEL", CLI_CHOICE, true, model_names, "`rmat` or `planted`"}, {0}};

const cli_command cmd_generate = {
    .name = "generate",
    .group = "Prepare",
    .summary = "make a random network (R-MAT, planted communities)",
    .description =
        "R-MAT drops each edge into a quarter of the adjacency matrix with the probabilities a, b, c, d, and again "
        "within that "
        "quarter, until one place is left. Repeated edges and self-loops are drawn again, so the number of edges is "
        "exact.\n\n"
        "`planted` is a network like those that people publish: communities whose sizes follow a power law, planted in "
        "degrees that follow one (up to the square root of twice the edges), with an exact share of the edges between "
        "communities; some people may not state where they belong, as in real attributes. Vertex numbers are "
        "shuffled.\n\n"
        "The result depends on the seed, never on the number of threads.\n\n"
        "Edge lists do not show vertices without edges; write METIS or GraphML, or the blocks, to keep them.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_TIME_LIMIT,
    .size = sizeof(generate_options),
    .defaults = &defaults,
    .example =
        "$ ksda generate rmat --scale 10 --edges 8000 --blocks 16 --communities r.communities -o r.edges\n"
        "$ ksda stats r.edges -c r.communities\n"
        "$ ksda generate planted --vertices 2000 --edges 9000 --blocks 12 --not-stated 0.3 --communities who.txt "
        "-o p.edges\n"
        "$ ksda anonymize p.edges -c who.txt -k 3 -o release.edges --map private.map",
    .see_also = "**ksda-formats**(5)",
    .run = run_generate,
};
