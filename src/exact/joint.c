/* A lower bound from plans of all communities together.
 *
 * What makes the problem hard is that communities must agree on the levels; what edges a plan then needs is easy. So
 * plans are kept whole: the bound is the least number of edges of a mixture of plans (joint_program.c), found by column
 * generation. At any multipliers of the program's rows the needs of single vertices have prices, the cheapest plan at
 * these prices is found exactly (joint_plan.c), is a lower bound, and joins the mixture.
 *
 * All communities but one are lists: their members, the vertices with a degree above the floor and a few more, are
 * placed in the order of their degrees, which loses nothing once enough pairs are allowed (docs/level-plan.md, Lemma
 * 3). Whoever else of the community is raised counts as one of the largest degree left. The community with the most
 * members is the crowd: it passes for being at every open level, each of its members goes to whichever is cheapest, and
 * its pairs are the true ones.
 *
 * Where the best mixture is no plan, levels are opened or closed, or a list kept to or from a level, and both cases are
 * bounded in turn, the one with the smallest bound first. */
#include "exact/joint.h"

#include "core/parallel.h"
#include "exact/joint_program.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 1e-4       /* what a bound may lose to rounding before it is rounded up */
#define AGREED 1e-3      /* how far from a whole number is still whole */
#define KEPT 0.7         /* of the best multipliers, in the next ones */
#define PATIENCE 30u     /* rounds without a better bound */
#define CASE_ROUNDS 60u  /* in every later case */
#define NEAR 1.0         /* above the cutoff a plan may still be told of: estimates are rough */
#define MOST_PAIRS 8000u /* columns of the program */
#define MOST_STATES 400u /* of one list */

/* One case of the search. */
typedef struct situation {
    double bound;
    int8_t *open;  /* [levels] -1 undecided, 0 closed, 1 open */
    int8_t *uses;  /* [lists * levels] likewise */
    double *y;     /* [rows] the multipliers that gave the bound */
    uint32_t rows; /* there were then; later ones have multiplier 0 */
    uint32_t c, q; /* where the plans disagree most: use of level q by list c, or whether it is open, with c = lists */
    bool agreed;   /* they do not disagree */
} situation;

/* A question at some multipliers; two are asked at a time. */
typedef struct asker {
    ksda_i_joint_question question;
    ksda_i_joint_list *list; /* [lists] with prices of its own */
    double *price;           /* of units and needs */
    ksda_i_joint_plan plan;
    uint32_t *crowd; /* [crowd's members] their needs in the plan */
    const double *y;
    int32_t value;
    ksda_status status;
} asker;

typedef struct joint {
    ksda_ctx *ctx;
    const ksda_i_levels *l;
    ksda_i_ranks ranks;
    uint32_t levels, lists;
    uint32_t *level;           /* [levels] */
    ksda_i_joint_members *who; /* [lists] */
    ksda_i_joint_list *list;   /* [lists] the same lists, for the question */
    uint32_t crowd_community, crowd_size;
    ksda_i_joint_program program;
    asker asker[2];
    double unit; /* whole numbers in one edge */
    double *cutoff;
    const ksda_i_joint_options *options;
} joint;

/* --- who takes part ----------------------------------------------------------------------------------------------- */

/* Levels above the floor that are somebody's degree and can be opened within the cutoff. */
static ksda_status find_levels(joint *j) {
    const ksda_i_levels *l = j->l;
    bool *occurs = ksda_i_calloc(j->ctx, (uint64_t)l->top + 1, sizeof *occurs);
    j->level = ksda_i_malloc(j->ctx, (uint64_t)l->top + 1, sizeof *j->level);
    if (occurs && j->level) {
        for (uint32_t i = 0; i < l->n; i++) occurs[l->degree[i]] = true;
        for (uint32_t t = l->top + 1; (int64_t)t-- > j->options->floor + 1;)
            if (occurs[t] && l->opening[t] != UINT64_MAX && (double)l->opening[t] <= *j->cutoff)
                j->level[j->levels++] = t;
    }
    ksda_status status = occurs && j->level ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(j->ctx, occurs);
    return status;
}

static uint32_t above(const joint *j, uint32_t c) {
    const ksda_i_levels *l = j->l;
    uint32_t count = 0;
    while (l->start[c] + count < l->start[c + 1] && (int64_t)l->degree[l->start[c] + count] > j->options->floor)
        count++;
    return count;
}

