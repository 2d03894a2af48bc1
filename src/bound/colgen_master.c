/* The edges that a plan needs, as a linear program over mixtures of plans.
 *
 *   e_ij, a_i  an edge between two members who may be joined; edges from member i to those who stay low; 1 each
 *   p_i, g_v   edges from member i to others of its community who are raised, and from such a one, v, to members
 *   o_v        edges from v to the rest of these, counted at both ends: 1/2 each
 *   w_P        the weight of plan P; they add up to 1
 *
 *   needs      sum_j e_ij + p_i + a_i >= sum_P w_P b_i(P),  g_v + o_v + a_v >= sum_P w_P b_v(P),
 *              sum_v g_v <= sum_i p_i
 *   limits     sum_{j in W} e_ij <= sum_P w_P min(|W|, b_i(P)) for any set W of others, single ones to begin with;
 *              p_i at most as many others as there are, o_v one less, g_v at most the members of the community
 *
 * Where vertices may be split (docs/exact.md, "Splits"):
 *
 *   N          splits, at least and at most so many
 *   r_c, s_c   pieces of a vertex beyond two, and split vertices that are no members, in list c
 *   v          splits beyond the most, dear: then a mixture of the plans known so far is always possible
 *   h_i, u     edges from unit i to pieces; ends of other edges at pieces, 1/2 each
 *
 *   N + v >= split members + sum r + sum s,  pieces of c <= 2 split members + r_c + 2 s_c,
 *   degrees of pieces <= degrees of split members + 2 for each + (most + 2) sum r + (low + 2) sum s + sum h + u
 *
 * For one plan that is the least number of edges up to halves: nothing is lost by it but what mixing plans gains.
 * Multipliers y of the rows turn needs and limits into prices of needs, unit by unit: y_need b - sum_W y_W min(|W|, b).
 * When no column is cheaper than its rows (repair), the cheapest plan at these prices costs no more than any release:
 * weak duality. Multipliers are rounded to a grid before they are repaired: they are then exact, and so is every sum
 * and product of them and of small whole numbers and halves. */
#include "bound/colgen_master.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

#define VIOLATED 0.02
#define MOST_ROWS 12000u
#define MOST_SPLIT 0x1p26 /* asked for a split, and for anything else: more is of no use, and sums stay exact */
#define MOST_ELSE 4.0

/* --- the program -------------------------------------------------------------------------------------------------- */

static void note_row(ksda_i_colgen_master *p, ksda_i_colgen_kind kind, uint32_t unit, uint32_t size) {
    ksda_i_model *m = &p->model;
    if (m->status == KSDA_OK)
        m->status = ksda_i_reserve(p->ctx, &p->row, &p->row_room, (uint64_t)m->rows + 1, sizeof *p->row);
    if (m->status < 0) return;
    p->row[m->rows] = (ksda_i_colgen_row){kind, unit, size};
    bool need = kind == KSDA_I_COLGEN_NEED, one = kind == KSDA_I_COLGEN_ONE; /* the others: at most 0 */
    ksda_i_model_row(m, need ? 0 : one ? 1 : -INFINITY, need ? INFINITY : one ? 1 : 0, "r%u", m->rows);
}

/* A column with a row of its own that limits it. */
static void limited(ksda_i_colgen_master *p, uint32_t column, ksda_i_colgen_kind kind, uint32_t unit, uint32_t size) {
    ksda_i_model_term(&p->model, column, 1);
    note_row(p, kind, unit, size);
}

static uint32_t edge_of(const ksda_i_colgen_master *p, uint32_t list, uint32_t a, uint32_t b) {
    return p->edge[list][(uint64_t)a * p->members[list] + b];
}

static ksda_status make_edges(ksda_i_colgen_master *p, uint32_t list, const ksda_i_colgen_pairs *pairs) {
    uint32_t n = p->members[list];
    uint32_t *edge = p->edge[list] = ksda_i_malloc(p->ctx, (uint64_t)n * n, sizeof *edge);
    if (!edge) return KSDA_NOMEM;
    memset(edge, 0xff, (uint64_t)n * n * sizeof *edge);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (pairs->allowed(pairs->payload, list, a, b))
                edge[a * n + b] = edge[b * n + a] =
                    ksda_i_model_column(&p->model, 0, 1, 1, false, "e%u_%u_%u", list, a, b);
    return p->model.status;
}

