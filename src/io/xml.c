/* XML files of graphs, over expat.
 *
 * Entities are the way to make a small file explode, and they need a document type declaration: any such declaration is
 * refused, before it is looked at. Elements of other namespaces are passed over with all they hold. What a format knows
 * stands in its table (ksda_i_xml_kind); the nodes go where those of all formats go (nodes.h). Reading takes the time
 * of expat (some 80 MB a second) and the names' hash table. */
#include "io/xml.h"

#include "io/extras.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK ((size_t)1 << 23) /* large: expat scans a token that does not end in a chunk again with the next */

enum {
    DOCUMENT,
    ROOT
};

/* --- helpers ------------------------------------------------------------------------------------------------------ */

void ksda_i_xml_stop(ksda_i_xml *x, ksda_status status) {
    x->status = status;
    XML_StopParser(x->parser, XML_FALSE);
}

const char *ksda_i_xml_place(const ksda_i_xml *x) {
    XML_Index index = XML_GetCurrentByteIndex(x->parser);
    size_t size = (size_t)(x->text.end - x->text.begin);
    return x->text.begin + (index < 0 ? 0 : (size_t)index > size ? size : (size_t)index);
}

int ksda_i_xml_parent(const ksda_i_xml *x) {
    return x->stack[x->depth - 1];
}

uint32_t ksda_i_xml_node(const ksda_i_xml *x) {
    return x->node[x->depth - 1];
}

/* The name without its namespace, or NULL if that is not the format's. expat gives "namespace name". */
static const char *local_name(const ksda_i_xml *x, const char *name) {
    const char *space = strrchr(name, ' ');
    if (!space) return name;
    return strncmp(name, x->kind->space, strlen(x->kind->space)) == 0 ? space + 1 : NULL;
}