static void clear_lists(joint *j) {
    for (uint32_t i = 0; j->who && i < j->lists; i++) ksda_i_joint_members_clear(j->ctx, j->who + i);
}

static ksda_status make_list(joint *j, uint32_t i, uint32_t below, uint32_t most) {
    const ksda_i_levels *l = j->l;
    uint32_t c = i < j->crowd_community ? i : i + 1, members = above(j, c) + below;
    if (members > l->start[c + 1] - l->start[c]) members = l->start[c + 1] - l->start[c];
    if (members > KSDA_I_BOUND_KNOWN) return KSDA_LIMIT;
    ksda_i_joint_members_clear(j->ctx, j->who + i);
    ksda_status status = ksda_i_joint_members_make(l, &j->ranks, c, members, j->level[0], most, j->who + i);
    j->list[i] = j->who[i].list;
    return status;
}

/* The list that has the most states for its members is sorted; false when all are. */
static ksda_status sort_one(joint *j, uint32_t below, bool *done) {
    double worst = 0;
    uint32_t which = j->lists;
    for (uint32_t i = 0; i < j->lists; i++) {
        double share = (double)j->list[i].states / (j->list[i].members + 1);
        if (!j->who[i].sorted && share > worst) worst = share, which = i;
    }
    *done = which < j->lists;
    return *done ? make_list(j, which, below, 0) : KSDA_OK;
}

/* As many members below the floor as the table has room for. *fits is false when a community has too many members. */
static ksda_status choose_members(joint *j, bool *fits, bool *whole) {
    ksda_status status = KSDA_OK;
    *fits = false;
    for (uint32_t below = j->options->below + 1; below-- > 0 && !*fits;) {
        uint64_t pairs = (uint64_t)j->crowd_size * j->crowd_size / 2;
        bool more = true;
        *whole = below == j->options->below;
        for (uint32_t i = 0; i < j->lists; i++) {
            KSDA_I_TRY(make_list(j, i, below, MOST_STATES));
            if (status == KSDA_LIMIT) return KSDA_OK;
            pairs += (uint64_t)j->list[i].members * j->list[i].members / 2;
            if (j->who[i].sorted) *whole = false;
        }
        while (more && ksda_i_joint_cells(j->levels, j->lists, j->list) > j->options->cells) {
            KSDA_I_TRY(sort_one(j, below, &more));
            *whole = false;
        }
        *fits = more && pairs <= MOST_PAIRS;
    }
done:
    return status;
}

/* The last list is the innermost of the table: loops over the others are then long. */
static int by_states(const void *a, const void *b) {
    const ksda_i_joint_members *x = a, *y = b;
    if (x->list.states != y->list.states) return x->list.states < y->list.states ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

static ksda_status open_lists(joint *j, bool *fits, bool *whole) {
    const ksda_i_levels *l = j->l;
    j->lists = l->count - 1;
    j->who = ksda_i_calloc(j->ctx, l->count, sizeof *j->who);
    j->list = ksda_i_calloc(j->ctx, l->count, sizeof *j->list);
    if (!j->who || !j->list) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->count; c++)
        if (above(j, c) > j->crowd_size) j->crowd_size = above(j, c), j->crowd_community = c;
    ksda_status status = choose_members(j, fits, whole);
    if (status < 0 || !*fits) return status;
    qsort(j->who, j->lists, sizeof *j->who, by_states);
    for (uint32_t i = 0; i < j->lists; i++) j->list[i] = j->who[i].list;
    return KSDA_OK;
}

static uint32_t crowd_start(const joint *j) {
    return j->l->start[j->crowd_community];
}

static bool may_join(const void *payload, uint32_t list, uint32_t a, uint32_t b) {
    const joint *j = payload;
    if (list < j->lists) return j->who[list].allowed[(uint64_t)a * j->list[list].members + b];
    return !ksda_graph_adjacent(j->l->graph, j->l->vertex[crowd_start(j) + a], j->l->vertex[crowd_start(j) + b]);
}

