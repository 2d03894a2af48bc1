/* rewire.h: which edges to add, where several sets of them cost the same. rewire.c measures and decides, rewire_moves.c
 * exchanges edges inside one community. */
#ifndef KSDA_I_REWIRE_H
#define KSDA_I_REWIRE_H

#include "methods/levelplan/level_plan.h"

#define KSDA_I_UNREACHED 255u /* no landmark's distance; larger ones are cut off before it */

/* What a release does, each to be 0: relative changes, and half the squared distance of the eigenvectors. */
typedef enum ksda_i_distortion {
    KSDA_I_CLUSTERING,
    KSDA_I_PATHS,
    KSDA_I_BETWEENNESS,
    KSDA_I_CENTRALITY,
    KSDA_I_DISTORTIONS
} ksda_i_distortion;

/* What the edge between two pieces does to the network. */
typedef struct ksda_i_traits {
    double of[KSDA_I_DISTORTIONS];
} ksda_i_traits;

typedef struct ksda_i_rewiring {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    ksda_edits *edits;
    ksda_pair *edge; /* [edges] the added edges of edits */
    uint64_t edges;
    ksda_i_traits *trait; /* [edges] of those that may be exchanged */
    uint64_t *order;      /* [movable] edges that may be exchanged, by community */
    uint64_t movable;
    uint64_t *first; /* [communities + 1] where each community's begin in order */
    uint32_t pieces;
    uint32_t *owner; /* [pieces] */
    /* the network with vertices split and nothing added */
    ksda_graph *base;
    uint32_t landmarks;
    unsigned char *far; /* [pieces * landmarks] distances */
    unsigned char *hub; /* [pieces] distance to the most central piece */
    uint32_t centre;    /* that piece */
    /* the release as it is */
    uint32_t *start;        /* [communities + 1] of member */
    uint32_t *member;       /* [pieces] by community and degree, ascending */
    uint32_t *place;        /* [pieces] where each stands in member */
    uint32_t *level;        /* [pieces] the degree at each place of member */
    double *share;          /* [pieces] 2 / (d (d - 1)) */
    double *shown;          /* [pieces] the same when the round began, for other communities to look at */
    double *closed;         /* [pieces] triangles */
    double *value;          /* [pieces] eigenvector centrality */
    double *eigen_gradient; /* [pieces] how much distortion one unit more of it adds */
    double radius;          /* largest eigenvalue */
    uint32_t *chain_first;  /* [n] added edges at each vertex: index * 2 + end + 1, or 0 */
    uint32_t *chain;        /* [2 * edges] */
    double distortion[KSDA_I_DISTORTIONS];
    double weight[KSDA_I_DISTORTIONS];
    double scale[KSDA_I_DISTORTIONS]; /* what one unit of a trait of an edge changes */
    double *moved;  /* [communities * KSDA_I_DISTORTIONS] what the exchanges of this round were to change */
    uint32_t tries; /* candidates per edge and kind of exchange */
    uint32_t round;
} ksda_i_rewiring;

/* Scratch of one thread. */
typedef struct ksda_i_mover {
    ksda_i_rewiring *p;
    uint32_t *mark[2]; /* [pieces] stamps: neighbours of the two ends of the edge at hand */
    uint32_t stamp;
    double *moved;                  /* [KSDA_I_DISTORTIONS] what the exchanges in this community have changed so far */
    double due[KSDA_I_DISTORTIONS]; /* the community's part of the distortion */
} ksda_i_mover;

/* Exchange edges of community c where that distorts less. */
void ksda_i_rewire_community(ksda_i_mover *d, uint32_t c);
/* The traits of an edge as it is. */
ksda_i_traits ksda_i_rewire_traits(ksda_i_mover *d, uint32_t u, uint32_t w);

/* How much the edits distort as they are. */
typedef ksda_status (*ksda_i_judge)(void *payload, double *distortion);

/* Deal the edges of split vertices out again, where the judge finds less distortion than there is. circles: so much
 * more of it is accepted where pieces get circles of friends. singles: so many judgements may be spent on dealing
 * vertices one by one. */
ksda_status ksda_i_deal_again(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              ksda_edits *edits, ksda_i_judge judge, void *payload, double distortion, double circles,
                              uint32_t singles);

/* What the exchanges may take, and what has to hold of the release where added edges may also be chosen to look like
 * own ones. */
typedef struct ksda_i_disguising {
    uint64_t rewire_work; /* for everything else */
    uint64_t work;        /* for this: 0 where it is not wanted */
    uint32_t k;
    ksda_share share;
} ksda_i_disguising;

/* Choose again whom the added edges connect, so that the network stays nearer to what it was. Every piece keeps its
 * degree or hands it over to another piece of its community, and every edge stays inside its community: validity and
 * cost do not change. disguising: NULL, or added edges are also to look like own ones (plausible.h) where that is worth
 * more than what it distorts; pieces may then rise and sink by one as far as every degree keeps what it needs. */
ksda_status ksda_i_rewire(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                          ksda_favour favour, const ksda_i_disguising *disguising, ksda_edits *edits);

#endif
