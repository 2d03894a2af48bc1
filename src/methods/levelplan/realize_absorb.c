/* Absorbing: a need that found no partner goes to a vertex of the community that moves up to the next level for it.
 *
 * It may if its level can spare it: another member of the community stays behind, or, once all communities are counted,
 * more communities are there than it takes. Those nearest to who has the need come first, or those that what is
 * favoured prefers. Where nobody who could move up is free to be connected to it, an added edge changes hands: x-y
 * becomes x-u, and y finds an absorber. */
#include "methods/levelplan/realize.h"

#include "core/sort.h"
#include "methods/levelplan/limits.h"

#include <stdlib.h>

/* How far w would have to move up, or 0 if it must stay. */
static uint32_t step_up(const ksda_i_realizer *d, uint32_t w) {
    uint32_t level = d->all->pieces->target[w], next = d->all->up[level];
    const ksda_i_census *all = &d->all->census;
    static const ksda_i_tally unseen = {0, 0};
    if (all->crowd) /* communities come one after the other, and everybody is counted */
        return next && ksda_i_census_spares(all, level, d->community) && ksda_i_census_may_come(all, next, d->community)
                   ? next - level
                   : 0;
    const ksda_i_tally *there = d->all->census.tally ? &d->all->census.tally[level] : &unseen;
    bool may_leave = ksda_i_model_spares(&d->all->model, there, d->community, d->count[level]);
    return next && may_leave ? next - level : 0;
}

/* One member of the community moves from one level to another. */
static void move_level(ksda_i_realizer *d, uint32_t from, uint32_t to) {
    d->count[from]--;
    d->count[to]++;
    if (d->all->census.crowd) ksda_i_census_move(&d->all->census, d->community, from, to);
    if (!d->all->census.tally || d->all->census.crowd) return;
    ksda_i_census_went(&d->all->census, from, d->community, d->count[from]);
    ksda_i_census_came(&d->all->census, to, d->community, d->count[to] - 1);
}

static ksda_status absorb(ksda_i_realizer *d, uint32_t u, uint32_t w) {
    uint32_t *target = d->all->pieces->target, step = step_up(d, w);
    move_level(d, target[w], target[w] + step);
    target[w] += step;
    d->mark[d->all->pieces->owner[w]] = d->stamp;
    if (step > 1) { /* w has needs of its own now */
        if (ksda_i_reserve(d->all->ctx, &d->needy, &d->needy_capacity, (uint64_t)d->needies + 1, sizeof *d->needy) < 0)
            return KSDA_NOMEM;
        d->needy[d->needies++] = (ksda_i_need){w, step - 1};
    }
    return ksda_i_realize_connect(d, u, w);
}

static int by_rank(const void *a, const void *b) {
    const ksda_i_friend *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Friends of u's friends who could absorb, with the number of friends in common in tally. u is marked. */
static ksda_status find_friends(ksda_i_realizer *d, uint32_t u, uint32_t rest, uint64_t *count) {
    const ksda_i_realizing *all = d->all;
    const ksda_graph *g = all->graph;
    uint32_t v = all->pieces->owner[u];
    uint64_t work = 1024 * (uint64_t)rest + 65536;
    ksda_i_graph_need(g, v);
    *count = 0;
    for (uint64_t i = g->off[v]; i < g->off[v + 1] && work; i++) {
        uint32_t x = g->adj[i];
        if (all->communities->of[x] != d->community) continue;
        ksda_i_graph_need(g, x);
        for (uint64_t j = g->off[x]; j < g->off[x + 1] && work; j++, work--) {
            uint32_t w = g->adj[j];
            if (all->communities->of[w] != d->community || ksda_i_realize_marked(d, w) || step_up(d, w) != 1 ||
                d->tally[w]++)
                continue;
            ksda_status status =
                ksda_i_reserve(all->ctx, &d->friends, &d->friends_capacity, *count + 1, sizeof *d->friends);
            if (status < 0) return status;
            d->friends[(*count)++] = (ksda_i_friend){w, 0};
        }
    }
    return KSDA_OK;
}

/* Everybody in the community who could absorb. */
static ksda_status find_all(ksda_i_realizer *d, uint64_t *count) {
    const ksda_i_pieces *p = d->all->pieces;
    *count = 0;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        uint32_t w = p->member[i];
        if (w >= p->n || ksda_i_realize_marked(d, w) || step_up(d, w) != 1) continue;
        ksda_status status =
            ksda_i_reserve(d->all->ctx, &d->friends, &d->friends_capacity, *count + 1, sizeof *d->friends);
        if (status < 0) return status;
        d->friends[(*count)++] = (ksda_i_friend){w, 0};
    }
    return KSDA_OK;
}

/* How far w is from the circle of u, who is marked: 0 if u knows more than half of w's neighbours, 1 if some, 2 if
 * none. An edge inside the circle makes no shortcut. */
static uint64_t distance_class(const ksda_i_realizer *d, uint32_t w) {
    const ksda_graph *g = d->all->graph;
    uint64_t common = 0;
    ksda_i_graph_need(g, w);
    for (uint64_t i = g->off[w]; i < g->off[w + 1]; i++) common += d->mark[g->adj[i]] == d->stamp;
    return 2 * common > ksda_i_degree(g, w) ? 0 : common ? 1 : 2;
}

/* The best of the friends of u's friends, or of all, by what is favoured. */
static ksda_status absorb_favoured(ksda_i_realizer *d, uint32_t u, uint32_t *rest) {
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
    if (count) ksda_i_sort_by(d->friends, count, sizeof *d->friends, by_rank);
    for (uint64_t i = 0; i < count && *rest && status >= 0; i++) {
        if (step_up(d, d->friends[i].vertex) != 1) continue;
        status = absorb(d, u, d->friends[i].vertex);
        --*rest;
    }
    return status;
}

