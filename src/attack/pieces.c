/* Which vertices are pieces of one person? Pairs of pieces that are linked are compared with edges inside communities,
 * and pairs that are not linked with pairs of one community that are neither adjacent nor of one person. Each score
 * ranks the pairs, and the AUC is the chance that a pair of pieces scores higher than another, ties half.
 *
 * Linked: exact while there are at most 50 times as many edges as samples; beyond, both sides are drawn at random.
 * Apart: the other pairs are always drawn, so it is never exact. Intervals are those of Hanley and McNeil 1982,
 * doi:10.1148/radiology.143.1.7063747. */
#include "attack/whole.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "measure/measure.h"
#include "privacy/census.h"

#include <ksda/edits.h>
#include <math.h>

enum {
    MOST_PAIRS = 10000000 /* of pieces that are not linked; more are not listed */
};

typedef struct pairs {
    ksda_pair *pair;
    uint64_t count, room;
} pairs;

typedef struct scoring {
    ksda_i_attacking *a;
    const pairs *list;
    bool adjacent;
    double *score; /* [KSDA_I_LIKENESSES * count] */
} scoring;

static ksda_status add(ksda_ctx *ctx, pairs *list, uint32_t p, uint32_t q) {
    ksda_status status = ksda_i_reserve(ctx, &list->pair, &list->room, list->count + 1, sizeof *list->pair);
    if (status >= 0) list->pair[list->count++] = (ksda_pair){p, q};
    return status;
}

/* Keep some, drawn at random without replacement. */
static void thin(ksda_i_attacking *a, pairs *list, uint64_t most, uint64_t stage) {
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(a->ctx), stage, 1);
    if (list->count <= most) return;
    for (uint64_t i = 0; i < most; i++) {
        uint64_t j = i + ksda_i_rng_below(&rng, list->count - i);
        ksda_pair x = list->pair[j];
        list->pair[j] = list->pair[i], list->pair[i] = x;
    }
    list->count = most;
}

/* --- the pairs ---------------------------------------------------------------------------------------------------- */

/* The pieces of one person: linked pairs and, while there are not too many, others. */
static ksda_status pieces_of(ksda_i_attacking *a, const uint32_t *piece, uint32_t count, pairs *linked, pairs *apart) {
    const ksda_graph *g = a->release.g;
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < count && count > 1 && status >= 0; i++) {
        uint32_t p = piece[i];
        status = ksda_i_look(a->ctx, i);
        for (uint64_t e = g->off[p]; e < g->off[p + 1] && status >= 0; e++)
            if (g->adj[e] > p && a->owner[g->adj[e]] == a->owner[p]) status = add(a->ctx, linked, p, g->adj[e]);
        for (uint32_t j = i + 1; j < count && apart->count < MOST_PAIRS && status >= 0; j++)
            if (!ksda_graph_adjacent(g, p, piece[j])) status = add(a->ctx, apart, p, piece[j]);
    }
    return status;
}

static ksda_status pieces_of_people(ksda_i_attacking *a, pairs *linked, pairs *apart) {
    uint32_t n = a->release.g->n, people = a->original.g->n;
    uint32_t *start = ksda_i_malloc(a->ctx, (uint64_t)people + 1, sizeof *start);
    uint32_t *piece = ksda_i_malloc(a->ctx, n, sizeof *piece);
    ksda_status status = start && piece ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0) ksda_i_group(n, a->owner, people, start, piece);
    for (uint32_t v = 0; v < people && status >= 0; v++) {
        status = ksda_i_look(a->ctx, v);
        if (status >= 0) status = pieces_of(a, piece + start[v], start[v + 1] - start[v], linked, apart);
    }
    ksda_i_free(a->ctx, start);
    ksda_i_free(a->ctx, piece);
    return status;
}

/* Edges inside communities between different people: all, or as many as are wanted, drawn at random. */
static ksda_status edges_inside(ksda_i_attacking *a, uint64_t wanted, pairs *list, bool *exact) {
    const ksda_graph *g = a->release.g;
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(a->ctx), 0x65646765, 0);
    ksda_status status = KSDA_OK;
    *exact = g->m <= wanted;
    uint64_t looks = *exact ? 2 * g->m : 20 * wanted;
    for (uint64_t i = 0, row = 0; i < looks && list->count < wanted && status >= 0; i++) {
        uint64_t e = *exact ? i : ksda_i_rng_below(&rng, 2 * g->m);
        if (*exact) {
            while (g->off[row + 1] <= e) row++;
        } else {
            uint64_t low = 0, high = g->n; /* whose row is it? */
            while (high - low > 1) *(g->off[(low + high) / 2] <= e ? &low : &high) = (low + high) / 2;
            row = low;
        }
        uint32_t p = (uint32_t)row, q = g->adj[e];
        if (a->owner[p] == a->owner[q] || (*exact && q < p)) continue;
        if (!ksda_i_may_connect(a->release.communities, p, q)) continue;
        status = add(a->ctx, list, p, q);
    }
    return status;
}

/* Pairs of one community that have nothing to do with each other, drawn where pieces are: one end is a piece, either of
 * a pair, the other anybody of its community, or of one of its communities, which is drawn first. */
