/* GraphML: what is read, what is refused and where, and that nothing is lost on the way out and in. */
#include "format_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROW (&ksda_i_format_graphml)
#define OPEN "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
#define CLOSE "</graphml>"

static void round_trips(void **state) {
    (void)state;
    assert_round_trips(ROW, 1500, false);
}

static void assert_community(const ksda_i_read *r, const char *vertex, const char *community) {
    uint32_t v = ksda_graph_find(r->graph, vertex, strlen(vertex));
    char name[64];
    assert_int_not_equal(v, KSDA_NO_VERTEX);
    if (!community) {
        assert_int_equal(r->community[v], KSDA_NO_VERTEX);
        return;
    }
    assert_int_not_equal(r->community[v], KSDA_NO_VERTEX);
    ksda_i_ids_name(&r->names, r->community[v], name, sizeof name);
    assert_string_equal(name, community);
}

static bool joined(const ksda_graph *g, const char *u, const char *v) {
    return ksda_graph_adjacent(g, ksda_graph_find(g, u, strlen(u)), ksda_graph_find(g, v, strlen(v)));
}

static void the_usual_file(void **state) {
    (void)state;
    ksda_i_read r =
        read_good(ROW,
                  "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- a comment -->\n" OPEN
                  "<key id=\"d0\" for=\"node\" attr.name=\"group\" attr.type=\"int\"/>\n"
                  "<key id=\"d1\" for=\"edge\" attr.name=\"group\" attr.type=\"int\"/>\n"
                  "<graph id=\"G\" edgedefault=\"directed\"><desc>ignored</desc>\n"
                  "<edge source=\"b\" target=\"\xe9&amp;\"><data key=\"d1\">5</data></edge>\n" /* before its nodes */
                  "<node id=\"b\"><data key=\"d0\"> \n7 </data><port name=\"p\"><port name=\"q\"/></port></node>\n"
                  "<node id=\"\xe9&amp;\"><data key=\"d9\">8</data></node>\n"
                  "<node id=\"lone\"><data key=\"d0\">a<![CDATA[<b]]>&#99;</data></node>\n"
                  "<edge source=\"\xe9&amp;\" target=\"b\" directed=\"true\"/><edge source=\"b\" target=\"b\"/>\n"
                  "</graph>" CLOSE,
                  "group");
    assert_int_equal(ksda_graph_vertices(r.graph), 3);
    assert_int_equal(ksda_graph_edges(r.graph), 1);
    assert_int_equal(ksda_graph_cleaning(r.graph)->self_loops, 1);
    assert_int_equal(ksda_graph_cleaning(r.graph)->duplicate_edges, 1);
    assert_true(joined(r.graph, "b", "\xc3\xa9&"));
    assert_community(&r, "b", "7");
    assert_community(&r, "\xc3\xa9&", NULL);
    assert_community(&r, "lone", "a<bc");
    ksda_i_read_clear(check_ctx, &r);
}

static void numbers_stay_numbers_only_if_all_are(void **state) {
    (void)state;
    ksda_i_read r = read_good(
        ROW,
        OPEN "<key id=\"c\" attr.name=\"c\"/><graph><node id=\"18446744073709551615\"><data key=\"c\">x</data>"
             "</node><node id=\"5\"/><edge source=\"5\" target=\"18446744073709551615\"/></graph>" CLOSE,
        "c");
    assert_int_equal(r.graph->ids.kind, KSDA_I_IDS_NUMBERS);
    assert_int_equal(ksda_graph_find(r.graph, "5", 1), 0); /* ascending */
    assert_community(&r, "18446744073709551615", "x");
    assert_community(&r, "5", NULL);
    ksda_i_read_clear(check_ctx, &r);
    r = read_good(ROW, "<graphml><graph><node id=\"5\"/><node id=\"05\"/></graph></graphml>", NULL);
    assert_int_equal(r.graph->ids.kind, KSDA_I_IDS_NAMES);
    assert_int_equal(ksda_graph_vertices(r.graph), 2);
    assert_null(r.community);
    ksda_i_read_clear(check_ctx, &r);
}

