/* What attackers learn: `ksda attack`, and a section of other reports. */
#include "report/attacks.h"

#include "io/names.h"
#include "measure/measure.h"
#include "report/page.h"

/* The readings in the order in which they are told. */
typedef struct reading {
    const char *name, *title, *means;
    const ksda_finding *finding; /* NULL: there is none */
    bool matched;
} reading;

enum {
    READINGS = 3
};

static void list_readings(const ksda_attack_result *r, reading out[READINGS]) {
    out[0] = (reading){"matched", "Original, searched in the release", "he knows a person of the original", r->matched,
                       true};
    out[1] = (reading){"release", r->matched ? "The release by itself" : "The network by itself",
                       "he knows a vertex of what he searches", r->release, false};
    out[2] = (reading){"original", "The original, had it been published as it is", "he knows a person of it",
                       r->original, false};
}

/* The label of a row, with what the attacker was told: buffer has at least 64 bytes and is returned. */
static const char *label_of(const ksda_attack_result *r, uint32_t i, char *buffer) {
    const char *label = ksda_attacker_info((ksda_attacker_id)i)->label;
    if (i == KSDA_ATTACKER_DEGREE_ABOUT)
        snprintf(buffer, 64, "Degree, give or take %u", r->tolerance);
    else if (i == KSDA_ATTACKER_HUBS)
        snprintf(buffer, 64, "%s: the %u largest", label, r->hubs);
    else
        snprintf(buffer, 64, "%s", label);
    return buffer;
}

/* Who is exposed, in words. */
static const char *exposed_words(const ksda_attack_result *r, char *buffer, size_t size) {
    snprintf(buffer, size,
             r->overlap ? "no %u of the candidates are in pairwise disjoint sets of the %u %s"
                        : "all candidates are in fewer than %u of the %u %s",
             r->k, r->communities, ksda_i_word(r->communities, "communities"));
    return buffer;
}

static double per_cent(uint32_t part, uint32_t whole) {
    return whole ? 100.0 * part / whole : 0;
}

static const char *const score_labels[] = {"common neighbours", "Jaccard", "Adamic-Adar", "share of the smaller end",
                                           "degree of the other end"};
_Static_assert(sizeof score_labels / sizeof *score_labels == KSDA_LIKENESS_COUNT, "a label for every score");

