/* levels.h: the fast exact method for Adding Edge; see docs/exact.md. */
#ifndef KSDA_I_LEVELS_H
#define KSDA_I_LEVELS_H

#include "exact/lp.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/edits.h>

/* --- the network as the method sees it ---------------------------------------------------------------------------- */

/* Communities as lists by descending degree (then vertex number), and which levels (degrees) anybody can be brought to.
 * Everything about "position i" is about vertex[i]; community c has the positions start[c] .. start[c+1]-1. */
typedef struct ksda_i_levels {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t n, count, k;
    const uint32_t *start;                     /* [count + 1] borrowed */
    uint32_t *vertex, *degree, *cap, *outside; /* [n] cap: largest degree reachable; outside: neighbours elsewhere */
    uint32_t *position;                        /* [n] of a vertex */
    uint32_t top;                              /* levels are 0 .. top */
    uint32_t *least;  /* fewest edges that bring somebody of c to level t, see ksda_i_least(); UINT32_MAX: nobody can */
    uint64_t *row;    /* [count + 1] community c's part of least[], which begins ... */
    uint32_t *lowest; /* [count] ... with this level */
    uint64_t *opening; /* [top + 1] fewest edges that bring k communities to level t; UINT64_MAX: impossible */
    uint32_t *from;    /* [top + 2] the lowest level from t up that k communities can be brought to, or UINT32_MAX */
} ksda_i_levels;

ksda_status ksda_i_levels_make(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                               ksda_i_levels *out);
void ksda_i_levels_clear(ksda_i_levels *l);
static inline uint32_t ksda_i_least(const ksda_i_levels *l, uint32_t c, uint32_t t) {
    uint64_t at = l->row[c] + t - l->lowest[c];
    return t < l->lowest[c] || at >= l->row[c + 1] ? UINT32_MAX : l->least[at];
}
/* With so many vertices added by splitting, everybody gets so much higher, and no level is too dear to be opened. */
void ksda_i_levels_loosen(ksda_i_levels *l, uint32_t splits);
/* The largest floor below which the network is diverse as it is. */
ksda_status ksda_i_levels_floor(const ksda_i_levels *l, int64_t *floor);
/* A vertex that can reach no level that k communities can reach: a proof that adding edges cannot do it. Its position,
 * or KSDA_NO_VERTEX. */
uint32_t ksda_i_levels_stuck(const ksda_i_levels *l);
/* Can position i of c go to level t within the cutoff? It and k - 1 other communities take at least
 * opening(t) + raise - least(c, t) edges. */
static inline bool ksda_i_affordable(const ksda_i_levels *l, double cutoff, uint32_t c, uint32_t i, uint32_t t) {
    uint32_t raise = t - l->degree[i], least = ksda_i_least(l, c, t);
    if (l->opening[t] == UINT64_MAX) return false;
    return (double)l->opening[t] + (raise > least ? (double)(raise - least) : 0) <= cutoff;
}
/* True when a cheapest solution exists in which position i ends at least as high as position j (same community, i < j).
 */
static inline bool ksda_i_dominates(const ksda_i_levels *l, uint32_t i, uint32_t j) {
    return i < j && l->outside[i] >= l->degree[j];
}

/* --- the relaxation ----------------------------------------------------------------------------------------------- */

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
    bool impossible;         /* somebody can go nowhere within the cutoff */
    uint32_t *edge;          /* pairs of individuals, see ksda_i_pair_column() */
    uint64_t *edge_start;    /* [count + 1] */
    uint32_t *pool_edges;    /* [n] edges from an individual to the pool */
    uint32_t *pool_raised;   /* [count] how many of the pool end above the floor */
    uint32_t *pool_inner;    /* [count] edges among those */
    uint32_t *pool_at;       /* [count * (high + 1)] how many of them at level t */
} ksda_i_level_model;

/* KSDA_LIMIT at the time limit, or when it would be too large to hold: then there is no model. */
ksda_status ksda_i_level_model_make(const ksda_i_levels *l, int64_t floor, const int64_t *share, double cutoff,
                                    ksda_i_level_model *out);
void ksda_i_level_model_clear(ksda_i_level_model *m);

/* The column of edge (a,b), both individuals of c, counted from start[c]; KSDA_I_NO_COLUMN when they are adjacent. */
static inline uint32_t ksda_i_pair_column(const ksda_i_level_model *m, uint32_t c, uint32_t a, uint32_t b) {
    return m->edge[m->edge_start[c] + (uint64_t)a * m->held[c] + b];
}

/* The column of z_it; KSDA_I_NO_COLUMN where individual i cannot end at level t. */
static inline uint32_t ksda_i_ends(const ksda_i_level_model *m, uint32_t i, uint32_t t) {
    return m->at[i][t - m->low];
}

/* Add rows that x violates and every solution satisfies; with order also such that some cheapest one satisfies. Returns
 * how many. */
uint32_t ksda_i_level_cuts(ksda_i_level_model *m, const double *x, bool order);

/* Edits that bring every position to its target, or KSDA_NO_VERTEX: it stays at or below the floor. pair: edges among
 * those above it, by position; what they need beside these goes to whoever can safely take it. *out is NULL when that
 * fails. */
ksda_status ksda_i_targets_realize(const ksda_i_levels *l, const uint32_t *target, const ksda_pair *pair,
                                   uint64_t pairs, ksda_edits **out);

/* Turn an integral solution into edits: edges among individuals as in x, edges to the pool to whoever can safely take
 * them. *out is NULL when that fails. */
ksda_status ksda_i_level_realize(const ksda_i_level_model *m, const double *x, ksda_edits **out);

/* How many non-adjacent vertices each vertex has in its community. */
void ksda_i_free_places(const ksda_graph *g, const ksda_communities *c, uint32_t *places);

#endif
