/* The best solution with the levels of a plan, every community by itself.
 *
 * Once it is decided which levels are open and which of them a community must use, the communities are independent, and
 * each is a small integer program with true adjacency: member i at one open level (z_it) or below the floor, every
 * level that must be used used, needs met by edges among the raised (e_ij) or to low vertices (a_i), of which there are
 * not always enough. The solver settles it in a fraction of a second. Edges to low vertices are then dealt out
 * (level_realize.c). */
#include "bound/colgen.h"
#include "exact/level_model.h"
#include "lp/solver.h"

#include <math.h>

#define BELOW 6u    /* members below the floor: absorbers that may be raised with profit */
#define SECONDS 2.0 /* for one community */

/* What is to be realized, and what there is of it so far. */
typedef struct job {
    const ksda_i_solver *solver;
    const ksda_i_levels *l;
    int64_t floor;
    uint32_t levels;
    const uint32_t *level; /* [levels] */
    const uint8_t *uses;   /* [communities * levels] */
    uint32_t *target;      /* [n] by position, or KSDA_NO_VERTEX */
    ksda_pair *pair;       /* edges among the raised, by position */
    uint64_t pairs, room;
} job;

/* One community. */
typedef struct part {
    const ksda_i_levels *l;
    uint32_t first, end, held, levels; /* members first .. end - 1; so many are held one by one */
    const uint32_t *level;
    ksda_i_model model;
    uint32_t *at;   /* [held * levels] */
    uint32_t *edge; /* [held * held] */
} part;

static void member(part *p, uint32_t a, int64_t floor) {
    const ksda_i_levels *l = p->l;
    ksda_i_model *m = &p->model;
    uint32_t i = p->first + a;
    for (uint32_t q = 0; q < p->levels; q++)
        if (p->level[q] >= l->degree[i] && p->level[q] <= l->max_degree[i])
            p->at[a * p->levels + q] = ksda_i_model_column(m, 0, 1, 0, true, "z_%u_%u", a, p->level[q]);
    for (uint32_t q = 0; q < p->levels; q++) ksda_i_model_term(m, p->at[a * p->levels + q], 1);
    ksda_i_model_row(m, (int64_t)l->degree[i] > floor ? 1 : 0, 1, "one_%u", a);
}

static void raised(part *p, uint32_t a, double factor, bool times_need) {
    for (uint32_t q = 0; q < p->levels && p->level[q] > p->l->degree[p->first + a]; q++)
        ksda_i_model_term(&p->model, p->at[a * p->levels + q],
                          factor * (times_need ? p->level[q] - p->l->degree[p->first + a] : 1));
}

static void pair_column(part *p, uint32_t a, uint32_t b) {
    const ksda_i_levels *l = p->l;
    ksda_i_model *m = &p->model;
    if (ksda_graph_adjacent(l->graph, l->vertex[p->first + a], l->vertex[p->first + b])) return;
    uint32_t e = ksda_i_model_column(m, 0, 1, 1, true, "e_%u_%u", a, b);
    p->edge[a * p->held + b] = p->edge[b * p->held + a] = e;
    ksda_i_model_term(m, e, 1), raised(p, a, -1, false);
    ksda_i_model_row(m, -INFINITY, 0, "pair_%u_%u", a, b);
    ksda_i_model_term(m, e, 1), raised(p, b, -1, false);
    ksda_i_model_row(m, -INFINITY, 0, "pair_%u_%u", b, a);
}

/* Edges from a to low vertices, as many as there are that it is not joined to: who is raised is low no longer. */
static uint32_t low_column(part *p, uint32_t a, int64_t floor) {
    const ksda_i_levels *l = p->l;
    uint32_t low = ksda_i_model_column(&p->model, 0, l->top, 1, false, "a_%u", a), places = 0;
    for (uint32_t b = 0; p->first + b < p->end; b++) {
        if ((int64_t)l->degree[p->first + b] > floor || b == a) continue;
        if (ksda_graph_adjacent(l->graph, l->vertex[p->first + a], l->vertex[p->first + b])) continue;
        if (b < p->held) raised(p, b, 1, false);
        places++;
    }
    ksda_i_model_term(&p->model, low, 1);
    ksda_i_model_row(&p->model, -INFINITY, places, "low_%u", a);
    return low;
}

static void need_row(part *p, uint32_t a, int64_t floor) {
    ksda_i_model *m = &p->model;
    uint32_t low = low_column(p, a, floor);
    ksda_i_model_term(m, low, 1);
    for (uint32_t b = 0; b < p->held; b++) ksda_i_model_term(m, p->edge[a * p->held + b], 1);
    raised(p, a, -1, true);
    ksda_i_model_row(m, 0, 0, "need_%u", a);
}

