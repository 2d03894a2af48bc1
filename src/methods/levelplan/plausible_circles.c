/* Whole circles of friends for those who need many edges.
 *
 * Own edges of a hub lead to people who know each other, so that they have friends in common with it. Exchanging one
 * edge at a time (plausible_moves.c) does not get there: the first edge into a circle has nobody in common, and looks
 * worse than the one that it would replace. So all exchangeable edges of a vertex are taken together. Of everybody in
 * reach those are left out, a quarter at a time, who would have least in common with it if it were joined to all that
 * are left, until as many are left as it has edges. Degrees count against them by a weight that is drawn, so that
 * rounds try several; what makes the sum smaller is done. Time O(rows in reach) for each vertex and round. */
#include "methods/levelplan/plausible.h"

#include "core/sort.h"

#include <stdlib.h>

enum {
    FEW = 3,      /* exchangeable edges of a vertex at least */
    REACH = 8192, /* people in reach at most */
    QUARTER = 4
};
#define ROW_UNITS 3u   /* of work for each entry of a row, */
#define SORT_UNITS 60u /* and for each candidate that is sorted */

/* The exchangeable edges of one vertex, and who might be at their other ends. */
typedef struct circle {
    ksda_i_disguise *d;
    uint32_t a;
    uint64_t *edge;      /* [degrees] */
    uint32_t *old;       /* [degrees] whom they lead to, */
    ksda_i_looks *looks; /* [degrees] and how they look */
    uint32_t edges;
    ksda_i_candidate *list; /* [REACH] */
    uint64_t count;
} circle;

static uint32_t beyond(const circle *c, uint64_t e) {
    ksda_pair edge = c->d->edge[e];
    return edge.u == c->a ? edge.v : edge.u;
}

/* The edges whose other end may sink by one. */
static void list_edges(circle *c) {
    ksda_i_disguise *d = c->d;
    c->edges = 0;
    for (uint64_t at = d->first[c->a]; at; at = d->next[at - 1]) {
        uint64_t e = (at - 1) / 2;
        uint32_t b = beyond(c, e);
        if (!ksda_i_disguise_movable(d, d->edge[e]) || ksda_i_disguise_split(d, b)) continue;
        ksda_i_disguise_shift(d, b, -1);
        bool fine = ksda_i_disguise_in_order(d, b, -1);
        ksda_i_disguise_shift(d, b, 1);
        if (!fine) continue;
        c->edge[c->edges] = e, c->old[c->edges] = b;
        c->looks[c->edges++] = d->looks[e];
    }
}

/* --- who is in reach ---------------------------------------------------------------------------------------------- */

static void reach_row(circle *c, uint32_t p) {
    ksda_i_disguise *d = c->d;
    for (uint64_t i = d->base->off[p]; i < d->base->off[p + 1] && c->count < REACH; i++) {
        uint32_t y = d->base->adj[i];
        if (d->seen[y] == d->look || !ksda_i_may_connect(d->communities, d->owner[c->a], d->owner[y])) continue;
        d->seen[y] = d->look;
        c->list[c->count++].piece = y;
    }
    ksda_i_work(d->ctx, ROW_UNITS * (uint64_t)ksda_i_degree(d->base, p));
}

/* Breadth first over own edges inside the community, so that everybody in reach has one; then those stay who may be
 * joined to the vertex and may rise, or are joined to it by its exchangeable edges, which are off the chains. */
static void reach(circle *c) {
    ksda_i_disguise *d = c->d;
    uint64_t kept = 0;
    d->seen[c->a] = ++d->look;
    c->count = 0;
    reach_row(c, c->a);
    for (uint64_t i = 0; i < c->count && c->count < REACH; i++) reach_row(c, c->list[i].piece);
    d->look++;
    for (uint32_t i = 0; i < c->edges; i++) d->seen[c->old[i]] = d->look;
    for (uint64_t i = 0; i < c->count; i++) {
        uint32_t y = c->list[i].piece;
        if (ksda_i_disguise_split(d, y) || ksda_i_disguise_joined(d, c->a, y)) continue;
        if (d->seen[y] == d->look || ksda_i_disguise_may_rise(d, y)) c->list[kept++].piece = y;
    }
    c->count = kept;
}

/* --- who is left -------------------------------------------------------------------------------------------------- */

static int by_key(const void *x, const void *y) {
    const ksda_i_candidate *a = x, *b = y;
    if (a->key != b->key) return a->key > b->key ? -1 : 1;
    return (a->piece > b->piece) - (a->piece < b->piece);
}

uint64_t ksda_i_circle_left(uint64_t count, uint64_t want) {
    uint64_t left = count - (count + QUARTER - 1) / QUARTER;
    return left > want ? left : want;
}

void ksda_i_circle_peel(ksda_i_disguise *d, uint32_t a, uint64_t weight, uint64_t want, ksda_i_candidate *list,
                        uint64_t *count) {
    while (*count > want && !ksda_i_cancelled(d->ctx)) {
        d->stamp++;
        ksda_i_disguise_mark(d, 0, a);
        for (uint64_t i = 0; i < *count; i++) d->mark[0][list[i].piece] = d->stamp;
        for (uint64_t i = 0; i < *count; i++) {
            uint32_t y = list[i].piece;
            int64_t common = 0;
            for (uint64_t j = d->base->off[y]; j < d->base->off[y + 1]; j++)
                common += d->mark[0][d->base->adj[j]] == d->stamp;
            list[i].key = KSDA_I_CIRCLE_WEIGHTS * common - (int64_t)weight * ksda_i_degree(d->base, y);
            ksda_i_work(d->ctx, SORT_UNITS + ROW_UNITS * (uint64_t)ksda_i_degree(d->base, y));
        }
        ksda_i_sort_by(list, *count, sizeof *list, by_key);
        *count = ksda_i_circle_left(*count, want);
    }
}

