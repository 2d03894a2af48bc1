/* ksda advise: which k, or which share bound? What each costs and buys, and where the price begins to rise. */
#include "publish.h"
#include "report/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct advise_options {
    cli_network_options network;
    const char *k, *max_share;
    double split_weight, point_limit;
    bool no_measures, lines;
    const char *report;
} advise_options;

static const advise_options defaults = {.k = NULL};

/* The k that are looked at unless -k names others: 2 to 5, then in steps that grow, to half of the communities. Above,
 * prices rise steeply. */
static uint32_t usual_ks(uint32_t communities, uint32_t *k) {
    uint32_t most = communities / 2, count = 0;
    if (most < 5) most = communities < 5 ? communities : 5;
    for (uint32_t next = 2; next <= most && count < 16; next = next < 5 ? next + 1 : next + (next + 3) / 4)
        k[count++] = next;
    return count;
}

/* "3", "2:10", "2:10:2" or "2,3,5". Returns how many; 0: it is none of these. */
static uint32_t parse_ks(const char *text, uint32_t *k) {
    uint32_t count = 0;
    char *end;
    if (!strchr(text, ':')) {
        for (const char *at = text;; at = end + 1) {
            unsigned long value = strtoul(at, &end, 10);
            if (end == at || value < 1 || value > UINT32_MAX || count == KSDA_I_ADVICE_POINTS ||
                (count && value <= k[count - 1]))
                return 0;
            k[count++] = (uint32_t)value;
            if (*end == '\0') return count;
            if (*end != ',') return 0;
        }
    }
    unsigned long first = strtoul(text, &end, 10), last, step = 1;
    if (end == text || *end != ':') return 0;
    last = strtoul(end + 1, &end, 10);
    if (*end == ':') step = strtoul(end + 1, &end, 10);
    if (*end != '\0' || first < 1 || last < first || last > UINT32_MAX || step < 1) return 0;
    for (unsigned long value = first; value <= last; value += step) {
        if (count == KSDA_I_ADVICE_POINTS) return 0;
        k[count++] = (uint32_t)value;
    }
    return count;
}

/* "1/2,0.25": descending. Returns how many; 0: it is something else. */
static uint32_t parse_shares(const char *text, ksda_share *share) {
    char word[KSDA_I_SHARE];
    for (uint32_t count = 0; count < KSDA_I_ADVICE_POINTS;) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof word) return 0;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!ksda_share_from_text(word, &share[count])) return 0;
        if (count && (uint64_t)share[count].numerator * share[count - 1].denominator >=
                         (uint64_t)share[count - 1].numerator * share[count].denominator)
            return 0;
        count++;
        if (text[length] == '\0') return count;
        text += length + 1;
    }
    return 0;
}

/* One k, and a point for each share bound. */
static int make_share_points(cli_run *cli, const advise_options *o, ksda_i_sweep *s, uint32_t k, uint32_t ks) {
    ksda_share share[KSDA_I_ADVICE_POINTS];
    size_t methods;
    const ksda_method *method = ksda_methods(&methods);
    s->count = parse_shares(o->max_share, share);
    if (s->count == 0)
        return cli_usage(cli->command,
                         "--max-share: '%s' is no list of shares in (0, 1], descending, such as 1/2,1/3,0.25; at most "
                         "%d of them",
                         o->max_share, KSDA_I_ADVICE_POINTS);
    if (o->k && ks > 1)
        return cli_usage(cli->command, "-k: with --max-share it is one k whose share bounds are compared");
    s->point = ksda_i_calloc(cli->ctx, s->count, sizeof *s->point);
    if (!s->point) return cli_fail(cli, KSDA_NOMEM);
    for (uint32_t i = 0; i < s->count; i++) {
        ksda_i_point_init(&s->point[i], &method[0], k);
        s->point[i].max_share = share[i];
    }
    return 0;
}

