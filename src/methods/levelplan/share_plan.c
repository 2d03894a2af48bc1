/* Planning for a share bound: how many of each community rise from each level to the next.
 *
 * The largest degrees are few and lack others; the crowded ones below have people to spare. So levels are mended from
 * the top down: a level that lacks others pulls up the nearest from below, or everybody there goes on to the next
 * level above, whichever is cheaper. What that leaves is changed by simulated annealing, one piece of one community
 * from one level to another at a time: what a level lacks has a price that rises as the temperature falls.
 *
 * Time O(levels * communities) for a look at everything, O(communities) for a step; memory 8 bytes a level and
 * community. Chance comes from the seed and the attempt. */
#include "methods/levelplan/share_plan.h"

#include <math.h>

#define REACH 64u /* levels below that are looked at for a vertex to pull up */
#define HOT 1.5   /* temperatures at the beginning and at the end, in edges */
#define WARM 0.5  /* likewise, where more is kept of what it begins with */
#define COLD 0.12
#define LACK_HOT 20.0 /* what it costs that one is lacking at a level, likewise */
#define LACK_WARM 200.0
#define LACK_COLD 2000.0
#define AGAIN 4u    /* times that a plan that lacks some is mended and changed again */
#define SLICE 8192u /* steps between two looks at the clock */
#define STEP_UNITS 150u

