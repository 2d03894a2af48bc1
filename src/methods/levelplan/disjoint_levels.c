/* Levels and their witnesses, where people have several communities.
 *
 * Degrees are taken from the largest down. A level at the degree of group i takes in the vertices of groups i .. j - 1,
 * all of which are raised to it, and, where too few of these have disjoint sets, borrows witnesses from below at what
 * raising them costs. Which j is best is a shortest path over the groups, from the smallest degree up; what raising
 * costs grows with j, so few are tried. That two levels may borrow the same vertex is looked at when vertices are
 * assigned, from the largest level down: the second takes another one. Witnesses inside a level are a packing
 * (privacy/packing.h); borrowed ones are taken greedily, nearest degree first.
 * Time: packings of all pairs (i, j) tried, each linear in its sets. */
#include "methods/levelplan/disjoint.h"

#include <math.h>

#define MOST_WALK 100000u /* vertices that are asked whether they can be borrowed for one level */

/* --- opening and closing ------------------------------------------------------------------------------------------ */

static void order_by_degree(ksda_i_disjoint_plan *p, uint32_t largest, uint64_t *start) {
    const ksda_graph *g = p->graph;
    for (uint32_t v = 0; v < g->n; v++) start[largest - ksda_i_degree(g, v) + 1]++;
    for (uint32_t d = 0; d <= largest; d++) {
        if (start[d + 1] > 0) p->first[p->groups] = (uint32_t)start[d], p->degree[p->groups++] = largest - d;
        start[d + 1] += start[d];
    }
    p->first[p->groups] = g->n;
    for (uint32_t v = 0; v < g->n; v++) p->order[start[largest - ksda_i_degree(g, v)]++] = v;
}

/* A bound: everybody in one of its communities but itself and its neighbours, who may or may not be there. */
void ksda_i_disjoint_reach(ksda_i_disjoint_plan *p) {
    uint32_t *members = p->used; /* stamps begin again */
    memset(members, 0, ksda_communities_set_count(p->communities) * sizeof *members);
    const ksda_communities *c = p->communities;
    for (uint32_t v = 0, size; v < p->graph->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        for (uint32_t i = 0; i < size; i++) members[set[i]]++;
    }
    for (uint32_t v = 0, size; v < p->graph->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        uint64_t reach = ksda_i_degree(p->graph, v);
        for (uint32_t i = 0; i < size; i++) reach += members[set[i]] - 1;
        p->reach[v] = reach < p->graph->n ? (uint32_t)reach : p->graph->n - 1;
    }
    memset(members, 0, ksda_communities_set_count(c) * sizeof *members);
    p->stamp = 0;
}

/* Without k vertices in disjoint sets among all there is no release. */
static ksda_status check_possible(ksda_i_disjoint_plan *p) {
    ksda_i_packing all;
    ksda_status status =
        ksda_i_pack(&p->packer, p->communities->of, p->graph->n, p->k, KSDA_I_PACKING_WORK, p->chosen, &all);
    if (status < 0 || all.most >= p->k) return status;
    return ksda_i_error(
        p->ctx, KSDA_INFEASIBLE,
        "impossible for k = %u: of all vertices at most %u are in pairwise disjoint sets of communities", p->k,
        all.most);
}

