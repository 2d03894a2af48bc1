/* GML, the Graph Modelling Language: what Newman's collection, Gephi, igraph and NetworkX exchange.
 *
 *     # a comment
 *     graph [
 *       directed 0
 *       node [ id 1 label "Valjean" community 3 ]
 *       edge [ source 1 target 2 ]
 *     ]
 *
 * Keys and values alternate; a value is a number, a string in quotes or a list in brackets. A node needs an id, an
 * integer that edges name it by; a second node with that id or an edge to an id without a node is refused. A vertex is
 * called by its label if every node has one and no two share one (as NetworkX does it), else by its id, or by the key
 * that is asked for; as numbers, if all names are. The file lists all vertices. Directed edges are read as undirected.
 * The community attribute is any key of node with a number or a string. All other keys are ignored, except a graph
 * inside a node and a second graph, which are refused. Strings are UTF-8; of the entities &quot; &amp; &lt; &gt; &apos;
 * &#N; and &#xN; are understood and all others left as they stand.
 *
 * Writing numbers the nodes 0, 1, 2, ... and puts names into labels; small numbers (below 2^31, as the format's
 * integers) simply become the ids. Communities become the key "community". Time and memory O(text). */
#include "io/items.h"
#include "io/nodes.h"

#include <strings.h>

#define MAX_DEPTH 128
#define PROGRESS_ITEMS 16384

typedef enum token {
    END,
    WORD, /* a key */
    INTEGER,
    REAL,
    STRING,
    OPEN,
    CLOSE
} token;

typedef struct reader {
    ksda_i_text text;
    ksda_i_nodes nodes;
    const char *attribute, *called; /* the keys of communities and of names, or NULL */
    bool has_graph, has_attribute, has_called;
    token token;       /* the current one */
    const char *start; /* of it */
    const char *key;   /* the key before the current value */
    size_t key_size;
    char *value; /* the current token's text: a string without quotes and entities, a number as it stands */
    uint64_t value_size, value_capacity, pairs;
} reader;

/* What a node or an edge is made of while it is read. */
typedef struct record {
    uint32_t item[2]; /* the node, or the edge's ends; KSDA_NO_VERTEX: not given yet */
    uint32_t label, community;
    uint64_t mores; /* further communities from here on are this node's, whose number may not be known yet */
} record;

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static ksda_status append(reader *r, const char *bytes, size_t size) {
    ksda_status status = ksda_i_reserve(r->text.ctx, &r->value, &r->value_capacity, r->value_size + size, 1);
    if (status < 0) return status;
    memcpy(r->value + r->value_size, bytes, size);
    r->value_size += size;
    return KSDA_OK;
}

/* &#N; or &#xN; : the length of the entity, 0 if it is none; the character goes to code. */
static size_t numeric_entity(const char *at, size_t size, uint32_t *code) {
    size_t i = 2;
    bool hex = size > 2 && (at[2] == 'x' || at[2] == 'X');
    uint32_t value = 0;
    if (hex) i++;
    size_t first = i;
    for (; i < size && i < 12; i++) {
        char c = at[i] | 0x20;
        unsigned digit = is_digit(at[i])               ? (unsigned)(at[i] - '0')
                         : hex && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                                       : 99;
        if (digit == 99) break;
        value = value * (hex ? 16 : 10) + digit;
        if (value > 0x10ffff) return 0;
    }
    if (i == first || i >= size || at[i] != ';' || value == 0 || (value >= 0xd800 && value <= 0xdfff)) return 0;
    *code = value;
    return i + 1;
}

/* The entity at an ampersand; an ampersand that starts none stands for itself. */
static size_t entity(const char *at, size_t size, uint32_t *code) {
    static const struct {
        const char *name;
        char code;
    } known[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (size >= length && memcmp(at, known[i].name, length) == 0) {
            *code = (unsigned char)known[i].code;
            return length;
        }
    }
    size_t length = size > 2 && at[1] == '#' ? numeric_entity(at, size, code) : 0;
    if (length > 0) return length;
    *code = '&';
    return 1;
}

