/* The exact optimum with Splitting Vertex for networks of some hundred vertices.
 *
 * Formulation 2 has a column for every pair of candidate pieces, which is hopeless beyond a dozen vertices. But who
 * carries which edge hardly matters; what matters is how many pieces of a vertex stand at each degree. So first a
 * relaxation m_ut  pieces of u that end at degree t      L_u  links between them, at most p(p-1)/2 for p pieces A_uv
 * edges added between u and v of one community, not adjacent      X_uv  further representatives of edge (u,v) sum_t t
 * m_ut = |E_u| + 2 L_u + sum_v A_uv + sum_v X_uv;   every degree used occurs in k communities min omega sum_u (sum_t
 * m_ut - 1) + sum A + sum X is solved; every solution of the real problem gives one of this at the same cost. Then
 * formulation 2, with exactly these pieces at exactly these degrees, finds who carries what. If it does, the
 * relaxation's optimum is the optimum. Where a split costs more than all edges together, the number of splits is
 * minimized first and the edges after it. */
#include "bound/certificate.h"

#include "core/sort.h"
#include "exact/exact.h"
#include "exact/formulation.h"
#include "lp/solver.h"
#include "methods/methods.h"

#include <ksda/anonymize.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE                                                                                                          \
    2000 /* vertices from which the relaxation is not even built: only the heuristics' best and a simple bound */
#define SMALL                                                                                                          \
    4000 /* columns up to which all of formulation 2 is solved when the relaxation's optimum cannot be realized */

typedef struct split_search {
    ksda_ctx *ctx;
    const ksda_i_solver *solver;
    const ksda_graph *g;
    const ksda_communities *c;
    uint32_t k;
    double omega;
    ksda_edits *best;
    double cost, bound;
    uint32_t *most; /* [n] pieces at most */
    /* the relaxation */
    ksda_i_model model;
    uint32_t *first;  /* [n] m_u0; m_ut is first + t */
    uint32_t *split;  /* [n] 1 when u is split; KSDA_I_NO_COLUMN when it cannot be */
    uint32_t *pieces; /* [n] number of pieces beyond the first */
    uint32_t *links;  /* [n] */
    uint32_t *theta;  /* [communities * (n + 1)] */
    uint32_t *pair;   /* [n * n] A_uv or X_uv, symmetric, or KSDA_I_NO_COLUMN */
    uint32_t top;     /* degrees 0 .. top */
    double least;     /* splits at least; with `counted` exactly so many in every cheapest solution */
    bool counted;
    char trouble[96]; /* why the solver had no answer; mostly empty */
} split_search;

static double cost_of(const split_search *s, const ksda_edits *e) {
    return (double)ksda_edits_added(e, NULL) + s->omega * (double)(ksda_edits_pieces(e) - s->g->n);
}

static void offer_release(split_search *s, ksda_edits *edits) {
    if (edits && cost_of(s, edits) < s->cost) {
        ksda_edits_free(s->ctx, s->best);
        s->best = edits, s->cost = cost_of(s, edits);
    } else
        ksda_edits_free(s->ctx, edits);
}

/* level-plan's, which is never dearer than one of the paper's heuristics: it asks them all. */
static ksda_status first_solution(split_search *s) {
    ksda_anonymize_options o;
    ksda_anonymize_result r = {.lower_bound = NAN};
    ksda_edits *edits = NULL;
    ksda_anonymize_options_init(&o);
    o.k = s->k, o.split_weight = s->omega;
    ksda_status status = ksda_i_level_plan(s->ctx, s->g, s->c, &o, &edits, &r);
    if (status >= 0) offer_release(s, edits);
    return status < 0 && !ksda_i_found_none(status) ? status : KSDA_OK;
}

/* --- the relaxation ----------------------------------------------------------------------------------------------- */

