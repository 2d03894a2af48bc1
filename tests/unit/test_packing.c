/* Packings of sets against trying every choice, on thousands of small families; what is said when the budget is over;
 * and sets of communities as they are kept. */
#include "context.h"
#include "core/random.h"
#include "privacy/packing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MOST_SETS 13

typedef struct family {
    uint32_t sets, communities;
    uint32_t bits[MOST_SETS]; /* communities of each vertex */
} family;

/* The most sets that are pairwise disjoint, by trying all. */
static uint32_t try_all(const family *f) {
    uint32_t best = 0;
    for (uint32_t choice = 0; choice < 1u << f->sets; choice++) {
        uint32_t used = 0, count = (uint32_t)__builtin_popcount(choice), i = 0;
        if (count <= best) continue;
        for (; i < f->sets; i++) {
            if (!(choice >> i & 1)) continue;
            if (used & f->bits[i]) break;
            used |= f->bits[i];
        }
        if (i == f->sets) best = count;
    }
    return best;
}

static family random_family(ksda_i_rng *random) {
    family f = {.sets = 1 + (uint32_t)ksda_i_rng_below(random, MOST_SETS),
                .communities = 1 + (uint32_t)ksda_i_rng_below(random, 16)};
    uint32_t least = (uint32_t)ksda_i_rng_below(random, 3), more = 1 + (uint32_t)ksda_i_rng_below(random, 4);
    for (uint32_t i = 0; i < f.sets; i++) {
        uint32_t size = 1 + least + (uint32_t)ksda_i_rng_below(random, more);
        while (size-- > 0) f.bits[i] |= 1u << ksda_i_rng_below(random, f.communities);
    }
    return f;
}

/* As communities of f.sets vertices. Communities that nobody has are left out. */
static ksda_communities *as_communities(ksda_ctx *ctx, const family *f) {
    uint64_t offsets[MOST_SETS + 1] = {0};
    uint32_t list[MOST_SETS * 32], all = 0, number[32], count = 0;
    ksda_communities *c;
    for (uint32_t i = 0; i < f->sets; i++) all |= f->bits[i];
    for (uint32_t b = 0; b < 32; b++) number[b] = all >> b & 1 ? count++ : 0;
    for (uint32_t i = 0; i < f->sets; i++) {
        offsets[i + 1] = offsets[i];
        for (uint32_t b = 0; b < 32; b++)
            if (f->bits[i] >> b & 1) list[offsets[i + 1]++] = number[b];
    }
    assert_int_equal(
        ksda_communities_from_sets(ctx, f->sets, count, offsets, list, NULL, NULL, KSDA_UNASSIGNED_REFUSE, &c),
        KSDA_OK);
    return c;
}

static void assert_disjoint(const ksda_communities *c, const uint32_t *chosen, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool there = false;
        for (uint32_t v = 0; v < c->n; v++) there |= c->of[v] == chosen[i];
        assert_true(there);
        for (uint32_t j = 0; j < i; j++) assert_false(ksda_i_kinds_meet(c, chosen[i], chosen[j]));
    }
}

static void pack(ksda_ctx *ctx, const ksda_communities *c, uint32_t enough, uint64_t work, ksda_i_packing *out) {
    ksda_i_packer packer;
    uint32_t chosen[64];
    assert_true(c->n <= 64);
    assert_int_equal(ksda_i_packer_open(ctx, c, &packer), KSDA_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(ksda_i_pack(&packer, c->of, c->n, enough, work, chosen, out), KSDA_OK);
        assert_disjoint(c, chosen, out->found);
        assert_true(out->found <= out->most);
    }
    ksda_i_packer_close(&packer);
}

static void the_most_sets_are_found(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng random;
    random = ksda_i_rng_stream(1, 0, 0);
    for (int i = 0; i < 6000; i++) {
        family f = random_family(&random);
        ksda_communities *c = as_communities(ctx, &f);
        uint32_t most = try_all(&f), enough = 1 + (uint32_t)ksda_i_rng_below(&random, 6);
        ksda_i_packing p;
        pack(ctx, c, UINT32_MAX, KSDA_I_PACKING_WORK, &p);
        assert_int_equal(p.found, most);
        assert_int_equal(p.most, most);
        pack(ctx, c, enough, KSDA_I_PACKING_WORK, &p);
        assert_int_equal(p.found >= enough, most >= enough);
        assert_true(p.most >= most);
        if (most < enough) assert_int_equal(p.most, most);
        ksda_communities_free(ctx, c);
    }
}

/* Neither too many are claimed nor too few ruled out. */
static void without_budget_both_bounds_hold(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng random;
    random = ksda_i_rng_stream(2, 0, 0);
    for (int i = 0; i < 2000; i++) {
        family f = random_family(&random);
        ksda_communities *c = as_communities(ctx, &f);
        uint32_t most = try_all(&f);
        ksda_i_packing p;
        pack(ctx, c, UINT32_MAX, i % 2 ? 0 : 4, &p);
        assert_true(p.found <= most && p.most >= most);
        assert_true(most == 0 || p.found > 0);
        ksda_communities_free(ctx, c);
    }
}

