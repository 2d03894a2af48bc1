/* The relaxation behind the fast exact method: who ends at which level, and which edges that takes.
 *
 * Low degrees occur in every community and are rarely the problem; the few large ones are. So only levels above a
 * `floor` are required to have k communities, and only vertices with a degree above a community's `share` are held one
 * by one. y_t, theta_ct  level t is open; community c has a vertex there z_it           individual i ends at level t >
 * floor stays_i        individual i ends at or below the floor, where it may take up to floor - degree edges alpha_ij
 * edge between two individuals      a_i  edges from i to the pool, who take them for free x_ct           how many of
 * c's pool end at level t; each takes at least t - (the pool's largest degree) edges, of which at most one comes from
 * each individual and at most one from each other one so raised min sum alpha + sum a + q,  sum_j alpha_ij + a_i =
 * takes_i + sum_t (t - d_i) z_it,  z_it <= theta_ct <= y_t, theta_ct <= sum_i z_it + x_ct,  k y_t <= sum_c theta_ct.
 * Every solution of the real problem gives one of this at the same cost, so its optimum is a lower bound; with floor
 * and share -1 nothing is left out and the two problems are the same. */
#include "exact/level_model.h"

#include <math.h>

static uint64_t place_of(const ksda_i_level_model *m, uint32_t c, uint32_t t) {
    return ksda_i_level_place(m, c, t);
}

#define MOST_CELLS (UINT64_C(1) << 27) /* of a table; a program so large is not solved by anybody */

/* --- memory ------------------------------------------------------------------------------------------------------- */

static ksda_status allocate(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    ksda_ctx *ctx = l->ctx;
    uint64_t cells = (uint64_t)l->count * (m->high + 1), pairs = 0;
    m->edge_start = ksda_i_malloc(ctx, (uint64_t)l->count + 1, sizeof *m->edge_start);
    if (!m->edge_start) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->count; c++) {
        m->edge_start[c] = pairs;
        pairs += (uint64_t)m->held[c] * m->held[c];
    }
    m->edge_start[l->count] = pairs;
    if (pairs > MOST_CELLS || cells > MOST_CELLS) return KSDA_LIMIT;
    m->open = ksda_i_malloc(ctx, (uint64_t)m->high + 1, sizeof *m->open);
    m->has = ksda_i_malloc(ctx, cells, sizeof *m->has);
    m->at = ksda_i_calloc(ctx, l->n, sizeof *m->at);
    m->stays = ksda_i_malloc(ctx, l->n, sizeof *m->stays);
    m->takes = ksda_i_malloc(ctx, l->n, sizeof *m->takes);
    m->edge = ksda_i_malloc(ctx, pairs, sizeof *m->edge);
    m->pool_edges = ksda_i_malloc(ctx, l->n, sizeof *m->pool_edges);
    m->pool_raised = ksda_i_malloc(ctx, l->count, sizeof *m->pool_raised);
    m->pool_inner = ksda_i_malloc(ctx, l->count, sizeof *m->pool_inner);
    m->pool_at = ksda_i_malloc(ctx, cells, sizeof *m->pool_at);
    if (!m->open || !m->has || !m->at || !m->stays || !m->takes || !m->edge || !m->pool_edges || !m->pool_raised ||
        !m->pool_inner || !m->pool_at)
        return KSDA_NOMEM;
    memset(m->open, 0xff, ((size_t)m->high + 1) * sizeof *m->open);
    memset(m->has, 0xff, cells * sizeof *m->has);
    memset(m->stays, 0xff, l->n * sizeof *m->stays);
    memset(m->takes, 0xff, l->n * sizeof *m->takes);
    memset(m->edge, 0xff, pairs * sizeof *m->edge);
    memset(m->pool_edges, 0xff, l->n * sizeof *m->pool_edges);
    memset(m->pool_raised, 0xff, l->count * sizeof *m->pool_raised);
    memset(m->pool_inner, 0xff, l->count * sizeof *m->pool_inner);
    memset(m->pool_at, 0xff, cells * sizeof *m->pool_at);
    return ksda_i_level_may_split(m) ? ksda_i_level_splits_open(m) : KSDA_OK;
}

