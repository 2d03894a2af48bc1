/* The Priority construction of Liu and Terzi (SIGMOD 2008, doi:10.1145/1376616.1376629, section 6).
 *
 * Problem: a simple graph with given degrees that shares many edges with the original. Idea: take the vertex that still
 * needs most edges; connect it to those of its original neighbours that still need one, then to the others, in both
 * cases the vertex that needs most first; it is then done. So two vertices that are not done are never connected yet,
 * and the only question about a pair is whether it is an original one. Guarantee: the degrees are exact, or it says
 * that it got stuck; that is no proof that there is no such graph. Cost: O(m log largest degree + m + edges added).
 * Differs from the paper: it takes a random vertex, we the neediest; and where a vertex finds no partner at the end we
 * exchange ends with an edge that is there, which keeps all degrees, before we give up. */
#include "methods/kdegree/priority.h"

#include "core/sort.h"
#include "methods/paper/lists.h"

#include <stdlib.h>

enum {
    STAGE_EXCHANGE = 0x65786368,
    MOST_UNMET = 64,
    LOOK = 1 << 16 /* steps between two looks whether to stop */
};

typedef struct priority {
    ksda_ctx *ctx;
    const ksda_graph *g;
    ksda_i_lists left; /* vertices by what they still need, those that need nothing not at all */
    uint64_t *kept;    /* one bit a row entry, set in the row of the end that was done first */
    uint32_t *need, *mark;
    ksda_pair *fresh; /* new edges */
    uint64_t fresh_count, fresh_capacity;
    uint64_t steps;                          /* since the last look */
    uint32_t unmet[MOST_UNMET], unmet_count; /* vertices that found no partner, once for every edge they lack */
    bool stuck;
} priority;

static bool is_kept(const priority *p, uint64_t slot) {
    return p->kept[slot / 64] >> (slot % 64) & 1;
}
static void flip_kept(priority *p, uint64_t slot) {
    p->kept[slot / 64] ^= UINT64_C(1) << (slot % 64);
}

/* --- greedy ------------------------------------------------------------------------------------------------------ */

static void one_less(priority *p, uint32_t u) {
    if (--p->need[u])
        ksda_i_lists_move(&p->left, u, p->need[u]);
    else
        ksda_i_lists_remove(&p->left, u);
}

typedef struct wish {
    uint32_t need, vertex;
    uint64_t slot; /* of the edge in the row at hand */
} wish;

static int neediest_first(const void *a, const void *b) {
    const wish *x = a, *y = b;
    if (x->need != y->need) return x->need > y->need ? -1 : 1;
    return x->vertex < y->vertex ? -1 : 1;
}

/* Connect v to original neighbours. scratch: [degree of v] */
static void keep_originals(priority *p, uint32_t v, wish *scratch) {
    const ksda_graph *g = p->g;
    uint32_t count = 0;
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
        uint32_t u = g->adj[i];
        p->mark[u] = v + 1;
        if (p->need[u]) scratch[count++] = (wish){p->need[u], u, i};
    }
    if (count > p->need[v]) ksda_i_sort_by(scratch, count, sizeof *scratch, neediest_first);
    for (uint32_t i = 0; i < count && p->need[v]; i++) {
        flip_kept(p, scratch[i].slot);
        one_less(p, scratch[i].vertex);
        p->need[v]--;
    }
}

static ksda_status connect_others(priority *p, uint32_t v) {
    p->mark[v] = v + 1;
    uint32_t u = ksda_i_lists_begin(&p->left, 0, KSDA_I_DESCENDING);
    while (p->need[v] && u != KSDA_I_NONE) {
        uint32_t next = ksda_i_lists_after(&p->left, u, KSDA_I_DESCENDING);
        p->steps++;
        if (p->mark[u] != v + 1) {
            ksda_status status =
                ksda_i_reserve(p->ctx, &p->fresh, &p->fresh_capacity, p->fresh_count + 1, sizeof *p->fresh);
            if (status < 0) return status;
            p->fresh[p->fresh_count++] = (ksda_pair){v, u};
            p->mark[u] = v + 1;
            one_less(p, u);
            p->need[v]--;
        }
        u = next;
    }
    for (; p->need[v] && !p->stuck; p->need[v]--) {
        p->stuck = p->unmet_count == MOST_UNMET;
        if (!p->stuck) p->unmet[p->unmet_count++] = v;
    }
    return KSDA_OK;
}

