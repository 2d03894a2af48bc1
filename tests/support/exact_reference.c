#include "exact_reference.h"

static bool diverse(const uint32_t *degree, const uint32_t *of, uint32_t n, uint32_t k) {
    for (uint32_t v = 0; v < n; v++) {
        uint32_t seen = 0;
        for (uint32_t w = 0; w < n; w++)
            if (degree[w] == degree[v]) seen |= 1u << of[w];
        if ((uint32_t)__builtin_popcount(seen) < k) return false;
    }
    return true;
}

int reference_add(const ksda_graph *g, const ksda_communities *c, uint32_t k) {
    uint32_t u[24], v[24], pairs = 0, degree[16];
    int best = -1;
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = a + 1; b < g->n; b++)
            if (c->of[a] == c->of[b] && !ksda_graph_adjacent(g, a, b)) u[pairs] = a, v[pairs++] = b;
    for (uint32_t set = 0; set < 1u << pairs; set++) {
        int size = __builtin_popcount(set);
        if (best >= 0 && size >= best) continue;
        for (uint32_t a = 0; a < g->n; a++) degree[a] = ksda_i_degree(g, a);
        for (uint32_t p = 0; p < pairs; p++)
            if (set >> p & 1) degree[u[p]]++, degree[v[p]]++;
        if (diverse(degree, c->of, g->n, k)) best = size;
    }
    return best;
}
