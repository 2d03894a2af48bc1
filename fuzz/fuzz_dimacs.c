#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_format(&ksda_i_format_dimacs, NULL, data, size);
    return 0;
}
