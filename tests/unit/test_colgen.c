/* Plans of all communities together: the cheapest one against trying them all, the bound never above the optimum, and
 * every failing allocation survived. */
#include "context.h"
#include "core/random.h"
#include "exact/exact.h"
#include "bound/colgen_pricing.h"
#include "lp/lp.h"
#include "exact_reference.h"
#include "failing_memory.h"
#include "random_edits.h"
#include "realistic.h"

#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* --- the cheapest plan -------------------------------------------------------------------------------------------- */

#define LEVELS 4u
#define LISTS 3u
#define MEMBERS 3u
#define STATES 8u

/* A question with room for everything in it. */
typedef struct riddle {
    ksda_i_colgen_pricing_problem question;
    ksda_i_colgen_list list[LISTS];
    uint32_t level[LEVELS], start[LISTS][STATES + 1], set[LISTS][STATES], degree[LISTS][MEMBERS];
    ksda_i_colgen_step step[LISTS][3 * STATES];
    int64_t left[LISTS][STATES];
    uint8_t others[LISTS][STATES];
    int32_t price[LISTS][MEMBERS * LEVELS], supply[LISTS][LEVELS], anchor[(LEVELS + 1) * (LEVELS + 1)];
    int32_t split[LISTS][MEMBERS], piece[LISTS][LEVELS]; /* used in every other riddle */
    int8_t open[LEVELS], uses[LISTS * LEVELS];
} riddle;

static uint32_t roll(ksda_i_rng *rng, uint32_t sides) {
    return (uint32_t)ksda_i_rng_below(rng, sides);
}

static int64_t left_out(const riddle *r, uint32_t c, uint32_t set) {
    for (uint32_t i = 0; i < r->list[c].members; i++)
        if (!(set >> i & 1)) return r->degree[c][i];
    return -1;
}

/* The beginnings of the list, or all sets. */
static void make_states(riddle *r, ksda_i_rng *rng, uint32_t c, bool sorted) {
    ksda_i_colgen_list *list = r->list + c;
    uint32_t steps = 0, n = list->members;
    list->states = 0;
    for (uint32_t first = 0; first <= n; first++) /* by who is left out first, then by size: after all sets they hold */
        for (uint32_t set = 0; set < 1u << n; set++) {
            uint32_t i = 0;
            while (i < n && set >> i & 1) i++;
            if (i != first || (sorted && set >> i)) continue;
            r->set[c][list->states++] = set;
        }
    for (uint32_t s = 0; s < list->states; s++) {
        r->start[c][s] = steps, r->left[c][s] = left_out(r, c, r->set[c][s]);
        r->others[c][s] = sorted ? r->set[c][s] == (1u << n) - 1 : roll(rng, 2) || r->set[c][s] == (1u << n) - 1;
        for (uint32_t from = 0; from < s; from++)
            for (uint32_t i = 0; i < n; i++)
                if (!(r->set[c][from] >> i & 1) && (r->set[c][from] | 1u << i) == r->set[c][s])
                    r->step[c][steps++] = (ksda_i_colgen_step){from, i};
    }
    r->start[c][list->states] = steps;
    list->start = r->start[c], list->step = r->step[c], list->left = r->left[c], list->others = r->others[c];
    list->price = r->price[c], list->supply = r->supply[c];
}

static void make_splits(riddle *r, ksda_i_rng *rng, uint32_t c) {
    for (uint32_t i = 0; i < r->list[c].members; i++) r->split[c][i] = (int32_t)roll(rng, 40) - 4;
    for (uint32_t q = 0; q < r->question.levels; q++)
        r->piece[c][q] = roll(rng, 4) == 0 ? KSDA_I_COLGEN_FAR : (int32_t)roll(rng, 25);
    r->list[c].split = r->split[c], r->list[c].piece = r->piece[c];
}

