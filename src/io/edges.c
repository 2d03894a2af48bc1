/* Edge lists as SNAP has them: two ids a line, any run of blanks and tabs between them, further columns ignored, lines
 * that begin with # or % passed over. Written with one blank, the smaller vertex number first, edges in order, and
 * names under a comment that says that no header follows where that could be in doubt. An edge list cannot hold
 * vertices without edges: they are known from a communities file or not at all. */
#include "graph/walk.h"
#include "io/edge_lines.h"
#include "io/header.h"

#define PROGRESS_ROWS 65536

static ksda_status read_edges(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    ksda_i_syntax syntax = {.comment = "#%", .column = {0, 1}};
    return ksda_i_read_edge_lines(ctx, source, options, &syntax, r);
}

ksda_status ksda_i_write_edge_lines(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_naming naming, char separator,
                                    ksda_i_output *out) {
    ksda_i_walk walk;
    const uint32_t *row;
    ksda_status status;
    KSDA_I_TRY(ksda_i_walk_begin(ctx, graph, &walk));
    for (uint32_t u = 0; u < graph->n; u++) {
        KSDA_I_TRY(ksda_i_walk_to(&walk, u, &row));
        for (uint32_t i = 0, degree = ksda_i_degree(graph, u); i < degree; i++) {
            if (row[i] < u) continue;
            ksda_i_names_write(&graph->ids, u, naming, separator, out);
            ksda_i_output_write(out, &separator, 1);
            ksda_i_names_write(&graph->ids, row[i], naming, separator, out);
            ksda_i_output_write(out, "\n", 1);
        }
        if (u % PROGRESS_ROWS == 0) KSDA_I_TRY(ksda_i_progress(ctx, "writing", u, graph->n));
    }
done:
    ksda_i_walk_end(&walk);
    return status;
}

/* Names whose first edge is all that they have, or that are the words of a header: a reader could take that line for
 * one. */
static bool doubtful(const ksda_graph *g) {
    uint32_t u = 0;
    while (u < g->n && ksda_i_degree(g, u) == 0) u++;
    if (g->ids.kind != KSDA_I_IDS_NAMES || u == g->n) return false;
    uint32_t v = g->adj[g->off[u]];
    const uint64_t *start = g->ids.start;
    return (ksda_i_degree(g, u) == 1 && ksda_i_degree(g, v) == 1) ||
           ksda_i_edge_words(g->ids.text + start[u], start[u + 1] - start[u], g->ids.text + start[v],
                             start[v + 1] - start[v]);
}

static ksda_status write_edges(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               ksda_i_output *out) {
    (void)communities;
    ksda_status status = ksda_i_names_check(ctx, &graph->ids, KSDA_I_NAMING_WORD, "an edge list; csv can hold it");
    if (status < 0) return status;
    if (doubtful(graph)) ksda_i_output_text(out, "# source target\n");
    return ksda_i_write_edge_lines(ctx, graph, KSDA_I_NAMING_WORD, ' ', out);
}

/* How many digits a number has, and the first one that has more. */
static unsigned digits_of(uint64_t number, uint64_t *limit) {
    unsigned digits = 1;
    for (*limit = 10; number >= *limit && digits < 19; *limit *= 10) digits++;
    if (number < *limit) return digits;
    *limit = UINT64_MAX;
    return digits + 1;
}

/* Rows are in order: the digits of neighbours grow along them. */
static uint64_t bytes_of_row(const ksda_graph *g, uint32_t u) {
    uint64_t bytes = 0, limit;
    unsigned own = digits_of(g->ids.first + u, &limit) + 2, digits = own - 2; /* a separator and the end of the line */
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
        uint64_t number = g->ids.first + g->adj[i];
        if (g->adj[i] < u) continue;
        if (number >= limit) digits = digits_of(number, &limit);
        bytes += own + digits;
    }
    return bytes;
}

static uint64_t bytes_of_edges(const ksda_graph *g) {
    uint64_t bytes = 0;
    for (uint32_t u = 0; u < g->n; u++) bytes += bytes_of_row(g, u);
    return bytes;
}

const ksda_i_format ksda_i_format_edges = {
    .format = KSDA_FORMAT_EDGES,
    .name = "edges",
    .lines = true,
    .endings = ".edges .txt .edgelist .el",
    .sniff = NULL,
    .read = read_edges,
    .write = write_edges,
    .bytes = bytes_of_edges,
    .by_row = true,
};
