/* The witnesses that a summary lists, read for verify. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* The vertex that the entry names; KSDA_NO_VERTEX where there is none. */
static uint32_t vertex_of(const ksda_graph *published, const json_t *entry, bool from_one) {
    char name[32];
    if (!json_is_integer(entry)) return KSDA_NO_VERTEX;
    int length = snprintf(name, sizeof name, "%lld", (long long)json_integer_value(entry) + from_one);
    return ksda_graph_find(published, name, (size_t)length);
}

int cli_witnesses_load(const char *path, const cli_network *published, uint32_t **out, uint64_t *count) {
    json_error_t error;
    json_t *summary = json_load_file(path, 0, &error), *list = json_object_get(summary, "witnesses"), *degree, *entry;
    bool from_one = published->net.format == KSDA_FORMAT_METIS || published->net.format == KSDA_FORMAT_MTX;
    size_t i, j, total = 0;
    int code = 0;
    *out = NULL, *count = 0;
    if (!summary) {
        cli_error("%s:%d: %s", path, error.line, error.text);
        code = CLI_BAD_INPUT;
    } else if (!json_is_array(list)) {
        cli_error("%s: no list of witnesses: expected a summary of `ksda anonymize --overlap disjoint --summary`",
                  path);
        code = CLI_BAD_INPUT;
    }
    json_array_foreach(list, i, degree) total += json_array_size(json_object_get(degree, "vertices"));
    if (code == 0) *out = malloc((total + 1) * sizeof **out);
    json_array_foreach(list, i, degree) {
        json_array_foreach(json_object_get(degree, "vertices"), j, entry) {
            uint32_t v = vertex_of(published->net.graph, entry, from_one);
            if (v != KSDA_NO_VERTEX && *out) (*out)[(*count)++] = v;
            if (v != KSDA_NO_VERTEX || code) continue;
            cli_error("%s: witness %lld is not in the published network: is it the summary of this release?", path,
                      (long long)json_integer_value(entry));
            code = CLI_BAD_INPUT;
        }
    }
    json_decref(summary);
    return code;
}
