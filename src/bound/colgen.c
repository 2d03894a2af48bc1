/* A lower bound from plans of all communities together.
 *
 * What makes the problem hard is that communities must agree on the levels; what edges a plan then needs is easy. So
 * plans are kept whole: the bound is the least number of edges of a mixture of plans (colgen_master.c), found by column
 * generation. At any multipliers of the program's rows the needs of single vertices have prices, the cheapest plan at
 * these prices is found exactly (colgen_dp.c), is a lower bound, and joins the mixture.
 *
 * Where the best mixture is no plan, levels are opened or closed, or a list kept to or from a level, and both cases are
 * bounded in turn, the one with the smallest bound first. */
#include "bound/colgen.h"

#include "bound/colgen_pricing.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 1e-4        /* a mixture this little above a whole number is not there for certain */
#define AGREED 1e-3       /* how far from a whole number is still whole */
#define KEPT 0.7          /* of the best multipliers, in the next ones */
#define PATIENCE 30u      /* rounds without a better bound */
#define BELOW 5u          /* rounds in a row whose mixture costs less than is proved already, where that is all */
#define CASE_ROUNDS 60u   /* in every later case */
#define MOST_COUNTS 4096u /* of splits */
#define NEAR 1.0          /* above the cutoff a plan may still be told of: estimates are rough */

/* One case of the search. */
typedef struct node {
    double bound;
    int8_t *open;  /* [levels] -1 undecided, 0 closed, 1 open */
    int8_t *uses;  /* [lists * levels] likewise */
    double *y;     /* [rows] the multipliers that gave the bound */
    uint32_t rows; /* there were then; later ones have multiplier 0 */
    uint32_t c, q; /* where the plans disagree most: use of level q by list c, or whether it is open, with c = lists */
    bool agreed;   /* they do not disagree */
} node;

/* --- multipliers -------------------------------------------------------------------------------------------------- */

/* Tell of the newest plan. The anchor, which passes for being everywhere, must be where it is missed. */
static ksda_status offer_candidate(ksda_i_colgen *j) {
    const ksda_i_colgen_master *p = &j->program;
    const ksda_i_colgen_entry *e = p->plan + p->plans - 1;
    uint32_t count = 0, at = 0;
    if (!j->options->on_candidate || ksda_i_colgen_program_estimate(p, p->plans - 1) > *j->cutoff + NEAR)
        return KSDA_OK;
    for (uint32_t q = 0; q < j->levels; q++) count += e->open[q];
    uint32_t *level = ksda_i_malloc(j->ctx, count, sizeof *level);
    uint8_t *uses = ksda_i_calloc(j->ctx, (uint64_t)count * j->l->count, 1);
    ksda_status status = level && uses ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t q = 0; q < j->levels && status == KSDA_OK; q++) {
        uint32_t there = 0;
        if (!e->open[q]) continue;
        for (uint32_t c = 0; c < j->lists; c++)
            if (e->uses[c * j->levels + q]) uses[j->who[c].community * count + at] = 1, there++;
        if (there < j->l->k) uses[j->anchor_community * count + at] = 1;
        level[at++] = j->level[q];
    }
    if (status == KSDA_OK) status = j->options->on_candidate(j->options->payload, count, level, uses, j->cutoff);
    ksda_i_free(j->ctx, level), ksda_i_free(j->ctx, uses);
    return status;
}

static bool compatible(const ksda_i_colgen *j, const node *s, const ksda_i_colgen_entry *e) {
    for (uint32_t q = 0; q < j->levels; q++)
        if (s->open[q] >= 0 && s->open[q] != e->open[q]) return false;
    for (uint32_t i = 0; i < j->lists * j->levels; i++)
        if (s->uses[i] >= 0 && s->uses[i] != e->uses[i]) return false;
    return true;
}

static double undecided(double weight) {
    return fmin(weight, 1 - weight);
}

/* The most undecided level by the weights of the plans, or where none is, use of a level by a list. */
static void choose_undecided(const ksda_i_colgen *j, const double *x, node *s) {
    const ksda_i_colgen_master *p = &j->program;
    double worst = AGREED;
    s->agreed = true;
    for (uint32_t i = 0; i < j->levels * (j->lists + 1); i++) {
        uint32_t c = i < j->levels ? j->lists : i / j->levels - 1, q = i % j->levels;
        double weight = 0;
        if (i == j->levels && !s->agreed) return;
        if ((c == j->lists ? s->open[q] : s->uses[c * j->levels + q]) >= 0) continue;
        for (uint64_t k = 0; k < p->plans; k++)
            if (c == j->lists ? p->plan[k].open[q] : p->plan[k].uses[c * j->levels + q]) weight += x[p->plan[k].column];
        if (undecided(weight) > worst) worst = undecided(weight), s->q = q, s->c = c, s->agreed = false;
    }
}

