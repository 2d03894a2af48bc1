/* Pajek networks (.net): what Pajek, VOSviewer, igraph and NetworkX exchange.
 *
 *     *Vertices 3
 *     1 "Anna B." 0.12 0.5 ic Red
 *     2 "Carl"
 *     *Edges                 (*Arcs: directed, read as undirected)
 *     1 2 0.5
 *     *Edgeslist             (*Arcslist: a vertex and its neighbours a line)
 *     1 2 3
 *
 * Sections begin with a star and come in any order behind *Vertices; lines that begin with % are comments. The file
 * lists all vertices, 1 to n, with or without a line for each. A vertex is called by its label if every one has a label
 * and no two share one (as NetworkX does it), else by its number; in quotes \" and \\ stand for a quote and a
 * backslash. Behind the label a position, a shape and then any attributes may follow, each with its value: the
 * community or the name may come from one. Weights, times and the names of relations are read over; all relations are
 * taken together. Matrices
 * (*Matrix) are refused, and so is a project (.paj), which holds several networks and partitions.
 *
 * Writing gives every vertex its name as a label, in quotes. Communities go into a partition, a .clu file beside it
 * (clu.c). Time and memory O(text). */
#include "io/items.h"
#include "io/nodes.h"

#include <strings.h>

#define PROGRESS_LINES 16384

typedef enum section {
    NONE,
    VERTICES,
    PAIRS, /* two vertices a line */
    LISTS  /* a vertex and its neighbours a line */
} section;

typedef struct reader {
    ksda_i_text text;
    ksda_i_nodes nodes;
    uint64_t n;
    bool has_vertices;
    section section;
    const char *attribute, *called; /* the attributes of communities and of names, or NULL */
    bool has_attribute, has_called;
    char *value; /* of the current word */
    uint64_t value_size, value_capacity;
} reader;

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool word_is(const char *word, size_t size, const char *name) {
    return size == strlen(name) && strncasecmp(word, name, size) == 0;
}

static bool is_value(const reader *r, const char *name) {
    return name && r->value_size == strlen(name) && memcmp(r->value, name, r->value_size) == 0;
}

/* A word, or what stands in quotes, into value; at is at its first character. */
static ksda_status read_word(reader *r) {
    ksda_i_text *t = &r->text;
    const char *open = t->at;
    ksda_status status = KSDA_OK;
    bool quoted = t->at < t->end && *t->at == '"';
    r->value_size = 0;
    t->at += quoted;
    while (quoted ? !ksda_i_text_line_done(t) && *t->at != '"' : !ksda_i_text_word_done(t)) {
        bool escape = quoted && *t->at == '\\' && t->end - t->at > 1 && (t->at[1] == '"' || t->at[1] == '\\');
        t->at += escape;
        size_t step =
            (unsigned char)*t->at < ' ' && *t->at != '\t' ? 0 : ksda_i_utf8(t->at, (size_t)(t->end - t->at), NULL);
        if (step == 0)
            return ksda_i_text_error(
                t, t->at, "byte 0x%02x in a label; expected UTF-8 text (--encoding latin-1 or windows-1252?)",
                (unsigned char)*t->at);
        KSDA_I_TRY(ksda_i_reserve(t->ctx, &r->value, &r->value_capacity, r->value_size + step, 1));
        memcpy(r->value + r->value_size, t->at, step);
        r->value_size += step;
        t->at += step;
    }
    if (quoted && ksda_i_text_line_done(t)) return ksda_i_text_error(t, open, "a label that does not end in this line");
    t->at += quoted;
done:
    return status;
}

/* Is there another word in this line? */
static bool more_words(ksda_i_text *t) {
    ksda_i_text_blanks(t);
    return !ksda_i_text_line_done(t);
}

/* The attribute whose name is in value, and whose value follows. */
static ksda_status read_attribute(reader *r, uint32_t item) {
    ksda_status status = KSDA_OK;
    bool community = is_value(r, r->attribute), name = is_value(r, r->called);
    r->has_attribute |= community;
    r->has_called |= name;
    KSDA_I_TRY(ksda_i_nodes_attribute(&r->nodes, r->value, r->value_size));
    if (!more_words(&r->text)) return KSDA_OK;
    KSDA_I_TRY(read_word(r));
    if (community) KSDA_I_TRY(ksda_i_nodes_community(&r->nodes, item, r->value, r->value_size));
    if (name) KSDA_I_TRY(ksda_i_nodes_title(&r->nodes, item, r->value, r->value_size));
done:
    return status;
}

/* Behind the label: a position, a shape, and then attributes, each with its value. */
static ksda_status read_attributes(reader *r, uint32_t item) {
    ksda_i_text *t = &r->text, ahead;
    ksda_status status = KSDA_OK;
    unsigned words = 0;
    while (more_words(t) && ksda_i_text_skip_number(t)) continue;
    for (ahead = *t; more_words(&ahead); words++) {
        bool quoted = *ahead.at == '"';
        ahead.at += quoted;
        while (quoted ? !ksda_i_text_line_done(&ahead) && *ahead.at != '"' : !ksda_i_text_word_done(&ahead)) ahead.at++;
        if (!ksda_i_text_line_done(&ahead)) ahead.at += quoted;
    }
    if (words % 2 == 1) KSDA_I_TRY(read_word(r)); /* the shape */
    while (more_words(t)) {
        KSDA_I_TRY(read_word(r));
        KSDA_I_TRY(read_attribute(r, item));
    }
done:
    return status;
}

