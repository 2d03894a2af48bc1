/* level-plan with a share bound: every release recounted, nothing below a bound, and what is called impossible is. */
#include "exact_reference.h"
#include "context.h"
#include "random_graph.h"

#include "bound/share_bound.h"
#include "lp/solver.h"
#include "methods/levelplan/share_plan.h"
#include "methods/levelplan/stages.h"

#include <ksda/detect.h>
#include <ksda/exact.h>
#include <ksda/publish.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct outcome {
    ksda_status status;
    uint64_t edges, vertices;
    double cost, bound;
} outcome;

static outcome publish_and(ksda_ctx *ctx, const ksda_network *net, uint32_t k, ksda_share share, bool prove) {
    ksda_anonymize_options o;
    ksda_publication *p = NULL;
    outcome out = {.cost = NAN};
    ksda_anonymize_options_init(&o);
    o.k = k, o.max_share = share, o.no_proof = !prove;
    out.status = ksda_publish(ctx, net->graph, net->communities, NULL, &o, NULL, &p);
    if (p) {
        const ksda_anonymize_result *r = ksda_publication_result(p);
        const ksda_release *release = ksda_publication_release(p);
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        out.edges = r->added_edges, out.vertices = r->added_vertices, out.cost = r->cost, out.bound = r->lower_bound;
        assert_int_equal(ksda_diversity_check_share(ctx, release->graph, release->communities, k, &share, &d), KSDA_OK);
        assert_true(d.satisfied && d.share_satisfied);
        ksda_diversity_clear(ctx, &d);
    }
    ksda_publication_free(ctx, p);
    return out;
}

static outcome publish(ksda_ctx *ctx, const ksda_network *net, uint32_t k, ksda_share share) {
    return publish_and(ctx, net, k, share, true);
}

static void releases_keep_the_share(void **state) {
    ksda_ctx *ctx = *state;
    static const ksda_share shares[] = {{1, 2}, {2, 3}, {3, 4}, {1, 3}, {1, 1}, {5, 8}};
    unsigned found = 0, impossible = 0, none = 0;
    for (uint64_t seed = 0; seed < times_as_many(24); seed++) {
        ksda_network net;
        uint32_t communities = 2 + (uint32_t)(seed % 4), n = 6 + (uint32_t)(seed % 23);
        ksda_share share = shares[seed / 4 % 6];
        random_network(ctx, seed, n, 0.15 + 0.05 * (double)(seed % 7), communities, &net);
        outcome o = publish(ctx, &net, 2, share);
        if (o.status == KSDA_OK || o.status == KSDA_LIMIT) {
            found++;
            assert_true(isnan(o.bound) || o.bound <= o.cost * (1 + 1e-12));
        } else if (o.status == KSDA_INFEASIBLE) {
            impossible++;
        } else {
            assert_int_equal(o.status, KSDA_NOT_FOUND);
            none++;
        }
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(found, 7) && none < found);
}

/* --- against all sets of edges -------------------------------------------------------------------------------------
 */

#define MOST_EDGES 5u /* that are tried together */

typedef struct tiny {
    uint32_t n, pairs, of[16], degree[16], pair[64][2];
    ksda_share share;
} tiny;

static bool holds(const void *network) {
    const tiny *t = network;
    uint32_t at[16][4] = {{0}}, all[16] = {0};
    for (uint32_t v = 0; v < t->n; v++) at[t->degree[v]][t->of[v]]++, all[t->degree[v]]++;
    for (uint32_t d = 0; d < 16; d++) {
        uint32_t kinds = 0;
        for (uint32_t c = 0; c < 4; c++) {
            kinds += at[d][c] > 0;
            if (at[d][c] * t->share.denominator > all[d] * t->share.numerator) return false;
        }
        if (all[d] && kinds < 2) return false;
    }
    return true;
}

static uint32_t fewest_edges(tiny *t) {
    return reference_fewest(t->degree, (const uint32_t(*)[2])t->pair, t->pairs, MOST_EDGES, holds, t);
}

