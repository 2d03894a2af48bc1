/* Methods by k on one network. Points are independent, so they run side by side, each on one thread with a context of
 * its own: the numbers are those of a run by itself. Every release is verified; a method that breaks its promise is a
 * bug and stops the sweep. */
#include "report/sweep.h"

#include "core/parallel.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

typedef struct sweep_job {
    ksda_ctx *ctx;
    ksda_i_sweep *sweep;
    const uint32_t *pending; /* points to compute */
    uint32_t count;
    pthread_mutex_t lock;
    uint32_t finished;
    ksda_status status; /* the first that ends the sweep */
    char message[256];
} sweep_job;

static void stop_with(sweep_job *job, ksda_status status, const char *message) {
    pthread_mutex_lock(&job->lock);
    if (job->status >= 0) {
        job->status = status;
        snprintf(job->message, sizeof job->message, "%s", message);
    }
    pthread_mutex_unlock(&job->lock);
}

void ksda_i_point_init(ksda_i_point *point, const ksda_method *method, uint32_t k) {
    *point = (ksda_i_point){.method = method,
                            .k = k,
                            .result = KSDA_INIT(ksda_anonymize_result),
                            .guess = NAN,
                            .surest_guess = NAN,
                            .added_auc = NAN};
    for (int i = 0; i < KSDA_I_ATTACKERS_MOST; i++) point->alone[i] = point->exposed[i] = NAN;
    for (int i = 0; i < KSDA_I_ROWS_MOST; i++) point->measure[i] = point->difference[i] = NAN;
}

/* --- one point ---------------------------------------------------------------------------------------------------- */

static const ksda_share *share_of(const ksda_i_sweep *s, const ksda_i_point *p) {
    return p->max_share.denominator ? &p->max_share : &s->max_share;
}

static ksda_status verify(ksda_ctx *ctx, const ksda_i_sweep *s, const ksda_release *release, ksda_i_point *p) {
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_status status =
        ksda_verify_share(ctx, s->graph, s->communities, release->graph, release->owner, p->k, share_of(s, p), &v);
    if (status < 0) return status;
    p->satisfied = v.satisfied;
    if ((v.valid && v.satisfied) || (p->method->flags & KSDA_METHOD_BASELINE)) return KSDA_OK;
    return ksda_i_error(ctx, KSDA_INTERNAL, "%s, k = %u: the release fails verification: %s", p->method->name, p->k,
                        v.error);
}

static ksda_status attack(ksda_ctx *ctx, const ksda_release *release, ksda_i_point *p) {
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    ksda_status status = ksda_diversity_check(ctx, release->graph, release->communities, p->k, &d);
    p->guess = d.expected_success, p->surest_guess = d.largest_posterior;
    ksda_diversity_clear(ctx, &d);
    return status;
}

static ksda_status attack_more(ksda_ctx *ctx, const ksda_i_sweep *s, const ksda_release *release, ksda_i_point *p) {
    ksda_attack_options options;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    ksda_attack_options_init(&options);
    options.k = p->k;
    ksda_status status =
        ksda_attack_release(ctx, s->graph, s->communities, release->graph, release->owner, &options, &r);
    for (uint32_t i = 0; i < r.attackers; i++)
        if (r.matched[i].measured) p->alone[i] = r.matched[i].alone, p->exposed[i] = r.matched[i].exposed;
    if (r.added_worst.measured) p->added_auc = r.added_worst.value;
    ksda_attack_result_clear(ctx, &r);
    return status;
}

