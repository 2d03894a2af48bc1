/* The network as the fast exact method sees it: every community as a list by descending degree, and for every level
 * (degree) how cheaply each community can have somebody there.
 *
 * Two facts make it fast. (a) Whoever is raised by b takes b edges, all inside the community: so bringing k communities
 * to a level costs at least the sum of the k cheapest raises, and levels dearer than a known solution are out. (b)
 * Dominance: take u, v of one community with outside(u) >= degree(v), where outside(u) counts u's neighbours in other
 * communities. If a solution ends u below v, at t_u < t_v, move t_v - t_u of v's added edges over to u: of the t_v -
 * degree(v) partners of v at most degree(u) - outside(u) are neighbours of u, and at most t_u - degree(u) have an added
 * edge to u (or are u), so at least t_v - degree(v) - t_u + outside(u) >= t_v - t_u can move. The two have then
 * exchanged their degrees, at the same cost and with the same levels in the community. Repeating ends, since it sorts.
 */
#include "exact/levels.h"

#include "exact/formulation.h"

#include <stdlib.h>

void ksda_i_free_places(const ksda_graph *g, const ksda_communities *c, uint32_t *places) {
    for (uint32_t v = 0; v < g->n; v++) {
        places[v] = ksda_i_community_size(c, c->of[v]) - 1;
        for (uint64_t p = g->off[v]; p < g->off[v + 1]; p++)
            if (c->of[g->adj[p]] == c->of[v]) places[v]--;
    }
}

typedef struct entry {
    uint32_t degree, vertex;
} entry;

static int by_degree(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->degree != y->degree) return x->degree > y->degree ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static ksda_status sort_lists(ksda_i_levels *l) {
    const ksda_graph *g = l->graph;
    uint32_t n = l->n;
    entry *list = ksda_i_malloc(l->ctx, n, sizeof *list);
    uint32_t *places = ksda_i_malloc(l->ctx, n, sizeof *places);
    if (list && places) {
        ksda_i_free_places(g, l->communities, places);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = l->communities->member[i];
            list[i] = (entry){ksda_i_degree(g, v), v};
        }
        for (uint32_t c = 0; c < l->count; c++)
            qsort(list + l->start[c], l->start[c + 1] - l->start[c], sizeof *list, by_degree);
        for (uint32_t c = 0; c < l->count; c++)
            for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++) {
                uint32_t v = list[i].vertex, inside = l->start[c + 1] - l->start[c] - 1 - places[v];
                l->vertex[i] = v, l->position[v] = i, l->degree[i] = list[i].degree;
                l->cap[i] = list[i].degree + places[v], l->outside[i] = list[i].degree - inside;
                if (l->cap[i] > l->top) l->top = l->cap[i];
            }
    }
    ksda_status status = list && places ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(l->ctx, list), ksda_i_free(l->ctx, places);
    return status;
}

static int ascending(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static ksda_status price_levels(ksda_i_levels *l) {
    uint64_t width = (uint64_t)l->top + 1;
    l->least = ksda_i_malloc(l->ctx, l->count * width, sizeof *l->least);
    l->opening = ksda_i_malloc(l->ctx, width, sizeof *l->opening);
    uint32_t *sorted = ksda_i_malloc(l->ctx, l->count, sizeof *sorted);
    ksda_status status = KSDA_NOMEM;
    if (!l->least || !l->opening || !sorted) goto done;
    memset(l->least, 0xff, l->count * width * sizeof *l->least);
    for (uint32_t c = 0; c < l->count; c++)
        for (uint32_t i = l->start[c + 1]; i-- > l->start[c];) { /* larger degrees overwrite smaller ones */
            KSDA_I_TRY(ksda_i_interrupted(l->ctx));
            for (uint32_t t = l->degree[i]; t <= l->cap[i]; t++)
                if (t - l->degree[i] < l->least[c * width + t]) l->least[c * width + t] = t - l->degree[i];
        }
    for (uint32_t t = 0; t <= l->top; t++) {
        if (t % 1024 == 0) KSDA_I_TRY(ksda_i_interrupted(l->ctx));
        for (uint32_t c = 0; c < l->count; c++) sorted[c] = ksda_i_least(l, c, t);
        qsort(sorted, l->count, sizeof *sorted, ascending);
        l->opening[t] = 0;
        for (uint32_t j = 0; j < l->k && l->opening[t] != UINT64_MAX; j++)
            l->opening[t] = sorted[j] == UINT32_MAX ? UINT64_MAX : l->opening[t] + sorted[j];
    }
    status = KSDA_OK;
done:
    ksda_i_free(l->ctx, sorted);
    return status;
}

ksda_status ksda_i_levels_make(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k,
                               ksda_i_levels *l) {
    *l = (ksda_i_levels){
        .ctx = ctx, .graph = g, .communities = c, .n = g->n, .count = c->count, .k = k, .start = c->start};
    l->vertex = ksda_i_malloc(ctx, g->n, sizeof *l->vertex);
    l->degree = ksda_i_malloc(ctx, g->n, sizeof *l->degree);
    l->cap = ksda_i_malloc(ctx, g->n, sizeof *l->cap);
    l->outside = ksda_i_malloc(ctx, g->n, sizeof *l->outside);
    l->position = ksda_i_malloc(ctx, g->n, sizeof *l->position);
    ksda_status status = l->vertex && l->degree && l->cap && l->outside && l->position ? KSDA_OK : KSDA_NOMEM;
    if (status == KSDA_OK) status = sort_lists(l);
    if (status == KSDA_OK) status = price_levels(l);
    if (status < 0) ksda_i_levels_clear(l);
    return status;
}

void ksda_i_levels_clear(ksda_i_levels *l) {
    ksda_i_free(l->ctx, l->vertex), ksda_i_free(l->ctx, l->degree), ksda_i_free(l->ctx, l->cap);
    ksda_i_free(l->ctx, l->outside), ksda_i_free(l->ctx, l->position);
    ksda_i_free(l->ctx, l->least), ksda_i_free(l->ctx, l->opening);
    l->vertex = l->degree = l->cap = l->outside = l->position = l->least = NULL, l->opening = NULL;
}

void ksda_i_levels_loosen(ksda_i_levels *l, uint32_t splits) {
    for (uint32_t i = 0; i < l->n; i++) l->cap[i] += splits;
    for (uint32_t t = 0; t <= l->top; t++) l->opening[t] = 0;
}

uint32_t ksda_i_levels_stuck(const ksda_i_levels *l) {
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t t = l->degree[i];
        while (t <= l->cap[i] && l->opening[t] == UINT64_MAX) t++;
        if (t > l->cap[i]) return i;
    }
    return KSDA_NO_VERTEX;
}

ksda_status ksda_i_levels_floor(const ksda_i_levels *l, int64_t *floor) {
    uint32_t *last = ksda_i_calloc(l->ctx, (uint64_t)l->top + 1, sizeof *last);
    uint32_t *present = ksda_i_calloc(l->ctx, (uint64_t)l->top + 1, sizeof *present);
    if (last && present) {
        for (uint32_t c = 0; c < l->count; c++)
            for (uint32_t i = l->start[c]; i < l->start[c + 1]; i++)
                if (last[l->degree[i]] != c + 1) last[l->degree[i]] = c + 1, present[l->degree[i]]++;
        *floor = -1;
        while (*floor < (int64_t)l->top && (present[*floor + 1] == 0 || present[*floor + 1] >= l->k)) ++*floor;
    }
    ksda_status status = last && present ? KSDA_OK : KSDA_NOMEM;
    ksda_i_free(l->ctx, last), ksda_i_free(l->ctx, present);
    return status;
}
