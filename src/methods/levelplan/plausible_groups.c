/* Groups of one degree in which the least suspicious member was raised.
 *
 * The attacker (attack/unmask.c) looks at a degree that was made for few: as many of its members were raised to it as
 * had it, or more. He trusts whose edges inside the community have most in common, since added ones have little. Which
 * edges are added hardly decides that: most of those who are raised get one to three, and the mean is that of their own
 * edges. Who is a member does. So where he is right
 *
 * - somebody whom he trusts more comes from a degree just below, for added edges that led to others who can do without,
 *   and was raised then; or
 * - whom he trusts leaves for a degree just above, if he is misled by the next one.
 *
 * Of all members that could come, and edges that could lead to them, those are taken that make the sum smallest. Where
 * he is misled, and in what is done here, the one who misleads him keeps the degree for this round. Time as that of
 * the attacker, and O(EDGES * the degree) for each member that is tried. */
#include "attack/whole.h"
#include "core/sort.h"
#include "methods/levelplan/plausible.h"

#include <math.h>

enum {
    STEPS = 12,   /* degrees up at most */
    MEMBERS = 12, /* that are tried, of those whom the attacker trusts most, and */
    EDGES = 48    /* edges of the community, or people for one more, at most */
};
#define UNMASK_UNITS 30u
#define TRUST_UNITS 40u

/* --- unmasking ---------------------------------------------------------------------------------------------------- */

static ksda_status publish_communities(ksda_i_disguise *d) {
    if (d->published) return KSDA_OK;
    return ksda_i_communities_pull(d->ctx, d->communities, d->pieces, d->owner, NULL, &d->published);
}

ksda_status ksda_i_disguise_unmasked(ksda_i_disguise *d, double *above_chance) {
    const ksda_attack_options options = {.budget = d->comparisons};
    ksda_attack_result out = {.groups = 0};
    ksda_i_ends ends = {.count = 0};
    ksda_status status = KSDA_OK;
    *above_chance = 0;
    KSDA_I_TRY(publish_communities(d));
    ksda_i_attacking a = {.ctx = d->ctx,
                          .options = &options,
                          .release = {d->then, d->published, 0},
                          .original = {d->graph, d->communities, d->pieces},
                          .owner = d->owner,
                          .pool = d->pieces + d->graph->n,
                          .out = &out};
    ends.vertex = ksda_i_malloc(d->ctx, 2 * d->edges, sizeof *ends.vertex);
    KSDA_I_TRY(ends.vertex ? KSDA_OK : KSDA_NOMEM);
    for (uint64_t e = 0; e < d->edges; e++)
        if (ksda_i_disguise_false(d, d->edge[e]))
            ends.vertex[ends.count++] = d->edge[e].u, ends.vertex[ends.count++] = d->edge[e].v;
    KSDA_I_TRY(ksda_i_attack_unmask(&a, &ends));
    if (out.unmasked.measured) *above_chance = out.unmasked.value - out.chance.value;
    ksda_i_work(d->ctx, UNMASK_UNITS * (d->edges + d->pieces));
done:
    ksda_i_ends_clear(d->ctx, &ends);
    return status;
}

/* An added edge a-b that may lead to somebody else, a-y; or, where it is UINT64_MAX, one more edge, and a rises. */
typedef struct grant {
    uint64_t edge;
    uint32_t a, b;
    ksda_i_looks looks;
} grant;

/* Somebody rises by so many edges. */
typedef struct rise {
    double sum; /* of all edges then */
    uint32_t piece, by;
    grant grant[STEPS];
} rise;

typedef struct grouping {
    ksda_i_disguise *d;
    uint32_t *start, *order; /* [degrees + 1], [pieces] by degree, when the round began */
    double *trust;           /* [pieces]; NaN before anybody asked */
    uint8_t *raised;         /* [pieces] */
    uint64_t left, budget;   /* comparisons that are left, and those for this degree */
} grouping;

/* One degree: whom the attacker trusts most of the untouched, the next one, and most of the raised. */
typedef struct group {
    uint32_t degree, untouched;
    uint32_t first, top;
    double trust, second, best;
} group;

