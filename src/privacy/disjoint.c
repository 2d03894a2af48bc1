/* The attack on people with several communities asks "is the victim in c?": it is right as often as vertices of the
 * degree have c in their set. Beside that stand the witnesses. Time linear in the sets, and the packing. */
#include "privacy/disjoint.h"

#include <math.h>

ksda_status ksda_i_disjoint_open(ksda_ctx *ctx, const ksda_communities *communities, uint32_t vertices,
                                 ksda_i_disjoint *out) {
    *out = (ksda_i_disjoint){.packer = {.ctx = ctx}};
    ksda_status status = ksda_i_packer_open(ctx, communities, &out->packer);
    out->count = ksda_i_calloc(ctx, ksda_communities_set_count(communities), sizeof *out->count);
    out->chosen = ksda_i_malloc(ctx, vertices, sizeof *out->chosen);
    return status < 0 ? status : out->count && out->chosen ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_disjoint_close(ksda_ctx *ctx, ksda_i_disjoint *d) {
    if (d->packer.ctx) ksda_i_packer_close(&d->packer);
    ksda_i_free(ctx, d->count);
    ksda_i_free(ctx, d->chosen);
}

/* `times` vertices of the kind more, or, when it is 0, none. */
static void count_kind(ksda_i_disjoint *d, uint32_t kind, uint32_t times) {
    uint32_t size;
    const uint32_t *set = ksda_i_set(d->packer.communities, &kind, &size);
    for (uint32_t i = 0; i < size; i++) d->count[set[i]] = times ? d->count[set[i]] + times : 0;
}

/* The largest count of a community in the set of the kind, if it is larger (or as large, of a lower number). */
static void find_largest_count(const ksda_i_disjoint *d, uint32_t kind, uint32_t *most, uint32_t *whose) {
    uint32_t size;
    const uint32_t *set = ksda_i_set(d->packer.communities, &kind, &size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t here = d->count[set[i]];
        if (here > *most || (here == *most && set[i] < *whose)) *most = here, *whose = set[i];
    }
}

ksda_status ksda_i_disjoint_group(ksda_i_disjoint *d, const uint32_t *kind, uint32_t size, ksda_degree_group *group,
                                  uint32_t *most, ksda_share *share, uint32_t *whose) {
    const ksda_communities *c = d->packer.communities;
    ksda_i_packing packing;
    double weighted = 0; /* sum of n log n over the sets */
    ksda_status status = ksda_i_pack(&d->packer, kind, size, UINT32_MAX, KSDA_I_PACKING_WORK, d->chosen, &packing);
    if (status < 0) return status;
    *share = (ksda_share){0, 0};
    for (uint32_t i = 0; i < size; i++) count_kind(d, kind[i], 1);
    for (uint32_t i = 0, run; i < size; i += run) {
        for (run = 1; i + run < size && kind[i + run] == kind[i];) run++;
        weighted += run * log2(run);
        find_largest_count(d, kind[i], &group->likeliest_vertices, &group->likeliest);
        if (!ksda_i_kind_counts(c, kind[i])) continue;
        find_largest_count(d, kind[i], &share->numerator, whose);
        share->denominator += run;
    }
    for (uint32_t i = 0; i < size; i++) count_kind(d, kind[i], 0);
    group->vertices = size;
    group->communities = packing.found;
    group->entropy = kind[0] != kind[size - 1] ? log2(size) - weighted / size : 0;
    *most = packing.most;
    return KSDA_OK;
}

uint32_t ksda_i_disjoint_largest(ksda_i_disjoint *d) {
    const ksda_communities *c = d->packer.communities;
    uint32_t largest = 0, whose = 0;
    for (uint32_t i = 0; i < c->count; i++) count_kind(d, i, ksda_i_community_size(c, i));
    for (uint32_t i = 0; i < c->count; i++) find_largest_count(d, i, &largest, &whose);
    for (uint32_t i = 0; i < c->count; i++) count_kind(d, i, 0);
    return largest;
}
