/* The fast exact method against trying everything, against formulation 1, and its parts against their definitions. */
#include "context.h"
#include "core/random.h"
#include "exact/exact.h"
#include "exact/formulation.h"
#include "exact/level_model.h"
#include "exact_reference.h"
#include "realistic.h"
#include "solvers.h"

#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Random networks in which adding edges has a chance: more vertices, larger communities. */
static void one(ksda_ctx *ctx, uint64_t seed, const char *solver, uint32_t *solved, uint32_t *impossible) {
    ksda_network net;
    ksda_edits *edits;
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    uint32_t communities = 2 + (uint32_t)(seed % 5 == 0), n = 3 + (uint32_t)(seed % 5);
    random_network(ctx, seed + 7000, n, 0.2 + 0.1 * (double)(seed % 6), communities, &net);
    ksda_optimal_options_init(&o);
    o.k = 2 + (uint32_t)(seed % 10 == 0), o.solver = solver;
    int expected = reference_add(net.graph, net.communities, o.k);
    ksda_status status = ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r);
    if (status != KSDA_OK) fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, ksda_ctx_error(ctx)->message);
    assert_int_equal(status, KSDA_OK);
    if (expected < 0) {
        if (r.status != KSDA_MODEL_INFEASIBLE) fprintf(stderr, "seed %llu: not infeasible\n", (unsigned long long)seed);
        assert_int_equal(r.status, KSDA_MODEL_INFEASIBLE);
        assert_true(r.reason[0] != 0);
        assert_null(edits);
        ++*impossible;
    } else {
        if (r.status != KSDA_MODEL_OPTIMAL || r.objective != expected)
            fprintf(stderr, "seed %llu: %g %g instead of %d\n", (unsigned long long)seed, r.objective, r.bound,
                    expected);
        assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
        assert_int_equal((int)r.objective, expected);
        ++*solved;
    }
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
}

static void matches_trying_everything(void **state) {
    need_solver();
    for (size_t i = 0; built_solver(i); i++) {
        uint32_t solved = 0, impossible = 0, seeds = (uint32_t)times_as_many(i ? 1000 : 4000);
        for (uint64_t seed = 0; seed < seeds; seed++)
            one(*state, seed, built_solver(i)->fast.name, &solved, &impossible);
        assert_true(solved > seeds / 5 && impossible > seeds / 5);
    }
}

/* Larger ones, where floors, pools and realization come into play, against formulation 1. */
static void matches_formulation_1(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t solved = 0;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(60); seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result fast = KSDA_INIT(ksda_optimal_result), slow = KSDA_INIT(ksda_optimal_result);
        random_network(ctx, seed, 14 + (uint32_t)(seed % 12), 0.25, 2 + (uint32_t)(seed % 3), &net);
        ksda_optimal_options_init(&o);
        o.k = 2, o.solver = some_solver(seed / 2)->fast.name;
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &fast), KSDA_OK);
        ksda_edits_free(ctx, edits);
        o.solver = some_solver(seed)->info.name;
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &slow), KSDA_OK);
        ksda_edits_free(ctx, edits);
        if (fast.status != slow.status || (fast.status == KSDA_MODEL_OPTIMAL && fast.objective != slow.objective))
            fprintf(stderr, "seed %llu: %s %g against %s %g\n", (unsigned long long)seed,
                    ksda_model_status_name(fast.status), fast.objective, ksda_model_status_name(slow.status),
                    slow.objective);
        assert_int_equal(fast.status, slow.status);
        if (fast.status == KSDA_MODEL_OPTIMAL) assert_true(fast.objective == slow.objective), solved++;
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(solved, 20));
}

/* Whatever floor and shares: no relaxation's optimum lies above the true one. */
static void relaxations_are_lower_bounds(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t tried = 0;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(400); seed++) {
        ksda_network net;
        ksda_i_levels l;
        int64_t share[3];
        random_network(ctx, seed + 90000, 7, 0.35, 2, &net);
        int expected = reference_add(net.graph, net.communities, 2);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 2, &l), KSDA_OK);
        if (expected >= 0) assert_int_equal(ksda_i_levels_stuck(&l), KSDA_NO_VERTEX);
        for (int64_t floor = -1; expected >= 0 && floor < 4; floor++) {
            ksda_i_level_model m;
            ksda_i_lp *lp;
            ksda_i_lp_answer a;
            for (uint32_t c = 0; c < l.count; c++) share[c] = floor < 0 ? -1 : floor - 1 - (int64_t)(seed % 2);
            if (share[0] < -1) share[0] = share[1] = -1;
            assert_int_equal(ksda_i_level_model_make(&l, floor, share, expected, NULL, &m), KSDA_OK);
            assert_false(m.impossible);
            assert_int_equal(ksda_i_lp_new(some_solver(seed), &m.model, &lp), KSDA_OK);
            for (int round = 0; round < 20; round++) {
                assert_int_equal(ksda_i_lp_solve(lp, INFINITY, &a), KSDA_OK);
                assert_int_equal(a.verdict, KSDA_I_CHEAPEST);
                assert_true(a.bound <= expected + 1e-6);
                if (ksda_i_level_cuts(&m, a.x, true) == 0) break;
            }
            tried++;
            ksda_i_lp_free(ctx, lp);
            ksda_i_level_model_clear(&m);
        }
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(tried, 200));
}

