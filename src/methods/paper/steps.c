/* Mergence and creation, the paper's two ways to place a vertex.
 *
 * Costs are Formulas (5) and (6) of the text, with edge-redirection. Both look only at degrees, counts and the first
 * vertices of the communities; a step costs O(k + edges added and redirected) plus the communities it had to pass over.
 */
#include "methods/paper/steps.h"

#include <stdio.h>

uint64_t ksda_i_cost_to(ksda_i_state *s, uint32_t u, uint32_t t, ksda_status *status) {
    uint32_t d = s->piece[u].degree;
    if (d > t) return ksda_i_redirectable(s, u, d - t, status) == d - t ? 0 : KSDA_I_IMPOSSIBLE;
    return ksda_i_reachable(s, u, t - d, status) ? t - d : KSDA_I_IMPOSSIBLE;
}

/* The cheapest existing group for v, which can be lowered to degree `lowest`. Of several that cost nothing, the one
 * that redirects least. */
static ksda_status mergence(ksda_i_state *s, uint32_t v, uint32_t lowest, ksda_i_offer *out) {
    ksda_status status = KSDA_OK;
    uint32_t d = s->piece[v].degree;
    *out = (ksda_i_offer){KSDA_I_IMPOSSIBLE, 0, 1};
    uint32_t t = ksda_i_groups_down(&s->groups, d);
    if (t == KSDA_I_NONE || t < lowest) t = ksda_i_groups_from(&s->groups, d);
    if (t != KSDA_I_NONE) *out = (ksda_i_offer){ksda_i_cost_to(s, v, t, &status), t, 1};
    return status;
}

/* Could k communities found a group of degree t for at most `limit` edges, if every first vertex could be raised, and
 * those above t lowered, as far as needed? A look at the sizes of the buckets, O(levels of the first vertices), spares
 * most vain walks. */
static bool affordable_from_largest(const ksda_i_state *s, uint32_t t, uint64_t limit) {
    uint64_t found = 0, sum = 0;
    for (uint32_t b = s->heads.highest[0]; b != KSDA_I_NONE && found < s->founders; b = s->heads.bucket[b].below) {
        const ksda_i_bucket *level = &s->heads.bucket[b];
        uint64_t taken = level->size < s->founders - found ? level->size : s->founders - found;
        if (level->degree < t) sum += taken * (t - level->degree);
        if (sum > limit) return false;
        found += taken;
    }
    return found == s->founders;
}

/* The same for the smallest: the least degree that a group of the k first communities could have, if everybody with
 * made edges could be lowered to it; KSDA_I_NONE when fewer than k are left. */
static uint32_t least_from_smallest(const ksda_i_state *s) {
    uint64_t found = s->heads_with_made;
    uint32_t least = 0;
    if (s->heads_left < s->founders) return KSDA_I_NONE;
    for (uint32_t b = s->heads.lowest[0]; b != KSDA_I_NONE && found < s->founders; b = s->heads.bucket[b].above) {
        found += s->heads.bucket[b].size;
        least = s->heads.bucket[b].degree;
    }
    return least;
}

/* Largest degrees first: a new group of degree t from v and the k - 1 cheapest first vertices of other communities,
 * into member. From the largest degree downwards costs do not fall: first come those above t, which cost nothing or are
 * impossible, then t itself, then ever more. Offers above `limit` are reported as impossible. */
static ksda_status creation_at(ksda_i_state *s, uint32_t v, uint32_t t, uint64_t limit, uint32_t *member,
                               ksda_i_offer *out) {
    ksda_status status = KSDA_OK;
    uint32_t own = ksda_i_state_home(s, v), found = 0;
    uint64_t sum = ksda_i_cost_to(s, v, t, &status);
    *out = (ksda_i_offer){KSDA_I_IMPOSSIBLE, t, 0};
    if (!affordable_from_largest(s, t, limit)) return status;
    ksda_i_founders_begin(s);
    if (ksda_i_founders_take(s, v)) member[found++] = v; /* else it joins the group once it is there */
    for (uint32_t c = ksda_i_lists_begin(&s->heads, 0, s->order);
         c != KSDA_I_NONE && found < s->founders && sum <= limit && status >= 0;
         c = ksda_i_lists_after(&s->heads, c, s->order)) {
        if (c == own) continue;
        uint32_t u = ksda_i_state_head(s, c), d = s->piece[u].degree;
        if (d < t && (uint64_t)(t - d) * (s->founders - found) > limit - sum) break; /* the others are no cheaper */
        uint64_t cost = ksda_i_cost_to(s, u, t, &status);
        if (cost == KSDA_I_IMPOSSIBLE || !ksda_i_founders_take(s, u)) continue;
        sum += cost;
        member[found++] = u;
    }
    out->size = found;
    if (found == s->founders && sum <= limit) out->cost = sum;
    return status;
}

