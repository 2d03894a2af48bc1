/* Every method, the frontier and the exact methods with hardly any time, on one small network: each release passes the
 * recount and costs what is said; a method that promises a release finds one; and no lower bound that is proved lies
 * above the cost of a release that is found. */
#include "network.h"

#include <ksda/anonymize.h>
#include <ksda/exact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct duel {
    ksda_network net;
    uint32_t k;
    ksda_anonymize_options options;
    double limit;                               /* seconds of the exact methods; of all when it is below 0 */
    double highest, lowest;                     /* bound and cost, for the split weight of all */
    double highest_adding, lowest_adding;       /* the same without splits */
    const char *impossible, *impossible_adding; /* who says so, or NULL */
} duel;

static bool at_most(double bound, double cost) {
    return !(bound > cost + 1e-9 * (1 + fabs(cost)));
}

static void set_limit(const duel *d, bool exact) {
    ksda_ctx_set_time_limit(fuzz_ctx(), exact || d->limit < 0 ? fabs(d->limit) : 0);
}

/* Make the release and recount it. */
static fuzz_verdict check_edits(const duel *d, const ksda_edits *edits, bool baseline) {
    ksda_release release = KSDA_INIT(ksda_release);
    fuzz_require(ksda_release_make(fuzz_ctx(), edits, d->net.communities, 1, &release) >= 0, "edits can be applied");
    fuzz_check_graph(release.graph);
    fuzz_verdict v = fuzz_verify(&d->net, release.graph, release.owner, d->k);
    fuzz_require(baseline || (v.valid && v.satisfied), "a release is valid and k-diverse");
    ksda_release_clear(fuzz_ctx(), &release);
    return v;
}

static void note_cost(duel *d, const fuzz_verdict *v, double weight) {
    double edges = (double)v->added_edges;
    d->lowest = fmin(d->lowest, edges + weight * (double)v->added_vertices);
    if (v->added_vertices == 0) d->lowest_adding = fmin(d->lowest_adding, edges);
}

/* --- the methods ------------------------------------------------------------------------------------------------- */

/* k-degree: every degree belongs to k vertices. */
static void check_baseline(const duel *d, const ksda_edits *edits) {
    ksda_graph *g;
    if (ksda_edits_apply(fuzz_ctx(), edits, &g) < 0) abort();
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t alike = 0;
        for (uint32_t w = 0; w < g->n; w++) alike += ksda_graph_degree(g, v) == ksda_graph_degree(g, w);
        fuzz_require(alike >= d->k, "the baseline is k-degree anonymous");
    }
    ksda_graph_free(fuzz_ctx(), g);
}

static void check_result(duel *d, const ksda_method *method, const ksda_edits *edits, const ksda_anonymize_result *r) {
    bool baseline = method->flags & KSDA_METHOD_BASELINE;
    fuzz_verdict v = check_edits(d, edits, baseline);
    double cost = (double)r->added_edges + r->split_weight * (double)r->added_vertices;
    fuzz_require(fabs(cost - r->cost) <= 1e-9 * (1 + cost), "the cost is that of its parts");
    if (baseline) {
        check_baseline(d, edits);
        return;
    }
    fuzz_require(v.added_edges == r->added_edges && v.added_vertices == r->added_vertices &&
                     v.split_vertices == r->split_vertices,
                 "the method counts as the recount does");
    fuzz_require(v.added_edges == 0 || method->flags & KSDA_METHOD_ADDS, "adds edges only where it says so");
    fuzz_require(v.added_vertices == 0 || method->flags & KSDA_METHOD_SPLITS, "splits only where it says so");
    fuzz_require(!(r->lower_bound < 0), "no bound is below 0");
    note_cost(d, &v, r->split_weight);
    if (!isnan(r->lower_bound)) d->highest = fmax(d->highest, r->lower_bound);
}

static void run_method(duel *d, const ksda_method *method) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_edits *edits = NULL;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    bool exact = method->flags & KSDA_METHOD_EXACT, baseline = method->flags & KSDA_METHOD_BASELINE;
    ksda_anonymize_options options = d->options;
    if (strcmp(method->name, "level-plan") != 0 && options.favour == KSDA_FAVOUR_PLAUSIBLE)
        options.favour = KSDA_FAVOUR_BALANCED; /* the others refuse it */
    set_limit(d, exact);
    ksda_status status = ksda_anonymize(ctx, d->net.graph, d->net.communities, method, &options, &edits, &result);
    if (status >= 0) {
        fuzz_require(status == KSDA_OK || status == KSDA_LIMIT, "done, or done within the limit");
        check_result(d, method, edits, &result);
    } else {
        fuzz_require(!edits, "nothing comes with a failure");
        fuzz_require(status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE, "a failure is a no");
        fuzz_require(*ksda_ctx_error(ctx)->message, "a no comes with a reason");
        fuzz_require(!(method->flags & KSDA_METHOD_ALWAYS) || fuzz_isolated(d->net.graph), "always means always");
        if (status == KSDA_INFEASIBLE && !baseline) d->impossible = method->name;
    }
    ksda_edits_free(ctx, edits);
}

