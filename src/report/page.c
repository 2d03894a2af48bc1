/* Plots as SVG, drawn for three readers: one who looks (axes, units, legend), one who points (a title on every mark)
 * and one who listens (a label on the figure and the same numbers as a table below it). Lines differ in dash and mark
 * as well as in colour, shades differ in lightness: colour blindness and grey print lose nothing. */
#include "report/page.h"
#include "report/report.h"

#include <ksda/base.h>
#include <math.h>
#include <stdio.h>

/* All plots share one frame; the style sheet scales it to the width there is. */
enum {
    WIDTH = 420,
    HEIGHT = 260,
    LEFT = 52,
    RIGHT = 12,
    TOP = 14,
    BOTTOM = 44
};

/* --- text --------------------------------------------------------------------------------------------------------- */

void ksda_i_page_text(ksda_i_output *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': ksda_i_output_text(out, "&amp;"); break;
        case '<': ksda_i_output_text(out, "&lt;"); break;
        case '>': ksda_i_output_text(out, "&gt;"); break;
        case '"': ksda_i_output_text(out, "&quot;"); break;
        case '\'': ksda_i_output_text(out, "&#39;"); break;
        default:
            if ((unsigned char)*text >= 0x20 && *text != 0x7f)
                ksda_i_output_write(out, text, 1);
            else
                ksda_i_output_text(out, " ");
        }
    }
}

enum {
    NAME_BYTES = 1024, /* read at most */
    VERTEX_BYTES = 64, /* shown at most, with the 0 */
    COMMUNITY_BYTES = 80,
    ROW_BYTES = 33, /* of a heat map, which makes room for it */
    LETTER = 7      /* width of a letter at most, on average */
};

/* A name cut to a length that a table can hold. What is left out is the middle, since names often differ at their ends;
 * no character is cut in two. */
static void cut_name(char *name, size_t capacity) {
    size_t whole = strlen(name), head = (capacity - 4) * 2 / 3, tail = whole - (capacity - 4 - head);
    if (whole < capacity) return;
    while (head > 0 && ((unsigned char)name[head] & 0xc0) == 0x80) head--;
    while (((unsigned char)name[tail] & 0xc0) == 0x80) tail++;
    memmove(name + head + 3, name + tail, whole - tail + 1);
    memcpy(name + head, "...", 3);
}

void ksda_i_page_vertex(ksda_i_output *out, const ksda_graph *g, uint32_t v) {
    char name[NAME_BYTES];
    ksda_graph_name(g, v, name, sizeof name);
    cut_name(name, VERTEX_BYTES);
    ksda_i_page_text(out, name);
}

static void name_cut(const ksda_i_ids *names, uint32_t i, size_t bytes, char *name) {
    char whole[NAME_BYTES];
    ksda_i_ids_name(names, i, whole, sizeof whole);
    cut_name(whole, bytes);
    memcpy(name, whole, strlen(whole) + 1);
}

void ksda_i_page_community_name(const ksda_communities *c, uint32_t community, size_t bytes, char *name) {
    name_cut(&c->names, community, bytes, name);
}

void ksda_i_page_community(ksda_i_output *out, const ksda_communities *c, uint32_t community) {
    char name[COMMUNITY_BYTES];
    ksda_i_page_community_name(c, community, sizeof name, name);
    ksda_i_page_text(out, name);
}

/* Larger communities stand first, those of one size in the order of their names: never in that of the input. */
static bool stands_before(const ksda_communities *c, const uint32_t *people, uint32_t a, uint32_t b) {
    char one[64], two[64];
    const ksda_i_ids *names = people ? ksda_i_community_names(c) : &c->names;
    uint32_t size = people ? people[a] : ksda_i_community_size(c, a),
             other = people ? people[b] : ksda_i_community_size(c, b);
    if (size != other) return size > other;
    ksda_i_ids_name(names, a, one, sizeof one);
    ksda_i_ids_name(names, b, two, sizeof two);
    return strcmp(one, two) < 0;
}

