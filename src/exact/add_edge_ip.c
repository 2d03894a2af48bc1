/* Formulation 1 of the paper: the fewest edges added inside communities so that every degree occurs in k communities.
 *
 *   alpha_uv  edge (u,v) is added                 delta_ud  the new degree of u is d
 *   theta_cd  community c has a vertex of degree d
 *   min sum alpha
 *   (1) sum_d delta_ud = 1        (2) delta_ud exists only for |E_u| <= d <= |E_u| + |non-neighbours in its community|
 *   (3) |E_u| + sum_v alpha_uv = sum_d d delta_ud
 *   (4) delta_ud <= theta_cd      (5) theta_cd <= sum_u delta_ud      (6) (k-1) theta_cd <= sum_{c' != c} theta_c'd
 *
 * As printed, with two additions: degree 0 is a degree like any other, and in (6) only communities that count are
 * summed, k of them for one that does not. Where people have several communities, alpha joins those whose sets meet,
 * and (4)-(6) are those of disjoint_rows.c. The number of columns is quadratic in the size of the communities. */
#include "exact/formulation.h"
#include "privacy/census.h"

#include <math.h>

void ksda_i_community_row(ksda_i_model *m, const ksda_communities *c, const uint32_t *theta, uint32_t degrees,
                          uint32_t k, uint32_t i, uint32_t d) {
    uint32_t needed = i < c->counted ? k - 1 : k;
    if (needed == 0) return;
    ksda_i_model_term(m, theta[(uint64_t)i * degrees + d], needed);
    for (uint32_t other = 0; other < c->counted; other++)
        if (other != i) ksda_i_model_term(m, theta[(uint64_t)other * degrees + d], -1);
    ksda_i_model_row(m, -INFINITY, 0, "k_%u_%u", i, d);
}

static ksda_status add_pair(ksda_ctx *ctx, const ksda_graph *g, uint32_t u, uint32_t v, ksda_i_add_edge_ip *ip) {
    if (ksda_i_graph_position(g, u, v) != UINT64_MAX) return KSDA_OK;
    ksda_status status = ksda_i_reserve(ctx, &ip->pair, &ip->pair_room, (uint64_t)ip->pairs + 1, sizeof *ip->pair);
    if (status >= 0) ip->pair[ip->pairs++] = (ksda_pair){u, v};
    return status;
}

/* Between all whose sets meet. */
static ksda_status list_meeting(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_add_edge_ip *ip) {
    ksda_status status = KSDA_OK;
    for (uint32_t u = 0; u < g->n; u++) {
        KSDA_I_TRY(ksda_i_interrupted(ctx));
        for (uint32_t v = u + 1; v < g->n; v++)
            if (ksda_i_may_connect(c, u, v)) KSDA_I_TRY(add_pair(ctx, g, u, v, ip));
    }
done:
    return status;
}

static ksda_status list_pairs(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_i_add_edge_ip *ip) {
    if (c->sets) return list_meeting(ctx, g, c, ip);
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t a = c->start[i]; a < c->start[i + 1]; a++) {
            uint32_t u = c->member[a];
            ksda_status status = ksda_i_interrupted(ctx);
            if (status < 0) return status;
            for (uint32_t b = a + 1; b < c->start[i + 1]; b++) {
                status = add_pair(ctx, g, u, c->member[b], ip);
                if (status < 0) return status;
            }
        }
    }
    return KSDA_OK;
}

/* Work space: first[u] .. first[u+1]-1 are the pairs of u; delta[u] the column of delta_{u,|E_u|}. */
typedef struct builder {
    const ksda_graph *g;
    const ksda_communities *c;
    ksda_i_add_edge_ip *ip;
    uint32_t *slack, *delta;
    uint64_t *first;
    uint32_t *incident;
    uint32_t *theta;  /* [communities * degrees], or KSDA_I_NO_COLUMN; NULL where people have several communities */
    uint32_t degrees; /* 0 .. degrees-1 */
} builder;

