/* The census against a list of who stands where, counted anew for every question. */
#include "privacy/census.h"

#include "context.h"
#include "failing_memory.h"
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 40u        /* vertices that move */
#define WIDE 2500u      /* communities and degrees of which there are too many for a dense census of MOST vertices */
#define MOVES 400u      /* of one sequence */
#define SEQUENCES 1500u /* of each kind */

/* --- the slow way ------------------------------------------------------------------------------------------------ */

typedef struct person {
    uint32_t degree, community;
} person;

typedef struct listed {
    person at[MOST];
    uint32_t count, counted, k;
} listed;

static uint32_t own(const listed *l, uint32_t degree, uint32_t community) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < l->count; i++) sum += l->at[i].degree == degree && l->at[i].community == community;
    return sum;
}

static uint32_t vertices(const listed *l, uint32_t degree) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < l->count; i++) sum += l->at[i].degree == degree;
    return sum;
}

static uint32_t communities_at(const listed *l, uint32_t degree) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        bool seen = l->at[i].degree != degree || l->at[i].community >= l->counted;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = l->at[j].degree == degree && l->at[j].community == l->at[i].community;
        sum += !seen;
    }
    return sum;
}

static bool fits(const listed *l, uint32_t degree) {
    return vertices(l, degree) == 0 || communities_at(l, degree) >= l->k;
}

/* What may be done is what leaves the degrees in order that were. */
static bool fits_without(const listed *l, uint32_t degree, uint32_t community, bool stays) {
    listed then = *l;
    uint32_t i = 0;
    while (then.at[i].degree != degree || then.at[i].community != community) i++;
    then.at[i] = then.at[--then.count];
    if (communities_at(&then, degree) == communities_at(l, degree)) return true;
    return communities_at(&then, degree) >= l->k || (!stays && vertices(&then, degree) == 0);
}

