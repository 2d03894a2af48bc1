/* Whole networks: the format is found, communities are read, vertices are settled; maps; the networks of the data
 * folder. */
#include "context.h"
#include "failing_memory.h"
#include "format_check.h"
#include "random_graph.h"

#include <ksda/ksda.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/ksda-load-XXXXXX";

static const char *file(const char *name) { /* the last four results stay valid */
    static char path[4][128];
    static unsigned turn;
    char *p = path[turn++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static const char *save(const char *name, const char *text) {
    const char *path = file(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state) {
    char command[160];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0;
}

/* "name=community" of all vertices in order, with blanks between. */
static const char *told(const ksda_network *net) {
    static char all[2000];
    size_t at = 0;
    all[0] = '\0';
    for (uint32_t v = 0; v < ksda_graph_vertices(net->graph); v++) {
        at += (size_t)snprintf(all + at, sizeof all - at, "%s", v ? " " : "");
        at += ksda_graph_name(net->graph, v, all + at, sizeof all - at);
        at += (size_t)snprintf(all + at, sizeof all - at, "=");
        at += ksda_communities_name(net->communities, ksda_communities_of(net->communities, v), all + at,
                                    sizeof all - at);
    }
    return all;
}

/* --- communities files ------------------------------------------------------------------------------------------- */

typedef struct good {
    const char *edges, *communities;
    ksda_unassigned unassigned;
    const char *told;  /* vertices in order with their communities */
    const char *order; /* the communities in order */
    uint32_t extra, unassigned_count;
} good;

static const good goods[] = {
    {"2 1\n", "1 5\n2 4\n", 0, "1=5 2=4", "4 5", 0, 0},
    {"2 1\n", "1 b\n2 a\n", 0, "1=b 2=a", "b a", 0, 0},
    {"2 1\n", "1\t10\r\n# c\n\n2\t9", 0, "1=10 2=9", "9 10", 0, 0},
    {"2 1\n", "1 x\n1 x\n2 x\n", 0, "1=x 2=x", "x", 0, 0},
    {"2 1\n", "9 1\n1 1\n2 2\n7 3\n", 0, "1=1 2=2 7=3 9=1", "1 2 3", 2, 0},
    {"2 1\n", "z 1\n1 1\n2 2\n7 3\n", 0, "1=1 2=2 z=1 7=3", "1 2 3", 2, 0},
    {"b a\n", "9 1\na 1\nb 2\n", 0, "b=2 a=1 9=1", "1 2", 1, 0},
    {"1 2\n2 3\n3 4\n", "1 7\n3 5\n", KSDA_UNASSIGNED_OWN, "1=7 2=8 3=5 4=9", "5 7 8 9", 0, 2},
    {"1 2\n2 3\n3 4\n", "1 7\n3 5\n", KSDA_UNASSIGNED_TOGETHER, "1=7 2=8 3=5 4=8", "5 7 8", 0, 2},
    {"1 2\n2 3\n", "1 a\n", KSDA_UNASSIGNED_TOGETHER, "1=a 2=unassigned-1 3=unassigned-1", "a unassigned-1", 0, 2},
    {"1 2\n2 3\n", "1 18446744073709551615\n", KSDA_UNASSIGNED_TOGETHER,
     "1=18446744073709551615 2=unassigned-1 3=unassigned-1", "18446744073709551615 unassigned-1", 0, 2},
    {"1 2\n2 3\n3 4\n", "1 2 3\n4\n", 0, "1=0 2=0 3=0 4=1", "0 1", 0, 0}, /* SNAP's lists */
    {"1 2\n2 3\n3 4\n", "4\n# x\n1\t2\t3\n", 0, "1=1 2=1 3=1 4=0", "0 1", 0, 0},
    {"1 2\n2 3\n", "1 2 8\n", KSDA_UNASSIGNED_OWN, "1=0 2=0 3=1 8=0", "0 1", 1, 1},
    {"1 2\n", "vertex community\n1 3\n2 3\n", 0, "1=3 2=3", "3", 0, 0},
    {"1 2\n", "vertex,community\n1,3\n2,3\n", 0, "1=3 2=3", "3", 0, 0},
    {"1 2\n", "name;dept;group\n1;\"R, D\";x\n2;y;z\n", 0, NULL, NULL, 0, 0}, /* three columns: see refused */
    {"1 2\n", "id,dept\n1,\"R, \"\"D\"\"\"\n2,x\n", 0, "1=R, \"D\" 2=x", "R, \"D\" x", 0, 0},
    {"1 2\n", "1\tthe one\n2\tthe other\n", 0, "1=the one 2=the other", "the one the other", 0, 0},
};

static void communities_as_they_come(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        const good *g = &goods[i];
        ksda_load_options o;
        ksda_network net = KSDA_INIT(ksda_network);
        char order[200] = "";
        ksda_load_options_init(&o);
        o.communities = save("c", g->communities);
        o.unassigned = g->unassigned;
        ksda_status status = ksda_load(ctx, save("g", g->edges), &o, &net);
        if (!g->told) {
            assert_int_equal(status, KSDA_PARSE);
            continue;
        }
        if (status < 0) fail_msg("%s\nin\n%s", ksda_ctx_error(ctx)->message, g->communities);
        assert_string_equal(told(&net), g->told);
        for (uint32_t c = 0; c < ksda_communities_count(net.communities); c++) {
            if (c) strcat(order, " ");
            ksda_communities_name(net.communities, c, order + strlen(order), 60);
        }
        assert_string_equal(order, g->order);
        assert_int_equal(net.only_in_communities, g->extra);
        assert_int_equal(net.unassigned, g->unassigned_count);
        for (uint32_t v = 0; v < net.graph->n; v++) { /* look-up works for all, also for those appended */
            char name[64];
            assert_int_equal(ksda_graph_find(net.graph, name, ksda_graph_name(net.graph, v, name, sizeof name)), v);
        }
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

typedef struct bad {
    const char *graph, *edges, *communities;
    ksda_communities_format format;
    uint64_t line, column;
    const char *message;
} bad;

static const bad bads[] = {
    {"g", "1 2\n", "", 0, 0, 0, "no communities"},
    {"g", "1 2\n", "1 1\n", 0, 0, 0, "1 of 2 vertices has no community: '2'; --unassigned"},
    {"g", "5 2\n2 7\n", "7 1\n", 0, 0, 0, "2 of 3 vertices have no community: '2', '5'; --unassigned"},
    {"g", "1 2\n", "1 1\n2 1\n1 2\n", 0, 3, 1, "vertex '1' is in community 1 and in community 2"},
    {"g", "1 2\n", "9 1\n\n9 2\n", 0, 3, 1, "vertex '9' is in community 1 and in community 2"},
    {"g", "1 2\n2 3\n", "1 2\n3 1 2\n", 0, 2, 3, "vertex '1' is in community 0 and in community 1"},
    {"g", "1 2\n", "1\n2 1\n", 0, 1, 1, "has 1 field"},
    {"g", "1 2\n", "1 1\n2 1 9\n", KSDA_COMMUNITIES_PAIRS, 2, 1, "has 3 fields"},
    {"g", "1 2\n", "1 1\n2 \x80\n", 0, 2, 3, "UTF-8"},
    {"g", "1 2\n", "1,1\n2,\n", 0, 0, 0, "1 of 2 vertices has no community: '2'"},
    {"g.graph", "2 1\n2\n1\n", "1 1\n2 1\n3 1\n", 0, 3, 1, "vertex '3' is not in the graph"},
};

static void communities_that_are_refused(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        ksda_load_options o;
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_load_options_init(&o);
        o.communities = save("c", bads[i].communities);
        o.communities_format = bads[i].format;
        assert_int_equal(ksda_load(ctx, save(bads[i].graph, bads[i].edges), &o, &net), KSDA_PARSE);
        assert_null(net.graph);
        const ksda_error *e = ksda_ctx_error(ctx);
        if (e->line != bads[i].line || e->column != bads[i].column || !strstr(e->message, bads[i].message))
            fail_msg("%llu:%llu: %s\nwanted %llu:%llu: %s", (unsigned long long)e->line, (unsigned long long)e->column,
                     e->message, (unsigned long long)bads[i].line, (unsigned long long)bads[i].column, bads[i].message);
        assert_string_equal(e->source, o.communities);
    }
    ksda_ctx_free(ctx);
}

/* A line of a list may be long: SNAP's largest communities are. */
static void long_lists(void **state) {
    ksda_ctx *ctx = new_ctx();
    const unsigned members = 300000;
    char *text = malloc(members * 8 + 100);
    size_t at = 0;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_load_options o;
    (void)state;
    at += (size_t)sprintf(text, "1 2 3\n");
    for (unsigned i = 4; i <= members; i++) at += (size_t)sprintf(text + at, "%u\t", i);
    ksda_load_options_init(&o);
    o.communities = save("c", text);
    assert_int_equal(ksda_load(ctx, save("g", "1 2\n"), &o, &net), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(net.graph), members);
    assert_int_equal(ksda_communities_count(net.communities), 2);
    ksda_network_clear(ctx, &net);
    free(text);
    ksda_ctx_free(ctx);
}

static void communities_are_read_back(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    for (uint64_t seed = 0; seed < 120; seed++) {
        ksda_network net = KSDA_INIT(ksda_network), again = KSDA_INIT(ksda_network);
        ksda_load_options o;
        random_named_network(ctx, seed, (naming)(seed % 3), &net);
        const char *path = file("c");
        ksda_status status = ksda_write_communities(ctx, net.graph, net.communities, path);
        if (status < 0) assert_int_equal(status, KSDA_UNSUPPORTED);
        if (status >= 0 && net.graph->n > 0) {
            ksda_load_options_init(&o);
            o.communities_header = KSDA_HEADER_NO; /* another graph: its vertices are not known */
            o.communities = path;
            assert_int_equal(ksda_load(ctx, save("g", "x y\n"), &o, &again), KSDA_PARSE); /* x has none */
            o.unassigned = KSDA_UNASSIGNED_TOGETHER;
            assert_int_equal(ksda_load(ctx, save("g", "x y\n"), &o, &again), KSDA_OK);
            assert_int_equal(again.only_in_communities, net.graph->n);
            for (uint32_t v = 0; v < net.graph->n; v++) {
                char name[128], one[128], two[128];
                uint32_t w = ksda_graph_find(again.graph, name, ksda_graph_name(net.graph, v, name, sizeof name));
                assert_int_not_equal(w, KSDA_NO_VERTEX);
                ksda_communities_name(net.communities, ksda_communities_of(net.communities, v), one, sizeof one);
                ksda_communities_name(again.communities, ksda_communities_of(again.communities, w), two, sizeof two);
                assert_string_equal(one, two);
            }
            ksda_network_clear(ctx, &again);
        }
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

/* --- formats ----------------------------------------------------------------------------------------------------- */

static void the_format_is_found(void **state) {
    static const struct {
        const char *name, *text;
        ksda_format format;
    } cases[] = {
        {"a", "1 2\n", KSDA_FORMAT_EDGES},
        {"a.txt", "1 2\n", KSDA_FORMAT_EDGES},
        {"a", "1,2\n", KSDA_FORMAT_CSV},
        {"a", "source, target\nx y, z\n", KSDA_FORMAT_CSV},
        {"a", "Smith,J Jones,K\n", KSDA_FORMAT_EDGES}, /* not surely CSV */
        {"a.CSV", "Smith J,Jones K\n", KSDA_FORMAT_CSV},
        {"a.csv.x", "# by hand\n1;2\n", KSDA_FORMAT_CSV},
        {"a", "source\ttarget\n1\t2\n", KSDA_FORMAT_TSV},
        {"a.tsv", "a b\tc d\n", KSDA_FORMAT_TSV},
        {"a.graph", "2 1\n2\n1\n", KSDA_FORMAT_METIS},
        {"a.csv", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", KSDA_FORMAT_MTX},
        {"a", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]\n", KSDA_FORMAT_GML},
        {"a", "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/></graph></graphml>", KSDA_FORMAT_GRAPHML},
    };
    ksda_ctx *ctx = new_ctx();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_status status = ksda_load(ctx, save(cases[i].name, cases[i].text), NULL, &net);
        if (status < 0) fail_msg("%s: %s", cases[i].text, ksda_ctx_error(ctx)->message);
        if (net.format != cases[i].format) fail_msg("%s read as %s", cases[i].text, ksda_format_name(net.format));
        ksda_network_clear(ctx, &net);
    }
    for (ksda_format f = KSDA_FORMAT_EDGES; f <= KSDA_FORMAT_MTX; f++) {
        assert_int_equal(ksda_format_find(ksda_format_name(f)), f);
        assert_int_equal(ksda_format_next((ksda_format)(f - 1)), f);
    }
    assert_int_equal(ksda_format_find("word"), KSDA_FORMAT_AUTO);
    ksda_ctx_free(ctx);
}

static void what_is_no_graph(void **state) {
    static const char *const texts[] = {
        "<!DOCTYPE html><html><body>Not found</body></html>\n",
        "{\"nodes\": []}\n",
        "%PDF-1.7\n1 0\n",
        "\177ELF\x02\x01\x01\n",
        "Dear all,\n\nplease find the network attached.\n\nBest\n",
    };
    ksda_ctx *ctx = new_ctx();
    ksda_network net = KSDA_INIT(ksda_network);
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(ksda_load(ctx, save("a", texts[i]), NULL, &net), KSDA_PARSE);
        assert_null(net.graph);
    }
    ksda_ctx_free(ctx);
}

static void options_that_contradict(void **state) {
    ksda_ctx *ctx = new_ctx();
    ksda_load_options o;
    ksda_network net = KSDA_INIT(ksda_network);
    (void)state;
    ksda_load_options_init(&o);
    o.communities = "-";
    assert_int_equal(ksda_load(ctx, "-", &o, &net), KSDA_INVALID);
    o.attribute = "club";
    assert_int_equal(ksda_load(ctx, "x", &o, &net), KSDA_INVALID);
    ksda_load_options_init(&o);
    o.format = (ksda_format)77;
    assert_int_equal(ksda_load(ctx, save("a", "1 2\n"), &o, &net), KSDA_INVALID);
    ksda_ctx_free(ctx);
}

/* --- maps -------------------------------------------------------------------------------------------------------- */

static void maps_are_read_back(void **state) {
    ksda_ctx *ctx = new_ctx();
    (void)state;
    for (uint64_t seed = 0; seed < 120; seed++) {
        ksda_network net = KSDA_INIT(ksda_network), published = KSDA_INIT(ksda_network);
        ksda_edits *edits;
        ksda_release release = KSDA_INIT(ksda_release);
        uint32_t *owner, piece;
        random_named_network(ctx, seed, (naming)(seed % 3), &net);
        assert_int_equal(ksda_edits_new(ctx, net.graph, &edits), KSDA_OK);
        if (net.graph->n > 3) assert_int_equal(ksda_edits_split(ctx, edits, 2, &piece), KSDA_OK);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, 0, &release), KSDA_OK);
        const char *path = file("map"), *graph = file("published");
        ksda_status status = ksda_write_map(ctx, net.graph, &release, path);
        if (status >= 0 && net.graph->m > 0) {
            assert_int_equal(ksda_write_graph(ctx, release.graph, NULL, graph, KSDA_FORMAT_AUTO), KSDA_OK);
            assert_int_equal(ksda_load(ctx, graph, NULL, &published), KSDA_OK);
            status = ksda_load_map(ctx, net.graph, &published.graph, path, &owner);
            if (status < 0) fail_msg("%s", ksda_ctx_error(ctx)->message);
            assert_int_equal(published.graph->n, release.graph->n); /* isolated vertices are back */
            for (uint32_t p = 0; p < published.graph->n; p++) {
                char name[32];
                ksda_graph_name(published.graph, p, name, sizeof name);
                assert_int_equal(owner[p], release.owner[strtoul(name, NULL, 10)]);
            }
            ksda_free(ctx, owner);
            ksda_network_clear(ctx, &published);
        }
        ksda_release_clear(ctx, &release);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

static void bad_maps(void **state) {
    static const struct {
        const char *map;
        uint64_t line, column;
        const char *message;
    } cases[] = {
        {"a\t0\nb\t1\n", 0, 0, "no line for the published vertex '2'"},
        {"a\t0\nb\t1\nd\t2\n", 3, 1, "'d' is no vertex of the original"},
        {"a\t0\nb\t0\n", 2, 3, "'0' has a line already"},
        {"a\t9\nb\t9\n", 2, 3, "'9' has a line already"},
        {"a\n", 1, 2, "has 1 field"},
    };
    ksda_ctx *ctx = new_ctx();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ksda_network original = KSDA_INIT(ksda_network), published = KSDA_INIT(ksda_network);
        uint32_t *owner;
        assert_int_equal(ksda_load(ctx, save("g", "a b\nb c\n"), NULL, &original), KSDA_OK);
        assert_int_equal(ksda_load(ctx, save("p", "0 1\n1 2\n"), NULL, &published), KSDA_OK);
        assert_int_equal(ksda_load_map(ctx, original.graph, &published.graph, save("map", cases[i].map), &owner),
                         KSDA_PARSE);
        assert_null(owner);
        assert_int_equal(ksda_ctx_error(ctx)->line, cases[i].line);
        assert_int_equal(ksda_ctx_error(ctx)->column, cases[i].column);
        assert_non_null(strstr(ksda_ctx_error(ctx)->message, cases[i].message));
        ksda_network_clear(ctx, &original);
        ksda_network_clear(ctx, &published);
    }
    ksda_ctx_free(ctx);
}

/* --- failing allocations ----------------------------------------------------------------------------------------- */

typedef struct loading {
    const char *graph;
    const ksda_load_options *options;
} loading;

static ksda_status load_and_clear(ksda_ctx *ctx, const void *payload) {
    const loading *l = payload;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_status status = ksda_load(ctx, l->graph, l->options, &net);
    if (status < 0) assert_null(net.graph);
    ksda_network_clear(ctx, &net);
    return status;
}

static void survive(const char *graph, const ksda_load_options *o) {
    const loading l = {graph, o};
    assert_survives_failing_memory_with(load_and_clear, &l);
}

static void every_allocation_may_fail(void **state) {
    static const char *const communities[] = {"1 4\n2 5\n9 3\n", "1 a\nz b\n", "1 2 9\n",
                                              "vertex,community\n1,\"a \"\"b\"\n9,c\n"};
    char packed[300];
    ksda_load_options o;
    (void)state;
    for (int i = 0; i < 4; i++)
        for (ksda_unassigned how = KSDA_UNASSIGNED_OWN; how <= KSDA_UNASSIGNED_TOGETHER; how++) {
            ksda_load_options_init(&o);
            o.communities = save("c", communities[i]);
            o.unassigned = how;
            survive(save("g", "1 2\n2 3\n3 1\n3 3\n7 3\n"), &o);
            survive(save("g", "1 2\n2 bob\nbob 1\n"), &o);
        }
    const char *path = save("g", "1 2\n2 3\n");
    snprintf(packed, sizeof packed, "gzip -k %s && zstd -q %s", path, path);
    if (system(packed) != 0) fprintf(stderr, "SKIPPED: no gzip or zstd command for the compressed paths\n");
    survive(file("g"), NULL);
    if (access(file("g.gz"), R_OK) == 0) survive(file("g.gz"), NULL);
    if (access(file("g.zst"), R_OK) == 0) survive(file("g.zst"), NULL);
    ksda_load_options_init(&o);
    o.attribute = "club";
    survive(save("a", "graph [ node [ id 1 club 3 ] node [ id 2 club 2 ] edge [ source 1 target 2 ] ]\n"), &o);
}

/* --- progress and interruption ----------------------------------------------------------------------------------- */

static int stop_at_once(const ksda_progress *progress, void *payload) {
    assert_string_equal(progress->stage, "reading");
    ++*(int *)payload;
    return 1;
}

static void can_be_stopped(void **state) {
    ksda_ctx *ctx = new_ctx();
    ksda_network net = KSDA_INIT(ksda_network);
    int calls = 0;
    (void)state;
    ksda_ctx_set_progress(ctx, stop_at_once, &calls);
    assert_int_equal(ksda_load(ctx, save("g", "1 2\n"), NULL, &net), KSDA_INTERRUPTED);
    assert_int_equal(calls, 1);
    assert_null(net.graph);
    ksda_ctx_free(ctx);
}

/* --- the data folder --------------------------------------------------------------------------------------------- */

static void networks_of_the_data_folder(void **state) {
    static const struct {
        const char *name, *part;
        uint32_t n;
        uint64_t m;
        uint32_t communities, extra;
    } known[] = {
        {"ca-CondMat", "metis100", 23133, 93439, 100, 0},
        {"usairport500", "metis5", 500, 2980, 5, 0},
        {"usairport500", "metis8", 500, 2980, 8, 0},
        {"lesmis", "", 77, 254, 11, 0},
        {"lesmis", "metis4", 77, 254, 4, 0},
        {"karate", "", 34, 78, 2, 0},
        {"football", "", 115, 613, 12, 0},
        {"polbooks", "", 105, 441, 3, 0},
        {"polblogs", "", 1490, 16715, 2, 266},
        {"email-Eu-core", "", 1005, 16064, 42, 19},
        {"dblp-csr20p2", "", 36508, 143786, 20, 0},
        {"com-dblp", NULL, 317080, 1049866, 0, 0},
        {"soc-Epinions1", NULL, 75877, 405739, 0, 0},
    };
    ksda_ctx *ctx = new_ctx();
    unsigned seen = 0;
    (void)state;
    ksda_ctx_set_threads(ctx, 2);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ksda_network net = KSDA_INIT(ksda_network);
        if (!data_network(ctx, known[i].name, known[i].part, &net)) continue;
        seen++;
        assert_int_equal(ksda_graph_vertices(net.graph), known[i].n);
        assert_int_equal(ksda_graph_edges(net.graph), known[i].m);
        assert_int_equal(net.communities ? ksda_communities_count(net.communities) : 0, known[i].communities);
        assert_int_equal(net.only_in_communities, known[i].extra);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
    if (seen == 0) skip();
}

/* com-dblp has communities for 260,998 of its 317,080 vertices, and its original memberships overlap. */
static void a_partial_partition(void **state) {
    const char *graph = KSDA_DATA_DIR "/com-dblp.edges.gz";
    ksda_ctx *ctx = new_ctx();
    ksda_load_options o;
    ksda_network net = KSDA_INIT(ksda_network);
    (void)state;
    if (access(graph, R_OK) != 0) {
        fprintf(stderr, "SKIPPED: no %s\n", graph);
        ksda_ctx_free(ctx);
        skip();
    }
    ksda_load_options_init(&o);
    o.communities = KSDA_DATA_DIR "/com-dblp.communities.gz";
    assert_int_equal(ksda_load(ctx, graph, &o, &net), KSDA_PARSE);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "56082 of 317080"));
    o.unassigned = KSDA_UNASSIGNED_OWN;
    assert_int_equal(ksda_load(ctx, graph, &o, &net), KSDA_OK);
    assert_int_equal(net.unassigned, 317080 - 260998);
    assert_int_equal(ksda_communities_count(net.communities), 12390 + 317080 - 260998);
    ksda_network_clear(ctx, &net);
    o.unassigned = KSDA_UNASSIGNED_TOGETHER;
    assert_int_equal(ksda_load(ctx, graph, &o, &net), KSDA_OK);
    assert_int_equal(ksda_communities_count(net.communities), 12391);
    ksda_network_clear(ctx, &net);
    o.communities = KSDA_DATA_DIR "/com-dblp.overlap.communities.gz";
    assert_int_equal(ksda_load(ctx, graph, &o, &net), KSDA_PARSE);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "overlapping"));
    assert_true(ksda_ctx_error(ctx)->line > 1);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(communities_as_they_come),
        cmocka_unit_test(communities_that_are_refused),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(communities_are_read_back),
        cmocka_unit_test(the_format_is_found),
        cmocka_unit_test(what_is_no_graph),
        cmocka_unit_test(options_that_contradict),
        cmocka_unit_test(maps_are_read_back),
        cmocka_unit_test(bad_maps),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(can_be_stopped),
        cmocka_unit_test(networks_of_the_data_folder),
        cmocka_unit_test(a_partial_partition),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
