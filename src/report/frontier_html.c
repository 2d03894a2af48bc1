/* The frontier as a section of the report: what else could have been chosen. A chart of all releases found, added
 * vertices against added edges, with the line below which it is proved that there is none, and a table with the split
 * weight of each. */
#include "report/chart.h"
#include "report/frontier.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>

enum {
    STYLE_CORNER = 1,
    STYLE_OTHER = 6,
    STYLE_CHOSEN = 0,
    STYLE_BOUND = 10,
    STEPS = 60,
    NOTE = 32
};

static void put_html(ksda_i_output *out, const char *text) {
    ksda_i_output_text(out, text);
}

/* --- the chart ---------------------------------------------------------------------------------------------------- */

/* What the chart shows, in blocks of `most` numbers: corners, others, the chosen one, the bound. */
typedef struct plotted {
    double *x, *y;
    char (*note)[NOTE];
    const char **word;
    uint32_t corners, others, bounds;
} plotted;

static void fill_plot(const ksda_frontier_study *f, plotted *p) {
    const ksda_frontier *all = &f->found;
    double last = (double)all->point[all->count - 1].added_vertices, first_edges = (double)all->point[0].added_edges;
    double *bound_x = p->x + 2 * (uint64_t)all->count, *bound_y = p->y + 2 * (uint64_t)all->count;
    for (uint32_t i = 0; i < all->count; i++) {
        const ksda_frontier_point *point = &all->point[i];
        bool corner = !isnan(point->low);
        uint32_t at = corner ? p->corners++ : all->count + p->others++;
        p->x[at] = (double)point->added_vertices, p->y[at] = (double)point->added_edges;
        if (corner) snprintf(p->note[at], NOTE, "%.6g", point->split_weight), p->word[at] = p->note[at];
    }
    for (int i = 0; i <= STEPS; i++) { /* closer steps where a logarithmic axis spreads them */
        double s = expm1(log1p(last) * i / STEPS), needed = ksda_i_frontier_edges_needed(all, s);
        if (needed <= 0 || needed > first_edges)
            continue; /* where splitting is needed the line goes out of the frame */
        bound_x[p->bounds] = s, bound_y[p->bounds++] = needed;
    }
}

static void legend_entry(ksda_i_output *out, int style, const char *label) {
    put_html(out, "<li>");
    ksda_i_chart_sample(out, style);
    ksda_i_output_format(out, "%s</li>", label);
}

