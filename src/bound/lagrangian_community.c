/* One community's cheapest answer to prices of levels: a dynamic program down the levels.
 *
 * A state (i, r) says that the first i members are placed, or split, and that r needy ones were counted, r = a standing
 * for a or more. At level t a community does nothing, or enters: with a vertex from the supply at the floor, with a
 * piece of a split vertex, or with its next members. before[t] holds the states above level t, busy[t] those in which t
 * is used; both are kept for all levels, and the way back finds each step again by comparing. The loops over r are free
 * of branches, so that the compiler can make vector code of them.
 *
 * Time and memory O(levels * members * (a + 1)). */
#include "bound/lagrangian.h"

#include <math.h>

#define FAR KSDA_I_BOUND_FAR

typedef struct table {
    const ksda_i_bound_list *list;
    const ksda_i_bound_levels *levels;
    uint32_t width;  /* a + 1 */
    uint64_t size;   /* (members + 1) * width */
    double *before;  /* [(levels + 1) * size] */
    double *busy;    /* [levels * size] */
    double *open[2]; /* [width] rows of min(enter now, busy) */
} table;

uint64_t ksda_i_bound_space(const ksda_i_bound_list *list, uint32_t levels) {
    uint64_t width = (uint64_t)list->pairs + 1;
    return (2 * (uint64_t)levels + 1) * (list->members + 1) * width + 2 * width;
}

/* What need b costs where at most e of it meets others; half of what is left where r >= a. */
static inline double unmet_cost(double b, double e) {
    double x = b - e;
    return x > 0 ? x : 0;
}
static inline double smaller(double x, double y) {
    return x < y ? x : y;
}
static inline double partner_limit(uint32_t earlier) {
    return earlier == UINT32_MAX ? FAR : earlier;
}

/* What a vertex at the floor needs at level t; later members with a limit may meet it while fewer than a are counted.
 */
static inline double supply_need(const table *x, uint32_t t) {
    return t <= x->list->max_degree[x->list->members] ? t - x->levels->floor : FAR;
}

/* What the next member needs at level t > its degree. */
static inline double member_need(const table *x, uint32_t i, uint32_t t) {
    return t <= x->list->max_degree[i - 1] ? t - x->list->degree[i - 1] : FAR;
}

static inline double piece_price(const table *x, uint32_t t) {
    return t <= x->list->highest ? x->list->piece : INFINITY;
}

/* --- down --------------------------------------------------------------------------------------------------------- */

/* busy(i, .) from a vertex of the supply that enters a level, or a member with need b for whom the level is open. */
static void take_needy(uint32_t a, double price, double supply, double b, double most, const double *restrict before,
                       const double *restrict open, double *restrict busy) {
    for (int32_t r = 0; r < (int32_t)a; r++)
        busy[r + 1] = smaller(before[r] + (price + unmet_cost(supply, r)), open[r] + unmet_cost(b, smaller(r, most)));
}

/* What costs `plus` more than there. */
static void improve(uint32_t width, const double *restrict there, double plus, double *restrict here) {
    for (uint32_t r = 0; r < width; r++) here[r] = smaller(here[r], there[r] + plus);
}

/* busy(i, .) from all ways there are. open is the row of i - 1 members placed, whether the level was in use or not. */
static void fill_row(const table *x, uint32_t i, uint32_t t, double price, bool first, const double *before,
                     const double *open, double *busy) {
    uint32_t a = x->list->pairs, degree = first ? UINT32_MAX : x->list->degree[i - 1];
    double b = degree < t ? member_need(x, i, t) : FAR, most = degree < t ? partner_limit(x->list->earlier[i - 1]) : 0;
    double supply = supply_need(x, t);
    busy[0] = FAR;
    take_needy(a, price, supply - x->list->limited[i], b, most, before, open, busy);
    busy[a] = smaller(busy[a], before[a] + (price + 0.5 * unmet_cost(supply, a)));
    busy[a] = smaller(busy[a], open[a] + 0.5 * unmet_cost(b, smaller(a, most)));
    if (degree == t) improve(x->width, open, 0, busy);
    if (piece_price(x, t) < FAR) improve(x->width, before, price + piece_price(x, t), busy);
    if (x->list->vanish < FAR && !first) improve(x->width, busy - x->width, x->list->vanish, busy);
}

/* From here the next member may come to the level, or the next level be looked at. */
static void close_row(uint32_t width, double price, const double *restrict before, const double *restrict busy,
                      double *restrict open, double *restrict after) {
    for (uint32_t r = 0; r < width; r++) {
        open[r] = smaller(before[r] + price, busy[r]);
        after[r] = smaller(before[r], busy[r]);
    }
}

/* Members split while no level is in use. */
static void split_members(const table *x, double *before, uint32_t from) {
    uint64_t w = x->width;
    if (x->list->vanish >= FAR) return;
    for (uint32_t i = from + 1; i <= x->list->members; i++)
        improve(x->width, before + (i - 1) * w, x->list->vanish, before + i * w);
}

/* Level number l. At least `from` members have larger degrees and are placed. (That those of degree t are placed now is
 * seen to at the next level, which begins with them.) */
