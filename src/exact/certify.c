/* A certificate for a heuristic release that splits nobody: how few edges any such release adds, within seconds.
 *
 * The same bound as at the beginning of the exact method (joint.c), with a small table and few rounds. The work is
 * bounded by rounds and cells, not by time, so the certificate does not depend on the machine. */
#include "exact/exact.h"
#include "exact/joint.h"

#include <math.h>

#define CELLS (UINT64_C(1) << 21)
#define ROUNDS 80u
#define MOST_VERTICES 20000u /* beyond, and with many communities, the table would be too large */
#define MOST_COMMUNITIES 32u

ksda_status ksda_i_exact_certify(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 uint32_t k, double cost, double enough, double *bound) {
    ksda_i_levels l = {.ctx = ctx};
    ksda_i_joint_options o = {.cells = CELLS, .rounds = ROUNDS, .enough = enough};
    double cutoff = cost - 1;
    bool fits, whole;
    ksda_status status;
    if (!ksda_i_lp_available() || graph->n > MOST_VERTICES || communities->count > MOST_COMMUNITIES) return KSDA_OK;
    KSDA_I_TRY(ksda_i_levels_make(ctx, graph, communities, k, &l));
    KSDA_I_TRY(ksda_i_levels_floor(&l, &o.floor));
    status = ksda_i_joint_bound(&l, &o, &cutoff, bound, &fits, &whole);
done:
    ksda_i_levels_clear(&l);
    return status;
}
