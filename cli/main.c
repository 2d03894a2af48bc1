/* The ksda command: find the command, parse its options, make a context, run it, tell how it went.
 *
 * Ctrl-C (and SIGTERM, SIGHUP) asks the library to stop; what was being written is removed and the exit code is 130.
 * While a method runs it asks for the best release so far, which is then published. A second one removes the temporary
 * files and leaves at once.
 *
 * --time-limit holds from the start of the command: methods stop improving when it is over, and whatever has not come
 * to a result a moment later is stopped, so that the command ends within a second. */
#include "cli.h"
#include "io/output.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void (*cli_prepare)(ksda_ctx *ctx, const cli_shared *shared);
int (*cli_refuse)(const cli_command *command, const cli_values *values);

/* A signal handler has no argument of ours, so this is the one thing kept outside a struct. */
static ksda_ctx *volatile interrupted_ctx;
static volatile sig_atomic_t interrupts;
static volatile sig_atomic_t method_runs;

#define GRACE 0.6    /* seconds after the time limit for what is needed to have a result at all; the rest writes it */
#define INSTANT 1e-9 /* seconds: a limit that is over already; 0 would be none */

/* --- messages ---------------------------------------------------------------------------------------------------- */

/* One line on stderr. Names come from files and may hold anything: what would steer a terminal is shown as '?'. */
static void print_line(const char *format, va_list arguments) {
    char text[8192];
    vsnprintf(text, sizeof text, format, arguments);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    fprintf(stderr, "ksda: %s\n", text);
}

/* A message is printed, and kept for --json. */
static void complain(const char *format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    cli_failure_message(format, copy);
    va_end(copy);
    print_line(format, arguments);
}

void cli_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

void cli_message(cli_run *cli, const char *format, ...) {
    va_list arguments;
    if (cli->shared.quiet) return;
    cli_bar_clear(cli->bar);
    fflush(stdout); /* keep the order where both go to one place */
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

int cli_usage(const cli_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try 'ksda %s%s--help'.\n", command ? command->name : "", command ? " " : "");
    return CLI_USAGE;
}

static int exit_code(ksda_status status, bool reading) {
    switch (status) {
    case KSDA_OK: return CLI_OK;
    case KSDA_LIMIT: return CLI_LIMITED;
    case KSDA_INVALID: return reading ? CLI_BAD_INPUT : CLI_USAGE;
    case KSDA_PARSE: return CLI_BAD_INPUT;
    case KSDA_UNSUPPORTED: return reading ? CLI_BAD_INPUT : CLI_FAILURE;
    case KSDA_NOT_FOUND:
    case KSDA_INFEASIBLE:
    case KSDA_VIOLATED: return CLI_NO;
    case KSDA_INTERRUPTED: return CLI_INTERRUPTED;
    case KSDA_TIMEOUT:
    case KSDA_NOMEM:
    case KSDA_IO:
    case KSDA_INTERNAL: break;
    }
    return CLI_FAILURE;
}

static int report_failure(cli_run *cli, ksda_status status, bool reading) {
    const ksda_error *error = ksda_ctx_error(cli->ctx);
    const char *message = error->status == status && *error->message ? error->message : ksda_status_name(status);
    cli_bar_clear(cli->bar);
    if (status >= 0) return exit_code(status, reading);
    if (error->status == status) cli_failure_error(error);
    if (status == KSDA_INTERRUPTED)
        cli_error("interrupted; nothing was written");
    else if (status == KSDA_TIMEOUT)
        cli_error("the time limit of %g s is over; nothing was written", cli->shared.time_limit);
    else if (error->status == status && error->source && error->line && error->column)
        cli_error("%s:%llu:%llu: %s", error->source, (unsigned long long)error->line, (unsigned long long)error->column,
                  message);
    else if (error->status == status && error->source && error->line)
        cli_error("%s:%llu: %s", error->source, (unsigned long long)error->line, message);
    else if (error->status == status && error->source)
        cli_error("%s: %s", error->source, message);
    else
        cli_error("%s", message);
    return exit_code(status, reading);
}

int cli_fail(cli_run *cli, ksda_status status) {
    return report_failure(cli, status, false);
}

int cli_fail_input(cli_run *cli, ksda_status status) {
    return report_failure(cli, status, true);
}

int cli_fail_method(cli_run *cli, ksda_status status, const char *method) {
    if (status != KSDA_TIMEOUT) return cli_fail(cli, status);
    cli_bar_clear(cli->bar);
    cli_error("%s had found no release when the time limit of %g s was over; nothing was written", method,
              cli->shared.time_limit);
    return CLI_NO;
}

/* --- figures ----------------------------------------------------------------------------------------------------- */

bool cli_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8"); /* the first that is set decides */
    }
    return false;
}

double cli_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

static void on_signal(int number) {
    (void)number;
    if (interrupts++ > 0) {
        ksda_i_output_abandon_all();
        _exit(CLI_INTERRUPTED);
    }
    if (!interrupted_ctx) return;
    if (method_runs)
        ksda_ctx_finish(interrupted_ctx);
    else
        ksda_ctx_cancel(interrupted_ctx);
}

static void watch_signals(ksda_ctx *ctx) {
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: a read that waits must return */
    sigemptyset(&action.sa_mask);
    interrupted_ctx = ctx;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a reader that leaves is an error like any other: temporary files are removed */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that has become too large (ulimit -f) */
}

/* --- the time limit ---------------------------------------------------------------------------------------------- */

static double time_left(const cli_run *cli) {
    return cli->shared.time_limit > 0 ? cli->shared.time_limit - (cli_now() - cli->start) : INFINITY;
}

