/* Cut what no level takes whole into pieces that stand at open levels.
 *
 * A vertex of degree D becomes p pieces at levels t1 .. tp with t1 + ... + tp = D + 2 * links + needs: a link between
 * two pieces raises both and is free, a need is an edge to be added, and every piece carries at least one original
 * edge. Wanted is the least split_weight * (p - 1) + needs, given the levels at which the plan counts on a piece; of
 * equals, the one with a link, because it keeps connected what was. Two pieces are tried by looking the second one up;
 * more by the coin-change recurrence over sums. The original edges are dealt out by community, so that neighbours who
 * know each other stay together, and the largest piece takes those to other communities first, because it is the one
 * that holds communities together.
 *
 * Time per split vertex O(levels) for two pieces and O(D * levels) for more. */
#include "methods/levelplan/level_plan.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 64u /* sums up to D + SLACK are considered */

/* The open levels as a table. */
typedef struct ladder {
    uint32_t top;
    uint32_t *above; /* [top + 1] the smallest open level >= d; level 0 is none of them */
    const uint32_t *level;
    uint32_t levels;
    double weight;
} ladder;

/* The pieces of one vertex while they are being chosen. */
typedef struct cut {
    uint32_t *level;
    uint64_t count, capacity;
    double cost; /* weight * pieces beyond those fixed + needs */
} cut;

static ksda_status ladder_make(ksda_ctx *ctx, const ksda_i_plan *plan, double weight, ladder *out) {
    *out = (ladder){
        .top = plan->levels ? plan->level[0] : 0, .level = plan->level, .levels = plan->levels, .weight = weight};
    if (out->levels && plan->level[out->levels - 1] == 0) out->levels--;
    out->above = ksda_i_malloc(ctx, (uint64_t)out->top + 1, sizeof *out->above);
    if (!out->above) return KSDA_NOMEM;
    for (uint32_t i = 0, d = out->top + 1; d-- > 0;) { /* i: the lowest level >= d */
        while (i + 1 < out->levels && out->level[i + 1] >= d) i++;
        out->above[d] = out->level[i];
    }
    return KSDA_OK;
}

/* --- choosing levels ---------------------------------------------------------------------------------------------- */

/* One piece that takes the rest r, beside at least one other: *level and the needs, or UINT32_MAX. */
static uint32_t last_piece(const ladder *h, uint32_t r, uint32_t *level) {
    if (r > h->top || !h->levels) return UINT32_MAX;
    uint32_t low = h->above[r ? r : 1], excess = low - r, next;
    *level = low;
    if (excess >= 2) return excess - 2; /* a link takes two */
    next = r + 2 <= h->top ? h->above[r + 2] : 0;
    if (next == r + 2 && r + 2 > 2) { /* linked, at no cost: better than unlinked */
        *level = next;
        return 0;
    }
    return r ? excess : UINT32_MAX;
}

/* The best two pieces for r. */
static uint32_t two_pieces(const ladder *h, uint32_t r, uint32_t *first, uint32_t *second) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < h->levels; i++) {
        uint32_t x = h->level[i], y;
        if (x >= r) continue;
        if (2 * (uint64_t)x + 2 < r) break; /* the larger one comes first */
        uint32_t needs = last_piece(h, r - x, &y);
        if (needs < best) best = needs, *first = x, *second = y;
        if (!best) break;
    }
    return best;
}

/* Any number of pieces for r beside `fixed` others, by coin change. Appends them to out. */
static ksda_status many_pieces(ksda_ctx *ctx, const ladder *h, uint32_t r, uint32_t fixed, cut *out, bool *found) {
    ksda_status status = KSDA_NOMEM;
    uint32_t size = r + SLACK + h->top / 2;
    uint32_t *pieces = ksda_i_malloc(ctx, (uint64_t)size + 1, sizeof *pieces);
    uint32_t *via = ksda_i_malloc(ctx, (uint64_t)size + 1, sizeof *via);
    double best = INFINITY;
    uint32_t sum = 0;
    *found = false;
    if (!pieces || !via) goto done;
    pieces[0] = 0;
    for (uint32_t x = 1; x <= size; x++) {
        pieces[x] = UINT32_MAX;
        for (uint32_t i = 0; i < h->levels; i++) {
            uint32_t t = h->level[i];
            if (t > x || pieces[x - t] == UINT32_MAX || pieces[x - t] + 1 >= pieces[x]) continue;
            pieces[x] = pieces[x - t] + 1, via[x] = t;
        }
        if (x < r || pieces[x] == UINT32_MAX || pieces[x] + fixed < 2 || pieces[x] > r) continue;
        uint32_t links = pieces[x] + fixed - 1, excess = x - r,
                 needs = excess / 2 <= links ? excess % 2 : excess - 2 * links;
        double cost = h->weight * pieces[x] + needs;
        if (cost < best) best = cost, sum = x;
    }
    if (best < INFINITY) {
        *found = true;
        out->cost += best;
        for (uint32_t x = sum; x > 0; x -= via[x]) {
            if (ksda_i_reserve(ctx, &out->level, &out->capacity, out->count + 1, sizeof *out->level) < 0) goto done;
            out->level[out->count++] = via[x];
        }
    }
    status = KSDA_OK;
done:
    ksda_i_free(ctx, pieces);
    ksda_i_free(ctx, via);
    return status;
}

