/* EdgeConnect (Tai, Yu, Yang, Chen: Structural Diversity for Resisting Community Identification in Published Social
 * Networks, Algorithm 1).
 *
 * Problem: make the network k-structurally diverse by adding edges inside communities, few of them. Guarantee: what it
 * returns is diverse and keeps every original edge; it may find nothing. Idea: largest degrees first, each vertex
 * either joins an existing group (mergence) or founds one with the first vertices of k - 1 other communities
 * (creation), whichever adds fewer edges; it is raised by connecting it to the next largest of its community; edges
 * that this leaves on a vertex are redirected to others as long as they are free to move. Cost: see largest_first.c.
 * Differs from the text: ties; which of several free groups is joined; other targets are tried before giving up
 * (docs/algorithms.md). */
#include "methods/paper/largest_first.h"

const ksda_i_descent ksda_i_edge_connect_rules = {.reversed = false, .splitting = false};

KSDA_I_METHOD(edge_connect) {
    (void)result;
    return ksda_i_largest_first(ctx, graph, communities, options, &ksda_i_edge_connect_rules, INFINITY, out);
}