void ksda_i_level_model_clear(ksda_i_level_model *m) {
    ksda_ctx *ctx = m->l ? m->l->ctx : NULL;
    if (!ctx) return;
    for (uint32_t i = 0; m->at && i < m->l->n; i++) ksda_i_free(ctx, m->at[i]);
    ksda_i_free(ctx, m->share), ksda_i_free(ctx, m->held), ksda_i_free(ctx, m->open), ksda_i_free(ctx, m->has);
    ksda_i_free(ctx, m->at), ksda_i_free(ctx, m->stays), ksda_i_free(ctx, m->takes), ksda_i_free(ctx, m->edge);
    ksda_i_free(ctx, m->edge_start), ksda_i_free(ctx, m->pool_edges), ksda_i_free(ctx, m->pool_raised);
    ksda_i_free(ctx, m->pool_inner), ksda_i_free(ctx, m->pool_at);
    ksda_i_level_splits_clear(m);
    ksda_i_model_clear(&m->model);
    memset(m, 0, sizeof *m);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

static bool occurs(const ksda_i_ranks *ranks, uint32_t t) {
    uint32_t low = 0, high = ranks->levels; /* descending: the first that is not above t */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranks->level[middle] > t)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ranks->levels && ranks->level[low] == t && ksda_i_ranks_occurs(ranks, low);
}

/* May level t be open? With splits, and somebody left out, only degrees that occur are. raise [k] is scratch. */
static bool may_open(const ksda_i_level_model *m, uint32_t t, uint32_t *raise) {
    if (!ksda_i_level_may_split(m)) return m->l->opening[t] != UINT64_MAX && (double)m->l->opening[t] <= m->cutoff;
    return (m->pieces.every_level || occurs(m->l->ranks, t)) && ksda_i_level_splits_may_open(m, t, raise);
}

/* The highest level of a community. */
static uint32_t highest_of(const ksda_i_levels *l, uint32_t c) {
    uint32_t highest = 0;
    for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
        if (l->max_degree[i] > highest) highest = l->max_degree[i];
    return highest;
}

/* Where k is large a single level takes a while to look at. */
static bool may_go_on(ksda_i_level_model *m) {
    if (m->model.status == KSDA_OK) m->model.status = ksda_i_interrupted(m->l->ctx);
    if (m->model.status == KSDA_OK && ksda_i_time_left(m->l->ctx) <= 0) m->model.status = KSDA_LIMIT;
    return m->model.status == KSDA_OK;
}

static void level_columns(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    uint32_t *raise = ksda_i_malloc(l->ctx, l->k, sizeof *raise);
    if (!raise) m->model.status = KSDA_NOMEM;
    for (uint32_t t = m->low; raise && t <= m->high && may_go_on(m); t++)
        if (may_open(m, t, raise)) m->open[t] = ksda_i_model_column(&m->model, 0, 1, 0, true, "y_%u", t);
    ksda_i_free(l->ctx, raise);
    for (uint32_t c = 0; c < l->count; c++) {
        uint32_t highest = highest_of(l, c);
        for (uint32_t t = m->low; t <= m->high && t <= highest; t++)
            if (m->open[t] != KSDA_I_NO_COLUMN && (ksda_i_level_may_split(m) || ksda_i_least(l, c, t) <= m->cutoff))
                m->has[place_of(m, c, t)] = ksda_i_model_column(&m->model, 0, 1, 0, true, "h_%u_%u", c, t);
    }
}

/* Can position i of c go to level t within the cutoff? */
static bool affordable(const ksda_i_level_model *m, uint32_t c, uint32_t i, uint32_t t) {
    if (ksda_i_level_may_split(m)) return (double)t - m->l->degree[i] <= m->cutoff;
    return ksda_i_affordable(m->l, m->cutoff, c, i, t);
}

static uint32_t split_column(const ksda_i_level_model *m, uint32_t i) {
    return ksda_i_level_may_split(m) ? m->pieces.split[i] : KSDA_I_NO_COLUMN;
}

