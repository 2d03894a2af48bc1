/* Newman's modularity: Q = sum over communities of e_c / m - (K_c / 2m)^2, with e_c the edges inside a community and
 * K_c the sum of its degrees. Exact counts, one rounding per community. */
#include "community/leiden.h"
#include "graph/communities.h"
#include "graph/peers.h"

/* Neighbours of v in its own community. */
static uint32_t inside_of(const ksda_graph *g, const uint32_t *of, uint32_t v) {
    uint32_t inside = 0;
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) inside += of[g->adj[i]] == of[v];
    return inside;
}

/* counted: how many neighbours each vertex has in its own community; NULL: to be counted. */
static double sum_up(const ksda_graph *g, const ksda_communities *c, const uint32_t *counted, uint64_t *all) {
    double ends = 2 * (double)g->m, sum = 0;
    *all = 0;
    for (uint32_t i = 0; g->m && i < c->count; i++) {
        uint64_t inside = 0, degrees = 0; /* ends inside, all ends */
        for (uint32_t j = c->start[i]; j < c->start[i + 1]; j++) {
            uint32_t v = c->member[j];
            degrees += ksda_i_degree(g, v);
            inside += counted ? counted[v] : inside_of(g, c->of, v);
        }
        sum += ksda_i_modularity_share(inside, degrees, ends);
        *all += inside;
    }
    return sum;
}

double ksda_modularity(const ksda_graph *graph, const ksda_communities *communities) {
    uint64_t inside;
    ksda_i_graph_need_all(graph);
    return sum_up(graph, communities, NULL, &inside);
}

ksda_status ksda_i_modularity(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              uint64_t *inside, double *modularity) {
    ksda_status status = KSDA_OK;
    uint32_t *counted = NULL;
    if (graph->far) {
        counted = ksda_i_malloc(ctx, graph->n, sizeof *counted);
        status = counted ? graph->far->inside(ctx, graph, communities->of, counted) : KSDA_NOMEM;
    }
    if (status >= 0) *modularity = sum_up(graph, communities, counted, inside);
    ksda_i_free(ctx, counted);
    return status;
}