static ksda_status read_string(reader *r) {
    ksda_status status = KSDA_OK;
    ksda_i_text *t = &r->text;
    const char *quote = memchr(t->at + 1, '"', (size_t)(t->end - t->at - 1));
    if (!quote) return ksda_i_text_error(t, t->at, "a string that never ends");
    for (const char *at = t->at + 1; at < quote;) {
        const char *run = at;
        while (at < quote && (signed char)*at > 0 && *at != '&') at++; /* plain characters, mostly all */
        if (at > run) KSDA_I_TRY(append(r, run, (size_t)(at - run)));
        if (at == quote) break;
        uint32_t code = 0;
        char encoded[4];
        size_t left = (size_t)(quote - at), step = ksda_i_utf8(at, left, &code);
        if (step == 0 || code == 0)
            return ksda_i_text_error(
                t, at, "byte 0x%02x in a string; expected UTF-8 text (--encoding latin-1 or windows-1252?)",
                (unsigned char)*at);
        if (code == '&') step = entity(at, left, &code);
        KSDA_I_TRY(append(r, encoded, ksda_i_utf8_put(code, encoded)));
        at += step;
    }
    t->at = quote + 1;
    r->token = STRING;
done:
    return status;
}

static ksda_status read_number(reader *r) {
    ksda_i_text *t = &r->text;
    char shown[KSDA_I_SHOWN];
    const char *start = t->at;
    ksda_i_text word = *t; /* a bracket ends a number too */
    while (t->at < t->end && !is_space(*t->at) && *t->at != '[' && *t->at != ']') t->at++;
    word.end = t->at;
    if (!ksda_i_text_skip_number(&word) || word.at != t->at)
        return ksda_i_text_error(t, start, "expected a number, not %s",
                                 ksda_i_show(start, (size_t)(t->at - start), shown));
    r->token = INTEGER;
    for (const char *c = start + 1; c < t->at; c++)
        if (!is_digit(*c)) r->token = REAL;
    if (*start == '.') r->token = REAL;
    if (*start == '+') start++;
    return append(r, start, (size_t)(t->at - start));
}

/* Read the next token. */
static ksda_status advance(reader *r) {
    ksda_i_text *t = &r->text;
    char shown[KSDA_I_SHOWN];
    for (;;) {
        while (t->at < t->end && is_space(*t->at)) t->at++;
        if (t->at == t->end || *t->at != '#') break;
        ksda_i_text_next_line(t);
    }
    r->start = t->at;
    r->value_size = 0;
    if (t->at == t->end) {
        r->token = END;
        return KSDA_OK;
    }
    if (*t->at == '[' || *t->at == ']') {
        r->token = *t->at++ == '[' ? OPEN : CLOSE;
        return KSDA_OK;
    }
    if (*t->at == '"') return read_string(r);
    if (is_digit(*t->at) || *t->at == '-' || *t->at == '+' || *t->at == '.') return read_number(r);
    if (!is_letter(*t->at))
        return ksda_i_text_error(t, t->at, "expected a key, a value or a bracket, not %s",
                                 ksda_i_text_show(t, t->at, shown));
    while (t->at < t->end && (is_letter(*t->at) || is_digit(*t->at))) t->at++;
    r->token = WORD;
    return KSDA_OK;
}

static bool key_is(const reader *r, const char *name) {
    return r->key_size == strlen(name) && strncasecmp(r->key, name, r->key_size) == 0;
}

/* The next key of a list and its value, which becomes the current token; *more is false at the list's end, which is
 * `last`. */
static ksda_status next_pair(reader *r, token last, bool *more) {
    char shown[KSDA_I_SHOWN];
    ksda_status status;
    if (r->pairs++ % PROGRESS_ITEMS == 0) KSDA_I_TRY(ksda_i_text_progress(&r->text));
    KSDA_I_TRY(advance(r));
    *more = r->token != last;
    if (!*more) return KSDA_OK;
    if (r->token != WORD)
        return ksda_i_text_error(&r->text, r->start, "expected a key%s, not %s", last == CLOSE ? " or ]" : "",
                                 ksda_i_text_show(&r->text, r->start, shown));
    r->key = r->start;
    r->key_size = (size_t)(r->text.at - r->start);
    KSDA_I_TRY(advance(r));
    if (r->token == END || r->token == CLOSE || r->token == WORD)
        return ksda_i_text_error(&r->text, r->start, "expected the value of %s, not %s",
                                 ksda_i_show(r->key, r->key_size, shown),
                                 r->token == END     ? "the end of the file"
                                 : r->token == CLOSE ? "]"
                                                     : "another word");
done:
    return status;
}

/* Over a value, which may be a list with lists in it. */
static ksda_status skip_value(reader *r) {
    ksda_status status = KSDA_OK;
    unsigned depth = r->token == OPEN;
    while (depth > 0) {
        bool more;
        KSDA_I_TRY(next_pair(r, CLOSE, &more));
        if (!more)
            depth--;
        else if (r->token == OPEN && ++depth > MAX_DEPTH)
            return ksda_i_text_error(&r->text, r->start, "lists are nested deeper than %d levels", MAX_DEPTH);
    }
done:
    return status;
}

