/* Distances: ASPL, effective diameter, diameter and mean closeness, in one pass of bit-parallel searches.
 *
 * Over the connected pairs of distinct vertices: ASPL is the mean distance; the effective diameter the distance within which
 * 90 % of them lie, linear between whole distances; the diameter the largest. Closeness of v is 1 / (mean distance to the vertices it
 * reaches), as normalized closeness elsewhere; its mean is over the vertices that reach another. NaN where there is no such pair.
 *
 * Exact: a search from every vertex, 512 at a time; distances are symmetric, so a vertex's farness is gathered where the searches
 * arrive. All sums are whole numbers: any thread may add them in any order. O(n m / 512) word operations a level.
 *
 * Sampled: sources drawn without replacement. The number of vertices each source reaches is known from its component, so ASPL is a ratio
 * estimate (sum of distances / sum of reached) with the finite population correction; the interval of the effective diameter is
 * Woodruff's: that of the distribution function, read backwards. The diameter is then only a lower bound. */
#include "core/parallel.h"
#include "measure/measure.h"
#include "measure/msbfs.h"
#include "measure/statistics.h"

enum { STAGE_DISTANCES = 0x64697374, STANDARD_SAMPLES = 4096 };

/* What a search from 512 sampled sources found. */
typedef struct batch {
    uint32_t levels;
    uint32_t *by_source; /* [levels * 512] */
} batch;

typedef struct job {
    ksda_ctx *ctx;
    ksda_i_ordered g;
    uint32_t sources, *source; /* source: NULL when every vertex is one */
    ksda_i_msbfs **search;     /* [threads] */
    uint64_t **farness;        /* [threads][n]; NULL when sampled */
    uint64_t **pairs;          /* [threads][levels] */
    uint64_t *capacity;        /* [threads] of pairs */
    uint32_t *levels;          /* [threads] */
    batch *batches;            /* NULL when exact */
    atomic_uint_fast64_t done;
    atomic_int status;
} job;

static void job_clear(job *j) {
    ksda_ctx *ctx = j->ctx;
    for (unsigned t = 0; t < ksda_ctx_threads(ctx); t++) {
        if (j->search) ksda_i_msbfs_free(ctx, j->search[t]);
        if (j->farness) ksda_i_free(ctx, j->farness[t]);
        if (j->pairs) ksda_i_free(ctx, j->pairs[t]);
    }
    for (uint32_t b = 0; j->batches && b < (j->sources + KSDA_I_LANES - 1) / KSDA_I_LANES; b++)
        ksda_i_free(ctx, j->batches[b].by_source);
    ksda_i_free(ctx, j->search);
    ksda_i_free(ctx, j->farness);
    ksda_i_free(ctx, j->pairs);
    ksda_i_free(ctx, j->capacity);
    ksda_i_free(ctx, j->levels);
    ksda_i_free(ctx, j->batches);
    ksda_i_free(ctx, j->source);
    ksda_i_ordered_clear(ctx, &j->g);
}

