/* ksda sweep: methods by k on one network, side by side, resumable. */
#include "measuring.h"
#include "publish.h"
#include "report/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct sweep_options {
    cli_network_options network;
    cli_measuring measuring;
    const char *k;
    const char *methods;
    double split_weight, point_limit;
    ksda_share max_share;
    bool no_measures, attackers;
    const char *csv, *report, *journal;
} sweep_options;

static const sweep_options defaults = {.methods = "all"};

/* --- what to compute ---------------------------------------------------------------------------------------------- */

typedef struct k_range {
    uint64_t first, last, step;
} k_range;

/* "5", "2:20" or "2:20:2". */
static bool parse_range(const char *text, k_range *r) {
    const char *colon = strchr(text, ':'), *second = colon ? strchr(colon + 1, ':') : NULL;
    r->step = 1;
    if (!cli_parse_count(text, colon ? (size_t)(colon - text) : strlen(text), &r->first)) return false;
    r->last = r->first;
    if (colon && !cli_parse_count(colon + 1, second ? (size_t)(second - colon - 1) : strlen(colon + 1), &r->last))
        return false;
    if (second && !cli_parse_count(second + 1, strlen(second + 1), &r->step)) return false;
    return r->first >= 1 && r->first <= r->last && r->last <= UINT32_MAX && r->step >= 1;
}

/* "all" leaves out exact methods: on most networks they would never end. */
static bool wanted(const char *list, const ksda_method *method) {
    const char *name = method->name;
    size_t length = strlen(name);
    if (strcmp(list, "all") == 0) return !(method->flags & KSDA_METHOD_EXACT);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    return false;
}

/* Every name of the list must be a method. */
static int check_methods(cli_run *cli, const char *list) {
    for (const char *at = list; strcmp(list, "all") != 0;) {
        size_t length = strcspn(at, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (!ksda_method_find(name))
            return cli_usage(cli->command, "-m: no method is called '%s'; `ksda methods` lists them", name);
        if (at[length] == '\0') break;
        at += length + 1;
    }
    return 0;
}

static int make_points(cli_run *cli, const sweep_options *o, const k_range *r, ksda_i_sweep *s) {
    size_t methods;
    const ksda_method *method = ksda_methods(&methods);
    uint64_t columns = (r->last - r->first) / r->step + 1, room = 0;
    s->count = 0;
    for (size_t i = 0; i < methods; i++) {
        if (!wanted(o->methods, &method[i])) continue;
        if (ksda_i_reserve(cli->ctx, &s->point, &room, s->count + columns, sizeof *s->point) < 0)
            return cli_fail(cli, KSDA_NOMEM);
        for (uint64_t k = r->first; k <= r->last; k += r->step) {
            ksda_i_point *p = &s->point[s->count++];
            ksda_i_point_init(p, &method[i], (uint32_t)k);
        }
    }
    return 0;
}

/* --- the journal: a JSON line for every finished point, so that a killed sweep goes on where it stopped ----------- */

typedef struct journal {
    const char *path;
    int fd;
    int error; /* errno of a write that failed */
} journal;

static bool write_whole(int fd, const char *text) {
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text += n, left -= (size_t)n;
    }
    return true;
}

static ksda_status append(journal *j, json_t *object) {
    char *text = cli_json_text(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    errno = 0;
    if (!text || !write_whole(j->fd, text) || !write_whole(j->fd, "\n") || fdatasync(j->fd) != 0)
        j->error = errno ? errno : ENOMEM;
    cli_json_text_free(text);
    json_decref(object);
    return j->error ? KSDA_IO : KSDA_OK;
}

static ksda_status remember(const ksda_i_point *p, void *payload) {
    json_t *object = json_object();
    if (object) ksda_i_point_json(p, object);
    return append(payload, object);
}

/* Take what an earlier run left. keep: the bytes up to the end of its last whole line. Returns an exit code: CLI_USAGE
 * when it is of another sweep, CLI_FAILURE when it could not be read to its end. */
static int recall(FILE *file, const char *fingerprint, ksda_i_sweep *s, uint32_t *found, long *keep) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int code = 0;
    *found = 0;
    *keep = 0;
    for (uint64_t number = 0; code == 0 && (length = getline(&line, &room, file)) > 0 && line[length - 1] == '\n';
         number++) {
        json_t *object = cli_json_read(line);
        const char *mark = json_string_value(json_object_get(object, "sweep"));
        if (cli_json_failed())
            code = CLI_FAILURE;
        else if (number == 0)
            code = mark && strcmp(mark, fingerprint) == 0 ? 0 : CLI_USAGE;
        else
            *found += ksda_i_point_read(object, s);
        json_decref(object);
        *keep = ftell(file);
    }
    if (code == 0 && length < 0 && !feof(file)) code = CLI_FAILURE;
    free(line);
    return code;
}

