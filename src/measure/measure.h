/* measure.h: the measures from inside: the tables, and what the passes share. */
#ifndef KSDA_I_MEASURE_H
#define KSDA_I_MEASURE_H

#include "core/ctx.h"
#include "graph/communities.h"
#include "graph/graph.h"

#include <ksda/measure.h>
#include <math.h>
#include <string.h>

typedef struct ksda_i_measure_row ksda_i_measure_row;
typedef struct ksda_i_difference_row ksda_i_difference_row;

/* One network being measured. Arrays are made by the first pass that needs them and kept for the next. */
typedef struct ksda_i_measuring {
    ksda_ctx *ctx;
    const ksda_graph *g;
    const ksda_communities *communities; /* NULL when there are none */
    const ksda_measure_options *options;
    ksda_measures *out;
    const ksda_i_measure_row *row; /* the table, set by ksda_i_measuring_run() */
    uint32_t *component;           /* [n] */
    uint32_t *component_size;      /* [components] */
    uint32_t components;
    double *eigen; /* [n] eigenvector centrality */
} ksda_i_measuring;

/* A pass computes one or several rows with the functions below. */
typedef ksda_status (*ksda_i_pass)(ksda_i_measuring *m);

enum {
    KSDA_I_ROWS_MOST = 64 /* ksda_measure_options has a bit for each */
};
struct ksda_i_measure_row {
    ksda_measure_row info;
    ksda_i_pass pass;
};
extern const ksda_i_measure_row ksda_i_measure_rows[]; /* [ksda_i_measure_count] of rows.def */
extern const uint32_t ksda_i_measure_count;

static inline bool ksda_i_wants(const ksda_i_measuring *m, ksda_measure_id id) {
    return (m->options->measures & KSDA_MEASURE_BIT(id)) != 0;
}
static const ksda_value ksda_i_unmeasured = {.value = NAN, .low = NAN, .high = NAN, .exact = 1};
static inline void ksda_i_set_exact(ksda_value *v, double value) {
    *v = (ksda_value){.value = value, .low = value, .high = value, .exact = 1, .measured = 1};
}
static inline void ksda_i_set_sampled(ksda_value *v, double value, double low, double high) {
    *v = (ksda_value){.value = value, .low = low, .high = high, .exact = 0, .measured = 1};
}

/* What the caller gave, over the defaults. */
ksda_status ksda_i_measure_options(ksda_ctx *ctx, const ksda_measure_options *options, ksda_measure_options *full);
ksda_value *ksda_i_values_new(ksda_ctx *ctx, uint32_t count); /* all unmeasured; NULL without memory */
ksda_status ksda_i_measuring_run(ksda_i_measuring *m);        /* all passes whose rows are wanted */
void ksda_i_measuring_forget(ksda_i_measuring *m);            /* rows that a pass filled though nobody asked for them */
void ksda_i_measuring_clear(ksda_i_measuring *m);             /* the shared arrays, not the results */
/* Fill component, component_size and components, once. */
ksda_status ksda_i_measuring_components(ksda_i_measuring *m);
ksda_status ksda_i_histogram_new(ksda_ctx *ctx, ksda_histogram *h, uint64_t size);

/* Where the value of a row goes that has no constant in ksda/measure.h: by its name. */
static inline ksda_value *ksda_i_measure_value(ksda_i_measuring *m, const char *name) {
    uint32_t i = 0;
    while (strcmp(m->row[i].info.name, name) != 0) i++;
    return &m->out->value[i];
}

/* One network and its release being compared. */
typedef struct ksda_i_comparing {
    ksda_ctx *ctx;
    const ksda_graph *original, *published;
    const ksda_communities *communities; /* of the original; NULL when there are none */
    const uint32_t *owner;               /* [published->n] */
    const ksda_measure_options *options;
    ksda_i_measuring before, after;
    ksda_comparison *out;
    const ksda_i_difference_row *row; /* the table */
} ksda_i_comparing;

typedef ksda_status (*ksda_i_difference_pass)(ksda_i_comparing *c);
struct ksda_i_difference_row {
    ksda_measure_row info;
    ksda_i_difference_pass pass;
};
extern const ksda_i_difference_row ksda_i_difference_rows[]; /* [ksda_i_difference_count] of rows.def */
extern const uint32_t ksda_i_difference_count;

static inline ksda_value *ksda_i_difference_value(ksda_i_comparing *c, const char *name) {
    uint32_t i = 0;
    while (strcmp(c->row[i].info.name, name) != 0) i++;
    return &c->out->difference[i];
}

/* The passes. */
#define MEASURE(pass, ...) ksda_status ksda_i_pass_##pass(ksda_i_measuring *m);
#define DIFFERENCE(pass, ...) ksda_status ksda_i_pass_##pass(ksda_i_comparing *c);
#include "measure/rows.def"

/* Triangles at every vertex: [n]. Time and memory as ksda_local_clustering(). */
ksda_status ksda_i_triangles(ksda_ctx *ctx, const ksda_graph *g, uint64_t *triangles);

/* Largest gap and area between two distributions given as counts; NaN where one is empty. */
void ksda_i_histogram_distance(const ksda_histogram *a, const ksda_histogram *b, double *ks, double *emd);

#endif
