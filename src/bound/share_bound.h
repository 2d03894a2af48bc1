/* share_bound.h: what a share bound costs at least, and how people at their degrees look to it.
 *
 * By adding edges alone people only rise. Of each community it matters how many rise from each degree that occurs to
 * the next: with r(c, i) of these and n(c, i) people there at first, n(c, i) + r(c, i - 1) - r(c, i) stay, which must
 * not be negative nor above the share of all who stay there. That is linear, and an edge serves two rises of one.
 *
 * Two of the largest members who are adjacent already cannot serve each other. Let H be the members of c of degree D
 * and more, and x those who rise to D from below: at a level i from D on at least r(c, i) - x of H rise. All these
 * rises of H are ends of different edges, but for the edges between two of H who both rise:
 * e(c) >= sum of gap(i) * (r(c, i) - x) over any set of such levels, less these pairs. Let a(w) be how many others of H
 * w is not adjacent to, for w in H as well. The pairs are at most half the sum of a(w) over those of H who rise.
 * Somebody else, w, meets each of H once, a(w) of them, and what it rises by beyond a(w) takes half an edge more: half
 * of what all others rise by, less the sum of a(w) over those who do. Of the people of a level i, in H or below D, at
 * most r(c, i) rise, so that their sum is at most that of the r(c, i) largest a(w), which is concave in r(c, i): for
 * any number s, at most s * r(c, i) plus all that a(w) is above s by. (Who ends between two levels is taken for one who
 * ends at the lower one: rises only get smaller by that, and who does not rise then is in none of these sums.)
 *
 * And whoever rises beyond D is one of H or of the x who have come up to D, X at most: all rises beyond D are ends of
 * different edges, but for those inside H, those between H and the x, at most a(w) each, and x (x - 1) / 2 more, which
 * is at most x (X - 1) / 2. Rows of all three kinds are added where a solution breaks them. */
#ifndef KSDA_I_SHARE_BOUND_H
#define KSDA_I_SHARE_BOUND_H

#include "bound/ranks.h"
#include "core/ctx.h"

/* Pieces by level and community. Levels are the degrees that occur, ascending: a degree that nobody has would only be
 * dearer than the next one below. */
typedef struct ksda_i_share_levels {
    uint32_t communities, levels;
    uint32_t counted; /* communities from this number on, one at most, hold people of whom none is known: they rise as
                         others do, but are no part of any share */
    uint32_t *degree; /* [levels] */
    uint32_t *count;  /* [levels * communities] pieces */
    uint32_t *most;   /* [levels * communities] how many can rise from the level to the next: nobody gains more edges
                         than there are members not adjacent to it */
} ksda_i_share_levels;

/* From the degree, community and slack of each piece. KSDA_UNSUPPORTED where there are too many levels and communities
 * for a table. */
ksda_status ksda_i_share_levels_make(ksda_ctx *ctx, uint32_t pieces, const uint32_t *degree, const uint32_t *of,
                                     const uint32_t *slack, const ksda_communities *communities,
                                     ksda_i_share_levels *out);
void ksda_i_share_levels_clear(ksda_ctx *ctx, ksda_i_share_levels *levels);

static inline uint64_t ksda_i_share_cell(const ksda_i_share_levels *l, uint32_t level, uint32_t community) {
    return (uint64_t)level * l->communities + community;
}

/* Every release without splits adds at least *bound edges: the linear program by the default solver, proved by its
 * prices; infinity where it has no solution, 0 where there is no solver or the program is too large. lists: of the
 * network that the levels are of, for who is adjacent among the largest, or NULL: then it ends with the work of the
 * context, too. rise: NULL, or [levels * communities] what its solution has rise from each level, where *solved. */
ksda_status ksda_i_share_bound(ksda_ctx *ctx, const ksda_i_share_levels *levels, const ksda_i_ranks *lists,
                               ksda_share share, double *bound, double *rise, bool *solved);
/* Raise *bound by cases: a level is left by all, or has as many people as the share takes for one; so many of a
 * community rise, or more (share_cases.c). Ends with the work of the context, or above `enough`; nothing happens where
 * the program is large. */
ksda_status ksda_i_share_bound_cases(ksda_ctx *ctx, const ksda_i_share_levels *levels, const ksda_i_ranks *lists,
                                     ksda_share share, double enough, double *bound);
/* The same in whole numbers, for so many seconds: people and edges are not divided. An integer program, so it needs
 * child processes; *bound stays what it is where there is nothing better. */
ksda_status ksda_i_share_bound_whole(ksda_ctx *ctx, const ksda_i_share_levels *levels, const ksda_i_ranks *lists,
                                     ksda_share share, double seconds, double *bound);

/* Added vertices that every release needs by pigeonhole: the largest community may have no more than its share of all
 * published vertices whose community is known. */
uint64_t ksda_i_share_splits_needed(ksda_share share, uint32_t vertices, uint32_t largest);

#endif
