/* Layout after Fruchterman and Reingold (doi:10.1002/spe.4380211102): every two vertices push each other away, every
 * edge pulls. Vertices start around the place of their community on a circle, so that communities stay together. O(n^2)
 * a round with fewer rounds for larger networks; above 1,500 vertices those far away push together, as Barnes and Hut
 * do it (doi:10.1038/324446a0). Vertices without an edge, which nothing would hold, stand in rows below. */
#include "report/layout.h"

#include "core/random.h"

#include <math.h>
#include <string.h>

enum {
    SIZE = KSDA_I_LAYOUT_WIDTH,
    MARGIN = 24,
    STAGE_DRAWING = 0x64726177,
    EXACT_MOST = 1500, /* vertices, each of which looks at every other */
    LEVELS = 7
};
static const double NEAR = .6; /* a cell looks small where the square of side / distance is below */

typedef ksda_i_place point;

static void start_places(const ksda_graph *g, const uint32_t *of, uint32_t count, point *place) {
    for (uint32_t v = 0; v < g->n; v++) {
        ksda_i_rng r = ksda_i_rng_stream(1, STAGE_DRAWING, v);
        double angle = 2 * KSDA_I_PI * of[v] / count, turn = 2 * KSDA_I_PI * ksda_i_rng_unit(&r),
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

/* --- from far away ------------------------------------------------------------------------------------------------ */

/* Squares of squares over all vertices, the finest 128 by 128: how many vertices are in each, and the sum of their
 * places. */
typedef struct cell {
    double x, y, mass;
} cell;

/* Cells of level i stand from here on, row by row; level 0 is one cell. */
static size_t first_of(int level) {
    return (((size_t)1 << 2 * level) - 1) / 3;
}

static cell *cell_at(cell *far, int level, uint32_t x, uint32_t y) {
    return &far[first_of(level) + ((size_t)y << level) + x];
}

static void gather(const ksda_graph *g, const point *place, cell *far, point low, double side) {
    memset(far, 0, first_of(LEVELS + 1) * sizeof *far);
    for (uint32_t v = 0; v < g->n; v++) {
        if (ksda_i_degree(g, v) == 0) continue;
        uint32_t most = (1u << LEVELS) - 1;
        uint32_t x = (uint32_t)((place[v].x - low.x) / side * most), y = (uint32_t)((place[v].y - low.y) / side * most);
        for (int level = LEVELS; level >= 0; level--, x /= 2, y /= 2) {
            cell *c = cell_at(far, level, x, y);
            c->x += place[v].x, c->y += place[v].y, c->mass++;
        }
    }
}

/* What the vertices of a cell do to one that is there: all at once from their middle where the cell looks small. */
static void push_from(cell *far, int level, uint32_t x, uint32_t y, double side, point at, point *sum) {
    const cell *c = cell_at(far, level, x, y);
    if (c->mass == 0) return;
    double dx = at.x - c->x / c->mass, dy = at.y - c->y / c->mass, d2 = dx * dx + dy * dy + 1e-6;
    if (level == LEVELS || side * side < NEAR * d2) {
        sum->x += c->mass * dx / d2;
        sum->y += c->mass * dy / d2;
        return;
    }
    for (uint32_t i = 0; i < 4; i++) push_from(far, level + 1, 2 * x + i % 2, 2 * y + i / 2, side / 2, at, sum);
}

/* As push_apart(), in O(n log n). */
static void push_far(const ksda_graph *g, const point *place, point *force, double ideal, cell *far) {
    point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (uint32_t v = 0; v < g->n; v++) {
        low = (point){fmin(low.x, place[v].x), fmin(low.y, place[v].y)};
        high = (point){fmax(high.x, place[v].x), fmax(high.y, place[v].y)};
    }
    double side = fmax(fmax(high.x - low.x, high.y - low.y), 1e-9);
    gather(g, place, far, low, side);
    for (uint32_t v = 0; v < g->n; v++) {
        point sum = {0, 0};
        push_from(far, 0, 0, 0, side, place[v], &sum);
        force[v] = (point){sum.x * ideal * ideal, sum.y * ideal * ideal};
    }
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static void pull_together(const ksda_graph *g, const uint32_t *of, const point *place, point *force, double ideal) {
    for (uint32_t u = 0; u < g->n; u++) {
        for (uint64_t i = g->off[u]; i < g->off[u + 1]; i++) {
            uint32_t v = g->adj[i];
            double dx = place[v].x - place[u].x, dy = place[v].y - place[u].y, far = sqrt(dx * dx + dy * dy);
            double pull = far / ideal * (of[u] == of[v] ? 1 : .3); /* communities stay together */
            force[u].x += pull * dx;
            force[u].y += pull * dy;
        }
        force[u].x -= .02 * place[u].x; /* and what is not connected does not fly away */
        force[u].y -= .02 * place[u].y;
    }
}

static void move_vertices(uint32_t n, point *place, const point *force, double most) {
    for (uint32_t v = 0; v < n; v++) {
        double length = sqrt(force[v].x * force[v].x + force[v].y * force[v].y) + 1e-12,
               step = length < most ? length : most;
        place[v].x += force[v].x / length * step;
        place[v].y += force[v].y / length * step;
    }
}

/* Stretch to the frame, less the rows of the isolated, `below` high. */
static void fit_to_frame(const ksda_graph *g, point *place, double below) {
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

static ksda_status run_layout(ksda_ctx *ctx, const ksda_graph *g, const uint32_t *of, point *place, point *force,
                              cell *far) {
    double ideal = 1.6 / sqrt((double)g->n + 1);
    unsigned rounds = g->n <= 300 ? 250 : g->n <= 1000 ? 120 : 60;
    for (unsigned i = 0; i < rounds; i++) {
        ksda_status status = ksda_i_progress(ctx, "drawing", i, rounds);
        if (status < 0) return status;
        if (far)
            push_far(g, place, force, ideal, far);
        else
            push_apart(g, place, force, ideal);
        pull_together(g, of, place, force, ideal);
        move_vertices(g->n, place, force, .15 * (1 - (double)i / rounds));
    }
    fit_to_frame(g, place, line_up(g, place, false));
    line_up(g, place, true);
    return KSDA_OK;
}

ksda_status ksda_i_layout(ksda_ctx *ctx, const ksda_graph *g, const uint32_t *of, uint32_t count, ksda_i_place *place) {
    ksda_status status = KSDA_NOMEM;
    bool large = g->n > EXACT_MOST;
    point *force = ksda_i_malloc(ctx, g->n, sizeof *force);
    cell *far = large ? ksda_i_malloc(ctx, first_of(LEVELS + 1), sizeof *far) : NULL;
    if (!force || (large && !far)) goto done;
    start_places(g, of, count, place);
    status = run_layout(ctx, g, of, place, force, far);
done:
    ksda_i_free(ctx, force);
    ksda_i_free(ctx, far);
    return status;
}
