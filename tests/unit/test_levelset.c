/* Releases with few levels: whatever is found is valid, diverse and costs what it says. */
#include "methods/levelplan/levelset.h"
#include "context.h"
#include "failing_memory.h"
#include "random_graph.h"

#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct judge {
    const ksda_network *net;
    uint32_t k;
    double weight, below; /* the cheapest so far */
    uint64_t splits;      /* of the cheapest one below */
} judge;

/* Every release is recounted from scratch. */
static ksda_status recount(void *payload, ksda_edits *edits) {
    judge *j = payload;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_release_make(check_ctx, edits, j->net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, j->net->graph, j->net->communities, release.graph, release.owner, j->k, &v),
                     KSDA_OK);
    if (!v.valid || !v.satisfied) print_error("%s\n", v.error);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(ksda_edits_added(edits, NULL), v.added_edges);
    assert_int_equal(ksda_edits_pieces(edits) - j->net->graph->n, v.added_vertices);
    double cost = (double)v.added_edges + j->weight * (double)v.added_vertices;
    if (cost < j->below) j->below = cost, j->splits = v.added_vertices;
    ksda_release_clear(check_ctx, &release);
    ksda_edits_free(check_ctx, edits);
    return KSDA_OK;
}

/* Splits of the cheapest release found; UINT64_MAX when none below was. */
static uint64_t splits_in_pass(const ksda_network *net, uint32_t k, double weight, double below, const uint32_t *known,
                               uint32_t count, uint32_t pass) {
    judge j = {net, k, weight, below, UINT64_MAX};
    const ksda_i_levelset_task task = {k,    weight, below,   known, count,
                                       pass, pass,   recount, &j,    KSDA_I_LEVELSET_EVERYWHERE};
    assert_int_equal(ksda_i_levelset_search(check_ctx, net->graph, net->communities, &task), KSDA_OK);
    return j.splits;
}

static uint64_t splits(const ksda_network *net, uint32_t k, double weight, double below, const uint32_t *known,
                       uint32_t count) {
    return splits_in_pass(net, k, weight, below, known, count, 0);
}

static void random_networks(void **state) {
    uint32_t found = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        ksda_network net;
        uint32_t known[40], m = 2 + (uint32_t)(seed % 5);
        random_network(check_ctx, seed, m + (uint32_t)(seed % 30), seed % 3 ? 0.7 : 0.3, m, &net);
        for (uint32_t i = 0; i < 40; i++) known[i] = (uint32_t)(seed * (i + 1) % 17);
        m = net.communities->count;
        double weight = seed % 4 == 0 ? 1 : seed % 4 == 1 ? 30 : 1000;
        uint64_t n_s = splits(&net, m, weight, seed % 11 ? INFINITY : 5 * weight, known, (uint32_t)(seed % 40));
        found += n_s != UINT64_MAX;
        if (m > 2) splits(&net, m - 1, weight, INFINITY, NULL, 0);
        if (seed % 4 == 0) splits_in_pass(&net, m, weight, 40 * weight, known, 10, 1 + (uint32_t)(seed % 7));
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u of 400 networks\n", found);
    assert_true(found > 200);
}

/* Who was raised and could not get there makes way for another, and needs that nobody can meet cost a whole edge each:
 * 600 networks took 495 splits before that was so, 456 before ways down by degrees were among the sets. */
static void few_are_split(void **state) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t seed = 1000; seed < 1600; seed++) {
        ksda_network net;
        random_network(check_ctx, seed, 14 + (uint32_t)(seed % 30), seed % 2 ? 0.3 : 0.2, 3 + (uint32_t)(seed % 3),
                       &net);
        double n = net.graph->n;
        uint64_t n_s = splits(&net, net.communities->count - (uint32_t)(seed % 2), n * n, INFINITY, NULL, 0);
        sum += n_s == UINT64_MAX ? 0 : n_s;
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%llu splits\n", (unsigned long long)sum);
    assert_true(sum < 450);
}

