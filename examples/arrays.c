/* arrays: no files at all. A network from the caller's arrays, a published one back as arrays, with all methods in
 * turn.
 *
 * The idea here: ksda_graph_from_edges() and ksda_communities_from_labels() on the way in, offsets and neighbours on
 * the way out, which go in again without a copy (ksda_graph_from_csr()), and the table of methods. */
#include <ksda/ksda.h>

#include <stdio.h>

/* Two rings of five with a few chords, and some edges between them. */
static const uint32_t pairs[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 2, 5, 6, 6, 7,
                                 7, 8, 8, 9, 9, 5, 5, 7, 5, 8, 0, 5, 1, 6, 0, 6};
static const uint32_t label[] = {10, 10, 10, 10, 10, 20, 20, 20, 20, 20};

enum {
    VERTICES = sizeof label / sizeof *label,
    EDGES = sizeof pairs / sizeof *pairs / 2
};

static void show(const ksda_graph *graph) {
    const uint64_t *offset = ksda_graph_offsets(graph);
    const uint32_t *neighbour = ksda_graph_neighbours(graph);
    for (uint32_t v = 0; v < ksda_graph_vertices(graph); v++) {
        printf("  %u:", v);
        for (uint64_t i = offset[v]; i < offset[v + 1]; i++) printf(" %u", neighbour[i]);
        printf("\n");
    }
}

/* Rows that the program has already are used as they are, until the graph is freed. */
static int lend(ksda_ctx *ctx, const ksda_graph *published) {
    ksda_csr rows = KSDA_INIT(ksda_csr);
    ksda_graph *view;
    rows.vertices = ksda_graph_vertices(published);
    rows.offsets = ksda_graph_offsets(published);
    rows.targets = ksda_graph_neighbours(published);
    rows.borrow = 1;
    if (ksda_graph_from_csr(ctx, &rows, &view) < 0) return 1;
    int same = ksda_graph_neighbours(view) == rows.targets;
    ksda_graph_free(ctx, view);
    return !same;
}

int main(void) {
    ksda_ctx *ctx;
    ksda_graph *graph = NULL;
    ksda_communities *communities = NULL;
    size_t methods;
    int succeeded = 0;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_set_threads(ctx, 0); /* all cores; the results are the same with any number */
    ksda_anonymize_options options;
    ksda_anonymize_options_init(&options);
    options.k = 2;
    if (ksda_graph_from_edges(ctx, VERTICES, EDGES, pairs, &graph) < 0 ||
        ksda_communities_from_labels(ctx, VERTICES, label, &communities) < 0) {
        fprintf(stderr, "arrays: %s\n", ksda_ctx_error(ctx)->message);
        return 1;
    }
    const ksda_method *method = ksda_methods(&methods);
    for (size_t i = 0; i < methods; i++) {
        ksda_edits *edits;
        ksda_graph *published;
        if (ksda_anonymize(ctx, graph, communities, &method[i], &options, &edits, NULL) < 0) {
            printf("%s: %s\n", method[i].title, ksda_ctx_error(ctx)->message); /* some methods may find nothing */
            continue;
        }
        if (ksda_edits_apply(ctx, edits, &published) < 0) return 1;
        printf("%s: %llu edges added, %u vertices split\n", method[i].title,
               (unsigned long long)ksda_edits_added(edits, NULL), ksda_edits_split_vertices(edits));
        show(published);
        if (lend(ctx, published) != 0) return 1;
        succeeded++;
        ksda_graph_free(ctx, published);
        ksda_edits_free(ctx, edits);
    }
    ksda_communities_free(ctx, communities);
    ksda_graph_free(ctx, graph);
    ksda_ctx_free(ctx);
    return succeeded > 0 ? 0 : 1;
}
