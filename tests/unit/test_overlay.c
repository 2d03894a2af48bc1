/* Releases whose rows are made when they are asked for, beside those that are made in full: the same rows, the same
 * files, the same verdicts, the same complaints. */
#include "graph/overlay.h"

#include "context.h"
#include "failing_memory.h"
#include "graph/peers.h"
#include "graph/release.h"
#include "graph/walk.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/ksda.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    NETWORKS = 150
};

typedef struct pair {
    ksda_network net;
    ksda_edits *edits;
    ksda_release full, lean;
} pair;

/* Both under the same numbers. */
static void make_pair(ksda_ctx *ctx, uint64_t seed, uint32_t n, double p, pair *x) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 0x6f766572, 0);
    edit_counts counts;
    *x = (pair){.net = KSDA_INIT(ksda_network), .full = KSDA_INIT(ksda_release), .lean = KSDA_INIT(ksda_release)};
    random_network(ctx, seed, n, p, 2 + (uint32_t)(seed % 4), &x->net);
    x->edits = random_edits(ctx, &rng, x->net.graph, x->net.communities, (unsigned)(seed % 7 * n / 20),
                            (unsigned)(seed / 3 % 5 * n / 10), &counts);
    ksda_ctx_set_threads(ctx, 1 + (unsigned)(seed % 3));
    assert_int_equal(ksda_release_make(ctx, x->edits, x->net.communities, 1, &x->full), KSDA_OK);
    assert_int_equal(ksda_i_release_make_lean(ctx, x->edits, x->net.communities, 1, &x->lean), KSDA_OK);
}

static void clear_pair(ksda_ctx *ctx, pair *x) {
    ksda_release_clear(ctx, &x->full);
    ksda_release_clear(ctx, &x->lean);
    ksda_edits_free(ctx, x->edits);
    ksda_network_clear(ctx, &x->net);
}

static void assert_same_rows(const ksda_graph *full, const ksda_graph *lean) {
    ksda_i_walk walk;
    const uint32_t *row;
    assert_int_equal(full->n, lean->n);
    assert_memory_equal(full->off, lean->off, (full->n + 1ul) * sizeof *full->off);
    assert_int_equal(ksda_i_walk_begin(check_ctx, lean, &walk), KSDA_OK);
    for (uint32_t v = 0; v < full->n; v++) {
        assert_int_equal(ksda_i_walk_to(&walk, v, &row), KSDA_OK);
        for (uint32_t i = 0; i < ksda_i_degree(full, v); i++) {
            uint32_t w = full->adj[full->off[v] + i];
            assert_int_equal(row[i], w < v ? 0 : w);
        }
    }
    ksda_i_walk_end(&walk);
}

/* In order, all at once, and after they were let go. */
static void rows_are_those_of_the_full_graph(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= times_as_many(NETWORKS); seed++) {
        pair x;
        make_pair(check_ctx, seed, 5 + (uint32_t)(seed % 60), 0.05 + 0.01 * (double)(seed % 30), &x);
        const ksda_graph *full = x.full.graph, *lean = x.lean.graph;
        assert_memory_equal(x.full.owner, x.lean.owner, full->n * sizeof *x.full.owner);
        assert_same_rows(full, lean);
        for (int again = 0; again < 2; again++) {
            if (full->m) assert_memory_equal(ksda_graph_neighbours(lean), full->adj, 2 * full->m * sizeof(uint32_t));
            lean->far->let_go(lean);
            assert_same_rows(full, lean);
        }
        clear_pair(check_ctx, &x);
    }
}

