/* level-plan: every release verified, on thousands of small random networks and on the networks of the data folder. */
#include "methods/levelplan/level_plan.h"
#include "bounds.h"
#include "context.h"
#include "exact_reference.h"
#include "realistic.h"

#include <ksda/anonymize.h>
#include <ksda/detect.h>
#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t isolated(const ksda_graph *g) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < g->n; v++) count += ksda_i_degree(g, v) == 0;
    return count;
}

/* Run, with a proof or without, verify, compare the counts; the status of the run comes back. */
static ksda_status search(const ksda_network *net, uint32_t k, double omega, bool proof,
                          ksda_anonymize_result *result) {
    ksda_anonymize_options options;
    ksda_edits *edits;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega, options.no_proof = !proof;
    ksda_status status = ksda_anonymize(check_ctx, net->graph, net->communities, ksda_method_find("level-plan"),
                                        &options, &edits, result);
    if (status < 0) {
        assert_null(edits);
        return status;
    }
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, k, &v),
                     KSDA_OK);
    if (!v.valid || !v.satisfied) print_error("%s\n", v.error);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(v.added_edges, result->added_edges);
    assert_int_equal(v.added_vertices, result->added_vertices);
    if (!isnan(result->lower_bound)) assert_true(result->lower_bound <= result->cost);
    ksda_release_clear(check_ctx, &release);
    ksda_edits_free(check_ctx, edits);
    return status;
}

static ksda_status run(const ksda_network *net, uint32_t k, double omega, ksda_anonymize_result *result) {
    return search(net, k, omega, true, result);
}

/* However short the time, what comes is complete: the first round is always finished. */
static void no_time_gives_a_release_all_the_same(void **state) {
    uint32_t stopped = 0;
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(200); seed++) {
        ksda_network net;
        ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
        random_network(check_ctx, seed, 30 + (uint32_t)(seed % 90), 0.15, 4, &net);
        if (!isolated(net.graph)) {
            ksda_ctx_set_time_limit(check_ctx, 1e-9);
            ksda_status status = run(&net, 2 + (uint32_t)(seed % 3), seed % 2 ? 3 : 0, &result);
            ksda_ctx_set_time_limit(check_ctx, 0);
            assert_true(status == KSDA_OK || status == KSDA_LIMIT);
            stopped += status == KSDA_LIMIT;
        }
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(enough(stopped, 100));
}

static void time_left_over_changes_nothing(void **state) {
    ksda_network net;
    ksda_anonymize_result one = KSDA_INIT(ksda_anonymize_result), two = KSDA_INIT(ksda_anonymize_result);
    (void)state;
    random_network(check_ctx, 5, 80, 0.1, 4, &net);
    assert_int_equal(run(&net, 3, 5, &one), KSDA_OK);
    ksda_ctx_set_time_limit(check_ctx, 3600);
    assert_int_equal(run(&net, 3, 5, &two), KSDA_OK);
    ksda_ctx_set_time_limit(check_ctx, 0);
    assert_true(one.cost == two.cost && one.lower_bound == two.lower_bound);
    ksda_network_clear(check_ctx, &net);
}

