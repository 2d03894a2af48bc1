/* people.h: everybody in the order of how much their degree gives away. */
#ifndef KSDA_I_PEOPLE_H
#define KSDA_I_PEOPLE_H

#include "io/output.h"

#include <ksda/privacy.h>

typedef struct ksda_i_people {
    uint32_t count;
    uint32_t *vertex; /* [count] the fewest communities to choose from first, then the surest guess, then the largest
                         degree; people of one degree by community */
    uint32_t *group;  /* [count] the entry of diversity->group that the vertex is in */
    uint32_t *alike;  /* [count] vertices of this degree in the same community, itself included */
} ksda_i_people;

/* Time O(n + largest degree + groups log groups). Freed by ksda_i_people_clear(), after a failure as well. */
ksda_status ksda_i_people_rank(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_diversity *diversity, ksda_i_people *out);
void ksda_i_people_clear(ksda_ctx *ctx, ksda_i_people *people);
/* A line for each, as CSV with a header. KSDA_UNSUPPORTED: a name cannot stand in a line. */
ksda_status ksda_i_people_csv(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              const ksda_diversity *diversity, ksda_i_output *out);
/* The first of them as a table of a private page, at most `most`. */
ksda_status ksda_i_people_html(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_diversity *diversity, uint32_t most, ksda_i_output *out);

#endif
