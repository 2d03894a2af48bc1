/* Changing places: a need that found no partner is met where nobody may move up, because every level is full.
 *
 * Let w have an added edge w-y and stand at the level after that of w', whom u could be connected to. Then w' comes up
 * in place of w, who goes back: the edge w-y goes and u-w' comes. The other end, y, is connected to somebody else who
 * has a need left, or once more to u; or, where these know it already, goes back in place of a y' whom they do not.
 * Where w' has to come up further, it takes over other added edges of w. As many of the community stand at each level
 * as before, so the plan stays as it is.
 *
 * Time O(needs left * (members + added edges)). */
#include "methods/levelplan/realize.h"

#include <stdlib.h>

#define EACH 2u      /* members of a level that are listed */
#define MOST_GAP 32u /* degrees that somebody comes up in place of another one */

/* Those at each level whom a piece could be connected to, of different vertices; UINT32_MAX for nobody. */
typedef struct partner_list {
    uint32_t *at; /* [EACH * levels] */
} partner_list;

/* Those of u, who is marked by this. */
static void list_partners(ksda_i_realizer *d, uint32_t u, partner_list *list) {
    const ksda_i_pieces *p = d->all->pieces;
    memset(list->at, 0xff, EACH * ((uint64_t)d->all->top + 1) * sizeof *list->at);
    ksda_i_realize_mark(d, u);
    for (uint32_t i = p->home[d->community]; i < p->home[d->community + 1]; i++) {
        uint32_t w = p->member[i], *at = list->at + EACH * (uint64_t)p->target[w];
        if (ksda_i_realize_marked(d, w)) continue;
        if (at[0] == UINT32_MAX)
            at[0] = w;
        else if (at[1] == UINT32_MAX && p->owner[w] != p->owner[at[0]])
            at[1] = w;
    }
}

/* Somebody comes up in place of w, by so much: one edge more is new, the others are taken over from w. */
typedef struct succession {
    uint32_t next, gap;
    uint32_t edge[MOST_GAP];
} succession;

/* The far end of an added edge of w: a place in its chain. */
static uint32_t far_end(const ksda_i_realizer *d, uint32_t place) {
    const ksda_pair *pair = &d->out->pair[(place - 1) / 2];
    return (place - 1) % 2 ? pair->u : pair->v;
}

static bool is_apart(const ksda_i_realizer *d, uint32_t x, const uint32_t *apart, uint32_t aparts) {
    const uint32_t *owner = d->all->pieces->owner;
    bool free = true;
    for (uint32_t i = 0; i < aparts; i++) free &= owner[x] != owner[apart[i]];
    return free;
}

/* Choose gap - 1 edges of w, other than e, that `next` can take over: none to a vertex of `apart`. w has no more added
 * edges than it has risen by: once too many of them will not do, the others are not looked at. */
static bool choose_edges(const ksda_i_realizer *d, uint32_t w, uint64_t e, uint32_t next, const uint32_t *apart,
                         uint32_t aparts, uint32_t gap, succession *s) {
    const ksda_i_pieces *p = d->all->pieces;
    uint32_t chosen = 0, left = p->target[w] - p->degree[w];
    for (uint32_t place = d->first[w]; place && chosen + 1 < gap && chosen + left + 1 >= gap;
         place = d->chain[place - 1], left--) {
        uint32_t y = far_end(d, place), edge = (place - 1) / 2;
        if (edge == e || !is_apart(d, y, apart, aparts) || ksda_i_realize_adjacent(d, next, y)) continue;
        s->edge[chosen++] = edge;
    }
    s->next = next, s->gap = gap;
    return chosen + 1 == gap;
}

/* Who could come up in place of w, whose added edge e is opened: of another vertex than each of `apart`. */
static bool find_successor(const ksda_i_realizer *d, const partner_list *list, uint32_t w, uint64_t e,
                           const uint32_t *apart, uint32_t aparts, succession *s) {
    const ksda_i_pieces *p = d->all->pieces;
    uint32_t room = p->target[w] - p->degree[w], most = room < MOST_GAP ? room : MOST_GAP;
    for (uint32_t gap = 1; gap <= most; gap++)
        for (uint32_t i = 0; i < EACH; i++) {
            uint32_t next = list->at[EACH * (uint64_t)(p->target[w] - gap) + i];
            if (next == UINT32_MAX || !is_apart(d, next, apart, aparts)) continue;
            if (choose_edges(d, w, e, next, apart, aparts, gap, s)) return true;
        }
    return false;
}

