/* One community's cheapest answer to prices on the levels.
 *
 *   uses_t     somebody of the community ends at level t; costs the price of t
 *   z_it       member i, held one by one, ends at level t
 *   e_ij, a_i  an edge between two members raised above the floor; edges from i to those who are not; 1 each
 *   x_t        how many of the pool, the members who are not held, end at level t; they need edges to members (p_i),
 *              among themselves (q) and to those who stay low (o_t); 1 each
 *   sum_t (t - d_i) z_it <= sum_j e_ij + a_i + p_i,  e_ij <= sum_{t > d_i} z_it,  z_it <= uses_t <= sum_i z_it + x_t
 *
 * Every solution of the real problem gives such an answer at no more than its own cost in the community. Levels are the
 * original degrees: one at which everybody is raised can be lowered for all of them, which only saves edges here.
 *
 * That the pool stays low, or that 1, 2 to 3, 4 to 7, ... of it are raised, are cases bounded one by one. Two bounds are
 * taken, the better one counts: the dynamic program of level-plan's bound, which knows whole levels and little of
 * adjacency, and the linear program with rows added where it breaks them, which knows adjacency and fractions of levels.
 * Linear programs start from the last one's basis and take milliseconds to seconds. */
#include "exact/parts.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 1e-6   /* what a dynamic program may lose to rounding */
#define WHOLE 1e-6   /* what counts as integral */
#define CUT_ROUNDS 4 /* of prefix rows for each question */
#define VIOLATED 0.02
#define UNORDERED 0.05
#define MOST_PAIRS 50u  /* a of the dynamic program */
#define MUCH 1e6        /* a price that decides on a level */
#define MOST_ROWS 6000u /* no prefix rows beyond */

/* --- the program ------------------------------------------------------------------------------------------------ */

static uint32_t degree_of(const ksda_i_part *p, uint32_t a) {
    return p->l->degree[p->l->start[p->c] + a];
}

static void member_columns(ksda_i_part *p, uint32_t a) {
    const ksda_i_levels *l = p->l;
    uint32_t i = l->start[p->c] + a, d = l->degree[i];
    bool nowhere = (int64_t)d > p->floor;
    p->stays[a] = nowhere ? KSDA_I_NO_COLUMN : ksda_i_model_column(&p->model, 0, 1, 0, true, "s_%u", a);
    for (uint32_t q = 0; q < p->levels; q++) {
        uint32_t t = p->level[q];
        if (t < d || t > l->cap[i] || !ksda_i_affordable(l, p->cutoff, p->c, i, t)) continue;
        p->at[a * p->levels + q] = ksda_i_model_column(&p->model, 0, 1, 0, true, "z_%u_%u", a, t);
        nowhere = false;
    }
    if (nowhere) p->impossible = true;
}

static void member_rows(ksda_i_part *p, uint32_t a) {
    ksda_i_model *m = &p->model;
    for (uint32_t q = 0; q < p->levels; q++) ksda_i_model_term(m, p->at[a * p->levels + q], 1);
    ksda_i_model_term(m, p->stays[a], 1);
    ksda_i_model_row(m, 1, 1, "one_%u", a);
    for (uint32_t q = 0; q < p->levels; q++) {
        if (p->at[a * p->levels + q] == KSDA_I_NO_COLUMN) continue;
        ksda_i_model_term(m, p->at[a * p->levels + q], 1), ksda_i_model_term(m, p->uses[q], -1);
        ksda_i_model_row(m, -INFINITY, 0, "uses_%u_%u", a, p->level[q]);
    }
}

/* Column e_ij <= the weight with which i is raised at all. */
static void pair_row(ksda_i_part *p, uint32_t a, uint32_t b) {
    ksda_i_model_term(&p->model, p->edge[a * p->held + b], 1);
    for (uint32_t q = 0; q < p->levels && p->level[q] > degree_of(p, a); q++)
        ksda_i_model_term(&p->model, p->at[a * p->levels + q], -1);
    ksda_i_model_row(&p->model, -INFINITY, 0, "pair_%u_%u", a, b);
}

