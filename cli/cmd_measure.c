/* ksda measure: the measures of one network. */
#include "measuring.h"

typedef struct measure_options {
    uint64_t k;
    cli_measuring measuring;
    bool distributions;
    cli_network_options network;
} measure_options;

static const measure_options defaults = {.k = 0};

static int show_measures(cli_run *cli, const measure_options *o, const ksda_measures *m) {
    ksda_report_options how = cli_report(cli);
    char *report;
    how.distributions = o->distributions;
    ksda_status status = ksda_report_measures(cli->ctx, m, &how, &report);
    return cli_report_print(cli, status, report);
}

static int run_measure(cli_run *cli, const void *values) {
    const measure_options *o = values;
    ksda_measure_options options;
    cli_network network = {.path = NULL};
    ksda_measures m = KSDA_INIT(ksda_measures);
    int code = cli_measuring_options(cli, &o->measuring, &options);
    if (code) return code;
    options.k = (uint32_t)o->k;
    code = cli_network_load(cli, cli->argument[0], &o->network,
                            o->k ? CLI_COMMUNITIES_REQUIRED : CLI_COMMUNITIES_OPTIONAL, &network);
    if (code == 0)
        code = cli_fail(cli, ksda_measure(cli->ctx, network.net.graph, network.net.communities, &options, &m));
    if (code == 0) {
        code = show_measures(cli, o, &m);
        ksda_measures_clear(cli->ctx, &m);
    }
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    CLI_NETWORK_ROWS(measure_options, network),
    CLI_OVERLAP_ROW(measure_options, network),
    CLI_K(measure_options, k, .shown = "none", .help = "also count the vertices that are not k-structurally diverse"),
    CLI_MEASURING_ROWS(measure_options, measuring),
    {.name = "distributions",
     .type = CLI_FLAG,
     .at = offsetof(measure_options, distributions),
     .help = "also list the frequencies of degrees, coreness and distances"},
    {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_measure = {
    .name = "measure",
    .group = "Look",
    .summary = "the measures of one network",
    .description =
        "Clustering, distances, centralization, assortativity, cores and spectrum of a network, and with communities "
        "their "
        "modularity and the largest k for which the network is k-structurally diverse. docs/measures.md defines "
        "each.\n\n"
        "Everything is exact while that is affordable. Where a network is too large, distances and betweenness are "
        "estimated from sampled vertices; each line then says so and gives the 95 % confidence interval. The seed "
        "decides which "
        "vertices are sampled; the number of threads changes no digit.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(measure_options),
    .defaults = &defaults,
    .json = "vertices: how many\n"
            "edges: how many\n"
            "communities: how many; 0 when none were given\n"
            "overlap: disjoint where people are in several communities, else null\n"
            "clustering: mean local clustering coefficient over vertices of degree 2 or more (CC)\n"
            "global_clustering: 3 * triangles / paths of length two\n"
            "aspl: mean distance over connected pairs (ASPL)\n"
            "effective_diameter: distance within which 90 % of the connected pairs lie, interpolated\n"
            "diameter: largest distance\n"
            "closeness: mean over vertices of 1 / mean distance to those they reach\n"
            "degree_centralization: after Freeman (DC)\n"
            "betweenness_centralization: after Freeman (BC)\n"
            "betweenness_mean: mean over vertices, unordered pairs\n"
            "spectral_radius: largest eigenvalue of the adjacency matrix\n"
            "assortativity: correlation of the degrees at the two ends of an edge\n"
            "degeneracy: largest k for which there is a k-core\n"
            "mean_coreness: mean over vertices\n"
            "mean_degree: mean over vertices\n"
            "max_degree: largest degree\n"
            "components: connected components\n"
            "largest_component: vertices of the largest one\n"
            "modularity: of the given communities; null without\n"
            "violating_vertices: vertices whose degree occurs in fewer than k communities; null without -k\n"
            "largest_k: the largest k that holds; null without communities\n"
            "exact: every value is exact\n"
            "samples: vertices that distances were sampled from; 0 when exact\n"
            "betweenness_samples: the same for betweenness\n"
            "intervals: of every sampled value its 95 % confidence interval: low, high\n"
            "seconds: for each measure, that of the pass it comes from; and total\n"
            "degree_frequencies: with --distributions, pairs [degree, vertices]\n"
            "coreness_frequencies: with --distributions, pairs [coreness, vertices]\n"
            "distance_frequencies: with --distributions, pairs [distance, pairs of vertices]",
    .example = "$ ksda measure builtin:lesmis --only clustering,aspl,betweenness_centralization --json",
    .see_also = "**ksda-compare**(1), **ksda-check**(1)",
    .run = run_measure,
};
