/* k-degree anonymity, the baseline (K. Liu, E. Terzi: Towards identity anonymization on graphs, SIGMOD 2008,
 * doi:10.1145/1376616.1376629).
 *
 * Problem: every degree is to be shared by k vertices, whatever their communities. Guarantee: it is, in the result; the
 * sum of the degrees' changes is the least there is for the degree sequence that the graph was built from. It is no
 * k-structural diversity: communities are ignored, and original edges may be missing. k may be as large as the number
 * of vertices. Idea: cut the sorted degrees into runs of k to 2k - 1 and raise each run to its largest, the cheapest
 * cut by dynamic programming; then build a graph with these degrees, original edges first (priority.c). If there is no
 * such graph, or none was found, give the smallest degrees one more and try again (probing): in the end the complete
 * graph would do. Cost: O(nk) a probe, plus the construction. Differs from the paper: after 64 probes of one vertex
 * they grow, two, four, ... (the paper always raises one), so a large star needs few; and see priority.c. The probes
 * are the smallest degrees in input order, not random ones. */
#include "methods/methods.h"
#include "methods/kdegree/priority.h"

enum {
    SINGLE_PROBES = 64,
    LOOK = 1 << 20 /* steps of the cut between two looks whether to stop */
};

typedef struct sequence {
    uint32_t n;
    uint32_t *vertex; /* [n] by descending degree, ties by input order */
    uint32_t *degree; /* [n] of vertex[i] */
    uint32_t *target; /* [n] of vertex[i] */
    uint32_t *count;  /* [n] scratch of sorting */
    uint64_t *cost;   /* [n + 1] of raising the first i */
    uint32_t *run;    /* [n + 1] length of the last run among the first i */
} sequence;

/* Sort by descending degree: the vertices in input order, stable. degree_of: [n] by vertex */
static void sort_degrees(sequence *s, const uint32_t *degree_of) {
    memset(s->count, 0, s->n * sizeof *s->count);
    for (uint32_t v = 0; v < s->n; v++) s->count[degree_of[v]]++;
    uint32_t at = 0;
    for (uint32_t d = s->n; d-- > 0;) {
        uint32_t here = s->count[d];
        s->count[d] = at;
        at += here;
    }
    for (uint32_t v = 0; v < s->n; v++) {
        uint32_t i = s->count[degree_of[v]]++;
        s->vertex[i] = v;
        s->degree[i] = degree_of[v];
    }
}

/* The cheapest cut into runs of k .. 2k - 1 (longer ones could be cut again), each raised to its first. */
static ksda_status cut_into_runs(ksda_ctx *ctx, sequence *s, uint32_t k) {
    uint64_t steps = 0;
    s->cost[0] = 0;
    for (uint32_t i = 1; i <= s->n; i++) {
        uint64_t sum = 0; /* of the run's degrees */
        if ((steps += i < 2 * (uint64_t)k ? i : 2 * (uint64_t)k) >= LOOK) {
            ksda_status status = ksda_i_interrupted(ctx);
            if (status < 0) return status;
            steps = 0;
        }
        s->cost[i] = UINT64_MAX;
        for (uint32_t length = 1; length <= i && length < 2 * (uint64_t)k; length++) {
            uint32_t first = i - length;
            sum += s->degree[first];
            if (length < k || s->cost[first] == UINT64_MAX) continue;
            uint64_t cost = s->cost[first] + (uint64_t)s->degree[first] * length - sum;
            if (cost < s->cost[i]) {
                s->cost[i] = cost;
                s->run[i] = length;
            }
        }
    }
    for (uint32_t i = s->n; i > 0; i -= s->run[i])
        for (uint32_t j = i - s->run[i]; j < i; j++) s->target[j] = s->degree[i - s->run[i]];
    return KSDA_OK;
}

/* Is there a simple graph with the targets? They descend; the theorem of Erdos and Gallai in O(n). */
static bool realizable(const sequence *s) {
    uint64_t total = 0, left = 0, small = 0; /* small: sum of the targets from low on, which are at most r */
    uint32_t low = s->n;
    for (uint32_t i = 0; i < s->n; i++) total += s->target[i];
    if (total % 2) return false;
    for (uint32_t r = 1; r <= s->n && s->target[r - 1] + 1 >= r; r++) {
        left += s->target[r - 1];
        while (low > 0 && s->target[low - 1] <= r) small += s->target[--low];
        uint64_t rest = low > r ? (uint64_t)(low - r) * r + small : total - left;
        if (left > (uint64_t)r * (r - 1) + rest) return false;
    }
    return true;
}

/* One more for the `count` smallest degrees that can take it. */
static void raise_smallest(const sequence *s, uint32_t *degree_of, uint32_t count) {
    for (uint32_t i = s->n; i-- > 0 && count > 0;) {
        if (degree_of[s->vertex[i]] + 1 >= s->n) continue;
        degree_of[s->vertex[i]]++;
        count--;
    }
}

static ksda_status search(ksda_ctx *ctx, const ksda_graph *g, uint32_t k, sequence *s, uint32_t *degree_of,
                          uint32_t *target_of, ksda_edits **out) {
    ksda_status status = KSDA_OK;
    bool built = false;
    for (uint32_t probes = 0, more = 1; !built; probes++) {
        if (probes >= SINGLE_PROBES) more = more < s->n / 2 ? 2 * more : s->n;
        KSDA_I_TRY(ksda_i_interrupted(ctx));
        sort_degrees(s, degree_of);
        KSDA_I_TRY(cut_into_runs(ctx, s, k));
        if (realizable(s)) {
            for (uint32_t i = 0; i < s->n; i++) target_of[s->vertex[i]] = s->target[i];
            KSDA_I_TRY(ksda_i_priority(ctx, g, target_of, &built, out));
            if (!built && s->target[s->n - 1] + 1 == s->n) return ksda_i_error(ctx, KSDA_INTERNAL, "no complete graph");
        }
        if (!built) raise_smallest(s, degree_of, more);
    }
done:
    return status;
}

KSDA_I_METHOD(k_degree) {
    ksda_status status = KSDA_NOMEM;
    uint32_t n = graph->n, *degree_of = ksda_i_malloc(ctx, n, sizeof *degree_of),
             *target_of = ksda_i_malloc(ctx, n, sizeof *target_of);
    sequence s = {.n = n};
    (void)communities, (void)result;
    *out = NULL;
    s.vertex = ksda_i_malloc(ctx, n, sizeof *s.vertex);
    s.degree = ksda_i_malloc(ctx, n, sizeof *s.degree);
    s.target = ksda_i_malloc(ctx, n, sizeof *s.target);
    s.count = ksda_i_malloc(ctx, n, sizeof *s.count);
    s.cost = ksda_i_malloc(ctx, (uint64_t)n + 1, sizeof *s.cost);
    s.run = ksda_i_malloc(ctx, (uint64_t)n + 1, sizeof *s.run);
    if (!degree_of || !target_of || !s.vertex || !s.degree || !s.target || !s.count || !s.cost || !s.run) goto done;
    for (uint32_t v = 0; v < n; v++) degree_of[v] = ksda_i_degree(graph, v);
    status = search(ctx, graph, options->k, &s, degree_of, target_of, out);
done:
    ksda_i_free(ctx, degree_of);
    ksda_i_free(ctx, target_of);
    void *blocks[] = {s.vertex, s.degree, s.target, s.count, s.cost, s.run};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(ctx, blocks[i]);
    return status;
}
