/* Applying edits and making a release of an R-MAT graph, as multiples of copying the graph's arrays; verifying and
 * writing it too. lean: as for networks that fill the memory, see src/graph/overlay.c.
 * usage: bench_release [SCALE [EDGES-SCALE [THREADS [lean]]]] */
#include "bench.h"
#include "core/ctx.h"
#include "core/random.h"
#include "graph/graph.h"
#include "graph/release.h"

#include <ksda/ksda.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* One vertex in a hundred split in two; half a per cent of edges added. */
static ksda_edits *some_edits(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c) {
    ksda_edits *edits;
    ksda_i_rng r = ksda_i_rng_stream(1, 2, 3);
    must(ctx, ksda_edits_new(ctx, g, &edits));
    for (uint32_t v = 0; v < g->n; v += 100) {
        uint32_t piece;
        if (ksda_i_degree(g, v) < 2) continue;
        must(ctx, ksda_edits_split(ctx, edits, v, &piece));
        for (uint32_t i = 1; i < ksda_i_degree(g, v); i += 2) must(ctx, ksda_edits_carry(ctx, edits, v, i, piece));
    }
    for (uint32_t v = 1; v + 1 < g->n; v++) { /* to one larger vertex each: no edge comes twice */
        uint32_t w = v + 1 + (uint32_t)ksda_i_rng_below(&r, 50);
        if (v % 13 || w >= g->n || w % 100 == 0 || v % 100 == 0) continue;
        if (ksda_communities_of(c, v) == ksda_communities_of(c, w) && !ksda_graph_adjacent(g, v, w))
            must(ctx, ksda_edits_add_edge(ctx, edits, v, w));
    }
    return edits;
}

static double copy_seconds(const ksda_graph *g) {
    uint32_t *copy = malloc(2 * g->m * sizeof *copy);
    memset(copy, 1, 2 * g->m * sizeof *copy); /* pages are there before the clock runs; the others do not have that */
    double start = ksda_i_now();
    memcpy(copy, g->adj, 2 * g->m * sizeof *copy);
    double seconds = ksda_i_now() - start;
    if (copy[g->m] == 12345) puts("");
    free(copy);
    return seconds;
}

typedef struct stopwatch {
    double wall, busy;
} stopwatch;

static stopwatch start_now(void) {
    return (stopwatch){ksda_i_now(), (double)clock() / CLOCKS_PER_SEC};
}

/* Processor time of all threads together does not grow when others use the machine too; the clock on the wall does. */
static void report(const char *what, stopwatch since, double copy, uint64_t m) {
    stopwatch now = start_now();
    printf("%-24s %8.3f s  %7.1f M edges/s  processor %8.3f s  %6.1f x copying\n", what, now.wall - since.wall,
           1e-6 * (double)m / (now.wall - since.wall), now.busy - since.busy, (now.busy - since.busy) / copy);
}

int main(int argc, char **argv) {
    ksda_ctx *ctx;
    ksda_rmat_options o;
    ksda_graph *g, *h;
    ksda_communities *c;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    struct rusage usage;
    if (ksda_ctx_new(NULL, &ctx) < 0) return 1;
    ksda_rmat_options_init(&o);
    o.scale = argc > 1 ? (uint32_t)atoi(argv[1]) : 20;
    o.edges = UINT64_C(1) << (argc > 2 ? atoi(argv[2]) : 24);
    o.block_bits = 5;
    ksda_ctx_set_threads(ctx, argc > 3 ? (unsigned)atoi(argv[3]) : 0);
    stopwatch start = start_now();
    must(ctx, ksda_generate_rmat(ctx, &o, &g, &c));
    double copy = copy_seconds(g);
    printf("R-MAT, %u vertices, %llu edges, %u threads; copying its rows takes %.3f s\n", g->n,
           (unsigned long long)g->m, ksda_ctx_threads(ctx), copy);
    report("generating", start, copy, g->m);
    ksda_edits *edits = some_edits(ctx, g, c);
    bool lean = argc > 4 && strcmp(argv[4], "lean") == 0;
    if (!lean) {
        start = start_now();
        must(ctx, ksda_edits_apply(ctx, edits, &h));
        report("applying edits", start, copy, g->m);
        ksda_graph_free(ctx, h);
    }
    start = start_now();
    must(ctx, (lean ? ksda_i_release_make_lean : ksda_release_make)(ctx, edits, c, 0, &release));
    report("release with new ids", start, copy, g->m);
    start = start_now();
    must(ctx, ksda_verify(ctx, g, c, release.graph, release.owner, 2, &v));
    report("verifying it", start, copy, g->m);
    start = start_now();
    must(ctx, ksda_write_graph(ctx, release.graph, NULL, "/dev/null", ksda_format_find("raw32")));
    report("writing raw pairs", start, copy, g->m);
    getrusage(RUSAGE_SELF, &usage);
    printf("valid %d, %llu added edges, %llu added vertices; peak memory %.1f bytes an edge\n", v.valid,
           (unsigned long long)v.added_edges, (unsigned long long)v.added_vertices,
           1024.0 * (double)usage.ru_maxrss / (double)g->m);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
    return v.valid ? 0 : 1;
}
