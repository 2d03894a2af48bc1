/* GraphML: what igraph, NetworkX, Gephi, yEd and others exchange.
 *
 *     <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 *       <key id="d0" for="node" attr.name="community" attr.type="string"/>
 *       <graph edgedefault="undirected">
 *         <node id="a"><data key="d0">1</data></node>
 *         <edge source="a" target="b"/>
 *       </graph>
 *     </graphml>
 *
 * Vertices are called by their node ids (as numbers, if all are) and the file lists all of them: an edge to a node that
 * is never declared is refused, so is a node declared twice. Directed edges are read as undirected. Nodes and edges of
 * graphs nested in a node count like all others; ports are ignored; hyperedges and a second graph are refused. The
 * community attribute is the key with that attr.name (or else that id) for nodes; its <default>, if any, holds for
 * nodes without the data. Where people may be in several communities, its value may be a list as JSON writes it, and
 * the data may stand more than once. Other data and elements of other namespaces are ignored.
 *
 * Entities are the way to make a small file explode, and they need a document type declaration: any such declaration is
 * refused, before it is looked at.
 *
 * Writing keeps all names; a name with a character that XML cannot carry is refused. Communities become the attribute
 * "community", sets of them such a list. Reading takes the time of expat (some 80 MB a second) and the names' hash
 * table. */
#include "io/nodes.h"

#include <expat.h>
#include <inttypes.h>
#include <jansson.h>

#define MAX_DEPTH 128
#define CHUNK ((size_t)1 << 23) /* large: expat scans a token that does not end in a chunk again with the next */
#define PROGRESS_ROWS 16384

static const char namespace_start[] = "http://graphml.graphdrawing.org/";

typedef enum element {
    DOCUMENT,
    GRAPHML,
    KEY,
    DEFAULT, /* of the wanted key */
    GRAPH,
    NODE,
    EDGE,
    DATA /* of the wanted key */
} element;

typedef struct reader {
    ksda_ctx *ctx;
    ksda_i_text text;
    XML_Parser parser;
    ksda_status status;
    ksda_i_nodes nodes;
    element stack[MAX_DEPTH];
    uint32_t node[MAX_DEPTH]; /* the node around each open element */
    unsigned depth;
    uint64_t skipped; /* open elements inside one that is ignored */
    bool has_graph;
    const char *attribute; /* wanted, or NULL */
    char *key;             /* the id of its key, or NULL */
    bool key_by_name;      /* found by attr.name, which goes before the id */
    bool in_key;           /* the open <key> is the wanted one */
    char *value;           /* the text of the open data or default element */
    uint64_t value_size, value_capacity;
    char *fallback; /* the key's default, or NULL */
    size_t fallback_size;
} reader;

/* --- helpers ------------------------------------------------------------------------------------------------------ */

