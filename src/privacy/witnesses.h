/* witnesses.h: people who show that a degree is safe where everybody may have several communities. */
#ifndef KSDA_I_WITNESSES_H
#define KSDA_I_WITNESSES_H

#include "graph/graph.h"
#include "privacy/packing.h"

#include <ksda/privacy.h>

/* A published graph, and who is behind its vertices; owner NULL: they are the people themselves. */
typedef struct ksda_i_view {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities; /* of the people */
    const uint32_t *owner;
    uint32_t k;
} ksda_i_view;

static inline const uint32_t *ksda_i_view_kind(const ksda_i_view *x, uint32_t p) {
    return &x->communities->of[x->owner ? x->owner[p] : p];
}

/* Are these the k witnesses, or more, of every degree that occurs? Linear, but for sorting their communities. *error is
 * filled in where they are not. */
ksda_status ksda_i_witnesses_check(const ksda_i_view *x, const uint32_t *witness, uint64_t count, bool *right,
                                   char *error, size_t size);
/* Find them: k for each degree, by ascending degree. *right is false, with *error filled in, where a degree does not
 * have them, or it could not be decided. *witness is the caller's. */
ksda_status ksda_i_witnesses_find(const ksda_i_view *x, uint32_t **witness, uint64_t *count, bool *right, char *error,
                                  size_t size);
/* Is no community in more than this share of the sets of a degree? */
ksda_status ksda_i_sets_within(const ksda_i_view *x, ksda_share most, bool *right, char *error, size_t size);

#endif
