/* The reports as strings: JSON that parses and says what the result says, text and pages that are whole, no rendering
 * that there is not, and no string with anything missing where memory ends. */
#include "context.h"
#include "failing_memory.h"
#include "random_graph.h"
#include "report/page.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <ksda/ksda.h>

enum {
    KINDS = 7
};

/* All results of one small network. */
typedef struct results {
    ksda_network net;
    ksda_publication *publication;
    ksda_diversity diversity;
    ksda_measures measures;
    ksda_comparison comparison;
    ksda_frontier frontier;
    ksda_frontier_study *study;
} results;

static ksda_status compute(ksda_ctx *ctx, results *r) {
    static const uint32_t pairs[] = {0, 1, 1, 2, 0, 2, 3, 4, 4, 5, 2, 3}, label[] = {0, 0, 0, 1, 1, 1};
    ksda_anonymize_options options;
    ksda_status status;
    memset(r, 0, sizeof *r);
    r->net.size = sizeof r->net, r->diversity.size = sizeof r->diversity, r->measures.size = sizeof r->measures;
    r->comparison.size = sizeof r->comparison, r->frontier.size = sizeof r->frontier;
    ksda_anonymize_options_init(&options), options.k = 2;
    KSDA_I_TRY(listed_network(ctx, 6, 6, pairs, label, &r->net));
    KSDA_I_TRY(ksda_publish(ctx, r->net.graph, r->net.communities, NULL, &options, NULL, &r->publication));
    KSDA_I_TRY(ksda_diversity_check(ctx, r->net.graph, r->net.communities, 2, &r->diversity));
    KSDA_I_TRY(ksda_measure(ctx, r->net.graph, r->net.communities, NULL, &r->measures));
    const ksda_release *release = ksda_publication_release(r->publication);
    KSDA_I_TRY(
        ksda_compare(ctx, r->net.graph, r->net.communities, release->graph, release->owner, 2, NULL, &r->comparison));
    KSDA_I_TRY(ksda_frontier_search(ctx, r->net.graph, r->net.communities, &options, 2, &r->frontier));
    KSDA_I_TRY(ksda_frontier_examine(ctx, r->net.graph, r->net.communities, &r->frontier, 1, &r->study));
done:
    return status;
}

static void clear(ksda_ctx *ctx, results *r) {
    ksda_frontier_study_free(ctx, r->study);
    ksda_frontier_clear(ctx, &r->frontier);
    ksda_comparison_clear(ctx, &r->comparison);
    ksda_measures_clear(ctx, &r->measures);
    ksda_diversity_clear(ctx, &r->diversity);
    ksda_publication_free(ctx, r->publication);
    ksda_network_clear(ctx, &r->net);
}

static ksda_status render(ksda_ctx *ctx, const results *r, int kind, const ksda_report_options *o, char **out) {
    switch (kind) {
    case 0: return ksda_report_publication(ctx, r->publication, o, out);
    case 1: return ksda_report_diversity(ctx, r->net.graph, r->net.communities, &r->diversity, o, out);
    case 2: return ksda_report_frontier(ctx, r->study, o, out);
    case 3: return ksda_report_verification(ctx, ksda_publication_verification(r->publication), 2, o, out);
    case 4: return ksda_report_measures(ctx, &r->measures, o, out);
    case 5: return ksda_report_comparison(ctx, &r->comparison, o, out);
    default: return ksda_report_network(ctx, &r->net, o, out);
    }
}

static ksda_report_options as(ksda_rendering rendering) {
    ksda_report_options o;
    ksda_report_options_init(&o);
    o.rendering = rendering;
    return o;
}

static void assert_json(const char *text) {
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "schema")), 1);
    assert_true(json_object_size(object) > 5);
    json_decref(object);
}

static void every_result_is_rendered(void **state) {
    (void)state;
    results r;
    assert_int_equal(compute(check_ctx, &r), KSDA_OK);
    for (int kind = 0; kind < KINDS; kind++)
        for (int how = KSDA_RENDERING_JSON; how <= KSDA_RENDERING_HTML + 1; how++) {
            ksda_report_options o = as((ksda_rendering)how);
            char *text;
            ksda_status status = render(check_ctx, &r, kind, &o, &text);
            if (how > KSDA_RENDERING_HTML)
                assert_int_equal(status, KSDA_INVALID);
            else
                assert_int_equal(status, how == KSDA_RENDERING_HTML && kind > 2 ? KSDA_UNSUPPORTED : KSDA_OK);
            if (status < 0) {
                assert_null(text);
                continue;
            }
            if (how == KSDA_RENDERING_JSON) assert_json(text);
            if (how == KSDA_RENDERING_TEXT) assert_true(text[strlen(text) - 1] == '\n');
            if (how == KSDA_RENDERING_HTML) assert_non_null(strstr(text, "</html>"));
            ksda_free(check_ctx, text);
        }
    clear(check_ctx, &r);
}

/* A public page has no word about the original: not its name for anybody, not what was changed. */
static void a_public_page_keeps_secrets(void **state) {
    (void)state;
    results r;
    ksda_report_options o = as(KSDA_RENDERING_HTML);
    char *page;
    assert_int_equal(compute(check_ctx, &r), KSDA_OK);
    o.comparison = &r.comparison, o.frontier = r.study;
    assert_int_equal(ksda_report_publication(check_ctx, r.publication, &o, &page), KSDA_OK);
    assert_non_null(strstr(page, "What was changed"));
    ksda_free(check_ctx, page);
    o.public_page = 1;
    assert_int_equal(ksda_report_publication(check_ctx, r.publication, &o, &page), KSDA_OK);
    assert_null(strstr(page, "What was changed"));
    assert_null(strstr(page, "original network"));
    ksda_free(check_ctx, page);
    clear(check_ctx, &r);
}

