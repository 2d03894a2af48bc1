/* The linear program of the relaxation (level_model.c), and the rows that its solution breaks (level_cuts.c). */
#include "exact/level_model.h"

#include <math.h>

#define SLACK 1e-4 /* what a bound may lose to rounding before it is rounded up */

double ksda_i_level_round_up(double bound) {
    return ceil(bound - SLACK);
}

double ksda_i_level_proved(const ksda_i_level_model *m, double bound) {
    return ksda_i_level_is_whole(m) ? ksda_i_level_round_up(bound) : bound - SLACK;
}

void ksda_i_level_shares(const ksda_i_levels *l, int64_t floor, uint32_t below, int64_t *share) {
    for (uint32_t c = 0; c < l->count; c++) {
        uint32_t i = l->start[c];
        while (i < l->start[c + 1] && (int64_t)l->degree[i] > floor) i++;
        share[c] = i + below < l->start[c + 1] ? (int64_t)l->degree[i + below] : -1;
        if (share[c] > floor) share[c] = floor;
        if (share[c] == floor) share[c] = floor - 1 < -1 ? -1 : floor - 1; /* the pool must be able to take */
    }
}

ksda_status ksda_i_level_root(ksda_i_level_model *m, ksda_i_lp *lp, bool order, double cost, uint32_t rounds,
                              double enough, double *bound, ksda_i_lp_answer *a) {
    ksda_ctx *ctx = m->l->ctx;
    double last = -INFINITY;
    uint32_t stalled = 0;
    ksda_status status;
    for (uint32_t round = 0;; round++) {
        KSDA_I_TRY(ksda_i_lp_solve(lp, INFINITY, a));
        if (a->verdict == KSDA_I_NONE) *bound = fmax(*bound, m->cutoff + 1);
        if (a->verdict != KSDA_I_CHEAPEST) break;
        *bound = fmax(*bound, fmin(ksda_i_level_proved(m, a->bound), m->cutoff + 1));
        KSDA_I_TRY(ksda_i_progress_solver(ctx, "bounding", cost, *bound));
        stalled = a->bound < last + 1e-4 * (10 + fabs(last)) ? stalled + 1 : 0; /* false for the first, infinite one */
        last = fmax(last, a->bound);
        if (*bound >= enough || round == rounds || stalled == 3 || ksda_i_work_over(ctx)) break;
        uint32_t cuts = ksda_i_level_cuts(m, a->x, order);
        status = m->model.status;
        if (status != KSDA_OK || cuts == 0) goto done;
    }
done:
    return status;
}