static double trust_of(grouping *g, uint32_t p) {
    if (!isnan(g->trust[p])) return g->trust[p];
    uint64_t degree = ksda_i_degree(g->d->then, p), cost = degree * degree;
    ksda_i_work(g->d->ctx, TRUST_UNITS * degree);
    g->budget -= cost < g->budget ? cost : g->budget;
    g->left -= cost < g->left ? cost : g->left;
    return g->trust[p] = ksda_i_attack_trust(g->d->then, g->d->published, p);
}

/* How many untouched members has a degree at which the attacker looks? 0 where he does not. */
static uint32_t untouched_at(const grouping *g, uint32_t degree) {
    uint32_t members = g->start[degree + 1] - g->start[degree], raised = 0;
    for (uint32_t i = g->start[degree]; i < g->start[degree + 1]; i++) raised += g->raised[g->order[i]];
    return members - raised <= raised ? members - raised : 0;
}

static group look_at_group(grouping *g, uint32_t degree) {
    group x = {.degree = degree, .untouched = untouched_at(g, degree), .trust = -2, .second = -2, .best = -2};
    for (uint32_t i = g->start[degree]; i < g->start[degree + 1] && !ksda_i_cancelled(g->d->ctx); i++) {
        uint32_t p = g->order[i];
        double trust = trust_of(g, p);
        if (g->raised[p]) {
            if (trust > x.best) x.best = trust, x.top = p;
        } else if (trust > x.trust) {
            x.second = x.trust, x.trust = trust, x.first = p;
        } else if (trust > x.second) {
            x.second = trust;
        }
    }
    return x;
}

/* --- who rises ---------------------------------------------------------------------------------------------------- */

static bool may_sink(ksda_i_disguise *d, uint32_t b) {
    if (ksda_i_disguise_split(d, b)) return false;
    ksda_i_disguise_shift(d, b, -1);
    bool fine = ksda_i_disguise_in_order(d, b, -1);
    ksda_i_disguise_shift(d, b, 1);
    return fine;
}

/* The edge comes in its place or is one more; whoever rises or sinks for it does. */
static void settle_degrees(ksda_i_disguise *d, const grant *x, int times) {
    if (x->edge == UINT64_MAX)
        ksda_i_disguise_shift(d, x->a, times);
    else
        ksda_i_disguise_shift(d, x->b, -times);
}

static bool taken(const rise *r, uint32_t grants, uint32_t a, uint64_t edge) {
    for (uint32_t i = 0; i < grants; i++)
        if (r->grant[i].a == a || (edge != UINT64_MAX && r->grant[i].edge == edge)) return true;
    return false;
}

/* y is who rises, with all its degrees already; who is around it is marked. `all` are the looks with the grants before
 * the i-th, which is looked for. */
typedef struct search {
    ksda_i_disguise *d;
    rise *r;
    uint32_t i;
    ksda_i_looks all;
    double best;
} search;

static void weigh_grant(search *s, uint64_t e, uint32_t a, uint32_t b) {
    ksda_i_disguise *d = s->d;
    uint32_t y = s->r->piece;
    if (a == y || b == y || taken(s->r, s->i, a, e) || ksda_i_disguise_joined(d, a, y)) return;
    if (!ksda_i_may_connect(d->communities, d->owner[a], d->owner[y])) return;
    if (e == UINT64_MAX ? ksda_i_disguise_split(d, a) || !ksda_i_disguise_may_rise(d, a) : !may_sink(d, b)) return;
    ksda_i_looks looks = ksda_i_disguise_looks(d, 0, y, a, d->degree[y], d->degree[a] + (e == UINT64_MAX));
    ksda_i_looks then = s->all;
    ksda_i_looks_add(&then, &looks, 1);
    if (e != UINT64_MAX) ksda_i_looks_add(&then, &d->looks[e], -1);
    double sum = ksda_i_disguise_sum(&then);
    if (sum >= s->best || !d->own[a].count) return;
    s->best = s->r->sum = sum;
    s->r->grant[s->i] = (grant){e, a, b, looks};
}

