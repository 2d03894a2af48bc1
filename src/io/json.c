/* Node-link JSON: what NetworkX (node_link_data) and d3 exchange.
 *
 *     { "directed": false, "multigraph": false, "graph": {},
 *       "nodes": [ {"id": "Valjean", "group": 3}, ... ],
 *       "links": [ {"source": "Valjean", "target": "Javert", "weight": 2}, ... ] }
 *
 * The list of edges is called "links" or "edges". A node needs an id, a string or a number, that edges name it by; if
 * no node has one, they are numbered 0, 1, ... in their order, as d3 and old versions of NetworkX do. 1 and "1" are the
 * same id. The file lists all vertices: an edge to a node that is never declared is refused, so is a node declared
 * twice. Directed edges are read as undirected. The community, and the name if asked for, may come from any key of the
 * nodes with a string, a number or a truth value; null stands for none. All other keys, of whatever depth, are ignored.
 *
 * The text is read once from front to back and nothing but the graph is kept: time O(text), memory that of the graph
 * and the mapped file. Writing calls the list of edges "links" and the community "community". */
#include "io/items.h"
#include "io/nodes.h"

#define MAX_DEPTH 128
#define PROGRESS_ITEMS 16384

typedef enum token {
    STRING,
    NUMBER,  /* NaN and Infinity too, as Python writes them */
    WORD,    /* true, false */
    NOTHING, /* null */
    OPEN,    /* { */
    LIST     /* [ */
} token;

typedef struct reader {
    ksda_i_text text;
    ksda_i_nodes nodes;
    const char *attribute, *called; /* the keys of communities and of names, or NULL */
    bool has_attribute, has_called, has_nodes, has_edges;
    token token;       /* the current value */
    const char *start; /* of it */
    char *value;       /* the text of a string without its escapes, of anything else as it stands */
    uint64_t value_size, value_capacity;
    char *key; /* of the current value */
    uint64_t key_size, key_capacity;
    uint64_t items;
    uint64_t numbered; /* nodes without an id */
} reader;

/* What a node or an edge is made of while it is read. */
typedef struct record {
    uint32_t item[2]; /* the node, or the edge's ends; KSDA_NO_VERTEX: not given yet */
    uint32_t title, community;
    uint64_t mores; /* further communities from here on are this node's, whose number may not be known yet */
} record;

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static void skip_space(ksda_i_text *t) {
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\r' || *t->at == '\n')) t->at++;
}

static ksda_status unexpected(reader *r, const char *expected) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_text_error(&r->text, r->text.at, "expected %s, not %s", expected,
                             ksda_i_text_show(&r->text, r->text.at, shown));
}

/* Is this the next character? Then it is passed over. */
static bool take_character(reader *r, char c) {
    skip_space(&r->text);
    if (r->text.at == r->text.end || *r->text.at != c) return false;
    r->text.at++;
    return true;
}

static ksda_status append(reader *r, const char *bytes, size_t size) {
    ksda_status status = ksda_i_reserve(r->text.ctx, &r->value, &r->value_capacity, r->value_size + size, 1);
    if (status < 0) return status;
    memcpy(r->value + r->value_size, bytes, size);
    r->value_size += size;
    return KSDA_OK;
}

/* Four hexadecimal digits. */
static bool read_hex(ksda_i_text *t, uint32_t *code) {
    *code = 0;
    if (t->end - t->at < 4) return false;
    for (int i = 0; i < 4; i++, t->at++) {
        char c = *t->at | 0x20;
        unsigned digit = *t->at >= '0' && *t->at <= '9' ? (unsigned)(*t->at - '0')
                         : c >= 'a' && c <= 'f'         ? (unsigned)(c - 'a' + 10)
                                                        : 99;
        if (digit == 99) return false;
        *code = *code * 16 + digit;
    }
    return true;
}

