/* A proved lower bound on n_a + split_weight * n_s, community by community, by Lagrangian relaxation.
 *
 * Only degrees above a floor z are looked at. Let S be the unsplit vertices whose published degree is above z, b(u)
 * what is added to u, and count the members of S with b > 0 in any order. Then a community adds at least, for every
 * number a, the sum over S of   max(0, b - r)   where r < a were counted before,   max(0, b - a) / 2   for all later
 * ones, and r can be replaced by the number of those counted before who may be joined to u at all (joinable.c).
 * Levels that a community uses must be used by k: with multipliers this becomes a price, positive or negative, of each
 * level for each community, and the communities fall apart. One community's cheapest answer to the prices is a dynamic
 * program (lagrangian_community.c). The answers together are a lower bound whatever the prices are; the volume
 * algorithm (volume.c) raises it (lagrangian_answers.c). Then cases are taken apart in which a level is open or closed
 * (lagrangian_cases.c).
 *
 * docs/level-plan.md has the proofs. Time O(steps * sum over communities of levels * members above z * (a + 1)). */
#include "bound/lagrangian_answers.h"
#include "core/parallel.h"

#include <math.h>

#define FEW_PAIRS 8u   /* a at least, at first */
#define MANY_PAIRS 32u /* a at most */
#define STEPS 1000u    /* that a table must leave room for to have many */
#define LEAST_STEPS 250u
#define LARGE_STEPS 1500u /* where these are what is missing */
#define FLOORS 2u         /* each with an eighth of the cells of the next one */
#define LEAST_MIX 4.0     /* the variable of a mixture goes at least so far */
#define SET_STEPS 500u    /* that sets of members must leave room for */
#define MOST_SETS 256u    /* of members of one community */

/* --- a ------------------------------------------------------------------------------------------------------------ */

static void dearest_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_i_lagrangian *b = data;
    for (uint64_t c = begin; c < end; c++) {
        ksda_i_bound_list *x = b->list + c;
        uint32_t best = x->pairs;
        for (uint32_t a = 0; a <= b->most[c]; a += 1 + a / 4) {
            ksda_i_bound_set_pairs(x, a);
            double value = ksda_i_lagrangian_community(x, &b->levels, b->price + c * b->levels.count, b->space[thread],
                                                       b->use + c);
            if (value > b->value[c] + 1e-9) b->value[c] = value, best = a;
        }
        ksda_i_bound_set_pairs(x, best);
    }
}

/* Between rounds: give every community the a with which its answer is dearest. Any a makes a bound, whatever the others
 * have. */
static void choose_dearest(void *data, const double *variable) {
    ksda_i_lagrangian *b = data;
    ksda_i_lagrangian_value(b, variable);
    ksda_i_parallel(b->ctx, b->communities, 1, dearest_range, b);
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* Degrees that occur above the floor are the levels, and the members of those degrees take part. */
/* Above which degree to look, not below `least`: such that the tables stay below so many cells; *took: what they take.
 */
static uint32_t choose_floor(const ksda_i_ranks *l, uint32_t least, uint64_t cells, uint64_t *took) {
    uint64_t members = 0;
    *took = 0;
    for (uint32_t i = 0, levels = 0; i < l->levels && l->level[i] > least; i++) {
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) members += l->run[r].end - l->run[r].begin;
        levels += ksda_i_ranks_occurs(l, i);
        uint64_t now = (members + l->communities) * levels * (FEW_PAIRS + 1);
        if (now > cells) return l->level[i];
        *took = now;
    }
    return least;
}

static void limit_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_i_lagrangian *b = data;
    (void)thread;
    for (uint64_t c = begin; c < end; c++) {
        ksda_i_bound_list *x = b->list + c;
        uint32_t *earlier = x->limited; /* which is set later */
        ksda_i_bound_limits(b->graph, b->lists, (uint32_t)c, x->members, earlier);
        ksda_i_bound_chain(x, earlier);
        ksda_i_bound_reach(b->lists, (uint32_t)c, b->most_splits, x);
    }
}

/* a for every community: about as many as can be needy, fewer where that would leave too few steps. */
static void choose_pairs(ksda_i_lagrangian *b, uint64_t work) {
    for (uint32_t limit = MANY_PAIRS; limit >= FEW_PAIRS; limit /= 2) {
        for (uint32_t c = 0; c < b->communities; c++) {
            uint32_t members = b->list[c].members;
            b->list[c].pairs = members < FEW_PAIRS ? FEW_PAIRS : members < limit ? members : limit;
        }
        if (ksda_i_lagrangian_cells(b) <= work / STEPS) break;
    }
    for (uint32_t c = 0; c < b->communities; c++) b->most[c] = b->list[c].pairs;
}

