/* lagrangian.h: a Lagrangian lower bound by prices on the levels, and its parts. docs/level-plan.md, section 5, has the
 * proofs.
 *
 * Members of a community are its vertices with a degree above the floor, in the order of descending degree. */
#ifndef KSDA_I_LAGRANGIAN_H
#define KSDA_I_LAGRANGIAN_H

#include "bound/ranks.h"

#define KSDA_I_BOUND_UNITS 2u /* of work, for a cell of the dynamic programs; one more where members may be split */
#define KSDA_I_BOUND_KNOWN                                                                                             \
    128u /* so many members of a community have their adjacency looked at; later ones count as adjacent to nobody */
#define KSDA_I_BOUND_FAR 1e30 /* the price of what cannot be */
#define KSDA_I_BOUND_WORDS (KSDA_I_BOUND_KNOWN / 64)

/* Who may be joined to whom: row u, bit w. */
typedef uint64_t ksda_i_bound_row[KSDA_I_BOUND_WORDS];

/* Allow more pairs until, for all members u before v, v has at most degree[u] - degree[v] allowed partners that u has
 * not. Then targets can be exchanged (Lemma 3). beyond is the largest degree of further members, who may be joined to
 * everybody; UINT32_MAX when there are none. */
void ksda_i_bound_close(ksda_i_bound_row *allowed, const uint32_t *degree, uint32_t members, uint32_t beyond);

/* The pairs of the first `members` of community c's list that are not adjacent. */
void ksda_i_bound_apart(const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c, uint32_t members,
                        ksda_i_bound_row *apart);

/* The same for the first `members` of community c's list, at most KSDA_I_BOUND_KNOWN, beginning with the pairs that are
 * not adjacent. Equal degrees are put in the order that suits best, so row i need not be that of the list's member i,
 * but of one with the same degree. */
void ksda_i_bound_allowed(const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c, uint32_t members,
                          uint32_t beyond, ksda_i_bound_row *allowed);

/* For each of the first `members` of community c's list, how many earlier ones it may be joined to when pairs are
 * allowed as above; UINT32_MAX where it is all of them. Members of equal degree may stand for each other here as well.
 */
void ksda_i_bound_limits(const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c, uint32_t members,
                         uint32_t *earlier);

/* A member is placed: so many of those who were before may be joined to it, UINT32_MAX: all, or no limit is worth
 * counting.
 */
typedef struct ksda_i_bound_step {
    uint32_t from, member, partners;
} ksda_i_bound_step;

/* One community as the relaxation sees it. A state says who is placed: the first state nobody, the last one all
 * members. States are the beginnings of the list, or the sets that hold with a member all who dominate it
 * (lagrangian_states.c). */
typedef struct ksda_i_bound_list {
    const uint32_t *degree; /* [members] descending */
    uint32_t members, states;
    uint32_t *start;         /* [states + 1] */
    ksda_i_bound_step *step; /* from start[s] to before start[s + 1]: those that lead to state s from earlier ones */
    uint32_t *left;          /* [states] the largest degree of those who are not placed, 0 without; not increasing */
    uint32_t *limited;       /* [states] how many of those who are not placed may come to have a limit below a */
    uint32_t *max_degree;    /* [members + 1] the highest level each can get to; at the end the supply's, 0 without */
    uint64_t *set, *allowed; /* [states], [members] bits: who is placed, and who may be joined to whom; NULL where
                                states are the beginnings of the list */
    uint32_t pairs;          /* a of Lemma 4 */
    double mix;              /* how much of the charge is that of Lemma 4 with this a; the rest is half of every need */
    uint32_t supply;         /* the largest degree of a vertex that is no member */
    uint32_t highest;        /* no piece gets above this level, */
    uint32_t carried;        /* and above this one only by edges to others of the community that were no neighbours */
    double vanish, piece;    /* prices of a member that is split and of a piece of a split vertex, but for its edges;
                                infinity forbids splitting */
    double carry;            /* the price of an edge that a piece carries: a member that is split brings its own; */
    double carry_half;       /* so much of it counts where needs are halved, the rest where they are not */
    double to_some, to_more; /* what an edge of a need to a piece is worth beyond half of it: so many of them, */
    uint32_t some;           /* and as many more */
} ksda_i_bound_list;

/* What all communities have in common. */
typedef struct ksda_i_bound_levels {
    const uint32_t *level; /* [count] descending, all above the floor */
    uint32_t count, floor;
} ksda_i_bound_levels;

/* What a community does: which levels it uses, how many members vanish and pieces appear; and what its answer would
 * grow by, for each unit that these multipliers grow by. */
