/* few.h: releases with few levels, for k near the number of communities. few_levels.c chooses the levels, few_pieces.c
 * puts everybody there, few_edges.c finds the edges. */
#ifndef KSDA_I_FEW_H
#define KSDA_I_FEW_H

#include "anonymize/level_plan.h"

#define KSDA_I_FEW_PIECES 4096u /* the most pieces; adjacency among them is kept as bits */

/* Everybody, in pieces, at one of few levels. Pieces 0 .. n-1 are the vertices themselves, further ones follow. */
typedef struct ksda_i_few {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t k;
    bool high;             /* of those who could move up a level for somebody, the highest does */
    const uint32_t *level; /* [levels] ascending */
    uint32_t levels;
    uint32_t count;
    uint32_t *owner;   /* [KSDA_I_FEW_PIECES] */
    uint32_t *at;      /* [KSDA_I_FEW_PIECES] which level */
    uint32_t *pieces;  /* [n] of each vertex */
    uint32_t *around;  /* [n] pieces that a piece of it can be adjacent to */
    uint32_t *present; /* [levels * communities] pieces */
    uint32_t *cover;   /* [levels] communities */
    double weight;     /* of a split, to compare ways */
    uint32_t *lacks;   /* [KSDA_I_FEW_PIECES] what each piece lacks */
    uint32_t *score;   /* [n] how many who lack are around */
    uint32_t *near;    /* [n] stamp */
    uint32_t stamp;
} ksda_i_few;

/* Lay out the pieces for f->level, with fewer than so many splits; false when that cannot be done. */
bool ksda_i_few_lay_out(ksda_i_few *f, double splits);
/* What the layout would cost if all needs found partners. */
double ksda_i_few_estimate(const ksda_i_few *f);
/* Split whoever helps most of those who lack, until each has as many further pieces around as it lacks, with fewer than
 * so many splits in all. */
bool ksda_i_few_help(ksda_i_few *f, double splits);
/* Cut vertex v, which lacks too much at its level, into two lower pieces that lack nothing; false when no two fit. */
bool ksda_i_few_cut(ksda_i_few *f, uint32_t v);

/* Piece x moves to another level. */
void ksda_i_few_move(ksda_i_few *f, uint32_t x, uint32_t to);
/* May piece x leave its level? */
bool ksda_i_few_may_leave(const ksda_i_few *f, uint32_t x);

/* Find the edges. f->lacks says what each piece still lacks, *unmet the sum; with 0 *out are the edits. Levels of
 * single pieces are raised on the way. */
ksda_status ksda_i_few_edges(ksda_i_few *f, uint64_t *unmet, ksda_edits **out);

/* A release with few levels that costs less than `below`, or *out is NULL. known [count] are degrees, repetitions
 * allowed, that together may be a good set of levels. */
ksda_status ksda_i_few_levels(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                              double split_weight, double below, const uint32_t *known, uint32_t count,
                              ksda_edits **out, double *cost);

#endif