/* Complete a cut that has its fixed pieces already: the rest r goes into one, two or more further ones. */
static ksda_status finish_cut(ksda_ctx *ctx, const ladder *h, uint32_t r, cut *out, bool *found) {
    uint32_t x = 0, y = 0, one = UINT32_MAX, two;
    ksda_status status = ksda_i_reserve(ctx, &out->level, &out->capacity, out->count + 2, sizeof *out->level);
    if (status < 0) return status;
    *found = true;
    if (out->count >= 2 && r == 0) return KSDA_OK;
    if (out->count) one = last_piece(h, r, &x);
    if (one != UINT32_MAX && one <= h->weight) {
        out->level[out->count++] = x;
        out->cost += h->weight + one;
        return KSDA_OK;
    }
    two = two_pieces(h, r, &x, &y);
    if (two != UINT32_MAX && two <= h->weight) {
        out->level[out->count++] = x, out->level[out->count++] = y;
        out->cost += 2 * h->weight + two;
        return KSDA_OK;
    }
    return many_pieces(ctx, h, r, (uint32_t)out->count, out, found);
}

/* --- cutting one vertex ------------------------------------------------------------------------------------------- */

typedef struct job {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    ksda_i_pieces *pieces;
    bool spread;              /* see ksda_i_plan */
    uint32_t *number, *links; /* scratch, grown as needed */
    uint64_t *order;
    uint64_t number_capacity, links_capacity, order_capacity;
} job;

static int descending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Link two pieces if that leaves each an original edge. */
static ksda_status link_two(job *j, const cut *c, uint64_t a, uint64_t b, uint32_t *excess) {
    if (*excess < 2 || j->links[a] + 2 > c->level[a] || j->links[b] + 2 > c->level[b]) return KSDA_OK;
    j->links[a]++, j->links[b]++;
    *excess -= 2;
    return ksda_edits_link(j->ctx, j->pieces->edits, j->number[a], j->number[b]);
}

/* Link pieces while the levels sum to two more than there are edges; a chain first, so that all hang together. */
static ksda_status link_pieces(job *j, const cut *c, uint32_t *excess) {
    ksda_status status = KSDA_OK;
    for (uint64_t gap = 1; gap < c->count && *excess >= 2; gap++)
        for (uint64_t a = 0; a + gap < c->count && *excess >= 2; a++) KSDA_I_TRY(link_two(j, c, a, a + gap, excess));
done:
    return status;
}

/* Likewise, but round and round those above degree 1, so that all have as many links but for one or two. */
static ksda_status link_round(job *j, const cut *c, uint32_t *excess) {
    ksda_status status = KSDA_OK;
    uint64_t count = 0;
    while (count < c->count && c->level[count] > 1) count++;
    for (uint64_t gap = 1; 2 * gap <= count && *excess >= 2; gap++)
        for (uint64_t a = 0; a < (2 * gap == count ? gap : count) && *excess >= 2; a++)
            KSDA_I_TRY(link_two(j, c, a, (a + gap) % count, excess));
done:
    return status;
}

/* What links do not take are needs, one after the other of each piece; it keeps an original edge. They stand in
 * `needs` then. */
static void spread_needs(const job *j, const cut *c, uint32_t *needs, uint32_t *excess) {
    memset(needs, 0, c->count * sizeof *needs);
    for (bool more = true; *excess && more;) {
        more = false;
        for (uint64_t i = 0; i < c->count && *excess; i++) {
            if (j->links[i] + needs[i] + 1 >= c->level[i]) continue;
            needs[i]++, --*excess, more = true;
        }
    }
}

