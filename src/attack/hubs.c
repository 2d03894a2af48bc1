/* The attacker who knows how far a person is from the hubs: 0, 1, 2, 3 or further from each of the h largest (Hay et
 * al. 2008, doi:10.14778/1453856.1453873, "hub fingerprints").
 *
 * Hubs are the vertices of largest degree, lower numbers first. Everybody knows who they are: with an original these
 * are its hubs, and in the release the piece of each with the largest degree. A word has a bit for each hub that is
 * within so many steps; a step is the or over the neighbours, for all hubs at once. O(n + m) a step, whatever h. */
#include "attack/attack.h"
#include "core/parallel.h"

enum {
    STEPS = 3 /* beyond, a hub is far */
};

typedef struct reaching {
    const ksda_i_attacking *a;
    uint64_t *near, *next; /* [pool] hubs within so many steps, and within one more */
    ksda_i_hash128 *hash;
} reaching;

static const ksda_i_attacked *network_of(const ksda_i_attacking *a, uint64_t i) {
    return i < a->release.g->n ? &a->release : &a->original;
}

static void step_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    reaching *r = data;
    (void)thread;
    if (ksda_i_cancelled(r->a->ctx)) return;
    for (uint64_t i = begin; i < end; i++) {
        const ksda_i_attacked *network = network_of(r->a, i);
        const ksda_graph *g = network->g;
        const uint64_t *near = r->near + network->first;
        uint64_t v = i - network->first, reached = r->near[i];
        ksda_i_hash128_next(&r->a->key, &r->hash[i], reached);
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) reached |= near[g->adj[e]];
        r->next[i] = reached;
    }
}

static ksda_i_hash128 last(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v, const void *data) {
    const reaching *r = data;
    ksda_i_hash128 hash = r->hash[network->first + v];
    ksda_i_hash128_next(&a->key, &hash, r->near[network->first + v]);
    return hash;
}

/* The largest, in order: hub [most]; returns how many there are. */
static uint32_t find_hubs(const ksda_graph *g, uint32_t most, uint32_t *hub) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t at = count;
        while (at > 0 && ksda_i_degree(g, v) > ksda_i_degree(g, hub[at - 1])) at--;
        if (at == most) continue;
        if (count < most) count++;
        memmove(hub + at + 1, hub + at, (count - at - 1) * sizeof *hub);
        hub[at] = v;
    }
    return count;
}

static void mark_hubs(const ksda_i_attacking *a, uint64_t *near) {
    const ksda_i_attacked *known = a->original.g ? &a->original : &a->release;
    uint32_t hub[KSDA_I_HUBS_MOST], piece[KSDA_I_HUBS_MOST];
    uint32_t count = find_hubs(known->g, a->options->hubs, hub);
    for (uint32_t i = 0; i < count; i++) near[known->first + hub[i]] = UINT64_C(1) << i;
    if (!a->original.g) return;
    for (uint32_t i = 0; i < count; i++) piece[i] = KSDA_NO_VERTEX;
    for (uint32_t p = 0; p < a->release.g->n; p++) {
        uint64_t bit = near[known->first + a->owner[p]];
        if (bit == 0) continue;
        uint32_t *best = &piece[__builtin_ctzll(bit)];
        if (*best == KSDA_NO_VERTEX || ksda_i_degree(a->release.g, p) > ksda_i_degree(a->release.g, *best)) *best = p;
    }
    for (uint32_t i = 0; i < count; i++)
        if (piece[i] != KSDA_NO_VERTEX) near[piece[i]] = UINT64_C(1) << i;
}

ksda_status ksda_i_sign_hubs(ksda_i_attacking *a) {
    ksda_status status = KSDA_OK;
    reaching r = {.a = a};
    r.near = ksda_i_calloc(a->ctx, a->pool, sizeof *r.near);
    r.next = ksda_i_malloc(a->ctx, a->pool, sizeof *r.next);
    KSDA_I_TRY(r.near && r.next ? ksda_i_sign_room(a) : KSDA_NOMEM);
    r.hash = a->hash;
    mark_hubs(a, r.near);
    memset(a->hash, 0, a->pool * sizeof *a->hash);
    for (int i = 0; i < STEPS; i++) {
        ksda_i_parallel(a->ctx, a->pool, 4096, step_range, &r);
        KSDA_I_TRY(ksda_i_interrupted(a->ctx));
        uint64_t *swap = r.near;
        r.near = r.next, r.next = swap;
    }
    KSDA_I_TRY(ksda_i_sign_each(a, last, &r));
done:
    ksda_i_free(a->ctx, r.near);
    ksda_i_free(a->ctx, r.next);
    return status;
}
