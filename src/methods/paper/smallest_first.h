/* smallest_first.h: the loop that MergeBySplit, FlexSplit and SplittingOnly share. */
#ifndef KSDA_I_SMALLEST_FIRST_H
#define KSDA_I_SMALLEST_FIRST_H

#include "methods/methods.h"

typedef struct ksda_i_ascent {
    bool adding;          /* may add edges */
    bool group_splitting; /* may split several vertices to found a group */
} ksda_i_ascent;

ksda_status ksda_i_smallest_first(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_anonymize_options *options, const ksda_i_ascent *method, ksda_edits **out);

#endif
