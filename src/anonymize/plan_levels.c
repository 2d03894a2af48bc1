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
#define ITEMS 24u      /* split vertices of one community that are on their way at the same time */
#define STAND_IN 0.125 /* so much dearer is a piece than a vertex that stands there anyway: its rest must go somewhere too */

/* A split vertex on its way down: `rest` of its degree is not yet on a piece, `pieces` pieces are paid for and not placed. */
typedef struct item {
    uint32_t member; /* list position of the vertex */
    uint32_t rest : 22, pieces : 10;
} item;

typedef struct cell {
    uint64_t open;              /* which of the first KSDA_I_NEAR members have needs that found no partner yet */
    uint32_t next;              /* the list is consumed up to here */
    uint32_t spare;             /* list position + 1 of a placed member that its community does not need there; 0 for none */
    uint32_t items;
    item item[ITEMS];
    uint16_t rest[KSDA_I_NEAR]; /* the needs without a partner */
} cell;

typedef struct state {
    double cost;
    uint64_t hash;
    struct state *parent;
    uint32_t level;   /* opened by the step to this state, or NO_LEVEL */
    uint32_t top;     /* the highest level opened so far; 0 for none */
    uint32_t loose;   /* items in all cells */
    uint32_t changes, placings, splits;
    uint32_t *log;    /* (community, next) of every change; (member, level) of every piece; member of every split */
    cell *cell;       /* [communities]; NULL once expanded */
} state;

typedef struct column {
    state **item;
    uint64_t count, capacity;
    double bar; /* states as dear as this would be dropped again; 0 for none yet */
} column;

/* A cell as it was before the step being tried. */
typedef struct saved_cell {
    uint32_t community;
    cell cell;
} saved_cell;

/* How a community can be brought to a level. */
typedef enum way_in {
    PULL_UP,   /* its next member */
    STAND,     /* a piece of its item number `which` */
    DIVIDE     /* its spare member, split for the purpose */
} way_in;

typedef struct candidate {
    double cost;
    uint32_t community, which;
    way_in way;
} candidate;

typedef struct search {
    ksda_ctx *ctx;
    const ksda_i_ranks *lists;
    const ksda_i_plan_options *options;
    double limit;         /* states dearer than this are dropped */
    column *column;       /* [levels + 1] */
    cell *work;           /* [communities] the state being extended */
    double cost;          /* of work */
    uint32_t loose;       /* items in work */
    saved_cell *saved;    /* [saves] to go back to where a step began */
    uint32_t saves, trial, trials;
    uint32_t *saved_in;   /* [communities] the trial in which the cell was saved */
    uint32_t *touched;    /* communities whose list was consumed further, each once */
    uint32_t touches;
    uint32_t *seen;       /* [communities] stamp: touched; present at the level */
    uint32_t *present;
    uint32_t stamp, placed;
    bool *safe;           /* [levels] filled whatever happens above: most of k + 2 communities have several there */
    uint32_t *arrived;    /* [placed] who is present, in order */
    ksda_status status;   /* KSDA_NOMEM once a step failed for want of memory */
    uint32_t *split;      /* list positions split in this step */
    uint64_t splits, split_capacity;
    uint32_t *placing;    /* (member, level) of the pieces placed in this step */
    uint64_t placings, placing_capacity;
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
    if (col->count > 1) qsort(col->item, col->count, sizeof *col->item, by_cost);
    while (col->count > s->options->width) state_free(s->ctx, col->item[--col->count]);
    if (col->count == s->options->width) col->bar = col->item[col->count - 1]->cost;
}

static uint64_t hash_of(const cell *x, uint32_t communities, uint32_t top) {
    uint64_t h = ksda_i_mix(top);
    for (uint32_t c = 0; c < communities; c++) {
        uint64_t one = ksda_i_mix(((uint64_t)c << 32) ^ x[c].next);
        for (uint32_t i = 0; i < x[c].items; i++) one += ksda_i_mix(((uint64_t)x[c].item[i].rest << 32) ^ x[c].item[i].pieces);
        h += ksda_i_mix(one);
    }
    return h;
}

/* Where a state with that hash stands in the column, or its end. */
static uint64_t find(const column *col, uint64_t hash) {
    uint64_t i = 0;
    while (i < col->count && col->item[i]->hash != hash) i++;
    return i;
}

