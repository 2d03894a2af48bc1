/* steps.h: the paper's two procedures, mergence and creation. */
#ifndef KSDA_I_STEPS_H
#define KSDA_I_STEPS_H

#include "anonymize/state.h"

#define KSDA_I_IMPOSSIBLE UINT64_MAX

/* What placing a vertex, or founding a group, would cost in added edges. */
typedef struct ksda_i_offer {
    uint64_t cost;   /* KSDA_I_IMPOSSIBLE: cannot be done */
    uint32_t target; /* the group's degree */
    uint32_t size;   /* creation: members found */
} ksda_i_offer;

/* The cheapest existing group for v. Among groups that cost nothing, the one with the largest degree. */
ksda_status ksda_i_mergence(ksda_i_state *s, uint32_t v, ksda_i_offer *out);
/* Largest degrees first: a new group of degree t from v, its community's first vertex, and the k - 1 cheapest first vertices of
 * other communities, into member[0 .. k - 1]. Offers above `limit` may be reported as impossible. */
ksda_status ksda_i_creation_at(ksda_i_state *s, uint32_t v, uint32_t t, uint64_t limit, uint32_t *member, ksda_i_offer *out);
/* Place all members of an offer. */
ksda_status ksda_i_create(ksda_i_state *s, const uint32_t *member, const ksda_i_offer *offer);

/* Run EdgeConnect's loop until all is placed, or until neither procedure can place the vertex that is due: then
 * *stuck is that vertex, else KSDA_I_NONE. member: [k] scratch. */
ksda_status ksda_i_connect_all(ksda_i_state *s, uint32_t *member, uint32_t *stuck);
/* The failure of a method at vertex v: who, why, how far, and what to use instead. Returns KSDA_NOT_FOUND. */
ksda_status ksda_i_not_found(ksda_i_state *s, uint32_t v, const char *why);

#endif
