/* levelset.h: releases with few levels, for k near the number of communities. levelset.c chooses the levels,
 * from scratch with levelset_ladder.c, levelset_pieces.c puts everybody there, levelset_edges.c finds the edges. */
#ifndef KSDA_I_LEVELSET_H
#define KSDA_I_LEVELSET_H

#include "methods/levelplan/level_plan.h"
#include "privacy/census.h"
#include "methods/levelplan/limits.h"

/* How a community is brought to a level at which it is missing. */
typedef struct ksda_i_levelset_option {
    double cost;    /* INFINITY: not at all */
    uint32_t piece; /* to be raised, or */
    uint32_t split; /* the vertex to leave a piece; UINT32_MAX for the other */
    uint32_t community;
} ksda_i_levelset_option;

/* Everybody, in pieces, at one of few levels. Pieces 0 .. n-1 are the vertices themselves, further ones follow. */
typedef struct ksda_i_levelset {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t k;
    bool high;             /* of those who could move up a level for a vertex, the highest does */
    uint64_t shake;        /* other than 0: who is brought to a level is chosen with some chance, drawn from it */
    bool learning;         /* who was found not to get to a level is not asked for as much again */
    const uint32_t *level; /* [levels] ascending */
    uint32_t levels;
    const bool *fixed; /* by degree, up to the largest and one more: always levels, as k communities have them anyway */
    double bar;        /* layouts that cost as much are given up on the way */
    uint64_t degrees;  /* the sum over all pieces, of their levels */
    uint32_t count;
    uint32_t *owner;  /* [KSDA_I_LEVELSET_PIECES] */
    uint32_t *at;     /* [KSDA_I_LEVELSET_PIECES] which level */
    uint32_t *pieces; /* [n] of each vertex */
    uint32_t *around; /* [n] pieces that a piece of it can be adjacent to, without */
    uint32_t *extra;  /* [communities] further pieces of the members of its community */
    uint32_t *whole;  /* [n] around[] while nobody is split */
    uint32_t *reach;  /* [n] the degree that each was found to get to, where it was raised too far; UINT32_MAX: any */
    uint32_t *raised; /* [communities] members that are whole and have needs */
    uint32_t *around_row;           /* [2m] rows of the graph, neighbours in other communities first, */
    uint64_t *inside;               /* [n] and where those of the own begin */
    uint32_t *ranked;               /* [n] members of each community by descending degree */
    uint32_t *mirror;               /* [2m] where in the row of the other end each edge stands */
    uint32_t *needing;              /* [KSDA_I_LEVELSET_PIECES] scratch */
    uint32_t *deal_order;           /* [2m] the order in which edges are dealt; UINT32_MAX: not known yet */
    ksda_i_levelset_option *option; /* [communities] how each is brought to a level */
    ksda_i_census census;           /* of the levels, by their number */
    double weight;                  /* of a split, to compare ways */
    uint32_t *lacks;                /* [KSDA_I_LEVELSET_PIECES] what each piece lacks */
    uint32_t *score;                /* [n] how many who lack are around, outside its community, and */
    uint32_t *lacking;              /* [communities] how many there are within each */
    uint32_t *near;                 /* [n] stamp */
    uint32_t stamp;
} ksda_i_levelset;

/* How many pieces a piece of v can be adjacent to. */
static inline uint32_t ksda_i_levelset_around(const ksda_i_levelset *f, uint32_t v) {
    return f->around[v] + f->extra[f->communities->of[v]];
}
/* Fill in f->whole, around_row, inside, ranked and mirror. */
ksda_status ksda_i_levelset_look_around(ksda_i_levelset *f);
/* What a way costs as it is compared, up to a third more by chance; `number` says which one it is. */
double ksda_i_levelset_shaken(const ksda_i_levelset *f, uint64_t number, double cost);
/* A set of levels by degrees alone: the cheapest way down from a top level that is not below any fixed one, with those
 * above cut into pieces. level [most] gets those that are not fixed. *count 0: it would cost as much as `below` beside
 * these splits, or takes too many levels or too much work. */
ksda_status ksda_i_levelset_ladder(const ksda_i_levelset *f, uint32_t top, double below, uint32_t *level, uint32_t most,
                                   uint32_t *count);
/* Lay out the pieces for f->level, with fewer than so many splits; false when that cannot be done. */
bool ksda_i_levelset_lay_out(ksda_i_levelset *f, double splits);
/* What the layout would cost if needs found partners wherever others of the community are in need, too. */
double ksda_i_levelset_estimate(const ksda_i_levelset *f);
/* The same, as if siblings met their needs by links as far as can be. */
double ksda_i_levelset_least(const ksda_i_levelset *f);
/* After edges were looked for and not found: those who were raised to cover a level, and lack some there, are not asked
 * for as much again. False when there is nothing to be learnt. */
bool ksda_i_levelset_learn(ksda_i_levelset *f);
/* Split the vertex that helps most of those who lack, until each has as many further pieces around as it lacks, with
 * fewer than so many splits in all. */
bool ksda_i_levelset_help(ksda_i_levelset *f, double splits);
/* Cut vertex v, which lacks too much at its level, into two lower pieces that lack nothing; false when no two fit. */
bool ksda_i_levelset_cut(ksda_i_levelset *f, uint32_t v);

/* Piece x moves to another level. */
void ksda_i_levelset_move(ksda_i_levelset *f, uint32_t x, uint32_t to);
/* May piece x leave its level? */
bool ksda_i_levelset_may_leave(const ksda_i_levelset *f, uint32_t x);

/* Find the edges. f->lacks says what each piece still lacks, *unmet the sum; with 0 *out are the edits. Levels of
 * single pieces are raised on the way. */
ksda_status ksda_i_levelset_edges(ksda_i_levelset *f, uint64_t *unmet, ksda_edits **out);

/* Where a search begins. */
typedef enum ksda_i_levelset_start {
    KSDA_I_LEVELSET_EVERYWHERE,
    KSDA_I_LEVELSET_KNOWN, /* with the known set only, */
    KSDA_I_LEVELSET_GRID,  /* only with sets of few levels from a grid, */
    KSDA_I_LEVELSET_LADDER /* or only with the cheapest ways down by degrees */
} ksda_i_levelset_start;

/* What is looked for. */
typedef struct ksda_i_levelset_task {
    uint32_t k;
    double split_weight; /* sets of levels are compared with this weight */
    double below;        /* what is known costs so much */
    const uint32_t *known;
    uint32_t count;  /* known [count] are degrees, repetitions allowed, that together may be a good set of levels */
    uint32_t pass;   /* 0: begin with sets of few levels from a grid; otherwise the known set is changed, */
    uint32_t number; /* at random, drawn from this */
    /* Takes every release that is found, cheaper than what is known or not, and owns it. */
    ksda_status (*offer)(void *payload, ksda_edits *edits);
    void *payload;
    ksda_i_levelset_start start; /* of pass 0 */
} ksda_i_levelset_task;

/* Releases with few levels. */
ksda_status ksda_i_levelset_search(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const ksda_i_levelset_task *task);

#endif
