/* The builder against a slow, obvious reference: sort all pairs, drop what is double, number the ids. */
#include "core/random.h"
#include "format_check.h"
#include "graph/builder.h"
#include "graph/ids_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct end {
    uint64_t u, v;
} end;

typedef struct reference {
    uint64_t *id; /* the distinct ids, ascending */
    uint64_t ids;
    end *edge; /* both directions, by id, ascending, distinct, no loops */
    uint64_t ends, loops, duplicates;
} reference;

static int by_id(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int by_end(const void *a, const void *b) {
    const end *x = a, *y = b;
    if (x->u != y->u) return x->u < y->u ? -1 : 1;
    return (x->v > y->v) - (x->v < y->v);
}

static reference slowly(const end *edge, uint64_t m, const uint64_t *single, uint64_t singles) {
    reference r = {malloc((2 * m + singles + 1) * sizeof(uint64_t)), 0, malloc((2 * m + 1) * sizeof(end)), 0, 0, 0};
    uint64_t count = 0, kept = 0;
    for (uint64_t i = 0; i < m; i++) {
        r.id[count++] = edge[i].u;
        r.id[count++] = edge[i].v;
        if (edge[i].u == edge[i].v) {
            r.loops++;
            continue;
        }
        r.edge[r.ends++] = edge[i];
        r.edge[r.ends++] = (end){edge[i].v, edge[i].u};
    }
    for (uint64_t i = 0; i < singles; i++) r.id[count++] = single[i];
    qsort(r.id, count, sizeof *r.id, by_id);
    for (uint64_t i = 0; i < count; i++)
        if (r.ids == 0 || r.id[r.ids - 1] != r.id[i]) r.id[r.ids++] = r.id[i];
    qsort(r.edge, r.ends, sizeof *r.edge, by_end);
    for (uint64_t i = 0; i < r.ends; i++)
        if (kept == 0 || by_end(&r.edge[kept - 1], &r.edge[i]) != 0) r.edge[kept++] = r.edge[i];
    r.duplicates = (r.ends - kept) / 2;
    r.ends = kept;
    return r;
}

static uint32_t find_indexed(const ksda_i_ids_index *index, uint64_t id) {
    char name[32];
    return ksda_i_ids_index_find(index, name, (size_t)snprintf(name, sizeof name, "%llu", (unsigned long long)id));
}

static void assert_same(const ksda_graph *g, const reference *r, uint64_t m) {
    uint64_t at = 0;
    assert_int_equal(g->n, r->ids);
    assert_int_equal(2 * g->m, r->ends);
    assert_int_equal(g->off[g->n], r->ends);
    for (uint32_t v = 0; v < g->n; v++) {
        char name[32];
        ksda_graph_name(g, v, name, sizeof name);
        assert_int_equal(strtoull(name, NULL, 10), r->id[v]);
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++, at++) {
            assert_int_equal(r->edge[at].u, r->id[v]);
            assert_int_equal(r->edge[at].v, r->id[g->adj[i]]);
        }
    }
    assert_int_equal(g->cleaning.input_edges, m);
    assert_int_equal(g->cleaning.self_loops, r->loops);
    assert_int_equal(g->cleaning.duplicate_edges, r->duplicates);
}

/* Ids of six kinds: dense from 0, dense from far away (below and above 2^32), sparse 32 and 64 bits, and all of 64
 * bits. */
static uint64_t random_id(ksda_i_rng *r, unsigned kind, uint64_t range) {
    uint64_t x = ksda_i_rng_below(r, range);
    switch (kind) {
    case 0: return x;
    case 1: return x + 4000000000u;
    case 2: return x + (UINT64_C(1) << 40);
    case 3: return ksda_i_mix(x) >> 33;
    case 4: return ksda_i_mix(x) >> 20;
    default: return x == 0 ? 0 : x == 1 ? UINT64_MAX : ksda_i_mix(x);
    }
}

