/* formulation.h: the paper's two integer programs as models, and the way back from a solution to edits. */
#ifndef KSDA_I_FORMULATION_H
#define KSDA_I_FORMULATION_H

#include "bound/levels.h"
#include "lp/model.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/edits.h>

/* Columns alpha come first, one per candidate pair in the order of `pair`. */
typedef struct ksda_i_add_edge_ip {
    ksda_i_model model;
    ksda_pair *pair; /* [pairs] non-adjacent pairs inside a community, u < v */
    uint32_t pairs;
    uint64_t pair_room;
} ksda_i_add_edge_ip;

/* Formulation 1: Adding Edge. To be cleared also after a failure. KSDA_LIMIT when the time was over before the model
 * was whole: its status says so to the solver that is asked. */
ksda_status ksda_i_add_edge_ip_build(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                                     ksda_share share, ksda_i_add_edge_ip *out);
void ksda_i_add_edge_ip_clear(ksda_i_add_edge_ip *ip);
ksda_status ksda_i_add_edge_ip_edits(const ksda_i_add_edge_ip *ip, const ksda_graph *g, const double *x,
                                     ksda_edits **out);

/* Where the delta columns of a program are, for the rows of people in several communities. */
typedef struct ksda_i_degree_columns {
    const ksda_communities *communities; /* sets */
    uint32_t pieces, degrees;
    uint32_t (*owner)(const void *data, uint32_t piece);
    uint32_t (*delta)(const void *data, uint32_t piece, uint32_t degree); /* KSDA_I_NO_COLUMN: it cannot have it */
    const void *data;
} ksda_i_degree_columns;
/* That with community i k that count have a degree, theta [communities * degrees] saying which have which: (k - 1)
 * theta_id <= the others' that count, or k theta_id if i itself does not. */
void ksda_i_community_row(ksda_i_model *m, const ksda_communities *c, const uint32_t *theta, uint32_t degrees,
                          uint32_t k, uint32_t i, uint32_t d);
/* That k people in disjoint sets have every degree that occurs. */
ksda_status ksda_i_disjoint_rows(ksda_i_model *m, const ksda_i_degree_columns *f, uint32_t k);
/* That no community has more than this share of a degree, of which 0 of 0 is any. */
ksda_status ksda_i_share_rows(ksda_i_model *m, const ksda_i_degree_columns *f, ksda_share share);

/* A pair of vertices with columns for all pairs of their pieces: first + i * |S_v| + j. */
typedef struct ksda_i_split_pair {
    uint32_t u, v, first;
    bool original; /* eta; else alpha */
} ksda_i_split_pair;

typedef struct ksda_i_split_ip {
    ksda_i_model model;
    uint32_t *base;   /* [n + 1] the candidate pieces of u are base[u] .. base[u + 1] - 1 */
    uint32_t *link;   /* [n] the first beta of u */
    uint32_t *active; /* [pieces] pi */
    uint32_t *degree; /* [pieces] delta for degree 0; the others follow */
    uint32_t *theta;  /* [communities * (n + 1)] */
    ksda_i_split_pair *pair;
    uint64_t pairs, pair_room;
} ksda_i_split_ip;

/* Formulation 2: Adding Edge and Splitting Vertex, with at most pieces[u] pieces of u (NULL: as many as it has edges).
 * To be cleared also after a failure. KSDA_LIMIT as above. */
ksda_status ksda_i_split_ip_build(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                                  ksda_share share, double omega, const uint32_t *pieces, ksda_i_split_ip *out);
void ksda_i_split_ip_clear(ksda_i_split_ip *ip);
ksda_status ksda_i_split_ip_edits(const ksda_i_split_ip *ip, const ksda_graph *g, const double *x, ksda_edits **out);

#endif
