/* What the rounds of plausible edges are made of: whole circles of friends, steps that become smaller, and what an edge
 * that comes does to the own edges of its ends. */
#include "methods/levelplan/plausible.h"
#include "context.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/attack.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The worst of the five scores of the release. */
static double worst_of(const ksda_network *net, const ksda_edits *edits) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_attack_result found = KSDA_INIT(ksda_attack_result);
    ksda_attack_options o;
    ksda_attack_options_init(&o);
    o.k = 1, o.attackers = KSDA_ATTACKER_BIT(KSDA_ATTACKER_DEGREE);
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(
        ksda_attack_release(check_ctx, net->graph, net->communities, release.graph, release.owner, &o, &found),
        KSDA_OK);
    assert_true(found.added_worst.measured);
    double worst = found.added_worst.value;
    ksda_attack_result_clear(check_ctx, &found);
    ksda_release_clear(check_ctx, &release);
    return worst;
}

/* --- circles ------------------------------------------------------------------------------------------------------ */

enum {
    SIZE = 7,
    CIRCLES = 12,
    HALF = 1 + CIRCLES * SIZE /* people of a community */
};

/* A ring of circles around somebody who is in the first of them. */
static uint64_t add_ring(uint32_t hub, uint32_t in, uint32_t *pairs, uint64_t m) {
    uint32_t first = hub + 1;
    for (uint32_t i = 0; i < CIRCLES; i++) {
        uint32_t next = (i + 1) % CIRCLES;
        for (uint32_t u = first + i * SIZE; u < first + (i + 1) * SIZE; u++) {
            for (uint32_t v = u + 1; v < first + (i + 1) * SIZE; v++, m++) pairs[2 * m] = u, pairs[2 * m + 1] = v;
            if (i < in) pairs[2 * m] = hub, pairs[2 * m + 1] = u, m++;
        }
        pairs[2 * m] = first + i * SIZE, pairs[2 * m + 1] = first + next * SIZE + 1, m++;
    }
    return m;
}

/* Pairs of those whom the hub of the first community is joined to by added edges who know each other. */
static uint32_t friends_at_hub(const ksda_network *net, const ksda_edits *edits) {
    const ksda_pair *pair;
    uint64_t count = ksda_edits_added(edits, &pair);
    uint32_t friends = 0;
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t j = 0; j < i; j++)
            friends += (pair[i].u == 0 || pair[i].v == 0) && (pair[j].u == 0 || pair[j].v == 0) &&
                       ksda_graph_adjacent(net->graph, pair[i].u + pair[i].v, pair[j].u + pair[j].v);
    return friends;
}

/* Two communities, and in the first one the hub has one circle less: so it is raised, to anybody, and has to stay where
 * it is. One edge into a circle has nobody in common there, as few as any other; all of them into one circle have what
 * own ones have. */
static void whole_circles_are_joined(void **state) {
    static uint32_t pairs[2 * 2 * HALF * SIZE], of[2 * HALF];
    ksda_network net;
    ksda_edits *edits;
    double nearer;
    (void)state;
    for (uint32_t v = 0; v < 2 * HALF; v++) of[v] = v / HALF;
    uint64_t m = add_ring(HALF, 3, pairs, add_ring(0, 2, pairs, 0));
    assert_int_equal(listed_network(check_ctx, 2 * HALF, m, pairs, of, &net), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &edits), KSDA_OK);
    for (uint32_t i = 0; i < SIZE; i++)
        assert_int_equal(ksda_edits_add_edge(check_ctx, edits, 0, 1 + (i + 3) * SIZE + 3), KSDA_OK);
    double was = worst_of(&net, edits);
    assert_int_equal(ksda_i_plausible(check_ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, 1, edits, &nearer),
                     KSDA_OK);
    double is = worst_of(&net, edits);
    print_message("%.3f, and with circles %.3f\n", was, is);
    assert_int_equal(friends_at_hub(&net, edits), SIZE * (SIZE - 1) / 2);
    assert_true(is < 0.85); /* 0.93 without circles, where 5 of these pairs know each other */
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

enum {
    NETWORKS = 6,
    ADDED = 80,
    RAISED = 20
};

/* A round believes that own edges score as they did when it began. Where it exchanges fewer edges that is nearer to
 * what is: all of them at first, and ever fewer later, where edges may be spent. */
static void steps_become_smaller(void **state) {
    (void)state;
    assert_int_equal(ksda_i_disguise_step(0, true), 1);
    assert_int_equal(ksda_i_disguise_step(0, false), 1);
    for (uint64_t round = 1; round < 60; round++)
        assert_true(ksda_i_disguise_step(round, true) >= ksda_i_disguise_step(round - 1, true) &&
                    ksda_i_disguise_step(round, false) <= 4);
    assert_true(ksda_i_disguise_step(24, true) == 4 && ksda_i_disguise_step(25, true) == 8);
    assert_int_equal(ksda_i_disguise_step(59, true), 32);
}

