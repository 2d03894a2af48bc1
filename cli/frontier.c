/* anonymize --frontier: search the trade-off, show it, and publish the release of the chosen split weight if one is
 * wanted. */
#include "frontier.h"

#include <math.h>
#include <string.h>

/* Without a release there is nothing that these could say. */
static const char *needs_output(const cli_publish_options *o) {
    if (o->map) return "--map";
    if (o->communities) return "--publish-communities";
    if (o->in_graph) return "--communities-in-graph";
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

/* Every release is verified; what is not measured in time, or while the user waits, is not measured. */
static ksda_status examine(cli_run *cli, const ksda_network *net, const ksda_frontier *f, bool measured,
                           ksda_frontier_study **out) {
    ksda_status status = KSDA_TIMEOUT;
    *out = NULL;
    if (cli_limit_again(cli, 0) || !measured)
        status = ksda_frontier_examine(cli->ctx, net->graph, net->communities, f, measured, out);
    bool asked = cli_end_method(cli) && status == KSDA_INTERRUPTED;
    if (status != KSDA_TIMEOUT && !asked) return status;
    cli_message(cli, asked ? "interrupted: there are no measures; once more to stop at once"
                           : "the measures were not done in time; there are none");
    return ksda_frontier_examine(cli->ctx, net->graph, net->communities, f, false, out);
}

static ksda_status search_frontier(cli_run *cli, const cli_frontier_options *o, const ksda_anonymize_options *options,
                                   const cli_network *network, ksda_frontier *f, ksda_frontier_study **study) {
    const ksda_network *net = &network->net;
    cli_begin_method(cli, network->load_seconds);
    ksda_status status = ksda_frontier_search(cli->ctx, net->graph, net->communities, options, (uint32_t)o->runs, f);
    if (cli_end_method(cli) && status >= 0)
        cli_message(cli, "interrupted: these are the releases found so far; once more to stop at once");
    return status < 0 ? status : examine(cli, net, f, o->measured, study);
}

static ksda_report_options report_options(const cli_run *cli, const cli_found *found) {
    ksda_report_options how = cli_report(cli);
    how.detected = found->network->detected[0] ? found->network->detected : NULL;
    return how;
}

/* --- without a release -------------------------------------------------------------------------------------------- */

static ksda_status write_report(cli_run *cli, const char *path, const cli_found *found, const ksda_frontier_study *f) {
    ksda_report_options how = report_options(cli, found);
    cli_outputs set = {.count = 0};
    char *page;
    ksda_status status;
    how.rendering = KSDA_RENDERING_HTML;
    KSDA_I_TRY(ksda_report_frontier(cli->ctx, f, &how, &page));
    KSDA_I_TRY(cli_outputs_text(cli, &set, path, true, page));
    KSDA_I_TRY(cli_outputs_commit(cli, &set));
done:
    cli_outputs_abandon(&set);
    ksda_free(cli->ctx, page);
    return status;
}

static int show_frontier(cli_run *cli, const cli_found *found, const ksda_frontier_study *f) {
    ksda_report_options how = report_options(cli, found);
    char *report;
    ksda_status status = ksda_report_frontier(cli->ctx, f, &how, &report);
    return cli_report_print(cli, status, report);
}

/* --- with one ----------------------------------------------------------------------------------------------------- */

static int publish(cli_run *cli, const cli_publish_options *o, double weight, cli_found *found, const ksda_frontier *f,
                   const ksda_frontier_study *study) {
    const ksda_frontier_point *p = &f->point[ksda_frontier_cheapest(f, weight)];
    cli_publish_options with = *o;
    cli_outputs set = {.count = 0};
    double cost = (double)p->added_edges + weight * (double)p->added_vertices;
    found->result = (ksda_anonymize_result){.size = sizeof found->result,
                                            .split_weight = weight,
                                            .added_edges = p->added_edges,
                                            .added_vertices = p->added_vertices,
                                            .split_vertices = p->split_vertices,
                                            .cost = cost,
                                            .lower_bound = fmin(ksda_frontier_lower_bound(f, weight), cost),
                                            .least_added_edges = ksda_frontier_least_edges(f, p->added_vertices),
                                            .search_seconds = NAN};
    found->limited = f->limited;
    found->seconds = f->seconds;
    with.frontier = study;
    ksda_report_options how = cli_report(cli);
    char *text;
    int code = cli_fail(cli, ksda_report_frontier(cli->ctx, study, &how, &text));
    if (code == 0) code = cli_publish(cli, &with, p->edits, found, NULL, &set);
    if (!cli->shared.json && (code == CLI_OK || code == CLI_LIMITED))
        fprintf(strcmp(o->output, "-") == 0 ? stderr : stdout, "\n%s", text);
    ksda_free(cli->ctx, text);
    return code;
}

int cli_frontier(cli_run *cli, const cli_frontier_options *o, const cli_publish_options *files,
                 const ksda_anonymize_options *options, cli_found *found) {
    ksda_frontier f = KSDA_INIT(ksda_frontier);
    ksda_frontier_study *study = NULL;
    int code = cli_fail_method(cli, search_frontier(cli, o, options, found->network, &f, &study), found->method);
    double n = ksda_graph_vertices(found->network->net.graph);
    if (code == 0 && o->publishing) {
        code = publish(cli, files, options->split_weight > 0 ? options->split_weight : n * n, found, &f, study);
    } else if (code == 0) {
        if (files->report) code = cli_fail(cli, write_report(cli, files->report, found, study));
        if (code == 0) code = show_frontier(cli, found, study);
        if (code == 0 && f.limited) code = CLI_LIMITED;
    }
    ksda_frontier_study_free(cli->ctx, study);
    ksda_frontier_clear(cli->ctx, &f);
    return code;
}
