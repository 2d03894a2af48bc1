/* edge_lines.h: reading files of which every line is an edge. */
#ifndef KSDA_I_EDGE_LINES_H
#define KSDA_I_EDGE_LINES_H

#include "io/fields.h"
#include "io/formats.h"
#include "io/names.h"

/* Read the source from its top: comments, a header, edges. The syntax says what the format is; of the options header
 * and columns count, and an attribute is refused. On failure r is empty. */
ksda_status ksda_i_read_edge_lines(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options,
                                   ksda_i_syntax *syntax, ksda_i_read *r);
/* Write every edge once, the smaller vertex number first, in order. The names were checked before. */
ksda_status ksda_i_write_edge_lines(ksda_ctx *ctx, const ksda_graph *graph, ksda_i_naming naming, char separator,
                                    ksda_i_output *out);

#endif
