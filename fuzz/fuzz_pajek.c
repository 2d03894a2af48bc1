#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_format(&ksda_i_format_pajek, NULL, data, size);
    fuzz_format_named(&ksda_i_format_pajek, "c", "n", data, size);
    fuzz_format_named(&ksda_i_format_pajek, NULL, "label", data, size);
    return 0;
}
