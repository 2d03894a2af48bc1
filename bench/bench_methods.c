/* The paper's methods on R-MAT graphs (16 edges a vertex, 64 communities, k = 10), as multiples of loading the same
 * graph from an uncompressed edge list; how time per edge grows; and peak memory as a multiple of the loaded graph.
 * usage: bench_methods [FIRST-SCALE [LAST-SCALE [STEP [K]]]]   default 15 20 5 10
 * One thread, processor seconds (the file is in the page cache), the best of 3 to 40 runs within half a second. */
#include "bench.h"
#include "core/ctx.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/ksda.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST_REPEATS = 3,
    MOST_REPEATS = 40,
    MOST_METHODS = 16
};
#define ENOUGH 0.5 /* seconds of repeating */

/* --- an allocator that knows its peak ---------------------------------------------------------------------------- */

typedef struct meter {
    size_t now, peak;
} meter;

static void *count(meter *m, void *block) {
    if (block) m->now += malloc_usable_size(block);
    if (m->now > m->peak) m->peak = m->now;
    return block;
}
static void *metered_malloc(void *payload, size_t size) {
    return count(payload, malloc(size));
}
static void *metered_realloc(void *payload, void *block, size_t size) {
    meter *m = payload;
    size_t had = block ? malloc_usable_size(block) : 0;
    void *bigger = realloc(block, size);
    if (bigger) m->now -= had;
    return count(m, bigger);
}
static void metered_free(void *payload, void *block) {
    meter *m = payload;
    if (block) m->now -= malloc_usable_size(block);
    free(block);
}

/* --- measuring --------------------------------------------------------------------------------------------------- */

/* Processor seconds of this program: what else runs on the machine shows less in them. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool again(int done, double seconds) {
    return done < LEAST_REPEATS || (done < MOST_REPEATS && seconds < ENOUGH);
}

static double load_seconds(ksda_ctx *ctx, const char *path) {
    double best = 1e9, spent = 0;
    for (int i = 0; again(i, spent); i++) {
        ksda_network net = KSDA_INIT(ksda_network);
        double start = now();
        must(ctx, ksda_load(ctx, path, NULL, &net));
        double seconds = now() - start;
        spent += seconds;
        if (seconds < best) best = seconds;
        ksda_network_clear(ctx, &net);
    }
    return best;
}

static size_t graph_bytes(const ksda_graph *g, const ksda_communities *c) {
    return (g->n + 1) * sizeof *g->off + 2 * g->m * sizeof *g->adj + 2 * g->n * sizeof *c->of +
           (c->count + 1) * sizeof *c->start;
}

/* The method's peak over what was there before, in bytes. */
static size_t peak_of(const ksda_graph *g, const ksda_communities *c, const ksda_method *m,
                      const ksda_anonymize_options *o) {
    meter bytes = {0, 0};
    ksda_allocator allocator = {metered_malloc, metered_realloc, metered_free, &bytes};
    ksda_ctx *ctx;
    ksda_edits *edits;
    if (ksda_ctx_new(&allocator, &ctx) < 0) exit(1);
    ksda_ctx_allow_processes(ctx, 1);
    if (ksda_anonymize(ctx, g, c, m, o, &edits, NULL) >= 0) ksda_edits_free(ctx, edits);
    ksda_ctx_free(ctx);
    return bytes.peak;
}

/* Returns nanoseconds an edge. */
static double measure(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, const ksda_method *m, uint32_t k,
                      double load) {
    ksda_anonymize_options o;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    double best = 1e9, spent = 0;
    ksda_status status = KSDA_OK;
    ksda_anonymize_options_init(&o);
    o.k = k;
    for (int i = 0; again(i, spent); i++) {
        double start = now();
        status = ksda_anonymize(ctx, g, c, m, &o, &edits, &result);
        double seconds = now() - start;
        spent += seconds;
        if (seconds < best) best = seconds;
        if (status >= 0) ksda_edits_free(ctx, edits);
    }
    size_t loaded = graph_bytes(g, c);
    printf("  %-22s %8.3f s  %5.2f x loading  %6.2f ns/edge  peak %4.2f x the graph  ", m->name, best, best / load,
           1e9 * best / (double)g->m, (double)(loaded + peak_of(g, c, m, &o)) / (double)loaded);
    if (status < 0)
        printf("%s\n", ksda_status_name(status));
    else
        printf("n_a %llu, n_s %llu\n", (unsigned long long)result.added_edges,
               (unsigned long long)result.added_vertices);
    return 1e9 * best / (double)g->m;
}

static bool wanted(const ksda_method *m) {
    return strcmp(m->name, "level-plan") != 0 && strcmp(m->name, "optimal") != 0;
}

static void one_scale(ksda_ctx *ctx, uint32_t scale, uint32_t k, double *per_edge) {
    ksda_rmat_options r;
    ksda_graph *g;
    ksda_communities *c;
    size_t methods;
    const ksda_method *m = ksda_methods(&methods);
    char path[] = "/tmp/bench_methods.XXXXXX";
    int file = mkstemp(path);
    if (file < 0) exit(1);
    close(file);
    ksda_rmat_options_init(&r);
    r.scale = scale;
    r.edges = UINT64_C(16) << scale;
    r.block_bits = 6;
    must(ctx, ksda_generate_rmat(ctx, &r, &g, &c));
    must(ctx, ksda_write_graph(ctx, g, NULL, path, KSDA_FORMAT_EDGES));
    double load = load_seconds(ctx, path);
    unlink(path);
    printf("2^%u vertices, %llu edges, 64 communities, k = %u: loading %.3f s\n", scale, (unsigned long long)g->m, k,
           load);
    for (size_t i = 0; i < methods && i < MOST_METHODS; i++)
        if (wanted(&m[i])) per_edge[i] = measure(ctx, g, c, &m[i], k, load);
    ksda_graph_free(ctx, g);
    ksda_communities_free(ctx, c);
}

int main(int argc, char **argv) {
    uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 15, last = argc > 2 ? (uint32_t)atoi(argv[2]) : 20;
    uint32_t step = argc > 3 ? (uint32_t)atoi(argv[3]) : 5, k = argc > 4 ? (uint32_t)atoi(argv[4]) : 10;
    double begin[MOST_METHODS] = {0}, end[MOST_METHODS] = {0};
    size_t methods;
    const ksda_method *m = ksda_methods(&methods);
    ksda_ctx *ctx;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_ctx_allow_processes(ctx, 1);
    for (uint32_t scale = first; scale <= last; scale += step ? step : 1)
        one_scale(ctx, scale, k, scale == first ? begin : end);
    for (size_t i = 0; i < methods && first < last; i++)
        if (wanted(&m[i]))
            printf("%-24s time an edge grows %.2f x from 2^%u to 2^%u\n", m[i].name, end[i] / begin[i], first, last);
    ksda_ctx_free(ctx);
    return 0;
}
