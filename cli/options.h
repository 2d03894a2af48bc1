/* options.h: the tables that say what the command line looks like.
 *
 * One table row says all about an option: how it is parsed, what the help screens, the man page and the shell
 * completions say about it, and its default. Nothing about an option stands anywhere else.
 *
 * How to add a command `ksda foo`:
 *  1. Write cli/cmd_foo.c. It holds a struct for the values, its defaults, the rows and the work, and ends with
 *
 *         typedef struct foo_options {
 *             uint64_t k;
 *             cli_network_options network;                    // -c, --detect and so on; see network.h
 *             const char *csv;
 *         } foo_options;
 *         static const foo_options defaults = {.k = 2};
 *         static const cli_option rows[] = {
 *             {.letter = 'k', .value = "K", .type = CLI_COUNT, .at = offsetof(foo_options, k), .min = 1, .max =
 * UINT32_MAX, .help = "communities every degree must occur in"}, CLI_NETWORK_ROWS(foo_options, network),
 *             {.name = "csv", .value = "FILE", .type = CLI_OUTPUT, .at = offsetof(foo_options, csv),
 *              .help = "also write the figures as CSV"},
 *             {0}};
 *         static const cli_argument arguments[] = {{"GRAPH", CLI_INPUT, true, NULL, "the network"}, {0}};
 *         static int run(cli_run *cli, const void *values) {
 *             const foo_options *options = values;
 *             ...
 *         }
 *         const cli_command cmd_foo = {.name = "foo", .group = "Measure", .summary = "what it does in one line",
 *             .description = "Paragraphs, separated by empty lines.", .arguments = arguments, .options = rows,
 *             .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON, .size = sizeof(foo_options),
 *             .defaults = &defaults, .example = "$ ksda foo builtin:lesmis", .run = run};
 *
 *  2. Declare it and give it a row in commands.c.
 *  3. Run `make update-docs`: it writes docs/man/ksda-foo.1.md from the tables. A test compares the two.
 *
 * run() returns an exit code of cli.h. Work with cli->ctx; on a failed call `return cli_fail(cli, status)`
 * (cli_fail_input() where a file was read). stdout is for data: reports and JSON. Everything else goes through
 * cli_message() to stderr. Files named by rows and arguments of type CLI_INPUT and CLI_OUTPUT are checked before run()
 * is called: no output is an input or another output, under whatever name; standard input and output are used once at
 * most; nothing is read from a terminal. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_run cli_run;

typedef enum cli_type {
    CLI_END = 0,
    CLI_FLAG,   /* bool; no value */
    CLI_TEXT,   /* const char *, borrowed from argv */
    CLI_INPUT,  /* the same: a file that is read */
    CLI_OUTPUT, /* the same: a file that is written */
    CLI_CHOICE, /* the same: one of the choices */
    CLI_COUNT,  /* uint64_t from min to max */
    CLI_REAL,   /* double from min to max, finite */
    CLI_SHARE   /* ksda_share in (0, 1] */
} cli_type;

/* The i-th choice, NULL after the last. */
typedef const char *(*cli_choices)(size_t i);
/* Make such a function from a list: CLI_CHOICES(shells, "bash", "zsh", "fish") */
#define CLI_CHOICES(name, ...)                                                                                         \
    static const char *name(size_t i) {                                                                                \
        static const char *const list[] = {__VA_ARGS__};                                                               \
        return i < sizeof list / sizeof *list ? list[i] : NULL;                                                        \
    }

typedef struct cli_option {
    char letter;       /* -k; 0 for none */
    const char *name;  /* --name without the dashes; NULL for none */
    const char *value; /* what stands for the value in help: "FILE" */
    cli_type type;
    size_t at;           /* offsetof the value in the command's struct (or in cli_shared) */
    double min, max;     /* of CLI_COUNT and CLI_REAL; max 0: no upper bound */
    cli_choices choices; /* of CLI_CHOICE */
    bool required;
    bool off;          /* a CLI_FLAG that sets false: --no-progress */
    bool hidden;       /* not in help and completion */
    unsigned shared;   /* in the table of shared options: the CLI_... bit that asks for it */
    const char *shown; /* the default in words, where the value itself would not say it; "" shows none */
    const char *help;  /* one line */
    const char *more;  /* further sentences for --help and the man page, or NULL */
} cli_option;

typedef struct cli_argument {
    const char *name; /* "GRAPH" */
    cli_type type;    /* CLI_INPUT, CLI_OUTPUT, CLI_CHOICE or CLI_TEXT */
    bool required;
    cli_choices choices;
    const char *help;
} cli_argument;

enum { /* shared options a command may ask for; --quiet, --progress and --help are everywhere */
    CLI_SEED = 1,
    CLI_THREADS = 2,
    CLI_FORMAT = 4, /* of the input graph */
    CLI_JSON = 8,
    CLI_TIME_LIMIT = 16,
    CLI_NO_PROGRESS_OPTIONS = 32, /* a command that is over at once */
    CLI_PROOFS = 64               /* a command that proves: its report tells of solvers that failed */
};

