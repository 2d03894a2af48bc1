/* Networks from the caller's arrays and back: rows copied and borrowed, edges with names, communities from labels and
 * from lists, and all that has n or m entries out at once. The slow reference is the function that gives one entry. */
#include "core/random.h"
#include "failing_memory.h"
#include "random_edits.h"
#include "random_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <ksda/ksda.h>

#include "context.h"

enum {
    NETWORKS = 60
};

static ksda_csr rows_of(const ksda_graph *g, int borrow) {
    ksda_csr csr = KSDA_INIT(ksda_csr);
    csr.vertices = ksda_graph_vertices(g);
    csr.offsets = ksda_graph_offsets(g);
    csr.targets = ksda_graph_neighbours(g);
    csr.borrow = borrow;
    return csr;
}

static void count_call(void *payload) {
    ++*(int *)payload;
}

static void assert_same_rows(const ksda_graph *a, const ksda_graph *b) {
    uint32_t n = ksda_graph_vertices(a);
    uint64_t m = ksda_graph_edges(a);
    assert_int_equal(n, ksda_graph_vertices(b));
    assert_int_equal(m, ksda_graph_edges(b));
    assert_memory_equal(ksda_graph_offsets(a), ksda_graph_offsets(b), (n + 1) * sizeof(uint64_t));
    if (m) assert_memory_equal(ksda_graph_neighbours(a), ksda_graph_neighbours(b), 2 * m * sizeof(uint32_t));
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void rows_are_copied_or_borrowed(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_graph *copied, *borrowed;
        int disposed = 0;
        random_network(check_ctx, seed, (uint32_t)(seed % 23), 0.3, 2, &net);
        ksda_csr csr = rows_of(net.graph, 0);
        csr.dispose = count_call, csr.dispose_payload = &disposed;
        assert_int_equal(ksda_graph_from_csr(check_ctx, &csr, &copied), KSDA_OK);
        assert_int_equal(disposed, 1);
        csr.borrow = 1;
        assert_int_equal(ksda_graph_from_csr(check_ctx, &csr, &borrowed), KSDA_OK);
        assert_ptr_equal(ksda_graph_offsets(borrowed), csr.offsets);
        assert_true(ksda_graph_edges(borrowed) == 0 || ksda_graph_neighbours(borrowed) == csr.targets);
        assert_ptr_not_equal(ksda_graph_offsets(copied), csr.offsets);
        assert_same_rows(net.graph, copied);
        assert_same_rows(net.graph, borrowed);
        assert_int_equal(disposed, 1);
        ksda_graph_free(check_ctx, borrowed);
        assert_int_equal(disposed, 2);
        ksda_graph_free(check_ctx, copied);
        assert_int_equal(disposed, 2);
        ksda_network_clear(check_ctx, &net);
    }
}

/* Whether rows are those of a simple undirected graph, slowly. */
static bool sound(uint32_t n, const uint64_t *off, const uint32_t *adj) {
    for (uint32_t v = 0; v < n; v++)
        for (uint64_t i = off[v]; i < off[v + 1]; i++) {
            bool back = false;
            if (adj[i] >= n || adj[i] == v || (i > off[v] && adj[i - 1] >= adj[i])) return false;
            for (uint64_t j = off[adj[i]]; j < off[adj[i] + 1]; j++) back |= adj[j] == v;
            if (!back) return false;
        }
    return true;
}

