/* frontier.h: what `anonymize --frontier` does. */
#ifndef CLI_FRONTIER_H
#define CLI_FRONTIER_H

#include "publish.h"

typedef struct cli_frontier_options {
    bool wanted;     /* --frontier */
    uint64_t runs;   /* --frontier-runs; 0: not given */
    bool publishing; /* -o was given */
    bool measured;
    const char *method; /* what else was asked for that does not go with it */
    const char *trace;
    double bound_time;
} cli_frontier_options;

/* A usage error when options contradict each other; else 0. */
int cli_frontier_check(const cli_run *cli, const cli_frontier_options *options, const cli_publish_options *publish);
/* Search and show; publish as well if -o was given. found has on entry what cli_publish() wants, but for the result. */
int cli_frontier(cli_run *cli, const cli_frontier_options *options, const cli_publish_options *files,
                 const ksda_anonymize_options *anonymize, cli_found *found);

#endif