static void run_frontier(duel *d, double weight) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    set_limit(d, false);
    if (ksda_frontier_search(ctx, d->net.graph, d->net.communities, &d->options, 3, &f) < 0) return;
    for (uint32_t i = 0; i < f.count; i++) {
        fuzz_verdict v = check_edits(d, f.point[i].edits, false);
        fuzz_require(v.added_edges == f.point[i].added_edges && v.added_vertices == f.point[i].added_vertices,
                     "a point counts as the recount does");
        fuzz_require(i == 0 || (f.point[i].added_vertices > f.point[i - 1].added_vertices &&
                                f.point[i].added_edges < f.point[i - 1].added_edges),
                     "no point beats another");
        fuzz_require(at_most(f.point[i].lower_bound, f.point[i].cost), "no point is below its bound");
        for (uint32_t j = 0; j < f.bounds; j++)
            fuzz_require(at_most(f.bound[j].lower_bound,
                                 (double)v.added_edges + f.bound[j].split_weight * (double)v.added_vertices),
                         "no point is below a bound of the frontier");
        note_cost(d, &v, weight);
    }
    if (f.count > 0) d->highest = fmax(d->highest, ksda_frontier_lower_bound(&f, weight));
    ksda_frontier_clear(ctx, &f);
}

static void run_optimal(duel *d, int split, const char *solver) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_optimal_options o;
    ksda_optimal_result r = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits = NULL;
    ksda_optimal_options_init(&o);
    o.k = d->k, o.split = split, o.split_weight = d->options.split_weight, o.solver = solver;
    set_limit(d, true);
    ksda_status status = ksda_optimal(ctx, d->net.graph, d->net.communities, &o, &edits, &r);
    fuzz_require(status >= 0 || status == KSDA_UNSUPPORTED, "the exact methods work");
    if (status < 0) return;
    bool found = r.status == KSDA_MODEL_OPTIMAL || r.status == KSDA_MODEL_FEASIBLE;
    fuzz_require(found == (edits != NULL), "a release where the status says so");
    if (found) {
        fuzz_verdict v = check_edits(d, edits, false);
        double cost = (double)v.added_edges + r.split_weight * (double)v.added_vertices;
        fuzz_require(fabs(cost - r.objective) <= 1e-6 * (1 + cost), "the objective is the cost");
        fuzz_require(split || v.added_vertices == 0, "splits only where allowed");
        fuzz_require(at_most(r.bound, r.objective), "no bound above its own release");
        note_cost(d, &v, r.split_weight);
    }
    double proved = r.status == KSDA_MODEL_OPTIMAL ? r.objective : r.bound;
    if (r.status == KSDA_MODEL_INFEASIBLE)
        *(split ? &d->impossible : &d->impossible_adding) = solver        ? solver
                                                            : r.reason[0] ? "ksda_optimal, with a reason"
                                                                          : "ksda_optimal";
    else if (!isnan(proved) && split)
        d->highest = fmax(d->highest, proved);
    else if (!isnan(proved))
        d->highest_adding = fmax(d->highest_adding, proved);
    ksda_edits_free(ctx, edits);
}

/* --- one input --------------------------------------------------------------------------------------------------- */

static void read_options(fuzz_bytes *in, duel *d) {
    static const double weight[] = {0, 1, 2, 0.25, 5, 17.3, 20, 100, 1e3, 1e-3};
    static const double limit[] = {0.05, 0.01, 0.002, -0.005};
    ksda_anonymize_options_init(&d->options);
    d->k = 1 + fuzz_take(in, ksda_communities_count(d->net.communities));
    d->options.k = d->k;
    d->options.split_weight = weight[fuzz_take(in, sizeof weight / sizeof *weight)];
    d->limit = limit[fuzz_take(in, sizeof limit / sizeof *limit)];
    d->options.favour = (ksda_favour)fuzz_take(in, 4);
    d->options.bound_seconds = fuzz_flag(in) ? 0.02 : 0;
    ksda_ctx_set_seed(fuzz_ctx(), 1 + fuzz_take(in, 8));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    duel d = {.lowest = INFINITY, .lowest_adding = INFINITY};
    fuzz_bytes in = {data, size};
    size_t methods;
    const ksda_method *method = ksda_methods(&methods);
    fuzz_network(&in, &d.net);
    read_options(&in, &d);
    double n = d.net.graph->n, weight = d.options.split_weight > 0 ? d.options.split_weight : n * n;
    bool cbc = fuzz_take(&in, 8) == 1; /* a process of its own each time, so seldom */
    for (size_t i = 0; i < methods; i++) run_method(&d, &method[i]);
    run_frontier(&d, weight);
    for (int split = 0; split < 2; split++) run_optimal(&d, split, NULL);
    for (int split = 0; split < 2 && cbc; split++) run_optimal(&d, split, "cbc");
    fuzz_require(at_most(d.highest, d.lowest), "no bound above a release that was found");
    fuzz_require(at_most(d.highest_adding, d.lowest_adding), "no bound without splits above a release without them");
    if (d.impossible) fprintf(stderr, "impossible, says %s\n", d.impossible);
    if (d.impossible_adding) fprintf(stderr, "impossible without splits, says %s\n", d.impossible_adding);
    fuzz_require(!d.impossible || isinf(d.lowest), "what was found is not impossible");
    fuzz_require(!(d.impossible || d.impossible_adding) || isinf(d.lowest_adding), "nor is it without splits");
    ksda_ctx_set_time_limit(fuzz_ctx(), 0);
    ksda_ctx_set_seed(fuzz_ctx(), 1);
    ksda_network_clear(fuzz_ctx(), &d.net);
    return 0;
}
