/* edge_lines.h: reading files of which every line is an edge. */
#ifndef KSDA_I_EDGE_LINES_H
#define KSDA_I_EDGE_LINES_H

#include "io/fields.h"
#include "io/formats.h"
#include "io/names.h"

/* Read everything that is left of the source. skip: lines at the top that are no edges (a header). On failure r is
 * empty. */
ksda_status ksda_i_read_edge_lines(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_syntax *syntax, uint64_t skip,
                                   ksda_i_read *r);
/* Write every edge once, the smaller vertex number first, in order. The names were checked before. */
ksda_status ksda_i_write_edge_lines(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_naming naming, char separator,
                                    ksda_i_output *out);

#endif
