/* Leiden against igraph's on the data networks (time, modularity), and R-MAT rates.
 * igraph runs until stable by its own count, as in the test, and once more with the number of iterations given (10).
 * Both use one thread; seconds of Leiden are processor time, so that a busy machine does not tilt the ratio.
 * usage: bench_detect [ITERATIONS] */
#include "bench.h"
#include "in_igraph.h"
#include "core/ctx.h"
#include "graph/graph.h"

#include <ksda/ksda.h>

#include <igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *const networks[] = {"karate",       "lesmis",        "polbooks", "football",
                                       "usairport500", "email-Eu-core", "polblogs", "ca-CondMat",
                                       "dblp-csr20p2", "soc-Epinions1", "com-dblp"};

static bool load(ksda_ctx *ctx, const char *name, ksda_network *net) {
    char path[1024];
    for (int packed = 0; packed < 2; packed++) {
        snprintf(path, sizeof path, "%s/%s.edges%s", KSDA_DATA_DIR, name, packed ? ".gz" : "");
        if (access(path, R_OK) == 0) return ksda_load(ctx, path, NULL, net) >= 0;
    }
    printf("%-14s not there\n", name);
    return false;
}

static double peer_leiden(const igraph_t *g, int iterations, double *seconds) {
    igraph_vector_t degree;
    igraph_vector_int_t membership;
    igraph_integer_t clusters;
    igraph_real_t quality, modularity;
    double start = processor_seconds();
    igraph_vector_init(&degree, 0);
    igraph_vector_int_init(&membership, 0);
    igraph_rng_seed(igraph_rng_default(), 1);
    igraph_strength(g, &degree, igraph_vss_all(), IGRAPH_ALL, 1, NULL);
    igraph_community_leiden(g, NULL, &degree, 1.0 / (2.0 * (double)igraph_ecount(g)), 0.01, 0, iterations, &membership,
                            &clusters, &quality);
    *seconds = processor_seconds() - start;
    igraph_modularity(g, &membership, NULL, 1, 0, &modularity);
    igraph_vector_destroy(&degree);
    igraph_vector_int_destroy(&membership);
    return modularity;
}

static void compare(ksda_ctx *ctx, const char *name, int iterations) {
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_communities *c;
    igraph_t g;
    double stable_seconds, many_seconds;
    if (!load(ctx, name, &net)) return;
    to_igraph(net.graph, &g);
    double start = processor_seconds();
    if (ksda_detect_leiden(ctx, net.graph, &c) < 0) exit(1);
    double seconds = processor_seconds() - start, q = ksda_modularity(net.graph, c);
    double stable = peer_leiden(&g, -1, &stable_seconds), many = peer_leiden(&g, iterations, &many_seconds);
    printf("%-14s %8u %9llu %9.4f %8.3f %9.4f %8.3f %9.4f %8.3f %7.2f\n", name, net.graph->n,
           (unsigned long long)net.graph->m, q, seconds, stable, stable_seconds, many, many_seconds,
           many_seconds / seconds);
    igraph_destroy(&g);
    ksda_communities_free(ctx, c);
    ksda_network_clear(ctx, &net);
}

static void generate(ksda_ctx *ctx, uint32_t scale, uint64_t edges, unsigned threads) {
    ksda_rmat_options o;
    ksda_graph *g;
    ksda_rmat_options_init(&o);
    o.scale = scale, o.edges = edges;
    ksda_ctx_set_threads(ctx, threads);
    double start = ksda_i_now(), busy = processor_seconds();
    if (ksda_generate_rmat(ctx, &o, &g, NULL) < 0) exit(1);
    double seconds = ksda_i_now() - start;
    printf("R-MAT 2^%u vertices %9llu edges %u threads %8.3f s %7.1f M edges/s, processor time %.3f s\n", scale,
           (unsigned long long)edges, threads, seconds, 1e-6 * (double)edges / seconds, processor_seconds() - busy);
    ksda_graph_free(ctx, g);
}

int main(int argc, char **argv) {
    int iterations = argc > 1 ? atoi(argv[1]) : 10;
    ksda_ctx *ctx;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    printf("%-14s %8s %9s %9s %8s %9s %8s %9s %8s %7s\n", "Leiden", "vertices", "edges", "ours", "s", "igraph", "s",
           "igraph x n", "s", "ratio");
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) compare(ctx, networks[i], iterations);
    for (unsigned threads = 1; threads <= 2; threads++) generate(ctx, 20, UINT64_C(1) << 24, threads);
    generate(ctx, 12, 7000000, 2); /* 83 % of all pairs */
    ksda_ctx_free(ctx);
    return 0;
}
