/* The drawing of a small network: where people are, what was added, who was split.
 *
 * Layout after Fruchterman and Reingold (doi:10.1002/spe.4380211102): every two vertices push each other away, every
 * edge pulls. Vertices start around the place of their community on a circle, so that communities stay together. O(n^2)
 * a round with fewer rounds for larger networks: at most about a second for the 2,000 vertices that are still drawn.
 * Vertices without an edge, which nothing would hold, stand in rows below. */
#include "core/random.h"
#include "report/page.h"

#include <math.h>

enum {
    SIZE = 900,
    MARGIN = 24,
    STAGE_DRAWING = 0x64726177,
    COLOURS = 8,
    SHAPES = 4
};

/* Okabe and Ito's colours: told apart by every kind of colour vision. */
static const char *const colours[COLOURS] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                             "#56b4e9", "#cc79a7", "#b59f00", "#7f7f7f"};

typedef struct point {
    double x, y;
} point;

static void start_places(const ksda_graph *g, const ksda_communities *c, point *place) {
    const double pi = 3.14159265358979323846;
    for (uint32_t v = 0; v < g->n; v++) {
        ksda_i_rng r = ksda_i_rng_stream(1, STAGE_DRAWING, v);
        double angle = 2 * pi * c->of[v] / c->count, turn = 2 * pi * ksda_i_rng_unit(&r),
               far = .25 * sqrt(ksda_i_rng_unit(&r));
        place[v] = (point){cos(angle) + far * cos(turn), sin(angle) + far * sin(turn)};
    }
}

static void push_apart(const ksda_graph *g, const point *place, point *force, double ideal) {
    for (uint32_t u = 0; u < g->n; u++) {
        point sum = {0, 0};
        for (uint32_t v = 0; v < g->n; v++) {
            if (ksda_i_degree(g, v) == 0) continue;
            double dx = place[u].x - place[v].x, dy = place[u].y - place[v].y, d2 = dx * dx + dy * dy + 1e-6;
            sum.x += dx / d2;
            sum.y += dy / d2;
        }
        force[u] = (point){sum.x * ideal * ideal, sum.y * ideal * ideal};
    }
}

static void pull_together(const ksda_graph *g, const ksda_communities *c, const point *place, point *force,
                          double ideal) {
    for (uint32_t u = 0; u < g->n; u++) {
        for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
            uint32_t v = g->adj[i];
            double dx = place[v].x - place[u].x, dy = place[v].y - place[u].y, far = sqrt(dx * dx + dy * dy);
            double pull = far / ideal * (c->of[u] == c->of[v] ? 1 : .3); /* communities stay together */
            force[u].x += pull * dx;
            force[u].y += pull * dy;
        }
        force[u].x -= .02 * place[u].x; /* and what is not connected does not fly away */
        force[u].y -= .02 * place[u].y;
    }
}

static void move(uint32_t n, point *place, const point *force, double most) {
    for (uint32_t v = 0; v < n; v++) {
        double length = sqrt(force[v].x * force[v].x + force[v].y * force[v].y) + 1e-12,
               step = length < most ? length : most;
        place[v].x += force[v].x / length * step;
        place[v].y += force[v].y / length * step;
    }
}

/* Stretch to the frame, less the rows of the isolated, `below` high. */
static void fit(const ksda_graph *g, point *place, double below) {
    point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (uint32_t v = 0; v < g->n; v++) {
        if (ksda_i_degree(g, v) == 0) continue;
        low = (point){fmin(low.x, place[v].x), fmin(low.y, place[v].y)};
        high = (point){fmax(high.x, place[v].x), fmax(high.y, place[v].y)};
    }
    double width = fmax(high.x - low.x, 1e-9), height = fmax(high.y - low.y, 1e-9), room = SIZE - 2 * MARGIN;
    for (uint32_t v = 0; v < g->n; v++) {
        place[v].x = MARGIN + room * (place[v].x - low.x) / width;
        place[v].y = MARGIN + (.7 * room - below) * (place[v].y - low.y) / height;
    }
}

/* The isolated in rows at the foot of the frame, of which they get a third at most. Returns how high the rows are. */
static double line_up(const ksda_graph *g, point *place, bool put) {
    double room = SIZE - 2 * MARGIN, high = .7 * room;
    uint32_t isolated = 0, at = 0;
    for (uint32_t v = 0; v < g->n; v++) isolated += ksda_i_degree(g, v) == 0;
    if (isolated == 0) return 0;
    double step = fmin(18, sqrt(room * high / 3 / isolated));
    uint32_t columns = (uint32_t)(room / step), rows = (isolated + columns - 1) / columns;
    for (uint32_t v = 0; put && v < g->n; v++) {
        if (ksda_i_degree(g, v) > 0) continue;
        place[v] = (point){MARGIN + (at % columns + .5) * step, MARGIN + high - (rows - 1 - at / columns) * step};
        at++;
    }
    return rows * step;
}

