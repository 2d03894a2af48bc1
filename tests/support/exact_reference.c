#include "exact_reference.h"

#include <math.h>

/* Communities of people of that kind, as bits. */
static uint32_t set_of(const ksda_communities *c, uint32_t kind) {
    uint32_t size, bits = 0;
    const uint32_t *set = ksda_i_set(c, &kind, &size);
    for (uint32_t i = 0; i < size; i++) bits |= 1u << set[i];
    return bits;
}

/* The most vertices of that degree, from v on, in sets that are disjoint and free of `used`. */
static uint32_t disjoint(const ksda_communities *c, const uint32_t *degree, const uint32_t *of, uint32_t n,
                         uint32_t wanted, uint32_t v, uint32_t used) {
    uint32_t best = 0;
    for (; v < n; v++) {
        if (degree[v] != wanted || of[v] >= c->counted || (set_of(c, of[v]) & used)) continue;
        uint32_t here = 1 + disjoint(c, degree, of, n, wanted, v + 1, used | set_of(c, of[v]));
        if (here > best) best = here;
    }
    return best;
}

static bool together(const ksda_communities *c, uint32_t a, uint32_t b) {
    return (set_of(c, c->of[a]) & set_of(c, c->of[b])) != 0;
}

/* Communities from c->counted on do not count towards k. */
static bool diverse(const ksda_communities *c, const uint32_t *degree, const uint32_t *of, uint32_t n, uint32_t k) {
    for (uint32_t v = 0; c->sets && v < n; v++)
        if (disjoint(c, degree, of, n, degree[v], 0, 0) < k) return false;
    if (c->sets) return true;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t seen = 0;
        for (uint32_t w = 0; w < n; w++)
            if (degree[w] == degree[v] && of[w] < c->counted) seen |= 1u << of[w];
        if ((uint32_t)__builtin_popcount(seen) < k) return false;
    }
    return true;
}

uint32_t reference_pairs(const ksda_graph *g, const ksda_communities *c) {
    uint32_t pairs = 0;
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = a + 1; b < g->n; b++) pairs += together(c, a, b) && !ksda_graph_adjacent(g, a, b);
    return pairs;
}

int reference_add(const ksda_graph *g, const ksda_communities *c, uint32_t k) {
    uint32_t u[24], v[24], pairs = 0, degree[16];
    int best = -1;
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = a + 1; b < g->n; b++)
            if (together(c, a, b) && !ksda_graph_adjacent(g, a, b)) u[pairs] = a, v[pairs++] = b;
    for (uint32_t set = 0; set < 1u << pairs; set++) {
        int size = __builtin_popcount(set);
        if (best >= 0 && size >= best) continue;
        for (uint32_t a = 0; a < g->n; a++) degree[a] = ksda_i_degree(g, a);
        for (uint32_t p = 0; p < pairs; p++)
            if (set >> p & 1) degree[u[p]]++, degree[v[p]]++;
        if (diverse(c, degree, c->of, g->n, k)) best = size;
    }
    return best;
}

/* --- splitting ---------------------------------------------------------------------------------------------------- */

#define MOST_PIECES 12
#define MOST_EDGES 64

typedef struct attempt {
    const ksda_graph *g;
    const ksda_communities *c;
    uint32_t k, n, pieces, count[8], owner[MOST_PIECES], of[MOST_PIECES];
    double omega, best;
    uint32_t slots, p[MOST_EDGES],
        q[MOST_EDGES];     /* all possible edges between pieces; those of one original edge together */
    int kind[MOST_EDGES];  /* 0 link, 1 added, 2 original */
    bool last[MOST_EDGES]; /* the last slot of an original edge */
    uint32_t degree[MOST_PIECES], carried[MOST_PIECES];
} attempt;