ksda_status ksda_i_page_largest(ksda_ctx *ctx, const ksda_communities *c, const uint32_t *people, uint32_t most,
                                uint32_t *row, uint32_t *rows) {
    uint32_t count = people ? ksda_communities_set_count(c) : c->count;
    ksda_status status = KSDA_OK;
    *rows = 0;
    for (uint32_t j = 0; j < count && (status = ksda_i_look(ctx, j)) >= 0; j++) {
        uint32_t low = 0, high = *rows;
        if (*rows == most && !stands_before(c, people, j, row[most - 1])) low = most; /* which holds for nearly all */
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (stands_before(c, people, j, row[middle]))
                high = middle;
            else
                low = middle + 1;
        }
        if (low == most) continue;
        if (*rows < most) ++*rows;
        memmove(row + low + 1, row + low, (*rows - 1 - low) * sizeof *row);
        row[low] = j;
    }
    return status;
}

void ksda_i_page_begin(ksda_i_output *out, const char *title, const char *network, int public_page) {
    ksda_i_output_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                            "<meta name=\"robots\" content=\"noindex\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n");
    for (int heading = 0; heading < 2; heading++) { /* the same words as title and as heading */
        ksda_i_output_format(out, "<%s>%s", heading ? "h1" : "title", title);
        if (!public_page) ksda_i_output_text(out, ": "), ksda_i_page_text(out, network);
        ksda_i_output_format(out, "</%s>\n", heading ? "h1" : "title");
        if (heading) break;
        ksda_i_output_text(out, "<style>\n");
        ksda_i_output_text(out, ksda_i_report_css);
        ksda_i_output_text(out,
                           "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the report</a>\n<header>\n");
    }
    if (public_page)
        ksda_i_output_text(out,
                           "<p class=\"notice public\">Public version. It describes the published network only.</p>\n");
    else
        ksda_i_output_text(out, "<p class=\"notice\">Private document. It describes the original network: do not "
                                "publish it with a release.</p>\n");
    ksda_i_output_text(out, "</header>\n<main id=\"main\">\n");
}

void ksda_i_page_end(ksda_i_output *out, bool sets) {
    ksda_i_output_format(out,
                         "</main>\n<footer><p>Made by ksda %s. k-structural diversity: every degree that occurs, %s."
                         "</p></footer>\n</body>\n</html>\n",
                         ksda_version(),
                         sets ? "has at least k people in pairwise disjoint sets of communities"
                              : "occurs in at least k communities");
}

/* --- bins --------------------------------------------------------------------------------------------------------- */

void ksda_i_bins_make(uint32_t largest, ksda_i_bins *bins) {
    uint64_t end = (uint64_t)largest + 1, at = 0;
    bins->count = 0;
    bins->first[0] = 0;
    while (at < end) {
        uint32_t left = KSDA_I_PAGE_BINS - bins->count;
        double ratio = at ? pow((double)end / (double)at, 1.0 / left) : 1; /* even steps on a logarithmic scale */
        uint64_t step = end - at <= left ? 1 : (uint64_t)(ratio * (double)at) - at;
        if (step == 0) step = 1;
        at = left == 1 || at + step > end ? end : at + step;
        bins->first[++bins->count] = at > UINT32_MAX ? UINT32_MAX : (uint32_t)at;
    }
}

