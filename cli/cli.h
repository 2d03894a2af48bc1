/* cli.h: what every command works with. */
#ifndef CLI_H
#define CLI_H

#include "network.h"
#include "options.h"

#include <jansson.h>
#include <ksda/ksda.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>

enum { /* exit codes: people script against them */
    CLI_OK = 0,
    CLI_FAILURE = 1,   /* input or output failed, memory, a bug */
    CLI_USAGE = 2,     /* the command line is wrong */
    CLI_BAD_INPUT = 3, /* a file is not what it should be */
    CLI_NO = 4,        /* the property does not hold, the method found nothing, or it is impossible */
    CLI_LIMITED = 5,   /* a limit was hit, a valid result was written */
    CLI_INTERRUPTED = 130
};

struct cli_run {
    ksda_ctx *ctx;
    const cli_command *command;
    cli_shared shared;
    const char *const *argument; /* positional; optional ones that were not given are NULL */
    size_t arguments;
    const cli_values *values; /* all of them, for who goes by the tables */
    int argc;                 /* the command line as it was typed */
    char **argv;
    struct cli_bar *bar;
    double start;       /* when the command began, on the clock of cli_now() */
    json_t *unassigned; /* what became of vertices without a community, likewise */
    json_t *reading;    /* how each file was read: part of every report; NULL: nothing was */
};

/* NULL, or what another program that is made of these commands does to the context before one runs (mpi/). */
extern void (*cli_prepare)(ksda_ctx *ctx, const cli_shared *shared);
/* NULL, or what such a program does not take: says so and returns an exit code; 0 goes on. */
extern int (*cli_refuse)(const cli_command *command, const cli_values *values);
int cli_main(int argc, char **argv); /* main(), where such a program has one of its own */

