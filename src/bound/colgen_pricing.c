/* Who takes part in plans of all communities, and what they pay at given multipliers.
 *
 * All communities but one are lists (colgen_states.c): their members are the vertices with a degree above the floor and
 * a few more; any other vertex that is raised counts as one of the largest degree left. The community with the most
 * members is the anchor: it passes for being at every open level, so each of its members goes to the lowest one not
 * below its degree. The multipliers price the needs (colgen_master.c), the cheapest plan at these prices is found
 * (colgen_dp.c). Prices are exact, and rounded down to whole numbers of a unit, which is chosen for every question:
 * small enough that whatever costs more than is asked about can be told to do so, negative prices included. So what the
 * plan costs is a bound, and where none is found, what it would cost at least. Two questions are answered side by side.
 */
#include "bound/colgen_pricing.h"

#include "core/parallel.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

#define MOST_STATES 400u /* of one list */
#define FINEST 0x1p16    /* whole numbers in one edge */

/* --- who takes part ----------------------------------------------------------------------------------------------- */

/* Levels above the floor that are a vertex's degree and can be opened at the cost of the cutoff and one. */
static ksda_status find_levels(ksda_i_colgen *j) {
    const ksda_i_levels *l = j->l;
    bool *occurs = ksda_i_calloc(j->ctx, (uint64_t)l->top + 1, sizeof *occurs);
    j->level = ksda_i_malloc(j->ctx, (uint64_t)l->top + 1, sizeof *j->level);
    if (occurs && j->level) {
        for (uint32_t i = 0; i < l->n; i++) occurs[l->degree[i]] = true;
        for (uint32_t t = l->top + 1; (int64_t)t-- > j->options->floor + 1;)
            if (occurs[t] && l->opening[t] != UINT64_MAX && (double)l->opening[t] <= *j->cutoff + 1)
                j->level[j->levels++] = t;
    }
    ksda_status status = occurs && j->level ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(j->ctx, occurs);
    return status;
}

static uint32_t members_above_floor(const ksda_i_colgen *j, uint32_t c) {
    const ksda_i_levels *l = j->l;
    uint32_t count = 0;
    while (l->start[c] + count < l->start[c + 1] && (int64_t)l->degree[l->start[c] + count] > j->options->floor)
        count++;
    return count;
}

static void clear_lists(ksda_i_colgen *j) {
    for (uint32_t i = 0; j->who && i < j->lists; i++) ksda_i_colgen_members_clear(j->ctx, j->who + i);
}

static ksda_status make_list(ksda_i_colgen *j, uint32_t i, uint32_t below, uint32_t most) {
    const ksda_i_levels *l = j->l;
    uint32_t c = i < j->anchor_community ? i : i + 1, members = members_above_floor(j, c) + below;
    if (members > l->start[c + 1] - l->start[c]) members = l->start[c + 1] - l->start[c];
    if (members > KSDA_I_BOUND_KNOWN) return KSDA_LIMIT;
    ksda_i_colgen_members_clear(j->ctx, j->who + i);
    ksda_status status = ksda_i_colgen_members_make(l, c, members, j->level[0], most, j->who + i);
    j->list[i] = j->who[i].list;
    return status;
}

/* The list that has the most states for its members is sorted; false when all are. */
static ksda_status sort_one(ksda_i_colgen *j, uint32_t below, bool *done) {
    double worst = 0;
    uint32_t which = j->lists;
    for (uint32_t i = 0; i < j->lists; i++) {
        double share = (double)j->list[i].states / (j->list[i].members + 1);
        if (!j->who[i].sorted && share > worst) worst = share, which = i;
    }
    *done = which < j->lists;
    return *done ? make_list(j, which, below, 0) : KSDA_OK;
}

