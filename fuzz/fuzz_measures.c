/* Measures of a small network, and of it beside a release, against their definitions computed the slow way; undefined
 * exactly where docs/measures.md says so, and never out of range. */
#include "network.h"

#include <ksda/anonymize.h>
#include <ksda/measure.h>
#include <ksda/privacy.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST = 96 /* vertices that the slow definitions are computed for */
};

typedef struct slow {
    uint32_t n, communities;
    uint64_t m;
    bool edge[MOST][MOST];
    uint32_t degree[MOST], distance[MOST][MOST]; /* UINT32_MAX where there is no path */
    double paths[MOST][MOST];                    /* shortest ones */
    uint32_t largest;                            /* degree */
} slow;

static void search_from(slow *s, uint32_t from) {
    uint32_t queue[MOST], head = 0, tail = 0;
    for (uint32_t v = 0; v < s->n; v++) s->distance[from][v] = UINT32_MAX, s->paths[from][v] = 0;
    s->distance[from][from] = 0, s->paths[from][from] = 1;
    for (queue[tail++] = from; head < tail; head++)
        for (uint32_t u = queue[head], v = 0; v < s->n; v++) {
            if (!s->edge[u][v]) continue;
            if (s->distance[from][v] == UINT32_MAX) s->distance[from][v] = s->distance[from][u] + 1, queue[tail++] = v;
            if (s->distance[from][v] == s->distance[from][u] + 1) s->paths[from][v] += s->paths[from][u];
        }
}

static void look_at(slow *s, const ksda_graph *g) {
    memset(s, 0, sizeof *s);
    s->n = g->n, s->m = g->m;
    for (uint32_t v = 0; v < g->n; v++) {
        s->degree[v] = ksda_graph_degree(g, v);
        if (s->degree[v] > s->largest) s->largest = s->degree[v];
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) s->edge[v][g->adj[i]] = true;
    }
    for (uint32_t v = 0; v < g->n; v++) search_from(s, v);
}

/* --- one measure at a time --------------------------------------------------------------------------------------- */

static bool near(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return fabs(a - b) <= 1e-7 * (1 + fabs(a) + fabs(b));
}

static double slow_clustering(const slow *s, bool global) {
    double sum = 0, triples = 0, closed = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        double pairs = s->degree[v] * (s->degree[v] - 1.0) / 2, both = 0;
        for (uint32_t a = 0; a < s->n; a++)
            for (uint32_t b = a + 1; b < s->n; b++) both += s->edge[v][a] && s->edge[v][b] && s->edge[a][b];
        if (s->degree[v] < 2) continue;
        count++, triples += pairs, closed += both, sum += both / pairs;
    }
    return global ? closed / triples : sum / count; /* 0 / 0 is NaN: undefined */
}

static void slow_distances(const slow *s, double *mean, double *largest, double *closeness) {
    double sum = 0, pairs = 0, near_sum = 0;
    uint32_t reaching = 0;
    *largest = s->m ? 0 : NAN;
    for (uint32_t u = 0; u < s->n; u++) {
        double mine = 0, reached = 0;
        for (uint32_t v = 0; v < s->n; v++) {
            if (u == v || s->distance[u][v] == UINT32_MAX) continue;
            mine += s->distance[u][v], reached++;
            *largest = fmax(*largest, s->distance[u][v]);
        }
        sum += mine, pairs += reached;
        if (reached > 0) reaching++, near_sum += reached / mine;
    }
    *mean = sum / pairs, *closeness = near_sum / reaching;
}

static void slow_betweenness(const slow *s, double *mean, double *central) {
    double b[MOST] = {0}, most = 0, sum = 0, spread = 0, n = s->n;
    for (uint32_t u = 0; u < s->n; u++)
        for (uint32_t w = u + 1; w < s->n; w++)
            for (uint32_t v = 0; v < s->n && s->distance[u][w] != UINT32_MAX; v++)
                if (v != u && v != w && s->distance[u][v] != UINT32_MAX && s->distance[v][w] != UINT32_MAX &&
                    s->distance[u][v] + s->distance[v][w] == s->distance[u][w])
                    b[v] += s->paths[u][v] * s->paths[v][w] / s->paths[u][w];
    for (uint32_t v = 0; v < s->n; v++) sum += b[v], most = fmax(most, b[v]);
    for (uint32_t v = 0; v < s->n; v++) spread += most - b[v];
    *mean = sum / n;
    *central = n < 3 ? NAN : spread / ((n - 1) * (n - 1) * (n - 2) / 2);
}