static void pairs(ksda_i_part *p) {
    const ksda_i_levels *l = p->l;
    const uint32_t *vertex = l->vertex + l->start[p->c];
    for (uint32_t a = 0; a < p->held; a++)
        for (uint32_t b = a + 1; b < p->held; b++) {
            if (ksda_graph_adjacent(l->graph, vertex[a], vertex[b])) continue;
            uint32_t column = ksda_i_model_column(&p->model, 0, 1, 1, false, "e_%u_%u", a, b);
            p->edge[a * p->held + b] = p->edge[b * p->held + a] = column;
            pair_row(p, a, b), pair_row(p, b, a);
        }
}

static void need_row(ksda_i_part *p, uint32_t a, uint32_t to_pool) {
    ksda_i_model *m = &p->model;
    uint32_t low = ksda_i_model_column(m, 0, p->l->top, 1, false, "a_%u", a);
    for (uint32_t q = 0; q < p->levels && p->level[q] > degree_of(p, a); q++)
        ksda_i_model_term(m, p->at[a * p->levels + q], (double)p->level[q] - degree_of(p, a));
    for (uint32_t b = 0; b < p->held; b++) ksda_i_model_term(m, p->edge[a * p->held + b], -1);
    ksda_i_model_term(m, low, -1), ksda_i_model_term(m, to_pool, -1);
    ksda_i_model_row(m, -INFINITY, 0, "need_%u", a);
}

static void pool_columns(ksda_i_part *p, uint32_t size) {
    const ksda_i_levels *l = p->l;
    uint32_t first = l->start[p->c] + p->held, most = 0;
    for (uint32_t i = first; i < first + size; i++)
        if (l->cap[i] > most) most = l->cap[i];
    for (uint32_t q = 0; q < p->levels; q++)
        if (p->level[q] <= most && ksda_i_affordable(l, p->cutoff, p->c, first, p->level[q]))
            p->pool_at[q] = ksda_i_model_column(&p->model, 0, size, 0, true, "x_%u", p->level[q]);
    p->raised = ksda_i_model_column(&p->model, 0, size, 0, false, "x");
    for (uint32_t q = 0; q < p->levels; q++) ksda_i_model_term(&p->model, p->pool_at[q], 1);
    ksda_i_model_term(&p->model, p->raised, -1);
    ksda_i_model_row(&p->model, 0, 0, "x");
    for (uint32_t q = 0; q < p->levels; q++) {
        if (p->pool_at[q] == KSDA_I_NO_COLUMN) continue;
        ksda_i_model_term(&p->model, p->pool_at[q], 1), ksda_i_model_term(&p->model, p->uses[q], -(double)size);
        ksda_i_model_row(&p->model, -INFINITY, 0, "uses_x_%u", p->level[q]);
    }
}

/* What the raised of the pool need: at level t, x_t of them, of members, of each other, and of whoever stays low. Each
 * has at most one edge to each member and to each other. first: the column of the first member's edges to the pool;
 * every second one is such. */