/* Linear programs alone, from higher floors first and then by cases: never above the optimum, whatever release is
 * known, and often the optimum itself. */
static void the_level_bound_is_never_above_the_optimum(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t tried = 0, tight = 0;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(150); seed++) {
        ksda_network net;
        ksda_i_ranks lists;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        bool small = seed % 3 > 0;
        double bound = 0;
        random_network(ctx, seed + 51000, small ? 5 + (uint32_t)(seed % 4) : 14 + (uint32_t)(seed % 12),
                       small ? 0.35 : 0.25, 2 + (uint32_t)(seed % 2), &net);
        ksda_optimal_options_init(&o);
        o.k = 2;
        int expected = small ? reference_add(net.graph, net.communities, o.k) : -1;
        if (!small) {
            assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
            if (r.status == KSDA_MODEL_OPTIMAL) expected = (int)r.objective;
            ksda_edits_free(ctx, edits);
        }
        if (expected >= 0) {
            double cost = expected + (double)(seed % 5); /* of the release that is known */
            assert_int_equal(ksda_i_ranks_make(ctx, net.graph, net.communities, &lists), KSDA_OK);
            assert_int_equal(ksda_i_level_bound(ctx, &lists, o.k, cost, INFINITY, &bound), KSDA_OK);
            if (bound > expected)
                fail_msg("seed %llu: %g, and %d is enough", (unsigned long long)seed, bound, expected);
            tried++, tight += bound == expected;
            ksda_i_ranks_clear(ctx, &lists);
        }
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(tried, 60) && 2 * tight > tried);
}

/* The same of releases with exactly one split, with two, and with one or two, against trying everything; from several
 * floors, of which the lowest leaves nobody out. */
static void the_level_bound_with_splits_is_never_above_the_optimum(void **state) {
    static const double weights[] = {0.3, 1, 2.5, 10};
    ksda_ctx *ctx = *state;
    uint32_t tried = 0, tight = 0;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(240); seed++) {
        ksda_network net;
        ksda_i_ranks lists;
        uint32_t k = 2 + seed % 2;
        double weight = weights[seed / 2 % 4];
        random_network(ctx, seed + 81000, 4 + (uint32_t)(seed % 3), 0.4, 2 + (uint32_t)(seed / 8 % 2), &net);
        if (ksda_graph_edges(net.graph) <= 5 && ksda_communities_count(net.communities) >= k) {
            double one = reference_split_exactly(net.graph, net.communities, k, weight, 1),
                   two = reference_split_exactly(net.graph, net.communities, k, weight, 2);
            const double least[] = {one, two, fmin(one, two)};
            assert_int_equal(ksda_i_ranks_make(ctx, net.graph, net.communities, &lists), KSDA_OK);
            for (uint32_t i = 0; i < 3; i++) {
                const ksda_i_colgen_splits splits = {weight, 1 + (i == 1), 1 + (i > 0)};
                double bound = 0, cost = (isinf(least[i]) ? 4 + 2 * weight : least[i]) + (double)(seed % 4);
                uint64_t took;
                assert_int_equal(ksda_i_level_splits_bound(ctx, &lists, k, &splits, cost, INFINITY,
                                                           seed % 5 ? 12000 : 150, true, &bound, &took),
                                 KSDA_OK);
                if (bound > least[i] * (1 + 1e-12))
                    fail_msg("seed %llu, %u to %u splits: %g, and %g is enough", (unsigned long long)seed, splits.least,
                             splits.most, bound, least[i]);
                tried++, tight += bound >= least[i] * (1 - 1e-9);
            }
            ksda_i_ranks_clear(ctx, &lists);
        }
        ksda_network_clear(ctx, &net);
    }
    print_message("%u questions, %u answered by the optimum\n", tried, tight);
    assert_true(enough(tried, 100) && 8 * tight > tried);
}