static void clear(ksda_i_lagrangian *b) {
    unsigned threads = ksda_ctx_threads(b->ctx);
    for (unsigned t = 0; b->space && t < threads; t++) ksda_i_free(b->ctx, b->space[t]);
    ksda_i_free(b->ctx, b->space);
    for (uint32_t c = 0; b->list && c < b->communities; c++) ksda_i_bound_list_clear(b->ctx, b->list + c);
    ksda_i_free(b->ctx, b->list);
    ksda_i_free(b->ctx, b->level);
    ksda_i_free(b->ctx, b->most);
    ksda_i_free(b->ctx, b->use);
    ksda_i_free(b->ctx, b->variable);
    ksda_i_free(b->ctx, b->state);
    ksda_i_free(b->ctx, b->lately);
    ksda_i_free(b->ctx, b->price);
    ksda_i_free(b->ctx, b->used);
    ksda_i_free(b->ctx, b->sum);
    ksda_i_free(b->ctx, b->value);
}

/* Levels and members. */
static ksda_status open_lists(ksda_i_lagrangian *b) {
    const ksda_i_ranks *l = b->lists;
    ksda_status status;
    b->list = ksda_i_calloc(b->ctx, b->communities, sizeof *b->list);
    b->use = ksda_i_calloc(b->ctx, b->communities, sizeof *b->use);
    b->level = ksda_i_malloc(b->ctx, l->levels, sizeof *b->level);
    b->most = ksda_i_calloc(b->ctx, b->communities, sizeof *b->most);
    if (!b->list || !b->use || !b->level || !b->most) return KSDA_NOMEM;
    for (uint32_t i = 0; i < l->levels && l->level[i] > b->levels.floor; i++) {
        if (!ksda_i_ranks_occurs(l, i)) continue;
        b->level[b->levels.count++] = l->level[i];
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) b->list[l->run[r].community].members = l->run[r].end;
    }
    b->levels.level = b->level;
    for (uint32_t c = 0; c < b->communities; c++) {
        ksda_i_bound_list *x = b->list + c;
        KSDA_I_TRY(ksda_i_bound_list_open(b->ctx, x->members, x));
        x->degree = l->degree + l->start[c];
        x->vanish = x->piece = INFINITY;
    }
    ksda_i_parallel(b->ctx, b->communities, 1, limit_range, b);
    status = ksda_i_interrupted(b->ctx);
done:
    return status;
}

/* Sets of members in the place of beginnings of the lists, where the work is enough for it. */
static ksda_status use_sets(ksda_i_lagrangian *b, uint64_t work) {
    ksda_status status = KSDA_OK;
    for (uint32_t c = 0; c < b->communities; c++) {
        uint64_t room = work / SET_STEPS / b->communities / b->levels.count / (b->list[c].pairs + 1);
        uint32_t most = room < MOST_SETS ? (uint32_t)room : MOST_SETS;
        KSDA_I_TRY(ksda_i_bound_use_sets(b->ctx, b->graph, b->lists, c, b->level[0], most, b->list + c));
        if (!b->list[c].set) ksda_i_bound_raise_reach(b->list + c);
    }
done:
    return status;
}

static ksda_status open_tables(ksda_i_lagrangian *b) {
    unsigned threads = ksda_ctx_threads(b->ctx);
    uint64_t count = (uint64_t)b->communities * b->levels.count, largest = 0;
    b->variable = ksda_i_calloc(b->ctx, ksda_i_lagrangian_variables(b), sizeof *b->variable);
    b->state = ksda_i_malloc(b->ctx, b->levels.count, sizeof *b->state);
    b->lately = ksda_i_calloc(b->ctx, count, sizeof *b->lately);
    b->price = ksda_i_calloc(b->ctx, count, sizeof *b->price);
    b->used = ksda_i_calloc(b->ctx, count, sizeof *b->used);
    b->sum = ksda_i_calloc(b->ctx, b->levels.count, sizeof *b->sum);
    b->value = ksda_i_calloc(b->ctx, b->communities, sizeof *b->value);
    b->space = ksda_i_calloc(b->ctx, threads, sizeof *b->space);
    if (!b->variable || !b->state || !b->lately || !b->price || !b->used || !b->sum || !b->value || !b->space)
        return KSDA_NOMEM;
    memset(b->state, KSDA_I_LEVEL_ANY, b->levels.count);
    for (uint32_t c = 0; c < b->communities; c++) {
        b->use[c].level = b->used + (uint64_t)c * b->levels.count;
        uint64_t size = ksda_i_bound_space(b->list + c, b->levels.count);
        if (size > largest) largest = size;
    }
    for (unsigned t = 0; t < threads; t++)
        if (!(b->space[t] = ksda_i_malloc(b->ctx, largest, sizeof **b->space))) return KSDA_NOMEM;
    return KSDA_OK;
}

/* The first variables: no prices, a third of a split's for a piece. Where splits are needed, their weight hides what
 * edges cost, and the search begins with a weight of the size of the edges. */
