/* The commands of ksda-mpi: a part of those in cli/commands.c. */
#include "cli.h"

#include <string.h>

extern const cli_command cmd_anonymize, cmd_check, cmd_verify, cmd_stats, cmd_help, cmd_version;

static const cli_command *const commands[] = {&cmd_anonymize, &cmd_check, &cmd_verify,
                                              &cmd_stats,     &cmd_help,  &cmd_version};

const cli_command *cli_command_at(size_t i) {
    return i < sizeof commands / sizeof *commands ? commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}
