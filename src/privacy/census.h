/* census.h: who stands at which degree, and whether that is enough.
 *
 * The one place that knows what a release must guarantee of every degree that occurs: that vertices of at least k
 * communities have it, and, with a share bound, that no community has a larger share of them. Methods, planners and
 * exact searches count vertices here and ask here; none compares a number of communities with k itself. A further model
 * is a further field of ksda_i_census_model, looked at by the functions of the first part, which see all that is
 * counted of a degree; those that count and those that ask stay as they are.
 *
 * Three ways to count, with the same questions. A *dense* census has a cell for every degree and community and a
 * *sparse* one a hash table of the cells that are not empty: vertices come, go and move in O(1), and a move is undone
 * by the move back. Which of the two it is depends on the size only. An *ordered* census takes vertices community by
 * community, once, and has no cells. Nothing that counts can fail. */
#ifndef KSDA_I_CENSUS_H
#define KSDA_I_CENSUS_H

#include "core/ctx.h"
#include "graph/communities.h"

/* --- what is enough ----------------------------------------------------------------------------------------------- */

/* What every degree that occurs must have. */
typedef struct ksda_i_census_model {
    uint32_t k;       /* communities */
    uint32_t counted; /* those from this number on hold vertices whose community is not known: they do not count */
    ksda_share share; /* the largest of one community among the vertices whose community is known; 0 of 0: any */
} ksda_i_census_model;

/* What was counted at one degree. */
typedef struct ksda_i_tally {
    uint32_t communities; /* that count */
    uint32_t unknown;     /* that do not */
} ksda_i_tally;

static inline ksda_i_census_model ksda_i_census_model_of(const ksda_communities *communities, uint32_t k) {
    return (ksda_i_census_model){k, communities->counted, {0, 0}};
}

static inline bool ksda_i_model_counts(const ksda_i_census_model *m, uint32_t community) {
    return __builtin_expect(community < m->counted, 1);
}

/* May so many of the vertices of a degree, of `whole` whose community is known, be of one community? */
static inline bool ksda_i_share_holds(ksda_share most, uint32_t part, uint32_t whole) {
    return most.denominator == 0 || (uint64_t)part * most.denominator <= (uint64_t)most.numerator * whole;
}
/* How many communities a degree has at least where this share holds. */
static inline uint32_t ksda_i_share_communities(ksda_share most) {
    return most.denominator ? (uint32_t)(((uint64_t)most.denominator + most.numerator - 1) / most.numerator) : 0;
}
/* Is the one share larger than the other? Shares of nothing are smallest. */
static inline bool ksda_i_share_above(ksda_share a, ksda_share b) {
    return a.denominator && !ksda_i_share_holds(b.denominator ? b : (ksda_share){0, 1}, a.numerator, a.denominator);
}

/* May a release contain the degree? */
static inline bool ksda_i_model_enough(const ksda_i_census_model *m, const ksda_i_tally *t) {
    return t->communities >= m->k;
}
/* How many further communities the degree needs. */
static inline uint32_t ksda_i_model_missing(const ksda_i_census_model *m, const ksda_i_tally *t) {
    return t->communities < m->k ? m->k - t->communities : 0;
}
/* Is the degree in order: enough there, or nobody? */
static inline bool ksda_i_model_in_order(const ksda_i_census_model *m, const ksda_i_tally *t) {
    return ksda_i_model_enough(m, t) || t->communities + t->unknown == 0;
}
/* Can the degree, at which `own` vertices of the community are, do without one of them? It keeps what it has then: that
 * the degree is not enough as it is does not hold anybody there. */
static inline bool ksda_i_model_spares(const ksda_i_census_model *m, const ksda_i_tally *t, uint32_t community,
                                       uint32_t own) {
    return own >= 2 || t->communities > m->k || !ksda_i_model_counts(m, community);
}
/* Is the degree enough once one more vertex of the community is there, which has `own` there now? */
static inline bool ksda_i_model_welcomes(const ksda_i_census_model *m, const ksda_i_tally *t, uint32_t community,
                                         uint32_t own) {
    ksda_i_tally then = {t->communities + (own == 0 && ksda_i_model_counts(m, community)), t->unknown};
    return ksda_i_model_enough(m, &then);
}