static int note_rounds(const ksda_progress *progress, void *payload) {
    if (strcmp(progress->stage, "rounds") == 0) *(bool *)payload = true;
    return 0;
}

/* level-plan is not run again where its release, or any other, was handed in: the optimum is the same. */
static void a_start_replaces_the_heuristics(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t begun = 0;
    need_solver();
    for (uint64_t seed = 0; seed < 12; seed++) {
        ksda_network net;
        ksda_optimal_options o;
        ksda_optimal_result first = KSDA_INIT(ksda_optimal_result), second = KSDA_INIT(ksda_optimal_result);
        ksda_edits *edits, *again;
        bool planned = false;
        random_network(ctx, seed + 4100, 14, 0.3, 2, &net);
        ksda_optimal_options_init(&o);
        o.k = 2;
        ksda_ctx_set_progress(ctx, note_rounds, &planned);
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &first), KSDA_OK);
        if (edits) {
            begun += planned;
            planned = false, o.start = edits;
            assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &again, &second), KSDA_OK);
            assert_false(planned);
            assert_true(second.status == first.status && second.objective == first.objective);
            ksda_edits_free(ctx, again);
        }
        ksda_ctx_set_progress(ctx, NULL, NULL);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    assert_true(begun > 3);
}

/* Proved before by branch and cut on another relaxation. */
static void airports_at_two_have_their_known_optima(void **state) {
    static const struct {
        const char *part;
        double cost;
    } known[] = {{"metis8", 84}, {"metis5", 183}};
    ksda_ctx *ctx = *state;
    need_solver();
    for (size_t i = 0; i < 2; i++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        if (!data_network(ctx, "usairport500", known[i].part, &net)) skip();
        ksda_optimal_options_init(&o);
        o.k = 2;
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
        assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
        assert_true(r.objective == known[i].cost && r.bound == known[i].cost);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
}

static void airports_impossible_at_four_is_proved_at_once(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_edits *edits;
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    if (!data_network(ctx, "usairport500", "metis5", &net)) skip();
    ksda_optimal_options_init(&o);
    o.k = 4;
    assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
    assert_int_equal(r.status, KSDA_MODEL_INFEASIBLE);
    assert_true(isinf(r.bound));
    assert_non_null(strstr(r.reason, "vertex"));
    assert_true(r.seconds < 1);
    ksda_network_clear(ctx, &net);
}

/* The same where there is no data folder: optima that level-plan's certificate and the branch and bound agree on, and
 * an impossibility. */
static void realistic_networks_have_their_known_optima(void **state) {
    static const struct {
        const char *name;
        uint32_t k;
        double cost;
    } known[] = {{"karate", 2, 6}, {"teams", 3, 3}, {"by degree", 2, 93}, {"lesmis", 2, INFINITY}};
    ksda_ctx *ctx = *state;
    need_solver();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        named_network(ctx, known[i].name, &net);
        ksda_optimal_options_init(&o);
        o.k = known[i].k;
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
        if (r.bound != known[i].cost) fail_msg("%s: %g", known[i].name, r.bound);
        assert_int_equal(r.status, isinf(known[i].cost) ? KSDA_MODEL_INFEASIBLE : KSDA_MODEL_OPTIMAL);
        assert_true(edits ? r.objective == r.bound : strstr(r.reason, "vertex Valjean") != NULL);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
}

/* The raises and openings of every level, by their definitions. */
static void levels_as_defined(const ksda_i_levels *l) {
    for (uint32_t t = 0; t <= l->top; t++) {
        uint32_t taken[16] = {0}, there = 0;
        uint64_t opening = 0;
        for (uint32_t c = 0; c < l->count; c++) {
            uint32_t least = UINT32_MAX;
            for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
                if (l->degree[i] <= t && t <= l->max_degree[i] && t - l->degree[i] < least) least = t - l->degree[i];
            assert_int_equal(ksda_i_least(l, c, t), least);
        }
        for (; there < l->k; there++) { /* the cheapest community that is not taken yet */
            uint32_t best = UINT32_MAX;
            for (uint32_t c = 0; c < l->count; c++)
                if (!taken[c] && ksda_i_least(l, c, t) != UINT32_MAX &&
                    (best == UINT32_MAX || ksda_i_least(l, c, t) < ksda_i_least(l, best, t)))
                    best = c;
            if (best == UINT32_MAX) break;
            taken[best] = 1, opening += ksda_i_least(l, best, t);
        }
        assert_true(l->opening[t] == (there < l->k ? UINT64_MAX : opening));
    }
}

static uint32_t stuck_as_defined(const ksda_i_levels *l) {
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t t = l->degree[i];
        while (t <= l->max_degree[i] && l->opening[t] == UINT64_MAX) t++;
        if (t > l->max_degree[i]) return i;
    }
    return KSDA_NO_VERTEX;
}