/* Print "ksda: ..." on stderr; a full line. cli_message() is silent with --quiet, cli_error() is not. */
void cli_message(cli_run *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_remark_k(cli_run *cli, uint64_t k); /* that k = 1 guarantees nothing; silent for any other */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A mistake on the command line: the message and a pointer to --help; returns CLI_USAGE. */
int cli_usage(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print the context's error as "ksda: file:line:column: message" and return the exit code for it. cli_fail_input() is
 * for calls that read a file: what the library finds invalid there is bad input, not wrong usage. Both return 0 for
 * KSDA_OK, and CLI_LIMITED without a word for KSDA_LIMIT. */
int cli_fail(cli_run *cli, ksda_status status);
int cli_fail_input(cli_run *cli, ksda_status status);
/* The same for a method: one that has no release when its time is over has found none, like one that fails. */
int cli_fail_method(cli_run *cli, ksda_status status, const char *method);

/* The time limit of a method that is about to begin: what is left of --time-limit, less `reserve` seconds for what
 * comes after it. From here on the first Ctrl-C asks for the best result so far. */
void cli_begin_method(cli_run *cli, double reserve);
/* There is a result, and it will be written whatever the time is. Tells whether a Ctrl-C ended the method. */
bool cli_end_method(cli_run *cli);
/* Nothing that begins now may take longer than --time-limit, less `reserve` seconds for what must be done after it, and
 * the first signal asks for what there is without it; false when the time is over, or the user does not want to wait.
 * cli_end_method() ends it. */
bool cli_limit_again(cli_run *cli, double reserve);
/* Would something that takes so long keep to --time-limit, or nearly? */
bool cli_time_for(const cli_run *cli, double seconds);
/* Has a Ctrl-C come, or another signal that asks to end? */
bool cli_interrupted(void);
/* No limit any more. */
void cli_lift_limit(cli_run *cli);

/* Up to so many edges reports have what takes a while longer, and what is said beyond. */
#define CLI_QUICK_EDGES 1000000
#define CLI_NO_ATTACKERS                                                                                               \
    "the report has the degree attack only: with more than 1,000,000 edges other attackers are left to `ksda attack`"

/* Does the user's locale (LC_ALL, LC_CTYPE, LANG) say UTF-8? */
bool cli_utf8(void);
/* Seconds on a steady clock. */
double cli_now(void);

/* Reports as JSON (json.c): start with cli_json() (has "schema": 1), add with cli_json_...(), whose failures need no
 * check, and end with cli_json_print(), which prints and frees the object and returns an exit code. cli_json_text() is
 * the text, to be freed, or NULL when any allocation for JSON has failed. NaN, infinity and NULL become null. */
#define CLI_JSON_PRETTY (JSON_INDENT(2) | JSON_REAL_PRECISION(12))
void cli_json_start(void); /* before any other use of jansson; again when all objects so far are given up */
json_t *cli_json(void);
char *cli_json_text(const json_t *object, size_t flags);
void cli_json_text_free(char *text);
int cli_json_print(cli_run *cli, json_t *object);
json_t *cli_json_read(const char *text); /* NULL when it is no JSON, or when any allocation for JSON has failed: */
bool cli_json_failed(void);
void cli_json_real(json_t *object, const char *name, double value);
void cli_json_count(json_t *object, const char *name, uint64_t value);
void cli_json_string(json_t *object, const char *name, const char *value);
/* Reports of the library: how they are to look (JSON under --json, else text), and printing one, which is freed; under
 * --json with how the files were read. status is that of the call that made it. Returns an exit code. */
ksda_report_options cli_report(const cli_run *cli);
int cli_report_print(cli_run *cli, ksda_status status, char *report);
/* How the files were read, as field "reading"; cli_json_print() does it, too. */
void cli_json_reading(const cli_run *cli, json_t *object);

/* failure.c: the object that --json prints where there is no report. The functions above call these: for the first
 * message, for the library's error behind it, and when a report was printed. cli_failure_end() prints the object if one
 * is due. */
void cli_failure_message(const char *format, va_list arguments);
void cli_failure_error(const ksda_error *error);
void cli_failure_none(void);
void cli_failure_end(int code, bool json);

/* The commands, NULL after the last: commands.c, or those of ksda-mpi. */
extern const cli_command *const cli_commands[];

/* help.c */
const cli_command *cli_command_at(size_t i); /* NULL after the last */
const cli_command *cli_command_find(const char *name);
void cli_help_short(FILE *out, const cli_command *command);
void cli_help_long(FILE *out, const cli_command *command);
void cli_help_overview(FILE *out);
void cli_synopsis(FILE *out, const cli_command *command, const char *option_word);
/* Print text wrapped at 80 columns, every line but the first indented; the cursor stands at column `at`. */
void cli_wrap(FILE *out, const char *text, int indent, int at);
/* man.c: the command's page in Markdown */
void cli_man(FILE *out, const cli_command *command);

/* topics.c: what `ksda help` explains besides commands; a topic is a Markdown file that is compiled in. */
typedef struct cli_topic {
    const char *name, *summary;
    const char *text;
} cli_topic;
const cli_topic *cli_topic_at(size_t i); /* NULL after the last */
const cli_topic *cli_topic_find(const char *name);
int cli_topic_print(FILE *out, const cli_topic *topic); /* returns an exit code */

/* files.c: see options.h */
int cli_check_files(const cli_command *command, const cli_values *values);
/* The files that the command line names. */
typedef struct cli_file {
    const char *path;
    char role[64]; /* the argument or option that names it: "GRAPH", "--map" */
    bool output;
} cli_file;
size_t cli_files_named(const cli_command *command, const cli_values *values, cli_file *file); /* [CLI_MOST_FILES + 1] */
/* Outputs that are there before the command begins, and afterwards: which of them were replaced. */
enum {
    CLI_MOST_FILES = 32
};
typedef struct cli_watch {
    const char *path[CLI_MOST_FILES];
    ino_t inode[CLI_MOST_FILES];
    size_t count;
} cli_watch;
void cli_files_watch(const cli_command *command, const cli_values *values, cli_watch *watch);
void cli_files_tell(cli_run *cli, const cli_watch *watch);

/* progress.c */
struct cli_bar;
struct cli_bar *cli_bar_new(const cli_shared *shared); /* NULL when none is wanted */
int cli_bar_progress(const ksda_progress *progress, void *bar);
void cli_bar_clear(struct cli_bar *bar); /* wipe the line; before anything else is printed */
void cli_bar_free(struct cli_bar *bar);

#endif