static ksda_status log_of(search *s, state *x) {
    uint64_t size = 2 * (uint64_t)s->touches + 2 * s->placings + s->splits;
    x->log = ksda_i_malloc(s->ctx, size, sizeof *x->log);
    if (!x->log) return KSDA_NOMEM;
    uint32_t *out = x->log;
    for (uint32_t i = 0; i < s->touches; i++) *out++ = s->touched[i], *out++ = s->work[s->touched[i]].next;
    if (s->placings) memcpy(out, s->placing, 2 * s->placings * sizeof *out);
    if (s->splits) memcpy(out + 2 * s->placings, s->split, s->splits * sizeof *out);
    x->changes = s->touches, x->placings = (uint32_t)s->placings, x->splits = (uint32_t)s->splits;
    return KSDA_OK;
}

/* Put the state in s->work into column j, unless a cheaper one with the same future is there. */
static ksda_status push(search *s, state *parent, uint32_t j, uint32_t level) {
    column *col = &s->column[j];
    uint32_t m = s->lists->communities;
    if (s->cost > s->limit || (col->bar > 0 && s->cost >= col->bar)) return KSDA_OK;
    uint64_t hash = hash_of(s->work, m, s->top > 0), at = find(col, hash);
    if (at < col->count && col->item[at]->cost <= s->cost) return KSDA_OK;
    ksda_status status = ksda_i_reserve(s->ctx, &col->item, &col->capacity, col->count + 1, sizeof *col->item);
    if (status < 0) return status;
    state *x = ksda_i_calloc(s->ctx, 1, sizeof *x);
    if (!x) return KSDA_NOMEM;
    x->cell = ksda_i_malloc(s->ctx, m, sizeof *x->cell);
    if (!x->cell || log_of(s, x) < 0) {
        state_free(s->ctx, x);
        return KSDA_NOMEM;
    }
    memcpy(x->cell, s->work, m * sizeof *x->cell);
    x->cost = s->cost, x->hash = hash, x->parent = parent, x->level = level, x->top = s->top, x->loose = s->loose;
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
    s->loose = x->loose;
    s->trial = 0;
    s->touches = 0, s->splits = 0, s->placings = 0, s->placed = 0;
    s->stamp++;
}

static void touch(search *s, uint32_t c) {
    if (s->seen[c] == s->stamp) return;
    s->seen[c] = s->stamp;
    s->touched[s->touches++] = c;
}

/* The cell of c, to be changed: while a step is being tried its old content is kept. */
static cell *edit(search *s, uint32_t c) {
    if (s->trial && s->saved_in[c] != s->trial) {
        s->saved_in[c] = s->trial;
        s->saved[s->saves++] = (saved_cell){c, s->work[c]};
    }
    return &s->work[c];
}

static void be_present(search *s, uint32_t c) {
    if (s->present[c] == s->stamp) return;
    s->present[c] = s->stamp;
    s->arrived[s->placed++] = c;
}

/* --- split vertices on their way ------------------------------------------------------------------------------------- */

/* Split the member at that list position, for the price of one piece; false when too many are on their way. */
static bool split_member(search *s, uint32_t c, uint32_t member) {
    cell *x = edit(s, c);
    if (x->items == ITEMS) return false;
    s->status = ksda_i_reserve(s->ctx, &s->split, &s->split_capacity, s->splits + 1, sizeof *s->split);
    if (s->status < 0) return false;
    s->split[s->splits++] = member;
    s->cost += s->options->split_weight;
    x->item[x->items++] = (item){member, s->lists->degree[member], 2};
    s->loose++;
    return true;
}

static bool note_piece(search *s, uint32_t member, uint32_t level) {
    s->status = ksda_i_reserve(s->ctx, &s->placing, &s->placing_capacity, 2 * s->placings + 2, sizeof *s->placing);
    if (s->status < 0) return false;
    s->placing[2 * s->placings] = member, s->placing[2 * s->placings + 1] = level;
    s->placings++;
    return true;
}

/* Edges to be added to a last piece that carries rest edges and stands at level: a link to its sibling is worth two ends. */
static uint32_t last_needs(uint32_t rest, uint32_t level) {
    return level - rest >= 2 ? level - rest - 2 : level - rest;
}

