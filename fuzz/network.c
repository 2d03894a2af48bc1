#include "network.h"

#include <ksda/privacy.h>

#include <stdlib.h>

uint32_t fuzz_take(fuzz_bytes *in, uint32_t bound) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->at++ % bound;
}

bool fuzz_flag(fuzz_bytes *in) {
    return fuzz_take(in, 2) == 1;
}

void fuzz_network(fuzz_bytes *in, ksda_network *out) {
    ksda_ctx *ctx = fuzz_ctx();
    uint32_t n = 1 + fuzz_take(in, FUZZ_VERTICES), communities = 1 + fuzz_take(in, n), pairs = fuzz_take(in, 256);
    uint32_t of[FUZZ_VERTICES], pair[2 * 256 * FUZZ_VERTICES];
    uint64_t m = 0;
    for (uint32_t v = 0; v < n; v++) of[v] = fuzz_take(in, communities);
    for (uint32_t i = 0; i < pairs && in->left > 0; i++) {
        uint32_t u = fuzz_take(in, n), v = fuzz_take(in, n);
        for (uint32_t w = u == v ? 0 : v; w < (u == v ? n : v + 1); w++) pair[2 * m] = u, pair[2 * m++ + 1] = w;
    }
    *out = (ksda_network)KSDA_INIT(ksda_network);
    if (ksda_graph_from_edges(ctx, n, m, pair, &out->graph) < 0) abort();
    if (ksda_communities_from_labels(ctx, n, of, &out->communities) < 0) abort();
    fuzz_check_graph(out->graph);
}

bool fuzz_isolated(const ksda_graph *g) {
    for (uint32_t v = 0; v < g->n; v++)
        if (g->off[v] == g->off[v + 1]) return true;
    return false;
}

/* --- recounting -------------------------------------------------------------------------------------------------- */

typedef struct recount {
    bool adjacent[FUZZ_VERTICES][FUZZ_VERTICES];    /* in the original */
    uint32_t between[FUZZ_VERTICES][FUZZ_VERTICES]; /* published edges between pieces of the two, from both ends */
    uint32_t pieces[FUZZ_VERTICES];
    bool carries[FUZZ_PIECES];
} recount;

static void count_edges(recount *r, const ksda_graph *g, const ksda_graph *h, const uint32_t *owner) {
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) r->adjacent[v][g->adj[i]] = true;
    for (uint32_t p = 0; p < h->n; p++) {
        r->pieces[owner[p]]++;
        for (uint64_t i = h->off[p]; i < h->off[p + 1]; i++) {
            uint32_t u = owner[p], v = owner[h->adj[i]];
            r->between[u][v]++;
            if (r->adjacent[u][v]) r->carries[p] = true;
        }
    }
}

/* Each pair of people once: nothing lost, nothing added across communities. */
static bool count_pairs(const recount *r, const ksda_network *net, fuzz_verdict *out) {
    const uint32_t *of = ksda_communities_labels(net->communities);
    bool right = true;
    for (uint32_t u = 0; u < net->graph->n; u++) {
        out->links += r->between[u][u] / 2;
        for (uint32_t v = u + 1; v < net->graph->n; v++) {
            uint32_t edges = r->between[u][v], needed = r->adjacent[u][v];
            right &= edges >= needed && (needed || edges == 0 || of[u] == of[v]);
            out->added_edges += edges > needed ? edges - needed : 0;
        }
    }
    return right;
}

static bool diverse(const ksda_network *net, const ksda_graph *h, const uint32_t *owner, uint32_t k) {
    static bool seen[FUZZ_PIECES][FUZZ_VERTICES]; /* by degree and community */
    memset(seen, 0, sizeof seen);
    for (uint32_t p = 0; p < h->n; p++)
        seen[ksda_graph_degree(h, p)][ksda_communities_of(net->communities, owner[p])] = true;
    for (uint32_t degree = 0; degree < h->n; degree++) {
        uint32_t kinds = 0;
        for (uint32_t c = 0; c < FUZZ_VERTICES; c++) kinds += seen[degree][c];
        if (kinds > 0 && kinds < k) return false;
    }
    return true;
}

fuzz_verdict fuzz_recount(const ksda_network *net, const ksda_graph *published, const uint32_t *owner, uint32_t k) {
    static recount r;
    fuzz_verdict out = {.valid = false};
    fuzz_require(published->n <= FUZZ_PIECES, "a release is not larger than splitting everybody makes it");
    for (uint32_t p = 0; p < published->n; p++)
        if (owner[p] >= net->graph->n) return out;
    memset(&r, 0, sizeof r);
    count_edges(&r, net->graph, published, owner);
    out.valid = count_pairs(&r, net, &out);
    for (uint32_t v = 0; v < net->graph->n; v++) {
        out.valid &= r.pieces[v] == 1 || (r.pieces[v] > 1 && r.pieces[v] <= ksda_graph_degree(net->graph, v));
        if (r.pieces[v] < 2) continue;
        out.split_vertices++;
        out.added_vertices += r.pieces[v] - 1;
    }
    for (uint32_t p = 0; p < published->n; p++) out.valid &= r.pieces[owner[p]] == 1 || r.carries[p];
    out.satisfied = diverse(net, published, owner, k);
    return out;
}

fuzz_verdict fuzz_verify(const ksda_network *net, const ksda_graph *published, const uint32_t *owner, uint32_t k) {
    fuzz_verdict ours = fuzz_recount(net, published, owner, k);
    ksda_verification v = KSDA_INIT(ksda_verification);
    fuzz_require(ksda_verify(fuzz_ctx(), net->graph, net->communities, published, owner, k, &v) >= 0, "verify works");
    fuzz_require((v.valid != 0) == ours.valid, "valid is what the recount says");
    fuzz_require((v.satisfied != 0) == ours.satisfied, "satisfied is what the recount says");
    fuzz_require((*v.error == '\0') == (ours.valid && ours.satisfied), "a reason, and only for a no");
    if (!ours.valid) return ours;
    fuzz_require(v.added_edges == ours.added_edges && v.added_vertices == ours.added_vertices, "the cost is recounted");
    fuzz_require(v.links == ours.links && v.split_vertices == ours.split_vertices, "links and split vertices, too");
    return ours;
}
