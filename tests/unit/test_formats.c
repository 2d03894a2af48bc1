/* GEXF, node-link JSON, Pajek with its partitions, DL, DIMACS, LGL: round trips, what is refused and where, names from
 * attributes, other encodings. */
#include "format_check.h"
#include "io/encoding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *name_of(const ksda_i_ids *ids, uint32_t item) {
    static char name[256];
    if (item == KSDA_NO_VERTEX) return "none";
    ksda_i_ids_name(ids, item, name, sizeof name);
    return name;
}

static void round_trips(void **state) {
    (void)state;
    assert_round_trips(&ksda_i_format_gexf, 300, false);
    assert_round_trips(&ksda_i_format_json, 300, false);
    for (uint64_t seed = 0; seed < 300; seed++) { /* Pajek has no place for communities */
        ksda_network net;
        random_named_network(check_ctx, seed, (naming)(seed % 3), &net);
        assert_round_trip(check_ctx, &ksda_i_format_pajek, net.graph, NULL, false);
        ksda_network_clear(check_ctx, &net);
    }
}

/* A text that is read as so many vertices and edges, the first vertex called so. */
typedef struct good_text {
    const ksda_i_format *row;
    const char *text;
    uint32_t n, m;
    const char *first;
} good_text;

static void what_is_read(void **state) {
    static const good_text good[] = {
        {&ksda_i_format_json, "{\"nodes\": [{\"id\": 7}, {\"id\": 2}], \"edges\": [{\"source\": 7, \"target\": 2}]}", 2,
         1, "2"},
        {&ksda_i_format_json, "{\"links\": [{\"target\": 1, \"source\": 0}], \"nodes\": [{\"name\": \"a\"}, {}]}", 2, 1,
         "0"},
        {&ksda_i_format_pajek, "*Vertices 3\n1 \"a \\\"b\\\"\"\n2 c 0.1 ic Red\n3 d\n*Edgeslist\n1 2 3\n*Arcs\n2 1 5\n",
         3, 2, "a \"b\""},
        {&ksda_i_format_pajek, "%c\n*Network x\n*Vertices 2\n*Arcs :1 \"r\"\n1 2\n1 1\n", 2, 1, "1"},
        {&ksda_i_format_dl, "DL n=3, format = edgelist1\nlabels:\na,\"b c\",d\ndata:\n1 2\n2 3 0.5\n", 3, 2, "a"},
        {&ksda_i_format_dl, "dl n=2\nlabels embedded\ndata:\n  x y\nx 0 1\ny 1 0.0\n", 2, 1, "x"},
        {&ksda_i_format_dl, "dl n=4 format=nodelist1 data:\n1 2 3\n", 4, 2, "1"},
        {&ksda_i_format_dl, "dl n=3 format=edgelist1 labels embedded data:\na b\n", 3, 1, "a"},
        {&ksda_i_format_dimacs, "c x\np edge 4 9\ne 1 2\ne 2 1\na 3 1 7\n", 4, 2, "1"},
        {&ksda_i_format_lgl, "# a\nb 0.5\nc\n# d\n", 4, 2, "a"},
        {&ksda_i_format_ncol, "# a\n# b 2\n", 3, 2, "#"},
        {&ksda_i_format_gexf,
         "<gexf><graph><nodes><node id='a'><nodes><node id='b'/></nodes></node></nodes><edges><edge source='b' "
         "target='a'/></edges></graph></gexf>",
         2, 1, "a"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ksda_i_read r = read_good(good[i].row, good[i].text, NULL);
        if (r.graph->n != good[i].n || r.graph->m != good[i].m || strcmp(name_of(&r.graph->ids, 0), good[i].first) != 0)
            fail_msg("%s: %u vertices, %llu edges, %s", good[i].text, r.graph->n, (unsigned long long)r.graph->m,
                     name_of(&r.graph->ids, 0));
        ksda_i_read_clear(check_ctx, &r);
        bool few = good[i].row == &ksda_i_format_lgl; /* too few lines to be sure */
        if (good[i].row->sniff && !few) assert_true(good[i].row->sniff(good[i].text, strlen(good[i].text)));
        assert_survives_failing_allocations(good[i].row, good[i].text, NULL);
        assert_interruptible(good[i].row, good[i].text);
    }
}

static void refused_with_their_place(void **state) {
    static const struct {
        const ksda_i_format *row;
        bad_text bad;
    } cases[] = {
        {&ksda_i_format_json, {"{\"nodes\": [\n{\"id\": 1}]}", 2, 12, "no list of links"}},
        {&ksda_i_format_json, {"{\"nodes\": [{\"id\": [1]}], \"links\": []}", 1, 19, "expected a number or a string"}},
        {&ksda_i_format_json, {"{\"nodes\": [{\"id\": 1}, {\"id\": \"1\"}]", 1, 30, "declared twice"}},
        {&ksda_i_format_json,
         {"{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 2}]}", 1, 58, "never declared"}},
        {&ksda_i_format_json, {"{\"nodes\": [{\"id\": \"\\ud800\"}]}", 1, 20, "not an escape"}},
        {&ksda_i_format_pajek, {"*Vertices 2\n*Matrix\n0 1\n1 0\n", 2, 1, "*Matrix is not read"}},
        {&ksda_i_format_pajek, {"*Vertices 2\n*Edges\n1 3\n", 3, 3, "expected a vertex from 1 to 2"}},
        {&ksda_i_format_pajek, {"*Vertices 1\n*Partition x\n", 2, 1, "save the network (.net)"}},
        {&ksda_i_format_pajek, {"*Vertices 4000000000\n", 1, 11, "hardly a graph"}},
        {&ksda_i_format_pajek, {"*Vertices 1\n1 \"\xe9\"\n", 2, 4, "--encoding"}},
        {&ksda_i_format_dl, {"dl nr=2 nc=3\ndata:\n", 1, 4, "two-mode"}},
        {&ksda_i_format_dl, {"dl n=2\ndata:\n0 1 1\n", 4, 1, "expected a label or a number"}},
        {&ksda_i_format_dimacs, {"p edge 2 1\ne 1 3\n", 2, 5, "expected a vertex from 1 to 2"}},
        {&ksda_i_format_lgl, {"a\n# b\n", 1, 1, "expected a line '# name' first"}},
        {&ksda_i_format_gexf, {"<graphml/>", 1, 1, "expected the element 'gexf'"}},
        {&ksda_i_format_gexf, {"<gexf><graph/><graph/></gexf>", 1, 15, "a second <graph>"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i].row, NULL, KSDA_PARSE, &cases[i].bad);
}

/* --- from files ----------------------------------------------------------------------------------------------------
 */

static const char *save(const char *name, const char *text, size_t size) {
    static char path[4][64];
    static unsigned next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "formats-%s", name);
    FILE *f = fopen(p, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
    return p;
}

static ksda_status load(const char *name, const char *text, size_t size, const ksda_load_options *o,
                        ksda_network *net) {
    *net = (ksda_network)KSDA_INIT(ksda_network);
    return ksda_load(check_ctx, save(name, text, size), o, net);
}

static void vertices_are_called_by_an_attribute(void **state) {
    static const char *const texts[][2] = {
        {"n.gexf",
         "<gexf><graph><nodes><node id='n0' label='Anna'/><node id='n1' label='Carl'/></nodes></graph></gexf>"},
        {"n.graphml", "<graphml><key id='d0' for='node' attr.name='label'/><graph><node id='n0'><data key='d0'>Anna"
                      "</data></node><node id='n1'><data key='d0'>Carl</data></node></graph></graphml>"},
        {"n.json", "{\"nodes\": [{\"id\": 0, \"label\": \"Anna\"}, {\"id\": 1, \"label\": \"Carl\"}], \"links\": []}"},
        {"n.gml", "graph [ node [ id 0 label \"Anna\" ] node [ id 1 label \"Carl\" ] ]"},
        {"n.net", "*Vertices 2\n1 Anna\n2 Carl\n"},
    };
    ksda_load_options o;
    ksda_network net;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ksda_load_options_init(&o);
        o.name_attribute = "label";
        if (load(texts[i][0], texts[i][1], strlen(texts[i][1]), &o, &net) < 0)
            fail_msg("%s: %s", texts[i][0], ksda_ctx_error(check_ctx)->message);
        assert_int_equal(ksda_graph_find(net.graph, "Anna", 4), 0);
        assert_int_equal(ksda_graph_find(net.graph, "Carl", 4), 1);
        ksda_network_clear(check_ctx, &net);
        o.name_attribute = "nmae"; /* what there is, is told */
        assert_int_equal(load(texts[i][0], texts[i][1], strlen(texts[i][1]), &o, &net), KSDA_INVALID);
        assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "'label'"));
    }
    ksda_load_options_init(&o);
    o.name_attribute = "x";
    static const char same[] = "{\"nodes\": [{\"id\": 0, \"x\": 1}, {\"id\": 1, \"x\": 1}], \"links\": []}";
    assert_int_equal(load("n.json", same, sizeof same - 1, &o, &net), KSDA_PARSE);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "have the same 'x'"));
    static const char none[] = "{\"nodes\": [{\"id\": 0, \"x\": 1}, {\"id\": 1}], \"links\": []}";
    assert_int_equal(load("n.json", none, sizeof none - 1, &o, &net), KSDA_PARSE);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "has no 'x'"));
}

