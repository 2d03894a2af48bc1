/* The part of the relaxation (level_model.c) that is about releases that split somebody.
 *
 * s_i, e_i  individual i is split, into two pieces and e_i more; S_c, E_c the same for how many of a pool
 * p_ct      pieces of community c at level t;  l_c  pieces at or below the floor
 * h_i       added edges between individual i, unsplit, and pieces;  X_c  ends of added edges at pieces of c
 * u, o      added edges between pieces of two vertices, and from pieces to others who need none
 *   least <= sum (s + e) + sum (S + E) <= most
 *   sum_t p_ct + l_c = sum (2 s + e) + 2 S_c + E_c
 *   sum_t t p_ct + low l_c <= sum ((d + 2) s + (most + 2) e) + (pool + 2) S_c + (most + 2) E_c + X_c
 *   sum X_c <= sum h + o + 2 u + edges of the pools' raised ones
 *   h_i <= sum (s + e) over i's neighbours + sum (2 s + e) over others of its community
 * Every release with so many splits gives a solution at no higher cost: docs/level-plan.md, 5.5. Unless everybody is
 * above the floor only degrees that occur are levels. */
#include "exact/level_model.h"

#include <math.h>

#define VIOLATED 0.01

/* --- memory ------------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_level_splits_open(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    ksda_i_level_pieces *s = &m->pieces;
    uint64_t every = (uint64_t)l->n + l->count, cells = (uint64_t)l->count * (m->high + 1);
    struct {
        uint32_t **array;
        uint64_t length;
    } part[] = {{&s->split, every},  {&s->extra, every},   {&s->to_pieces, l->n},      {&s->at, cells},
                {&s->low, l->count}, {&s->ends, l->count}, {&s->pool_outer, l->count}, {&s->seen, l->count}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *part[i].array = ksda_i_malloc(l->ctx, part[i].length, sizeof **part[i].array);
        if (!*part[i].array) return KSDA_NOMEM;
        memset(*part[i].array, 0xff, part[i].length * sizeof **part[i].array);
    }
    return KSDA_OK;
}

void ksda_i_level_splits_clear(ksda_i_level_model *m) {
    ksda_ctx *ctx = m->l->ctx;
    ksda_i_level_pieces *s = &m->pieces;
    ksda_i_free(ctx, s->split), ksda_i_free(ctx, s->extra), ksda_i_free(ctx, s->to_pieces), ksda_i_free(ctx, s->at);
    ksda_i_free(ctx, s->low), ksda_i_free(ctx, s->ends), ksda_i_free(ctx, s->pool_outer), ksda_i_free(ctx, s->seen);
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static uint32_t pool_begin(const ksda_i_level_model *m, uint32_t c) {
    return m->l->start[c] + m->held[c];
}

/* Who stands for position i of c: itself, or its pool. */
static uint32_t stand_in(const ksda_i_level_model *m, uint32_t c, uint32_t i) {
    return i < pool_begin(m, c) ? i : m->l->n + c;
}

/* Column j is not more than `times` column `of`. */
static void at_most_times(ksda_i_model *p, uint32_t j, double times, uint32_t of, const char *name, uint32_t number) {
    ksda_i_model_term(p, j, 1), ksda_i_model_term(p, of, -times);
    ksda_i_model_row(p, -INFINITY, 0, "%s_%u", name, number);
}

/* Index i, of which so many can be split. */
static void split_columns(ksda_i_level_model *m, uint32_t i, uint32_t many) {
    ksda_i_level_pieces *s = &m->pieces;
    ksda_i_model *p = &m->model;
    uint32_t most = s->of.most < many ? s->of.most : many;
    s->split[i] = ksda_i_model_column(p, 0, most, 0, true, "split_%u", i);
    if (s->of.most < 2) return;
    s->extra[i] = ksda_i_model_column(p, 0, s->of.most - 1, 0, true, "extra_%u", i);
    at_most_times(p, s->extra[i], s->of.most - 1, s->split[i], "extra", i);
}

/* The smallest degree of all. */
static uint32_t smallest_degree(const ksda_i_levels *l) {
    uint32_t least = UINT32_MAX;
    for (uint32_t c = 0; c < l->count; c++)
        if (l->start[c] < l->start[c + 1] && l->degree[l->start[c + 1] - 1] < least)
            least = l->degree[l->start[c + 1] - 1];
    return least;
}

