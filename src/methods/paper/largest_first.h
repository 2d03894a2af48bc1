/* largest_first.h: the loop that EdgeConnect, InverseEdgeConnect and CreateBySplit share. */
#ifndef KSDA_I_LARGEST_FIRST_H
#define KSDA_I_LARGEST_FIRST_H

#include "methods/methods.h"

#include <math.h>

typedef struct ksda_i_descent {
    bool reversed;  /* connect to the smallest degrees instead of the next largest */
    bool splitting; /* split where adding edges cannot do it */
} ksda_i_descent;

extern const ksda_i_descent ksda_i_edge_connect_rules, ksda_i_inverse_edge_connect_rules, ksda_i_create_by_split_rules;

/* below: releases that cost this or more are not wanted; INFINITY: all are. Where it is clear that the release will be
 * one of them, nothing is found. */
ksda_status ksda_i_largest_first(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                 const ksda_anonymize_options *options, const ksda_i_descent *method, double below,
                                 ksda_edits **out);

#endif