static void must_use(part *p, uint32_t q) {
    for (uint32_t a = 0; a < p->held; a++) ksda_i_model_term(&p->model, p->at[a * p->levels + q], 1);
    ksda_i_model_row(&p->model, 1, INFINITY, "use_%u", p->level[q]);
}

static ksda_status read_part(job *j, const part *p, const double *x) {
    for (uint32_t a = 0; a < p->held; a++) {
        for (uint32_t q = 0; q < p->levels; q++)
            if (p->at[a * p->levels + q] != KSDA_I_NO_COLUMN && x[p->at[a * p->levels + q]] > 0.5)
                j->target[p->first + a] = p->level[q];
        for (uint32_t b = a + 1; b < p->held; b++) {
            if (p->edge[a * p->held + b] == KSDA_I_NO_COLUMN || x[p->edge[a * p->held + b]] < 0.5) continue;
            ksda_status status = ksda_i_reserve(p->l->ctx, &j->pair, &j->room, j->pairs + 1, sizeof *j->pair);
            if (status < 0) return status;
            j->pair[j->pairs++] = (ksda_pair){p->first + a, p->first + b};
        }
    }
    return KSDA_OK;
}

/* Community c's integer program; p is to be cleared also after a failure. */
static ksda_status build_part(const job *j, uint32_t c, part *p) {
    const ksda_i_levels *l = j->l;
    uint32_t size = l->start[c + 1] - l->start[c];
    *p = (part){.l = l, .first = l->start[c], .end = l->start[c + 1], .levels = j->levels, .level = j->level};
    while (p->held < size && (int64_t)l->degree[p->first + p->held] > j->floor) p->held++;
    p->held = p->held + BELOW < size ? p->held + BELOW : size;
    ksda_i_model_init(&p->model, l->ctx);
    p->model.timed = true;
    p->at = ksda_i_malloc(l->ctx, (uint64_t)p->held * p->levels, sizeof *p->at);
    p->edge = ksda_i_malloc(l->ctx, (uint64_t)p->held * p->held, sizeof *p->edge);
    if (!p->at || !p->edge) return KSDA_NOMEM;
    memset(p->at, 0xff, (uint64_t)p->held * p->levels * sizeof *p->at);
    memset(p->edge, 0xff, (uint64_t)p->held * p->held * sizeof *p->edge);
    for (uint32_t a = 0; a < p->held; a++) member(p, a, j->floor);
    for (uint32_t a = 0; a < p->held; a++)
        for (uint32_t b = a + 1; b < p->held; b++) pair_column(p, a, b);
    for (uint32_t a = 0; a < p->held; a++) need_row(p, a, j->floor);
    for (uint32_t q = 0; q < p->levels; q++)
        if (j->uses[c * p->levels + q]) must_use(p, q);
    return p->model.status;
}

/* Community c: its targets and edges, and what they cost, `most` at most; INFINITY when no solution was found. */
static ksda_status solve_part(job *j, uint32_t c, double most, double *cost) {
    ksda_ctx *ctx = j->l->ctx;
    ksda_i_solution found = {.x = NULL};
    ksda_i_solve_options o = {.cutoff = most, .seconds = SECONDS, .known_cost = NAN, .known_bound = 0};
    part p;
    ksda_status status;
    *cost = INFINITY;
    KSDA_I_TRY(build_part(j, c, &p));
    KSDA_I_TRY(ksda_i_mip_solve(j->solver, &p.model, &o, &found));
    if (found.x) {
        *cost = round(ksda_i_model_objective(&p.model, found.x));
        status = read_part(j, &p, found.x);
    }
done:
    ksda_i_free(ctx, found.x), ksda_i_free(ctx, p.at), ksda_i_free(ctx, p.edge);
    ksda_i_model_clear(&p.model);
    return status;
}

ksda_status ksda_i_plan_realize_exactly(const ksda_i_solver *solver, const ksda_i_levels *l, int64_t floor,
                                        uint32_t levels, const uint32_t *level, const uint8_t *uses, double cutoff,
                                        ksda_edits **out) {
    job j = {.solver = solver, .l = l, .floor = floor, .levels = levels, .level = level, .uses = uses};
    double left = cutoff;
    ksda_status status = KSDA_OK;
    *out = NULL;
    j.target = ksda_i_malloc(l->ctx, l->n, sizeof *j.target);
    if (!j.target) return KSDA_NOMEM;
    memset(j.target, 0xff, l->n * sizeof *j.target);
    for (uint32_t c = 0; c < l->count && left >= 0 && status == KSDA_OK; c++) {
        double cost;
        status = solve_part(&j, c, left, &cost);
        left -= cost;
    }
    if (left >= 0 && status == KSDA_OK) status = ksda_i_targets_realize(l, j.target, j.pair, j.pairs, out);
    ksda_i_free(l->ctx, j.target), ksda_i_free(l->ctx, j.pair);
    return status;
}
