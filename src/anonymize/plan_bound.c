/* A proved lower bound on n_a + split_weight * n_s, community by community, by Lagrangian relaxation.
 *
 * Only degrees above a floor z are looked at. Let S be the unsplit vertices whose published degree is above z, b(u) what is added to
 * u, and count the members of S with b > 0 in any order. Then a community adds at least, for every number a,
 *     the sum over S of   max(0, b - r)   where r < a were counted before,   max(0, b - a) / 2   for all later ones,
 * and r can be replaced by the number of those counted before who may be joined to u at all (plan_bound_pairs.c). Levels that a
 * community uses must be used by k: with multipliers this becomes a price, positive or negative, of each level for each community,
 * and the communities fall apart. One community's cheapest answer to the prices is a dynamic program (plan_bound_answer.c).
 * The answers together are a lower bound whatever the prices are. The volume algorithm of Barahona and Anbil
 * (doi:10.1007/s101070050002) raises it: steps go along an average of the answers so far, which tends to a solution of
 * the relaxed problem, rather than along the last one, which jumps.
 *
 * docs/level-plan.md has the proofs. Time O(steps * sum over communities of levels * members above z * (a + 1)). */
#include "anonymize/plan_bound.h"
#include "core/parallel.h"

#include <math.h>

#define FEW_PAIRS 8u   /* a at least */
#define MANY_PAIRS 32u /* a at most */
#define STEPS 1000u    /* that a table must leave room for to be called small */
#define BLEND 0.1      /* so much of a new answer goes into the mean at first */
#define SHORT 1e-3     /* steps of this factor do not matter any more */
#define AGAIN 0.05     /* the factor to begin a further round with */
#define LEAST_STEPS 250u

typedef struct bounder {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_i_ranks *lists;
    uint32_t k, communities;
    ksda_i_bound_levels levels;
    ksda_i_bound_list *list; /* [communities] */
    uint32_t *level;         /* [levels] */
    uint32_t *limits;        /* what the lists' earlier and limited point to */
    double *toll, *best;     /* [communities * levels] multipliers s >= 0, and those of the best value */
    double *price;           /* [communities * levels] p = s - (sum of s over the communities) / k */
    double *mean;            /* [communities * levels] how often the answers use a level, on average */
    uint8_t *used;           /* [communities * levels] the last answers */
    double *sum;             /* [2 * levels] */
    double *value;           /* [communities] */
    double **space;          /* [threads] */
} bounder;

/* --- the answers ------------------------------------------------------------------------------------------------------ */

static void answer_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const bounder *b = data;
    uint64_t levels = b->levels.count;
    for (uint64_t c = begin; c < end; c++)
        b->value[c] =
            ksda_i_bound_answer(b->list + c, &b->levels, b->price + c * levels, b->space[thread], b->used + c * levels);
}

/* The bound at these multipliers. */
static double answer_all(bounder *b, const double *toll) {
    uint32_t levels = b->levels.count;
    double total = 0;
    memset(b->sum, 0, levels * sizeof *b->sum);
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++) b->sum[l] += toll[c * levels + l];
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++) b->price[c * levels + l] = toll[c * levels + l] - b->sum[l] / b->k;
    ksda_i_parallel(b->ctx, b->communities, 1, answer_range, b);
    for (uint64_t c = 0; c < b->communities; c++) total += b->value[c];
    return total;
}

/* --- the volume algorithm --------------------------------------------------------------------------------------------- */

/* What decides on the steps. */
typedef struct course {
    double best, target;  /* the best bound; what the steps aim at */
    double factor;        /* of the step */
    double blend;         /* so much of a new answer goes into the mean */
    double checked, begun;       /* the best bound at the last check, and when this round of steps began */
    uint32_t failures, patience; /* steps in a row that were not better, and how many of them make the factor smaller */
} course;

/* By how much the levels are in use beyond a k-th of what all use: sums over the communities, divided by k. */
static void share(const bounder *b, double *mean_share, double *used_share) {
    uint32_t levels = b->levels.count;
    memset(b->sum, 0, 2 * (uint64_t)levels * sizeof *b->sum);
    for (uint64_t c = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++) {
            mean_share[l] += b->mean[c * levels + l] / b->k;
            used_share[l] += (double)b->used[c * levels + l] / b->k;
        }
}

