/* The drawing of a network that is too large for one of people: a disc for each community, or where people are in
 * several for each set of them, and a line where edges join two. */
#include "report/layout.h"
#include "report/page.h"
#include "report/report.h"

#include <math.h>

enum {
    MOST = 60,      /* communities that are drawn */
    NAME_BYTES = 24 /* beside a disc at most, with the 0 */
};

typedef struct quotient {
    const ksda_communities *c;
    uint32_t count, row[MOST]; /* the communities */
    uint64_t *between;         /* [count * count] edges, each counted once on the diagonal and twice elsewhere */
    uint64_t most;             /* edges between two different ones */
    uint32_t order[MOST];      /* around the ellipse */
    double wide, high;         /* half of the ellipse: as far as names leave room */
    ksda_i_place place[MOST];
} quotient;

static uint64_t *edges_of(const quotient *q, uint32_t i, uint32_t j) {
    return &q->between[(size_t)i * q->count + j];
}

static ksda_status count_edges(ksda_ctx *ctx, quotient *q, const ksda_graph *g, uint32_t *at) {
    for (uint32_t i = 0; i < q->c->count; i++) at[i] = MOST;
    for (uint32_t i = 0; i < q->count; i++) at[q->row[i]] = i;
    for (uint32_t u = 0; u < g->n; u++) {
        uint32_t i = at[q->c->of[u]];
        if (i == MOST) continue;
        if (u % 4096 == 0 && ksda_i_interrupted(ctx) < 0) return ksda_i_interrupted(ctx);
        for (uint64_t e = g->off[u]; e < g->off[u + 1]; e++) {
            uint32_t v = g->adj[e], j = at[q->c->of[v]];
            if (j == MOST || (i == j && v < u)) continue;
            ++*edges_of(q, i, j);
        }
    }
    for (uint32_t i = 0; i < q->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (*edges_of(q, i, j) > q->most) q->most = *edges_of(q, i, j);
    return KSDA_OK;
}

/* Around an ellipse, each beside the one that it has the most edges with of those that are left. */
static void lay_out(quotient *q) {
    for (uint32_t i = 1; i < q->count; i++) {
        uint32_t next = i;
        for (uint32_t j = i + 1; j < q->count; j++)
            if (*edges_of(q, q->order[i - 1], q->order[j]) > *edges_of(q, q->order[i - 1], q->order[next])) next = j;
        uint32_t one = q->order[next];
        memmove(q->order + i + 1, q->order + i, (next - i) * sizeof *q->order);
        q->order[i] = one;
    }
    for (uint32_t i = 0; i < q->count; i++) {
        double turn = 2 * KSDA_I_PI * i / q->count;
        q->place[q->order[i]] = (ksda_i_place){KSDA_I_LAYOUT_WIDTH / 2.0 + q->wide * cos(turn),
                                               KSDA_I_LAYOUT_HEIGHT / 2.0 + q->high * sin(turn)};
    }
}

static void leave_room_for_names(quotient *q) {
    size_t longest = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        char name[NAME_BYTES];
        ksda_i_page_community_name(q->c, q->row[i], sizeof name, name);
        if (strlen(name) > longest) longest = strlen(name);
    }
    double margin = 40 + 7 * (double)longest;
    q->wide = KSDA_I_LAYOUT_WIDTH / 2.0 - margin, q->high = KSDA_I_LAYOUT_HEIGHT / 2.0 - margin;
}

/* Discs do not meet: the largest has less than half the way to the next one. */
static double radius_of(const quotient *q, uint32_t i) {
    double step = 2 * q->high * sin(KSDA_I_PI / fmax(q->count, 3));
    return fmax(2, fmin(30, .45 * step) *
                       sqrt((double)ksda_i_community_size(q->c, q->row[i]) / ksda_i_community_size(q->c, q->row[0])));
}

