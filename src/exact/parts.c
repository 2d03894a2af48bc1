/* The relaxation taken apart: prices on the levels instead of the rule that a level used by one community is used by k.
 *
 * With y_t = 1 where level t is open and u_ct = 1 where community c uses it, the rule is u_ct <= y_t and sum_c u_ct >=
 * k y_t. Multipliers s_ct >= 0 and m_t >= 0 turn it into a price s_ct - m_t that community c pays for using t, with k
 * m_t >= sum_c s_ct so that y drops out; what the communities answer (part.c), all cheapest answers added up, is a
 * lower bound on the relaxation whatever the prices are. That is Dantzig and Wolfe's decomposition: the best prices
 * give the least cost over the convex hulls of the communities' own answers, which is far above the linear program of
 * the whole.
 *
 * The prices are found by cutting planes in a box around the best ones so far, which are level-plan's at first. Where
 * the communities still do not agree, a level is opened or closed, or a community kept to or from a level, and both
 * cases are bounded in turn, the one with the smallest bound first. */
#include "exact/parts.h"

#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 1e-4  /* what a bound may lose to rounding before it is rounded up */
#define AGREED 1e-3 /* how far from a whole number is still whole */
#define FIRST_ROUNDS 8u
#define ROUNDS 60u
#define NODE_ROUNDS 10u /* in every later case */
#define TOLERANCE 0.02
#define FIRST_BOX 0.5
#define FIRST_WORK 300000000u /* for the first prices */

/* One case of the search: what is decided, and the prices that gave its bound. */
typedef struct situation {
    double bound;
    int8_t *open;  /* [levels] -1 undecided, 0 closed, 1 open */
    int8_t *uses;  /* [count * levels] likewise */
    double *price; /* [levels + count * levels] m_t, then s_ct */
    uint32_t c, q; /* where the communities disagree most: use of level q by c, or whether it is open, with c = count */
    bool agreed;   /* they do not disagree */
} situation;

typedef struct parts {
    ksda_ctx *ctx;
    const ksda_i_levels *l;
    uint32_t count, levels, k;
    uint32_t *level;
    ksda_i_part *part;
    double *paid;       /* [count * levels] what the communities are asked with */
    const int8_t *uses; /* of the situation in hand */
    double *trial;      /* [levels + count * levels] */
    double *weight;     /* [count * levels] how far the communities use the levels, by the master program */
    double cutoff;
} parts;

static uint32_t point_size(const parts *p) {
    return p->levels + p->count * p->levels;
}

/* --- asking the communities ------------------------------------------------------------------------------------- */

static void ask_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    parts *p = data;
    (void)thread;
    for (uint64_t c = begin; c < end; c++)
        ksda_i_part_ask(p->part + c, p->paid + c * p->levels, p->uses + c * p->levels, TOLERANCE);
}

/* The bound that these prices give. */
static ksda_status evaluate(parts *p, const situation *s, const double *price, double *value) {
    const double *toll = price + p->levels;
    ksda_status status = KSDA_OK;
    double sum = 0;
    for (uint32_t c = 0; c < p->count; c++)
        for (uint32_t q = 0; q < p->levels; q++) {
            uint32_t at = c * p->levels + q;
            p->paid[at] = s->open[q] < 0 ? toll[at] - price[q] : s->open[q] == 1 ? -price[q] : 0;
        }
    p->uses = s->uses;
    ksda_i_parallel(p->ctx, p->count, 1, ask_range, p);
    for (uint32_t c = 0; c < p->count; c++) {
        if (p->part[c].status < 0)
            status = p->part[c].status;
        else if (p->part[c].status == KSDA_LIMIT && status == KSDA_OK)
            status = KSDA_LIMIT;
        sum += p->part[c].value;
    }
    for (uint32_t q = 0; q < p->levels; q++) {
        double spare = p->k * price[q]; /* k m_t - sum_c s_ct, which goes with y_t */
        for (uint32_t c = 0; s->open[q] < 0 && c < p->count; c++) spare -= toll[c * p->levels + q];
        if (s->open[q] == 1 || (s->open[q] < 0 && spare < 0)) sum += spare;
    }
    *value = sum;
    return status;
}

/* --- the master program ----------------------------------------------------------------------------------------- */

