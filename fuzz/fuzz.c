/* Reading, writing and reading again: the property every reader is fuzzed for. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

ksda_ctx *fuzz_ctx(void) {
    static ksda_ctx *ctx;
    if (!ctx && ksda_ctx_new(NULL, &ctx) < 0) abort();
    return ctx;
}

void fuzz_require(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s (last error: %s)\n", what, ksda_ctx_error(fuzz_ctx())->message);
    abort();
}

fuzz_file fuzz_open(const void *data, size_t size) {
    fuzz_file file = {.fd = memfd_create("fuzz", MFD_CLOEXEC)};
    if (file.fd < 0 || write(file.fd, data, size) != (ssize_t)size) abort();
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

void fuzz_close(fuzz_file file) {
    close(file.fd);
}

void fuzz_check_graph(const ksda_graph *g) {
    uint64_t backwards = 0;
    fuzz_require(g->off[0] == 0 && g->off[g->n] == 2 * g->m, "the rows hold every edge twice");
    for (uint32_t v = 0; v < g->n; v++) {
        fuzz_require(g->off[v] <= g->off[v + 1], "rows do not overlap");
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
            fuzz_require(g->adj[i] < g->n && g->adj[i] != v, "neighbours are other vertices");
            fuzz_require(i == g->off[v] || g->adj[i - 1] < g->adj[i], "rows ascend");
            backwards += ksda_i_graph_position(g, g->adj[i], v) != UINT64_MAX;
        }
    }
    fuzz_require(backwards == 2 * g->m, "rows are symmetric");
    fuzz_require(g->ids.count == g->n, "every vertex has an id");
}

static bool same_name(const ksda_i_ids *a, uint32_t i, const ksda_i_ids *b, uint32_t j) {
    char x[64], y[64];
    size_t length = ksda_i_ids_name(a, i, x, sizeof x);
    if (length != ksda_i_ids_name(b, j, y, sizeof y)) return false;
    if (length < sizeof x) return memcmp(x, y, length) == 0;
    return a->kind == b->kind && memcmp(a->text + a->start[i], b->text + b->start[j], length) == 0;
}

/* Formats that list vertices keep their order. */
static void check_same(const ksda_i_read *a, const ksda_i_read *b) {
    const ksda_graph *g = a->graph, *h = b->graph;
    fuzz_require(g->n == h->n && g->m == h->m, "as many vertices and edges as before");
    fuzz_require(memcmp(g->off, h->off, ((size_t)g->n + 1) * sizeof *g->off) == 0, "the same degrees");
    fuzz_require(g->m == 0 || memcmp(g->adj, h->adj, 2 * g->m * sizeof *g->adj) == 0, "the same edges");
    for (uint32_t v = 0; v < g->n; v++) fuzz_require(same_name(&g->ids, v, &h->ids, v), "the same names");
    for (uint32_t v = 0; v < g->n && a->community && b->community; v++)
        fuzz_require(same_name(&a->names, a->community[v], &b->names, b->community[v]), "the same communities");
}

static uint32_t find_by_name(const ksda_graph *g, uint32_t v, const ksda_graph *h) {
    const ksda_i_ids *ids = &g->ids;
    char name[32];
    if (ids->kind == KSDA_I_IDS_NAMES)
        return ksda_graph_find(h, ids->text + ids->start[v], ids->start[v + 1] - ids->start[v]);
    return ksda_graph_find(h, name, ksda_graph_name(g, v, name, sizeof name));
}

/* Lists of edges tell only the vertices that have one, in whatever order they come up. */
static void check_same_edges(const ksda_graph *g, const ksda_graph *h) {
    fuzz_require(g->m == h->m, "as many edges as before");
    for (uint32_t v = 0; v < g->n; v++) {
        if (g->off[v] == g->off[v + 1]) continue;
        uint32_t w = find_by_name(g, v, h);
        fuzz_require(w != KSDA_NO_VERTEX, "every vertex with an edge is there again");
        for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++)
            fuzz_require(ksda_graph_adjacent(h, w, find_by_name(g, g->adj[i], h)), "every edge is there again");
    }
}

