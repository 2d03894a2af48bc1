/* The commands of ksda-mpi: a part of those in cli/commands.c. */
#include "cli.h"

extern const cli_command cmd_anonymize, cmd_check, cmd_verify, cmd_stats, cmd_generate, cmd_help, cmd_version;

const cli_command *const cli_commands[] = {&cmd_anonymize, &cmd_check, &cmd_verify,  &cmd_stats,
                                           &cmd_generate,  &cmd_help,  &cmd_version, NULL};
