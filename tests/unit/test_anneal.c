/* A release that is changed edge by edge: what is counted on the way is what counting again gives, and what comes out
 * is diverse, splits as before and adds fewer edges. */
#include "methods/levelplan/draft.h"
#include "methods/levelplan/anneal.h"
#include "context.h"
#include "core/random.h"
#include "failing_memory.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/anonymize.h>
#include <ksda/privacy.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* --- drafts ------------------------------------------------------------------------------------------------------ */

/* Everything that a draft counts, counted again from the published graph. */
static void assert_counts(const ksda_i_draft *d, const ksda_edits *edits) {
    ksda_graph *published;
    uint32_t bads = 0, placed = 0, m = d->communities->count;
    assert_int_equal(ksda_edits_apply(check_ctx, edits, &published), KSDA_OK);
    assert_int_equal(published->n, d->count);
    assert_int_equal(ksda_edits_added(edits, NULL), d->added);
    for (uint32_t p = 0; p < d->count; p++) {
        assert_int_equal(d->degree[p], ksda_i_degree(published, p));
        assert_int_equal(d->order[d->at[p]], p);
        for (uint32_t q = 0; q < d->count; q++)
            assert_int_equal(d->tied[(uint64_t)p * d->words + q / 64] >> (q % 64) & 1,
                             ksda_graph_adjacent(published, p, q));
    }
    for (uint32_t degree = 0; degree < d->degrees; degree++) {
        uint32_t cover = 0;
        for (uint32_t c = 0; c < m; c++) {
            uint32_t there = 0;
            for (uint32_t p = 0; p < d->count; p++) there += d->degree[p] == degree && d->of[p] == c;
            assert_int_equal(there, ksda_i_census_own(&d->census, degree, c));
            cover += there > 0;
        }
        assert_int_equal(cover, d->census.tally[degree].communities);
        bool bad = cover && cover < d->census.model.k;
        assert_int_equal(bad, d->bad_at[degree] != UINT32_MAX);
        bads += bad;
        assert_int_equal(d->start[degree], placed);
        for (; placed < d->start[degree + 1]; placed++) assert_int_equal(d->degree[d->order[placed]], degree);
    }
    assert_int_equal(bads, d->bads);
    assert_int_equal(placed, d->count);
    ksda_graph_free(check_ctx, published);
}

/* One change that is allowed, if the dice fall so. */
static void change(ksda_i_draft *d, ksda_i_rng *r) {
    uint32_t p = (uint32_t)ksda_i_rng_below(r, d->count), q = (uint32_t)ksda_i_rng_below(r, d->count), v = d->owner[p];
    bool link = d->owner[p] == d->owner[q] && p != q;
    if (ksda_i_draft_is_made(d, p, q) || link || ksda_i_draft_may_add(d, p, q)) {
        ksda_i_draft_toggle(d, p, q);
    } else if (d->sibling[p] != p) {
        uint64_t place = d->graph->off[v] + ksda_i_rng_below(r, ksda_i_degree(d->graph, v));
        if (d->carrier[place] != p && d->carried[d->carrier[place]] > 1) ksda_i_draft_hand_over(d, v, place, p);
    }
}

static void drafts_count_what_they_do(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 0x64726166, 0);
        ksda_network net;
        ksda_i_draft d;
        edit_counts counts;
        ksda_edits *again;
        random_network(check_ctx, seed, 3 + (uint32_t)(seed % 30), 0.3, 1 + (uint32_t)(seed % 4), &net);
        ksda_edits *edits = random_edits(check_ctx, &r, net.graph, net.communities, (unsigned)(seed % 5), 12, &counts);
        assert_int_equal(
            ksda_i_draft_open(check_ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, edits, 0.5, &d), KSDA_OK);
        assert_counts(&d, edits);
        for (uint32_t i = 0; i < 40; i++) {
            double far = d.far;
            d.steps = 0;
            for (uint32_t j = 0; j < 1 + i % 5; j++) change(&d, &r);
            if (i % 3) continue;
            ksda_i_draft_undo(&d);
            assert_true(fabs(d.far - far) < 1e-9);
        }
        double far = d.far;
        uint64_t added = d.added;
        ksda_i_draft_keep(&d);
        assert_int_equal(ksda_i_draft_write(&d, &again), KSDA_OK);
        assert_counts(&d, again);
        assert_int_equal(d.added, added);
        assert_true(fabs(d.far - far) < 1e-9);
        ksda_edits_free(check_ctx, again);
        uint64_t elsewhere[2] = {0};
        for (int after = 0; after < 2; after++) {
            for (uint64_t i = 0; i < 2 * net.graph->m; i++) elsewhere[after] += d.carrier[i] != d.dealt[i];
            if (!after) ksda_i_draft_deal_again(&d);
        }
        assert_true(elsewhere[1] <= elsewhere[0]);
        ksda_i_draft_keep(&d);
        assert_int_equal(ksda_i_draft_write(&d, &again), KSDA_OK);
        assert_counts(&d, again);
        ksda_edits_free(check_ctx, again);
        ksda_i_draft_close(&d);
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
}

/* --- polishing --------------------------------------------------------------------------------------------------- */

