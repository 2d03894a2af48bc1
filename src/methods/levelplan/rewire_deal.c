/* Deal the original edges of split vertices out again, when the release is complete.
 *
 * Every piece keeps as many edges as it carries, so degrees and cost do not change; which ones is free. Four orders
 * are tried, the largest piece being dealt to first: circles of friends, each piece getting neighbours who know each
 * other, so that it looks like a person; neighbours in other communities before the own, the larger ones first; the
 * larger ones first; or community by community. Circles are preferred: another order has to distort less by so much
 * as the caller says. First for all split vertices alike, then for one after the
 * other, as far as measuring is affordable: a judge says what each does to the network. An edge may not be dealt to
 * where an added one stands for it already: another is taken; where there is none, the vertex stays as it is.
 *
 * Time: a sort of the rows of split vertices and one judgement for each try. */
#include "methods/levelplan/rewire.h"

#include "core/sort.h"
#include "graph/communities.h"
#include "graph/edits.h"
#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>

enum {
    CIRCLES_MOST = 1024 /* neighbours: for more of them, looking for circles takes too long */
};

typedef enum way {
    BY_CIRCLE,
    FAR_FIRST,
    LARGE_FIRST,
    BY_COMMUNITY
} way;

typedef struct hand {
    uint32_t piece, edges;
} hand;

typedef struct dealer {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    ksda_edits *edits;
    uint64_t *again; /* [agains] added edges that stand for original ones: smaller piece << 32 | larger, ascending */
    uint64_t agains;
    uint64_t *order; /* [most] */
    uint32_t *dealt; /* [most] */
    hand *hands;     /* [most] */
    uint32_t *place; /* [n] where a neighbour stands in the row at hand, plus one, or 0 */
    uint32_t *free;  /* [most] friends among the neighbours that nobody has yet, */
    uint32_t *near;  /* [most] and among those of the hand that is being filled */
    uint32_t *saved; /* all carriers */
    ksda_i_judge judge;
    void *payload;
    double circles; /* of distortion: what it is worth that pieces look like people */
} dealer;

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int by_piece(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The fullest hand first. */
static int by_edges(const void *a, const void *b) {
    const hand *x = a, *y = b;
    if (x->edges != y->edges) return x->edges > y->edges ? -1 : 1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

static uint64_t key_of(uint32_t p, uint32_t q) {
    return p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
}

static void find_agains(dealer *d) {
    const ksda_pair *edge;
    uint64_t count = ksda_edits_added(d->edits, &edge);
    for (uint64_t i = 0; i < count; i++)
        if (ksda_graph_adjacent(d->graph, ksda_edits_owner(d->edits, edge[i].u), ksda_edits_owner(d->edits, edge[i].v)))
            d->again[d->agains++] = key_of(edge[i].u, edge[i].v);
    ksda_i_sort_by(d->again, d->agains, sizeof *d->again, by_key);
}

/* Neighbour i of v goes to the hand that is being filled: its friends are nearer to it, and have a free friend less. */
static void take_neighbour(const dealer *d, uint32_t v, uint32_t i) {
    const ksda_graph *g = d->graph;
    uint32_t w = g->adj[g->off[v] + i];
    d->dealt[i] = 1;
    for (uint64_t e = g->off[w]; e < g->off[w + 1]; e++) {
        uint32_t at = d->place[g->adj[e]];
        if (at) d->near[at - 1]++, d->free[at - 1]--;
    }
}

/* Who has most friends in the hand that is being filled comes next; the first is who has most that are free. */
static uint32_t next_friend(const dealer *d, uint32_t degree, bool first) {
    const uint32_t *by = first ? d->free : d->near;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < degree; i++)
        if (!d->dealt[i] && (best == UINT32_MAX || by[i] > by[best])) best = i;
    return best;
}

/* Circle by circle, each as large as a hand. */
static void order_by_circle(const dealer *d, uint32_t v, uint32_t hands) {
    const ksda_graph *g = d->graph;
    const uint32_t *row = g->adj + g->off[v];
    uint32_t degree = ksda_i_degree(g, v), at = 0;
    ksda_i_work(d->ctx, (uint64_t)degree * degree);
    for (uint32_t i = 0; i < degree; i++) d->place[row[i]] = i + 1, d->dealt[i] = 0, d->free[i] = 0;
    for (uint32_t i = 0; i < degree; i++)
        for (uint64_t e = g->off[row[i]]; e < g->off[row[i] + 1]; e++) d->free[i] += d->place[g->adj[e]] != 0;
    for (uint32_t h = 0; h < hands; h++) {
        memset(d->near, 0, degree * sizeof *d->near);
        for (uint32_t e = 0; e < d->hands[h].edges; e++) {
            uint32_t i = next_friend(d, degree, e == 0);
            take_neighbour(d, v, i);
            d->order[at++] = i;
        }
    }
    for (uint32_t i = 0; i < degree; i++) d->place[row[i]] = 0;
}

/* The order in which v's edges are dealt to so many hands. The low half is the place in v's row. */
static void set_order(const dealer *d, uint32_t v, uint32_t hands, way by) {
    const ksda_graph *g = d->graph;
    uint32_t degree = ksda_i_degree(g, v);
    if (by == BY_CIRCLE && degree <= CIRCLES_MOST) {
        order_by_circle(d, v, hands);
        return;
    }
    if (by == BY_COMMUNITY || by == BY_CIRCLE) {
        ksda_i_deal_order(g, d->communities, v, d->order);
        return;
    }
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t w = g->adj[g->off[v] + i];
        uint64_t own = by == FAR_FIRST && d->communities->of[w] == d->communities->of[v];
        d->order[i] = own << 63 | (uint64_t)(INT32_MAX - ksda_i_degree(g, w)) << 32 | i;
    }
    ksda_i_sort_by(d->order, degree, sizeof *d->order, by_key);
}

