/* The certificate of level-plan: what is proved about the cost of every release.
 *
 * Releases without splits and releases with splits are looked at apart, and the smaller one of the two
 * bounds is proved about all. Apart more can be proved: among the first nothing vanishes, and the exact method's bounds
 * hold; among the second at least one split is paid for whole, whereas a relaxation of both together splits a vertex a
 * little. */
#include "bound/lagrangian.h"
#include "bound/certificate.h"
#include "bound/colgen.h"

#include <float.h>
#include <math.h>

#define NEAR 0.98          /* of the cost beside splits that are needed: good enough without being asked */
#define DEAR 1e6           /* more edges than this are not looked at one by one */
#define CASES 3u           /* numbers of splits that are looked at apart */
#define MANY 3             /* splits, among which one more or less makes little difference */
#define LEAST_SECONDS 0.05 /* in which something can be proved */

double ksda_i_proof_least(const ksda_i_proof *proof, double cost) {
    return fmin(cost, fmin(proof->unsplit, proof->split));
}

/* n_a + w n_s >= bound for every release; so n_a >= bound - w s for those with n_s <= s. Rounded outward. */
uint64_t ksda_i_least_edges(double bound, double split_weight, uint64_t splits) {
    double paid = split_weight * (double)splits, least = bound - paid;
    double rounding = splits ? 4 * DBL_EPSILON * (fabs(bound) + paid) : 0;
    return least - rounding > 0 && least < 0x1p53 ? (uint64_t)ceil(least - rounding) : 0;
}

void ksda_i_proof_see(ksda_i_proof *proof, double cost, bool splits) {
    if (!proof->any[splits] || cost < proof->seen[splits]) proof->seen[splits] = cost;
    proof->any[splits] = true;
}

ksda_status ksda_i_bound_check(ksda_ctx *ctx, double bound, double cost) {
    if (!(bound > cost * (1 + 0x1p-48))) return KSDA_OK; /* both may have been rounded */
    return ksda_i_error(ctx, KSDA_INTERNAL,
                        "a lower bound of %.12g contradicts a release that costs %.12g: the proof is wrong, please "
                        "report this network",
                        bound, cost);
}

ksda_status ksda_i_proof_check(ksda_ctx *ctx, const ksda_i_proof *proof) {
    ksda_status status = proof->any[0] ? ksda_i_bound_check(ctx, proof->unsplit, proof->seen[0]) : KSDA_OK;
    if (status == KSDA_OK && proof->any[1]) status = ksda_i_bound_check(ctx, proof->split, proof->seen[1]);
    return status;
}

double ksda_i_proof_enough(const ksda_i_proof *proof, double split_weight, double cost) {
    double settled = fmin(split_weight * proof->needed, cost);
    return settled + NEAR * (cost - settled);
}

/* Would a better bound on releases without splits raise the smaller one of the two? */
static bool whole_matters(const ksda_i_proof *proof, double upto) {
    return proof->unsplit < fmin(proof->split, upto);
}

static void raise_to(double *bound, double to) {
    if (to > *bound) *bound = to;
}

ksda_status ksda_i_proof_begin(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k,
                               double split_weight, double cost, uint64_t work, ksda_i_proof *proof) {
    ksda_status status;
    double value;
    KSDA_I_TRY(ksda_i_splits_needed(ctx, lists, k, &proof->needed));
    uint32_t needed = proof->needed;
    uint64_t cells = work / KSDA_I_BOUND_UNITS / 2;  /* for each of the two */
    if (needed) raise_to(&proof->unsplit, INFINITY); /* there is none */
    raise_to(&proof->split, split_weight * (needed ? needed : 1));
    if (ksda_i_time_left(ctx) <= 0) goto done;
    if (proof->split < cost) {
        KSDA_I_TRY(ksda_i_lagrangian_bound(ctx, graph, lists, k, split_weight, needed ? needed : 1, cost, cells, NULL,
                                           &value));
        raise_to(&proof->split, value);
    }
    if (whole_matters(proof, cost)) { /* with a weight that no release of this cost can pay */
        KSDA_I_TRY(ksda_i_lagrangian_bound(ctx, graph, lists, k, ceil(cost) + 1, 0, ceil(cost), cells, NULL, &value));
        raise_to(&proof->unsplit, value);
    }
done:
    return status;
}

typedef struct question {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    uint32_t k;
    double split_weight, cost;
    uint32_t splits; /* of the known release of that cost */
    bool longer;     /* until the time limit */
} question;

/* The bound of plans of all communities together, for releases with so many splits. */
static ksda_status certify(const question *q, const ksda_i_colgen_splits *splits, double enough, bool longer,
                           double *bound, double *fractional_splits) {
    double value = *bound;
    if (*bound >= enough || ksda_i_time_left(q->ctx) <= 0) return KSDA_OK;
    ksda_status status = ksda_i_colgen_certify(q->ctx, q->graph, q->communities, q->k, splits, q->cost, enough, longer,
                                               &value, fractional_splits);
    if (status >= 0) raise_to(bound, value);
    return status;
}

