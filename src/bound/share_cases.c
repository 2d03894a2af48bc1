/* Branch and bound over levels for a share bound: in one case nobody is left at a level, in the other as many as the
 * share takes.
 *
 * The linear program has a part of a level open, with parts of one person of each of three communities at it. But where
 * somebody is left, b/a people are, for the share a/b. And so many of a community rise from a level, or more, and so
 * many edges are added to it: whole numbers. The case with the smallest bound is taken apart where its solution is the
 * most undecided, and the smallest bound of all cases holds for every release. The rows that solutions break hold in
 * all cases, so that each one makes the program better for all. docs/level-plan.md has the proof. */
#include "bound/share_program.h"

#include <math.h>

#define CASE_ROUNDS 1u    /* of further rows in every case */
#define FIRST_ROUNDS 12u  /* and for the whole */
#define MOST_CELLS 6000u  /* levels times communities: with more a single program takes seconds */
#define MOST_CASES 20000u /* in all */
#define UNDECIDED 1e-5    /* what is nearer to a whole number is decided */
#define FIRST_CASES 8u    /* are taken apart before it is asked whether that will do */
#define NO_CASE UINT32_MAX

/* A case is one column within other bounds, and all that the case has from which it was made. */
typedef struct share_case {
    double bound;
    uint32_t from, column; /* KSDA_I_NO_COLUMN for the whole */
    double lower, upper;
    uint32_t next;          /* the column to be decided, KSDA_I_NO_COLUMN: none is undecided; */
    double at_most, beyond; /* it is at most so much in one case, and at least so much in the other */
    bool done;              /* it was taken apart */
} share_case;

typedef struct search {
    ksda_ctx *ctx;
    ksda_i_share_program *p;
    double least, enough; /* people at a level that is not left; a bound that will do */
    share_case *node;
    uint64_t count, room, begun; /* cases; work done before the first was taken apart */
} search;

/* --- where a case is undecided ------------------------------------------------------------------------------------ */

static double undecided(double x) {
    return fmin(x, 1 - x);
}

/* A level that has less than its least number; the higher the better, because more depends on it. */
static double undecided_level(const search *s, const double *x, share_case *out) {
    const ksda_i_share_levels *l = s->p->levels;
    double worst = 0;
    for (uint32_t i = 0; i < l->levels; i++) {
        uint32_t column = ksda_i_share_stay_column(l, i);
        double here = undecided(x[column] / s->least), matters = here * (double)(l->degree[i] - l->degree[0] + 1);
        if (here < UNDECIDED || matters <= worst) continue;
        worst = matters, out->next = column, out->at_most = 0, out->beyond = s->least;
    }
    return worst;
}

/* A number that is not whole, by what depends on one more of it. */
static void undecided_number(const double *x, uint32_t column, double weight, double *worst, share_case *out) {
    double below = floor(x[column]), here = undecided(x[column] - below);
    if (here < UNDECIDED || here * weight <= *worst) return;
    *worst = here * weight, out->next = column, out->at_most = below, out->beyond = below + 1;
}

/* How many of a community rise, times how far that is, and its edges. */
static void undecided_community(const search *s, const double *x, share_case *out) {
    const ksda_i_share_levels *l = s->p->levels;
    double worst = 0;
    for (uint32_t c = 0; c < l->communities; c++) {
        for (uint32_t i = 0; i + 1 < l->levels; i++)
            undecided_number(x, ksda_i_share_rise_column(l, i, c), l->degree[i + 1] - l->degree[i], &worst, out);
        undecided_number(x, ksda_i_share_edge_column(l, c), 1, &worst, out);
    }
}

