/* The words of those who publish tables: known values here; with an argument, thousands of small networks and what is
 * told of them go to standard output, for tests/support/vocabulary.py, which counts by itself. */
#include "context.h"
#include "random_graph.h"

#include "privacy/vocabulary.h"

#include <ksda/privacy.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static double term(const ksda_diversity *d, const char *name, uint32_t *degree) {
    for (uint32_t i = 0; i < d->terms; i++) {
        if (strcmp(ksda_term_info(i)->name, name) != 0) continue;
        if (degree) *degree = d->term[i].degree;
        return d->term[i].value;
    }
    fail_msg("no term %s", name);
    return 0;
}

/* The example of docs/privacy.md after f-g: degree 3 has one of A and one of B, degree 2 three of A and two of B. */
static void worked_example(void **state) {
    ksda_ctx *ctx = *state;
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 3, 4, 4, 5, 4, 6, 5, 6};
    static const uint32_t of[] = {0, 0, 0, 0, 1, 1, 1};
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    uint32_t degree;
    assert_int_equal(listed_network(ctx, 7, 8, edges, of, &net), KSDA_OK);
    assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, 2, &d), KSDA_OK);
    assert_int_equal(d.recursive_l, 2);
    assert_true(term(&d, "degree_anonymity", &degree) == 2);
    assert_int_equal(degree, 3);
    assert_true(fabs(term(&d, "recursive_c", &degree) - 3.0 / 2) < 1e-12);
    assert_int_equal(degree, 2);
    assert_true(fabs(term(&d, "t_closeness", &degree) - (4.0 / 7 - 0.5)) < 1e-12); /* degree 3 */
    assert_int_equal(degree, 3);
    assert_true(fabs(term(&d, "beta_likeness", NULL) - (0.5 / (3.0 / 7) - 1)) < 1e-12);
    assert_true(term(&d, "prosecutor_risk", NULL) == 0.5 && term(&d, "journalist_risk", NULL) == 0.5);
    assert_true(fabs(term(&d, "marketer_risk", &degree) - 2.0 / 7) < 1e-12);
    assert_int_equal(degree, KSDA_NO_DEGREE);
    assert_null(ksda_term_info(d.terms));
    ksda_diversity_clear(ctx, &d);
    ksda_network_clear(ctx, &net);
}

/* One community counts, the other is of people without one: there is nothing to be learned. */
static void one_known(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    random_network(ctx, 1, 6, 0.5, 2, &net);
    net.communities->counted = 1;
    for (uint32_t v = 0; v < 6; v++) assert_true(net.communities->of[v] < 2);
    assert_int_equal(ksda_diversity_check(ctx, net.graph, net.communities, 1, &d), KSDA_OK);
    assert_true(term(&d, "t_closeness", NULL) == 0); /* one community: nothing to be learned */
    assert_true(term(&d, "prosecutor_risk", NULL) > 0);
    ksda_diversity_clear(ctx, &d);
    ksda_network_clear(ctx, &net);
}

/* Not one community counts: what is said of identity is what it is with them, the rest is not known. */
static void nobody_known(void **state) {
    ksda_ctx *ctx = *state;
    static const uint32_t edges[] = {0, 1, 1, 2, 3, 4}, none[] = {0, 0, 0, 0, 0};
    static const char *const identity[] = {"degree_anonymity", "prosecutor_risk", "journalist_risk", "marketer_risk"};
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_i_vocabulary v;
    ksda_term_value term[32];
    assert_int_equal(listed_network(ctx, 5, 3, edges, none, &net), KSDA_OK);
    net.communities->counted = 0;
    assert_int_equal(ksda_i_vocabulary_open(ctx, net.communities, 1, &v), KSDA_OK);
    ksda_i_vocabulary_begin(term);
    ksda_i_vocabulary_degree(&v, 1, none, 4, term);
    ksda_i_vocabulary_degree(&v, 2, none, 1, term);
    for (uint32_t i = 0; i < ksda_i_term_count; i++) {
        bool about_identity = false;
        for (size_t j = 0; j < sizeof identity / sizeof *identity; j++)
            about_identity |= strcmp(ksda_term_info(i)->name, identity[j]) == 0;
        assert_int_equal(!isnan(term[i].value), about_identity);
        if (!about_identity) assert_int_equal(term[i].degree, KSDA_NO_DEGREE);
    }
    assert_true(term[0].value == 1 && term[0].degree == 2); /* degree_anonymity: vertex 1 is alone */
    ksda_i_vocabulary_close(ctx, &v);
    ksda_network_clear(ctx, &net);
}

/* The communities of v, with + between; "-" where they are not known. */
static void dump_set(const ksda_communities *c, uint32_t v) {
    uint32_t size;
    const uint32_t *set = ksda_communities_set(c, v, &size);
    bool known = ksda_communities_of(c, v) < ksda_communities_counted(c);
    for (uint32_t i = 0; i < size && known; i++) printf("%s%u", i ? "+" : "", set[i]);
    if (!known) printf("-");
}

/* A line for each network: k, then "degree:communities" for each vertex, then "=" and name:value:degree for each term.
 * In a fifth of them people are in several communities. */
static int dump(void) {
    ksda_ctx *ctx = NULL;
    if (make_ctx((void **)&ctx) != 0) return 1;
    for (uint64_t seed = 0; seed < times_as_many(2000); seed++) {
        ksda_network net;
        ksda_diversity d = KSDA_INIT(ksda_diversity);
        uint32_t n = 1 + (uint32_t)(seed % 23), communities = 1 + (uint32_t)(seed / 5 % 6);
        if (communities > n) communities = n;
        random_network(ctx, seed, n, 0.03 * (double)(seed % 31), communities, &net);
        if (seed % 5 == 1)
            random_sets(ctx, seed, seed % 2, &net);
        else if (communities > 1 && seed % 4 == 0)
            net.communities->counted--; /* the last is of people without one */
        uint32_t most = seed % 5 == 1 ? communities : net.communities->counted, k = 1 + (uint32_t)(seed % most);
        if (ksda_diversity_check(ctx, net.graph, net.communities, k, &d) != KSDA_OK) return 1;
        printf("%u", k);
        for (uint32_t v = 0; v < n; v++) {
            printf(" %u:", ksda_graph_degree(net.graph, v));
            dump_set(net.communities, v);
        }
        printf(" =");
        for (uint32_t i = 0; i < d.terms; i++)
            printf(" %s:%.17g:%d", ksda_term_info(i)->name, d.term[i].value, (int)d.term[i].degree);
        printf("\n");
        ksda_diversity_clear(ctx, &d);
        ksda_network_clear(ctx, &net);
    }
    free_ctx((void **)&ctx);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(worked_example), cmocka_unit_test(one_known),
                                       cmocka_unit_test(nobody_known)};
    (void)argv;
    return argc > 1 ? dump() : cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
