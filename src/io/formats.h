/* formats.h: the formats, one row each; the table stands in formats.c. */
#ifndef KSDA_I_FORMATS_H
#define KSDA_I_FORMATS_H

#include "graph/communities.h"
#include "graph/graph.h"
#include "io/output.h"
#include "io/source.h"

#include <ksda/io.h>

/* What a reader makes. Communities from a vertex attribute come as one number per vertex into names; a vertex without the
 * attribute has KSDA_NO_VERTEX. */
typedef struct ksda_i_read {
    ksda_graph *graph;
    bool closed;              /* the format lists all its vertices: a communities file may not name others */
    uint32_t *community;      /* [n], or NULL when no attribute was asked for */
    ksda_i_ids names;
} ksda_i_read;
void ksda_i_read_clear(ksda_ctx *ctx, ksda_i_read *r);

typedef struct ksda_i_format {
    ksda_format format;
    const char *name;          /* "edges", "metis", ... */
    const char *endings;       /* of file names, space separated: ".graph .metis"; compression endings are taken off before */
    bool (*sniff)(const char *data, size_t size); /* is it surely this format, by its first bytes? NULL: only by name */
    /* attribute: the vertex attribute to take communities from, or NULL. On failure r is empty. */
    ksda_status (*read)(ksda_ctx *ctx, ksda_i_source *source, const char *attribute, ksda_i_read *r);
    /* communities may be NULL. Writes vertices by name, in order. */
    ksda_status (*write)(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, ksda_i_output *out);
} ksda_i_format;

const ksda_i_format *ksda_i_formats(size_t *count);

/* The three writers of ksda/io.h into an output that the caller opened and will commit: for commands whose outputs must
 * appear together. path only tells the format where it is KSDA_FORMAT_AUTO. */
ksda_status ksda_i_write_graph(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities, const char *path,
                               ksda_format format, ksda_i_output *out);
ksda_status ksda_i_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     ksda_i_output *out);
ksda_status ksda_i_write_map(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release, ksda_i_output *out);

#endif