/* --- nodes and edges ---------------------------------------------------------------------------------------------- */

/* The current value as an id, written in one way only: 7, not +07. */
static ksda_status read_id(reader *r, const char **id, size_t *size) {
    char shown[KSDA_I_SHOWN];
    if (r->token != INTEGER)
        return ksda_i_text_error(&r->text, r->start, "expected an integer as %s, not %s",
                                 key_is(r, "id") ? "id" : "the end of an edge",
                                 ksda_i_text_show(&r->text, r->start, shown));
    char *text = r->value;
    size_t length = r->value_size, sign = text[0] == '-', zeros = sign;
    while (zeros + 1 < length && text[zeros] == '0') zeros++;
    if (sign && text[zeros] != '0') text[--zeros] = '-';
    *id = text + zeros;
    *size = length - zeros;
    return KSDA_OK;
}

static ksda_status vertex_twice(reader *r) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_text_error(&r->text, r->key, "%s is given twice", ksda_i_show(r->key, r->key_size, shown));
}

static ksda_status read_label(reader *r, uint32_t *label) {
    if (*label != KSDA_NO_VERTEX) return vertex_twice(r);
    r->has_called = true;
    if (r->token == OPEN || r->value_size == 0) return KSDA_OK;
    return ksda_i_ids_intern(r->text.ctx, &r->nodes.titles, r->value, r->value_size, label);
}

/* A further community of the node. */
static ksda_status read_another(reader *r) {
    uint32_t community;
    ksda_i_nodes *n = &r->nodes;
    ksda_status status = ksda_i_reserve(r->text.ctx, &n->more, &n->more_capacity, n->mores + 1, sizeof *n->more);
    if (status >= 0) status = ksda_i_ids_intern(r->text.ctx, &n->community_names, r->value, r->value_size, &community);
    if (status >= 0) n->more[n->mores++] = community;
    return status;
}

static ksda_status read_community(reader *r, uint32_t *community) {
    static const char list_of_one[] = "_networkx_list_start"; /* networkx writes it before a list of one value */
    char shown[KSDA_I_SHOWN];
    if (*community != KSDA_NO_VERTEX && !r->nodes.several) return vertex_twice(r);
    if (r->token == OPEN)
        return ksda_i_text_error(&r->text, r->start, "expected a number or a string as %s, not a list",
                                 ksda_i_show(r->key, r->key_size, shown));
    r->has_attribute = true;
    if (r->value_size == 0) return KSDA_OK; /* an empty string: no community */
    if (r->nodes.several && r->value_size == sizeof list_of_one - 1 &&
        memcmp(r->value, list_of_one, sizeof list_of_one - 1) == 0)
        return KSDA_OK;
    if (*community != KSDA_NO_VERTEX) return read_another(r);
    return ksda_i_ids_intern(r->text.ctx, &r->nodes.community_names, r->value, r->value_size, community);
}

static bool is_wanted(const reader *r, const char *attribute) {
    return attribute && r->key_size == strlen(attribute) && memcmp(r->key, attribute, r->key_size) == 0;
}

/* One key of a node. */
static ksda_status node_key(reader *r, record *n) {
    ksda_status status = KSDA_OK;
    const char *id;
    size_t size;
    if (key_is(r, "graph")) return ksda_i_text_error(&r->text, r->key, "a graph inside a node is not supported");
    if (is_wanted(r, r->attribute)) KSDA_I_TRY(read_community(r, &n->community));
    if ((r->attribute && !r->has_attribute) || (r->called && !r->has_called))
        KSDA_I_TRY(ksda_i_nodes_attribute(&r->nodes, r->key, r->key_size));
    if (r->called ? is_wanted(r, r->called) : key_is(r, "label")) KSDA_I_TRY(read_label(r, &n->label));
    if (key_is(r, "id")) {
        if (n->item[0] != KSDA_NO_VERTEX) return vertex_twice(r);
        KSDA_I_TRY(read_id(r, &id, &size));
        KSDA_I_TRY(ksda_i_nodes_declare(&r->nodes, id, size, r->start, &n->item[0]));
    }
    KSDA_I_TRY(skip_value(r));
done:
    return status;
}

