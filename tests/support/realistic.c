#include "realistic.h"

#include <ksda/detect.h>

#include "../../cli/network.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct recipe {
    const char *name;
    uint32_t vertices;
    uint64_t edges;
    uint32_t communities;
    double size_exponent, degree_exponent, mixing, not_stated;
    bool by_degree; /* labels follow the degree instead */
} recipe;

static const recipe recipes[] = {
    {"teams", 120, 600, 12, 0, 0, 0.35, 0, false},           {"hubs", 400, 2000, 6, 2.5, 2.1, 0.3, 0, false},
    {"dense core", 300, 6000, 5, 3, 2.2, 0.4, 0, false},     {"coauthors", 3000, 9000, 30, 2.2, 2.8, 0.1, 0, false},
    {"attributes", 1000, 8000, 9, 2, 2.5, 0.6, 0.4, false},  {"by degree", 800, 4000, 8, 2.5, 2.4, 0.2, 0, true},
    {"many circles", 2000, 7000, 200, 2, 2.6, 0.3, 0, false}};

static void must(ksda_ctx *ctx, ksda_status status) {
    if (status >= 0) return;
    fprintf(stderr, "test set-up failed: %s\n", ksda_ctx_error(ctx)->message);
    abort();
}

/* Labels as an attribute that goes with the degree: mostly the rank of the degree, sometimes any. */
static void label_by_degree(ksda_ctx *ctx, uint32_t labels, ksda_network *net) {
    uint32_t n = net->graph->n, *of = malloc(n * sizeof *of);
    ksda_i_rng r = ksda_i_rng_stream(ksda_ctx_seed(ctx), 0x6c61626c, n);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t label = 0;
        for (uint32_t d = ksda_i_degree(net->graph, v); d > 1; d = 2 * d / 3) label++;
        if (ksda_i_rng_below(&r, 4) == 0) label = (uint32_t)ksda_i_rng_below(&r, labels);
        of[v] = label < labels ? label : labels - 1;
    }
    ksda_communities_free(ctx, net->communities);
    must(ctx, ksda_communities_from_labels(ctx, n, of, &net->communities));
    free(of);
}

static void make(ksda_ctx *ctx, const recipe *x, ksda_network *out) {
    ksda_planted_options o;
    ksda_planted_options_init(&o);
    o.vertices = x->vertices, o.edges = x->edges, o.communities = x->communities;
    o.size_exponent = x->size_exponent, o.degree_exponent = x->degree_exponent;
    o.mixing = x->mixing, o.not_stated = x->not_stated;
    *out = (ksda_network)KSDA_INIT(ksda_network);
    must(ctx, ksda_generate_planted(ctx, &o, &out->graph, &out->communities));
    if (x->by_degree) label_by_degree(ctx, x->communities, out);
}

const char *realistic_network(ksda_ctx *ctx, size_t i, ksda_network *out) {
    size_t built_in = 0;
    for (const char *name; (name = cli_builtin_name(built_in)); built_in++) {
        if (built_in != i) continue;
        must(ctx, cli_builtin_load(ctx, name, out));
        return name;
    }
    if (i - built_in >= sizeof recipes / sizeof *recipes) return NULL;
    make(ctx, &recipes[i - built_in], out);
    return recipes[i - built_in].name;
}

void named_network(ksda_ctx *ctx, const char *name, ksda_network *out) {
    const char *found;
    for (size_t i = 0; (found = realistic_network(ctx, i, out)); i++) {
        if (strcmp(found, name) == 0) return;
        ksda_network_clear(ctx, out);
    }
    fprintf(stderr, "test set-up failed: no network '%s'\n", name);
    abort();
}