static void partitions_follow_the_order_of_the_file(void **state) {
    static const char graph[] = "*Vertices 3\n1 \"30\"\n2 \"4\"\n3 \"5\"\n*Edges\n1 2\n",
                      clu[] = "*Vertices 3\n7\n8\n9\n";
    ksda_load_options o;
    ksda_network net;
    (void)state;
    ksda_load_options_init(&o);
    o.communities = save("p.clu", clu, sizeof clu - 1);
    assert_int_equal(load("p.net", graph, sizeof graph - 1, &o, &net), KSDA_OK);
    uint32_t v = ksda_graph_find(net.graph, "30", 2);
    assert_int_equal(v, 2); /* numbers ascend, so it stands last; but it is the first of the file */
    assert_string_equal(name_of(&net.communities->names, net.communities->of[v]), "7");
    ksda_network_clear(check_ctx, &net);
    assert_int_equal(load("p.edges", "1 2\n2 3\n", 8, &o, &net), KSDA_PARSE);
}

static void other_encodings(void **state) {
    static const struct {
        const char *encoding, *text;
        size_t size;
        ksda_status status;
    } cases[] = {
        {"latin-1", "a,\xe9\n", 4, KSDA_OK},
        {"windows-1252", "a,\xe9\n", 4, KSDA_OK},
        {"utf-16",
         "\xff\xfe"
         "a\0,\0\xe9\0\n\0",
         10, KSDA_OK},
        {"utf-16", "\xfe\xff\0a\0,\0\xe9\0\n", 10, KSDA_OK},
        {"latin-1",
         "\xef\xbb\xbf"
         "a,\xc3\xa9\n",
         8, KSDA_OK}, /* surely UTF-8 */
        {"utf-8", "a,\xe9\n", 4, KSDA_PARSE},
        {"windows-1252", "a,\x81\n", 4, KSDA_PARSE},
        {"utf-16", "a,b\n", 4, KSDA_PARSE},
        {"utf-16",
         "\xff\xfe"
         "a\0,\0\0\xd8\n\0",
         10, KSDA_PARSE},
        {"utf-16",
         "\xff\xfe"
         "a\0,\0b",
         7, KSDA_PARSE},
        {"ebcdic", "a,b\n", 4, KSDA_INVALID},
    };
    ksda_load_options o;
    ksda_network net;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_load_options_init(&o);
        o.encoding = cases[i].encoding;
        ksda_status status = load("e.csv", cases[i].text, cases[i].size, &o, &net);
        if (status != cases[i].status) fail_msg("case %zu: %s", i, ksda_ctx_error(check_ctx)->message);
        if (status >= 0) assert_int_equal(ksda_graph_find(net.graph, "\xc3\xa9", 2), 1);
        ksda_network_clear(check_ctx, &net);
    }
}