static void make_riddle(riddle *r, ksda_i_rng *rng) {
    ksda_i_colgen_pricing_problem *x = &r->question;
    uint32_t levels = 2 + roll(rng, LEVELS - 1), lists = 1 + roll(rng, LISTS), negative = roll(rng, 3) == 0 ? 3 : 0;
    bool splits = roll(rng, 2);
    *x = (ksda_i_colgen_pricing_problem){.levels = levels,
                                         .lists = lists,
                                         .need = roll(rng, lists + 1),
                                         .level = r->level,
                                         .floor = 2,
                                         .list = r->list,
                                         .anchor = r->anchor,
                                         .most = KSDA_I_COLGEN_FAR,
                                         .open = r->open,
                                         .uses = r->uses};
    for (uint32_t q = 0; q < levels; q++) r->level[q] = 3 + 2 * (levels - q);
    for (uint32_t c = 0; c < lists; c++) {
        r->list[c].members = roll(rng, MEMBERS + 1);
        uint32_t degree = r->level[0];
        for (uint32_t i = 0; i < r->list[c].members; i++) {
            r->degree[c][i] = degree = degree > 1 ? degree - roll(rng, degree > 5 ? 5 : 2) : degree;
            for (uint32_t q = 0; q < levels; q++)
                r->price[c][i * levels + q] = r->level[q] < degree    ? KSDA_I_COLGEN_FAR
                                              : r->level[q] == degree ? 0
                                                                      : (int32_t)roll(rng, 20) - (int32_t)negative;
        }
        for (uint32_t q = 0; q < levels; q++)
            r->supply[c][q] = roll(rng, 3) == 0 ? KSDA_I_COLGEN_FAR : (int32_t)(5 + roll(rng, 20)) - (int32_t)negative;
        make_states(r, rng, c, roll(rng, 2));
        if (splits) make_splits(r, rng, c);
    }
    for (uint32_t i = 0; i < (levels + 1) * (levels + 1); i++)
        r->anchor[i] = roll(rng, 8) == 0 ? KSDA_I_COLGEN_FAR : (int32_t)roll(rng, 30);
    for (uint32_t q = 0; q < levels; q++) r->open[q] = (int8_t)(roll(rng, 6) > 1 ? -1 : (int)roll(rng, 2));
    for (uint32_t i = 0; i < lists * levels; i++) r->uses[i] = (int8_t)(roll(rng, 8) > 1 ? -1 : (int)roll(rng, 2));
}

static uint32_t state_of(const riddle *r, uint32_t c, uint32_t set) {
    for (uint32_t s = 0; s < r->list[c].states; s++)
        if (r->set[c][s] == set) return s;
    return UINT32_MAX;
}

/* Can list c go from one set to a larger one by allowed steps? */
static bool way(const riddle *r, uint32_t c, uint32_t from, uint32_t to) {
    if (state_of(r, c, from) == UINT32_MAX) return false;
    if (from == to) return true;
    for (uint32_t i = 0; i < r->list[c].members; i++)
        if ((to & ~from) >> i & 1 && way(r, c, from | 1u << i, to)) return true;
    return false;
}

static int64_t splits_pay(const riddle *r, uint32_t c, uint32_t set) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < r->list[c].members; i++)
        if (set >> i & 1) sum += r->list[c].split ? r->split[c][i] : KSDA_I_COLGEN_FAR;
    return sum;
}

static int64_t list_pays(const riddle *r, uint32_t c, uint32_t q, uint32_t placed, uint32_t use);

/* The same when nobody is split before level q. */
static int64_t list_pays_now(const riddle *r, uint32_t c, uint32_t q, uint32_t placed, uint32_t use) {
    const ksda_i_colgen_pricing_problem *x = &r->question;
    int64_t best = KSDA_I_COLGEN_FAR, level = q < x->levels ? (int64_t)x->level[q] : x->floor;
    if (left_out(r, c, placed) > level) return best;
    if (q == x->levels) return 0;
    if (!(use >> q & 1)) return list_pays(r, c, q + 1, placed, use);
    int64_t others = r->others[c][state_of(r, c, placed)] ? r->supply[c][q] : KSDA_I_COLGEN_FAR;
    if (r->list[c].piece && r->piece[c][q] < others)
        others = r->piece[c][q]; /* they come first, from where the list stood before */
    for (uint32_t more = 0; more < 1u << r->list[c].members; more++) {
        if (more & placed || !way(r, c, placed, placed | more)) continue;
        int64_t later = list_pays(r, c, q + 1, placed | more, use);
        for (uint32_t part = more;; part = (part - 1) & more) { /* comes to the level; the others are split */
            int64_t sum = later + splits_pay(r, c, more & ~part);
            for (uint32_t i = 0; i < r->list[c].members; i++)
                if (part >> i & 1) sum += r->price[c][i * x->levels + q];
            if (part && sum < best) best = sum;
            if (sum + others < best) best = sum + others;
            if (part == 0) break;
        }
    }
    return best;
}

/* The least that list c pays for levels q and below when `placed` were placed above, using exactly the levels in `use`.
 */