static ksda_status strangers(ksda_i_attacking *a, const pairs *apart, uint64_t wanted, pairs *list) {
    const ksda_communities *c = a->release.communities;
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(a->ctx), 0x61706172, 0);
    ksda_i_rolls r = {NULL, NULL};
    ksda_status status = apart->count ? ksda_i_rolls_new(a->ctx, c, &r) : KSDA_OK;
    for (uint64_t i = 0; i < 20 * wanted && list->count < wanted && apart->count && status >= 0; i++) {
        uint64_t end = ksda_i_rng_below(&rng, 2 * apart->count);
        uint32_t size, p = end & 1 ? apart->pair[end / 2].v : apart->pair[end / 2].u;
        const uint32_t *set = ksda_communities_set(c, p, &size);
        uint32_t home = size > 1 ? set[ksda_i_rng_below(&rng, size)] : set[0];
        uint32_t q = r.member[r.start[home] + ksda_i_rng_below(&rng, r.start[home + 1] - r.start[home])];
        if (a->owner[p] == a->owner[q] || ksda_graph_adjacent(a->release.g, p, q)) continue;
        status = add(a->ctx, list, p, q);
    }
    ksda_i_rolls_clear(a->ctx, &r);
    return status;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static void score_range(void *data, uint64_t begin, uint64_t end, unsigned thread) {
    scoring *s = data;
    const ksda_graph *g = s->a->release.g;
    (void)thread;
    for (uint64_t i = begin; i < end && !ksda_i_cancelled(s->a->ctx); i++) {
        ksda_pair x = s->list->pair[i];
        double score[KSDA_I_LIKENESSES];
        ksda_i_likeness(g, x.u, x.v, s->adjacent, score);
        score[KSDA_I_LIKE_DEGREE] += ksda_i_degree(g, x.u);
        for (int j = 0; j < KSDA_I_LIKENESSES; j++) s->score[(uint64_t)j * s->list->count + i] = score[j];
    }
}

static ksda_status score_pairs(ksda_i_attacking *a, const pairs *list, bool adjacent, double **out) {
    *out = ksda_i_malloc(a->ctx, KSDA_I_LIKENESSES * list->count, sizeof **out);
    if (!*out) return KSDA_NOMEM;
    scoring s = {a, list, adjacent, *out};
    ksda_i_parallel(a->ctx, list->count, 256, score_range, &s);
    return ksda_i_interrupted(a->ctx);
}

static ksda_value auc(const double *pieces, uint64_t count, double *others, uint64_t against, bool exact) {
    double sum = 0, n = (double)count, m = (double)against;
    ksda_value v = ksda_i_unmeasured;
    ksda_i_sort_real(others, against);
    for (uint64_t i = 0; i < count; i++) sum += ksda_i_below(others, against, pieces[i]);
    double x = sum / n / m, square = x * x;
    if (exact) {
        ksda_i_set_exact(&v, x);
        return v;
    }
    double variance =
        (x * (1 - x) + (n - 1) * (x / (2 - x) - square) + (m - 1) * (2 * square / (1 + x) - square)) / (n * m);
    double half = 1.96 * sqrt(fmax(0, variance));
    ksda_i_set_sampled(&v, x, fmax(0, x - half), fmin(1, x + half));
    return v;
}

static ksda_status compare(ksda_i_attacking *a, const pairs *pieces, const pairs *others, bool adjacent, bool exact,
                           ksda_value *out) {
    double *x = NULL, *y = NULL;
    ksda_status status = KSDA_OK;
    if (pieces->count == 0 || others->count == 0) return KSDA_OK;
    KSDA_I_TRY(score_pairs(a, pieces, adjacent, &x));
    KSDA_I_TRY(score_pairs(a, others, adjacent, &y));
    for (uint64_t s = 0; s < KSDA_I_LIKENESSES; s++)
        out[s] = auc(x + s * pieces->count, pieces->count, y + s * others->count, others->count, exact);
done:
    ksda_i_free(a->ctx, x);
    ksda_i_free(a->ctx, y);
    return status;
}

ksda_status ksda_i_attack_pieces(ksda_i_attacking *a) {
    ksda_attack_result *out = a->out;
    pairs linked = {.pair = NULL}, apart = {.pair = NULL}, edges = {.pair = NULL}, others = {.pair = NULL};
    uint64_t most = a->options->samples;
    bool exact = false;
    ksda_status status = KSDA_OK;
    if (a->release.g->n == a->original.g->n) return KSDA_OK; /* nobody was split */
    KSDA_I_TRY(pieces_of_people(a, &linked, &apart));
    out->linked_pairs = linked.count, out->apart_pairs = apart.count;
    if (linked.count) KSDA_I_TRY(edges_inside(a, 50 * most, &edges, &exact));
    exact = exact && linked.count <= 50 * most;
    thin(a, &linked, 50 * most, 0x6c696e6b);
    KSDA_I_TRY(compare(a, &linked, &edges, true, exact, out->linked_auc));
    thin(a, &apart, most, 0x74686e);
    KSDA_I_TRY(strangers(a, &apart, most, &others));
    KSDA_I_TRY(compare(a, &apart, &others, false, false, out->apart_auc));
done:
    ksda_i_free(a->ctx, linked.pair);
    ksda_i_free(a->ctx, apart.pair);
    ksda_i_free(a->ctx, edges.pair);
    ksda_i_free(a->ctx, others.pair);
    return status;
}
