/* one_call GRAPH K OUT MAP: read a network, find its communities, release it, report. OUT may be published; MAP and the
 * report, JSON on standard output, are private. */
#include <ksda/ksda.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_publication *made = NULL;
    ksda_anonymize_options options;
    char *report = NULL;
    if (argc != 5 || ksda_ctx_new(NULL, &ctx) < 0) return 2;
    ksda_anonymize_options_init(&options);
    options.k = (uint32_t)atoi(argv[2]);
    int failed =
        ksda_load(ctx, argv[1], NULL, &net) < 0 ||                                        /* read */
        ksda_detect_leiden(ctx, net.graph, &net.communities) < 0 ||                       /* detect */
        ksda_publish(ctx, net.graph, net.communities, NULL, &options, NULL, &made) < 0 || /* release, verified */
        ksda_write_graph(ctx, ksda_publication_release(made)->graph, NULL, argv[3], KSDA_FORMAT_AUTO) < 0 ||
        ksda_write_map(ctx, net.graph, ksda_publication_release(made), argv[4]) < 0 ||
        ksda_report_publication(ctx, made, NULL, &report) < 0; /* report */
    puts(failed ? ksda_ctx_error(ctx)->message : report);
    ksda_free(ctx, report);
    ksda_publication_free(ctx, made);
    ksda_network_clear(ctx, &net);
    ksda_ctx_free(ctx);
    return failed;
}
