/* A proved lower bound on n_a + split_weight * n_s, community by community, by Lagrangian relaxation.
 *
 * Only degrees above a floor z are looked at. Let S be the vertices whose published degree is above z, b(u) what is added to
 * u, and count the members of S with b > 0 in any order. Then a community adds at least, for every number a,
 *     the sum over S of   max(0, b - r)   where r < a were counted before,   max(0, b - a) / 2   for all later ones.
 * Levels that a community uses must be used by k: with multipliers this becomes a price, positive or negative, of each level
 * for each community, and the communities fall apart. One community's cheapest answer to the prices is a dynamic program
 * down the levels over (members placed, needy so far); vertices of degree z or less stand ready at z without end. A split
 * vertex pays a third of the split weight to vanish, and a third for each of its pieces above z. The answers together are a
 * lower bound whatever the prices are; subgradient steps raise it.
 *
 * docs/level-plan.md has the proofs. Time O(steps * sum over communities of levels * members above z * (a + 1)). */
#include "anonymize/level_plan.h"
#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>

#define PAIRS 8u /* a at most */
#define START 0.4 /* of the first multipliers' estimate */
#define MOMENTUM 0.7
#define FAR 1e30

typedef struct bounder {
    ksda_ctx *ctx;
    const ksda_i_ranks *lists;
    uint32_t k, floor, top;  /* levels floor + 1 .. top have prices; index l is level top - l */
    uint32_t levels;
    double weight;
    double *toll;            /* [communities * levels] multipliers */
    double *best;            /* [communities * levels] those of the best value */
    float *way;              /* [communities * levels] the direction of the last step */
    double *sum;             /* [levels] of toll over the communities */
    uint8_t *used;           /* [communities * levels] the answers */
    uint32_t *presence;      /* [levels] */
    double *value;           /* [communities] */
    uint32_t *tail;          /* [communities] members above the floor */
    uint32_t *pairs;         /* [communities] a */
    uint8_t **trace;         /* [threads] how each state was reached */
    double **table;          /* [threads] */
    uint64_t trace_size, table_size;
} bounder;

/* What need b costs when r needy ones came before. */
static double need_cost(uint32_t b, uint32_t r, uint32_t a) {
    if (r < a) return b > r ? b - r : 0;
    return b > a ? 0.5 * (b - a) : 0;
}

/* --- one community's answer ------------------------------------------------------------------------------------------ */

/* How a state (i members placed, r needy) was reached within a level: in which phase, idle (level unused) or busy. Byte: bit 0
 * the level was used; bit 1 idle came by vanishing; bits 2-4 how busy was reached. */
enum { BY_PIECE, BY_SUPPLY, BY_SUPPLY_FULL, FIRST, FIRST_MORE, NEXT, NEXT_MORE, BY_VANISHING };

typedef struct answer {
    const bounder *b;
    const uint32_t *degree; /* [tail] */
    uint32_t tail, a;
    uint32_t done; /* members whose degree is above the level */
    double *before, *idle, *busy; /* [(tail + 1) * (a + 1)] */
    uint8_t *trace;
} answer;

static void offer(double *best, uint8_t *how, double cost, uint8_t code) {
    if (cost < *best) *best = cost, *how = code;
}

/* All ways to reach busy(i, r) at level t with price p. */
static double reach_busy(const answer *x, uint32_t i, uint32_t r, uint32_t t, double p, uint32_t done, uint8_t *how) {
    uint32_t a = x->a, w = a + 1;
    const double *idle = x->idle, *busy = x->busy;
    double best = FAR, third = x->b->weight / 3;
    *how = BY_PIECE;
    offer(&best, how, idle[i * w + r] + p + third, BY_PIECE);
    if (r > 0) offer(&best, how, idle[i * w + r - 1] + p + need_cost(t - x->b->floor, r - 1, a), BY_SUPPLY);
    if (r == a) offer(&best, how, idle[i * w + r] + p + need_cost(t - x->b->floor, a, a), BY_SUPPLY_FULL);
    if (i == done) return best;
    const double *idle0 = idle + (i - 1) * w, *busy0 = busy + (i - 1) * w;
    offer(&best, how, busy0[r] + third, BY_VANISHING);
    if (x->degree[i - 1] > t) return best;
    uint32_t need = t - x->degree[i - 1];
    if (need == 0 || r == a) {
        double cost = need ? need_cost(need, a, a) : 0;
        offer(&best, how, idle0[r] + p + cost, FIRST);
        offer(&best, how, busy0[r] + cost, NEXT);
    }
    if (need > 0 && r > 0) {
        double cost = need_cost(need, r - 1, a);
        offer(&best, how, idle0[r - 1] + p + cost, FIRST_MORE);
        offer(&best, how, busy0[r - 1] + cost, NEXT_MORE);
    }
    return best;
}