static bool fits_with(const listed *l, uint32_t degree, uint32_t community) {
    listed then = *l;
    then.at[then.count++] = (person){degree, community};
    return communities_at(&then, degree) >= l->k;
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

static void assert_same(const ksda_i_census *x, const listed *l, uint32_t degree, uint32_t community) {
    uint32_t there = communities_at(l, degree), here = own(l, degree, community);
    assert_int_equal(ksda_i_census_own(x, degree, community), here);
    assert_int_equal(x->tally[degree].communities + x->tally[degree].unknown > 0, vertices(l, degree) > 0);
    assert_int_equal(x->tally[degree].communities, there);
    assert_int_equal(ksda_i_census_enough(x, degree), there >= l->k);
    assert_int_equal(ksda_i_census_missing(x, degree), there >= l->k ? 0 : l->k - there);
    assert_int_equal(ksda_i_census_in_order(x, degree), fits(l, degree));
    if (here) {
        assert_int_equal(ksda_i_census_spares(x, degree, community), fits_without(l, degree, community, true));
        assert_int_equal(ksda_i_census_may_leave(x, degree, community), fits_without(l, degree, community, false));
    }
    if (l->count < MOST)
        assert_int_equal(ksda_i_census_may_come(x, degree, community), fits_with(l, degree, community));
}

static void change(ksda_i_census *x, listed *l, ksda_i_rng *r, person to) {
    uint32_t kind = (uint32_t)ksda_i_rng_below(r, 8), i = l->count ? (uint32_t)ksda_i_rng_below(r, l->count) : 0;
    if (l->count == 0 || (kind == 0 && l->count < MOST)) {
        ksda_i_census_add(x, to.degree, to.community);
        l->at[l->count++] = to;
    } else if (kind == 1) {
        ksda_i_census_remove(x, l->at[i].degree, l->at[i].community);
        l->at[i] = l->at[--l->count];
    } else {
        ksda_i_census_move(x, l->at[i].community, l->at[i].degree, to.degree);
        if (kind == 2)
            ksda_i_census_move(x, l->at[i].community, to.degree, l->at[i].degree); /* taken back */
        else
            l->at[i].degree = to.degree;
    }
}

/* Few degrees and communities, spread over all there are, so that they meet often. */
static void run_sequence(ksda_i_census *x, uint64_t number) {
    ksda_i_rng r = ksda_i_rng_stream(number, 0x74657374, 0);
    uint32_t degrees = 1 + (uint32_t)ksda_i_rng_below(&r, 6), communities = 1 + (uint32_t)ksda_i_rng_below(&r, 8);
    uint32_t step_d = (x->degrees - 1) / 6, step_c = (x->communities - 1) / 7;
    listed l = {.counted = x->model.counted, .k = x->model.k};
    ksda_i_census_empty(x, x->degrees);
    for (uint32_t i = 0; i < MOVES; i++) {
        person to = {step_d * (uint32_t)ksda_i_rng_below(&r, degrees),
                     step_c * (uint32_t)ksda_i_rng_below(&r, communities)};
        change(x, &l, &r, to);
        assert_same(x, &l, to.degree, to.community);
        if (i % 64) continue;
        uint32_t wrong = 0;
        for (uint32_t d = 0; d < degrees; d++) {
            wrong += !fits(&l, step_d * d);
            for (uint32_t c = 0; c < communities; c++) assert_same(x, &l, step_d * d, step_c * c);
        }
        assert_int_equal(ksda_i_census_disorder(x), wrong);
    }
}

/* n communities of one vertex each, of which the last do not count. */
static ksda_communities *many_communities(uint32_t n, uint32_t uncounted) {
    ksda_communities *out;
    uint32_t *of = malloc(n * sizeof *of);
    for (uint32_t v = 0; v < n; v++) of[v] = v + uncounted < n ? v : UINT32_MAX;
    assert_int_equal(ksda_communities_from_partial_labels(check_ctx, n, of, UINT32_MAX, KSDA_UNASSIGNED_OWN, &out),
                     KSDA_OK);
    assert_int_equal(out->count, n);
    assert_int_equal(out->counted, n - uncounted);
    free(of);
    return out;
}

static void random_moves(uint32_t communities, uint32_t degrees, bool sparse) {
    for (uint32_t k = 1; k <= 5; k++)
        for (uint32_t uncounted = 0; uncounted < 2; uncounted++) {
            ksda_communities *c = many_communities(communities, uncounted * communities / 3);
            ksda_i_census x;
            assert_int_equal(ksda_i_census_open(check_ctx, c, k, degrees, MOST, &x), KSDA_OK);
            assert_int_equal(x.slot != NULL, sparse);
            assert_int_equal(x.cell != NULL, !sparse);
            for (uint64_t i = 0; i < times_as_many(SEQUENCES) / 10; i++) run_sequence(&x, i);
            ksda_i_census_close(check_ctx, &x);
            ksda_communities_free(check_ctx, c);
        }
}

static void dense_moves_as_counted(void **state) {
    (void)state;
    random_moves(8, 7, false);
}

static void sparse_moves_as_counted(void **state) {
    (void)state;
    random_moves(WIDE, WIDE, true);
}

/* As many cells in use as there are vertices, again and again: a table that kept traces of empty cells would fill up.
 */
static void sparse_cells_are_given_back(void **state) {
    ksda_communities *c = many_communities(WIDE, 0);
    ksda_i_census x;
    ksda_i_rng r = ksda_i_rng_stream(1, 0x74657374, 1);
    person at[MOST];
    (void)state;
    assert_int_equal(ksda_i_census_open(check_ctx, c, 2, WIDE, MOST, &x), KSDA_OK);
    for (uint32_t i = 0; i < MOST; i++) {
        at[i] = (person){(uint32_t)ksda_i_rng_below(&r, WIDE), (uint32_t)ksda_i_rng_below(&r, WIDE)};
        ksda_i_census_add(&x, at[i].degree, at[i].community);
    }
    for (uint32_t round = 0; round < 200000; round++) {
        person *p = &at[round % MOST], to = {(uint32_t)ksda_i_rng_below(&r, WIDE), p->community};
        ksda_i_census_move(&x, p->community, p->degree, to.degree);
        *p = to;
    }
    uint64_t used = 0;
    for (uint64_t i = 0; i <= x.mask; i++) used += x.slot[i].count;
    assert_int_equal(used, MOST);
    for (uint32_t i = 0; i < MOST; i++) assert_true(ksda_i_census_own(&x, at[i].degree, at[i].community) > 0);
    for (uint32_t i = 0; i < MOST; i++) ksda_i_census_remove(&x, at[i].degree, at[i].community);
    for (uint64_t i = 0; i <= x.mask; i++) assert_int_equal(x.slot[i].count, 0);
    for (uint32_t d = 0; d < WIDE; d++) assert_int_equal(x.tally[d].communities + x.tally[d].unknown, 0);
    ksda_i_census_close(check_ctx, &x);
    ksda_communities_free(check_ctx, c);
}

/* An ordered census and a dense one of the same network say the same. */
static void ordered_as_dense(void **state) {
    (void)state;
    for (uint64_t i = 0; i < times_as_many(300); i++) {
        ksda_network g;
        ksda_i_census dense, ordered;
        uint32_t n = 1 + (uint32_t)(i % 30), k = 1 + (uint32_t)(i % 4);
        random_network(check_ctx, i, n, 0.2, 1 + (uint32_t)(i % 7), &g);
        assert_int_equal(ksda_i_census_open(check_ctx, g.communities, k, n, n, &dense), KSDA_OK);
        assert_int_equal(ksda_i_census_open_ordered(check_ctx, g.communities, k, n, &ordered), KSDA_OK);
        for (int again = 0; again < 2; again++) {
            ksda_i_census_empty(&dense, n), ksda_i_census_empty(&ordered, n);
            for (uint32_t j = 0; j < n; j++) {
                uint32_t v = g.communities->member[j], d = ksda_i_degree(g.graph, v), c = g.communities->of[v];
                ksda_i_census_add(&dense, d, c), ksda_i_census_see(&ordered, d, c);
            }
            assert_memory_equal(dense.tally, ordered.tally, n * sizeof *dense.tally);
            assert_int_equal(ksda_i_census_disorder(&dense), ksda_i_census_disorder(&ordered));
        }
        ksda_i_census_close(check_ctx, &dense);
        ksda_i_census_close(check_ctx, &ordered);
        ksda_network_clear(check_ctx, &g);
    }
}

static void edges_stay_inside_communities(void **state) {
    ksda_network g;
    (void)state;
    random_network(check_ctx, 5, 20, 0.2, 4, &g);
    for (uint32_t u = 0; u < 20; u++)
        for (uint32_t v = 0; v < 20; v++)
            assert_int_equal(ksda_i_may_connect(g.communities, u, v),
                             ksda_communities_of(g.communities, u) == ksda_communities_of(g.communities, v));
    ksda_network_clear(check_ctx, &g);
}

static ksda_status open_all(ksda_ctx *ctx, const void *payload) {
    const ksda_communities *c = payload;
    ksda_i_census dense = {.degrees = 0}, sparse = {.degrees = 0}, ordered = {.degrees = 0};
    ksda_status status;
    KSDA_I_TRY(ksda_i_census_open(ctx, c, 2, 3, MOST, &dense));
    KSDA_I_TRY(ksda_i_census_open(ctx, c, 2, WIDE, MOST, &sparse));
    KSDA_I_TRY(ksda_i_census_open_ordered(ctx, c, 2, WIDE, &ordered));
done:
    ksda_i_census_close(ctx, &dense);
    ksda_i_census_close(ctx, &sparse);
    ksda_i_census_close(ctx, &ordered);
    return status;
}

static void memory_runs_out(void **state) {
    ksda_communities *c = many_communities(WIDE, 0);
    (void)state;
    assert_survives_failing_memory_with(open_all, c);
    ksda_communities_free(check_ctx, c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_moves_as_counted),        cmocka_unit_test(sparse_moves_as_counted),
        cmocka_unit_test(sparse_cells_are_given_back),   cmocka_unit_test(ordered_as_dense),
        cmocka_unit_test(edges_stay_inside_communities), cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
