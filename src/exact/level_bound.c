/* What adding edges costs at least, by the linear program of the relaxation (level_model.c) and the rows that it
 * breaks.
 *
 * No integer program is asked, so no other process has to end in time, and every bound is recomputed from the prices of
 * the rows (lp.c). The work is counted: the same network gets the same bound on every machine. */
#include "exact/exact.h"
#include "exact/level_model.h"

#include <math.h>

#define BELOW 3u                    /* individuals per community below the floor */
#define FIRST_TERMS UINT64_C(12000) /* of the first program; further ones have */
#define TERMS_GROW 3u               /* times as many, */
#define MOST_TERMS UINT64_C(110000) /* up to this: larger ones take many seconds */
#define GROWTH 1.7                  /* the work grows with this power of the terms, about */
#define MOST_OF_WORK 0.8            /* that is left is taken for the next program */
#define FLOOR_STEPS 16              /* floors are raised by one in so many */
#define TERM_UNITS 400u             /* of work, for every term of a program that is made */

/* A program, and what its linear program has come to. */
typedef struct program {
    ksda_i_level_model model;
    ksda_i_lp *lp;
    uint64_t terms; /* before further rows came in */
    double bound;   /* in fractions of an edge, -INFINITY: it was not solved */
} program;

typedef struct level_bound {
    const ksda_i_solver *solver;
    const ksda_i_levels *l;
    double cost, enough, *bound;
    int64_t *share; /* [count] */
} level_bound;

static void program_clear(ksda_ctx *ctx, program *p) {
    ksda_i_lp_free(ctx, p->lp);
    ksda_i_level_model_clear(&p->model);
    *p = (program){.bound = -INFINITY};
}

/* Pairs of individuals, most of which are columns: so a program that is far too large is not made. */
static uint64_t pairs_held(const level_bound *b) {
    const ksda_i_levels *l = b->l;
    uint64_t pairs = 0;
    for (uint32_t c = 0; c < l->count; c++) {
        uint64_t held = 0;
        while (l->start[c] + held < l->start[c + 1] && (int64_t)l->degree[l->start[c] + held] > b->share[c]) held++;
        pairs += held * held / 2;
    }
    return pairs;
}

/* The program with that floor, where it has at most so many terms; else one without. */
static ksda_status make_program_at(const level_bound *b, int64_t floor, uint64_t terms, program *p) {
    const ksda_i_levels *l = b->l;
    ksda_status status = ksda_i_interrupted(l->ctx);
    program_clear(l->ctx, p);
    if (status < 0) return status;
    ksda_i_level_shares(l, floor, BELOW, b->share);
    if (pairs_held(b) > terms) return KSDA_OK;
    status = ksda_i_level_model_make(l, floor, b->share, ceil(b->cost) - 1, &p->model);
    if (status != KSDA_OK) return status;
    p->terms = p->model.model.terms;
    ksda_i_work(l->ctx, TERM_UNITS * p->terms);
    if (!p->model.impossible && p->terms > terms) program_clear(l->ctx, p);
    return KSDA_OK;
}

static int64_t floor_after(int64_t floor, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i++) floor += 1 + floor / FLOOR_STEPS;
    return floor;
}

/* The program with at most so many terms that has the lowest floor of those from *floor on, which is set to it; one
 * without terms when there is none. The higher the floor the smaller it is: steps are halved. */
static ksda_status make_program(const level_bound *b, uint64_t terms, int64_t *floor, program *p) {
    uint32_t low = 0, high = 0, most;
    ksda_status status;
    program_clear(b->l->ctx, p);
    while (floor_after(*floor, high) < (int64_t)b->l->top) high++;
    for (most = high; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        KSDA_I_TRY(make_program_at(b, floor_after(*floor, middle), terms, p));
        if (status != KSDA_OK) return status;
        *(p->model.l ? &high : &low) = p->model.l ? middle : middle + 1;
    }
    if (high == most) return KSDA_OK; /* none is small enough, or nobody is above the floor */
    *floor = floor_after(*floor, high);
    status = make_program_at(b, *floor, terms, p);
done:
    return status;
}

