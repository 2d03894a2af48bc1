/* What adding edges costs at least, by the linear program of the relaxation (level_model.c) and the rows that it
 * breaks.
 *
 * No integer program is asked, so no other process has to end in time, and every bound is recomputed from the prices of
 * the rows (lp.c). The work is counted: the same network gets the same bound on every machine. */
#include "exact/exact.h"
#include "exact/level_model.h"

#include <float.h>
#include <math.h>

#define BELOW 3u                    /* individuals per community below the floor */
#define FIRST_TERMS UINT64_C(12000) /* of the first program; further ones have */
#define TERMS_GROW 3u               /* times as many, */
#define MOST_TERMS UINT64_C(110000) /* up to this: larger ones take many seconds */
#define GROWTH 1.7                  /* the work grows with this power of the terms, about */
#define MOST_OF_WORK 0.8            /* that is left is taken for the next program */
#define FLOOR_STEPS 16              /* floors are raised by one in so many */
#define TERM_UNITS 400u             /* of work, for every term of a program that is made */
#define SPLITS_GROWTH 2.5           /* as GROWTH, of programs in which somebody is split */
#define ROOT_PART 0.7               /* of the work for such a program, the rest for its cases */

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
    const ksda_i_colgen_splits
        *splits; /* NULL: nobody is split; else what follows is beyond the least number of these */
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
    status = ksda_i_level_model_make(l, floor, b->share, ceil(b->cost) - 1, b->splits, &p->model);
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
    level_bound b = {ksda_i_solver_default(), &l, NULL, cost, enough, bound, NULL};
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

/* --- releases that split somebody --------------------------------------------------------------------------------- */

/* One program with at most so many terms, and cases of it if `apart`. *took: its terms, 0 if there was none. */
static ksda_status solve_one(const level_bound *b, uint64_t terms, bool apart, uint64_t *took) {
    program p = {.bound = -INFINITY};
    int64_t floor;
    ksda_status status;
    *took = 0;
    KSDA_I_TRY(ksda_i_levels_floor(b->l, &floor));
    KSDA_I_TRY(make_program(b, terms, &floor, &p));
    if (status != KSDA_OK || !p.model.l) goto done;
    *took = p.terms;
    KSDA_I_TRY(solve_program(b, &p));
    if (status == KSDA_OK && apart && p.bound > -INFINITY) status = solve_cases(b, &p);
done:
    program_clear(b->l->ctx, &p);
    return status;
}

/* What all splits cost at least is left out while the programs are solved. With one number of splits that bounds the
 * edges, in whole numbers; with several, releases that cost as much as the known one are not looked at. */
ksda_status ksda_i_level_splits_bound(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k,
                                      const ksda_i_colgen_splits *splits, double cost, double enough, uint64_t terms,
                                      bool apart, double *bound, uint64_t *took) {
    ksda_i_levels l = {.ctx = ctx};
    double paid = splits->weight * splits->least, value = 0, rounding = 4 * DBL_EPSILON * (paid + cost);
    level_bound b = {ksda_i_solver_default(), &l, splits, cost - paid, enough - paid + rounding, &value, NULL};
    ksda_status status;
    *took = 0;
    if (!b.solver || splits->least == 0 || splits->least > splits->most || !(b.cost > 0)) return KSDA_OK;
    KSDA_I_TRY(ksda_i_levels_from(ctx, lists, k, &l));
    ksda_i_levels_loosen(&l, splits->most);
    b.share = ksda_i_malloc(ctx, l.count, sizeof *b.share);
    status = b.share ? solve_one(&b, terms, apart, took) : KSDA_NOMEM;
    value = value + paid - rounding;
    if (splits->least < splits->most) value = fmin(value, cost);
    *bound = fmax(*bound, value);
done:
    ksda_i_free(ctx, b.share);
    ksda_i_levels_clear(&l);
    return status;
}

/* A case, and what its first program was like. */
typedef struct first_program {
    uint64_t terms, work;
    bool done;
} first_program;

typedef struct splits_question {
    ksda_ctx *ctx;
    const ksda_i_ranks *lists;
    uint32_t k;
    double weight, cost, enough;
} splits_question;

static ksda_status bound_case(const splits_question *q, ksda_i_proof_case *x, uint64_t terms, bool apart,
                              uint64_t *took) {
    const ksda_i_colgen_splits splits = {q->weight, x->least, x->most};
    return ksda_i_level_splits_bound(q->ctx, q->lists, q->k, &splits, q->cost, q->enough, terms, apart, &x->bound,
                                     took);
}

/* The case with the smallest bound, unless its larger program was solved. */
static uint32_t weakest_case(const splits_question *q, const ksda_i_proof_case *x, const first_program *first,
                             uint32_t count) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++)
        if (x[i].bound < x[least].bound) least = i;
    return first[least].done || x[least].bound >= q->enough ? UINT32_MAX : least;
}

/* As much of the work that is left as other cases do not need as badly. */
static uint64_t work_for(const splits_question *q, const ksda_i_proof_case *x, const first_program *first,
                         uint32_t count, uint32_t at) {
    uint32_t as_weak = 0;
    double bad = x[at].bound + (q->enough - x[at].bound) / 2;
    for (uint32_t i = 0; i < count; i++) as_weak += !first[i].done && x[i].bound < bad;
    return (uint64_t)(ksda_i_work_left(q->ctx) / (as_weak ? as_weak : 1));
}

/* So many terms are expected to be solved with a part of the work. */
static uint64_t terms_for(const first_program *first, uint64_t work) {
    double times = pow(ROOT_PART * (double)work / ((double)first->work + 1), 1 / SPLITS_GROWTH);
    return (uint64_t)fmin((double)MOST_TERMS, fmax(1, times) * (double)first->terms);
}

/* A small program of every case, then a large one with cases of the weakest, again and again. */
ksda_status ksda_i_level_splits_bounds(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double weight, double cost,
                                       double enough, ksda_i_proof_case *x, uint32_t count) {
    const splits_question q = {ctx, lists, k, weight, cost, enough};
    first_program first[KSDA_I_PROOF_CASES] = {{0}};
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < count && status == KSDA_OK && !ksda_i_work_over(ctx); i++) {
        uint64_t begun = ksda_i_work_done(ctx);
        for (uint64_t terms = FIRST_TERMS; status == KSDA_OK && terms <= MOST_TERMS && first[i].terms == 0;
             terms *= TERMS_GROW)
            status = bound_case(&q, x + i, terms, false, &first[i].terms);
        first[i].work = ksda_i_work_done(ctx) - begun, first[i].done = first[i].terms == 0;
    }
    for (uint32_t at; status == KSDA_OK && (at = weakest_case(&q, x, first, count)) != UINT32_MAX;) {
        uint64_t work = work_for(&q, x, first, count, at), took, around = ksda_i_work_begin(ctx, work);
        if (!ksda_i_work_over(ctx)) status = bound_case(&q, x + at, terms_for(&first[at], work), true, &took);
        ksda_i_work_finish(ctx, around);
        first[at].done = true;
    }
    return status == KSDA_LIMIT ? KSDA_OK : status;
}
