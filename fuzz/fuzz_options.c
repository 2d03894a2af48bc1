/* Command lines: the first byte is a command, then come its words, one a line. Nothing is run; what the parser accepts
 * must be in range, belong to the command line or to the defaults, and mean the same when it is spelled out in full. */
#include "fuzz.h"

#include "../cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 64,
    MOST_ROWS = 128
};

/* --- one command line --------------------------------------------------------------------------------------------- */

typedef struct words {
    char *text, *end;
    char *argv[MOST_WORDS];
    int argc;
} words;

static words cut(const uint8_t *data, size_t size) {
    words w = {.text = malloc(size + 1), .argc = 0};
    if (!w.text) abort();
    if (size) memcpy(w.text, data, size);
    w.text[size] = '\0';
    w.end = w.text + size;
    for (char *at = w.text; at <= w.end && w.argc < MOST_WORDS;) {
        char *line_end = memchr(at, '\n', (size_t)(w.end - at));
        if (line_end) *line_end = '\0';
        if (at < w.end || w.argc == 0) w.argv[w.argc++] = at;
        at = line_end ? line_end + 1 : w.end + 1;
    }
    if (size == 0) w.argc = 0;
    return w;
}

/* The parser speaks to stderr; the fuzzer has other things to say there. */
static int parse(const cli_command *command, int argc, char **argv, cli_values *values) {
    static FILE *nowhere;
    FILE *before = stderr;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w"))) abort();
    stderr = nowhere;
    int code = cli_parse(command, argc, argv, values);
    if (code == 0 && command->settle) command->settle(values->values);
    if (code == 0 && values->shared.help_short) cli_help_short(nowhere, command);
    if (code == 0 && values->shared.help_long) cli_help_long(nowhere, command);
    if (code == 0) cli_check_files(command, values);
    stderr = before;
    return code;
}

static const void *place(const cli_option *row, bool shared, const cli_values *values) {
    return (shared ? (const char *)&values->shared : (const char *)values->values) + row->at;
}

static bool is_text(const cli_option *row) {
    return row->type != CLI_FLAG && row->type != CLI_COUNT && row->type != CLI_REAL && row->type != CLI_SHARE;
}

/* --- what must hold ----------------------------------------------------------------------------------------------- */

static bool among(cli_choices choices, const char *text) {
    for (size_t i = 0; choices(i); i++)
        if (strcmp(choices(i), text) == 0) return true;
    return false;
}

/* Values that the words did not change are as a command line without words has them. */
static void check_values(const cli_command *command, const words *w, const cli_values *values,
                         const cli_values *untouched) {
    const cli_option *row;
    bool shared;
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++) {
        const void *at = place(row, shared, values), *before = place(row, shared, untouched);
        const char *text = is_text(row) ? *(const char *const *)at : NULL;
        if (row->type == CLI_COUNT && *(const uint64_t *)at != *(const uint64_t *)before) {
            uint64_t value = *(const uint64_t *)at;
            fuzz_require((double)value >= row->min && (row->max <= 0 || (double)value <= row->max), "a count in range");
        }
        if (row->type == CLI_REAL && *(const double *)at != *(const double *)before) {
            double value = *(const double *)at;
            fuzz_require(isfinite(value) && value >= row->min && (row->max <= 0 || value <= row->max),
                         "a number in range");
        }
        if (row->type == CLI_SHARE && memcmp(at, before, sizeof(ksda_share)) != 0) {
            const ksda_share *value = at;
            fuzz_require(value->numerator >= 1 && value->numerator <= value->denominator, "a share in (0, 1]");
        }
        if (!text || text == *(const char *const *)before) continue;
        fuzz_require(text >= w->text && text <= w->end, "a value is a part of the command line");
        fuzz_require(row->type != CLI_CHOICE || among(row->choices, text), "a choice is one of the choices");
        fuzz_require((row->type != CLI_INPUT && row->type != CLI_OUTPUT) || *text, "a file has a name");
    }
}

static void check_arguments(const cli_command *command, const cli_values *values) {
    const cli_argument *row = command->arguments;
    size_t declared = 0;
    for (; row && row->type != CLI_END; row++, declared++) {
        fuzz_require(!row->required || declared < values->arguments, "no argument that is required is missing");
        if (declared >= values->arguments) continue;
        fuzz_require(*values->argument[declared] != '\0', "an argument is not empty");
        fuzz_require(row->type != CLI_CHOICE || among(row->choices, values->argument[declared]),
                     "an argument that is known");
    }
    fuzz_require(values->arguments <= declared, "no more arguments than there are");
}

