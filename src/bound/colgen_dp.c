/* The cheapest plan of all communities together, at given prices: a dynamic program down the levels.
 *
 * A state says which members of every list have been placed; what they paid is all there is to know beside it. after[q]
 * holds the least price of every state once level q was opened and used. The next level opened finds the states of all
 * levels above it, each with what the anchor pays for the gap; then list after list enters the level with its members
 * that may come next, with another vertex, or not at all, while the lists that did are counted up to `need`. Inner
 * loops run over cells next to each other, without branches.
 *
 * Members that are split count as placed at no level: before the first level, after each, and between members that come
 * to the same level.
 *
 * Of every list only a range of states is looked at: everybody above the level must have been placed, and what has been
 * placed must not have cost more than a known plan does in all. States are numbered such that both cut off an end.
 *
 * Sums stop at FAR, which stands for what cannot be, and states dearer than DEAR may be dropped. Negative prices can
 * take off no more than the rebate afterwards: an answer below DEAR - rebate is exact, and where there is none, that
 * much is what every plan costs at least.
 *
 * Time O(levels * states * (levels + lists * need)), memory O(levels * states), of the states in range; the way back
 * does the levels it passes again. */
#include "bound/colgen.h"

#include "core/simd.h"

#define FAR KSDA_I_COLGEN_FAR
#define LANES 16u
#define DEAR KSDA_I_COLGEN_DEAR /* more than FAR can become by negative prices */
#define CELLS_A_UNIT 2          /* of work */

/* The states of one level that are in range: first[c] .. first[c] + size[c] - 1 of list c, the last list's next to each
 * other. */
typedef struct window {
    uint32_t *first, *size; /* [lists] */
    uint64_t *stride;       /* [lists] */
    uint64_t cells;
    int32_t *after; /* [cells] */
} window;

typedef struct table {
    ksda_ctx *ctx;
    const ksda_i_colgen_pricing_problem *x;
    window *window;   /* [levels + 1] the last one: at the end */
    uint64_t most;    /* cells of a window */
    uint32_t longest; /* states of a list */
    int32_t *stage;   /* [(lists + 1) * (need + 1) * most] the level in hand, before each list and after the last one */
    int32_t *entered; /* [most + 2 * LANES * states of a list] with the list in hand at the level */
    int32_t *gone;    /* [lists * states of the longest] what a state costs when all its members are split */
    uint32_t *number; /* space of the windows */
    uint64_t *long_number;
} table;

uint64_t ksda_i_colgen_cells(uint32_t levels, uint32_t lists, const ksda_i_colgen_list *list) {
    uint64_t cells = levels;
    for (uint32_t c = 0; c < lists; c++) {
        if (cells > UINT32_MAX) return UINT64_MAX;
        cells *= list[c].states;
    }
    return cells;
}

KSDA_I_INLINE int32_t smaller(int32_t x, int32_t y) {
    return x < y ? x : y;
}

static void fill_far(int32_t *to, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) to[i] = FAR;
}

/* --- windows ------------------------------------------------------------------------------------------------------ */

static int32_t split_price(const ksda_i_colgen_list *list, uint32_t member) {
    return list->split ? list->split[member] : FAR;
}

static int32_t piece_price(const ksda_i_colgen_list *list, uint32_t q) {
    return list->piece ? list->piece[q] : FAR;
}

/* The least that the members placed in each state of the list have paid at level q or higher. */
static void least_paid(const ksda_i_colgen_list *list, uint32_t levels, uint32_t q, int32_t *paid) {
    paid[0] = 0;
    for (uint32_t s = 1; s < list->states; s++) {
        const ksda_i_colgen_step *step = list->step + list->start[s];
        int32_t best = split_price(list, step->member);
        for (uint32_t r = 0; r <= q; r++) best = smaller(best, list->price[step->member * levels + r]);
        paid[s] = smaller(paid[step->from] + best, FAR);
    }
}

