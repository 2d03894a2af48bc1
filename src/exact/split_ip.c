/* Formulation 2 of the paper: Adding Edge and Splitting Vertex. Vertex u becomes up to |S_u| pieces i.
 *
 *   alpha_uvij  edge added between piece i of u and piece j of v      beta_uij  link between two pieces of u, free
 *   eta_uvij    original edge (u,v) is carried by pieces i and j      pi_ui     piece i of u is active
 *   delta_uid   the degree of the piece is d                          theta_cd  community c has degree d
 *   min omega (sum pi - |V|) + sum alpha + sum_e (sum eta - 1)
 *   (7) sum_d delta_uid = pi_ui (*)    (8) sum eta + sum beta + sum alpha = sum_d d delta_uid
 *   (9) delta_uid <= theta_cd          (10) theta_cd <= sum delta       (11) (k-1) theta_cd <= sum_{c' != c} theta_c'd
 *   (12) sum_ij eta_uvij >= 1          (13), (15), (16) eta, alpha, beta <= pi at both ends
 *   (17) sum eta at piece i >= pi_ui (*)                                 (18) pieces in order (*)
 *
 * What is marked (*) differs from the print. (7) reads "= 1" there, but an inactive piece has degree 0, which the set
 * of degrees does not contain: as printed every candidate piece would be active. (17) is condition (1) of Splitting
 * Vertex, an original edge on every piece, which stands in the text but in no constraint. (18) breaks ties between
 * pieces that could be renumbered: active ones first, larger degrees first; it cuts off no solution up to numbering. A
 * vertex without edges cannot be split and is active; for it alone degree 0 is a degree.
 *
 * Where people have several communities, alpha joins those whose sets meet, and (9)-(11) are those of disjoint_rows.c.
 */
#include "exact/formulation.h"
#include "privacy/census.h"

#include <math.h>

static uint64_t cell_of(uint32_t i, uint32_t j, uint32_t width) {
    return (uint64_t)i * width + j;
}

