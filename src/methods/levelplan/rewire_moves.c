/* Exchange added edges inside one community where that distorts less.
 *
 * Two exchanges leave the degrees of the release as they are. Crossing: u-w and x-y become u-x and w-y. Handing over:
 * u-w becomes u-z, where z has one degree less than w, so that w and z change places. What an edge does to clustering,
 * to distances and to the betweenness of the most central vertex is looked up in tables made before (rewire.c); what it
 * does to eigenvector centrality is linear in the values of its ends, plus what the exchanges of this round have done
 * at the same vertices.
 *
 * Every edge is looked at once a round, against a bounded number of candidates, and takes the best exchange.
 * Communities share nothing, so they run in parallel, and chance comes from the community's own stream. Time O(edges *
 * tries * (landmarks + degree)). */
#include "methods/levelplan/rewire.h"
#include "core/random.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <math.h>

/* --- what an edge does -------------------------------------------------------------------------------------------- */

static void mark_around(ksda_i_mover *d, int which, uint32_t u) {
    const ksda_graph *b = d->p->base;
    for (uint64_t i = b->off[u]; i < b->off[u + 1]; i++) d->mark[which][b->adj[i]] = d->stamp;
}

/* Neighbours of w that are marked: their number, and the sum of their shares. They may be of any community, so the
 * shares are those of the round's beginning. */
static double common_neighbours(const ksda_i_mover *d, int which, uint32_t w, double *sum) {
    const ksda_graph *b = d->p->base;
    const uint32_t *mark = d->mark[which];
    double count = 0;
    *sum = 0;
    for (uint64_t i = b->off[w]; i < b->off[w + 1]; i++) {
        if (mark[b->adj[i]] != d->stamp) continue;
        count++;
        *sum += d->p->shown[b->adj[i]];
    }
    return count;
}

/* How much nearer the landmarks come to one end, and for how many of them the way went through the centre. */
static void shortcuts(const ksda_i_rewiring *p, uint32_t u, uint32_t w, double *nearer, double *bypassed) {
    const unsigned char *a = p->far + (uint64_t)u * p->landmarks, *b = p->far + (uint64_t)w * p->landmarks;
    const unsigned char *c = p->far + (uint64_t)p->centre * p->landmarks;
    int by_u = p->hub[u], by_w = p->hub[w], sum = 0, through = 0;
    for (uint32_t i = 0; i < p->landmarks; i++) {
        int x = a[i], y = b[i], gap = x > y ? x - y : y - x, over = gap > 1 && gap < 100 ? gap - 1 : 0;
        int way = c[i] + (x > y ? by_u : by_w), most = x > y ? x : y;
        sum += over;
        through += over > 0 && way == most;
    }
    *nearer = sum;
    *bypassed = through;
}

/* What an edge does to the centralities of its ends, times the distortion of that. */
static double eigen_effect(const ksda_i_rewiring *p, uint32_t u, uint32_t w) {
    return p->eigen_gradient[u] * p->value[w] + p->eigen_gradient[w] * p->value[u];
}

/* The traits of an edge u-w, u being marked as `which`. */
static ksda_i_traits edge_traits(const ksda_i_mover *d, int which, uint32_t u, uint32_t w) {
    const ksda_i_rewiring *p = d->p;
    ksda_i_traits t;
    double nearer, bypassed, sum, count = common_neighbours(d, which, w, &sum);
    shortcuts(p, u, w, &nearer, &bypassed);
    t.of[KSDA_I_CLUSTERING] = sum + count * (p->share[u] + p->share[w]);
    t.of[KSDA_I_PATHS] = -nearer;
    t.of[KSDA_I_BETWEENNESS] = -bypassed;
    t.of[KSDA_I_CENTRALITY] = eigen_effect(p, u, w);
    return t;
}

ksda_i_traits ksda_i_rewire_traits(ksda_i_mover *d, uint32_t u, uint32_t w) {
    d->stamp++;
    mark_around(d, 0, u);
    return edge_traits(d, 0, u, w);
}