static void level_rows(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    for (uint32_t t = m->low; t <= m->high; t++) {
        if (m->open[t] == KSDA_I_NO_COLUMN) continue;
        ksda_i_model_term(&m->model, m->open[t], l->k);
        for (uint32_t c = 0; c < l->count; c++) ksda_i_model_term(&m->model, m->has[place_of(m, c, t)], -1);
        ksda_i_model_row(&m->model, -INFINITY, 0, "k_%u", t);
    }
}

/* --- individuals -------------------------------------------------------------------------------------------------- */

static void individual_rows(ksda_i_level_model *m, uint32_t c, uint32_t i) {
    ksda_i_model *p = &m->model;
    ksda_i_model_term(p, m->stays[i], 1);
    ksda_i_model_term(p, split_column(m, i), 1);
    for (uint32_t t = m->low; t <= m->high; t++) ksda_i_model_term(p, ksda_i_ends(m, i, t), 1);
    ksda_i_model_row(p, 1, 1, "one_%u", i);
    for (uint32_t t = m->low; t <= m->high; t++) {
        if (ksda_i_ends(m, i, t) == KSDA_I_NO_COLUMN) continue;
        ksda_i_model_term(p, ksda_i_ends(m, i, t), 1), ksda_i_model_term(p, m->has[place_of(m, c, t)], -1);
        ksda_i_model_row(p, -INFINITY, 0, "has_%u_%u", i, t);
    }
}

static ksda_status individual(ksda_i_level_model *m, uint32_t c, uint32_t i) {
    const ksda_i_levels *l = m->l;
    ksda_i_model *p = &m->model;
    uint32_t d = l->degree[i], room = l->max_degree[i] - d, width = m->high + 1 - m->low, *at;
    bool nowhere = d > m->floor && split_column(m, i) == KSDA_I_NO_COLUMN;
    at = m->at[i] = ksda_i_malloc(l->ctx, width, sizeof *at);
    if (!at) return KSDA_NOMEM;
    memset(at, 0xff, width * sizeof *at);
    for (uint32_t t = d > m->low ? d : m->low; t <= l->max_degree[i] && t <= m->high; t++) {
        if (m->has[place_of(m, c, t)] == KSDA_I_NO_COLUMN || !affordable(m, c, i, t)) continue;
        at[t - m->low] = ksda_i_model_column(p, 0, 1, 0, true, "z_%u_%u", i, t);
        nowhere = false;
    }
    if (nowhere) m->impossible = true;
    if (d <= m->floor) {
        uint32_t most = (uint32_t)(m->floor - d) < room ? (uint32_t)(m->floor - d) : room;
        m->stays[i] = ksda_i_model_column(p, 0, 1, 0, true, "s_%u", i);
        if (most) {
            m->takes[i] = ksda_i_model_column(p, 0, most, 0, false, "w_%u", i);
            ksda_i_model_term(p, m->takes[i], 1), ksda_i_model_term(p, m->stays[i], -(double)most);
            ksda_i_model_row(p, -INFINITY, 0, "w_%u", i);
        }
    }
    individual_rows(m, c, i);
    return KSDA_OK;
}

static void edge_columns(ksda_i_level_model *m, uint32_t c) {
    const ksda_i_levels *l = m->l;
    uint32_t first = l->start[c], held = m->held[c];
    for (uint32_t a = 0; a < held; a++)
        for (uint32_t b = a + 1; b < held; b++) {
            if (ksda_graph_adjacent(l->graph, l->vertex[first + a], l->vertex[first + b])) continue;
            uint32_t column = ksda_i_model_column(&m->model, 0, 1, 1, true, "e_%u_%u", first + a, first + b);
            m->edge[m->edge_start[c] + (uint64_t)a * held + b] = column;
            m->edge[m->edge_start[c] + (uint64_t)b * held + a] = column;
        }
    for (uint32_t a = 0; a < held; a++) {
        uint32_t most = 0;
        for (uint32_t i = first + held; i < l->start[c + 1]; i++)
            if (!ksda_graph_adjacent(l->graph, l->vertex[first + a], l->vertex[i])) most++;
        if (ksda_i_level_may_split(m) && !m->pieces.every_level)
            most = (uint32_t)m->cutoff; /* others may have become low, too */
        if (most) m->pool_edges[first + a] = ksda_i_model_column(&m->model, 0, most, 1, true, "a_%u", first + a);
    }
}

