/* From edits to files. Whatever a method says, no file gets its name before verify has recounted the release. */
#include "anonymize/publish.h"
#include "graph/peers.h"
#include "io/formats.h"
#include "record.h"
#include "report/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The format that the published graph is written in, or NULL. */
static const ksda_i_format *format_of(const cli_publish_options *o) {
    return cli_output_format(o->output, o->output_format);
}

static int check_in_graph(cli_run *cli, const cli_publish_options *o) {
    const ksda_i_format *row = o->in_graph && o->output ? format_of(o) : NULL;
    if (!o->in_graph || (row && row->carries)) return 0;
    return cli_usage(cli->command,
                     "--communities-in-graph: %s files do not carry communities; graphml, gexf, gml and json do, and "
                     "--publish-communities writes them to a file of their own",
                     row ? row->name : "such");
}

/* Several processes read back together what was written. */
static int check_shares(cli_run *cli, const cli_publish_options *o) {
    const ksda_i_format *row = o->output ? format_of(o) : NULL;
    const char *ending = o->output ? strrchr(o->output, '.') : NULL;
    bool packed = ending && (strcmp(ending, ".gz") == 0 || strcmp(ending, ".zst") == 0);
    if (!cli->ctx->company || !row || ((row->lines || ksda_i_format_is_raw(row)) && !packed)) return 0;
    return cli_usage(cli->command,
                     "-o %s: several processes read back what they write, which they can do with plain files of edges, "
                     "csv, tsv, raw32 and raw64; `ksda %s` writes others, `ksda convert` makes them of these",
                     o->output, cli->command->name);
}

int cli_publish_check(cli_run *cli, const cli_publish_options *o) {
    struct stat st;
    int code = check_in_graph(cli, o);
    if (code == 0 && o->output) code = cli_check_parts(cli, o->output, o->output_format);
    if (code == 0) code = check_shares(cli, o);
    if (code != 0) return code;
    if (!o->map || o->force) return 0;
    if (stat(o->map, &st) != 0) {
        if (errno == ENOENT) return 0;
        cli_error("%s: %s", o->map, strerror(errno)); /* is there a map? Nobody knows */
        return CLI_FAILURE;
    }
    if (!S_ISREG(st.st_mode) || st.st_size == 0) return 0;
    return cli_usage(cli->command,
                     "--map '%s' is there already, and the release that it belongs to could never be verified again; "
                     "name another file, or replace it with --force",
                     o->map);
}

void cli_publish_remark(cli_run *cli, const cli_publish_options *o) {
    if (o->output && !o->map) cli_message(cli, "no --map: this release can never be verified or mapped back");
}

/* Will several processes read back what is written to that path? Then that is what they recount. */
static bool is_read_back(cli_run *cli, const cli_publish_options *o, const ksda_graph *original) {
    struct stat st;
    if (!original->far || ksda_graph_edges(original) == 0 || !o->output || strcmp(o->output, "-") == 0 || o->report)
        return false;
    return cli_in_parts(cli, o->output) || stat(o->output, &st) != 0 || S_ISREG(st.st_mode);
}

/* Apply the edits and recount the result. A method that breaks its promise is a bug: say which condition failed, write
 * nothing. */
static int make_publication(cli_run *cli, const cli_publish_options *options, const ksda_edits *edits,
                            const cli_found *found, ksda_publication **out) {
    const ksda_network *net = &found->network->net;
    ksda_publish_options how;
    ksda_publish_options_init(&how);
    how.insecure_ids = options->insecure_ids;
    how.baseline = found->baseline;
    how.method = found->method;
    how.result = &found->result;
    how.limited = found->limited;
    how.no_proof = found->no_proof;
    how.seconds = found->seconds;
    how.max_share = found->max_share;
    cli->ctx->recounts = is_read_back(cli, options, net->graph);
    ksda_status status = ksda_publish_edits(cli->ctx, net->graph, net->communities, found->k, edits, &how, out);
    cli->ctx->recounts = false;
    if (status >= 0 && ksda_i_graph_makes_rows(ksda_publication_release(*out)->graph))
        cli_message(cli, "the release is made anew each time it is gone through, since it does not fit beside the "
                         "original: less memory, more time");
    if (status >= 0) return 0;
    if (status != KSDA_VIOLATED) return cli_fail(cli, status);
    cli_error("nothing was written, please report this bug: %s", ksda_ctx_error(cli->ctx)->message);
    return CLI_FAILURE;
}

