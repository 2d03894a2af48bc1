/* plausible.h: which edges to add so that they look like those that were there. plausible.c goes in rounds,
 * plausible_moves.c exchanges edges, plausible_circles.c all those of a vertex, plausible_groups.c who has a degree,
 * plausible_looks.c judges them, plausible_degrees.c knows who may have another degree then. */
#ifndef KSDA_I_PLAUSIBLE_H
#define KSDA_I_PLAUSIBLE_H

#include "attack/traits.h"
#include "core/random.h"
#include "graph/edits.h"
#include "measure/likeness.h"
#include "methods/levelplan/level_plan.h"
#include "methods/levelplan/set_crowds.h"
#include "privacy/census.h"

enum {
    KSDA_I_LEARNED = 3, /* weighings of traits that are kept */
    KSDA_I_LOOKS = KSDA_I_LIKENESSES + KSDA_I_LEARNED,
    /* a row of an own edge: its other end, its scores, and those weighed by what was learned */
    KSDA_I_OWN_SCORES = 1,
    KSDA_I_OWN_WEIGHED = 1 + KSDA_I_LIKENESSES,
    KSDA_I_OWN_ROW = KSDA_I_OWN_WEIGHED + KSDA_I_LEARNED
};

/* How added edges look among the own edges of their ends: for each score the share of these that are below it, summed
 * over the ends that have any, and how far the shares are from a half. */
typedef struct ksda_i_looks {
    double sum[KSDA_I_LOOKS]; /* of the scores, and of what was learned */
    double spread;            /* sum of squares */
    uint32_t ends;
} ksda_i_looks;

/* Where the scores of the own edges of a piece stand. */
typedef struct ksda_i_own_scores {
    uint64_t at; /* in score: `count` of each look, ascending; their rows; while somebody learns, then their traits */
    uint32_t count;
    bool made;
} ksda_i_own_scores;

/* What an attacker learns from who is trained on the release itself (plausible_learn.c): how the traits of added edges
 * differ from those of own ones at the same end. */
typedef struct ksda_i_lesson {
    ksda_i_contrasts contrasts;
    uint64_t step; /* about one end out of so many is noted down */
    ksda_i_rng rng;
} ksda_i_lesson;

typedef struct ksda_i_disguise {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_edits *edits; /* who is split; the added edges in it are those of the beginning */
    uint32_t pieces;
    uint32_t *owner;      /* [pieces] */
    ksda_graph *base;     /* vertices split, nothing added */
    ksda_graph *then;     /* the release when the round began */
    ksda_i_census census; /* where everybody has one community; else */
    uint8_t *keeps;       /* [pieces] the degree in this round; */
    uint8_t *stays;       /* [pieces] witnesses of their degree, who keep it, */
    uint8_t *safe;        /* [degrees] that have witnesses, so that others may come and go, */
    ksda_i_set_crowds crowds;
    ksda_i_rolls rolls;          /* and who is in each community */
    ksda_communities *published; /* of the pieces; NULL before anybody asked */
    uint32_t degrees;            /* nobody may have one as large as this */
    uint32_t *degree;            /* [pieces] now */
    uint64_t *weight;            /* [degrees] of a common neighbour */
    double *level;               /* [degrees] logarithm of how many had it when the round began */
    ksda_pair *edge;             /* [edges] added now, of at most `most` */
    uint64_t edges, most;
    uint32_t anybody;       /* of the community that are tried for an end, besides the friends of its friends */
    uint64_t comparisons;   /* of neighbours at most, for one look at all groups */
    ksda_i_looks *looks;    /* [edges] */
    ksda_i_looks all;       /* of all edges */
    uint64_t *first;        /* [pieces] added edges at each piece: index * 2 + end + 1, or 0 */
    uint64_t *next;         /* [2 * most] */
    uint64_t *start;        /* [communities + 2] of order */
    uint64_t *order;        /* [most] edges that may be exchanged, by community, when the round began */
    ksda_i_own_scores *own; /* [pieces] */
    bool learning;          /* traits are noted down in the lesson */
    bool trained;           /* something was learned; else all of that looks like a half */
    ksda_i_lesson lesson;
    double learned[KSDA_I_LEARNED][KSDA_I_TRAITS];
    double *score;
    uint64_t scores, score_capacity;
    uint32_t *around[2]; /* [degrees] neighbours of the two ends of the edge at hand, */
    uint32_t arounds[2];
    uint32_t *common; /* [degrees] to both ends of the edge that was looked at last */
    uint32_t commons;
    bool foresees;     /* what an edge that comes does to the own edges of its ends; else only what it scores counts */
    uint32_t *mark[2]; /* [pieces] and their stamps */
    uint32_t *seen;    /* [pieces] stamps of candidates */
    uint32_t stamp, look;
    ksda_status status; /* of making tables on the way */
} ksda_i_disguise;

