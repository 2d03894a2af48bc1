/* What stages of level-plan ask and tell. */
#include "methods/levelplan/stages.h"

bool ksda_i_plan_late_now(ksda_i_plan_run *r) {
    if (ksda_i_time_left(r->ctx) <= 0) r->limited = true;
    return r->limited;
}

uint32_t ksda_i_plan_splits(const ksda_i_plan_run *r) {
    return ksda_edits_pieces(r->best) - r->graph->n;
}

double ksda_i_plan_proved(const ksda_i_plan_run *r) {
    return ksda_i_proof_least(&r->proof, r->cost);
}

uint64_t ksda_i_plan_work(const ksda_i_plan_run *r, uint64_t small) {
    uint64_t size = r->graph->n + r->graph->m;
    return size > KSDA_I_SMALL_SIZE ? small / KSDA_I_SMALL_SIZE * size : small;
}

double ksda_i_plan_see(ksda_i_plan_run *r, const ksda_edits *edits) {
    uint32_t splits = ksda_edits_pieces(edits) - r->graph->n;
    double cost = (double)ksda_edits_added(edits, NULL) + r->options->split_weight * splits;
    ksda_i_proof_see(&r->proof, cost, splits > 0);
    return cost;
}

void ksda_i_plan_runner_up(ksda_i_plan_run *r, ksda_edits *edits) {
    if (edits) ksda_i_plan_see(r, edits);
    if (edits && r->hooks->runner_up)
        r->hooks->runner_up(r->hooks->payload, edits);
    else
        ksda_edits_free(r->ctx, edits);
}

void ksda_i_plan_offer(ksda_i_plan_run *r, ksda_edits *edits) {
    double cost = ksda_i_plan_see(r, edits);
    if (r->best && cost >= r->cost) {
        ksda_i_plan_runner_up(r, edits);
        return;
    }
    ksda_i_plan_runner_up(r, r->best);
    r->best = edits, r->cost = cost;
}

ksda_status ksda_i_plan_offer_rounds(ksda_i_plan_run *r) {
    ksda_edits *edits = NULL;
    if (r->rounds.limited) r->limited = true;
    if (!r->rounds.found) return KSDA_OK;
    ksda_status status = ksda_i_plan_join(r->ctx, &r->rounds.pieces, &r->rounds.made, &edits);
    if (status >= 0) ksda_i_plan_offer(r, edits);
    return status;
}
