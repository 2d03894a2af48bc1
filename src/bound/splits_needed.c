/* How many vertices must be added at least, because a vertex has to be split.
 *
 * The largest degree a community's vertices can reach is known without splitting, and grows by at most one with every
 * vertex added. A degree above what k communities reach must go, and everybody who has it be split. Time O(n +
 * communities log). */
#include "bound/ranks.h"

#include <stdlib.h>

static int descending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

ksda_status ksda_i_splits_needed(ksda_ctx *ctx, const ksda_i_ranks *l, uint32_t k, uint32_t *out) {
    uint32_t *max_degree = ksda_i_calloc(ctx, l->communities, sizeof *max_degree), needed = 0;
    if (!max_degree) return KSDA_NOMEM;
    for (uint32_t c = 0; c < l->communities; c++)
        for (uint32_t at = l->start[c]; at < l->start[c + 1]; at++)
            if (l->degree[at] + l->slack[at] > max_degree[c]) max_degree[c] = l->degree[at] + l->slack[at];
    qsort(max_degree, l->communities, sizeof *max_degree, descending);
    for (;; needed++) {
        uint64_t above = 0, limit = (uint64_t)max_degree[k - 1] + needed;
        for (uint32_t i = 0; i < l->levels && l->level[i] > limit; i++)
            for (uint64_t r = l->group[i]; r < l->group[i + 1]; r++) above += l->run[r].end - l->run[r].begin;
        if (above <= needed) break;
    }
    ksda_i_free(ctx, max_degree);
    *out = needed;
    return KSDA_OK;
}