static void build_and_compare(ksda_ctx *ctx, uint64_t seed, uint64_t m, uint64_t range, unsigned threads) {
    ksda_i_rng r = ksda_i_rng_stream(seed, 0x6275696c, 0);
    unsigned kind = (unsigned)(seed % 6), lanes = 1 + (unsigned)(seed % 3);
    uint64_t singles = seed % 4 == 0 ? ksda_i_rng_below(&r, 5) : 0, single[4];
    end *edge = malloc((m + 1) * sizeof *edge);
    ksda_i_builder *b;
    ksda_graph *g;
    ksda_ctx_set_threads(ctx, threads);
    assert_int_equal(ksda_i_builder_new(ctx, lanes, &b), KSDA_OK);
    for (uint64_t i = 0; i < m; i++) {
        edge[i] = (end){random_id(&r, kind, range), random_id(&r, kind, range)};
        if (seed % 5 == 0 && i > 0 && ksda_i_rng_below(&r, 4) == 0) edge[i] = (end){edge[i - 1].v, edge[i - 1].u};
        assert_int_equal(ksda_i_builder_edge(b, (unsigned)ksda_i_rng_below(&r, lanes), edge[i].u, edge[i].v), KSDA_OK);
    }
    for (uint64_t i = 0; i < singles; i++) {
        single[i] = random_id(&r, kind, 2 * range);
        assert_int_equal(ksda_i_builder_vertex(b, 0, single[i]), KSDA_OK);
    }
    reference slow = slowly(edge, m, single, singles);
    assert_int_equal(ksda_i_builder_finish(b, NULL, &g), KSDA_OK);
    assert_same(g, &slow, m);
    if (g->n && slow.id[g->n - 1] - slow.id[0] == g->n - 1 && kind < 3) assert_int_equal(g->ids.kind, KSDA_I_IDS_RANGE);
    ksda_i_ids_index index;
    assert_int_equal(ksda_i_ids_index_open(ctx, &g->ids, &index), KSDA_OK);
    for (uint32_t v = 0; v < g->n; v += v < 50 || v + 50 >= g->n ? 1 : 7) {
        bool next = v + 1 < g->n && slow.id[v + 1] == slow.id[v] + 1;
        assert_int_equal(ksda_i_ids_find_number(&g->ids, slow.id[v]), v);
        assert_int_equal(find_indexed(&index, slow.id[v]), v);
        if (slow.id[v] < UINT64_MAX)
            assert_int_equal(find_indexed(&index, slow.id[v] + 1), next ? v + 1 : KSDA_NO_VERTEX);
        if (slow.id[v] < UINT64_MAX)
            assert_int_equal(ksda_i_ids_find_number(&g->ids, slow.id[v] + 1), next ? v + 1 : KSDA_NO_VERTEX);
    }
    ksda_i_ids_index_close(ctx, &index);
    ksda_graph_free(ctx, g);
    free(slow.id);
    free(slow.edge);
    free(edge);
}

static void small_graphs(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 6000; seed++)
        build_and_compare(ctx, seed, seed % 61, 1 + seed % 37, seed % 8 == 0 ? 8 : 1 + (unsigned)(seed % 2));
    ksda_ctx_free(ctx);
}

/* Large enough for many slices, chunks and buckets. */
static void larger_graphs(void **state) {
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (uint64_t seed = 0; seed < 6; seed++)
        for (unsigned threads = 1; threads <= 8; threads *= seed % 2 ? 2 : 8)
            build_and_compare(ctx, seed, 200000, seed < 3 ? 100000 : 3000 * (seed + 1), threads);
    build_and_compare(ctx, 6, 400000, 300000, 2);
    build_and_compare(ctx, 12, 300000, 5, 2); /* a few vertices with very many repetitions */
    ksda_ctx_free(ctx);
}