static void set_window(const table *t, uint32_t q, int32_t *paid) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    window *w = t->window + q;
    int64_t level = q < x->levels ? x->level[q] : x->floor;
    w->cells = 1;
    for (uint32_t c = x->lists; c-- > 0;) {
        const ksda_i_colgen_list *list = x->list + c;
        uint32_t first = 0, last = list->states - 1;
        while (first + 1 < list->states && list->left[first] > level) first++;
        if (q < x->levels) {
            least_paid(list, x->levels, q, paid);
            while (last > first && paid[last] > x->most) last--;
        }
        w->first[c] = first, w->size[c] = last - first + 1, w->stride[c] = w->cells;
        w->cells *= w->size[c];
    }
}

static ksda_status make_windows(table *t) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    uint32_t states = 1;
    for (uint32_t c = 0; c < x->lists; c++)
        if (x->list[c].states > states) states = x->list[c].states;
    t->longest = states;
    uint64_t all = (uint64_t)(x->levels + 1) * x->lists;
    t->window = ksda_i_calloc(t->ctx, (uint64_t)x->levels + 1, sizeof *t->window);
    t->number = ksda_i_malloc(t->ctx, 2 * all, sizeof *t->number);
    t->long_number = ksda_i_malloc(t->ctx, all, sizeof *t->long_number);
    int32_t *paid = ksda_i_malloc(t->ctx, states, sizeof *paid);
    ksda_status status = t->window && t->number && t->long_number && paid ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t q = 0; q <= x->levels && status == KSDA_OK; q++) {
        window *w = t->window + q;
        w->first = t->number + (uint64_t)q * x->lists, w->size = w->first + all,
        w->stride = t->long_number + (uint64_t)q * x->lists;
        set_window(t, q, paid);
        if (w->cells > t->most) t->most = w->cells;
        w->after = q < x->levels ? ksda_i_malloc(t->ctx, w->cells, sizeof *w->after) : NULL;
        if (q < x->levels && !w->after) status = KSDA_NOMEM;
    }
    ksda_i_free(t->ctx, paid);
    return status;
}

/* --- down --------------------------------------------------------------------------------------------------------- */

KSDA_I_INLINE void improve_body(uint64_t count, const int32_t *restrict from, int32_t plus, int32_t *restrict to) {
    for (uint64_t i = 0; i < count; i++) to[i] = smaller(to[i], from[i] + plus);
}
KSDA_I_KERNEL(improve, improve_body, (uint64_t count, const int32_t *restrict from, int32_t plus, int32_t *restrict to),
              (count, from, plus, to))

/* The states that both windows have, list by list: those of `from` become `plus` dearer. Windows sink: both ends of
 * `to` are later. */
static void carry_states(const table *t, uint32_t c, const window *from, const int32_t *source, const window *to,
                         int32_t *target, int32_t plus) {
    uint32_t first = to->first[c], end = from->first[c] + from->size[c], upto = to->first[c] + to->size[c];
    if (end > upto) end = upto;
    if (first >= end) return;
    source += (first - from->first[c]) * from->stride[c];
    if (c + 1 == t->x->lists) {
        improve(end - first, source, plus, target);
        return;
    }
    for (uint32_t s = first; s < end; s++, source += from->stride[c], target += to->stride[c])
        carry_states(t, c + 1, from, source, to, target, plus);
}

/* What it costs to come to level q, or to the end, from level s. */
static int32_t gap_price(const table *t, uint32_t s, uint32_t q) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    for (uint32_t r = s == x->levels ? 0 : s + 1; r < q; r++)
        if (x->open[r] == 1) return FAR;
    return x->anchor[s * (x->levels + 1) + q];
}

/* The states of list c and later ones in which nobody is placed: all members there are split, mostly none. */
static void begin_states(const table *t, uint32_t c, const window *w, int32_t paid, int32_t *cell) {
    const int32_t *gone = t->gone + (uint64_t)c * t->longest;
    if (c == t->x->lists) {
        *cell = smaller(*cell, paid);
        return;
    }
    for (uint32_t s = 0; s < w->size[c]; s++)
        if (gone[w->first[c] + s] < DEAR && paid + gone[w->first[c] + s] < DEAR)
            begin_states(t, c + 1, w, paid + gone[w->first[c] + s], cell + s * w->stride[c]);
}

/* Everybody above the level must have been placed; a window of one state may be left where nobody was. */
static bool in_time(const table *t, uint32_t q) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    for (uint32_t c = 0; c < x->lists; c++)
        if (x->list[c].left[t->window[q].first[c]] > (q < x->levels ? (int64_t)x->level[q] : x->floor)) return false;
    return true;
}

