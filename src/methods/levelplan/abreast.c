/* Several searches at once.
 *
 * Each has a context of its own, so a count of work of its own, and sees nothing of what the others find: what it does
 * depends neither on their number nor on their order in time. Progress is told by whoever works in the caller's
 * thread. */
#include "methods/levelplan/abreast.h"
#include "core/parallel.h"

typedef struct team {
    ksda_i_plan_run *run;
    ksda_i_abreast_search *search;
    ksda_status (*work)(ksda_i_abreast_search *s);
} team;

ksda_status ksda_i_abreast_offer(void *search, ksda_edits *edits) {
    ksda_i_abreast_search *s = search;
    if (s->ctx == s->run->ctx) return ksda_i_plan_offer(s->run, edits); /* it is the only one */
    ksda_i_pool_release x = ksda_i_pool_describe(s->run->graph->n, edits);
    ksda_i_proof_see(&s->seen, ksda_i_pool_cost(&x, s->run->options->split_weight), x.splits > 0);
    return ksda_i_pool_insert(s->ctx, &s->found, x);
}

static int pass_progress_on(const ksda_progress *news, void *caller) {
    return ksda_i_progress_stage(caller, news->done, news->total) < 0;
}

static void run_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    team *t = data;
    for (uint64_t i = begin; i < end; i++) {
        ksda_i_abreast_search *s = &t->search[i];
        if (t->run->best && ksda_i_time_left(t->run->ctx) <= 0) {
            s->limited = true;
            continue;
        }
        if ((s->status = ksda_i_ctx_child(t->run->ctx, &s->ctx)) < 0) continue;
        if (thread == 0) ksda_ctx_set_progress(s->ctx, pass_progress_on, t->run->ctx);
        ksda_i_work_begin(s->ctx, s->work);
        s->status = t->work(s);
    }
}

/* No more than what is left of the stage's work, in all. */
static void share_work(const ksda_i_plan_run *r, ksda_i_abreast_search *search, uint32_t count) {
    uint64_t done = ksda_i_work_done(r->ctx), left = r->ctx->work_end > done ? r->ctx->work_end - done : 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += search[i].work;
    for (uint32_t i = 0; i < count && sum > left; i++)
        search[i].work = (uint64_t)((double)search[i].work * ((double)left / (double)sum));
}

static ksda_status take_findings(ksda_i_plan_run *r, ksda_i_abreast_search *s) {
    ksda_status status = s->status;
    if (s->limited) r->limited = true;
    if (s->placed) r->placed = true;
    if (!s->ctx) return status < 0 ? ksda_i_error(r->ctx, status, "out of memory") : status;
    if (status < 0) ksda_i_error(r->ctx, status, "%s", ksda_ctx_error(s->ctx)->message);
    for (uint32_t i = 0; i < 2; i++)
        if (s->seen.any[i]) ksda_i_proof_see(&r->proof, s->seen.seen[i], i > 0);
    while (s->found.count) {
        ksda_status offered = ksda_i_plan_offer(r, ksda_i_pool_take(&s->found, s->found.release));
        if (status >= 0) status = offered;
    }
    ksda_i_work(r->ctx, ksda_i_work_done(s->ctx));
    ksda_i_pool_clear(r->ctx, &s->found);
    return status;
}

static ksda_status run_alone(ksda_i_plan_run *r, ksda_i_abreast_search *s,
                             ksda_status (*work)(ksda_i_abreast_search *s)) {
    uint64_t around = ksda_i_work_begin(r->ctx, s->work);
    s->run = r, s->ctx = r->ctx;
    ksda_status status = work(s);
    ksda_i_work_finish(r->ctx, around);
    if (s->limited) r->limited = true;
    if (s->placed) r->placed = true;
    return status;
}

ksda_status ksda_i_abreast_run(ksda_i_plan_run *r, ksda_i_abreast_search *search, uint32_t count,
                               ksda_status (*work)(ksda_i_abreast_search *s)) {
    ksda_status status = KSDA_OK;
    team t = {r, search, work};
    if (count == 1) return run_alone(r, search, work);
    share_work(r, search, count);
    for (uint32_t i = 0; i < count; i++) search[i].run = r;
    ksda_i_parallel(r->ctx, count, 1, run_range, &t);
    for (uint32_t i = 0; i < count; i++) {
        ksda_status found = take_findings(r, &search[i]);
        if (status >= 0) status = found;
        ksda_ctx_free(search[i].ctx);
    }
    return status;
}
