/* Exchanges that make added edges look like those that were there. Three kinds, all inside a community, or among people
 * whose sets of communities meet:
 *
 * - a-b becomes a-y: b sinks by one and y rises by one, where the one degree can do without it and the other take it;
 * - a-b and c-d become a-c and b-d, or a-d and b-c: every degree stays;
 * - a-b becomes a-x and b-y, at the price of one edge: x and y rise by one. Edges between two who both had to rise are
 *   the cheapest and the most conspicuous.
 *
 * Whom a is connected to is looked for among the friends of its friends, by random walks of two steps over own and
 * added edges alike: who has most friends in common with it comes up most often, and where an edge into a circle of
 * friends was added the others of the circle come up next. */
#include "methods/levelplan/plausible.h"

enum {
    WALKS = 128,   /* for each end */
    CROSSINGS = 24 /* other edges looked at */
};
#define LOOK_UNITS 400u   /* of work for each candidate, */
#define COMMON_UNITS 300u /* and for each who is common to both */
#define GAIN 1e-12

/* What may stand in the place of an edge. */
typedef struct option {
    double sum; /* of all edges then */
    ksda_pair edge[2];
    ksda_i_looks looks[2];
    int edges;
    uint64_t other; /* that gives way too, or UINT64_MAX */
} option;

/* One edge at hand. */
typedef struct scene {
    ksda_i_disguise *d;
    uint64_t e;
    uint32_t end[2];
    ksda_i_looks rest; /* of all edges but this one */
    option best;
    bool half;        /* is there a candidate for the first end of a pair of edges? */
    uint32_t partner; /* it, */
    ksda_i_looks partner_looks;
    double partner_sum;
} scene;

/* --- chains ------------------------------------------------------------------------------------------------------- */

static uint32_t end_of_entry(const ksda_i_disguise *d, uint64_t entry) {
    return entry & 1 ? d->edge[entry >> 1].v : d->edge[entry >> 1].u;
}

/* at: a link of the chain of the one end, `first` or `next`. */
static uint32_t other_end(const ksda_i_disguise *d, uint64_t at) {
    return end_of_entry(d, (at - 1) ^ 1);
}

void ksda_i_disguise_hook(ksda_i_disguise *d, uint64_t e) {
    for (uint64_t entry = 2 * e; entry < 2 * e + 2; entry++) {
        uint32_t p = end_of_entry(d, entry);
        d->next[entry] = d->first[p];
        d->first[p] = entry + 1;
    }
}

void ksda_i_disguise_unhook(ksda_i_disguise *d, uint64_t e) {
    for (uint64_t entry = 2 * e; entry < 2 * e + 2; entry++) {
        uint64_t *at = &d->first[end_of_entry(d, entry)];
        while (*at != entry + 1) at = &d->next[*at - 1];
        *at = d->next[entry];
    }
}

bool ksda_i_disguise_joined(const ksda_i_disguise *d, uint32_t p, uint32_t q) {
    uint32_t u = d->owner[p], v = d->owner[q];
    bool split = ksda_i_disguise_split(d, q);
    if (u == v || (split && ksda_i_disguise_split(d, p)) || ksda_graph_adjacent(d->graph, u, v)) return true;
    uint32_t whole = split ? p : q, other = split ? v : u;
    for (uint64_t at = d->first[whole]; at; at = d->next[at - 1])
        if (d->owner[other_end(d, at)] == other) return true;
    return false;
}

/* --- looks -------------------------------------------------------------------------------------------------------- */

void ksda_i_disguise_mark(ksda_i_disguise *d, int side, uint32_t p) {
    uint32_t count = 0;
    for (uint64_t i = d->base->off[p]; i < d->base->off[p + 1]; i++) d->around[side][count++] = d->base->adj[i];
    for (uint64_t at = d->first[p]; at; at = d->next[at - 1]) d->around[side][count++] = other_end(d, at);
    for (uint32_t i = 0; i < count; i++) d->mark[side][d->around[side][i]] = d->stamp;
    d->arounds[side] = count;
}

