/* The attackers who know the surroundings, by rounds of colour refinement (Weisfeiler and Leman; Hay et al. 2008,
 * doi:10.14778/1453856.1453873, as vertex refinement queries).
 *
 * Round 0 colours every vertex by its degree; each further round by its colour and the multiset of its neighbours'
 * colours. Sums of hashes stand for multisets, and equal hashes are numbered anew after each round, so that a round
 * looks at 4 bytes a neighbour. Who is alone with its colour stays so, whatever the neighbours are: they are not looked
 * at. So late rounds, and hubs, whose degree nobody else has, cost next to nothing. O(n + m) a round. The first round
 * is the friends' degrees. */
#include "attack/attack.h"

/* Colours that two vertices or more have, as bits. */
typedef struct colouring {
    const uint32_t *colour; /* [pool] */
    uint64_t *shared;       /* [colours / 64 + 1] */
} colouring;

static bool bit(const uint64_t *bits, uint32_t i) {
    return bits[i / 64] >> i % 64 & 1;
}

static void set_bit(uint64_t *bits, uint32_t i) {
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

static ksda_status find_shared(const ksda_i_attacking *a, colouring *c) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < a->pool; v++) most = c->colour[v] > most ? c->colour[v] : most;
    uint64_t *met = ksda_i_calloc(a->ctx, (uint64_t)most / 64 + 1, sizeof *met);
    c->shared = ksda_i_calloc(a->ctx, (uint64_t)most / 64 + 1, sizeof *c->shared);
    for (uint32_t v = 0; v < a->pool && met && c->shared; v++)
        set_bit(bit(met, c->colour[v]) ? c->shared : met, c->colour[v]);
    ksda_status status = met && c->shared ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(a->ctx, met);
    return status;
}

static ksda_i_hash128 sign(const ksda_i_attacking *a, const ksda_i_attacked *network, uint32_t v, const void *data) {
    const ksda_graph *g = network->g;
    const colouring *c = data;
    const uint32_t *colour = c->colour + network->first;
    ksda_i_hash128 hash = {{0, 0}};
    if (bit(c->shared, colour[v]))
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) ksda_i_hash128_add(&a->key, &hash, colour[g->adj[e]]);
    ksda_i_hash128_next(&a->key, &hash, colour[v]);
    return hash;
}

static ksda_status sign_round(ksda_i_attacking *a) {
    colouring c = {a->colour, NULL};
    ksda_status status = find_shared(a, &c);
    if (status >= 0) status = ksda_i_sign_each(a, sign, &c);
    ksda_i_free(a->ctx, c.shared);
    return status;
}

ksda_status ksda_i_refine(ksda_i_attacking *a, uint32_t rounds) {
    ksda_status status = KSDA_OK;
    uint32_t kinds;
    if (!a->colour) a->colour = ksda_i_malloc(a->ctx, a->pool, sizeof *a->colour), a->rounds = UINT32_MAX;
    if (!a->colour) return KSDA_NOMEM;
    if (a->rounds > rounds) ksda_i_degree_labels(a, a->colour), a->rounds = 0;
    for (; a->rounds < rounds && status >= 0; a->rounds++) {
        status = sign_round(a);
        if (status >= 0) status = ksda_i_alike(a->ctx, a->pool, a->hash, a->colour, &kinds);
    }
    return status;
}

/* The last round is numbered by the caller, and kept for the next. */
static ksda_status refinement(ksda_i_attacking *a, uint32_t rounds) {
    ksda_status status = ksda_i_refine(a, rounds - 1);
    a->refined = rounds;
    return status < 0 ? status : sign_round(a);
}

ksda_status ksda_i_sign_refinement_1(ksda_i_attacking *a) {
    return refinement(a, 1);
}

ksda_status ksda_i_sign_refinement_2(ksda_i_attacking *a) {
    return refinement(a, 2);
}

ksda_status ksda_i_sign_refinement_3(ksda_i_attacking *a) {
    return refinement(a, 3);
}
