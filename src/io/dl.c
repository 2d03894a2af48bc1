/* UCINET DL files, as UCINET, igraph and Gephi exchange them. Only read.
 *
 *     DL n=3 format=edgelist1
 *     labels: anna, "Carl B.", eve
 *     data:
 *     1 2
 *     2 3 0.5
 *
 * Formats: fullmatrix (the default: n rows of n numbers, whatever is not 0 is an edge), edgelist1 (two vertices a line,
 * and perhaps a weight) and nodelist1 (a vertex and its neighbours a line). Vertices are numbered 1 to n and called by
 * their labels if every one has a label and no two share one; with "labels embedded" the data name them by labels (in a
 * matrix: above the columns and before each row). Words may be in capitals, with blanks, commas and line ends between
 * them. Two-mode data (nr, nc), several matrices (nm), a matrix without its diagonal and other formats are refused.
 * Time and memory O(text). */
#include "io/extras.h"
#include "io/nodes.h"

#include <strings.h>

#define PROGRESS_ITEMS 16384

typedef struct word {
    const char *text;
    size_t size;
} word;

typedef struct reader {
    ksda_i_text text;
    ksda_i_nodes nodes;
    uint64_t n;
    enum {
        MATRIX,
        EDGES,
        LISTS
    } format;
    bool labels, embedded; /* labels were given; the data have them */
    uint64_t items;
} reader;

/* --- words -------------------------------------------------------------------------------------------------------- */

