/* colgen.h: plans of all communities together, for the fast exact method; see docs/exact.md. */
#ifndef KSDA_I_COLGEN_H
#define KSDA_I_COLGEN_H

#include "bound/lagrangian.h"
#include "bound/levels.h"
#include "lp/solver.h"

/* --- the cheapest plan at given prices ---------------------------------------------------------------------------- */

#define KSDA_I_COLGEN_FAR (1 << 29)                /* cannot be */
#define KSDA_I_COLGEN_DEAR (KSDA_I_COLGEN_FAR / 2) /* prices from here on are not told apart */
#define KSDA_I_COLGEN_STAYS UINT32_MAX
#define KSDA_I_COLGEN_SPLIT (UINT32_MAX - 1)

/* One more member is placed. */
typedef struct ksda_i_colgen_step {
    uint32_t from, member;
} ksda_i_colgen_step;

/* A community whose members are placed from the top: a state is a set of members that may be placed together. Members
 * whom others never pass come first, so there are few such sets. */
typedef struct ksda_i_colgen_list {
    uint32_t members, states; /* the first state: nobody is placed */
    const uint32_t *start;    /* [states + 1] */
    const ksda_i_colgen_step
        *step;             /* from start[s] to before start[s + 1]: those that lead to state s from earlier ones */
    const int64_t *left;   /* [states] the largest degree of those who are not placed, -1 without; not increasing */
    const uint8_t *others; /* [states] may a vertex that is no member be placed now? */
    int32_t *price;        /* [members * levels] KSDA_I_COLGEN_FAR where it cannot be */
    int32_t *supply;       /* [levels] price of a vertex that is no member */
    int32_t *split;        /* [members] price of a member that is split: it need not be placed. NULL: nobody is */
    int32_t *piece;        /* [levels] price of a piece of a vertex that is */
} ksda_i_colgen_list;

/* A community's list, which has no prices yet, and what else is to be known of it. */
typedef struct ksda_i_colgen_members {
    ksda_i_colgen_list list;
    uint32_t community;
    bool sorted;             /* the states are the beginnings of the list */
    uint8_t *allowed;        /* [members * members] who may be joined to whom */
    uint32_t *max_degree;    /* [members] the highest level each can get to */
    uint32_t other, highest; /* those who are no members: largest degree, highest level; 0 when there are none */
} ksda_i_colgen_members;

/* The first `members` of community c, at most KSDA_I_BOUND_KNOWN; `top` is the highest level. With at most `most`
 * states if that is more than members + 1. */
ksda_status ksda_i_colgen_members_make(const ksda_i_levels *l, uint32_t c, uint32_t members, uint32_t top,
                                       uint32_t most, ksda_i_colgen_members *out);
void ksda_i_colgen_members_clear(ksda_ctx *ctx, ksda_i_colgen_members *m);

/* Lists, and perhaps one community that is everywhere (the anchor community). Levels are numbered from the top. Prices
 * are whole numbers and may be negative. */
typedef struct ksda_i_colgen_pricing_problem {
    uint32_t levels, lists, need; /* so many lists must use an open level */
    const uint32_t *level;        /* [levels] descending */
    int64_t floor;                /* vertices of larger degree must be placed */
    const ksda_i_colgen_list *list;
    int32_t *anchor;    /* [(levels + 1) * (levels + 1)] what the anchor pays for s and q > s being open and none
                          between them; s = levels: none above q, q = levels: none below s */
    int32_t most;       /* plans in which the members of a list pay more are not looked at: KSDA_I_COLGEN_FAR for any */
    int32_t rebate;     /* all negative prices together take off no more from a plan; at most KSDA_I_COLGEN_FAR / 4 */
    const int8_t *open; /* [levels] -1 either, 0 closed, 1 open */
    const int8_t *uses; /* [lists * levels] likewise: is anybody of c at level q? */
} ksda_i_colgen_pricing_problem;