/* Memory of the context's may end anywhere; the results were there before. */
typedef struct scene {
    const results *r;
    int kind;
    ksda_rendering rendering;
} scene;

static ksda_status render_scene(ksda_ctx *ctx, const void *payload) {
    const scene *s = payload;
    ksda_report_options o = as(s->rendering);
    char *text;
    ksda_status status = render(ctx, s->r, s->kind, &o, &text);
    if (status < 0) assert_null(text);
    ksda_free(ctx, text);
    return status;
}

static void memory_may_fail_anywhere(void **state) {
    (void)state;
    results r;
    assert_int_equal(compute(check_ctx, &r), KSDA_OK);
    for (int kind = 0; kind < KINDS; kind++)
        for (int how = KSDA_RENDERING_JSON; how <= (kind > 2 ? KSDA_RENDERING_TEXT : KSDA_RENDERING_HTML); how++) {
            scene s = {&r, kind, (ksda_rendering)how};
            assert_survives_failing_memory_with(render_scene, &s);
        }
    clear(check_ctx, &r);
}

/* So may that of the JSON library, which is not the context's: then there is no string either. */
static long left;
static void *limited_malloc(size_t size) {
    return left-- > 0 ? malloc(size) : NULL;
}

/* But for digits: one of the numbers is the memory that the process has used so far. */
static size_t length_of(const char *text) {
    size_t length = 0;
    for (; *text; text++) length += *text < '0' || *text > '9';
    return length;
}

static void json_is_whole_or_none(void **state) {
    (void)state;
    results r;
    ksda_report_options o = as(KSDA_RENDERING_JSON);
    assert_int_equal(compute(check_ctx, &r), KSDA_OK);
    for (int kind = 0; kind < KINDS; kind++) {
        char *whole, *text;
        assert_int_equal(render(check_ctx, &r, kind, &o, &whole), KSDA_OK);
        for (long allowed = 0;; allowed++) {
            json_set_alloc_funcs(limited_malloc, free);
            left = allowed;
            ksda_status status = render(check_ctx, &r, kind, &o, &text);
            json_set_alloc_funcs(malloc, free);
            if (status >= 0) break;
            assert_int_equal(status, KSDA_NOMEM);
            assert_null(text);
        }
        assert_int_equal(length_of(text), length_of(whole));
        ksda_free(check_ctx, text), ksda_free(check_ctx, whole);
    }
    clear(check_ctx, &r);
}

/* The next row the slow way: of those that are not taken, the largest, then the one with the first name. */
static uint32_t next_row(const ksda_communities *c, const uint8_t *taken) {
    uint32_t best = KSDA_NO_VERTEX;
    char name[64], other[64];
    for (uint32_t j = 0; j < c->count; j++) {
        if (taken[j]) continue;
        ksda_communities_name(c, j, name, sizeof name);
        if (best != KSDA_NO_VERTEX) ksda_communities_name(c, best, other, sizeof other);
        uint32_t size = ksda_i_community_size(c, j),
                 largest = best == KSDA_NO_VERTEX ? 0 : ksda_i_community_size(c, best);
        if (best == KSDA_NO_VERTEX || size > largest || (size == largest && strcmp(name, other) < 0)) best = j;
    }
    return best;
}

static void the_largest_communities_are_shown(void **state) {
    ksda_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        ksda_i_rng r = ksda_i_rng_stream(seed, 7, 0);
        uint32_t n = 1 + (uint32_t)ksda_i_rng_below(&r, 200), of[200], row[12], rows;
        uint32_t labels = 1 + (uint32_t)ksda_i_rng_below(&r, 60), most = 1 + (uint32_t)ksda_i_rng_below(&r, 12);
        uint8_t taken[200] = {0};
        ksda_communities *c;
        for (uint32_t v = 0; v < n; v++) of[v] = (uint32_t)ksda_i_rng_below(&r, labels);
        assert_int_equal(ksda_communities_from_labels(ctx, n, of, &c), KSDA_OK);
        assert_int_equal(ksda_i_page_largest(ctx, c, NULL, most, row, &rows), KSDA_OK);
        assert_int_equal(rows, c->count < most ? c->count : most);
        for (uint32_t i = 0; i < rows; i++) {
            assert_int_equal(row[i], next_row(c, taken));
            taken[row[i]] = 1;
        }
        ksda_communities_free(ctx, c);
    }
}

/* Nothing but the few that are shown is sorted: a pass over all of them for each took seconds, after the time limit. */
static void very_many_communities_are_no_burden(void **state) {
    ksda_ctx *ctx = *state;
    enum {
        MANY = 300000
    };
    uint32_t *of = malloc(MANY * sizeof *of), row[40], rows;
    ksda_communities *c;
    for (uint32_t v = 0; v < MANY; v++) of[v] = v;
    assert_int_equal(ksda_communities_from_labels(ctx, MANY, of, &c), KSDA_OK);
    clock_t before = clock();
    assert_int_equal(ksda_i_page_largest(ctx, c, NULL, 40, row, &rows), KSDA_OK);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* with them it is no measure */
    assert_true(seconds < 1);
#endif
    (void)seconds;
    assert_int_equal(rows, 40);
    ksda_communities_free(ctx, c);
    free(of);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_is_rendered),          cmocka_unit_test(a_public_page_keeps_secrets),
        cmocka_unit_test(memory_may_fail_anywhere),          cmocka_unit_test(json_is_whole_or_none),
        cmocka_unit_test(the_largest_communities_are_shown), cmocka_unit_test(very_many_communities_are_no_burden),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
