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
    double needed = fmin(split_weight * proof->needed, cost);
    return needed + NEAR * (cost - needed);
}

/* Would a better bound on releases without splits raise the smaller one of the two? */
static bool whole_matters(const ksda_i_proof *proof, double upto) {
    return proof->unsplit < fmin(proof->split, upto);
}

static void raise_to(double *bound, double to) {
    if (to > *bound) *bound = to;
}

uint64_t ksda_i_proof_begin_work(const ksda_i_ranks *lists, uint64_t work) {
    return ksda_i_colgen_certifies(lists) ? work / 2 : work;
}

ksda_status ksda_i_proof_begin(ksda_ctx *ctx, const ksda_graph *graph, const ksda_i_ranks *lists, uint32_t k,
                               double split_weight, double cost, uint64_t work, ksda_i_proof *proof) {
    ksda_status status;
    double value;
    uint32_t needed;
    KSDA_I_TRY(ksda_i_splits_needed(ctx, lists, k, &needed));
    if (needed > proof->needed) proof->needed = needed;
    needed = proof->needed;
    if (needed) raise_to(&proof->unsplit, INFINITY); /* there is none */
    raise_to(&proof->split, split_weight * (needed ? needed : 1));
    bool both = proof->split < cost && !needed;
    uint64_t cells = work / KSDA_I_BOUND_UNITS / (both ? 2 : 1);
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
    const ksda_i_ranks *lists;
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
    ksda_status status =
        ksda_i_colgen_certify(q->ctx, q->lists, q->k, splits, q->cost, enough, longer, &value, fractional_splits);
    if (status >= 0) raise_to(bound, value);
    return status;
}

static ksda_status prove_case(const question *q, ksda_i_proof_case *x, double enough, bool longer) {
    const ksda_i_colgen_splits splits = {q->split_weight, x->least, x->most};
    ksda_status status = certify(q, &splits, enough, longer, &x->bound, &x->fractional_splits);
    x->tried = status == KSDA_OK && x->bound < enough && !ksda_i_work_over(q->ctx);
    bool known = q->splits >= x->least && q->splits <= x->most;
    ksda_status wrong = known ? ksda_i_bound_check(q->ctx, x->bound, q->cost) : KSDA_OK;
    return wrong < 0 ? wrong : status;
}

/* The smallest bound of all. */
static ksda_i_proof_case *weakest(ksda_i_proof_case *x, uint32_t count) {
    ksda_i_proof_case *least = x;
    for (uint32_t i = 1; i < count; i++)
        if (x[i].bound < least->bound) least = x + i;
    return least;
}

/* Take it apart where the relaxation has no whole number of splits: then it cannot have it any more. */
static bool take_apart(ksda_i_proof_case *x, ksda_i_proof_case *other) {
    if (x->least == x->most || !(x->fractional_splits < MANY)) return false;
    uint32_t low = x->fractional_splits > x->least ? (uint32_t)x->fractional_splits
                                                   : x->least; /* not so by rounding, or unknown */
    if (low >= x->most) low = x->most - 1;
    *other = *x;
    x->most = low, other->least = low + 1;
    x->tried = other->tried = false;
    return true;
}

/* Half of the time that is left for the weakest, again and again, until that leads no further. */
static ksda_status prove_weakest(const question *q, ksda_i_proof_case *x, uint32_t count, double enough) {
    double left;
    ksda_status status = KSDA_OK;
    while ((left = ksda_i_time_left(q->ctx)) > LEAST_SECONDS && weakest(x, count)->bound < enough) {
        double deadline = ksda_i_limit_part(q->ctx, left / 2);
        status = prove_case(q, weakest(x, count), enough, true);
        q->ctx->deadline = deadline;
        if (status != KSDA_LIMIT) break;
    }
    return status;
}

