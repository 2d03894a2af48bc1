/* How added edges look beside the own edges of their ends, by the scores of the attacker who looks for them. */
#include "attack/whole.h"
#include "methods/levelplan/plausible.h"

#include <math.h>

enum {
    RIVALS = 256 /* own edges that are scored at most, spread over the row */
};
#define WORST 12         /* weight of the worst score beside that of each */
#define TRAINED 0.5      /* weight of what is learned beside that of a score */
#define SINGLE 0.01      /* weight of single edges */
#define SCORE_UNITS 200u /* of work for scoring an edge */

/* --- looks -------------------------------------------------------------------------------------------------------- */

void ksda_i_looks_add(ksda_i_looks *to, const ksda_i_looks *more, int times) {
    for (int s = 0; s < KSDA_I_LOOKS; s++) to->sum[s] += times * more->sum[s];
    to->spread += times * more->spread;
    to->ends += (uint32_t)times * more->ends;
}

/* How far the mean of a look is from a half, as much as it counts. */
static double off_half(const ksda_i_looks *all, int look) {
    return fabs(all->sum[look] / all->ends - 0.5) * (look < KSDA_I_LIKENESSES ? 1 : TRAINED);
}

static double worst_of(const ksda_i_looks *all, int looks) {
    double most = 0;
    for (int s = 0; s < looks && all->ends; s++) most = fmax(most, off_half(all, s));
    return most;
}

double ksda_i_disguise_worst(const ksda_i_looks *all) {
    return worst_of(all, KSDA_I_LOOKS);
}

double ksda_i_disguise_worst_score(const ksda_i_looks *all) {
    return worst_of(all, KSDA_I_LIKENESSES);
}

double ksda_i_disguise_sum(const ksda_i_looks *all) {
    double most = ksda_i_disguise_worst(all), sum = WORST * most * most;
    if (all->ends == 0) return 0;
    for (int s = 0; s < KSDA_I_LOOKS; s++) sum += off_half(all, s) * off_half(all, s);
    return sum + SINGLE * all->spread / all->ends;
}

static bool is_true_edge_inside(const ksda_i_disguise *d, uint32_t p, uint32_t q) {
    uint32_t u = d->owner[p], v = d->owner[q];
    return ksda_i_may_connect(d->communities, u, v) && u != v && ksda_graph_adjacent(d->graph, u, v);
}

/* An edge of p by its scores, their shares among the own ones, and what a method's habits give away. */
static void traits_of(const ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], const double *share,
                      double *out) {
    ksda_i_traits_fill(score, share, d->level[(uint32_t)score[KSDA_I_LIKE_DEGREE]], ksda_i_degree(d->then, p), out);
}

static void shares_of(const ksda_i_disguise *d, uint64_t at, uint32_t count, const double *score, double *share) {
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++)
        share[s] = ksda_i_below(d->score + at + s * count, count, score[s]) / count;
}

/* The columns of what was learned, and the traits where somebody learns; raw [count] scores of each edge. */
static void weigh_own(ksda_i_disguise *d, uint32_t p, const ksda_i_own_scores *own, const double *raw) {
    double *column = d->score + own->at + (uint64_t)KSDA_I_LIKENESSES * own->count;
    double *kept = d->score + own->at + (uint64_t)KSDA_I_LOOKS * own->count;
    if (!d->trained && !d->learning) return;
    for (uint64_t i = 0; i < own->count; i++) {
        double traits[KSDA_I_TRAITS], share[KSDA_I_LIKENESSES];
        shares_of(d, own->at, own->count, raw + i * KSDA_I_LIKENESSES, share);
        traits_of(d, p, raw + i * KSDA_I_LIKENESSES, share, traits);
        for (uint64_t l = 0; l < KSDA_I_LEARNED; l++)
            column[l * own->count + i] = ksda_i_traits_weigh(d->learned[l], traits);
        if (d->learning) memcpy(kept + i * KSDA_I_TRAITS, traits, sizeof traits);
    }
    for (uint64_t l = 0; l < KSDA_I_LEARNED; l++) ksda_i_sort_real(column + l * own->count, own->count);
}