/* What a backslash begins; at is behind it. */
static ksda_status read_escape(reader *r) {
    static const char letters[] = "\"\\/bfnrt", stand_for[] = "\"\\/\b\f\n\r\t";
    ksda_i_text *t = &r->text;
    const char *place = t->at - 1, *known = t->at < t->end && *t->at ? strchr(letters, *t->at) : NULL;
    uint32_t code, low;
    char encoded[4];
    if (known) {
        t->at++;
        return append(r, stand_for + (known - letters), 1);
    }
    bool fine = t->at < t->end && *t->at++ == 'u' && read_hex(t, &code);
    if (fine && code >= 0xd800 && code < 0xdc00) { /* the first of two that make one character */
        fine = t->end - t->at > 6 && t->at[0] == '\\' && t->at[1] == 'u' && (t->at += 2, read_hex(t, &low)) &&
               low >= 0xdc00 && low < 0xe000;
        if (fine) code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (fine) {
        fine = code < 0xdc00 || code > 0xdfff;
    }
    if (!fine || code == 0) return ksda_i_text_error(t, place, "not an escape of a character");
    return append(r, encoded, ksda_i_utf8_put(code, encoded));
}

/* A string into value; at is behind its first quote. */
static ksda_status read_string(reader *r) {
    ksda_i_text *t = &r->text;
    const char *open = t->at - 1;
    ksda_status status = KSDA_OK;
    r->value_size = 0;
    for (;;) {
        const char *run = t->at;
        while (t->at < t->end && (signed char)*t->at >= ' ' && *t->at != '"' && *t->at != '\\') t->at++;
        if (t->at > run) KSDA_I_TRY(append(r, run, (size_t)(t->at - run)));
        if (t->at == t->end) return ksda_i_text_error(t, open, "a string that never ends");
        if (*t->at == '"') break;
        if (*t->at == '\\') {
            t->at++;
            KSDA_I_TRY(read_escape(r));
            continue;
        }
        size_t step = (unsigned char)*t->at < ' ' ? 0 : ksda_i_utf8(t->at, (size_t)(t->end - t->at), NULL);
        if (step == 0)
            return ksda_i_text_error(
                t, t->at, "byte 0x%02x in a string; expected UTF-8 text (--encoding latin-1 or windows-1252?)",
                (unsigned char)*t->at);
        KSDA_I_TRY(append(r, t->at, step));
        t->at += step;
    }
    t->at++;
done:
    return status;
}

/* A number or a word, as it stands. */
static ksda_status read_plain(reader *r) {
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    ksda_i_text *t = &r->text, word;
    while (t->at < t->end && !strchr(" \t\r\n,]}:\"[{", *t->at) && *t->at) t->at++;
    word = (ksda_i_text){.at = r->start, .end = t->at};
    size_t size = (size_t)(t->at - r->start);
    r->token = NUMBER;
    bool known = ksda_i_text_skip_number(&word) && word.at == t->at && *r->start != '+';
    for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++) {
        known = strlen(words[i]) == size && memcmp(words[i], r->start, size) == 0;
        if (known && i < 3) r->token = i == 2 ? NOTHING : WORD;
    }
    r->value_size = 0;
    if (known) return append(r, r->start, size);
    t->at = r->start;
    return unexpected(r, "a value");
}

/* The value that begins here becomes the current one; of a list or an object only the opening bracket is read. */
static ksda_status read_value(reader *r) {
    skip_space(&r->text);
    r->start = r->text.at;
    if (take_character(r, '{')) {
        r->token = OPEN;
        return KSDA_OK;
    }
    if (take_character(r, '[')) {
        r->token = LIST;
        return KSDA_OK;
    }
    if (!take_character(r, '"')) return read_plain(r);
    r->token = STRING;
    return read_string(r);
}

/* The next member of an object, or of a list: its key becomes the current one, its value too. *more is false at the end
 * of it. first: whether one was read before. */
