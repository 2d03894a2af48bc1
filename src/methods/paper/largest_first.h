/* largest_first.h: the loop that EdgeConnect, InverseEdgeConnect and CreateBySplit share. */
#ifndef KSDA_I_LARGEST_FIRST_H
#define KSDA_I_LARGEST_FIRST_H

#include "methods/methods.h"

typedef struct ksda_i_descent {
    bool reversed;  /* connect to the smallest degrees instead of the next largest */
    bool splitting; /* split where adding edges cannot do it */
} ksda_i_descent;

ksda_status ksda_i_largest_first(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 const ksda_anonymize_options *options, const ksda_i_descent *method, ksda_edits **out);

#endif
