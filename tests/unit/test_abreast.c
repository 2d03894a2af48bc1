/* Searches side by side: whose thread is told, and what is left when they are stopped. */
#include "context.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/detect.h>
#include <ksda/privacy.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Communities of very different sizes: sets of levels are searched with all weights. */
static void make_network(ksda_network *net) {
    ksda_planted_options o;
    const ksda_network none = KSDA_INIT(ksda_network);
    *net = none;
    ksda_planted_options_init(&o);
    o.vertices = 60, o.edges = 240, o.communities = 6, o.size_exponent = 2, o.mixing = 0.3;
    assert_int_equal(ksda_generate_planted(check_ctx, &o, &net->graph, &net->communities), KSDA_OK);
}

typedef struct listener {
    pthread_t caller;
    uint32_t told;
    void (*stop)(ksda_ctx *ctx); /* to be called while sets of levels are searched, or NULL */
} listener;

static int listen_to(const ksda_progress *news, void *payload) {
    listener *l = payload;
    assert_true(pthread_equal(pthread_self(), l->caller));
    l->told++;
    if (l->stop && strcmp(news->stage, "level sets") == 0) l->stop(check_ctx);
    return 0;
}

static ksda_status run_with_threads(const ksda_network *net, unsigned threads, listener *l, ksda_edits **edits) {
    ksda_anonymize_options options;
    ksda_anonymize_options_init(&options);
    options.k = net->communities->count, options.no_proof = 1;
    l->caller = pthread_self(), l->told = 0;
    ksda_ctx_set_threads(check_ctx, threads);
    ksda_ctx_set_progress(check_ctx, listen_to, l);
    ksda_status status = ksda_anonymize(check_ctx, net->graph, net->communities, NULL, &options, edits, NULL);
    ksda_ctx_set_progress(check_ctx, NULL, NULL);
    ksda_ctx_set_threads(check_ctx, 1);
    ksda_ctx_reset_cancel(check_ctx);
    return status;
}

static void assert_release_holds(const ksda_network *net, const ksda_edits *edits) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(
        ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, net->communities->count, &v),
        KSDA_OK);
    assert_true(v.valid && v.satisfied);
    ksda_release_clear(check_ctx, &release);
}

static void callbacks_stay_in_the_callers_thread(void **state) {
    ksda_network net;
    ksda_edits *edits;
    listener l = {.stop = NULL};
    (void)state;
    make_network(&net);
    assert_int_equal(run_with_threads(&net, 4, &l, &edits), KSDA_OK);
    assert_true(l.told > 0);
    assert_release_holds(&net, edits);
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

/* Whoever is asked to finish hands over what there is. */
static void searches_that_are_to_finish_leave_a_release(void **state) {
    ksda_network net;
    ksda_edits *edits;
    listener l = {.stop = ksda_ctx_finish};
    (void)state;
    make_network(&net);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        assert_int_equal(run_with_threads(&net, threads, &l, &edits), KSDA_LIMIT);
        assert_release_holds(&net, edits);
        ksda_edits_free(check_ctx, edits);
    }
    ksda_network_clear(check_ctx, &net);
}

static void searches_that_are_cancelled_leave_nothing(void **state) {
    ksda_network net;
    ksda_edits *edits;
    listener l = {.stop = ksda_ctx_cancel};
    (void)state;
    make_network(&net);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        assert_int_equal(run_with_threads(&net, threads, &l, &edits), KSDA_INTERRUPTED);
        assert_null(edits);
    }
    ksda_network_clear(check_ctx, &net);
}

/* Searches in a row begin with what all have found but the last, whoever has ended by then. */
static void releases_do_not_depend_on_the_number_of_threads(void **state) {
    ksda_network net;
    ksda_edits *alone, *edits;
    const ksda_pair *expected, *added;
    listener l = {.stop = NULL};
    (void)state;
    make_network(&net);
    assert_int_equal(run_with_threads(&net, 1, &l, &alone), KSDA_OK);
    uint64_t count = ksda_edits_added(alone, &expected);
    for (unsigned threads = 2; threads <= 3; threads++) {
        assert_int_equal(run_with_threads(&net, threads, &l, &edits), KSDA_OK);
        assert_int_equal(ksda_edits_pieces(edits), ksda_edits_pieces(alone));
        assert_int_equal(ksda_edits_added(edits, &added), count);
        assert_memory_equal(added, expected, count * sizeof *added);
        ksda_edits_free(check_ctx, edits);
    }
    ksda_edits_free(check_ctx, alone);
    ksda_network_clear(check_ctx, &net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(callbacks_stay_in_the_callers_thread),
                                       cmocka_unit_test(searches_that_are_to_finish_leave_a_release),
                                       cmocka_unit_test(searches_that_are_cancelled_leave_nothing),
                                       cmocka_unit_test(releases_do_not_depend_on_the_number_of_threads)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
