/* From edits to files. Whatever a method says, nothing is written before verify has recounted the release. */
#include "publish.h"

#include "io/formats.h"
#include "report/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_publish_check(cli_run *cli, const cli_publish_options *o) {
    struct stat st;
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

/* Apply the edits and recount the result. A method that breaks its promise is a bug: say which condition failed, write
 * nothing. */
static int make(cli_run *cli, const cli_publish_options *options, const ksda_edits *edits, ksda_i_summary *s,
                ksda_publication **out) {
    ksda_publish_options how;
    ksda_publish_options_init(&how);
    how.insecure_ids = options->insecure_ids;
    how.baseline = s->baseline;
    how.method = s->method;
    how.result = &s->result;
    ksda_status status = ksda_publish_edits(cli->ctx, s->original, s->communities, s->k, edits, &how, out);
    if (status >= 0 || status != KSDA_VIOLATED) return cli_fail(cli, status);
    cli_error("nothing was written, please report this bug: %s", ksda_ctx_error(cli->ctx)->message);
    return CLI_FAILURE;
}

static ksda_status write_graph(cli_run *cli, const cli_publish_options *o, const ksda_release *release,
                               cli_outputs *set) {
    ksda_i_output *out;
    ksda_status status;
    KSDA_I_TRY(cli_outputs_open(cli, set, o->output, false, &out));
    KSDA_I_TRY(ksda_i_write_graph(cli->ctx, release->graph, NULL, o->output, cli_format(o->output_format), out));
    if (o->communities) {
        ksda_graph named = ksda_i_graph_as_written(release->graph, o->output, cli_format(o->output_format));
        KSDA_I_TRY(cli_outputs_open(cli, set, o->communities, false, &out));
        KSDA_I_TRY(ksda_i_write_communities(cli->ctx, &named, release->communities, out));
    }
done:
    return status;
}

static ksda_status write_summary(cli_run *cli, const char *path, const char *text, cli_outputs *set) {
    ksda_i_output *out;
    ksda_status status = cli_outputs_open(cli, set, path, true, &out);
    if (status < 0) return status;
    ksda_i_output_text(out, text);
    ksda_i_output_text(out, "\n");
    return KSDA_OK;
}

/* What the report and the summary are made from; the terminal shows some of it as well. */
typedef struct figures {
    ksda_diversity before, after;
    ksda_comparison comparison;
    bool counted, measured;
    char *json;
} figures;

static void figures_clear(cli_run *cli, figures *f) {
    ksda_comparison_clear(cli->ctx, &f->comparison);
    ksda_diversity_clear(cli->ctx, &f->before);
    ksda_diversity_clear(cli->ctx, &f->after);
    free(f->json);
}

/* The measures side by side, if they are done in time. */
static ksda_status compare(cli_run *cli, const ksda_release *release, const ksda_i_summary *s,
                           const ksda_measure_options *options, figures *f) {
    ksda_status status = KSDA_TIMEOUT;
    if (cli_limit_again(cli))
        status = ksda_compare(cli->ctx, s->original, s->communities, release->graph, release->owner, s->k, options,
                              &f->comparison);
    cli_lift_limit(cli);
    f->measured = status >= 0;
    if (status != KSDA_TIMEOUT) return status;
    cli_message(cli, "the measures were not done in time; the report has none");
    return KSDA_OK;
}

/* Count what the page shows, then write it. The measures are the long part; a public page has none. */
static ksda_status write_report(cli_run *cli, const cli_publish_options *o, const ksda_release *release,
                                ksda_i_summary *s, figures *f, cli_outputs *set) {
    ksda_i_output *out;
    ksda_status status;
    ksda_i_html page = {.network = cli->argument[0],
                        .k = s->k,
                        .original = s->original,
                        .communities = s->communities,
                        .before = &f->before,
                        .summary = s,
                        .release = release,
                        .after = &f->after,
                        .frontier = o->frontier,
                        .public_page = o->public_report,
                        .public_communities = o->communities != NULL};
    KSDA_I_TRY(ksda_diversity_check(cli->ctx, s->original, s->communities, s->k, &f->before));
    KSDA_I_TRY(ksda_diversity_check(cli->ctx, release->graph, release->communities, s->k, &f->after));
    f->counted = true;
    if (!o->public_report && !o->no_measures) {
        ksda_measure_options options;
        ksda_measure_options_init(&options);
        options.split_weight = s->result.split_weight;
        KSDA_I_TRY(compare(cli, release, s, &options, f));
        if (f->measured) page.comparison = &f->comparison;
    }
    KSDA_I_TRY(cli_outputs_open(cli, set, o->report, !o->public_report, &out));
    KSDA_I_TRY(ksda_i_html_write(cli->ctx, &page, out));
done:
    return status;
}

