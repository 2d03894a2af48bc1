/* What was done to publish a network: `ksda anonymize`, `ksda optimal`. */
#include "anonymize/publish.h"
#include "graph/communities.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

uint64_t ksda_i_peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

ksda_i_summary ksda_i_summary_of(const ksda_publication *p, const ksda_report_options *options) {
    return (ksda_i_summary){.method = p->method,
                            .k = p->k,
                            .seed = p->seed,
                            .original = p->original,
                            .published = p->release.graph,
                            .communities = p->communities,
                            .detected = options->detected,
                            .result = p->result,
                            .verification = p->verification,
                            .removed_edges = ksda_edits_removed(p->edits, NULL),
                            .baseline = p->baseline,
                            .limited = p->limited,
                            .no_proof = p->no_proof,
                            .load = options->load_seconds,
                            .communities_seconds = options->communities_seconds,
                            .anonymize = p->anonymize,
                            .verify = p->verify,
                            .write = options->write_seconds,
                            .report = options->report_seconds,
                            .peak_rss_bytes = ksda_i_peak_memory(),
                            .witness = p->witness,
                            .witnesses = p->witnesses,
                            .added_auc = p->added_auc};
}

double ksda_i_summary_gap(const ksda_i_summary *s) {
    return ksda_i_gap(s->result.cost, s->result.lower_bound);
}

const char *ksda_i_added_auc_text(const ksda_value *v, char *buffer) {
    char error[32] = "";
    if (!v->exact) snprintf(error, sizeof error, " \xc2\xb1 %.2f, sampled", (v->high - v->low) / 2);
    snprintf(buffer, KSDA_I_ADDED_AUC,
             "added edges can be told from own ones with AUC %.2f%s (0.5 is chance, 1 certain)", v->value, error);
    return buffer;
}

static void json_least(json_t *object, const char *name, bool proved, uint64_t least) {
    if (proved)
        ksda_i_json_count(object, name, least);
    else
        ksda_i_json_real(object, name, NAN); /* null */
}

/* The witnesses of each degree, by number. */
static json_t *witnesses_json(const ksda_i_summary *s) {
    json_t *list = json_array(), *vertices = NULL;
    for (uint64_t i = 0; i < s->witnesses; i++) {
        uint32_t degree = ksda_graph_degree(s->published, s->witness[i]);
        if (i == 0 || degree != ksda_graph_degree(s->published, s->witness[i - 1])) {
            json_t *row = json_object();
            vertices = json_array();
            ksda_i_json_count(row, "degree", degree);
            ksda_i_json_set(row, "vertices", vertices);
            ksda_i_json_append(list, row);
        }
        ksda_i_json_append(vertices, json_integer(s->witness[i]));
    }
    return list;
}

static json_t *auc_json(const ksda_value *v) {
    json_t *object = json_object();
    ksda_i_json_real(object, "worst", v->value);
    ksda_i_json_real(object, "low", v->low);
    ksda_i_json_real(object, "high", v->high);
    ksda_i_json_bool(object, "exact", v->exact);
    return object;
}

