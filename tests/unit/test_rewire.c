/* Bringing a release nearer to the original: degrees, cost and validity stay, whoever made the release; the network
 * comes nearer to what it was; the number of threads changes nothing. */
#include "methods/levelplan/rewire.h"
#include "context.h"
#include "failing_memory.h"
#include "graph/edits.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/measure.h>
#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A release of some method, or NULL. */
static ksda_edits *release_of(const ksda_network *net, const char *method, uint32_t k, double omega) {
    ksda_anonymize_options options;
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega, options.no_proof = 1;
    ksda_anonymize(check_ctx, net->graph, net->communities, ksda_method_find(method), &options, &edits, NULL);
    return edits;
}

typedef struct standing {
    uint32_t community, degree;
} standing;

static int by_standing(const void *a, const void *b) {
    const standing *x = a, *y = b;
    if (x->community != y->community) return x->community < y->community ? -1 : 1;
    return (x->degree > y->degree) - (x->degree < y->degree);
}

/* Community and degree of every piece, sorted: what a release owes its validity and its cost to. */
static standing *standings(const ksda_network *net, const ksda_edits *edits, uint32_t *count) {
    ksda_graph *g;
    assert_int_equal(ksda_edits_apply(check_ctx, edits, &g), KSDA_OK);
    standing *s = malloc(g->n * sizeof *s);
    assert_non_null(s);
    for (uint32_t x = 0; x < g->n; x++)
        s[x] = (standing){net->communities->of[ksda_edits_owner(edits, x)], ksda_i_degree(g, x)};
    qsort(s, g->n, sizeof *s, by_standing);
    *count = g->n;
    ksda_graph_free(check_ctx, g);
    return s;
}

static void assert_verified(const ksda_network *net, const ksda_edits *edits, uint32_t k) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, k, &v),
                     KSDA_OK);
    if (!v.valid || !v.satisfied) print_error("%s\n", v.error);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(v.added_edges, ksda_edits_added(edits, NULL));
    assert_int_equal(v.added_vertices, ksda_edits_pieces(edits) - net->graph->n);
    ksda_release_clear(check_ctx, &release);
}

/* Clustering and mean distance of the original, or of the release when there are edits. */
static void measure(const ksda_network *net, const ksda_edits *edits, double *clustering, double *paths) {
    ksda_measure_options o;
    ksda_measures m = KSDA_INIT(ksda_measures);
    ksda_graph *g = NULL;
    if (edits) assert_int_equal(ksda_edits_apply(check_ctx, edits, &g), KSDA_OK);
    ksda_measure_options_init(&o);
    o.measures = KSDA_MEASURE_BIT(KSDA_MEASURE_CLUSTERING) | KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL);
    assert_int_equal(ksda_measure(check_ctx, g ? g : net->graph, NULL, &o, &m), KSDA_OK);
    *clustering = m.value[KSDA_MEASURE_CLUSTERING].value;
    *paths = m.value[KSDA_MEASURE_ASPL].value;
    ksda_measures_clear(check_ctx, &m);
    ksda_graph_free(check_ctx, g);
}

/* Does anything differ between the edits and the pairs and carriers they had? */
typedef struct snapshot {
    ksda_pair *added;
    uint64_t count;
    uint64_t carriers; /* a sum that tells carriers apart */
} snapshot;

static snapshot snap(const ksda_edits *edits) {
    snapshot s = {malloc((edits->added.count + 1) * sizeof *s.added), edits->added.count, 0};
    assert_non_null(s.added);
    if (s.count) memcpy(s.added, edits->added.pair, s.count * sizeof *s.added);
    for (uint64_t i = 0; i < edits->splits; i++)
        for (uint32_t e = 0; e < ksda_i_degree(edits->graph, edits->split[i].vertex); e++)
            s.carriers += ksda_i_mix((i << 40) + ((uint64_t)e << 20) + edits->split[i].carrier[e]);
    return s;
}

static bool differs(const snapshot *a, const snapshot *b) {
    return a->carriers != b->carriers || (a->count && memcmp(a->added, b->added, a->count * sizeof *a->added) != 0);
}