static void levels_are_priced_as_defined(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < times_as_many(400); seed++) {
        ksda_network net;
        ksda_i_levels l;
        uint32_t communities = 2 + seed % 6, n = communities + seed % 23, k = 2 + seed % (communities - 1);
        random_network(ctx, seed, n, 0.05 + 0.1 * (double)(seed % 9), communities, &net);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, k, &l), KSDA_OK);
        levels_as_defined(&l);
        assert_int_equal(ksda_i_levels_stuck(&l), stuck_as_defined(&l));
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
}

/* A community of everybody and very many of one: tables of community times degree would take 40 GB. */
static void levels_take_no_more_than_the_network(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_i_levels l;
    uint32_t n = 200000, *edge = calloc(n, 2 * sizeof *edge), *of = calloc(n, sizeof *of);
    assert_true(edge && of);
    for (uint32_t v = 1; v < n; v++) edge[2 * v - 2] = 0, edge[2 * v - 1] = v;
    for (uint32_t v = n / 2; v < n; v++) of[v] = v - n / 2 + 1;
    assert_int_equal(listed_network(ctx, n, n - 1, edge, of, &net), KSDA_OK);
    assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 2, &l), KSDA_OK);
    assert_true(l.row[l.count] <= 3 * (uint64_t)n);
    assert_int_equal(ksda_i_levels_stuck(&l), 0);
    ksda_edits *edits; /* a table of communities times degrees would take 80 GB */
    for (uint32_t v = 0; v < n; v++) of[v] = KSDA_NO_VERTEX;
    assert_int_equal(ksda_i_targets_realize(&l, of, NULL, 0, &edits), KSDA_OK);
    assert_null(edits);
    ksda_i_levels_clear(&l);
    ksda_network_clear(ctx, &net);
    free(edge), free(of);
}

/* The levels above the floor after random edges have been added, each at a vertex that is there: the edges, and the
 * levels to level[], descending. */
static uint32_t random_plan(const ksda_graph *g, uint32_t floor, ksda_i_rng *rng, uint32_t *level, uint32_t *levels) {
    uint32_t added = 0, degree[8];
    for (uint32_t u = 0; u < g->n; u++) degree[u] = ksda_i_degree(g, u);
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t v = u + 1; v < g->n; v++) {
            bool high = ksda_i_degree(g, u) > floor || ksda_i_degree(g, v) > floor;
            if (high && !ksda_graph_adjacent(g, u, v) && ksda_i_rng_below(rng, 3)) degree[u]++, degree[v]++, added++;
        }
    *levels = 0;
    for (uint32_t d = g->n; d > floor; d--)
        for (uint32_t u = 0; u < g->n; u++)
            if (degree[u] == d && (*levels == 0 || level[*levels - 1] != d)) level[(*levels)++] = d;
    return added;
}

/* A plan that some release has is realized, for no more edges: one of what is planned must not be an edge to more low
 * vertices than there are. */
static void a_plan_that_a_release_has_is_realized(void **state) {
    static const uint8_t uses[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    ksda_ctx *ctx = *state;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(150); seed++) {
        ksda_network net;
        ksda_i_levels l;
        ksda_edits *edits;
        ksda_i_rng rng = ksda_i_rng_stream(seed, 7, 0);
        uint32_t level[8], levels, floor = 1 + (uint32_t)(seed % 3);
        random_network(ctx, seed + 900, 7, 0.3 + 0.1 * (double)(seed % 4), 1, &net);
        uint32_t added = random_plan(net.graph, floor, &rng, level, &levels);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 1, &l), KSDA_OK);
        assert_int_equal(ksda_i_plan_realize_exactly(built_solver(0), &l, floor, levels, level, uses, added, &edits),
                         KSDA_OK);
        assert_non_null(edits);
        assert_true(ksda_edits_added(edits, NULL) <= added);
        ksda_edits_free(ctx, edits);
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(realistic_networks_have_their_known_optima, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(levels_are_priced_as_defined, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(levels_take_no_more_than_the_network, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(matches_trying_everything, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(matches_formulation_1, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(a_plan_that_a_release_has_is_realized, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(a_start_replaces_the_heuristics, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(relaxations_are_lower_bounds, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(the_level_bound_is_never_above_the_optimum, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(the_level_bound_with_splits_is_never_above_the_optimum, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(airports_at_two_have_their_known_optima, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(airports_impossible_at_four_is_proved_at_once, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
