/* Branch and bound over levels by linear programs alone: in one case a level is open, or a community has somebody
 * there, in the other not.
 *
 * Like lagrangian_cases.c for the relaxation by multipliers: the case with the smallest bound is taken apart where its
 * solution is the most undecided, and the smallest bound of all cases holds for every release. The rows that solutions
 * break hold in all cases, so that each one makes the program better for all. */
#include "exact/level_model.h"

#include <math.h>

#define CASE_ROUNDS 4u   /* of further rows in every case */
#define MOST_CASES 4096u /* in all */
#define UNDECIDED 1e-6   /* a column that is nearer to a whole number is decided */
#define FIRST_CASES 4u   /* are taken apart before it is asked whether that will do */
#define FADING 0.25      /* of the mean gain is replaced by every case taken apart */
#define NO_CASE UINT32_MAX

/* A case is one column at 0 or 1, and all that the case has from which it was made. */
typedef struct level_case {
    double bound;
    uint32_t from, column; /* NO_CASE for the whole */
    bool open;
    uint32_t next; /* the column to be decided, KSDA_I_NO_COLUMN: none is undecided */
    bool done;     /* it was taken apart */
} level_case;

typedef struct search {
    ksda_ctx *ctx;
    ksda_i_level_model *m;
    ksda_i_lp *lp;
    double cost, enough;
    level_case *node;
    uint64_t count, room;
    uint32_t apart;
    uint64_t begun;
    double gain;
} search;

static double undecided(double x) {
    return fmin(x, 1 - x);
}

/* An open level, or who is split, before a community at a level; the higher the better, because more depends on it. */
static uint32_t most_undecided(const ksda_i_level_model *m, const double *x) {
    uint32_t best = KSDA_I_NO_COLUMN;
    double worst = 0;
    for (uint32_t t = m->low; t <= m->high; t++) {
        if (m->open[t] == KSDA_I_NO_COLUMN || undecided(x[m->open[t]]) < UNDECIDED) continue;
        double matters = undecided(x[m->open[t]]) * (double)(t - m->low + 1);
        if (matters > worst) worst = matters, best = m->open[t];
    }
    for (uint32_t i = 0; ksda_i_level_may_split(m) && i < m->l->n; i++) {
        uint32_t split = m->pieces.split[i];
        if (split == KSDA_I_NO_COLUMN || undecided(x[split]) < UNDECIDED) continue;
        double matters = undecided(x[split]) * (m->l->degree[i] > m->low ? m->l->degree[i] - m->low + 1 : 1);
        if (matters > worst) worst = matters, best = split;
    }
    if (best != KSDA_I_NO_COLUMN) return best;
    for (uint32_t c = 0; c < m->l->count; c++)
        for (uint32_t t = m->low; t <= m->high; t++) {
            uint32_t has = m->has[(uint64_t)c * (m->high + 1) + t];
            if (has == KSDA_I_NO_COLUMN || undecided(x[has]) < UNDECIDED || undecided(x[has]) <= worst) continue;
            worst = undecided(x[has]), best = has;
        }
    return best;
}

/* The columns that a case decides, in the linear program; or all of them free again. */
static void decide(const search *s, uint64_t at, bool free) {
    const ksda_i_model *p = &s->m->model;
    for (; s->node[at].column != KSDA_I_NO_COLUMN; at = s->node[at].from) {
        uint32_t j = s->node[at].column;
        double value = s->node[at].open ? 1 : 0;
        ksda_i_lp_bounds(s->lp, j, free ? p->lower[j] : value, free ? p->upper[j] : value);
    }
}