/* More rows than are made at a time, and one that is longer than all that are. */
static void windows_end_where_rows_do(void **state) {
    (void)state;
    pair x;
    ksda_rmat_options o;
    ksda_rmat_options_init(&o);
    o.scale = 16, o.edges = (uint64_t)5 << 20, o.block_bits = 4;
    x = (pair){.net = KSDA_INIT(ksda_network), .full = KSDA_INIT(ksda_release), .lean = KSDA_INIT(ksda_release)};
    assert_int_equal(ksda_generate_rmat(check_ctx, &o, &x.net.graph, &x.net.communities), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, x.net.graph, &x.edits), KSDA_OK);
    assert_int_equal(ksda_release_make(check_ctx, x.edits, x.net.communities, 1, &x.full), KSDA_OK);
    assert_int_equal(ksda_i_release_make_lean(check_ctx, x.edits, x.net.communities, 1, &x.lean), KSDA_OK);
    assert_same_rows(x.full.graph, x.lean.graph);
    clear_pair(check_ctx, &x);
}

static char *written(const ksda_graph *g, const char *ending, long *size) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/ksda-test-overlay-%ld%s", (long)getpid(), ending);
    assert_int_equal(ksda_write_graph(check_ctx, g, NULL, path, KSDA_FORMAT_AUTO), KSDA_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)*size + 1);
    assert_int_equal(fread(text, 1, (size_t)*size, file), *size);
    fclose(file);
    unlink(path);
    return text;
}

static void files_are_those_of_the_full_graph(void **state) {
    static const char *const ending[] = {".edges", ".csv",     ".u32", ".u64",  ".metis", ".mtx",    ".npz",
                                         ".gml",   ".graphml", ".net", ".json", ".gexf",  ".parquet"};
    (void)state;
    for (uint64_t seed = 1; seed <= 26; seed++) {
        pair x;
        long full_size, lean_size;
        make_pair(check_ctx, seed, 30, 0.2, &x);
        const char *kind = ending[seed % (sizeof ending / sizeof *ending)];
        char *full = written(x.full.graph, kind, &full_size), *lean = written(x.lean.graph, kind, &lean_size);
        assert_int_equal(full_size, lean_size);
        assert_memory_equal(full, lean, (size_t)full_size);
        free(full), free(lean);
        clear_pair(check_ctx, &x);
    }
}

/* As it was made, and with two owners changed: most often something is wrong then, and the same is said about it. */
static void verdicts_and_complaints_are_the_same(void **state) {
    (void)state;
    uint64_t wrong = 0;
    for (uint64_t seed = 1; seed <= times_as_many(NETWORKS); seed++) {
        pair x;
        make_pair(check_ctx, seed, 8 + (uint32_t)(seed % 40), 0.1 + 0.01 * (double)(seed % 20), &x);
        const ksda_graph *g = x.net.graph;
        for (int changed = 0; changed < 2; changed++) {
            ksda_verification a = KSDA_INIT(ksda_verification), b = KSDA_INIT(ksda_verification);
            if (changed) {
                uint32_t p = (uint32_t)(seed % x.full.graph->n), q = (p + 3) % x.full.graph->n, swap = x.full.owner[p];
                x.full.owner[p] = x.full.owner[q], x.full.owner[q] = swap;
            }
            assert_int_equal(ksda_verify(check_ctx, g, x.net.communities, x.full.graph, x.full.owner, 2, &a), KSDA_OK);
            assert_int_equal(ksda_verify(check_ctx, g, x.net.communities, x.lean.graph, x.full.owner, 2, &b), KSDA_OK);
            assert_memory_equal(&a, &b, sizeof a);
            if (!changed) assert_true(a.valid);
            wrong += !a.valid;
        }
        clear_pair(check_ctx, &x);
    }
    assert_true(enough(wrong, NETWORKS / 2));
}

