/* Hubs first: everybody above a degree, the cap, is cut into pieces of that degree and a rest, and the network of the
 * pieces is planned like any other.
 *
 * The plan goes down from the largest degree and carries split vertices along until their pieces are placed. Where a
 * few communities hold all hubs, hundreds of them in communities much larger than the others, nearly all have to be
 * split into many pieces: no state of the search can carry so many. But how they are split is no secret then: into as
 * few pieces as the highest level allows. So the level is guessed, the hubs are cut, and what is left has no degree
 * above it.
 *
 * From the degree that k communities can reach by adding edges, caps are tried downwards in geometric steps, then
 * beside the best one. The release of the network of the pieces becomes one of the original by numbers alone: pieces of
 * a piece are further pieces of its vertex, and an edge between two pieces of one vertex is a link, which costs
 * nothing. Heuristic; no guarantee that one is found. */
#include "methods/levelplan/capped.h"
#include "methods/levelplan/rounds.h"

#include <math.h>
#include <stdlib.h>

#define STEP 1.25     /* from one cap to the next */
#define WORSE 2u      /* caps in a row that are not the best */
#define CLOSER 4u     /* caps beside the best one */
#define ROUNDS 4u     /* for each cap */
#define CUT_UNITS 40u /* of work, for cutting and joining, for every vertex and edge */

typedef struct search {
    ksda_ctx *ctx;
    const ksda_graph *graph;
    const ksda_communities *communities;
    const ksda_anonymize_options *options;
    ksda_i_ranks lists;
    double below;
    uint32_t cap; /* of the best release */
    ksda_edits *best;
} search;

/* --- cutting hubs ------------------------------------------------------------------------------------------------- */

/* Splits that a cap takes. */
static double splits_of(const ksda_graph *g, uint32_t cap) {
    double splits = 0;
    for (uint32_t v = 0; v < g->n; v++)
        if (ksda_i_degree(g, v) > cap) splits += (ksda_i_degree(g, v) - 1) / cap;
    return splits;
}

/* Could a release with this cap be cheaper than what is known? */
static bool affords(const search *s, uint32_t cap) {
    return s->options->split_weight * splits_of(s->graph, cap) < s->below;
}

static ksda_status cut_one(const search *s, uint32_t v, uint32_t cap, uint64_t *order, ksda_edits *edits) {
    ksda_status status = KSDA_OK;
    uint32_t degree = ksda_i_degree(s->graph, v), piece = v;
    ksda_i_deal_order(s->graph, s->communities, v, order);
    for (uint32_t i = 0; i < degree; i++) {
        if (i && i % cap == 0) KSDA_I_TRY(ksda_edits_split(s->ctx, edits, v, &piece));
        if (i >= cap) KSDA_I_TRY(ksda_edits_carry(s->ctx, edits, v, (uint32_t)order[i], piece));
    }
done:
    return status;
}

static ksda_status cut_all(const search *s, uint32_t cap, ksda_edits **out) {
    ksda_status status;
    uint32_t top = 0;
    for (uint32_t v = 0; v < s->graph->n; v++)
        if (ksda_i_degree(s->graph, v) > top) top = ksda_i_degree(s->graph, v);
    uint64_t *order = ksda_i_malloc(s->ctx, top, sizeof *order);
    *out = NULL;
    if (!order) return KSDA_NOMEM;
    KSDA_I_TRY(ksda_edits_new(s->ctx, s->graph, out));
    for (uint32_t v = 0; v < s->graph->n; v++) {
        if (ksda_i_degree(s->graph, v) <= cap) continue;
        KSDA_I_TRY(ksda_i_interrupted(s->ctx));
        KSDA_I_TRY(cut_one(s, v, cap, order, *out));
    }
done:
    ksda_i_free(s->ctx, order);
    return status;
}

/* --- back to the original ----------------------------------------------------------------------------------------- */

/* The pieces of v's row: who carries an entry in the network of the pieces, and which piece of that one. */
static ksda_status carry_row(const search *s, const ksda_edits *cut, const ksda_graph *pieces, const ksda_edits *then,
                             uint32_t v, ksda_edits *out) {
    const ksda_graph *g = s->graph;
    ksda_status status = KSDA_OK;
    ksda_i_graph_need(g, v);
    for (uint64_t i = g->off[v]; i < g->off[v + 1]; i++) {
        uint32_t w = g->adj[i], at = (uint32_t)(i - g->off[v]), p = ksda_edits_carrier(cut, v, at),
                 q = ksda_edits_carrier(cut, w, (uint32_t)(ksda_i_graph_position(g, w, v) - g->off[w]));
        uint32_t x = ksda_edits_carrier(then, p, (uint32_t)(ksda_i_graph_position(pieces, p, q) - pieces->off[p]));
        if (x != v) KSDA_I_TRY(ksda_edits_carry(s->ctx, out, v, at, x));
    }
done:
    return status;
}

/* `then` is done to the network of the pieces of `cut`: both as edits of the original. */
static ksda_status compose(const search *s, const ksda_edits *cut, const ksda_graph *pieces, const ksda_edits *then,
                           ksda_edits **out) {
    ksda_status status;
    uint32_t n = s->graph->n, piece;
    const ksda_pair *pair;
    *out = NULL;
    KSDA_I_TRY(ksda_edits_new(s->ctx, s->graph, out));
    for (uint32_t x = n; x < ksda_edits_pieces(then); x++)
        KSDA_I_TRY(ksda_edits_split(s->ctx, *out, ksda_edits_owner(cut, ksda_edits_owner(then, x)), &piece));
    for (uint32_t v = 0; v < n; v++) {
        if (v % 4096 == 0) KSDA_I_TRY(ksda_i_interrupted(s->ctx));
        KSDA_I_TRY(carry_row(s, cut, pieces, then, v, *out));
    }
    for (uint64_t i = 0, links = ksda_edits_links(then, &pair); i < links; i++)
        KSDA_I_TRY(ksda_edits_link(s->ctx, *out, pair[i].u, pair[i].v));
    for (uint64_t i = 0, added = ksda_edits_added(then, &pair); i < added; i++) {
        bool siblings = ksda_edits_owner(*out, pair[i].u) == ksda_edits_owner(*out, pair[i].v);
        KSDA_I_TRY(siblings ? ksda_edits_link(s->ctx, *out, pair[i].u, pair[i].v)
                            : ksda_edits_add_edge(s->ctx, *out, pair[i].u, pair[i].v));
    }
done:
    return status;
}

