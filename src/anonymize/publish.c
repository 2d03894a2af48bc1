/* From a network to a release in one call: run a method, apply its edits, recount the result. The one place where a
 * release comes into being; what verify has not passed is not handed over. */
#include "anonymize/publish.h"

#include "attack/whole.h"
#include "bound/certificate.h"
#include "core/sized.h"
#include "graph/communities.h"
#include "graph/peers.h"
#include "graph/release.h"
#include "measure/measure.h"
#include "methods/methods.h"

#include <math.h>

static const ksda_i_sized kind = KSDA_I_OPTIONS(ksda_publish_options, seconds);

void ksda_publish_options_init_sized(ksda_publish_options *options, size_t size) {
    static const ksda_publish_options defaults = {.size = sizeof defaults};
    ksda_i_options_init(&kind, options, size, &defaults);
}

void ksda_publication_free(ksda_ctx *ctx, ksda_publication *publication) {
    if (!publication) return;
    ksda_release_clear(ctx, &publication->release);
    ksda_edits_free(ctx, publication->own_edits);
    ksda_i_free(ctx, publication->method);
    ksda_i_free(ctx, publication->witness);
    ksda_i_free(ctx, publication);
}

const ksda_release *ksda_publication_release(const ksda_publication *publication) {
    return &publication->release;
}
const ksda_edits *ksda_publication_edits(const ksda_publication *publication) {
    return publication->edits;
}
const ksda_anonymize_result *ksda_publication_result(const ksda_publication *publication) {
    return &publication->result;
}
const ksda_verification *ksda_publication_verification(const ksda_publication *publication) {
    return &publication->verification;
}
const uint32_t *ksda_publication_witnesses(const ksda_publication *publication, uint64_t *count) {
    *count = publication->witnesses;
    return publication->witness;
}
const ksda_value *ksda_publication_added_auc(const ksda_publication *publication) {
    return &publication->added_auc;
}
const char *ksda_publication_method(const ksda_publication *publication) {
    return publication->method;
}
uint32_t ksda_publication_k(const ksda_publication *publication) {
    return publication->k;
}

void ksda_i_publication_recounted(ksda_publication *publication, const ksda_verification *found, double seconds) {
    publication->verification = *found;
    publication->verify = seconds;
    publication->unverified = false;
}

/* --- making one --------------------------------------------------------------------------------------------------- */

/* What the edits cost, where nobody has told. */
static ksda_anonymize_result count_edits(const ksda_edits *edits) {
    double n = edits->graph->n;
    return (ksda_anonymize_result){.size = sizeof(ksda_anonymize_result),
                                   .split_weight = n * n,
                                   .added_edges = edits->added.count,
                                   .added_vertices = edits->extra,
                                   .split_vertices = (uint32_t)edits->splits,
                                   .cost = (double)edits->added.count + n * n * (double)edits->extra,
                                   .lower_bound = NAN,
                                   .search_seconds = NAN};
}

static ksda_status new_publication(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                   uint32_t k, const ksda_publish_options *o, ksda_publication **out) {
    const char *method = o->method ? o->method : "edits";
    ksda_publication *p = ksda_i_calloc(ctx, 1, sizeof *p);
    *out = p;
    if (!p) return KSDA_NOMEM;
    p->method = ksda_i_malloc(ctx, strlen(method) + 1, 1);
    if (p->method) strcpy(p->method, method);
    p->k = k, p->max_share = o->max_share;
    p->seed = ksda_ctx_seed(ctx);
    p->original = graph;
    p->communities = communities;
    p->release.size = sizeof p->release;
    p->result.size = sizeof p->result;
    p->verification.size = sizeof p->verification;
    p->added_auc = ksda_i_unmeasured;
    p->baseline = o->baseline, p->limited = o->limited, p->no_proof = o->no_proof;
    p->anonymize = o->seconds;
    return p->method ? KSDA_OK : KSDA_NOMEM;
}

/* Where a degree has none, verify says so. */
static ksda_status list_witnesses(ksda_ctx *ctx, ksda_publication *p) {
    ksda_i_free(ctx, p->witness);
    p->witnesses = 0;
    ksda_status status =
        ksda_witnesses(ctx, p->release.graph, p->release.communities, p->k, &p->witness, &p->witnesses);
    return status == KSDA_VIOLATED ? KSDA_OK : status;
}

/* Apply, and tell how the added edges look; where that is cut short, it is not told. */
static ksda_status make_release(ksda_ctx *ctx, ksda_publication *p, int insecure_ids) {
    uint32_t *to = NULL;
    bool lean = !p->communities->sets && ksda_i_release_is_lean(ctx, p->edits);
    ksda_status status = lean ? ksda_i_release_make_lean(ctx, p->edits, p->communities, insecure_ids, &p->release)
                              : ksda_i_release_make(ctx, p->edits, p->communities, insecure_ids, &to, &p->release);
    if (status >= 0) status = ksda_i_added_told(ctx, p->edits, p->communities, &p->release, to, &p->added_auc);
    ksda_i_free(ctx, to);
    return p->release.graph && ksda_i_cut_short(ctx, status) ? KSDA_OK : status;
}

