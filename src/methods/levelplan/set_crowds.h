/* set_crowds.h: how many people of each degree have each community, where they may have several, and whether a share
 * bound holds there. A vertex counts for each community of its set; those whose communities are not known count for
 * nothing. */
#ifndef KSDA_I_SET_CROWDS_H
#define KSDA_I_SET_CROWDS_H

#include "privacy/census.h"

typedef struct ksda_i_set_crowds {
    const ksda_communities *communities;
    ksda_i_census census; /* of communities, not of kinds */
    uint32_t *known;      /* [degrees] vertices whose communities are; NULL without a share bound, where all holds */
} ksda_i_set_crowds;

/* For degrees 0 .. degrees - 1 and so many memberships of all vertices at a time; empty. Close it also after a failure.
 * A share of 0 of 0 is none: nothing is counted then. */
ksda_status ksda_i_set_crowds_open(ksda_ctx *ctx, const ksda_communities *communities, ksda_share share,
                                   uint32_t degrees, uint64_t memberships, ksda_i_set_crowds *out);
void ksda_i_set_crowds_close(ksda_ctx *ctx, ksda_i_set_crowds *crowds);

/* The vertex comes to the degree, or leaves it. */
void ksda_i_set_crowds_count(ksda_i_set_crowds *crowds, uint32_t v, uint32_t degree, bool comes);
/* Is no community above its share at the degree? */
bool ksda_i_set_crowds_hold(const ksda_i_set_crowds *crowds, uint32_t degree);
/* May the vertex go on from the degree to the next? What is left at its own is asked for no less than there is now. */
bool ksda_i_set_crowds_let_rise(const ksda_i_set_crowds *crowds, uint32_t v, uint32_t degree);

#endif