static void pool_needs(ksda_i_part *p, uint32_t first, double degree, double together) {
    ksda_i_model *m = &p->model;
    uint32_t start = m->columns;
    for (uint32_t q = 0; q < p->levels; q++) {
        uint32_t x = p->pool_at[q];
        if (x == KSDA_I_NO_COLUMN) continue;
        uint32_t member = ksda_i_model_column(m, 0, p->cutoff, 0, false, "m_%u", p->level[q]);
        uint32_t other = ksda_i_model_column(m, 0, 2 * p->cutoff, 0, false, "q_%u", p->level[q]);
        uint32_t low = ksda_i_model_column(m, 0, p->cutoff, 1, false, "o_%u", p->level[q]);
        ksda_i_model_term(m, x, (double)p->level[q] - degree), ksda_i_model_term(m, member, -1);
        ksda_i_model_term(m, other, -1), ksda_i_model_term(m, low, -1);
        ksda_i_model_row(m, -INFINITY, 0, "pool_%u", p->level[q]);
        ksda_i_model_term(m, member, 1), ksda_i_model_term(m, x, -(double)p->held);
        ksda_i_model_row(m, -INFINITY, 0, "m_%u", p->level[q]);
        ksda_i_model_term(m, other, 1), ksda_i_model_term(m, x, -fmax(0, together - 1));
        ksda_i_model_row(m, -INFINITY, 0, "q_%u", p->level[q]);
    }
    uint32_t end = m->columns;
    for (uint32_t column = start; column < end; column += 3) ksda_i_model_term(m, column, 1);
    for (uint32_t a = 0; a < p->held; a++) ksda_i_model_term(m, first + 2 * a, -1);
    ksda_i_model_row(m, -INFINITY, 0, "m");
    for (uint32_t column = start; column < end; column += 3) ksda_i_model_term(m, column + 1, 1);
    ksda_i_model_term(m, p->inner, -2);
    ksda_i_model_row(m, -INFINITY, 0, "q_all");
}

/* The pool, and the needs of the members, who may have edges to it. */
static void pool(ksda_i_part *p) {
    const ksda_i_levels *l = p->l;
    ksda_i_model *m = &p->model;
    uint32_t first = l->start[p->c] + p->held, size = l->start[p->c + 1] - first;
    if (size > 0) pool_columns(p, size);
    uint32_t columns = m->columns;
    for (uint32_t a = 0; a < p->held; a++) {
        uint32_t to_pool = size > 0 ? ksda_i_model_column(m, 0, size, 1, false, "p_%u", a) : KSDA_I_NO_COLUMN;
        if (size > 0) {
            ksda_i_model_term(m, to_pool, 1), ksda_i_model_term(m, p->raised, -1);
            ksda_i_model_row(m, -INFINITY, 0, "p_%u", a);
        }
        need_row(p, a, to_pool);
    }
    if (size == 0) return;
    double best = l->degree[first], together = fmin(size, floor(2 * p->cutoff / ((double)p->floor + 1 - best)));
    uint32_t inner = p->inner = ksda_i_model_column(m, 0, p->cutoff, 1, false, "q");
    ksda_i_model_term(m, inner, 2), ksda_i_model_term(m, p->raised, -fmax(0, together - 1));
    ksda_i_model_row(m, -INFINITY, 0, "q");
    pool_needs(p, columns, best, together);
}

static void cover_rows(ksda_i_part *p) {
    ksda_i_model *m = &p->model;
    for (uint32_t q = 0; q < p->levels; q++) {
        ksda_i_model_term(m, p->uses[q], 1);
        for (uint32_t a = 0; a < p->held; a++) ksda_i_model_term(m, p->at[a * p->levels + q], -1);
        ksda_i_model_term(m, p->pool_at[q], -1);
        ksda_i_model_row(m, -INFINITY, 0, "from_%u", p->level[q]);
    }
}

/* Who ends above the floor when anybody of the pool does: the pool can be paired with all members, at most. */
static void find_ahead_of_pool(ksda_i_part *p) {
    const ksda_i_levels *l = p->l;
    uint32_t first = l->start[p->c] + p->held, most = 0;
    if (first == l->start[p->c + 1]) return;
    for (uint32_t i = first; i < l->start[p->c + 1]; i++)
        if (l->cap[i] > most) most = l->cap[i];
    for (uint32_t a = 0; a < p->held; a++) {
        uint32_t adjacent = 0, cap = l->cap[l->start[p->c] + a];
        for (uint32_t w = 0; w < p->held; w++) adjacent += w != a && p->edge[a * p->held + w] == KSDA_I_NO_COLUMN;
        p->ahead_of_pool[a] = adjacent <= degree_of(p, a) - l->degree[first] && (cap >= most || cap >= p->level[0]);
    }
}

