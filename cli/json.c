/* Reports as JSON.
 *
 * jansson tells of an allocation that fails only to the call that needed it, and its writer not even that: an object
 * can lack a field, and a field its name, in a text that looks complete. So all its memory goes through here, and after
 * the first failure nothing that it makes is taken for whole. */
#include "cli.h"
#include "report/report.h"

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
    ksda_i_json_count(object, "schema", 1);
    return object;
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