static void end_after(cli_run *cli, double seconds) {
    if (cli->shared.time_limit <= 0) return;
    ksda_ctx_set_time_limit(cli->ctx, fmax(seconds, INSTANT));
    ksda_ctx_set_deadline(cli->ctx, fmax(seconds + GRACE, INSTANT));
}

static void set_time_limits(cli_run *cli, double reserve) {
    double left = time_left(cli);
    end_after(cli, left > 0 ? left - fmin(reserve, left / 2) : left);
}

void cli_begin_method(cli_run *cli, double reserve) {
    set_time_limits(cli, reserve);
    method_runs = 1;
}

void cli_lift_limit(cli_run *cli) {
    ksda_ctx_set_time_limit(cli->ctx, 0);
    ksda_ctx_set_deadline(cli->ctx, 0);
}

bool cli_end_method(cli_run *cli) {
    bool asked = interrupts > 0;
    method_runs = 0;
    cli_lift_limit(cli);
    ksda_ctx_reset_cancel(cli->ctx);
    return asked;
}

bool cli_interrupted(void) {
    return interrupts > 0;
}

bool cli_time_for(const cli_run *cli, double seconds) {
    return seconds <= time_left(cli) + GRACE;
}

bool cli_limit_again(cli_run *cli, double reserve) {
    double left = time_left(cli) - reserve;
    end_after(cli, left);
    method_runs = interrupts == 0 && left > 0;
    return method_runs;
}

static int run_command(const cli_command *command, const cli_values *values, int argc, char **argv) {
    cli_run cli = {.command = command,
                   .values = values,
                   .argc = argc,
                   .argv = argv,
                   .shared = values->shared,
                   .argument = values->argument,
                   .arguments = values->arguments,
                   .start = cli_now()};
    cli_watch watch;
    int code;
    if (ksda_ctx_new(NULL, &cli.ctx) < 0) {
        cli_error("out of memory");
        return CLI_FAILURE;
    }
    ksda_ctx_allow_processes(cli.ctx, 1);
    ksda_ctx_set_seed(cli.ctx, values->shared.seed);
    ksda_ctx_set_threads(cli.ctx, (unsigned)values->shared.threads);
    if (cli_prepare) cli_prepare(cli.ctx, &values->shared);
    set_time_limits(&cli, 0);
    cli.bar = cli_bar_new(&values->shared);
    if (cli.bar) ksda_ctx_set_progress(cli.ctx, cli_bar_progress, cli.bar);
    watch_signals(cli.ctx);
    cli_files_watch(command, values, &watch);
    code = command->run(&cli, values->values);
    cli_files_tell(&cli, &watch);
    if (ksda_ctx_solver_failures(cli.ctx) > 0)
        cli_message(&cli, "the solver failed; what it would have proved is not claimed");
    cli_bar_free(cli.bar);
    json_decref(cli.reading);
    json_decref(cli.unassigned);
    interrupted_ctx = NULL;
    ksda_ctx_free(cli.ctx);
    return code;
}

/* An answer that nobody could read is none, so it is a failure whatever the answer was. */
static int close_stdout(int code) {
    int failed = ferror(stdout), closed;
    errno = 0;
    closed = fclose(stdout);
    if (!failed && closed == 0) return code;
    cli_error("standard output: %s", errno ? strerror(errno) : "write failed");
    return code == CLI_OK || code == CLI_NO || code == CLI_LIMITED ? CLI_FAILURE : code;
}

static int unknown_command(const char *word) {
    const char *names[64], *near;
    const cli_command *command;
    size_t count = 0;
    for (; count < 63 && (command = cli_command_at(count)); count++) names[count] = command->name;
    names[count] = NULL;
    near = cli_nearest(word, names);
    if (near) return cli_usage(NULL, "unknown command '%s'; did you mean '%s'?", word, near);
    return cli_usage(NULL, "unknown command '%s'", word);
}

static const char *as_command(const char *word) { /* the spellings everybody tries */
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) return "version";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return "help";
    return word;
}

/* Is --json asked for, of a command that has it? Also known where the command line is wrong. */
static bool wants_json(const cli_command *command, int argc, char **argv) {
    for (int i = 2; i < argc && (command->shared & CLI_JSON) && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) return true;
    return false;
}

static int check_values(const cli_command *command, const cli_values *values) {
    int code = cli_refuse ? cli_refuse(command, values) : 0;
    return code ? code : cli_check_files(command, values);
}

int main(int argc, char **argv) {
    const cli_command *command;
    cli_values values = {.values = NULL};
    int code;
    cli_json_start();
    if (argc < 2) {
        cli_help_overview(stderr);
        return CLI_USAGE;
    }
    if (argv[1][0] == '-' && as_command(argv[1]) == argv[1])
        return cli_usage(NULL, "'%s': options stand after the command", argv[1]);
    command = cli_command_find(as_command(argv[1]));
    if (!command) return unknown_command(argv[1]);
    code = cli_parse(command, argc - 2, argv + 2, &values);
    if (code == 0 && command->settle) command->settle(values.values);
    if (code == 0 && values.shared.help_short)
        cli_help_short(stdout, command);
    else if (code == 0 && values.shared.help_long)
        cli_help_long(stdout, command);
    else if (code == 0 && (code = check_values(command, &values)) == 0)
        code = run_command(command, &values, argc, argv);
    cli_values_clear(&values);
    cli_failure_end(code, wants_json(command, argc, argv));
    return close_stdout(code);
}
