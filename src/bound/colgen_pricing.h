/* colgen_pricing.h: questions about plans of all communities: who takes part, and the cheapest plan at multipliers of
 * the program. Between colgen.c and colgen_pricing.c only. */
#ifndef KSDA_I_COLGEN_PRICING_H
#define KSDA_I_COLGEN_PRICING_H

#include "bound/colgen_master.h"

/* A question at some multipliers; two are asked at a time. */
typedef struct ksda_i_colgen_oracle {
    ksda_i_colgen_pricing_problem question;
    ksda_i_colgen_list *list; /* [lists] with prices of its own */
    double *price;            /* of units and needs */
    ksda_i_colgen_plan plan;
    uint32_t *anchor; /* [anchor's members] their needs in the plan */
    const double *y;
    double unit;  /* whole numbers in one edge, a power of two */
    bool found;   /* there is a plan, and it is the cheapest */
    double bound; /* what every release of the node costs at least; -INFINITY: not known */
    ksda_status status;
} ksda_i_colgen_oracle;

typedef struct ksda_i_colgen {
    ksda_ctx *ctx;
    const ksda_i_levels *l;
    uint32_t levels, lists;
    uint32_t *level;            /* [levels] */
    ksda_i_colgen_members *who; /* [lists] */
    ksda_i_colgen_list *list;   /* [lists] the same lists, for the question */
    uint32_t anchor_community, anchor_size;
    ksda_i_colgen_master program;
    ksda_i_colgen_oracle oracle[2];
    double *cutoff;
    double proved; /* in all cases; -INFINITY before there are any */
    double known;  /* on the same solutions, when it began */
    const ksda_i_colgen_options *options;
} ksda_i_colgen;

/* Find the levels and communities; ctx, l, cutoff and options are set. *fits and *complete as in ksda_i_colgen_bound().
 */
ksda_status ksda_i_colgen_open(ksda_i_colgen *j, bool *fits, bool *complete);
void ksda_i_colgen_close(ksda_i_colgen *j);

/* Ask at one or two sets of multipliers [rows], which are repaired, where levels are open and used as decided. What
 * came of it is in j->oracle: status, and a bound; and a plan, where one was found. Plans marked as compatible in the
 * program are known to be possible. */
void ksda_i_colgen_solve_pricing(ksda_i_colgen *j, double *const *y, uint32_t count, const int8_t *open,
                                 const int8_t *uses);

/* The plan that was found joins the mixture; *fresh when it was not there. */
ksda_status ksda_i_colgen_add_plan(ksda_i_colgen *j, ksda_i_colgen_oracle *a, bool *fresh);

#endif