void ksda_i_summary_json(const ksda_i_summary *s, json_t *object) {
    json_t *seconds = json_object();
    bool proved = !isnan(s->result.lower_bound);
    ksda_i_json_text(object, "method", s->method);
    ksda_i_json_count(object, "k", s->k);
    ksda_i_json_bool(object, "trivial_k", s->k == 1);
    ksda_i_json_share(object, "max_share", s->verification.max_share);
    ksda_i_json_count(object, "seed", s->seed);
    ksda_i_json_count(object, "vertices", ksda_graph_vertices(s->original));
    ksda_i_json_count(object, "edges", ksda_graph_edges(s->original));
    ksda_i_json_count(object, "communities", ksda_communities_set_count(s->communities));
    ksda_i_json_text(object, "overlap", s->witness ? ksda_overlap_name(KSDA_OVERLAP_DISJOINT) : NULL);
    ksda_i_json_set(object, "witnesses", s->witness ? witnesses_json(s) : json_null());
    ksda_i_json_text(object, "detected", s->detected);
    ksda_i_json_count(object, "published_vertices", ksda_graph_vertices(s->published));
    ksda_i_json_count(object, "published_edges", ksda_graph_edges(s->published));
    ksda_i_json_count(object, "added_edges", s->result.added_edges);
    ksda_i_json_count(object, "added_vertices", s->result.added_vertices);
    ksda_i_json_count(object, "split_vertices", s->result.split_vertices);
    ksda_i_json_count(object, "links", s->verification.links);
    ksda_i_json_count(object, "removed_edges", s->removed_edges);
    ksda_i_json_real(object, "split_weight", s->result.split_weight);
    ksda_i_json_real(object, "cost", s->result.cost);
    ksda_i_json_real(object, "lower_bound", s->result.lower_bound);
    ksda_i_json_real(object, "gap", ksda_i_summary_gap(s));
    json_least(object, "least_added_edges", proved, s->result.least_added_edges);
    json_least(object, "least_added_vertices", proved, s->result.least_added_vertices);
    ksda_i_json_set(object, "added_edges_auc", s->added_auc.measured ? auc_json(&s->added_auc) : json_null());
    ksda_i_json_bool(object, "valid", s->verification.valid);
    ksda_i_json_bool(object, "satisfied", s->verification.satisfied);
    ksda_i_json_bool(object, "limited", s->limited);
    ksda_i_json_real(seconds, "load", s->load);
    ksda_i_json_real(seconds, "communities", s->communities_seconds);
    ksda_i_json_real(seconds, "anonymize", s->anonymize);
    ksda_i_json_real(seconds, "search", s->result.search_seconds);
    ksda_i_json_real(seconds, "proof", isnan(s->result.search_seconds) ? NAN : s->result.proof_seconds);
    ksda_i_json_real(seconds, "verify", s->verify);
    ksda_i_json_real(seconds, "write", s->write);
    ksda_i_json_real(seconds, "added_edges_auc", s->added_auc.measured ? s->added_auc.seconds : NAN);
    ksda_i_json_set(object, "seconds", seconds);
    ksda_i_json_count(object, "peak_rss_bytes", s->peak_rss_bytes);
    ksda_i_json_text(object, "version", ksda_version());
}

static void change(FILE *out, const char *what, uint64_t before, uint64_t after) {
    char a[32], b[32];
    double share = before ? 100 * ((double)after - (double)before) / (double)before : 0;
    fprintf(out, "  %-10s %s", what, ksda_grouped(before, a));
    if (after == before)
        fputs(" (as before)\n", out);
    else
        fprintf(out, " -> %s (%+.2f %%)\n", ksda_grouped(after, b), share);
}

static void headline(const ksda_i_summary *s, FILE *out) {
    char a[32], b[32], c[32];
    if (s->verification.max_share.denominator && s->verification.satisfied)
        fprintf(out,
                "No guess about anybody's community by degree is right more than %.4g %% of the time (verified).\n",
                100.0 * s->verification.max_share.numerator / s->verification.max_share.denominator);
    if (s->baseline)
        fprintf(out, "Published by %s, a baseline: NOT a k-SDA, and %s%u-structurally diverse.\n", s->method,
                s->verification.satisfied ? "by chance " : "not ", s->k);
    else if (s->k == 1)
        fputs("Published, but not protected: " KSDA_TRIVIAL_K ".\n", out);
    else if (s->witness)
        fprintf(out, "Published: every degree now has %u people in pairwise disjoint sets of communities (verified).\n",
                s->k);
    else
        fprintf(out, "Published: every degree now occurs in at least %u of the %u communities (verified).\n", s->k,
                s->communities->counted); /* of those that count towards k */
    fprintf(out, "  %-10s %s: %s edge%s added", "done", s->method, ksda_grouped(s->result.added_edges, a),
            s->result.added_edges == 1 ? "" : "s");
    if (s->removed_edges) fprintf(out, ", %s removed", ksda_grouped(s->removed_edges, b));
    if (s->result.split_vertices)
        fprintf(out, ", %s vert%s split into %s", ksda_grouped(s->result.split_vertices, b),
                s->result.split_vertices == 1 ? "ex" : "ices",
                ksda_grouped(s->result.split_vertices + s->result.added_vertices, c));
    else
        fputs(", no vertex split", out);
    fputc('\n', out);
}

