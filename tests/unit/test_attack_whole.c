/* The attackers who look at a release as a whole, against pair by pair counting on many small releases; what they
 * sample agrees with what they count; and the scores of two vertices against their definitions. */
#include "attack/whole.h"
#include "context.h"
#include "failing_memory.h"
#include "graph/edits.h"
#include "graph/release.h"
#include "measure/likeness.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/attack.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_near(double a, double b) {
    if (!(fabs(a - b) < 1e-9) && !(isnan(a) && isnan(b))) fail_msg("%.17g is not %.17g", a, b);
}

/* --- the slow reference ------------------------------------------------------------------------------------------- */

static void score(const ksda_graph *g, uint32_t p, uint32_t q, double out[KSDA_LIKENESS_COUNT]) {
    double common = 0, either = 0, weight = 0;
    uint32_t a = 0, b = 0; /* neighbours but for the other one */
    for (uint32_t x = 0; x < g->n; x++) {
        int near = ksda_graph_adjacent(g, p, x), far = ksda_graph_adjacent(g, q, x);
        if (x == p || x == q) continue;
        a += (uint32_t)near, b += (uint32_t)far, common += near && far, either += near || far;
        if (near && far) weight += 1 / log(ksda_graph_degree(g, x));
    }
    out[KSDA_LIKENESS_COMMON] = common;
    out[KSDA_LIKENESS_JACCARD] = common / fmax(1, either);
    out[KSDA_LIKENESS_ADAMIC_ADAR] = weight;
    out[KSDA_LIKENESS_SHARE] = common / fmax(1, a < b ? a : b);
    out[KSDA_LIKENESS_DEGREE] = ksda_graph_degree(g, q);
}

typedef struct instance {
    const ksda_graph *original;
    const ksda_release *release;
} instance;

static bool added(const instance *x, uint32_t p, uint32_t q) {
    uint32_t u = x->release->owner[p], v = x->release->owner[q];
    return ksda_graph_adjacent(x->release->graph, p, q) && u != v && !ksda_graph_adjacent(x->original, u, v);
}

static bool together(const instance *x, uint32_t p, uint32_t q) {
    uint32_t a, b;
    const uint32_t *one = ksda_communities_set(x->release->communities, p, &a);
    const uint32_t *two = ksda_communities_set(x->release->communities, q, &b);
    for (uint32_t i = 0; i < a; i++)
        for (uint32_t j = 0; j < b; j++)
            if (one[i] == two[j]) return true;
    return false;
}

static bool own(const instance *x, uint32_t p, uint32_t q) {
    return ksda_graph_adjacent(x->release->graph, p, q) && !added(x, p, q) && together(x, p, q) &&
           x->release->owner[p] != x->release->owner[q];
}

static double beats(double a, double b) {
    return fabs(a - b) < 1e-6 ? 0.5 : a > b;
}

static void compare_added(const instance *x, const ksda_attack_result *r) {
    const ksda_graph *g = x->release->graph;
    double sum[KSDA_LIKENESS_COUNT] = {0}, worst = 0;
    uint64_t ends = 0;
    for (uint32_t p = 0; p < g->n; p++)
        for (uint32_t q = 0; q < g->n; q++) {
            double mine[KSDA_LIKENESS_COUNT], other[KSDA_LIKENESS_COUNT], won[KSDA_LIKENESS_COUNT] = {0};
            uint32_t rivals = 0;
            if (!added(x, p, q)) continue;
            score(g, p, q, mine);
            for (uint32_t y = 0; y < g->n; y++) {
                if (!own(x, p, y)) continue;
                score(g, p, y, other);
                rivals++;
                for (int s = 0; s < KSDA_LIKENESS_COUNT; s++) won[s] += beats(mine[s], other[s]);
            }
            ends += rivals > 0;
            for (int s = 0; s < KSDA_LIKENESS_COUNT && rivals; s++) sum[s] += won[s] / rivals;
        }
    assert_int_equal(r->added_ends, ends);
    assert_int_equal(r->added_worst.measured, ends > 0);
    for (int s = 0; s < KSDA_LIKENESS_COUNT && ends; s++) {
        double auc = sum[s] / (double)ends;
        assert_near(r->added_auc[s].value, auc);
        worst = fmax(worst, fmax(auc, 1 - auc));
    }
    if (ends) assert_near(r->added_worst.value, worst);
}

/* What a trained attacker sees of the edge from p to q, and his sum of it: ranks are among p's edges in the community.
 */