static ksda_status write_all(cli_run *cli, const cli_publish_options *o, const ksda_release *release, ksda_i_summary *s,
                             json_t *object, figures *f, cli_outputs *set) {
    double start = cli_now();
    ksda_status status;
    if (o->map) {
        ksda_i_output *out;
        ksda_graph named = ksda_i_graph_as_written(release->graph, o->output, cli_format(o->output_format));
        ksda_release as_written = *release;
        as_written.graph = &named;
        KSDA_I_TRY(cli_outputs_open(cli, set, o->map, true, &out));
        KSDA_I_TRY(ksda_i_write_map(cli->ctx, s->original, &as_written, out));
    }
    KSDA_I_TRY(write_graph(cli, o, release, set));
    if (o->report) KSDA_I_TRY(write_report(cli, o, release, s, f, set));
    s->write = cli_now() - start;
    s->peak_rss_bytes = cli_peak_memory();
    ksda_i_summary_json(s, object);
    f->json = cli_json_text(object, CLI_JSON_PRETTY); /* before anything has its name: later it must not fail */
    if (!f->json) KSDA_I_TRY(ksda_i_error(cli->ctx, KSDA_NOMEM, "out of memory for the summary"));
    if (o->summary) KSDA_I_TRY(write_summary(cli, o->summary, f->json, set));
    KSDA_I_TRY(cli_outputs_commit(cli, set));
done:
    return status;
}

static void tell_text(const cli_publish_options *o, const ksda_i_summary *s, const figures *f) {
    FILE *out = strcmp(o->output, "-") == 0 ? stderr : stdout;
    ksda_i_summary_text(s, out);
    if (f->counted) fputc('\n', out), ksda_i_attack_text(&f->before, &f->after, cli_utf8(), out);
    if (f->measured) fputc('\n', out), ksda_i_comparison_short(&f->comparison, cli_utf8(), out);
}

/* A list of edges does not hold vertices that have none; whoever counts people in it must know. */
static void remark_isolated(cli_run *cli, const cli_publish_options *o, const ksda_graph *published) {
    ksda_format format = cli_format(o->output_format);
    const ksda_i_format *row =
        format == KSDA_FORMAT_AUTO ? ksda_i_format_to_write(o->output) : ksda_i_format_row(format);
    uint32_t isolated = 0;
    if (!row || !row->lines) return;
    for (uint32_t v = 0; v < ksda_graph_vertices(published); v++) isolated += ksda_graph_degree(published, v) == 0;
    if (isolated)
        cli_message(cli,
                    "%u %s without an edge %s not in %s, which lists edges only; graphml, gml, metis and mtx hold all",
                    isolated, isolated == 1 ? "vertex" : "vertices", isolated == 1 ? "is" : "are", o->output);
}

static int tell(cli_run *cli, const cli_publish_options *o, const ksda_i_summary *s, const figures *f) {
    cli_bar_clear(cli->bar);
    if (s->baseline) cli_message(cli, "%s is a baseline: what it publishes is not a k-SDA", s->method);
    if (cli->shared.json)
        puts(f->json), cli_failure_none();
    else if (!cli->shared.quiet)
        tell_text(o, s, f);
    if (o->map && !cli->shared.json) cli_message(cli, "keep %s private: it tells who is who", o->map);
    return s->limited ? CLI_LIMITED : CLI_OK;
}

void cli_remark_k(cli_run *cli, uint64_t k) {
    if (k == 1) cli_message(cli, "%s", KSDA_I_TRIVIAL_K);
}

int cli_publish(cli_run *cli, const cli_publish_options *options, const ksda_edits *edits, ksda_i_summary *s,
                json_t *extra, cli_outputs *set) {
    ksda_publication *made = NULL;
    const ksda_release *release = NULL;
    figures f = {.before = KSDA_INIT(ksda_diversity),
                 .after = KSDA_INIT(ksda_diversity),
                 .comparison = KSDA_INIT(ksda_comparison)};
    json_t *object = cli_json();
    int code = make(cli, options, edits, s, &made);
    if (code == 0) {
        release = ksda_publication_release(made);
        ksda_i_summary_take(s, made);
    }
    cli_json_reading(cli, object);
    if (code == 0 && extra) json_object_update(object, extra);
    if (code == 0) code = cli_fail(cli, write_all(cli, options, release, s, object, &f, set));
    if (code == 0) cli_bar_clear(cli->bar), cli_remark_k(cli, s->k), remark_isolated(cli, options, release->graph);
    if (code == 0) code = tell(cli, options, s, &f);
    cli_outputs_abandon(set);
    figures_clear(cli, &f);
    json_decref(object);
    ksda_publication_free(cli->ctx, made);
    return code;
}
