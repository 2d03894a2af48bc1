/* draft.h: a release while it is being changed edge by edge.
 *
 * Vertices are split as they are split; edges and links come and go, and original edges move between the pieces of a
 * vertex. What a change does to the degrees and to the communities at each of them is known at once, and changes can be
 * taken back. */
#ifndef KSDA_I_DRAFT_H
#define KSDA_I_DRAFT_H

#include "methods/levelplan/limits.h"
#include "methods/methods.h"
#include "privacy/census.h"

#define KSDA_I_DRAFT_STEP 32u /* the most changes that are taken back together */

/* What can be taken back: an edge that comes or goes, or an original edge that goes from one piece to another. */
typedef struct ksda_i_change {
    bool carries;
    uint32_t p, q;  /* the ends; or who carried it, and the piece at the other end */
    uint64_t place; /* which end of an original edge */
} ksda_i_change;

typedef struct ksda_i_draft {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t count, words, owner_words, degrees;
    uint32_t *owner;   /* [count] */
    uint32_t *of;      /* [count] community */
    uint32_t *sibling; /* [count] the next piece of the same vertex, in a ring */
    uint32_t *split;   /* [splits] vertices in pieces */
    uint32_t splits;
    uint32_t *home;   /* [communities + 2] offsets of member */
    uint32_t *member; /* [count] */
    uint64_t *known;  /* [n * owner_words] adjacent in the original */
    double stranger;  /* what an edge costs in `far` that joins two with no neighbour in common */

    uint32_t *carrier; /* [2m] the piece that carries each end of each original edge */
    uint32_t *dealt;   /* [2m] the one that did at first */
    uint64_t *made;    /* [count * words] added edges and links */
    uint64_t *tied;    /* [count * words] these and the original edges */
    uint32_t *making;  /* [count] how many made ones each has */
    uint32_t *carried; /* [count] how many original ones */
    uint32_t *degree;  /* [count] */
    uint32_t *order;   /* [count] pieces by ascending degree */
    uint32_t *at;      /* [count] where each is in order */
    uint32_t *start;   /* [degrees + 1] where each degree begins in order */
    ksda_i_census census;
    uint32_t *bad;    /* [bads] degrees out of order: fewer communities have them than they need */
    uint32_t *bad_at; /* [degrees] where in bad, or UINT32_MAX */
    uint32_t bads;
    uint64_t added; /* edges, without links */
    double far;     /* the sum over them of what joining strangers costs */
    ksda_i_change step[KSDA_I_DRAFT_STEP];
    uint32_t steps; /* changes since this was last set to 0 */

    uint64_t *kept_made;    /* [count * words] the release to go back to */
    uint32_t *kept_carrier; /* [2m] */
    uint64_t kept;          /* its added edges */
} ksda_i_draft;

/* Read a release with at most KSDA_I_DRAFT_PIECES pieces. ksda_i_draft_close() clears d, also after a failure. */
ksda_status ksda_i_draft_open(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                              ksda_share share, const ksda_edits *edits, double stranger, ksda_i_draft *d);
void ksda_i_draft_close(ksda_i_draft *d);
/* The release as it is now is the one to go back to. */
void ksda_i_draft_keep(ksda_i_draft *d);
void ksda_i_draft_go_back(ksda_i_draft *d);
/* Give original edges back to the pieces that carried them at first, as far as two can be exchanged: degrees stay as
 * they are. */
void ksda_i_draft_deal_again(ksda_i_draft *d);
/* The kept release. */
ksda_status ksda_i_draft_write(ksda_i_draft *d, ksda_edits **out);

/* An edge between p and q, or a link between siblings, comes or goes. One that comes must be allowed. */
void ksda_i_draft_toggle(ksda_i_draft *d, uint32_t p, uint32_t q);
/* Piece `to` of v carries the end of the original edge at that place of v's row; false if it is adjacent to the far end
 * already. */
bool ksda_i_draft_hand_over(ksda_i_draft *d, uint32_t v, uint64_t place, uint32_t to);
/* Take back all changes of the step. */
void ksda_i_draft_undo(ksda_i_draft *d);
/* May an edge be added between p and q? */
bool ksda_i_draft_may_add(const ksda_i_draft *d, uint32_t p, uint32_t q);

static inline bool ksda_i_draft_is_made(const ksda_i_draft *d, uint32_t p, uint32_t q) {
    return d->made[(uint64_t)p * d->words + q / 64] >> (q % 64) & 1;
}

#endif
