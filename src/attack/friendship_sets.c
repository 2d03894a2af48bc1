/* The attacker of friendship.c where people have several communities: counters of communities do not tell which sets
 * are disjoint, so the candidates of each pair of degrees (a, b) are listed.
 *
 * For each a the vertices of that degree are listed once for every degree b among their neighbours, sorted by b: those
 * with the same b are candidates of each other. O(m log m) and the packing; 16 bytes an edge of the vertices of one
 * degree. */
#include "attack/attack.h"
#include "core/sort.h"

/* Vertices of degree a by the degrees of their neighbours: b * 2^32 + place among the vertices of degree a. */
typedef struct listing {
    uint64_t *pair, *scratch;
    uint64_t count, room, scratch_room;
} listing;

typedef struct hunt {
    ksda_i_attacking *a;
    const ksda_i_search *search;
    uint32_t degrees;
    const uint32_t *degree; /* [pool] */
    ksda_i_sorted victims, candidates;
    listing asked, there;
    ksda_i_tallying tally;
    ksda_i_victim_verdict *worst; /* [people] of the victims of degree a, by place */
} hunt;

/* Who has no neighbour is known by that: the other degree is `degrees`. */
static ksda_status list_vertex(hunt *h, const ksda_i_attacked *network, uint32_t v, uint32_t place, listing *list) {
    const ksda_graph *g = network->g;
    uint32_t d = ksda_i_degree(g, v);
    ksda_status status = ksda_i_reserve(h->a->ctx, &list->pair, &list->room, list->count + d + 1, sizeof *list->pair);
    if (status < 0) return status;
    if (d == 0) list->pair[list->count++] = (uint64_t)h->degrees << 32 | place;
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
        list->pair[list->count++] = (uint64_t)h->degree[network->first + g->adj[e]] << 32 | place;
    return KSDA_OK;
}

/* The vertices of degree a, each pair once. */
static ksda_status list_vertices(hunt *h, const ksda_i_attacked *network, const ksda_i_sorted *sorted, uint32_t a,
                                 listing *list) {
    ksda_status status = KSDA_OK;
    uint64_t kept = 0;
    list->count = 0;
    for (uint32_t i = sorted->start[a]; i < sorted->start[a + 1] && status >= 0; i++) {
        status = ksda_i_look(h->a->ctx, i);
        if (status >= 0)
            status = list_vertex(h, network, ksda_i_sorted_vertex(network, sorted, i), i - sorted->start[a], list);
    }
    if (status >= 0)
        status = ksda_i_reserve(h->a->ctx, &list->scratch, &list->scratch_room, list->count, sizeof *list->scratch);
    if (status < 0 || list->count == 0) return status;
    ksda_i_sort_u64(list->pair, list->count, list->scratch);
    for (uint64_t i = 0; i < list->count; i++)
        if (i == 0 || list->pair[i] != list->pair[i - 1]) list->pair[kept++] = list->pair[i];
    list->count = kept;
    return KSDA_OK;
}

/* The victims asked[from] .. asked[to - 1] know b; the candidates that do stand from *at on. */
static ksda_status judge_pair(hunt *h, uint32_t a, uint64_t from, uint64_t to, uint64_t *at) {
    const ksda_i_attacked *here = h->search->victims, *there = h->search->candidates;
    uint64_t b = h->asked.pair[from] >> 32;
    uint32_t size = 0, last = 0;
    ksda_i_candidates c;
    while (*at < h->there.count && h->there.pair[*at] >> 32 < b) ++*at;
    for (; *at < h->there.count && h->there.pair[*at] >> 32 == b; ++*at, size++) {
        last = ksda_i_sorted_vertex(there, &h->candidates, h->candidates.start[a] + (uint32_t)h->there.pair[*at]);
        ksda_i_tally_kind(&h->tally, there->communities->of[last]);
    }
    if (size == 0) return KSDA_OK;
    ksda_status status = ksda_i_tallied(&h->tally, size, last, h->a->options->k, &c);
    for (uint64_t i = from; i < to && status >= 0; i++) {
        uint32_t place = (uint32_t)h->asked.pair[i],
                 v = ksda_i_sorted_vertex(here, &h->victims, h->victims.start[a] + place);
        ksda_i_own own = ksda_i_tallied_own(&h->tally, &c, here->communities->of[v]);
        ksda_i_victim_verdict now = ksda_i_judge_victim(h->a, h->search, &c, v, own);
        ksda_i_verdict_join(&h->worst[place], &now);
    }
    ksda_i_tally_reset(&h->tally);
    return status;
}

static ksda_status judge_degree(hunt *h, uint32_t a, ksda_finding *found) {
    const ksda_i_attacked *here = h->search->victims;
    const ksda_i_candidates nobody = {.size = 0};
    uint32_t first = h->victims.start[a], victims = h->victims.start[a + 1] - first;
    uint64_t at = 0;
    ksda_status status = KSDA_OK;
    if (victims == 0) return KSDA_OK;
    KSDA_I_TRY(list_vertices(h, here, &h->victims, a, &h->asked));
    KSDA_I_TRY(list_vertices(h, h->search->candidates, &h->candidates, a, &h->there));
    for (uint32_t i = 0; i < victims; i++)
        h->worst[i] = ksda_i_judge_victim(h->a, h->search, &nobody, ksda_i_sorted_vertex(here, &h->victims, first + i),
                                          (ksda_i_own){0, 0});
    for (uint64_t i = 0, to; i < h->asked.count; i = to) {
        for (to = i; to < h->asked.count && h->asked.pair[to] >> 32 == h->asked.pair[i] >> 32;) to++;
        KSDA_I_TRY(ksda_i_look(h->a->ctx, i));
        KSDA_I_TRY(judge_pair(h, a, i, to, &at));
    }
    for (uint32_t i = 0; i < victims; i++)
        ksda_i_tell_verdict(h->a, h->search, ksda_i_sorted_vertex(here, &h->victims, first + i), &h->worst[i], found);
done:
    return status;
}

static void hunt_clear(hunt *h) {
    ksda_ctx *ctx = h->a->ctx;
    void *blocks[] = {h->asked.pair, h->asked.scratch, h->there.pair, h->there.scratch, h->worst};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(ctx, blocks[i]);
    ksda_i_tallying_clear(ctx, &h->tally);
    ksda_i_sorted_clear(ctx, &h->victims);
    ksda_i_sorted_clear(ctx, &h->candidates);
}

ksda_status ksda_i_friendship_sets(ksda_i_attacking *a, const ksda_i_search *search, ksda_finding *found) {
    const ksda_i_attacked *here = search->victims, *there = search->candidates;
    hunt h = {.a = a, .search = search};
    uint32_t *degree = ksda_i_malloc(a->ctx, a->pool, sizeof *degree);
    ksda_status status = KSDA_OK;
    h.worst = ksda_i_malloc(a->ctx, here->g->n, sizeof *h.worst);
    KSDA_I_TRY(degree && h.worst ? KSDA_OK : KSDA_NOMEM);
    h.degrees = ksda_i_degree_labels(a, degree), h.degree = degree;
    KSDA_I_TRY(ksda_i_tallying_new(a->ctx, there->communities, &h.tally));
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, here, degree + here->first, h.degrees, &h.victims));
    KSDA_I_TRY(ksda_i_sorted_new(a->ctx, there, degree + there->first, h.degrees, &h.candidates));
    for (uint32_t d = 0; d < h.degrees; d++) KSDA_I_TRY(judge_degree(&h, d, found));
done:
    hunt_clear(&h);
    ksda_i_free(a->ctx, degree);
    return status;
}