static int make_points(cli_run *cli, const advise_options *o, ksda_i_sweep *s) {
    uint32_t k[KSDA_I_ADVICE_POINTS], most = ksda_communities_counted(s->communities);
    size_t methods;
    const ksda_method *method = ksda_methods(&methods);
    s->count = o->k ? parse_ks(o->k, k) : usual_ks(most, k);
    if (s->count == 0 && o->k)
        return cli_usage(
            cli->command,
            "-k: '%s' is none of K, K,K,..., FIRST:LAST and FIRST:LAST:STEP with at most %d values, ascending", o->k,
            KSDA_I_ADVICE_POINTS);
    if (s->count == 0) {
        cli_error("there is nothing to choose: the network has one community, and k can only be 1");
        return CLI_NO;
    }
    if (k[s->count - 1] > most)
        return cli_usage(cli->command, "-k: %u is above the number of communities, %u", k[s->count - 1], most);
    if (o->max_share) return make_share_points(cli, o, s, k[0], s->count);
    s->point = ksda_i_calloc(cli->ctx, s->count, sizeof *s->point);
    if (!s->point) return cli_fail(cli, KSDA_NOMEM);
    for (uint32_t i = 0; i < s->count; i++) ksda_i_point_init(&s->point[i], &method[0], k[i]);
    return 0;
}

/* --lines: a row as soon as it is there. */
static ksda_status print_line(const ksda_i_point *p, void *payload) {
    json_t *object = json_object();
    ksda_i_advice_point_json(payload, p, object);
    char *text = cli_json_text(object, JSON_COMPACT);
    if (text) puts(text), fflush(stdout);
    json_decref(object);
    cli_json_text_free(text);
    return text && !ferror(stdout) ? KSDA_OK : KSDA_IO;
}

/* Rows that took another's release, again; the last line: which k, and why. */
static int print_end(const ksda_i_advice *advice) {
    const ksda_i_sweep *s = advice->sweep;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->point[i].taken_from && print_line(&s->point[i], (void *)s) < 0) return CLI_FAILURE;
    json_t *object = json_object(), *whole = json_object();
    ksda_i_advice_json(advice, whole);
    json_object_del(whole, "points");
    json_object_update(object, whole);
    char *text = cli_json_text(object, JSON_COMPACT);
    if (text) puts(text);
    json_decref(object);
    json_decref(whole);
    cli_json_text_free(text);
    return text ? CLI_OK : CLI_FAILURE;
}

static int show_advice(cli_run *cli, const advise_options *o, const ksda_i_advice *advice) {
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status = KSDA_OK;
    if (o->report) {
        KSDA_I_TRY(cli_outputs_open(cli, &set, o->report, true, &out));
        KSDA_I_TRY(ksda_i_advice_html(cli->ctx, advice, cli->argument[0], out));
    }
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    if (status < 0) return cli_fail(cli, status);
    cli_bar_clear(cli->bar);
    if (cli->shared.json) {
        json_t *object = cli_json();
        ksda_i_advice_json(advice, object);
        return cli_json_print(cli, object);
    }
    if (o->lines) return print_end(advice);
    if (!cli->shared.quiet) ksda_i_advice_text(advice, stdout);
    return 0;
}

static int advise(cli_run *cli, const advise_options *o, ksda_i_sweep *s) {
    ksda_diversity before = KSDA_INIT(ksda_diversity);
    ksda_i_advice advice;
    int code = cli_fail(cli, ksda_diversity_check(cli->ctx, s->graph, s->communities, 1, &before));
    if (code == 0) {
        ksda_status status = ksda_i_sweep_run(cli->ctx, s);
        code = cli_fail(cli, status);
        if (status >= 0) {
            cli_lift_limit(cli);
            ksda_i_advice_take(s);
            ksda_i_advice_make(s, &before, &advice);
            int shown = show_advice(cli, o, &advice);
            if (shown) code = shown;
        }
    }
    ksda_diversity_clear(cli->ctx, &before);
    return code;
}