/* Two complete communities whose largest degrees differ by one: no edge can be added, but the neighbour of a split
 * vertex rises. */
static void neighbours_lend_degree(void **state) {
    static const uint32_t edges[] = {0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 0, 3, 0, 4, 1, 3};
    static const uint32_t of[] = {0, 0, 0, 1, 1, 1};
    ksda_network net = {.graph = NULL};
    (void)state;
    assert_int_equal(listed_network(check_ctx, 6, 9, edges, of, &net), KSDA_OK); /* degrees 4 3 2 and 4 3 2 */
    assert_int_equal(splits(&net, 2, 36, INFINITY, NULL, 0), 0);
    ksda_network_clear(check_ctx, &net);
    assert_int_equal(listed_network(check_ctx, 6, 8, edges, of, &net), KSDA_OK); /* degrees 4 2 2 and 3 3 2 */
    assert_in_range(splits(&net, 2, 36, INFINITY, NULL, 0), 1, 2);
    ksda_network_clear(check_ctx, &net);
}

/* A star of communities of one vertex each: the middle one must be split, and three pieces always do. */
static void single_vertices(void **state) {
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3}, of[] = {0, 1, 2, 3};
    ksda_network net = {.graph = NULL};
    (void)state;
    assert_int_equal(listed_network(check_ctx, 4, 3, edges, of, &net), KSDA_OK);
    assert_in_range(splits(&net, 4, 16, INFINITY, NULL, 0), 1, 2);
    assert_true(splits(&net, 4, 16, 16, NULL, 0) == UINT64_MAX); /* nothing costs less than a split */
    ksda_network_clear(check_ctx, &net);
}

/* Thousands of pairs in two communities, and a hub of three edges in one of them: few levels are found there, too, and
 * splitting it and its neighbours is cheaper than raising somebody of the other community to its degree. */
static void thousands_of_vertices(void **state) {
    enum {
        PAIRS = 4600,
        VERTICES = 2 * PAIRS,
        HUB = 3
    };
    uint32_t *edges = malloc((PAIRS + HUB - 1) * 2 * sizeof *edges), *of = malloc(VERTICES * sizeof *of);
    ksda_network net = {.graph = NULL};
    (void)state;
    assert_non_null(edges);
    assert_non_null(of);
    for (uint32_t v = 0; v < VERTICES; v++) edges[v] = v, of[v] = v / 2 % 2;
    for (uint32_t i = 1; i < HUB; i++) edges[VERTICES + 2 * i - 2] = 0, edges[VERTICES + 2 * i - 1] = 4 * i;
    assert_int_equal(listed_network(check_ctx, VERTICES, PAIRS + HUB - 1, edges, of, &net), KSDA_OK);
    assert_in_range(splits(&net, 2, 0.1, INFINITY, NULL, 0), 1, 4);
    assert_int_equal(splits(&net, 2, 100, INFINITY, NULL, 0), 0);
    ksda_network_clear(check_ctx, &net);
    free(edges);
    free(of);
}

/* What a set of levels, given as bits by degree, costs when everybody goes to the next level above and each level then
 * takes the nearest ones from below of the communities that it lacks; degrees [n], taken [n] is scratch. */
static double cost_by_degrees(const ksda_network *net, uint32_t k, const uint32_t *degree, bool *taken, uint64_t set) {
    uint32_t n = net->graph->n, sum = 0;
    for (uint32_t v = 0; v < n; v++) taken[v] = false;
    for (uint32_t level = 64; level-- > 1;) {
        uint32_t next = level - 1, nearest[8], has = 0;
        if (!(set >> level & 1)) continue;
        while (next && !(set >> next & 1)) next--;
        for (uint32_t c = 0; c < net->communities->count; c++) nearest[c] = UINT32_MAX;
        for (uint32_t v = 0; v < n; v++) {
            uint32_t c = net->communities->of[v];
            if (taken[v]) continue;
            if (degree[v] > next || !next) {
                if (nearest[c] != n) has++;
                taken[v] = true, nearest[c] = n, sum += level - degree[v];
            } else if (nearest[c] != n && (nearest[c] == UINT32_MAX || degree[nearest[c]] < degree[v])) {
                nearest[c] = v;
            }
        }
        for (; has < k; has++) {
            uint32_t best = UINT32_MAX;
            for (uint32_t c = 0; c < net->communities->count; c++)
                if (nearest[c] < n && (best == UINT32_MAX || degree[nearest[best]] < degree[nearest[c]])) best = c;
            if (best == UINT32_MAX) return INFINITY;
            sum += level - degree[nearest[best]], taken[nearest[best]] = true, nearest[best] = n;
        }
    }
    return 0.5 * sum;
}

