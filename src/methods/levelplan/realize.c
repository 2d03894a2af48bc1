/* Find the edges: inside one community, add edges until everybody has the planned degree.
 *
 * needs(u) = target - degree must become the degrees of a simple graph on the pairs that are not adjacent yet. Four
 * steps: pair the neediest with the next needy ones (Havel and Hakimi's rule, which is exact when all pairs are free);
 * exchange, where two needs are left over that are adjacent to each other: an added edge x-y becomes u-x and w-y; let
 * absorbers take what is left, vertices that move up to the next level while others of their community stay behind at
 * theirs; and report what nobody could take. An exchange saves the edge that two absorbers would cost.
 *
 * Absorbing looks only at the own community: a level may be left if another member stays, and entered if it is open. So
 * no community ever leaves a level, coverage stays as planned, communities are independent and run in parallel. Those
 * left with unmet needs go on afterwards, one by one, and may then use up what coverage a level has beyond k.
 *
 * Time per community O(sum of the degrees of the needy + needy^2 + added edges * exchanges), memory O(n) per thread. */
#include "methods/levelplan/level_plan.h"
#include "methods/levelplan/limits.h"
#include "core/parallel.h"

#include <stdlib.h>

#define EXCHANGE_WORK 4000000u /* pairs looked at per community before exchanging stops */

#define MOST_EDGES 0x7ffffffeu /* added in one community: their ends are numbered from 1 in 32 bits */

typedef struct need {
    uint32_t piece, rest;
} need;

typedef struct edge_list {
    ksda_pair *pair;
    uint64_t count, capacity;
    uint32_t community;
    ksda_status status;
    uint64_t unmet;
} edge_list;

typedef struct shared {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_i_plan *plan;
    ksda_i_pieces *pieces;
    uint32_t *up; /* [top + 1] the next open level above an open one, or 0 */
    uint32_t top;
    edge_list *result; /* [communities] */
    uint32_t *short_of;
    uint32_t k;
    ksda_favour favour;
    uint32_t *cover; /* [top + 1] communities at each level; NULL while communities run in parallel */
} shared;

/* Somebody at distance two. */
typedef struct friend {
    uint32_t vertex;
    uint64_t rank; /* smaller is better */
}
friend;

/* Scratch of one thread. */
typedef struct desk {
    shared *all;
    edge_list *out;
    uint32_t *mark; /* [n] by owner: stamp */
    uint32_t stamp;
    uint32_t *count; /* [top + 1] members of the community at each level */
    need *needy;
    uint64_t needy_capacity;
    uint32_t needies;
    need *lowered; /* [needies] while they are paired */
    uint64_t lowered_capacity;
    uint32_t community;
    uint32_t *tally; /* [n] common friends; all zero between uses, NULL when nobody asks */
    friend *friends;
    uint64_t friends_capacity;
    /* added edges as lists: for each end, the next of the same piece */
    uint32_t *first; /* [pieces] edge index * 2 + end + 1, or 0 */
    uint32_t *chain; /* [2 * edges] */
    uint64_t chain_capacity;
} desk;

/* --- adjacency ---------------------------------------------------------------------------------------------------- */

/* Mark everybody piece u may not be connected to: itself, what its vertex is adjacent to, what it was connected to. */
static void mark_around(desk *d, uint32_t u) {
    const ksda_graph *g = d->all->graph;
    const uint32_t *owner = d->all->pieces->owner;
    uint32_t v = owner[u];
    if (++d->stamp == 0) { /* once around: no old mark may look like a new one */
        memset(d->mark, 0, g->n * sizeof *d->mark);
        d->stamp = 1;
    }
    d->mark[v] = d->stamp;
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) d->mark[g->adj[i]] = d->stamp;
    for (uint32_t e = d->first[u]; e; e = d->chain[e - 1]) {
        const ksda_pair *pair = &d->out->pair[(e - 1) / 2];
        d->mark[owner[(e - 1) % 2 ? pair->u : pair->v]] = d->stamp;
    }
}

