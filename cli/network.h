/* network.h: loading a network the way every command does, with its communities from wherever the user says. */
#ifndef CLI_NETWORK_H
#define CLI_NETWORK_H

#include "options.h"

#include <ksda/ksda.h>

typedef struct cli_network_options {
    const char *communities;        /* -c */
    const char *attribute;          /* --community-attribute */
    const char *detect;             /* --detect */
    const char *unassigned;         /* --unassigned; NULL means refuse */
    const char *communities_format; /* --communities-format; NULL means auto */
    const char *header, *columns;   /* --header, NULL means auto; --columns */
    const char *communities_header, *vertex_column, *community_column;
    const char *list_unassigned;
    const char *overlap; /* --overlap; NULL means refuse */
    const char *name_attribute, *encoding;
} cli_network_options;

/* The rows for the graph alone: CLI_COLUMN_ROWS(the struct, the field). */
#define CLI_COLUMN_ROWS(owner, field)                                                                                  \
    {.name = "header",                                                                                                 \
     .value = "HOW",                                                                                                   \
     .type = CLI_CHOICE,                                                                                               \
     .at = offsetof(owner, field.header),                                                                              \
     .choices = cli_header_choices,                                                                                    \
     .shown = "auto",                                                                                                  \
     .help = "is the first line of the graph a header: auto, yes, no (edges, csv, tsv)",                               \
     .more =                                                                                                           \
         "`auto` knows words like source and target; without them the first line of a CSV or TSV file is a header "    \
         "if neither of its ids occurs again. What was assumed is told. See ksda-formats(5)."},                        \
        {.name = "columns",                                                                                            \
         .value = "A,B",                                                                                               \
         .type = CLI_TEXT,                                                                                             \
         .at = offsetof(owner, field.columns),                                                                         \
         .help = "where the ends of an edge stand: names in the header, or numbers from 1",                            \
         .more =                                                                                                       \
             "Any further columns are then fine. Without it they are told, and lines of different length refused."},   \
        {.name = "name-attribute",                                                                                     \
         .value = "NAME",                                                                                              \
         .type = CLI_TEXT,                                                                                             \
         .at = offsetof(owner, field.name_attribute),                                                                  \
         .help = "call vertices by this attribute, not by their ids (GraphML, GEXF, GML, JSON, Pajek)",                \
         .more = "Every vertex must have it, and no two the same. igraph writes GraphML with ids n0, n1, ... and the " \
                 "names in `name`; Gephi's names are in `label`."},                                                    \
    {                                                                                                                  \
        .name = "encoding", .value = "NAME", .type = CLI_CHOICE, .at = offsetof(owner, field.encoding),                \
        .choices = cli_encoding_choices, .shown = "utf-8",                                                             \
        .help = "encoding of graph and communities: utf-8, latin-1, windows-1252, utf-16",                             \
        .more = "A file that begins with the byte order mark of UTF-8 is UTF-8, whatever is said here. Everything is " \
                "written as UTF-8."                                                                                    \
    }

/* The rows for it, to stand in a command's table: CLI_NETWORK_ROWS(the struct, the field of type cli_network_options)
 */
#define CLI_NETWORK_ROWS(owner, field)                                                                                 \
    {.letter = 'c',                                                                                                    \
     .name = "communities",                                                                                            \
     .value = "FILE",                                                                                                  \
     .type = CLI_INPUT,                                                                                                \
     .at = offsetof(owner, field.communities),                                                                         \
     .help = "communities: `vertex community` a line",                                                                 \
     .more = "A file with one community a line, all its vertices on that line (as SNAP writes them), is also read, "   \
             "and so is a folder of such files. Overlapping communities are refused, but for commands that have "      \
             "--overlap. See ksda-formats(5)."},                                                                       \
        {.name = "communities-format",                                                                                 \
         .value = "HOW",                                                                                               \
         .type = CLI_CHOICE,                                                                                           \
         .at = offsetof(owner, field.communities_format),                                                              \
         .choices = cli_communities_format_choices,                                                                    \
         .shown = "auto",                                                                                              \
         .help = "layout of that file: auto, pairs, lists",                                                            \
         .more =                                                                                                       \
             "`pairs`: a vertex and its community a line; `lists`: the members of one community a line. `auto` takes " \
             "lists if a line near the top has three fields or more."},                                                \
        CLI_COLUMN_ROWS(owner, field),                                                                                 \
        {.name = "community-column",                                                                                   \
         .value = "NAME",                                                                                              \
         .type = CLI_TEXT,                                                                                             \
         .at = offsetof(owner, field.community_column),                                                                \
         .help = "the column of the communities file that holds the community, by name or number",                     \
         .more = "For tables of vertices. Without it, known words in the header decide, or there are two columns."},   \
        {.name = "vertex-column",                                                                                      \
         .value = "NAME",                                                                                              \
         .type = CLI_TEXT,                                                                                             \
         .at = offsetof(owner, field.vertex_column),                                                                   \
         .shown = "by known words, else the first",                                                                    \
         .help = "the column of the communities file that holds the vertex"},                                          \
        {.name = "communities-header",                                                                                 \
         .value = "HOW",                                                                                               \
         .type = CLI_CHOICE,                                                                                           \
         .at = offsetof(owner, field.communities_header),                                                              \
         .choices = cli_header_choices,                                                                                \
         .shown = "auto",                                                                                              \
         .help = "is the first line of the communities file a header: auto, yes, no"},                                 \
        {.name = "community-attribute",                                                                                \
         .value = "NAME",                                                                                              \
         .type = CLI_TEXT,                                                                                             \
         .at = offsetof(owner, field.attribute),                                                                       \
         .help = "take the community from this vertex attribute (GraphML, GEXF, GML, JSON)"},                          \
        {.name = "detect",                                                                                             \
         .value = "HOW",                                                                                               \
         .type = CLI_TEXT,                                                                                             \
         .at = offsetof(owner, field.detect),                                                                          \
         .help = "find communities: `metis:N` (N parts) or `leiden`",                                                  \
         .more = "The seed decides between equally good answers; the number of threads never does."},                  \
        {.name = "list-unassigned",                                                                                    \
         .value = "FILE",                                                                                              \
         .type = CLI_OUTPUT,                                                                                           \
         .at = offsetof(owner, field.list_unassigned),                                                                 \
         .help = "write the vertices without a community there, one a line (private, mode 0600)"},                     \
    {                                                                                                                  \
        .name = "unassigned", .value = "HOW", .type = CLI_CHOICE, .at = offsetof(owner, field.unassigned),             \
        .choices = cli_unassigned_choices, .shown = "refuse",                                                          \
        .help = "vertices without a community: refuse, own, together, own-counted, together-counted",                  \
        .more = "`refuse` stops and names the first ones; `own` makes each a community of its own; `together` puts "   \
                "all of them into one further community. Neither counts towards k, since nobody knows whether it is "  \
                "another one: `own-counted` and `together-counted` say that it does."                                  \
    }