/* Some cheapest answer ends a at least as high as b, d_a >= d_b, when at most d_a - d_b members can be joined to b but
 * not to a: if a ends lower, the two exchange their levels, and b hands over to a the new edges it then has too many of
 * (docs/level-plan.md, Lemma 3). Chains of such exchanges end, because each sorts. */
static void find_ahead(ksda_i_part *p) {
    const uint32_t *cap = p->l->cap + p->l->start[p->c];
    for (uint32_t a = 0; a < p->held; a++)
        for (uint32_t b = a + 1; b < p->held; b++) {
            uint32_t only = 0;
            if (cap[a] < cap[b] && cap[a] < p->level[0]) continue;
            for (uint32_t w = 0; w < p->held; w++)
                only += w != a && p->edge[b * p->held + w] != KSDA_I_NO_COLUMN &&
                        p->edge[a * p->held + w] == KSDA_I_NO_COLUMN;
            p->ahead[a * p->held + b] = only <= degree_of(p, a) - degree_of(p, b);
        }
    find_ahead_of_pool(p);
}

/* The dynamic program of level-plan's bound: over the members held, who may also stay at their degrees below the floor.
 */
static ksda_status open_lists(ksda_i_part *p, const ksda_i_ranks *ranks) {
    const ksda_i_levels *l = p->l;
    ksda_ctx *ctx = l->ctx;
    uint32_t size = l->start[p->c + 1] - l->start[p->c], count = 0, held = p->held;
    uint32_t below = held < size ? degree_of(p, held) : 0;
    p->coarse_level = ksda_i_malloc(ctx, (uint64_t)p->levels + held, sizeof *p->coarse_level);
    p->coarse_price = ksda_i_calloc(ctx, (uint64_t)p->levels + held, sizeof *p->coarse_price);
    p->used = ksda_i_malloc(ctx, (uint64_t)p->levels + held, 1);
    p->limits = ksda_i_malloc(ctx, 3 * (uint64_t)held + 2, sizeof *p->limits);
    if (!p->coarse_level || !p->coarse_price || !p->used || !p->limits) return KSDA_NOMEM;
    for (; count < p->levels; count++) p->coarse_level[count] = p->level[count];
    for (uint32_t a = 0; a < held; a++)
        if ((int64_t)degree_of(p, a) <= p->floor && (a == 0 || degree_of(p, a) < degree_of(p, a - 1)))
            p->coarse_level[count++] = degree_of(p, a);
    p->coarse = (ksda_i_bound_levels){.level = p->coarse_level, .count = count, .floor = below};
    p->list = (ksda_i_bound_list){
        .degree = l->degree + l->start[p->c], .members = held, .vanish = INFINITY, .piece = INFINITY};
    p->list.earlier = p->limits, p->list.limited = p->limits + held, p->list.reach = p->limits + 2 * held + 1;
    ksda_i_bound_limits(l->graph, ranks, p->c, held, p->limits);
    p->list.highest = ksda_i_bound_reach(ranks, p->c, held, 0, p->limits + 2 * held + 1);
    ksda_i_bound_set_pairs(&p->list, held < MOST_PAIRS ? held + 1 : MOST_PAIRS);
    p->space = ksda_i_malloc(ctx, ksda_i_bound_space(&p->list, count), sizeof *p->space);
    return p->space ? KSDA_OK : KSDA_NOMEM;
}

