/* Map files, between a small network and a published one: what is accepted gives every published vertex an original,
 * and written and read again the same one. */
#include "fuzz.h"

#include <stdlib.h>

static const char original[] = "a b\nb c\nc 7\n", published[] = "0 1\n1 2\n2 3\n3 4\n";

static ksda_graph *load(const char *text, size_t size) {
    ksda_network network = KSDA_INIT(ksda_network);
    fuzz_file file = fuzz_open(text, size);
    if (ksda_load(fuzz_ctx(), file.path, NULL, &network) < 0) abort();
    fuzz_close(file);
    return network.graph;
}

static ksda_status load_map(const ksda_graph *from, const void *data, size_t size, ksda_release *out) {
    fuzz_file file = fuzz_open(data, size);
    *out = (ksda_release){.graph = load(published, sizeof published - 1)};
    ksda_status status = ksda_load_map(fuzz_ctx(), from, &out->graph, file.path, &out->owner);
    fuzz_close(file);
    fuzz_check_graph(out->graph);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_graph *from = load(original, sizeof original - 1);
    ksda_release first = KSDA_INIT(ksda_release), again = KSDA_INIT(ksda_release);
    ksda_i_output *out;
    char *text;
    size_t written;
    if (load_map(from, data, size, &first) < 0) {
        fuzz_require(!first.owner && first.graph->n == 5, "nothing comes with a failure");
    } else {
        for (uint32_t p = 0; p < first.graph->n; p++)
            fuzz_require(first.owner[p] < from->n, "an original for every vertex");
        if (ksda_i_output_memory(ctx, &out) < 0) abort();
        fuzz_require(ksda_i_write_map(ctx, from, &first, out) >= 0, "what was read can be written");
        if (ksda_i_output_take(out, &text, &written) < 0) abort();
        fuzz_require(load_map(from, text, written, &again) >= 0, "what was written can be read");
        fuzz_require(first.graph->n == again.graph->n, "as many vertices as before");
        fuzz_require(memcmp(first.owner, again.owner, first.graph->n * sizeof *first.owner) == 0, "the same originals");
        ksda_release_clear(ctx, &again);
        ksda_i_free(ctx, text);
    }
    ksda_release_clear(ctx, &first);
    ksda_graph_free(ctx, from);
    return 0;
}
