/* Structs that the caller provides: a size that nobody set, that is too small, or that promises what this library does
 * not know is refused by every call that takes one; a larger struct of zeros is fine; nothing behind it is touched. */
#include "core/sized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <ksda/ksda.h>

enum {
    ROOM = 4096,
    TAIL = 64
};

/* Three triangles, a community each, and some edges between them. */
static const uint32_t pairs[] = {0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3, 6, 7, 7, 8, 8, 6, 0, 3, 3, 6, 0, 4};
static const uint32_t label[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
static const uint32_t self[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static ksda_ctx *ctx;
static ksda_graph *graph;
static ksda_communities *communities;
static ksda_edits *none;
static char path[] = "sized.XXXXXX";

/* --- one call for every struct; `s` is the struct, or NULL ------------------------------------------------------- */

static ksda_status load_with(const ksda_load_options *options, ksda_network *net) {
    ksda_status status = ksda_load(ctx, path, options, net);
    if (status >= 0) assert_int_equal(ksda_graph_vertices(net->graph), 2);
    if (net) ksda_network_clear(ctx, net);
    return status;
}
static ksda_status load_options(void *s) {
    ksda_network net = KSDA_INIT(ksda_network);
    return load_with(s, &net);
}
static ksda_status network(void *s) {
    return load_with(NULL, s);
}

static ksda_status anonymize_with(const ksda_anonymize_options *options, ksda_anonymize_result *result) {
    ksda_edits *edits;
    ksda_status status = ksda_anonymize(ctx, graph, communities, NULL, options, &edits, result);
    ksda_edits_free(ctx, edits);
    return status;
}
static ksda_anonymize_options for_three(void) {
    ksda_anonymize_options o;
    ksda_anonymize_options_init(&o);
    o.k = 3;
    return o;
}
static ksda_status anonymize_options(void *s) {
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    return anonymize_with(s, &result);
}
static ksda_status anonymize_result(void *s) {
    ksda_anonymize_options o = for_three();
    return anonymize_with(&o, s);
}
static ksda_status frontier_with(const ksda_anonymize_options *options, ksda_frontier *f) {
    ksda_status status = ksda_frontier_search(ctx, graph, communities, options, 2, f);
    if (f) ksda_frontier_clear(ctx, f);
    return status;
}
static ksda_status frontier_options(void *s) {
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    return frontier_with(s, &f);
}
static ksda_status frontier(void *s) {
    ksda_anonymize_options o = for_three();
    return frontier_with(&o, s);
}

static ksda_status optimal_with(const ksda_optimal_options *options, ksda_optimal_result *result) {
    ksda_edits *edits;
    ksda_status status = ksda_optimal(ctx, graph, communities, options, &edits, result);
    ksda_edits_free(ctx, edits);
    return status;
}
static ksda_status optimal_options(void *s) {
    ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
    return optimal_with(s, &result);
}
static ksda_status optimal_result(void *s) {
    ksda_optimal_options o;
    ksda_optimal_options_init(&o);
    o.k = 2;
    return optimal_with(&o, s);
}
static ksda_status lp_options(void *s) {
    return ksda_optimal_write_lp(ctx, graph, communities, s, "sized.lp");
}

static ksda_status measure_with(const ksda_measure_options *options, ksda_measures *m) {
    ksda_status status = ksda_measure(ctx, graph, communities, options, m);
    if (status >= 0) assert_int_equal(m->values, KSDA_MEASURE_COUNT);
    if (m) ksda_measures_clear(ctx, m);
    return status;
}
static ksda_status measure_options(void *s) {
    ksda_measures m = KSDA_INIT(ksda_measures);
    return measure_with(s, &m);
}
static ksda_status measures(void *s) {
    return measure_with(NULL, s);
}
static ksda_status compare_with(const ksda_measure_options *options, ksda_comparison *c) {
    ksda_status status = ksda_compare(ctx, graph, communities, graph, self, 2, options, c);
    if (status >= 0) assert_int_equal(c->differences, KSDA_DIFFERENCE_COUNT);
    if (c) ksda_comparison_clear(ctx, c);
    return status;
}
static ksda_status compare_options(void *s) {
    ksda_comparison c = KSDA_INIT(ksda_comparison);
    return compare_with(s, &c);
}
static ksda_status comparison(void *s) {
    return compare_with(NULL, s);
}

static ksda_status rmat_options(void *s) {
    ksda_graph *made;
    ksda_status status = ksda_generate_rmat(ctx, s, &made, NULL);
    ksda_graph_free(ctx, made);
    return status;
}
static ksda_status planted_options(void *s) {
    ksda_graph *made;
    ksda_status status = ksda_generate_planted(ctx, s, &made, NULL);
    ksda_graph_free(ctx, made);
    return status;
}
static ksda_status csr(void *s) {
    static const uint64_t offsets[] = {0, 1, 2};
    static const uint32_t targets[] = {1, 0};
    ksda_graph *made;
    if (s) ((ksda_csr *)s)->vertices = 2, ((ksda_csr *)s)->offsets = offsets, ((ksda_csr *)s)->targets = targets;
    ksda_status status = ksda_graph_from_csr(ctx, s, &made);
    ksda_graph_free(ctx, made);
    return status;
}
static ksda_status release(void *s) {
    ksda_status status = ksda_release_make(ctx, none, communities, 1, s);
    if (s) ksda_release_clear(ctx, s);
    return status;
}
static ksda_status publish_options(void *s) {
    ksda_publication *p;
    ksda_status status = ksda_publish_edits(ctx, graph, communities, 1, none, s, &p);
    ksda_publication_free(ctx, p);
    return status;
}
static ksda_status report_options(void *s) {
    ksda_verification v = KSDA_INIT(ksda_verification);
    char *text;
    ksda_status status = ksda_report_verification(ctx, &v, 2, s, &text);
    ksda_free(ctx, text);
    return status;
}
static ksda_status verification(void *s) {
    return ksda_verify(ctx, graph, communities, graph, self, 2, s);
}
static ksda_status diversity(void *s) {
    ksda_status status = ksda_diversity_check(ctx, graph, communities, 2, s);
    if (s) ksda_diversity_clear(ctx, s);
    return status;
}
static ksda_status agreement(void *s) {
    return ksda_partition_agreement(ctx, 9, label, self, s);
}

/* --- how each is made ready -------------------------------------------------------------------------------------- */

static void init_load(void *s, size_t size) {
    ksda_load_options_init_sized(s, size);
}
static void init_anonymize(void *s, size_t size) {
    ksda_anonymize_options_init_sized(s, size);
    ((ksda_anonymize_options *)s)->k = 3;
}
static void init_optimal(void *s, size_t size) {
    ksda_optimal_options_init_sized(s, size);
    ((ksda_optimal_options *)s)->k = 2;
}
static void init_measure(void *s, size_t size) {
    ksda_measure_options_init_sized(s, size);
}
static void init_rmat(void *s, size_t size) {
    ksda_rmat_options_init_sized(s, size);
    ((ksda_rmat_options *)s)->scale = 4, ((ksda_rmat_options *)s)->edges = 8;
}
static void init_planted(void *s, size_t size) {
    ksda_planted_options_init_sized(s, size);
}
static void init_publish(void *s, size_t size) {
    ksda_publish_options_init_sized(s, size);
}
static void init_report(void *s, size_t size) {
    ksda_report_options_init_sized(s, size);
}
static void init_result(void *s, size_t size) {
    memset(s, 0, size);
    memcpy(s, &size, sizeof size);
}

static const struct row {
    const char *name, *message; /* the message names what to call */
    size_t known;
    ksda_status (*call)(void *s);
    void (*init)(void *s, size_t size);
    ksda_status without; /* what NULL gives */
} rows[] = {
    {"load", "ksda_load_options_init()", sizeof(ksda_load_options), load_options, init_load, KSDA_OK},
    {"network", "KSDA_INIT(ksda_network)", sizeof(ksda_network), network, init_result, KSDA_INVALID},
    {"anonymize", "ksda_anonymize_options_init()", sizeof(ksda_anonymize_options), anonymize_options, init_anonymize,
     KSDA_INVALID},
    {"anonymize result", "KSDA_INIT(ksda_anonymize_result)", sizeof(ksda_anonymize_result), anonymize_result,
     init_result, KSDA_OK},
    {"frontier options", "ksda_anonymize_options_init()", sizeof(ksda_anonymize_options), frontier_options,
     init_anonymize, KSDA_INVALID},
    {"frontier", "KSDA_INIT(ksda_frontier)", sizeof(ksda_frontier), frontier, init_result, KSDA_INVALID},
    {"optimal", "ksda_optimal_options_init()", sizeof(ksda_optimal_options), optimal_options, init_optimal,
     KSDA_INVALID},
    {"optimal result", "KSDA_INIT(ksda_optimal_result)", sizeof(ksda_optimal_result), optimal_result, init_result,
     KSDA_OK},
    {"write LP", "ksda_optimal_options_init()", sizeof(ksda_optimal_options), lp_options, init_optimal, KSDA_INVALID},
    {"measure", "ksda_measure_options_init()", sizeof(ksda_measure_options), measure_options, init_measure, KSDA_OK},
    {"measures", "KSDA_INIT(ksda_measures)", sizeof(ksda_measures), measures, init_result, KSDA_INVALID},
    {"compare", "ksda_measure_options_init()", sizeof(ksda_measure_options), compare_options, init_measure, KSDA_OK},
    {"comparison", "KSDA_INIT(ksda_comparison)", sizeof(ksda_comparison), comparison, init_result, KSDA_INVALID},
    {"rmat", "ksda_rmat_options_init()", sizeof(ksda_rmat_options), rmat_options, init_rmat, KSDA_OK},
    {"planted", "ksda_planted_options_init()", sizeof(ksda_planted_options), planted_options, init_planted, KSDA_OK},
    {"csr", "KSDA_INIT(ksda_csr)", sizeof(ksda_csr), csr, init_result, KSDA_INVALID},
    {"release", "KSDA_INIT(ksda_release)", sizeof(ksda_release), release, init_result, KSDA_INVALID},
    {"publish", "ksda_publish_options_init()", sizeof(ksda_publish_options), publish_options, init_publish, KSDA_OK},
    {"report", "ksda_report_options_init()", sizeof(ksda_report_options), report_options, init_report, KSDA_OK},
    {"verification", "KSDA_INIT(ksda_verification)", sizeof(ksda_verification), verification, init_result,
     KSDA_INVALID},
    {"diversity", "KSDA_INIT(ksda_diversity)", sizeof(ksda_diversity), diversity, init_result, KSDA_INVALID},
    {"agreement", "KSDA_INIT(ksda_agreement)", sizeof(ksda_agreement), agreement, init_result, KSDA_INVALID},
};

/* --- the tests --------------------------------------------------------------------------------------------------- */

/* Call with a struct that says `size` in a room of other bytes, of which none behind the struct may change. */
static ksda_status try_size(const struct row *row, size_t really, size_t size, int tail) {
    static _Alignas(16) unsigned char room[ROOM];
    memset(room, 0xa5, sizeof room);
    row->init(room, really);
    memcpy(room, &size, sizeof size);
    if (tail) room[really - 1] = 1;
    ksda_status status = row->call(room);
    for (size_t i = really; i < sizeof room; i++) assert_int_equal(room[i], 0xa5);
    return status;
}

static void expect(const struct row *row, ksda_status status, ksda_status expected) {
    if (status != expected)
        fprintf(stderr, "%s: %s instead of %s: %s\n", row->name, ksda_status_name(status), ksda_status_name(expected),
                ksda_ctx_error(ctx)->message);
    assert_int_equal(status, expected);
    if (status == KSDA_INVALID && !strstr(ksda_ctx_error(ctx)->message, row->message)) {
        fprintf(stderr, "%s: '%s' does not say %s\n", row->name, ksda_ctx_error(ctx)->message, row->message);
        fail();
    }
}

static void every_size_is_checked(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        size_t known = r->known;
        expect(r, try_size(r, known, known, 0), KSDA_OK);
        expect(r, try_size(r, known, 0, 0), KSDA_INVALID);
        expect(r, try_size(r, known, 1, 0), KSDA_INVALID);
        expect(r, try_size(r, known, sizeof(size_t), 0), KSDA_INVALID);
        expect(r, try_size(r, known, 2 * sizeof(size_t) - 1, 0), KSDA_INVALID);
        expect(r, try_size(r, known + TAIL, known + TAIL, 0), KSDA_OK);
        expect(r, try_size(r, known + TAIL, known + TAIL, 1), KSDA_INVALID);
        expect(r, try_size(r, known, SIZE_MAX, 0), KSDA_INVALID);
        expect(r, try_size(r, known, SIZE_MAX / 2, 0), KSDA_INVALID);
    }
}

/* An older program has a smaller struct: what it does not know is the default, and is not written. */
static void older_structs_are_understood(void **state) {
    typedef struct grown {
        size_t size;
        uint32_t old, added;
    } grown;
    static const ksda_i_sized kind = KSDA_I_OPTIONS(grown, old);
    grown defaults = {.old = 1, .added = 2}, options = {.added = 99}, full = defaults;
    (void)state;
    ksda_i_options_init(&kind, &options, offsetof(grown, added), &defaults);
    assert_int_equal(options.size, offsetof(grown, added));
    assert_int_equal(options.old, 1);
    assert_int_equal(options.added, 99);
    options.old = 7;
    assert_int_equal(ksda_i_options_take(ctx, &kind, &options, &full), KSDA_OK);
    assert_int_equal(full.size, sizeof full);
    assert_int_equal(full.old, 7);
    assert_int_equal(full.added, 2);
    assert_int_equal(ksda_i_result_check(ctx, &kind, &options), KSDA_OK);
    ksda_i_result_give(&kind, &options, &full);
    assert_int_equal(options.old, 7);
    assert_int_equal(options.added, 99);
    assert_int_equal(options.size, offsetof(grown, added));
}

static void null_is_the_defaults_or_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].call(NULL) != rows[i].without) {
            fprintf(stderr, "%s: NULL\n", rows[i].name);
            fail();
        }
}

