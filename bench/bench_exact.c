/* The fast exact method against the paper's formulation 1 by CBC, on random networks that both can prove: seconds and
 * ratio. */
#include "core/ctx.h"
#include "core/random.h"

#include <ksda/ksda.h>
#include <stdio.h>
#include <stdlib.h>

static int solve(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, const char *solver,
                 ksda_optimal_result *r) {
    ksda_optimal_options o;
    ksda_edits *edits = NULL;
    ksda_optimal_options_init(&o);
    o.k = 2;
    o.solver = solver;
    ksda_ctx_set_time_limit(ctx, 60);
    ksda_status status = ksda_optimal(ctx, g, c, &o, &edits, r);
    ksda_edits_free(ctx, edits);
    if (status < 0) fprintf(stderr, "%s: %s\n", solver, ksda_ctx_error(ctx)->message);
    return status < 0;
}

/* A network with a few hubs: vertex i is joined to others with a chance that falls with i. */
static int make(ksda_ctx *ctx, uint32_t n, ksda_graph **g, ksda_communities **c) {
    ksda_i_rng r = ksda_i_rng_stream(1, 0x62656e63, n);
    uint32_t *pairs = malloc(sizeof *pairs * n * n), *of = malloc(sizeof *of * n);
    uint64_t m = 0;
    if (!pairs || !of) exit(1);
    for (uint32_t u = 0; u < n; u++) {
        of[u] = (uint32_t)ksda_i_rng_below(&r, 3);
        for (uint32_t v = u + 1; v < n; v++)
            if (ksda_i_rng_unit(&r) < 0.4 / (1 + 0.3 * u)) pairs[2 * m] = u, pairs[2 * m++ + 1] = v;
    }
    int failed = ksda_graph_from_edges(ctx, n, m, pairs, g) < 0 || ksda_communities_from_labels(ctx, n, of, c) < 0;
    free(pairs), free(of);
    return failed;
}

int main(void) {
    ksda_ctx *ctx;
    if (ksda_ctx_new(NULL, &ctx) != KSDA_OK) return 1;
    ksda_ctx_allow_processes(ctx, 1);
    printf("%8s %12s %12s %12s %12s %8s\n", "vertices", "fast", "seconds", "formulation", "seconds", "ratio");
    for (uint32_t n = 20; n <= 60; n += 20) {
        ksda_graph *g = NULL;
        ksda_communities *c = NULL;
        ksda_optimal_result fast = KSDA_INIT(ksda_optimal_result), slow = KSDA_INIT(ksda_optimal_result);
        if (make(ctx, n, &g, &c) || solve(ctx, g, c, "fast", &fast) || solve(ctx, g, c, "cbc", &slow)) return 1;
        printf("%8u %12s %12.3f %12s %12.3f %8.1f\n", n, ksda_model_status_name(fast.status), fast.seconds,
               ksda_model_status_name(slow.status), slow.seconds, slow.seconds / fast.seconds);
        ksda_graph_free(ctx, g);
        ksda_communities_free(ctx, c);
    }
    ksda_ctx_free(ctx);
    return 0;
}