/* The last case: what is proved about it, and where it is undecided. What holds for the one it is part of holds. */
static ksda_status bound_case(search *s) {
    level_case *x = s->node + s->count - 1;
    ksda_status status;
    ksda_i_lp_answer a;
    double value = x->bound;
    decide(s, s->count - 1, false);
    status = ksda_i_level_root(s->m, s->lp, true, s->cost, CASE_ROUNDS, s->enough, &value, &a);
    decide(s, s->count - 1, true);
    if (status != KSDA_OK) return status;
    if (a.verdict == KSDA_I_NONE) value = INFINITY;
    x->bound = fmax(x->bound, a.verdict == KSDA_I_CHEAPEST ? a.bound : value);
    x->next = a.verdict == KSDA_I_CHEAPEST ? most_undecided(s->m, a.x) : KSDA_I_NO_COLUMN;
    return KSDA_OK;
}

static ksda_status add_case(search *s, uint32_t from, bool open) {
    ksda_status status = ksda_i_reserve(s->ctx, &s->node, &s->room, s->count + 1, sizeof *s->node);
    if (status < 0) return status;
    const level_case *x = s->node + from;
    s->node[s->count] = (level_case){x->bound, from, x->next, open, KSDA_I_NO_COLUMN, false};
    s->count++;
    return bound_case(s);
}

static uint32_t weakest(const search *s) {
    uint32_t least = NO_CASE;
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->node[i].done && (least == NO_CASE || s->node[i].bound < s->node[least].bound)) least = i;
    return least;
}

/* As in lagrangian_cases.c: the geometric mean of what both halves have gained, and how many cases that would take. */
static void learn_gain(search *s, double before) {
    double product = 1;
    for (uint64_t i = s->count - 2; i < s->count; i++) product *= fmin(1, s->node[i].bound - before);
    s->gain += (s->apart ? FADING : 1) * (sqrt(product) - s->gain);
    s->apart++;
}

static bool is_hopeless(const search *s, double least) {
    if (s->apart < FIRST_CASES) return false;
    double next = fmin(ksda_i_level_round_up(least), s->enough), cases = 0; /* a step of one edge at most */
    double each = (double)(ksda_i_work_done(s->ctx) - s->begun) / s->apart;
    for (uint64_t i = 0; i < s->count; i++)
        if (!s->node[i].done && s->node[i].bound <= next) cases += exp2((next - s->node[i].bound) / s->gain);
    return !(cases * each <= ksda_i_work_left(s->ctx)); /* also where nothing was gained */
}

static bool is_over(const search *s, const level_case *least) {
    return ksda_i_level_proved(s->m, least->bound) >= s->enough || least->next == KSDA_I_NO_COLUMN ||
           s->count + 2 > MOST_CASES || ksda_i_work_over(s->ctx) || ksda_i_time_left(s->ctx) <= 0 ||
           is_hopeless(s, least->bound);
}

ksda_status ksda_i_level_cases(ksda_i_level_model *m, ksda_i_lp *lp, const ksda_i_lp_answer *whole, double cost,
                               double enough, double *bound) {
    ksda_ctx *ctx = m->l->ctx;
    search s = {.ctx = ctx, .m = m, .lp = lp, .cost = cost, .enough = enough, .begun = ksda_i_work_done(ctx)};
    ksda_status status;
    uint32_t at = 0;
    KSDA_I_TRY(ksda_i_reserve(ctx, &s.node, &s.room, 1, sizeof *s.node));
    s.node[s.count++] =
        (level_case){whole->bound, NO_CASE, KSDA_I_NO_COLUMN, false, most_undecided(m, whole->x), false};
    while (!is_over(&s, s.node + at)) {
        double before = s.node[at].bound;
        KSDA_I_TRY(add_case(&s, at, false));
        if (status == KSDA_OK) KSDA_I_TRY(add_case(&s, at, true));
        if (status != KSDA_OK) break; /* both halves, or neither */
        s.node[at].done = true;
        learn_gain(&s, before);
        at = weakest(&s);
        *bound = fmax(*bound, fmin(ksda_i_level_proved(m, s.node[at].bound), m->cutoff + 1));
    }
done:
    ksda_i_free(ctx, s.node);
    return status;
}