/* The number of a vertex. */
static ksda_status read_vertex(reader *r, uint32_t *item) {
    ksda_i_text *t = &r->text;
    char shown[KSDA_I_SHOWN];
    uint64_t number;
    ksda_i_text_blanks(t);
    const char *start = t->at;
    if (!ksda_i_text_number(t, &number) || number < 1 || number > r->n)
        return ksda_i_text_error(t, start, "expected a vertex from 1 to %llu, not %s", (unsigned long long)r->n,
                                 ksda_i_text_show(t, start, shown));
    *item = (uint32_t)(number - 1);
    return KSDA_OK;
}

static ksda_status read_vertex_line(reader *r) {
    ksda_status status;
    uint32_t item;
    const char *start = r->text.at;
    char shown[KSDA_I_SHOWN];
    KSDA_I_TRY(read_vertex(r, &item));
    if (r->nodes.title[item] != KSDA_NO_VERTEX)
        return ksda_i_text_error(&r->text, start, "vertex %s is declared twice",
                                 ksda_i_text_show(&r->text, start, shown));
    if (!more_words(&r->text)) return KSDA_OK;
    KSDA_I_TRY(read_word(r));
    bool by_label = !r->called || strcmp(r->called, "label") == 0;
    r->has_called |= by_label;
    if (by_label) KSDA_I_TRY(ksda_i_nodes_title(&r->nodes, item, r->value, r->value_size));
    if (r->attribute || !by_label) KSDA_I_TRY(read_attributes(r, item));
done:
    return status;
}

/* A vertex and one neighbour, or all of them. */
static ksda_status read_edge_line(reader *r, bool all) {
    ksda_i_text *t = &r->text;
    ksda_status status;
    uint32_t from, to;
    KSDA_I_TRY(read_vertex(r, &from));
    do {
        ksda_i_text_blanks(t);
        if (all && ksda_i_text_line_done(t)) break;
        KSDA_I_TRY(read_vertex(r, &to));
        KSDA_I_TRY(ksda_i_nodes_edge(&r->nodes, from, to));
    } while (all);
done:
    return status;
}

/* --- sections ----------------------------------------------------------------------------------------------------- */

static ksda_status refuse_section(reader *r, const char *star, const char *word, size_t size) {
    static const char *const of_projects[] = {"partition", "vector", "permutation", "cluster", "hierarchy"};
    char shown[KSDA_I_SHOWN];
    if (word_is(word, size, "matrix"))
        return ksda_i_text_error(&r->text, star, "*Matrix is not read: save the network as *Arcs or *Edges");
    for (size_t i = 0; i < sizeof of_projects / sizeof *of_projects; i++)
        if (word_is(word, size, of_projects[i]))
            return ksda_i_text_error(&r->text, star,
                                     "a Pajek project is not read: save the network (.net) and the partition (.clu, "
                                     "for -c) as files of their own");
    return ksda_i_text_error(&r->text, star, "expected *Vertices, *Edges, *Arcs, *Edgeslist or *Arcslist, not %s",
                             ksda_i_show(star, size + 1, shown));
}

/* A line that begins with a star. */
static ksda_status begin_section(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status = KSDA_OK;
    const char *star = t->at++, *word = t->at;
    while (!ksda_i_text_word_done(t) && *t->at != ':') t->at++;
    size_t size = (size_t)(t->at - word);
    if (word_is(word, size, "network")) {
        if (r->has_vertices) return ksda_i_text_error(t, star, "a second network; one file is one graph");
        return KSDA_OK;
    }
    if (word_is(word, size, "vertices")) {
        if (r->has_vertices) return ksda_i_text_error(t, star, "a second *Vertices; one file is one graph");
        ksda_i_text_blanks(t);
        KSDA_I_TRY(ksda_i_nodes_count(t, &r->n));
        KSDA_I_TRY(ksda_i_nodes_number(&r->nodes, r->n));
        r->has_vertices = true;
        r->section = VERTICES;
        return KSDA_OK;
    }
    if (!r->has_vertices) return ksda_i_text_error(t, star, "expected *Vertices first");
    if (word_is(word, size, "arcs") || word_is(word, size, "arcslist")) r->nodes.directed = true;
    if (word_is(word, size, "edges") || word_is(word, size, "arcs"))
        r->section = PAIRS;
    else if (word_is(word, size, "edgeslist") || word_is(word, size, "arcslist"))
        r->section = LISTS;
    else
        return refuse_section(r, star, word, size);
done:
    return status;
}