static bool marked(const desk *d, uint32_t w) {
    return d->mark[d->all->pieces->owner[w]] == d->stamp;
}

static ksda_status connect(desk *d, uint32_t u, uint32_t w) {
    edge_list *out = d->out;
    ksda_ctx *ctx = d->all->ctx;
    if (out->count >= MOST_EDGES)
        return ksda_i_error(ctx, KSDA_NOMEM, "a community would get more than %u new edges: there is no room for them",
                            MOST_EDGES);
    if (ksda_i_reserve(ctx, &out->pair, &out->capacity, out->count + 1, sizeof *out->pair) < 0 ||
        ksda_i_reserve(ctx, &d->chain, &d->chain_capacity, 2 * (out->count + 1), sizeof *d->chain) < 0)
        return KSDA_NOMEM;
    uint32_t e = (uint32_t)(2 * out->count);
    out->pair[out->count++] = (ksda_pair){u, w};
    d->chain[e] = d->first[u], d->first[u] = e + 1;
    d->chain[e + 1] = d->first[w], d->first[w] = e + 2;
    return KSDA_OK;
}

/* Take edge end e (index * 2 + end) out of its piece's list. */
static void unhook(desk *d, uint32_t piece, uint32_t e) {
    uint32_t *at = &d->first[piece];
    while (*at != e + 1) at = &d->chain[*at - 1];
    *at = d->chain[e];
}

/* Edge e becomes u-x, where x was one of its ends. */
static void rehang(desk *d, uint32_t e, uint32_t x, uint32_t u) {
    ksda_pair *pair = &d->out->pair[e];
    uint32_t end = pair->u == x ? 1 : 0; /* the end that changes */
    uint32_t old = end ? pair->v : pair->u;
    unhook(d, old, 2 * e + end);
    if (end)
        pair->v = u;
    else
        pair->u = u;
    d->chain[2 * e + end] = d->first[u], d->first[u] = 2 * e + end + 1;
}

/* --- pairing ------------------------------------------------------------------------------------------------------ */

static int by_rest(const void *a, const void *b) {
    const need *x = a, *y = b;
    if (x->rest != y->rest) return x->rest > y->rest ? -1 : 1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

/* Who has met one need, in `lowered`, goes back to its place among `needy`, which begins with so many free places. */
static void put_back(need *needy, uint32_t count, const need *lowered, uint32_t back) {
    for (uint32_t to = 0, from = back, i = 0; i < back; to++)
        needy[to] = from < count && by_rest(&needy[from], &lowered[i]) < 0 ? needy[from++] : lowered[i++];
}

/* Pair the neediest with the next ones until nobody is left; what remains over is collected at the front again. Those
 * who are paired and still needy wait in d->lowered, in order; those passed by stay, and move up behind them. */
static ksda_status pair_needs(desk *d) {
    uint32_t left = 0, count = d->needies;
    need *needy = d->needy;
    if (ksda_i_reserve(d->all->ctx, &d->lowered, &d->lowered_capacity, count, sizeof *d->lowered) < 0)
        return KSDA_NOMEM;
    for (uint32_t at = 0; at < count && !ksda_i_cancelled(d->all->ctx);) {
        need most = needy[at++];
        uint32_t i = at, passed = at, back = 0;
        mark_around(d, most.piece);
        for (; i < count && most.rest; i++) {
            if (marked(d, needy[i].piece)) {
                needy[passed++] = needy[i];
                continue;
            }
            if (connect(d, most.piece, needy[i].piece) < 0) return KSDA_NOMEM;
            d->mark[d->all->pieces->owner[needy[i].piece]] = d->stamp;
            most.rest--;
            if (--needy[i].rest) d->lowered[back++] = needy[i];
        }
        if (most.rest) needy[left++] = most;
        memmove(needy + i - (passed - at), needy + at, (passed - at) * sizeof *needy);
        at = i - (passed - at) - back;
        put_back(needy + at, count - at, d->lowered, back);
    }
    d->needies = left;
    return KSDA_OK;
}

/* The same for a crowd, where it matters little who of those with equal needs comes first: whoever is served changes
 * places with the last of his class, and the class ends before him. */
static ksda_status pair_crowd(desk *d) {
    uint32_t left = 0, count = d->needies, most = d->needy[0].rest;
    need *needy = d->needy;
    uint32_t *end = ksda_i_calloc(d->all->ctx, (uint64_t)most + 1, sizeof *end); /* of those with at least this need */
    ksda_status status = end ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; end && i < count; i++) end[needy[i].rest] = i + 1;
    for (uint32_t r = most; end && r-- > 1;)
        if (end[r] < end[r + 1]) end[r] = end[r + 1];
    for (uint32_t at = 0; end && at < end[1] && status >= 0 && !ksda_i_cancelled(d->all->ctx); at++) {
        need first = needy[at];
        mark_around(d, first.piece);
        for (uint32_t i = at + 1; i < end[1] && first.rest && status >= 0;) {
            need next = needy[i];
            if (marked(d, next.piece)) {
                i++;
                continue;
            }
            uint32_t last = --end[next.rest];
            needy[i] = needy[last];
            needy[last] = (need){next.piece, next.rest - 1};
            d->mark[d->all->pieces->owner[next.piece]] = d->stamp;
            first.rest--;
            status = connect(d, first.piece, next.piece);
        }
        if (first.rest) needy[left++] = first;
    }
    ksda_i_free(d->all->ctx, end);
    d->needies = left;
    return status;
}

