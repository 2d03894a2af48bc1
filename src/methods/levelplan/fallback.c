/* The split fallback: everybody at a few low levels, most vertices in pieces. It is there for networks on which nothing
 * else finds a release, and always does on those without isolated vertices. */
#include "methods/levelplan/stages.h"

/* Have every community present at every level: where nobody stands there whole, its largest member leaves a piece. */
static void stand_everywhere(const ksda_i_plan_run *r, ksda_i_plan *plan) {
    for (uint32_t c = 0; c < r->communities->count; c++) {
        uint32_t largest = r->rounds.lists.vertex[r->rounds.lists.start[c]];
        if (plan->target[largest] != KSDA_I_SPLIT) continue;
        for (uint32_t i = 0; i < plan->levels; i++) {
            bool there = false;
            for (uint32_t at = r->rounds.lists.start[c]; at < r->rounds.lists.start[c + 1] && !there; at++)
                there = plan->target[r->rounds.lists.vertex[at]] == plan->level[i];
            if (!there) plan->piece[plan->pieces++] = (ksda_i_placing){largest, plan->level[i]};
        }
    }
}

/* Everybody at the levels low .. high: larger ones in pieces, smaller ones raised. With low = high = 1 this is possible
 * on every network without isolated vertices. */
static ksda_status split_to_levels(ksda_i_plan_run *r, uint32_t low, uint32_t high) {
    ksda_i_plan plan = {.levels = high - low + 1};
    ksda_status status = KSDA_NOMEM;
    bool complete;
    plan.target = ksda_i_malloc(r->ctx, r->graph->n, sizeof *plan.target);
    plan.level = ksda_i_malloc(r->ctx, plan.levels, sizeof *plan.level);
    plan.piece = ksda_i_malloc(r->ctx, (uint64_t)plan.levels * r->communities->count, sizeof *plan.piece);
    if (plan.target && plan.level && plan.piece) {
        for (uint32_t i = 0; i < plan.levels; i++) plan.level[i] = high - i;
        for (uint32_t v = 0; v < r->graph->n; v++) {
            uint32_t d = ksda_i_degree(r->graph, v);
            plan.target[v] = d > high ? KSDA_I_SPLIT : d < low ? low : d;
        }
        stand_everywhere(r, &plan);
        status = ksda_i_rounds_attempt(&r->rounds, &plan, r->planned.split_weight, &complete);
        if (status >= 0 && !complete)
            status = ksda_i_rounds_attempt(&r->rounds, &plan, 0x1p-20, &complete); /* pieces without needs */
    }
    ksda_i_plan_clear(r->ctx, &plan);
    return status;
}

/* Splits that the levels up to `high` take at least. */
static double splits_below(const ksda_i_plan_run *r, uint32_t high) {
    double splits = 0;
    for (uint32_t v = 0, d; v < r->graph->n; v++) splits += (d = ksda_i_degree(r->graph, v)) ? (d - 1) / high : 0;
    return splits;
}

ksda_status ksda_i_stage_fallback(ksda_i_plan_run *r) {
    ksda_status status = KSDA_OK, offered;
    uint32_t most = r->graph->m < KSDA_I_FALLBACK_EDGES ? KSDA_I_FALLBACK_LEVELS : 1;
    r->fallback = true;
    ksda_i_rounds_again(&r->rounds, ksda_i_plan_with(r, r->weight[0]));
    for (uint32_t low = 1; low <= most; low++)
        for (uint32_t high = low; high <= most; high++) {
            if (r->rounds.found && ksda_i_plan_late_now(r)) goto done;
            if (r->rounds.found && r->planned.split_weight * splits_below(r, high) >= r->rounds.cost) continue;
            KSDA_I_TRY(ksda_i_progress_stage(r->ctx, low, most));
            KSDA_I_TRY(split_to_levels(r, low, high));
        }
done:
    offered = ksda_i_plan_offer_rounds(r);
    return status < 0 ? status : offered;
}