static int journal_failed(const journal *j, int error) {
    cli_error("%s: the journal cannot be written: %s", j->path, strerror(error));
    return CLI_FAILURE;
}

static int open_journal(cli_run *cli, journal *j, ksda_i_sweep *s) {
    char fingerprint[32];
    struct stat what;
    uint32_t found = 0;
    long keep = 0;
    FILE *file;
    if (!j->path) return 0;
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, ksda_i_sweep_fingerprint(cli->ctx, s));
    j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (j->fd >= 0 && fstat(j->fd, &what) == 0 && !S_ISREG(what.st_mode)) { /* a device may have no end */
        cli_error("%s: a journal is read back, so it must be a regular file", j->path);
        return CLI_FAILURE;
    }
    file = j->fd >= 0 ? fdopen(dup(j->fd), "r") : NULL;
    if (!file) return journal_failed(j, errno);
    int code = recall(file, fingerprint, s, &found, &keep);
    fclose(file);
    if (code == CLI_FAILURE) cli_error("%s: the journal cannot be read; nothing of it was changed", j->path);
    if (code == CLI_USAGE)
        cli_error("%s: holds the results of another sweep (another network, seed, weight, point limit or choice of "
                  "measures); name another file or remove it",
                  j->path);
    if (code) return code;
    if (ftruncate(j->fd, keep) != 0 || lseek(j->fd, keep, SEEK_SET) < 0) return journal_failed(j, errno);
    if (keep == 0 && append(j, json_pack("{s:s}", "sweep", fingerprint)) < 0) return journal_failed(j, j->error);
    if (found) cli_message(cli, "%u of %u points were done before, says %s", found, s->count, j->path);
    s->finished = remember;
    s->payload = j;
    return 0;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static ksda_status write_all(cli_run *cli, const sweep_options *o, const ksda_i_sweep *s) {
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status = KSDA_OK;
    if (o->csv) {
        KSDA_I_TRY(cli_outputs_open(cli, &set, o->csv, true, &out));
        ksda_i_sweep_csv(s, out);
    }
    if (o->report) {
        KSDA_I_TRY(cli_outputs_open(cli, &set, o->report, true, &out));
        KSDA_I_TRY(ksda_i_sweep_html(cli->ctx, s, cli->argument[0], out));
    }
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    return status;
}

static int tell_sweep(cli_run *cli, const cli_network *network, const ksda_i_sweep *s) {
    cli_bar_clear(cli->bar);
    if (cli->shared.json) {
        json_t *object = cli_json(), *seconds = json_object();
        ksda_i_sweep_json(s, object);
        cli_json_real(seconds, "load", network->load_seconds);
        cli_json_real(seconds, "communities", network->communities_seconds);
        json_object_set_new(object, "seconds", seconds);
        return cli_json_print(cli, object);
    }
    if (!cli->shared.quiet) ksda_i_sweep_text(s, cli_utf8(), stdout);
    return 0;
}

static int sweep_points(cli_run *cli, const sweep_options *o, const cli_network *network, ksda_i_sweep *s, journal *j) {
    int code = open_journal(cli, j, s);
    if (code) return code;
    ksda_status status = ksda_i_sweep_run(cli->ctx, s);
    if (j->error) return journal_failed(j, j->error);
    code = cli_fail(cli, status);
    if ((code == CLI_INTERRUPTED || code == CLI_LIMITED) && j->path)
        cli_message(cli, "the same command goes on from %s", j->path);
    if (status < 0) return code;
    cli_lift_limit(cli);
    int shown = cli_fail(cli, write_all(cli, o, s));
    if (shown == 0) shown = tell_sweep(cli, network, s);
    return shown ? shown : code;
}

static int run_sweep(cli_run *cli, const void *values) {
    const sweep_options *o = values;
    cli_network network = {.path = NULL};
    ksda_i_sweep s = {.split_weight = o->split_weight,
                      .time_limit = o->point_limit,
                      .max_share = o->max_share,
                      .measured = !o->no_measures,
                      .attackers = o->attackers,
                      .original = KSDA_INIT(ksda_measures)};
    journal j = {.path = o->journal, .fd = -1};
    k_range range;
    int code = cli_measuring_options(cli, &o->measuring, &s.measuring);
    if (code == 0 && !parse_range(o->k, &range))
        code = cli_usage(cli->command, "-k: '%s' is none of K, FIRST:LAST and FIRST:LAST:STEP", o->k);
    if (code == 0) code = check_methods(cli, o->methods);
    if (code == 0) code = cli_network_load(cli, cli->argument[0], &o->network, CLI_COMMUNITIES_REQUIRED, &network);
    if (code == 0 && range.last > ksda_communities_set_count(network.net.communities))
        code = cli_usage(cli->command, "-k: %llu is above the number of communities, %u",
                         (unsigned long long)range.last, ksda_communities_set_count(network.net.communities));
    if (code == 0) cli_remark_k(cli, range.first);
    s.graph = network.net.graph, s.communities = network.net.communities;
    if (code == 0) code = make_points(cli, o, &range, &s);
    if (code == 0) code = sweep_points(cli, o, &network, &s, &j);
    if (j.fd >= 0) close(j.fd);
    ksda_measures_clear(cli->ctx, &s.original);
    ksda_free(cli->ctx, s.point);
    cli_network_clear(cli, &network);
    return code;
}

