/* The best solution with the levels of a plan, every community by itself.
 *
 * Once it is decided which levels are open and which of them a community must use, the communities are independent, and
 * each is a small integer program with true adjacency: member i at one open level (z_it) or below the floor, every
 * level that must be used used, needs met by edges among the raised (e_ij) or to somebody low (a_i). The solver settles
 * it in a fraction of a second. Edges to low vertices are then dealt out (level_realize.c). */
#include "bound/colgen.h"
#include "exact/level_model.h"
#include "lp/solver.h"

#include <math.h>

#define BELOW 6u    /* members below the floor: absorbers that may be raised with profit */
#define SECONDS 2.0 /* for one community */

typedef struct part {
    const ksda_i_levels *l;
    uint32_t c, first, held, levels;
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

static void pair(part *p, uint32_t a, uint32_t b) {
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

static void need(part *p, uint32_t a) {
    ksda_i_model *m = &p->model;
    uint32_t low = ksda_i_model_column(m, 0, p->l->top, 1, false, "a_%u", a);
    ksda_i_model_term(m, low, 1);
    for (uint32_t b = 0; b < p->held; b++) ksda_i_model_term(m, p->edge[a * p->held + b], 1);
    raised(p, a, -1, true);
    ksda_i_model_row(m, 0, 0, "need_%u", a);
}

static void must_use(part *p, uint32_t q) {
    for (uint32_t a = 0; a < p->held; a++) ksda_i_model_term(&p->model, p->at[a * p->levels + q], 1);
    ksda_i_model_row(&p->model, 1, INFINITY, "use_%u", p->level[q]);
}

static ksda_status read_part(const part *p, const double *x, uint32_t *target, ksda_pair **pairs, uint64_t *count,
                             uint64_t *room) {
    for (uint32_t a = 0; a < p->held; a++) {
        for (uint32_t q = 0; q < p->levels; q++)
            if (p->at[a * p->levels + q] != KSDA_I_NO_COLUMN && x[p->at[a * p->levels + q]] > 0.5)
                target[p->first + a] = p->level[q];
        for (uint32_t b = a + 1; b < p->held; b++) {
            if (p->edge[a * p->held + b] == KSDA_I_NO_COLUMN || x[p->edge[a * p->held + b]] < 0.5) continue;
            ksda_status status = ksda_i_reserve(p->l->ctx, pairs, room, *count + 1, sizeof **pairs);
            if (status < 0) return status;
            (*pairs)[(*count)++] = (ksda_pair){p->first + a, p->first + b};
        }
    }
    return KSDA_OK;
}

/* Community c: its targets and edges, and what they cost; INFINITY when no solution was found. */
static ksda_status solve_part(const ksda_i_levels *l, uint32_t c, int64_t floor, uint32_t levels, const uint32_t *level,
                              const uint8_t *uses, double most, uint32_t *target, ksda_pair **pairs, uint64_t *count,
                              uint64_t *room, double *cost) {
    ksda_ctx *ctx = l->ctx;
    part p = {.l = l, .c = c, .first = l->start[c], .levels = levels, .level = level};
    ksda_i_solution found = {.x = NULL};
    ksda_i_solve_options o = {.cutoff = most, .seconds = SECONDS, .known_cost = NAN, .known_bound = 0};
    uint32_t size = l->start[c + 1] - l->start[c];
    ksda_status status = KSDA_NOMEM;
    *cost = INFINITY;
    while (p.held < size && (int64_t)l->degree[p.first + p.held] > floor) p.held++;
    p.held = p.held + BELOW < size ? p.held + BELOW : size;
    ksda_i_model_init(&p.model, ctx);
    p.model.timed = true;
    p.at = ksda_i_malloc(ctx, (uint64_t)p.held * levels, sizeof *p.at);
    p.edge = ksda_i_malloc(ctx, (uint64_t)p.held * p.held, sizeof *p.edge);
    if (!p.at || !p.edge) goto done;
    memset(p.at, 0xff, (uint64_t)p.held * levels * sizeof *p.at);
    memset(p.edge, 0xff, (uint64_t)p.held * p.held * sizeof *p.edge);
    for (uint32_t a = 0; a < p.held; a++) member(&p, a, floor);
    for (uint32_t a = 0; a < p.held; a++)
        for (uint32_t b = a + 1; b < p.held; b++) pair(&p, a, b);
    for (uint32_t a = 0; a < p.held; a++) need(&p, a);
    for (uint32_t q = 0; q < levels; q++)
        if (uses[c * levels + q]) must_use(&p, q);
    KSDA_I_TRY(p.model.status);
    KSDA_I_TRY(ksda_i_cbc_solve(&p.model, &o, &found));
    if (found.x) {
        *cost = round(ksda_i_model_objective(&p.model, found.x));
        status = read_part(&p, found.x, target, pairs, count, room);
    }
done:
    ksda_i_free(ctx, found.x), ksda_i_free(ctx, p.at), ksda_i_free(ctx, p.edge);
    ksda_i_model_clear(&p.model);
    return status;
}

ksda_status ksda_i_plan_realize_exactly(const ksda_i_levels *l, int64_t floor, uint32_t levels, const uint32_t *level,
                                        const uint8_t *uses, double cutoff, ksda_edits **out) {
    ksda_pair *pairs = NULL;
    uint64_t count = 0, room = 0;
    double left = cutoff;
    ksda_status status = KSDA_OK;
    uint32_t *target = ksda_i_malloc(l->ctx, l->n, sizeof *target);
    *out = NULL;
    if (!target) return KSDA_NOMEM;
    memset(target, 0xff, l->n * sizeof *target);
    for (uint32_t c = 0; c < l->count && left >= 0 && status == KSDA_OK; c++) {
        double cost;
        status = solve_part(l, c, floor, levels, level, uses, left, target, &pairs, &count, &room, &cost);
        left -= cost;
    }
    if (left >= 0 && status == KSDA_OK) status = ksda_i_targets_realize(l, target, pairs, count, out);
    ksda_i_free(l->ctx, target), ksda_i_free(l->ctx, pairs);
    return status;
}
