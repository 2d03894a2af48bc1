/* Who stands at which degree; see census.h.
 *
 * The sparse cells are in a hash table with linear probing. A vertex has one cell, so no more are in use than there are
 * vertices, the table never grows, and a cell that becomes empty is taken out by moving back those behind it (Knuth,
 * The Art of Computer Programming 3, 6.4, Algorithm R): no traces pile up however often vertices move. */
#include "privacy/census.h"

#define DENSE_CELLS (UINT64_C(1) << 22) /* as many cells are kept for any number of vertices: faster than a table */
#define DENSE_EACH 16u                  /* and as many for each vertex, the size of its share of a table */

/* --- sparse cells ------------------------------------------------------------------------------------------------- */

static uint64_t key_of(uint32_t degree, uint32_t community) {
    return (uint64_t)degree << 32 | community;
}

/* The slot of the key, or the empty one where it belongs. */
static uint64_t find_slot(const ksda_i_census *x, uint64_t key) {
    uint64_t i = ksda_i_hash_number(&x->key, key) & x->mask;
    while (x->slot[i].count && x->slot[i].key != key) i = (i + 1) & x->mask;
    return i;
}

uint32_t ksda_i_census_slot_count(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    return x->slot[find_slot(x, key_of(degree, community))].count;
}

uint32_t ksda_i_census_slot_add(ksda_i_census *x, uint32_t degree, uint32_t community) {
    ksda_i_census_slot *slot = &x->slot[find_slot(x, key_of(degree, community))];
    slot->key = key_of(degree, community);
    return slot->count++;
}

/* Slot i is empty: cells that were pushed past it move up. */
static void close_gap(ksda_i_census *x, uint64_t i) {
    for (uint64_t j = (i + 1) & x->mask; x->slot[j].count; j = (j + 1) & x->mask) {
        uint64_t wanted = ksda_i_hash_number(&x->key, x->slot[j].key) & x->mask;
        if (((j - wanted) & x->mask) < ((j - i) & x->mask)) continue; /* it belongs behind the gap */
        x->slot[i] = x->slot[j];
        x->slot[i = j].count = 0;
    }
}

uint32_t ksda_i_census_slot_remove(ksda_i_census *x, uint32_t degree, uint32_t community) {
    uint64_t i = find_slot(x, key_of(degree, community));
    uint32_t left = --x->slot[i].count;
    if (!left) close_gap(x, i);
    return left;
}

/* --- people ------------------------------------------------------------------------------------------------------- */

/* The most vertices of one community at the degree, of all that count but this one. */
static uint32_t largest_but(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    uint32_t largest = 0;
    for (uint32_t c = 0; c < x->model.counted; c++) {
        uint32_t own = ksda_i_census_own(x, degree, c);
        if (own > largest && c != community) largest = own;
    }
    return largest;
}

void ksda_i_census_crowd_came(ksda_i_census *x, uint32_t degree, uint32_t community, uint32_t own) {
    if (!ksda_i_model_counts(&x->model, community)) return;
    x->crowd[degree].known++;
    if (own > x->crowd[degree].largest) x->crowd[degree].largest = own;
}

void ksda_i_census_crowd_went(ksda_i_census *x, uint32_t degree, uint32_t community, uint32_t own) {
    ksda_i_crowd *crowd = &x->crowd[degree];
    if (!ksda_i_model_counts(&x->model, community)) return;
    crowd->known--;
    if (own + 1 < crowd->largest) return;
    uint32_t others = largest_but(x, degree, community);
    crowd->largest = own > others ? own : others;
}

bool ksda_i_census_share_without(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    const ksda_i_crowd *crowd = &x->crowd[degree];
    if (!ksda_i_model_counts(&x->model, community)) return true;
    if (ksda_i_share_holds(x->model.share, crowd->largest, crowd->known - 1)) return true;
    uint32_t own = ksda_i_census_own(x, degree, community);
    if (own < crowd->largest) return false;
    uint32_t others = largest_but(x, degree, community);
    return ksda_i_share_holds(x->model.share, own - 1 > others ? own - 1 : others, crowd->known - 1);
}

bool ksda_i_census_share_with(const ksda_i_census *x, uint32_t degree, uint32_t community) {
    const ksda_i_crowd *crowd = &x->crowd[degree];
    if (!ksda_i_model_counts(&x->model, community)) return true;
    uint32_t own = ksda_i_census_own(x, degree, community) + 1;
    return ksda_i_share_holds(x->model.share, own > crowd->largest ? own : crowd->largest, crowd->known + 1);
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

static ksda_status begin_census(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, uint32_t degrees,
                                ksda_i_census *out) {
    *out = (ksda_i_census){.model = ksda_i_census_model_of(communities, k),
                           .degrees = degrees,
                           .communities = communities->count,
                           .key = ctx->hash_key};
    out->tally = ksda_i_calloc(ctx, degrees, sizeof *out->tally);
    return out->tally ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_census_open(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, uint32_t degrees,
                               uint32_t vertices, ksda_i_census *out) {
    uint64_t cells = (uint64_t)degrees * communities->count;
    if (begin_census(ctx, communities, k, degrees, out) < 0) return KSDA_NOMEM;
    if (cells <= DENSE_CELLS || cells <= DENSE_EACH * (uint64_t)vertices) {
        out->cell = ksda_i_calloc(ctx, cells, sizeof *out->cell);
        return out->cell ? KSDA_OK : KSDA_NOMEM;
    }
    for (out->mask = 1; out->mask < 2 * (uint64_t)vertices + 1;) out->mask = 2 * out->mask + 1;
    out->slot = ksda_i_calloc(ctx, out->mask + 1, sizeof *out->slot);
    return out->slot ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_census_open_share(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, ksda_share share,
                                     uint32_t degrees, uint32_t vertices, ksda_i_census *out) {
    ksda_status status = ksda_i_census_open(ctx, communities, k, degrees, vertices, out);
    if (status < 0 || !share.denominator) return status;
    out->model.share = share;
    out->crowd = ksda_i_calloc(ctx, degrees, sizeof *out->crowd);
    return out->crowd ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_census_open_ordered(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k, uint32_t degrees,
                                       ksda_i_census *out) {
    if (begin_census(ctx, communities, k, degrees, out) < 0) return KSDA_NOMEM;
    out->last = ksda_i_calloc(ctx, degrees, sizeof *out->last);
    return out->last ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_census_close(ksda_ctx *ctx, ksda_i_census *census) {
    ksda_i_free(ctx, census->tally);
    ksda_i_free(ctx, census->cell);
    ksda_i_free(ctx, census->last);
    ksda_i_free(ctx, census->slot);
    ksda_i_free(ctx, census->crowd);
    *census = (ksda_i_census){.degrees = 0};
}

void ksda_i_census_empty(ksda_i_census *census, uint32_t degrees) {
    census->degrees = degrees;
    memset(census->tally, 0, degrees * sizeof *census->tally);
    if (census->cell) memset(census->cell, 0, (uint64_t)degrees * census->communities * sizeof *census->cell);
    if (census->crowd) memset(census->crowd, 0, degrees * sizeof *census->crowd);
    if (census->last) memset(census->last, 0, degrees * sizeof *census->last);
    if (census->slot) memset(census->slot, 0, (census->mask + 1) * sizeof *census->slot);
}

uint32_t ksda_i_census_disorder(const ksda_i_census *census) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < census->degrees; d++) count += !ksda_i_census_in_order(census, d);
    return count;
}
