/* Joint degree distribution: the share of edges that join a vertex of degree i with one of degree j. The distance of
 * two such distributions is their total variation, half the sum of absolute differences: the share of edges whose pair
 * of degrees would have to change; NaN where a graph has no edge. One radix-sortable key an edge: time O(m), memory 16
 * bytes an edge. */
#include "measure/measure.h"

/* Sort 64-bit keys by the bytes in which they differ. */
static void radix_sort(uint64_t *key, uint64_t *scratch, uint64_t count) {
    uint64_t some = 0, all = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) some |= key[i], all &= key[i];
    uint64_t *from = key, *to = scratch;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        uint64_t start[257] = {0};
        if ((((some ^ all) >> shift) & 255) == 0) continue;
        for (uint64_t i = 0; i < count; i++) start[((from[i] >> shift) & 255) + 1]++;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (uint64_t i = 0; i < count; i++) to[start[(from[i] >> shift) & 255]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != key) memcpy(key, from, count * sizeof *key);
}

static ksda_status edge_keys(ksda_ctx *ctx, const ksda_graph *g, uint64_t **out) {
    uint64_t at = 0, *key = ksda_i_malloc(ctx, g->m, sizeof *key), *scratch = ksda_i_malloc(ctx, g->m, sizeof *scratch);
    *out = NULL;
    for (uint32_t v = 0; v < g->n && key && scratch; v++) {
        for (uint64_t e = g->off[v]; e < g->off[v + 1]; e++) {
            if (g->adj[e] < v) continue;
            uint64_t i = ksda_i_degree(g, v), j = ksda_i_degree(g, g->adj[e]);
            key[at++] = i < j ? i << 32 | j : j << 32 | i;
        }
    }
    if (key && scratch) {
        radix_sort(key, scratch, g->m);
        *out = key;
        key = NULL;
    }
    ksda_i_free(ctx, key);
    ksda_i_free(ctx, scratch);
    return *out ? KSDA_OK : KSDA_NOMEM;
}

/* Two sorted lists of keys, merged run by run. */
static double variation(const uint64_t *a, uint64_t na, const uint64_t *b, uint64_t nb) {
    uint64_t i = 0, j = 0;
    double sum = 0;
    while (i < na || j < nb) {
        uint64_t key = j == nb || (i < na && a[i] < b[j]) ? a[i] : b[j], from_i = i, from_j = j;
        while (i < na && a[i] == key) i++;
        while (j < nb && b[j] == key) j++;
        sum += fabs((double)(i - from_i) / (double)na - (double)(j - from_j) / (double)nb);
    }
    return na && nb ? sum / 2 : NAN;
}

ksda_status ksda_i_pass_joint_degree(ksda_i_comparing *c) {
    uint64_t *before = NULL, *after = NULL;
    ksda_status status = KSDA_OK;
    KSDA_I_TRY(edge_keys(c->ctx, c->original, &before));
    KSDA_I_TRY(edge_keys(c->ctx, c->published, &after));
    ksda_i_set_exact(&c->out->difference[KSDA_DIFFERENCE_JOINT_DEGREE],
                     variation(before, c->original->m, after, c->published->m));
done:
    ksda_i_free(c->ctx, before);
    ksda_i_free(c->ctx, after);
    return status;
}