/* An edge that leads to somebody else now, or else one more. */
static bool find_grant(search *s, ksda_i_rng *rng) {
    ksda_i_disguise *d = s->d;
    uint32_t y = s->r->piece, home = ksda_i_disguise_home(d, (ksda_pair){y, y});
    uint64_t begin = d->start[home], count = d->start[home + 1] - begin, spent = 0;
    s->best = INFINITY;
    for (uint64_t t = 0; t < EDGES && t < count; t++) {
        uint64_t e = d->order[begin + (count <= EDGES ? t : ksda_i_rng_below(rng, count))];
        weigh_grant(s, e, d->edge[e].u, d->edge[e].v);
        weigh_grant(s, e, d->edge[e].v, d->edge[e].u);
    }
    for (uint32_t i = 0; i < s->i; i++) spent += s->r->grant[i].edge == UINT64_MAX;
    for (uint64_t t = 0; t < EDGES && s->best == INFINITY && d->edges + spent < d->most; t++)
        weigh_grant(s, UINT64_MAX, ksda_i_disguise_anybody(d, d->owner[y], rng), UINT32_MAX);
    if (s->best == INFINITY) return false;
    const grant *x = &s->r->grant[s->i++];
    ksda_i_looks_add(&s->all, &x->looks, 1);
    if (x->edge != UINT64_MAX) ksda_i_looks_add(&s->all, &d->looks[x->edge], -1);
    settle_degrees(d, x, 1);
    return true;
}

/* Could y rise by so many? Degrees are as before then. */
static bool try_rise(ksda_i_disguise *d, uint32_t y, uint32_t by, ksda_i_rng *rng, rise *out) {
    search s = {.d = d, .r = out, .all = d->all};
    *out = (rise){.piece = y, .by = by};
    if (ksda_i_disguise_split(d, y) || d->degree[y] + by + 2 > d->degrees) return false;
    ksda_i_disguise_shift(d, y, (int)by);
    if (ksda_i_disguise_in_order(d, y, (int)by)) {
        d->stamp++;
        ksda_i_disguise_mark(d, 0, y);
        while (s.i < by && find_grant(&s, rng)) continue;
    }
    for (uint32_t i = s.i; i--;) settle_degrees(d, &out->grant[i], -1);
    ksda_i_disguise_shift(d, y, -(int)by);
    return s.i == by && d->own[y].count;
}

