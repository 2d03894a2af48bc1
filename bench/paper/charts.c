/* Draw the charts of `make paper`: paper_charts FOLDER <charts.json
 *
 * The input is an array of charts, as figures.jq makes them:
 *   {"file": "a.svg", "title": "...", "x": {"label": "k", "log": false, "zero": false, "names": ["..."]}, "y": {...},
 *    "reference": {"value": 1, "label": "original"}, "lines": [{"label": "...", "style": 0, "marks": false, "points":
 * [[x, y], ...]}]} zero: a logarithmic axis that 0 is on. A y of null leaves a gap. The drawing itself is that of the
 * command's own pages (src/report/chart.c). A chart without any point is left out and named. Prints the files written;
 * anything wrong with the input ends the program. */
#include "core/ctx.h"
#include "report/chart.h"

#include <jansson.h>
#include <ksda/base.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 32,
    MOST_NAMES = KSDA_I_CHART_TICKS
};

static void die(const char *what, const char *which) {
    fprintf(stderr, "paper_charts: %s: %s\n", which, what);
    exit(1);
}

static const char *text(const json_t *object, const char *name, const char *file) {
    const char *value = json_string_value(json_object_get(object, name));
    if (!value) die(name, file);
    return value;
}

static void read_axis(const json_t *object, const char *file, const char **names, ksda_i_chart_axis *out) {
    const json_t *list = json_object_get(object, "names");
    *out = (ksda_i_chart_axis){.label = text(object, "label", file),
                               .logarithmic = json_is_true(json_object_get(object, "log")),
                               .with_zero = json_is_true(json_object_get(object, "zero"))};
    if (!json_is_array(list)) return;
    if (json_array_size(list) > MOST_NAMES) die("too many names on an axis", file);
    for (size_t i = 0; i < json_array_size(list); i++) {
        names[i] = json_string_value(json_array_get(list, i));
        if (!names[i]) die("names", file);
    }
    out->names = names;
    out->count = (uint32_t)json_array_size(list);
}

/* The points of one line; the arrays live until the chart is drawn. */
static void read_line(const json_t *object, const char *file, ksda_i_chart_line *out) {
    const json_t *points = json_object_get(object, "points");
    size_t count = json_array_size(points);
    double *x = calloc(2 * count + 1, sizeof *x), *y = x + count;
    if (!x || !json_is_array(points)) die("points", file);
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(points, i), *value = json_array_get(point, 1);
        if (!json_is_number(json_array_get(point, 0)) || !(json_is_number(value) || json_is_null(value)))
            die("a point", file);
        x[i] = json_number_value(json_array_get(point, 0));
        y[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    *out = (ksda_i_chart_line){.label = text(object, "label", file),
                               .style = (int)json_integer_value(json_object_get(object, "style")),
                               .marks_only = json_is_true(json_object_get(object, "marks")),
                               .count = (uint32_t)count,
                               .x = x,
                               .y = y};
}

static void draw(ksda_ctx *ctx, const char *folder, const json_t *object) {
    const char *file = text(object, "file", "a chart"), *names[2][MOST_NAMES];
    const json_t *lines = json_object_get(object, "lines"), *reference = json_object_get(object, "reference");
    ksda_i_chart_line line[MOST_LINES];
    char path[4096];
    ksda_i_output *out;
    ksda_i_chart chart = {.id = file,
                          .title = text(object, "title", file),
                          .reference = NAN,
                          .reference_label = "",
                          .line = line,
                          .count = (uint32_t)json_array_size(lines)};
    if (chart.count > MOST_LINES) die("too many lines", file);
    read_axis(json_object_get(object, "x"), file, names[0], &chart.x);
    read_axis(json_object_get(object, "y"), file, names[1], &chart.y);
    if (json_is_object(reference) && json_is_number(json_object_get(reference, "value")))
        chart.reference = json_number_value(json_object_get(reference, "value")),
        chart.reference_label = text(reference, "label", file);
    for (uint32_t i = 0; i < chart.count; i++) read_line(json_array_get(lines, i), file, &line[i]);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (ksda_i_output_open(ctx, path, false, &out) < 0) die(ksda_ctx_error(ctx)->message, file);
    if (!ksda_i_chart_file(out, &chart)) {
        ksda_i_output_abandon(out);
        fprintf(stderr, "paper_charts: %s: nothing to show, left out\n", file);
    } else if (ksda_i_output_commit(out) < 0)
        die(ksda_ctx_error(ctx)->message, file);
    else
        puts(file);
    for (uint32_t i = 0; i < chart.count; i++) free((void *)line[i].x);
}

int main(int argc, char **argv) {
    json_error_t error;
    ksda_ctx *ctx;
    if (argc != 2) {
        fputs("usage: paper_charts FOLDER <charts.json\n", stderr);
        return 2;
    }
    json_t *charts = json_loadf(stdin, 0, &error);
    if (!json_is_array(charts)) die(charts ? "not an array" : error.text, "standard input");
    if (ksda_ctx_new(NULL, &ctx) < 0) die("out of memory", "start");
    for (size_t i = 0; i < json_array_size(charts); i++) draw(ctx, argv[1], json_array_get(charts, i));
    ksda_ctx_free(ctx);
    json_decref(charts);
    return fflush(stdout) == 0 ? 0 : 1;
}