uint32_t ksda_i_bins_find(const ksda_i_bins *bins, uint32_t value) {
    uint32_t low = 0, high = bins->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (bins->first[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ksda_i_bins_label(const ksda_i_bins *bins, uint32_t bin, char *buffer, size_t size) {
    uint32_t a = bins->first[bin], b = bins->first[bin + 1] - 1;
    if (a == b)
        snprintf(buffer, size, "%u", a);
    else
        snprintf(buffer, size, "%u\xe2\x80\x93%u", a, b); /* an en dash */
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

static double x_of_bin(const ksda_i_bins *bins, double bin) {
    return LEFT + (bin + .5) * (WIDTH - LEFT - RIGHT) / bins->count;
}

/* As many labels as fit: at most nine, evenly spaced. */
static void x_axis(ksda_i_output *out, const ksda_i_bins *bins, const char *label, double y) {
    uint32_t step = (bins->count + 8) / 9;
    for (uint32_t i = 0; i < bins->count; i += step)
        ksda_i_output_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%u</text>", x_of_bin(bins, i),
                             y + 15, bins->first[i]);
    ksda_i_output_format(out, "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">",
                         (LEFT + WIDTH - RIGHT) / 2, y + 34);
    ksda_i_page_text(out, label);
    ksda_i_output_text(out, "</text>");
}

/* A whole round step that gives at most five ticks. */
static double axis_step(double largest) {
    static const double steps[] = {1, 2, 5};
    for (double power = 1;; power *= 10)
        for (int i = 0; i < 3; i++)
            if (largest <= 5 * steps[i] * power) return steps[i] * power;
}

static double axis_top(double largest, int logarithmic) { /* the next round number */
    if (logarithmic) return pow(10, floor(log10(largest > 0 ? largest : 1)) + 1);
    double step = axis_step(largest);
    return step * fmax(1, ceil(largest / step));
}

static double value_y(double value, double top, int logarithmic) {
    double height = HEIGHT - TOP - BOTTOM, share = value / top;
    if (logarithmic) share = value < 1 ? 0 : (log10(value) + .3) / (log10(top) + .3);
    return TOP + height * (1 - share);
}

static void plot_tick(ksda_i_output *out, double value, double y) {
    ksda_i_output_format(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT,
                         y, y);
    if (value >= 1e6)
        ksda_i_output_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0fM</text>", LEFT - 5, y + 4,
                             value / 1e6);
    else
        ksda_i_output_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>", LEFT - 5, y + 4, value);
}

static void y_axis(ksda_i_output *out, const ksda_i_plot *p, double top) {
    if (p->logarithmic) {
        plot_tick(out, 0, value_y(0, top, 1));
        for (double v = 1; v <= top * 1.001; v *= 10) plot_tick(out, v, value_y(v, top, 1));
    } else {
        double step = axis_step(top);
        for (double v = 0; v <= top * 1.001; v += step) plot_tick(out, v, value_y(v, top, 0));
    }
    ksda_i_output_format(out, "<text class=\"soft\" transform=\"translate(11 %d) rotate(-90)\" text-anchor=\"middle\">",
                         (TOP + HEIGHT - BOTTOM) / 2);
    ksda_i_page_text(out, p->y);
    ksda_i_output_format(out, "</text><path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM,
                         WIDTH - RIGHT);
}

/* --- a plot ------------------------------------------------------------------------------------------------------- */

static void plot_curve(ksda_i_output *out, const ksda_i_plot *p, const ksda_i_series *s, double top) {
    bool pen = false;
    ksda_i_output_format(out, "<path class=\"curve %s\" d=\"", s->kind);
    for (uint32_t i = 0; i < p->bins->count; i++) {
        if (isnan(s->value[i])) continue;
        ksda_i_output_format(out, "%c%.1f %.1f", pen ? 'L' : 'M', x_of_bin(p->bins, i),
                             value_y(s->value[i], top, p->logarithmic));
        pen = true;
    }
    ksda_i_output_text(out, pen ? "\"/>" : "M0 0\"/>");
}

static void plot_marks(ksda_i_output *out, const ksda_i_plot *p, const ksda_i_series *s, double top) {
    for (uint32_t i = 0; i < p->bins->count; i++) {
        char label[32];
        if (isnan(s->value[i])) continue;
        double x = x_of_bin(p->bins, i), y = value_y(s->value[i], top, p->logarithmic);
        ksda_i_bins_label(p->bins, i, label, sizeof label);
        if (strcmp(s->kind, "after") == 0)
            ksda_i_output_format(out, "<rect class=\"after\" x=\"%.1f\" y=\"%.1f\" width=\"5.6\" height=\"5.6\">",
                                 x - 2.8, y - 2.8);
        else
            ksda_i_output_format(out, "<circle class=\"before\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\">", x, y);
        ksda_i_output_format(out, "<title>degree %s, %s: %.6g %s</title></%s>", label, s->label, s->value[i],
                             ksda_i_word(s->value[i], p->unit), strcmp(s->kind, "after") == 0 ? "rect" : "circle");
    }
}

static void legend(ksda_i_output *out, const ksda_i_plot *p) {
    ksda_i_output_text(out, "<ul class=\"legend\">");
    for (uint32_t i = 0; i < p->count; i++) {
        const char *mark = strcmp(p->series[i].kind, "after") == 0
                               ? "<rect class=\"after\" x=\"5\" y=\"5\" width=\"6\" height=\"6\"/>"
                               : "<circle class=\"before\" cx=\"8\" cy=\"8\" r=\"3.5\"/>";
        ksda_i_output_format(
            out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path class=\"curve %s\" d=\"M0 8H16\"/>%s</svg>",
            p->series[i].kind, mark);
        ksda_i_page_text(out, p->series[i].label);
        ksda_i_output_text(out, "</li>");
    }
    if (p->limit > 0) {
        ksda_i_output_text(
            out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path class=\"limit\" d=\"M0 8H16\"/></svg>");
        ksda_i_page_text(out, p->limit_label);
        ksda_i_output_text(out, "</li>");
    }
    ksda_i_output_text(out, "</ul>");
}

static void numbers(ksda_i_output *out, const ksda_i_plot *p) {
    ksda_i_output_text(out, "<details><summary>The same as a table</summary><div "
                            "class=\"scroll\"><table><thead><tr><th scope=\"col\">degree</th>");
    for (uint32_t j = 0; j < p->count; j++) {
        ksda_i_output_text(out, "<th scope=\"col\">");
        ksda_i_page_text(out, p->series[j].label);
        ksda_i_output_text(out, "</th>");
    }
    ksda_i_output_text(out, "</tr></thead><tbody>");
    for (uint32_t i = 0; i < p->bins->count; i++) {
        char label[32];
        ksda_i_bins_label(p->bins, i, label, sizeof label);
        ksda_i_output_format(out, "<tr><th scope=\"row\">%s</th>", label);
        for (uint32_t j = 0; j < p->count; j++) {
            double value = p->series[j].value[i];
            if (isnan(value))
                ksda_i_output_text(out, "<td>none</td>");
            else
                ksda_i_output_format(out, "<td>%.6g</td>", value);
        }
        ksda_i_output_text(out, "</tr>");
    }
    ksda_i_output_text(out, "</tbody></table></div></details>");
}

void ksda_i_page_plot(ksda_i_output *out, const ksda_i_plot *p) {
    double largest = p->limit;
    for (uint32_t j = 0; j < p->count; j++)
        for (uint32_t i = 0; i < p->bins->count; i++)
            if (p->series[j].value[i] > largest) largest = p->series[j].value[i];
    double top = axis_top(largest, p->logarithmic);
    ksda_i_output_format(out, "<figure><figcaption id=\"%s\">", p->id);
    ksda_i_page_text(out, p->title);
    ksda_i_output_format(out, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s\">", WIDTH,
                         HEIGHT, p->id);
    y_axis(out, p, top);
    x_axis(out, p->bins, p->x, HEIGHT - BOTTOM);
    if (p->limit > 0) {
        double y = value_y(p->limit, top, p->logarithmic);
        ksda_i_output_format(out, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                             WIDTH - RIGHT, y, y);
    }
    for (uint32_t j = 0; j < p->count; j++) plot_curve(out, p, &p->series[j], top);
    for (uint32_t j = 0; j < p->count; j++) plot_marks(out, p, &p->series[j], top);
    ksda_i_output_text(out, "</svg>");
    legend(out, p);
    numbers(out, p);
    ksda_i_output_text(out, "</figure>");
}

/* --- the heat map ------------------------------------------------------------------------------------------------- */

static void heat_row(ksda_i_output *out, const ksda_i_heat *h, uint32_t row, double y, double height) {
    double width = (double)(WIDTH - LEFT - RIGHT) / h->bins->count;
    for (uint32_t i = 0; i < h->bins->count; i++) {
        char label[32], name[COMMUNITY_BYTES];
        uint32_t count = h->cell[row * h->bins->count + i];
        if (count == 0) continue;
        ksda_i_bins_label(h->bins, i, label, sizeof label);
        ksda_i_output_format(out,
                             "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                             "opacity=\"%.2f\"><title>degree %s, community ",
                             LEFT + i * width + .4, y + .4, width - .8, height - .8,
                             .25 + .75 * log1p(count) / log1p(h->most), label);
        name_cut(ksda_i_community_names(h->communities), h->community[row], sizeof name, name);
        ksda_i_page_text(out, name);
        ksda_i_output_format(out, ": %u</title></rect>", count);
    }
}

static void row_name(const ksda_i_heat *h, uint32_t row, char name[ROW_BYTES]) {
    name_cut(ksda_i_community_names(h->communities), h->community[row], ROW_BYTES, name);
}

/* How much wider than the usual margin the longest name of a row is. */
static double label_room(const ksda_i_heat *h) {
    size_t longest = 0;
    for (uint32_t row = 0; row < h->rows; row++) {
        char name[NAME_BYTES];
        size_t letters = 0;
        row_name(h, row, name);
        for (const char *c = name; *c; c++) letters += ((unsigned char)*c & 0xc0) != 0x80;
        longest = letters > longest ? letters : longest;
    }
    return fmax(0, LETTER * (double)longest + 6 - LEFT);
}

void ksda_i_page_heat(ksda_i_output *out, const ksda_i_heat *h) {
    double width = (double)(WIDTH - LEFT - RIGHT) / h->bins->count, height = h->rows > 16 ? 11 : 16, top = TOP + 10;
    double bottom = top + h->rows * height;
    ksda_i_output_format(out, "<figure><figcaption id=\"%s\">", h->id);
    ksda_i_page_text(out, h->title);
    double more = label_room(h); /* left of the frame that all plots have */
    ksda_i_output_format(out, "</figcaption><svg viewBox=\"%.0f 0 %.0f %.0f\" role=\"img\" aria-labelledby=\"%s\">",
                         -more, WIDTH + more, bottom + BOTTOM, h->id);
    for (uint32_t i = 0; h->exposed && i < h->bins->count; i++) {
        if (!h->exposed[i]) continue;
        char label[32];
        ksda_i_bins_label(h->bins, i, label, sizeof label);
        double x = x_of_bin(h->bins, i), half = width < 7 ? width / 2 : 3.5;
        ksda_i_output_format(
            out, "<path d=\"M%.1f %.1fh%.1fl%.1f 6z\" fill=\"var(--bad)\"><title>degree %s: exposed</title></path>",
            x - half, top - 8, 2 * half, -half, label);
    }
    for (uint32_t row = 0; row < h->rows; row++) {
        double y = top + row * height;
        if (h->rows <= 16 || row % 2 == 0) {
            char name[ROW_BYTES];
            row_name(h, row, name);
            ksda_i_output_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 5, y + height / 2 + 4);
            ksda_i_page_text(out, name);
            ksda_i_output_text(out, "</text>");
        }
        heat_row(out, h, row, y, height);
    }
    ksda_i_output_format(out, "<path class=\"axis\" d=\"M%d %.1fV%.1fH%d\"/>", LEFT, top, bottom, WIDTH - RIGHT);
    x_axis(out, h->bins, "degree; a stronger colour means more people", bottom);
    ksda_i_output_text(out, "</svg></figure>");
}
