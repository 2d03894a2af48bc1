/* One call from a network to a verified release: the same as the steps by themselves, and nothing that verify has not
 * passed, whatever is asked to stop and wherever memory ends. */
#include "anonymize/publish.h"

#include "context.h"
#include "failing_memory.h"
#include "random_graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <ksda/ksda.h>

enum {
    NETWORKS = 40
};

static ksda_anonymize_options asking(uint32_t k) {
    ksda_anonymize_options o;
    ksda_anonymize_options_init(&o);
    o.k = k;
    return o;
}

static ksda_publish_options repeatable(void) {
    ksda_publish_options o;
    ksda_publish_options_init(&o);
    o.insecure_ids = 1;
    return o;
}

static void assert_same_graph(const ksda_graph *a, const ksda_graph *b) {
    assert_int_equal(ksda_graph_vertices(a), ksda_graph_vertices(b));
    assert_int_equal(ksda_graph_edges(a), ksda_graph_edges(b));
    assert_memory_equal(ksda_graph_offsets(a), ksda_graph_offsets(b), (ksda_graph_vertices(a) + 1) * sizeof(uint64_t));
    if (ksda_graph_edges(a))
        assert_memory_equal(ksda_graph_neighbours(a), ksda_graph_neighbours(b),
                            2 * ksda_graph_edges(a) * sizeof(uint32_t));
}

/* The steps by themselves, and the outcome of the one call beside it. */
static void compare_with_steps(const ksda_network *net, const ksda_method *method, uint32_t k) {
    ksda_anonymize_options options = asking(k);
    ksda_publish_options how = repeatable();
    ksda_publication *p;
    ksda_edits *edits;
    ksda_release release = KSDA_INIT(ksda_release);
    how.baseline = (method->flags & KSDA_METHOD_BASELINE) != 0;
    ksda_status expected = ksda_anonymize(check_ctx, net->graph, net->communities, method, &options, &edits, NULL);
    assert_int_equal(ksda_publish(check_ctx, net->graph, net->communities, method, &options, &how, &p), expected);
    if (expected < 0) {
        assert_null(p);
        return;
    }
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_same_graph(release.graph, ksda_publication_release(p)->graph);
    const ksda_verification *v = ksda_publication_verification(p);
    const ksda_anonymize_result *r = ksda_publication_result(p);
    assert_true(how.baseline || (v->valid && v->satisfied));
    if (!how.baseline) assert_int_equal(v->added_edges, r->added_edges);
    if (!how.baseline) assert_int_equal(v->added_vertices, r->added_vertices);
    assert_true(!(r->cost < r->lower_bound - 1e-6));
    assert_string_equal(ksda_publication_method(p), method->name);
    assert_int_equal(ksda_publication_k(p), k);
    assert_int_equal(ksda_edits_added(ksda_publication_edits(p), NULL), ksda_edits_added(edits, NULL));
    ksda_publication_free(check_ctx, p);
    ksda_release_clear(check_ctx, &release);
    ksda_edits_free(check_ctx, edits);
}

static void one_call_is_the_steps(void **state) {
    (void)state;
    size_t methods;
    const ksda_method *method = ksda_methods(&methods);
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        random_network(check_ctx, seed, 10 + (uint32_t)(seed % 15), 0.3, 2 + (uint32_t)(seed % 3), &net);
        for (size_t i = 0; i < methods; i++)
            if (!(method[i].flags & KSDA_METHOD_EXACT)) compare_with_steps(&net, &method[i], 2);
        ksda_network_clear(check_ctx, &net);
    }
}

static void baselines_must_be_asked_for(void **state) {
    (void)state;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_anonymize_options options = asking(2);
    ksda_publication *p;
    random_network(check_ctx, 5, 20, 0.3, 3, &net);
    assert_int_equal(
        ksda_publish(check_ctx, net.graph, net.communities, ksda_method_find("k-degree"), &options, NULL, &p),
        KSDA_INVALID);
    assert_null(p);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "baseline"));
    ksda_network_clear(check_ctx, &net);
}

/* Edits that do not make the network diverse, that break a rule, and that are of another graph. */
static void edits_that_fail_are_not_handed_over(void **state) {
    (void)state;
    static const uint32_t pairs[] = {0, 1, 1, 2, 0, 2, 3, 4}, label[] = {0, 0, 0, 1, 1};
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_edits *none, *across;
    ksda_graph *other;
    ksda_publication *p;
    assert_int_equal(listed_network(check_ctx, 5, 4, pairs, label, &net), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &none), KSDA_OK);
    assert_int_equal(ksda_publish_edits(check_ctx, net.graph, net.communities, 2, none, NULL, &p), KSDA_VIOLATED);
    assert_null(p);
    assert_int_equal(ksda_publish_edits(check_ctx, net.graph, net.communities, 1, none, NULL, &p), KSDA_OK);
    assert_string_equal(ksda_publication_method(p), "edits");
    assert_true(isnan(ksda_publication_result(p)->lower_bound));
    ksda_publication_free(check_ctx, p);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &across), KSDA_OK);
    assert_int_equal(ksda_edits_add_edge(check_ctx, across, 0, 3), KSDA_OK);
    assert_int_equal(ksda_publish_edits(check_ctx, net.graph, net.communities, 1, across, NULL, &p), KSDA_VIOLATED);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "fails verification"));
    assert_int_equal(ksda_graph_from_edges(check_ctx, 5, 4, pairs, &other), KSDA_OK);
    assert_int_equal(ksda_publish_edits(check_ctx, other, net.communities, 1, none, NULL, &p), KSDA_INVALID);
    ksda_edits_free(check_ctx, none), ksda_edits_free(check_ctx, across);
    ksda_graph_free(check_ctx, other);
    ksda_network_clear(check_ctx, &net);
}