void ksda_i_disguise_weigh_again(ksda_i_disguise *d, uint64_t learned) {
    for (uint32_t p = 0; p < d->pieces; p++) {
        const ksda_i_own_scores *own = &d->own[p];
        double *column = d->score + own->at + (KSDA_I_LIKENESSES + learned) * own->count;
        const double *kept = d->score + own->at + (uint64_t)KSDA_I_LOOKS * own->count;
        if (!own->count) continue;
        for (uint64_t i = 0; i < own->count; i++)
            column[i] = ksda_i_traits_weigh(d->learned[learned], kept + i * KSDA_I_TRAITS);
        ksda_i_sort_real(column, own->count);
    }
}

static void score_own(ksda_i_disguise *d, uint32_t p) {
    const ksda_graph *g = d->then;
    ksda_i_own_scores *own = &d->own[p];
    uint32_t degree = ksda_i_degree(g, p), stride = degree / RIVALS + 1, count = 0;
    double raw[(RIVALS + 1) * KSDA_I_LIKENESSES];
    own->made = true;
    for (uint32_t i = 0; i < degree; i += stride) {
        uint32_t q = g->adj[g->off[p] + i];
        if (is_true_edge_inside(d, p, q)) ksda_i_likeness(g, p, q, true, raw + KSDA_I_LIKENESSES * count++);
    }
    uint64_t room = (uint64_t)count * (KSDA_I_LOOKS + (d->learning ? KSDA_I_TRAITS : 0));
    if (ksda_i_reserve(d->ctx, &d->score, &d->score_capacity, d->scores + room, sizeof *d->score) < 0) {
        d->status = KSDA_NOMEM;
        return;
    }
    own->at = d->scores, own->count = count;
    d->scores += room;
    if (!count) return;
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++) {
        double *column = d->score + own->at + s * count;
        for (uint64_t i = 0; i < count; i++) column[i] = raw[i * KSDA_I_LIKENESSES + s];
        ksda_i_sort_real(column, count);
    }
    weigh_own(d, p, own, raw);
    ksda_i_work(d->ctx, (uint64_t)(degree / stride + 1) * SCORE_UNITS);
}

void ksda_i_disguise_rank(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], ksda_i_looks *out) {
    if (!d->own[p].made) score_own(d, p);
    const ksda_i_own_scores *own = &d->own[p];
    double traits[KSDA_I_TRAITS], share[KSDA_I_LOOKS];
    if (!own->count) return;
    shares_of(d, own->at, own->count, score, share);
    if (d->trained || d->learning) traits_of(d, p, score, share, traits);
    for (uint64_t l = 0; l < KSDA_I_LEARNED; l++)
        if (!d->trained)
            share[KSDA_I_LIKENESSES + l] = 0.5;
        else
            share[KSDA_I_LIKENESSES + l] = ksda_i_below(d->score + own->at + (KSDA_I_LIKENESSES + l) * own->count,
                                                        own->count, ksda_i_traits_weigh(d->learned[l], traits)) /
                                           own->count;
    for (int s = 0; s < KSDA_I_LOOKS; s++) {
        out->sum[s] += share[s];
        if (s < KSDA_I_LIKENESSES) out->spread += (share[s] - 0.5) * (share[s] - 0.5);
    }
    if (d->learning)
        ksda_i_lesson_note(d, traits, d->score + own->at + (uint64_t)KSDA_I_LOOKS * own->count, own->count);
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
    return ksda_i_disguise_false(d, edge) && ksda_i_may_connect(d->communities, d->owner[edge.u], d->owner[edge.v]) &&
           !(ksda_i_disguise_split(d, edge.u) && ksda_i_disguise_split(d, edge.v));
}

uint32_t ksda_i_disguise_home(const ksda_i_disguise *d, ksda_pair edge) {
    const uint32_t *of = d->communities->of;
    return ksda_i_kinds_common(d->communities, of[d->owner[edge.u]], of[d->owner[edge.v]]);
}
