/* publish.h: from edits to files, in one place: release, verify, write all or nothing, summary. */
#ifndef CLI_PUBLISH_H
#define CLI_PUBLISH_H

#include "cli.h"
#include "io/output.h"

/* --- several outputs that appear together ------------------------------------------------------------------------- */

typedef struct cli_outputs {
    ksda_i_output *out[KSDA_I_MOST_OUTPUTS];
    size_t count;
} cli_outputs;

/* Open one more; private_file: mode 0600. The set owns it. */
/* What a file of that name is written as, where --output-format says so or nothing; NULL: no format ends so. */
const struct ksda_i_format *cli_output_format(const char *path, const char *format);
/* Is this the name of a folder that several processes write together, each a part? */
bool cli_in_parts(const cli_run *cli, const char *path);
/* A usage error if it is, and the format is none of parts. */
int cli_check_parts(cli_run *cli, const char *path, const char *format);
ksda_status cli_outputs_open(cli_run *cli, cli_outputs *set, const char *path, bool private_file, ksda_i_output **out);
/* Open one more, and write a text to it. */
/* Open and write a graph, or a map. Where several processes run, a path that ends in "/" is a folder of parts. */
ksda_status cli_outputs_graph(cli_run *cli, cli_outputs *set, const char *path, const char *format,
                              const ksda_graph *graph, const ksda_communities *communities, ksda_i_output **out);
ksda_status cli_outputs_map(cli_run *cli, cli_outputs *set, const char *path, const ksda_graph *original,
                            const ksda_release *release, ksda_i_output **out);
ksda_status cli_outputs_text(cli_run *cli, cli_outputs *set, const char *path, bool private_file, const char *text);
/* Flush and check all of them, then give all of them their names. After a failure every file is what it was before, or
 * what is where is told on stderr. */
ksda_status cli_outputs_commit(cli_run *cli, cli_outputs *set);
void cli_outputs_abandon(cli_outputs *set); /* after a commit there is nothing left to abandon */

/* --- publishing --------------------------------------------------------------------------------------------------- */

typedef struct cli_publish_options {
    const char *output; /* -o */
    const char *output_format;
    const char *map;
    const char *communities; /* --publish-communities */
    bool in_graph;           /* --communities-in-graph */
    const char *summary;
    const char *report;
    bool public_report;
    bool insecure_ids;
    bool force;
    bool no_measures;
    const ksda_frontier_study *frontier; /* for the report, or NULL; not an option */
} cli_publish_options;

#define CLI_PUBLISH_DEFAULTS                                                                                           \
    { .output = "-" }
