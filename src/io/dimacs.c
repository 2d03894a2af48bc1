/* DIMACS files, of colouring, cliques, shortest paths and flows. Only read.
 *
 *     c a comment
 *     p edge 5 7            p, the problem (edge, col, sp, max, ...), vertices, edges
 *     e 1 2                 an edge; or "a 1 2 9", an arc with a length or a capacity, read as an edge
 *     n 1 4                 something about a vertex: read over; so are d, v, x
 *
 * The file lists all vertices, 1 to n. Lengths do not matter. Published files are careless about the number of edges
 * (each is listed twice, or counted twice): another number is remarked, not refused. A number of vertices that nothing
 * in the file pays for is refused. Time O(n + m) plus building the graph. */
#include "graph/builder.h"
#include "io/extras.h"
#include "io/header.h"
#include "io/nodes.h"

#define PROGRESS_LINES 65536

typedef struct reader {
    ksda_i_text text;
    ksda_i_builder *builder;
    uint64_t n, announced, edges;
    bool has_problem;
} reader;

/* "p edge 5 7" behind lines that begin with c. */
static bool sniff_dimacs(const char *data, size_t size) {
    static const ksda_i_syntax blanks = {.comment = ""};
    const char *line;
    size_t length;
    bool all = size < 65536;
    while (ksda_i_window_line(&data, &size, all, &line, &length)) {
        ksda_i_field field[4];
        ksda_i_problem ignored;
        uint64_t number;
        if (length == 0 || (line[0] == 'c' && (length == 1 || line[1] == ' '))) continue;
        return ksda_i_split(&blanks, line, length, field, 4, &ignored) == 4 && field[0].length == 1 && line[0] == 'p' &&
               ksda_i_parse_number(field[2].text, field[2].length, &number) &&
               ksda_i_parse_number(field[3].text, field[3].length, &number);
    }
    return false;
}

static ksda_status read_problem(reader *r) {
    ksda_i_text *t = &r->text;
    char shown[KSDA_I_SHOWN];
    if (r->has_problem) return ksda_i_text_error(t, t->at, "a second line p; one file is one graph");
    t->at++;
    ksda_i_text_blanks(t);
    while (!ksda_i_text_word_done(t)) t->at++;
    ksda_i_text_blanks(t);
    ksda_status status = ksda_i_nodes_count(t, &r->n);
    if (status < 0) return status;
    ksda_i_text_blanks(t);
    if (!ksda_i_text_number(t, &r->announced))
        return ksda_i_text_error(t, t->at, "expected the number of edges, not %s", ksda_i_text_show(t, t->at, shown));
    r->has_problem = true;
    return KSDA_OK;
}

static ksda_status read_edge(reader *r) {
    ksda_i_text *t = &r->text;
    char shown[KSDA_I_SHOWN];
    uint64_t end[2];
    if (!r->has_problem) return ksda_i_text_error(t, t->at, "expected a line 'p edge VERTICES EDGES' first");
    t->at++;
    for (int i = 0; i < 2; i++) {
        ksda_i_text_blanks(t);
        const char *start = t->at;
        if (!ksda_i_text_number(t, &end[i]) || end[i] < 1 || end[i] > r->n)
            return ksda_i_text_error(t, start, "expected a vertex from 1 to %llu, not %s", (unsigned long long)r->n,
                                     ksda_i_text_show(t, start, shown));
    }
    r->edges++;
    return ksda_i_builder_edge(r->builder, 0, end[0], end[1]);
}

static ksda_status read_line(reader *r) {
    const ksda_i_text *t = &r->text;
    char shown[KSDA_I_SHOWN];
    bool alone = t->at + 1 == t->end || strchr(" \t\r\n", t->at[1]);
    switch (alone ? *t->at : '?') {
    case 'p': return read_problem(r);
    case 'e':
    case 'a': return read_edge(r);
    case 'c':
    case 'n':
    case 'd':
    case 'v':
    case 'x': return KSDA_OK;
    default:
        return ksda_i_text_error(t, t->at, "expected a line that begins with p, e, a, n or c, not %s",
                                 ksda_i_text_show(t, t->at, shown));
    }
}

static ksda_status read_lines(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status = KSDA_OK;
    for (uint64_t line = 0; t->at < t->end; line++) {
        if (line % PROGRESS_LINES == 0) KSDA_I_TRY(ksda_i_text_progress(t));
        ksda_i_text_blanks(t);
        if (!ksda_i_text_line_done(t)) KSDA_I_TRY(read_line(r));
        ksda_i_text_next_line(t);
    }
    if (!r->has_problem) return ksda_i_text_error(t, t->end, "the file has no line 'p edge VERTICES EDGES'");
done:
    return status;
}

static ksda_status read_dimacs(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                               ksda_i_read *out) {
    ksda_status status;
    reader r = {.text = {.ctx = ctx, .name = ksda_i_source_name(source)}};
    KSDA_I_TRY(ksda_i_no_attribute(ctx, source, options->attribute, out));
    out->closed = true;
    KSDA_I_TRY(ksda_i_source_text(source, &r.text));
    KSDA_I_TRY(ksda_i_builder_new(ctx, 1, &r.builder));
    KSDA_I_TRY(read_lines(&r));
    ksda_i_builder_declare(r.builder, 1, (uint32_t)r.n);
    status = ksda_i_builder_finish(r.builder, NULL, &out->graph);
    r.builder = NULL; /* freed, whatever happened */
    if (status >= 0 && r.edges != r.announced)
        ksda_i_note(out->reading.note, sizeof out->reading.note,
                    "%llu edges are announced, but there are %llu lines of them", (unsigned long long)r.announced,
                    (unsigned long long)r.edges);
done:
    ksda_i_builder_free(ctx, r.builder);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

const ksda_i_format ksda_i_format_dimacs = {
    .name = "dimacs",
    .endings = ".dimacs .col .clq .gr",
    .sniff = sniff_dimacs,
    .read = read_dimacs,
};