static int64_t list_pays(const riddle *r, uint32_t c, uint32_t q, uint32_t placed, uint32_t use) {
    int64_t best = KSDA_I_COLGEN_FAR;
    for (uint32_t more = 0; more < 1u << r->list[c].members; more++) {
        if (more & placed || !way(r, c, placed, placed | more)) continue;
        int64_t sum = splits_pay(r, c, more);
        if (sum < KSDA_I_COLGEN_FAR) sum += list_pays_now(r, c, q, placed | more, use);
        if (sum < best) best = sum;
    }
    return best;
}

/* All choices of open levels and of who uses them. */
static int64_t try_all(const riddle *r) {
    const ksda_i_colgen_pricing_problem *x = &r->question;
    int64_t best = KSDA_I_COLGEN_FAR, pays[LISTS][1u << LEVELS];
    for (uint32_t c = 0; c < x->lists; c++)
        for (uint32_t use = 0; use < 1u << x->levels; use++) pays[c][use] = list_pays(r, c, 0, 0, use);
    for (uint32_t open = 0; open < 1u << x->levels; open++) {
        int64_t anchor = 0;
        uint32_t last = x->levels, users[LEVELS] = {0};
        bool ok = true;
        for (uint32_t q = 0; q < x->levels; q++) {
            if (r->open[q] >= 0 && (open >> q & 1) != (uint32_t)r->open[q]) ok = false;
            if (!(open >> q & 1)) continue;
            anchor += r->anchor[last * (x->levels + 1) + q], last = q;
        }
        anchor += r->anchor[last * (x->levels + 1) + x->levels];
        if (!ok || anchor >= KSDA_I_COLGEN_FAR) continue;
        uint64_t choices = UINT64_C(1) << (x->levels * x->lists);
        for (uint64_t choice = 0; choice < choices; choice++) {
            int64_t sum = anchor;
            bool good = true;
            memset(users, 0, sizeof users);
            for (uint32_t c = 0; c < x->lists && good; c++) {
                uint32_t use = (uint32_t)(choice >> (c * x->levels)) & ((1u << x->levels) - 1);
                for (uint32_t q = 0; q < x->levels; q++) {
                    int8_t fixed = r->uses[c * x->levels + q];
                    if (use >> q & 1) users[q]++;
                    if (fixed >= 0 && open >> q & 1 && (use >> q & 1) != (uint32_t)fixed) good = false;
                }
                if (use & ~open) good = false;
                if (good) sum += pays[c][use];
            }
            for (uint32_t q = 0; q < x->levels; q++)
                if (open >> q & 1 && users[q] < x->need) good = false;
            if (good && sum < best) best = sum;
        }
    }
    return best;
}

/* What the plan costs, by its own account. */
static int64_t price_of(const riddle *r, const ksda_i_colgen_plan *p) {
    const ksda_i_colgen_pricing_problem *x = &r->question;
    int64_t sum = 0;
    uint32_t last = x->levels;
    for (uint32_t q = 0; q < x->levels; q++)
        if (p->open[q]) sum += r->anchor[last * (x->levels + 1) + q], last = q;
    sum += r->anchor[last * (x->levels + 1) + x->levels];
    for (uint32_t c = 0, at = 0; c < x->lists; c++)
        for (uint32_t i = 0; i < r->list[c].members; i++, at++)
            if (p->target[at] == KSDA_I_COLGEN_SPLIT)
                sum += r->split[c][i];
            else if (p->target[at] != KSDA_I_COLGEN_STAYS)
                sum += r->price[c][i * x->levels + p->target[at]];
    for (uint32_t i = 0; i < x->lists * x->levels; i++)
        sum += (p->uses[i] & 2 ? r->supply[i / x->levels][i % x->levels] : 0) +
               (p->uses[i] & 4 ? r->piece[i / x->levels][i % x->levels] : 0);
    return sum;
}

static void cheapest_plan_is_found(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng rng = ksda_i_rng_stream(7, 1, 0);
    uint8_t open[LEVELS], uses[LISTS * LEVELS];
    uint32_t target[LISTS * MEMBERS], possible = 0;
    ksda_i_colgen_plan plan = {open, uses, target};
    for (uint32_t round = 0; round < 3000; round++) {
        riddle r;
        int32_t value, again;
        bool found;
        memset(&r, 0, sizeof r);
        make_riddle(&r, &rng);
        int64_t expected = try_all(&r);
        assert_int_equal(ksda_i_colgen_price(ctx, &r.question, &plan, &found, &value), KSDA_OK);
        assert_int_equal(found, expected < KSDA_I_COLGEN_DEAR - r.question.rebate);
        if (!found) {
            assert_int_equal(value, KSDA_I_COLGEN_DEAR - r.question.rebate);
            continue;
        }
        assert_int_equal(value, expected);
        assert_int_equal(price_of(&r, &plan), expected);
        possible++;
        bool negative = r.list[0].split;
        for (uint32_t c = 0; c < r.question.lists; c++)
            for (uint32_t i = 0; i < r.question.levels; i++) negative |= r.supply[c][i] < 5;
        if (negative) continue;
        r.question.most = (int32_t)expected; /* a plan that costs just as much as the known one is found */
        assert_int_equal(ksda_i_colgen_price(ctx, &r.question, &plan, &found, &again), KSDA_OK);
        assert_int_equal(again, expected);
    }
    assert_true(possible > 1000);
}