typedef struct ksda_i_bound_use {
    uint8_t *level; /* [levels] */
    uint32_t vanished, pieces;
    double mix;              /* by how much the charge with a exceeds half of all needs */
    double carry;            /* edges that pieces carry, less those that members bring which are split; */
    double unmet, halved;    /* less by what pieces need: twice what is not met, and twice a half */
    double to_some, to_more; /* less by the edges to pieces */
    double paid;             /* all negative prices together, without their sign; set by who made them */
} ksda_i_bound_use;

/* What a member that is split is charged where a split costs `weight` and a piece is charged `piece`, at most half of
 * it: with p >= 2 pieces, q of them above the floor, it and its pieces are together charged at most (p - 1) * weight.
 */
static inline double ksda_i_bound_vanish(double weight, double piece) {
    return weight - 2 * piece;
}

/* A split member brings its edges, and both ends of the link that two pieces have. */
static inline double ksda_i_bound_vanish_member(const ksda_i_bound_list *list, uint32_t i) {
    return list->vanish - list->carry * (list->degree[i] + 2.0);
}

/* Set a, and with it limited. */
void ksda_i_bound_set_pairs(ksda_i_bound_list *list, uint32_t a);

/* Room for the beginnings of a list of so many members, and for what is known of them; no steps yet. */
ksda_status ksda_i_bound_list_open(ksda_ctx *ctx, uint32_t members, ksda_i_bound_list *list);
void ksda_i_bound_list_clear(ksda_ctx *ctx, ksda_i_bound_list *list);
/* Steps from one beginning to the next; earlier [members]: how many earlier ones each may be joined to, UINT32_MAX:
 * all. */
void ksda_i_bound_chain(ksda_i_bound_list *list, const uint32_t *earlier);
/* How high the first `members` of community c, and the supply, can get: no further than their slack allows, and one
 * more for every vertex that is added by splitting, at most so many. Sets highest as well. In a list whose states are
 * its beginnings, where targets are exchanged, a member gets as high as any later one (raise_reach). */
void ksda_i_bound_reach(const ksda_i_ranks *lists, uint32_t c, uint32_t splits, ksda_i_bound_list *list);
void ksda_i_bound_raise_reach(ksda_i_bound_list *list);
/* Sets of members in the place of beginnings, at most `most` of them; nothing happens where there are more. `top` is
 * the highest level. */
ksda_status ksda_i_bound_use_sets(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c,
                                  uint32_t top, uint32_t most, ksda_i_bound_list *list);

/* Doubles of workspace that an answer takes. */
uint64_t ksda_i_bound_space(const ksda_i_bound_list *list, uint32_t levels);

/* The least a community can pay for edges, splits and the levels it uses at price [levels], which may be negative; and
 * what it does then. */
double ksda_i_lagrangian_community(const ksda_i_bound_list *list, const ksda_i_bound_levels *levels,
                                   const double *price, double *space, ksda_i_bound_use *use);

/* --- the bound ---------------------------------------------------------------------------------------------------- */

/* The prices of levels at which a bound was proved: with them every community pays at least its share of `value`,
 * whatever its part of a release is. */
typedef struct ksda_i_bound_prices {
    uint32_t floor, communities, levels;
    bool unsplit;    /* the shares are those of releases without splits */
    double value;    /* the bound before it was rounded */
    uint32_t *level; /* [levels] descending, all above the floor */
    double *price;   /* [communities * levels] */
    double *share;   /* [communities] */
} ksda_i_bound_prices;
void ksda_i_bound_prices_clear(ksda_ctx *ctx, ksda_i_bound_prices *prices);

/* From so many edges and vertices on there are so many levels that steps are what is missing: the relaxation gets the
 * work that column generation, which such networks are too large for, does not need, and spends it on steps rather than
 * on lower degrees. */
#define KSDA_I_BOUND_LARGE_EDGES (UINT64_C(1) << 22)
#define KSDA_I_BOUND_LARGE_VERTICES (1u << 16)
static inline bool ksda_i_bound_is_large(const ksda_graph *graph) {
    return graph->m >= KSDA_I_BOUND_LARGE_EDGES && graph->n >= KSDA_I_BOUND_LARGE_VERTICES;
}

/* A proved lower bound on n_a + split_weight * n_s over all releases, n_s being at least `splits`. cost is that of a
 * known release; releases that cost more may be left out of account, so nothing above what these cost is claimed. work:
 * how many cells of the dynamic programs may be filled in all. prices may be NULL; otherwise the
 * caller clears it (levels is 0 where nothing had to be proved), and only what they prove is claimed: cases have prices
 * of their own. */
ksda_status ksda_i_lagrangian_bound(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k,
                                    double split_weight, uint32_t splits, double cost, uint64_t work,
                                    ksda_i_bound_prices *prices, double *out);

#endif