static uint32_t *cell(const ksda_i_share_plan *p, uint32_t *table, uint32_t level, uint32_t c) {
    return &table[ksda_i_share_cell(p->levels, level, c)];
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* How many more of others than the largest community it takes, where so many of all that are known, and of the largest,
 * are. */
static uint32_t lack_of(const ksda_i_share_plan *p, uint32_t known, uint32_t largest, uint32_t communities) {
    uint64_t wanted = ((uint64_t)largest * p->share.denominator + p->share.numerator - 1) / p->share.numerator;
    uint32_t few = communities < p->k ? p->k - communities : 0;
    return wanted > known + (uint64_t)few ? (uint32_t)(wanted - known) : few;
}

/* Those at the level whose community is not known. */
static uint32_t unknown_at(const ksda_i_share_plan *p, uint32_t level) {
    return p->levels->counted < p->levels->communities ? *cell(p, p->here, level, p->levels->counted) : 0;
}

static void count_level(ksda_i_share_plan *p, uint32_t level) {
    const uint32_t *row = cell(p, p->here, level, 0);
    uint32_t largest = 0, communities = 0;
    for (uint32_t c = 0; c < p->levels->counted; c++) {
        largest = row[c] > largest ? row[c] : largest;
        communities += row[c] > 0;
    }
    uint32_t known = p->people[level] - unknown_at(p, level),
             lack = p->people[level] ? lack_of(p, known, largest, communities) : 0;
    p->largest[level] = largest;
    p->lacking += lack, p->lacking -= p->lack[level];
    p->lack[level] = lack;
    if ((lack > 0) == (p->bad_at[level] != UINT32_MAX)) return;
    if (lack) {
        p->bad_at[level] = p->bads, p->bad[p->bads++] = level;
    } else {
        uint32_t last = p->bad[--p->bads];
        p->bad[p->bad_at[level]] = last, p->bad_at[last] = p->bad_at[level];
        p->bad_at[level] = UINT32_MAX;
    }
}

static void count_all(ksda_i_share_plan *p) {
    for (uint32_t i = 0; i < p->levels->levels; i++) {
        p->people[i] = 0;
        for (uint32_t c = 0; c < p->levels->communities; c++) p->people[i] += *cell(p, p->here, i, c);
    }
    for (uint32_t i = 0; i < p->levels->levels; i++) count_level(p, i);
}

/* --- moves -------------------------------------------------------------------------------------------------------- */

/* Can a vertex of c go from one level to another: up where not too many have gone, down where some have come? */
static bool may_move(const ksda_i_share_plan *p, uint32_t c, uint32_t from, uint32_t to) {
    if (*cell(p, p->here, from, c) == 0) return false;
    for (uint32_t i = from; i < to; i++)
        if (*cell(p, p->rise, i, c) >= *cell(p, p->levels->most, i, c)) return false;
    for (uint32_t i = to; i < from; i++)
        if (*cell(p, p->rise, i, c) == 0) return false;
    return true;
}

static void move(ksda_i_share_plan *p, uint32_t c, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) ++*cell(p, p->rise, i, c);
    for (uint32_t i = to; i < from; i++) --*cell(p, p->rise, i, c);
    p->need[c] += p->levels->degree[to], p->need[c] -= p->levels->degree[from];
    --*cell(p, p->here, from, c), ++*cell(p, p->here, to, c);
    p->people[from]--, p->people[to]++;
    count_level(p, from), count_level(p, to);
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Note that so many rise by this much. */
static void note(ksda_i_share_plan *p, uint32_t by, uint32_t count, uint32_t *most) {
    if (by == 0) return;
    p->needs[by] += count;
    if (by > *most) *most = by;
}

/* The needs of a community, larger degrees to higher levels: how many rise by how much, in p->needs. The most. */
static uint32_t list_needs(ksda_i_share_plan *p, uint32_t c) {
    const ksda_i_share_levels *l = p->levels;
    uint32_t from = l->levels, left = 0, most = 0; /* those of level `from` who have no target yet */
    uint64_t open = p->need[c];                    /* nobody rises any more once all of it is found */
    for (uint32_t to = l->levels; to-- > 0 && open;) {
        for (uint32_t places = *cell(p, p->here, to, c); places && open;) {
            while (left == 0) left = *cell(p, l->count, --from, c);
            uint32_t some = left < places ? left : places, by = l->degree[to] - l->degree[from];
            note(p, by, some, &most);
            open -= (uint64_t)by * some;
            left -= some, places -= some;
        }
    }
    return most;
}

/* Two needs that meet share an edge, but the largest ones can meet each other only once: for every set of them, their
 * sum less the edges that fit between them is a lower bound. Where the largest are adjacent already, fewer fit. */
static double price_of(ksda_i_share_plan *p, uint32_t c) {
    double sum = 0, number = 0, best = ceil((double)p->need[c] / 2);
    if (p->need[c] == 0) return 0;
    uint32_t most = list_needs(p, c);
    bool on = true;
    for (uint32_t by = most; by > 0; by--) {
        for (uint32_t i = p->needs[by]; i && on; i--) {
            double inner = p->free[c] * number;
            on = by > inner; /* one more would not raise it */
            sum += by - inner, number++;
            if (on && sum > best) best = sum;
        }
        p->needs[by] = 0;
    }
    return best;
}

double ksda_i_share_plan_cost(const ksda_i_share_plan *p) {
    double sum = 0;
    for (uint32_t c = 0; c < p->levels->communities; c++) sum += p->price[c];
    return sum;
}

/* --- from the top down -------------------------------------------------------------------------------------------- */

/* What it would cost the level, about, that one of c leaves it. */
static double regret(const ksda_i_share_plan *p, uint32_t level, uint32_t c) {
    uint32_t own = *cell(p, p->here, level, c), people = p->people[level] - unknown_at(p, level) - 1;
    uint64_t wanted = (uint64_t)p->largest[level] * p->share.denominator;
    if ((people == 0 && p->people[level] == 1) || own == p->largest[level]) return 0;
    if (wanted <= (uint64_t)people * p->share.numerator) return own == 1 && p->k > 1 ? 0.25 : 0;
    return level ? p->levels->degree[level] - p->levels->degree[level - 1] : 1000;
}

typedef struct pull {
    uint32_t community, from;
    double price;
} pull;

/* The cheapest one to pull up to the level. */
static pull cheapest_pull(const ksda_i_share_plan *p, uint32_t level) {
    pull best = {0, 0, INFINITY};
    uint32_t lowest = level > REACH ? level - REACH : 0;
    for (uint32_t c = 0; c < p->levels->counted; c++) {
        uint32_t own = *cell(p, p->here, level, c);
        if (own && own >= p->largest[level]) continue;
        for (uint32_t from = level; from-- > lowest;) {
            double price = p->levels->degree[level] - p->levels->degree[from];
            if (price >= best.price || *cell(p, p->rise, from, c) >= *cell(p, p->levels->most, from, c)) break;
            if (*cell(p, p->here, from, c) == 0) continue;
            price += regret(p, from, c);
            if (price < best.price) best = (pull){c, from, price};
        }
    }
    return best;
}

/* What it costs that everybody goes on to the next level above that has a vertex; infinity where that does not help. */
static double price_of_leaving(const ksda_i_share_plan *p, uint32_t level, uint32_t *to) {
    uint32_t above = level + 1, largest = 0, communities = 0, known = 0;
    while (above < p->levels->levels && p->people[above] == 0) above++;
    if (above == p->levels->levels) return INFINITY;
    for (uint32_t c = 0; c < p->levels->communities; c++) {
        uint32_t own = *cell(p, p->here, level, c), sum = own + *cell(p, p->here, above, c);
        for (uint32_t i = level; own && i < above; i++)
            if (*cell(p, p->rise, i, c) + own > *cell(p, p->levels->most, i, c)) return INFINITY;
        if (c >= p->levels->counted) continue;
        largest = sum > largest ? sum : largest;
        communities += sum > 0, known += sum;
    }
    if (lack_of(p, known, largest, communities) > p->lack[above]) return INFINITY;
    *to = above;
    return (double)p->people[level] * (p->levels->degree[above] - p->levels->degree[level]);
}

static void leave(ksda_i_share_plan *p, uint32_t level, uint32_t to) {
    for (uint32_t c = 0; c < p->levels->communities; c++)
        while (*cell(p, p->here, level, c)) move(p, c, level, to);
}

static ksda_status mend(ksda_i_share_plan *p) {
    ksda_status status = KSDA_OK;
    uint64_t looks = 0;
    for (uint32_t level = p->levels->levels; level-- > 0;) {
        while (p->lack[level]) {
            uint32_t to = 0;
            pull up = cheapest_pull(p, level);
            double leaving = price_of_leaving(p, level, &to);
            ksda_i_work(p->ctx, STEP_UNITS * (uint64_t)p->levels->communities);
            KSDA_I_TRY(ksda_i_look(p->ctx, looks++));
            if (isinf(leaving) && isinf(up.price)) break;
            if (leaving <= up.price * p->lack[level])
                leave(p, level, to);
            else
                move(p, up.community, up.from, level);
        }
    }
done:
    return status;
}

/* --- annealing ---------------------------------------------------------------------------------------------------- */

static uint32_t draw_below(ksda_i_share_plan *p, uint32_t bound) {
    return (uint32_t)ksda_i_rng_below(&p->rng, bound);
}

/* 1, or with half the chance each 2, 3, ... */
static uint32_t draw_distance(ksda_i_share_plan *p) {
    uint64_t bits = ksda_i_rng_next(&p->rng) | UINT64_C(1) << 63;
    return 1 + (uint32_t)__builtin_ctzll(bits);
}

/* The next level from here, downwards or upwards, where c has a vertex; UINT32_MAX where there is none near. */
static uint32_t nearest(const ksda_i_share_plan *p, uint32_t c, uint32_t level, bool down) {
    for (uint32_t i = 1; i <= REACH; i++) {
        if (down ? i > level : level + i >= p->levels->levels) break;
        uint32_t at = down ? level - i : level + i;
        if (*cell(p, p->here, at, c)) return at;
    }
    return UINT32_MAX;
}

static uint32_t largest_at(ksda_i_share_plan *p, uint32_t level) {
    uint32_t counted = p->levels->counted, c = draw_below(p, counted);
    if (p->largest[level] == 0) return counted; /* none is known: those go */
    while (*cell(p, p->here, level, c) < p->largest[level]) c = c + 1 < counted ? c + 1 : 0;
    return c;
}

/* A vertex that might move, and where to; false where none was found. */
static bool propose(ksda_i_share_plan *p, uint32_t low, uint32_t *c, uint32_t *from, uint32_t *to) {
    uint32_t levels = p->levels->levels, step = draw_distance(p);
    *c = draw_below(p, p->levels->communities);
    if (p->bads && draw_below(p, 4)) {
        uint32_t level = p->bad[draw_below(p, p->bads)], kind = draw_below(p, 4);
        if (kind < 2) { /* a vertex comes, from below or from above */
            *from = nearest(p, *c, level, kind == 0), *to = level;
            return *from != UINT32_MAX;
        }
        *c = largest_at(p, level), *from = level;
    } else {
        *from = low + draw_below(p, levels - low);
        uint32_t towards =
            draw_below(p, 4); /* often to where others of the community are, or to where they came from */
        if (*cell(p, p->here, *from, *c) == 0) *from = nearest(p, *c, *from, true);
        if (*from == UINT32_MAX) return false;
        if (towards == 0) {
            *to = nearest(p, *c, *from, draw_below(p, 2));
            return *to != UINT32_MAX;
        }
    }
    if (draw_below(p, 2)) {
        *to = *from + step;
        return *to < levels;
    }
    *to = *from - step;
    return step <= *from;
}

/* One step; a move that is not liked is taken back. */
static void step(ksda_i_share_plan *p, uint32_t low, double heat, double price) {
    uint32_t c, from, to;
    if (!propose(p, low, &c, &from, &to) || !may_move(p, c, from, to)) return;
    double before = price * (double)p->lacking, need = (double)p->need[c];
    move(p, c, from, to);
    double rises = (double)p->need[c] - need, change = price * (double)p->lacking - before;
    double draw = ksda_i_rng_unit(&p->rng), now = p->price[c];
    bool up = to > from; /* then it can only become dearer: a quick look before a long one */
    if (!up || change <= 0 || draw < exp(-change / heat)) {
        now = price_of(p, c);
        change += now - p->price[c] + 0.05 * rises;
        if (change <= 0 || draw < exp(-change / heat)) {
            p->price[c] = now;
            return;
        }
    }
    move(p, c, to, from);
}

/* The lowest level that has to do with it, and some below. */
static uint32_t lowest_level(const ksda_i_share_plan *p) {
    for (uint32_t i = 0; i < p->levels->levels; i++) {
        bool moved = p->lack[i] > 0;
        for (uint32_t c = 0; c < p->levels->communities && !moved; c++) moved = *cell(p, p->rise, i, c) > 0;
        if (moved) return i > 8 ? i - 8 : 0;
    }
    return 0;
}

/* From this temperature on, and with this price of what is lacking. */
static ksda_status anneal(ksda_i_share_plan *p, uint64_t steps, double hot, double dear) {
    ksda_status status = KSDA_OK;
    uint32_t low = lowest_level(p);
    for (uint32_t c = 0; c < p->levels->communities; c++) p->price[c] = price_of(p, c);
    for (uint64_t done = 0; done < steps; done += SLICE) {
        double part = (double)done / (double)steps, heat = hot * pow(COLD / hot, part),
               price = dear * pow(LACK_COLD / dear, part);
        for (uint32_t i = 0; i < SLICE; i++) step(p, low, heat, price);
        ksda_i_work(p->ctx, SLICE * (uint64_t)(STEP_UNITS + p->levels->communities));
        KSDA_I_TRY(ksda_i_interrupted(p->ctx));
        if (ksda_i_time_left(p->ctx) <= 0) break;
    }
    for (uint32_t i = 0; i < SLICE; i++) step(p, low, 1e-6, 1e6);
done:
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_share_plan_open(ksda_ctx *ctx, const ksda_i_share_levels *l, ksda_share share, uint32_t k,
                                   const double *free, ksda_i_share_plan *out) {
    uint64_t cells = (uint64_t)l->levels * l->communities;
    *out = (ksda_i_share_plan){.ctx = ctx, .levels = l, .share = share, .k = k};
    out->here = ksda_i_malloc(ctx, cells, sizeof *out->here);
    out->rise = ksda_i_calloc(ctx, cells, sizeof *out->rise);
    out->people = ksda_i_malloc(ctx, l->levels, sizeof *out->people);
    out->largest = ksda_i_malloc(ctx, l->levels, sizeof *out->largest);
    out->lack = ksda_i_calloc(ctx, l->levels, sizeof *out->lack);
    out->bad = ksda_i_malloc(ctx, l->levels, sizeof *out->bad);
    out->bad_at = ksda_i_malloc(ctx, l->levels, sizeof *out->bad_at);
    out->need = ksda_i_calloc(ctx, l->communities, sizeof *out->need);
    out->free = ksda_i_malloc(ctx, l->communities, sizeof *out->free);
    out->price = ksda_i_calloc(ctx, l->communities, sizeof *out->price);
    out->needs = ksda_i_calloc(ctx, (uint64_t)l->degree[l->levels - 1] + 1, sizeof *out->needs);
    if (!out->here || !out->rise || !out->people || !out->largest || !out->lack || !out->bad || !out->bad_at ||
        !out->need || !out->free || !out->price || !out->needs)
        return KSDA_NOMEM;
    memcpy(out->free, free, l->communities * sizeof *free);
    memcpy(out->here, l->count, cells * sizeof *out->here);
    for (uint32_t i = 0; i < l->levels; i++) out->bad_at[i] = UINT32_MAX;
    count_all(out);
    return KSDA_OK;
}

void ksda_i_share_plan_close(ksda_i_share_plan *p) {
    void *block[] = {p->here,   p->rise, p->people, p->largest, p->lack, p->bad,
                     p->bad_at, p->need, p->free,   p->price,   p->needs};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(p->ctx, block[i]);
}

void ksda_i_share_plan_round(ksda_i_share_plan *p, const double *rise) {
    const ksda_i_share_levels *l = p->levels;
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t came = 0;
        p->need[c] = 0;
        for (uint32_t i = 0; i < l->levels; i++) {
            uint32_t there = *cell(p, l->count, i, c) + came, most = *cell(p, l->most, i, c),
                     goes = (uint32_t)(rise[ksda_i_share_cell(l, i, c)] + 0.5);
            if (goes > there) goes = there;
            if (goes > most) goes = most;
            if (i + 1 == l->levels) goes = 0;
            *cell(p, p->rise, i, c) = goes, *cell(p, p->here, i, c) = there - goes;
            if (goes) p->need[c] += (uint64_t)goes * (l->degree[i + 1] - l->degree[i]);
            came = goes;
        }
    }
    count_all(p);
}

ksda_status ksda_i_share_plan_search(ksda_i_share_plan *p, uint32_t attempt, bool warm, uint64_t steps) {
    p->rng = ksda_i_rng_stream(ksda_ctx_seed(p->ctx), 0x73686172, attempt);
    ksda_status status;
    KSDA_I_TRY(mend(p));
    if (p->levels->levels < 2) goto done;
    KSDA_I_TRY(anneal(p, steps, warm ? WARM : HOT, warm ? LACK_WARM : LACK_HOT));
    for (uint32_t i = 0; i < AGAIN && p->lacking; i++) { /* little is lacking: that first, then cheaper again */
        KSDA_I_TRY(mend(p));
        KSDA_I_TRY(anneal(p, steps / AGAIN, HOT / 2, LACK_COLD / 2));
    }
done:
    return status;
}
