/* ksda optimal: the cheapest release, proved; or the paper's integer program as an LP file. */
#include "publish.h"

#include <math.h>
#include <string.h>

typedef struct optimal_options {
    cli_network_options network;
    cli_publish_options publish;
    uint64_t k;
    ksda_share max_share;
    const char *operations, *solver, *write_lp;
    double split_weight;
    uint64_t pieces;
} optimal_options;

static const optimal_options defaults = {.publish = CLI_PUBLISH_DEFAULTS, .operations = "add", .solver = "fast"};

CLI_CHOICES(operation_names, "add", "add+split")

static const char *solver_names(size_t i) {
    const ksda_solver_info *info = ksda_solver(i);
    return info ? info->name : NULL;
}

static void read_options(const optimal_options *o, ksda_optimal_options *out) {
    ksda_optimal_options_init(out);
    out->k = (uint32_t)o->k;
    out->max_share = o->max_share;
    out->split = strcmp(o->operations, "add+split") == 0;
    out->split_weight = o->split_weight;
    out->solver = o->solver;
    out->pieces = (uint32_t)o->pieces;
}

/* The fields that an optimum has besides a summary. */
static void add_fields(json_t *object, const ksda_optimal_result *r) {
    cli_json_string(object, "status", ksda_model_status_name(r->status));
    cli_json_real(object, "objective", r->objective);
    cli_json_real(object, "bound", r->bound);
    cli_json_string(object, "reason", r->reason[0] ? r->reason : NULL);
}

/* Nothing to publish: impossible, or none found in time. */
static int tell_none(cli_run *cli, const optimal_options *o, const ksda_optimal_result *r) {
    cli_bar_clear(cli->bar);
    if (cli->shared.json) {
        json_t *object = cli_json();
        cli_json_string(object, "method", "optimal");
        json_object_set_new(object, "k", json_integer((json_int_t)o->k));
        add_fields(object, r);
        int code = cli_json_print(cli, object);
        if (code) return code;
    }
    if (r->status == KSDA_MODEL_INFEASIBLE)
        cli_error("proved impossible for k = %u%s: %s", (unsigned)o->k,
                  strcmp(o->operations, "add") == 0 ? " by adding edges alone (try --operations add+split)" : "",
                  r->reason);
    else
        cli_error("no solution found %s%s; none is cheaper than %.12g", r->reason[0] ? "because " : "in the time given",
                  r->reason, r->bound);
    return CLI_NO;
}

static int publish(cli_run *cli, const optimal_options *o, const cli_network *network, const ksda_edits *edits,
                   const ksda_optimal_result *r) {
    cli_outputs set = {.count = 0};
    cli_found found = {.method = "optimal",
                       .k = (uint32_t)o->k,
                       .max_share = o->max_share,
                       .network = network,
                       .result = KSDA_INIT(ksda_anonymize_result),
                       .limited = r->status != KSDA_MODEL_OPTIMAL,
                       .seconds = r->seconds};
    json_t *extra = json_object();
    found.result.split_weight = r->split_weight;
    found.result.added_edges = r->added_edges;
    found.result.added_vertices = r->added_vertices;
    found.result.split_vertices = ksda_edits_split_vertices(edits);
    found.result.cost = r->objective;
    found.result.lower_bound = r->bound;
    found.result.search_seconds = NAN;
    add_fields(extra, r);
    if (r->reason[0]) cli_message(cli, "not proved to be the least: %s", r->reason);
    int code = cli_publish(cli, &o->publish, edits, &found, extra, &set);
    json_decref(extra);
    return code;
}

static int solve_optimal(cli_run *cli, const optimal_options *o, const cli_network *network) {
    const ksda_network *net = &network->net;
    ksda_optimal_options options;
    ksda_optimal_result result = KSDA_INIT(ksda_optimal_result);
    ksda_edits *edits = NULL;
    int code;
    read_options(o, &options);
    if (o->write_lp)
        return cli_fail(cli, ksda_optimal_write_lp(cli->ctx, net->graph, net->communities, &options, o->write_lp));
    cli_publish_remark(cli, &o->publish);
    cli_begin_method(cli, network->load_seconds);
    ksda_status status = ksda_optimal(cli->ctx, net->graph, net->communities, &options, &edits, &result);
    if (cli_end_method(cli) && status >= 0 && edits)
        cli_message(cli, "interrupted: this is the best release so far; once more to stop at once");
    code = cli_fail(cli, status);
    if (code == 0) code = edits ? publish(cli, o, network, edits, &result) : tell_none(cli, o, &result);
    ksda_edits_free(cli->ctx, edits);
    return code;
}

