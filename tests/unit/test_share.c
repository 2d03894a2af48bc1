/* The share bound: shares as text, and check and verify against counting by hand. */
#include "context.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/privacy.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 64 /* vertices and communities */

/* --- shares as text ----------------------------------------------------------------------------------------------- */

static void shares_are_exact(void **state) {
    static const struct {
        const char *text;
        uint32_t numerator, denominator;
    } good[] = {{"1", 1, 1},
                {"1.0", 1, 1},
                {"1/3", 1, 3},
                {"2/6", 1, 3},
                {"0.5", 1, 2},
                {".125", 1, 8},
                {"0.333333333", 333333333, 1000000000},
                {"4294967294/4294967295", 4294967294, 4294967295},
                {"1.", 1, 1},
                {"7/7", 1, 1}};
    static const char *const bad[] = {
        "",   "0",    "0.0",   "1.1", "2",    "3/2",  "1/0",  "0/0", "0/5",          "/2",           "1/", ".",
        "-1", "+0.5", "1/3/4", "0,5", "1e-1", " 0.5", "0.5 ", "nan", "0.3333333333", "1/4294967296", "50%"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ksda_share s = {0, 0};
        assert_int_equal(ksda_share_from_text(good[i].text, &s), 1);
        assert_int_equal(s.numerator, good[i].numerator);
        assert_int_equal(s.denominator, good[i].denominator);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ksda_share s = {5, 6};
        if (ksda_share_from_text(bad[i], &s)) fail_msg("'%s' was taken for a share", bad[i]);
        assert_int_equal(s.numerator, 5);
    }
}

/* --- counting by hand --------------------------------------------------------------------------------------------- */

static uint32_t at_degree(const ksda_graph *g, const ksda_communities *c, uint32_t degree, uint32_t community) {
    uint32_t sum = 0;
    for (uint32_t v = 0; v < ksda_graph_vertices(g); v++)
        sum += ksda_graph_degree(g, v) == degree && ksda_communities_of(c, v) == community;
    return sum;
}

typedef struct counted {
    uint32_t vertices, degrees; /* above the bound */
    double largest;
} counted;

static counted by_hand(const ksda_graph *g, const ksda_communities *c, ksda_share most) {
    counted out = {0, 0, 0};
    for (uint32_t d = 0; d < MOST; d++) {
        uint32_t all = 0, known = 0, largest = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            uint32_t here = at_degree(g, c, d, i);
            all += here;
            if (i >= c->counted) continue;
            known += here;
            if (here > largest) largest = here;
        }
        if (known && (double)largest / known > out.largest) out.largest = (double)largest / known;
        if ((double)largest * most.denominator <= (double)most.numerator * known) continue;
        out.vertices += all, out.degrees++;
    }
    return out;
}

static void compare(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_share most) {
    ksda_diversity d = KSDA_INIT(ksda_diversity), without = KSDA_INIT(ksda_diversity);
    counted expected = by_hand(g, c, most);
    assert_int_equal(ksda_diversity_check_share(ctx, g, c, 1, &most, &d), KSDA_OK);
    assert_int_equal(ksda_diversity_check(ctx, g, c, 1, &without), KSDA_OK);
    assert_int_equal(d.above_vertices, expected.vertices);
    assert_int_equal(d.above_degrees, expected.degrees);
    assert_int_equal(d.share_satisfied, expected.degrees == 0);
    assert_int_equal(d.satisfied, expected.degrees == 0 && without.satisfied);
    assert_int_equal(d.violating_vertices, without.violating_vertices);
    assert_true(without.share_satisfied && without.above_vertices == 0);
    if (d.least_share.denominator) {
        assert_true((double)d.least_share.numerator / d.least_share.denominator == expected.largest);
        assert_int_equal(at_degree(g, c, d.worst_degree, d.worst_community), d.least_share.numerator);
    }
    ksda_diversity_clear(ctx, &d);
    ksda_diversity_clear(ctx, &without);
}

static ksda_share random_share(ksda_i_rng *rng) {
    uint32_t whole = 1 + (uint32_t)ksda_i_rng_below(rng, 8);
    return (ksda_share){1 + (uint32_t)ksda_i_rng_below(rng, whole), whole};
}

static void networks_as_counted(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        ksda_network net;
        ksda_i_rng rng = ksda_i_rng_stream(seed, 0x7368, 0);
        uint32_t n = 1 + (uint32_t)(seed % (MOST - 1)), communities = 1 + (uint32_t)(seed / 7 % 6);
        if (communities > n) communities = n;
        random_network(ctx, seed, n, 0.02 * (double)(seed % 50), communities, &net);
        if (communities > 1 && seed % 3 == 0) net.communities->counted--; /* the last is of people without one */
        compare(ctx, net.graph, net.communities, random_share(&rng));
        ksda_network_clear(ctx, &net);
    }
}

/* verify counts for itself, in the communities of the owners; it must agree with check on the release. */
static void releases_as_counted(void **state) {
    ksda_ctx *ctx = *state;
    unsigned held = 0, broken = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        ksda_network net;
        ksda_i_rng rng = ksda_i_rng_stream(seed, 0x72656c, 0);
        edit_counts counts;
        ksda_release r = KSDA_INIT(ksda_release);
        ksda_share most = random_share(&rng);
        ksda_verification v = KSDA_INIT(ksda_verification), plain = KSDA_INIT(ksda_verification);
        random_network(ctx, seed, 6 + (uint32_t)(seed % 20), 0.5, 2 + (uint32_t)(seed % 3), &net);
        ksda_edits *edits = random_edits(ctx, &rng, net.graph, net.communities, 4, 2, &counts);
        assert_int_equal(ksda_release_make(ctx, edits, net.communities, 1, &r), KSDA_OK);
        assert_int_equal(ksda_verify_share(ctx, net.graph, net.communities, r.graph, r.owner, 1, &most, &v), KSDA_OK);
        assert_int_equal(ksda_verify(ctx, net.graph, net.communities, r.graph, r.owner, 1, &plain), KSDA_OK);
        counted expected = by_hand(r.graph, r.communities, most);
        assert_true(v.valid && plain.satisfied);
        assert_int_equal(v.satisfied, expected.degrees == 0);
        assert_int_equal(v.error[0] == '\0', v.satisfied);
        if (!v.satisfied) assert_non_null(strstr(v.error, "the largest share allowed is"));
        assert_int_equal(v.added_edges, plain.added_edges);
        held += v.satisfied != 0, broken += !v.satisfied;
        ksda_release_clear(ctx, &r);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    assert_true(held > 50 && broken > 50);
}

static void bad_shares_are_refused(void **state) {
    ksda_ctx *ctx = *state;
    static const ksda_share bad[] = {{2, 1}, {0, 1}, {1, 0}};
    ksda_network net;
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    ksda_verification v = KSDA_INIT(ksda_verification);
    uint32_t owner[10];
    for (uint32_t p = 0; p < 10; p++) owner[p] = p;
    random_network(ctx, 1, 10, 0.3, 3, &net);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ksda_diversity_check_share(ctx, net.graph, net.communities, 2, &bad[i], &d), KSDA_INVALID);
        assert_int_equal(ksda_verify_share(ctx, net.graph, net.communities, net.graph, owner, 2, &bad[i], &v),
                         KSDA_INVALID);
    }
    ksda_diversity_clear(ctx, &d);
    ksda_network_clear(ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_exact), cmocka_unit_test(networks_as_counted),
                                       cmocka_unit_test(releases_as_counted), cmocka_unit_test(bad_shares_are_refused)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
