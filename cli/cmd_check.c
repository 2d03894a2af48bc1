/* ksda check: is a network k-structurally diverse, and how well would the degree attack do? */
#include "publish.h"

typedef struct check_options {
    uint64_t k;
    uint64_t top;
    ksda_share max_share;
    const char *report, *list;
    bool attackers, vocabulary;
    cli_network_options network;
} check_options;

static const check_options defaults = {.top = 10};

/* The attackers who know more than a degree, where they are asked for, and in a page that is quickly made. */
static ksda_status attack(cli_run *cli, const check_options *o, const ksda_network *net, ksda_attack_result *out) {
    ksda_attack_options options;
    bool quick = ksda_graph_edges(net->graph) <= CLI_QUICK_EDGES;
    if (o->report && !o->attackers && !quick) cli_message(cli, CLI_NO_ATTACKERS);
    if (!o->attackers && !(o->report && quick)) return KSDA_OK;
    ksda_attack_options_init(&options);
    options.k = o->k ? (uint32_t)o->k : 1;
    return ksda_attack(cli->ctx, net->graph, net->communities, &options, out);
}

/* Page and list say who is who: both are private. */
static ksda_status write_files(cli_run *cli, const check_options *o, const ksda_network *net, const ksda_diversity *d,
                               const ksda_attack_result *attackers) {
    ksda_report_options how = cli_report(cli);
    cli_outputs set = {.count = 0};
    char *page = NULL, *list = NULL;
    ksda_status status = KSDA_OK;
    how.rendering = KSDA_RENDERING_HTML;
    how.no_verdict = o->k == 0;
    how.vocabulary = o->vocabulary;
    how.attack = attackers->attackers ? attackers : NULL;
    if (o->report) {
        KSDA_I_TRY(ksda_report_diversity(cli->ctx, net->graph, net->communities, d, &how, &page));
        KSDA_I_TRY(cli_outputs_text(cli, &set, o->report, true, page));
    }
    if (o->list) {
        KSDA_I_TRY(ksda_report_people(cli->ctx, net->graph, net->communities, d, &list));
        KSDA_I_TRY(cli_outputs_text(cli, &set, o->list, true, list));
    }
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
    if (o->list) cli_message(cli, "keep %s private: it tells who is exposed, and where they belong", o->list);
done:
    cli_outputs_abandon(&set);
    ksda_free(cli->ctx, page);
    ksda_free(cli->ctx, list);
    return status;
}

static int show_diversity(cli_run *cli, const check_options *o, const ksda_network *net, const ksda_diversity *d,
                          const ksda_attack_result *attackers) {
    ksda_report_options how = cli_report(cli);
    char *report;
    cli_bar_clear(cli->bar);
    cli_remark_k(cli, o->k);
    how.no_verdict = o->k == 0;
    how.top = o->top;
    how.vocabulary = o->vocabulary;
    how.attack = o->attackers ? attackers : NULL;
    ksda_status status = ksda_report_diversity(cli->ctx, net->graph, net->communities, d, &how, &report);
    int code = cli_report_print(cli, status, report);
    return code == 0 && ((o->k && !d->satisfied) || !d->share_satisfied) ? CLI_NO : code;
}

