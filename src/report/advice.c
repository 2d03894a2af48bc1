/* Which k, or which share bound? A sweep of one method over k, or over share bounds at one k, read as a price list.
 *
 * The price of a release is the share of the network that it adds, in edges and in vertices. Over k it stays flat as
 * long as degrees find company in other communities, then rises. The recommendation is the knee of that curve: both
 * axes are scaled to 0 .. 1 between the first and the last k that have a release, and the k whose price lies farthest
 * below the diagonal is taken (Satopaa, Albrecht, Irwin, Raghavan, "Finding a 'kneedle' in a haystack", ICDCSW 2011,
 * doi 10.1109/ICDCSW.2011.20, without its smoothing: the points are few and exact). A share bound A stands at 1 / A,
 * the communities that it leaves at least. Where even the last one adds less than one per cent there is nothing to
 * save, and the last one is taken. It is advice: what a k promises is said beside it. */
#include "report/advice.h"

#include "report/chart.h"
#include "report/page.h"

#include <math.h>

static const double little = 0.01; /* a share of the network that is not worth saving */

static const struct {
    ksda_measure_id id;
    const char *title;
} shown[] = {{KSDA_MEASURE_CLUSTERING, "clustering"}, {KSDA_MEASURE_ASPL, "distances"}};
enum {
    SHOWN = sizeof shown / sizeof *shown
};

/* What is chosen: k, or the share bound where there are several. */
static bool by_share(const ksda_i_sweep *s) {
    return s->count > 0 && s->point[0].max_share.denominator != 0;
}

static double place_of(const ksda_i_point *p) {
    const ksda_share *a = &p->max_share;
    return a->denominator ? (double)a->denominator / a->numerator : p->k;
}

static const char *value_of(const ksda_i_point *p, char buffer[KSDA_I_SHARE]) {
    if (p->max_share.denominator) return ksda_i_share_text(p->max_share, buffer);
    snprintf(buffer, KSDA_I_SHARE, "%u", p->k);
    return buffer;
}

static bool has_release(const ksda_i_point *p) {
    return p->done && p->status >= 0;
}

double ksda_i_advice_price(const ksda_i_sweep *sweep, const ksda_i_point *p) {
    double m = (double)sweep->graph->m, n = sweep->graph->n;
    if (!has_release(p)) return NAN;
    return (m > 0 ? (double)p->result.added_edges / m : 0) + (n > 0 ? (double)p->result.added_vertices / n : 0);
}

/* The change of a measure as a share of what it was; NaN where it was not measured. */
static double change_of(const ksda_i_sweep *s, const ksda_i_point *p, ksda_measure_id id) {
    if (!s->measured || !has_release(p) || !s->original.value[id].measured) return NAN;
    double before = s->original.value[id].value;
    return before != 0 ? (p->measure[id] - before) / fabs(before) : NAN;
}

/* --- rows that ask for less --------------------------------------------------------------------------------------- */

static void take_over_point(ksda_i_point *p, const ksda_i_point *from) {
    ksda_i_point own = *p;
    *p = *from;
    p->k = own.k, p->max_share = own.max_share;
    p->seconds = own.seconds;
    p->result.lower_bound = own.status >= 0 ? own.result.lower_bound : NAN;
    p->result.least_added_vertices = own.result.least_added_vertices;
    p->result.least_added_edges = 0; /* it was for as many splits as there were */
    p->taken_from = from;
}

void ksda_i_advice_take(ksda_i_sweep *s) {
    const ksda_i_point *best = NULL;
    for (uint32_t i = s->count; i-- > 0;) {
        ksda_i_point *p = &s->point[i];
        if (best && p->done && (p->status == KSDA_NOT_FOUND || best->result.cost < p->result.cost))
            take_over_point(p, best);
        else if (has_release(p))
            best = p;
    }
}

/* --- the knee ----------------------------------------------------------------------------------------------------- */

static uint32_t knee_of(const ksda_i_sweep *s, uint32_t first, uint32_t last) {
    const ksda_i_point *a = &s->point[first], *b = &s->point[last];
    double low = ksda_i_advice_price(s, a), high = ksda_i_advice_price(s, b), best = 0;
    uint32_t knee = last;
    if (high <= little || last == first) return last;
    knee = first;
    for (uint32_t i = first; i <= last; i++) {
        const ksda_i_point *p = &s->point[i];
        if (!has_release(p)) continue;
        double along = (place_of(p) - place_of(a)) / (place_of(b) - place_of(a));
        double up = high > low ? (ksda_i_advice_price(s, p) - low) / (high - low) : 0;
        if (along - up > best) best = along - up, knee = i;
    }
    return knee;
}