static bool between(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static bool ends_word(char c) {
    return between(c) || c == '\n' || c == '=' || c == ':';
}

/* Over what stands between words; lines: over line ends too. */
static void skip_blanks(ksda_i_text *t, bool lines) {
    while (t->at < t->end && (between(*t->at) || (lines && *t->at == '\n'))) t->at++;
}

/* A word of the header, with the = or : behind it passed over. */
static word read_key(ksda_i_text *t) {
    skip_blanks(t, true);
    word w = {.text = t->at};
    while (t->at < t->end && !ends_word(*t->at)) t->at++;
    w.size = (size_t)(t->at - w.text);
    const char *here = t->at;
    skip_blanks(t, true);
    if (t->at < t->end && (*t->at == '=' || *t->at == ':'))
        t->at++;
    else
        t->at = here;
    return w;
}

static bool word_is(word w, const char *name) {
    return w.size == strlen(name) && strncasecmp(w.text, name, w.size) == 0;
}

/* A label, or a number in the data: in quotes, or up to a blank or a comma. */
static ksda_status read_item(reader *r, word *w) {
    ksda_i_text *t = &r->text;
    ksda_i_problem problem;
    char shown[KSDA_I_SHOWN];
    const char *start = t->at;
    bool quoted = t->at < t->end && *t->at == '"';
    t->at += quoted;
    w->text = t->at;
    while (t->at < t->end && *t->at != '\n' && (quoted ? *t->at != '"' : !between(*t->at))) t->at++;
    w->size = (size_t)(t->at - w->text);
    if (quoted && ksda_i_text_line_done(t))
        return ksda_i_text_error(t, start, "a label that does not end in this line");
    t->at += quoted;
    ksda_i_field field = {w->text, w->size, false};
    if (w->size == 0)
        return ksda_i_text_error(t, start, "expected a label or a number, not %s", ksda_i_text_show(t, start, shown));
    if (!ksda_i_name_is_fine(&field, w->text, &problem))
        return ksda_i_text_error(t, w->text + problem.column - 1, "%s", problem.text);
    return r->items++ % PROGRESS_ITEMS == 0 ? ksda_i_text_progress(t) : KSDA_OK;
}

/* --- the header --------------------------------------------------------------------------------------------------- */

static ksda_status read_format(reader *r) {
    static const char *const names[] = {"fullmatrix", "edgelist1", "nodelist1"};
    char shown[KSDA_I_SHOWN];
    word w = read_key(&r->text);
    for (int i = 0; i < 3; i++)
        if (word_is(w, names[i])) {
            r->format = i == 0 ? MATRIX : i == 1 ? EDGES : LISTS;
            return KSDA_OK;
        }
    return ksda_i_text_error(&r->text, w.text, "expected the format fullmatrix, edgelist1 or nodelist1, not %s",
                             ksda_i_show(w.text, w.size, shown));
}

/* n labels, or the word that says that the data have them. */
static ksda_status read_labels(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status = KSDA_OK;
    const char *before = t->at;
    word w = read_key(t);
    if (word_is(w, "embedded")) {
        r->embedded = true;
        return KSDA_OK;
    }
    t->at = before;
    if (r->labels) return ksda_i_text_error(t, w.text, "labels are given twice");
    r->labels = true;
    for (uint32_t v = 0; v < r->n; v++) {
        skip_blanks(t, true);
        KSDA_I_TRY(read_item(r, &w));
        KSDA_I_TRY(ksda_i_nodes_title(&r->nodes, v, w.text, w.size));
    }
done:
    return status;
}

static ksda_status read_header(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status = KSDA_OK;
    char shown[KSDA_I_SHOWN];
    word w = read_key(t);
    if (!word_is(w, "dl"))
        return ksda_i_text_error(t, w.text, "a DL file must begin with DL, not %s", ksda_i_text_show(t, w.text, shown));
    w = read_key(t);
    if (word_is(w, "nr") || word_is(w, "nc") || word_is(w, "nm"))
        return ksda_i_text_error(t, w.text, "two-mode data and several matrices (nr, nc, nm) are not read");
    if (!word_is(w, "n"))
        return ksda_i_text_error(t, w.text, "expected n=, not %s", ksda_i_text_show(t, w.text, shown));
    skip_blanks(t, true);
    KSDA_I_TRY(ksda_i_nodes_count(t, &r->n));
    KSDA_I_TRY(ksda_i_nodes_number(&r->nodes, r->n));
    for (;;) {
        w = read_key(t);
        if (word_is(w, "data")) break;
        if (word_is(w, "format"))
            KSDA_I_TRY(read_format(r));
        else if (word_is(w, "labels"))
            KSDA_I_TRY(read_labels(r));
        else
            return ksda_i_text_error(t, w.text, "expected format=, labels: or data:, not %s",
                                     ksda_i_text_show(t, w.text, shown));
    }
done:
    return status;
}

/* --- the data ----------------------------------------------------------------------------------------------------- */

/* A vertex: by its label where the data have them, else by its number. */
static ksda_status read_vertex(reader *r, uint32_t *item) {
    char shown[KSDA_I_SHOWN];
    ksda_status status;
    uint64_t number;
    word w;
    KSDA_I_TRY(read_item(r, &w));
    if (!r->embedded) {
        if (!ksda_i_parse_number(w.text, w.size, &number) || number < 1 || number > r->n)
            return ksda_i_text_error(&r->text, w.text, "expected a vertex from 1 to %llu, not %s",
                                     (unsigned long long)r->n, ksda_i_show(w.text, w.size, shown));
        *item = (uint32_t)(number - 1);
        return KSDA_OK;
    }
    KSDA_I_TRY(ksda_i_ids_intern(r->text.ctx, &r->nodes.titles, w.text, w.size, item)); /* the i-th label is vertex i */
    if (*item >= r->n)
        return ksda_i_text_error(&r->text, w.text, "%llu vertices are announced, but %s is one more",
                                 (unsigned long long)r->n, ksda_i_show(w.text, w.size, shown));
    r->nodes.title[*item] = *item;
done:
    return status;
}

/* A line with a vertex and its neighbours, or with one and perhaps a weight. */
static ksda_status read_line(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status;
    uint32_t from, to;
    word weight;
    KSDA_I_TRY(read_vertex(r, &from));
    for (skip_blanks(t, false); r->format == LISTS && !ksda_i_text_line_done(t); skip_blanks(t, false)) {
        KSDA_I_TRY(read_vertex(r, &to));
        KSDA_I_TRY(ksda_i_nodes_edge(&r->nodes, from, to));
    }
    if (r->format == LISTS) return KSDA_OK;
    KSDA_I_TRY(read_vertex(r, &to));
    KSDA_I_TRY(ksda_i_nodes_edge(&r->nodes, from, to));
    skip_blanks(t, false);
    if (!ksda_i_text_line_done(t)) KSDA_I_TRY(read_item(r, &weight));
    skip_blanks(t, false);
    if (!ksda_i_text_line_done(t)) return ksda_i_text_error(t, t->at, "expected the end of the line behind the weight");
done:
    return status;
}

static ksda_status read_lines(reader *r) {
    ksda_status status = KSDA_OK;
    for (;;) {
        skip_blanks(&r->text, true);
        if (r->text.at == r->text.end) break;
        KSDA_I_TRY(read_line(r));
    }
done:
    return status;
}

static ksda_status read_entry(reader *r, uint32_t row, uint32_t column) {
    char shown[KSDA_I_SHOWN];
    ksda_status status;
    word w;
    bool zero = true;
    skip_blanks(&r->text, true);
    KSDA_I_TRY(read_item(r, &w));
    ksda_i_text number = {.at = w.text, .end = w.text + w.size};
    if (!ksda_i_text_skip_number(&number) || number.at != number.end)
        return ksda_i_text_error(&r->text, w.text, "expected a number of the matrix, row %u, column %u, not %s",
                                 row + 1, column + 1, ksda_i_show(w.text, w.size, shown));
    for (size_t i = 0; i < w.size && (w.text[i] | 0x20) != 'e'; i++) zero &= w.text[i] < '1' || w.text[i] > '9';
    if (!zero) KSDA_I_TRY(ksda_i_nodes_edge(&r->nodes, row, column));
done:
    return status;
}

/* Rows of numbers; with labels above the columns and before each row where the data have them. */
static ksda_status read_matrix(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status = KSDA_OK;
    uint32_t n = (uint32_t)r->n, vertex;
    for (uint32_t i = 0; i < n && r->embedded; i++) {
        skip_blanks(t, true);
        KSDA_I_TRY(read_vertex(r, &vertex));
        if (vertex != i) return ksda_i_text_error(t, t->at, "two columns have the same label");
    }
    for (uint32_t row = 0; row < n; row++) {
        vertex = row;
        skip_blanks(t, true);
        if (r->embedded) KSDA_I_TRY(read_vertex(r, &vertex));
        for (uint32_t column = 0; column < n; column++) KSDA_I_TRY(read_entry(r, vertex, column));
    }
    skip_blanks(t, true);
    if (t->at < t->end) return ksda_i_text_error(t, t->at, "%u rows are announced, but more follows", n);
done:
    return status;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool sniff_dl(const char *data, size_t size) {
    ksda_i_text t = {.begin = data, .at = data, .end = data + size};
    if (!word_is(read_key(&t), "dl")) return false;
    skip_blanks(&t, true);
    if (t.at == t.end || (*t.at | 0x20) != 'n') return false;
    read_key(&t);
    return t.at[-1] == '=';
}

/* Vertices that no label of the data names. */
static ksda_status name_the_others(reader *r, ksda_i_read *out) {
    uint32_t named = r->nodes.titles.count;
    ksda_status status = KSDA_OK;
    for (uint32_t v = named; v < r->n && status >= 0; v++) {
        const uint64_t *start = r->nodes.names.start + v;
        status = ksda_i_nodes_title(&r->nodes, v, r->nodes.names.text + start[0], start[1] - start[0]);
    }
    if (named < r->n)
        ksda_i_note(out->reading.note, sizeof out->reading.note,
                    "%llu of %llu vertices have no label in the data and are called by their numbers",
                    (unsigned long long)(r->n - named), (unsigned long long)r->n);
    return status;
}

static ksda_status read_dl(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    reader r = {.text = {.ctx = ctx, .name = ksda_i_source_name(source)}};
    ksda_i_nodes_init(&r.nodes, &r.text);
    KSDA_I_TRY(ksda_i_no_attribute(ctx, source, options->attribute, out));
    out->closed = true;
    KSDA_I_TRY(ksda_i_source_text(source, &r.text));
    KSDA_I_TRY(read_header(&r));
    if (r.labels && r.embedded)
        KSDA_I_TRY(ksda_i_text_error(&r.text, r.text.at, "labels in the header and in the data"));
    KSDA_I_TRY(r.format == MATRIX ? read_matrix(&r) : read_lines(&r));
    if (r.embedded) KSDA_I_TRY(name_the_others(&r, out));
    KSDA_I_TRY(ksda_i_nodes_rename(&r.nodes, NULL));
    KSDA_I_TRY(ksda_i_nodes_finish(&r.nodes, false, out));
done:
    ksda_i_nodes_clear(&r.nodes);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

const ksda_i_format ksda_i_format_dl = {
    .name = "dl",
    .endings = ".dl",
    .sniff = sniff_dl,
    .read = read_dl,
};
