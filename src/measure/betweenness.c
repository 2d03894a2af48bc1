/* Betweenness: b(v) = sum over unordered pairs {s, t} of the share of their shortest paths that pass through v.
 *
 * Exact, in O(n m), but on a graph made smaller three times without changing a number:
 * 1. Blocks. Pairs that a cut vertex separates all pass through it, which is a product of two counts; every other path
 * stays in one block, where each vertex stands for all that hang on it. Trees and everything else hanging on the core
 * cost nothing.
 * 2. Twins. In a block, vertices with the same neighbours become one class (classes.c).
 * 3. Eight sources at a time, near ones together (brandes.c).
 * Small blocks are spread over the threads whole, large ones by sources in 32 chunks with a sum each; sums are added in
 * order, so the result does not depend on the number of threads. Memory 300 bytes a vertex and thread, 256 a vertex for
 * the sums.
 *
 * Sampled: in large blocks only, sources are drawn without replacement among the people that hang on the block, in 32
 * groups drawn alike from all distances from the hub; the spread of the groups' sums gives each vertex its standard
 * error. (Brandes & Pich 2007, doi:10.1142/S0218127407018403, sample sources; blocks, classes and the groups are ours.
 * Pendant vertices and twins: Sariyuce et al. 2013, doi:10.1137/1.9781611972832.76.) */
#include "measure/betweenness.h"

#include "core/parallel.h"
#include "measure/blocks.h"
#include "measure/brandes.h"
#include "measure/statistics.h"

#include <math.h>

enum {
    CHUNKS = 32,
    STAGE_BETWEENNESS = 0x62657477
};
#define SMALL_BLOCK 256 /* vertices: up to here a block is one thread's work; more are enough sources for CHUNKS */

typedef struct worker {
    ksda_i_twins twins;
    ksda_i_brandes *brandes;
    double *sum;
} worker;

typedef struct job {
    ksda_ctx *ctx;
    ksda_i_ordered g;
    ksda_i_blocks blocks;
    uint32_t samples, sampled;
    double *share;    /* beside blocks.vertex: what the block gives its vertex */
    double *variance; /* the same; NULL when exact */
    worker *workers;  /* [threads] */
    atomic_int status;
    /* the large block at hand */
    ksda_i_classes classes;
    uint32_t *source;
    double *factor;
    uint64_t chunk[CHUNKS + 1]; /* sources of each */
    double *sums;               /* [CHUNKS][classes] */
    atomic_uint_fast64_t done;
    uint64_t total;
} job;

static void worker_clear(ksda_ctx *ctx, worker *w) {
    ksda_i_brandes_free(ctx, w->brandes);
    ksda_i_free(ctx, w->sum);
    w->brandes = NULL;
    w->sum = NULL;
}

static void job_clear(job *j) {
    ksda_ctx *ctx = j->ctx;
    for (unsigned t = 0; j->workers && t < ksda_ctx_threads(ctx); t++) {
        worker_clear(ctx, &j->workers[t]);
        ksda_i_twins_clear(ctx, &j->workers[t].twins);
    }
    ksda_i_free(ctx, j->workers);
    ksda_i_free(ctx, j->share);
    ksda_i_free(ctx, j->variance);
    ksda_i_blocks_clear(ctx, &j->blocks);
    ksda_i_ordered_clear(ctx, &j->g);
}

static ksda_status job_new(ksda_ctx *ctx, const ksda_graph *g, uint32_t samples, job *j) {
    *j = (job){.ctx = ctx, .samples = (samples + CHUNKS - 1) / CHUNKS * CHUNKS};
    atomic_init(&j->status, KSDA_OK);
    ksda_status status = ksda_i_ordered_new(ctx, g, &j->g);
    if (status >= 0) status = ksda_i_blocks_find(ctx, &j->g, &j->blocks);
    if (status < 0) return status;
    uint64_t slots = j->blocks.start[j->blocks.count];
    j->share = ksda_i_calloc(ctx, slots, sizeof *j->share);
    if (samples) j->variance = ksda_i_calloc(ctx, slots, sizeof *j->variance);
    j->workers = ksda_i_calloc(ctx, ksda_ctx_threads(ctx), sizeof *j->workers);
    if (!j->share || (samples && !j->variance) || !j->workers) return KSDA_NOMEM;
    for (unsigned t = 0; t < ksda_ctx_threads(ctx) && status >= 0; t++)
        status = ksda_i_twins_new(ctx, g->n, &j->workers[t].twins);
    return status;
}