static tiny tiny_of(const ksda_network *net, ksda_share share) {
    tiny t = {.n = ksda_graph_vertices(net->graph), .share = share};
    for (uint32_t v = 0; v < t.n; v++) {
        t.of[v] = ksda_communities_of(net->communities, v), t.degree[v] = ksda_graph_degree(net->graph, v);
        for (uint32_t u = 0; u < v; u++)
            if (t.of[u] == t.of[v] && !ksda_graph_adjacent(net->graph, u, v))
                t.pair[t.pairs][0] = u, t.pair[t.pairs++][1] = v;
    }
    return t;
}

/* The paper's program with the rows of the share, by whichever solver is there. */
static void compare_with_program(ksda_ctx *ctx, const ksda_network *net, ksda_share share, uint32_t optimum) {
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits = NULL;
    ksda_optimal_options_init(&o);
    o.k = 2, o.max_share = share;
    ksda_ctx_allow_processes(ctx, 1);
    ksda_status status = ksda_optimal(ctx, net->graph, net->communities, &o, &edits, &r);
    ksda_ctx_allow_processes(ctx, 0);
    if (status == KSDA_UNSUPPORTED) return;
    assert_int_equal(status, KSDA_OK);
    if (optimum != UINT32_MAX) {
        assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
        assert_int_equal(r.added_edges, optimum);
    } else if (r.status == KSDA_MODEL_OPTIMAL) {
        assert_true(r.added_edges > MOST_EDGES); /* more than were tried */
    }
    ksda_edits_free(ctx, edits);
}

/* Whatever is proved lies below the optimum, what is found above; without splits where there is a way without. */
static void duel_with_all_sets_of_edges(void **state) {
    ksda_ctx *ctx = *state;
    static const ksda_share shares[] = {{1, 2}, {2, 3}, {3, 5}, {1, 3}};
    unsigned solved = 0, met = 0;
    for (uint64_t seed = 0; seed < times_as_many(60); seed++) {
        ksda_network net;
        random_network(ctx, 1000 + seed, 7 + (uint32_t)(seed % 4), 0.45, 2 + (uint32_t)(seed % 2), &net);
        tiny t = tiny_of(&net, shares[seed / 3 % 4]);
        uint32_t optimum = fewest_edges(&t);
        outcome o = publish(ctx, &net, 2, t.share);
        if (o.status >= 0 && optimum != UINT32_MAX) {
            solved++;
            assert_true(o.bound <= optimum);
            assert_true(o.vertices > 0 || o.edges >= optimum);
            met += o.vertices == 0 && o.edges == optimum;
        }
        assert_true(optimum == UINT32_MAX || o.status >= 0); /* there is a release: it is found */
        if (o.status >= 0 && o.vertices == 0 && o.edges <= MOST_EDGES) assert_true(optimum <= o.edges);
        compare_with_program(ctx, &net, t.share, optimum);
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(solved, 5) && met * 10 >= solved * 9);
}

/* The bound by itself, with and without who is adjacent among the largest: never above the fewest edges, and more with.
 */
