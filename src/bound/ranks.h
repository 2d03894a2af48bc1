/* ranks.h: every community's members by descending degree, for the lower bounds and for level-plan. */
#ifndef KSDA_I_RANKS_H
#define KSDA_I_RANKS_H

#include "graph/communities.h"
#include "graph/graph.h"

#define KSDA_I_NEAR 64u /* as many of the largest members of a community are known to each other by bit masks */

/* The members of one community that have one degree: positions begin .. end-1 of its list. */
typedef struct ksda_i_rank_run {
    uint32_t community, begin, end;
} ksda_i_rank_run;

/* Every community's members by descending degree, and by degree the communities that have it. Of equal degrees those
 * with more slack come first: they can be raised further. */
typedef struct ksda_i_ranks {
    const ksda_graph *graph;           /* borrowed, */
    const ksda_communities *partition; /* as is this */
    uint32_t n, communities;
    const uint32_t
        *start;       /* [communities + 1] borrowed; the list of c is vertex[start[c]] .. vertex[start[c + 1] - 1] */
    uint32_t *vertex; /* [n] */
    uint32_t *degree; /* [n] of vertex[i] */
    uint32_t *slack;  /* [n] how many members of the community vertex[i] is not yet adjacent to */
    uint32_t *place;  /* [n] by vertex: where it stands in vertex */
    uint32_t levels;
    uint32_t
        *level; /* [levels] degrees, descending: those that occur, and others below the largest unless it is huge */
    uint64_t
        *group; /* [levels + 1] run[group[l]] .. run[group[l + 1] - 1] have degree level[l], communities ascending */
    ksda_i_rank_run *run;
    uint64_t *near; /* [communities + 1] where the largest members of each, KSDA_I_NEAR at most, begin in adjacent */
    uint64_t *adjacent; /* [near[communities]] bit q: adjacent to the list's member q, or itself */
} ksda_i_ranks;

ksda_status ksda_i_ranks_make(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              ksda_i_ranks *out);
/* The same lists as if the member at list position i had degree[i], which is not below its own; slack is less by as
 * much. moved [n] is set to where who stands at a position of the new lists stood before. */
ksda_status ksda_i_ranks_lift(ksda_ctx *ctx, const ksda_i_ranks *of, const uint32_t *degree, uint32_t *moved,
                              ksda_i_ranks *out);
void ksda_i_ranks_clear(ksda_ctx *ctx, ksda_i_ranks *lists);

/* How many members of its community each vertex is not adjacent to, itself not counted; slack [n] by vertex. */
ksda_status ksda_i_community_slack(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   uint32_t *slack);

/* Has anybody the degree level[i]? */
static inline bool ksda_i_ranks_occurs(const ksda_i_ranks *lists, uint32_t i) {
    return lists->group[i + 1] > lists->group[i];
}
/* The largest degree below which all degrees that occur have k communities: so far levels fill themselves. */
uint32_t ksda_i_ranks_floor(const ksda_i_ranks *lists, uint32_t k);

/* A proved lower bound on n_s: vertices whose degree too few communities can reach. */
ksda_status ksda_i_splits_needed(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, uint32_t *out);

/* Raise it by linear programs, to `enough` at most and within the work of the context; what was proved when that or the
 * time is over counts. */
ksda_status ksda_i_splits_program(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, uint32_t enough,
                                  uint32_t *needed);

/* Likewise, where every release costs at least `bound`: with fewer splits, even all edges that could be added cost
 * less.
 */
uint32_t ksda_i_splits_by_cost(const ksda_i_ranks *lists, double split_weight, double bound);

#endif
