/* Communities files, for a network with numbers and one with names, in every layout: what is accepted gives every
 * vertex a community, and written and read again the same ones. */
#include "fuzz.h"

#include <stdlib.h>

static const char numbers[] = "1 2\n2 3\n3 10\n", names[] = "a b\nb c\nc 10\n";

static ksda_status load(const char *graph, size_t graph_size, const void *data, size_t size,
                        ksda_communities_format format, ksda_unassigned unassigned, ksda_network *out) {
    fuzz_file edges = fuzz_open(graph, graph_size), file = fuzz_open(data, size);
    ksda_load_options options;
    ksda_load_options_init(&options);
    options.communities = file.path;
    options.communities_format = format;
    options.unassigned = unassigned;
    *out = (ksda_network)KSDA_INIT(ksda_network);
    ksda_status status = ksda_load(fuzz_ctx(), edges.path, &options, out);
    fuzz_close(edges);
    fuzz_close(file);
    return status;
}

static void check_communities(const ksda_network *network) {
    const ksda_communities *c = network->communities;
    uint32_t total = 0;
    fuzz_check_graph(network->graph);
    fuzz_require(c && c->n == network->graph->n && c->names.count == c->count, "a community for every vertex");
    for (uint32_t v = 0; v < c->n; v++) fuzz_require(c->of[v] < c->count, "communities are numbered from 0");
    for (uint32_t i = 0; i < c->count; i++) {
        fuzz_require(ksda_i_community_size(c, i) > 0, "no community is empty");
        total += ksda_i_community_size(c, i);
    }
    fuzz_require(total == c->n, "every vertex is in one community");
}

/* Both list the same vertices in the same order; the numbers of communities may differ, but not who is together. */
static void check_same_partition(const ksda_network *a, const ksda_network *b) {
    fuzz_require(a->graph->n == b->graph->n && a->communities->count == b->communities->count, "as many as before");
    for (uint32_t v = 0; v < a->graph->n; v++)
        for (uint32_t u = 0; u < v && u < 64; u++)
            fuzz_require((a->communities->of[u] == a->communities->of[v]) ==
                             (b->communities->of[u] == b->communities->of[v]),
                         "the same communities");
}

static void write_and_read_again(const char *graph, size_t graph_size, const ksda_network *first) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_i_output *out;
    ksda_network again = KSDA_INIT(ksda_network);
    char *text;
    size_t size;
    if (ksda_i_output_memory(ctx, &out) < 0) abort();
    ksda_status status = ksda_i_write_communities(ctx, first->graph, first->communities, out);
    fuzz_require(status >= 0 || status == KSDA_UNSUPPORTED, "writing works, or says that a name cannot be written");
    if (status < 0) {
        ksda_i_output_abandon(out);
        return;
    }
    if (ksda_i_output_take(out, &text, &size) < 0) abort();
    status = load(graph, graph_size, text, size, KSDA_COMMUNITIES_PAIRS, KSDA_UNASSIGNED_REFUSE, &again);
    fuzz_require(status >= 0, "what was written can be read");
    check_communities(&again);
    check_same_partition(first, &again);
    ksda_network_clear(ctx, &again);
    ksda_i_free(ctx, text);
}

/* The first byte chooses the network, the layout and what happens to vertices without a community. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ksda_network network = KSDA_INIT(ksda_network);
    if (size == 0) return 0;
    const char *graph = data[0] & 1 ? names : numbers;
    size_t graph_size = data[0] & 1 ? sizeof names - 1 : sizeof numbers - 1;
    ksda_status status = load(graph, graph_size, data + 1, size - 1, (ksda_communities_format)(data[0] / 2 % 3),
                              (ksda_unassigned)(data[0] / 6 % 3), &network);
    if (status < 0) {
        fuzz_require(!network.graph && !network.communities, "nothing comes with a failure");
        return 0;
    }
    check_communities(&network);
    write_and_read_again(graph, graph_size, &network);
    ksda_network_clear(fuzz_ctx(), &network);
    return 0;
}
