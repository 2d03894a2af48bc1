/* Plain, gzip and zstd bytes: read in small pieces or all at once, they say the same. */
#include "fuzz.h"

#include <stdlib.h>

#define LIMIT ((size_t)1 << 18) /* a small archive may hold a large text: enough of it */

/* Up to LIMIT bytes by reads of at most `step`; *status tells how it ended. */
static char *read_in_steps(const uint8_t *data, size_t size, size_t step, size_t *got, ksda_status *status) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_i_source *source;
    char *text = malloc(LIMIT + step);
    *got = 0;
    if (!text) abort();
    *status = ksda_i_source_memory(ctx, "input", data, size, &source);
    if (*status < 0) return text;
    while (*got < LIMIT) {
        size_t part;
        *status = ksda_i_source_read(source, text + *got, step, &part);
        if (*status < 0 || part == 0) break;
        fuzz_require(part <= step, "no more than was asked for");
        *got += part;
    }
    ksda_i_source_close(ctx, source);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ksda_status one, two;
    size_t got[2];
    char *text[2] = {read_in_steps(data, size, 7777, &got[0], &one), read_in_steps(data, size, LIMIT, &got[1], &two)};
    size_t common = got[0] < got[1] ? got[0] : got[1];
    fuzz_require(memcmp(text[0], text[1], common) == 0, "the same bytes, whatever the steps");
    if (got[0] < LIMIT && got[1] < LIMIT) { /* where damage ends them, larger steps lose more */
        fuzz_require(one == two, "the same end, whatever the steps");
        fuzz_require(one < 0 || got[0] == got[1], "the same length, whatever the steps");
    }
    free(text[0]);
    free(text[1]);
    return 0;
}
