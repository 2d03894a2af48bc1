/* The report as a page. Order of the sections is the order of the questions: what was asked, is it met, what could an
 * attacker learn before and after, what was changed, what does it cost, and for those who want to look closer: degrees,
 * groups, a drawing. Numbers are of people; formulas stay in the documentation. */
#include "report/html.h"

#include "report/attacks.h"
#include "report/page.h"
#include "report/people.h"
#include "report/vocabulary.h"

#include <math.h>

enum {
    MOST_ROWS = 30,
    MOST_GROUPS = 40,
    MOST_PEOPLE = 50
};

/* --- small pieces ------------------------------------------------------------------------------------------------- */

static void put_html(ksda_i_output *out, const char *text) {
    ksda_i_output_text(out, text);
}

static void put_count(ksda_i_output *out, uint64_t value) {
    char buffer[32];
    put_html(out, ksda_grouped(value, buffer));
}

static void count_card(ksda_i_output *out, uint64_t value, const char *label) {
    put_html(out, "<li><b>");
    put_count(out, value);
    ksda_i_output_format(out, "</b><span>%s</span></li>", label);
}

static void share_bar(ksda_i_output *out, double share, const char *kind) {
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    ksda_i_output_format(out, "<span class=\"bar %s\" aria-hidden=\"true\"><i style=\"width:%.1f%%\"></i></span>", kind,
                         100 * share);
}

/* --- the question ------------------------------------------------------------------------------------------------- */

/* The bound on people, as recounted, and what the attack did before. */
static void share_verdict(ksda_i_output *out, const ksda_i_html *page, const ksda_diversity *d) {
    double most = 100.0 * d->max_share.numerator / d->max_share.denominator,
           surest = 100.0 * d->least_share.numerator / (d->least_share.denominator ? d->least_share.denominator : 1);
    if (page->frontier && !page->release)
        ksda_i_output_format(out,
                             "<p class=\"verdict%s\"><strong>No guess about anybody's community by degree may be right "
                             "more than %.4g %% of the time: %s.</strong> In the network as it is the surest is right "
                             "%.1f %% of the time",
                             d->share_satisfied ? "" : " no", most,
                             d->share_satisfied ? "so it is in the network as it is, and in every release below"
                                                : "not so in the network as it is, but in every release below",
                             surest);
    else if (d->share_satisfied)
        ksda_i_output_format(out,
                             "<p class=\"verdict\"><strong>No guess about anybody's community by degree is right more "
                             "than %.4g %% of the time.</strong> The surest is right %.1f %% of the time",
                             most, surest);
    else
        ksda_i_output_format(out,
                             "<p class=\"verdict no\"><strong>Some guesses about a community by degree are right more "
                             "than %.4g %% of the time.</strong> The surest is right %.1f %% of the time",
                             most, surest);
    if (page->release && !page->public_page && page->before->largest_posterior > 0)
        ksda_i_output_format(out, "; before, it was %.1f %%", 100 * page->before->largest_posterior);
    put_html(out, ".</p>\n");
}

static void condition(ksda_i_output *out, const ksda_i_html *page, const ksda_diversity *d) {
    put_html(out,
             "<p>Somebody who knows how many contacts a person has (the person's <em>degree</em>) must still have at "
             "least ");
    if (d->overlap)
        ksda_i_output_format(out,
                             "<strong>%u people</strong> to choose from of whom no two have a community in common. So "
                             "of those who have a degree that occurs in the network, at least %u, its "
                             "<em>witnesses</em>, must be in pairwise disjoint sets of communities.</p>\n",
                             page->k, page->k);
    else
        ksda_i_output_format(out,
                             "<strong>%u %s</strong> to choose from. So every degree that occurs in the network must "
                             "occur in at least %u %s.</p>\n",
                             page->k, ksda_i_word(page->k, "communities"), page->k,
                             ksda_i_word(page->k, "communities"));
}