/* New multipliers: from the best ones along the mean violation. False when nothing is violated. */
static bool move(bounder *b, const course *x) {
    uint32_t levels = b->levels.count;
    double norm = 0;
    share(b, b->sum, b->sum + levels);
    for (uint64_t c = 0, i = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++, i++) {
            double g = b->mean[i] - b->sum[l];
            if (b->best[i] > 0 || g > 0) norm += g * g;
        }
    if (norm < 1e-12) return false;
    double length = x->factor * (x->target - x->best) / norm;
    for (uint64_t c = 0, i = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++, i++) b->toll[i] = fmax(0, b->best[i] + length * (b->mean[i] - b->sum[l]));
    return true;
}

/* Take the new answers into the mean, and say whether they point where the mean does. */
static bool blend(bounder *b, const course *x) {
    uint32_t levels = b->levels.count;
    double along = 0;
    share(b, b->sum, b->sum + levels);
    for (uint64_t c = 0, i = 0; c < b->communities; c++)
        for (uint32_t l = 0; l < levels; l++, i++) {
            along += (b->mean[i] - b->sum[l]) * (b->used[i] - b->sum[levels + l]);
            b->mean[i] += x->blend * (b->used[i] - b->mean[i]);
        }
    return along > 0;
}

/* A better bound: longer steps where the direction holds, and a target out of reach. Others: shorter steps. */
static void judge(bounder *b, course *x, double now, double cost, bool same_way) {
    if (now <= x->best) {
        if (++x->failures >= x->patience) x->factor *= 0.66, x->failures = 0;
        return;
    }
    double *swap = b->best;
    b->best = b->toll, b->toll = swap;
    x->best = now, x->failures = 0;
    if (same_way) x->factor = fmin(2, 1.1 * x->factor);
    if (x->best > 0.95 * x->target) x->target = fmin(cost, 1.05 * x->best + 1);
}

/* Once steps are too short to matter: begin again with longer ones and more patience, if the last round was worth it. */
static bool go_on(course *x) {
    if (x->factor > SHORT) return true;
    if (x->best < 1.001 * x->begun + 0.02) return false;
    x->factor = AGAIN, x->patience *= 2, x->begun = x->best;
    return true;
}

/* Raise the bound until it is above `enough`, nothing more is gained or the work is done. */
static ksda_status raise_bound(bounder *b, double cost, double enough, uint64_t steps, double *out) {
    ksda_status status = KSDA_OK;
    course x = {.factor = 0.1, .blend = BLEND, .patience = 4};
    x.best = x.checked = answer_all(b, b->best);
    x.target = x.best + 0.3 * (cost - x.best);
    for (uint64_t i = 0; i < (uint64_t)b->communities * b->levels.count; i++) b->mean[i] = b->used[i];
    for (uint64_t i = 1; i < steps && x.best < enough && go_on(&x); i++) {
        KSDA_I_TRY(ksda_i_progress(b->ctx, "proving", i, steps));
        if (ksda_i_time_left(b->ctx) <= 0 || !move(b, &x)) break; /* what is proved stays proved */
        double now = answer_all(b, b->toll);
        judge(b, &x, now, cost, blend(b, &x));
        if (i % 50) continue;
        if (x.best < 1.001 * x.checked) x.blend = fmax(0.005, x.blend / 2);
        x.checked = x.best;
    }
    *out = x.best > 0 ? x.best : 0;
done:
    return status;
}

/* --- setting up ------------------------------------------------------------------------------------------------------ */

/* Degrees that occur above the floor are the levels, and the members of those degrees take part. */
static bool occurs(const ksda_i_ranks *l, uint32_t i) {
    return l->group[i + 1] > l->group[i];
}