/* The proof comes after the release, and takes nothing from it. */
static void without_a_proof_the_release_is_the_same(void **state) {
    ksda_anonymize_options options;
    (void)state;
    ksda_anonymize_options_init(&options);
    for (uint64_t seed = 0; seed < times_as_many(12); seed++) {
        ksda_network net;
        ksda_edits *edits[2];
        ksda_anonymize_result result[2] = {KSDA_INIT(ksda_anonymize_result), KSDA_INIT(ksda_anonymize_result)};
        random_network(check_ctx, seed, 60, 0.12, 4, &net);
        options.k = 2 + (uint32_t)(seed % 3), options.split_weight = seed % 2 ? 4 : 0;
        for (int i = 0; i < 2; i++) {
            const ksda_pair *unused;
            options.no_proof = i;
            assert_int_equal(
                ksda_anonymize(check_ctx, net.graph, net.communities, NULL, &options, &edits[i], &result[i]), KSDA_OK);
            assert_true(ksda_edits_added(edits[i], &unused) == result[i].added_edges);
            assert_true(result[i].search_seconds >= 0 && result[i].proof_seconds >= 0);
        }
        assert_true(isnan(result[1].lower_bound) && result[1].least_added_edges == 0);
        assert_true(result[0].lower_bound <= result[0].cost && result[0].least_added_edges <= result[0].added_edges);
        assert_true(result[0].least_added_vertices <= result[0].added_vertices);
        const ksda_pair *one, *two;
        uint64_t count = ksda_edits_added(edits[0], &one);
        assert_true(count == ksda_edits_added(edits[1], &two));
        assert_true(ksda_edits_pieces(edits[0]) == ksda_edits_pieces(edits[1]));
        if (count) assert_memory_equal(one, two, count * sizeof *one);
        for (int i = 0; i < 2; i++) ksda_edits_free(check_ctx, edits[i]);
        ksda_network_clear(check_ctx, &net);
    }
}

static void small_networks_always_succeed(void **state) {
    static const double omegas[] = {0, 1, 5, 20};
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(300); seed++) {
        ksda_network net;
        ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
        uint32_t n = 4 + (uint32_t)(seed % 37), m = 1 + (uint32_t)(seed % 5);
        random_network(check_ctx, seed, n, seed % 3 == 0 ? 0.6 : 0.25, m, &net);
        uint32_t k = 1 + (uint32_t)(seed % net.communities->count);
        ksda_status status = search(&net, k, omegas[seed / 7 % 4], seed % 3 == 0, &result);
        if (!isolated(net.graph))
            assert_int_equal(status, KSDA_OK);
        else
            assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE);
        if (k == 1) assert_true(status == KSDA_OK && result.cost == 0);
        ksda_network_clear(check_ctx, &net);
    }
}

/* --- against brute force ------------------------------------------------------------------------------------------ */

#define MOST_PAIRS 14

/* Where adding edges can do it, the bound is never above the optimum and the cost at most twice it, without a split. */
static void bound_and_cost_against_brute_force(void **state) {
    uint32_t compared = 0, optimal = 0, splits = 0, split_where_adding_does = 0;
    double worst = 1, sum = 0, gap = 0;
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(2000); seed++) {
        ksda_network net;
        ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
        random_network(check_ctx, seed, 5 + (uint32_t)(seed % 6), seed % 2 ? 0.5 : 0.35, 2 + (uint32_t)(seed / 2 % 2),
                       &net);
        uint32_t k = 2 + (uint32_t)(seed / 5 % (net.communities->count - 1));
        if (reference_pairs(net.graph, net.communities) <= MOST_PAIRS && net.communities->count >= k &&
            run(&net, k, 0, &result) == KSDA_OK) {
            uint32_t best = (uint32_t)reference_add(net.graph, net.communities, k); /* none: UINT32_MAX */
            if (best == UINT32_MAX) {
                splits++;
                assert_true(result.added_vertices > 0);
            } else {
                assert_true(result.lower_bound <= best);
                assert_true(lagrangian_bound(&net, k, 1000, best, 100000) <= best);
                assert_true(lagrangian_bound(&net, k, 2, best, 100000) <= best);
                if (result.added_vertices)
                    split_where_adding_does++;
                else if (best) {
                    double ratio = (double)result.added_edges / best;
                    compared++, optimal += result.added_edges == best, sum += ratio, gap += result.lower_bound / best;
                    if (ratio > worst) worst = ratio;
                } else {
                    assert_true(result.cost == 0);
                }
            }
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u compared: %u optimal, mean %.4f, worst %.3f, mean bound / optimum %.3f; %u need splitting; %u "
                  "split in vain\n",
                  compared, optimal, sum / compared, worst, gap / compared, splits, split_where_adding_does);
    assert_true(enough(compared, 300));
    assert_true(worst <= 2);
    assert_int_equal(split_where_adding_does, 0);
}

