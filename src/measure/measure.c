/* Measuring one network: run the passes whose rows are wanted, each once, and time them.
 *
 * A pass fills every row it can; rows that were not asked for, or that lack what they need (communities, k), stay
 * unmeasured with the value NaN. */
#include "measure/measure.h"

#include "core/sized.h"

static const ksda_i_sized options_kind = KSDA_I_OPTIONS(ksda_measure_options, betweenness_samples);
static const ksda_i_sized result_kind = KSDA_I_RESULT(ksda_measures, overlap);

void ksda_measure_options_init_sized(ksda_measure_options *options, size_t size) {
    static const ksda_measure_options standard = {
        .budget = UINT64_C(20000000000), .measures = UINT64_MAX, .differences = UINT64_MAX};
    ksda_i_options_init(&options_kind, options, size, &standard);
}

ksda_status ksda_i_measure_options(ksda_ctx *ctx, const ksda_measure_options *options, ksda_measure_options *full) {
    ksda_measure_options_init(full);
    return ksda_i_options_take(ctx, &options_kind, options, full);
}

ksda_value *ksda_i_values_new(ksda_ctx *ctx, uint32_t count) {
    ksda_value *value = ksda_i_malloc(ctx, count, sizeof *value);
    for (uint32_t i = 0; value && i < count; i++) value[i] = ksda_i_unmeasured;
    return value;
}

void ksda_measures_clear(ksda_ctx *ctx, ksda_measures *measures) {
    if (!ksda_i_result_holds(&result_kind, measures)) return;
    ksda_i_free(ctx, measures->value);
    ksda_i_free(ctx, measures->degrees.count);
    ksda_i_free(ctx, measures->cores.count);
    ksda_i_free(ctx, measures->distances.count);
    ksda_i_result_empty(&result_kind, measures);
}

void ksda_i_measuring_clear(ksda_i_measuring *m) {
    ksda_i_free(m->ctx, m->component);
    ksda_i_free(m->ctx, m->component_size);
    ksda_i_free(m->ctx, m->eigen);
    m->component = m->component_size = NULL;
    m->eigen = NULL;
}

/* The rows of the table that come from one pass are neighbours or not; find them all. */
static bool pass_wanted(const ksda_i_measuring *m, ksda_i_pass pass) {
    for (uint32_t i = 0; i < ksda_i_measure_count; i++)
        if (ksda_i_measure_rows[i].pass == pass && ksda_i_wants(m, (ksda_measure_id)i)) return true;
    return false;
}

static bool pass_is_first(uint32_t id) {
    for (uint32_t i = 0; i < id; i++)
        if (ksda_i_measure_rows[i].pass == ksda_i_measure_rows[id].pass) return false;
    return true;
}

static void stamp_pass(ksda_i_measuring *m, ksda_i_pass pass, double seconds) {
    for (uint32_t i = 0; i < ksda_i_measure_count; i++)
        if (ksda_i_measure_rows[i].pass == pass) m->out->value[i].seconds = seconds;
}

void ksda_i_measuring_forget(ksda_i_measuring *m) {
    for (uint32_t i = 0; i < ksda_i_measure_count; i++) {
        ksda_value *v = &m->out->value[i];
        if (!ksda_i_wants(m, (ksda_measure_id)i)) *v = ksda_i_unmeasured;
        if (v->measured && !v->exact) m->out->exact = 0;
    }
}

ksda_status ksda_i_measuring_run(ksda_i_measuring *m) {
    ksda_status status = KSDA_OK;
    double start = ksda_i_now();
    ksda_measures *out = m->out;
    m->row = ksda_i_measure_rows;
    *out = (ksda_measures){.size = sizeof *out, .vertices = m->g->n, .edges = m->g->m, .exact = 1};
    if (m->communities) {
        out->communities = ksda_communities_set_count(m->communities);
        out->overlap = m->communities->sets != NULL;
    }
    out->value = ksda_i_values_new(m->ctx, ksda_i_measure_count);
    if (!out->value) return KSDA_NOMEM;
    out->values = ksda_i_measure_count;
    for (uint32_t i = 0; i < ksda_i_measure_count && status >= 0; i++) {
        ksda_i_pass pass = ksda_i_measure_rows[i].pass;
        if (!pass_is_first(i) || !pass_wanted(m, pass)) continue;
        double begin = ksda_i_now();
        status = pass(m);
        if (status >= 0) status = ksda_i_interrupted(m->ctx);
        stamp_pass(m, pass, ksda_i_now() - begin);
    }
    ksda_i_measuring_forget(m);
    out->seconds = ksda_i_now() - start;
    if (status < 0) ksda_measures_clear(m->ctx, out);
    return status < 0 ? status : KSDA_OK;
}

ksda_status ksda_measure(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         const ksda_measure_options *options, ksda_measures *out) {
    ksda_measure_options full;
    ksda_measures told = KSDA_INIT(ksda_measures);
    ksda_status status = ksda_i_result_check(ctx, &result_kind, out);
    if (status >= 0) status = ksda_i_measure_options(ctx, options, &full);
    if (status >= 0 && communities) status = ksda_i_communities_fit(ctx, communities, graph);
    if (status < 0) return status;
    ksda_i_measuring m = {.ctx = ctx, .g = graph, .communities = communities, .options = &full, .out = &told};
    ksda_i_graph_need_all(graph);
    status = ksda_i_measuring_run(&m);
    ksda_i_measuring_clear(&m);
    ksda_i_result_give(&result_kind, out, &told);
    return status;
}
