/* level_plan.h: the parts of level-plan: lists, plan, split, realize, bound. docs/level-plan.md tells the whole story.
 *
 * A *level* is a degree that the release may contain: at least k communities have a vertex there. The plan says which
 * levels are open and at which one everybody ends; the realization finds the edges. */
#ifndef KSDA_I_LEVEL_PLAN_H
#define KSDA_I_LEVEL_PLAN_H

#include "bound/certificate.h"
#include "methods/methods.h"

#define KSDA_I_SPLIT UINT32_MAX /* the target of a vertex that is to be split */

/* How to search for a plan. */
typedef struct ksda_i_plan_options {
    uint32_t k;
    double split_weight; /* the price of one further piece; infinity forbids splitting */
    uint32_t width;      /* states kept per degree */
    uint32_t span;       /* how many lower degrees one level may collect */
    uint32_t variants;   /* ways tried of choosing who is pulled up */
    double
        pairing; /* how much of an edge a need saves that finds an open partner: 1, or less to look for other plans */
    const double *price;    /* [communities] factor on the estimated edges of each community, or NULL */
    const bool *strict;     /* [communities] no edges may be added to pieces of split vertices there */
    const uint32_t *slack;  /* [n] by list position: at most so much is added to it; may be tighter than lists->slack */
    const uint32_t *lifted; /* [n] by list position: so much below the degree of the lists it is; NULL: nobody */
    double below;           /* a plan that is as dear is not wanted; 0: any is */
} ksda_i_plan_options;

typedef struct ksda_i_placing {
    uint32_t vertex, level;
} ksda_i_placing;

typedef struct ksda_i_plan {
    uint32_t *target; /* [n] by vertex; KSDA_I_SPLIT: no level takes it whole */
    uint32_t levels;
    uint32_t *level; /* [levels] open ones, descending */
    uint32_t pieces;
    ksda_i_placing *
        piece; /* [pieces] where the pieces of the split vertices stand; a split vertex without any may be cut freely */
    double estimate;  /* of n_a + split_weight * n_s */
    ksda_share share; /* that no community is to be above at any level; 0 of 0: any */
    bool spread;      /* links and needs are spread evenly over the pieces of a vertex, not the largest's first */
} ksda_i_plan;

/* Find target degrees. *found is false when there is no plan within the limits of the search. */
ksda_status ksda_i_plan_make(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_i_plan_options *options,
                             ksda_i_plan *out, bool *found);
void ksda_i_plan_clear(ksda_ctx *ctx, ksda_i_plan *plan);

/* Vertices and pieces, numbered as in ksda_edits, with the degree each has before edges are added and the one it is to
 * reach. */
typedef struct ksda_i_pieces {
    uint32_t n, count; /* original vertices; pieces in all */
    uint64_t capacity;
    uint32_t *owner;   /* [count] */
    uint32_t *degree;  /* [count] original edges carried, and links */
    uint32_t *target;  /* [count] */
    ksda_edits *edits; /* splits, carried edges and links; no added edges yet */
    uint32_t *home;    /* community start offsets of member, or NULL while nothing is split */
    uint32_t *member;
} ksda_i_pieces;

/* Cut the vertices that the plan splits into pieces at open levels. *found is false when some vertex cannot be cut so.
 */
ksda_status ksda_i_pieces_make(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_i_plan *plan, double split_weight, ksda_i_pieces *out, bool *found);
void ksda_i_pieces_clear(ksda_ctx *ctx, ksda_i_pieces *pieces);

/* The order in which v's original edges are dealt out to its pieces, the largest piece first: those to other
 * communities, one community after the other, then those to its own. order [degree]; the low half of each is the place
 * in v's row. */
void ksda_i_deal_order(const ksda_graph *g, const ksda_communities *communities, uint32_t v, uint64_t *order);

/* What came of a realization. */
typedef struct ksda_i_realization {
    ksda_pair *edge;
    uint64_t edges;
    uint64_t *edges_of; /* [communities] */
    uint64_t unmet;     /* needs that found no partner */
    uint32_t *short_of; /* [pieces] how much each piece lacks */
} ksda_i_realization;

/* Add edges inside communities until every piece has its target degree; targets of absorbers are raised in place.
 * Communities are worked on in parallel; the result does not depend on the number of threads. */
ksda_status ksda_i_realize(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                           const ksda_i_plan *plan, ksda_i_pieces *pieces, uint32_t k, ksda_favour favour,
                           ksda_i_realization *out);
void ksda_i_realization_clear(ksda_ctx *ctx, ksda_i_realization *r);

/* Cut, realize and count: *complete says whether everybody has its target and every degree k communities. The caller
 * clears both. */
ksda_status ksda_i_plan_try(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                            const ksda_i_plan *plan, uint32_t k, double split_weight, ksda_favour favour,
                            ksda_i_pieces *pieces, ksda_i_realization *made, bool *complete);
/* The pieces' edits and the edges that realize them, in one; taken from the pieces. */
ksda_status ksda_i_plan_join(ksda_ctx *ctx, ksda_i_pieces *pieces, const ksda_i_realization *made, ksda_edits **out);

/* The fewest edges whose addition makes the network diverse and brings it within the share, fewer than `below`, by
 * trying all sets with at most `work` steps. *found: their number, edges in *out (owned by the caller), or UINT32_MAX.
 * *proved: fewer than so many edges do not do it; UINT32_MAX when no number does. */
ksda_status ksda_i_exhaustive_search(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     uint32_t k, ksda_share share, uint64_t work, uint32_t below, ksda_pair **out,
                                     uint32_t *found, uint32_t *proved);

/* What level-plan's caller does beside it. */
typedef struct ksda_i_plan_hooks {
    /* Takes complete releases that are not handed over because something cheaper was found, and owns them then; called
     * from the caller's thread. NULL: they are freed. */
    void (*runner_up)(void *payload, ksda_edits *edits);
    void *payload;
    /* Works on the proof for options->bound_seconds, from a known release of this cost; *out is a better one that it
     * found, or NULL. NULL: nobody does. */
    ksda_status (*longer)(ksda_ctx *ctx, const ksda_i_ranks *lists, const ksda_anonymize_options *options,
                          const ksda_edits *start, double cost, ksda_i_proof *proof, ksda_edits **out);
    /* Raises the bound of releases without splits, up to `enough` and within the work of the context. NULL: nobody
     * does.
     */
    ksda_status (*edges)(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double cost, double enough,
                         double *bound);
    /* The same for releases with splits. */
    ksda_i_proof_program *splits;
    /* The cheapest of the releases that a run on this network has handed over and passed on: searching again would lead
     * to it. NULL: search. */
    const ksda_edits *found;
    bool search_only; /* what is found is neither rewired nor held against a proof */
} ksda_i_plan_hooks;
/* Do runs with other weights find the same releases? Where people have several communities they do; else not on large
 * networks, and not with a share bound. */
bool ksda_i_level_plan_pools(const ksda_graph *graph, const ksda_communities *communities,
                             const ksda_anonymize_options *options);
/* level-plan as in the table of methods, with hooks. */
ksda_status ksda_i_level_plan_with(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   const ksda_anonymize_options *options, const ksda_i_plan_hooks *hooks,
                                   ksda_edits **out, ksda_anonymize_result *result);

#endif