typedef struct cli_shared {
    uint64_t seed, threads;
    const char *format;
    bool json, quiet;
    bool progress_on, progress_off;
    bool help_short, help_long;
    double time_limit;
} cli_shared;

typedef struct cli_command {
    const char *name;
    const char *group;             /* the heading it stands under in `ksda help` */
    const char *summary;           /* one line, no full stop */
    const char *description;       /* paragraphs for --help and the man page */
    const cli_argument *arguments; /* up to a row of zeros; NULL for none */
    const cli_option *options;     /* up to a row of zeros; NULL for none */
    unsigned shared;               /* CLI_SEED | ... */
    size_t size;                   /* of the struct of values */
    const void *defaults;
    const char *json;     /* the fields of --json: lines "name: what it is"; dots for nested ones; NULL for none */
    const char *notes;    /* more man page: Markdown, from its own headings on; NULL for none */
    const char *exits;    /* lines "4: the graph is not k-diverse", besides 0, 1, 2, 3 and 130; NULL for none */
    const char *example;  /* "$ ksda ..." lines that a test runs, with their output where short */
    const char *see_also; /* "ksda-check(1), ksda-verify(1)"; NULL for ksda(1) only */
    void (*settle)(
        void *values); /* take back defaults that do not hold with other options; before files are checked; or NULL */
    int (*run)(cli_run *cli, const void *values);
} cli_command;

/* The rows that hold for a command: its own, then the shared ones it asked for. i counts from 0; NULL after the last.
 * shared tells which struct `at` points into. */
const cli_option *cli_option_at(const cli_command *command, size_t i, bool *shared);
/* The default as text ("" for none) for brackets in help. */
void cli_option_default(const cli_command *command, const cli_option *option, bool shared, char *buffer,
                        size_t capacity);
/* How messages call it: "--method" or "-k". */
void cli_option_name(const cli_option *option, char *buffer, size_t capacity);

/* The values a run has after parsing. Arguments point into argv. */
typedef struct cli_values {
    cli_shared shared;
    void *values;          /* [command->size], allocated; the command's struct */
    const char **argument; /* positional, in order; allocated */
    size_t arguments;
} cli_values;

/* Parse argv[0 .. argc-1], which stands after the command's name. On a mistake a message and a hint are printed and 2
 * is returned. Asking for help stops parsing with 0; see shared.help_short, shared.help_long. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_values *out);
void cli_values_clear(cli_values *values);

/* Rows that several commands have: -k, what a split costs, how long a point may take; and the network they are about.
 */
#define CLI_K(owner, field, ...)                                                                                       \
    {                                                                                                                  \
        .letter = 'k', .value = "K", .type = CLI_COUNT, .at = offsetof(owner, field), .min = 1, .max = UINT32_MAX,     \
        __VA_ARGS__                                                                                                    \
    }
#define CLI_K_NEEDED .required = true, .help = "communities that every degree must occur in"
#define CLI_SPLIT_WEIGHT(owner, field, otherwise)                                                                      \
    {                                                                                                                  \
        .name = "split-weight", .value = "W", .type = CLI_REAL, .at = offsetof(owner, field), .shown = otherwise,      \
        .help = "what one more vertex costs, in edges"                                                                 \
    }
/* What is computed for each of several k may take so long. what: "k", "point". */
#define CLI_POINT_LIMIT(owner, field, what, ...)                                                                       \
    {                                                                                                                  \
        .name = "point-limit", .value = "SECONDS", .type = CLI_REAL, .at = offsetof(owner, field), .shown = "none",    \
        .help = "at every " what ": stop improving after so long, keep the best valid result", __VA_ARGS__             \
    }
#define CLI_GRAPH_ARGUMENT                                                                                             \
    { "GRAPH", CLI_INPUT, true, NULL, "the network: a file, `-`, `builtin:lesmis` or `builtin:karate`" }

/* The row of --max-share in a command's table. */
#define CLI_MAX_SHARE(owner, field, text)                                                                              \
    {                                                                                                                  \
        .name = "max-share", .value = "A", .type = CLI_SHARE, .at = offsetof(owner, field), .shown = "none",           \
        .help = text,                                                                                                  \
        .more = "A number in (0, 1] or a fraction: `0.5`, `1/3`. Kept as an exact fraction. With 1/k no guess of a "   \
                "community by the degree is right more often than one time in k. People whose community is not "       \
                "known are left out of the count."                                                                     \
    }

/* Whole-string conversions, for values with an inner form ("metis:8", "2:20:2"). False when it is not a number. */
bool cli_parse_count(const char *text, size_t length, uint64_t *out);
bool cli_parse_real(const char *text, double *out);

/* The nearest of the names (up to NULL) to a mistyped word, or NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *names);

#endif
