/* step_by_step GRAPH COMMUNITIES K OUT MAP REPORT: the steps of ksda_publish() by themselves, and what one can look at
 * between them.
 *
 * The idea here: is the network diverse already; a method returns edits; edits become a release under fresh ids; the
 * release is verified before it is written; what it costs its users is measured; a page tells all of it. OUT may be
 * published. MAP says whose vertices those are, REPORT tells about the original: both stay private. */
#include <ksda/ksda.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Details of a failure are on the context: which file, which line and column, and a message. */
static int failed(const ksda_ctx *ctx) {
    const ksda_error *error = ksda_ctx_error(ctx);
    if (error->source) fprintf(stderr, "%s:", error->source);
    if (error->line) fprintf(stderr, "%llu:%llu:", (unsigned long long)error->line, (unsigned long long)error->column);
    fprintf(stderr, "%s%s\n", error->source ? " " : "", error->message);
    return 1;
}

static void tell(const ksda_diversity *d) {
    printf("%u of %u vertices are exposed at k = %u; the largest k that holds is %u\n", d->violating_vertices,
           d->vertices, d->k, d->largest_k);
    printf("an attacker who knows a degree guesses the community right in %.0f %% of cases\n",
           100 * d->expected_success);
}

/* Private: for its owner only. */
static int write_text(const char *path, const char *text) {
    mode_t before = umask(077);
    FILE *file = fopen(path, "w");
    umask(before);
    return file && fputs(text, file) >= 0 && fclose(file) == 0 ? 0 : 1;
}

/* What the release does to the network, as a page. The steps so far are told to the library, which counts the rest. */
static int report(ksda_ctx *ctx, const ksda_network *network, const ksda_edits *edits, const ksda_release *release,
                  uint32_t k, const char *path) {
    ksda_comparison comparison = KSDA_INIT(ksda_comparison);
    ksda_publication *again = NULL;
    ksda_report_options how;
    char *page = NULL;
    ksda_report_options_init(&how);
    how.rendering = KSDA_RENDERING_HTML;
    how.comparison = &comparison;
    int code = ksda_compare(ctx, network->graph, network->communities, release->graph, release->owner, k, NULL,
                            &comparison) < 0 ||
                       ksda_publish_edits(ctx, network->graph, network->communities, k, edits, NULL, &again) < 0 ||
                       ksda_report_publication(ctx, again, &how, &page) < 0
                   ? failed(ctx)
                   : write_text(path, page);
    ksda_free(ctx, page);
    ksda_publication_free(ctx, again);
    ksda_comparison_clear(ctx, &comparison);
    return code;
}

static int publish(ksda_ctx *ctx, const ksda_network *network, uint32_t k, char **path) {
    ksda_edits *edits = NULL;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification verdict = KSDA_INIT(ksda_verification);
    ksda_diversity before = KSDA_INIT(ksda_diversity);
    ksda_anonymize_options options;
    const ksda_method *method = ksda_method_find("merge-by-split"); /* NULL would be the default method */
    int code = 1;
    ksda_anonymize_options_init(&options);
    options.k = k;
    if (ksda_diversity_check(ctx, network->graph, network->communities, k, &before) < 0) goto done;
    tell(&before);
    if (ksda_anonymize(ctx, network->graph, network->communities, method, &options, &edits, NULL) < 0 ||
        ksda_release_make(ctx, edits, network->communities, 0, &release) < 0 ||
        ksda_verify(ctx, network->graph, network->communities, release.graph, release.owner, k, &verdict) < 0)
        goto done;
    if (!verdict.valid || !verdict.satisfied) {
        fprintf(stderr, "the release is not what it should be: %s\n", verdict.error);
        goto cleanup;
    }
    if (ksda_write_graph(ctx, release.graph, NULL, path[0], KSDA_FORMAT_AUTO) < 0 ||
        ksda_write_map(ctx, network->graph, &release, path[1]) < 0)
        goto done;
    printf("%llu edges and %llu vertices were added\n", (unsigned long long)verdict.added_edges,
           (unsigned long long)verdict.added_vertices);
    code = report(ctx, network, edits, &release, k, path[2]);
    goto cleanup;
done:
    failed(ctx);
cleanup:
    ksda_diversity_clear(ctx, &before);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    return code;
}

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_network network = KSDA_INIT(ksda_network);
    ksda_load_options load;
    if (argc != 7) {
        fprintf(stderr, "usage: step_by_step GRAPH COMMUNITIES K OUT MAP REPORT\n");
        return 2;
    }
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_load_options_init(&load);
    load.communities = argv[2];
    int code = ksda_load(ctx, argv[1], &load, &network) < 0 ? failed(ctx)
                                                            : publish(ctx, &network, (uint32_t)atoi(argv[3]), argv + 4);
    ksda_network_clear(ctx, &network);
    ksda_ctx_free(ctx);
    return code;
}