/* Tables of a disguise of which context, graph, communities, edits, `most`, anybody and comparisons are set: all added
 * edges of the edits are looked at, on the chains and in order. To be closed, also after a failure. */
ksda_status ksda_i_disguise_open(ksda_i_disguise *d, uint32_t k, ksda_share share);
void ksda_i_disguise_close(ksda_i_disguise *d);

/* Does the edge show something false, and may it be exchanged? Those that stand for an original edge do not; where both
 * ends are split nothing is exchanged. */
bool ksda_i_disguise_false(const ksda_i_disguise *d, ksda_pair edge);
bool ksda_i_disguise_movable(const ksda_i_disguise *d, ksda_pair edge);
bool ksda_i_disguise_split(const ksda_i_disguise *d, uint32_t piece);

/* Add where scores stand among those of p's own edges. */
void ksda_i_disguise_rank(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], ksda_i_looks *out);
/* The same for an edge that is not there yet, to whose ends d->common are common, with that degree: own edges to these
 * have one more in common then. */
void ksda_i_disguise_rank_coming(ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES],
                                 uint32_t own_degree, ksda_i_looks *out);

/* plausible_own.c: no own edge is scored yet; those of p; the rows, one of them or NULL; the traits that were kept. */
void ksda_i_own_begin(ksda_i_disguise *d);
const ksda_i_own_scores *ksda_i_own_scored(ksda_i_disguise *d, uint32_t p);
double *ksda_i_own_rows(const ksda_i_disguise *d, const ksda_i_own_scores *own);
const double *ksda_i_own_row(const ksda_i_disguise *d, const ksda_i_own_scores *own, uint32_t z);
double *ksda_i_own_kept(const ksda_i_disguise *d, const ksda_i_own_scores *own);
/* Where scores stand among those of the own edges; an edge of p by its scores, these shares, and what a method's habits
 * give away; and what was learned of it. traits: to be filled, or NULL. */
void ksda_i_own_shares(const ksda_i_disguise *d, const ksda_i_own_scores *own, const double *score, double *share);
void ksda_i_own_traits(const ksda_i_disguise *d, uint32_t p, const double score[KSDA_I_LIKENESSES], const double *share,
                       double *out);
void ksda_i_own_weigh(const ksda_i_disguise *d, uint32_t p, const ksda_i_own_scores *own, const double *score,
                      double *traits, double weighed[KSDA_I_LEARNED]);
/* What the own edge scores if its end has that degree, and `by` more of this degree are common: 1, 0 or -1. */
void ksda_i_own_score_then(const ksda_i_disguise *d, const double *row, uint32_t own_degree, uint32_t degree, int by,
                           double out[KSDA_I_LIKENESSES]);
/* Put the own edges of p in the place of d->own[p] as if its edge to q, to whose ends d->common are common, were not
 * there; to be put back is what was. side: 0 or 1, one at a time. */
ksda_i_own_scores ksda_i_own_without(ksda_i_disguise *d, int side, uint32_t p, uint32_t q);
/* One of the weighings changed: weigh the own edges of those again who were ranked while somebody learned. */
void ksda_i_disguise_weigh_again(ksda_i_disguise *d, uint64_t learned);
/* What is to be small: how far the means of the scores are from a half, and single edges from the middle. */
double ksda_i_disguise_sum(const ksda_i_looks *all);
/* How far the worst is from chance, of the scores and of what is learned, as much as that counts; and of scores only.
 */
double ksda_i_disguise_worst_score(const ksda_i_looks *all);
double ksda_i_disguise_worst(const ksda_i_looks *all);
void ksda_i_looks_add(ksda_i_looks *to, const ksda_i_looks *more, int times);

/* plausible_learn.c: begin anew; note down the traits of an added edge beside those of `count` own ones; and weigh
 * them, in the place of the weighing that is oldest. */
void ksda_i_lesson_begin(ksda_i_disguise *d, uint64_t round);
void ksda_i_lesson_note(ksda_i_disguise *d, const double *traits, const double *own, uint32_t count);
ksda_status ksda_i_lesson_end(ksda_i_disguise *d, uint64_t round);

