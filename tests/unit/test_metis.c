/* METIS graphs: what the header may say and how it may lie. */
#include "format_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROW (&ksda_i_format_metis)

static void round_trips(void **state) {
    (void)state;
    assert_round_trips(ROW, 1000, true);
}

static ksda_graph *graph_of(const char *text) {
    ksda_i_read r = read_good(ROW, text, NULL);
    assert_true(r.closed);
    assert_null(r.community);
    return r.graph;
}

/* The manual's example with all its kinds of weights is one graph. */
static void weights_are_read_over(void **state) {
    static const char *const same[] = {
        "4 4\n2 3\n1 3 4\n1 2\n2\n",
        "% comment\n4 4 000\n2 3\n% in between\n1 3 4\n1 2\n2",
        "4 4 1\n2 9 3 8\n1 9 3 7 4 6\n1 8 2 7\n2 6\n",
        "4 4 001\n2 9 3 8\n1 9 3 7 4 6.5\n1 8 2 7\n2 6\n",
        "4 4 10\n5 2 3\n5 1 3 4\n5 1 2\n5 2\n",
        "4 4 011 2\n5 5 2 1 3 1\n5 5 1 1 3 1 4 1\n5 5 1 1 2 1\n5 5 2 1\n",
        "4 4 100\n7 2 3\n7 1 3 4\n7 1 2\n7 2\n",
        "4 4 111 3\n7 1 1 1 2 1 3 1\n7 1 1 1 1 1 3 1 4 1\n7 1 1 1 1 1 2 1\n7 1 1 1 2 1\n",
        "\n \t\n4\t4 \r\n 2   3 \r\n3 1 4\r\n1 2\r\n2\r\n\r\n% the end\r\n",
        "4 4 0 7\n2 3\n1 3 4\n1 2\n2\n",
    };
    (void)state;
    ksda_graph *first = graph_of(same[0]);
    char name[8];
    assert_int_equal(ksda_graph_edges(first), 4);
    assert_int_equal(ksda_graph_find(first, "1", 1), 0);
    ksda_graph_name(first, 3, name, sizeof name);
    assert_string_equal(name, "4");
    for (size_t i = 1; i < sizeof same / sizeof *same; i++) {
        ksda_graph *g = graph_of(same[i]);
        assert_true(same_graph(first, g, false));
        ksda_graph_free(check_ctx, g);
    }
    ksda_graph_free(check_ctx, first);
}

static void isolated_vertices_are_empty_lines(void **state) {
    (void)state;
    ksda_graph *g = graph_of("4 1\n\n3\n2\n\n");
    assert_int_equal(ksda_graph_vertices(g), 4);
    assert_int_equal(ksda_graph_degree(g, 0), 0);
    assert_int_equal(ksda_graph_degree(g, 1), 1);
    ksda_graph_free(check_ctx, g);
    g = graph_of("0 0\n");
    assert_int_equal(ksda_graph_vertices(g), 0);
    ksda_graph_free(check_ctx, g);
    g = graph_of("0 0");
    ksda_graph_free(check_ctx, g);
}

static void loops_and_repetitions_are_counted(void **state) {
    (void)state;
    ksda_graph *g = graph_of("2 4\n1 1 2 2 2\n1 1 1\n");
    const ksda_cleaning *c = ksda_graph_cleaning(g);
    assert_int_equal(ksda_graph_edges(g), 1);
    assert_int_equal(c->input_edges, 4);
    assert_int_equal(c->self_loops, 1);
    assert_int_equal(c->duplicate_edges, 2);
    ksda_graph_free(check_ctx, g);
    g = graph_of("2 2\n1 2\n1\n"); /* a loop that stands in its line once */
    assert_int_equal(ksda_graph_cleaning(g)->self_loops, 1);
    assert_int_equal(ksda_graph_cleaning(g)->duplicate_edges, 0);
    ksda_graph_free(check_ctx, g);
}

