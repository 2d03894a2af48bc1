/* One community's cheapest answer to prices of levels: a dynamic program down the levels.
 *
 * A state (s, r) says that the members of s are placed, or split, and that r needy ones were counted, r = a standing
 * for a or more. At level t a community does nothing, or enters: with a vertex of the supply, with a
 * piece of a split vertex, or with its next members. before[t] holds the states above level t, busy[t] those in which t
 * is used; both are kept for all levels, and the way back finds each step again by comparing. The loops over r are free
 * of branches, so that the compiler can make vector code of them, and a is a constant where it is the usual one: rows
 * are short, and what surrounds a loop took as long as the loop.
 *
 * Time O(levels * steps * (a + 1)), memory O(levels * states * (a + 1)). */
#include "bound/lagrangian.h"
#include "core/simd.h"

#include <math.h>

#define FAR KSDA_I_BOUND_FAR
#define USUAL_PAIRS 8

typedef struct table {
    const ksda_i_bound_list *list;
    const ksda_i_bound_levels *levels;
    uint32_t width; /* a + 1 */
    uint64_t size;  /* states * width */
    double *before; /* [(levels + 1) * size] */
    double *busy;   /* [levels * size] */
    double *open;   /* [size] the smaller one of entering now and busy */
} table;

uint64_t ksda_i_bound_space(const ksda_i_bound_list *list, uint32_t levels) {
    return (2 * (uint64_t)levels + 2) * list->states * ((uint64_t)list->pairs + 1);
}

/* What is left of need b where e of it meets others. */
static inline double unmet(double b, double e) {
    double x = b - e;
    return x > 0 ? x : 0;
}
static inline double smaller(double x, double y) {
    return x < y ? x : y;
}
static inline double partner_limit(uint32_t earlier) {
    return earlier == UINT32_MAX ? FAR : earlier;
}

/* What a vertex of the supply needs at level t at least; later members with a limit may meet it while fewer than a are
 * counted.
 */
static inline double supply_need(const table *x, uint32_t t) {
    return t <= x->list->max_degree[x->list->members] ? t - x->list->supply : FAR;
}

/* What member i needs at level t > its degree. */
static inline double member_need(const table *x, uint32_t i, uint32_t t) {
    return t <= x->list->max_degree[i] ? t - x->list->degree[i] : FAR;
}

static inline double piece_price(const table *x, uint32_t t) {
    return t <= x->list->highest ? x->list->piece + x->list->carry * t : INFINITY;
}

/* What a piece of a split vertex needs at level t: what neighbours, old and new, cannot give it. It may be joined to
 * everybody, like a vertex of the supply. */
static inline double piece_need(const table *x, uint32_t t) {
    return t > x->list->carried ? t - x->list->carried : 0;
}

/* A need b. While fewer than a needy ones are counted it meets as many of them, at most `most`, and `extra` more. */
typedef struct needy {
    double b, extra, most;
    double mix, halves; /* what counts of the part that is not met, and of all of it */
    bool member;        /* or of the supply: it may be joined to pieces, too */
} needy;

static inline needy unsplit_needy(const table *x, double b, double extra, double most) {
    return (needy){b, extra, most, x->list->mix, (1 - x->list->mix) / 2, true};
}

/* What a piece carries has a price of its own, so its need counts by as much less at both ends. */
static inline needy piece_needy(const table *x, uint32_t t, double extra) {
    const ksda_i_bound_list *list = x->list;
    double mix = list->mix - 2 * (list->carry - list->carry_half), halves = (1 - list->mix) / 2 - list->carry_half;
    return (needy){piece_need(x, t), extra, FAR, mix, halves, false};
}

/* What edges to pieces take off the charge of a need of which so much is left. */
static inline double taken_off(const ksda_i_bound_list *list, double left) {
    double some = list->some;
    return (list->to_some - list->to_more) * smaller(left, some) + list->to_more * smaller(left, 2 * some);
}

/* --- down --------------------------------------------------------------------------------------------------------- */

