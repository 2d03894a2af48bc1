/* Who has a degree that was made for few: where everybody may have any degree, the member whose edges are least
 * suspicious is nearly always one who was raised to it. */
#include "methods/levelplan/plausible.h"
#include "context.h"
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

static bool is_added(const ksda_edits *edits, uint32_t u, uint32_t v) {
    const ksda_pair *pair;
    uint64_t count = ksda_edits_added(edits, &pair);
    for (uint64_t i = 0; i < count; i++)
        if ((pair[i].u == u && pair[i].v == v) || (pair[i].u == v && pair[i].v == u)) return true;
    return false;
}

/* Edges inside communities, some at everybody who is drawn. */
static ksda_edits *with_added_edges(const ksda_network *net, uint64_t seed, uint32_t count) {
    ksda_edits *edits;
    ksda_i_rng rng = ksda_i_rng_stream(seed, 2, 0);
    assert_int_equal(ksda_edits_new(check_ctx, net->graph, &edits), KSDA_OK);
    while (ksda_edits_added(edits, NULL) < count) {
        uint32_t u = (uint32_t)ksda_i_rng_below(&rng, net->graph->n),
                 v = (uint32_t)ksda_i_rng_below(&rng, net->graph->n);
        if (u != v && net->communities->of[u] == net->communities->of[v] && !ksda_graph_adjacent(net->graph, u, v) &&
            !is_added(edits, u, v))
            assert_int_equal(ksda_edits_add_edge(check_ctx, edits, u, v), KSDA_OK);
    }
    return edits;
}

/* Whatever degree somebody has is in order here, so that nothing but the members decides. */
static void somebody_raised_is_least_suspicious(void **state) {
    picks before = {.groups = 0}, after = before;
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        ksda_network net;
        double nearer;
        random_network(check_ctx, seed, 90, 0.12, 3, &net);
        ksda_edits *edits = with_added_edges(&net, seed, ADDED);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(somebody_raised_is_least_suspicious)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