static void nested_graphs_and_other_namespaces(void **state) {
    (void)state;
    ksda_i_read r =
        read_good(ROW,
                  "<g:graphml xmlns:g=\"http://graphml.graphdrawing.org/xmlns\" xmlns:y=\"http://www.yworks.com/xml\">"
                  "<g:key id=\"d\" for=\"all\" attr.name=\"c\"/><g:graph><g:node id=\"a\"><g:data key=\"d\">1</g:data>"
                  "<g:graph><g:node id=\"b\"><g:data key=\"d\">2</g:data></g:node></g:graph></g:node>"
                  "<y:node id=\"no\"><g:node id=\"neither\"/></y:node>"
                  "<g:node id=\"c\"><g:data key=\"e\"><y:graph><y:node id=\"nor this\"/></y:graph></g:data></g:node>"
                  "<g:edge source=\"b\" target=\"c\"/></g:graph><g:data key=\"d\">9</g:data></g:graphml>",
                  "c");
    assert_int_equal(ksda_graph_vertices(r.graph), 3);
    assert_true(joined(r.graph, "b", "c"));
    assert_community(&r, "a", "1");
    assert_community(&r, "b", "2");
    assert_community(&r, "c", NULL);
    ksda_i_read_clear(check_ctx, &r);
}

static void keys_by_name_by_id_and_their_defaults(void **state) {
    (void)state;
    ksda_i_read r = read_good(
        ROW,
        OPEN "<key id=\"c\" for=\"node\"><default>wrong</default></key>"
             "<key id=\"k\" for=\"node\" attr.name=\"c\"><desc/><default> usual </default></key><graph>"
             "<node id=\"a\"><data key=\"k\">own</data><data key=\"c\">no</data></node><node id=\"b\"/></graph>" CLOSE,
        "c");
    assert_community(&r, "a", "own");
    assert_community(&r, "b", "usual");
    ksda_i_read_clear(check_ctx, &r);
    r = read_good(
        ROW, OPEN "<key id=\"c\" for=\"node\"/><graph><node id=\"a\"><data key=\"c\">own</data></node></graph>" CLOSE,
        "c");
    assert_community(&r, "a", "own");
    ksda_i_read_clear(check_ctx, &r);
}

static void refused_with_their_place(void **state) {
    static const bad_text bad[] = {
        {"", 1, 1, "no element found"},
        {"a b\n", 1, 1, "not well-formed XML"},
        {OPEN "\n<graph>\n  <node id=\"a\"></nod>", 3, 18, "mismatched tag"},
        {OPEN "\n<graph>\n  <node id=\"a\">", 3, 16, "not well-formed XML: no element found"},
        {OPEN "<graph/>" CLOSE "x", 1, 74, "junk after document element"},
        {"<?xml version=\"1.0\"?>\n<gexf/>", 2, 1, "expected the element 'graphml', not 'gexf'"},
        {"<graphml xmlns=\"urn:other\"/>", 1, 1, "expected the element 'graphml', not 'graphml'"},
        {OPEN CLOSE, 1, 66, "the file has no <graph>"},
        {OPEN "\n<graph/>\n <graph/>" CLOSE, 3, 2, "a second <graph>"},
        {OPEN "\n<graph><node/></graph>" CLOSE, 2, 8, "a <node> needs an id"},
        {OPEN "\n<graph><node id=\"\"/></graph>" CLOSE, 2, 8, "a <node> needs an id"},
        {OPEN "\n<graph><node id=\"a\"/>\n<node id=\"a\"/></graph>" CLOSE, 3, 1, "vertex 'a' is declared twice"},
        {OPEN "\n<graph><node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/></graph>" CLOSE, 3, 1,
         "vertex 'b', which is never declared"},
        {OPEN "\n<graph>\n <edge source=\"x\" target=\"b\"/><node id=\"b\"/></graph>" CLOSE, 3, 2,
         "vertex 'x', which is never declared"},
        {OPEN "\n<graph><node id=\"a\"/><edge source=\"a\"/></graph>" CLOSE, 2, 22, "an <edge> needs a target"},
        {OPEN "\n<graph><node id=\"a\"/><edge target=\"a\"/></graph>" CLOSE, 2, 22, "an <edge> needs a source"},
        {OPEN "\n<graph>\n<hyperedge/></graph>" CLOSE, 3, 1, "hyperedges are not supported"},
        {OPEN "<graph><node id=\"&nbsp;\"/></graph>" CLOSE, 1, 63, "undefined entity"},
        {OPEN "<graph><node id=\"a\xff\"/></graph>" CLOSE, 1, 74, "not well-formed XML"},
        {"<!DOCTYPE graphml SYSTEM \"http://example.com/graphml.dtd\">" OPEN "<graph/>" CLOSE, 1, 58,
         "document type declaration"},
        {"<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n <!ENTITY lol \"lol\">\n <!ENTITY lol2 "
         "\"&lol;&lol;&lol;&lol;&lol;\">\n"
         " <!ENTITY lol3 \"&lol2;&lol2;&lol2;&lol2;\">\n]>\n" OPEN "<graph><node id=\"&lol3;\"/></graph>" CLOSE,
         2, 16, "document type declaration"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_refused(ROW, NULL, KSDA_PARSE, &bad[i]);
    assert_refused(ROW, "c", KSDA_INVALID, &(bad_text){OPEN "<graph/>" CLOSE, 0, 0, "no node attribute is called 'c'"});
    assert_refused(
        ROW, "c", KSDA_INVALID,
        &(bad_text){OPEN "<key id=\"k\" for=\"edge\" attr.name=\"c\"/><graph/>" CLOSE, 0, 0, "no node attribute"});
    assert_refused(ROW, "c", KSDA_PARSE,
                   &(bad_text){OPEN "<key id=\"c\"/><graph>\n<node id=\"a\"><data key=\"c\">1</data><data "
                                    "key=\"c\">2</data></node></graph>" CLOSE,
                               2, 51, "a second value of 'c'"});
}

static void deep_nesting_is_refused(void **state) {
    char *text = malloc(1 << 20);
    ksda_i_read r;
    (void)state;
    for (int levels = 10; levels <= 10000; levels *= 10) {
        int used = sprintf(text, OPEN "<graph>");
        for (int i = 0; i < levels; i++) used += sprintf(text + used, "<node id=\"%d\"><graph>", i);
        for (int i = 0; i < levels; i++) used += sprintf(text + used, "</graph></node>");
        used += sprintf(text + used, "</graph>" CLOSE);
        ksda_status status = read_text(check_ctx, ROW, text, (size_t)used, NULL, &r);
        assert_int_equal(status, levels <= 60 ? KSDA_OK : KSDA_PARSE);
        if (status < 0) assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "nested deeper than 128"));
        ksda_i_read_clear(check_ctx, &r);
    }
    free(text);
}

