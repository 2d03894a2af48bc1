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
 * the data may stand more than once. Names may be taken from such a key in the same way. Other data and elements of
 * other namespaces are ignored.
 *
 * Writing keeps all names; a name with a character that XML cannot carry is refused. Communities become the attribute
 * "community", sets of them such a list. */
#include "io/xml.h"

static const char namespace_start[] = "http://graphml.graphdrawing.org/";

enum {
    GRAPHML = 1,
    KEY,
    DEFAULT, /* of a wanted key */
    GRAPH,
    NODE,
    EDGE,
    DATA /* of a wanted key */
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void start_key(ksda_i_xml *x, const char **attributes) {
    const char *domain = ksda_i_xml_attribute(attributes, "for");
    bool of_nodes = !domain || strcmp(domain, "node") == 0 || strcmp(domain, "all") == 0;
    ksda_i_xml_wants(x, NULL); /* a default belongs to this one */
    ksda_i_xml_declare(x, of_nodes ? ksda_i_xml_attribute(attributes, "id") : NULL,
                       ksda_i_xml_attribute(attributes, "attr.name"), KEY);
}

static void start_graph(ksda_i_xml *x, const char **attributes, int parent) {
    if (parent == GRAPHML && x->has_graph) {
        KSDA_I_XML_REFUSE(x, "a second <graph>; one file is one graph");
        return;
    }
    x->has_graph = true;
    if (ksda_i_xml_has(attributes, "edgedefault", "directed")) x->nodes.directed = true;
    ksda_i_xml_push(x, GRAPH, KSDA_NO_VERTEX);
}

static bool start_element(ksda_i_xml *x, const char *name, const char **attributes) {
    int parent = ksda_i_xml_parent(x);
    if (parent == GRAPHML && strcmp(name, "key") == 0) {
        start_key(x, attributes);
    } else if ((parent == GRAPHML || parent == NODE) && strcmp(name, "graph") == 0) {
        start_graph(x, attributes, parent);
    } else if (parent == GRAPH && strcmp(name, "node") == 0) {
        ksda_i_xml_start_node(x, attributes, NODE);
    } else if (parent == GRAPH && strcmp(name, "edge") == 0) {
        ksda_i_xml_start_edge(x, attributes, EDGE);
    } else if (parent == GRAPH && strcmp(name, "hyperedge") == 0) {
        KSDA_I_XML_REFUSE(x, "hyperedges are not supported");
    } else if (parent == KEY && strcmp(name, "default") == 0) {
        ksda_i_xml_gather(x, DEFAULT, KSDA_NO_VERTEX);
    } else if (parent == NODE && strcmp(name, "data") == 0) {
        if (!ksda_i_xml_wants(x, ksda_i_xml_attribute(attributes, "key"))) return false;
        ksda_i_xml_gather(x, DATA, ksda_i_xml_node(x));
    } else {
        return false;
    }
    return true;
}

static void end_element(ksda_i_xml *x, int element) {
    if (element == DATA) ksda_i_xml_take_value(x, ksda_i_xml_node(x), x->value, x->value_size);
    if (element == DEFAULT) ksda_i_xml_take_default(x);
}

static bool sniff_graphml(const char *data, size_t size) {
    static const char *const starts[] = {"<?xml", "<!DOCTYPE", "<!--", "<graphml"};
    size_t i = 0;
    while (i < size && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n')) i++;
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
        if (size - i >= strlen(starts[s]) && memcmp(data + i, starts[s], strlen(starts[s])) == 0) return true;
    return false;
}

static ksda_status read_graphml(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                                ksda_i_read *out) {
    static const ksda_i_xml_kind graphml = {
        .root = "graphml", .space = namespace_start, .start = start_element, .end = end_element};
    return ksda_i_xml_read(ctx, source, options, &graphml, out);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static ksda_status write_node(const ksda_i_items *items, uint32_t v) {
    ksda_status status;
    ksda_i_output_text(items->out, "    <node id=\"");
    KSDA_I_TRY(ksda_i_xml_write_name(items->ctx, &items->graph->ids, v, items->out));
    if (items->communities) {
        ksda_i_output_text(items->out, "\"><data key=\"community\">");
        KSDA_I_TRY(ksda_i_xml_write_communities(items->ctx, items->communities, v, items->out));
        ksda_i_output_text(items->out, "</data></node>\n");
    } else {
        ksda_i_output_text(items->out, "\"/>\n");
    }
done:
    return status;
}

static ksda_status write_edge(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v) {
    (void)number;
    ksda_i_output_text(items->out, "    <edge");
    return ksda_i_xml_write_ends(items, u, v);
}

static ksda_status write_graphml(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status;
    const ksda_i_items items = {ctx, g, c, out, NULL};
    ksda_i_output_format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"%sxmlns\">\n",
                         namespace_start);
    if (c)
        ksda_i_output_format(out, "  <key id=\"community\" for=\"node\" attr.name=\"community\" attr.type=\"%s\"/>\n",
                             c->sets || c->names.kind == KSDA_I_IDS_NAMES ? "string" : "long"); /* kinds have names */
    ksda_i_output_text(out, "  <graph edgedefault=\"undirected\">\n");
    KSDA_I_TRY(ksda_i_write_vertices(&items, write_node));
    KSDA_I_TRY(ksda_i_write_edges(&items, write_edge));
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
    .by_row = true,
    .attributes = true,
    .carries = true,
};
