/* A sweep as JSON (also the lines of its journal), CSV and text. */
#include "report/bars.h"
#include "report/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *outcome(const ksda_i_point *p) {
    if (!p->done) return "not reached";
    switch (p->status) {
    case KSDA_OK: return "done";
    case KSDA_LIMIT: return "limit";
    case KSDA_INFEASIBLE: return "impossible";
    case KSDA_UNSUPPORTED: return "refused";
    default: return "failed";
    }
}

static bool succeeded(const ksda_i_point *p) {
    return p->done && p->status >= 0;
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void attackers_json(const ksda_i_point *p, json_t *object) {
    if (isnan(p->alone[0])) return; /* nobody asked for them */
    json_t *attackers = json_object();
    for (uint32_t i = 0; i < ksda_i_attacker_count; i++) {
        if (isnan(p->alone[i])) continue;
        json_t *row = json_object();
        ksda_i_json_count(row, "alone", (uint64_t)p->alone[i]);
        ksda_i_json_count(row, "exposed", (uint64_t)p->exposed[i]);
        ksda_i_json_set(attackers, ksda_attacker_id_name((ksda_attacker_id)i), row);
    }
    ksda_i_json_set(object, "attackers", attackers);
    ksda_i_json_real(object, "added_edges_auc", p->added_auc);
}

void ksda_i_point_json(const ksda_i_point *p, json_t *object) {
    ksda_i_json_text(object, "method", p->method->name);
    ksda_i_json_count(object, "k", p->k);
    ksda_i_json_bool(object, "trivial_k", p->k == 1);
    ksda_i_json_text(object, "outcome", outcome(p));
    ksda_i_json_real(object, "seconds", p->seconds);
    if (!succeeded(p)) {
        ksda_i_json_text(object, "reason", p->reason);
        return;
    }
    ksda_i_json_bool(object, "satisfied", p->satisfied);
    ksda_i_json_count(object, "added_edges", p->result.added_edges);
    ksda_i_json_count(object, "added_vertices", p->result.added_vertices);
    ksda_i_json_count(object, "split_vertices", p->result.split_vertices);
    ksda_i_json_real(object, "split_weight", p->result.split_weight);
    ksda_i_json_real(object, "cost", p->result.cost);
    ksda_i_json_real(object, "lower_bound", p->result.lower_bound);
    json_t *measures = json_object(), *differences = json_object(), *attack = json_object();
    ksda_i_json_real(attack, "expected_success", p->guess);
    ksda_i_json_real(attack, "largest_posterior", p->surest_guess);
    ksda_i_json_set(object, "attack", attack);
    for (uint32_t i = 0; i < ksda_i_measure_count; i++)
        if (!isnan(p->measure[i]))
            ksda_i_json_real(measures, ksda_measure_info((ksda_measure_id)i)->name, p->measure[i]);
    for (uint32_t i = 0; i < ksda_i_difference_count; i++)
        if (!isnan(p->difference[i]))
            ksda_i_json_real(differences, ksda_difference_info((ksda_difference_id)i)->name, p->difference[i]);
    ksda_i_json_set(object, "measures", measures);
    ksda_i_json_set(object, "differences", differences);
    attackers_json(p, object);
}

static double json_number(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static uint64_t json_whole(const json_t *object, const char *name) {
    return (uint64_t)json_integer_value(json_object_get(object, name));
}

static ksda_i_point *find_point(ksda_i_sweep *s, const json_t *object) {
    const char *name = json_string_value(json_object_get(object, "method"));
    for (uint32_t i = 0; name && i < s->count; i++)
        if (s->point[i].k == json_whole(object, "k") && strcmp(s->point[i].method->name, name) == 0)
            return &s->point[i];
    return NULL;
}

bool ksda_i_point_read(const json_t *object, ksda_i_sweep *s) {
    const char *how = json_string_value(json_object_get(object, "outcome")),
               *reason = json_string_value(json_object_get(object, "reason"));
    const json_t *measures = json_object_get(object, "measures"), *differences = json_object_get(object, "differences");
    const json_t *attack = json_object_get(object, "attack");
    ksda_i_point *p = find_point(s, object);
    if (!p || !how) return false;
    p->status = strcmp(how, "done") == 0         ? KSDA_OK
                : strcmp(how, "limit") == 0      ? KSDA_LIMIT
                : strcmp(how, "impossible") == 0 ? KSDA_INFEASIBLE
                : strcmp(how, "refused") == 0    ? KSDA_UNSUPPORTED
                                                 : KSDA_NOT_FOUND;
    snprintf(p->reason, sizeof p->reason, "%s", reason ? reason : "");
    p->seconds = json_number(object, "seconds");
    p->satisfied = json_is_true(json_object_get(object, "satisfied"));
    p->result = (ksda_anonymize_result){.size = sizeof p->result,
                                        .added_edges = json_whole(object, "added_edges"),
                                        .added_vertices = json_whole(object, "added_vertices"),
                                        .split_vertices = (uint32_t)json_whole(object, "split_vertices"),
                                        .split_weight = json_number(object, "split_weight"),
                                        .cost = json_number(object, "cost"),
                                        .lower_bound = json_number(object, "lower_bound")};
    for (uint32_t i = 0; i < ksda_i_measure_count; i++)
        p->measure[i] = json_number(measures, ksda_measure_info((ksda_measure_id)i)->name);
    for (uint32_t i = 0; i < ksda_i_difference_count; i++)
        p->difference[i] = json_number(differences, ksda_difference_info((ksda_difference_id)i)->name);
    for (uint32_t i = 0; i < ksda_i_attacker_count; i++) {
        const json_t *row =
            json_object_get(json_object_get(object, "attackers"), ksda_attacker_id_name((ksda_attacker_id)i));
        p->alone[i] = json_number(row, "alone"), p->exposed[i] = json_number(row, "exposed");
    }
    p->added_auc = json_number(object, "added_edges_auc");
    p->guess = json_number(attack, "expected_success"), p->surest_guess = json_number(attack, "largest_posterior");
    p->done = 1;
    return true;
}

void ksda_i_sweep_json(const ksda_i_sweep *s, json_t *object) {
    json_t *points = json_array();
    ksda_i_json_count(object, "vertices", ksda_graph_vertices(s->graph));
    ksda_i_json_count(object, "edges", ksda_graph_edges(s->graph));
    ksda_i_json_count(object, "communities", ksda_communities_set_count(s->communities));
    ksda_i_json_text(object, "overlap", s->communities->sets ? ksda_overlap_name(KSDA_OVERLAP_DISJOINT) : NULL);
    if (s->measured) {
        json_t *original = json_object();
        ksda_i_measures_json(&s->original, 0, original);
        ksda_i_json_set(object, "original", original);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        json_t *point = json_object();
        ksda_i_point_json(&s->point[i], point);
        ksda_i_json_append(points, point);
    }
    ksda_i_json_set(object, "points", points);
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

static void csv_text(ksda_i_output *out, const char *text) {
    ksda_i_output_text(out, "\"");
    for (; *text; text++) {
        if (*text == '"') ksda_i_output_text(out, "\"");
        ksda_i_output_write(out, text, 1);
    }
    ksda_i_output_text(out, "\"");
}

static void csv_real(ksda_i_output *out, double value) {
    if (isnan(value))
        ksda_i_output_text(out, ",");
    else
        ksda_i_output_format(out, ",%.12g", value);
}

static void csv_measures(ksda_i_output *out, const double *measure, const double *difference) {
    for (uint32_t i = 0; i < ksda_i_measure_count; i++) csv_real(out, measure ? measure[i] : NAN);
    for (uint32_t i = 0; i < ksda_i_difference_count; i++) csv_real(out, difference ? difference[i] : NAN);
}

/* Columns that are there only where they are asked for. */
static void csv_attackers(ksda_i_output *out, const ksda_i_sweep *s, const ksda_i_point *p) {
    for (uint32_t i = 0; i < ksda_i_attacker_count && s->attackers; i++) {
        csv_real(out, p && succeeded(p) ? p->alone[i] : NAN);
        csv_real(out, p && succeeded(p) ? p->exposed[i] : NAN);
    }
    if (s->attackers) csv_real(out, p && succeeded(p) ? p->added_auc : NAN);
    ksda_i_output_text(out, "\n");
}

static void csv_point(ksda_i_output *out, const ksda_i_sweep *s, const ksda_i_point *p) {
    ksda_i_output_format(out, "%s,%u,%s,", p->method->name, p->k, outcome(p));
    csv_text(out, p->reason);
    csv_real(out, p->seconds);
    if (succeeded(p))
        ksda_i_output_format(out, ",%d,%" PRIu64 ",%" PRIu64 ",%u", p->satisfied, p->result.added_edges,
                             p->result.added_vertices, p->result.split_vertices);
    else
        ksda_i_output_text(out, ",,,,");
    csv_real(out, succeeded(p) ? p->result.cost : NAN);
    csv_real(out, succeeded(p) ? p->result.lower_bound : NAN);
    csv_measures(out, succeeded(p) ? p->measure : NULL, succeeded(p) ? p->difference : NULL);
    csv_real(out, succeeded(p) ? p->guess : NAN);
    csv_real(out, succeeded(p) ? p->surest_guess : NAN);
    csv_attackers(out, s, p);
}

void ksda_i_sweep_csv(const ksda_i_sweep *s, ksda_i_output *out) {
    double original[KSDA_I_ROWS_MOST];
    ksda_i_output_text(out, "method,k,outcome,reason,seconds,satisfied,n_a,n_s,split_vertices,cost,lower_bound");
    for (uint32_t i = 0; i < ksda_i_measure_count; i++)
        ksda_i_output_format(out, ",%s", ksda_measure_info((ksda_measure_id)i)->name);
    for (uint32_t i = 0; i < ksda_i_difference_count; i++)
        ksda_i_output_format(out, ",%s", ksda_difference_info((ksda_difference_id)i)->name);
    ksda_i_output_text(out, ",expected_success,largest_posterior");
    for (uint32_t i = 0; i < ksda_i_attacker_count && s->attackers; i++) {
        const char *name = ksda_attacker_id_name((ksda_attacker_id)i);
        ksda_i_output_format(out, ",%s_alone,%s_exposed", name, name);
    }
    ksda_i_output_text(out, s->attackers ? ",added_edges_auc\n" : "\n");
    if (s->measured) {
        for (uint32_t i = 0; i < ksda_i_measure_count; i++)
            original[i] = s->original.value[i].measured ? s->original.value[i].value : NAN;
        ksda_i_output_text(out, "original,,,,,,,,,,");
        csv_measures(out, original, NULL);
        ksda_i_output_text(out, ",,");
        csv_attackers(out, s, NULL);
    }
    for (uint32_t i = 0; i < s->count; i++) csv_point(out, s, &s->point[i]);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void point_cell(const ksda_i_point *p, char *buffer, size_t size) {
    if (!p->done)
        snprintf(buffer, size, "-");
    else if (!succeeded(p))
        snprintf(buffer, size, "%s", outcome(p));
    else if (p->result.added_vertices)
        snprintf(buffer, size, "%" PRIu64 "+%" PRIu64 "s", p->result.added_edges, p->result.added_vertices);
    else
        snprintf(buffer, size, "%" PRIu64, p->result.added_edges);
}

static const ksda_measure_id shown[] = {KSDA_MEASURE_CLUSTERING, KSDA_MEASURE_ASPL, KSDA_MEASURE_DEGREE_CENTRALIZATION,
                                        KSDA_MEASURE_BETWEENNESS_CENTRALIZATION};
enum {
    SHOWN = sizeof shown / sizeof *shown
};

static double change_at(const ksda_i_sweep *s, const ksda_i_point *p, ksda_measure_id id) {
    double before = s->original.value[id].value;
    return p->done && succeeded(p) && before != 0 ? (p->measure[id] - before) / fabs(before) : NAN;
}

/* What every method does to the measures at its largest k: each a number and a bar. */
static void measures_text(const ksda_i_sweep *s, uint32_t columns, int utf8, FILE *out) {
    double largest = 0;
    for (uint32_t i = columns - 1; i < s->count; i += columns)
        for (int j = 0; j < SHOWN; j++) largest = fmax(largest, fabs(change_at(s, &s->point[i], shown[j])));
    double scale = ksda_i_bar_scale(largest);
    fprintf(out, "\nChange of the measures at k = %u (full bar: %.0f %%):\n  %-22s %8s  %*s %8s  %*s %8s  %*s %8s\n",
            s->point[columns - 1].k, 100 * scale, "", "CC", KSDA_I_BAR_WIDTH, "", "ASPL", KSDA_I_BAR_WIDTH, "", "DC",
            KSDA_I_BAR_WIDTH, "", "BC");
    for (uint32_t i = columns - 1; i < s->count; i += columns) {
        if (!s->point[i].done || !succeeded(&s->point[i])) continue;
        fprintf(out, "  %-22s", s->point[i].method->name);
        for (int j = 0; j < SHOWN; j++) {
            char text[32] = "-", bar[KSDA_I_BAR_BYTES];
            double change = change_at(s, &s->point[i], shown[j]);
            if (isfinite(change)) snprintf(text, sizeof text, "%+.1f %%", 100 * change);
            ksda_i_bar(fabs(change) / scale, utf8, j + 1 < SHOWN, bar);
            fprintf(out, " %8s%s%s", text, *bar ? "  " : "", bar);
        }
        fputc('\n', out);
    }
}

void ksda_i_sweep_text(const ksda_i_sweep *s, int utf8, FILE *out) {
    char text[32];
    uint32_t columns = 0;
    while (columns < s->count && s->point[columns].method == s->point[0].method) columns++;
    fputs("Edges added, and vertices added by splitting (s), for every method and k:\n", out);
    fprintf(out, "  %-22s", "k");
    for (uint32_t i = 0; i < columns; i++) fprintf(out, " %14u", s->point[i].k);
    for (uint32_t i = 0; i < s->count; i++) {
        if (i % columns == 0) fprintf(out, "\n  %-22s", s->point[i].method->name);
        point_cell(&s->point[i], text, sizeof text);
        fprintf(out, " %14s", text);
    }
    fputc('\n', out);
    bool measured = s->measured && columns > 0;
    for (int j = 0; j < SHOWN; j++) measured = measured && s->original.value[shown[j]].measured;
    if (measured) measures_text(s, columns, utf8, out);
}
