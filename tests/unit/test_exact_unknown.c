/* People without a community, who do not count towards k: what is called optimal is, against trying everything. */
#include "context.h"
#include "exact_reference.h"
#include "graph/communities.h"
#include "random_graph.h"
#include "solvers.h"

#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct tally {
    uint32_t optimal, feasible, none;
} tally;

/* The question of net with the last community not counted is answered truly; `expected` is the least cost, or negative
 * or infinite where there is none. */
static void answer_is_true(const ksda_network *net, const ksda_optimal_options *o, bool program, double expected,
                           tally *t) {
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits;
    bool none = expected < 0 || isinf(expected);
    assert_int_equal(ksda_optimal(check_ctx, net->graph, net->communities, o, &edits, &r), KSDA_OK);
    assert_true((edits != NULL) == (r.status == KSDA_MODEL_OPTIMAL || r.status == KSDA_MODEL_FEASIBLE));
    if (program) assert_int_equal(r.status, none ? KSDA_MODEL_INFEASIBLE : KSDA_MODEL_OPTIMAL);
    if (r.status == KSDA_MODEL_OPTIMAL) assert_true(fabs(r.objective - expected) < 1e-6);
    if (r.status == KSDA_MODEL_INFEASIBLE) assert_true(none);
    if (edits) assert_true(!none && r.bound <= expected + 1e-6 && r.objective >= expected - 1e-6);
    if (r.status == KSDA_MODEL_FEASIBLE) assert_non_null(strstr(r.reason, "do not count towards k"));
    t->optimal += r.status == KSDA_MODEL_OPTIMAL, t->none += edits == NULL;
    t->feasible += r.status == KSDA_MODEL_FEASIBLE;
    ksda_edits_free(check_ctx, edits);
}

/* The fast method in two of three cases, the paper's program in the third. */
static bool is_program(uint64_t seed) {
    return seed % 3 == 0;
}
static const char *solver_of(uint64_t seed) {
    const ksda_i_solver *solver = some_solver(seed / 3);
    return is_program(seed) ? solver->info.name : solver->fast.name;
}

static void who_has_no_community_does_not_count(void **state) {
    tally t = {0, 0, 0};
    (void)state;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(150); seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_optimal_options o;
        random_network(check_ctx, seed + 43000, 9, 0.2 + 0.1 * (double)(seed % 4), 3, &net);
        net.communities->counted = net.communities->count - 1;
        ksda_optimal_options_init(&o);
        o.k = 2, o.solver = solver_of(seed);
        if (net.communities->counted >= 2 && reference_pairs(net.graph, net.communities) <= 14)
            answer_is_true(&net, &o, is_program(seed), reference_add(net.graph, net.communities, 2), &t);
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(enough(t.optimal, 10) && enough(t.none, 5) && enough(t.feasible, 0));
}

static void nor_where_vertices_may_be_split(void **state) {
    tally t = {0, 0, 0};
    (void)state;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(120); seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_optimal_options o;
        random_network(check_ctx, seed + 44000, 4, 0.4 + 0.1 * (double)(seed % 3), 3, &net);
        net.communities->counted = net.communities->count - 1;
        ksda_optimal_options_init(&o);
        o.k = net.communities->counted, o.split = 1, o.split_weight = 2.5, o.solver = solver_of(seed);
        if (o.k > 0 && ksda_graph_edges(net.graph) <= 5) {
            double expected = reference_split(net.graph, net.communities, o.k, 2.5, 2);
            if (expected <= 3 * 2.5) /* else more splits than were tried may be cheaper */
                answer_is_true(&net, &o, is_program(seed), expected, &t);
        }
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(enough(t.optimal, 10));
}

/* Each stands apart: the fast method cannot plan that, the program can. */
static void people_apart_are_for_the_program(void **state) {
    uint32_t apart = 0;
    tally t = {0, 0, 0};
    (void)state;
    need_solver();
    for (uint64_t seed = 0; seed < times_as_many(60); seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_optimal_options o;
        random_network(check_ctx, seed + 45000, 8, 0.3, 4, &net);
        if (net.communities->count == 4 && reference_pairs(net.graph, net.communities) <= 14) {
            ksda_edits *edits;
            net.communities->counted = 2;
            ksda_optimal_options_init(&o);
            o.k = 2, o.solver = some_solver(seed)->fast.name;
            assert_int_equal(ksda_optimal(check_ctx, net.graph, net.communities, &o, &edits, NULL), KSDA_INVALID);
            o.solver = some_solver(seed)->info.name;
            answer_is_true(&net, &o, true, reference_add(net.graph, net.communities, 2), &t);
            apart++;
        }
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(enough(apart, 10) && enough(t.none, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_has_no_community_does_not_count),
                                       cmocka_unit_test(nor_where_vertices_may_be_split),
                                       cmocka_unit_test(people_apart_are_for_the_program)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
