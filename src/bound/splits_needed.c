/* How many vertices must be added at least, because vertices have to be split.
 *
 * The largest degree a community's vertices can reach is known without splitting. It grows by at most one with every
 * vertex added, and not beyond the pieces that those around can become, each of which carries an edge. A degree above
 * what k communities reach must go, and everybody who has it be split, into pieces that are not larger and carry all
 * its edges. And what every release costs says how many are added, where a split weighs more than all edges that could
 * be. Time O((n + communities log) log m + m), O(n + communities log) where nobody must be split. */
#include "bound/ranks.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

static int descending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* Vertices that are added when no piece may have a degree above the limit; at least so many where it is more than
 * `enough`. */
static uint64_t pieces_above(const ksda_i_ranks *l, uint64_t limit, uint32_t enough) {
    uint64_t above = 0;
    for (uint32_t i = 0; i < l->levels && l->level[i] > limit && above <= enough; i++) {
        uint64_t more = limit ? (l->level[i] - 1) / limit : 1;
        for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) above += more * (l->run[r].end - l->run[r].begin);
    }
    return above;
}

uint32_t ksda_i_splits_by_cost(const ksda_i_ranks *l, double split_weight, double bound) {
    uint64_t apart = 0; /* twice the edges that can be added while nobody is split */
    uint32_t splits = 0;
    for (uint32_t i = 0; i < l->n; i++) apart += l->slack[i];
    if (!(bound < 0x1p50) || !(split_weight > 0)) return 0; /* nothing is rounded below */
    for (double most = (double)(apart / 2); splits < l->n; splits++) {
        if (ceil(split_weight) * splits + most >= bound) break;
        most += (double)l->n + splits; /* one more piece can be adjacent to all others */
    }
    return splits;
}

/* What is looked at: the highest degree that each community can reach. */
typedef struct reach {
    const ksda_i_ranks *lists;
    uint32_t k;
    uint64_t *most;    /* [n] by list position: no piece of it gets above this, however many are split; NULL: unknown */
    uint64_t *highest; /* [communities] */
} reach;

/* Everybody around u in as many pieces as edges, and u as well. */
static uint64_t most_around(const ksda_i_ranks *l, uint32_t u, const uint64_t *pieces_of) {
    const ksda_graph *g = l->graph;
    uint32_t c = l->partition->of[u];
    uint64_t most = pieces_of[c] - 1; /* but for itself */
    for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++)
        if (l->partition->of[g->adj[i]] != c) most += ksda_i_degree(g, g->adj[i]);
    return most;
}

static ksda_status look_around(ksda_ctx *ctx, reach *r) {
    const ksda_i_ranks *l = r->lists;
    if (l->graph->far) return KSDA_OK; /* rows are elsewhere: every vertex added counts for everybody */
    r->most = ksda_i_malloc(ctx, l->n, sizeof *r->most);
    if (!r->most) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->communities; c++) {
        r->highest[c] = 0;
        for (uint32_t at = l->start[c]; at < l->start[c + 1]; at++) r->highest[c] += l->degree[at] ? l->degree[at] : 1;
    }
    for (uint32_t at = 0; at < l->n; at++) r->most[at] = most_around(l, l->vertex[at], r->highest);
    return KSDA_OK;
}

/* Do so many further vertices not suffice? */
static bool too_few(reach *r, uint32_t splits) {
    const ksda_i_ranks *l = r->lists;
    for (uint32_t c = 0; c < l->communities; c++) {
        r->highest[c] = 0;
        for (uint32_t at = l->start[c]; at < l->start[c + 1]; at++) {
            uint64_t here = (uint64_t)l->degree[at] + l->slack[at] + splits;
            if (splits && r->most && r->most[at] < here) here = r->most[at];
            if (here > r->highest[c]) r->highest[c] = here;
        }
    }
    ksda_i_sort_by(r->highest, l->communities, sizeof *r->highest, descending);
    return pieces_above(l, r->highest[r->k - 1], splits) > splits;
}

ksda_status ksda_i_splits_needed(ksda_ctx *ctx, const ksda_i_ranks *l, uint32_t k, uint32_t *out) {
    ksda_status status = KSDA_OK;
    reach r = {.lists = l, .k = k, .highest = ksda_i_malloc(ctx, l->communities, sizeof *r.highest)};
    uint32_t low = 0, high = 1; /* up to low there are too few */
    *out = 0;
    if (!r.highest) return KSDA_NOMEM;
    if (too_few(&r, 0)) {
        KSDA_I_TRY(look_around(ctx, &r));
        while (too_few(&r, high)) low = high, high *= 2;
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            *(too_few(&r, middle) ? &low : &high) = middle;
        }
        *out = high;
    }
done:
    ksda_i_free(ctx, r.highest);
    ksda_i_free(ctx, r.most);
    return status;
}
