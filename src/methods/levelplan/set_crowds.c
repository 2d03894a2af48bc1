/* A census of communities beside the number of people: see set_crowds.h. Counting takes time linear in the set. */
#include "methods/levelplan/set_crowds.h"

#include "privacy/packing.h"

ksda_status ksda_i_set_crowds_open(ksda_ctx *ctx, const ksda_communities *communities, ksda_share share,
                                   uint32_t degrees, uint64_t memberships, ksda_i_set_crowds *out) {
    ksda_communities flat = *communities; /* what the census calls a community is one here, not a kind */
    *out = (ksda_i_set_crowds){.communities = communities};
    if (!share.denominator) return KSDA_OK;
    flat.count = flat.sets->count, flat.counted = flat.sets->counted, flat.sets = NULL;
    out->known = ksda_i_calloc(ctx, degrees, sizeof *out->known);
    if (!out->known) return KSDA_NOMEM;
    return ksda_i_census_open_share(ctx, &flat, 1, share, degrees,
                                    memberships < UINT32_MAX ? (uint32_t)memberships : UINT32_MAX, &out->census);
}

void ksda_i_set_crowds_close(ksda_ctx *ctx, ksda_i_set_crowds *x) {
    ksda_i_census_close(ctx, &x->census);
    ksda_i_free(ctx, x->known);
}

/* The communities that the vertex counts for; none where they are not known. */
static const uint32_t *counted_set(const ksda_i_set_crowds *x, uint32_t v, uint32_t *size) {
    const uint32_t *set = ksda_communities_set(x->communities, v, size);
    if (!ksda_i_kind_counts(x->communities, x->communities->of[v])) *size = 0;
    return set;
}

void ksda_i_set_crowds_count(ksda_i_set_crowds *x, uint32_t v, uint32_t degree, bool comes) {
    uint32_t size;
    const uint32_t *set = counted_set(x, v, &size);
    if (!x->known || size == 0) return;
    x->known[degree] += comes ? 1 : UINT32_MAX;
    for (uint32_t i = 0; i < size; i++) (comes ? ksda_i_census_add : ksda_i_census_remove)(&x->census, degree, set[i]);
}

bool ksda_i_set_crowds_hold(const ksda_i_set_crowds *x, uint32_t degree) {
    return !x->known || ksda_i_share_holds(x->census.model.share, x->census.crowd[degree].largest, x->known[degree]);
}

bool ksda_i_set_crowds_let_rise(const ksda_i_set_crowds *x, uint32_t v, uint32_t degree) {
    uint32_t size;
    const uint32_t *set = counted_set(x, v, &size);
    ksda_share most = x->census.model.share;
    if (!x->known || size == 0) return true;
    if (!ksda_i_share_holds(most, x->census.crowd[degree].largest, x->known[degree] - 1)) return false;
    for (uint32_t i = 0; i < size; i++)
        if (!ksda_i_share_holds(most, ksda_i_census_own(&x->census, degree + 1, set[i]) + 1, x->known[degree + 1] + 1))
            return false;
    return true;
}
