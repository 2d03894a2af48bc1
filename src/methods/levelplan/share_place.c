/* Who stands at which degree of a ladder, by a linear program: see share_ladder.h.
 *
 * People of one community who have equally many edges, and could gain equally many, are of one kind. Each kind is
 * divided between the degrees at which it can stand, in the fewest pieces, in the most, or as a whole that leaves
 * pieces of one edge; what there is of a community at a degree is at most its share, and a little less, as people are
 * rounded afterwards. The fewest splits are asked for. Memory is that of the program. */
#include "methods/levelplan/share_ladder.h"

#include "core/sort.h"
#include "lp/lp.h"

#include <math.h>

#define MARGIN 0.04         /* of the share, for rounding */
#define MOST_COLUMNS 12000u /* of the linear program */

typedef struct place_kind {
    uint32_t community, degree, slack, vertex;
} place_kind;

/* A kind at a level, or at degree 0 where that is levels. */
typedef struct place_column {
    uint32_t begin; /* the first of its kind */
    uint32_t level, parts, ones;
} place_column;

typedef struct place_program {
    ksda_i_ladder *s;
    place_kind *person;   /* [n] kind after kind */
    place_column *column; /* [columns] likewise */
    uint64_t columns, capacity;
    ksda_i_model model;
} place_program;

