/* Candidates with several communities each.
 *
 * They are counted by kind, as everywhere; here the kinds are spread over their communities, so that the likeliest is
 * the one that most candidates have in their sets, and the kinds that are there are packed: how many are pairwise
 * disjoint, up to k? What the packing does not decide is no yes. Time linear in the sets of the kinds, and the packing.
 */
#include "attack/attack.h"

ksda_status ksda_i_spreading_new(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_spreading **out) {
    uint32_t count = ksda_communities_set_count(communities);
    ksda_i_spreading *s = *out = ksda_i_calloc(ctx, 1, sizeof *s);
    if (!s) return KSDA_NOMEM;
    s->in = ksda_i_calloc(ctx, count, sizeof *s->in);
    s->there = ksda_i_malloc(ctx, count, sizeof *s->there);
    s->present = ksda_i_malloc(ctx, communities->count, sizeof *s->present);
    s->chosen = ksda_i_malloc(ctx, communities->count, sizeof *s->chosen);
    if (!s->in || !s->there || !s->present || !s->chosen) return KSDA_NOMEM;
    return ksda_i_packer_open(ctx, communities, &s->packer);
}

void ksda_i_spreading_free(ksda_ctx *ctx, ksda_i_spreading *s) {
    if (!s) return;
    if (s->packer.ctx) ksda_i_packer_close(&s->packer);
    ksda_i_free(ctx, s->in);
    ksda_i_free(ctx, s->there);
    ksda_i_free(ctx, s->present);
    ksda_i_free(ctx, s->chosen);
    ksda_i_free(ctx, s);
}

ksda_status ksda_i_spread(const ksda_i_tallying *t, uint32_t k, ksda_i_candidates *out) {
    ksda_i_spreading *s = t->spread;
    ksda_i_packing packing;
    uint32_t present = 0, size;
    while (s->used > 0) s->in[s->there[--s->used]] = 0;
    for (uint32_t i = 0; i < t->used; i++) {
        uint32_t kind = t->touched[i];
        if (t->count[kind] == 0) continue;
        s->present[present++] = kind;
        const uint32_t *set = ksda_i_set(t->communities, &kind, &size);
        for (uint32_t j = 0; j < size; j++) {
            if (s->in[set[j]] == 0) s->there[s->used++] = set[j];
            s->in[set[j]] += t->count[kind];
        }
    }
    out->most = out->ties = 0;
    for (uint32_t i = 0; i < s->used; i++) {
        uint32_t here = s->in[s->there[i]];
        out->ties = here > out->most ? 1 : out->ties + (here == out->most);
        if (here > out->most) out->most = here;
    }
    if (present < 2) return KSDA_OK; /* whether the one kind counts is known */
    ksda_status status = ksda_i_pack(&s->packer, s->present, present, k, KSDA_I_PACKING_WORK, s->chosen, &packing);
    if (status >= 0) out->communities = packing.found;
    return status;
}

ksda_i_own ksda_i_spread_own(const ksda_i_tallying *t, const ksda_i_candidates *c, uint32_t kind) {
    ksda_i_own own = {0, 0};
    uint32_t size;
    const uint32_t *set = ksda_i_set(t->communities, &kind, &size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t here = t->spread->in[set[i]];
        if (here > own.most) own.most = here;
        own.right += here > 0 && here == c->most;
    }
    return own;
}