static void bound_is_never_above_the_fewest_edges(void **state) {
    ksda_ctx *ctx = *state;
    static const ksda_share shares[] = {{1, 2}, {2, 3}, {3, 5}, {1, 3}, {3, 4}};
    unsigned solved = 0, higher = 0, wholes = 0, raised = 0;
    if (!ksda_i_solver_default()) skip();
    for (uint64_t seed = 0; seed < times_as_many(400); seed++) {
        ksda_network net;
        ksda_i_ranks lists = {0};
        ksda_i_share_levels levels = {0};
        uint32_t slack[16], degree[16], of[16], n = 6 + (uint32_t)(seed % 5);
        double bound, plain;
        bool done;
        random_network(ctx, 5000 + seed, n, 0.3 + 0.1 * (double)(seed % 6), 2 + (uint32_t)(seed / 6 % 2), &net);
        tiny t = tiny_of(&net, shares[seed / 12 % 5]);
        assert_int_equal(ksda_i_ranks_make(ctx, net.graph, net.communities, &lists), KSDA_OK);
        assert_int_equal(ksda_i_community_slack(ctx, net.graph, net.communities, slack), KSDA_OK);
        for (uint32_t v = 0; v < n; v++) degree[v] = t.degree[v], of[v] = t.of[v];
        assert_int_equal(ksda_i_share_levels_make(ctx, n, degree, of, slack, net.communities, &levels), KSDA_OK);
        assert_int_equal(ksda_i_share_bound(ctx, &levels, NULL, t.share, &plain, NULL, &done), KSDA_OK);
        assert_int_equal(ksda_i_share_bound(ctx, &levels, &lists, t.share, &bound, NULL, &done), KSDA_OK);
        uint32_t optimum = fewest_edges(&t);
        double whole = bound, cases = 0;
        assert_int_equal(ksda_i_share_bound_cases(ctx, &levels, &lists, t.share, INFINITY, &cases), KSDA_OK);
        assert_true(cases >= bound - 1e-6);
        ksda_ctx_allow_processes(ctx, 1);
        if (seed % 8 == 0 && isfinite(bound))
            assert_int_equal(ksda_i_share_bound_whole(ctx, &levels, &lists, t.share, 60, &whole), KSDA_OK);
        ksda_ctx_allow_processes(ctx, 0);
        assert_true(bound >= plain - 1e-6 && whole >= bound);
        if (optimum != UINT32_MAX) {
            assert_true(bound <= optimum + 1e-6 && whole <= optimum && cases <= optimum + 1e-6);
            raised += ceil(cases - 1e-6) > ceil(bound - 1e-6);
            solved++, higher += bound > plain + 1e-3, wholes += whole > ceil(bound - 1e-6);
        }
        ksda_i_share_levels_clear(ctx, &levels);
        ksda_i_ranks_clear(ctx, &lists);
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(solved, 30) && enough(higher, 3) && enough(wholes, 1) && enough(raised, 1));
}

/* --- plans ---------------------------------------------------------------------------------------------------------
 */

/* A plan holds: people of a community stay as many, rise only, no more than can, and no level lacks anybody. */
static void check_plan(const ksda_i_share_plan *p) {
    const ksda_i_share_levels *l = p->levels;
    assert_int_equal(p->lacking, 0);
    for (uint32_t c = 0; c < l->communities; c++) {
        uint64_t begun = 0, planned = 0, need = 0;
        for (uint32_t i = l->levels; i-- > 0;) { /* from the top: those planned from here on, less those who began so */
            begun += l->count[ksda_i_share_cell(l, i, c)], planned += p->here[ksda_i_share_cell(l, i, c)];
            assert_true(planned >= begun);
            if (i) assert_true(planned - begun <= l->most[ksda_i_share_cell(l, i - 1, c)]);
            if (i) need += (planned - begun) * (l->degree[i] - l->degree[i - 1]);
        }
        assert_int_equal(planned, begun);
        assert_int_equal(p->need[c], need);
    }
    for (uint32_t i = 0; i < l->levels; i++) {
        uint64_t all = 0, largest = 0, present = 0;
        for (uint32_t c = 0; c < l->communities; c++) {
            uint64_t here = p->here[ksda_i_share_cell(l, i, c)];
            all += here, present += here > 0, largest = here > largest ? here : largest;
        }
        assert_true(largest * p->share.denominator <= all * p->share.numerator && (all == 0 || present >= p->k));
    }
}

