/* communities_file.h: communities as a file or an attribute gives them, before every vertex has one. */
#ifndef KSDA_I_COMMUNITIES_FILE_H
#define KSDA_I_COMMUNITIES_FILE_H

#include "io/formats.h"

typedef struct ksda_i_membership {
    uint32_t *of;       /* [n] a number into names, or KSDA_NO_VERTEX */
    uint32_t n;         /* vertices of the graph */
    ksda_i_ids names;   /* of the communities, in order of appearance */
    ksda_i_ids extra;   /* vertices that the graph does not have, in order of appearance */
    uint32_t *extra_of; /* [extra.count] */
    uint64_t extra_capacity;
    uint64_t *more; /* further communities of a vertex, vertex * 2^32 + community; extra vertices from n on */
    uint64_t mores, more_capacity;
} ksda_i_membership;
void ksda_i_membership_clear(ksda_ctx *ctx, ksda_i_membership *m);

/* The file, its format, header and columns are those of the options. r: what was read of the graph beside it: where its
 * format lists all vertices, one that it does not have is an error. On failure m is empty. */
ksda_status ksda_i_read_communities(ksda_ctx *ctx, const ksda_load_options *options, const ksda_graph *graph,
                                    const ksda_i_read *r, ksda_i_membership *m, ksda_reading *reading);

#endif
