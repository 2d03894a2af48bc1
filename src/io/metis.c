/* METIS .graph files: the format of gpmetis, and of KaHIP, Chaco and the DIMACS challenges.
 *
 *     % comments stand on lines of their own
 *     n m [fmt [ncon]]
 *     [size] [weight ...] neighbour [weight] neighbour [weight] ...     one line for each vertex, 1 to n
 *
 * Vertices are numbered from 1; every edge stands in both its lines; an empty line is a vertex without neighbours. fmt
 * is up to three digits 0 or 1: do vertices have sizes, vertices weights (ncon of them, else 1), edges weights? All of
 * those are read over. The vertices are called 1 to n and the file lists all of them.
 *
 * A header that lies is refused where the lie comes out: fewer or more lines than n, a neighbour outside 1..n, u in v's
 * line but not v in u's, a total other than 2m. Self-loops (in the line once or twice) and repeated neighbours are
 * removed and counted. Memory grows with the lines that are there, not with what the header promises.
 *
 * Writing numbers the vertices 1 to n in the graph's order, since the format has no names: read back, a graph whose ids
 * are not 1..n has the same shape and other ids. Communities cannot be written.
 *
 * The rows of the file are the rows of the graph, so reading is one pass and a check of symmetry: O(n + m) plus sorting
 * rows that are not sorted; 4 bytes for each neighbour and 12 for each vertex over the text. */
#include "io/formats.h"
#include "io/text.h"

#define PROGRESS_ROWS 16384
#define PROGRESS_ENTRIES 1000000

typedef struct header {
    uint64_t n, m;
    bool edge_weights;
    uint64_t skip; /* sizes and weights before the neighbours */
} header;

typedef struct rows {
    uint64_t *off;
    uint32_t *adj;
    uint64_t off_capacity, adj_capacity;
    uint64_t entries, loops;
} rows;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void skip_comments(ksda_i_text *t, bool blank_lines_too) {
    for (;;) {
        const char *start = t->at;
        ksda_i_text_blanks(t);
        if (t->at < t->end && *t->at == '%') {
            ksda_i_text_next_line(t);
        } else if (blank_lines_too && t->at < t->end && *t->at == '\n') {
            t->at++;
        } else {
            t->at = start;
            return;
        }
    }
}

static ksda_status read_fmt(ksda_i_text *t, header *h) {
    char shown[KSDA_I_SHOWN];
    const char *start = t->at;
    bool digit[3] = {false, false, false};
    while (!ksda_i_text_word_done(t) && (*t->at == '0' || *t->at == '1') && t->at - start < 3) {
        digit[0] = digit[1];
        digit[1] = digit[2];
        digit[2] = *t->at++ == '1';
    }
    if (!ksda_i_text_word_done(t))
        return ksda_i_text_error(t, start, "the header's third value must be up to three digits 0 or 1, not %s",
                                 ksda_i_text_show(t, start, shown));
    h->edge_weights = digit[2];
    h->skip = (uint64_t)digit[0] + digit[1];
    ksda_i_text_blanks(t);
    if (ksda_i_text_line_done(t)) return KSDA_OK;
    uint64_t constraints;
    start = t->at;
    if (!ksda_i_text_number(t, &constraints) || constraints > 1000000)
        return ksda_i_text_error(t, start, "the header's fourth value must be the number of vertex weights, not %s",
                                 ksda_i_text_show(t, start, shown));
    if (digit[1]) h->skip = (uint64_t)digit[0] + constraints;
    return KSDA_OK;
}

static ksda_status read_header(ksda_i_text *t, header *h) {
    char shown[KSDA_I_SHOWN];
    skip_comments(t, true);
    ksda_i_text_blanks(t);
    const char *start = t->at;
    if (!ksda_i_text_number(t, &h->n))
        return ksda_i_text_error(t, start, "the header must begin with the number of vertices, not %s",
                                 ksda_i_text_show(t, start, shown));
    if (h->n > KSDA_MAX_VERTICES)
        return ksda_i_text_error(t, start, "the header announces %llu vertices; at most %u are possible",
                                 (unsigned long long)h->n, KSDA_MAX_VERTICES);
    ksda_i_text_blanks(t);
    start = t->at;
    if (!ksda_i_text_number(t, &h->m) || h->m > UINT64_MAX / 4)
        return ksda_i_text_error(t, start, "the header's second value must be the number of edges, not %s",
                                 ksda_i_text_show(t, start, shown));
    ksda_i_text_blanks(t);
    if (!ksda_i_text_line_done(t)) {
        ksda_status status = read_fmt(t, h);
        if (status < 0) return status;
        ksda_i_text_blanks(t);
    }
    if (!ksda_i_text_line_done(t))
        return ksda_i_text_error(t, t->at, "the header must have two to four values, but goes on with %s",
                                 ksda_i_text_show(t, t->at, shown));
    ksda_i_text_next_line(t);
    return KSDA_OK;
}