static void go_down(table *x, uint32_t l, double price, uint32_t from) {
    uint32_t w = x->width, t = x->levels->level[l];
    double *before = x->before + l * x->size, *next = before + x->size, *busy = x->busy + l * x->size;
    split_members(x, before, from);
    if (price >= FAR) { /* closed */
        memcpy(next + (uint64_t)from * w, before + (uint64_t)from * w,
               (x->list->members + 1 - from) * w * sizeof *next);
        return;
    }
    for (uint32_t i = from; i <= x->list->members; i++) {
        double *row = busy + (uint64_t)i * w, *old = before + (uint64_t)i * w, *after = next + (uint64_t)i * w,
               *open = x->open[i % 2];
        fill_row(x, i, t, price, i == from, old, x->open[(i + 1) % 2], row);
        close_row(w, price, old, row, open, after);
    }
}

/* --- and back ----------------------------------------------------------------------------------------------------- */

typedef struct step {
    double cost;
    uint32_t i, r; /* where it came from */
    bool busy;
    uint32_t vanished, pieces;
} step;

static void offer_step(step *best, double cost, uint32_t i, uint32_t r, bool busy) {
    if (cost < best->cost) *best = (step){cost, i, r, busy, 0, 0};
}

/* The cheapest way into busy(i, r). */
static step last_step(const table *x, const double *before, const double *busy, uint32_t i, uint32_t r, uint32_t t,
                      double price, uint32_t from) {
    uint32_t a = x->list->pairs, w = x->width;
    uint64_t at = (uint64_t)i * w + r;
    step best = {before[at] + price + piece_price(x, t), i, r, false, 0, 1};
    double supply = supply_need(x, t);
    if (r > 0)
        offer_step(&best, before[at - 1] + price + unmet_cost(supply - x->list->limited[i], r - 1), i, r - 1, false);
    if (r == a) offer_step(&best, before[at] + price + 0.5 * unmet_cost(supply, a), i, r, false);
    if (i == from) return best;
    double split = busy[at - w] + x->list->vanish;
    if (split < best.cost) best = (step){split, i - 1, r, true, 1, 0};
    uint32_t degree = x->list->degree[i - 1];
    if (degree > t) return best;
    double b = member_need(x, i, t), most = partner_limit(x->list->earlier[i - 1]);
    if (degree == t || r == a) {
        double cost = degree == t ? 0 : 0.5 * unmet_cost(b, smaller(a, most));
        offer_step(&best, before[at - w] + price + cost, i - 1, r, false);
        offer_step(&best, busy[at - w] + cost, i - 1, r, true);
    }
    if (degree < t && r > 0) {
        double cost = unmet_cost(b, smaller(r - 1, most));
        offer_step(&best, before[at - w - 1] + price + cost, i - 1, r - 1, false);
        offer_step(&best, busy[at - w - 1] + cost, i - 1, r - 1, true);
    }
    return best;
}

/* Back through level number l from (i, r); true when it was used. */
static bool go_back(const table *x, uint32_t l, double price, uint32_t from, uint32_t *i, uint32_t *r,
                    ksda_i_bound_use *use) {
    const double *before = x->before + l * x->size, *busy = x->busy + l * x->size;
    uint64_t at = (uint64_t)*i * x->width + *r;
    bool used = price < FAR && busy[at] < before[at];
    for (bool inside = used; inside;) {
        step s = last_step(x, before, busy, *i, *r, x->levels->level[l], price, from);
        *i = s.i, *r = s.r, inside = s.busy;
        use->vanished += s.vanished, use->pieces += s.pieces;
    }
    if (x->list->vanish >= FAR) return used;
    for (; *i > from; --*i) { /* before() already holds the members split: these were where nothing else explains it */
        at = (uint64_t)*i * x->width + *r;
        if (before[at] < before[at - x->width] + x->list->vanish) break;
        use->vanished++;
    }
    return used;
}

double ksda_i_lagrangian_community(const ksda_i_bound_list *list, const ksda_i_bound_levels *levels,
                                   const double *price, double *space, ksda_i_bound_use *use) {
    table x = {.list = list, .levels = levels, .width = list->pairs + 1};
    x.size = (uint64_t)(list->members + 1) * x.width;
    x.before = space, x.busy = x.before + (levels->count + 1) * x.size;
    x.open[0] = x.busy + levels->count * x.size, x.open[1] = x.open[0] + x.width;
    uint32_t done = 0, i = list->members, r = 0;
    for (uint64_t at = 0; at < x.size; at++) x.before[at] = FAR;
    for (uint32_t q = 0; q < 2 * x.width; q++) x.open[0][q] = FAR;
    x.before[0] = 0;
    for (uint32_t l = 0; l < levels->count; l++) {
        uint32_t from = done;
        while (done < list->members && list->degree[done] >= levels->level[l]) done++;
        go_down(&x, l, price[l], from);
    }
    const double *end = x.before + levels->count * x.size + (uint64_t)list->members * x.width;
    for (uint32_t q = 1; q < x.width; q++)
        if (end[q] < end[r]) r = q;
    double value = end[r];
    use->vanished = use->pieces = 0;
    if (value > FAR / 4) memset(use->level, 0, levels->count);
    for (uint32_t l = value > FAR / 4 ? 0 : levels->count; l-- > 0;) {
        uint32_t from = done;
        while (from > 0 && list->degree[from - 1] <= levels->level[l]) from--;
        use->level[l] = go_back(&x, l, price[l], from, &i, &r, use);
        done = from;
    }
    return value;
}
