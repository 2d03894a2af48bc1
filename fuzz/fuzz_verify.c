/* Releases tampered with, in the published graph, in the map as an array and in the map as a file: verify says yes
 * exactly where a slow recount does. */
#include "network.h"

#include <ksda/anonymize.h>
#include <ksda/privacy.h>

#include <stdlib.h>

/* A release as a list, easy to break. */
typedef struct loose {
    uint32_t n;
    uint64_t m;
    uint32_t pair[2 * FUZZ_PIECES + 1024];
    uint32_t owner[FUZZ_PIECES + 512];
} loose;

/* A release by one of the methods, or the original itself where there is none. */
static void make_release(fuzz_bytes *in, const ksda_network *net, uint32_t k, ksda_release *out) {
    static const char *const names[] = {"level-plan", "splitting-only", "flex-split", "create-by-split"};
    ksda_ctx *ctx = fuzz_ctx();
    ksda_anonymize_options o;
    ksda_anonymize_result result = KSDA_INIT(ksda_anonymize_result);
    ksda_edits *edits;
    ksda_anonymize_options_init(&o);
    o.k = k;
    o.split_weight = fuzz_flag(in) ? 1 : 0;
    const ksda_method *method = ksda_method_find(names[fuzz_take(in, 4)]);
    if (ksda_anonymize(ctx, net->graph, net->communities, method, &o, &edits, &result) < 0 &&
        ksda_edits_new(ctx, net->graph, &edits) < 0)
        abort();
    if (ksda_release_make(ctx, edits, net->communities, 1, out) < 0) abort();
    ksda_edits_free(ctx, edits);
}

static void loosen(const ksda_release *r, loose *out) {
    const ksda_graph *g = r->graph;
    out->n = g->n, out->m = 0;
    memcpy(out->owner, r->owner, g->n * sizeof *r->owner);
    for (uint32_t p = 0; p < g->n; p++)
        for (uint64_t i = g->off[p]; i < g->off[p + 1]; i++)
            if (p < g->adj[i]) out->pair[2 * out->m] = p, out->pair[2 * out->m++ + 1] = g->adj[i];
}

static uint32_t take_piece(fuzz_bytes *in, const loose *r) {
    return (fuzz_take(in, 256) + 256 * fuzz_take(in, 8)) % r->n;
}

static void drop_edge(loose *r, uint64_t i) {
    r->m--;
    memmove(r->pair + 2 * i, r->pair + 2 * i + 2, 2 * (r->m - i) * sizeof *r->pair);
}

static void exchange(uint32_t *a, uint32_t *b) {
    uint32_t keep = *a;
    *a = *b;
    *b = keep;
}

/* One change; false when the bytes are over. */
static bool tamper(fuzz_bytes *in, const ksda_network *net, loose *r) {
    if (in->left == 0 || r->m >= FUZZ_PIECES || r->n >= FUZZ_PIECES) return false;
    uint32_t kind = fuzz_take(in, 6), p = take_piece(in, r);
    switch (kind) {
    case 0: /* an edge more */ r->pair[2 * r->m] = p, r->pair[2 * r->m++ + 1] = take_piece(in, r); break;
    case 1: /* an edge less */
        if (r->m > 0) drop_edge(r, p % r->m);
        break;
    case 2: /* an edge moved */
        if (r->m > 0) r->pair[2 * (p % r->m) + fuzz_take(in, 2)] = take_piece(in, r);
        break;
    case 3: /* a piece of somebody else, or of nobody */ r->owner[p] = fuzz_take(in, net->graph->n + 1); break;
    case 4: /* two people exchanged */ exchange(&r->owner[p], &r->owner[take_piece(in, r)]); break;
    default: /* a piece more */ r->owner[r->n++] = fuzz_take(in, net->graph->n);
    }
    return true;
}

static ksda_graph *graph_of(const loose *r) {
    ksda_graph *g;
    if (ksda_graph_from_edges(fuzz_ctx(), r->n, r->m, r->pair, &g) < 0) abort();
    return g;
}

/* Write the map, change bytes of it, read it: what is accepted is verified. */
static void tamper_map(fuzz_bytes *in, const ksda_network *net, const ksda_release *release, uint32_t k) {
    ksda_ctx *ctx = fuzz_ctx();
    ksda_i_output *out;
    char *text;
    size_t size;
    uint32_t *owner = NULL;
    loose r;
    loosen(release, &r);
    ksda_graph *published = graph_of(&r);
    if (ksda_i_output_memory(ctx, &out) < 0 || ksda_i_write_map(ctx, net->graph, release, out) < 0) abort();
    if (ksda_i_output_take(out, &text, &size) < 0) abort();
    while (in->left >= 3 && size > 0) {
        size_t at = (fuzz_take(in, 256) + 256 * (size_t)fuzz_take(in, 8)) % size;
        text[at] = "0123456789\t\n #x-"[fuzz_take(in, 16)];
    }
    fuzz_file file = fuzz_open(text, size);
    if (ksda_load_map(ctx, net->graph, &published, file.path, &owner) >= 0)
        fuzz_verify(net, published, owner, k);
    else
        fuzz_require(!owner && *ksda_ctx_error(ctx)->message, "a map that is refused comes with a reason");
    fuzz_close(file);
    ksda_i_free(ctx, text);
    ksda_free(ctx, owner);
    ksda_graph_free(ctx, published);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static loose r;
    ksda_ctx *ctx = fuzz_ctx();
    ksda_network net;
    ksda_release release = KSDA_INIT(ksda_release);
    fuzz_bytes in = {data, size};
    fuzz_network(&in, &net);
    uint32_t communities = ksda_communities_count(net.communities), k = 1 + fuzz_take(&in, communities);
    bool file = fuzz_flag(&in);
    make_release(&in, &net, k, &release);
    if (file) {
        tamper_map(&in, &net, &release, k);
    } else {
        loosen(&release, &r);
        for (int changes = 0; changes < 256 && tamper(&in, &net, &r); changes++) continue;
        ksda_graph *published = graph_of(&r);
        for (uint32_t asked = 1; asked <= communities; asked++) fuzz_verify(&net, published, r.owner, asked);
        ksda_graph_free(ctx, published);
    }
    ksda_release_clear(ctx, &release);
    ksda_network_clear(ctx, &net);
    return 0;
}
