/* Level-plan's stage of level sets: which searches for sets of levels are made, and in which order. */
#include "methods/levelplan/stages.h"

#include "methods/levelplan/abreast.h"
#include "methods/levelplan/levelset.h"

#include <math.h>

/* A search for sets of levels, one of many. */
typedef struct level_search {
    double weight;
    uint32_t more; /* than k communities have every degree: what holds for a larger k holds for k */
    uint32_t pass, number;
    ksda_i_levelset_start start;
    double below;     /* what the cheapest release at that weight costs when the search begins, */
    uint32_t *degree; /* and its degrees [count] */
    uint32_t count;
} level_search;

/* The searches, one after the other. */
typedef struct level_searches {
    ksda_i_plan_run *run;
    level_search task[2]; /* two are under way at a time */
    uint32_t begun;       /* so many have begun */
    bool larger;          /* there is a larger k */
    uint64_t part;        /* the work of one from scratch, */
    uint64_t each;        /* of one that changes sets, */
    uint64_t idle;        /* and of so many in a row that lead to nothing */
    uint32_t starts;      /* so many were looked at from scratch; see begin_from_scratch() */
    uint32_t pass, stale; /* passes of changes: which, and so many in a row have led to nothing */
    uint32_t weight[KSDA_I_WEIGHTS], weights, at; /* of the pass, and which comes next */
    uint64_t gained, gained_before; /* the work that was done when something cheaper was found last; before the pass */
    double cost;                    /* the sum over all weights */
} level_searches;

/* What the work for sets of levels is multiplied by on larger networks: a try at the edges takes longer there. */
static double times_for_size(const ksda_i_plan_run *r) {
    double times = (double)(r->graph->n + r->graph->m) / KSDA_I_HUBS_SIZE;
    if (ksda_i_plan_is_large(r)) return KSDA_I_LEVELSET_LARGE * fmin(times, KSDA_I_LEVELSET_LARGEST);
    return r->graph->n + r->graph->m > KSDA_I_POOL_SIZE ? KSDA_I_LEVELSET_MEDIUM : 1;
}

/* More where more vertices must be split, as far as is known. */
uint64_t ksda_i_stage_levelset_budget(const ksda_i_plan_run *r) {
    uint32_t splits = r->pool.count ? r->pool.release[0].splits : KSDA_I_LEVELSET_SPLITS;
    uint64_t more = KSDA_I_LEVELSET_SPLIT_WORK * (splits < KSDA_I_LEVELSET_SPLITS ? splits : KSDA_I_LEVELSET_SPLITS);
    return (uint64_t)((double)(KSDA_I_LEVELSET_WORK + more) * times_for_size(r));
}

/* --- one search --------------------------------------------------------------------------------------------------- */

static ksda_status offer_placed(void *payload, ksda_edits *edits) {
    ksda_i_abreast_search *s = payload;
    s->placed = true;
    return ksda_i_abreast_offer(s, edits);
}

static ksda_status search_levels(ksda_i_abreast_search *s) {
    const level_search *x = s->task;
    const ksda_i_plan_run *r = s->run;
    const ksda_i_levelset_task task = {.k = r->options->k + x->more,
                                       .split_weight = x->weight,
                                       .below = x->below,
                                       .known = x->degree,
                                       .count = x->count,
                                       .pass = x->pass,
                                       .number = x->number,
                                       .start = x->start,
                                       .offer = offer_placed,
                                       .payload = s};
    return ksda_i_levelset_search(s->ctx, r->graph, r->communities, &task);
}

/* It begins with the levels of the cheapest release at its weight. */
static ksda_status note_known(const ksda_i_plan_run *r, ksda_ctx *ctx, level_search *x) {
    const ksda_i_pool_release *known = ksda_i_pool_cheapest(&r->pool, x->weight);
    ksda_graph *release = NULL;
    ksda_status status = KSDA_OK;
    x->below = known ? ksda_i_pool_cost(known, x->weight) : INFINITY;
    x->count = known ? ksda_edits_pieces(known->edits) : 0;
    x->degree = ksda_i_malloc(ctx, x->count + 1, sizeof *x->degree);
    if (!x->degree) return KSDA_NOMEM;
    if (known) status = ksda_edits_apply(ctx, known->edits, &release);
    for (uint32_t i = 0; i < x->count && status >= 0; i++) x->degree[i] = ksda_i_degree(release, i);
    ksda_graph_free(ctx, release);
    return status;
}

/* --- which searches ----------------------------------------------------------------------------------------------- */

/* It sinks when something cheaper is found at any weight. */
static double sum_of_costs(const ksda_i_plan_run *r) {
    double sum = 0;
    for (uint32_t i = 0; i < r->weights; i++) sum += ksda_i_plan_cost_at(r, r->weight[i]);
    return sum;
}

/* Sets from scratch: with the first weight from the known set, from the grid, and down from all tops; with the others
 * from all of these and from what is known by then; and for a larger k. The grid, which is wide, has twice the work.
 * False when all have begun. *weight: that of the search, if a split may pay at it. */
