/* The frontier as a table and as JSON. Releases are recounted before anybody sees them; those that are the cheapest for
 * some split weight are measured, each against the original, which is measured once. */
#include "report/frontier.h"

#include "core/sized.h"

#include <math.h>

static const ksda_measure_id measures[KSDA_I_FRONTIER_MEASURES] = {KSDA_MEASURE_CLUSTERING, KSDA_MEASURE_ASPL,
                                                                   KSDA_MEASURE_DEGREE_CENTRALIZATION,
                                                                   KSDA_MEASURE_BETWEENNESS_CENTRALIZATION};

const ksda_measure_row *ksda_i_frontier_measure(int i) {
    return ksda_measure_info(measures[i]);
}

/* --- examining ---------------------------------------------------------------------------------------------------- */

static ksda_status measure_network(ksda_ctx *ctx, const ksda_graph *g, const ksda_measure_options *options,
                                   ksda_value *value) {
    ksda_measures m = KSDA_INIT(ksda_measures);
    ksda_status status = ksda_measure(ctx, g, NULL, options, &m);
    if (status < 0) return status;
    for (int i = 0; i < KSDA_I_FRONTIER_MEASURES; i++) value[i] = m.value[measures[i]];
    ksda_measures_clear(ctx, &m);
    return KSDA_OK;
}

static ksda_status measure_point(ksda_ctx *ctx, const ksda_graph *original, const ksda_release *release,
                                 const ksda_measure_options *options, ksda_i_frontier_row *row) {
    ksda_measure_options pair = *options;
    ksda_comparison c = KSDA_INIT(ksda_comparison);
    ksda_status status = measure_network(ctx, release->graph, options, row->value);
    if (status < 0) return status;
    pair.measures = 0;
    status = ksda_compare(ctx, original, NULL, release->graph, release->owner, 0, &pair, &c);
    if (status < 0) return status;
    row->correlation = c.difference[KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION];
    row->measured = 1;
    ksda_comparison_clear(ctx, &c);
    return KSDA_OK;
}

static ksda_status examine_point(ksda_ctx *ctx, ksda_frontier_study *f, uint32_t i,
                                 const ksda_measure_options *options) {
    const ksda_frontier_point *p = &f->found.point[i];
    ksda_publication *made;
    ksda_publish_options how;
    ksda_publish_options_init(&how);
    how.insecure_ids = 1; /* nobody sees it */
    how.max_share = f->found.max_share;
    ksda_status status = ksda_publish_edits(ctx, f->graph, f->communities, f->found.k, p->edits, &how, &made);
    const ksda_verification *v = status < 0 ? NULL : ksda_publication_verification(made);
    if (status == KSDA_VIOLATED || (v && (v->added_edges != p->added_edges || v->added_vertices != p->added_vertices)))
        status = ksda_i_error(ctx, KSDA_INTERNAL,
                              "the release with %llu added edges and %llu added vertices fails verification",
                              (unsigned long long)p->added_edges, (unsigned long long)p->added_vertices);
    if (status >= 0 && f->measured && !isnan(p->low))
        status = measure_point(ctx, f->graph, ksda_publication_release(made), options, &f->row[i]);
    ksda_publication_free(ctx, made);
    return status;
}

/* All of them together take no longer than one comparison may. */
static ksda_measure_options measuring(const ksda_frontier *found) {
    ksda_measure_options options;
    uint32_t corners = 0;
    ksda_measure_options_init(&options);
    options.measures = 0;
    options.differences = KSDA_MEASURE_BIT(KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION);
    options.detector = KSDA_DETECTOR_NONE;
    for (int i = 0; i < KSDA_I_FRONTIER_MEASURES; i++) options.measures |= KSDA_MEASURE_BIT(measures[i]);
    for (uint32_t i = 0; i < found->count; i++) corners += !isnan(found->point[i].low);
    options.budget = options.budget * 2 / (corners + 1);
    return options;
}

ksda_status ksda_frontier_examine(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                                  const ksda_frontier *found, int measured, ksda_frontier_study **out) {
    static const ksda_i_sized kind = KSDA_I_RESULT(ksda_frontier, complete);
    ksda_status status = KSDA_NOMEM;
    double start = ksda_i_now();
    ksda_frontier_study *f = *out = ksda_i_calloc(ctx, 1, sizeof *f);
    if (!f) return KSDA_NOMEM;
    f->graph = graph, f->communities = communities, f->measured = measured;
    KSDA_I_TRY(ksda_i_options_take(ctx, &kind, found, &f->found));
    ksda_measure_options options = measuring(&f->found);
    f->row = ksda_i_calloc(ctx, f->found.count, sizeof *f->row);
    if (!f->row) KSDA_I_TRY(KSDA_NOMEM);
    if (f->measured) KSDA_I_TRY(measure_network(ctx, graph, &options, f->original));
    for (uint32_t i = 0; i < f->found.count; i++) KSDA_I_TRY(examine_point(ctx, f, i, &options));
    f->measure = ksda_i_now() - start;
done:
    if (status < 0) ksda_frontier_study_free(ctx, f), *out = NULL;
    return status;
}