/* The cheapest way down by degrees against all sets of levels: mostly the best of them, and never far from it. */
static void ways_down(void **state) {
    uint32_t best = 0, networks = 0;
    double sum = 0, least_sum = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_network net;
        uint32_t n = 10 + (uint32_t)(seed % 7), degree[16], whole[16], level[16], count, top = 0;
        bool taken[16], fixed[65] = {0};
        uint64_t occurs = 0, set = 0;
        double least = INFINITY;
        random_network(check_ctx, seed, n, 0.4, 2 + (uint32_t)(seed % 3), &net);
        for (uint32_t v = 0; v < n; v++) {
            degree[v] = ksda_i_degree(net.graph, v), whole[v] = UINT32_MAX;
            occurs |= UINT64_C(1) << degree[v];
            if (degree[v] > top) top = degree[v];
        }
        const ksda_i_census_model model = ksda_i_census_model_of(net.communities, net.communities->count);
        const ksda_i_levelset f = {.ctx = check_ctx,
                                   .graph = net.graph,
                                   .communities = net.communities,
                                   .k = model.k,
                                   .weight = 1e6,
                                   .fixed = fixed,
                                   .whole = whole,
                                   .census = {.model = model}};
        occurs &= ~(UINT64_C(1) << top | 1);
        assert_int_equal(ksda_i_levelset_ladder(&f, top, INFINITY, level, 16, &count), KSDA_OK);
        for (uint32_t i = 0; i < count; i++) set |= UINT64_C(1) << level[i];
        for (uint64_t some = occurs;; some = (some - 1) & occurs) {
            least = fmin(least, cost_by_degrees(&net, model.k, degree, taken, some | UINT64_C(1) << top));
            if (!some) break;
        }
        if (least < INFINITY) {
            double cost = cost_by_degrees(&net, model.k, degree, taken, set);
            assert_true(set >> top & 1 && cost >= least);
            networks++, best += cost == least, sum += cost, least_sum += least;
        }
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%u of %u are the best, all of them cost %g of %g\n", best, networks, sum, least_sum);
    assert_true(networks > 200 && best > networks / 4 * 3 && sum < 1.05 * least_sum);
}

static ksda_status drop(void *payload, ksda_edits *edits) {
    ksda_edits_free(payload, edits);
    return KSDA_OK;
}

static ksda_status search_in(ksda_ctx *poor) {
    static const uint32_t edges[] = {0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 0, 3, 0, 4}, of[] = {0, 0, 0, 1, 1, 1};
    const ksda_i_levelset_task task = {2, 36, INFINITY, of, 6, 0, 0, drop, poor, KSDA_I_LEVELSET_EVERYWHERE};
    ksda_network net;
    ksda_status status = listed_network(poor, 6, 8, edges, of, &net);
    if (status >= 0) status = ksda_i_levelset_search(poor, net.graph, net.communities, &task);
    ksda_network_clear(poor, &net);
    return status;
}

static void memory_runs_out(void **state) {
    (void)state;
    assert_survives_failing_memory(search_in);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks),        cmocka_unit_test(few_are_split),
                                       cmocka_unit_test(neighbours_lend_degree), cmocka_unit_test(single_vertices),
                                       cmocka_unit_test(thousands_of_vertices),  cmocka_unit_test(ways_down),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