/* The program that asked for k = 3 and got k = 2. */
static void options_without_init_are_refused(void **state) {
    (void)state;
    ksda_anonymize_options a = {.k = 3};
    ksda_optimal_options o = {.k = 3};
    ksda_load_options l = {.unassigned = KSDA_UNASSIGNED_OWN};
    assert_int_equal(anonymize_options(&a), KSDA_INVALID);
    assert_int_equal(optimal_options(&o), KSDA_INVALID);
    assert_int_equal(load_options(&l), KSDA_INVALID);
}

static void there_is_no_default_k(void **state) {
    (void)state;
    ksda_anonymize_options a;
    ksda_optimal_options o;
    ksda_anonymize_options_init(&a);
    ksda_optimal_options_init(&o);
    assert_int_equal(anonymize_options(&a), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "k is not set"));
    assert_int_equal(frontier_options(&a), KSDA_INVALID);
    assert_int_equal(anonymize_options(NULL), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "k is not set"));
    assert_int_equal(optimal_options(&o), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "k is not set"));
    assert_int_equal(lp_options(&o), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "k is not set"));
}

/* {0}, as a struct that nothing was written to: there is nothing to free, and the size stays what it was. */
static void clearing_keeps_the_size(void **state) {
    (void)state;
    ksda_network net = {0};
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    ksda_network_clear(ctx, &net);
    assert_int_equal(ksda_diversity_check(ctx, graph, communities, 2, &d), KSDA_OK);
    assert_int_equal(d.size, sizeof d);
    ksda_diversity_clear(ctx, &d);
    assert_int_equal(d.size, sizeof d);
    assert_null(d.group);
    assert_int_equal(ksda_diversity_check(ctx, graph, communities, 2, &d), KSDA_OK);
    ksda_diversity_clear(ctx, &d);
}

static int open_all(void **state) {
    (void)state;
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file || fputs("1 2\n", file) < 0 || fclose(file) || ksda_ctx_new(NULL, &ctx) < 0) return -1;
    return ksda_graph_from_edges(ctx, 9, sizeof pairs / sizeof *pairs / 2, pairs, &graph) < 0 ||
                   ksda_communities_from_labels(ctx, 9, label, &communities) < 0 ||
                   ksda_edits_new(ctx, graph, &none) < 0
               ? -1
               : 0;
}

static int close_all(void **state) {
    (void)state;
    remove(path);
    remove("sized.lp");
    ksda_edits_free(ctx, none);
    ksda_communities_free(ctx, communities);
    ksda_graph_free(ctx, graph);
    ksda_ctx_free(ctx);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_checked),           cmocka_unit_test(older_structs_are_understood),
        cmocka_unit_test(null_is_the_defaults_or_refused), cmocka_unit_test(options_without_init_are_refused),
        cmocka_unit_test(there_is_no_default_k),           cmocka_unit_test(clearing_keeps_the_size)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
