/* FlexSplit (the paper's Algorithm 4).
 *
 * Problem and guarantee: as MergeBySplit. Idea: where a vertex must be split, there is a second way beside
 * MergeBySplit's Single Splitting: Group Splitting makes a new group of its degree from the k smallest vertices of k
 * communities, each larger one split in two linked pieces. It is taken when it makes fewer pieces than Single Splitting
 * would make of all those among the k that adding edges cannot place now or later (the look-ahead). Cost: see
 * smallest_first.c. Differs from the text: as MergeBySplit; the direction of the look-ahead's last test, and that it
 * counts only vertices that can still take an edge (docs/algorithms.md). */
#include "methods/paper/smallest_first.h"

KSDA_I_METHOD(flex_split) {
    static const ksda_i_ascent method = {.adding = true, .group_splitting = true};
    (void)result;
    return ksda_i_smallest_first(ctx, graph, communities, options, &method, out);
}
