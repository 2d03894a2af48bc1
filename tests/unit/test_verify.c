/* verify against the definition read out loud: valid releases made from random edits are accepted with the right
 * counts, and whatever is broken in them is found, in the documented order: the map, then the lowest original vertex
 * with a forbidden edge, a lost edge or an idle piece, then diversity. */
#include "context.h"
#include "random_edits.h"
#include "random_graph.h"

#include <ksda/privacy.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 64 /* published vertices */

typedef enum fault {
    NOTHING,
    OWNER,
    ABSENT,
    MANY,
    ACROSS,
    LOST,
    IDLE,
    DEGREE,
    FAULTS
} fault;

static const char *const words[FAULTS] = {
    "",           "but there are only", "has no published vertex", "more than it has edges", "different communities",
    "is missing", "carries none",       "communities only"};

/* A release as the test sees it: easy to break. */
typedef struct release {
    uint32_t n;
    bool edge[MOST][MOST];
    uint32_t owner[MOST];
} release;

static uint32_t pieces_of(const release *r, uint32_t u) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < r->n; p++) count += r->owner[p] == u;
    return count;
}

static bool between(const release *r, uint32_t u, uint32_t v) {
    for (uint32_t p = 0; p < r->n; p++)
        for (uint32_t q = 0; q < r->n; q++)
            if (r->owner[p] == u && r->owner[q] == v && r->edge[p][q]) return true;
    return false;
}

/* What is wrong around u, by the definition. */
static fault around(const ksda_network *net, const release *r, uint32_t u) {
    const ksda_graph *g = net->graph;
    bool idle = false;
    for (uint32_t p = 0; p < r->n; p++)
        for (uint32_t q = 0; q < r->n; q++)
            if (r->owner[p] == u && r->edge[p][q] && r->owner[q] != u && !ksda_graph_adjacent(g, u, r->owner[q]) &&
                ksda_communities_of(net->communities, u) != ksda_communities_of(net->communities, r->owner[q]))
                return ACROSS;
    for (uint32_t v = 0; v < ksda_graph_vertices(g); v++)
        if (ksda_graph_adjacent(g, u, v) && !between(r, u, v)) return LOST;
    for (uint32_t p = 0; p < r->n && pieces_of(r, u) > 1; p++) {
        bool carries = r->owner[p] != u;
        for (uint32_t q = 0; q < r->n; q++) carries |= r->edge[p][q] && ksda_graph_adjacent(g, u, r->owner[q]);
        idle |= !carries;
    }
    return idle ? IDLE : NOTHING;
}

static uint32_t degree_of(const release *r, uint32_t p) {
    uint32_t degree = 0;
    for (uint32_t q = 0; q < r->n; q++) degree += r->edge[p][q];
    return degree;
}

static bool diverse(const ksda_network *net, const release *r, uint32_t k) {
    for (uint32_t p = 0; p < r->n; p++) {
        bool there[MOST] = {false};
        uint32_t kinds = 0;
        for (uint32_t q = 0; q < r->n; q++)
            if (degree_of(r, p) == degree_of(r, q)) there[ksda_communities_of(net->communities, r->owner[q])] = true;
        for (uint32_t c = 0; c < MOST; c++) kinds += there[c];
        if (kinds < k) return false;
    }
    return true;
}

/* The first thing wrong and the original vertex it is about. */
static fault reference(const ksda_network *net, const release *r, uint32_t k, uint32_t *vertex) {
    uint32_t n = ksda_graph_vertices(net->graph);
    *vertex = KSDA_NO_VERTEX;
    for (uint32_t p = 0; p < r->n; p++)
        if (r->owner[p] >= n) return OWNER;
    for (*vertex = 0; *vertex < n; ++*vertex) {
        uint32_t pieces = pieces_of(r, *vertex);
        if (pieces == 0) return ABSENT;
        if (pieces > 1 && pieces > ksda_graph_degree(net->graph, *vertex)) return MANY;
    }
    for (*vertex = 0; *vertex < n; ++*vertex) {
        fault f = around(net, r, *vertex);
        if (f != NOTHING) return f;
    }
    *vertex = KSDA_NO_VERTEX;
    return diverse(net, r, k) ? NOTHING : DEGREE;
}

