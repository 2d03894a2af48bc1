/* formats.h: the formats, one row each. */
#ifndef KSDA_I_FORMATS_H
#define KSDA_I_FORMATS_H

#include "graph/communities.h"
#include "graph/graph.h"
#include "io/output.h"
#include "io/source.h"

#include <ksda/io.h>

/* What a reader makes. Communities from a vertex attribute come as one number per vertex into names; a vertex without
 * the attribute has KSDA_NO_VERTEX. */
typedef struct ksda_i_read {
    ksda_graph *graph;
    bool closed;         /* the format lists all its vertices: a communities file may not name others */
    uint32_t *community; /* [n], or NULL when no attribute was asked for */
    uint64_t *more;      /* [mores] further ones where overlaps are asked for: vertex * 2^32 + community */
    uint64_t mores;
    uint32_t *place; /* [n] the vertex that stands in each place of the file; NULL: they stand in order */
    ksda_i_ids names;
    ksda_reading reading; /* where lines were read */
    char *header;         /* the line that was assumed to be a header, its two fields ended by NUL; or NULL */
} ksda_i_read;
void ksda_i_read_clear(ksda_ctx *ctx, ksda_i_read *r);

typedef struct ksda_i_format {
    ksda_format format;  /* its constant in ksda/io.h; KSDA_FORMAT_AUTO: it has none and goes by its name */
    const char *name;    /* "edges", "metis", ... */
    const char *endings; /* of file names, space separated: ".graph .metis"; compression endings are taken off before */
    bool numbers;        /* the file calls its vertices first .. first + n - 1, whatever they were called before */
    uint32_t first;
    bool binary;     /* no text; without a sniff its bytes are taken as they are, even if they look compressed */
    bool edges_only; /* as of lines: vertices without an edge have no place */
    bool columns;    /* they have names, and can be chosen from; of lines that goes without saying */
    bool (*sniff)(const char *data, size_t size); /* is it surely this format, by its first bytes? NULL: only by name */
    bool lines;                                   /* one edge a line: may have a header and columns to choose from */
    bool attributes; /* vertices have them: their names and communities can be taken from one */
    bool carries;    /* communities are written, as the attribute "community"; sets of them as a list */
    /* Of the options the reader looks at attribute, name_attribute, header and columns. On failure r is empty. */
    ksda_status (*read)(ksda_ctx *ctx, ksda_i_source *source, const ksda_load_options *options, ksda_i_read *r);
    /* communities may be NULL. Writes vertices by name, in order. NULL: the format is only read. */
    ksda_status (*write)(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                         ksda_i_output *out);
    /* How many bytes write makes of a graph whose rows are here and whose ids are a range; NULL: nobody needs to know.
     */
    uint64_t (*bytes)(const ksda_graph *graph);
    bool by_row; /* write asks for one row after the other (items.h, graph/walk.h); else all are made before */
} ksda_i_format;

/* The table, those that tell themselves by content first: ROW(NAME) stands for ksda_i_format_NAME, which the format's
 * file defines. */
#define KSDA_I_FORMATS(ROW)                                                                                            \
    ROW(gexf)                                                                                                          \
    ROW(graphml)                                                                                                       \
    ROW(gml)                                                                                                           \
    ROW(pajek)                                                                                                         \
    ROW(json)                                                                                                          \
    ROW(dl)                                                                                                            \
    ROW(mtx)                                                                                                           \
    ROW(csv)                                                                                                           \
    ROW(tsv)                                                                                                           \
    ROW(npz)                                                                                                           \
    ROW(parquet)                                                                                                       \
    ROW(raw32)                                                                                                         \
    ROW(raw64)                                                                                                         \
    ROW(dimacs)                                                                                                        \
    ROW(lgl)                                                                                                           \
    ROW(ncol)                                                                                                          \
    ROW(metis)                                                                                                         \
    ROW(edges)
#define KSDA_I_FORMAT_DECLARED(name) extern const ksda_i_format ksda_i_format_##name;
KSDA_I_FORMATS(KSDA_I_FORMAT_DECLARED)

const ksda_i_format *const *ksda_i_formats(size_t *count);
/* The row of a format, or NULL; and the number of a row. */
const ksda_i_format *ksda_i_format_row(ksda_format format);
ksda_format ksda_i_format_number(const ksda_i_format *row);
/* Which format this is: by content, else by the name's ending, else edges. KSDA_PARSE: surely no graph. */
ksda_status ksda_i_format_guess(ksda_ctx *ctx, ksda_i_source *source, const ksda_i_format **row);
/* KSDA_PARSE: a spreadsheet or the like, with what to do about it. */
ksda_status ksda_i_must_be_text(ksda_ctx *ctx, ksda_i_source *source);
/* Is this file one of a format that only its name or --format tells: to be opened as bytes? */
bool ksda_i_format_is_raw(const ksda_i_format *row);
/* By the ending of a file's name (".gz" and ".zst" are taken off), or NULL. */
const ksda_i_format *ksda_i_format_by_name(const char *path);
/* What a file of that name is written as: by its ending, an edge list where there is none; NULL: no format that is
 * written ends so. */
const ksda_i_format *ksda_i_format_to_write(const char *path);
/* What can be written, with the endings: "graphml (.graphml .xml), ..." */
const char *ksda_i_formats_text(char *buffer, size_t size);

/* Read the graph alone. Where there are other processes, the first one has all of them read, each its share. */
ksda_status ksda_i_read_together(ksda_ctx *ctx, const char *path, const ksda_load_options *options, ksda_i_read *r,
                                 ksda_format *format);

/* The three writers of ksda/io.h into an output that the caller opened and will commit: for commands whose outputs must
 * appear together. path only tells the format where it is KSDA_FORMAT_AUTO. */
ksda_status ksda_i_write_graph(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const char *path, ksda_format format, ksda_i_output *out);
/* A view of the graph, whose arrays it shares, under the names that a reader of that file will see: what is written
 * beside it (communities, a map) must use them. Never freed. */
ksda_graph ksda_i_graph_as_written(const ksda_graph *graph, const char *path, ksda_format format);
ksda_status ksda_i_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                     ksda_i_output *out);
ksda_status ksda_i_write_map(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release,
                             ksda_i_output *out);
/* The same of the published vertices first .. last - 1. */
ksda_status ksda_i_write_map_part(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release,
                                  uint32_t first, uint32_t last, ksda_i_output *out);
/* ksda_load_map() from a source, which stays the caller's. */
ksda_status ksda_i_read_map(ksda_ctx *ctx, const ksda_graph *original, ksda_graph **published, ksda_i_source *source,
                            uint32_t **owner);

#endif
