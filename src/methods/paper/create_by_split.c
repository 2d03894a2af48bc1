/* CreateBySplit (the paper's Algorithm 2).
 *
 * Problem: as EdgeConnect, with Splitting Vertex where adding edges cannot do it. Guarantee: what it returns is
 * diverse, every original edge is there once and every substitute carries one; it may find nothing, when fewer than k
 * communities are left or a vertex that must be split has a single original edge. Idea: as EdgeConnect; for a vertex
 * that cannot be placed, the first vertices of the k first communities found a group of the smallest degree d among
 * them: the vertex that has more is split into a piece of degree d, which is placed, and the rest, which goes back to
 * the list. For d > 2 the two are linked. Every such step places k pieces and shrinks the rest, so it ends. Cost: as
 * EdgeConnect; a split is O(d). Differs from the text: as EdgeConnect; which edges the pieces get (docs/algorithms.md).
 */
#include "methods/paper/largest_first.h"

const ksda_i_descent ksda_i_create_by_split_rules = {.reversed = false, .splitting = true};

KSDA_I_METHOD(create_by_split) {
    (void)result;
    return ksda_i_largest_first(ctx, graph, communities, options, &ksda_i_create_by_split_rules, INFINITY, out);
}
