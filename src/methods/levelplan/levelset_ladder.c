/* Sets of levels by the degrees of the communities alone: the cheapest way down from a top level.
 *
 * Vertices above the top are cut into pieces. From the top down, whoever stands between a level and the next one below
 * comes up to it, and communities that are missing there send their next member, the nearest ones first. Which levels
 * there are is a shortest path over the degrees that occur, with one state kept at each: who is placed when it is the
 * next level. The cheapest way there need not be the one that is best in the end, needs count half an edge each, and
 * nobody is asked whether edges can be found, so this is a heuristic. Time O(degrees^2 * communities) at most: ways
 * that are dearer than what is known, or than ways by the levels between, are not gone on with. */
#include "methods/levelplan/levelset.h"

#include "core/sort.h"

#include <math.h>

#define STEP_UNITS 6u             /* of work, for one step down, for every community, */
#define CUT_UNITS 20u             /* and to cut those above the top, for every vertex */
#define DEARER 3u                 /* steps from one level that are dearer than ways by those between */
#define CELLS (UINT64_C(1) << 22) /* degrees times communities, at most: 16 MB */

/* Who could come to a level at which its community is missing. */
typedef struct next_member {
    double price;
    uint32_t community;
} next_member;

typedef struct ladder {
    const ksda_i_levelset *f;
    uint32_t communities;
    uint64_t *piece; /* degree << 32 | the most that it can reach; community by community, descending */
    uint32_t *start; /* [communities + 1] */
    uint32_t *rung;  /* [rungs + 1] degrees that may be levels, descending, and a 0 after the last */
    uint32_t rungs;
    double *cost;         /* [rungs + 1] of the cheapest way to each, */
    uint32_t *from;       /* [rungs + 1] the level before it, */
    uint32_t *next;       /* [(rungs + 1) * communities] and who is not placed by then */
    uint32_t *at;         /* [communities] scratch: the same, when those between two levels have come up, */
    uint32_t *after;      /* [communities] and when the upper level is complete */
    next_member *missing; /* [communities] scratch */
} ladder;

static void close_ladder(ladder *l) {
    ksda_ctx *ctx = l->f->ctx;
    ksda_i_free(ctx, l->piece);
    ksda_i_free(ctx, l->start);
    ksda_i_free(ctx, l->rung);
    ksda_i_free(ctx, l->cost);
    ksda_i_free(ctx, l->from);
    ksda_i_free(ctx, l->next);
    ksda_i_free(ctx, l->at);
    ksda_i_free(ctx, l->after);
    ksda_i_free(ctx, l->missing);
}

/* --- pieces and rungs --------------------------------------------------------------------------------------------- */

static uint32_t degree_of(const ladder *l, uint32_t x) {
    return (uint32_t)(l->piece[x] >> 32);
}

/* What it costs to raise a piece to that degree, up to a third more by chance: half an edge for every step, and about
 * half a split for every step beyond what it can reach. */
static double price(const ladder *l, uint32_t x, uint32_t degree) {
    uint32_t reach = (uint32_t)l->piece[x];
    double cost = 0.5 * (degree - degree_of(l, x)) + (degree > reach ? 0.5 * l->f->weight * (degree - reach) : 0);
    return ksda_i_levelset_shaken(l->f, (uint64_t)degree << 32 | x, cost);
}

/* The pieces of every community when those above the top are cut. */
static ksda_status cut_above(ladder *l, uint32_t top) {
    const ksda_i_levelset *f = l->f;
    const ksda_communities *c = f->communities;
    uint64_t count = 0;
    for (uint32_t v = 0; v < f->graph->n; v++) count += 1 + ksda_i_degree(f->graph, v) / top;
    l->piece = ksda_i_malloc(f->ctx, count, sizeof *l->piece);
    l->start = ksda_i_malloc(f->ctx, l->communities + 1, sizeof *l->start);
    uint64_t *scratch = ksda_i_malloc(f->ctx, count, sizeof *scratch);
    uint32_t at = 0;
    for (uint32_t i = 0; l->piece && l->start && scratch && i < l->communities; i++) {
        l->start[i] = at;
        for (uint32_t j = c->start[i]; j < c->start[i + 1]; j++) {
            uint32_t rest = ksda_i_degree(f->graph, c->member[j]);
            for (; rest > top; rest -= top) l->piece[at++] = ~((uint64_t)top << 32 | UINT32_MAX);
            l->piece[at++] = ~((uint64_t)rest << 32 | f->whole[c->member[j]]);
        }
        ksda_i_sort_u64(l->piece + l->start[i], at - l->start[i], scratch);
        for (uint32_t x = l->start[i]; x < at; x++) l->piece[x] = ~l->piece[x];
        l->start[i + 1] = at;
    }
    ksda_i_free(f->ctx, scratch);
    ksda_i_work(f->ctx, CUT_UNITS * (uint64_t)f->graph->n);
    return l->piece && l->start && scratch ? KSDA_OK : KSDA_NOMEM;
}

/* The degrees that occur, from the top down. */
static ksda_status find_rungs(ladder *l, uint32_t top) {
    ksda_ctx *ctx = l->f->ctx;
    bool *occurs = ksda_i_calloc(ctx, (uint64_t)top + 1, sizeof *occurs);
    l->rung = ksda_i_malloc(ctx, (uint64_t)top + 1, sizeof *l->rung);
    if (occurs && l->rung) {
        for (uint32_t x = 0; x < l->start[l->communities]; x++) occurs[degree_of(l, x)] = true;
        for (uint32_t d = top; d > 0; d--)
            if (occurs[d]) l->rung[l->rungs++] = d;
        l->rung[l->rungs] = 0;
    }
    ksda_i_free(ctx, occurs);
    return occurs && l->rung ? KSDA_OK : KSDA_NOMEM;
}

