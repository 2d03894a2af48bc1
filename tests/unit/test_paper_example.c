/* The paper's Examples 1 and 2, step by step, on a network built from what the text says about its figure:
 * communities {a..e} and {f..k}, lists c d a b e and f g k h j i, degrees 5 of c, 4 of f, 3 of d and g; f is adjacent
 * to i, j and k but not to g and h, and d to everybody but e. */
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <ksda/anonymize.h>
#include <ksda/privacy.h>

enum {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
    J,
    K
};

static const uint32_t figure[] = {C, A, C, B, C, D, C, E, D, A, D, B, C, F, F, I, F, J, F, K, G, H, G, J, G, K, H, K};
static const uint32_t community[] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};

typedef struct told_step {
    const char *action;
    uint32_t vertex, degree, target, cost;
    uint32_t edges; /* how many */
    ksda_pair edge; /* the first */
} told_step;

/* Example 1: c founds a group of degree 5 with f, for which the edge (f, g) is added. Example 2: at g, now of degree 4,
 * the edge (f, g) can be redirected to h, so g founds a group of degree 3 with d at no cost. */
static const told_step expected[] = {
    {"create", C, 5, 5, 0, 0, {0, 0}}, {"create", F, 4, 5, 1, 1, {F, G}}, {"redirect", G, 4, 3, 0, 1, {F, H}},
    {"create", G, 4, 3, 0, 0, {0, 0}}, {"create", D, 3, 3, 0, 0, {0, 0}},
};
enum {
    EXPECTED = sizeof expected / sizeof *expected
};

static void compare(const ksda_step *step, void *payload) {
    uint32_t *at = payload;
    if (*at >= EXPECTED) return;
    const told_step *e = &expected[(*at)++];
    assert_string_equal(step->action, e->action);
    assert_int_equal(step->vertex, e->vertex);
    assert_int_equal(step->degree, e->degree);
    assert_int_equal(step->target, e->target);
    assert_int_equal(step->cost, e->cost);
    assert_int_equal(step->edge_count, e->edges);
    if (e->edges) {
        assert_int_equal(step->edges[0].u, e->edge.u);
        assert_int_equal(step->edges[0].v, e->edge.v);
    }
}

static void examples_1_and_2(void **state) {
    ksda_ctx *ctx;
    ksda_graph *g;
    ksda_communities *c;
    ksda_edits *edits;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_anonymize_options options;
    uint32_t steps = 0;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 11, sizeof figure / sizeof *figure / 2, figure, &g), KSDA_OK);
    assert_int_equal(ksda_communities_from_labels(ctx, 11, community, &c), KSDA_OK);
    ksda_anonymize_options_init(&options);
    options.k = 2;
    options.step = compare;
    options.step_payload = &steps;
    assert_int_equal(ksda_anonymize(ctx, g, c, ksda_method_find("edge-connect"), &options, &edits, NULL), KSDA_OK);
    assert_int_equal(steps, EXPECTED);
    assert_int_equal(ksda_release_make(ctx, edits, c, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(ctx, g, c, release.graph, release.owner, 2, &v), KSDA_OK);
    assert_true(v.valid && v.satisfied);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    ksda_graph_free(ctx, g);
    ksda_communities_free(ctx, c);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_1_and_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
