/* chart.h: lines in a frame with axes, as SVG: within a page, or as a file of its own with its heading and legend. */
#ifndef KSDA_I_CHART_H
#define KSDA_I_CHART_H

#include "io/output.h"

/* How many lines can be told apart by colour, dash and mark. Further ones start again. */
enum {
    KSDA_I_CHART_STYLES = 12,
    KSDA_I_CHART_TICKS = 12
};

typedef struct ksda_i_chart_line {
    const char *label;
    int style;       /* 0 .. KSDA_I_CHART_STYLES - 1 */
    bool marks_only; /* no line between the points */
    bool line_only;  /* no marks */
    uint32_t count;
    const double *x, *y; /* [count] NaN in y leaves a gap */
    const char *const
        *note; /* NULL, or [count] words for each mark: beside it where there is room, and under the pointer */
} ksda_i_chart_line;

typedef struct ksda_i_chart_axis {
    const char *label;        /* with its unit; "" for none */
    bool logarithmic;         /* what is not above 0 is left out */
    bool with_zero;           /* logarithmic, of one more than the value: 0 has its place */
    const char *const *names; /* NULL, or the words that stand at 0, 1, ..., count - 1 instead of numbers */
    uint32_t count;
} ksda_i_chart_axis;

typedef struct ksda_i_chart {
    const char *id; /* of the heading, unique in the page */
    const char *title;
    ksda_i_chart_axis x, y;
    double reference; /* a dotted line across, or NaN */
    const char *reference_label;
    const ksda_i_chart_line *line;
    uint32_t count;
} ksda_i_chart;

/* A figure of a page: heading and frame; the legend is the page's. False, and nothing written, when there is nothing to
 * show. */
bool ksda_i_chart_figure(ksda_i_output *out, const ksda_i_chart *chart);
/* A whole SVG file. */
bool ksda_i_chart_file(ksda_i_output *out, const ksda_i_chart *chart);
/* The sample of a style for the legend of a page: line and mark, 16 by 16. */
void ksda_i_chart_sample(ksda_i_output *out, int style);

#endif
