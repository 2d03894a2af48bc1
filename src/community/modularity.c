/* Newman's modularity: Q = sum over communities of e_c / m - (K_c / 2m)^2, with e_c the edges inside a community and
 * K_c the sum of its degrees. Exact counts, one rounding per community. */
#include "community/leiden.h"
#include "graph/communities.h"
#include "graph/graph.h"

double ksda_modularity(const ksda_graph *graph, const ksda_communities *communities) {
    double ends = 2 * (double)graph->m, sum = 0;
    for (uint32_t c = 0; graph->m && c < communities->count; c++) {
        uint64_t inside = 0, degrees = 0; /* ends inside, all ends */
        for (uint32_t i = communities->start[c]; i < communities->start[c + 1]; i++) {
            uint32_t v = communities->member[i];
            degrees += ksda_i_degree(graph, v);
            for (uint64_t j = graph->off[v]; j < graph->off[v + 1]; j++) inside += communities->of[graph->adj[j]] == c;
        }
        sum += ksda_i_modularity_share(inside, degrees, ends);
    }
    return sum;
}
