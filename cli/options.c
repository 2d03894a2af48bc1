/* Parsing the command line by the tables of options.h.
 *
 * Accepted: --name=value, --name value, -kvalue, -k value, letters of flags in one word (-qh), `--` before words that
 * are no options, and `-` as a word of its own. Numbers are taken only whole and in range. Every mistake is answered by
 * a line that names the option and the value, with the nearest known name where there is one, and a line that points to
 * --help. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_shared shared_defaults = {.seed = 1, .threads = 0};

static const cli_option shared_rows[] = {
    {.name = "format",
     .value = "NAME",
     .type = CLI_CHOICE,
     .at = offsetof(cli_shared, format),
     .choices = cli_format_choices,
     .shared = CLI_FORMAT,
     .shown = "auto",
     .help = "format of the input graph",
     .more = "`auto` tells it by the content, then by the name of the file. `.gz` and `.zst` files are read as what "
             "they hold."},
    {.name = "json",
     .type = CLI_FLAG,
     .at = offsetof(cli_shared, json),
     .shared = CLI_JSON,
     .help = "print the report as one JSON object"},
    {.name = "seed",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(cli_shared, seed),
     .shared = CLI_SEED,
     .help = "seed of everything random that need not be secret",
     .more = "Same version, same seed: same result, whatever the number of threads."},
    {.name = "time-limit",
     .value = "SECONDS",
     .type = CLI_REAL,
     .at = offsetof(cli_shared, time_limit),
     .shown = "none",
     .shared = CLI_TIME_LIMIT,
     .help = "end after so long, with the best valid result there is (exit 5)",
     .more = "0 is no limit. Counted from the start of the command. What searches stops improving then and hands over "
             "the best valid "
             "result, with exit code 5; what has no result a moment later says so and writes nothing. Either way the "
             "command ends within a second, but for the writing of very large outputs."},
    {.letter = 't',
     .name = "threads",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(cli_shared, threads),
     .max = 1024,
     .shown = "0: all cores",
     .shared = CLI_THREADS,
     .help = "number of threads; results do not depend on it"},
    {.letter = 'q',
     .name = "quiet",
     .type = CLI_FLAG,
     .at = offsetof(cli_shared, quiet),
     .help = "no progress and no remarks; errors still show"},
    {.name = "progress",
     .type = CLI_FLAG,
     .at = offsetof(cli_shared, progress_on),
     .help = "show progress on stderr even where it is no terminal: as lines there"},
    {.name = "no-progress", .type = CLI_FLAG, .at = offsetof(cli_shared, progress_off), .help = "show no progress"},
    {.letter = 'h', .type = CLI_FLAG, .at = offsetof(cli_shared, help_short), .help = "list the options"},
    {.name = "help",
     .type = CLI_FLAG,
     .at = offsetof(cli_shared, help_long),
     .help = "explain everything, with an example"},
    {0}};

static bool wanted(const cli_command *command, const cli_option *row) {
    if (row->shared) return (command->shared & row->shared) != 0;
    return row->letter == 'h' || strcmp(row->name, "help") == 0 || !(command->shared & CLI_NO_PROGRESS_OPTIONS);
}

const cli_option *cli_option_at(const cli_command *command, size_t i, bool *shared) {
    *shared = false;
    for (const cli_option *row = command->options; row && row->type != CLI_END; row++)
        if (i-- == 0) return row;
    *shared = true;
    for (const cli_option *row = shared_rows; row->type != CLI_END; row++)
        if (wanted(command, row) && i-- == 0) return row;
    return NULL;
}

void cli_option_name(const cli_option *option, char *buffer, size_t capacity) {
    if (option->name)
        snprintf(buffer, capacity, "--%s", option->name);
    else
        snprintf(buffer, capacity, "-%c", option->letter);
}

void cli_option_default(const cli_command *command, const cli_option *option, bool shared, char *buffer,
                        size_t capacity) {
    const char *base = shared ? (const char *)&shared_defaults : command->defaults;
    buffer[0] = '\0';
    if (option->shown) {
        snprintf(buffer, capacity, "%s", option->shown);
        return;
    }
    if (option->required || !base) return;
    switch (option->type) {
    case CLI_TEXT:
    case CLI_INPUT:
    case CLI_OUTPUT:
    case CLI_CHOICE: {
        const char *text = *(const char *const *)(base + option->at);
        if (!text && option->choices) text = option->choices(0);
        if (text) snprintf(buffer, capacity, "%s", text);
        break;
    }
    case CLI_COUNT:
        snprintf(buffer, capacity, "%llu", (unsigned long long)*(const uint64_t *)(base + option->at));
        break;
    case CLI_REAL: snprintf(buffer, capacity, "%g", *(const double *)(base + option->at)); break;
    case CLI_SHARE:
    case CLI_FLAG:
    case CLI_END: break;
    }
}

/* --- names that are nearly right --------------------------------------------------------------------------------- */

