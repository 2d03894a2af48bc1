/* vocabulary.h: what a network promises in the words of those who publish tables. */
#ifndef KSDA_I_VOCABULARY_H
#define KSDA_I_VOCABULARY_H

#include "core/ctx.h"
#include "graph/communities.h"

#include <ksda/privacy.h>

extern const uint32_t ksda_i_term_count;

/* One network whose degrees are told one by one. */
typedef struct ksda_i_vocabulary {
    const ksda_communities *communities;
    uint32_t l;        /* of recursive (c, l)-diversity */
    uint32_t vertices; /* in all */
    uint32_t known;    /* of communities that count */
    uint32_t values;   /* communities that count */
    uint32_t *size;    /* [2 * communities] scratch: how many of each are at a degree; and for sorting */
} ksda_i_vocabulary;

/* Closing is fine after a failure, and for one that is all zero. */
ksda_status ksda_i_vocabulary_open(ksda_ctx *ctx, const ksda_communities *communities, uint32_t k,
                                   ksda_i_vocabulary *out);
void ksda_i_vocabulary_close(ksda_ctx *ctx, ksda_i_vocabulary *v);

/* Values of no degree yet: [ksda_i_term_count]. */
void ksda_i_vocabulary_begin(ksda_term_value *term);
/* A degree that vertices of these communities have, in runs. */
void ksda_i_vocabulary_degree(ksda_i_vocabulary *v, uint32_t degree, const uint32_t *community, uint32_t vertices,
                              ksda_term_value *term);

#endif