/* The smallest level >= degree that is open at or above t; 0 if there is none. */
static uint32_t level_above(const state *from, uint32_t t, uint32_t degree) {
    uint32_t above = t;
    for (; from && above < degree; from = from->parent)
        if (from->level != NO_LEVEL) above = from->level;
    return above >= degree ? above : 0;
}

/* What the needs of a last piece cost in community c. */
static double needs_cost(const search *s, uint32_t c, uint32_t rest, uint32_t level) {
    uint32_t needs = last_needs(rest, level);
    return needs && s->options->strict[c] ? INFINITY : needs;
}

/* What it costs to place one piece of an item of c at level t; INFINITY when it cannot be. */
static double piece_cost(const search *s, const state *from, uint32_t c, const item *x, uint32_t t) {
    if (t == 0) return INFINITY;
    if (x->pieces == 1) return x->rest <= t ? needs_cost(s, c, x->rest, t) : INFINITY;
    if (x->rest <= t) return INFINITY;
    uint32_t rest = x->rest - t, above;
    if (rest <= (x->pieces - 1) * t) return STAND_IN;
    if (x->pieces > 2) return s->options->split_weight;
    above = level_above(from, t, rest);
    return above && needs_cost(s, c, rest, above) < INFINITY ? STAND_IN + needs_cost(s, c, rest, above) : s->options->split_weight;
}

static uint32_t level_index(const ksda_i_ranks *l, uint32_t degree) {
    uint32_t low = 0, high = l->levels; /* descending */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->level[middle] > degree) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* A last piece whose level is safe need not be carried along. */
static bool place_safe(search *s, uint32_t c, uint32_t i) {
    cell *x = edit(s, c);
    item it = x->item[i];
    for (uint32_t level = it.rest + 2; it.pieces == 1 && level + 2 >= it.rest && level >= it.rest; level -= 2) {
        uint32_t at = level_index(s->lists, level);
        if (at < s->lists->levels && s->lists->level[at] == level && s->safe[at]) {
            x->item[i] = x->item[--x->items];
            s->loose--;
            return note_piece(s, it.member, level);
        }
        if (level < 2) break;
    }
    return true;
}

/* Place one piece of item i of c at level t; piece_cost() was finite and is paid by the caller. */
static bool place_piece(search *s, const state *from, uint32_t c, uint32_t i, uint32_t t) {
    cell *x = edit(s, c);
    item *it = &x->item[i];
    if (!note_piece(s, it->member, t)) return false;
    if (it->pieces == 1) {
        *it = x->item[--x->items];
        s->loose--;
        return true;
    }
    it->rest -= t, it->pieces--;
    if (it->rest <= it->pieces * t) return place_safe(s, c, i);
    uint32_t above = it->pieces == 1 ? level_above(from, t, it->rest) : 0;
    if (!above || needs_cost(s, c, it->rest, above) == INFINITY) {
        it->pieces++;
        return true;
    }
    if (!note_piece(s, it->member, above)) return false;
    *it = x->item[--x->items];
    s->loose--;
    return true;
}

/* Nothing below t will be taller than below: what could then not be placed any more is placed at t now, or gets one more
 * piece where no level is open at t (t is NO_LEVEL). */
static bool settle_items(search *s, const state *from, uint32_t t, uint32_t below) {
    for (uint32_t c = 0; s->loose && c < s->lists->communities; c++) {
        cell *x = &s->work[c];
        for (uint32_t i = 0; i < x->items;) {
            item *it = &x->item[i];
            if (it->rest <= (uint64_t)it->pieces * below) {
                i++;
                continue;
            }
            double cost = t == NO_LEVEL ? INFINITY : piece_cost(s, from, c, it, t);
            bool last_chance = below == 0 || it->pieces >= it->rest;
            if (cost <= s->options->split_weight || (last_chance && cost < INFINITY)) {
                uint32_t before = x->items;
                s->cost += cost;
                if (!place_piece(s, from, c, i, t)) return false;
                be_present(s, c);
                if (x->items == before && it->rest > (uint64_t)it->pieces * below) continue;
            } else {
                if (last_chance) return false;
                edit(s, c);
                it->pieces++;
                s->cost += s->options->split_weight;
                if (s->cost > s->limit) return false;
            }
        }
    }
    return true;
}

/* --- members --------------------------------------------------------------------------------------------------------- */