static uint32_t row_width(const ksda_i_split_ip *ip, uint32_t u) {
    return ip->base[u + 1] - ip->base[u];
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static ksda_status add_pair(ksda_i_split_ip *ip, uint32_t u, uint32_t v, bool original) {
    ksda_ctx *ctx = ip->model.ctx;
    ksda_status status = ksda_i_reserve(ctx, &ip->pair, &ip->pair_room, ip->pairs + 1, sizeof *ip->pair);
    if (status < 0) return status;
    ip->pair[ip->pairs++] = (ksda_i_split_pair){u, v, ip->model.columns, original};
    for (uint32_t i = 0; i < row_width(ip, u); i++)
        for (uint32_t j = 0; j < row_width(ip, v); j++)
            ksda_i_model_column(&ip->model, 0, 1, 1, true, original ? "n_%u_%u_%u_%u" : "a_%u_%u_%u_%u", u, v, i, j);
    return ip->model.status;
}

static ksda_status edge_columns(ksda_i_split_ip *ip, const ksda_graph *g, const ksda_communities *c) {
    ksda_status status = KSDA_OK;
    for (uint32_t u = 0; u < g->n && status == KSDA_OK; u++) {
        status = ksda_i_interrupted(ip->model.ctx);
        for (uint64_t p = g->off[u]; p < g->off[u + 1] && status == KSDA_OK; p++)
            if (u < g->adj[p]) status = add_pair(ip, u, g->adj[p], true);
    }
    for (uint32_t a = 0; a < g->n && status == KSDA_OK; a++)
        for (uint32_t b = a + 1; b < g->n && status == KSDA_OK; b++)
            if (ksda_i_may_connect(c, a, b) && ksda_i_graph_position(g, a, b) == UINT64_MAX)
                status = add_pair(ip, a, b, false);
    for (uint32_t u = 0; u < g->n; u++) {
        ip->link[u] = ip->model.columns;
        for (uint32_t i = 0; i < row_width(ip, u); i++)
            for (uint32_t j = i + 1; j < row_width(ip, u); j++)
                ksda_i_model_column(&ip->model, 0, 1, 0, true, "b_%u_%u_%u", u, i, j);
    }
    return status < 0 ? status : ip->model.status;
}

/* The column of the link between pieces i and j of u; columns run through the pairs i < j row by row. */
static uint32_t link_column(const ksda_i_split_ip *ip, uint32_t u, uint32_t i, uint32_t j) {
    uint32_t w = row_width(ip, u), a = i < j ? i : j, b = i < j ? j : i;
    return ip->link[u] + a * (2 * w - a - 1) / 2 + (b - a - 1);
}

static void piece_columns(ksda_i_split_ip *ip, const ksda_graph *g, double omega) {
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t i = 0; i < row_width(ip, u); i++) {
            uint32_t lonely = ksda_i_degree(g, u) == 0;
            ip->active[ip->base[u] + i] =
                ksda_i_model_column(&ip->model, lonely || i == 0, 1, omega, true, "p_%u_%u", u, i);
            ip->degree[ip->base[u] + i] = ip->model.columns;
            for (uint32_t d = 0; d <= g->n; d++)
                ksda_i_model_column(&ip->model, 0, d > 0 || lonely, 0, true, "d_%u_%u_%u", u, i, d);
        }
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* For every piece: its edges, as a row under construction would need them all at once, are collected by a first pass.
 */
typedef struct ends {
    uint64_t *start;  /* [pieces + 1] */
    uint32_t *column; /* eta and alpha columns with an end at the piece */
    bool *original;
} ends;

static void visit_ends(const ksda_i_split_ip *ip, ends *e, bool fill) {
    for (uint64_t p = 0; p < ip->pairs; p++) {
        const ksda_i_split_pair *q = &ip->pair[p];
        for (uint32_t i = 0; i < row_width(ip, q->u); i++)
            for (uint32_t j = 0; j < row_width(ip, q->v); j++) {
                uint32_t column = q->first + i * row_width(ip, q->v) + j;
                uint32_t side[2] = {ip->base[q->u] + i, ip->base[q->v] + j};
                for (int s = 0; s < 2; s++) {
                    if (!fill) {
                        e->start[side[s] + 2]++;
                        continue;
                    }
                    e->column[e->start[side[s] + 1]] = column;
                    e->original[e->start[side[s] + 1]++] = q->original;
                }
            }
    }
}

static ksda_status collect_ends(const ksda_i_split_ip *ip, uint32_t pieces, ends *e) {
    ksda_ctx *ctx = ip->model.ctx;
    e->start = ksda_i_calloc(ctx, (uint64_t)pieces + 2, sizeof *e->start);
    if (!e->start) return KSDA_NOMEM;
    visit_ends(ip, e, false);
    for (uint32_t i = 0; i < pieces; i++) e->start[i + 2] += e->start[i + 1];
    uint64_t count = e->start[pieces + 1];
    e->column = ksda_i_malloc(ctx, count, sizeof *e->column);
    e->original = ksda_i_malloc(ctx, count, sizeof *e->original);
    if (!e->column || !e->original) return KSDA_NOMEM;
    visit_ends(ip, e, true);
    return KSDA_OK;
}

static void piece_rows(ksda_i_split_ip *ip, const ksda_graph *g, const ksda_communities *c, const ends *e, uint32_t u,
                       uint32_t i) {
    ksda_i_model *m = &ip->model;
    uint32_t piece = ip->base[u] + i, active = ip->active[piece];
    for (uint32_t d = 0; d <= g->n; d++) ksda_i_model_term(m, ip->degree[piece] + d, 1);
    ksda_i_model_term(m, active, -1);
    ksda_i_model_row(m, 0, 0, "one_%u_%u", u, i); /* (7) */
    for (uint64_t p = e->start[piece]; p < e->start[piece + 1]; p++) ksda_i_model_term(m, e->column[p], 1);
    for (uint32_t j = 0; j < row_width(ip, u); j++)
        if (j != i) ksda_i_model_term(m, link_column(ip, u, i, j), 1);
    for (uint32_t d = 1; d <= g->n; d++) ksda_i_model_term(m, ip->degree[piece] + d, -(double)d);
    ksda_i_model_row(m, 0, 0, "degree_%u_%u", u, i); /* (8) */
    for (uint32_t d = 0; !c->sets && d <= g->n; d++) {
        ksda_i_model_term(m, ip->degree[piece] + d, 1);
        ksda_i_model_term(m, ip->theta[cell_of(c->of[u], d, g->n + 1)], -1);
        ksda_i_model_row(m, -INFINITY, 0, "has_%u_%u_%u", u, i, d); /* (9) */
    }
    for (uint64_t p = e->start[piece]; p < e->start[piece + 1]; p++) {
        ksda_i_model_term(m, e->column[p], 1), ksda_i_model_term(m, active, -1);
        ksda_i_model_row(m, -INFINITY, 0, "on_%u_%u", piece, e->column[p]); /* (13), (15) */
    }
    for (uint32_t j = 0; j < row_width(ip, u); j++) {
        if (j == i) continue;
        ksda_i_model_term(m, link_column(ip, u, i, j), 1), ksda_i_model_term(m, active, -1);
        ksda_i_model_row(m, -INFINITY, 0, "on_%u_%u_%u", u, i, j); /* (16) */
    }
    if (ksda_i_degree(g, u) > 0) {
        for (uint64_t p = e->start[piece]; p < e->start[piece + 1]; p++)
            if (e->original[p]) ksda_i_model_term(m, e->column[p], 1);
        ksda_i_model_term(m, active, -1);
        ksda_i_model_row(m, 0, INFINITY, "carries_%u_%u", u, i); /* (17) */
    }
    if (i > 0) {
        ksda_i_model_term(m, active, 1), ksda_i_model_term(m, ip->active[piece - 1], -1);
        ksda_i_model_row(m, -INFINITY, 0, "order_%u_%u", u, i); /* (18) */
        for (uint32_t d = 1; d <= g->n; d++)
            ksda_i_model_term(m, ip->degree[piece] + d, d), ksda_i_model_term(m, ip->degree[piece - 1] + d, -(double)d);
        ksda_i_model_row(m, -INFINITY, 0, "larger_%u_%u", u, i);
    }
}

static void level_rows(ksda_i_split_ip *ip, const ksda_graph *g, const ksda_communities *c, uint32_t k, uint32_t i,
                       uint32_t d) {
    ksda_i_model *m = &ip->model;
    uint32_t theta = ip->theta[cell_of(i, d, g->n + 1)];
    ksda_i_model_term(m, theta, 1);
    for (uint32_t a = c->start[i]; a < c->start[i + 1]; a++)
        for (uint32_t p = ip->base[c->member[a]]; p < ip->base[c->member[a] + 1]; p++)
            ksda_i_model_term(m, ip->degree[p] + d, -1);
    ksda_i_model_row(m, -INFINITY, 0, "from_%u_%u", i, d);    /* (10) */
    ksda_i_community_row(m, c, ip->theta, g->n + 1, k, i, d); /* (11) */
}

static void original_rows(ksda_i_split_ip *ip) {
    for (uint64_t p = 0; p < ip->pairs; p++) {
        const ksda_i_split_pair *q = &ip->pair[p];
        if (!q->original) continue;
        for (uint32_t i = 0; i < row_width(ip, q->u) * row_width(ip, q->v); i++)
            ksda_i_model_term(&ip->model, q->first + i, 1);
        ksda_i_model_row(&ip->model, 1, INFINITY, "edge_%u_%u", q->u, q->v); /* (12) */
    }
}

/* The original vertex of a piece of the model. */
static uint32_t owner_of(const void *data, uint32_t piece) {
    const ksda_i_split_ip *ip = data;
    uint32_t u = 0;
    while (ip->base[u + 1] <= piece) u++;
    return u;
}

static uint32_t delta_of(const void *data, uint32_t piece, uint32_t degree) {
    const ksda_i_split_ip *ip = data;
    return ip->degree[piece] + degree;
}

/* (10), (11); or that every degree has k people in disjoint sets. */
static ksda_status diversity_rows(ksda_i_split_ip *ip, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                                  ksda_share share) {
    const ksda_i_degree_columns f = {c, ip->base[g->n], g->n + 1, owner_of, delta_of, ip};
    ksda_status status = c->sets ? ksda_i_disjoint_rows(&ip->model, &f, k) : KSDA_OK;
    for (uint32_t i = 0; i < c->count && !c->sets; i++)
        for (uint32_t d = 0; d <= g->n; d++) level_rows(ip, g, c, k, i, d);
    return status < 0 ? status : ksda_i_share_rows(&ip->model, &f, share);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_split_ip_build(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                                  ksda_share share, double omega, const uint32_t *pieces, ksda_i_split_ip *ip) {
    ends e = {NULL, NULL, NULL};
    ksda_status status = KSDA_NOMEM;
    memset(ip, 0, sizeof *ip);
    ksda_i_model_init(&ip->model, ctx);
    ip->model.timed = true;
    ip->base = ksda_i_malloc(ctx, (uint64_t)g->n + 1, sizeof *ip->base);
    ip->link = ksda_i_malloc(ctx, g->n, sizeof *ip->link);
    ip->theta = ksda_i_malloc(ctx, (uint64_t)c->count * (g->n + 1), sizeof *ip->theta);
    if (!ip->base || !ip->link || !ip->theta) goto done;
    ip->base[0] = 0;
    for (uint32_t u = 0; u < g->n; u++) {
        uint32_t most = ksda_i_degree(g, u);
        if (pieces && pieces[u] < most) most = pieces[u];
        ip->base[u + 1] = ip->base[u] + (most ? most : 1);
    }
    ip->active = ksda_i_malloc(ctx, ip->base[g->n], sizeof *ip->active);
    ip->degree = ksda_i_malloc(ctx, ip->base[g->n], sizeof *ip->degree);
    if (!ip->active || !ip->degree) goto done;
    if ((status = edge_columns(ip, g, c)) != KSDA_OK) goto done;
    piece_columns(ip, g, omega);
    for (uint64_t i = 0; !c->sets && i < (uint64_t)c->count * (g->n + 1); i++)
        ip->theta[i] = ksda_i_model_column(&ip->model, 0, 1, 0, true, "t_%u_%u", (unsigned)(i / (g->n + 1)),
                                           (unsigned)(i % (g->n + 1)));
    ip->model.offset = -omega * g->n - (double)g->m;
    if ((status = ip->model.status) != KSDA_OK) goto done;
    KSDA_I_TRY(collect_ends(ip, ip->base[g->n], &e));
    for (uint32_t u = 0; u < g->n && ip->model.status == KSDA_OK; u++)
        for (uint32_t i = 0; i < row_width(ip, u); i++) piece_rows(ip, g, c, &e, u, i);
    original_rows(ip);
    status = diversity_rows(ip, g, c, k, share);
done:
    ksda_i_free(ctx, e.start), ksda_i_free(ctx, e.column), ksda_i_free(ctx, e.original);
    return status;
}

void ksda_i_split_ip_clear(ksda_i_split_ip *ip) {
    ksda_ctx *ctx = ip->model.ctx;
    ksda_i_free(ctx, ip->base), ksda_i_free(ctx, ip->link), ksda_i_free(ctx, ip->active), ksda_i_free(ctx, ip->degree);
    ksda_i_free(ctx, ip->theta), ksda_i_free(ctx, ip->pair);
    ksda_i_model_clear(&ip->model);
}

/* --- back to edits ------------------------------------------------------------------------------------------------ */

/* name[piece of the model] = piece of the edits; inactive ones stay KSDA_NO_VERTEX. */
static ksda_status make_pieces(const ksda_i_split_ip *ip, const ksda_graph *g, const double *x, ksda_edits *edits,
                               uint32_t *name) {
    ksda_ctx *ctx = ip->model.ctx;
    for (uint32_t u = 0; u < g->n; u++) {
        bool first = true;
        for (uint32_t p = ip->base[u]; p < ip->base[u + 1]; p++) {
            name[p] = KSDA_NO_VERTEX;
            if (x[ip->active[p]] < 0.5) continue;
            if (first)
                name[p] = u;
            else {
                ksda_status status = ksda_edits_split(ctx, edits, u, &name[p]);
                if (status < 0) return status;
            }
            first = false;
        }
    }
    return KSDA_OK;
}

static ksda_status carry_edge(ksda_ctx *ctx, const ksda_graph *g, ksda_edits *edits, uint32_t u, uint32_t v,
                              uint32_t piece) {
    if (piece == u) return KSDA_OK; /* the first piece carries what nobody else does */
    return ksda_edits_carry(ctx, edits, u, (uint32_t)(ksda_i_graph_position(g, u, v) - g->off[u]), piece);
}

ksda_status ksda_i_split_ip_edits(const ksda_i_split_ip *ip, const ksda_graph *g, const double *x, ksda_edits **out) {
    ksda_ctx *ctx = ip->model.ctx;
    ksda_edits *edits = NULL;
    uint32_t *name = ksda_i_malloc(ctx, ip->base[g->n], sizeof *name);
    ksda_status status = KSDA_NOMEM;
    if (!name) goto done;
    KSDA_I_TRY(ksda_edits_new(ctx, g, &edits));
    KSDA_I_TRY(make_pieces(ip, g, x, edits, name));
    for (uint64_t p = 0; p < ip->pairs; p++) {
        const ksda_i_split_pair *q = &ip->pair[p];
        bool carried = !q->original;
        for (uint32_t i = 0; i < row_width(ip, q->u); i++)
            for (uint32_t j = 0; j < row_width(ip, q->v); j++) {
                uint32_t a = name[ip->base[q->u] + i], b = name[ip->base[q->v] + j];
                if (x[q->first + i * row_width(ip, q->v) + j] < 0.5) continue;
                if (carried)
                    KSDA_I_TRY(ksda_edits_add_edge(ctx, edits, a, b));
                else {
                    KSDA_I_TRY(carry_edge(ctx, g, edits, q->u, q->v, a));
                    KSDA_I_TRY(carry_edge(ctx, g, edits, q->v, q->u, b));
                }
                carried = true;
            }
    }
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t i = 0; i < row_width(ip, u); i++)
            for (uint32_t j = i + 1; j < row_width(ip, u); j++)
                if (x[link_column(ip, u, i, j)] > 0.5)
                    KSDA_I_TRY(ksda_edits_link(ctx, edits, name[ip->base[u] + i], name[ip->base[u] + j]));
    *out = edits, edits = NULL;
done:
    ksda_edits_free(ctx, edits);
    ksda_i_free(ctx, name);
    return status;
}