static ksda_status job_threads(job *j, bool exact) {
    ksda_ctx *ctx = j->ctx;
    unsigned threads = ksda_ctx_threads(ctx);
    j->search = ksda_i_calloc(ctx, threads, sizeof *j->search);
    j->farness = ksda_i_calloc(ctx, threads, sizeof *j->farness);
    j->pairs = ksda_i_calloc(ctx, threads, sizeof *j->pairs);
    j->capacity = ksda_i_calloc(ctx, threads, sizeof *j->capacity);
    j->levels = ksda_i_calloc(ctx, threads, sizeof *j->levels);
    if (!j->search || !j->farness || !j->pairs || !j->capacity || !j->levels) return KSDA_NOMEM;
    for (unsigned t = 0; t < threads; t++) {
        ksda_status status = ksda_i_msbfs_new(ctx, &j->g, &j->search[t]);
        if (status < 0) return status;
        if (exact && !(j->farness[t] = ksda_i_calloc(ctx, j->g.n, sizeof **j->farness))) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

/* samples 0: every vertex is a source. */
static ksda_status job_new(ksda_ctx *ctx, const ksda_graph *g, uint32_t samples, job *j) {
    *j = (job){.ctx = ctx, .sources = samples ? samples : g->n};
    atomic_init(&j->done, 0);
    atomic_init(&j->status, KSDA_OK);
    ksda_status status = ksda_i_ordered_new(ctx, g, &j->g);
    if (status >= 0 && samples) {
        j->source = ksda_i_malloc(ctx, samples, sizeof *j->source);
        j->batches = ksda_i_calloc(ctx, (samples + KSDA_I_LANES - 1) / KSDA_I_LANES, sizeof *j->batches);
        if (!j->source || !j->batches) return KSDA_NOMEM;
        ksda_i_rng r = ksda_i_rng_stream(ctx->seed, STAGE_DISTANCES, 0);
        ksda_i_sample(&r, g->n, samples, j->source);
    }
    return status < 0 ? status : job_threads(j, samples == 0);
}

/* --- searching --------------------------------------------------------------------------------------------------- */

static ksda_status add_pairs(job *j, unsigned t, uint32_t levels, const uint64_t *pairs) {
    ksda_status status = ksda_i_reserve(j->ctx, &j->pairs[t], &j->capacity[t], levels, sizeof **j->pairs);
    if (status < 0) return status;
    for (; j->levels[t] < levels; j->levels[t]++) j->pairs[t][j->levels[t]] = 0;
    for (uint32_t d = 0; d < levels; d++) j->pairs[t][d] += pairs[d];
    return KSDA_OK;
}

static ksda_status keep_batch(job *j, uint32_t b, uint32_t levels, const uint32_t *by_source) {
    uint32_t *copy = ksda_i_malloc(j->ctx, (uint64_t)levels * KSDA_I_LANES, sizeof *copy);
    if (!copy) return KSDA_NOMEM;
    memcpy(copy, by_source, (size_t)levels * KSDA_I_LANES * sizeof *copy);
    j->batches[b] = (batch){levels, copy};
    return KSDA_OK;
}

static ksda_status search_range(job *j, uint32_t begin, uint32_t count, unsigned t) {
    uint32_t every[KSDA_I_LANES], levels;
    const uint64_t *pairs;
    const uint32_t *by_source, *source = j->source ? j->source + begin : every;
    for (uint32_t i = 0; i < count; i++) every[i] = begin + i;
    ksda_status status = ksda_i_msbfs_run(j->search[t], source, count, j->farness[t], &levels, &pairs,
                                          j->source ? &by_source : NULL);
    if (status >= 0 && j->source) status = keep_batch(j, begin / KSDA_I_LANES, levels, by_source);
    if (status >= 0) status = add_pairs(j, t, levels, pairs);
    return status;
}

static void search(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    job *j = data;
    if (atomic_load(&j->status) < 0 || ksda_i_cancelled(j->ctx)) return;
    ksda_status status = search_range(j, (uint32_t)begin, (uint32_t)(end - begin), thread);
    if (status < 0) atomic_store(&j->status, status);
    uint64_t done = atomic_fetch_add(&j->done, end - begin) + end - begin;
    if (thread == 0) ksda_i_progress(j->ctx, "distances", done, j->sources);
}

/* Search from all sources; the sums of all threads end up with thread 0. */
static ksda_status job_run(job *j) {
    ksda_status status = KSDA_OK;
    ksda_i_parallel(j->ctx, j->sources, KSDA_I_LANES, search, j);
    KSDA_I_TRY(ksda_i_interrupted(j->ctx));
    KSDA_I_TRY((ksda_status)atomic_load(&j->status));
    for (unsigned t = 1; t < ksda_ctx_threads(j->ctx); t++) {
        if (j->levels[t]) KSDA_I_TRY(add_pairs(j, 0, j->levels[t], j->pairs[t]));
        for (uint32_t v = 0; j->farness[0] && v < j->g.n; v++) j->farness[0][v] += j->farness[t][v];
    }
done:
    return status;
}

static uint32_t reach(const job *j, uint32_t v) {
    uint32_t c = j->g.of[v];
    return j->g.start[c + 1] - j->g.start[c] - 1;
}

/* --- exact ------------------------------------------------------------------------------------------------------- */

/* The x with F(x) = share, where F counts pairs[1] .. pairs[levels - 1] and is linear between whole numbers. */
static double quantile(const double *pairs, uint32_t levels, double all, double share) {
    double below = 0;
    for (uint32_t d = 1; d < levels; d++) {
        if (below + pairs[d] >= share * all && pairs[d] > 0) return d - 1 + fmax(0, share * all - below) / pairs[d];
        below += pairs[d];
    }
    return levels > 0 ? levels - 1.0 : 0;
}

static void set_exact(ksda_i_measuring *m, const job *j) {
    const ksda_histogram *h = &m->out->distances;
    ksda_value *value = m->out->value;
    double all = 0, sum = 0, closeness = 0, members = 0;
    for (uint32_t d = 1; d < h->size; d++) all += h->count[d], sum += d * h->count[d];
    for (uint32_t v = 0; v < j->g.n; v++)
        if (reach(j, v) > 0) closeness += (double)reach(j, v) / (double)j->farness[0][v], members++;
    ksda_i_set_exact(&value[KSDA_MEASURE_ASPL], all > 0 ? sum / all : NAN);
    ksda_i_set_exact(&value[KSDA_MEASURE_EFFECTIVE_DIAMETER], all > 0 ? quantile(h->count, h->size, all, 0.9) : NAN);
    ksda_i_set_exact(&value[KSDA_MEASURE_DIAMETER], all > 0 ? h->size - 1.0 : NAN);
    ksda_i_set_exact(&value[KSDA_MEASURE_CLOSENESS], members > 0 ? closeness / members : NAN);
}

/* --- sampled ----------------------------------------------------------------------------------------------------- */

/* A ratio estimate, sum y / sum x over the sources; y and x are gathered in two runs: first the ratio, then the spread. */
typedef struct ratio {
    double y, x, squares;
} ratio;

/* Half of the 95 % interval of y / x, from squares = sum of (y - ratio x)^2; 0 when all vertices were sources. */
static double half_width(const ratio *r, uint32_t samples, uint32_t n) {
    if (samples < 2 || r->x <= 0) return INFINITY;
    double k = samples, spread = sqrt(r->squares / (k - 1) / k * (1 - k / n));
    return ksda_i_t_quantile(0.975, k > 4 ? k - 1 : 3) * spread / (r->x / k);
}

/* The sum of f over the distances of the i-th source, f given by weights of distances. */
static double over_source(const job *j, uint32_t i, const double *weight) {
    const batch *b = &j->batches[i / KSDA_I_LANES];
    double sum = 0;
    for (uint32_t d = 1; d < b->levels; d++) sum += weight[d] * b->by_source[(uint64_t)d * KSDA_I_LANES + i % KSDA_I_LANES];
    return sum;
}

static ratio distance_ratio(const job *j, const double *weight, double share) {
    ratio r = {0, 0, 0};
    for (uint32_t i = 0; i < j->sources; i++) {
        r.y += over_source(j, i, weight);
        r.x += reach(j, j->source[i]);
    }
    if (share < 0) share = r.x > 0 ? r.y / r.x : 0;
    for (uint32_t i = 0; i < j->sources; i++) {
        double e = over_source(j, i, weight) - share * reach(j, j->source[i]);
        r.squares += e * e;
    }
    return r;
}

static ratio closeness_ratio(const job *j, const double *distance) {
    ratio r = {0, 0, 0};
    for (int second = 0; second < 2; second++) {
        for (uint32_t i = 0; i < j->sources; i++) {
            double reached = reach(j, j->source[i]);
            if (reached == 0) continue;
            double c = reached / over_source(j, i, distance), e = second ? c - r.y / r.x : 0;
            if (!second) r.y += c, r.x += 1;
            r.squares += e * e;
        }
    }
    return r;
}

static void set_ratio(ksda_value *v, const ratio *r, uint32_t samples, uint32_t n, double low, double high) {
    double value = r->y / r->x, half = half_width(r, samples, n);
    if (r->x > 0) ksda_i_set_sampled(v, value, fmax(low, value - half), fmin(high, value + half));
    else ksda_i_set_sampled(v, NAN, NAN, NAN);
}

static void set_effective_diameter(ksda_i_measuring *m, const job *j, double *weight) {
    const ksda_histogram *h = &m->out->distances;
    double all = 0;
    for (uint32_t d = 1; d < h->size; d++) all += h->count[d];
    double q = quantile(h->count, h->size, all, 0.9);
    for (uint32_t d = 1; d < h->size; d++) weight[d] = fmin(1, fmax(0, q - (d - 1.0)));
    ratio r = distance_ratio(j, weight, 0.9);
    double half = half_width(&r, j->sources, j->g.n);
    ksda_i_set_sampled(&m->out->value[KSDA_MEASURE_EFFECTIVE_DIAMETER], q,
                       quantile(h->count, h->size, all, fmax(0, 0.9 - half)),
                       half < 0.1 ? quantile(h->count, h->size, all, 0.9 + half) : INFINITY);
}

static ksda_status set_sampled(ksda_i_measuring *m, const job *j) {
    const ksda_histogram *h = &m->out->distances;
    ksda_value *value = m->out->value;
    uint32_t k = j->sources, n = j->g.n;
    double *weight = ksda_i_malloc(m->ctx, (uint64_t)h->size + 1, sizeof *weight);
    if (!weight) return KSDA_NOMEM;
    m->out->samples = k;
    for (uint32_t d = 0; d < h->size; d++) weight[d] = d;
    ratio aspl = distance_ratio(j, weight, -1), closeness = closeness_ratio(j, weight);
    set_ratio(&value[KSDA_MEASURE_ASPL], &aspl, k, n, 1, INFINITY);
    set_ratio(&value[KSDA_MEASURE_CLOSENESS], &closeness, k, n, 0, 1);
    bool none = !(aspl.x > 0);
    ksda_i_set_sampled(&value[KSDA_MEASURE_DIAMETER], none ? NAN : h->size - 1.0, none ? NAN : h->size - 1.0, INFINITY);
    if (none) ksda_i_set_sampled(&value[KSDA_MEASURE_EFFECTIVE_DIAMETER], NAN, NAN, NAN);
    else set_effective_diameter(m, j, weight);
    ksda_i_free(m->ctx, weight);
    return KSDA_OK;
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

static uint32_t choose_samples(const ksda_i_measuring *m) {
    const ksda_measure_options *o = m->options;
    double traversals = 2.0 * (double)m->g->n * (double)m->g->m;
    uint32_t samples = o->samples ? o->samples : STANDARD_SAMPLES;
    if (o->exact || samples >= m->g->n || (!o->samples && traversals <= 10.0 * (double)o->budget)) return 0;
    return samples;
}

ksda_status ksda_i_pass_distances(ksda_i_measuring *m) {
    job j;
    uint32_t samples = choose_samples(m);
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(job_new(m->ctx, m->g, samples, &j));
    KSDA_I_TRY(job_run(&j));
    KSDA_I_TRY(ksda_i_histogram_new(m->ctx, &m->out->distances, j.levels[0]));
    double scale = samples ? (double)m->g->n / samples / 2 : 0.5;
    for (uint32_t d = 1; d < j.levels[0]; d++) m->out->distances.count[d] = scale * (double)j.pairs[0][d];
    if (samples) status = set_sampled(m, &j);
    else set_exact(m, &j);
done:
    job_clear(&j);
    return status;
}

ksda_status ksda_closeness(ksda_ctx *ctx, const ksda_graph *graph, double *out) {
    job j;
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(job_new(ctx, graph, 0, &j));
    KSDA_I_TRY(job_run(&j));
    for (uint32_t v = 0; v < graph->n; v++)
        out[j.g.vertex[v]] = reach(&j, v) > 0 ? (double)reach(&j, v) / (double)j.farness[0][v] : NAN;
done:
    job_clear(&j);
    return status;
}
