/* The share bound where some people have no known community, or several: on thousands of small random networks, against
 * all sets of added edges, counted by the definition. (Thousands with KSDA_TEST_TIMES=40; a hundred otherwise.) */
#include "exact_reference.h"
#include "context.h"
#include "core/random.h"
#include "graph/communities.h"
#include "random_graph.h"

#include <ksda/exact.h>
#include <ksda/publish.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 10u      /* vertices */
#define MOST_EDGES 4u /* that are tried together */

typedef struct tiny {
    uint32_t n, communities, pairs, k, edges;
    uint32_t bits[MOST]; /* communities of each; none: not known */
    uint32_t degree[MOST], pair[MOST * MOST][2], edge[2 * MOST * MOST];
    ksda_share share;
    ksda_graph *graph;
    ksda_communities *sets;
} tiny;

/* --- by the definition -------------------------------------------------------------------------------------------- */

static uint32_t most_disjoint(const tiny *t, uint32_t degree, uint32_t from, uint32_t used) {
    uint32_t best = 0;
    for (uint32_t v = from; v < t->n; v++) {
        if (t->degree[v] != degree || !t->bits[v] || used & t->bits[v]) continue;
        uint32_t here = 1 + most_disjoint(t, degree, v + 1, used | t->bits[v]);
        if (here > best) best = here;
    }
    return best;
}

static bool holds(const void *network) {
    const tiny *t = network;
    uint32_t at[MOST][4] = {{0}}, known[MOST] = {0};
    for (uint32_t v = 0; v < t->n; v++) {
        known[t->degree[v]] += t->bits[v] != 0;
        for (uint32_t c = 0; c < t->communities; c++) at[t->degree[v]][c] += t->bits[v] >> c & 1;
    }
    for (uint32_t d = 0; d < MOST; d++)
        for (uint32_t c = 0; c < t->communities; c++)
            if (at[d][c] * t->share.denominator > known[d] * t->share.numerator) return false;
    for (uint32_t v = 0; v < t->n; v++)
        if (most_disjoint(t, t->degree[v], 0, 0) < t->k) return false;
    return true;
}

static uint32_t fewest_edges(tiny *t) {
    return reference_fewest(t->degree, (const uint32_t(*)[2])t->pair, t->pairs, MOST_EDGES, holds, t);
}

/* --- networks ----------------------------------------------------------------------------------------------------- */

/* several: of communities a person may have; unknown: one person in so many has none that is known, 0: nobody. */
static void make(ksda_ctx *ctx, ksda_i_rng *random, uint32_t several, uint32_t unknown, tiny *t) {
    static const ksda_share shares[] = {{1, 2}, {2, 3}, {3, 5}, {3, 4}};
    uint64_t offsets[MOST + 1] = {0};
    uint32_t list[MOST * 4], dense = 2 + (uint32_t)ksda_i_rng_below(random, 2);
    *t = (tiny){.n = 6 + (uint32_t)ksda_i_rng_below(random, MOST - 5),
                .communities = 2 + (uint32_t)ksda_i_rng_below(random, 3),
                .k = 1 + (uint32_t)ksda_i_rng_below(random, 2),
                .share = shares[ksda_i_rng_below(random, 4)]};
    for (uint32_t v = 0; v < t->n; v++) {
        uint32_t size = 1 + (uint32_t)ksda_i_rng_below(random, several);
        if (v < t->communities)
            t->bits[v] = 1u << v;
        else if (!unknown || ksda_i_rng_below(random, unknown))
            while (size-- > 0) t->bits[v] |= 1u << ksda_i_rng_below(random, t->communities);
        offsets[v + 1] = offsets[v];
        for (uint32_t c = 0; c < t->communities; c++)
            if (t->bits[v] >> c & 1) list[offsets[v + 1]++] = c;
        for (uint32_t u = 0; u < v; u++) {
            bool meet = t->bits[u] & t->bits[v] || t->bits[u] + t->bits[v] == 0;
            if (ksda_i_rng_below(random, dense) == 0)
                t->edge[2 * t->edges] = u, t->edge[2 * t->edges++ + 1] = v, t->degree[u]++, t->degree[v]++;
            else if (meet)
                t->pair[t->pairs][0] = u, t->pair[t->pairs++][1] = v;
        }
    }
    assert_int_equal(ksda_graph_from_edges(ctx, t->n, t->edges, t->edge, &t->graph), KSDA_OK);
    assert_int_equal(ksda_communities_from_sets(ctx, t->n, t->communities, offsets, list, NULL, NULL,
                                                KSDA_UNASSIGNED_TOGETHER, &t->sets),
                     KSDA_OK);
}

