/* GML: tokens, names, what is refused and where, and that nothing is lost on the way out and in. */
#include "format_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROW (&ksda_i_format_gml)

static void round_trips(void **state) {
    (void)state;
    assert_round_trips(ROW, 1500, false);
}

static const char *name_of(const ksda_i_ids *ids, uint32_t item) {
    static char name[256];
    if (item == KSDA_NO_VERTEX) return "none";
    ksda_i_ids_name(ids, item, name, sizeof name);
    return name;
}

static void the_usual_file(void **state) {
    (void)state;
    ksda_i_read r = read_good(ROW,
                              "Creator \"somebody on a # day\"\nVersion 1\n# a comment\ngraph\n[\n  directed 1\n"
                              "  edge [ source 2 target -1 weight 0.5 ]\n" /* before its nodes */
                              "  node [ graphics [ x 1.5 y -2e3 list [ deep [ ] ] ] value 3 id 2 ]\n"
                              "  node [ id -1 value \"a&quot;b\" ] node[id 30 value -.5]\n"
                              "  Edge [ TARGET 02 Source -01 ]#comment\n  edge [ source 30 target +30 ]\n]\n# end",
                              "value");
    assert_int_equal(ksda_graph_vertices(r.graph), 3);
    assert_int_equal(ksda_graph_edges(r.graph), 1);
    assert_int_equal(ksda_graph_cleaning(r.graph)->self_loops, 1);
    assert_int_equal(ksda_graph_cleaning(r.graph)->duplicate_edges, 1);
    assert_int_equal(ksda_graph_find(r.graph, "2", 1), 0); /* by first mention, since -1 is no number */
    assert_int_equal(ksda_graph_find(r.graph, "-1", 2), 1);
    assert_string_equal(name_of(&r.names, r.community[0]), "3");
    assert_string_equal(name_of(&r.names, r.community[1]), "a\"b");
    assert_string_equal(name_of(&r.names, r.community[2]), "-.5");
    ksda_i_read_clear(check_ctx, &r);
}

