/* numbering.h: from the ids of an input to vertex numbers 0 .. n-1, in ascending order of id. */
#ifndef KSDA_I_NUMBERING_H
#define KSDA_I_NUMBERING_H

#include "graph/ids.h"

/* Ids as they were read, in pairs or singly; when wide they are uint64_t, else uint32_t. */
typedef struct ksda_i_stretch {
    void *id;       /* [count] */
    uint64_t count; /* of ids: two an edge */
    bool wide;
    bool renumber; /* replace the ids by vertex numbers: always uint32_t, from the front of the same memory */
} ksda_i_stretch;

/* Find the distinct ids of all stretches, give them names in *ids, and renumber where asked.
 * KSDA_INVALID: more than KSDA_MAX_VERTICES; KSDA_NOMEM; KSDA_INTERRUPTED. */
ksda_status ksda_i_number_ids(ksda_ctx *ctx, ksda_i_stretch *stretches, uint64_t count, ksda_i_ids *ids);

/* The vertices are first .. first + n - 1: only shift the ids. */
void ksda_i_shift_ids(ksda_ctx *ctx, ksda_i_stretch *stretches, uint64_t count, uint64_t first);

#endif