/* Letters to change, add, drop or swap to get from a to b; words of the command line are short. */
static size_t distance(const char *a, const char *b) {
    enum {
        LONGEST = 40
    };
    size_t n = strlen(a), m = strlen(b), d[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST) return LONGEST;
    for (size_t j = 0; j <= m; j++) d[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = d[i % 3], *last = d[(i + 2) % 3], *before = d[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return d[n % 3][m];
}

const char *cli_nearest(const char *word, const char *const *names) {
    const char *best = NULL;
    size_t length = strlen(word), limit = length < 4 ? 1 : length < 8 ? 2 : 3, least = limit + 1;
    for (; *names; names++) {
        size_t d = distance(word, *names);
        if (length >= 3 && strncmp(word, *names, length) == 0) d = 1; /* the beginning of a name */
        if (d < least) least = d, best = *names;
    }
    return best;
}

static int unknown_option(const cli_command *command, const char *word, size_t length) {
    const char *names[128], *near;
    char name[64];
    size_t count = 0;
    bool shared;
    const cli_option *row;
    for (size_t i = 0; (row = cli_option_at(command, i, &shared)) && count < 127; i++)
        if (row->name && !row->hidden) names[count++] = row->name;
    names[count] = NULL;
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    near = strncmp(word, "--", 2) == 0 ? cli_nearest(name + 2, names) : NULL;
    if (near) return cli_usage(command, "unknown option '%s'; did you mean '--%s'?", name, near);
    return cli_usage(command, "unknown option '%s'", name);
}

/* --- values ------------------------------------------------------------------------------------------------------ */

bool cli_parse_count(const char *text, size_t length, uint64_t *out) {
    uint64_t value = 0;
    if (length == 0) return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
            return false;
    }
    *out = value;
    return true;
}

bool cli_parse_real(const char *text, double *out) {
    char *end;
    if (!(*text == '-' || *text == '.' || (*text >= '0' && *text <= '9'))) return false; /* no spaces, no "inf" */
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static bool all_digits(const char *text) {
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static int set_count(const cli_command *command, const cli_option *row, const char *name, const char *text, void *at) {
    uint64_t value = 0, min = (uint64_t)row->min, max = row->max > 0 ? (uint64_t)row->max : UINT64_MAX;
    bool fits = cli_parse_count(text, strlen(text), &value);
    if (!fits && !all_digits(text))
        return cli_usage(command, "%s: '%s' is not a whole number of at least %llu", name, text,
                         (unsigned long long)min);
    if (!fits || value > max)
        return cli_usage(command, "%s: %s is too large; at most %llu", name, text, (unsigned long long)max);
    if (value < min)
        return cli_usage(command, "%s: %s is too small; at least %llu", name, text, (unsigned long long)min);
    *(uint64_t *)at = value;
    return 0;
}

static int set_real(const cli_command *command, const cli_option *row, const char *name, const char *text, void *at) {
    double value;
    if (!cli_parse_real(text, &value)) return cli_usage(command, "%s: '%s' is not a number", name, text);
    if (value < row->min) return cli_usage(command, "%s: %s is too small; at least %g", name, text, row->min);
    if (row->max > 0 && value > row->max)
        return cli_usage(command, "%s: %s is too large; at most %g", name, text, row->max);
    *(double *)at = value;
    return 0;
}

static int check_choice(const cli_command *command, cli_choices choices, const char *name, const char *text) {
    const char *names[64], *near;
    char list[512] = "";
    size_t count = 0, used = 0;
    while (count < 63 && (names[count] = choices(count))) {
        if (strcmp(names[count], text) == 0) return 0;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", names[count]);
        count++;
    }
    names[count] = NULL;
    near = cli_nearest(text, names);
    if (near) return cli_usage(command, "%s: '%s' is unknown; did you mean '%s'?", name, text, near);
    return cli_usage(command, "%s: '%s' is none of %s", name, text, list);
}

static int set_value(const cli_command *command, const cli_option *row, const char *text, char *base) {
    char name[64];
    void *at = base + row->at;
    cli_option_name(row, name, sizeof name);
    switch (row->type) {
    case CLI_COUNT: return set_count(command, row, name, text, at);
    case CLI_REAL: return set_real(command, row, name, text, at);
    case CLI_SHARE:
        if (ksda_share_from_text(text, at)) return 0;
        return cli_usage(command, "%s: '%s' is no share in (0, 1]: a number such as 0.5, or a fraction such as 1/3",
                         name, text);
    case CLI_CHOICE: {
        int code = check_choice(command, row->choices, name, text);
        if (code) return code;
        break;
    }
    case CLI_INPUT:
    case CLI_OUTPUT:
        if (!*text) return cli_usage(command, "%s: the name of a file is missing", name);
        break;
    default: break;
    }
    *(const char **)at = text;
    return 0;
}

/* --- words ------------------------------------------------------------------------------------------------------- */

typedef struct parser {
    const cli_command *command;
    int argc, next;
    char **argv;
    cli_values *out;
    bool given[128]; /* by the number of the row */
    bool enough;     /* help was asked for */
} parser;

static int take_value(parser *p, size_t number, const cli_option *row, bool shared, const char *value) {
    char *base = shared ? (char *)&p->out->shared : p->out->values;
    if (number < sizeof p->given) p->given[number] = true;
    if (row->type == CLI_FLAG) {
        *(bool *)(base + row->at) = !row->off;
        p->enough = p->out->shared.help_short || p->out->shared.help_long;
        return 0;
    }
    if (!value) {
        char name[64];
        cli_option_name(row, name, sizeof name);
        if (p->next >= p->argc) return cli_usage(p->command, "option '%s' needs a value: %s", name, row->value);
        value = p->argv[p->next++];
    }
    return set_value(p->command, row, value, base);
}

static int long_option(parser *p, const char *word) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option *row;
    bool shared;
    for (size_t i = 0; (row = cli_option_at(p->command, i, &shared)); i++) {
        if (!row->name || strlen(row->name) != length - 2 || memcmp(row->name, word + 2, length - 2) != 0) continue;
        if (equals && row->type == CLI_FLAG) return cli_usage(p->command, "option '--%s' takes no value", row->name);
        return take_value(p, i, row, shared, equals ? equals + 1 : NULL);
    }
    return unknown_option(p->command, word, length);
}

static int letters(parser *p, const char *word) {
    for (const char *letter = word + 1; *letter && !p->enough; letter++) {
        const cli_option *row;
        bool shared;
        size_t i = 0;
        int code;
        while ((row = cli_option_at(p->command, i, &shared)) && row->letter != *letter) i++;
        if (!row) return unknown_option(p->command, letter == word + 1 ? word : (char[]){'-', *letter, 0}, 2);
        if (row->type != CLI_FLAG) return take_value(p, i, row, shared, letter[1] ? letter + 1 : NULL);
        if ((code = take_value(p, i, row, shared, NULL))) return code;
    }
    return 0;
}

/* Has the command communities, and nobody says where they are, here or further on? */
static bool communities_missing(const parser *p) {
    static const char *const says[] = {"-c", "--communities", "--community-attribute", "--detect"};
    bool wanted = false, shared, builtin = p->out->arguments && strncmp(p->out->argument[0], "builtin:", 8) == 0;
    const cli_option *row;
    for (size_t i = 0; (row = cli_option_at(p->command, i, &shared)); i++) wanted |= row->letter == 'c';
    for (int i = 0; i < p->argc; i++)
        for (size_t j = 0; j < sizeof says / sizeof *says; j++)
            wanted &= strncmp(p->argv[i], says[j], strlen(says[j])) != 0;
    return wanted && !builtin;
}

/* One word too many: communities without their -c, or the files of a network one by one. */
static int surplus_argument(const parser *p, const char *word) {
    const cli_argument *first = p->command->arguments;
    const char *folder = "a network in several files is given as the folder that holds them, or links to them";
    if (!first || first->type != CLI_INPUT) return cli_usage(p->command, "unexpected argument '%s'", word);
    if (!communities_missing(p)) return cli_usage(p->command, "unexpected argument '%s'; %s", word, folder);
    return cli_usage(p->command, "unexpected argument '%s'; did you mean '-c %s'? (%s)", word, word, folder);
}

static int positional(parser *p, const char *word) {
    const cli_argument *row = p->command->arguments;
    for (size_t i = 0; row && row->type != CLI_END; row++, i++) {
        if (i < p->out->arguments) continue;
        if (row->type == CLI_CHOICE) {
            int code = check_choice(p->command, row->choices, row->name, word);
            if (code) return code;
        }
        if (!*word) return cli_usage(p->command, "%s: must not be empty", row->name);
        p->out->argument[p->out->arguments++] = word;
        return 0;
    }
    return surplus_argument(p, word);
}

static int complete(parser *p) {
    const cli_option *row;
    const cli_argument *argument = p->command->arguments;
    bool shared;
    for (size_t i = 0; argument && argument->type != CLI_END; argument++, i++)
        if (i >= p->out->arguments && argument->required)
            return cli_usage(p->command, "%s is missing: %s", argument->name, argument->help);
    for (size_t i = 0; (row = cli_option_at(p->command, i, &shared)); i++)
        if (row->required && !p->given[i]) {
            char name[64];
            cli_option_name(row, name, sizeof name);
            return cli_usage(p->command, "option '%s %s' is missing: %s", name, row->value, row->help);
        }
    return 0;
}

int cli_parse(const cli_command *command, int argc, char **argv, cli_values *out) {
    parser p = {.command = command, .argc = argc, .argv = argv, .out = out};
    bool options_over = false;
    int code = 0;
    *out = (cli_values){.shared = shared_defaults};
    out->values = calloc(1, command->size ? command->size : 1);
    out->argument = calloc((size_t)argc + 8, sizeof *out->argument);
    if (!out->values || !out->argument) {
        cli_error("out of memory");
        return CLI_FAILURE;
    }
    if (command->defaults) memcpy(out->values, command->defaults, command->size);
    while (code == 0 && p.next < argc && !p.enough) {
        const char *word = argv[p.next++];
        if (options_over || word[0] != '-' || word[1] == '\0')
            code = positional(&p, word);
        else if (strcmp(word, "--") == 0)
            options_over = true;
        else
            code = word[1] == '-' ? long_option(&p, word) : letters(&p, word);
    }
    return code || p.enough ? code : complete(&p);
}

void cli_values_clear(cli_values *values) {
    free(values->values);
    free(values->argument);
    *values = (cli_values){.values = NULL};
}
