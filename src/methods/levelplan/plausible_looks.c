/* How added edges look beside the own edges of their ends, by the scores of the attacker who looks for them. */
#include "attack/whole.h"
#include "methods/levelplan/plausible.h"

#include <math.h>

#define WORST 12    /* weight of the worst score beside that of each */
#define TRAINED 0.6 /* weight of what is learned beside that of a score */
#define SINGLE 0.01 /* weight of single edges */

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

/* --- ranks -------------------------------------------------------------------------------------------------------- */

static double below_one(double x, double score) {
    return x < score ? 1 : x == score ? 0.5 : 0;
}

/* An edge that is not there yet, seen from one end. */
typedef struct joining {
    ksda_i_disguise *d;
    const ksda_i_own_scores *own;
    const double *score; /* of the edge */
    uint32_t own_degree; /* of the end, with it */
    double *share;       /* [KSDA_I_LOOKS] where it stands among the own edges */
} joining;

/* An own edge scores `then` instead of what is in its row: as to the scores. */
static void move_row(const joining *j, const double *row, const double *then) {
    const double *was = row + KSDA_I_OWN_SCORES;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++)
        j->share[s] += (below_one(then[s], j->score[s]) - below_one(was[s], j->score[s])) / j->own->count;
}

/* The end has more neighbours than its rows know of: all of them score otherwise. */
static void move_all_rows(const joining *j) {
    const double *row = ksda_i_own_rows(j->d, j->own);
    for (uint32_t i = 0; i < j->own->count; i++, row += KSDA_I_OWN_ROW) {
        double then[KSDA_I_LIKENESSES];
        ksda_i_own_score_then(j->d, row, j->own_degree, 0, 0, then);
        move_row(j, row, then);
    }
}

/* Own edges to those who are common to both ends have one more in common; value: of the edge, by what was learned. */
static void move_common_rows(const joining *j, uint32_t p, const double *value) {
    ksda_i_disguise *d = j->d;
    uint32_t degree = (uint32_t)j->score[KSDA_I_LIKE_DEGREE];
    for (uint32_t i = 0; i < d->commons; i++) {
        const double *row = ksda_i_own_row(d, j->own, d->common[i]);
        double unmoved[KSDA_I_LIKENESSES], then[KSDA_I_LIKENESSES], weighed[KSDA_I_LEARNED];
        if (!row) continue;
        ksda_i_own_score_then(d, row, j->own_degree, degree, 1, then);
        if (value) {
            ksda_i_own_weigh(d, p, j->own, then, NULL, weighed);
            for (int l = 0; l < KSDA_I_LEARNED; l++)
                j->share[KSDA_I_LIKENESSES + l] +=
                    (below_one(weighed[l], value[l]) - below_one(row[KSDA_I_OWN_WEIGHED + l], value[l])) /
                    j->own->count;
            continue;
        }
        ksda_i_own_score_then(d, row, j->own_degree, 0, 0, unmoved);
        for (int s = 0; s < KSDA_I_LIKENESSES; s++)
            j->share[s] += (below_one(then[s], j->score[s]) - below_one(unmoved[s], j->score[s])) / j->own->count;
    }
}

static void rank_learned(ksda_i_disguise *d, const ksda_i_own_scores *own, const double *value, double *share) {
    for (uint64_t l = 0; l < KSDA_I_LEARNED; l++)
        share[l] = d->trained
                       ? ksda_i_below(d->score + own->at + (KSDA_I_LIKENESSES + l) * own->count, own->count, value[l]) /
                             own->count
                       : 0.5;
}

static void rank_edge(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], uint32_t own_degree,
                      bool comes, ksda_i_looks *out) {
    const ksda_i_own_scores *own = ksda_i_own_scored(d, p);
    double traits[KSDA_I_TRAITS], share[KSDA_I_LOOKS], value[KSDA_I_LEARNED] = {0};
    const joining j = {d, own, score, own_degree, share};
    if (!own->count) return;
    ksda_i_own_shares(d, own, score, share);
    if (comes && own_degree != ksda_i_degree(d->then, p)) move_all_rows(&j);
    if (comes) move_common_rows(&j, p, NULL);
    if (d->trained || d->learning) ksda_i_own_traits(d, p, score, share, traits);
    for (int l = 0; l < KSDA_I_LEARNED && d->trained; l++) value[l] = ksda_i_traits_weigh(d->learned[l], traits);
    rank_learned(d, own, value, share + KSDA_I_LIKENESSES);
    if (comes && d->trained) move_common_rows(&j, p, value);
    for (int s = 0; s < KSDA_I_LOOKS; s++) {
        out->sum[s] += share[s];
        if (s < KSDA_I_LIKENESSES) out->spread += (share[s] - 0.5) * (share[s] - 0.5);
    }
    if (d->learning) ksda_i_lesson_note(d, traits, ksda_i_own_kept(d, own), own->count);
    out->ends++;
}

void ksda_i_disguise_rank(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], ksda_i_looks *out) {
    rank_edge(d, p, score, 0, false, out);
}

void ksda_i_disguise_rank_coming(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES],
                                 uint32_t own_degree, ksda_i_looks *out) {
    rank_edge(d, p, score, own_degree, true, out);
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
