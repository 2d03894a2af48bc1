/* From a solution of the relaxation to edges.
 *
 * The relaxation fixes who ends where above the floor and the edges among those; what remains are edges from them to
 * vertices at or below the floor, who must end at degrees that k communities have. We go through these needs one by one
 * and give each to a vertex that can safely move up by one: the degree it leaves keeps k communities (or nobody), the
 * degree it comes to has k. Low degrees are crowded, so this mostly works. Where it does not, a vertex that can take an
 * edge does, and edges then change hands at random as long as that leaves no more degrees with too few communities than
 * there were; after some tries the answer is "no", and the caller goes on without. */
#include "core/random.h"
#include "exact/level_model.h"
#include "privacy/census.h"

#include <math.h>

#define TRIES 12
#define MOST_CELLS (UINT64_C(1) << 25) /* of the table; a plan for more communities and degrees is not realized */
#define MOVES 60000u                   /* of edges from one low vertex to another */

typedef struct realizer {
    const ksda_i_levels *l;
    const uint32_t *target; /* [n] by position: a level above the floor, or KSDA_NO_VERTEX */
    const ksda_pair *pair;  /* edges among those above the floor, by position */
    uint64_t pairs;
    uint32_t *degree; /* [n] by position, as edges are added */
    uint32_t *need;   /* [n] what is still to be given to low ones */
    ksda_i_census census;
    ksda_pair *added; /* by position */
    uint64_t count, room;
    bool *mark; /* [n] adjacent to the one being served, also by added edges */
} realizer;

/* Is there no time to go on? Then there is no answer, which proves nothing. */
static bool time_is_over(const realizer *r) {
    return ksda_i_cancelled(r->l->ctx) || ksda_i_time_left(r->l->ctx) <= 0;
}

static bool above_floor(const realizer *r, uint32_t i) {
    return r->target[i] != KSDA_NO_VERTEX;
}

static ksda_status add_edge(realizer *r, uint32_t i, uint32_t j) {
    ksda_status status = ksda_i_reserve(r->l->ctx, &r->added, &r->room, r->count + 1, sizeof *r->added);
    if (status == KSDA_OK) r->added[r->count++] = (ksda_pair){i, j};
    return status;
}

/* Degrees and needs before anything low is touched; false when a pair is one too many. */
static ksda_status degrees_and_needs(realizer *r, bool *ok) {
    const ksda_i_levels *l = r->l;
    *ok = true;
    r->count = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        r->degree[i] = above_floor(r, i) ? r->target[i] : l->degree[i];
        r->need[i] = r->degree[i] - l->degree[i];
    }
    for (uint64_t e = 0; e < r->pairs; e++) {
        uint32_t i = r->pair[e].u, j = r->pair[e].v;
        if (r->need[i] == 0 || r->need[j] == 0)
            *ok = false;
        else
            r->need[i]--, r->need[j]--;
        ksda_status status = add_edge(r, i, j);
        if (status < 0) return status;
    }
    ksda_i_census_empty(&r->census, l->top + 2);
    for (uint32_t c = 0; c < l->count; c++)
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) ksda_i_census_add(&r->census, r->degree[i], c);
    return KSDA_OK;
}

/* How willingly low position j of c moves up by one; negative: it must not. */
static int64_t willing(const realizer *r, uint32_t c, uint32_t j) {
    uint32_t d = r->degree[j], here = ksda_i_census_own(&r->census, d, c);
    if (d + 1 > r->l->top || !ksda_i_census_may_come(&r->census, d + 1, c)) return -1;
    if (!ksda_i_census_may_leave(&r->census, d, c)) return -1;
    return (int64_t)here * 4 + (here > 1);
}

static void move_up(realizer *r, uint32_t c, uint32_t j) {
    uint32_t d = r->degree[j]++;
    ksda_i_census_move(&r->census, c, d, d + 1);
}

static void mark_neighbours(realizer *r, uint32_t i, bool value) {
    const ksda_i_levels *l = r->l;
    const ksda_graph *g = l->graph;
    uint32_t v = l->vertex[i];
    r->mark[i] = value;
    for (uint64_t p = g->off[v]; p < g->off[v + 1]; p++) r->mark[l->position[g->adj[p]]] = value;
    for (uint64_t e = 0; e < r->count; e++) {
        if (r->added[e].u == i) r->mark[r->added[e].v] = value;
        if (r->added[e].v == i) r->mark[r->added[e].u] = value;
    }
}

