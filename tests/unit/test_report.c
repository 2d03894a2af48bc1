/* The reports: figures against a slow count by vertices, text and JSON from one struct, no NaN in JSON on any network.
 */
#include "context.h"
#include "core/random.h"
#include "methods/levelplan/level_plan.h"
#include "random_graph.h"
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_near(double a, double b) {
    if (isnan(a) && isnan(b)) return;
    if (!(fabs(a - b) < 1e-9)) fail_msg("%.17g is not %.17g", a, b);
}

/* No number that JSON cannot hold, at any depth, and the text parses again. */
static void assert_sound(json_t *object) {
    char *text = json_dumps(object, JSON_INDENT(2));
    assert_non_null(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    json_t *again = json_loads(text, 0, NULL);
    assert_non_null(again);
    assert_true(json_equal(object, again));
    json_decref(again);
    free(text);
}

/* --- check -------------------------------------------------------------------------------------------------------- */

/* How many communities the degree of v occurs in, and how often the likeliest is right, by looking at every vertex. */
static void look_at(const ksda_network *net, uint32_t v, uint32_t *kinds, double *right, double *bits) {
    uint32_t n = ksda_graph_vertices(net->graph), d = ksda_graph_degree(net->graph, v), size = 0, most = 0;
    uint32_t count[64] = {0};
    for (uint32_t u = 0; u < n; u++)
        if (ksda_graph_degree(net->graph, u) == d) count[ksda_communities_of(net->communities, u)]++, size++;
    *kinds = 0, *bits = 0;
    for (int c = 0; c < 64; c++) {
        if (count[c] == 0) continue;
        double share = (double)count[c] / size;
        ++*kinds;
        *bits -= share * log2(share);
        if (count[c] > most) most = count[c];
    }
    *right = (double)most / size;
}

static void compare_attack(const ksda_network *net, const ksda_diversity *d, uint32_t least, uint32_t most) {
    ksda_i_attack a = ksda_i_attack_on(d, least, most);
    double right = 0, bits = 0, surest = NAN;
    uint64_t vertices = 0;
    for (uint32_t v = 0; v < ksda_graph_vertices(net->graph); v++) {
        uint32_t kinds;
        double one, entropy;
        look_at(net, v, &kinds, &one, &entropy);
        if (kinds < least || kinds > most) continue;
        vertices++, right += one, bits += entropy;
        if (!(surest >= one)) surest = one;
    }
    assert_int_equal(a.vertices, vertices);
    assert_near(a.largest_posterior, surest);
    assert_near(a.expected_success, vertices ? right / (double)vertices : NAN);
    assert_near(a.entropy, vertices ? bits / (double)vertices : NAN);
}

static double real(const json_t *object, const char *name) {
    return json_number_value(json_object_get(object, name));
}

static void test_diversity(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 400; seed++) {
        ksda_network net;
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        random_network(ctx, seed, 1 + (uint32_t)(seed % 40), 0.05 + 0.1 * (double)(seed % 5), 1 + (uint32_t)(seed % 7),
                       &net);
        uint32_t k = 1 + (uint32_t)(seed % ksda_communities_count(net.communities));
        assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, k, &d), KSDA_OK);
        compare_attack(&net, &d, 0, UINT32_MAX);
        compare_attack(&net, &d, k, UINT32_MAX);
        compare_attack(&net, &d, 0, k - 1);
        json_t *object = json_object();
        ksda_i_diversity_json(&d, net.communities, seed % 3 != 0, seed % 4, object);
        assert_sound(object);
        assert_int_equal(json_array_size(json_object_get(object, "groups")), d.groups < seed % 4 ? d.groups : seed % 4);
        assert_near(real(json_object_get(object, "attack"), "expected_success"), d.expected_success);
        assert_int_equal(json_is_null(json_object_get(object, "k")), seed % 3 == 0);
        FILE *text = fopen("/dev/null", "w");
        ksda_i_diversity_text(&d, net.communities, seed % 3 != 0, seed % 4, seed % 2, text);
        fclose(text);
        json_decref(object);
        ksda_diversity_clear(ctx, &d);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