/* One entry of sound rows is changed to any number: taken if and only if they are still sound. */
static void unsound_rows_are_refused(void **state) {
    (void)state;
    uint32_t taken = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        uint32_t n = (uint32_t)(2 + seed % 7), target[64];
        int disposed = 0;
        random_network(check_ctx, seed, n, 0.5, 1, &net);
        ksda_csr csr = rows_of(net.graph, (int)(seed & 1));
        uint64_t ends = csr.offsets[n];
        ksda_i_rng rng = ksda_i_rng_stream(seed, 1, 0);
        memcpy(target, csr.targets, ends * sizeof *target);
        if (ends) target[ksda_i_rng_below(&rng, ends)] = (uint32_t)ksda_i_rng_below(&rng, n + 1);
        csr.targets = target, csr.dispose = count_call, csr.dispose_payload = &disposed;
        ksda_graph *g;
        ksda_status status = ksda_graph_from_csr(check_ctx, &csr, &g);
        assert_int_equal(status, sound(n, csr.offsets, target) ? KSDA_OK : KSDA_INVALID);
        taken += status == KSDA_OK, refused += status != KSDA_OK;
        if (status != KSDA_OK) assert_null(g), assert_int_equal(disposed, 0);
        ksda_graph_free(check_ctx, g);
        ksda_network_clear(check_ctx, &net);
    }
    assert_true(taken > 100 && refused > 100);
}

static void expect_refusal(const ksda_csr *csr, const char *words) {
    ksda_graph *g;
    assert_int_equal(ksda_graph_from_csr(check_ctx, csr, &g), KSDA_INVALID);
    assert_null(g);
    if (!strstr(ksda_ctx_error(check_ctx)->message, words)) fail_msg("'%s'", ksda_ctx_error(check_ctx)->message);
}

static void refusals_say_where(void **state) {
    (void)state;
    static const uint64_t off[] = {0, 2, 3, 4}, descending[] = {0, 3, 2, 4}, late[] = {1, 2, 3, 4},
                          wide[] = {0, 4, 4, 4};
    static const uint32_t one_way[] = {1, 2, 2, 0}, loop[] = {1, 2, 1, 0}, twice[] = {1, 1, 0, 0}, far[] = {1, 3, 0, 0},
                          mixed[] = {2, 1, 0, 0};
    ksda_csr csr = KSDA_INIT(ksda_csr);
    csr.vertices = 3;
    expect_refusal(&csr, "begin with 0");
    csr.offsets = late, csr.targets = one_way;
    expect_refusal(&csr, "begin with 0");
    csr.offsets = descending;
    expect_refusal(&csr, "row 0: is longer");
    csr.offsets = wide;
    expect_refusal(&csr, "row 0: is longer");
    csr.offsets = off;
    expect_refusal(&csr, "1 is a neighbour of 0, but not");
    csr.targets = loop;
    expect_refusal(&csr, "row 1: a loop");
    csr.targets = twice;
    expect_refusal(&csr, "row 0: neighbour 1 twice");
    csr.targets = far;
    expect_refusal(&csr, "row 0: neighbour 3, but there are only 3");
    csr.targets = mixed;
    expect_refusal(&csr, "row 0: 2 stands before 1");
    csr.targets = NULL;
    expect_refusal(&csr, "without targets");
}