static void names_xml_cannot_carry_are_not_written(void **state) {
    static const struct {
        const char *name;
        bool good;
    } cases[] = {{"a\tb\nc\rd", true}, {"a\x01", false},        {"\x7f", true},          {"\xff", false},
                 {"\xc0\x80", false},  {"\xed\xa0\x80", false}, {"\xef\xbf\xbf", false}, {"\xef\xbf\xbd", true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_graph *g;
        ksda_i_output *out;
        uint32_t item;
        assert_int_equal(ksda_graph_from_edges(check_ctx, 1, 0, NULL, &g), KSDA_OK);
        ksda_i_ids_names(&g->ids);
        assert_int_equal(ksda_i_ids_intern(check_ctx, &g->ids, cases[i].name, strlen(cases[i].name), &item), KSDA_OK);
        if (cases[i].good) {
            assert_round_trip(check_ctx, ROW, g, NULL, false);
        } else {
            assert_int_equal(ksda_i_output_memory(check_ctx, &out), KSDA_OK);
            assert_int_equal(ROW->write(check_ctx, g, NULL, out), KSDA_UNSUPPORTED);
            assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "XML cannot carry"));
            ksda_i_output_abandon(out);
        }
        ksda_graph_free(check_ctx, g);
    }
}

static void it_tells_itself(void **state) {
    (void)state;
    assert_true(ROW->sniff(" \n<?xml version", 15));
    assert_true(ROW->sniff(OPEN, 20));
    assert_false(ROW->sniff("<a> <b>\n", 8));
    assert_false(ROW->sniff("", 0));
}

static void every_allocation_may_fail(void **state) {
    static const char text[] = OPEN
        "<key id=\"k\" attr.name=\"c\"><default>0</default></key><graph><node id=\"a\"><data key=\"k\">1</data></node>"
        "<node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph>" CLOSE;
    (void)state;
    assert_survives_failing_allocations(ROW, text, NULL);
    assert_survives_failing_allocations(ROW, text, "c");
    assert_survives_failing_allocations(
        ROW, OPEN "<graph><node id=\"3\"/><node id=\"1\"/><edge source=\"1\" target=\"3\"/></graph>" CLOSE, NULL);
}

static void it_can_be_interrupted(void **state) {
    (void)state;
    assert_interruptible(ROW, OPEN "<graph><node id=\"a\"/></graph>" CLOSE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(the_usual_file),
        cmocka_unit_test(numbers_stay_numbers_only_if_all_are),
        cmocka_unit_test(nested_graphs_and_other_namespaces),
        cmocka_unit_test(keys_by_name_by_id_and_their_defaults),
        cmocka_unit_test(refused_with_their_place),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(names_xml_cannot_carry_are_not_written),
        cmocka_unit_test(it_tells_itself),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