/* The columns a, p, g, o of list l are numbered one after the other, as they are made here and used in rows_of(). */
static void other_columns(ksda_i_colgen_master *p, uint32_t list, uint32_t *first) {
    ksda_i_model *m = &p->model;
    *first = m->columns;
    for (uint32_t u = p->begin[list]; u < p->begin[list + 1]; u++) {
        ksda_i_model_column(m, 0, INFINITY, 1, false, "a%u", u);
        if (p->unit[u].other) {
            ksda_i_model_column(m, 0, INFINITY, 0, false, "g%u", u);
            ksda_i_model_column(m, 0, INFINITY, 0.5, false, "o%u", u);
        } else if (list < p->lists)
            ksda_i_model_column(m, 0, INFINITY, 1, false, "p%u", u);
        else
            ksda_i_model_column(m, 0, INFINITY, 0, false, "f%u", u);
    }
}

/* The row of a unit's need, with edges to pieces where there may be some. */
static void need_row(ksda_i_colgen_master *p, uint32_t u) {
    if (p->to_pieces != KSDA_I_NO_COLUMN) ksda_i_model_term(&p->model, p->to_pieces + u, 1);
    note_row(p, KSDA_I_COLGEN_NEED, u, 0);
}

static void member_rows(ksda_i_colgen_master *p, uint32_t u, uint32_t *column) {
    ksda_i_model *m = &p->model;
    uint32_t list = p->unit[u].list, a = p->unit[u].index;
    bool anchor = list == p->lists;
    for (uint32_t b = 0; b < p->members[list]; b++) ksda_i_model_term(m, edge_of(p, list, a, b), 1);
    ksda_i_model_term(m, *column, 1), ksda_i_model_term(m, *column + 1, anchor ? -1 : 1);
    need_row(p, u);
    for (uint32_t b = 0; b < p->members[list]; b++) {
        if (edge_of(p, list, a, b) == KSDA_I_NO_COLUMN) continue;
        if (anchor) ksda_i_model_term(m, *column + 1, -1);
        limited(p, edge_of(p, list, a, b), KSDA_I_COLGEN_MOST, u, 1);
    }
    if (!anchor) limited(p, *column + 1, KSDA_I_COLGEN_HELP, u, 0);
    p->further[u] = anchor ? *column + 1 : KSDA_I_NO_COLUMN;
    *column += 2;
}

static void rows_of(ksda_i_colgen_master *p, uint32_t list, uint32_t first) {
    ksda_i_model *m = &p->model;
    uint32_t column = first, members = p->begin[list] + p->members[list], end = p->begin[list + 1];
    for (uint32_t u = p->begin[list]; u < members; u++) member_rows(p, u, &column);
    uint32_t others = column;
    for (uint32_t u = members; u < end; u++, column += 3) {
        for (uint32_t q = 0; q < 3; q++) ksda_i_model_term(m, column + q, 1);
        need_row(p, u);
        limited(p, column + 1, KSDA_I_COLGEN_POOL, u, p->members[list]);
        limited(p, column + 2, KSDA_I_COLGEN_MATES, u, 0);
    }
    if (members == end) return;
    for (uint32_t u = members; u < end; u++) ksda_i_model_term(m, others + 3 * (u - members) + 1, 1);
    for (uint32_t u = p->begin[list]; u < members; u++) ksda_i_model_term(m, first + 2 * (u - p->begin[list]) + 1, -1);
    note_row(p, KSDA_I_COLGEN_LINK, p->begin[list], 0);
}

static bool splits(const ksda_i_colgen_master *p) {
    return p->splits.weight > 0;
}

/* Edges from a member to pieces: only so many pieces are there. Others' have no limit; see repair_splits(). */
static void split_limits(ksda_i_colgen_master *p) {
    for (uint32_t u = 0; u < p->units; u++) {
        if (p->unit[u].other) continue;
        ksda_i_model_term(&p->model, p->further[u], -1);
        limited(p, p->to_pieces + u, KSDA_I_COLGEN_MOST, u, 2 * p->splits.most);
    }
}