static uint32_t next_release(const ksda_i_sweep *s, uint32_t i) {
    for (i++; i < s->count && !has_release(&s->point[i]);) i++;
    return i;
}

static const char *price_words(const ksda_i_sweep *s, const ksda_i_point *p, char *buffer, size_t size) {
    char a[32], b[32];
    int at = snprintf(buffer, size, "%s edge%s (%.2f %%)", ksda_grouped(p->result.added_edges, a),
                      p->result.added_edges == 1 ? "" : "s",
                      s->graph->m ? 100 * (double)p->result.added_edges / (double)s->graph->m : 0.0);
    if (p->result.added_vertices && at > 0 && (size_t)at < size)
        snprintf(buffer + at, size - (size_t)at, " and %s vert%s by splitting",
                 ksda_grouped(p->result.added_vertices, b), p->result.added_vertices == 1 ? "ex" : "ices");
    return buffer;
}

static void explain(ksda_i_advice *a, uint32_t last) {
    const ksda_i_sweep *s = a->sweep;
    const ksda_i_point *p = &s->point[a->knee];
    uint32_t next = next_release(s, a->knee);
    const char *what = by_share(s) ? "A largest share of" : "k =";
    char here[120], there[120], value[KSDA_I_SHARE], other[KSDA_I_SHARE];
    price_words(s, p, here, sizeof here);
    value_of(p, value);
    if (a->knee == last && ksda_i_advice_price(s, p) <= little)
        snprintf(a->why, sizeof a->why,
                 "%s %s, the %s that was looked at, adds only %s: there is nothing to be saved by a %s one.", what,
                 value, by_share(s) ? "smallest" : "largest", here, by_share(s) ? "larger" : "smaller");
    else if (next < s->count)
        snprintf(a->why, sizeof a->why,
                 "%s %s adds %s; from there on the price rises faster than the protection: %s%s already adds %s.", what,
                 value, here, by_share(s) ? "" : "k = ", value_of(&s->point[next], other),
                 price_words(s, &s->point[next], there, sizeof there));
    else
        snprintf(a->why, sizeof a->why, "%s %s adds %s; there is no other one to compare it with.", what, value, here);
}