static void lies_are_told_with_their_place(void **state) {
    static const bad_text bad[] = {
        {"", 1, 1, "not the end of the file"},
        {"% only a comment\n", 2, 1, "the number of vertices"},
        {"x 3\n", 1, 1, "not 'x'"},
        {"-1 3\n", 1, 1, "not '-1'"},
        {"4294967295 0\n", 1, 1, "announces 4294967295 vertices; at most 4294967294"},
        {"18446744073709551616 0\n", 1, 1, "not '18446744073709551616'"},
        {"3\n", 1, 2, "the number of edges, not the end of the line"},
        {"3 1.5\n", 1, 3, "not '1.5'"},
        {"3 1 2\n", 1, 5, "up to three digits 0 or 1, not '2'"},
        {"3 1 0000\n", 1, 5, "not '0000'"},
        {"3 1 010 x\n", 1, 9, "the number of vertex weights, not 'x'"},
        {"3 1 010 1 5\n", 1, 11, "goes on with '5'"},
        {"2 1\n2\n", 3, 1, "announces 2 vertices, but there are lines for only 1"},
        {"4294967294 0\n\n\n", 4, 1, "lines for only 2"}, /* and nothing was allocated for the others */
        {"2 1\n2\n1\n1\n", 4, 1, "2 vertices, but more lines follow"},
        {"2 1\n2\n3\n", 3, 1, "'3' in the line of vertex 2 is not a vertex; the header says 1 to 2"},
        {"2 1\n2\n 0\n", 3, 2, "'0' in the line of vertex 2"},
        {"2 1\n2\n1x\n", 3, 1, "'1x'"},
        {"2 1\n2\n\x01\n", 3, 1, "'\\x01'"},
        {"3 3\n2 3\n1 3\n1\n", 5, 1, "announces 3 edges, so 6 neighbours in all, but there are 5"},
        {"3 1\n2 3\n1 3\n1 2\n", 3, 1, "more neighbours than the header's 1 edges allow"},
        {"3 2\n2 3\n1 3\n\n", 2, 3, "vertex 3 stands in the line of vertex 1, but not 1 in the line of 3"},
        {"3 2\n2\n1\n1 2\n", 4, 1, "vertex 1 stands in the line of vertex 3, but not 3 in the line of 1"},
        {"3 1\n\n1\n2\n", 3, 1, "vertex 1 stands in the line of vertex 2, but not 2 in the line of 1"},
        {"3 1 11 2\n1 1\n% c\n8 9 1 5\n1 1 2 5\n", 4, 5, "vertex 1 stands in the line of vertex 2"},
        {"2 1 1\n2\n1 5\n", 2, 2, "expected the edge's weight, not the end of the line"},
        {"2 1 1\n2 a\n1 5\n", 2, 3, "expected the edge's weight, not 'a'"},
        {"2 1 10\n1 2\n\n", 3, 1, "expected the vertex's size or weight, not the end of the line"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_refused(ROW, NULL, KSDA_PARSE, &bad[i]);
    assert_refused(ROW, "community", KSDA_UNSUPPORTED, &(bad_text){"1 0\n\n", 0, 0, "no vertex attributes"});
}

/* Take one neighbour out of one line of a random graph (m is adjusted where it can be): always refused. */
static void every_asymmetry_is_found(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_network net;
        ksda_i_read r;
        random_named_network(check_ctx, seed, NAMING_RANGE, &net);
        const ksda_graph *g = net.graph;
        for (uint64_t out1 = 0; out1 < 2 * g->m; out1++) {
            uint64_t out2 = (out1 * 7 + seed) % (2 * g->m); /* two, so that the number of neighbours stays even */
            if (out2 == out1) continue;
            char text[8192];
            int used = sprintf(text, "%u %llu\n", g->n, (unsigned long long)g->m - 1);
            uint32_t pair[2][2] = {{0, 0}, {0, 0}};
            for (uint32_t v = 0; v < g->n; v++) {
                for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
                    if (i == out1) pair[0][0] = v, pair[0][1] = g->adj[i];
                    if (i == out2) pair[1][0] = v, pair[1][1] = g->adj[i];
                    if (i != out1 && i != out2) used += sprintf(text + used, "%u ", g->adj[i] + 1);
                }
                used += sprintf(text + used, "\n");
            }
            bool same_edge = pair[0][0] == pair[1][1] && pair[0][1] == pair[1][0];
            assert_int_equal(read_text(check_ctx, ROW, text, (size_t)used, NULL, &r), same_edge ? KSDA_OK : KSDA_PARSE);
            ksda_i_read_clear(check_ctx, &r);
        }
        ksda_network_clear(check_ctx, &net);
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_survives_failing_allocations(ROW, "4 4 1\n2 9 3 8\n1 9 3 7 4 6\n1 8 2 7\n2 6\n", NULL);
    assert_survives_failing_allocations(ROW, "2 4\n1 1 2 2 2\n1 1 1\n", NULL);
}

static void it_can_be_interrupted(void **state) {
    (void)state;
    assert_interruptible(ROW, "2 1\n2\n1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(weights_are_read_over),
        cmocka_unit_test(isolated_vertices_are_empty_lines),
        cmocka_unit_test(loops_and_repetitions_are_counted),
        cmocka_unit_test(lies_are_told_with_their_place),
        cmocka_unit_test(every_asymmetry_is_found),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
