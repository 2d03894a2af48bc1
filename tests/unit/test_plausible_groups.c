/* Who has a degree that was made for few: where everybody may have any degree, the member whose edges are least
 * suspicious is nearly always one who was raised to it. */
#include "methods/levelplan/plausible.h"
#include "context.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/attack.h>
#include <ksda/privacy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    K = 1,
    ADDED = 40
};

typedef struct picks {
    double untouched, chance, groups;
} picks;

/* Verify the release, and count how often untouched members are picked. */
static void unmask(const ksda_network *net, const ksda_edits *edits, picks *sum) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_attack_result found = KSDA_INIT(ksda_attack_result);
    ksda_attack_options o;
    ksda_attack_options_init(&o);
    o.attackers = KSDA_ATTACKER_BIT(KSDA_ATTACKER_DEGREE);
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, K, &v),
                     KSDA_OK);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(
        ksda_attack_release(check_ctx, net->graph, net->communities, release.graph, release.owner, &o, &found),
        KSDA_OK);
    double groups = found.unmasked.measured ? (double)found.groups : 0;
    sum->groups += groups;
    if (groups > 0) sum->untouched += groups * found.unmasked.value, sum->chance += groups * found.chance.value;
    ksda_attack_result_clear(check_ctx, &found);
    ksda_release_clear(check_ctx, &release);
}

/* Whatever degree somebody has is in order here, so that nothing but the members decides. */
static void somebody_raised_is_least_suspicious(void **state) {
    picks before = {.groups = 0}, after = before;
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        ksda_network net;
        double nearer;
        random_network(check_ctx, seed, 90, 0.12, 3, &net);
        ksda_edits *edits = random_additions(check_ctx, seed, net.graph, net.communities, net.graph->n, ADDED);
        unmask(&net, edits, &before);
        assert_int_equal(
            ksda_i_plausible(check_ctx, net.graph, net.communities, K, (ksda_share){0, 0}, ADDED / 4, edits, &nearer),
            KSDA_OK);
        assert_true(ksda_edits_added(edits, NULL) <= ADDED + ADDED / 4);
        unmask(&net, edits, &after);
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
    print_message("%.1f of %g, by chance %.1f; with plausible edges %.1f of %g, by chance %.1f\n", before.untouched,
                  before.groups, before.chance, after.untouched, after.groups, after.chance);
    assert_true(after.groups >= 40 && after.untouched <= after.groups / 10); /* 12.5 where nobody looks at groups */
}

/* --- comparisons -------------------------------------------------------------------------------------------------- */

enum {
    CYCLE = 3000, /* people with two friends */
    LEAST = 6,    /* the smallest of the degrees, of which there are */
    DEGREES = 10,
    COMPARISONS = 8000,
    MOST_PEOPLE = 2 * CYCLE,
    MOST_PAIRS = 4 * CYCLE
};

/* One community, as it grows. */
typedef struct crowd {
    uint32_t pairs[2 * MOST_PAIRS], people;
    uint64_t count;
} crowd;

static void befriend(crowd *c, uint32_t u, uint32_t v) {
    c->pairs[2 * c->count] = u, c->pairs[2 * c->count + 1] = v;
    c->count++;
}

/* So many who all know each other; the first of them. */
static uint32_t add_clique(crowd *c, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < i; j++) befriend(c, c->people + i, c->people + j);
    c->people += size;
    return c->people - size;
}

/* Four of degree 3 are trusted, and four were raised to it from the cycle: whoever looks for somebody to come instead
 * looks at all of the cycle, in vain. At each of the larger degrees somebody is untouched whose friends do not know
 * each other, and two of cliques were raised to it by the edge between them, so that one look tells who is to stay. */
static void fill_crowd(crowd *c, ksda_pair *added) {
    uint32_t edges = 0;
    for (uint32_t v = 0; v < CYCLE; v++) befriend(c, v, (v + 1) % CYCLE);
    added[edges++] = (ksda_pair){0, 10}, added[edges++] = (ksda_pair){20, 30};
    c->people = CYCLE;
    add_clique(c, 4);
    for (uint32_t i = 0; i < DEGREES; i++) {
        uint32_t degree = LEAST + 2 * i, a = add_clique(c, degree), b = add_clique(c, degree), star = c->people++;
        added[edges++] = (ksda_pair){a, b};
        for (uint32_t leaf = 0; leaf < degree; leaf++) befriend(c, star, c->people++);
    }
}

/* The first degree could take all comparisons; each gets its share, so that all others are looked at. */
static void comparisons_are_shared(void **state) {
    static crowd c;
    static uint32_t of[MOST_PEOPLE];
    ksda_pair added[DEGREES + 2];
    ksda_network net;
    ksda_edits *edits;
    uint32_t stay = 0;
    (void)state;
    fill_crowd(&c, added);
    assert_true(c.people <= MOST_PEOPLE && c.count <= MOST_PAIRS);
    assert_int_equal(listed_network(check_ctx, c.people, c.count, c.pairs, of, &net), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &edits), KSDA_OK);
    for (uint32_t i = 0; i < DEGREES + 2; i++)
        assert_int_equal(ksda_edits_add_edge(check_ctx, edits, added[i].u, added[i].v), KSDA_OK);
    ksda_i_disguise d = {.ctx = check_ctx,
                         .graph = net.graph,
                         .communities = net.communities,
                         .edits = edits,
                         .most = DEGREES + 3,
                         .comparisons = COMPARISONS};
    assert_int_equal(ksda_i_disguise_open(&d, K, (ksda_share){0, 0}), KSDA_OK);
    assert_int_equal(ksda_i_disguise_groups(&d, 0), KSDA_OK);
    for (uint32_t p = 0; p < d.pieces; p++) stay += d.keeps[p];
    assert_int_equal(stay, DEGREES);
    ksda_i_disguise_close(&d);
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(somebody_raised_is_least_suspicious),
                                       cmocka_unit_test(comparisons_are_shared)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
