/* ksda help [COMMAND | TOPIC]; hidden, for scripts: --man prints the man page's source, --names and --list the
 * commands,
 * --topics the topics. */
#include "cli.h"

#include <string.h>

typedef struct help_options {
    bool man;
    bool names;
    bool list;
    bool topics;
} help_options;

/* Commands, then topics. */
static const char *name_of_page(size_t i) {
    const cli_command *command;
    const cli_topic *topic;
    size_t commands = 0;
    for (; (command = cli_command_at(commands)); commands++)
        if (commands == i) return command->name;
    topic = cli_topic_at(i - commands);
    return topic ? topic->name : NULL;
}

static int run_help(cli_run *cli, const void *values) {
    const help_options *options = values;
    const cli_command *command;
    const cli_topic *topic;
    for (size_t i = 0; options->topics && (topic = cli_topic_at(i)); i++)
        printf("%s\t%s\n", topic->name, topic->summary);
    if (options->topics) return CLI_OK;
    if (options->names || options->list) {
        for (size_t i = 0; (command = cli_command_at(i)); i++)
            if (options->list)
                printf("%s\t%s\t%s\n", command->group, command->name, command->summary);
            else
                puts(command->name);
        return CLI_OK;
    }
    if (cli->arguments == 0) {
        cli_help_overview(stdout);
        return CLI_OK;
    }
    if ((topic = cli_topic_find(cli->argument[0]))) return cli_topic_print(stdout, topic);
    command = cli_command_find(cli->argument[0]);
    if (options->man)
        cli_man(stdout, command);
    else
        cli_help_long(stdout, command);
    return CLI_OK;
}

static const cli_option rows[] = {{.name = "man",
                                   .type = CLI_FLAG,
                                   .at = offsetof(help_options, man),
                                   .hidden = true,
                                   .help = "print the man page's source"},
                                  {.name = "names",
                                   .type = CLI_FLAG,
                                   .at = offsetof(help_options, names),
                                   .hidden = true,
                                   .help = "only the commands' names"},
                                  {.name = "list",
                                   .type = CLI_FLAG,
                                   .at = offsetof(help_options, list),
                                   .hidden = true,
                                   .help = "groups, names and summaries, separated by tabs"},
                                  {.name = "topics",
                                   .type = CLI_FLAG,
                                   .at = offsetof(help_options, topics),
                                   .hidden = true,
                                   .help = "names and summaries of the topics, separated by tabs"},
                                  {0}};
static const cli_argument arguments[] = {{"TOPIC", CLI_CHOICE, false, name_of_page, "the command or topic to explain"},
                                         {0}};

const cli_command cmd_help = {
    .name = "help",
    .group = "About ksda",
    .summary = "explain a command or a topic",
    .description =
        "Without TOPIC, list all commands and topics. With a command, the same as `ksda COMMAND --help`; with a topic, "
        "its text.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_NO_PROGRESS_OPTIONS,
    .size = sizeof(help_options),
    .example = "$ ksda help anonymize\n$ ksda help formats",
    .run = run_help,
};