/* What the report and the summary are made from; the terminal shows some of it as well. */
typedef struct figures {
    ksda_publication *made;
    ksda_i_output *graph, *map; /* where they were written */
    ksda_report_options how;
    ksda_diversity before, after;
    ksda_comparison comparison;
    ksda_attack_result attack;
    double recount_seconds; /* what reading the files back and counting them again will take, about */
    bool cut_short;         /* the user did not want to wait for the measures */
    char *json, *text;      /* what will be told, made before anything has its name: later it must not fail */
} figures;

static figures figures_of(const cli_run *cli, const cli_publish_options *o, const cli_found *found,
                          ksda_publication *made) {
    figures f = {.made = made,
                 .how = cli_report(cli),
                 .before = KSDA_INIT(ksda_diversity),
                 .after = KSDA_INIT(ksda_diversity),
                 .comparison = KSDA_INIT(ksda_comparison),
                 .attack = KSDA_INIT(ksda_attack_result)};
    f.how.detected = found->network->detected[0] ? found->network->detected : NULL;
    f.how.load_seconds = found->network->load_seconds;
    f.how.communities_seconds = found->network->communities_seconds;
    f.how.frontier = o->frontier;
    f.how.public_page = o->public_report;
    f.how.public_communities = o->communities || o->in_graph;
    return f;
}

static void figures_clear(cli_run *cli, figures *f) {
    ksda_comparison_clear(cli->ctx, &f->comparison);
    ksda_attack_result_clear(cli->ctx, &f->attack);
    ksda_diversity_clear(cli->ctx, &f->before);
    ksda_diversity_clear(cli->ctx, &f->after);
    free(f->json);
    ksda_free(cli->ctx, f->text);
}

/* The map, the graph and its communities. named: the release under the names that the file gives its vertices. */
static ksda_status write_release(cli_run *cli, const cli_publish_options *o, const cli_found *found,
                                 const ksda_release *named, figures *f, cli_outputs *set) {
    const ksda_release *release = ksda_publication_release(f->made);
    ksda_i_output *out;
    ksda_status status;
    if (o->map) {
        KSDA_I_TRY(cli_outputs_map(cli, set, o->map, found->network->net.graph, named, &f->map));
    }
    KSDA_I_TRY(cli_outputs_graph(cli, set, o->output, o->output_format, release->graph,
                                 o->in_graph ? release->communities : NULL, &f->graph));
    if (o->communities) {
        KSDA_I_TRY(cli_outputs_open(cli, set, o->communities, false, &out));
        KSDA_I_TRY(ksda_i_write_communities(cli->ctx, named->graph, release->communities, out));
    }
done:
    return status;
}

/* The report does without what was not done in time, or what the user does not wait for. */
static ksda_status leave_out(cli_run *cli, figures *f, ksda_status status, const char *what) {
    bool asked = cli_end_method(cli) && status == KSDA_INTERRUPTED;
    f->cut_short |= asked;
    if (status != KSDA_TIMEOUT && !asked) return status;
    if (asked)
        cli_message(cli, "interrupted: the report has no %s; once more to stop at once", what);
    else
        cli_message(cli, "the %s were not done in time; the report has none", what);
    return KSDA_OK;
}

/* The measures side by side. */
static ksda_status compare_release(cli_run *cli, const cli_found *found, figures *f) {
    const ksda_network *net = &found->network->net;
    const ksda_release *release = ksda_publication_release(f->made);
    ksda_status status = KSDA_TIMEOUT;
    ksda_measure_options options;
    ksda_measure_options_init(&options);
    options.split_weight = found->result.split_weight;
    if (cli_limit_again(cli, f->recount_seconds))
        status = ksda_compare(cli->ctx, net->graph, net->communities, release->graph, release->owner, found->k,
                              &options, &f->comparison);
    if (status >= 0) f->how.comparison = &f->comparison;
    return leave_out(cli, f, status, "measures");
}

/* What attackers learn who know more than a degree. */
static ksda_status attack_release(cli_run *cli, const cli_found *found, figures *f) {
    const ksda_network *net = &found->network->net;
    const ksda_release *release = ksda_publication_release(f->made);
    ksda_status status = KSDA_TIMEOUT;
    ksda_attack_options options;
    if (ksda_graph_edges(release->graph) > CLI_QUICK_EDGES) {
        cli_message(cli, CLI_NO_ATTACKERS);
        return KSDA_OK;
    }
    ksda_attack_options_init(&options);
    options.k = found->k;
    if (cli_limit_again(cli, f->recount_seconds))
        status = ksda_attack_release(cli->ctx, net->graph, net->communities, release->graph, release->owner, &options,
                                     &f->attack);
    return leave_out(cli, f, status, "attackers");
}