bool ksda_i_level_splits_every_level(const ksda_i_levels *l, int64_t floor) {
    return (int64_t)smallest_degree(l) > floor;
}

/* How many edges bring an unsplit vertex of c to level t at least; UINT32_MAX: none gets there. */
static uint32_t least_raise(const ksda_i_levels *l, uint32_t c, uint32_t t) {
    for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
        if (l->degree[i] <= t && l->max_degree[i] >= t) return t - l->degree[i];
    return UINT32_MAX;
}

/* Pieces are in no more communities than vertices are added; all others of the k take edges of their own. */
bool ksda_i_level_splits_may_open(const ksda_i_level_model *m, uint32_t t, uint32_t *raise) {
    const ksda_i_levels *l = m->l;
    uint32_t own = l->k > m->pieces.of.most ? l->k - m->pieces.of.most : 0, count = 0;
    uint64_t sum = 0;
    for (uint32_t c = 0; own && c < l->count; c++) { /* raise: the smallest ones so far, ascending */
        uint32_t least = least_raise(l, c, t), at = count < own ? count : own - 1;
        if (least == UINT32_MAX || (count == own && raise[at] <= least)) continue;
        for (; at > 0 && raise[at - 1] > least; at--) raise[at] = raise[at - 1];
        raise[at] = least, count += count < own;
    }
    for (uint32_t i = 0; i < count; i++) sum += raise[i];
    return count == own && (double)sum <= m->cutoff;
}

/* With fewer splits than a level needs communities nobody stands below the smallest degree. */
static uint32_t lowest_piece(const ksda_i_level_model *m) {
    uint32_t least = smallest_degree(m->l);
    return m->pieces.of.most < m->l->k && least > 1 ? least : 1;
}

/* Where levels are lowered pieces may sink, wherever they were. */
static bool none_is_low(const ksda_i_level_model *m) {
    return m->pieces.every_level && (int64_t)lowest_piece(m) > m->floor;
}

void ksda_i_level_splits_columns(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    ksda_i_level_pieces *s = &m->pieces;
    ksda_i_model *p = &m->model;
    double most = s->of.most;
    s->more = ksda_i_model_column(p, 0, most - s->of.least, s->of.weight, true, "more");
    s->loose = ksda_i_model_column(p, 0, s->every_level ? 0 : m->cutoff, 1, false, "loose");
    if (s->of.most > 1) s->between = ksda_i_model_column(p, 0, 2 * most * (most - 1), 1, false, "between");
    for (uint32_t c = 0; c < l->count; c++) {
        uint32_t end = l->start[c + 1], pool = end - pool_begin(m, c);
        for (uint32_t i = l->start[c]; i < pool_begin(m, c); i++)
            if (l->degree[i] > 0) split_columns(m, i, 1);
        if (pool && l->degree[pool_begin(m, c)] > 0) split_columns(m, l->n + c, pool);
        for (uint32_t t = m->low; t <= m->high; t++)
            if (m->has[ksda_i_level_place(m, c, t)] != KSDA_I_NO_COLUMN)
                s->at[ksda_i_level_place(m, c, t)] = ksda_i_model_column(p, 0, 2 * most, 0, true, "p_%u_%u", c, t);
        if (!none_is_low(m)) s->low[c] = ksda_i_model_column(p, 0, 2 * most, 0, true, "low_%u", c);
        s->ends[c] = ksda_i_model_column(p, 0, 2 * m->cutoff, 0, false, "ends_%u", c);
    }
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Index j is split: `first` for that, `more` for every piece beyond two. */
static void split_terms(ksda_i_level_model *m, uint32_t j, double first, double more) {
    ksda_i_model_term(&m->model, m->pieces.split[j], first);
    ksda_i_model_term(&m->model, m->pieces.extra[j], more);
}

/* Edges from individual i to pieces: at most one to each, and to those of its neighbours one is there already. */
static void around_row(ksda_i_level_model *m, uint32_t c, uint32_t i) {
    const ksda_i_levels *l = m->l;
    const ksda_graph *g = l->graph;
    uint32_t v = l->vertex[i];
    ksda_i_graph_need(g, v);
    ksda_i_model_term(&m->model, m->pieces.to_pieces[i], -1);
    for (uint32_t j = l->start[c]; j < pool_begin(m, c); j++)
        if (j != i) split_terms(m, j, ksda_graph_adjacent(g, v, l->vertex[j]) ? 1 : 2, 1);
    split_terms(m, l->n + c, 2, 1);
    for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
        uint32_t other = l->communities->of[g->adj[e]], j = stand_in(m, other, l->position[g->adj[e]]);
        if (other == c || (j >= l->n && m->pieces.seen[other] == i)) continue;
        if (j >= l->n) m->pieces.seen[other] = i; /* a pool counts once */
        split_terms(m, j, 1, 1);
    }
    ksda_i_model_row(&m->model, 0, INFINITY, "around_%u", i);
}

