/* Matrix Market coordinate files (.mtx): the non-zero entries of a square matrix, each an edge.
 *
 *     %%MatrixMarket matrix coordinate pattern|real|integer|complex general|symmetric|skew-symmetric|hermitian
 *     % comments, then the number of rows, of columns and of entries
 *     rows columns entries
 *     row column [value [imaginary part]]         one line for each entry, 1-based
 *
 * Row i is vertex i, so the vertices are called 1 to n and the file lists all of them; values do not matter, an entry
 * that is stored as 0 is an edge too. Whatever the symmetry, an entry is an undirected edge: an edge that stands as (i,
 * j) and (j, i) is counted once, the other as a duplicate; entries on the diagonal are self-loops. Dense files (array)
 * are refused. So is a header that lies: not square, an index outside 1..n, fewer or more entries than announced, and,
 * since vertices cost memory that nothing in the file pays for, more than some millions of vertices (MANY) with fewer
 * than one entry for each 256 of them.
 *
 * Writing numbers the vertices 1 to n in the graph's order (the format has no names) and writes a symmetric pattern:
 * the lower triangle. Communities cannot be written. Time O(n + m) plus building the graph. */
#include "graph/builder.h"
#include "io/formats.h"
#include "io/text.h"

#include <strings.h>

#define MANY ((uint64_t)1 << 22)
#define PROGRESS_ENTRIES 65536

static const char banner[] = "%%MatrixMarket";

typedef struct header {
    uint64_t n, entries;
    unsigned values; /* numbers after the two indices */
} header;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool sniff_mtx(const char *data, size_t size) {
    return size >= sizeof banner - 1 && strncasecmp(data, banner, sizeof banner - 1) == 0;
}

/* The next word of the banner must be one of those (space separated); tells which, from 0, or -1. */
static int read_keyword(ksda_i_text *t, const char *choices) {
    const char *word, *choice = choices;
    ksda_i_text_blanks(t);
    word = t->at;
    while (!ksda_i_text_word_done(t)) t->at++;
    for (int i = 0;; i++) {
        size_t length = strcspn(choice, " ");
        if (length == (size_t)(t->at - word) && strncasecmp(word, choice, length) == 0) return i;
        if (choice[length] == '\0') break;
        choice += length + 1;
    }
    t->at = word;
    return -1;
}

static ksda_status read_banner(ksda_i_text *t, header *h) {
    static const unsigned values[] = {0, 1, 1, 2, 1};
    char shown[KSDA_I_SHOWN];
    if (!sniff_mtx(t->begin, (size_t)(t->end - t->begin)))
        return ksda_i_text_error(t, t->begin, "a Matrix Market file must begin with %s, not %s", banner,
                                 ksda_i_text_show(t, t->begin, shown));
    t->at += sizeof banner - 1;
    if (read_keyword(t, "matrix") < 0)
        return ksda_i_text_error(t, t->at, "expected 'matrix', not %s", ksda_i_text_show(t, t->at, shown));
    switch (read_keyword(t, "coordinate array")) {
    case 0: break;
    case 1:
        return ksda_i_text_error(t, t->at - 5, "a dense matrix (array) is not a list of edges; write it as coordinate");
    default: return ksda_i_text_error(t, t->at, "expected 'coordinate', not %s", ksda_i_text_show(t, t->at, shown));
    }
    int type = read_keyword(t, "pattern real integer complex double");
    if (type < 0)
        return ksda_i_text_error(t, t->at, "expected pattern, real, integer or complex, not %s",
                                 ksda_i_text_show(t, t->at, shown));
    if (read_keyword(t, "general symmetric skew-symmetric hermitian") < 0)
        return ksda_i_text_error(t, t->at, "expected general, symmetric, skew-symmetric or hermitian, not %s",
                                 ksda_i_text_show(t, t->at, shown));
    h->values = values[type];
    ksda_i_text_next_line(t);
    return KSDA_OK;
}

/* To the next line that says something, and to its first word. */
static void skip_empty(ksda_i_text *t) {
    for (;;) {
        ksda_i_text_blanks(t);
        if (t->at == t->end || (*t->at != '%' && *t->at != '\n')) return;
        ksda_i_text_next_line(t);
    }
}

static ksda_status end_of_line(ksda_i_text *t) {
    char shown[KSDA_I_SHOWN];
    ksda_i_text_blanks(t);
    if (!ksda_i_text_line_done(t))
        return ksda_i_text_error(t, t->at, "expected the end of the line, not %s", ksda_i_text_show(t, t->at, shown));
    ksda_i_text_next_line(t);
    return KSDA_OK;
}

