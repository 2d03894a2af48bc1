/* Which degrees to open as levels, and who goes where: a beam search down the degrees.
 *
 * Going down, a state says how far each community's list is consumed. At degree t the search either opens a level
 * there, which takes everybody not yet placed with a degree above the next level, and pulls up the next members of
 * other communities until k are present; or it closes the degree and splits who has it. Inside a community a larger
 * degree never gets a smaller target, so the consumed part of a list is always a prefix and a state is one number per
 * community.
 *
 * The price of a need is not one half: two needs that meet cost one edge together, a need that meets none costs one
 * alone. A state therefore knows, for the largest members of each community, which needs are still without a partner,
 * and pairs every new need at once with open needs of members it is not adjacent to. What is left over pays one edge
 * for each. A split vertex costs one split weight; it then can stand in, free of charge, for its community at one lower
 * level.
 *
 * The pairing is one that exists, so the estimate is met wherever absorbers are at hand. The search is a heuristic. A
 * level that k communities fill by themselves is always opened and never merged into a higher one, so the crowded low
 * degrees cost O(communities) each. Time O(degrees * width * span * communities), memory O(width * (span * communities
 * + n)). */
#include "methods/levelplan/beam.h"

#include "core/sort.h"
#include "core/bits.h"

#include <math.h>
#include <stdlib.h>

#define TRIAL_UNITS 150u                  /* of work, for one way of completing a level, */
#define COMMUNITY_UNITS 15u               /* for every community in it, */
#define LOOK_UNITS 12u                    /* and for a split vertex that is looked at */
#define WAITING_BYTES UINT64_C(268435456) /* for the cells of states that are not expanded yet */

/* --- the price of needs ------------------------------------------------------------------------------------------- */

/* The members of c that a need of member q can be paired with. */
static uint64_t partners(const ksda_i_ranks *l, const ksda_i_cell *x, uint32_t c, uint32_t q) {
    return q < KSDA_I_NEAR ? x->open & ~l->adjacent[l->near[c] + q] : x->open;
}

/* Raise member q of c by need, paired with the largest open needs. */
static void add_need(ksda_i_search *s, ksda_i_cell *x, uint32_t c, uint32_t q, uint32_t need) {
    uint64_t with = partners(s->lists, x, c, q);
    uint16_t *rest = s->load[x->load].rest;
    while (need && with) {
        uint32_t best = (uint32_t)__builtin_ctzll(with);
        if (ksda_i_bits_set(with) > need)
            for (uint64_t bits = with & (with - 1); bits; bits &= bits - 1) {
                uint32_t i = (uint32_t)__builtin_ctzll(bits);
                if (rest[i] > rest[best]) best = i;
            }
        with &= ~(UINT64_C(1) << best);
        if (--rest[best] == 0) x->open &= ~(UINT64_C(1) << best);
        need--;
    }
    if (!need || q >= KSDA_I_NEAR) return;
    if (x->open >> q & 1) need += rest[q]; /* it was lifted, and goes on */
    ksda_i_search_load(s, x)->rest[q] = need < UINT16_MAX ? (uint16_t)need : UINT16_MAX;
    x->open |= UINT64_C(1) << q;
}

/* What community c pays more when its member q is raised by need: one edge for each need that finds no open partner. A
 * paired one was paid for above; the small share breaks ties. */
static double raise_cost(const ksda_i_search *s, const ksda_i_cell *x, uint32_t c, uint32_t q, uint32_t need) {
    uint32_t paired = ksda_i_bits_set(partners(s->lists, x, c, q));
    double more = need - s->options->pairing * (paired < need ? paired : need) + need * 0x1p-10;
    return s->options->price ? s->options->price[c] * more : more;
}

/* --- members ------------------------------------------------------------------------------------------------------ */

/* Is the degree of the member at that list position one that it is still to be raised to? */
static bool is_lifted(const ksda_i_search *s, uint32_t at) {
    return s->options->lifted && s->options->lifted[at];
}

