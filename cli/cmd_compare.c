/* ksda compare: the measures of a network and its release side by side. */
#include "measuring.h"

#include <string.h>

typedef struct compare_options {
    uint64_t k;
    double split_weight;
    const char *map;
    const char *redetect;
    bool attackers;
    cli_measuring measuring;
    cli_network_options network;
} compare_options;

static const compare_options defaults = {.k = 0};

/* Which tool detects again: what --redetect says, else what found the communities, else METIS. */
static int choose_detector(cli_run *cli, const char *redetect, const char *detected, ksda_measure_options *out) {
    const char *how = redetect ? redetect : detected[0] ? detected : "metis";
    out->detector = KSDA_DETECTOR_METIS;
    if (strcmp(how, "metis") == 0) return 0;
    if (strcmp(how, "none") == 0) {
        out->detector = KSDA_DETECTOR_NONE;
        return 0;
    }
    if (!cli_parse_detector(how, &out->parts))
        return cli_usage(cli->command, "--redetect: '%s' is none of 'metis', 'metis:N', 'leiden' and 'none'", how);
    if (out->parts == 0) out->detector = KSDA_DETECTOR_LEIDEN;
    return 0;
}

static int show_comparison(cli_run *cli, const ksda_comparison *c, const ksda_attack_result *attackers) {
    ksda_report_options how = cli_report(cli);
    char *report;
    how.attack = attackers->attackers ? attackers : NULL;
    ksda_status status = ksda_report_comparison(cli->ctx, c, &how, &report);
    return cli_report_print(cli, status, report);
}

static int attack(cli_run *cli, const compare_options *o, const ksda_network *original, const ksda_graph *published,
                  const uint32_t *owner, ksda_attack_result *out) {
    ksda_attack_options options;
    if (!o->attackers) return 0;
    if (!original->communities)
        return cli_usage(cli->command, "--attackers guess communities: give them by -c, --detect or the like");
    ksda_attack_options_init(&options);
    options.k = o->k ? (uint32_t)o->k : 1;
    return cli_fail(
        cli, ksda_attack_release(cli->ctx, original->graph, original->communities, published, owner, &options, out));
}

static int compare(cli_run *cli, const compare_options *o, const ksda_measure_options *options,
                   const cli_network *original, const ksda_graph *published, const uint32_t *owner) {
    ksda_comparison c = KSDA_INIT(ksda_comparison);
    int code = cli_fail(cli, ksda_compare(cli->ctx, original->net.graph, original->net.communities, published, owner,
                                          (uint32_t)o->k, options, &c));
    ksda_attack_result attackers = KSDA_INIT(ksda_attack_result);
    if (code) return code;
    code = attack(cli, o, &original->net, published, owner, &attackers);
    if (code == 0) code = show_comparison(cli, &c, &attackers);
    ksda_attack_result_clear(cli->ctx, &attackers);
    ksda_comparison_clear(cli->ctx, &c);
    return code;
}

static int run_compare(cli_run *cli, const void *values) {
    const compare_options *o = values;
    const cli_network_options none = {.communities = NULL};
    cli_network original = {.path = NULL}, published = {.path = NULL};
    ksda_measure_options options;
    uint32_t *owner = NULL;
    uint64_t carried;
    int code = cli_measuring_options(cli, &o->measuring, &options);
    if (code) return code;
    options.split_weight = o->split_weight;
    code = cli_network_load(cli, cli->argument[0], &o->network,
                            o->k ? CLI_COMMUNITIES_REQUIRED : CLI_COMMUNITIES_OPTIONAL, &original);
    if (code == 0) code = choose_detector(cli, o->redetect, original.detected, &options);
    if (code == 0) code = cli_network_load(cli, cli->argument[1], &none, CLI_COMMUNITIES_OPTIONAL, &published);
    if (code == 0) code = cli_map_load(cli, o->map, &o->network, &original, &published, &owner);
    if (code == 0 && !cli_map_fits(original.net.graph, published.net.graph, owner, &carried))
        cli_message(cli, "%s does not belong to this release: %llu of %llu original edges are where it says", o->map,
                    (unsigned long long)carried, (unsigned long long)ksda_graph_edges(original.net.graph));
    if (code == 0) code = compare(cli, o, &options, &original, published.net.graph, owner);
    ksda_free(cli->ctx, owner);
    cli_network_clear(cli, &published);
    cli_network_clear(cli, &original);
    return code;
}