static ksda_status skip_weights(ksda_i_text *t, uint64_t count, const char *what) {
    char shown[KSDA_I_SHOWN];
    for (uint64_t i = 0; i < count; i++) {
        ksda_i_text_blanks(t);
        if (!ksda_i_text_skip_number(t))
            return ksda_i_text_error(t, t->at, "expected %s, not %s", what, ksda_i_text_show(t, t->at, shown));
    }
    return KSDA_OK;
}

static ksda_status bad_neighbour(const ksda_i_text *t, const header *h, uint64_t v) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_text_error(t, t->at, "%s in the line of vertex %llu is not a vertex; the header says 1 to %llu",
                             ksda_i_text_show(t, t->at, shown), (unsigned long long)v + 1, (unsigned long long)h->n);
}

/* The line of vertex v, up to its end. */
static ksda_status read_row(ksda_i_text *t, const header *h, uint64_t v, rows *r) {
    ksda_status status = skip_weights(t, h->skip, "the vertex's size or weight");
    if (status < 0) return status;
    for (;;) {
        uint64_t neighbour;
        ksda_i_text_blanks(t);
        if (ksda_i_text_line_done(t)) return KSDA_OK;
        const char *start = t->at;
        if (!ksda_i_text_number(t, &neighbour) || neighbour == 0 || neighbour > h->n) {
            t->at = start;
            return bad_neighbour(t, h, v);
        }
        if (r->entries == 2 * h->m) /* more could not be right any more: do not read gigabytes to say so */
            return ksda_i_text_error(t, start, "more neighbours than the header's %llu edges allow",
                                     (unsigned long long)h->m);
        if (r->entries == r->adj_capacity &&
            ksda_i_reserve(t->ctx, &r->adj, &r->adj_capacity, r->entries + 1, sizeof *r->adj) < 0)
            return KSDA_NOMEM;
        if (r->entries % PROGRESS_ENTRIES == 0 && (status = ksda_i_text_progress(t)) < 0)
            return status; /* a line may be long */
        r->adj[r->entries++] = (uint32_t)(neighbour - 1);
        r->loops += neighbour - 1 == v;
        if (h->edge_weights && (status = skip_weights(t, 1, "the edge's weight")) < 0) return status;
    }
}

static ksda_status read_rows(ksda_i_text *t, const header *h, rows *r) {
    ksda_status status = ksda_i_reserve(t->ctx, &r->off, &r->off_capacity, 1, sizeof *r->off);
    if (status < 0 || (status = ksda_i_reserve(t->ctx, &r->adj, &r->adj_capacity, 1, sizeof *r->adj)) < 0)
        return status;
    r->off[0] = 0;
    for (uint64_t v = 0; v < h->n; v++) {
        skip_comments(t, false);
        if (t->at == t->end)
            return ksda_i_text_error(t, t->end, "the header announces %llu vertices, but there are lines for only %llu",
                                     (unsigned long long)h->n, (unsigned long long)v);
        if ((status = read_row(t, h, v, r)) < 0) return status;
        ksda_i_text_next_line(t);
        if ((status = ksda_i_reserve(t->ctx, &r->off, &r->off_capacity, v + 2, sizeof *r->off)) < 0) return status;
        r->off[v + 1] = r->entries;
        if (r->off[v + 1] - r->off[v] > KSDA_MAX_VERTICES)
            return ksda_i_text_error(t, t->at, "vertex %llu has more than %u neighbours", (unsigned long long)v + 1,
                                     KSDA_MAX_VERTICES);
        if (v % PROGRESS_ROWS == 0 && (status = ksda_i_text_progress(t)) < 0) return status;
    }
    skip_comments(t, true);
    ksda_i_text_blanks(t);
    if (t->at < t->end)
        return ksda_i_text_error(t, t->at, "the header announces %llu vertices, but more lines follow",
                                 (unsigned long long)h->n);
    if (r->entries != 2 * h->m && r->entries + r->loops != 2 * h->m)
        return ksda_i_text_error(
            t, t->end, "the header announces %llu edges, so %llu neighbours in all, but there are %llu",
            (unsigned long long)h->m, 2 * (unsigned long long)h->m, (unsigned long long)r->entries);
    return KSDA_OK;
}