/* One level: from x->before to x->before. Members of degree >= t must be placed when it is done. */
static void answer_level(answer *x, uint32_t t, double p, uint8_t *trace) {
    uint32_t w = x->a + 1, done = x->done; /* members of larger degree are placed: fewer than `done` cannot be */
    double third = x->b->weight / 3;
    while (x->done < x->tail && x->degree[x->done] >= t) x->done++;
    for (uint32_t i = done; i <= x->tail; i++)
        for (uint32_t r = 0; r < w; r++) {
            uint32_t at = i * w + r;
            uint8_t how, byte = 0;
            x->idle[at] = x->before[at];
            if (i > done && x->idle[at - w] + third < x->idle[at]) x->idle[at] = x->idle[at - w] + third, byte = 2;
            x->busy[at] = reach_busy(x, i, r, t, p, done, &how);
            byte |= (uint8_t)(how << 2);
            if (x->busy[at] < x->idle[at]) byte |= 1;
            trace[at] = byte;
        }
    for (uint32_t at = x->done * w; at < (x->tail + 1) * w; at++)
        x->before[at] = x->idle[at] < x->busy[at] ? x->idle[at] : x->busy[at];
}

/* Walk one level backwards from (i, r); true when the level was used. */
static bool trace_level(const answer *x, const uint8_t *trace, uint32_t *i, uint32_t *r) {
    uint32_t w = x->a + 1;
    bool busy = trace[*i * w + *r] & 1, was_used = busy;
    while (busy) {
        uint8_t how = trace[*i * w + *r] >> 2;
        if (how == BY_SUPPLY || how == FIRST_MORE || how == NEXT_MORE) --*r;
        if (how >= FIRST) --*i;
        busy = how == NEXT || how == NEXT_MORE || how == BY_VANISHING;
    }
    while (trace[*i * w + *r] & 2) --*i;
    return was_used;
}

static void answer_community(const bounder *b, uint32_t c, unsigned thread) {
    answer x = {.b = b, .degree = b->lists->degree + b->lists->start[c], .tail = b->tail[c], .a = b->pairs[c]};
    uint32_t size = (x.tail + 1) * (x.a + 1), i = x.tail, r = 0;
    x.before = b->table[thread], x.idle = x.before + size, x.busy = x.idle + size;
    x.trace = b->trace[thread];
    for (uint32_t at = 0; at < size; at++) x.before[at] = FAR;
    x.before[0] = 0;
    for (uint32_t l = 0; l < b->levels; l++) {
        double price = b->k * b->toll[(uint64_t)c * b->levels + l] - b->sum[l];
        answer_level(&x, b->top - l, price, x.trace + (uint64_t)l * size);
    }
    for (uint32_t q = 1; q <= x.a; q++)
        if (x.before[x.tail * (x.a + 1) + q] < x.before[x.tail * (x.a + 1) + r]) r = q;
    b->value[c] = x.before[x.tail * (x.a + 1) + r];
    for (uint32_t l = b->levels; l-- > 0;)
        b->used[(uint64_t)c * b->levels + l] = trace_level(&x, x.trace + (uint64_t)l * size, &i, &r);
}

static void answer_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const bounder *b = data;
    for (uint64_t c = begin; c < end; c++) answer_community(b, (uint32_t)c, thread);
}

/* --- raising the bound ----------------------------------------------------------------------------------------------- */