/* The multipliers of the rows, as many as there are by now. */
static ksda_status keep_multipliers(ksda_i_colgen *j, node *s, const double *y) {
    uint32_t rows = j->program.model.rows;
    double *block = ksda_i_realloc(j->ctx, s->y, (uint64_t)rows + 1, sizeof *block);
    if (!block) return KSDA_NOMEM;
    memcpy(block, y, rows * sizeof *y);
    s->y = block, s->rows = rows;
    return KSDA_OK;
}

/* What became of a question: a better bound and its multipliers are kept, the plan joins the mixture. */
static ksda_status add_candidate(ksda_i_colgen *j, node *s, ksda_i_colgen_oracle *a, double *best) {
    bool fresh = false;
    ksda_status status = a->status;
    if (status != KSDA_OK) return status;
    if (a->bound > *best) {
        KSDA_I_TRY(keep_multipliers(j, s, a->y));
        *best = a->bound;
    }
    if (*best > s->bound) s->bound = *best;
    if (!a->found) return KSDA_OK;
    KSDA_I_TRY(ksda_i_colgen_add_plan(j, a, &fresh));
    if (fresh) KSDA_I_TRY(offer_candidate(j));
done:
    return status;
}

/* Ask at one or two sets of multipliers, which are repaired. */
static ksda_status price_candidates(ksda_i_colgen *j, node *s, double *const *y, uint32_t count, double *best) {
    ksda_status status;
    for (uint64_t i = 0; i < j->program.plans; i++)
        j->program.plan[i].compatible = compatible(j, s, j->program.plan + i);
    ksda_i_colgen_solve_pricing(j, y, count, s->open, s->uses);
    status = ksda_i_interrupted(j->ctx);
    for (uint32_t i = 0; i < count && status == KSDA_OK; i++) status = add_candidate(j, s, j->oracle + i, best);
    if (status == KSDA_OK && ksda_i_time_left(j->ctx) <= 0) status = KSDA_LIMIT;
    return status;
}

/* The best mixture of the plans known. Other threads wait for it: its work counts half as much again, so that a proof
 * takes no longer than a search whose work was spread over two. */
static ksda_status solve_master(ksda_i_colgen *j, ksda_i_lp_answer *out) {
    uint64_t before = ksda_i_work_done(j->ctx);
    ksda_status status = ksda_i_lp_solve(j->program.lp, INFINITY, out);
    ksda_i_work(j->ctx, (ksda_i_work_done(j->ctx) - before) / 2);
    return status;
}

/* One round: the best mixture, rows that it breaks, its multipliers and a mean of these and the best ones. */
static ksda_status one_round(ksda_i_colgen *j, node *s, double *best, double *mixture, uint32_t *cuts) {
    ksda_i_colgen_master *p = &j->program;
    ksda_i_lp_answer a;
    double *y = NULL;
    ksda_status status;
    *cuts = 1;
    for (uint64_t i = 0; i < p->plans; i++) {
        p->plan[i].compatible = compatible(j, s, p->plan + i);
        ksda_i_lp_bounds(p->lp, p->plan[i].column, 0, p->plan[i].compatible ? 1e6 : 0);
    }
    KSDA_I_TRY(solve_master(j, &a));
    if (status == KSDA_LIMIT || !a.x) return status; /* no plan of this node is known yet */
    *mixture = ksda_i_model_objective(&p->model, a.x);
    if (j->options->fractional_splits) *j->options->fractional_splits = a.x[p->count_column];
    choose_undecided(j, a.x, s);
    uint32_t rows = p->model.rows;
    *cuts = ksda_i_colgen_program_cuts(p, a.x);
    KSDA_I_TRY(p->model.status);
    y = ksda_i_calloc(j->ctx, 2 * (uint64_t)p->model.rows, sizeof *y);
    if (!y) return KSDA_NOMEM;
    double *mean = y + p->model.rows;
    for (uint32_t r = 0; r < rows; r++) {
        y[r] = fabs(a.dual[r]);
        mean[r] = KEPT * (r < s->rows ? s->y[r] : 0) + (1 - KEPT) * y[r];
    }
    KSDA_I_TRY(price_candidates(j, s, (double *const[]){y, mean}, 2, best));
done:
    ksda_i_free(j->ctx, y);
    return status;
}

/* Raise s->bound by better multipliers, until it exceeds the cutoff or nothing is to be gained. It cannot exceed the
 * best mixture, which new plans make cheaper and only rows that are broken dearer: one that costs less than is proved
 * already promises nothing, unless cases are to follow. */
