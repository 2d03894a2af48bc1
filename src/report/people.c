/* Who is exposed: everybody with the degree, how many others have it and where, and how sure a guess is.
 *
 * Degrees are put in order of what they give away, and one counting sort by that order, over the vertices community by
 * community, leaves the people of one degree and one community in a run. Time O(n + largest degree + groups log
 * groups), 12 bytes a vertex and 4 a degree. */
#include "report/people.h"

#include "core/ctx.h"
#include "core/sort.h"
#include "graph/communities.h"
#include "graph/graph.h"
#include "io/names.h"
#include "report/page.h"

#include <ksda/report.h>
#include <stdlib.h>

typedef struct ranked_group {
    const ksda_degree_group *group;
    uint32_t index;
} ranked_group;

static int by_exposure(const void *a, const void *b) {
    const ksda_degree_group *x = ((const ranked_group *)a)->group, *y = ((const ranked_group *)b)->group;
    uint64_t left = (uint64_t)x->likeliest_vertices * y->vertices,
             right = (uint64_t)y->likeliest_vertices * x->vertices;
    if (x->communities != y->communities) return x->communities < y->communities ? -1 : 1;
    if (left != right) return left > right ? -1 : 1;
    return x->degree > y->degree ? -1 : x->degree < y->degree;
}

/* Where each group's people begin in the list, by group: the groups stand in the order of what they give away. */
static ksda_status group_places(ksda_ctx *ctx, const ksda_diversity *d, uint32_t *place) {
    ranked_group *ranked = ksda_i_malloc(ctx, d->groups, sizeof *ranked);
    if (!ranked) return KSDA_NOMEM;
    for (uint32_t i = 0; i < d->groups; i++) ranked[i] = (ranked_group){&d->group[i], i};
    ksda_i_sort_by(ranked, d->groups, sizeof *ranked, by_exposure);
    for (uint32_t i = 0, at = 0; i < d->groups; at += ranked[i++].group->vertices) place[ranked[i].index] = at;
    ksda_i_free(ctx, ranked);
    return KSDA_OK;
}

static void deal_out(const ksda_graph *g, const ksda_communities *c, const uint32_t *group_of, uint32_t *place,
                     ksda_i_people *out) {
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = c->member[i], group = group_of[ksda_i_degree(g, v)], at = place[group]++;
        out->vertex[at] = v, out->group[at] = group;
    }
    for (uint32_t i = 0, run; i < g->n; i += run) {
        for (run = 1; i + run < g->n && out->group[i + run] == out->group[i] &&
                      c->of[out->vertex[i + run]] == c->of[out->vertex[i]];)
            run++;
        for (uint32_t j = 0; j < run; j++) out->alike[i + j] = run;
    }
}

ksda_status ksda_i_people_rank(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_diversity *diversity, ksda_i_people *out) {
    uint32_t degrees = diversity->groups ? diversity->group[0].degree + 1 : 0;
    uint32_t *group_of = ksda_i_malloc(ctx, degrees, sizeof *group_of);
    uint32_t *place = ksda_i_malloc(ctx, diversity->groups, sizeof *place);
    ksda_status status = KSDA_NOMEM;
    *out = (ksda_i_people){.count = graph->n,
                           .vertex = ksda_i_malloc(ctx, graph->n, sizeof *out->vertex),
                           .group = ksda_i_malloc(ctx, graph->n, sizeof *out->group),
                           .alike = ksda_i_malloc(ctx, graph->n, sizeof *out->alike)};
    if (!group_of || !place || !out->vertex || !out->group || !out->alike) goto done;
    for (uint32_t i = 0; i < diversity->groups; i++) group_of[diversity->group[i].degree] = i;
    KSDA_I_TRY(group_places(ctx, diversity, place));
    deal_out(graph, communities, group_of, place, out);
    status = ksda_i_interrupted(ctx);
done:
    ksda_i_free(ctx, group_of);
    ksda_i_free(ctx, place);
    return status;
}

void ksda_i_people_clear(ksda_ctx *ctx, ksda_i_people *people) {
    ksda_i_free(ctx, people->vertex);
    ksda_i_free(ctx, people->group);
    ksda_i_free(ctx, people->alike);
    *people = (ksda_i_people){.count = 0};
}

