/* What a network looks like, and what a release costs: `ksda measure` and `ksda compare`. Rows come from the tables of
 * measures. */
#include "report/bars.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

/* --- JSON --------------------------------------------------------------------------------------------------------- */

/* Whole numbers as such: counts of vertices are not 23133.0. */
static void json_number(json_t *object, const char *name, double value) {
    if (fabs(value) < 9e15 && value == floor(value))
        ksda_i_json_set(object, name, json_integer((json_int_t)value));
    else
        ksda_i_json_real(object, name, value);
}

static void json_interval(json_t *object, const char *name, const ksda_value *v) {
    if (!v->measured || v->exact) return;
    json_t *interval = json_object();
    ksda_i_json_real(interval, "low", v->low);
    ksda_i_json_real(interval, "high", v->high);
    ksda_i_json_set(object, name, interval);
}

void ksda_i_json_measured(json_t *values, json_t *intervals, const char *name, const ksda_value *v) {
    json_number(values, name, v->value);
    json_interval(intervals, name, v);
}

static void json_value(const ksda_measure_row *row, const ksda_value *v, json_t *values, json_t *intervals,
                       json_t *seconds) {
    ksda_i_json_measured(values, intervals, row->name, v);
    if (v->measured) ksda_i_json_real(seconds, row->name, v->seconds);
    if (v->runs <= 1) return;
    char name[64];
    snprintf(name, sizeof name, "%s_spread", row->name);
    ksda_i_json_real(values, name, v->spread);
}

static void json_histogram(json_t *object, const char *name, const ksda_histogram *h) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < h->size; i++)
        if (h->count[i] > 0) ksda_i_json_append(list, json_pack("[i, f]", (int)i, h->count[i]));
    ksda_i_json_set(object, name, list);
}

void ksda_i_measures_json(const ksda_measures *m, int distributions, json_t *object) {
    json_t *intervals = json_object(), *seconds = json_object();
    ksda_i_json_count(object, "vertices", m->vertices);
    ksda_i_json_count(object, "edges", m->edges);
    ksda_i_json_count(object, "communities", m->communities);
    ksda_i_json_text(object, "overlap", m->overlap ? ksda_overlap_name(KSDA_OVERLAP_DISJOINT) : NULL);
    for (uint32_t i = 0; i < m->values; i++)
        json_value(ksda_measure_info((ksda_measure_id)i), &m->value[i], object, intervals, seconds);
    ksda_i_json_bool(object, "exact", m->exact);
    ksda_i_json_count(object, "samples", m->samples);
    ksda_i_json_count(object, "betweenness_samples", m->betweenness_samples);
    ksda_i_json_set(object, "intervals", intervals);
    ksda_i_json_real(seconds, "total", m->seconds);
    ksda_i_json_set(object, "seconds", seconds);
    if (!distributions) return;
    json_histogram(object, "degree_frequencies", &m->degrees);
    json_histogram(object, "coreness_frequencies", &m->cores);
    json_histogram(object, "distance_frequencies", &m->distances);
}