ksda_status ksda_i_part_make(const ksda_i_levels *l, const ksda_i_ranks *ranks, uint32_t c, int64_t floor,
                             uint32_t levels, const uint32_t *level, double cutoff, uint32_t below, uint32_t least,
                             ksda_i_part *p) {
    ksda_ctx *ctx = l->ctx;
    uint32_t size = l->start[c + 1] - l->start[c];
    *p = (ksda_i_part){.l = l, .c = c, .levels = levels, .level = level, .floor = floor, .cutoff = cutoff};
    p->raised = KSDA_I_NO_COLUMN;
    ksda_i_model_init(&p->model, ctx);
    while (p->held < size && (int64_t)degree_of(p, p->held) > floor) p->held++;
    p->held = p->held + below < least ? least : p->held + below;
    if (p->held > size) p->held = size;
    while (p->held < size && (int64_t)degree_of(p, p->held) >= floor) p->held++; /* the pool must have some way to go */
    p->uses = ksda_i_malloc(ctx, levels, sizeof *p->uses);
    p->pool_at = ksda_i_malloc(ctx, levels, sizeof *p->pool_at);
    p->at = ksda_i_malloc(ctx, (uint64_t)p->held * levels, sizeof *p->at);
    p->edge = ksda_i_malloc(ctx, (uint64_t)p->held * p->held, sizeof *p->edge);
    p->stays = ksda_i_malloc(ctx, p->held, sizeof *p->stays);
    p->ahead = ksda_i_calloc(ctx, (uint64_t)p->held * p->held, 1);
    p->ahead_of_pool = ksda_i_calloc(ctx, p->held, 1);
    p->pool_price = ksda_i_calloc(ctx, KSDA_I_POOL_CASES * (uint64_t)levels, sizeof *p->pool_price);
    for (uint32_t j = 0; j < KSDA_I_POOL_CASES; j++) p->pool_bound[j] = -INFINITY;
    ksda_status status =
        p->uses && p->ahead && p->ahead_of_pool && p->pool_price && p->pool_at && p->stays && p->at && p->edge
            ? KSDA_OK
            : KSDA_NOMEM;
    if (status == KSDA_OK) {
        memset(p->pool_at, 0xff, levels * sizeof *p->pool_at);
        memset(p->at, 0xff, (uint64_t)p->held * levels * sizeof *p->at);
        memset(p->edge, 0xff, (uint64_t)p->held * p->held * sizeof *p->edge);
        for (uint32_t q = 0; q < levels; q++)
            p->uses[q] = ksda_i_model_column(&p->model, 0, 1, 0, true, "u_%u", level[q]);
        for (uint32_t a = 0; a < p->held; a++) member_columns(p, a);
        for (uint32_t a = 0; a < p->held; a++) member_rows(p, a);
        pairs(p);
        find_ahead(p);
        pool(p);
        cover_rows(p);
        status = p->model.status;
    }
    if (status == KSDA_OK) status = open_lists(p, ranks);
    if (status == KSDA_OK) status = ksda_i_lp_new(&p->model, &p->lp);
    if (status < 0) ksda_i_part_clear(p);
    return status;
}

void ksda_i_part_clear(ksda_i_part *p) {
    if (!p->l) return;
    ksda_ctx *ctx = p->l->ctx;
    for (uint64_t i = 0; i < p->answers; i++) ksda_i_free(ctx, p->answer[i].uses);
    ksda_i_free(ctx, p->answer);
    ksda_i_lp_free(ctx, p->lp);
    ksda_i_model_clear(&p->model);
    ksda_i_free(ctx, p->uses), ksda_i_free(ctx, p->pool_at), ksda_i_free(ctx, p->at), ksda_i_free(ctx, p->edge);
    ksda_i_free(ctx, p->stays), ksda_i_free(ctx, p->ahead), ksda_i_free(ctx, p->ahead_of_pool),
        ksda_i_free(ctx, p->pool_price), ksda_i_free(ctx, p->coarse_level), ksda_i_free(ctx, p->limits);
    ksda_i_free(ctx, p->coarse_price), ksda_i_free(ctx, p->space), ksda_i_free(ctx, p->used);
    memset(p, 0, sizeof *p);
}

/* --- answers ---------------------------------------------------------------------------------------------------- */

static double value_of(const double *x, uint32_t column) {
    return column == KSDA_I_NO_COLUMN ? 0 : x[column];
}

static double priced(const ksda_i_part *p, const ksda_i_part_answer *a, const double *price) {
    double sum = a->cost;
    for (uint32_t q = 0; q < p->levels; q++) sum += price[q] * a->uses[q];
    return sum;
}

