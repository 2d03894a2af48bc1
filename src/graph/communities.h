/* communities.h: a partition of the vertices, from inside. */
#ifndef KSDA_I_COMMUNITIES_H
#define KSDA_I_COMMUNITIES_H

#include "graph/ids.h"

#include <ksda/communities.h>

struct ksda_communities {
    uint32_t n, count;
    uint32_t counted; /* communities from this number on hold vertices of which none is known: they do not count */
    uint32_t unknown; /* communities from this number on hold the vertices without a community, counted or not */
    uint32_t given;  /* labels from this number on were made here, in the order of the vertices: a release mixes them */
    uint32_t *of;    /* [n] */
    uint32_t *start; /* [count + 1] members of c are member[start[c]] .. member[start[c + 1] - 1] */
    uint32_t *member; /* [n] ascending within a community */
    ksda_i_ids names; /* of the communities */
};

static inline uint32_t ksda_i_community_size(const ksda_communities *c, uint32_t i) {
    return c->start[i + 1] - c->start[i];
}

/* Vertices without a community. */
static inline uint32_t ksda_i_unassigned(const ksda_communities *c) {
    return c->start[c->count] - c->start[c->unknown];
}

/* Takes of (values below count, every value used) and names on success; on failure they stay the caller's. */
ksda_status ksda_i_communities_take(ksda_ctx *ctx, uint32_t n, uint32_t count, uint32_t *of, ksda_i_ids *names,
                                    ksda_communities **out);
/* The same where of[v] may be KSDA_NO_VERTEX: such vertices get further communities, as `unassigned` says, which must
 * not be KSDA_UNASSIGNED_REFUSE. All that names has are used. */
ksda_status ksda_i_communities_take_partial(ksda_ctx *ctx, uint32_t n, ksda_unassigned unassigned, uint32_t *of,
                                            ksda_i_ids *names, ksda_communities **out);
/* The communities of the pieces: piece p belongs where owner[p] does. Names are copied. to: [count] a permutation, the
 * new numbers of the communities; NULL: they keep theirs. */
ksda_status ksda_i_communities_pull(ksda_ctx *ctx, const ksda_communities *c, uint32_t pieces, const uint32_t *owner,
                                    const uint32_t *to, ksda_communities **out);

#endif
