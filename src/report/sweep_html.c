/* A sweep as a page: one plot for every measure, a line for every method. Lines differ in colour, dash and mark; every mark tells
 * its method, k and value to whoever points at it, and the table below has all the numbers. */
#include "report/page.h"
#include "report/sweep.h"

#include <float.h>
#include <math.h>

enum { WIDTH = 420, HEIGHT = 250, LEFT = 62, RIGHT = 12, TOP = 12, BOTTOM = 40, STYLES = 9 };

static const char *const colours[STYLES] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#b59f00", "#56b4e9", "#7f7f7f", "#8c510a", "#5e3c99"};
static const char *const dashes[STYLES] = {"none", "6 3", "2 2", "8 3 2 3", "4 2", "1 2", "10 4", "6 2 1 2", "3 3"};

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

typedef struct frame {
    double low, high; /* of the y axis */
    double first, last; /* k */
} frame;

static double place_x(const frame *f, double k) {
    double share = f->last > f->first ? (k - f->first) / (f->last - f->first) : .5;
    return LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * share;
}

static double place_y(const frame *f, double value) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - f->low) / (f->high - f->low));
}

/* A round step for about four intervals. */
static double round_step(double span) {
    double power = pow(10, floor(log10(span / 4))), rest = span / 4 / power;
    return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

static bool make_frame(const ksda_i_sweep *s, pick_fn pick, int index, double original, frame *f) {
    *f = (frame){INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < s->count; i++) {
        double value = pick(&s->point[i], index);
        f->first = fmin(f->first, s->point[i].k), f->last = fmax(f->last, s->point[i].k);
        if (isnan(value)) continue;
        f->low = fmin(f->low, value), f->high = fmax(f->high, value);
    }
    if (f->low > f->high) return false;
    if (!isnan(original)) f->low = fmin(f->low, original), f->high = fmax(f->high, original);
    double span = fmax(f->high - f->low, fmax(fabs(f->high), 1e-9) * 1e-3), step = round_step(span);
    f->low = step * floor(f->low / step), f->high = step * ceil(f->high / step);
    if (f->high <= f->low) f->high = f->low + step;
    return true;
}

static void axes(ksda_i_output *out, const ksda_i_sweep *s, const frame *f, const char *unit) {
    double step = round_step(f->high - f->low);
    uint32_t columns = 0, skip;
    for (double v = f->low; v <= f->high + step / 2; v += step) {
        double y = place_y(f, v);
        ksda_i_output_format(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.5g</text>",
                             LEFT, WIDTH - RIGHT, y, y, LEFT - 4, y + 4, fabs(v) < step / 1e6 ? 0 : v);
    }
    while (columns < s->count && s->point[columns].method == s->point[0].method) columns++;
    skip = (columns + 9) / 10;
    for (uint32_t i = 0; i < columns; i += skip)
        ksda_i_output_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u</text>", place_x(f, s->point[i].k), HEIGHT - BOTTOM + 15, s->point[i].k);
    ksda_i_output_format(out, "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">k</text>", (LEFT + WIDTH) / 2, HEIGHT - 8);
    ksda_i_output_format(out, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    if (*unit) {
        ksda_i_output_format(out, "<text class=\"soft\" transform=\"translate(11 %d) rotate(-90)\" text-anchor=\"middle\">", (TOP + HEIGHT - BOTTOM) / 2);
        ksda_i_page_text(out, unit);
        ksda_i_output_text(out, "</text>");
    }
}

static void mark(ksda_i_output *out, int style, double x, double y) {
    const char *colour = colours[style % STYLES];
    switch (style % 4) {
    case 0: ksda_i_output_format(out, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.4\">", colour, x, y); break;
    case 1: ksda_i_output_format(out, "<rect fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\">", colour, x - 3, y - 3); break;
    case 2: ksda_i_output_format(out, "<path fill=\"%s\" d=\"M%.1f %.1fl4 7h-8z\">", colour, x, y - 4); break;
    default: ksda_i_output_format(out, "<path fill=\"%s\" d=\"M%.1f %.1fl4 4l-4 4l-4 -4z\">", colour, x, y - 4);
    }
}

static const char *end_tag(int style) {
    return style % 4 == 0 ? "</circle>" : style % 4 == 1 ? "</rect>" : "</path>";
}

static void lines(ksda_i_output *out, const ksda_i_sweep *s, const frame *f, pick_fn pick, int index) {
    int style = -1;
    for (uint32_t i = 0; i < s->count;) {
        uint32_t begin = i;
        bool pen = false;
        style++;
        ksda_i_output_format(out, "<path fill=\"none\" stroke-width=\"1.7\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M0 0", colours[style % STYLES],
                             dashes[style % STYLES]);
        for (; i < s->count && s->point[i].method == s->point[begin].method; i++) {
            double value = pick(&s->point[i], index);
            if (isnan(value)) pen = false; /* a gap where the method failed */
            else ksda_i_output_format(out, "%c%.1f %.1f", pen ? 'L' : 'M', place_x(f, s->point[i].k), place_y(f, value)), pen = true;
        }
        ksda_i_output_text(out, "\"/>");
        for (uint32_t j = begin; j < i; j++) {
            double value = pick(&s->point[j], index);
            if (isnan(value)) continue;
            mark(out, style, place_x(f, s->point[j].k), place_y(f, value));
            ksda_i_output_format(out, "<title>%s, k = %u: %.6g</title>%s", s->point[j].method->title, s->point[j].k, value, end_tag(style));
        }
    }
}

static void plot(ksda_i_output *out, const ksda_i_sweep *s, const char *name, const char *label, const char *unit, pick_fn pick, int index,
                 double original) {
    frame f;
    if (!make_frame(s, pick, index, original, &f)) return;
    ksda_i_output_format(out, "<figure><figcaption id=\"plot-%s\">", name);
    ksda_i_page_text(out, label);
    ksda_i_output_format(out, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"plot-%s\">", WIDTH, HEIGHT, name);
    axes(out, s, &f, unit);
    if (!isnan(original)) {
        double y = place_y(&f, original);
        ksda_i_output_format(out, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"><title>original: %.6g</title></line>", LEFT,
                             WIDTH - RIGHT, y, y, original);
    }
    lines(out, s, &f, pick, index);
    ksda_i_output_text(out, "</svg></figure>\n");
}

static void legend(ksda_i_output *out, const ksda_i_sweep *s) {
    int style = 0;
    ksda_i_output_text(out, "<ul class=\"legend\">");
    for (uint32_t i = 0; i < s->count; i++) {
        if (i > 0 && s->point[i].method == s->point[i - 1].method) continue;
        ksda_i_output_format(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" d=\"M0 8H16\"/>",
                             colours[style % STYLES], dashes[style % STYLES]);
        mark(out, style, 8, 8);
        ksda_i_output_format(out, "%s</svg>", end_tag(style++));
        ksda_i_page_text(out, s->point[i].method->title);
        ksda_i_output_text(out, "</li>");
    }
    if (s->measured)
        ksda_i_output_text(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path class=\"limit\" d=\"M0 8H16\"/></svg>original</li>");
    ksda_i_output_text(out, "</ul>\n");
}

static void table(ksda_i_output *out, const ksda_i_sweep *s) {
    ksda_i_output_text(out, "<h2>All results</h2>\n<div class=\"scroll\"><table><caption>A method that fails at a k is a result as well</caption><thead><tr>"
                            "<th scope=\"col\">method</th><th scope=\"col\">k</th><th scope=\"col\">edges added</th><th scope=\"col\">vertices added</th>"
                            "<th scope=\"col\">seconds</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < s->count; i++) {
        const ksda_i_point *p = &s->point[i];
        ksda_i_output_format(out, "<tr><th scope=\"row\">%s</th><td>%u</td>", p->method->title, p->k);
        if (p->status >= 0) {
            char a[32], b[32];
            ksda_i_output_format(out, "<td>%s</td><td>%s</td>", ksda_i_grouped(p->result.added_edges, a), ksda_i_grouped(p->result.added_vertices, b));
        } else {
            ksda_i_output_text(out, "<td colspan=\"2\" title=\"");
            ksda_i_page_text(out, p->reason);
            ksda_i_output_text(out, p->status == KSDA_INFEASIBLE ? "\">impossible</td>" : "\">found no solution</td>");
        }
        ksda_i_output_format(out, "<td>%.3g</td></tr>\n", p->seconds);
    }
    ksda_i_output_text(out, "</tbody></table></div>\n");
}

void ksda_i_sweep_html(const ksda_i_sweep *s, const char *network, ksda_i_output *out) {
    ksda_i_page_begin(out, "Methods compared", network, 0);
    ksda_i_output_format(out, "<p>%u vertices, %llu edges, %u communities. Each method was asked for every k; a gap in a line is a k at which it found no "
                         "solution.</p>\n", ksda_graph_vertices(s->graph), (unsigned long long)ksda_graph_edges(s->graph),
                         ksda_communities_count(s->communities));
    legend(out, s);
    ksda_i_output_text(out, "<h2>Changes</h2>\n<div class=\"plots\">\n");
    plot(out, s, "n-a", "Edges added", "edges", pick_plain, 0, NAN);
    plot(out, s, "n-s", "Vertices added by splitting", "vertices", pick_plain, 1, NAN);
    plot(out, s, "seconds", "Time of the method", "seconds", pick_plain, 2, NAN);
    ksda_i_output_text(out, "</div>\n");
    if (s->measured) {
        ksda_i_output_text(out, "<h2>Measures</h2>\n<div class=\"plots\">\n");
        for (int i = 0; i < KSDA_MEASURE_COUNT; i++) {
            const ksda_measure_row *row = ksda_measure_info((ksda_measure_id)i);
            plot(out, s, row->name, row->label, row->unit, pick_measure, i, s->original.value[i].measured ? s->original.value[i].value : NAN);
        }
        for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++) {
            const ksda_measure_row *row = ksda_difference_info((ksda_difference_id)i);
            plot(out, s, row->name, row->label, row->unit, pick_difference, i, NAN);
        }
        ksda_i_output_text(out, "</div>\n");
    }
    table(out, s);
    ksda_i_page_end(out);
}
