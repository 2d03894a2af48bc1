/* ksda attack: what attackers learn from a release who know more of a person than a degree. */
#include "publish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct attack_options {
    uint64_t k, tolerance, hubs;
    const char *original, *map, *only, *list, *report, *earlier, *training;
    cli_network_options network;
} attack_options;

static const attack_options defaults = {.k = 2, .tolerance = 1, .hubs = 5};

/* --- what was asked for ------------------------------------------------------------------------------------------- */

static const char *nearest(const char *text, size_t length) {
    const char *names[64 + 1]; /* the options have 64 bits */
    const ksda_attacker_row *row;
    char word[128];
    size_t count = 0;
    for (int i = 0; (row = ksda_attacker_info((ksda_attacker_id)i)) != NULL; i++) names[count++] = row->name;
    names[count] = NULL;
    snprintf(word, sizeof word, "%.*s", (int)(length < 120 ? length : 120), text);
    return cli_nearest(word, names);
}

static int parse_only(cli_run *cli, const char *list, uint64_t *attackers) {
    *attackers = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        char name[64];
        ksda_attacker_id id;
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (!ksda_attacker_id_from_name(name, &id)) {
            const char *meant = nearest(at, length);
            return cli_usage(cli->command, "--only: no attacker is called '%.*s'%s%s%s", (int)length, at,
                             meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
        }
        *attackers |= KSDA_ATTACKER_BIT(id);
        at += length;
        if (*at == '\0') return 0;
    }
}

static int parse_options(cli_run *cli, const attack_options *o, ksda_attack_options *out) {
    ksda_attack_options_init(out);
    out->k = (uint32_t)o->k;
    out->tolerance = (uint32_t)o->tolerance;
    out->hubs = (uint32_t)o->hubs;
    out->who = o->list != NULL;
    if (!o->original != !o->map)
        return cli_usage(cli->command, "--original and --map belong together: one of them is missing");
    if (o->training && !o->original)
        return cli_usage(cli->command, "--training needs --original: without it nobody looks for added edges");
    return o->only ? parse_only(cli, o->only, &out->attackers) : 0;
}

/* --- earlier releases --------------------------------------------------------------------------------------------- */

typedef struct trail {
    cli_network *network; /* [count] */
    ksda_earlier *earlier;
    size_t count;
} trail;

static void trail_clear(cli_run *cli, trail *t) {
    for (size_t i = 0; i < t->count; i++) {
        cli_network_clear(cli, &t->network[i]);
        free((void *)t->earlier[i].vertex);
    }
    free(t->network);
    free(t->earlier);
}

/* The same person has the same id in all releases. */
static uint32_t *match_people(const ksda_graph *release, const ksda_graph *earlier) {
    uint32_t n = ksda_graph_vertices(release), *vertex = malloc((n + (size_t)1) * sizeof *vertex);
    char *name = NULL;
    size_t room = 0;
    for (uint32_t v = 0; vertex && v < n; v++) {
        size_t length = ksda_graph_name(release, v, name, room);
        if (length >= room) {
            char *larger = realloc(name, room = 2 * length + 64);
            if (!larger) {
                free(vertex);
                vertex = NULL;
                break;
            }
            name = larger;
            ksda_graph_name(release, v, name, room);
        }
        vertex[v] = ksda_graph_find(earlier, name, length);
    }
    free(name);
    return vertex;
}

static int load_earlier(cli_run *cli, const ksda_graph *release, char *path, trail *t) {
    const cli_network_options none = {.communities = NULL};
    int code = cli_network_load(cli, path, &none, CLI_COMMUNITIES_OPTIONAL, &t->network[t->count]);
    if (code) return code;
    const ksda_graph *graph = t->network[t->count].net.graph;
    t->earlier[t->count] = (ksda_earlier){graph, match_people(release, graph)};
    return t->earlier[t->count++].vertex ? 0 : cli_fail(cli, KSDA_NOMEM);
}

/* paths: cut at its commas. */
static int load_trail(cli_run *cli, const ksda_graph *release, char *paths, trail *t) {
    size_t count = 1;
    int code = 0;
    for (const char *at = paths; *at; at++) count += *at == ',';
    t->network = calloc(count, sizeof *t->network);
    t->earlier = calloc(count, sizeof *t->earlier);
    if (!t->network || !t->earlier) return cli_fail(cli, KSDA_NOMEM);
    for (char *at = paths; at && code == 0;) {
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        code = load_earlier(cli, release, at, t);
        at = comma ? comma + 1 : NULL;
    }
    return code;
}