/* The edges of a complete graph on 11 vertices: at most 5 are disjoint, yet small budgets cannot tell. */
static void a_budget_that_is_over_is_told(void **state) {
    ksda_ctx *ctx = *state;
    uint64_t offsets[56];
    uint32_t list[110], at = 0;
    ksda_communities *c;
    ksda_i_packing p;
    for (uint32_t a = 0; a < 11; a++)
        for (uint32_t b = a + 1; b < 11; b++) offsets[at / 2] = at, list[at++] = a, list[at++] = b;
    offsets[55] = at;
    assert_int_equal(ksda_communities_from_sets(ctx, 55, 11, offsets, list, NULL, NULL, KSDA_UNASSIGNED_REFUSE, &c),
                     KSDA_OK);
    pack(ctx, c, UINT32_MAX, KSDA_I_PACKING_WORK, &p);
    assert_int_equal(p.found, 5);
    assert_int_equal(p.most, 5);
    pack(ctx, c, UINT32_MAX, 1, &p);
    assert_true(p.found >= 1 && p.found <= 5 && p.most > 5);
    ksda_communities_free(ctx, c);
}

static void who_does_not_count_is_no_witness(void **state) {
    ksda_ctx *ctx = *state;
    const uint64_t offsets[] = {0, 2, 3, 3, 3};
    const uint32_t list[] = {1, 0, 2};
    ksda_communities *c;
    ksda_i_packing p;
    uint32_t size;
    assert_int_equal(ksda_communities_from_sets(ctx, 4, 3, offsets, list, NULL, NULL, KSDA_UNASSIGNED_OWN, &c),
                     KSDA_OK);
    pack(ctx, c, UINT32_MAX, KSDA_I_PACKING_WORK, &p);
    assert_int_equal(p.found, 2);
    assert_int_equal(p.most, 2);
    assert_int_equal(ksda_communities_set_count(c), 5);
    assert_int_equal(ksda_communities_set(c, 0, &size)[1], 1);
    assert_int_equal(size, 2);
    assert_int_equal(ksda_communities_set(c, 3, &size)[0], 4);
    assert_int_equal(size, 1);
    ksda_communities_free(ctx, c);
}

static void one_community_each_is_a_partition(void **state) {
    ksda_ctx *ctx = *state;
    const uint64_t offsets[] = {0, 1, 3, 4};
    const uint32_t list[] = {1, 0, 0, 1}, label[] = {1, 0, 1};
    ksda_communities *sets, *labels;
    assert_int_equal(ksda_communities_from_sets(ctx, 3, 2, offsets, list, NULL, NULL, KSDA_UNASSIGNED_REFUSE, &sets),
                     KSDA_OK);
    assert_int_equal(ksda_communities_from_labels(ctx, 3, label, &labels), KSDA_OK);
    assert_int_equal(ksda_communities_overlap(sets), 0);
    assert_memory_equal(ksda_communities_labels(sets), ksda_communities_labels(labels), sizeof label);
    ksda_communities_free(ctx, sets);
    ksda_communities_free(ctx, labels);
}

static void what_is_wrong_with_sets_is_told(void **state) {
    ksda_ctx *ctx = *state;
    const uint64_t offsets[] = {0, 2, 2}, back[] = {0, 2, 1};
    const uint32_t list[] = {1, 0}, beyond[] = {1, 7};
    ksda_communities *c;
    assert_int_equal(ksda_communities_from_sets(ctx, 2, 2, offsets, list, NULL, NULL, KSDA_UNASSIGNED_REFUSE, &c),
                     KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "vertex 1 has no community"));
    assert_int_equal(ksda_communities_from_sets(ctx, 2, 2, back, list, NULL, NULL, KSDA_UNASSIGNED_OWN, &c),
                     KSDA_INVALID);
    assert_int_equal(ksda_communities_from_sets(ctx, 2, 2, offsets, beyond, NULL, NULL, KSDA_UNASSIGNED_OWN, &c),
                     KSDA_INVALID);
    assert_int_equal(ksda_communities_from_sets(ctx, 2, 3, offsets, list, NULL, NULL, KSDA_UNASSIGNED_OWN, &c),
                     KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "community 2 has no members"));
    assert_null(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_sets_are_found),           cmocka_unit_test(without_budget_both_bounds_hold),
        cmocka_unit_test(a_budget_that_is_over_is_told),     cmocka_unit_test(who_does_not_count_is_no_witness),
        cmocka_unit_test(one_community_each_is_a_partition), cmocka_unit_test(what_is_wrong_with_sets_is_told),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