static const cli_option rows[] = {
    {.letter = 'k',
     .value = "RANGE",
     .type = CLI_TEXT,
     .at = offsetof(sweep_options, k),
     .required = true,
     .help = "K, FIRST:LAST or FIRST:LAST:STEP",
     .more = "`2:20:2` is 2, 4, ..., 20."},
    CLI_MAX_SHARE(sweep_options, max_share, "the largest share of a degree that a community may have, at every k"),
    {.letter = 'm',
     .name = "methods",
     .value = "LIST",
     .type = CLI_TEXT,
     .at = offsetof(sweep_options, methods),
     .help = "names with commas, or all",
     .more = "`all` leaves out the exact method, which may take days: name it where it is wanted."},
    CLI_NETWORK_ROWS(sweep_options, network),
    CLI_OVERLAP_ROW(sweep_options, network),
    CLI_SPLIT_WEIGHT(sweep_options, split_weight, "vertices squared"),
    CLI_POINT_LIMIT(sweep_options, point_limit, "point",
                    .more = "Such a point has the outcome `limit`. For methods that go on until they have a proof: "
                            "`optimal`."),
    {.name = "attackers",
     .type = CLI_FLAG,
     .at = offsetof(sweep_options, attackers),
     .help = "also how many people attackers find or expose who know more than a degree: ksda-attack(1)"},
    {.name = "no-measures",
     .type = CLI_FLAG,
     .at = offsetof(sweep_options, no_measures),
     .help = "only the changes, not what they do to the network"},
    CLI_MEASURING_ROWS(sweep_options, measuring),
    {.name = "csv",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(sweep_options, csv),
     .help = "write a row for every method and k (mode 0600)"},
    {.name = "report",
     .value = "FILE",
     .type = CLI_OUTPUT,
     .at = offsetof(sweep_options, report),
     .help = "write an HTML page with a plot for every measure (mode 0600)"},
    {.name = "journal",
     .value = "FILE",
     .type = CLI_TEXT,
     .at = offsetof(sweep_options, journal),
     .help = "keep finished points here and take them from here",
     .more = "A sweep that was stopped or killed goes on where it was when the same command is given again: no point "
             "is computed twice, and "
             "none is lost. The file is refused when it is of another network, seed, weight, point limit or choice of "
             "measures. Remove it to start anew."},
    {0}};
static const cli_argument arguments[] = {CLI_GRAPH_ARGUMENT, {0}};

const cli_command cmd_sweep = {
    .name = "sweep",
    .group = "Look",
    .summary = "every method at every k, side by side",
    .description =
        "Run methods over a range of k on one network and measure what each does to it. Every release is "
        "verified. A method that "
        "finds no solution at some k is a result, not an error. Points are computed side by side, one "
        "thread each; the figures do "
        "not depend on how many threads there are, but for the seconds.\n\n"
        "Where people are in several communities (**--overlap disjoint**), methods that do not know such "
        "people have the outcome `refused` and say why, as those that do not know **--max-share**; the measures "
        "are as in ksda-compare(1).",
    .arguments = arguments,
    .options = rows,
    .shared = CLI_SEED | CLI_THREADS | CLI_FORMAT | CLI_JSON | CLI_TIME_LIMIT | CLI_PROOFS,
    .size = sizeof(sweep_options),
    .defaults = &defaults,
    .json =
        "vertices: of the network\n"
        "edges: of the network\n"
        "communities: how many\n"
        "overlap: disjoint where people are in several communities, else null\n"
        "original: the fields of ksda-measure(1); absent with --no-measures\n"
        "seconds: load and communities: of reading the network and of finding communities\n"
        "points: one for each method and k: method, k, trivial_k (k is 1: nothing is guaranteed), outcome (done, "
        "limit, failed, impossible, refused: it does not know people in several communities, or shares; not reached), "
        "seconds, reason "
        "(of a failure), satisfied, "
        "added_edges, added_vertices, split_vertices, split_weight, cost, lower_bound, measures, differences, attack "
        "(the degree attack on the release: expected_success, largest_posterior), and with --attackers: attackers "
        "(alone "
        "and exposed, people of the original searched in the release), added_edges_auc (of the worst score)",
    .exits = "5: the time limit was hit; the points that were reached are shown, and others not",
    .example = "$ ksda sweep builtin:karate -k 1:2 --no-measures -m level-plan,edge-connect",
    .see_also = "**ksda-anonymize**(1), **ksda-compare**(1), **ksda-methods**(1)",
    .run = run_sweep,
};