/* Edges to pieces; what lies beyond the members it is not adjacent to takes such edges. */
void ksda_i_level_splits_individual(ksda_i_level_model *m, uint32_t c, uint32_t i) {
    const ksda_i_levels *l = m->l;
    ksda_i_model *p = &m->model;
    uint32_t most = m->pieces.of.most, top = l->max_degree[i] - most;
    uint32_t to = m->pieces.to_pieces[i] =
        ksda_i_model_column(p, 0, fmin(2.0 * most, m->cutoff), 1, true, "to_pieces_%u", i);
    around_row(m, c, i);
    bool beyond = false;
    for (uint32_t t = m->low; t <= m->high; t++) beyond |= t > top && ksda_i_ends(m, i, t) != KSDA_I_NO_COLUMN;
    if (!beyond) return;
    ksda_i_model_term(p, to, 1);
    for (uint32_t t = m->low; t <= m->high; t++)
        if (t > top) ksda_i_model_term(p, ksda_i_ends(m, i, t), -(double)(t - top));
    ksda_i_model_row(p, 0, INFINITY, "beyond_%u", i);
}

/* How many pieces there are, and what they carry. */
static void piece_rows(ksda_i_level_model *m, uint32_t c) {
    const ksda_i_levels *l = m->l;
    const ksda_i_level_pieces *s = &m->pieces;
    ksda_i_model *p = &m->model;
    uint32_t pool = pool_begin(m, c);
    double more = s->of.most + 2.0;
    for (uint32_t i = l->start[c]; i < pool; i++) split_terms(m, i, -2, -1);
    split_terms(m, l->n + c, -2, -1);
    for (uint32_t t = m->low; t <= m->high; t++) ksda_i_model_term(p, s->at[ksda_i_level_place(m, c, t)], 1);
    ksda_i_model_term(p, s->low[c], 1);
    ksda_i_model_row(p, 0, 0, "pieces_%u", c);
    for (uint32_t i = l->start[c]; i < pool; i++) split_terms(m, i, -(l->degree[i] + 2.0), -more);
    if (pool < l->start[c + 1]) split_terms(m, l->n + c, -(l->degree[pool] + 2.0), -more);
    for (uint32_t t = m->low; t <= m->high; t++) ksda_i_model_term(p, s->at[ksda_i_level_place(m, c, t)], t);
    ksda_i_model_term(p, s->low[c], lowest_piece(m));
    ksda_i_model_term(p, s->ends[c], -1);
    ksda_i_model_row(p, -INFINITY, 0, "carry_%u", c);
}

void ksda_i_level_splits_rows(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    const ksda_i_level_pieces *s = &m->pieces;
    ksda_i_model *p = &m->model;
    for (uint32_t c = 0; c < l->count; c++) piece_rows(m, c);
    for (uint32_t j = 0; j < l->n + l->count; j++) split_terms(m, j, 1, 1);
    ksda_i_model_term(p, s->more, -1);
    ksda_i_model_row(p, s->of.least, s->of.least, "added");
    for (uint32_t c = 0; c < l->count; c++)
        ksda_i_model_term(p, s->ends[c], 1), ksda_i_model_term(p, s->pool_outer[c], -1);
    for (uint32_t i = 0; i < l->n; i++) ksda_i_model_term(p, s->to_pieces[i], -1);
    ksda_i_model_term(p, s->loose, -1);
    if (s->of.most > 1) ksda_i_model_term(p, s->between, -2);
    ksda_i_model_row(p, -INFINITY, 0, "ends");
}