static ksda_verification verify(ksda_ctx *ctx, const ksda_network *net, const release *r, uint32_t k) {
    static uint32_t pairs[MOST * MOST];
    uint64_t m = 0;
    ksda_graph *published;
    ksda_verification v = KSDA_INIT(ksda_verification);
    for (uint32_t p = 0; p < r->n; p++)
        for (uint32_t q = p + 1; q < r->n; q++)
            if (r->edge[p][q]) pairs[2 * m] = p, pairs[2 * m++ + 1] = q;
    assert_int_equal(ksda_graph_from_edges(ctx, r->n, m, pairs, &published), KSDA_OK);
    assert_int_equal(ksda_verify(ctx, net->graph, net->communities, published, r->owner, k, &v), KSDA_OK);
    ksda_graph_free(ctx, published);
    return v;
}

/* Verify and compare with the reference; what was wrong. */
static fault compare(ksda_ctx *ctx, const ksda_network *net, const release *r, uint32_t k) {
    uint32_t vertex;
    char name[32];
    fault expected = reference(net, r, k, &vertex);
    ksda_verification v = verify(ctx, net, r, k);
    assert_int_equal(v.valid, expected == NOTHING || expected == DEGREE);
    if (expected != OWNER) assert_int_equal(v.satisfied, diverse(net, r, k));
    if (expected == NOTHING) assert_string_equal(v.error, "");
    if (!strstr(v.error, words[expected])) fail_msg("'%s' should speak of '%s'", v.error, words[expected]);
    if (vertex != KSDA_NO_VERTEX) {
        snprintf(name, sizeof name, "person%u", vertex);
        if (!strstr(v.error, name)) fail_msg("'%s' should name %s", v.error, name);
    }
    return expected;
}

static void name_vertices(ksda_ctx *ctx, ksda_graph *g) {
    ksda_i_ids_clear(ctx, &g->ids);
    ksda_i_ids_names(&g->ids);
    for (uint32_t v = 0; v < g->n; v++) {
        char name[32];
        uint32_t item;
        snprintf(name, sizeof name, "person%u", v);
        assert_int_equal(ksda_i_ids_intern(ctx, &g->ids, name, strlen(name), &item), KSDA_OK);
    }
}

/* A network and a valid release of it. */
static void make_release(ksda_ctx *ctx, uint64_t seed, ksda_network *net, release *r, edit_counts *counts) {
    ksda_i_rng rng = ksda_i_rng_stream(seed, 0x76657269, 0);
    uint32_t n = 4 + (uint32_t)(seed % 15), communities = 1 + (uint32_t)(seed % 4);
    ksda_release made = KSDA_INIT(ksda_release);
    random_network(ctx, seed, n, 0.1 + 0.02 * (double)(seed % 20), communities, net);
    name_vertices(ctx, net->graph);
    ksda_edits *edits = random_edits(ctx, &rng, net->graph, net->communities, (unsigned)(seed / 3 % 6),
                                     (unsigned)(seed / 5 % 12), counts);
    assert_int_equal(ksda_release_make(ctx, edits, net->communities, 1, &made), KSDA_OK);
    memset(r, 0, sizeof *r);
    r->n = ksda_graph_vertices(made.graph);
    assert_true(r->n < MOST);
    for (uint32_t p = 0; p < r->n; p++) {
        r->owner[p] = made.owner[p];
        for (uint32_t q = 0; q < r->n; q++) r->edge[p][q] = p != q && ksda_graph_adjacent(made.graph, p, q);
    }
    ksda_release_clear(ctx, &made);
    ksda_edits_free(ctx, edits);
}

static void valid_releases_are_accepted(void **state) {
    ksda_ctx *ctx = *state;
    unsigned satisfied = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        ksda_network net;
        release r;
        edit_counts counts;
        make_release(ctx, seed, &net, &r, &counts);
        uint32_t k = 1 + (uint32_t)(seed % ksda_communities_count(net.communities));
        ksda_verification v = verify(ctx, &net, &r, k);
        assert_true(v.valid);
        assert_int_equal(v.added_edges, counts.added);
        assert_int_equal(v.links, counts.links);
        assert_int_equal(v.added_vertices, counts.pieces);
        assert_int_equal(v.split_vertices, counts.split);
        satisfied += compare(ctx, &net, &r, k) == NOTHING;
        ksda_network_clear(ctx, &net);
    }
    assert_in_range(satisfied, 1000, 3999);
}