static void note_if_marked(ksda_i_disguise *d, int side, uint32_t z, uint64_t *weight) {
    if (d->mark[side][z] != d->stamp) return;
    d->common[d->commons++] = z;
    *weight += d->weight[d->degree[z]];
}

/* comes: it is not there yet, and own edges of both ends will score otherwise. */
static ksda_i_looks look_at(ksda_i_disguise *d, int side, ksda_pair edge, const uint32_t degree[2], bool comes) {
    ksda_i_looks looks = {.ends = 0};
    double score[KSDA_I_LIKENESSES];
    uint64_t weight = 0;
    uint32_t q = edge.v;
    d->commons = 0;
    for (uint64_t i = d->base->off[q]; i < d->base->off[q + 1]; i++) note_if_marked(d, side, d->base->adj[i], &weight);
    for (uint64_t at = d->first[q]; at; at = d->next[at - 1]) note_if_marked(d, side, other_end(d, at), &weight);
    ksda_i_work(d->ctx, LOOK_UNITS + degree[1] + (comes ? COMMON_UNITS * d->commons : 0));
    ksda_i_likeness_scores(d->commons, weight, degree[0], degree[1], true, score);
    for (int i = 0; i < 2; i++) {
        uint32_t end = i ? edge.v : edge.u;
        score[KSDA_I_LIKE_DEGREE] = degree[!i];
        if (comes)
            ksda_i_disguise_rank_coming(d, end, score, degree[i], &looks);
        else
            ksda_i_disguise_rank(d, end, score, &looks);
    }
    return looks;
}

ksda_i_looks ksda_i_disguise_looks(ksda_i_disguise *d, int side, uint32_t p, uint32_t q, uint32_t own_degree,
                                   uint32_t degree) {
    return look_at(d, side, (ksda_pair){p, q}, (const uint32_t[2]){own_degree, degree}, d->foresees);
}

ksda_i_looks ksda_i_disguise_looks_now(ksda_i_disguise *d, int side, uint32_t p, uint32_t q) {
    return look_at(d, side, (ksda_pair){p, q}, (const uint32_t[2]){d->degree[p], d->degree[q]}, false);
}

/* The same for the edge at hand. */
static ksda_i_looks looks_of(scene *s, int side, uint32_t q, uint32_t own_degree, uint32_t degree) {
    return ksda_i_disguise_looks(s->d, side, s->end[side], q, own_degree, degree);
}

static double sum_with(const scene *s, const ksda_i_looks *one, const ksda_i_looks *two) {
    ksda_i_looks all = s->rest;
    ksda_i_looks_add(&all, one, 1);
    if (two) ksda_i_looks_add(&all, two, 1);
    return ksda_i_disguise_sum(&all);
}

/* --- degrees ------------------------------------------------------------------------------------------------------ */

/* One rises, another one rises or sinks: does every degree keep what it needs? */
static bool may_shift(ksda_i_disguise *d, uint32_t p, int p_by, uint32_t q, int q_by) {
    if (p == q || d->degree[p] + 2 > d->degrees || d->degree[q] + 2 > d->degrees) return false;
    ksda_i_disguise_shift(d, p, p_by), ksda_i_disguise_shift(d, q, q_by);
    bool fine = ksda_i_disguise_in_order(d, p, p_by) && ksda_i_disguise_in_order(d, q, q_by);
    ksda_i_disguise_shift(d, q, -q_by), ksda_i_disguise_shift(d, p, -p_by);
    return fine;
}

bool ksda_i_disguise_may_rise(ksda_i_disguise *d, uint32_t p) {
    if (d->degree[p] + 2 > d->degrees) return false;
    ksda_i_disguise_shift(d, p, 1);
    bool fine = ksda_i_disguise_in_order(d, p, 1);
    ksda_i_disguise_shift(d, p, -1);
    return fine;
}

/* --- candidates --------------------------------------------------------------------------------------------------- */

static void take_if_better(option *best, double sum, option found) {
    if (sum >= best->sum - GAIN) return;
    *best = found;
    best->sum = sum;
}