static void vertex_columns(split_search *s, uint32_t u) {
    ksda_i_model *m = &s->model;
    uint32_t d = ksda_i_degree(s->g, u), most = s->most[u];
    s->first[u] = m->columns;
    for (uint32_t t = 0; t <= s->top; t++) {
        bool can = t == 0 ? d == 0 : most > 1 || t >= d;
        ksda_i_model_column(m, 0, can ? most : 0, 0, true, "m_%u_%u", u, t);
    }
    s->split[u] = s->links[u] = s->pieces[u] = KSDA_I_NO_COLUMN;
    if (most == 1) return;
    s->pieces[u] = ksda_i_model_column(m, 0, most - 1, s->omega, true, "n_%u", u);
    s->split[u] = ksda_i_model_column(m, 0, 1, 0, true, "s_%u", u);
    s->links[u] = ksda_i_model_column(m, 0, (double)most * (most - 1) / 2, 0, true, "l_%u", u);
}

static void pair_columns(split_search *s) {
    const ksda_graph *g = s->g;
    for (uint32_t u = 0; u < g->n && s->model.status == KSDA_OK; u++)
        for (uint32_t v = u + 1; v < g->n; v++) {
            bool adjacent = ksda_i_graph_position(g, u, v) != UINT64_MAX;
            double most = (double)s->most[u] * s->most[v] - adjacent;
            if ((!adjacent && s->c->of[u] != s->c->of[v]) || most < 1) continue;
            uint32_t column = ksda_i_model_column(&s->model, 0, most, 1, true, adjacent ? "x_%u_%u" : "a_%u_%u", u, v);
            s->pair[(uint64_t)u * g->n + v] = s->pair[(uint64_t)v * g->n + u] = column;
            if (most + adjacent == 1) continue; /* neither can be split: the bound says it all */
            ksda_i_model_term(&s->model, column, 1);
            if (s->split[u] != KSDA_I_NO_COLUMN) ksda_i_model_term(&s->model, s->split[u], -(most - !adjacent));
            if (s->split[v] != KSDA_I_NO_COLUMN) ksda_i_model_term(&s->model, s->split[v], -(most - !adjacent));
            ksda_i_model_row(&s->model, -INFINITY, !adjacent, "many_%u_%u", u, v);
        }
}

static void vertex_rows(split_search *s, uint32_t u) {
    ksda_i_model *m = &s->model;
    uint32_t d = ksda_i_degree(s->g, u), most = s->most[u], community = s->c->of[u];
    for (uint32_t t = 0; t <= s->top; t++) ksda_i_model_term(m, s->first[u] + t, 1);
    ksda_i_model_term(m, s->pieces[u], -1);
    ksda_i_model_row(m, 1, 1, "count_%u", u);
    for (uint32_t t = 1; t <= s->top; t++) ksda_i_model_term(m, s->first[u] + t, t);
    ksda_i_model_term(m, s->links[u], -2);
    for (uint32_t v = 0; v < s->g->n; v++) ksda_i_model_term(m, s->pair[(uint64_t)u * s->g->n + v], -1);
    ksda_i_model_row(m, d, d, "ends_%u", u);
    for (uint32_t t = 0; t <= s->top; t++) {
        uint32_t theta = s->theta[(uint64_t)community * (s->top + 1) + t];
        if (m->upper[s->first[u] + t] == 0) continue;
        ksda_i_model_term(m, s->first[u] + t, 1), ksda_i_model_term(m, theta, -1),
            ksda_i_model_term(m, s->pieces[u], -1);
        ksda_i_model_row(m, -INFINITY, 0, "has_%u_%u", u, t);
        if (most == 1) continue;
        ksda_i_model_term(m, s->first[u] + t, 1), ksda_i_model_term(m, theta, -(double)most);
        ksda_i_model_row(m, -INFINITY, 0, "in_%u_%u", u, t);
    }
    if (most == 1) return;
    ksda_i_model_term(m, s->pieces[u], 1), ksda_i_model_term(m, s->split[u], -(double)(most - 1));
    ksda_i_model_row(m, -INFINITY, 0, "split_%u", u);
    ksda_i_model_term(m, s->pieces[u], -1), ksda_i_model_term(m, s->split[u], 1);
    ksda_i_model_row(m, -INFINITY, 0, "whole_%u", u);
    ksda_i_model_term(m, s->links[u], 2), ksda_i_model_term(m, s->pieces[u], -(double)most);
    ksda_i_model_row(m, -INFINITY, 0, "links_%u", u);
    for (uint32_t t = 0; t < d && t <= s->top; t++) ksda_i_model_term(m, s->first[u] + t, 1);
    ksda_i_model_term(m, s->split[u], -(double)most);
    ksda_i_model_row(m, -INFINITY, 0, "below_%u", u);
}