static void split_rows(ksda_i_colgen_master *p) {
    ksda_i_model *m = &p->model;
    p->count_column = ksda_i_model_column(m, p->splits.least, p->splits.most, p->splits.weight, false, "N");
    uint32_t first = m->columns;
    for (uint32_t c = 0; c < p->lists; c++) {
        ksda_i_model_column(m, 0, INFINITY, 0, false, "r%u", c);
        ksda_i_model_column(m, 0, INFINITY, 0, false, "s%u", c);
    }
    uint32_t ends = ksda_i_model_column(m, 0, INFINITY, 0.5, false, "u");
    uint32_t over = ksda_i_model_column(m, 0, INFINITY, 32 * p->splits.weight + 100, false, "v");
    for (uint32_t c = 0; c < 2 * p->lists; c++) ksda_i_model_term(m, first + c, 1);
    ksda_i_model_term(m, p->count_column, -1), ksda_i_model_term(m, over, -1);
    p->count_row = m->rows;
    note_row(p, KSDA_I_COLGEN_COUNT, 0, 0);
    for (uint32_t c = 0; c < p->lists; c++) {
        ksda_i_model_term(m, first + 2 * c, -1), ksda_i_model_term(m, first + 2 * c + 1, -2);
        p->pieces_row[c] = m->rows;
        note_row(p, KSDA_I_COLGEN_PIECES, 0, c);
    }
    for (uint32_t c = 0; c < p->lists; c++) {
        ksda_i_model_term(m, first + 2 * c, -(double)(p->splits.most + 2));
        ksda_i_model_term(m, first + 2 * c + 1, -(double)(p->low + 2));
    }
    for (uint32_t u = 0; u < p->units; u++) ksda_i_model_term(m, p->to_pieces + u, -1);
    ksda_i_model_term(m, ends, -1);
    p->mass_row = m->rows;
    note_row(p, KSDA_I_COLGEN_MASS, 0, 0);
}

/* Which row is there for one column alone. */
static ksda_status find_tight(ksda_i_colgen_master *p) {
    const ksda_i_model *m = &p->model;
    p->own = m->columns;
    p->tight = ksda_i_malloc(p->ctx, p->own, sizeof *p->tight);
    p->red = ksda_i_malloc(p->ctx, p->own, sizeof *p->red);
    if (!p->tight || !p->red) return KSDA_NOMEM;
    memset(p->tight, 0xff, p->own * sizeof *p->tight);
    for (uint32_t r = 0; r < m->rows; r++)
        if (p->row[r].kind == KSDA_I_COLGEN_MOST || p->row[r].kind == KSDA_I_COLGEN_HELP ||
            p->row[r].kind == KSDA_I_COLGEN_MATES || p->row[r].kind == KSDA_I_COLGEN_POOL)
            p->tight[m->term_column[m->row_start[r + 1] - 1]] = r; /* the last term: see limited() */
    return KSDA_OK;
}

static ksda_status make_units(ksda_i_colgen_master *p, const uint32_t *const *degree, const uint32_t *other,
                              const uint32_t *highest) {
    uint64_t room = 0;
    for (uint32_t list = 0; list <= p->lists; list++) room += (uint64_t)p->members[list] + p->levels;
    p->unit = ksda_i_malloc(p->ctx, room, sizeof *p->unit);
    p->further = ksda_i_malloc(p->ctx, room, sizeof *p->further);
    if (!p->unit || !p->further) return KSDA_NOMEM;
    for (uint32_t list = 0; list <= p->lists; list++) {
        p->begin[list] = p->units;
        for (uint32_t i = 0; i < p->members[list]; i++)
            p->unit[p->units++] = (ksda_i_colgen_unit){list, i, degree[list][i], false};
        for (uint32_t q = 0; q < p->levels && list < p->lists; q++)
            if (p->level[q] <= highest[list] && p->level[q] > other[list])
                p->unit[p->units++] = (ksda_i_colgen_unit){list, q, other[list], true};
    }
    p->begin[p->lists + 1] = p->units;
    return KSDA_OK;
}