static ksda_status measure(ksda_ctx *ctx, const ksda_i_sweep *s, const ksda_release *release, ksda_i_point *p) {
    ksda_measure_options differences = s->measuring, measures = s->measuring;
    ksda_measures published = KSDA_INIT(ksda_measures);
    ksda_comparison comparison = KSDA_INIT(ksda_comparison);
    ksda_status status;
    differences.measures = 0;
    differences.split_weight = p->result.split_weight;
    measures.k = p->k;
    status = ksda_measure(ctx, release->graph, release->communities, &measures, &published);
    if (status < 0) return status;
    for (uint32_t i = 0; i < ksda_i_measure_count; i++)
        p->measure[i] = published.value[i].measured ? published.value[i].value : NAN;
    ksda_measures_clear(ctx, &published);
    status =
        ksda_compare(ctx, s->graph, s->communities, release->graph, release->owner, p->k, &differences, &comparison);
    if (status < 0) return status;
    for (uint32_t i = 0; i < ksda_i_difference_count; i++)
        p->difference[i] = comparison.difference[i].measured ? comparison.difference[i].value : NAN;
    ksda_comparison_clear(ctx, &comparison);
    return KSDA_OK;
}

static ksda_status compute(ksda_ctx *ctx, const ksda_i_sweep *s, ksda_i_point *p) {
    ksda_anonymize_options options;
    ksda_edits *edits = NULL;
    ksda_release release = KSDA_INIT(ksda_release);
    double start = ksda_i_now();
    ksda_anonymize_options_init(&options);
    options.k = p->k;
    options.max_share = *share_of(s, p);
    options.split_weight = s->split_weight;
    options.no_proof = s->no_proof;
    if (options.max_share.denominator && !(p->method->flags & KSDA_METHOD_SHARES)) {
        p->status = KSDA_UNSUPPORTED;
        snprintf(p->reason, sizeof p->reason, "counts communities and does not know a largest share");
        return KSDA_OK;
    }
    if (s->communities->sets && !(p->method->flags & KSDA_METHOD_OVERLAP)) {
        p->status = KSDA_UNSUPPORTED;
        snprintf(p->reason, sizeof p->reason, "does not know people in several communities");
        return KSDA_OK;
    }
    if (s->time_limit > 0 && s->time_limit < ksda_i_time_left(ctx)) ksda_ctx_set_time_limit(ctx, s->time_limit);
    ksda_status status = ksda_anonymize(ctx, s->graph, s->communities, p->method, &options, &edits, &p->result);
    ksda_ctx_set_time_limit(ctx, 0); /* measuring is not limited */
    p->seconds = ksda_i_now() - start;
    p->status = status;
    if (status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE) {
        snprintf(p->reason, sizeof p->reason, "%s", ksda_ctx_error(ctx)->message);
        status = KSDA_OK;
        goto done;
    }
    if (status < 0) goto done;
    KSDA_I_TRY(ksda_release_make(ctx, edits, s->communities, 1, &release));
    KSDA_I_TRY(verify(ctx, s, &release, p));
    KSDA_I_TRY(attack(ctx, &release, p));
    if (s->attackers) KSDA_I_TRY(attack_more(ctx, s, &release, p));
    if (s->measured) KSDA_I_TRY(measure(ctx, s, &release, p));
done:
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static void finish(sweep_job *job, ksda_i_point *p, unsigned thread) {
    pthread_mutex_lock(&job->lock);
    p->done = 1;
    job->finished++;
    uint32_t finished = job->finished;
    bool whole = p->status != KSDA_LIMIT || ksda_i_time_left(job->ctx) > 0;
    ksda_status told = job->sweep->finished && whole ? job->sweep->finished(p, job->sweep->payload) : KSDA_OK;
    pthread_mutex_unlock(&job->lock);
    if (told < 0) stop_with(job, told, ksda_status_name(told));
    if (thread == 0) ksda_i_progress(job->ctx, "sweeping", finished, job->count);
}

static void sweep_points(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    sweep_job *job = data;
    for (uint64_t i = begin; i < end; i++) {
        ksda_i_point *p = &job->sweep->point[job->pending[i]];
        ksda_ctx *child;
        pthread_mutex_lock(&job->lock);
        bool go = job->status >= 0 && !ksda_i_cancelled(job->ctx);
        pthread_mutex_unlock(&job->lock);
        if (!go) return;
        if (ksda_i_ctx_child(job->ctx, &child) < 0) {
            stop_with(job, KSDA_NOMEM, "out of memory");
            return;
        }
        ksda_status status = compute(child, job->sweep, p);
        if (status < 0)
            stop_with(job, status, ksda_ctx_error(child)->message);
        else
            finish(job, p, thread);
        ksda_ctx_free(child);
    }
}

/* Points by k and then by method: the cheap end first, and a killed sweep leaves whole columns. */
static uint32_t order_points(const ksda_i_sweep *s, uint32_t *pending) {
    uint32_t count = 0, largest = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->point[i].k > largest) largest = s->point[i].k;
    for (uint32_t k = 0; k <= largest; k++)
        for (uint32_t i = 0; i < s->count; i++)
            if (s->point[i].k == k && !s->point[i].done) pending[count++] = i;
    return count;
}