static double weigh_edge(const instance *x, const double *weight, uint32_t p, uint32_t q) {
    const ksda_graph *g = x->release->graph;
    double mine[KSDA_LIKENESS_COUNT], other[KSDA_LIKENESS_COUNT], below[KSDA_LIKENESS_COUNT] = {0}, sum = 0;
    uint32_t others = 0, same = 0;
    score(g, p, q, mine);
    for (uint32_t y = 0; y < g->n; y++) {
        same += ksda_graph_degree(g, y) == ksda_graph_degree(g, q);
        if (y == q || !(own(x, p, y) || added(x, p, y))) continue;
        score(g, p, y, other);
        others++;
        for (int s = 0; s < KSDA_LIKENESS_COUNT; s++) below[s] += beats(mine[s], other[s]);
    }
    mine[KSDA_LIKENESS_ADAMIC_ADAR] =
        round(mine[KSDA_LIKENESS_ADAMIC_ADAR] * 0x1p20) / 0x1p20; /* or rounding decides */
    for (int s = 0; s < KSDA_LIKENESS_COUNT; s++)
        sum +=
            weight[KSDA_TRAIT_COMMON + s] * mine[s] + weight[KSDA_TRAIT_COMMON_RANK + s] * below[s] / fmax(1, others);
    return sum + weight[KSDA_TRAIT_DEGREE_LOG] * log(ksda_graph_degree(g, q)) +
           weight[KSDA_TRAIT_LEVEL_LOG] * log(same) +
           weight[KSDA_TRAIT_LARGER] * (ksda_graph_degree(g, q) > ksda_graph_degree(g, p));
}

static double trained_reference(const instance *x, const double *weight) {
    uint32_t n = x->release->graph->n, ends = 0;
    double sum = 0;
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t q = 0; q < n; q++) {
            double won = 0, rivals = 0;
            for (uint32_t y = 0; y < n && added(x, p, q); y++) {
                if (!own(x, p, y)) continue;
                double a = weigh_edge(x, weight, p, q), b = weigh_edge(x, weight, p, y);
                won += fabs(a - b) < 1e-9 ? 0.5 : a > b, rivals++;
            }
            if (rivals > 0) sum += won / rivals, ends++;
        }
    return ends ? sum / ends : NAN;
}

static void compare_trained(const instance *x, const ksda_attack_result *r) {
    const ksda_trained_row *row;
    uint32_t rows = 0;
    double best = 0;
    for (; (row = ksda_trained_info(rows)) != NULL; rows++) {
        double auc = trained_reference(x, row->weight);
        assert_int_equal(r->trained_auc[rows].measured, r->added_worst.measured);
        assert_near(r->trained_auc[rows].value, auc);
        best = fmax(best, auc);
    }
    assert_int_equal(r->trainings, rows + (r->trained_weight != NULL));
    if (!r->trained_weight) {
        if (r->added_worst.measured) assert_near(r->trained_best.value, best);
        return;
    }
    assert_near(r->trained_auc[rows].value, trained_reference(x, r->trained_weight));
}

/* Whoever has just made the release is told the same. */
static void compare_told(ksda_ctx *ctx, const ksda_network *net, const ksda_edits *edits, const ksda_attack_result *r) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_value worst;
    uint32_t *to;
    assert_int_equal(ksda_i_release_make(ctx, edits, net->communities, 0, &to, &release), KSDA_OK);
    assert_int_equal(ksda_i_added_told(ctx, edits, net->communities, &release, to, &worst), KSDA_OK);
    assert_int_equal(worst.measured, r->added_worst.measured);
    assert_true(worst.exact);
    assert_near(worst.value, r->added_worst.value);
    ksda_i_free(ctx, to);
    ksda_release_clear(ctx, &release);
}