/* Or the largest pieces' first. */
static void pile_needs(const job *j, const cut *c, uint32_t *needs, uint32_t *excess) {
    for (uint64_t i = 0; i < c->count; i++) {
        uint32_t spare = c->level[i] - j->links[i] - 1;
        needs[i] = *excess < spare ? *excess : spare;
        *excess -= needs[i];
    }
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void ksda_i_deal_order(const ksda_graph *g, const ksda_communities *communities, uint32_t v, uint64_t *order) {
    uint32_t degree = ksda_i_degree(g, v), own = communities->of[v];
    ksda_i_graph_need(g, v);
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t of = communities->of[g->adj[g->off[v] + i]];
        order[i] = (uint64_t)(of == own ? UINT32_MAX : of) << 32 | i;
    }
    ksda_i_sort_by(order, degree, sizeof *order, by_key);
}

/* Give piece i carried[i] of v's original edges, in the order they are dealt. */
static ksda_status deal_original_edges(job *j, uint32_t v, const cut *c, const uint32_t *carried) {
    ksda_status status;
    uint64_t at = 0;
    KSDA_I_TRY(ksda_i_reserve(j->ctx, &j->order, &j->order_capacity, ksda_i_degree(j->graph, v), sizeof *j->order));
    ksda_i_deal_order(j->graph, j->communities, v, j->order);
    for (uint64_t i = 0; i < c->count; i++)
        for (uint32_t e = 0; e < carried[i]; e++, at++)
            if (i) KSDA_I_TRY(ksda_edits_carry(j->ctx, j->pieces->edits, v, (uint32_t)j->order[at], j->number[i]));
done:
    return status;
}

static ksda_status append_piece(ksda_ctx *ctx, ksda_i_pieces *p, uint32_t owner) {
    uint64_t capacity[3] = {p->capacity, p->capacity, p->capacity};
    uint32_t **block[3] = {&p->owner, &p->degree, &p->target};
    for (int i = 0; i < 3; i++) {
        ksda_status status = ksda_i_reserve(ctx, block[i], &capacity[i], (uint64_t)p->count + 1, sizeof **block[i]);
        if (status < 0) return status;
    }
    p->capacity = capacity[0];
    p->owner[p->count++] = owner;
    return KSDA_OK;
}

/* Carry out a cut of v. *fits is false when the pieces cannot be given an original edge each. */
static ksda_status cut_vertex(job *j, uint32_t v, cut *c, bool *fits) {
    ksda_status status = KSDA_OK;
    ksda_i_pieces *p = j->pieces;
    uint32_t degree = ksda_i_degree(j->graph, v), excess = 0;
    ksda_i_sort_by(c->level, c->count, sizeof *c->level, descending);
    KSDA_I_TRY(ksda_i_reserve(j->ctx, &j->number, &j->number_capacity, c->count, sizeof *j->number));
    KSDA_I_TRY(ksda_i_reserve(j->ctx, &j->links, &j->links_capacity, 2 * c->count, sizeof *j->links));
    uint32_t *carried = j->links + c->count;
    for (uint64_t i = 0; i < c->count; i++) {
        j->links[i] = 0, j->number[i] = v;
        excess += c->level[i];
        if (i) KSDA_I_TRY(ksda_edits_split(j->ctx, p->edits, v, &j->number[i]));
        if (i) KSDA_I_TRY(append_piece(j->ctx, p, v));
    }
    excess -= degree;
    KSDA_I_TRY((j->spread ? link_round : link_pieces)(j, c, &excess));
    (j->spread ? spread_needs : pile_needs)(j, c, carried, &excess);
    for (uint64_t i = 0; i < c->count; i++) {
        carried[i] = c->level[i] - j->links[i] - carried[i];
        p->degree[j->number[i]] = carried[i] + j->links[i];
        p->target[j->number[i]] = c->level[i];
    }
    *fits = excess == 0;
    if (*fits) KSDA_I_TRY(deal_original_edges(j, v, c, carried));
done:
    return status;
}

/* --- a community at a time ---------------------------------------------------------------------------------------- */

/* The pieces that the plan has placed, by vertex: piece[first[v]] .. piece[first[v + 1] - 1] of split vertex number v.
 */
static int by_vertex(const void *a, const void *b) {
    const ksda_i_placing *x = a, *y = b;
    if (x->vertex != y->vertex) return x->vertex < y->vertex ? -1 : 1;
    return (x->level < y->level) - (x->level > y->level);
}

