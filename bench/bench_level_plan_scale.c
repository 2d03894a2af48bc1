/* level-plan on R-MAT networks: seconds and memory of planning, realizing and proving against those of loading the
 * file.
 *
 *     bench_level_plan_scale SCALE EDGES_PER_VERTEX BLOCK_BITS K [THREADS [FOLDER]]
 *
 * A child writes the network to FOLDER (default /tmp; 2^26 edges are about 1 GB) and leaves; the files are loaded,
 * anonymized and removed. Memory is what the process holds after loading, and its peak while level-plan runs. */
#include "core/ctx.h"

#include <ksda/ksda.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static double status_gib(const char *field) {
    char line[256];
    double value = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, strlen(field)) == 0) value = atof(line + strlen(field) + 1) / 1048576;
    if (f) fclose(f);
    return value;
}

/* Let the peak begin again from here. */
static void forget_peak(void) {
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (!f) return;
    fputs("5", f);
    fclose(f);
}

static int fail(ksda_ctx *ctx) {
    fprintf(stderr, "bench_level_plan_scale: %s\n", ksda_ctx_error(ctx)->message);
    return 1;
}

static int write_network(unsigned threads, const ksda_rmat_options *rmat, const char *edges, const char *blocks) {
    ksda_ctx *ctx;
    ksda_graph *graph;
    ksda_communities *communities;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_allow_processes(ctx, 1);
    ksda_ctx_set_threads(ctx, threads);
    if (ksda_generate_rmat(ctx, rmat, &graph, &communities) < 0 ||
        ksda_write_graph(ctx, graph, NULL, edges, KSDA_FORMAT_AUTO) < 0 ||
        ksda_write_communities(ctx, graph, communities, blocks) < 0)
        return fail(ctx);
    ksda_graph_free(ctx, graph);
    ksda_communities_free(ctx, communities);
    ksda_ctx_free(ctx);
    return 0;
}

static int measure(unsigned threads, uint32_t k, const char *edges, const char *blocks, const char *scale) {
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_load_options load;
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_allow_processes(ctx, 1);
    ksda_ctx_set_threads(ctx, threads);
    ksda_load_options_init(&load);
    load.communities = blocks;
    double start = ksda_i_now();
    if (ksda_load(ctx, edges, &load, &net) < 0) return fail(ctx);
    double loaded = ksda_i_now(), held = status_gib("VmRSS:");
    forget_peak();
    ksda_anonymize_options_init(&options);
    options.k = k;
    ksda_status status =
        ksda_anonymize(ctx, net.graph, net.communities, ksda_method_find("level-plan"), &options, &edits, &result);
    double done = ksda_i_now(), peak = status_gib("VmHWM:"), m = (double)ksda_graph_edges(net.graph);
    if (status < 0) return fail(ctx);
    printf("scale %s  edges %.0f  load %.2f s (%.2f GiB held)  level-plan %.2f s (ratio %.2f; peak %.2f GiB, ratio "
           "%.2f)  %.1f ns/edge  "
           "n_a %llu  n_s %llu  bound %g\n",
           scale, m, loaded - start, held, done - loaded, (done - loaded) / (loaded - start), peak, peak / held,
           1e9 * (done - loaded) / m, (unsigned long long)result.added_edges, (unsigned long long)result.added_vertices,
           result.lower_bound);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
    return 0;
}

int main(int argc, char **argv) {
    ksda_rmat_options rmat;
    char edges[1024], blocks[1024];
    int status = 1;
    if (argc < 5)
        return fprintf(stderr,
                       "usage: bench_level_plan_scale SCALE EDGES_PER_VERTEX BLOCK_BITS K [THREADS [FOLDER]]\n"),
               2;
    unsigned threads = argc > 5 ? (unsigned)atoi(argv[5]) : 2;
    ksda_rmat_options_init(&rmat);
    rmat.scale = (uint32_t)atoi(argv[1]), rmat.block_bits = (uint32_t)atoi(argv[3]);
    rmat.edges = (uint64_t)atoi(argv[2]) << rmat.scale;
    snprintf(edges, sizeof edges, "%s/level-plan-scale.%d.edges", argc > 6 ? argv[6] : "/tmp", (int)getpid());
    snprintf(blocks, sizeof blocks, "%s/level-plan-scale.%d.communities", argc > 6 ? argv[6] : "/tmp", (int)getpid());
    pid_t child = fork(); /* what generating needs is not to count as ours */
    if (child == 0) _exit(write_network(threads, &rmat, edges, blocks));
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        status = measure(threads, (uint32_t)atoi(argv[4]), edges, blocks, argv[1]);
    unlink(edges), unlink(blocks);
    return status ? 1 : 0;
}