/* Who takes the next edge of i: the most willing one, or else anybody who can. */
static uint32_t find_taker(const realizer *r, uint32_t c, uint32_t i, ksda_i_rng *rng) {
    const ksda_i_levels *l = r->l;
    int64_t best = INT64_MIN;
    uint32_t who = KSDA_NO_VERTEX;
    for (uint32_t j = l->start[c]; j < l->start[c + 1]; j++) {
        if (r->mark[j] || above_floor(r, j) || j == i || r->degree[j] >= l->top) continue;
        int64_t w = willing(r, c, j) * 16 + (rng ? (int64_t)ksda_i_rng_below(rng, 64) : 0);
        if (w > best) best = w, who = j;
    }
    return who;
}

/* Give all of i's need to low ones of c; *ok is cleared when a partner is missing. */
static ksda_status serve_need(realizer *r, uint32_t c, uint32_t i, ksda_i_rng *rng, bool *ok) {
    ksda_status status = KSDA_OK;
    mark_neighbours(r, i, true);
    while (r->need[i] > 0 && *ok && status == KSDA_OK) {
        uint32_t who = find_taker(r, c, i, rng);
        if (who == KSDA_NO_VERTEX)
            *ok = false;
        else {
            move_up(r, c, who);
            r->mark[who] = true;
            status = add_edge(r, i, who);
            r->need[i]--;
        }
    }
    mark_neighbours(r, i, false);
    return status;
}

static uint32_t short_of(const realizer *r, uint32_t d) {
    uint32_t missing = ksda_i_census_missing(&r->census, d), there = r->census.tally[d].communities;
    return there < missing ? there : missing;
}

static void move_in_census(realizer *r, uint32_t c, uint32_t j, int step) {
    uint32_t from = r->degree[j];
    r->degree[j] = (uint32_t)((int64_t)from + step);
    ksda_i_census_move(&r->census, c, from, r->degree[j]);
}

static bool joined(const realizer *r, uint32_t i, uint32_t j) {
    const ksda_i_levels *l = r->l;
    if (i == j || ksda_graph_adjacent(l->graph, l->vertex[i], l->vertex[j])) return true;
    for (uint64_t e = 0; e < r->count; e++)
        if ((r->added[e].u == i && r->added[e].v == j) || (r->added[e].u == j && r->added[e].v == i)) return true;
    return false;
}

/* Hand edge e over from its low end j to another low vertex of the community, unless that makes things worse. */
static void hand_over(realizer *r, uint64_t e, uint32_t to, uint32_t *left) {
    const ksda_i_levels *l = r->l;
    uint32_t i = r->added[e].u, j = r->added[e].v, c = l->communities->of[l->vertex[i]];
    if (to == j || above_floor(r, to) || r->degree[to] >= l->top) return;
    uint32_t a = r->degree[j], b = r->degree[to], d[4] = {a, a - 1, b, b + 1}, before = 0, after = 0;
    for (uint32_t q = 0; q < 4; q++) {
        bool again = false;
        for (uint32_t p = 0; p < q; p++) again |= d[p] == d[q];
        if (again)
            d[q] = UINT32_MAX;
        else
            before += short_of(r, d[q]);
    }
    move_in_census(r, c, j, -1), move_in_census(r, c, to, 1);
    for (uint32_t q = 0; q < 4; q++)
        if (d[q] != UINT32_MAX) after += short_of(r, d[q]);
    if (after > before || joined(r, i, to))
        move_in_census(r, c, to, -1), move_in_census(r, c, j, 1);
    else
        r->added[e].v = to, *left -= before - after;
}

/* Edges change hands until every degree has k communities. */
static void complete_release(realizer *r, ksda_i_rng *rng, bool *ok) {
    const ksda_i_levels *l = r->l;
    uint32_t left = 0;
    for (uint32_t d = 0; d <= l->top; d++) left += short_of(r, d);
    for (uint32_t move = 0; move < MOVES && left > 0 && r->count > r->pairs; move++) {
        if (move % 256 == 0 && time_is_over(r)) break;
        uint64_t e = r->pairs + ksda_i_rng_below(rng, r->count - r->pairs);
        uint32_t c = l->communities->of[l->vertex[r->added[e].u]], size = l->start[c + 1] - l->start[c];
        hand_over(r, e, l->start[c] + (uint32_t)ksda_i_rng_below(rng, size), &left);
    }
    if (left > 0) *ok = false;
}

