/* GEXF, Gephi's format, versions 1.1 to 1.3: what Gephi, NetworkX and graphology exchange.
 *
 *     <gexf xmlns="http://gexf.net/1.3" version="1.3">
 *       <graph defaultedgetype="undirected">
 *         <attributes class="node"><attribute id="0" title="community" type="string"/></attributes>
 *         <nodes><node id="a" label="Anna"><attvalues><attvalue for="0" value="1"/></attvalues></node></nodes>
 *         <edges><edge source="a" target="b"/></edges>
 *       </graph>
 *     </gexf>
 *
 * Vertices are called by their ids, or by the attribute that is asked for, where "label" is that of the <node>. The
 * file lists all of them: an edge to a node that is never declared is refused, so is a node declared twice. Directed
 * edges are read as undirected; nodes and edges inside a node count like all others. An attribute is the one with that
 * title (or else that id) of the class node; its <default>, if any, holds for nodes without a value. In a file of mode
 * "dynamic" everything that ever exists is there at the same time, and that is remarked; an attribute with two values
 * in one node is refused. Hierarchy (pid), colours, positions and other data are ignored.
 *
 * Writing keeps all names, as id and as label; communities become the attribute "community". */
#include "io/xml.h"

enum {
    GEXF = 1,
    GRAPH,
    ATTRIBUTES, /* of nodes */
    ATTRIBUTE,
    DEFAULT,
    NODES,
    NODE,
    VALUES,
    VALUE,
    EDGES,
    EDGE
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void start_graph(ksda_i_xml *x, const char **attributes) {
    if (x->has_graph) {
        KSDA_I_XML_REFUSE(x, "a second <graph>; one file is one graph");
        return;
    }
    x->has_graph = true;
    if (ksda_i_xml_has(attributes, "defaultedgetype", "directed")) x->nodes.directed = true;
    x->dynamic = ksda_i_xml_has(attributes, "mode", "dynamic");
    ksda_i_xml_push(x, GRAPH, KSDA_NO_VERTEX);
}

static void start_attributes(ksda_i_xml *x) {
    bool wanted = x->wanted[0].name || x->wanted[1].name;
    if (wanted && x->nodes.names.count > 0)
        KSDA_I_XML_REFUSE(x, "the attributes of nodes are declared behind the nodes; move them before");
    else
        ksda_i_xml_push(x, ATTRIBUTES, KSDA_NO_VERTEX);
}

/* The label is an attribute of the element itself: one more, with an id of its own, unless another is called so. */
static void start_nodes(ksda_i_xml *x) {
    ksda_i_xml_declare(x, "", "label", NODES);
}

static void start_node(ksda_i_xml *x, const char **attributes) {
    const char *label = ksda_i_xml_attribute(attributes, "label");
    ksda_i_xml_start_node(x, attributes, NODE);
    if (x->status >= 0 && label && ksda_i_xml_wants(x, ""))
        ksda_i_xml_take_value(x, ksda_i_xml_node(x), label, strlen(label));
}

static void start_value(ksda_i_xml *x, const char **attributes) {
    const char *key = ksda_i_xml_attribute(attributes, "for"), *value = ksda_i_xml_attribute(attributes, "value");
    if (!key) key = ksda_i_xml_attribute(attributes, "id"); /* before version 1.2 */
    if (value && ksda_i_xml_wants(x, key)) ksda_i_xml_take_value(x, ksda_i_xml_node(x), value, strlen(value));
    if (x->status >= 0) ksda_i_xml_push(x, VALUE, KSDA_NO_VERTEX);
}

static bool start_element(ksda_i_xml *x, const char *name, const char **attributes) {
    int parent = ksda_i_xml_parent(x);
    if (parent == GEXF && strcmp(name, "graph") == 0)
        start_graph(x, attributes);
    else if (parent == GRAPH && strcmp(name, "attributes") == 0 && ksda_i_xml_has(attributes, "class", "node"))
        start_attributes(x);
    else if (parent == ATTRIBUTES && strcmp(name, "attribute") == 0)
        ksda_i_xml_declare(x, ksda_i_xml_attribute(attributes, "id"), ksda_i_xml_attribute(attributes, "title"),
                           ATTRIBUTE);
    else if (parent == ATTRIBUTE && strcmp(name, "default") == 0)
        ksda_i_xml_gather(x, DEFAULT, KSDA_NO_VERTEX);
    else if ((parent == GRAPH || parent == NODE) && strcmp(name, "nodes") == 0)
        start_nodes(x);
    else if ((parent == GRAPH || parent == NODE) && strcmp(name, "edges") == 0)
        ksda_i_xml_push(x, EDGES, KSDA_NO_VERTEX);
    else if (parent == NODES && strcmp(name, "node") == 0)
        start_node(x, attributes);
    else if (parent == NODE && strcmp(name, "attvalues") == 0)
        ksda_i_xml_push(x, VALUES, ksda_i_xml_node(x));
    else if (parent == VALUES && strcmp(name, "attvalue") == 0)
        start_value(x, attributes);
    else if (parent == EDGES && strcmp(name, "edge") == 0)
        ksda_i_xml_start_edge(x, attributes, EDGE);
    else
        return false;
    return true;
}

static void end_element(ksda_i_xml *x, int element) {
    if (element == DEFAULT) ksda_i_xml_take_default(x);
}

/* Is the first element called gexf? */
static bool sniff_gexf(const char *data, size_t size) {
    for (size_t i = 0; i + 5 < size; i++) {
        if (data[i] != '<') continue;
        if (data[i + 1] != '?' && data[i + 1] != '!')
            return memcmp(data + i, "<gexf", 5) == 0 && strchr(" \t\r\n>", data[i + 5]) && data[i + 5];
        bool comment = memcmp(data + i, "<!--", 4) == 0;
        while (i < size && (data[i] != '>' || (comment && (data[i - 1] != '-' || data[i - 2] != '-')))) i++;
    }
    return false;
}

static ksda_status read_gexf(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *out) {
    static const ksda_i_xml_kind gexf = {.root = "gexf", .space = "http", .start = start_element, .end = end_element};
    return ksda_i_xml_read(ctx, source, options, &gexf, out);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static ksda_status write_node(const ksda_i_items *items, uint32_t v) {
    ksda_status status;
    ksda_i_output_text(items->out, "      <node id=\"");
    KSDA_I_TRY(ksda_i_xml_write_name(items->ctx, &items->graph->ids, v, items->out));
    ksda_i_output_text(items->out, "\" label=\"");
    KSDA_I_TRY(ksda_i_xml_write_name(items->ctx, &items->graph->ids, v, items->out));
    if (items->communities) {
        ksda_i_output_text(items->out, "\"><attvalues><attvalue for=\"0\" value=\"");
        KSDA_I_TRY(ksda_i_xml_write_communities(items->ctx, items->communities, v, items->out));
        ksda_i_output_text(items->out, "\"/></attvalues></node>\n");
    } else {
        ksda_i_output_text(items->out, "\"/>\n");
    }
done:
    return status;
}

static ksda_status write_edge(const ksda_i_items *items, uint64_t number, uint32_t u, uint32_t v) {
    ksda_i_output_text(items->out, "      <edge id=\"");
    ksda_i_output_number(items->out, number);
    ksda_i_output_text(items->out, "\"");
    return ksda_i_xml_write_ends(items, u, v);
}

static ksda_status write_gexf(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_output *out) {
    ksda_status status;
    const ksda_i_items items = {ctx, g, c, out, NULL};
    ksda_i_output_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                            "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
                            "  <graph defaultedgetype=\"undirected\" mode=\"static\">\n");
    if (c)
        ksda_i_output_format(out,
                             "    <attributes class=\"node\" mode=\"static\">\n"
                             "      <attribute id=\"0\" title=\"community\" type=\"%s\"/>\n"
                             "    </attributes>\n",
                             c->sets || c->names.kind == KSDA_I_IDS_NAMES ? "string" : "long");
    ksda_i_output_text(out, "    <nodes>\n");
    KSDA_I_TRY(ksda_i_write_vertices(&items, write_node));
    ksda_i_output_text(out, "    </nodes>\n    <edges>\n");
    KSDA_I_TRY(ksda_i_write_edges(&items, write_edge));
    ksda_i_output_text(out, "    </edges>\n  </graph>\n</gexf>\n");
done:
    return status;
}

const ksda_i_format ksda_i_format_gexf = {
    .name = "gexf",
    .endings = ".gexf",
    .sniff = sniff_gexf,
    .read = read_gexf,
    .write = write_gexf,
    .by_row = true,
    .attributes = true,
    .carries = true,
};
