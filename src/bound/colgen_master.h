/* colgen_master.h: the edges that plans need, as a linear program over mixtures of plans. Between colgen.c and
 * colgen_master.c only. */
#ifndef KSDA_I_COLGEN_MASTER_H
#define KSDA_I_COLGEN_MASTER_H

#include "bound/colgen.h"
#include "lp/lp.h"

/* A vertex that may be raised: a member, or a vertex of the rest of the community that is brought to a level ("other").
 */
typedef struct ksda_i_colgen_unit {
    uint32_t list;  /* the anchor's number is that of the lists */
    uint32_t index; /* of a member in its list, or the level's number */
    uint32_t degree;
    bool other;
} ksda_i_colgen_unit;

/* What a row counts of a plan. */
typedef enum ksda_i_colgen_kind {
    KSDA_I_COLGEN_NEED,   /* edges at the unit >= its need */
    KSDA_I_COLGEN_MOST,   /* edges from the unit to `size` others <= min(size, its need) */
    KSDA_I_COLGEN_HELP,   /* edges from the member to others of its list <= how many of these there are */
    KSDA_I_COLGEN_MATES,  /* edges from one of these to the rest of them <= how many there are beside it */
    KSDA_I_COLGEN_POOL,   /* edges from one of these to members <= `size`, if it is there */
    KSDA_I_COLGEN_LINK,   /* both ends of the edges between members and others: nothing of a plan */
    KSDA_I_COLGEN_COUNT,  /* splits >= members that are split */
    KSDA_I_COLGEN_PIECES, /* pieces in list number `size` <= two for every member split, one for a further split */
    KSDA_I_COLGEN_MASS, /* degrees of pieces <= degrees of those that are split, two for a link, and edges to pieces */
    KSDA_I_COLGEN_ONE   /* the weights of the plans add up to 1 */
} ksda_i_colgen_kind;

typedef struct ksda_i_colgen_row {
    ksda_i_colgen_kind kind;
    uint32_t unit, size;
} ksda_i_colgen_row;

/* A plan as the program sees it. */
typedef struct ksda_i_colgen_entry {
    uint32_t *need;   /* [units] */
    uint32_t *others; /* [lists] how many are there */
    uint32_t *split;  /* [lists + 1] members that are, with the anchor's */
    uint32_t *pieces; /* [lists] */
    int64_t mass;     /* degrees of the pieces, less those of the split members of lists and two for each */
    uint8_t *open;    /* [levels] */
    uint8_t *uses;    /* [lists * levels] */
    uint32_t column;
    bool compatible; /* with the case in hand; the caller's */
} ksda_i_colgen_entry;

typedef struct ksda_i_colgen_master {
    ksda_ctx *ctx;
    uint32_t levels, lists; /* lists without the anchor */
    const uint32_t *level;  /* [levels] descending, borrowed */
    uint32_t *members;      /* [lists + 1] with the anchor */
    uint32_t *begin;        /* [lists + 2] units of a list: members first, then others by level */
    ksda_i_colgen_unit *unit;
    uint32_t units;
    uint32_t *further; /* [units] column of raising one of the anchor further than a plan does, or KSDA_I_NO_COLUMN */
    uint32_t **edge;   /* [lists + 1][members * members] columns */
    ksda_i_model model;
    ksda_i_lp *lp;
    uint32_t own;    /* columns that are no plans */
    uint32_t *tight; /* [own] the row that can pay for the column, or UINT32_MAX */
    ksda_i_colgen_row *row;
    uint64_t row_room;
    ksda_i_colgen_entry *plan;
    uint64_t plans, plan_room;
    double *red; /* [own] */
    ksda_i_colgen_splits splits;
    uint32_t low;       /* the largest degree of those who are no members */
    uint32_t to_pieces; /* first of the columns h, KSDA_I_NO_COLUMN where nobody may be split */
    uint32_t count_column, count_row, mass_row;
    uint32_t *pieces_row; /* [lists] */
} ksda_i_colgen_master;

/* allowed(payload, list, a, b): may the two members be joined? */
typedef struct ksda_i_colgen_pairs {
    bool (*allowed)(const void *payload, uint32_t list, uint32_t a, uint32_t b);
    const void *payload;
} ksda_i_colgen_pairs;

/* members [lists + 1], degree [lists + 1] points to their degrees, other [lists] the degree of others, highest [lists]
 * the level they can reach, 0 for none. */
ksda_status ksda_i_colgen_program_make(ksda_ctx *ctx, const ksda_i_solver *solver, uint32_t levels,
                                       const uint32_t *level, uint32_t lists, const uint32_t *members,
                                       const uint32_t *const *degree, const uint32_t *other, const uint32_t *highest,
                                       const ksda_i_colgen_pairs *pairs, const ksda_i_colgen_splits *splits,
                                       ksda_i_colgen_master *out);
void ksda_i_colgen_program_clear(ksda_i_colgen_master *p);

/* Take a plan in, unless it is there; *fresh says so. anchor [anchor's members]: its needs, or KSDA_I_COLGEN_SPLIT. */
ksda_status ksda_i_colgen_program_add(ksda_i_colgen_master *p, const ksda_i_colgen_plan *plan, const uint32_t *anchor,
                                      bool *fresh);

/* Add rows that x breaks and every plan's edges keep; how many. */
uint32_t ksda_i_colgen_program_cuts(ksda_i_colgen_master *p, const double *x);

/* Multipliers are whole numbers of this, and small enough that sums of them are exact in doubles. */
#define KSDA_I_COLGEN_GRID 0x1p-20
#define KSDA_I_COLGEN_EXACT 0x1p32 /* sums below this are */

/* Make the multipliers y [rows] >= 0 such that no edge is worth having for them, by raising some; the cheapest plan at
 * their prices is then a lower bound. All of it is exact. */
void ksda_i_colgen_program_repair(ksda_i_colgen_master *p, double *y);

/* What y asks of unit u for a need of b: price [units * (level[0] + 1)] at u * (level[0] + 1) + b; of others for the
 * need they have. */
ksda_status ksda_i_colgen_program_prices(const ksda_i_colgen_master *p, const double *y, double *price);

/* What y charges for a member of this degree that is split, in list c or the anchor, and for a piece in list c at a
 * level. */
double ksda_i_colgen_program_split(const ksda_i_colgen_master *p, const double *y, uint32_t c, uint32_t degree);
double ksda_i_colgen_program_piece(const ksda_i_colgen_master *p, const double *y, uint32_t c, uint32_t level);
/* And for all of these in plan number i. */
double ksda_i_colgen_program_splits(const ksda_i_colgen_master *p, const double *y, uint64_t i);
/* What y adds to the cheapest plan: splits that there must be, as far as plans are not charged for them; or takes off,
 * as far as plans are charged more than they cost, for as many as there can be. Rounded down. */
double ksda_i_colgen_program_constant(const ksda_i_colgen_master *p, const double *y);

/* About what plan number i costs: edges paired greedily. */
double ksda_i_colgen_program_estimate(const ksda_i_colgen_master *p, uint64_t i);

#endif