static bool allowed(const ksda_i_part *p, const ksda_i_part_answer *a, const int8_t *fixed) {
    for (uint32_t q = 0; q < p->levels; q++)
        if (fixed[q] >= 0 && fabs(a->uses[q] - fixed[q]) > WHOLE) return false;
    return true;
}

static ksda_status keep(ksda_i_part *p, const double *x, bool whole) {
    ksda_ctx *ctx = p->l->ctx;
    ksda_status status = ksda_i_reserve(ctx, &p->answer, &p->room, p->answers + 1, sizeof *p->answer);
    if (status < 0) return status;
    ksda_i_part_answer *a = p->answer + p->answers;
    *a = (ksda_i_part_answer){.cost = ksda_i_model_objective(&p->model, x), .whole = whole};
    a->uses = ksda_i_malloc(ctx, p->levels, sizeof *a->uses);
    if (!a->uses) return KSDA_NOMEM;
    for (uint32_t q = 0; q < p->levels; q++) {
        a->cost -= p->model.cost[p->uses[q]] * x[p->uses[q]];
        a->uses[q] = whole ? round(x[p->uses[q]]) : x[p->uses[q]];
    }
    p->answers++;
    return KSDA_OK;
}

/* --- prefix rows ------------------------------------------------------------------------------------------------ */

typedef struct weight {
    double value;
    uint32_t column;
} weight;