/* What negative prices can take off in all. */
static int32_t rebate_of(const riddle *r) {
    int32_t sum = 0;
    for (uint32_t c = 0; c < r->question.lists; c++) {
        for (uint32_t i = 0; i < r->list[c].members; i++) {
            int32_t least = 0;
            for (uint32_t q = 0; q < r->question.levels; q++)
                if (r->price[c][i * r->question.levels + q] < least) least = r->price[c][i * r->question.levels + q];
            sum -= least;
            if (r->list[c].split && r->split[c][i] < 0) sum -= r->split[c][i];
        }
        for (uint32_t q = 0; q < r->question.levels; q++)
            if (r->supply[c][q] < 0) sum -= r->supply[c][q];
    }
    return sum;
}

static void scale(int32_t *price, uint32_t count, int32_t by) {
    for (uint32_t i = 0; i < count; i++)
        if (price[i] < KSDA_I_COLGEN_FAR) price[i] *= by;
}

/* Prices that pass what the table can hold: the cheapest plan is found exactly, or every plan costs as much as is said,
 * and that is no more than it does. */
static void what_is_too_dear_to_tell_is_told_apart(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng rng = ksda_i_rng_stream(8, 1, 0);
    uint8_t open[LEVELS], uses[LISTS * LEVELS];
    uint32_t target[LISTS * MEMBERS], dear = 0, told = 0;
    ksda_i_colgen_plan plan = {open, uses, target};
    for (uint32_t round = 0; round < 2000; round++) {
        riddle r;
        int32_t value;
        bool found;
        memset(&r, 0, sizeof r);
        make_riddle(&r, &rng);
        int32_t by = KSDA_I_COLGEN_DEAR / (50 + (int32_t)roll(&rng, 100)), less = rebate_of(&r);
        if (less > KSDA_I_COLGEN_FAR / 4 / by) continue;
        for (uint32_t c = 0; c < LISTS; c++) {
            scale(r.price[c], MEMBERS * LEVELS, by), scale(r.supply[c], LEVELS, by);
            scale(r.split[c], MEMBERS, by), scale(r.piece[c], LEVELS, by);
        }
        scale(r.anchor, (LEVELS + 1) * (LEVELS + 1), by);
        r.question.rebate = less * by;
        int64_t expected = try_all(&r);
        assert_int_equal(ksda_i_colgen_price(ctx, &r.question, &plan, &found, &value), KSDA_OK);
        assert_true(value <= expected && (found ? value == expected : value == KSDA_I_COLGEN_DEAR - r.question.rebate));
        assert_true(found || expected >= KSDA_I_COLGEN_DEAR - r.question.rebate);
        dear += !found && expected < KSDA_I_COLGEN_FAR, told += found;
    }
    print_message("%u plans found, %u too dear to tell\n", told, dear);
    assert_true(dear > 100 && told > 500);
}

/* --- the bound ---------------------------------------------------------------------------------------------------- */

static void need_cbc(void) {
    if (ksda_i_lp_available()) return;
    fprintf(stderr, "SKIPPED: built without CBC\n");
    skip();
}

static double bound_of(const ksda_i_levels *l, int64_t floor, uint64_t cells, uint32_t below, uint32_t cases,
                       double cutoff, bool *fits) {
    ksda_i_colgen_options o = {.floor = floor,
                               .cells = cells,
                               .pairs = 8000,
                               .below = below,
                               .rounds = 40,
                               .cases = cases,
                               .enough = INFINITY};
    double bound = 0;
    bool whole;
    assert_int_equal(ksda_i_colgen_bound(l, &o, &cutoff, &bound, fits, &whole), KSDA_OK);
    return bound;
}

