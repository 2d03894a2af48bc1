/* What level-plan's releases do to a network, against another method's: six measures, and on how many level-plan's is
 * nearer to the original. Every release is verified.
 *
 *     bench_level_plan_utility NAME PART K[,K...] REFERENCE OMEGA[,OMEGA...] [FAVOUR]
 *
 * reads NAME.edges and NAME.PART.communities (PART "-" for NAME.communities) from the data folder. OMEGA 0 is |V|^2;
 * FAVOUR is 0 (balanced), 1 (clustering) or 2 (paths). Detection depends on the order of the ids, so its accuracy is
 * the mean over several permutations. Betweenness is exact up to 5e9 edge traversals and from 4,096
 * sources beyond. One Markdown row per run. */
#include "bench.h"
#include "core/ctx.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/ksda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Detection is chaotic: small networks are detected in more orders. */
static int orders_of(const ksda_graph *g) {
    return g->n < 5000 ? 25 : 9;
}

/* CC, ASPL, DC, BC: relative change; EigC: 1 - correlation; accuracy: 1 - accuracy. All are to be small. */
typedef struct harm {
    double value[6];
    uint64_t added, split;
    bool found;
} harm;

/* One permutation of the ids: all measures the first time, detection alone later. */
static void look(ksda_ctx *ctx, const ksda_network *net, const ksda_edits *edits, uint32_t k, int order, harm *out) {
    static const ksda_measure_id id[4] = {KSDA_MEASURE_CLUSTERING, KSDA_MEASURE_ASPL,
                                          KSDA_MEASURE_DEGREE_CENTRALIZATION, KSDA_MEASURE_BETWEENNESS_CENTRALIZATION};
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_measure_options options;
    ksda_comparison comparison = KSDA_INIT(ksda_comparison);
    int orders = orders_of(net->graph);
    ksda_ctx_set_seed(ctx, 1 + (uint64_t)order);
    must(ctx, ksda_release_make(ctx, edits, net->communities, 1, &release));
    must(ctx, ksda_verify(ctx, net->graph, net->communities, release.graph, release.owner, k, &v));
    if (!v.valid || !v.satisfied) exit(fprintf(stderr, "NOT VALID: %s\n", v.error));
    ksda_measure_options_init(&options);
    options.budget = UINT64_C(5000000000);
    if ((double)net->graph->n * 2 * (double)net->graph->m > 5e9) options.betweenness_samples = 4096;
    options.measures = 0;
    for (int i = 0; i < 4 && order == 0; i++) options.measures |= KSDA_MEASURE_BIT(id[i]);
    options.differences = KSDA_MEASURE_BIT(KSDA_DIFFERENCE_DETECTION_ACCURACY);
    if (order == 0) options.differences |= KSDA_MEASURE_BIT(KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION);
    must(ctx, ksda_compare(ctx, net->graph, net->communities, release.graph, release.owner, k, &options, &comparison));
    for (int i = 0; i < 4 && order == 0; i++) {
        double before = comparison.original->value[id[i]].value;
        out->value[i] = (comparison.published->value[id[i]].value - before) / before;
    }
    if (order == 0) out->value[4] = 1 - comparison.difference[KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION].value;
    out->value[5] += (1 - comparison.difference[KSDA_DIFFERENCE_DETECTION_ACCURACY].value) / orders;
    ksda_comparison_clear(ctx, &comparison);
    ksda_release_clear(ctx, &release);
}

static harm harm_of(ksda_ctx *ctx, const ksda_network *net, const char *method, uint32_t k, double omega, int favour) {
    ksda_anonymize_options options;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits = NULL;
    harm h = {0};
    ksda_ctx_set_seed(ctx, 1);
    ksda_anonymize_options_init(&options);
    options.k = k, options.split_weight = omega, options.favour = (ksda_favour)favour;
    if (ksda_anonymize(ctx, net->graph, net->communities, ksda_method_find(method), &options, &edits, &result) < 0)
        return h;
    h.found = true, h.added = result.added_edges, h.split = result.added_vertices;
    for (int order = 0; order < orders_of(net->graph); order++) look(ctx, net, edits, k, order, &h);
    ksda_edits_free(ctx, edits);
    return h;
}

static void print(const char *name, const char *part, uint32_t k, const char *method, const char *omega, const harm *h,
                  int nearer) {
    printf("| %s.%s | %u | %s%s%s | %llu/%llu |", name, part, k, method, omega ? ", omega " : "", omega ? omega : "",
           (unsigned long long)h->added, (unsigned long long)h->split);
    for (int i = 0; i < 4; i++) printf(" %+.2f %% |", 100 * h->value[i]);
    printf(" %.4f | %.3f | ", 1 - h->value[4], 1 - h->value[5]);
    if (nearer >= 0)
        printf("%d of 6 |\n", nearer);
    else
        printf("|\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    if (argc < 6) return fprintf(stderr, "usage: bench_level_plan_utility NAME PART KS REFERENCE OMEGAS [FAVOUR]\n"), 2;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    load_data(ctx, argv[1], argv[2], &net);
    for (const char *k = argv[3]; k; k = strchr(k, ',') ? strchr(k, ',') + 1 : NULL) {
        harm other = harm_of(ctx, &net, argv[4], (uint32_t)atoi(k), 0, 0);
        if (other.found) print(argv[1], argv[2], (uint32_t)atoi(k), argv[4], NULL, &other, -1);
        for (const char *omega = argv[5]; omega; omega = strchr(omega, ',') ? strchr(omega, ',') + 1 : NULL) {
            char said[32];
            int nearer = 0;
            harm ours = harm_of(ctx, &net, "level-plan", (uint32_t)atoi(k), atof(omega), argc > 6 ? atoi(argv[6]) : 0);
            for (int i = 0; i < 6; i++) nearer += fabs(ours.value[i]) < fabs(other.value[i]);
            snprintf(said, sizeof said, "%.*s", atof(omega) > 0 ? (int)strcspn(omega, ",") : 3,
                     atof(omega) > 0 ? omega : "n^2");
            if (ours.found)
                print(argv[1], argv[2], (uint32_t)atoi(k), "level-plan", said, &ours, other.found ? nearer : -1);
        }
    }
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
    return 0;
}