void ksda_i_advice_make(const ksda_i_sweep *sweep, const ksda_diversity *before, ksda_i_advice *out) {
    uint32_t first = sweep->count, last = 0;
    *out = (ksda_i_advice){.sweep = sweep, .before = before, .knee = sweep->count};
    for (uint32_t i = 0; i < sweep->count; i++)
        if (has_release(&sweep->point[i])) first = first == sweep->count ? i : first, last = i;
    if (first == sweep->count) {
        snprintf(out->why, sizeof out->why, "For none of these %s a release was found.",
                 by_share(sweep) ? "shares" : "k");
        return;
    }
    out->knee = knee_of(sweep, first, last);
    explain(out, last);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

void ksda_i_advice_point_json(const ksda_i_sweep *s, const ksda_i_point *p, json_t *object) {
    ksda_i_point_json(p, object);
    json_t *change = json_object();
    char from[KSDA_I_SHARE];
    if (p->max_share.denominator) ksda_i_json_share(object, "max_share", p->max_share);
    ksda_i_json_text(object, "taken_from", p->taken_from ? value_of(p->taken_from, from) : NULL);
    if (has_release(p)) ksda_i_json_real(object, "price", ksda_i_advice_price(s, p));
    for (int i = 0; i < SHOWN; i++) {
        double value = change_of(s, p, shown[i].id);
        if (!isnan(value)) ksda_i_json_real(change, ksda_measure_info(shown[i].id)->name, value);
    }
    ksda_i_json_set(object, "change", change);
}

void ksda_i_advice_json(const ksda_i_advice *a, json_t *object) {
    const ksda_i_sweep *s = a->sweep;
    json_t *points = json_array(), *original = json_object();
    ksda_i_json_count(object, "vertices", ksda_graph_vertices(s->graph));
    ksda_i_json_count(object, "edges", ksda_graph_edges(s->graph));
    ksda_i_json_count(object, "communities", ksda_communities_count(s->communities));
    ksda_i_json_real(original, "expected_success", a->before->expected_success);
    ksda_i_json_real(original, "largest_posterior", a->before->largest_posterior);
    ksda_i_json_real(original, "baseline_success", a->before->baseline_success);
    ksda_i_json_count(original, "largest_k", a->before->largest_k);
    ksda_i_json_set(object, "original", original);
    if (a->knee < s->count)
        ksda_i_json_count(object, "advised_k", s->point[a->knee].k);
    else
        ksda_i_json_set(object, "advised_k", json_null());
    ksda_i_json_share(object, "advised_share", a->knee < s->count ? s->point[a->knee].max_share : (ksda_share){0});
    ksda_i_json_text(object, "why", a->why);
    for (uint32_t i = 0; i < s->count; i++) {
        json_t *point = json_object();
        ksda_i_advice_point_json(s, &s->point[i], point);
        ksda_i_json_append(points, point);
    }
    ksda_i_json_set(object, "points", points);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char *change_words(double change, char *buffer, size_t size) {
    if (isnan(change))
        snprintf(buffer, size, "-");
    else
        snprintf(buffer, size, "%+.1f %%", 100 * change);
    return buffer;
}

static void text_row(const ksda_i_advice *a, uint32_t i, FILE *out) {
    const ksda_i_sweep *s = a->sweep;
    const ksda_i_point *p = &s->point[i];
    char value[KSDA_I_SHARE], edges[32], vertices[32], change[2][32];
    if (!has_release(p)) {
        fprintf(out, "  %6s  %s\n", value_of(p, value),
                !p->done                       ? "not reached in the time there was"
                : p->status == KSDA_INFEASIBLE ? "impossible"
                                               : "no release found");
        return;
    }
    fprintf(out, "%s %6s %10s %8.2f %% %10s %9.1f %% %9.1f %% %12s %12s %9.1f s\n", i == a->knee ? ">" : " ",
            value_of(p, value), ksda_grouped(p->result.added_edges, edges),
            s->graph->m ? 100 * (double)p->result.added_edges / (double)s->graph->m : 0.0,
            ksda_grouped(p->result.added_vertices, vertices), 100 * p->guess, 100 * p->surest_guess,
            change_words(change_of(s, p, shown[0].id), change[0], sizeof change[0]),
            change_words(change_of(s, p, shown[1].id), change[1], sizeof change[1]), p->seconds);
}

void ksda_i_advice_text(const ksda_i_advice *a, FILE *out) {
    const ksda_i_sweep *s = a->sweep;
    char words[400], value[KSDA_I_SHARE], from[KSDA_I_SHARE];
    fprintf(out, "  %6s %10s %10s %10s %11s %11s %12s %12s %11s\n", by_share(s) ? "share" : "k", "edges", "of all",
            "vertices", "a guess is", "the surest", shown[0].title, shown[1].title, "time");
    fprintf(out, "  %6s %10s %10s %10s %11s %11s\n", "", "added", "edges", "added", "right", "guess");
    fprintf(out, "  %6s %10s %10s %10s %9.1f %% %9.1f %%\n", "now", "", "", "", 100 * a->before->expected_success,
            100 * a->before->largest_posterior);
    for (uint32_t i = 0; i < s->count; i++) text_row(a, i, out);
    fputc('\n', out);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!s->point[i].taken_from) continue;
        snprintf(words, sizeof words,
                 "%s shows the release for %s, which keeps it as well: a cheaper one than was found for it alone.",
                 value_of(&s->point[i], value), value_of(s->point[i].taken_from, from));
        ksda_i_paragraph(words, out);
    }
    ksda_i_paragraph(a->why, out);
    snprintf(words, sizeof words,
             "Without knowing the degree, guessing the largest community is right %.1f %% of the time. %s `ksda help "
             "choosing-k` says more.",
             100 * a->before->baseline_success,
             by_share(s) ? "What a share promises: no guess by degree is right more often."
                         : "What k promises: whoever knows a degree has at least k communities to choose from.");
    ksda_i_paragraph(words, out);
}

/* --- page --------------------------------------------------------------------------------------------------------- */

static void advice_chart(const char *axis, const char *id, const char *title, const char *unit,
                         const ksda_i_chart_line *lines, uint32_t count, double reference, ksda_i_output *out) {
    ksda_i_chart_figure(out, &(ksda_i_chart){.id = id,
                                             .title = title,
                                             .x = {.label = axis},
                                             .y = {.label = unit},
                                             .reference = reference,
                                             .reference_label = "original",
                                             .line = lines,
                                             .count = count});
}