/* --- exchanging --------------------------------------------------------------------------------------------------- */

/* Is w marked, given that u's surroundings are? With a second piece in play its neighbours are asked one by one. */
static bool adjacent(const desk *d, uint32_t u, uint32_t w) {
    const uint32_t *owner = d->all->pieces->owner;
    if (owner[u] == owner[w] || ksda_graph_adjacent(d->all->graph, owner[u], owner[w])) return true;
    for (uint32_t e = d->first[u]; e; e = d->chain[e - 1]) {
        const ksda_pair *pair = &d->out->pair[(e - 1) / 2];
        if (owner[(e - 1) % 2 ? pair->u : pair->v] == owner[w]) return true;
    }
    return false;
}

/* Meet one need of u and one of w (or two of u, when u == w) by opening one added edge. */
static ksda_status exchange(desk *d, uint32_t u, uint32_t w, uint64_t *work, bool *done) {
    mark_around(d, u);
    for (uint64_t e = 0; e < d->out->count && *work < EXCHANGE_WORK; e++, ++*work) {
        for (int flip = 0; flip < 2; flip++) {
            uint32_t x = flip ? d->out->pair[e].v : d->out->pair[e].u, y = flip ? d->out->pair[e].u : d->out->pair[e].v;
            if (marked(d, x) || (u == w ? marked(d, y) : adjacent(d, w, y))) continue;
            if (d->all->pieces->owner[x] == d->all->pieces->owner[y]) continue;
            if (u == w && flip) continue;
            rehang(d, (uint32_t)e, x, u); /* x-y becomes x-u */
            *done = true;
            return connect(d, w, y);
        }
    }
    return KSDA_OK;
}

static ksda_status exchange_all(desk *d) {
    uint64_t work = 0;
    for (uint32_t i = 0; i < d->needies; i++)
        for (uint32_t j = i; j < d->needies && d->needy[i].rest; j++)
            while (d->needy[j].rest >= (i == j ? 2u : 1u) && d->needy[i].rest && work < EXCHANGE_WORK) {
                bool done = false;
                if (ksda_i_cancelled(d->all->ctx)) return KSDA_OK;
                if (exchange(d, d->needy[i].piece, d->needy[j].piece, &work, &done) < 0) return KSDA_NOMEM;
                if (!done) break;
                d->needy[i].rest--, d->needy[j].rest--;
            }
    return KSDA_OK;
}