static void find_undecided(const search *s, const double *x, share_case *out) {
    if (undecided_level(s, x, out) == 0) undecided_community(s, x, out);
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

/* The bounds of a column in a case. */
static void bounds_in(const search *s, uint64_t at, uint32_t column, double *lower, double *upper) {
    *lower = s->p->model.lower[column], *upper = s->p->model.upper[column];
    for (; s->node[at].column != KSDA_I_NO_COLUMN; at = s->node[at].from)
        if (s->node[at].column == column) {
            *lower = s->node[at].lower, *upper = s->node[at].upper;
            return;
        }
}

/* The columns that a case decides, in the linear program; or all of them free again. */
static void decide(const search *s, uint64_t at, bool free) {
    const ksda_i_model *m = &s->p->model;
    for (uint64_t i = at; s->node[i].column != KSDA_I_NO_COLUMN; i = s->node[i].from) {
        uint32_t column = s->node[i].column;
        double lower = m->lower[column], upper = m->upper[column];
        if (!free) bounds_in(s, at, column, &lower, &upper);
        ksda_i_lp_bounds(s->p->lp, column, lower, upper);
    }
}

/* The last case: what is proved about it, and where it is undecided. What holds for the one it is part of holds. */
static ksda_status bound_case(search *s) {
    share_case *x = s->node + s->count - 1;
    ksda_i_lp_answer a = {.bound = 0};
    decide(s, s->count - 1, false);
    ksda_status status = ksda_i_share_program_solve(s->p, CASE_ROUNDS, s->enough, &x->bound, &a);
    decide(s, s->count - 1, true);
    if (status != KSDA_OK) return status;
    if (a.verdict == KSDA_I_NONE) x->bound = INFINITY;
    if (a.verdict == KSDA_I_CHEAPEST) find_undecided(s, a.x, x);
    return KSDA_OK;
}

static ksda_status add_case(search *s, uint32_t from, bool beyond) {
    ksda_status status = ksda_i_reserve(s->ctx, &s->node, &s->room, s->count + 1, sizeof *s->node);
    if (status < 0) return status;
    const share_case *x = s->node + from;
    share_case *new = s->node + s->count;
    *new = (share_case){.bound = x->bound, .from = from, .column = x->next, .next = KSDA_I_NO_COLUMN};
    bounds_in(s, from, x->next, &new->lower, &new->upper);
    if (beyond)
        new->lower = fmax(new->lower, x->beyond);
    else
        new->upper = fmin(new->upper, x->at_most);
    s->count++;
    if (new->lower <= new->upper) return bound_case(s);
    new->bound = INFINITY;
    return KSDA_OK;
}

static uint32_t weakest(const search *s) {
    uint32_t least = NO_CASE;
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->node[i].done && (least == NO_CASE || s->node[i].bound < s->node[least].bound)) least = i;
    return least;
}

/* Would the next whole number be out of reach even if further cases gained as much as the first ones have? */
static bool is_hopeless(const search *s, double least) {
    if (s->count < 2 * FIRST_CASES + 1) return false;
    double done = (double)(ksda_i_work_done(s->ctx) - s->begun), gained = least - s->node[0].bound;
    return done > 0 && least + gained * (ksda_i_work_left(s->ctx) / done) <= ceil(least);
}

static bool is_over(const search *s, const share_case *least) {
    return least->bound > s->enough || least->next == KSDA_I_NO_COLUMN || s->count + 2 > MOST_CASES ||
           ksda_i_work_over(s->ctx) || ksda_i_time_left(s->ctx) <= 0 || is_hopeless(s, least->bound);
}

static ksda_status take_apart(search *s, double *bound) {
    ksda_status status = KSDA_OK;
    s->begun = ksda_i_work_done(s->ctx);
    for (uint32_t at = 0; !is_over(s, s->node + at); at = weakest(s)) {
        KSDA_I_TRY(add_case(s, at, false));
        if (status == KSDA_OK) KSDA_I_TRY(add_case(s, at, true));
        if (status != KSDA_OK) break; /* both halves, or neither */
        s->node[at].done = true;
        *bound = fmax(*bound, s->node[weakest(s)].bound);
    }
done:
    return status;
}

ksda_status ksda_i_share_bound_cases(ksda_ctx *ctx, const ksda_i_share_levels *l, const ksda_i_ranks *lists,
                                     ksda_share share, double enough, double *bound) {
    ksda_i_share_program p;
    ksda_i_lp_answer whole = {.bound = 0};
    search s = {.ctx = ctx,
                .p = &p,
                .least = (double)(((uint64_t)share.denominator + share.numerator - 1) / share.numerator),
                .enough = enough};
    if (!ksda_i_share_program_fits(l) || (uint64_t)l->levels * l->communities > MOST_CELLS) return KSDA_OK;
    ksda_status status = ksda_i_share_program_open(ctx, l, lists, share, false, &p);
    if (status == KSDA_OK) ksda_i_lp_within_work(p.lp);
    if (status == KSDA_OK) status = ksda_i_share_program_solve(&p, FIRST_ROUNDS, enough, bound, &whole);
    if (status == KSDA_OK) status = ksda_i_reserve(ctx, &s.node, &s.room, 1, sizeof *s.node);
    if (status == KSDA_OK && whole.verdict == KSDA_I_CHEAPEST) {
        s.node[s.count++] =
            (share_case){.bound = *bound, .from = NO_CASE, .column = KSDA_I_NO_COLUMN, .next = KSDA_I_NO_COLUMN};
        find_undecided(&s, whole.x, s.node);
        status = take_apart(&s, bound);
    }
    ksda_i_free(ctx, s.node);
    ksda_i_share_program_close(&p);
    return status == KSDA_LIMIT ? KSDA_OK : status;
}
