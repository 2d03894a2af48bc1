/* level_model.h: the relaxation of the fast exact method for Adding Edge, its cuts and the way back to edits. */
#ifndef KSDA_I_LEVEL_MODEL_H
#define KSDA_I_LEVEL_MODEL_H

#include "bound/colgen.h"
#include "bound/levels.h"
#include "lp/lp.h"

#include <ksda/edits.h>

/* What the program has for releases that split somebody (level_splits.c). A vertex that is split becomes two pieces,
 * and `extra` more. Index n + c stands for community c's pool. */
typedef struct ksda_i_level_pieces {
    ksda_i_colgen_splits of; /* so many vertices are added; a weight of 0: none is, and there is nothing else here */
    bool every_level;        /* everybody is above the floor; otherwise only degrees that occur are levels */
    uint32_t *split, *extra; /* [n + count] */
    uint32_t *to_pieces;     /* [n] edges from an individual to pieces */
    uint32_t *at;            /* [count * (high + 1)] pieces of c at level t */
    uint32_t *low;           /* [count] and at or below the floor */
    uint32_t *ends;          /* [count] ends of added edges at pieces of c */
    uint32_t *pool_outer; /* [count] edges of the pool's raised ones to those who are neither individuals nor raised */
    uint32_t *seen;       /* [count] for whose row a pool was looked at last */
    uint32_t more;        /* vertices added beyond the least number */
    uint32_t between, loose; /* edges between pieces of two vertices; from pieces to those who need none */
} ksda_i_level_pieces;

/* Levels above `floor` are counted exactly. Positions with degree above `share` are held one by one ("individuals");
 * the others of a community form its pool. floor = share = -1 is the whole problem. */
typedef struct ksda_i_level_model {
    const ksda_i_levels *l;
    int64_t floor;
    int64_t *share;     /* [count] */
    double cutoff;      /* only solutions of at most this cost are represented */
    uint32_t low, high; /* levels floor + 1 .. high are columns; low = floor + 1 */
    uint32_t *held;     /* [count] individuals of c: positions start[c] .. start[c] + held[c] - 1 */
    ksda_i_model model;
    uint32_t *open;          /* [high + 1] y_t */
    uint32_t *has;           /* [count * (high + 1)] theta_ct */
    uint32_t **at;           /* [n] per individual: at[i][t - low] is z_it, see ksda_i_ends(); NULL for the pool */
    uint32_t *stays, *takes; /* [n] individual below the floor: it ends at or below it; what it then takes */
    bool impossible;         /* a vertex can go nowhere within the cutoff */
    uint32_t *edge;          /* pairs of individuals, see ksda_i_pair_column() */
    uint64_t *edge_start;    /* [count + 1] */
    uint32_t *pool_edges;    /* [n] edges from an individual to the pool */
    uint32_t *pool_raised;   /* [count] how many of the pool end above the floor */
    uint32_t *pool_inner;    /* [count] edges among those */
    uint32_t *pool_at;       /* [count * (high + 1)] how many of them at level t */
    ksda_i_level_pieces pieces;
} ksda_i_level_model;

/* KSDA_LIMIT at the time limit, or when it would be too large to hold: then there is no model. With splits, which may
 * be NULL, `cutoff` is about edges alone, the levels are loosened, and the objective is the edges and the weight of the
 * splits beyond the least number. */
ksda_status ksda_i_level_model_make(const ksda_i_levels *l, int64_t floor, const int64_t *share, double cutoff,
                                    const ksda_i_colgen_splits *splits, ksda_i_level_model *out);
void ksda_i_level_model_clear(ksda_i_level_model *m);

/* The column of edge (a,b), both individuals of c, counted from start[c]; KSDA_I_NO_COLUMN when they are adjacent. */
static inline uint32_t ksda_i_pair_column(const ksda_i_level_model *m, uint32_t c, uint32_t a, uint32_t b) {
    return m->edge[m->edge_start[c] + (uint64_t)a * m->held[c] + b];
}