/* w goes back, and the other one has its place. */
static void succeed(ksda_i_realizer *d, uint32_t w, const succession *s) {
    uint32_t *target = d->all->pieces->target;
    target[w] -= s->gap, target[s->next] += s->gap;
    for (uint32_t i = 0; i + 1 < s->gap; i++) {
        const ksda_pair *pair = &d->out->pair[s->edge[i]];
        ksda_i_realize_rehang(d, s->edge[i], pair->u == w ? pair->v : pair->u, s->next);
    }
}

/* Does one of the edges that are taken over end at the vertex of x? */
static bool takes_over(const ksda_i_realizer *d, const succession *s, uint32_t x) {
    const uint32_t *owner = d->all->pieces->owner;
    bool found = false;
    for (uint32_t i = 0; i + 1 < s->gap; i++)
        found |= owner[d->out->pair[s->edge[i]].u] == owner[x] || owner[d->out->pair[s->edge[i]].v] == owner[x];
    return found;
}

/* Meet one need of u and one of z, or two of u, by opening one added edge; u is marked. */
static ksda_status change_places(ksda_i_realizer *d, uint32_t u, uint32_t z, const partner_list *of_u,
                                 const partner_list *of_z, uint64_t *work, bool *done) {
    for (uint64_t e = 0; e < d->out->count && *work < KSDA_I_REALIZE_EXCHANGES; e++, ++*work)
        for (int flip = 0; flip < 2; flip++) {
            succession one, two;
            uint32_t w = flip ? d->out->pair[e].v : d->out->pair[e].u, y = flip ? d->out->pair[e].u : d->out->pair[e].v;
            if (w == u || w == z || y == u || y == z) continue;
            if (!find_successor(d, of_u, w, e, (uint32_t[]){u, z, w, y}, 4, &one)) continue;
            bool known = u == z ? ksda_i_realize_marked(d, y) : ksda_i_realize_adjacent(d, z, y);
            if (known && !find_successor(d, of_z, y, e, (uint32_t[]){u, z, w, y, one.next}, 5, &two)) continue;
            if (known && (takes_over(d, &one, two.next) || takes_over(d, &two, one.next))) continue;
            succeed(d, w, &one);
            if (known) succeed(d, y, &two);
            ksda_i_realize_rehang(d, (uint32_t)e, w, u);
            ksda_i_realize_rehang(d, (uint32_t)e, u, one.next);
            *done = true;
            return ksda_i_realize_connect(d, z, known ? two.next : y);
        }
    return KSDA_OK;
}

/* All needs that are left, of one piece or of two each time. */
static ksda_status change_all(ksda_i_realizer *d, partner_list *of_u, partner_list *of_z) {
    uint64_t work = 0;
    for (uint32_t i = 0; i < d->needies; i++)
        for (uint32_t j = i; j < d->needies && d->needy[i].rest; j++)
            while (d->needy[j].rest >= (i == j ? 2u : 1u) && d->needy[i].rest) {
                uint32_t u = d->needy[i].piece, z = d->needy[j].piece;
                bool done = false;
                if (ksda_i_cancelled(d->all->ctx)) return KSDA_OK;
                if (u != z) list_partners(d, z, of_z);
                list_partners(d, u, of_u);
                if (change_places(d, u, z, of_u, u == z ? of_u : of_z, &work, &done) < 0) return KSDA_NOMEM;
                if (!done) break;
                d->needy[i].rest--, d->needy[j].rest--;
            }
    return KSDA_OK;
}

ksda_status ksda_i_realize_change_places(ksda_i_realizer *d) {
    uint64_t left = 0, levels = (uint64_t)d->all->top + 1;
    for (uint32_t i = 0; i < d->needies; i++) left += d->needy[i].rest;
    if (left < 2) return KSDA_OK;
    partner_list of_u = {ksda_i_malloc(d->all->ctx, EACH * levels, sizeof *of_u.at)},
                 of_z = {ksda_i_malloc(d->all->ctx, EACH * levels, sizeof *of_z.at)};
    ksda_status status = of_u.at && of_z.at ? change_all(d, &of_u, &of_z) : KSDA_NOMEM;
    ksda_i_free(d->all->ctx, of_u.at);
    ksda_i_free(d->all->ctx, of_z.at);
    return status;
}
