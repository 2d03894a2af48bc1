/* EdgeConnect (Tai, Yu, Yang, Chen: Structural Diversity for Resisting Community Identification in Published Social
 * Networks, Algorithm 1).
 *
 * Problem: make the network k-structurally diverse by adding edges inside communities, few of them. Guarantee: every vertex
 * that was placed shares its degree with k communities; the method may fail. Idea: largest degrees first, each vertex either
 * joins an existing group (mergence) or founds one with the first vertices of k - 1 other communities (creation), whichever
 * adds fewer edges; edges that earlier raising left on a vertex are redirected to others as long as they are free to move.
 * Cost: O(n k + m + edges added + search of the redirections) time, O(n + n_a) memory beside the network.
 * Differs from the text: ties, and which of several groups at no cost is joined; see docs/algorithms.md. */
#include "anonymize/steps.h"

#include <stdio.h>

static ksda_status fail(ksda_i_state *s, uint32_t v) {
    char why[160];
    uint32_t group = ksda_i_groups_from(&s->groups, s->degree[v]);
    if (group == KSDA_I_NONE)
        snprintf(why, sizeof why, "no group has its degree or a larger one, and fewer than %u communities can form one", s->k);
    else
        snprintf(why, sizeof why, "it cannot reach the group of degree %u, and fewer than %u communities can form one", group, s->k);
    return ksda_i_not_found(s, v, why);
}

KSDA_I_METHOD(edge_connect) {
    ksda_i_state s;
    uint32_t stuck, *member = NULL;
    (void)result;
    *out = NULL;
    ksda_status status = ksda_i_state_init(&s, ctx, graph, communities, options, KSDA_I_DESCENDING);
    if (status < 0) return status;
    member = ksda_i_malloc(ctx, options->k, sizeof *member);
    status = member ? ksda_i_connect_all(&s, member, &stuck) : KSDA_NOMEM;
    if (status >= 0 && stuck != KSDA_I_NONE) status = fail(&s, stuck);
    ksda_i_free(ctx, member);
    if (status < 0) {
        ksda_i_state_clear(&s);
        return status;
    }
    return ksda_i_state_finish(&s, out);
}