/* What the files hold must be what was verified: if not nothing may be published, and it is a bug. */
static ksda_status recount(cli_run *cli, const cli_publish_options *o, const cli_found *found,
                           const ksda_release *named, const figures *f, ksda_i_record *r) {
    const ksda_network *net = &found->network->net;
    const cli_written written = {.graph = f->graph,
                                 .map = f->map,
                                 .format = ksda_i_format_number(format_of(o)),
                                 .original = net,
                                 .release = named};
    cli_record_begin(cli, found->k, found->max_share, net->graph, r);
    r->insecure_ids = o->insecure_ids;
    r->overlap = ksda_communities_overlap(net->communities);
    r->recount = *ksda_publication_verification(f->made);
    if (!net->graph->far && !cli_time_for(cli, f->recount_seconds)) {
        cli_message(cli,
                    "there was no time to read the files back; the report tells of the release as it was verified");
        r->no_time = true;
        return KSDA_OK;
    }
    double start = cli_now();
    ksda_status status = cli_record_recount(cli, &written, r);
    if (status == KSDA_PARSE || status == KSDA_INVALID)
        return ksda_i_error(cli->ctx, KSDA_INTERNAL,
                            "nothing was written, please report this bug: what was written "
                            "cannot be read back");
    if (status >= 0 && f->made->unverified && r->read_back)
        ksda_i_publication_recounted(f->made, &r->recount, cli_now() - start);
    if (status >= 0 && !found->baseline && !(r->recount.valid && r->recount.satisfied))
        return ksda_i_error(cli->ctx, KSDA_INTERNAL,
                            "nothing was written, please report this bug: read back, the release does not hold: %s",
                            r->recount.error);
    return status;
}

/* Count what the page shows, then write it. The measures are the long part; a public page has none. */
static ksda_status write_report(cli_run *cli, const cli_publish_options *o, const cli_found *found,
                                const ksda_release *named, figures *f, cli_outputs *set) {
    const ksda_network *net = &found->network->net;
    const ksda_release *release = ksda_publication_release(f->made);
    ksda_report_options how;
    ksda_i_record record;
    char *page = NULL;
    ksda_status status;
    KSDA_I_TRY(
        ksda_diversity_check_share(cli->ctx, net->graph, net->communities, found->k, &found->max_share, &f->before));
    KSDA_I_TRY(ksda_diversity_check_share(cli->ctx, release->graph, release->communities, found->k, &found->max_share,
                                          &f->after));
    f->how.before = &f->before, f->how.after = &f->after;
    if (!o->public_report && !o->no_measures) KSDA_I_TRY(compare_release(cli, found, f));
    if (!o->public_report && !o->no_measures && !f->cut_short) KSDA_I_TRY(attack_release(cli, found, f));
    how = f->how;
    how.rendering = KSDA_RENDERING_HTML;
    how.attack = f->attack.attackers ? &f->attack : NULL;
    KSDA_I_TRY(recount(cli, o, found, named, f, &record));
    KSDA_I_TRY(cli_record_files(cli, set, NULL, &record));
    KSDA_I_TRY(ksda_i_report_release(cli->ctx, f->made, &how, &record, &page));
    KSDA_I_TRY(cli_outputs_text(cli, set, o->report, !o->public_report, page));
done:
    ksda_free(cli->ctx, page);
    return status;
}

/* The summary, and before it how the files were read and what the caller adds. */
static ksda_status make_summary(cli_run *cli, json_t *extra, figures *f) {
    ksda_report_options how = f->how;
    json_t *object = cli_json(), *told;
    char *text;
    how.rendering = KSDA_RENDERING_JSON;
    ksda_status status = ksda_report_publication(cli->ctx, f->made, &how, &text);
    told = status < 0 ? NULL : cli_json_read(text);
    ksda_free(cli->ctx, text);
    cli_json_reading(cli, object);
    if (extra) json_object_update(object, extra);
    json_object_update(object, told);
    if (status >= 0) f->json = cli_json_text(told ? object : NULL, CLI_JSON_PRETTY);
    json_decref(told);
    json_decref(object);
    return status < 0 || f->json ? status : KSDA_NOMEM;
}

