/* packing.h: how many of some sets of communities are pairwise disjoint?
 *
 * The one place that decides it. A partition is the case of sets with one community, and is decided as such. */
#ifndef KSDA_I_PACKING_H
#define KSDA_I_PACKING_H

#include "core/ctx.h"
#include "graph/communities.h"

#define KSDA_I_PACKING_WORK (UINT64_C(1) << 25) /* words looked at by one search, some tens of milliseconds */

/* Scratch for many questions about the same communities. */
typedef struct ksda_i_packer {
    ksda_ctx *ctx;
    const ksda_communities *communities;
    uint32_t *seen;  /* [kinds] stamp of the last question that had it */
    uint32_t *local; /* [communities] its number in this question + 1; 0 between questions */
    uint32_t stamp;
} ksda_i_packer;

typedef struct ksda_i_packing {
    uint32_t found; /* so many are pairwise disjoint: the first so many of `chosen` */
    uint32_t most;  /* no more can be; proved. Equal to found where the search was not cut short */
} ksda_i_packing;

ksda_status ksda_i_packer_open(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_packer *out);
void ksda_i_packer_close(ksda_i_packer *packer);

/* Of these kinds, which may repeat, as many as possible with pairwise disjoint sets; those that do not count towards k
 * are passed over.
 * enough: with so many it may end. work: after so much the search ends, and found < most may remain.
 * chosen: [count] receives the kinds. Time linear in the sets plus the search. KSDA_NOMEM; KSDA_INTERRUPTED. */
ksda_status ksda_i_pack(ksda_i_packer *packer, const uint32_t *kind, uint32_t count, uint32_t enough, uint64_t work,
                        uint32_t *chosen, ksda_i_packing *out);

/* May a vertex of that kind be a witness? */
static inline bool ksda_i_kind_counts(const ksda_communities *c, uint32_t kind) {
    return kind < c->counted;
}

#endif
