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
#define AGAIN 4u         /* times that a plan that lacks some is mended and changed again */
#define CANDIDATES 4u    /* communities that are looked at for a vertex to mend a level with */
#define RISE_WEIGHT 0.05 /* a rise that costs no edge is still worse than none */
#define SLICE 8192u      /* steps between two looks at the clock */
#define STEP_UNITS 100u  /* of work, for a step, */
#define NEED_UNITS 8u    /* and for each level that is looked at for what a community needs */

static uint32_t *plan_cell(const ksda_i_share_plan *p, uint32_t *table, uint32_t level, uint32_t c) {
    return &table[ksda_i_share_cell(p->levels, level, c)];
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* Those at the level whose community is not known. */
static uint32_t unknown_at(const ksda_i_share_plan *p, uint32_t level) {
    return p->levels->counted < p->levels->communities ? *plan_cell(p, p->here, level, p->levels->counted) : 0;
}

static void count_level(ksda_i_share_plan *p, uint32_t level) {
    const uint32_t *row = plan_cell(p, p->here, level, 0);
    uint32_t largest = 0, communities = 0;
    for (uint32_t c = 0; c < p->levels->counted; c++) {
        largest = row[c] > largest ? row[c] : largest;
        communities += row[c] > 0;
    }
    uint32_t known = p->people[level] - unknown_at(p, level),
             lack = p->people[level] ? ksda_i_share_lack(p, known, largest, communities) : 0;
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

static void count_all_levels(ksda_i_share_plan *p) {
    for (uint32_t i = 0; i < p->levels->levels; i++) {
        p->people[i] = 0;
        for (uint32_t c = 0; c < p->levels->communities; c++) p->people[i] += *plan_cell(p, p->here, i, c);
    }
    for (uint32_t i = 0; i < p->levels->levels; i++) count_level(p, i);
}

/* --- moves -------------------------------------------------------------------------------------------------------- */

/* Can a vertex of c go from one level to another: up where not too many have gone, down where some have come? */
static bool may_move(const ksda_i_share_plan *p, uint32_t c, uint32_t from, uint32_t to) {
    if (*plan_cell(p, p->here, from, c) == 0) return false;
    for (uint32_t i = from; i < to; i++)
        if (*plan_cell(p, p->rise, i, c) >= *plan_cell(p, p->levels->most, i, c)) return false;
    for (uint32_t i = to; i < from; i++)
        if (*plan_cell(p, p->rise, i, c) == 0) return false;
    return true;
}

static void move_person(ksda_i_share_plan *p, uint32_t c, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) ++*plan_cell(p, p->rise, i, c);
    for (uint32_t i = to; i < from; i++) --*plan_cell(p, p->rise, i, c);
    p->need[c] += p->levels->degree[to], p->need[c] -= p->levels->degree[from];
    --*plan_cell(p, p->here, from, c), ++*plan_cell(p, p->here, to, c);
    p->people[from]--, p->people[to]++;
    count_level(p, from), count_level(p, to);
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Note that so many rise by this much. */
static void note_need(ksda_i_share_plan *p, uint32_t by, uint32_t count, uint32_t *most) {
    if (by == 0) return;
    p->needs[by] += count;
    if (by > *most) *most = by;
}

/* The needs of a community, larger degrees to higher levels: how many rise by how much, in p->needs. The most. */
static uint32_t list_needs(ksda_i_share_plan *p, uint32_t c) {
    const ksda_i_share_levels *l = p->levels;
    uint32_t from = l->levels, left = 0, most = 0, to = l->levels; /* those of level `from` who have no target yet */
    uint64_t open = p->need[c];                                    /* nobody rises any more once all of it is found */
    while (to-- > 0 && open) {
        for (uint32_t places = *plan_cell(p, p->here, to, c); places && open;) {
            while (left == 0) left = *plan_cell(p, l->count, --from, c);
            uint32_t some = left < places ? left : places, by = l->degree[to] - l->degree[from];
            note_need(p, by, some, &most);
            open -= (uint64_t)by * some;
            left -= some, places -= some;
        }
    }
    p->looks += 2 * (l->levels - to);
    return most;
}

/* Two needs that meet share an edge, but each pair of members only once. For the h largest needs H: an edge that has an
 * end in H serves two needs only inside H, where so many pairs are not adjacent yet, or at somebody else, who meets
 * each of H once. So the edges are at least the sum of H, less these pairs, and half of what the others need beyond h
 * each. */
static double price_of_community(ksda_i_share_plan *p, uint32_t c) {
    double best = ceil((double)p->need[c] / 2), sum = 0, pairs = 0;
    double beyond = (double)p->need[c]; /* what all need beyond h each */
    if (p->need[c] == 0) return 0;
    uint32_t most = list_needs(p, c), as_large = 0, h = 0; /* as_large: needs of h and more */
    for (uint32_t by = 1; by <= most; by++) as_large += p->needs[by];
    for (uint32_t by = most; by > p->free[c] * h && by > 0; by--) { /* smaller ones would not raise it */
        for (uint32_t i = p->needs[by]; i && by > p->free[c] * h; i--) {
            pairs += p->free[c] * h, sum += by;
            if (h && h <= most) as_large -= p->needs[h];
            beyond -= as_large, h++;
            double least = sum - pairs + (by >= h ? (beyond - (sum - (double)h * h)) / 2 : 0);
            if (least > best) best = least;
        }
    }
    memset(p->needs, 0, ((uint64_t)most + 1) * sizeof *p->needs);
    return p->scarce ? best + p->scarce[c] * (2 * best - (double)p->need[c]) : best;
}

static void price_all_communities(ksda_i_share_plan *p) {
    for (uint32_t c = 0; c < p->levels->communities; c++) p->price[c] = price_of_community(p, c);
}

double ksda_i_share_plan_cost(const ksda_i_share_plan *p) {
    double sum = 0;
    for (uint32_t c = 0; c < p->levels->communities; c++) sum += p->price[c];
    return sum;
}

/* --- from the top down -------------------------------------------------------------------------------------------- */

/* What it would cost the level, about, that one of c leaves it. */
static double regret_of_leaving(const ksda_i_share_plan *p, uint32_t level, uint32_t c) {
    uint32_t own = *plan_cell(p, p->here, level, c), people = p->people[level] - unknown_at(p, level) - 1;
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
        uint32_t own = *plan_cell(p, p->here, level, c);
        if (own && own >= p->largest[level]) continue;
        for (uint32_t from = level; from-- > lowest;) {
            double price = p->levels->degree[level] - p->levels->degree[from];
            if (price >= best.price || *plan_cell(p, p->rise, from, c) >= *plan_cell(p, p->levels->most, from, c))
                break;
            if (*plan_cell(p, p->here, from, c) == 0) continue;
            price += regret_of_leaving(p, from, c);
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
        uint32_t own = *plan_cell(p, p->here, level, c), sum = own + *plan_cell(p, p->here, above, c);
        for (uint32_t i = level; own && i < above; i++)
            if (*plan_cell(p, p->rise, i, c) + own > *plan_cell(p, p->levels->most, i, c)) return INFINITY;
        if (c >= p->levels->counted) continue;
        largest = sum > largest ? sum : largest;
        communities += sum > 0, known += sum;
    }
    if (ksda_i_share_lack(p, known, largest, communities) > p->lack[above]) return INFINITY;
    *to = above;
    return (double)p->people[level] * (p->levels->degree[above] - p->levels->degree[level]);
}

static void leave_level(ksda_i_share_plan *p, uint32_t level, uint32_t to) {
    for (uint32_t c = 0; c < p->levels->communities; c++)
        while (*plan_cell(p, p->here, level, c)) move_person(p, c, level, to);
}

static ksda_status mend_levels(ksda_i_share_plan *p) {
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
                leave_level(p, level, to);
            else
                move_person(p, up.community, up.from, level);
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
static uint32_t nearest_occupied_level(const ksda_i_share_plan *p, uint32_t c, uint32_t level, bool down) {
    for (uint32_t i = 1; i <= REACH; i++) {
        if (down ? i > level : level + i >= p->levels->levels) break;
        uint32_t at = down ? level - i : level + i;
        if (*plan_cell(p, p->here, at, c)) return at;
    }
    return UINT32_MAX;
}

static uint32_t largest_at(ksda_i_share_plan *p, uint32_t level) {
    uint32_t counted = p->levels->counted, c = draw_below(p, counted);
    if (p->largest[level] == 0) return counted; /* none is known: those go */
    while (*plan_cell(p, p->here, level, c) < p->largest[level]) c = c + 1 < counted ? c + 1 : 0;
    return c;
}

/* A vertex that might move, and where to; false where none was found. */
static bool propose_move(ksda_i_share_plan *p, uint32_t low, uint32_t *c, uint32_t *from, uint32_t *to) {
    uint32_t levels = p->levels->levels, step = draw_distance(p);
    *c = draw_below(p, p->levels->communities);
    if (p->bads && draw_below(p, 4)) {
        uint32_t level = p->bad[draw_below(p, p->bads)], kind = draw_below(p, 4);
        if (kind < 2) { /* a vertex comes, from below or from above */
            *from = nearest_occupied_level(p, *c, level, kind == 0), *to = level;
            return *from != UINT32_MAX;
        }
        *c = largest_at(p, level), *from = level;
    } else {
        *from = low + draw_below(p, levels - low);
        uint32_t towards =
            draw_below(p, 4); /* often to where others of the community are, or to where they came from */
        if (*plan_cell(p, p->here, *from, *c) == 0) *from = nearest_occupied_level(p, *c, *from, true);
        if (*from == UINT32_MAX) return false;
        if (towards == 0) {
            *to = nearest_occupied_level(p, *c, *from, draw_below(p, 2));
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

/* A vertex that might come to a level that lacks others, the nearest of a few communities, or leave it. */
static bool propose_repair(ksda_i_share_plan *p, uint32_t level, uint32_t *c, uint32_t *from, uint32_t *to) {
    uint32_t kind = draw_below(p, 4), nearest_gap = UINT32_MAX;
    if (kind == 0) {
        *c = largest_at(p, level), *from = level;
        *to = nearest_occupied_level(p, *c, level, draw_below(p, 2));
        return *to != UINT32_MAX;
    }
    *to = level;
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        uint32_t other = draw_below(p, p->levels->counted), at = nearest_occupied_level(p, other, level, kind < 3);
        if (at == UINT32_MAX || *plan_cell(p, p->here, level, other) >= p->largest[level]) continue;
        uint32_t gap = at < level ? level - at : at - level;
        if (gap < nearest_gap) nearest_gap = gap, *c = other, *from = at;
    }
    return nearest_gap != UINT32_MAX;
}

/* Moves that are made together, and can be taken back. */
typedef struct move_chain {
    uint32_t count, community[KSDA_I_SHARE_CHAIN], from[KSDA_I_SHARE_CHAIN], to[KSDA_I_SHARE_CHAIN];
    double now[KSDA_I_SHARE_CHAIN]; /* prices of the communities */
} move_chain;

static void chain_move(ksda_i_share_plan *p, move_chain *h, uint32_t c, uint32_t from, uint32_t to) {
    move_person(p, c, from, to);
    h->community[h->count] = c, h->from[h->count] = from, h->to[h->count++] = to;
}

static void chain_undo(ksda_i_share_plan *p, move_chain *h) {
    while (h->count--) move_person(p, h->community[h->count], h->to[h->count], h->from[h->count]);
}

/* A move, and others that mend the levels it has left lacking. */
static bool propose_chain(ksda_i_share_plan *p, uint32_t low, move_chain *h) {
    uint32_t c, from, to;
    uint64_t lacking = p->lacking;
    if (!propose_move(p, low, &c, &from, &to) || !may_move(p, c, from, to)) return false;
    chain_move(p, h, c, from, to);
    while (h->count < p->chain && p->lacking > lacking) {
        uint32_t level = p->lack[from] ? from : p->lack[to] ? to : p->bad[draw_below(p, p->bads)];
        if (!propose_repair(p, level, &c, &from, &to) || !may_move(p, c, from, to)) break;
        chain_move(p, h, c, from, to);
    }
    return true;
}

/* What the chain changes in edges, about. */
static double chain_price(ksda_i_share_plan *p, move_chain *h) {
    double change = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t c = h->community[i];
        bool seen = false;
        for (uint32_t j = 0; j < i; j++) seen |= h->community[j] == c;
        if (!seen) h->now[i] = price_of_community(p, c), change += h->now[i] - p->price[c];
        if (seen) h->now[i] = -1;
        change += RISE_WEIGHT * ((double)p->levels->degree[h->to[i]] - (double)p->levels->degree[h->from[i]]);
    }
    return change;
}

/* One step; what is not liked is taken back. */
static void anneal_step(ksda_i_share_plan *p, uint32_t low, double heat, double price) {
    move_chain h = {0};
    double before = price * (double)p->lacking;
    if (!propose_chain(p, low, &h)) return;
    double change = price * (double)p->lacking - before, draw = ksda_i_rng_unit(&p->rng);
    if (change <= 0 || draw < exp(-change / heat)) { /* a quick look before a long one */
        change += chain_price(p, &h);
        if (change <= 0 || draw < exp(-change / heat)) {
            for (uint32_t i = 0; i < h.count; i++)
                if (h.now[i] >= 0) p->price[h.community[i]] = h.now[i];
            return;
        }
    }
    chain_undo(p, &h);
}

/* The lowest level that has to do with it, and some below. */
static uint32_t lowest_level(const ksda_i_share_plan *p) {
    for (uint32_t i = 0; i < p->levels->levels; i++) {
        bool moved = p->lack[i] > 0;
        for (uint32_t c = 0; c < p->levels->communities && !moved; c++) moved = *plan_cell(p, p->rise, i, c) > 0;
        if (moved) return i > 8 ? i - 8 : 0;
    }
    return 0;
}

/* From this temperature on, and with this price of what is lacking. */
static ksda_status anneal_plan(ksda_i_share_plan *p, uint64_t steps, double hot, double dear) {
    ksda_status status = KSDA_OK;
    uint32_t low = lowest_level(p);
    price_all_communities(p);
    for (uint64_t done = 0; done < steps; done += SLICE) {
        double part = (double)done / (double)steps, heat = hot * pow(COLD / hot, part),
               price = dear * pow(LACK_COLD / dear, part);
        for (uint32_t i = 0; i < SLICE; i++) anneal_step(p, low, heat, price);
        ksda_i_work(p->ctx, SLICE * (uint64_t)STEP_UNITS + NEED_UNITS * p->looks);
        p->looks = 0;
        KSDA_I_TRY(ksda_i_interrupted(p->ctx));
        if (ksda_i_time_left(p->ctx) <= 0) break;
    }
    for (uint32_t i = 0; i < SLICE; i++) anneal_step(p, low, 1e-6, 1e6);
done:
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_share_plan_open(ksda_ctx *ctx, const ksda_i_share_levels *l, ksda_share share, uint32_t k,
                                   const double *free, ksda_i_share_plan *out) {
    uint64_t cells = (uint64_t)l->levels * l->communities;
    *out = (ksda_i_share_plan){.ctx = ctx, .levels = l, .share = share, .k = k, .chain = 1};
    out->here = ksda_i_malloc(ctx, cells, sizeof *out->here);
    out->rise = ksda_i_calloc(ctx, cells, sizeof *out->rise);
    out->best = ksda_i_malloc(ctx, cells, sizeof *out->best);
    out->people = ksda_i_malloc(ctx, l->levels, sizeof *out->people);
    out->largest = ksda_i_malloc(ctx, l->levels, sizeof *out->largest);
    out->lack = ksda_i_calloc(ctx, l->levels, sizeof *out->lack);
    out->bad = ksda_i_malloc(ctx, l->levels, sizeof *out->bad);
    out->bad_at = ksda_i_malloc(ctx, l->levels, sizeof *out->bad_at);
    out->need = ksda_i_calloc(ctx, l->communities, sizeof *out->need);
    out->free = ksda_i_malloc(ctx, l->communities, sizeof *out->free);
    out->price = ksda_i_calloc(ctx, l->communities, sizeof *out->price);
    out->needs = ksda_i_calloc(ctx, (uint64_t)l->degree[l->levels - 1] + 1, sizeof *out->needs);
    if (!out->here || !out->rise || !out->best || !out->people || !out->largest || !out->lack || !out->bad ||
        !out->bad_at || !out->need || !out->free || !out->price || !out->needs)
        return KSDA_NOMEM;
    memcpy(out->free, free, l->communities * sizeof *free);
    memcpy(out->here, l->count, cells * sizeof *out->here);
    for (uint32_t i = 0; i < l->levels; i++) out->bad_at[i] = UINT32_MAX;
    count_all_levels(out);
    return KSDA_OK;
}

void ksda_i_share_plan_close(ksda_i_share_plan *p) {
    void *block[] = {p->here,   p->rise, p->people, p->largest, p->lack,  p->bad,
                     p->bad_at, p->need, p->free,   p->price,   p->needs, p->best};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) ksda_i_free(p->ctx, block[i]);
}

void ksda_i_share_plan_round(ksda_i_share_plan *p, const double *rise) {
    const ksda_i_share_levels *l = p->levels;
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t came = 0;
        p->need[c] = 0;
        for (uint32_t i = 0; i < l->levels; i++) {
            uint32_t there = *plan_cell(p, l->count, i, c) + came, most = *plan_cell(p, l->most, i, c),
                     goes = (uint32_t)(rise[ksda_i_share_cell(l, i, c)] + 0.5);
            if (goes > there) goes = there;
            if (goes > most) goes = most;
            if (i + 1 == l->levels) goes = 0;
            *plan_cell(p, p->rise, i, c) = goes, *plan_cell(p, p->here, i, c) = there - goes;
            if (goes) p->need[c] += (uint64_t)goes * (l->degree[i + 1] - l->degree[i]);
            came = goes;
        }
    }
    count_all_levels(p);
}

void ksda_i_share_plan_read(ksda_i_share_plan *p) {
    const ksda_i_share_levels *l = p->levels;
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t came = 0;
        p->need[c] = 0;
        for (uint32_t i = 0; i < l->levels; i++) {
            uint32_t goes = *plan_cell(p, l->count, i, c) + came - *plan_cell(p, p->here, i, c);
            *plan_cell(p, p->rise, i, c) = goes;
            if (goes) p->need[c] += (uint64_t)goes * (l->degree[i + 1] - l->degree[i]);
            came = goes;
        }
    }
    count_all_levels(p);
    price_all_communities(p);
}

/* Remember the plan, or go back to the one that is remembered where that is better. */
static void remember_plan(ksda_i_share_plan *p) {
    memcpy(p->best, p->here, (uint64_t)p->levels->levels * p->levels->communities * sizeof *p->best);
}

static void go_back_to_remembered(ksda_i_share_plan *p, double cost) {
    if (p->lacking == 0 && ksda_i_share_plan_cost(p) <= cost) return;
    memcpy(p->here, p->best, (uint64_t)p->levels->levels * p->levels->communities * sizeof *p->here);
    ksda_i_share_plan_read(p);
}

ksda_status ksda_i_share_plan_search(ksda_i_share_plan *p, uint32_t attempt, bool warm, uint64_t steps) {
    p->rng = ksda_i_rng_stream(ksda_ctx_seed(p->ctx), 0x73686172, attempt);
    ksda_status status;
    KSDA_I_TRY(mend_levels(p));
    if (p->levels->levels < 2) goto done;
    price_all_communities(p);
    bool holds = p->lacking == 0;
    double cost = ksda_i_share_plan_cost(p);
    if (holds) remember_plan(p);
    KSDA_I_TRY(anneal_plan(p, steps, warm ? WARM : HOT, warm ? LACK_WARM : LACK_HOT));
    for (uint32_t i = 0; i < AGAIN && p->lacking; i++) { /* little is lacking: that first, then cheaper again */
        KSDA_I_TRY(mend_levels(p));
        KSDA_I_TRY(anneal_plan(p, steps / AGAIN, HOT / 2, LACK_COLD / 2));
    }
    if (holds) go_back_to_remembered(p, cost);
done:
    return status;
}
