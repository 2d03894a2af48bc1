/* Distances: ASPL, effective diameter, diameter and mean closeness, in one pass of bit-parallel searches.
 *
 * Over the connected pairs of distinct vertices: ASPL is the mean distance; the effective diameter the distance within
 * which 90 % of them lie, linear between whole distances; the diameter the largest. Closeness of v is 1 / (mean
 * distance to the vertices it reaches), as normalized closeness elsewhere; its mean is over the vertices that reach
 * another. NaN where there is no such pair.
 *
 * Exact: a search from every vertex, 512 at a time; distances are symmetric, so a vertex's farness is gathered where
 * the searches arrive. All sums are whole numbers: any thread may add them in any order. O(n m / 512) word operations a
 * level.
 *
 * Sampled: components of up to 2,048 vertices are searched from every vertex all the same; in the others, sources are
 * drawn without replacement. How many vertices each source reaches is known, so distances are ratio estimates (sum of
 * distances / sum of reached) with the finite population correction; the interval of the effective diameter is
 * Woodruff's: that of the distribution function, read backwards. The diameter is then only a lower bound. */
#include "core/parallel.h"
#include "measure/measure.h"
#include "measure/msbfs.h"
#include "measure/statistics.h"

enum {
    STAGE_DISTANCES = 0x64697374,
    STANDARD_SAMPLES = 4096,
    SMALL_COMPONENT = 2048
};

/* What a search from 512 drawn sources found. */
typedef struct batch {
    uint32_t levels;
    uint32_t *by_source; /* [levels * 512] */
} batch;

/* Pairs (source, vertex) at each distance. */
typedef struct tally {
    uint64_t *pairs;
    uint64_t capacity;
    uint32_t levels;
} tally;

/* What a thread works with. */
typedef struct worker {
    ksda_i_msbfs *search;
    uint64_t *farness; /* [n] from sources that were not drawn */
    tally drawn, whole;
} worker;

/* Vertices 0 .. large-1 are in the components that are sampled: none when exact. Batches come from the drawn sources
 * first, then from all other vertices. */
typedef struct job {
    ksda_ctx *ctx;
    ksda_i_ordered g;
    uint32_t large, samples, *source;
    uint32_t drawn_batches, all_batches;
    batch *batches; /* [drawn_batches] */
    worker *workers;
    atomic_uint_fast64_t done;
    atomic_int status;
} job;

static void job_clear(job *j) {
    ksda_ctx *ctx = j->ctx;
    for (unsigned t = 0; j->workers && t < ksda_ctx_threads(ctx); t++) {
        ksda_i_msbfs_free(ctx, j->workers[t].search);
        ksda_i_free(ctx, j->workers[t].farness);
        ksda_i_free(ctx, j->workers[t].drawn.pairs);
        ksda_i_free(ctx, j->workers[t].whole.pairs);
    }
    for (uint32_t b = 0; j->batches && b < j->drawn_batches; b++) ksda_i_free(ctx, j->batches[b].by_source);
    ksda_i_free(ctx, j->workers);
    ksda_i_free(ctx, j->batches);
    ksda_i_free(ctx, j->source);
    ksda_i_ordered_clear(ctx, &j->g);
}

static uint32_t batches_of(uint32_t sources) {
    return sources / KSDA_I_LANES + (sources % KSDA_I_LANES != 0);
}

static ksda_status draw_sources(job *j) {
    j->source = ksda_i_malloc(j->ctx, j->samples, sizeof *j->source);
    j->batches = ksda_i_calloc(j->ctx, batches_of(j->samples), sizeof *j->batches);
    if (!j->source || !j->batches) return KSDA_NOMEM;
    ksda_i_rng r = ksda_i_rng_stream(j->ctx->seed, STAGE_DISTANCES, 0);
    ksda_i_sample(&r, j->large, j->samples, j->source);
    j->drawn_batches = batches_of(j->samples);
    return KSDA_OK;
}