/* busy(s, .) from a need that comes at `price` to rows of states. */
KSDA_I_INLINE void take_needy(const table *x, int32_t a, double price, needy n, const double *restrict from,
                              double *restrict busy) {
    double always = price + n.halves * n.b;
    if (n.b >= FAR) return; /* out of reach */
    if (n.member && x->list->to_some > 0)
        for (int32_t r = 0; r < a; r++) {
            double left = unmet(n.b, smaller(r, n.most) + n.extra);
            busy[r + 1] = smaller(busy[r + 1], from[r] + (always + n.mix * left - taken_off(x->list, left)));
        }
    else
        for (int32_t r = 0; r < a; r++)
            busy[r + 1] = smaller(busy[r + 1], from[r] + (always + n.mix * unmet(n.b, smaller(r, n.most) + n.extra)));
    busy[a] = smaller(busy[a], from[a] + (always + 0.5 * n.mix * unmet(n.b, smaller(a, n.most))));
}

/* What costs `plus` more than there. */
KSDA_I_INLINE void improve(uint32_t width, const double *restrict there, double plus, double *restrict here) {
    for (uint32_t r = 0; r < width; r++) here[r] = smaller(here[r], there[r] + plus);
}

/* The steps to state s from states in which everybody is placed who must be: from state `first` on. */
static inline uint32_t first_step(const table *x, uint32_t s, uint32_t first) {
    uint32_t e = x->list->start[s];
    while (e < x->list->start[s + 1] && x->list->step[e].from < first) e++;
    return e;
}

/* busy(s, .) from all ways there are to come to the level, or to bring one more member there; `open` holds the states
 * of whom the level can be used by. */
KSDA_I_INLINE void fill_row(const table *x, int32_t a, uint32_t s, uint32_t t, double price, uint32_t first,
                            const double *before, double *busy) {
    const ksda_i_bound_list *list = x->list;
    uint32_t e = first_step(x, s, first), w = (uint32_t)a + 1;
    double *row = busy + (uint64_t)s * w;
    const double *old = before + (uint64_t)s * w;
    for (uint32_t r = 0; r < w; r++) row[r] = FAR;
    take_needy(x, a, price, unsplit_needy(x, supply_need(x, t), list->limited[s], FAR), old, row);
    if (piece_price(x, t) < FAR && piece_need(x, t) > 0)
        take_needy(x, a, price + piece_price(x, t), piece_needy(x, t, list->limited[s]), old, row);
    else if (piece_price(x, t) < FAR)
        improve(w, old, price + piece_price(x, t), row);
    for (; e < list->start[s + 1]; e++) {
        const ksda_i_bound_step *step = list->step + e;
        if (step->from < first) continue;
        const double *open = x->open + (uint64_t)step->from * w;
        if (list->degree[step->member] == t) {
            improve(w, open, 0, row);
        } else {
            double b = member_need(x, step->member, t);
            take_needy(x, a, 0, unsplit_needy(x, b, 0, partner_limit(step->partners)), open, row);
        }
        if (list->vanish < FAR)
            improve(w, busy + (uint64_t)step->from * w, ksda_i_bound_vanish_member(list, step->member), row);
    }
}

/* From here the next member may come to the level, or the next level be looked at. */
KSDA_I_INLINE void close_row(uint32_t width, double price, const double *restrict before, const double *restrict busy,
                             double *restrict open, double *restrict after) {
    for (uint32_t r = 0; r < width; r++) {
        open[r] = smaller(before[r] + price, busy[r]);
        after[r] = smaller(before[r], busy[r]);
    }
}

/* Members split while no level is in use. */
KSDA_I_INLINE void split_members(const table *x, double *before, uint32_t first) {
    uint64_t w = x->width;
    if (x->list->vanish >= FAR) return;
    for (uint32_t s = first + 1; s < x->list->states; s++)
        for (uint32_t e = x->list->start[s]; e < x->list->start[s + 1]; e++)
            if (x->list->step[e].from >= first)
                improve(x->width, before + x->list->step[e].from * w,
                        ksda_i_bound_vanish_member(x->list, x->list->step[e].member), before + s * w);
}

/* Level number l: from state `first` on all with larger degrees are placed. (That those of degree t are placed now is
 * seen to at the next level, which begins with them.) */
KSDA_I_INLINE void go_down(const table *x, int32_t a, uint32_t l, double price, uint32_t first) {
    uint32_t w = (uint32_t)a + 1, t = x->levels->level[l], states = x->list->states;
    double *before = x->before + l * x->size, *next = before + x->size, *busy = x->busy + l * x->size;
    split_members(x, before, first);
    if (price >= FAR) { /* closed */
        memcpy(next + (uint64_t)first * w, before + (uint64_t)first * w, (uint64_t)(states - first) * w * sizeof *next);
        return;
    }
    for (uint32_t s = first; s < states; s++) {
        uint64_t at = (uint64_t)s * w;
        fill_row(x, a, s, t, price, first, before, busy);
        close_row(w, price, before + at, busy + at, x->open + at, next + at);
    }
}

