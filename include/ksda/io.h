/* ksda/io.h: reading and writing networks.
 *
 *     ksda_load_options options;
 *     ksda_network network = KSDA_INIT(ksda_network);
 *     ksda_load_options_init(&options), options.communities = "people.csv";
 *     if (ksda_load(ctx, "contacts.csv", &options, &network) < 0) puts(ksda_ctx_error(ctx)->message);
 *     ksda_network_clear(ctx, &network);
 *
 * Nothing is assumed in silence: ksda_network tells in its notes what was taken for a header, which columns were read
 * and what was left out. ksda-formats(5) describes every format. Files that are written appear whole or not at all. */
#ifndef KSDA_IO_H
#define KSDA_IO_H

#include <ksda/edits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a graph is written down. */
typedef enum ksda_format {
    KSDA_FORMAT_AUTO = 0, /**< by content, then by the name of the file */
    KSDA_FORMAT_EDGES,    /**< two ids a line, any white space, # and % comments */
    KSDA_FORMAT_CSV,      /**< comma or semicolon separated, header optional */
    KSDA_FORMAT_TSV,      /**< tab separated, header optional */
    KSDA_FORMAT_METIS,    /**< METIS .graph */
    KSDA_FORMAT_GRAPHML,  /**< GraphML; communities as an attribute */
    KSDA_FORMAT_GML,      /**< GML, likewise */
    KSDA_FORMAT_MTX       /**< Matrix Market coordinate */
} ksda_format;

/** The format with that name ("edges", "csv", ...), or KSDA_FORMAT_AUTO if there is none. A library may know formats
 *  that have no constant here: they are found by name, and their numbers hold for that library only. */
KSDA_API ksda_format ksda_format_find(const char *name);
/** The same for "auto" as well. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_format_from_name(const char *name, ksda_format *out);
/** Its name, borrowed and static; "auto" for a number that no format has. */
KSDA_API const char *ksda_format_name(ksda_format format);
/** All formats one after the other: begin with KSDA_FORMAT_AUTO, which comes back after the last. */
KSDA_API ksda_format ksda_format_next(ksda_format format);
/** Can it be written? Some formats are only read. Any thread, never fails. */
KSDA_API int ksda_format_is_written(ksda_format format);
/** Does a file of that format carry the communities, as the vertex attribute "community"? Any thread, never fails. */
KSDA_API int ksda_format_carries_communities(ksda_format format);

/** How a communities file is laid out. */
typedef enum ksda_communities_format {
    KSDA_COMMUNITIES_AUTO =
        0,                  /**< lists if one of the lines in the first 64 KiB has three fields or more, else pairs */
    KSDA_COMMUNITIES_PAIRS, /**< "vertex community" a line */
    KSDA_COMMUNITIES_LISTS  /**< one community a line: its members (SNAP's cmty files); called 0, 1, ... in order */
} ksda_communities_format;
/** "auto", "pairs" or "lists", as on the command line; NULL for what is no value. Static, any thread. */
KSDA_API const char *ksda_communities_format_name(ksda_communities_format value);
/** The value with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_communities_format_from_name(const char *name, ksda_communities_format *out);

/** Has a file of lines (edges, csv, tsv, communities) a header? */
typedef enum ksda_header {
    KSDA_HEADER_AUTO = 0, /**< by known words; else where the fields of the first line do not occur again */
    KSDA_HEADER_YES,      /**< the first line is one */
    KSDA_HEADER_NO        /**< the first line is data */
} ksda_header;
/** "auto", "yes" or "no", as on the command line; NULL for what is no value. Static, any thread. */
KSDA_API const char *ksda_header_name(ksda_header value);
/** The value with that name. @param out set where there is one @return 1, or 0 where there is none. */
KSDA_API int ksda_header_from_name(const char *name, ksda_header *out);

/** What to read, and how. Strings are borrowed for the call. */
typedef struct ksda_load_options {
    size_t size;             /**< set by ksda_load_options_init() */
    ksda_format format;      /**< of the graph */
    const char *communities; /**< path of a communities file, or NULL */
    const char *attribute;   /**< vertex attribute holding the community (GraphML, GEXF, GML, JSON, Pajek), or NULL */
    ksda_unassigned unassigned; /**< what to do with vertices without a community; default: refuse them */
    ksda_communities_format communities_format; /**< default: by the lines themselves */
    ksda_header header;                         /**< of the graph, where that is a file of lines */
    const char *columns;            /**< "A,B": where the ends of an edge stand, by name in the header or by number from
                                         1; NULL: by known words in the header, else the first two */
    ksda_header communities_header; /**< of the communities file */
    const char *vertex_column;      /**< of the communities file, by name or number; NULL: by known words, else 1 */
    const char *community_column;   /**< the same; NULL: by known words, else 2 where there are two columns */
    const char *unassigned_list;    /**< write the names of all vertices without a community there, one a line, mode
                                         0600; NULL: no */
    ksda_overlap overlap;           /**< what to do where a vertex has several communities; default: refuse them */
    const char *name_attribute; /**< vertex attribute that vertices are called by, instead of their ids (GraphML, GEXF,
                                     GML, JSON, Pajek); every one must have it, and no two the same; NULL: none */
    const char *encoding;       /**< of both files: "utf-8", "latin-1", "windows-1252" or "utf-16"; NULL: UTF-8 */
} ksda_load_options;
/** Sets every default, and size. The second one does so for a struct of `size` bytes, as other versions may have: it is
 *  what other languages call. Any thread, O(1), never fails. */