static ksda_status read_sizes(ksda_i_text *t, header *h) {
    static const char *const what[] = {"the number of rows", "the number of columns", "the number of entries"};
    char shown[KSDA_I_SHOWN];
    uint64_t size[3];
    const char *place[3];
    skip_empty(t);
    for (int i = 0; i < 3; i++) {
        ksda_i_text_blanks(t);
        place[i] = t->at;
        if (!ksda_i_text_number(t, &size[i]))
            return ksda_i_text_error(t, t->at, "expected %s, not %s", what[i], ksda_i_text_show(t, t->at, shown));
    }
    if (size[0] != size[1])
        return ksda_i_text_error(t, place[1], "%llu rows but %llu columns; the matrix of a graph is square",
                                 (unsigned long long)size[0], (unsigned long long)size[1]);
    if (size[0] > KSDA_MAX_VERTICES)
        return ksda_i_text_error(t, place[0], "the header announces %llu vertices; at most %u are possible",
                                 (unsigned long long)size[0], KSDA_MAX_VERTICES);
    if (size[0] > MANY && size[0] / 256 > size[2])
        return ksda_i_text_error(t, place[0],
                                 "the header announces %llu vertices but only %llu entries: hardly a graph",
                                 (unsigned long long)size[0], (unsigned long long)size[2]);
    h->n = size[0];
    h->entries = size[2];
    return end_of_line(t);
}

static ksda_status read_index(ksda_i_text *t, const header *h, const char *what, uint64_t *index) {
    char shown[KSDA_I_SHOWN];
    ksda_i_text_blanks(t);
    const char *start = t->at;
    if (ksda_i_text_number(t, index) && *index >= 1 && *index <= h->n) return KSDA_OK;
    return ksda_i_text_error(t, start, "expected a %s number from 1 to %llu, not %s", what, (unsigned long long)h->n,
                             ksda_i_text_show(t, start, shown));
}

static ksda_status read_entry(ksda_i_text *t, const header *h, ksda_i_builder *builder) {
    ksda_status status;
    char shown[KSDA_I_SHOWN];
    uint64_t row, column;
    KSDA_I_TRY(read_index(t, h, "row", &row));
    KSDA_I_TRY(read_index(t, h, "column", &column));
    for (unsigned i = 0; i < h->values; i++) {
        ksda_i_text_blanks(t);
        if (!ksda_i_text_skip_number(t))
            return ksda_i_text_error(t, t->at, "expected the entry's value, not %s", ksda_i_text_show(t, t->at, shown));
    }
    KSDA_I_TRY(end_of_line(t));
    KSDA_I_TRY(ksda_i_builder_edge(builder, 0, row, column));
done:
    return status;
}

static ksda_status read_entries(ksda_i_text *t, const header *h, ksda_i_builder *builder) {
    for (uint64_t i = 0;; i++) {
        ksda_status status;
        skip_empty(t);
        if (t->at == t->end && i == h->entries) return KSDA_OK;
        if (t->at == t->end)
            return ksda_i_text_error(t, t->end, "the header announces %llu entries, but there are only %llu",
                                     (unsigned long long)h->entries, (unsigned long long)i);
        if (i == h->entries)
            return ksda_i_text_error(t, t->at, "the header announces %llu entries, but more follow",
                                     (unsigned long long)h->entries);
        if ((status = read_entry(t, h, builder)) < 0) return status;
        if (i % PROGRESS_ENTRIES == 0 && (status = ksda_i_progress(t->ctx, "reading", i, h->entries)) < 0)
            return status;
    }
}

static ksda_status read_mtx(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    ksda_i_text t = {.ctx = ctx, .name = ksda_i_source_name(source)};
    ksda_i_builder *builder = NULL;
    header h = {0};
    *out = (ksda_i_read){.closed = true};
    if (options->attribute)
        return ksda_i_error_at(ctx, KSDA_UNSUPPORTED, t.name, 0, 0, "Matrix Market files have no vertex attributes");
    KSDA_I_TRY(ksda_i_source_text(source, &t));
    KSDA_I_TRY(read_banner(&t, &h));
    KSDA_I_TRY(read_sizes(&t, &h));
    KSDA_I_TRY(ksda_i_builder_new(ctx, 1, &builder));
    KSDA_I_TRY(read_entries(&t, &h, builder));
    ksda_i_builder_declare(builder, 1, (uint32_t)h.n);
    status = ksda_i_builder_finish(builder, NULL, &out->graph);
    builder = NULL; /* freed, whatever happened */
done:
    ksda_i_builder_free(ctx, builder);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static ksda_status write_mtx(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *communities,
                             ksda_i_output *out) {
    (void)communities;
    ksda_i_output_format(out, "%s matrix coordinate pattern symmetric\n%u %u %llu\n", banner, g->n, g->n,
                         (unsigned long long)g->m);
    for (uint32_t v = 0; v < g->n; v++) {
        for (uint64_t i = g->off[v]; i < g->off[v + 1] && g->adj[i] < v; i++) {
            ksda_i_output_number(out, (uint64_t)v + 1);
            ksda_i_output_write(out, " ", 1);
            ksda_i_output_number(out, (uint64_t)g->adj[i] + 1);
            ksda_i_output_write(out, "\n", 1);
        }
        if (v % 16384 == 0) {
            ksda_status status = ksda_i_progress(ctx, "writing", v, g->n);
            if (status < 0) return status;
        }
    }
    return KSDA_OK;
}

const ksda_i_format ksda_i_format_mtx = {
    .format = KSDA_FORMAT_MTX,
    .name = "mtx",
    .endings = ".mtx",
    .numbers = true,
    .first = 1,
    .sniff = sniff_mtx,
    .read = read_mtx,
    .write = write_mtx,
};
