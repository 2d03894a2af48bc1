/* What a network looks like, and what a release costs: `ksda measure` and `ksda compare`. Rows come from the tables of measures. */
#include "report/report.h"

#include <math.h>
#include <string.h>

/* --- JSON --------------------------------------------------------------------------------------------------------- */

/* Whole numbers as such: counts of vertices are not 23133.0. */
static void json_number(json_t *object, const char *name, double value) {
    if (fabs(value) < 9e15 && value == floor(value)) json_object_set_new(object, name, json_integer((json_int_t)value));
    else ksda_i_json_real(object, name, value);
}

static void json_interval(json_t *object, const char *name, const ksda_value *v) {
    if (!v->measured || v->exact) return;
    json_t *interval = json_object();
    ksda_i_json_real(interval, "low", v->low);
    ksda_i_json_real(interval, "high", v->high);
    json_object_set_new(object, name, interval);
}

void ksda_i_json_measured(json_t *values, json_t *intervals, const char *name, const ksda_value *v) {
    json_number(values, name, v->value);
    json_interval(intervals, name, v);
}

static void json_value(const ksda_measure_row *row, const ksda_value *v, json_t *values, json_t *intervals, json_t *seconds) {
    ksda_i_json_measured(values, intervals, row->name, v);
    if (v->measured) ksda_i_json_real(seconds, row->name, v->seconds);
}

static void json_histogram(json_t *object, const char *name, const ksda_histogram *h) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < h->size; i++)
        if (h->count[i] > 0) json_array_append_new(list, json_pack("[i, f]", (int)i, h->count[i]));
    json_object_set_new(object, name, list);
}

void ksda_i_measures_json(const ksda_measures *m, int distributions, json_t *object) {
    json_t *intervals = json_object(), *seconds = json_object();
    ksda_i_json_count(object, "vertices", m->vertices);
    ksda_i_json_count(object, "edges", m->edges);
    ksda_i_json_count(object, "communities", m->communities);
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++)
        json_value(ksda_measure_info((ksda_measure_id)i), &m->value[i], object, intervals, seconds);
    ksda_i_json_bool(object, "exact", m->exact);
    ksda_i_json_count(object, "samples", m->samples);
    ksda_i_json_count(object, "betweenness_samples", m->betweenness_samples);
    json_object_set_new(object, "intervals", intervals);
    ksda_i_json_real(seconds, "total", m->seconds);
    json_object_set_new(object, "seconds", seconds);
    if (!distributions) return;
    json_histogram(object, "degree_frequencies", &m->degrees);
    json_histogram(object, "coreness_frequencies", &m->cores);
    json_histogram(object, "distance_frequencies", &m->distances);
}

void ksda_i_comparison_json(const ksda_comparison *c, json_t *object) {
    json_t *original = json_object(), *published = json_object(), *intervals = json_object(), *seconds = json_object();
    ksda_i_measures_json(&c->original, 0, original);
    ksda_i_measures_json(&c->published, 0, published);
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++)
        json_value(ksda_difference_info((ksda_difference_id)i), &c->difference[i], object, intervals, seconds);
    ksda_i_json_text(object, "detector", c->detector ? c->detector : "none");
    if (c->parts) ksda_i_json_count(object, "parts", c->parts);
    ksda_i_json_bool(object, "exact", c->exact);
    ksda_i_json_real(seconds, "total", c->seconds);
    json_object_set_new(object, "original", original);
    json_object_set_new(object, "published", published);
    json_object_set_new(object, "intervals", intervals);
    json_object_set_new(object, "seconds", seconds);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Counts with their groups of digits, other numbers with seven significant digits. */
static const char *number(double value, char *buffer, size_t size) {
    if (isnan(value)) snprintf(buffer, size, "-");
    else if (value >= 0 && value < 9e15 && value == floor(value)) ksda_i_grouped((uint64_t)value, buffer);
    else snprintf(buffer, size, "%.7g", value);
    return buffer;
}