/* Place members from .. end-1 of one degree at level t, or split them; false when one can do neither. */
static bool place_run(ksda_i_search *s, const ksda_i_rank_run *run, uint32_t degree, uint32_t t) {
    uint32_t c = run->community, first = s->lists->start[c];
    ksda_i_cell *x = &s->work[c];
    uint32_t from = x->next > run->begin ? x->next : run->begin;
    if (from >= run->end) return true;
    ksda_i_search_touch(s, c);
    x->next = run->end;
    if (degree == t) {
        if ((s->present[c] == s->stamp || run->end - from > 1) && !is_lifted(s, first + run->end - 1))
            x->spare = first + run->end;
        ksda_i_search_arrive(s, c);
        return true;
    }
    for (uint32_t q = from; q < run->end && s->cost <= s->limit; q++) {
        uint32_t need = t == KSDA_I_NO_LEVEL ? UINT32_MAX : t - degree;
        double cost = need <= s->options->slack[first + q] ? raise_cost(s, x, c, q, need) : INFINITY;
        if (degree >= 2 && s->options->split_weight < cost && !is_lifted(s, first + q)) {
            if (!ksda_i_items_split(s, c, first + q)) return false;
        } else if (cost < INFINITY) {
            add_need(s, x, c, q, need);
            s->cost += cost;
            ksda_i_search_arrive(s, c);
        } else {
            return false;
        }
    }
    return true;
}

static bool place_group(ksda_i_search *s, uint32_t l, uint32_t t) {
    const ksda_i_ranks *lists = s->lists;
    for (uint64_t r = lists->group[l]; r < lists->group[l + 1]; r++)
        if (!place_run(s, &lists->run[r], lists->level[l], t)) return false;
    return s->cost <= s->limit;
}

/* Will k communities have unplaced members of degree level[l], also after those missing at the level above were pulled
 * up? */
static bool fills_itself(const ksda_i_search *s, uint32_t l, uint32_t missing) {
    const ksda_i_ranks *lists = s->lists;
    uint32_t count = 0;
    for (uint64_t r = lists->group[l]; r < lists->group[l + 1]; r++)
        count += s->work[lists->run[r].community].next < lists->run[r].end;
    return count >= s->options->k + missing;
}

/* --- completing a level ------------------------------------------------------------------------------------------- */

static int by_candidate(const void *a, const void *b) {
    const ksda_i_candidate *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

/* The cheapest way to bring c to level t. */
static ksda_i_candidate best_way(const ksda_i_search *s, const ksda_i_plan_state *from, uint32_t c, uint32_t t) {
    const ksda_i_ranks *l = s->lists;
    const ksda_i_cell *x = &s->work[c];
    uint64_t at = (uint64_t)l->start[c] + x->next;
    ksda_i_candidate best = {INFINITY, c, 0, KSDA_I_PULL_UP};
    if (at < l->start[c + 1] && t - l->degree[at] <= s->options->slack[at])
        best.cost = raise_cost(s, x, c, x->next, t - l->degree[at]);
    for (uint32_t i = 0; i < x->items; i++) {
        double cost = ksda_i_items_cost(s, from, c, &s->load[x->load].item[i], t);
        if (cost < best.cost) best = (ksda_i_candidate){cost, c, i, KSDA_I_STAND};
    }
    if (x->spare && x->items < KSDA_I_ITEMS && s->options->split_weight < best.cost) {
        ksda_i_item divided = {x->spare - 1, l->degree[x->spare - 1], 2};
        double cost = s->options->split_weight + ksda_i_items_cost(s, from, c, &divided, t);
        if (cost < best.cost && divided.rest >= 2) best = (ksda_i_candidate){cost, c, 0, KSDA_I_DIVIDE};
    }
    return best;
}

/* Who else could be brought to level t, cheapest first. */
static uint32_t candidates(ksda_i_search *s, const ksda_i_plan_state *from, uint32_t t) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < s->lists->communities; c++) {
        if (s->present[c] == s->stamp) continue;
        ksda_i_candidate best = best_way(s, from, c, t);
        if (best.cost < INFINITY) s->candidate[count++] = best;
    }
    ksda_i_sort_by(s->candidate, count, sizeof *s->candidate, by_candidate);
    return count;
}

static bool bring_in_community(ksda_i_search *s, const ksda_i_plan_state *from, const ksda_i_candidate *who,
                               uint32_t t) {
    uint32_t c = who->community, which = who->which;
    ksda_i_cell *x = &s->work[c];
    double cost = s->cost + who->cost;
    ksda_i_search_edit(s, c);
    if (who->way == KSDA_I_PULL_UP) {
        ksda_i_search_touch(s, c);
        add_need(s, x, c, x->next, t - s->lists->degree[s->lists->start[c] + x->next]);
        x->next++;
    } else {
        if (who->way == KSDA_I_DIVIDE) {
            uint32_t spare = x->spare - 1;
            which = x->items;
            x->spare = 0;
            if (!ksda_i_items_split(s, c, spare)) return false;
        }
        if (!ksda_i_items_place(s, from, c, which, t)) return false;
    }
    s->cost = cost;
    return true;
}