/* Ids far apart and few edges: the buckets are then cut by vertices, not by entries. */
static void vertices_without_edges(void **state) {
    ksda_ctx *ctx;
    ksda_i_builder *b;
    ksda_graph *g;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    ksda_ctx_set_threads(ctx, 2);
    assert_int_equal(ksda_i_builder_new(ctx, 1, &b), KSDA_OK);
    ksda_i_builder_declare(b, 1, 3000000);
    assert_int_equal(ksda_i_builder_edge(b, 0, 1, 3000000), KSDA_OK);
    assert_int_equal(ksda_i_builder_edge(b, 0, 2, 1500000), KSDA_OK);
    assert_int_equal(ksda_i_builder_finish(b, NULL, &g), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(g), 3000000);
    assert_int_equal(ksda_graph_edges(g), 2);
    assert_true(ksda_graph_adjacent(g, 0, 2999999) && ksda_graph_adjacent(g, 1, 1499999));
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

/* So many vertices that a target and the low bits of a source do not fit one word, and also the largest that do. */
static void many_vertices(void **state) {
    static const uint32_t vertices[] = {1u << 16, (1u << 16) + 1, 1u << 21, (1u << 21) + 1, 1u << 22, 5000000};
    ksda_ctx *ctx;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    for (size_t k = 0; k < sizeof vertices / sizeof *vertices; k++) {
        enum {
            EDGES = 150000
        };
        ksda_i_rng r = ksda_i_rng_stream(k, 0x6d616e79, 0);
        end *edge = malloc(EDGES * sizeof *edge);
        uint32_t *pair = malloc(2 * EDGES * sizeof *pair), n = vertices[k];
        ksda_graph *g;
        uint64_t at = 0;
        for (uint64_t i = 0; i < EDGES; i++) {
            uint64_t near = ksda_i_rng_below(&r, 50),
                     u = ksda_i_rng_below(&r, 2) ? n - 1 - near : ksda_i_rng_below(&r, n);
            edge[i] = (end){u, ksda_i_rng_below(&r, 3) ? ksda_i_rng_below(&r, n) : n - 1 - near};
            pair[2 * i] = (uint32_t)edge[i].u;
            pair[2 * i + 1] = (uint32_t)edge[i].v;
        }
        ksda_ctx_set_threads(ctx, 1 + (unsigned)k % 2);
        reference slow = slowly(edge, EDGES, NULL, 0);
        assert_int_equal(ksda_graph_from_edges(ctx, n, EDGES, pair, &g), KSDA_OK);
        assert_int_equal(2 * g->m, slow.ends);
        for (uint32_t v = 0; v < n; v++)
            for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++, at++)
                assert_true(slow.edge[at].u == v && slow.edge[at].v == g->adj[i]);
        assert_int_equal(g->cleaning.self_loops, slow.loops);
        assert_int_equal(g->cleaning.duplicate_edges, slow.duplicates);
        ksda_graph_free(ctx, g);
        free(slow.id);
        free(slow.edge);
        free(edge);
        free(pair);
    }
    ksda_ctx_free(ctx);
}

static void from_edges_checks_its_numbers(void **state) {
    ksda_ctx *ctx;
    ksda_graph *g;
    const uint32_t pairs[] = {0, 1, 1, 2, 2, 3};
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_graph_from_edges(ctx, 3, 3, pairs, &g), KSDA_INVALID);
    assert_null(g);
    assert_non_null(strstr(ksda_ctx_error(ctx)->message, "edge 2 names vertex 3"));
    assert_int_equal(ksda_graph_from_edges(ctx, UINT32_MAX, 3, pairs, &g), KSDA_INVALID);
    assert_int_equal(ksda_graph_from_edges(ctx, 0, 0, pairs, &g), KSDA_OK);
    assert_int_equal(ksda_graph_vertices(g), 0);
    ksda_graph_free(ctx, g);
    ksda_ctx_free(ctx);
}

static void stops_when_asked(void **state) {
    ksda_ctx *ctx;
    ksda_i_builder *b;
    ksda_graph *g;
    (void)state;
    assert_int_equal(ksda_ctx_new(NULL, &ctx), KSDA_OK);
    assert_int_equal(ksda_i_builder_new(ctx, 1, &b), KSDA_OK);
    for (uint64_t i = 0; i < 100000; i++) assert_int_equal(ksda_i_builder_edge(b, 0, i, i * i), KSDA_OK);
    ksda_ctx_cancel(ctx);
    assert_int_equal(ksda_i_builder_finish(b, NULL, &g), KSDA_INTERRUPTED);
    assert_null(g);
    ksda_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),           cmocka_unit_test(larger_graphs),
        cmocka_unit_test(vertices_without_edges), cmocka_unit_test(from_edges_checks_its_numbers),
        cmocka_unit_test(stops_when_asked),       cmocka_unit_test(many_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