/* The states before level q, or at the end. */
static void gather(const table *t, uint32_t q, int32_t *cell) {
    const window *w = t->window + q;
    int32_t first = gap_price(t, t->x->levels, q);
    fill_far(cell, w->cells);
    if (!in_time(t, q)) return;
    if (first < DEAR) begin_states(t, 0, w, first, cell);
    for (uint32_t s = 0; s < q; s++) {
        int32_t plus = gap_price(t, s, q);
        if (plus < DEAR) carry_states(t, 0, t->window + s, t->window[s].after, w, cell, plus);
    }
}

/* Another vertex at the level. */
KSDA_I_INLINE void enter_other(uint64_t count, const int32_t *restrict from, int32_t supply, int32_t *restrict in) {
    for (uint64_t i = 0; i < count; i++) in[i] = smaller(from[i] + supply, FAR);
}
/* One more member at the level, the first of its list there or a later one, at `later`. */
KSDA_I_INLINE void enter_member(uint64_t count, const int32_t *restrict from, const int32_t *restrict before,
                                int32_t price, int32_t later, int32_t *restrict in) {
    for (uint64_t i = 0; i < count; i++) in[i] = smaller(in[i], smaller(from[i] + price, before[i] + later));
}
KSDA_I_INLINE void merge_cheaper(uint64_t count, const int32_t *restrict in, const int32_t *base, int32_t *to) {
    for (uint64_t i = 0; i < count; i++) to[i] = smaller(base[i], in[i]);
}

/* The states of list c at level q from those before it, `step` columns of the table at a time. */
KSDA_I_INLINE void enter_columns(const table *t, uint32_t c, uint32_t q, uint64_t step, const int32_t *from,
                                 int32_t *in) {
    const ksda_i_colgen_list *list = t->x->list + c;
    const window *w = t->window + q;
    uint32_t first = w->first[c];
    for (uint32_t s = 0; s < w->size[c]; s++) {
        int32_t *here = in + s * step;
        enter_other(step, from + s * step,
                    smaller(list->others[first + s] ? list->supply[q] : FAR, piece_price(list, q)), here);
        for (uint32_t e = list->start[first + s]; e < list->start[first + s + 1]; e++) {
            if (list->step[e].from < first) continue;
            uint64_t before = (list->step[e].from - first) * step;
            int32_t price = list->price[list->step[e].member * t->x->levels + q];
            int32_t later = smaller(price, split_price(list, list->step[e].member));
            if (later < DEAR) enter_member(step, from + before, in + before, price, later, here);
        }
    }
}

/* The last list, whose states are next to each other: LANES columns are turned so that theirs are. */
KSDA_I_INLINE void enter_last(const table *t, uint32_t c, uint32_t q, const int32_t *from, const int32_t *base,
                              int32_t *to) {
    uint32_t size = t->window[q].size[c];
    int32_t *turned = t->entered, *in = turned + (uint64_t)LANES * size;
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t s = 0; s < size; s++) turned[s * LANES + lane] = from[(uint64_t)lane * size + s];
    enter_columns(t, c, q, LANES, turned, in);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t s = 0; s < size; s++) {
            uint64_t at = (uint64_t)lane * size + s;
            to[at] = smaller(base[at], in[s * LANES + lane]);
        }
}

/* List c comes to level q; to becomes the smaller one of that and base. */
KSDA_I_INLINE void enter_body(const table *t, uint32_t c, uint32_t q, const int32_t *from, const int32_t *base,
                              int32_t *to) {
    const window *w = t->window + q;
    uint64_t step = w->stride[c], block = step * w->size[c], start = 0;
    if (step == 1)
        for (; start + LANES * block <= w->cells; start += LANES * block)
            enter_last(t, c, q, from + start, base + start, to + start);
    for (; start < w->cells; start += block) {
        enter_columns(t, c, q, step, from + start, t->entered);
        merge_cheaper(block, t->entered, base + start, to + start);
    }
}
KSDA_I_KERNEL(enter, enter_body,
              (const table *t, uint32_t c, uint32_t q, const int32_t *from, const int32_t *base, int32_t *to),
              (t, c, q, from, base, to))