static void text_certainty(const ksda_value *v, FILE *out) {
    char low[48], high[48];
    if (v->exact) {
        fputs("exact", out);
    } else if (isinf(v->high)) {
        fprintf(out, "sampled: at least %s", number(v->low, low, sizeof low));
    } else {
        fprintf(out, "sampled, 95 %%: %s .. %s", number(v->low, low, sizeof low), number(v->high, high, sizeof high));
        if (v->value != 0 && isfinite(v->value))
            fprintf(out, " (+-%.2g %%)", 100 * fmax(v->high - v->value, v->value - v->low) / fabs(v->value));
    }
}

static void text_row(const ksda_measure_row *row, const ksda_value *v, FILE *out) {
    char text[64];
    if (!v->measured) return;
    fprintf(out, "  %-38s %14s %-10s ", row->label, number(v->value, text, sizeof text), row->unit);
    text_certainty(v, out);
    fputc('\n', out);
}

static void text_histogram(const char *title, const ksda_histogram *h, FILE *out) {
    fprintf(out, "\n%s\n", title);
    for (uint32_t i = 0; i < h->size; i++)
        if (h->count[i] > 0) fprintf(out, "  %8u %16.0f\n", i, h->count[i]);
}

static void text_samples(const ksda_measures *m, FILE *out) {
    char a[32];
    if (m->samples) fprintf(out, "Distances from %s sampled vertices.\n", ksda_i_grouped(m->samples, a));
    if (m->betweenness_samples) fprintf(out, "Betweenness from %s sampled vertices.\n", ksda_i_grouped(m->betweenness_samples, a));
}

static void text_size(const ksda_measures *m, FILE *out) {
    char a[32], b[32], c[32];
    fprintf(out, "%s vertices, %s edges", ksda_i_grouped(m->vertices, a), ksda_i_grouped(m->edges, b));
    if (m->communities) fprintf(out, ", %s communities", ksda_i_grouped(m->communities, c));
    fputc('\n', out);
}

void ksda_i_measures_text(const ksda_measures *m, int distributions, FILE *out) {
    text_size(m, out);
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++) text_row(ksda_measure_info((ksda_measure_id)i), &m->value[i], out);
    text_samples(m, out);
    fprintf(out, "%.3g seconds\n", m->seconds);
    if (!distributions) return;
    text_histogram("Vertices of each degree", &m->degrees, out);
    text_histogram("Vertices of each coreness", &m->cores, out);
    text_histogram("Pairs at each distance", &m->distances, out);
}

/* Both values, the change in per cent, and how sure they are. */
static void text_pair(const ksda_measure_row *row, const ksda_value *a, const ksda_value *b, FILE *out) {
    char before[64], after[64], change[32] = "-";
    if (!a->measured || !b->measured) return;
    if (a->value == b->value) snprintf(change, sizeof change, "0");
    else if (a->value != 0 && isfinite(a->value) && isfinite(b->value))
        snprintf(change, sizeof change, "%+.3g %%", 100 * (b->value - a->value) / fabs(a->value));
    fprintf(out, "  %-38s %14s %14s %11s  ", row->label, number(a->value, before, sizeof before),
            number(b->value, after, sizeof after), change);
    if (a->exact && b->exact) {
        fputs("exact", out);
    } else {
        text_certainty(a, out);
        fputs("; ", out);
        text_certainty(b, out);
    }
    fputc('\n', out);
}

void ksda_i_comparison_text(const ksda_comparison *c, FILE *out) {
    fputs("original:  ", out);
    text_size(&c->original, out);
    fputs("published: ", out);
    text_size(&c->published, out);
    fprintf(out, "\n  %-38s %14s %14s %11s\n", "", "original", "published", "change");
    for (int i = 0; i < KSDA_MEASURE_COUNT; i++)
        text_pair(ksda_measure_info((ksda_measure_id)i), &c->original.value[i], &c->published.value[i], out);
    fputc('\n', out);
    for (int i = 0; i < KSDA_DIFFERENCE_COUNT; i++) text_row(ksda_difference_info((ksda_difference_id)i), &c->difference[i], out);
    if (c->detector && strcmp(c->detector, "metis") == 0)
        fprintf(out, "Communities detected by METIS with %u parts in both.\n", (unsigned)c->parts);
    else if (c->detector && strcmp(c->detector, "leiden") == 0)
        fputs("Communities detected by Leiden in both.\n", out);
    text_samples(&c->original, out);
    fprintf(out, "%.3g seconds\n", c->seconds);
}
