/* Networks like those that people publish: communities of power-law sizes planted in power-law degrees, with an exact
 * number of edges, an exact share of them between communities, and people who do not state where they belong.
 *
 * Guarantee: exactly `edges` different edges, round(mixing * edges) of them between communities; the same network for a
 * seed, whatever the number of threads.
 *
 * Idea: a vertex has a weight, and pairs are thrown with probabilities that go with the product of the weights, inside
 * each community and between them apart, until enough different ones have come: the degree-corrected block model with
 * its numbers of edges fixed. Edges inside go to the communities by the sum of their weights, as far as they have
 * pairs. Where a place is so dense that throws keep hitting what is there, the last edges are drawn whatever the
 * weights: from a list of them where more than half of all pairs are wanted.
 *
 * Inside the generator vertices are numbered by community; the numbers handed out are a random permutation, so that
 * they tell nothing. Each community is drawn by one thread, and so are the edges between them: expected time O(n + m),
 * memory 24 bytes an edge and 20 a vertex. */
#include "core/parallel.h"
#include "core/random.h"
#include "core/sized.h"
#include "core/sort.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/detect.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    STAGE_WEIGHT = 0x706c616e,
    STAGE_THROW,
    STAGE_STATED,
    ROUNDS_BY_WEIGHT = 8, /* of throws before the rest is drawn whatever the weights */
    STRIDE = 1 << 16      /* throws between looks at cancellation */
};

/* A place that edges are drawn in: a community, or all pairs between communities. */
typedef struct place {
    uint64_t wanted, pairs;
    uint64_t *key; /* [count] u << 32 | v with u < v, ascending */
    uint64_t count;
} place;

typedef struct planting {
    ksda_ctx *ctx;
    uint32_t n, communities;
    uint32_t *start; /* [communities + 1] the vertices of c are start[c] .. start[c + 1] - 1 */
    uint32_t *of;    /* [n] */
    double *until;   /* [n + 1] sum of the weights of the vertices before v */
    uint32_t *guide; /* [n + 1] a vertex at or before the one that holds i / n of all weight */
    double *meets;   /* [communities + 1] sum over the communities before c of weight times weight elsewhere */
    place *place;    /* [communities + 1] the last one is between */
    atomic_int status;
} planting;

static double weight_of(const planting *p, uint32_t c) {
    return p->until[p->start[c + 1]] - p->until[p->start[c]];
}

/* --- sizes and weights ------------------------------------------------------------------------------------------- */

/* The i-th largest of numbers that follow a power law, i from 0. */
static double by_rank(uint32_t i, double exponent) {
    return exponent == 0 ? 1 : pow(i + 1.0, -1 / (exponent - 1));
}

/* Everybody gets one vertex, the others go by rank. */
static void choose_sizes(planting *p, double exponent) {
    uint64_t left = p->n - p->communities;
    double shares = 0;
    for (uint32_t c = 0; c < p->communities; c++) shares += by_rank(c, exponent);
    for (uint32_t c = 0; c < p->communities; c++) {
        double share = by_rank(c, exponent);
        uint64_t more = c + 1 == p->communities ? left : (uint64_t)((double)left * fmin(share / shares, 1) + 0.5);
        if (more > left) more = left;
        p->start[c + 1] = p->start[c] + 1 + (uint32_t)more;
        left -= more;
        shares -= share;
        for (uint32_t v = p->start[c]; v < p->start[c + 1]; v++) p->of[v] = c;
    }
}

/* Nobody expects more than sqrt(2 m) edges: with more, pairs of hubs would be certain and the degrees not those asked
 * for. */
static void choose_weights(planting *p, const ksda_planted_options *o) {
    double sum = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        ksda_i_rng r = ksda_i_rng_stream(p->ctx->seed, STAGE_WEIGHT, v);
        double x = 1 - ksda_i_rng_unit(&r);
        p->until[v] = o->degree_exponent == 0 ? 1 : fmin(pow(x, -1 / (o->degree_exponent - 1)), p->n);
        sum += p->until[v];
    }
    double most = sum / sqrt(2 * (double)o->edges + 1), before = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        double weight = fmin(p->until[v], fmax(most, 1));
        p->until[v] = before;
        before += weight;
    }
    p->until[p->n] = before;
    for (uint32_t i = 0, v = 0; i <= p->n; i++) {
        while (v + 1 < p->n && p->until[v + 1] <= before * i / p->n) v++;
        p->guide[i] = v;
    }
    for (uint32_t c = 0; c < p->communities; c++)
        p->meets[c + 1] = p->meets[c] + weight_of(p, c) * (before - weight_of(p, c));
}