/* A borrowed graph that gets further vertices from a map must leave the caller's arrays alone. */
static void a_borrowed_graph_can_be_extended(void **state) {
    (void)state;
    static const uint64_t off[] = {0, 1, 2};
    static const uint32_t adj[] = {1, 0};
    char path[] = "arrays.XXXXXX";
    int fd = mkstemp(path), disposed = 0;
    FILE *file = fdopen(fd, "w");
    fputs("0\t0\n1\t1\n2\t2\n", file);
    fclose(file);
    ksda_csr csr = KSDA_INIT(ksda_csr);
    ksda_graph *published, *original;
    uint32_t *owner;
    csr.vertices = 2, csr.offsets = off, csr.targets = adj, csr.borrow = 1;
    csr.dispose = count_call, csr.dispose_payload = &disposed;
    assert_int_equal(ksda_graph_from_csr(check_ctx, &csr, &published), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(check_ctx, 3, 1, adj, &original), KSDA_OK);
    assert_int_equal(ksda_load_map(check_ctx, original, &published, path, &owner), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(published), 3);
    assert_int_equal(ksda_graph_degree(published, 2), 0);
    assert_int_equal(off[2], 2);
    ksda_graph_free(check_ctx, published);
    assert_int_equal(disposed, 1);
    ksda_graph_free(check_ctx, original);
    ksda_free(check_ctx, owner);
    unlink(path);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void names_go_in_and_out(void **state) {
    (void)state;
    static const uint32_t pairs[] = {0, 1, 1, 2};
    static const char text[] = "Annaa b42";
    static const uint64_t at[] = {0, 4, 7, 9}, wrong[] = {0, 4, 3, 9}, same[] = {3, 4, 5, 9};
    ksda_graph *g;
    char name[8], *all;
    uint64_t *offsets;
    assert_int_equal(ksda_graph_from_named_edges(check_ctx, 3, 2, pairs, text, at, &g), KSDA_OK);
    assert_int_equal(ksda_graph_name(g, 1, name, sizeof name), 3);
    assert_string_equal(name, "a b");
    assert_int_equal(ksda_graph_find(g, "Anna", 4), 0);
    assert_int_equal(ksda_graph_find(g, "42", 2), 2);
    assert_int_equal(ksda_graph_names(check_ctx, g, &all, &offsets), KSDA_OK);
    assert_string_equal(all, text);
    assert_memory_equal(offsets, at, sizeof at);
    ksda_free(check_ctx, all), ksda_free(check_ctx, offsets);
    ksda_csr csr = rows_of(g, 1);
    ksda_graph *again;
    csr.names = text, csr.name_offsets = at;
    assert_int_equal(ksda_graph_from_csr(check_ctx, &csr, &again), KSDA_OK);
    assert_int_equal(ksda_graph_find(again, "a b", 3), 1);
    ksda_graph_free(check_ctx, again);
    ksda_graph_free(check_ctx, g);
    assert_int_equal(ksda_graph_from_named_edges(check_ctx, 3, 2, pairs, text, wrong, &g), KSDA_INVALID);
    assert_null(g);
    assert_int_equal(ksda_graph_from_named_edges(check_ctx, 3, 2, pairs, text, same, &g), KSDA_INVALID);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "vertex 0 and vertex 1 have the same name"));
    assert_int_equal(ksda_graph_from_named_edges(check_ctx, 3, 2, pairs, NULL, NULL, &g), KSDA_OK);
    assert_int_equal(ksda_graph_names(check_ctx, g, &all, &offsets), KSDA_OK);
    assert_string_equal(all, "012");
    ksda_free(check_ctx, all), ksda_free(check_ctx, offsets);
    ksda_graph_free(check_ctx, g);
}

/* --- communities -------------------------------------------------------------------------------------------------- */

static void assert_name(const ksda_communities *c, uint32_t i, const char *expected) {
    char name[64];
    ksda_communities_name(c, i, name, sizeof name);
    assert_string_equal(name, expected);
}

static void labels_may_say_none(void **state) {
    (void)state;
    static const uint32_t label[] = {7, UINT32_MAX, 3, 7, UINT32_MAX};
    static const uint32_t own[] = {1, 2, 0, 1, 3}, together[] = {1, 2, 0, 1, 2};
    ksda_communities *c;
    assert_int_equal(ksda_communities_from_partial_labels(check_ctx, 5, label, UINT32_MAX, KSDA_UNASSIGNED_REFUSE, &c),
                     KSDA_INVALID);
    assert_null(c);
    assert_non_null(strstr(ksda_ctx_error(check_ctx)->message, "vertex 1 has no community"));
    for (int how = KSDA_UNASSIGNED_OWN; how <= KSDA_UNASSIGNED_TOGETHER_COUNTED; how++) {
        bool each = how == KSDA_UNASSIGNED_OWN || how == KSDA_UNASSIGNED_OWN_COUNTED;
        uint32_t count = each ? 4 : 3;
        assert_int_equal(
            ksda_communities_from_partial_labels(check_ctx, 5, label, UINT32_MAX, (ksda_unassigned)how, &c), KSDA_OK);
        assert_int_equal(ksda_communities_count(c), count);
        assert_int_equal(ksda_communities_counted(c), how >= KSDA_UNASSIGNED_OWN_COUNTED ? count : 2);
        assert_memory_equal(ksda_communities_labels(c), each ? own : together, sizeof own);
        assert_name(c, 0, "3"), assert_name(c, 1, "7"), assert_name(c, 2, "8");
        ksda_communities_free(check_ctx, c);
    }
    assert_int_equal(ksda_communities_from_partial_labels(check_ctx, 5, label, 99, KSDA_UNASSIGNED_REFUSE, &c),
                     KSDA_OK);
    assert_int_equal(ksda_communities_count(c), 3);
    ksda_communities_free(check_ctx, c);
}