static void never_above_the_optimum(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t tried = 0, met = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < 600; seed++) {
        ksda_network net;
        ksda_i_levels l;
        uint32_t communities = 2 + (uint32_t)(seed % 3 == 0), n = 6 + (uint32_t)(seed % 3),
                 k = 2 + (uint32_t)(seed % 9 == 0);
        random_network(ctx, seed + 40000, n, 0.25 + 0.1 * (double)(seed % 5), communities, &net);
        int expected = reference_add(net.graph, net.communities, k);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, k, &l), KSDA_OK);
        for (int64_t floor = -1; expected > 0 && floor < 4; floor++) {
            bool fits;
            uint64_t cells = seed % 2 ? 1u << 20 : 60; /* few cells: lists are sorted, members left out */
            double bound = bound_of(&l, floor, cells, (uint32_t)(seed / 2 + (uint64_t)(floor + 1)) % 4,
                                    seed % 4 == 3 ? 10 : 0, expected + (double)(seed % 5 * seed % 7), &fits);
            if (bound > expected)
                fprintf(stderr, "seed %llu floor %d: %g above %d\n", (unsigned long long)seed, (int)floor, bound,
                        expected);
            assert_true(bound <= expected);
            tried += fits, met += bound == expected;
        }
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
    assert_true(tried > 700 && met > tried / 4);
}

/* Twenty and more vertices with hubs, against the paper's integer program. */
static void never_above_formulation_1(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t solved = 0, close = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < 40; seed++) {
        ksda_network net;
        ksda_edits *edits;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        ksda_i_levels l;
        random_network(ctx, seed + 500, 14 + (uint32_t)(seed % 12), 0.3, 2 + (uint32_t)(seed % 3), &net);
        ksda_optimal_options_init(&o);
        o.solver = "cbc";
        o.k = seed % 3 == 2 && seed % 2 ? 3 : 2;
        assert_int_equal(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r), KSDA_OK);
        ksda_edits_free(ctx, edits);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, o.k, &l), KSDA_OK);
        for (int64_t floor = -1; r.status == KSDA_MODEL_OPTIMAL && floor < 8; floor += 3) {
            bool fits;
            double bound = bound_of(&l, floor, 1u << 20, (uint32_t)(seed % 3), 4, r.objective, &fits);
            if (bound > r.objective)
                fprintf(stderr, "seed %llu floor %d: %g above %g\n", (unsigned long long)seed, (int)floor, bound,
                        r.objective);
            assert_true(bound <= r.objective);
            solved += fits, close += fits && bound >= 0.75 * r.objective;
        }
        ksda_i_levels_clear(&l);
        ksda_network_clear(ctx, &net);
    }
    assert_true(solved > 40 && close > solved / 4);
}

/* The bound of releases with least to most added vertices, where a release is known that costs a little more than the
 * cutoff. */
static double split_bound_of(ksda_ctx *ctx, const ksda_network *net, uint32_t k, int64_t floor, uint64_t cells,
                             uint32_t below, ksda_i_colgen_splits splits, double cutoff, bool *fits) {
    ksda_i_levels l;
    ksda_i_colgen_options o = {.floor = floor,
                               .cells = cells,
                               .pairs = 8000,
                               .below = below,
                               .rounds = 30,
                               .enough = INFINITY,
                               .splits = splits};
    double bound = 0, mean = 0;
    bool whole;
    o.fractional_splits = &mean;
    assert_int_equal(ksda_i_levels_make(ctx, net->graph, net->communities, k, &l), KSDA_OK);
    ksda_i_levels_loosen(&l, splits.most);
    assert_int_equal(ksda_i_colgen_bound(&l, &o, &cutoff, &bound, fits, &whole), KSDA_OK);
    ksda_i_levels_clear(&l);
    return bound;
}