/* max sum_c eta_c + sum_{t open} k m_t over prices; eta_c <= cost + prices of every answer of c. */
typedef struct master {
    ksda_i_model model;
    ksda_i_lp *lp;
    uint32_t *row;    /* [count] rows of answers: which community ... */
    uint64_t *answer; /* ... and which answer */
    uint64_t rows, row_room, answer_room;
    uint64_t *taken; /* [count] answers looked at */
    uint32_t first;  /* row of the first answer */
} master;

static void master_clear(parts *p, master *m) {
    ksda_i_lp_free(p->ctx, m->lp);
    ksda_i_model_clear(&m->model);
    ksda_i_free(p->ctx, m->row), ksda_i_free(p->ctx, m->answer), ksda_i_free(p->ctx, m->taken);
    memset(m, 0, sizeof *m);
}

static bool compatible(const parts *p, const situation *s, uint32_t c, const ksda_i_part_answer *a) {
    for (uint32_t q = 0; q < p->levels; q++) {
        int8_t must = s->uses[c * p->levels + q];
        if (must >= 0 && fabs(a->uses[q] - must) > 1e-6) return false;
    }
    return true;
}

static ksda_status take_answers(parts *p, master *m, const situation *s) {
    ksda_i_model *model = &m->model;
    for (uint32_t c = 0; c < p->count; c++)
        for (; m->taken[c] < p->part[c].answers; m->taken[c]++) {
            const ksda_i_part_answer *a = p->part[c].answer + m->taken[c];
            if (!compatible(p, s, c, a)) continue;
            ksda_status status = ksda_i_reserve(p->ctx, &m->row, &m->row_room, m->rows + 1, sizeof *m->row);
            if (status == KSDA_OK)
                status = ksda_i_reserve(p->ctx, &m->answer, &m->answer_room, m->rows + 1, sizeof *m->answer);
            if (status < 0) return status;
            m->row[m->rows] = c, m->answer[m->rows++] = m->taken[c];
            ksda_i_model_term(model, c, 1);
            for (uint32_t q = 0; q < p->levels; q++) {
                if (a->uses[q] == 0) continue;
                ksda_i_model_term(model, p->count + q, a->uses[q]);
                if (s->open[q] < 0) ksda_i_model_term(model, p->count + p->levels + c * p->levels + q, -a->uses[q]);
            }
            ksda_i_model_row(model, -INFINITY, a->cost, "answer_%u_%u", c, (unsigned)m->taken[c]);
        }
    return model->status;
}

static ksda_status master_make(parts *p, const situation *s, master *m) {
    ksda_i_model *model = &m->model;
    ksda_status status;
    memset(m, 0, sizeof *m);
    ksda_i_model_init(model, p->ctx);
    m->taken = ksda_i_calloc(p->ctx, p->count, sizeof *m->taken);
    if (!m->taken) return KSDA_NOMEM;
    for (uint32_t c = 0; c < p->count; c++) ksda_i_model_column(model, -1e7, 1e7, -1, false, "eta_%u", c);
    for (uint32_t q = 0; q < p->levels; q++)
        ksda_i_model_column(model, 0, 1e6, s->open[q] == 1 ? -(double)p->k : 0, false, "m_%u", p->level[q]);
    for (uint32_t c = 0; c < p->count; c++)
        for (uint32_t q = 0; q < p->levels; q++)
            ksda_i_model_column(model, 0, 1e6, 0, false, "s_%u_%u", c, p->level[q]);
    for (uint32_t q = 0; q < p->levels; q++) {
        if (s->open[q] >= 0) continue;
        ksda_i_model_term(model, p->count + q, p->k);
        for (uint32_t c = 0; c < p->count; c++) ksda_i_model_term(model, p->count + p->levels + c * p->levels + q, -1);
        ksda_i_model_row(model, 0, INFINITY, "y_%u", p->level[q]);
    }
    m->first = model->rows;
    KSDA_I_TRY(take_answers(p, m, s));
    KSDA_I_TRY(ksda_i_lp_new(model, &m->lp));
    return KSDA_OK;
done:
    master_clear(p, m);
    return status;
}