static void csv_line(const ksda_graph *g, const ksda_communities *c, const ksda_diversity *d,
                     const ksda_i_people *people, uint32_t i, ksda_i_output *out) {
    const ksda_degree_group *group = &d->group[people->group[i]];
    uint32_t v = people->vertex[i];
    ksda_i_names_write(&g->ids, v, KSDA_I_NAMING_CSV, ',', out);
    ksda_i_output_text(out, ",");
    if (c->of[v] < c->unknown) ksda_i_names_write(&c->names, c->of[v], KSDA_I_NAMING_CSV, ',', out);
    ksda_i_output_format(out, ",%u,%u,%u,%s,", group->degree, group->vertices, group->communities,
                         group->communities < d->k ? "yes" : "no");
    ksda_i_names_write(ksda_i_community_names(c), group->likeliest, KSDA_I_NAMING_CSV, ',', out);
    ksda_i_output_format(out, ",%.6f,%.6f\n", (double)group->likeliest_vertices / group->vertices,
                         (double)people->alike[i] / group->vertices);
}

ksda_status ksda_i_people_csv(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                              const ksda_diversity *diversity, ksda_i_output *out) {
    ksda_i_people people = {.count = 0};
    ksda_status status = ksda_i_names_check(ctx, &graph->ids, KSDA_I_NAMING_CSV, "a list of people");
    if (status >= 0) status = ksda_i_names_check(ctx, &communities->names, KSDA_I_NAMING_CSV, "a list of people");
    if (status >= 0) status = ksda_i_people_rank(ctx, graph, communities, diversity, &people);
    ksda_i_output_text(out, "person,community,degree,people_with_degree,communities_with_degree,exposed,guess,"
                            "guess_is_right,own_community_share\n");
    for (uint32_t i = 0; status >= 0 && i < people.count; i++) {
        csv_line(graph, communities, diversity, &people, i, out);
        if (i % 65536 == 0) status = ksda_i_progress(ctx, "listing", i, people.count);
    }
    ksda_i_people_clear(ctx, &people);
    return status;
}

static void html_row(const ksda_graph *g, const ksda_communities *c, const ksda_diversity *d,
                     const ksda_i_people *people, uint32_t i, ksda_i_output *out) {
    const ksda_degree_group *group = &d->group[people->group[i]];
    uint32_t v = people->vertex[i];
    ksda_i_output_text(out, "<tr><th scope=\"row\">");
    ksda_i_page_vertex(out, g, v);
    ksda_i_output_text(out, "</th><td>");
    if (c->of[v] < c->unknown)
        ksda_i_page_community(out, c, c->of[v]);
    else
        ksda_i_output_text(out, "not known");
    ksda_i_output_format(out, "</td><td>%u</td><td class=\"wide\">%u</td><td>%u</td><td>%.0f %%</td></tr>\n",
                         group->degree, group->vertices, group->communities,
                         100.0 * group->likeliest_vertices / group->vertices);
}

ksda_status ksda_i_people_html(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                               const ksda_diversity *diversity, uint32_t most, ksda_i_output *out) {
    ksda_i_people people;
    uint32_t shown = diversity->violating_vertices < most ? diversity->violating_vertices : most;
    char a[32];
    if (shown == 0) return KSDA_OK;
    ksda_status status = ksda_i_people_rank(ctx, graph, communities, diversity, &people);
    if (status >= 0) {
        ksda_i_output_format(out,
                             "<h2>Who is exposed?</h2>\n<p>%s %s a degree %s fewer than %u %s%s. "
                             "<code>ksda check --list FILE</code> lists everybody.</p>\n",
                             ksda_grouped(diversity->violating_vertices, a),
                             diversity->violating_vertices == 1 ? "person has" : "people have",
                             diversity->overlap ? "with" : "that occurs in", diversity->k,
                             diversity->overlap ? "witnesses" : "communities",
                             shown < diversity->violating_vertices ? "; those with the fewest are shown" : "");
        ksda_i_output_format(
            out,
            "<div class=\"scroll\"><table><caption>People whose degree gives too much away, and %s"
            "</caption><thead><tr><th scope=\"col\">person</th><th scope=\"col\">%s</th>"
            "<th scope=\"col\">degree</th><th scope=\"col\" class=\"wide\">people with it</th><th scope=\"col\">"
            "%s</th><th scope=\"col\">a guess is right</th></tr></thead><tbody>\n",
            diversity->overlap ? "how many witnesses it has" : "in how many communities it occurs",
            diversity->overlap ? "communities" : "community", diversity->overlap ? "witnesses" : "occurs in");
        for (uint32_t i = 0; i < shown; i++) html_row(graph, communities, diversity, &people, i, out);
        ksda_i_output_text(out, "</tbody></table></div>\n");
    }
    ksda_i_people_clear(ctx, &people);
    return status;
}