static ksda_status greedy(priority *p, wish *scratch) {
    ksda_status status = KSDA_OK;
    uint32_t v, done = 0;
    while (!p->stuck && status >= 0 && (v = ksda_i_lists_begin(&p->left, 0, KSDA_I_DESCENDING)) != KSDA_I_NONE) {
        done++;
        if ((p->steps += 1 + ksda_i_degree(p->g, v)) >= LOOK) {
            p->steps = 0;
            if ((status = ksda_i_progress(p->ctx, "anonymizing", done, p->g->n)) < 0) break;
        }
        ksda_i_lists_remove(&p->left, v);
        keep_originals(p, v, scratch);
        status = connect_others(p, v);
    }
    return status;
}

/* --- exchanging -------------------------------------------------------------------------------------------------- */

static bool connected(const priority *p, uint32_t a, uint32_t b) {
    uint64_t i = ksda_i_graph_position(p->g, a, b), j = ksda_i_graph_position(p->g, b, a);
    if (i != UINT64_MAX && (is_kept(p, i) || is_kept(p, j))) return true;
    for (uint64_t e = 0; e < p->fresh_count; e++)
        if ((p->fresh[e].u == a && p->fresh[e].v == b) || (p->fresh[e].u == b && p->fresh[e].v == a)) return true;
    return false;
}

/* May (a, b) become (x, a) and (y, b)? x may be y. */
static bool may_exchange(const priority *p, uint32_t x, uint32_t y, uint32_t a, uint32_t b) {
    return a != x && b != y && a != b && !(x == b && y == a) && !connected(p, x, a) && !connected(p, y, b);
}

/* Connect a and b, keeping the original edge where there is one. */
static ksda_status connect_pair(priority *p, uint32_t a, uint32_t b) {
    uint64_t i = ksda_i_graph_position(p->g, a, b);
    if (i != UINT64_MAX) {
        flip_kept(p, i);
        return KSDA_OK;
    }
    ksda_status status = ksda_i_reserve(p->ctx, &p->fresh, &p->fresh_capacity, p->fresh_count + 1, sizeof *p->fresh);
    if (status >= 0) p->fresh[p->fresh_count++] = (ksda_pair){a, b};
    return status;
}

/* x and y lack an edge each and cannot be connected: take an edge (a, b) out and connect x to a and y to b. New edges
 * are tried first, then original ones; *done is false when none will do. */
static ksda_status exchange(priority *p, uint32_t x, uint32_t y, ksda_i_rng *rng, bool *done) {
    const ksda_graph *g = p->g;
    uint64_t ends = 2 * g->m, start = p->fresh_count ? ksda_i_rng_below(rng, p->fresh_count) : 0;
    uint32_t a = 0, b = 0;
    *done = false;
    for (uint64_t i = 0; i < p->fresh_count && !*done; i++) { /* each looks at all of them */
        if (ksda_i_cancelled(p->ctx)) return ksda_i_interrupted(p->ctx);
        ksda_pair *e = &p->fresh[(start + i) % p->fresh_count];
        a = e->u, b = e->v;
        if (!may_exchange(p, x, y, a, b)) a = e->v, b = e->u;
        *done = may_exchange(p, x, y, a, b);
        if (*done) *e = p->fresh[--p->fresh_count];
    }
    start = ends ? ksda_i_rng_below(rng, g->n) : 0;
    for (uint32_t i = 0; i < g->n && !*done; i++) {
        a = (uint32_t)((start + i) % g->n);
        if (ksda_i_cancelled(p->ctx)) return ksda_i_interrupted(p->ctx);
        for (uint64_t slot = g->off[a]; slot < g->off[a + 1] && !*done; slot++) {
            b = g->adj[slot];
            *done = is_kept(p, slot) && may_exchange(p, x, y, a, b);
            if (*done) flip_kept(p, slot);
        }
    }
    if (!*done) return KSDA_OK;
    ksda_status status = connect_pair(p, x, a);
    return status < 0 ? status : connect_pair(p, y, b);
}

