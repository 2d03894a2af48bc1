/* Attackers who know the surroundings, beside loading the network: processor time and memory, as multiples.
 *
 * Every run is in a process of its own, so that its peak memory can be told apart (wait4). The file is an R-MAT graph
 * with 2^scale vertices and 16 times as many edges, as raw numbers, which is what loads fastest; vertices are in 100
 * communities. One thread. Usage: bench_attack [scale], by default 18. */
#include "graph/graph.h"

#include <ksda/ksda.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct result {
    double load, attack; /* seconds of the processor */
    double graph, peak;  /* bytes */
} result;

static void must(int fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "bench_attack: %s failed\n", what);
    exit(1);
}

static double processor(void) {
    struct rusage usage;
    must(getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void make_file(const char *path, unsigned scale) {
    ksda_ctx *ctx;
    ksda_graph *g;
    ksda_rmat_options o;
    must(ksda_ctx_new(NULL, &ctx) == KSDA_OK, "ksda_ctx_new");
    ksda_rmat_options_init(&o);
    o.scale = scale, o.edges = UINT64_C(16) << scale;
    must(ksda_generate_rmat(ctx, &o, &g, NULL) == KSDA_OK, "ksda_generate_rmat");
    must(ksda_write_graph(ctx, g, NULL, path, KSDA_FORMAT_AUTO) == KSDA_OK, "ksda_write_graph");
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

/* Load, and let these attack; nobody where there are none. */
static result attack(const char *path, uint64_t attackers) {
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_communities *communities;
    ksda_attack_options o;
    ksda_attack_result found = KSDA_INIT(ksda_attack_result);
    double start = processor();
    must(ksda_ctx_new(NULL, &ctx) == KSDA_OK, "ksda_ctx_new");
    ksda_ctx_set_threads(ctx, 1);
    must(ksda_load(ctx, path, NULL, &net) == KSDA_OK, "ksda_load");
    result r = {.load = processor() - start, .graph = 8.0 * (net.graph->n + 1.0) + 8.0 * (double)net.graph->m};
    uint32_t *of = malloc(net.graph->n * sizeof *of);
    must(of != NULL, "malloc");
    for (uint32_t v = 0; v < net.graph->n; v++) of[v] = v % 100;
    must(ksda_communities_from_labels(ctx, net.graph->n, of, &communities) == KSDA_OK, "ksda_communities_from_labels");
    free(of);
    start = processor();
    ksda_attack_options_init(&o);
    o.k = 5, o.attackers = attackers;
    if (attackers) must(ksda_attack(ctx, net.graph, communities, &o, &found) == KSDA_OK, "ksda_attack");
    r.attack = processor() - start;
    return r;
}

static result run(const char *path, uint64_t attackers) {
    result r;
    struct rusage usage;
    int ends[2], status;
    must(pipe(ends) == 0, "pipe");
    pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        r = attack(path, attackers);
        must(write(ends[1], &r, sizeof r) == (ssize_t)sizeof r, "write");
        _exit(0);
    }
    close(ends[1]);
    must(read(ends[0], &r, sizeof r) == (ssize_t)sizeof r, "a child");
    close(ends[0]);
    must(wait4(child, &status, 0, &usage) == child && status == 0, "a child");
    r.peak = 1024.0 * (double)usage.ru_maxrss;
    return r;
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        uint64_t attackers;
    } rows[] = {
        {"loading alone", 0},
        {"friends' degrees", KSDA_ATTACKER_BIT(KSDA_ATTACKER_FRIENDS_DEGREES)},
        {"one round of refinement", KSDA_ATTACKER_BIT(KSDA_ATTACKER_REFINEMENT_1)},
        {"three rounds, each judged", KSDA_ATTACKER_BIT(KSDA_ATTACKER_REFINEMENT_1) |
                                          KSDA_ATTACKER_BIT(KSDA_ATTACKER_REFINEMENT_2) |
                                          KSDA_ATTACKER_BIT(KSDA_ATTACKER_REFINEMENT_3)},
        {"all of one vertex", UINT64_MAX},
    };
    unsigned scale = argc > 1 ? (unsigned)atoi(argv[1]) : 18;
    char path[] = "/tmp/bench_attack_XXXXXX";
    int file = mkstemp(path);
    must(file >= 0 && close(file) == 0 && scale >= 8 && scale <= 26, "a file, or a scale of 8 to 26,");
    char raw[64];
    snprintf(raw, sizeof raw, "%s.u32", path);
    make_file(raw, scale);
    printf("R-MAT, 2^%u vertices, 2^%u edges, 100 communities, one thread\n", scale, scale + 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fflush(stdout);
        result r = run(raw, rows[i].attackers);
        printf("  %-26s load %7.3f s   attack %7.3f s = %5.2f x   peak %6.0f MB = %5.2f x the graph\n", rows[i].name,
               r.load, r.attack, r.attack / r.load, r.peak / 1e6, r.peak / r.graph);
    }
    printf("asked for: friends' degrees and refinement 1 x, peak 1.5 x\n");
    unlink(raw);
    unlink(path);
    return 0;
}