/* --- stats -------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void test_stats(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_network net;
        ksda_i_stats s;
        uint32_t value[64], n = 1 + (uint32_t)(seed % 50), inside = 0;
        random_network(ctx, seed, n, 0.02 * (double)(seed % 20), 1 + (uint32_t)(seed % 6), &net);
        assert_int_equal(ksda_i_stats_count(ctx, &net, &s), KSDA_OK);
        for (uint32_t v = 0; v < n; v++) value[v] = ksda_graph_degree(net.graph, v);
        qsort(value, n, sizeof *value, ascending);
        assert_int_equal(s.degree_min, value[0]);
        assert_int_equal(s.degree_max, value[n - 1]);
        assert_int_equal(s.degree_median, value[(n - 1) / 2]);
        uint32_t communities = ksda_communities_count(net.communities);
        for (uint32_t c = 0; c < communities; c++) ksda_communities_members(net.communities, c, &value[c]);
        qsort(value, communities, sizeof *value, ascending);
        assert_int_equal(s.community_min, value[0]);
        assert_int_equal(s.community_median, value[(communities - 1) / 2]);
        assert_int_equal(s.community_max, value[communities - 1]);
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = u + 1; v < n; v++)
                inside += ksda_graph_adjacent(net.graph, u, v) &&
                          ksda_communities_of(net.communities, u) == ksda_communities_of(net.communities, v);
        uint64_t m = ksda_graph_edges(net.graph);
        assert_near(s.inside, m ? (double)inside / (double)m : NAN);
        json_t *object = json_object();
        ksda_i_stats_json(&s, object);
        assert_sound(object);
        json_decref(object);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_free(ctx);
}

/* --- summary ------------------------------------------------------------------------------------------------------ */

static double gap(double cost, double bound) {
    ksda_i_summary s = {.result = {.cost = cost, .lower_bound = bound}};
    return ksda_i_summary_gap(&s);
}

static void test_gap(void **state) {
    (void)state;
    assert_near(gap(110, 100), 0.1);
    assert_near(gap(100, 100), 0);
    assert_near(gap(0, 0), 0);
    assert_true(isnan(gap(5, 0))); /* nothing to be a share of */
    assert_true(isnan(gap(5, NAN)));
    assert_true(gap(1e13 + 1, 1e13) > 0);  /* one edge more is not the least possible, whatever splitting costs */
    assert_true(gap(0.1 + 0.2, 0.3) == 0); /* rounding is */
}

/* Every number of the lines of times, in seconds; the whole first. */
static uint32_t read_times(const char *line, double *out) {
    const char *last = strstr(line, "\n  memory");
    uint32_t count = 0;
    for (const char *p = line + strlen("  took"); p < last; p++) {
        if (*p < '0' || *p > '9') continue;
        char *end;
        double value = strtod(p, &end);
        out[count++] = strncmp(end, " ms", 3) == 0 ? value / 1000 : value;
        p = end;
    }
    return count;
}