static void draw_lines(const quotient *q, ksda_i_output *out) {
    for (uint32_t i = 0; i < q->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint64_t edges = *edges_of(q, i, j);
            char text[32];
            if (edges == 0) continue;
            ksda_i_output_format(
                out, "<path class=\"edge\" style=\"stroke-width:%.1f\" d=\"M%.0f %.0fL%.0f %.0f\"><title>",
                .15 + 8 * (double)edges / (double)q->most, q->place[i].x, q->place[i].y, q->place[j].x, q->place[j].y);
            ksda_i_page_community(out, q->c, q->row[j]);
            ksda_i_output_text(out, " and ");
            ksda_i_page_community(out, q->c, q->row[i]);
            ksda_i_output_format(out, ": %s edge%s</title></path>", ksda_grouped(edges, text), edges == 1 ? "" : "s");
        }
}

/* Outwards from its disc, on the left side turned so that nothing stands on its head. */
static void draw_name(const quotient *q, ksda_i_output *out, uint32_t i) {
    double x = q->place[i].x, y = q->place[i].y,
           angle = atan2(y - KSDA_I_LAYOUT_HEIGHT / 2.0, x - KSDA_I_LAYOUT_WIDTH / 2.0) * 180 / KSDA_I_PI;
    bool left = fabs(angle) > 90;
    double away = radius_of(q, i) + 5;
    char name[NAME_BYTES];
    ksda_i_page_community_name(q->c, q->row[i], sizeof name, name);
    ksda_i_output_format(
        out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" dy=\".35em\" transform=\"rotate(%.1f %.1f %.1f)\">",
        left ? x - away : x + away, y, left ? "end" : "start", left ? angle + 180 : angle, x, y);
    ksda_i_page_text(out, name);
    ksda_i_output_text(out, "</text>");
}

static void draw_discs(const quotient *q, ksda_i_output *out) {
    for (uint32_t i = 0; i < q->count; i++) {
        uint32_t size = ksda_i_community_size(q->c, q->row[i]);
        char people[32], inside[32];
        ksda_i_output_format(out, "<circle class=\"node cell\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>",
                             q->place[i].x, q->place[i].y, radius_of(q, i));
        ksda_i_page_community(out, q->c, q->row[i]);
        ksda_i_output_format(out, ": %s %s, %s edge%s inside</title></circle>", ksda_grouped(size, people),
                             size == 1 ? "person" : "people", ksda_grouped(*edges_of(q, i, i), inside),
                             *edges_of(q, i, i) == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < q->count; i++) draw_name(q, out, i);
}

ksda_status ksda_i_page_quotient(ksda_ctx *ctx, ksda_i_output *out, const ksda_graph *g, const ksda_communities *c) {
    quotient q = {.c = c};
    uint32_t *at = ksda_i_malloc(ctx, c->count, sizeof *at);
    ksda_status status = at ? ksda_i_page_largest(ctx, c, NULL, MOST, q.row, &q.count) : KSDA_NOMEM;
    if (status >= 0 && !(q.between = ksda_i_calloc(ctx, (size_t)q.count * q.count, sizeof *q.between)))
        status = KSDA_NOMEM;
    if (status >= 0) status = count_edges(ctx, &q, g, at);
    if (status >= 0) {
        for (uint32_t i = 0; i < q.count; i++) q.order[i] = i;
        leave_room_for_names(&q);
        lay_out(&q);
        ksda_i_output_format(out,
                             "<figure><figcaption id=\"drawing\">%s: larger discs hold more people, thicker "
                             "lines more edges between two of them. Point at one to see how many.",
                             c->sets ? "People in the same communities" : "Communities");
        if (c->count > q.count) ksda_i_output_format(out, " The %u largest of %u are shown.", q.count, c->count);
        ksda_i_output_format(out, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"drawing\">",
                             KSDA_I_LAYOUT_WIDTH, KSDA_I_LAYOUT_HEIGHT);
        draw_lines(&q, out);
        draw_discs(&q, out);
        ksda_i_output_text(out, "</svg></figure>\n");
    }
    ksda_i_free(ctx, q.between);
    ksda_i_free(ctx, at);
    return status;
}