static void met(ksda_i_output *out, const ksda_i_html *page, const ksda_diversity *d) {
    const char *verb = d->overlap ? "has" : "occurs";
    if (d->groups == 1)
        ksda_i_output_format(out, "The one degree that occurs, %s", verb);
    else
        ksda_i_output_format(out, "Each of the %u degrees that occur, %s", d->groups, verb);
    if (d->overlap)
        ksda_i_output_format(out, " at least %u witnesses", d->largest_k);
    else
        ksda_i_output_format(out, " in at least %u of the %u %s", d->largest_k, page->communities->counted,
                             ksda_i_word(page->communities->counted, "communities"));
    put_html(out, page->release ? "; this was recounted independently before anything was written.</p>\n" : ".</p>\n");
}

static void not_met(ksda_i_output *out, const ksda_i_html *page, const ksda_diversity *d) {
    put_count(out, d->violating_vertices);
    put_html(out, " of ");
    put_count(out, d->vertices);
    ksda_i_output_format(out,
                         d->overlap ? " people (%.1f %%) %s a degree with fewer than %u witnesses."
                                    : " people (%.1f %%) %s a degree that occurs in fewer than %u communities.",
                         d->vertices ? 100.0 * d->violating_vertices / d->vertices : 0,
                         ksda_i_word(d->violating_vertices, "have"), page->k);
    if (d->undecided_vertices) {
        put_html(out, " For ");
        put_count(out, d->undecided_vertices);
        put_html(out, " of them that is not decided: the search for disjoint sets was cut short.");
    }
    put_html(out, "</p>\n");
}

static void asked_section(ksda_i_output *out, const ksda_i_html *page) {
    const ksda_diversity *d = page->after ? page->after : page->before;
    bool choosing = page->frontier && !page->release;
    put_html(out, choosing ? "<h2>What is asked, and is it met without a change?</h2>\n"
                           : "<h2>What was asked, and is it met?</h2>\n");
    if (page->k == 0) {
        ksda_i_output_format(out, "<p>No number of %s was asked for. The largest that holds is %u.</p>\n",
                             d->overlap ? "witnesses" : "communities", d->largest_k);
        return;
    }
    if (page->k == 1) {
        put_html(out, "<p class=\"verdict no\"><strong>Nothing is protected.</strong> " KSDA_TRIVIAL_K ".</p>\n");
        return;
    }
    if (d->max_share.denominator) share_verdict(out, page, d);
    condition(out, page, d);
    ksda_i_output_format(out, "<p class=\"verdict%s\"><strong>%s</strong> ", d->violating_vertices == 0 ? "" : " no",
                         d->violating_vertices == 0 ? "Yes, it is met."
                         : choosing                 ? "Not by the network as it is; by every release below."
                                                    : "No, it is not met.");
    if (d->violating_vertices == 0)
        met(out, page, d);
    else
        not_met(out, page, d);
}

/* Who has no community, and what that means. A public page counts in the release, as in everything. */
static void without_community(ksda_i_output *out, const ksda_i_html *page) {
    const ksda_communities *c = page->public_page ? page->release->communities : page->communities;
    const char *who = page->public_page ? "vertices" : "people";
    uint32_t unassigned = ksda_i_unassigned(c);
    if (unassigned == 0) {
        ksda_i_output_format(out, "<p>No community is missing: all %s have one.</p>\n", who);
        return;
    }
    put_html(out, "<p>The community is not known for ");
    put_count(out, unassigned);
    put_html(out, " of ");
    put_count(out, c->n);
    ksda_i_output_format(out, " %s: %s.</p>\n", who, ksda_unassigned_text(c));
}

/* --- the attack --------------------------------------------------------------------------------------------------- */

static void attack_row(ksda_i_output *out, const char *who, double right, double surest, const char *kind) {
    ksda_i_output_format(out, "<tr><th scope=\"row\">%s</th><td>%.0f of 100</td><td>", who, 100 * right);
    share_bar(out, right, kind);
    ksda_i_output_format(out, "</td><td>%.0f of 100</td></tr>\n", 100 * surest);
}