/* Where everybody may have any degree, little is left to tell edges apart. */
static void rounds_come_near_to_chance(void **state) {
    double was = 0, is = 0;
    (void)state;
    for (uint64_t seed = 0; seed < NETWORKS; seed++) {
        ksda_network net;
        double nearer;
        random_network(check_ctx, seed, 60, 0.15, 2, &net);
        ksda_edits *edits = random_additions(check_ctx, seed, net.graph, net.communities, RAISED, ADDED);
        was += worst_of(&net, edits) - 0.5;
        assert_int_equal(
            ksda_i_plausible(check_ctx, net.graph, net.communities, 1, (ksda_share){0, 0}, 2, edits, &nearer), KSDA_OK);
        is += worst_of(&net, edits) - 0.5;
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%.4f from chance, summed up, and %.4f after all rounds\n", was, is);
    assert_true(is < was / 5);
}

/* --- what an edge that comes does to own ones --------------------------------------------------------------------- */

static void open_disguise(const ksda_network *net, const ksda_edits *edits, ksda_i_disguise *out) {
    *out = (ksda_i_disguise){
        .ctx = check_ctx, .graph = net->graph, .communities = net->communities, .edits = edits, .most = ADDED + 2};
    assert_int_equal(ksda_i_disguise_open(out, 1, (ksda_share){0, 0}), KSDA_OK);
}

/* Where p-q stands among the own edges of p in the release, by each score. */
static void rank_slowly(const ksda_network *net, const ksda_graph *g, uint32_t p, uint32_t q, double *sum) {
    double edge[KSDA_I_LIKENESSES], own[KSDA_I_LIKENESSES], below[KSDA_I_LIKENESSES] = {0}, count = 0;
    ksda_i_likeness(g, p, q, true, edge);
    for (uint64_t e = net->graph->off[p]; e < net->graph->off[p + 1]; e++) {
        uint32_t z = net->graph->adj[e];
        if (net->communities->of[z] != net->communities->of[p]) continue;
        ksda_i_likeness(g, p, z, true, own);
        for (int s = 0; s < KSDA_I_LIKENESSES; s++) {
            bool same = fabs(own[s] - edge[s]) < 1e-4;
            below[s] += same ? 0.5 : own[s] < edge[s];
        }
        count++;
    }
    for (int s = 0; s < KSDA_I_LIKENESSES && count > 0; s++) sum[s] += below[s] / count;
}

/* An edge looks, before it comes, as it does when it is there. */
static void what_comes_is_foreseen(void **state) {
    uint32_t seen = 0;
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(24); seed++) {
        ksda_network net;
        ksda_i_disguise d;
        random_network(check_ctx, seed, 50, 0.3, 2, &net);
        ksda_edits *edits = random_additions(check_ctx, seed, net.graph, net.communities, RAISED, ADDED);
        open_disguise(&net, edits, &d);
        for (uint32_t p = 0; p < 8; p++) {
            uint32_t q = p + 20;
            double found[KSDA_I_LIKENESSES] = {0};
            if (net.communities->of[p] != net.communities->of[q] || ksda_i_disguise_joined(&d, p, q)) continue;
            d.stamp++;
            ksda_i_disguise_mark(&d, 0, p);
            ksda_i_looks looks = ksda_i_disguise_looks(&d, 0, p, q, d.degree[p] + 1, d.degree[q] + 1);
            ksda_edits then = *edits;
            ksda_graph *g;
            d.edge[d.edges] = (ksda_pair){p, q};
            then.added.pair = d.edge, then.added.count = d.edges + 1;
            assert_int_equal(ksda_edits_apply(check_ctx, &then, &g), KSDA_OK);
            rank_slowly(&net, g, p, q, found);
            rank_slowly(&net, g, q, p, found);
            for (int s = 0; s < KSDA_I_LIKENESSES; s++) assert_float_equal(looks.sum[s], found[s], 1e-9);
            ksda_graph_free(check_ctx, g);
            seen++;
        }
        ksda_i_disguise_close(&d);
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(enough(seen, 30));
}

/* The own edges of both ends without an edge, and what it would be if it came then: what it is. */
static void what_goes_and_comes_is_as_before(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < times_as_many(12); seed++) {
        ksda_network net;
        ksda_i_disguise d;
        random_network(check_ctx, seed, 50, 0.3, 2, &net);
        ksda_edits *edits = random_additions(check_ctx, seed, net.graph, net.communities, RAISED, ADDED);
        open_disguise(&net, edits, &d);
        for (uint64_t e = 0; e < d.edges; e += 7) {
            const uint32_t end[2] = {d.edge[e].u, d.edge[e].v};
            ksda_i_own_scores was[2];
            ksda_i_disguise_unhook(&d, e);
            d.stamp++;
            ksda_i_disguise_mark(&d, 0, end[0]);
            ksda_i_looks now = ksda_i_disguise_looks_now(&d, 0, end[0], end[1]);
            for (int i = 0; i < 2; i++) was[i] = ksda_i_own_without(&d, i, end[i], end[!i]);
            ksda_i_looks again = ksda_i_disguise_looks(&d, 0, end[0], end[1], d.degree[end[0]], d.degree[end[1]]);
            for (int i = 0; i < 2; i++) d.own[end[i]] = was[i];
            for (int s = 0; s < KSDA_I_LIKENESSES; s++) assert_float_equal(now.sum[s], d.looks[e].sum[s], 1e-9);
            for (int s = 0; s < KSDA_I_LIKENESSES; s++) assert_float_equal(again.sum[s], now.sum[s], 1e-9);
            ksda_i_disguise_hook(&d, e);
        }
        ksda_i_disguise_close(&d);
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_circles_are_joined), cmocka_unit_test(steps_become_smaller),
        cmocka_unit_test(rounds_come_near_to_chance), cmocka_unit_test(what_comes_is_foreseen),
        cmocka_unit_test(what_goes_and_comes_is_as_before)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
