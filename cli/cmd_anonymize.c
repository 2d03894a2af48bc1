/* ksda anonymize: load, find the communities, run a method, publish. */
#include "publish.h"

#include <stdlib.h>
#include <string.h>

typedef struct anonymize_options {
    cli_network_options network;
    cli_publish_options publish;
    uint64_t k;
    const char *method;
    double split_weight;
    const char *favour;
    double bound_time;
    const char *trace;
} anonymize_options;

static const anonymize_options defaults = {.publish = CLI_PUBLISH_DEFAULTS};

static const char *method_names(size_t i) {
    size_t count;
    const ksda_method *method = ksda_methods(&count);
    return i < count ? method[i].name : NULL;
}

CLI_CHOICES(favours, "balanced", "clustering", "paths") /* in the order of ksda_favour */

static ksda_favour favour_of(const char *name) {
    for (size_t i = 0; name && favours(i); i++)
        if (strcmp(name, favours(i)) == 0) return (ksda_favour)i;
    return KSDA_FAVOUR_BALANCED;
}

/* --- the trace: one JSON object a line for every step ------------------------------------------------------------- */

typedef struct tracer {
    const ksda_graph *graph;
    ksda_i_output *out;
} tracer;

/* Pieces are called as their vertex, new ones by their number: "+1" is the first substitute made. */
static json_t *piece_name(const ksda_graph *graph, uint32_t piece) {
    char name[1024];
    json_t *text;
    if (piece >= ksda_graph_vertices(graph)) return json_sprintf("+%u", piece - ksda_graph_vertices(graph) + 1);
    ksda_graph_name(graph, piece, name, sizeof name);
    text = json_string(name);
    return text ? text : json_sprintf("vertex %u", piece); /* a name that is not UTF-8 */
}

static void trace_step(const ksda_step *step, void *payload) {
    const tracer *t = payload;
    json_t *object = json_object(), *edges = json_array();
    char *text;
    json_object_set_new(object, "action", json_string(step->action));
    json_object_set_new(object, "vertex", piece_name(t->graph, step->vertex));
    json_object_set_new(object, "piece", piece_name(t->graph, step->piece));
    json_object_set_new(object, "degree", json_integer(step->degree));
    json_object_set_new(object, "target", json_integer(step->target));
    json_object_set_new(object, "cost", json_integer((json_int_t)step->cost));
    for (uint32_t i = 0; i < step->edge_count; i++) {
        json_t *pair = json_array();
        json_array_append_new(pair, piece_name(t->graph, step->edges[i].u));
        json_array_append_new(pair, piece_name(t->graph, step->edges[i].v));
        json_array_append_new(edges, pair);
    }
    json_object_set_new(object, "edges", edges);
    text = json_dumps(object, JSON_COMPACT);
    if (text) ksda_i_output_text(t->out, text), ksda_i_output_text(t->out, "\n");
    free(text);
    json_decref(object);
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

static int anonymize(cli_run *cli, const anonymize_options *o, const cli_network *network) {
    size_t count;
    const ksda_method *method = o->method ? ksda_method_find(o->method) : ksda_methods(&count);
    ksda_anonymize_options options;
    ksda_edits *edits = NULL;
    cli_outputs set = {.count = 0};
    tracer trace = {.graph = network->net.graph};
    ksda_status status = KSDA_OK;
    double start = cli_now();
    int code;
    ksda_i_summary s = {.method = method->name, .k = (uint32_t)o->k, .original = network->net.graph,
                        .communities = network->net.communities, .detected = network->detected[0] ? network->detected : NULL,
                        .baseline = (method->flags & KSDA_METHOD_BASELINE) != 0, .load = network->load_seconds,
                        .communities_seconds = network->communities_seconds};
    ksda_anonymize_options_init(&options);
    options.k = s.k;
    options.split_weight = o->split_weight;
    options.favour = favour_of(o->favour);
    options.bound_seconds = o->bound_time;
    if (o->trace) {
        status = cli_outputs_open(cli, &set, o->trace, true, &trace.out);
        options.step = trace_step;
        options.step_payload = &trace;
    }
    ksda_ctx_set_time_limit(cli->ctx, cli->shared.time_limit); /* for the method, not for loading */
    if (status >= 0)
        status = ksda_anonymize(cli->ctx, s.original, s.communities, method, &options, &edits, &s.result);
    s.limited = status == KSDA_LIMIT;
    s.anonymize = cli_now() - start;
    code = status < 0 ? cli_fail(cli, status) : cli_publish(cli, &o->publish, edits, &s, NULL, &set);
    cli_outputs_abandon(&set);
    ksda_edits_free(cli->ctx, edits);
    return code;
}

static int run(cli_run *cli, const void *values) {
    const anonymize_options *o = values;
    cli_network network;
    int code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &network);
    if (code == 0 && o->publish.communities && network.net.unassigned && o->network.unassigned && strcmp(o->network.unassigned, "own") == 0)
        code = cli_usage(cli->command, "--publish-communities with --unassigned own would show the order of the original vertices: their own "
                                       "communities are numbered in it. Use --unassigned together");
    if (code == 0) code = anonymize(cli, o, &network);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    {.letter = 'k', .value = "K", .type = CLI_COUNT, .at = offsetof(anonymize_options, k), .min = 1, .max = UINT32_MAX,
     .required = true, .help = "communities that every degree must occur in",
     .more = "From 1 to the number of communities. Larger hides better and changes more."},
    CLI_NETWORK_ROWS(anonymize_options, network),
    {.letter = 'm', .name = "method", .value = "NAME", .type = CLI_CHOICE, .at = offsetof(anonymize_options, method),
     .choices = method_names, .help = "how to do it; `ksda methods` lists them"},
    CLI_PUBLISH_ROWS(anonymize_options, publish),
    {.name = "split-weight", .value = "W", .type = CLI_REAL, .at = offsetof(anonymize_options, split_weight),
     .shown = "vertices squared: split only where adding edges cannot do it",
     .help = "what one more vertex costs, in edges"},
    {.name = "favour", .value = "WHAT", .type = CLI_CHOICE, .at = offsetof(anonymize_options, favour), .choices = favours,
     .help = "level-plan: what to keep among releases that cost the same",
     .more = "`balanced` connects to the largest degrees first; `clustering` to friends of friends with the most friends in common; "
             "`paths` to friends of friends with the largest degrees, which makes no shortcuts between far ends."},
    {.name = "bound", .value = "SECONDS", .type = CLI_REAL, .at = offsetof(anonymize_options, bound_time),
     .shown = "0: do not", .help = "level-plan: let the exact method work so long on the proved bound and the release"},
    {.name = "trace", .value = "FILE", .type = CLI_OUTPUT, .at = offsetof(anonymize_options, trace),
     .help = "write every step of the method, a JSON object a line (private, mode 0600)",
     .more = "Fields: action, vertex, piece, degree (before), target, cost, edges. Vertices are called as in the input, the "
             "substitutes made by splitting +1, +2, ... Methods that do not work in steps write none."},
    {0}};