/* --- absorbing ---------------------------------------------------------------------------------------------------- */

/* How far w would have to move up, or 0 if it must stay. */
static uint32_t step_up(const desk *d, uint32_t w) {
    uint32_t level = d->all->pieces->target[w], next = d->all->up[level];
    bool may_leave = d->count[level] >= 2 || (d->all->cover && d->all->cover[level] > d->all->k);
    return next && may_leave ? next - level : 0;
}

/* One member of the community moves from one level to another. */
static void move(desk *d, uint32_t from, uint32_t to) {
    d->count[from]--;
    d->count[to]++;
    if (!d->all->cover) return;
    if (d->count[from] == 0) d->all->cover[from]--;
    if (d->count[to] == 1) d->all->cover[to]++;
}

static ksda_status absorb(desk *d, uint32_t u, uint32_t w) {
    uint32_t *target = d->all->pieces->target, step = step_up(d, w);
    move(d, target[w], target[w] + step);
    target[w] += step;
    d->mark[d->all->pieces->owner[w]] = d->stamp;
    if (step > 1) { /* w has needs of its own now */
        if (ksda_i_reserve(d->all->ctx, &d->needy, &d->needy_capacity, (uint64_t)d->needies + 1, sizeof *d->needy) < 0)
            return KSDA_NOMEM;
        d->needy[d->needies++] = (need){w, step - 1};
    }
    return connect(d, u, w);
}

static int by_rank(const void *a, const void *b) {
    const friend *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Friends of u's friends who could absorb, with the number of friends in common in tally. u is marked. */
static ksda_status find_friends(desk *d, uint32_t u, uint32_t rest, uint64_t *count) {
    const shared *all = d->all;
    const ksda_graph *g = all->graph;
    uint32_t v = all->pieces->owner[u];
    uint64_t work = 1024 * (uint64_t)rest + 65536;
    *count = 0;
    for (uint64_t i = g->off[v]; i < g->off[v + 1] && work; i++) {
        uint32_t x = g->adj[i];
        if (all->communities->of[x] != d->community) continue;
        for (uint64_t j = g->off[x]; j < g->off[x + 1] && work; j++, work--) {
            uint32_t w = g->adj[j];
            if (all->communities->of[w] != d->community || marked(d, w) || step_up(d, w) != 1 || d->tally[w]++)
                continue;
            ksda_status status =
                ksda_i_reserve(all->ctx, &d->friends, &d->friends_capacity, *count + 1, sizeof *d->friends);
            if (status < 0) return status;
            d->friends[(*count)++] = (friend){w, 0};
        }
    }
    return KSDA_OK;
}

/* Everybody in the community who could absorb. */
static ksda_status find_all(desk *d, uint64_t *count) {
    const ksda_i_pieces *p = d->all->pieces;
    *count = 0;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        uint32_t w = p->member[i];
        if (w >= p->n || marked(d, w) || step_up(d, w) != 1) continue;
        ksda_status status =
            ksda_i_reserve(d->all->ctx, &d->friends, &d->friends_capacity, *count + 1, sizeof *d->friends);
        if (status < 0) return status;
        d->friends[(*count)++] = (friend){w, 0};
    }
    return KSDA_OK;
}

/* How far w is from the circle of u, who is marked: 0 if u knows more than half of w's neighbours, 1 if some, 2 if
 * none. An edge inside the circle makes no shortcut. */
static uint64_t distance_class(const desk *d, uint32_t w) {
    const ksda_graph *g = d->all->graph;
    uint64_t common = 0;
    for (uint64_t i = g->off[w]; i < g->off[w + 1]; i++) common += d->mark[g->adj[i]] == d->stamp;
    return 2 * common > ksda_i_degree(g, w) ? 0 : common ? 1 : 2;
}

