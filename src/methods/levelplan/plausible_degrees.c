/* Who may have another degree while added edges are exchanged.
 *
 * Where everybody has one community the census knows, move by move. Where people have several, k of each degree in
 * pairwise disjoint sets are looked for once, in the release that came in, and keep their degree: whoever else comes
 * and goes, that degree is safe, and nobody comes to another one. A share bound is counted beside it. */
#include "methods/levelplan/plausible.h"
#include "privacy/witnesses.h"

/* Mark the witnesses, and the degrees that have them. Where they could not all be found nobody's degree changes. */
static ksda_status find_witnesses(ksda_i_disguise *d, uint32_t k) {
    const ksda_i_view view = {d->ctx, d->then, d->communities, d->owner, k};
    uint32_t *witness = NULL;
    uint64_t count = 0;
    bool right;
    char error[512];
    ksda_status status = ksda_i_witnesses_find(&view, &witness, &count, &right, error, sizeof error);
    for (uint64_t i = 0; i < count && status >= 0 && right; i++)
        d->stays[witness[i]] = 1, d->safe[d->degree[witness[i]]] = 1;
    ksda_i_free(d->ctx, witness);
    return status;
}

static ksda_status count_sets(ksda_i_disguise *d, uint32_t k, ksda_share share) {
    ksda_status status;
    uint64_t memberships = 0;
    d->stays = ksda_i_calloc(d->ctx, d->pieces, 1);
    d->safe = ksda_i_calloc(d->ctx, d->degrees, 1);
    KSDA_I_TRY(d->stays && d->safe ? KSDA_OK : KSDA_NOMEM);
    for (uint32_t p = 0, size; p < d->pieces; p++)
        ksda_communities_set(d->communities, d->owner[p], &size), memberships += size;
    KSDA_I_TRY(ksda_i_rolls_new(d->ctx, d->communities, &d->rolls));
    KSDA_I_TRY(ksda_i_set_crowds_open(d->ctx, d->communities, share, d->degrees, memberships, &d->crowds));
    for (uint32_t p = 0; p < d->pieces; p++) ksda_i_set_crowds_count(&d->crowds, d->owner[p], d->degree[p], true);
    KSDA_I_TRY(find_witnesses(d, k));
done:
    return status;
}

ksda_status ksda_i_disguise_count(ksda_i_disguise *d, uint32_t k, ksda_share share) {
    if (d->communities->sets) return count_sets(d, k, share);
    ksda_status status = ksda_i_census_open_share(d->ctx, d->communities, k, share, d->degrees, d->pieces, &d->census);
    for (uint32_t p = 0; p < d->pieces && status >= 0; p++)
        ksda_i_census_add(&d->census, d->degree[p], d->communities->of[d->owner[p]]);
    return status;
}

void ksda_i_disguise_shift(ksda_i_disguise *d, uint32_t p, int by) {
    uint32_t from = d->degree[p], to = from + (uint32_t)by, v = d->owner[p];
    d->degree[p] = to;
    if (!d->communities->sets) {
        ksda_i_census_move(&d->census, d->communities->of[v], from, to);
        return;
    }
    ksda_i_set_crowds_count(&d->crowds, v, from, false);
    ksda_i_set_crowds_count(&d->crowds, v, to, true);
}

bool ksda_i_disguise_in_order(const ksda_i_disguise *d, uint32_t p, int by) {
    uint32_t to = d->degree[p], from = to - (uint32_t)by;
    if (d->keeps[p]) return false;
    if (!d->communities->sets)
        return ksda_i_census_in_order(&d->census, to) && ksda_i_census_in_order(&d->census, from);
    return !d->stays[p] && d->safe[to] && ksda_i_set_crowds_hold(&d->crowds, to) &&
           ksda_i_set_crowds_hold(&d->crowds, from);
}