/* The best prices by the answers known, within the box; *hope: what they would give. */
static ksda_status master_solve(parts *p, master *m, const double *center, double box, double *hope) {
    ksda_i_lp_answer a;
    for (uint32_t i = 0; i < point_size(p); i++)
        ksda_i_lp_bounds(m->lp, p->count + i, fmax(0, center[i] - box), center[i] + box);
    ksda_status status = ksda_i_lp_solve(m->lp, INFINITY, &a);
    if (status != KSDA_OK) return status;
    if (a.infeasible || !a.x) return KSDA_LIMIT;
    *hope = -ksda_i_model_objective(&m->model, a.x);
    memcpy(p->trial, a.x + p->count, point_size(p) * sizeof *p->trial);
    memset(p->weight, 0, (uint64_t)p->count * p->levels * sizeof *p->weight);
    for (uint64_t r = 0; r < m->rows; r++) {
        const ksda_i_part_answer *answer = p->part[m->row[r]].answer + m->answer[r];
        double *weight = p->weight + (uint64_t)m->row[r] * p->levels;
        for (uint32_t q = 0; q < p->levels; q++) weight[q] -= a.dual[m->first + r] * answer->uses[q];
    }
    return KSDA_OK;
}

/* --- cases ------------------------------------------------------------------------------------------------------ */

static double undecided(double weight) {
    return fmin(weight, 1 - weight);
}