/* Above which degree to look: below it levels fill themselves, and the tables stay below so many cells. */
static uint32_t choose_floor(const ksda_i_ranks *l, uint32_t k, uint64_t cells) {
    uint32_t natural = 0, levels = 0;
    for (uint32_t i = l->levels; i-- > 0;) {
        if (occurs(l, i) && l->group[i + 1] - l->group[i] < k) break;
        natural = l->level[i];
    }
    uint64_t members = 0;
    for (uint32_t i = 0; i < l->levels && l->level[i] > natural; i++) { /* how far down the work allows */
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) members += l->run[r].end - l->run[r].begin;
        levels += occurs(l, i);
        if ((members + l->communities) * levels * (FEW_PAIRS + 1) > cells) return l->level[i];
    }
    return natural;
}

static uint64_t cells_of(const bounder *b) {
    uint64_t cells = 1;
    for (uint32_t c = 0; c < b->communities; c++)
        cells += (uint64_t)b->levels.count * (b->list[c].members + 1) * (b->list[c].pairs + 1);
    return cells;
}

static void limit_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const bounder *b = data;
    (void)thread;
    for (uint64_t c = begin; c < end; c++)
        ksda_i_bound_limits(b->graph, b->lists, (uint32_t)c, b->list[c].members, (uint32_t *)b->list[c].earlier);
}

/* Who is limited by less than a; a limit of a or more is none. */
static void count_limited(ksda_i_bound_list *x) {
    uint32_t *earlier = (uint32_t *)x->earlier, *limited = (uint32_t *)x->limited;
    limited[x->members] = 0;
    for (uint32_t i = x->members; i-- > 0;) {
        if (earlier[i] >= x->pairs) earlier[i] = UINT32_MAX;
        limited[i] = limited[i + 1] + (earlier[i] != UINT32_MAX);
    }
}

/* a for every community: about as many as can be needy, fewer where that would leave too few steps. */
static void choose_pairs(bounder *b, uint64_t work) {
    for (uint32_t limit = MANY_PAIRS; limit >= FEW_PAIRS; limit /= 2) {
        for (uint32_t c = 0; c < b->communities; c++) {
            uint32_t members = b->list[c].members;
            b->list[c].pairs = members < FEW_PAIRS ? FEW_PAIRS : members < limit ? members : limit;
        }
        if (cells_of(b) <= work / STEPS) break;
    }
    for (uint32_t c = 0; c < b->communities; c++) count_limited(b->list + c);
}

static void bounder_clear(bounder *b) {
    unsigned threads = ksda_ctx_threads(b->ctx);
    for (unsigned t = 0; b->space && t < threads; t++) ksda_i_free(b->ctx, b->space[t]);
    ksda_i_free(b->ctx, b->space);
    ksda_i_free(b->ctx, b->list);
    ksda_i_free(b->ctx, b->level);
    ksda_i_free(b->ctx, b->limits);
    ksda_i_free(b->ctx, b->toll);
    ksda_i_free(b->ctx, b->best);
    ksda_i_free(b->ctx, b->price);
    ksda_i_free(b->ctx, b->mean);
    ksda_i_free(b->ctx, b->used);
    ksda_i_free(b->ctx, b->sum);
    ksda_i_free(b->ctx, b->value);
}

/* Levels and members. */
static ksda_status open_lists(bounder *b) {
    const ksda_i_ranks *l = b->lists;
    uint64_t total = 0;
    b->list = ksda_i_calloc(b->ctx, b->communities, sizeof *b->list);
    b->level = ksda_i_malloc(b->ctx, l->levels, sizeof *b->level);
    if (!b->list || !b->level) return KSDA_NOMEM;
    for (uint32_t i = 0; i < l->levels && l->level[i] > b->levels.floor; i++) {
        if (!occurs(l, i)) continue;
        b->level[b->levels.count++] = l->level[i];
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) b->list[l->run[r].community].members = l->run[r].end;
    }
    b->levels.level = b->level;
    for (uint32_t c = 0; c < b->communities; c++) total += 2 * (uint64_t)b->list[c].members + 1;
    b->limits = ksda_i_malloc(b->ctx, total, sizeof *b->limits);
    if (!b->limits) return KSDA_NOMEM;
    uint32_t *next = b->limits;
    for (uint32_t c = 0; c < b->communities; c++) {
        ksda_i_bound_list *x = b->list + c;
        x->degree = l->degree + l->start[c];
        x->earlier = next, x->limited = next + x->members;
        next += 2 * (uint64_t)x->members + 1;
    }
    ksda_i_parallel(b->ctx, b->communities, 1, limit_range, b);
    return ksda_i_interrupted(b->ctx);
}

