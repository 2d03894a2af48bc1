/* Leiden against igraph's on every network of the data folder: at most 1 % less modularity. And modularity itself. */
#include "in_igraph.h"
#include "context.h"
#include "realistic.h"

#include <ksda/detect.h>

#include <igraph.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const networks[] = {"karate",       "lesmis",        "polbooks", "football",
                                       "usairport500", "email-Eu-core", "polblogs", "ca-CondMat",
                                       "dblp-csr20p2", "soc-Epinions1", "com-dblp"};

/* igraph's Leiden until stable, and its modularity as igraph counts it. */
static double igraph_leiden(const igraph_t *g, igraph_vector_int_t *membership) {
    igraph_vector_t degree;
    igraph_integer_t clusters;
    igraph_real_t quality, modularity;
    igraph_vector_init(&degree, 0);
    igraph_rng_seed(igraph_rng_default(), 1);
    igraph_strength(g, &degree, igraph_vss_all(), IGRAPH_ALL, 1, NULL);
    igraph_community_leiden(g, NULL, &degree, 1.0 / (2.0 * (double)igraph_ecount(g)), 0.01, 0, -1, membership,
                            &clusters, &quality);
    igraph_modularity(g, membership, NULL, 1, 0, &modularity);
    igraph_vector_destroy(&degree);
    return modularity;
}

static void check_network(ksda_ctx *ctx, const char *name, const ksda_graph *graph) {
    ksda_communities *ours, *theirs;
    igraph_t g;
    igraph_vector_int_t membership;
    to_igraph(graph, &g);
    igraph_vector_int_init(&membership, 0);
    double start = ksda_i_now();
    double peer = igraph_leiden(&g, &membership), peer_seconds = ksda_i_now() - start;
    start = ksda_i_now();
    assert_int_equal(ksda_detect_leiden(ctx, graph, &ours), KSDA_OK);
    double seconds = ksda_i_now() - start, q = ksda_modularity(graph, ours);
    printf("%-14s ours %.6f in %.3f s, %u communities; igraph %.6f in %.3f s, %ld communities\n", name, q, seconds,
           ksda_communities_count(ours), peer, peer_seconds, (long)igraph_vector_int_max(&membership) + 1);
    assert_true(q >= 0.99 * peer);
    uint32_t *of = malloc(graph->n * sizeof *of); /* both count the same partition alike */
    for (uint32_t v = 0; v < graph->n; v++) of[v] = (uint32_t)VECTOR(membership)[v];
    assert_int_equal(ksda_communities_from_labels(ctx, graph->n, of, &theirs), KSDA_OK);
    assert_true(fabs(ksda_modularity(graph, theirs) - peer) < 1e-9);
    free(of);
    ksda_communities_free(ctx, ours);
    ksda_communities_free(ctx, theirs);
    igraph_vector_int_destroy(&membership);
    igraph_destroy(&g);
}

static void at_least_igraph_less_one_percent(void **state) {
    ksda_ctx *ctx = *state;
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        ksda_network net;
        if (!data_network(ctx, networks[i], NULL, &net)) continue;
        seen++;
        check_network(ctx, networks[i], net.graph);
        ksda_network_clear(ctx, &net);
    }
    if (seen == 0) skip();
}

static void realistic_networks(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    const char *name;
    for (size_t i = 0; (name = realistic_network(ctx, i, &net)); i++) {
        check_network(ctx, name, net.graph);
        ksda_network_clear(ctx, &net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_least_igraph_less_one_percent),
                                       cmocka_unit_test(realistic_networks)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
