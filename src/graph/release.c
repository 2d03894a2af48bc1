/* A release: the published graph under new numbers, its communities and, privately, who is who. Very large ones are not
 * made in full (overlay.c), where whoever asks keeps original and edits as long as the release. */
#include "graph/release.h"

#include "core/keyed.h"
#include "core/pages.h"
#include "core/random.h"
#include "core/sized.h"
#include "graph/apply.h"
#include "graph/communities.h"
#include "graph/overlay.h"

#include <unistd.h>

#define BYTES_IN_FULL 16u /* an edge, for the rows of original and release */
#define MOST_SPLIT 8u     /* one end of a split vertex for so many edges: these rows are kept beside the original */

static const ksda_i_sized kind = KSDA_I_RESULT(ksda_release, communities);

void ksda_release_clear(ksda_ctx *ctx, ksda_release *release) {
    if (!ksda_i_result_holds(&kind, release)) return;
    ksda_graph_free(ctx, release->graph);
    ksda_communities_free(ctx, release->communities);
    ksda_i_free(ctx, release->owner);
    ksda_i_result_empty(&kind, release);
}

static ksda_status permutation(ksda_ctx *ctx, int insecure, uint32_t n, uint32_t *out) {
    if (!insecure) return ksda_i_permutation_secure(ctx, n, out);
    ksda_i_permutation_seeded(ctx, n, out);
    return KSDA_OK;
}

/* The same by a key that others can be told instead of the permutation. */
static ksda_status keyed_permutation(ksda_ctx *ctx, uint32_t n, uint8_t key[KSDA_I_KEY_BYTES], uint32_t *out) {
    ksda_i_keyed keyed;
    ksda_status status = ksda_i_key_draw(ctx, key);
    if (status >= 0) status = ksda_i_keyed_open(ctx, key, n, &keyed);
    if (status < 0) return status;
    for (uint32_t i = 0; i < n; i++) out[i] = ksda_i_keyed_at(&keyed, i);
    ksda_i_keyed_close(ctx, &keyed);
    return KSDA_OK;
}

/* The communities of the pieces. Labels that the user gave are the user's to publish; those that were made here follow
 * the order of the original vertices, so they change places. */
static ksda_status release_communities(ksda_ctx *ctx, const ksda_communities *c, int insecure, uint32_t pieces,
                                       ksda_release *release) {
    ksda_status status = KSDA_NOMEM;
    uint32_t made = c->count - c->given, *to = ksda_i_malloc(ctx, c->count, sizeof *to);
    if (!to) return KSDA_NOMEM;
    for (uint32_t i = 0; i < c->given; i++) to[i] = i;
    KSDA_I_TRY(permutation(ctx, insecure, made, to + c->given));
    for (uint32_t i = c->given; i < c->count; i++) to[i] += c->given;
    KSDA_I_TRY(ksda_i_communities_pull(ctx, c, pieces, release->owner, to, &release->communities));
done:
    ksda_i_free(ctx, to);
    return status;
}

/* Would the two graphs in full take more than half of the machine's memory? */
static bool is_large(const ksda_edits *edits) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 && BYTES_IN_FULL * edits->graph->m / (uint64_t)size > (uint64_t)pages / 2;
}

static uint64_t split_ends(const ksda_edits *edits) {
    uint64_t ends = 0;
    for (uint64_t s = 0; s < edits->splits; s++) ends += ksda_i_degree(edits->graph, edits->split[s].vertex);
    return ends;
}

bool ksda_i_release_is_lean(const ksda_ctx *ctx, const ksda_edits *edits) {
    if (edits->graph->far || ctx->lean < 0) return false;
    return ctx->lean > 0 || (is_large(edits) && split_ends(edits) <= edits->graph->m / MOST_SPLIT);
}

static ksda_status make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities, int insecure_ids,
                        bool lean, uint32_t **numbers, ksda_release *out) {
    ksda_status status = ksda_i_result_check(ctx, &kind, out);
    if (status >= 0 && communities) status = ksda_i_communities_fit(ctx, communities, edits->graph);
    if (status < 0) return status;
    uint32_t pieces = ksda_edits_pieces(edits);
    ksda_release release = KSDA_INIT(ksda_release);
    uint32_t *to = ksda_i_malloc(ctx, pieces, sizeof *to);
    uint8_t key[KSDA_I_KEY_BYTES];
    bool keyed = edits->graph->far && !insecure_ids;
    status = KSDA_NOMEM;
    release.owner = ksda_i_malloc(ctx, pieces, sizeof *release.owner);
    if (!to || !release.owner) goto done;
    ksda_i_pages_huge(to, pieces * sizeof *to); /* both are read in no order, for every end of an edge */
    ksda_i_pages_huge(release.owner, pieces * sizeof *release.owner);
    KSDA_I_TRY(keyed ? keyed_permutation(ctx, pieces, key, to) : permutation(ctx, insecure_ids, pieces, to));
    for (uint32_t p = 0; p < pieces; p++) release.owner[to[p]] = ksda_edits_owner(edits, p);
    KSDA_I_TRY(lean ? ksda_i_overlay_new(ctx, edits, to, &release.graph)
                    : ksda_i_edits_apply_as(ctx, edits, to, keyed ? key : NULL, &release.graph));
    if (lean) to = NULL; /* taken */
    KSDA_I_TRY(release_communities(ctx, communities, insecure_ids, pieces, &release));
    ksda_i_result_give(&kind, out, &release);
    ksda_i_result_empty(&kind, &release);
    if (numbers) *numbers = to, to = NULL;
done:
    explicit_bzero(key, sizeof key);
    ksda_release_clear(ctx, &release);
    ksda_i_free(ctx, to);
    return status;
}

ksda_status ksda_i_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                int insecure_ids, uint32_t **numbers, ksda_release *out) {
    return make(ctx, edits, communities, insecure_ids, false, numbers, out);
}

ksda_status ksda_i_release_make_lean(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                                     int insecure_ids, ksda_release *out) {
    return make(ctx, edits, communities, insecure_ids, true, NULL, out);
}

ksda_status ksda_release_make(ksda_ctx *ctx, const ksda_edits *edits, const ksda_communities *communities,
                              int insecure_ids, ksda_release *out) {
    return make(ctx, edits, communities, insecure_ids, false, NULL, out);
}