/* y in the place of the other end, or beside it. */
static void try_candidate(scene *s, int side, uint32_t y) {
    ksda_i_disguise *d = s->d;
    uint32_t a = s->end[side], b = s->end[!side];
    if (d->degree[y] + 2 > d->degrees) return; /* nobody may have more */
    bool instead = may_shift(d, y, 1, b, -1),
         beside = d->edges < d->most && (side ? s->half : ksda_i_disguise_may_rise(d, y));
    if (!instead && !beside) return;
    ksda_i_looks looks = looks_of(s, side, y, d->degree[a], d->degree[y] + 1);
    if (!d->own[y].count) return; /* a vertex without an own edge there is not ranked, and would be a way out */
    double sum = sum_with(s, &looks, NULL);
    if (instead)
        take_if_better(&s->best, sum, (option){.edge = {{a, y}}, .looks = {looks}, .edges = 1, .other = UINT64_MAX});
    if (!beside) return;
    if (side == 0) {
        if (s->half && sum >= s->partner_sum) return;
        s->half = true, s->partner = y, s->partner_looks = looks, s->partner_sum = sum;
    } else if (may_shift(d, y, 1, s->partner, 1)) {
        take_if_better(&s->best, sum_with(s, &looks, &s->partner_looks),
                       (option){.edge = {{s->end[0], s->partner}, {a, y}},
                                .looks = {s->partner_looks, looks},
                                .edges = 2,
                                .other = UINT64_MAX});
    }
}

/* The i-th neighbour, own ones first; UINT32_MAX where there is none. */
static uint32_t neighbour(const ksda_i_disguise *d, uint32_t z, uint64_t i) {
    uint64_t own = ksda_i_degree(d->base, z), at = d->first[z];
    if (i < own) return d->base->adj[d->base->off[z] + i];
    for (; i > own && at; i--) at = d->next[at - 1];
    return at ? other_end(d, at) : UINT32_MAX;
}

/* Anybody of the vertex's community, or of one of them. */
uint32_t ksda_i_disguise_anybody(const ksda_i_disguise *d, uint32_t v, ksda_i_rng *rng) {
    const ksda_communities *c = d->communities;
    uint32_t size, home = c->of[v];
    if (!c->sets) return c->member[c->start[home] + ksda_i_rng_below(rng, ksda_i_community_size(c, home))];
    const uint32_t *set = ksda_communities_set(c, v, &size);
    const uint64_t *start = d->rolls.start + set[ksda_i_rng_below(rng, size)];
    return d->rolls.member[start[0] + ksda_i_rng_below(rng, start[1] - start[0])];
}

static void look_for_friends(scene *s, ksda_i_rng *rng, int side) {
    ksda_i_disguise *d = s->d;
    uint32_t a = s->end[side];
    d->look++;
    d->seen[a] = d->seen[s->end[!side]] = d->look;
    for (uint32_t i = 0; i < WALKS + d->anybody; i++) {
        uint32_t y = UINT32_MAX;
        if (i >= WALKS || !d->arounds[side]) {
            y = ksda_i_disguise_anybody(d, d->owner[a], rng);
        } else {
            uint32_t z = d->around[side][ksda_i_rng_below(rng, d->arounds[side])];
            y = neighbour(d, z, ksda_i_rng_below(rng, d->degree[z]));
        }
        if (y == UINT32_MAX || d->seen[y] == d->look) continue;
        if (!ksda_i_may_connect(d->communities, d->owner[a], d->owner[y])) continue;
        d->seen[y] = d->look;
        if (!ksda_i_disguise_split(d, y) && !ksda_i_disguise_joined(d, a, y)) try_candidate(s, side, y);
    }
}

