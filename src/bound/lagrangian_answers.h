/* lagrangian_answers.h: the Lagrangian relaxation at given multipliers, in one of its cases. Proofs:
 * docs/level-plan.md. */
#ifndef KSDA_I_LAGRANGIAN_ANSWERS_H
#define KSDA_I_LAGRANGIAN_ANSWERS_H

#include "bound/lagrangian.h"
#include "bound/volume.h"

#define KSDA_I_LAGRANGIAN_GRID 0x1p-20    /* prices are whole numbers of this */
#define KSDA_I_LAGRANGIAN_HEAVIEST 0x1p30 /* what a split counts at most */

/* What is known of a level in a case. */
typedef enum ksda_i_level_state {
    KSDA_I_LEVEL_ANY = -1,
    KSDA_I_LEVEL_CLOSED = 0,
    KSDA_I_LEVEL_OPEN = 1
} ksda_i_level_state;

/* The variables are the multipliers s [communities * levels], those of open levels [levels], how charges are mixed
 * [communities], as a part of `mix`, and, unless splitting is left out, what a piece costs in each community
 * [communities], what a split costs [1], and what the edges of a piece at the highest level cost in each community,
 * where needs are not halved and where they are [2 * communities]. */
typedef struct ksda_i_lagrangian {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_i_ranks *lists;
    uint32_t k, communities;
    double weight;        /* of a split; infinity where splitting is left out */
    uint32_t splits;      /* known to be needed */
    bool carries;         /* edges that pieces carry have prices */
    double mix;           /* as far as the variable of a mixture goes: about as much as a community adds */
    uint32_t most_splits; /* that a release better than the known one can have */
    ksda_i_bound_levels levels;
    ksda_i_bound_list *list; /* [communities] */
    ksda_i_bound_use *use;   /* [communities] the last answers */
    uint32_t *level;         /* [levels] */
    uint32_t *most;          /* [communities] the largest a to look at */
    double *variable;        /* the best ones */
    int8_t *state;           /* [levels] of the case in hand */
    float *lately;           /* [communities * levels] how much of a level each has used of late, from 0 to 1 */
    double *price;           /* [communities * levels] p = s - (sum of s over the communities) / k */
    uint8_t *used;           /* [communities * levels] what use points to */
    double *sum;             /* [levels] */
    double *value;           /* [communities] */
    double **space;          /* [threads] */
} ksda_i_lagrangian;

uint64_t ksda_i_lagrangian_cells(const ksda_i_lagrangian *b);
uint64_t ksda_i_lagrangian_variables(const ksda_i_lagrangian *b);

/* Where the variables of each kind begin in an array of them. */
static inline double *ksda_i_lagrangian_opens(const ksda_i_lagrangian *b, const double *variable) {
    return (double *)variable + (uint64_t)b->communities * b->levels.count;
}
static inline double *ksda_i_lagrangian_mixes(const ksda_i_lagrangian *b, const double *variable) {
    return ksda_i_lagrangian_opens(b, variable) + b->levels.count;
}
static inline double *ksda_i_lagrangian_pieces(const ksda_i_lagrangian *b, const double *variable) {
    return ksda_i_lagrangian_mixes(b, variable) + b->communities;
}
static inline double *ksda_i_lagrangian_weight(const ksda_i_lagrangian *b, const double *variable) {
    return ksda_i_lagrangian_pieces(b, variable) + b->communities;
}

static inline double *ksda_i_lagrangian_carries(const ksda_i_lagrangian *b, const double *variable) {
    return ksda_i_lagrangian_weight(b, variable) + 1;
}

/* The bound at these variables, about releases of the case; infinity where there is none, -infinity where the numbers
 * are too large to say. */
double ksda_i_lagrangian_value(ksda_i_lagrangian *b, const double *variable);
/* For the volume algorithm. */
double ksda_i_lagrangian_value_and_gradient(void *data, const double *variable, double *gradient);
void ksda_i_lagrangian_project(void *data, double *variable);

/* Raise *bound, that of the best variables, by taking cases apart until all of them are bounded by enough or the work
 * is over. */
ksda_status ksda_i_lagrangian_cases(ksda_i_lagrangian *b, const ksda_i_volume *problem, double *bound);

#endif