/* As printed, also where a method's clock does not know of all that its caller did, and to the last digit. */
static void times_add_up(void **state) {
    (void)state;
    ksda_ctx *ctx = new_ctx();
    ksda_network net = KSDA_INIT(ksda_network);
    random_network(ctx, 1, 10, 0.3, 2, &net);
    for (uint64_t seed = 0; seed < 500; seed++) {
        ksda_i_rng rng = ksda_i_rng_stream(seed, 9, 0);
        double t[9], told[10], sum = 0;
        char *text;
        size_t size;
        for (int i = 0; i < 9; i++) t[i] = (1 + ksda_i_rng_below(&rng, 30000)) / (seed % 2 ? 1e4 : 1e6);
        if (seed % 7 == 0) t[0] = 0; /* not known, as where the network was not read from a file: not told */
        if (seed % 11 == 0) t[7] = 0;
        ksda_i_summary s = {
            .method = "level-plan",
            .k = 2,
            .original = net.graph,
            .published = net.graph,
            .communities = net.communities,
            .detected = seed % 3 ? NULL : "leiden",
            .load = t[0],
            .communities_seconds = t[1],
            .anonymize = t[2] + t[3] + t[4],
            .verify = t[5],
            .write = t[6],
            .report = t[7],
            .added_auc = {.measured = seed % 4 == 0, .seconds = t[8]},
            .result = {.lower_bound = NAN, .search_seconds = seed % 5 ? t[2] : NAN, .proof_seconds = t[3]}};
        FILE *out = open_memstream(&text, &size);
        ksda_i_summary_text(&s, out);
        fclose(out);
        const char *line = strstr(text, "  took");
        assert_non_null(line);
        uint32_t count = read_times(line, told);
        assert_int_equal(count,
                         4 + (seed % 3 == 0) + (seed % 4 == 0) + (seed % 5 != 0) + (seed % 7 != 0) + (seed % 11 != 0));
        for (uint32_t i = 1; i < count; i++) sum += told[i];
        if (fabs(sum - told[0]) > (told[0] < 1 ? 1e-9 : 0.0501)) fail_msg("%.70s", line);
        free(text);
    }
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

static const char *proved(uint64_t edges, uint64_t least_edges, uint64_t vertices, uint64_t least_vertices,
                          double bound, char *buffer) {
    ksda_anonymize_result r = {.added_edges = edges,
                               .least_added_edges = least_edges,
                               .added_vertices = vertices,
                               .least_added_vertices = least_vertices,
                               .cost = (double)edges + 5929 * (double)vertices,
                               .lower_bound = bound};
    return ksda_i_proved(&r, buffer);
}

/* With a weight of |V|^2 "0.07 % above the least" hides that 4 of 14 edges may be too many. */
static void gaps_tell_splits_and_edges_apart(void **state) {
    char b[KSDA_I_PROVED];
    (void)state;
    assert_string_equal(proved(14, 10, 1, 1, 5939, b),
                        "1 split is the least possible; 14 edges, at least 10 are needed with no more splits");
    assert_string_equal(proved(14, 14, 1, 1, 5943, b), "1 split and 14 edges: the least possible cost");
    assert_string_equal(proved(115, 0, 2, 0, 112, b),
                        "2 splits (it is not proved that any is needed); how few edges would do with no more splits is "
                        "not proved; every release costs at least 112");
    assert_string_equal(proved(1465, 0, 43, 17, 17 * 5929.0, b),
                        "43 splits, at least 17 are needed; how few edges would do with no more splits is not proved; "
                        "every release costs at least 100,793");
    assert_string_equal(proved(506, 497, 0, 0, 487, b),
                        "506 edges, at least 497 are needed without a split; a release with splits costs at least 487");
    assert_string_equal(proved(1, 1, 0, 0, 1, b), "1 edge: the least possible cost");
    assert_string_equal(proved(3, 0, 0, 0, NAN, b), "");
}

static void least_edges_round_outward(void **state) {
    (void)state;
    assert_int_equal(ksda_i_least_edges(5939, 5929, 1), 10);
    assert_int_equal(ksda_i_least_edges(5938.2, 5929, 1), 10);
    assert_int_equal(ksda_i_least_edges(5929, 5929, 1), 0);
    assert_int_equal(ksda_i_least_edges(112, 249001, 2), 0);
    assert_int_equal(ksda_i_least_edges(NAN, 5, 1), 0);
    assert_int_equal(ksda_i_least_edges(12, 5, 0), 12);
    assert_true(ksda_i_least_edges(3 * 17.3 + 4, 17.3, 3) <= 4); /* whatever the products round to */
    assert_true(ksda_i_least_edges(7 * 0.1 + 2, 0.1, 7) <= 2);
    assert_int_equal(ksda_i_least_edges(1e17 + 16, 1e10, 10000000), 0); /* too coarse to tell 16 edges from none */
}

static void test_words(void **state) {
    char buffer[32];
    (void)state;
    assert_string_equal(ksda_grouped(0, buffer), "0");
    assert_string_equal(ksda_grouped(999, buffer), "999");
    assert_string_equal(ksda_grouped(1000, buffer), "1,000");
    assert_string_equal(ksda_grouped(UINT64_MAX, buffer), "18,446,744,073,709,551,615");
    json_t *object = json_object();
    ksda_i_json_real(object, "a", NAN);
    ksda_i_json_real(object, "b", -INFINITY);
    ksda_i_json_text(object, "c", NULL);
    ksda_i_json_text(object, "d", "\xff\xfe");
    ksda_i_json_count(object, "e", UINT64_MAX);
    assert_true(json_is_null(json_object_get(object, "a")));
    assert_true(json_is_null(json_object_get(object, "b")));
    assert_true(json_is_null(json_object_get(object, "c")));
    assert_true(json_is_string(json_object_get(object, "d")));
    assert_true(json_is_real(json_object_get(object, "e")));
    assert_sound(object);
    json_decref(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_diversity),
                                       cmocka_unit_test(test_stats),
                                       cmocka_unit_test(test_gap),
                                       cmocka_unit_test(test_words),
                                       cmocka_unit_test(times_add_up),
                                       cmocka_unit_test(gaps_tell_splits_and_edges_apart),
                                       cmocka_unit_test(least_edges_round_outward)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