/* --- how many edges where ---------------------------------------------------------------------------------------- */

static uint64_t pairs_among(uint64_t n) {
    return n * (n - 1) / 2;
}

typedef struct fullness {
    double ratio; /* pairs for each unit of weight */
    uint32_t community;
} fullness;

static int fullest_first(const void *a, const void *b) {
    const fullness *x = a, *y = b;
    if (x->ratio != y->ratio) return x->ratio < y->ratio ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

/* Deal the edges inside to the communities by weight, none more than it has pairs: those that fill up first are served
 * first, and what they cannot take goes to the others. */
static ksda_status deal_inside(planting *p, uint64_t edges, uint64_t room) {
    fullness *order = ksda_i_malloc(p->ctx, p->communities, sizeof *order);
    double weight = p->until[p->n];
    if (!order) return KSDA_NOMEM;
    for (uint32_t c = 0; c < p->communities; c++) order[c] = (fullness){(double)p->place[c].pairs / weight_of(p, c), c};
    ksda_i_sort_by(order, p->communities, sizeof *order, fullest_first);
    for (uint32_t i = 0; i < p->communities; i++) {
        place *q = &p->place[order[i].community];
        double mine = weight_of(p, order[i].community);
        uint64_t least = edges > room - q->pairs ? edges - (room - q->pairs) : 0; /* the others cannot take more */
        q->wanted = (uint64_t)((double)edges * fmin(mine / weight, 1) + 0.5);
        if (q->wanted < least) q->wanted = least;
        if (q->wanted > q->pairs) q->wanted = q->pairs;
        if (q->wanted > edges) q->wanted = edges;
        edges -= q->wanted, room -= q->pairs, weight -= mine;
    }
    ksda_i_free(p->ctx, order);
    return KSDA_OK;
}

static ksda_status deal_edges(planting *p, const ksda_planted_options *o) {
    uint64_t between = (uint64_t)llround(o->mixing * (double)o->edges), inside = o->edges - between, room = 0;
    for (uint32_t c = 0; c < p->communities; c++)
        room += p->place[c].pairs = pairs_among(p->start[c + 1] - p->start[c]);
    place *last = &p->place[p->communities];
    last->pairs = pairs_among(p->n) - room;
    last->wanted = between;
    if (inside > room)
        return ksda_i_error(p->ctx, KSDA_INVALID,
                            "%" PRIu64 " edges inside communities, but these have only %" PRIu64
                            " pairs: fewer edges or communities, or more mixing",
                            inside, room);
    if (between > last->pairs)
        return ksda_i_error(p->ctx, KSDA_INVALID,
                            "%" PRIu64 " edges between communities, but there are only %" PRIu64
                            " pairs: fewer edges, or less mixing",
                            between, last->pairs);
    return deal_inside(p, inside, room);
}

/* --- one pair ---------------------------------------------------------------------------------------------------- */

/* The vertex that holds the weight x. */
static uint32_t holder(const planting *p, double x) {
    double part = x / p->until[p->n] * p->n;
    uint32_t v = p->guide[part < p->n ? (uint32_t)part : p->n];
    while (v > 0 && p->until[v] > x) v--; /* rounding */
    while (v + 1 < p->n && p->until[v + 1] <= x) v++;
    return v;
}

/* A vertex of begin .. end-1 by weight. */
static uint32_t pick_by_weight(const planting *p, ksda_i_rng *r, uint32_t begin, uint32_t end) {
    uint32_t v = holder(p, p->until[begin] + ksda_i_rng_unit(r) * (p->until[end] - p->until[begin]));
    return v < begin ? begin : v >= end ? end - 1 : v;
}

/* A vertex outside begin .. end-1 by weight; there is one. */
static uint32_t pick_outside(const planting *p, ksda_i_rng *r, uint32_t begin, uint32_t end) {
    double before = p->until[begin], after = p->until[p->n] - p->until[end];
    return ksda_i_rng_unit(r) * (before + after) < before ? pick_by_weight(p, r, 0, begin)
                                                          : pick_by_weight(p, r, end, p->n);
}

/* A community by its chance that a pair between communities begins there. */
static uint32_t pick_community(const planting *p, ksda_i_rng *r) {
    double x = ksda_i_rng_unit(r) * p->meets[p->communities];
    uint32_t low = 0, high = p->communities;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (p->meets[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* One throw; false where it is no pair of the place. */
static bool throw_pair(const planting *p, uint32_t at, bool by_weight, ksda_i_rng *r, uint64_t *key) {
    uint32_t u, v, c = at;
    if (at < p->communities) {
        uint32_t begin = p->start[c], end = p->start[c + 1];
        u = by_weight ? pick_by_weight(p, r, begin, end) : begin + (uint32_t)ksda_i_rng_below(r, end - begin);
        v = by_weight ? pick_by_weight(p, r, begin, end) : begin + (uint32_t)ksda_i_rng_below(r, end - begin);
    } else if (by_weight) {
        c = pick_community(p, r);
        u = pick_by_weight(p, r, p->start[c], p->start[c + 1]);
        v = pick_outside(p, r, p->start[c], p->start[c + 1]);
    } else {
        u = (uint32_t)ksda_i_rng_below(r, p->n), c = p->of[u];
        uint32_t size = p->start[c + 1] - p->start[c];
        v = (uint32_t)ksda_i_rng_below(r, p->n - size);
        if (v >= p->start[c]) v += size;
    }
    *key = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    return u != v;
}

/* --- all pairs of a place ---------------------------------------------------------------------------------------- */

/* Merge the sorted keys more[count] into the place's, which has room for them; those known already are dropped. */
static void merge_keys(place *q, const uint64_t *more, uint64_t count, uint64_t *scratch) {
    uint64_t i = 0, j = 0, kept = 0;
    while (i < q->count || j < count) {
        uint64_t next = j == count || (i < q->count && q->key[i] <= more[j]) ? q->key[i] : more[j];
        while (i < q->count && q->key[i] == next) i++;
        while (j < count && more[j] == next) j++;
        scratch[kept++] = next;
    }
    memcpy(q->key, scratch, kept * sizeof *scratch);
    q->count = kept;
}

/* Throw as many pairs as are missing; the new ones are kept. room: 2 * wanted keys. */
static void throw_round(const planting *p, uint32_t at, bool by_weight, ksda_i_rng *r, uint64_t *room) {
    place *q = &p->place[at];
    uint64_t missing = q->wanted - q->count, count = 0;
    for (uint64_t i = 0; i < missing; i++) {
        if (i % STRIDE == 0 && ksda_i_cancelled(p->ctx)) return;
        count += throw_pair(p, at, by_weight, r, &room[count]);
    }
    ksda_i_sort_u64(room, count, room + q->wanted);
    if (q->count == 0) { /* the first round needs no second copy */
        for (uint64_t i = 0; i < count; i++)
            if (i == 0 || room[i] != room[i - 1]) q->key[q->count++] = room[i];
        return;
    }
    merge_keys(q, room, count, room + q->wanted);
}

/* Go through all pairs of the place and take of those still free what is missing, each as likely as any other. */
static void fill_up(const planting *p, uint32_t at, ksda_i_rng *r, uint64_t *room) {
    place *q = &p->place[at];
    bool between = at == p->communities;
    uint64_t missing = q->wanted - q->count, unused = q->pairs - q->count, known = 0, count = 0;
    uint32_t begin = between ? 0 : p->start[at], end = between ? p->n : p->start[at + 1];
    for (uint32_t u = begin; u < end && !ksda_i_cancelled(p->ctx); u++)
        for (uint32_t v = between ? p->start[p->of[u] + 1] : u + 1; v < end; v++) {
            uint64_t key = (uint64_t)u << 32 | v;
            if (known < q->count && q->key[known] == key) {
                known++;
                continue;
            }
            if (ksda_i_rng_below(r, unused--) >= missing) continue;
            room[count++] = key;
            missing--;
        }
    merge_keys(q, room, count, room + q->wanted);
}

static ksda_status draw_place(const planting *p, uint32_t at) {
    place *q = &p->place[at];
    ksda_i_rng r = ksda_i_rng_stream(p->ctx->seed, STAGE_THROW, at);
    if (q->wanted == 0) return KSDA_OK;
    q->key = ksda_i_malloc(p->ctx, q->wanted, sizeof *q->key);
    uint64_t *room = ksda_i_malloc(p->ctx, 2 * q->wanted, sizeof *room);
    if (!q->key || !room) {
        ksda_i_free(p->ctx, room);
        return KSDA_NOMEM;
    }
    for (uint32_t round = 0; q->count < q->wanted && !ksda_i_cancelled(p->ctx); round++) {
        if (round < ROUNDS_BY_WEIGHT)
            throw_round(p, at, true, &r, room);
        else if (q->wanted > q->pairs / 2)
            fill_up(p, at, &r, room);
        else
            throw_round(p, at, false, &r, room);
    }
    ksda_i_free(p->ctx, room);
    return KSDA_OK;
}

/* The largest place, which may be most of the work, comes first. */
static void draw_places(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    planting *p = data;
    (void)thread;
    for (uint64_t i = begin; i < end; i++) {
        if (ksda_i_cancelled(p->ctx)) return;
        ksda_status status = draw_place(p, i == 0 ? p->communities : (uint32_t)i - 1);
        if (status < 0) atomic_store(&p->status, status);
    }
}

/* --- the network ------------------------------------------------------------------------------------------------- */

static ksda_status make_graph(planting *p, uint64_t edges, const uint32_t *called, ksda_graph **out) {
    uint32_t *pair = ksda_i_malloc(p->ctx, 2 * edges, sizeof *pair);
    uint64_t m = 0;
    if (!pair) return KSDA_NOMEM;
    for (uint32_t at = 0; at <= p->communities; at++) {
        for (uint64_t i = 0; i < p->place[at].count; i++, m++) {
            pair[2 * m] = called[p->place[at].key[i] >> 32];
            pair[2 * m + 1] = called[(uint32_t)p->place[at].key[i]];
        }
        ksda_i_free(p->ctx, p->place[at].key);
        p->place[at].key = NULL;
    }
    ksda_status status = ksda_graph_from_edges(p->ctx, p->n, m, pair, out);
    ksda_i_free(p->ctx, pair);
    return status;
}

static ksda_status make_communities(planting *p, double not_stated, const uint32_t *called, ksda_communities **out) {
    uint32_t *of = ksda_i_malloc(p->ctx, p->n, sizeof *of);
    if (!of) return KSDA_NOMEM;
    for (uint32_t v = 0; v < p->n; v++) {
        ksda_i_rng r = ksda_i_rng_stream(p->ctx->seed, STAGE_STATED, v);
        of[called[v]] = ksda_i_rng_unit(&r) < not_stated ? p->communities : p->of[v];
    }
    ksda_status status = ksda_communities_from_labels(p->ctx, p->n, of, out);
    ksda_i_free(p->ctx, of);
    return status;
}

static const ksda_i_sized kind = KSDA_I_OPTIONS(ksda_planted_options, not_stated);

void ksda_planted_options_init_sized(ksda_planted_options *options, size_t size) {
    static const ksda_planted_options standard = {.vertices = 1000,
                                                  .edges = 5000,
                                                  .communities = 20,
                                                  .size_exponent = 2.5,
                                                  .degree_exponent = 2.5,
                                                  .mixing = 0.2};
    ksda_i_options_init(&kind, options, size, &standard);
}

static ksda_status check_options(ksda_ctx *ctx, const ksda_planted_options *o) {
    const double share[] = {o->mixing, o->not_stated}, exponent[] = {o->size_exponent, o->degree_exponent};
    if (o->vertices == 0 || o->vertices > KSDA_MAX_VERTICES)
        return ksda_i_error(ctx, KSDA_INVALID, "%u vertices: must lie between 1 and %u", o->vertices,
                            KSDA_MAX_VERTICES);
    if (o->communities == 0 || o->communities > o->vertices)
        return ksda_i_error(ctx, KSDA_INVALID, "%u communities: must lie between 1 and %u, the number of vertices",
                            o->communities, o->vertices);
    if (o->edges > pairs_among(o->vertices))
        return ksda_i_error(ctx, KSDA_INVALID, "%" PRIu64 " edges, but %u vertices have only %" PRIu64 " pairs",
                            o->edges, o->vertices, pairs_among(o->vertices));
    for (int i = 0; i < 2; i++) {
        if (!(share[i] >= 0 && share[i] <= 1))
            return ksda_i_error(ctx, KSDA_INVALID, "the share %s of %g is not between 0 and 1",
                                i == 0 ? "between communities" : "not stated", share[i]);
        if (!(exponent[i] == 0 || (exponent[i] > 1 && exponent[i] <= 100)))
            return ksda_i_error(ctx, KSDA_INVALID, "the exponent of %s, %g, is neither 0 nor between 1 and 100",
                                i == 0 ? "sizes" : "degrees", exponent[i]);
    }
    return KSDA_OK;
}

static ksda_status make_buffers(planting *p) {
    p->start = ksda_i_calloc(p->ctx, (uint64_t)p->communities + 1, sizeof *p->start);
    p->meets = ksda_i_calloc(p->ctx, (uint64_t)p->communities + 1, sizeof *p->meets);
    p->place = ksda_i_calloc(p->ctx, (uint64_t)p->communities + 1, sizeof *p->place);
    p->of = ksda_i_malloc(p->ctx, p->n, sizeof *p->of);
    p->until = ksda_i_malloc(p->ctx, (uint64_t)p->n + 1, sizeof *p->until);
    p->guide = ksda_i_malloc(p->ctx, (uint64_t)p->n + 1, sizeof *p->guide);
    return p->start && p->meets && p->place && p->of && p->until && p->guide ? KSDA_OK : KSDA_NOMEM;
}

static void free_buffers(planting *p) {
    for (uint32_t at = 0; p->place && at <= p->communities; at++) ksda_i_free(p->ctx, p->place[at].key);
    ksda_i_free(p->ctx, p->start);
    ksda_i_free(p->ctx, p->meets);
    ksda_i_free(p->ctx, p->place);
    ksda_i_free(p->ctx, p->of);
    ksda_i_free(p->ctx, p->until);
    ksda_i_free(p->ctx, p->guide);
}

ksda_status ksda_generate_planted(ksda_ctx *ctx, const ksda_planted_options *options, ksda_graph **out,
                                  ksda_communities **communities) {
    ksda_planted_options o;
    ksda_status status;
    uint32_t *called = NULL;
    *out = NULL;
    if (communities) *communities = NULL;
    ksda_planted_options_init(&o);
    if ((status = ksda_i_options_take(ctx, &kind, options, &o)) < 0) return status;
    planting p = {.ctx = ctx, .n = o.vertices, .communities = o.communities};
    if ((status = check_options(ctx, &o)) < 0) return status;
    KSDA_I_TRY(make_buffers(&p));
    choose_sizes(&p, o.size_exponent);
    choose_weights(&p, &o);
    KSDA_I_TRY(deal_edges(&p, &o));
    ksda_i_parallel(ctx, (uint64_t)p.communities + 1, 1, draw_places, &p);
    KSDA_I_TRY(ksda_i_interrupted(ctx));
    KSDA_I_TRY((ksda_status)atomic_load(&p.status));
    status = KSDA_NOMEM;
    if (!(called = ksda_i_malloc(ctx, p.n, sizeof *called))) goto done;
    ksda_i_permutation_seeded(ctx, p.n, called);
    KSDA_I_TRY(make_graph(&p, o.edges, called, out));
    if (communities) KSDA_I_TRY(make_communities(&p, o.not_stated, called, communities));
done:
    if (status < 0) ksda_graph_free(ctx, *out), *out = NULL;
    ksda_i_free(ctx, called);
    free_buffers(&p);
    return status;
}
