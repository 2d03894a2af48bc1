/* publish GRAPH COMMUNITIES K OUT MAP: make a network k-structurally diverse and write what may be released.
 *
 * The idea here: a method returns edits, edits become a release under fresh ids, and the release is verified before it
 * is written. OUT may be published; MAP says whose vertices those are and stays private. */
#include <ksda/ksda.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_network network = KSDA_INIT(ksda_network);
    ksda_edits *edits = NULL;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_verification verdict = KSDA_INIT(ksda_verification);
    ksda_load_options load;
    ksda_anonymize_options options;
    ksda_status status;
    if (argc != 6) {
        fprintf(stderr, "usage: publish GRAPH COMMUNITIES K OUT MAP\n");
        return 2;
    }
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_load_options_init(&load);
    load.communities = argv[2];
    ksda_anonymize_options_init(&options);
    options.k = (uint32_t)atoi(argv[3]);

    const ksda_method *method = ksda_method_find("merge-by-split"); /* NULL would be the default method */
    if ((status = ksda_load(ctx, argv[1], &load, &network)) < 0) goto done;
    if ((status = ksda_anonymize(ctx, network.graph, network.communities, method, &options, &edits, &result)) < 0)
        goto done;
    if ((status = ksda_release_make(ctx, edits, network.communities, 0, &release)) < 0) goto done;
    if ((status = ksda_verify(ctx, network.graph, network.communities, release.graph, release.owner, options.k,
                              &verdict)) < 0)
        goto done;
    if (!verdict.valid || !verdict.satisfied) {
        fprintf(stderr, "publish: the release is not what it should be: %s\n", verdict.error);
        status = KSDA_INTERNAL;
        goto cleanup;
    }
    if ((status = ksda_write_graph(ctx, release.graph, NULL, argv[4], KSDA_FORMAT_AUTO)) < 0) goto done;
    if ((status = ksda_write_map(ctx, network.graph, &release, argv[5])) < 0) goto done;
    printf("%llu edges and %llu vertices were added\n", (unsigned long long)verdict.added_edges,
           (unsigned long long)verdict.added_vertices);
done:
    if (status < 0) fprintf(stderr, "publish: %s\n", ksda_ctx_error(ctx)->message);
cleanup:
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &network);
    ksda_ctx_free(ctx);
    return status < 0 ? 1 : 0;
}