static void first_variables(const ksda_i_lagrangian *b, double cost, double *variable) {
    if (b->weight == INFINITY) return;
    double *piece = ksda_i_lagrangian_pieces(b, variable), *weight = ksda_i_lagrangian_weight(b, variable);
    *weight = fmin(b->splits ? fmin(b->weight, fmax(1, cost - b->weight * b->splits)) : b->weight,
                   KSDA_I_LAGRANGIAN_HEAVIEST);
    for (uint32_t c = 0; c < b->communities; c++) piece[c] = *weight / 3;
}

static void set_all_pairs(ksda_i_lagrangian *b, bool many) {
    for (uint32_t c = 0; c < b->communities; c++) ksda_i_bound_set_pairs(b->list + c, many ? b->most[c] : 0);
}

/* What to aim at: the known release, or, where its splits outweigh all edges, as many splits as are known to be needed
 * and some more edges than it has. Steps that aim at further splits would be too long to find anything out about edges.
 */
static double choose_ceiling(const ksda_i_lagrangian *b, double cost) {
    if (b->weight == INFINITY || b->splits == 0 || b->weight < b->lists->n) return cost;
    double edges = cost - b->weight * floor(cost / b->weight);
    return 8 * edges < b->weight ? fmin(cost, b->weight * b->splits + 2 * edges + 1) : cost;
}

/* Multipliers that another floor has led to, of the levels that both have. */
static void take_over(const ksda_i_lagrangian *from, ksda_i_lagrangian *b) {
    uint32_t n = b->levels.count, m = from->levels.count;
    for (uint32_t l = 0, at = 0; l < n && at < m; l++) {
        if (b->level[l] != from->level[at]) continue;
        for (uint64_t c = 0; c < b->communities; c++) b->variable[c * n + l] = from->variable[c * m + at];
        at++;
    }
    uint64_t rest = b->communities + (b->weight == INFINITY ? 0 : 3 * (uint64_t)b->communities + 1);
    memcpy(ksda_i_lagrangian_mixes(b, b->variable), ksda_i_lagrangian_mixes(from, from->variable),
           rest * sizeof *b->variable);
}

/* Halves of all needs, with a = 0, make a small table, and the first multipliers are found with it. Then needs are
 * charged by a large a as well, as far as that pays. */
static ksda_status raise_bound(ksda_i_lagrangian *b, const ksda_i_lagrangian *from, const ksda_i_volume *all,
                               double *out) {
    ksda_status status = KSDA_OK;
    ksda_i_volume problem = *all;
    problem.rounds = 1;
    if (from) {
        take_over(from, b);
    } else {
        first_variables(b, problem.ceiling, b->variable);
        set_all_pairs(b, false);
        KSDA_I_TRY(ksda_i_volume_raise(b->ctx, &problem, b->variable, out));
        if (*out >= all->enough) return status;
    }
    set_all_pairs(b, true);
    status = ksda_i_volume_raise(b->ctx, all, b->variable, out);
done:
    return status;
}

/* What is asked about. */
typedef struct question {
    double cost, enough;
    uint64_t work; /* cells that may be filled */
    bool whole;    /* costs are whole numbers */
    bool cases;    /* not where prices are asked for, which are those of one floor and all cases */
} question;

/* From the multipliers of all releases together, then case by case, for what is left of so many cells. */
static ksda_status raise_all(ksda_i_lagrangian *b, const ksda_i_lagrangian *from, const question *q, double *out) {
    const ksda_i_volume problem = {.size = ksda_i_lagrangian_variables(b),
                                   .value = ksda_i_lagrangian_value_and_gradient,
                                   .project = ksda_i_lagrangian_project,
                                   .between = choose_dearest,
                                   .data = b,
                                   .ceiling = choose_ceiling(b, q->cost),
                                   .enough = q->enough,
                                   .steps = q->work / ksda_i_lagrangian_cells(b) + 4,
                                   .whole = q->whole,
                                   .stage = "proving"};
    uint64_t around = ksda_i_work_begin(b->ctx, KSDA_I_BOUND_UNITS * q->work);
    ksda_status status = raise_bound(b, from, &problem, out);
    if (status >= 0 && q->cases && *out < q->enough) status = ksda_i_lagrangian_cases(b, &problem, out);
    ksda_i_work_finish(b->ctx, around);
    return status;
}

void ksda_i_bound_prices_clear(ksda_ctx *ctx, ksda_i_bound_prices *prices) {
    ksda_i_free(ctx, prices->level);
    ksda_i_free(ctx, prices->price);
    ksda_i_free(ctx, prices->share);
    *prices = (ksda_i_bound_prices){0};
}

