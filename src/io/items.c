/* Vertices and edges one after the other. */
#include "io/items.h"

#include "graph/walk.h"

#define LOOK_ITEMS 16384 /* vertices between two looks whether to stop */

ksda_status ksda_i_write_vertices(const ksda_i_items *items, ksda_i_vertex_item fn) {
    ksda_status status = KSDA_OK;
    for (uint32_t v = 0; v < items->graph->n; v++) {
        KSDA_I_TRY(ksda_i_look(items->ctx, v));
        KSDA_I_TRY(fn(items, v));
    }
done:
    return status;
}

ksda_status ksda_i_write_edges(const ksda_i_items *items, ksda_i_edge_item fn) {
    const ksda_graph *g = items->graph;
    uint64_t number = 0;
    ksda_i_walk walk;
    const uint32_t *row;
    ksda_status status;
    KSDA_I_TRY(ksda_i_walk_begin(items->ctx, g, &walk));
    for (uint32_t u = 0; u < g->n; u++) {
        if (u % LOOK_ITEMS == 0) KSDA_I_TRY(ksda_i_progress(items->ctx, "writing", u, g->n));
        KSDA_I_TRY(ksda_i_walk_to(&walk, u, &row));
        for (uint32_t i = 0, degree = ksda_i_degree(g, u); i < degree; i++)
            if (row[i] > u) KSDA_I_TRY(fn(items, number++, u, row[i]));
    }
done:
    ksda_i_walk_end(&walk);
    return status;
}
