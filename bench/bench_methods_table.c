/* What every method of the paper makes of the data networks, as a Markdown table on standard output: n_a / n_s, or how
 * many vertices were placed before it failed. Every release goes through verify. scripts/methods-table.sh calls it.
 * usage: bench_methods_table [DATA-FOLDER] */
#include "bench.h"
#include "core/ctx.h"

#include <ksda/ksda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct instance {
    const char *edges, *communities, *title;
    uint32_t first, step;
} instance;

static const instance instances[] = {
    {"karate.edges", "karate.communities", "karate, 2 factions", 2, 1},
    {"lesmis.edges", "lesmis.metis4.communities", "Les Miserables, 4 parts", 2, 1},
    {"polbooks.edges", "polbooks.communities", "polbooks, 3 leanings", 2, 1},
    {"football.edges", "football.communities", "football, 12 conferences", 2, 2},
    {"usairport500.edges", "usairport500.metis5.communities", "AirPort, 5 parts", 2, 1},
    {"usairport500.edges", "usairport500.metis8.communities", "AirPort, 8 parts", 2, 1},
    {"email-Eu-core.edges", "email-Eu-core.communities", "email-Eu-core, 42 departments", 2, 5},
    {"polblogs.edges", "polblogs.communities", "polblogs, 2 leanings", 2, 1},
    {"ca-CondMat.edges.gz", "ca-CondMat.metis100.communities", "ca-CondMat, 100 parts", 5, 10},
    {"dblp-csr20p2.edges.gz", "dblp-csr20p2.communities", "dblp-csr20p2, 20 conferences", 2, 2},
};

static const char *const method[] = {"edge-connect", "inverse-edge-connect", "create-by-split", "merge-by-split",
                                     "flex-split",   "splitting-only",       "k-degree"};
enum {
    METHODS = sizeof method / sizeof *method
};

typedef struct tally {
    uint32_t tried[METHODS], found[METHODS];
    double seconds[METHODS];
    int wrong;
} tally;

/* The release is what the method claims; k-degree claims nothing about communities, so only its violations are counted.
 */
static uint32_t check(ksda_ctx *ctx, const ksda_network *net, const ksda_edits *edits, uint32_t k, bool baseline,
                      tally *t) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    must(ctx, ksda_release_make(ctx, edits, net->communities, 1, &release));
    if (!baseline) must(ctx, ksda_verify(ctx, net->graph, net->communities, release.graph, release.owner, k, &v));
    must(ctx, ksda_diversity_check(ctx, release.graph, release.communities, k, &d));
    uint32_t violating = d.violating_vertices;
    if (!baseline && (!v.valid || !v.satisfied || violating)) {
        fprintf(stderr, "WRONG: %s\n", v.error);
        t->wrong++;
    }
    ksda_diversity_clear(ctx, &d);
    ksda_release_clear(ctx, &release);
    return violating;
}

static void cell(ksda_ctx *ctx, const ksda_network *net, int i, uint32_t k, tally *t) {
    const ksda_method *m = ksda_method_find(method[i]);
    ksda_anonymize_options options;
    ksda_anonymize_result r = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    bool baseline = m->flags & KSDA_METHOD_BASELINE;
    ksda_anonymize_options_init(&options);
    options.k = k;
    double start = ksda_i_now();
    ksda_status status = ksda_anonymize(ctx, net->graph, net->communities, m, &options, &edits, &r);
    t->seconds[i] += ksda_i_now() - start;
    t->tried[i]++;
    if (status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE) {
        printf(" | %s", status == KSDA_NOT_FOUND ? "–" : "impossible");
        return;
    }
    must(ctx, status);
    t->found[i]++;
    uint32_t violating = check(ctx, net, edits, k, baseline, t);
    if (baseline)
        printf(" | +%llu −%llu, %u exposed", (unsigned long long)r.added_edges,
               (unsigned long long)ksda_edits_removed(edits, NULL), violating);
    else if (m->flags & KSDA_METHOD_SPLITS)
        printf(" | %llu / %llu", (unsigned long long)r.added_edges, (unsigned long long)r.added_vertices);
    else
        printf(" | %llu", (unsigned long long)r.added_edges);
    ksda_edits_free(ctx, edits);
}

static void row(ksda_ctx *ctx, const ksda_network *net, uint32_t k, tally *t) {
    printf("| %u", k);
    for (int i = 0; i < METHODS; i++) cell(ctx, net, i, k, t);
    printf(" |\n");
}

static void table(ksda_ctx *ctx, const char *folder, const instance *x, tally *total) {
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_load_options options;
    char edges[1024], communities[1024];
    tally t = {.wrong = 0};
    snprintf(edges, sizeof edges, "%s/%s", folder, x->edges);
    snprintf(communities, sizeof communities, "%s/%s", folder, x->communities);
    ksda_load_options_init(&options);
    options.communities = communities;
    must(ctx, ksda_load(ctx, edges, &options, &net));
    uint32_t count = ksda_communities_count(net.communities);
    printf("\n### %s (%u vertices, %llu edges)\n\n| k", x->title, ksda_graph_vertices(net.graph),
           (unsigned long long)ksda_graph_edges(net.graph));
    for (int i = 0; i < METHODS; i++) printf(" | %s", method[i]);
    printf(" |\n|---|---|---|---|---|---|---|---|\n");
    for (uint32_t k = x->first; k < count; k += x->step) row(ctx, &net, k, &t);
    row(ctx, &net, count, &t);
    double seconds = 0;
    for (int i = 0; i < METHODS; i++) {
        total->tried[i] += t.tried[i];
        total->found[i] += t.found[i];
        seconds += t.seconds[i];
    }
    total->wrong += t.wrong;
    printf("\nAll cells together: %.2f s of anonymizing on one thread.\n", seconds);
    ksda_network_clear(ctx, &net);
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : KSDA_DATA_DIR;
    tally total = {.wrong = 0};
    ksda_ctx *ctx;
    if (access(folder, R_OK) != 0) {
        fprintf(stderr, "no folder %s\n", folder);
        return 77;
    }
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_allow_processes(ctx, 1);
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) table(ctx, folder, &instances[i], &total);
    printf("\n### Success\n\n| method | instances | releases |\n|---|---|---|\n");
    for (int i = 0; i < METHODS; i++) printf("| %s | %u | %u |\n", method[i], total.tried[i], total.found[i]);
    ksda_ctx_free(ctx);
    return total.wrong ? 1 : 0;
}