/* The first state, not before `from`, in which nobody above level l is left. */
static uint32_t first_state(const table *x, uint32_t l, uint32_t from) {
    while (from + 1 < x->list->states && x->list->left[from] > x->levels->level[l]) from++;
    return from;
}

KSDA_I_INLINE void go_down_all(const table *x, int32_t a, const double *price) {
    for (uint64_t at = 0; at < x->size; at++) x->before[at] = FAR;
    x->before[0] = 0;
    for (uint32_t l = 0, first = 0; l < x->levels->count; l++) {
        first = first_state(x, l, first);
        go_down(x, a, l, price[l], first);
    }
}

/* The least a that is chosen, which most communities have, as a constant: loops over r are then unrolled. */
KSDA_I_INLINE void fill_all(const table *x, const double *price) {
    if (x->list->pairs == USUAL_PAIRS)
        go_down_all(x, USUAL_PAIRS, price);
    else
        go_down_all(x, (int32_t)x->list->pairs, price);
}
KSDA_I_KERNEL(fill_tables, fill_all, (const table *x, const double *price), (x, price))

/* --- and back ----------------------------------------------------------------------------------------------------- */

/* A step, and what it has of everything that is counted of the whole answer. */
typedef struct way {
    double cost;
    uint32_t s, r; /* where it came from */
    bool busy;
    ksda_i_bound_use of;
} way;

static void offer_way(way *best, double cost, uint32_t s, uint32_t r, bool busy, ksda_i_bound_use of) {
    if (cost < best->cost) *best = (way){cost, s, r, busy, of};
}

/* A need of which `left` is not met, while fewer than a are counted. */
static ksda_i_bound_use use_of_needy(const table *x, needy n, double left) {
    double some = x->list->some;
    ksda_i_bound_use of = {.mix = left - 0.5 * n.b};
    if (n.member)
        of.to_some = -smaller(left, some), of.to_more = -smaller(unmet(left, some), some);
    else
        of.unmet = -2 * left, of.halved = -n.b;
    return of;
}

/* Ways into busy(., r) from state s by a need; from before() at `price`, or, for members, from busy() as well. */
static void offer_needy(const table *x, const double *before, const double *busy, uint32_t s, uint32_t r, needy n,
                        double price, way *best) {
    uint64_t at = (uint64_t)s * x->width + r;
    if (r > 0) {
        double left = unmet(n.b, smaller(r - 1, n.most) + n.extra), cost = n.halves * n.b + n.mix * left;
        if (n.member) cost -= taken_off(x->list, left);
        offer_way(best, before[at - 1] + (price + cost), s, r - 1, false, use_of_needy(x, n, left));
        if (busy) offer_way(best, busy[at - 1] + cost, s, r - 1, true, use_of_needy(x, n, left));
    }
    if (r == x->list->pairs) {
        double left = 0.5 * unmet(n.b, smaller(r, n.most)), cost = n.halves * n.b + n.mix * left;
        ksda_i_bound_use of = use_of_needy(x, n, left);
        of.to_some = of.to_more = 0;
        offer_way(best, before[at] + (price + cost), s, r, false, of);
        if (busy) offer_way(best, busy[at] + cost, s, r, true, of);
    }
}

/* Ways into busy(., r) by a step. */
static void offer_step(const table *x, const double *before, const double *busy, const ksda_i_bound_step *step,
                       uint32_t r, uint32_t t, double price, way *best) {
    uint32_t degree = x->list->degree[step->member];
    uint64_t at = (uint64_t)step->from * x->width + r;
    const ksda_i_bound_use split = {.vanished = 1, .carry = -(degree + 2.0)}, none = {0};
    offer_way(best, busy[at] + ksda_i_bound_vanish_member(x->list, step->member), step->from, r, true, split);
    if (degree == t) {
        offer_way(best, before[at] + price, step->from, r, false, none);
        offer_way(best, busy[at], step->from, r, true, none);
    } else {
        needy n = unsplit_needy(x, member_need(x, step->member, t), 0, partner_limit(step->partners));
        offer_needy(x, before, busy, step->from, r, n, price, best);
    }
}