/* All releases with splits that do not cost more by these alone, as one case; as two where few would do. */
static void first_cases(const question *q, ksda_i_proof *proof) {
    uint32_t least = proof->needed ? proof->needed : 1, most = (uint32_t)(q->cost / q->split_weight);
    bool few = q->splits <= least;
    if (most < least) return; /* they all cost more */
    proof->with[0] = (ksda_i_proof_case){least, most, proof->split, few ? least : NAN, false};
    proof->cases = 1;
    if (few) proof->cases += take_apart(proof->with, proof->with + 1);
}

/* What is proved about all cases, and about releases with more splits than any of them. */
static void raise_by_cases(const question *q, ksda_i_proof *proof) {
    const ksda_i_proof_case *x = proof->with;
    uint32_t most = 0;
    for (uint32_t i = 0; i < proof->cases; i++)
        if (x[i].most > most) most = x[i].most;
    raise_to(&proof->split, fmin(weakest(proof->with, proof->cases)->bound, q->split_weight * (most + 1.0)));
}

/* Releases with splits: the bound is that of the weakest case, which is taken apart a few times. Goes on from the cases
 * that were looked at before. */
static ksda_status prove_splits(const question *q, double enough, ksda_i_proof *proof) {
    ksda_status status = KSDA_OK;
    ksda_i_proof_case *x = proof->with;
    if (proof->cases == 0) first_cases(q, proof);
    if (proof->cases == 0) return KSDA_OK;
    for (uint32_t i = 0; i < proof->cases; i++)
        if (!x[i].tried) KSDA_I_TRY(prove_case(q, x + i, enough, false));
    while (proof->cases < KSDA_I_PROOF_CASES) {
        ksda_i_proof_case *weak = weakest(x, proof->cases), *other = x + proof->cases;
        if (weak->bound >= enough || !take_apart(weak, other)) break;
        proof->cases++;
        KSDA_I_TRY(prove_case(q, weak, enough, false));
        KSDA_I_TRY(prove_case(q, other, enough, false));
    }
    if (q->longer) KSDA_I_TRY(prove_weakest(q, x, proof->cases, enough));
    raise_by_cases(q, proof);
done:
    return status;
}

ksda_status ksda_i_proof_together(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight,
                                  double cost, uint32_t splits, bool quick, ksda_i_proof *proof) {
    const ksda_i_colgen_splits nobody = {0};
    const question q = {ctx, lists, k, split_weight, cost, splits, false};
    ksda_status status = KSDA_OK;
    if (cost > DEAR) return KSDA_OK;
    double enough = ksda_i_proof_enough(proof, split_weight, cost);
    if (!quick) KSDA_I_TRY(prove_splits(&q, enough, proof));
    KSDA_I_TRY(certify(&q, &nobody, fmin(proof->split, enough), false, &proof->unsplit, NULL));
done:
    return status;
}

ksda_status ksda_i_proof_splits(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight, double cost,
                                uint32_t splits, ksda_i_proof *proof) {
    const question q = {ctx, lists, k, split_weight, cost, splits, true};
    double enough = fmin(cost, proof->unsplit);
    if (cost > DEAR || proof->split >= enough) return KSDA_OK;
    return prove_splits(&q, enough, proof);
}

ksda_status ksda_i_proof_by_levels(ksda_ctx *ctx, const ksda_i_ranks *lists, uint32_t k, double split_weight,
                                   double cost, uint32_t splits, ksda_i_proof_program *program, ksda_i_proof *proof) {
    const question q = {ctx, lists, k, split_weight, cost, splits, false};
    double enough = ksda_i_proof_enough(proof, split_weight, cost);
    if (cost > DEAR) return KSDA_OK;
    if (proof->cases == 0) first_cases(&q, proof);
    if (proof->cases == 0) return KSDA_OK;
    ksda_status status = program(ctx, lists, k, split_weight, cost, enough, proof->with, proof->cases);
    for (uint32_t i = 0; i < proof->cases && status >= 0; i++) {
        const ksda_i_proof_case *x = proof->with + i;
        ksda_status right = splits >= x->least && splits <= x->most ? ksda_i_bound_check(ctx, x->bound, cost) : KSDA_OK;
        if (right < 0) status = right;
    }
    raise_by_cases(&q, proof);
    return status;
}