static void plans_of_the_beam_hold(void **state) {
    ksda_ctx *ctx = *state;
    static const ksda_share shares[] = {{1, 2}, {2, 5}, {1, 3}, {3, 4}};
    unsigned plans = 0, cheaper = 0;
    for (uint64_t seed = 0; seed < times_as_many(60); seed++) {
        ksda_network net;
        ksda_i_share_levels levels = {0};
        ksda_i_share_plan beam = {.ctx = ctx}, search = {.ctx = ctx};
        uint32_t n = 40 + (uint32_t)(seed % 60), slack[128], degree[128], of[128];
        double pairs[8] = {1, 0.5, 1, 0.7, 1, 1, 0.2, 1};
        bool found;
        random_network(ctx, 900 + seed, n, 0.08 + 0.02 * (double)(seed % 5), 4 + (uint32_t)(seed % 4), &net);
        assert_int_equal(ksda_i_community_slack(ctx, net.graph, net.communities, slack), KSDA_OK);
        for (uint32_t v = 0; v < n; v++)
            degree[v] = ksda_graph_degree(net.graph, v), of[v] = ksda_communities_of(net.communities, v);
        assert_int_equal(ksda_i_share_levels_make(ctx, n, degree, of, slack, net.communities, &levels), KSDA_OK);
        assert_int_equal(ksda_i_share_plan_open(ctx, &levels, shares[seed % 4], 2, pairs, &beam), KSDA_OK);
        assert_int_equal(ksda_i_share_plan_open(ctx, &levels, shares[seed % 4], 2, pairs, &search), KSDA_OK);
        assert_int_equal(ksda_i_share_beam(&beam, &found), KSDA_OK);
        search.chain = KSDA_I_SHARE_CHAIN;
        assert_int_equal(ksda_i_share_plan_search(&search, 0, false, 20000), KSDA_OK);
        if (found) check_plan(&beam);
        if (search.lacking == 0) check_plan(&search);
        plans += found;
        cheaper += found && (search.lacking || ksda_i_share_plan_cost(&beam) <= ksda_i_share_plan_cost(&search));
        ksda_i_share_plan_close(&beam);
        ksda_i_share_plan_close(&search);
        ksda_i_share_levels_clear(ctx, &levels);
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(plans, 30) && enough(cheaper, 3));
}

/* One of degree 1 that rises to 7 beside three of degree 5: he meets each of them once, three of his edges meet nobody,
 * and of the others' needs, 2 each, one each is left. */
static void needs_meet_each_other_once(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t levels_of[] = {1, 5, 7};
    uint32_t counts[] = {1, 3, 0}, mosts[] = {1, 4, 0}, planned[] = {0, 0, 4};
    double pairs[] = {1};
    ksda_i_share_levels levels = {
        .communities = 1, .levels = 3, .counted = 1, .degree = levels_of, .count = counts, .most = mosts};
    ksda_i_share_plan plan = {.ctx = ctx};
    assert_int_equal(ksda_i_share_plan_open(ctx, &levels, (ksda_share){1, 1}, 1, pairs, &plan), KSDA_OK);
    memcpy(plan.here, planned, sizeof planned);
    ksda_i_share_plan_read(&plan);
    assert_int_equal(plan.need[0], 12);
    assert_true(fabs(ksda_i_share_plan_cost(&plan) - 7.5) < 1e-9);
    ksda_i_share_plan_close(&plan);
}

/* The share 1 asks for nothing that k does not. */
static void all_of_a_degree_is_no_bound(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    random_network(ctx, 3, 24, 0.2, 3, &net);
    outcome with = publish(ctx, &net, 2, (ksda_share){1, 1}), without = publish(ctx, &net, 2, (ksda_share){0, 0});
    assert_int_equal(with.status, without.status);
    assert_true(with.cost >= without.bound);
    ksda_network_clear(ctx, &net);
}

/* Three of one community and one of another, one edge across: of 1 + 3 or more vertices at most 1 + 1 are the other's.
 */