static ksda_status make_program(joint *j) {
    uint64_t lists = (uint64_t)j->lists + 1;
    ksda_i_joint_pairs pairs = {may_join, j};
    uint32_t *number = ksda_i_malloc(j->ctx, 3 * lists, sizeof *number);
    const uint32_t **degree = ksda_i_malloc(j->ctx, lists, sizeof *degree);
    ksda_status status = number && degree ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; i < lists && status == KSDA_OK; i++) {
        bool crowd = i == j->lists;
        number[i] = crowd ? j->crowd_size : j->list[i].members;
        number[lists + i] = crowd ? 0 : j->who[i].other, number[2 * lists + i] = crowd ? 0 : j->who[i].highest;
        degree[i] = j->l->degree + (crowd ? crowd_start(j) : j->l->start[j->who[i].community]);
    }
    if (status == KSDA_OK)
        status = ksda_i_joint_program_make(j->ctx, j->levels, j->level, j->lists, number, degree, number + lists,
                                           number + 2 * lists, &pairs, &j->program);
    ksda_i_free(j->ctx, number), ksda_i_free(j->ctx, (void *)degree);
    return status;
}

/* What does not change about the questions. */
static ksda_status make_asker(const joint *j, asker *a) {
    ksda_ctx *ctx = j->ctx;
    uint32_t m = j->levels, all = 0;
    a->list = ksda_i_calloc(ctx, j->lists, sizeof *a->list);
    for (uint32_t i = 0; a->list && i < j->lists; i++) {
        a->list[i] = j->list[i], all += j->list[i].members;
        a->list[i].price = ksda_i_malloc(ctx, (uint64_t)j->list[i].members * m, sizeof *a->list[i].price);
        a->list[i].supply = ksda_i_malloc(ctx, m, sizeof *a->list[i].supply);
        if (!a->list[i].price || !a->list[i].supply) return KSDA_NOMEM;
    }
    a->question = (ksda_i_joint_question){.levels = m,
                                          .lists = j->lists,
                                          .need = j->l->k - 1,
                                          .level = j->level,
                                          .floor = j->options->floor,
                                          .list = a->list};
    a->question.crowd = ksda_i_malloc(ctx, (uint64_t)(m + 1) * (m + 1), sizeof *a->question.crowd);
    a->plan = (ksda_i_joint_plan){.open = ksda_i_malloc(ctx, m, 1),
                                  .uses = ksda_i_malloc(ctx, (uint64_t)j->lists * m, 1),
                                  .target = ksda_i_malloc(ctx, all, sizeof *a->plan.target)};
    a->crowd = ksda_i_malloc(ctx, j->crowd_size, sizeof *a->crowd);
    a->price = ksda_i_malloc(ctx, (uint64_t)j->program.units * (j->level[0] + 1), sizeof *a->price);
    return a->list && a->question.crowd && a->plan.open && a->plan.uses && a->plan.target && a->crowd && a->price
               ? KSDA_OK
               : KSDA_NOMEM;
}