ksda_status ksda_i_sweep_run(ksda_ctx *ctx, ksda_i_sweep *sweep) {
    ksda_status status = KSDA_OK;
    uint32_t *pending = ksda_i_malloc(ctx, sweep->count, sizeof *pending);
    if (!pending) return KSDA_NOMEM;
    sweep_job job = {.ctx = ctx, .sweep = sweep, .pending = pending, .status = KSDA_OK};
    if (sweep->measured)
        KSDA_I_TRY(ksda_measure(ctx, sweep->graph, sweep->communities, &sweep->measuring, &sweep->original));
    job.count = order_points(sweep, pending);
    pthread_mutex_init(&job.lock, NULL);
    ksda_i_parallel(ctx, job.count, 1, sweep_points, &job);
    pthread_mutex_destroy(&job.lock);
    status = ksda_i_interrupted(ctx);
    if (status == KSDA_TIMEOUT && job.finished) status = KSDA_LIMIT;
    if (status >= 0 && job.status < 0 && job.status != KSDA_TIMEOUT)
        status = ksda_i_error(ctx, job.status, "%s", job.message);
done:
    ksda_i_free(ctx, pending);
    return status;
}

uint64_t ksda_i_sweep_fingerprint(const ksda_ctx *ctx, const ksda_i_sweep *s) {
    const ksda_measure_options *m = &s->measuring;
    uint64_t h = ksda_i_mix(ksda_ctx_seed(ctx)), weight, limit;
    memcpy(&weight, &s->split_weight, sizeof weight);
    memcpy(&limit, &s->time_limit, sizeof limit);
    for (const char *p = ksda_version(); *p; p++) h = ksda_i_mix(h ^ (unsigned char)*p);
    for (uint64_t i = 0; i < 2 * s->graph->m; i++) h = ksda_i_mix(h ^ s->graph->adj[i]);
    for (uint32_t v = 0; v < s->graph->n; v++)
        h = ksda_i_mix(h ^ ((uint64_t)s->communities->of[v] << 32 | ksda_i_degree(s->graph, v)));
    for (uint64_t i = 0; s->communities->sets && i < s->communities->sets->start[s->communities->count]; i++)
        h = ksda_i_mix(h ^ s->communities->sets->member[i]);
    h = ksda_i_mix(h ^ weight);
    h = ksda_i_mix(h ^ limit);
    if (s->attackers) h = ksda_i_mix(h ^ ksda_i_attacker_count);
    if (s->max_share.denominator)
        h = ksda_i_mix(h ^ ((uint64_t)s->max_share.numerator << 32 | s->max_share.denominator));
    h = ksda_i_mix(h ^ m->betweenness_samples);
    h = ksda_i_mix(h ^ (s->measured ? m->measures : 0));
    h = ksda_i_mix(h ^ (s->measured ? m->differences : 0));
    return ksda_i_mix(h ^ ((uint64_t)m->samples << 8 | (uint64_t)m->detector << 2 | (uint64_t)(m->exact != 0)));
}
