/* A graph from pairs of vertex numbers. */
#include "graph/rows.h"
#include "graph/graph.h"

static ksda_status check_pairs(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *pairs) {
    uint32_t greatest = 0;
    for (uint64_t i = 0; i < 2 * m; i++) greatest = pairs[i] > greatest ? pairs[i] : greatest;
    if (m == 0 || greatest < n) return KSDA_OK;
    for (uint64_t i = 0;; i++)
        if (pairs[i] >= n)
            return ksda_i_error(ctx, KSDA_INVALID, "edge %llu names vertex %u, but there are only %u vertices",
                                (unsigned long long)(i / 2), pairs[i], n);
}

ksda_status ksda_graph_from_edges(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *pairs, ksda_graph **out) {
    *out = NULL;
    if (n > KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "%u vertices; at most %u are possible", n, KSDA_MAX_VERTICES);
    ksda_status status = check_pairs(ctx, n, m, pairs);
    if (status < 0) return status;
    uint64_t slices = (m + KSDA_I_SLICE_EDGES - 1) / KSDA_I_SLICE_EDGES;
    ksda_i_slice *slice = ksda_i_malloc(ctx, slices, sizeof *slice);
    if (!slice) return KSDA_NOMEM;
    for (uint64_t s = 0; s < slices; s++) {
        uint64_t at = s * KSDA_I_SLICE_EDGES, left = m - at;
        slice[s] = (ksda_i_slice){pairs + 2 * at, left < KSDA_I_SLICE_EDGES ? (uint32_t)left : KSDA_I_SLICE_EDGES, 0};
    }
    status = ksda_i_rows_build(ctx, n, slice, slices, NULL, NULL, out);
    ksda_i_free(ctx, slice);
    return status;
}

ksda_status ksda_graph_from_named_edges(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *pairs, const char *names,
                                        const uint64_t *name_offsets, ksda_graph **out) {
    ksda_i_ids ids;
    ksda_status status = ksda_graph_from_edges(ctx, n, m, pairs, out);
    if (status < 0) return status;
    status = ksda_i_ids_from_buffer(ctx, n, names, name_offsets, "vertex", &ids);
    if (status >= 0)
        (*out)->ids = ids;
    else
        ksda_graph_free(ctx, *out), *out = NULL;
    return status;
}
