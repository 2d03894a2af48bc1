/* A graph from the caller's compressed sparse rows, copied or borrowed. Nothing is mended: rows that are not those of a
 * simple undirected graph are refused, so that a borrowed array never has to change. */
#include "core/sized.h"
#include "graph/graph.h"

#define STRIDE 65536 /* rows between two looks at whether to stop */

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_csr, dispose_payload);

static ksda_status check_offsets(ksda_ctx *ctx, const ksda_csr *csr) {
    const uint64_t *off = csr->offsets;
    if (csr->vertices > KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "%u vertices; at most %u are possible", csr->vertices,
                            KSDA_MAX_VERTICES);
    if (!off || off[0] != 0) return ksda_i_error(ctx, KSDA_INVALID, "the offsets of the rows must begin with 0");
    for (uint32_t v = 0; v < csr->vertices; v++)
        if (off[v + 1] < off[v] || off[v + 1] - off[v] >= csr->vertices)
            return ksda_i_error(ctx, KSDA_INVALID, "row %u: %s", v,
                                off[v + 1] < off[v] ? "ends before it begins" : "is longer than there are neighbours");
    if (off[csr->vertices] > 0 && !csr->targets) return ksda_i_error(ctx, KSDA_INVALID, "rows without targets");
    return KSDA_OK;
}

static ksda_status check_row(ksda_ctx *ctx, const ksda_csr *csr, uint32_t v) {
    const uint32_t *row = csr->targets + csr->offsets[v];
    uint64_t length = csr->offsets[v + 1] - csr->offsets[v];
    for (uint64_t i = 0; i < length; i++) {
        if (row[i] >= csr->vertices)
            return ksda_i_error(ctx, KSDA_INVALID, "row %u: neighbour %u, but there are only %u vertices", v, row[i],
                                csr->vertices);
        if (row[i] == v) return ksda_i_error(ctx, KSDA_INVALID, "row %u: a loop; remove it first", v);
        if (i > 0 && row[i - 1] == row[i])
            return ksda_i_error(ctx, KSDA_INVALID, "row %u: neighbour %u twice; remove one first", v, row[i]);
        if (i > 0 && row[i - 1] > row[i])
            return ksda_i_error(ctx, KSDA_INVALID, "row %u: %u stands before %u; sort it first", v, row[i - 1], row[i]);
    }
    return KSDA_OK;
}

/* Going through the vertices in ascending order, each entry v -> u must meet v as the next entry of u's row. */
static ksda_status check_symmetric(ksda_ctx *ctx, const ksda_csr *csr) {
    const uint64_t *off = csr->offsets;
    uint32_t n = csr->vertices, *met = ksda_i_calloc(ctx, n, sizeof *met);
    ksda_status status = met ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t v = 0; v < n && status >= 0; v++) {
        for (uint64_t i = off[v]; i < off[v + 1] && status >= 0; i++) {
            uint32_t u = csr->targets[i];
            uint64_t back = off[u] + met[u]++;
            if (back < off[u + 1] && csr->targets[back] == v) continue;
            bool other = back < off[u + 1] && csr->targets[back] < v; /* that entry is the one without its pair */
            status = ksda_i_error(ctx, KSDA_INVALID, "%u is a neighbour of %u, but not the other way round",
                                  other ? csr->targets[back] : u, other ? u : v);
        }
        if (v % STRIDE == 0 && status >= 0) status = ksda_i_interrupted(ctx);
    }
    ksda_i_free(ctx, met);
    return status;
}

static ksda_status check_csr(ksda_ctx *ctx, const ksda_csr *csr) {
    ksda_status status;
    KSDA_I_TRY(check_offsets(ctx, csr));
    for (uint32_t v = 0; v < csr->vertices; v++) {
        KSDA_I_TRY(check_row(ctx, csr, v));
        if (v % STRIDE == 0) KSDA_I_TRY(ksda_i_interrupted(ctx));
    }
    KSDA_I_TRY(check_symmetric(ctx, csr));
done:
    return status;
}

static ksda_status copy_csr(ksda_ctx *ctx, const ksda_csr *csr, ksda_graph **out) {
    uint64_t ends = csr->offsets[csr->vertices], rows = (uint64_t)csr->vertices + 1;
    uint64_t *off = ksda_i_malloc(ctx, rows, sizeof *off);
    uint32_t *adj = ksda_i_malloc(ctx, ends, sizeof *adj);
    if (off && adj) {
        memcpy(off, csr->offsets, rows * sizeof *off);
        if (ends) memcpy(adj, csr->targets, ends * sizeof *adj);
        return ksda_i_graph_take(ctx, csr->vertices, off, adj, out);
    }
    ksda_i_free(ctx, off);
    ksda_i_free(ctx, adj);
    return KSDA_NOMEM;
}

/* The graph keeps the caller's arrays, which it never writes to. */
static ksda_status borrow(ksda_ctx *ctx, const ksda_csr *csr, ksda_graph **out) {
    static uint32_t none; /* what is never read still needs an address */
    ksda_graph *g = ksda_i_calloc(ctx, 1, sizeof *g);
    if (!g) return KSDA_NOMEM;
    *g = (ksda_graph){.n = csr->vertices,
                      .m = csr->offsets[csr->vertices] / 2,
                      .off = (uint64_t *)csr->offsets,
                      .adj = csr->targets ? (uint32_t *)csr->targets : &none,
                      .lent_off = true,
                      .lent_adj = true};
    g->cleaning.input_edges = g->m;
    *out = g;
    return KSDA_OK;
}

ksda_status ksda_graph_from_csr(ksda_ctx *ctx, const ksda_csr *given, ksda_graph **out) {
    ksda_csr csr = KSDA_INIT(ksda_csr);
    ksda_i_ids ids;
    ksda_status status;
    *out = NULL;
    ksda_i_ids_range(&ids, 0, 0);
    if (!given) return ksda_i_error(ctx, KSDA_INVALID, "ksda_csr: no struct was given");
    KSDA_I_TRY(ksda_i_options_take(ctx, &kind, given, &csr));
    KSDA_I_TRY(check_csr(ctx, &csr));
    KSDA_I_TRY(ksda_i_ids_from_buffer(ctx, csr.vertices, csr.names, csr.name_offsets, "vertex", &ids));
    KSDA_I_TRY(csr.borrow ? borrow(ctx, &csr, out) : copy_csr(ctx, &csr, out));
    (*out)->ids = ids;
    ksda_i_ids_range(&ids, 0, 0);
    if (csr.borrow)
        (*out)->dispose = csr.dispose, (*out)->dispose_payload = csr.dispose_payload;
    else if (csr.dispose)
        csr.dispose(csr.dispose_payload);
done:
    ksda_i_ids_clear(ctx, &ids);
    return status;
}
