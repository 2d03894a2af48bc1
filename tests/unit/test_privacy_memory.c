/* From generator to verdict with every allocation failing in turn. */
#include "failing_memory.h"
#include "random_graph.h"

#include <ksda/ksda.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Split, link and add wherever it is allowed. */
static ksda_status edit(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_edits **out) {
    ksda_status status;
    uint32_t piece, added = 0;
    KSDA_I_TRY(ksda_edits_new(ctx, g, out));
    for (uint32_t v = 0; v < g->n; v += 7) {
        if (ksda_i_degree(g, v) < 2) continue;
        KSDA_I_TRY(ksda_edits_split(ctx, *out, v, &piece));
        KSDA_I_TRY(ksda_edits_carry(ctx, *out, v, 1, piece));
        KSDA_I_TRY(ksda_edits_link(ctx, *out, v, piece));
    }
    for (uint32_t v = 0; v + 1 < g->n && added < 20; v++)
        if (c->of[v] == c->of[v + 1] && !ksda_graph_adjacent(g, v, v + 1)) {
            KSDA_I_TRY(ksda_edits_add_edge(ctx, *out, v, v + 1));
            added++;
        }
done:
    return status;
}

static ksda_status generate_and_release(ksda_ctx *ctx, unsigned threads) {
    ksda_rmat_options o;
    ksda_graph *g = NULL, *h = NULL;
    ksda_communities *c = NULL;
    ksda_edits *edits = NULL;
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    ksda_verification v = KSDA_INIT(ksda_verification);
    ksda_status status;
    ksda_ctx_set_threads(ctx, threads);
    ksda_rmat_options_init(&o);
    o.scale = 9, o.vertices = 400, o.edges = 900, o.block_bits = 2;
    KSDA_I_TRY(ksda_generate_rmat(ctx, &o, &g, &c));
    KSDA_I_TRY(edit(ctx, g, c, &edits));
    KSDA_I_TRY(ksda_edits_apply(ctx, edits, &h));
    KSDA_I_TRY(ksda_release_make(ctx, edits, c, 0, &release));
    KSDA_I_TRY(ksda_diversity_check(ctx, release.graph, release.communities, 2, &d));
    KSDA_I_TRY(ksda_verify(ctx, g, c, release.graph, release.owner, 2, &v));
    assert_true(v.valid);
done:
    ksda_diversity_clear(ctx, &d);
    ksda_release_clear(ctx, &release);
    ksda_edits_free(ctx, edits);
    ksda_communities_free(ctx, c);
    ksda_graph_free(ctx, g);
    ksda_graph_free(ctx, h);
    return status;
}

static ksda_status one_thread(ksda_ctx *ctx) {
    return generate_and_release(ctx, 1);
}
static ksda_status three_threads(ksda_ctx *ctx) {
    return generate_and_release(ctx, 3);
}

static ksda_status detect(ksda_ctx *ctx) {
    ksda_rmat_options o;
    ksda_graph *g = NULL;
    ksda_communities *leiden = NULL, *metis = NULL;
    ksda_status status;
    ksda_rmat_options_init(&o);
    o.scale = 7, o.edges = 400;
    KSDA_I_TRY(ksda_generate_rmat(ctx, &o, &g, NULL));
    KSDA_I_TRY(ksda_detect_leiden(ctx, g, &leiden));
    status = ksda_detect_metis(ctx, g, 4, NULL, &metis);
    if (status == KSDA_UNSUPPORTED) status = KSDA_OK;
done:
    ksda_communities_free(ctx, leiden);
    ksda_communities_free(ctx, metis);
    ksda_graph_free(ctx, g);
    return status;
}

static void releases(void **state) {
    (void)state;
    assert_survives_failing_memory(one_thread);
    assert_survives_failing_memory(three_threads);
}

static void detection(void **state) {
    (void)state;
    assert_survives_failing_memory(detect);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(releases), cmocka_unit_test(detection)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