static const char *duration(double seconds, char *buffer) { /* [16] */
    if (seconds < 1)
        snprintf(buffer, 16, "%.1f ms", 1000 * seconds);
    else
        snprintf(buffer, 16, "%.1f s", fmin(seconds, 1e9));
    return buffer;
}

/* As it is printed. */
static double rounded(double seconds) {
    char text[16];
    return strtod(duration(seconds, text), NULL) / (seconds < 1 ? 1000 : 1);
}

/* The parts add up to the whole as they are printed: what is not proof has gone into finding the release. */
static void times_line(const ksda_i_summary *s, FILE *out) {
    bool told = !isnan(s->result.search_seconds);
    double proof = told ? fmin(s->result.proof_seconds, s->anonymize) : 0;
    const struct {
        const char *name;
        double seconds;
        bool shown;
    } part[] = {{"load", s->load + (s->detected ? 0 : s->communities_seconds), s->load > 0},
                {"communities", s->communities_seconds, s->detected != NULL},
                {told ? "found" : "anonymize", s->anonymize - proof, true},
                {"proof", proof, told},
                {"verify", s->verify, true},
                {"write", s->write, s->write > 0},
                {"attack", s->added_auc.seconds, s->added_auc.measured},
                {"report", s->report, s->report > 0}};
    double all = 0;
    char text[16];
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) all += part[i].shown ? rounded(part[i].seconds) : 0;
    int at = fprintf(out, "  %-10s %s:", "took", duration(all, text));
    for (size_t i = 0, any = 0; i < sizeof part / sizeof *part; i++) {
        if (!part[i].shown) continue;
        if (any++) at += fprintf(out, ",");
        if (at > 80) at = fprintf(out, "\n%12s", "") - 1;
        at += fprintf(out, " %s %s", part[i].name, duration(part[i].seconds, text));
    }
    fprintf(out, "\n  %-10s %.0f MB at most\n", "memory", (double)s->peak_rss_bytes / 1e6);
}

/* Links between the pieces of a vertex are edges too, though they cost nothing: with them the sum comes out. */
static void sum_of_edges(const ksda_i_summary *s, FILE *out) {
    char a[32], b[32], c[32], d[32];
    fprintf(out, "  %-10s %s", "", ksda_grouped(ksda_graph_edges(s->original), a));
    if (s->removed_edges) fprintf(out, " - %s removed", ksda_grouped(s->removed_edges, b));
    fprintf(out, " + %s added + %s link%s between pieces of one vertex = %s\n", ksda_grouped(s->result.added_edges, b),
            ksda_grouped(s->verification.links, c), s->verification.links == 1 ? "" : "s",
            ksda_grouped(ksda_graph_edges(s->published), d));
}

void ksda_i_summary_text(const ksda_i_summary *s, FILE *out) {
    char cost[32], weight[32], proved[KSDA_I_PROVED], auc[KSDA_I_ADDED_AUC];
    headline(s, out);
    change(out, "vertices", ksda_graph_vertices(s->original), ksda_graph_vertices(s->published));
    change(out, "edges", ksda_graph_edges(s->original), ksda_graph_edges(s->published));
    if (s->verification.links) sum_of_edges(s, out);
    fprintf(out, "  %-10s %s", "cost", ksda_i_amount(s->result.cost, cost));
    if (s->result.added_vertices)
        fprintf(out, " (an added vertex counts %s)", ksda_i_amount(s->result.split_weight, weight));
    fputc('\n', out);
    if (*ksda_i_proved(&s->result, proved))
        fprintf(out, "  %-10s %s\n", "proved", proved);
    else if (s->no_proof)
        fprintf(out, "  %-10s nothing, as asked\n", "proved");
    if (s->detected) fprintf(out, "  %-10s communities by %s\n", "found", s->detected);
    if (s->added_auc.measured) fprintf(out, "  %-10s %s\n", "plausible", ksda_i_added_auc_text(&s->added_auc, auc));
    if (s->limited)
        fprintf(out,
                "  %-10s before its end, by the time limit or Ctrl-C; the result is valid but maybe not the best\n",
                "stopped");
    times_line(s, out);
}