static void pigeonhole_is_a_proof(void **state) {
    ksda_ctx *ctx = *state;
    static const uint32_t edges[] = {0, 3, 0, 1, 1, 2}, of[] = {0, 0, 0, 1};
    ksda_network net = {.graph = NULL};
    assert_int_equal(listed_network(ctx, 4, 3, edges, of, &net), KSDA_OK);
    outcome o = publish(ctx, &net, 2, (ksda_share){1, 2});
    assert_int_equal(o.status, KSDA_INFEASIBLE);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "has 3 members"));
    o = publish(ctx, &net, 2, (ksda_share){1, 3});
    assert_int_equal(o.status, KSDA_INFEASIBLE);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "at least 3 communities"));
    ksda_network_clear(ctx, &net);
}

/* Four of one community, of another four who can be split into twelve, and one alone with one edge: at most 4 + 4 + 1
 * count beside 4. */
static void communities_too_small_to_follow_are_a_proof(void **state) {
    ksda_ctx *ctx = *state;
    static const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 4, 5, 4, 6, 4, 7, 5, 6, 5, 7, 6, 7, 0, 8},
                          of[] = {0, 0, 0, 0, 1, 1, 1, 1, 2};
    ksda_network net = {.graph = NULL};
    assert_int_equal(listed_network(ctx, 9, 10, edges, of, &net), KSDA_OK);
    assert_int_equal(publish(ctx, &net, 2, (ksda_share){1, 3}).status, KSDA_INFEASIBLE);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "into 9 published vertices at most if none is to have more"));
    ksda_network_clear(ctx, &net);
}

/* Can any numbers of pieces, from one of each person to one of each edge, keep the share over all degrees? */
static bool some_numbers_hold(const uint32_t *low, const uint32_t *high, uint32_t communities, ksda_share share) {
    uint32_t x[4];
    memcpy(x, low, communities * sizeof *x);
    for (;;) {
        uint64_t sum = 0, most = 0;
        for (uint32_t c = 0; c < communities; c++) sum += x[c], most = x[c] > most ? x[c] : most;
        if (most * share.denominator <= sum * share.numerator) return true;
        uint32_t c = 0;
        while (c < communities && ++x[c] > high[c]) x[c] = low[c], c++;
        if (c == communities) return false;
    }
}

static void pigeonhole_is_exact(void **state) {
    ksda_ctx *ctx = *state;
    static const ksda_share shares[] = {{1, 2}, {2, 5}, {3, 8}, {1, 3}, {2, 7}, {1, 4}};
    unsigned impossible = 0;
    for (uint64_t seed = 0; seed < times_as_many(1000); seed++) {
        ksda_network net;
        uint32_t communities = 3 + (uint32_t)(seed % 2), low[4] = {0}, high[4] = {0};
        ksda_share share = shares[seed / 2 % 6];
        random_network(ctx, seed, 4 + (uint32_t)(seed % 9), 0.1 + 0.05 * (double)(seed % 5), communities, &net);
        communities = ksda_communities_count(net.communities);
        for (uint32_t v = 0; v < ksda_graph_vertices(net.graph); v++) {
            uint32_t c = ksda_communities_of(net.communities, v), degree = ksda_graph_degree(net.graph, v);
            low[c]++, high[c] += degree ? degree : 1;
        }
        bool possible = ksda_i_check_share_possible(ctx, net.graph, net.communities, share) == KSDA_OK;
        bool enough_communities = (uint64_t)share.numerator * communities >= share.denominator;
        assert_int_equal(possible, enough_communities && some_numbers_hold(low, high, communities, share));
        impossible += !possible;
        ksda_network_clear(ctx, &net);
    }
    assert_true(enough(impossible, 100));
}

static void other_methods_refuse(void **state) {
    ksda_ctx *ctx = *state;
    size_t count;
    const ksda_method *all = ksda_methods(&count);
    ksda_network net;
    random_network(ctx, 3, 24, 0.2, 3, &net);
    for (size_t i = 0; i < count; i++) {
        ksda_anonymize_options o;
        ksda_edits *edits = NULL;
        ksda_anonymize_options_init(&o);
        o.k = 2, o.max_share = (ksda_share){2, 3};
        if (all[i].flags & KSDA_METHOD_SHARES) continue;
        assert_int_equal(ksda_anonymize(ctx, net.graph, net.communities, &all[i], &o, &edits, NULL), KSDA_INVALID);
        assert_non_null(strstr(ksda_ctx_error(ctx)->message, "does not know a largest share"));
    }
    ksda_network_clear(ctx, &net);
}