typedef struct ksda_i_colgen_plan {
    uint8_t *open;    /* [levels] */
    uint8_t *uses;    /* [lists * levels] 1 with members, 2 with another vertex, 4 with a piece, 0 not at all */
    uint32_t *target; /* [members of all lists, one list after the other] a level's number, or KSDA_I_COLGEN_STAYS, or
                         KSDA_I_COLGEN_SPLIT */
} ksda_i_colgen_plan;

/* Cells of the table that the answer takes, of 4 bytes; UINT64_MAX when there are too many to count. */
uint64_t ksda_i_colgen_cells(uint32_t levels, uint32_t lists, const ksda_i_colgen_list *list);

/* The least price of all plans to *value, and one that has it, if *found. If not, there is no plan below *value, which
 * is KSDA_I_COLGEN_DEAR less the rebate: perhaps because there is none at all. KSDA_LIMIT at the time limit: then
 * nothing is known. */
ksda_status ksda_i_colgen_price(ksda_ctx *ctx, const ksda_i_colgen_pricing_problem *question,
                                const ksda_i_colgen_plan *out, bool *found, int32_t *value);

/* --- the bound ---------------------------------------------------------------------------------------------------- */

/* Vertices may be split, n_s being at least and at most so much; a weight of 0: nobody is. */
typedef struct ksda_i_colgen_splits {
    double weight;
    uint32_t least, most;
} ksda_i_colgen_splits;

/* The least cost that a release with so many splits can have and that is at least `value`, or a little less. */
double ksda_i_colgen_cost_from(const ksda_i_colgen_splits *s, double value);
/* The largest that is below `cost`, or a little more. */
double ksda_i_colgen_cost_below(const ksda_i_colgen_splits *s, double cost);

typedef struct ksda_i_colgen_options {
    const ksda_i_solver *solver; /* of the linear programs */
    int64_t floor;               /* levels above it are counted */
    uint64_t cells;  /* of the table, at most: lists are sorted, and members below the floor left out, to make it small
                        enough */
    uint32_t pairs;  /* of members of one community, at most: columns of the linear program */
    uint32_t below;  /* members below the floor in every list, at most */
    uint32_t rounds; /* of better multipliers, at the beginning */
    uint32_t cases;  /* looked at when these lead no further */
    double enough;   /* a bound not to be exceeded; INFINITY */
    ksda_i_colgen_splits splits;
    double *fractional_splits; /* NULL, or takes the splits of the last mixture, which are not whole */
    /* called with promising plans: the levels above the floor, descending, and who is to use them, [communities *
     * levels]. May lower *cutoff. NULL: nobody is. */
    ksda_status (*on_candidate)(void *payload, uint32_t levels, const uint32_t *level, const uint8_t *uses,
                                double *cutoff);
    void *payload;
} ksda_i_colgen_options;

/* Raise *bound, a lower bound on the cost of every solution that costs at most *cutoff, which is below that of a known
 * one; it stops above. A known solution of cost *cutoff + 1 is still looked at: a bound above that contradicts it. With
 * splits every solution is that has so many. *fits is false when the network
 * has too many communities with too many large members for this; then nothing is done. *complete: nothing was left out
 * for want of cells. KSDA_LIMIT at the time limit; what is in *bound holds. */
ksda_status ksda_i_colgen_bound(const ksda_i_levels *l, const ksda_i_colgen_options *options, double *cutoff,
                                double *bound, bool *fits, bool *complete);

/* Is the network small enough for what follows, and is there a solver? */
bool ksda_i_colgen_certifies(const ksda_i_ranks *lists);
/* Raise *bound, a lower bound on the cost of any solution with so many splits, `cost` being that of a known one; stops
 * at `enough`. *fractional_splits: how many splits the relaxation would have, unless nobody may be split. A matter of
 * seconds, or `longer`: until the time limit. Nothing happens where it does not certify. */
ksda_status ksda_i_colgen_certify(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k,
                                  const ksda_i_colgen_splits *splits, double cost, double enough, bool longer,
                                  double *bound, double *fractional_splits);

#endif