static void index_pairs(builder *b) {
    uint64_t *first = b->first; /* one place ahead while filling, so that it ends up right */
    for (uint32_t p = 0; p < b->ip->pairs; p++) first[b->ip->pair[p].u + 2]++, first[b->ip->pair[p].v + 2]++;
    for (uint32_t v = 0; v < b->g->n; v++) first[v + 2] += first[v + 1];
    for (uint32_t p = 0; p < b->ip->pairs; p++) {
        b->incident[first[b->ip->pair[p].u + 1]++] = p;
        b->incident[first[b->ip->pair[p].v + 1]++] = p;
    }
}

static void columns(builder *b) {
    ksda_i_model *m = &b->ip->model;
    for (uint32_t p = 0; p < b->ip->pairs; p++)
        ksda_i_model_column(m, 0, 1, 1, true, "a_%u_%u", b->ip->pair[p].u, b->ip->pair[p].v);
    for (uint32_t u = 0; u < b->g->n; u++) {
        uint32_t d = ksda_i_degree(b->g, u);
        b->delta[u] = m->columns;
        for (uint32_t i = 0; i <= b->slack[u]; i++) {
            ksda_i_model_column(m, 0, 1, 0, true, "d_%u_%u", u, d + i);
            if (b->theta) b->theta[(uint64_t)b->c->of[u] * b->degrees + d + i] = 0;
        }
    }
    for (uint32_t i = 0; b->theta && i < b->c->count; i++)
        for (uint32_t d = 0; d < b->degrees; d++) {
            uint32_t *theta = &b->theta[(uint64_t)i * b->degrees + d];
            if (*theta == 0) *theta = ksda_i_model_column(m, 0, 1, 0, true, "t_%u_%u", i, d);
        }
}

static void vertex_rows(builder *b, uint32_t u) {
    ksda_i_model *m = &b->ip->model;
    uint32_t degree = ksda_i_degree(b->g, u);
    for (uint32_t i = 0; i <= b->slack[u]; i++) ksda_i_model_term(m, b->delta[u] + i, 1);
    ksda_i_model_row(m, 1, 1, "one_%u", u);
    for (uint64_t p = b->first[u]; p < b->first[u + 1]; p++) ksda_i_model_term(m, b->incident[p], 1);
    for (uint32_t i = 0; i <= b->slack[u]; i++)
        if (degree + i > 0) ksda_i_model_term(m, b->delta[u] + i, -(double)(degree + i));
    ksda_i_model_row(m, -(double)degree, -(double)degree, "degree_%u", u);
    for (uint32_t i = 0; b->theta && i <= b->slack[u]; i++) {
        ksda_i_model_term(m, b->delta[u] + i, 1);
        ksda_i_model_term(m, b->theta[(uint64_t)b->c->of[u] * b->degrees + degree + i], -1);
        ksda_i_model_row(m, -INFINITY, 0, "has_%u_%u", u, degree + i);
    }
}

static void level_rows(builder *b, uint32_t i, uint32_t d, uint32_t k) {
    ksda_i_model *m = &b->ip->model;
    uint32_t theta = b->theta[(uint64_t)i * b->degrees + d];
    if (theta == KSDA_I_NO_COLUMN) return;
    ksda_i_model_term(m, theta, 1);
    for (uint32_t a = b->c->start[i]; a < b->c->start[i + 1]; a++) {
        uint32_t u = b->c->member[a], degree = ksda_i_degree(b->g, u);
        if (degree <= d && d <= degree + b->slack[u]) ksda_i_model_term(m, b->delta[u] + (d - degree), -1);
    }
    ksda_i_model_row(m, -INFINITY, 0, "from_%u_%u", i, d);
    ksda_i_community_row(m, b->c, b->theta, b->degrees, k, i, d);
}

static uint32_t vertex_itself(const void *data, uint32_t u) {
    (void)data;
    return u;
}

static uint32_t delta_of(const void *data, uint32_t u, uint32_t d) {
    const builder *b = data;
    uint32_t degree = ksda_i_degree(b->g, u);
    return d < degree || d - degree > b->slack[u] ? KSDA_I_NO_COLUMN : b->delta[u] + (d - degree);
}