/* For commands that know people with several communities. */
#define CLI_OVERLAP_ROW(owner, field)                                                                                  \
    {                                                                                                                  \
        .name = "overlap", .value = "HOW", .type = CLI_CHOICE, .at = offsetof(owner, field.overlap),                   \
        .choices = cli_overlap_choices, .shown = "refuse",                                                             \
        .help = "vertices in several communities: refuse, disjoint",                                                   \
        .more =                                                                                                        \
            "`disjoint` reads a set of communities for each vertex. A degree is safe when k vertices that have it, "   \
            "its witnesses, are in pairwise disjoint sets; an edge may be added where two sets meet. Where "           \
            "everybody has one community, that is the same as without it. See `ksda help overlap`."                    \
    }

const char *cli_overlap_choices(size_t i);
const char *cli_unassigned_choices(size_t i);
const char *cli_header_choices(size_t i);
const char *cli_encoding_choices(size_t i);
const char *cli_communities_format_choices(size_t i);
const char *cli_format_choices(size_t i);        /* names of graph formats, "auto" first */
const char *cli_output_format_choices(size_t i); /* the same without "auto" */
/* The format of that name; NULL and "auto" are KSDA_FORMAT_AUTO. */
ksda_format cli_format(const char *name);

/* The field "reading" of every report, as documented. */
extern const char *const cli_json_reading_text;
extern const char *const cli_json_solver_text; /* of commands that prove */

/* What --detect says: "leiden" or "metis:N"; parts is 0 for Leiden. False when it is neither. */
bool cli_parse_detector(const char *text, uint32_t *parts);

typedef struct cli_network {
    ksda_network net;
    const char *path;
    char detected[64];    /* "metis:4", "leiden"; empty when the communities were given */
    uint32_t empty_parts; /* that METIS left empty */
    double load_seconds, communities_seconds;
} cli_network;

enum {
    CLI_COMMUNITIES_OPTIONAL,
    CLI_COMMUNITIES_REQUIRED
};

/* Load path ("-", or "builtin:lesmis", "builtin:karate", whose own communities hold unless others are asked for) and
 * find its communities. Prints what is wrong and returns an exit code; 0 when all is well. Clear it whatever happened.
 */
int cli_network_load(cli_run *cli, const char *path, const cli_network_options *options, int need, cli_network *out);
void cli_network_clear(cli_run *cli, cli_network *network);

/* map.c: read the map of a release; as cli_network_load(). options are those of the original. */
int cli_map_load(cli_run *cli, const char *path, const cli_network_options *options, const cli_network *original,
                 cli_network *published, uint32_t **owner);
/* Do at least half of the original edges stand where the map says? If not it is that of another release. */
bool cli_map_fits(const ksda_graph *original, const ksda_graph *published, const uint32_t *owner, uint64_t *carried);

/* witnesses.c: those that a summary lists; freed with free(), also after a failure. */
int cli_witnesses_load(const char *path, const cli_network *published, uint32_t **out, uint64_t *count);

/* builtin.c: the small networks compiled in. NULL after the last. */
const char *cli_builtin_name(size_t i);
ksda_status cli_builtin_load(ksda_ctx *ctx, const char *name, ksda_network *out);

#endif