static void charts(const ksda_i_advice *a, ksda_i_output *out) {
    const ksda_i_sweep *s = a->sweep;
    double k[KSDA_I_ADVICE_POINTS], edges[KSDA_I_ADVICE_POINTS], vertices[KSDA_I_ADVICE_POINTS],
        guess[KSDA_I_ADVICE_POINTS], surest[KSDA_I_ADVICE_POINTS];
    uint32_t count = s->count < KSDA_I_ADVICE_POINTS ? s->count : KSDA_I_ADVICE_POINTS;
    for (uint32_t i = 0; i < count; i++) {
        const ksda_i_point *p = &s->point[i];
        bool known = has_release(p);
        k[i] = place_of(p);
        edges[i] = known && s->graph->m ? 100 * (double)p->result.added_edges / (double)s->graph->m : NAN;
        vertices[i] = known ? (double)p->result.added_vertices : NAN;
        guess[i] = known ? 100 * p->guess : NAN;
        surest[i] = known ? 100 * p->surest_guess : NAN;
    }
    ksda_i_chart_line line[2] = {{.label = "edges added", .style = 0, .count = count, .x = k, .y = edges}};
    const char *axis = by_share(s) ? "1 / largest share" : "k";
    ksda_i_output_text(out, "<div class=\"plots\">\n");
    advice_chart(axis, "advice-edges", "Edges added", "% of all edges", line, 1, NAN, out);
    line[0].y = vertices;
    advice_chart(axis, "advice-vertices", "Vertices added by splitting", "vertices", line, 1, NAN, out);
    line[0].y = guess;
    advice_chart(axis, "advice-guess", "A guess by degree is right", "% of people", line, 1,
                 100 * a->before->expected_success, out);
    line[0].y = surest;
    advice_chart(axis, "advice-surest", "The surest guess", "% right", line, 1, 100 * a->before->largest_posterior,
                 out);
    ksda_i_output_text(out, "</div>\n");
}

static void html_row(const ksda_i_advice *a, uint32_t i, ksda_i_output *out) {
    const ksda_i_point *p = &a->sweep->point[i];
    char value[KSDA_I_SHARE], edges[32], vertices[32], change[32];
    ksda_i_output_format(out, "<tr><th scope=\"row\">%s%s", value_of(p, value), i == a->knee ? " (advised)" : "");
    if (p->taken_from) ksda_i_output_format(out, ", the release for %s", value_of(p->taken_from, value));
    ksda_i_output_text(out, "</th>");
    if (has_release(p)) {
        ksda_i_output_format(out, "<td>%s</td><td>%s</td><td>%.0f of 100</td><td>%.0f of 100</td>",
                             ksda_grouped(p->result.added_edges, edges),
                             ksda_grouped(p->result.added_vertices, vertices), 100 * p->guess, 100 * p->surest_guess);
        for (int j = 0; j < SHOWN; j++)
            ksda_i_output_format(out, "<td class=\"wide\">%s</td>",
                                 change_words(change_of(a->sweep, p, shown[j].id), change, sizeof change));
        ksda_i_output_text(out, "</tr>\n");
    } else {
        ksda_i_output_format(out, "<td colspan=\"4\">%s</td></tr>\n",
                             !p->done                       ? "not reached"
                             : p->status == KSDA_INFEASIBLE ? "impossible"
                                                            : "no release found");
    }
}

ksda_status ksda_i_advice_html(ksda_ctx *ctx, const ksda_i_advice *a, const char *network, ksda_i_output *out) {
    bool share = by_share(a->sweep);
    ksda_i_page_begin(out, share ? "Choosing a largest share" : "Choosing k", network, 0);
    ksda_i_output_text(out, "<p class=\"verdict\">");
    ksda_i_page_text(out, a->why);
    ksda_i_output_format(out, "</p>\n<p>%s The price is what is added that is not true.</p>\n",
                         share ? "A largest share bounds how often whoever knows how many contacts a person has can "
                                 "guess the community right."
                               : "A release for k means: whoever knows how many contacts a person has, has at least k "
                                 "communities to choose from.");
    charts(a, out);
    ksda_i_output_format(out,
                         "<div class=\"scroll\"><table><caption>What each costs and buys</caption><thead><tr><th "
                         "scope=\"col\">%s</th><th scope=\"col\">edges added</th><th scope=\"col\">vertices added</th>"
                         "<th scope=\"col\">a guess is right</th><th scope=\"col\">the surest</th>",
                         share ? "share" : "k");
    for (int j = 0; j < SHOWN; j++)
        ksda_i_output_format(out, "<th scope=\"col\" class=\"wide\">%s</th>", shown[j].title);
    ksda_i_output_format(out,
                         "</tr></thead><tbody>\n<tr><th scope=\"row\">now</th><td></td><td></td><td>%.0f of "
                         "100</td><td>%.0f of 100</td></tr>\n",
                         100 * a->before->expected_success, 100 * a->before->largest_posterior);
    for (uint32_t i = 0; i < a->sweep->count; i++) html_row(a, i, out);
    ksda_i_output_text(out, "</tbody></table></div>\n");
    ksda_i_page_end(out, false);
    return ksda_i_interrupted(ctx);
}
