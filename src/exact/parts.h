/* parts.h: the relaxation of the fast exact method taken apart community by community; see docs/exact.md. */
#ifndef KSDA_I_PARTS_H
#define KSDA_I_PARTS_H

#include "anonymize/plan_bound.h"
#include "exact/levels.h"

/* What a community may do above the floor. */
typedef struct ksda_i_part_answer {
    double cost; /* edges */
    double *uses; /* [levels] 1 where somebody ends at the level, else 0; in between by a linear program */
    bool whole; /* not of a linear program */
} ksda_i_part_answer;

#define KSDA_I_POOL_CASES 32u

/* One community: a small integer program over its largest members, with a price on every level. */
typedef struct ksda_i_part {
    const ksda_i_levels *l;
    uint32_t c, held, levels;
    const uint32_t *level; /* [levels] descending, borrowed */
    int64_t floor;
    double cutoff;
    bool impossible; /* somebody can go nowhere within the cutoff */
    ksda_i_model model;
    ksda_i_lp *lp;
    uint32_t *uses;                       /* [levels] columns */
    uint32_t *at;                         /* [held * levels] */
    uint32_t *stays;                      /* [held] of a member that may end at or below the floor */
    uint32_t *edge;                       /* [held * held] */
    uint32_t raised;                      /* how many of the pool end above the floor */
    uint32_t inner;                       /* edges among these */
    double pool_bound[KSDA_I_POOL_CASES]; /* what raising 1, 2 to 3, 4 to 7, ... of the pool costs at least ... */
    double *pool_price;                   /* [KSDA_I_POOL_CASES * levels] ... at these prices */
    uint32_t *pool_at;                    /* [levels] */
    uint8_t *ahead_of_pool;               /* [held] when anybody of the pool ends above the floor, this member does */
    uint8_t *ahead; /* [held * held] some cheapest answer ends the first member at least as high as the second */
    ksda_i_bound_list list; /* the same community as level-plan's bound sees it: a dynamic program, often as good ... */
    ksda_i_bound_levels coarse; /* ... over the levels and, free of charge, the degrees of members below the floor */
    uint32_t *coarse_level, *limits;
    double *coarse_price, *space;
    uint8_t *used; /* [coarse.count] */
    ksda_i_part_answer *answer;
    uint64_t answers, room;
    double value;       /* of the last question: no answer is cheaper, prices included; INFINITY when there is none */
    ksda_status status; /* of the last question */
} ksda_i_part;

/* Members with a degree above the floor, and `below` more, but at least so many, are held one by one; the rest is the
 * pool. */
ksda_status ksda_i_part_make(const ksda_i_levels *l, const ksda_i_ranks *ranks, uint32_t c, int64_t floor,
                             uint32_t levels, const uint32_t *level, double cutoff, uint32_t below, uint32_t least,
                             ksda_i_part *out);
void ksda_i_part_clear(ksda_i_part *p);

/* What is the least cost + sum of the prices of the levels used? fixed [levels]: 0 the level must not be used, 1 it
 * must, -1 either. A proved lower bound goes to p->value, KSDA_OK, KSDA_LIMIT or a failure to p->status; answers found
 * on the way are kept. A bound within `tolerance` of a known answer is good enough. */
void ksda_i_part_ask(ksda_i_part *p, const double *price, const int8_t *fixed, double tolerance);

/* Raise *bound, a lower bound on the edges of every solution that adds at most `cutoff`: by prices on the levels that
 * make the communities agree. Stops after a few rounds when *bound is then at least `near`; otherwise goes on, and then
 * branches where the communities do not agree, until *bound exceeds the cutoff, they agree, or so many cases were
 * looked at. KSDA_LIMIT at the time limit; what is in *bound holds. */
ksda_status ksda_i_parts_bound(const ksda_i_levels *l, int64_t floor, double cutoff, uint32_t below, uint32_t least,
                               double near, uint32_t cases, double *bound);

#endif
