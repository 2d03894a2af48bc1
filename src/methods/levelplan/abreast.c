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

static void run_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    team *t = data;
    for (uint64_t i = begin; i < end; i++) {
        ksda_i_abreast_search *s = &t->search[i];
        if (t->run->best && !s->late && ksda_i_time_left(t->run->ctx) <= 0) {
            s->limited = true;
            continue;
        }
        if ((s->status = ksda_i_ctx_child(t->run->ctx, &s->ctx)) < 0) continue;
        if (thread == 0) ksda_i_ctx_speak_for_parent(s->ctx);
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

/* What a search without a context lacks is memory. */
static void tell_failure(const ksda_i_plan_run *r, const ksda_i_abreast_search *s, ksda_status status) {
    ksda_i_error(r->ctx, status, "%s", s->ctx ? ksda_ctx_error(s->ctx)->message : "out of memory");
}

static ksda_status take_findings(ksda_i_plan_run *r, ksda_i_abreast_search *s) {
    ksda_status status = s->status;
    if (s->limited) r->limited = true;
    if (s->placed) r->placed = true;
    if (status < 0) tell_failure(r, s, status);
    if (!s->ctx) return status;
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

/* --- searches in a row -------------------------------------------------------------------------------------------- */

/* The two that may be under way have the places of even and odd numbers. */
typedef struct row_state {
    ksda_i_plan_run *run;
    const ksda_i_abreast_row *row;
    pthread_mutex_t lock;
    pthread_cond_t ended_one;
    ksda_i_abreast_search search[2];
    bool ended[2];
    uint32_t begun, taken; /* numbers of searches */
    bool over;             /* no further one begins */
    ksda_status status;
} row_state;

/* Offer what search number `taken` has found; it has ended. */
static void take_next(row_state *x) {
    ksda_i_abreast_search *s = &x->search[x->taken++ % 2];
    ksda_status status = take_findings(x->run, s);
    if (x->status >= 0) x->status = status;
    x->row->taken(x->row->payload, s);
    ksda_ctx_free(s->ctx);
}

/* No more work than is left when the search before it has done all that it may. */
static void limit_work(const row_state *x, ksda_i_abreast_search *s) {
    const ksda_i_plan_run *r = x->run;
    uint64_t done = ksda_i_work_done(r->ctx), left = r->ctx->work_end > done ? r->ctx->work_end - done : 0;
    if (x->taken < x->begun) left -= left < x->search[x->taken % 2].work ? left : x->search[x->taken % 2].work;
    if (s->work > left) s->work = left;
}

/* The next search, when the one before the last has ended; NULL: there is none. The lock is held. */
static ksda_i_abreast_search *begin_next(row_state *x, unsigned thread) {
    ksda_i_abreast_search *s;
    bool any = false;
    for (;;) { /* others may begin searches meanwhile */
        if (x->over) return NULL;
        if (x->begun < x->taken + 2) break;
        if (!x->ended[x->taken % 2]) {
            pthread_cond_wait(&x->ended_one, &x->lock);
        } else if (x->search[x->taken % 2].status < 0) {
            x->over = true;
        } else {
            take_next(x);
        }
    }
    s = &x->search[x->begun % 2];
    *s = (ksda_i_abreast_search){.run = x->run};
    if (x->status >= 0 && !(x->run->best && ksda_i_plan_late_now(x->run))) {
        x->status = ksda_i_ctx_child(x->run->ctx, &s->ctx);
        if (x->status >= 0) x->status = x->row->next(x->row->payload, s, &any);
        if (x->status < 0) tell_failure(x->run, s, x->status);
        if (!any) ksda_ctx_free(s->ctx);
    }
    x->over = !any;
    if (!any) return NULL;
    limit_work(x, s);
    ksda_i_work_begin(s->ctx, s->work);
    if (thread == 0) ksda_i_ctx_speak_for_parent(s->ctx);
    x->ended[x->begun++ % 2] = false;
    return s;
}

static void run_in_row(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    row_state *x = data;
    (void)begin, (void)end;
    pthread_mutex_lock(&x->lock);
    for (ksda_i_abreast_search *s; (s = begin_next(x, thread)) != NULL;) {
        pthread_mutex_unlock(&x->lock);
        ksda_status status = x->row->work(s);
        pthread_mutex_lock(&x->lock);
        s->status = status;
        x->ended[s - x->search] = true;
        pthread_cond_signal(&x->ended_one);
    }
    pthread_cond_signal(&x->ended_one); /* the other one need not wait */
    pthread_mutex_unlock(&x->lock);
}

ksda_status ksda_i_abreast_run_row(ksda_i_plan_run *r, const ksda_i_abreast_row *row) {
    row_state x = {.run = r, .row = row, .lock = PTHREAD_MUTEX_INITIALIZER, .ended_one = PTHREAD_COND_INITIALIZER};
    ksda_i_parallel(r->ctx, 2, 1, run_in_row, &x);
    while (x.taken < x.begun) take_next(&x);
    pthread_mutex_destroy(&x.lock);
    pthread_cond_destroy(&x.ended_one);
    return x.status;
}

/* --- searches at once --------------------------------------------------------------------------------------------- */

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