/* Where a quarter of each degree takes hundreds of splits, a release is there at once, before anything is searched. */
static void a_first_release_comes_early(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= times_as_many(2); seed++) {
        ksda_network net = {0};
        ksda_planted_options planted;
        ksda_anonymize_options o;
        ksda_publication *p = NULL;
        ksda_planted_options_init(&planted);
        planted.vertices = 600, planted.edges = 2000, planted.communities = 9;
        ksda_ctx_set_seed(ctx, seed);
        assert_int_equal(ksda_generate_planted(ctx, &planted, &net.graph, &net.communities), KSDA_OK);
        ksda_anonymize_options_init(&o);
        o.k = 4, o.max_share = (ksda_share){1, 4}, o.no_proof = 1;
        uint64_t begun = ksda_i_work_done(ctx), around = ksda_i_work_begin(ctx, 1);
        assert_int_equal(ksda_publish(ctx, net.graph, net.communities, NULL, &o, NULL, &p), KSDA_OK);
        ksda_i_work_finish(ctx, around);
        assert_true(ksda_i_work_done(ctx) - begun < UINT64_C(400000000));
        const ksda_release *release = ksda_publication_release(p);
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        assert_int_equal(ksda_diversity_check_share(ctx, release->graph, release->communities, o.k, &o.max_share, &d),
                         KSDA_OK);
        assert_true(d.satisfied && d.share_satisfied);
        ksda_diversity_clear(ctx, &d);
        ksda_publication_free(ctx, p);
        ksda_network_clear(ctx, &net);
    }
}

/* Where a plan nearly does, what was learned of it mends it: with the work of half a second or so few people are split.
 */
static void plans_that_nearly_do_are_mended(void **state) {
    ksda_ctx *ctx = *state;
    uint64_t splits = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ksda_network net = {0};
        ksda_planted_options planted;
        ksda_planted_options_init(&planted);
        planted.vertices = 120, planted.edges = 700, planted.communities = 4;
        planted.degree_exponent = 2, planted.mixing = 0.4;
        ksda_ctx_set_seed(ctx, seed);
        assert_int_equal(ksda_generate_planted(ctx, &planted, &net.graph, &net.communities), KSDA_OK);
        uint64_t around = ksda_i_work_begin(ctx, UINT64_C(400000000));
        outcome o = publish(ctx, &net, 3, (ksda_share){1, 3});
        ksda_i_work_finish(ctx, around);
        assert_true(o.status == KSDA_OK || o.status == KSDA_LIMIT);
        splits += o.vertices;
        ksda_network_clear(ctx, &net);
    }
    assert_true(splits <= 130); /* 156 where every plan begins anew */
}

/* One of the ways to have so many vertices of odd and of even degree in each community, community after community. */
static bool some_parity_numbers_hold(const ksda_i_parity_range *x, uint32_t communities, ksda_share share,
                                     uint32_t decided, uint64_t (*have)[2]) {
    if (decided == communities) {
        for (int i = 0; i < 2; i++) {
            uint64_t sum = 0, most = 0;
            for (uint32_t c = 0; c < communities; c++) sum += have[c][i], most = have[c][i] > most ? have[c][i] : most;
            if (most * share.denominator > sum * share.numerator) return false;
        }
        return true;
    }
    for (uint64_t odd = x[decided].odd; odd <= x[decided].most; odd += 2)
        for (uint64_t even = 0; odd + even <= x[decided].most; even++) {
            have[decided][0] = odd, have[decided][1] = even;
            if (odd + even >= x[decided].members && some_parity_numbers_hold(x, communities, share, decided + 1, have))
                return true;
        }
    return false;
}