static void add_traits(ksda_i_traits *sum, const ksda_i_traits *t, double factor) {
    for (int i = 0; i < KSDA_I_DISTORTIONS; i++) sum->of[i] += factor * t->of[i];
}

/* The distortion of the community after a change, beyond what it is now. */
static double added_distortion(const ksda_i_mover *d, const ksda_i_traits *change) {
    const ksda_i_rewiring *p = d->p;
    double sum = 0;
    for (int i = 0; i < KSDA_I_CENTRALITY; i++) {
        double now = d->due[i] + d->moved[i];
        sum += p->weight[i] * (fabs(now + p->scale[i] * change->of[i]) - fabs(now));
    }
    return sum + p->weight[KSDA_I_CENTRALITY] * p->scale[KSDA_I_CENTRALITY] * change->of[KSDA_I_CENTRALITY];
}

/* --- the edges ---------------------------------------------------------------------------------------------------- */

static bool connected(const ksda_i_rewiring *p, uint32_t u, uint32_t w) {
    uint32_t a = p->owner[u], b = p->owner[w];
    if (a == b || ksda_graph_adjacent(p->graph, a, b)) return true;
    for (uint32_t e = p->chain_first[a]; e; e = p->chain[e - 1]) {
        const ksda_pair *pair = &p->edge[(e - 1) / 2];
        if (p->owner[(e - 1) % 2 ? pair->u : pair->v] == b) return true;
    }
    return false;
}

/* How an edge and its ends feel it when it comes (sign 1) or goes (-1). */
static void update_eigen_gradient(ksda_i_rewiring *p, uint32_t u, uint32_t w, double sign) {
    double rate = sign / (p->radius * p->radius);
    p->eigen_gradient[u] += rate * p->value[w];
    p->eigen_gradient[w] += rate * p->value[u];
}

static void move_end(ksda_i_rewiring *p, uint64_t e, uint32_t end, uint32_t piece) {
    uint32_t *at = end ? &p->edge[e].v : &p->edge[e].u, entry = (uint32_t)(2 * e + end);
    uint32_t *link = &p->chain_first[p->owner[*at]];
    while (*link != entry + 1) link = &p->chain[*link - 1];
    *link = p->chain[entry];
    *at = piece;
    p->chain[entry] = p->chain_first[p->owner[piece]];
    p->chain_first[p->owner[piece]] = entry + 1;
}

/* --- exchanges ---------------------------------------------------------------------------------------------------- */

/* The best exchange found for an edge. */
typedef struct choice {
    double gain;
    ksda_i_traits change;
    uint64_t other; /* crossing: the other edge; UINT64_MAX when it is a handing over */
    uint32_t end;   /* crossing: which of its ends comes to u. Handing over: which end of the edge goes */
    uint32_t piece; /* handing over: to whom */
} choice;

static void offer_exchange(const ksda_i_mover *d, choice *best, const choice *c) {
    double gain = -added_distortion(d, &c->change);
    if (gain <= best->gain) return;
    *best = *c;
    best->gain = gain;
}

/* u-w and x-y become u-x and w-y; u is marked as 0, w as 1. */
static void try_crossing(const ksda_i_mover *d, uint64_t e, uint64_t f, const ksda_i_traits *old, choice *best) {
    const ksda_i_rewiring *p = d->p;
    uint32_t u = p->edge[e].u, w = p->edge[e].v;
    for (uint32_t end = 0; end < 2; end++) {
        uint32_t x = end ? p->edge[f].v : p->edge[f].u, y = end ? p->edge[f].u : p->edge[f].v;
        if (connected(p, u, x) || connected(p, w, y)) continue;
        choice c = {.other = f, .end = end};
        ksda_i_traits one = edge_traits(d, 0, u, x), two = edge_traits(d, 1, w, y);
        add_traits(&c.change, &one, 1);
        add_traits(&c.change, &two, 1);
        add_traits(&c.change, old, -1);
        offer_exchange(d, best, &c);
    }
}

