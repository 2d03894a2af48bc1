/* Which edges are false? Every vertex with an added edge is shown with its edges inside the community, and each score
 * ranks them ("Towards plausible graph anonymization", NDSS 2020, doi:10.14722/ndss.2020.23032, ranks all edges at
 * once).
 *
 * The conditional AUC is the chance that an added edge scores higher than an original one of the same vertex and
 * community, ties half, averaged over the ends of added edges; vertices without such an original edge have nothing to
 * compare with. 0.5 is chance, and a score that is always lower is as good to the attacker as one that is always
 * higher. A trained attacker (trained.c) puts the edges into an order of his own, of which the same is told. Exact
 * while that takes at most the budget's comparisons; else ends are drawn at random, and some of their vertex's edges
 * each. */
#include "attack/whole.h"

#include "core/parallel.h"

#include <math.h>

/* The results of one unit: a vertex with all its added edges, or a sampled end. */
typedef struct outcome {
    double sum[KSDA_I_RANKINGS], squares[KSDA_I_RANKINGS];
    uint64_t ends;
} outcome;

typedef struct ranking {
    ksda_i_attacking *a;
    const ksda_i_ends *ends;
    const ksda_i_trained *trained; /* NULL: nobody is */
    const uint64_t *start;         /* [units + 1] ends of each vertex; NULL: a unit is a sampled end */
    outcome *out;                  /* [units] */
    ksda_i_edge_row *row;          /* [threads] */
    uint64_t most;                 /* edges in a row */
} ranking;

/* Where the edges that are asked about stand among the own ones, by the number in the column of each. */
static void rank_asked(const ksda_i_edge_row *row, int order, outcome *o) {
    ksda_i_sort_real(row->column, row->own);
    for (uint64_t i = row->own; i < row->own + row->asked; i++) {
        double x = ksda_i_below(row->column, row->own, row->column[i]) / (double)row->own;
        o->sum[order] += x, o->squares[order] += x * x;
    }
}

static void rank_row(const ranking *r, ksda_i_edge_row *row, outcome *o) {
    uint64_t count = row->own + row->asked;
    if (!row->own) return;
    o->ends = row->asked;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) {
        for (uint64_t i = 0; i < count; i++) row->column[i] = row->score[i * KSDA_I_LIKENESSES + (uint64_t)s];
        rank_asked(row, s, o);
    }
    if (!r->trained) return;
    ksda_i_edge_row_see(r->a->release.g, r->trained->level, row);
    for (uint32_t t = 0; t < r->trained->count; t++) {
        for (uint64_t i = 0; i < count; i++)
            row->column[i] = ksda_i_traits_weigh(r->trained->weight[t], row->traits + i * KSDA_I_TRAITS);
        rank_asked(row, KSDA_I_LIKENESSES + (int)t, o);
    }
}

static void rank_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    ranking *r = data;
    ksda_i_edge_row *row = &r->row[thread];
    for (uint64_t i = begin; i < end && !ksda_i_cancelled(r->a->ctx); i++) {
        ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(r->a->ctx), 0x61646465, i);
        uint64_t first = r->start ? r->start[i] : ksda_i_rng_below(&rng, r->ends->count);
        uint64_t last = r->start ? r->start[i + 1] : first + 1;
        ksda_i_edge_row_read(r->a, r->ends, first, last, r->start ? NULL : &rng, row);
        rank_row(r, row, &r->out[i]);
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
    r->row = ksda_i_calloc(r->a->ctx, threads, sizeof *r->row);
    r->out = ksda_i_calloc(r->a->ctx, units, sizeof *r->out);
    KSDA_I_TRY(r->row && r->out ? KSDA_OK : KSDA_NOMEM);
    for (unsigned t = 0; t < threads; t++)
        KSDA_I_TRY(ksda_i_edge_row_open(r->a->ctx, r->most, r->trained != NULL, &r->row[t]));
    ksda_i_parallel(r->a->ctx, units, 16, rank_range, r);
    status = ksda_i_interrupted(r->a->ctx);
done:
    for (unsigned t = 0; r->row && t < threads; t++) ksda_i_edge_row_close(r->a->ctx, &r->row[t]);
    ksda_i_free(r->a->ctx, r->row);
    return status;
}

static void add_up(const ranking *r, uint64_t units, bool all_compared) {
    ksda_attack_result *out = r->a->out;
    bool exact = all_compared && !r->ends->sampled;
    outcome all = {.ends = 0};
    for (uint64_t i = 0; i < units; i++) {
        all.ends += r->out[i].ends;
        for (int s = 0; s < KSDA_I_RANKINGS; s++)
            all.sum[s] += r->out[i].sum[s], all.squares[s] += r->out[i].squares[s];
    }
    out->added_ends = exact ? all.ends : r->ends->count;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++)
        out->added_auc[s] = ksda_i_mean(all.sum[s], all.squares[s], (double)all.ends, exact);
    for (uint32_t t = 0; r->trained && t < r->trained->count; t++)
        out->trained_auc[t] =
            ksda_i_mean(all.sum[KSDA_I_LIKENESSES + t], all.squares[KSDA_I_LIKENESSES + t], (double)all.ends, exact);
}

ksda_status ksda_i_attack_added(ksda_i_attacking *a, const ksda_i_ends *ends, const ksda_i_trained *trained) {
    ranking r = {.a = a, .ends = ends, .trained = trained, .most = 1};
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
        r.most = KSDA_I_EDGE_SAMPLE + 1;
    }
    status = rank(&r, units);
    if (status >= 0) add_up(&r, units, exact);
    ksda_i_free(a->ctx, r.out);
    ksda_i_free(a->ctx, start);
    return status;
}