static int run_advise(cli_run *cli, const void *values) {
    const advise_options *o = values;
    cli_network network = {.path = NULL};
    ksda_i_sweep s = {.split_weight = o->split_weight,
                      .time_limit = o->point_limit,
                      .measured = !o->no_measures,
                      .no_proof = 1,
                      .original = KSDA_INIT(ksda_measures)};
    if (o->lines && cli->shared.json)
        return cli_usage(cli->command,
                         "--lines prints rows as they are computed, --json one object at the end: choose one");
    ksda_measure_options_init(&s.measuring);
    s.measuring.measures = KSDA_MEASURE_BIT(KSDA_MEASURE_CLUSTERING) | KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL);
    s.measuring.differences = 0;
    int code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &network);
    s.graph = network.net.graph, s.communities = network.net.communities;
    if (o->lines) s.finished = print_line, s.payload = &s;
    if (code == 0) code = make_points(cli, o, &s);
    if (code == 0) code = advise(cli, o, &s);
    ksda_measures_clear(cli->ctx, &s.original);
    ksda_free(cli->ctx, s.point);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    {.letter = 'k',
     .value = "LIST",
     .type = CLI_TEXT,
     .at = offsetof(advise_options, k),
     .shown = "2 to 5, then in growing steps to half of the communities",
     .help = "which k to look at: K,K,..., FIRST:LAST or FIRST:LAST:STEP"},
    {.name = "max-share",
     .value = "LIST",
     .type = CLI_TEXT,
     .at = offsetof(advise_options, max_share),
     .help = "compare these share bounds A,A,... (descending) at one k, which is 2 unless -k says",
     .more = "Each row is then a release in which of the vertices of each degree no community has more than A, so that "
             "no guess by degree is right more often."},
    CLI_NETWORK_ROWS(advise_options, network),
    CLI_SPLIT_WEIGHT(advise_options, split_weight, "vertices squared"),
    CLI_POINT_LIMIT(advise_options, point_limit, "k", .more = NULL),
    {.name = "no-measures",
     .type = CLI_FLAG,
     .at = offsetof(advise_options, no_measures),
     .help = "only what is added and what a guess learns, not what it does to clustering and distances"},
    {.name = "lines",
     .type = CLI_FLAG,
     .at = offsetof(advise_options, lines),
     .help = "print each row as a JSON object a line as soon as it is computed, and the advice last",
     .more = "A row that takes the release of a later one comes a second time, before the advice."},
    {.name = "report",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(advise_options, report),
     .help = "write the table and its curves as one HTML page (private, mode 0600)"},
    {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_advise = {
    .name = "advise",
    .group = "Publish",
    .summary = "which k, or share bound: what each costs and buys, and where the price begins to rise",
    .description =
        "Find a release for each of several k, without publishing any, and put them side by side: edges and vertices "
        "added, how often a guess by degree is right before and after, and what becomes of clustering and distances. "
        "Every release is verified. With --max-share it is share bounds that stand side by side. The k, or bound, "
        "where the price begins to rise faster than the protection is marked; "
        "`ksda help choosing-k` tells what else there is to think of.\n\n"
        "The releases are those of `ksda anonymize` with the same seed; nothing is proved about them here. A release "
        "for a larger k, or a smaller share, keeps the smaller k, or larger share, as well: where it is cheaper than "
        "what "
        "was found for that one alone, it stands in both rows, and the row tells whose it is.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(advise_options),
    .defaults = &defaults,
    .json = "vertices: of the network\n"
            "edges: of the network\n"
            "communities: how many\n"
            "original: the degree attack on the original: expected_success, largest_posterior, baseline_success (the "
            "degree is not known), largest_k\n"
            "advised_k: where the price begins to rise faster than the protection; null when there is no release\n"
            "advised_share: likewise with --max-share, as a fraction in text; null without\n"
            "why: the same in a sentence\n"
            "points: one for each k, or share bound (max_share, as a fraction in text): the fields of ksda-sweep(1), "
            "taken_from (the k or share whose release this is, in text; null: its own), price (added_edges / edges + "
            "added_vertices / "
            "vertices) and change (of clustering and aspl, as shares of what they were)",
    .exits = "4: there is one community only, so there is nothing to choose\n"
             "5: the time limit was hit; the k that were reached are shown",
    .example = "$ ksda advise builtin:lesmis",
    .see_also = "**ksda-check**(1), **ksda-anonymize**(1), **ksda-sweep**(1)",
    .run = run_advise,
};