/* Keep what was read of a node. */
static void keep_node(reader *r, const record *n) {
    r->nodes.title[n->item[0]] = n->label;
    r->nodes.community[n->item[0]] = n->community;
    for (uint64_t i = n->mores; i < r->nodes.mores; i++) r->nodes.more[i] |= (uint64_t)n->item[0] << 32;
}

static ksda_status edge_key(reader *r, record *e) {
    ksda_status status = KSDA_OK;
    const char *id;
    size_t size;
    int end = key_is(r, "source") ? 0 : key_is(r, "target") ? 1 : -1;
    if (end >= 0) {
        if (e->item[end] != KSDA_NO_VERTEX) return vertex_twice(r);
        KSDA_I_TRY(read_id(r, &id, &size));
        KSDA_I_TRY(ksda_i_nodes_mention(&r->nodes, id, size, r->start, &e->item[end]));
    }
    KSDA_I_TRY(skip_value(r));
done:
    return status;
}

/* A node or an edge; the current token is its opening bracket. */
static ksda_status read_record(reader *r, bool is_node) {
    record rec = {{KSDA_NO_VERTEX, KSDA_NO_VERTEX}, KSDA_NO_VERTEX, KSDA_NO_VERTEX, r->nodes.mores};
    ksda_status status = KSDA_OK;
    const char *open = r->key;
    if (r->token != OPEN)
        return ksda_i_text_error(&r->text, r->start, "expected [ after %s", is_node ? "node" : "edge");
    for (bool more = true;;) {
        KSDA_I_TRY(next_pair(r, CLOSE, &more));
        if (!more) break;
        KSDA_I_TRY(is_node ? node_key(r, &rec) : edge_key(r, &rec));
    }
    if (is_node && rec.item[0] == KSDA_NO_VERTEX) return ksda_i_text_error(&r->text, open, "a node without an id");
    if (!is_node && (rec.item[0] == KSDA_NO_VERTEX || rec.item[1] == KSDA_NO_VERTEX))
        return ksda_i_text_error(&r->text, open, "an edge without a %s",
                                 rec.item[0] == KSDA_NO_VERTEX ? "source" : "target");
    if (is_node)
        keep_node(r, &rec);
    else
        KSDA_I_TRY(ksda_i_nodes_edge(&r->nodes, rec.item[0], rec.item[1]));
done:
    return status;
}

