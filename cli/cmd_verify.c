/* ksda verify: recount a release from the original, the published graph and the map. */
#include "record.h"

#include <stdlib.h>

typedef struct verify_options {
    uint64_t k;
    ksda_share max_share;
    const char *map, *witnesses, *report;
    cli_network_options network;
} verify_options;

static int show_verification(cli_run *cli, const ksda_verification *v, uint32_t k, bool map_fits) {
    ksda_report_options how = cli_report(cli);
    char *report;
    ksda_status status = ksda_report_verification(cli->ctx, v, k, &how, &report);
    if (status < 0 || !cli->shared.json) return cli_report_print(cli, status, report);
    json_t *object = cli_json_read(report);
    ksda_free(cli->ctx, report);
    json_object_set_new(object, "map_fits", json_boolean(map_fits));
    return cli_json_print(cli, object);
}

static ksda_status write_report(cli_run *cli, const verify_options *o, const cli_network *original,
                                const ksda_verification *v) {
    ksda_i_record record;
    cli_outputs set = {.count = 0};
    char *page = NULL;
    ksda_status status;
    cli_record_begin(cli, (uint32_t)o->k, o->max_share, original->net.graph, &record);
    record.recount = *v;
    record.read_back = true;
    record.overlap = ksda_communities_overlap(original->net.communities);
    KSDA_I_TRY(cli_record_files(cli, NULL, cli->argument[1], &record));
    KSDA_I_TRY(ksda_i_record_page(cli->ctx, &record, cli->argument[1], &page));
    KSDA_I_TRY(cli_outputs_text(cli, &set, o->report, true, page));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    ksda_free(cli->ctx, page);
    return status;
}

static int judge_release(cli_run *cli, const verify_options *o, const cli_network *original, const cli_network *release,
                         const uint32_t *owner) {
    const ksda_graph *published = release->net.graph;
    ksda_verification v = KSDA_INIT(ksda_verification);
    uint32_t *witness = NULL;
    uint64_t witnesses = 0;
    int code = o->witnesses ? cli_witnesses_load(o->witnesses, release, &witness, &witnesses) : 0;
    if (code == 0)
        code = cli_fail(cli, ksda_verify_witnesses(cli->ctx, original->net.graph, original->net.communities, published,
                                                   owner, (uint32_t)o->k, &o->max_share, witnesses, witness, &v));
    free(witness);
    if (code == 0 && o->report) code = cli_fail(cli, write_report(cli, o, original, &v));
    if (code) return code;
    uint64_t carried;
    bool fits = v.valid || cli_map_fits(original->net.graph, published, owner, &carried);
    cli_bar_clear(cli->bar);
    cli_remark_k(cli, o->k);
    code = show_verification(cli, &v, (uint32_t)o->k, fits);
    if (code == 0 && !fits && !cli->shared.json) {
        char a[32], b[32];
        printf("  map              does not belong to this release: %s of %s original edges are where it says\n",
               ksda_grouped(carried, a), ksda_grouped(ksda_graph_edges(original->net.graph), b));
    }
    return code ? code : v.valid && v.satisfied ? CLI_OK : CLI_NO;
}

static int run_verify(cli_run *cli, const void *values) {
    const verify_options *o = values;
    const cli_network_options none = {.communities = NULL};
    cli_network original, published = {.path = NULL};
    uint32_t *owner = NULL;
    int code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &original);
    cli->ctx->halves = true;
    if (code == 0) code = cli_network_load(cli, cli->argument[1], &none, CLI_COMMUNITIES_OPTIONAL, &published);
    cli->ctx->halves = false;
    if (code == 0) code = cli_map_load(cli, o->map, &o->network, &original, &published, &owner);
    if (code == 0) code = judge_release(cli, o, &original, &published, owner);
    ksda_free(cli->ctx, owner);
    cli_network_clear(cli, &published);
    cli_network_clear(cli, &original);
    return code;
}

static const cli_option rows[] = {
    CLI_K(verify_options, k, CLI_K_NEEDED),
    CLI_NETWORK_ROWS(verify_options, network),
    CLI_OVERLAP_ROW(verify_options, network),
    CLI_MAX_SHARE(verify_options, max_share, "the largest share of a degree that one community may have"),
    {.name = "map",
     .value = "FILE",
     .type = CLI_INPUT,
     .at = offsetof(verify_options, map),
     .required = true,
     .help = "the private map `original published`"},
    {.name = "witnesses",
     .value = "FILE",
     .type = CLI_INPUT,
     .at = offsetof(verify_options, witnesses),
     .shown = "none: they are looked for",
     .help = "a summary that lists the witnesses of every degree, with --overlap disjoint",
     .more = "They are checked one by one. Without it verify looks for witnesses itself, and says where it could not "
             "decide whether there are enough."},
    {.name = "report",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(verify_options, report),
     .help = "write the record of this verification as one HTML page (private, mode 0600)",
     .more = "Date, version, command line, the SHA-256 of every file that was read, what was cleaned, what holds and "
             "what that does not say: the same as the section Record of the report of ksda-anonymize(1), for who has "
             "only the files."},
    {0}};
static const cli_argument arguments[] = {{"ORIGINAL", CLI_INPUT, true, NULL, "the network as it was"},
                                         {"PUBLISHED", CLI_INPUT, true, NULL, "the network as published"},
                                         {0}};

const cli_command cmd_verify = {
    .name = "verify",
    .group = "Publish",
    .summary = "recount whether a release is what it claims to be",
    .description =
        "Recount every condition from the original, the published network and the map, trusting nothing else: every "
        "published "
        "vertex belongs to one original; every original edge is carried by pieces of its ends; new edges join vertices "
        "of the same community, or of sets of communities that meet; every piece of a split vertex carries at least "
        "one original edge; and the "
        "published network is "
        "k-structurally diverse, with no community above **--max-share** at any degree. The first thing that is wrong "
        "is named.\n\n"
        "Where people are in several communities (**--overlap disjoint**), every degree must have k witnesses in "
        "pairwise "
        "disjoint sets instead.\n\n"
        "**--format** holds for both networks. The communities are those of the original.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(verify_options),
    .json = "valid: only allowed changes were made\n"
            "satisfied: the published network is k-structurally diverse, and within --max-share\n"
            "k: what was asked for\n"
            "trivial_k: k is 1, which every network satisfies: nothing is guaranteed\n"
            "max_share: the share bound that was asked for, as a fraction in text; null without --max-share\n"
            "added_edges: n_a\n"
            "added_vertices: n_s\n"
            "split_vertices: how many vertices were split\n"
            "links: between pieces of one vertex\n"
            "error: the first thing that is wrong; null when there is none\n"
            "map_fits: at least half of the original edges are where the map says; false: it is that of another "
            "release",
    .exits = "4: the release is not valid, not k-structurally diverse, or above --max-share",
    .example = "$ ksda anonymize builtin:karate -k 2 -o published.edges --map private.map --quiet\n"
               "$ ksda verify builtin:karate published.edges --map private.map -k 2",
    .see_also = "**ksda-anonymize**(1), **ksda-compare**(1), **ksda-formats**(5)",
    .run = run_verify,
};