/* plausible_degrees.c: count everybody at the degree of the release that came in. */
ksda_status ksda_i_disguise_count(ksda_i_disguise *d, uint32_t k, ksda_share share);
/* One more or one less for a piece, and whether the degrees that it has and had are in order then. */
void ksda_i_disguise_shift(ksda_i_disguise *d, uint32_t piece, int by);
bool ksda_i_disguise_in_order(const ksda_i_disguise *d, uint32_t piece, int by);

/* A community of both ends of an edge that may be exchanged. */
uint32_t ksda_i_disguise_home(const ksda_i_disguise *d, ksda_pair edge);
/* Anybody of the vertex's community, or of one of them; may be the vertex itself. */
uint32_t ksda_i_disguise_anybody(const ksda_i_disguise *d, uint32_t vertex, ksda_i_rng *rng);
/* May the piece have one neighbour more, as the others are? */
bool ksda_i_disguise_may_rise(ksda_i_disguise *d, uint32_t piece);
/* Who is around the piece now gets the stamp on that side. */
void ksda_i_disguise_mark(ksda_i_disguise *d, int side, uint32_t piece);
/* plausible_pieces.c: let pieces of one person that are not adjacent have friends in common, for edges that may be
 * spent. All edges are on the chains; the release at hand is older then. */
ksda_status ksda_i_disguise_pieces(ksda_i_disguise *d);
/* plausible_groups.c: how much oftener than by chance the attacker of attack/unmask.c would pick an untouched member of
 * a degree in the release at hand; 0 where there is no degree to try. */
ksda_status ksda_i_disguise_unmasked(ksda_i_disguise *d, double *above_chance);
/* Let somebody who was raised be the least suspicious member of each degree, as far as that can be, and keep that
 * degree in this round. The edges are in order; the release at hand is that of the round's beginning. */
ksda_status ksda_i_disguise_groups(ksda_i_disguise *d, uint64_t round);
/* plausible_circles.c: join those who need many edges to whole circles of friends where that makes the sum smaller. */
ksda_status ksda_i_disguise_circles(ksda_i_disguise *d, uint64_t round);
typedef struct ksda_i_candidate {
    int64_t key;
    uint32_t piece;
} ksda_i_candidate;
enum {
    KSDA_I_CIRCLE_WEIGHTS = 8 /* of a degree: so many are a friend in common */
};
/* Leave out candidates to be joined to a until `want` are left: step by step those with the least friends in common
 * with it by base edges, if it were joined to all that are left, less the weight of their degrees. */
void ksda_i_circle_peel(ksda_i_disguise *d, uint32_t a, uint64_t weight, uint64_t want, ksda_i_candidate *list,
                        uint64_t *count);
/* How many of them a step leaves. */
uint64_t ksda_i_circle_left(uint64_t count, uint64_t want);
/* Is something between the owners already? At most one of the two is split. */
bool ksda_i_disguise_joined(const ksda_i_disguise *d, uint32_t p, uint32_t q);
/* How an edge between p, around whom is marked on that side, and q would look, with these degrees; or how it looks, if
 * it was there when the round began. */
ksda_i_looks ksda_i_disguise_looks(ksda_i_disguise *d, int side, uint32_t p, uint32_t q, uint32_t own_degree,
                                   uint32_t degree);
ksda_i_looks ksda_i_disguise_looks_now(ksda_i_disguise *d, int side, uint32_t p, uint32_t q);
/* The edge comes to the chains of its ends or leaves them. */
void ksda_i_disguise_hook(ksda_i_disguise *d, uint64_t e);
void ksda_i_disguise_unhook(ksda_i_disguise *d, uint64_t e);
/* One edge out of so many is exchanged in a round. What own edges score is of the round's beginning, so that the sum at
 * its end is better than what is found then; the fewer edges are exchanged the less so. */
uint64_t ksda_i_disguise_step(uint64_t round, bool spends);
/* Look for something that looks better than edge e, and do it. */
void ksda_i_disguise_edge(ksda_i_disguise *d, ksda_i_rng *rng, uint64_t e);

/* Choose again whom the added edges connect, with at most `extra` more of them, so that they look like the own edges of
 * their ends. Every degree keeps what it needs; who is split, and how, does not change. *nearer: by so much
 * the worst score came nearer to chance. On failure the edits are as they were. */
ksda_status ksda_i_plausible(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                             ksda_share share, uint64_t extra, ksda_edits *edits, double *nearer);

#endif
