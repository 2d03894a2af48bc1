/* frontier.h: the trade-off between added edges and added vertices, as a table, as JSON and as a section of the report.
 */
#ifndef KSDA_I_FRONTIER_H
#define KSDA_I_FRONTIER_H

#include "io/output.h"
#include "report/report.h"

enum {
    KSDA_I_FRONTIER_MEASURES = 4
}; /* of one network; the correlation of eigenvector centralities comes on top */

typedef struct ksda_i_frontier_row {
    int measured;
    ksda_value value[KSDA_I_FRONTIER_MEASURES];
    ksda_value correlation;
} ksda_i_frontier_row;

struct ksda_frontier_study {
    ksda_frontier found; /* a view of the caller's */
    const ksda_graph *graph;
    const ksda_communities *communities;
    ksda_i_frontier_row *row; /* [found.count] */
    int measured;
    ksda_value original[KSDA_I_FRONTIER_MEASURES];
    double measure; /* seconds */
};

const ksda_measure_row *ksda_i_frontier_measure(int i);
/* (published - original) / |original|; NaN where that means nothing. */
double ksda_i_frontier_change(const ksda_frontier_study *f, uint32_t point, int measure);
/* ksda_frontier_least_edges(), not rounded. */
double ksda_i_frontier_edges_needed(const ksda_frontier *f, double splits);
/* How far the cost may be above the least, as a share of the bound; NaN when nothing is proved. */
double ksda_i_frontier_gap(const ksda_frontier_point *p);
/* "0.5 to 12.3", "12.3 and more"; buffer has at least 64 bytes and is returned. */
const char *ksda_i_frontier_range(const ksda_frontier_point *p, char *buffer);

void ksda_i_frontier_json(const ksda_frontier_study *f, json_t *object);
void ksda_i_frontier_text(const ksda_frontier_study *f, FILE *out);
/* chosen: the split weight of the release that the page is about; 0 when it is about none. */
ksda_status ksda_i_frontier_html(ksda_ctx *ctx, const ksda_frontier_study *f, double chosen, ksda_i_output *out);

#endif