static void clear_asker(const joint *j, asker *a) {
    ksda_ctx *ctx = j->ctx;
    for (uint32_t i = 0; a->list && i < j->lists; i++)
        ksda_i_free(ctx, a->list[i].price), ksda_i_free(ctx, a->list[i].supply);
    ksda_i_free(ctx, a->list), ksda_i_free(ctx, a->question.crowd), ksda_i_free(ctx, a->plan.open),
        ksda_i_free(ctx, a->plan.uses);
    ksda_i_free(ctx, a->plan.target), ksda_i_free(ctx, a->crowd), ksda_i_free(ctx, a->price);
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Rounded down: a bound stays one. */
static int32_t whole(const joint *j, double price) {
    return (int32_t)floor(fmax(fmin(price, 0.25 * KSDA_I_JOINT_FAR / j->unit), -0.01 * KSDA_I_JOINT_FAR / j->unit) *
                          j->unit);
}

static const double *price_of(const joint *j, const asker *a, uint32_t list, uint32_t i) {
    return a->price + (uint64_t)(j->program.begin[list] + i) * (j->level[0] + 1);
}

static uint32_t degree_of(const joint *j, uint32_t list, uint32_t i) {
    return j->program.unit[j->program.begin[list] + i].degree;
}

static void list_prices(const joint *j, asker *a, uint32_t list) {
    const ksda_i_joint_program *p = &j->program;
    uint32_t m = j->levels;
    for (uint32_t i = 0; i < j->list[list].members; i++) {
        int32_t *price = a->list[list].price + i * m;
        uint32_t degree = degree_of(j, list, i);
        for (uint32_t q = 0; q < m; q++)
            price[q] = j->level[q] < degree || j->level[q] > j->who[list].reach[i]
                           ? KSDA_I_JOINT_FAR
                           : whole(j, price_of(j, a, list, i)[j->level[q] - degree]);
    }
    for (uint32_t q = 0; q < m; q++) a->list[list].supply[q] = KSDA_I_JOINT_FAR;
    for (uint32_t u = p->begin[list] + j->list[list].members; u < p->begin[list + 1]; u++) {
        uint32_t q = p->unit[u].index;
        a->list[list].supply[q] = whole(j, a->price[(uint64_t)u * (j->level[0] + 1) + j->level[q] - p->unit[u].degree]);
    }
}

/* The cheapest way up to level s or higher for member i of the crowd, who goes as low as it can: nothing below counts.
 */
static int32_t crowd_price(const joint *j, const asker *a, uint32_t i, uint32_t s) {
    uint32_t degree = degree_of(j, j->lists, i), cap = j->l->cap[crowd_start(j) + i];
    int32_t best = KSDA_I_JOINT_FAR;
    if (cap < j->level[s]) return best;
    for (uint32_t q = 0; q <= s; q++)
        if (j->level[q] <= cap) {
            int32_t price = whole(j, price_of(j, a, j->lists, i)[j->level[q] - degree]);
            if (price < best) best = price;
        }
    return best;
}

/* From s, open, to q, the next one open, the crowd's members between go to s or higher. */
static void crowd_prices(const joint *j, asker *a) {
    uint32_t m = j->levels, members = j->crowd_size, i = 0;
    const uint32_t *degree = j->l->degree + crowd_start(j);
    int32_t *price = a->question.crowd;
    for (uint32_t q = 0; q <= m; q++) {
        while (i < members && (q == m || degree[i] > j->level[q])) i++;
        price[m * (m + 1) + q] = i > 0 ? KSDA_I_JOINT_FAR : 0;
    }
    for (uint32_t s = 0; s < m; s++) {
        int64_t sum = 0;
        for (i = 0; i < members && degree[i] > j->level[s];) i++;
        for (uint32_t q = s + 1; q <= m; q++) {
            for (; i < members && (q == m || degree[i] > j->level[q]); i++) sum += crowd_price(j, a, i, s);
            price[s * (m + 1) + q] = sum < KSDA_I_JOINT_FAR ? (int32_t)sum : KSDA_I_JOINT_FAR;
        }
    }
}

/* The crowd's needs in the plan: everybody at the lowest open level not below its degree. */
static void crowd_needs(const joint *j, asker *a) {
    for (uint32_t i = 0; i < j->crowd_size; i++) {
        uint32_t degree = degree_of(j, j->lists, i);
        a->crowd[i] = 0;
        for (uint32_t q = 0; q < j->levels && j->level[q] >= degree; q++)
            if (a->plan.open[q]) a->crowd[i] = j->level[q] - degree;
    }
}

/* Tell of the newest plan. The crowd, which passes for being everywhere, must be where it is missed. */
static ksda_status tell(joint *j) {
    const ksda_i_joint_program *p = &j->program;
    const ksda_i_joint_entry *e = p->plan + p->plans - 1;
    uint32_t count = 0, at = 0;
    if (!j->options->hear || ksda_i_joint_program_estimate(p, p->plans - 1) > *j->cutoff + NEAR) return KSDA_OK;
    for (uint32_t q = 0; q < j->levels; q++) count += e->open[q];
    uint32_t *level = ksda_i_malloc(j->ctx, count, sizeof *level);
    uint8_t *uses = ksda_i_calloc(j->ctx, (uint64_t)count * j->l->count, 1);
    ksda_status status = level && uses ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t q = 0; q < j->levels && status == KSDA_OK; q++) {
        uint32_t there = 0;
        if (!e->open[q]) continue;
        for (uint32_t c = 0; c < j->lists; c++)
            if (e->uses[c * j->levels + q]) uses[j->who[c].community * count + at] = 1, there++;
        if (there < j->l->k) uses[j->crowd_community * count + at] = 1;
        level[at++] = j->level[q];
    }
    if (status == KSDA_OK) status = j->options->hear(j->options->payload, count, level, uses, j->cutoff);
    ksda_i_free(j->ctx, level), ksda_i_free(j->ctx, uses);
    return status;
}

/* How much less a plan can cost than some of its members have paid: all negative prices. */
static int64_t rebate(const joint *j, const asker *a) {
    const ksda_i_joint_program *p = &j->program;
    uint32_t width = j->level[0] + 1;
    int64_t sum = 0;
    for (uint32_t u = 0; u < p->units; u++) {
        double least = 0;
        for (uint32_t b = 1; b < width; b++) least = fmin(least, a->price[(uint64_t)u * width + b]);
        sum -= whole(j, least);
    }
    return sum;
}