/* The communities that were read, or NULL when some vertex has none. */
static ksda_communities *communities_of(ksda_ctx *ctx, const ksda_i_read *r) {
    ksda_communities *c = NULL;
    ksda_i_ids names;
    uint32_t n = r->graph->n;
    if (!r->community || n == 0) return NULL;
    for (uint32_t v = 0; v < n; v++)
        if (r->community[v] == KSDA_NO_VERTEX) return NULL;
    uint32_t *of = ksda_i_malloc(ctx, n, sizeof *of);
    if (!of || ksda_i_ids_copy(ctx, &r->names, &names) < 0) abort();
    memcpy(of, r->community, n * sizeof *of);
    if (ksda_i_communities_take(ctx, n, names.count, of, &names, &c) < 0) abort();
    return c;
}

static ksda_status read_bytes(ksda_ctx *ctx, const ksda_i_format *row, const char *attribute, const char *name,
                              const void *data, size_t size, ksda_i_read *out) {
    ksda_i_source *source;
    *out = (ksda_i_read){.graph = NULL};
    ksda_status status = ksda_i_format_is_raw(row) ? ksda_i_source_memory_bytes(ctx, "input", data, size, &source)
                                                   : ksda_i_source_memory(ctx, "input", data, size, &source);
    if (status < 0) return status;
    ksda_load_options options;
    ksda_load_options_init(&options);
    options.attribute = attribute;
    options.name_attribute = name;
    status = row->read(ctx, source, &options, out);
    ksda_i_source_close(ctx, source);
    return status;
}

static void write_and_read_again(const ksda_i_format *row, const ksda_i_read *first) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_communities *communities = row->carries ? communities_of(ctx, first) : NULL;
    ksda_i_output *out;
    ksda_i_read again;
    char *text;
    size_t size;
    if (ksda_i_output_memory(ctx, &out) < 0) abort();
    ksda_status status = row->write(ctx, first->graph, communities, out);
    fuzz_require(status >= 0 || status == KSDA_UNSUPPORTED, "writing works, or says that a name cannot be written");
    if (status < 0) {
        ksda_i_output_abandon(out);
    } else {
        if (ksda_i_output_take(out, &text, &size) < 0) abort();
        status = read_bytes(ctx, row, communities ? "community" : NULL, NULL, text, size, &again);
        bool no_edge = !first->closed && first->graph->m == 0; /* a list of no edges is an empty file */
        fuzz_require(status >= 0 || no_edge, "what was written can be read");
        if (status >= 0 && first->closed)
            check_same(first, &again);
        else if (status >= 0)
            check_same_edges(first->graph, again.graph);
        ksda_i_read_clear(ctx, &again);
        ksda_i_free(ctx, text);
    }
    ksda_communities_free(ctx, communities);
}

void fuzz_format_named(const ksda_i_format *row, const char *attribute, const char *name, const uint8_t *data,
                       size_t size) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_i_read r;
    if (row->sniff) row->sniff((const char *)data, size);
    ksda_status status = read_bytes(ctx, row, attribute, name, data, size, &r);
    if (status < 0) {
        fuzz_require(!r.graph && !r.community, "nothing comes with a failure");
        fuzz_require(ksda_ctx_error(ctx)->status == status && *ksda_ctx_error(ctx)->message, "a failure has a message");
        return;
    }
    fuzz_check_graph(r.graph);
    if (row->write) write_and_read_again(row, &r);
    ksda_i_read_clear(ctx, &r);
}

void fuzz_format(const ksda_i_format *row, const char *attribute, const uint8_t *data, size_t size) {
    fuzz_format_named(row, attribute, NULL, data, size);
}
