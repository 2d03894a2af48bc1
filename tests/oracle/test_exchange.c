/* GraphML and GML as igraph writes and reads them: the same graph, names and communities in both directions. */
#include "in_igraph.h"
#include "core/random.h"
#include "format_check.h"

#include <igraph/igraph.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define CASES 300

static ksda_ctx *ctx;

static int set_up(void **state) {
    (void)state;
    igraph_set_attribute_table(&igraph_cattribute_table);
    return ksda_ctx_new(NULL, &ctx) == KSDA_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    ksda_ctx_free(ctx);
    return 0;
}

/* The same graph in igraph, with the names and communities as string attributes. */
static void to_igraph_with_names(const ksda_network *net, igraph_t *out) {
    const ksda_graph *g = net->graph;
    char text[256];
    to_igraph(g, out);
    for (uint32_t v = 0; v < g->n; v++) {
        ksda_graph_name(g, v, text, sizeof text);
        SETVAS(out, "label", v, text);
        ksda_communities_name(net->communities, net->communities->of[v], text, sizeof text);
        SETVAS(out, "community", v, text);
    }
}

static void assert_same_shape(const ksda_graph *g, const igraph_t *h) {
    assert_int_equal(igraph_vcount(h), g->n);
    assert_int_equal(igraph_ecount(h), g->m);
    for (igraph_integer_t e = 0; e < igraph_ecount(h); e++)
        assert_true(ksda_graph_adjacent(g, (uint32_t)IGRAPH_FROM(h, e), (uint32_t)IGRAPH_TO(h, e)));
}

/* What igraph writes, read by us. */
static void from_igraph(const ksda_i_format *row, bool named) {
    for (uint64_t seed = 0; seed < CASES; seed++) {
        ksda_network net;
        igraph_t h;
        ksda_i_read r;
        char *text = NULL;
        size_t size = 0;
        random_named_network(ctx, seed, (naming)(seed % 3), &net);
        to_igraph_with_names(&net, &h);
        FILE *f = open_memstream(&text, &size);
        if (row == &ksda_i_format_graphml)
            assert_int_equal(igraph_write_graph_graphml(&h, f, true), IGRAPH_SUCCESS);
        else
            assert_int_equal(igraph_write_graph_gml(&h, f, IGRAPH_WRITE_GML_DEFAULT_SW, NULL, "igraph"),
                             IGRAPH_SUCCESS);
        fclose(f);
        assert_true(row->sniff(text, size));
        bool has = net.graph->n > 0;
        if (read_text(ctx, row, text, size, has ? "community" : NULL, &r) < 0)
            fail_msg("%llu:%llu %s\n%s", (unsigned long long)ksda_ctx_error(ctx)->line,
                     (unsigned long long)ksda_ctx_error(ctx)->column, ksda_ctx_error(ctx)->message, text);
        if (!same_graph(net.graph, r.graph, !named)) fail_msg("another graph from\n%s", text);
        if (has && !same_communities(net.communities, &r)) fail_msg("other communities from\n%s", text);
        ksda_i_read_clear(ctx, &r);
        free(text);
        igraph_destroy(&h);
        ksda_network_clear(ctx, &net);
    }
}

static void reads_graphml_of_igraph(void **state) {
    (void)state;
    from_igraph(&ksda_i_format_graphml, false); /* igraph calls the nodes n0, n1, ... */
}

static void reads_gml_of_igraph(void **state) {
    (void)state;
    from_igraph(&ksda_i_format_gml, true);
}

/* igraph 0.10 leaves an ampersand in an XML attribute as the &#38; that libxml2 hands it. */
static void undo_ampersands(const char *text, char *out) {
    while (*text) {
        bool escaped = strncmp(text, "&#38;", 5) == 0;
        *out++ = *text;
        text += escaped ? 5 : 1;
    }
    *out = '\0';
}

/* An attribute of a vertex, whatever type igraph gave it, is this text. */
static void assert_attribute(const igraph_t *h, const char *name, uint32_t v, const char *expected) {
    igraph_vector_int_t types;
    igraph_strvector_t names;
    igraph_vector_int_init(&types, 0);
    igraph_strvector_init(&names, 0);
    igraph_cattribute_list(h, NULL, NULL, &names, &types, NULL, NULL);
    bool found = false;
    for (igraph_integer_t i = 0; i < igraph_strvector_size(&names); i++) {
        if (strcmp(igraph_strvector_get(&names, i), name) != 0) continue;
        found = true;
        if (VECTOR(types)[i] == IGRAPH_ATTRIBUTE_STRING) {
            char text[256];
            undo_ampersands(VAS(h, name, v), text);
            assert_string_equal(text, expected);
        } else { /* a double: large numbers are rounded */
            double wanted = strtod(expected, NULL);
            assert_true(VAN(h, name, v) == wanted);
        }
    }
    assert_true(found);
    igraph_strvector_destroy(&names);
    igraph_vector_int_destroy(&types);
}

/* What we write, read by igraph. */
static void to_igraph_by(const ksda_i_format *row) {
    for (uint64_t seed = 0; seed < CASES; seed++) {
        ksda_network net;
        igraph_t h;
        ksda_i_output *out;
        char *text, name[256];
        size_t size;
        random_named_network(ctx, seed, (naming)(seed % 3), &net);
        assert_int_equal(ksda_i_output_memory(ctx, &out), KSDA_OK);
        assert_int_equal(row->write(ctx, net.graph, net.communities, out), KSDA_OK);
        assert_int_equal(ksda_i_output_take(out, &text, &size), KSDA_OK);
        FILE *f = fmemopen(text, size, "r");
        if (row == &ksda_i_format_graphml)
            assert_int_equal(igraph_read_graph_graphml(&h, f, 0), IGRAPH_SUCCESS);
        else
            assert_int_equal(igraph_read_graph_gml(&h, f), IGRAPH_SUCCESS);
        fclose(f);
        assert_same_shape(net.graph, &h);
        bool by_id = row == &ksda_i_format_graphml || seed % 3 == NAMING_RANGE;
        for (uint32_t v = 0; v < net.graph->n; v++) {
            ksda_graph_name(net.graph, v, name, sizeof name);
            if (by_id) assert_attribute(&h, "id", v, name);
            if (!by_id && seed % 3 == NAMING_NAMES) assert_attribute(&h, "label", v, name);
            ksda_communities_name(net.communities, net.communities->of[v], name, sizeof name);
            assert_attribute(&h, "community", v, name);
        }
        igraph_destroy(&h);
        ksda_i_free(ctx, text);
        ksda_network_clear(ctx, &net);
    }
}

static void igraph_reads_our_graphml(void **state) {
    (void)state;
    to_igraph_by(&ksda_i_format_graphml);
}

static void igraph_reads_our_gml(void **state) {
    (void)state;
    to_igraph_by(&ksda_i_format_gml);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_graphml_of_igraph),
        cmocka_unit_test(reads_gml_of_igraph),
        cmocka_unit_test(igraph_reads_our_graphml),
        cmocka_unit_test(igraph_reads_our_gml),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
