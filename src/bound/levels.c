/* The network as the fast exact method sees it: every community as a list by descending degree, and for every level
 * (degree) how cheaply each community can have a vertex there.
 *
 * Two facts make it fast. (a) A vertex that is raised by b takes b edges, all inside the community: so bringing k
 * communities to a level costs at least the sum of the k cheapest raises, and levels dearer than a known solution are
 * out. (b) Dominance: take u, v of one community with outside(u) >= degree(v), where outside(u) counts u's neighbours
 * in other communities. If a solution ends u below v, at t_u < t_v, move t_v - t_u of v's added edges over to u: of the
 * t_v - degree(v) partners of v at most degree(u) - outside(u) are neighbours of u, and at most t_u - degree(u) have an
 * added edge to u (or are u), so at least t_v - degree(v) - t_u + outside(u) >= t_v - t_u can move. The two have then
 * exchanged their degrees, at the same cost and with the same levels in the community. Repeating ends, since it sorts.
 */
#include "bound/levels.h"

#include "core/sort.h"
#include "exact/formulation.h"
#include "privacy/census.h"

#include <stdlib.h>

/* The lists of the ranks, with members of equal degree by number: a community's members are known in that order, and
 * each goes to the first place left where the ranks have its degree. */
static ksda_status take_lists(ksda_i_levels *l) {
    const ksda_i_ranks *ranks = l->ranks;
    uint32_t *first = ksda_i_malloc(l->ctx, l->n, sizeof *first); /* [position] where its degree begins */
    uint32_t *taken = ksda_i_calloc(l->ctx, l->n, sizeof *taken); /* [position] places from there on */
    ksda_status status = first && taken ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t c = 0; c < l->count && status >= 0; c++) {
        uint32_t begin = l->start[c], end = l->start[c + 1];
        for (uint32_t i = begin; i < end; i++)
            first[i] = i > begin && l->degree[i] == l->degree[i - 1] ? first[i - 1] : i;
        for (uint32_t m = begin; m < end; m++) {
            uint32_t v = l->communities->member[m], slack = ranks->slack[ranks->place[v]];
            uint32_t at = first[ranks->place[v]], i = at + taken[at]++, inside = end - begin - 1 - slack;
            l->vertex[i] = v, l->position[v] = i;
            l->max_degree[i] = l->degree[i] + slack, l->outside[i] = l->degree[i] - inside;
            if (l->max_degree[i] > l->top) l->top = l->max_degree[i];
        }
    }
    ksda_i_free(l->ctx, first), ksda_i_free(l->ctx, taken);
    return status;
}

static int ascending(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A row of least[] for every community, from its lowest degree up to the highest that anybody of it can reach: together
 * they are no longer than the edges' ends and the vertices. */
static ksda_status lay_rows(ksda_i_levels *l) {
    l->row = ksda_i_malloc(l->ctx, (uint64_t)l->count + 1, sizeof *l->row);
    l->lowest = ksda_i_calloc(l->ctx, l->count, sizeof *l->lowest);
    if (!l->row || !l->lowest) return KSDA_NOMEM;
    l->row[0] = 0;
    for (uint32_t c = 0; c < l->count; c++) {
        uint64_t length = 0;
        if (l->start[c] < l->start[c + 1]) l->lowest[c] = l->degree[l->start[c + 1] - 1];
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
            if (l->max_degree[i] + UINT64_C(1) - l->lowest[c] > length)
                length = l->max_degree[i] + UINT64_C(1) - l->lowest[c];
        l->row[c + 1] = l->row[c] + length;
    }
    l->least = ksda_i_malloc(l->ctx, l->row[l->count], sizeof *l->least);
    return l->least ? KSDA_OK : KSDA_NOMEM;
}

/* The first place from `at` on that is not filled; next[] is shortened on the way. */
static uint64_t free_from(uint64_t *next, uint64_t at) {
    while (next[at] != at) at = next[at] = next[next[at]];
    return at;
}

/* By descending degree: the vertex that comes first to a level is the nearest to it. */
static ksda_status fill_rows(ksda_i_levels *l) {
    uint64_t *next = ksda_i_malloc(l->ctx, l->row[l->count] + 1, sizeof *next);
    ksda_status status = next ? KSDA_OK : KSDA_NOMEM;
    for (uint64_t j = 0; next && j <= l->row[l->count]; j++) next[j] = j;
    for (uint64_t j = 0; next && j < l->row[l->count]; j++) l->least[j] = UINT32_MAX;
    for (uint32_t c = 0; c < l->count && status >= 0; c++)
        for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) {
            uint64_t zero = l->row[c] + l->degree[i] - l->lowest[c], end = zero + l->max_degree[i] - l->degree[i];
            if (i % 1024 == 0) KSDA_I_TRY(ksda_i_interrupted(l->ctx));
            for (uint64_t j = free_from(next, zero); j <= end; j = free_from(next, j))
                l->least[j] = (uint32_t)(j - zero), next[j] = j + 1;
        }
done:
    ksda_i_free(l->ctx, next);
    return status;
}

/* The raises that bring a community to level t, at sorted[first[t]] .. sorted[first[t + 1]-1] in any order. */
static void by_level(const ksda_i_levels *l, uint64_t *first, uint32_t *sorted) {
    for (uint32_t c = 0; c < l->count; c++)
        for (uint64_t j = l->row[c]; j < l->row[c + 1]; j++)
            if (l->least[j] != UINT32_MAX) first[l->lowest[c] + (j - l->row[c]) + 2]++;
    for (uint64_t t = 2; t < l->top + UINT64_C(3); t++) first[t] += first[t - 1];
    for (uint32_t c = 0; c < l->count; c++)
        for (uint64_t j = l->row[c]; j < l->row[c + 1]; j++)
            if (l->least[j] != UINT32_MAX) sorted[first[l->lowest[c] + (j - l->row[c]) + 1]++] = l->least[j];
}

