/* edits.h: edits from inside. */
#ifndef KSDA_I_EDITS_H
#define KSDA_I_EDITS_H

#include "graph/graph.h"

#include <ksda/edits.h>

typedef struct ksda_i_pairs {
    ksda_pair *pair;
    uint64_t count, capacity;
} ksda_i_pairs;

typedef struct ksda_i_split {
    uint32_t vertex;
    uint32_t *carrier; /* [degree] the piece that carries each entry of the vertex's row */
} ksda_i_split;

struct ksda_edits {
    const ksda_graph *graph;
    ksda_i_pairs added, links, removed;
    uint32_t *owner; /* of the pieces n, n + 1, ... */
    uint64_t extra, owner_capacity;
    uint32_t *split_of; /* [n] record + 1, or 0; NULL until something is split */
    ksda_i_split *split;
    uint64_t splits, split_capacity;
};

static inline const ksda_i_split *ksda_i_split_of(const ksda_edits *e, uint32_t v) {
    return e->split_of && e->split_of[v] ? &e->split[e->split_of[v] - 1] : NULL;
}

/* The same edits again, to be changed. O(pieces + edges). */
ksda_status ksda_i_edits_copy(ksda_ctx *ctx, const ksda_edits *from, ksda_edits **out);

#endif