/* Level q is opened: stage 0 holds the states before it; returns those after it, in which enough lists are there. */
static const int32_t *open_level(const table *t, uint32_t q) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    uint64_t cells = t->window[q].cells, part = (x->need + 1) * cells;
    fill_far(t->stage + cells, part - cells);
    for (uint32_t c = 0; c < x->lists; c++) {
        const int32_t *from = t->stage + c * part;
        int32_t *to = t->stage + (c + 1) * part;
        int8_t uses = x->uses[c * x->levels + q];
        if (uses == 1)
            fill_far(to, part);
        else
            memcpy(to, from, (uses == 0 ? part : cells) * sizeof *to);
        for (uint32_t u = 0; u <= x->need && uses != 0; u++) {
            uint64_t at = (u < x->need ? u + 1 : u) * cells;
            enter(t, c, q, from + u * cells, uses == 1 || u == x->need ? to + at : from + at, to + at);
        }
    }
    return t->stage + x->lists * part + x->need * cells;
}

/* After level q members may be split. */
static void split_after(const table *t, uint32_t q) {
    const window *w = t->window + q;
    for (uint32_t c = 0; c < t->x->lists; c++) {
        const ksda_i_colgen_list *list = t->x->list + c;
        uint64_t step = w->stride[c], block = step * w->size[c];
        if (!list->split) continue;
        for (int32_t *cell = w->after; cell < w->after + w->cells; cell += block)
            for (uint32_t s = 0; s < w->size[c]; s++)
                for (uint32_t e = list->start[w->first[c] + s]; e < list->start[w->first[c] + s + 1]; e++)
                    if (list->step[e].from >= w->first[c])
                        improve(step, cell + (list->step[e].from - w->first[c]) * step,
                                split_price(list, list->step[e].member), cell + s * step);
    }
}

/* --- and back ----------------------------------------------------------------------------------------------------- */

/* The states of list c at level q, all else being equal: as in enter(), for one column of the table. */
static void enter_column(const table *t, uint32_t c, uint32_t q, const int32_t *from, int32_t *in) {
    uint32_t size = t->window[q].size[c];
    int32_t *column = in + size;
    for (uint32_t s = 0; s < size; s++) column[s] = from[s * t->window[q].stride[c]];
    enter_columns(t, c, q, 1, column, in);
}

/* Back from state s of the list, counted in the window, to where it was before it came to level q; UINT32_MAX when it
 * was not so. */
static uint32_t trace_members(const table *t, uint32_t c, uint32_t q, const int32_t *from, const int32_t *in,
                              uint32_t s, uint32_t *target, uint8_t *use) {
    const ksda_i_colgen_list *list = t->x->list + c;
    const window *w = t->window + q;
    for (;;) {
        int32_t value = in[s];
        uint32_t next = UINT32_MAX, state = w->first[c] + s;
        if (list->others[state] && from[s * w->stride[c]] + list->supply[q] == value) {
            *use |= 2;
            return s;
        }
        if (piece_price(list, q) < DEAR && from[s * w->stride[c]] + list->piece[q] == value) {
            *use |= 4;
            return s;
        }
        for (uint32_t e = list->start[state]; e < list->start[state + 1] && next == UINT32_MAX; e++) {
            uint32_t member = list->step[e].member;
            int32_t price = list->price[member * t->x->levels + q], later = smaller(price, split_price(list, member));
            if (list->step[e].from < w->first[c] || later >= DEAR) continue;
            uint32_t before = list->step[e].from - w->first[c];
            bool first = price < DEAR && from[before * w->stride[c]] + price == value;
            if (!first && in[before] + later != value) continue;
            bool placed = first || later == price;
            target[member] = placed ? q : KSDA_I_COLGEN_SPLIT, *use |= placed;
            if (first) return before;
            next = before;
        }
        if (next == UINT32_MAX) return UINT32_MAX;
        s = next;
    }
}

