/* xml.h: what the XML formats (GraphML, GEXF) share: walking through elements, the text inside some of them, writing
 * names. */
#ifndef KSDA_I_XML_H
#define KSDA_I_XML_H

#include "io/items.h"
#include "io/nodes.h"

#include <expat.h>

#define KSDA_I_XML_DEPTH 128
#define KSDA_I_XML_WANTED 2 /* attributes that may be asked for: of the community, and of the name */

/* An attribute of the nodes that is asked for. */
typedef struct ksda_i_xml_wanted {
    const char *name; /* NULL: nothing is */
    char *key;        /* the id that its values refer to; NULL: not declared so far */
    bool by_name;     /* found by its name, which goes before the id */
    bool open;        /* it is the one that is being declared, or whose value is being read */
    char *fallback;   /* for nodes without a value, or NULL */
    size_t fallback_size;
} ksda_i_xml_wanted;

typedef struct ksda_i_xml ksda_i_xml;

/* A kind of XML file. Elements are what the format numbers them, from 1. */
typedef struct ksda_i_xml_kind {
    const char *root, *space; /* its root element, and how its namespace begins */
    /* Open an element inside one that is known: ksda_i_xml_push() it; false: it is passed over with all it holds. */
    bool (*start)(ksda_i_xml *x, const char *name, const char **attributes);
    void (*end)(ksda_i_xml *x, int element); /* of a known one, whose text is in value if it was gathered */
} ksda_i_xml_kind;

struct ksda_i_xml {
    const ksda_i_xml_kind *kind;
    ksda_i_text text;
    ksda_i_nodes nodes;
    XML_Parser parser;
    ksda_status status;
    int stack[KSDA_I_XML_DEPTH];     /* the open elements; 0 is the document, 1 the root */
    uint32_t node[KSDA_I_XML_DEPTH]; /* the node around each */
    unsigned depth;
    uint64_t skipped; /* open elements inside one that is passed over */
    bool has_graph, gathers;
    bool dynamic; /* it changes with time */
    char *value;  /* the text of the open element */
    uint64_t value_size, value_capacity;
    ksda_i_xml_wanted wanted[KSDA_I_XML_WANTED]; /* the community, the name */
};

/* Read the whole source. graph: "graph", of which there must be one. On failure out is empty. */
ksda_status ksda_i_xml_read(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                            const ksda_i_xml_kind *kind, ksda_i_read *out);

/* --- for start and end ------------------------------------------------------------------------------------------- */

int ksda_i_xml_parent(const ksda_i_xml *x); /* the innermost open element */
uint32_t ksda_i_xml_node(const ksda_i_xml *x);
const char *ksda_i_xml_attribute(const char **attributes, const char *name); /* or NULL */
bool ksda_i_xml_has(const char **attributes, const char *name, const char *value);
void ksda_i_xml_push(ksda_i_xml *x, int element, uint32_t node);
void ksda_i_xml_gather(ksda_i_xml *x, int element, uint32_t node); /* push it, and gather its text */
void ksda_i_xml_stop(ksda_i_xml *x, ksda_status status);
const char *ksda_i_xml_place(const ksda_i_xml *x);
#define KSDA_I_XML_REFUSE(x, ...) ksda_i_xml_stop(x, ksda_i_text_error(&(x)->text, ksda_i_xml_place(x), __VA_ARGS__))

/* A node or an edge, which are called so in all formats; the element is pushed. */
void ksda_i_xml_start_node(ksda_i_xml *x, const char **attributes, int element);
void ksda_i_xml_start_edge(ksda_i_xml *x, const char **attributes, int element);
/* An attribute of nodes is declared; name may be NULL. The element is pushed. */
void ksda_i_xml_declare(ksda_i_xml *x, const char *id, const char *name, int element);
/* Is this the id of an attribute that is asked for? Then its value is expected. */
bool ksda_i_xml_wants(ksda_i_xml *x, const char *id);
/* The value that was expected, of a node or, in a declaration, for all nodes without one. */
void ksda_i_xml_take_value(ksda_i_xml *x, uint32_t node, const char *value, uint64_t size);
void ksda_i_xml_take_default(ksda_i_xml *x);

/* Write a name, escaped. KSDA_UNSUPPORTED: it has a character that XML cannot carry. */
ksda_status ksda_i_xml_write_name(ksda_ctx *ctx, const ksda_i_ids *ids, uint32_t item, ksda_i_output *out);
/* The community of a vertex, or a list of them as JSON writes it. */
ksda_status ksda_i_xml_write_communities(ksda_ctx *ctx, const ksda_communities *c, uint32_t v, ksda_i_output *out);
/* The rest of an edge, behind what else its element has: both ends, and the element's end. */
ksda_status ksda_i_xml_write_ends(const ksda_i_items *items, uint32_t u, uint32_t v);

#endif