static ksda_status improve_node(ksda_i_colgen *j, node *s, uint32_t rounds) {
    double best = -INFINITY, last = -INFINITY, mixture = INFINITY;
    uint32_t cuts, idle = 0, below = 0;
    ksda_status status = KSDA_OK;
    double *y = ksda_i_calloc(j->ctx, (uint64_t)j->program.model.rows + 1, sizeof *y);
    if (!y) return KSDA_NOMEM;
    memcpy(y, s->y, s->rows * sizeof *y);
    status = price_candidates(j, s, &y, 1, &best);
    ksda_i_free(j->ctx, y);
    for (uint32_t round = 0; round < rounds && status == KSDA_OK && s->bound <= fmin(*j->cutoff, j->options->enough);
         round++) {
        if (ksda_i_work_over(j->ctx)) break;
        double shown = isinf(j->proved) ? s->bound : j->proved;
        KSDA_I_TRY(ksda_i_progress_solver(j->ctx, "planning all communities together", *j->cutoff + 1, shown));
        KSDA_I_TRY(one_round(j, s, &best, &mixture, &cuts));
        if (cuts == 0 && (mixture < best + 0.01 || ceil(mixture - SLACK) <= ceil(best))) break;
        idle = best > last + 0.01 ? 0 : idle + 1, last = best;
        below = mixture < j->known && j->options->cases == 0 ? below + 1 : 0;
        if (idle > PATIENCE || below == BELOW) break;
    }
done:
    return status;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static ksda_status node_make(ksda_i_colgen *j, const node *from, node *out) {
    uint64_t cells = (uint64_t)j->lists * j->levels;
    *out = (node){.bound = from ? from->bound : -INFINITY};
    out->open = ksda_i_malloc(j->ctx, j->levels, 1);
    out->uses = ksda_i_malloc(j->ctx, cells, 1);
    if (!out->open || !out->uses) return KSDA_NOMEM;
    if (!from) {
        memset(out->open, -1, j->levels), memset(out->uses, -1, cells);
        return KSDA_OK;
    }
    out->c = from->c, out->q = from->q; /* what is to be decided next */
    memcpy(out->open, from->open, j->levels), memcpy(out->uses, from->uses, cells);
    out->y = ksda_i_malloc(j->ctx, (uint64_t)from->rows + 1, sizeof *out->y);
    if (!out->y) return KSDA_NOMEM;
    memcpy(out->y, from->y, from->rows * sizeof *out->y);
    out->rows = from->rows;
    return KSDA_OK;
}

static void node_clear(ksda_i_colgen *j, node *s) {
    ksda_i_free(j->ctx, s->open), ksda_i_free(j->ctx, s->uses), ksda_i_free(j->ctx, s->y);
    *s = (node){.bound = INFINITY};
}

/* Decide what `s` leaves most open. */
static void decide_undecided(const ksda_i_colgen *j, node *s, bool yes) {
    if (s->c < j->lists)
        s->uses[s->c * j->levels + s->q] = yes;
    else
        s->open[s->q] = yes;
    for (uint32_t c = 0; c < j->lists && s->open[s->q] == 0; c++) s->uses[c * j->levels + s->q] = 0;
    if (s->c < j->lists && yes) s->open[s->q] = 1;
}

typedef struct search {
    node *node;
    uint64_t count, room;
} search;

static ksda_status both_cases(ksda_i_colgen *j, search *x, uint64_t at) {
    for (int yes = 0; yes < 2; yes++) {
        ksda_status status = ksda_i_reserve(j->ctx, &x->node, &x->room, x->count + 1, sizeof *x->node);
        if (status < 0) return status;
        node *s = x->node + x->count++;
        *s = (node){.bound = INFINITY};
        status = node_make(j, x->node + at, s);
        if (status < 0) return status;
        decide_undecided(j, s, yes);
        if (s->bound <= *j->cutoff && (status = improve_node(j, s, CASE_ROUNDS)) != KSDA_OK) return status;
    }
    node_clear(j, x->node + at);
    return KSDA_OK;
}

/* Costs are so many splits and a whole number of edges; looked at one number of splits after the other, unless splits
 * cost a whole number as well. */
static bool in_whole_edges(const ksda_i_colgen_splits *s) {
    return s->weight == floor(s->weight) && s->weight < KSDA_I_COLGEN_EXACT;
}

double ksda_i_colgen_cost_from(const ksda_i_colgen_splits *s, double value) {
    double best = INFINITY;
    if (in_whole_edges(s)) return ceil(value);
    if (s->most - s->least >= MOST_COUNTS) return value;
    for (uint32_t n = s->least; n <= s->most; n++) {
        double splits = s->weight * n, edges = ceil(value - splits - 0x1p-50 * (fabs(value) + splits));
        best = fmin(best, fmax(0, edges) + splits);
    }
    return best;
}

double ksda_i_colgen_cost_below(const ksda_i_colgen_splits *s, double cost) {
    double best = -1;
    if (in_whole_edges(s)) return ceil(cost) - 1;
    if (s->most - s->least >= MOST_COUNTS) return cost;
    for (uint32_t n = s->least; n <= s->most; n++) {
        double splits = s->weight * n, edges = ceil(cost - splits);
        while (edges >= 0 && edges + splits >= cost) edges--;
        if (edges >= 0) best = fmax(best, edges + splits);
    }
    return best;
}

/* Where nobody is split, solutions that cost more than the cutoff and one may use levels that were left out. */
static void raise_bound(ksda_i_colgen *j, const node *s, double *bound) {
    double value = ksda_i_colgen_cost_from(&j->options->splits, s->bound);
    *bound = fmax(*bound, j->options->splits.weight > 0 ? value : fmin(value, *j->cutoff + 2));
    j->proved = *bound;
}

/* Take the case with the smallest bound apart until that exceeds the cutoff, or the plans agree in it. */
static ksda_status search_cases(ksda_i_colgen *j, search *x, double *bound) {
    for (;;) {
        uint64_t least = 0;
        for (uint64_t i = 1; i < x->count; i++)
            if (x->node[i].bound < x->node[least].bound) least = i;
        const node *s = x->node + least;
        raise_bound(j, s, bound);
        if (*bound > *j->cutoff || *bound >= j->options->enough || s->agreed || x->count > j->options->cases ||
            ksda_i_work_over(j->ctx))
            return KSDA_OK;
        ksda_status status = both_cases(j, x, least);
        if (status != KSDA_OK) return status;
    }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* A few plans to begin with: every edge at the same price, in the anchor and in the lists. */
static ksda_status first_plans(ksda_i_colgen *j, node *s) {
    static const double share[] = {0.6, 0.75, 0.9};
    const ksda_i_colgen_master *p = &j->program;
    ksda_status status = KSDA_OK;
    double best = -INFINITY;
    double *y = ksda_i_malloc(j->ctx, p->model.rows, sizeof *y);
    if (!y) return KSDA_NOMEM;
    for (uint32_t i = 0; i < 9 && status == KSDA_OK; i++) {
        for (uint32_t r = 0; r < p->model.rows; r++) {
            bool anchor = p->unit[p->row[r].unit].list == j->lists;
            bool other = p->unit[p->row[r].unit].other;
            y[r] = p->row[r].kind == KSDA_I_COLGEN_NEED     ? other ? 0.5 : share[anchor ? i / 3 : i % 3]
                   : p->row[r].kind == KSDA_I_COLGEN_LINK   ? 0.25
                   : p->row[r].kind == KSDA_I_COLGEN_COUNT  ? j->options->splits.weight
                   : p->row[r].kind == KSDA_I_COLGEN_PIECES ? j->options->splits.weight / 3
                   : p->row[r].kind == KSDA_I_COLGEN_MASS   ? 0.1
                                                            : 0;
        }
        status = price_candidates(j, s, &y, 1, &best);
    }
    ksda_i_free(j->ctx, y);
    return status;
}

ksda_status ksda_i_colgen_bound(const ksda_i_levels *l, const ksda_i_colgen_options *options, double *cutoff,
                                double *bound, bool *fits, bool *complete) {
    ksda_i_colgen j = {
        .ctx = l->ctx, .l = l, .options = options, .cutoff = cutoff, .proved = -INFINITY, .known = *bound};
    search x = {.node = NULL};
    ksda_status status;
    *complete = false;
    KSDA_I_TRY(ksda_i_colgen_open(&j, fits, complete));
    if (!*fits) goto done;
    KSDA_I_TRY(ksda_i_reserve(j.ctx, &x.node, &x.room, 1, sizeof *x.node));
    x.node[x.count++] = (node){.bound = INFINITY};
    KSDA_I_TRY(node_make(&j, NULL, x.node));
    status = first_plans(&j, x.node);
    if (status == KSDA_OK) status = improve_node(&j, x.node, options->rounds);
    if (status >= 0) raise_bound(&j, x.node, bound);
    if (status == KSDA_OK && options->cases > 0) status = search_cases(&j, &x, bound);
done:
    for (uint64_t i = 0; i < x.count; i++) node_clear(&j, x.node + i);
    ksda_i_free(l->ctx, x.node);
    ksda_i_colgen_close(&j);
    return status;
}