/* --- the same, spelled out ---------------------------------------------------------------------------------------- */

static char *spell(const cli_option *row, const void *at) {
    char *word, name[64];
    cli_option_name(row, name, sizeof name);
    const char *between = row->name ? "=" : "";
    int length = -1;
    if (row->type == CLI_FLAG)
        length = asprintf(&word, "%s", name);
    else if (row->type == CLI_COUNT)
        length = asprintf(&word, "%s%s%llu", name, between, (unsigned long long)*(const uint64_t *)at);
    else if (row->type == CLI_REAL)
        length = asprintf(&word, "%s%s%.17g", name, between, *(const double *)at);
    else if (row->type == CLI_SHARE)
        length = asprintf(&word, "%s%s%u/%u", name, between, ((const ksda_share *)at)->numerator,
                          ((const ksda_share *)at)->denominator);
    else
        length = asprintf(&word, "%s%s%s", name, between, *(const char *const *)at);
    if (length < 0) abort();
    return word;
}

/* Must this option be spelled out to have its value? What was said is, even where it is the default. */
static bool needs_word(const cli_option *row, const void *at, const void *before) {
    if (row->type == CLI_FLAG) return *(const bool *)at != *(const bool *)before && *(const bool *)at == !row->off;
    if (is_text(row)) return *(const char *const *)at && *(const char *const *)at != *(const char *const *)before;
    return row->required || memcmp(at, before, 8) != 0;
}

static bool same_value(const cli_option *row, const void *a, const void *b) {
    if (row->type == CLI_FLAG) return *(const bool *)a == *(const bool *)b;
    if (row->type == CLI_COUNT) return *(const uint64_t *)a == *(const uint64_t *)b;
    if (row->type == CLI_REAL) return *(const double *)a == *(const double *)b;
    if (row->type == CLI_SHARE) return memcmp(a, b, sizeof(ksda_share)) == 0;
    const char *one = *(const char *const *)a, *two = *(const char *const *)b;
    return one == two || (one && two && strcmp(one, two) == 0);
}

/* Every option whose value differs from the default, --name=value each, then `--` and the arguments. */
static void parse_spelled(const cli_command *command, const cli_values *values, const cli_values *untouched) {
    char *argv[MOST_ROWS + MOST_WORDS + 1];
    int argc = 0, options;
    cli_values again;
    const cli_option *row;
    bool shared;
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)) && argc < MOST_ROWS; i++) {
        const void *at = place(row, shared, values);
        if (!needs_word(row, at, place(row, shared, untouched))) continue;
        argv[argc++] = spell(row, at);
        if (!row->name && is_text(row) && !**(const char *const *)at) argv[argc++] = strdup(""); /* -k '' */
    }
    options = argc;
    argv[argc++] = (char[]){"--"};
    for (size_t i = 0; i < values->arguments; i++) argv[argc++] = (char *)values->argument[i];
    fuzz_require(parse(command, argc, argv, &again) == 0, "what was accepted is accepted when spelled out");
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)); i++)
        fuzz_require(same_value(row, place(row, shared, values), place(row, shared, &again)), "and means the same");
    fuzz_require(again.arguments == values->arguments, "with as many arguments");
    for (size_t i = 0; i < again.arguments; i++)
        fuzz_require(strcmp(again.argument[i], values->argument[i]) == 0, "which are the same");
    cli_values_clear(&again);
    for (int i = 0; i < options; i++) free(argv[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t commands = 0;
    cli_values values, untouched;
    if (size == 0) return 0;
    while (cli_command_at(commands)) commands++;
    const cli_command *command = cli_command_at(data[0] % commands);
    words w = cut(data + 1, size - 1);
    int code = parse(command, w.argc, w.argv, &values);
    fuzz_require(code == CLI_OK || code == CLI_USAGE, "a command line is right or wrong");
    if (code == CLI_OK && !values.shared.help_short && !values.shared.help_long) {
        parse(command, 0, NULL, &untouched);
        if (command->settle) command->settle(untouched.values);
        check_values(command, &w, &values, &untouched);
        check_arguments(command, &values);
        parse_spelled(command, &values, &untouched);
        cli_values_clear(&untouched);
    }
    for (int i = 0; i < w.argc; i++) {
        uint32_t parts;
        if (cli_parse_detector(w.argv[i], &parts))
            fuzz_require(parts <= KSDA_MAX_VERTICES, "parts are no more than vertices");
    }
    cli_values_clear(&values);
    free(w.text);
    return 0;
}