const char *ksda_i_xml_attribute(const char **attributes, const char *name) {
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

bool ksda_i_xml_has(const char **attributes, const char *name, const char *value) {
    const char *is = ksda_i_xml_attribute(attributes, name);
    return is && strcmp(is, value) == 0;
}

static char *copy_text(ksda_ctx *ctx, const char *text, size_t size) {
    char *copy = ksda_i_malloc(ctx, size + 1, 1);
    if (!copy) return NULL;
    if (size > 0) memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static void trim_blanks(const char **text, uint64_t *size) {
    static const char blanks[] = " \t\r\n";
    while (*size > 0 && strchr(blanks, **text) && **text) (*text)++, (*size)--;
    while (*size > 0 && strchr(blanks, (*text)[*size - 1]) && (*text)[*size - 1]) (*size)--;
}

void ksda_i_xml_push(ksda_i_xml *x, int element, uint32_t node) {
    if (x->depth == KSDA_I_XML_DEPTH) {
        KSDA_I_XML_REFUSE(x, "elements are nested deeper than %d levels", KSDA_I_XML_DEPTH);
        return;
    }
    x->stack[x->depth] = element;
    x->node[x->depth++] = node;
}

void ksda_i_xml_gather(ksda_i_xml *x, int element, uint32_t node) {
    x->value_size = 0;
    x->gathers = true;
    ksda_i_xml_push(x, element, node);
}

/* --- nodes, edges, attributes ------------------------------------------------------------------------------------- */

void ksda_i_xml_start_node(ksda_i_xml *x, const char **attributes, int element) {
    const char *id = ksda_i_xml_attribute(attributes, "id");
    uint32_t item;
    if (!id || !*id) {
        KSDA_I_XML_REFUSE(x, "a <node> needs an id that is not empty");
        return;
    }
    ksda_status status = ksda_i_nodes_declare(&x->nodes, id, strlen(id), ksda_i_xml_place(x), &item);
    if (status < 0)
        ksda_i_xml_stop(x, status);
    else
        ksda_i_xml_push(x, element, item);
}

void ksda_i_xml_start_edge(ksda_i_xml *x, const char **attributes, int element) {
    static const char *const end[] = {"source", "target"};
    ksda_status status;
    uint32_t item[2];
    for (int i = 0; i < 2; i++) {
        const char *id = ksda_i_xml_attribute(attributes, end[i]);
        if (!id || !*id) {
            KSDA_I_XML_REFUSE(x, "an <edge> needs a %s", end[i]);
            return;
        }
        KSDA_I_TRY(ksda_i_nodes_mention(&x->nodes, id, strlen(id), ksda_i_xml_place(x), &item[i]));
    }
    KSDA_I_TRY(ksda_i_nodes_edge(&x->nodes, item[0], item[1]));
    if (ksda_i_xml_has(attributes, "directed", "true") || ksda_i_xml_has(attributes, "type", "directed"))
        x->nodes.directed = true; /* GraphML, GEXF */
    ksda_i_xml_push(x, element, KSDA_NO_VERTEX);
done:
    if (status < 0) ksda_i_xml_stop(x, status);
}

/* Is this declaration that of the attribute that is asked for? */
static ksda_status declare(ksda_i_xml *x, ksda_i_xml_wanted *w, const char *id, const char *name) {
    bool by_name = w->name && name && strcmp(name, w->name) == 0;
    w->open = false;
    if (!w->name || w->by_name || (!by_name && (w->key || strcmp(id, w->name) != 0))) return KSDA_OK;
    char *key = copy_text(x->text.ctx, id, strlen(id));
    if (!key) return KSDA_NOMEM;
    ksda_i_free(x->text.ctx, w->key);
    ksda_i_free(x->text.ctx, w->fallback); /* it was that of the one found by id */
    w->key = key;
    w->fallback = NULL;
    w->by_name = by_name;
    w->open = true;
    return KSDA_OK;
}

void ksda_i_xml_declare(ksda_i_xml *x, const char *id, const char *name, int element) {
    const char *called = name ? name : id;
    ksda_status status = KSDA_OK;
    ksda_i_xml_push(x, element, KSDA_NO_VERTEX);
    if (!id || x->status < 0) return;
    if (x->wanted[0].name || x->wanted[1].name) KSDA_I_TRY(ksda_i_nodes_attribute(&x->nodes, called, strlen(called)));
    for (int i = 0; i < KSDA_I_XML_WANTED; i++) KSDA_I_TRY(declare(x, &x->wanted[i], id, name));
done:
    if (status < 0) ksda_i_xml_stop(x, status);
}

bool ksda_i_xml_wants(ksda_i_xml *x, const char *id) {
    bool any = false;
    for (int i = 0; i < KSDA_I_XML_WANTED; i++) {
        ksda_i_xml_wanted *w = &x->wanted[i];
        w->open = id && w->key && strcmp(id, w->key) == 0;
        any |= w->open;
    }
    return any;
}

/* One entry of a list as Gephi and Python write it: as it is, without the blanks around it, or in quotes of either
 * kind. Returns the comma or the end after it, NULL where there is no entry. */
static const char *loose_entry(const char *at, const char *end, char *name, uint64_t *size) {
    uint64_t length = 0;
    while (at < end && *at == ' ') at++;
    bool quoted = at < end && (*at == '\'' || *at == '"');
    char last = quoted ? *at++ : ',';
    for (*size = 0; at < end && *at != last; at++) {
        if (quoted && *at == '\\' && at + 1 < end) at++;
        name[length++] = *at;
        if (quoted || *at != ' ') *size = length;
    }
    if (quoted && at++ == end) return NULL;
    while (at < end && *at == ' ') at++;
    return *size && (at == end || *at == ',') ? at : NULL;
}

/* [a, 'b c', "d"], without the brackets; *right becomes false where it is no such list. */
static ksda_status read_loose_set(ksda_i_xml *x, uint32_t node, const char *at, uint64_t size, bool *right) {
    const char *end = at + size;
    uint64_t length;
    char *name = ksda_i_malloc(x->text.ctx, size + 1, 1);
    ksda_status status = name ? KSDA_OK : KSDA_NOMEM;
    for (*right = true; *right && status >= 0; at++) {
        at = loose_entry(at, end, name, &length);
        *right = at != NULL;
        if (*right) status = ksda_i_nodes_community(&x->nodes, node, name, length);
        if (!at || at == end) break;
    }
    ksda_i_free(x->text.ctx, name);
    return status;
}

/* A list, as JSON writes it, [1, "b"], or as Gephi and Python do, [1, b] and ['b']. */
static ksda_status read_set(ksda_i_xml *x, uint32_t node, const char *value, uint64_t size) {
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
        status = ksda_i_nodes_community(&x->nodes, node, name, strlen(name));
    }
    if (!list) status = read_loose_set(x, node, value + 1, size - 2, &right);
    json_decref(list);
    if (!right)
        KSDA_I_XML_REFUSE(x, "expected a list of numbers and strings as '%s', as in [1, \"b\"]", x->wanted[0].name);
    return status;
}

static ksda_status take_community(ksda_i_xml *x, uint32_t node, const char *value, uint64_t size) {
    bool list = size > 1 && value[0] == '[' && value[size - 1] == ']';
    if (list && !x->nodes.several && memchr(value, ',', size))
        KSDA_I_XML_REFUSE(x, "'%s' is a list, %.*s: people in several communities are read with --overlap disjoint",
                          x->wanted[0].name, (int)(size < 60 ? size : 60), value);
    return list && x->nodes.several ? read_set(x, node, value, size)
                                    : ksda_i_nodes_community(&x->nodes, node, value, size);
}

void ksda_i_xml_take_value(ksda_i_xml *x, uint32_t node, const char *value, uint64_t size) {
    trim_blanks(&value, &size);
    for (int i = 0; i < KSDA_I_XML_WANTED && x->status >= 0; i++) {
        if (!x->wanted[i].open) continue;
        uint32_t known = i == 0 ? x->nodes.community[node] : x->nodes.title[node];
        if (known != KSDA_NO_VERTEX && !(i == 0 && x->nodes.several)) {
            KSDA_I_XML_REFUSE(x, "a second value of '%s' in one node%s", x->wanted[i].name,
                              x->dynamic ? ", in a network that changes with time: keep one" : "");
            return;
        }
        ksda_status status =
            i == 0 ? take_community(x, node, value, size) : ksda_i_nodes_title(&x->nodes, node, value, size);
        if (status < 0) ksda_i_xml_stop(x, status);
    }
}

void ksda_i_xml_take_default(ksda_i_xml *x) {
    const char *value = x->value;
    uint64_t size = x->value_size;
    trim_blanks(&value, &size);
    for (int i = 0; i < KSDA_I_XML_WANTED; i++) {
        ksda_i_xml_wanted *w = &x->wanted[i];
        if (!w->open) continue;
        ksda_i_free(x->text.ctx, w->fallback);
        w->fallback = copy_text(x->text.ctx, value, size);
        w->fallback_size = size;
        if (!w->fallback) ksda_i_xml_stop(x, KSDA_NOMEM);
    }
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static void XMLCALL on_start(void *data, const char *name, const char **attributes) {
    ksda_i_xml *x = data;
    const char *local = local_name(x, name);
    if (x->status < 0) return; /* expat may still deliver events after it was stopped */
    if (x->skipped > 0) {
        x->skipped++;
    } else if (x->depth == 1) {
        if (local && strcmp(local, x->kind->root) == 0) {
            ksda_i_xml_push(x, ROOT, KSDA_NO_VERTEX);
        } else {
            char shown[KSDA_I_SHOWN];
            const char *space = strrchr(name, ' ');
            name = space ? space + 1 : name;
            KSDA_I_XML_REFUSE(x, "expected the element '%s', not %s", x->kind->root,
                              ksda_i_show(name, strlen(name), shown));
        }
    } else if (!local || !x->kind->start(x, local, attributes)) {
        x->skipped = 1;
    }
}

static void XMLCALL on_end(void *data, const char *name) {
    ksda_i_xml *x = data;
    (void)name; /* expat has checked that it fits */
    if (x->status < 0) return;
    if (x->skipped > 0) {
        x->skipped--;
        return;
    }
    x->kind->end(x, ksda_i_xml_parent(x));
    x->gathers = false;
    x->depth--;
}

static void XMLCALL on_text(void *data, const char *text, int length) {
    ksda_i_xml *x = data;
    if (x->status < 0 || x->skipped > 0 || !x->gathers) return;
    if (ksda_i_reserve(x->text.ctx, &x->value, &x->value_capacity, x->value_size + (uint64_t)length, 1) < 0) {
        ksda_i_xml_stop(x, KSDA_NOMEM);
        return;
    }
    memcpy(x->value + x->value_size, text, (size_t)length);
    x->value_size += (uint64_t)length;
}

static void XMLCALL on_doctype(void *data, const char *name, const char *system, const char *public, int internal) {
    ksda_i_xml *x = data;
    (void)name, (void)system, (void)public, (void)internal;
    KSDA_I_XML_REFUSE(x, "a document type declaration; it could declare entities, which are refused");
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static ksda_status xml_error(ksda_i_xml *x) {
    enum XML_Error code = XML_GetErrorCode(x->parser);
    if (x->status < 0) return x->status;
    if (code == XML_ERROR_NO_MEMORY) return ksda_i_error(x->text.ctx, KSDA_NOMEM, "out of memory for reading XML");
    return ksda_i_text_error(&x->text, ksda_i_xml_place(x), "not well-formed XML: %s", XML_ErrorString(code));
}

/* Nodes without a value have the default. */
static ksda_status fall_back(ksda_i_xml *x) {
    const ksda_i_xml_wanted *w = &x->wanted[0];
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < x->nodes.names.count && w->fallback && w->fallback_size > 0 && status >= 0; i++)
        if (x->nodes.community[i] == KSDA_NO_VERTEX)
            status = ksda_i_nodes_community(&x->nodes, i, w->fallback, w->fallback_size);
    return status;
}

static ksda_status parse_xml(ksda_i_xml *x) {
    uint64_t total = (uint64_t)(x->text.end - x->text.begin), done = 0;
    ksda_status status;
    do {
        size_t size = total - done < CHUNK ? (size_t)(total - done) : CHUNK;
        KSDA_I_TRY(ksda_i_progress(x->text.ctx, "reading", done, total));
        if (XML_Parse(x->parser, x->text.begin + done, (int)size, done + size == total) != XML_STATUS_OK)
            return xml_error(x);
        done += size;
    } while (done < total);
    if (!x->has_graph) return ksda_i_text_error(&x->text, x->text.end, "the file has no <graph>");
    for (int i = 0; i < KSDA_I_XML_WANTED; i++)
        if (x->wanted[i].name && !x->wanted[i].key) return ksda_i_nodes_no_attribute(&x->nodes, x->wanted[i].name);
    KSDA_I_TRY(ksda_i_nodes_check(&x->nodes));
    KSDA_I_TRY(fall_back(x));
    if (x->wanted[1].name) KSDA_I_TRY(ksda_i_nodes_rename(&x->nodes, x->wanted[1].name));
done:
    return status;
}

static ksda_status open_parser(ksda_i_xml *x, const char *encoding) {
    x->parser = XML_ParserCreateNS(encoding, ' ');
    if (!x->parser) return ksda_i_error(x->text.ctx, KSDA_NOMEM, "out of memory for reading XML");
    XML_SetUserData(x->parser, x);
    XML_SetElementHandler(x->parser, on_start, on_end);
    XML_SetCharacterDataHandler(x->parser, on_text);
    XML_SetStartDoctypeDeclHandler(x->parser, on_doctype);
    return KSDA_OK;
}

ksda_status ksda_i_xml_read(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                            const ksda_i_xml_kind *kind, ksda_i_read *out) {
    ksda_status status = KSDA_OK;
    ksda_i_xml x = {.kind = kind, .depth = 1, .stack = {DOCUMENT}};
    x.wanted[0].name = options->attribute;
    x.wanted[1].name = options->name_attribute;
    KSDA_I_TRY(ksda_i_nodes_open(ctx, source, options, &x.text, &x.nodes, out));
    KSDA_I_TRY(open_parser(&x, options->encoding ? "UTF-8" : NULL)); /* what was declared is not true any more */
    KSDA_I_TRY(parse_xml(&x));
    KSDA_I_TRY(ksda_i_nodes_finish(&x.nodes, options->attribute != NULL, out));
    if (x.dynamic)
        ksda_i_note(out->reading.note, sizeof out->reading.note,
                    "a network that changes with time: everything that ever exists is taken together");
done:
    if (x.parser) XML_ParserFree(x.parser);
    ksda_i_nodes_clear(&x.nodes);
    ksda_i_free(ctx, x.value);
    for (int i = 0; i < KSDA_I_XML_WANTED; i++) {
        ksda_i_free(ctx, x.wanted[i].key);
        ksda_i_free(ctx, x.wanted[i].fallback);
    }
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

ksda_status ksda_i_xml_write_name(ksda_ctx *ctx, const ksda_i_ids *ids, uint32_t item, ksda_i_output *out) {
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

ksda_status ksda_i_xml_write_communities(ksda_ctx *ctx, const ksda_communities *c, uint32_t v, ksda_i_output *out) {
    return c->sets ? write_set(ctx, c, v, out) : ksda_i_xml_write_name(ctx, &c->names, c->of[v], out);
}

ksda_status ksda_i_xml_write_ends(const ksda_i_items *items, uint32_t u, uint32_t v) {
    ksda_status status;
    ksda_i_output_text(items->out, " source=\"");
    KSDA_I_TRY(ksda_i_xml_write_name(items->ctx, &items->graph->ids, u, items->out));
    ksda_i_output_text(items->out, "\" target=\"");
    KSDA_I_TRY(ksda_i_xml_write_name(items->ctx, &items->graph->ids, v, items->out));
    ksda_i_output_text(items->out, "\"/>\n");
done:
    return status;
}