/* Whatever pieces a text comes in, it becomes the same. */
static void pieces_do_not_matter(void **state) {
    static const char text[] = "\xff\xfe"
                               "a\0\xac\x20\x3c\xd8\x0d\xdf\n\0",
                      expected[] = "a\xe2\x82\xac\xf0\x9f\x8c\x8d\n";
    (void)state;
    for (size_t cut = 4; cut < sizeof text - 1; cut++) {
        ksda_i_recoder r = {.encoding = KSDA_I_UTF_16};
        char out[3][64];
        size_t used[3];
        assert_int_equal(ksda_i_recode(check_ctx, &r, "t", text, cut, out[0], &used[0]), KSDA_OK);
        assert_int_equal(ksda_i_recode(check_ctx, &r, "t", text + cut, sizeof text - 1 - cut, out[1], &used[1]),
                         KSDA_OK);
        assert_int_equal(ksda_i_recode(check_ctx, &r, "t", "", 0, out[2], &used[2]), KSDA_OK);
        assert_int_equal(used[0] + used[1], sizeof expected - 1);
        assert_memory_equal(out[0], expected, used[0]);
        assert_memory_equal(out[1], expected + used[0], used[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(what_is_read),
        cmocka_unit_test(refused_with_their_place),
        cmocka_unit_test(vertices_are_called_by_an_attribute),
        cmocka_unit_test(partitions_follow_the_order_of_the_file),
        cmocka_unit_test(other_encodings),
        cmocka_unit_test(pieces_do_not_matter),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
