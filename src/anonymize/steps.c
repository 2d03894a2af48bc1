/* Mergence and creation, the paper's two ways to place a vertex.
 *
 * Costs are Formulas (5) and (6) of the text, with edge-redirection. Both look only at degrees, counts and the first
 * vertices of the communities; a step costs O(k + edges added and redirected) plus the communities it had to pass over. */
#include "anonymize/steps.h"

#include <stdio.h>

/* The cost of bringing u to degree t. */
static uint64_t cost_to(ksda_i_state *s, uint32_t u, uint32_t t, ksda_status *status) {
    uint32_t d = s->degree[u];
    if (d > t) return ksda_i_redirectable(s, u, d - t, status) == d - t ? 0 : KSDA_I_IMPOSSIBLE;
    return ksda_i_reachable(s, u, t - d, status) ? t - d : KSDA_I_IMPOSSIBLE;
}

ksda_status ksda_i_mergence(ksda_i_state *s, uint32_t v, ksda_i_offer *out) {
    ksda_status status = KSDA_OK;
    uint32_t d = s->degree[v], lowest = d - ksda_i_redirectable(s, v, UINT32_MAX, &status);
    *out = (ksda_i_offer){KSDA_I_IMPOSSIBLE, 0, 1};
    if (status < 0) return status;
    for (uint32_t t = d; t + 1 > lowest; t--) {
        if (ksda_i_groups_has(&s->groups, t)) {
            *out = (ksda_i_offer){0, t, 1};
            return KSDA_OK;
        }
        if (t == 0) break;
    }
    uint32_t t = ksda_i_groups_from(&s->groups, d);
    if (t != KSDA_I_NONE) *out = (ksda_i_offer){cost_to(s, v, t, &status), t, 1};
    return status;
}

ksda_status ksda_i_creation_at(ksda_i_state *s, uint32_t v, uint32_t t, uint64_t limit, uint32_t *member, ksda_i_offer *out) {
    ksda_status status = KSDA_OK;
    uint32_t own = s->communities->of[v], found = 1;
    uint64_t sum = cost_to(s, v, t, &status);
    *out = (ksda_i_offer){KSDA_I_IMPOSSIBLE, t, 0};
    member[0] = v;
    for (uint32_t c = ksda_i_lists_begin(&s->heads, 0, s->order);
         c != KSDA_I_NONE && found < s->k && sum <= limit && status >= 0; c = ksda_i_lists_after(&s->heads, c, s->order)) {
        if (c == own) continue;
        uint32_t u = ksda_i_head(s, c), d = s->degree[u];
        if (d < t && (uint64_t)(t - d) * (s->k - found) > limit - sum) break; /* the others are no cheaper */
        uint64_t cost = cost_to(s, u, t, &status);
        if (cost == KSDA_I_IMPOSSIBLE) continue;
        sum += cost;
        member[found++] = u;
    }
    out->size = found;
    if (found == s->k && sum <= limit) out->cost = sum;
    return status;
}

ksda_status ksda_i_create(ksda_i_state *s, const uint32_t *member, const ksda_i_offer *offer) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < offer->size && status >= 0; i++) status = ksda_i_place(s, member[i], offer->target, "create");
    return status;
}

ksda_status ksda_i_connect_all(ksda_i_state *s, uint32_t *member, uint32_t *stuck) {
    ksda_status status = KSDA_OK;
    ksda_i_offer merge, create;
    uint32_t c;
    *stuck = KSDA_I_NONE;
    while (status >= 0 && (c = ksda_i_lists_begin(&s->heads, 0, s->order)) != KSDA_I_NONE) {
        uint32_t v = ksda_i_head(s, c);
        if ((status = ksda_i_progress(s->ctx, "anonymizing", s->placed, s->graph->n)) < 0) break;
        if ((status = ksda_i_mergence(s, v, &merge)) < 0) break;
        uint32_t d = s->degree[v], lowest = d - ksda_i_redirectable(s, v, UINT32_MAX, &status);
        if (status < 0) break;
        uint64_t limit = merge.cost == KSDA_I_IMPOSSIBLE ? KSDA_I_IMPOSSIBLE - 1 : merge.cost;
        status = ksda_i_creation_at(s, v, lowest, limit, member, &create);
        for (uint32_t t = lowest; t < d && status >= 0 && merge.cost == create.cost && create.cost == KSDA_I_IMPOSSIBLE; t++)
            status = ksda_i_creation_at(s, v, t + 1, limit, member, &create);
        if (status < 0) break;
        if (merge.cost < create.cost) {
            status = ksda_i_place(s, v, merge.target, "merge");
        } else if (create.cost != KSDA_I_IMPOSSIBLE) {
            status = ksda_i_create(s, member, &create);
        } else {
            *stuck = v;
            break;
        }
    }
    return status;
}

/* --- failing ----------------------------------------------------------------------------------------------------- */

static bool has_isolated(const ksda_graph *g) {
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) == 0) return true;
    return false;
}

/* The methods that cannot fail on this network, by name. */
static void advise(const ksda_i_state *s, char *text, size_t size) {
    size_t count, used = 0;
    const ksda_method *m = ksda_methods(&count);
    if (has_isolated(s->graph)) {
        snprintf(text, size, "with isolated vertices no method is certain to succeed");
        return;
    }
    for (size_t i = 0; i < count && used < size; i++)
        if (m[i].flags & KSDA_METHOD_ALWAYS) used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", m[i].name);
    if (used && used < size) snprintf(text + used, size - used, " would succeed");
}

ksda_status ksda_i_not_found(ksda_i_state *s, uint32_t v, const char *why) {
    char name[128], advice[256] = "";
    uint32_t pieces = ksda_edits_pieces(s->edits);
    ksda_graph_name(s->graph, v, name, sizeof name);
    advise(s, advice, sizeof advice);
    return ksda_i_error(s->ctx, KSDA_NOT_FOUND, "vertex %s of degree %u (now %u) cannot be placed: %s; %u of %u vertices were; %s", name,
                        ksda_i_degree(s->graph, v), s->degree[v], why, s->placed, pieces, advice);
}
