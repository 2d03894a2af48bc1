/* disjoint.h: level-plan where people have several communities.
 *
 * What is enough here, k vertices in pairwise disjoint sets, is not a count that can be kept up move by move. So every
 * level gets its *witnesses* first, and these stay where they are: whatever else comes and goes, the level is enough.
 * All others must end at some level, whichever. */
#ifndef KSDA_I_LEVELPLAN_DISJOINT_H
#define KSDA_I_LEVELPLAN_DISJOINT_H

#include "graph/graph.h"
#include "methods/levelplan/level_plan.h"
#include "privacy/packing.h"

#define KSDA_I_DISJOINT_WORK UINT64_C(12000000) /* vertices assigned in trials of the first release */

typedef struct ksda_i_disjoint_plan {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t k;
    ksda_share share; /* that no community is to be above at any level; 0 of 0: any */

    uint32_t *order;        /* [n] vertices by descending degree */
    uint32_t groups;        /* different degrees */
    uint32_t *first;        /* [groups + 1] where each begins in order */
    uint32_t *degree;       /* [groups] descending */
    uint32_t *reach;        /* [n] the largest degree that the vertex can get, as far as is known */
    uint32_t *lowest_reach; /* [groups] of its vertices */

    double *cost;   /* [groups + 1] of everything from this group on; infinite: not possible */
    uint32_t *next; /* [groups] the first group of the next level, where this one begins a level */

    uint32_t *target;  /* [n] */
    uint8_t *witness;  /* [n] it stays at its target */
    uint8_t *level;    /* [largest degree + 2] a level that has its witnesses */
    uint8_t *assigned; /* [n] its target stands */

    uint8_t *shunned; /* [n] it shall not be a witness */
    uint32_t reached; /* so many of order, from the first, were assigned or looked at to be borrowed */

    uint32_t *count;       /* [communities] people of the level at hand; all 0 between uses. NULL without a share */
    uint32_t *lent, lents; /* who is borrowed for the level at hand */
    uint8_t *is_lent;      /* [n] likewise; all 0 between uses */

    ksda_i_packer packer;
    uint32_t *used;          /* [communities] stamp: a witness has it */
    uint32_t stamp;          /* of `used` */
    uint32_t *kind, *chosen; /* [n] scratch */
    uint32_t *wanted;        /* [kinds] all 0 between uses */
    bool limited;            /* trials ended early, at the time limit */
    uint64_t trials;         /* vertices that may still be assigned in trials of other levels */
} ksda_i_disjoint_plan;

/* Closing is fine after a failure. KSDA_INFEASIBLE where no k vertices at all have disjoint sets, proved. */
ksda_status ksda_i_disjoint_plan_open(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                      uint32_t k, ksda_share share, ksda_i_disjoint_plan *out);
void ksda_i_disjoint_plan_close(ksda_i_disjoint_plan *plan);

/* Forget what was found to be out of reach. */
void ksda_i_disjoint_reach(ksda_i_disjoint_plan *plan);
/* The cheapest levels for the vertices from each group on, as far as `reach` says what can be reached. */
ksda_status ksda_i_disjoint_levels(ksda_i_disjoint_plan *plan);
/* Targets and witnesses for the vertices of groups from .. end - 1, and those they borrow, by these levels. *raised: by
 * how much in all; infinite where a level does not get its witnesses, or a vertex not so far up. */
ksda_status ksda_i_disjoint_assign(ksda_i_disjoint_plan *plan, uint32_t from, uint32_t end, double *raised);
/* Change the levels, and who may be a witness, so that degrees are raised less. */
ksda_status ksda_i_disjoint_improve(ksda_i_disjoint_plan *plan, uint32_t from);

/* With a share bound: borrow vertices from group j on until no community has more of the level, which is of degree t
 * and has groups i .. j - 1 and those borrowed already. What they cost, or infinity. take: they get t as their target.
 */
double ksda_i_disjoint_dilute(ksda_i_disjoint_plan *plan, uint32_t i, uint32_t j, uint32_t t, bool take);
/* Is the share kept where just these vertices have a degree? */
bool ksda_i_disjoint_share_holds(ksda_i_disjoint_plan *plan, const uint32_t *vertex, uint32_t count);
/* Are all degrees of what these edits publish within the share? */
ksda_status ksda_i_disjoint_within(ksda_i_disjoint_plan *plan, const ksda_edits *edits, bool *yes);
/* Pieces that every release adds, by pigeonhole: of all published vertices no community may have more than its share.
 */
uint64_t ksda_i_disjoint_splits_needed(ksda_i_disjoint_plan *plan);

/* Find edges that bring everybody from group `from` on to the target, or to a level above it where they are no
 * witnesses. Vertices that cannot get there have their reach lowered, and *complete is false. */
ksda_status ksda_i_disjoint_edges(ksda_i_disjoint_plan *plan, uint32_t from, ksda_edits *edits, bool *complete);

/* Split the vertices before group `from`, in order, into pieces at the fewest levels; *complete is false where no sum
 * of levels is the degree. */
ksda_status ksda_i_disjoint_split(ksda_i_disjoint_plan *plan, uint32_t from, ksda_edits *edits, bool *complete);

/* On small networks: the fewest edges, fewer than `below`, that will do without a split, by trying all sets of them;
 * *out is NULL where none are found. *proved: no fewer will do. */
ksda_status ksda_i_disjoint_all(ksda_i_disjoint_plan *plan, uint64_t below, ksda_edits **out, uint64_t *proved);

/* The method itself. What it finds does not depend on the split weight, only which of it is handed over. */
ksda_status ksda_i_level_plan_disjoint(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                       const ksda_anonymize_options *options, const ksda_i_plan_hooks *hooks,
                                       ksda_edits **out, ksda_anonymize_result *result);

#endif