/* --- caps --------------------------------------------------------------------------------------------------------- */

/* Plan with this cap, unless its splits alone cost too much. */
static ksda_status try_cap(search *s, uint32_t cap) {
    ksda_status status;
    ksda_edits *cut = NULL, *then = NULL, *edits = NULL;
    ksda_graph *pieces = NULL;
    ksda_communities *of = NULL;
    uint32_t *owner = NULL;
    ksda_i_rounds rounds = {.ctx = s->ctx};
    if (!affords(s, cap)) return KSDA_OK;
    ksda_i_work(s->ctx, CUT_UNITS * (s->graph->n + s->graph->m));
    KSDA_I_TRY(cut_all(s, cap, &cut));
    KSDA_I_TRY(ksda_edits_apply(s->ctx, cut, &pieces));
    owner = ksda_i_malloc(s->ctx, pieces->n, sizeof *owner);
    status = KSDA_NOMEM;
    if (!owner) goto done;
    ksda_edits_owners(cut, owner);
    KSDA_I_TRY(ksda_i_communities_pull(s->ctx, s->communities, pieces->n, owner, NULL, &of));
    KSDA_I_TRY(ksda_i_rounds_open(s->ctx, pieces, of, s->options, &rounds));
    KSDA_I_TRY(ksda_i_rounds_search(&rounds, ROUNDS));
    if (!rounds.found) goto done;
    KSDA_I_TRY(ksda_i_plan_join(s->ctx, &rounds.pieces, &rounds.made, &then));
    KSDA_I_TRY(compose(s, cut, pieces, then, &edits));
    double cost =
        (double)ksda_edits_added(edits, NULL) + s->options->split_weight * (ksda_edits_pieces(edits) - s->graph->n);
    if (cost < s->below) {
        ksda_edits_free(s->ctx, s->best);
        s->best = edits, s->below = cost, s->cap = cap;
        edits = NULL;
    }
done:
    ksda_i_rounds_close(&rounds);
    ksda_edits_free(s->ctx, cut);
    ksda_edits_free(s->ctx, then);
    ksda_edits_free(s->ctx, edits);
    ksda_communities_free(s->ctx, of);
    ksda_graph_free(s->ctx, pieces);
    ksda_i_free(s->ctx, owner);
    return status;
}

/* Can k communities be at the cap? One is if it has a hub, or if its largest member below has room to get there: the
 * plan raises larger ones first. */
static bool is_open(const search *s, uint32_t cap) {
    const ksda_i_ranks *l = &s->lists;
    uint32_t there = 0;
    for (uint32_t c = 0; c < l->communities; c++) {
        uint32_t at = l->start[c];
        there += l->degree[at] >= cap || cap - l->degree[at] <= l->slack[at];
    }
    return there >= s->options->k;
}

/* The largest open cap up to `most`, or 0. */
static uint32_t next_cap(const search *s, uint32_t most) {
    while (most && !is_open(s, most)) most--;
    return most;
}

static bool work_is_over(const search *s) {
    return ksda_i_work_over(s->ctx) || ksda_i_time_left(s->ctx) <= 0;
}

/* Downwards in geometric steps, as long as a cap can still be cheaper than what is known; then beside the best. */
static ksda_status try_caps(search *s, uint32_t top) {
    ksda_status status = KSDA_OK;
    double step = STEP;
    uint32_t worse = 0;
    for (uint32_t cap = top; (cap = next_cap(s, cap)) && affords(s, cap); cap = (uint32_t)(cap / STEP)) {
        if (worse == WORSE || work_is_over(s)) break;
        KSDA_I_TRY(ksda_i_progress_stage(s->ctx, top - cap, top));
        KSDA_I_TRY(try_cap(s, cap));
        worse += s->best && s->cap != cap;
    }
    for (uint32_t i = 0; i < CLOSER && s->best && !work_is_over(s); i++) {
        uint32_t before = s->cap, up = next_cap(s, (uint32_t)(before * sqrt(step))),
                 down = next_cap(s, (uint32_t)(before / sqrt(step)));
        if (up > before) KSDA_I_TRY(try_cap(s, up));
        if (down && s->cap == before && !work_is_over(s)) KSDA_I_TRY(try_cap(s, down));
        if (s->cap == before) step = sqrt(step);
    }
done:
    return status;
}

ksda_status ksda_i_capped(ksda_ctx *ctx, const ksda_graph *graph, const ksda_communities *communities,
                          const ksda_anonymize_options *options, double below, ksda_edits **out) {
    ksda_status status;
    search s = {.ctx = ctx, .graph = graph, .communities = communities, .options = options, .below = below};
    *out = NULL;
    KSDA_I_TRY(ksda_i_ranks_make(ctx, graph, communities, &s.lists));
    KSDA_I_TRY(try_caps(&s, s.lists.level[0]));
    *out = s.best, s.best = NULL;
done:
    ksda_i_ranks_clear(ctx, &s.lists);
    ksda_edits_free(ctx, s.best);
    return status;
}