/* A vertex that stays whole and at its degree takes no edge. */
static void idle_rows(split_search *s) {
    for (uint32_t u = 0; u < s->g->n && s->model.status == KSDA_OK; u++)
        for (uint32_t v = 0; v < s->g->n; v++) {
            uint32_t pair = s->pair[(uint64_t)u * s->g->n + v], d = ksda_i_degree(s->g, u);
            if (pair == KSDA_I_NO_COLUMN || ksda_graph_adjacent(s->g, u, v)) continue;
            double most = s->model.upper[pair];
            ksda_i_model_term(&s->model, pair, 1), ksda_i_model_term(&s->model, s->first[u] + d, most);
            ksda_i_model_term(&s->model, s->split[u], -most * s->most[u]);
            ksda_i_model_row(&s->model, -INFINITY, most, "idle_%u_%u", u, v);
        }
}

static void level_rows(split_search *s) {
    ksda_i_model *m = &s->model;
    for (uint32_t t = 0; t <= s->top; t++) {
        uint32_t open = ksda_i_model_column(m, 0, 1, 0, true, "y_%u", t);
        for (uint32_t i = 0; i < s->c->count; i++) {
            uint32_t theta = s->theta[(uint64_t)i * (s->top + 1) + t];
            ksda_i_model_term(m, theta, 1);
            for (uint32_t a = s->c->start[i]; a < s->c->start[i + 1]; a++)
                ksda_i_model_term(m, s->first[s->c->member[a]] + t, -1);
            ksda_i_model_row(m, -INFINITY, 0, "from_%u_%u", i, t);
            ksda_i_model_term(m, theta, 1), ksda_i_model_term(m, open, -1);
            ksda_i_model_row(m, -INFINITY, 0, "open_%u_%u", i, t);
        }
        ksda_i_model_term(m, open, s->k);
        for (uint32_t i = 0; i < s->c->count; i++) ksda_i_model_term(m, s->theta[(uint64_t)i * (s->top + 1) + t], -1);
        ksda_i_model_row(m, -INFINITY, 0, "k_%u", t);
    }
}

static ksda_status build_relaxation(split_search *s) {
    uint64_t n = s->g->n, cells = (uint64_t)s->c->count * (s->top + 1);
    s->first = ksda_i_malloc(s->ctx, n, sizeof *s->first);
    s->split = ksda_i_malloc(s->ctx, n, sizeof *s->split);
    s->pieces = ksda_i_malloc(s->ctx, n, sizeof *s->pieces);
    s->links = ksda_i_malloc(s->ctx, n, sizeof *s->links);
    s->theta = ksda_i_malloc(s->ctx, cells, sizeof *s->theta);
    s->pair = ksda_i_malloc(s->ctx, n * n, sizeof *s->pair);
    if (!s->first || !s->split || !s->pieces || !s->links || !s->theta || !s->pair) return KSDA_NOMEM;
    memset(s->pair, 0xff, n * n * sizeof *s->pair);
    s->model.timed = true;
    for (uint32_t u = 0; u < n; u++) vertex_columns(s, u);
    if (s->model.status == KSDA_OK) pair_columns(s);
    if (s->model.status != KSDA_OK) return s->model.status;
    for (uint64_t i = 0; i < cells; i++)
        s->theta[i] = ksda_i_model_column(&s->model, 0, 1, 0, true, "t_%u_%u", (unsigned)(i / (s->top + 1)),
                                          (unsigned)(i % (s->top + 1)));
    for (uint32_t u = 0; u < n && s->model.status == KSDA_OK; u++) vertex_rows(s, u);
    if (s->model.status == KSDA_OK) idle_rows(s);
    if (s->model.status == KSDA_OK) level_rows(s);
    return s->model.status;
}