static inline uint64_t ksda_i_level_place(const ksda_i_level_model *m, uint32_t c, uint32_t t) {
    return (uint64_t)c * (m->high + 1) + t;
}
static inline bool ksda_i_level_may_split(const ksda_i_level_model *m) {
    return m->pieces.of.weight > 0;
}
/* Is everything that the objective can be a whole number? */
static inline bool ksda_i_level_is_whole(const ksda_i_level_model *m) {
    const ksda_i_colgen_splits *s = &m->pieces.of;
    return s->least == s->most || s->weight == (double)(uint64_t)s->weight;
}

/* The column of z_it; KSDA_I_NO_COLUMN where individual i cannot end at level t. */
static inline uint32_t ksda_i_ends(const ksda_i_level_model *m, uint32_t i, uint32_t t) {
    return m->at[i][t - m->low];
}

/* Add rows that x violates and every solution satisfies; with order also such that some cheapest one satisfies. Returns
 * how many. */
uint32_t ksda_i_level_cuts(ksda_i_level_model *m, const double *x, bool order);

/* --- who is split (level_splits.c), in the order of the calls ------------------------------------------------------
 */

/* Is everybody above the floor? */
bool ksda_i_level_splits_every_level(const ksda_i_levels *l, int64_t floor);
/* Can k communities be at level t within the cutoff? raise [k] is scratch. */
bool ksda_i_level_splits_may_open(const ksda_i_level_model *m, uint32_t t, uint32_t *raise);
ksda_status ksda_i_level_splits_open(ksda_i_level_model *m);
void ksda_i_level_splits_clear(ksda_i_level_model *m);
/* The columns that individuals and communities refer to; then, with the edges there, the rows. */
void ksda_i_level_splits_columns(ksda_i_level_model *m);
void ksda_i_level_splits_individual(ksda_i_level_model *m, uint32_t c, uint32_t i);
void ksda_i_level_splits_rows(ksda_i_level_model *m);
/* Rows that x breaks; how many. */
uint32_t ksda_i_level_splits_cuts(ksda_i_level_model *m, const double *x);

/* --- its linear program ------------------------------------------------------------------------------------------- */

/* Individuals: everybody above the floor, and so many more of each community. share [count]. */
void ksda_i_level_shares(const ksda_i_levels *l, int64_t floor, uint32_t below, int64_t *share);
/* Whole edges, where a bound may be a little too low by rounding. */
double ksda_i_level_round_up(double bound);
/* The same of a program whose objective need not be whole: then a little less. */
double ksda_i_level_proved(const ksda_i_level_model *m, double bound);
/* Raise *bound, in whole edges, by the linear program and rows that its solution breaks, for so many rounds, until it
 * is enough or that leads no further; at most to one more than the model's cutoff. order: rows that some cheapest
 * solution satisfies serve as well. *a is the last answer; cost: of the known release, for progress. */
#define KSDA_I_LEVEL_ROUNDS 60u
ksda_status ksda_i_level_root(ksda_i_level_model *m, ksda_i_lp *lp, bool order, double cost, uint32_t rounds,
                              double enough, double *bound, ksda_i_lp_answer *a);
/* The same by cases, from the solution of the whole. */
ksda_status ksda_i_level_cases(ksda_i_level_model *m, ksda_i_lp *lp, const ksda_i_lp_answer *whole, double cost,
                               double enough, double *bound);

/* --- the way back ------------------------------------------------------------------------------------------------- */

/* Edits that bring every position to its target, or KSDA_NO_VERTEX: it stays at or below the floor. pair: edges among
 * those above it, by position; what they need beside these goes to vertices that can safely take it. *out is NULL when
 * that fails, and where communities times degrees are more than 2^25. */
ksda_status ksda_i_targets_realize(const ksda_i_levels *l, const uint32_t *target, const ksda_pair *pair,
                                   uint64_t pairs, ksda_edits **out);

/* Turn an integral solution into edits: edges among individuals as in x, edges to the pool to vertices that can safely
 * take them. *out is NULL when that fails. */
ksda_status ksda_i_level_realize(const ksda_i_level_model *m, const double *x, ksda_edits **out);

/* The best solution found with these levels above the floor open and used by these communities [communities * levels],
 * of at most `cutoff` edges; *out is NULL when there is none. */
ksda_status ksda_i_plan_realize_exactly(const ksda_i_solver *solver, const ksda_i_levels *l, int64_t floor,
                                        uint32_t levels, const uint32_t *level, const uint8_t *uses, double cutoff,
                                        ksda_edits **out);

#endif