static void do_rise(grouping *g, const rise *r) {
    ksda_i_disguise *d = g->d;
    ksda_i_disguise_shift(d, r->piece, (int)r->by);
    for (uint32_t i = 0; i < r->by; i++) {
        const grant *x = &r->grant[i];
        uint64_t e = x->edge;
        settle_degrees(d, x, 1);
        if (e == UINT64_MAX) {
            e = d->edges++;
        } else {
            ksda_i_disguise_unhook(d, e);
            ksda_i_looks_add(&d->all, &d->looks[e], -1);
        }
        d->edge[e] = (ksda_pair){x->a, r->piece};
        d->looks[e] = x->looks;
        ksda_i_looks_add(&d->all, &x->looks, 1);
        ksda_i_disguise_hook(d, e);
        g->raised[x->a] = 1;
    }
    d->keeps[r->piece] = 1;
    g->raised[r->piece] = 1;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* Trust in p if so many edges came to it that have nothing in common. */
static double trust_then(grouping *g, uint32_t p, uint32_t by) {
    uint32_t inside = 0;
    const ksda_graph *then = g->d->then;
    double trust = trust_of(g, p);
    if (trust <= 0) return trust;
    for (uint64_t e = then->off[p]; e < then->off[p + 1]; e++)
        inside += ksda_i_may_connect(g->d->published, p, then->adj[e]);
    return trust * inside / (inside + by);
}

/* Those of a degree below whom the attacker would trust more than anybody who is there, most trusted first. */
static uint32_t list_rivals(grouping *g, const group *x, uint32_t by, uint32_t rival[MEMBERS]) {
    double trust[MEMBERS];
    uint32_t count = 0;
    for (uint32_t i = g->start[x->degree - by]; i < g->start[x->degree - by + 1] && g->budget; i++) {
        uint32_t p = g->order[i], at;
        if (g->d->degree[p] + by != x->degree || g->d->keeps[p]) continue;
        double now = trust_then(g, p, by);
        if (now <= x->trust || (count == MEMBERS && now <= trust[count - 1])) continue;
        if (count < MEMBERS) count++;
        for (at = count - 1; at && trust[at - 1] < now; at--) trust[at] = trust[at - 1], rival[at] = rival[at - 1];
        trust[at] = now, rival[at] = p;
    }
    return count;
}

static void keep_better(rise *best, const rise *r) {
    if (r->sum < best->sum) *best = *r;
}

static void mislead(grouping *g, const group *x, ksda_i_rng *rng) {
    rise best = {.sum = INFINITY}, r;
    uint32_t rival[MEMBERS];
    for (uint32_t by = 1; by <= STEPS && best.sum == INFINITY; by++) {
        uint32_t rivals = by < x->degree ? list_rivals(g, x, by, rival) : 0;
        for (uint32_t i = 0; i < rivals; i++)
            if (try_rise(g->d, rival[i], by, rng, &r)) keep_better(&best, &r);
        if ((x->untouched == 1 || x->second < x->best) && !g->d->keeps[x->first] &&
            g->d->degree[x->first] == x->degree && try_rise(g->d, x->first, by, rng, &r))
            keep_better(&best, &r);
    }
    if (best.sum < INFINITY) do_rise(g, &best);
}

static void find_raised(grouping *g) {
    ksda_i_disguise *d = g->d;
    for (uint32_t p = 0; p < d->pieces; p++) {
        g->trust[p] = NAN;
        g->raised[p] = ksda_i_disguise_split(d, p);
    }
    for (uint64_t e = 0; e < d->edges; e++)
        if (ksda_i_disguise_false(d, d->edge[e])) g->raised[d->edge[e].u] = g->raised[d->edge[e].v] = 1;
    ksda_i_group(d->pieces, d->degree, d->degrees, g->start, g->order);
}

static void try_group(grouping *g, uint32_t degree, uint64_t round) {
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(g->d->ctx), 0x67726f75 + round, degree);
    group x = look_at_group(g, degree);
    if (x.trust < -1.5) return; /* interrupted */
    if (x.best > x.trust)
        g->d->keeps[x.top] = 1;
    else
        mislead(g, &x, &rng);
}

/* Small degrees first, which take few comparisons; each may take the same share of what is left. */
static ksda_status try_groups(grouping *g, uint64_t round) {
    ksda_i_disguise *d = g->d;
    ksda_status status = KSDA_OK;
    uint64_t groups = 0;
    for (uint32_t degree = 1; degree < d->degrees; degree++) groups += untouched_at(g, degree) > 0;
    for (uint32_t degree = 1; degree < d->degrees && d->status >= 0 && !ksda_i_work_over(d->ctx); degree++) {
        if (!untouched_at(g, degree)) continue;
        g->budget = g->left / (groups ? groups : 1);
        if (!g->budget) break;
        if (groups) groups--;
        try_group(g, degree, round);
        KSDA_I_TRY(ksda_i_interrupted(d->ctx));
    }
    status = d->status;
done:
    return status;
}

ksda_status ksda_i_disguise_groups(ksda_i_disguise *d, uint64_t round) {
    grouping g = {.d = d, .left = d->comparisons};
    ksda_status status = KSDA_OK;
    g.start = ksda_i_malloc(d->ctx, (uint64_t)d->degrees + 1, sizeof *g.start);
    g.order = ksda_i_malloc(d->ctx, d->pieces, sizeof *g.order);
    g.trust = ksda_i_malloc(d->ctx, d->pieces, sizeof *g.trust);
    g.raised = ksda_i_malloc(d->ctx, d->pieces, 1);
    KSDA_I_TRY(g.start && g.order && g.trust && g.raised ? KSDA_OK : KSDA_NOMEM);
    KSDA_I_TRY(publish_communities(d));
    memset(d->keeps, 0, d->pieces);
    find_raised(&g);
    status = try_groups(&g, round);
done:
    ksda_i_free(d->ctx, g.start);
    ksda_i_free(d->ctx, g.order);
    ksda_i_free(d->ctx, g.trust);
    ksda_i_free(d->ctx, g.raised);
    return status;
}