/* --- who carries what --------------------------------------------------------------------------------------------- */

/* Formulation 2 with the pieces of the relaxation's solution x, at its degrees. */
static ksda_status realize(split_search *s, const double *x) {
    ksda_i_split_ip ip;
    ksda_i_solution found = {.x = NULL};
    ksda_i_solve_options o = {.stage = "dealing out edges", .cutoff = INFINITY, .known_bound = s->bound};
    ksda_edits *edits = NULL;
    ksda_status status;
    uint32_t *pieces = ksda_i_calloc(s->ctx, s->g->n, sizeof *pieces);
    if (!pieces) return KSDA_NOMEM;
    for (uint32_t u = 0; u < s->g->n; u++)
        for (uint32_t t = 0; t <= s->top; t++) pieces[u] += (uint32_t)lround(x[s->first[u] + t]);
    status = ksda_i_split_ip_build(s->ctx, s->g, s->c, s->k, (ksda_share){0, 0}, s->omega, pieces, &ip);
    if (status != KSDA_OK) goto done;
    for (uint32_t u = 0; u < s->g->n; u++) {
        uint32_t piece = ip.base[u];
        for (uint32_t t = s->top + 1; t-- > 0;) /* larger degrees first, as formulation 2 wants them */
            for (long i = lround(x[s->first[u] + t]); i > 0; i--, piece++) {
                ip.model.lower[ip.active[piece]] = 1;
                for (uint32_t d = 0; d <= s->g->n; d++) ip.model.upper[ip.degree[piece] + d] = d == t;
            }
    }
    KSDA_I_TRY(ksda_i_mip_solve(s->solver, &ip.model, &o, &found));
    if (found.x) KSDA_I_TRY(ksda_i_split_ip_edits(&ip, s->g, found.x, &edits));
    offer_release(s, edits);
done:
    ksda_i_free(s->ctx, found.x);
    ksda_i_split_ip_clear(&ip);
    ksda_i_free(s->ctx, pieces);
    return status;
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* Not cut off at the cost of the best solution: a bound above it is an error, and is found at the end. */
static void raise_bound(split_search *s, double bound) {
    if (bound > s->bound) s->bound = bound;
}

/* The same where the program was asked for cheaper solutions only: that there is none proves no more than the cost. */
static void raise_within_cutoff(split_search *s, double bound) {
    raise_bound(s, fmin(bound, s->cost));
}

static ksda_status solve_relaxation(split_search *s, const ksda_i_solve_options *o, ksda_i_solution *found) {
    ksda_status status = ksda_i_mip_solve(s->solver, &s->model, o, found);
    if (status >= 0 && found->trouble[0]) memcpy(s->trouble, found->trouble, sizeof s->trouble);
    return status;
}

/* Minimize the splits alone. */
static ksda_status count_splits(split_search *s) {
    ksda_i_model *m = &s->model;
    ksda_i_solution found = {.x = NULL};
    ksda_i_solve_options o = {.stage = "counting splits", .cutoff = INFINITY, .known_bound = 0};
    double *cost = ksda_i_malloc(s->ctx, m->columns, sizeof *cost);
    if (!cost) return KSDA_NOMEM;
    memcpy(cost, m->cost, m->columns * sizeof *cost);
    for (uint32_t j = 0; j < m->columns; j++) m->cost[j] = 0;
    for (uint32_t u = 0; u < s->g->n; u++)
        if (s->pieces[u] != KSDA_I_NO_COLUMN) m->cost[s->pieces[u]] = 1;
    ksda_status status = solve_relaxation(s, &o, &found);
    memcpy(m->cost, cost, m->columns * sizeof *cost);
    if (status >= 0) {
        s->least = fmax(s->least, ksda_i_cost_from(found.bound, 1)); /* infinite when there is no solution */
        s->counted = found.verdict == KSDA_I_CHEAPEST;
        raise_bound(s, s->omega * s->least);
    }
    ksda_i_free(s->ctx, found.x);
    ksda_i_free(s->ctx, cost);
    return status;
}

/* Minimize the edges, with exactly the fewest splits; one more costs more than all edges. Their price is left out of
 * the program: beside it edges would be rounding. */
static ksda_status count_edges(split_search *s, double **x) {
    ksda_i_model *m = &s->model;
    ksda_i_solution found = {.x = NULL};
    double splits = s->omega * s->least, next = s->omega * (s->least + 1);
    ksda_i_solve_options o = {.stage = "planning pieces",
                              .cutoff = splits + ceil(s->cost - splits) - 1, /* cheaper than the best one */
                              .known_cost = s->cost,
                              .known_bound = s->bound};
    for (uint32_t u = 0; u < s->g->n; u++) {
        ksda_i_model_term(m, s->pieces[u], 1);
        if (s->pieces[u] != KSDA_I_NO_COLUMN) m->cost[s->pieces[u]] = 0;
    }
    ksda_i_model_row(m, s->least, s->least, "splits");
    m->offset = splits;
    ksda_status status = solve_relaxation(s, &o, &found);
    if (status >= 0) raise_within_cutoff(s, fmin(splits + ksda_i_cost_from(found.bound - splits, 1), next));
    *x = found.x;
    return status;
}

static ksda_status two_steps(split_search *s, double **x) {
    ksda_status status = s->counted ? KSDA_OK : count_splits(s);
    return status < 0 || !s->counted || s->bound >= s->cost ? status : count_edges(s, x);
}

static ksda_status one_step(split_search *s, double **x) {
    ksda_i_solution found = {.x = NULL};
    ksda_i_solve_options o = {
        .stage = "planning pieces", .cutoff = s->cost, .known_cost = s->cost, .known_bound = s->bound};
    ksda_status status = solve_relaxation(s, &o, &found);
    if (status >= 0) raise_within_cutoff(s, ksda_i_cost_from(found.bound, s->omega));
    *x = found.x;
    return status;
}

/* The most pieces a vertex can have in a solution at most as dear as the best one. */
static void limit_pieces(split_search *s) {
    double splits = floor(s->cost / s->omega + 1e-9);
    for (uint32_t u = 0; u < s->g->n; u++) {
        uint32_t d = ksda_i_degree(s->g, u);
        s->most[u] = d < 2 ? 1 : splits + 1 < d ? (uint32_t)(splits + 1) : d;
    }
}

static int descending(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* Who must be split in every solution with at most `splits` added vertices: a vertex that stays whole ends at a degree
 * t from its own up to its max_degree, and k communities need a vertex there. With so many splits nobody, nor any
 * piece, gets beyond degree + slack + splits: each further piece anywhere offers one more partner. If these all
 * are as many as the splits, everybody else stays whole. Sets most[] accordingly and returns how many must be split. */
static ksda_status must_split(split_search *s, uint32_t splits, uint32_t *count) {
    uint32_t n = s->g->n, communities = s->c->count, found = 0;
    uint32_t *max_degree = ksda_i_malloc(s->ctx, n, sizeof *max_degree),
             *farthest = ksda_i_calloc(s->ctx, communities, sizeof *farthest);
    bool *must = ksda_i_calloc(s->ctx, n, sizeof *must);
    ksda_status status = max_degree && farthest && must ? KSDA_OK : KSDA_NOMEM;
    if (status == KSDA_OK) status = ksda_i_community_slack(s->ctx, s->g, s->c, max_degree);
    if (status == KSDA_OK) {
        for (uint32_t v = 0; v < n; v++) {
            max_degree[v] += ksda_i_degree(s->g, v) + splits;
            if (max_degree[v] > farthest[s->c->of[v]]) farthest[s->c->of[v]] = max_degree[v];
        }
        ksda_i_sort_by(farthest, communities, sizeof *farthest, descending);
        for (uint32_t v = 0; v < n; v++) {
            must[v] = farthest[s->k - 1] < ksda_i_degree(s->g, v); /* fewer than k communities get as far as it is */
            found += must[v];
        }
        for (uint32_t v = 0; v < n && found == splits; v++) s->most[v] = must[v] && ksda_i_degree(s->g, v) > 1 ? 2 : 1;
    }
    *count = found;
    ksda_i_free(s->ctx, max_degree), ksda_i_free(s->ctx, farthest), ksda_i_free(s->ctx, must);
    return status;
}

static ksda_status in_time(const split_search *s) {
    ksda_status status = ksda_i_interrupted(s->ctx);
    return status < 0 ? status : ksda_i_time_left(s->ctx) <= 0 ? KSDA_LIMIT : KSDA_OK;
}

/* Can whole vertex v end at a degree that k communities reach, when only u is split (nobody: u = KSDA_NO_VERTEX)?
 * Everybody else then reaches from the own degree up to degree + free places, one more if there is a second piece to
 * connect to; pieces of u reach anything from 1 up. When the time is up, everybody can: nothing is concluded. */
static bool placeable(const split_search *s, const uint32_t *max_degree, uint32_t v, uint32_t u) {
    uint32_t more = u != KSDA_NO_VERTEX;
    for (uint32_t t = ksda_i_degree(s->g, v); t <= max_degree[v] + more; t++) {
        uint32_t there = 0;
        if (in_time(s) != KSDA_OK) return true;
        for (uint32_t i = 0; i < s->c->count; i++)
            for (uint32_t a = s->c->start[i]; a < s->c->start[i + 1]; a++) {
                uint32_t w = s->c->member[a];
                if (t > max_degree[w] + more || (w != u && t < ksda_i_degree(s->g, w))) continue;
                there++;
                break;
            }
        if (there >= s->k) return true;
    }
    return false;
}

/* For solutions with one added vertex: *least is 1 when a vertex is stuck without any, and then only those may be split
 * (most[] is 2) with whom nobody else remains stuck. KSDA_LIMIT at the time limit; what is said of least and most[]
 * then holds as well. */
static ksda_status who_may_split(split_search *s, uint32_t *least) {
    uint32_t n = s->g->n, stuck = 0, *max_degree = ksda_i_malloc(s->ctx, n, sizeof *max_degree),
             *list = ksda_i_malloc(s->ctx, n, sizeof *list);
    ksda_status status = max_degree && list ? KSDA_OK : KSDA_NOMEM;
    if (status == KSDA_OK) status = ksda_i_community_slack(s->ctx, s->g, s->c, max_degree);
    if (status == KSDA_OK) {
        for (uint32_t v = 0; v < n; v++) max_degree[v] += ksda_i_degree(s->g, v);
        for (uint32_t v = 0; v < n && status == KSDA_OK; status = in_time(s), v++)
            if (!placeable(s, max_degree, v, KSDA_NO_VERTEX)) list[stuck++] = v;
        for (uint32_t u = 0; u < n && stuck && status == KSDA_OK; status = in_time(s), u++)
            for (uint32_t i = 0; i < stuck && s->most[u] > 1; i++)
                if (list[i] != u && !placeable(s, max_degree, list[i], u)) s->most[u] = 1;
    }
    *least = stuck > 0;
    ksda_i_free(s->ctx, max_degree), ksda_i_free(s->ctx, list);
    return status;
}

/* Formulation 2 as it is, where it is small. */
static ksda_status solve_whole_formulation(split_search *s, const ksda_i_exact_problem *problem,
                                           ksda_optimal_result *result) {
    ksda_edits *edits = NULL;
    ksda_optimal_result r = {.status = KSDA_MODEL_LIMIT, .bound = 0, .split_weight = s->omega};
    uint64_t columns = 0;
    for (uint32_t u = 0; u < s->g->n; u++) columns += (uint64_t)s->most[u] * s->g->n;
    if (columns > SMALL) return KSDA_OK;
    ksda_status status = ksda_i_exact_split_ip(s->ctx, problem, &edits, &r);
    if (status < 0) return status;
    offer_release(s, edits);
    if (r.status == KSDA_MODEL_INFEASIBLE) memcpy(result->reason, r.reason, sizeof result->reason);
    raise_bound(s, r.bound);
    return KSDA_OK;
}

static ksda_status search(split_search *s, const ksda_i_exact_problem *problem, ksda_optimal_result *result) {
    double *x = NULL;
    ksda_status status;
    KSDA_I_TRY(first_solution(s));
    limit_pieces(s);
    double pairs = (double)s->g->n * s->g->n, splits = floor(s->cost / s->omega + 1e-9);
    bool lexicographic = s->omega >= pairs && splits < s->g->n; /* a split costs more than all edges there can be */
    if (lexicographic) {
        uint32_t must;
        KSDA_I_TRY(must_split(s, (uint32_t)splits, &must));
        if (splits == 1 && must == 0) KSDA_I_TRY(who_may_split(s, &must));
        s->least = must, s->counted = must == splits;
        raise_bound(s, s->omega * must);
    }
    if (s->g->n > LARGE || s->bound >= s->cost) goto done;
    s->top = s->g->n;
    KSDA_I_TRY(build_relaxation(s));
    if (status != KSDA_OK) goto done;
    KSDA_I_TRY(lexicographic ? two_steps(s, &x) : one_step(s, &x));
    if (x && s->bound < s->cost) KSDA_I_TRY(realize(s, x));
    if (s->bound < s->cost && ksda_i_time_left(s->ctx) > 0) KSDA_I_TRY(solve_whole_formulation(s, problem, result));
done:
    ksda_i_free(s->ctx, x);
    return status;
}

ksda_status ksda_i_exact_split_fast(ksda_ctx *ctx, const ksda_i_exact_problem *problem, ksda_edits **out,
                                    ksda_optimal_result *result) {
    split_search s = {.ctx = ctx,
                      .solver = problem->solver,
                      .g = problem->graph,
                      .c = problem->communities,
                      .k = problem->options->k,
                      .omega = problem->options->split_weight,
                      .cost = INFINITY};
    ksda_status status = KSDA_NOMEM;
    ksda_i_model_init(&s.model, ctx);
    s.most = ksda_i_malloc(ctx, s.g->n, sizeof *s.most);
    if (!s.most) goto done;
    status = search(&s, problem, result);
    if (status < 0 && !(s.best && ksda_i_cut_short(ctx, status))) goto done;
    KSDA_I_TRY(ksda_i_bound_check(ctx, s.bound, s.cost));
    *out = s.best, s.best = NULL;
    result->bound = s.bound;
    if (isinf(s.bound))
        result->status = KSDA_MODEL_INFEASIBLE;
    else if (isinf(s.cost))
        result->status = KSDA_MODEL_LIMIT;
    else
        result->status = ksda_i_bound_meets(s.bound, s.cost) ? KSDA_MODEL_OPTIMAL : KSDA_MODEL_FEASIBLE;
    if (result->status == KSDA_MODEL_OPTIMAL) result->bound = s.cost;
    if (result->status == KSDA_MODEL_INFEASIBLE && !result->reason[0])
        snprintf(result->reason, sizeof result->reason, "no choice of pieces, degrees and edges is diverse");
    if (result->status == KSDA_MODEL_FEASIBLE || result->status == KSDA_MODEL_LIMIT)
        snprintf(result->reason, sizeof result->reason, "%s", s.trouble);
done:
    ksda_edits_free(ctx, s.best);
    ksda_i_free(ctx, s.most), ksda_i_free(ctx, s.first), ksda_i_free(ctx, s.split), ksda_i_free(ctx, s.pieces);
    ksda_i_free(ctx, s.links), ksda_i_free(ctx, s.theta), ksda_i_free(ctx, s.pair);
    ksda_i_model_clear(&s.model);
    return status;
}
