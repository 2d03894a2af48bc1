/* The edges of one vertex as an attacker sees them who asks which of them were added. */
#include "attack/whole.h"

ksda_status ksda_i_edge_row_open(ksda_ctx *ctx, uint64_t room, bool traits, ksda_i_edge_row *row) {
    row->score = ksda_i_malloc(ctx, room, KSDA_I_LIKENESSES * sizeof *row->score);
    row->column = ksda_i_malloc(ctx, room, sizeof *row->column);
    if (traits) row->traits = ksda_i_malloc(ctx, room, KSDA_I_TRAITS * sizeof *row->traits);
    return row->score && row->column && (row->traits || !traits) ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_edge_row_close(ksda_ctx *ctx, ksda_i_edge_row *row) {
    ksda_i_free(ctx, row->score);
    ksda_i_free(ctx, row->column);
    ksda_i_free(ctx, row->traits);
}

static void score_entry(const ksda_graph *g, uint64_t entry, ksda_i_edge_row *row) {
    ksda_i_likeness(g, row->vertex, g->adj[entry], true, row->score + row->all++ * KSDA_I_LIKENESSES);
}

void ksda_i_edge_row_read(const ksda_i_attacking *a, const ksda_i_ends *ends, uint64_t first, uint64_t last,
                          ksda_i_rng *sample, ksda_i_edge_row *row) {
    const ksda_graph *g = a->release.g;
    uint32_t v = row->vertex = ends->vertex[first], degree = ksda_i_degree(g, v);
    uint64_t looks = sample && degree > KSDA_I_EDGE_SAMPLE ? KSDA_I_EDGE_SAMPLE : degree;
    uint64_t other[KSDA_I_EDGE_SAMPLE], others = 0;
    row->all = 0;
    for (uint64_t i = 0; i < looks; i++) {
        uint64_t entry = g->off[v] + (looks < degree ? ksda_i_rng_below(sample, degree) : i);
        ksda_i_edge_kind kind = ksda_i_edge_kind_of(a, v, g->adj[entry]);
        if (kind == KSDA_I_EDGE_OWN) score_entry(g, entry, row);
        if (kind == KSDA_I_EDGE_ADDED && sample && entry != ends->entry[first]) other[others++] = entry;
    }
    row->own = row->all, row->asked = last - first;
    for (uint64_t i = first; i < last; i++) score_entry(g, ends->entry[i], row);
    for (uint64_t i = 0; i < others && row->traits; i++) score_entry(g, other[i], row);
}

/* The rank of each edge among all of the row by one score: the share of the others below it, ties half. */
static void rank_score(ksda_i_edge_row *row, int score) {
    double others = row->all > 1 ? (double)row->all - 1 : 1;
    for (uint64_t i = 0; i < row->all; i++) row->column[i] = row->score[i * KSDA_I_LIKENESSES + (uint64_t)score];
    ksda_i_sort_real(row->column, row->all);
    for (uint64_t i = 0; i < row->all; i++) {
        double below = ksda_i_below(row->column, row->all, row->score[i * KSDA_I_LIKENESSES + (uint64_t)score]);
        row->traits[i * KSDA_I_TRAITS + KSDA_I_TRAIT_RANKS + (uint64_t)score] = (below - 0.5) / others;
    }
}

void ksda_i_edge_row_see(const ksda_graph *g, const double *level, ksda_i_edge_row *row) {
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) rank_score(row, s);
    for (uint64_t i = 0; i < row->all; i++) {
        const double *score = row->score + i * KSDA_I_LIKENESSES;
        double *traits = row->traits + i * KSDA_I_TRAITS, rank[KSDA_I_LIKENESSES];
        memcpy(rank, traits + KSDA_I_TRAIT_RANKS, sizeof rank);
        ksda_i_traits_fill(score, rank, level[(uint32_t)score[KSDA_I_LIKE_DEGREE]], ksda_i_degree(g, row->vertex),
                           traits);
    }
}
