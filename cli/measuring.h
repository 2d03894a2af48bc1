/* measuring.h: the options that `measure` and `compare` share. */
#ifndef CLI_MEASURING_H
#define CLI_MEASURING_H

#include "cli.h"

typedef struct cli_measuring {
    bool exact;
    uint64_t samples, betweenness_samples;
    const char *only;
} cli_measuring;

#define CLI_MEASURING_ROWS(owner, field)                                                                               \
    {.name = "exact",                                                                                                  \
     .type = CLI_FLAG,                                                                                                 \
     .at = offsetof(owner, field.exact),                                                                               \
     .help = "never sample, whatever it takes"},                                                                       \
        {.name = "samples",                                                                                            \
         .value = "N",                                                                                                 \
         .type = CLI_COUNT,                                                                                            \
         .at = offsetof(owner, field.samples),                                                                         \
         .min = 1,                                                                                                     \
         .max = UINT32_MAX,                                                                                            \
         .shown = "exact while affordable",                                                                            \
         .help = "estimate distances and betweenness from N vertices",                                                 \
         .more =                                                                                                       \
             "Without --exact and --samples, betweenness is exact while vertices * 2 * edges is at most 2 * 10^10, "   \
             "and "                                                                                                    \
             "distances while it is at most 2 * 10^11; beyond, 1,024 and 4,096 vertices are sampled. Sampled values "  \
             "come with a 95 % confidence interval."},                                                                 \
        {.name = "betweenness-samples",                                                                                \
         .value = "N",                                                                                                 \
         .type = CLI_COUNT,                                                                                            \
         .at = offsetof(owner, field.betweenness_samples),                                                             \
         .min = 1,                                                                                                     \
         .max = UINT32_MAX,                                                                                            \
         .shown = "as --samples",                                                                                      \
         .help = "the same for betweenness alone, the dearest measure"},                                               \
    {                                                                                                                  \
        .name = "only", .value = "LIST", .type = CLI_TEXT, .at = offsetof(owner, field.only), .shown = "all",          \
        .help = "compute only these measures: names as in the JSON, with commas"                                       \
    }

/* Fill the library's options. Prints what is wrong and returns an exit code; 0 when all is well. */
int cli_measuring_options(cli_run *cli, const cli_measuring *m, ksda_measure_options *out);

#endif