static void compare_linked(const instance *x, const ksda_attack_result *r) {
    const ksda_graph *g = x->release->graph;
    double sum[KSDA_LIKENESS_COUNT] = {0};
    uint64_t linked = 0, apart = 0, compared = 0;
    for (uint32_t p = 0; p < g->n; p++)
        for (uint32_t q = p + 1; q < g->n; q++) {
            double mine[KSDA_LIKENESS_COUNT], other[KSDA_LIKENESS_COUNT];
            if (x->release->owner[p] != x->release->owner[q]) continue;
            bool adjacent = ksda_graph_adjacent(g, p, q);
            linked += adjacent, apart += !adjacent;
            if (!adjacent) continue;
            score(g, p, q, mine);
            mine[KSDA_LIKENESS_DEGREE] += ksda_graph_degree(g, p);
            for (uint32_t y = 0; y < g->n; y++)
                for (uint32_t z = y + 1; z < g->n; z++) {
                    if (!ksda_graph_adjacent(g, y, z) || !together(x, y, z)) continue;
                    if (x->release->owner[y] == x->release->owner[z]) continue;
                    score(g, y, z, other);
                    other[KSDA_LIKENESS_DEGREE] += ksda_graph_degree(g, y);
                    compared++;
                    for (int s = 0; s < KSDA_LIKENESS_COUNT; s++) sum[s] += beats(mine[s], other[s]);
                }
        }
    assert_int_equal(r->linked_pairs, linked);
    assert_int_equal(r->apart_pairs, apart);
    assert_int_equal(r->linked_worst.measured, compared > 0);
    for (int s = 0; s < KSDA_LIKENESS_COUNT && compared; s++)
        assert_near(r->linked_auc[s].value, sum[s] / (double)compared);
}

static bool raised(const instance *x, uint32_t p) {
    for (uint32_t q = 0; q < x->release->graph->n; q++)
        if (added(x, p, q) || (q != p && x->release->owner[q] == x->release->owner[p])) return true;
    return false;
}

static double trust(const instance *x, uint32_t p) {
    double sum = 0, count = 0, s[KSDA_LIKENESS_COUNT];
    for (uint32_t q = 0; q < x->release->graph->n; q++) {
        if (!ksda_graph_adjacent(x->release->graph, p, q) || !together(x, p, q)) continue;
        score(x->release->graph, p, q, s);
        sum += s[KSDA_LIKENESS_JACCARD], count++;
    }
    return count > 0 ? sum / count : -1;
}

static void compare_unmasked(const instance *x, const ksda_attack_result *r) {
    const ksda_graph *g = x->release->graph;
    uint32_t groups = 0;
    double won = 0, chance = 0;
    for (uint32_t d = 0; d < g->n; d++) {
        uint32_t members = 0, untouched = 0, first = 0, right = 0;
        double best = -2;
        for (uint32_t p = 0; p < g->n; p++) {
            if (ksda_graph_degree(g, p) != d) continue;
            double now = trust(x, p);
            bool free = !raised(x, p);
            members++, untouched += free;
            if (now > best + 1e-9) best = now, first = right = 0;
            if (now > best - 1e-9) first++, right += free;
        }
        if (untouched == 0 || 2 * untouched > members) continue;
        groups++, won += (double)right / first, chance += (double)untouched / members;
    }
    assert_int_equal(r->groups, groups);
    assert_int_equal(r->unmasked.measured, groups > 0);
    if (groups) assert_near(r->unmasked.value, won / groups);
    if (groups) assert_near(r->chance.value, chance / groups);
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static ksda_edits *make_release(ksda_ctx *ctx, uint64_t seed, uint32_t n, const ksda_network *net, ksda_release *out) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 19, 0);
    edit_counts counts;
    ksda_edits *edits = random_edits(ctx, &rng, net->graph, net->communities, (unsigned)(seed % 4) * n / 16,
                                     (unsigned)(seed % 9) * n / 12, &counts);
    *out = (ksda_release)KSDA_INIT(ksda_release);
    assert_int_equal(ksda_release_make(ctx, edits, net->communities, 1, out), KSDA_OK);
    return edits;
}

static void releases_as_defined(void **state) {
    ksda_ctx *ctx = *state;
    uint64_t linked = 0, unmasked = 0, ranked = 0;
    for (uint64_t seed = 0; seed < times_as_many(900); seed++) {
        ksda_network net;
        ksda_release release;
        ksda_attack_options o;
        ksda_attack_result r = KSDA_INIT(ksda_attack_result);
        uint32_t n = 4 + (uint32_t)(seed % 20), communities = 1 + (uint32_t)(seed / 7 % 4);
        random_network(ctx, seed, n, 0.1 + 0.03 * (double)(seed % 17), communities, &net);
        if (seed % 3 == 1) random_sets(ctx, seed, seed % 2, &net);
        ksda_edits *edits = make_release(ctx, seed, n, &net, &release);
        ksda_attack_options_init(&o);
        o.attackers = 0, o.k = 1;
        const ksda_training_release lesson[] = {{net.graph, net.communities, release.graph, release.owner},
                                                {net.graph, net.communities, release.graph, release.owner}};
        o.training = lesson, o.training_releases = (uint32_t)(seed % 3);
        ksda_ctx_set_threads(ctx, 1 + (unsigned)(seed % 3));
        assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, release.graph, release.owner, &o, &r),
                         KSDA_OK);
        instance x = {net.graph, &release};
        compare_added(&x, &r);
        if (seed % 9 < 2) compare_trained(&x, &r);
        compare_told(ctx, &net, edits, &r);
        compare_linked(&x, &r);
        compare_unmasked(&x, &r);
        linked += (uint64_t)r.linked_worst.measured, unmasked += (uint64_t)r.unmasked.measured;
        ranked += (uint64_t)r.added_worst.measured;
        ksda_attack_result_clear(ctx, &r);
        ksda_release_clear(ctx, &release);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    ksda_ctx_set_threads(ctx, 1);
    assert_true(enough(linked, 50) && enough(unmasked, 50) &&
                enough(ranked, 300)); /* or they were never put to the test */
}