static void frontier_chart(const ksda_frontier_study *f, const plotted *p, const ksda_frontier_point *chosen,
                           ksda_i_output *out) {
    const ksda_frontier *all = &f->found;
    double far = (double)all->point[all->count - 1].added_vertices, tall = (double)all->point[0].added_edges;
    double x = chosen ? (double)chosen->added_vertices : NAN, y = chosen ? (double)chosen->added_edges : NAN;
    bool wide_x = far > 200, wide_y = tall > 2000;
    ksda_i_chart_line line[4] = {
        {.label = "proved: none below",
         .style = STYLE_BOUND,
         .line_only = true,
         .count = p->bounds,
         .x = p->x + 2 * (uint64_t)all->count,
         .y = p->y + 2 * (uint64_t)all->count},
        {.label = "other release",
         .style = STYLE_OTHER,
         .marks_only = true,
         .count = p->others,
         .x = p->x + all->count,
         .y = p->y + all->count},
        {.label = "split weight", .style = STYLE_CORNER, .count = p->corners, .x = p->x, .y = p->y, .note = p->word},
        {.label = "the release of this report",
         .style = STYLE_CHOSEN,
         .marks_only = true,
         .count = chosen ? 1 : 0,
         .x = &x,
         .y = &y}};
    ksda_i_chart chart = {
        .id = "frontier",
        .title = "Connections added against people added by splitting; the number is the split weight",
        .x = {.label = wide_x ? "people added by splitting (logarithmic)" : "people added by splitting",
              .with_zero = wide_x},
        .y = {.label = wide_y ? "connections added (logarithmic)" : "connections added", .with_zero = wide_y},
        .reference = NAN,
        .line = line,
        .count = 4};
    put_html(out, "<div class=\"plots single\">\n");
    ksda_i_chart_figure(out, &chart);
    put_html(out, "</div>\n<ul class=\"legend\">");
    legend_entry(out, STYLE_CORNER, "the cheapest for some split weight");
    if (p->others) legend_entry(out, STYLE_OTHER, "other release that none beats");
    if (chosen) legend_entry(out, STYLE_CHOSEN, "the release of this report");
    if (p->bounds) legend_entry(out, STYLE_BOUND, "proved: no release lies below");
    put_html(out, "</ul>\n");
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static void table_heads(const ksda_frontier_study *f, ksda_i_output *out) {
    static const char *const names[KSDA_I_FRONTIER_MEASURES] = {"CC", "ASPL", "DC", "BC"};
    put_html(
        out,
        "<div class=\"scroll\"><table class=\"choice\"><caption>Every row is a complete release that meets what was "
        "asked</caption><thead><tr>"
        "<th scope=\"col\">connections added</th><th scope=\"col\" class=\"wide\">needed</th><th scope=\"col\">people "
        "added</th><th scope=\"col\">split weight</th>"
        "<th scope=\"col\" class=\"wide\">cheapest for weights</th><th scope=\"col\">above the least, at most</th>");
    for (int j = 0; f->measured && j < KSDA_I_FRONTIER_MEASURES; j++)
        ksda_i_output_format(out, "<th scope=\"col\"%s><abbr title=\"%s\">%s</abbr></th>",
                             j >= 1 ? " class=\"wide\"" : "", ksda_i_frontier_measure(j)->label, names[j]);
    if (f->measured)
        ksda_i_output_format(out, "<th scope=\"col\" class=\"wide\"><abbr title=\"%s\">EC</abbr></th>",
                             ksda_difference_info(KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION)->label);
    put_html(out, "</tr></thead><tbody>\n");
}

static void table_row(const ksda_frontier_study *f, uint32_t i, bool chosen, ksda_i_output *out) {
    const ksda_frontier_point *p = &f->found.point[i];
    char a[32], b[32], c[32], range[64];
    double gap = ksda_i_frontier_gap(p);
    ksda_i_output_format(out, "<tr><th scope=\"row\">%s%s</th><td class=\"wide\">%s</td><td>%s</td>",
                         ksda_grouped(p->added_edges, a), chosen ? " <small>this release</small>" : "",
                         ksda_grouped(ksda_frontier_least_edges(&f->found, p->added_vertices), c),
                         ksda_grouped(p->added_vertices, b));
    if (isnan(p->split_weight))
        put_html(out, "<td>none</td>");
    else
        ksda_i_output_format(out, "<td>%.12g</td>", p->split_weight);
    ksda_i_output_format(out, "<td class=\"wide\">%s</td>", ksda_i_frontier_range(p, range));
    if (gap <= 9.99)
        ksda_i_output_format(out, "<td>%.1f&#160;%%</td>", ceil(1e3 * gap) / 10);
    else
        put_html(out, "<td>not known</td>");
    for (int j = 0; f->measured && j < KSDA_I_FRONTIER_MEASURES; j++) {
        double change = ksda_i_frontier_change(f, i, j);
        put_html(out, j >= 1 ? "<td class=\"wide\">" : "<td>");
        if (isfinite(change)) ksda_i_output_format(out, "%+.2f&#160;%%", 100 * change);
        put_html(out, "</td>");
    }
    if (f->measured && f->row[i].measured)
        ksda_i_output_format(out, "<td class=\"wide\">%.4f</td>", f->row[i].correlation.value);
    else if (f->measured)
        put_html(out, "<td class=\"wide\"></td>");
    put_html(out, "</tr>\n");
}

static void frontier_table(const ksda_frontier_study *f, const ksda_frontier_point *chosen, ksda_i_output *out) {
    table_heads(f, out);
    for (uint32_t i = 0; i < f->found.count; i++)
        if (!isnan(f->found.point[i].low) || chosen == &f->found.point[i])
            table_row(f, i, chosen == &f->found.point[i], out);
    put_html(out, "</tbody></table></div>\n");
    if (f->measured)
        put_html(out,
                 "<p>Clustering (CC), path length (ASPL), degree and betweenness centralization (DC, BC): their change "
                 "against the original "
                 "network. The correlation of eigenvector centralities as it is: 1 is best.</p>\n");
    if (!f->found.complete)
        put_html(
            out,
            "<p>The search ended before every gap was looked into: there may be more releases between these.</p>\n");
}

ksda_status ksda_i_frontier_html(ksda_ctx *ctx, const ksda_frontier_study *f, double weight, ksda_i_output *out) {
    uint64_t size = 2 * (uint64_t)f->found.count + STEPS + 1;
    char share[KSDA_I_SHARE];
    plotted p = {.x = ksda_i_malloc(ctx, size, sizeof *p.x),
                 .y = ksda_i_malloc(ctx, size, sizeof *p.y),
                 .note = ksda_i_malloc(ctx, f->found.count, sizeof *p.note),
                 .word = ksda_i_malloc(ctx, f->found.count, sizeof *p.word)};
    ksda_status status = p.x && p.y && p.note && p.word ? KSDA_OK : KSDA_NOMEM;
    if (status >= 0 && f->found.count > 0) {
        const ksda_frontier_point *chosen =
            weight > 0 ? &f->found.point[ksda_frontier_cheapest(&f->found, weight)] : NULL;
        fill_plot(f, &p);
        put_html(out,
                 "<h2>What is there to choose from?</h2>\n<p>The same protection can be had with more new connections, "
                 "or with more people split into "
                 "several. The <em>split weight</em> says how many connections one more person is worth; each mark is "
                 "a release that costs the "
                 "least for its weight among those found. Further to the right fewer connections are added and more "
                 "people are split.</p>\n");
        if (f->found.max_share.denominator)
            ksda_i_output_format(out,
                                 "<p>In every one of them no community has more than <strong>%s</strong> of the people "
                                 "of a degree: that is the share bound that was asked for.</p>\n",
                                 ksda_i_share_text(f->found.max_share, share));
        frontier_chart(f, &p, chosen, out);
        frontier_table(f, chosen, out);
    }
    ksda_i_free(ctx, p.x);
    ksda_i_free(ctx, p.y);
    ksda_i_free(ctx, p.note);
    ksda_i_free(ctx, p.word);
    return status;
}