/* What a step may change, to try several ways of it. */
typedef struct mark {
    double cost;
    uint32_t touches, top, placed, loose, saves;
    uint64_t splits, placings, loads, keeps;
} mark;

/* From here on what cells were is kept. */
static mark begin_trial(ksda_i_search *s) {
    s->trial = ++s->trials;
    return (mark){s->cost,  s->touches, s->top,      s->placed, s->loose,
                  s->saves, s->splits,  s->placings, s->loads,  s->keeps};
}

static void back_to(ksda_i_search *s, const mark *m) {
    ksda_i_search_restore(s, m->saves, m->keeps);
    for (uint32_t i = m->touches; i < s->touches; i++) s->seen[s->touched[i]] = 0;
    for (uint32_t i = m->placed; i < s->placed; i++) s->present[s->arrived[i]] = 0;
    s->cost = m->cost, s->touches = m->touches, s->top = m->top, s->placed = m->placed;
    s->splits = m->splits, s->placings = m->placings, s->loose = m->loose, s->loads = m->loads;
    s->trial = 0;
}

/* The candidate that comes in as number i of those needed: way 0 takes the cheapest, way w leaves one of the dearest
 * taken out for one of the next. NULL: there is no such way. */
static const ksda_i_candidate *chosen(const ksda_i_search *s, uint32_t way, uint32_t need, uint32_t count, uint32_t i) {
    uint32_t swap = way ? way - 1 : 0, out = need - 1 - swap % 4, in = need + swap / 4;
    if (way && (swap % 4 >= need || in >= count)) return NULL;
    return &s->candidate[way && i == out ? in : i];
}

/* Will a state of this cost, when those needed have come in, not be kept in column j? */
static bool too_dear(const ksda_i_search *s, uint32_t j, double cost, uint32_t way, uint32_t need, uint32_t count) {
    for (uint32_t i = 0; i < need; i++) cost += chosen(s, way, need, count, i)->cost;
    return !ksda_i_states_wanted(s, j, cost);
}

/* One way of completing level t; everybody on the way is settled. */
static ksda_status try_way(ksda_i_search *s, ksda_i_plan_state *from, uint32_t j, uint32_t t, uint32_t below,
                           uint32_t way, uint32_t need, uint32_t count) {
    ksda_status status = KSDA_OK;
    bool fits = true;
    if (too_dear(s, j, s->cost, way, need, count)) return KSDA_OK; /* what comes after only costs more */
    mark m = begin_trial(s);
    for (uint32_t i = 0; i < need && fits; i++) fits = bring_in_community(s, from, chosen(s, way, need, count, i), t);
    if (!s->top) s->top = t;
    if (fits && ksda_i_items_settle(s, from, t, below, true)) status = ksda_i_states_push(s, from, j, t);
    back_to(s, &m);
    return status;
}

/* Everybody down to degree index j is placed at t; bring in who is missing, in several ways, and push. */
static ksda_status complete(ksda_i_search *s, ksda_i_plan_state *from, uint32_t j, uint32_t t) {
    uint32_t k = s->options->k, below = j < s->lists->levels ? s->lists->level[j] : 0;
    ksda_status status = KSDA_OK;
    if (!ksda_i_states_wanted(s, j, s->cost)) return KSDA_OK;
    s->saves = 0, s->keeps = 0;
    mark m = begin_trial(s);
    if (ksda_i_items_settle(s, from, t, below, false) && ksda_i_states_wanted(s, j, s->cost)) {
        uint32_t need = s->placed < k ? k - s->placed : 0, count = need ? candidates(s, from, t) : 0;
        uint32_t ways = need && count > need ? s->options->variants : 1;
        for (uint32_t way = 0; way < ways && count >= need && status >= 0; way++)
            if (!way || chosen(s, way, need, count, 0)) status = try_way(s, from, j, t, below, way, need, count);
    }
    back_to(s, &m);
    return status;
}