/* Lists of members and back are the same communities, for random ones. */
static void members_go_in_and_out(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        ksda_communities *again;
        random_network(check_ctx, seed, (uint32_t)(5 + seed % 20), 0.3, (uint32_t)(1 + seed % 5), &net);
        const ksda_communities *c = net.communities;
        uint32_t n = ksda_communities_vertices(c), count = ksda_communities_count(c), size;
        const uint32_t *at = ksda_communities_offsets(c), *member = ksda_communities_member_array(c);
        for (uint32_t i = 0; i < count; i++) {
            assert_ptr_equal(ksda_communities_members(c, i, &size), member + at[i]);
            assert_int_equal(size, at[i + 1] - at[i]);
        }
        assert_int_equal(
            ksda_communities_from_members(check_ctx, n, count, at, member, NULL, NULL, KSDA_UNASSIGNED_REFUSE, &again),
            KSDA_OK);
        assert_memory_equal(ksda_communities_labels(again), ksda_communities_labels(c), n * sizeof(uint32_t));
        ksda_communities_free(check_ctx, again);
        ksda_network_clear(check_ctx, &net);
    }
}

static ksda_status from_members(const uint32_t *offsets, const uint32_t *members, const char *names,
                                const uint64_t *name_offsets, ksda_unassigned how, ksda_communities **out) {
    return ksda_communities_from_members(check_ctx, 4, 2, offsets, members, names, name_offsets, how, out);
}

static void lists_are_checked(void **state) {
    (void)state;
    static const uint32_t at[] = {0, 2, 3}, empty[] = {0, 3, 3}, descending[] = {0, 2, 1};
    static const uint32_t fine[] = {3, 0, 1}, far[] = {3, 4, 1}, both[] = {3, 0, 3}, again[] = {3, 3, 1};
    static const uint64_t named[] = {0, 1, 3}, same[] = {1, 2, 3};
    static const struct {
        const uint32_t *at, *member;
        const uint64_t *named;
        const char *words;
    } wrong[] = {{at, far, named, "member 4, but there are only 4"},
                 {at, both, named, "vertex 3 is a member of communities 0 and 1"},
                 {at, again, named, "community 0 has member 3 twice"},
                 {empty, fine, named, "community 1 has no members"},
                 {descending, fine, named, "community 1 end before"},
                 {at, fine, same, "community 0 and community 1 have the same name"}};
    ksda_communities *c;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(from_members(wrong[i].at, wrong[i].member, "abb", wrong[i].named, KSDA_UNASSIGNED_OWN, &c),
                         KSDA_INVALID);
        assert_null(c);
        if (!strstr(ksda_ctx_error(check_ctx)->message, wrong[i].words))
            fail_msg("'%s'", ksda_ctx_error(check_ctx)->message);
    }
    assert_int_equal(from_members(at, fine, "abb", named, KSDA_UNASSIGNED_REFUSE, &c), KSDA_INVALID);
    assert_int_equal(from_members(at, fine, "abb", named, (ksda_unassigned)17, &c), KSDA_INVALID);
    assert_int_equal(from_members(at, fine, "abb", named, KSDA_UNASSIGNED_TOGETHER, &c), KSDA_OK);
    assert_int_equal(ksda_communities_count(c), 3);
    assert_name(c, 1, "bb"), assert_name(c, 2, "unassigned-2");
    char *text;
    uint64_t *offsets;
    assert_int_equal(ksda_communities_names(check_ctx, c, &text, &offsets), KSDA_OK);
    assert_string_equal(text, "abbunassigned-2");
    assert_int_equal(offsets[3], strlen(text));
    ksda_free(check_ctx, text), ksda_free(check_ctx, offsets);
    ksda_communities_free(check_ctx, c);
}