/* Clustering of a piece whose degree changes: triangles over pairs of neighbours. */
static double at_degree(double triangles, uint32_t degree) {
    return degree < 2 ? 0 : triangles * 2 / ((double)degree * (degree - 1.0));
}

/* u-w becomes u-z; u is marked as `which`, z has one degree less than w. */
static void try_handing_over(const ksda_i_mover *d, int which, uint32_t u, uint32_t w, uint32_t z,
                             const ksda_i_traits *old, choice *best) {
    const ksda_i_rewiring *p = d->p;
    double sum, shared = common_neighbours(d, which, z, &sum), had;
    uint32_t high = p->level[p->place[w]];
    choice c = {.other = UINT64_MAX, .end = which == 0, .piece = z};
    if (connected(p, u, z)) return;
    c.change = edge_traits(d, which, u, z);
    add_traits(&c.change, old, -1);
    had = common_neighbours(d, which, w, &sum);
    c.change.of[KSDA_I_CLUSTERING] -= shared * p->share[z] - had * p->share[w];
    c.change.of[KSDA_I_CLUSTERING] += at_degree(p->closed[w] - had, high - 1) - at_degree(p->closed[w], high);
    c.change.of[KSDA_I_CLUSTERING] += at_degree(p->closed[z] + shared, high) - at_degree(p->closed[z], high - 1);
    offer_exchange(d, best, &c);
}

/* The places of community c whose degree is `degree`: *begin .. *end - 1. */
static void places_of_degree(const ksda_i_rewiring *p, uint32_t c, uint32_t degree, uint32_t *begin, uint32_t *end) {
    uint32_t bound[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t low = p->start[c], high = p->start[c + 1];
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (p->level[middle] < degree + i)
                low = middle + 1;
            else
                high = middle;
        }
        bound[i] = low;
    }
    *begin = bound[0], *end = bound[1];
}

static void look_for_heirs(const ksda_i_mover *d, ksda_i_rng *rng, uint32_t c, int which, uint32_t u, uint32_t w,
                           const ksda_i_traits *old, choice *best) {
    const ksda_i_rewiring *p = d->p;
    uint32_t begin, end, degree = p->level[p->place[w]];
    if (degree < 2) return;
    places_of_degree(p, c, degree - 1, &begin, &end);
    uint32_t count = end - begin, tries = count < p->tries ? count : p->tries;
    for (uint32_t i = 0; i < tries; i++) {
        uint32_t z = p->member[begin + (count <= p->tries ? i : (uint32_t)ksda_i_rng_below(rng, count))];
        if (z != u) try_handing_over(d, which, u, w, z, old, best);
    }
}

/* What the edge does now: its lasting traits were kept, its eigen gradient changes with every exchange. */
static ksda_i_traits traits_now(const ksda_i_rewiring *p, uint64_t e) {
    ksda_i_traits t = p->trait[e];
    t.of[KSDA_I_CENTRALITY] = eigen_effect(p, p->edge[e].u, p->edge[e].v);
    return t;
}

static void look_for_crossings(const ksda_i_mover *d, ksda_i_rng *rng, uint32_t c, uint64_t e, const ksda_i_traits *old,
                               choice *best) {
    const ksda_i_rewiring *p = d->p;
    uint64_t begin = p->first[c], count = p->first[c + 1] - begin, tries = count < p->tries ? count : p->tries;
    for (uint64_t i = 0; i < tries; i++) {
        uint64_t f = p->order[begin + (count <= p->tries ? i : ksda_i_rng_below(rng, count))];
        ksda_i_traits both = traits_now(p, f);
        if (f == e) continue;
        add_traits(&both, old, 1);
        try_crossing(d, e, f, &both, best);
    }
}

/* --- one community ------------------------------------------------------------------------------------------------ */