#define CLI_PUBLISH_ROWS(owner, field)                                                                                 \
    {.letter = 'o',                                                                                                    \
     .name = "output",                                                                                                 \
     .value = "FILE",                                                                                                  \
     .type = CLI_OUTPUT,                                                                                               \
     .at = offsetof(owner, field.output),                                                                              \
     .help = "where the published graph goes; `-` is standard output",                                                 \
     .more = "The name tells the format and the compression: `.graph`, `.graphml`, `.csv.gz` and so on."},             \
        {.name = "output-format",                                                                                      \
         .value = "NAME",                                                                                              \
         .type = CLI_CHOICE,                                                                                           \
         .at = offsetof(owner, field.output_format),                                                                   \
         .choices = cli_output_format_choices,                                                                         \
         .shown = "by the name, else edges",                                                                           \
         .help = "format of the published graph"},                                                                     \
        {.name = "map",                                                                                                \
         .value = "FILE",                                                                                              \
         .type = CLI_OUTPUT,                                                                                           \
         .at = offsetof(owner, field.map),                                                                             \
         .help = "write the private map `original published` (mode 0600)",                                             \
         .more =                                                                                                       \
             "Keep it secret: it undoes the protection. `ksda verify` and `ksda compare` need it: without its map "    \
             "a release can never be verified or mapped back. A map that is there already is not replaced."},          \
        {.name = "force",                                                                                              \
         .type = CLI_FLAG,                                                                                             \
         .at = offsetof(owner, field.force),                                                                           \
         .help = "replace a map that is there already",                                                                \
         .more = "The release that it belongs to can then never be verified or mapped back."},                         \
        {.name = "publish-communities",                                                                                \
         .value = "FILE",                                                                                              \
         .type = CLI_OUTPUT,                                                                                           \
         .at = offsetof(owner, field.communities),                                                                     \
         .help = "write the communities of the published vertices",                                                    \
         .more = "Publishing them tells everybody's community to whoever recognizes a vertex. Labels from your input " \
                 "are kept; labels that ksda made (**--detect**, **--unassigned**) are dealt out at random."},         \
        {.name = "communities-in-graph",                                                                               \
         .type = CLI_FLAG,                                                                                             \
         .at = offsetof(owner, field.in_graph),                                                                        \
         .help = "publish the communities in the graph file itself (graphml, gexf, gml, json)",                        \
         .more = "As the vertex attribute `community`; what holds for **--publish-communities** holds here."},         \
        {.name = "summary",                                                                                            \
         .value = "FILE",                                                                                              \
         .type = CLI_OUTPUT,                                                                                           \
         .at = offsetof(owner, field.summary),                                                                         \
         .help = "write what was done as JSON (private, mode 0600)",                                                   \
         .more = "The same object as **--json** prints. It names the seed: keep it private."},                         \
        {.name = "report",                                                                                             \
         .value = "FILE",                                                                                              \
         .type = CLI_OUTPUT,                                                                                           \
         .at = offsetof(owner, field.report),                                                                          \
         .help = "write a report for people to read, as one HTML page (private, mode 0600)",                           \
         .more =                                                                                                       \
             "What was asked and whether it is met, what an attacker could learn before and after, what was "          \
             "changed and "                                                                                            \
             "what that costs in every measure, with plots and a drawing: of people up to 20,000 edges, of "           \
             "communities above. It needs the "                                                                        \
             "measures of "                                                                                            \
             "ksda-compare(1), which take time on large networks. It ends with a record: date, version, command "      \
             "line, the SHA-256 of every file, what holds as recounted from the files read back, and its limits."},    \
        {.name = "no-measures",                                                                                        \
         .type = CLI_FLAG,                                                                                             \
         .at = offsetof(owner, field.no_measures),                                                                     \
         .help = "do without the measures of the report and of the frontier, which take time"},                        \
        {.name = "public",                                                                                             \
         .type = CLI_FLAG,                                                                                             \
         .at = offsetof(owner, field.public_report),                                                                   \
         .help = "leave everything out of the report that would help to undo the release",                             \
         .more = "Such a report tells only what the published network and its communities show anyway. How the "       \
                 "degrees spread over each community is left out unless they are published too."},                     \
    {                                                                                                                  \
        .name = "insecure-ids", .type = CLI_FLAG, .at = offsetof(owner, field.insecure_ids),                           \
        .help = "draw the published ids from the seed: repeatable, so not secret",                                     \
        .more = "For tests and experiments only. Without it they come from the operating system's random generator."   \
    }

/* Before any work: refuse to replace a map without --force. Returns an exit code. */
int cli_publish_check(cli_run *cli, const cli_publish_options *options);
/* When the input has been read, and a long search begins: a release without a map is a one-way street. */
void cli_publish_remark(cli_run *cli, const cli_publish_options *options);

/* What a method found, to be published. */
typedef struct cli_found {
    const char *method;
    uint32_t k;
    ksda_share max_share;
    const cli_network *network;
    ksda_anonymize_result result;
    bool baseline, limited, no_proof;
    double seconds; /* that the method took */
} cli_found;

/* Make the release, verify it, write everything asked for and tell the user. extra: fields that go into the JSON object
 * before the others, borrowed, or NULL. set: outputs opened before, committed together with the others; empty
 * afterwards. Returns an exit code; CLI_LIMITED when found->limited. */
int cli_publish(cli_run *cli, const cli_publish_options *options, const ksda_edits *edits, const cli_found *found,
                json_t *extra, cli_outputs *set);

#endif