/* The arrays change hands; the answers are asked for once more, at the best variables. */
static void hand_over(ksda_i_lagrangian *b, ksda_i_bound_prices *out) {
    out->value = ksda_i_lagrangian_value(b, b->variable);
    out->floor = b->levels.floor, out->levels = b->levels.count, out->communities = b->communities;
    out->level = b->level, out->price = b->price, out->share = b->value;
    b->level = NULL, b->price = NULL, b->value = NULL;
}

/* The bound from the levels above b's floor, beginning with the multipliers that a higher floor has led to. */
static ksda_status bound_above(ksda_i_lagrangian *b, const ksda_i_lagrangian *from, const question *q, double *out) {
    double value;
    ksda_status status;
    KSDA_I_TRY(open_lists(b));
    choose_pairs(b, q->work);
    KSDA_I_TRY(use_sets(b, q->work));
    KSDA_I_TRY(open_tables(b));
    KSDA_I_TRY(raise_all(b, from, q, &value));
    *out = fmax(*out, value);
done:
    return status;
}

/* From a high floor, where there is little to decide, down to the one that the work allows: multipliers of the levels
 * that decide are then known when the many others come in. *b takes the last one. */
static ksda_status bound_from_above(ksda_i_lagrangian *b, const question *q, double *out) {
    uint64_t cells, begun = ksda_i_work_done(b->ctx),
                    steps = ksda_i_bound_is_large(b->graph) ? LARGE_STEPS : LEAST_STEPS;
    uint32_t least = choose_floor(b->lists, ksda_i_ranks_floor(b->lists, b->k), q->work / steps, &cells);
    ksda_i_lagrangian given = *b, higher = {.ctx = NULL};
    ksda_status status = KSDA_OK;
    for (uint32_t finer = q->cases ? FLOORS : 1; finer-- > 0 && status >= 0;) {
        uint64_t took, done = (ksda_i_work_done(b->ctx) - begun) / KSDA_I_BOUND_UNITS;
        uint32_t floor = choose_floor(b->lists, least, cells >> 3 * finer, &took);
        question part = *q;
        if (finer > 0 && (floor == least || b->lists->level[0] <= floor)) continue;
        if (*out >= q->enough || b->lists->level[0] <= floor) break;
        part.work = (done < q->work ? q->work - done : 1) >> 2 * finer, part.cases = q->cases && finer == 0;
        if (higher.ctx) clear(&higher);
        if (b->list) higher = *b;
        *b = given, b->levels.floor = floor;
        status = bound_above(b, higher.ctx ? &higher : NULL, &part, out);
    }
    if (higher.ctx) clear(&higher);
    return status;
}

/* Without prices of the edges that pieces carry, and with them for a quarter of the work: more multipliers prove more
 * in the end, but steps that begin with all of them may stay far below. */
static ksda_status bound_both_ways(ksda_i_lagrangian *b, const question *q, double *out) {
    const ksda_i_lagrangian given = *b;
    question part = *q;
    part.work = q->work / 4 * 3;
    ksda_status status = bound_from_above(b, &part, out);
    if (status < 0 || !b->list || *out >= q->enough) return status;
    clear(b);
    *b = given, b->carries = true, part.work = q->work / 4;
    return bound_from_above(b, &part, out);
}

ksda_status ksda_i_lagrangian_bound(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k,
                                    double split_weight, uint32_t splits, double cost, uint64_t work,
                                    ksda_i_bound_prices *prices, double *out) {
    ksda_status status;
    bool unsplit = cost <= split_weight; /* a release that splits is not cheaper: look at the others only */
    bool integral = split_weight == floor(split_weight) && split_weight < 0x1p50;
    ksda_i_lagrangian b = {
        .ctx = ctx, .graph = graph, .lists = lists, .k = k, .communities = lists->communities, .splits = splits};
    *out = split_weight * splits;
    if (prices) *prices = (ksda_i_bound_prices){.unsplit = unsplit};
    if (k <= 1 || cost <= *out || lists->levels == 0) return KSDA_OK;
    b.weight = unsplit ? INFINITY : split_weight;
    b.most_splits = unsplit ? 0 : (uint32_t)fmin(cost / split_weight, 0x1p30);
    b.mix = fmax(LEAST_MIX, (choose_ceiling(&b, cost) - *out) / b.communities);
    const question q = {cost, integral ? cost - 0.999 : cost - 1e-6, work, integral, !prices};
    double value = 0;
    KSDA_I_TRY(unsplit || prices ? bound_from_above(&b, &q, &value) : bound_both_ways(&b, &q, &value));
    if (prices && b.list) hand_over(&b, prices); /* else all levels fill themselves */
    if (integral) value = ceil(value);
    double left_out =
        unsplit ? split_weight : split_weight * (b.most_splits + 1.0); /* what more splits cost at least */
    *out = fmax(*out, fmin(value, left_out));
done:
    clear(&b);
    return status;
}