/* Lists with so many members below the floor, in order only where there is need. */
static ksda_status make_lists(ksda_i_colgen *j, uint32_t below, bool sort, bool *fits, bool *complete) {
    uint64_t pairs = (uint64_t)j->anchor_size * j->anchor_size / 2;
    bool more = true;
    ksda_status status = KSDA_OK;
    *fits = false, *complete = below == j->options->below;
    for (uint32_t i = 0; i < j->lists; i++) {
        KSDA_I_TRY(make_list(j, i, below, MOST_STATES));
        if (status == KSDA_LIMIT) return KSDA_OK; /* a community has too many members */
        pairs += (uint64_t)j->list[i].members * j->list[i].members / 2;
        if (j->who[i].sorted) *complete = false;
    }
    while (sort && more && ksda_i_colgen_cells(j->levels, j->lists, j->list) > j->options->cells) {
        KSDA_I_TRY(sort_one(j, below, &more));
        *complete = false;
    }
    *fits = pairs <= j->options->pairs && ksda_i_colgen_cells(j->levels, j->lists, j->list) <= j->options->cells;
done:
    return status;
}

/* As many members below the floor as the table has room for; lists are put in order, which allows pairs that are not,
 * only if it has no room otherwise. */
static ksda_status choose_members(ksda_i_colgen *j, bool *fits, bool *complete) {
    ksda_status status = KSDA_OK;
    *fits = false;
    for (int sort = 0; sort < 2 && !*fits; sort++)
        for (uint32_t below = j->options->below + 1; below-- > 0 && !*fits;)
            KSDA_I_TRY(make_lists(j, below, sort, fits, complete));
done:
    return status;
}

/* The last list is the innermost of the table: loops over the others are then long. */
static int by_states(const void *a, const void *b) {
    const ksda_i_colgen_members *x = a, *y = b;
    if (x->list.states != y->list.states) return x->list.states < y->list.states ? -1 : 1;
    return (x->community > y->community) - (x->community < y->community);
}

static ksda_status open_lists(ksda_i_colgen *j, bool *fits, bool *complete) {
    const ksda_i_levels *l = j->l;
    j->lists = l->count - 1;
    j->who = ksda_i_calloc(j->ctx, l->count, sizeof *j->who);
    j->list = ksda_i_calloc(j->ctx, l->count, sizeof *j->list);
    if (!j->who || !j->list) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->count; c++)
        if (members_above_floor(j, c) > j->anchor_size)
            j->anchor_size = members_above_floor(j, c), j->anchor_community = c;
    ksda_status status = choose_members(j, fits, complete);
    if (status < 0 || !*fits) return status;
    ksda_i_sort_by(j->who, j->lists, sizeof *j->who, by_states);
    for (uint32_t i = 0; i < j->lists; i++) j->list[i] = j->who[i].list;
    return KSDA_OK;
}

static uint32_t anchor_start(const ksda_i_colgen *j) {
    return j->l->start[j->anchor_community];
}

static bool may_join(const void *payload, uint32_t list, uint32_t a, uint32_t b) {
    const ksda_i_colgen *j = payload;
    if (list < j->lists) return j->who[list].allowed[(uint64_t)a * j->list[list].members + b];
    return !ksda_graph_adjacent(j->l->graph, j->l->vertex[anchor_start(j) + a], j->l->vertex[anchor_start(j) + b]);
}

static ksda_status make_program(ksda_i_colgen *j) {
    uint64_t lists = (uint64_t)j->lists + 1;
    ksda_i_colgen_pairs pairs = {may_join, j};
    uint32_t *number = ksda_i_malloc(j->ctx, 3 * lists, sizeof *number);
    const uint32_t **degree = ksda_i_malloc(j->ctx, lists, sizeof *degree);
    ksda_status status = number && degree ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t i = 0; i < lists && status == KSDA_OK; i++) {
        bool anchor = i == j->lists;
        number[i] = anchor ? j->anchor_size : j->list[i].members;
        number[lists + i] = anchor ? 0 : j->who[i].other, number[2 * lists + i] = anchor ? 0 : j->who[i].highest;
        degree[i] = j->l->degree + (anchor ? anchor_start(j) : j->l->start[j->who[i].community]);
    }
    if (status == KSDA_OK)
        status =
            ksda_i_colgen_program_make(j->ctx, j->options->solver, j->levels, j->level, j->lists, number, degree,
                                       number + lists, number + 2 * lists, &pairs, &j->options->splits, &j->program);
    ksda_i_free(j->ctx, number), ksda_i_free(j->ctx, (void *)degree);
    return status;
}