static double slow_assortativity(const slow *s) {
    double ends = 2.0 * (double)s->m, sum = 0, squares = 0, products = 0;
    for (uint32_t u = 0; u < s->n; u++)
        for (uint32_t v = 0; v < s->n; v++)
            if (s->edge[u][v]) {
                double x = s->degree[u], y = s->degree[v];
                sum += x, squares += x * x, products += x * y;
            }
    double variance = ends * squares - sum * sum; /* whole numbers: exact */
    return variance == 0 ? NAN : (ends * products - sum * sum) / variance;
}

/* Peel away those with fewer than k neighbours left, for k = 1, 2, ...: core[v] is the last k that v survives. */
static void slow_cores(const slow *s, uint32_t core[MOST]) {
    bool out[MOST] = {false};
    for (uint32_t v = 0; v < s->n; v++) core[v] = 0;
    for (uint32_t k = 1; k <= s->largest; k++) {
        for (bool again = true; again;) {
            again = false;
            for (uint32_t u = 0; u < s->n; u++) {
                uint32_t left = 0;
                for (uint32_t w = 0; w < s->n && !out[u]; w++) left += s->edge[u][w] && !out[w];
                if (!out[u] && left < k) out[u] = again = true;
            }
        }
        for (uint32_t v = 0; v < s->n; v++)
            if (!out[v]) core[v] = k;
    }
}

static double slow_modularity(const slow *s, const ksda_communities *c) {
    double m = (double)s->m, sum = 0;
    for (uint32_t u = 0; u < s->n; u++)
        for (uint32_t v = 0; v < s->n; v++)
            if (ksda_communities_of(c, u) == ksda_communities_of(c, v))
                sum += s->edge[u][v] - (double)s->degree[u] * s->degree[v] / (2 * m);
    return sum / (2 * m);
}

static void count_components(const slow *s, double *components, double *largest) {
    *components = *largest = 0;
    for (uint32_t u = 0; u < s->n; u++) {
        uint32_t first = u, size = 0;
        for (uint32_t v = 0; v < s->n; v++) {
            if (s->distance[u][v] == UINT32_MAX) continue;
            if (v < first) first = v;
            size++;
        }
        *components += first == u;
        *largest = fmax(*largest, size);
    }
}

/* --- all of one network ------------------------------------------------------------------------------------------ */

static void same(const ksda_measures *m, ksda_measure_id id, double expected) {
    const ksda_value *v = &m->value[id];
    fuzz_require(v->measured, "what was asked for is measured");
    if (!near(v->value, expected))
        fprintf(stderr, "%s: %.17g, should be %.17g\n", ksda_measure_info(id)->name, v->value, expected);
    fuzz_require(near(v->value, expected), "a measure is what its definition says");
    fuzz_require(isnan(v->value) || !v->exact || (v->low == v->value && v->high == v->value), "exact is exact");
}

static void check_paths(const slow *s, const ksda_measures *m) {
    double mean, largest, closeness, between, central;
    slow_distances(s, &mean, &largest, &closeness);
    slow_betweenness(s, &between, &central);
    same(m, KSDA_MEASURE_ASPL, mean);
    same(m, KSDA_MEASURE_DIAMETER, largest);
    same(m, KSDA_MEASURE_CLOSENESS, closeness);
    same(m, KSDA_MEASURE_BETWEENNESS_MEAN, between);
    same(m, KSDA_MEASURE_BETWEENNESS_CENTRALIZATION, central);
    double effective = m->value[KSDA_MEASURE_EFFECTIVE_DIAMETER].value;
    fuzz_require(s->m ? effective >= 0 && effective <= largest : isnan(effective),
                 "the effective diameter is in range");
}

