/* Twins of a block: found by hashing neighbourhoods, checked by comparing them.
 *
 * In networks made of cliques (papers, films, meetings) a vertex that took part in one of them only has the same
 * neighbours as the others who did. A vertex cannot have twins of both kinds, adjacent and not: so twinship is an
 * equivalence, and the classes are either cliques or independent sets. Time O(m) and sorting; memory O(m). */
#include "measure/classes.h"

#include "core/random.h"
#include "core/sort.h"

#include <stdlib.h>

typedef struct block {
    uint32_t size;
    uint64_t *off; /* [size + 1] */
    uint32_t *adj; /* local numbers, each row ascending */
} block;

typedef struct key {
    uint64_t hash;
    uint32_t v;
} key;

ksda_status ksda_i_twins_new(ksda_ctx *ctx, uint32_t n, ksda_i_twins *t) {
    *t = (ksda_i_twins){ksda_i_malloc(ctx, n, sizeof *t->local), ksda_i_calloc(ctx, n, sizeof *t->stamp), 0};
    return t->local && t->stamp ? KSDA_OK : KSDA_NOMEM;
}

void ksda_i_twins_clear(ksda_ctx *ctx, ksda_i_twins *t) {
    ksda_i_free(ctx, t->local);
    ksda_i_free(ctx, t->stamp);
}

void ksda_i_classes_clear(ksda_ctx *ctx, ksda_i_classes *c) {
    ksda_i_free(ctx, c->off);
    ksda_i_free(ctx, c->adj);
    ksda_i_free(ctx, c->of);
    ksda_i_free(ctx, c->members);
    ksda_i_free(ctx, c->weight);
    ksda_i_free(ctx, c->within);
    memset(c, 0, sizeof *c);
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int by_hash(const void *a, const void *b) {
    const key *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->v < y->v ? -1 : x->v > y->v;
}

/* The edges between vertices of the block: two of one block are adjacent only in it. */
static ksda_status extract(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_twins *t, uint32_t size,
                           const uint32_t *vertex, block *b) {
    uint64_t room = 0, at = 0;
    t->now++;
    for (uint32_t i = 0; i < size; i++) {
        t->local[vertex[i]] = i;
        t->stamp[vertex[i]] = t->now;
        room += g->off[vertex[i] + 1] - g->off[vertex[i]];
    }
    b->size = size;
    b->off = ksda_i_malloc(ctx, (uint64_t)size + 1, sizeof *b->off);
    b->adj = ksda_i_malloc(ctx, room, sizeof *b->adj);
    if (!b->off || !b->adj) return KSDA_NOMEM;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t v = vertex[i];
        b->off[i] = at;
        ksda_status status = ksda_i_look(ctx, i);
        if (status < 0) return status;
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++)
            if (t->stamp[g->adj[e]] == t->now) b->adj[at++] = t->local[g->adj[e]];
        ksda_i_sort_by(b->adj + b->off[i], at - b->off[i], sizeof *b->adj, ascending);
    }
    b->off[size] = at;
    return KSDA_OK;
}

/* Do the rows of x and y agree when x and y themselves are left out? */
static bool same_row(const block *b, uint32_t x, uint32_t y) {
    uint64_t i = b->off[x], j = b->off[y], to_i = b->off[x + 1], to_j = b->off[y + 1];
    if (to_i - i != to_j - j) return false;
    for (;; i++, j++) {
        if (i < to_i && b->adj[i] == y) i++;
        if (j < to_j && b->adj[j] == x) j++;
        if (i == to_i || j == to_j) return i == to_i && j == to_j;
        if (b->adj[i] != b->adj[j]) return false;
    }
}

/* Give every vertex the smallest of its twins; closed: those adjacent to each other. */
static void match_twins(const block *b, bool closed, key *keys, uint32_t *twin) {
    for (uint32_t v = 0; v < b->size; v++) {
        uint64_t hash = closed ? ksda_i_mix(v) : 0;
        for (uint64_t e = b->off[v]; e < b->off[v + 1]; e++) hash += ksda_i_mix(b->adj[e]);
        keys[v] = (key){hash, v};
    }
    ksda_i_sort_by(keys, b->size, sizeof *keys, by_hash);
    for (uint32_t i = 0, first = 0; i < b->size; i++) {
        if (keys[i].hash != keys[first].hash) first = i;
        if (i > first && twin[keys[i].v] == keys[i].v && same_row(b, keys[first].v, keys[i].v))
            twin[keys[i].v] = twin[keys[first].v];
    }
}

static ksda_status number_classes(ksda_ctx *ctx, const block *b, const double *weight, const uint32_t *twin,
                                  ksda_i_classes *out) {
    uint32_t size = b->size;
    out->of = ksda_i_malloc(ctx, size, sizeof *out->of);
    out->members = ksda_i_calloc(ctx, size, sizeof *out->members);
    out->weight = ksda_i_calloc(ctx, size, sizeof *out->weight);
    out->within = ksda_i_calloc(ctx, size, sizeof *out->within);
    out->off = ksda_i_malloc(ctx, (uint64_t)size + 1, sizeof *out->off);
    out->adj = ksda_i_malloc(ctx, b->off[size], sizeof *out->adj);
    if (!out->of || !out->members || !out->weight || !out->within || !out->off || !out->adj) return KSDA_NOMEM;
    for (uint32_t v = 0; v < size; v++) { /* the smallest twin comes first, so its class has a number by then */
        uint32_t c = out->of[v] = twin[v] == v ? out->count++ : out->of[twin[v]];
        out->within[c] += out->weight[c] * weight[v];
        out->weight[c] += weight[v];
        out->members[c] += 1;
    }
    return KSDA_OK;
}

static void class_rows(const block *b, const uint32_t *twin, ksda_i_classes *out) {
    uint64_t at = 0;
    for (uint32_t v = 0; v < b->size; v++) {
        if (twin[v] != v) continue;
        uint32_t c = out->of[v];
        bool closed = false;
        out->off[c] = at;
        for (uint64_t e = b->off[v]; e < b->off[v + 1]; e++) {
            uint32_t u = b->adj[e];
            if (out->of[u] == c)
                closed = true;
            else if (twin[u] == u)
                out->adj[at++] = out->of[u];
        }
        out->within[c] =
            closed || b->off[v + 1] == b->off[v] ? 0 : out->within[c] / (double)(b->off[v + 1] - b->off[v]);
    }
    out->off[out->count] = at;
}

ksda_status ksda_i_classes_find(ksda_ctx *ctx, const ksda_i_ordered *g, ksda_i_twins *t, uint32_t size,
                                const uint32_t *vertex, const double *weight, ksda_i_classes *out) {
    ksda_status status = KSDA_OK;
    block b = {.size = 0};
    key *keys = ksda_i_malloc(ctx, size, sizeof *keys);
    uint32_t *twin = ksda_i_malloc(ctx, size, sizeof *twin);
    memset(out, 0, sizeof *out);
    if (!keys || !twin) status = KSDA_NOMEM;
    if (status >= 0) status = extract(ctx, g, t, size, vertex, &b);
    if (status >= 0) {
        for (uint32_t v = 0; v < size; v++) twin[v] = v;
        match_twins(&b, true, keys, twin);
        match_twins(&b, false, keys, twin);
        status = number_classes(ctx, &b, weight, twin, out);
    }
    if (status >= 0) class_rows(&b, twin, out);
    ksda_i_free(ctx, keys);
    ksda_i_free(ctx, twin);
    ksda_i_free(ctx, b.off);
    ksda_i_free(ctx, b.adj);
    if (status < 0) ksda_i_classes_clear(ctx, out);
    return status;
}