static ksda_status creation_from_largest(ksda_i_state *s, uint32_t v, uint32_t lowest, uint64_t limit, bool insist,
                                         uint32_t *member, ksda_i_offer *out) {
    uint32_t t = lowest;
    ksda_status status = creation_at(s, v, t, limit, member, out);
    while (insist && out->cost == KSDA_I_IMPOSSIBLE && t < s->piece[v].degree && status >= 0)
        status = creation_at(s, v, ++t, limit, member, out);
    return status;
}

/* Smallest degrees first: a new group from the first vertices of the k first communities, of the smallest degree that
 * all of them could have: the largest of what each can be lowered to. */
static ksda_status creation_from_smallest(ksda_i_state *s, uint32_t v, uint64_t limit, uint32_t *member,
                                          ksda_i_offer *out) {
    ksda_status status = KSDA_OK;
    uint32_t found = 0, target = 0, least = least_from_smallest(s);
    uint64_t sum = 0;
    *out = (ksda_i_offer){KSDA_I_IMPOSSIBLE, 0, s->founders};
    if (least == KSDA_I_NONE || (least > s->piece[v].degree && least - s->piece[v].degree > limit)) return KSDA_OK;
    ksda_i_founders_begin(s);
    for (uint32_t c = ksda_i_lists_begin(&s->heads, 0, s->order); c != KSDA_I_NONE && found < s->founders;
         c = ksda_i_lists_after(&s->heads, c, s->order)) {
        uint32_t u = ksda_i_state_head(s, c), reach = s->adding ? s->unplaced[c] - 1 : 0;
        if (!ksda_i_founders_take(s, u)) continue;
        if (least > s->piece[u].degree && least - s->piece[u].degree > reach) return KSDA_OK;
        uint32_t lowest = s->piece[u].degree - ksda_i_redirectable(s, u, UINT32_MAX, &status);
        if (status < 0) return status;
        if (lowest > target) target = lowest;
        if (target > s->piece[v].degree && target - s->piece[v].degree > limit)
            return KSDA_OK; /* v alone costs too much */
        member[found++] = u;
    }
    if (found < s->founders) return KSDA_OK;
    for (uint32_t i = 0; i < found; i++) {
        uint64_t cost = ksda_i_cost_to(s, member[i], target, &status);
        if (status < 0 || cost == KSDA_I_IMPOSSIBLE || (sum += cost) > limit) return status;
    }
    out->cost = sum;
    out->target = target;
    return KSDA_OK;
}

ksda_status ksda_i_step(ksda_i_state *s, uint32_t v, uint32_t *member, bool *done) {
    ksda_i_offer merge, create;
    ksda_status status = KSDA_OK;
    uint32_t lowest = s->piece[v].degree - ksda_i_redirectable(s, v, UINT32_MAX, &status);
    if (status < 0 || (status = mergence(s, v, lowest, &merge)) < 0) return status;
    bool insist = merge.cost == KSDA_I_IMPOSSIBLE;
    uint64_t limit = insist ? KSDA_I_IMPOSSIBLE - 1 : merge.cost;
    if (s->order == KSDA_I_ASCENDING)
        status = creation_from_smallest(s, v, limit, member, &create);
    else
        status = creation_from_largest(s, v, lowest, limit, insist, member, &create);
    if (status < 0) return status;
    *done = merge.cost != KSDA_I_IMPOSSIBLE || create.cost != KSDA_I_IMPOSSIBLE;
    if (merge.cost < create.cost) return ksda_i_state_place(s, v, merge.target, "merge");
    for (uint32_t i = 0; *done && i < s->founders && status >= 0; i++)
        status = ksda_i_state_place(s, member[i], create.target, "create");
    return status;
}

/* --- failing ----------------------------------------------------------------------------------------------------- */

ksda_status ksda_i_not_found(ksda_i_state *s, uint32_t v, const char *why) {
    char name[128];
    uint32_t pieces = ksda_edits_pieces(s->edits);
    ksda_graph_name(s->graph, v, name, sizeof name);
    return ksda_i_error(s->ctx, KSDA_NOT_FOUND,
                        "vertex %s of degree %u (now %u) cannot be placed: %s; %u of %u vertices were placed before",
                        name, ksda_i_degree(s->graph, v), s->piece[v].degree, why, s->placed, pieces);
}