/* Releases with so many splits, and what is proved about them. */
typedef struct interval {
    ksda_i_colgen_splits splits;
    double bound, fractional_splits;
} interval;

static ksda_status prove_interval(const question *q, interval *x, double enough, bool longer) {
    ksda_status status = certify(q, &x->splits, enough, longer, &x->bound, &x->fractional_splits);
    bool known = q->splits >= x->splits.least && q->splits <= x->splits.most;
    ksda_status wrong = known ? ksda_i_bound_check(q->ctx, x->bound, q->cost) : KSDA_OK;
    return wrong < 0 ? wrong : status;
}

/* The smallest bound of all. */
static interval *weakest(interval *x, uint32_t count) {
    interval *least = x;
    for (uint32_t i = 1; i < count; i++)
        if (x[i].bound < least->bound) least = x + i;
    return least;
}

/* Take it apart where the relaxation has no whole number of splits: then it cannot have it any more. */
static bool take_apart(interval *x, interval *other) {
    if (x->splits.least == x->splits.most || !(x->fractional_splits < MANY)) return false;
    uint32_t low = x->fractional_splits > x->splits.least ? (uint32_t)x->fractional_splits
                                                          : x->splits.least; /* not so by rounding, or unknown */
    if (low >= x->splits.most) low = x->splits.most - 1;
    *other = *x;
    x->splits.most = low, other->splits.least = low + 1;
    return true;
}

/* Half of the time that is left for the weakest, again and again, until that leads no further. */
static ksda_status prove_weakest(const question *q, interval *x, uint32_t count, double enough) {
    double left;
    ksda_status status = KSDA_OK;
    while ((left = ksda_i_time_left(q->ctx)) > LEAST_SECONDS && weakest(x, count)->bound < enough) {
        double deadline = ksda_i_limit_part(q->ctx, left / 2);
        status = prove_interval(q, weakest(x, count), enough, true);
        q->ctx->deadline = deadline;
        if (status != KSDA_LIMIT) break;
    }
    return status;
}

/* Releases with splits: the bound is that of the weakest case, which is taken apart a few times. */
static ksda_status prove_splits(const question *q, uint32_t least, bool few, double enough, double *bound) {
    ksda_status status = KSDA_OK;
    interval x[CASES] = {{.splits = {q->split_weight, least, (uint32_t)(q->cost / q->split_weight)},
                          .bound = *bound,
                          .fractional_splits = NAN}};
    uint32_t count = 1;
    double left_out = q->split_weight * (x->splits.most + 1.0); /* what releases with more splits cost at least */
    if (x->splits.most < least) return KSDA_OK;                 /* they all cost more */
    if (few) x->fractional_splits = least, count += take_apart(x, x + 1);
    for (uint32_t i = 0; i < count; i++) KSDA_I_TRY(prove_interval(q, x + i, enough, false));
    while (count < CASES) {
        interval *weak = weakest(x, count);
        if (weak->bound >= enough || !take_apart(weak, x + count)) break;
        KSDA_I_TRY(prove_interval(q, weak, enough, false));
        KSDA_I_TRY(prove_interval(q, x + count, enough, false));
        count++;
    }
    if (q->longer) KSDA_I_TRY(prove_weakest(q, x, count, enough));
    raise_to(bound, fmin(weakest(x, count)->bound, left_out));
done:
    return status;
}

ksda_status ksda_i_proof_together(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  uint32_t k, double split_weight, double cost, uint32_t splits, bool quick,
                                  ksda_i_proof *proof) {
    const ksda_i_colgen_splits nobody = {0};
    const question q = {ctx, graph, communities, k, split_weight, cost, splits, false};
    uint32_t least = proof->needed ? proof->needed : 1;
    ksda_status status = KSDA_OK;
    if (cost > DEAR) return KSDA_OK;
    double enough = ksda_i_proof_enough(proof, split_weight, cost);
    if (!quick) KSDA_I_TRY(prove_splits(&q, least, splits <= least, enough, &proof->split));
    KSDA_I_TRY(certify(&q, &nobody, fmin(proof->split, enough), false, &proof->unsplit, NULL));
done:
    return status;
}

ksda_status ksda_i_proof_splits(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                                double split_weight, double cost, uint32_t splits, ksda_i_proof *proof) {
    const question q = {ctx, graph, communities, k, split_weight, cost, splits, true};
    uint32_t least = proof->needed ? proof->needed : 1;
    double enough = fmin(cost, proof->unsplit);
    if (cost > DEAR || proof->split >= enough) return KSDA_OK;
    return prove_splits(&q, least, splits <= least, enough, &proof->split);
}
