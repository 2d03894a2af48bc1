/* A command's man page in Markdown, for pandoc, from the same tables as the help screens. */
#include "cli.h"

#include <string.h>

static void heading(FILE *out, const char *text) {
    fprintf(out, "\n# %s\n\n", text);
}

/* Lines "name: text" become a definition list. */
static void definitions(FILE *out, const char *lines) {
    while (*lines) {
        int length = (int)strcspn(lines, "\n"), name = (int)strcspn(lines, ":");
        const char *text = lines + name + 1;
        while (*text == ' ') text++;
        fprintf(out, "`%.*s`\n:   %.*s\n\n", name, lines, (int)(lines + length - text), text);
        lines += length + (lines[length] != '\0');
    }
}

static void one_option(FILE *out, const cli_command *command, const cli_option *row, bool shared) {
    char value[128];
    const char *comma = "";
    if (row->letter) {
        fprintf(out, "**-%c**", row->letter);
        comma = ", ";
    }
    if (row->name) fprintf(out, "%s**--%s**", comma, row->name);
    if (row->value) fprintf(out, " *%s*", row->value);
    fprintf(out, "\n:   %s.", row->help);
    if (row->more) fprintf(out, " %s", row->more);
    cli_option_default(command, row, shared, value, sizeof value);
    if (*value) fprintf(out, " Default: %s.", value);
    fputs("\n\n", out);
}

static void options(FILE *out, const cli_command *command) {
    const cli_option *row;
    bool shared;
    heading(out, "OPTIONS");
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++)
        if (!row->hidden) one_option(out, command, row, shared);
}

static void example(FILE *out, const char *text) {
    heading(out, "EXAMPLE");
    while (*text) {
        int length = (int)strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", length ? "    " : "", length, text);
        text += length + (text[length] != '\0');
    }
}

void cli_man(FILE *out, const cli_command *command) {
    fprintf(out, "%% ksda-%s(1) ksda %s | User Commands\n\n# NAME\n\nksda-%s - %s\n", command->name, ksda_version(),
            command->name, command->summary);
    heading(out, "SYNOPSIS");
    fputs("**", out);
    cli_synopsis(out, command, "** \\[*options*\\]");
    fputc('\n', out);
    heading(out, "DESCRIPTION");
    fprintf(out, "%s\n", command->description);
    if (command->arguments) {
        heading(out, "ARGUMENTS");
        for (const cli_argument *a = command->arguments; a->type != CLI_END; a++)
            fprintf(out, "*%s*\n:   %s.\n\n", a->name, a->help);
    }
    options(out, command);
    if (command->notes) fprintf(out, "\n%s\n", command->notes);
    if (command->json) {
        heading(out, "JSON");
        fputs("With **--json** one object is printed. `schema` is 1 and changes when a field changes its meaning; what "
              "is not "
              "known is null.\n\n",
              out);
        definitions(out, command->json);
        if (command->shared & CLI_FORMAT) definitions(out, cli_json_reading_text);
        if (command->shared & CLI_PROOFS) definitions(out, cli_json_solver_text);
    }
    heading(out, "EXIT STATUS");
    definitions(out, "0: done\n1: failure: input or output, memory\n2: wrong usage\n3: bad input");
    if (command->exits) definitions(out, command->exits);
    definitions(out, "130: interrupted");
    if (command->example) example(out, command->example);
    heading(out, "SEE ALSO");
    fprintf(out, "**ksda**(1)%s%s\n", command->see_also ? ", " : "", command->see_also ? command->see_also : "");
}
