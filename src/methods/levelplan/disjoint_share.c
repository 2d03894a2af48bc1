/* A share bound where people have several communities: of the people of a level whose communities are known no more
 * than the share may have any one community in their set.
 *
 * A level that has too many of one borrows others from below, nearest degree first, who have none that would be too
 * many then. Who was borrowed stays, as witnesses do. Greedy; time linear in the sets that are looked at. */
#include "methods/levelplan/disjoint.h"

#include "bound/share_bound.h"
#include "privacy/census.h"
#include "privacy/witnesses.h"

#include <math.h>

#define MOST_WALK 100000u /* vertices that are asked whether they can be borrowed for one level */

typedef struct crowd {
    uint32_t known;   /* people whose communities are */
    uint32_t largest; /* of one community */
} crowd;

/* One more of the vertex's communities. */
static void add_to_crowd(ksda_i_disjoint_plan *p, uint32_t v, crowd *c) {
    uint32_t size;
    const uint32_t *set = ksda_communities_set(p->communities, v, &size);
    if (!ksda_i_kind_counts(p->communities, p->communities->of[v])) return;
    c->known++;
    for (uint32_t i = 0; i < size; i++)
        if (++p->count[set[i]] > c->largest) c->largest = p->count[set[i]];
}

static void forget_crowd(ksda_i_disjoint_plan *p, uint32_t v) {
    uint32_t size;
    const uint32_t *set = ksda_communities_set(p->communities, v, &size);
    for (uint32_t i = 0; i < size; i++) p->count[set[i]] = 0;
    p->is_lent[v] = 0;
}

/* Would no community of the vertex have more than so many? */
static bool fits_in_crowd(const ksda_i_disjoint_plan *p, uint32_t v, uint64_t most) {
    uint32_t size;
    const uint32_t *set = ksda_communities_set(p->communities, v, &size);
    for (uint32_t i = 0; i < size; i++)
        if (p->count[set[i]] >= most) return false;
    return ksda_i_kind_counts(p->communities, p->communities->of[v]);
}

/* Until there are so many; what it costs. */
static double borrow_others(ksda_i_disjoint_plan *p, uint32_t j, uint32_t t, bool take, uint64_t wanted, crowd *c) {
    double cost = 0;
    uint64_t most = wanted * p->share.numerator / p->share.denominator;
    uint32_t walked = 0;
    for (uint32_t at = p->first[j]; at < p->graph->n && c->known < wanted && walked < MOST_WALK; at++, walked++) {
        uint32_t v = p->order[at];
        if (at >= p->reached) p->reached = at + 1;
        if (p->reach[v] < t || p->shunned[v] || p->is_lent[v] || (take && p->assigned[v]) || !fits_in_crowd(p, v, most))
            continue;
        add_to_crowd(p, v, c);
        cost += t - ksda_i_degree(p->graph, v);
        p->lent[p->lents++] = v;
        if (take) p->target[v] = t, p->witness[v] = p->assigned[v] = 1;
    }
    return c->known < wanted ? INFINITY : cost;
}

double ksda_i_disjoint_dilute(ksda_i_disjoint_plan *p, uint32_t i, uint32_t j, uint32_t t, bool take) {
    crowd c = {0, 0};
    double cost = 0;
    if (!p->share.denominator) return 0;
    for (uint32_t x = 0; x < p->lents; x++) p->is_lent[p->lent[x]] = 1, add_to_crowd(p, p->lent[x], &c);
    for (uint32_t at = p->first[i]; at < p->first[j]; at++)
        if (!take || p->target[p->order[at]] == t) add_to_crowd(p, p->order[at], &c);
    uint64_t wanted = ((uint64_t)c.largest * p->share.denominator + p->share.numerator - 1) / p->share.numerator;
    if (c.known < wanted) cost = borrow_others(p, j, t, take, wanted, &c);
    for (uint32_t x = 0; x < p->lents; x++) forget_crowd(p, p->lent[x]);
    for (uint32_t at = p->first[i]; at < p->first[j]; at++) forget_crowd(p, p->order[at]);
    return cost;
}

bool ksda_i_disjoint_share_holds(ksda_i_disjoint_plan *p, const uint32_t *vertex, uint32_t count) {
    crowd c = {0, 0};
    if (!p->share.denominator) return true;
    for (uint32_t i = 0; i < count; i++) add_to_crowd(p, vertex[i], &c);
    for (uint32_t i = 0; i < count; i++) forget_crowd(p, vertex[i]);
    return ksda_i_share_holds(p->share, c.largest, c.known);
}

ksda_status ksda_i_disjoint_within(ksda_i_disjoint_plan *p, const ksda_edits *edits, bool *yes) {
    ksda_graph *published = NULL;
    uint32_t *owner = ksda_i_malloc(p->ctx, ksda_edits_pieces(edits), sizeof *owner);
    char error[512];
    ksda_status status = KSDA_NOMEM;
    *yes = !p->share.denominator;
    if (*yes) status = KSDA_OK;
    if (*yes || !owner) goto done;
    ksda_edits_owners(edits, owner);
    KSDA_I_TRY(ksda_edits_apply(p->ctx, edits, &published));
    const ksda_i_view view = {p->ctx, published, p->communities, owner, p->k};
    status = ksda_i_sets_within(&view, p->share, yes, error, sizeof error);
done:
    ksda_graph_free(p->ctx, published);
    ksda_i_free(p->ctx, owner);
    return status;
}

uint64_t ksda_i_disjoint_splits_needed(ksda_i_disjoint_plan *p) {
    crowd c = {0, 0};
    if (!p->share.denominator) return 0;
    for (uint32_t v = 0; v < p->graph->n; v++) add_to_crowd(p, v, &c);
    for (uint32_t v = 0; v < p->graph->n; v++) forget_crowd(p, v);
    return ksda_i_share_splits_needed(p->share, c.known, c.largest);
}