static ksda_status workers_ready(job *j, uint32_t room) {
    for (unsigned t = 0; t < ksda_ctx_threads(j->ctx); t++) {
        worker *w = &j->workers[t];
        worker_clear(j->ctx, w);
        ksda_status status = ksda_i_brandes_new(j->ctx, room, &w->brandes);
        if (status < 0) return status;
        if (!(w->sum = ksda_i_malloc(j->ctx, room, sizeof *w->sum))) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

static uint32_t block_size(const job *j, uint64_t b) {
    return (uint32_t)(j->blocks.start[b + 1] - j->blocks.start[b]);
}

static ksda_status block_classes(job *j, uint64_t b, ksda_i_twins *twins, ksda_i_classes *out) {
    uint64_t at = j->blocks.start[b];
    return ksda_i_classes_find(j->ctx, &j->g, twins, block_size(j, b), j->blocks.vertex + at, j->blocks.hanging + at,
                               out);
}

/* Twins that are not adjacent: the paths between them are shared by their neighbours. */
static void add_within(const ksda_i_classes *c, double *sum) {
    for (uint32_t x = 0; x < c->count; x++)
        for (uint64_t e = c->off[x]; e < c->off[x + 1] && c->within[x] > 0; e++) sum[c->adj[e]] += c->within[x];
}

/* --- small blocks ------------------------------------------------------------------------------------------------ */

static ksda_status small_block(job *j, uint64_t b, worker *w) {
    ksda_i_classes c;
    uint32_t source[KSDA_I_BRANDES_LANES];
    double factor[KSDA_I_BRANDES_LANES];
    ksda_status status = block_classes(j, b, &w->twins, &c);
    if (status < 0) return status;
    memset(w->sum, 0, c.count * sizeof *w->sum);
    for (uint32_t first = 0; first < c.count && !ksda_i_cancelled(j->ctx); first += KSDA_I_BRANDES_LANES) {
        uint32_t count = c.count - first < KSDA_I_BRANDES_LANES ? c.count - first : KSDA_I_BRANDES_LANES;
        for (uint32_t i = 0; i < count; i++) source[i] = first + i, factor[i] = c.weight[first + i] / 2;
        ksda_i_brandes_run(w->brandes, &c, count, source, factor, w->sum);
    }
    add_within(&c, w->sum);
    for (uint32_t i = 0; i < block_size(j, b); i++) j->share[j->blocks.start[b] + i] = w->sum[c.of[i]];
    ksda_i_classes_clear(j->ctx, &c);
    return KSDA_OK;
}

static void small_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    job *j = data;
    for (uint64_t b = begin; b < end && !ksda_i_cancelled(j->ctx); b++) {
        if (block_size(j, b) <= 2 || block_size(j, b) > SMALL_BLOCK) continue;
        ksda_status status = small_block(j, b, &j->workers[thread]);
        if (status < 0) atomic_store(&j->status, status);
    }
    if (thread == 0) ksda_i_progress(j->ctx, "betweenness of small blocks", end, j->blocks.count);
}

static ksda_status small_blocks(job *j) {
    uint32_t room = 0;
    for (uint64_t b = 0; b < j->blocks.count; b++)
        if (block_size(j, b) <= SMALL_BLOCK && block_size(j, b) > room) room = block_size(j, b);
    ksda_status status = workers_ready(j, room);
    if (status < 0) return status;
    ksda_i_parallel(j->ctx, j->blocks.count, 64, small_range, j);
    status = ksda_i_interrupted(j->ctx);
    return status < 0 ? status : (ksda_status)atomic_load(&j->status);
}

/* --- large blocks ------------------------------------------------------------------------------------------------ */

static void all_sources(job *j) {
    uint64_t batches = (j->classes.count + KSDA_I_BRANDES_LANES - 1) / KSDA_I_BRANDES_LANES;
    for (uint32_t i = 0; i < j->classes.count; i++) j->source[i] = i, j->factor[i] = j->classes.weight[i] / 2;
    for (uint32_t i = 0; i < CHUNKS; i++) j->chunk[i] = batches * i / CHUNKS * KSDA_I_BRANDES_LANES;
    j->chunk[CHUNKS] = j->classes.count;
}

/* The class of each drawn person: people are numbered class by class. drawn ascends. */
static void people_to_classes(const ksda_i_classes *c, uint32_t count, uint32_t *drawn) {
    uint32_t x = 0;
    double end = c->weight[0];
    for (uint32_t i = 0; i < count; i++) {
        while (drawn[i] >= end) end += c->weight[++x];
        drawn[i] = x;
    }
}

/* Draw people and deal them out to the chunks. People stand breadth-first from the hub, so they are cut into k / 32
 * stretches of equal length and 32 are drawn from each, one for every chunk: what depends on the distance from the hub
 * varies less. */
static void draw_people(ksda_i_rng *r, uint32_t people, uint32_t group, uint32_t *drawn) {
    uint32_t hand[CHUNKS];
    for (uint32_t s = 0; s < group; s++) {
        uint32_t from = (uint32_t)((uint64_t)people * s / group), to = (uint32_t)((uint64_t)people * (s + 1) / group);
        ksda_i_sample(r, to - from, CHUNKS, hand);
        for (uint32_t c = CHUNKS; c > 0; c--) {
            uint32_t other = (uint32_t)ksda_i_rng_below(r, c);
            drawn[(c - 1) * group + s] = from + hand[other];
            hand[other] = hand[c - 1];
        }
    }
}

/* The sources of every chunk, those of one class taken together. Each drawn person stands for its stretch / 32 people.
 */
static ksda_status drawn_sources(job *j, uint64_t b, uint32_t people) {
    uint32_t k = j->samples, group = k / CHUNKS, *drawn = ksda_i_malloc(j->ctx, k, sizeof *drawn);
    uint64_t at = 0;
    if (!drawn) return KSDA_NOMEM;
    ksda_i_rng r = ksda_i_rng_stream(j->ctx->seed, STAGE_BETWEENNESS, b);
    draw_people(&r, people, group, drawn);
    for (uint32_t c = 0; c < CHUNKS; c++) {
        people_to_classes(&j->classes, group, drawn + c * group);
        j->chunk[c] = at;
        for (uint32_t s = 0; s < group; s++) {
            uint32_t x = drawn[c * group + s];
            uint64_t stretch = (uint64_t)people * (s + 1) / group - (uint64_t)people * s / group;
            if (at == j->chunk[c] || j->source[at - 1] != x) j->source[at] = x, j->factor[at++] = 0;
            j->factor[at - 1] += (double)stretch / CHUNKS / 2;
        }
    }
    j->chunk[CHUNKS] = at;
    ksda_i_free(j->ctx, drawn);
    return KSDA_OK;
}

static void run_chunk(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    job *j = data;
    for (uint64_t c = begin; c < end; c++) {
        double *sum = j->sums + c * j->classes.count;
        for (uint64_t i = j->chunk[c]; i < j->chunk[c + 1] && !ksda_i_cancelled(j->ctx); i += KSDA_I_BRANDES_LANES) {
            uint64_t left = j->chunk[c + 1] - i;
            uint32_t count = left < KSDA_I_BRANDES_LANES ? (uint32_t)left : KSDA_I_BRANDES_LANES;
            ksda_i_brandes_run(j->workers[thread].brandes, &j->classes, count, j->source + i, j->factor + i, sum);
            uint64_t done = atomic_fetch_add(&j->done, count) + count;
            if (thread == 0) ksda_i_progress(j->ctx, "betweenness", done, j->total);
        }
    }
}

/* Add the chunks in order; for a sample, the spread of the chunks tells that of their sum. */
static void collect(job *j, uint64_t b, double population) {
    uint32_t count = j->classes.count;
    double *sum = j->workers[0].sum;
    uint64_t at = j->blocks.start[b];
    for (uint32_t x = 0; x < count; x++) {
        sum[x] = 0;
        for (uint32_t c = 0; c < CHUNKS; c++) sum[x] += j->sums[(uint64_t)c * count + x];
    }
    for (uint32_t i = 0; population > 0 && i < block_size(j, b); i++) {
        double squares = 0, mean = sum[j->classes.of[i]] / CHUNKS;
        for (uint32_t c = 0; c < CHUNKS; c++) {
            double e = j->sums[(uint64_t)c * count + j->classes.of[i]] - mean;
            squares += e * e;
        }
        j->variance[at + i] = squares / (CHUNKS - 1) * CHUNKS * (1 - j->samples / population);
    }
    add_within(&j->classes, sum);
    for (uint32_t i = 0; i < block_size(j, b); i++) j->share[at + i] = sum[j->classes.of[i]];
}

static ksda_status large_block(job *j, uint64_t b) {
    ksda_status status = KSDA_OK;
    double people = 0;
    j->source = NULL, j->factor = NULL, j->sums = NULL;
    KSDA_I_TRY(block_classes(j, b, &j->workers[0].twins, &j->classes));
    for (uint32_t x = 0; x < j->classes.count; x++) people += j->classes.weight[x];
    bool draw = j->samples > 0 && j->samples < j->classes.count; /* so each of the k / 32 stretches has 32 people */
    uint64_t most = draw ? j->samples : j->classes.count;
    j->source = ksda_i_malloc(j->ctx, most, sizeof *j->source);
    j->factor = ksda_i_malloc(j->ctx, most, sizeof *j->factor);
    j->sums = ksda_i_calloc(j->ctx, (uint64_t)CHUNKS * j->classes.count, sizeof *j->sums);
    if (!j->source || !j->factor || !j->sums) KSDA_I_TRY(KSDA_NOMEM);
    if (draw)
        KSDA_I_TRY(drawn_sources(j, b, (uint32_t)people));
    else
        all_sources(j);
    if (draw) j->sampled = j->samples;
    KSDA_I_TRY(workers_ready(j, j->classes.count));
    j->total = j->chunk[CHUNKS];
    atomic_init(&j->done, 0);
    ksda_i_parallel(j->ctx, CHUNKS, 1, run_chunk, j);
    KSDA_I_TRY(ksda_i_interrupted(j->ctx));
    collect(j, b, draw ? people : 0);
done:
    ksda_i_classes_clear(j->ctx, &j->classes);
    ksda_i_free(j->ctx, j->source);
    ksda_i_free(j->ctx, j->factor);
    ksda_i_free(j->ctx, j->sums);
    return status;
}

/* --- all together ------------------------------------------------------------------------------------------------ */

/* Removing v leaves one piece for every block of v, with all that hangs on the block's other vertices: pairs in
 * different pieces pass through v. Start from all pairs, take off those in one piece, then add what blocks found. */
static void gather(const job *j, double *out, double *spread) {
    const ksda_i_ordered *g = &j->g;
    const ksda_i_blocks *b = &j->blocks;
    for (uint32_t v = 0; v < g->n; v++) {
        double others = g->start[g->of[v] + 1] - g->start[g->of[v]] - 1.0;
        out[g->vertex[v]] = others * others / 2;
        if (spread) spread[g->vertex[v]] = 0;
    }
    for (uint64_t i = 0; i < b->start[b->count]; i++) {
        uint32_t v = b->vertex[i];
        double piece = g->start[g->of[v] + 1] - g->start[g->of[v]] - b->hanging[i];
        out[g->vertex[v]] -= piece * piece / 2;
    }
    for (uint64_t i = 0; i < b->start[b->count]; i++) out[g->vertex[b->vertex[i]]] += j->share[i];
    for (uint64_t i = 0; spread && j->variance && i < b->start[b->count]; i++)
        spread[g->vertex[b->vertex[i]]] += j->variance[i];
    for (uint32_t v = 0; spread && v < g->n; v++) spread[v] = sqrt(spread[v]);
}

ksda_status ksda_i_betweenness(ksda_ctx *ctx, const ksda_graph *graph, uint32_t samples, double *out, double *spread,
                               uint32_t *sampled) {
    job j;
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(job_new(ctx, graph, samples, &j));
    KSDA_I_TRY(small_blocks(&j));
    for (uint64_t b = 0; b < j.blocks.count; b++)
        if (block_size(&j, b) > SMALL_BLOCK) KSDA_I_TRY(large_block(&j, b));
    gather(&j, out, spread);
    if (sampled) *sampled = j.sampled;
done:
    job_clear(&j);
    return status;
}