static void need_rows(ksda_i_level_model *m, uint32_t c) {
    const ksda_i_levels *l = m->l;
    ksda_i_model *p = &m->model;
    for (uint32_t a = 0; a < m->held[c]; a++) {
        uint32_t i = l->start[c] + a;
        for (uint32_t t = m->low; t <= m->high; t++)
            if (t > l->degree[i]) ksda_i_model_term(p, ksda_i_ends(m, i, t), (double)t - l->degree[i]);
        ksda_i_model_term(p, m->takes[i], 1);
        for (uint32_t b = 0; b < m->held[c]; b++) ksda_i_model_term(p, ksda_i_pair_column(m, c, a, b), -1);
        ksda_i_model_term(p, m->pool_edges[i], -1);
        if (ksda_i_level_may_split(m)) ksda_i_model_term(p, m->pieces.to_pieces[i], -1);
        ksda_i_model_row(p, 0, 0, "need_%u", i);
    }
}

/* --- the pool ----------------------------------------------------------------------------------------------------- */

static void add_pool(ksda_i_level_model *m, uint32_t c) {
    const ksda_i_levels *l = m->l;
    ksda_i_model *p = &m->model;
    uint32_t first = l->start[c] + m->held[c], size = l->start[c + 1] - first, best, most = 0;
    if (size == 0) return;
    best = l->degree[first];
    for (uint32_t i = first; i < l->start[c + 1]; i++)
        if (l->max_degree[i] > most) most = l->max_degree[i];
    for (uint32_t t = m->low; t <= m->high && t <= most; t++)
        if (m->has[place_of(m, c, t)] != KSDA_I_NO_COLUMN && affordable(m, c, first, t))
            m->pool_at[place_of(m, c, t)] = ksda_i_model_column(p, 0, size, 0, true, "x_%u_%u", c, t);
    uint32_t raised = m->pool_raised[c] = ksda_i_model_column(p, 0, size, 0, false, "r_%u", c);
    double together = fmin(size, floor(2 * m->cutoff / (double)(m->floor + 1 - (int64_t)best)));
    uint32_t inner = m->pool_inner[c] = ksda_i_model_column(p, 0, m->cutoff, 1, false, "q_%u", c);
    uint32_t outer = ksda_i_model_column(p, 0, m->cutoff, 1, false, "o_%u", c);
    if (ksda_i_level_may_split(m)) m->pieces.pool_outer[c] = outer;
    for (uint32_t t = m->low; t <= m->high; t++) ksda_i_model_term(p, m->pool_at[place_of(m, c, t)], 1);
    ksda_i_model_term(p, raised, -1);
    ksda_i_model_row(p, 0, 0, "raised_%u", c);
    uint32_t *shared = ksda_i_malloc(l->ctx, (uint64_t)m->held[c] + 1, sizeof *shared);
    if (!shared) {
        p->status = KSDA_NOMEM;
        return;
    }
    for (uint32_t a = 0; a < m->held[c]; a++) {
        uint32_t edges = m->pool_edges[l->start[c] + a];
        shared[a] = KSDA_I_NO_COLUMN;
        if (edges == KSDA_I_NO_COLUMN) continue;
        shared[a] = ksda_i_model_column(p, 0, p->upper[edges], 0, false, "b_%u", l->start[c] + a);
        ksda_i_model_term(p, shared[a], 1), ksda_i_model_term(p, edges, -1);
        ksda_i_model_row(p, -INFINITY, 0, "b_%u", l->start[c] + a);
        ksda_i_model_term(p, shared[a], 1), ksda_i_model_term(p, raised, -1);
        ksda_i_model_row(p, -INFINITY, 0, "each_%u", l->start[c] + a);
    }
    for (uint32_t t = m->low; t <= m->high; t++) ksda_i_model_term(p, m->pool_at[place_of(m, c, t)], (double)t - best);
    for (uint32_t a = 0; a < m->held[c]; a++) ksda_i_model_term(p, shared[a], -1);
    ksda_i_model_term(p, inner, -2), ksda_i_model_term(p, outer, -1);
    ksda_i_model_row(p, -INFINITY, 0, "pool_%u", c);
    ksda_i_model_term(p, inner, 2), ksda_i_model_term(p, raised, -fmax(0, together - 1));
    ksda_i_model_row(p, -INFINITY, 0, "inner_%u", c);
    ksda_i_free(l->ctx, shared);
}