/* The best of the friends of u's friends, or of all, by what is favoured. */
static ksda_status absorb_favoured(desk *d, uint32_t u, uint32_t *rest) {
    uint64_t count;
    ksda_status status =
        d->all->favour == KSDA_FAVOUR_BALANCED ? find_all(d, &count) : find_friends(d, u, *rest, &count);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t w = d->friends[i].vertex, degree = ksda_i_degree(d->all->graph, w);
        d->friends[i].rank = (uint64_t)UINT32_MAX - (d->all->favour == KSDA_FAVOUR_CLUSTERING ? d->tally[w] : degree);
        if (d->all->favour == KSDA_FAVOUR_BALANCED) d->friends[i].rank += distance_class(d, w) << 32;
        if (d->tally) d->tally[w] = 0;
    }
    if (status < 0) return status;
    if (count) qsort(d->friends, count, sizeof *d->friends, by_rank);
    for (uint64_t i = 0; i < count && *rest && status >= 0; i++) {
        if (step_up(d, d->friends[i].vertex) != 1) continue;
        status = absorb(d, u, d->friends[i].vertex);
        --*rest;
    }
    return status;
}

/* Absorbers among the friends of u's friends, for closed triangles. u is marked. */
static ksda_status absorb_near(desk *d, uint32_t u, uint32_t *rest) {
    const shared *all = d->all;
    const ksda_graph *g = all->graph;
    uint32_t v = all->pieces->owner[u];
    uint64_t work = 64 * (uint64_t)*rest + 1024;
    uint32_t size = all->pieces->home[d->community + 1] - all->pieces->home[d->community];
    if (all->favour != KSDA_FAVOUR_BALANCED || size <= KSDA_I_REALIZE_SORTED) return absorb_favoured(d, u, rest);
    for (uint64_t i = g->off[v]; i < g->off[v + 1] && *rest && work; i++) {
        uint32_t x = g->adj[i];
        if (all->communities->of[x] != d->community) continue;
        for (uint64_t j = g->off[x]; j < g->off[x + 1] && *rest && work; j++, work--) {
            uint32_t w = g->adj[j];
            if (all->communities->of[w] != d->community || marked(d, w) ||
                all->pieces->degree[w] > all->pieces->target[w])
                continue;
            if (step_up(d, w) != 1) continue;
            if (absorb(d, u, w) < 0) return KSDA_NOMEM;
            --*rest;
        }
    }
    return KSDA_OK;
}

/* Absorbers anywhere in the community whose step is `step`. */
static ksda_status absorb_anywhere(desk *d, uint32_t u, uint32_t *rest, uint32_t step) {
    const ksda_i_pieces *p = d->all->pieces;
    uint32_t begin = p->home[d->community], size = p->home[d->community + 1] - begin;
    for (uint32_t i = 0; i < size && *rest; i++) {
        uint32_t w = p->member[begin + (u + i) % size];
        if (marked(d, w) || step_up(d, w) != step) continue;
        if (absorb(d, u, w) < 0) return KSDA_NOMEM;
        --*rest;
    }
    return KSDA_OK;
}

static ksda_status absorb_all(desk *d) {
    uint32_t bound = d->needies + 4096;
    for (uint32_t i = 0; i < d->needies; i++) {
        uint32_t u = d->needy[i].piece, rest = d->needy[i].rest;
        if (!rest) continue;
        if (ksda_i_cancelled(d->all->ctx)) break;
        mark_around(d, u);
        if (absorb_near(d, u, &rest) < 0 || absorb_anywhere(d, u, &rest, 1) < 0) return KSDA_NOMEM;
        for (uint32_t j = i + 1; j < d->needies && rest; j++) { /* needs that came up on the way */
            if (!d->needy[j].rest || marked(d, d->needy[j].piece)) continue;
            if (connect(d, u, d->needy[j].piece) < 0) return KSDA_NOMEM;
            d->mark[d->all->pieces->owner[d->needy[j].piece]] = d->stamp;
            d->needy[j].rest--, rest--;
        }
        for (uint32_t step = 2; step <= 8 && rest && d->needies < bound; step++)
            if (absorb_anywhere(d, u, &rest, step) < 0) return KSDA_NOMEM;
        d->needy[i].rest = rest;
    }
    return KSDA_OK;
}