/* Find u in the line of v again, to say where it stands. The text was read before, so it is well-formed. */
static ksda_status one_sided(ksda_i_text *t, const header *h, uint32_t v, uint32_t u) {
    header again = {0};
    const char *place = t->end;
    t->at = t->begin;
    read_header(t, &again);
    for (uint32_t i = 0;; i++) {
        skip_comments(t, false);
        if (i == v) break;
        ksda_i_text_next_line(t);
    }
    skip_weights(t, h->skip, "");
    while (!ksda_i_text_line_done(t) && place == t->end) {
        uint64_t neighbour;
        ksda_i_text_blanks(t);
        const char *start = t->at;
        if (!ksda_i_text_number(t, &neighbour)) break;
        if (neighbour == (uint64_t)u + 1) place = start;
        if (h->edge_weights) skip_weights(t, 1, "");
        ksda_i_text_blanks(t);
    }
    return ksda_i_text_error(t, place, "vertex %u stands in the line of vertex %u, but not %u in the line of %u", u + 1,
                             v + 1, v + 1, u + 1);
}

/* Rows are sorted. Going through the vertices in ascending order, the smaller neighbours of each u must come up one
 * after the other, in the order of u's row: one cursor for each row, O(n + m). */
static ksda_status check_symmetry(ksda_i_text *t, const header *h, const ksda_graph *g) {
    ksda_status status = KSDA_OK;
    uint64_t *cursor = ksda_i_malloc(t->ctx, g->n, sizeof *cursor);
    if (!cursor) return KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++) cursor[v] = g->off[v];
    for (uint32_t v = 0; v < g->n; v++) {
        /* All vertices below v have passed: a smaller neighbour that did not come up does not list v. */
        if (cursor[v] < g->off[v + 1] && g->adj[cursor[v]] < v) {
            status = one_sided(t, h, v, g->adj[cursor[v]]);
            goto done;
        }
        for (uint64_t i = cursor[v]; i < g->off[v + 1]; i++) {
            uint32_t u = g->adj[i];
            if (cursor[u] == g->off[u + 1] || g->adj[cursor[u]] > v) {
                status = one_sided(t, h, v, u);
                goto done;
            }
            if (g->adj[cursor[u]] < v) {
                status = one_sided(t, h, u, g->adj[cursor[u]]);
                goto done;
            }
            cursor[u]++;
        }
    }
done:
    ksda_i_free(t->ctx, cursor);
    return status;
}

static ksda_status read_metis(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                              ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    ksda_i_text t = {.ctx = ctx, .name = ksda_i_source_name(source)};
    header h = {0};
    rows r = {0};
    *out = (ksda_i_read){.closed = true};
    if (options->attribute)
        return ksda_i_error_at(ctx, KSDA_UNSUPPORTED, t.name, 0, 0, "METIS files have no vertex attributes");
    KSDA_I_TRY(ksda_i_source_text(source, &t));
    KSDA_I_TRY(read_header(&t, &h));
    KSDA_I_TRY(read_rows(&t, &h, &r));
    status = ksda_i_graph_take_raw(ctx, (uint32_t)h.n, r.off, r.adj, &out->graph);
    r.off = NULL; /* taken, whatever happened */
    r.adj = NULL;
    if (status < 0) goto done;
    KSDA_I_TRY(check_symmetry(&t, &h, out->graph));
    uint64_t loops = h.m - (r.entries - r.loops) / 2, others = (r.entries - r.loops) / 2;
    out->graph->cleaning = (ksda_cleaning){h.m, loops, others - out->graph->m};
    ksda_i_ids_range(&out->graph->ids, (uint32_t)h.n, 1);
done:
    ksda_i_free(ctx, r.off);
    ksda_i_free(ctx, r.adj);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static ksda_status write_metis(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *communities,
                               ksda_i_output *out) {
    (void)communities;
    ksda_i_output_number(out, g->n);
    ksda_i_output_text(out, " ");
    ksda_i_output_number(out, g->m);
    ksda_i_output_text(out, "\n");
    for (uint32_t v = 0; v < g->n; v++) {
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            if (i > g->off[v]) ksda_i_output_write(out, " ", 1);
            ksda_i_output_number(out, (uint64_t)g->adj[i] + 1);
        }
        ksda_i_output_write(out, "\n", 1);
        if (v % PROGRESS_ROWS == 0) {
            ksda_status status = ksda_i_progress(ctx, "writing", v, g->n);
            if (status < 0) return status;
        }
    }
    return KSDA_OK;
}

const ksda_i_format ksda_i_format_metis = {
    .format = KSDA_FORMAT_METIS,
    .name = "metis",
    .endings = ".graph .metis",
    .numbers = true,
    .first = 1,
    .sniff = NULL, /* two numbers on the first line say nothing */
    .read = read_metis,
    .write = write_metis,
};