static void renew_traits(ksda_i_mover *d, uint64_t e) {
    d->p->trait[e] = ksda_i_rewire_traits(d, d->p->edge[e].u, d->p->edge[e].v);
}

/* w and z, one degree apart, change places. */
static void change_places(ksda_i_rewiring *p, uint32_t w, uint32_t z, double lost, double won) {
    uint32_t a = p->place[w], b = p->place[z];
    p->member[a] = z, p->member[b] = w;
    p->place[w] = b, p->place[z] = a;
    p->share[w] = at_degree(1, p->level[b]), p->share[z] = at_degree(1, p->level[a]);
    p->closed[w] -= lost, p->closed[z] += won;
}

static void hand_over(ksda_i_mover *d, uint64_t e, const choice *c) {
    ksda_i_rewiring *p = d->p;
    uint32_t u = c->end ? p->edge[e].u : p->edge[e].v, w = c->end ? p->edge[e].v : p->edge[e].u, z = c->piece;
    double sum, lost = common_neighbours(d, !c->end, w, &sum), won = common_neighbours(d, !c->end, z, &sum);
    update_eigen_gradient(p, u, w, -1);
    move_end(p, e, c->end, z);
    update_eigen_gradient(p, u, z, 1);
    change_places(p, w, z, lost, won);
    renew_traits(d, e);
}

static void exchange_ends(ksda_i_mover *d, uint64_t e, const choice *c) {
    ksda_i_rewiring *p = d->p;
    uint64_t f = c->other;
    uint32_t u = p->edge[e].u, w = p->edge[e].v, x = c->end ? p->edge[f].v : p->edge[f].u,
             y = c->end ? p->edge[f].u : p->edge[f].v;
    update_eigen_gradient(p, u, w, -1), update_eigen_gradient(p, x, y, -1);
    move_end(p, e, 1, x);
    move_end(p, f, c->end, w);
    update_eigen_gradient(p, u, x, 1), update_eigen_gradient(p, w, y, 1);
    renew_traits(d, e), renew_traits(d, f);
}

static void improve_edge(ksda_i_mover *d, ksda_i_rng *rng, uint32_t c, uint64_t e) {
    ksda_i_rewiring *p = d->p;
    uint32_t u = p->edge[e].u, w = p->edge[e].v;
    ksda_i_traits old = traits_now(p, e);
    choice best = {.gain = 1e-12};
    d->stamp++;
    mark_around(d, 0, u);
    mark_around(d, 1, w);
    look_for_heirs(d, rng, c, 0, u, w, &old, &best);
    look_for_heirs(d, rng, c, 1, w, u, &old, &best);
    look_for_crossings(d, rng, c, e, &old, &best);
    if (best.gain <= 1e-12) return;
    for (int i = 0; i < KSDA_I_DISTORTIONS; i++) d->moved[i] += p->scale[i] * best.change.of[i];
    if (best.other == UINT64_MAX)
        hand_over(d, e, &best);
    else
        exchange_ends(d, e, &best);
}

void ksda_i_rewire_community(ksda_i_mover *d, uint32_t c) {
    ksda_i_rewiring *p = d->p;
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(p->ctx), 0x706f6c69 + p->round, c);
    double part = p->movable ? (double)(p->first[c + 1] - p->first[c]) / (double)p->movable : 0;
    d->moved = p->moved + (uint64_t)c * KSDA_I_DISTORTIONS;
    for (int i = 0; i < KSDA_I_DISTORTIONS; i++) d->moved[i] = 0, d->due[i] = part * p->distortion[i];
    for (uint64_t i = p->first[c]; i < p->first[c + 1] && !ksda_i_cancelled(p->ctx); i++) renew_traits(d, p->order[i]);
    for (uint64_t i = p->first[c]; i < p->first[c + 1] && !ksda_i_cancelled(p->ctx); i++)
        improve_edge(d, &rng, c, p->order[i]);
}