/* Absorbers among the friends of u's friends, for closed triangles. u is marked. */
static ksda_status absorb_near(ksda_i_realizer *d, uint32_t u, uint32_t *rest) {
    const ksda_i_realizing *all = d->all;
    const ksda_graph *g = all->graph;
    uint32_t v = all->pieces->owner[u];
    uint64_t work = 64 * (uint64_t)*rest + 1024;
    uint32_t size = all->pieces->home[d->community + 1] - all->pieces->home[d->community];
    if (all->favour != KSDA_FAVOUR_BALANCED || size <= KSDA_I_REALIZE_SORTED) return absorb_favoured(d, u, rest);
    ksda_i_graph_need(g, v);
    for (uint64_t i = g->off[v]; i < g->off[v + 1] && *rest && work; i++) {
        uint32_t x = g->adj[i];
        if (all->communities->of[x] != d->community) continue;
        ksda_i_graph_need(g, x);
        for (uint64_t j = g->off[x]; j < g->off[x + 1] && *rest && work; j++, work--) {
            uint32_t w = g->adj[j];
            if (all->communities->of[w] != d->community || ksda_i_realize_marked(d, w) ||
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
static ksda_status absorb_anywhere(ksda_i_realizer *d, uint32_t u, uint32_t *rest, uint32_t step) {
    const ksda_i_pieces *p = d->all->pieces;
    uint32_t begin = p->home[d->community], size = p->home[d->community + 1] - begin;
    for (uint32_t i = 0; i < size && *rest; i++) {
        uint32_t w = p->member[begin + (u + i) % size];
        if (ksda_i_realize_marked(d, w) || step_up(d, w) != step) continue;
        if (absorb(d, u, w) < 0) return KSDA_NOMEM;
        --*rest;
    }
    return KSDA_OK;
}

ksda_status ksda_i_realize_absorb(ksda_i_realizer *d) {
    uint32_t bound = d->needies + 4096;
    for (uint32_t i = 0; i < d->needies; i++) {
        uint32_t u = d->needy[i].piece, rest = d->needy[i].rest;
        if (!rest) continue;
        if (ksda_i_cancelled(d->all->ctx)) break;
        ksda_i_realize_mark(d, u);
        if (absorb_near(d, u, &rest) < 0 || absorb_anywhere(d, u, &rest, 1) < 0) return KSDA_NOMEM;
        for (uint32_t j = i + 1; j < d->needies && rest; j++) { /* needs that came up on the way */
            if (!d->needy[j].rest || ksda_i_realize_marked(d, d->needy[j].piece)) continue;
            if (ksda_i_realize_connect(d, u, d->needy[j].piece) < 0) return KSDA_NOMEM;
            d->mark[d->all->pieces->owner[d->needy[j].piece]] = d->stamp;
            d->needy[j].rest--, rest--;
        }
        for (uint32_t step = 2; step <= 8 && rest && d->needies < bound; step++)
            if (absorb_anywhere(d, u, &rest, step) < 0) return KSDA_NOMEM;
        d->needy[i].rest = rest;
    }
    return KSDA_OK;
}

/* A piece that can take one more edge, from u; UINT32_MAX if there is none. u is marked. Looking costs work. */
static uint32_t find_absorber(const ksda_i_realizer *d, uint32_t u, uint64_t *work) {
    const ksda_i_pieces *p = d->all->pieces;
    uint32_t begin = p->home[d->community], size = p->home[d->community + 1] - begin, found = UINT32_MAX, i = 0;
    for (; i < size && found == UINT32_MAX; i++) {
        uint32_t w = p->member[begin + (u + i) % size];
        if (!ksda_i_realize_marked(d, w) && step_up(d, w) == 1) found = w;
    }
    *work += 16 + i / 64;
    return found;
}

static bool has_absorber(const ksda_i_realizer *d) {
    const ksda_i_pieces *p = d->all->pieces;
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++)
        if (step_up(d, p->member[i]) == 1) return true;
    return false;
}

/* Meet one need of u by taking x from y, who then finds an absorber where u could not: x-y becomes x-u and y-w. */
static ksda_status take_over(ksda_i_realizer *d, uint32_t u, uint64_t *work, bool *done) {
    for (uint64_t e = 0; e < d->out->count; e++) {
        for (int flip = 0; flip < 2 && *work < KSDA_I_REALIZE_EXCHANGES; flip++) {
            uint32_t x = flip ? d->out->pair[e].v : d->out->pair[e].u, y = flip ? d->out->pair[e].u : d->out->pair[e].v,
                     w;
            ++*work;
            if (x == u || y == u || ksda_i_realize_adjacent(d, u, x)) continue;
            ksda_i_realize_mark(d, y);
            if ((w = find_absorber(d, y, work)) == UINT32_MAX) continue;
            ksda_i_realize_rehang(d, (uint32_t)e, x, u);
            *done = true;
            return absorb(d, y, w);
        }
    }
    return KSDA_OK;
}

ksda_status ksda_i_realize_take_over(ksda_i_realizer *d) {
    uint64_t work = 0;
    if (!has_absorber(d)) return KSDA_OK;
    for (uint32_t i = 0; i < d->needies; i++)
        while (d->needy[i].rest && work < KSDA_I_REALIZE_EXCHANGES && !ksda_i_cancelled(d->all->ctx)) {
            bool done = false;
            if (take_over(d, d->needy[i].piece, &work, &done) < 0) return KSDA_NOMEM;
            if (!done) break;
            d->needy[i].rest--;
        }
    return KSDA_OK;
}