/* --- edits -------------------------------------------------------------------------------------------------------- */

static void owners_and_carriers_come_at_once(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        ksda_network net = KSDA_INIT(ksda_network);
        random_network(check_ctx, seed, 20, 0.3, 3, &net);
        ksda_i_rng rng = ksda_i_rng_stream(seed, 2, 0);
        edit_counts counts;
        ksda_edits *edits = random_edits(check_ctx, &rng, net.graph, net.communities, 4, 10, &counts);
        uint32_t pieces = ksda_edits_pieces(edits), *owner = malloc(pieces * sizeof *owner);
        const uint64_t *off = ksda_graph_offsets(net.graph);
        uint32_t *carrier = malloc((off[20] + 1) * sizeof *carrier);
        ksda_edits_owners(edits, owner);
        ksda_edits_carriers(edits, carrier);
        for (uint32_t p = 0; p < pieces; p++) assert_int_equal(owner[p], ksda_edits_owner(edits, p));
        for (uint32_t v = 0; v < 20; v++)
            for (uint64_t i = off[v]; i < off[v + 1]; i++)
                assert_int_equal(carrier[i], ksda_edits_carrier(edits, v, (uint32_t)(i - off[v])));
        free(owner), free(carrier);
        ksda_edits_free(check_ctx, edits);
        ksda_network_clear(check_ctx, &net);
    }
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static ksda_status everything(ksda_ctx *ctx) {
    static const uint64_t off[] = {0, 1, 2}, at[] = {0, 1, 2};
    static const uint32_t adj[] = {1, 0}, label[] = {5, 9}, one[] = {0, 1};
    ksda_graph *g = NULL, *h = NULL;
    ksda_communities *c = NULL, *d = NULL;
    char *text = NULL;
    uint64_t *offsets = NULL;
    ksda_status status;
    ksda_csr csr = KSDA_INIT(ksda_csr);
    csr.vertices = 2, csr.offsets = off, csr.targets = adj, csr.names = "ab", csr.name_offsets = at;
    KSDA_I_TRY(ksda_graph_from_csr(ctx, &csr, &g));
    csr.borrow = 1;
    KSDA_I_TRY(ksda_graph_from_csr(ctx, &csr, &h));
    KSDA_I_TRY(ksda_graph_names(ctx, h, &text, &offsets));
    KSDA_I_TRY(ksda_communities_from_partial_labels(ctx, 2, label, 9, KSDA_UNASSIGNED_OWN, &c));
    KSDA_I_TRY(ksda_communities_from_members(ctx, 2, 1, one, one, "x", at, KSDA_UNASSIGNED_OWN, &d));
done:
    ksda_free(ctx, text), ksda_free(ctx, offsets);
    ksda_communities_free(ctx, c), ksda_communities_free(ctx, d);
    ksda_graph_free(ctx, g), ksda_graph_free(ctx, h);
    return status;
}

static void memory_may_fail_anywhere(void **state) {
    (void)state;
    assert_survives_failing_memory(everything);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_copied_or_borrowed),
        cmocka_unit_test(unsound_rows_are_refused),
        cmocka_unit_test(refusals_say_where),
        cmocka_unit_test(a_borrowed_graph_can_be_extended),
        cmocka_unit_test(names_go_in_and_out),
        cmocka_unit_test(labels_may_say_none),
        cmocka_unit_test(members_go_in_and_out),
        cmocka_unit_test(lists_are_checked),
        cmocka_unit_test(owners_and_carriers_come_at_once),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
