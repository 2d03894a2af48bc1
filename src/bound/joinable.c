/* Which members of a community may be joined to each other, widened so that targets can be exchanged.
 *
 * Adjacent members cannot be joined. That makes the bound much stronger where the hubs of a community know each other,
 * but "a larger degree never needs a smaller target" would no longer be true. It is true when v, later in the list than
 * u, has at most d(u) - d(v) allowed partners that u has not; where it has more, pairs are allowed that are not, the
 * latest partners first. More allowed pairs weaken the bound and never make it wrong. Time O(members^2) a sweep; a few
 * sweeps do. */
#include "bound/lagrangian.h"
#include "core/bits.h"

static bool row_has(const ksda_i_bound_row row, uint32_t w) {
    return row[w / 64] >> w % 64 & 1;
}

static void row_add(ksda_i_bound_row row, uint32_t w) {
    row[w / 64] |= UINT64_C(1) << w % 64;
}

/* Allow u so many of the partners that v has and u has not that at most `spare` are left. */
static bool widen_allowed(ksda_i_bound_row *allowed, uint32_t u, const ksda_i_bound_row v, uint32_t spare) {
    ksda_i_bound_row missing;
    uint32_t count = 0;
    for (uint32_t i = 0; i < KSDA_I_BOUND_WORDS; i++) missing[i] = v[i] & ~allowed[u][i];
    missing[u / 64] &= ~(UINT64_C(1) << u % 64);
    for (uint32_t i = 0; i < KSDA_I_BOUND_WORDS; i++) count += ksda_i_bits_set(missing[i]);
    if (count <= spare) return false;
    for (uint32_t w = KSDA_I_BOUND_KNOWN; w-- > 0 && count > spare;)
        if (row_has(missing, w)) {
            row_add(allowed[u], w), row_add(allowed[w], u);
            count--;
        }
    return true;
}

void ksda_i_bound_close(ksda_i_bound_row *allowed, const uint32_t *degree, uint32_t members, uint32_t beyond) {
    ksda_i_bound_row all = {0};
    for (uint32_t w = 0; w < members; w++) row_add(all, w);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t u = 0; u < members; u++) {
            for (uint32_t v = u + 1; v < members; v++)
                if (widen_allowed(allowed, u, allowed[v], degree[u] - degree[v])) changed = true;
            if (beyond != UINT32_MAX && widen_allowed(allowed, u, all, degree[u] - beyond)) changed = true;
        }
    }
}

/* Of equal degree, those who may be joined to more come first: then fewer pairs have to be allowed. */
static void order_equal(const ksda_i_bound_row *apart, const uint32_t *degree, uint32_t members, uint32_t *order) {
    uint32_t count[KSDA_I_BOUND_KNOWN];
    for (uint32_t i = 0; i < members; i++) {
        uint32_t at = i;
        count[i] = 0;
        for (uint32_t q = 0; q < KSDA_I_BOUND_WORDS; q++) count[i] += ksda_i_bits_set(apart[i][q]);
        while (at > 0 && degree[order[at - 1]] == degree[i] && count[order[at - 1]] < count[i])
            order[at] = order[at - 1], at--;
        order[at] = i;
    }
}

void ksda_i_bound_apart(const ksda_graph *g, const ksda_i_ranks *l, uint32_t c, uint32_t members,
                        ksda_i_bound_row *apart) {
    for (uint32_t i = 0; i < members; i++) {
        uint32_t v = l->vertex[l->start[c] + i];
        ksda_i_graph_need(g, v);
        memset(apart[i], 0, sizeof apart[i]);
        for (uint32_t w = 0; w < members; w++)
            if (w != i) row_add(apart[i], w);
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
            uint32_t at = l->place[g->adj[e]] - l->start[c]; /* wraps around for those before: large */
            if (at < members) apart[i][at / 64] &= ~(UINT64_C(1) << at % 64);
        }
    }
}

void ksda_i_bound_allowed(const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c, uint32_t members,
                          uint32_t beyond, ksda_i_bound_row *allowed) {
    ksda_i_bound_row apart[KSDA_I_BOUND_KNOWN];
    uint32_t order[KSDA_I_BOUND_KNOWN];
    const uint32_t *degree = lists->degree + lists->start[c];
    ksda_i_bound_apart(graph, lists, c, members, apart);
    order_equal((const ksda_i_bound_row *)apart, degree, members, order);
    memset(allowed, 0, members * sizeof *allowed);
    for (uint32_t i = 0; i < members; i++)
        for (uint32_t w = 0; w < members; w++)
            if (row_has(apart[order[i]], order[w])) row_add(allowed[i], w);
    ksda_i_bound_close(allowed, degree, members, beyond);
}

void ksda_i_bound_limits(const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t c, uint32_t members,
                         uint32_t *earlier) {
    ksda_i_bound_row allowed[KSDA_I_BOUND_KNOWN];
    uint32_t known = members < KSDA_I_BOUND_KNOWN ? members : KSDA_I_BOUND_KNOWN;
    ksda_i_bound_allowed(graph, lists, c, known, known < members ? lists->degree[lists->start[c] + known] : UINT32_MAX,
                         allowed);
    for (uint32_t i = 0; i < members; i++) {
        uint32_t count = 0;
        for (uint32_t w = 0; i < known && w < i; w++) count += row_has(allowed[i], w);
        earlier[i] = i < known && count < i ? count : UINT32_MAX;
    }
}
