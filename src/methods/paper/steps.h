/* steps.h: the paper's two procedures, mergence and creation. */
#ifndef KSDA_I_STEPS_H
#define KSDA_I_STEPS_H

#include "methods/paper/state.h"

#define KSDA_I_IMPOSSIBLE UINT64_MAX

/* What placing a vertex, or founding a group, would cost in added edges. */
typedef struct ksda_i_offer {
    uint64_t cost;   /* KSDA_I_IMPOSSIBLE: cannot be done */
    uint32_t target; /* the group's degree */
    uint32_t size;   /* creation: members found */
} ksda_i_offer;

/* The cost of bringing u, not yet placed, to degree t. */
uint64_t ksda_i_cost_to(ksda_i_state *s, uint32_t u, uint32_t t, ksda_status *status);
/* Place v, the first vertex of all, by mergence if that is strictly cheaper, else by creation. member: [founders]
 * scratch. *done is false, and nothing has changed, when neither is possible. */
ksda_status ksda_i_step(ksda_i_state *s, uint32_t v, uint32_t *member, bool *done);

/* The failure of a method at vertex v: who, why and how far. Returns KSDA_NOT_FOUND. */
ksda_status ksda_i_not_found(ksda_i_state *s, uint32_t v, const char *why);

#endif
