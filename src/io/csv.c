/* Edges as CSV (commas or semicolons) and TSV: one edge a line, header optional, fields may be quoted as in RFC 4180
 * except that a field ends on its line. Further columns are ignored. With a known header the ends may stand in any
 * columns. Written with the header source, target. */
#include "io/edge_lines.h"
#include "io/header.h"

static ksda_status read_csv(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    ksda_i_syntax syntax = {.separator = ',', .quotes = true, .comment = "", .column = {0, 1}};
    return ksda_i_read_edge_lines(ctx, source, options, &syntax, r);
}
static ksda_status read_tsv(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    ksda_i_syntax syntax = {.separator = '\t', .quotes = true, .comment = "", .column = {0, 1}};
    return ksda_i_read_edge_lines(ctx, source, options, &syntax, r);
}

/* A header whose words are not both names of vertices: such a line is taken for an edge. */
static const char *const *header_words(const ksda_graph *g) {
    static const char *const words[][2] = {{"source", "target"}, {"from", "to"}, {"src", "dst"}, {"from_id", "to_id"}};
    size_t i = 0;
    while (i + 1 < sizeof words / sizeof *words &&
           ksda_i_ids_find(&g->ids, words[i][0], strlen(words[i][0])) != KSDA_NO_VERTEX &&
           ksda_i_ids_find(&g->ids, words[i][1], strlen(words[i][1])) != KSDA_NO_VERTEX)
        i++;
    return words[i];
}

static ksda_status write_separated(ksda_ctx *ctx, const ksda_graph *graph, char separator, ksda_i_output *out) {
    ksda_status status = ksda_i_names_check(ctx, &graph->ids, KSDA_I_NAMING_CSV, "a line of a csv or tsv file");
    if (status < 0) return status;
    const char *const *words = header_words(graph);
    ksda_i_output_format(out, "%s%c%s\n", words[0], separator, words[1]);
    return ksda_i_write_edge_lines(ctx, graph, KSDA_I_NAMING_CSV, separator, out);
}

static ksda_status write_csv(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                             ksda_i_output *out) {
    (void)communities;
    return write_separated(ctx, graph, ',', out);
}
static ksda_status write_tsv(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                             ksda_i_output *out) {
    (void)communities;
    return write_separated(ctx, graph, '\t', out);
}

const ksda_i_format ksda_i_format_csv = {
    .format = KSDA_FORMAT_CSV,
    .name = "csv",
    .lines = true,
    .endings = ".csv",
    .sniff = ksda_i_sniff_csv,
    .read = read_csv,
    .write = write_csv,
    .by_row = true,
};

const ksda_i_format ksda_i_format_tsv = {
    .format = KSDA_FORMAT_TSV,
    .name = "tsv",
    .lines = true,
    .endings = ".tsv .tab",
    .sniff = ksda_i_sniff_tsv,
    .read = read_tsv,
    .write = write_tsv,
    .by_row = true,
};