static ksda_status next_member(reader *r, bool list, bool *first, bool *more) {
    ksda_status status = KSDA_OK;
    if (r->items++ % PROGRESS_ITEMS == 0) KSDA_I_TRY(ksda_i_text_progress(&r->text));
    *more = !take_character(r, list ? ']' : '}');
    if (!*more) return KSDA_OK;
    if (!*first && !take_character(r, ',')) return unexpected(r, list ? "a comma or ]" : "a comma or }");
    *first = false;
    if (!list) {
        if (!take_character(r, '"')) return unexpected(r, "a key in quotes");
        KSDA_I_TRY(read_string(r));
        KSDA_I_TRY(ksda_i_reserve(r->text.ctx, &r->key, &r->key_capacity, r->value_size + 1, 1));
        if (r->value_size) memcpy(r->key, r->value, r->value_size);
        r->key_size = r->value_size;
        if (!take_character(r, ':')) return unexpected(r, "a colon");
    }
    KSDA_I_TRY(read_value(r));
done:
    return status;
}

/* Over the rest of the current value, which may be a list or an object with others in it. */
static ksda_status skip_value(reader *r) {
    bool list[MAX_DEPTH], first = true, more;
    ksda_status status = KSDA_OK;
    unsigned depth = 0;
    if (r->token != OPEN && r->token != LIST) return KSDA_OK;
    list[depth++] = r->token == LIST;
    while (depth > 0) {
        KSDA_I_TRY(next_member(r, list[depth - 1], &first, &more));
        if (!more) {
            depth--;
        } else if (r->token == OPEN || r->token == LIST) {
            if (depth == MAX_DEPTH)
                return ksda_i_text_error(&r->text, r->start, "values are nested deeper than %d levels", MAX_DEPTH);
            list[depth++] = r->token == LIST;
            first = true;
        }
    }
done:
    return status;
}

static bool key_is(const reader *r, const char *name) {
    return name && r->key_size == strlen(name) && memcmp(r->key, name, r->key_size) == 0;
}

/* --- nodes and edges ---------------------------------------------------------------------------------------------- */

static ksda_status vertex_twice(reader *r) {
    char shown[KSDA_I_SHOWN];
    return ksda_i_text_error(&r->text, r->start, "%s is given twice", ksda_i_show(r->key, r->key_size, shown));
}

/* Can the current value be an id? */
static ksda_status check_id(reader *r) {
    char shown[KSDA_I_SHOWN];
    if ((r->token == STRING || r->token == NUMBER) && r->value_size > 0) return KSDA_OK;
    return ksda_i_text_error(&r->text, r->start, "expected a number or a string that is not empty as %s",
                             ksda_i_show(r->key, r->key_size, shown));
}

/* The current value, as what a node has by an attribute that is asked for. */
static ksda_status read_attribute(reader *r, ksda_i_ids *names, uint32_t *item) {
    char shown[KSDA_I_SHOWN];
    if (*item != KSDA_NO_VERTEX) return vertex_twice(r);
    if (r->token == OPEN || r->token == LIST)
        return ksda_i_text_error(&r->text, r->start, "expected a number or a string as %s, not %s",
                                 ksda_i_show(r->key, r->key_size, shown), r->token == OPEN ? "an object" : "a list");
    if (r->token == NOTHING || r->value_size == 0) return KSDA_OK;
    return ksda_i_ids_intern(r->text.ctx, names, r->value, r->value_size, item);
}

/* A further community of the node, or its first. */
static ksda_status add_community(reader *r, record *n) {
    ksda_i_nodes *nodes = &r->nodes;
    uint32_t community = KSDA_NO_VERTEX;
    ksda_status status = read_attribute(r, &nodes->community_names, &community);
    if (status < 0 || community == KSDA_NO_VERTEX) return status;
    if (n->community == KSDA_NO_VERTEX) {
        n->community = community;
        return KSDA_OK;
    }
    status = ksda_i_reserve(r->text.ctx, &nodes->more, &nodes->more_capacity, nodes->mores + 1, sizeof *nodes->more);
    if (status >= 0) nodes->more[nodes->mores++] = community;
    return status;
}

