/* Which edges are false? Every vertex with an added edge is shown with its edges inside the community, and each score
 * ranks them ("Towards plausible graph anonymization", NDSS 2020, doi:10.14722/ndss.2020.23032, ranks all edges at
 * once).
 *
 * The conditional AUC is the chance that an added edge scores higher than an original one of the same vertex and
 * community, ties half, averaged over the ends of added edges; vertices without such an original edge have nothing to
 * compare with. 0.5 is chance, and a score that is always lower is as good to the attacker as one that is always
 * higher. Exact while that takes at most the budget's comparisons; else ends are drawn at random, and some of their
 * vertex's edges each. */
#include "attack/whole.h"

#include "core/parallel.h"

#include <math.h>

enum {
    RIVALS = 64 /* own edges that a sampled end is compared with */
};

/* The results of one unit: a vertex with all its added edges, or a sampled end. */
typedef struct outcome {
    double sum[KSDA_I_LIKENESSES], squares[KSDA_I_LIKENESSES];
    uint64_t ends;
} outcome;

typedef struct ranking {
    ksda_i_attacking *a;
    const ksda_i_ends *ends;
    const uint64_t *start; /* [units + 1] ends of each vertex; NULL: a unit is a sampled end */
    outcome *out;          /* [units] */
    double **own;          /* [threads][KSDA_I_LIKENESSES * most] */
    uint64_t most;
} ranking;

/* Scores of v's own edges, all or a sample of them; returns how many. */
static uint64_t score_own(const ranking *r, uint32_t v, ksda_i_rng *sample, double *own) {
    const ksda_graph *g = r->a->release.g;
    uint32_t degree = ksda_i_degree(g, v);
    uint64_t count = 0, looks = sample && degree > RIVALS ? RIVALS : degree;
    for (uint64_t i = 0; i < looks; i++) {
        double score[KSDA_I_LIKENESSES];
        uint64_t at = looks < degree ? ksda_i_rng_below(sample, degree) : i;
        uint32_t u = g->adj[g->off[v] + at];
        if (ksda_i_edge_kind_of(r->a, v, u) != KSDA_I_EDGE_OWN) continue;
        ksda_i_likeness(g, v, u, true, score);
        for (int s = 0; s < KSDA_I_LIKENESSES; s++) own[(uint64_t)s * r->most + count] = score[s];
        count++;
    }
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) ksda_i_sort_real(own + (uint64_t)s * r->most, count);
    return count;
}

static void rank_end(const ranking *r, uint64_t end, const double *own, uint64_t count, outcome *o) {
    const ksda_graph *g = r->a->release.g;
    double score[KSDA_I_LIKENESSES];
    ksda_i_likeness(g, r->ends->vertex[end], g->adj[r->ends->entry[end]], true, score);
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) {
        double x = ksda_i_below(own + (uint64_t)s * r->most, count, score[s]) / (double)count;
        o->sum[s] += x, o->squares[s] += x * x;
    }
    o->ends++;
}

static void rank_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    ranking *r = data;
    double *own = r->own[thread];
    for (uint64_t i = begin; i < end && !ksda_i_cancelled(r->a->ctx); i++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(r->a->ctx), 0x61646465, i);
        uint64_t first = r->start ? r->start[i] : ksda_i_rng_below(&rng, r->ends->count);
        uint64_t last = r->start ? r->start[i + 1] : first + 1;
        uint64_t count = score_own(r, r->ends->vertex[first], r->start ? NULL : &rng, own);
        for (uint64_t e = first; e < last && count; e++) rank_end(r, e, own, count, &r->out[i]);
    }
}

/* Comparisons for everything, and the largest degree of a vertex at an end. */
static uint64_t cost_of(const ksda_i_attacking *a, const ksda_i_ends *ends, uint64_t *most) {
    const ksda_graph *g = a->release.g;
    uint64_t cost = 0;
    for (uint64_t i = 0; i < ends->count; i++) {
        uint32_t v = ends->vertex[i];
        if (ksda_i_degree(g, v) > *most) *most = ksda_i_degree(g, v);
        if (i && ends->vertex[i - 1] == v) continue;
        for (uint64_t e = g->off[v]; e < g->off[v + 1] && cost <= a->options->budget; e++) {
            uint64_t d = ksda_i_degree(g, g->adj[e]), mine = ksda_i_degree(g, v);
            cost += d < mine ? d : mine;
        }
    }
    return cost;
}

static uint64_t list_vertices(const ksda_i_ends *ends, uint64_t *start) {
    uint64_t units = 0;
    for (uint64_t i = 0; i < ends->count; i++)
        if (i == 0 || ends->vertex[i] != ends->vertex[i - 1]) start[units++] = i;
    start[units] = ends->count;
    return units;
}

static ksda_status rank(ranking *r, uint64_t units) {
    unsigned threads = ksda_ctx_threads(r->a->ctx);
    ksda_status status = KSDA_OK;
    r->own = ksda_i_calloc(r->a->ctx, threads, sizeof *r->own);
    r->out = ksda_i_calloc(r->a->ctx, units, sizeof *r->out);
    KSDA_I_TRY(r->own && r->out ? KSDA_OK : KSDA_NOMEM);
    for (unsigned t = 0; t < threads; t++) {
        r->own[t] = ksda_i_malloc(r->a->ctx, KSDA_I_LIKENESSES * r->most, sizeof **r->own);
        KSDA_I_TRY(r->own[t] ? KSDA_OK : KSDA_NOMEM);
    }
    ksda_i_parallel(r->a->ctx, units, 16, rank_range, r);
    status = ksda_i_interrupted(r->a->ctx);
done:
    for (unsigned t = 0; r->own && t < threads; t++) ksda_i_free(r->a->ctx, r->own[t]);
    ksda_i_free(r->a->ctx, r->own);
    return status;
}

static void add_up(const ranking *r, uint64_t units, bool all_compared) {
    ksda_attack_result *out = r->a->out;
    bool exact = all_compared && !r->ends->sampled;
    outcome all = {.ends = 0};
    for (uint64_t i = 0; i < units; i++) {
        all.ends += r->out[i].ends;
        for (int s = 0; s < KSDA_I_LIKENESSES; s++)
            all.sum[s] += r->out[i].sum[s], all.squares[s] += r->out[i].squares[s];
    }
    out->added_ends = exact ? all.ends : r->ends->count;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++)
        out->added_auc[s] = ksda_i_mean(all.sum[s], all.squares[s], (double)all.ends, exact);
}

ksda_status ksda_i_attack_added(ksda_i_attacking *a, const ksda_i_ends *ends) {
    ranking r = {.a = a, .ends = ends, .most = 1};
    bool exact = cost_of(a, ends, &r.most) <= a->options->budget;
    uint64_t units = a->options->samples, *start = NULL;
    ksda_status status = KSDA_OK;
    if (ends->count == 0) return KSDA_OK;
    if (exact) {
        start = ksda_i_malloc(a->ctx, ends->count + 1, sizeof *start);
        if (!start) return KSDA_NOMEM;
        units = list_vertices(ends, start);
        r.start = start;
    } else {
        r.most = RIVALS;
    }
    status = rank(&r, units);
    if (status >= 0) add_up(&r, units, exact);
    ksda_i_free(a->ctx, r.out);
    ksda_i_free(a->ctx, start);
    return status;
}
