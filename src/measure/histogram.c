/* Counts by value. */
#include "measure/measure.h"

ksda_status ksda_i_histogram_new(ksda_ctx *ctx, ksda_histogram *h, uint64_t size) {
    ksda_i_free(ctx, h->count);
    h->size = 0;
    h->count = ksda_i_calloc(ctx, size, sizeof *h->count);
    if (!h->count) return KSDA_NOMEM;
    h->size = (uint32_t)size;
    return KSDA_OK;
}
