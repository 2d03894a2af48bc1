/* rmat_cell.h: drawing one square of an R-MAT adjacency matrix. */
#ifndef KSDA_I_RMAT_CELL_H
#define KSDA_I_RMAT_CELL_H

#include "core/random.h"

#include <ksda/detect.h>

#define KSDA_I_RMAT_TABLE 4 /* levels decided by one draw */

typedef struct ksda_i_alias {
    uint32_t threshold; /* keep the entry when 32 random bits are below; else take the other */
    uint8_t self, other;
} ksda_i_alias;

/* What all cells share. */
typedef struct ksda_i_rmat {
    double p[2][2]; /* of a quadrant: [bit of u][bit of v] */
    double largest; /* of the four */
    uint32_t scale; /* levels of the whole matrix */
    uint64_t vertices;
    double early, late; /* times; late may be infinite */
    ksda_i_alias alias[KSDA_I_RMAT_TABLE + 1]
                      [1 << 2 * KSDA_I_RMAT_TABLE]; /* by number of levels: u bits, then v bits */
} ksda_i_rmat;

/* A growing list of keys: u's and v's bits inside the cell, then one bit: set when the edge came after `early`. */
typedef struct ksda_i_keys {
    uint64_t *key;
    uint64_t count, capacity;
} ksda_i_keys;

void ksda_i_rmat_tables(ksda_i_rmat *m);
/* Of the edge u-v, in whichever direction. */
double ksda_i_rmat_rate(const ksda_i_rmat *m, uint64_t u, uint64_t v);

/* Draw the edges that arrive until m->late in the cell whose rows have the leading bits row and columns column, row <=
 * column, of `levels` further bits. Appends keys with repetitions, in any order. KSDA_OK or KSDA_NOMEM. */
ksda_status ksda_i_rmat_cell(ksda_ctx *ctx, const ksda_i_rmat *m, uint32_t row, uint32_t column, uint32_t levels,
                             ksda_i_rng *rng, ksda_i_keys *keys);

/* ksda_generate_rmat() of options that were checked, with others where there are any. */
ksda_status ksda_i_generate_together(ksda_ctx *ctx, const ksda_rmat_options *options, ksda_graph **out);

#endif
