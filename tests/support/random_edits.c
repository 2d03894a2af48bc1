#include "random_edits.h"

#include "graph/communities.h"
#include "graph/graph.h"
#include "privacy/census.h"

#include <stdio.h>
#include <stdlib.h>

static void must(ksda_ctx *ctx, ksda_status status) {
    if (status >= 0) return;
    fprintf(stderr, "test set-up failed: %s\n", ksda_ctx_error(ctx)->message);
    abort();
}

/* Pieces 2 .. degree, edges dealt out at random after one went to each piece; a third of the piece pairs linked. */
static void split(ksda_ctx *ctx, ksda_i_rng *r, ksda_edits *edits, const ksda_graph *g, uint32_t v,
                  edit_counts *counts) {
    uint32_t degree = ksda_i_degree(g, v), parts = 2 + (uint32_t)ksda_i_rng_below(r, degree - 1 < 4 ? degree - 1 : 4);
    uint32_t *piece = malloc(sizeof *piece * parts), first = (uint32_t)ksda_i_rng_below(r, degree);
    piece[0] = v;
    for (uint32_t i = 1; i < parts; i++) must(ctx, ksda_edits_split(ctx, edits, v, &piece[i]));
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t to = i < parts ? i : (uint32_t)ksda_i_rng_below(r, parts);
        must(ctx, ksda_edits_carry(ctx, edits, v, (first + i) % degree, piece[to]));
    }
    for (uint32_t i = 0; i < parts; i++)
        for (uint32_t j = i + 1; j < parts; j++)
            if (ksda_i_rng_below(r, 3) == 0)
                must(ctx, ksda_edits_link(ctx, edits, piece[i], piece[j])), counts->links++;
    counts->split++;
    counts->pieces += parts - 1;
    free(piece);
}

static bool known(const ksda_edits *edits, const ksda_graph *applied, uint32_t p, uint32_t q) {
    const ksda_pair *pair;
    uint64_t count = ksda_edits_added(edits, &pair);
    for (uint64_t i = 0; i < count; i++)
        if ((pair[i].u == p && pair[i].v == q) || (pair[i].u == q && pair[i].v == p)) return true;
    return ksda_graph_adjacent(applied, p, q);
}

ksda_edits *random_edits(ksda_ctx *ctx, ksda_i_rng *r, const ksda_graph *g, const ksda_communities *c, unsigned splits,
                         unsigned adds, edit_counts *counts) {
    ksda_edits *edits;
    ksda_graph *applied;
    *counts = (edit_counts){0, 0, 0, 0};
    must(ctx, ksda_edits_new(ctx, g, &edits));
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) >= 2 && ksda_i_rng_below(r, g->n) < splits) split(ctx, r, edits, g, v, counts);
    must(ctx, ksda_edits_apply(ctx, edits, &applied)); /* to know which pieces are adjacent by now */
    for (unsigned i = 0; i < adds && g->n; i++) {
        uint32_t p = (uint32_t)ksda_i_rng_below(r, applied->n), q = (uint32_t)ksda_i_rng_below(r, applied->n);
        uint32_t u = ksda_edits_owner(edits, p), v = ksda_edits_owner(edits, q);
        if (u == v || (!ksda_i_may_connect(c, u, v) && !ksda_graph_adjacent(g, u, v)) || known(edits, applied, p, q))
            continue;
        must(ctx, ksda_edits_add_edge(ctx, edits, p, q));
        counts->added++;
    }
    ksda_graph_free(ctx, applied);
    return edits;
}

static bool is_added(const ksda_edits *edits, uint32_t u, uint32_t v) {
    const ksda_pair *pair;
    uint64_t count = ksda_edits_added(edits, &pair);
    for (uint64_t i = 0; i < count; i++)
        if ((pair[i].u == u && pair[i].v == v) || (pair[i].u == v && pair[i].v == u)) return true;
    return false;
}

ksda_edits *random_additions(ksda_ctx *ctx, uint64_t seed, const ksda_graph *g, const ksda_communities *c,
                             uint32_t ends, uint64_t count) {
    ksda_edits *edits;
    ksda_i_rng rng = ksda_i_rng_stream(seed, 2, 0);
    must(ctx, ksda_edits_new(ctx, g, &edits));
    while (ksda_edits_added(edits, NULL) < count) {
        uint32_t u = (uint32_t)ksda_i_rng_below(&rng, ends), v = (uint32_t)ksda_i_rng_below(&rng, g->n);
        if (u != v && c->of[u] == c->of[v] && !ksda_graph_adjacent(g, u, v) && !is_added(edits, u, v))
            must(ctx, ksda_edits_add_edge(ctx, edits, u, v));
    }
    return edits;
}
