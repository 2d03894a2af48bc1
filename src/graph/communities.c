/* Partitions: labels, members by community, names. */
#include "graph/communities.h"
#include "graph/graph.h"

#include "core/sort.h"

void ksda_communities_free(ksda_ctx *ctx, ksda_communities *communities) {
    if (!communities) return;
    ksda_i_free(ctx, communities->of);
    ksda_i_free(ctx, communities->start);
    ksda_i_free(ctx, communities->member);
    ksda_i_ids_clear(ctx, &communities->names);
    ksda_i_sets_free(ctx, communities->sets);
    ksda_i_free(ctx, communities);
}

uint32_t ksda_communities_count(const ksda_communities *communities) {
    return communities->count;
}
uint32_t ksda_communities_vertices(const ksda_communities *communities) {
    return communities->n;
}
uint32_t ksda_communities_of(const ksda_communities *communities, uint32_t v) {
    return communities->of[v];
}
const uint32_t *ksda_communities_labels(const ksda_communities *communities) {
    return communities->of;
}
const uint32_t *ksda_communities_members(const ksda_communities *communities, uint32_t c, uint32_t *size) {
    *size = ksda_i_community_size(communities, c);
    return communities->member + communities->start[c];
}
const uint32_t *ksda_communities_offsets(const ksda_communities *communities) {
    return communities->start;
}
const uint32_t *ksda_communities_member_array(const ksda_communities *communities) {
    return communities->member;
}
uint32_t ksda_communities_counted(const ksda_communities *communities) {
    return communities->counted;
}
ksda_status ksda_communities_names(ksda_ctx *ctx, const ksda_communities *communities, char **text,
                                   uint64_t **offsets) {
    return ksda_i_ids_to_buffer(ctx, &communities->names, text, offsets);
}
size_t ksda_communities_name(const ksda_communities *communities, uint32_t c, char *buffer, size_t capacity) {
    return ksda_i_ids_name(&communities->names, c, buffer, capacity);
}

ksda_status ksda_i_communities_take(ksda_ctx *ctx, uint32_t n, uint32_t count, uint32_t *of, ksda_i_ids *names,
                                    ksda_communities **out) {
    *out = NULL;
    ksda_communities *c = ksda_i_calloc(ctx, 1, sizeof *c);
    if (!c) return KSDA_NOMEM;
    c->n = n;
    c->count = c->counted = c->unknown = c->given = count;
    c->start = ksda_i_malloc(ctx, (uint64_t)count + 1, sizeof *c->start);
    c->member = ksda_i_malloc(ctx, n, sizeof *c->member);
    if (!c->start || !c->member) {
        ksda_communities_free(ctx, c);
        return KSDA_NOMEM;
    }
    ksda_i_group(n, of, count, c->start, c->member);
    c->of = of;
    c->names = *names;
    ksda_i_ids_range(names, 0, 0);
    *out = c;
    return KSDA_OK;
}

ksda_status ksda_i_communities_pull(ksda_ctx *ctx, const ksda_communities *c, uint32_t pieces, const uint32_t *owner,
                                    const uint32_t *to, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_ids names;
    uint32_t *of = ksda_i_malloc(ctx, pieces, sizeof *of);
    *out = NULL;
    ksda_i_ids_range(&names, 0, 0);
    if (!of) goto done;
    for (uint32_t p = 0; p < pieces; p++) of[p] = to ? to[c->of[owner[p]]] : c->of[owner[p]];
    KSDA_I_TRY(ksda_i_ids_copy(ctx, &c->names, &names));
    KSDA_I_TRY(ksda_i_communities_take(ctx, pieces, c->count, of, &names, out));
    (*out)->counted = c->counted; /* a permutation keeps them behind the others */
    (*out)->unknown = c->unknown;
    of = NULL;
    if (c->sets) status = ksda_i_sets_copy(ctx, c->sets, c->count, &(*out)->sets); /* kinds that move are alike */
    if (status < 0) ksda_communities_free(ctx, *out), *out = NULL;
done:
    ksda_i_free(ctx, of);
    ksda_i_ids_clear(ctx, &names);
    return status;
}

ksda_status ksda_i_communities_fit(ksda_ctx *ctx, const ksda_communities *c, const ksda_graph *graph) {
    if (c->n == graph->n) return KSDA_OK;
    return ksda_i_error(ctx, KSDA_INVALID, "the communities are of %u vertices, but the graph has %u", c->n, graph->n);
}