static void assert_good(const ksda_network *net, uint32_t k, const ksda_edits *edits, uint64_t added, uint64_t splits) {
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_release_make(check_ctx, edits, net->communities, 1, &release), KSDA_OK);
    assert_int_equal(ksda_verify(check_ctx, net->graph, net->communities, release.graph, release.owner, k, &v),
                     KSDA_OK);
    assert_true(v.valid && v.satisfied);
    assert_int_equal(v.added_vertices, splits);
    assert_true(v.added_edges < added);
    ksda_release_clear(check_ctx, &release);
}

/* What the paper's methods find, with and without splits, mostly leaves something to polish. */
static void fewer_edges_and_the_same_splits(void **state) {
    static const char *const methods[] = {"edge-connect", "create-by-split", "merge-by-split", "flex-split"};
    uint32_t better = 0, with_splits = 0, found = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 120; seed++) {
        ksda_network net;
        ksda_anonymize_options options;
        ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
        ksda_edits *edits, *polished;
        random_network(check_ctx, seed, 12 + (uint32_t)(seed % 40), 0.2, 2 + (uint32_t)(seed % 4), &net);
        ksda_anonymize_options_init(&options);
        options.k = 2;
        if (ksda_anonymize(check_ctx, net.graph, net.communities, ksda_method_find(methods[seed % 4]), &options, &edits,
                           &result) >= 0) {
            found++;
            uint64_t enough = seed % 3 ? 0 : result.added_edges / 2;
            assert_int_equal(
                ksda_i_anneal(check_ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, edits, enough, &polished),
                KSDA_OK);
            if (polished) assert_good(&net, 2, polished, result.added_edges, result.added_vertices);
            better += polished != NULL;
            with_splits += polished && result.added_vertices;
            ksda_edits_free(check_ctx, polished);
            ksda_edits_free(check_ctx, edits);
        }
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(found > 80 && better > 25 && with_splits > 15);
}

/* Two paths, each a community, are diverse as they are; a triangle at the end of each is too much. */
static const uint32_t paths[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11};
static const uint32_t path_of[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};

static void to_the_fewest(void **state) {
    ksda_network net = {.graph = NULL};
    ksda_edits *edits, *polished, *none;
    (void)state;
    assert_int_equal(listed_network(check_ctx, 12, 10, paths, path_of, &net), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &edits), KSDA_OK);
    assert_int_equal(ksda_edits_add_edge(check_ctx, edits, 0, 2), KSDA_OK);
    assert_int_equal(ksda_edits_add_edge(check_ctx, edits, 6, 8), KSDA_OK);
    assert_int_equal(ksda_i_anneal(check_ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, edits, 2, &none),
                     KSDA_OK);
    assert_null(none); /* two are enough */
    assert_int_equal(ksda_i_anneal(check_ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, edits, 0, &polished),
                     KSDA_OK);
    assert_non_null(polished);
    assert_int_equal(ksda_edits_added(polished, NULL), 0);
    assert_good(&net, 2, polished, 1, 0);
    ksda_edits_free(check_ctx, polished);
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

static void cancelling_stops_it(void **state) {
    ksda_network net;
    edit_counts counts;
    ksda_edits *polished;
    ksda_i_rng r = ksda_i_rng_stream(3, 4, 5);
    (void)state;
    random_network(check_ctx, 3, 40, 0.2, 3, &net);
    ksda_edits *edits = random_edits(check_ctx, &r, net.graph, net.communities, 2, 20, &counts);
    ksda_ctx_cancel(check_ctx);
    assert_int_equal(ksda_i_anneal(check_ctx, net.graph, net.communities, 2, (ksda_share){0, 0}, edits, 0, &polished),
                     KSDA_INTERRUPTED);
    assert_null(polished);
    ksda_ctx_reset_cancel(check_ctx);
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

static ksda_status polish_in(ksda_ctx *poor) {
    ksda_network net = {.graph = NULL};
    ksda_edits *edits = NULL, *polished = NULL;
    uint32_t piece;
    ksda_status status;
    KSDA_I_TRY(listed_network(poor, 12, 10, paths, path_of, &net));
    KSDA_I_TRY(ksda_edits_new(poor, net.graph, &edits));
    KSDA_I_TRY(ksda_edits_split(poor, edits, 4, &piece));
    KSDA_I_TRY(ksda_edits_carry(poor, edits, 4, 0, piece));
    KSDA_I_TRY(ksda_edits_add_edge(poor, edits, 0, 2));
    KSDA_I_TRY(ksda_edits_add_edge(poor, edits, 6, 8));
    KSDA_I_TRY(ksda_i_anneal(poor, net.graph, net.communities, 2, (ksda_share){0, 0}, edits, 0, &polished));
    assert_non_null(polished);
done:
    if (status < 0) assert_null(polished);
    ksda_edits_free(poor, polished);
    ksda_edits_free(poor, edits);
    ksda_network_clear(poor, &net);
    return status;
}

static void memory_runs_out(void **state) {
    (void)state;
    assert_survives_failing_memory(polish_in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drafts_count_what_they_do), cmocka_unit_test(fewer_edges_and_the_same_splits),
        cmocka_unit_test(to_the_fewest), cmocka_unit_test(cancelling_stops_it), cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
