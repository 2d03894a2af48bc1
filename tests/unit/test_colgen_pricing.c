/* The cheapest plan at given prices, against trying everything. */
#include "context.h"
#include "core/random.h"
#include "bound/colgen_pricing.h"

#include <ksda/exact.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cheapest_plan_is_found, make_ctx, free_ctx),
        cmocka_unit_test_setup_teardown(what_is_too_dear_to_tell_is_told_apart, make_ctx, free_ctx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