static void one_release(const ksda_network *net, const char *method, uint32_t k, double omega, ksda_favour favour,
                        uint32_t *changed) {
    ksda_edits *edits = release_of(net, method, k, omega);
    if (!edits) return;
    uint32_t before, after;
    snapshot old = snap(edits);
    standing *was = standings(net, edits, &before);
    uint64_t links = ksda_edits_links(edits, NULL);
    assert_int_equal(ksda_i_rewire(check_ctx, net->graph, net->communities, favour, NULL, edits), KSDA_OK);
    snapshot new = snap(edits);
    standing *is = standings(net, edits, &after);
    assert_int_equal(before, after);
    assert_memory_equal(was, is, before * sizeof *was);
    assert_int_equal(new.count, old.count);
    assert_int_equal(ksda_edits_links(edits, NULL), links);
    assert_verified(net, edits, k);
    *changed += differs(&old, &new);
    free(was), free(is), free(old.added), free(new.added);
    ksda_edits_free(check_ctx, edits);
}

/* Releases of methods that know nothing of this pass, with and without splits, and of level-plan, where added edges may
 * stand for original ones. */
static void degrees_and_cost_stay(void **state) {
    static const char *const methods[] = {"edge-connect", "create-by-split", "merge-by-split", "flex-split",
                                          "level-plan"};
    uint32_t changed[5] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(120); seed++) {
        ksda_network net;
        uint32_t m = 2 + (uint32_t)(seed % 4);
        random_network(check_ctx, seed, 12 + (uint32_t)(seed % 60), seed % 3 ? 0.12 : 0.35, m, &net);
        for (uint32_t i = 0; i < (seed % 7 ? 4 : 5); i++) /* level-plan takes its time */
            one_release(&net, methods[i], 2 + (uint32_t)(seed % (m - 1)), seed % 2 ? 2 : 0, (ksda_favour)(seed % 3),
                        &changed[i]);
        ksda_network_clear(check_ctx, &net);
    }
    for (uint32_t i = 0; i < 5; i++) print_message("%s: %u changed\n", methods[i], changed[i]);
    for (uint32_t i = 0; i < 4; i++) assert_true(enough(changed[i], 10));
    assert_true(enough(changed[4], 0));
}

/* Whatever is favoured comes nearer to the original, summed over many networks. */
static void what_is_favoured_comes_nearer(void **state) {
    double before[2] = {0}, after[2] = {0}, original[2], now[2];
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(40); seed++) {
        ksda_network net;
        random_network(check_ctx, seed, 80 + (uint32_t)(seed % 60), 0.08, 3, &net);
        for (int what = 0; what < 2; what++) {
            ksda_edits *edits = release_of(&net, "merge-by-split", 3, 0);
            if (!edits) continue;
            measure(&net, NULL, &original[0], &original[1]);
            measure(&net, edits, &now[0], &now[1]);
            before[what] += fabs(now[what] - original[what]);
            assert_int_equal(ksda_i_rewire(check_ctx, net.graph, net.communities,
                                           what ? KSDA_FAVOUR_PATHS : KSDA_FAVOUR_CLUSTERING, NULL, edits),
                             KSDA_OK);
            measure(&net, edits, &now[0], &now[1]);
            after[what] += fabs(now[what] - original[what]);
            ksda_edits_free(check_ctx, edits);
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message("clustering %.4f -> %.4f, distance %.4f -> %.4f\n", before[0], after[0], before[1], after[1]);
    assert_true(after[0] < 0.9 * before[0]);
    assert_true(after[1] < 0.95 * before[1]);
}

static void threads_change_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(25); seed++) {
        ksda_network net;
        snapshot s[2];
        random_network(check_ctx, seed, 150, 0.06, 5, &net);
        for (unsigned threads = 1; threads <= 2; threads++) {
            ksda_ctx_set_threads(check_ctx, threads);
            ksda_edits *edits = release_of(&net, "flex-split", 4, 0);
            assert_non_null(edits);
            assert_int_equal(ksda_i_rewire(check_ctx, net.graph, net.communities, KSDA_FAVOUR_BALANCED, NULL, edits),
                             KSDA_OK);
            s[threads - 1] = snap(edits);
            ksda_edits_free(check_ctx, edits);
        }
        assert_false(differs(&s[0], &s[1]));
        free(s[0].added), free(s[1].added);
        ksda_network_clear(check_ctx, &net);
    }
    ksda_ctx_set_threads(check_ctx, 0);
}