/* --- cuts --------------------------------------------------------------------------------------------------------- */

static double value_of(const double *x, uint32_t column) {
    return column == KSDA_I_NO_COLUMN ? 0 : x[column];
}

/* How many edges to two pieces of position j of c position i can have: none unless they are neighbours or of one
 * community. */
static uint32_t edges_to(const ksda_i_level_model *m, uint32_t c, uint32_t i, uint32_t j) {
    const ksda_i_levels *l = m->l;
    if (i == j) return 0;
    if (ksda_graph_adjacent(l->graph, l->vertex[i], l->vertex[j])) return 1;
    return i >= l->start[c] && i < l->start[c + 1] ? 2 : 0;
}

/* And to pieces of c, as x has it; the pool counts whole. */
static double edges_into(const ksda_i_level_model *m, const double *x, uint32_t c, uint32_t i) {
    const ksda_i_level_pieces *s = &m->pieces;
    bool own = i >= m->l->start[c] && i < m->l->start[c + 1];
    uint32_t pool = m->l->n + c;
    double sum = (own ? 2 : 1) * value_of(x, s->split[pool]) + value_of(x, s->extra[pool]);
    for (uint32_t j = m->l->start[c]; j < pool_begin(m, c); j++) {
        double split = value_of(x, s->split[j]);
        if (split < 1e-9) continue;
        uint32_t most = edges_to(m, c, i, j);
        if (most) sum += most * split + value_of(x, s->extra[j]);
    }
    return sum;
}

/* Those who count by their edges to pieces stand in the row as they are; for the others who count[] it is what they
 * could have. */
static void ends_row(ksda_i_level_model *m, uint32_t c, const uint8_t *capped) {
    const ksda_i_levels *l = m->l;
    const ksda_i_level_pieces *s = &m->pieces;
    double pool[2] = {0, 0};
    for (uint32_t j = l->start[c]; j < pool_begin(m, c); j++) {
        double first = 0, more = 0;
        for (uint32_t i = 0; i < l->n; i++) {
            uint32_t most = capped[i] ? edges_to(m, c, i, j) : 0;
            first += most, more += most > 0;
        }
        split_terms(m, j, -first, -more);
    }
    for (uint32_t i = 0; i < l->n; i++) {
        if (capped[i])
            pool[0] += i >= l->start[c] && i < l->start[c + 1] ? 2 : 1, pool[1]++;
        else
            ksda_i_model_term(&m->model, s->to_pieces[i], -1);
    }
    split_terms(m, l->n + c, -pool[0], -pool[1]);
    ksda_i_model_term(&m->model, s->ends[c], 1);
    ksda_i_model_term(&m->model, s->loose, -1);
    if (s->of.most > 1) ksda_i_model_term(&m->model, s->between, -2);
    for (uint32_t other = 0; other < l->count; other++) ksda_i_model_term(&m->model, s->pool_outer[other], -1);
    ksda_i_model_row(&m->model, -INFINITY, 0, "ends_%u_%u", c, m->model.rows);
}

/* Ends at pieces of c: of each individual's edges to pieces no more than lead there. */
uint32_t ksda_i_level_splits_cuts(ksda_i_level_model *m, const double *x) {
    const ksda_i_levels *l = m->l;
    const ksda_i_level_pieces *s = &m->pieces;
    uint32_t added = 0;
    uint8_t *capped = ksda_i_calloc(l->ctx, l->n, sizeof *capped);
    if (!capped) m->model.status = KSDA_NOMEM;
    for (uint32_t c = 0; capped && c < l->count; c++) {
        double room = x[s->loose] + (s->of.most > 1 ? 2 * x[s->between] : 0);
        if (x[s->ends[c]] < VIOLATED) continue;
        for (uint32_t other = 0; other < l->count; other++) room += value_of(x, s->pool_outer[other]);
        for (uint32_t i = 0; i < l->n; i++) {
            double to = value_of(x, s->to_pieces[i]), most = to > 1e-9 ? edges_into(m, x, c, i) : 0;
            capped[i] = to > most + 1e-9;
            room += capped[i] ? most : to;
        }
        if (x[s->ends[c]] <= room + VIOLATED) continue;
        ends_row(m, c, capped);
        added++;
    }
    ksda_i_free(l->ctx, capped);
    return added;
}