/* Pass degree index i without opening a level, and those below that nobody has or wants. */
static ksda_status pass_degree(ksda_i_search *s, ksda_i_plan_state *from, uint32_t i) {
    const ksda_i_ranks *l = s->lists;
    do i++;
    while (i < l->levels && l->group[i] == l->group[i + 1] && !ksda_i_items_wanted(s, l->level[i]));
    if (!ksda_i_items_settle(s, from, KSDA_I_NO_LEVEL, i < l->levels ? l->level[i] : 0, false)) return KSDA_OK;
    return ksda_i_states_push(s, from, i, KSDA_I_NO_LEVEL);
}

/* All ways from one state at degree index i. */
static ksda_status expand(ksda_i_search *s, ksda_i_plan_state *from, uint32_t i) {
    const ksda_i_ranks *l = s->lists;
    ksda_status status = KSDA_OK;
    uint32_t t = l->level[i];
    bool any_placed = false;
    ksda_i_search_start(s, from);
    for (uint32_t j = i, span = s->options->span; j < l->levels && span; j++) {
        if (j > i && l->group[j] == l->group[j + 1]) continue; /* the next state passes it */
        span--;
        if (j > i && fills_itself(s, j, s->placed < s->options->k ? s->options->k - s->placed : 0)) break;
        if (!place_group(s, j, t)) break;
        if (j == i) any_placed = s->placed > 0;
        if (!any_placed && !(t > 0 && ksda_i_items_wanted(s, t))) break;
        KSDA_I_TRY(complete(s, from, j + 1, t));
    }
    ksda_i_search_start(s, from);
    if (!any_placed) return pass_degree(s, from, i);
    if (t >= 2 && s->options->split_weight < INFINITY && !fills_itself(s, i, 0) && place_group(s, i, KSDA_I_NO_LEVEL))
        status = pass_degree(s, from, i);
done:
    return status;
}

static void find_safe(ksda_i_search *s) {
    const ksda_i_ranks *l = s->lists;
    for (uint32_t i = 0; i < l->levels; i++) {
        uint32_t several = 0;
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) several += l->run[r].end - l->run[r].begin >= 2;
        s->safe[l->level[i]] = several >= s->options->k + 2;
    }
}

/* Those who are to be raised to where they stand in the lists have needs from the start. */
static void add_lifts(ksda_i_search *s) {
    const ksda_i_ranks *l = s->lists;
    for (uint32_t c = 0; s->options->lifted && c < l->communities; c++)
        for (uint32_t at = l->start[c]; at < l->start[c + 1]; at++) {
            if (!s->options->lifted[at]) continue;
            s->cost += raise_cost(s, &s->work[c], c, at - l->start[c], s->options->lifted[at]);
            add_need(s, &s->work[c], c, at - l->start[c], s->options->lifted[at]);
        }
}

static ksda_status run_search(ksda_i_search *s) {
    const ksda_i_ranks *l = s->lists;
    ksda_status status = KSDA_OK;
    memset(s->work, 0, l->communities * sizeof *s->work);
    s->touches = 0, s->splits = 0, s->placings = 0, s->cost = 0, s->top = 0, s->loose = 0;
    add_lifts(s);
    KSDA_I_TRY(ksda_i_states_push(s, NULL, 0, KSDA_I_NO_LEVEL));
    for (uint32_t i = 0; i < l->levels; i++) {
        ksda_i_column *col = &s->column[i];
        ksda_i_states_trim(s, col);
        KSDA_I_TRY(ksda_i_progress_stage(s->ctx, i, l->levels));
        if (isfinite(s->limit) && ksda_i_time_left(s->ctx) <= 0) break; /* a plan is known: it will do */
        for (uint64_t x = 0; x < col->count; x++) {
            KSDA_I_TRY(expand(s, col->item[x], i));
            KSDA_I_TRY(s->status);
            ksda_i_free(s->ctx, col->item[x]->cell);
            ksda_i_free(s->ctx, col->item[x]->packed);
            col->item[x]->cell = NULL, col->item[x]->packed = NULL;
        }
    }
done:
    return status;
}

