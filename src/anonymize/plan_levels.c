/* Which degrees to open as levels, and who goes where: a beam search down the degrees.
 *
 * Going down, a state says how far each community's list is consumed. At degree t the search either opens a level there,
 * which takes everybody not yet placed with a degree above the next level, and pulls up the next members of other
 * communities until k are present; or it closes the degree and splits who has it. Inside a community a larger degree never
 * gets a smaller target, so the consumed part of a list is always a prefix and a state is one number per community.
 *
 * The price of a need is not one half: two needs that meet cost one edge together, a need that meets none costs one alone.
 * A state therefore knows, for the largest members of each community, which needs are still without a partner, and pairs
 * every new need at once with open needs of members it is not adjacent to. What is left over pays one edge for each.
 * A split vertex costs one split weight; it then can stand in, free of charge, for its community at one lower level.
 *
 * The pairing is one that exists, so the estimate is met wherever absorbers are at hand. The search is a heuristic. A level that k
 * communities fill by themselves is always opened and never merged into a higher one, so the crowded low degrees cost
 * O(communities) each. Time O(degrees * width * span * communities), memory O(width * (span * communities + n)). */
#include "anonymize/level_plan.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

#define NO_LEVEL UINT32_MAX
#define STAND_IN 0.125 /* so much dearer is a piece than a vertex that stands there anyway: its rest must go somewhere too */

typedef struct cell {
    uint64_t open;             /* which of the first KSDA_I_NEAR members have needs that found no partner yet */
    uint32_t next;             /* the list is consumed up to here */
    uint32_t pending;          /* pieces of split vertices that may still stand in at a level */
    uint32_t hub;              /* the degree of the one split last */
    uint16_t rest[KSDA_I_NEAR]; /* the needs without a partner */
} cell;

typedef struct state {
    double cost;
    uint64_t hash;
    struct state *parent;
    uint32_t level;   /* opened by the step to this state, or NO_LEVEL */
    uint32_t top;     /* the highest level opened so far; 0 for none */
    uint32_t changes, covers, splits;
    uint32_t *log;    /* (community, next) for every change; community for every cover; list position for every split */
    cell *cell;       /* [communities]; NULL once expanded */
} state;

typedef struct column {
    state **item;
    uint64_t count, capacity;
} column;

typedef struct candidate {
    double cost;
    uint32_t community;
    bool stands_in;
} candidate;

typedef struct search {
    ksda_ctx *ctx;
    const ksda_i_ranks *lists;
    const ksda_i_plan_options *options;
    double limit;         /* states dearer than this are dropped */
    column *column;       /* [levels + 1] */
    cell *work;           /* [communities] the state being extended */
    double cost;          /* of work */
    uint32_t *touched;    /* communities whose list was consumed further, each once */
    uint32_t touches;
    uint32_t *seen;       /* [communities] stamp: touched; present at the level */
    uint32_t *present;
    uint32_t stamp, placed;
    uint32_t *split;      /* list positions split in this step */
    uint64_t splits, split_capacity;
    candidate *candidate; /* [communities] */
    uint32_t top;
} search;

/* --- the price of needs -------------------------------------------------------------------------------------------- */

/* The members of c that a need of member q can be paired with. */
static uint64_t partners(const ksda_i_ranks *l, const cell *x, uint32_t c, uint32_t q) {
    return q < KSDA_I_NEAR ? x->open & ~l->foes[(uint64_t)c * KSDA_I_NEAR + q] : x->open;
}

/* Raise member q of c by need, paired with the largest open needs. */
static void add_need(const ksda_i_ranks *l, cell *x, uint32_t c, uint32_t q, uint32_t need) {
    uint64_t with = partners(l, x, c, q);
    while (need && with) {
        uint32_t best = (uint32_t)__builtin_ctzll(with);
        if ((uint32_t)__builtin_popcountll(with) > need)
            for (uint64_t bits = with & (with - 1); bits; bits &= bits - 1) {
                uint32_t i = (uint32_t)__builtin_ctzll(bits);
                if (x->rest[i] > x->rest[best]) best = i;
            }
        with &= ~(UINT64_C(1) << best);
        if (--x->rest[best] == 0) x->open &= ~(UINT64_C(1) << best);
        need--;
    }
    if (!need || q >= KSDA_I_NEAR) return;
    x->rest[q] = need < UINT16_MAX ? (uint16_t)need : UINT16_MAX;
    x->open |= UINT64_C(1) << q;
}

