/* record.h: what the record of a report is made from. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "publish.h"
#include "report/record.h"

/* Date, version, command line and how the files were read; the rest is added by those below. */
void cli_record_begin(const cli_run *cli, uint32_t k, ksda_share max_share, const ksda_graph *original,
                      ksda_i_record *r);
/* The files of the command line but the report, with their hashes. set: outputs that are not there yet, which are
 * settled: nothing more can be written to them; or NULL. published: that argument may be given away, or NULL. */
ksda_status cli_record_files(cli_run *cli, const cli_outputs *set, const char *published, ksda_i_record *r);

/* A release whose files are written, but do not have their names yet. */
typedef struct cli_written {
    ksda_i_output *graph, *map; /* map: NULL where there is none */
    ksda_format format;
    const ksda_network *original;
    const ksda_release *release; /* under the names of the file */
} cli_written;
/* Read the graph and the map back and recount from them. Nothing where the graph went to no file. */
ksda_status cli_record_recount(cli_run *cli, const cli_written *written, ksda_i_record *r);

#endif
