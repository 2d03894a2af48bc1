/* A certificate for a heuristic release: what any release costs with as many splits as given, within seconds.
 *
 * The same bound as at the beginning of the exact method (colgen.c), with a small table and few rounds. The work is
 * bounded by rounds and cells, not by time, so the certificate does not depend on the machine; unless the caller has
 * given it longer, which is until the time limit. */
#include "bound/colgen.h"

#define CELLS (UINT64_C(1) << 20)
#define PAIRS 2500u
#define MOST_VERTICES 20000u /* beyond, and with many communities, the table would be too large */
#define MOST_COMMUNITIES 32u

/* The bound with the smallest table that holds everybody above the floor; where none does, from a higher floor, which
 * leaves more out. */
static ksda_status bound_that_fits(const ksda_i_levels *l, ksda_i_colgen_options *o, uint64_t most, double *cutoff,
                                   double *bound) {
    ksda_status status = KSDA_OK;
    bool fits = false, complete;
    uint64_t least = o->cells;
    while (!fits && status == KSDA_OK && o->floor < (int64_t)l->top) {
        status = ksda_i_colgen_bound(l, o, cutoff, bound, &fits, &complete);
        if (o->cells < most)
            o->cells *= 2;
        else
            o->floor += 1 + o->floor / 8, o->cells = least;
    }
    return status;
}

bool ksda_i_colgen_certifies(const ksda_i_ranks *lists) {
    return ksda_i_solver_default() && lists->n <= MOST_VERTICES && lists->communities <= MOST_COMMUNITIES;
}

ksda_status ksda_i_colgen_certify(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k,
                                  const ksda_i_colgen_splits *splits, double cost, double enough, bool longer,
                                  double *bound, double *fractional_splits) {
    ksda_i_levels l = {.ctx = ctx};
    bool some = splits->weight > 0; /* a round then takes longer, because more plans are cheap enough */
    ksda_i_colgen_options o = {.solver = ksda_i_solver_default(),
                               .cells = longer ? 8 * CELLS : CELLS,
                               .pairs = PAIRS,
                               .rounds = some ? 40 : 80,
                               .enough = enough};
    double cutoff = ksda_i_colgen_cost_below(splits, cost);
    ksda_status status;
    if (!ksda_i_colgen_certifies(lists)) return KSDA_OK;
    KSDA_I_TRY(ksda_i_levels_from(ctx, lists, k, &l));
    KSDA_I_TRY(ksda_i_levels_floor(&l, &o.floor));
    if (longer) o.rounds *= 10, o.cases = UINT32_MAX;
    if (some) {
        ksda_i_levels_loosen(&l, splits->most);
        o.splits = *splits, o.fractional_splits = fractional_splits;
    }
    status = bound_that_fits(&l, &o, 2 * o.cells, &cutoff, bound);
done:
    ksda_i_levels_clear(&l);
    return status;
}