static void cover_rows(ksda_i_level_model *m, uint32_t c) {
    const ksda_i_levels *l = m->l;
    ksda_i_model *p = &m->model;
    for (uint32_t t = m->low; t <= m->high; t++) {
        uint32_t has = m->has[place_of(m, c, t)], raised = m->pool_at[place_of(m, c, t)];
        if (has == KSDA_I_NO_COLUMN) continue;
        ksda_i_model_term(p, has, 1);
        for (uint32_t i = l->start[c]; i < l->start[c] + m->held[c]; i++)
            ksda_i_model_term(p, ksda_i_ends(m, i, t), -1);
        ksda_i_model_term(p, raised, -1);
        if (ksda_i_level_may_split(m)) ksda_i_model_term(p, m->pieces.at[place_of(m, c, t)], -1);
        ksda_i_model_row(p, -INFINITY, 0, "from_%u_%u", c, t);
        ksda_i_model_term(p, has, 1), ksda_i_model_term(p, m->open[t], -1);
        ksda_i_model_row(p, -INFINITY, 0, "open_%u_%u", c, t);
        if (raised == KSDA_I_NO_COLUMN) continue;
        ksda_i_model_term(p, raised, 1), ksda_i_model_term(p, has, -p->upper[raised]);
        ksda_i_model_row(p, -INFINITY, 0, "pool_%u_%u", c, t);
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static ksda_status build_model(ksda_i_level_model *m) {
    const ksda_i_levels *l = m->l;
    level_columns(m);
    if (m->model.status != KSDA_OK) return m->model.status;
    if (ksda_i_level_may_split(m)) ksda_i_level_splits_columns(m);
    for (uint32_t c = 0; c < l->count; c++) {
        for (uint32_t a = 0; a < m->held[c]; a++) {
            ksda_status status = individual(m, c, l->start[c] + a);
            if (status < 0 || m->model.status != KSDA_OK) return status < 0 ? status : m->model.status;
            if (ksda_i_level_may_split(m)) ksda_i_level_splits_individual(m, c, l->start[c] + a);
        }
        edge_columns(m, c);
        need_rows(m, c);
        add_pool(m, c);
        cover_rows(m, c);
    }
    level_rows(m);
    if (ksda_i_level_may_split(m)) ksda_i_level_splits_rows(m);
    return m->model.status;
}

ksda_status ksda_i_level_model_make(const ksda_i_levels *l, int64_t floor, const int64_t *share, double cutoff,
                                    const ksda_i_colgen_splits *splits, ksda_i_level_model *m) {
    memset(m, 0, sizeof *m);
    if (splits) m->pieces.of = *splits;
    m->l = l, m->floor = floor, m->cutoff = cutoff, m->low = (uint32_t)(floor + 1), m->high = m->low;
    ksda_i_model_init(&m->model, l->ctx);
    m->model.timed = true;
    m->share = ksda_i_malloc(l->ctx, l->count, sizeof *m->share);
    m->held = ksda_i_calloc(l->ctx, l->count, sizeof *m->held);
    ksda_status status = m->share && m->held ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t t = m->low; t <= l->top; t++)
        if (l->opening[t] != UINT64_MAX && (double)l->opening[t] <= cutoff) m->high = t;
    if (m->high > l->top) m->high = l->top < m->low ? m->low : l->top;
    if (splits) m->pieces.every_level = ksda_i_level_splits_every_level(l, floor);
    if (m->pieces.every_level) m->high += splits->most;
    for (uint32_t c = 0; status == KSDA_OK && c < l->count; c++) {
        m->share[c] = share[c];
        while (m->held[c] < l->start[c + 1] - l->start[c] && l->degree[l->start[c] + m->held[c]] > share[c])
            m->held[c]++;
    }
    if (status == KSDA_OK) status = allocate(m);
    if (status == KSDA_OK) status = build_model(m);
    if (status != KSDA_OK) ksda_i_level_model_clear(m);
    return status;
}
