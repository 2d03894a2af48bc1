/* Lines in a frame. Readers find axes with units and a legend, pointing shows the numbers of every mark, and a screen
 * reader reads them out. Lines differ in dash and mark as well as in colour, and hollow marks are wider than full ones,
 * so that neither colour blindness nor grey print nor two lines of the same values lose anything. */
#include "report/chart.h"

#include "report/page.h"

#include <math.h>
#include <stdio.h>

/* Within a page the legend stands beside all figures, and the heading outside of the drawing. */
enum {
    LEFT = 62,
    RIGHT = 12,
    PLOT_HEIGHT = 198,
    BELOW = 40,
    PAGE_WIDTH = 420,
    PAGE_TOP = 12,
    FILE_WIDTH = 540,
    FILE_TOP = 34
};
enum {
    LEGEND_ROW = 18,
    LEGEND_COLUMNS = 3,
    LETTER = 7,
    MOST_MARKS = 30
};

typedef enum {
    DISC,
    SQUARE,
    UP,
    DIAMOND,
    DOWN,
    RING,
    BOX,
    SAW,
    PLUS,
    TENT
} mark_kind;
typedef struct style {
    const char *colour, *dash;
    mark_kind mark;
} style;

static const style styles[KSDA_I_CHART_STYLES] = {
    {"#d55e00", "none", DISC},   {"#0072b2", "6 3", SQUARE},   {"#009e73", "2 2", UP},
    {"#cc79a7", "8 3 2 3", BOX}, {"#a08a00", "4 2", DIAMOND},  {"#3a9bdc", "7 3 2 3 2 3", DOWN},
    {"#7f7f7f", "10 4", RING},   {"#8c510a", "6 2 1 2", PLUS}, {"#5e3c99", "3 3", SAW},
    {"#e69f00", "12 3", RING},   {"#444444", "1 3", DISC},     {"#117733", "9 2 2 2", TENT}};