void ksda_frontier_study_free(ksda_ctx *ctx, ksda_frontier_study *study) {
    if (!study) return;
    ksda_i_free(ctx, study->row);
    ksda_i_free(ctx, study);
}

/* --- figures ------------------------------------------------------------------------------------------------------ */

double ksda_i_frontier_change(const ksda_frontier_study *f, uint32_t point, int measure) {
    double before = f->original[measure].value, after = f->row[point].value[measure].value;
    if (!f->row[point].measured || !isfinite(before) || !isfinite(after)) return NAN;
    return before == after ? 0 : before == 0 ? NAN : (after - before) / fabs(before);
}

double ksda_i_frontier_gap(const ksda_frontier_point *p) {
    return ksda_i_gap(p->cost, p->lower_bound);
}

double ksda_i_frontier_edges_needed(const ksda_frontier *f, double splits) {
    double most = 0;
    for (uint32_t i = 0; i < f->bounds; i++)
        most = fmax(most, f->bound[i].lower_bound - f->bound[i].split_weight * splits);
    return most;
}

const char *ksda_i_frontier_range(const ksda_frontier_point *p, char *buffer) {
    if (isnan(p->low))
        snprintf(buffer, 64, "none");
    else if (isinf(p->high) && p->low == 0)
        snprintf(buffer, 64, "all");
    else if (isinf(p->high))
        snprintf(buffer, 64, "%.4g and more", p->low);
    else if (p->low == 0)
        snprintf(buffer, 64, "up to %.4g", p->high);
    else
        snprintf(buffer, 64, "%.4g to %.4g", p->low, p->high);
    return buffer;
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *values_json(const ksda_value *value, const ksda_value *correlation) {
    json_t *values = json_object(), *intervals = json_object();
    for (int j = 0; j < KSDA_I_FRONTIER_MEASURES; j++)
        ksda_i_json_measured(values, intervals, ksda_i_frontier_measure(j)->name, &value[j]);
    if (correlation)
        ksda_i_json_measured(values, intervals, ksda_difference_info(KSDA_DIFFERENCE_EIGENVECTOR_CORRELATION)->name,
                             correlation);
    ksda_i_json_set(values, "intervals", intervals);
    return values;
}

static json_t *row_json(const ksda_frontier_study *f, uint32_t i) {
    json_t *values = values_json(f->row[i].value, &f->row[i].correlation), *change = json_object();
    for (int j = 0; j < KSDA_I_FRONTIER_MEASURES; j++)
        ksda_i_json_real(change, ksda_i_frontier_measure(j)->name, ksda_i_frontier_change(f, i, j));
    ksda_i_json_set(values, "change", change);
    return values;
}

static json_t *point_json(const ksda_frontier_study *f, uint32_t i) {
    const ksda_frontier_point *p = &f->found.point[i];
    json_t *object = json_object();
    ksda_i_json_count(object, "added_edges", p->added_edges);
    ksda_i_json_count(object, "added_vertices", p->added_vertices);
    ksda_i_json_count(object, "split_vertices", p->split_vertices);
    ksda_i_json_bool(object, "cheapest", !isnan(p->low));
    ksda_i_json_real(object, "from_weight", p->low);
    ksda_i_json_real(object, "to_weight", p->high);
    ksda_i_json_real(object, "split_weight", p->split_weight);
    ksda_i_json_bool(object, "repeatable", p->repeatable);
    ksda_i_json_real(object, "cost", p->cost);
    ksda_i_json_real(object, "lower_bound", p->lower_bound);
    ksda_i_json_real(object, "gap", ksda_i_frontier_gap(p));
    ksda_i_json_count(object, "least_added_edges", ksda_frontier_least_edges(&f->found, p->added_vertices));
    ksda_i_json_set(object, "measures", f->row[i].measured ? row_json(f, i) : json_null());
    return object;
}

void ksda_i_frontier_json(const ksda_frontier_study *f, json_t *object) {
    json_t *all = json_object(), *points = json_array(), *bounds = json_array();
    ksda_i_json_bool(all, "complete", f->found.complete);
    ksda_i_json_count(all, "runs", f->found.runs);
    for (uint32_t i = 0; i < f->found.count; i++) ksda_i_json_append(points, point_json(f, i));
    ksda_i_json_set(all, "points", points);
    for (uint32_t i = 0; i < f->found.bounds; i++) {
        json_t *bound = json_object();
        ksda_i_json_real(bound, "split_weight", f->found.bound[i].split_weight);
        ksda_i_json_real(bound, "lower_bound", f->found.bound[i].lower_bound);
        ksda_i_json_append(bounds, bound);
    }
    ksda_i_json_set(all, "bounds", bounds);
    ksda_i_json_set(all, "original", f->measured ? values_json(f->original, NULL) : json_null());
    ksda_i_json_real(all, "search_seconds", f->found.seconds);
    ksda_i_json_real(all, "measure_seconds", f->measure);
    ksda_i_json_set(object, "frontier", all);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void heading(const ksda_frontier_study *f, FILE *out) {
    fprintf(out, "%8s %8s %9s %14s  %-22s %7s", "edges", "needed", "vertices", "", "cheapest for", "above");
    fputs(f->measured ? "   change in                          eigen-\n" : "\n", out);
    fprintf(out, "%8s %8s %9s %14s  %-22s %7s", "added", "at least", "added", "--split-weight", "split weights",
            "least");
    fputs(f->measured ? "       CC     ASPL       DC       BC  vector\n" : "\n", out);
}

static void point_line(const ksda_frontier_study *f, uint32_t i, FILE *out) {
    const ksda_frontier_point *p = &f->found.point[i];
    char edges[32], needed[32], vertices[32], range[64], weight[40] = "-", gap[24] = "-";
    double above = ksda_i_frontier_gap(p);
    if (!isnan(p->split_weight)) snprintf(weight, sizeof weight, "%.12g%s", p->split_weight, p->repeatable ? "" : "*");
    if (above <= 9.99) snprintf(gap, sizeof gap, "%.*f %%", above < 0.1 && above > 0 ? 1 : 0, ceil(1e3 * above) / 10);
    fprintf(out, "%8s %8s %9s %14s  %-22s %7s", ksda_grouped(p->added_edges, edges),
            ksda_grouped(ksda_frontier_least_edges(&f->found, p->added_vertices), needed),
            ksda_grouped(p->added_vertices, vertices), weight, ksda_i_frontier_range(p, range), gap);
    for (int j = 0; j < KSDA_I_FRONTIER_MEASURES && f->row[i].measured; j++) {
        double change = ksda_i_frontier_change(f, i, j);
        char text[24] = "-";
        if (isfinite(change))
            snprintf(text, sizeof text, "%s%+.2f%%", f->row[i].value[j].exact && f->original[j].exact ? "" : "~",
                     100 * change);
        fprintf(out, " %8s", text);
    }
    if (f->row[i].measured && isfinite(f->row[i].correlation.value))
        fprintf(out, "  %6.4f", f->row[i].correlation.value);
    fputc('\n', out);
}

static void foot_notes(const ksda_frontier_study *f, uint32_t hidden, bool starred, bool sampled, FILE *out) {
    if (starred)
        fputs("* came up in a run with another weight: give --frontier as well, with -o, to publish it.\n", out);
    if (sampled) fputs("~ sampled.\n", out);
    if (hidden)
        fprintf(out,
                "%u more release%s found that none of these beats, but the cheapest for no weight; --json has %s.\n",
                hidden, hidden == 1 ? " was" : "s were", hidden == 1 ? "it" : "them");
    if (!f->found.complete)
        fputs(f->found.limited
                  ? "The search was stopped (time limit or Ctrl-C): there may be more between these rows.\n"
                  : "The runs allowed are used up: there may be more between these rows (--frontier-runs).\n",
              out);
    fprintf(out, "%u runs of level-plan, %.3g seconds", f->found.runs, f->found.seconds);
    if (f->measured) fprintf(out, "; %.3g seconds to verify and measure", f->measure);
    fputs(".\n", out);
}

void ksda_i_frontier_text(const ksda_frontier_study *f, FILE *out) {
    uint32_t hidden = 0;
    bool starred = false, sampled = false;
    char share[64] = "", text[32];
    if (f->found.max_share.denominator)
        snprintf(share, sizeof share, " with shares up to %s", ksda_i_share_text(f->found.max_share, text));
    fprintf(out,
            "What k = %u%s can cost. Every row is a release (verified); further down fewer edges are added\n"
            "and more vertices. To publish a row, pass its --split-weight. Needed: proved of every release with\n"
            "no more added vertices. Above least: how far its cost can be from the least at that weight.\n\n",
            f->found.k, share);
    heading(f, out);
    for (uint32_t i = 0; i < f->found.count; i++) {
        const ksda_frontier_point *p = &f->found.point[i];
        if (isnan(p->low)) {
            hidden++;
            continue;
        }
        point_line(f, i, out);
        starred |= !p->repeatable;
        for (int j = 0; j < KSDA_I_FRONTIER_MEASURES; j++) sampled |= f->row[i].measured && !f->row[i].value[j].exact;
    }
    fputc('\n', out);
    foot_notes(f, hidden, starred, sampled, out);
}
