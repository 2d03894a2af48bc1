/* ksda anonymize: load, find the communities, run a method, publish. */
#include "frontier.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct anonymize_options {
    cli_network_options network;
    cli_publish_options publish;
    uint64_t k;
    ksda_share max_share;
    const char *method;
    double split_weight;
    const char *favour;
    double plausible_cost;
    double bound_time;
    bool no_proof;
    const char *trace;
    bool frontier;
    uint64_t frontier_runs;
} anonymize_options;

static const anonymize_options defaults = {.publish = CLI_PUBLISH_DEFAULTS, .plausible_cost = 25};

static const char *method_names(size_t i) {
    size_t count;
    const ksda_method *method = ksda_methods(&count);
    return i < count ? method[i].name : NULL;
}

static const char *favours(size_t i) {
    return ksda_favour_name((ksda_favour)i);
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
    text = cli_json_text(object, JSON_COMPACT);
    if (text)
        ksda_i_output_text(t->out, text), ksda_i_output_text(t->out, "\n");
    else
        ksda_i_output_fail(t->out, ENOMEM);
    cli_json_text_free(text);
    json_decref(object);
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

static cli_frontier_options frontier_of(const anonymize_options *o) {
    return (cli_frontier_options){.wanted = o->frontier,
                                  .runs = o->frontier_runs,
                                  .publishing = o->publish.output != NULL,
                                  .measured = !o->publish.no_measures,
                                  .method = o->method,
                                  .trace = o->trace,
                                  .bound_time = o->bound_time};
}

static int run_method(cli_run *cli, const anonymize_options *o, const ksda_method *method,
                      ksda_anonymize_options *options, cli_found *found) {
    const ksda_network *net = &found->network->net;
    ksda_edits *edits = NULL;
    cli_outputs set = {.count = 0};
    tracer trace = {.graph = net->graph};
    ksda_status status = KSDA_OK;
    double start = cli_now();
    if (o->trace) {
        status = cli_outputs_open(cli, &set, o->trace, true, &trace.out);
        options->step = trace_step;
        options->step_payload = &trace;
    }
    cli_begin_method(cli, found->network->load_seconds);
    if (status >= 0)
        status = ksda_anonymize(cli->ctx, net->graph, net->communities, method, options, &edits, &found->result);
    if (cli_end_method(cli) && status >= 0)
        cli_message(cli, "interrupted: this is the best release so far; once more to stop at once");
    found->limited = status == KSDA_LIMIT;
    found->seconds = cli_now() - start;
    int code = status < 0 ? cli_fail_method(cli, status, found->method)
                          : cli_publish(cli, &o->publish, edits, found, NULL, &set);
    cli_outputs_abandon(&set);
    ksda_edits_free(cli->ctx, edits);
    return code;
}

static int anonymize(cli_run *cli, const anonymize_options *o, const cli_network *network) {
    size_t count;
    const ksda_method *method = o->method ? ksda_method_find(o->method) : ksda_methods(&count);
    cli_frontier_options frontier = frontier_of(o);
    ksda_anonymize_options options;
    cli_found found = {.method = method->name,
                       .k = (uint32_t)o->k,
                       .max_share = o->max_share,
                       .network = network,
                       .result = KSDA_INIT(ksda_anonymize_result),
                       .baseline = (method->flags & KSDA_METHOD_BASELINE) != 0,
                       .no_proof = o->no_proof};
    cli_publish_remark(cli, &o->publish);
    ksda_anonymize_options_init(&options);
    options.k = found.k;
    options.max_share = found.max_share;
    options.split_weight = o->split_weight;
    if (o->favour) ksda_favour_from_name(o->favour, &options.favour);
    options.plausible_cost = o->plausible_cost;
    options.bound_seconds = o->bound_time;
    options.no_proof = o->no_proof;
    return frontier.wanted ? cli_frontier(cli, &frontier, &o->publish, &options, &found)
                           : run_method(cli, o, method, &options, &found);
}

/* --frontier alone publishes nothing. */
static void settle(void *values) {
    anonymize_options *o = values;
    if (o->frontier && o->publish.output == defaults.publish.output) o->publish.output = NULL;
}

/* A method that does not go step by step has nothing to trace: an empty file would look like one. */
static int check_trace(const cli_run *cli, const anonymize_options *o) {
    size_t count;
    const ksda_method *all = ksda_methods(&count), *method = o->method ? ksda_method_find(o->method) : all;
    char names[256] = "";
    if (!o->trace || !method || method->flags & KSDA_METHOD_STEPS) return 0;
    for (size_t i = 0, at = 0; i < count && at < sizeof names; i++)
        if (all[i].flags & KSDA_METHOD_STEPS)
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", all[i].name);
    return cli_usage(cli->command, "--trace: %s does not go step by step; these methods do: %s", method->name, names);
}

static int run(cli_run *cli, const void *values) {
    const anonymize_options *o = values;
    const cli_frontier_options frontier = frontier_of(o);
    cli_network network;
    int code = cli_frontier_check(cli, &frontier, &o->publish);
    if (code == 0 && o->no_proof && (o->frontier || o->bound_time > 0))
        code =
            cli_usage(cli->command, "--no-proof leaves out what %s asks for", o->frontier ? "--frontier" : "--bound");
    if (code == 0 && o->frontier && o->favour && strcmp(o->favour, "plausible") == 0)
        code = cli_usage(cli->command, "--favour plausible goes on from one run; --frontier makes many");
    if (code == 0) code = check_trace(cli, o);
    if (code == 0) code = cli_publish_check(cli, &o->publish);
    if (code) return code;
    code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &network);
    if (code == 0) code = anonymize(cli, o, &network);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    CLI_K(anonymize_options, k, CLI_K_NEEDED,
          .more = "From 1 to the number of communities. Larger hides better and changes more."),
    CLI_MAX_SHARE(anonymize_options, max_share, "level-plan: the largest share of a degree that a community may have"),
    CLI_NETWORK_ROWS(anonymize_options, network),
    CLI_OVERLAP_ROW(anonymize_options, network),
    {.letter = 'm',
     .name = "method",
     .value = "NAME",
     .type = CLI_CHOICE,
     .at = offsetof(anonymize_options, method),
     .choices = method_names,
     .help = "how to do it; `ksda methods` lists them"},
    CLI_PUBLISH_ROWS(anonymize_options, publish),
    CLI_SPLIT_WEIGHT(anonymize_options, split_weight, "vertices squared: split only where adding edges cannot do it"),
    {.name = "frontier",
     .type = CLI_FLAG,
     .at = offsetof(anonymize_options, frontier),
     .help = "level-plan: show the whole trade-off between added edges and added vertices",
     .more = "Runs the method with split weights from almost 0 to vertices squared, each chosen where two neighbouring "
             "releases cost the "
             "same, and lists every release that no other one beats in both: its split weight, how far its cost can be "
             "from the least "
             "possible, and what it does to the measures. Nothing is published unless **-o** is given: then the "
             "cheapest of all "
             "these releases for **--split-weight** is. **--report** draws the trade-off. With **--max-share** all of "
             "them keep "
             "it; **ksda advise --max-share A,A,...** tells what each share costs."},
    {.name = "frontier-runs",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(anonymize_options, frontier_runs),
     .min = 1,
     .max = 100000,
     .shown = "32",
     .help = "level-plan: most runs of the method for the frontier"},
    {.name = "favour",
     .value = "WHAT",
     .type = CLI_CHOICE,
     .at = offsetof(anonymize_options, favour),
     .choices = favours,
     .help = "level-plan: what to keep among releases that cost the same",
     .more = "`balanced` keeps distances, betweenness, eigenvector centralities and clustering near to what they were; "
             "`clustering` "
             "keeps clustering above all, `paths` distances. It decides whom added edges connect and which edges go to "
             "which piece of "
             "a split vertex, never how many there are.\n\n`plausible` goes on from the release that is the default's: "
             "added edges are exchanged, and some more are spent (**--plausible-cost**), so that who ranks the edges "
             "of a person by what the two ends have in common finds them no more often than others. `ksda attack "
             "--original` tells how well that was reached."},
    {.name = "plausible-cost",
     .value = "PERCENT",
     .type = CLI_REAL,
     .at = offsetof(anonymize_options, plausible_cost),
     .max = 1000,
     .help = "level-plan, with --favour plausible: so many more edges than found may be added"},
    {.name = "bound",
     .value = "SECONDS",
     .type = CLI_REAL,
     .at = offsetof(anonymize_options, bound_time),
     .shown = "0: do not",
     .help =
         "level-plan: let the exact method work so long on the proved bound, and where nobody is split on the release",
     .more = "With **--max-share** it is the bound alone, as an integer program."},
    {.name = "no-proof",
     .type = CLI_FLAG,
     .at = offsetof(anonymize_options, no_proof),
     .help = "level-plan: stop when the release is found, and prove nothing about it",
     .more = "Otherwise as much time as the search took, 10 seconds at most, goes into a proof of how few edges and "
             "added vertices would do. The release is the same."},
    {.name = "trace",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(anonymize_options, trace),
     .help = "write every step of the method, a JSON object a line (private, mode 0600)",
     .more = "Fields: action, vertex, piece, degree (before), target, cost, edges. Vertices are called as in the "
             "input, the "
             "substitutes made by splitting +1, +2, ... Methods that do not work in steps write none."},
    {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_anonymize = {
    .name = "anonymize",
    .group = "Publish",
    .summary = "publish a network so that every degree occurs in at least k communities",
    .description =
        "Change as little as possible so that whoever knows the degree of a person in the published network still has "
        "at least "
        "k communities to choose from. Edges are only added, and only inside communities; where that is not enough, "
        "some methods "
        "split a vertex into several that share its edges. No original edge is lost.\n\n"
        "The result is always recounted by the same independent check as `ksda verify` before anything is written. All "
        "outputs appear together or not at all. Published vertices are numbered by a random permutation from the "
        "operating "
        "system and edges are written in the order of these numbers: nothing in the file says which edges or vertices "
        "are new. "
        "The map, the summary and the trace stay with you.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT | CLI_PROOFS,
    .size = sizeof(anonymize_options),
    .defaults = &defaults,
    .json =
        "method: its name\n"
        "k: what was asked for\n"
        "trivial_k: k is 1, which every network satisfies: nothing is guaranteed\n"
        "max_share: the share bound that was asked for, as a fraction in text; null without --max-share\n"
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
        "least_added_edges: proved: no release with at most added_vertices added vertices has fewer; null when "
        "nothing was proved\n"
        "least_added_vertices: proved: no release has fewer; null when nothing was proved\n"
        "added_edges_auc: how well added edges can be told from own ones (worst, low, high, exact); null when none\n"
        "valid: only allowed changes were made (false for a baseline)\n"
        "satisfied: the release is k-structurally diverse\n"
        "overlap: disjoint where people are in several communities, else null\n"
        "witnesses: then, for each degree, its k witnesses: degree, vertices (published ids; from 0, also where the "
        "file numbers from 1); else null\n"
        "limited: the time limit or Ctrl-C stopped the search\n"
        "seconds: time taken\n"
        "seconds.load: reading\n"
        "seconds.communities: detecting them\n"
        "seconds.anonymize: the method\n"
        "seconds.search: of these until the release was found; null where the method does not tell\n"
        "seconds.proof: of these for the proof\n"
        "seconds.verify: recounting\n"
        "seconds.write: writing\n"
        "peak_rss_bytes: most memory used\n"
        "version: of ksda\n"
        "frontier: with --frontier only; without -o it stands beside method, k, max_share, seed, vertices, edges, "
        "communities, detected, limited, "
        "peak_rss_bytes and version\n"
        "frontier.complete: every gap between neighbouring releases was looked into\n"
        "frontier.runs: of the method\n"
        "frontier.points: the releases that no other one beats, by rising added_vertices\n"
        "frontier.points.added_edges: n_a\n"
        "frontier.points.added_vertices: n_s\n"
        "frontier.points.split_vertices: how many vertices are split\n"
        "frontier.points.cheapest: for some split weight no other one is cheaper; false: the next fields up to gap "
        "are null\n"
        "frontier.points.from_weight: it is the cheapest for split weights from here\n"
        "frontier.points.to_weight: up to here; null for the first: any more\n"
        "frontier.points.split_weight: one of them\n"
        "frontier.points.repeatable: anonymize --split-weight with it gives just this release\n"
        "frontier.points.cost: added_edges + split_weight * added_vertices\n"
        "frontier.points.lower_bound: proved least cost for split_weight\n"
        "frontier.points.gap: (cost - lower_bound) / lower_bound\n"
        "frontier.points.least_added_edges: proved: no release with at most added_vertices added vertices has "
        "fewer\n"
        "frontier.points.measures: clustering, aspl, degree_centralization, betweenness_centralization, "
        "eigenvector_correlation, as "
        "ksda-compare(1) has them; intervals of the sampled ones; change: relative to the original. Null where not "
        "measured\n"
        "frontier.bounds: what each run proved: every release has added_edges + split_weight * added_vertices >= "
        "lower_bound\n"
        "frontier.original: the measures of the original; null with --no-measures\n"
        "frontier.search_seconds: for the runs\n"
        "frontier.measure_seconds: to verify and measure",
    .exits = "4: the method found no solution, or there is none; the message names the vertex and the reason\n"
             "5: the time limit was hit, or Ctrl-C; a valid result was written",
    .example = "$ ksda anonymize builtin:karate -k 2 -o published.edges --map private.map\n"
               "$ ksda check published.edges -k 2 --detect metis:2 || true\n"
               "$ ksda anonymize builtin:karate -k 2 --frontier",
    .see_also = "**ksda-check**(1), **ksda-verify**(1), **ksda-methods**(1), **ksda-formats**(5)",
    .settle = settle,
    .run = run,
};
