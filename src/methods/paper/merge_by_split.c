/* MergeBySplit (the paper's Algorithm 3).
 *
 * Problem: a k-structurally diverse release for every network, also where adding edges cannot do it. Guarantee: never
 * fails without isolated vertices, for any k up to the number of communities (smallest_first.c says why). Idea:
 * smallest degrees first, so that groups of small degrees exist when the hubs come: a vertex that can neither join nor
 * found a group is split into the fewest pieces whose degrees are those of groups, without links. Cost: see
 * smallest_first.c. Differs from the text: the target of creation; what happens when no sum of group degrees fits
 * (docs/algorithms.md). */
#include "methods/paper/smallest_first.h"

KSDA_I_METHOD(merge_by_split) {
    static const ksda_i_ascent method = {.adding = true, .group_splitting = false};
    (void)result;
    return ksda_i_smallest_first(ctx, graph, communities, options, &method, out);
}