static void check_degrees(const slow *s, const ksda_measures *m) {
    double n = s->n, spread = 0, deepest = 0, depths = 0, components, largest;
    uint32_t core[MOST];
    slow_cores(s, core);
    for (uint32_t v = 0; v < s->n; v++) {
        spread += s->largest - s->degree[v], depths += core[v], deepest = fmax(deepest, core[v]);
    }
    count_components(s, &components, &largest);
    same(m, KSDA_MEASURE_DEGREE_CENTRALIZATION, n < 3 ? NAN : spread / ((n - 1) * (n - 2)));
    same(m, KSDA_MEASURE_MEAN_DEGREE, 2.0 * (double)s->m / n);
    same(m, KSDA_MEASURE_MAX_DEGREE, s->largest);
    same(m, KSDA_MEASURE_DEGENERACY, deepest);
    same(m, KSDA_MEASURE_MEAN_CORENESS, depths / n);
    same(m, KSDA_MEASURE_COMPONENTS, components);
    same(m, KSDA_MEASURE_LARGEST_COMPONENT, largest);
    same(m, KSDA_MEASURE_ASSORTATIVITY, slow_assortativity(s));
    double radius = m->value[KSDA_MEASURE_SPECTRAL_RADIUS].value;
    fuzz_require(radius >= 2.0 * (double)s->m / n - 1e-6 && radius <= s->largest + 1e-6, "the radius is in range");
}

static void check_measures(const ksda_graph *g, const ksda_communities *c, uint32_t k, const ksda_measures *m) {
    static slow s;
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    look_at(&s, g);
    check_paths(&s, m);
    check_degrees(&s, m);
    same(m, KSDA_MEASURE_CLUSTERING, slow_clustering(&s, false));
    same(m, KSDA_MEASURE_GLOBAL_CLUSTERING, slow_clustering(&s, true));
    if (!c) return;
    same(m, KSDA_MEASURE_MODULARITY, s.m ? slow_modularity(&s, c) : NAN);
    if (k == 0) return;
    fuzz_require(ksda_diversity_check(fuzz_ctx(), g, c, k, &d) >= 0, "the check works");
    same(m, KSDA_MEASURE_VIOLATIONS, d.violating_vertices);
    same(m, KSDA_MEASURE_LARGEST_K, d.largest_k);
    ksda_diversity_clear(fuzz_ctx(), &d);
}

/* Sampled values have no slow definition; they and their intervals are numbers where the exact ones are. */
static void check_sampled(const ksda_measures *m) {
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++) {
        const ksda_value *v = &m->value[i];
        if (!v->measured || isnan(v->value)) continue;
        fuzz_require(isfinite(v->value) && v->low <= v->value && v->value <= v->high, "a value lies in its interval");
    }
}

/* --- two networks ------------------------------------------------------------------------------------------------ */

static double disconnected(const ksda_network *net, const ksda_release *r) {
    static slow before, after;
    double pairs = 0, lost = 0;
    look_at(&before, net->graph);
    look_at(&after, r->graph);
    for (uint32_t u = 0; u < before.n; u++)
        for (uint32_t v = u + 1; v < before.n; v++) {
            bool still = false;
            if (before.distance[u][v] == UINT32_MAX) continue;
            for (uint32_t p = 0; p < after.n; p++)
                for (uint32_t q = 0; q < after.n && r->owner[p] == u; q++)
                    still |= r->owner[q] == v && after.distance[p][q] != UINT32_MAX;
            pairs++, lost += !still;
        }
    return pairs > 0 ? lost / pairs : 0;
}

static double difference(const ksda_comparison *c, ksda_difference_id id) {
    return c->difference[id].measured ? c->difference[id].value : NAN;
}

