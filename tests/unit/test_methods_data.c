/* Every heuristic on real networks, and on realistic ones that need no data folder, k in steps up to the number of
 * communities: every release through verify. */
#include "context.h"
#include "realistic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <ksda/anonymize.h>
#include <ksda/privacy.h>

typedef struct instance {
    const char *name, *part;
    uint32_t k_step; /* 2, 2 + step, ..., and |C| */
} instance;

static const instance instances[] = {
    {"karate", "", 1},        {"lesmis", "metis4", 1},       {"polbooks", "", 1},
    {"football", "", 1},      {"usairport500", "metis5", 1}, {"usairport500", "metis8", 1},
    {"email-Eu-core", "", 5}, {"polblogs", "", 1},           {"ca-CondMat", "metis100", 20},
    {"dblp-csr20p2", "", 4},
};

static uint32_t found, tried;

static bool has_isolated(const ksda_graph *g) {
    for (uint32_t v = 0; v < ksda_graph_vertices(g); v++)
        if (ksda_graph_degree(g, v) == 0) return true;
    return false;
}

static void check_one(ksda_ctx *ctx, const ksda_network *net, const ksda_method *m, uint32_t k) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_anonymize_options_init(&options);
    options.k = k;
    ksda_status status = ksda_anonymize(ctx, net->graph, net->communities, m, &options, &edits, &result);
    tried++;
    if (status == KSDA_NOT_FOUND && !(m->flags & KSDA_METHOD_ALWAYS)) return;
    if (status == KSDA_NOT_FOUND && !(m->flags & KSDA_METHOD_ADDS) && has_isolated(net->graph)) return;
    if (status != KSDA_OK) fail_msg("%s, k = %u: %s", m->name, k, ksda_ctx_error(ctx)->message);
    found++;
    assert_int_equal(ksda_release_make(ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(ctx, net->graph, net->communities, release.graph, release.owner, k, &v), KSDA_OK);
    if (!v.valid || !v.satisfied) fail_msg("%s, k = %u: %s", m->name, k, v.error);
    assert_int_equal(v.added_edges, result.added_edges);
    assert_int_equal(v.added_vertices, result.added_vertices);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
}

static void check_network(ksda_ctx *ctx, const ksda_network *net, uint32_t k_step) {
    size_t count;
    const ksda_method *m = ksda_methods(&count);
    uint32_t communities = ksda_communities_count(net->communities);
    for (size_t i = 0; i < count; i++) {
        if ((m[i].flags & KSDA_METHOD_BASELINE) || !strcmp(m[i].name, "level-plan") || !strcmp(m[i].name, "optimal"))
            continue;
        for (uint32_t k = 2; k < communities; k += k_step) check_one(ctx, net, &m[i], k);
        check_one(ctx, net, &m[i], communities);
    }
}

static void real_networks(void **state) {
    ksda_ctx *ctx = *state;
    found = tried = 0;
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) {
        ksda_network net;
        if (!data_network(ctx, instances[i].name, instances[i].part, &net)) skip();
        check_network(ctx, &net, instances[i].k_step);
        ksda_network_clear(ctx, &net);
    }
    print_message("%u of %u found\n", found, tried);
    assert_true(found > tried / 2);
}

static void realistic_networks(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    found = tried = 0;
    for (size_t i = 0; realistic_network(ctx, i, &net); i++) {
        check_network(ctx, &net, 1 + ksda_communities_count(net.communities) / 4);
        ksda_network_clear(ctx, &net);
    }
    print_message("%u of %u found\n", found, tried);
    assert_true(found > tried / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(realistic_networks), cmocka_unit_test(real_networks)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
