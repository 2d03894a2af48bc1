/* capped.h: hubs are cut beforehand, the network that is left is planned. */
#ifndef KSDA_I_CAPPED_H
#define KSDA_I_CAPPED_H

#include "methods/levelplan/level_plan.h"

/* A release that costs less than `below`, in which everybody above some degree is in pieces; *out is NULL where none
 * was found. Ends when the work allowed is done. */
ksda_status ksda_i_capped(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                          const ksda_anonymize_options *options, double below, ksda_edits **out);

#endif
