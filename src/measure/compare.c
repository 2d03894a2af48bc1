/* Comparing a network with its release: both are measured, then what only the two together have is computed.
 * Individuals are people: the substitutes of one person are taken together wherever individuals are compared. */
#include "measure/measure.h"

#include "core/sized.h"

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_comparison, seconds);

void ksda_comparison_clear(ksda_ctx *ctx, ksda_comparison *comparison) {
    if (!ksda_i_result_holds(&kind, comparison)) return;
    if (comparison->original) ksda_measures_clear(ctx, comparison->original);
    if (comparison->published) ksda_measures_clear(ctx, comparison->published);
    ksda_i_free(ctx, comparison->original);
    ksda_i_free(ctx, comparison->published);
    ksda_i_free(ctx, comparison->difference);
    ksda_i_result_empty(&kind, comparison);
}

static bool wanted(const ksda_i_comparing *c, uint32_t id) {
    return (c->options->differences & KSDA_MEASURE_BIT(id)) != 0;
}

static bool first_wanted(const ksda_i_comparing *c, uint32_t id) {
    for (uint32_t i = 0; i < id; i++)
        if (ksda_i_difference_rows[i].pass == ksda_i_difference_rows[id].pass && wanted(c, i)) return false;
    return wanted(c, id);
}

static ksda_status run_differences(ksda_i_comparing *c) {
    ksda_status status = KSDA_OK;
    ksda_value *d = c->out->difference;
    for (uint32_t i = 0; i < ksda_i_difference_count; i++) {
        if (!first_wanted(c, i)) continue;
        double begin = ksda_i_now();
        status = ksda_i_difference_rows[i].pass(c);
        if (status >= 0) status = ksda_i_interrupted(c->ctx);
        if (status < 0) return status;
        for (uint32_t j = 0; j < ksda_i_difference_count; j++)
            if (ksda_i_difference_rows[j].pass == ksda_i_difference_rows[i].pass) d[j].seconds = ksda_i_now() - begin;
    }
    for (uint32_t i = 0; i < ksda_i_difference_count; i++) {
        if (!wanted(c, i)) d[i] = ksda_i_unmeasured;
        if (d[i].measured && !d[i].exact) c->out->exact = 0;
    }
    return KSDA_OK;
}

static ksda_status make_room(ksda_ctx *ctx, ksda_comparison *out) {
    out->original = ksda_i_calloc(ctx, 1, sizeof *out->original);
    out->published = ksda_i_calloc(ctx, 1, sizeof *out->published);
    out->difference = ksda_i_values_new(ctx, ksda_i_difference_count);
    out->differences = ksda_i_difference_count;
    return out->original && out->published && out->difference ? KSDA_OK : KSDA_NOMEM;
}

static ksda_status run_comparison(ksda_i_comparing *c, const ksda_communities *published_communities) {
    ksda_status status = KSDA_OK;
    double start = ksda_i_now();
    ksda_comparison *out = c->out;
    c->before = (ksda_i_measuring){
        .ctx = c->ctx, .g = c->original, .communities = c->communities, .options = c->options, .out = out->original};
    c->after = (ksda_i_measuring){.ctx = c->ctx,
                                  .g = c->published,
                                  .communities = published_communities,
                                  .options = c->options,
                                  .out = out->published};
    KSDA_I_TRY(ksda_i_measuring_run(&c->before));
    KSDA_I_TRY(ksda_i_measuring_run(&c->after));
    out->exact = out->original->exact && out->published->exact;
    KSDA_I_TRY(run_differences(c));
    ksda_i_measuring_forget(&c->before);
    ksda_i_measuring_forget(&c->after);
    out->seconds = ksda_i_now() - start;
done:
    ksda_i_measuring_clear(&c->before);
    ksda_i_measuring_clear(&c->after);
    return status;
}

ksda_status ksda_compare(ksda_ctx *ctx, const ksda_graph *original, const ksda_communities *communities,
                         const ksda_graph *published, const uint32_t *owner, uint32_t k,
                         const ksda_measure_options *options, ksda_comparison *out) {
    ksda_communities *pulled = NULL;
    ksda_measure_options used;
    ksda_comparison told = KSDA_INIT(ksda_comparison);
    ksda_status status = ksda_i_result_check(ctx, &kind, out);
    if (status >= 0) status = ksda_i_measure_options(ctx, options, &used);
    if (status < 0) return status;
    used.k = k;
    for (uint32_t p = 0; p < published->n; p++)
        if (owner[p] >= original->n)
            return ksda_i_error(ctx, KSDA_INVALID, "published vertex %u belongs to %u, the original has %u vertices",
                                (unsigned)p, (unsigned)owner[p], (unsigned)original->n);
    ksda_i_graph_need_all(original), ksda_i_graph_need_all(published);
    if (communities) KSDA_I_TRY(ksda_i_communities_fit(ctx, communities, original));
    if (communities) KSDA_I_TRY(ksda_i_communities_pull(ctx, communities, published->n, owner, NULL, &pulled));
    ksda_i_comparing c = {.ctx = ctx,
                          .original = original,
                          .published = published,
                          .communities = communities,
                          .owner = owner,
                          .options = &used,
                          .out = &told,
                          .row = ksda_i_difference_rows};
    KSDA_I_TRY(make_room(ctx, &told));
    KSDA_I_TRY(run_comparison(&c, pulled));
    ksda_i_result_give(&kind, out, &told);
done:
    ksda_communities_free(ctx, pulled);
    if (status < 0) ksda_comparison_clear(ctx, &told);
    return status;
}