static ksda_status open_ways(ladder *l, double below) {
    ksda_ctx *ctx = l->f->ctx;
    l->cost = ksda_i_malloc(ctx, l->rungs + 1, sizeof *l->cost);
    l->from = ksda_i_malloc(ctx, l->rungs + 1, sizeof *l->from);
    l->next = ksda_i_malloc(ctx, (uint64_t)(l->rungs + 1) * l->communities, sizeof *l->next);
    l->at = ksda_i_malloc(ctx, l->communities, sizeof *l->at);
    l->after = ksda_i_malloc(ctx, l->communities, sizeof *l->after);
    l->missing = ksda_i_malloc(ctx, l->communities, sizeof *l->missing);
    if (!l->cost || !l->from || !l->next || !l->at || !l->after || !l->missing) return KSDA_NOMEM;
    for (uint32_t i = 1; i < l->rungs; i++) l->cost[i] = INFINITY;
    l->cost[0] = 0, l->cost[l->rungs] = below, l->from[l->rungs] = UINT32_MAX;
    memcpy(l->next, l->start, l->communities * sizeof *l->next);
    return KSDA_OK;
}

/* --- the way down ------------------------------------------------------------------------------------------------- */

/* What it costs to bring enough communities to a level, and, in l->after, who is placed then. before: who was when it
 * was the next level. A community that has nobody left leaves a piece there. */
static double complete_level(ladder *l, uint32_t level, const uint32_t *before) {
    const ksda_i_levelset *f = l->f;
    ksda_i_tally here = {0};
    uint32_t count = 0;
    double cost = 0;
    for (uint32_t c = 0; c < l->communities; c++) {
        l->after[c] = l->at[c];
        if (!ksda_i_model_counts(&f->census.model, c)) continue;
        if (l->at[c] > before[c])
            here.communities++;
        else if (l->at[c] < l->start[c + 1])
            l->missing[count++] = (next_member){price(l, l->at[c], level), c};
    }
    for (uint32_t x = 0, lacks = ksda_i_model_missing(&f->census.model, &here); x < lacks; x++) {
        uint32_t best = x;
        if (x >= count) return cost + (lacks - x) * (f->weight + 0.5 * level);
        for (uint32_t y = x + 1; y < count; y++)
            if (l->missing[y].price < l->missing[best].price) best = y;
        next_member taken = l->missing[best];
        l->missing[best] = l->missing[x];
        cost += taken.price;
        l->after[taken.community]++;
    }
    return cost;
}

/* Those above rung j come up to a level; the last step takes everybody, unless 0 is a level. */
static double bring_up(ladder *l, uint32_t level, uint32_t j) {
    bool all = j == l->rungs && !l->f->fixed[0];
    double cost = 0;
    for (uint32_t c = 0; c < l->communities; c++)
        for (; l->at[c] < l->start[c + 1] && (all || degree_of(l, l->at[c]) > l->rung[j]); l->at[c]++)
            cost += price(l, l->at[c], level);
    return cost;
}

/* All steps from rung i, where a level is, to the next one. */
static void go_down_from(ladder *l, uint32_t i) {
    const uint32_t *before = l->next + (uint64_t)i * l->communities;
    double cost = l->cost[i];
    uint32_t steps = 0, dearer = 0;
    memcpy(l->at, before, l->communities * sizeof *l->at);
    for (uint32_t j = i + 1; j <= l->rungs; j++) {
        steps++;
        cost += bring_up(l, l->rung[i], j);
        if (cost >= l->cost[l->rungs] || (cost > l->cost[j] && ++dearer > DEARER)) break;
        double there = cost + complete_level(l, l->rung[i], before);
        if (there < l->cost[j]) {
            l->cost[j] = there, l->from[j] = i;
            memcpy(l->next + (uint64_t)j * l->communities, l->after, l->communities * sizeof *l->after);
        }
        if (l->f->fixed[l->rung[j]]) break;
    }
    ksda_i_work(l->f->ctx, STEP_UNITS * (uint64_t)steps * l->communities);
}

ksda_status ksda_i_levelset_ladder(const ksda_i_levelset *f, uint32_t top, double below, uint32_t *level, uint32_t most,
                                   uint32_t *count) {
    ladder l = {.f = f, .communities = f->communities->count};
    ksda_status status;
    *count = 0;
    KSDA_I_TRY(cut_above(&l, top));
    KSDA_I_TRY(find_rungs(&l, top));
    if (!l.rungs || (uint64_t)l.rungs * l.communities > CELLS) goto done;
    KSDA_I_TRY(open_ways(&l, below));
    for (uint32_t i = 0; i < l.rungs; i++) {
        KSDA_I_TRY(ksda_i_interrupted(f->ctx));
        if (ksda_i_work_over(f->ctx)) goto done;
        if (l.cost[i] < INFINITY) go_down_from(&l, i);
    }
    if (l.from[l.rungs] == UINT32_MAX) goto done;
    for (uint32_t i = l.from[l.rungs];; i = l.from[i]) {
        if (!f->fixed[l.rung[i]] && *count == most) {
            *count = 0;
            goto done;
        }
        if (!f->fixed[l.rung[i]]) level[(*count)++] = l.rung[i];
        if (i == 0) break;
    }
done:
    close_ladder(&l);
    return status;
}