/* --- exchange ----------------------------------------------------------------------------------------------------- */

static void lead_to(circle *c, uint64_t e, uint32_t y) {
    ksda_i_disguise_unhook(c->d, e);
    c->d->edge[e] = (ksda_pair){c->a, y};
    ksda_i_disguise_hook(c->d, e);
}

static bool shift_both(ksda_i_disguise *d, uint32_t b, uint32_t y) {
    ksda_i_disguise_shift(d, b, -1), ksda_i_disguise_shift(d, y, 1);
    if (ksda_i_disguise_in_order(d, b, -1) && ksda_i_disguise_in_order(d, y, 1)) return true;
    ksda_i_disguise_shift(d, y, -1), ksda_i_disguise_shift(d, b, 1);
    return false;
}

/* Those who are left come in the places of those who are not, as far as all degrees are in order. */
static uint32_t exchange(circle *c) {
    ksda_i_disguise *d = c->d;
    uint32_t done = 0;
    uint64_t next = 0;
    d->look++;
    for (uint64_t i = 0; i < c->count; i++) d->seen[c->list[i].piece] = d->look;
    for (uint32_t i = 0; i < c->edges; i++)
        if (d->seen[c->old[i]] == d->look) d->seen[c->old[i]] = 0, c->old[i] = UINT32_MAX;
    for (uint32_t i = 0; i < c->edges && next < c->count; i++) {
        if (c->old[i] == UINT32_MAX) continue;
        while (next < c->count &&
               (d->seen[c->list[next].piece] != d->look || !shift_both(d, c->old[i], c->list[next].piece)))
            next++;
        if (next == c->count) break;
        lead_to(c, c->edge[i], c->list[next++].piece);
        done++;
    }
    return done;
}

static void undo(circle *c) {
    for (uint32_t i = 0; i < c->edges; i++) {
        uint32_t y = beyond(c, c->edge[i]);
        c->d->looks[c->edge[i]] = c->looks[i];
        if (c->old[i] == UINT32_MAX || y == c->old[i]) continue;
        ksda_i_disguise_shift(c->d, y, -1), ksda_i_disguise_shift(c->d, c->old[i], 1);
        lead_to(c, c->edge[i], c->old[i]);
    }
}

/* How all edges look after the exchange. */
static ksda_i_looks look_again(circle *c) {
    ksda_i_disguise *d = c->d;
    ksda_i_looks all = d->all;
    d->stamp++;
    ksda_i_disguise_mark(d, 0, c->a);
    for (uint32_t i = 0; i < c->edges; i++) {
        uint64_t e = c->edge[i];
        uint32_t y = beyond(c, e);
        d->looks[e] = c->old[i] == UINT32_MAX || c->old[i] == y
                          ? ksda_i_disguise_looks_now(d, 0, c->a, y)
                          : ksda_i_disguise_looks(d, 0, c->a, y, d->degree[c->a], d->degree[y]);
        ksda_i_looks_add(&all, &c->looks[i], -1);
        ksda_i_looks_add(&all, &d->looks[e], 1);
    }
    return all;
}

static void regroup(circle *c, ksda_i_rng *rng) {
    ksda_i_disguise *d = c->d;
    list_edges(c);
    if (c->edges < FEW) return;
    for (uint32_t i = 0; i < c->edges; i++) ksda_i_disguise_unhook(d, c->edge[i]);
    reach(c);
    ksda_i_circle_peel(d, c->a, ksda_i_rng_below(rng, KSDA_I_CIRCLE_WEIGHTS), c->edges, c->list, &c->count);
    for (uint32_t i = c->edges; i--;) ksda_i_disguise_hook(d, c->edge[i]);
    if (c->count != c->edges || !exchange(c)) return;
    ksda_i_looks all = look_again(c);
    if (ksda_i_disguise_sum(&all) < ksda_i_disguise_sum(&d->all))
        d->all = all;
    else
        undo(c);
}

ksda_status ksda_i_disguise_circles(ksda_i_disguise *d, uint64_t round) {
    circle c = {.d = d};
    ksda_status status = KSDA_OK;
    c.edge = ksda_i_malloc(d->ctx, d->degrees, sizeof *c.edge);
    c.old = ksda_i_malloc(d->ctx, d->degrees, sizeof *c.old);
    c.looks = ksda_i_malloc(d->ctx, d->degrees, sizeof *c.looks);
    c.list = ksda_i_malloc(d->ctx, REACH, sizeof *c.list);
    KSDA_I_TRY(c.edge && c.old && c.looks && c.list ? KSDA_OK : KSDA_NOMEM);
    for (uint32_t p = 0; p < d->pieces && d->status >= 0; p++) {
        uint32_t many = 0;
        for (uint64_t at = d->first[p]; at && many < FEW; at = d->next[at - 1]) many++;
        if (many < FEW) continue;
        if (ksda_i_work_over(d->ctx)) break;
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(d->ctx), 0x63697263 + round, p);
        c.a = p;
        regroup(&c, &rng);
        KSDA_I_TRY(ksda_i_interrupted(d->ctx));
    }
    status = d->status;
done:
    ksda_i_free(d->ctx, c.edge);
    ksda_i_free(d->ctx, c.old);
    ksda_i_free(d->ctx, c.looks);
    ksda_i_free(d->ctx, c.list);
    return status;
}
