/* SplittingOnly, the paper's variant of FlexSplit in its experiments: no edges are added at all.
 *
 * Problem and guarantee: as MergeBySplit, with n_a = 0. Idea: FlexSplit, where a vertex joins or founds a group only at
 * the degree that it has. Cost: see smallest_first.c. Differs from the text: as FlexSplit. */
#include "methods/paper/smallest_first.h"

KSDA_I_METHOD(splitting_only) {
    static const ksda_i_ascent method = {.adding = false, .group_splitting = true};
    (void)result;
    return ksda_i_smallest_first(ctx, graph, communities, options, &method, out);
}