static ksda_status open_levels(ksda_i_levels *l) {
    uint64_t width = l->top + UINT64_C(1), *first = ksda_i_calloc(l->ctx, width + 2, sizeof *first);
    uint32_t *sorted = ksda_i_malloc(l->ctx, l->row[l->count], sizeof *sorted);
    l->opening = ksda_i_malloc(l->ctx, width, sizeof *l->opening);
    l->from = ksda_i_malloc(l->ctx, width + 1, sizeof *l->from);
    ksda_status status = KSDA_NOMEM;
    if (!first || !sorted || !l->opening || !l->from) goto done;
    by_level(l, first, sorted);
    l->from[width] = UINT32_MAX;
    for (uint64_t t = width; t-- > 0;) {
        uint64_t there = first[t + 1] - first[t];
        KSDA_I_TRY(ksda_i_interrupted(l->ctx));
        l->opening[t] = there < l->k ? UINT64_MAX : 0;
        l->from[t] = there < l->k ? l->from[t + 1] : (uint32_t)t;
        if (there < l->k) continue;
        ksda_i_sort_by(sorted + first[t], there, sizeof *sorted, ascending);
        for (uint32_t j = 0; j < l->k; j++) l->opening[t] += sorted[first[t] + j];
    }
    status = KSDA_OK;
done:
    ksda_i_free(l->ctx, first);
    ksda_i_free(l->ctx, sorted);
    return status;
}

ksda_status ksda_i_levels_from(ksda_ctx *ctx, const ksda_i_ranks *ranks, uint32_t k, ksda_i_levels *l) {
    uint32_t n = ranks->n;
    *l = (ksda_i_levels){.ctx = ctx,
                         .graph = ranks->graph,
                         .communities = ranks->partition,
                         .n = n,
                         .count = ranks->communities,
                         .k = k,
                         .ranks = ranks,
                         .start = ranks->start,
                         .degree = ranks->degree};
    l->vertex = ksda_i_malloc(ctx, n, sizeof *l->vertex);
    l->max_degree = ksda_i_malloc(ctx, n, sizeof *l->max_degree);
    l->outside = ksda_i_malloc(ctx, n, sizeof *l->outside);
    l->position = ksda_i_malloc(ctx, n, sizeof *l->position);
    ksda_status status = l->vertex && l->max_degree && l->outside && l->position ? KSDA_OK : KSDA_NOMEM;
    if (status == KSDA_OK) status = take_lists(l);
    if (status == KSDA_OK) status = lay_rows(l);
    if (status == KSDA_OK) status = fill_rows(l);
    if (status == KSDA_OK) status = open_levels(l);
    if (status < 0) ksda_i_levels_clear(l);
    return status;
}

ksda_status ksda_i_levels_make(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                               ksda_i_levels *l) {
    ksda_i_ranks *ranks = ksda_i_calloc(ctx, 1, sizeof *ranks);
    *l = (ksda_i_levels){.ctx = ctx};
    if (!ranks) return KSDA_NOMEM;
    ksda_status status = ksda_i_ranks_make(ctx, g, c, ranks);
    if (status >= 0) status = ksda_i_levels_from(ctx, ranks, k, l);
    l->own_ranks = ranks;
    if (status < 0) ksda_i_levels_clear(l);
    return status;
}

void ksda_i_levels_clear(ksda_i_levels *l) {
    ksda_i_free(l->ctx, l->vertex), ksda_i_free(l->ctx, l->max_degree);
    ksda_i_free(l->ctx, l->outside), ksda_i_free(l->ctx, l->position);
    ksda_i_free(l->ctx, l->least), ksda_i_free(l->ctx, l->opening), ksda_i_free(l->ctx, l->from);
    ksda_i_free(l->ctx, l->row), ksda_i_free(l->ctx, l->lowest);
    l->vertex = l->max_degree = l->outside = l->position = l->least = l->lowest = l->from = NULL;
    l->opening = l->row = NULL;
    if (l->own_ranks) ksda_i_ranks_clear(l->ctx, l->own_ranks);
    ksda_i_free(l->ctx, l->own_ranks);
    l->own_ranks = NULL;
}

void ksda_i_levels_loosen(ksda_i_levels *l, uint32_t splits) {
    for (uint32_t i = 0; i < l->n; i++) l->max_degree[i] += splits;
    for (uint32_t t = 0; t <= l->top; t++) l->opening[t] = 0;
}

uint32_t ksda_i_levels_stuck(const ksda_i_levels *l) {
    for (uint32_t i = 0; i < l->n; i++)
        if (l->from[l->degree[i]] > l->max_degree[i]) return i;
    return KSDA_NO_VERTEX;
}

ksda_status ksda_i_levels_floor(const ksda_i_levels *l, int64_t *floor) {
    ksda_i_census census;
    ksda_status status = ksda_i_census_open_ordered(l->ctx, l->communities, l->k, l->top + 1, &census);
    if (status >= 0) {
        for (uint32_t c = 0; c < l->count; c++)
            for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) ksda_i_census_see(&census, l->degree[i], c);
        *floor = -1;
        while (*floor < (int64_t)l->top && ksda_i_census_in_order(&census, (uint32_t)(*floor + 1))) ++*floor;
    }
    ksda_i_census_close(l->ctx, &census);
    return status;
}
