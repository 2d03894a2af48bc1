/* Whole loads, the format told by the content: whatever the bytes are, a sound graph or a message. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_network network = KSDA_INIT(ksda_network);
    fuzz_file file = fuzz_open(data, size);
    ksda_status status = ksda_load(ctx, file.path, NULL, &network);
    fuzz_close(file);
    if (status < 0) {
        fuzz_require(!network.graph && *ksda_ctx_error(ctx)->message, "a failure is a message and no graph");
        return 0;
    }
    fuzz_check_graph(network.graph);
    fuzz_require(ksda_i_format_row(network.format) != NULL, "the format is known");
    ksda_network_clear(ctx, &network);
    return 0;
}