ksda_status ksda_i_disjoint_plan_open(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                      uint32_t k, ksda_share share, ksda_i_disjoint_plan *p) {
    uint64_t n = graph->n, largest = 0;
    *p = (ksda_i_disjoint_plan){
        .ctx = ctx, .graph = graph, .communities = communities, .k = k, .share = share, .trials = KSDA_I_DISJOINT_WORK};
    ksda_status status = ksda_i_packer_open(ctx, communities, &p->packer);
    for (uint32_t v = 0; v < n; v++) largest = ksda_i_degree(graph, v) > largest ? ksda_i_degree(graph, v) : largest;
    uint64_t groups = largest + 1 < n ? largest + 1 : n, *start = ksda_i_calloc(ctx, largest + 2, sizeof *start);
    p->order = ksda_i_malloc(ctx, n, sizeof *p->order);
    p->first = ksda_i_malloc(ctx, groups + 1, sizeof *p->first);
    p->degree = ksda_i_malloc(ctx, groups, sizeof *p->degree);
    p->reach = ksda_i_malloc(ctx, n, sizeof *p->reach);
    p->lowest_reach = ksda_i_malloc(ctx, groups, sizeof *p->lowest_reach);
    p->cost = ksda_i_malloc(ctx, groups + 1, sizeof *p->cost);
    p->next = ksda_i_malloc(ctx, groups, sizeof *p->next);
    p->target = ksda_i_malloc(ctx, n, sizeof *p->target);
    p->witness = ksda_i_calloc(ctx, n, 1);
    p->assigned = ksda_i_calloc(ctx, n, 1);
    p->wanted = ksda_i_calloc(ctx, communities->count, sizeof *p->wanted);
    p->shunned = ksda_i_calloc(ctx, n, 1);
    p->level = ksda_i_malloc(ctx, largest + 2, 1);
    p->used = ksda_i_calloc(ctx, ksda_communities_set_count(communities), sizeof *p->used);
    if (share.denominator) p->count = ksda_i_calloc(ctx, ksda_communities_set_count(communities), sizeof *p->count);
    p->lent = ksda_i_malloc(ctx, n, sizeof *p->lent);
    p->is_lent = ksda_i_calloc(ctx, n, 1);
    p->kind = ksda_i_malloc(ctx, n, sizeof *p->kind);
    p->chosen = ksda_i_malloc(ctx, n, sizeof *p->chosen);
    bool room = start && p->order && p->first && p->degree && p->reach && p->lowest_reach && p->cost && p->next &&
                p->target && p->witness && p->assigned && p->shunned && p->wanted && p->level && p->used && p->kind &&
                p->chosen && p->lent && p->is_lent && (p->count || !share.denominator);
    if (status >= 0 && !room) status = KSDA_NOMEM;
    if (status >= 0) {
        order_by_degree(p, (uint32_t)largest, start);
        ksda_i_disjoint_reach(p);
        status = check_possible(p);
    }
    ksda_i_free(ctx, start);
    return status;
}

void ksda_i_disjoint_plan_close(ksda_i_disjoint_plan *p) {
    void *blocks[] = {p->order,  p->first,   p->degree,   p->reach,   p->lowest_reach, p->cost,  p->next,
                      p->target, p->witness, p->assigned, p->shunned, p->wanted,       p->level, p->used,
                      p->kind,   p->chosen,  p->count,    p->lent,    p->is_lent};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ksda_i_free(p->ctx, blocks[i]);
    ksda_i_packer_close(&p->packer);
}

/* --- witnesses ---------------------------------------------------------------------------------------------------- */

/* Is the set free of communities that a witness has? */
static bool is_free(const ksda_i_disjoint_plan *p, uint32_t kind) {
    uint32_t size;
    const uint32_t *set = ksda_i_set(p->communities, &kind, &size);
    for (uint32_t i = 0; i < size; i++)
        if (p->used[set[i]] == p->stamp) return false;
    return ksda_i_kind_counts(p->communities, kind);
}

static void use_communities(ksda_i_disjoint_plan *p, uint32_t kind) {
    uint32_t size;
    const uint32_t *set = ksda_i_set(p->communities, &kind, &size);
    for (uint32_t i = 0; i < size; i++) p->used[set[i]] = p->stamp;
}

/* Borrow vertices from group j on for a level of degree t until it has k witnesses. What they cost, or infinity. take:
 * they get it as their target, and are its witnesses. */
static double borrow(ksda_i_disjoint_plan *p, uint32_t j, uint32_t t, uint32_t found, bool take) {
    double cost = 0;
    uint32_t walked = 0;
    for (uint32_t i = p->first[j]; i < p->graph->n && found < p->k && walked < MOST_WALK; i++, walked++) {
        uint32_t v = p->order[i];
        if (i >= p->reached) p->reached = i + 1;
        if (p->reach[v] < t || p->shunned[v] || (take && p->assigned[v]) || !is_free(p, p->communities->of[v]))
            continue;
        use_communities(p, p->communities->of[v]);
        cost += t - ksda_i_degree(p->graph, v);
        found++;
        p->lent[p->lents++] = v;
        if (take) p->target[v] = t, p->witness[v] = p->assigned[v] = 1;
    }
    return found < p->k ? INFINITY : cost;
}

/* Witnesses among the vertices of groups i .. j - 1 (of these the ones that are not assigned, where `take`): their
 * number; their kinds are in `chosen` and their communities used. */