/* n vertices of one community in a row of circles: each is adjacent to the `reach` that follow it. */
static ksda_status circles(ksda_ctx *ctx, uint32_t n, uint32_t reach, ksda_network *out) {
    uint32_t *edge = malloc((size_t)n * reach * 2 * sizeof *edge), *of = calloc(n, sizeof *of);
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t i = 0; i < reach; i++)
            edge[2 * (v * reach + i)] = v, edge[2 * (v * reach + i) + 1] = (v + i + 1) % n;
    ksda_status status = listed_network(ctx, n, (uint64_t)n * reach, edge, of, out);
    free(edge);
    free(of);
    return status;
}

static ksda_edits *join_strangers(ksda_ctx *ctx, const ksda_network *net, uint32_t edges, uint64_t seed) {
    uint32_t half = ksda_graph_vertices(net->graph) / 2;
    ksda_edits *edits;
    assert_int_equal(ksda_edits_new(ctx, net->graph, &edits), KSDA_OK);
    for (uint32_t i = 0; i < edges; i++)
        assert_int_equal(
            ksda_edits_add_edge(ctx, edits, (i + (uint32_t)seed) % half, half + (i + (uint32_t)seed) % half), KSDA_OK);
    return edits;
}

/* Nothing is left to learn from what was noted down: the slope of the likelihood, and of the ridge, is 0 in units of
 * how much each trait varies. */
static void training_finds_the_best_weights(void **state) {
    enum {
        NOTED = 300
    };
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        ksda_i_rng rng = ksda_i_rng_stream(seed, 23, 0);
        ksda_i_contrasts c = {.rows = 0};
        double weight[KSDA_I_TRAITS], own[7 * KSDA_I_TRAITS], edge[KSDA_I_TRAITS], slope = 0;
        for (int i = 0; i < NOTED; i++) {
            for (int t = 0; t < 7 * KSDA_I_TRAITS; t++) own[t] = ksda_i_rng_unit(&rng) * (1 + t % KSDA_I_TRAITS);
            for (int t = 0; t < KSDA_I_TRAITS; t++) edge[t] = ksda_i_rng_unit(&rng) * (1 + t) + 0.1 * (t % 3);
            assert_int_equal(ksda_i_contrasts_note(ctx, &c, edge, own, 7, &rng), KSDA_OK);
        }
        assert_int_equal(c.rows, NOTED * KSDA_I_CONTRASTS);
        double *row = malloc(c.rows * KSDA_I_TRAITS * sizeof *row);
        memcpy(row, c.row, c.rows * KSDA_I_TRAITS * sizeof *row);
        assert_int_equal(ksda_i_contrasts_fit(ctx, &c, weight), KSDA_OK);
        for (int t = 0; t < KSDA_I_TRAITS; t++) {
            double sum = 0, squares = 0, gradient = 0, rows = (double)c.rows;
            for (uint64_t i = 0; i < c.rows; i++) {
                double x = row[i * KSDA_I_TRAITS + (uint64_t)t], all = 0;
                for (int u = 0; u < KSDA_I_TRAITS; u++) all += weight[u] * row[i * KSDA_I_TRAITS + (uint64_t)u];
                sum += x, squares += x * x, gradient += x / (1 + exp(all));
            }
            double varies = sqrt(squares / rows - sum / rows * sum / rows);
            slope = fmax(slope, fabs(gradient / varies / rows - 1e-3 * weight[t] * varies));
        }
        assert_true(slope < 1e-6);
        free(row);
        ksda_i_free(ctx, c.row);
    }
}