/* Place members from .. end-1 of one degree at level t, or split them; false when one can do neither. */
static bool place_run(search *s, const ksda_i_rank_run *run, uint32_t degree, uint32_t t) {
    uint32_t c = run->community, first = s->lists->start[c];
    cell *x = &s->work[c];
    uint32_t from = x->next > run->begin ? x->next : run->begin;
    if (from >= run->end) return true;
    touch(s, c);
    x->next = run->end;
    if (degree == t) {
        if (s->present[c] == s->stamp || run->end - from > 1) x->spare = first + run->end;
        be_present(s, c);
        return true;
    }
    for (uint32_t q = from; q < run->end && s->cost <= s->limit; q++) {
        uint32_t need = t == NO_LEVEL ? UINT32_MAX : t - degree;
        double cost = need <= s->options->room[first + q] ? raise_cost(s, x, c, q, need) : INFINITY;
        if (degree >= 2 && s->options->split_weight < cost) {
            if (!split_member(s, c, first + q)) return false;
        } else if (cost < INFINITY) {
            add_need(s->lists, x, c, q, need);
            s->cost += cost;
            be_present(s, c);
        } else {
            return false;
        }
    }
    return true;
}

static bool place_group(search *s, uint32_t l, uint32_t t) {
    const ksda_i_ranks *lists = s->lists;
    for (uint64_t r = lists->group[l]; r < lists->group[l + 1]; r++)
        if (!place_run(s, &lists->run[r], lists->level[l], t)) return false;
    return s->cost <= s->limit;
}

/* Will k communities have unplaced members of degree level[l], also after those missing at the level above were pulled up? */
static bool fills_itself(const search *s, uint32_t l, uint32_t missing) {
    const ksda_i_ranks *lists = s->lists;
    uint32_t count = 0;
    for (uint64_t r = lists->group[l]; r < lists->group[l + 1]; r++)
        count += s->work[lists->run[r].community].next < lists->run[r].end;
    return count >= s->options->k + missing;
}

/* --- completing a level ----------------------------------------------------------------------------------------------- */

static int by_candidate(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

/* The cheapest way to bring c to level t. */
static candidate best_way(const search *s, const state *from, uint32_t c, uint32_t t) {
    const ksda_i_ranks *l = s->lists;
    const cell *x = &s->work[c];
    uint64_t at = (uint64_t)l->start[c] + x->next;
    candidate best = {INFINITY, c, 0, PULL_UP};
    if (at < l->start[c + 1] && t - l->degree[at] <= s->options->room[at])
        best.cost = raise_cost(s, x, c, x->next, t - l->degree[at]);
    for (uint32_t i = 0; i < x->items; i++) {
        double cost = piece_cost(s, from, c, &x->item[i], t);
        if (cost < best.cost) best = (candidate){cost, c, i, STAND};
    }
    if (x->spare && x->items < ITEMS && s->options->split_weight < best.cost) {
        item divided = {x->spare - 1, l->degree[x->spare - 1], 2};
        double cost = s->options->split_weight + piece_cost(s, from, c, &divided, t);
        if (cost < best.cost && divided.rest >= 2) best = (candidate){cost, c, 0, DIVIDE};
    }
    return best;
}

/* Who else could be brought to level t, cheapest first. */
static uint32_t candidates(search *s, const state *from, uint32_t t) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < s->lists->communities; c++) {
        if (s->present[c] == s->stamp) continue;
        candidate best = best_way(s, from, c, t);
        if (best.cost < INFINITY) s->candidate[count++] = best;
    }
    qsort(s->candidate, count, sizeof *s->candidate, by_candidate);
    return count;
}

static bool bring(search *s, const state *from, const candidate *who, uint32_t t) {
    uint32_t c = who->community, which = who->which;
    cell *x = &s->work[c];
    double cost = s->cost + who->cost;
    edit(s, c);
    if (who->way == PULL_UP) {
        touch(s, c);
        add_need(s->lists, x, c, x->next, t - s->lists->degree[s->lists->start[c] + x->next]);
        x->next++;
    } else {
        if (who->way == DIVIDE) {
            uint32_t spare = x->spare - 1;
            which = x->items;
            x->spare = 0;
            if (!split_member(s, c, spare)) return false;
        }
        if (!place_piece(s, from, c, which, t)) return false;
    }
    s->cost = cost;
    return true;
}

/* What a step may change, to try several ways of it. */
typedef struct mark {
    double cost;
    uint32_t touches, top, placed, loose;
    uint64_t splits, placings;
} mark;

