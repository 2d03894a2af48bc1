/* The drawing of a network: where people are, what was added, who was split. */
#include "report/layout.h"
#include "report/page.h"

#include <math.h>

typedef ksda_i_place point;

enum {
    COLOURS = 8,
    SHAPES = 4
};

/* Okabe and Ito's colours: told apart by every kind of colour vision. */
static const char *const colours[COLOURS] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                             "#56b4e9", "#cc79a7", "#b59f00", "#7f7f7f"};

/* --- marks -------------------------------------------------------------------------------------------------------- */

typedef enum edge_kind {
    EDGE_TRUE,
    EDGE_ADDED,
    EDGE_LINK
} edge_kind;

static edge_kind kind_of(const ksda_graph *original, const uint32_t *owner, uint32_t p, uint32_t q) {
    if (!original) return EDGE_TRUE;
    if (owner[p] == owner[q]) return EDGE_LINK;
    return ksda_graph_adjacent(original, owner[p], owner[q]) ? EDGE_TRUE : EDGE_ADDED;
}

/* Draw the edges of a kind; tells whether there are any. */
static bool draw_edges(ksda_i_output *out, const ksda_graph *g, const ksda_graph *original, const uint32_t *owner,
                       const point *place, edge_kind wanted, const char *class) {
    bool any = false;
    ksda_i_output_format(out, "<path class=\"%s\" d=\"M0 0", class);
    for (uint32_t u = 0; u < g->n; u++)
        for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
            uint32_t v = g->adj[i];
            if (v < u || kind_of(original, owner, u, v) != wanted) continue;
            ksda_i_output_format(out, "M%.0f %.0fL%.0f %.0f", place[u].x, place[u].y, place[v].x, place[v].y);
            any = true;
        }
    ksda_i_output_text(out, "\"/>");
    return any;
}

/* Neighbouring communities differ in shape as well as in colour, so that grey print tells them apart; 32 look
 * different. */
static uint32_t shape_of(uint32_t community) {
    return (community + community / COLOURS) % SHAPES;
}

static void draw_vertex(ksda_i_output *out, uint32_t community, point at, double r, bool split) {
    const char *colour = colours[community % COLOURS], *class = split ? "node split" : "node";
    switch (shape_of(community)) {
    case 0:
        ksda_i_output_format(out, "<circle class=\"%s\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\">", class, colour,
                             at.x, at.y, r);
        break;
    case 1:
        ksda_i_output_format(out,
                             "<rect class=\"%s\" fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
                             class, colour, at.x - r, at.y - r, 2 * r, 2 * r);
        break;
    case 2:
        ksda_i_output_format(out, "<path class=\"%s\" fill=\"%s\" d=\"M%.1f %.1fl%.1f %.1fh%.1fz\">", class, colour,
                             at.x, at.y - 1.2 * r, 1.2 * r, 2.2 * r, -2.4 * r);
        break;
    default:
        ksda_i_output_format(out, "<path class=\"%s\" fill=\"%s\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\">",
                             class, colour, at.x, at.y - 1.3 * r, 1.3 * r, 1.3 * r, -1.3 * r, 1.3 * r, -1.3 * r,
                             -1.3 * r);
    }
}

static const char *end_tag(uint32_t community) {
    uint32_t shape = shape_of(community);
    return shape == 0 ? "</circle>" : shape == 1 ? "</rect>" : "</path>";
}

static void vertices(ksda_i_output *out, const ksda_graph *g, const ksda_communities *c, const ksda_graph *original,
                     const uint32_t *owner, const uint32_t *pieces, const point *place) {
    for (uint32_t v = 0; v < g->n; v++) {
        bool split = pieces && pieces[owner[v]] > 1;
        double r = (g->n <= 200 ? 4 : g->n <= 2000 ? 2.6 : 1.2) + .5 * sqrt(ksda_i_degree(g, v));
        draw_vertex(out, c->of[v], place[v], r, split);
        ksda_i_output_text(out, "<title>");
        ksda_i_page_vertex(out, original ? original : g, original ? owner[v] : v);
        ksda_i_output_text(out, c->sets ? ", in " : ", community ");
        ksda_i_page_community(out, c, c->of[v]);
        ksda_i_output_format(out, ", degree %u", ksda_i_degree(g, v));
        if (original && ksda_i_degree(original, owner[v]) != ksda_i_degree(g, v))
            ksda_i_output_format(out, " (was %u%s)", ksda_i_degree(original, owner[v]), split ? ", split" : "");
        ksda_i_output_format(out, "</title>%s", end_tag(c->of[v]));
    }
}

static void draw_key(ksda_i_output *out, const char *mark, const char *text) {
    ksda_i_output_format(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\">%s</svg>%s</li>", mark, text);
}

/* Only of what is there. */
static void legend(ksda_i_output *out, const ksda_communities *c, bool added, bool links, bool split) {
    ksda_i_output_text(out, "<ul class=\"legend\">");
    for (uint32_t i = 0; i < c->count && i < COLOURS * SHAPES; i++) {
        ksda_i_output_text(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\">");
        draw_vertex(out, i, (point){8, 8}, 5, false);
        ksda_i_output_format(out, "%s</svg>", end_tag(i));
        ksda_i_page_community(out, c, i);
        ksda_i_output_text(out, "</li>");
    }
    if (c->count > COLOURS * SHAPES)
        ksda_i_output_format(out, "<li>further %s repeat colours and shapes</li>", c->sets ? "sets" : "communities");
    if (added) draw_key(out, "<path class=\"added\" d=\"M0 8H16\"/>", "added edge");
    if (links) draw_key(out, "<path class=\"link\" d=\"M0 8H16\"/>", "link between substitutes of one person");
    if (split)
        draw_key(out, "<circle class=\"split\" fill=\"none\" cx=\"8\" cy=\"8\" r=\"5\"/>",
                 "substitute of a split person");
    ksda_i_output_text(out, "</ul>");
}

ksda_status ksda_i_page_drawing(ksda_ctx *ctx, ksda_i_output *out, const ksda_graph *g, const ksda_communities *c,
                                const ksda_graph *original, const uint32_t *owner) {
    ksda_status status = KSDA_NOMEM;
    point *place = ksda_i_malloc(ctx, g->n, sizeof *place);
    uint32_t *pieces = original ? ksda_i_calloc(ctx, original->n, sizeof *pieces) : NULL;
    if (!place || (original && !pieces)) goto done;
    for (uint32_t v = 0; pieces && v < g->n; v++) pieces[owner[v]]++;
    KSDA_I_TRY(ksda_i_layout(ctx, g, c->of, c->count, place));
    ksda_i_output_format(out, "<figure><figcaption id=\"drawing\">%s</figcaption>",
                         original ? "The published network with what was changed. Point at a vertex to see who it is."
                                  : "The network. Point at a vertex to see who it is.");
    ksda_i_output_format(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"drawing\">",
                         KSDA_I_LAYOUT_WIDTH, KSDA_I_LAYOUT_HEIGHT);
    draw_edges(out, g, original, owner, place, EDGE_TRUE, "edge");
    bool added = original && draw_edges(out, g, original, owner, place, EDGE_ADDED, "added");
    bool links = original && draw_edges(out, g, original, owner, place, EDGE_LINK, "link");
    vertices(out, g, c, original, owner, pieces, place);
    ksda_i_output_text(out, "</svg>");
    legend(out, c, added, links, original && g->n > original->n);
    ksda_i_output_text(out, "</figure>\n");
done:
    ksda_i_free(ctx, place);
    ksda_i_free(ctx, pieces);
    return status;
}