static ksda_status pack_groups(ksda_i_disjoint_plan *p, uint32_t i, uint32_t j, bool take, uint32_t *found) {
    uint32_t count = 0;
    ksda_i_packing packing;
    for (uint32_t at = p->first[i]; at < p->first[j]; at++)
        if (!p->shunned[p->order[at]] && (!take || !p->assigned[p->order[at]]))
            p->kind[count++] = p->communities->of[p->order[at]];
    ksda_status status = ksda_i_pack(&p->packer, p->kind, count, p->k, KSDA_I_PACKING_WORK / 64, p->chosen, &packing);
    p->lents = 0;
    *found = packing.found < p->k ? packing.found : p->k;
    p->stamp++;
    for (uint32_t c = 0; status >= 0 && c < *found; c++) use_communities(p, p->chosen[c]);
    return status;
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

/* The best level that begins with group i, knowing those below. */
static ksda_status best_level(ksda_i_disjoint_plan *p, uint32_t i) {
    ksda_status status = KSDA_OK;
    uint32_t t = p->degree[i], lowest = UINT32_MAX, found;
    double raised = 0;
    p->cost[i] = INFINITY;
    for (uint32_t j = i + 1; j <= p->groups && raised < p->cost[i]; j++) {
        uint32_t size = p->first[j] - p->first[j - 1];
        raised += (double)size * (t - p->degree[j - 1]);
        if (p->lowest_reach[j - 1] < lowest) lowest = p->lowest_reach[j - 1];
        if (lowest < t) break;
        if (raised + p->cost[j] >= p->cost[i]) continue;
        KSDA_I_TRY(pack_groups(p, i, j, false, &found));
        double cost = raised + p->cost[j] + (found < p->k ? borrow(p, j, t, found, false) : 0);
        if (cost < p->cost[i]) cost += ksda_i_disjoint_dilute(p, i, j, t, false);
        if (cost < p->cost[i]) p->cost[i] = cost, p->next[i] = j;
    }
done:
    return status;
}

ksda_status ksda_i_disjoint_levels(ksda_i_disjoint_plan *p) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < p->groups; i++) {
        p->lowest_reach[i] = UINT32_MAX;
        for (uint32_t at = p->first[i]; at < p->first[i + 1]; at++)
            if (p->reach[p->order[at]] < p->lowest_reach[i]) p->lowest_reach[i] = p->reach[p->order[at]];
    }
    p->cost[p->groups] = 0;
    memset(p->shunned, 0, p->graph->n);
    for (uint32_t i = p->groups; i-- > 0 && status >= 0;) {
        status = best_level(p, i);
        if (status >= 0) status = ksda_i_progress_stage(p->ctx, p->groups - i, p->groups);
    }
    return status;
}

/* The vertices of groups i .. j - 1 that are left come to the level; a vertex of each chosen kind is a witness. What
 * that costs. */
static double take_in(ksda_i_disjoint_plan *p, uint32_t i, uint32_t j, uint32_t found) {
    uint32_t t = p->degree[i];
    double raised = 0;
    for (uint32_t c = 0; c < found; c++) p->wanted[p->chosen[c]] = 1;
    for (uint32_t at = p->first[i]; at < p->first[j]; at++) {
        uint32_t v = p->order[at], *is_wanted = &p->wanted[p->communities->of[v]];
        if (p->assigned[v]) continue;
        p->target[v] = t;
        p->assigned[v] = 1;
        raised += p->reach[v] < t ? INFINITY : t - ksda_i_degree(p->graph, v);
        if (p->shunned[v]) continue;
        p->witness[v] = (uint8_t)*is_wanted;
        *is_wanted = 0;
    }
    if (p->first[j] > p->reached) p->reached = p->first[j];
    return raised;
}

ksda_status ksda_i_disjoint_assign(ksda_i_disjoint_plan *p, uint32_t from, uint32_t end, double *raised) {
    ksda_status status = KSDA_OK;
    uint32_t found;
    for (uint32_t i = 0; i < p->reached; i++) p->witness[p->order[i]] = p->assigned[p->order[i]] = 0;
    memset(p->level, 0, (uint64_t)p->degree[0] + 2);
    *raised = 0;
    p->reached = 0;
    for (uint32_t i = from; i < end && !isinf(*raised); i = p->next[i]) {
        bool empty = true;
        for (uint32_t at = p->first[i]; at < p->first[p->next[i]] && empty; at++) empty = p->assigned[p->order[at]];
        if (empty) continue; /* all of them were borrowed */
        KSDA_I_TRY(pack_groups(p, i, p->next[i], true, &found));
        *raised += take_in(p, i, p->next[i], found);
        if (found < p->k) *raised += borrow(p, p->next[i], p->degree[i], found, true);
        if (!isinf(*raised)) *raised += ksda_i_disjoint_dilute(p, i, p->next[i], p->degree[i], true);
        p->level[p->degree[i]] = 1;
    }
done:
    return status;
}
