/* Rows added to the relaxation once a fractional solution breaks them.
 *
 * Prefix: an individual i that ends at t has t - d_i new edges, so to any set W of others at most min(|W|, t - d_i):
 * sum_{j in W} alpha_ij <= sum_t min(|W|, t - d_i) z_it. Without it a vertex raised by 40 with weight 1/40 passes for a
 * whole edge. The worst W of each size are the j with the largest alpha_ij, so separation is a sort.
 * Dominance (levels.c): where i dominates j, the weight of j at or above any level is at most that of i. */
#include "exact/level_model.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

#define VIOLATED 0.01
#define UNORDERED 0.05 /* dominance rows are long: only those that matter */

static double value_of(const double *x, uint32_t column) {
    return column == KSDA_I_NO_COLUMN ? 0 : x[column];
}

/* How many new edges i has at least room for when it ends at t, and when it stays low. */
static double edges_at_level(const ksda_i_level_model *m, uint32_t i, uint32_t t, uint32_t size) {
    return fmin(size, (double)t - m->l->degree[i]);
}
static double low_step(const ksda_i_level_model *m, uint32_t i, uint32_t size) {
    return m->takes[i] == KSDA_I_NO_COLUMN ? 0 : fmin(size, m->model.upper[m->takes[i]]);
}

/* capacity[b - 1] = most new edges of i to any b others, by the weights in x; for b = 1 .. sizes. */
static void fill_capacities(const ksda_i_level_model *m, const double *x, uint32_t i, uint32_t sizes,
                            double *capacity) {
    uint32_t d = m->l->degree[i];
    for (uint32_t b = 0; b < sizes; b++) capacity[b] = value_of(x, m->stays[i]) * low_step(m, i, b + 1);
    for (uint32_t t = d + 1 > m->low ? d + 1 : m->low; t <= m->high; t++) {
        double share = value_of(x, ksda_i_ends(m, i, t));
        if (share < 1e-9) continue;
        for (uint32_t b = 0; b < sizes; b++) capacity[b] += share * edges_at_level(m, i, t, b + 1);
    }
}

static void prefix_row(ksda_i_level_model *m, uint32_t i, const ksda_i_column_value *w, uint32_t size) {
    ksda_i_model *p = &m->model;
    uint32_t d = m->l->degree[i];
    for (uint32_t q = 0; q < size; q++) ksda_i_model_term(p, w[q].column, 1);
    if (low_step(m, i, size) > 0) ksda_i_model_term(p, m->stays[i], -low_step(m, i, size));
    for (uint32_t t = d + 1 > m->low ? d + 1 : m->low; t <= m->high; t++)
        ksda_i_model_term(p, ksda_i_ends(m, i, t), -edges_at_level(m, i, t, size));
    ksda_i_model_row(p, -INFINITY, 0, "prefix_%u_%u", i, p->rows);
}

static uint32_t prefix(ksda_i_level_model *m, const double *x, uint32_t c, uint32_t a, ksda_i_column_value *w,
                       double *capacity) {
    uint32_t i = m->l->start[c] + a, count = 0, best = 0;
    double worst = VIOLATED, sum = 0;
    for (uint32_t b = 0; b < m->held[c]; b++) {
        uint32_t column = ksda_i_pair_column(m, c, a, b);
        if (column != KSDA_I_NO_COLUMN && x[column] > 1e-7) w[count++] = (ksda_i_column_value){x[column], column};
    }
    ksda_i_sort_by(w, count, sizeof *w, ksda_i_column_values_descending);
    fill_capacities(m, x, i, count, capacity);
    for (uint32_t size = 1; size <= count; size++) {
        sum += w[size - 1].value;
        if (sum - capacity[size - 1] > worst) worst = sum - capacity[size - 1], best = size;
    }
    if (best) prefix_row(m, i, w, best);
    return best > 0;
}

/* tail[t - low] = weight of position i at or above t. */
static void fill_tails(const ksda_i_level_model *m, const double *x, uint32_t i, double *tail) {
    double sum = 0;
    for (uint32_t t = m->high + 1; t-- > m->low;) tail[t - m->low] = sum += value_of(x, ksda_i_ends(m, i, t));
}

static uint32_t dominance(ksda_i_level_model *m, const double *x, uint32_t c, double *tail) {
    const ksda_i_levels *l = m->l;
    uint32_t width = m->high + 1 - m->low, first = l->start[c], added = 0;
    for (uint32_t a = 0; a < m->held[c]; a++) fill_tails(m, x, first + a, tail + (uint64_t)a * width);
    for (uint32_t b = 1; b < m->held[c]; b++) {
        double worst = UNORDERED;
        uint32_t who = 0, level = 0;
        for (uint32_t a = 0; a < b; a++) {
            if (!ksda_i_dominates(l, first + a, first + b)) continue;
            for (uint32_t t = 0; t < width; t++) {
                double excess = tail[(uint64_t)b * width + t] - tail[(uint64_t)a * width + t];
                if (excess > worst) worst = excess, who = a, level = t;
            }
        }
        if (worst <= UNORDERED) continue;
        for (uint32_t t = level; t < width; t++) {
            ksda_i_model_term(&m->model, m->at[first + b][t], 1);
            ksda_i_model_term(&m->model, m->at[first + who][t], -1);
        }
        ksda_i_model_row(&m->model, -INFINITY, 0, "order_%u_%u", first + b, m->model.rows);
        added++;
    }
    return added;
}

uint32_t ksda_i_level_cuts(ksda_i_level_model *m, const double *x, bool order) {
    uint32_t most = 1, added = ksda_i_level_may_split(m) ? ksda_i_level_splits_cuts(m, x) : 0;
    for (uint32_t c = 0; c < m->l->count; c++)
        if (m->held[c] > most) most = m->held[c];
    ksda_i_column_value *w = ksda_i_malloc(m->l->ctx, most, sizeof *w);
    double *work = ksda_i_malloc(m->l->ctx, (uint64_t)most * (m->high + 2 - m->low), sizeof *work);
    if (w && work)
        for (uint32_t c = 0; c < m->l->count; c++) {
            for (uint32_t a = 0; a < m->held[c]; a++) added += prefix(m, x, c, a, w, work);
            if (order && !ksda_i_level_may_split(m)) added += dominance(m, x, c, work);
        }
    else
        m->model.status = KSDA_NOMEM;
    ksda_i_free(m->l->ctx, w), ksda_i_free(m->l->ctx, work);
    return added;
}