/* Ways into busy(s, r) by a piece. */
static void offer_piece(const table *x, const double *before, uint32_t s, uint32_t r, uint32_t t, double price,
                        way *best) {
    double so_far = best->cost;
    if (piece_price(x, t) >= FAR) return;
    price += piece_price(x, t);
    if (piece_need(x, t) > 0)
        offer_needy(x, before, NULL, s, r, piece_needy(x, t, x->list->limited[s]), price, best);
    else
        offer_way(best, before[(uint64_t)s * x->width + r] + price, s, r, false, (ksda_i_bound_use){0});
    if (best->cost < so_far) best->of.pieces++, best->of.carry += t;
}

/* The cheapest way into busy(s, r). */
static way last_way(const table *x, const double *before, const double *busy, uint32_t s, uint32_t r, uint32_t t,
                    double price, uint32_t first) {
    way best = {INFINITY, s, r, false, {0}};
    offer_piece(x, before, s, r, t, price, &best);
    offer_needy(x, before, NULL, s, r, unsplit_needy(x, supply_need(x, t), x->list->limited[s], FAR), price, &best);
    for (uint32_t e = first_step(x, s, first); e < x->list->start[s + 1]; e++)
        if (x->list->step[e].from >= first) offer_step(x, before, busy, x->list->step + e, r, t, price, &best);
    return best;
}

static void add_use(ksda_i_bound_use *use, const ksda_i_bound_use *of) {
    use->vanished += of->vanished, use->pieces += of->pieces;
    use->mix += of->mix, use->carry += of->carry, use->unmet += of->unmet, use->halved += of->halved;
    use->to_some += of->to_some, use->to_more += of->to_more;
}

/* before() already holds the members split: these were where a step explains it. */
static bool undo_split(const table *x, const double *before, uint32_t first, uint32_t *s, uint32_t r,
                       ksda_i_bound_use *use) {
    for (uint32_t e = x->list->start[*s]; e < x->list->start[*s + 1]; e++) {
        uint32_t from = x->list->step[e].from, member = x->list->step[e].member;
        double price = ksda_i_bound_vanish_member(x->list, member);
        if (from < first) continue;
        if (before[(uint64_t)*s * x->width + r] < before[(uint64_t)from * x->width + r] + price) continue;
        *s = from, use->vanished++, use->carry -= x->list->degree[member] + 2.0;
        return true;
    }
    return false;
}

/* Back through level number l from (s, r); true when it was used. */
static bool go_back(const table *x, uint32_t l, double price, uint32_t first, uint32_t *s, uint32_t *r,
                    ksda_i_bound_use *use) {
    const double *before = x->before + l * x->size, *busy = x->busy + l * x->size;
    uint64_t at = (uint64_t)*s * x->width + *r;
    bool used = price < FAR && busy[at] < before[at];
    for (bool inside = used; inside;) {
        way last = last_way(x, before, busy, *s, *r, x->levels->level[l], price, first);
        *s = last.s, *r = last.r, inside = last.busy;
        add_use(use, &last.of);
    }
    while (x->list->vanish < FAR && undo_split(x, before, first, s, *r, use)) continue;
    return used;
}

double ksda_i_lagrangian_community(const ksda_i_bound_list *list, const ksda_i_bound_levels *levels,
                                   const double *price, double *space, ksda_i_bound_use *use) {
    table x = {.list = list, .levels = levels, .width = list->pairs + 1};
    x.size = (uint64_t)list->states * x.width;
    x.before = space, x.busy = x.before + (levels->count + 1) * x.size;
    x.open = x.busy + levels->count * x.size;
    uint32_t s = list->states - 1, r = 0;
    fill_tables(&x, price);
    const double *end = x.before + levels->count * x.size + (uint64_t)s * x.width;
    for (uint32_t q = 1; q < x.width; q++)
        if (end[q] < end[r]) r = q;
    double value = end[r];
    *use = (ksda_i_bound_use){.level = use->level};
    memset(use->level, 0, levels->count);
    if (value > FAR / 4) return value; /* there is none */
    for (uint32_t l = levels->count; l-- > 0;)
        use->level[l] = go_back(&x, l, price[l], first_state(&x, l, 0), &s, &r, use);
    return value;
}
