/* What several processes cannot do together: commands, and values of options. Every other option of the commands in
 * commands.c is taken as `ksda` takes it; tests/cli/mpi_options.sh goes through all of them. */
#include "refuse.h"

#include "io/formats.h"

#include <string.h>
#include <sys/stat.h>

extern const cli_command *const ksda_commands[]; /* cli/commands.c, whose name commands.c has here */

/* --- commands ------------------------------------------------------------------------------------------------------
 */

static bool only_ksda_has(const char *word) {
    for (const cli_command *const *command = ksda_commands; *command; command++)
        if (strcmp((*command)->name, word) == 0) return cli_command_find(word) == NULL;
    return false;
}

int mpi_refuse_command(int argc, char **argv) {
    int at = argc > 2 && strcmp(argv[1], "help") == 0 ? 2 : 1;
    if (argc < 2 || !only_ksda_has(argv[at])) return CLI_OK;
    return cli_usage(NULL, "'%s': several processes cannot do this together; `ksda %s%s` does, on one machine",
                     argv[at], at == 2 ? "help " : "", argv[at]);
}

/* --- options -------------------------------------------------------------------------------------------------------
 */

static bool takes_format(const char *name) {
    const ksda_i_format *row = ksda_i_format_row(cli_format(name));
    return !row || row->lines || ksda_i_format_is_raw(row);
}

static bool takes_encoding(const char *name) {
    return strcmp(name, "utf-8") == 0;
}

typedef struct limit {
    const char *option;
    bool (*takes)(const char *value); /* NULL: no value at all */
    const char *why;
} limit;

static const limit limits[] = {
    {"format", takes_format, "several processes together read edges, csv, tsv, raw32 and raw64"},
    {"encoding", takes_encoding, "several processes together read UTF-8"},
    {"name-attribute", NULL, "what several processes read together has no attributes"},
    {"community-attribute", NULL, "what several processes read together has no attributes"},
    {"communities-in-graph", NULL, "what several processes write holds edges only"}};

static const limit *find_limit(const cli_option *row) {
    for (size_t i = 0; row->name && i < sizeof limits / sizeof *limits; i++)
        if (strcmp(limits[i].option, row->name) == 0) return &limits[i];
    return NULL;
}

static int refuse_option(const cli_command *command, const cli_values *values, const cli_option *row, bool shared) {
    const char *at = (shared ? (const char *)&values->shared : (const char *)values->values) + row->at;
    const limit *found = find_limit(row);
    if (!found) return CLI_OK;
    bool flag = row->type == CLI_FLAG;
    const char *value = flag ? "" : *(const char *const *)at;
    if (flag ? !*(const bool *)at : !value || (found->takes && found->takes(value))) return CLI_OK;
    return cli_usage(command, "--%s%s%s: %s; `ksda %s` takes it, on one machine", row->name, flag ? "" : " ", value,
                     found->why, command->name);
}

/* Standard input and pipes: there are no ranges of them, and each process would wait for its own. */
static bool is_stream(const char *path) {
    struct stat st;
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0) return true;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int refuse_argument(const cli_command *command, const cli_argument *argument, const char *value) {
    if (argument->type != CLI_INPUT || !is_stream(value)) return CLI_OK;
    return cli_usage(
        command,
        "%s '%s': several processes read files together, not standard input or a pipe; `ksda %s` reads it, "
        "on one machine",
        argument->name, value, command->name);
}

int mpi_refuse_values(const cli_command *command, const cli_values *values) {
    const cli_option *row;
    bool shared;
    int code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < values->arguments; i++)
        code = refuse_argument(command, &command->arguments[i], values->argument[i]);
    for (size_t i = 0; code == CLI_OK && (row = cli_option_at(command, i, &shared)); i++)
        code = refuse_option(command, values, row, shared);
    return code;
}
