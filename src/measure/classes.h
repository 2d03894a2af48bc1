/* classes.h: a block with its twins taken together. */
#ifndef KSDA_I_CLASSES_H
#define KSDA_I_CLASSES_H

#include "measure/order.h"

/* Two vertices are twins when they have the same neighbours, each other aside. They are at the same distance from
 * everybody else and lie on the same shortest paths, so one of them stands for all. */
typedef struct ksda_i_classes {
    uint32_t count;
    uint64_t *off;   /* [count + 1] */
    uint32_t *adj;   /* neighbouring classes */
    uint32_t *of;    /* [vertices of the block] class of each */
    double *members; /* [count] */
    double *weight;  /* [count] sum of the members' weights */
    double *within;  /* [count] for classes of vertices that are not adjacent: pairs of weights inside, divided by the
                        neighbours that share the paths between them; else 0 */
} ksda_i_classes;

/* Scratch of one thread, for blocks of one graph. */
typedef struct ksda_i_twins {
    uint32_t *local; /* [n] number of a vertex in the block, valid where stamp[v] is the current one */
    uint32_t *stamp; /* [n] */
    uint32_t now;
} ksda_i_twins;
ksda_status ksda_i_twins_new(ksda_ctx *ctx, uint32_t n, ksda_i_twins *t);
void ksda_i_twins_clear(ksda_ctx *ctx, ksda_i_twins *t);

/* vertex [size] ascending, weight [size]. All memory of out belongs to it. */
ksda_status ksda_i_classes_find(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_twins *t, uint32_t size,
                                const uint32_t *vertex, const double *weight, ksda_i_classes *out);
void ksda_i_classes_clear(ksda_ctx *ctx, ksda_i_classes *c);

#endif
