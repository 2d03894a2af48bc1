/* Largest degrees first: EdgeConnect, InverseEdgeConnect and CreateBySplit.
 *
 * Guarantee: what is returned is k-structurally diverse; the methods may find nothing, and then say at which vertex.
 * Idea: degrees only grow, so the vertex that has the largest is placed first, by mergence or creation (steps.c).
 * CreateBySplit splits, where neither is possible, the first vertices of the k first communities down to the smallest
 * degree among them. Cost: O(n k + m + edges added) time plus, for every redirected edge, a walk past those that the
 * vertex it stays with is adjacent to, at most its degree. */
#include "methods/paper/largest_first.h"

#include "methods/paper/steps.h"

#include <stdio.h>

/* Split to found a group with v; false, and nothing done, when that is impossible. */
static bool can_split(ksda_i_state *s, uint32_t *member, uint32_t *degree) {
    uint32_t found = 0;
    if (s->heads_left < s->founders) return false;
    for (uint32_t c = ksda_i_lists_begin(&s->heads, 0, s->order); c != KSDA_I_NONE && found < s->founders;
         c = ksda_i_lists_after(&s->heads, c, s->order))
        member[found++] = ksda_i_state_head(s, c);
    *degree = s->piece[member[found - 1]].degree;
    if (*degree == 0) return false;
    for (uint32_t i = 0; i < found; i++)
        if (s->piece[member[i]].degree > *degree && ksda_i_originals(s, member[i]) < 2) return false;
    return true;
}

static ksda_status fail_at(ksda_i_state *s, uint32_t v, bool splitting) {
    char why[256];
    uint32_t group = ksda_i_groups_from(&s->groups, s->piece[v].degree);
    const char *split = splitting ? " or be split to a common degree" : "";
    if (group == KSDA_I_NONE)
        snprintf(why, sizeof why, "no group has degree %u or more, and fewer than %u communities can reach it%s",
                 s->piece[v].degree, s->founders, split);
    else
        snprintf(why, sizeof why,
                 "it cannot reach the group of degree %u, and fewer than %u communities can reach degree %u%s", group,
                 s->founders, s->piece[v].degree, split);
    return ksda_i_not_found(s, v, why);
}

/* Edges and pieces are never taken back. There is at most one link for each piece, and links cost nothing. */
static double least_cost(const ksda_i_state *s) {
    double pieces = ksda_edits_pieces(s->edits) - s->graph->n, edges = (double)s->edges - pieces;
    return (edges > 0 ? edges : 0) + s->options->split_weight * pieces;
}

static ksda_status descend(ksda_i_state *s, bool splitting, double below, uint32_t *member) {
    ksda_status status = KSDA_OK;
    uint32_t c, degree;
    while ((c = ksda_i_lists_begin(&s->heads, 0, s->order)) != KSDA_I_NONE) {
        uint32_t v = ksda_i_state_head(s, c);
        bool done;
        if (least_cost(s) >= below) return ksda_i_not_found(s, v, "the release would cost too much");
        if ((status = ksda_i_progress(s->ctx, "anonymizing", s->placed, s->graph->n)) < 0) break;
        if ((status = ksda_i_step(s, v, member, &done)) < 0) break;
        if (done) continue;
        if (!splitting || !can_split(s, member, &degree)) return fail_at(s, v, splitting);
        if ((status = ksda_i_split_group(s, member, degree, true)) < 0) break;
    }
    return status;
}

ksda_status ksda_i_largest_first(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 const ksda_anonymize_options *options, const ksda_i_descent *method, double below,
                                 ksda_edits **out) {
    ksda_i_state s;
    *out = NULL;
    ksda_status status = ksda_i_state_init(&s, ctx, graph, communities, options, KSDA_I_DESCENDING);
    if (status < 0) return status;
    if (method->reversed) s.reach = KSDA_I_DESCENDING_REVERSED;
    uint32_t *member = ksda_i_malloc(ctx, s.founders, sizeof *member);
    status = member ? descend(&s, method->splitting, below, member) : KSDA_NOMEM;
    if (status >= 0) status = ksda_i_state_finish(&s, out);
    ksda_i_free(ctx, member);
    ksda_i_state_clear(&s);
    return status;
}