static int by_kind(const void *a, const void *b) {
    const place_kind *x = a, *y = b;
    if (x->community != y->community) return x->community < y->community ? -1 : 1;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    if (x->slack != y->slack) return x->slack < y->slack ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static ksda_status sort_kinds(place_program *p) {
    const ksda_i_plan_run *r = p->s->r;
    p->person = ksda_i_malloc(r->ctx, r->graph->n, sizeof *p->person);
    if (!p->person) return KSDA_NOMEM;
    for (uint32_t v = 0; v < r->graph->n; v++) {
        uint32_t slack = p->s->slack[v] < p->s->level[0] ? p->s->slack[v] : p->s->level[0];
        p->person[v] = (place_kind){r->communities->of[v], ksda_i_degree(r->graph, v), slack, v};
    }
    ksda_i_sort_by(p->person, r->graph->n, sizeof *p->person, by_kind);
    return KSDA_OK;
}

/* The one after the last of the kind that begins here. */
static uint32_t kind_end(const place_program *p, uint32_t begin) {
    const place_kind *x = &p->person[begin];
    uint32_t end = begin + 1;
    while (end < p->s->r->graph->n && p->person[end].community == x->community && p->person[end].degree == x->degree &&
           p->person[end].slack == x->slack)
        end++;
    return end;
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static ksda_status add_column(place_program *p, place_column x, double most) {
    ksda_status status = ksda_i_reserve(p->s->r->ctx, &p->column, &p->capacity, p->columns + 1, sizeof *p->column);
    if (status < 0) return status;
    p->column[p->columns++] = x;
    uint32_t pieces = x.parts + x.ones;
    ksda_i_model_column(&p->model, 0, most, pieces - 1, false, "x%u_%u_%u", x.begin, x.level, pieces);
    return KSDA_OK;
}

static ksda_status add_kind(place_program *p, uint32_t begin, uint32_t end) {
    const ksda_i_ladder *s = p->s;
    uint32_t v = p->person[begin].vertex, edges = p->person[begin].degree, count = end - begin;
    ksda_status status = KSDA_OK;
    if (edges == 0) status = add_column(p, (place_column){begin, s->levels, 1, 0}, count);
    for (uint32_t i = 0; i < s->levels && status >= 0; i++) {
        uint32_t fewest = ksda_i_ladder_fewest(s, v, s->level[i], edges),
                 spare = ksda_i_ladder_spare(s, v, s->level[i]),
                 most = ksda_i_ladder_most(s, v, s->level[i], edges, edges);
        if (fewest) status = add_column(p, (place_column){begin, i, fewest, 0}, count);
        if (fewest && most > fewest && status >= 0) status = add_column(p, (place_column){begin, i, most, 0}, count);
        if (fewest == 1 && spare && status >= 0) status = add_column(p, (place_column){begin, i, 1, spare}, count);
    }
    return status;
}

/* What the column has at the level. */
static uint32_t pieces_at(const place_program *p, uint64_t column, uint32_t level) {
    const place_column *x = &p->column[column];
    return (x->level == level ? x->parts : 0) + (level + 1 == p->s->levels ? x->ones : 0);
}

/* Everybody stands somewhere. */
static void write_kinds(place_program *p) {
    for (uint64_t j = 0; j < p->columns;) {
        uint32_t begin = p->column[j].begin;
        for (; j < p->columns && p->column[j].begin == begin; j++) ksda_i_model_term(&p->model, (uint32_t)j, 1);
        double count = kind_end(p, begin) - begin;
        ksda_i_model_row(&p->model, count, count, "kind_%u", begin);
    }
}

/* What is kept of the share for rounding: none at degree 0, where nobody is cut, and no more than half of what there is
 * to spare where all communities together hardly make up the whole. */
static double margin_at(const place_program *p, uint32_t level) {
    ksda_share share = p->s->r->options->max_share;
    double all = (double)share.numerator * p->s->r->communities->counted;
    return level < p->s->levels ? fmax(0, fmin(MARGIN, (1 - share.denominator / all) / 2)) : 0;
}

/* The level's pieces in all are one more column; no community has more than its share of them. */
static void write_level(place_program *p, uint32_t level) {
    const ksda_communities *c = p->s->r->communities;
    ksda_share share = p->s->r->options->max_share;
    uint32_t all = ksda_i_model_column(&p->model, 0, (double)p->s->r->graph->n + 2.0 * (double)p->s->r->graph->m, 0,
                                       false, "s%u", level);
    for (uint64_t j = 0; j < p->columns; j++)
        if (p->person[p->column[j].begin].community < c->counted && pieces_at(p, j, level))
            ksda_i_model_term(&p->model, (uint32_t)j, pieces_at(p, j, level));
    ksda_i_model_term(&p->model, all, -1);
    ksda_i_model_row(&p->model, 0, 0, "all_%u", level);
    for (uint64_t j = 0; j < p->columns;) {
        uint32_t i = p->person[p->column[j].begin].community;
        bool any = false;
        for (; j < p->columns && p->person[p->column[j].begin].community == i; j++)
            if (pieces_at(p, j, level))
                any = true,
                ksda_i_model_term(&p->model, (uint32_t)j, share.denominator * (double)pieces_at(p, j, level));
        if (!any || i >= c->counted) continue;
        ksda_i_model_term(&p->model, all, -(double)share.numerator * (1 - margin_at(p, level)));
        ksda_i_model_row(&p->model, -INFINITY, 0, "share_%u_%u", i, level);
    }
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

/* A kind's members are told where to stand, as many at each level as the program has, and what was rounded away before
 * of the same community. */
static void place_kind_members(place_program *p, uint32_t begin, uint64_t column, const double *x, double *rest) {
    uint32_t end = kind_end(p, begin), levels = p->s->levels, at = begin;
    double open[KSDA_I_LADDER_LEVELS + 1] = {0};
    bool can[KSDA_I_LADDER_LEVELS + 1] = {false};
    for (uint64_t j = column; j < p->columns && p->column[j].begin == begin; j++)
        open[p->column[j].level] += x[j], can[p->column[j].level] |= x[j] > 1e-6;
    for (uint32_t i = 0; i <= levels; i++)
        if (can[i]) open[i] += rest[i], rest[i] = 0;
    for (; at < end; at++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i <= levels; i++)
            if (can[i] && (!can[best] || open[i] > open[best])) best = i;
        p->s->place[p->person[at].vertex] = best, open[best] -= 1;
    }
    for (uint32_t i = 0; i <= levels; i++)
        if (can[i]) rest[i] = open[i];
}

static void read_places(place_program *p, const double *x) {
    double rest[KSDA_I_LADDER_LEVELS + 1] = {0};
    uint32_t community = UINT32_MAX;
    for (uint64_t j = 0; j < p->columns;) {
        uint32_t begin = p->column[j].begin;
        if (p->person[begin].community != community) memset(rest, 0, sizeof rest);
        community = p->person[begin].community;
        place_kind_members(p, begin, j, x, rest);
        while (j < p->columns && p->column[j].begin == begin) j++;
    }
    p->s->placed = true;
}

static ksda_status solve_places(place_program *p, const ksda_i_solver *solver) {
    ksda_i_lp *lp = NULL;
    ksda_i_lp_answer answer = {.x = NULL};
    ksda_status status = p->model.status < 0 ? p->model.status : ksda_i_lp_new(solver, &p->model, &lp);
    if (status >= 0) status = ksda_i_lp_solve(lp, INFINITY, &answer);
    if (status == KSDA_OK && answer.x) read_places(p, answer.x);
    ksda_i_lp_free(p->s->r->ctx, lp);
    return status == KSDA_LIMIT ? KSDA_OK : status;
}

ksda_status ksda_i_ladder_place(ksda_i_ladder *s) {
    const ksda_i_solver *solver = ksda_i_solver_default();
    place_program p = {.s = s};
    uint32_t n = s->r->graph->n, end;
    s->placed = false;
    if (!solver) return KSDA_OK;
    ksda_i_model_init(&p.model, s->r->ctx);
    ksda_status status = sort_kinds(&p);
    for (uint32_t i = 0; i < n && status >= 0; i = end) {
        end = kind_end(&p, i);
        uint64_t before = p.columns;
        status = add_kind(&p, i, end);
        if (p.columns == before || p.columns > MOST_COLUMNS) goto done; /* somebody can stand nowhere */
    }
    if (status >= 0) write_kinds(&p);
    for (uint32_t i = 0; i <= s->levels && status >= 0; i++) write_level(&p, i);
    if (status >= 0) status = solve_places(&p, solver);
done:
    ksda_i_model_clear(&p.model);
    ksda_i_free(s->r->ctx, p.person);
    ksda_i_free(s->r->ctx, p.column);
    return status;
}
