/* ksda methods: the table of methods. */
#include "cli.h"

static void set_flag(json_t *object, const char *name, unsigned flags, unsigned bit) {
    json_object_set_new(object, name, json_boolean((flags & bit) != 0));
}

static json_t *solvers_as_json(void) {
    json_t *list = json_array();
    for (size_t i = 0; ksda_solver(i); i++) {
        const ksda_solver_info *info = ksda_solver(i);
        json_t *row = json_object();
        json_object_set_new(row, "name", json_string(info->name));
        json_object_set_new(row, "summary", json_string(info->summary));
        json_object_set_new(row, "available", json_boolean(info->available));
        json_object_set_new(row, "version", info->version ? json_string(info->version) : json_null());
        json_array_append_new(list, row);
    }
    return list;
}

static int as_json(cli_run *cli, const ksda_method *method, size_t count) {
    json_t *object = cli_json(), *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        json_object_set_new(row, "name", json_string(method[i].name));
        json_object_set_new(row, "title", json_string(method[i].title));
        json_object_set_new(row, "summary", json_string(method[i].summary));
        json_object_set_new(row, "default", json_boolean(i == 0));
        set_flag(row, "adds_edges", method[i].flags, KSDA_METHOD_ADDS);
        set_flag(row, "splits_vertices", method[i].flags, KSDA_METHOD_SPLITS);
        set_flag(row, "always_succeeds", method[i].flags, KSDA_METHOD_ALWAYS);
        set_flag(row, "baseline", method[i].flags, KSDA_METHOD_BASELINE);
        set_flag(row, "traces", method[i].flags, KSDA_METHOD_STEPS);
        set_flag(row, "max_share", method[i].flags, KSDA_METHOD_SHARES);
        json_array_append_new(list, row);
    }
    json_object_set_new(object, "methods", list);
    json_object_set_new(object, "solvers", solvers_as_json());
    return cli_json_print(cli, object);
}

static int run_methods(cli_run *cli, const void *values) {
    size_t count;
    const ksda_method *method = ksda_methods(&count);
    (void)values;
    if (cli->shared.json) return as_json(cli, method, count);
    for (size_t i = 0; i < count; i++)
        printf("%-22s %s%s%s\n", method[i].name, method[i].summary, i == 0 ? " [default]" : "",
               method[i].flags & KSDA_METHOD_BASELINE ? " (not a k-SDA)" : "");
    return CLI_OK;
}

const cli_command cmd_methods = {
    .name = "methods",
    .group = "About ksda",
    .summary = "list the methods of anonymize",
    .description = "One line for each method that `ksda anonymize -m NAME` knows; the first one is the default.",
    .shared = CLI_JSON | CLI_NO_PROGRESS_OPTIONS,
    .json = "methods: a list of objects\n"
            "methods.name: as for `-m`\n"
            "methods.title: as in a legend\n"
            "methods.summary: one line\n"
            "methods.default: true for the method used without `-m`\n"
            "methods.adds_edges: may add edges inside communities\n"
            "methods.splits_vertices: may replace a vertex by several\n"
            "methods.always_succeeds: succeeds for every k up to the number of communities when no vertex is isolated\n"
            "methods.baseline: does not make a k-structurally diverse network; for comparison only\n"
            "methods.traces: goes step by step, so that `--trace` has something to tell\n"
            "methods.max_share: knows `--max-share`\n"
            "solvers: a list of objects, the default first\n"
            "solvers.name: as for `ksda optimal --solver`\n"
            "solvers.summary: one line\n"
            "solvers.available: whether this build has it\n"
            "solvers.version: of the library behind it; null where there is none or this build does not have it",
    .example = "$ ksda methods",
    .see_also = "**ksda-anonymize**(1), **ksda-optimal**(1)",
    .run = run_methods,
};