/* An edge that is there already is refused in the same words. */
static void edges_that_are_there_are_refused_alike(void **state) {
    (void)state;
    static const uint32_t pairs[] = {0, 1, 1, 2, 0, 2, 3, 4}, label[] = {0, 0, 0, 1, 1};
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_release release = KSDA_INIT(ksda_release);
    ksda_edits *edits;
    char said[512];
    assert_int_equal(listed_network(check_ctx, 5, 4, pairs, label, &net), KSDA_OK);
    assert_int_equal(ksda_edits_new(check_ctx, net.graph, &edits), KSDA_OK);
    assert_int_equal(ksda_edits_add_edge(check_ctx, edits, 2, 1), KSDA_OK);
    for (int lean = 0; lean < 2; lean++) {
        assert_int_equal(
            (lean ? ksda_i_release_make_lean : ksda_release_make)(check_ctx, edits, net.communities, 1, &release),
            KSDA_INVALID);
        if (lean) assert_string_equal(said, ksda_ctx_error(check_ctx)->message);
        snprintf(said, sizeof said, "%s", ksda_ctx_error(check_ctx)->message);
        assert_non_null(strstr(said, "is there already"));
    }
    ksda_edits_free(check_ctx, edits);
    ksda_network_clear(check_ctx, &net);
}

/* What a caller gets does not depend on how it was made; and who has another context may free it. */
static void publications_are_the_same(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_anonymize_options options;
        ksda_publish_options how;
        ksda_publication *p[2];
        ksda_ctx *ctx = new_ctx();
        ksda_anonymize_options_init(&options), options.k = 2;
        ksda_publish_options_init(&how), how.insecure_ids = 1;
        random_network(check_ctx, seed, 20, 0.3, 3, &net);
        for (int lean = 0; lean < 2; lean++) {
            ctx->lean = lean ? 1 : -1;
            assert_int_equal(ksda_publish(ctx, net.graph, net.communities, NULL, &options, &how, &p[lean]), KSDA_OK);
        }
        ksda_ctx_free(ctx);
        const ksda_graph *full = ksda_publication_release(p[0])->graph, *lean = ksda_publication_release(p[1])->graph;
        assert_null(full->far);
        assert_non_null(lean->far);
        assert_same_rows(full, lean);
        assert_memory_equal(ksda_publication_verification(p[0]), ksda_publication_verification(p[1]),
                            sizeof(ksda_verification));
        ksda_publication_free(check_ctx, p[0]), ksda_publication_free(check_ctx, p[1]);
        ksda_network_clear(check_ctx, &net);
    }
}

static ksda_status publish_small(ksda_ctx *ctx) {
    static const uint32_t pairs[] = {0, 1, 1, 2, 0, 2, 3, 4, 4, 5}, label[] = {0, 0, 0, 1, 1, 1};
    ksda_network net = KSDA_INIT(ksda_network);
    ksda_edits *edits = NULL;
    ksda_publication *p = NULL;
    uint32_t piece;
    ksda_status status;
    ctx->lean = 1;
    KSDA_I_TRY(listed_network(ctx, 6, 5, pairs, label, &net));
    KSDA_I_TRY(ksda_edits_new(ctx, net.graph, &edits));
    KSDA_I_TRY(ksda_edits_split(ctx, edits, 1, &piece));
    KSDA_I_TRY(ksda_edits_carry(ctx, edits, 1, 0, piece));
    KSDA_I_TRY(ksda_edits_add_edge(ctx, edits, 3, 5));
    KSDA_I_TRY(ksda_publish_edits(ctx, net.graph, net.communities, 1, edits, NULL, &p));
    KSDA_I_TRY(ksda_write_graph(ctx, ksda_publication_release(p)->graph, NULL, "/dev/null", KSDA_FORMAT_EDGES));
done:
    ksda_publication_free(ctx, p);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
    return status;
}

static void memory_may_fail_anywhere(void **state) {
    (void)state;
    assert_survives_failing_memory(publish_small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_full_graph),
        cmocka_unit_test(windows_end_where_rows_do),
        cmocka_unit_test(files_are_those_of_the_full_graph),
        cmocka_unit_test(verdicts_and_complaints_are_the_same),
        cmocka_unit_test(edges_that_are_there_are_refused_alike),
        cmocka_unit_test(publications_are_the_same),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