/* The community of a node; where people may be in several, a list of them. */
static ksda_status read_community(reader *r, record *n) {
    ksda_status status = KSDA_OK;
    bool first = true, more;
    char shown[KSDA_I_SHOWN];
    if (n->community != KSDA_NO_VERTEX) return vertex_twice(r);
    if (r->token == LIST && !r->nodes.several)
        return ksda_i_text_error(&r->text, r->start,
                                 "%s is a list: people in several communities are read with --overlap disjoint",
                                 ksda_i_show(r->key, r->key_size, shown));
    if (r->token != LIST) return read_attribute(r, &r->nodes.community_names, &n->community);
    for (;;) {
        KSDA_I_TRY(next_member(r, true, &first, &more));
        if (!more) break;
        KSDA_I_TRY(add_community(r, n));
    }
    r->token = NOTHING; /* nothing of it is left to pass over */
done:
    return status;
}

/* One key of a node. */
static ksda_status node_key(reader *r, record *n) {
    ksda_status status = KSDA_OK;
    if ((r->attribute && !r->has_attribute) || (r->called && !r->has_called))
        KSDA_I_TRY(ksda_i_nodes_attribute(&r->nodes, r->key, r->key_size));
    if (key_is(r, r->attribute)) {
        r->has_attribute = true;
        KSDA_I_TRY(read_community(r, n));
    }
    if (key_is(r, r->called)) {
        r->has_called = true;
        KSDA_I_TRY(read_attribute(r, &r->nodes.titles, &n->title));
    }
    if (key_is(r, "id")) {
        if (n->item[0] != KSDA_NO_VERTEX) return vertex_twice(r);
        KSDA_I_TRY(check_id(r));
        KSDA_I_TRY(ksda_i_nodes_declare(&r->nodes, r->value, r->value_size, r->start, &n->item[0]));
    }
    KSDA_I_TRY(skip_value(r));
done:
    return status;
}

static ksda_status edge_key(reader *r, record *e) {
    ksda_status status = KSDA_OK;
    int end = key_is(r, "source") ? 0 : key_is(r, "target") ? 1 : -1;
    if (end >= 0) {
        if (e->item[end] != KSDA_NO_VERTEX) return vertex_twice(r);
        KSDA_I_TRY(check_id(r));
        KSDA_I_TRY(ksda_i_nodes_mention(&r->nodes, r->value, r->value_size, r->start, &e->item[end]));
    }
    KSDA_I_TRY(skip_value(r));
done:
    return status;
}

/* A node without an id is called by its place; then all must be. */
static ksda_status keep_node(reader *r, record *n, uint64_t place, const char *open) {
    ksda_status status = KSDA_OK;
    char number[24];
    if (n->item[0] == KSDA_NO_VERTEX) {
        ksda_i_ids range;
        if (r->numbered < place) return ksda_i_text_error(&r->text, open, "a node without an id among nodes with one");
        ksda_i_ids_range(&range, 1, place);
        size_t length = ksda_i_ids_name(&range, 0, number, sizeof number);
        KSDA_I_TRY(ksda_i_nodes_declare(&r->nodes, number, length, open, &n->item[0]));
        r->numbered++;
    } else if (r->numbered > 0) {
        return ksda_i_text_error(&r->text, open, "a node with an id among nodes without one");
    }
    r->nodes.title[n->item[0]] = n->title;
    r->nodes.community[n->item[0]] = n->community;
    for (uint64_t i = n->mores; i < r->nodes.mores; i++) r->nodes.more[i] |= (uint64_t)n->item[0] << 32;
done:
    return status;
}

