/* NCOL and LGL, the files of the Large Graph Layout program, as igraph exchanges them. Both are only read.
 *
 *     a b 0.5          NCOL: two names a line, and a weight that is read over
 *
 *     # a              LGL: a vertex,
 *     b 0.5            and below it its neighbours; one without any is a vertex without edges
 *     # c
 *
 * Names are words; in NCOL every line is an edge, so no comments and no header are looked for. NCOL goes by its ending
 * or by --format: to the eye it is an edge list. LGL is told by its content as well. Time and memory O(text). */
#include "io/edge_lines.h"
#include "io/header.h"
#include "io/nodes.h"

#define PROGRESS_LINES 16384

static ksda_status read_ncol(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r) {
    ksda_i_syntax syntax = {.separator = 0, .comment = "", .column = {0, 1}};
    ksda_load_options plain = *options;
    plain.header = KSDA_HEADER_NO;
    return ksda_i_read_edge_lines(ctx, source, &plain, &syntax, r);
}

const ksda_i_format ksda_i_format_ncol = {
    .name = "ncol",
    .endings = ".ncol",
    .read = read_ncol,
};

/* --- LGL ---------------------------------------------------------------------------------------------------------- */

/* The fields of a line: "# name", or a name and perhaps a weight. */
static int split_line(const char *line, size_t length, ksda_i_field field[3], bool *vertex) {
    static const ksda_i_syntax blanks = {.comment = ""};
    ksda_i_problem ignored;
    int count = ksda_i_split(&blanks, line, length, field, 3, &ignored);
    *vertex = count > 0 && field[0].length == 1 && *field[0].text == '#';
    return count;
}

/* "# name", and below it the neighbours of that vertex, twice at least. */
static bool sniff_lgl(const char *data, size_t size) {
    const char *line;
    size_t length;
    bool all = size < 65536, under = false, vertex;
    unsigned vertices = 0;
    while (ksda_i_window_line(&data, &size, all, &line, &length)) {
        ksda_i_field field[3];
        int count = split_line(line, length, field, &vertex);
        if (count == 0) continue;
        if (count > 2 || (vertex && count != 2) || (!vertex && *field[0].text == '#')) return false;
        if (!vertex && !under && vertices == 0) return false;
        vertices += under && !vertex;
        under = vertex;
    }
    return vertices >= 2;
}

typedef struct lgl {
    ksda_i_text text;
    ksda_i_nodes nodes;
    uint32_t head; /* whose neighbours these are */
} lgl;

static ksda_status read_lgl_line(lgl *x, const char *line, size_t length) {
    ksda_status status = KSDA_OK;
    ksda_i_field field[3];
    ksda_i_problem problem;
    bool vertex;
    uint32_t item;
    int count = split_line(line, length, field, &vertex);
    if (count == 0) return KSDA_OK;
    if (vertex ? count != 2 : count > 2)
        return ksda_i_text_error(&x->text, line, "expected %s in this line, not %d words",
                                 vertex ? "# and a name" : "a name and perhaps a weight", count);
    const ksda_i_field *name = &field[vertex];
    if (!ksda_i_name_is_fine(name, line, &problem))
        return ksda_i_text_error(&x->text, line + problem.column - 1, "%s", problem.text);
    KSDA_I_TRY(ksda_i_nodes_mention(&x->nodes, name->text, name->length, name->text, &item));
    if (!vertex && x->head == KSDA_NO_VERTEX)
        return ksda_i_text_error(&x->text, line, "expected a line '# name' first, whose neighbours follow");
    if (vertex)
        x->head = item;
    else
        KSDA_I_TRY(ksda_i_nodes_edge(&x->nodes, x->head, item));
done:
    return status;
}

static ksda_status read_lgl(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    lgl x = {.head = KSDA_NO_VERTEX};
    x.text = (ksda_i_text){.ctx = ctx, .name = ksda_i_source_name(source)};
    ksda_i_nodes_init(&x.nodes, &x.text);
    KSDA_I_TRY(ksda_i_no_attribute(ctx, source, options->attribute, out));
    out->closed = true;
    KSDA_I_TRY(ksda_i_source_text(source, &x.text));
    for (uint64_t line = 0; x.text.at < x.text.end; line++) {
        const char *start = x.text.at;
        ksda_i_text_next_line(&x.text);
        const char *stop = x.text.at;
        while (stop > start && (stop[-1] == '\n' || stop[-1] == '\r')) stop--;
        KSDA_I_TRY(read_lgl_line(&x, start, (size_t)(stop - start)));
        if (line % PROGRESS_LINES == 0) KSDA_I_TRY(ksda_i_text_progress(&x.text));
    }
    if (x.nodes.names.count == 0) KSDA_I_TRY(ksda_i_text_error(&x.text, x.text.end, "the file has no vertices"));
    KSDA_I_TRY(ksda_i_nodes_finish(&x.nodes, false, out));
done:
    ksda_i_nodes_clear(&x.nodes);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

const ksda_i_format ksda_i_format_lgl = {
    .name = "lgl",
    .endings = ".lgl",
    .sniff = sniff_lgl,
    .read = read_lgl,
};