static void choose_edges(attempt *a, uint32_t slot, bool represented, double cost) {
    if (cost >= a->best) return;
    if (slot == a->slots) {
        for (uint32_t i = 0; i < a->pieces; i++)
            if (a->count[a->owner[i]] > 1 && a->carried[i] == 0) return;
        if (diverse(a->c, a->degree, a->of, a->pieces, a->k)) a->best = cost;
        return;
    }
    uint32_t p = a->p[slot], q = a->q[slot];
    bool original = a->kind[slot] == 2;
    if (!(original && a->last[slot] && !represented)) /* without it */
        choose_edges(a, slot + 1, original && !a->last[slot] && represented, cost);
    a->degree[p]++, a->degree[q]++;
    if (original) a->carried[p]++, a->carried[q]++;
    choose_edges(a, slot + 1, original && !a->last[slot], cost + (a->kind[slot] == 1 || (original && represented)));
    if (original) a->carried[p]--, a->carried[q]--;
    a->degree[p]--, a->degree[q]--;
}

static void list_slots(attempt *a) {
    a->pieces = a->slots = 0;
    for (uint32_t u = 0; u < a->n; u++)
        for (uint32_t i = 0; i < a->count[u]; i++) a->of[a->pieces] = a->c->of[u], a->owner[a->pieces++] = u;
    for (int kind = 2; kind >= 0; kind--)
        for (uint32_t u = 0; u < a->n; u++)
            for (uint32_t v = u; v < a->n; v++) {
                bool adjacent = u != v && ksda_graph_adjacent(a->g, u, v);
                int is = u == v ? 0 : adjacent ? 2 : together(a->c, u, v) ? 1 : -1;
                if (is != kind) continue;
                for (uint32_t p = 0; p < a->pieces; p++)
                    for (uint32_t q = 0; q < a->pieces; q++)
                        if (a->owner[p] == u && a->owner[q] == v && (u != v || p < q)) {
                            a->last[a->slots] = false;
                            a->kind[a->slots] = is, a->p[a->slots] = p, a->q[a->slots++] = q;
                        }
                if (kind == 2) a->last[a->slots - 1] = true;
            }
}

static void choose_counts(attempt *a, uint32_t u, uint32_t left, double cost) {
    if (u == a->n) {
        list_slots(a);
        choose_edges(a, 0, false, cost);
        return;
    }
    uint32_t degree = ksda_i_degree(a->g, u);
    for (uint32_t extra = u + 1 == a->n ? left : 0; extra <= left && extra + 1 <= (degree > 1 ? degree : 1); extra++) {
        a->count[u] = 1 + extra;
        choose_counts(a, u + 1, left - extra, cost + a->omega * extra);
    }
}

double reference_split(const ksda_graph *g, const ksda_communities *c, uint32_t k, double omega, uint32_t most) {
    attempt a = {.g = g, .c = c, .k = k, .n = g->n, .omega = omega, .best = INFINITY};
    for (uint32_t extra = 0; extra <= most; extra++)
        choose_counts(&a, 0, extra, 0); /* few first: they prune the others */
    return a.best;
}

double reference_split_exactly(const ksda_graph *g, const ksda_communities *c, uint32_t k, double omega,
                               uint32_t extra) {
    attempt a = {.g = g, .c = c, .k = k, .n = g->n, .omega = omega, .best = INFINITY};
    choose_counts(&a, 0, extra, 0);
    return a.best;
}

/* --- any condition on degrees ------------------------------------------------------------------------------------- */

uint32_t reference_fewest(uint32_t *degree, const uint32_t (*pair)[2], uint32_t pairs, uint32_t most,
                          bool (*holds)(const void *network), const void *network) {
    uint32_t best = UINT32_MAX;
    if (holds(network)) return 0;
    for (uint32_t i = 0; i < pairs && most; i++) {
        degree[pair[i][0]]++, degree[pair[i][1]]++;
        uint32_t more = reference_fewest(degree, pair + i + 1, pairs - i - 1, most - 1, holds, network);
        degree[pair[i][0]]--, degree[pair[i][1]]--;
        if (more != UINT32_MAX && more + 1 < best) best = more + 1, most = more;
    }
    return best;
}