/* What an attacker was trained on. */
static const char *trained_label(uint32_t i) {
    const ksda_trained_row *row = ksda_trained_info(i);
    return row ? row->label : "the releases given";
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *finding_json(const ksda_finding *f, bool matched) {
    json_t *object = json_object();
    ksda_i_json_count(object, "people", f->people);
    ksda_i_json_count(object, "alone", f->alone);
    ksda_i_json_count(object, "exposed", f->exposed);
    if (matched) {
        ksda_i_json_count(object, "absent", f->absent);
        ksda_i_json_count(object, "misled", f->misled);
    }
    if (f->classes) ksda_i_json_count(object, "classes", f->classes);
    ksda_i_json_real(object, "expected_success", f->expected_success);
    ksda_i_json_real(object, "surest", f->surest);
    ksda_i_json_real(object, "entropy", f->entropy);
    ksda_i_json_real(object, "seconds", f->seconds);
    return object;
}

/* A rate with its interval; null where it was not measured. */
static void rate_json(json_t *object, const char *name, const ksda_value *v) {
    ksda_i_json_real(object, name, v->value);
    ksda_i_json_real(object, "low", v->low);
    ksda_i_json_real(object, "high", v->high);
    ksda_i_json_bool(object, "exact", v->exact);
}

static json_t *ranking_json(const char *what, uint64_t count, const ksda_value *auc, uint32_t scores,
                            const ksda_value *worst) {
    json_t *object = json_object(), *list = json_object();
    ksda_i_json_count(object, what, count);
    for (uint32_t i = 0; i < scores; i++)
        ksda_i_json_real(list, ksda_likeness_id_name((ksda_likeness_id)i), auc[i].value);
    ksda_i_json_set(object, "auc", list);
    rate_json(object, "worst", worst);
    return object;
}

static json_t *trained_json(const ksda_attack_result *r) {
    json_t *object = json_object(), *list = json_object(), *weights = json_object();
    for (uint32_t i = 0; i < r->trainings; i++) {
        const ksda_trained_row *row = ksda_trained_info(i);
        ksda_i_json_real(list, row ? row->name : "given", r->trained_auc[i].value);
    }
    ksda_i_json_set(object, "auc", list);
    rate_json(object, "best", &r->trained_best);
    for (int i = 0; i < KSDA_TRAIT_COUNT && r->trained_weight; i++)
        ksda_i_json_real(weights, ksda_trait_id_name((ksda_trait_id)i), r->trained_weight[i]);
    if (r->trained_weight)
        ksda_i_json_set(object, "weights", weights);
    else
        json_decref(weights);
    return object;
}

static void whole_json(const ksda_attack_result *r, json_t *object) {
    if (r->scores == 0) return;
    json_t *unmasking = json_object();
    json_t *added = ranking_json("ends", r->added_ends, r->added_auc, r->scores, &r->added_worst);
    ksda_i_json_set(added, "trained", trained_json(r));
    ksda_i_json_set(object, "added_edges", added);
    ksda_i_json_count(unmasking, "groups", r->groups);
    rate_json(unmasking, "success", &r->unmasked);
    ksda_i_json_real(unmasking, "chance", r->chance.value);
    ksda_i_json_set(object, "unmasking", unmasking);
    ksda_i_json_set(object, "linked_pieces",
                    ranking_json("pairs", r->linked_pairs, r->linked_auc, r->scores, &r->linked_worst));
    ksda_i_json_set(object, "apart_pieces",
                    ranking_json("pairs", r->apart_pairs, r->apart_auc, r->scores, &r->apart_worst));
}

void ksda_i_attacks_json(const ksda_attack_result *r, json_t *object) {
    reading readings[READINGS];
    list_readings(r, readings);
    ksda_i_json_count(object, "k", r->k);
    ksda_i_json_count(object, "tolerance", r->tolerance);
    ksda_i_json_count(object, "hubs", r->hubs);
    ksda_i_json_count(object, "vertices", r->vertices);
    ksda_i_json_count(object, "communities", r->communities);
    ksda_i_json_text(object, "overlap", r->overlap ? ksda_overlap_name(KSDA_OVERLAP_DISJOINT) : NULL);
    ksda_i_json_real(object, "baseline_success", r->baseline_success);
    ksda_i_json_real(object, "baseline_entropy", r->baseline_entropy);
    for (int i = 0; i < READINGS; i++) {
        if (!readings[i].finding) continue;
        json_t *list = json_object();
        for (uint32_t j = 0; j < r->attackers; j++)
            if (readings[i].finding[j].measured)
                ksda_i_json_set(list, ksda_attacker_id_name((ksda_attacker_id)j),
                                finding_json(&readings[i].finding[j], readings[i].matched));
        ksda_i_json_set(object, readings[i].name, list);
    }
    whole_json(r, object);
    ksda_i_json_real(object, "seconds", r->seconds);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void finding_text(const char *label, const ksda_finding *f, bool matched, FILE *out) {
    char a[32], b[32];
    fprintf(out, "  %-24s %9s %5.1f %% %9s %5.1f %% %7.1f %% %8.1f %% %10.2f", label, ksda_grouped(f->alone, a),
            per_cent(f->alone, f->people), ksda_grouped(f->exposed, b), per_cent(f->exposed, f->people),
            100 * f->expected_success, 100 * f->surest, f->entropy);
    if (matched) fprintf(out, " %8.1f %% %6.1f %%", per_cent(f->absent, f->people), per_cent(f->misled, f->people));
    fputc('\n', out);
}

static void reading_text(const ksda_attack_result *r, const reading *how, FILE *out) {
    char label[64];
    fprintf(out, "\n%s (%s: %s)\n", how->title, how->name, how->means);
    fprintf(out, "  %-24s %17s %17s %9s %10s %10s%s\n", "he knows", "found", "exposed", "right", "surest", "bits left",
            how->matched ? "  nobody is  misled" : "");
    for (uint32_t i = 0; i < r->attackers; i++)
        if (how->finding[i].measured) finding_text(label_of(r, i, label), &how->finding[i], how->matched, out);
}

/* "0.871", or with the half width of its interval. */
static const char *rate_text(const ksda_value *v, char *buffer, size_t size) {
    if (!v->measured)
        snprintf(buffer, size, "-");
    else if (v->exact)
        snprintf(buffer, size, "%.3f", v->value);
    else
        snprintf(buffer, size, "%.3f +- %.3f", v->value, (v->high - v->low) / 2);
    return buffer;
}

static void ranking_text(const char *label, uint64_t count, const char *what, const ksda_value *auc, uint32_t scores,
                         const ksda_value *worst, FILE *out) {
    char number[32], rate[48];
    if (!worst->measured) return;
    fprintf(out, "  %-24s worst %s (%s %s)\n", label, rate_text(worst, rate, sizeof rate), ksda_grouped(count, number),
            what);
    for (uint32_t i = 0; i < scores; i++)
        fprintf(out, "    %-26s %s\n", score_labels[i], rate_text(&auc[i], rate, sizeof rate));
}

static void whole_text(const ksda_attack_result *r, FILE *out) {
    char rate[48], chance[48];
    if (r->scores == 0) return;
    fputs("\nThe release as a whole: how often a score ranks what is false above what is true (0.5 is chance, 0 and 1 "
          "are certain)\n",
          out);
    ranking_text("Added edges", r->added_ends, "ends, against the same vertex's own edges", r->added_auc, r->scores,
                 &r->added_worst, out);
    for (uint32_t i = 0; i < r->trainings && r->added_worst.measured; i++)
        fprintf(out, "    trained on %-15s %s\n", trained_label(i), rate_text(&r->trained_auc[i], rate, sizeof rate));
    ranking_text("Linked pieces", r->linked_pairs,
                 r->linked_pairs == 1 ? "pair, against edges inside communities"
                                      : "pairs, against edges inside communities",
                 r->linked_auc, r->scores, &r->linked_worst, out);
    ranking_text("Pieces apart", r->apart_pairs,
                 r->apart_pairs == 1 ? "pair, against others of their community"
                                     : "pairs, against others of their community",
                 r->apart_auc, r->scores, &r->apart_worst, out);
    if (r->unmasked.measured)
        fprintf(out, "  Unmasking: in %u %s the least suspicious member is untouched %s of the time, any member %s\n",
                r->groups, ksda_i_word(r->groups, "degrees"), rate_text(&r->unmasked, rate, sizeof rate),
                rate_text(&r->chance, chance, sizeof chance));
    if (!r->added_worst.measured && !r->linked_worst.measured && !r->apart_worst.measured)
        fputs("  nothing false was found to look for\n", out);
}

void ksda_i_attacks_text(const ksda_attack_result *r, FILE *out) {
    reading readings[READINGS];
    list_readings(r, readings);
    char words[600], exposed[256];
    snprintf(words, sizeof words,
             "What attackers learn who look for one person. Found: nobody else is a candidate. Exposed: %s. Right: "
             "guessing the likeliest community%s; without any knowledge %.1f %%, %.2f bits.",
             exposed_words(r, exposed, sizeof exposed),
             r->overlap ? " of their candidates' sets, which is one of theirs; bits are those of the set" : "",
             100 * r->baseline_success, r->baseline_entropy);
    ksda_i_paragraph(words, out);
    for (int i = 0; i < READINGS; i++)
        if (readings[i].finding) reading_text(r, &readings[i], out);
    whole_text(r, out);
}

/* --- HTML --------------------------------------------------------------------------------------------------------- */

/* Narrow enough for a telephone: shares only. */
static void reading_html(const ksda_attack_result *r, const reading *how, ksda_i_output *out) {
    char label[64];
    ksda_i_output_format(out, "<div class=\"scroll\"><table><caption>%s: %s; per cent of people</caption><thead><tr>",
                         how->title, how->means);
    ksda_i_output_text(out, "<th scope=\"col\">he knows</th><th scope=\"col\">found</th><th scope=\"col\">exposed</th>"
                            "<th scope=\"col\">right</th><th scope=\"col\">bits left</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < r->attackers; i++) {
        const ksda_finding *f = &how->finding[i];
        if (!f->measured) continue;
        ksda_i_output_format(out,
                             "<tr><th scope=\"row\" title=\"%s\">%s</th><td>%.1f</td><td>%.1f</td><td>%.1f</td>"
                             "<td>%.2f</td></tr>\n",
                             ksda_attacker_info((ksda_attacker_id)i)->knows, label_of(r, i, label),
                             per_cent(f->alone, f->people), per_cent(f->exposed, f->people), 100 * f->expected_success,
                             f->entropy);
    }
    ksda_i_output_text(out, "</tbody></table></div>\n");
}

static void score_html(const ksda_attack_result *r, const char *label, const ksda_value *added,
                       const ksda_value *linked, const ksda_value *apart, ksda_i_output *out) {
    char rate[48];
    ksda_i_output_format(out, "<tr><th scope=\"row\">%s</th><td>%s</td>", label, rate_text(added, rate, sizeof rate));
    if (r->linked_worst.measured) ksda_i_output_format(out, "<td>%s</td>", rate_text(linked, rate, sizeof rate));
    if (r->apart_worst.measured) ksda_i_output_format(out, "<td>%s</td>", rate_text(apart, rate, sizeof rate));
    ksda_i_output_text(out, "</tr>\n");
}

static void whole_html(const ksda_attack_result *r, ksda_i_output *out) {
    char rate[48], chance[48], label[64];
    if (r->scores == 0) return;
    ksda_i_output_text(out,
                       "<div class=\"scroll\"><table><caption>The release as a whole: how often a score ranks what "
                       "is false above what is true (0.5 is chance, 0 and 1 are certain)</caption><thead><tr><th "
                       "scope=\"col\">score</th><th scope=\"col\">Added edges</th>");
    if (r->linked_worst.measured) ksda_i_output_text(out, "<th scope=\"col\">linked pieces</th>");
    if (r->apart_worst.measured) ksda_i_output_text(out, "<th scope=\"col\">other pieces</th>");
    ksda_i_output_text(out, "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < r->scores; i++)
        score_html(r, score_labels[i], &r->added_auc[i], &r->linked_auc[i], &r->apart_auc[i], out);
    score_html(r, "the worst", &r->added_worst, &r->linked_worst, &r->apart_worst, out);
    for (uint32_t i = 0; i < r->trainings && r->added_worst.measured; i++) {
        snprintf(label, sizeof label, "trained on %s", trained_label(i));
        score_html(r, label, &r->trained_auc[i], &ksda_i_unmeasured, &ksda_i_unmeasured, out);
    }
    ksda_i_output_text(out, "</tbody></table></div>\n");
    if (r->unmasked.measured)
        ksda_i_output_format(out,
                             "<p>In %u %s there are at least as many raised people as untouched ones. The least "
                             "suspicious member is untouched %s of the time; any member, %s.</p>\n",
                             r->groups, ksda_i_word(r->groups, "degrees"), rate_text(&r->unmasked, rate, sizeof rate),
                             rate_text(&r->chance, chance, sizeof chance));
}

void ksda_i_attacks_html(const ksda_attack_result *r, ksda_i_output *out) {
    reading readings[READINGS];
    char exposed[256];
    list_readings(r, readings);
    ksda_i_output_format(out,
                         "<h2>Attackers who know more than a degree</h2>\n<p>Each knows something of one person and "
                         "looks for vertices of which the same holds: the candidates. Found: nobody else is one. "
                         "Exposed: %s. %s%s "
                         "something against the first of these attackers only; what the others learn is "
                         "measured here. Guessing without any knowledge is right %.1f %% of the time.</p>\n",
                         exposed_words(r, exposed, sizeof exposed),
                         r->overlap ? "People are in several communities: a guess is one community, and right where "
                                      "it is one of theirs; bits are those of the set. "
                                    : "",
                         r->matched ? "The release guarantees" : "k-structural diversity would guarantee",
                         100 * r->baseline_success);
    for (int i = 0; i < READINGS; i++)
        if (readings[i].finding) reading_html(r, &readings[i], out);
    whole_html(r, out);
}

/* --- who ---------------------------------------------------------------------------------------------------------- */

static void list_person(const ksda_graph *people, const ksda_attack_result *r, uint32_t v, ksda_i_output *out) {
    for (uint32_t i = 0; i < r->attackers; i++) {
        bool alone = r->alone_to[v] >> i & 1, exposed = r->exposed_to[v] >> i & 1;
        if (!alone && !exposed) continue;
        ksda_i_names_write(&people->ids, v, KSDA_I_NAMING_TAB, '\t', out);
        ksda_i_output_format(out, "\t%s\t%s\n", ksda_attacker_id_name((ksda_attacker_id)i),
                             alone ? "found" : "exposed");
    }
}

ksda_status ksda_report_attacked(ksda_ctx *ctx, const ksda_graph *people, const ksda_attack_result *result,
                                 char **out) {
    ksda_i_output *output;
    size_t size;
    *out = NULL;
    if (!result->alone_to || !result->exposed_to || result->people != people->n)
        return ksda_i_error(ctx, KSDA_INVALID,
                            "the attack tells of %u people, and there are %u: set who, and name "
                            "the network that was attacked",
                            result->people, people->n);
    ksda_status status = ksda_i_names_check(ctx, &people->ids, KSDA_I_NAMING_TAB, "a list of people");
    if (status >= 0) status = ksda_i_output_memory(ctx, &output);
    if (status < 0) return status;
    ksda_i_output_text(output, "# person, attacker, and found (nobody else is a candidate) or exposed (candidates in "
                               "too few communities)\n");
    for (uint32_t v = 0; v < result->people; v++) list_person(people, result, v, output);
    ksda_i_output_write(output, "", 1); /* the end of the string */
    return ksda_i_output_take(output, out, &size);
}