void ksda_i_comparison_json(const ksda_comparison *c, json_t *object) {
    json_t *original = json_object(), *published = json_object(), *intervals = json_object(), *seconds = json_object();
    ksda_i_measures_json(c->original, 0, original);
    ksda_i_measures_json(c->published, 0, published);
    for (uint32_t i = 0; i < c->differences; i++)
        json_value(ksda_difference_info((ksda_difference_id)i), &c->difference[i], object, intervals, seconds);
    ksda_i_json_text(object, "detector", c->detector ? c->detector : "none");
    if (c->parts) ksda_i_json_count(object, "parts", c->parts);
    if (c->detections) ksda_i_json_count(object, "detections", c->detections);
    ksda_i_json_bool(object, "exact", c->exact);
    ksda_i_json_real(seconds, "total", c->seconds);
    ksda_i_json_set(object, "original", original);
    ksda_i_json_set(object, "published", published);
    ksda_i_json_set(object, "intervals", intervals);
    ksda_i_json_set(object, "seconds", seconds);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Counts with their groups of digits, other numbers with seven significant digits. */
static const char *number(double value, char *buffer, size_t size) {
    if (isnan(value))
        snprintf(buffer, size, "-");
    else if (value >= 0 && value < 9e15 && value == floor(value))
        ksda_grouped((uint64_t)value, buffer);
    else
        snprintf(buffer, size, "%.7g", value);
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
    fprintf(out, "  %-38s %14s %-10s ", row->label, number(v->value, text, sizeof text),
            ksda_i_word(v->value, row->unit));
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
    if (m->samples) fprintf(out, "Distances from %s sampled vertices.\n", ksda_grouped(m->samples, a));
    if (m->betweenness_samples)
        fprintf(out, "Betweenness from %s sampled vertices.\n", ksda_grouped(m->betweenness_samples, a));
}

static void text_size(const ksda_measures *m, FILE *out) {
    char a[32], b[32], c[32];
    fprintf(out, "%s %s, %s %s", ksda_grouped(m->vertices, a), ksda_i_word(m->vertices, "vertices"),
            ksda_grouped(m->edges, b), ksda_i_word((double)m->edges, "edges"));
    if (m->communities)
        fprintf(out, ", %s %s", ksda_grouped(m->communities, c), ksda_i_word(m->communities, "communities"));
    fputc('\n', out);
}

void ksda_i_measures_text(const ksda_measures *m, int distributions, FILE *out) {
    text_size(m, out);
    for (uint32_t i = 0; i < m->values; i++) text_row(ksda_measure_info((ksda_measure_id)i), &m->value[i], out);
    if (m->overlap) ksda_i_paragraph("Modularity is " KSDA_I_UNDEFINED_SETS ".", out);
    text_samples(m, out);
    fprintf(out, "%.3g seconds\n", m->seconds);
    if (!distributions) return;
    text_histogram("Vertices of each degree", &m->degrees, out);
    text_histogram("Vertices of each coreness", &m->cores, out);
    text_histogram("Pairs at each distance", &m->distances, out);
}

/* --- two networks ------------------------------------------------------------------------------------------------- */

ksda_i_change ksda_i_change_of(ksda_measure_id id, const ksda_value *a, const ksda_value *b) {
    bool protection = id == KSDA_MEASURE_VIOLATIONS || id == KSDA_MEASURE_LARGEST_K;
    bool around_zero = id == KSDA_MEASURE_ASSORTATIVITY || id == KSDA_MEASURE_MODULARITY;
    ksda_i_change c = {.amount = NAN, .relative = !protection && !around_zero, .damage = !protection};
    if (!a->measured || !b->measured || !isfinite(a->value) || !isfinite(b->value)) return c;
    if (fabs(b->value - a->value) <= 1e-12 * fabs(a->value)) /* sums in another order */
        c.amount = 0;
    else if (!c.relative)
        c.amount = b->value - a->value;
    else if (a->value != 0)
        c.amount = (b->value - a->value) / fabs(a->value);
    return c;
}

const char *ksda_i_change_text(const ksda_i_change *c, const char *space, char *buffer) {
    if (isnan(c->amount))
        snprintf(buffer, 32, "-");
    else if (fabs(c->amount) < 5e-6)
        snprintf(buffer, 32, "0");
    else if (c->relative)
        snprintf(buffer, 32, "%+.3g%s%%", 100 * c->amount, space);
    else
        snprintf(buffer, 32, "%+.3g", c->amount);
    return buffer;
}

double ksda_i_change_damage(const ksda_i_change *c) {
    return c->damage && !isnan(c->amount) ? fabs(c->amount) : 0;
}

/* "+-0.3 %": half the interval, in per cent of the value. */
static void text_width(const ksda_value *v, FILE *out) {
    if (v->exact)
        fputs("exact", out);
    else if (isinf(v->high) || v->value == 0)
        fputs("at least", out);
    else
        fprintf(out, "+-%.2g %%", 100 * fmax(v->high - v->value, v->value - v->low) / fabs(v->value));
}

/* Both values, the change in per cent and as a bar, and how sure they are if they are not exact. */
static void text_pair(ksda_measure_id id, const ksda_value *a, const ksda_value *b, double scale, int utf8, FILE *out) {
    char before[64], after[64], text[32], bar[KSDA_I_BAR_BYTES];
    ksda_i_change change = ksda_i_change_of(id, a, b);
    bool sampled = !a->exact || !b->exact;
    if (!a->measured || !b->measured) return;
    ksda_i_bar(ksda_i_change_damage(&change) / scale, utf8, sampled, bar);
    fprintf(out, "  %-36s %12s %12s %10s%s%s", ksda_measure_info(id)->label, number(a->value, before, sizeof before),
            number(b->value, after, sizeof after), ksda_i_change_text(&change, " ", text), *bar ? "  " : "", bar);
    if (sampled) {
        fputs("  sampled, 95 %: ", out);
        text_width(a, out);
        fputs("; ", out);
        text_width(b, out);
    }
    fputc('\n', out);
}

/* What only both together have; those from 0 to 1 with a bar. */
static void text_difference(int i, const ksda_value *v, int utf8, FILE *out) {
    const ksda_measure_row *row = ksda_difference_info((ksda_difference_id)i);
    char text[64], bar[KSDA_I_BAR_BYTES];
    bool share = *row->unit == '\0' && i < KSDA_DIFFERENCE_COST;
    const char *unit = isfinite(v->value) ? ksda_i_word(v->value, row->unit) : "";
    if (!v->measured) return;
    fprintf(out, "  %-36s %12s", row->label, number(v->value, text, sizeof text));
    ksda_i_bar(share ? v->value : 0, utf8, !v->exact, bar);
    if (*bar)
        fprintf(out, " %-10s %14s%s", unit, "", bar);
    else if (*unit)
        fprintf(out, " %s", unit);
    if (!v->exact) {
        fputs("  sampled, 95 %: ", out);
        text_width(v, out);
    }
    if (v->runs > 1) fprintf(out, "  %u runs spread %.2f", v->runs, v->spread);
    fputc('\n', out);
}

/* The rows of one table share a scale. */
static double scale_of(const ksda_comparison *c, uint64_t rows) {
    double largest = 0;
    for (uint32_t i = 0; i < c->original->values; i++) {
        ksda_i_change x = ksda_i_change_of((ksda_measure_id)i, &c->original->value[i], &c->published->value[i]);
        if (rows >> i & 1) largest = fmax(largest, ksda_i_change_damage(&x));
    }
    return ksda_i_bar_scale(largest);
}

static void text_table(const ksda_comparison *c, uint64_t rows, int utf8, FILE *out) {
    double scale = scale_of(c, rows);
    fprintf(out, "  %-36s %12s %12s %10s  full bar: %.0f %%\n", "", "original", "published", "change", 100 * scale);
    for (uint32_t i = 0; i < c->original->values; i++)
        if (rows >> i & 1)
            text_pair((ksda_measure_id)i, &c->original->value[i], &c->published->value[i], scale, utf8, out);
}

void ksda_i_comparison_short(const ksda_comparison *c, int utf8, FILE *out) {
    text_table(c,
               KSDA_MEASURE_BIT(KSDA_MEASURE_CLUSTERING) | KSDA_MEASURE_BIT(KSDA_MEASURE_ASPL) |
                   KSDA_MEASURE_BIT(KSDA_MEASURE_DEGREE_CENTRALIZATION) |
                   KSDA_MEASURE_BIT(KSDA_MEASURE_BETWEENNESS_CENTRALIZATION),
               utf8, out);
    text_difference(KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION, &c->difference[KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION],
                    utf8, out);
    text_difference(KSDA_DIFFERENCE_DETECTION_ACCURACY, &c->difference[KSDA_DIFFERENCE_DETECTION_ACCURACY], utf8, out);
}

void ksda_i_comparison_text(const ksda_comparison *c, int utf8, FILE *out) {
    fputs("original:  ", out);
    text_size(c->original, out);
    fputs("published: ", out);
    text_size(c->published, out);
    fputc('\n', out);
    text_table(c, UINT64_MAX, utf8, out);
    fprintf(out, "\n  %-36s %12s %25sfull bar: 1\n", "", "", "");
    for (uint32_t i = 0; i < c->differences; i++) text_difference(i, &c->difference[i], utf8, out);
    if (c->original->overlap) ksda_i_paragraph(KSDA_I_UNDEFINED_MEASURES " are " KSDA_I_UNDEFINED_SETS ".", out);
    fputs(c->exact ? "All values are exact." : "Values are exact unless a line says that they were sampled.", out);
    if (c->detector && strcmp(c->detector, "metis") == 0)
        fprintf(out, " Communities detected by METIS with %u parts in both, with %u seeds.", (unsigned)c->parts,
                (unsigned)c->detections);
    else if (c->detector && strcmp(c->detector, "leiden") == 0)
        fprintf(out, " Communities detected by Leiden in both, with %u seeds.", (unsigned)c->detections);
    fputc('\n', out);
    text_samples(c->original, out);
    fprintf(out, "%.3g seconds\n", c->seconds);
}