static double answer_all(bounder *b) {
    uint32_t m = b->lists->communities;
    double total = 0;
    memset(b->sum, 0, b->levels * sizeof *b->sum);
    memset(b->presence, 0, b->levels * sizeof *b->presence);
    for (uint64_t c = 0; c < m; c++)
        for (uint32_t l = 0; l < b->levels; l++) b->sum[l] += b->toll[c * b->levels + l];
    ksda_i_parallel(b->ctx, m, 1, answer_range, b);
    for (uint64_t c = 0; c < m; c++) {
        total += b->value[c];
        for (uint32_t l = 0; l < b->levels; l++) b->presence[l] += b->used[c * b->levels + l];
    }
    return total;
}

/* Move every multiplier along its violation, k times the own use minus everybody's, with some of the last move's direction.
 * False when nothing is violated. */
static bool step(bounder *b, double length) {
    uint64_t count = (uint64_t)b->lists->communities * b->levels;
    double norm = 0;
    for (uint64_t i = 0; i < count; i++) {
        double g = (double)b->k * b->used[i] - b->presence[i % b->levels];
        double way = g + MOMENTUM * b->way[i];
        if (b->toll[i] <= 0 && way < 0) way = 0;
        b->way[i] = (float)way;
        norm += way * way;
    }
    if (norm == 0) return false;
    for (uint64_t i = 0; i < count; i++) {
        double toll = b->toll[i] + length / norm * b->way[i];
        b->toll[i] = toll > 0 ? toll : 0;
    }
    return true;
}

/* Aim a little above the best value so far: further while that succeeds, nearer when it does not. */
static ksda_status raise_bound(bounder *b, double target, uint64_t steps, double *out) {
    ksda_status status = KSDA_OK;
    double best = -FAR, reach = 0.3 * target;
    uint32_t idle = 0;
    uint64_t count = (uint64_t)b->lists->communities * b->levels;
    for (uint64_t i = 0; i < steps && reach > 1e-4 * target; i++) {
        KSDA_I_TRY(ksda_i_progress(b->ctx, "proving", i, steps));
        if (ksda_i_time_left(b->ctx) <= 0) break; /* what is proved stays proved */
        double now = answer_all(b);
        if (now > best + 1e-9 * target) {
            if (now > best + 0.05 * reach) idle = 0;
            best = now;
            memcpy(b->best, b->toll, count * sizeof *b->toll);
        }
        if (++idle >= 12) {
            reach *= 0.6, idle = 0;
            memcpy(b->toll, b->best, count * sizeof *b->toll);
            memset(b->way, 0, count * sizeof *b->way);
            continue;
        }
        if (best >= target - 0.999) break;
        double goal = best + reach < target ? best + reach : target;
        if (!step(b, goal > now ? goal - now : reach)) break;
    }
    *out = best > 0 ? best : 0;
done:
    return status;
}

/* --- vertices that must be split ---------------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* The largest degree a community's vertices can reach is known without splitting, and grows by at most one with every vertex
 * added. A degree above what k communities reach must go, and everybody who has it be split. */
ksda_status ksda_i_splits_needed(ksda_ctx *ctx, const ksda_i_ranks *l, uint32_t k, uint32_t *out) {
    uint32_t *reach = ksda_i_calloc(ctx, l->communities, sizeof *reach), needed = 0;
    if (!reach) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t at = l->start[c]; at < l->start[c + 1]; at++)
            if (l->degree[at] + l->room[at] > reach[c]) reach[c] = l->degree[at] + l->room[at];
    qsort(reach, l->communities, sizeof *reach, descending);
    for (;; needed++) {
        uint64_t above = 0, limit = (uint64_t)reach[k - 1] + needed;
        for (uint32_t i = 0; i < l->levels && l->level[i] > limit; i++)
            for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) above += l->run[r].end - l->run[r].begin;
        if (above <= needed) break;
    }
    ksda_i_free(ctx, reach);
    *out = needed;
    return KSDA_OK;
}

/* --- setting up ------------------------------------------------------------------------------------------------------ */