static ksda_status read_list(reader *r) {
    ksda_status status = KSDA_OK;
    if (r->has_graph) return ksda_i_text_error(&r->text, r->key, "a second graph; one file is one graph");
    if (r->token != OPEN) return ksda_i_text_error(&r->text, r->start, "expected [ after graph");
    r->has_graph = true;
    for (bool more = true;;) {
        KSDA_I_TRY(next_pair(r, CLOSE, &more));
        if (!more) break;
        if (key_is(r, "node"))
            KSDA_I_TRY(read_record(r, true));
        else if (key_is(r, "edge"))
            KSDA_I_TRY(read_record(r, false));
        else if (key_is(r, "directed") && r->token == INTEGER)
            r->nodes.directed = r->value_size != 1 || *r->value != '0';
        else
            KSDA_I_TRY(skip_value(r));
    }
done:
    return status;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool sniff_gml(const char *data, size_t size) {
    ksda_i_text t = {.begin = data, .at = data, .end = data + size};
    while (t.at < t.end) {
        while (t.at < t.end && is_space(*t.at)) t.at++;
        const char *word = t.at;
        while (t.at < t.end && is_letter(*t.at)) t.at++;
        size_t length = (size_t)(t.at - word);
        while (t.at < t.end && is_space(*t.at)) t.at++;
        if (length == 5 && strncasecmp(word, "graph", 5) == 0 && t.at < t.end) return *t.at == '[';
        bool preface =
            (length == 7 && (strncasecmp(word, "creator", 7) == 0 || strncasecmp(word, "version", 7) == 0)) ||
            (length == 7 && strncasecmp(word, "comment", 7) == 0) || (word < t.end && *word == '#');
        if (!preface) return false;
        ksda_i_text_next_line(&t);
    }
    return false;
}

static ksda_status parse_gml(reader *r) {
    ksda_status status = KSDA_OK;
    for (bool more = true;;) {
        KSDA_I_TRY(next_pair(r, END, &more));
        if (!more) break;
        if (key_is(r, "graph"))
            KSDA_I_TRY(read_list(r));
        else
            KSDA_I_TRY(skip_value(r));
    }
    if (!r->has_graph) return ksda_i_text_error(&r->text, r->text.end, "the file has no graph [ ... ]");
    KSDA_I_TRY(ksda_i_nodes_complete(&r->nodes, r->attribute, r->has_attribute, r->called, r->has_called));
    KSDA_I_TRY(ksda_i_nodes_rename(&r->nodes, r->called));
done:
    return status;
}

static ksda_status read_gml(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    reader r = {.attribute = options->attribute, .called = options->name_attribute};
    KSDA_I_TRY(ksda_i_nodes_open(ctx, source, options, &r.text, &r.nodes, out));
    KSDA_I_TRY(parse_gml(&r));
    KSDA_I_TRY(ksda_i_nodes_finish(&r.nodes, options->attribute != NULL, out));
done:
    ksda_i_nodes_clear(&r.nodes);
    ksda_i_free(ctx, r.value);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Can the vertices' numbers be GML integers, which have 32 bits? */
static bool small_numbers(const ksda_i_ids *ids) {
    if (ids->kind == KSDA_I_IDS_NAMES) return false;
    for (uint32_t i = 0; i < ids->count; i++)
        if ((ids->kind == KSDA_I_IDS_RANGE ? ids->first + i : ids->number[i]) > INT32_MAX) return false;
    return true;
}

static void write_string(const ksda_i_ids *ids, uint32_t item, ksda_i_output *out) {
    ksda_i_output_write(out, "\"", 1);
    if (ids->kind != KSDA_I_IDS_NAMES) {
        ksda_i_output_id(out, ids, item);
    } else {
        for (uint64_t i = ids->start[item]; i < ids->start[item + 1]; i++) {
            char c = ids->text[i];
            if (c == '"')
                ksda_i_output_text(out, "&quot;");
            else if (c == '&')
                ksda_i_output_text(out, "&amp;");
            else if (c >= 0 && c < ' ')
                ksda_i_output_format(out, "&#%d;", c);
            else
                ksda_i_output_write(out, &c, 1);
        }
    }
    ksda_i_output_write(out, "\"", 1);
}

/* Which numbers stand as they are. */
typedef struct plain {
    bool vertices, communities;
} plain;

/* The id a vertex is written with: its number, or its place. */
static void write_id(const ksda_i_items *items, uint32_t v) {
    const plain *p = items->payload;
    if (p->vertices)
        ksda_i_output_id(items->out, &items->graph->ids, v);
    else
        ksda_i_output_number(items->out, v);
}

static ksda_status write_node(const ksda_i_items *items, uint32_t v) {
    const plain *p = items->payload;
    const ksda_communities *c = items->communities;
    ksda_i_output_text(items->out, "  node [\n    id ");
    write_id(items, v);
    if (!p->vertices) {
        ksda_i_output_text(items->out, "\n    label ");
        write_string(&items->graph->ids, v, items->out);
    }
    uint32_t size = 0;
    const uint32_t *set = c ? ksda_communities_set(c, v, &size) : NULL;
    for (uint32_t i = 0; i < size; i++) {
        ksda_i_output_text(items->out, "\n    community ");
        if (p->communities)
            ksda_i_output_id(items->out, ksda_i_community_names(c), set[i]);
        else
            write_string(ksda_i_community_names(c), set[i], items->out);
    }
    ksda_i_output_text(items->out, "\n  ]\n");
    return KSDA_OK;
}

static ksda_status write_edge(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v) {
    (void)number;
    ksda_i_output_text(items->out, "  edge [\n    source ");
    write_id(items, u);
    ksda_i_output_text(items->out, "\n    target ");
    write_id(items, v);
    ksda_i_output_text(items->out, "\n  ]\n");
    return KSDA_OK;
}

static ksda_status write_gml(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status;
    plain p = {small_numbers(&g->ids), c && small_numbers(ksda_i_community_names(c))};
    const ksda_i_items items = {ctx, g, c, out, &p};
    ksda_i_output_text(out, "graph [\n  directed 0\n");
    KSDA_I_TRY(ksda_i_write_vertices(&items, write_node));
    KSDA_I_TRY(ksda_i_write_edges(&items, write_edge));
    ksda_i_output_text(out, "]\n");
done:
    return status;
}

const ksda_i_format ksda_i_format_gml = {
    .format = KSDA_FORMAT_GML,
    .name = "gml",
    .endings = ".gml",
    .sniff = sniff_gml,
    .read = read_gml,
    .write = write_gml,
    .by_row = true,
    .attributes = true,
    .carries = true,
};
