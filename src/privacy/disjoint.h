/* disjoint.h: what a degree gives away where people have several communities. */
#ifndef KSDA_I_DISJOINT_H
#define KSDA_I_DISJOINT_H

#include "privacy/packing.h"

#include <ksda/privacy.h>

/* Scratch for many degrees of one network. */
typedef struct ksda_i_disjoint {
    ksda_i_packer packer;
    uint32_t *count;  /* [communities] all 0 between degrees */
    uint32_t *chosen; /* [vertices] */
} ksda_i_disjoint;

/* For at most so many vertices of one degree. Closing is fine after a failure, and for one that is all zero. */
ksda_status ksda_i_disjoint_open(ksda_ctx *ctx, const ksda_communities *communities, uint32_t vertices,
                                 ksda_i_disjoint *out);
void ksda_i_disjoint_close(ksda_ctx *ctx, ksda_i_disjoint *d);

/* Count the group of one degree, of vertices of these kinds: group->communities is how many witnesses there are, *most
 * how many there can be, the likeliest community the one that most of the sets contain; entropy is that of the set.
 * share and whose: of a community that counts, among the vertices that have one. */
ksda_status ksda_i_disjoint_group(ksda_i_disjoint *d, const uint32_t *kind, uint32_t size, ksda_degree_group *group,
                                  uint32_t *most, ksda_share *share, uint32_t *whose);
/* Vertices in the largest community. */
uint32_t ksda_i_disjoint_largest(ksda_i_disjoint *d);

#endif
