/* The level program (exact/level_bound.c), beside the other bounds.
 *
 * It has one linear program at a time, and so has column generation: other threads would wait for them. What the level
 * program knows when it begins is what was known before the other bounds, and what it has proved counts only where
 * these have not proved enough: so everything is the same for every number of threads. */
#include "methods/levelplan/stages.h"

#include <math.h>

/* Have all releases found more splits than every release is known to have? */
bool ksda_i_stage_splits_are_unproved(const ksda_i_plan_run *r) {
    return r->hooks->edges && r->pool.count > 0 && r->pool.release[0].splits > r->proof.needed &&
           r->pool.release[0].splits <= KSDA_I_SPLITS_MOST && r->graph->n <= KSDA_I_PROGRAM_VERTICES;
}

uint64_t ksda_i_stage_splits_budget(const ksda_i_plan_run *r) {
    return r->proof_work / 10 * KSDA_I_SPLITS_TENTHS;
}

ksda_status ksda_i_stage_splits_program(ksda_i_plan_run *r) {
    uint32_t needed;
    ksda_status status = ksda_i_splits_needed(r->ctx, &r->rounds.lists, r->options->k, &needed);
    if (status < 0) return status;
    if (needed > r->proof.needed) r->proof.needed = needed;
    return ksda_i_splits_program(r->ctx, &r->rounds.lists, r->options->k, r->pool.release[0].splits, &r->proof.needed);
}

/* Would more about releases without splits say more about all, and enough to be worth a linear program? */
bool ksda_i_stage_edges_are_unproved(const ksda_i_plan_run *r) {
    return r->hooks->edges && r->options->max_share.denominator == 0 && r->graph->n <= KSDA_I_PROGRAM_VERTICES &&
           r->proof.unsplit < r->proof.split && ksda_i_plan_proved(r) < KSDA_I_PROGRAM_NEAR * r->cost;
}

/* Is there a program for releases with splits? */
bool ksda_i_stage_has_level_splits(const ksda_i_plan_run *r) {
    return r->hooks->splits && r->options->max_share.denominator == 0 && r->graph->n <= KSDA_I_PROGRAM_VERTICES;
}

bool ksda_i_stage_splits_are_next(const ksda_i_plan_run *r) {
    return ksda_i_stage_has_level_splits(r) && r->proof.split < r->proof.unsplit &&
           ksda_i_plan_proved(r) < KSDA_I_PROGRAM_NEAR * r->cost;
}

uint64_t ksda_i_stage_level_splits_budget(const ksda_i_plan_run *r) {
    return r->proof_work / 10 * KSDA_I_LEVEL_SPLITS_TENTHS;
}

ksda_status ksda_i_stage_level_splits(ksda_i_plan_run *r) {
    return ksda_i_proof_by_levels(r->ctx, &r->rounds.lists, r->options->k, r->options->split_weight, r->cost,
                                  ksda_i_plan_splits(r), r->hooks->splits, &r->proof);
}

static void solve_program(void *data) {
    ksda_i_level_program *p = data;
    const ksda_i_plan_run *r = p->run;
    p->status = r->hooks->edges(p->ctx, &r->rounds.lists, r->options->k, p->cost, p->enough, &p->bound);
}

void ksda_i_level_program_begin(ksda_i_plan_run *r) {
    ksda_i_level_program *p = &r->program;
    double enough = ksda_i_proof_enough(&r->proof, r->options->split_weight, r->cost);
    uint64_t work = r->proof_work / 10 * KSDA_I_PROGRAM_TENTHS;
    *p = (ksda_i_level_program){.run = r, .cost = r->cost, .enough = fmin(r->proof.split, enough)};
    p->bound = r->proof.unsplit;
    if ((p->status = ksda_i_ctx_child(r->ctx, &p->ctx)) < 0) return;
    ksda_i_work_begin(p->ctx, work < KSDA_I_PROOF_MOST ? work : KSDA_I_PROOF_MOST);
    ksda_i_beside_begin(r->ctx, solve_program, p, &p->beside);
}

void ksda_i_level_program_drop(ksda_i_plan_run *r) {
    ksda_i_level_program *p = &r->program;
    if (p->ctx) ksda_ctx_cancel(p->ctx);
    ksda_i_beside_finish(r->ctx, &p->beside, false);
    ksda_ctx_free(p->ctx);
    *p = (ksda_i_level_program){.ctx = NULL};
}

ksda_status ksda_i_stage_level_program(ksda_i_plan_run *r) {
    ksda_i_level_program *p = &r->program;
    if (!p->run) ksda_i_level_program_begin(r);
    if (p->ctx && !p->beside.begun) ksda_i_ctx_speak_for_parent(p->ctx);
    ksda_i_beside_finish(r->ctx, &p->beside, true);
    ksda_status status = p->status;
    r->proof.unsplit = fmax(r->proof.unsplit, p->bound);
    if (status < 0) ksda_i_error(r->ctx, status, "%s", p->ctx ? ksda_ctx_error(p->ctx)->message : "out of memory");
    if (p->ctx) ksda_i_work(r->ctx, ksda_i_work_done(p->ctx));
    if (status >= 0 && ksda_i_plan_proved(r) < r->cost) ksda_i_plan_late_now(r); /* more time would prove more */
    return status < 0 ? status : KSDA_OK;
}