/* The a that counts the needs of a known plan highest. */
static uint32_t best_pairs(const ksda_i_ranks *l, uint32_t c, uint32_t floor, const uint32_t *target) {
    double most = -1;
    uint32_t best = 0;
    for (uint32_t a = 0; a <= PAIRS; a++) {
        double sum = 0;
        uint32_t r = 0;
        for (uint32_t at = l->start[c]; at < l->start[c + 1]; at++) {
            uint32_t t = target[l->vertex[at]], d = l->degree[at];
            if (t == KSDA_I_SPLIT || t <= d || t <= floor) continue;
            sum += need_cost(d > floor ? t - d : t - floor, r, a);
            r++;
        }
        if (sum > most + 1e-9) most = sum, best = a;
    }
    return best;
}

/* Above which degree to look: below it levels fill themselves, and the work stays within bounds. */
static uint32_t choose_floor(const ksda_i_ranks *l, uint32_t k, uint64_t cells) {
    uint32_t floor = 0;
    for (uint32_t i = l->levels; i-- > 0 && l->level[i] <= l->level[0];) {
        if (l->group[i + 1] - l->group[i] < k && l->group[i + 1] > l->group[i]) break;
        floor = l->level[i];
    }
    uint64_t members = 0, size = 0;
    uint32_t i = 0;
    for (; i < l->levels && l->level[i] > floor; i++) { /* how far down the work allows */
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) members += l->run[r].end - l->run[r].begin;
        size = (members + l->communities) * (l->level[0] - l->level[i] + 1) * 4;
        if (size > cells) break;
    }
    return i < l->levels && l->level[i] > floor ? l->level[i] : floor;
}

/* How far community c's next member below must be raised to stand at level t. */
static uint32_t distance(const bounder *b, uint32_t c, uint32_t t) {
    const uint32_t *degree = b->lists->degree + b->lists->start[c];
    uint32_t low = 0, high = b->tail[c];
    while (low < high) { /* the first member with degree <= t */
        uint32_t middle = low + (high - low) / 2;
        if (degree[middle] > t) low = middle + 1;
        else high = middle;
    }
    return t - (low < b->tail[c] ? degree[low] : b->floor);
}

typedef struct near_one {
    uint32_t distance, community;
} near_one;