static const style *style_of(int index) {
    return &styles[(index % KSDA_I_CHART_STYLES + KSDA_I_CHART_STYLES) % KSDA_I_CHART_STYLES];
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

typedef struct range {
    double low, high;
    bool logarithmic, with_zero;
    double tick[KSDA_I_CHART_TICKS];
    uint32_t ticks;
} range;

typedef struct frame {
    const ksda_i_chart *chart;
    int width, top, bottom; /* bottom: where the x axis lies */
    range x, y;
} frame;

static double share_of(const range *r, double value) {
    if (r->high <= r->low) return .5;
    if (r->with_zero) return log1p(value) / log1p(r->high);
    return r->logarithmic ? log(value / r->low) / log(r->high / r->low) : (value - r->low) / (r->high - r->low);
}
static double place_x(const frame *f, double x) {
    return LEFT + 8 + (f->width - LEFT - RIGHT - 16) * share_of(&f->x, x);
}
static double place_y(const frame *f, double y) {
    return f->bottom - (f->bottom - f->top) * share_of(&f->y, y);
}

static bool in_frame(const frame *f, double x, double y) {
    return !isnan(y) && !(f->x.logarithmic && x <= 0) && !(f->y.logarithmic && y <= 0);
}

static void include(range *r, double value) {
    r->low = fmin(r->low, value), r->high = fmax(r->high, value);
}

/* A round step for about four intervals. */
static double round_step(double span) {
    double power = pow(10, floor(log10(span / 4))), rest = span / 4 / power;
    return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

/* Widen the range to round numbers and mark them. */
static void ticks_linear(range *r, bool widen) {
    double span = fmax(r->high - r->low, fmax(fabs(r->high), 1e-9) * 1e-3), step = round_step(span);
    double low = step * floor(r->low / step), high = step * ceil(r->high / step);
    if (high <= low) high = low + step;
    if (widen) r->low = low, r->high = high;
    for (double v = low; v <= high + step / 2 && r->ticks < KSDA_I_CHART_TICKS; v += step)
        if (v >= r->low - step / 1e6 && v <= r->high + step / 1e6) r->tick[r->ticks++] = fabs(v) < step / 1e6 ? 0 : v;
}

/* 1, 2, 5 while there are few; powers of ten, or every second or third of them, when there are many. */
static void ticks_logarithmic(range *r, bool widen) {
    static const double fine[] = {1, 2, 5};
    int low = (int)floor(log10(r->low) + 1e-9), high = (int)ceil(log10(r->high) - 1e-9), each = (high - low + 7) / 8;
    if (high == low) high++;
    if (widen) r->low = pow(10, low), r->high = pow(10, high);
    for (int e = low; e <= high; e += each ? each : 1)
        for (int i = 0; i < (high - low <= 3 ? 3 : 1); i++) {
            double v = fine[i] * pow(10, e);
            if (v >= r->low * .999 && v <= r->high * 1.001 && r->ticks < KSDA_I_CHART_TICKS) r->tick[r->ticks++] = v;
        }
}

/* 0 and the powers of ten. */
static void ticks_with_zero(range *r) {
    r->low = 0, r->high = fmax(r->high, 1);
    r->tick[r->ticks++] = 0;
    for (double v = 1; v <= r->high && r->ticks < KSDA_I_CHART_TICKS; v *= 10) r->tick[r->ticks++] = v;
}

/* The values themselves, if they are few and none too near to the next. */
static bool ticks_own(frame *f) {
    double value[KSDA_I_CHART_TICKS];
    uint32_t count = 0;
    for (uint32_t j = 0; j < f->chart->count; j++)
        for (uint32_t i = 0; i < f->chart->line[j].count; i++) {
            double x = f->chart->line[j].x[i];
            uint32_t at = 0;
            while (at < count && value[at] < x) at++;
            if (at < count && value[at] <= x) continue;
            if (count == KSDA_I_CHART_TICKS) return false;
            memmove(&value[at + 1], &value[at], (count - at) * sizeof *value);
            value[at] = x, count++;
        }
    for (uint32_t i = 1; i < count; i++)
        if (place_x(f, value[i]) - place_x(f, value[i - 1]) < 30) return false;
    memcpy(f->x.tick, value, count * sizeof *value);
    f->x.ticks = count;
    return true;
}

static bool make_frame(const ksda_i_chart *chart, int width, int top, frame *f) {
    range none = {.low = INFINITY, .high = -INFINITY};
    *f = (frame){.chart = chart, .width = width, .top = top, .bottom = top + PLOT_HEIGHT, .x = none, .y = none};
    f->x.logarithmic = chart->x.logarithmic, f->y.logarithmic = chart->y.logarithmic;
    f->x.with_zero = chart->x.with_zero, f->y.with_zero = chart->y.with_zero;
    for (uint32_t j = 0; j < chart->count; j++)
        for (uint32_t i = 0; i < chart->line[j].count; i++) {
            double x = chart->line[j].x[i], y = chart->line[j].y[i];
            if (!(f->x.logarithmic && x <= 0)) include(&f->x, x);
            if (in_frame(f, x, y)) include(&f->y, y);
        }
    if (f->y.low > f->y.high || f->x.low > f->x.high) return false;
    if (in_frame(f, f->x.high, chart->reference)) include(&f->y, chart->reference);
    if (f->y.with_zero)
        ticks_with_zero(&f->y);
    else if (f->y.logarithmic)
        ticks_logarithmic(&f->y, true);
    else
        ticks_linear(&f->y, true);
    if (chart->x.names) {
        f->x.low = -.5, f->x.high = chart->x.count - .5;
        for (; f->x.ticks < chart->x.count && f->x.ticks < KSDA_I_CHART_TICKS; f->x.ticks++)
            f->x.tick[f->x.ticks] = f->x.ticks;
    } else if (f->x.with_zero)
        ticks_with_zero(&f->x);
    else if (f->x.logarithmic)
        ticks_logarithmic(&f->x, false);
    else if (!ticks_own(f))
        ticks_linear(&f->x, false);
    return true;
}

static void tick_text(ksda_i_output *out, double value) {
    if (fabs(value) >= 1e6)
        ksda_i_output_format(out, "%.4gM", value / 1e6);
    else if (fabs(value) >= 1e4)
        ksda_i_output_format(out, "%.4gk", value / 1e3);
    else
        ksda_i_output_format(out, "%.5g", value);
}

static void draw_axes(ksda_i_output *out, const frame *f) {
    const ksda_i_chart *c = f->chart;
    for (uint32_t i = 0; i < f->y.ticks; i++) {
        double y = place_y(f, f->y.tick[i]);
        ksda_i_output_format(out,
                             "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" "
                             "y=\"%.1f\" text-anchor=\"end\">",
                             LEFT, f->width - RIGHT, y, y, LEFT - 4, y + 4);
        tick_text(out, f->y.tick[i]);
        ksda_i_output_text(out, "</text>");
    }
    for (uint32_t i = 0; i < f->x.ticks; i++) {
        double x = place_x(f, f->x.tick[i]);
        ksda_i_output_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, f->bottom + 15);
        if (c->x.names)
            ksda_i_page_text(out, c->x.names[i]);
        else
            tick_text(out, f->x.tick[i]);
        ksda_i_output_text(out, "</text>");
        ksda_i_output_format(out, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, f->bottom,
                             f->bottom + 3);
    }
    ksda_i_output_format(out, "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + f->width) / 2,
                         f->bottom + BELOW - 8);
    ksda_i_page_text(out, c->x.label);
    ksda_i_output_format(out, "</text><path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, f->top, f->bottom,
                         f->width - RIGHT);
    if (*c->y.label) {
        ksda_i_output_format(out,
                             "<text class=\"soft\" transform=\"translate(11 %d) rotate(-90)\" text-anchor=\"middle\">",
                             (f->top + f->bottom) / 2);
        ksda_i_page_text(out, c->y.label);
        ksda_i_output_text(out, "</text>");
    }
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* The shapes are paths: one element, whatever the mark. */
static void draw_mark(ksda_i_output *out, const style *s, double x, double y) {
    const char *const shapes[] = {[DISC] = "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z",
                                  [SQUARE] = "m-3 -3h6v6h-6z",
                                  [UP] = "m0 -4l4 7h-8z",
                                  [DIAMOND] = "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
                                  [DOWN] = "m0 4l4 -7h-8z",
                                  [RING] = "m-4.4 0a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0z",
                                  [BOX] = "m-4.2 -4.2h8.4v8.4h-8.4z",
                                  [SAW] = "m-3.5 -3.5l7 7m-7 0l7 -7",
                                  [PLUS] = "m-4.5 0h9m-4.5 -4.5v9",
                                  [TENT] = "m0 -5.2l5.2 9h-10.4z"};
    bool hollow = s->mark >= RING;
    ksda_i_output_format(out, "<path fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\" d=\"M%.1f %.1f%s\">",
                         hollow ? "none" : s->colour, s->colour, hollow ? "1.6" : "0", x, y, shapes[s->mark]);
}

static void number(ksda_i_output *out, const ksda_i_chart_axis *axis, double value) {
    if (axis->names) {
        double at = fmin(fmax(round(value), 0), axis->count - 1.0);
        ksda_i_page_text(out, axis->names[(uint32_t)at]);
    } else
        ksda_i_output_format(out, "%.6g", value);
}

static void draw_curve(ksda_i_output *out, const frame *f, const ksda_i_chart_line *line) {
    const style *s = style_of(line->style);
    bool pen = false;
    ksda_i_output_format(out, "<path fill=\"none\" stroke-width=\"1.7\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M0 0",
                         s->colour, s->dash);
    for (uint32_t i = 0; i < line->count; i++) {
        bool there = in_frame(f, line->x[i], line->y[i]);
        if (there)
            ksda_i_output_format(out, "%c%.1f %.1f", pen ? 'L' : 'M', place_x(f, line->x[i]), place_y(f, line->y[i]));
        pen = there;
    }
    ksda_i_output_text(out, "\"/>");
}

/* A long line is told from others by its dash and some of its points. */
static void draw_marks(ksda_i_output *out, const frame *f, const ksda_i_chart_line *line) {
    uint32_t each = line->marks_only ? 1 : (line->count + MOST_MARKS - 1) / MOST_MARKS;
    for (uint32_t i = 0; i < line->count; i += each) {
        if (!in_frame(f, line->x[i], line->y[i])) continue;
        draw_mark(out, style_of(line->style), place_x(f, line->x[i]), place_y(f, line->y[i]));
        ksda_i_output_text(out, "<title>");
        ksda_i_page_text(out, line->label);
        if (line->note)
            ksda_i_output_text(out, " ("), ksda_i_page_text(out, line->note[i]), ksda_i_output_text(out, ")");
        ksda_i_output_text(out, ", ");
        if (!f->chart->x.names) ksda_i_page_text(out, f->chart->x.label), ksda_i_output_text(out, " = ");
        number(out, &f->chart->x, line->x[i]);
        ksda_i_output_format(out, ": %.6g</title></path>", line->y[i]);
    }
}

/* Letters of a label: the width of a word is a guess, as no font is at hand. */
static int letters(const char *text) {
    int count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* Notes beside the marks, but for those that would stand in another one or outside. */
static void draw_notes(ksda_i_output *out, const frame *f, const ksda_i_chart_line *line) {
    double right = -INFINITY, above = -INFINITY; /* of the last one: where it ends, and its line */
    for (uint32_t i = 0; i < line->count; i++) {
        if (!in_frame(f, line->x[i], line->y[i]) || !*line->note[i]) continue;
        double x = place_x(f, line->x[i]) + 7, y = place_y(f, line->y[i]) - 4,
               width = LETTER * (double)letters(line->note[i]);
        if (x + width > f->width || y < f->top + 8 || (x < right + 4 && fabs(y - above) < 15)) continue;
        ksda_i_output_format(out, "<text class=\"soft\" x=\"%.1f\" y=\"%.1f\">", x, y);
        ksda_i_page_text(out, line->note[i]);
        ksda_i_output_text(out, "</text>");
        right = x + width, above = y;
    }
}

static void draw_chart(ksda_i_output *out, const frame *f) {
    const ksda_i_chart *c = f->chart;
    draw_axes(out, f);
    if (in_frame(f, f->x.high, c->reference)) {
        double y = place_y(f, c->reference);
        ksda_i_output_format(out, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"><title>", LEFT,
                             f->width - RIGHT, y, y);
        ksda_i_page_text(out, c->reference_label);
        ksda_i_output_format(out, ": %.6g</title></line>", c->reference);
    }
    for (uint32_t j = 0; j < c->count; j++)
        if (!c->line[j].marks_only) draw_curve(out, f, &c->line[j]);
    for (uint32_t j = 0; j < c->count; j++)
        if (!c->line[j].line_only) draw_marks(out, f, &c->line[j]);
    for (uint32_t j = 0; j < c->count; j++)
        if (c->line[j].note) draw_notes(out, f, &c->line[j]);
}

void ksda_i_chart_sample(ksda_i_output *out, int index) {
    const style *s = style_of(index);
    ksda_i_output_format(out,
                         "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path stroke=\"%s\" stroke-width=\"2\" "
                         "stroke-dasharray=\"%s\" d=\"M0 8H16\"/>",
                         s->colour, s->dash);
    draw_mark(out, s, 8, 8);
    ksda_i_output_text(out, "</path></svg>");
}

bool ksda_i_chart_figure(ksda_i_output *out, const ksda_i_chart *chart) {
    frame f;
    if (!make_frame(chart, PAGE_WIDTH, PAGE_TOP, &f)) return false;
    ksda_i_output_format(out, "<figure><figcaption id=\"plot-%s\">", chart->id);
    ksda_i_page_text(out, chart->title);
    ksda_i_output_format(out, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"plot-%s\">",
                         f.width, f.bottom + BELOW, chart->id);
    draw_chart(out, &f);
    ksda_i_output_text(out, "</svg></figure>\n");
    return true;
}

/* --- a file of its own -------------------------------------------------------------------------------------------- */

/* Left to right, then the next row, in columns wide enough for the longest label. Returns the height; draws when out is
 * given. */
static int legend(ksda_i_output *out, const frame *f, int y) {
    const ksda_i_chart *c = f->chart;
    bool reference = in_frame(f, f->x.high, c->reference);
    int longest = 1, columns, count = (int)c->count + reference;
    for (int j = 0; j < count; j++) {
        int length = letters(j < (int)c->count ? c->line[j].label : c->reference_label);
        longest = length > longest ? length : longest;
    }
    columns = (f->width - LEFT / 2) / (longest * LETTER + 40);
    columns = columns < 1 ? 1 : columns > LEGEND_COLUMNS ? LEGEND_COLUMNS : columns;
    for (int j = 0; out && j < count; j++) {
        double x = LEFT / 2 + (double)(j % columns) * (f->width - LEFT / 2) / columns,
               middle = y + (double)(j / columns) * LEGEND_ROW + 8;
        if (j < (int)c->count) {
            const style *s = style_of(c->line[j].style);
            if (!c->line[j].marks_only)
                ksda_i_output_format(
                    out, "<path stroke=\"%s\" stroke-width=\"1.7\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh24\"/>",
                    s->colour, s->dash, x, middle);
            draw_mark(out, s, x + 12, middle);
            ksda_i_output_text(out, "</path>");
        } else
            ksda_i_output_format(out, "<path class=\"limit\" d=\"M%.1f %.1fh24\"/>", x, middle);
        ksda_i_output_format(out, "<text x=\"%.1f\" y=\"%.1f\">", x + 30, middle + 4);
        ksda_i_page_text(out, j < (int)c->count ? c->line[j].label : c->reference_label);
        ksda_i_output_text(out, "</text>");
    }
    return (count + columns - 1) / columns * LEGEND_ROW;
}

bool ksda_i_chart_file(ksda_i_output *out, const ksda_i_chart *chart) {
    frame f;
    if (!make_frame(chart, FILE_WIDTH, FILE_TOP, &f)) return false;
    int below = f.bottom + BELOW, height = below + legend(NULL, &f, 0) + 6;
    ksda_i_output_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
        "aria-labelledby=\"title\">\n<title id=\"title\">",
        f.width, height, f.width, height);
    ksda_i_page_text(out, chart->title);
    ksda_i_output_format(out,
                         "</title>\n<style>\nsvg { background: #fff; }\ntext { fill: #1b1f24; font: 12px system-ui, "
                         "\"Segoe UI\", Roboto, sans-serif; }\n"
                         ".heading { font-size: 13.5px; font-weight: 600; }\n.soft { fill: #57606a; }\n.axis { stroke: "
                         "#57606a; stroke-width: 1; fill: none; }\n"
                         ".grid { stroke: #d0d7de; stroke-width: .7; }\n.limit { stroke: #a4262c; stroke-width: 1.5; "
                         "stroke-dasharray: 2 3; fill: none; }\n</style>\n"
                         "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text class=\"heading\" x=\"%d\" y=\"20\">",
                         f.width, height, LEFT / 2);
    ksda_i_page_text(out, chart->title);
    ksda_i_output_text(out, "</text>\n");
    draw_chart(out, &f);
    legend(out, &f, below);
    ksda_i_output_text(out, "</svg>\n");
    return true;
}