/* Somebody who can take one more from u; UINT32_MAX if nobody. u is marked. Looking costs work. */
static uint32_t find_absorber(const desk *d, uint32_t u, uint64_t *work) {
    const ksda_i_pieces *p = d->all->pieces;
    uint32_t begin = p->home[d->community], size = p->home[d->community + 1] - begin, found = UINT32_MAX, i = 0;
    for (; i < size && found == UINT32_MAX; i++) {
        uint32_t w = p->member[begin + (u + i) % size];
        if (!marked(d, w) && step_up(d, w) == 1) found = w;
    }
    *work += 16 + i / 64;
    return found;
}

static bool has_absorber(const desk *d) {
    const ksda_i_pieces *p = d->all->pieces;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++)
        if (step_up(d, p->member[i]) == 1) return true;
    return false;
}

/* Meet one need of u by taking x from y, who then finds an absorber where u could not: x-y becomes x-u and y-w. */
static ksda_status take_over(desk *d, uint32_t u, uint64_t *work, bool *done) {
    for (uint64_t e = 0; e < d->out->count; e++) {
        for (int flip = 0; flip < 2 && *work < EXCHANGE_WORK; flip++) {
            uint32_t x = flip ? d->out->pair[e].v : d->out->pair[e].u, y = flip ? d->out->pair[e].u : d->out->pair[e].v,
                     w;
            ++*work;
            if (x == u || y == u || adjacent(d, u, x)) continue;
            mark_around(d, y);
            if ((w = find_absorber(d, y, work)) == UINT32_MAX) continue;
            rehang(d, (uint32_t)e, x, u);
            *done = true;
            return absorb(d, y, w);
        }
    }
    return KSDA_OK;
}

static ksda_status take_over_all(desk *d) {
    uint64_t work = 0;
    if (!has_absorber(d)) return KSDA_OK;
    for (uint32_t i = 0; i < d->needies; i++)
        while (d->needy[i].rest && work < EXCHANGE_WORK && !ksda_i_cancelled(d->all->ctx)) {
            bool done = false;
            if (take_over(d, d->needy[i].piece, &work, &done) < 0) return KSDA_NOMEM;
            if (!done) break;
            d->needy[i].rest--;
        }
    return KSDA_OK;
}

/* --- one community ------------------------------------------------------------------------------------------------ */

static ksda_status collect(desk *d) {
    const ksda_i_pieces *p = d->all->pieces;
    d->needies = 0;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        uint32_t u = p->member[i];
        d->count[p->target[u]]++;
        if (p->target[u] == p->degree[u]) continue;
        if (ksda_i_reserve(d->all->ctx, &d->needy, &d->needy_capacity, (uint64_t)d->needies + 1, sizeof *d->needy) < 0)
            return KSDA_NOMEM;
        d->needy[d->needies++] = (need){u, p->target[u] - p->degree[u]};
    }
    return KSDA_OK;
}

static void leave(desk *d) {
    const ksda_i_pieces *p = d->all->pieces;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        d->count[p->target[p->member[i]]] = 0;
        d->first[p->member[i]] = 0;
    }
    for (uint32_t i = 0; i < d->needies; i++) {
        d->all->short_of[d->needy[i].piece] += d->needy[i].rest;
        d->out->unmet += d->needy[i].rest;
    }
}

static void realize_community(desk *d, uint32_t c) {
    d->community = c;
    d->out = &d->all->result[c];
    ksda_status status = collect(d);
    if (status >= 0 && d->needies) {
        qsort(d->needy, d->needies, sizeof *d->needy, by_rest);
        status = d->needies > KSDA_I_REALIZE_SORTED ? pair_crowd(d) : pair_needs(d);
        if (status >= 0) status = exchange_all(d);
        if (status >= 0) status = absorb_all(d);
        if (status >= 0) status = exchange_all(d);
        if (status >= 0) status = take_over_all(d);
    }
    leave(d);
    d->out->status = status;
}