static ksda_status apply_and_verify(ksda_ctx *ctx, ksda_publication *p, int insecure_ids) {
    double start = ksda_i_now(), made;
    ksda_status status;
    KSDA_I_TRY(make_release(ctx, p, insecure_ids));
    made = ksda_i_now();
    p->unverified = ctx->recounts && !p->communities->sets && p->release.graph->far && p->release.graph->far->inspect;
    if (p->communities->sets) KSDA_I_TRY(list_witnesses(ctx, p));
    if (!p->unverified)
        KSDA_I_TRY(ksda_verify_witnesses(ctx, p->original, p->communities, p->release.graph, p->release.owner, p->k,
                                         &p->max_share, p->witnesses, p->witness, &p->verification));
    p->anonymize += made - start - p->added_auc.seconds;
    p->verify = ksda_i_now() - made;
    if (!p->baseline && !p->unverified && !(p->verification.valid && p->verification.satisfied))
        status = ksda_i_error(ctx, KSDA_VIOLATED, "%s made a release that fails verification: %s", p->method,
                              p->verification.error);
done:
    if (status < 0) ksda_release_clear(ctx, &p->release);
    return status;
}

/* A release was found, so it is made and recounted whatever the time is: only cancelling stops that. */
static ksda_status complete(ksda_ctx *ctx, ksda_publication *p, int insecure_ids) {
    double end = ctx->end;
    bool asked = false;
    ksda_status status;
    ctx->end = 0;
    do {
        asked |= atomic_exchange(&ctx->finishing, 0) != 0;
        status = apply_and_verify(ctx, p, insecure_ids);
    } while (status == KSDA_INTERRUPTED && atomic_load(&ctx->finishing) && !atomic_load(&ctx->cancelled));
    ctx->end = end;
    if (asked) ksda_ctx_finish(ctx);
    return status == KSDA_VIOLATED
               ? ksda_i_error(ctx, KSDA_INTERNAL, "%s made a release that fails verification, which is a bug: %s",
                              p->method, p->verification.error)
               : status;
}

ksda_status ksda_publish_edits(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, uint32_t k,
                               const ksda_edits *edits, const ksda_publish_options *publish, ksda_publication **out) {
    static const ksda_i_sized result_kind = KSDA_I_RESULT(ksda_anonymize_result, lower_bound);
    ksda_publication *p = NULL;
    ksda_publish_options o;
    ksda_status status;
    *out = NULL;
    ksda_publish_options_init(&o);
    KSDA_I_TRY(ksda_i_options_take(ctx, &kind, publish, &o));
    if (edits->graph != graph) KSDA_I_TRY(ksda_i_error(ctx, KSDA_INVALID, "the edits are those of another graph"));
    KSDA_I_TRY(new_publication(ctx, graph, communities, k, &o, &p));
    p->edits = edits;
    p->result = count_edits(edits);
    KSDA_I_TRY(ksda_i_options_take(ctx, &result_kind, o.result, &p->result));
    uint64_t least = ksda_i_least_edges(p->result.lower_bound, p->result.split_weight, p->result.added_vertices);
    if (least > p->result.least_added_edges) p->result.least_added_edges = least;
    KSDA_I_TRY(apply_and_verify(ctx, p, o.insecure_ids));
    *out = p;
    return o.limited ? KSDA_LIMIT : KSDA_OK;
done:
    ksda_publication_free(ctx, p);
    return status;
}

ksda_status ksda_publish(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_method *method, const ksda_anonymize_options *options,
                         const ksda_publish_options *publish, ksda_publication **out) {
    ksda_publication *p = NULL;
    ksda_publish_options o;
    ksda_anonymize_options given;
    ksda_status status;
    size_t methods;
    double start = ksda_i_now();
    *out = NULL;
    ksda_publish_options_init(&o);
    KSDA_I_TRY(ksda_i_options_take(ctx, &kind, publish, &o));
    if (!method) method = ksda_methods(&methods);
    KSDA_I_TRY(ksda_i_anonymize_options(ctx, graph, communities, method, options, &given));
    if ((method->flags & KSDA_METHOD_BASELINE) && !o.baseline)
        KSDA_I_TRY(ksda_i_error(ctx, KSDA_INVALID,
                                "%s is a baseline: what it publishes is no k-SDA; ksda_publish_options.baseline asks "
                                "for it nevertheless",
                                method->name));
    o.method = method->name, o.no_proof = given.no_proof, o.seconds = 0, o.max_share = given.max_share;
    o.baseline = (method->flags & KSDA_METHOD_BASELINE) != 0;
    KSDA_I_TRY(new_publication(ctx, graph, communities, given.k, &o, &p));
    KSDA_I_TRY(ksda_anonymize(ctx, graph, communities, method, options, &p->own_edits, &p->result));
    p->edits = p->own_edits;
    p->limited = status == KSDA_LIMIT;
    p->anonymize = ksda_i_now() - start;
    KSDA_I_TRY(complete(ctx, p, o.insecure_ids));
    *out = p;
    return p->limited ? KSDA_LIMIT : KSDA_OK;
done:
    ksda_publication_free(ctx, p);
    return status;
}