static const cli_option rows[] = {
    CLI_NETWORK_ROWS(compare_options, network),
    CLI_OVERLAP_ROW(compare_options, network),
    {.name = "map",
     .value = "FILE",
     .type = CLI_INPUT,
     .at = offsetof(compare_options, map),
     .required = true,
     .help = "the private map `original published`"},
    CLI_K(compare_options, k, .shown = "none", .help = "also count the vertices that are not k-structurally diverse"),
    {.name = "redetect",
     .value = "HOW",
     .type = CLI_TEXT,
     .at = offsetof(compare_options, redetect),
     .shown = "what --detect said, else metis",
     .help = "detect communities in both networks: metis, metis:N, leiden, none",
     .more = "`metis` alone asks for as many parts as there are communities."},
    {.name = "attackers",
     .type = CLI_FLAG,
     .at = offsetof(compare_options, attackers),
     .help = "also what attackers learn who know more than a degree: ksda-attack(1)"},
    CLI_SPLIT_WEIGHT(compare_options, split_weight, "vertices squared"),
    CLI_MEASURING_ROWS(compare_options, measuring),
    {0}};
static const cli_argument arguments[] = {{"ORIGINAL", CLI_INPUT, true, NULL, "the network as it was"},
                                         {"PUBLISHED", CLI_INPUT, true, NULL, "the network as published"},
                                         {0}};

const cli_command cmd_compare = {
    .name = "compare",
    .group = "Look",
    .summary = "what a release costs its users: the measures side by side",
    .description =
        "Every measure of ksda-measure(1) for the original and the published network, and what only the two together "
        "have: "
        "correlation of eigenvector centrality, distances of the degree and joint degree distributions, communities "
        "detected again, connected pairs lost, and the changes themselves. docs/measures.md defines each.\n\n"
        "Where individuals are compared they are people, not vertices: the substitutes of a split vertex are taken "
        "together.\n\n"
        "Where people are in several communities (**--overlap disjoint**), vertices are violating whose degree has no "
        "K vertices in pairwise disjoint sets, the largest k is the smallest number of such vertices, METIS is asked "
        "for as many parts as there are communities, and modularity and the agreement with given communities are not "
        "defined: null.\n\n"
        "**--format** holds for both networks. The communities are those of the original. Everything is exact while "
        "that is "
        "affordable; lines with sampled values say so, with half the width of their 95 % confidence interval. A bar "
        "shows the size of each "
        "change, in block characters where the locale is UTF-8.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(compare_options),
    .defaults = &defaults,
    .json =
        "original: the fields of ksda-measure(1) for the original\n"
        "published: the same for the published network\n"
        "eigenvector_correlation: Pearson, over people; centralities of substitutes are summed\n"
        "degree_ks: Kolmogorov-Smirnov distance of the degree distributions\n"
        "degree_emd: earth mover's distance of the degree distributions\n"
        "joint_degree_distance: total variation distance of the joint degree distributions\n"
        "core_ks: Kolmogorov-Smirnov distance of the k-core profiles\n"
        "detection_accuracy: people detected in the matching community again, best one-to-one matching\n"
        "detection_nmi: normalized mutual information of the communities detected before and after\n"
        "detection_ari: adjusted Rand index of the same\n"
        "given_accuracy: as detection_accuracy, of given communities and those detected after\n"
        "given_nmi: the same for normalized mutual information\n"
        "given_ari: the same for the adjusted Rand index\n"
        "detection_accuracy_spread, detection_nmi_spread, ..., given_ari_spread: largest less smallest value of the "
        "runs, of which the six values above are means\n"
        "detections: how many runs, each with a seed and an order of the people of its own\n"
        "disconnected_pairs: share of originally connected pairs of people no longer connected\n"
        "added_edges: n_a\n"
        "added_edges_share: n_a / edges\n"
        "removed_edges: original edges without a representative\n"
        "added_vertices: n_s\n"
        "split_vertices_share: split vertices / vertices\n"
        "substitutes: mean number of substitutes of a split vertex; null when none was split\n"
        "cost: n_a + split weight * n_s\n"
        "detector: metis, leiden or none\n"
        "parts: that METIS was asked for\n"
        "exact: every value is exact\n"
        "intervals: of every sampled value its 95 % confidence interval\n"
        "seconds: for each difference, that of the pass it comes from; and total\n"
        "attackers: with --attackers the fields of ksda-attack(1), else null",
    .example = "$ ksda anonymize builtin:karate -k 2 -o published.edges --map private.map --quiet\n"
               "$ ksda compare builtin:karate published.edges --map private.map -k 2",
    .see_also = "**ksda-measure**(1), **ksda-verify**(1)",
    .run = run_compare,
};