/* How list c came into `cell` with u lists at level q; what it did is noted, and *u and the cell before it found. */
static uint64_t trace_list(const table *t, uint32_t c, uint32_t q, uint64_t cell, uint32_t *u, uint32_t *target,
                           uint8_t *use) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    const window *w = t->window + q;
    uint64_t part = (x->need + 1) * w->cells;
    uint32_t s = (uint32_t)(cell / w->stride[c] % w->size[c]);
    uint64_t column = cell - s * w->stride[c];
    const int32_t *from = t->stage + c * part;
    int32_t value = t->stage[(c + 1) * part + *u * w->cells + cell];
    *use = 0;
    if (x->uses[c * x->levels + q] != 1 && from[*u * w->cells + cell] == value) return cell;
    for (uint32_t was = *u == 0 ? 0 : *u - 1; was <= *u; was++) {
        if (was == *u && *u < x->need) break;
        const int32_t *before = from + was * w->cells + column;
        enter_column(t, c, q, before, t->entered);
        if (t->entered[s] != value) continue;
        *u = was;
        uint32_t found = trace_members(t, c, q, before, t->entered, s, target, use);
        return found == UINT32_MAX ? UINT64_MAX : column + found * w->stride[c];
    }
    return UINT64_MAX;
}

/* The same states in another window; UINT64_MAX when they are not in it. */
static uint64_t same_cell(const table *t, const window *w, uint64_t cell, const window *other) {
    uint64_t at = 0;
    for (uint32_t c = 0; c < t->x->lists; c++) {
        uint32_t state = w->first[c] + (uint32_t)(cell / w->stride[c] % w->size[c]);
        if (state < other->first[c] || state >= other->first[c] + other->size[c]) return UINT64_MAX;
        at += (state - other->first[c]) * other->stride[c];
    }
    return at;
}

/* The level opened before level q, with so much paid in its cell, which becomes the one there; x->levels when there is
 * none. */
static uint32_t level_before(const table *t, uint32_t q, uint64_t *cell, int32_t value) {
    for (uint32_t s = 0; s < q; s++) {
        int32_t plus = gap_price(t, s, q);
        uint64_t at = plus < DEAR ? same_cell(t, t->window + q, *cell, t->window + s) : UINT64_MAX;
        if (at == UINT64_MAX || t->window[s].after[at] + plus != value) continue;
        *cell = at;
        return s;
    }
    return t->x->levels;
}

static uint32_t first_target(const table *t, uint32_t c) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < c; i++) at += t->x->list[i].members;
    return at;
}

/* The members that were split after level q, in whose table before that, `opened`, the cell is found. */
static uint64_t undo_splits(const table *t, uint32_t q, uint64_t cell, const int32_t *opened, uint32_t *target) {
    const window *w = t->window + q;
    while (opened[cell] != w->after[cell]) {
        uint64_t next = UINT64_MAX;
        for (uint32_t c = 0; c < t->x->lists && next == UINT64_MAX; c++) {
            const ksda_i_colgen_list *list = t->x->list + c;
            uint32_t state = w->first[c] + (uint32_t)(cell / w->stride[c] % w->size[c]);
            for (uint32_t e = list->start[state]; list->split && e < list->start[state + 1]; e++) {
                if (list->step[e].from < w->first[c]) continue;
                uint64_t before = cell - (state - list->step[e].from) * w->stride[c];
                if (w->after[before] + list->split[list->step[e].member] != w->after[cell]) continue;
                target[first_target(t, c) + list->step[e].member] = KSDA_I_COLGEN_SPLIT, next = before;
                break;
            }
        }
        if (next == UINT64_MAX) return next;
        cell = next;
    }
    return cell;
}

/* The members that were split before the first level, q: all members of the cell. */
static void undo_begin(const table *t, uint32_t q, uint64_t cell, uint32_t *target) {
    const window *w = t->window + q;
    for (uint32_t c = 0; c < t->x->lists; c++) {
        const ksda_i_colgen_list *list = t->x->list + c;
        uint32_t state = w->first[c] + (uint32_t)(cell / w->stride[c] % w->size[c]);
        for (; state > 0; state = list->step[list->start[state]].from)
            target[first_target(t, c) + list->step[list->start[state]].member] = KSDA_I_COLGEN_SPLIT;
    }
}

