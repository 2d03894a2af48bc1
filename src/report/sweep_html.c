/* A sweep as a page: one plot for every measure, a line for every method. Every mark tells its method, k and value to
 * a reader who points at it, and the table below has all the numbers. */
#include "report/chart.h"
#include "report/page.h"
#include "report/sweep.h"

#include <math.h>

/* What a plot shows: a number of each point, NaN where there is none. */
typedef double (*pick_fn)(const ksda_i_point *p, int index);

static double pick_measure(const ksda_i_point *p, int index) {
    return p->status >= 0 ? p->measure[index] : NAN;
}
static double pick_difference(const ksda_i_point *p, int index) {
    return p->status >= 0 ? p->difference[index] : NAN;
}
static double pick_plain(const ksda_i_point *p, int index) {
    if (p->status < 0) return NAN;
    return index == 0 ? (double)p->result.added_edges : index == 1 ? (double)p->result.added_vertices : p->seconds;
}

/* Room for the lines of one plot, used again for the next. */
typedef struct plots {
    const ksda_i_sweep *sweep;
    ksda_i_output *out;
    double *x, *y;           /* [points] */
    ksda_i_chart_line *line; /* [methods] */
    uint32_t count;
} plots;

static void plots_clear(ksda_ctx *ctx, plots *p) {
    ksda_i_free(ctx, p->x);
    ksda_i_free(ctx, p->y);
    ksda_i_free(ctx, p->line);
}

static ksda_status plots_make(ksda_ctx *ctx, const ksda_i_sweep *s, ksda_i_output *out, plots *p) {
    *p = (plots){.sweep = s, .out = out};
    p->x = ksda_i_malloc(ctx, s->count, sizeof *p->x);
    p->y = ksda_i_malloc(ctx, s->count, sizeof *p->y);
    p->line = ksda_i_calloc(ctx, s->count, sizeof *p->line);
    if (!p->x || !p->y || !p->line) return KSDA_NOMEM;
    for (uint32_t i = 0; i < s->count; i++) {
        p->x[i] = s->point[i].k;
        if (i == 0 || s->point[i].method != s->point[i - 1].method) {
            p->line[p->count] = (ksda_i_chart_line){
                .label = s->point[i].method->title, .style = (int)p->count, .x = &p->x[i], .y = &p->y[i]};
            p->count++;
        }
        p->line[p->count - 1].count++;
    }
    return KSDA_OK;
}

static void plot_points(const plots *p, const char *name, const char *label, const char *unit, pick_fn pick, int index,
                        double original) {
    ksda_i_chart chart = {.id = name,
                          .title = label,
                          .x = {.label = "k"},
                          .y = {.label = unit},
                          .reference = original,
                          .reference_label = "original",
                          .line = p->line,
                          .count = p->count};
    for (uint32_t i = 0; i < p->sweep->count; i++) p->y[i] = pick(&p->sweep->point[i], index);
    ksda_i_chart_figure(p->out, &chart);
}

static void legend(const plots *p) {
    ksda_i_output *out = p->out;
    ksda_i_output_text(out, "<ul class=\"legend\">");
    for (uint32_t i = 0; i < p->count; i++) {
        ksda_i_output_text(out, "<li>");
        ksda_i_chart_sample(out, p->line[i].style);
        ksda_i_page_text(out, p->line[i].label);
        ksda_i_output_text(out, "</li>");
    }
    if (p->sweep->measured)
        ksda_i_output_text(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path class=\"limit\" d=\"M0 "
                                "8H16\"/></svg>original</li>");
    ksda_i_output_text(out, "</ul>\n");
}

static void sweep_table(ksda_i_output *out, const ksda_i_sweep *s) {
    ksda_i_output_text(out, "<h2>All results</h2>\n<div class=\"scroll\"><table><caption>A method that fails at a k is "
                            "a result as well</caption><thead><tr>"
                            "<th scope=\"col\">method</th><th scope=\"col\">k</th><th scope=\"col\">edges "
                            "added</th><th scope=\"col\">vertices added</th>"
                            "<th scope=\"col\">seconds</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < s->count; i++) {
        const ksda_i_point *p = &s->point[i];
        ksda_i_output_format(out, "<tr><th scope=\"row\">%s</th><td>%u</td>", p->method->title, p->k);
        if (p->status >= 0) {
            char a[32], b[32];
            ksda_i_output_format(out, "<td>%s</td><td>%s</td>", ksda_grouped(p->result.added_edges, a),
                                 ksda_grouped(p->result.added_vertices, b));
        } else {
            ksda_i_output_text(out, "<td colspan=\"2\" title=\"");
            ksda_i_page_text(out, p->reason);
            ksda_i_output_text(out, p->status == KSDA_INFEASIBLE    ? "\">impossible</td>"
                                    : p->status == KSDA_UNSUPPORTED ? "\">refused</td>"
                                                                    : "\">found no solution</td>");
        }
        ksda_i_output_format(out, "<td>%.3g</td></tr>\n", p->seconds);
    }
    ksda_i_output_text(out, "</tbody></table></div>\n");
}

static void measures(const plots *p) {
    const ksda_i_sweep *s = p->sweep;
    ksda_i_output_text(p->out, "<h2>Measures</h2>\n<div class=\"plots\">\n");
    for (uint32_t i = 0; i < ksda_i_measure_count; i++) {
        const ksda_measure_row *row = ksda_measure_info((ksda_measure_id)i);
        plot_points(p, row->name, row->label, row->unit, pick_measure, i,
                    s->original.value[i].measured ? s->original.value[i].value : NAN);
    }
    for (uint32_t i = 0; i < ksda_i_difference_count; i++) {
        const ksda_measure_row *row = ksda_difference_info((ksda_difference_id)i);
        plot_points(p, row->name, row->label, row->unit, pick_difference, i, NAN);
    }
    ksda_i_output_text(p->out, "</div>\n");
}

ksda_status ksda_i_sweep_html(ksda_ctx *ctx, const ksda_i_sweep *s, const char *network, ksda_i_output *out) {
    ksda_status status = KSDA_OK;
    plots p;
    KSDA_I_TRY(plots_make(ctx, s, out, &p));
    ksda_i_page_begin(out, "Methods compared", network, 0);
    ksda_i_output_format(out,
                         "<p>%u vertices, %llu edges, %u communities. Each method was asked for every k; a gap in a "
                         "line is a k at which it found no "
                         "solution.</p>\n",
                         ksda_graph_vertices(s->graph), (unsigned long long)ksda_graph_edges(s->graph),
                         ksda_communities_set_count(s->communities));
    if (s->communities->sets)
        ksda_i_output_text(out, "<p>People are in several communities: every degree must have k people in pairwise "
                                "disjoint sets. Methods that do not know such people refuse. " KSDA_I_UNDEFINED_MEASURES
                                " are " KSDA_I_UNDEFINED_SETS ".</p>\n");
    legend(&p);
    ksda_i_output_text(out, "<h2>Changes</h2>\n<div class=\"plots\">\n");
    plot_points(&p, "n-a", "Edges added", "edges", pick_plain, 0, NAN);
    plot_points(&p, "n-s", "Vertices added by splitting", "vertices", pick_plain, 1, NAN);
    plot_points(&p, "seconds", "Time of the method", "seconds", pick_plain, 2, NAN);
    ksda_i_output_text(out, "</div>\n");
    if (s->measured) measures(&p);
    sweep_table(out, s);
    ksda_i_page_end(out, s->communities->sets != NULL);
done:
    plots_clear(ctx, &p);
    return status;
}
