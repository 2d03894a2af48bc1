/* Under --json a run that ends without a report prints one object that says why, so that a program that reads standard
 * output always finds JSON there. The message still goes to standard error, for people. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Messages come from places that know of no run, so the first one and where it points to are kept here. */
static struct {
    char *message, *file;
    const char *status;
    uint64_t line, column;
    bool reported;
} failure;

void cli_failure_message(const char *format, va_list arguments) {
    if (!failure.message && vasprintf(&failure.message, format, arguments) < 0) failure.message = NULL;
}

void cli_failure_error(const ksda_error *error) {
    if (failure.status) return;
    failure.status = ksda_status_name(error->status);
    failure.file = error->source ? strdup(error->source) : NULL;
    failure.line = error->line;
    failure.column = error->column;
}

void cli_failure_none(void) {
    failure.reported = true;
}

static json_t *number_or_null(uint64_t value) {
    return value ? json_integer((json_int_t)value) : json_null();
}

void cli_failure_end(int code, bool json) {
    if (json && code != CLI_OK && !failure.reported) {
        cli_json_start();
        json_t *object = cli_json(), *inner = json_object();
        json_object_set_new(inner, "exit_code", json_integer(code));
        cli_json_string(inner, "status", failure.status);
        cli_json_string(inner, "message", failure.message);
        cli_json_string(inner, "file", failure.file);
        json_object_set_new(inner, "line", number_or_null(failure.line));
        json_object_set_new(inner, "column", number_or_null(failure.column));
        json_object_set_new(object, "failure", inner);
        char *text = cli_json_text(object, CLI_JSON_PRETTY);
        if (text) puts(text); /* else the message on stderr must do */
        cli_json_text_free(text);
        json_decref(object);
    }
    free(failure.message);
    free(failure.file);
}