ksda_status ksda_i_colgen_program_make(ksda_ctx *ctx, const ksda_i_solver *solver, uint32_t levels,
                                       const uint32_t *level, uint32_t lists, const uint32_t *members,
                                       const uint32_t *const *degree, const uint32_t *other, const uint32_t *highest,
                                       const ksda_i_colgen_pairs *pairs, const ksda_i_colgen_splits *how,
                                       ksda_i_colgen_master *p) {
    ksda_status status = KSDA_NOMEM;
    uint32_t *first = ksda_i_malloc(ctx, (uint64_t)lists + 1, sizeof *first);
    *p = (ksda_i_colgen_master){.ctx = ctx, .levels = levels, .level = level, .lists = lists, .splits = *how};
    ksda_i_model_init(&p->model, ctx);
    p->members = ksda_i_malloc(ctx, (uint64_t)lists + 1, sizeof *p->members);
    p->begin = ksda_i_malloc(ctx, (uint64_t)lists + 2, sizeof *p->begin);
    p->edge = ksda_i_calloc(ctx, (uint64_t)lists + 1, sizeof *p->edge);
    p->pieces_row = ksda_i_calloc(ctx, (uint64_t)lists + 1, sizeof *p->pieces_row);
    if (!first || !p->members || !p->begin || !p->edge || !p->pieces_row) goto done;
    for (uint32_t c = 0; c < lists; c++)
        if (other[c] > p->low) p->low = other[c];
    memcpy(p->members, members, (lists + 1) * sizeof *members);
    KSDA_I_TRY(make_units(p, degree, other, highest));
    for (uint32_t list = 0; list <= lists; list++) KSDA_I_TRY(make_edges(p, list, pairs));
    for (uint32_t list = 0; list <= lists; list++) other_columns(p, list, first + list);
    p->to_pieces = splits(p) ? p->model.columns : KSDA_I_NO_COLUMN;
    for (uint32_t u = 0; u < p->units && splits(p); u++)
        ksda_i_model_column(&p->model, 0, INFINITY, 1, false, "h%u", u);
    for (uint32_t list = 0; list <= lists; list++) rows_of(p, list, first[list]);
    if (splits(p)) split_limits(p), split_rows(p);
    note_row(p, KSDA_I_COLGEN_ONE, 0, 0);
    KSDA_I_TRY(p->model.status);
    KSDA_I_TRY(find_tight(p));
    status = ksda_i_lp_new(solver, &p->model, &p->lp);
done:
    ksda_i_free(ctx, first);
    if (status < 0) ksda_i_colgen_program_clear(p);
    return status;
}

static void entry_clear(ksda_ctx *ctx, ksda_i_colgen_entry *e) {
    ksda_i_free(ctx, e->need), ksda_i_free(ctx, e->others), ksda_i_free(ctx, e->open), ksda_i_free(ctx, e->uses);
    ksda_i_free(ctx, e->split), ksda_i_free(ctx, e->pieces);
}