static ksda_status repair(priority *p) {
    ksda_i_rng rng = ksda_i_rng_stream(p->ctx->seed, STAGE_EXCHANGE, 0);
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i + 1 < p->unmet_count && !p->stuck && status >= 0; i += 2) {
        uint32_t x = p->unmet[i], y = p->unmet[i + 1];
        bool done = x != y && !connected(p, x, y);
        if (done)
            status = connect_pair(p, x, y);
        else
            status = exchange(p, x, y, &rng, &done);
        p->stuck = !done;
    }
    return status;
}

/* --- result ------------------------------------------------------------------------------------------------------ */

static ksda_status write_edits(const priority *p, ksda_edits *edits) {
    const ksda_graph *g = p->g;
    ksda_status status = KSDA_OK;
    for (uint64_t e = 0; e < p->fresh_count && status >= 0; e++)
        status = ksda_edits_add_edge(p->ctx, edits, p->fresh[e].u, p->fresh[e].v);
    for (uint32_t v = 0; v < g->n; v++) {
        for (uint64_t i = g->off[v]; i < g->off[v + 1] && status >= 0; i++) {
            uint32_t u = g->adj[i];
            if (u < v || is_kept(p, i) || is_kept(p, ksda_i_graph_position(g, u, v))) continue;
            status = ksda_edits_remove_edge(p->ctx, edits, v, u);
        }
    }
    return status;
}

ksda_status ksda_i_priority(ksda_ctx *ctx, const ksda_graph *graph, const uint32_t *target, bool *built,
                            ksda_edits **out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = graph->n, largest = 0;
    priority p = {.ctx = ctx, .g = graph};
    wish *scratch = NULL;
    ksda_edits *edits = NULL;
    *out = NULL;
    *built = false;
    for (uint32_t v = 0; v < n; v++) largest = ksda_i_degree(graph, v) > largest ? ksda_i_degree(graph, v) : largest;
    KSDA_I_TRY(ksda_i_lists_init(ctx, &p.left, n, 1));
    status = KSDA_NOMEM;
    p.kept = ksda_i_calloc(ctx, graph->m / 32 + 1, sizeof *p.kept);
    p.need = ksda_i_malloc(ctx, n, sizeof *p.need);
    p.mark = ksda_i_calloc(ctx, n, sizeof *p.mark);
    scratch = ksda_i_malloc(ctx, largest, sizeof *scratch);
    if (!p.kept || !p.need || !p.mark || !scratch) goto done;
    memcpy(p.need, target, n * sizeof *p.need);
    KSDA_I_TRY(ksda_i_lists_insert_sorted(ctx, &p.left, target, NULL));
    while ((p.left.lowest[0] != KSDA_I_NONE) && p.left.bucket[p.left.lowest[0]].degree == 0)
        ksda_i_lists_remove(&p.left, ksda_i_lists_begin(&p.left, 0, KSDA_I_ASCENDING));
    KSDA_I_TRY(greedy(&p, scratch));
    if (!p.stuck) KSDA_I_TRY(repair(&p));
    if (!p.stuck) {
        KSDA_I_TRY(ksda_edits_new(ctx, graph, &edits));
        KSDA_I_TRY(write_edits(&p, edits));
        *built = true;
        *out = edits;
        edits = NULL;
    }
done:
    ksda_edits_free(ctx, edits);
    ksda_i_lists_clear(ctx, &p.left);
    ksda_i_free(ctx, p.kept);
    ksda_i_free(ctx, p.need);
    ksda_i_free(ctx, p.mark);
    ksda_i_free(ctx, p.fresh);
    ksda_i_free(ctx, scratch);
    return status;
}
