/* Reports as JSON.
 *
 * jansson tells of an allocation that fails only to the call that needed it, and its writer not even that: an object
 * can lack a field, and a field its name, in a text that looks complete. So all its memory goes through here, and after
 * the first failure nothing that it makes is taken for whole. */
#include "cli.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool out_of_memory;

static void *json_memory(size_t size) {
    void *block = malloc(size);
    if (!block) atomic_store(&out_of_memory, true);
    return block;
}

void cli_json_start(void) {
    atomic_store(&out_of_memory, false);
    json_set_alloc_funcs(json_memory, free);
}

char *cli_json_text(const json_t *object, size_t flags) {
    char *text = object ? json_dumps(object, flags) : NULL;
    if (!atomic_load(&out_of_memory)) return text;
    free(text);
    return NULL;
}

json_t *cli_json(void) {
    json_t *object = json_object();
    cli_json_count(object, "schema", 1);
    return object;
}

void cli_json_real(json_t *object, const char *name, double value) {
    json_object_set_new(object, name, isfinite(value) ? json_real(value) : json_null());
}

void cli_json_count(json_t *object, const char *name, uint64_t value) {
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

void cli_json_string(json_t *object, const char *name, const char *value) {
    json_t *text = value ? json_string(value) : json_null();
    json_object_set_new(object, name, text ? text : json_string("(not UTF-8)"));
}

void cli_json_reading(const cli_run *cli, json_t *object) {
    if (cli->reading) json_object_set(object, "reading", cli->reading);
    if (cli->reading) json_object_set(object, "without_community", cli->unassigned ? cli->unassigned : json_null());
}

int cli_json_print(cli_run *cli, json_t *object) {
    cli_json_reading(cli, object);
    char *text = cli_json_text(object, CLI_JSON_PRETTY);
    json_decref(object);
    cli_bar_clear(cli->bar);
    if (!text) {
        cli_error("out of memory");
        return CLI_FAILURE;
    }
    puts(text);
    free(text);
    cli_failure_none();
    return CLI_OK;
}

/* --- reports of the library --------------------------------------------------------------------------------------- */

ksda_report_options cli_report(const cli_run *cli) {
    ksda_report_options o;
    ksda_report_options_init(&o);
    o.rendering = cli->shared.json ? KSDA_RENDERING_JSON : KSDA_RENDERING_TEXT;
    o.utf8 = cli_utf8();
    o.network = cli->argument[0];
    return o;
}

int cli_report_print(cli_run *cli, ksda_status status, char *report) {
    int code = cli_fail(cli, status);
    if (code == 0 && cli->shared.json)
        code = cli_json_print(cli, json_loads(report, 0, NULL));
    else if (code == 0)
        cli_bar_clear(cli->bar), fputs(report, stdout);
    ksda_free(cli->ctx, report);
    return code;
}
