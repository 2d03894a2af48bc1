/* anonymize --frontier: search the trade-off, show it, and publish the release of the chosen split weight if one is
 * wanted. */
#include "frontier.h"

#include "report/html.h"

#include <math.h>
#include <string.h>

/* Without a release there is nothing that these could say. */
static const char *needs_output(const cli_publish_options *o) {
    if (o->map) return "--map";
    if (o->communities) return "--publish-communities";
    if (o->summary) return "--summary";
    if (o->force) return "--force";
    if (o->output_format) return "--output-format";
    return o->insecure_ids ? "--insecure-ids" : NULL;
}

int cli_frontier_check(const cli_run *cli, const cli_frontier_options *o, const cli_publish_options *publish) {
    const char *alone = needs_output(publish);
    if (!o->wanted) return o->runs ? cli_usage(cli->command, "--frontier-runs goes with --frontier") : 0;
    if (o->method && strcmp(o->method, "level-plan") != 0)
        return cli_usage(cli->command, "--frontier goes with level-plan only, not with %s", o->method);
    if (o->trace) return cli_usage(cli->command, "--trace follows one run; --frontier makes many");
    if (o->bound_time > 0) return cli_usage(cli->command, "--bound goes on from one run; --frontier makes many");
    if (publish->public_report) return cli_usage(cli->command, "--public would leave out what --frontier shows");
    if (!o->publishing && alone)
        return cli_usage(cli->command, "%s: --frontier alone publishes nothing; give -o as well", alone);
    return 0;
}

/* Every release is verified; what is not measured in time is not measured. */
static ksda_status examine(cli_run *cli, const ksda_i_summary *s, ksda_i_frontier *f) {
    ksda_status status = KSDA_TIMEOUT;
    if (cli_limit_again(cli) || !f->measured)
        status = ksda_i_frontier_examine(cli->ctx, s->original, s->communities, f);
    cli_lift_limit(cli);
    if (status != KSDA_TIMEOUT) return status;
    cli_message(cli, "the measures were not done in time; there are none");
    f->measured = false;
    return ksda_i_frontier_examine(cli->ctx, s->original, s->communities, f);
}

static ksda_status search(cli_run *cli, const cli_frontier_options *o, const ksda_anonymize_options *options,
                          const ksda_i_summary *s, ksda_i_frontier *f) {
    double start = cli_now();
    cli_begin_method(cli, s->load);
    ksda_status status =
        ksda_frontier_search(cli->ctx, s->original, s->communities, options, (uint32_t)o->runs, &f->found);
    if (cli_end_method(cli) && status >= 0)
        cli_message(cli, "interrupted: these are the releases found so far; once more to stop at once");
    if (status < 0) return status;
    f->k = options->k;
    f->limited = status == KSDA_LIMIT;
    f->measured = o->measured;
    f->search = cli_now() - start;
    return examine(cli, s, f);
}

/* --- without a release -------------------------------------------------------------------------------------------- */

static ksda_status write_report(cli_run *cli, const char *path, const ksda_i_summary *s, const ksda_i_frontier *f) {
    ksda_diversity before = KSDA_INIT(ksda_diversity);
    cli_outputs set = {.count = 0};
    ksda_i_output *out;
    ksda_status status = ksda_diversity_check(cli->ctx, s->original, s->communities, s->k, &before);
    ksda_i_html page = {.network = cli->argument[0],
                        .k = s->k,
                        .original = s->original,
                        .communities = s->communities,
                        .before = &before,
                        .frontier = f};
    if (status < 0) return status;
    KSDA_I_TRY(cli_outputs_open(cli, &set, path, true, &out));
    KSDA_I_TRY(ksda_i_html_write(cli->ctx, &page, out));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    ksda_diversity_clear(cli->ctx, &before);
    return status;
}

static int show(cli_run *cli, const ksda_i_summary *s, const ksda_i_frontier *f) {
    cli_bar_clear(cli->bar);
    if (!cli->shared.json) {
        ksda_i_frontier_text(f, stdout);
        return CLI_OK;
    }
    json_t *object = cli_json();
    ksda_i_json_text(object, "method", s->method);
    ksda_i_json_count(object, "k", s->k);
    ksda_i_json_count(object, "seed", ksda_ctx_seed(cli->ctx));
    ksda_i_json_count(object, "vertices", ksda_graph_vertices(s->original));
    ksda_i_json_count(object, "edges", ksda_graph_edges(s->original));
    ksda_i_json_count(object, "communities", ksda_communities_count(s->communities));
    ksda_i_json_text(object, "detected", s->detected);
    ksda_i_json_bool(object, "limited", f->limited);
    ksda_i_frontier_json(f, object);
    ksda_i_json_count(object, "peak_rss_bytes", cli_peak_memory());
    ksda_i_json_text(object, "version", ksda_version());
    return cli_json_print(cli, object);
}

/* --- with one ----------------------------------------------------------------------------------------------------- */

static int publish(cli_run *cli, const cli_publish_options *o, ksda_i_summary *s, const ksda_i_frontier *f) {
    const ksda_frontier_point *p = &f->found.point[ksda_frontier_cheapest(&f->found, s->result.split_weight)];
    cli_publish_options with = *o;
    cli_outputs set = {.count = 0};
    json_t *extra = json_object();
    double weight = s->result.split_weight, cost = (double)p->added_edges + weight * (double)p->added_vertices;
    double least = ksda_frontier_lower_bound(&f->found, weight);
    s->result = (ksda_anonymize_result){.size = sizeof s->result,
                                        .split_weight = weight,
                                        .added_edges = p->added_edges,
                                        .added_vertices = p->added_vertices,
                                        .split_vertices = p->split_vertices,
                                        .cost = cost,
                                        .lower_bound = least < cost ? least : cost,
                                        .least_added_edges = ksda_i_frontier_least_edges(&f->found, p->added_vertices),
                                        .search_seconds = NAN};
    s->limited = f->limited;
    s->anonymize = f->search;
    with.frontier = f;
    ksda_i_frontier_json(f, extra);
    int code = cli_publish(cli, &with, p->edits, s, extra, &set);
    json_decref(extra);
    if (cli->shared.json || (code != CLI_OK && code != CLI_LIMITED)) return code;
    FILE *out = strcmp(o->output, "-") == 0 ? stderr : stdout;
    fputc('\n', out);
    ksda_i_frontier_text(f, out);
    return code;
}

int cli_frontier(cli_run *cli, const cli_frontier_options *o, const cli_publish_options *files,
                 const ksda_anonymize_options *options, ksda_i_summary *s) {
    ksda_i_frontier f = {.found = KSDA_INIT(ksda_frontier)};
    int code = cli_fail_method(cli, search(cli, o, options, s, &f), s->method);
    double n = ksda_graph_vertices(s->original);
    s->result.split_weight = options->split_weight > 0 ? options->split_weight : n * n;
    if (code == 0 && o->publishing) {
        code = publish(cli, files, s, &f);
    } else if (code == 0) {
        if (files->report) code = cli_fail(cli, write_report(cli, files->report, s, &f));
        if (code == 0) code = show(cli, s, &f);
        if (code == 0 && f.limited) code = CLI_LIMITED;
    }
    ksda_i_frontier_clear(cli->ctx, &f);
    return code;
}