static int run_check(cli_run *cli, const void *values) {
    const check_options *o = values;
    cli_network network;
    ksda_diversity d = KSDA_INIT(ksda_diversity);
    ksda_attack_result attackers = KSDA_INIT(ksda_attack_result);
    int code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &network);
    if (code == 0)
        code = cli_fail(cli, ksda_diversity_check_share(cli->ctx, network.net.graph, network.net.communities,
                                                        o->k ? (uint32_t)o->k : 1, &o->max_share, &d));
    if (code == 0) code = cli_fail(cli, attack(cli, o, &network.net, &attackers));
    if (code == 0 && (o->report || o->list)) code = cli_fail(cli, write_files(cli, o, &network.net, &d, &attackers));
    if (code == 0) code = show_diversity(cli, o, &network.net, &d, &attackers);
    ksda_attack_result_clear(cli->ctx, &attackers);
    ksda_diversity_clear(cli->ctx, &d);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    CLI_K(check_options, k, .shown = "none: only show what the attack learns",
          .help = "communities that every degree must occur in"),
    CLI_NETWORK_ROWS(check_options, network),
    CLI_OVERLAP_ROW(check_options, network),
    CLI_MAX_SHARE(check_options, max_share, "the largest share of a degree that one community may have"),
    {.name = "attackers",
     .type = CLI_FLAG,
     .at = offsetof(check_options, attackers),
     .help = "also what attackers learn who know more than a degree: ksda-attack(1)"},
    {.name = "vocabulary",
     .type = CLI_FLAG,
     .at = offsetof(check_options, vocabulary),
     .help = "also what holds in the words of those who publish tables",
     .more = "k-degree anonymity, entropy and recursive l-diversity, t-closeness, beta-likeness, delta-disclosure; "
             "prosecutor, journalist and marketer risk. The degree is what is known, the community what is "
             "sensitive. docs/privacy.md defines them; **--json** always has them."},
    {.name = "report",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(check_options, report),
     .help = "write a report for people to read, as one HTML page (private, mode 0600)"},
    {.name = "list",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(check_options, list),
     .help = "write everybody to FILE as CSV, the most exposed first (private, mode 0600)",
     .more = "A line has the person, the community, the degree, how many people have it, "
             "in how many communities, whether these are fewer than **-k** asks for, the "
             "likeliest community, how often guessing it is right, and the share of the "
             "person's own community among those with the degree."},
    {.name = "top",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(check_options, top),
     .help = "list at most N degrees"},
    {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_check = {
    .name = "check",
    .group = "Publish",
    .summary = "who is exposed, and how well would the attack do",
    .description =
        "A network is k-structurally diverse when every degree that occurs, occurs in at least k communities. The "
        "vertices "
        "whose degree does not are counted, with the largest degrees first, and the attack is played: somebody knows a "
        "person's degree and guesses the likeliest community. The report says how often that is right, how sure the "
        "surest guess is and how many bits of uncertainty are left, for everybody and separately for those whose "
        "degree "
        "is diverse enough and those whose is not.\n\n"
        "Diversity counts communities, not people: with 99 vertices of a degree in one community and 1 in another the "
        "degree is "
        "2-diverse, yet guessing the first is right 99 times in 100. That is why the attack is played. **--max-share** "
        "asks for a bound on people: no community may have more than "
        "this share of the vertices of any degree.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(check_options),
    .defaults = &defaults,
    .json = "satisfied: the network is k-structurally diverse, and within --max-share; null without -k\n"
            "k: what was asked for; null without -k\n"
            "trivial_k: k is 1, which every network satisfies: nothing is guaranteed\n"
            "vertices: how many\n"
            "communities: how many\n"
            "violating_vertices: vertices whose degree occurs in fewer than k communities\n"
            "violating_share: the same as a share of all vertices\n"
            "largest_k: the largest k that holds\n"
            "overlap: disjoint where people have several communities: witnesses, vertices in pairwise disjoint sets, "
            "are counted instead of communities; null where they have one\n"
            "undecided_vertices: of violating_vertices, those whose degree may have k witnesses: not decided\n"
            "max_share: the share bound that was asked for, as a fraction in text; null without --max-share\n"
            "share_satisfied: at no degree does one community have a larger share; null without --max-share\n"
            "above_vertices: vertices of the degrees where one does\n"
            "above_degrees: how many degrees these are\n"
            "least_share: the least share bound that holds\n"
            "least_share.value: as a number\n"
            "least_share.numerator: vertices of one community at the worst degree\n"
            "least_share.denominator: vertices of all known communities there\n"
            "least_share.degree: the worst degree; null for a network without vertices\n"
            "least_share.community: the community that has this share\n"
            "attack: guessing the likeliest community of a random vertex by its degree\n"
            "attack.expected_success: how often that is right\n"
            "attack.largest_posterior: how often the surest guess is right\n"
            "attack.entropy: bits of uncertainty left, on average\n"
            "attack.baseline_success: guessing the largest community without knowing the degree\n"
            "attack.baseline_entropy: bits of uncertainty without knowing the degree\n"
            "attack.protected: the attack on vertices whose degree is in k or more communities: vertices, "
            "expected_success, largest_posterior, entropy\n"
            "attack.exposed: the same for those whose degree is not\n"
            "degrees: how many different degrees occur\n"
            "groups: the largest degrees, as many as --top says: degree, vertices, communities, likeliest, posterior, "
            "entropy; with overlap also most (no more witnesses are possible, proved)\n"
            "vocabulary: what holds in the words of those who publish tables. Each notion has value (null beside a "
            "degree: no bound holds; null without: nobody's community is known) and degree (the one that decides, or "
            "null)\n"
            "vocabulary.l: the l of recursive_c: k, and at least 2\n"
            "vocabulary.degree_anonymity: people with the rarest degree\n"
            "vocabulary.entropy_l: entropy l-diversity\n"
            "vocabulary.recursive_c: recursive (c, l)-diversity holds for every c above\n"
            "vocabulary.t_closeness: t-closeness; the distance is the total variation\n"
            "vocabulary.beta_likeness: basic beta-likeness\n"
            "vocabulary.delta_disclosure: delta-disclosure holds for every delta above, in bits\n"
            "vocabulary.delta_occurring: the same of communities that occur at the degree\n"
            "vocabulary.prosecutor_risk: 1 over the people with the rarest degree\n"
            "vocabulary.journalist_risk: the same, as no larger population is known\n"
            "vocabulary.marketer_risk: people found when everybody is matched at random by the degree\n"
            "attackers: with --attackers the fields of ksda-attack(1), else null",
    .exits = "4: the network is not k-structurally diverse, or above --max-share",
    .example = "$ ksda check builtin:lesmis -k 2 --top 5 || echo \"exit $?\"",
    .see_also = "**ksda-anonymize**(1), **ksda-verify**(1)",
    .run = run_check,
};