/* Exchange the ends with f. */
static void try_crossing(scene *s, uint64_t f, int flip) {
    ksda_i_disguise *d = s->d;
    uint32_t x = flip ? d->edge[f].v : d->edge[f].u, y = flip ? d->edge[f].u : d->edge[f].v, a = s->end[0],
             b = s->end[1];
    if (x == a || x == b || y == a || y == b || ksda_i_disguise_joined(d, a, x) || ksda_i_disguise_joined(d, b, y))
        return;
    if (!ksda_i_may_connect(d->communities, d->owner[a], d->owner[x]) || /* f has changed since the round began */
        !ksda_i_may_connect(d->communities, d->owner[b], d->owner[y]))
        return;
    ksda_i_looks one = looks_of(s, 0, x, d->degree[a], d->degree[x]);
    ksda_i_looks two = looks_of(s, 1, y, d->degree[b], d->degree[y]), both = one;
    ksda_i_looks_add(&both, &two, 1);
    ksda_i_looks_add(&both, &d->looks[f], -1);
    take_if_better(&s->best, sum_with(s, &both, NULL),
                   (option){.edge = {{a, x}, {b, y}}, .looks = {one, two}, .edges = 2, .other = f});
}

static void look_for_crossings(scene *s, ksda_i_rng *rng) {
    ksda_i_disguise *d = s->d;
    uint32_t home = ksda_i_disguise_home(d, (ksda_pair){s->end[0], s->end[1]});
    uint64_t begin = d->start[home], count = d->start[home + 1] - begin;
    for (uint64_t i = 0; i < CROSSINGS && i < count; i++) {
        uint64_t f = d->order[begin + (count <= CROSSINGS ? i : ksda_i_rng_below(rng, count))];
        if (f == s->e) continue;
        try_crossing(s, f, 0);
        try_crossing(s, f, 1);
    }
}

/* --- one edge ----------------------------------------------------------------------------------------------------- */

static void put_edge(ksda_i_disguise *d, uint64_t e, ksda_pair edge, const ksda_i_looks *looks) {
    d->edge[e] = edge, d->looks[e] = *looks;
    ksda_i_looks_add(&d->all, looks, 1);
    ksda_i_disguise_hook(d, e);
}

/* The edge is off the chains, and so are its looks. */
static void settle_option(scene *s) {
    ksda_i_disguise *d = s->d;
    const option *o = &s->best;
    uint64_t second = o->other;
    if (o->other != UINT64_MAX) {
        ksda_i_disguise_unhook(d, o->other);
        ksda_i_looks_add(&d->all, &d->looks[o->other], -1);
    } else if (o->edges == 2) {
        ksda_i_disguise_shift(d, o->edge[0].v, 1), ksda_i_disguise_shift(d, o->edge[1].v, 1);
        second = d->edges++;
    } else if (o->edge[0].v != s->end[0] && o->edge[0].v != s->end[1]) {
        ksda_i_disguise_shift(d, o->edge[0].v, 1);
        ksda_i_disguise_shift(d, o->edge[0].u == s->end[0] ? s->end[1] : s->end[0], -1);
    }
    put_edge(d, s->e, o->edge[0], &o->looks[0]);
    if (o->edges == 2) put_edge(d, second, o->edge[1], &o->looks[1]);
}

void ksda_i_disguise_edge(ksda_i_disguise *d, ksda_i_rng *rng, uint64_t e) {
    scene s = {.d = d, .e = e, .end = {d->edge[e].u, d->edge[e].v}};
    ksda_i_disguise_unhook(d, e);
    ksda_i_looks_add(&d->all, &d->looks[e], -1);
    s.rest = d->all;
    d->stamp++;
    ksda_i_disguise_mark(d, 0, s.end[0]);
    ksda_i_disguise_mark(d, 1, s.end[1]);
    ksda_i_looks now = ksda_i_disguise_looks_now(d, 0, s.end[0], s.end[1]);
    ksda_i_own_scores own[2];
    for (int i = 0; i < 2 && d->foresees; i++) own[i] = ksda_i_own_without(d, i, s.end[i], s.end[!i]);
    s.best = (option){.sum = sum_with(&s, &now, NULL),
                      .edge = {{s.end[0], s.end[1]}},
                      .looks = {now},
                      .edges = 1,
                      .other = UINT64_MAX};
    look_for_friends(&s, rng, 0);
    look_for_friends(&s, rng, 1);
    look_for_crossings(&s, rng);
    for (int i = 0; i < 2 && d->foresees; i++) d->own[s.end[i]] = own[i];
    settle_option(&s);
}
