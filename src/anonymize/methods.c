/* The table of methods. The command line, the sweep and the report list from it: a new method is one file and one row. */
#include "anonymize/methods.h"

#include <math.h>

static const ksda_method methods[] = {
    {"level-plan", "LevelPlan", "plans degree levels, then finds the edges; proves how near the optimum it is",
     KSDA_METHOD_ADDS | KSDA_METHOD_SPLITS | KSDA_METHOD_ALWAYS, ksda_i_level_plan},
    {"edge-connect", "EdgeConnect", "adds edges only, largest degrees first; may fail", KSDA_METHOD_ADDS, ksda_i_edge_connect},
};

const ksda_method *ksda_methods(size_t *count) {
    *count = sizeof methods / sizeof *methods;
    return methods;
}

const ksda_method *ksda_method_find(const char *name) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return NULL;
}

void ksda_anonymize_options_init(ksda_anonymize_options *options) {
    *options = (ksda_anonymize_options){.size = sizeof *options, .k = 2};
}

ksda_status ksda_anonymize(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                           const ksda_method *method, const ksda_anonymize_options *options, ksda_edits **out,
                           ksda_anonymize_result *result) {
    ksda_anonymize_options full;
    ksda_anonymize_result told = {.lower_bound = NAN};
    ksda_anonymize_options_init(&full);
    if (options) memcpy(&full, options, options->size < sizeof full ? options->size : sizeof full);
    *out = NULL;
    if (full.k == 0 || full.k > communities->count)
        return ksda_i_error(ctx, KSDA_INVALID, "k = %u: must lie between 1 and %u, the number of communities", full.k,
                            communities->count);
    if (full.split_weight == 0) full.split_weight = (double)graph->n * graph->n;
    if (!(full.split_weight > 0) || isinf(full.split_weight))
        return ksda_i_error(ctx, KSDA_INVALID, "split weight %g: must be a positive number", full.split_weight);
    told.split_weight = full.split_weight;
    if (!method) method = methods;
    ksda_status status = method->run(ctx, graph, communities, &full, out, &told);
    if (status < 0) return status;
    told.added_edges = ksda_edits_added(*out, NULL);
    told.added_vertices = ksda_edits_pieces(*out) - graph->n;
    told.split_vertices = ksda_edits_split_vertices(*out);
    told.cost = (double)told.added_edges + full.split_weight * (double)told.added_vertices;
    if (result) *result = told;
    return status;
}