static void never_above_the_optimum_with_splits(void **state) {
    static const double weights[] = {0.5, 1, 2.5, 4, 7, 30, 17.3, 100, 333.3, 1000, 12345.6};
    ksda_ctx *ctx = *state;
    uint32_t tried = 0, met = 0, positive = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < times_as_many(700); seed++) {
        ksda_network net;
        double weight = weights[seed % 11], exactly[3];
        random_network(ctx, seed + 90000, 3 + (uint32_t)(seed % 4), 0.4 + 0.1 * (double)(seed % 3),
                       2 + (uint32_t)(seed / 3 % 2), &net);
        uint32_t k = 2 + (uint32_t)(seed % 5 == 0 && net.communities->count > 2);
        if (ksda_graph_edges(net.graph) > 6) {
            ksda_network_clear(ctx, &net);
            continue;
        }
        uint32_t most = ksda_graph_edges(net.graph) <= 4 ? 2 : 1;
        for (uint32_t s = 1; s <= most; s++)
            exactly[s] = reference_split_exactly(net.graph, net.communities, k, weight, s);
        for (uint32_t i = 0; i < 12; i++) {
            ksda_i_colgen_splits splits = {weight, 1 + i % most, most - (i / 2 % most)};
            if (splits.least > splits.most) continue;
            double best = INFINITY;
            for (uint32_t s = splits.least; s <= splits.most; s++) best = fmin(best, exactly[s]);
            bool fits;
            double known = isinf(best) ? weight * splits.most + 5 : best,
                   cutoffs[] = {known - 1, known, known + 20, 1e5};
            double bound = split_bound_of(ctx, &net, k, (int64_t)(i / 3) - 1, i % 2 ? 1u << 16 : 60,
                                          (uint32_t)((seed + i) % 3), splits, cutoffs[(seed / 11 + i) % 4], &fits);
            if (bound > best + 1e-9)
                fprintf(stderr, "seed %llu, %u to %u splits of weight %g, number %u: %g above %g\n",
                        (unsigned long long)seed, splits.least, splits.most, weight, i, bound, best);
            assert_true(bound <= best + 1e-9);
            tried += fits, positive += fits && bound > weight * splits.least + 1e-3,
                met += fits && bound > best - 0.01 - 1e-3 * best;
        }
        ksda_network_clear(ctx, &net);
    }
    print_message("%u bounds with splits, %u above the splits themselves, %u met\n", tried, positive, met);
    assert_true(tried > 2000 && positive > 300 && met > tried / 20);
}

/* Any multipliers, made good by the repair. */
static void roll_multipliers(ksda_i_rng *rng, const ksda_i_colgen_master *p, double *y) {
    static const double most[] = {[KSDA_I_COLGEN_NEED] = 1.2,  [KSDA_I_COLGEN_MOST] = 0.3, [KSDA_I_COLGEN_HELP] = 0.3,
                                  [KSDA_I_COLGEN_MATES] = 0.3, [KSDA_I_COLGEN_POOL] = 0.3, [KSDA_I_COLGEN_LINK] = 0.5,
                                  [KSDA_I_COLGEN_MASS] = 0.7,  [KSDA_I_COLGEN_ONE] = 0,    [KSDA_I_COLGEN_COUNT] = 40,
                                  [KSDA_I_COLGEN_PIECES] = 1.2};
    bool extreme = roll(rng, 3) > 0, few = roll(rng, 2);
    double all[KSDA_I_COLGEN_ONE + 1];
    for (uint32_t kind = 0; kind <= KSDA_I_COLGEN_ONE; kind++) all[kind] = roll(rng, 3) * most[kind] / 2;
    for (uint32_t r = 0; r < p->model.rows; r++) {
        ksda_i_colgen_kind kind = p->row[r].kind;
        y[r] = extreme ? all[kind] : most[kind] * ksda_i_rng_unit(rng);
        if (few && kind == KSDA_I_COLGEN_MOST) y[r] = 0;
        if (kind == KSDA_I_COLGEN_COUNT || kind == KSDA_I_COLGEN_PIECES) y[r] *= p->splits.weight;
    }
}

static bool is_split(const ksda_edits *edits, uint32_t v) {
    for (uint32_t x = ksda_edits_pieces(edits); x-- > 0 && ksda_edits_owner(edits, x) != x;)
        if (ksda_edits_owner(edits, x) == v) return true;
    return false;
}

/* What the program charges for a release at multipliers y. -1: it cannot say, because a member ends too high or
 * somebody else above the floor. */
static double charged(const ksda_i_colgen *j, const double *y, const double *price, const ksda_edits *edits,
                      const ksda_graph *published) {
    const ksda_i_colgen_master *p = &j->program;
    const ksda_i_levels *l = j->l;
    uint32_t width = j->level[0] + 1;
    double sum = ksda_i_colgen_program_constant(p, y);
    for (uint32_t list = 0; list <= j->lists; list++) {
        uint32_t c = list < j->lists ? j->who[list].community : j->anchor_community;
        for (uint32_t i = 0; i < l->start[c + 1] - l->start[c]; i++) {
            uint32_t v = l->vertex[l->start[c] + i], degree = ksda_i_degree(l->graph, v),
                     ends = ksda_i_degree(published, v);
            bool member = i < p->members[list];
            if (is_split(edits, v))
                sum += member ? ksda_i_colgen_program_split(p, y, list, degree) : 0;
            else if (member ? ends >= width : (int64_t)ends > j->options->floor && list < j->lists)
                return -1;
            else if (member)
                sum += price[(uint64_t)(p->begin[list] + i) * width + ends - degree];
        }
    }
    for (uint32_t x = 0; x < ksda_edits_pieces(edits); x++) {
        uint32_t v = ksda_edits_owner(edits, x), degree = ksda_i_degree(published, x);
        if (!is_split(edits, v) || (int64_t)degree <= j->options->floor) continue;
        for (uint32_t list = 0; list < j->lists; list++)
            if (j->who[list].community == l->communities->of[v]) sum += ksda_i_colgen_program_piece(p, y, list, degree);
    }
    return sum;
}