static void labels_are_names_if_all_have_their_own(void **state) {
    static const struct {
        const char *nodes, *first, *second;
    } cases[] = {
        {"node [ id 1 label \"x\" ] node [ id 0 label \"y\" ]", "x", "y"},
        {"node [ id 1 label \"x\" ] node [ id 0 label \"x\" ]", "0", "1"},
        {"node [ id 1 label \"x\" ] node [ id 0 ]", "0", "1"},
        {"node [ id 1 label \"x\" ] node [ id 0 label \"\" ]", "0", "1"},
        {"node [ id 1 label [ a 1 ] ] node [ id 0 label \"x\" ]", "0", "1"},
        {"node [ id 1 label \"9\" ] node [ id 0 label 8 ]", "8", "9"},
        {"node [ id 1 label \"x y\" ] node [ id 0 label 8 ]", "x y", "8"},
        {"edge [ source 0 target 1 ] node [ id 1 label \"x\" ] node [ id 0 label \"y\" ]", "y", "x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "graph [ %s ]", cases[i].nodes);
        ksda_i_read r = read_good(ROW, text, NULL);
        assert_int_equal(ksda_graph_vertices(r.graph), 2);
        assert_string_equal(name_of(&r.graph->ids, 0), cases[i].first);
        assert_string_equal(name_of(&r.graph->ids, 1), cases[i].second);
        ksda_i_read_clear(check_ctx, &r);
    }
}

static void entities(void **state) {
    static const char *const pairs[][2] = {
        {"&quot;&amp;&lt;&gt;&apos;", "\"&<>'"},
        {"&#233;&#xE9;&#X1f30d;", "\xc3\xa9\xc3\xa9\xf0\x9f\x8c\x8d"},
        {"&eacute;", "&eacute;"},
        {"&", "&"},
        {"&#;&#x;&#", "&#;&#x;&#"},
        {"&#0;&#xd800;&#x110000;&#99999999999;", "&#0;&#xd800;&#x110000;&#99999999999;"},
        {"&#12", "&#12"},
        {"two\nlines", "two\nlines"},
        {"&#10;", "\n"},
        {"\xe6\xbc\xa2", "\xe6\xbc\xa2"},
        {"back\\slash", "back\\slash"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[256];
        snprintf(text, sizeof text, "graph [ node [ id 1 label \"%s\" ] ]", pairs[i][0]);
        ksda_i_read r = read_good(ROW, text, NULL);
        assert_string_equal(name_of(&r.graph->ids, 0), pairs[i][1]);
        assert_round_trip(check_ctx, ROW, r.graph, NULL, false);
        ksda_i_read_clear(check_ctx, &r);
    }
}

static void refused_with_their_place(void **state) {
    static const bad_text bad[] = {
        {"", 1, 1, "the file has no graph"},
        {"Version 1\n", 2, 1, "the file has no graph"},
        {"1 2\n", 1, 1, "expected a key, not '1'"},
        {"{}", 1, 1, "not '{}'"},
        {"\x7f\x45\x4c\x46", 1, 1, "not '\\x7fELF'"},
        {"graph\n", 2, 1, "expected the value of 'graph', not the end of the file"},
        {"graph [", 1, 8, "expected a key or ], not the end of the file"},
        {"graph 5", 1, 7, "expected [ after graph"},
        {"graph [ ]\n]", 2, 1, "expected a key, not ']'"},
        {"graph [ ]\n graph [ ]", 2, 2, "a second graph"},
        {"graph [\n node 5 ]", 2, 7, "expected [ after node"},
        {"graph [\n edge \"x\" ]", 2, 7, "expected [ after edge"},
        {"graph [\n node [ ] ]", 2, 2, "a node without an id"},
        {"graph [\n node [ id 1 id 2 ] ]", 2, 14, "'id' is given twice"},
        {"graph [\n node [ id 1 label 1 label 2 ] ]", 2, 22, "'label' is given twice"},
        {"graph [\n node [ id 1.5 ] ]", 2, 12, "expected an integer as id, not '1.5'"},
        {"graph [\n node [ id \"a\" ] ]", 2, 12, "expected an integer as id"},
        {"graph [\n node [ id 1 ]\n node [ id 01 ] ]", 3, 12, "vertex '1' is declared twice"},
        {"graph [\n node [ id 1 ]\n edge [ source 1 target 2 ] ]", 3, 25, "vertex '2', which is never declared"},
        {"graph [\n edge [ source -5 target 1 ]\n node [ id 1 ] ]", 2, 16, "vertex '-5', which is never declared"},
        {"graph [\n node [ id 1 ]\n edge [ source 1 ] ]", 3, 2, "an edge without a target"},
        {"graph [\n node [ id 1 ]\n edge [ target 1 ] ]", 3, 2, "an edge without a source"},
        {"graph [\n node [ id 1 ]\n edge [ target 1 target 1 ] ]", 3, 18, "'target' is given twice"},
        {"graph [\n node [ id 1 ]\n edge [ target x ] ]", 3, 16, "expected the value of 'target', not another word"},
        {"graph [\n node [ id 1 graph [ ] ] ]", 2, 14, "a graph inside a node is not supported"},
        {"graph [\n node [ id 1x ] ]", 2, 12, "expected a number, not '1x'"},
        {"graph [\n node [ id - ] ]", 2, 12, "expected a number, not '-'"},
        {"graph [\n node [ id ] ]", 2, 12, "expected the value of 'id', not ]"},
        {"graph [\n node [ id 1 label \"x ] ]", 2, 20, "a string that never ends"},
        {"graph [\n node [ id 1 label \"x\xff\" ] ]", 2, 22, "byte 0xff in a string; expected UTF-8"},
        {"graph [\n node [ id 1 @ 2 ] ]", 2, 14, "not '@'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_refused(ROW, NULL, KSDA_PARSE, &bad[i]);
    assert_refused(ROW, "c", KSDA_INVALID,
                   &(bad_text){"graph [ node [ id 1 C 2 ] ]", 0, 0, "no node attribute is called 'c'"});
    assert_refused(ROW, "c", KSDA_PARSE,
                   &(bad_text){"graph [ node [ id 1\n c [ ] ] ]", 2, 4, "a number or a string as 'c', not a list"});
    assert_refused(ROW, "c", KSDA_PARSE, &(bad_text){"graph [ node [ id 1\n c 1 c 2 ] ]", 2, 6, "'c' is given twice"});
    ksda_i_read r;
    assert_int_equal(read_text(check_ctx, ROW, "graph [ node [ id 1 label \"\0\" ] ]", 33, NULL, &r), KSDA_PARSE);
    assert_int_equal(ksda_ctx_error(check_ctx)->column, 28);
}

static void deep_nesting_is_refused(void **state) {
    char *text = malloc(1 << 20);
    ksda_i_read r;
    (void)state;
    for (int levels = 10; levels <= 100000; levels *= 10) {
        int used = sprintf(text, "graph [ ");
        for (int i = 0; i < levels; i++) used += sprintf(text + used, "a [ ");
        for (int i = 0; i < levels; i++) used += sprintf(text + used, "] ");
        used += sprintf(text + used, "]");
        ksda_status status = read_text(check_ctx, ROW, text, (size_t)used, NULL, &r);
        assert_int_equal(status, levels <= 100 ? KSDA_OK : KSDA_PARSE);
        ksda_i_read_clear(check_ctx, &r);
    }
    free(text);
}

static void it_tells_itself(void **state) {
    static const char *const yes[] = {"graph [", "graph\n[", "# c\nCreator \"x\"\nVersion 1\n graph [",
                                      "Creator x\n\ngraph ["};
    static const char *const no[] = {"", "graph", "graph x\n", "1 2\n", "# c\n1 2\n", "a b\n", "#"};
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) assert_true(ROW->sniff(yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(ROW->sniff(no[i], strlen(no[i])));
}

static void every_allocation_may_fail(void **state) {
    static const char text[] =
        "graph [ node [ id 1 label \"a&amp;\" c 5 ] node [ id 2 label \"b\" c \"x\" ] edge [ source 1 target 2 ] ]";
    (void)state;
    assert_survives_failing_allocations(ROW, text, NULL);
    assert_survives_failing_allocations(ROW, text, "c");
    assert_survives_failing_allocations(ROW, "graph [ node [ id 7 ] node [ id 2 ] edge [ source 7 target 2 ] ]", NULL);
}

static void it_can_be_interrupted(void **state) {
    (void)state;
    assert_interruptible(ROW, "graph [ node [ id 1 ] ]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(the_usual_file),
        cmocka_unit_test(labels_are_names_if_all_have_their_own),
        cmocka_unit_test(entities),
        cmocka_unit_test(refused_with_their_place),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(it_tells_itself),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