/* An attacker who has seen many releases of one kind tells added edges from own ones in another one of it. */
static void training_carries_over(void **state) {
    enum {
        LESSONS = 4
    };
    ksda_ctx *ctx = *state;
    ksda_network net[LESSONS + 1];
    ksda_release release[LESSONS + 1];
    ksda_edits *edits[LESSONS + 1];
    ksda_training_release lesson[LESSONS + 1];
    ksda_attack_options o;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    for (uint32_t i = 0; i <= LESSONS; i++) { /* strangers are joined in networks of circles */
        ksda_ctx_set_seed(ctx, 50 + i);
        assert_int_equal(circles(ctx, 120, 6, &net[i]), KSDA_OK);
        edits[i] = join_strangers(ctx, &net[i], 40, 60 + i);
        release[i] = (ksda_release)KSDA_INIT(ksda_release);
        assert_int_equal(ksda_release_make(ctx, edits[i], net[i].communities, 1, &release[i]), KSDA_OK);
        lesson[i] = (ksda_training_release){net[i].graph, net[i].communities, release[i].graph, release[i].owner};
    }
    ksda_ctx_set_seed(ctx, 1);
    ksda_attack_options_init(&o);
    o.attackers = 0, o.k = 1, o.training = lesson, o.training_releases = LESSONS;
    assert_int_equal(ksda_attack_release(ctx, net[LESSONS].graph, net[LESSONS].communities, release[LESSONS].graph,
                                         release[LESSONS].owner, &o, &r),
                     KSDA_OK);
    assert_true(r.trained_auc[r.trainings - 1].value > 0.9 && r.trained_best.value > 0.9);
    ksda_attack_result_clear(ctx, &r);
    for (uint32_t i = 0; i <= LESSONS; i++) {
        ksda_release_clear(ctx, &release[i]);
        ksda_edits_free(ctx, edits[i]);
        ksda_network_clear(ctx, &net[i]);
    }
}

/* What is sampled is near what is counted, and says how near: the exact value lies in most of the intervals. */
static void samples_agree(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_release release;
    ksda_attack_options o;
    ksda_attack_result exact = KSDA_INIT(ksda_attack_result);
    unsigned inside = 0, all = 0;
    random_network(ctx, 7, 400, 0.03, 5, &net);
    ksda_edits *edits = make_release(ctx, 7, 400, &net, &release);
    ksda_attack_options_init(&o);
    o.attackers = 0;
    assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, release.graph, release.owner, &o, &exact),
                     KSDA_OK);
    o.budget = 1, o.samples = 400;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ksda_attack_result r = KSDA_INIT(ksda_attack_result);
        ksda_ctx_set_seed(ctx, seed);
        assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, release.graph, release.owner, &o, &r),
                         KSDA_OK);
        for (int s = 0; s < KSDA_LIKENESS_COUNT; s++) {
            assert_true(r.added_auc[s].measured && !r.added_auc[s].exact);
            assert_true(fabs(r.added_auc[s].value - exact.added_auc[s].value) < 0.15);
            inside += r.added_auc[s].low <= exact.added_auc[s].value && exact.added_auc[s].value <= r.added_auc[s].high;
            all++;
        }
        ksda_attack_result_clear(ctx, &r);
    }
    assert_true(inside > all * 85 / 100);
    ksda_ctx_set_seed(ctx, 1);
    ksda_attack_result_clear(ctx, &exact);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
}

/* Of very many added edges some are asked, and the answer says how far it may be off. */
static void many_added_edges_are_sampled(void **state) {
    enum {
        SIZE = 700,
        EDGES = 24000
    };
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_edits *edits;
    ksda_i_rng rng = ksda_i_rng_stream(3, 20, 0);
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    ksda_attack_options o;
    ksda_value worst;
    uint32_t *to, added = 0;
    bool *taken = calloc((size_t)SIZE * SIZE, sizeof *taken);
    random_network(ctx, 3, SIZE, 0.03, 1, &net);
    assert_int_equal(ksda_edits_new(ctx, net.graph, &edits), KSDA_OK);
    while (added < EDGES) {
        uint32_t u = (uint32_t)ksda_i_rng_below(&rng, SIZE), v = (uint32_t)ksda_i_rng_below(&rng, SIZE);
        if (u >= v || taken[u * SIZE + v] || ksda_graph_adjacent(net.graph, u, v)) continue;
        assert_int_equal(ksda_edits_add_edge(ctx, edits, u, v), KSDA_OK);
        taken[u * SIZE + v] = true, added++;
    }
    free(taken);
    assert_int_equal(ksda_i_release_make(ctx, edits, net.communities, 1, &to, &release), KSDA_OK);
    assert_int_equal(ksda_i_added_told(ctx, edits, net.communities, &release, to, &worst), KSDA_OK);
    ksda_attack_options_init(&o);
    o.attackers = 0, o.k = 1;
    assert_int_equal(ksda_attack_release(ctx, net.graph, net.communities, release.graph, release.owner, &o, &r),
                     KSDA_OK);
    assert_true(worst.measured && !worst.exact && worst.high > worst.low && worst.high - worst.low < 0.05);
    assert_true(r.added_worst.exact && fabs(worst.value - r.added_worst.value) < worst.high - worst.low);
    ksda_attack_result_clear(ctx, &r);
    ksda_i_free(ctx, to);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
}

