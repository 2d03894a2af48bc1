/* Connected components, by breadth-first search. Time O(n + m), memory 8 bytes a vertex. */
#include "measure/measure.h"

ksda_status ksda_components(ksda_ctx *ctx, const ksda_graph *graph, uint32_t *out, uint32_t *count) {
    const ksda_graph *g = graph;
    uint32_t *queue = ksda_i_malloc(ctx, g->n, sizeof *queue), components = 0;
    if (!queue) return KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++) out[v] = KSDA_NO_VERTEX;
    for (uint32_t root = 0; root < g->n; root++) {
        if (out[root] != KSDA_NO_VERTEX) continue;
        uint32_t head = 0, tail = 0;
        out[root] = components;
        queue[tail++] = root;
        while (head < tail) {
            uint32_t v = queue[head++];
            for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
                uint32_t u = g->adj[e];
                if (out[u] != KSDA_NO_VERTEX) continue;
                out[u] = components;
                queue[tail++] = u;
            }
        }
        components++;
    }
    ksda_i_free(ctx, queue);
    if (count) *count = components;
    return KSDA_OK;
}

ksda_status ksda_i_measuring_components(ksda_i_measuring *m) {
    ksda_status status = KSDA_OK;
    if (m->component_size) return KSDA_OK;
    uint32_t n = m->g->n, *size = NULL, *component = ksda_i_malloc(m->ctx, n, sizeof *component);
    if (!component) return KSDA_NOMEM;
    KSDA_I_TRY(ksda_components(m->ctx, m->g, component, &m->components));
    size = ksda_i_calloc(m->ctx, m->components, sizeof *size);
    if (!size) {
        status = KSDA_NOMEM;
        goto done;
    }
    for (uint32_t v = 0; v < n; v++) size[component[v]]++;
    m->component = component;
    m->component_size = size;
    component = NULL;
done:
    ksda_i_free(m->ctx, component);
    return status;
}

ksda_status ksda_i_pass_components(ksda_i_measuring *m) {
    uint32_t largest = 0;
    ksda_status status = ksda_i_measuring_components(m);
    if (status < 0) return status;
    for (uint32_t c = 0; c < m->components; c++)
        if (m->component_size[c] > largest) largest = m->component_size[c];
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_COMPONENTS], m->components);
    ksda_i_set_exact(&m->out->value[KSDA_MEASURE_LARGEST_COMPONENT], largest);
    return KSDA_OK;
}