/* --- breaking it ------------------------------------------------------------------------------------------------- */

static void set_edge(release *r, uint32_t p, uint32_t q, bool there) {
    r->edge[p][q] = r->edge[q][p] = there && p != q;
}

/* A random adjacent pair of published vertices whose owners are adjacent: an edge that carries something. */
static bool pick_carrying(const ksda_network *net, ksda_i_rng *rng, const release *r, uint32_t *p, uint32_t *q) {
    for (int attempt = 0; attempt < 300; attempt++) {
        *p = (uint32_t)ksda_i_rng_below(rng, r->n), *q = (uint32_t)ksda_i_rng_below(rng, r->n);
        if (r->edge[*p][*q] && ksda_graph_adjacent(net->graph, r->owner[*p], r->owner[*q])) return true;
    }
    return false;
}

static bool drop_edge(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t p, q;
    if (!pick_carrying(net, rng, r, &p, &q)) return false;
    for (uint32_t a = 0; a < r->n; a++) /* and its further representatives */
        for (uint32_t b = 0; b < r->n; b++)
            if (r->owner[a] == r->owner[p] && r->owner[b] == r->owner[q]) set_edge(r, a, b, false);
    return true;
}

static bool move_edge(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t p, q, x = (uint32_t)ksda_i_rng_below(rng, r->n);
    if (!pick_carrying(net, rng, r, &p, &q) || x == p || r->owner[x] == r->owner[q]) return false;
    set_edge(r, p, q, false);
    set_edge(r, p, x, true);
    return !between(r, r->owner[p], r->owner[q]);
}

static bool cross(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t p = (uint32_t)ksda_i_rng_below(rng, r->n), q = (uint32_t)ksda_i_rng_below(rng, r->n);
    set_edge(r, p, q, true);
    return r->owner[p] != r->owner[q] && !ksda_graph_adjacent(net->graph, r->owner[p], r->owner[q]) &&
           ksda_communities_of(net->communities, r->owner[p]) != ksda_communities_of(net->communities, r->owner[q]);
}

/* A further piece that has links and added edges at most. */
static bool idle_piece(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t v = (uint32_t)ksda_i_rng_below(rng, ksda_graph_vertices(net->graph)), p = r->n++;
    r->owner[p] = v;
    for (uint32_t q = 0; q < p; q++) {
        uint32_t w = r->owner[q];
        bool may = w == v || (ksda_communities_of(net->communities, w) == ksda_communities_of(net->communities, v) &&
                              !ksda_graph_adjacent(net->graph, v, w));
        set_edge(r, p, q, may && ksda_i_rng_below(rng, 2));
    }
    return pieces_of(r, v) <= ksda_graph_degree(net->graph, v);
}

static bool too_many(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t v = (uint32_t)ksda_i_rng_below(rng, ksda_graph_vertices(net->graph));
    while (pieces_of(r, v) <= ksda_graph_degree(net->graph, v) || pieces_of(r, v) < 2) r->owner[r->n++] = v;
    return true;
}

static bool wrong_owner(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t p = (uint32_t)ksda_i_rng_below(rng, r->n), old = r->owner[p];
    r->owner[p] = (uint32_t)ksda_i_rng_below(rng, ksda_graph_vertices(net->graph));
    return r->owner[p] != old;
}

static bool owner_out_of_range(const ksda_network *net, ksda_i_rng *rng, release *r) {
    r->owner[ksda_i_rng_below(rng, r->n)] = ksda_graph_vertices(net->graph) + (uint32_t)ksda_i_rng_below(rng, 3);
    return true;
}

static bool missing_vertex(const ksda_network *net, ksda_i_rng *rng, release *r) {
    uint32_t v = (uint32_t)ksda_i_rng_below(rng, ksda_graph_vertices(net->graph));
    for (uint32_t p = 0; p < r->n;) {
        if (r->owner[p] != v) {
            p++;
            continue;
        }
        r->n--; /* the last one takes its place */
        for (uint32_t q = 0; q < r->n; q++)
            if (q != p) set_edge(r, p, q, r->edge[r->n][q]);
        for (uint32_t q = 0; q < MOST; q++) set_edge(r, r->n, q, false);
        r->owner[p] = r->owner[r->n];
    }
    return r->n > 0;
}