/* What the members of a list can have paid at most in a plan that is as cheap as the cheapest known one of the
 * situation, which costs one more for every unit by rounding. */
static int32_t known_price(const joint *j, const asker *a) {
    const ksda_i_joint_program *p = &j->program;
    int64_t best = KSDA_I_JOINT_FAR;
    for (uint64_t i = 0; i < p->plans; i++) {
        int64_t sum = p->units;
        if (!p->plan[i].compatible) continue;
        for (uint32_t u = 0; u < p->units; u++)
            if (p->plan[i].need[u] > 0) sum += whole(j, a->price[(uint64_t)u * (j->level[0] + 1) + p->plan[i].need[u]]);
        if (sum < best) best = sum;
    }
    return best + rebate(j, a) < KSDA_I_JOINT_FAR ? (int32_t)(best + rebate(j, a)) : KSDA_I_JOINT_FAR;
}

static void answer_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const joint *j = data;
    (void)thread;
    for (uint64_t i = begin; i < end; i++) {
        asker *a = (asker *)j->asker + i;
        a->status = ksda_i_joint_program_prices(&j->program, a->y, a->price);
        if (a->status < 0) continue;
        for (uint32_t list = 0; list < j->lists; list++) list_prices(j, a, list);
        crowd_prices(j, a);
        a->question.most = known_price(j, a);
        a->status = ksda_i_joint_answer(j->ctx, &a->question, &a->plan, &a->value);
    }
}

/* --- multipliers -------------------------------------------------------------------------------------------------- */

static bool compatible(const joint *j, const situation *s, const ksda_i_joint_entry *e) {
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
static void choose(const joint *j, const double *x, situation *s) {
    const ksda_i_joint_program *p = &j->program;
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
static ksda_status keep(joint *j, situation *s, const double *y) {
    uint32_t rows = j->program.model.rows;
    double *block = ksda_i_realloc(j->ctx, s->y, (uint64_t)rows + 1, sizeof *block);
    if (!block) return KSDA_NOMEM;
    memcpy(block, y, rows * sizeof *y);
    s->y = block, s->rows = rows;
    return KSDA_OK;
}

/* What became of a question: a better bound and its multipliers are kept, the plan joins the mixture. */
static ksda_status take(joint *j, situation *s, asker *a, double *best) {
    double value = a->value >= KSDA_I_JOINT_FAR ? INFINITY : a->value / j->unit;
    bool fresh = false;
    ksda_status status = a->status;
    if (status < 0) return status;
    if (value > *best) {
        KSDA_I_TRY(keep(j, s, a->y));
        *best = value;
    }
    if (*best > s->bound) s->bound = *best;
    if (isinf(value)) return KSDA_OK;
    crowd_needs(j, a);
    KSDA_I_TRY(ksda_i_joint_program_add(&j->program, &a->plan, a->crowd, &fresh));
    if (fresh) KSDA_I_TRY(tell(j));
done:
    return status;
}

/* Ask at one or two sets of multipliers, which are repaired. */
static ksda_status ask(joint *j, situation *s, double *const *y, uint32_t count, double *best) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < count; i++) {
        ksda_i_joint_program_repair(&j->program, y[i]);
        j->asker[i].y = y[i], j->asker[i].question.open = s->open, j->asker[i].question.uses = s->uses;
    }
    for (uint64_t i = 0; i < j->program.plans; i++)
        j->program.plan[i].compatible = compatible(j, s, j->program.plan + i);
    ksda_i_parallel(j->ctx, count, 1, answer_range, j);
    for (uint32_t i = 0; i < count && status == KSDA_OK; i++) status = take(j, s, j->asker + i, best);
    if (status == KSDA_OK && ksda_i_time_left(j->ctx) <= 0) status = KSDA_LIMIT;
    return status;
}

