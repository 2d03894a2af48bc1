/* level-plan on R-MAT networks: seconds and memory of planning and realizing against generating the network, per edge.
 *
 *     bench_level_plan_scale SCALE EDGES_PER_VERTEX BLOCK_BITS K [THREADS] */
#include "core/ctx.h"

#include <ksda/ksda.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static double peak_gib(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1048576;
}

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_graph *graph;
    ksda_communities *communities;
    ksda_edits *edits;
    ksda_anonymize_options options;
    ksda_anonymize_result result;
    ksda_rmat_options rmat;
    if (argc < 5) return fprintf(stderr, "usage: bench_level_plan_scale SCALE EDGES_PER_VERTEX BLOCK_BITS K [THREADS]\n"), 2;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_set_threads(ctx, argc > 5 ? (unsigned)atoi(argv[5]) : 2);
    ksda_rmat_options_init(&rmat);
    rmat.scale = (uint32_t)atoi(argv[1]), rmat.block_bits = (uint32_t)atoi(argv[3]);
    rmat.edges = (uint64_t)atoi(argv[2]) << rmat.scale;
    double start = ksda_i_now();
    if (ksda_generate_rmat(ctx, &rmat, &graph, &communities) < 0) return fprintf(stderr, "%s\n", ksda_ctx_error(ctx)->message), 1;
    double made = ksda_i_now(), loaded = peak_gib();
    ksda_anonymize_options_init(&options);
    options.k = (uint32_t)atoi(argv[4]);
    ksda_status status = ksda_anonymize(ctx, graph, communities, ksda_method_find("level-plan"), &options, &edits, &result);
    double done = ksda_i_now();
    if (status < 0) return fprintf(stderr, "%s\n", ksda_ctx_error(ctx)->message), 1;
    printf("scale %s  edges %llu  generate %.2f s (peak %.2f GiB)  level-plan %.2f s (peak %.2f GiB)  %.1f ns/edge  n_a %llu  n_s %llu  "
           "bound %g\n",
           argv[1], (unsigned long long)rmat.edges, made - start, loaded, done - made, peak_gib(), 1e9 * (done - made) / (double)rmat.edges,
           (unsigned long long)result.added_edges, (unsigned long long)result.added_vertices, result.lower_bound);
    ksda_edits_free(ctx, edits);
    ksda_graph_free(ctx, graph);
    ksda_communities_free(ctx, communities);
    ksda_ctx_free(ctx);
    return 0;
}
