/* The methods when memory runs out, when they are cancelled, and with other seeds and numbers of threads. */
#include "failing_memory.h"
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <ksda/anonymize.h>

/* A network on which every method has something to do, splitting, linking and restarting included. */
static void busy_network(ksda_ctx *ctx, uint64_t seed, ksda_network *net) {
    ksda_i_rng r = ksda_i_rng_stream(seed, 7, 8);
    uint32_t pairs[400], of[40], m = 0, n = 32;
    *net = (ksda_network){.graph = NULL};
    for (uint32_t v = 0; v < n; v++) {
        of[v] = v % 4;
        for (uint32_t h = 0; h < 3 && h < v; h++)
            if (ksda_i_rng_below(&r, 2 + h)) pairs[2 * m] = h, pairs[2 * m++ + 1] = v;
        if (v) pairs[2 * m] = v, pairs[2 * m++ + 1] = (uint32_t)ksda_i_rng_below(&r, v);
    }
    assert_int_equal(listed_network(ctx, n, m, pairs, of, net), KSDA_OK);
}

static ksda_status run(ksda_ctx *ctx, const ksda_network *net, const char *name, uint32_t k, ksda_edits **edits) {
    ksda_anonymize_options options;
    ksda_anonymize_options_init(&options);
    options.k = k;
    return ksda_anonymize(ctx, net->graph, net->communities, ksda_method_find(name), &options, edits, NULL);
}

static const char *const method[] = {"edge-connect", "inverse-edge-connect", "create-by-split", "merge-by-split",
                                     "flex-split",   "splitting-only",       "k-degree"};
enum {
    METHODS = sizeof method / sizeof *method
};

static void every_allocation_fails_once(void **state) {
    (void)state;
    for (int i = 0; i < METHODS * 2; i++) {
        failing_memory m = {.once = true};
        ksda_allocator allocator = failing_allocator(&m);
        ksda_ctx *ctx;
        ksda_network net;
        ksda_edits *edits;
        assert_int_equal(ksda_ctx_new(&allocator, &ctx), KSDA_OK);
        ksda_ctx_allow_processes(ctx, 1);
        busy_network(ctx, (uint64_t)i, &net);
        long blocks = m.blocks;
        ksda_status status = KSDA_NOMEM;
        for (long at = 1; status == KSDA_NOMEM; at++) {
            m.calls = 0;
            m.fail_at = at;
            status = run(ctx, &net, method[i / 2], 3, &edits);
            if (status >= 0) ksda_edits_free(ctx, edits);
            assert_true(status >= 0 || edits == NULL);
            assert_int_equal(m.blocks, blocks);
            assert_true(at < 5000);
        }
        assert_true(status == KSDA_OK || status == KSDA_NOT_FOUND);
        m.fail_at = 0;
        ksda_network_clear(ctx, &net);
        ksda_ctx_free(ctx);
        assert_int_equal(m.blocks, 0);
    }
}

static void cancelled_before_it_starts(void **state) {
    ksda_ctx *ctx;
    ksda_network net;
    ksda_edits *edits;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_allow_processes(ctx, 1);
    busy_network(ctx, 1, &net);
    ksda_ctx_cancel(ctx);
    for (int i = 0; i < METHODS; i++) {
        assert_int_equal(run(ctx, &net, method[i], 3, &edits), KSDA_INTERRUPTED);
        assert_null(edits);
    }
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

static void same_graph(ksda_ctx *ctx, const ksda_edits *a, const ksda_edits *b, bool same) {
    ksda_graph *g, *h;
    assert_int_equal(ksda_edits_apply(ctx, a, &g), KSDA_OK);
    assert_int_equal(ksda_edits_apply(ctx, b, &h), KSDA_OK);
    bool equal = g->n == h->n && g->m == h->m && memcmp(g->adj, h->adj, 2 * g->m * sizeof *g->adj) == 0;
    assert_int_equal(equal, same);
    ksda_graph_free(ctx, g);
    ksda_graph_free(ctx, h);
}

/* The same seed gives the same release, whatever the number of threads; another deals the edges otherwise. */
static void seeds_and_threads(void **state) {
    ksda_ctx *ctx;
    ksda_network net;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_allow_processes(ctx, 1);
    busy_network(ctx, 3, &net);
    for (int i = 0; i < METHODS; i++) {
        ksda_edits *first, *again;
        ksda_ctx_set_seed(ctx, 1);
        ksda_ctx_set_threads(ctx, 1);
        if (run(ctx, &net, method[i], 3, &first) < 0) continue;
        for (unsigned threads = 1; threads <= 8; threads *= 2) {
            ksda_ctx_set_threads(ctx, threads);
            assert_int_equal(run(ctx, &net, method[i], 3, &again), KSDA_OK);
            same_graph(ctx, first, again, true);
            ksda_edits_free(ctx, again);
        }
        ksda_ctx_set_seed(ctx, 2);
        if (strcmp(method[i], "merge-by-split") == 0) {
            assert_int_equal(run(ctx, &net, method[i], 3, &again), KSDA_OK);
            same_graph(ctx, first, again, false);
            ksda_edits_free(ctx, again);
        }
        ksda_edits_free(ctx, first);
    }
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails_once),
                                       cmocka_unit_test(cancelled_before_it_starts),
                                       cmocka_unit_test(seeds_and_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