static void search_clear(ksda_i_search *s) {
    for (uint64_t i = 0; s->column && i <= s->lists->levels; i++) {
        for (uint64_t j = 0; j < s->column[i].count; j++) ksda_i_state_free(s->ctx, s->column[i].item[j]);
        ksda_i_free(s->ctx, s->column[i].item);
    }
    ksda_i_free(s->ctx, s->column);
    ksda_i_free(s->ctx, s->work);
    ksda_i_free(s->ctx, s->touched);
    ksda_i_free(s->ctx, s->seen);
    ksda_i_free(s->ctx, s->present);
    ksda_i_free(s->ctx, s->arrived);
    ksda_i_free(s->ctx, s->safe);
    ksda_i_free(s->ctx, s->saved);
    ksda_i_free(s->ctx, s->load);
    ksda_i_free(s->ctx, s->kept);
    ksda_i_free(s->ctx, s->saved_in);
    ksda_i_free(s->ctx, s->split);
    ksda_i_free(s->ctx, s->placing);
    ksda_i_free(s->ctx, s->candidate);
}

static ksda_status plan_once(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_i_plan_options *options, double limit,
                             ksda_i_plan *out, bool *found) {
    ksda_status status = KSDA_NOMEM;
    uint32_t m = lists->communities;
    ksda_i_search s = {.ctx = ctx, .lists = lists, .options = options, .limit = limit};
    s.column = ksda_i_calloc(ctx, (uint64_t)lists->levels + 1, sizeof *s.column);
    s.work = ksda_i_malloc(ctx, m, sizeof *s.work);
    s.touched = ksda_i_malloc(ctx, m, sizeof *s.touched);
    s.seen = ksda_i_calloc(ctx, m, sizeof *s.seen);
    s.present = ksda_i_calloc(ctx, m, sizeof *s.present);
    s.saved = ksda_i_malloc(ctx, 2 * (uint64_t)m, sizeof *s.saved);
    s.saved_in = ksda_i_calloc(ctx, m, sizeof *s.saved_in);
    s.safe = ksda_i_calloc(ctx, (uint64_t)lists->level[0] + 3, sizeof *s.safe);
    s.arrived = ksda_i_malloc(ctx, m, sizeof *s.arrived);
    s.candidate = ksda_i_malloc(ctx, m, sizeof *s.candidate);
    *found = false;
    if (!s.column || !s.work || !s.touched || !s.seen || !s.present || !s.arrived || !s.safe || !s.saved ||
        !s.saved_in || !s.candidate)
        goto done;
    KSDA_I_TRY(ksda_i_reserve(ctx, &s.load, &s.load_capacity, 1, sizeof *s.load));
    s.loads = 1;
    find_safe(&s);
    KSDA_I_TRY(run_search(&s));
    ksda_i_column *last = &s.column[lists->levels];
    if (last->count > 1) ksda_i_sort_by(last->item, last->count, sizeof *last->item, ksda_i_states_by_cost);
    for (uint64_t i = 0; i < last->count && !*found; i++) {
        if (!last->item[i]->top && lists->level[0] > 0) continue; /* everybody split, and nowhere to go */
        KSDA_I_TRY(ksda_i_states_read(ctx, lists, last->item[i], out));
        *found = true;
    }
done:
    ksda_i_work(ctx, s.trials * (TRIAL_UNITS + (uint64_t)COMMUNITY_UNITS * m) + LOOK_UNITS * s.looks);
    search_clear(&s);
    return status;
}

/* Many communities make states large: then a level may collect fewer degrees, so that fewer of them wait. */
static uint32_t affordable_span(const ksda_i_ranks *lists, const ksda_i_plan_options *o) {
    uint64_t column = ksda_i_states_most(lists, o) * lists->communities * sizeof(ksda_i_cell);
    uint64_t most = WAITING_BYTES / (column + 1);
    return most < 2 ? 2 : most < o->span ? (uint32_t)most : o->span;
}

ksda_status ksda_i_plan_make(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_i_plan_options *options,
                             ksda_i_plan *out, bool *found) {
    ksda_i_plan_options narrow = *options, wide = *options;
    ksda_i_plan first = {0};
    *out = first;
    narrow.width = 1, narrow.variants = 1;
    narrow.span = affordable_span(lists, &narrow), wide.span = affordable_span(lists, &wide);
    double below = options->below > 0 ? options->below : INFINITY;
    ksda_status status = plan_once(ctx, lists, &narrow, below, &first, found);
    if (status < 0 || options->width <= 1) {
        *out = first;
        return status;
    }
    /* the narrow plan bounds the wide search from above */
    bool better = false;
    status = plan_once(ctx, lists, &wide, *found ? first.estimate : below, out, &better);
    if (status >= 0 && !better && *found) {
        *out = first;
        return KSDA_OK;
    }
    ksda_i_plan_clear(ctx, &first);
    *found = better;
    return status;
}
