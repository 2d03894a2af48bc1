#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef KSDA_DATA_DIR
#define KSDA_DATA_DIR "../shared/data"
#endif

static void must(ksda_ctx *ctx, ksda_status status) {
    if (status >= 0) return;
    fprintf(stderr, "test set-up failed: %s\n", ksda_ctx_error(ctx)->message);
    abort();
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define FEWER 6u
#else
#define FEWER 1u
#endif

uint64_t times_as_many(uint64_t networks) {
    const char *text = getenv("KSDA_TEST_TIMES");
    long factor = text ? strtol(text, NULL, 10) : 0;
    return factor > 0 ? networks * (uint64_t)factor : (networks + FEWER - 1) / FEWER;
}

bool enough(uint64_t count, uint64_t least) {
    return FEWER > 1 || count > least;
}

ksda_status listed_network(ksda_ctx *ctx, uint32_t n, uint64_t m, const uint32_t *edges, const uint32_t *of,
                           ksda_network *out) {
    *out = (ksda_network){.graph = NULL};
    ksda_status status = ksda_graph_from_edges(ctx, n, m, edges, &out->graph);
    return status < 0 ? status : ksda_communities_from_labels(ctx, n, of, &out->communities);
}

void random_network(ksda_ctx *ctx, uint64_t seed, uint32_t n, double p, uint32_t communities, ksda_network *out) {
    ksda_i_rng r = ksda_i_rng_stream(seed, 0x74657374, n);
    uint32_t *pairs = malloc(sizeof *pairs * ((size_t)n * n + 1)), *of = malloc(sizeof *of * (n + 1));
    uint64_t m = 0;
    for (uint32_t u = 0; u < n; u++) {
        of[u] = u < communities ? u : (uint32_t)ksda_i_rng_below(&r, communities);
        for (uint32_t v = u + 1; v < n; v++)
            if (ksda_i_rng_unit(&r) < p) pairs[2 * m] = u, pairs[2 * m++ + 1] = v;
    }
    must(ctx, listed_network(ctx, n, m, pairs, of, out));
    free(pairs);
    free(of);
}

void random_sets(ksda_ctx *ctx, uint64_t seed, bool unknown, ksda_network *net) {
    const ksda_communities *c = net->communities;
    uint32_t n = c->n, *list = malloc((3 * (size_t)n + 1) * sizeof *list);
    uint64_t *offsets = calloc(n + (size_t)1, sizeof *offsets);
    ksda_i_rng rng = ksda_i_rng_stream(seed, 0x73657473, 0);
    ksda_communities *sets;
    if (!list || !offsets) abort();
    for (uint32_t v = 0; v < n; v++) {
        bool first = c->member[c->start[c->of[v]]] == v; /* so that no community is empty */
        uint64_t more = ksda_i_rng_below(&rng, 4), at = offsets[v];
        bool none = unknown && !first && ksda_i_rng_below(&rng, 6) == 0;
        if (!none) list[at++] = c->of[v];
        for (uint64_t i = 2; i <= more && !none; i++) list[at++] = (uint32_t)ksda_i_rng_below(&rng, c->count);
        offsets[v + 1] = at;
    }
    must(ctx, ksda_communities_from_sets(ctx, n, c->count, offsets, list, NULL, NULL, KSDA_UNASSIGNED_TOGETHER, &sets));
    ksda_communities_free(ctx, net->communities);
    net->communities = sets;
    free(list);
    free(offsets);
}

/* The path of a data file, plain or compressed, or NULL. */
static const char *data_file(const char *stem, const char *ending, char *path, size_t size) {
    static const char *const packed[] = {"", ".gz", ".zst"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, size, "%s/%s%s%s", KSDA_DATA_DIR, stem, ending, packed[i]);
        if (access(path, R_OK) == 0) return path;
    }
    fprintf(stderr, "SKIPPED: no %s/%s%s\n", KSDA_DATA_DIR, stem, ending);
    return NULL;
}

bool data_network(ksda_ctx *ctx, const char *name, const char *part, ksda_network *out) {
    char edges[1024], communities[1024], stem[256];
    ksda_load_options options;
    ksda_load_options_init(&options);
    *out = (ksda_network)KSDA_INIT(ksda_network);
    if (!data_file(name, ".edges", edges, sizeof edges)) return false;
    if (part) {
        snprintf(stem, sizeof stem, "%s%s%s", name, *part ? "." : "", part);
        if (!data_file(stem, ".communities", communities, sizeof communities)) return false;
        options.communities = communities;
    }
    must(ctx, ksda_load(ctx, edges, &options, out));
    return true;
}
