/* Splitting Vertex: taking pieces off a vertex.
 *
 * The original edges of a split vertex are a permutation of its row, cut into one range a piece. A new piece takes the
 * end of the range of the piece that remains, after as many random swaps as it gets edges: so a vertex of degree d that
 * falls into pieces one by one costs O(d) in all, not O(d) a piece. The carriers themselves stand in the edits. */
#include "methods/paper/state.h"

enum {
    STAGE_DEAL = 0x6465616c
};

uint32_t ksda_i_originals(const ksda_i_state *s, uint32_t v) {
    uint32_t row = s->row_of ? s->row_of[v] : 0;
    return row ? s->row[row - 1].length : ksda_i_degree(s->graph, v);
}

/* Give v, not split so far, a row of its own. */
static ksda_status row_new(ksda_i_state *s, uint32_t v) {
    uint32_t degree = ksda_i_degree(s->graph, v);
    ksda_status status;
    if (!s->row_of) {
        status = ksda_i_reserve(s->ctx, &s->row_of, &s->row_of_capacity, s->graph->n, sizeof *s->row_of);
        if (status < 0) return status;
        memset(s->row_of, 0, s->graph->n * sizeof *s->row_of);
    }
    if (s->row_of[v]) return KSDA_OK;
    if ((status = ksda_i_reserve(s->ctx, &s->row, &s->row_capacity, s->rows + 1, sizeof *s->row)) < 0 ||
        (status = ksda_i_reserve(s->ctx, &s->position, &s->position_capacity, s->positions + degree,
                                 sizeof *s->position)) < 0)
        return status;
    for (uint32_t i = 0; i < degree; i++) s->position[s->positions + i] = i;
    s->row[s->rows++] = (ksda_i_piece_row){s->positions, degree};
    s->row_of[v] = (uint32_t)s->rows;
    s->positions += degree;
    return KSDA_OK;
}

/* A new piece of v without edges. */
static ksda_status piece_new(ksda_i_state *s, uint32_t v, uint32_t *piece) {
    uint64_t need;
    ksda_status status = row_new(s, v);
    if (status >= 0) status = ksda_edits_split(s->ctx, s->edits, v, piece);
    if (status < 0) return status;
    need = (uint64_t)*piece + 1;
    if ((status = ksda_i_reserve(s->ctx, &s->piece, &s->piece_capacity, need, sizeof *s->piece)) < 0 ||
        (status = ksda_i_reserve(s->ctx, &s->row_of, &s->row_of_capacity, need, sizeof *s->row_of)) < 0 ||
        (status = ksda_i_reserve(s->ctx, &s->row, &s->row_capacity, s->rows + 1, sizeof *s->row)) < 0)
        return status;
    if (s->near) {
        if ((status = ksda_i_reserve(s->ctx, &s->near, &s->near_capacity, need, sizeof *s->near)) < 0) return status;
        s->near[*piece] = 0;
    }
    s->piece[*piece].degree = 0;
    s->piece[*piece].made = KSDA_I_NONE;
    s->row[s->rows++] = (ksda_i_piece_row){0, 0};
    s->row_of[*piece] = (uint32_t)s->rows;
    return KSDA_OK;
}

/* An edge between v and y is now one between the placed piece q of v and y. */
static void recount(ksda_i_state *s, uint32_t v, uint32_t q, uint32_t y) {
    uint32_t c = ksda_i_state_home(s, v);
    if (!s->tight[c] || ksda_i_community(s, y) != c) return;
    s->near[y]--;
    if (ksda_i_unplaced(s, y)) s->near[v]--, s->near[q]++;
}

/* Move `count` original edges of v, drawn at random, to q. */
static ksda_status deal_originals(ksda_i_state *s, uint32_t v, uint32_t q, uint32_t count) {
    ksda_i_piece_row *from = &s->row[s->row_of[v] - 1], *to = &s->row[s->row_of[q] - 1];
    ksda_i_rng rng = ksda_i_rng_stream(s->ctx->seed, STAGE_DEAL, q);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *chosen = &s->position[from->begin + ksda_i_rng_below(&rng, from->length)];
        uint32_t *last = &s->position[from->begin + --from->length], position = *chosen;
        *chosen = *last;
        *last = position;
        ksda_status status = ksda_edits_carry(s->ctx, s->edits, v, position, q);
        if (status < 0) return status;
        if (s->tight[ksda_i_state_home(s, v)]) recount(s, v, q, ksda_i_other_end(s, v, position));
    }
    *to = (ksda_i_piece_row){from->begin + from->length, count};
    return KSDA_OK;
}

/* Move up to `count` made edges of v, links or added ones, newest first, to q. Returns how many were moved. */
static uint32_t deal_made(ksda_i_state *s, uint32_t v, uint32_t q, uint32_t count, bool links) {
    uint32_t *from = &s->piece[v].made, moved = 0;
    while (moved < count && *from != KSDA_I_NONE) {
        uint32_t h = *from;
        if ((s->is_link[h / 2] != 0) != links) {
            from = &s->half[h].next;
            continue;
        }
        *from = s->half[h].next;
        s->half[h].next = s->piece[q].made;
        s->piece[q].made = h;
        s->half[h ^ 1].to = q;
        recount(s, v, q, s->half[h].to);
        moved++;
    }
    return moved;
}

ksda_status ksda_i_split_off(ksda_i_state *s, uint32_t v, uint32_t edges, uint32_t reserve, bool link,
                             uint32_t *piece) {
    uint32_t q = 0, before = s->piece[v].degree, c = ksda_i_state_home(s, v);
    ksda_status status = piece_new(s, v, &q);
    if (status < 0) return status;
    uint32_t links = deal_made(s, v, q, edges - 1, true);
    uint32_t spare = ksda_i_originals(s, v) - reserve;
    uint32_t originals = edges - links < spare ? edges - links : spare;
    uint32_t added = deal_made(s, v, q, edges - links - originals, false);
    if (links + originals + added < edges)
        return ksda_i_error(s->ctx, KSDA_INTERNAL, "vertex %u has too few edges to split", v);
    if ((status = deal_originals(s, v, q, originals)) < 0) return status;
    s->piece[v].degree -= edges;
    s->piece[q].degree = edges;
    if (link) {
        if ((status = ksda_i_state_connect(s, q, v, true)) < 0) return status;
        if (s->tight[c]) s->near[q]++;
    }
    s->placed++;
    ksda_i_state_report(s, "split", q, before, s->piece[q].degree, 1);
    *piece = q;
    return ksda_i_groups_add(s, s->piece[q].degree);
}

ksda_status ksda_i_split_group(ksda_i_state *s, const uint32_t *member, uint32_t degree, bool links) {
    ksda_status status = KSDA_OK;
    for (uint32_t i = 0; i < s->founders && status >= 0; i++) {
        uint32_t u = member[i], piece;
        bool link = links && degree > 2; /* with d <= 2 the rest would be as large as before */
        if (s->piece[u].degree == degree) {
            status = ksda_i_state_place(s, u, degree, "create");
        } else {
            status = ksda_i_split_off(s, u, link ? degree - 1 : degree, 1, link, &piece);
            ksda_i_resort(s, u);
        }
    }
    return status;
}