static ksda_status lay_out(ksda_ctx *ctx, const ksda_graph *g, const ksda_communities *c, point *place, point *force) {
    double ideal = 1.6 / sqrt((double)g->n + 1);
    unsigned rounds = g->n <= 300 ? 250 : g->n <= 1000 ? 120 : 60;
    start_places(g, c, place);
    for (unsigned i = 0; i < rounds; i++) {
        ksda_status status = ksda_i_progress(ctx, "drawing", i, rounds);
        if (status < 0) return status;
        push_apart(g, place, force, ideal);
        pull_together(g, c, place, force, ideal);
        move(g->n, place, force, .15 * (1 - (double)i / rounds));
    }
    fit(g, place, line_up(g, place, false));
    line_up(g, place, true);
    return KSDA_OK;
}

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
static bool edges(ksda_i_output *out, const ksda_graph *g, const ksda_graph *original, const uint32_t *owner,
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

static void mark(ksda_i_output *out, uint32_t community, point at, double r, bool split) {
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
        double r = (g->n <= 200 ? 4 : 2.6) + .5 * sqrt(ksda_i_degree(g, v));
        mark(out, c->of[v], place[v], r, split);
        ksda_i_output_text(out, "<title>");
        ksda_i_page_vertex(out, original ? original : g, original ? owner[v] : v);
        ksda_i_output_text(out, ", community ");
        ksda_i_page_community(out, c, c->of[v]);
        ksda_i_output_format(out, ", degree %u", ksda_i_degree(g, v));
        if (original && ksda_i_degree(original, owner[v]) != ksda_i_degree(g, v))
            ksda_i_output_format(out, " (was %u%s)", ksda_i_degree(original, owner[v]), split ? ", split" : "");
        ksda_i_output_format(out, "</title>%s", end_tag(c->of[v]));
    }
}

static void key(ksda_i_output *out, const char *mark, const char *text) {
    ksda_i_output_format(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\">%s</svg>%s</li>", mark, text);
}

/* Only of what is there. */
static void legend(ksda_i_output *out, const ksda_communities *c, bool added, bool links, bool split) {
    ksda_i_output_text(out, "<ul class=\"legend\">");
    for (uint32_t i = 0; i < c->count && i < COLOURS * SHAPES; i++) {
        ksda_i_output_text(out, "<li><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\">");
        mark(out, i, (point){8, 8}, 5, false);
        ksda_i_output_format(out, "%s</svg>", end_tag(i));
        ksda_i_page_community(out, c, i);
        ksda_i_output_text(out, "</li>");
    }
    if (c->count > COLOURS * SHAPES) ksda_i_output_text(out, "<li>further communities repeat colours and shapes</li>");
    if (added) key(out, "<path class=\"added\" d=\"M0 8H16\"/>", "added edge");
    if (links) key(out, "<path class=\"link\" d=\"M0 8H16\"/>", "link between substitutes of one person");
    if (split)
        key(out, "<circle class=\"split\" fill=\"none\" cx=\"8\" cy=\"8\" r=\"5\"/>", "substitute of a split person");
    ksda_i_output_text(out, "</ul>");
}

ksda_status ksda_i_page_drawing(ksda_ctx *ctx, ksda_i_output *out, const ksda_graph *g, const ksda_communities *c,
                                const ksda_graph *original, const uint32_t *owner) {
    ksda_status status = KSDA_NOMEM;
    point *place = ksda_i_malloc(ctx, g->n, sizeof *place), *force = ksda_i_malloc(ctx, g->n, sizeof *force);
    uint32_t *pieces = original ? ksda_i_calloc(ctx, original->n, sizeof *pieces) : NULL;
    if (!place || !force || (original && !pieces)) goto done;
    for (uint32_t v = 0; pieces && v < g->n; v++) pieces[owner[v]]++;
    KSDA_I_TRY(lay_out(ctx, g, c, place, force));
    ksda_i_output_format(out, "<figure><figcaption id=\"drawing\">%s</figcaption>",
                         original ? "The published network with what was changed. Point at a vertex to see who it is."
                                  : "The network. Point at a vertex to see who it is.");
    ksda_i_output_format(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-labelledby=\"drawing\">", SIZE,
                         .7 * SIZE + 2 * MARGIN * .3 + 10);
    edges(out, g, original, owner, place, EDGE_TRUE, "edge");
    bool added = original && edges(out, g, original, owner, place, EDGE_ADDED, "added");
    bool links = original && edges(out, g, original, owner, place, EDGE_LINK, "link");
    vertices(out, g, c, original, owner, pieces, place);
    ksda_i_output_text(out, "</svg>");
    legend(out, c, added, links, original && g->n > original->n);
    ksda_i_output_text(out, "</figure>\n");
done:
    ksda_i_free(ctx, place);
    ksda_i_free(ctx, force);
    ksda_i_free(ctx, pieces);
    return status;
}