static ksda_status attempt(realizer *r, ksda_i_rng *rng, bool first, bool *ok) {
    const ksda_i_levels *l = r->l;
    ksda_status status = degrees_and_needs(r, ok);
    for (uint32_t c = 0; c < l->count && *ok && status == KSDA_OK; c++) {
        for (;;) { /* the largest need first: it has the least choice */
            uint32_t most = KSDA_NO_VERTEX;
            for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
                if (r->need[i] > 0 && (most == KSDA_NO_VERTEX || r->need[i] > r->need[most])) most = i;
            if (most == KSDA_NO_VERTEX || !*ok || status < 0) break;
            if (time_is_over(r)) *ok = false;
            status = serve_need(r, c, most, first ? NULL : rng, ok);
        }
    }
    if (*ok && status == KSDA_OK) complete_release(r, rng, ok);
    return status;
}

static ksda_status to_edits(const realizer *r, ksda_edits **out) {
    const ksda_i_levels *l = r->l;
    ksda_edits *edits = NULL;
    ksda_status status;
    KSDA_I_TRY(ksda_edits_new(l->ctx, l->graph, &edits));
    for (uint64_t e = 0; e < r->count; e++)
        KSDA_I_TRY(ksda_edits_add_edge(l->ctx, edits, l->vertex[r->added[e].u], l->vertex[r->added[e].v]));
    *out = edits;
    return KSDA_OK;
done:
    ksda_edits_free(l->ctx, edits);
    return status;
}

ksda_status ksda_i_targets_realize(const ksda_i_levels *l, const uint32_t *target, const ksda_pair *pair,
                                   uint64_t pairs, ksda_edits **out) {
    ksda_ctx *ctx = l->ctx;
    realizer r = {.l = l, .target = target, .pair = pair, .pairs = pairs};
    ksda_status status = KSDA_NOMEM;
    bool ok = false;
    *out = NULL;
    if ((uint64_t)(l->top + 2) * l->count > MOST_CELLS) return KSDA_OK;
    r.degree = ksda_i_malloc(ctx, l->n, sizeof *r.degree);
    r.need = ksda_i_malloc(ctx, l->n, sizeof *r.need);
    r.mark = ksda_i_calloc(ctx, l->n, sizeof *r.mark);
    if (!r.degree || !r.need || !r.mark) goto done;
    KSDA_I_TRY(ksda_i_census_open(ctx, l->communities, l->k, l->top + 2, l->n, &r.census));
    for (uint32_t try = 0; try < TRIES && !ok && status == KSDA_OK; try++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(ctx), 0x7265616c, try);
        status = ksda_i_interrupted(ctx);
        if (try > 0 && time_is_over(&r)) break;
        if (status == KSDA_OK) status = attempt(&r, &rng, try == 0, &ok);
    }
    if (status == KSDA_OK && ok) status = to_edits(&r, out);
done:
    ksda_i_free(ctx, r.degree), ksda_i_free(ctx, r.need), ksda_i_census_close(ctx, &r.census);
    ksda_i_free(ctx, r.mark), ksda_i_free(ctx, r.added);
    return status;
}

/* The level i ends at, or KSDA_NO_VERTEX when it stays at or below the floor. */
static uint32_t target_of(const ksda_i_level_model *m, const double *x, uint32_t i) {
    for (uint32_t t = m->low; m->at[i] && t <= m->high; t++)
        if (ksda_i_ends(m, i, t) != KSDA_I_NO_COLUMN && x[ksda_i_ends(m, i, t)] > 0.5) return t;
    return KSDA_NO_VERTEX;
}

