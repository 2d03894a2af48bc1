/* levels.h: communities as lists, and the levels that their members can be brought to; see docs/exact.md. */
#ifndef KSDA_I_LEVELS_H
#define KSDA_I_LEVELS_H

#include "bound/ranks.h"

/* --- the network as the method sees it ---------------------------------------------------------------------------- */

/* Communities as lists by descending degree (then vertex number), and which levels (degrees) anybody can be brought to.
 * Everything about "position i" is about vertex[i]; community c has the positions start[c] .. start[c+1]-1. */
typedef struct ksda_i_levels {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t n, count, k;
    const ksda_i_ranks *ranks; /* what they are made from: the same lists with ties in another order */
    ksda_i_ranks *own_ranks;   /* NULL when borrowed */
    const uint32_t *start;     /* [count + 1] borrowed */
    const uint32_t *degree;    /* [n] borrowed from the ranks: by position it is the same */
    uint32_t *vertex, *max_degree,
        *outside;       /* [n] max_degree: largest degree reachable; outside: neighbours elsewhere */
    uint32_t *position; /* [n] of a vertex */
    uint32_t top;       /* levels are 0 .. top */
    uint32_t *least;  /* fewest edges that bring a vertex of c to level t, see ksda_i_least(); UINT32_MAX: nobody can */
    uint64_t *row;    /* [count + 1] community c's part of least[], which begins ... */
    uint32_t *lowest; /* [count] ... with this level */
    uint64_t *opening; /* [top + 1] fewest edges that bring k communities to level t; UINT64_MAX: impossible */
    uint32_t *from;    /* [top + 2] the lowest level from t up that k communities can be brought to, or UINT32_MAX */
} ksda_i_levels;

/* From ranks that are there, and stay there; nothing is sorted again. */
ksda_status ksda_i_levels_from(ksda_ctx *ctx, const ksda_i_ranks *ranks, uint32_t k, ksda_i_levels *out);
/* The same with ranks of its own. */
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

#endif