/* samples 0: every vertex is a source. */
static ksda_status job_new(ksda_ctx *ctx, const ksda_graph *g, uint32_t samples, job *j) {
    *j = (job){.ctx = ctx};
    atomic_init(&j->done, 0);
    atomic_init(&j->status, KSDA_OK);
    ksda_status status = ksda_i_ordered_new(ctx, g, &j->g);
    if (status < 0) return status;
    for (uint32_t c = 0; samples && c < j->g.components; c++) /* the larger ones come first */
        if (j->g.start[c + 1] - j->g.start[c] > SMALL_COMPONENT) j->large = j->g.start[c + 1];
    if (j->large <= samples) j->large = 0;
    if (j->large) j->samples = samples;
    if (j->large && (status = draw_sources(j)) < 0) return status;
    j->all_batches = j->drawn_batches + batches_of(g->n - j->large);
    j->workers = ksda_i_calloc(ctx, ksda_ctx_threads(ctx), sizeof *j->workers);
    if (!j->workers) return KSDA_NOMEM;
    for (unsigned t = 0; t < ksda_ctx_threads(ctx); t++) {
        status = ksda_i_msbfs_new(ctx, &j->g, &j->workers[t].search);
        if (status < 0) return status;
        if (!(j->workers[t].farness = ksda_i_calloc(ctx, g->n, sizeof(uint64_t)))) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

/* --- searching --------------------------------------------------------------------------------------------------- */

static ksda_status add_pairs(ksda_ctx *ctx, tally *t, uint32_t levels, const uint64_t *pairs) {
    ksda_status status = ksda_i_reserve(ctx, &t->pairs, &t->capacity, levels, sizeof *t->pairs);
    if (status < 0) return status;
    for (; t->levels < levels; t->levels++) t->pairs[t->levels] = 0;
    for (uint32_t d = 0; d < levels; d++) t->pairs[d] += pairs[d];
    return KSDA_OK;
}

static ksda_status search_drawn(job *j, uint32_t b, worker *w) {
    uint32_t first = b * KSDA_I_LANES, left = j->samples - first, levels;
    const uint64_t *pairs;
    const uint32_t *by_source;
    ksda_status status = ksda_i_msbfs_run(w->search, j->source + first, left < KSDA_I_LANES ? left : KSDA_I_LANES, NULL,
                                          &levels, &pairs, &by_source);
    if (status < 0) return status;
    uint64_t size = (uint64_t)levels * KSDA_I_LANES;
    uint32_t *copy = ksda_i_malloc(j->ctx, size, sizeof *copy);
    if (!copy) return KSDA_NOMEM;
    memcpy(copy, by_source, size * sizeof *copy);
    j->batches[b] = (batch){levels, copy};
    return add_pairs(j->ctx, &w->drawn, levels, pairs);
}

static ksda_status search_whole(job *j, uint32_t b, worker *w) {
    uint32_t first = j->large + (b - j->drawn_batches) * KSDA_I_LANES, left = j->g.n - first, levels;
    uint32_t source[KSDA_I_LANES], count = left < KSDA_I_LANES ? left : KSDA_I_LANES;
    const uint64_t *pairs;
    for (uint32_t i = 0; i < count; i++) source[i] = first + i;
    ksda_status status = ksda_i_msbfs_run(w->search, source, count, w->farness, &levels, &pairs, NULL);
    return status < 0 ? status : add_pairs(j->ctx, &w->whole, levels, pairs);
}

static void search(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    job *j = data;
    for (uint64_t b = begin; b < end; b++) {
        if (atomic_load(&j->status) < 0 || ksda_i_cancelled(j->ctx)) return;
        worker *w = &j->workers[thread];
        ksda_status status = b < j->drawn_batches ? search_drawn(j, (uint32_t)b, w) : search_whole(j, (uint32_t)b, w);
        if (status < 0) atomic_store(&j->status, status);
        uint64_t done = atomic_fetch_add(&j->done, 1) + 1;
        if (thread == 0) ksda_i_progress(j->ctx, "distances", done, j->all_batches);
    }
}

/* Search from all sources; the sums of all threads end up with worker 0. */
static ksda_status job_run(job *j) {
    ksda_status status = KSDA_OK;
    worker *w = j->workers;
    ksda_i_parallel(j->ctx, j->all_batches, 1, search, j);
    KSDA_I_TRY(ksda_i_interrupted(j->ctx));
    KSDA_I_TRY((ksda_status)atomic_load(&j->status));
    for (unsigned t = 1; t < ksda_ctx_threads(j->ctx); t++) {
        if (w[t].drawn.levels) KSDA_I_TRY(add_pairs(j->ctx, &w[0].drawn, w[t].drawn.levels, w[t].drawn.pairs));
        if (w[t].whole.levels) KSDA_I_TRY(add_pairs(j->ctx, &w[0].whole, w[t].whole.levels, w[t].whole.pairs));
        for (uint32_t v = 0; v < j->g.n; v++) w[0].farness[v] += w[t].farness[v];
    }
done:
    return status;
}

/* How many vertices a vertex reaches. */
static double reach_of(const job *j, uint32_t v) {
    uint32_t c = j->g.of[v];
    return j->g.start[c + 1] - j->g.start[c] - 1.0;
}

/* --- estimating -------------------------------------------------------------------------------------------------- */

/* Everything below is a sum over the sampled components, known up to a ratio, and one over the others, known exactly.
 */
typedef struct sums {
    double whole;   /* of y over the vertices of the other components */
    double whole_x; /* of x */
    double large_x; /* of x over the sampled components */
    double y, x;    /* over the drawn sources */
    double squares; /* of y - (ratio) x, over the drawn sources */
} sums;

typedef struct estimate {
    double value, half; /* of the 95 % interval */
} estimate;

static estimate estimate_ratio(const sums *s, uint32_t samples, uint32_t large) {
    double all = s->whole_x + s->large_x, k = samples;
    if (!(all > 0)) return (estimate){NAN, NAN};
    if (samples == 0) return (estimate){s->whole / all, 0};
    double ratio = s->y / s->x, spread = sqrt(s->squares / (k - 1) / k * (1 - k / large)) / (s->x / k);
    double half = k > 4 ? ksda_i_t_quantile(0.975, k - 1) * spread : INFINITY;
    return (estimate){(s->whole + s->large_x * ratio) / all, s->large_x / all * half};
}

/* The sum of weight[distance] over the vertices that the i-th drawn source reaches. */
static double over_source(const job *j, uint32_t i, const double *weight) {
    const batch *b = &j->batches[i / KSDA_I_LANES];
    double sum = 0;
    for (uint32_t d = 1; d < b->levels; d++)
        sum += weight[d] * b->by_source[(uint64_t)d * KSDA_I_LANES + i % KSDA_I_LANES];
    return sum;
}

/* The mean of weight[distance] over connected pairs. */
static estimate mean_weight(const job *j, const double *weight) {
    sums s = {0};
    const tally *whole = &j->workers[0].whole;
    for (uint32_t d = 1; d < whole->levels; d++) {
        s.whole += weight[d] * (double)whole->pairs[d];
        s.whole_x += (double)whole->pairs[d];
    }
    for (uint32_t v = 0; v < j->large; v++) s.large_x += reach_of(j, v);
    for (uint32_t i = 0; i < j->samples; i++) s.y += over_source(j, i, weight), s.x += reach_of(j, j->source[i]);
    for (uint32_t i = 0; i < j->samples; i++) {
        double e = over_source(j, i, weight) - s.y / s.x * reach_of(j, j->source[i]);
        s.squares += e * e;
    }
    return estimate_ratio(&s, j->samples, j->large);
}

static estimate mean_closeness(const job *j, const double *distance) {
    sums s = {.large_x = j->large};
    for (uint32_t v = j->large; v < j->g.n; v++)
        if (reach_of(j, v) > 0) s.whole += reach_of(j, v) / (double)j->workers[0].farness[v], s.whole_x++;
    for (uint32_t i = 0; i < j->samples; i++) s.y += reach_of(j, j->source[i]) / over_source(j, i, distance), s.x++;
    for (uint32_t i = 0; i < j->samples; i++) {
        double e = reach_of(j, j->source[i]) / over_source(j, i, distance) - s.y / s.x;
        s.squares += e * e;
    }
    return estimate_ratio(&s, j->samples, j->large);
}

/* The x with F(x) = share, where F counts pairs[1] .. pairs[levels - 1] and is linear between whole numbers. */
static double quantile(const ksda_histogram *h, double share) {
    double below = 0, all = 0;
    for (uint32_t d = 1; d < h->size; d++) all += h->count[d];
    for (uint32_t d = 1; d < h->size; d++) {
        if (below + h->count[d] >= share * all && h->count[d] > 0)
            return d - 1 + fmax(0, share * all - below) / h->count[d];
        below += h->count[d];
    }
    return h->size - 1.0;
}

static void set_value(const job *j, ksda_value *v, double value, double low, double high) {
    if (j->samples)
        ksda_i_set_sampled(v, value, low, high);
    else
        ksda_i_set_exact(v, value);
}

static void set_effective_diameter(const job *j, const ksda_histogram *h, double *weight, ksda_value *v) {
    double q = quantile(h, 0.9), half = 0;
    for (uint32_t d = 1; d < h->size; d++) weight[d] = fmin(1, fmax(0, q - (d - 1.0)));
    if (j->samples) half = mean_weight(j, weight).half;
    set_value(j, v, q, quantile(h, fmax(0, 0.9 - half)), half < 0.1 ? quantile(h, 0.9 + half) : INFINITY);
}

static ksda_status set_values(ksda_i_measuring *m, const job *j) {
    const ksda_histogram *h = &m->out->distances;
    ksda_value *value = m->out->value;
    double *weight = ksda_i_malloc(m->ctx, (uint64_t)h->size + 1, sizeof *weight);
    if (!weight) return KSDA_NOMEM;
    for (uint32_t d = 0; d < h->size; d++) weight[d] = d;
    estimate aspl = mean_weight(j, weight), closeness = mean_closeness(j, weight);
    bool none = isnan(aspl.value);
    double largest = none ? NAN : h->size - 1.0;
    set_value(j, &value[KSDA_MEASURE_ASPL], aspl.value, fmax(1, aspl.value - aspl.half), aspl.value + aspl.half);
    set_value(j, &value[KSDA_MEASURE_CLOSENESS], closeness.value, fmax(0, closeness.value - closeness.half),
              fmin(1, closeness.value + closeness.half));
    set_value(j, &value[KSDA_MEASURE_DIAMETER], largest, largest, INFINITY);
    if (none)
        set_value(j, &value[KSDA_MEASURE_EFFECTIVE_DIAMETER], NAN, NAN, NAN);
    else
        set_effective_diameter(j, h, weight, &value[KSDA_MEASURE_EFFECTIVE_DIAMETER]);
    m->out->samples = j->samples;
    ksda_i_free(m->ctx, weight);
    return KSDA_OK;
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

static uint32_t choose_samples(const ksda_i_measuring *m) {
    const ksda_measure_options *o = m->options;
    double traversals = 2.0 * (double)m->g->n * (double)m->g->m;
    if (o->exact || (!o->samples && traversals <= 10.0 * (double)o->budget)) return 0;
    return o->samples ? o->samples : STANDARD_SAMPLES;
}

/* Unordered pairs at each distance; those of the sampled components are scaled up. */
static ksda_status set_histogram(ksda_i_measuring *m, const job *j) {
    const tally *drawn = &j->workers[0].drawn, *whole = &j->workers[0].whole;
    uint32_t size = drawn->levels > whole->levels ? drawn->levels : whole->levels;
    ksda_status status = ksda_i_histogram_new(m->ctx, &m->out->distances, size);
    if (status < 0) return status;
    double scale = j->samples ? (double)j->large / j->samples / 2 : 0;
    for (uint32_t d = 1; d < whole->levels; d++) m->out->distances.count[d] += 0.5 * (double)whole->pairs[d];
    for (uint32_t d = 1; d < drawn->levels; d++) m->out->distances.count[d] += scale * (double)drawn->pairs[d];
    return KSDA_OK;
}

ksda_status ksda_i_pass_distances(ksda_i_measuring *m) {
    job j;
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(job_new(m->ctx, m->g, choose_samples(m), &j));
    KSDA_I_TRY(job_run(&j));
    KSDA_I_TRY(set_histogram(m, &j));
    status = set_values(m, &j);
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
        out[j.g.vertex[v]] = reach_of(&j, v) > 0 ? reach_of(&j, v) / (double)j.workers[0].farness[v] : NAN;
done:
    job_clear(&j);
    return status;
}