/* Every degree in k communities, or with k people in disjoint sets. */
static ksda_status diversity_rows(builder *b, uint32_t k, ksda_share share) {
    const ksda_i_degree_columns f = {b->c, b->g->n, b->degrees, vertex_itself, delta_of, b};
    ksda_status status = b->c->sets ? ksda_i_disjoint_rows(&b->ip->model, &f, k) : KSDA_OK;
    for (uint32_t i = 0; i < b->c->count && !b->c->sets; i++)
        for (uint32_t d = 0; d < b->degrees; d++) level_rows(b, i, d, k);
    return status < 0 ? status : ksda_i_share_rows(&b->ip->model, &f, share);
}

/* How many pairs each vertex is in. */
static ksda_status count_slack(ksda_ctx *ctx, builder *b) {
    if (!b->c->sets) return ksda_i_community_slack(ctx, b->g, b->c, b->slack);
    memset(b->slack, 0, b->g->n * sizeof *b->slack);
    for (uint32_t p = 0; p < b->ip->pairs; p++) b->slack[b->ip->pair[p].u]++, b->slack[b->ip->pair[p].v]++;
    return KSDA_OK;
}

ksda_status ksda_i_add_edge_ip_build(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                                     ksda_share share, ksda_i_add_edge_ip *ip) {
    builder b = {.g = g, .c = c, .ip = ip};
    ksda_status status = KSDA_NOMEM;
    memset(ip, 0, sizeof *ip);
    ksda_i_model_init(&ip->model, ctx);
    ip->model.timed = true;
    KSDA_I_TRY(list_pairs(ctx, g, c, ip));
    status = KSDA_NOMEM;
    b.slack = ksda_i_malloc(ctx, g->n, sizeof *b.slack);
    b.delta = ksda_i_malloc(ctx, g->n, sizeof *b.delta);
    b.first = ksda_i_calloc(ctx, (uint64_t)g->n + 2, sizeof *b.first);
    b.incident = ksda_i_malloc(ctx, 2 * (uint64_t)ip->pairs, sizeof *b.incident);
    if (!b.slack || !b.delta || !b.first || !b.incident) goto done;
    KSDA_I_TRY(count_slack(ctx, &b));
    status = KSDA_NOMEM;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) + b.slack[v] + 1 > b.degrees) b.degrees = ksda_i_degree(g, v) + b.slack[v] + 1;
    if (!c->sets) {
        b.theta = ksda_i_malloc(ctx, (uint64_t)c->count * b.degrees, sizeof *b.theta);
        if (!b.theta) goto done;
        memset(b.theta, 0xff, (uint64_t)c->count * b.degrees * sizeof *b.theta);
    }
    index_pairs(&b);
    columns(&b);
    for (uint32_t u = 0; u < g->n; u++) vertex_rows(&b, u);
    status = diversity_rows(&b, k, share);
done:
    ksda_i_free(ctx, b.slack), ksda_i_free(ctx, b.delta), ksda_i_free(ctx, b.first), ksda_i_free(ctx, b.incident);
    ksda_i_free(ctx, b.theta);
    return status;
}

void ksda_i_add_edge_ip_clear(ksda_i_add_edge_ip *ip) {
    ksda_i_free(ip->model.ctx, ip->pair);
    ksda_i_model_clear(&ip->model);
    ip->pair = NULL, ip->pairs = 0;
}

ksda_status ksda_i_add_edge_ip_edits(const ksda_i_add_edge_ip *ip, const ksda_graph *g, const double *x,
                                     ksda_edits **out) {
    ksda_ctx *ctx = ip->model.ctx;
    ksda_edits *edits = NULL;
    ksda_status status;
    KSDA_I_TRY(ksda_edits_new(ctx, g, &edits));
    for (uint32_t p = 0; p < ip->pairs; p++)
        if (x[p] > 0.5) KSDA_I_TRY(ksda_edits_add_edge(ctx, edits, ip->pair[p].u, ip->pair[p].v));
    *out = edits;
    return KSDA_OK;
done:
    ksda_edits_free(ctx, edits);
    return status;
}