/* --- releases to train on ----------------------------------------------------------------------------------------- */

typedef struct lesson {
    cli_network release, original;
    uint32_t *owner;
} lesson;

typedef struct training {
    lesson *lesson; /* [count] */
    ksda_training_release *release;
    uint32_t count;
} training;

static void training_clear(cli_run *cli, training *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        ksda_free(cli->ctx, t->lesson[i].owner);
        cli_network_clear(cli, &t->lesson[i].release);
        cli_network_clear(cli, &t->lesson[i].original);
    }
    free(t->lesson);
    free(t->release);
}

/* word: release, original, communities and map. */
static int load_lesson(cli_run *cli, const attack_options *o, char *const word[4], training *t) {
    const cli_network_options none = {.communities = NULL};
    cli_network_options network = o->network;
    void *lessons = realloc(t->lesson, (t->count + (size_t)1) * sizeof *t->lesson), *releases;
    if (lessons) t->lesson = lessons;
    releases = lessons ? realloc(t->release, (t->count + (size_t)1) * sizeof *t->release) : NULL;
    if (!releases) return cli_fail(cli, KSDA_NOMEM);
    t->release = releases;
    lesson *l = &t->lesson[t->count];
    *l = (lesson){.owner = NULL};
    network.communities = word[2], network.attribute = network.detect = NULL;
    t->count++;
    int code = cli_network_load(cli, word[1], &network, CLI_COMMUNITIES_REQUIRED, &l->original);
    if (code == 0) code = cli_network_load(cli, word[0], &none, CLI_COMMUNITIES_OPTIONAL, &l->release);
    if (code == 0) code = cli_map_load(cli, word[3], &network, &l->original, &l->release, &l->owner);
    if (code == 0)
        t->release[t->count - 1] =
            (ksda_training_release){l->original.net.graph, l->original.net.communities, l->release.net.graph, l->owner};
    return code;
}

static int load_line(cli_run *cli, const attack_options *o, char *line, unsigned number, training *t) {
    char *word[4], *rest = line;
    int words = 0;
    for (char *at = strtok_r(rest, " \t\r\n", &rest); at; at = strtok_r(NULL, " \t\r\n", &rest)) {
        if (words == 0 && *at == '#') return 0;
        if (words < 4) word[words] = at;
        words++;
    }
    if (words == 0) return 0;
    if (words != 4) {
        cli_error("%s:%u: %d words; a line is `release original communities map`", o->training, number, words);
        return CLI_BAD_INPUT;
    }
    return load_lesson(cli, o, word, t);
}