static bool splits(const ksda_i_colgen *j) {
    return j->options->splits.weight > 0;
}

/* What does not change about the questions. */
static ksda_status make_oracle(const ksda_i_colgen *j, ksda_i_colgen_oracle *a) {
    ksda_ctx *ctx = j->ctx;
    uint32_t m = j->levels, all = 0;
    a->list = ksda_i_calloc(ctx, j->lists, sizeof *a->list);
    for (uint32_t i = 0; a->list && i < j->lists; i++) {
        a->list[i] = j->list[i], all += j->list[i].members;
        a->list[i].price = ksda_i_malloc(ctx, (uint64_t)j->list[i].members * m, sizeof *a->list[i].price);
        a->list[i].supply = ksda_i_malloc(ctx, m, sizeof *a->list[i].supply);
        if (!a->list[i].price || !a->list[i].supply) return KSDA_NOMEM;
        if (!splits(j)) continue;
        a->list[i].split = ksda_i_malloc(ctx, (uint64_t)j->list[i].members + 1, sizeof *a->list[i].split);
        a->list[i].piece = ksda_i_malloc(ctx, m, sizeof *a->list[i].piece);
        if (!a->list[i].split || !a->list[i].piece) return KSDA_NOMEM;
    }
    a->question = (ksda_i_colgen_pricing_problem){.levels = m,
                                                  .lists = j->lists,
                                                  .need = j->l->k - 1,
                                                  .level = j->level,
                                                  .floor = j->options->floor,
                                                  .list = a->list};
    a->question.anchor = ksda_i_malloc(ctx, (uint64_t)(m + 1) * (m + 1), sizeof *a->question.anchor);
    a->plan = (ksda_i_colgen_plan){.open = ksda_i_malloc(ctx, m, 1),
                                   .uses = ksda_i_malloc(ctx, (uint64_t)j->lists * m, 1),
                                   .target = ksda_i_malloc(ctx, all, sizeof *a->plan.target)};
    a->anchor = ksda_i_malloc(ctx, j->anchor_size, sizeof *a->anchor);
    a->price = ksda_i_malloc(ctx, (uint64_t)j->program.units * (j->level[0] + 1), sizeof *a->price);
    return a->list && a->question.anchor && a->plan.open && a->plan.uses && a->plan.target && a->anchor && a->price
               ? KSDA_OK
               : KSDA_NOMEM;
}