static ksda_status keep_edge(reader *r, const record *e, const char *open) {
    if (e->item[0] == KSDA_NO_VERTEX || e->item[1] == KSDA_NO_VERTEX)
        return ksda_i_text_error(&r->text, open, "an edge without a %s",
                                 e->item[0] == KSDA_NO_VERTEX ? "source" : "target");
    return ksda_i_nodes_edge(&r->nodes, e->item[0], e->item[1]);
}

/* A list of nodes or edges, whose bracket is the current value. */
static ksda_status read_records(reader *r, bool are_nodes) {
    ksda_status status = KSDA_OK;
    bool first = true, more;
    bool *has = are_nodes ? &r->has_nodes : &r->has_edges;
    if (*has) return ksda_i_text_error(&r->text, r->start, "a second list of %s", are_nodes ? "nodes" : "edges");
    *has = true;
    for (uint64_t place = 0;; place++) {
        record rec = {{KSDA_NO_VERTEX, KSDA_NO_VERTEX}, KSDA_NO_VERTEX, KSDA_NO_VERTEX, r->nodes.mores};
        bool first_key = true;
        KSDA_I_TRY(next_member(r, true, &first, &more));
        if (!more) break;
        const char *open = r->start;
        if (r->token != OPEN)
            return ksda_i_text_error(&r->text, open, "expected %s as an object {...}",
                                     are_nodes ? "a node" : "an edge");
        for (;;) {
            KSDA_I_TRY(next_member(r, false, &first_key, &more));
            if (!more) break;
            KSDA_I_TRY(are_nodes ? node_key(r, &rec) : edge_key(r, &rec));
        }
        KSDA_I_TRY(are_nodes ? keep_node(r, &rec, place, open) : keep_edge(r, &rec, open));
    }
done:
    return status;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* An object, as every JSON of ours is: a brace, and a key or the end of it. */
static bool sniff_json(const char *data, size_t size) {
    ksda_i_text t = {.at = data, .end = data + size};
    skip_space(&t);
    if (t.at == t.end || *t.at++ != '{') return false;
    skip_space(&t);
    return t.at < t.end && (*t.at == '"' || *t.at == '}');
}

static ksda_status parse_json(reader *r) {
    ksda_status status = KSDA_OK;
    bool first = true, more;
    KSDA_I_TRY(read_value(r));
    if (r->token != OPEN) return ksda_i_text_error(&r->text, r->start, "expected an object {...} with nodes and links");
    for (;;) {
        KSDA_I_TRY(next_member(r, false, &first, &more));
        if (!more) break;
        bool nodes = key_is(r, "nodes"), edges = key_is(r, "links") || key_is(r, "edges");
        if (r->token == LIST && (nodes || edges))
            KSDA_I_TRY(read_records(r, nodes));
        else if (key_is(r, "directed") && r->token != OPEN && r->token != LIST)
            r->nodes.directed = *r->start == 't';
        else
            KSDA_I_TRY(skip_value(r));
    }
    skip_space(&r->text);
    if (r->text.at < r->text.end) return unexpected(r, "the end of the file (one file is one graph)");
    if (!r->has_nodes || !r->has_edges)
        return ksda_i_text_error(&r->text, r->text.end,
                                 "no list of %s: node-link JSON has \"nodes\" and \"links\" or \"edges\" at its top",
                                 r->has_nodes ? "links" : "nodes");
    KSDA_I_TRY(ksda_i_nodes_complete(&r->nodes, r->attribute, r->has_attribute, r->called, r->has_called));
    if (r->called) KSDA_I_TRY(ksda_i_nodes_rename(&r->nodes, r->called));
done:
    return status;
}

static ksda_status read_json(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    reader r = {.attribute = options->attribute, .called = options->name_attribute};
    KSDA_I_TRY(ksda_i_nodes_open(ctx, source, options, &r.text, &r.nodes, out));
    KSDA_I_TRY(parse_json(&r));
    KSDA_I_TRY(ksda_i_nodes_finish(&r.nodes, options->attribute != NULL, out));
done:
    ksda_i_nodes_clear(&r.nodes);
    ksda_i_free(ctx, r.value);
    ksda_i_free(ctx, r.key);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* A number as it is, a name in quotes. */
static ksda_status write_name(ksda_ctx *ctx, const ksda_i_ids *ids, uint32_t item, ksda_i_output *out) {
    char shown[KSDA_I_SHOWN];
    if (ids->kind != KSDA_I_IDS_NAMES) {
        ksda_i_output_id(out, ids, item);
        return KSDA_OK;
    }
    const char *text = ids->text + ids->start[item];
    size_t size = ids->start[item + 1] - ids->start[item];
    ksda_i_output_write(out, "\"", 1);
    for (size_t i = 0, step; i < size; i += step) {
        uint32_t code = 0;
        step = ksda_i_utf8(text + i, size - i, &code);
        if (step == 0 || code == 0)
            return ksda_i_error(ctx, KSDA_UNSUPPORTED, "the name %s has a byte that JSON cannot carry",
                                ksda_i_show(text, size, shown));
        if (code == '"' || code == '\\') ksda_i_output_write(out, "\\", 1);
        if (code < ' ')
            ksda_i_output_format(out, "\\u%04x", code);
        else
            ksda_i_output_write(out, text + i, step);
    }
    ksda_i_output_write(out, "\"", 1);
    return KSDA_OK;
}

/* The community of a vertex, or a list of them. */
static ksda_status write_communities(ksda_ctx *ctx, const ksda_communities *c, uint32_t v, ksda_i_output *out) {
    ksda_status status = KSDA_OK;
    uint32_t size;
    const uint32_t *set = ksda_communities_set(c, v, &size);
    ksda_i_output_text(out, c->sets ? "[" : "");
    for (uint32_t i = 0; i < size; i++) {
        ksda_i_output_text(out, i ? ", " : "");
        KSDA_I_TRY(write_name(ctx, ksda_i_community_names(c), set[i], out));
    }
    ksda_i_output_text(out, c->sets ? "]" : "");
done:
    return status;
}

static ksda_status write_node(const ksda_i_items *items, uint32_t v) {
    ksda_status status;
    ksda_i_output_text(items->out, v ? ",\n{\"id\": " : "\n{\"id\": ");
    KSDA_I_TRY(write_name(items->ctx, &items->graph->ids, v, items->out));
    if (items->communities) {
        ksda_i_output_text(items->out, ", \"community\": ");
        KSDA_I_TRY(write_communities(items->ctx, items->communities, v, items->out));
    }
    ksda_i_output_text(items->out, "}");
done:
    return status;
}

static ksda_status write_edge(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v) {
    ksda_status status;
    ksda_i_output_text(items->out, number ? ",\n{\"source\": " : "\n{\"source\": ");
    KSDA_I_TRY(write_name(items->ctx, &items->graph->ids, u, items->out));
    ksda_i_output_text(items->out, ", \"target\": ");
    KSDA_I_TRY(write_name(items->ctx, &items->graph->ids, v, items->out));
    ksda_i_output_text(items->out, "}");
done:
    return status;
}

static ksda_status write_json(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status;
    const ksda_i_items items = {ctx, g, c, out, NULL};
    ksda_i_output_text(out, "{\"directed\": false, \"multigraph\": false, \"graph\": {}, \"nodes\": [");
    KSDA_I_TRY(ksda_i_write_vertices(&items, write_node));
    ksda_i_output_text(out, "\n], \"links\": [");
    KSDA_I_TRY(ksda_i_write_edges(&items, write_edge));
    ksda_i_output_text(out, "\n]}\n");
done:
    return status;
}

const ksda_i_format ksda_i_format_json = {
    .name = "json",
    .endings = ".json",
    .sniff = sniff_json,
    .read = read_json,
    .write = write_json,
    .by_row = true,
    .attributes = true,
    .carries = true,
};
