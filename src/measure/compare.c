/* Comparing a network with its release: both are measured, then what only the two together have is computed.
 * Individuals are people: the substitutes of one person are taken together wherever individuals are compared. */
#include "measure/measure.h"

void ksda_comparison_clear(ksda_ctx *ctx, ksda_comparison *comparison) {
    ksda_measures_clear(ctx, &comparison->original);
    ksda_measures_clear(ctx, &comparison->published);
    memset(comparison, 0, sizeof *comparison);
}

static bool wanted(const ksda_i_comparing *c, int id) {
    return (c->options->differences & KSDA_MEASURE_BIT(id)) != 0;
}

static bool first_wanted(const ksda_i_comparing *c, int id) {
    for (int i = 0; i < id; i++)
        if (ksda_i_difference_rows[i].pass == ksda_i_difference_rows[id].pass && wanted(c, i)) return false;
    return wanted(c, id);
}

static ksda_status run_differences(ksda_i_comparing *c) {
    ksda_status status = KSDA_OK;
    ksda_value *d = c->out->difference;
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++)
        d[i] = (ksda_value){.value = NAN, .low = NAN, .high = NAN, .exact = 1};
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++) {
        if (!first_wanted(c, i)) continue;
        double begin = ksda_i_now();
        status = ksda_i_difference_rows[i].pass(c);
        if (status >= 0) status = ksda_i_interrupted(c->ctx);
        if (status < 0) return status;
        for (int j = 0; j < KSDA_DIFFERENCE_COUNT; j++)
            if (ksda_i_difference_rows[j].pass == ksda_i_difference_rows[i].pass) d[j].seconds = ksda_i_now() - begin;
    }
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++) {
        if (!wanted(c, i)) d[i] = (ksda_value){.value = NAN, .low = NAN, .high = NAN, .exact = 1};
        if (d[i].measured && !d[i].exact) c->out->exact = 0;
    }
    return KSDA_OK;
}

static ksda_status run(ksda_i_comparing *c, const ksda_communities *published_communities) {
    ksda_status status = KSDA_OK;
    double start = ksda_i_now();
    ksda_comparison *out = c->out;
    c->before = (ksda_i_measuring){
        .ctx = c->ctx, .g = c->original, .communities = c->communities, .options = c->options, .out = &out->original};
    c->after = (ksda_i_measuring){.ctx = c->ctx,
                                  .g = c->published,
                                  .communities = published_communities,
                                  .options = c->options,
                                  .out = &out->published};
    KSDA_I_TRY(ksda_i_measuring_run(&c->before));
    KSDA_I_TRY(ksda_i_measuring_run(&c->after));
    out->exact = out->original.exact && out->published.exact;
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
    ksda_status status = KSDA_OK;
    ksda_communities *pulled = NULL;
    ksda_measure_options used;
    ksda_measure_options_init(&used);
    if (options) used = *options;
    used.k = k;
    memset(out, 0, sizeof *out);
    for (uint32_t p = 0; p < published->n; p++)
        if (owner[p] >= original->n)
            return ksda_i_error(ctx, KSDA_INVALID, "published vertex %u belongs to %u, the original has %u vertices",
                                (unsigned)p, (unsigned)owner[p], (unsigned)original->n);
    if (communities && communities->n != original->n)
        return ksda_i_error(ctx, KSDA_INVALID, "the communities are of %u vertices, the original has %u",
                            (unsigned)communities->n, (unsigned)original->n);
    if (communities) KSDA_I_TRY(ksda_i_communities_pull(ctx, communities, published->n, owner, NULL, &pulled));
    ksda_i_comparing c = {.ctx = ctx,
                          .original = original,
                          .published = published,
                          .communities = communities,
                          .owner = owner,
                          .options = &used,
                          .out = out};
    status = run(&c, pulled);
done:
    ksda_communities_free(ctx, pulled);
    if (status < 0) ksda_comparison_clear(ctx, out);
    return status;
}