static void back_to(search *s, const mark *m) {
    for (uint32_t i = 0; i < s->saves; i++) s->work[s->saved[i].community] = s->saved[i].cell;
    for (uint32_t i = m->touches; i < s->touches; i++) s->seen[s->touched[i]] = 0;
    for (uint32_t i = m->placed; i < s->placed; i++) s->present[s->arrived[i]] = 0;
    s->cost = m->cost, s->touches = m->touches, s->top = m->top, s->placed = m->placed;
    s->splits = m->splits, s->placings = m->placings, s->loose = m->loose;
    s->trial = 0;
}

/* Everybody down to degree index j is placed at t; bring in who is missing, in several ways, and push. */
static ksda_status complete(search *s, state *from, uint32_t j, uint32_t t) {
    uint32_t k = s->options->k, below = j < s->lists->levels ? s->lists->level[j] : 0;
    mark m = {s->cost, s->touches, s->top, s->placed, s->loose, s->splits, s->placings};
    ksda_status status = KSDA_OK;
    uint32_t need = 0, count = 0, ways = 1;
    for (uint32_t way = 0; way < ways && status >= 0; way++) {
        s->trial = ++s->trials, s->saves = 0;
        bool fits = settle_items(s, from, t, below);
        if (way == 0) {
            need = fits && s->placed < k ? k - s->placed : 0;
            count = need ? candidates(s, from, t) : 0;
            if (!fits || count < need) {
                back_to(s, &m);
                break;
            }
            if (need && count > need) ways = s->options->variants;
        }
        /* way 0 takes the cheapest; way w leaves one of the dearest taken out for one of the next */
        uint32_t swap = way ? way - 1 : 0, out = need - 1 - swap % 4, in = need + swap / 4;
        bool skip = way && (swap % 4 >= need || in >= count);
        for (uint32_t i = 0; i < need && fits && !skip; i++)
            fits = bring(s, from, &s->candidate[way && i == out ? in : i], t);
        if (!s->top) s->top = t;
        if (fits && !skip && settle_items(s, from, t, below)) status = push(s, from, j, t);
        back_to(s, &m);
    }
    return status;
}

static bool wanted(const search *s, uint32_t t);

/* Pass degree index i without opening a level, and those below that nobody has or wants. */
static ksda_status pass(search *s, state *from, uint32_t i) {
    const ksda_i_ranks *l = s->lists;
    do i++;
    while (i < l->levels && l->group[i] == l->group[i + 1] && !wanted(s, l->level[i]));
    if (!settle_items(s, from, NO_LEVEL, i < l->levels ? l->level[i] : 0)) return KSDA_OK;
    return push(s, from, i, NO_LEVEL);
}

/* Is there a last piece that would stand at t, linked or not? */
static bool wanted(const search *s, uint32_t t) {
    for (uint32_t c = 0; s->loose && c < s->lists->communities; c++)
        for (uint32_t i = 0; i < s->work[c].items; i++) {
            const item *x = &s->work[c].item[i];
            if (x->pieces == 1 && (x->rest == t || x->rest + 2u == t)) return true;
        }
    return false;
}

/* All ways from one state at degree index i. */
static ksda_status expand(search *s, state *from, uint32_t i) {
    const ksda_i_ranks *l = s->lists;
    ksda_status status = KSDA_OK;
    uint32_t t = l->level[i];
    bool somebody = false;
    start_from(s, from);
    for (uint32_t j = i, span = s->options->span; j < l->levels && span; j++) {
        if (j > i && l->group[j] == l->group[j + 1]) continue; /* the next state passes it */
        span--;
        if (j > i && fills_itself(s, j, s->placed < s->options->k ? s->options->k - s->placed : 0)) break;
        if (!place_group(s, j, t)) break;
        if (j == i) somebody = s->placed > 0;
        if (!somebody && !(t > 0 && wanted(s, t))) break;
        KSDA_I_TRY(complete(s, from, j + 1, t));
    }
    start_from(s, from);
    if (!somebody) return pass(s, from, i);
    if (t >= 2 && s->options->split_weight < INFINITY && !fills_itself(s, i, 0) && place_group(s, i, NO_LEVEL))
        status = pass(s, from, i);
done:
    return status;
}

