/* Split vertices on their way down: pieces that are paid for and not yet placed.
 *
 * A vertex that is split is carried along as an item, with the rest of its degree that is on no piece and the number of
 * pieces still to be placed. At every open level a piece may be left, free of charge but for the needs of a last piece
 * that does not fit exactly; where what is left could no longer be placed below, it is placed now or gets one more
 * piece. Time O(items) per level. */
#include "methods/levelplan/beam.h"

#include <math.h>

#define STAND_IN                                                                                                       \
    0.125 /* so much dearer is a piece than a vertex that stands there anyway: its rest must go somewhere too */

#define LOOK_OFTEN 4096 /* pieces between two looks at the clock */

/* --- split vertices on their way ---------------------------------------------------------------------------------- */

/* Split the member at that list position, for the price of one piece; false when too many are on their way. */
bool ksda_i_items_split(ksda_i_search *s, uint32_t c, uint32_t member) {
    ksda_i_cell *x = ksda_i_search_edit(s, c);
    if (x->items == KSDA_I_ITEMS) return false;
    if (ksda_i_reserve(s->ctx, &s->split, &s->split_capacity, s->splits + 1, sizeof *s->split) < 0)
        s->status = KSDA_NOMEM;
    ksda_i_load *load = ksda_i_search_load(s, x);
    if (s->status < 0) return false;
    s->split[s->splits++] = member;
    s->cost += s->options->split_weight;
    load->item[x->items++] = (ksda_i_item){member, s->lists->degree[member], 2};
    s->loose++;
    return true;
}

static bool note_piece(ksda_i_search *s, uint32_t member, uint32_t level) {
    if (ksda_i_reserve(s->ctx, &s->placing, &s->placing_capacity, 2 * s->placings + 2, sizeof *s->placing) < 0)
        s->status = KSDA_NOMEM;
    if (s->status < 0) return false;
    s->placing[2 * s->placings] = member, s->placing[2 * s->placings + 1] = level;
    if (++s->placings % LOOK_OFTEN == 0) s->status = ksda_i_interrupted(s->ctx);
    return s->status >= 0;
}

/* Edges to be added to a last piece that carries rest edges and stands at level: a link to its sibling is worth two
 * ends. */
static uint32_t last_needs(uint32_t rest, uint32_t level) {
    return level - rest >= 2 ? level - rest - 2 : level - rest;
}

/* The smallest level >= degree that is open at or above t; 0 if there is none. */
static uint32_t level_above(const ksda_i_plan_state *from, uint32_t t, uint32_t degree) {
    uint32_t above = t;
    for (; from && above < degree; from = from->parent)
        if (from->level != KSDA_I_NO_LEVEL) above = from->level;
    return above >= degree ? above : 0;
}

/* What the needs of a last piece cost in community c. */
static double needs_cost(const ksda_i_search *s, uint32_t c, uint32_t rest, uint32_t level) {
    uint32_t needs = last_needs(rest, level);
    return needs && s->options->strict[c] ? INFINITY : needs;
}

/* What it costs to place one piece of an item of c at level t; INFINITY when it cannot be. */
double ksda_i_items_cost(const ksda_i_search *s, const ksda_i_plan_state *from, uint32_t c, const ksda_i_item *x,
                         uint32_t t) {
    if (t == 0) return INFINITY;
    if (x->pieces == 1) return x->rest <= t ? needs_cost(s, c, x->rest, t) : INFINITY;
    if (x->rest <= t) return INFINITY;
    uint32_t rest = x->rest - t, above;
    if (rest <= (x->pieces - 1) * (uint64_t)t) return STAND_IN;
    if (x->pieces > 2) return s->options->split_weight;
    above = level_above(from, t, rest);
    return above && needs_cost(s, c, rest, above) < INFINITY ? STAND_IN + needs_cost(s, c, rest, above)
                                                             : s->options->split_weight;
}