void ksda_i_colgen_program_clear(ksda_i_colgen_master *p) {
    ksda_ctx *ctx = p->ctx;
    if (!ctx) return;
    for (uint32_t list = 0; p->edge && list <= p->lists; list++) ksda_i_free(ctx, p->edge[list]);
    for (uint64_t i = 0; i < p->plans; i++) entry_clear(ctx, p->plan + i);
    ksda_i_lp_free(ctx, p->lp);
    ksda_i_model_clear(&p->model);
    ksda_i_free(ctx, p->members), ksda_i_free(ctx, p->begin), ksda_i_free(ctx, p->edge), ksda_i_free(ctx, p->unit),
        ksda_i_free(ctx, p->further), ksda_i_free(ctx, p->pieces_row);
    ksda_i_free(ctx, p->tight), ksda_i_free(ctx, p->red), ksda_i_free(ctx, p->row), ksda_i_free(ctx, p->plan);
    memset(p, 0, sizeof *p);
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

static double all_split(const ksda_i_colgen_master *p, const ksda_i_colgen_entry *e) {
    double sum = 0;
    for (uint32_t c = 0; c <= p->lists; c++) sum += e->split[c];
    return sum;
}

/* What the row counts of the plan. */
static double counts(const ksda_i_colgen_master *p, const ksda_i_colgen_row *row, const ksda_i_colgen_entry *e) {
    uint32_t need = e->need[row->unit], list = p->unit[row->unit].list;
    switch (row->kind) {
    case KSDA_I_COLGEN_COUNT: return all_split(p, e);
    case KSDA_I_COLGEN_PIECES: return (double)e->pieces[row->size] - 2.0 * e->split[row->size];
    case KSDA_I_COLGEN_MASS: return (double)e->mass;
    case KSDA_I_COLGEN_NEED: return -(double)need;
    case KSDA_I_COLGEN_MOST: return -(double)(need < row->size ? need : row->size);
    case KSDA_I_COLGEN_HELP: return -(double)e->others[list];
    case KSDA_I_COLGEN_MATES: return -(double)(e->others[list] - (need > 0));
    case KSDA_I_COLGEN_POOL: return need > 0 ? -(double)row->size : 0;
    case KSDA_I_COLGEN_LINK: return 0;
    case KSDA_I_COLGEN_ONE: return 1;
    }
    return 0;
}

static void fill_entry(const ksda_i_colgen_master *p, const ksda_i_colgen_plan *plan, const uint32_t *anchor,
                       ksda_i_colgen_entry *e) {
    uint32_t at = 0;
    memcpy(e->open, plan->open, p->levels);
    for (uint32_t i = 0; i < p->lists * p->levels; i++) {
        e->uses[i] = plan->uses[i] > 0;
        if (plan->uses[i] & 4) e->pieces[i / p->levels]++, e->mass += p->level[i % p->levels];
    }
    for (uint32_t list = 0; list <= p->lists; list++)
        for (uint32_t u = p->begin[list]; u < p->begin[list + 1]; u++) {
            const ksda_i_colgen_unit *unit = p->unit + u;
            e->need[u] = 0;
            if (list == p->lists) {
                if (anchor[unit->index] == KSDA_I_COLGEN_SPLIT)
                    e->split[list]++;
                else
                    e->need[u] = anchor[unit->index];
            } else if (unit->other) {
                bool there = plan->uses[list * p->levels + unit->index] & 2;
                e->need[u] = there ? p->level[unit->index] - unit->degree : 0, e->others[list] += there;
            } else {
                uint32_t q = plan->target[at++];
                if (q == KSDA_I_COLGEN_SPLIT)
                    e->split[list]++, e->mass -= unit->degree + 2;
                else if (q != KSDA_I_COLGEN_STAYS)
                    e->need[u] = p->level[q] - unit->degree;
            }
        }
}

static bool entry_is_known(const ksda_i_colgen_master *p, const ksda_i_colgen_entry *e) {
    for (uint64_t i = 0; i < p->plans; i++)
        if (!memcmp(p->plan[i].need, e->need, p->units * sizeof *e->need) &&
            !memcmp(p->plan[i].open, e->open, p->levels) && p->plan[i].mass == e->mass &&
            !memcmp(p->plan[i].split, e->split, (p->lists + 1) * sizeof *e->split) &&
            !memcmp(p->plan[i].pieces, e->pieces, p->lists * sizeof *e->pieces) &&
            !memcmp(p->plan[i].uses, e->uses, (uint64_t)p->lists * p->levels))
            return true;
    return false;
}

static ksda_status take_in(ksda_i_colgen_master *p, ksda_i_colgen_entry *e) {
    uint32_t rows = p->model.rows, terms = 0;
    int *row = ksda_i_malloc(p->ctx, rows, sizeof *row);
    double *value = ksda_i_malloc(p->ctx, rows, sizeof *value);
    ksda_status status = row && value ? KSDA_OK : KSDA_NOMEM;
    if (status == KSDA_OK) {
        for (uint32_t r = 0; r < rows; r++) {
            double count = counts(p, p->row + r, e);
            if (count != 0) row[terms] = (int)r, value[terms++] = count;
        }
        e->column = ksda_i_model_column(&p->model, 0, INFINITY, 0, false, "w%u", (unsigned)p->plans);
        status = ksda_i_lp_column(p->lp, terms, row, value);
    }
    ksda_i_free(p->ctx, row), ksda_i_free(p->ctx, value);
    return status;
}

ksda_status ksda_i_colgen_program_add(ksda_i_colgen_master *p, const ksda_i_colgen_plan *plan, const uint32_t *anchor,
                                      bool *fresh) {
    ksda_ctx *ctx = p->ctx;
    ksda_i_colgen_entry e = {.need = ksda_i_malloc(ctx, p->units, sizeof *e.need),
                             .others = ksda_i_calloc(ctx, (uint64_t)p->lists + 1, sizeof *e.others),
                             .split = ksda_i_calloc(ctx, (uint64_t)p->lists + 1, sizeof *e.split),
                             .pieces = ksda_i_calloc(ctx, (uint64_t)p->lists + 1, sizeof *e.pieces),
                             .open = ksda_i_malloc(ctx, p->levels, 1),
                             .uses = ksda_i_malloc(ctx, (uint64_t)p->lists * p->levels, 1)};
    ksda_status status = e.need && e.others && e.split && e.pieces && e.open && e.uses ? KSDA_OK : KSDA_NOMEM;
    *fresh = false;
    if (status == KSDA_OK) {
        fill_entry(p, plan, anchor, &e);
        *fresh = !entry_is_known(p, &e);
    }
    if (*fresh) status = ksda_i_reserve(ctx, &p->plan, &p->plan_room, p->plans + 1, sizeof *p->plan);
    if (*fresh && status == KSDA_OK) status = take_in(p, &e);
    if (*fresh && status == KSDA_OK)
        p->plan[p->plans++] = e;
    else
        entry_clear(ctx, &e);
    return status;
}

/* --- cuts --------------------------------------------------------------------------------------------------------- */

static void limit_row(ksda_i_colgen_master *p, uint32_t u, const ksda_i_column_value *w, uint32_t size) {
    ksda_i_colgen_row row = {KSDA_I_COLGEN_MOST, u, size};
    for (uint32_t i = 0; i < size; i++) ksda_i_model_term(&p->model, w[i].column, 1);
    ksda_i_model_term(&p->model, p->further[u], -1);
    for (uint64_t i = 0; i < p->plans; i++) {
        double count = counts(p, &row, p->plan + i);
        if (count != 0) ksda_i_model_term(&p->model, p->plan[i].column, count);
    }
    note_row(p, row.kind, row.unit, row.size);
}

/* The set W to which member u has too many edges, by the weights in x; the worst of any size is found by sorting. */
static uint32_t worst_cut_of(ksda_i_colgen_master *p, const double *x, uint32_t u, ksda_i_column_value *w) {
    uint32_t list = p->unit[u].list, count = 0, best = 0;
    double worst = VIOLATED, sum = 0;
    for (uint32_t b = 0; b < p->members[list]; b++) {
        uint32_t column = edge_of(p, list, p->unit[u].index, b);
        if (column != KSDA_I_NO_COLUMN && x[column] > 1e-7) w[count++] = (ksda_i_column_value){x[column], column};
    }
    ksda_i_sort_by(w, count, sizeof *w, ksda_i_column_values_descending);
    for (uint32_t size = 1; size <= count; size++) {
        double most = p->further[u] == KSDA_I_NO_COLUMN ? 0 : x[p->further[u]];
        sum += w[size - 1].value;
        if (size == 1) continue; /* these rows are there */
        for (uint64_t i = 0; i < p->plans; i++) {
            uint32_t need = p->plan[i].need[u];
            if (x[p->plan[i].column] > 1e-9) most += x[p->plan[i].column] * (need < size ? need : size);
        }
        if (sum - most > worst) worst = sum - most, best = size;
    }
    if (best) limit_row(p, u, w, best);
    return best > 0;
}

uint32_t ksda_i_colgen_program_cuts(ksda_i_colgen_master *p, const double *x) {
    uint32_t added = 0, most = 1;
    for (uint32_t list = 0; list <= p->lists; list++)
        if (p->members[list] > most) most = p->members[list];
    ksda_i_column_value *w = p->model.rows < MOST_ROWS ? ksda_i_malloc(p->ctx, most, sizeof *w) : NULL;
    for (uint32_t u = 0; w && u < p->units; u++)
        if (!p->unit[u].other) added += worst_cut_of(p, x, u, w);
    ksda_i_free(p->ctx, w);
    return added;
}

/* --- multipliers -------------------------------------------------------------------------------------------------- */

static double on_grid(double y) {
    return floor(y / KSDA_I_COLGEN_GRID) * KSDA_I_COLGEN_GRID;
}

/* Neither a further piece nor a vertex split beside the members is worth having, nor an end of an edge at a piece,
 * alone or from a vertex that is no member. */
static void repair_splits(const ksda_i_colgen_master *p, double *y) {
    double *split = y + p->count_row, *mass = y + p->mass_row;
    double most = fmax(p->splits.most, p->low) + 2;
    *mass = fmin(fmin(*mass, 0.5), on_grid(*split / (most + KSDA_I_COLGEN_GRID))); /* safely below the quotient */
    for (uint32_t c = 0; c < p->lists; c++) {
        double *piece = y + p->pieces_row[c];
        *piece = fmin(*piece, *split - *mass * (p->splits.most + 2));
        *piece = fmax(0, fmin(*piece, on_grid((*split - *mass * (p->low + 2)) / 2)));
    }
    for (uint32_t r = 0; r < p->model.rows; r++)
        if (p->row[r].kind == KSDA_I_COLGEN_NEED && p->unit[p->row[r].unit].other) y[r] = fmin(y[r], 1 - *mass);
}

double ksda_i_colgen_program_split(const ksda_i_colgen_master *p, const double *y, uint32_t c, uint32_t degree) {
    return c == p->lists ? y[p->count_row]
                         : y[p->count_row] - 2 * y[p->pieces_row[c]] - y[p->mass_row] * (degree + 2.0);
}

double ksda_i_colgen_program_piece(const ksda_i_colgen_master *p, const double *y, uint32_t c, uint32_t level) {
    return y[p->pieces_row[c]] + y[p->mass_row] * level;
}

double ksda_i_colgen_program_splits(const ksda_i_colgen_master *p, const double *y, uint64_t i) {
    const ksda_i_colgen_entry *e = p->plan + i;
    double sum = all_split(p, e) * y[p->count_row] + (double)e->mass * y[p->mass_row];
    for (uint32_t c = 0; c < p->lists; c++) sum += y[p->pieces_row[c]] * ((double)e->pieces[c] - 2.0 * e->split[c]);
    return sum;
}

double ksda_i_colgen_program_constant(const ksda_i_colgen_master *p, const double *y) {
    if (!splits(p)) return 0;
    double each = p->splits.weight, rest = each - y[p->count_row];
    double sum = rest * (rest > 0 ? p->splits.least : p->splits.most);
    bool exact = each < KSDA_I_COLGEN_EXACT && on_grid(each) == each && fabs(sum) < KSDA_I_COLGEN_EXACT;
    return exact ? sum : sum - 0x1p-50 * (each + y[p->count_row]) * p->splits.most; /* two roundings, of 2^-53 */
}

void ksda_i_colgen_program_repair(ksda_i_colgen_master *p, double *y) {
    const ksda_i_model *m = &p->model;
    for (uint32_t r = 0; r < m->rows; r++) {
        bool split = p->row[r].kind == KSDA_I_COLGEN_COUNT || p->row[r].kind == KSDA_I_COLGEN_PIECES;
        y[r] = y[r] > 0 ? on_grid(fmin(y[r], split ? MOST_SPLIT : MOST_ELSE)) : 0;
        if (p->row[r].kind == KSDA_I_COLGEN_NEED) y[r] = fmin(y[r], 1); /* what an edge to a low vertex costs */
        if (p->row[r].kind == KSDA_I_COLGEN_ONE) y[r] = 0;
    }
    if (splits(p)) repair_splits(p, y);
    memcpy(p->red, m->cost, p->own * sizeof *p->red);
    for (uint32_t r = 0; r < m->rows; r++) {
        double price = p->row[r].kind == KSDA_I_COLGEN_NEED ? -y[r] : y[r];
        for (uint64_t at = m->row_start[r]; price != 0 && at < m->row_start[r + 1]; at++)
            if (m->term_column[at] < p->own) p->red[m->term_column[at]] += price * m->term_value[at];
    }
    for (uint32_t j = 0; j < p->own; j++)
        if (p->red[j] < 0 && p->tight[j] != UINT32_MAX) y[p->tight[j]] -= p->red[j];
}

/* Members: y_need b - sum of y min(size, b) over the limits; at first price[size] holds what the limits of that size
 * pay. */
static void member_price(double need, uint32_t width, double *price) {
    double sum = 0, paid = 0;
    for (uint32_t b = width; b-- > 1;) price[b] = sum += price[b];
    price[0] = 0;
    for (uint32_t b = 1; b < width; b++) paid += price[b], price[b] = need * b - paid;
}

/* The most that one of the others with this need can be asked, at most 1/2 an edge, when it pays for all its pairs with
 * members itself: x need - sum_i max(0, x + y_i - 1). The best x is where a member begins to count, or 1/2. */
static double other_paid_alone(const ksda_i_colgen_master *p, uint32_t list, const double *sum, uint32_t need) {
    uint32_t begin = p->begin[list], end = begin + p->members[list];
    double best = 0;
    for (uint32_t u = begin; u <= end; u++) {
        double x = u < end ? fmin(0.5, 1 - sum[3 * u]) : 0.5, value = x * need;
        for (uint32_t v = begin; v < end; v++) value -= fmax(0, x + sum[3 * v] - 1);
        if (value > best) best = value;
    }
    return best;
}

/* One of the others widens the limits of all members, unless it pays for its pairs alone, and of all its like. */
static void list_prices(const ksda_i_colgen_master *p, uint32_t list, const double *sum, double *price) {
    uint32_t width = p->level[0] + 1, others = p->begin[list] + p->members[list];
    double help = 0, mates = 0;
    for (uint32_t u = p->begin[list]; u < others; u++) {
        member_price(sum[3 * u], width, price + (uint64_t)u * width);
        help += sum[3 * u + 1];
    }
    for (uint32_t u = others; u < p->begin[list + 1]; u++) mates += sum[3 * u + 1];
    for (uint32_t u = others; u < p->begin[list + 1]; u++) {
        uint32_t need = p->level[p->unit[u].index] - p->unit[u].degree;
        double shared = sum[3 * u] * need - help - sum[3 * u + 2] * p->members[list];
        price[(uint64_t)u * width + need] =
            fmax(shared, other_paid_alone(p, list, sum, need)) - (mates - sum[3 * u + 1]);
    }
}

ksda_status ksda_i_colgen_program_prices(const ksda_i_colgen_master *p, const double *y, double *price) {
    uint32_t width = p->level[0] + 1;
    double *sum =
        ksda_i_calloc(p->ctx, 3 * (uint64_t)p->units, sizeof *sum); /* of each unit: need; help or mates; pool */
    if (!sum) return KSDA_NOMEM;
    memset(price, 0, (uint64_t)p->units * width * sizeof *price);
    for (uint32_t r = 0; r < p->model.rows; r++) {
        const ksda_i_colgen_row *row = p->row + r;
        if (row->kind == KSDA_I_COLGEN_NEED)
            sum[3 * row->unit] = y[r];
        else if (row->kind == KSDA_I_COLGEN_MOST)
            price[(uint64_t)row->unit * width + (row->size < width ? row->size : width - 1)] += y[r];
        else if (row->kind == KSDA_I_COLGEN_HELP || row->kind == KSDA_I_COLGEN_MATES)
            sum[3 * row->unit + 1] = y[r];
        else if (row->kind == KSDA_I_COLGEN_POOL)
            sum[3 * row->unit + 2] = y[r];
    }
    for (uint32_t list = 0; list <= p->lists; list++) list_prices(p, list, sum, price);
    ksda_i_free(p->ctx, sum);
    return KSDA_OK;
}

/* --- an estimate -------------------------------------------------------------------------------------------------- */

static bool may_join(const ksda_i_colgen_master *p, uint32_t list, uint32_t a, uint32_t b) {
    uint32_t n = p->members[list];
    return a != b && (a >= n || b >= n || edge_of(p, list, a, b) != KSDA_I_NO_COLUMN);
}

/* The neediest is joined to the next needy ones it may be joined to, and so on: how many edges that makes. */
static double paired(const ksda_i_colgen_master *p, uint32_t list, uint32_t *left) {
    uint32_t n = p->begin[list + 1] - p->begin[list];
    double edges = 0;
    for (;;) {
        uint32_t most = 0, who = 0;
        for (uint32_t a = 0; a < n; a++)
            if (left[a] > most) most = left[a], who = a;
        if (most == 0) return edges;
        for (uint32_t b = 0, joined = 0; joined < most && b < n; b++)
            if (left[b] > 0 && may_join(p, list, who, b)) left[b]--, joined++, edges++;
        left[who] = 0;
    }
}

double ksda_i_colgen_program_estimate(const ksda_i_colgen_master *p, uint64_t i) {
    const uint32_t *need = p->plan[i].need;
    double sum = 0;
    uint32_t *left = ksda_i_malloc(p->ctx, p->units, sizeof *left);
    if (!left) return INFINITY;
    memcpy(left, need, p->units * sizeof *left);
    for (uint32_t u = 0; u < p->units; u++) sum += need[u];
    for (uint32_t list = 0; list <= p->lists; list++) sum -= paired(p, list, left + p->begin[list]);
    ksda_i_free(p->ctx, left);
    return sum;
}
