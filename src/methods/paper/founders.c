/* Who may found a group together.
 *
 * With one community each, people of k communities. Where people have several, k people in pairwise disjoint sets; each
 * is then listed in one of its communities, its *home*, the largest, and edges are added among people of one home: both
 * have that community. So all that is counted by community is counted by home. */
#include "methods/paper/state.h"

#include "privacy/packing.h"

/* The largest community of everybody, numbered anew. */
static ksda_status find_homes(ksda_ctx *ctx, const ksda_communities *c, ksda_communities **out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t count = ksda_communities_set_count(c), used = 0, size;
    uint32_t *members = ksda_i_calloc(ctx, count, sizeof *members), *number = ksda_i_calloc(ctx, count, sizeof *number);
    uint32_t *of = ksda_i_malloc(ctx, c->n, sizeof *of);
    ksda_i_ids names;
    if (!members || !number || !of) goto done;
    for (uint32_t v = 0; v < c->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        for (uint32_t i = 0; i < size; i++) members[set[i]]++;
    }
    for (uint32_t v = 0; v < c->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        uint32_t best = set[0];
        for (uint32_t i = 1; i < size; i++)
            if (members[set[i]] > members[best]) best = set[i];
        if (!number[best]) number[best] = ++used;
        of[v] = number[best] - 1;
    }
    ksda_i_ids_range(&names, used, 0);
    KSDA_I_TRY(ksda_i_communities_take(ctx, c->n, used, of, &names, out));
    of = NULL;
done:
    ksda_i_free(ctx, members);
    ksda_i_free(ctx, number);
    ksda_i_free(ctx, of);
    return status;
}

ksda_status ksda_i_founders_init(ksda_i_state *s) {
    const ksda_communities *c = s->communities;
    if (!c->sets) return KSDA_OK;
    s->sets = c;
    s->taken = ksda_i_calloc(s->ctx, ksda_communities_set_count(c), sizeof *s->taken);
    if (!s->taken) return KSDA_NOMEM;
    ksda_status status = find_homes(s->ctx, c, &s->homes);
    if (status >= 0) s->communities = s->homes;
    return status;
}

void ksda_i_founders_begin(ksda_i_state *s) {
    s->founding++;
}

bool ksda_i_founders_take(ksda_i_state *s, uint32_t v) {
    uint32_t size;
    if (!s->sets) return true;
    const uint32_t *set = ksda_communities_set(s->sets, v, &size);
    if (!ksda_i_kind_counts(s->sets, s->sets->of[v])) return false;
    for (uint32_t i = 0; i < size; i++)
        if (s->taken[set[i]] == s->founding) return false;
    for (uint32_t i = 0; i < size; i++) s->taken[set[i]] = s->founding;
    return true;
}

ksda_status ksda_i_founders_from(ksda_i_state *s, uint32_t degree, uint32_t *member, uint32_t *found) {
    ksda_status status = KSDA_NOMEM;
    ksda_i_packer packer = {.ctx = s->ctx};
    ksda_i_packing packing;
    uint32_t n = s->graph->n, count = 0, *kind = ksda_i_malloc(s->ctx, n, sizeof *kind);
    uint32_t *chosen = ksda_i_malloc(s->ctx, n, sizeof *chosen);
    *found = 0;
    if (!kind || !chosen) goto done;
    KSDA_I_TRY(ksda_i_packer_open(s->ctx, s->sets, &packer));
    for (uint32_t v = 0; v < n; v++)
        if (ksda_i_unplaced(s, v) && s->piece[v].degree >= degree) kind[count++] = s->sets->of[v];
    KSDA_I_TRY(ksda_i_pack(&packer, kind, count, s->founders, KSDA_I_PACKING_WORK, chosen, &packing));
    for (; *found < packing.found && *found < s->founders; ++*found) { /* the smallest vertex of each kind */
        uint32_t best = KSDA_I_NONE, k = chosen[*found];
        for (uint32_t i = s->sets->start[k]; i < s->sets->start[k + 1]; i++) {
            uint32_t v = s->sets->member[i];
            if (!ksda_i_unplaced(s, v) || s->piece[v].degree < degree) continue;
            if (best == KSDA_I_NONE || s->piece[v].degree < s->piece[best].degree) best = v;
        }
        member[*found] = best;
    }
done:
    ksda_i_packer_close(&packer);
    ksda_i_free(s->ctx, kind);
    ksda_i_free(s->ctx, chosen);
    return status;
}