/* One round: the best mixture, rows that it breaks, its multipliers and a mean of these and the best ones. */
static ksda_status one_round(joint *j, situation *s, double *best, double *mixture, uint32_t *cuts) {
    ksda_i_joint_program *p = &j->program;
    ksda_i_lp_answer a;
    double *y = NULL;
    ksda_status status;
    *cuts = 1;
    for (uint64_t i = 0; i < p->plans; i++) {
        p->plan[i].compatible = compatible(j, s, p->plan + i);
        ksda_i_lp_bounds(p->lp, p->plan[i].column, 0, p->plan[i].compatible ? 1e6 : 0);
    }
    KSDA_I_TRY(ksda_i_lp_solve(p->lp, INFINITY, &a));
    if (status == KSDA_LIMIT || a.infeasible || !a.x) return status; /* no plan of this situation is known yet */
    *mixture = ksda_i_model_objective(&p->model, a.x);
    choose(j, a.x, s);
    uint32_t rows = p->model.rows;
    *cuts = ksda_i_joint_program_cuts(p, a.x);
    KSDA_I_TRY(p->model.status);
    y = ksda_i_calloc(j->ctx, 2 * (uint64_t)p->model.rows, sizeof *y);
    if (!y) return KSDA_NOMEM;
    double *mean = y + p->model.rows;
    for (uint32_t r = 0; r < rows; r++) {
        y[r] = fabs(a.dual[r]);
        mean[r] = KEPT * (r < s->rows ? s->y[r] : 0) + (1 - KEPT) * y[r];
    }
    KSDA_I_TRY(ask(j, s, (double *const[]){y, mean}, 2, best));
done:
    ksda_i_free(j->ctx, y);
    return status;
}

