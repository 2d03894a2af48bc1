/* How well the added edges of a release can be told from own ones, for whoever has just made it: the attacker of
 * added.c alone. The edits say which edges were added, so that nobody has to go through the release for them; only the
 * rows of their ends and of the neighbours of these are looked at.
 *
 * All added edges, or, beyond TOLD_EDGES of them, one out of each of so many equal parts of the list; exact where all
 * are compared with all own edges of their ends, else with a 95 % interval. Time O(1) but for about 0.1 s at most. */
#include "attack/whole.h"

#include "core/sort.h"
#include "graph/edits.h"
#include "measure/measure.h"

#include <stdlib.h>

enum {
    TOLD_EDGES = 20000,
    TOLD_SAMPLES = 4000 /* ends, where comparing all is more than */
};
#define TOLD_COMPARISONS UINT64_C(20000000)

/* The entry in p's row, and p beside it, to be sorted. */
typedef struct end {
    uint64_t entry;
    uint32_t vertex;
} end;

static int by_entry(const void *a, const void *b) {
    const end *x = a, *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* A further representative of an original edge shows nothing false. */
static void list_end(const ksda_i_attacking *a, uint32_t p, uint32_t q, end *list, uint64_t *count) {
    if (ksda_i_edge_kind_of(a, p, q) == KSDA_I_EDGE_ADDED)
        list[(*count)++] = (end){ksda_i_graph_position(a->release.g, p, q), p};
}

static ksda_status list_ends(const ksda_i_attacking *a, const ksda_edits *edits, const uint32_t *to,
                             ksda_i_ends *ends) {
    uint64_t all = edits->added.count, listed = all < TOLD_EDGES ? all : TOLD_EDGES;
    ksda_i_rng rng = ksda_i_rng_stream(ksda_ctx_seed(a->ctx), 0x746f6c64, 0);
    end *list = ksda_i_malloc(a->ctx, 2 * listed, sizeof *list);
    ends->entry = ksda_i_malloc(a->ctx, 2 * listed, sizeof *ends->entry);
    ends->vertex = ksda_i_malloc(a->ctx, 2 * listed, sizeof *ends->vertex);
    ksda_status status = list && ends->entry && ends->vertex ? KSDA_OK : KSDA_NOMEM;
    ends->sampled = listed < all;
    for (uint64_t i = 0; i < listed && status >= 0 && (status = ksda_i_look(a->ctx, i)) >= 0; i++) {
        uint64_t from = i * all / listed, width = (i + 1) * all / listed - from;
        ksda_pair edge = edits->added.pair[from + (width > 1 ? ksda_i_rng_below(&rng, width) : 0)];
        list_end(a, to[edge.u], to[edge.v], list, &ends->count);
        list_end(a, to[edge.v], to[edge.u], list, &ends->count);
    }
    if (status >= 0 && ends->count) ksda_i_sort_by(list, ends->count, sizeof *list, by_entry);
    for (uint64_t i = 0; i < ends->count && status >= 0; i++)
        ends->entry[i] = list[i].entry, ends->vertex[i] = list[i].vertex;
    ksda_i_free(a->ctx, list);
    return status;
}

ksda_status ksda_i_added_told(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                              const ksda_release *release, const uint32_t *to, ksda_value *worst) {
    const ksda_attack_options options = {.budget = TOLD_COMPARISONS, .samples = TOLD_SAMPLES};
    ksda_value auc[KSDA_I_LIKENESSES];
    ksda_attack_result out = {.added_auc = auc};
    ksda_i_attacking a = {.ctx = ctx,
                          .options = &options,
                          .release = {release->graph, release->communities, 0},
                          .original = {edits->graph, communities, release->graph->n},
                          .owner = release->owner,
                          .out = &out};
    ksda_i_ends ends = {.count = 0};
    ksda_status status = KSDA_OK;
    double begin = ksda_i_now();
    *worst = ksda_i_unmeasured;
    if (edits->graph->far || release->graph->far || edits->added.count == 0) return KSDA_OK;
    for (int s = 0; s < KSDA_I_LIKENESSES; s++) auc[s] = ksda_i_unmeasured;
    KSDA_I_TRY(list_ends(&a, edits, to, &ends));
    KSDA_I_TRY(ksda_i_attack_added(&a, &ends, NULL));
    *worst = ksda_i_worst(auc, KSDA_I_LIKENESSES);
    worst->seconds = ksda_i_now() - begin;
done:
    ksda_i_ends_clear(ctx, &ends);
    return status;
}