static int run_optimal(cli_run *cli, const void *values) {
    const optimal_options *o = values;
    cli_network network;
    int code = o->write_lp ? 0 : cli_publish_check(cli, &o->publish);
    if (code) return code;
    code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &network);
    if (code == 0) code = solve_optimal(cli, o, &network);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    CLI_K(optimal_options, k, CLI_K_NEEDED),
    CLI_MAX_SHARE(optimal_options, max_share, "the largest share of a degree that a community may have"),
    CLI_NETWORK_ROWS(optimal_options, network),
    CLI_OVERLAP_ROW(optimal_options, network),
    {.name = "operations",
     .value = "WHAT",
     .type = CLI_CHOICE,
     .at = offsetof(optimal_options, operations),
     .choices = operation_names,
     .help = "add: only add edges; add+split: split vertices as well"},
    {.name = "solver",
     .value = "NAME",
     .type = CLI_CHOICE,
     .at = offsetof(optimal_options, solver),
     .choices = solver_names,
     .help = "fast: the method of this program; cbc, glpk: the paper's integer program as it stands, by this solver",
     .more = "`fast` solves what the integer program solves, in seconds instead of days where communities have more "
             "than a few dozen vertices. It uses the first solver that is built in; `fast:cbc` and `fast:glpk` name "
             "one. GLPK is in no build that is installed (`-DKSDA_WITH_GLPK=ON`): it is a second opinion for tests."},
    {.name = "write-lp",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(optimal_options, write_lp),
     .help = "write the paper's integer program as a CPLEX LP file (private, mode 0600) and stop",
     .more = "CPLEX, Gurobi, HiGHS, SCIP, GLPK and CBC read it. It describes the original network."},
    CLI_PUBLISH_ROWS(optimal_options, publish),
    CLI_SPLIT_WEIGHT(optimal_options, split_weight, "vertices squared: the fewest splits first, then the fewest edges"),
    {.name = "pieces",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(optimal_options, pieces),
     .max = UINT32_MAX,
     .shown = "as many as it has edges",
     .help = "pieces that a vertex may have at most in the integer program with splitting",
     .more = "Fewer make the program smaller; the bound then also covers solutions with more pieces, and may be weaker "
             "for it."},
    {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_optimal = {
    .name = "optimal",
    .group = "Publish",
    .summary = "publish at the least possible cost, and prove it",
    .description =
        "Find the cheapest k-structurally diverse release and prove that there is no cheaper one. The cost is the "
        "number of "
        "added edges plus the split weight times the number of added vertices. The proof takes seconds to hours; with "
        "**--time-limit** the best release found so far is written together with a lower bound on what any release "
        "costs.\n\n"
        "That there is no release at all is an answer too, and a proof: the message names the reason.\n\n"
        "Everything else is as in `ksda anonymize`: the release is verified before anything is written.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT | CLI_PROOFS,
    .size = sizeof(optimal_options),
    .defaults = &defaults,
    .json = "status: optimal, feasible (stopped before the proof was complete), infeasible (a proof) or limit (nothing "
            "found in time)\n"
            "objective: cost of the release; null without one\n"
            "bound: no release costs less; null when infeasible\n"
            "reason: why it is infeasible, or what kept the solver from an answer; null otherwise\n"
            "method: optimal; this and what follows as in **ksda-anonymize**(1)",
    .exits = "4: proved impossible, or nothing found in the time given\n"
             "5: the time limit was hit, or Ctrl-C; a valid release was written, with its bound",
    .example = "$ ksda optimal builtin:karate -k 2 -o published.edges --map private.map\n"
               "$ ksda optimal builtin:karate -k 2 --write-lp karate.lp",
    .see_also = "**ksda-anonymize**(1), **ksda-methods**(1)",
    .run = run_optimal,
};