static void find_safe(search *s) {
    const ksda_i_ranks *l = s->lists;
    for (uint32_t i = 0; i < l->levels; i++) {
        uint32_t several = 0;
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) several += l->run[r].end - l->run[r].begin >= 2;
        s->safe[i] = several >= s->options->k + 2;
    }
}

static ksda_status run_search(search *s) {
    const ksda_i_ranks *l = s->lists;
    ksda_status status = KSDA_OK;
    memset(s->work, 0, l->communities * sizeof *s->work);
    s->touches = 0, s->splits = 0, s->placings = 0, s->cost = 0, s->top = 0, s->loose = 0;
    KSDA_I_TRY(push(s, NULL, 0, NO_LEVEL));
    for (uint32_t i = 0; i < l->levels; i++) {
        column *col = &s->column[i];
        trim(s, col);
        KSDA_I_TRY(ksda_i_progress(s->ctx, "planning", i, l->levels));
        if (isfinite(s->limit) && ksda_i_time_left(s->ctx) <= 0) break; /* a plan is known: it will do */
        for (uint64_t x = 0; x < col->count; x++) {
            KSDA_I_TRY(expand(s, col->item[x], i));
            KSDA_I_TRY(s->status);
            ksda_i_free(s->ctx, col->item[x]->cell);
            col->item[x]->cell = NULL;
        }
    }
done:
    return status;
}

/* --- reading the plan off the best path ----------------------------------------------------------------------------- */

static void count_path(const state *end, ksda_i_plan *plan) {
    for (const state *x = end; x; x = x->parent) {
        plan->levels += x->level != NO_LEVEL;
        plan->pieces += x->placings;
    }
}

/* Members begin .. next-1 of every changed list go to the level of the step, but for those it splits. */
static void read_step(const ksda_i_ranks *l, const state *x, uint32_t *consumed, ksda_i_plan *plan) {
    const uint32_t *log = x->log, *placing = x->log + 2 * (uint64_t)x->changes, *split = placing + 2 * (uint64_t)x->placings;
    for (uint32_t i = 0; i < x->changes; i++) {
        uint32_t c = log[2 * i], next = log[2 * i + 1];
        for (uint32_t q = consumed[c]; q < next; q++) plan->target[l->vertex[l->start[c] + q]] = x->level;
        consumed[c] = next;
    }
    for (uint32_t i = 0; i < x->splits; i++) plan->target[l->vertex[split[i]]] = KSDA_I_SPLIT;
    for (uint32_t i = 0; i < x->placings; i++)
        plan->piece[plan->pieces++] = (ksda_i_placing){l->vertex[placing[2 * i]], placing[2 * i + 1]};
    if (x->level != NO_LEVEL) plan->level[plan->levels++] = x->level;
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
    plan->piece = ksda_i_malloc(ctx, plan->pieces, sizeof *plan->piece);
    if (!path || !consumed || !plan->target || !plan->level || !plan->piece) goto done;
    uint64_t at = steps;
    for (const state *x = end; x; x = x->parent) path[--at] = x;
    plan->levels = plan->pieces = 0;
    for (uint64_t i = 0; i < steps; i++) read_step(l, path[i], consumed, plan);
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
    ksda_i_free(ctx, plan->piece);
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
    ksda_i_free(s->ctx, s->arrived);
    ksda_i_free(s->ctx, s->safe);
    ksda_i_free(s->ctx, s->saved);
    ksda_i_free(s->ctx, s->saved_in);
    ksda_i_free(s->ctx, s->split);
    ksda_i_free(s->ctx, s->placing);
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
    s.saved = ksda_i_malloc(ctx, m, sizeof *s.saved);
    s.saved_in = ksda_i_calloc(ctx, m, sizeof *s.saved_in);
    s.safe = ksda_i_malloc(ctx, lists->levels, sizeof *s.safe);
    s.arrived = ksda_i_malloc(ctx, m, sizeof *s.arrived);
    s.candidate = ksda_i_malloc(ctx, m, sizeof *s.candidate);
    *found = false;
    if (!s.column || !s.work || !s.touched || !s.seen || !s.present || !s.arrived || !s.safe || !s.saved || !s.saved_in || !s.candidate) goto done;
    find_safe(&s);
    KSDA_I_TRY(run_search(&s));
    column *last = &s.column[lists->levels];
    if (last->count > 1) qsort(last->item, last->count, sizeof *last->item, by_cost);
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