/* May an edge be added between two vertices, as far as their communities go? */
static inline bool ksda_i_may_connect(const ksda_communities *communities, uint32_t u, uint32_t v) {
    return communities->of[u] == communities->of[v] ||
           (communities->sets && ksda_i_kinds_meet(communities, communities->of[u], communities->of[v]));
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* A cell of a sparse census; empty where count is 0. */
typedef struct ksda_i_census_slot {
    uint64_t key; /* degree * 2^32 + community */
    uint32_t count;
} ksda_i_census_slot;

/* With a share bound: what there is of people at a degree. */
typedef struct ksda_i_crowd {
    uint32_t known;   /* vertices of communities that count */
    uint32_t largest; /* of one community */
} ksda_i_crowd;

typedef struct ksda_i_census {
    ksda_i_census_model model;
    uint32_t degrees, communities;
    ksda_i_tally *tally;      /* [degrees] */
    uint32_t *cell;           /* dense: [degrees * communities] vertices; or NULL */
    uint32_t *last;           /* ordered: [degrees] the last community seen there + 1; or NULL */
    ksda_i_census_slot *slot; /* sparse: [mask + 1] at least half of them empty; or NULL */
    uint64_t mask;
    ksda_i_hash_key key;
    ksda_i_crowd *crowd; /* [degrees] with a share bound; else NULL */
} ksda_i_census;

/* For at most so many vertices at a time, at degrees 0 .. degrees - 1; empty. Memory: 8 bytes a degree, and at most 16
 * MB or 64 bytes a vertex. ksda_i_census_close() is fine after a failure, and for a census that is all zero. */
ksda_status ksda_i_census_open(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, uint32_t degrees,
                               uint32_t vertices, ksda_i_census *out);
/* The same with a share bound, of which 0 of 0 is none. Those who leave then cost O(communities) at times. */
ksda_status ksda_i_census_open_share(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, ksda_share share,
                                     uint32_t degrees, uint32_t vertices, ksda_i_census *out);
/* The same, ordered: only ksda_i_census_see() and what needs no cells. 12 bytes a degree. */
ksda_status ksda_i_census_open_ordered(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, uint32_t degrees,
                                       ksda_i_census *out);
void ksda_i_census_close(ksda_ctx *ctx, ksda_i_census *census);
/* Everybody goes; from now on the degrees are 0 .. degrees - 1, no more than it was opened for. */
void ksda_i_census_empty(ksda_i_census *census, uint32_t degrees);

/* Sparse: one more and one less in a cell, from so many and to so many. */
uint32_t ksda_i_census_slot_add(ksda_i_census *census, uint32_t degree, uint32_t community);
uint32_t ksda_i_census_slot_remove(ksda_i_census *census, uint32_t degree, uint32_t community);
uint32_t ksda_i_census_slot_count(const ksda_i_census *census, uint32_t degree, uint32_t community);

static inline uint32_t *ksda_i_census_cell(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    return &x->cell[(uint64_t)degree * x->communities + community];
}
/* Vertices of the community at the degree. Not of an ordered census. */
static inline uint32_t ksda_i_census_own(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    return x->cell ? *ksda_i_census_cell(x, degree, community) : ksda_i_census_slot_count(x, degree, community);
}

/* A vertex of the community comes to the degree or leaves it, where `own` of it were or are then: for a caller that
 * keeps the cells himself. True where the answers about the degree may be others than before. */
static inline bool ksda_i_census_came(ksda_i_census *x, uint32_t degree, uint32_t community, uint32_t own) {
    if (own) return false;
    if (ksda_i_model_counts(&x->model, community))
        x->tally[degree].communities++;
    else
        x->tally[degree].unknown++;
    return true;
}
static inline bool ksda_i_census_went(ksda_i_census *x, uint32_t degree, uint32_t community, uint32_t own) {
    if (own) return false;
    if (ksda_i_model_counts(&x->model, community))
        x->tally[degree].communities--;
    else
        x->tally[degree].unknown--;
    return true;
}

/* With a share bound: the same for people, who has `own` there now. */
void ksda_i_census_crowd_came(ksda_i_census *census, uint32_t degree, uint32_t community, uint32_t own);
void ksda_i_census_crowd_went(ksda_i_census *census, uint32_t degree, uint32_t community, uint32_t own);

/* A vertex of the community comes to the degree, or leaves it; true as above. */
static inline bool ksda_i_census_add(ksda_i_census *x, uint32_t degree, uint32_t community) {
    uint32_t before =
        x->cell ? (*ksda_i_census_cell(x, degree, community))++ : ksda_i_census_slot_add(x, degree, community);
    if (x->crowd) ksda_i_census_crowd_came(x, degree, community, before + 1);
    return ksda_i_census_came(x, degree, community, before) || x->crowd;
}
static inline bool ksda_i_census_remove(ksda_i_census *x, uint32_t degree, uint32_t community) {
    uint32_t left =
        x->cell ? --*ksda_i_census_cell(x, degree, community) : ksda_i_census_slot_remove(x, degree, community);
    if (x->crowd) ksda_i_census_crowd_went(x, degree, community, left);
    return ksda_i_census_went(x, degree, community, left) || x->crowd;
}
static inline void ksda_i_census_move(ksda_i_census *x, uint32_t community, uint32_t from, uint32_t to) {
    ksda_i_census_remove(x, from, community);
    ksda_i_census_add(x, to, community);
}
/* Ordered: the next vertex, of the same community as the last one or of one that did not come yet. */
static inline void ksda_i_census_see(ksda_i_census *x, uint32_t degree, uint32_t community) {
    ksda_i_census_came(x, degree, community, x->last[degree] == community + 1);
    x->last[degree] = community + 1;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Does the share bound hold at the degree as it is, without a vertex of the community, with one more? */
static inline bool ksda_i_census_share_holds(const ksda_i_census *x, uint32_t degree) {
    return !x->crowd || ksda_i_share_holds(x->model.share, x->crowd[degree].largest, x->crowd[degree].known);
}
bool ksda_i_census_share_without(const ksda_i_census *census, uint32_t degree, uint32_t community);
bool ksda_i_census_share_with(const ksda_i_census *census, uint32_t degree, uint32_t community);

static inline bool ksda_i_census_enough(const ksda_i_census *x, uint32_t degree) {
    return ksda_i_model_enough(&x->model, &x->tally[degree]) && ksda_i_census_share_holds(x, degree);
}
/* How many further communities, or vertices of others than the largest, the degree needs. */
static inline uint32_t ksda_i_census_missing(const ksda_i_census *x, uint32_t degree) {
    uint32_t missing = ksda_i_model_missing(&x->model, &x->tally[degree]);
    if (!x->crowd) return missing;
    uint64_t wanted = (uint64_t)x->crowd[degree].largest * x->model.share.denominator;
    wanted = (wanted + x->model.share.numerator - 1) / x->model.share.numerator;
    uint64_t people = wanted > x->crowd[degree].known ? wanted - x->crowd[degree].known : 0;
    return people > missing ? (uint32_t)people : missing;
}
static inline bool ksda_i_census_in_order(const ksda_i_census *x, uint32_t degree) {
    return ksda_i_model_in_order(&x->model, &x->tally[degree]) && ksda_i_census_share_holds(x, degree);
}
/* May a vertex of the community leave the degree, which keeps what it needs? */
static inline bool ksda_i_census_spares(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    return ksda_i_model_spares(&x->model, &x->tally[degree], community, ksda_i_census_own(x, degree, community)) &&
           (!x->crowd || ksda_i_census_share_without(x, degree, community));
}
/* The same where the degree need not stay: the only one who has it may leave, too. */
static inline bool ksda_i_census_may_leave(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    const ksda_i_tally *t = &x->tally[degree];
    uint32_t own = ksda_i_census_own(x, degree, community);
    return (own == 1 && t->communities + t->unknown == 1) || ksda_i_census_spares(x, degree, community);
}
/* May a vertex of the community come to the degree, which has what it needs then? */
static inline bool ksda_i_census_may_come(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    return ksda_i_model_welcomes(&x->model, &x->tally[degree], community, ksda_i_census_own(x, degree, community)) &&
           (!x->crowd || ksda_i_census_share_with(x, degree, community));
}
/* How many degrees are out of order; O(degrees). */
uint32_t ksda_i_census_disorder(const ksda_i_census *census);

#endif