static void likeness_as_defined(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        ksda_network net;
        random_network(ctx, seed, 60, seed % 2 ? 0.1 : 0.02, 1, &net);
        uint32_t star[2 * 59]; /* a hub: its row is much longer than others */
        for (uint32_t i = 0; i < 59; i++) star[2 * i] = 0, star[2 * i + 1] = i + 1;
        ksda_graph *hub;
        assert_int_equal(ksda_graph_from_edges(ctx, 60, 59, star, &hub), KSDA_OK);
        for (uint32_t p = 0; p < 60; p++)
            for (uint32_t q = 0; q < 60; q++) {
                const ksda_graph *g = seed == 0 ? hub : net.graph;
                double mine[KSDA_I_LIKENESSES], other[KSDA_LIKENESS_COUNT];
                if (p == q) continue;
                ksda_i_likeness(g, p, q, ksda_graph_adjacent(g, p, q), mine);
                score(g, p, q, other);
                for (int s = 0; s < KSDA_LIKENESS_COUNT; s++)
                    if (!(fabs(mine[s] - other[s]) < 1e-6)) fail_msg("%.17g is not %.17g", mine[s], other[s]);
            }
        ksda_graph_free(ctx, hub);
        ksda_network_clear(ctx, &net);
    }
}

static ksda_status attack_once(ksda_ctx *ctx) {
    static const uint32_t edge[] = {0, 1, 1, 2, 2, 0, 2, 3}, of[] = {0, 0, 0, 0}, owner[] = {0, 1, 2, 3, 2},
                          published[] = {0, 1, 1, 2, 2, 0, 4, 3, 2, 4, 1, 3};
    ksda_network net;
    ksda_graph *release = NULL;
    ksda_attack_options o;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    ksda_attack_options_init(&o);
    o.k = 1;
    ksda_status status = listed_network(ctx, 4, 4, edge, of, &net);
    if (status >= 0) status = ksda_graph_from_edges(ctx, 5, 6, published, &release);
    if (status >= 0) status = ksda_attack_release(ctx, net.graph, net.communities, release, owner, &o, &r);
    ksda_attack_result_clear(ctx, &r);
    ksda_graph_free(ctx, release);
    ksda_network_clear(ctx, &net);
    return status;
}

static void without_memory(void **state) {
    (void)state;
    assert_survives_failing_memory(attack_once);
}

static void scores_have_names(void **state) {
    ksda_likeness_id id;
    (void)state;
    for (int i = 0; i < KSDA_LIKENESS_COUNT; i++)
        assert_true(ksda_likeness_id_from_name(ksda_likeness_id_name((ksda_likeness_id)i), &id) && (int)id == i);
    assert_false(ksda_likeness_id_from_name("likeness", &id));
    assert_null(ksda_likeness_id_name(KSDA_LIKENESS_COUNT));
    for (int i = 0; i < KSDA_TRAIT_COUNT; i++) {
        ksda_trait_id trait;
        assert_true(ksda_trait_id_from_name(ksda_trait_id_name((ksda_trait_id)i), &trait) && (int)trait == i);
    }
    assert_null(ksda_trait_id_name(KSDA_TRAIT_COUNT));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_as_defined),
        cmocka_unit_test(training_finds_the_best_weights),
        cmocka_unit_test(training_carries_over),
        cmocka_unit_test(samples_agree),
        cmocka_unit_test(many_added_edges_are_sampled),
        cmocka_unit_test(likeness_as_defined),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(scores_have_names),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