static int nearer(const void *a, const void *b) {
    const near_one *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

/* First multipliers: at every level the nearest communities pay for what bringing k there costs, and the others among the
 * nearest k get back just what it costs them. */
static ksda_status first_tolls(bounder *b) {
    uint32_t m = b->lists->communities, k = b->k;
    near_one *near = ksda_i_malloc(b->ctx, m, sizeof *near);
    if (!near) return KSDA_NOMEM;
    for (uint32_t l = 0; l < b->levels; l++) {
        double total = 0;
        uint32_t payers = 0;
        for (uint32_t c = 0; c < m; c++) near[c] = (near_one){distance(b, c, b->top - l), c};
        qsort(near, m, sizeof *near, nearer);
        while (payers < k && near[payers].distance == near[0].distance) payers++;
        if (payers == k) continue;
        for (uint32_t i = payers; i < k; i++) total += near[i].distance;
        double scale = START; /* a reward above the price of a piece would be collected everywhere */
        if (scale * near[k - 1].distance > 0.3 * b->weight) scale = 0.3 * b->weight / near[k - 1].distance;
        for (uint32_t i = 0; i < k; i++) {
            double price = i < payers ? total / payers : -(double)near[i].distance;
            b->toll[(uint64_t)near[i].community * b->levels + l] = scale * (price + near[k - 1].distance) / k;
        }
    }
    ksda_i_free(b->ctx, near);
    return KSDA_OK;
}

static void bounder_clear(bounder *b) {
    unsigned threads = ksda_ctx_threads(b->ctx);
    for (unsigned t = 0; b->trace && t < threads; t++) ksda_i_free(b->ctx, b->trace[t]);
    for (unsigned t = 0; b->table && t < threads; t++) ksda_i_free(b->ctx, b->table[t]);
    ksda_i_free(b->ctx, b->trace);
    ksda_i_free(b->ctx, b->table);
    ksda_i_free(b->ctx, b->toll);
    ksda_i_free(b->ctx, b->best);
    ksda_i_free(b->ctx, b->way);
    ksda_i_free(b->ctx, b->sum);
    ksda_i_free(b->ctx, b->used);
    ksda_i_free(b->ctx, b->presence);
    ksda_i_free(b->ctx, b->value);
    ksda_i_free(b->ctx, b->tail);
    ksda_i_free(b->ctx, b->pairs);
}

static ksda_status bounder_open(bounder *b, const uint32_t *target) {
    const ksda_i_ranks *l = b->lists;
    uint32_t m = l->communities;
    unsigned threads = ksda_ctx_threads(b->ctx);
    uint64_t count = (uint64_t)m * b->levels;
    b->toll = ksda_i_calloc(b->ctx, count, sizeof *b->toll);
    b->best = ksda_i_calloc(b->ctx, count, sizeof *b->best);
    b->way = ksda_i_calloc(b->ctx, count, sizeof *b->way);
    b->used = ksda_i_calloc(b->ctx, count, sizeof *b->used);
    b->sum = ksda_i_calloc(b->ctx, b->levels, sizeof *b->sum);
    b->presence = ksda_i_calloc(b->ctx, b->levels, sizeof *b->presence);
    b->value = ksda_i_calloc(b->ctx, m, sizeof *b->value);
    b->tail = ksda_i_calloc(b->ctx, m, sizeof *b->tail);
    b->pairs = ksda_i_calloc(b->ctx, m, sizeof *b->pairs);
    b->trace = ksda_i_calloc(b->ctx, threads, sizeof *b->trace);
    b->table = ksda_i_calloc(b->ctx, threads, sizeof *b->table);
    if (!b->toll || !b->best || !b->way || !b->used || !b->sum || !b->presence || !b->value || !b->tail || !b->pairs || !b->trace || !b->table)
        return KSDA_NOMEM;
    uint64_t largest = 0;
    for (uint32_t c = 0; c < m; c++) {
        while (b->tail[c] < l->start[c + 1] - l->start[c] && l->degree[l->start[c] + b->tail[c]] > b->floor) b->tail[c]++;
        b->pairs[c] = best_pairs(l, c, b->floor, target);
        uint64_t size = (uint64_t)(b->tail[c] + 1) * (b->pairs[c] + 1);
        if (size > largest) largest = size;
    }
    for (unsigned t = 0; t < threads; t++) {
        b->trace[t] = ksda_i_malloc(b->ctx, largest * b->levels, sizeof **b->trace);
        b->table[t] = ksda_i_malloc(b->ctx, 3 * largest, sizeof **b->table);
        if (!b->trace[t] || !b->table[t]) return KSDA_NOMEM;
    }
    return KSDA_OK;
}

ksda_status ksda_i_plan_bound(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight, const uint32_t *target,
                              double cost, uint64_t work, double *out) {
    ksda_status status;
    bounder b = {.ctx = ctx, .lists = lists, .k = k, .weight = split_weight};
    *out = 0;
    if (k <= 1 || cost <= 0 || lists->levels == 0) return KSDA_OK;
    b.floor = choose_floor(lists, k, work / 64);
    b.top = lists->level[0]; /* a level above the largest degree can be lowered to it: docs/level-plan.md */
    b.levels = b.top - b.floor;
    if (lists->level[0] <= b.floor) return KSDA_OK;
    KSDA_I_TRY(bounder_open(&b, target));
    KSDA_I_TRY(first_tolls(&b));
    uint64_t cells = 1;
    for (uint32_t c = 0; c < lists->communities; c++) cells += (uint64_t)b.levels * (b.tail[c] + 1) * (b.pairs[c] + 1);
    KSDA_I_TRY(raise_bound(&b, cost, work / cells + 4, out));
    if (split_weight == floor(split_weight) && split_weight < 0x1p50) *out = fmax(0, ceil(*out - 1e-6));
done:
    bounder_clear(&b);
    return status;
}