/* The most undecided level by the master program, or where none is, use of a level by a community. */
static void choose(const parts *p, situation *s) {
    double worst = AGREED;
    s->agreed = true;
    for (uint32_t q = 0; q < p->levels; q++) {
        double open = 0;
        for (uint32_t c = 0; c < p->count; c++) open = fmax(open, p->weight[c * p->levels + q]);
        if (s->open[q] < 0 && undecided(open) > worst)
            worst = undecided(open), s->q = q, s->c = p->count, s->agreed = false;
    }
    for (uint32_t q = 0; q < p->levels && s->agreed; q++)
        for (uint32_t c = 0; c < p->count; c++) {
            double weight = undecided(p->weight[c * p->levels + q]);
            if (s->uses[c * p->levels + q] < 0 && weight > worst) worst = weight, s->q = q, s->c = c;
        }
    if (worst > AGREED) s->agreed = false;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* An open level has one price for all: what the k-th community was asked before. */
static void open_level(parts *p, situation *s, uint32_t q) {
    if (s->open[q] == 1) return;
    double *toll = s->price + p->levels, *sorted = p->trial;
    for (uint32_t c = 0; c < p->count; c++) sorted[c] = toll[c * p->levels + q] - s->price[q];
    qsort(sorted, p->count, sizeof *sorted, by_value);
    s->price[q] = fmax(0, -sorted[p->k - 1]);
    for (uint32_t c = 0; c < p->count; c++) toll[c * p->levels + q] = 0;
    s->open[q] = 1;
}

/* Decide what `s` leaves most open. Too few communities left for an open level: an infinite bound. */
static void decide(parts *p, situation *s, bool yes) {
    uint32_t q = s->q, left = 0;
    if (s->c < p->count) s->uses[s->c * p->levels + q] = yes;
    if (yes) open_level(p, s, q);
    if (!yes && s->c == p->count) {
        s->open[q] = 0;
        for (uint32_t c = 0; c < p->count; c++) {
            if (s->uses[c * p->levels + q] == 1) s->bound = INFINITY;
            s->uses[c * p->levels + q] = 0;
        }
    }
    for (uint32_t c = 0; c < p->count; c++) left += s->uses[c * p->levels + q] != 0;
    if (s->open[q] == 1 && left < p->k) s->bound = INFINITY;
}

/* --- prices ----------------------------------------------------------------------------------------------------- */

/* Raise s->bound by better prices; stop at `enough`. */
static ksda_status improve(parts *p, situation *s, uint32_t rounds, double enough) {
    master m = {.lp = NULL};
    double value, best, hope, box = FIRST_BOX;
    uint32_t idle = 0;
    ksda_status status = evaluate(p, s, s->price, &best);
    if (status != KSDA_OK) return status;
    if (best > s->bound) s->bound = best;
    KSDA_I_TRY(master_make(p, s, &m));
    for (uint32_t round = 0; round < rounds && best < enough; round++) {
        KSDA_I_TRY(ksda_i_progress_solver(p->ctx, "pricing levels", p->cutoff + 1, s->bound));
        if ((status = master_solve(p, &m, s->price, box, &hope)) != KSDA_OK) break;
        if (hope < best + fmax(0.05, 1e-3 * fabs(best))) break;
        if ((status = evaluate(p, s, p->trial, &value)) != KSDA_OK) break;
        if (value > best + 0.1 * (hope - best))
            box *= 1.5, idle = 0;
        else if (++idle >= 3)
            box /= 2, idle = 0;
        if (value > best) {
            best = value;
            memcpy(s->price, p->trial, point_size(p) * sizeof *p->trial);
            if (best > s->bound) s->bound = best;
        }
        KSDA_I_TRY(take_answers(p, &m, s));
    }
    choose(p, s);
done:
    if (m.model.ctx) master_clear(p, &m);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------------------------- */

static ksda_status situation_make(parts *p, const situation *from, situation *out) {
    uint64_t cells = (uint64_t)p->count * p->levels;
    out->bound = from ? from->bound : -INFINITY;
    out->open = ksda_i_malloc(p->ctx, p->levels, 1);
    out->uses = ksda_i_malloc(p->ctx, cells, 1);
    out->price = ksda_i_calloc(p->ctx, point_size(p), sizeof *out->price);
    if (!out->open || !out->uses || !out->price) return KSDA_NOMEM;
    if (from) {
        out->c = from->c, out->q = from->q; /* what is to be decided next */
        memcpy(out->open, from->open, p->levels);
        memcpy(out->uses, from->uses, cells);
        memcpy(out->price, from->price, point_size(p) * sizeof *out->price);
    } else {
        memset(out->open, -1, p->levels);
        memset(out->uses, -1, cells);
    }
    return KSDA_OK;
}

static void situation_clear(parts *p, situation *s) {
    ksda_i_free(p->ctx, s->open), ksda_i_free(p->ctx, s->uses), ksda_i_free(p->ctx, s->price);
    *s = (situation){.bound = INFINITY};
}

/* Levels above the floor that are somebody's degree and can be opened within the cutoff. */
static ksda_status find_levels(parts *p, int64_t floor) {
    const ksda_i_levels *l = p->l;
    bool *occurs = ksda_i_calloc(p->ctx, (uint64_t)l->top + 1, sizeof *occurs);
    p->level = ksda_i_malloc(p->ctx, (uint64_t)l->top + 1, sizeof *p->level);
    if (occurs && p->level) {
        for (uint32_t i = 0; i < l->n; i++) occurs[l->degree[i]] = true;
        for (uint32_t t = l->top + 1; (int64_t)t-- > floor + 1;)
            if (occurs[t] && l->opening[t] != UINT64_MAX && (double)l->opening[t] <= p->cutoff)
                p->level[p->levels++] = t;
    }
    ksda_status status = occurs && p->level ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(p->ctx, occurs);
    return status;
}

static ksda_status open_parts(parts *p, const ksda_i_ranks *ranks, int64_t floor, uint32_t below, uint32_t least,
                              bool *impossible) {
    uint64_t cells = (uint64_t)p->count * p->levels;
    ksda_status status = KSDA_OK;
    *impossible = false;
    p->part = ksda_i_calloc(p->ctx, p->count, sizeof *p->part);
    p->paid = ksda_i_malloc(p->ctx, cells, sizeof *p->paid);
    p->weight = ksda_i_malloc(p->ctx, cells, sizeof *p->weight);
    p->trial = ksda_i_malloc(p->ctx, point_size(p), sizeof *p->trial);
    if (!p->part || !p->paid || !p->weight || !p->trial) return KSDA_NOMEM;
    for (uint32_t c = 0; c < p->count; c++) {
        KSDA_I_TRY(ksda_i_part_make(p->l, ranks, c, floor, p->levels, p->level, p->cutoff, below, least, p->part + c));
        if (p->part[c].impossible) *impossible = true;
    }
done:
    return status;
}

static void close_parts(parts *p) {
    for (uint32_t c = 0; p->part && c < p->count; c++) ksda_i_part_clear(p->part + c);
    ksda_i_free(p->ctx, p->part), ksda_i_free(p->ctx, p->paid), ksda_i_free(p->ctx, p->weight);
    ksda_i_free(p->ctx, p->trial), ksda_i_free(p->ctx, p->level);
}

/* Begin with the prices of level-plan's bound, p_ct = s_ct - m_t with k m_t = sum_c s_ct. */
static ksda_status first_prices(parts *p, const ksda_i_ranks *ranks, situation *s) {
    ksda_i_bound_prices found;
    double bound, *toll = s->price + p->levels;
    ksda_status status =
        ksda_i_plan_bound(p->ctx, p->l->graph, ranks, p->k, INFINITY, 0, p->cutoff + 1, FIRST_WORK, &found, &bound);
    if (status < 0) return status;
    for (uint32_t q = 0, at = 0; q < p->levels && found.levels > 0; q++) {
        double sum = 0, least = 0;
        while (at + 1 < found.levels && found.level[at] > p->level[q]) at++;
        if (found.level[at] != p->level[q]) continue;
        for (uint32_t c = 0; c < p->count; c++) {
            double price = found.price[(uint64_t)c * found.levels + at];
            sum += price, least = fmin(least, price);
        }
        s->price[q] = fmax(-least, p->count > p->k ? -sum / (p->count - p->k) : 0);
        for (uint32_t c = 0; c < p->count; c++)
            toll[(uint64_t)c * p->levels + q] = found.price[(uint64_t)c * found.levels + at] + s->price[q];
    }
    ksda_i_bound_prices_clear(p->ctx, &found);
    return KSDA_OK;
}

typedef struct search {
    situation *situation;
    uint64_t count, room;
} search;

static ksda_status both_cases(parts *p, search *x, uint64_t at) {
    for (int yes = 0; yes < 2; yes++) {
        ksda_status status = ksda_i_reserve(p->ctx, &x->situation, &x->room, x->count + 1, sizeof *x->situation);
        if (status < 0) return status;
        situation *s = x->situation + x->count++;
        *s = (situation){.bound = INFINITY};
        status = situation_make(p, x->situation + at, s);
        if (status < 0) return status;
        decide(p, s, yes);
        if (s->bound <= p->cutoff && (status = improve(p, s, NODE_ROUNDS, p->cutoff + SLACK)) != KSDA_OK) return status;
    }
    situation_clear(p, x->situation + at);
    return KSDA_OK;
}

/* Take the case with the smallest bound apart until that reaches the cutoff, or the communities agree in it. */
static ksda_status search_cases(parts *p, search *x, uint32_t cases, double *bound) {
    for (;;) {
        uint64_t least = 0;
        for (uint64_t i = 1; i < x->count; i++)
            if (x->situation[i].bound < x->situation[least].bound) least = i;
        const situation *s = x->situation + least;
        *bound = fmax(*bound, fmin(ceil(s->bound - SLACK), p->cutoff + 1));
        if (*bound > p->cutoff || s->agreed || x->count > cases) return KSDA_OK;
        ksda_status status = both_cases(p, x, least);
        if (status != KSDA_OK) return status;
    }
}

ksda_status ksda_i_parts_bound(const ksda_i_levels *l, int64_t floor, double cutoff, uint32_t below, uint32_t least,
                               double near, uint32_t cases, double *bound) {
    parts p = {.ctx = l->ctx, .l = l, .count = l->count, .k = l->k, .cutoff = cutoff};
    search x = {.situation = NULL};
    ksda_i_ranks ranks = {.n = 0};
    bool impossible;
    ksda_status status;
    KSDA_I_TRY(find_levels(&p, floor));
    if (p.levels == 0) goto done; /* nothing is asked for above the floor */
    KSDA_I_TRY(ksda_i_ranks_make(l->ctx, l->graph, l->communities, &ranks));
    KSDA_I_TRY(open_parts(&p, &ranks, floor, below, least, &impossible));
    if (impossible) {
        *bound = fmax(*bound, cutoff + 1);
        goto done;
    }
    KSDA_I_TRY(ksda_i_reserve(p.ctx, &x.situation, &x.room, 1, sizeof *x.situation));
    x.situation[x.count++] = (situation){.bound = -INFINITY};
    KSDA_I_TRY(situation_make(&p, NULL, x.situation));
    KSDA_I_TRY(first_prices(&p, &ranks, x.situation));
    KSDA_I_TRY(improve(&p, x.situation, FIRST_ROUNDS, cutoff + SLACK));
    *bound = fmax(*bound, fmin(ceil(x.situation->bound - SLACK), cutoff + 1));
    if (status != KSDA_OK || *bound >= near || *bound > cutoff) goto done;
    KSDA_I_TRY(improve(&p, x.situation, ROUNDS, cutoff + SLACK));
    *bound = fmax(*bound, fmin(ceil(x.situation->bound - SLACK), cutoff + 1));
    if (status == KSDA_OK) KSDA_I_TRY(search_cases(&p, &x, cases, bound));
done:
    for (uint64_t i = 0; i < x.count; i++) situation_clear(&p, x.situation + i);
    ksda_i_free(l->ctx, x.situation);
    close_parts(&p);
    ksda_i_ranks_clear(l->ctx, &ranks);
    return status;
}
