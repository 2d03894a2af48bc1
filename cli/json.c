/* Reports as JSON.
 *
 * jansson tells of an allocation that fails only to the call that needed it, and its writer not even that: an object
 * can lack a field, and a field its name, in a text that looks complete. So all its memory goes through here, and after
 * the first failure nothing that it makes is taken for whole. Its reader (2.14) even loses its way and ends the
 * program: while it reads there is a reserve, and what needed that is thrown away. */
#include "cli.h"

#include "core/ctx.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool out_of_memory;

static struct {
    char *block; /* NULL but while a text is read */
    size_t size, used;
} reserve;

enum {
    RESERVE_BYTES = 128, /* for a byte of text, and */
    RESERVE_LEAST = 8192 /* these */
};

static void *json_memory(size_t size) {
    ksda_i_allocator_enter(); /* another thread of a sweep may fork */
    void *block = malloc(size);
    ksda_i_allocator_leave();
    if (block) return block;
    atomic_store(&out_of_memory, true);
    size = (size + 15) / 16 * 16;
    if (size > reserve.size - reserve.used) return NULL;
    block = reserve.block + reserve.used;
    reserve.used += size;
    return block;
}

static void json_release(void *block) {
    uintptr_t at = (uintptr_t)block, begin = (uintptr_t)reserve.block;
    if (reserve.block && at >= begin && at < begin + reserve.size) return;
    ksda_i_allocator_enter();
    free(block);
    ksda_i_allocator_leave();
}

void cli_json_start(void) {
    atomic_store(&out_of_memory, false);
    json_set_alloc_funcs(json_memory, json_release);
}

bool cli_json_failed(void) {
    return atomic_load(&out_of_memory);
}

json_t *cli_json_read(const char *text) {
    size_t size = RESERVE_BYTES * strlen(text) + RESERVE_LEAST;
    json_t *object = NULL;
    reserve.block = malloc(size);
    if (reserve.block) {
        reserve.size = size;
        object = json_loads(text, 0, NULL);
    } else {
        atomic_store(&out_of_memory, true);
    }
    if (cli_json_failed()) json_decref(object), object = NULL;
    free(reserve.block);
    reserve.block = NULL, reserve.size = reserve.used = 0;
    return object;
}

char *cli_json_text(const json_t *object, size_t flags) {
    char *text = object ? json_dumps(object, flags) : NULL;
    if (!atomic_load(&out_of_memory)) return text;
    cli_json_text_free(text);
    return NULL;
}

void cli_json_text_free(char *text) {
    json_release(text);
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
    if (cli->command->shared & CLI_PROOFS)
        cli_json_count(object, "solver_failures", ksda_ctx_solver_failures(cli->ctx));
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
    cli_json_text_free(text);
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
        code = cli_json_print(cli, cli_json_read(report));
    else if (code == 0)
        cli_bar_clear(cli->bar), fputs(report, stdout);
    ksda_free(cli->ctx, report);
    return code;
}
