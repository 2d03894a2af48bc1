/* Pajek partitions, for a network whose labels put its vertices in another order than its file: what is accepted gives
 * every vertex a community, and is written and read again as the same. */
#include "fuzz.h"
#include "io/clu.h"

#include <stdlib.h>

static const char network[] = "*Vertices 4\n1 \"30\"\n2 \"4\"\n3 \"200\"\n4 \"1\"\n*Edges\n1 2\n3 4\n";
static const char in_order[] = "*Vertices 4\n*Edges\n1 2\n3 4\n";

static ksda_status load(const char *graph, size_t graph_size, const void *data, size_t size, ksda_network *out) {
    fuzz_file net = fuzz_open(graph, graph_size), file = fuzz_open(data, size);
    ksda_load_options options;
    ksda_load_options_init(&options);
    options.communities = file.path;
    *out = (ksda_network)KSDA_INIT(ksda_network);
    ksda_status status = ksda_load(fuzz_ctx(), net.path, &options, out);
    fuzz_close(net);
    fuzz_close(file);
    return status;
}

static void write_and_read_again(const ksda_network *first) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_i_output *out;
    ksda_network again;
    char *text;
    size_t size;
    if (ksda_i_output_memory(ctx, &out) < 0) abort();
    ksda_status status = ksda_i_clu_write(ctx, first->graph, first->communities, out);
    fuzz_require(status >= 0 || status == KSDA_UNSUPPORTED, "writing works, or says that communities are no numbers");
    if (status < 0) {
        ksda_i_output_abandon(out);
        return;
    }
    if (ksda_i_output_take(out, &text, &size) < 0) abort();
    fuzz_require(load(in_order, sizeof in_order - 1, text, size, &again) >= 0, "what was written can be read");
    for (uint32_t v = 0; v < 4; v++)
        fuzz_require(first->communities->of[v] == again.communities->of[v], "the same communities");
    ksda_network_clear(ctx, &again);
    ksda_i_free(ctx, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ksda_network net;
    ksda_status status = load(network, sizeof network - 1, data, size, &net);
    if (status < 0) {
        fuzz_require(!net.graph && !net.communities, "nothing comes with a failure");
        return 0;
    }
    fuzz_require(net.communities && net.communities->n >= 4, "a community for every vertex");
    if (net.communities->n == 4) write_and_read_again(&net);
    ksda_network_clear(fuzz_ctx(), &net);
    return 0;
}