/* Go on with a community that has unmet needs, after all others are done: now a level may also be left by its last
 * member of the community, where more than k communities are present. One community after the other. */
static ksda_status resume_community(desk *d, uint32_t c) {
    const ksda_i_pieces *p = d->all->pieces;
    ksda_status status = KSDA_OK;
    d->community = c;
    d->out = &d->all->result[c];
    d->needies = 0;
    for (uint32_t i = p->home[c]; i < p->home[c + 1]; i++) {
        uint32_t u = p->member[i];
        d->count[p->target[u]]++;
        if (!d->all->short_of[u]) continue;
        KSDA_I_TRY(
            ksda_i_reserve(d->all->ctx, &d->needy, &d->needy_capacity, (uint64_t)d->needies + 1, sizeof *d->needy));
        d->needy[d->needies++] = (need){u, d->all->short_of[u]};
        d->all->short_of[u] = 0;
    }
    KSDA_I_TRY(ksda_i_reserve(d->all->ctx, &d->chain, &d->chain_capacity, 2 * d->out->count, sizeof *d->chain));
    for (uint64_t e = 0; e < d->out->count; e++) {
        uint32_t u = d->out->pair[e].u, w = d->out->pair[e].v;
        d->chain[2 * e] = d->first[u], d->first[u] = (uint32_t)(2 * e + 1);
        d->chain[2 * e + 1] = d->first[w], d->first[w] = (uint32_t)(2 * e + 2);
    }
    d->out->unmet = 0;
    KSDA_I_TRY(absorb_all(d));
    KSDA_I_TRY(exchange_all(d));
    KSDA_I_TRY(take_over_all(d));
done:
    leave(d);
    return status;
}

static ksda_status resume(shared *all, desk *d) {
    ksda_status status = KSDA_OK;
    const ksda_i_pieces *p = all->pieces;
    uint32_t m = all->communities->count;
    uint32_t *last = ksda_i_calloc(all->ctx, (uint64_t)all->top + 1, sizeof *last);
    all->cover = ksda_i_calloc(all->ctx, (uint64_t)all->top + 1, sizeof *all->cover);
    if (!last || !all->cover) status = KSDA_NOMEM;
    for (uint32_t c = 0; c < m && status >= 0; c++)
        for (uint32_t i = p->home[c]; i < p->home[c + 1]; i++) {
            uint32_t t = p->target[p->member[i]];
            if (last[t] != c + 1) last[t] = c + 1, all->cover[t]++;
        }
    for (uint32_t c = 0; c < m && status >= 0; c++)
        if (all->result[c].unmet) status = resume_community(d, c);
    ksda_i_free(all->ctx, last);
    ksda_i_free(all->ctx, all->cover);
    all->cover = NULL;
    return status;
}

typedef struct desks {
    desk *desk; /* [threads] */
} desks;

static void realize_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    desk *d = &((desks *)data)->desk[thread];
    for (uint64_t c = begin; c < end; c++)
        if (!ksda_i_cancelled(d->all->ctx)) realize_community(d, (uint32_t)c);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static ksda_status desk_open(shared *all, desk *d) {
    *d = (desk){.all = all};
    d->mark = ksda_i_calloc(all->ctx, all->graph->n, sizeof *d->mark);
    d->count = ksda_i_calloc(all->ctx, (uint64_t)all->top + 1, sizeof *d->count);
    d->first = ksda_i_calloc(all->ctx, all->pieces->count, sizeof *d->first);
    if (all->favour != KSDA_FAVOUR_BALANCED) {
        d->tally = ksda_i_calloc(all->ctx, all->graph->n, sizeof *d->tally);
        if (!d->tally) return KSDA_NOMEM;
    }
    return d->mark && d->count && d->first ? KSDA_OK : KSDA_NOMEM;
}

