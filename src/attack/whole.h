/* whole.h: attackers who look at a release as a whole: which edges are false, who was the reason for them, and which
 * vertices are pieces of one person. They are told what they look for, and scored on how well they find it. */
#ifndef KSDA_I_WHOLE_H
#define KSDA_I_WHOLE_H

#include "attack/attack.h"
#include "attack/traits.h"
#include "core/random.h"
#include "measure/likeness.h"

#include <ksda/edits.h>

/* What an edge of the release is. */
typedef enum ksda_i_edge_kind {
    KSDA_I_EDGE_OWN, /* of the original, inside a community: where an edge may be added */
    KSDA_I_EDGE_ADDED,
    KSDA_I_EDGE_LINK,  /* between pieces of one person */
    KSDA_I_EDGE_ACROSS /* of the original, between communities: everybody sees that it is true */
} ksda_i_edge_kind;
ksda_i_edge_kind ksda_i_edge_kind_of(const ksda_i_attacking *a, uint32_t p, uint32_t q);

/* The ends of added edges: entries of the release's rows, ascending. */
typedef struct ksda_i_ends {
    uint64_t count;
    uint64_t *entry;  /* [count] */
    uint32_t *vertex; /* [count] whose row it is in */
    bool sampled;     /* there are more of them */
} ksda_i_ends;
ksda_status ksda_i_ends_find(ksda_i_attacking *a, ksda_i_ends *out);
void ksda_i_ends_clear(ksda_ctx *ctx, ksda_i_ends *ends);

/* The edges of a vertex inside its community, with their scores: own ones, then added ones that are asked about, then
 * others that were added, which only have their ranks among them. */
typedef struct ksda_i_edge_row {
    uint32_t vertex;
    uint64_t own, asked, all;
    double *score;  /* [room * KSDA_I_LIKENESSES] edge by edge */
    double *column; /* [room] for one score, or whatever else the edges are ordered by */
    double *traits; /* [room * KSDA_I_TRAITS]; NULL: nobody is trained */
} ksda_i_edge_row;
enum {
    KSDA_I_EDGE_SAMPLE = 64 /* edges that are looked at where not all are */
};
ksda_status ksda_i_edge_row_open(ksda_ctx *ctx, uint64_t room, bool traits, ksda_i_edge_row *row);
void ksda_i_edge_row_close(ksda_ctx *ctx, ksda_i_edge_row *row);
/* The row of the vertex of the ends first .. last - 1, which are asked about. sample: not NULL: look at
 * KSDA_I_EDGE_SAMPLE of its edges where there are more; then room for one more than that suffices. */
void ksda_i_edge_row_read(const ksda_i_attacking *a, const ksda_i_ends *ends, uint64_t first, uint64_t last,
                          ksda_i_rng *sample, ksda_i_edge_row *row);
/* Fill the traits. level [degrees]: logarithm of how many vertices of the release have each degree. */
void ksda_i_edge_row_see(const ksda_graph *g, const double *level, ksda_i_edge_row *row);

/* trained.c: the table of trained attackers, and one more for each training that the options ask for. */
enum {
    KSDA_I_TRAINED =
#define TRAINED(...) 1 +
#include "attack/trained.def"
        0,
    KSDA_I_RANKINGS = KSDA_I_LIKENESSES + KSDA_I_TRAINED + 1 /* by scores and by trained attackers */
};
typedef struct ksda_i_trained {
    uint32_t count;
    const double *weight[KSDA_I_TRAINED + 1];
    double *level; /* [degrees of the release] as in ksda_i_edge_row_see() */
} ksda_i_trained;
/* given [KSDA_TRAIT_COUNT]: what is learned from the options' releases. */
ksda_status ksda_i_trained_open(ksda_i_attacking *a, double *given, ksda_i_trained *out);
void ksda_i_trained_close(ksda_ctx *ctx, ksda_i_trained *trained);

/* Each fills its part of the result, where there is room for the scores. trained: NULL, nobody is. */
ksda_status ksda_i_attack_added(ksda_i_attacking *a, const ksda_i_ends *ends, const ksda_i_trained *trained);
ksda_status ksda_i_attack_unmask(ksda_i_attacking *a, const ksda_i_ends *ends);
ksda_status ksda_i_attack_pieces(ksda_i_attacking *a);
/* How little suspicious the attacker of unmask.c finds a vertex of the release: the mean Jaccard likeness of its edges
 * inside the community; -1 where there are none. */
double ksda_i_attack_trust(const ksda_graph *g, const ksda_communities *communities, uint32_t v);

/* What added.c finds in a release that was just made, quickly: the worst score. to [pieces]: where each piece of the
 * edits stands in the release. Unmeasured where nothing was added, or the rows are with other processes. */
ksda_status ksda_i_added_told(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                              const ksda_release *release, const uint32_t *to, ksda_value *worst);

/* --- what they share ---------------------------------------------------------------------------------------------- */

/* A mean of numbers between 0 and 1, exact or of a sample: with its 95 % interval from sum and sum of squares. */
ksda_value ksda_i_mean(double sum, double squares, double count, bool exact);
/* The largest value; unmeasured where none is measured. */
ksda_value ksda_i_largest(const ksda_value *value, uint32_t count);
/* The larger of a value and its complement, where that is largest; unmeasured where no value is measured. */
ksda_value ksda_i_worst(const ksda_value *value, uint32_t count);
/* How many of count ascending numbers are below x, those that equal it half. */
double ksda_i_below(const double *sorted, uint64_t count, double x);
void ksda_i_sort_real(double *list, uint64_t count);

#endif
