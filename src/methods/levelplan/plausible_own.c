/* The own edges of a piece, by the scores of the attacker who looks for added ones.
 *
 * A table for each piece that was asked for: a column of each look, ascending, in which a score is looked up; a row for
 * each edge, by its other end; and, while somebody learns, the traits of each edge. Scores are those of the release
 * when the round began. An edge that comes changes them: whoever is common to its ends has one more in common with
 * either. Where that is left out, new edges look better than they are: own edges inside a circle come nearer, too. */
#include "attack/whole.h"
#include "core/sort.h"
#include "methods/levelplan/plausible.h"

#include <math.h>

enum {
    RIVALS = 256 /* own edges that are scored at most, spread over the row */
};
#define SCORE_UNITS 200u /* of work for scoring an edge, */
#define SORT_UNITS 60u   /* and for each that is put in order again */

double *ksda_i_own_rows(const ksda_i_disguise *d, const ksda_i_own_scores *own) {
    return d->score + own->at + (uint64_t)KSDA_I_LOOKS * own->count;
}

double *ksda_i_own_kept(const ksda_i_disguise *d, const ksda_i_own_scores *own) {
    return ksda_i_own_rows(d, own) + (uint64_t)KSDA_I_OWN_ROW * own->count;
}

const double *ksda_i_own_row(const ksda_i_disguise *d, const ksda_i_own_scores *own, uint32_t z) {
    const double *row = ksda_i_own_rows(d, own);
    uint64_t low = 0, high = own->count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (row[middle * KSDA_I_OWN_ROW] < z)
            low = middle + 1;
        else
            high = middle;
    }
    return low < own->count && row[low * KSDA_I_OWN_ROW] == z ? row + low * KSDA_I_OWN_ROW : NULL;
}

/* --- what they score ---------------------------------------------------------------------------------------------- */

void ksda_i_own_traits(const ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], const double *share,
                       double *out) {
    ksda_i_traits_fill(score, share, d->level[(uint32_t)score[KSDA_I_LIKE_DEGREE]], ksda_i_degree(d->then, p), out);
}

void ksda_i_own_shares(const ksda_i_disguise *d, const ksda_i_own_scores *own, const double *score, double *share) {
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++)
        share[s] = ksda_i_below(d->score + own->at + s * own->count, own->count, score[s]) / own->count;
}

void ksda_i_own_weigh(const ksda_i_disguise *d, uint32_t p, const ksda_i_own_scores *own, const double *score,
                      double *traits, double weighed[KSDA_I_LEARNED]) {
    double some[KSDA_I_TRAITS], share[KSDA_I_LIKENESSES], *all = traits ? traits : some;
    ksda_i_own_shares(d, own, score, share);
    ksda_i_own_traits(d, p, score, share, all);
    for (int l = 0; l < KSDA_I_LEARNED; l++) weighed[l] = ksda_i_traits_weigh(d->learned[l], all);
}

void ksda_i_own_score_then(const ksda_i_disguise *d, const double *row, uint32_t own_degree, uint32_t degree, int by,
                           double out[KSDA_I_LIKENESSES]) {
    const double *score = row + KSDA_I_OWN_SCORES;
    double common = fmax(0, score[KSDA_I_LIKE_COMMON] + by), other = score[KSDA_I_LIKE_DEGREE];
    ksda_i_likeness_scores((uint64_t)common, by ? d->weight[degree] : 0, own_degree, other, true, out);
    out[KSDA_I_LIKE_ADAMIC_ADAR] = score[KSDA_I_LIKE_ADAMIC_ADAR] + by * out[KSDA_I_LIKE_ADAMIC_ADAR];
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* A column of what was learned last, or of each. */
static void sort_weighed(ksda_i_disguise *d, const ksda_i_own_scores *own, uint64_t l) {
    double *column = d->score + own->at + (KSDA_I_LIKENESSES + l) * own->count;
    const double *row = ksda_i_own_rows(d, own);
    for (uint64_t i = 0; i < own->count; i++) column[i] = row[i * KSDA_I_OWN_ROW + KSDA_I_OWN_WEIGHED + l];
    ksda_i_sort_real(column, own->count);
}

/* Columns of the rows that are there; the traits where somebody learns. */
static void fill_columns(ksda_i_disguise *d, uint32_t p, const ksda_i_own_scores *own) {
    double *row = ksda_i_own_rows(d, own), *kept = d->learning ? ksda_i_own_kept(d, own) : NULL;
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++) {
        double *column = d->score + own->at + s * own->count;
        for (uint64_t i = 0; i < own->count; i++) column[i] = row[i * KSDA_I_OWN_ROW + KSDA_I_OWN_SCORES + s];
        ksda_i_sort_real(column, own->count);
    }
    if (!d->trained && !d->learning) return;
    for (uint64_t i = 0; i < own->count; i++, row += KSDA_I_OWN_ROW)
        ksda_i_own_weigh(d, p, own, row + KSDA_I_OWN_SCORES, kept ? kept + i * KSDA_I_TRAITS : NULL,
                         row + KSDA_I_OWN_WEIGHED);
    for (uint64_t l = 0; l < KSDA_I_LEARNED; l++) sort_weighed(d, own, l);
}