static bool begin_from_scratch(level_searches *all, level_search *x, uint64_t *work, uint32_t *weight) {
    const ksda_i_plan_run *r = all->run;
    bool large = ksda_i_plan_is_large(r);
    static const ksda_i_levelset_start of_first[] = {KSDA_I_LEVELSET_KNOWN, KSDA_I_LEVELSET_GRID,
                                                     KSDA_I_LEVELSET_LADDER};
    const uint32_t first = sizeof of_first / sizeof *of_first;
    uint32_t start = all->starts, own = first + r->weights - 1, more = all->larger && !large ? r->weights : 0;
    if (start >= own + more) return false;
    all->starts++;
    *weight = start >= own ? start - own : start >= first ? start - first + 1 : 0;
    *x = (level_search){.more = start >= own, .start = start < first ? of_first[start] : KSDA_I_LEVELSET_EVERYWHERE};
    *work = x->more ? all->part / 4 : x->start == KSDA_I_LEVELSET_GRID ? 2 * all->part : all->part;
    return true;
}

/* The weights whose cheapest release is changed in a pass: the first always, as it is the one that most ask for; of
 * others that share a release one, in turns. */
static void choose_changed(level_searches *all) {
    const ksda_i_plan_run *r = all->run;
    const ksda_i_pool_release *best[KSDA_I_WEIGHTS];
    for (uint32_t i = 0; i < r->weights; i++) best[i] = ksda_i_pool_cheapest(&r->pool, r->weight[i]);
    all->weights = all->at = 0;
    all->weight[all->weights++] = 0;
    for (uint32_t i = 1; i < r->weights; i++) {
        uint32_t before = 0, sharing = 0;
        for (uint32_t j = 1; j < r->weights; j++)
            if (best[j] == best[i]) sharing++, before += j < i;
        if (all->pass % sharing == before) all->weight[all->weights++] = i;
    }
}

/* The next pass of changes; false when there shall be none. */
static bool begin_pass(level_searches *all) {
    if (all->pass > 0) all->stale = all->gained > all->gained_before ? 0 : all->stale + 1;
    if (all->pass == KSDA_I_LEVELSET_PASSES || all->stale == KSDA_I_LEVELSET_STALE) return false;
    if (ksda_i_work_done(all->run->ctx) - all->gained > all->idle) return false;
    all->pass++, all->gained_before = all->gained;
    choose_changed(all);
    return true;
}

/* Changes of what is the cheapest at a weight; every fourth pass looks for a release for k + 1. */
static bool begin_change(level_searches *all, level_search *x, uint64_t *work, uint32_t *weight) {
    if (all->at == all->weights && !begin_pass(all)) return false;
    *weight = all->weight[all->at++];
    *work = all->each;
    *x = (level_search){
        .more = all->larger && all->pass % 4 == 0, .pass = all->pass, .number = all->pass * KSDA_I_WEIGHTS + *weight};
    return true;
}

static ksda_status next_search(void *payload, ksda_i_abreast_search *s, bool *any) {
    level_searches *all = payload;
    const ksda_i_plan_run *r = all->run;
    level_search *x = &all->task[all->begun % 2];
    uint32_t weight;
    do {
        if (ksda_i_work_over(r->ctx)) return KSDA_OK;
        if (!begin_from_scratch(all, x, &s->work, &weight) && !begin_change(all, x, &s->work, &weight)) return KSDA_OK;
    } while (!ksda_i_plan_split_may_pay(r, r->weight[weight]));
    /* a huge weight hides what edges cost from those who change sets */
    x->weight = fmin(r->weight[weight], x->pass > 0 ? KSDA_I_LEVELSET_DEAREST : INFINITY);
    ksda_status status = note_known(r, s->ctx, x);
    if (status < 0) {
        ksda_i_free(s->ctx, x->degree);
        return status;
    }
    all->begun++;
    s->task = x;
    *any = true;
    return KSDA_OK;
}

static void note_gain(void *payload, ksda_i_abreast_search *s) {
    level_searches *all = payload;
    const level_search *x = s->task;
    double cost = sum_of_costs(all->run);
    if (cost < all->cost || x->pass == 0) all->gained = ksda_i_work_done(all->run->ctx);
    all->cost = cost;
    ksda_i_free(s->ctx, x->degree);
}

/* Sets of levels from scratch, for a part of the work. Then again and again changes of what is the cheapest at each
 * weight, whichever weight has led to it, until some passes or some work in a row have led to nothing; every fourth
 * pass and a further start look for a release for k + 1, so that this one is not beaten by it. */
ksda_status ksda_i_stage_level_sets(ksda_i_plan_run *r) {
    uint64_t all = ksda_i_stage_levelset_budget(r), scratch = ksda_i_plan_is_large(r) ? 100 : KSDA_I_LEVELSET_SCRATCH;
    level_searches searches = {.run = r,
                               .larger = r->options->k < r->communities->count,
                               .part = all * scratch / 100 / (r->weights + 3),
                               .each = all / (KSDA_I_LEVELSET_PARTS * r->weights),
                               .idle = all * KSDA_I_LEVELSET_IDLE / 100,
                               .gained = ksda_i_work_done(r->ctx),
                               .cost = sum_of_costs(r)};
    const ksda_i_abreast_row row = {
        .next = next_search, .work = search_levels, .taken = note_gain, .payload = &searches};
    return ksda_i_abreast_run_row(r, &row);
}
