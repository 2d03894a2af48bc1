/* page.h: the pieces an HTML report is made of: escaped text, plots with axes, the drawing of a network. */
#ifndef KSDA_I_PAGE_H
#define KSDA_I_PAGE_H

#include "graph/communities.h"
#include "graph/graph.h"
#include "io/output.h"

extern const char ksda_i_report_css[]; /* assets/report.css */

/* Text that came from outside: &, <, >, quotes and control characters are harmless afterwards. */
void ksda_i_page_text(ksda_i_output *out, const char *text);
void ksda_i_page_vertex(ksda_i_output *out, const ksda_graph *g, uint32_t v);
/* The name cut to so many bytes at most, with the 0. */
void ksda_i_page_community_name(const ksda_communities *c, uint32_t community, size_t bytes, char *name);
void ksda_i_page_community(ksda_i_output *out, const ksda_communities *c, uint32_t community);

/* The largest communities, at most `most` of them, to row [most]; how many to *rows; or why it had to stop. people: how
 * many are in each community, where they may be in several; NULL: those of one set are counted, as of one community. */
ksda_status ksda_i_page_largest(ksda_ctx *ctx, const ksda_communities *c, const uint32_t *people, uint32_t most,
                                uint32_t *row, uint32_t *rows);

/* Everything up to and including <main>, and everything from </main> on. */
void ksda_i_page_begin(ksda_i_output *out, const char *title, const char *network, int public_page);
void ksda_i_page_end(ksda_i_output *out, bool sets); /* sets: people are in several communities */

/* --- plots -------------------------------------------------------------------------------------------------------- */

/* Degrees 0 .. largest cut into at most PAGE_MOST_BINS ranges: one each while they fit, then of growing width. */
enum {
    KSDA_I_PAGE_BINS = 36
};
typedef struct ksda_i_bins {
    uint32_t count;
    uint32_t first[KSDA_I_PAGE_BINS + 1]; /* bin i holds first[i] .. first[i + 1] - 1 */
} ksda_i_bins;
void ksda_i_bins_make(uint32_t largest, ksda_i_bins *bins);
uint32_t ksda_i_bins_find(const ksda_i_bins *bins, uint32_t value);
void ksda_i_bins_label(const ksda_i_bins *bins, uint32_t bin, char *buffer, size_t size); /* "12" or "12-15" */

/* One line of a plot: a value for each bin; NaN leaves the bin out. */
typedef struct ksda_i_series {
    const char *label; /* "before" */
    const char *kind;  /* CSS class: "before" (solid, discs) or "after" (dashed, squares) */
    const double *value;
} ksda_i_series;

typedef struct ksda_i_plot {
    const char *id;    /* unique in the page */
    const char *title; /* one sentence: what is to be seen */
    const char *x, *y; /* axis labels with units */
    const char *unit;  /* of a value, for hovering: "vertices" */
    const ksda_i_bins *bins;
    const ksda_i_series *series;
    uint32_t count;
    int logarithmic; /* y axis; zeros stand on the axis */
    double limit;    /* a dashed line to be reached, or 0 */
    const char *limit_label;
} ksda_i_plot;
void ksda_i_page_plot(ksda_i_output *out, const ksda_i_plot *plot);

/* Vertices by degree and community, darker for more. cell[row * bins->count + bin]. */
typedef struct ksda_i_heat {
    const char *id, *title;
    const ksda_i_bins *bins;
    uint32_t rows;
    const ksda_communities *communities;
    const uint32_t *community; /* [rows] which community a row is; of a set, not a set */
    const uint32_t *cell;
    const uint8_t *exposed; /* [bins] nonzero: some degree of it occurs in fewer than k communities; or NULL */
    uint32_t most;          /* of all cells that are to be compared: the darkest shade */
} ksda_i_heat;
void ksda_i_page_heat(ksda_i_output *out, const ksda_i_heat *heat);

/* --- the drawing -------------------------------------------------------------------------------------------------- */

enum {
    KSDA_I_DRAWING_MOST = 20000
}; /* vertices, and edges, of a network that is still drawn */

/* Draw the published network: communities by colour and shape, added edges and split people made visible. original and
 * owner are NULL to draw a network by itself. */
ksda_status ksda_i_page_drawing(ksda_ctx *ctx, ksda_i_output *out, const ksda_graph *g, const ksda_communities *c,
                                const ksda_graph *original, const uint32_t *owner);
/* Draw a larger one as the communities and how many edges are between them: the largest ones. */
ksda_status ksda_i_page_quotient(ksda_ctx *ctx, ksda_i_output *out, const ksda_graph *g, const ksda_communities *c);

#endif