/* Raise s->bound by better multipliers, until it exceeds the cutoff or nothing is to be gained. */
static ksda_status improve(joint *j, situation *s, uint32_t rounds) {
    double best = -INFINITY, last = -INFINITY, mixture = INFINITY;
    uint32_t cuts, idle = 0;
    ksda_status status = KSDA_OK;
    double *y = ksda_i_calloc(j->ctx, (uint64_t)j->program.model.rows + 1, sizeof *y);
    if (!y) return KSDA_NOMEM;
    memcpy(y, s->y, s->rows * sizeof *y);
    status = ask(j, s, &y, 1, &best);
    ksda_i_free(j->ctx, y);
    for (uint32_t round = 0;
         round < rounds && status == KSDA_OK && s->bound <= fmin(*j->cutoff + SLACK, j->options->enough); round++) {
        KSDA_I_TRY(ksda_i_progress_solver(j->ctx, "planning all communities together", *j->cutoff + 1, s->bound));
        KSDA_I_TRY(one_round(j, s, &best, &mixture, &cuts));
        if (cuts == 0 && (mixture < best + 0.01 || ceil(mixture - SLACK) <= ceil(best - SLACK))) break;
        idle = best > last + 0.01 ? 0 : idle + 1, last = best;
        if (idle > PATIENCE) break;
    }
done:
    return status;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static ksda_status situation_make(joint *j, const situation *from, situation *out) {
    uint64_t cells = (uint64_t)j->lists * j->levels;
    *out = (situation){.bound = from ? from->bound : -INFINITY};
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

static void situation_clear(joint *j, situation *s) {
    ksda_i_free(j->ctx, s->open), ksda_i_free(j->ctx, s->uses), ksda_i_free(j->ctx, s->y);
    *s = (situation){.bound = INFINITY};
}

/* Decide what `s` leaves most open. */
static void decide(const joint *j, situation *s, bool yes) {
    if (s->c < j->lists)
        s->uses[s->c * j->levels + s->q] = yes;
    else
        s->open[s->q] = yes;
    for (uint32_t c = 0; c < j->lists && s->open[s->q] == 0; c++) s->uses[c * j->levels + s->q] = 0;
    if (s->c < j->lists && yes) s->open[s->q] = 1;
}

typedef struct search {
    situation *situation;
    uint64_t count, room;
} search;

static ksda_status both_cases(joint *j, search *x, uint64_t at) {
    for (int yes = 0; yes < 2; yes++) {
        ksda_status status = ksda_i_reserve(j->ctx, &x->situation, &x->room, x->count + 1, sizeof *x->situation);
        if (status < 0) return status;
        situation *s = x->situation + x->count++;
        *s = (situation){.bound = INFINITY};
        status = situation_make(j, x->situation + at, s);
        if (status < 0) return status;
        decide(j, s, yes);
        if (s->bound <= *j->cutoff && (status = improve(j, s, CASE_ROUNDS)) != KSDA_OK) return status;
    }
    situation_clear(j, x->situation + at);
    return KSDA_OK;
}

static void raise(const joint *j, const situation *s, double *bound) {
    *bound = fmax(*bound, fmin(ceil(s->bound - SLACK), *j->cutoff + 1));
}

/* Take the case with the smallest bound apart until that exceeds the cutoff, or the plans agree in it. */
static ksda_status search_cases(joint *j, search *x, double *bound) {
    for (;;) {
        uint64_t least = 0;
        for (uint64_t i = 1; i < x->count; i++)
            if (x->situation[i].bound < x->situation[least].bound) least = i;
        const situation *s = x->situation + least;
        raise(j, s, bound);
        if (*bound > *j->cutoff || *bound >= j->options->enough || s->agreed || x->count > j->options->cases)
            return KSDA_OK;
        ksda_status status = both_cases(j, x, least);
        if (status != KSDA_OK) return status;
    }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* A few plans to begin with: every edge at the same price, in the crowd and in the lists. */
static ksda_status first_plans(joint *j, situation *s) {
    static const double share[] = {0.6, 0.75, 0.9};
    const ksda_i_joint_program *p = &j->program;
    ksda_status status = KSDA_OK;
    double best = -INFINITY;
    double *y = ksda_i_malloc(j->ctx, p->model.rows, sizeof *y);
    if (!y) return KSDA_NOMEM;
    for (uint32_t i = 0; i < 9 && status == KSDA_OK; i++) {
        for (uint32_t r = 0; r < p->model.rows; r++) {
            bool crowd = p->unit[p->row[r].unit].list == j->lists;
            bool other = p->unit[p->row[r].unit].other;
            y[r] = p->row[r].kind == KSDA_I_JOINT_NEED   ? other ? 0.5 : share[crowd ? i / 3 : i % 3]
                   : p->row[r].kind == KSDA_I_JOINT_LINK ? 0.25
                                                         : 0;
        }
        status = ask(j, s, &y, 1, &best);
    }
    ksda_i_free(j->ctx, y);
    return status;
}

static void joint_clear(joint *j) {
    ksda_ctx *ctx = j->ctx;
    clear_lists(j);
    ksda_i_joint_program_clear(&j->program);
    ksda_i_ranks_clear(ctx, &j->ranks);
    for (uint32_t i = 0; i < 2; i++) clear_asker(j, j->asker + i);
    ksda_i_free(ctx, j->level), ksda_i_free(ctx, j->who), ksda_i_free(ctx, j->list);
}

static ksda_status open_all(joint *j, bool *fits, bool *whole) {
    ksda_status status;
    KSDA_I_TRY(find_levels(j));
    *fits = j->levels > 0 && j->l->count > 1 && j->l->count >= j->l->k;
    if (!*fits) return KSDA_OK;
    KSDA_I_TRY(ksda_i_ranks_make(j->ctx, j->l->graph, j->l->communities, &j->ranks));
    KSDA_I_TRY(open_lists(j, fits, whole));
    if (!*fits) return KSDA_OK;
    KSDA_I_TRY(make_program(j));
    for (uint32_t i = 0; i < 2; i++) KSDA_I_TRY(make_asker(j, j->asker + i));
    j->unit = fmin(65536, 0.02 * KSDA_I_JOINT_FAR / (*j->cutoff + 1));
done:
    return status;
}

ksda_status ksda_i_joint_bound(const ksda_i_levels *l, const ksda_i_joint_options *options, double *cutoff,
                               double *bound, bool *fits, bool *whole) {
    joint j = {.ctx = l->ctx, .l = l, .options = options, .cutoff = cutoff};
    search x = {.situation = NULL};
    ksda_status status;
    *whole = false;
    KSDA_I_TRY(open_all(&j, fits, whole));
    if (!*fits) goto done;
    KSDA_I_TRY(ksda_i_reserve(j.ctx, &x.situation, &x.room, 1, sizeof *x.situation));
    x.situation[x.count++] = (situation){.bound = INFINITY};
    KSDA_I_TRY(situation_make(&j, NULL, x.situation));
    status = first_plans(&j, x.situation);
    if (status == KSDA_OK) status = improve(&j, x.situation, options->rounds);
    if (status >= 0) raise(&j, x.situation, bound);
    if (status == KSDA_OK && options->cases > 0) status = search_cases(&j, &x, bound);
done:
    for (uint64_t i = 0; i < x.count; i++) situation_clear(&j, x.situation + i);
    ksda_i_free(l->ctx, x.situation);
    joint_clear(&j);
    return status;
}
