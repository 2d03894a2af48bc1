/* Narrow labels; see labels.h. */
#include "graph/labels.h"

#include "core/pages.h"

ksda_status ksda_i_labels_open(ksda_ctx *ctx, uint32_t n, uint32_t bytes, ksda_i_labels *out) {
    *out = (ksda_i_labels){ksda_i_malloc(ctx, n, bytes), bytes};
    if (!out->of) return KSDA_NOMEM;
    ksda_i_pages_huge(out->of, (size_t)n * bytes);
    return KSDA_OK;
}

ksda_status ksda_i_labels_new(ksda_ctx *ctx, uint32_t n, const uint32_t *of, ksda_i_labels *out) {
    uint32_t all = 0;
    for (uint32_t v = 0; v < n; v++) all |= of[v];
    ksda_status status = ksda_i_labels_open(ctx, n, all <= UINT8_MAX ? 1 : all <= UINT16_MAX ? 2 : 4, out);
    if (status < 0) return status;
    uint8_t *one = out->of;
    uint16_t *two = out->of;
    if (out->bytes == 1)
        for (uint32_t v = 0; v < n; v++) one[v] = (uint8_t)of[v];
    else if (out->bytes == 2)
        for (uint32_t v = 0; v < n; v++) two[v] = (uint16_t)of[v];
    else if (n > 0)
        memcpy(out->of, of, (size_t)n * sizeof *of);
    return KSDA_OK;
}

void ksda_i_labels_clear(ksda_ctx *ctx, ksda_i_labels *labels) {
    ksda_i_free(ctx, labels->of);
    *labels = (ksda_i_labels){0};
}

uint32_t ksda_i_labels_inside(const ksda_i_labels *labels, const uint32_t *row, uint64_t length, uint32_t c) {
    const uint8_t *one = labels->of;
    const uint16_t *two = labels->of;
    const uint32_t *four = labels->of;
    uint32_t inside = 0;
    if (labels->bytes == 1)
        for (uint64_t i = 0; i < length; i++) inside += one[row[i]] == c;
    else if (labels->bytes == 2)
        for (uint64_t i = 0; i < length; i++) inside += two[row[i]] == c;
    else
        for (uint64_t i = 0; i < length; i++) inside += four[row[i]] == c;
    return inside;
}
