/* How added edges look beside the own edges of their ends, by the scores of the attacker who looks for them. */
#include "attack/whole.h"
#include "methods/levelplan/plausible.h"

#include <math.h>

enum {
    RIVALS = 256 /* own edges that are scored at most, spread over the row */
};
#define WORST 12         /* weight of the worst score beside that of each */
#define SINGLE 0.01      /* weight of single edges */
#define SCORE_UNITS 200u /* of work for scoring an edge */

/* --- looks -------------------------------------------------------------------------------------------------------- */

void ksda_i_looks_add(ksda_i_looks *to, const ksda_i_looks *more, int times) {
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) to->sum[s] += times * more->sum[s];
    to->spread += times * more->spread;
    to->ends += (uint32_t)times * more->ends;
}

double ksda_i_disguise_worst(const ksda_i_looks *all) {
    double most = 0;
    for (int s = 0; s < KSDA_I_LIKENESSES && all->ends; s++) most = fmax(most, fabs(all->sum[s] / all->ends - 0.5));
    return most;
}

double ksda_i_disguise_sum(const ksda_i_looks *all) {
    double most = ksda_i_disguise_worst(all), sum = WORST * most * most;
    if (all->ends == 0) return 0;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) {
        double off = all->sum[s] / all->ends - 0.5;
        sum += off * off;
    }
    return sum + SINGLE * all->spread / all->ends;
}

static bool is_true_edge_inside(const ksda_i_disguise *d, uint32_t p, uint32_t q) {
    uint32_t u = d->owner[p], v = d->owner[q];
    return d->communities->of[u] == d->communities->of[v] && u != v && ksda_graph_adjacent(d->graph, u, v);
}

static void score_own(ksda_i_disguise *d, uint32_t p) {
    const ksda_graph *g = d->then;
    ksda_i_own_scores *own = &d->own[p];
    uint32_t degree = ksda_i_degree(g, p), stride = degree / RIVALS + 1, room = degree / stride + 1, count = 0;
    own->made = true;
    if (ksda_i_reserve(d->ctx, &d->score, &d->score_capacity, d->scores + (uint64_t)room * KSDA_I_LIKENESSES,
                       sizeof *d->score) < 0) {
        d->status = KSDA_NOMEM;
        return;
    }
    double *score = d->score + d->scores, each[KSDA_I_LIKENESSES];
    for (uint32_t i = 0; i < degree; i += stride) {
        uint32_t q = g->adj[g->off[p] + i];
        if (!is_true_edge_inside(d, p, q)) continue;
        ksda_i_likeness(g, p, q, true, each);
        for (int s = 0; s < KSDA_I_LIKENESSES; s++) score[(uint64_t)s * room + count] = each[s];
        count++;
    }
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) {
        memmove(score + (uint64_t)s * count, score + (uint64_t)s * room, count * sizeof *score);
        ksda_i_sort_real(score + (uint64_t)s * count, count);
    }
    own->at = d->scores, own->count = count;
    d->scores += (uint64_t)count * KSDA_I_LIKENESSES;
    ksda_i_work(d->ctx, (uint64_t)room * SCORE_UNITS);
}

void ksda_i_disguise_rank(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], ksda_i_looks *out) {
    if (!d->own[p].made) score_own(d, p);
    const ksda_i_own_scores *own = &d->own[p];
    if (!own->count) return;
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++) {
        double share = ksda_i_below(d->score + own->at + s * own->count, own->count, score[s]) / own->count;
        out->sum[s] += share;
        out->spread += (share - 0.5) * (share - 0.5);
    }
    out->ends++;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

bool ksda_i_disguise_split(const ksda_i_disguise *d, uint32_t piece) {
    return piece >= d->graph->n || ksda_i_split_of(d->edits, piece);
}

bool ksda_i_disguise_false(const ksda_i_disguise *d, ksda_pair edge) {
    uint32_t u = d->owner[edge.u], v = d->owner[edge.v];
    return u != v && !ksda_graph_adjacent(d->graph, u, v);
}

bool ksda_i_disguise_movable(const ksda_i_disguise *d, ksda_pair edge) {
    return ksda_i_disguise_false(d, edge) &&
           d->communities->of[d->owner[edge.u]] == d->communities->of[d->owner[edge.v]] &&
           !(ksda_i_disguise_split(d, edge.u) && ksda_i_disguise_split(d, edge.v));
}