/* --- any number of threads, and the networks of the data folder --------------------------------------------------- */

typedef uint64_t pairs_of_edits(const ksda_edits *edits, const ksda_pair **out);

static uint64_t digest_pairs(uint64_t h, const ksda_edits *edits, pairs_of_edits *which) {
    const ksda_pair *pair;
    uint64_t count = which(edits, &pair);
    for (uint64_t i = 0; i < count; i++) h = ksda_i_mix(h ^ ((uint64_t)pair[i].u << 32 | pair[i].v));
    return ksda_i_mix(h ^ count);
}

/* Everything that the edits say. */
static uint64_t digest_edits(const ksda_network *net, const ksda_edits *edits) {
    uint64_t h = digest_pairs(digest_pairs(0, edits, ksda_edits_added), edits, ksda_edits_links);
    for (uint32_t x = 0; x < ksda_edits_pieces(edits); x++) h = ksda_i_mix(h ^ ksda_edits_owner(edits, x));
    for (uint32_t v = 0; v < net->graph->n; v++)
        for (uint32_t i = 0; i < ksda_i_degree(net->graph, v); i++) h = ksda_i_mix(h ^ ksda_edits_carrier(edits, v, i));
    return h;
}

/* The edits and the bound. */
static uint64_t digest(const ksda_network *net, uint32_t k, double omega, unsigned threads, ksda_favour favour) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega, options.favour = favour;
    ksda_ctx_set_threads(check_ctx, threads);
    assert_int_equal(ksda_anonymize(check_ctx, net->graph, net->communities, NULL, &options, &edits, &result), KSDA_OK);
    ksda_ctx_set_threads(check_ctx, 1);
    uint64_t h = digest_edits(net, edits) ^ ksda_i_mix((uint64_t)(result.lower_bound * 1000));
    ksda_edits_free(check_ctx, edits);
    return h;
}

static void threads_change_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(4); seed++) {
        ksda_network net;
        random_network(check_ctx, seed, 250, 0.03 + 0.01 * (double)(seed % 4), 6, &net);
        ksda_favour favour = (ksda_favour)(seed % 4);
        uint64_t one = digest(&net, 3, seed % 2 ? 5 : 0, 1, favour);
        assert_true(one == digest(&net, 3, seed % 2 ? 5 : 0, seed / 2 % 2 ? 2 : 8, favour));
        ksda_network_clear(check_ctx, &net);
    }
}

/* Communities of very different sizes, k near their number: sets of levels are searched, with all weights at once. */
static void threads_change_nothing_where_vertices_are_split(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(2); seed++) {
        ksda_planted_options o;
        ksda_network net;
        ksda_planted_options_init(&o);
        o.vertices = 60, o.edges = 240, o.communities = 6, o.size_exponent = 2, o.mixing = 0.3;
        ksda_ctx_set_seed(check_ctx, seed + 1);
        assert_int_equal(ksda_generate_planted(check_ctx, &o, &net.graph, &net.communities), KSDA_OK);
        ksda_ctx_set_seed(check_ctx, 1);
        uint32_t k = net.communities->count - (uint32_t)seed % 2;
        uint64_t one = digest(&net, k, 0, 1, KSDA_FAVOUR_BALANCED);
        assert_true(one == digest(&net, k, 0, seed % 2 ? 2 : 4, KSDA_FAVOUR_BALANCED));
        ksda_network_clear(check_ctx, &net);
    }
}

