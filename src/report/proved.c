/* What is proved of a release, in words: vertices and edges apart, because with the default weight one added vertex
 * counts more than all edges and a percentage of the cost would say nothing about these. */
#include "report/report.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

double ksda_i_gap(double cost, double bound) {
    double above = cost - bound;
    if (isnan(above)) return NAN;
    if (above <= 1e-6 + 8 * DBL_EPSILON * fabs(bound)) return 0; /* rounding only: one edge more must show */
    return bound > 0 ? above / bound : NAN;
}

/* Costs are whole numbers unless the weight is not. */
const char *ksda_i_amount(double value, char *buffer) { /* [32] */
    if (value >= 0 && value < 1e15 && value == floor(value)) return ksda_grouped((uint64_t)value, buffer);
    snprintf(buffer, 32, "%.10g", value);
    return buffer;
}

typedef struct sentence {
    char *text;
    size_t used, size;
} sentence;

static void say_more(sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say_more(sentence *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->text + s->used, s->size - s->used, format, arguments);
    va_end(arguments);
    if (length > 0) s->used = s->used + (size_t)length < s->size ? s->used + (size_t)length : s->size - 1;
}

/* "1 split", "3 splits" */
static void say_count(sentence *s, uint64_t count, const char *noun) {
    char number[32];
    say_more(s, "%s %s%s", ksda_grouped(count, number), noun, count == 1 ? "" : "s");
}

static const char *are_or_is(uint64_t count) {
    return count == 1 ? "is" : "are";
}

static void say_splits(sentence *s, const ksda_anonymize_result *r) {
    char least[32];
    say_count(s, r->added_vertices, "split");
    if (r->least_added_vertices >= r->added_vertices)
        say_more(s, " %s the least possible", are_or_is(r->added_vertices));
    else if (r->least_added_vertices > 0)
        say_more(s, ", at least %s %s needed", ksda_grouped(r->least_added_vertices, least),
                 are_or_is(r->least_added_vertices));
    else
        say_more(s, " (it is not proved that any is needed)");
}

static void say_edges(sentence *s, const ksda_anonymize_result *r) {
    char least[32];
    const char *with = r->added_vertices ? "with no more splits" : "without a split";
    if (r->least_added_edges == 0 && r->added_edges > 0) {
        say_more(s, "how few edges would do %s is not proved", with);
        return;
    }
    say_count(s, r->added_edges, "edge");
    if (r->least_added_edges >= r->added_edges)
        say_more(s, " %s the least possible %s", are_or_is(r->added_edges), with);
    else
        say_more(s, ", at least %s %s needed %s", ksda_grouped(r->least_added_edges, least),
                 are_or_is(r->least_added_edges), with);
}

const char *ksda_i_proved(const ksda_anonymize_result *r, char *buffer) {
    sentence s = {buffer, 0, KSDA_I_PROVED};
    char least[32];
    *buffer = '\0';
    if (isnan(r->lower_bound)) return buffer;
    if (ksda_i_gap(r->cost, r->lower_bound) == 0) {
        if (r->added_vertices) say_count(&s, r->added_vertices, "split"), say_more(&s, " and ");
        say_count(&s, r->added_edges, "edge");
        say_more(&s, ": the least possible cost");
        return buffer;
    }
    if (r->added_vertices) say_splits(&s, r), say_more(&s, "; ");
    say_edges(&s, r);
    if (r->least_added_vertices < r->added_vertices ||
        (!r->added_vertices && r->lower_bound < (double)r->least_added_edges))
        say_more(&s, "; %s costs at least %s", r->added_vertices ? "every release" : "a release with splits",
                 ksda_i_amount(r->lower_bound, least));
    return buffer;
}
