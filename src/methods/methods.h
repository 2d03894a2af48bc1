/* methods.h: the methods, one declaration each; the table stands in methods.c. */
#ifndef KSDA_I_METHODS_H
#define KSDA_I_METHODS_H

#include "core/ctx.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/anonymize.h>

/* The signature of every method. k is valid and options are complete; the counts in result are filled in by the caller
 * from the edits, so a method only sets what it proves and the time that takes. */
#define KSDA_I_METHOD(name) KSDA_I_METHOD_TYPE(ksda_i_##name)
#define KSDA_I_METHOD_TYPE(name)                                                                                       \
    ksda_status name(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,                      \
                     const ksda_anonymize_options *options, ksda_edits **out, ksda_anonymize_result *result)

/* The options with everything that was left out; KSDA_INVALID and KSDA_INFEASIBLE as ksda_anonymize() returns them.
 * method: NULL for one that makes a k-SDA. */
ksda_status ksda_i_anonymize_options(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     const ksda_method *method, const ksda_anonymize_options *options,
                                     ksda_anonymize_options *full);

/* A proof that no release exists: an isolated vertex is alone in its community, so stays isolated whatever is done, and
 * fewer than k communities have an isolated vertex (none becomes it: degrees never fall, and pieces have an edge).
 * KSDA_INFEASIBLE then. */
ksda_status ksda_i_check_isolated(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, uint32_t k);

/* The same for a share bound; 0 of 0 is none. */
ksda_status ksda_i_check_share_possible(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, ksda_share most);

typedef KSDA_I_METHOD_TYPE(ksda_i_method);

/* The method has no release, and another one may be asked; any other failure ends the caller's work as well. */
static inline bool ksda_i_found_none(ksda_status status) {
    return status == KSDA_NOT_FOUND || status == KSDA_INFEASIBLE;
}

KSDA_I_METHOD(level_plan);
KSDA_I_METHOD(level_plan_and_longer); /* the same, and the exact method goes on for bound_seconds */
KSDA_I_METHOD(edge_connect);
KSDA_I_METHOD(inverse_edge_connect);
KSDA_I_METHOD(create_by_split);
KSDA_I_METHOD(merge_by_split);
KSDA_I_METHOD(flex_split);
KSDA_I_METHOD(splitting_only);
KSDA_I_METHOD(k_degree);
KSDA_I_METHOD(optimal);

#endif