static void stop(reader *r, ksda_status status) {
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static const char *place(const reader *r) {
    XML_Index index = XML_GetCurrentByteIndex(r->parser);
    size_t size = (size_t)(r->text.end - r->text.begin);
    return r->text.begin + (index < 0 ? 0 : (size_t)index > size ? size : (size_t)index);
}

#define REFUSE(r, ...) stop(r, ksda_i_text_error(&(r)->text, place(r), __VA_ARGS__))

/* The name without its namespace, or NULL if that is not GraphML's. expat gives "namespace name". */
static const char *local_name(const char *name) {
    const char *space = strrchr(name, ' ');
    if (!space) return name;
    return strncmp(name, namespace_start, sizeof namespace_start - 1) == 0 ? space + 1 : NULL;
}

static const char *attribute_of(const char **attributes, const char *name) {
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

static char *copy_text(ksda_ctx *ctx, const char *text, size_t size) {
    char *copy = ksda_i_malloc(ctx, size + 1, 1);
    if (!copy) return NULL;
    if (size > 0) memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static void trim(const char **text, uint64_t *size) {
    static const char blanks[] = " \t\r\n";
    while (*size > 0 && strchr(blanks, **text) && **text) (*text)++, (*size)--;
    while (*size > 0 && strchr(blanks, (*text)[*size - 1]) && (*text)[*size - 1]) (*size)--;
}

static void push(reader *r, element e, uint32_t node) {
    if (r->depth == MAX_DEPTH) {
        REFUSE(r, "elements are nested deeper than %d levels", MAX_DEPTH);
        return;
    }
    r->stack[r->depth] = e;
    r->node[r->depth++] = node;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static void start_key(reader *r, const char **attributes) {
    const char *id = attribute_of(attributes, "id"), *domain = attribute_of(attributes, "for"),
               *name = attribute_of(attributes, "attr.name");
    push(r, KEY, KSDA_NO_VERTEX);
    r->in_key = false;
    if (!r->attribute || !id || r->key_by_name) return;
    if (domain && strcmp(domain, "node") != 0 && strcmp(domain, "all") != 0) return;
    const char *called = name ? name : id;
    if (ksda_i_nodes_attribute(&r->nodes, called, strlen(called)) < 0) {
        stop(r, KSDA_NOMEM);
        return;
    }
    bool by_name = name && strcmp(name, r->attribute) == 0;
    if (!by_name && (r->key || strcmp(id, r->attribute) != 0)) return;
    char *key = copy_text(r->ctx, id, strlen(id));
    if (!key) {
        stop(r, KSDA_NOMEM);
        return;
    }
    ksda_i_free(r->ctx, r->key);
    ksda_i_free(r->ctx, r->fallback); /* it was that of the key found by id */
    r->key = key;
    r->fallback = NULL;
    r->key_by_name = by_name;
    r->in_key = true;
}

static void start_node(reader *r, const char **attributes) {
    const char *id = attribute_of(attributes, "id");
    uint32_t item;
    if (!id || !*id) {
        REFUSE(r, "a <node> needs an id that is not empty");
        return;
    }
    ksda_status status = ksda_i_nodes_declare(&r->nodes, id, strlen(id), place(r), &item);
    if (status < 0)
        stop(r, status);
    else
        push(r, NODE, item);
}

static void start_edge(reader *r, const char **attributes) {
    static const char *const end[] = {"source", "target"};
    ksda_status status;
    uint32_t item[2];
    for (int i = 0; i < 2; i++) {
        const char *id = attribute_of(attributes, end[i]);
        if (!id || !*id) {
            REFUSE(r, "an <edge> needs a %s", end[i]);
            return;
        }
        KSDA_I_TRY(ksda_i_nodes_mention(&r->nodes, id, strlen(id), place(r), &item[i]));
    }
    KSDA_I_TRY(ksda_i_nodes_edge(&r->nodes, item[0], item[1]));
    push(r, EDGE, KSDA_NO_VERTEX);
done:
    if (status < 0) stop(r, status);
}

static void start_graph(reader *r, element parent) {
    if (parent == GRAPHML && r->has_graph) {
        REFUSE(r, "a second <graph>; one file is one graph");
        return;
    }
    r->has_graph = true;
    push(r, GRAPH, KSDA_NO_VERTEX);
}

/* An element inside GraphML's own structure; true if it is one we look into. */
static bool start_known(reader *r, const char *name, const char **attributes) {
    element parent = r->stack[r->depth - 1];
    if (parent == GRAPHML && strcmp(name, "key") == 0) {
        start_key(r, attributes);
    } else if ((parent == GRAPHML || parent == NODE) && strcmp(name, "graph") == 0) {
        start_graph(r, parent);
    } else if (parent == GRAPH && strcmp(name, "node") == 0) {
        start_node(r, attributes);
    } else if (parent == GRAPH && strcmp(name, "edge") == 0) {
        start_edge(r, attributes);
    } else if (parent == GRAPH && strcmp(name, "hyperedge") == 0) {
        REFUSE(r, "hyperedges are not supported");
    } else if (parent == KEY && r->in_key && strcmp(name, "default") == 0) {
        r->value_size = 0;
        push(r, DEFAULT, KSDA_NO_VERTEX);
    } else if (parent == NODE && r->key && strcmp(name, "data") == 0) {
        const char *key = attribute_of(attributes, "key");
        if (!key || strcmp(key, r->key) != 0) return false;
        r->value_size = 0;
        push(r, DATA, r->node[r->depth - 1]);
    } else {
        return false;
    }
    return true;
}

static void XMLCALL on_start(void *data, const char *name, const char **attributes) {
    reader *r = data;
    const char *local = local_name(name);
    if (r->status < 0) return; /* expat may still deliver events after it was stopped */
    if (r->skipped > 0) {
        r->skipped++;
    } else if (r->depth == 1) {
        if (local && strcmp(local, "graphml") == 0) {
            push(r, GRAPHML, KSDA_NO_VERTEX);
        } else {
            char shown[KSDA_I_SHOWN];
            const char *space = strrchr(name, ' ');
            name = space ? space + 1 : name;
            REFUSE(r, "expected the element 'graphml', not %s", ksda_i_show(name, strlen(name), shown));
        }
    } else if (!local || !start_known(r, local, attributes)) {
        r->skipped = 1;
    }
}

/* A list, as JSON writes it: [1, "b"]. */
static ksda_status read_set(reader *r, uint32_t item, const char *value, uint64_t size) {
    json_t *list = json_loadb(value, size, 0, NULL), *entry;
    ksda_status status = KSDA_OK;
    bool right = list != NULL;
    size_t i;
    json_array_foreach(list, i, entry) {
        char number[24];
        right &= json_is_string(entry) || json_is_integer(entry);
        if (!right || status < 0) break;
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(entry));
        const char *name = json_is_string(entry) ? json_string_value(entry) : number;
        status = ksda_i_nodes_community(&r->nodes, item, name, strlen(name));
    }
    json_decref(list);
    if (!right) REFUSE(r, "expected a list of numbers and strings as '%s', as in [1, \"b\"]", r->attribute);
    return status;
}

static void end_data(reader *r) {
    const char *value = r->value;
    uint64_t size = r->value_size;
    uint32_t item = r->node[r->depth - 1];
    trim(&value, &size);
    if (r->nodes.community[item] != KSDA_NO_VERTEX && !r->nodes.several)
        REFUSE(r, "a second value of '%s' in one node", r->attribute);
    else if (size > 0) {
        bool list = r->nodes.several && value[0] == '[' && value[size - 1] == ']';
        ksda_status status =
            list ? read_set(r, item, value, size) : ksda_i_nodes_community(&r->nodes, item, value, size);
        if (status < 0) stop(r, status);
    }
}

static void end_default(reader *r) {
    const char *value = r->value;
    uint64_t size = r->value_size;
    trim(&value, &size);
    ksda_i_free(r->ctx, r->fallback);
    r->fallback = copy_text(r->ctx, value, size);
    r->fallback_size = size;
    if (!r->fallback) stop(r, KSDA_NOMEM);
}

static void XMLCALL on_end(void *data, const char *name) {
    reader *r = data;
    (void)name; /* expat has checked that it fits */
    if (r->status < 0) return;
    if (r->skipped > 0) {
        r->skipped--;
        return;
    }
    if (r->stack[r->depth - 1] == DATA) end_data(r);
    if (r->stack[r->depth - 1] == DEFAULT) end_default(r);
    r->depth--;
}

static void XMLCALL on_text(void *data, const char *text, int length) {
    reader *r = data;
    element e = r->stack[r->depth - 1];
    if (r->status < 0 || r->skipped > 0 || (e != DATA && e != DEFAULT)) return;
    if (ksda_i_reserve(r->ctx, &r->value, &r->value_capacity, r->value_size + (uint64_t)length, 1) < 0) {
        stop(r, KSDA_NOMEM);
        return;
    }
    memcpy(r->value + r->value_size, text, (size_t)length);
    r->value_size += (uint64_t)length;
}

static void XMLCALL on_doctype(void *data, const char *name, const char *system, const char *public, int internal) {
    reader *r = data;
    (void)name, (void)system, (void)public, (void)internal;
    REFUSE(r, "a document type declaration; it could declare entities, which are refused");
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool sniff_graphml(const char *data, size_t size) {
    static const char *const starts[] = {"<?xml", "<!DOCTYPE", "<!--", "<graphml"};
    size_t i = 0;
    while (i < size && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n')) i++;
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
        if (size - i >= strlen(starts[s]) && memcmp(data + i, starts[s], strlen(starts[s])) == 0) return true;
    return false;
}

static ksda_status xml_error(reader *r) {
    enum XML_Error code = XML_GetErrorCode(r->parser);
    if (r->status < 0) return r->status;
    if (code == XML_ERROR_NO_MEMORY) return ksda_i_error(r->ctx, KSDA_NOMEM, "out of memory for reading XML");
    return ksda_i_text_error(&r->text, place(r), "not well-formed XML: %s", XML_ErrorString(code));
}

static ksda_status parse(reader *r) {
    uint64_t total = (uint64_t)(r->text.end - r->text.begin), done = 0;
    ksda_status status;
    do {
        size_t size = total - done < CHUNK ? (size_t)(total - done) : CHUNK;
        KSDA_I_TRY(ksda_i_progress(r->ctx, "reading", done, total));
        if (XML_Parse(r->parser, r->text.begin + done, (int)size, done + size == total) != XML_STATUS_OK)
            return xml_error(r);
        done += size;
    } while (done < total);
    if (!r->has_graph) return ksda_i_text_error(&r->text, r->text.end, "the file has no <graph>");
    if (r->attribute && !r->key) return ksda_i_nodes_no_attribute(&r->nodes, r->attribute);
    KSDA_I_TRY(ksda_i_nodes_check(&r->nodes));
    for (uint32_t i = 0; i < r->nodes.names.count && r->fallback && r->fallback_size > 0; i++)
        if (r->nodes.community[i] == KSDA_NO_VERTEX)
            KSDA_I_TRY(ksda_i_nodes_community(&r->nodes, i, r->fallback, r->fallback_size));
done:
    return status;
}

static ksda_status open_parser(reader *r) {
    r->parser = XML_ParserCreateNS(NULL, ' ');
    if (!r->parser) return ksda_i_error(r->ctx, KSDA_NOMEM, "out of memory for reading XML");
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    return KSDA_OK;
}

static ksda_status read_graphml(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                                ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    reader r = {.ctx = ctx, .attribute = options->attribute, .depth = 1, .stack = {DOCUMENT}};
    size_t size;
    *out = (ksda_i_read){.closed = true};
    r.text = (ksda_i_text){.ctx = ctx, .name = ksda_i_source_name(source)};
    ksda_i_nodes_init(&r.nodes, &r.text);
    r.nodes.several = options->overlap != KSDA_OVERLAP_REFUSE;
    KSDA_I_TRY(ksda_i_source_whole(source, &r.text.begin, &size));
    r.text.end = r.text.begin + size;
    KSDA_I_TRY(open_parser(&r));
    KSDA_I_TRY(parse(&r));
    KSDA_I_TRY(ksda_i_nodes_finish(&r.nodes, options->attribute != NULL, out));
done:
    if (r.parser) XML_ParserFree(r.parser);
    ksda_i_nodes_clear(&r.nodes);
    ksda_i_free(ctx, r.key);
    ksda_i_free(ctx, r.value);
    ksda_i_free(ctx, r.fallback);
    if (status < 0) ksda_i_read_clear(ctx, out);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static const char *escape(uint32_t code) {
    switch (code) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\t': return "&#9;"; /* as they are, these would be read as spaces */
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return NULL;
    }
}

static ksda_status write_text(ksda_ctx *ctx, const char *text, size_t size, ksda_i_output *out) {
    char shown[KSDA_I_SHOWN];
    for (size_t i = 0, step; i < size; i += step) {
        uint32_t code = 0;
        step = ksda_i_utf8(text + i, size - i, &code);
        const char *escaped = escape(code);
        if (step == 0 || (code < ' ' && !escaped) || code == 0xfffe || code == 0xffff)
            return ksda_i_error(ctx, KSDA_UNSUPPORTED, "the name %s has a character that XML cannot carry",
                                ksda_i_show(text, size, shown));
        if (escaped)
            ksda_i_output_text(out, escaped);
        else
            ksda_i_output_write(out, text + i, step);
    }
    return KSDA_OK;
}

static ksda_status write_name(ksda_ctx *ctx, const ksda_i_ids *ids, uint32_t item, ksda_i_output *out) {
    if (ids->kind == KSDA_I_IDS_NAMES)
        return write_text(ctx, ids->text + ids->start[item], ids->start[item + 1] - ids->start[item], out);
    ksda_i_output_id(out, ids, item);
    return KSDA_OK;
}

/* Several communities: a list as JSON writes it. */
static ksda_status write_set(ksda_ctx *ctx, const ksda_communities *c, uint32_t v, ksda_i_output *out) {
    const ksda_i_ids *names = &c->sets->names;
    uint32_t size;
    const uint32_t *set = ksda_communities_set(c, v, &size);
    json_t *list = json_array();
    for (uint32_t i = 0; i < size; i++) {
        char number[24];
        ksda_i_ids_name(names, set[i], number, sizeof number);
        json_array_append_new(list, names->kind == KSDA_I_IDS_NAMES
                                        ? json_stringn(names->text + names->start[set[i]],
                                                       names->start[set[i] + 1] - names->start[set[i]])
                                        : json_integer((json_int_t)strtoull(number, NULL, 10)));
    }
    char *text = json_array_size(list) == size ? json_dumps(list, JSON_COMPACT) : NULL;
    ksda_status status = text ? write_text(ctx, text, strlen(text), out)
                              : ksda_i_error(ctx, KSDA_NOMEM, "a set of %u communities cannot be written", size);
    free(text);
    json_decref(list);
    return status;
}

static ksda_status write_nodes(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status = KSDA_OK;
    for (uint32_t v = 0; v < g->n; v++) {
        ksda_i_output_text(out, "    <node id=\"");
        KSDA_I_TRY(write_name(ctx, &g->ids, v, out));
        if (c) {
            ksda_i_output_text(out, "\"><data key=\"community\">");
            KSDA_I_TRY(c->sets ? write_set(ctx, c, v, out) : write_name(ctx, &c->names, c->of[v], out));
            ksda_i_output_text(out, "</data></node>\n");
        } else {
            ksda_i_output_text(out, "\"/>\n");
        }
        if (v % PROGRESS_ROWS == 0) KSDA_I_TRY(ksda_i_interrupted(ctx));
    }
done:
    return status;
}

static ksda_status write_edges(ksda_ctx *ctx, const ksda_graph *g, ksda_i_output *out) {
    ksda_status status = KSDA_OK;
    for (uint32_t v = 0; v < g->n; v++) {
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            if (g->adj[i] < v) continue;
            ksda_i_output_text(out, "    <edge source=\"");
            KSDA_I_TRY(write_name(ctx, &g->ids, v, out));
            ksda_i_output_text(out, "\" target=\"");
            KSDA_I_TRY(write_name(ctx, &g->ids, g->adj[i], out));
            ksda_i_output_text(out, "\"/>\n");
        }
        if (v % PROGRESS_ROWS == 0) KSDA_I_TRY(ksda_i_progress(ctx, "writing", v, g->n));
    }
done:
    return status;
}

static ksda_status write_graphml(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status;
    ksda_i_output_format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"%sxmlns\">\n",
                         namespace_start);
    if (c)
        ksda_i_output_format(out, "  <key id=\"community\" for=\"node\" attr.name=\"community\" attr.type=\"%s\"/>\n",
                             c->names.kind == KSDA_I_IDS_NAMES ? "string" : "long"); /* kinds have names */
    ksda_i_output_text(out, "  <graph edgedefault=\"undirected\">\n");
    KSDA_I_TRY(write_nodes(ctx, g, c, out));
    KSDA_I_TRY(write_edges(ctx, g, out));
    ksda_i_output_text(out, "  </graph>\n</graphml>\n");
done:
    return status;
}

const ksda_i_format ksda_i_format_graphml = {
    .format = KSDA_FORMAT_GRAPHML,
    .name = "graphml",
    .endings = ".graphml .xml",
    .sniff = sniff_graphml,
    .read = read_graphml,
    .write = write_graphml,
};
