/* Loading a network with its communities: from a file, a vertex attribute, a detector, or compiled in. */
#include "cli.h"

#include <string.h>

const char *cli_unassigned_choices(size_t i) {
    return ksda_unassigned_name((ksda_unassigned)i);
}

const char *cli_overlap_choices(size_t i) {
    return ksda_overlap_name((ksda_overlap)i);
}

const char *cli_header_choices(size_t i) {
    return ksda_header_name((ksda_header)i);
}

const char *cli_encoding_choices(size_t i) {
    static const char *const names[] = {"utf-8", "latin-1", "windows-1252", "utf-16"};
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

const char *cli_communities_format_choices(size_t i) {
    return ksda_communities_format_name((ksda_communities_format)i);
}

/* The i-th format of all, or of those that can be written; NULL after the last. */
static const char *format_choice(size_t i, bool to_write) {
    ksda_format format = KSDA_FORMAT_AUTO;
    while ((format = ksda_format_next(format)) != KSDA_FORMAT_AUTO)
        if ((!to_write || ksda_format_is_written(format)) && i-- == 0) return ksda_format_name(format);
    return NULL;
}

const char *cli_output_format_choices(size_t i) {
    return format_choice(i, true);
}

const char *cli_format_choices(size_t i) {
    return i == 0 ? "auto" : format_choice(i - 1, false);
}

ksda_format cli_format(const char *name) {
    return name && strcmp(name, "auto") != 0 ? ksda_format_find(name) : KSDA_FORMAT_AUTO;
}

bool cli_parse_detector(const char *text, uint32_t *parts) {
    uint64_t n;
    *parts = 0;
    if (strcmp(text, "leiden") == 0) return true;
    if (strncmp(text, "metis:", 6) != 0 || !cli_parse_count(text + 6, strlen(text + 6), &n)) return false;
    if (n == 0 || n > KSDA_MAX_VERTICES) return false;
    *parts = (uint32_t)n;
    return true;
}

static int check_options(cli_run *cli, const cli_network_options *options) {
    int ways = (options->communities != NULL) + (options->attribute != NULL) + (options->detect != NULL);
    uint32_t parts;
    if (ways > 1)
        return cli_usage(cli->command,
                         "only one of -c, --community-attribute and --detect can say what the communities are");
    const char *comma = options->columns ? strchr(options->columns, ',') : NULL;
    if (options->columns && (!comma || comma == options->columns || !comma[1]))
        return cli_usage(cli->command, "--columns: '%s' is not A,B, two names or numbers from 1", options->columns);
    if (options->detect && !cli_parse_detector(options->detect, &parts))
        return cli_usage(cli->command, "--detect: '%s' is neither 'leiden' nor 'metis:N' with N parts",
                         options->detect);
    return 0;
}

static int load_network(cli_run *cli, const char *path, const cli_network_options *options, ksda_network *out) {
    ksda_load_options load_options;
    ksda_load_options_init(&load_options);
    load_options.format = cli_format(cli->shared.format);
    load_options.communities = options->communities;
    load_options.attribute = options->attribute;
    load_options.name_attribute = options->name_attribute;
    load_options.encoding = options->encoding;
    load_options.columns = options->columns;
    if (options->unassigned) ksda_unassigned_from_name(options->unassigned, &load_options.unassigned);
    if (options->communities_format)
        ksda_communities_format_from_name(options->communities_format, &load_options.communities_format);
    if (options->header) ksda_header_from_name(options->header, &load_options.header);
    if (options->communities_header)
        ksda_header_from_name(options->communities_header, &load_options.communities_header);
    load_options.vertex_column = options->vertex_column;
    load_options.community_column = options->community_column;
    load_options.unassigned_list = options->list_unassigned;
    if (options->overlap) ksda_overlap_from_name(options->overlap, &load_options.overlap);
    return cli_fail_input(cli, ksda_load(cli->ctx, path, &load_options, out));
}

/* --- how it was read --------------------------------------------------------------------------------------------- */

const char *const cli_json_reading_text =
    "reading: how each file of lines was read: file, header (the number of that line, or null), assumed (whether that "
    "is a guess), columns (of a line; 0 where it has none), taken (the two columns that were read, from 1), note (what "
    "was assumed or "
    "ignored, for people)\n"
    "without_community: vertices whose community is not known: vertices (how many), how (what --unassigned says), "
    "counted (whether they count towards k); null where no communities are read";

const char *const cli_json_solver_text =
    "solver_failures: linear programs whose solver ended without an answer; what it would have proved is not claimed";

/* How many had no community, and what became of them. */
static void tell_unassigned(cli_run *cli, const char *how, const ksda_network *net) {
    json_t *entry;
    if (!net->communities || cli->unassigned) return;
    cli->unassigned = entry = json_object();
    cli_json_count(entry, "vertices", net->unassigned);
    cli_json_string(entry, "how", how ? how : "refuse");
    json_object_set_new(entry, "counted", json_boolean(how && strstr(how, "-counted")));
    if (net->unassigned)
        cli_message(cli, "%u of %u vertices %s no community: %s", net->unassigned, ksda_graph_vertices(net->graph),
                    net->unassigned == 1 ? "has" : "have", ksda_unassigned_text(net->communities));
}

/* names: what is odd about them, beside what the reading notes. */
static void tell_reading(cli_run *cli, const char *path, const ksda_reading *reading, const char *names) {
    char note[2048];
    if (reading->columns == 0 && !reading->note[0] && !*names) return;
    json_t *entry = json_object(), *taken = json_array();
    snprintf(note, sizeof note, "%s%s%s", reading->note, reading->note[0] && *names ? "; " : "", names);
    if (reading->note[0]) cli_message(cli, "%s: %s", path, reading->note);
    if (*names) cli_message(cli, "%s: %s", path, names);
    cli_json_string(entry, "file", path);
    json_object_set_new(entry, "header", reading->header ? json_integer((json_int_t)reading->header) : json_null());
    json_object_set_new(entry, "assumed", json_boolean(reading->assumed));
    json_object_set_new(entry, "columns", json_integer(reading->columns));
    for (int i = 0; i < 2; i++) json_array_append_new(taken, json_integer(reading->column[i]));
    json_object_set_new(entry, "taken", taken);
    cli_json_string(entry, "note", note);
    json_array_append_new(cli->reading, entry);
}

static int load_builtin(cli_run *cli, const char *path, const cli_network_options *options, ksda_network *out) {
    ksda_status status = cli_builtin_load(cli->ctx, path + strlen("builtin:"), out);
    if (status == KSDA_NOT_FOUND)
        return cli_usage(cli->command, "'%s': the networks built in are builtin:lesmis and builtin:karate", path);
    if (status < 0) return cli_fail(cli, status);
    if (options->communities || options->attribute)
        return cli_usage(cli->command, "'%s' has communities of its own; only --detect can replace them", path);
    return 0;
}

static int detect(cli_run *cli, const char *how, cli_network *n) {
    uint32_t parts;
    ksda_communities *found = NULL;
    ksda_status status;
    cli_parse_detector(how, &parts);
    if (parts)
        status = ksda_detect_metis(cli->ctx, n->net.graph, parts, &n->empty_parts, &found);
    else
        status = ksda_detect_leiden(cli->ctx, n->net.graph, &found);
    if (status < 0) return cli_fail(cli, status);
    ksda_communities_free(cli->ctx, n->net.communities);
    n->net.communities = found;
    snprintf(n->detected, sizeof n->detected, "%s", how);
    if (n->empty_parts)
        cli_message(cli, "METIS left %u of the %u parts empty; they are not counted", n->empty_parts, parts);
    return 0;
}

int cli_network_load(cli_run *cli, const char *path, const cli_network_options *options, int need, cli_network *out) {
    double start = cli_now();
    bool builtin = strncmp(path, "builtin:", 8) == 0;
    int code;
    *out = (cli_network){.net = KSDA_INIT(ksda_network), .path = path};
    if ((code = check_options(cli, options))) return code;
    if (need == CLI_COMMUNITIES_REQUIRED && !builtin && !options->communities && !options->attribute &&
        !options->detect)
        return cli_usage(cli->command,
                         "what are the communities? Give -c FILE, --community-attribute NAME or --detect HOW");
    code = builtin ? load_builtin(cli, path, options, &out->net) : load_network(cli, path, options, &out->net);
    out->load_seconds = cli_now() - start;
    if (!cli->reading) cli->reading = json_array();
    if (code == 0) tell_unassigned(cli, options->unassigned, &out->net);
    if (code == 0) tell_reading(cli, path, &out->net.graph_reading, options->communities ? "" : out->net.note);
    if (code == 0 && options->communities)
        tell_reading(cli, options->communities, &out->net.communities_reading, out->net.note);
    if (code || !options->detect) return code;
    start = cli_now();
    code = detect(cli, options->detect, out);
    out->communities_seconds = cli_now() - start;
    return code;
}

void cli_network_clear(cli_run *cli, cli_network *network) {
    ksda_network_clear(cli->ctx, &network->net);
}