static void clear(ksda_ctx *ctx, tiny *t) {
    ksda_graph_free(ctx, t->graph);
    ksda_communities_free(ctx, t->sets);
}

/* --- the duel ----------------------------------------------------------------------------------------------------- */

typedef struct score {
    uint32_t possible, found, cheapest, proved;
} score;

/* What is published was recounted by verify; check says the same, and nothing is proved that is not so. */
static void publish(ksda_ctx *ctx, tiny *t, uint32_t optimum, score *s) {
    ksda_anonymize_options o;
    ksda_publication *p = NULL;
    ksda_anonymize_options_init(&o);
    o.k = t->k, o.max_share = t->share;
    ksda_status status = ksda_publish(ctx, t->graph, t->sets, NULL, &o, NULL, &p);
    s->possible += optimum != UINT32_MAX;
    if (status < 0) {
        assert_true(status == KSDA_NOT_FOUND || (status == KSDA_INFEASIBLE && optimum == UINT32_MAX));
        s->proved += status == KSDA_INFEASIBLE;
        return;
    }
    const ksda_anonymize_result *r = ksda_publication_result(p);
    const ksda_release *release = ksda_publication_release(p);
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    assert_int_equal(ksda_diversity_check_share(ctx, release->graph, release->communities, t->k, &t->share, &d),
                     KSDA_OK);
    assert_true(d.satisfied && d.share_satisfied);
    ksda_diversity_clear(ctx, &d);
    if (optimum != UINT32_MAX) {
        assert_true(r->lower_bound <= optimum && r->least_added_vertices == 0);
        assert_true(r->added_vertices > 0 || r->added_edges >= optimum);
        s->found++, s->cheapest += r->added_vertices == 0 && r->added_edges == optimum;
    } else {
        assert_true(r->added_vertices > 0 || r->added_edges > MOST_EDGES);
    }
    ksda_publication_free(ctx, p);
}

/* The paper's program, where a solver is there. */
static void solve(ksda_ctx *ctx, const tiny *t, uint32_t optimum) {
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits = NULL;
    ksda_optimal_options_init(&o);
    o.k = t->k, o.max_share = t->share;
    ksda_ctx_allow_processes(ctx, 1);
    ksda_status status = ksda_optimal(ctx, t->graph, t->sets, &o, &edits, &r);
    ksda_ctx_allow_processes(ctx, 0);
    if (status == KSDA_UNSUPPORTED) return;
    assert_int_equal(status, KSDA_OK);
    if (optimum != UINT32_MAX) {
        assert_int_equal(r.status, KSDA_MODEL_OPTIMAL);
        assert_int_equal(r.added_edges, optimum);
    } else {
        assert_true(r.status != KSDA_MODEL_OPTIMAL || r.added_edges > MOST_EDGES);
    }
    ksda_edits_free(ctx, edits);
}

/* The score of so many networks; every `programs`-th is solved as well. */
static score duel(ksda_ctx *ctx, uint64_t seed, uint32_t several, uint32_t unknown, uint64_t networks,
                  uint64_t programs) {
    ksda_i_rng random = ksda_i_rng_stream(seed, 0, 0);
    score s = {0};
    for (uint64_t i = 0; i < networks; i++) {
        tiny t;
        make(ctx, &random, several, unknown, &t);
        uint32_t optimum = fewest_edges(&t);
        publish(ctx, &t, optimum, &s);
        if (i % programs == 0) solve(ctx, &t, optimum);
        clear(ctx, &t);
    }
    if (getenv("KSDA_TEST_TIMES"))
        fprintf(stderr, "%u possible without a split, %u found, %u of them cheapest, %u proved impossible\n",
                s.possible, s.found, s.cheapest, s.proved);
    return s;
}

static void people_who_are_not_known(void **state) {
    score s = duel(*state, 1, 1, 4, times_as_many(12), 6);
    assert_true(s.found == s.possible && enough(s.found, 2) && s.cheapest * 10 >= s.found * 9);
}

static void people_in_several_communities(void **state) {
    score s = duel(*state, 2, 2, 0, times_as_many(40), 20);
    assert_true(enough(s.found, 8) && s.found * 100 >= s.possible * 95);
}

static void both(void **state) {
    score s = duel(*state, 3, 2, 5, times_as_many(40), 20);
    assert_true(enough(s.found, 6) && s.found * 100 >= s.possible * 95);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(people_who_are_not_known),
                                       cmocka_unit_test(people_in_several_communities), cmocka_unit_test(both)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
