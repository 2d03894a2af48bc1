/* What holds in the words of those who publish tables: a line for each notion. */
#include "report/vocabulary.h"

#include <math.h>

void ksda_i_vocabulary_json(const ksda_diversity *d, json_t *object) {
    json_t *words = json_object();
    ksda_i_json_count(words, "l", d->recursive_l);
    for (uint32_t i = 0; i < d->terms; i++) {
        json_t *term = json_object();
        ksda_i_json_real(term, "value", d->term[i].value);
        if (d->term[i].degree == KSDA_NO_DEGREE)
            ksda_i_json_set(term, "degree", json_null());
        else
            ksda_i_json_count(term, "degree", d->term[i].degree);
        ksda_i_json_set(words, ksda_term_info(i)->name, term);
    }
    ksda_i_json_set(object, "vocabulary", words);
}

static const char *value_text(const ksda_term_value *term, char *buffer, size_t size) {
    if (isnan(term->value)) return "unknown";
    if (isinf(term->value)) return "no bound";
    snprintf(buffer, size, "%.4g", term->value);
    return buffer;
}

static const char *degree_text(const ksda_term_value *term, char *buffer, size_t size) {
    if (term->degree == KSDA_NO_DEGREE) return "all";
    snprintf(buffer, size, "%u", term->degree);
    return buffer;
}

void ksda_i_vocabulary_text(const ksda_diversity *d, FILE *out) {
    char value[32], degree[16];
    fprintf(out,
            "In the words of those who publish tables: the degree is known, the %s is sensitive (l = %u).\n"
            "  %-36s %10s %11s\n",
            d->overlap ? "set of communities" : "community", d->recursive_l, "", "holds for", "by degree");
    for (uint32_t i = 0; i < d->terms; i++)
        fprintf(out, "  %-36s %10s %11s\n", ksda_term_info(i)->label, value_text(&d->term[i], value, sizeof value),
                degree_text(&d->term[i], degree, sizeof degree));
}

void ksda_i_vocabulary_html(const ksda_diversity *d, ksda_i_output *out) {
    char value[32], degree[16];
    ksda_i_output_format(out,
                         "<h2>In the words of those who publish tables</h2>\n<div class=\"scroll\"><table><caption>The "
                         "degree is known, the %s is sensitive; l = %u</caption><thead><tr><th scope=\"col\">notion"
                         "</th><th scope=\"col\">holds for</th><th scope=\"col\">by degree</th></tr></thead><tbody>\n",
                         d->overlap ? "set of communities" : "community", d->recursive_l);
    for (uint32_t i = 0; i < d->terms; i++)
        ksda_i_output_format(out, "<tr><th scope=\"row\" title=\"%s\">%s</th><td>%s</td><td>%s</td></tr>\n",
                             ksda_term_info(i)->definition, ksda_term_info(i)->label,
                             value_text(&d->term[i], value, sizeof value),
                             degree_text(&d->term[i], degree, sizeof degree));
    ksda_i_output_text(out, "</tbody></table></div>\n");
}