static ksda_status open_tables(bounder *b) {
    unsigned threads = ksda_ctx_threads(b->ctx);
    uint64_t count = (uint64_t)b->communities * b->levels.count, largest = 0;
    b->toll = ksda_i_calloc(b->ctx, count, sizeof *b->toll);
    b->best = ksda_i_calloc(b->ctx, count, sizeof *b->best);
    b->price = ksda_i_calloc(b->ctx, count, sizeof *b->price);
    b->mean = ksda_i_calloc(b->ctx, count, sizeof *b->mean);
    b->used = ksda_i_calloc(b->ctx, count, sizeof *b->used);
    b->sum = ksda_i_calloc(b->ctx, 2 * (uint64_t)b->levels.count, sizeof *b->sum);
    b->value = ksda_i_calloc(b->ctx, b->communities, sizeof *b->value);
    b->space = ksda_i_calloc(b->ctx, threads, sizeof *b->space);
    if (!b->toll || !b->best || !b->price || !b->mean || !b->used || !b->sum || !b->value || !b->space) return KSDA_NOMEM;
    for (uint32_t c = 0; c < b->communities; c++) {
        uint64_t size = ksda_i_bound_space(b->list + c, b->levels.count);
        if (size > largest) largest = size;
    }
    for (unsigned t = 0; t < threads; t++)
        if (!(b->space[t] = ksda_i_malloc(b->ctx, largest, sizeof **b->space))) return KSDA_NOMEM;
    return KSDA_OK;
}

void ksda_i_bound_prices_clear(ksda_ctx *ctx, ksda_i_bound_prices *prices) {
    ksda_i_free(ctx, prices->level);
    ksda_i_free(ctx, prices->price);
    ksda_i_free(ctx, prices->share);
    *prices = (ksda_i_bound_prices){0};
}

/* The arrays change hands; the answers are asked for once more, at the best multipliers. */
static void hand_over(bounder *b, ksda_i_bound_prices *out) {
    out->value = answer_all(b, b->best);
    out->floor = b->levels.floor, out->levels = b->levels.count, out->communities = b->communities;
    out->level = b->level, out->price = b->price, out->share = b->value;
    b->level = NULL, b->price = NULL, b->value = NULL;
}

ksda_status ksda_i_plan_bound(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k, double split_weight,
                              double cost, uint64_t work, ksda_i_bound_prices *prices, double *out) {
    ksda_status status;
    bounder b = {.ctx = ctx, .graph = graph, .lists = lists, .k = k, .communities = lists->communities};
    bool whole = cost <= split_weight; /* a release that splits is not cheaper: look at the others only */
    bool integral = split_weight == floor(split_weight) && split_weight < 0x1p50;
    *out = 0;
    if (prices) *prices = (ksda_i_bound_prices){.whole = whole};
    if (k <= 1 || cost <= 0 || lists->levels == 0) return KSDA_OK;
    b.levels.floor = choose_floor(lists, k, work / LEAST_STEPS);
    b.levels.vanish = b.levels.piece = whole ? INFINITY : split_weight / 3;
    if (lists->level[0] <= b.levels.floor) return KSDA_OK;
    KSDA_I_TRY(open_lists(&b));
    choose_pairs(&b, work);
    KSDA_I_TRY(open_tables(&b));
    KSDA_I_TRY(raise_bound(&b, cost, integral ? cost - 0.999 : cost - 1e-6, work / cells_of(&b) + 4, out));
    if (prices) hand_over(&b, prices);
    *out = fmax(0, *out - 1e-6 - (whole ? 0 : 1e-11 * split_weight)); /* more than rounding can have added */
    if (integral) *out = ceil(*out);
    if (whole && *out > split_weight) *out = split_weight;
done:
    bounder_clear(&b);
    return status;
}