static void attack(ksda_i_output *out, const ksda_i_html *page) {
    const ksda_diversity *d = page->after ? page->after : page->before;
    put_html(out,
             "<h2>What could an attacker learn?</h2>\n<p>The attacker knows the degree of a person and guesses the "
             "community in which most people "
             "with this degree are. How often would that be right?</p>\n<div class=\"scroll\"><table><caption>Guesses "
             "that are right, out of 100 "
             "people</caption><thead><tr><th scope=\"col\">&#160;</th><th scope=\"col\">on average</th><th "
             "scope=\"col\">&#160;</th>"
             "<th scope=\"col\">for the easiest victims</th></tr></thead><tbody>\n");
    attack_row(out, "degree not known (just the largest community)", d->baseline_success, d->baseline_success,
               "before");
    if (!page->public_page)
        attack_row(out, page->after ? "original network" : "this network", page->before->expected_success,
                   page->before->largest_posterior, "before");
    if (page->after)
        attack_row(out, "published network", page->after->expected_success, page->after->largest_posterior, "after");
    put_html(out, "</tbody></table></div>\n");
    if (d->overlap)
        put_html(out, "<p>People are in several communities. A guess is one community, and it is right where that is "
                      "one of the person's.</p>\n");
    if (page->k > 1 && d->satisfied && d->largest_posterior > 1.0 / page->k && d->overlap)
        ksda_i_output_format(out,
                             "<p>Witnesses do not bound this: a guess can be right more often than 1 time in %u, when "
                             "most people of a degree have one community in their sets.</p>\n",
                             page->k);
    else if (page->k > 1 && d->satisfied && d->largest_posterior > 1.0 / page->k)
        ksda_i_output_format(out,
                             "<p>Diversity counts communities, not people: with %u communities to choose from a guess "
                             "can still be right more often "
                             "than 1 time in %u, when most people of a degree are in one of them.</p>\n",
                             page->k, page->k);
    put_html(out, "<p>Only knowledge of the degree is covered. Somebody who knows who is connected to whom can learn "
                  "more.</p>\n");
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static void certificate(ksda_i_output *out, const ksda_i_summary *s) {
    char proved[KSDA_I_PROVED], auc[KSDA_I_ADDED_AUC];
    if (*ksda_i_proved(&s->result, proved)) ksda_i_output_format(out, "<p>Proved: %s.</p>\n", proved);
    if (s->added_auc.measured)
        ksda_i_output_format(out, "<p>How plausible: %s.</p>\n", ksda_i_added_auc_text(&s->added_auc, auc));
}

static void changes(ksda_i_output *out, const ksda_i_html *page) {
    const ksda_i_summary *s = page->summary;
    put_html(out, "<h2>What was changed?</h2>\n<p>Nothing true was removed: ");
    put_html(out, s->baseline ? "this does not hold for the method used, a baseline for comparison."
                  : page->communities->sets
                      ? "connections were only added, and only between people who have a community in common; where "
                        "that is not enough, a person is represented by several vertices that share the connections."
                      : "connections were only added, and only between people of the same community; where that is "
                        "not enough, a person is "
                        "represented by several vertices that share the connections.");
    put_html(out, "</p>\n<ul class=\"cards\">");
    count_card(out, ksda_graph_vertices(s->original), "people");
    count_card(out, ksda_graph_edges(s->original), "connections");
    count_card(out, s->result.added_edges, "connections added");
    if (s->removed_edges) count_card(out, s->removed_edges, "connections removed");
    if (s->verification.links) count_card(out, s->verification.links, "links between the vertices of one person");
    count_card(out, ksda_graph_edges(s->published), "connections published");
    count_card(out, s->result.split_vertices, "people split");
    count_card(out, s->result.added_vertices, "vertices more");
    put_html(out, "</ul>\n<p>Method: ");
    ksda_i_page_text(out, s->method);
    if (s->detected) put_html(out, "; communities found by "), ksda_i_page_text(out, s->detected);
    put_html(out, ".</p>\n");
    certificate(out, s);
}

/* --- measures ----------------------------------------------------------------------------------------------------- */

static void number(ksda_i_output *out, const ksda_value *v) {
    if (isnan(v->value))
        put_html(out, "undefined");
    else if (v->value >= 0 && v->value < 9e15 && v->value == floor(v->value))
        put_count(out, (uint64_t)v->value);
    else
        ksda_i_output_format(out, "%.5g", v->value);
    if (v->measured && !v->exact && isfinite(v->high))
        ksda_i_output_format(out, " &#177; %.2g", (v->high - v->low) / 2);
    if (v->runs > 1) ksda_i_output_format(out, " (mean of %u runs, spread %.2g)", v->runs, v->spread);
}

static void measure_row(ksda_i_output *out, ksda_measure_id id, const ksda_value *before, const ksda_value *after) {
    const ksda_measure_row *row = ksda_measure_info(id);
    ksda_i_change change = ksda_i_change_of(id, before, after);
    char text[32];
    if (!before->measured || !after->measured) return;
    ksda_i_output_format(out, "<tr><th scope=\"row\" title=\"%s\">%s</th><td>", row->definition, row->label);
    number(out, before);
    put_html(out, "</td><td>");
    number(out, after);
    put_html(out, "</td><td>");
    put_html(out, ksda_i_change_text(&change, "&#160;", text));
    put_html(out, "</td><td class=\"wide\">");
    if (!change.damage)
        put_html(out, "protection");
    else if (!isnan(change.amount))
        share_bar(out, ksda_i_change_damage(&change), "after");
    put_html(out, "</td></tr>\n");
}

static void measures(ksda_i_output *out, const ksda_i_html *page) {
    const ksda_comparison *c = page->comparison;
    put_html(out,
             "<h2>What does it cost those who use the data?</h2>\n<div class=\"scroll\"><table><caption>Measures of "
             "the network before and after; "
             "the bar is the change, full at 100 %, or at 1 where the change is a difference</caption><thead><tr><th "
             "scope=\"col\">measure</th><th "
             "scope=\"col\">original</th><th scope=\"col\">"
             "published</th><th scope=\"col\">change</th><th scope=\"col\" "
             "class=\"wide\">&#160;</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < c->original->values; i++)
        measure_row(out, (ksda_measure_id)i, &c->original->value[i], &c->published->value[i]);
    put_html(out, "</tbody></table></div>\n<div class=\"scroll\"><table><caption>What only the two networks together "
                  "have</caption><thead><tr>"
                  "<th scope=\"col\">quantity</th><th scope=\"col\">value</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < c->differences; i++) {
        const ksda_measure_row *row = ksda_difference_info((ksda_difference_id)i);
        if (!c->difference[i].measured) continue;
        ksda_i_output_format(out, "<tr><th scope=\"row\" title=\"%s\">%s</th><td>", row->definition, row->label);
        if (isnan(c->difference[i].value))
            put_html(out, "none");
        else
            number(out, &c->difference[i]), ksda_i_output_format(out, "%s%s", *row->unit ? " " : "",
                                                                 ksda_i_word(c->difference[i].value, row->unit));
        put_html(out, "</td></tr>\n");
    }
    put_html(out, "</tbody></table></div>\n");
    if (c->original->overlap)
        put_html(out, "<p>" KSDA_I_UNDEFINED_MEASURES " are " KSDA_I_UNDEFINED_SETS
                      ". Vertices not k-diverse are those whose degree has fewer than k witnesses, and the largest k "
                      "is the fewest witnesses of a degree.</p>\n");
    if (!c->exact)
        put_html(out,
                 "<p>Values with &#177; were sampled: the true value lies in that range with 95 % confidence.</p>\n");
}

/* --- degrees ------------------------------------------------------------------------------------------------------ */

/* Values of a diversity's groups, bin by bin. */
static void fill_vertices(const ksda_diversity *d, const ksda_i_bins *bins, double *value) {
    for (uint32_t i = 0; i < bins->count; i++) value[i] = 0;
    for (uint32_t i = 0; i < d->groups; i++) value[ksda_i_bins_find(bins, d->group[i].degree)] += d->group[i].vertices;
}

static void fill_communities(const ksda_diversity *d, const ksda_i_bins *bins, double *value) {
    for (uint32_t i = 0; i < bins->count; i++) value[i] = NAN;
    for (uint32_t i = 0; i < d->groups; i++) { /* the least diverse degree of the bin */
        double *at = &value[ksda_i_bins_find(bins, d->group[i].degree)];
        if (isnan(*at) || d->group[i].communities < *at) *at = d->group[i].communities;
    }
}

/* The plots of what `fill` counts, before and after. */
static void degree_plot(ksda_i_output *out, const ksda_i_html *page, ksda_i_plot *plot,
                        void (*fill)(const ksda_diversity *, const ksda_i_bins *, double *)) {
    double before[KSDA_I_PAGE_BINS], after[KSDA_I_PAGE_BINS];
    ksda_i_series series[2];
    plot->x = "degree (number of connections)";
    plot->count = 0;
    if (!page->public_page) {
        fill(page->before, plot->bins, before);
        series[plot->count++] = (ksda_i_series){page->after ? "original" : "this network", "before", before};
    }
    if (page->after) {
        fill(page->after, plot->bins, after);
        series[plot->count++] = (ksda_i_series){"published", "after", after};
    }
    plot->series = series;
    ksda_i_page_plot(out, plot);
}

/* A community of the release as the original has it: labels that were made here have changed places. Of sets only those
 * have that hold one community, of people who have none. */
static uint32_t in_original(const ksda_i_html *page, uint32_t c) {
    const ksda_communities *released = page->release->communities;
    uint32_t kind = released->sets ? released->unknown : c, size;
    while (released->sets && kind < released->count && *ksda_i_set(released, &kind, &size) != c) kind++;
    if (kind == released->count) return c;
    kind = page->communities->of[page->release->owner[released->member[released->start[kind]]]];
    return *ksda_i_set(page->communities, &kind, &size);
}

/* A vertex stands in the row of each of its communities. */
static ksda_status heat_cells(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, const ksda_i_bins *bins,
                              const uint32_t *row, uint32_t rows, uint32_t *cell, uint32_t *most) {
    uint32_t communities = ksda_communities_set_count(c), size;
    uint32_t *place = ksda_i_malloc(ctx, communities, sizeof *place);
    if (!place) return KSDA_NOMEM;
    for (uint32_t i = 0; i < communities; i++) place[i] = MOST_ROWS;
    for (uint32_t i = 0; i < rows; i++) place[row[i]] = i;
    for (uint32_t v = 0; v < g->n; v++) {
        const uint32_t *set = ksda_communities_set(c, v, &size);
        for (uint32_t i = 0; i < size; i++) {
            if (place[set[i]] == MOST_ROWS) continue;
            uint32_t bin = ksda_i_bins_find(bins, ksda_i_degree(g, v)), *at = &cell[place[set[i]] * bins->count + bin];
            if (++*at > *most) *most = *at;
        }
    }
    ksda_i_free(ctx, place);
    return KSDA_OK;
}

/* The largest communities, by people who are in them. */
static ksda_status heat_rows(ksda_ctx *ctx, const ksda_communities *c, uint32_t *row, uint32_t *rows) {
    uint32_t *people = c->sets ? ksda_i_calloc(ctx, c->sets->count, sizeof *people) : NULL, size;
    if (c->sets && !people) return KSDA_NOMEM;
    for (uint32_t kind = 0; kind < c->count && people; kind++) {
        const uint32_t *set = ksda_i_set(c, &kind, &size);
        for (uint32_t i = 0; i < size; i++) people[set[i]] += ksda_i_community_size(c, kind);
    }
    ksda_status status = ksda_i_page_largest(ctx, c, people, MOST_ROWS, row, rows);
    ksda_i_free(ctx, people);
    return status;
}

static void mark_exposed(const ksda_diversity *d, uint32_t k, const ksda_i_bins *bins, uint8_t *exposed) {
    memset(exposed, 0, bins->count);
    for (uint32_t i = 0; i < d->groups; i++)
        if (d->group[i].communities < k) exposed[ksda_i_bins_find(bins, d->group[i].degree)] = 1;
}

static ksda_status heat_maps(ksda_ctx *ctx, ksda_i_output *out, const ksda_i_html *page, const ksda_i_bins *bins) {
    uint32_t row[MOST_ROWS], before[MOST_ROWS], rows, most = 0, other = 0;
    uint32_t first[MOST_ROWS * KSDA_I_PAGE_BINS] = {0}, second[MOST_ROWS * KSDA_I_PAGE_BINS] = {0};
    uint8_t exposed[KSDA_I_PAGE_BINS];
    const ksda_communities *shown = page->release ? page->release->communities : page->communities;
    ksda_status status = heat_rows(ctx, shown, row, &rows);
    if (status < 0) return status;
    for (uint32_t i = 0; i < rows; i++) before[i] = page->release ? in_original(page, row[i]) : row[i];
    KSDA_I_TRY(heat_cells(ctx, page->original, page->communities, bins, before, rows, first, &most));
    if (page->release) KSDA_I_TRY(heat_cells(ctx, page->release->graph, shown, bins, row, rows, second, &other));
    if (page->release && (page->public_page || other > most)) most = other;
    ksda_i_heat heat = {"heat-before",
                        page->release ? "Original: who has which degree in which community"
                                      : "Who has which degree in which community",
                        bins,
                        rows,
                        shown,
                        row,
                        first,
                        page->k ? exposed : NULL,
                        most};
    mark_exposed(page->before, page->k, bins, exposed);
    if (!page->public_page) ksda_i_page_heat(out, &heat);
    if (page->release) {
        heat.id = "heat-after", heat.title = "Published: who has which degree in which community", heat.cell = second;
        mark_exposed(page->after, page->k, bins, exposed);
        ksda_i_page_heat(out, &heat);
    }
done:
    return status;
}

static ksda_status degrees(ksda_ctx *ctx, ksda_i_output *out, const ksda_i_html *page) {
    uint32_t largest = page->public_page || page->before->groups == 0 ? 0 : page->before->group[0].degree;
    uint32_t communities = ksda_communities_set_count(page->communities);
    bool sets = page->communities->sets != NULL;
    ksda_i_bins bins;
    char label[64];
    if (page->after && page->after->groups && page->after->group[0].degree > largest)
        largest = page->after->group[0].degree;
    ksda_i_bins_make(largest, &bins);
    snprintf(label, sizeof label, "at least %u is asked", page->k);
    put_html(out, "<h2>Degrees and communities</h2>\n<div class=\"plots\">\n");
    ksda_i_plot plot = {.id = "plot-communities",
                        .title = sets ? "Witnesses of each degree: people in pairwise disjoint sets (the fewest, where "
                                        "degrees share a place)"
                                      : "Communities in which each degree occurs (the fewest, where degrees share a "
                                        "place)",
                        .y = sets ? "witnesses" : "communities",
                        .unit = sets ? "witnesses" : "communities",
                        .bins = &bins,
                        .limit = page->k,
                        .limit_label = label};
    degree_plot(out, page, &plot, fill_communities);
    plot = (ksda_i_plot){.id = "plot-degrees",
                         .title = "How many people have each degree",
                         .y = "people (logarithmic)",
                         .unit = "people",
                         .bins = &bins,
                         .logarithmic = 1};
    degree_plot(out, page, &plot, fill_vertices);
    bool heat = !page->public_page || page->public_communities;
    ksda_status status = heat ? heat_maps(ctx, out, page, &bins) : KSDA_OK;
    put_html(out, "\n</div>\n");
    if (page->k && !page->public_page)
        ksda_i_output_format(out, "<p>Triangles above a heat map mark degrees that %s.</p>\n",
                             sets ? "have too few witnesses" : "occur in too few communities");
    if (heat && sets) put_html(out, "<p>In a heat map a person stands in the row of each of their communities.</p>\n");
    if (heat && communities > MOST_ROWS)
        ksda_i_output_format(out, "<p>The heat maps show the %d largest of %u communities.</p>\n", MOST_ROWS,
                             communities);
    return status;
}

static void groups(ksda_i_output *out, const ksda_i_html *page) {
    const ksda_diversity *d = page->after ? page->after : page->before;
    uint32_t shown = d->groups < MOST_GROUPS ? d->groups : MOST_GROUPS;
    put_html(out, "<h2>Groups of people with the same degree</h2>\n<div class=\"scroll\"><table><caption>");
    if (shown < d->groups)
        ksda_i_output_format(out, "The %u largest of %u degrees", shown, d->groups);
    else
        put_html(out, "All degrees");
    ksda_i_output_format(out, "%s</caption>", page->after ? " in the published network" : "");
    ksda_i_output_format(out,
                         "<thead><tr><th scope=\"col\">degree</th><th scope=\"col\">people</th><th "
                         "scope=\"col\">%s</th><th scope=\"col\">largest share "
                         "of one community</th></tr></thead><tbody>\n",
                         d->overlap ? "witnesses" : "communities");
    for (uint32_t i = 0; i < shown; i++) {
        const ksda_degree_group *g = &d->group[i];
        ksda_i_output_format(out, "<tr><th scope=\"row\">%u</th><td>%u</td><td>%u%s</td><td>%.0f %%</td></tr>\n",
                             g->degree, g->vertices, g->communities,
                             page->k && g->communities < page->k ? " (too few)" : "",
                             100.0 * g->likeliest_vertices / g->vertices);
    }
    put_html(out, "</tbody></table></div>\n");
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static ksda_status drawing(ksda_ctx *ctx, ksda_i_output *out, const ksda_i_html *page) {
    const ksda_graph *g = page->release ? page->release->graph : page->original;
    if (page->public_page || g->n == 0) return KSDA_OK;
    put_html(out, "<h2>The network</h2>\n");
    if (g->n > KSDA_I_DRAWING_MOST || g->m > KSDA_I_DRAWING_MOST)
        return ksda_i_page_quotient(ctx, out, g, page->release ? page->release->communities : page->communities);
    if (page->release)
        return ksda_i_page_drawing(ctx, out, g, page->release->communities, page->original, page->release->owner);
    return ksda_i_page_drawing(ctx, out, g, page->communities, NULL, NULL);
}

ksda_status ksda_i_html_write(ksda_ctx *ctx, const ksda_i_html *page, ksda_i_output *out) {
    ksda_status status;
    ksda_i_page_begin(out,
                      page->release    ? "Release report"
                      : page->frontier ? "Releases to choose from"
                                       : "Who is exposed",
                      page->network, page->public_page);
    asked_section(out, page);
    without_community(out, page);
    attack(out, page);
    if (page->k > 1 && !page->release && !page->frontier && !page->public_page)
        KSDA_I_TRY(ksda_i_people_html(ctx, page->original, page->communities, page->before, MOST_PEOPLE, out));
    if (page->vocabulary) ksda_i_vocabulary_html(page->before, out);
    if (page->attack && !page->public_page) ksda_i_attacks_html(page->attack, out);
    if (page->summary && !page->public_page) changes(out, page);
    if (page->comparison && !page->public_page) measures(out, page);
    if (page->frontier && !page->public_page)
        KSDA_I_TRY(
            ksda_i_frontier_html(ctx, page->frontier, page->summary ? page->summary->result.split_weight : 0, out));
    KSDA_I_TRY(degrees(ctx, out, page));
    groups(out, page);
    KSDA_I_TRY(drawing(ctx, out, page));
    if (page->record) ksda_i_record_html(page->record, page->summary, page->comparison, page->public_page, out);
    ksda_i_page_end(out, page->communities->sets != NULL);
done:
    return status;
}