/* Weak duality, release by release: whatever the multipliers, none is charged more than it costs. */
static void no_release_is_charged_more_than_it_costs(void **state) {
    ksda_ctx *ctx = *state;
    ksda_i_rng rng = ksda_i_rng_stream(11, 3, 0);
    uint32_t checked = 0, split = 0, near = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < times_as_many(500); seed++) {
        ksda_network net;
        ksda_graph *published;
        edit_counts counts;
        random_network(ctx, seed + 5000, 6 + roll(&rng, 9), 0.3 + 0.1 * roll(&rng, 4), 2 + roll(&rng, 2), &net);
        ksda_edits *edits = random_edits(ctx, &rng, net.graph, net.communities, roll(&rng, 4), roll(&rng, 12), &counts);
        uint32_t n_s = ksda_edits_pieces(edits) - net.graph->n, least = roll(&rng, n_s + 1), most = n_s + roll(&rng, 2);
        ksda_i_colgen_options o = {
            .floor = (int64_t)roll(&rng, 5) - 1,
            .cells = UINT64_MAX,
            .pairs = 8000,
            .splits = {roll(&rng, 3) ? 0.5 + roll(&rng, 10) : 3.7 * (1 + roll(&rng, 900)), least, most ? most : 1}};
        double cutoff = 1000, cost = (double)ksda_edits_added(edits, NULL) + o.splits.weight * n_s;
        ksda_i_levels l;
        bool fits, whole;
        assert_int_equal(ksda_edits_apply(ctx, edits, &published), KSDA_OK);
        assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 2, &l), KSDA_OK);
        ksda_i_levels_loosen(&l, o.splits.most);
        ksda_i_colgen j = {.ctx = ctx, .l = &l, .options = &o, .cutoff = &cutoff};
        assert_int_equal(ksda_i_colgen_open(&j, &fits, &whole), KSDA_OK);
        for (uint32_t i = 0; i < j.lists && fits; i++)
            fits = !j.who[i].sorted; /* then members of equal degree stand for each other */
        for (uint32_t time = 0; time < 20 && fits; time++) {
            double *y = calloc(j.program.model.rows, sizeof *y),
                   *price = calloc((size_t)j.program.units * (j.level[0] + 1), sizeof *price);
            roll_multipliers(&rng, &j.program, y);
            ksda_i_colgen_program_repair(&j.program, y);
            assert_int_equal(ksda_i_colgen_program_prices(&j.program, y, price), KSDA_OK);
            double sum = charged(&j, y, price, edits, published);
            if (sum > cost + 1e-9)
                fprintf(stderr, "seed %llu: %g charged for %g\n", (unsigned long long)seed, sum, cost);
            assert_true(sum <= cost + 1e-9);
            checked += sum >= 0, split += sum >= 0 && n_s > 0, near += sum > 0.8 * cost;
            free(y), free(price);
        }
        ksda_i_colgen_close(&j);
        ksda_i_levels_clear(&l);
        ksda_graph_free(ctx, published);
        ksda_edits_free(ctx, edits);
        ksda_network_clear(ctx, &net);
    }
    print_message("%u releases and multipliers, %u with splits, %u charged more than four fifths\n", checked, split,
                  near);
    assert_true(checked > 1000 && split > 500);
}

