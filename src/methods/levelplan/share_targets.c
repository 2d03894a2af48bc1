/* From a plan for a share bound, how many of each community stand at each level, to who does.
 *
 * Time O(p log p) for p pieces in communities where somebody rises, memory 40 bytes for each of the largest. */
#include "core/heap.h"

#include "core/sort.h"
#include "methods/levelplan/share_plan.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Levels from below. Of those who are there, who cannot reach the next one stays, then who has the smallest degree,
 * which keeps needs even, and of equals who could rise least. */
typedef struct stay_order {
    uint64_t *order;       /* [members] degree and piece */
    ksda_i_ranked *first;  /* by the last level that each can reach */
    ksda_i_ranked *second; /* by degree */
    uint32_t firsts, seconds;
} stay_order;

static uint32_t next_to_stay(const ksda_i_pieces *p, stay_order *d, uint64_t next) {
    while (d->firsts && p->target[d->first->item] != UINT32_MAX) ksda_i_heap_pop(d->first, &d->firsts);
    if (d->firsts && d->first->rank < next) return ksda_i_heap_pop(d->first, &d->firsts).item;
    while (p->target[d->second->item] != UINT32_MAX) ksda_i_heap_pop(d->second, &d->seconds);
    return ksda_i_heap_pop(d->second, &d->seconds).item;
}

static void assign_community_targets(const ksda_i_share_plan *plan, const uint32_t *slack_of, uint32_t c,
                                     ksda_i_pieces *p, stay_order *d) {
    const ksda_i_share_levels *l = plan->levels;
    uint32_t count = p->home[c + 1] - p->home[c], at = 0;
    d->firsts = d->seconds = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = p->member[p->home[c] + i];
        d->order[i] = (uint64_t)p->degree[piece] << 32 | piece;
        p->target[piece] = UINT32_MAX;
    }
    ksda_i_sort_by(d->order, count, sizeof *d->order, by_number);
    for (uint32_t level = 0; level < l->levels; level++) {
        uint32_t degree = l->degree[level], stay = plan->here[ksda_i_share_cell(l, level, c)];
        for (; at < count && d->order[at] >> 32 == degree; at++) {
            uint32_t piece = (uint32_t)d->order[at], slack = slack_of[p->owner[piece]];
            ksda_i_heap_push(d->first, &d->firsts, (ksda_i_ranked){(uint64_t)degree + slack, piece});
            ksda_i_heap_push(d->second, &d->seconds, (ksda_i_ranked){(uint64_t)degree << 32 | slack, piece});
        }
        while (stay--)
            p->target[next_to_stay(p, d, level + 1 < l->levels ? l->degree[level + 1] : UINT64_MAX)] = degree;
    }
}

ksda_status ksda_i_share_targets(const ksda_i_share_plan *plan, const uint32_t *slack, ksda_i_pieces *p) {
    ksda_ctx *ctx = plan->ctx;
    uint32_t m = plan->levels->communities, most = 0;
    for (uint32_t c = 0; c < m; c++)
        if (p->home[c + 1] - p->home[c] > most) most = p->home[c + 1] - p->home[c];
    stay_order d = {.order = ksda_i_malloc(ctx, most, sizeof *d.order),
                    .first = ksda_i_malloc(ctx, most, sizeof *d.first),
                    .second = ksda_i_malloc(ctx, most, sizeof *d.second)};
    ksda_status status = d.order && d.first && d.second ? KSDA_OK : KSDA_NOMEM;
    for (uint32_t c = 0; c < m && status >= 0; c++)
        if (plan->need[c]) assign_community_targets(plan, slack, c, p, &d);
    ksda_i_free(ctx, d.order);
    ksda_i_free(ctx, d.first);
    ksda_i_free(ctx, d.second);
    return status;
}