/* A last piece whose level is safe need not be carried along. */
static bool place_safe(ksda_i_search *s, uint32_t c, uint32_t i) {
    ksda_i_cell *x = ksda_i_search_edit(s, c);
    ksda_i_item *item = s->load[x->load].item, it = item[i];
    for (uint32_t level = it.rest + 2; it.pieces == 1 && level + 2 >= it.rest && level >= it.rest; level -= 2) {
        if (level <= s->lists->level[0] && s->safe[level]) {
            item[i] = item[--x->items];
            s->loose--;
            return note_piece(s, it.member, level);
        }
        if (level < 2) break;
    }
    return true;
}

/* Place one piece of item i of c at level t; ksda_i_items_cost() was finite and is paid by the caller. */
bool ksda_i_items_place(ksda_i_search *s, const ksda_i_plan_state *from, uint32_t c, uint32_t i, uint32_t t) {
    ksda_i_cell *x = ksda_i_search_edit(s, c);
    ksda_i_item *item = s->load[x->load].item, *it = &item[i];
    if (!note_piece(s, it->member, t)) return false;
    if (it->pieces == 1) {
        *it = item[--x->items];
        s->loose--;
        return true;
    }
    it->rest -= t, it->pieces--;
    if (it->rest <= it->pieces * (uint64_t)t) return place_safe(s, c, i);
    uint32_t above = it->pieces == 1 ? level_above(from, t, it->rest) : 0;
    if (!above || needs_cost(s, c, it->rest, above) == INFINITY) {
        it->pieces++;
        return true;
    }
    if (!note_piece(s, it->member, above)) return false;
    *it = item[--x->items];
    s->loose--;
    return true;
}

/* Pay for as many more pieces as the rest needs, none of them taller than below. A piece more makes no difference at t
 * where no level is open there (t is NO_LEVEL) or the rest is too small for it, so there they are paid for at once. */
static void more_pieces(ksda_i_search *s, ksda_i_item *it, uint32_t t, uint32_t below) {
    uint32_t needed = it->rest / below + (it->rest % below != 0), more = 1;
    if (t == KSDA_I_NO_LEVEL || it->rest <= t) more = needed - it->pieces;
    it->pieces += more;
    s->cost += more * s->options->split_weight;
}

/* The items of community c. */
static bool settle_community(ksda_i_search *s, const ksda_i_plan_state *from, uint32_t c, uint32_t t, uint32_t below) {
    ksda_i_cell *x = &s->work[c];
    for (uint32_t i = 0; i < x->items;) {
        ksda_i_item *it = &s->load[x->load].item[i];
        s->looks++;
        if (it->rest <= (uint64_t)it->pieces * below) {
            i++;
            continue;
        }
        double cost = t == KSDA_I_NO_LEVEL ? INFINITY : ksda_i_items_cost(s, from, c, it, t);
        bool last_chance = below == 0 || it->pieces >= it->rest;
        if (cost <= s->options->split_weight || (last_chance && cost < INFINITY)) {
            s->cost += cost;
            if (!ksda_i_items_place(s, from, c, i, t)) return false;
            ksda_i_search_arrive(s, c);
        } else {
            if (last_chance) return false;
            ksda_i_search_edit(s, c);
            more_pieces(s, it, t, below);
            if (s->cost > s->limit) return false;
        }
    }
    return true;
}

bool ksda_i_items_settle(ksda_i_search *s, const ksda_i_plan_state *from, uint32_t t, uint32_t below, bool changed) {
    for (uint32_t c = 0; s->loose && c < s->lists->communities; c++)
        if ((!changed || s->saved_in[c] == s->trial) && !settle_community(s, from, c, t, below)) return false;
    return true;
}

/* Is there a last piece that would stand at t, linked or not? */
bool ksda_i_items_wanted(const ksda_i_search *s, uint32_t t) {
    for (uint32_t c = 0; s->loose && c < s->lists->communities; c++)
        for (uint32_t i = 0; i < s->work[c].items; i++) {
            const ksda_i_item *x = &s->load[s->work[c].load].item[i];
            if (x->pieces == 1 && (x->rest == t || x->rest + 2u == t)) return true;
        }
    return false;
}