/* Eight to eleven vertices, against the exact method for splitting. */
static void never_above_the_exact_method_with_splits(void **state) {
    ksda_ctx *ctx = *state;
    uint32_t proved = 0, met = 0;
    need_cbc();
    for (uint64_t seed = 0; seed < times_as_many(16); seed++) {
        ksda_network net;
        ksda_optimal_options o;
        ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
        ksda_edits *edits;
        random_network(ctx, seed + 777, 8 + (uint32_t)(seed % 4), 0.3, 2 + (uint32_t)(seed % 2), &net);
        ksda_optimal_options_init(&o);
        o.k = 2, o.split = true, o.split_weight = 1.0 + (double)(seed / 2 % 4);
        assert_true(ksda_optimal(ctx, net.graph, net.communities, &o, &edits, &r) >= 0);
        ksda_edits_free(ctx, edits);
        if (r.status == KSDA_MODEL_OPTIMAL && r.objective > 0) {
            double whole = 0, split = o.split_weight, mean;
            ksda_i_colgen_splits nobody = {0}, some = {o.split_weight, 1, (uint32_t)(r.objective / o.split_weight)};
            assert_int_equal(
                ksda_i_colgen_certify(ctx, net.graph, net.communities, 2, &nobody, 1000, INFINITY, false, &whole, NULL),
                KSDA_OK);
            if (some.most > 0)
                assert_int_equal(ksda_i_colgen_certify(ctx, net.graph, net.communities, 2, &some, 1000, INFINITY, false,
                                                       &split, &mean),
                                 KSDA_OK);
            assert_true(fmin(whole, split) <= r.objective + 1e-9);
            proved++, met += fmin(whole, split) > r.objective - 0.5;
        }
        ksda_network_clear(ctx, &net);
    }
    print_message("%u optima with splits, %u met\n", proved, met);
    assert_true(proved > 8 && met > 2);
}

/* On a real network: the optimum 183 is known; nothing above it may be proved when it is within the cutoff, and not
 * much less. */
static void airports_in_five_parts(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_i_levels l;
    bool fits;
    need_cbc();
    if (!data_network(ctx, "usairport500", "metis5", &net)) skip();
    assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 2, &l), KSDA_OK);
    double bound = bound_of(&l, 19, 1u << 18, 0, 0, 183, &fits);
    assert_true(fits && bound >= 150 && bound <= 183);
    ksda_i_levels_clear(&l);
    ksda_network_clear(ctx, &net);
}

/* The same where there is no data folder: the optimum is 6. */
static void the_karate_club(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net;
    ksda_i_levels l;
    bool fits;
    need_cbc();
    named_network(ctx, "karate", &net);
    assert_int_equal(ksda_i_levels_make(ctx, net.graph, net.communities, 2, &l), KSDA_OK);
    double bound = bound_of(&l, 0, 1u << 18, 0, 0, 6, &fits);
    assert_true(fits && bound >= 4 && bound <= 6);
    ksda_i_levels_clear(&l);
    ksda_network_clear(ctx, &net);
}

/* --- no memory ---------------------------------------------------------------------------------------------------- */

static ksda_status bound_with(ksda_ctx *ctx, ksda_i_colgen_splits splits) {
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 0, 4, 5, 6, 5, 7, 1, 2, 8, 0, 9, 5, 8, 9};
    static const uint32_t of[] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2};
    ksda_graph *graph = NULL;
    ksda_communities *communities = NULL;
    ksda_i_levels l = {.ctx = ctx};
    ksda_i_colgen_options o = {.floor = 0,
                               .cells = 4000,
                               .pairs = 8000,
                               .below = 1,
                               .rounds = 3,
                               .cases = 2,
                               .enough = INFINITY,
                               .splits = splits};
    double cutoff = 6, bound = 0;
    bool fits = true, whole;
    ksda_status status = ksda_graph_from_edges(ctx, 10, 10, edges, &graph);
    if (status == KSDA_OK) status = ksda_communities_from_labels(ctx, 10, of, &communities);
    if (status == KSDA_OK) status = ksda_i_levels_make(ctx, graph, communities, 2, &l);
    if (status == KSDA_OK) status = ksda_i_colgen_bound(&l, &o, &cutoff, &bound, &fits, &whole);
    if (status == KSDA_OK) assert_true(fits);
    ksda_i_levels_clear(&l);
    ksda_communities_free(ctx, communities);
    ksda_graph_free(ctx, graph);
    return status;
}

static ksda_status bound_whole(ksda_ctx *ctx) {
    return bound_with(ctx, (ksda_i_colgen_splits){0});
}

static ksda_status bound_split(ksda_ctx *ctx) {
    return bound_with(ctx, (ksda_i_colgen_splits){2, 1, 3});
}

static void no_memory(void **state) {
    (void)state;
    need_cbc();
    assert_survives_failing_memory(bound_whole);
    assert_survives_failing_memory(bound_split);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cheapest_plan_is_found, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(what_is_too_dear_to_tell_is_told_apart, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(never_above_the_optimum, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(never_above_formulation_1, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(never_above_the_optimum_with_splits, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(no_release_is_charged_more_than_it_costs, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(never_above_the_exact_method_with_splits, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(airports_in_five_parts, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(the_karate_club, make_ctx, free_ctx),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