typedef struct breakage {
    bool (*apply)(const ksda_network *, ksda_i_rng *, release *); /* true when it must be refused */
    unsigned faults;                                              /* the complaints that may follow, as bits */
    unsigned least;                                               /* how often each case must have come up */
} breakage;

static void broken_releases_are_refused(void **state) {
    static const breakage how[] = {{drop_edge, 1 << LOST, 1000},
                                   {move_edge, 1 << LOST | 1 << ACROSS, 500},
                                   {cross, 1 << ACROSS, 300},
                                   {idle_piece, 1 << IDLE, 500},
                                   {too_many, 1 << MANY, 1000},
                                   {wrong_owner, 1 << ABSENT | 1 << MANY | 1 << ACROSS | 1 << LOST | 1 << IDLE, 1000},
                                   {owner_out_of_range, 1 << OWNER, 1000},
                                   {missing_vertex, 1 << ABSENT, 1000}};
    ksda_ctx *ctx = *state;
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        unsigned refused = 0;
        for (uint64_t seed = 0; seed < 2000; seed++) {
            ksda_network net;
            release r;
            edit_counts counts;
            ksda_i_rng rng = ksda_i_rng_stream(seed, 0x627265616b, i);
            make_release(ctx, seed, &net, &r, &counts);
            bool must_refuse = how[i].apply(&net, &rng, &r);
            fault found = compare(ctx, &net, &r, 1);
            if (must_refuse && how[i].apply != wrong_owner && !(how[i].faults >> found & 1))
                fail_msg("breakage %zu, seed %u: complaint %d", i, (unsigned)seed, (int)found);
            refused += found != NOTHING;
            ksda_network_clear(ctx, &net);
        }
        if (refused < how[i].least) fail_msg("breakage %zu came up %u times only", i, refused);
    }
}

/* Anything at all: any graph, any map. Most are wrong, some are right, all are as the reference says. */
static void arbitrary_releases(void **state) {
    ksda_ctx *ctx = *state;
    unsigned seen[FAULTS] = {0};
    for (uint64_t seed = 0; seed < 30000; seed++) {
        ksda_network net;
        release r = {.n = 0};
        ksda_i_rng rng = ksda_i_rng_stream(seed, 0x616e79, 0);
        uint32_t n = 2 + (uint32_t)(seed % 3), extra = (uint32_t)ksda_i_rng_below(&rng, 2);
        random_network(ctx, seed, n, 0.5, 2, &net);
        name_vertices(ctx, net.graph);
        r.n = n + extra;
        for (uint32_t p = 0; p < r.n; p++) {
            r.owner[p] = p < n ? p : (uint32_t)ksda_i_rng_below(&rng, n);
            if (ksda_i_rng_below(&rng, 20) == 0) r.owner[p] = (uint32_t)ksda_i_rng_below(&rng, n + 1);
            for (uint32_t q = 0; q < p; q++) set_edge(&r, p, q, ksda_i_rng_below(&rng, 2));
        }
        seen[compare(ctx, &net, &r, 1 + (uint32_t)(seed & 1))]++;
        ksda_network_clear(ctx, &net);
    }
    for (int f = 0; f < FAULTS; f++)
        if (seen[f] < 50) fail_msg("complaint %d came up %u times only", f, seen[f]);
}

/* --- many vertices, several threads ------------------------------------------------------------------------------ */

static ksda_network big_network(ksda_ctx *ctx, uint32_t n) {
    ksda_network net = {.graph = NULL};
    ksda_i_rng rng = ksda_i_rng_stream(7, 0x626967, 0);
    uint32_t *pairs = malloc(sizeof *pairs * n * 8), *of = malloc(sizeof *of * n);
    for (uint32_t i = 0; i < 8 * n; i++) pairs[i] = (uint32_t)ksda_i_rng_below(&rng, n);
    for (uint32_t v = 0; v < n; v++) of[v] = v % 10;
    assert_int_equal(listed_network(ctx, n, 4 * n, pairs, of, &net), KSDA_OK);
    free(pairs);
    free(of);
    return net;
}