/* Edges among those above the floor, as x has them. */
static ksda_status find_pairs(const ksda_i_level_model *m, const double *x, const uint32_t *target, ksda_pair **pair,
                              uint64_t *count, uint64_t *room) {
    const ksda_i_levels *l = m->l;
    for (uint32_t c = 0; c < l->count; c++)
        for (uint32_t a = 0; a < m->held[c]; a++)
            for (uint32_t b = a + 1; b < m->held[c]; b++) {
                uint32_t i = l->start[c] + a, j = l->start[c] + b, column = ksda_i_pair_column(m, c, a, b);
                if (column == KSDA_I_NO_COLUMN || x[column] < 0.5 || target[i] == KSDA_NO_VERTEX ||
                    target[j] == KSDA_NO_VERTEX)
                    continue;
                ksda_status status = ksda_i_reserve(l->ctx, pair, room, *count + 1, sizeof **pair);
                if (status < 0) return status;
                (*pair)[(*count)++] = (ksda_pair){i, j};
            }
    return KSDA_OK;
}

/* Join position i, who has need, to those who need most; what it still needs then is left to others. */
static ksda_status join_to_neediest(const ksda_i_levels *l, uint32_t i, uint32_t c, uint32_t *need, ksda_pair **pair,
                                    uint64_t *count, uint64_t *room) {
    uint64_t first = *count;
    while (need[i] > 0) {
        uint32_t most = 0, who = 0;
        for (uint32_t j = l->start[c]; j < l->start[c + 1]; j++) {
            bool used = need[j] <= most || j == i || ksda_graph_adjacent(l->graph, l->vertex[i], l->vertex[j]);
            for (uint64_t e = first; !used && e < *count; e++) used = (*pair)[e].v == j;
            if (!used) most = need[j], who = j;
        }
        if (most == 0) break;
        ksda_status status = ksda_i_reserve(l->ctx, pair, room, *count + 1, sizeof **pair);
        if (status < 0) return status;
        (*pair)[(*count)++] = (ksda_pair){i, who};
        need[i]--, need[who]--;
    }
    return KSDA_OK;
}

/* Whom the solution raises of a pool, it does not say: the largest that can get there. */
static ksda_status raise_pool(const ksda_i_level_model *m, const double *x, uint32_t *target, uint32_t *need,
                              ksda_pair **pair, uint64_t *count, uint64_t *room, bool *ok) {
    const ksda_i_levels *l = m->l;
    for (uint32_t c = 0; c < l->count; c++) {
        uint32_t next = l->start[c] + m->held[c];
        for (uint32_t t = m->high + 1; t-- > m->low;) {
            uint32_t column = m->pool_at[(uint64_t)c * (m->high + 1) + t];
            double left = column == KSDA_I_NO_COLUMN ? 0 : round(x[column]);
            for (; left > 0.5; left--, next++) {
                while (next < l->start[c + 1] && l->max_degree[next] < t) next++;
                if (next == l->start[c + 1]) {
                    *ok = false;
                    return KSDA_OK;
                }
                target[next] = t, need[next] = t - l->degree[next];
                ksda_status status = join_to_neediest(l, next, c, need, pair, count, room);
                if (status < 0) return status;
            }
        }
    }
    return KSDA_OK;
}

ksda_status ksda_i_level_realize(const ksda_i_level_model *m, const double *x, ksda_edits **out) {
    const ksda_i_levels *l = m->l;
    ksda_pair *pair = NULL;
    uint64_t pairs = 0, room = 0;
    bool ok = true;
    uint32_t *target = ksda_i_malloc(l->ctx, l->n, sizeof *target), *need = ksda_i_calloc(l->ctx, l->n, sizeof *need);
    ksda_status status = target && need ? KSDA_OK : KSDA_NOMEM;
    *out = NULL;
    if (status < 0) goto done;
    for (uint32_t i = 0; i < l->n; i++) target[i] = target_of(m, x, i);
    KSDA_I_TRY(find_pairs(m, x, target, &pair, &pairs, &room));
    for (uint32_t i = 0; i < l->n; i++) need[i] = target[i] == KSDA_NO_VERTEX ? 0 : target[i] - l->degree[i];
    for (uint64_t e = 0; e < pairs && ok; e++) {
        ok = need[pair[e].u] > 0 && need[pair[e].v] > 0;
        need[pair[e].u]--, need[pair[e].v]--;
    }
    if (ok) KSDA_I_TRY(raise_pool(m, x, target, need, &pair, &pairs, &room, &ok));
    if (ok) status = ksda_i_targets_realize(l, target, pair, pairs, out);
done:
    ksda_i_free(l->ctx, target), ksda_i_free(l->ctx, need), ksda_i_free(l->ctx, pair);
    return status;
}