static const cli_argument arguments[] = {{"GRAPH", CLI_INPUT, true, NULL, "the network: a file, `-`, `builtin:lesmis` or `builtin:karate`"}, {0}};

const cli_command cmd_anonymize = {
    .name = "anonymize",
    .group = "Publish",
    .summary = "publish a network so that every degree occurs in at least k communities",
    .description =
        "Change as little as possible so that whoever knows the degree of a person in the published network still has at least "
        "k communities to choose from. Edges are only added, and only inside communities; where that is not enough, some methods "
        "split a vertex into several that share its edges. No original edge is lost.\n\n"
        "The result is always recounted by the same independent check as `ksda verify` before anything is written. All "
        "outputs appear together or not at all. Published vertices are numbered by a random permutation from the operating "
        "system and edges are written in the order of these numbers: nothing in the file says which edges or vertices are new. "
        "The map, the summary and the trace stay with you.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(anonymize_options),
    .defaults = &defaults,
    .json = "method: its name\n"
            "k: what was asked for\n"
            "seed: of the method, not of the published ids\n"
            "vertices: of the original\n"
            "edges: of the original\n"
            "communities: how many\n"
            "detected: how they were found; null when they were given\n"
            "published_vertices: of the release\n"
            "published_edges: of the release\n"
            "added_edges: n_a, edges added (links between pieces of one vertex are free and not counted)\n"
            "added_vertices: n_s, pieces minus vertices split\n"
            "split_vertices: how many vertices were split\n"
            "links: between pieces of one vertex\n"
            "removed_edges: 0, except by a baseline\n"
            "split_weight: what one added vertex costs\n"
            "cost: added_edges + split_weight * added_vertices\n"
            "lower_bound: proved least cost; null when the method proves none\n"
            "gap: (cost - lower_bound) / lower_bound; null when unknown\n"
            "valid: only allowed changes were made (false for a baseline)\n"
            "satisfied: the release is k-structurally diverse\n"
            "limited: the time limit stopped the search\n"
            "seconds: time taken\n"
            "seconds.load: reading\n"
            "seconds.communities: detecting them\n"
            "seconds.anonymize: the method\n"
            "seconds.verify: recounting\n"
            "seconds.write: writing\n"
            "peak_rss_bytes: most memory used\n"
            "version: of ksda",
    .exits = "4: the method found no solution, or there is none; the message names the vertex and the reason\n"
             "5: the time limit was hit; a valid result was written",
    .example = "$ ksda anonymize builtin:karate -k 2 -o published.edges --map private.map\n"
               "$ ksda check published.edges -k 2 --detect metis:2 || true",
    .see_also = "**ksda-check**(1), **ksda-verify**(1), **ksda-methods**(1), **ksda-formats**(5)",
    .run = run,
};