/* Cut every vertex that is to be split, in order. placed is sorted by vertex. */
static ksda_status cut_all(job *j, const ladder *h, const ksda_i_plan *plan, const ksda_i_placing *placed,
                           bool *found) {
    ksda_status status = KSDA_OK;
    cut c = {0};
    uint32_t at = 0;
    for (uint32_t v = 0; v < j->graph->n && *found; v++) {
        if (plan->target[v] != KSDA_I_SPLIT) continue;
        uint32_t rest = ksda_i_degree(j->graph, v);
        c.count = 0;
        while (at < plan->pieces && placed[at].vertex < v) at++;
        for (; at < plan->pieces && placed[at].vertex == v; at++) {
            KSDA_I_TRY(ksda_i_reserve(j->ctx, &c.level, &c.capacity, c.count + 1, sizeof *c.level));
            c.level[c.count++] = placed[at].level;
            rest = rest > placed[at].level ? rest - placed[at].level : 0;
        }
        if (rest || c.count < 2) KSDA_I_TRY(finish_cut(j->ctx, h, rest, &c, found));
        if (*found) KSDA_I_TRY(cut_vertex(j, v, &c, found));
    }
done:
    ksda_i_free(j->ctx, c.level);
    return status;
}

/* Members of each community with the pieces among them. */
static ksda_status list_members(ksda_ctx *ctx, const ksda_communities *communities, ksda_i_pieces *p) {
    uint32_t m = communities->count;
    p->home = ksda_i_calloc(ctx, (uint64_t)m + 2, sizeof *p->home);
    p->member = ksda_i_malloc(ctx, p->count, sizeof *p->member);
    if (!p->home || !p->member) return KSDA_NOMEM;
    for (uint32_t x = 0; x < p->count; x++) p->home[communities->of[p->owner[x]] + 2]++;
    for (uint32_t c = 0; c < m; c++) p->home[c + 2] += p->home[c + 1];
    for (uint32_t x = 0; x < p->count; x++) p->member[p->home[communities->of[p->owner[x]] + 1]++] = x;
    return KSDA_OK;
}

void ksda_i_pieces_clear(ksda_ctx *ctx, ksda_i_pieces *p) {
    ksda_i_free(ctx, p->owner);
    ksda_i_free(ctx, p->degree);
    ksda_i_free(ctx, p->target);
    ksda_i_free(ctx, p->home);
    ksda_i_free(ctx, p->member);
    ksda_edits_free(ctx, p->edits);
    *p = (ksda_i_pieces){0};
}

ksda_status ksda_i_pieces_make(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_i_plan *plan, double split_weight, ksda_i_pieces *out, bool *found) {
    ksda_status status = KSDA_NOMEM;
    ladder h = {0};
    uint32_t n = graph->n;
    ksda_i_placing *placed = ksda_i_malloc(ctx, plan->pieces, sizeof *placed);
    ksda_i_pieces p = {.n = n, .count = n, .capacity = n};
    job j = {.ctx = ctx, .graph = graph, .communities = communities, .pieces = &p, .spread = plan->spread};
    *out = (ksda_i_pieces){0};
    *found = true;
    p.owner = ksda_i_malloc(ctx, n, sizeof *p.owner);
    p.degree = ksda_i_malloc(ctx, n, sizeof *p.degree);
    p.target = ksda_i_malloc(ctx, n, sizeof *p.target);
    if (!placed || !p.owner || !p.degree || !p.target) goto done;
    KSDA_I_TRY(ksda_edits_new(ctx, graph, &p.edits));
    KSDA_I_TRY(ladder_make(ctx, plan, split_weight, &h));
    for (uint32_t v = 0; v < n; v++)
        p.owner[v] = v, p.degree[v] = ksda_i_degree(graph, v), p.target[v] = plan->target[v];
    if (plan->pieces) memcpy(placed, plan->piece, plan->pieces * sizeof *placed);
    ksda_i_sort_by(placed, plan->pieces, sizeof *placed, by_vertex);
    KSDA_I_TRY(cut_all(&j, &h, plan, placed, found));
    KSDA_I_TRY(list_members(ctx, communities, &p));
    *out = p;
    p = (ksda_i_pieces){0};
done:
    ksda_i_pieces_clear(ctx, &p);
    ksda_i_free(ctx, h.above);
    ksda_i_free(ctx, placed);
    ksda_i_free(ctx, j.number);
    ksda_i_free(ctx, j.links);
    ksda_i_free(ctx, j.order);
    return status;
}