/* The number of components of a release is never larger afterwards: nobody is cut off. */
static void nobody_is_cut_off(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(60); seed++) {
        ksda_network net;
        uint32_t count[2], of[400];
        random_network(check_ctx, seed, 60, 0.05, 4, &net);
        ksda_edits *edits = release_of(&net, "merge-by-split", 4, 0);
        for (int after = 0; edits && after < 2; after++) {
            ksda_graph *g;
            if (after)
                assert_int_equal(
                    ksda_i_rewire(check_ctx, net.graph, net.communities, KSDA_FAVOUR_BALANCED, NULL, edits), KSDA_OK);
            assert_int_equal(ksda_edits_apply(check_ctx, edits, &g), KSDA_OK);
            assert_true(g->n <= 400);
            assert_int_equal(ksda_components(check_ctx, g, of, &count[after]), KSDA_OK);
            ksda_graph_free(check_ctx, g);
        }
        if (edits) assert_true(count[1] <= count[0]);
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
}

/* A vertex whose friends are two cliques, dealt out one by one to two linked pieces: each piece gets a clique. */
static void split_vertices_are_dealt_by_circle(void **state) {
    enum {
        FRIENDS = 12
    };
    static const uint32_t of[FRIENDS + 1] = {0};
    uint32_t pairs[FRIENDS * (FRIENDS + 1)], count = 0, piece, clique[2];
    ksda_network net = {.graph = NULL};
    ksda_edits *edits;
    (void)state;
    for (uint32_t u = 0; u <= FRIENDS; u++)
        for (uint32_t v = u + 1; v <= FRIENDS; v++)
            if (u == 0 || u % 2 == v % 2) pairs[2 * count] = u, pairs[2 * count + 1] = v, count++;
    assert_int_equal(listed_network(check_ctx, FRIENDS + 1, count, pairs, of, &net), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &edits), KSDA_OK);
    assert_int_equal(ksda_edits_split(check_ctx, edits, 0, &piece), KSDA_OK);
    for (uint32_t i = 0; i < FRIENDS; i++)
        if (i % 4 < 2) assert_int_equal(ksda_edits_carry(check_ctx, edits, 0, i, piece), KSDA_OK);
    assert_int_equal(ksda_edits_link(check_ctx, edits, 0, piece), KSDA_OK);
    assert_int_equal(ksda_i_rewire(check_ctx, net.graph, net.communities, KSDA_FAVOUR_BALANCED, NULL, edits), KSDA_OK);
    for (uint32_t i = 0; i < 2; i++) clique[i] = ksda_edits_carrier(edits, 0, i);
    assert_true(clique[0] != clique[1]);
    for (uint32_t i = 0; i < FRIENDS; i++) assert_int_equal(ksda_edits_carrier(edits, 0, i), clique[i % 2]);
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

/* Two communities: a split vertex of degree 5, and two added edges. */
static ksda_status with_failing_memory(ksda_ctx *failing) {
    static const uint32_t pairs[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 1, 2};
    static const uint32_t of[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
    ksda_network net = {.graph = NULL};
    ksda_edits *edits = NULL;
    uint32_t piece;
    ksda_status status = listed_network(failing, 11, 11, pairs, of, &net);
    if (status >= 0) status = ksda_edits_new(failing, net.graph, &edits);
    if (status >= 0) status = ksda_edits_split(failing, edits, 0, &piece);
    if (status >= 0) status = ksda_edits_carry(failing, edits, 0, 1, piece);
    if (status >= 0) status = ksda_edits_add_edge(failing, edits, 5, 8);
    if (status >= 0) status = ksda_edits_add_edge(failing, edits, 6, 9);
    if (status >= 0) status = ksda_i_rewire(failing, net.graph, net.communities, KSDA_FAVOUR_BALANCED, NULL, edits);
    ksda_edits_free(failing, edits);
    ksda_network_clear(failing, &net);
    return status;
}

static void failing_memory_is_survived(void **state) {
    (void)state;
    assert_survives_failing_memory(with_failing_memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(degrees_and_cost_stay),
                                       cmocka_unit_test(what_is_favoured_comes_nearer),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(nobody_is_cut_off),
                                       cmocka_unit_test(split_vertices_are_dealt_by_circle),
                                       cmocka_unit_test(failing_memory_is_survived)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
