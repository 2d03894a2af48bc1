/* certificate.h: what is proved about the cost of every release, from all lower bounds together. */
#ifndef KSDA_I_CERTIFICATE_H
#define KSDA_I_CERTIFICATE_H

#include "bound/ranks.h"

#define KSDA_I_PROOF_CASES 3u /* numbers of splits that are looked at apart */

/* Releases with so many splits, and what is proved about them. */
typedef struct ksda_i_proof_case {
    uint32_t least, most;
    double bound, fractional_splits; /* of the relaxation, NaN: unknown */
    bool tried;                      /* all that the short proof can do is done: again it would prove the same */
} ksda_i_proof_case;

/* What is proved about the cost of releases without splits and of those with splits. Begins with zeros. */
typedef struct ksda_i_proof {
    double unsplit, split;                      /* infinity: there is none */
    uint32_t needed;                            /* splits, at least; known once it has begun */
    bool any[2];                                /* was a release seen without splits, or with splits, */
    double seen[2];                             /* and what did the cheapest one cost? */
    uint32_t cases;                             /* of releases with splits, once they were looked at, */
    ksda_i_proof_case with[KSDA_I_PROOF_CASES]; /* from where a longer proof goes on */
} ksda_i_proof;

/* What is proved about every release; nothing above the cost of the known one. */
double ksda_i_proof_least(const ksda_i_proof *proof, double cost);
/* A release was seen that costs so much. */
void ksda_i_proof_see(ksda_i_proof *proof, double cost, bool splits);
/* KSDA_INTERNAL when `bound`, proved about all releases of a kind, lies above the cost of one of them. NaN: nothing was
 * proved. */
ksda_status ksda_i_bound_check(ksda_ctx *ctx, double bound, double cost);
/* KSDA_INTERNAL when more is proved than one of those seen costs: then the proof is wrong, and nothing may rest on it.
 */
ksda_status ksda_i_proof_check(ksda_ctx *ctx, const ksda_i_proof *proof);
/* A bound from which on more is not worth looking for unasked. Splits that are known to be needed do not count: with a
 * large weight they would hide what the edges cost. */
double ksda_i_proof_enough(const ksda_i_proof *proof, double split_weight, double cost);
/* So much of the work is for ksda_i_proof_begin(): half of it, or all where ksda_i_proof_together() does nothing. */
uint64_t ksda_i_proof_begin_work(const ksda_i_ranks *lists, uint64_t work);
/* Raise both from the degrees of the communities, `cost` being that of a known release, with so much work. */
ksda_status ksda_i_proof_begin(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k,
                               double split_weight, double cost, uint64_t work, ksda_i_proof *proof);
/* Raise both, where that is worth it and the network is small enough, by plans of all communities together; the known
 * release has so many splits. quick: only of releases without splits. */
ksda_status ksda_i_proof_together(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight,
                                  double cost, uint32_t splits, bool quick, ksda_i_proof *proof);
/* Raises the bounds of so many cases, up to `enough` and within the work of the context. */
typedef ksda_status ksda_i_proof_program(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight,
                                         double cost, double enough, ksda_i_proof_case *cases, uint32_t count);
/* Raise that of releases with splits by such a program, the numbers of splits taken apart; the known release has so
 * many of them. */
ksda_status ksda_i_proof_by_levels(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight,
                                   double cost, uint32_t splits, ksda_i_proof_program *program, ksda_i_proof *proof);
/* Raise that of releases with splits until the time limit, from the cases that ksda_i_proof_together() has left; the
 * known release has so many splits. */
ksda_status ksda_i_proof_splits(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight, double cost,
                                uint32_t splits, ksda_i_proof *proof);
/* The fewest edges of a release with at most so many added vertices, where every release costs at least `bound`. */
uint64_t ksda_i_least_edges(double bound, double split_weight, uint64_t splits);

#endif