static int descending(const void *a, const void *b) {
    const weight *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

/* Most new edges of member a to any `size` others, by the weights in x. */
static double most_edges(const ksda_i_part *p, const double *x, uint32_t a, uint32_t size) {
    double sum = 0;
    for (uint32_t q = 0; q < p->levels && p->level[q] > degree_of(p, a); q++)
        sum += fmin(size, (double)p->level[q] - degree_of(p, a)) * value_of(x, p->at[a * p->levels + q]);
    return sum;
}

/* As in level_cuts.c: to any set W of others a member raised by b has at most min(|W|, b) new edges. */
static uint32_t prefix(ksda_i_part *p, const double *x, uint32_t a, weight *w) {
    uint32_t count = 0, best = 0;
    double worst = VIOLATED, sum = 0;
    for (uint32_t b = 0; b < p->held; b++)
        if (value_of(x, p->edge[a * p->held + b]) > 1e-7)
            w[count++] = (weight){x[p->edge[a * p->held + b]], p->edge[a * p->held + b]};
    qsort(w, count, sizeof *w, descending);
    for (uint32_t size = 1; size <= count; size++) {
        sum += w[size - 1].value;
        double excess = sum - most_edges(p, x, a, size);
        if (excess > worst) worst = excess, best = size;
    }
    if (best == 0) return 0;
    for (uint32_t i = 0; i < best; i++) ksda_i_model_term(&p->model, w[i].column, 1);
    for (uint32_t q = 0; q < p->levels && p->level[q] > degree_of(p, a); q++)
        ksda_i_model_term(&p->model, p->at[a * p->levels + q], -fmin(best, (double)p->level[q] - degree_of(p, a)));
    ksda_i_model_row(&p->model, -INFINITY, 0, "prefix_%u_%u", a, p->model.rows);
    return 1;
}

/* Who is ahead has at least the weight at or above every level: the worst violation for member b. */
static uint32_t order(ksda_i_part *p, const double *x, uint32_t b) {
    double worst = UNORDERED;
    uint32_t who = 0, level = 0;
    for (uint32_t a = 0; a < b; a++) {
        double excess = 0;
        if (!p->ahead[a * p->held + b]) continue;
        for (uint32_t q = 0; q < p->levels; q++) {
            excess += value_of(x, p->at[b * p->levels + q]) - value_of(x, p->at[a * p->levels + q]);
            if (excess > worst) worst = excess, who = a, level = q;
        }
    }
    if (worst == UNORDERED) return 0;
    for (uint32_t q = 0; q <= level; q++) {
        ksda_i_model_term(&p->model, p->at[b * p->levels + q], 1);
        ksda_i_model_term(&p->model, p->at[who * p->levels + q], -1);
    }
    ksda_i_model_row(&p->model, -INFINITY, 0, "order_%u_%u", b, p->model.rows);
    return 1;
}

static uint32_t cuts(ksda_i_part *p, const double *x) {
    uint32_t added = 0;
    weight *w = p->model.rows < MOST_ROWS ? ksda_i_malloc(p->l->ctx, p->held, sizeof *w) : NULL;
    for (uint32_t a = 0; w && a < p->held; a++) added += prefix(p, x, a, w) + order(p, x, a);
    ksda_i_free(p->l->ctx, w);
    return added;
}

/* --- asking ----------------------------------------------------------------------------------------------------- */

/* The pool stays low, or `raised` to 2 raised - 1 of it end above the floor, and with them whoever is ahead of it. */
static void set_case(ksda_i_part *p, const int8_t *fixed, uint32_t raised) {
    const ksda_i_model *m = &p->model;
    for (uint32_t q = 0; q < p->levels; q++)
        ksda_i_lp_bounds(p->lp, p->uses[q], fixed[q] >= 0 ? fixed[q] : 0, fixed[q] >= 0 ? fixed[q] : 1);
    for (uint32_t a = 0; a < p->held; a++)
        if (p->stays[a] != KSDA_I_NO_COLUMN)
            ksda_i_lp_bounds(p->lp, p->stays[a], 0, raised > 0 && p->ahead_of_pool[a] ? 0 : 1);
    if (p->raised == KSDA_I_NO_COLUMN) return;
    double most = raised > 0 ? fmin(2.0 * raised - 1, m->upper[p->raised]) : 0;
    ksda_i_lp_bounds(p->lp, p->raised, raised, most);
    ksda_i_lp_bounds(p->lp, p->inner, 0, fmin(0.5 * most * (most - 1), m->upper[p->inner]));
}

/* Is everybody at one level? The edges may stay fractional: that gives up half an edge at most. */
static bool decided(const ksda_i_part *p, const double *x) {
    for (uint32_t i = 0; i < p->held * p->levels; i++) {
        double share = value_of(x, p->at[i]);
        if (share > WHOLE && share < 1 - WHOLE) return false;
    }
    for (uint32_t q = 0; q < p->levels; q++)
        if (x[p->uses[q]] > WHOLE && x[p->uses[q]] < 1 - WHOLE) return false;
    return true;
}

/* The bound of the dynamic program; p->used says which levels its answer uses. */
static double coarse_bound(ksda_i_part *p, const double *price, const int8_t *fixed) {
    double forced = -SLACK;
    for (uint32_t q = 0; q < p->levels; q++) {
        p->coarse_price[q] = fixed[q] == 0 ? MUCH : fixed[q] == 1 ? price[q] - MUCH : price[q];
        if (fixed[q] == 1) forced += MUCH;
    }
    ksda_i_bound_use use = {.level = p->used};
    return ksda_i_bound_answer(&p->list, &p->coarse, p->coarse_price, p->space, &use) + forced;
}

/* Turn the dynamic program's levels into an answer, if they are allowed and the linear program then leaves nothing
 * open. */
static ksda_status try_used(ksda_i_part *p, const double *price, const int8_t *fixed, double *best) {
    ksda_i_lp_answer a;
    for (uint32_t q = 0; q < p->levels; q++)
        if (fixed[q] >= 0 && fixed[q] != p->used[q]) return KSDA_OK;
    set_case(p, fixed, 0);
    for (uint32_t q = 0; q < p->levels; q++) ksda_i_lp_bounds(p->lp, p->uses[q], p->used[q], p->used[q]);
    ksda_status status = ksda_i_lp_solve(p->lp, *best, &a);
    if (status != KSDA_OK || a.infeasible || !a.x || !decided(p, a.x)) return status;
    if ((status = keep(p, a.x, true)) < 0) return status;
    *best = fmin(*best, priced(p, p->answer + p->answers - 1, price));
    return KSDA_OK;
}

/* The linear program of the pool staying low, with rows added; its answer is kept. */
static ksda_status pool_stays(ksda_i_part *p, const int8_t *fixed, double *bound) {
    ksda_i_lp_answer a;
    set_case(p, fixed, 0);
    for (uint32_t round = 0;; round++) {
        ksda_status status = ksda_i_lp_solve(p->lp, INFINITY, &a);
        if (status != KSDA_OK) return status;
        *bound = a.infeasible ? INFINITY : fmax(*bound, a.bound);
        if (a.infeasible || !a.x) return KSDA_OK;
        if (round == CUT_ROUNDS || cuts(p, a.x) == 0) break;
        if (p->model.status < 0) return p->model.status;
    }
    return keep(p, a.x, decided(p, a.x));
}

/* What the case j of the pool costs at least, from what it did at other prices: no more than the prices have fallen
 * since. */
static double pool_estimate(const ksda_i_part *p, uint32_t j, const double *price) {
    const double *then = p->pool_price + (uint64_t)j * p->levels;
    double bound = p->pool_bound[j];
    for (uint32_t q = 0; q < p->levels && bound > -INFINITY; q++)
        if (then[q] > price[q]) bound -= then[q] - price[q];
    return bound;
}

/* For pool_estimate(): a bound found where something is fixed would not hold elsewhere. */
static void remember_pool(ksda_i_part *p, uint32_t j, double bound, const double *price, const int8_t *fixed) {
    for (uint32_t q = 0; q < p->levels; q++)
        if (fixed[q] >= 0) return;
    p->pool_bound[j] = bound;
    memcpy(p->pool_price + (uint64_t)j * p->levels, price, p->levels * sizeof *price);
}

/* Lower *bound to what raising somebody of the pool costs at least, where that is less. */
static ksda_status pool_rises(ksda_i_part *p, const double *price, const int8_t *fixed, double *bound) {
    if (p->raised == KSDA_I_NO_COLUMN) return KSDA_OK;
    for (uint32_t raised = 1, j = 0; raised <= p->model.upper[p->raised] && j < KSDA_I_POOL_CASES; raised *= 2, j++) {
        ksda_i_lp_answer a;
        double least = fmax(p->value, pool_estimate(p, j, price));
        if (least >= *bound) continue;
        set_case(p, fixed, raised);
        ksda_status status = ksda_i_lp_solve(p->lp, *bound, &a);
        if (status < 0) return status;
        least = a.infeasible ? INFINITY : fmax(least, a.bound);
        if (status == KSDA_OK) remember_pool(p, j, least, price, fixed);
        *bound = fmin(*bound, least);
        if (status == KSDA_LIMIT) return status;
    }
    return KSDA_OK;
}

void ksda_i_part_ask(ksda_i_part *p, const double *price, const int8_t *fixed, double tolerance) {
    double best = INFINITY, bound;
    for (uint32_t q = 0; q < p->levels; q++) {
        p->model.cost[p->uses[q]] = price[q];
        ksda_i_lp_cost(p->lp, p->uses[q]);
    }
    for (uint64_t i = 0; i < p->answers; i++)
        if (p->answer[i].whole && allowed(p, p->answer + i, fixed)) best = fmin(best, priced(p, p->answer + i, price));
    p->status = KSDA_OK;
    bound = p->value = coarse_bound(p, price, fixed);
    if (bound <= best - tolerance) p->status = try_used(p, price, fixed, &best);
    if (p->status == KSDA_OK && ksda_i_time_left(p->l->ctx) <= 0) p->status = KSDA_LIMIT;
    if (p->status != KSDA_OK || bound > best - tolerance) return;
    p->status = pool_stays(p, fixed, &bound);
    if (p->status == KSDA_OK) p->status = pool_rises(p, price, fixed, &bound);
    if (p->status == KSDA_OK) p->value = bound;
}