#define ksda_load_options_init(options) ksda_load_options_init_sized((options), sizeof *(options))
KSDA_API void ksda_load_options_init_sized(ksda_load_options *options, size_t size);

/** How a file of lines was read. */
typedef struct ksda_reading {
    uint32_t columns;   /**< fields of a line; 0: no file of lines, or not looked at */
    uint32_t column[2]; /**< from 1: the ends of an edge, or a vertex and its community; 0, 0: lists of members */
    uint64_t header;    /**< the line that was taken for a header; 0: none */
    int assumed;        /**< 1: that there is a header, or none, is a guess: nobody said, and the words are not known */
    char note[480];     /**< what was assumed and what was left out, for people; empty: nothing */
} ksda_reading;

/** A graph and, where asked for, its communities. */
typedef struct ksda_network {
    size_t size;                   /**< set by KSDA_INIT(ksda_network) */
    ksda_graph *graph;             /**< owned by the network */
    ksda_communities *communities; /**< owned by it; NULL when neither a file nor an attribute was named */
    uint32_t only_in_communities;  /**< vertices of degree 0 that stood only in the communities file */
    uint32_t unassigned;           /**< vertices that had no community */
    ksda_format format;            /**< what the graph was read as */
    ksda_reading graph_reading, communities_reading; /**< how the two files were read */
    uint32_t lookalikes; /**< names of vertices and of communities that look like another one to people */
    char note[720];      /**< what is odd about the names, and who stands in one file only, for people; or empty */
} ksda_network;

/** Read a network. @param path "-" is standard input; gzip and zstd are read as what they hold
 *  @param options NULL for defaults @param out made ready with KSDA_INIT, cleared with ksda_network_clear()
 *  @return KSDA_OK; KSDA_IO; KSDA_PARSE (error has file, line, column); KSDA_INVALID; KSDA_NOMEM; KSDA_INTERRUPTED.
 *  Vertex order: ascending where all ids are numbers, else first appearance; vertices known only from the
 *  communities file follow in the same order. Communities: ascending where all are called by numbers, else first
 *  appearance. A vertex with two different communities is refused, or gets a set of them. Time linear in the file plus
 * sorting; edge lists are read on the context's threads. Memory at most 16 bytes an edge and 32 a vertex over the
 * mapped file for ids that are numbers below 2^32 and not very sparse. */
KSDA_API ksda_status ksda_load(ksda_ctx *ctx, const char *path, const ksda_load_options *options, ksda_network *out);
/** Free what it holds; it may be used again. One that was never filled is fine. */
KSDA_API void ksda_network_clear(ksda_ctx *ctx, ksda_network *network);

/** Write a graph; communities may be NULL (GraphML, GEXF, GML and JSON carry them as attribute "community").
 *  "-" is standard output. Anything else is written under a temporary name and renamed at the end: after a
 *  failure the old file, or none, is there. A name that ends in .gz or .zst is compressed.
 *  @param format KSDA_FORMAT_AUTO goes by the ending of the name; edges where it has none
 *  @return KSDA_OK; KSDA_INVALID (no format is known by the ending, or a name does not fit into the format); KSDA_IO
 * (the message has the path and the reason); KSDA_NOMEM; KSDA_INTERRUPTED. Time O(n + m), a buffer of constant size.
 *  Vertices and edges are written in order: give it a release's graph, not the original, to publish. */
KSDA_API ksda_status ksda_write_graph(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                      const char *path, ksda_format format);
/** "vertex community" a line, in the order of the vertices; CSV with a header where the path ends in .csv, a tab
 * between them where it ends in .tsv, a Pajek partition for .clu, a table for .parquet. The rest is as for
 * ksda_write_graph(). */
KSDA_API ksda_status ksda_write_communities(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                            const char *path);
/** The private map, "original<TAB>published" a line, mode 0600. Published vertices go by their names in the graph, 0 ..
 *  n'-1; METIS and Matrix Market files, which have no names, number them from 1 instead. Whoever has it can undo the
 *  release. The rest is as for ksda_write_graph(). */
KSDA_API ksda_status ksda_write_map(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release,
                                    const char *path);
/** Read a map for these two graphs. Vertices that stand only in the map are published vertices of degree 0, so the
 *  published graph is replaced by one that has them, in *published; it may be a borrowed one (ksda_csr), whose arrays
 * are left alone. @param owner [vertices of *published], the caller's, freed with ksda_free(); NULL on failure
 *  @return KSDA_OK; KSDA_IO; KSDA_PARSE (a line that names nobody, or a published vertex without one; the error has the
 *  line); KSDA_NOMEM; KSDA_INTERRUPTED. Time O(n) lookups, 8 bytes a published vertex. */
KSDA_API ksda_status ksda_load_map(ksda_ctx *ctx, const ksda_graph *original, ksda_graph **published, const char *path,
                                   uint32_t **owner);

#ifdef __cplusplus
}
#endif
#endif
