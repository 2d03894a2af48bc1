/* ksda version: what this build is made of. */
#include "cli.h"
#include "commit.h" /* made when building: KSDA_COMMIT, a string or NULL */

#include <expat.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#ifdef KSDA_HAVE_METIS
#include <metis.h>
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define METIS_TEXT TEXT(METIS_VER_MAJOR) "." TEXT(METIS_VER_MINOR) "." TEXT(METIS_VER_SUBMINOR)
#else
#define METIS_TEXT NULL
#endif

#define MOST_PARTS 16

typedef struct part {
    const char *name, *version;
} part;

/* The libraries, with the solvers from their table: a name with a colon is the fast method on top of one. */
static size_t list_parts(part *parts, bool *solver) {
    size_t count = 0;
    *solver = false;
    parts[count++] = (part){"metis", METIS_TEXT};
    for (size_t i = 1; ksda_solver(i) && count < MOST_PARTS - 4; i++) {
        const ksda_solver_info *info = ksda_solver(i);
        if (!strchr(info->name, ':')) parts[count++] = (part){info->name, info->version};
        if (info->available) *solver = true;
    }
    parts[count++] = (part){"jansson", JANSSON_VERSION};
    parts[count++] = (part){"expat", XML_ExpatVersion() + 6}; /* "expat_2.5.0" */
    parts[count++] = (part){"zlib", zlibVersion()};
    parts[count++] = (part){"zstd", ZSTD_versionString()};
    return count;
}

static int as_json(cli_run *cli, const part *parts, size_t count) {
    json_t *object = cli_json(), *inside = json_object();
    json_object_set_new(object, "version", json_string(ksda_version()));
    json_object_set_new(object, "commit", KSDA_COMMIT ? json_string(KSDA_COMMIT) : json_null());
    for (size_t i = 0; i < count; i++)
        json_object_set_new(inside, parts[i].name, parts[i].version ? json_string(parts[i].version) : json_null());
    json_object_set_new(object, "libraries", inside);
    return cli_json_print(cli, object);
}

static int run_version(cli_run *cli, const void *values) {
    part parts[MOST_PARTS];
    bool solver;
    size_t count = list_parts(parts, &solver);
    (void)values;
    if (cli->shared.json) return as_json(cli, parts, count);
    printf("ksda %s\n", ksda_version());
    if (KSDA_COMMIT) printf("  %-8s %s\n", "commit", KSDA_COMMIT);
    for (size_t i = 0; i < count; i++)
        if (parts[i].version)
            printf("  %-8s %s\n", parts[i].name, parts[i].version);
        else
            printf("  %-8s not built in: --%s %s is not available\n", parts[i].name, i == 0 ? "detect" : "solver",
                   parts[i].name);
    if (!solver) printf("  no solver: integer programs can only be written as LP files, and proofs are weaker\n");
    return CLI_OK;
}

const cli_command cmd_version = {
    .name = "version",
    .group = "About ksda",
    .summary = "the version, and the libraries built in",
    .description = "Print the version of ksda, the commit it was built from where that is known, and the versions of "
                   "the libraries "
                   "it was built with. METIS and the solvers are optional: without METIS, "
                   "`--detect metis:N` is not available; without any solver, integer programs can be written but not "
                   "solved, and `ksda anonymize` proves less about its cost. GLPK is for tests and benchmarks: it is "
                   "in no build that is installed.",
    .shared = CLI_JSON | CLI_NO_PROGRESS_OPTIONS,
    .json = "version: of ksda\n"
            "commit: what it was built from, ending in `-dirty` where files had been changed since; null where that is "
            "not known\n"
            "libraries: an object with the version of each library, null for one that is not built in",
    .example = "$ ksda version",
    .run = run_version,
};
