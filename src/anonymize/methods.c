/* The table of methods. The command line, the sweep and the report list from it: a new method is one file and one row.
 */
#include "methods/levelplan/level_plan.h"
#include "methods/levelplan/limits.h"

#include "core/sized.h"
#include "privacy/diversity.h"

#include <math.h>
#include <stdio.h>

enum {
    ADDS = KSDA_METHOD_ADDS,
    SPLITS = KSDA_METHOD_SPLITS,
    ALWAYS = KSDA_METHOD_ALWAYS,
    BASELINE = KSDA_METHOD_BASELINE,
    STEPS = KSDA_METHOD_STEPS,
    OVERLAP = KSDA_METHOD_OVERLAP,
    SHARES = KSDA_METHOD_SHARES
};

static const ksda_method methods[] = {
    {"level-plan", "LevelPlan", "plans levels of degrees, finds the edges, proves a lower bound",
     ADDS | SPLITS | ALWAYS | OVERLAP | SHARES, ksda_i_level_plan_and_longer},
    {"edge-connect", "EdgeConnect", "adds edges only, largest degrees first; may fail", ADDS | STEPS | OVERLAP,
     ksda_i_edge_connect},
    {"inverse-edge-connect", "InverseEdgeConnect", "as edge-connect, but connects to the smallest degrees; may fail",
     ADDS | STEPS, ksda_i_inverse_edge_connect},
    {"create-by-split", "CreateBySplit", "as edge-connect, and splits where adding edges cannot do it; may fail",
     ADDS | SPLITS | STEPS, ksda_i_create_by_split},
    {"merge-by-split", "MergeBySplit", "smallest degrees first, splits into degrees of existing groups",
     ADDS | SPLITS | ALWAYS | STEPS, ksda_i_merge_by_split},
    {"flex-split", "FlexSplit", "as merge-by-split, and may split k vertices at once; fewer pieces",
     ADDS | SPLITS | ALWAYS | STEPS | OVERLAP, ksda_i_flex_split},
    {"splitting-only", "SplittingOnly", "flex-split without adding any edge", SPLITS | ALWAYS | STEPS,
     ksda_i_splitting_only},
    {"k-degree", "k-degree", "baseline by Liu and Terzi, blind to communities, may remove edges", ADDS | BASELINE,
     ksda_i_k_degree},
    {"optimal", "Optimal", "the cheapest release there is, proved; may take long, so give it a time limit",
     ADDS | SPLITS | SHARES | KSDA_METHOD_EXACT, ksda_i_optimal},
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

static const ksda_i_sized result_kind = KSDA_I_RESULT(ksda_anonymize_result, lower_bound);

static bool has_isolated(const ksda_graph *g) {
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) == 0) return true;
    return false;
}

/* A method has failed: add to its message which ones cannot on this network. */
static ksda_status advise(ksda_ctx *ctx, const ksda_graph *graph) {
    char why[sizeof ctx->message], text[256] = "";
    size_t used = 0;
    if (has_isolated(graph)) snprintf(text, sizeof text, "with isolated vertices no method is certain to succeed");
    for (size_t i = 0; i < sizeof methods / sizeof *methods && used < sizeof text && !has_isolated(graph); i++)
        if (methods[i].flags & KSDA_METHOD_ALWAYS)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", methods[i].name);
    if (used && used < sizeof text) snprintf(text + used, sizeof text - used, " would succeed");
    snprintf(why, sizeof why, "%s", ctx->message);
    return ksda_i_error(ctx, KSDA_NOT_FOUND, "%s; %s", why, text);
}

/* Vertices without a known community form one that does not count. Methods count all communities alike: with it, k of
 * them may be k - 1 known ones, but of k + 1 at least k are known. The first release is kept if it holds all the same;
 * what is proved about it is a bound for the second one, too, since every release with k known communities is one with
 * k. */
static ksda_status run_with_unknown(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                    const ksda_method *method, const ksda_anonymize_options *options, ksda_edits **out,
                                    ksda_anonymize_result *told) {
    ksda_communities all = *communities; /* borrows everything */
    ksda_anonymize_options more = *options;
    bool yes = false;
    all.counted = all.count;
    ksda_status status = ksda_i_check_together(ctx, communities);
    if (status >= 0) status = method->run(ctx, graph, &all, options, out, told);
    if (status < 0) return status;
    ksda_status counted = ksda_i_holds(ctx, graph, communities, *out, options->k, &yes);
    if (counted >= 0 && yes) return status;
    ksda_edits_free(ctx, *out);
    *out = NULL;
    if (counted < 0) return counted;
    double bound = told->lower_bound;
    uint64_t splits = told->least_added_vertices;
    more.k = options->k + 1;
    status = ksda_i_check_isolated(ctx, graph, &all, more.k);
    if (status >= 0) status = method->run(ctx, graph, &all, &more, out, told);
    told->lower_bound = bound;
    told->least_added_vertices = splits;
    told->least_added_edges = 0; /* proved for k + 1 only */
    return status;
}

/* Level-plan looks at few rows, but for the stages that keep tables of all pairs of vertices; the others, and what is
 * searched for with it, go through all of them. */
static bool works_apart(const ksda_method *method, const ksda_graph *graph, const ksda_communities *communities,
                        const ksda_anonymize_options *options) {
    return method == methods && graph->n > KSDA_I_LEVELSET_VERTICES && !communities->sets &&
           communities->counted == communities->count && options->favour != KSDA_FAVOUR_PLAUSIBLE &&
           options->bound_seconds <= 0;
}

ksda_status ksda_anonymize(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                           const ksda_method *method, const ksda_anonymize_options *options, ksda_edits **out,
                           ksda_anonymize_result *result) {
    ksda_anonymize_options full;
    ksda_anonymize_result told = {.lower_bound = NAN, .search_seconds = NAN};
    ksda_status status = KSDA_OK;
    *out = NULL;
    if (!method) method = methods;
    if (result) status = ksda_i_result_check(ctx, &result_kind, result);
    if (status >= 0) status = ksda_i_anonymize_options(ctx, graph, communities, method, options, &full);
    if (status < 0) return status;
    told.split_weight = full.split_weight;
    if (!works_apart(method, graph, communities, &full)) ksda_i_graph_need_all(graph);
    if (!communities->sets && communities->counted < communities->count && !(method->flags & KSDA_METHOD_BASELINE) &&
        !full.max_share.denominator) /* who plans shares leaves out of them who is not known */
        status = run_with_unknown(ctx, graph, communities, method, &full, out, &told);
    else
        status = method->run(ctx, graph, communities, &full, out, &told);
    if (status == KSDA_NOT_FOUND && !(method->flags & KSDA_METHOD_EXACT) && !full.max_share.denominator)
        return advise(ctx, graph);
    if (status < 0) return status;
    told.added_edges = ksda_edits_added(*out, NULL);
    told.added_vertices = ksda_edits_pieces(*out) - graph->n;
    told.split_vertices = ksda_edits_split_vertices(*out);
    told.cost = (double)told.added_edges + full.split_weight * (double)told.added_vertices;
    ksda_status wrong = ksda_i_bound_check(ctx, told.lower_bound, told.cost);
    if (wrong < 0) {
        ksda_edits_free(ctx, *out);
        *out = NULL;
        return wrong;
    }
    uint64_t least = ksda_i_least_edges(told.lower_bound, full.split_weight, told.added_vertices);
    if (least > told.least_added_edges) told.least_added_edges = least;
    if (result) ksda_i_result_give(&result_kind, result, &told);
    return status;
}