/* What it must not get worse than. */
static void known_networks(void **state) {
    static const struct {
        const char *name, *part;
        uint32_t k, edges, vertices;
    } known[] = {{"lesmis", "metis4", 2, 2, 1},         {"lesmis", "metis4", 3, 9, 1},
                 {"lesmis", "metis4", 4, 26, 1},        {"usairport500", "metis5", 2, 184, 0},
                 {"usairport500", "metis5", 3, 509, 0}, {"usairport500", "metis8", 2, 84, 0},
                 {"usairport500", "metis8", 3, 294, 0}, {"football", "", 10, 12, 0},
                 {"polblogs", "", 2, 187, 0},           {"football", "", 12, 26, 2},
                 {"usairport500", "metis8", 5, 600, 5}, {"ca-CondMat", "metis100", 5, 615, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ksda_network net;
        ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
        if (!data_network(check_ctx, known[i].name, known[i].part, &net)) skip();
        assert_int_equal(search(&net, known[i].k, 0, false, &result), KSDA_OK);
        assert_true(result.added_vertices <= known[i].vertices);
        assert_true(result.added_edges <= known[i].edges);
        ksda_network_clear(check_ctx, &net);
    }
}

/* The same where there is no data folder. */
static void known_realistic_networks(void **state) {
    static const struct {
        const char *name;
        uint32_t k, edges, vertices;
    } known[] = {{"lesmis", 2, 4, 1}, {"lesmis", 3, 14, 1}, {"karate", 2, 6, 0},
                 {"teams", 2, 1, 0},  {"teams", 6, 15, 0},  {"hubs", 2, 25, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ksda_network net;
        ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
        named_network(check_ctx, known[i].name, &net);
        assert_int_equal(run(&net, known[i].k, 0, &result), KSDA_OK);
        if (result.added_vertices > known[i].vertices || result.added_edges > known[i].edges)
            fail_msg("%s, k = %u: %llu edges and %llu vertices", known[i].name, known[i].k,
                     (unsigned long long)result.added_edges, (unsigned long long)result.added_vertices);
        ksda_network_clear(check_ctx, &net);
    }
}

static void impossible_is_proved(void **state) {
    static const uint32_t edges[] = {0, 1, 1, 2}, of[] = {0, 0, 1, 2};
    ksda_network net = {.graph = NULL};
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    (void)state;
    assert_int_equal(listed_network(check_ctx, 4, 2, edges, of, &net), KSDA_OK); /* vertex 3: no edge, alone */
    assert_int_equal(run(&net, 2, 0, &result), KSDA_INFEASIBLE);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "vertex 3 "));
    ksda_network_clear(check_ctx, &net);
}

/* Which stages progress was reported under; what the parts of a stage call themselves is not among them. */
static int note_stage(const ksda_progress *progress, void *payload) {
    static const char *const names[] = {"rounds",
                                        "the paper's heuristics",
                                        "level sets",
                                        "members out of turn",
                                        "all sets of edges",
                                        "hubs first",
                                        "first bound",
                                        "annealing",
                                        "rewiring",
                                        "Lagrangian bound",
                                        "column generation",
                                        "level program with splits"};
    uint32_t *seen = payload, known = 0;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], progress->stage) == 0) *seen |= 1u << i, known++;
    if (known == 0) print_error("progress is reported as '%s', which is no stage\n", progress->stage);
    assert_int_equal(known, 1);
    return 0;
}

static void progress_is_reported_by_stage(void **state) {
    uint32_t seen = 0;
    ksda_network net;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    (void)state;
    random_network(check_ctx, 3, 80, 0.15, 4, &net);
    ksda_ctx_set_progress(check_ctx, note_stage, &seen);
    assert_true(run(&net, 3, 5, &result) >= 0);
    ksda_ctx_set_progress(check_ctx, NULL, NULL);
    assert_int_equal(seen & 15, 15); /* rounds, heuristics, level sets and lifts all have something to report */
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_networks_always_succeed),
                                       cmocka_unit_test(no_time_gives_a_release_all_the_same),
                                       cmocka_unit_test(time_left_over_changes_nothing),
                                       cmocka_unit_test(without_a_proof_the_release_is_the_same),
                                       cmocka_unit_test(bound_and_cost_against_brute_force),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(threads_change_nothing_where_vertices_are_split),
                                       cmocka_unit_test(known_networks),
                                       cmocka_unit_test(known_realistic_networks),
                                       cmocka_unit_test(impossible_is_proved),
                                       cmocka_unit_test(progress_is_reported_by_stage)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
