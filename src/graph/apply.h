/* apply.h: the published graph row by row: for ksda_edits_apply(), which makes all rows at once, and for overlay.c,
 * which makes them when they are asked for. */
#ifndef KSDA_I_APPLY_H
#define KSDA_I_APPLY_H

#include "graph/edits.h"

/* Both ends of a list of edges as keys, piece in the upper half, neighbour in the lower, ascending. */
typedef struct ksda_i_end_list {
    uint64_t *key;
    uint64_t count;
} ksda_i_end_list;

typedef struct ksda_i_applying {
    ksda_ctx *ctx;
    const ksda_edits *edits;
    const uint32_t *to; /* [pieces] new numbers, or NULL */
    uint32_t pieces;
    ksda_i_end_list extra; /* added edges and links */
    ksda_i_end_list removed;
    char *touched;       /* [n] the row is not simply the original one */
    uint64_t *off;       /* [pieces + 1] by new number */
    uint32_t longest;    /* row */
    uint32_t *adj;       /* where all rows go; NULL: they are not kept, and */
    uint32_t *dealt;     /* here are the original edges of the pieces of split vertices, those of */
    uint64_t *dealt_off; /* [splits + further pieces + 1] split number s, or of further piece p, from here on */
} ksda_i_applying;

/* Check the edits, measure all rows, and deal out those of split vertices. keep: make room for all rows. Cleared
 * whatever happens; what is kept beyond that is set to NULL before. KSDA_INVALID, KSDA_NOMEM, KSDA_INTERRUPTED. */
ksda_status ksda_i_applying_begin(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, bool keep,
                                  ksda_i_applying *out);
void ksda_i_applying_clear(ksda_i_applying *j);

/* The row of piece p under the new numbers. row, scratch: [longest], of one thread; row
 * may be its place in adj. False when a sorted row has a neighbour twice. From any thread. */
bool ksda_i_applying_row(const ksda_i_applying *j, uint32_t p, ksda_i_row_order order, uint32_t *row,
                         uint32_t *scratch);
/* Say which edge is there twice. row: of p, which has one. KSDA_INVALID */
ksda_status ksda_i_applying_complain(const ksda_i_applying *j, uint32_t p, const uint32_t *row);

/* The new number of a piece. */
static inline uint32_t ksda_i_applying_number(const ksda_i_applying *j, uint32_t p) {
    return j->to ? j->to[p] : p;
}

/* All rows, as a graph of its own. key: the one that the new numbers are made of, or NULL. */
ksda_status ksda_i_edits_apply_as(ksda_ctx *ctx, const ksda_edits *edits, const uint32_t *to, const uint8_t *key,
                                  ksda_graph **out);

#endif