static ksda_status write_summary(cli_run *cli, const char *path, const char *text, cli_outputs *set) {
    ksda_i_output *out;
    ksda_status status = cli_outputs_open(cli, set, path, true, &out);
    if (status < 0) return status;
    ksda_i_output_text(out, text);
    ksda_i_output_text(out, "\n");
    return KSDA_OK;
}

static ksda_status write_all(cli_run *cli, const cli_publish_options *o, const cli_found *found, json_t *extra,
                             figures *f, cli_outputs *set) {
    ksda_release named = *ksda_publication_release(f->made);
    ksda_graph graph = ksda_i_graph_as_written(named.graph, o->output, cli_format(o->output_format));
    const ksda_graph *original = found->network->net.graph;
    double start = cli_now();
    ksda_i_record record;
    ksda_status status;
    named.graph = &graph;
    KSDA_I_TRY(write_release(cli, o, found, &named, f, set));
    f->how.write_seconds = cli_now() - start;
    if (graph.far && !graph.far->row && !o->report) { /* others had a part in it */
        graph.far->let_go(&graph);
        original->far->halve(original);
        KSDA_I_TRY(recount(cli, o, found, &named, f, &record));
    }
    if (f->made->unverified)
        KSDA_I_TRY(ksda_i_error(cli->ctx, KSDA_INTERNAL,
                                "nothing was written: it could not be read back, and has not been verified"));
    KSDA_I_TRY(make_summary(cli, extra, f));
    if (o->summary) KSDA_I_TRY(write_summary(cli, o->summary, f->json, set));
    start = cli_now();
    if (o->report) KSDA_I_TRY(write_report(cli, o, found, &named, f, set)); /* last: it has the hashes of the others */
    if (o->report) f->how.report_seconds = cli_now() - start;
    if (!cli->shared.json) KSDA_I_TRY(ksda_report_publication(cli->ctx, f->made, &f->how, &f->text));
    KSDA_I_TRY(cli_outputs_commit(cli, set));
done:
    return status;
}

/* A list of edges does not hold vertices that have none; a reader who counts vertices in it must know. */
static void remark_isolated(cli_run *cli, const cli_publish_options *o, const ksda_graph *published) {
    const ksda_i_format *row = format_of(o);
    uint32_t isolated = 0;
    if (!row || !(row->lines || row->edges_only)) return;
    for (uint32_t v = 0; v < ksda_graph_vertices(published); v++) isolated += ksda_graph_degree(published, v) == 0;
    if (isolated)
        cli_message(cli,
                    "%u %s without an edge %s not in %s, which lists edges only; graphml, gexf, gml, json, pajek, "
                    "metis, mtx and npz hold all",
                    isolated, isolated == 1 ? "vertex" : "vertices", isolated == 1 ? "is" : "are", o->output);
}

static int tell_publication(cli_run *cli, const cli_publish_options *o, const cli_found *found, const figures *f) {
    cli_bar_clear(cli->bar);
    if (found->baseline) cli_message(cli, "%s is a baseline: what it publishes is not a k-SDA", found->method);
    if (cli->shared.json)
        puts(f->json), cli_failure_none();
    else if (!cli->shared.quiet)
        fputs(f->text, strcmp(o->output, "-") == 0 ? stderr : stdout);
    if (o->map && !cli->shared.json) cli_message(cli, "keep %s private: it tells who is who", o->map);
    if (o->report && !o->public_report && !cli->shared.json)
        cli_message(cli, "keep %s private: it describes the original (--public makes one to publish)", o->report);
    return found->limited || f->cut_short ? CLI_LIMITED : CLI_OK;
}

void cli_remark_k(cli_run *cli, uint64_t k) {
    if (k == 1) cli_message(cli, "%s", KSDA_TRIVIAL_K);
}

int cli_publish(cli_run *cli, const cli_publish_options *options, const ksda_edits *edits, const cli_found *found,
                json_t *extra, cli_outputs *set) {
    ksda_publication *made = NULL;
    double start = cli_now();
    int code = make_publication(cli, options, edits, found, &made);
    figures f = figures_of(cli, options, found, made);
    f.recount_seconds = found->network->load_seconds + cli_now() - start;
    if (code == 0) code = cli_fail(cli, write_all(cli, options, found, extra, &f, set));
    if (code == 0) {
        cli_bar_clear(cli->bar);
        cli_remark_k(cli, found->k);
        remark_isolated(cli, options, ksda_publication_release(made)->graph);
        code = tell_publication(cli, options, found, &f);
    }
    cli_outputs_abandon(set);
    figures_clear(cli, &f);
    ksda_publication_free(cli->ctx, made);
    return code;
}