static void check_change(const ksda_network *net, const ksda_release *r, const fuzz_verdict *v,
                         const ksda_comparison *c) {
    double n = net->graph->n, m = (double)net->graph->m, split = v->split_vertices;
    fuzz_require(near(difference(c, KSDA_DIFFERENCE_ADDED_EDGES), (double)v->added_edges), "added edges");
    fuzz_require(near(difference(c, KSDA_DIFFERENCE_ADDED_VERTICES), (double)v->added_vertices), "added vertices");
    fuzz_require(near(difference(c, KSDA_DIFFERENCE_REMOVED_EDGES), 0), "removed edges");
    fuzz_require(near(difference(c, KSDA_DIFFERENCE_SPLIT_VERTICES_SHARE), split / n), "split vertices");
    if (m > 0)
        fuzz_require(near(difference(c, KSDA_DIFFERENCE_ADDED_EDGES_SHARE), (double)v->added_edges / m), "share");
    double lost = difference(c, KSDA_DIFFERENCE_DISCONNECTED_PAIRS);
    fuzz_require(near(lost, disconnected(net, r)) || (m == 0 && isnan(lost)), "disconnected pairs");
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++) {
        const ksda_value *value = &c->difference[i];
        if (!value->measured || isnan(value->value)) continue;
        bool unbounded = i >= KSDA_DIFFERENCE_ADDED_EDGES || i == KSDA_DIFFERENCE_DEGREE_EMD;
        fuzz_require(isfinite(value->value), "a difference is a number");
        fuzz_require(unbounded || fabs(value->value) <= 1 + 1e-6, "correlations, shares and distances are at most 1");
    }
}

static void compare(fuzz_bytes *in, const ksda_network *net, uint32_t k, const ksda_measure_options *o) {
    static const char *const names[] = {"level-plan", "splitting-only", "flex-split", "merge-by-split"};
    ksda_ctx *ctx = fuzz_ctx();
    ksda_anonymize_options a;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_release r = KSDA_INIT(ksda_release);
    ksda_comparison c = KSDA_INIT(ksda_comparison);
    ksda_anonymize_options_init(&a);
    a.k = k;
    const ksda_method *method = ksda_method_find(names[fuzz_take(in, 4)]);
    if (ksda_anonymize(ctx, net->graph, net->communities, method, &a, &edits, &result) < 0) return;
    if (ksda_release_make(ctx, edits, net->communities, 1, &r) < 0) abort();
    ksda_edits_free(ctx, edits);
    ksda_status status = ksda_compare(ctx, net->graph, net->communities, r.graph, r.owner, k, o, &c);
    fuzz_require(status >= 0 || status == KSDA_UNSUPPORTED, "comparing works");
    if (status >= 0 && r.graph->n <= MOST) {
        fuzz_verdict v = fuzz_verify(net, r.graph, r.owner, k);
        check_change(net, &r, &v, &c);
        if (o->samples == 0) check_measures(r.graph, r.communities, k, c.published);
        check_sampled(c.published);
    }
    if (status >= 0) ksda_comparison_clear(ctx, &c);
    ksda_release_clear(ctx, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_measure_options o;
    ksda_network net;
    ksda_measures m = KSDA_INIT(ksda_measures);
    fuzz_bytes in = {data, size};
    fuzz_network(&in, &net);
    uint32_t k = fuzz_take(&in, ksda_communities_count(net.communities) + 1);
    const ksda_communities *communities = k > 0 || fuzz_flag(&in) ? net.communities : NULL;
    ksda_measure_options_init(&o);
    o.k = k;
    o.exact = fuzz_flag(&in);
    o.samples = fuzz_flag(&in) && !o.exact ? 1 + fuzz_take(&in, 32) : 0;
    o.detector = (ksda_detector)fuzz_take(&in, 3);
    o.parts = fuzz_take(&in, 4);
    if (o.parts > net.graph->n) o.parts = 0;
    fuzz_require(ksda_measure(ctx, net.graph, communities, &o, &m) >= 0, "measuring works");
    if (o.samples == 0) check_measures(net.graph, communities, k, &m);
    check_sampled(&m);
    ksda_measures_clear(ctx, &m);
    if (k > 0) compare(&in, &net, k, &o);
    ksda_network_clear(ctx, &net);
    return 0;
}