void ksda_i_disguise_weigh_again(ksda_i_disguise *d, uint64_t learned) {
    for (uint32_t p = 0; p < d->pieces; p++) {
        const ksda_i_own_scores *own = &d->own[p];
        double *row = ksda_i_own_rows(d, own);
        const double *kept = ksda_i_own_kept(d, own);
        for (uint64_t i = 0; i < own->count; i++)
            row[i * KSDA_I_OWN_ROW + KSDA_I_OWN_WEIGHED + learned] =
                ksda_i_traits_weigh(d->learned[learned], kept + i * KSDA_I_TRAITS);
        if (own->count) sort_weighed(d, own, learned);
    }
}

static bool is_true_edge_inside(const ksda_i_disguise *d, uint32_t p, uint32_t q) {
    uint32_t u = d->owner[p], v = d->owner[q];
    return ksda_i_may_connect(d->communities, u, v) && u != v && ksda_graph_adjacent(d->graph, u, v);
}

static void score_own(ksda_i_disguise *d, uint32_t p) {
    const ksda_graph *g = d->then;
    ksda_i_own_scores *own = &d->own[p];
    uint32_t degree = ksda_i_degree(g, p), stride = degree / RIVALS + 1, count = 0;
    double raw[(RIVALS + 1) * KSDA_I_OWN_ROW];
    own->made = true;
    for (uint32_t i = 0; i < degree; i += stride) {
        uint32_t q = g->adj[g->off[p] + i];
        if (!is_true_edge_inside(d, p, q)) continue;
        double *row = raw + KSDA_I_OWN_ROW * count++;
        row[0] = q;
        ksda_i_likeness(g, p, q, true, row + KSDA_I_OWN_SCORES);
    }
    uint64_t room = (uint64_t)count * (KSDA_I_LOOKS + KSDA_I_OWN_ROW + (d->learning ? KSDA_I_TRAITS : 0));
    if (ksda_i_reserve(d->ctx, &d->score, &d->score_capacity, d->scores + room, sizeof *d->score) < 0) {
        d->status = KSDA_NOMEM;
        return;
    }
    own->at = d->scores, own->count = count;
    d->scores += room;
    if (!count) return;
    memcpy(ksda_i_own_rows(d, own), raw, (uint64_t)count * KSDA_I_OWN_ROW * sizeof *raw);
    fill_columns(d, p, own);
    ksda_i_work(d->ctx, (uint64_t)(degree / stride + 1) * SCORE_UNITS);
}

const ksda_i_own_scores *ksda_i_own_scored(ksda_i_disguise *d, uint32_t p) {
    if (!d->own[p].made) score_own(d, p);
    return &d->own[p];
}

/* --- without an edge ---------------------------------------------------------------------------------------------- */

void ksda_i_own_begin(ksda_i_disguise *d) {
    memset(d->own, 0, d->pieces * sizeof *d->own);
    d->scores = (uint64_t)2 * (RIVALS + 1) * (KSDA_I_LOOKS + KSDA_I_OWN_ROW);
}

ksda_i_own_scores ksda_i_own_without(ksda_i_disguise *d, int side, uint32_t p, uint32_t q) {
    const ksda_i_own_scores was = *ksda_i_own_scored(d, p);
    ksda_i_own_scores now = was;
    if (!was.count || !d->commons) return was;
    now.at = (uint64_t)side * (RIVALS + 1) * (KSDA_I_LOOKS + KSDA_I_OWN_ROW);
    double *rows = ksda_i_own_rows(d, &now);
    memcpy(rows, ksda_i_own_rows(d, &was), (uint64_t)was.count * KSDA_I_OWN_ROW * sizeof *rows);
    for (uint32_t i = 0; i < d->commons; i++) {
        const double *row = ksda_i_own_row(d, &now, d->common[i]);
        double then[KSDA_I_LIKENESSES];
        if (!row) continue;
        ksda_i_own_score_then(d, row, ksda_i_degree(d->then, p), d->degree[q], -1, then);
        memcpy(rows + (row - rows) + KSDA_I_OWN_SCORES, then, sizeof then);
    }
    fill_columns(d, p, &now);
    ksda_i_work(d->ctx, (uint64_t)now.count * SORT_UNITS);
    d->own[p] = now;
    return was;
}
