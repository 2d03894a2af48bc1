/* The help screens, from the tables. -h lists the options a line each; --help explains them and shows a worked example.
 * Texts in the tables are Markdown as in the man pages; on a screen `code` becomes 'code'. */
#include "cli.h"

#include <string.h>

const cli_command *cli_command_at(size_t i) {
    return cli_commands[i];
}

const cli_command *cli_command_find(const char *name) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}

enum {
    SCREEN = 80,
    COLUMN = 28
};

/* Print one word without its Markdown; returns its length on the screen. */
static int print_word(FILE *out, const char *word, int length) {
    int shown = 0;
    for (int i = 0; i < length; i++) {
        if (word[i] == '*' && (word[i + 1] == '*' || (i > 0 && word[i - 1] == '*'))) continue;
        fputc(word[i] == '`' ? '\'' : word[i], out);
        shown++;
    }
    return shown;
}

void cli_wrap(FILE *out, const char *text, int indent, int at) {
    bool begun = false; /* the line has a word */
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (begun && at + 1 + length > SCREEN)
            fprintf(out, "\n%*s", indent, ""), at = indent;
        else if (begun)
            fputc(' ', out), at++;
        at += print_word(out, text, length);
        begun = true;
        text += length;
        if (text[0] == '\n' && text[1] == '\n') {
            fprintf(out, "\n\n%*s", indent, "");
            at = indent, begun = false;
        }
        text += strspn(text, " \n");
    }
    fputc('\n', out);
}

static void paragraphs(FILE *out, const char *text, int indent) {
    fprintf(out, "%*s", indent, "");
    cli_wrap(out, text, indent, indent);
}

/* Lines as they stand, indented. */
static void verbatim(FILE *out, const char *text, int indent) {
    while (*text) {
        int length = (int)strcspn(text, "\n");
        fprintf(out, "%*s%.*s\n", length ? indent : 0, "", length, text);
        text += length + (text[length] != '\0');
    }
}

/* Lines that are wrapped each by itself, with what does not fit indented further. */
static void entries(FILE *out, const char *text, int indent) {
    char line[1024];
    while (*text) {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fprintf(out, "%*s", indent, "");
        cli_wrap(out, line, indent + 4, indent);
        text += length + (text[length] != '\0');
    }
}

void cli_synopsis(FILE *out, const cli_command *command, const char *option_word) {
    fprintf(out, "ksda %s%s", command->name, option_word);
    for (const cli_argument *a = command->arguments; a && a->type != CLI_END; a++)
        fprintf(out, a->required ? " %s" : " [%s]", a->name);
    for (const cli_option *row = command->options; row && row->type != CLI_END; row++) {
        char name[64];
        if (!row->required) continue;
        cli_option_name(row, name, sizeof name);
        if (row->letter) snprintf(name, sizeof name, "-%c", row->letter);
        fprintf(out, " %s %s", name, row->value);
    }
}

static void option_line(FILE *out, const cli_command *command, const cli_option *row, bool shared, bool full) {
    char left[80], value[128], text[1024];
    int n = row->letter ? snprintf(left, sizeof left, "  -%c", row->letter) : snprintf(left, sizeof left, "    ");
    if (row->name) n += snprintf(left + n, sizeof left - (size_t)n, row->letter ? ", --%s" : "  --%s", row->name);
    if (row->value) n += snprintf(left + n, sizeof left - (size_t)n, " %s", row->value);
    fputs(left, out);
    cli_option_default(command, row, shared, value, sizeof value);
    snprintf(text, sizeof text, "%s%s%s%s%s%s", row->help, full && row->more ? ". " : "",
             full && row->more ? row->more : "", *value ? " [" : "", value, *value ? "]" : "");
    if (n > COLUMN - 2)
        fprintf(out, "\n%*s", COLUMN, "");
    else
        fprintf(out, "%*s", COLUMN - n, "");
    cli_wrap(out, text, COLUMN, COLUMN);
}

static void option_list(FILE *out, const cli_command *command, bool full) {
    const cli_option *row;
    bool shared;
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++)
        if (!row->hidden) option_line(out, command, row, shared, full);
}

static void argument_list(FILE *out, const cli_command *command) {
    for (const cli_argument *a = command->arguments; a && a->type != CLI_END; a++) {
        fprintf(out, "  %-*s", COLUMN - 2, a->name);
        cli_wrap(out, a->help, COLUMN, COLUMN);
    }
}

void cli_help_short(FILE *out, const cli_command *command) {
    fputs("Usage: ", out);
    cli_synopsis(out, command, " [options]");
    fputs("\n", out);
    paragraphs(out, command->summary, 0);
    fputs("\n", out);
    argument_list(out, command);
    option_list(out, command, false);
    fprintf(out, "\n'ksda %s --help' explains more.\n", command->name);
}

void cli_help_long(FILE *out, const cli_command *command) {
    fprintf(out, "ksda %s: %s\n\nUsage: ", command->name, command->summary);
    cli_synopsis(out, command, " [options]");
    fputs("\n\n", out);
    paragraphs(out, command->description, 0);
    if (command->arguments) fputs("\nArguments:\n", out), argument_list(out, command);
    fputs("\nOptions:\n", out);
    option_list(out, command, true);
    if (command->exits) {
        fputs("\nExit codes besides 0 (done), 1 (failure), 2 (usage), 3 (bad input) and 130 (interrupted):\n", out);
        entries(out, command->exits, 2);
    }
    if (command->json) fputs("\nFields of --json:\n", out), entries(out, command->json, 2);
    if (command->json && (command->shared & CLI_FORMAT)) entries(out, cli_json_reading_text, 2);
    if (command->json && (command->shared & CLI_PROOFS)) entries(out, cli_json_solver_text, 2);
    if (command->example) fputs("\nExample:\n", out), verbatim(out, command->example, 2);
}

void cli_help_overview(FILE *out) {
    const cli_command *command;
    const cli_topic *topic;
    const char *group = "";
    fprintf(out,
            "ksda %s: publish a social network so that nobody's community can be read off a degree\n\n"
            "Usage: ksda COMMAND [options] ...\n",
            ksda_version());
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (strcmp(group, command->group) != 0) fprintf(out, "\n%s\n", command->group);
        group = command->group;
        fprintf(out, "  %-12s", command->name);
        cli_wrap(out, command->summary, 14, 14);
    }
    fputs("\nTopics\n", out);
    for (size_t i = 0; (topic = cli_topic_at(i)); i++) {
        fprintf(out, "  %-12s", topic->name);
        cli_wrap(out, topic->summary, 14, 14);
    }
    fputs("\n'ksda COMMAND -h' lists its options, 'ksda COMMAND --help' explains it with an example,\n"
          "'ksda help TOPIC' explains a topic.\n"
          "A first try:  ksda check builtin:lesmis -k 2\n",
          out);
}