/* Asked to finish from the first report on: a method that has a release by then hands it over, and it is made and
 * verified although the request stays. */
static int finish_at_once(const ksda_progress *progress, void *payload) {
    (void)progress;
    ksda_ctx_finish(payload);
    return 0;
}

static void what_was_found_is_published_whatever_the_time(void **state) {
    (void)state;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_anonymize_options options = asking(3);
    ksda_publication *p;
    ksda_ctx *ctx = new_ctx();
    random_network(ctx, 3, 300, 0.03, 4, &net);
    ksda_ctx_set_progress(ctx, finish_at_once, ctx);
    ksda_status status =
        ksda_publish(ctx, net.graph, net.communities, ksda_method_find("splitting-only"), &options, NULL, &p);
    assert_true(status >= 0 || status == KSDA_INTERRUPTED);
    ksda_ctx_reset_cancel(ctx);
    ksda_ctx_set_progress(ctx, NULL, NULL);
    ksda_publication_free(ctx, p);
    ksda_ctx_set_time_limit(ctx, 1e-9), ksda_ctx_set_deadline(ctx, 3600);
    status = ksda_publish(ctx, net.graph, net.communities, NULL, &options, NULL, &p);
    assert_int_equal(status, KSDA_LIMIT);
    assert_true(ksda_publication_verification(p)->satisfied);
    ksda_publication_free(ctx, p);
    ksda_ctx_set_time_limit(ctx, 0), ksda_ctx_cancel(ctx);
    assert_int_equal(ksda_publish(ctx, net.graph, net.communities, NULL, &options, NULL, &p), KSDA_INTERRUPTED);
    assert_null(p);
    ksda_ctx_reset_cancel(ctx);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

static ksda_status publish_small(ksda_ctx *ctx) {
    static const uint32_t pairs[] = {0, 1, 1, 2, 0, 2, 3, 4, 4, 5}, label[] = {0, 0, 0, 1, 1, 1};
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_anonymize_options options = asking(2);
    ksda_publication *p = NULL;
    ksda_status status = listed_network(ctx, 6, 5, pairs, label, &net);
    options.no_proof = 1;
    if (status >= 0) status = ksda_publish(ctx, net.graph, net.communities, NULL, &options, NULL, &p);
    ksda_publication_free(ctx, p);
    ksda_network_clear(ctx, &net);
    return status;
}

static void memory_may_fail_anywhere(void **state) {
    (void)state;
    assert_survives_failing_memory(publish_small);
}

/* Communities of another network are refused by every call that takes both, before they are looked at. */
static void communities_of_other_vertices_are_refused(void **state) {
    ksda_network net, other;
    size_t count;
    ksda_anonymize_options options = asking(2);
    ksda_optimal_options exact;
    ksda_publication *p;
    ksda_edits *edits;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_frontier frontier = KSDA_INIT(ksda_frontier);
    ksda_diversity diversity = KSDA_INIT(ksda_diversity);
    (void)state;
    random_network(check_ctx, 1, 60, 0.2, 3, &net);
    random_network(check_ctx, 2, 20, 0.3, 3, &other);
    ksda_optimal_options_init(&exact);
    exact.k = 2;
    const ksda_method *method = ksda_methods(&count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ksda_anonymize(check_ctx, net.graph, other.communities, &method[i], &options, &edits, NULL),
                         KSDA_INVALID);
    assert_int_equal(ksda_publish(check_ctx, net.graph, other.communities, NULL, &options, NULL, &p), KSDA_INVALID);
    assert_int_equal(ksda_optimal(check_ctx, net.graph, other.communities, &exact, &edits, NULL), KSDA_INVALID);
    assert_int_equal(ksda_optimal_write_lp(check_ctx, net.graph, other.communities, &exact, "/dev/null"), KSDA_INVALID);
    assert_int_equal(ksda_frontier_search(check_ctx, net.graph, other.communities, &options, 4, &frontier),
                     KSDA_INVALID);
    assert_int_equal(ksda_diversity_check(check_ctx, net.graph, other.communities, 2, &diversity), KSDA_INVALID);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &edits), KSDA_OK);
    assert_int_equal(ksda_release_make(check_ctx, edits, other.communities, 1, &release), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "of 20 vertices, but the graph has 60"));
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
    ksda_network_clear(check_ctx, &other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_call_is_the_steps),
        cmocka_unit_test(baselines_must_be_asked_for),
        cmocka_unit_test(edits_that_fail_are_not_handed_over),
        cmocka_unit_test(what_was_found_is_published_whatever_the_time),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(communities_of_other_vertices_are_refused),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
