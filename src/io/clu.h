/* clu.h: Pajek's partitions (.clu) as communities files. */
#ifndef KSDA_I_CLU_H
#define KSDA_I_CLU_H

#include "io/communities_file.h"

/* Is it one, by its first bytes? closed: the graph's file lists all its vertices, in the order that a partition
 * follows; KSDA_PARSE where it does not. */
ksda_status ksda_i_clu_sniff(ksda_ctx *ctx, ksda_i_source *source, bool closed, bool *partition);
/* Read one. place: [n] which vertex stands in each place of the graph's file, or NULL: they stand in order. m is empty
 * but for names and vertices that the graph does not have. */
ksda_status ksda_i_clu_read(ksda_ctx *ctx, ksda_i_source *source, const ksda_graph *graph, const uint32_t *place,
                            ksda_i_membership *m);
/* Is a communities file of that name a partition? */
bool ksda_i_clu_named(const char *path);
/* KSDA_UNSUPPORTED: a community is not called by a number. */
ksda_status ksda_i_clu_write(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                             ksda_i_output *out);

#endif
