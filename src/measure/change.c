/* Change: what was added, split and removed, recounted from the original, the release and the map.
 *
 * Substitutes are put back together: an edge of the release between substitutes of one person is a link and free; of
 * the others, one for each original edge represents it and the rest were added (n_a). Original edges without a
 * representative were removed, which only the k-degree baseline does. n_s is the number of vertices added; cost n_a +
 * omega n_s, omega = |V|^2 unless given. Time O((n + m) log degree), memory O(n + m). */
#include "measure/measure.h"

typedef struct change {
    uint64_t added, removed;
    uint32_t split, substitutes; /* people with several substitutes, and those altogether */
} change;

static ksda_status contract(ksda_i_comparing *c, ksda_graph **out) {
    const ksda_graph *h = c->published;
    uint64_t at = 0;
    uint32_t *pairs = ksda_i_malloc(c->ctx, h->m, 2 * sizeof *pairs);
    *out = NULL;
    if (!pairs) return KSDA_NOMEM;
    for (uint32_t p = 0; p < h->n; p++) {
        for (uint64_t e = h->off[p]; e < h->off[p + 1]; e++) {
            if (h->adj[e] < p) continue;
            pairs[at++] = c->owner[p];
            pairs[at++] = c->owner[h->adj[e]];
        }
    }
    ksda_status status = ksda_graph_from_edges(c->ctx, c->original->n, h->m, pairs, out);
    ksda_i_free(c->ctx, pairs);
    return status;
}

/* Entries that two ascending rows share. */
static uint64_t common(const uint32_t *a, const uint32_t *a_end, const uint32_t *b, const uint32_t *b_end) {
    uint64_t count = 0;
    while (a < a_end && b < b_end) {
        count += *a == *b;
        uint32_t x = *a, y = *b;
        a += x <= y;
        b += y <= x;
    }
    return count;
}

static ksda_status count_edges(ksda_i_comparing *c, change *ch) {
    const ksda_graph *g = c->original;
    ksda_graph *people;
    ksda_status status = contract(c, &people);
    if (status < 0) return status;
    uint64_t kept = 0, links = ksda_graph_cleaning(people)->self_loops;
    for (uint32_t v = 0; v < g->n; v++)
        kept += common(g->adj + g->off[v], g->adj + g->off[v + 1], people->adj + people->off[v],
                       people->adj + people->off[v + 1]);
    kept /= 2;
    ch->removed = g->m - kept;
    ch->added = c->published->m - links - kept;
    ksda_graph_free(c->ctx, people);
    return KSDA_OK;
}

static ksda_status count_vertices(ksda_i_comparing *c, change *ch) {
    uint32_t n = c->original->n, *pieces = ksda_i_calloc(c->ctx, n, sizeof *pieces);
    if (!pieces) return KSDA_NOMEM;
    for (uint32_t p = 0; p < c->published->n; p++) pieces[c->owner[p]]++;
    for (uint32_t v = 0; v < n; v++) {
        if (pieces[v] < 2) continue;
        ch->split++;
        ch->substitutes += pieces[v];
    }
    ksda_i_free(c->ctx, pieces);
    return KSDA_OK;
}

ksda_status ksda_i_pass_change(ksda_i_comparing *c) {
    change ch = {0, 0, 0, 0};
    ksda_value *d = c->out->difference;
    ksda_status status = count_edges(c, &ch);
    if (status >= 0) status = count_vertices(c, &ch);
    if (status < 0) return status;
    double n = c->original->n, m = (double)c->original->m, omega = c->options->split_weight;
    double added = (double)ch.added, more = (double)c->published->n - n;
    if (!(omega > 0)) omega = n * n;
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_ADDED_EDGES], added);
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_ADDED_EDGES_SHARE], m > 0 ? added / m : NAN);
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_REMOVED_EDGES], (double)ch.removed);
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_ADDED_VERTICES], more);
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_SPLIT_VERTICES_SHARE], n > 0 ? ch.split / n : NAN);
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_SUBSTITUTES], ch.split ? (double)ch.substitutes / ch.split : NAN);
    ksda_i_set_exact(&d[KSDA_DIFFERENCE_COST], added + omega * more);
    return KSDA_OK;
}