static int load_training(cli_run *cli, const attack_options *o, training *t) {
    FILE *file = o->training ? fopen(o->training, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    int code = 0;
    if (!o->training) return 0;
    if (!file) {
        cli_error("%s: %s", o->training, strerror(errno));
        return CLI_FAILURE;
    }
    for (unsigned number = 1; code == 0 && getline(&line, &room, file) >= 0; number++)
        code = load_line(cli, o, line, number, t);
    free(line);
    fclose(file);
    return code;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

typedef struct attacked {
    cli_network release, original;
    uint32_t *owner; /* NULL: the original is not known */
    trail trail;
    training training;
    char *paths;
} attacked;

static int load_attacked(cli_run *cli, const attack_options *o, attacked *a) {
    const cli_network_options none = {.communities = NULL};
    int code;
    if (!o->original) {
        code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &a->release);
    } else {
        code = cli_network_load(cli, o->original, &o->network, CLI_COMMUNITIES_REQUIRED, &a->original);
        if (code == 0) code = cli_network_load(cli, cli->argument[0], &none, CLI_COMMUNITIES_OPTIONAL, &a->release);
        if (code == 0) code = cli_map_load(cli, o->map, &o->network, &a->original, &a->release, &a->owner);
    }
    if (code == 0) code = load_training(cli, o, &a->training);
    if (code || !o->earlier) return code;
    a->paths = strdup(o->earlier);
    return a->paths ? load_trail(cli, a->release.net.graph, a->paths, &a->trail) : cli_fail(cli, KSDA_NOMEM);
}

static ksda_status attack(cli_run *cli, const attacked *a, ksda_attack_options *options, ksda_attack_result *out) {
    const ksda_network *release = &a->release.net, *original = &a->original.net;
    options->earlier = a->trail.earlier;
    options->earlier_releases = (uint32_t)a->trail.count;
    options->training = a->training.release;
    options->training_releases = a->training.count;
    if (!a->owner) return ksda_attack(cli->ctx, release->graph, release->communities, options, out);
    return ksda_attack_release(cli->ctx, original->graph, original->communities, release->graph, a->owner, options,
                               out);
}

static ksda_status write_files(cli_run *cli, const attack_options *o, const attacked *a, const ksda_attack_result *r) {
    cli_outputs set = {.count = 0};
    ksda_report_options how = cli_report(cli);
    ksda_status status = KSDA_OK;
    char *page = NULL, *list = NULL;
    how.rendering = KSDA_RENDERING_HTML;
    how.network = cli->argument[0];
    if (o->list) {
        const ksda_graph *people = a->owner ? a->original.net.graph : a->release.net.graph;
        KSDA_I_TRY(ksda_report_attacked(cli->ctx, people, r, &list));
        KSDA_I_TRY(cli_outputs_text(cli, &set, o->list, true, list));
    }
    if (o->report) {
        KSDA_I_TRY(ksda_report_attack(cli->ctx, r, &how, &page));
        KSDA_I_TRY(cli_outputs_text(cli, &set, o->report, true, page));
    }
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    ksda_free(cli->ctx, page);
    ksda_free(cli->ctx, list);
    return status;
}

static int run_attack(cli_run *cli, const void *values) {
    const attack_options *o = values;
    ksda_attack_options options;
    ksda_attack_result r = KSDA_INIT(ksda_attack_result);
    attacked a = {.owner = NULL};
    ksda_report_options how = cli_report(cli);
    char *report;
    int code = parse_options(cli, o, &options);
    if (code) return code;
    code = load_attacked(cli, o, &a);
    if (code == 0) code = cli_fail(cli, attack(cli, &a, &options, &r));
    if (code == 0 && (o->list || o->report)) code = cli_fail(cli, write_files(cli, o, &a, &r));
    if (code == 0) {
        ksda_status status = ksda_report_attack(cli->ctx, &r, &how, &report);
        code = cli_report_print(cli, status, report);
    }
    ksda_attack_result_clear(cli->ctx, &r);
    trail_clear(cli, &a.trail);
    training_clear(cli, &a.training);
    free(a.paths);
    ksda_free(cli->ctx, a.owner);
    cli_network_clear(cli, &a.release);
    cli_network_clear(cli, &a.original);
    return code;
}

static const cli_option rows[] = {
    CLI_K(attack_options, k, .help = "people are exposed whose candidates are in fewer than K communities"),
    CLI_NETWORK_ROWS(attack_options, network),
    CLI_OVERLAP_ROW(attack_options, network),
    {.name = "original",
     .value = "GRAPH",
     .type = CLI_INPUT,
     .at = offsetof(attack_options, original),
     .help = "the network as it was: the attackers know it, and search the release",
     .more = "Needs --map. The communities are then those of the original; without it they are those of the release."},
    {.name = "map",
     .value = "FILE",
     .type = CLI_INPUT,
     .at = offsetof(attack_options, map),
     .help = "the private map `original published`"},
    {.name = "earlier",
     .value = "LIST",
     .type = CLI_TEXT,
     .at = offsetof(attack_options, earlier),
     .shown = "none: no trail",
     .help = "earlier releases with the same ids, with commas: for the attacker who knows a trail of degrees"},
    {.name = "training",
     .value = "FILE",
     .type = CLI_INPUT,
     .at = offsetof(attack_options, training),
     .shown = "none: only those who come with the library",
     .help = "train an attacker of added edges on these releases",
     .more = "A line each: `release original communities map`, as of **--original**, **-c** and **--map**; a line that "
             "begins with # is none. Take other networks, released by the same method. Needs --original."},
    {.name = "only",
     .value = "LIST",
     .type = CLI_TEXT,
     .at = offsetof(attack_options, only),
     .shown = "all",
     .help = "only these attackers: names as in the JSON, with commas"},
    {.name = "tolerance",
     .value = "T",
     .type = CLI_COUNT,
     .at = offsetof(attack_options, tolerance),
     .max = UINT32_MAX,
     .help = "of the attacker who knows a degree give or take T"},
    {.name = "hubs",
     .value = "N",
     .type = CLI_COUNT,
     .at = offsetof(attack_options, hubs),
     .min = 1,
     .max = 64,
     .help = "of the attacker who knows the distances from the N largest hubs"},
    {.name = "list",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(attack_options, list),
     .help = "write who is found or exposed by whom, a line each (private, mode 0600)"},
    {.name = "report",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(attack_options, report),
     .help = "write a report for people to read, as one HTML page (private, mode 0600)"},
    {0}};
static const cli_argument arguments[] = {
    {"RELEASE", CLI_INPUT, true, NULL, "the network that is searched: a file, `-`, `builtin:lesmis`, `builtin:karate`"},
    {0}};

const cli_command cmd_attack = {
    .name = "attack",
    .group = "Publish",
    .summary = "what attackers learn who know more than a degree",
    .description =
        "A k-structurally diverse release guarantees something against whoever knows a degree. Others know more. Each "
        "attacker here knows something of one person; the vertices of which the same holds are the candidates, and he "
        "guesses the community that most of them are in. For each are told the people who are found (no other "
        "candidate), those whose candidates are in fewer than K communities, how often the guess is right, how often "
        "the surest one is, and how many bits of uncertainty are left.\n\n"
        "With --original and --map there are three readings. `matched`: he knows a person of the original and searches "
        "the release, as it happens. `release`: he knows a vertex of the release. `original`: what he would learn had "
        "the original been published as it is. Without them there is the release only. docs/attacks.md defines "
        "everything and says what is not covered.\n\n"
        "Others look at the release as a whole, and are told with --original only: which edges were added, which "
        "vertices are pieces of one person, and for whom a group was made. They rank by what two vertices have in "
        "common; values beyond a budget are sampled, with their interval. Added edges are also looked for by attackers "
        "who "
        "were trained on releases of generated networks, one for each method named, and with **--training** by one who "
        "is trained on other releases.\n\n"
        "Where people are in several communities (**--overlap disjoint**) he guesses one community, the one that most "
        "candidates have in their sets, and is right where the person's set has it. Exposed are people whose "
        "candidates have no K in pairwise disjoint sets; what is left is told as bits of the set; an edge is inside "
        "where two sets meet.\n\n"
        "**--format** holds for all networks.",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT,
    .size = sizeof(attack_options),
    .defaults = &defaults,
    .json = "k: what was counted for\n"
            "tolerance: of the attacker who knows a degree give or take so much\n"
            "hubs: of the attacker who knows distances from them\n"
            "vertices: of the release\n"
            "communities: how many\n"
            "overlap: disjoint where people are in several communities, else null: a guess is one community, exposed "
            "are those whose candidates have no k in pairwise disjoint sets, entropy is that of the set\n"
            "baseline_success: guessing the largest community without any knowledge\n"
            "baseline_entropy: bits of uncertainty without any knowledge\n"
            "matched: by attacker, with --original: people (how many he asks for), alone (found), exposed, absent "
            "(without a candidate), misled (candidates, but none in their community), classes (kinds of vertices that "
            "he tells apart), expected_success, surest, entropy, seconds\n"
            "release: the same where he knows a vertex of the release, without absent and misled\n"
            "original: the same where he knows and searches the original\n"
            "added_edges: with --original: ends (of added edges, at vertices that have own edges in their community), "
            "auc (by score, how often an added edge scores higher than an own edge of the same vertex), worst (the "
            "larger of that and its complement), low, high (its 95 % interval), exact, trained (attackers who were "
            "trained: "
            "auc by what on, `given` being --training; best, the largest of them, with low, high, exact; weights that "
            "were learned, by trait, with --training)\n"
            "linked_pieces: pairs of pieces of one person that are adjacent, against edges inside communities\n"
            "apart_pieces: other pairs of pieces, against other pairs of their community\n"
            "unmasking: groups (degrees with at least as many raised members as untouched ones), success (the least "
            "suspicious member is untouched), low, high, exact, chance\n"
            "seconds: for everything",
    .example = "$ ksda anonymize builtin:karate -k 2 -o published.edges --map private.map --quiet\n"
               "$ ksda attack published.edges --original builtin:karate --map private.map -k 2",
    .see_also = "**ksda-check**(1), **ksda-compare**(1), **ksda-verify**(1)",
    .run = run_attack,
};
