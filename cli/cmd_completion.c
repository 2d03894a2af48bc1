/* ksda completion SHELL: completion scripts for bash, zsh and fish, from the option tables. */
#include "cli.h"

#include <string.h>

CLI_CHOICES(shells, "bash", "zsh", "fish")

/* What the word after an option may be, for all three shells. */
static void choices(FILE *out, cli_choices list, const char *separator) {
    for (size_t i = 0; list(i); i++) fprintf(out, "%s%s", i ? separator : "", list(i));
}

static bool is_file(cli_type type) {
    return type == CLI_INPUT || type == CLI_OUTPUT;
}

/* Text for a place inside single quotes: no quotes, no brackets, no colons. */
static void print_unquoted(FILE *out, const char *text) {
    for (; *text; text++)
        if (!strchr("'`[]:", *text)) fputc(*text, out);
}

/* --- bash -------------------------------------------------------------------------------------------------------- */

static void bash_values(const cli_command *command) {
    const cli_option *row;
    bool shared;
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++) {
        if (row->hidden || row->type == CLI_FLAG) continue;
        printf("    ");
        if (row->letter) printf("'%s -%c'%s", command->name, row->letter, row->name ? "|" : "");
        if (row->name) printf("'%s --%s'", command->name, row->name);
        if (row->type == CLI_CHOICE) {
            printf(") COMPREPLY=($(compgen -W '");
            choices(stdout, row->choices, " ");
            printf("' -- \"$cur\")); return ;;\n");
        } else {
            printf(is_file(row->type) ? ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n" : ") return ;;\n");
        }
    }
}

static void bash_words(const cli_command *command) {
    const cli_option *row;
    bool shared, files = false;
    printf("    %s)\n        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '", command->name);
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++) {
        if (row->hidden) continue;
        if (row->name) printf("--%s ", row->name);
        if (row->letter) printf("-%c ", row->letter);
    }
    printf("' -- \"$cur\"))\n        else COMPREPLY=($(compgen ");
    for (const cli_argument *a = command->arguments; a && a->type != CLI_END; a++) {
        files |= is_file(a->type);
        if (a->type == CLI_CHOICE) printf("-W '"), choices(stdout, a->choices, " "), printf("' ");
    }
    printf("%s-- \"$cur\")); fi ;;\n", files ? "-f " : "");
}

static void complete_bash(void) {
    const cli_command *command;
    printf("# bash completion for ksda: eval \"$(ksda completion bash)\"\n"
           "_ksda() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    if [[ $prev == = && $COMP_CWORD -gt 2 ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
           "    if [[ $cur == = ]]; then cur=; fi\n"
           "    if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W '");
    for (size_t i = 0; (command = cli_command_at(i)); i++) printf("%s ", command->name);
    printf("' -- \"$cur\")); return; fi\n    case \"$command $prev\" in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) bash_values(command);
    printf("    esac\n    case $command in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) bash_words(command);
    printf("    esac\n}\ncomplete -o filenames -F _ksda ksda\n");
}

/* --- zsh --------------------------------------------------------------------------------------------------------- */

static void zsh_spec(const cli_option *row, const char *dashes, const char *name, bool equals) {
    printf(" \\\n        '%s%s%s[", dashes, name, row->value && equals ? "=" : row->value ? "+" : "");
    print_unquoted(stdout, row->help);
    printf("]");
    if (row->value) {
        printf(":%s:", row->value);
        if (row->type == CLI_CHOICE) printf("("), choices(stdout, row->choices, " "), printf(")");
        if (is_file(row->type)) printf("_files");
    }
    printf("'");
}

static void complete_zsh(void) {
    const cli_command *command;
    const cli_option *row;
    bool shared;
    printf("#compdef ksda\n# zsh completion for ksda: ksda completion zsh >\"${fpath[1]}/_ksda\"\n"
           "_ksda() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        printf("        '%s:", command->name), print_unquoted(stdout, command->summary), printf("'\n");
    printf("    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
           "    local command=$words[2]\n    shift words; (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        printf("    %s) _arguments", command->name);
        for (size_t j = 0; (row = cli_option_at(command, j, &shared)); j++) {
            if (row->hidden) continue;
            if (row->letter) zsh_spec(row, "-", (char[]){row->letter, 0}, false);
            if (row->name) zsh_spec(row, "--", row->name, true);
        }
        for (const cli_argument *a = command->arguments; a && a->type != CLI_END; a++) {
            printf(" \\\n        ':%s:", a->name);
            if (a->type == CLI_CHOICE) printf("("), choices(stdout, a->choices, " "), printf(")");
            if (is_file(a->type)) printf("_files");
            printf("'");
        }
        printf(" ;;\n");
    }
    printf("    esac\n}\ncompdef _ksda ksda 2>/dev/null || _ksda \"$@\"\n");
}

/* --- fish -------------------------------------------------------------------------------------------------------- */

static void fish_option(const cli_command *command, const cli_option *row) {
    printf("complete -c ksda -n '__fish_seen_subcommand_from %s'", command->name);
    if (row->letter) printf(" -s %c", row->letter);
    if (row->name) printf(" -l %s", row->name);
    if (row->value) printf(" -r");
    if (is_file(row->type)) printf(" -F");
    if (row->type == CLI_CHOICE) printf(" -a '"), choices(stdout, row->choices, " "), printf("'");
    printf(" -d '"), print_unquoted(stdout, row->help), printf("'\n");
}

static void complete_fish(void) {
    const cli_command *command;
    const cli_option *row;
    bool shared;
    printf("# fish completion for ksda: ksda completion fish >~/.config/fish/completions/ksda.fish\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        printf("complete -c ksda -f -n __fish_use_subcommand -a %s -d '", command->name);
        print_unquoted(stdout, command->summary);
        printf("'\n");
        for (size_t j = 0; (row = cli_option_at(command, j, &shared)); j++)
            if (!row->hidden) fish_option(command, row);
        for (const cli_argument *a = command->arguments; a && a->type == CLI_CHOICE; a++) {
            printf("complete -c ksda -f -n '__fish_seen_subcommand_from %s' -a '", command->name);
            choices(stdout, a->choices, " ");
            printf("'\n");
        }
    }
}

static int run_completion(cli_run *cli, const void *values) {
    const char *shell = cli->argument[0];
    (void)values;
    if (strcmp(shell, "bash") == 0) complete_bash();
    if (strcmp(shell, "zsh") == 0) complete_zsh();
    if (strcmp(shell, "fish") == 0) complete_fish();
    return CLI_OK;
}

static const cli_argument arguments[] = {{"SHELL", CLI_CHOICE, true, shells, "bash, zsh or fish"}, {0}};

const cli_command cmd_completion = {
    .name = "completion",
    .group = "About ksda",
    .summary = "print a completion script for bash, zsh or fish",
    .description =
        "The script completes commands, options, file names and the names of methods and formats.\n\n"
        "bash: put `eval \"$(ksda completion bash)\"` into `~/.bashrc`. zsh: write it to a file `_ksda` in a folder of "
        "`$fpath`. fish: write it to `~/.config/fish/completions/ksda.fish`.",
    .arguments = arguments,
    .shared = CLI_NO_PROGRESS_OPTIONS,
    .example = "$ ksda completion bash >ksda.bash\n$ bash -n ksda.bash",
    .run = run_completion,
};