static void what_parity_forbids_is_exact(void **state) {
    static const ksda_share shares[] = {{1, 2}, {2, 5}, {3, 8}, {1, 3}, {2, 7}, {3, 7}};
    unsigned forbidden = 0;
    ksda_i_rng rng = ksda_i_rng_stream(5, 0, 0);
    (void)state;
    for (uint32_t i = 0; i < times_as_many(3000); i++) {
        ksda_i_parity_range x[4];
        uint64_t have[4][2];
        uint32_t communities = 2 + i % 3, most = communities == 4 ? 4 : 7;
        ksda_share share = shares[i / 3 % 6];
        for (uint32_t c = 0; c < communities; c++) {
            x[c].most = 1 + ksda_i_rng_below(&rng, most), x[c].members = 1 + ksda_i_rng_below(&rng, x[c].most);
            x[c].odd = (unsigned)ksda_i_rng_below(&rng, 2);
        }
        bool allowed = ksda_i_share_parity_allows(share, communities, x);
        assert_int_equal(allowed, some_parity_numbers_hold(x, communities, share, 0, have));
        forbidden += !allowed;
    }
    assert_true(enough(forbidden, 500));
}

static void generate(ksda_ctx *ctx, uint64_t seed, const ksda_planted_options *planted, ksda_network *net) {
    *net = (ksda_network){0};
    ksda_ctx_set_seed(ctx, seed);
    assert_int_equal(ksda_generate_planted(ctx, planted, &net->graph, &net->communities), KSDA_OK);
}

/* Twelve communities of eight or nine, some of whom have no edge, and hardly more than a twelfth of each degree: eight
 * communities have an odd number of ends of edges, four an even one. */
static void parity_is_told(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_planted_options planted;
    ksda_planted_options_init(&planted);
    planted.vertices = 100, planted.edges = 80, planted.communities = 12;
    planted.size_exponent = 0, planted.degree_exponent = 2.5, planted.mixing = 0.5;
    generate(ctx, 377, &planted, &net);
    assert_int_equal(publish(ctx, &net, 2, (ksda_share){2, 23}).status, KSDA_NOT_FOUND);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "no such numbers of published vertices"));
    ksda_network_clear(ctx, &net);
}

/* A community with 60 % of the people, whose hubs only one other one can follow: it takes a program to say who stands
 * at which degree. */
static void one_large_community_has_a_release(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_planted_options planted;
    if (!ksda_i_solver_default()) skip();
    ksda_planted_options_init(&planted);
    planted.vertices = 200, planted.edges = 800, planted.communities = 12;
    planted.size_exponent = 1.5, planted.degree_exponent = 2.5, planted.mixing = 0.05;
    generate(ctx, 236, &planted, &net);
    outcome o = publish_and(ctx, &net, 3, (ksda_share){1, 3}, false);
    assert_int_equal(o.status, KSDA_OK);
    assert_true(o.vertices > 0 && o.vertices <= 450);
    ksda_network_clear(ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(releases_keep_the_share),
                                       cmocka_unit_test(duel_with_all_sets_of_edges),
                                       cmocka_unit_test(bound_is_never_above_the_fewest_edges),
                                       cmocka_unit_test(plans_of_the_beam_hold),
                                       cmocka_unit_test(needs_meet_each_other_once),
                                       cmocka_unit_test(all_of_a_degree_is_no_bound),
                                       cmocka_unit_test(pigeonhole_is_a_proof),
                                       cmocka_unit_test(communities_too_small_to_follow_are_a_proof),
                                       cmocka_unit_test(pigeonhole_is_exact),
                                       cmocka_unit_test(a_first_release_comes_early),
                                       cmocka_unit_test(plans_that_nearly_do_are_mended),
                                       cmocka_unit_test(what_parity_forbids_is_exact),
                                       cmocka_unit_test(parity_is_told),
                                       cmocka_unit_test(one_large_community_has_a_release),
                                       cmocka_unit_test(other_methods_refuse)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