/* Its linear program with the rows that it breaks. */
static ksda_status solve_program(const level_bound *b, program *p) {
    ksda_i_lp_answer a;
    if (p->model.impossible) {
        *b->bound = fmax(*b->bound, p->model.cutoff + 1);
        return KSDA_OK;
    }
    ksda_status status = ksda_i_lp_new(b->solver, &p->model.model, &p->lp);
    if (status != KSDA_OK) return status;
    ksda_i_lp_within_work(p->lp);
    status = ksda_i_level_root(&p->model, p->lp, true, b->cost, KSDA_I_LEVEL_ROUNDS, b->enough, b->bound, &a);
    if (status == KSDA_OK && a.verdict == KSDA_I_CHEAPEST) p->bound = a.bound;
    return status;
}

/* Will a program with so many terms take more work than is left, when the last one took so much? */
static bool is_too_much(const ksda_ctx *ctx, const program *p, uint64_t last_terms, uint64_t last_work) {
    double times = last_terms ? pow((double)p->terms / (double)last_terms, GROWTH) : 0;
    return times * (double)last_work > MOST_OF_WORK * ksda_i_work_left(ctx);
}

/* Larger and larger programs, as long as there is work left for the next; in the end the better one of the two is
 * slot[*best], with the largest bound of all. Each stays where it is made: its linear program knows it by its place. */
static ksda_status solve_larger_and_larger(const level_bound *b, program slot[2], uint32_t *best) {
    ksda_ctx *ctx = b->l->ctx;
    int64_t lowest, last = INT64_MAX;
    uint64_t last_terms = 0, last_work = 0;
    ksda_status status;
    KSDA_I_TRY(ksda_i_levels_floor(b->l, &lowest));
    for (uint64_t terms = FIRST_TERMS; terms <= MOST_TERMS && last > lowest; terms *= TERMS_GROW) {
        program *p = &slot[1 - *best];
        int64_t floor = lowest;
        uint64_t begun = ksda_i_work_done(ctx);
        if (*b->bound >= b->enough || ksda_i_work_over(ctx) || ksda_i_time_left(ctx) <= 0) break;
        KSDA_I_TRY(make_program(b, terms, &floor, p));
        if (status != KSDA_OK || is_too_much(ctx, p, last_terms, last_work)) break;
        if (!p->model.l || floor == last) continue;
        KSDA_I_TRY(solve_program(b, p));
        if (status != KSDA_OK) break;
        last = floor, last_terms = p->terms, last_work = ksda_i_work_done(ctx) - begun;
        if (p->bound > slot[*best].bound) *best = 1 - *best;
    }
done:
    return status;
}

/* And with the work that is left the best of them by cases. */
static ksda_status solve_cases(const level_bound *b, program *p) {
    ksda_i_lp_answer a;
    if (!p->lp || *b->bound >= b->enough || ksda_i_work_over(b->l->ctx)) return KSDA_OK;
    ksda_status status = ksda_i_level_root(&p->model, p->lp, true, b->cost, 0, b->enough, b->bound, &a);
    if (status != KSDA_OK || a.verdict != KSDA_I_CHEAPEST) return status;
    return ksda_i_level_cases(&p->model, p->lp, &a, b->cost, b->enough, b->bound);
}

ksda_status ksda_i_level_bound(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double cost, double enough,
                               double *bound) {
    ksda_i_levels l = {.ctx = ctx};
    level_bound b = {ksda_i_solver_default(), &l, cost, enough, bound, NULL};
    program slot[2] = {{.bound = -INFINITY}, {.bound = -INFINITY}};
    uint32_t best = 0;
    ksda_status status;
    if (!b.solver) return KSDA_OK;
    KSDA_I_TRY(ksda_i_levels_from(ctx, lists, k, &l));
    b.share = ksda_i_malloc(ctx, l.count, sizeof *b.share);
    status = b.share ? solve_larger_and_larger(&b, slot, &best) : KSDA_NOMEM;
    if (status == KSDA_OK) status = solve_cases(&b, &slot[best]);
done:
    program_clear(ctx, &slot[0]), program_clear(ctx, &slot[1]);
    ksda_i_free(ctx, b.share);
    ksda_i_levels_clear(&l);
    return status;
}