static ksda_status go_back(const table *t, uint64_t cell, int32_t value, const ksda_i_colgen_plan *out) {
    const ksda_i_colgen_pricing_problem *x = t->x;
    uint32_t last = x->levels;
    for (uint32_t q = level_before(t, last, &cell, value); q < x->levels;) {
        uint32_t u = x->need;
        out->open[q] = 1;
        gather(t, q, t->stage);
        cell = undo_splits(t, q, cell, open_level(t, q), out->target);
        for (uint32_t c = x->lists; c-- > 0 && cell != UINT64_MAX;)
            cell = trace_list(t, c, q, cell, &u, out->target + first_target(t, c), out->uses + c * x->levels + q);
        if (cell == UINT64_MAX)
            return ksda_i_error(t->ctx, KSDA_INTERNAL, "the plan of all communities has no way back");
        last = q, q = level_before(t, q, &cell, t->stage[cell]);
    }
    undo_begin(t, last, cell, out->target);
    return KSDA_OK;
}

static void clear_table(table *t) {
    for (uint32_t q = 0; t->window && q < t->x->levels; q++) ksda_i_free(t->ctx, t->window[q].after);
    ksda_i_free(t->ctx, t->window), ksda_i_free(t->ctx, t->number), ksda_i_free(t->ctx, t->long_number);
    ksda_i_free(t->ctx, t->stage), ksda_i_free(t->ctx, t->entered), ksda_i_free(t->ctx, t->gone);
}

static void sum_gone(const table *t) {
    for (uint32_t c = 0; c < t->x->lists; c++) {
        const ksda_i_colgen_list *list = t->x->list + c;
        int32_t *gone = t->gone + (uint64_t)c * t->longest;
        gone[0] = 0;
        for (uint32_t s = 1; s < list->states; s++) {
            const ksda_i_colgen_step *step = list->step + list->start[s];
            gone[s] = smaller(gone[step->from] + split_price(list, step->member), FAR);
        }
    }
}

ksda_status ksda_i_colgen_price(ksda_ctx *ctx, const ksda_i_colgen_pricing_problem *x, const ksda_i_colgen_plan *out,
                                bool *found, int32_t *value) {
    table t = {.ctx = ctx, .x = x};
    uint64_t best = 0;
    uint32_t members = 0;
    ksda_status status;
    KSDA_I_TRY(make_windows(&t));
    t.stage = ksda_i_malloc(ctx, (x->lists + 1) * (x->need + 1) * t.most, sizeof *t.stage);
    t.entered = ksda_i_malloc(ctx, t.most + 2 * (uint64_t)LANES * t.longest, sizeof *t.entered);
    t.gone = ksda_i_malloc(ctx, (uint64_t)x->lists * t.longest, sizeof *t.gone);
    if (!t.stage || !t.entered || !t.gone) {
        status = KSDA_NOMEM;
        goto done;
    }
    sum_gone(&t);
    for (uint32_t q = 0; q < x->levels; q++) {
        const window *w = t.window + q;
        if (ksda_i_cancelled(ctx) || ksda_i_time_left(ctx) <= 0) {
            status = ksda_i_cancelled(ctx) ? KSDA_INTERRUPTED : KSDA_LIMIT;
            goto done;
        }
        if (x->open[q] == 0) {
            fill_far(w->after, w->cells);
            continue;
        }
        ksda_i_work(ctx, w->cells * (q + x->lists * (x->need + 1)) / CELLS_A_UNIT);
        gather(&t, q, t.stage);
        memcpy(w->after, open_level(&t, q), w->cells * sizeof *w->after);
        split_after(&t, q);
    }
    gather(&t, x->levels, t.stage);
    for (uint64_t i = 1; i < t.window[x->levels].cells; i++)
        if (t.stage[i] < t.stage[best]) best = i;
    *found = t.stage[best] < DEAR - x->rebate;
    *value = *found ? t.stage[best] : DEAR - x->rebate;
    for (uint32_t c = 0; c < x->lists; c++) members += x->list[c].members;
    memset(out->open, 0, x->levels), memset(out->uses, 0, (uint64_t)x->lists * x->levels);
    memset(out->target, 0xff, members * sizeof *out->target);
    status = *found ? go_back(&t, best, *value, out) : KSDA_OK;
done:
    clear_table(&t);
    return status;
}