static void clear_oracle(const ksda_i_colgen *j, ksda_i_colgen_oracle *a) {
    ksda_ctx *ctx = j->ctx;
    for (uint32_t i = 0; a->list && i < j->lists; i++)
        ksda_i_free(ctx, a->list[i].price), ksda_i_free(ctx, a->list[i].supply), ksda_i_free(ctx, a->list[i].split),
            ksda_i_free(ctx, a->list[i].piece);
    ksda_i_free(ctx, a->list), ksda_i_free(ctx, a->question.anchor), ksda_i_free(ctx, a->plan.open),
        ksda_i_free(ctx, a->plan.uses);
    ksda_i_free(ctx, a->plan.target), ksda_i_free(ctx, a->anchor), ksda_i_free(ctx, a->price);
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Rounded down, and no more than can be told apart: a bound stays one. */
static int32_t to_units(const ksda_i_colgen_oracle *a, double price) {
    return (int32_t)floor(fmin(price * a->unit, KSDA_I_COLGEN_DEAR));
}

static const double *price_of(const ksda_i_colgen *j, const ksda_i_colgen_oracle *a, uint32_t list, uint32_t i) {
    return a->price + (uint64_t)(j->program.begin[list] + i) * (j->level[0] + 1);
}

static uint32_t degree_of(const ksda_i_colgen *j, uint32_t list, uint32_t i) {
    return j->program.unit[j->program.begin[list] + i].degree;
}

static void list_prices(const ksda_i_colgen *j, ksda_i_colgen_oracle *a, uint32_t list) {
    const ksda_i_colgen_master *p = &j->program;
    uint32_t m = j->levels;
    for (uint32_t i = 0; i < j->list[list].members; i++) {
        int32_t *price = a->list[list].price + i * m;
        uint32_t degree = degree_of(j, list, i);
        for (uint32_t q = 0; q < m; q++)
            price[q] = j->level[q] < degree || j->level[q] > j->who[list].max_degree[i]
                           ? KSDA_I_COLGEN_FAR
                           : to_units(a, price_of(j, a, list, i)[j->level[q] - degree]);
    }
    for (uint32_t q = 0; q < m; q++) a->list[list].supply[q] = KSDA_I_COLGEN_FAR;
    for (uint32_t u = p->begin[list] + j->list[list].members; u < p->begin[list + 1]; u++) {
        uint32_t q = p->unit[u].index;
        a->list[list].supply[q] =
            to_units(a, a->price[(uint64_t)u * (j->level[0] + 1) + j->level[q] - p->unit[u].degree]);
    }
}

/* No piece gets higher than the vertex of its community that can get highest. */
static uint32_t piece_max_degree(const ksda_i_colgen *j, uint32_t list) {
    uint32_t c = j->who[list].community, best = 0;
    for (uint32_t i = j->l->start[c]; i < j->l->start[c + 1]; i++)
        if (j->l->max_degree[i] > best) best = j->l->max_degree[i];
    return best;
}

static void split_prices(const ksda_i_colgen *j, ksda_i_colgen_oracle *a, uint32_t list) {
    const ksda_i_colgen_master *p = &j->program;
    uint32_t max_degree = piece_max_degree(j, list);
    for (uint32_t i = 0; i < j->list[list].members; i++)
        a->list[list].split[i] = to_units(a, ksda_i_colgen_program_split(p, a->y, list, degree_of(j, list, i)));
    for (uint32_t q = 0; q < j->levels; q++)
        a->list[list].piece[q] = j->level[q] > max_degree
                                     ? KSDA_I_COLGEN_FAR
                                     : to_units(a, ksda_i_colgen_program_piece(p, a->y, list, j->level[q]));
}

static int32_t anchor_split(const ksda_i_colgen *j, const ksda_i_colgen_oracle *a) {
    return splits(j) ? to_units(a, ksda_i_colgen_program_split(&j->program, a->y, j->lists, 0)) : KSDA_I_COLGEN_FAR;
}

/* The cheapest way up to level s or higher for member i of the anchor, or out of it. */
static int32_t anchor_price(const ksda_i_colgen *j, const ksda_i_colgen_oracle *a, uint32_t i, uint32_t s) {
    uint32_t degree = degree_of(j, j->lists, i), max_degree = j->l->max_degree[anchor_start(j) + i];
    int32_t best = anchor_split(j, a);
    if (max_degree < j->level[s]) return best;
    for (uint32_t q = 0; q <= s; q++)
        if (j->level[q] <= max_degree) {
            int32_t price = to_units(a, price_of(j, a, j->lists, i)[j->level[q] - degree]);
            if (price < best) best = price;
        }
    return best;
}

/* From s, open, to q, the next one open, the anchor's members between go to s or higher. */
static void anchor_prices(const ksda_i_colgen *j, ksda_i_colgen_oracle *a) {
    uint32_t m = j->levels, members = j->anchor_size, i = 0;
    const uint32_t *degree = j->l->degree + anchor_start(j);
    int32_t *price = a->question.anchor;
    for (uint32_t q = 0; q <= m; q++) {
        while (i < members && (q == m || degree[i] > j->level[q])) i++;
        int64_t all = (int64_t)i * anchor_split(j, a); /* nobody is above them */
        price[m * (m + 1) + q] = all < KSDA_I_COLGEN_FAR ? (int32_t)all : KSDA_I_COLGEN_FAR;
    }
    for (uint32_t s = 0; s < m; s++) {
        int64_t sum = 0;
        for (i = 0; i < members && degree[i] > j->level[s];) i++;
        for (uint32_t q = s + 1; q <= m; q++) {
            for (; i < members && (q == m || degree[i] > j->level[q]); i++) sum += anchor_price(j, a, i, s);
            price[s * (m + 1) + q] = sum < KSDA_I_COLGEN_FAR ? (int32_t)sum : KSDA_I_COLGEN_FAR;
        }
    }
}

/* The anchor's needs in the plan: everybody at the lowest open level not below its degree, or split where that is
 * cheaper. */
static void anchor_needs(const ksda_i_colgen *j, ksda_i_colgen_oracle *a) {
    for (uint32_t i = 0; i < j->anchor_size; i++) {
        uint32_t degree = degree_of(j, j->lists, i);
        uint32_t last = j->levels;
        for (uint32_t q = 0; q < j->levels && j->level[q] >= degree; q++)
            if (a->plan.open[q]) last = q;
        bool split = splits(j) && (last == j->levels || anchor_price(j, a, i, last) == anchor_split(j, a));
        a->anchor[i] = split ? KSDA_I_COLGEN_SPLIT : last == j->levels ? 0 : j->level[last] - degree;
    }
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* How much less a plan can cost than some of its members have paid: all negative prices. *size: the largest sum that
 * can come up, whatever the plan. */
static double rebate(const ksda_i_colgen *j, const ksda_i_colgen_oracle *a, double *size) {
    const ksda_i_colgen_master *p = &j->program;
    uint32_t width = j->level[0] + 1;
    double sum = 0;
    *size = 0;
    for (uint32_t u = 0; u < p->units; u++) {
        double least = 0, most = 0;
        for (uint32_t b = 1; b < width; b++) {
            double price = a->price[(uint64_t)u * width + b];
            least = fmin(least, price), most = fmax(most, fabs(price));
        }
        sum -= least, *size += most;
    }
    for (uint32_t c = 0; c <= j->lists && splits(j); c++)
        for (uint32_t i = 0; i < p->members[c]; i++) {
            double price = ksda_i_colgen_program_split(p, a->y, c, degree_of(j, c, i));
            sum -= fmin(0, price), *size += fabs(price);
        }
    for (uint32_t c = 0; c < j->lists && splits(j); c++)
        for (uint32_t q = 0; q < j->levels; q++) *size += ksda_i_colgen_program_piece(p, a->y, c, j->level[q]);
    return sum;
}

/* The unit of a question, such that a plan that matters stays below KSDA_I_COLGEN_DEAR by more than the rebate: one
 * that costs, with what the multipliers add to it, no more than the cutoff and one. */
static double choose_unit(const ksda_i_colgen *j, const ksda_i_colgen_oracle *a, double less) {
    double most = *j->cutoff + 1 - fmin(0, ksda_i_colgen_program_constant(&j->program, a->y));
    double unit = KSDA_I_COLGEN_DEAR / 2 / (fmax(0, fmin(most, KSDA_I_COLGEN_EXACT)) + 2 * less + 1);
    return unit > FINEST ? FINEST : ldexp(1, ilogb(unit));
}

/* What the cheapest known plan of the node costs, or more: rounded after adding up. */
static double known_price(const ksda_i_colgen *j, const ksda_i_colgen_oracle *a) {
    const ksda_i_colgen_master *p = &j->program;
    double best = INFINITY;
    for (uint64_t i = 0; i < p->plans; i++) {
        if (!p->plan[i].compatible) continue;
        double sum = splits(j) ? ksda_i_colgen_program_splits(p, a->y, i) : 0;
        for (uint32_t u = 0; u < p->units; u++) sum += a->price[(uint64_t)u * (j->level[0] + 1) + p->plan[i].need[u]];
        best = fmin(best, sum);
    }
    return floor(best * a->unit);
}

/* All prices as whole numbers, and the question is asked. */
static ksda_status answer(const ksda_i_colgen *j, ksda_i_colgen_oracle *a, double less) {
    const ksda_i_colgen_master *p = &j->program;
    uint32_t roundings = 2 * p->units;
    int32_t value;
    a->unit = choose_unit(j, a, less);
    a->question.rebate = (int32_t)ceil(less * a->unit) + (int32_t)roundings;
    for (uint32_t list = 0; list < j->lists; list++) list_prices(j, a, list);
    for (uint32_t list = 0; list < j->lists && splits(j); list++) split_prices(j, a, list);
    anchor_prices(j, a);
    double known = known_price(j, a);
    bool cut = known + a->question.rebate < KSDA_I_COLGEN_DEAR;
    a->question.most = cut ? (int32_t)known + a->question.rebate : KSDA_I_COLGEN_FAR;
    ksda_status status = ksda_i_colgen_price(j->ctx, &a->question, &a->plan, &a->found, &value);
    if (status != KSDA_OK) return status;
    if (cut && value > known)
        return ksda_i_error(j->ctx, KSDA_INTERNAL, "the cheapest plan of all communities is dearer than a known one");
    double bound = value / a->unit + ksda_i_colgen_program_constant(p, a->y);
    a->bound = bound - 0x1p-52 * fabs(bound); /* the sum is rounded once */
    return KSDA_OK;
}

static void answer_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    const ksda_i_colgen *j = data;
    (void)thread;
    for (uint64_t i = begin; i < end; i++) {
        ksda_i_colgen_oracle *a = (ksda_i_colgen_oracle *)j->oracle + i;
        double size, less;
        a->found = false, a->bound = -INFINITY;
        a->status = ksda_i_colgen_program_prices(&j->program, a->y, a->price);
        if (a->status < 0) continue;
        less = rebate(j, a, &size);
        if (size < KSDA_I_COLGEN_EXACT) a->status = answer(j, a, less);
    }
}

void ksda_i_colgen_solve_pricing(ksda_i_colgen *j, double *const *y, uint32_t count, const int8_t *open,
                                 const int8_t *uses) {
    for (uint32_t i = 0; i < count; i++) {
        ksda_i_colgen_program_repair(&j->program, y[i]);
        j->oracle[i].y = y[i], j->oracle[i].question.open = open, j->oracle[i].question.uses = uses;
    }
    ksda_i_parallel(j->ctx, count, 1, answer_range, j);
}

ksda_status ksda_i_colgen_add_plan(ksda_i_colgen *j, ksda_i_colgen_oracle *a, bool *fresh) {
    anchor_needs(j, a);
    return ksda_i_colgen_program_add(&j->program, &a->plan, a->anchor, fresh);
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

void ksda_i_colgen_close(ksda_i_colgen *j) {
    ksda_ctx *ctx = j->ctx;
    clear_lists(j);
    ksda_i_colgen_program_clear(&j->program);
    for (uint32_t i = 0; i < 2; i++) clear_oracle(j, j->oracle + i);
    ksda_i_free(ctx, j->level), ksda_i_free(ctx, j->who), ksda_i_free(ctx, j->list);
}

ksda_status ksda_i_colgen_open(ksda_i_colgen *j, bool *fits, bool *complete) {
    ksda_status status;
    KSDA_I_TRY(find_levels(j));
    *fits = j->levels > 0 && j->l->count > 1 && j->l->count >= j->l->k;
    if (!*fits) return KSDA_OK;
    KSDA_I_TRY(open_lists(j, fits, complete));
    if (!*fits) return KSDA_OK;
    KSDA_I_TRY(make_program(j));
    for (uint32_t i = 0; i < 2; i++) KSDA_I_TRY(make_oracle(j, j->oracle + i));
done:
    return status;
}
