/* check GRAPH COMMUNITIES K: can a community be read off a degree?
 *
 * The idea here: a context, loading, a question, and what to do when a call fails. */
#include <ksda/ksda.h>

#include <stdio.h>
#include <stdlib.h>

/* Details of a failure are on the context: which file, which line and column, and a message. */
static int failed(const ksda_ctx *ctx) {
    const ksda_error *error = ksda_ctx_error(ctx);
    if (error->source) fprintf(stderr, "%s:", error->source);
    if (error->line) fprintf(stderr, "%llu:%llu:", (unsigned long long)error->line, (unsigned long long)error->column);
    fprintf(stderr, "%s%s\n", error->source ? " " : "", error->message);
    return 1;
}

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_network network = KSDA_INIT(ksda_network);
    ksda_diversity diversity = KSDA_INIT(ksda_diversity);
    ksda_load_options options;
    if (argc != 4) {
        fprintf(stderr, "usage: check GRAPH COMMUNITIES K\n");
        return 2;
    }
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_load_options_init(&options);
    options.communities = argv[2];
    if (ksda_load(ctx, argv[1], &options, &network) < 0) return failed(ctx);
    if (ksda_diversity_check(ctx, network.graph, network.communities, (uint32_t)atoi(argv[3]), &diversity) < 0)
        return failed(ctx);

    printf("%u of %u vertices are exposed at k = %u; the largest k that holds is %u\n", diversity.violating_vertices,
           diversity.vertices, diversity.k, diversity.largest_k);
    printf("an attacker who knows a degree guesses the community right in %.0f %% of cases\n",
           100 * diversity.expected_success);
    for (uint32_t i = 0; i < diversity.groups; i++)
        printf("  degree %u: %u vertices in %u communities\n", diversity.group[i].degree, diversity.group[i].vertices,
               diversity.group[i].communities);

    int satisfied = diversity.satisfied;
    ksda_diversity_clear(ctx, &diversity);
    ksda_network_clear(ctx, &network);
    ksda_ctx_free(ctx);
    return satisfied ? 0 : 4;
}