static void desk_close(ksda_ctx *ctx, desk *d) {
    ksda_i_free(ctx, d->mark);
    ksda_i_free(ctx, d->count);
    ksda_i_free(ctx, d->first);
    ksda_i_free(ctx, d->needy);
    ksda_i_free(ctx, d->lowered);
    ksda_i_free(ctx, d->tally);
    ksda_i_free(ctx, d->friends);
    ksda_i_free(ctx, d->chain);
}

static ksda_status join(shared *all, ksda_i_realization *out) {
    uint32_t m = all->communities->count;
    uint64_t total = 0;
    for (uint32_t c = 0; c < m; c++) {
        if (all->result[c].status < 0) return all->result[c].status;
        total += all->result[c].count;
    }
    out->edge = ksda_i_malloc(all->ctx, total, sizeof *out->edge);
    out->edges_of = ksda_i_malloc(all->ctx, m, sizeof *out->edges_of);
    if (!out->edge || !out->edges_of) return KSDA_NOMEM;
    for (uint32_t c = 0; c < m; c++) {
        const edge_list *r = &all->result[c];
        if (r->count) memcpy(out->edge + out->edges, r->pair, r->count * sizeof *r->pair);
        out->edges += r->count;
        out->edges_of[c] = r->count;
        out->unmet += r->unmet;
    }
    return KSDA_OK;
}

static ksda_status chart_levels(shared *all) {
    const ksda_i_plan *plan = all->plan;
    all->top = plan->levels ? plan->level[0] : 0;
    all->up = ksda_i_calloc(all->ctx, (uint64_t)all->top + 1, sizeof *all->up);
    if (!all->up) return KSDA_NOMEM;
    for (uint32_t i = 1; i < plan->levels; i++) all->up[plan->level[i]] = plan->level[i - 1];
    return KSDA_OK;
}

void ksda_i_realization_clear(ksda_ctx *ctx, ksda_i_realization *r) {
    ksda_i_free(ctx, r->edge);
    ksda_i_free(ctx, r->edges_of);
    ksda_i_free(ctx, r->short_of);
    *r = (ksda_i_realization){0};
}

ksda_status ksda_i_realize(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                           const ksda_i_plan *plan, ksda_i_pieces *pieces, uint32_t k, ksda_favour favour,
                           ksda_i_realization *out) {
    ksda_status status = KSDA_NOMEM;
    uint32_t m = communities->count;
    unsigned threads = ksda_ctx_threads(ctx);
    shared all = {.ctx = ctx,
                  .graph = graph,
                  .communities = communities,
                  .plan = plan,
                  .pieces = pieces,
                  .k = k,
                  .favour = favour};
    desks work = {ksda_i_calloc(ctx, threads, sizeof *work.desk)};
    bool unmet = false;
    *out = (ksda_i_realization){0};
    all.result = ksda_i_calloc(ctx, m, sizeof *all.result);
    out->short_of = all.short_of = ksda_i_calloc(ctx, pieces->count, sizeof *all.short_of);
    if (!work.desk || !all.result || !all.short_of) goto done;
    KSDA_I_TRY(chart_levels(&all));
    for (unsigned t = 0; t < threads; t++) KSDA_I_TRY(desk_open(&all, &work.desk[t]));
    ksda_i_parallel(ctx, m, 1, realize_range, &work);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    for (uint32_t c = 0; c < m; c++) unmet |= all.result[c].unmet > 0;
    if (unmet) KSDA_I_TRY(resume(&all, &work.desk[0]));
    KSDA_I_TRY(ksda_i_interrupted(ctx)); /* whoever was stopped has done his work in part */
    KSDA_I_TRY(join(&all, out));
done:
    for (unsigned t = 0; work.desk && t < threads; t++) desk_close(ctx, &work.desk[t]);
    for (uint32_t c = 0; all.result && c < m; c++) ksda_i_free(ctx, all.result[c].pair);
    ksda_i_free(ctx, work.desk);
    ksda_i_free(ctx, all.result);
    ksda_i_free(ctx, all.up);
    if (status < 0) ksda_i_realization_clear(ctx, out);
    return status;
}