static void threads_agree(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net = big_network(ctx, 20000);
    ksda_i_rng rng = ksda_i_rng_stream(3, 0x74687265, 0);
    edit_counts counts;
    ksda_edits *edits = random_edits(ctx, &rng, net.graph, net.communities, 2000, 1000, &counts);
    ksda_release made = KSDA_INIT(ksda_release);
    assert_int_equal(ksda_release_make(ctx, edits, net.communities, 1, &made), KSDA_OK);
    for (int wrong = 0; wrong < 2; wrong++) {
        ksda_verification first = KSDA_INIT(ksda_verification), v = KSDA_INIT(ksda_verification);
        for (unsigned threads = 1; threads <= 8; threads *= 2) {
            ksda_ctx_set_threads(ctx, threads);
            assert_int_equal(ksda_verify(ctx, net.graph, net.communities, made.graph, made.owner, 2, &v), KSDA_OK);
            if (threads == 1) first = v;
            assert_memory_equal(&v, &first, sizeof v);
        }
        ksda_ctx_set_threads(ctx, 1);
        assert_int_equal(v.valid, !wrong);
        if (!wrong) assert_int_equal(v.added_edges, counts.added);
        uint32_t a = made.owner[100]; /* two people change places: many things are wrong at once */
        made.owner[100] = made.owner[9000], made.owner[9000] = a;
    }
    ksda_release_clear(ctx, &made);
    ksda_edits_free(ctx, edits);
    ksda_network_clear(ctx, &net);
}

/* Rows of which only one side is wrong, as no reader makes them: 3's says that 1 is no neighbour and 2 is. What one
 * side of each edge tells is not enough. */
static void both_sides_count(void **state) {
    ksda_ctx *ctx = *state;
    const uint32_t pairs[] = {0, 3, 1, 3, 2, 5, 4, 5}, owner[] = {0, 1, 2, 3, 4, 5}, of[6] = {0};
    ksda_graph *original, *published;
    ksda_communities *all;
    ksda_verification v = KSDA_INIT(ksda_verification);
    assert_int_equal(ksda_graph_from_edges(ctx, 6, 4, pairs, &original), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 6, 4, pairs, &published), KSDA_OK);
    assert_int_equal(ksda_communities_from_labels(ctx, 6, of, &all), KSDA_OK);
    assert_int_equal(ksda_verify(ctx, original, all, published, owner, 1, &v), KSDA_OK);
    assert_true(v.valid);
    assert_int_equal(published->adj[published->off[3] + 1], 1);
    published->adj[published->off[3] + 1] = 2;
    assert_int_equal(ksda_verify(ctx, original, all, published, owner, 1, &v), KSDA_OK);
    assert_false(v.valid);
    assert_non_null(strstr(v.error, "original edge 3-1 is missing"));
    ksda_communities_free(ctx, all);
    ksda_graph_free(ctx, original);
    ksda_graph_free(ctx, published);
}

static void bad_arguments(void **state) {
    ksda_ctx *ctx = *state;
    ksda_network net, other;
    ksda_verification v = KSDA_INIT(ksda_verification);
    uint32_t owner[10];
    random_network(ctx, 1, 10, 0.3, 3, &net);
    random_network(ctx, 1, 11, 0.3, 3, &other);
    for (uint32_t p = 0; p < 10; p++) owner[p] = p;
    assert_int_equal(ksda_verify(ctx, net.graph, net.communities, net.graph, owner, 0, &v), KSDA_INVALID);
    assert_int_equal(ksda_verify(ctx, net.graph, net.communities, net.graph, owner, 4, &v), KSDA_INVALID);
    assert_int_equal(ksda_verify(ctx, net.graph, other.communities, net.graph, owner, 2, &v), KSDA_INVALID);
    assert_false(v.valid);
    ksda_network_clear(ctx, &net);
    ksda_network_clear(ctx, &other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(valid_releases_are_accepted),
                                       cmocka_unit_test(broken_releases_are_refused),
                                       cmocka_unit_test(arbitrary_releases),
                                       cmocka_unit_test(threads_agree),
                                       cmocka_unit_test(both_sides_count),
                                       cmocka_unit_test(bad_arguments)};
    return cmocka_run_group_tests(tests, make_ctx, free_ctx);
}