static ksda_status read_line(reader *r) {
    char shown[KSDA_I_SHOWN];
    switch (r->section) {
    case VERTICES: return read_vertex_line(r);
    case PAIRS: return read_edge_line(r, false);
    case LISTS: return read_edge_line(r, true);
    default:
        return ksda_i_text_error(&r->text, r->text.at, "expected *Vertices, not %s",
                                 ksda_i_text_show(&r->text, r->text.at, shown));
    }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool sniff_pajek(const char *data, size_t size) {
    static const char *const words[] = {"*vertices", "*network"};
    ksda_i_text t = {.at = data, .end = data + size};
    while (t.at < t.end && (strchr(" \t\r\n", *t.at) || *t.at == '%')) {
        if (*t.at == '%')
            ksda_i_text_next_line(&t);
        else
            t.at++;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(t.end - t.at) >= length && strncasecmp(t.at, words[i], length) == 0) return true;
    }
    return false;
}

static ksda_status parse_pajek(reader *r) {
    ksda_i_text *t = &r->text;
    ksda_status status = KSDA_OK;
    for (uint64_t line = 0; t->at < t->end; line++) {
        if (line % PROGRESS_LINES == 0) KSDA_I_TRY(ksda_i_text_progress(t));
        ksda_i_text_blanks(t);
        if (!ksda_i_text_line_done(t) && *t->at != '%') KSDA_I_TRY(*t->at == '*' ? begin_section(r) : read_line(r));
        ksda_i_text_next_line(t);
    }
    if (!r->has_vertices) return ksda_i_text_error(t, t->end, "the file has no *Vertices");
    KSDA_I_TRY(ksda_i_nodes_attribute(&r->nodes, "label", 5));
    KSDA_I_TRY(ksda_i_nodes_complete(&r->nodes, r->attribute, r->has_attribute, r->called, r->has_called));
    KSDA_I_TRY(ksda_i_nodes_rename(&r->nodes, r->called));
done:
    return status;
}

static ksda_status read_pajek(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                              ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    reader r = {.section = NONE, .attribute = options->attribute, .called = options->name_attribute};
    KSDA_I_TRY(ksda_i_nodes_open(ctx, source, options, &r.text, &r.nodes, out));
    r.nodes.several = false; /* a line has one value of an attribute */
    KSDA_I_TRY(parse_pajek(&r));
    KSDA_I_TRY(ksda_i_nodes_finish(&r.nodes, options->attribute != NULL, out));
done:
    ksda_i_nodes_clear(&r.nodes);
    ksda_i_free(ctx, r.value);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static ksda_status write_label(ksda_ctx *ctx, const ksda_i_ids *ids, uint32_t item, ksda_i_output *out) {
    ksda_i_output_write(out, "\"", 1);
    if (ids->kind != KSDA_I_IDS_NAMES) {
        ksda_i_output_id(out, ids, item);
    } else {
        char shown[KSDA_I_SHOWN];
        const char *text = ids->text + ids->start[item];
        size_t size = ids->start[item + 1] - ids->start[item];
        for (size_t i = 0, step; i < size; i += step) {
            uint32_t code = 0;
            step = ksda_i_utf8(text + i, size - i, &code);
            if (step == 0 || (code < ' ' && code != '\t') || code == 0x7f)
                return ksda_i_error(ctx, KSDA_UNSUPPORTED, "the name %s cannot stand in a line of a Pajek file",
                                    ksda_i_show(text, size, shown));
            if (code == '"' || code == '\\') ksda_i_output_write(out, "\\", 1);
            ksda_i_output_write(out, text + i, step);
        }
    }
    ksda_i_output_write(out, "\"", 1);
    return KSDA_OK;
}

static ksda_status write_vertex(const ksda_i_items *items, uint32_t v) {
    ksda_i_output_number(items->out, (uint64_t)v + 1);
    ksda_i_output_write(items->out, " ", 1);
    ksda_status status = write_label(items->ctx, &items->graph->ids, v, items->out);
    ksda_i_output_write(items->out, "\n", 1);
    return status;
}

static ksda_status write_edge(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v) {
    (void)number;
    ksda_i_output_number(items->out, (uint64_t)u + 1);
    ksda_i_output_write(items->out, " ", 1);
    ksda_i_output_number(items->out, (uint64_t)v + 1);
    ksda_i_output_write(items->out, "\n", 1);
    return KSDA_OK;
}

static ksda_status write_pajek(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status;
    const ksda_i_items items = {ctx, g, c, out, NULL};
    ksda_i_output_format(out, "*Vertices %u\n", g->n);
    KSDA_I_TRY(ksda_i_write_vertices(&items, write_vertex));
    ksda_i_output_text(out, "*Edges\n");
    KSDA_I_TRY(ksda_i_write_edges(&items, write_edge));
done:
    return status;
}

const ksda_i_format ksda_i_format_pajek = {
    .name = "pajek",
    .endings = ".net .paj",
    .sniff = sniff_pajek,
    .read = read_pajek,
    .write = write_pajek,
    .by_row = true,
    .attributes = true,
};