/* How many edges each piece of v carries, the fullest hand first; the number of pieces comes back. */
static uint32_t count_hands(const dealer *d, const ksda_i_split *s) {
    uint32_t degree = ksda_i_degree(d->graph, s->vertex), count = 0;
    memcpy(d->dealt, s->carrier, degree * sizeof *d->dealt);
    ksda_i_sort_by(d->dealt, degree, sizeof *d->dealt, by_piece);
    for (uint32_t i = 0; i < degree; i++) {
        if (!i || d->dealt[i] != d->dealt[i - 1]) d->hands[count++] = (hand){d->dealt[i], 0};
        d->hands[count - 1].edges++;
    }
    ksda_i_sort_by(d->hands, count, sizeof *d->hands, by_edges);
    return count;
}

static bool stands_already(const dealer *d, uint32_t v, uint32_t i, uint32_t piece) {
    const ksda_graph *g = d->graph;
    uint32_t w = g->adj[g->off[v] + i];
    uint64_t key =
        key_of(piece, ksda_edits_carrier(d->edits, w, (uint32_t)(ksda_i_graph_position(g, w, v) - g->off[w])));
    return d->agains && bsearch(&key, d->again, d->agains, sizeof key, by_key);
}

/* Every hand takes the first edges in the order that nobody has and that it may have. */
static void deal_to_pieces(const dealer *d, ksda_i_split *s, way by) {
    uint32_t degree = ksda_i_degree(d->graph, s->vertex), count = count_hands(d, s), from = 0;
    set_order(d, s->vertex, count, by);
    for (uint32_t i = 0; i < degree; i++) d->dealt[i] = UINT32_MAX;
    for (uint32_t h = 0; h < count; h++) {
        while (from < degree && d->dealt[(uint32_t)d->order[from]] != UINT32_MAX) from++; /* nobody wants these again */
        for (uint32_t at = from; at < degree && d->hands[h].edges; at++) {
            uint32_t i = (uint32_t)d->order[at];
            if (d->dealt[i] != UINT32_MAX || stands_already(d, s->vertex, i, d->hands[h].piece)) continue;
            d->dealt[i] = d->hands[h].piece;
            d->hands[h].edges--;
        }
        if (d->hands[h].edges) return;
    }
    memcpy(s->carrier, d->dealt, degree * sizeof *s->carrier);
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

/* All carriers one after the other, into d->saved or back. */
static void save_carriers(const dealer *d, bool back) {
    uint32_t *at = d->saved;
    for (uint64_t i = 0; i < d->edits->splits; i++) {
        ksda_i_split *s = &d->edits->split[i];
        uint32_t degree = ksda_i_degree(d->graph, s->vertex);
        memcpy(back ? s->carrier : at, back ? at : s->carrier, degree * sizeof *at);
        at += degree;
    }
}

/* Deal all, or the one record from `first` on, and keep it where the judge, with so much to its credit, finds that
 * better than *best. */
static ksda_status try_dealing(const dealer *d, uint64_t first, uint64_t end, way by, double credit, double *best) {
    double distortion = INFINITY;
    save_carriers(d, false);
    for (uint64_t i = first; i < end && !ksda_i_cancelled(d->ctx); i++) deal_to_pieces(d, &d->edits->split[i], by);
    ksda_status status = ksda_i_interrupted(d->ctx);
    if (status >= 0) status = d->judge(d->payload, &distortion);
    if (status >= 0 && distortion - credit < *best)
        *best = distortion - credit;
    else
        save_carriers(d, true);
    return status;
}

/* best: the distortion as it is. Single vertices are dealt while half of the work is left: the rest is for exchanges.
 */
static ksda_status try_all_ways(const dealer *d, double best, uint32_t singles) {
    ksda_status status = KSDA_OK;
    double half = ksda_i_work_left(d->ctx) / 2;
    for (way by = BY_CIRCLE; by <= BY_COMMUNITY && (by == BY_CIRCLE || ksda_i_work_left(d->ctx) > half); by++)
        KSDA_I_TRY(try_dealing(d, 0, d->edits->splits, by, by == BY_CIRCLE ? d->circles : 0, &best));
    for (uint64_t i = 0;
         i < d->edits->splits && i < singles / 3 && ksda_i_time_left(d->ctx) > 0 && ksda_i_work_left(d->ctx) > half;
         i++)
        for (way by = FAR_FIRST; by <= BY_COMMUNITY; by++) KSDA_I_TRY(try_dealing(d, i, i + 1, by, 0, &best));
done:
    return status;
}

ksda_status ksda_i_deal_again(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              ksda_edits *edits, ksda_i_judge judge, void *payload, double distortion, double circles,
                              uint32_t singles) {
    ksda_status status = KSDA_NOMEM;
    dealer d = {.ctx = ctx,
                .graph = graph,
                .communities = communities,
                .edits = edits,
                .judge = judge,
                .payload = payload,
                .circles = circles};
    uint64_t most = 0, all = 0;
    for (uint64_t i = 0; i < edits->splits; i++) {
        uint32_t degree = ksda_i_degree(graph, edits->split[i].vertex);
        most = degree > most ? degree : most;
        all += degree;
    }
    d.again = ksda_i_malloc(ctx, edits->added.count, sizeof *d.again);
    d.order = ksda_i_malloc(ctx, most, sizeof *d.order);
    d.dealt = ksda_i_malloc(ctx, most, sizeof *d.dealt);
    d.hands = ksda_i_malloc(ctx, most, sizeof *d.hands);
    d.saved = ksda_i_malloc(ctx, all, sizeof *d.saved);
    d.place = ksda_i_calloc(ctx, graph->n, sizeof *d.place);
    d.free = ksda_i_malloc(ctx, most, sizeof *d.free);
    d.near = ksda_i_malloc(ctx, most, sizeof *d.near);
    if (!d.again || !d.order || !d.dealt || !d.hands || !d.saved || !d.place || !d.free || !d.near) goto done;
    find_agains(&d);
    status = try_all_ways(&d, distortion, singles);
done:
    ksda_i_free(ctx, d.again);
    ksda_i_free(ctx, d.order);
    ksda_i_free(ctx, d.dealt);
    ksda_i_free(ctx, d.hands);
    ksda_i_free(ctx, d.saved);
    ksda_i_free(ctx, d.place);
    ksda_i_free(ctx, d.free);
    ksda_i_free(ctx, d.near);
    return status;
}