/* What community c pays more when its member q is raised by need: one edge for each need that finds no open partner. A
 * paired one was paid for above; the small share settles ties. */
static double raise_cost(const search *s, const cell *x, uint32_t c, uint32_t q, uint32_t need) {
    uint32_t paired = (uint32_t)__builtin_popcountll(partners(s->lists, x, c, q));
    double more = need - s->options->pairing * (paired < need ? paired : need) + need * 0x1p-10;
    return s->options->price ? s->options->price[c] * more : more;
}

/* --- columns of states --------------------------------------------------------------------------------------------- */

static void state_free(ksda_ctx *ctx, state *x) {
    if (!x) return;
    ksda_i_free(ctx, x->log);
    ksda_i_free(ctx, x->cell);
    ksda_i_free(ctx, x);
}

static int by_cost(const void *a, const void *b) {
    const state *x = *(state *const *)a, *y = *(state *const *)b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static void trim(search *s, column *col) {
    qsort(col->item, col->count, sizeof *col->item, by_cost);
    while (col->count > s->options->width) state_free(s->ctx, col->item[--col->count]);
}

static uint64_t hash_of(const cell *x, uint32_t communities, uint32_t top) {
    uint64_t h = ksda_i_mix(top);
    for (uint32_t c = 0; c < communities; c++) h += ksda_i_mix(((uint64_t)c << 40) ^ ((uint64_t)x[c].next << 8) ^ x[c].pending);
    return h;
}

/* Where a state with that hash stands in the column, or its end. */
static uint64_t find(const column *col, uint64_t hash) {
    uint64_t i = 0;
    while (i < col->count && col->item[i]->hash != hash) i++;
    return i;
}

static ksda_status log_of(search *s, const uint32_t *cover, uint32_t covers, state *x) {
    uint64_t size = 2 * (uint64_t)s->touches + covers + s->splits;
    x->log = ksda_i_malloc(s->ctx, size, sizeof *x->log);
    if (!x->log) return KSDA_NOMEM;
    uint32_t *out = x->log;
    for (uint32_t i = 0; i < s->touches; i++) *out++ = s->touched[i], *out++ = s->work[s->touched[i]].next;
    if (covers) memcpy(out, cover, covers * sizeof *cover);
    if (s->splits) memcpy(out + covers, s->split, s->splits * sizeof *s->split);
    x->changes = s->touches, x->covers = covers, x->splits = (uint32_t)s->splits;
    return KSDA_OK;
}

/* Put the state in s->work into column j, unless a cheaper one with the same future is there. */
static ksda_status push(search *s, state *parent, uint32_t j, uint32_t level, const uint32_t *cover, uint32_t covers) {
    column *col = &s->column[j];
    uint32_t m = s->lists->communities;
    uint64_t hash = hash_of(s->work, m, s->top > 0), at = find(col, hash);
    if (s->cost > s->limit || (at < col->count && col->item[at]->cost <= s->cost)) return KSDA_OK;
    ksda_status status = ksda_i_reserve(s->ctx, &col->item, &col->capacity, col->count + 1, sizeof *col->item);
    if (status < 0) return status;
    state *x = ksda_i_calloc(s->ctx, 1, sizeof *x);
    if (!x) return KSDA_NOMEM;
    x->cell = ksda_i_malloc(s->ctx, m, sizeof *x->cell);
    if (!x->cell || log_of(s, cover, covers, x) < 0) {
        state_free(s->ctx, x);
        return KSDA_NOMEM;
    }
    memcpy(x->cell, s->work, m * sizeof *x->cell);
    x->cost = s->cost, x->hash = hash, x->parent = parent, x->level = level, x->top = s->top;
    if (at < col->count) {
        state_free(s->ctx, col->item[at]);
        col->item[at] = x;
    } else {
        col->item[col->count++] = x;
        if (col->count >= 4 * (uint64_t)s->options->width + 16) trim(s, col);
    }
    return KSDA_OK;
}

/* --- extending a state --------------------------------------------------------------------------------------------- */

static void start_from(search *s, const state *x) {
    memcpy(s->work, x->cell, s->lists->communities * sizeof *s->work);
    s->cost = x->cost;
    s->top = x->top;
    s->touches = 0, s->splits = 0, s->placed = 0;
    s->stamp++;
}

static void touch(search *s, uint32_t c) {
    if (s->seen[c] == s->stamp) return;
    s->seen[c] = s->stamp;
    s->touched[s->touches++] = c;
}

static void be_present(search *s, uint32_t c) {
    if (s->present[c] == s->stamp) return;
    s->present[c] = s->stamp;
    s->placed++;
}

static ksda_status split_member(search *s, uint32_t c, uint32_t q) {
    ksda_status status = ksda_i_reserve(s->ctx, &s->split, &s->split_capacity, s->splits + 1, sizeof *s->split);
    if (status < 0) return status;
    s->split[s->splits++] = s->lists->start[c] + q;
    s->cost += s->options->split_weight;
    s->work[c].pending++;
    s->work[c].hub = s->lists->degree[s->lists->start[c] + q];
    return KSDA_OK;
}

/* Place members from .. to-1 of c, all of one degree, at level t or split them. *fits is false when one can do neither. */
static ksda_status place_run(search *s, const ksda_i_rank_run *run, uint32_t degree, uint32_t t, bool *fits) {
    cell *x = &s->work[run->community];
    uint32_t c = run->community, from = x->next > run->begin ? x->next : run->begin;
    if (from >= run->end) return KSDA_OK;
    touch(s, c);
    x->next = run->end;
    if (degree == t) {
        be_present(s, c);
        return KSDA_OK;
    }
    for (uint32_t q = from; q < run->end && s->cost <= s->limit; q++) {
        uint32_t need = t == NO_LEVEL ? UINT32_MAX : t - degree;
        double cost = need <= s->options->room[s->lists->start[c] + q] ? raise_cost(s, x, c, q, need) : INFINITY;
        if (degree >= 2 && s->options->split_weight < cost) {
            ksda_status status = split_member(s, c, q);
            if (status < 0) return status;
        } else if (cost < INFINITY) {
            add_need(s->lists, x, c, q, need);
            s->cost += cost;
            be_present(s, c);
        } else {
            *fits = false;
            return KSDA_OK;
        }
    }
    return KSDA_OK;
}

static ksda_status place_group(search *s, uint32_t l, uint32_t t, bool *fits) {
    const ksda_i_ranks *lists = s->lists;
    for (uint64_t r = lists->group[l]; r < lists->group[l + 1] && *fits; r++) {
        ksda_status status = place_run(s, &lists->run[r], lists->level[l], t, fits);
        if (status < 0) return status;
    }
    if (s->cost > s->limit) *fits = false;
    return KSDA_OK;
}

/* Will k communities have unplaced members of degree level[l], also after those missing at the level above were pulled up? */
static bool fills_itself(const search *s, uint32_t l, uint32_t missing) {
    const ksda_i_ranks *lists = s->lists;
    uint32_t count = 0;
    for (uint64_t r = lists->group[l]; r < lists->group[l + 1]; r++)
        count += s->work[lists->run[r].community].next < lists->run[r].end;
    return count >= s->options->k + missing;
}

static int by_candidate(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

/* What it costs to let a piece of a split vertex of degree hub stand in at level t: the rest must find a level as well. Below t
 * none is known yet, but there they lie dense. */
static double stand_in_cost(const search *s, const state *from, uint32_t hub, uint32_t t) {
    uint32_t rest = hub > t ? hub - t : 0, above = t;
    if (rest < t) return STAND_IN;
    while (from && above < rest) {
        if (from->level != NO_LEVEL) above = from->level;
        from = from->parent;
    }
    if (above < rest) return s->options->split_weight;
    return STAND_IN + (above - rest >= 2 ? above - rest - 2 : above - rest);
}

/* Who else could be brought to level t, cheapest first. */
static uint32_t candidates(search *s, const state *from, uint32_t t) {
    const ksda_i_ranks *l = s->lists;
    uint32_t count = 0;
    for (uint32_t c = 0; c < l->communities; c++) {
        const cell *x = &s->work[c];
        uint64_t at = (uint64_t)l->start[c] + x->next;
        candidate found = {INFINITY, c, false};
        if (s->present[c] == s->stamp) continue;
        if (at < l->start[c + 1] && t - l->degree[at] <= s->options->room[at])
            found.cost = raise_cost(s, x, c, x->next, t - l->degree[at]);
        double piece = x->pending && t > 0 ? stand_in_cost(s, from, x->hub, t) : INFINITY;
        if (piece < found.cost) found = (candidate){piece, c, true};
        if (found.cost < INFINITY) s->candidate[count++] = found;
    }
    qsort(s->candidate, count, sizeof *s->candidate, by_candidate);
    return count;
}

static void bring(search *s, const candidate *who, uint32_t t, uint32_t *cover, uint32_t *covers) {
    uint32_t c = who->community;
    cell *x = &s->work[c];
    s->cost += who->cost;
    if (who->stands_in) {
        x->pending--;
        cover[(*covers)++] = c;
    } else {
        touch(s, c);
        add_need(s->lists, x, c, x->next, t - s->lists->degree[s->lists->start[c] + x->next]);
        x->next++;
    }
}

/* Nothing was open above t: every split vertex so far must become pieces of at most t, and large ones more than two. */
static void open_first(search *s, const state *from, uint32_t t) {
    const ksda_i_ranks *l = s->lists;
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t q = 0; q < from->cell[c].next; q++) {
            uint32_t degree = l->degree[l->start[c] + q], pieces = (degree + t - 1) / t;
            if (pieces <= 2) break; /* the list descends */
            s->cost += s->options->split_weight * (pieces - 2);
            s->work[c].pending += pieces - 2;
        }
}

/* The state in work has placed everybody down to the next level; complete level t and push, in several ways. */
static ksda_status complete(search *s, state *from, uint32_t j, uint32_t t, uint32_t *cover) {
    uint32_t m = s->lists->communities, k = s->options->k, need = s->placed < k ? k - s->placed : 0;
    double cost = s->cost;
    uint32_t touches = s->touches, top = s->top, count = need ? candidates(s, from, t) : 0;
    if (count < need) return KSDA_OK;
    cell *base = ksda_i_malloc(s->ctx, m, sizeof *base);
    if (!base) return KSDA_NOMEM;
    memcpy(base, s->work, m * sizeof *base);
    ksda_status status = KSDA_OK;
    uint32_t ways = need && count > need ? s->options->variants : 1;
    for (uint32_t way = 0; way < ways && status >= 0; way++) {
        /* way 0 takes the cheapest; way w leaves one of the dearest taken out for one of the next */
        uint32_t out = need - 1 - way % 4, in = need + way / 4, covers = 0;
        if (way && (way % 4 >= need || in >= count)) continue;
        for (uint32_t i = 0; i < need; i++) bring(s, &s->candidate[way && i == out ? in : i], t, cover, &covers);
        if (!s->top) open_first(s, from, t), s->top = t;
        status = push(s, from, j, t, cover, covers);
        memcpy(s->work, base, m * sizeof *base);
        for (uint32_t i = touches; i < s->touches; i++) s->seen[s->touched[i]] = 0;
        s->cost = cost, s->touches = touches, s->top = top;
    }
    ksda_i_free(s->ctx, base);
    return status;
}

/* All ways from one state at degree index i. */
static ksda_status expand(search *s, state *from, uint32_t i, uint32_t *cover) {
    const ksda_i_ranks *l = s->lists;
    ksda_status status = KSDA_OK;
    uint32_t t = l->level[i];
    start_from(s, from);
    for (uint32_t j = i; j < l->levels && j - i < s->options->span; j++) {
        bool fits = true;
        if (j > i && fills_itself(s, j, s->placed < s->options->k ? s->options->k - s->placed : 0)) break;
        KSDA_I_TRY(place_group(s, j, t, &fits));
        if (!fits) break;
        if (!s->placed) { /* nobody left of degree t */
            KSDA_I_TRY(push(s, from, j + 1, NO_LEVEL, NULL, 0));
            return KSDA_OK;
        }
        KSDA_I_TRY(complete(s, from, j + 1, t, cover));
    }
    if (t >= 2 && s->options->split_weight < INFINITY) { /* close the degree: split who has it */
        bool fits = true;
        start_from(s, from);
        if (fills_itself(s, i, 0)) return KSDA_OK;
        KSDA_I_TRY(place_group(s, i, NO_LEVEL, &fits));
        if (fits) KSDA_I_TRY(push(s, from, i + 1, NO_LEVEL, NULL, 0));
    }
done:
    return status;
}

static ksda_status run_search(search *s) {
    const ksda_i_ranks *l = s->lists;
    ksda_status status = KSDA_OK;
    uint32_t *cover = ksda_i_malloc(s->ctx, l->communities, sizeof *cover);
    if (!cover) return KSDA_NOMEM;
    memset(s->work, 0, l->communities * sizeof *s->work);
    s->touches = 0, s->splits = 0, s->cost = 0, s->top = 0;
    KSDA_I_TRY(push(s, NULL, 0, NO_LEVEL, NULL, 0));
    for (uint32_t i = 0; i < l->levels; i++) {
        column *col = &s->column[i];
        trim(s, col);
        KSDA_I_TRY(ksda_i_progress(s->ctx, "planning", i, l->levels));
        for (uint64_t x = 0; x < col->count; x++) {
            KSDA_I_TRY(expand(s, col->item[x], i, cover));
            ksda_i_free(s->ctx, col->item[x]->cell);
            col->item[x]->cell = NULL;
        }
    }
done:
    ksda_i_free(s->ctx, cover);
    return status;
}

/* --- reading the plan off the best path ----------------------------------------------------------------------------- */

static void count_path(const state *end, ksda_i_plan *plan) {
    for (const state *x = end; x; x = x->parent) {
        plan->levels += x->level != NO_LEVEL;
        plan->covers += x->covers;
    }
}

/* Members begin .. next-1 of every changed list go to the level of the step, but for those it splits. */
static void read_step(const ksda_i_ranks *l, const state *x, uint32_t *consumed, ksda_i_plan *plan) {
    const uint32_t *log = x->log, *split = x->log + 2 * (uint64_t)x->changes + x->covers;
    for (uint32_t i = 0; i < x->changes; i++) {
        uint32_t c = log[2 * i], next = log[2 * i + 1];
        for (uint32_t q = consumed[c]; q < next; q++) plan->target[l->vertex[l->start[c] + q]] = x->level;
        consumed[c] = next;
    }
    for (uint32_t i = 0; i < x->splits; i++) plan->target[l->vertex[split[i]]] = KSDA_I_SPLIT;
}

static ksda_status read_plan(ksda_ctx *ctx, const ksda_i_ranks *l, const state *end, ksda_i_plan *plan) {
    ksda_status status = KSDA_NOMEM;
    uint64_t steps = 0;
    for (const state *x = end; x; x = x->parent) steps++;
    const state **path = ksda_i_malloc(ctx, steps, sizeof *path);
    uint32_t *consumed = ksda_i_calloc(ctx, l->communities, sizeof *consumed);
    *plan = (ksda_i_plan){.estimate = end->cost};
    count_path(end, plan);
    plan->target = ksda_i_malloc(ctx, l->n, sizeof *plan->target);
    plan->level = ksda_i_malloc(ctx, plan->levels, sizeof *plan->level);
    plan->cover = ksda_i_malloc(ctx, plan->covers, sizeof *plan->cover);
    if (!path || !consumed || !plan->target || !plan->level || !plan->cover) goto done;
    uint64_t at = steps;
    for (const state *x = end; x; x = x->parent) path[--at] = x;
    plan->levels = plan->covers = 0;
    for (uint64_t i = 0; i < steps; i++) {
        const state *x = path[i];
        read_step(l, x, consumed, plan);
        if (x->level != NO_LEVEL) plan->level[plan->levels++] = x->level;
        for (uint32_t j = 0; j < x->covers; j++)
            plan->cover[plan->covers++] = (ksda_i_cover){x->log[2 * (uint64_t)x->changes + j], x->level};
    }
    status = KSDA_OK;
done:
    ksda_i_free(ctx, path);
    ksda_i_free(ctx, consumed);
    if (status < 0) ksda_i_plan_clear(ctx, plan);
    return status;
}

void ksda_i_plan_clear(ksda_ctx *ctx, ksda_i_plan *plan) {
    ksda_i_free(ctx, plan->target);
    ksda_i_free(ctx, plan->level);
    ksda_i_free(ctx, plan->cover);
    *plan = (ksda_i_plan){0};
}

static void search_clear(search *s) {
    for (uint64_t i = 0; s->column && i <= s->lists->levels; i++) {
        for (uint64_t j = 0; j < s->column[i].count; j++) state_free(s->ctx, s->column[i].item[j]);
        ksda_i_free(s->ctx, s->column[i].item);
    }
    ksda_i_free(s->ctx, s->column);
    ksda_i_free(s->ctx, s->work);
    ksda_i_free(s->ctx, s->touched);
    ksda_i_free(s->ctx, s->seen);
    ksda_i_free(s->ctx, s->present);
    ksda_i_free(s->ctx, s->split);
    ksda_i_free(s->ctx, s->candidate);
}

static ksda_status plan_once(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_i_plan_options *options, double limit,
                             ksda_i_plan *out, bool *found) {
    ksda_status status = KSDA_NOMEM;
    uint32_t m = lists->communities;
    search s = {.ctx = ctx, .lists = lists, .options = options, .limit = limit};
    s.column = ksda_i_calloc(ctx, (uint64_t)lists->levels + 1, sizeof *s.column);
    s.work = ksda_i_malloc(ctx, m, sizeof *s.work);
    s.touched = ksda_i_malloc(ctx, m, sizeof *s.touched);
    s.seen = ksda_i_calloc(ctx, m, sizeof *s.seen);
    s.present = ksda_i_calloc(ctx, m, sizeof *s.present);
    s.candidate = ksda_i_malloc(ctx, m, sizeof *s.candidate);
    *found = false;
    if (!s.column || !s.work || !s.touched || !s.seen || !s.present || !s.candidate) goto done;
    KSDA_I_TRY(run_search(&s));
    column *last = &s.column[lists->levels];
    qsort(last->item, last->count, sizeof *last->item, by_cost);
    for (uint64_t i = 0; i < last->count && !*found; i++) {
        if (!last->item[i]->top && lists->level[0] > 0) continue; /* everybody split, and nowhere to go */
        KSDA_I_TRY(read_plan(ctx, lists, last->item[i], out));
        *found = true;
    }
done:
    search_clear(&s);
    return status;
}

ksda_status ksda_i_plan_make(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_i_plan_options *options, ksda_i_plan *out,
                             bool *found) {
    ksda_i_plan_options narrow = *options;
    ksda_i_plan first = {0};
    *out = first;
    narrow.width = 1, narrow.variants = 1;
    ksda_status status = plan_once(ctx, lists, &narrow, INFINITY, &first, found);
    if (status < 0 || options->width <= 1) {
        *out = first;
        return status;
    }
    /* the narrow plan bounds the wide search from above */
    bool better = false;
    status = plan_once(ctx, lists, options, *found ? first.estimate : INFINITY, out, &better);
    if (status >= 0 && !better && *found) {
        *out = first;
        return KSDA_OK;
    }
    ksda_i_plan_clear(ctx, &first);
    *found = better;
    return status;
}
