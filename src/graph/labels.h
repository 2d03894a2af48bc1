/* labels.h: the community of every vertex, in as few bytes as the number of communities allows.
 *
 * Who counts neighbours by their communities reads a label for every end of an edge, in no order: a table of a byte a
 * vertex stays in the processor's cache where one of four does not. */
#ifndef KSDA_I_LABELS_H
#define KSDA_I_LABELS_H

#include "core/ctx.h"

typedef struct ksda_i_labels {
    void *of;       /* [n] whole numbers of so many bytes: */
    uint32_t bytes; /* 1, 2 or 4 */
} ksda_i_labels;

/* Room for labels of so many bytes, which the caller fills. Clearing is fine after a failure, and for what is all zero.
 */
ksda_status ksda_i_labels_open(ksda_ctx *ctx, uint32_t n, uint32_t bytes, ksda_i_labels *out);
/* The labels of all vertices. of: [n] */
ksda_status ksda_i_labels_new(ksda_ctx *ctx, uint32_t n, const uint32_t *of, ksda_i_labels *out);
void ksda_i_labels_clear(ksda_ctx *ctx, ksda_i_labels *labels);

static inline uint32_t ksda_i_labels_get(const ksda_i_labels *labels, uint64_t v) {
    const uint8_t *one = labels->of;
    const uint16_t *two = labels->of;
    const uint32_t *four = labels->of;
    return labels->bytes == 1 ? one[v] : labels->bytes == 2 ? two[v] : four[v];
}
/* How many vertices of a row have label c. */
uint32_t ksda_i_labels_inside(const ksda_i_labels *labels, const uint32_t *row, uint64_t length, uint32_t c);

#endif
