/* share_program.h: the linear program of a share bound, for those who solve it (share_bound.c, share_cases.c). */
#ifndef KSDA_I_SHARE_PROGRAM_H
#define KSDA_I_SHARE_PROGRAM_H

#include "bound/share_bound.h"

#include "lp/lp.h"
#include "lp/solver.h"

/* What is known of the largest members of a community and of who could meet them. */
typedef struct ksda_i_share_largest {
    const ksda_i_ranks *lists;
    uint32_t members;     /* so many */
    uint8_t *met;         /* [n] by place in the lists: members that it is adjacent to already */
    double *slope, *more; /* [levels] so many rise from a level: at most slope * so many + more meetings */
    double twice;         /* what that says at x of meetings of the largest with each other, each counted twice */
} ksda_i_share_largest;

typedef struct ksda_i_share_program {
    const ksda_i_share_levels *levels;
    ksda_share share;
    ksda_i_share_largest known;
    ksda_i_model model;
    ksda_i_lp *lp;
    uint8_t *written; /* [levels * communities] which rows are there; NULL: all */
    double *rise;     /* NULL, or takes what the first solution has rise from each level */
    bool solved;      /* there was one */
} ksda_i_share_program;

/* Is there a solver, and is it not too large for one? */
bool ksda_i_share_program_fits(const ksda_i_share_levels *levels);
/* lists: for rows about the largest members, or NULL. all: with the rows of every level and community; otherwise they
 * come when a solution breaks them, which is faster where it is solved again and again. *out is to be closed, whatever
 * comes of it. */
ksda_status ksda_i_share_program_open(ksda_ctx *ctx, const ksda_i_share_levels *levels, const ksda_i_ranks *lists,
                                      ksda_share share, bool all, ksda_i_share_program *out);
void ksda_i_share_program_close(ksda_i_share_program *program);

/* Solve it, with rows for the largest members as long as its solutions break some, so many rounds at most, or until the
 * bound is above `enough`. Raises *bound; *answer is the last one. KSDA_LIMIT where the time is over. */
ksda_status ksda_i_share_program_solve(ksda_i_share_program *program, uint32_t rounds, double enough, double *bound,
                                       ksda_i_lp_answer *answer);

/* The columns: how many of a community rise from a level to the next, how many of all whose community is known stay
 * there, the edges of a community. */
static inline uint32_t ksda_i_share_rise_column(const ksda_i_share_levels *l, uint32_t level, uint32_t community) {
    return (uint32_t)ksda_i_share_cell(l, level, community);
}
static inline uint32_t ksda_i_share_stay_column(const ksda_i_share_levels *l, uint32_t level) {
    return l->levels * l->communities + level;
}
static inline uint32_t ksda_i_share_edge_column(const ksda_i_share_levels *l, uint32_t community) {
    return l->levels * l->communities + l->levels + community;
}

#endif
