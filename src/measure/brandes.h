/* brandes.h: dependencies of eight sources at once, on classes of twins. */
#ifndef KSDA_I_BRANDES_H
#define KSDA_I_BRANDES_H

#include "measure/classes.h"

#define KSDA_I_BRANDES_LANES 8

/* What one thread needs. */
typedef struct ksda_i_brandes ksda_i_brandes;
/* room: the largest number of classes of the graphs to come. */
ksda_status ksda_i_brandes_new(ksda_ctx *ctx, uint32_t room, ksda_i_brandes **out);
void ksda_i_brandes_free(ksda_ctx *ctx, ksda_i_brandes *b);

/* Add to sum[c] of every class c what its members have of the shortest paths from count <= 8 different sources to all
 * other classes: the sum over sources of factor[i] * dependency, a dependency being that of one member of c. Leaves off
 * half-way when the context is cancelled. */
void ksda_i_brandes_run(ksda_i_brandes *b, const ksda_i_classes *g, uint32_t count, const uint32_t *source,
                        const double *factor, double *sum);

#endif
