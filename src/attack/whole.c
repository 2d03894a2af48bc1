/* What the attackers who look at a release as a whole have in common: which edges are added, and how a rate is told. */
#include "attack/whole.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "measure/measure.h"
#include "privacy/census.h"

#include <math.h>
#include <stdlib.h>

enum {
    GRAIN = 4096 /* vertices that a thread takes at a time */
};

static const char *const names[] = {"common_neighbours", "jaccard", "adamic_adar", "share", "degree"};
_Static_assert(sizeof names / sizeof *names == KSDA_LIKENESS_COUNT, "a name for every score");
_Static_assert((int)KSDA_LIKENESS_COUNT == (int)KSDA_I_LIKENESSES, "the same scores");

const char *ksda_likeness_id_name(ksda_likeness_id id) {
    return (unsigned)id < KSDA_LIKENESS_COUNT ? names[id] : NULL;
}

int ksda_likeness_id_from_name(const char *name, ksda_likeness_id *out) {
    int i = 0;
    while (i < KSDA_LIKENESS_COUNT && strcmp(names[i], name) != 0) i++;
    if (i < KSDA_LIKENESS_COUNT) *out = (ksda_likeness_id)i;
    return i < KSDA_LIKENESS_COUNT;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

/* A further representative of an original edge is taken for that edge: it shows nothing false. */
ksda_i_edge_kind ksda_i_edge_kind_of(const ksda_i_attacking *a, uint32_t p, uint32_t q) {
    uint32_t u = a->owner[p], v = a->owner[q];
    if (u == v) return KSDA_I_EDGE_LINK;
    bool few = ksda_i_degree(a->original.g, u) < ksda_i_degree(a->original.g, v);
    if (ksda_i_graph_position(a->original.g, few ? u : v, few ? v : u) == UINT64_MAX) return KSDA_I_EDGE_ADDED;
    return ksda_i_may_connect(a->release.communities, p, q) ? KSDA_I_EDGE_OWN : KSDA_I_EDGE_ACROSS;
}

typedef struct finding {
    const ksda_i_attacking *a;
    uint64_t *at; /* [ranges + 1] ends before each range of vertices */
    ksda_i_ends *out;
} finding;

static uint64_t ends_of(const ksda_i_attacking *a, uint32_t p, ksda_i_ends *out, uint64_t at) {
    const ksda_graph *g = a->release.g;
    uint64_t found = 0;
    for (uint64_t e = g->off[p]; e < g->off[p + 1]; e++) {
        if (ksda_i_edge_kind_of(a, p, g->adj[e]) != KSDA_I_EDGE_ADDED) continue;
        if (out) out->entry[at + found] = e, out->vertex[at + found] = p;
        found++;
    }
    return found;
}

static void count_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    finding *f = data;
    (void)thread;
    if (ksda_i_cancelled(f->a->ctx)) return;
    for (uint64_t p = begin; p < end; p++) f->at[begin / GRAIN + 1] += ends_of(f->a, (uint32_t)p, NULL, 0);
}

static void list_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    finding *f = data;
    uint64_t at = f->at[begin / GRAIN];
    (void)thread;
    if (ksda_i_cancelled(f->a->ctx) || at == f->at[begin / GRAIN + 1]) return;
    for (uint64_t p = begin; p < end; p++) at += ends_of(f->a, (uint32_t)p, f->out, at);
}

void ksda_i_ends_clear(ksda_ctx *ctx, ksda_i_ends *ends) {
    ksda_i_free(ctx, ends->entry);
    ksda_i_free(ctx, ends->vertex);
    *ends = (ksda_i_ends){.count = 0};
}

ksda_status ksda_i_ends_find(ksda_i_attacking *a, ksda_i_ends *out) {
    uint64_t n = a->release.g->n, ranges = n / GRAIN + 1;
    finding f = {a, ksda_i_calloc(a->ctx, ranges + 1, sizeof *f.at), out};
    ksda_status status = f.at ? KSDA_OK : KSDA_NOMEM;
    *out = (ksda_i_ends){.count = 0};
    if (status < 0) return status;
    ksda_i_parallel(a->ctx, n, GRAIN, count_range, &f);
    KSDA_I_TRY(ksda_i_interrupted(a->ctx));
    for (uint64_t i = 0; i < ranges; i++) f.at[i + 1] += f.at[i];
    out->count = f.at[ranges];
    out->entry = ksda_i_malloc(a->ctx, out->count, sizeof *out->entry);
    out->vertex = ksda_i_malloc(a->ctx, out->count, sizeof *out->vertex);
    KSDA_I_TRY(out->entry && out->vertex ? KSDA_OK : KSDA_NOMEM);
    ksda_i_parallel(a->ctx, n, GRAIN, list_range, &f);
    KSDA_I_TRY(ksda_i_interrupted(a->ctx));
done:
    ksda_i_free(a->ctx, f.at);
    if (status < 0) ksda_i_ends_clear(a->ctx, out);
    return status;
}

/* --- rates -------------------------------------------------------------------------------------------------------- */

static double within(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

ksda_value ksda_i_mean(double sum, double squares, double count, bool exact) {
    ksda_value v = ksda_i_unmeasured;
    if (count < 1) return v;
    double mean = sum / count, variance = fmax(0, squares / count - mean * mean), half = 1.96 * sqrt(variance / count);
    if (exact)
        ksda_i_set_exact(&v, mean);
    else
        ksda_i_set_sampled(&v, mean, within(mean - half), within(mean + half));
    return v;
}

ksda_value ksda_i_largest(const ksda_value *value, uint32_t count) {
    ksda_value most = ksda_i_unmeasured;
    for (uint32_t i = 0; i < count; i++)
        if (value[i].measured && (!most.measured || value[i].value > most.value)) most = value[i];
    return most;
}

ksda_value ksda_i_worst(const ksda_value *value, uint32_t count) {
    ksda_value worst = ksda_i_unmeasured;
    for (uint32_t i = 0; i < count; i++) {
        ksda_value v = value[i];
        if (!v.measured) continue;
        if (v.value < 0.5) {
            double low = 1 - v.high;
            v.value = 1 - v.value, v.high = 1 - v.low, v.low = low;
        }
        if (!worst.measured || v.value > worst.value) worst = v;
    }
    return worst;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void ksda_i_sort_real(double *list, uint64_t count) {
    if (count > 1) ksda_i_sort_by(list, count, sizeof *list, by_value);
}

/* The first that is not below x, or, with equal, the first above it. */
static uint64_t bound(const double *sorted, uint64_t count, double x, bool equal) {
    uint64_t low = 0;
    while (count > 0) {
        uint64_t half = count / 2;
        bool before = equal ? sorted[low + half] <= x : sorted[low + half] < x;
        if (before) low += half + 1;
        count = before ? count - half - 1 : half;
    }
    return low;
}

double ksda_i_below(const double *sorted, uint64_t count, double x) {
    uint64_t less = bound(sorted, count, x, false);
    return (double)less + (double)(bound(sorted, count, x, true) - less) / 2;
}
